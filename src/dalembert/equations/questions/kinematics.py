"""Motion of mechanisms whose constraints leave no freedom: positions, velocities and accelerations instant by instant,
and the forces that the motion needs.

    g(t, q) = 0,   G v = −gI,   G a = γ,   Gᵀλ = f − M a
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import reals, shown, whole
from dalembert.equations.contract.checks import check
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, normalised, sparse_matrix
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import best_rows, dependent_rows, rank_of, smallest_for
from dalembert.equations.contract.scales import row_scales
from dalembert.equations.questions.assembly import close, consistent_velocities, correction
from dalembert.equations.questions.dynamics import solution, vectors
from dalembert.errors import ConstraintError, EquationsError, StateError, suggestion
from dalembert.instant import State

_ITERATIONS = 12
_SINGULAR = 1e-10
#: Rows that are this much more independent than those in use take their place.
_BETTER = 3.0
#: Steps between two instants are halved down to this part of their distance.
_SMALLEST = 2.0**-30


@dataclass(frozen=True, eq=False, repr=False)
class MotionOverTime:
    """Motion over time, (n, n_t) each; ``names`` are those of the equations."""

    t: Floats
    q: Floats
    v: Floats
    u: Floats  # external states
    names: Mapping[str, tuple[str, ...]]

    def __getitem__(self, name: str) -> Floats:
        """A coordinate, velocity, multiplier or sensor over time, by name."""
        if not isinstance(name, str):
            raise StateError(f"the motion is asked for rows by name, a text; got {shown(name)}")
        for key in ("q", "v", "lam"):
            if name in self.names[key]:
                found: Floats = getattr(self, key)[self.names[key].index(name)]
                return found
        outputs: Mapping[str, Floats] = getattr(self, "outputs", {})
        if name in outputs:
            return outputs[name]
        valid = (*self.names["q"], *self.names["v"], *self.names["lam"], *outputs)
        raise StateError(f"the motion has nothing called '{name}'; {suggestion(name, valid)}")

    def _instant(self, k: int) -> int:
        return whole(
            k, "the motion: k, the number of an instant,", StateError, least=-len(self.t), most=len(self.t) - 1
        )

    def __repr__(self) -> str:
        times = f"{len(self.t)} instants, {self.t[0]:.6g} … {self.t[-1]:.6g}"
        return f"<{type(self).__name__} of {len(self.q)} coordinates at {times}>"


@dataclass(frozen=True, eq=False, repr=False)
class Kinematics(MotionOverTime):
    """Motion of a driven mechanism over time, (n, n_t) each; external states do not move."""

    a: Floats
    lam: Floats
    #: sensors over time, (n_t,) or (…, n_t), where the equations have some
    outputs: Mapping[str, Floats] = field(default_factory=dict)

    def state(self, k: int) -> State:
        """The point at the k-th instant."""
        k = self._instant(k)
        values = partial(_at_instant, self, k)
        return State(float(self.t[k]), self.q[:, k], self.v[:, k], self.a[:, k], self.lam[:, k], self.u, values)


def kinematics(
    equations: Equations,
    times: ArrayLike,
    q: Any,
    u: Any,
    *,
    parameters: Mapping[str, Any] | None,
    redundant: str,
) -> Kinematics:
    """See :meth:`Equations.kinematics`."""
    instants = reals(times, f"'{equations.name}': times", StateError).reshape(-1)
    if not instants.size or not np.isfinite(instants).all() or (np.diff(instants) <= 0).any():
        raise StateError(f"'{equations.name}': times must be rising finite numbers, at least one")
    q, u = vectors(equations, q=q, u=u)
    p, zeros = equations.parameter_vector(parameters), np.zeros(equations.sizes.v)
    t = float(instants[0])
    point = close(Evaluation(equations, t, normalised(equations, t, q, p), zeros, u, p), {})
    check(equations, point.q, zeros, u, t=t, parameters=parameters, redundant=redundant)
    _check_driven(point)
    walk = _Walk(point)
    found = [walk.point()]
    for t in instants[1:].tolist():
        walk.go(t)
        found.append(walk.point())
    columns = {key: np.stack([getattr(item, key) for item in found], axis=1) for key in ("q", "v", "a", "lam")}
    q, v, a, lam = (columns[key] for key in ("q", "v", "a", "lam"))
    return Kinematics(instants, q, v, u, equations.names, a, lam)


def _check_driven(point: Evaluation) -> None:
    """The constraints on positions must leave nothing free, and those on velocities nothing open."""
    equations = point.equations
    if point.large:
        free = equations.sizes.v - equations.sizes.g
        if free > 0:
            raise ConstraintError(f"{_not_driven(equations, free)}; add drives, or use simulate")
        return
    free_directions = rank_of(point, "C").free if equations.sizes.g else np.eye(equations.sizes.v)
    if free_directions.shape[1] and not _singular_here(point):
        share = np.linalg.norm(free_directions, axis=1)
        moving = np.argsort(-share, kind="stable")[: max(1, min(4, int(np.sum(share > 1e-6))))]
        names = ", ".join(equations.names["v"][i] for i in sorted(moving.tolist()))
        raise ConstraintError(
            f"{_not_driven(equations, free_directions.shape[1])}: a motion of {names} is not driven; add drives, or "
            "use simulate"
        )
    if free_directions.shape[1]:
        raise ConstraintError(_dead_centre(point, point.t))


def _not_driven(equations: Equations, free: int) -> str:
    return f"'{equations.name}': kinematics needs a mechanism without degrees of freedom, but this one has {free}"


def _singular_here(point: Evaluation) -> bool:
    """Whether there are enough constraints, but not at this position."""
    return (
        point.equations.sizes.g - len(dependent_rows(point.matrix("C"), row_scales(point, "C")))
        < point.equations.sizes.v
        <= (point.equations.sizes.g)
    )


def _dead_centre(point: Evaluation, t: float) -> str:
    equations = point.equations
    text = f"'{equations.name}': the position at t = {t:.9g} is singular (a dead centre)"
    if point.large:
        return f"{text}: velocities are not determined there; end before it, or drive another coordinate"
    _, _, Vt = np.linalg.svd(_scaled(point))
    i = int(np.argmax(np.abs(Vt[-1])))
    return (
        f"{text}: the constraints do not determine {equations.names['v'][i]} there; end before it, or drive another "
        "coordinate"
    )


def _scaled(point: Evaluation) -> Floats:
    """C as its rank is judged."""
    return row_scales(point, "C").scaled(point.matrix("C"))


class _Walk:
    """The motion followed from instant to instant."""

    def __init__(self, point: Evaluation) -> None:
        self.rows = _independent_rows(point)
        self.sign = 0.0
        self._settle(point)

    def _settle(self, point: Evaluation) -> None:
        """Velocities and accelerations of a position."""
        sign = self._orientation(point)
        if sign == 0.0 or sign * self.sign < 0:
            raise _SingularPosition(_dead_centre(point, point.t))
        self.sign = sign
        v = consistent_velocities(point, np.zeros(point.equations.sizes.v), (), {})
        point = point.elsewhere(point.q, v=v)
        self.at, self.a = point, correction(point, "G", -point.values["gamma"])
        self._choose_rows(point)

    def _choose_rows(self, point: Evaluation) -> None:
        """Go on with other rows where some are redundant and those in use come close to dependence."""
        n_g = point.equations.sizes.g
        if point.large or len(self.rows) == n_g:
            return
        found = best_rows(point, range(n_g), self.rows, "C")
        if found is not None and found.better > _BETTER:
            self.rows = list(found.rows)
            self.sign = self._orientation(point)

    def _orientation(self, point: Evaluation) -> float:
        """Sign of the determinant of independent rows of C, 0 near a singular position; a change of it tells that one
        was passed."""
        if point.large:
            import scipy.sparse.linalg

            C = point.sparse("C")
            try:
                factors = scipy.sparse.linalg.splu(C)
            except RuntimeError:
                return 0.0
            diagonal = factors.U.diagonal()
            parity = _parity(factors.perm_r) * _parity(factors.perm_c)
            return float(parity * np.prod(np.sign(diagonal)))
        C = _scaled(point)[self.rows]
        if np.linalg.svd(C, compute_uv=False)[-1] < _SINGULAR:
            return 0.0
        return float(np.linalg.slogdet(C)[0])

    def point(self) -> State:
        at = self.at
        return State(at.t, at.q, at.v, self.a, _multipliers(at, self.a), at.u)

    def go(self, end: float) -> None:
        """On to the next instant, in smaller steps where Newton's iteration does not find the next position."""
        span, start = end - self.at.t, self.at.t
        done, part, singular = 0.0, 1.0, ""
        while done < 1.0:
            part = min(part, 1.0 - done)
            if part < _SMALLEST:
                raise ConstraintError(self._stuck(singular))
            t = end if done + part >= 1.0 else start + (done + part) * span
            sign, at, a = self.sign, self.at, self.a
            try:
                self._settle(self._next(t))
            except (_SingularPosition, EquationsError) as error:
                singular = str(error) if isinstance(error, _SingularPosition) else singular
                self.sign, self.at, self.a = sign, at, a
                part /= 2
                continue
            done += part
            part *= 2

    def _next(self, t: float) -> Evaluation:
        """Predicted by Taylor's formula, corrected by Newton's iteration, near to where it was predicted."""
        at, h = self.at, t - self.at.t
        equations = at.equations
        move = h * at.v + h * h / 2 * self.a
        first = at.times("T", move)
        q = normalised(equations, t, at.q + first, at.p)
        allowed = 0.5 * at.scales.largest(first, q) + 1e-6
        before = np.inf
        total = np.zeros(equations.sizes.q)
        for _ in range(_ITERATIONS):
            point = at.elsewhere(q, t=t)
            step = point.times("T", correction(point, "C", point.values["g"]))
            size = at.scales.largest(step, q)
            total += step
            if at.scales.largest(total, q) > allowed or size > max(0.5 * before, 1e-11):
                break
            q = normalised(equations, t, q + step, at.p)
            if size <= 1e-13 or (size <= 1e-11 and size > 0.1 * before):
                return at.elsewhere(q, t=t)
            before = size
        raise EquationsError("no convergence")

    def _stuck(self, singular: str) -> str:
        """What is in the way: a dead centre, or a position that cannot be reached."""
        at = self.at
        if singular:
            return singular
        if at.large or np.linalg.svd(_scaled(at)[self.rows], compute_uv=False)[-1] < 1e-3:
            return _dead_centre(at, at.t)
        worst = int(np.argmax(np.abs(at.values["g"]) / at.position_sizes))
        return (
            f"'{at.equations.name}': no position was found after t = {at.t:.9g}; look at the drives and at the "
            f"constraint {at.equations.names['lam'][worst]}"
        )


class _SingularPosition(Exception):  # noqa: N818 - it never leaves this module
    """A position at which velocities are not determined."""


def _independent_rows(point: Evaluation) -> list[int]:
    if point.large:
        return list(range(point.equations.sizes.g))
    dropped = set(dependent_rows(point.matrix("C"), row_scales(point, "C")))
    return [i for i in range(point.equations.sizes.g) if i not in dropped]


def _parity(order: Any) -> int:
    """Sign of a permutation."""
    seen, sign = np.zeros(len(order), dtype=bool), 1
    for start in range(len(order)):
        length, i = 0, start
        while not seen[i]:
            seen[i], i, length = True, order[i], length + 1
        if length and length % 2 == 0:
            sign = -sign
    return sign


def _multipliers(point: Evaluation, a: Floats) -> Floats:
    """Gᵀλ = f − M a; of the smallest norm where constraints are redundant."""
    lam = np.array(point.lam)
    inertia = point.times("M", a)
    for _ in range(30):
        values = point.forces(lam)
        right = values["f"] - inertia
        if point.large:
            import scipy.sparse.linalg

            F = sparse_matrix(point.patterns["F"], values["F"])
            found = scipy.sparse.linalg.spsolve((point.sparse("G").T - F).tocsc(), right - F @ lam)
        else:
            F = point.patterns["F"].dense(values["F"])
            matrix = point.matrix("G").T - F
            if matrix.shape[0] == matrix.shape[1]:
                found = solution(matrix, right - F @ lam, 0, False)
            else:
                found = smallest_for(matrix.T * point.scales.v, point.scales.v * (right - F @ lam))
        change, lam = float(np.max(np.abs(found - lam), initial=0.0)), found
        if not values["F"].size or change <= 1e-12 * float(np.max(np.abs(lam), initial=0.0)):
            return lam
    raise EquationsError(
        f"'{point.equations.name}': multipliers at t = {point.t:.6g} were not found: f depends too strongly on lam"
    )


def _at_instant(motion: Kinematics, k: int, item: Any, state: State) -> Any:
    """What a motion has under a name, at one of its instants."""
    return motion[getattr(item, "name", item)][..., k]
