"""Laws of forces: numbers, functions that are traced, or tables; and what they act along.

A law is called with those quantities that its arguments name: ``lambda t, length, rate, p: …``.  Tables are piecewise
cubic and have their integral, so that springs with tabulated forces have a potential too.  A pair (x, y) is a table
over what each law lists first; ``{"t": (x, y)}`` names another argument, ``{("angle", "rate"): (x, y, z)}`` two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os.path import basename, dirname
from traceback import extract_tb
from typing import Any

import numpy as np

from dalembert.arguments import mapping, measured, reals, shown
from dalembert.equations.builders.trace import NotTraceableError, named_arguments
from dalembert.errors import DalembertError, ModelError, SymbolicError
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Site
from dalembert.model.frames import objects_of
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, PiecewisePolynomial, TableOfTwo, array, floor, table
from dalembert.symbolic.atom import labelled

#: arguments that every law may ask for
COMMON = ("t", "p", "w")


# ------------------------------------------------------------------------------------------------------------ numbers


def number(
    value: Any,
    where: str,
    what: str,
    least: float | None = None,
    wanted: str = "a number, or a parameter such as m.p.k",
) -> Any:
    """One finite number, or an expression of parameters."""
    if isinstance(value, Atom):
        return value
    found = _float(value)
    if found is None:
        raise ModelError(f"{where}: {what} must be {wanted}; got {shown(value)}{measured(value)}")
    if not np.isfinite(found):
        raise ModelError(f"{where}: {what} is {found}; give a finite number")
    if least is not None and not found >= least:
        raise ModelError(f"{where}: {what} must be at least {least:g}, got {found:g}")
    return found


def _float(value: Any) -> float | None:
    """What is one number, as a float; None if it is none."""
    try:
        return None if isinstance(value, (str, bytes)) or np.ndim(value) else float(value)
    except Exception:  # an object of the user may raise anything when it is converted
        return None


def positive(value: Any, where: str, what: str) -> Any:
    """A number greater than zero, or an expression of parameters."""
    found = number(value, where, what)
    if not isinstance(found, Atom) and found <= 0.0:
        raise ModelError(f"{where}: {what} must be positive, got {found:g}")
    return found


def is_number(value: Any, wanted: float) -> bool:
    """Whether data are this number, and no expression."""
    return not isinstance(value, Atom) and _float(value) == wanted


def matrix(value: Any, size: int, where: str, what: str) -> Any:
    """A square matrix; from one row of numbers its diagonal.  Entries may be expressions of parameters."""
    items = objects_of(value, f"{where}: {what}")
    if items.shape == (size,):
        diagonal, items = items, np.full((size, size), 0.0, dtype=object)
        np.fill_diagonal(items, diagonal)
    if items.shape != (size, size):
        raise ModelError(
            f"{where}: {what} needs {size} numbers (its diagonal) or a {size}×{size} matrix, got the shape "
            f"{items.shape}"
        )
    entries = [number(item, where, what) for item in items.flat]
    if any(isinstance(item, Atom) for item in entries):
        return array(entries).reshape(size, size)
    return np.array(entries, dtype=float).reshape(size, size)


# -------------------------------------------------------------------------------------------------------------- tables


class Table:
    """A tabulated force: a piecewise polynomial with its integral."""

    def __init__(self, polynomial: PiecewisePolynomial) -> None:
        self.polynomial = polynomial

    def __call__(self, x: Any) -> Any:
        return self.polynomial(x)

    def integral(self, x: Any) -> Any:
        """∫ from the first break to x: W_k + s (a s³/4 + b s²/3 + c s/2 + d) with s = x − x_k on interval k.

        It is of degree four, so it is put together from a step function and two piecewise polynomials.
        """
        if self.polynomial.period:
            return self._periodic_integral(x)
        if self.polynomial.outside == "error":
            ends, inside = self.polynomial.breaks, self.polynomial.coefficients[:, 1:-1]
            guard = PiecewisePolynomial(ends[[0, -1]], [[0.0]], "error")
            return Table(PiecewisePolynomial(ends, inside)).integral(x) + guard(x)
        base, borders, c = self.polynomial.base, self.polynomial.borders, self.polynomial.coefficients
        rising = c / np.array([4.0, 3.0, 2.0, 1.0])[:, None]

        def grown(k: int, end: float) -> float:
            s = end - base[k]
            return float(s * np.polyval(rising[:, k], s))

        # Each interval starts with the integral up to the border before it.
        W = np.zeros(len(base))
        for k in range(1, len(base)):
            W[k] = W[k - 1] + grown(k - 1, borders[k - 1]) - grown(k, borders[k - 1])
        W -= W[int(np.searchsorted(borders, self.polynomial.breaks[0], side="right"))]
        # The same intervals again: a break one unit outside of either end, whose polynomial goes on for ever.
        ends = (
            np.concatenate([borders[:1] - 1.0, borders, borders[-1:] + 1.0])
            if len(borders)
            else base[0] + np.arange(2.0)
        )
        shift = ends[:-1] - base
        step = PiecewisePolynomial(ends, W[None], "cubic")
        distance = PiecewisePolynomial(ends, np.vstack([np.ones(len(base)), shift]), "cubic")
        slope = PiecewisePolynomial(ends, _shifted(rising, shift), "cubic")
        return step(x) + distance(x) * slope(x)

    def _periodic_integral(self, x: Any) -> Any:
        """That of one period, and of the whole ones before it."""
        period, breaks = self.polynomial.period, self.polynomial.breaks
        once = Table(PiecewisePolynomial(breaks, self.polynomial.coefficients, "cubic"))
        turns = floor((x - float(breaks[0])) / period)
        return once.integral(x - period * turns) + turns * float(once.integral(float(breaks[-1])))


def _shifted(c: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Coefficients of cubics in s as those in s − shift."""
    a, b, d, e = c
    h = shift
    return np.vstack([a, b + 3 * a * h, d + 2 * b * h + 3 * a * h**2, e + d * h + b * h**2 + a * h**3])


#: what laws may have for tables: of one argument, of one argument with several components, of two arguments
Tables = Table | tuple[Table, ...] | TableOfTwo


def table_of(given: Any, where: str, size: int = 0) -> Tables:
    """A table from two rows of numbers (the second with several columns where a law has components), or from a grid."""
    if isinstance(given, PiecewisePolynomial) and not size:
        return Table(given)
    if isinstance(given, TableOfTwo) and not size:
        return given
    try:
        x, y, *z = (reals(part, where, ModelError) for part in given)
    except Exception:  # an object of the user may raise anything when it is converted
        raise ModelError(
            f"{where}: a table is a pair (x, y) of equally many numbers{f', y with {size} columns' * bool(size)}, or "
            f"what da.table(x, y, …) gives; got {shown(given)}"
        ) from None
    if len(z) > (0 if size else 1):
        raise ModelError(f"{where}: a table has the parts x and y, with two arguments also z; got {len(z) + 2} parts")
    if not all(np.isfinite(part).all() for part in (x, y, *z)):
        raise ModelError(f"{where}: all numbers of the table must be finite")
    try:
        if z:
            return TableOfTwo(x, y, z[0])
        if not size:
            return Table(table(x, y))
        if y.ndim != 2 or y.shape[1] != size:
            raise ModelError(
                f"{where} needs {size} components, so a table (t, values) needs values with {size} columns; got the "
                f"shape {y.shape}"
            )
        return tuple(Table(table(x, column)) for column in y.T)
    except SymbolicError as error:
        raise ModelError(f"{where}: {error}") from None


# ---------------------------------------------------------------------------------------------------------------- laws


@dataclass(frozen=True, eq=False)
class Law:
    """A law as it was given: a number in the data of its element, a function, or a table."""

    what: str
    given: Any
    #: what a table is a function of, one quantity or two
    argument: str | tuple[str, ...] = ""
    #: components of the result; 0 for a scalar
    size: int = 0

    @classmethod
    def of(cls, given: Any, where: str, what: str, known: Sequence[str], *, argument: str = "", size: int = 0) -> Law:
        """A law that may ask for ``known`` quantities besides t, p and w; its arguments are checked at once."""
        if isinstance(given, (PiecewisePolynomial, TableOfTwo, Mapping)) or _is_table(given, argument, size):
            if not argument:
                raise ModelError(f"{where}: {what} cannot be a table; give a number or a function")
            found, over = _table_and_arguments(given, argument, known, f"{where}: {what}", size)
            return cls(f"{where}: {what}", found, over, size)
        if isinstance(given, Quantity):
            return cls(f"{where}: {what}", given, argument, size)
        if callable(given) and not isinstance(given, (Atom, np.ndarray)):
            try:
                named_arguments(f"{where}: {what}", given, dict.fromkeys((*known, *COMMON), 0.0))
            except DalembertError as error:
                raise ModelError(str(error)) from None
            return cls(f"{where}: {what}", given, argument, size)
        if size:
            items = objects_of(given, f"{where}: {what}")
            if items.shape != (size,):
                raise ModelError(f"{where}: {what} needs {size} components, or a function that has; got {shown(given)}")
            parts = [number(item, where, what) for item in items]
            exact = any(isinstance(item, Atom) for item in parts)
            return cls(f"{where}: {what}", array(parts) if exact else np.array(parts), argument, size)
        table = f", or a table (x, y) over {argument}" if argument else ""
        listed = ", ".join(dict.fromkeys([*known, "t"]))
        kinds = f"a number, a parameter such as m.p.k, a quantity, a function of {listed}{table}"
        return cls(f"{where}: {what}", number(given, where, what, wanted=kinds), argument, size)

    @property
    def is_function(self) -> bool:
        """Whether it is a function of the user."""
        return callable(self.given) and not isinstance(self.given, (Atom, Table, TableOfTwo, np.ndarray))

    @property
    def is_quantity(self) -> bool:
        """Whether it is a quantity of the model."""
        return isinstance(self.given, Quantity)

    @property
    def is_table(self) -> bool:
        """Whether it is a table."""
        return isinstance(self.given, (Table, TableOfTwo, tuple))

    def integral(self, argument: str, x: Any) -> Any:
        """∫ of a table over this argument, or None if it is none."""
        return self.given.integral(x) if isinstance(self.given, Table) and self.argument == argument else None

    @property
    def variant(self) -> Hashable:
        """Equal for laws with the same formula."""
        if self.is_table:
            listed = self.given if isinstance(self.given, tuple) else (self.given,)
            return (
                self.argument,
                *(one.polynomial.digest() if isinstance(one, Table) else one.digest() for one in listed),
            )
        return self.given if self.is_function or self.is_quantity else None

    def data(self, key: str) -> dict[str, Any]:
        """The law as data of its element, if it is a number."""
        return {} if self.is_function or self.is_table or self.is_quantity else {key: self.given}

    def value(self, at: Site, key: str, values: Mapping[str, Any]) -> Any:
        """What the law says: an atom or a number, or an array of them."""
        if self.is_table:
            over = self.argument if isinstance(self.argument, tuple) else (self.argument,)
            seen = [{"t": at.t, **values}[name] for name in over]
            return array([one(*seen) for one in self.given]) if isinstance(self.given, tuple) else self.given(*seen)
        if not (self.is_function or self.is_quantity):
            return getattr(at.data, key)
        result = seen_quantity(at, self.given) if self.is_quantity else called(at, self.what, self.given, values)
        items = objects_of(result, f"{self.what}: its result")
        shape = (self.size,) if self.size else ()
        if items.shape != shape and not (not self.size and items.size == 1):
            wanted = f"{self.size} components" if self.size else "one number"
            raise ModelError(f"{self.what} must return {wanted}, got the shape {items.shape}")
        checked = [_entry(item, self.what) for item in items.reshape(-1)]
        return array(checked) if self.size else checked[0]


def _is_table(given: Any, argument: str, size: int) -> bool:
    """Whether it is rows of numbers, and no components."""
    if isinstance(given, np.ndarray):
        return not size and given.ndim == 2 and len(given) == 2
    if not isinstance(given, (tuple, list)) or len(given) not in ((2,) if size else (2, 3)) or (size and not argument):
        return False
    first = given[0]  # any sequence of numbers, such as a column of a data frame
    return not isinstance(first, (str, bytes)) and hasattr(first, "__len__") and np.ndim(first) > 0


def _table_and_arguments(
    given: Any, argument: str, known: Sequence[str], where: str, size: int
) -> tuple[Tables, str | tuple[str, ...]]:
    """A table and what it is a function of: as it was said, or the first that the law lists."""
    over: Any = argument
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise ModelError(f"{where}: a table has one entry, {{argument: (x, y)}}; got {len(given)}")
        ((over, given),) = given.items()
    names = over if isinstance(over, tuple) else (over,)
    for name in names:
        if name not in (*known, argument, "t"):
            listed = ", ".join(dict.fromkeys([*known, argument, "t"]))
            raise ModelError(f"{where}: a table cannot be over '{name}'; it can be over {listed}")
    found = table_of(given, where, size)
    needed = 2 if isinstance(found, TableOfTwo) else 1
    if len(names) != needed:
        raise ModelError(
            f"{where}: this table is a function of {'two arguments; name them' if needed == 2 else 'one argument'}, "
            f'such as {{("angle", "rate"): (x, y, z)}} or {{"t": (x, y)}}'
        )
    return found, names if needed == 2 else names[0]


def _entry(item: Any, what: str) -> Any:
    if isinstance(item, Atom):
        return item
    found = _float(item)
    if found is None:
        raise ModelError(f"{what} must return numbers or expressions, got {shown(item)}")
    if not np.isfinite(found):
        raise ModelError(f"{what} returns {found}; it must return finite numbers")
    return found


def input_function(given: Any, where: str) -> Any:
    """A table over time as a function of t; all else as it is."""
    if not isinstance(given, (PiecewisePolynomial, Mapping)) and not _is_table(given, "t", 0):
        return given
    found, _ = _table_and_arguments(given, "t", (), where, 0)
    if not isinstance(found, Table):
        raise ModelError(f"{where}: a table of an input is one over t, (t, values)")
    return OverTime(found)


@dataclass(frozen=True)
class OverTime:
    """A table as a function of the time."""

    table: Table

    def __call__(self, t: Any) -> Any:
        return self.table(t)


def called(at: Site, what: str, function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """A function of the user, with messages that say what to do about what is wrong with it."""
    try:
        return at.call(function, **values)
    except NotTraceableError as error:
        cause = error.__cause__
        why = getattr(cause, "in_law", "") or str(cause)
        raise ModelError(
            f"{what} cannot be traced{_place_in_law(cause)}: it is called once, with expressions for the motion, and "
            f"{why}. What must stay as it is goes into m.numeric_force"
        ) from None
    except DalembertError as error:
        told = str(error).removeprefix(f"{what.partition(': ')[0]}: ")  # it may begin with the element, as this does
        if missing := re.match(r"there is no parameter '(\w+)'", told):
            told += f". Declare it first: m.parameters({missing[1]}=…)"
        raise ModelError(f"{what}: {told}") from error


def _place_in_law(error: BaseException | None) -> str:
    """The file and the line of a function of the user in which something was raised."""
    package = dirname(dirname(dirname(__file__)))
    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__ if error else None)]
    outside = [place for place in places if not place[0].startswith(package)]
    return f" ({basename(outside[-1][0])}, line {outside[-1][1]})" if outside else ""


# ------------------------------------------------------------------------------------------------ what forces act along


@dataclass(frozen=True, eq=False)
class Path:
    """A scalar that forces act along: a coordinate of a joint, the distance of two markers, or an angle in the
    plane."""

    kind: str  # "coordinate", "distance", "turn"
    #: what laws call it
    argument: str
    markers: tuple[Marker, ...] = ()
    coordinates: tuple[JointCoordinate, ...] = ()


def motion_along(kind: str, at: Site) -> tuple[Any, Any]:
    """Value and rate of what a force acts along."""
    if kind == "coordinate":
        return at.values[0], at.rates[0]
    A, B = at.frames[:2]
    if kind == "turn":
        return B.angle - A.angle, (B.angular_velocity - A.angular_velocity).components(B.world)[2]
    r = A.to(B)
    length = r.norm()
    return length, r.dot(B.velocity - A.velocity) / length


def not_by_name(item: Any) -> str:
    """What to do where a name stands in place of an object."""
    return ", a text: write the object, as m.body(…) or m.revolute(…) has returned it" if isinstance(item, str) else ""


def marker_of(item: Any, where: str) -> Marker:
    """A marker, or the origin of a body."""
    if isinstance(item, Body):
        return item.origin
    if not isinstance(item, Marker):
        raise ModelError(
            f"{where}: a body or a marker is needed, such as body.at(0, 0); got {shown(item)}{not_by_name(item)}"
        )
    return item


def two_markers(first: Any, second: Any, where: str) -> tuple[Marker, Marker]:
    """Markers on two bodies."""
    a, b = marker_of(first, where), marker_of(second, where)
    if a.body is b.body:
        raise ModelError(f"{where} acts between '{a.body.name}' and itself; its markers must be on two bodies")
    return a, b


def coordinate_of(item: Any, where: str, angle: bool | None = None) -> JointCoordinate:
    """A coordinate of a joint, or that of a joint which has only one (of the kind asked for)."""
    word = {None: "coordinate", True: "angle", False: "displacement"}[angle]
    if isinstance(item, JointCoordinate):
        if angle is not None and item.is_angle is not angle:
            raise ModelError(f"{where} needs {_an(word)}, and {item.name} is none")
        return item
    if not isinstance(item, Joint):
        raise ModelError(
            f"{where}: a joint or a coordinate of one is needed, such as joint.angle; got {shown(item)}"
            f"{not_by_name(item)}"
        )
    found = [one for one in item.own_coordinates.values() if angle is None or one.is_angle is angle]
    if len(found) != 1:
        listed = ", ".join(one.name for one in found)
        many = f"has several: {listed}; choose one" if found else f"has no {word}"
        raise ModelError(f"{where} needs {_an(word)}, and {item.label} {many}")
    return found[0]


def _an(word: str) -> str:
    return f"{'an' if word[0] == 'a' else 'a'} {word}"


def coordinate_path(item: Any, where: str, angle: bool | None = None) -> Path:
    """The path along a coordinate of a joint."""
    found = coordinate_of(item, where, angle)
    return Path("coordinate", "angle" if found.is_angle else "displacement", (), (found,))


def seen_quantity(at: Site, quantity: Quantity) -> Any:
    """A quantity as an element sees it."""
    if at.scene is None:
        raise ModelError(
            f"{at.label} prescribes a motion in time, so it cannot be {quantity!r}; give a function of t, or drive the "
            "joint (m.drive)"
        )
    found = at.scene.seen_by(at.label, quantity)
    return labelled(found, quantity.labels) if quantity.labels and np.shape(found) == (len(quantity.labels),) else found


#: what a law may ask for of a marker ``x``: ``x`` is its position
_OF_MARKERS = ("velocity", "rotation", "angular_velocity")


class Sees:
    """Further quantities that a law may ask for: coordinates of joints with their rates, ``x`` and ``x_rate``; markers
    or bodies, ``x`` (position), ``x_velocity``, ``x_rotation``, ``x_angular_velocity``, in the plane also ``x_angle``;
    any other quantity of the model, ``x``."""

    def __init__(self, given: Mapping[str, Any] | None, where: str) -> None:
        self.coordinates: dict[str, JointCoordinate] = {}
        self.markers: dict[str, Marker] = {}
        self.quantities: dict[str, Quantity] = {}
        for name, item in mapping({} if given is None else given, f"{where}: sees", ModelError).items():
            if not isinstance(name, str) or not name.isidentifier() or name in COMMON:
                raise ModelError(f"{where}: '{name}' in sees cannot be the name of an argument; choose another")
            if isinstance(item, (Joint, JointCoordinate)):
                self.coordinates[name] = coordinate_of(item, where)
            elif isinstance(item, Quantity):
                self.quantities[name] = item
                for k, one in enumerate(item.coordinates):  # their angles count turns
                    self.coordinates[f"_{name}_{k}"] = one
            else:
                self.markers[name] = marker_of(item, where)

    @property
    def names(self) -> list[str]:
        """Names of the arguments."""
        listed = [one for name in self.coordinates for one in (name, f"{name}_rate")]
        for name, marker in self.markers.items():
            listed += [name, *(f"{name}_{what}" for what in _OF_MARKERS)]
            listed += [f"{name}_angle"] if marker.body.model.planar else []
        return [*listed, *self.quantities]

    @property
    def variant(self) -> Hashable:
        """Equal where arguments have the same names, and quantities are the same."""
        return (*self.names, *self.quantities.values())

    def values(self, at: Site) -> dict[str, Any]:
        """The arguments; coordinates and markers are the last of the element."""
        found: dict[str, Any] = {}
        first = len(at.values) - len(self.coordinates)
        for k, name in enumerate(self.coordinates, first):
            found |= {name: at.values[k], f"{name}_rate": at.rates[k]}
        for k, (name, marker) in enumerate(self.markers.items(), len(at.frames) - len(self.markers)):
            frame, labels = at.frames[k], marker.body.model.labels
            found[name] = labelled(frame.position[: len(labels)], labels)
            found[f"{name}_velocity"] = labelled(frame.velocity.components(frame.world)[: len(labels)], labels)
            spin = labelled(frame.angular_velocity.components(frame.base), "xyz")
            found |= {f"{name}_rotation": frame.rotation, f"{name}_angular_velocity": spin}
            if at.planar:
                found |= {f"{name}_angle": frame.angle, f"{name}_angular_velocity": spin[2]}
        return found | {name: seen_quantity(at, quantity) for name, quantity in self.quantities.items()}
