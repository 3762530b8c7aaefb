"""The start of a motion: checks that name the culprit, and consistent positions, velocities, accelerations and
multipliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations.equations import Equations, State
from dalembert.equations.provider import Floats, Pattern
from dalembert.errors import ConstraintError, EquationsError, StateError

#: Systems with more unknowns are checked without dense factorisations: finite values and symmetry only.
LARGEST_DENSE = 800
_ITERATIONS = 60
_SYMMETRY = 1e-9
_RANK = 1e-9


@dataclass(frozen=True)
class Check:
    """What a check has found: independent rows of the constraints, and those that depend on them."""

    rows: tuple[int, ...]
    dependent: tuple[int, ...] = ()
    #: whether M is positive definite by itself, so that its entries can be pivots
    definite: bool = True


def dependent_rows(G: Floats) -> list[int]:
    """Rows of G that are combinations of others, by QR with pivoting; rows count equally, whatever their scale."""
    if not G.size:
        return []
    import scipy.linalg

    scale = np.linalg.norm(G, axis=1)
    scaled = G / np.where(scale > 0, scale, 1.0)[:, None]
    if len(G) <= G.shape[1] and np.linalg.eigvalsh(scaled @ scaled.T)[0] > 1e-6:
        return []  # far from a loss of rank; the decomposition with pivoting takes ten times as long
    _, R, order = scipy.linalg.qr(scaled.T, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int(np.sum(size > _RANK * max(1.0, size[0]))) if size.size else 0
    return sorted(int(i) for i in order[rank:])


def smallest_multipliers(
    equations: Equations, rows: Sequence[int], t: float, q: Floats, lam: Floats, p: Floats
) -> Floats:
    """The multipliers of the smallest norm that give the same reactions Gᵀλ, zero for all but some rows; those of
    redundant constraints share the load."""
    provider, held = equations.program("contract"), list(rows)
    values = provider(["G"], {"p": p, "t": np.array([t]), "q": q})["G"]
    G = provider.patterns["G"].dense(values)[held]
    result = np.zeros_like(lam)
    result[held] = np.linalg.lstsq(G.T, G.T @ lam[held], rcond=_RANK)[0]
    return result


def dependent_rows_sparse(pattern: Pattern, values: Floats) -> list[int]:
    """The same for large sparse G: small pivots of G Gᵀ with rows of length one."""
    import scipy.sparse
    import scipy.sparse.linalg

    G = scipy.sparse.csr_array((values, (pattern.rows, pattern.columns)), pattern.shape)
    size = np.sqrt(np.asarray((G * G).sum(axis=1)).reshape(-1))
    G = scipy.sparse.diags_array(1.0 / np.where(size > 0, size, 1.0)) @ G
    # What is added keeps the pivots of dependent rows from vanishing, which would be the end of the factorisation.
    gram = scipy.sparse.csc_array(G @ G.T + 1e-14 * scipy.sparse.eye_array(G.shape[0]))
    factors = scipy.sparse.linalg.splu(
        gram, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    return sorted(np.flatnonzero(np.abs(factors.U.diagonal())[factors.perm_c] < 1e-11).tolist())


class _Point:
    """Quantities of the contract at one point, evaluated together, with finite values or an error."""

    def __init__(self, equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats) -> None:
        self.equations = equations
        provider = equations.program("contract")
        inputs = {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": np.zeros(equations.sizes.lam)}
        names = ("T", "M", "f", "G", "gI", "g", "gamma", "d", "F", "C")
        found = provider(names, inputs)
        self.patterns = provider.patterns
        self.values = found
        if all(np.isfinite(values).all() for name, values in found.items() if name not in ("F", "C")):
            return
        for name, rows in (("f", "v"), ("gI", "lam"), ("g", "lam"), ("gamma", "lam"), ("d", "u")):
            bad = np.flatnonzero(~np.isfinite(found[name]))
            if bad.size:
                raise EquationsError(
                    f"'{equations.name}': {name}[{bad[0]}] ({equations.names[rows][bad[0]]}) is {found[name][bad[0]]} "
                    "at the "
                    f"start; look at the function {name}, or start elsewhere"
                )
        for name in ("T", "M", "G"):
            bad = np.flatnonzero(~np.isfinite(found[name]))
            if bad.size:
                i, j = self.patterns[name].rows[bad[0]], self.patterns[name].columns[bad[0]]
                raise EquationsError(f"'{equations.name}': {name}[{i}, {j}] is {found[name][bad[0]]} at the start")

    def matrix(self, name: str) -> Floats:
        """A matrix of the contract, dense."""
        return self.patterns[name].dense(self.values[name])


def check(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    parameters: Mapping[str, Any] | None,
    redundant: str,
) -> Check:
    """See :meth:`Equations.check`."""
    s = equations.sizes
    q, v, u = (
        equations.vector(key, np.zeros(getattr(s, key)) if value is None else value)
        for key, value in (("q", q), ("v", v), ("u", u))
    )
    p = equations.parameter_vector(parameters)
    point = _Point(equations, t, q, v, u, p)
    _check_symmetry(point)
    everything = tuple(range(s.lam))
    if s.v + s.lam > LARGEST_DENSE:
        if s.lam and (dependent := dependent_rows_sparse(point.patterns["G"], point.values["G"])):
            raise _redundant(equations, dependent)  # large systems have all their rows, or do not start
        return Check(everything)
    G, M = point.matrix("G"), point.matrix("M")
    dependent = dependent_rows(G)
    if dependent and _lasting(equations, point, t, q, v, u, p, len(dependent)):
        if redundant != "accept":
            raise _redundant(equations, dependent)
        rows = tuple(i for i in everything if i not in dependent)
    else:
        rows = everything
    definite = _definite(M)
    if not definite and (len(rows) < s.lam or not dependent):  # not where rank is missing at this instant only
        _check_definite(equations, M, G)
    return Check(rows, tuple(dependent) if len(rows) < s.lam else (), definite)


def _redundant(equations: Equations, dependent: Sequence[int]) -> ConstraintError:
    names = [equations.names["lam"][i] for i in dependent]
    return ConstraintError(
        f"'{equations.name}': {len(dependent)} of {equations.sizes.lam} constraints depend on the others: "
        f"{', '.join(names)}. Remove them, or accept them with redundant='accept'; multipliers are then those of the "
        "smallest norm"
    )


def _check_symmetry(point: _Point) -> None:
    pattern, values = point.patterns["M"], point.values["M"]
    if not values.size:
        return
    if pattern.shape[0] <= LARGEST_DENSE:
        M = pattern.dense(values)
        size = np.sqrt(np.abs(np.diagonal(M)))
        if (np.abs(M - M.T) <= _SYMMETRY * np.outer(size, size)).all():
            return
    entries = dict(zip(zip(pattern.rows.tolist(), pattern.columns.tolist(), strict=True), values.tolist(), strict=True))
    diagonal = np.abs([entries.get((i, i), 0.0) for i in range(pattern.shape[0])])
    for i, j in sorted({(min(at), max(at)) for at in entries}):
        value, other = entries.get((i, j), 0.0), entries.get((j, i), 0.0)
        # Seen from the inertias of the two coordinates, whose units may differ much from those of others.
        if abs(value - other) > _SYMMETRY * max(np.sqrt(diagonal[i] * diagonal[j]), abs(value), abs(other)):
            names = point.equations.names["v"]
            raise EquationsError(
                f"'{point.equations.name}': M is not symmetric: M[{i}, {j}] = {value:.6g}, M[{j}, {i}] = {other:.6g} "
                f"({names[i]}, {names[j]})"
            )


def _check_definite(equations: Equations, M: Floats, G: Floats) -> None:
    """M must be positive definite where motion is possible; elsewhere it may be singular."""
    free = np.eye(len(M)) if not len(G) else _null_space(G)
    if not free.size:
        return
    values, vectors = np.linalg.eigh(free.T @ M @ free)
    if values[0] > 1e-13 * max(float(np.max(np.abs(M))), 1e-300):
        return
    direction = free @ vectors[:, 0]
    i = int(np.argmax(np.abs(direction)))
    what = (
        "has no inertia"
        if abs(values[0]) <= 1e-13 * float(np.max(np.abs(M), initial=1e-300))
        else "has negative inertia"
    )
    raise EquationsError(
        f"'{equations.name}': M must be positive definite in the directions that the constraints leave free, but a "
        "motion that is "
        f"mainly {equations.names['v'][i]} {what}; give it mass, or a constraint"
    )


def _definite(M: Floats) -> bool:
    """Whether M is positive definite with something to spare, whatever the units of its rows."""
    size = np.sqrt(np.maximum(np.diag(M), 0.0))
    if not size.all():
        return False
    try:
        np.linalg.cholesky(M / size / size[:, None] - 1e-13 * np.eye(len(M)))
    except np.linalg.LinAlgError:
        return False
    return True


def _null_space(G: Floats) -> Floats:
    scale = np.linalg.norm(G, axis=1)
    _, size, Vt = np.linalg.svd(G / np.where(scale > 0, scale, 1.0)[:, None])
    rank = int(np.sum(size > _RANK * max(1.0, size[0]))) if size.size else 0
    return Vt[rank:].T


def _lasting(
    equations: Equations, point: _Point, t: float, q: Floats, v: Floats, u: Floats, p: Floats, missing: int
) -> bool:
    """Whether rank is missing at a neighbouring configuration too, or only at this instant."""
    G, T = point.matrix("G"), point.matrix("T")
    free = _null_space(G)
    if not free.shape[1]:
        return True
    rng = np.random.default_rng(0)
    for _ in range(3):
        direction = free @ rng.standard_normal(free.shape[1])
        direction *= 1e-3 / max(float(np.max(np.abs(direction))), 1e-300)
        there = q + T @ direction
        try:
            for _ in range(20):
                near = _Point(equations, t, there, v, u, p)
                if not near.values["g"].size:
                    break
                step = np.linalg.lstsq(near.matrix("C"), -near.values["g"], rcond=1e-7)[0]
                there = there + near.matrix("T") @ step
                if np.max(np.abs(step)) < 1e-12:
                    break
            if len(dependent_rows(_Point(equations, t, there, v, u, p).matrix("G"))) < missing:
                return False
        except EquationsError:
            continue
    return True


# ------------------------------------------------------------------------------------------------------------- assembly


def assemble(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    held: Sequence[str | int],
    parameters: Mapping[str, Any] | None,
    redundant: str,
) -> State:
    """See :meth:`Equations.assemble`."""
    s = equations.sizes
    if redundant not in ("refuse", "accept"):
        raise EquationsError(f"'{equations.name}': redundant must be 'refuse' or 'accept', got '{redundant}'")
    q, v, u = (
        equations.vector(key, np.zeros(getattr(s, key)) if value is None else value)
        for key, value in (("q", q), ("v", v), ("u", u))
    )
    p = equations.parameter_vector(parameters)
    held = (held,) if isinstance(held, (str, int)) else tuple(held)
    if s.v + s.lam > LARGEST_DENSE:  # corrections of large systems need all their rows
        check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant)
    held_q = [equations.index("q", item) for item in held]
    if held_q and not equations.unit_T:
        raise StateError(f"'{equations.name}': coordinates can be held only where velocities are their rates (T = I)")
    free = np.array([i for i in range(s.v) if i not in set(held_q)], dtype=int)
    q = _positions(equations, t, q, v, u, p, free, held)
    point = _Point(equations, t, q, v, u, p)
    residual = point.values["gI"] + _times(point, "G", v)
    v = v + _correction(equations, point, "G", residual, free)
    point = _Point(equations, t, q, v, u, p)
    residual = point.values["gI"] + _times(point, "G", v)
    scale = np.zeros(s.lam)
    pattern = point.patterns["G"]
    np.add.at(scale, pattern.rows, np.abs(point.values["G"] * v[pattern.columns]))
    _judge(equations, residual, scale + np.abs(point.values["gI"]), "velocity", held)
    check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant)
    a, lam = _motion(equations, t, q, v, u, p, point)
    return State(t, q, v, a, lam, u)


def _times(point: _Point, name: str, x: Floats) -> Floats:
    pattern = point.patterns[name]
    result = np.zeros(pattern.shape[0])
    np.add.at(result, pattern.rows, point.values[name] * x[pattern.columns])
    return result


def _correction(equations: Equations, point: _Point, name: str, residual: Floats, free: Any) -> Floats:
    """Smallest δ with (matrix δ) = −residual that moves only free coordinates, measured by M."""
    n = equations.sizes.v
    delta = np.zeros(n)
    if not residual.size or not free.size:
        return delta
    pattern, M = point.patterns[name], point.patterns["M"]
    weight = np.zeros(n)
    on_diagonal = M.rows == M.columns
    weight[M.rows[on_diagonal]] = point.values["M"][on_diagonal]
    # Coordinates without mass move freely; a little weight keeps them where nothing asks for a motion.
    root = 1.0 / np.sqrt(np.maximum(weight, 1e-8 * max(float(weight.max(initial=0.0)), 1e-300)))
    if n + residual.size <= LARGEST_DENSE:
        matrix = pattern.dense(point.values[name])[:, free] * root[free]
        delta[free] = root[free] * np.linalg.lstsq(matrix, -residual, rcond=1e-10)[0]
        return delta
    import scipy.sparse
    import scipy.sparse.linalg

    matrix = scipy.sparse.csc_array(
        (point.values[name] * root[pattern.columns], (pattern.rows, pattern.columns)), pattern.shape
    )
    part = matrix[:, free]
    multipliers = scipy.sparse.linalg.spsolve(scipy.sparse.csc_array(part @ part.T), residual)
    delta[free] = -root[free] * (part.T @ multipliers)
    return delta


def _positions(
    equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats, free: Any, held: Sequence[str | int]
) -> Floats:
    """Close the loops: damped Gauss–Newton on g, moving only free coordinates."""
    if not equations.sizes.g:
        return q
    point = _Point(equations, t, q, v, u, p)
    size = float(np.linalg.norm(point.values["g"]))
    for _ in range(_ITERATIONS):
        step = _correction(equations, point, "C", point.values["g"], free)
        moved = _times(point, "T", step)
        largest = float(np.max(np.abs(moved) / (1.0 + np.abs(q)), initial=0.0))
        if largest <= 1e-15:
            break
        factor = 1.0
        while True:
            try:
                trial = _Point(equations, t, q + factor * moved, v, u, p)
            except EquationsError:  # something is not finite there
                if factor < 1e-3:
                    raise
                factor *= 0.5
                continue
            new = float(np.linalg.norm(trial.values["g"]))
            if new <= (1.0 - 0.1 * factor) * size or factor < 1e-3 or largest * factor < 1e-9:
                break
            factor *= 0.5
        if new > size and largest * factor < 1e-9:
            break  # rounding: no better point is to be had
        q, point, size = q + factor * moved, trial, new
        if largest * factor <= 1e-14:
            break
    scale = np.zeros(equations.sizes.g)
    pattern = point.patterns["C"]
    np.add.at(scale, pattern.rows, np.abs(point.values["C"]))
    _judge(equations, point.values["g"], scale, "position", held)
    return q


def _judge(equations: Equations, residual: Floats, scale: Floats, level: str, held: Sequence[str | int]) -> None:
    bad = np.abs(residual) > 1e-9 * (1.0 + scale)
    if bad.any():
        i = int(np.argmax(np.abs(residual) / (1.0 + scale)))
        advice = (
            "hold fewer coordinates" if held else "start nearer to a configuration that satisfies it, or check its data"
        )
        raise ConstraintError(
            f"'{equations.name}' cannot be assembled: the {level} constraint {equations.names['lam'][i]} keeps a "
            "residual of "
            f"{residual[i]:.3g}; {advice}"
        )


def _motion(
    equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats, point: _Point
) -> tuple[Floats, Floats]:
    """Accelerations and multipliers; of the smallest norm where constraints are redundant."""
    s = equations.sizes
    if s.v + s.lam > LARGEST_DENSE:
        return _motion_sparse(equations, t, q, v, u, p, point)
    M, G = point.matrix("M"), point.matrix("G")
    lam = np.zeros(s.lam)
    provider = equations.program("contract")
    friction = len(provider.patterns["F"].rows) > 0
    for _ in range(30):
        values = provider(["f", "F"], {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": lam})
        F = provider.patterns["F"].dense(values["F"])
        matrix = np.block([[M, G.T - F], [G, np.zeros((s.lam, s.lam))]])
        right = np.concatenate([values["f"] - F @ lam, point.values["gamma"]])
        x = _solution(matrix, right, s.v, bool(dependent_rows(G)))
        change = float(np.max(np.abs(x[s.v :] - lam), initial=0.0))
        lam = x[s.v :]
        if not friction or change <= 1e-13 * float(np.max(np.abs(lam), initial=0.0)):
            return x[: s.v], lam
    raise EquationsError(
        f"'{equations.name}': accelerations and multipliers at the start were not found: f depends too strongly on lam"
    )


def _solution(matrix: Floats, right: Floats, n_v: int, deficient: bool) -> Floats:
    """Solution of the matrix of constrained motion; of those with the smallest multipliers where rank is missing.

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
    if not deficient:
        try:
            x = columns * np.linalg.solve(scaled, rows * right)
            return x + columns * np.linalg.solve(scaled, rows * (right - matrix @ x))
        except np.linalg.LinAlgError:
            pass
    U, size, Vt = np.linalg.svd(scaled)
    rank = int(np.sum(size > 1e-11 * size[0]))
    pseudo_inverse = Vt[:rank].T @ (U[:, :rank].T / size[:rank, None])
    x = columns * (pseudo_inverse @ (rows * right))
    x = x + columns * (pseudo_inverse @ (rows * (right - matrix @ x)))
    free = columns[:, None] * Vt[rank:].T
    return x - free @ np.linalg.lstsq(free[n_v:], x[n_v:], rcond=None)[0]


def _motion_sparse(
    equations: Equations, t: float, q: Floats, v: Floats, u: Floats, p: Floats, point: _Point
) -> tuple[Floats, Floats]:
    import scipy.sparse
    import scipy.sparse.linalg

    s, patterns, values = equations.sizes, point.patterns, dict(point.values)
    provider = equations.program("contract")

    def sparse(key: str) -> Any:
        return scipy.sparse.csc_array((values[key], (patterns[key].rows, patterns[key].columns)), patterns[key].shape)

    M, G, lam = sparse("M"), sparse("G"), np.zeros(s.lam)
    for _ in range(30):
        F = sparse("F")
        matrix = scipy.sparse.block_array([[M, G.T - F], [G, None]], format="csc")
        right = np.concatenate([values["f"] - F @ lam, values["gamma"]])
        try:
            x = scipy.sparse.linalg.splu(matrix).solve(right)
        except RuntimeError:  # exactly singular
            raise EquationsError(
                f"'{equations.name}': accelerations and multipliers at the start are not determined; is there a "
                "coordinate without mass?"
            ) from None
        change, lam = float(np.max(np.abs(x[s.v :] - lam), initial=0.0)), x[s.v :]
        if not len(patterns["F"].rows) or change <= 1e-12 * float(np.max(np.abs(lam), initial=0.0)):
            return x[: s.v], lam
        values |= provider(["f", "F"], {"p": p, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": lam})
    raise EquationsError(
        f"'{equations.name}': accelerations and multipliers at the start were not found: f depends too strongly on lam"
    )
