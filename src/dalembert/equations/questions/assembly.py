"""The start of a motion: consistent positions, velocities, accelerations and multipliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import listed as items_of
from dalembert.arguments import real
from dalembert.equations.contract.checks import check, singular_position
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, normalised, rate_index, rate_name
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.dynamics import motion, vectors
from dalembert.errors import ConstraintError, EquationsError, StateError
from dalembert.instant import State

_ITERATIONS = 60
#: Part of the usual size that velocities without mass are weighed with.
_TRACE = 1e-6
#: Residuals are judged beside the sizes of their terms; and what rounding leaves of terms that cancel.
_JUDGED, _ROUNDING = 1e-9, 1e-13
Names = Sequence[str | int]


def listed(names: Names | str | int, what: str) -> tuple[str | int, ...]:
    """Names as a tuple; one string is one name."""
    return (names,) if isinstance(names, (str, int, np.integer)) else items_of(names, what, StateError)


def assemble(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    t: float,
    held: Names,
    held_velocities: Names | None,
    parameters: Mapping[str, Any] | None,
    redundant: str,
    lam: Any = None,
    smooth: Any = False,
) -> State:
    """See :meth:`Equations.assemble`."""
    v, rates = split_rates(equations, v)
    q, v, u = vectors(equations, q=q, v=v, u=u)
    p = equations.parameter_vector(parameters)
    fixed = held_coordinates(equations, t, q, p, held)
    q = normalised(equations, t, q, p)
    lam = None if lam is None else equations.vector("lam", lam)
    point = Evaluation(equations, t, q, v, u, p, lam)
    if point.large:  # corrections of large systems need all their rows
        check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant, lam=lam)
    point = close(point, fixed)
    q = point.q
    if held_velocities is None:
        kept = [("v", i) if equations.unit_T else ("q", i) for i in fixed]
    else:
        kept = [rate_index(equations, name) for name in listed(held_velocities, f"'{equations.name}': held_velocities")]
    v = consistent_velocities(point, v, [*kept, *rates], rates)
    found = check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant, lam=lam)
    if found.momentary and redundant != "accept":
        raise ConstraintError(
            f"{singular_position(equations, found.momentary)}. Motions branch there, or there is none, and constraints "
            "do not say how it goes on: start elsewhere"
        )
    a, lam = motion(Evaluation(equations, t, q, v, u, p, lam))
    return smooth_start(equations, State(t, q, v, a, lam, u), smooth, held, parameters)


def smooth_start(
    equations: Equations, state: State, smooth: Any, held: Names, parameters: Mapping[str, Any] | None
) -> State:
    """A start as it is, or on the smooth motion near it, if that is asked for."""
    if smooth is False:
        return state
    from dalembert.equations.smooth.partition import partition_of

    return partition_of(equations, smooth, parameters).start(state, held=held)


def split_rates(equations: Equations, v: Any) -> tuple[Any, dict[tuple[str, int], float]]:
    """Velocities by name, and apart from them given rates of coordinates that have no velocity of their own."""
    if not isinstance(v, Mapping):
        return v, {}
    rates: dict[tuple[str, int], float] = {}
    own: dict[str, Any] = {}
    for name, value in v.items():
        key, i = rate_index(equations, name)
        if key == "q":
            rates[key, i] = real(value, f"'{equations.name}': v '{name}'", StateError)
        else:
            own[equations.names["v"][i]] = value
    return equations.vector("v", own), rates


def held_coordinates(equations: Equations, t: float, q: Floats, p: Floats, held: Names) -> dict[int, float]:
    """Coordinates that keep their values, and which: the values given, unless these break an invariant.

    An entry of four Euler parameters that are not of length one keeps its normalised value; an angle that is only read
    off from the orientation, which shows in that its normalised value does not depend on itself, keeps the given one.
    """
    fixed = {i: float(q[i]) for i in (equations.index("q", name) for name in listed(held, f"'{equations.name}': held"))}
    if equations.normalizes and fixed:
        found = normalised(equations, t, q, p)
        for i in fixed:
            moved = np.array(q)
            moved[i] += 1e-3
            if abs(normalised(equations, t, moved, p)[i] - found[i]) > 1e-9:
                fixed[i] = float(found[i])
    return fixed


def correction(
    point: Evaluation, name: str, residual: Floats, free: NDArray[Any] | None = None, rows: Floats | None = None
) -> Floats:
    """Smallest δ with (matrix δ) = −residual that moves only free velocities, measured by M.

    ``rows`` are further rows of the matrix, below those of the contract's.
    """
    n = point.equations.sizes.v
    free = np.arange(n) if free is None else free
    delta = np.zeros(n)
    if not residual.size or not free.size:
        return delta
    if not point.large:
        matrix = point.matrix(name) if rows is None else np.concatenate([point.matrix(name), rows])
        inverse = inverse_root(point, free)
        matrix = matrix[:, free] @ inverse
        # Rows have different units, and come to the same length.
        with np.errstate(over="ignore", invalid="ignore"):
            size = np.linalg.norm(matrix, axis=1)
            scale = 1.0 / np.where(size > 0, size, 1.0)
            scaled = scale[:, None] * matrix
        if not np.isfinite(scaled).all():
            largest = max(np.abs(part).max(initial=0.0) for part in (point.q, point.v, residual))
            raise StateError(
                f"'{point.equations.name}': the constraints cannot be solved with numbers as large as {largest:.3g} "
                "among coordinates, velocities and residuals; give values that the mechanism can have"
            )
        delta[free] = inverse @ np.linalg.lstsq(scaled, -scale * residual, rcond=1e-10)[0]
        return delta
    import scipy.sparse
    import scipy.sparse.linalg

    matrix = point.sparse(name)
    if rows is not None and len(rows):
        matrix = scipy.sparse.vstack([matrix, scipy.sparse.csc_array(rows)], format="csc")
    # Velocities by the roots of their inertias, rows of length one.
    root = scipy.sparse.diags_array(1.0 / np.sqrt(point.metric[free]))
    part = scipy.sparse.csr_array(scipy.sparse.csc_array(matrix)[:, free] @ root)
    size = np.sqrt(np.asarray((part * part).sum(axis=1)).reshape(-1))
    scale = 1.0 / np.where(size > 0, size, 1.0)
    part = scipy.sparse.diags_array(scale) @ part
    M = point.sparse("M")
    M = M + scipy.sparse.diags_array(_added_inertia(point, M.diagonal()))
    inertia = root @ scipy.sparse.csc_array(M)[:, free][free, :] @ root
    # Rows that coordinates are held by may depend on others; what is subtracted keeps the factors finite.
    none = -1e-13 * scipy.sparse.eye_array(len(residual))
    factors = scipy.sparse.linalg.splu(scipy.sparse.block_array([[inertia, part.T], [part, none]], format="csc"))
    left = -scale * residual
    for _ in range(3):
        step = factors.solve(np.concatenate([np.zeros(len(free)), left]))[: len(free)]
        delta[free] += root @ step
        left = left - part @ step
    return delta


def _added_inertia(point: Evaluation, inertias: Floats) -> Floats:
    """What makes M regular; where there is no mass at all only a trace, as what has none shall not hold back what has
    some (parameters of surfaces, beside a vehicle)."""
    return np.maximum(np.where(inertias > 0.0, 1.0, _TRACE) * point.metric - inertias, 0.0)


def inverse_root(point: Evaluation, free: NDArray[Any]) -> Floats:
    """L⁻ᵀ of M = L Lᵀ for the free velocities: the same start, whatever coordinates it is looked for in; with a little
    more than M where that is singular."""
    M = point.matrix("M")
    more = _added_inertia(point, np.diag(M))[free]
    M = M[np.ix_(free, free)]
    try:
        root = np.linalg.cholesky(M + np.diag(more))
    except np.linalg.LinAlgError:
        return np.diag(1.0 / np.sqrt(point.metric[free]))
    return np.linalg.inv(root).T


def close(point: Evaluation, fixed: Mapping[int, float]) -> Evaluation:
    """Close the loops: damped Gauss–Newton on g, with some coordinates at given values."""
    equations, t = point.equations, point.t
    unit, targets = equations.unit_T, np.array(list(fixed.values()))
    places = np.array(list(fixed), dtype=int)
    free = np.delete(np.arange(equations.sizes.v), places) if unit else np.arange(equations.sizes.v)
    held: list[tuple[str, int]] = [] if unit else [("q", i) for i in fixed]
    if not equations.sizes.g and not held:
        return point

    def residual(at: Evaluation) -> Floats:
        return at.values["g"] if unit else np.concatenate([at.values["g"], at.q[places] - targets])

    scales = point.scales
    wide = point.position_sizes if unit else np.concatenate([point.position_sizes, scales.q[places]])
    size = float(np.linalg.norm(residual(point) / wide))
    for _ in range(_ITERATIONS):
        step = correction(point, "C", residual(point), free, point.directions(held))
        moved = point.times("T", step)
        largest = scales.largest(moved, point.q)
        if largest <= 1e-15:
            break
        factor = 1.0
        while True:
            try:
                q = normalised(equations, t, point.q + factor * moved, point.p)
                trial = point.elsewhere(q)
            except EquationsError:  # something is not finite there
                if factor < 1e-3:
                    raise
                factor *= 0.5
                continue
            new = float(np.linalg.norm(residual(trial) / wide))
            if new <= (1.0 - 0.1 * factor) * size or factor < 1e-3 or largest * factor < 1e-9:
                break
            factor *= 0.5
        if new > size and largest * factor < 1e-9:
            break  # rounding: no better point is to be had
        point, size = trial, new
        if largest * factor <= 1e-14:
            break
    _judge(equations, point.values["g"], point.position_sizes, "position", bool(fixed))
    missed = np.abs(point.q[places] - targets)
    if (missed > 1e-9 * (scales.q[places] + np.abs(targets))).any():
        i = int(np.argmax(missed))
        raise ConstraintError(
            f"'{equations.name}' cannot be assembled: the coordinate {equations.names['q'][places[i]]} is held at "
            f"{targets[i]:.6g}, but cannot come nearer than {point.q[places[i]]:.6g}; hold fewer coordinates"
        )
    if missed.any():  # rounding only
        q = np.array(point.q)
        q[places] = targets
        point = point.elsewhere(q)
    return point


def consistent_velocities(
    point: Evaluation, v: Floats, kept: Sequence[tuple[str, int]], rates: Mapping[tuple[str, int], float]
) -> Floats:
    """Velocities that satisfy the constraints, near to v; what is ``kept`` stays, ``rates`` are reached."""
    equations = point.equations
    columns = [i for key, i in kept if key == "v"]
    free = np.delete(np.arange(equations.sizes.v), np.array(columns, dtype=int))
    others = [rate for rate in kept if rate[0] == "q"]
    rows = point.directions(others)
    now = rows @ v
    targets = np.array([rates.get(rate, now[k]) for k, rate in enumerate(others)])
    residual = np.concatenate([point.values["gI"] + point.times("G", v), now - targets])
    before, v = v, v + correction(point, "G", residual, free, rows)
    if point.scales.rate(v) <= _ROUNDING * point.scales.rate(before) and not point.values["gI"].any():
        v = np.zeros(len(v))  # what constraints do not let move at all
    residual = point.values["gI"] + point.times("G", v)
    sizes = point.velocity_sizes(v) + _ROUNDING / _JUDGED * point.velocity_sizes(before)
    _judge(equations, residual, sizes, "velocity", bool(kept))
    missed = np.abs(rows @ v - targets)
    if (missed > 1e-9 * (np.abs(rows) @ point.scales.v * point.scales.rate(v) + np.abs(targets))).any():
        i = int(np.argmax(missed))
        raise ConstraintError(
            f"'{equations.name}' cannot be assembled: {rate_name(equations, others[i])} is held at {targets[i]:.6g}, "
            f"but cannot come nearer than {(rows @ v)[i]:.6g}; hold fewer velocities"
        )
    return v


def _judge(equations: Equations, residual: Floats, scale: Floats, level: str, held: bool) -> None:
    bad = np.abs(residual) > _JUDGED * scale
    if bad.any():
        i = int(np.argmax(np.abs(residual) / np.maximum(scale, 1e-300)))
        advice = (
            "hold fewer coordinates" if held else "start nearer to a configuration that satisfies it, or check its data"
        )
        error = ConstraintError(
            f"'{equations.name}' cannot be assembled: the {level} constraint {equations.names['lam'][i]} keeps a "
            f"residual of {residual[i]:.3g}; {advice}"
        )
        error.row, error.residual = equations.names["lam"][i], float(residual[i])
        raise error
