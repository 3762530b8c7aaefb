"""Forward and inverse dynamics at one instant.

Forward: accelerations and multipliers of given positions and velocities, from the matrix of constrained motion, mexx
(3.1).  Inverse: the forces τ that given accelerations need, M a = f − Gᵀλ + Bτ, in chosen directions B.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.arguments import listed
from dalembert.equations.contract.checks import check
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, rate_index, rate_name
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import dependent_rows, rank_of, scales_of
from dalembert.errors import ConstraintError, EquationsError, StateError

_ITERATIONS = 30


def vectors(equations: Equations, **given: Any) -> tuple[Floats, ...]:
    """Vectors of the contract by name ("q", "v", "u"); where nothing is given, velocities are zero, others have their
    defaults."""
    left_out = {"v": np.zeros(equations.sizes.v)}
    return tuple(
        equations.vector(key, left_out.get(key, equations.default(key)) if value is None else value)
        for key, value in given.items()
    )


def forward_dynamics(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    parameters: Mapping[str, Any] | None,
    redundant: str,
) -> tuple[Floats, Floats]:
    """See :meth:`Equations.forward_dynamics`."""
    q, v, u = vectors(equations, q=q, v=v, u=u)
    check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant)
    return motion(Evaluation(equations, t, q, v, u, equations.parameter_vector(parameters)))


def motion(point: Evaluation) -> tuple[Floats, Floats]:
    """Accelerations and multipliers; of the smallest norm where constraints are redundant."""
    n_v, lam = point.equations.sizes.v, np.zeros(point.equations.sizes.lam)
    values: Mapping[str, Floats] = point.forces(lam)
    solve = _solve_sparse if point.large else _solve_dense
    for _ in range(_ITERATIONS):
        x = solve(point, values, lam)
        change, lam = float(np.max(np.abs(x[n_v:] - lam), initial=0.0)), x[n_v:]
        if not values["F"].size or change <= 1e-13 * float(np.max(np.abs(lam), initial=0.0)):
            return x[:n_v], lam
        values = point.forces(lam)
    if change <= 1e-11 * float(np.max(np.abs(lam))):  # what is left is rounding
        return x[:n_v], lam
    raise EquationsError(
        f"'{point.equations.name}': accelerations and multipliers at the start were not found: f depends too strongly "
        "on lam"
    )


def _solve_dense(point: Evaluation, values: Mapping[str, Floats], lam: Floats) -> Floats:
    M, G, gamma = point.matrix("M"), point.matrix("G"), point.values["gamma"]
    deficient = bool(dependent_rows(G, scales_of(point)))
    if deficient and (found := rank_of(point)).uncertain:
        G, gamma = found.without_weak(G, gamma)
    F = point.patterns["F"].dense(values["F"])
    matrix = np.block([[M, G.T - F], [G, np.zeros((len(G), len(G)))]])
    right = np.concatenate([values["f"] - F @ lam, gamma])
    return solution(matrix, right, len(M), deficient)


def _solve_sparse(point: Evaluation, values: Mapping[str, Floats], lam: Floats) -> Floats:
    import scipy.sparse
    import scipy.sparse.linalg

    from dalembert.equations.contract.evaluation import sparse_matrix

    M, G, F = point.sparse("M"), point.sparse("G"), sparse_matrix(point.patterns["F"], values["F"])
    matrix = scipy.sparse.block_array([[M, G.T - F], [G, None]], format="csc") if len(lam) else M
    right = np.concatenate([values["f"] - F @ lam, point.values["gamma"]])
    try:
        return np.asarray(scipy.sparse.linalg.splu(matrix).solve(right))
    except RuntimeError:  # exactly singular
        raise EquationsError(
            f"'{point.equations.name}': accelerations and multipliers at the start are not determined; is there a "
            "coordinate without mass?"
        ) from None


def solution(matrix: Floats, right: Floats, n_v: int, deficient: bool) -> Floats:
    """Solution of the matrix of constrained motion, also for several right sides; of those with the smallest
    multipliers where rank is missing.

    Masses, moments of inertia and derivatives of constraints have different units, so rows and columns are first
    brought to the same size; without that, least squares cut off what is light, and lost four digits of the
    accelerations at the start of the seven-body mechanism.
    """
    rows, columns = np.ones(len(matrix)), np.ones(len(matrix))
    scaled = matrix.copy()
    for _ in range(4):  # Ruiz (2001): the largest entries of all rows and columns tend to 1
        for axis, factors in ((1, rows), (0, columns)):
            size = np.sqrt(np.max(np.abs(scaled), axis=axis, initial=0.0))
            factors /= np.where(size > 0, size, 1.0)
        scaled = matrix * rows[:, None] * columns
    several = right.reshape(len(right), -1)
    left, back = rows[:, None], columns[:, None]
    if not deficient:
        try:
            x = back * np.linalg.solve(scaled, left * several)
            x = x + back * np.linalg.solve(scaled, left * (several - matrix @ x))
            return x.reshape(right.shape)
        except np.linalg.LinAlgError:
            pass
    U, size, Vt = np.linalg.svd(scaled)
    rank = int(np.sum(size > 1e-11 * size[0]))
    pseudo_inverse = Vt[:rank].T @ (U[:, :rank].T / size[:rank, None])
    x = back * (pseudo_inverse @ (left * several))
    x = x + back * (pseudo_inverse @ (left * (several - matrix @ x)))
    free = back * Vt[rank:].T
    x = x - free @ np.linalg.lstsq(free[n_v:], x[n_v:], rcond=None)[0]
    return x.reshape(right.shape)


def inverse_dynamics(
    equations: Equations,
    q: Any,
    v: Any,
    a: Any,
    u: Any,
    *,
    actuated: Sequence[str | int] | None,
    t: float,
    parameters: Mapping[str, Any] | None,
) -> tuple[Floats, Floats]:
    """See :meth:`Equations.inverse_dynamics`."""
    q, v, u = vectors(equations, q=q, v=v, u=u)
    (a,) = vectors(equations, v=a)
    point = Evaluation(equations, t, q, v, u, equations.parameter_vector(parameters))
    check_motion(point, v, a)
    everything = range(equations.sizes.v) if actuated is None else actuated
    single = isinstance(everything, (str, int))
    items = (everything,) if single else listed(everything, f"'{equations.name}': actuated", StateError)
    rates = [rate_index(equations, item) for item in items]
    B = point.directions(rates).T
    M, G, lam = point.matrix("M"), point.matrix("G"), np.zeros(equations.sizes.lam)
    free = rank_of(point).free if len(G) else np.eye(len(M))
    weight = np.sqrt(np.maximum(point.metric, 1e-300))
    for _ in range(_ITERATIONS):
        values = point.forces(lam)
        needed = M @ a - values["f"]
        # The constraints bear what lies in the range of Gᵀ; the smallest forces that give the rest.
        forces = np.linalg.lstsq(free.T @ B, free.T @ needed, rcond=1e-12)[0]
        missing = free @ (free.T @ (needed - B @ forces))
        size = np.abs(M) @ np.abs(a) + np.abs(values["f"]) + np.abs(B) @ np.abs(forces)
        # Forces of small masses are small; they are judged by what they accelerate.
        if np.max(np.abs(missing) / weight) > 1e-9 * max(float(np.max(size / weight)), 1e-300):
            i = int(np.argmax(np.abs(missing) / weight))
            names = ", ".join(rate_name(equations, rate) for rate in rates)
            raise EquationsError(
                f"'{equations.name}': {names} cannot make this motion: {equations.names['v'][i]} lacks a force of "
                f"{missing[i]:.6g}; name more actuated velocities, or other accelerations"
            )
        before, lam = lam, np.linalg.lstsq(G.T, B @ forces - needed, rcond=1e-12)[0]
        if not values["F"].size or np.max(np.abs(lam - before)) <= 1e-12 * np.max(np.abs(lam)):
            return forces, lam
    raise EquationsError(f"'{equations.name}': forces were not found: f depends too strongly on lam")


def check_motion(point: Evaluation, v: Floats, a: Floats) -> None:
    """Velocities and accelerations must be possible: no force makes a motion that the constraints forbid."""
    equations = point.equations
    for level, residual, size in (
        ("positions", point.values["g"], point.row_sizes("C")),
        ("velocities", point.times("G", v) + point.values["gI"], point.row_sizes("G", v)),
        (
            "accelerations",
            point.times("G", a) - point.values["gamma"],
            point.row_sizes("G", a) + np.abs(point.values["gamma"]),
        ),
    ):
        bad = np.abs(residual) > 1e-6 * (1.0 + size)
        if bad.any():
            i = int(np.argmax(np.abs(residual) / (1.0 + size)))
            raise ConstraintError(
                f"'{equations.name}': these {level} violate the constraint {equations.names['lam'][i]} by "
                f"{residual[i]:.3g}; take them from assemble, kinematics or a solution"
            )
