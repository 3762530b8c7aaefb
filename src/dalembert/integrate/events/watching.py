"""Arguments with borders, which steps look at, compiled; and instants of time at which drives jump."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import WATCH
from dalembert.symbolic import array, compile

#: Parts of values and rates up to which they are the same.
_ROUNDING = 1e-10
#: Part of an instant beside which the two sides of a break are compared.
_ASIDE = 64.0 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class WatchFunctions:
    """All arguments with borders behind one entry, and these borders."""

    provider: Provider
    #: tells apart those that have no common layout of a run
    structure: tuple[Hashable, ...]
    kinds: NDArray[np.int64]
    first: NDArray[np.int64]
    borders: Floats
    periods: Floats
    #: periods, or distances of borders
    scales: Floats

    @property
    def between(self) -> bool:
        """Whether something lies between borders, or jumps, so that whole steps are looked at."""
        return bool(np.any((np.diff(self.first) > 1) | (self.kinds & WATCH.JUMPS) | (self.periods > 0.0)))


def watch_functions(equations: Equations, p: Floats, least: int) -> WatchFunctions | None:
    """The arguments that steps look at, those with so many borders at least, compiled; and these borders with the given
    parameters; None if there are none."""
    borders = equations.borders(least)
    watched = borders.watched(p)
    if not watched:
        return None

    def compiled() -> Provider:
        inputs = {key: borders.inputs[key] for key in INPUTS}
        arguments = array([one.argument for one in watched])
        return Provider.compiled("watched", compile({"x": arguments}, inputs, name="watched", staged=True))

    handles = tuple(one.argument.handle for one in watched)
    kinds = [WATCH.JUMPS * one.jumps + WATCH.FOLDED * (not one.counted) for one in watched]
    first = np.cumsum([0, *(one.borders.size for one in watched)]).astype(np.int64)
    return WatchFunctions(
        equations.kept(("watched", handles), compiled),
        (handles, *kinds, *first.tolist()),
        np.array(kinds, dtype=np.int64),
        first,
        np.concatenate([one.borders for one in watched]),
        np.array([one.period for one in watched]),
        np.array([one.period or float(np.ptp(one.borders)) for one in watched]),
    )


def check_drives(
    equations: Equations, breaks: tuple[float, ...], span: tuple[float, float], p: Floats, y: Floats, tolerance: Floats
) -> None:
    """Refuse constraints that jump in time: a mechanism would be elsewhere at once, or move otherwise without a force.

    Values and rates are compared on both sides of each break within the span, at the positions of the start;
    ``tolerance`` of the velocities tells what counts.
    """
    s = equations.sizes
    low, high = min(span), max(span)
    inside = [t for t in breaks if low < t < high]
    for t in inside:
        _check_prescribed(equations, t, p, _aside(t, low, high))
    if not inside or not s.lam:
        return
    program = equations.program("contract")
    point = {"p": p, "q": y[: s.q], "v": y[s.q : s.q + s.v]}
    pattern = program.patterns["G"]
    sizes = np.zeros(s.lam)
    G = np.abs(program(["G"], {**point, "t": np.array([inside[0]])})["G"])
    np.add.at(sizes, pattern.rows, G * (tolerance[pattern.columns] + _ROUNDING * np.abs(point["q"]).max(initial=0.0)))
    for t in inside:
        aside = _aside(t, low, high)
        sides = [program(["g", "gI"], {**point, "t": np.array([t + side * aside])}) for side in (-3.0, -1.0, 1.0, 3.0)]
        _demand_values(equations, t, sides)
        moved = _jumps([side["g"] for side in sides])
        turned = _jumps([side["gI"] for side in sides]) - _ROUNDING * np.abs(sides[1]["gI"])
        for what, jumps, rows in (("value", moved, np.arange(s.g)), ("rate", turned, np.arange(s.lam))):
            for row in rows[jumps[rows] > sizes[rows]]:
                name = equations.names["lam"][row]
                if what == "rate" and name in equations.impulsive:
                    continue
                remedy = (
                    "A table joined by straight lines, a minimum or a condition does that: let the motion be smooth "
                    "there (da.table(t, values) is), or ask for the impulse: drive(…, impulse=True)"
                    if what == "rate"
                    else "Let it move there in some time: da.table(t, values) joins points smoothly"
                )
                raise SimulationError(
                    f"'{equations.name}': the {what} of '{name}' jumps by {jumps[row]:.6g} at t = {t:.9g}, which no "
                    f"finite force can follow. {remedy}"
                )


def _aside(t: float, low: float, high: float) -> float:
    """How far from a break its sides are looked at."""
    return _ASIDE * max(abs(t), 1e-3 * (high - low))


def _check_prescribed(equations: Equations, t: float, p: Floats, aside: float) -> None:
    """Refuse motions that jump in time where they are no unknowns."""
    sides = [equations.prescribed_at(t + side * aside, p) for side in (-3.0, -1.0, 1.0, 3.0)]
    for name in sides[0]:
        values = [np.array(side[name]) for side in sides]
        jump, size = float(_jumps(values)), max(float(abs(value)) for value in values)
        if not jump <= _ROUNDING * max(1.0, size):
            raise SimulationError(
                f"'{equations.name}': {name} is prescribed, and jumps by {jump:.6g} at t = {t:.9g}, which no finite "
                "force can follow. Let the motion be smooth there (da.table(t, values) is), or ask for the impulse of "
                "a drive: drive(…, impulse=True)"
            )


def _jumps(values: list[Floats]) -> Floats:
    """How far values on both sides of an instant are apart, without what they change by on either side alone."""
    before, left, right, after = values
    return np.abs(right - left) - np.abs(left - before) - np.abs(after - right)


def _demand_values(equations: Equations, t: float, sides: list[dict[str, Floats]]) -> None:
    """Refuse laws that end at an instant."""
    for when, side in (("before", sides[1]), ("after", sides[2])):
        for key in ("g", "gI"):
            for row in np.flatnonzero(~np.isfinite(side[key])):
                name = equations.names["lam"][row]
                raise SimulationError(
                    f"'{equations.name}': '{name}' has no value {when} t = {t:.9g}: a table with "
                    'outside="error" ends there, or a function is not a number. Simulate a span within its ends, or '
                    'let it go on: outside="linear", "constant" or "periodic"'
                )
