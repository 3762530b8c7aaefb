"""Mass, centre of mass and inertia of bodies: given in many ways, kept in one.

Axes and coordinates are those of the body frame B.  The inertia tensor of a body with mass density ρ about a point is
I_B = ∫ (r·r 1 - r rᵀ) ρ dV with r from that point, so the entries beside the diagonal are I_xy = -∫ x y ρ dV.

A matrix is the inertia of something if ∫ r rᵀ ρ dV = ½ tr(I) 1 - I is positive semidefinite; in principal moments,
if none exceeds the sum of the other two.  Flat bodies have equality, and rods a zero beside it.  What no body can have
is refused, or made into the nearest inertia that one can have, as a policy says (``UNPHYSICAL``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import LARGEST_ARRAY, flag, measured, one_of, real, shown
from dalembert.errors import ModelError, ModelWarning, warn_caller
from dalembert.model.bodies.orientation import rotation_given
from dalembert.symbolic import Atom, array

ROUNDED = (
    1e-6  # what digits cut off in print may do to symmetry and to the triangle inequality, relative to the largest
)
ROUNDING = 1e-9  # what arithmetic may do to a moment that is zero
PRINTED = 1e-4  # violations up to this part of the largest moment may come from the digits of a file
#: the same as a part of m r² about the origin of the body frame, from which files' inertias are often moved, and of the
#: inertia of a body of a millimetre, below which programs print noise
PRINTED_PLACE, MILLIMETRE = 1e-6, 1e-3
#: but not more than a cube of water of the same mass: bodies may be smaller than a millimetre
WATER = 1e3
#: What to do with an inertia that no body can have: refuse it; keep it and warn; take the nearest that a body can have
#: and warn; or, the default, this last one for what the digits of a file may have done, and refuse the rest.
UNPHYSICAL = ("auto", "refuse", "warn", "project")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MassProperties:
    """Mass, centre of mass ``com`` (3) and ``inertia`` (3×3) about the centre of mass, all in body axes.

    ``inertia`` may be given as a 3×3 matrix, as the three moments of the diagonal, as six numbers (I_xx, I_yy, I_zz,
    I_xy, I_xz, I_yz: entries of the matrix), or, for ``planar`` bodies, as the moment about z alone.  It belongs to the
    centre of mass unless ``about`` names another point, and to the body axes unless ``axes`` are others (any rotation
    that :func:`rotation_of` takes).  ``body`` is the name in complaints.  ``unphysical`` says what is done with an
    inertia that no body can have: "refuse"; "warn" and keep it; "project" it onto the nearest one that a body can have,
    and warn; "auto", which projects what digits cut off in print may have done and refuses the rest.

    Every number may be an atom: expressions of parameters pass unchecked, and :meth:`check` may look at them later.
    """

    mass: Any
    com: np.ndarray
    inertia: np.ndarray

    def __init__(
        self,
        mass: Any,
        com: Any = (0.0, 0.0, 0.0),
        inertia: Any = None,
        *,
        about: Any = None,
        axes: Any = None,
        planar: bool = False,
        body: str = "",
        unphysical: str = "auto",
    ) -> None:
        where = _labelled(body)
        one_of(unphysical, UNPHYSICAL, f"{where}: unphysical", ModelError)
        flag(planar, f"{where}: planar", ModelError)
        mass = scalar_of(mass, f"{where}: mass")
        com = point_of(com, f"{where}: com", planar)
        arm = None if about is None else com - point_of(about, f"{where}: about", planar)
        size, flat = 0.0, False
        if planar and inertia is not None and _numbers(inertia, f"{where}: inertia").ndim == 0:
            tensor, flat = _flat_inertia(inertia, mass, arm, where, unphysical), True
        else:
            tensor = _tensor(inertia, where)
            if axes is not None:
                R = rotation_of(axes, f"{where}: axes of its inertia")
                tensor = R @ tensor @ R.T
            if arm is not None:
                shift = _point_inertia(mass, arm)
                tensor, size = tensor - shift, max(_largest(tensor), _largest(shift))
        self._set(mass, com, tensor)
        moved = "" if about is None else f" (moved there from about={_shown(about)})"
        self._check(where, size, moved, unphysical, judged=flat)

    def _set(self, mass: Any, com: np.ndarray, inertia: np.ndarray) -> None:
        com, inertia = _settled(com), _settled(inertia)
        com.setflags(write=False)
        inertia.setflags(write=False)
        for name, value in (("mass", mass), ("com", com), ("inertia", inertia)):
            object.__setattr__(self, name, value)

    @classmethod
    def _made(cls, mass: Any, com: np.ndarray, inertia: np.ndarray) -> MassProperties:
        """From results of arithmetic, which need no check; symmetry is lost to rounding, or to the order of atoms."""
        symmetric = inertia.copy()
        upper, lower = np.triu_indices(3, 1), np.triu_indices(3, 1)[::-1]
        symmetric[lower] = symmetric[upper]
        made = cls.__new__(cls)
        made._set(mass, com, symmetric)
        return made

    @property
    def symbolic(self) -> bool:
        """Whether something in it is an expression of parameters."""
        return isinstance(self.mass, Atom) or self.com.dtype == object or self.inertia.dtype == object

    def inertia_about(self, point: Any) -> np.ndarray:
        """Inertia about a point of the body, in body axes (parallel axes, Steiner)."""
        arm = self.com - point_of(point, "inertia_about", planar=True)
        result: np.ndarray = self.inertia + _point_inertia(self.mass, arm)
        return result

    def placed(self, position: Any = (0.0, 0.0, 0.0), rotation: Any = None) -> MassProperties:
        """Mass properties in a frame in which the body frame has this position and rotation: turned, then shifted."""
        R = rotation_of(rotation, "rotation of a body")
        r = point_of(position, "position of a body", planar=True)
        return self._made(self.mass, r + R @ self.com, R @ self.inertia @ R.T)

    def moved(self, offset: Any) -> MassProperties:
        """Shifted by ``offset``."""
        return self.placed(point_of(offset, "offset of a body", planar=True))

    def rotated(self, rotation: Any) -> MassProperties:
        """Turned about the origin of the body frame."""
        return self.placed(rotation=rotation)

    def scaled(self, factor: Any) -> MassProperties:
        """Mass properties of a body of this shape, with ``factor`` times the mass."""
        factor = scalar_of(factor, "factor of a mass")
        return self._made(factor * self.mass, self.com, factor * self.inertia)

    def __add__(self, other: object) -> MassProperties:
        return compound([self, other]) if isinstance(other, MassProperties) else NotImplemented

    def __radd__(self, other: object) -> MassProperties:
        # sum() begins with the number 0
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other: object) -> MassProperties:
        """What is left after cutting ``other`` out: a hole."""
        if not isinstance(other, MassProperties):
            return NotImplemented
        rest = compound([self, other.scaled(-1.0)])
        where = "What is left after cutting"
        if not rest.symbolic and not rest.mass > 0.0:
            raise ModelError(f"{where}: the mass must be positive, got {self.mass:g} - {other.mass:g} = {rest.mass:g}")
        # Rounded places matter too, though only by their squares where the inertia itself is zero.
        size = 0.0 if self.symbolic else _largest(self.inertia) + ROUNDING * self.mass * float(self.com @ self.com)
        rest._check(where, size)
        return rest

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments about the centre of mass, smallest first, and the rotation with their axes as columns."""
        if self.inertia.dtype == object:
            raise ModelError("principal moments need numbers; this inertia depends on parameters: evaluate it first")
        moments, R = np.linalg.eigh(self.inertia)
        if np.linalg.det(R) < 0.0:
            R[:, 2] *= -1.0
        return moments, R

    def check(self, body: str = "") -> None:
        """Complain if no real body can have these numbers; parts that depend on parameters pass."""
        self._check(_labelled(body), 0.0)

    def _check(self, where: str, size: float, how: str = "", unphysical: str = "refuse", judged: bool = False) -> None:
        """``size``: of the numbers that the inertia came from by subtraction; ``how`` that was done; ``judged``: that
        the inertia has been looked at."""
        if not isinstance(self.mass, Atom):
            if not np.isfinite(self.mass):
                raise ModelError(f"{where}: mass must be finite, got {self.mass:g}")
            if self.mass < 0.0:
                raise ModelError(f"{where}: mass must not be negative, got {self.mass:g}")
        if self.com.dtype != object and not np.isfinite(self.com).all():
            raise ModelError(f"{where}: com must be finite, got {_shown(self.com)}")
        if self.inertia.dtype != object and not judged:
            why, violation = _violation(self.inertia, size, where, how)
            scale = _printed_scale(self.mass, self.com, self.inertia, size)
            if why and _projected(why, violation, scale, unphysical):
                self._set(self.mass, self.com, nearest_inertia(self.inertia))

    def __repr__(self) -> str:
        return f"MassProperties(mass={self.mass!r}, com={_shown(self.com)}, inertia={_shown(self.inertia)})"


def _labelled(body: Any) -> str:
    """A body, for complaints."""
    if not isinstance(body, str):
        raise ModelError(f"MassProperties: body must be a name, got {shown(body)}")
    return f"Body '{body}'" if body else "Body"


def compound(parts: Iterable[MassProperties]) -> MassProperties:
    """One body made of several, all given in the same frame; nothing at all has mass zero."""
    parts = list(parts)
    mass: Any = 0.0
    moment: Any = np.zeros(3)
    for part in parts:
        mass, moment = mass + part.mass, moment + part.mass * part.com
    if isinstance(mass, Atom) or mass != 0.0:
        com = moment / mass
    else:  # a centre of no mass: any point serves, as inertia without mass is the same about all
        com = parts[0].com if parts else moment
    inertia: Any = np.zeros((3, 3))
    for part in parts:
        inertia = inertia + part.inertia_about(com)
    return MassProperties._made(mass, com, inertia)


# ------------------------------------------------------------------------------------------------------------ checks


def _violation(inertia: np.ndarray, size: float, where: str, how: str) -> tuple[str, float]:
    """What is wrong with an inertia, and by how much; nothing if it is no more than rounding."""
    if not np.isfinite(inertia).all():
        raise ModelError(f"{where}: inertia must be finite, got {_shown(inertia)}")
    small, middle, large = np.linalg.eigvalsh(inertia)
    size = max(size, abs(small), abs(large))
    if small < -ROUNDING * size:
        return (
            f"{where}: inertia about the centre of mass{how} must be positive semidefinite, its smallest principal "
            f"moment is {small:.6g}; got {_shown(inertia)}. Check the point that it belongs to, and the signs"
        ), max(-small, large - small - middle)
    if large - small - middle > max(ROUNDED * large, ROUNDING * size):
        return (
            f"{where}: inertia about the centre of mass{how} violates the triangle inequality: no principal moment "
            f"can exceed the sum of the other two, but {large:.6g} > {small:.6g} + {middle:.6g}. No body has this "
            "inertia; a flat one has exactly the sum"
        ), large - small - middle
    return "", 0.0


def _printed_scale(mass: Any, com: np.ndarray, inertia: np.ndarray, size: float) -> float:
    """What the digits of a file may do to moments."""
    place = 0.0 if isinstance(mass, Atom) or com.dtype == object else mass * (com @ com + _printed_length(mass) ** 2)
    return float(PRINTED * max(size, _largest(inertia)) + PRINTED_PLACE * place)


def _printed_length(mass: float) -> float:
    """Below this length programs print noise for a body of this mass."""
    return min(MILLIMETRE, float(np.cbrt(max(mass, 0.0) / WATER)))


def _projected(why: str, violation: float, printed: float, unphysical: str) -> bool:
    """Complain about what is wrong, as the policy has it; or whether the nearest possible inertia shall be taken."""
    if unphysical == "refuse" or (unphysical == "auto" and violation > printed):
        raise ModelError(why)
    project = unphysical != "warn"
    done = "The nearest inertia that a body can have is used instead" if project else "It is used as it is"
    warn_caller(f"{why}. {done}", ModelWarning)
    return project


def nearest_inertia(inertia: np.ndarray) -> np.ndarray:
    """The nearest inertia that a body can have, with the same principal axes: principal moments I_1 = s_2 + s_3, …
    with the second moments s ≥ 0 for which they are nearest to those given."""
    import scipy.optimize

    moments, R = np.linalg.eigh(inertia)
    sums = np.ones((3, 3)) - np.eye(3)
    size = max(float(np.abs(moments).max()), 1e-300)
    s = scipy.optimize.nnls(sums, moments / size)[0]
    found: np.ndarray = R @ np.diag(sums @ (size * s)) @ R.T
    return 0.5 * (found + found.T)


def _flat_inertia(moment: Any, mass: Any, arm: np.ndarray | None, where: str, unphysical: str) -> np.ndarray:
    """Tensor of a flat body from its moment about z; a planar body uses that alone."""
    J = given = scalar_of(moment, f"{where}: inertia")
    shift: Any = 0.0
    if arm is not None:
        shift = mass * (arm[0] * arm[0] + arm[1] * arm[1])
        J = given - shift
    if not isinstance(J, Atom):
        if J < -ROUNDING * abs(shift):
            how = f": {given:g} about the given point less {shift:g} for parallel axes is {J:g}" if shift else ""
            why = f"{where}: moment of inertia about z must not be negative, got {J:g}{how}"
            place = 0.0 if isinstance(mass, Atom) else mass * _printed_length(mass) ** 2
            printed = PRINTED * abs(shift) + PRINTED_PLACE * place
            J = max(J, 0.0) if _projected(why, -J, printed, unphysical) else J
        elif J < 0.0:
            J = 0.0
    diagonal = [0.5 * J, 0.5 * J, J]
    return array(np.diag(array(diagonal))) if isinstance(J, Atom) else np.diag(diagonal)


def _tensor(inertia: Any, where: str) -> np.ndarray:
    """3×3 matrix from what a body was given as inertia."""
    if inertia is None:
        return np.zeros((3, 3))
    items = _numbers(inertia, f"{where}: inertia")
    shape = items.shape
    if shape not in ((3,), (6,), (3, 3)):
        got = "one number, which only a planar body can have" if shape == () else f"shape {shape}"
        raise ModelError(
            f"{where}: inertia must be three moments, six numbers (xx, yy, zz, xy, xz, yz) or a 3×3 matrix; got {got}"
        )
    if shape == (3, 3):
        if items.dtype == object:
            return items
        skew = np.abs(items - items.T).max()
        if skew > ROUNDED * np.abs(items).max():
            raise ModelError(f"{where}: inertia must be symmetric, got {_shown(items)}")
        return 0.5 * (items + items.T)
    xx, yy, zz, xy, xz, yz = [*items, 0.0, 0.0, 0.0][:6]
    rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return array(rows) if items.dtype == object else np.array(rows, dtype=float)


def _point_inertia(mass: Any, r: np.ndarray) -> np.ndarray:
    """Inertia of a point mass at ``r``: m (r·r 1 - r rᵀ)."""
    result: np.ndarray = mass * ((r @ r) * np.eye(3) - np.outer(r, r))
    return result


# ------------------------------------------------------------------------------------------------ numbers from users


def scalar_of(value: Any, what: str) -> Any:
    """A float, or the atom as it is; ``what`` begins the complaint."""
    if isinstance(value, Atom):
        return value if value.value is None else value.value
    items = _numbers(value, what)
    if items.ndim:
        raise ModelError(f"{what} must be one number, got shape {items.shape}")
    return items.item()


def point_of(value: Any, what: str, planar: bool = False) -> np.ndarray:
    """Three coordinates of a point or arrow; ``planar`` allows two, in the plane z = 0."""
    items = _numbers(value, what)
    if planar and items.shape == (2,):
        items = array([*items, 0.0]) if items.dtype == object else np.append(items, 0.0)
    if items.shape != (3,):
        raise ModelError(f"{what} must be {'two or ' if planar else ''}three numbers, got {_shown(value)}")
    return items


def rotation_of(value: Any, what: str) -> np.ndarray:
    """Rotation matrix from None, an angle about z, four Euler parameters (scalar first, any length) or a matrix."""
    if value is None:
        return np.eye(3)
    items = _numbers(value, what)
    one = items.ndim == 0
    matrix: np.ndarray = rotation_given(None if one else items, items[()] if one else None, None, what)
    return matrix


def _numbers(value: Any, what: str) -> np.ndarray:
    """New array of finite floats, or of atoms where there is one."""
    try:
        items = np.asarray(value)
        small = items.size <= LARGEST_ARRAY
    except Exception:  # an object of the user may raise anything when it is converted
        raise ModelError(f"{what} must be numbers in rows of equal length, got {shown(value)}") from None
    if not small:
        raise ModelError(f"{what} has the shape {items.shape}, which is more than {LARGEST_ARRAY} numbers")
    if items.dtype.kind in "iuf":
        if not np.isfinite(items).all():
            raise ModelError(f"{what} must be finite, got {_shown(value)}")
        return np.array(items, dtype=float)
    if items.dtype != object or not all(isinstance(item, (Atom, int, float, np.number)) for item in items.flat):
        raise ModelError(f"{what} must be made of numbers, got {shown(value)}{measured(value)}")
    for item in items.flat:
        if not isinstance(item, Atom):
            real(item, what, ModelError)
    return _settled(array(items))


def _settled(items: np.ndarray) -> np.ndarray:
    """Floats if no element depends on parameters."""
    if items.dtype != object:
        return items
    values = [item.value if isinstance(item, Atom) else item for item in items.flat]
    if any(value is None for value in values):
        return items
    return np.array(values, dtype=float).reshape(items.shape)


def _largest(items: np.ndarray) -> float:
    return 0.0 if items.dtype == object else float(np.abs(items).max())


def _shown(items: Any) -> str:
    """Numbers in brackets, as they would be typed."""
    if np.ndim(items) == 0:
        return f"{items:.6g}" if isinstance(items, (int, float, np.number)) else repr(items)
    return "(" + ", ".join(_shown(item) for item in items) + ")"
