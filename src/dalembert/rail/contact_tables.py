"""Contact of a wheelset over its lateral displacement: rolling radii, angles, jumps, equivalent conicity (EN 15302)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dalembert.arguments import function, known_name, one_of, real, reals
from dalembert.errors import ModelError
from dalembert.rail.contact import Pair, Touch, WheelsetTouch, check_pairs, touching
from dalembert.rail.profiles import plot_axes

Floats = npt.NDArray[np.float64]

#: m: between two displacements, a contact that moves farther on its wheel may have jumped
_JUMP = 1e-3
#: m: to which the displacement of a jump is found
_EXACT = 1e-7
_MOST = 2000
#: quantities of contacts
_COLUMNS = tuple(name for name in Touch._fields if name not in ("side", "notes"))


class Jump(NamedTuple):
    """A displacement at which the contact of a wheel jumps, and its places on the wheel before and after."""

    side: str
    y: float
    before: float
    after: float


class ContactTable:
    """Contacts of a wheelset that touches both rails, at lateral displacements.

    :param y: m, increasing displacements to the left
    :param yaw: rad, a number or a function of y
    """

    def __init__(
        self, wheels: Pair, rails: Pair, y: npt.ArrayLike, yaw: float | Callable[[float], float] = 0.0
    ) -> None:
        self.y = reals(y, "contact table: y", ModelError, ndim=1, finite=True)
        if not 2 <= self.y.size <= _MOST or not np.all(np.diff(self.y) > 0.0):
            raise ModelError(f"contact table: y must be from 2 to {_MOST} increasing numbers")
        check_pairs(wheels, rails)
        fixed = 0.0 if callable(yaw) else real(yaw, "contact table: yaw", ModelError)
        self._pairs = wheels, rails
        self._yaw = function(yaw, "contact table: yaw", ModelError) if callable(yaw) else lambda _: fixed
        self.contacts = [self._at(float(place)) for place in self.y]
        #: displacements at which the contact of a wheel jumps
        self.jumps = tuple(jump for side in ("left", "right") for jump in self._jumps(side))

    def _at(self, y: float) -> WheelsetTouch:
        try:
            yaw = self._yaw(y)
        except Exception as error:  # code of the user may raise anything
            raise ModelError(f"contact table: yaw as a function of y raised {type(error).__name__}: {error}") from error
        return touching(*self._pairs, y, yaw)

    def column(self, side: str, name: str) -> Floats:
        """A quantity of one side (``u_w``, ``u_r``, ``angle``, ``radius``, ``theta``, ``A``, ``B`` …) over y."""
        one_of(side, ("left", "right"), "contact table: side", ModelError)
        known_name(name, _COLUMNS, "contact table: quantity", ModelError)
        return np.array([getattr(getattr(one, side), name) for one in self.contacts])

    @property
    def rolling_radius_difference(self) -> Floats:
        """r_left − r_right over y."""
        return np.array([one.rolling_radius_difference for one in self.contacts])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noticed, once each, with the first displacement at which it was."""
        found: dict[str, str] = {}
        for one in self.contacts:
            for note in one.notes:
                kind = note.split("(")[0].split(" at u")[0]
                found.setdefault(kind, f"y = {1e3 * one.y:.3g} mm: {note}")
        return tuple(found.values())

    def equivalent_conicity(self, amplitude: npt.ArrayLike) -> Any:
        """Conicity of the cone with the same first harmonic of Δr(y) (harmonic linearisation, EN 15302 annex):

        γ_e = 1/(2π ŷ) ∫₀^{2π} Δr(ŷ sin τ) sin τ dτ
        """
        sizes = reals(amplitude, "conicity: amplitude", ModelError)
        if np.any(sizes <= 0.0) or np.any(sizes > min(-self.y[0], self.y[-1])):
            raise ModelError(
                f"conicity: amplitudes must be positive and within the table, {1e3 * min(-self.y[0], self.y[-1]):g} mm"
            )
        tau = (np.arange(720) + 0.5) * (2.0 * np.pi / 720)
        y = sizes[..., None] * np.sin(tau)
        difference = np.interp(y, self.y, self.rolling_radius_difference)
        return (difference * np.sin(tau)).sum(axis=-1) / (720.0 * sizes)

    def plot(self, axes: Any = None) -> Any:
        """Places of contact, rolling-radius difference, contact angles, on three of Matplotlib's axes, which are
        returned."""
        axes = plot_axes(axes, 3, "contact table: axes", figsize=(7, 8), layout="constrained", sharex=True)
        y = 1e3 * self.y
        for side, style in (("left", "-"), ("right", "--")):
            axes[0].plot(y, 1e3 * self.column(side, "u_w"), style, label=f"{side} wheel")
            axes[0].plot(y, 1e3 * self.column(side, "u_r"), style, label=f"{side} rail", alpha=0.6)
            axes[2].plot(y, np.degrees(self.column(side, "angle")), style, label=side)
        for jump in self.jumps:
            axes[0].axvline(1e3 * jump.y, color="0.7", lw=0.8, zorder=0)
        axes[1].plot(y, 1e3 * self.rolling_radius_difference)
        axes[0].set_ylabel("contact at u [mm]")
        axes[1].set_ylabel("rolling radius\ndifference [mm]")
        axes[2].set_ylabel("contact angle [°]")
        axes[2].set_xlabel("lateral displacement y [mm]")
        axes[0].legend(fontsize="small", ncols=2)
        return axes

    def _jumps(self, side: str) -> list[Jump]:
        def place(one: WheelsetTouch) -> float:
            return float(getattr(one, side).u_w)

        found = []
        for first, last in zip(self.contacts[:-1], self.contacts[1:], strict=True):
            a, b = first, last
            while abs(place(b) - place(a)) > _JUMP and b.y - a.y > _EXACT:
                middle = self._at(0.5 * (a.y + b.y))
                nearer = abs(place(middle) - place(a)) < abs(place(middle) - place(b))
                a, b = (middle, b) if nearer else (a, middle)
            if abs(place(b) - place(a)) > _JUMP:
                found.append(Jump(side, 0.5 * (a.y + b.y), place(a), place(b)))
        return found
