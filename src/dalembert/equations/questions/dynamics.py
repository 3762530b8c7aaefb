"""Forward and inverse dynamics at one instant.

Forward: accelerations and multipliers of given positions and velocities, from the matrix of constrained motion, mexx
(3.1).  Inverse: the forces τ that given accelerations need, M a = f − Gᵀλ + Bτ, in chosen directions B.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.arguments import listed
from dalembert.equations.contract.checks import check, lasting_rows, singular_position
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, rate_index, rate_name
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import smallest_for
from dalembert.equations.questions.quick import is_quick, quick_motion, remember
from dalembert.errors import ConstraintError, EquationsError, StateError

_ITERATIONS = 30
#: Multipliers that forces are tried with to find the first reactions, and how often these are taken in their place; of
#: so many multipliers signs are mixed.
_TRIAL_SIZES, _REACTIONS, _MIXED_SIGNS = (0.0, 1e-6, 1.0, 1e3, 1e6), 3, 6


def vectors(equations: Equations, **given: Any) -> tuple[Floats, ...]:
    """Vectors of the contract by name ("q", "v", "u"); where nothing is given, velocities are zero, others have their
    defaults."""
    return tuple(
        equations.vector(key, value) if value is not None else _left_out(equations, key) for key, value in given.items()
    )


def _left_out(equations: Equations, key: str) -> Floats:
    """A vector that nobody has given; what a description knows better is looked for only where there is something."""
    size: int = getattr(equations.sizes, key)
    return np.zeros(size) if key == "v" or not size else equations.vector(key, equations.default(key))


def forward_dynamics(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    parameters: Mapping[str, Any] | None,
    redundant: str,
    lam: Any = None,
) -> tuple[Floats, Floats]:
    """See :meth:`Equations.forward_dynamics`."""
    q, v, u = vectors(equations, q=q, v=v, u=u)
    lam = None if lam is None else equations.vector("lam", lam)
    p = equations.parameter_vector(parameters)
    quick = lam is None and is_quick(equations)
    if quick and (found := quick_motion(equations, t, q, v, u, p)) is not None:
        return found
    checked = check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant, lam=lam)
    if quick and not checked.dependent:
        remember(equations, p)
    return motion(Evaluation(equations, t, q, v, u, p, lam))


def motion(point: Evaluation) -> tuple[Floats, Floats]:
    """Accelerations and multipliers; of the smallest norm where constraints are redundant."""
    n_v, lam = point.equations.sizes.v, point.lam
    values: Mapping[str, Floats] = point.values  # forces with the multipliers of the point
    solve = _solve_sparse if point.large else _solve_dense
    for _ in range(_ITERATIONS):
        if values["F"].size and not point.usable(values):
            break
        x = solve(point, values, lam)
        change = float(np.max(np.abs(x[n_v:] - lam), initial=0.0))
        if not values["F"].size or change <= 1e-13 * float(np.max(np.abs(x[n_v:]), initial=0.0)):
            return x[:n_v], x[n_v:]
        lam, values = _toward(point, lam, x[n_v:])
    else:
        if change <= 1e-11 * float(np.max(np.abs(lam))):  # what is left is rounding
            return x[:n_v], lam
    raise EquationsError(
        f"'{point.equations.name}': accelerations and multipliers at t = {point.t:.6g} were not found: "
        f"{point.equations.reactive()} depends too strongly on multipliers. Give some to begin with (lam=…), or look "
        "at that law"
    )


def _toward(point: Evaluation, lam: Floats, found: Floats) -> tuple[Floats, Mapping[str, Floats]]:
    """The next multipliers of Newton's iteration, with the forces there; not as far as it leads where these have no
    value."""
    for part in 0.5 ** np.arange(12):
        there = lam + part * (found - lam)
        values = point.forces(there)
        if point.usable(values):
            break
    return there, values


def first_multipliers(point: Evaluation) -> Floats | None:
    """Multipliers to begin with where forces that depend on them, or their derivatives, have no value at zero.

    Next to zero such forces are mostly small, but it may take the right signs: so the reactions are those of the motion
    with forces at small multipliers, then at larger ones, of one sign and of others; the first at which all is finite.
    """
    n_v, n_lam = point.equations.sizes.v, point.equations.sizes.lam
    coupled = np.unique(point.patterns["F"].columns)
    solve = _solve_sparse if point.large else _solve_dense
    for size in _TRIAL_SIZES:
        for signs in _trial_signs(len(coupled)):
            lam = np.zeros(n_lam)
            lam[coupled] = size * np.array(signs)
            for _ in range(_REACTIONS):
                values = point.forces(lam)
                if not np.isfinite(values["f"]).all():
                    break
                lam = solve(point, {**values, "F": np.zeros_like(values["F"])}, lam)[n_v:]
                if point.usable(point.forces(lam)):
                    return lam
    return None


def _trial_signs(count: int) -> Iterator[tuple[float, ...]]:
    """Signs of some multipliers: all negative, all positive; of a few also all others."""
    yield (-1.0,) * count
    yield (1.0,) * count
    if count <= _MIXED_SIGNS:
        yield from itertools.islice(itertools.product((-1.0, 1.0), repeat=count), 1, 2**count - 1)


def _solve_dense(point: Evaluation, values: Mapping[str, Floats], lam: Floats) -> Floats:
    M, G, gamma = point.matrix("M"), point.matrix("G"), point.values["gamma"]
    deficient = bool(point.dependent)
    if deficient and (found := point.rank).uncertain:
        G, gamma = found.without_weak(G, gamma)
    F = point.patterns["F"].dense(values["F"])
    n = len(M)
    matrix = np.zeros((n + len(G), n + len(G)))  # a third of the time of np.block
    matrix[:n, :n], matrix[:n, n:], matrix[n:, :n] = M, G.T - F, G
    right = np.concatenate([values["f"] - F @ lam, gamma])
    return solution(matrix, right, n, deficient)


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
        entries = np.abs(scaled)
        for axis, factors in ((1, rows), (0, columns)):
            size = np.sqrt(np.maximum.reduce(entries, axis=axis, initial=0.0))
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
    M, G, lam = point.matrix("M"), point.matrix("G"), np.array(point.lam)
    # Forces are compared as they act on displacements of the sizes that there are.
    scale, free = point.scales.v, np.eye(len(M))
    if len(G):
        found = point.rank
        scale, free = found.scales.columns, found.free
    weight = np.sqrt(np.maximum(point.metric, 1e-300))
    for _ in range(_ITERATIONS):
        values = point.forces(lam)
        needed = M @ a - values["f"]
        # The constraints bear what lies in the range of Gᵀ; the smallest forces that give the rest.
        forces = np.linalg.lstsq(free.T @ (B * scale[:, None]), free.T @ (needed * scale), rcond=1e-12)[0]
        missing = free @ (free.T @ (scale * (needed - B @ forces))) / scale
        size = np.abs(M) @ np.abs(a) + np.abs(values["f"]) + np.abs(B) @ np.abs(forces)
        # Forces of small masses are small; they are judged by what they accelerate.
        if np.max(np.abs(missing) / weight) > 1e-9 * max(float(np.max(size / weight)), 1e-300):
            i = int(np.argmax(np.abs(missing) / weight))
            names = ", ".join(rate_name(equations, rate) for rate in rates)
            dependent = point.dependent
            if dependent and len(lasting_rows(point, dependent)) < len(dependent):
                raise EquationsError(
                    f"{singular_position(equations, dependent)}. No constraint bears the force of {missing[i]:.6g} on "
                    f"{equations.names['v'][i]}, and {names} cannot give it: take another position"
                )
            raise EquationsError(
                f"'{equations.name}': {names} cannot make this motion: {equations.names['v'][i]} lacks a force of "
                f"{missing[i]:.6g}; name more actuated velocities, or other accelerations"
            )
        before, lam = lam, smallest_for(G * scale, scale * (B @ forces - needed))
        if not values["F"].size or np.max(np.abs(lam - before)) <= 1e-12 * np.max(np.abs(lam)):
            return forces, lam
    raise EquationsError(f"'{equations.name}': forces were not found: f depends too strongly on lam")


def check_motion(point: Evaluation, v: Floats, a: Floats) -> None:
    """Velocities and accelerations must be possible: no force makes a motion that the constraints forbid."""
    equations = point.equations
    fastest = point.scales.rate(a) + max(point.scales.rate(v), point.drive_rate) ** 2 + point.pull
    for level, residual, size in (
        ("positions", point.values["g"], point.position_sizes),
        ("velocities", point.times("G", v) + point.values["gI"], point.velocity_sizes(v)),
        (
            "accelerations",
            point.times("G", a) - point.values["gamma"],
            point.row_sizes("G", a) + np.abs(point.values["gamma"]) + fastest * point.row_sizes("G", point.scales.v),
        ),
    ):
        bad = np.abs(residual) > 1e-6 * size
        if bad.any():
            i = int(np.argmax(np.abs(residual) / np.maximum(size, 1e-300)))
            raise ConstraintError(
                f"'{equations.name}': these {level} violate the constraint {equations.names['lam'][i]} by "
                f"{residual[i]:.3g}; take them from assemble, kinematics or a solution"
            )
