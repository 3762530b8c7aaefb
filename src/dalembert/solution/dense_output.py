"""Dense output: a run between its steps, as piecewise polynomials.

On step k with θ = (t − t_k)/h, h = t_{k+1} − t_k, every component is the nested form

    y(θ) = c0 + θ (c1 + (1−θ) (c2 + θ (c3 + (1−θ) (c4 + …))))

of E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer 1993, codes
DOPRI5 and DOP853 (function CONTD5). Its basis is 1, θ, θ(1−θ), θ²(1−θ), θ²(1−θ)², …: c0 is the value at the start,
c0 + c1 the one at the end, and all others vanish at both ends.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.arguments import function, listed, named, reals, shown, whole
from dalembert.errors import DalembertError, suggestion
from dalembert.solution.naming import row_names
from dalembert.solution.solution_errors import SolutionError, UnknownNameError

Array: TypeAlias = NDArray[np.float64]
Completion: TypeAlias = Callable[[NDArray[np.intp], Array, Array, Array, Array], tuple[Array, Array, Array, Array]]

_EPS = float(np.finfo(float).eps)
_BEFORE_END = 1e-9  # part of a step


Measuring: TypeAlias = Callable[[str, "MotionPoint"], Array]


class _Motion(NamedTuple):
    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    u: Array


class MotionPoint(_Motion):
    """The motion at one time (arrays of shape ``(n,)``) or at several (arrays of shape ``(n, n_t)``).

    That of a run also knows its rows by name, and its sensors and reactions: ``sol.sol(2.5)["A.force"]``.
    """

    #: what a run calls its rows, and how it measures; set by the dense output that the point is of
    _names: Mapping[str, Sequence[str]] = MappingProxyType({})
    _measure: Measuring | None = None

    def __getitem__(self, item: Any) -> Any:
        """An entry by number, as of a tuple; or a coordinate, velocity, multiplier, state, sensor by its name, or by
        the joint's own ``A.angle`` or ``A.force``."""
        if isinstance(item, (int, np.integer, slice)):
            return super().__getitem__(item)
        asked = row_names(item)
        if not asked:
            raise UnknownNameError(
                f"entries of the dense output have names, such as 'A.force', or numbers; got {shown(item)}"
            )
        for kind, names in self._names.items():
            for name in asked:
                if name in names:
                    return getattr(self, kind)[list(names).index(name)]
        if self._measure is not None:
            for name in asked[:-1]:
                with suppress(UnknownNameError):
                    return self._measure(name, self)
            return self._measure(asked[-1], self)
        known = [name for names in self._names.values() for name in names]
        raise UnknownNameError(
            f"the dense output has nothing called '{asked[-1]}'; {suggestion(asked[-1], known)}. Sensors and reactions "
            "between the times of a run need its equations: of a run that was loaded they are known at sol.t alone, "
            "elsewhere equations.evaluate_quantity(joint.force, sol.state(t=…)) finds them"
        )


class DenseSizes(NamedTuple):
    """How many coordinates, velocities, external states and multipliers there are."""

    n_q: int
    n_v: int
    n_u: int
    n_lam: int

    @classmethod
    def of(cls, sizes: Mapping[str, int] | Sequence[int]) -> DenseSizes:
        """Sizes from a mapping with the keys n_q, n_v, n_u, n_lam, or from these four numbers in order."""
        if type(sizes) is cls and all(type(size) is int and size >= 0 for size in sizes):
            return sizes
        if not isinstance(sizes, Mapping):
            sizes = dict(zip(cls._fields, listed(sizes, "DenseOutput: sizes", SolutionError), strict=False))
        sizes = {
            key: whole(size, f"DenseOutput: sizes: {key}", SolutionError, least=0)
            for key, size in named(sizes, "DenseOutput: sizes", SolutionError).items()
        }
        if "n_q" not in sizes:
            raise SolutionError(f"DenseOutput: sizes must tell n_q, n_v, n_u and n_lam; got {dict(sizes)}.")
        n_q = sizes["n_q"]
        n_v = sizes.get("n_v", n_q)
        if sizes.get("n_a", n_v) != n_v:
            raise SolutionError(f"DenseOutput: there are as many accelerations as velocities; got {dict(sizes)}.")
        return cls(n_q, n_v, sizes.get("n_u", 0), sizes.get("n_lam", 0))


class DenseOutput:
    """The motion as a function of time, defined between the first and the last step.

    Parameters
    ----------
    t
        Times between the steps, shape ``(n_steps + 1,)``, rising or falling.
    coefficients
        Shape ``(n_steps, K, n_q + n_v + n_u)``: the coefficients c0, c1, … of (q, v, u), zero where a step has fewer.
    sizes
        The numbers n_q, n_v, n_u and n_lam, as a mapping or in this order.
    completion
        Attached by an integrator while the equations are at hand: a function of k, t, q, v, u at n points, arrays of
        shape ``(n,)`` and ``(n_q, n)`` …, that gives q and v projected onto the constraints, a and λ as they are in
        step k.
    algebraic
        Shape ``(n_steps, K2, n_v + n_lam)``: coefficients of (a, λ), used where there is no completion.

    Where step k ends and step k + 1 starts with another value (an event has changed the state), the later step counts.
    Without completion and without algebraic coefficients a and λ are NaN.
    """

    def __init__(
        self,
        t: ArrayLike,
        coefficients: ArrayLike,
        sizes: Mapping[str, int] | Sequence[int],
        completion: Completion | None = None,
        algebraic: ArrayLike | None = None,
    ) -> None:
        self.t: Array = reals(t, "DenseOutput: t", SolutionError)
        self.coefficients: Array = reals(coefficients, "DenseOutput: coefficients", SolutionError)
        self.sizes = DenseSizes.of(sizes)
        self.completion = None if completion is None else function(completion, "DenseOutput: completion", SolutionError)
        self.algebraic: Array | None = (
            None if algebraic is None else reals(algebraic, "DenseOutput: algebraic", SolutionError)
        )
        #: names of rows, and sensors at any instant, as the run that this belongs to has them
        self.names: Mapping[str, Sequence[str]] = {}
        self.measure: Measuring | None = None
        self._plain: DenseOutput | None = None  # without the equations, once somebody has asked

        n_q, n_v, n_u, n_lam = self.sizes
        if self.t.ndim != 1 or not self.t.size:
            raise SolutionError(f"DenseOutput: t must have shape (n_steps + 1,); got {self.t.shape}.")
        rise = self.t[1:] - self.t[:-1]
        # A step of length zero may stand for a jump; it is never looked up, except as the last one.
        if not ((rise >= 0).all() or (rise <= 0).all()):
            raise SolutionError("DenseOutput: the times between the steps must all rise or all fall.")
        arrays = [("coefficients", self.coefficients, n_q + n_v + n_u)]
        if self.algebraic is not None:
            arrays.append(("algebraic", self.algebraic, n_v + n_lam))
        for name, array, n in arrays:
            if array.ndim != 3 or array.shape[0] != self.t.size - 1 or array.shape[1] < 1 or array.shape[2] != n:
                raise SolutionError(
                    f"DenseOutput: {name} must have shape ({self.t.size - 1}, K, {n}) for {self.t.size - 1} steps "
                    f"and {self.sizes}; got {array.shape}."
                )

    @property
    def n_steps(self) -> int:
        """Number of steps."""
        return self.t.size - 1

    @property
    def interval(self) -> tuple[float, float]:
        """First and last time, in the direction of the run."""
        return float(self.t[0]), float(self.t[-1])

    def __repr__(self) -> str:
        return f"DenseOutput({self.n_steps} steps, t = {self.t[0]:g} … {self.t[-1]:g})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Equations and kernels do not travel; what a file would hold does.
        plain = self.with_algebraic()
        return DenseOutput, (plain.t, plain.coefficients, tuple(plain.sizes), None, plain.algebraic)

    def __deepcopy__(self, memo: object) -> DenseOutput:
        algebraic = None if self.algebraic is None else self.algebraic.copy()
        return DenseOutput(self.t.copy(), self.coefficients.copy(), self.sizes, self.completion, algebraic)

    def __call__(self, t: ArrayLike) -> MotionPoint:
        """The motion at time ``t``, a number or an array of shape ``(n,)``."""
        asked = reals(t, "DenseOutput: t", SolutionError)
        if asked.ndim > 1:
            raise SolutionError(f"DenseOutput: t must be a number or have shape (n,); got shape {asked.shape}.")
        times = np.atleast_1d(asked)
        k, theta = self.locate(times)
        point = self._complete(times, k, theta)
        if asked.ndim == 0:
            point = MotionPoint(asked, *(rows[:, 0] for rows in point[1:]))
        point._names, point._measure = self.names, self.measure
        return point

    def with_algebraic(self) -> DenseOutput:
        """This motion made independent of the equations: a and λ as polynomials in place of the completion.

        They are interpolated on each step in its two ends and Chebyshev points between them, as many as (q, v, u)
        have coefficients and at least five. The right end is approached from inside: at the instant itself, at a break
        or beyond the root of an event, other forces may act than in the step.  A step that cannot be completed, such as
        the last one of a run that failed, has NaN.
        """
        if self.completion is None:
            return self
        if self._plain is None:  # it takes about as many evaluations as the run itself, so it is done once
            self._plain = self._interpolated()
        return self._plain

    def _interpolated(self) -> DenseOutput:
        n = max(5, self.coefficients.shape[1])
        nodes = np.minimum(0.5 - 0.5 * np.cos(np.pi * np.arange(n) / (n - 1)), 1 - _BEFORE_END)
        values = np.empty((self.n_steps, n, self.sizes.n_v + self.sizes.n_lam))
        # In portions, since all nodes of a long run at once would be several times its dense output.
        for first in range(0, self.n_steps, 4096):
            steps = np.arange(first, min(first + 4096, self.n_steps))
            try:
                values[steps] = self._at_nodes(steps, nodes)
            except SolutionError:  # a completion that is none
                raise
            except DalembertError:
                for step in steps:
                    values[step] = np.nan
                    with suppress(DalembertError):
                        values[step] = self._at_nodes(np.array([step]), nodes)[0]
        basis = nested(np.eye(n)[:, :, None], nodes).T  # basis[i, j]: function j at node i
        algebraic = np.linalg.solve(basis, values) if values.size else values
        return DenseOutput(self.t, self.coefficients, self.sizes, None, algebraic)

    def _at_nodes(self, steps: NDArray[np.intp], nodes: Array) -> Array:
        """(a, λ) at these parts of steps: shape ``(n_steps, n_nodes, n_v + n_lam)``."""
        k, theta = np.repeat(steps, nodes.size), np.tile(nodes, steps.size)
        start, end = self.t[k], self.t[k + 1]
        times = start + theta * (end - start)
        times = np.where((end - times) * (end - start) <= 0, np.nextafter(end, start), times)
        _, _, _, a, lam, _ = self._complete(times, k, theta)
        return np.concatenate([a, lam]).T.reshape(steps.size, nodes.size, -1)

    def locate(self, times: Array) -> tuple[NDArray[np.intp], Array]:
        """Step and θ for each time."""
        times = reals(times, "DenseOutput: times", SolutionError)
        start, end = self.interval
        if not self.n_steps:
            raise SolutionError(f"DenseOutput: the run has made no step from t = {start:g}, so it has no dense output.")
        low, high = min(start, end), max(start, end)
        slack = 8 * _EPS * max(abs(low), abs(high))
        inside = (times >= low - slack) & (times <= high + slack)
        if not inside.all():  # NaN comes here too
            raise SolutionError(
                f"DenseOutput: t = {times[~inside][0]!s} lies outside the run, which goes from {start!s} to {end!s}."
            )
        times = np.clip(times, low, high)
        sign = 1.0 if end >= start else -1.0
        k = np.minimum(np.searchsorted(sign * self.t, sign * times, side="right") - 1, self.n_steps - 1)
        h = self.t[k + 1] - self.t[k]
        theta = np.divide(times - self.t[k], h, out=np.ones_like(times), where=h != 0)
        return k, theta

    def _completed(self, *point: Any) -> tuple[Array, ...]:
        """q, v, a, λ from the completion."""
        assert self.completion is not None
        try:
            found = self.completion(*point)
        except TypeError as error:
            try:
                inspect.signature(self.completion).bind(*point)
            except TypeError:
                raise SolutionError(f"DenseOutput: completion must be a function of (k, t, q, v, u): {error}") from None
            raise
        parts = listed(found, "DenseOutput: the result of completion", SolutionError)
        if len(parts) != 4:
            raise SolutionError(f"DenseOutput: completion must give q, v, a and lam; got {len(parts)} parts.")
        return tuple(reals(part, "DenseOutput: the result of completion", SolutionError) for part in parts)

    def _complete(self, times: Array, k: NDArray[np.intp], theta: Array) -> MotionPoint:
        n_q, n_v, _, n_lam = self.sizes
        q, v, u = np.split(nested(self.coefficients, theta, k), [n_q, n_q + n_v])
        if self.completion is not None and times.size:
            q, v, a, lam = self._completed(k, times, q, v, u)
            shapes = [part.shape for part in (q, v, a, lam)]
            expected = [(n, times.size) for n in (n_q, n_v, n_v, n_lam)]
            if shapes != expected:
                raise SolutionError(
                    f"DenseOutput: completion must give q, v, a, lam of shapes {expected}; got {shapes}."
                )
        elif self.algebraic is not None:
            a, lam = np.split(nested(self.algebraic, theta, k), [n_v])
        else:
            a, lam = np.full((n_v, times.size), np.nan), np.full((n_lam, times.size), np.nan)
        return MotionPoint(times, q, v, a, lam, u)


def nested(coefficients: Array, theta: Array, k: NDArray[np.intp] | None = None) -> Array:
    """Nested form at ``theta`` on the steps ``k``: shape ``(n, n_points)``.

    Without ``k`` the array has shape ``(K, n, 1)``: one polynomial with n components for all points.
    """

    def c(j: int) -> Array:
        return coefficients[j] if k is None else coefficients[k, j].T

    last = (coefficients.shape[0] if k is None else coefficients.shape[1]) - 1
    factors = theta, 1 - theta
    y = np.array(np.broadcast_to(c(last), (c(last).shape[0], theta.size)))
    for j in range(last - 1, -1, -1):
        y = c(j) + factors[j % 2] * y
    return np.ascontiguousarray(y)


def joined(parts: Sequence[Array], K: int, n: int) -> Array:
    """Coefficients of successive steps in one array (steps, K, n): of parts with fewer there are zeros behind theirs.
    ``K`` counts where there is no step."""
    parts = [part for part in parts if len(part)]
    K = max([part.shape[1] for part in parts], default=K)
    if len(parts) == 1:
        return np.ascontiguousarray(parts[0])
    table = np.zeros((sum(map(len, parts)), K, n))
    at = 0
    for part in parts:
        table[at : at + len(part), : part.shape[1]] = part
        at += len(part)
    return table


def joined_algebraic(parts: Sequence[Array], n: int) -> Array:
    """The same of (a, λ); K is 0 unless all methods that were used have such coefficients."""
    parts = [part for part in parts if len(part)]
    if min([part.shape[1] for part in parts], default=0) == 0:
        return np.zeros((sum(map(len, parts)), 0, n))
    return joined(parts, 0, n)
