"""From the records of slices to arrays: points of output, dense output, states at the ends of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.equations.contract.rank import smallest_multipliers
from dalembert.integrate.frame.advance import ASIDE
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run.completer import Completer
from dalembert.integrate.run.live import Floats, Options
from dalembert.solution import DenseOutput
from dalembert.solution.dense_output import DenseSizes, joined, joined_algebraic, nested
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.solution_errors import FileFormatError


class HeldMode(NamedTuple):
    """The equations that hold from some step on, and the constraints that do."""

    first: int  # number of that step
    completer: Completer
    #: constraints that hold: the active ones, and those that depend on them and share their load
    held: tuple[int, ...]

    @property
    def shares(self) -> bool:
        """Whether there are constraints that share the load of others."""
        return len(self.held) > len(self.completer.rows)


class Extent(NamedTuple):
    """How much a recorder has: portions of points, portions of steps, instants, modes."""

    points: int = 0
    slices: int = 0
    times: int = 0
    modes: int = 0


@dataclass(frozen=True)
class Growth:
    """What a recorder got since some extent, as it came; nothing of it will change."""

    points: list[Floats]
    coefficients: list[Floats]
    algebraic: list[Floats]
    times: list[float]
    modes: list[HeldMode]
    #: numbers of columns of points, of coefficients of a step, of y, z, λ and parameters
    shape: tuple[int, int, int, int, int, int]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """In one array each."""
        return {
            name: np.concatenate(part) if isinstance(part, list) else part for name, part in self.in_parts().items()
        }

    def in_parts(self) -> dict[str, Any]:
        """The same; what needs no more than to be joined is a list of arrays."""
        width, K, n_y, n_z, n_lam, n_p = self.shape
        rows, modes = range(n_lam), len(self.modes)
        steps = [part for part in self.coefficients if len(part)]
        alike = len({part.shape[1] for part in steps}) == 1
        return {
            "points": [np.zeros((0, width)), *self.points],
            "coefficients": steps if alike else joined(self.coefficients, K, n_y),
            "algebraic": joined_algebraic(self.algebraic, n_z),
            "times": np.array(self.times, dtype=float),
            # Which equations held when: first steps, parameters, and for each constraint 1 if it held, 2 if active.
            "modes_from": np.array([mode.first for mode in self.modes], dtype=np.int64),
            "modes_parameters": np.array([mode.completer.parameters for mode in self.modes]).reshape(modes, n_p),
            "modes_rows": np.array(
                [[(row in one.held) + (row in one.completer.rows) for row in rows] for one in self.modes],
                dtype=np.int64,
            ).reshape(modes, n_lam),
        }

    def made_by(self) -> list[list[Any]]:
        """Method, formalism and solver of each mode, as plain data."""
        each = [mode.completer for mode in self.modes]
        return [[one.method.stored(), one.options.formalism, one.options.solver] for one in each]


class Recorder:
    """Collects what a run leaves; constraints that are not active have multipliers of zero."""

    def __init__(self, equations: Equations, options: Options, t_eval: Floats | None, keep_dense: bool) -> None:
        self.equations, self.options, self.t_eval, self.keep_dense = equations, options, t_eval, keep_dense
        s = equations.sizes
        self.n_y, self.n_z = s.q + s.v + s.u, s.v + s.lam
        self.points: list[Floats] = []  # rows of (t, y, z) at the ends of steps, or at t_eval
        self.coefficients: list[Floats] = []  # one array (steps, K, n_y) per slice
        self.algebraic: list[Floats] = []  # one array (steps, K, n_z) per slice, of methods that have them
        self.times: list[float] = []  # ends of steps, with the start
        self.modes: list[HeldMode] = []
        self.breaks: set[float] = set()  # instants at which right sides are not smooth, with the parameters of any time
        self.cuts = True  # whether events may cut steps short
        self._active: Equations = equations
        self._method: Method
        self._widths = (0, 0, 0)  # of (a, λ) in records, and numbers of coefficients of y and of (a, λ)
        self._last: Floats | None = None
        self._asked = 0  # instants of t_eval that are done

    def again(self) -> Recorder:
        """Another one that has recorded the same, as points of output; with a completer of its own."""
        made = object.__new__(Recorder)
        made.__dict__.update(
            self.__dict__, points=self.points[:], coefficients=self.coefficients[:], algebraic=self.algebraic[:],
            times=self.times[:], breaks=self.breaks.copy(),
            modes=[HeldMode(first, completer.again(), held) for first, completer, held in self.modes],
        )  # fmt: skip
        return made

    @property
    def started(self) -> bool:
        """Whether there is a first point."""
        return self._last is not None

    def use(self, active: Equations, method: Method, parameters: Floats, held: tuple[int, ...]) -> None:
        """From now on steps belong to these equations, with some constraints active, and these parameters."""
        self._active, self._method = active, method
        self._widths = active.sizes.v + active.sizes.lam, method.coefficients, method.algebraic_coefficients
        first = max(len(self.times) - 1, 0)
        if not self.started:
            self.modes.clear()
        self.modes.append(HeldMode(first, Completer(active, method, self.options, parameters), held))

    def _padded(self, z: Floats) -> Floats:
        """(a, λ) with zeros for multipliers of constraints that are not active."""
        s = self.equations.sizes
        if self._active.sizes.lam == s.lam:
            return z
        full = np.zeros((*z.shape[:-1], self.n_z))
        full[..., : s.v] = z[..., : s.v]
        full[..., [s.v + row for row in self._active.rows]] = z[..., s.v :]
        return full

    def start(self, t: float, y: Floats, z: Floats) -> None:
        """The first point."""
        self.times.append(t)
        self.jump(t, y, z)

    def jump(self, t: float, y: Floats, z: Floats) -> None:
        """A new state at the same instant, after an action."""
        rows = np.empty((1, 1 + self.n_y + self.n_z))
        rows[0, 0], rows[0, 1 : 1 + self.n_y], rows[0, 1 + self.n_y :] = t, y, self._padded(z)
        rows = self._shared(rows)
        self._last = rows[-1]
        if self.t_eval is None:
            self.points.append(rows)

    def add(self, records: Floats, sampled: bool = True) -> None:
        """Steps of a slice. Functions that are called at the instants of t_eval may raise: then nothing has been added,
        and ``sampled=False`` adds the steps without these instants."""
        if not len(records):
            return
        n_y, (n_z, K, K_z) = self.n_y, self._widths
        t = records[:, 0]
        rows = records[:, : 1 + n_y + n_z]
        if n_z < self.n_z:
            rows = np.concatenate([rows[:, : 1 + n_y], self._padded(rows[:, 1 + n_y :])], axis=1)
        if self.modes[-1].shares:
            rows = self._shared(rows)
        if not self.options.dense:  # instants of output, if there are any, are the ends of the span
            self.times += t.tolist()
            at_start = self._pending()
            self._asked += len(at_start)
            self.points += [rows] if self.t_eval is None else at_start
            self._last = rows[-1]
            return
        first = 2 + n_y + n_z
        last = first + K * n_y
        coefficients = records[:, first:last].reshape(len(records), K, n_y)
        algebraic = records[:, last : last + K_z * n_z].reshape(len(records), K_z, n_z)
        if self.cuts or self.t_eval is not None:
            before = np.concatenate([[self.times[-1]], t[:-1]])
            sizes = records[:, first - 1]
        # A step that an event has cut short.
        if self.cuts and (cut := np.abs((t - before) - sizes) > 1e-10 * np.abs(sizes)).any():
            coefficients, algebraic = np.array(coefficients), np.array(algebraic)
            for k in np.flatnonzero(cut):
                part = (t[k] - before[k]) / sizes[k]
                coefficients[k] = stretched(coefficients[k], part)
                if K_z:
                    algebraic[k] = stretched(algebraic[k], part)
        if self.t_eval is None:
            self.points.append(rows)
        elif sampled:
            self._sample(before, t, coefficients)
        if self.keep_dense:
            self.coefficients.append(coefficients)
            self.algebraic.append(self._padded(algebraic))
        self.times += t.tolist()
        self._last = rows[-1]

    def _sample(self, before: Floats, t: Floats, coefficients: Floats) -> None:
        """Add the instants of t_eval among the steps."""
        assert self.t_eval is not None
        sign = 1.0 if t[-1] >= before[0] else -1.0
        # The end of a step is the start of the next one, with what an action may have changed there.
        end = int(np.searchsorted(sign * self.t_eval, sign * t[-1], side="left"))
        if end <= self._asked:
            return
        asked = self.t_eval[self._asked : end]
        k = np.searchsorted(sign * t, sign * asked, side="right")
        theta = (asked - before[k]) / (t[k] - before[k])
        y = nested(coefficients, theta, k)
        s = self.equations.sizes
        q, v, u = np.split(y, [s.q, s.q + s.v])
        q, v, a, lam = self.modes[-1].completer(self._within(asked, before[k], t[k]), q, v, u)
        z = self._padded(np.concatenate([a, lam]).T)
        self.points.append(self._shared(np.concatenate([asked[:, None], q.T, v.T, u.T, z], axis=1)))
        self._asked = end

    def _pending(self) -> list[Floats]:
        """Instants of t_eval at which the run stands; should it go on, they belong to the next step."""
        if self.t_eval is None or self._last is None:
            return []
        return [self._last[None]] * int(np.sum(self.t_eval[self._asked :] == self._last[0]))

    # --------------------------------------------------------------------------------------------------------- result

    def result(self) -> tuple[tuple[Floats, ...], Floats]:
        """(t, q, v, a, lam, u) as arrays of columns, and (q, v, u) in one."""
        s = self.equations.sizes
        width = 1 + self.n_y + self.n_z
        parts = [*self.points, *self._pending()]
        rows = (np.concatenate(parts) if parts else np.zeros((0, width))).T
        q_end, v_end, u_end = 1 + s.q, 1 + s.q + s.v, 1 + self.n_y
        a_end = u_end + s.v
        points = rows[0], rows[1:q_end], rows[q_end:v_end], rows[u_end:a_end], rows[a_end:width], rows[v_end:u_end]
        return points, rows[1:u_end]

    def dense(self, names: dict[str, tuple[str, ...]]) -> DenseOutput | None:
        """The motion between the ends of steps, if it is kept."""
        if not (self.keep_dense and self.times):
            return None
        s = self.equations.sizes
        coefficients = joined(self.coefficients, self._method.coefficients, self.n_y)
        stored = None
        if self._method.algebraic_coefficients or len(self.modes) > 1:
            algebraic = joined_algebraic(self.algebraic, self.n_z)
            stored = algebraic if algebraic.shape[1] else None
        made = DenseOutput(np.array(self.times), coefficients, DenseSizes(s.q, s.v, s.u, s.lam), self._complete, stored)
        made.names = names
        return made

    def parameters_at(self, t: Floats) -> Floats:
        """Parameters at each of these instants, one row each; where one stands twice, before and after a change."""
        first, *others = (mode.completer.parameters for mode in self.modes)
        if all(np.array_equal(first, other) for other in others):
            return np.repeat(first[None], t.size, axis=0)
        starts = np.array([self.times[mode.first] for mode in self.modes])
        sign = 1.0 if self.times[-1] >= self.times[0] else -1.0
        which = np.maximum(np.searchsorted(sign * starts, sign * t, side="right") - 1, 0)
        if self.t_eval is None:
            twice = np.append(t[:-1] == t[1:], False) & np.isin(t, starts[1:])
            which[twice] = np.maximum(np.searchsorted(sign * starts, sign * t[twice], side="left") - 1, 0)
        return np.array([mode.completer.parameters for mode in self.modes])[which]

    def _complete(
        self, step: NDArray[np.intp], t: Floats, q: Floats, v: Floats, u: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Completion by the equations that held in each step."""
        if self.breaks:
            times = np.array(self.times)
            t = self._within(t, times[step], times[step + 1])
        which = np.searchsorted([mode.first for mode in self.modes], step, side="right") - 1
        s = self.equations.sizes
        result = np.empty((s.q, t.size)), np.empty((s.v, t.size)), np.empty((s.v, t.size)), np.zeros((s.lam, t.size))
        for k in np.unique(which):
            at, mode = which == k, self.modes[k]
            part = mode.completer(t[at], q[:, at], v[:, at], u[:, at])
            for target, values in zip(result[:3], part[:3], strict=True):
                target[:, at] = values
            result[3][np.ix_(list(mode.completer.rows), np.flatnonzero(at))] = part[3]
            for i in np.flatnonzero(at) if mode.shares else ():
                result[3][:, i] = self._smallest(mode, t[i], result[0][:, i], result[3][:, i])
        return result

    def _within(self, t: Floats, start: Floats, end: Floats) -> Floats:
        """Instants of steps, those at breaks moved inside: a step sees its own side of a break, as in the run."""
        toward = np.where(t == end, start, end)
        aside = np.sign(toward - t) * np.maximum(np.abs(t), 1e-290) * ASIDE
        return np.where(((t == start) | (t == end)) & np.isin(t, list(self.breaks)), t + aside, t)

    def shared(self, t: float, q: Floats, lam: Floats) -> Floats:
        """Multipliers of all constraints at a point of the last step, those of redundant ones with their share."""
        mode = self.modes[-1]
        return self._smallest(mode, t, q, lam) if mode.shares else lam

    def _shared(self, rows: Floats) -> Floats:
        """Rows of (t, y, z) with multipliers of redundant constraints that have their share."""
        n_q, n_lam = self.equations.sizes.q, self.equations.sizes.lam
        for row in rows if self.modes[-1].shares else ():
            row[-n_lam:] = self.shared(row[0], row[1 : 1 + n_q], row[-n_lam:])
        return rows

    def _smallest(self, mode: HeldMode, t: float, q: Floats, lam: Floats) -> Floats:
        if not np.isfinite(lam).all():
            return lam
        parameters = mode.completer.parameters
        return smallest_multipliers(self.equations, mode.held, mode.completer.rows, t, q, lam, parameters)

    # ---------------------------------------------------------------------------------------------------------- state

    def extent(self) -> Extent:
        """How much there is."""
        return Extent(len(self.points), len(self.coefficients), len(self.times), len(self.modes))

    def growth(self, since: Extent = Extent()) -> Growth:  # noqa: B008
        """What came since then."""
        width = 1 + self.n_y + self.n_z
        return Growth(
            self.points[since.points :], self.coefficients[since.slices :], self.algebraic[since.slices :],
            self.times[since.times :], self.modes[since.modes :],
            (width, self._method.coefficients, self.n_y, self.n_z, self.equations.sizes.lam, self.equations.sizes.p),
        )  # fmt: skip

    def rest(self) -> dict[str, NDArray[Any]]:
        """Where the recorder stands, besides what it has collected."""
        return {
            "last": np.zeros(0) if self._last is None else self._last,
            "asked": np.array([self._asked], dtype=np.int64),
        }

    def restore(self, arrays: ForeignData, made_by: Sequence[tuple[Method, Options]]) -> None:
        """Go on from such arrays, with the method and the options of each mode."""
        n_lam, width = self.equations.sizes.lam, 1 + self.n_y + self.n_z
        times = arrays["times"].array(None, finite=True)
        steps = times.size - 1
        rise = np.diff(times)
        if steps < 0 or not (np.all(rise >= 0) or np.all(rise <= 0)):
            raise FileFormatError("arrays.times must all rise or all fall.")
        kept = steps if self.keep_dense else 0
        coefficients = arrays["coefficients"].array(kept, None, self.n_y)
        algebraic = arrays["algebraic"].array(kept, None, self.n_z)
        if not coefficients.shape[1]:
            raise FileFormatError("arrays.coefficients must have at least one for each step.")
        asked = arrays["asked"].array(1, whole=True)
        if not 0 <= asked[0] <= (0 if self.t_eval is None else self.t_eval.size):
            raise FileFormatError(f"arrays.asked must count instants of t_eval; got {asked[0]}.")
        firsts = arrays["modes_from"].array(None, whole=True)
        parameters = arrays["modes_parameters"].array(firsts.size, self.equations.sizes.p, finite=True)
        rows = arrays["modes_rows"].array(firsts.size, n_lam, whole=True) if n_lam else np.zeros((firsts.size, 0))
        if not (firsts.size and firsts[0] == 0 and np.all(np.diff(firsts) >= 0) and firsts[-1] <= max(steps, 0)):
            raise FileFormatError("arrays.modes_from must be rising numbers of steps, from 0 on.")
        if not np.isin(rows, (0, 1, 2)).all():
            raise FileFormatError("arrays.modes_rows must be 0, 1 or 2.")
        if len(made_by) != firsts.size:
            raise FileFormatError(f"header.modes must tell of {firsts.size} modes; got {len(made_by)}.")
        self.points, self.times = [arrays["points"].array(None, width)], times.tolist()
        self.coefficients, self.algebraic = [coefficients], [algebraic]
        self._last, self._asked = arrays["last"].array(width), int(asked[0])
        self.modes = []
        for first, values, held, (method, options) in zip(firsts, parameters, rows, made_by, strict=True):
            equations = self.equations.restricted(np.flatnonzero(held == 2).tolist())
            completer = Completer(equations, method, options, values)
            self.modes.append(HeldMode(int(first), completer, tuple(np.flatnonzero(held).tolist())))


def stretched(coefficients: Floats, part: float) -> Floats:
    """Coefficients (K, n) in nested form of the same polynomial on the first ``part`` of its step."""
    K = len(coefficients)
    nodes = 0.5 - 0.5 * np.cos(np.pi * np.arange(K) / (K - 1))
    basis = nested(np.eye(K)[:, :, None], nodes).T
    values = nested(coefficients[:, :, None], nodes * part).T
    return np.asarray(np.linalg.solve(basis, values))
