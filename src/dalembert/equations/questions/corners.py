"""Derivatives at corners of laws, where slopes differ on both sides of a state.

A damper that resists more in one direction than in the other has two slopes at rest.  Which of them the derivative of
a formula has there depends on how the formula is written: |x|, max(x, 0), a choice and a table differ.  Derivatives are
therefore compared with those at points so near that only a corner explains a change, in some direction x and against
it.  Where they differ, their mean counts, or those of the side that is asked for.  Laws that are odd at the corner, and
black boxes that are differenced, are treated alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Derivatives, Evaluation
from dalembert.equations.contract.provider import Floats
from dalembert.errors import DalembertError, EquationsError, ModelWarning, some, warn_caller

#: Distance of the points, as a part of the sizes of coordinates and velocities, and how much nearer the second look is.
_NEAR, _NEARER = 1e-8, 0.125
#: The same where functions are called back: their differences take wider steps.
_NEAR_CALLBACKS = 1e-4
#: Parts of an entry, of the largest of its row, and of the largest of all rows, that are no change: of exact
#: derivatives, and of differences.
_SAME = (1e-6, 1e-9, 1e-12)
_SAME_CALLBACKS = (1e-2, 1e-6, 1e-8)
#: A change that a corner makes is the same from nearer.
_LASTING = 0.5
#: A force that changes by more times what its slopes explain jumps.
_JUMP = 10.0
#: Part of the largest force that is rounding.
_ROUNDING = 1e-9
#: A law moves to the side that is asked for if it moves by this part of what it would move alone.
_MOVES = 0.05
_A_LITTLE = 1e-3


@dataclass(frozen=True)
class Corners:
    """Laws with different slopes on both sides of a state, and those that jump there, by their names."""

    laws: tuple[str, ...] = ()
    jumps: tuple[str, ...] = ()
    side: str = "mean"

    @property
    def note(self) -> str:
        """What to know about them; nothing where there are none."""
        parts = []
        if self.laws:
            corner = "has a corner" if len(self.laws) == 1 else "have corners"
            taken = (
                "the mean of the slopes on both sides counts; side='above' or 'below' takes one of them"
                if self.side == "mean"
                else f"the slope {self.side} it counts"
            )
            parts.append(f"{some(self.laws, 4)} {corner} at this state: {taken}")
        if self.jumps:
            jumps = "jumps" if len(self.jumps) == 1 else "jump"
            parts.append(f"{some(self.jumps, 4)} {jumps} at this state, and no slope says by how much")
        return "; ".join(parts)

    def warn(self, equations: Equations) -> None:
        """Say at the caller's line which laws have corners, unless a side was chosen, and which jump."""
        if self.note and (self.jumps or self.side == "mean"):
            warn_caller(f"'{equations.name}': {self.note}", ModelWarning)


def derivatives_at(
    point: Evaluation, a: Floats, lam: Floats, rate: float, side: str = "mean"
) -> tuple[Derivatives, Corners]:
    """Exact derivatives at a point, at corners of laws the mean of both sides, or one of them; ``rate`` is the inverse
    time that velocities are measured by."""
    here = Derivatives(point.equations, point.t, point.q, point.v, a, lam, point.u, point.p)
    looked = _Look(point, a, lam, rate, here)
    way = looked.generic
    try:
        sides = looked.sides(way, 1.0)
        bent = looked.differs(sides)
        if bent.any():
            bent &= looked.lasting(sides, looked.sides(way, _NEARER))
    except DalembertError:  # there is no motion on one of the sides
        return here, Corners()
    jumps = looked.jumps(sides, way, bent)
    if not bent.any():
        return here, Corners(jumps=jumps)
    before, after = (one.values["jacobian"] for one in sides)
    apart = bent & looked.apart(before, after)
    found = 0.5 * (before + after)
    laws: tuple[str, ...] = ()
    if apart.any():
        named = point.equations.bending(*(looked.inputs(way, sign) for sign in (-1.0, 0.0, 1.0)))
        laws = tuple(named) or looked.rows(apart)
        if side != "mean":
            found = looked.one_side(named, apart, 1.0 if side == "above" else -1.0, laws)
    here.values["jacobian"] = np.where(bent, found, here.values["jacobian"])
    return here, Corners(laws, jumps, side)


@dataclass(frozen=True, eq=False)
class _Way:
    """A direction of motion, in the sizes of coordinates and velocities."""

    q: Floats
    v: Floats
    u: Floats
    lam: Floats

    @property
    def parts(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.q, self.v, self.u, self.lam


class _Look:
    """Derivatives around a point."""

    def __init__(self, point: Evaluation, a: Floats, lam: Floats, rate: float, here: Derivatives) -> None:
        self.point, self.a, self.lam, self.here = point, a, lam, here
        calls = isinstance(point.equations.innermost, WithCallbacks)
        self.near, self.same = (_NEAR_CALLBACKS, _SAME_CALLBACKS) if calls else (_NEAR, _SAME)
        self.speed = rate * point.scales.v
        largest = float(np.max(np.abs(lam), initial=0.0))
        sizes = {"q": point.scales.q, "v": self.speed, "u": 1.0 + np.abs(point.u), "lam": np.full(len(lam), largest)}
        #: forces that are expected: those at the point, of gravity, and of the motion
        pull = max(rate**2, point.scales.gravity)
        self.forces = np.abs(point.forces(lam)["f"]) + pull * point.scales.v * point.metric
        self.row, self.column = here.places
        self.sizes_of = sizes
        #: entries are compared as they act on the sizes of the columns, with those of the same kind of columns: in the
        #: same row, and in all rows of one kind, where forces are powers of these velocities
        self.size, block = np.zeros(len(self.row)), np.zeros(len(self.row), dtype=np.int64)
        for k, (key, size) in enumerate(sizes.items()):
            first, last = here.column_range(key)
            inside = (self.column >= first) & (self.column < last)
            self.size[inside] = size[self.column[inside] - first]
            block[inside] = k
        of_row, kind = np.ones(int(self.row.max(initial=-1)) + 1), np.zeros(len(self.row), dtype=np.int64)
        for k, key in enumerate(("residual", "g", "gv", "d")):
            first, last = here.row_range(key)
            kind[(self.row >= first) & (self.row < last)] = k + 1
            if key == "residual":
                of_row[first:last] = point.scales.v[: max(len(of_row) - first, 0)]
        self.size *= of_row[self.row]
        self.counts = kind > 0  # what changes coordinates by velocities is no law
        self.group, self.block = self.row * len(sizes) + block, kind * len(sizes) + block

    @property
    def generic(self) -> _Way:
        """A direction that no law is likely to be blind to."""
        s, scales = self.point.equations.sizes, self.point.scales
        parts = _generic(2 * s.v + s.u + s.lam)
        on_q, on_v, on_u, on_lam = np.split(parts, np.cumsum([s.v, s.v, s.u]))
        return _Way(self.point.times("T", on_q * scales.v), on_v * self.speed, on_u * self.sizes_of["u"],
                    on_lam * self.sizes_of["lam"])  # fmt: skip

    def inputs(self, way: _Way, part: float) -> dict[str, Floats]:
        """A point aside, as inputs of a program."""
        point, h = self.point, part * self.near
        moved = {"q": point.q + h * way.q, "v": point.v + h * way.v, "u": point.u + h * way.u}
        return {**moved, "p": point.p, "t": np.array([point.t]), "lam": self.lam + h * way.lam}

    def _at(self, way: _Way, part: float) -> Derivatives:
        x = self.inputs(way, part)
        return Derivatives(self.point.equations, self.point.t, x["q"], x["v"], self.a, x["lam"], x["u"], self.point.p)

    def sides(self, way: _Way, part: float) -> tuple[Derivatives, Derivatives]:
        """Derivatives on both sides, first against the direction."""
        return self._at(way, -part), self._at(way, part)

    def apart(self, x: Floats, y: Floats) -> NDArray[np.bool_]:
        """Entries that differ by more than rounding and curvature explain."""
        part, of_row, of_block = self.same
        size, change = np.maximum(np.abs(x), np.abs(y)) * self.size, np.abs(x - y) * self.size
        found = change > part * size
        for group, least in ((self.group, of_row), (self.block, of_block)):
            largest = np.zeros(int(group.max(initial=-1)) + 1)
            np.maximum.at(largest, group, size)
            found &= change > least * largest[group]
        return np.asarray(found & self.counts)

    def differs(self, sides: tuple[Derivatives, Derivatives]) -> NDArray[np.bool_]:
        """Entries that are others on one of the sides."""
        now = self.here.values["jacobian"]
        found: NDArray[np.bool_] = np.any([self.apart(one.values["jacobian"], now) for one in sides], axis=0)
        return found

    def lasting(
        self, sides: tuple[Derivatives, Derivatives], nearer: tuple[Derivatives, Derivatives]
    ) -> NDArray[np.bool_]:
        """Entries whose changes do not shrink with the distance."""
        now = self.here.values["jacobian"]
        far, near = (np.max([np.abs(one.values["jacobian"] - now) for one in both], axis=0) for both in (sides, nearer))
        return np.asarray(near > _LASTING * far)

    def jumps(self, sides: tuple[Derivatives, Derivatives], way: _Way, bent: NDArray[np.bool_]) -> tuple[str, ...]:
        """What jumps between the sides."""
        before, after = (one.values["jacobian"] for one in sides)
        slopes = np.where(bent, 0.5 * (before + after), self.here.values["jacobian"])
        steepest = np.maximum(np.abs(before), np.abs(after))
        move = np.zeros(int(self.column.max(initial=-1)) + 1)
        for key in ("q", "v", "u", "lam"):
            first, last = self.here.column_range(key)
            move[first:last] = 2.0 * self.near * getattr(way, key)[: max(len(move) - first, 0)]
        explained, largest = np.zeros(int(self.row.max(initial=-1)) + 1), np.zeros(int(self.row.max(initial=-1)) + 1)
        np.add.at(explained, self.row, slopes * move[self.column])
        np.add.at(largest, self.row, steepest * np.abs(move[self.column]))
        first, last = self.here.row_range("residual")
        change = sides[1].values["residual"] - sides[0].values["residual"]
        left = np.abs(change - explained[first:last])
        found = (left > _JUMP * largest[first:last]) & (left > _ROUNDING * self.forces)
        if not found.any():
            return ()
        equations = self.point.equations
        far, near = ((self.inputs(way, -part), self.inputs(way, part)) for part in (1.0, _NEARER))
        rows = tuple(f"the force on {equations.names['v'][i]}" for i in np.flatnonzero(found))
        return equations.stepping(far, near) or rows

    def rows(self, entries: NDArray[np.bool_]) -> tuple[str, ...]:
        """Names of what has corners where no law is known."""
        names, found = self.point.equations.names, []
        for key, vector, what in (("residual", "v", "the force on "), ("d", "u", "the rate of "), ("g", "lam", "")):
            first, last = self.here.row_range(key)
            rows = np.unique(self.row[entries & (self.row >= first) & (self.row < last)]) - first
            found += [f"{what}{names[vector][i]}" for i in rows.tolist()]
        return tuple(found) or ("an equation",)

    def one_side(
        self, named: Mapping[str, Floats | None], apart: NDArray[np.bool_], sign: float, laws: tuple[str, ...]
    ) -> Floats:
        """Derivatives where what the laws depend on is larger, or smaller."""
        rows = [row for row in named.values() if row is not None]
        way = self._along(np.array(rows), laws) if rows else self._along_columns(apart)
        # Laws whose slopes are the same on both sides leave their corners too.
        way = _Way(*(along + _A_LITTLE * other for along, other in zip(way.parts, self.generic.parts, strict=True)))
        behind, ahead = (one.values["jacobian"] for one in self.sides(way, _NEARER))
        if np.setdiff1d(self.row[apart], self.row[self.apart(behind, ahead)]).size:
            raise self._undecided(laws)
        return ahead if sign > 0.0 else behind

    def _along(self, rows: Floats, laws: tuple[str, ...]) -> _Way:
        """A motion along which all paths of laws grow."""
        scaled = rows * self.point.scales.v
        scaled = scaled / np.maximum(np.linalg.norm(scaled, axis=1), 1e-300)[:, None]
        move = np.linalg.lstsq(scaled, np.ones(len(rows)), rcond=1e-9)[0]
        if (scaled @ move < _MOVES).any():
            raise self._undecided(laws)
        s = self.point.equations.sizes
        return _Way(self.point.times("T", move * self.point.scales.v), move * self.speed, np.zeros(s.u),
                    np.zeros(s.lam))  # fmt: skip

    def _along_columns(self, apart: NDArray[np.bool_]) -> _Way:
        """A motion along which the unknowns grow whose slopes differ; the first one most."""
        parts = {}
        for key, size in self.sizes_of.items():
            first, last = self.here.column_range(key)
            columns = np.unique(self.column[apart & (self.column >= first) & (self.column < last)]) - first
            parts[key] = np.zeros(last - first)
            parts[key][columns] = size[columns] / (1.0 + 0.618 * np.arange(len(columns)))
        return _Way(**parts)

    def _undecided(self, laws: tuple[str, ...]) -> EquationsError:
        return EquationsError(
            f"'{self.point.equations.name}': no motion leads to one side of all laws that have corners at this state "
            f"({some(laws, 4)}); take side='mean', or a state a little aside"
        )


def _generic(n: int) -> Floats:
    """Numbers of sizes between 1/2 and 3/2 without order."""
    x = np.sin(np.arange(1.0, n + 1.0) ** 2)
    return np.asarray(np.copysign(0.5 + np.abs(x), x))
