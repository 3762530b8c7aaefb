"""Whether a run gets on: steps that cover next to nothing, and laws whose jump the motion is held at.

A force that jumps against the motion, such as −c sign(rate), leaves nothing to follow where the motion comes to rest:
steps lead to and fro across the jump, as long as the tolerance allows, which is next to nothing.  Such a run would fill
all memory with steps.  It is counted between slices, and nothing depends on the clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.questions.dynamics import motion
from dalembert.errors import DalembertError
from dalembert.integrate.run import outcome as endings
from dalembert.symbolic import evaluate

if TYPE_CHECKING:
    from dalembert.equations.contract.borders import Watched
    from dalembert.integrate.run.course import Course
    from dalembert.integrate.run.live import Floats, LiveRun

#: So many steps in a row get nowhere if they have covered less than this part of the span, or if their mean is less
#: than that part of the longest step of the run and the rest would take as many of them as the last number says.
_STEPS, _OF_SPAN, _OF_LONGEST, _HOPELESS = 10_000, 1e-9, 1e-7, 1e7
#: Where this part of the attempts or more were made in vain, both numbers are this factor less strict: steps that
#: stability makes short succeed.
_IN_VAIN, _LESS_STRICT = 0.3, 10.0
#: After so many steps borders are looked at, if the rest of the run would take so many more; where nothing was found,
#: after twice as many, up to the second of these, so that long runs pay nothing for it. A slice must have so many of
#: them, or all that it can.
_LOOK, _LATEST_LOOK, _AHEAD, _SEEN = 2000, 64_000, 1e5, 64
#: Arguments that have been no further from a border than so many times their tolerance may be held there.
_NARROW = 1e3
#: Letters of an argument that are told.
_LONGEST_TEXT = 80


@dataclass
class Getting:
    """How far a run was when it was looked at."""

    looked_at: int
    counted_from: int
    rejected_from: int
    covered_from: float
    wait: int = _LOOK

    @classmethod
    def on(cls, course: Course) -> Getting:
        """From where the run stands."""
        steps = course.count("steps")
        return cls(steps, steps, course.count("rejected"), float(course.live.run.t_now))

    def look(self, course: Course) -> endings.Ending | None:
        """After a slice, with its records in place: an ending if the run gets nowhere."""
        live, steps = course.live, course.count("steps")
        run, t, end = live.run, float(live.run.t_now), course.span[1]
        if steps - min(self.looked_at, self.counted_from) < _LOOK or course.method.steps_alike or run.pace > 0.0:
            return None
        if steps - self.looked_at >= self.wait and run.recorded >= min(_SEEN, live.slice):
            self.looked_at = steps
            rows = run.records[: run.recorded * live.record_width].reshape(run.recorded, live.record_width)
            size = abs(rows[-1, 0] - rows[0, 0]) / max(len(rows) - 1, 1)
            if size * _AHEAD < abs(end - t):
                self.wait = min(2 * self.wait, _LATEST_LOOK)
                if (found := _held_at_jump(live, rows, size)) is not None:
                    return found
        done = steps - self.counted_from
        if done < _STEPS:
            return None
        covered, rejected = abs(t - self.covered_from), course.count("rejected")
        in_vain = rejected - self.rejected_from
        self.counted_from, self.rejected_from, self.covered_from = steps, rejected, t
        size = covered / done
        strict = 1.0 if in_vain < _IN_VAIN * (in_vain + done) else _LESS_STRICT
        short = size < strict * _OF_LONGEST * run.h_largest and size * _HOPELESS < strict * abs(end - t)
        if (short or covered < _OF_SPAN * abs(end - course.span[0])) and size < 0.5 * run.h_max:
            return endings.standstill(t, done, size)
        return None


def _held_at_jump(live: LiveRun, rows: Floats, size: float) -> endings.Ending | None:
    """An ending that names the law whose jump the motion is held at, if there is one; ``rows`` are records of steps."""
    borders = live.equations.borders(1)
    points = rows[:, : 1 + live.n_y + live.n_z]
    for one in borders.watched(np.array(live.run.p)):
        try:
            argument = _Argument(live, borders.inputs, one, points)
            if argument.is_narrow and argument.is_held:
                name = live.equations.jumping(*argument.sides)
                return endings.held_at_jump(float(live.run.t_now), size, name, argument.told)
        except DalembertError:  # there is no motion to compare with; the run will tell
            continue
    return None


class _Argument:
    """An argument with borders along the last steps; ``points`` are rows of (t, y, z)."""

    def __init__(self, live: LiveRun, inputs: Mapping[str, Any], watched: Watched, points: Floats) -> None:
        self.live, self.inputs, self.watched = live, inputs, watched
        self.p = np.array(live.run.p)
        self.last = points[-1]
        x = self._at(points)
        turn = watched.period * np.floor((x[-1] - watched.borders[0]) / watched.period) if watched.period else 0.0
        borders = np.append(watched.borders, watched.borders[0] + watched.period) + turn
        self.border = float(borders[np.argmin(np.abs(borders - x[-1]))])
        self.away = float(np.abs(x - self.border).max())
        y = self.last[1 : 1 + live.n_y]
        steps = np.append(live.run.atol + live.run.rtol * np.abs(y), 0.0)
        aside = np.repeat(points[-1:], live.n_y + 1, axis=0)
        aside[np.arange(live.n_y), 1 + np.arange(live.n_y)] += steps[:-1]
        self.changes = self._at(aside)[:-1] - x[-1]  # by the tolerance of each component
        self.slopes = self.changes / steps[:-1]
        self.value, self.tolerance = float(x[-1]), float(np.abs(self.changes).sum())

    def _at(self, points: Floats) -> Floats:
        """Its values at points."""
        s, columns = self.live.equations.sizes, points.T
        parts = np.split(columns, np.cumsum([1, s.q, s.v, s.u, s.v]))
        given = [(symbol, x) for key, part in zip(("t", "q", "v", "u", "a", "lam"), parts, strict=True)
                 for symbol, x in zip(self.inputs[key], part, strict=True)]  # fmt: skip
        given += zip(self.inputs["p"], self.p.tolist(), strict=True)
        return np.array(np.broadcast_to(evaluate(self.watched.argument, given), columns.shape[1:]), dtype=float)

    @property
    def is_narrow(self) -> bool:
        """Whether it stays at a border, as far as the tolerance tells."""
        return self.away < _NARROW * self.tolerance < np.inf

    @cached_property
    def sides(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """The last point moved a little below and above the border, along the component that matters most."""
        below, above = (self._moved_to(self.border + side * self.tolerance) for side in (-1.0, 1.0))
        return below, above

    def _moved_to(self, value: float) -> dict[str, Floats]:
        i, s = int(np.argmax(np.abs(self.changes))), self.live.equations.sizes
        point = np.array(self.last)
        point[1 + i] += (value - self.value) / self.slopes[i]
        t, q, v, u, _, lam = np.split(point, np.cumsum([1, s.q, s.v, s.u, s.v]))
        return {"t": t, "q": q, "v": v, "u": u, "lam": lam, "p": self.p}

    @property
    def is_held(self) -> bool:
        """Whether the motion drives it back to the border from both sides."""
        below, above = (self._rate(side) for side in self.sides)
        return (below > 0.0 > above) if self.live.run.direction > 0.0 else (below < 0.0 < above)

    def _rate(self, at: Mapping[str, Floats]) -> float:
        """Its rate at a point nearby."""
        lam = at["lam"] if at["lam"].any() else None
        point = Evaluation(self.live.equations, float(at["t"][0]), at["q"], at["v"], at["u"], self.p, lam)
        rates = np.concatenate([point.times("T", at["v"]), motion(point)[0], point.values["d"]])
        later = np.array([self.last, self.last])
        later[1, 0] += self.live.run.h
        by_time = float(np.diff(self._at(later))[0] / self.live.run.h)
        return float(self.slopes @ rates) + by_time

    @property
    def told(self) -> str:
        """It and its border, in words."""
        names = self.live.equations.names

        def named(match: re.Match[str]) -> str:
            listed, k = names.get(match[1], ()), int(match[2])
            return listed[k] if k < len(listed) else match[0]

        text = re.sub(r"\b([qvu])(\d+)\b", named, str(self.watched.argument))
        return f"{text if len(text) <= _LONGEST_TEXT else 'what it compares'} passes {self.border + 0.0:.6g}"
