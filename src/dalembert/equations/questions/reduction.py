"""The equations linearised on the null space of the constraints.

Variations of a motion satisfy the linearised equations

    δq̇ = ∂(T v)/∂q δq + T δv,                        0 = ∂g/∂q δq,   0 = V δq + G δv,   V = ∂(G v + gI)/∂q
    0 = ∂r/∂q δq + ∂r/∂v δv + M δa + ∂r/∂λ δλ + ∂r/∂u δu,            r = M a − f + Gᵀλ
    G δa = −(V̇ δq + V δq̇ + Ġ δv)

with exact derivatives of the program "implicit", and rates Ṫ, Ġ, V̇ along the motion.  Variations of positions are
δq = T δπ with quasi-coordinates π, rotations about the axes of a body for instance: their coefficients are constant in
steady motions where those of Euler parameters are not.  They obey

    δπ̇ = δv + S δπ,   T S = ∂(T v)/∂q T − Ṫ,

where T lets q move in a manifold of as many dimensions as there are velocities.  Where it does not (velocities that
satisfy nonholonomic constraints by themselves), entries of δq are used.

Null spaces are described by independent entries: x of δπ, y of δv.  As these entries are the same at all times, their
rates need no derivative of the basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Derivatives, Evaluation, rate_index, rate_name
from dalembert.equations.contract.expressions import Expressions
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import dependent_rows
from dalembert.equations.questions.corners import Corners, derivatives_at
from dalembert.equations.questions.dynamics import motion, solution
from dalembert.equations.questions.forcing import Forcing
from dalembert.errors import EquationsError, StateError

Rate = tuple[str, int]
_STEP = 1e-3
#: Entries that vary along the motion as fast as it goes count so much less.
_VARYING = 1e3


@dataclass(frozen=True)
class Selection:
    """Independent entries of variations: of π, or of q where ``quasi`` is false, and of velocities."""

    quasi: bool
    positions: tuple[Rate, ...]
    velocities: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reduction:
    """ż = A z + B τ for z = (x, y, δu), and what z means for all coordinates."""

    selection: Selection
    A: Floats
    B: Floats
    q: Floats  # δq = q z
    v: Floats
    a: Floats
    lam: Floats
    M: Floats  # of y
    a_of_inputs: Floats  # δa = … τ
    lam_of_inputs: Floats
    corners: Corners  # of laws at this point


def reduce(
    point: Evaluation,
    *,
    preferred: Sequence[str | int] = (),
    forcing: Forcing | None = None,
    locked: Sequence[int] = (),
    selection: Selection | None = None,
    side: str = "mean",
    constant: bool = False,
) -> Reduction:
    """The linear system at one point; coordinates that are ``locked`` do not move, by forces of their own.  ``side``
    says which derivatives count at corners of laws.  ``constant`` avoids independent entries whose part in the
    constraints varies along the motion, such as those in the axes of a wheel that rolls."""
    equations = point.equations
    around = _Surroundings.of(point, locked, side)
    wanted = list(dict.fromkeys(rate_index(equations, name) for name in preferred))
    if selection is None:
        on_positions = [rate for rate in wanted if around.quasi or rate[0] == "q"]
        on_velocities = [i for key, i in wanted if key == "v"]
    else:
        on_positions, on_velocities = list(selection.positions), list(selection.velocities)
    ease = around.constancy(rate_along(point, around.a)) if constant else np.ones(equations.sizes.v)
    positions = _positions(point, around, on_positions, ease)
    velocities = _velocities(point, around, positions, on_velocities, ease)

    z = _variations(around, positions, velocities, equations.sizes.u)
    onto = np.zeros((equations.sizes.v, 0)) if forcing is None else forcing.forces
    directly = np.zeros((equations.sizes.u, 0)) if forcing is None else forcing.rates
    n = z.q.shape[1]
    a, lam = _accelerations(point, around, z, onto, deficient=len(around.G) > equations.sizes.v - velocities.Z.shape[1])
    pi_rate, by = z.v + around.S @ positions.N_of(n) if around.quasi else z.v, around.at.block
    rates = {"v": pi_rate, "q": z.q_rate}
    x_rate = np.array([rates[key][i] for key, i in positions.entries]).reshape(len(positions.entries), n)
    u_rate = by("d", "q") @ z.q + by("d", "v") @ z.v + by("d", "lam") @ lam[:, :n] + by("d", "u") @ z.u
    y, M = velocities.entries, by("residual", "a")
    return Reduction(
        Selection(around.quasi, tuple(positions.entries), tuple(y)),
        np.concatenate([x_rate, a[y, :n], u_rate]),
        np.concatenate([np.zeros((len(x_rate), onto.shape[1])), a[y, n:], directly + by("d", "lam") @ lam[:, n:]]),
        z.q, z.v, a[:, :n], lam[:, :n], velocities.Z.T @ M @ velocities.Z,
        a[:, n:], lam[:, n:], around.corners,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """Derivatives at a point, with locked coordinates as further constraints q_i = constant."""

    at: Derivatives
    T: Floats
    spin: Floats  # ∂(T v)/∂q
    G: Floats
    V: Floats  # ∂(G v + gI)/∂q
    G_rate: Floats
    V_rate: Floats
    C: Floats
    gradient: Floats  # ∂g/∂q
    force_q: Floats  # ∂r/∂q
    quasi: bool
    S: Floats  # of δπ̇ = δv + S δπ
    locked: list[int]
    corners: Corners
    a: Floats

    @classmethod
    def of(cls, point: Evaluation, locked: Sequence[int], side: str) -> _Surroundings:
        equations, rows = point.equations, list(locked)
        accelerations, lam, nu = locked_motion(point, locked)
        at, corners = derivatives_at(point, accelerations, lam, rate_along(point, accelerations), side)
        T, spin, force_q = point.matrix("T"), at.block("qdot", "q"), at.block("residual", "q")
        T_rate, spin_rate, G_rate, V_rate = along_motion(point, accelerations)
        n_v = equations.sizes.v
        quasi, S = (True, np.zeros((n_v, n_v))) if equations.unit_T else _structure(T, spin, T_rate)
        return cls(
            at, T, spin,
            G=np.concatenate([point.matrix("G"), T[rows]]), V=np.concatenate([at.block("gv", "q"), spin[rows]]),
            G_rate=np.concatenate([G_rate, T_rate[rows]]), V_rate=np.concatenate([V_rate, spin_rate[rows]]),
            C=np.concatenate([point.matrix("C"), T[rows]]),
            gradient=np.concatenate([at.block("g", "q"), np.eye(len(T))[rows]]),
            force_q=force_q + bend(point, locked, nu) if rows else force_q,  # nu: the multipliers of locked coordinates
            quasi=quasi, S=S, locked=rows, corners=corners, a=accelerations,
        )  # fmt: skip

    def constancy(self, rate: float) -> Floats:
        """Weights of velocities: less than 1 for those whose part in the constraints varies along the motion."""
        varies, size = np.linalg.norm(self.G_rate, axis=0), np.linalg.norm(self.G, axis=0)
        return 1.0 / (1.0 + _VARYING * varies / np.where(size > 0.0, rate * size, 1.0))


@dataclass(frozen=True, eq=False)
class _Positions:
    """Variations of positions by independent entries x: δπ, or δq where there are no quasi-coordinates, is N x."""

    entries: list[Rate]
    N: Floats
    q: Floats  # δq = q x

    def N_of(self, n: int) -> Floats:
        """N, with columns for all of z."""
        return np.concatenate([self.N, np.zeros((len(self.N), n - self.N.shape[1]))], axis=1)


@dataclass(frozen=True, eq=False)
class _Velocities:
    """Variations of velocities by those of positions and independent entries y: δv = W x + Z y."""

    entries: list[int]
    W: Floats
    Z: Floats


@dataclass(frozen=True, eq=False)
class _Variations:
    """What z = (x, y, δu) means: δq = q z, and so on."""

    q: Floats
    v: Floats
    u: Floats
    q_rate: Floats


def _positions(point: Evaluation, around: _Surroundings, preferred: Sequence[Rate], ease: Floats) -> _Positions:
    T, root = around.T, np.sqrt(point.metric)
    if around.quasi:
        N = orthonormal_null_space(around.C / root) / root[:, None]
        further = [rate for rate in preferred if rate[0] == "q"]
        candidates: list[Rate] = [*(("v", k) for k in range(T.shape[1])), *further]
        weights = np.concatenate([root * ease, [1.0] * len(further)])
        entries = point.directions(candidates) @ N
    else:
        size = point.scales.q
        N = size[:, None] * orthonormal_null_space(np.concatenate([around.gradient, _invariants(point)]) * size)
        candidates, weights = [("q", i) for i in range(len(T))], 1.0 / size
        entries = N
    x = _choose(point.equations, weights[:, None] * entries, candidates, preferred)
    N = N @ np.linalg.inv(entries[x])
    return _Positions([candidates[k] for k in x], N, T @ N if around.quasi else N)


def _velocities(
    point: Evaluation, around: _Surroundings, positions: _Positions, preferred: Sequence[int], ease: Floats
) -> _Velocities:
    root = np.sqrt(point.metric)
    Z = orthonormal_null_space(around.G / root) / root[:, None]
    names: list[Rate] = [("v", k) for k in range(len(root))]
    y = _choose(point.equations, (root * ease)[:, None] * Z, names, [("v", k) for k in preferred])
    Z = Z @ np.linalg.inv(Z[y])
    scaled = around.G / root
    size = np.linalg.norm(scaled, axis=1)
    row = 1.0 / np.where(size > 0, size, 1.0)[:, None]  # rows have different units
    W = np.linalg.lstsq(row * scaled, -row * (around.V @ positions.q), rcond=1e-10)[0] / root[:, None]
    return _Velocities(y, W - Z @ W[y], Z)


def _variations(around: _Surroundings, positions: _Positions, velocities: _Velocities, n_u: int) -> _Variations:
    n_x, n_y, (n_q, n_v) = len(positions.entries), len(velocities.entries), around.T.shape
    q = np.concatenate([positions.q, np.zeros((n_q, n_y + n_u))], axis=1)
    v = np.concatenate([velocities.W, velocities.Z, np.zeros((n_v, n_u))], axis=1)
    u = np.concatenate([np.zeros((n_u, n_x + n_y)), np.eye(n_u)], axis=1)
    return _Variations(q, v, u, around.spin @ q + around.T @ v)


def _accelerations(
    point: Evaluation, around: _Surroundings, z: _Variations, onto: Floats, deficient: bool
) -> tuple[Floats, Floats]:
    """Variations of accelerations and multipliers: columns for z, then for forces ``onto`` velocities."""
    by, G, s = around.at.block, around.G, point.equations.sizes
    right = -np.concatenate([
        around.force_q @ z.q + by("residual", "v") @ z.v + by("residual", "u") @ z.u,
        around.V_rate @ z.q + around.V @ z.q_rate + around.G_rate @ z.v,
    ])  # fmt: skip
    pushed = np.concatenate([onto, np.zeros((len(G), onto.shape[1]))])
    across = np.concatenate([by("residual", "lam"), around.T[around.locked].T], axis=1)
    matrix = np.block([[by("residual", "a"), across], [G, np.zeros((len(G), len(G)))]])
    answer = solution(matrix, np.concatenate([right, pushed], axis=1), s.v, deficient)
    return answer[: s.v], answer[s.v : s.v + s.lam]


def locked_motion(point: Evaluation, locked: Sequence[int]) -> tuple[Floats, Floats, Floats]:
    """Accelerations, multipliers, and the forces that keep coordinates at rest."""
    if not locked:
        return *motion(point), np.zeros(0)
    s, lam, nu = point.equations.sizes, np.array(point.lam), np.zeros(len(locked))
    M, rows = point.matrix("M"), point.directions([("q", i) for i in locked])
    G = np.concatenate([point.matrix("G"), rows])
    at_rest = np.concatenate([point.values["gamma"], np.zeros(len(rows))])
    deficient = bool(dependent_rows(G * point.scales.v))
    for _ in range(30):
        values = point.forces(lam)
        F = np.concatenate([point.patterns["F"].dense(values["F"]), np.zeros((s.v, len(rows)))], axis=1)
        matrix = np.block([[M, G.T - F], [G, np.zeros((len(G), len(G)))]])
        x = solution(
            matrix, np.concatenate([values["f"] - F[:, : s.lam] @ lam, at_rest]), s.v, deficient
        )  # fmt: skip
        before, lam, nu = lam, x[s.v : s.v + s.lam], x[s.v + s.lam :]
        if not values["F"].size or np.max(np.abs(lam - before)) <= 1e-12 * np.max(np.abs(lam)):
            return x[: s.v], lam, nu
    raise EquationsError(f"'{point.equations.name}': multipliers were not found: f depends too strongly on lam")


def bend(point: Evaluation, places: Sequence[int], nu: Floats) -> Floats:
    """∂(Tᵀν)/∂q for forces ν on some coordinates; T v is linear in v, so unit velocities give it exactly."""
    equations = point.equations
    result = np.zeros((equations.sizes.v, equations.sizes.q))
    if equations.unit_T:
        return result
    pattern = point.patterns["T"]
    still = np.zeros(equations.sizes.v), point.lam
    for k in np.unique(pattern.columns[np.isin(pattern.rows, list(places))]).tolist():
        unit = np.zeros(equations.sizes.v)
        unit[k] = 1.0
        at = Derivatives(equations, point.t, point.q, unit, *still, point.u, point.p)
        result[k] = nu @ at.sparse("qdot", "q").toarray()[list(places)]
    return result


def orthonormal_null_space(matrix: Floats) -> Floats:
    """Columns that all rows leave free; rows count equally."""
    if not len(matrix):
        return np.eye(matrix.shape[1])
    size = np.linalg.norm(matrix, axis=1)
    _, values, Vt = np.linalg.svd(matrix / np.where(size > 0, size, 1.0)[:, None])
    rank = int(np.sum(values > 1e-9 * max(1.0, values[0]))) if values.size else 0
    return Vt[rank:].T


def _choose(equations: Equations, rows: Floats, names: Sequence[Rate], preferred: Sequence[Rate]) -> list[int]:
    """Rows that make up a well-conditioned square matrix; the preferred ones first."""
    import scipy.linalg

    count = rows.shape[1]
    chosen: list[int] = []
    left = np.array(rows)
    for rate in preferred:
        if len(chosen) == count:
            break
        k = names.index(rate)
        size = np.linalg.norm(left[k])
        if size <= 1e-8 * max(float(np.linalg.norm(rows[k])), 1e-300):
            raise StateError(
                f"'{equations.name}': {rate_name(equations, rate)} is not independent"
                + (f" of {', '.join(rate_name(equations, names[i]) for i in chosen)}" if chosen else " here")
                + "; choose another one"
            )
        chosen.append(k)
        direction = left[k] / size
        left = left - np.outer(left @ direction, direction)
    if len(chosen) < count:
        _, _, order = scipy.linalg.qr(left.T, mode="economic", pivoting=True)
        chosen += [int(k) for k in order if int(k) not in chosen][: count - len(chosen)]
    return chosen if preferred else sorted(chosen)


def _structure(T: Floats, spin: Floats, T_rate: Floats) -> tuple[bool, Floats]:
    """S of T S = ∂(T v)/∂q T − Ṫ, and whether there is one."""
    right = spin @ T - T_rate
    S: Floats = np.linalg.lstsq(T, right, rcond=1e-10)[0].astype(float)
    size = float(np.max(np.abs(right), initial=0.0)) + float(np.max(np.abs(T_rate), initial=0.0))
    noise = 1e-11 * float(np.max(np.abs(T), initial=0.0))  # what differences leave of T
    return float(np.max(np.abs(T @ S - right), initial=0.0)) <= 1e-8 * size + noise, S


def _invariants(point: Evaluation) -> Floats:
    """Rows that vanish on variations of q that keep its invariants."""
    equations = point.equations
    if not equations.normalizes:
        return np.zeros((0, equations.sizes.q))
    x = equations.innermost.expressions
    if x is None or x.normal is None:
        raise EquationsError(
            f"'{equations.name}': q has invariants, and its velocities satisfy nonholonomic constraints by themselves; "
            "write these constraints as rows of G, or trace the equations"
        )
    from dalembert.symbolic import compile, jacobian

    function = compile({"J": jacobian(x.normal, x.inputs["q"])}, {key: x.inputs[key] for key in ("p", "t", "q")})
    return np.asarray(function(p=point.p, t=np.array([point.t]), q=point.q)["J"]) - np.eye(equations.sizes.q)


def along_motion(point: Evaluation, a: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Rates along the motion of T, ∂(T v)/∂q, G and ∂(G v + gI)/∂q.

    Exact for traced equations; for others the exact first derivatives are differenced along the motion.  At rest, where
    nothing depends on time, all of them are zero.
    """
    equations, s = point.equations, point.equations.sizes
    velocity = point.times("T", point.v)
    if not point.v.any() and not a.any():
        now = _first_derivatives(point, 0.0, velocity, a)
        if all(np.array_equal(_first_derivatives(point, h, velocity, a), now) for h in (_STEP, -2.1 * _STEP)):
            return tuple(np.zeros_like(part) for part in _parts(now, s.q, s.v))  # type: ignore[return-value]
    x = equations.innermost.expressions
    if x is not None:
        program = equations.kept("rates along the motion", lambda: _rates_program(x))
        inputs = {"p": point.p, "t": np.array([point.t]), "q": point.q, "v": point.v, "a": a}
        return _parts(np.asarray(program(**inputs)["rates"]), s.q, s.v)
    # What is differenced already needs a wider step.
    first = 10 * _STEP if isinstance(equations.innermost, WithCallbacks) else _STEP
    h = first / rate_along(point, a)
    total = np.zeros((s.q + s.lam, s.q + s.v))
    for k, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        ahead, behind = (_first_derivatives(point, sign * k * h, velocity, a) for sign in (1, -1))
        total += weight / (60 * h) * (ahead - behind)
    return _parts(total, s.q, s.v)


def rate_along(point: Evaluation, a: Floats) -> float:
    """How fast a motion changes, beside the sizes that there are: an inverse time; 1 at rest."""
    scales = point.scales
    return max(scales.rate(point.v), scales.rate(a) ** 0.5, point.drive_rate) or 1.0


def state_sizes(point: Evaluation, selection: Selection, rate: float) -> Floats:
    """Sizes of independent coordinates, velocities and external states; of the latter nothing is known."""
    q, v = point.scales.q, point.scales.v
    positions = [(v if key == "v" else q)[i] for key, i in selection.positions]
    return np.array([*positions, *(rate * v[list(selection.velocities)]), *np.ones(point.equations.sizes.u)])


def term_sizes(point: Evaluation, selection: Selection, a: Floats, A: Floats) -> Floats:
    """How large terms may be that entries of A are sums of, where these may cancel: gravity of a balanced rotor, or
    gravity and rotation at a critical speed.  Of external states nothing is known."""
    scales, metric, n = point.scales, point.metric, len(A) - point.equations.sizes.u
    inertia = metric * scales.v**2
    heavy = inertia > 1e-6 * np.max(inertia, initial=0.0)  # what has hardly any mass says nothing
    pull = max(scales.rate(np.where(heavy, point.values["f"] / metric, 0.0)), scales.gravity)
    rate = max(scales.rate(point.v), scales.rate(a) ** 0.5, point.drive_rate, pull**0.5)
    sizes = np.zeros_like(A)
    if rate:
        unit = state_sizes(point, selection, rate)[:n]
        sizes[:n, :n] = rate * unit[:, None] / unit
    return sizes


def _first_derivatives(point: Evaluation, h: float, velocity: Floats, a: Floats) -> Floats:
    """Derivatives of T v and G v + gI by q and v, a little later."""
    equations = point.equations
    zero = np.zeros(equations.sizes.v), point.lam
    at = Derivatives(
        equations, point.t + h, point.q + h * velocity, point.v + h * a, *zero, point.u, point.p
    )  # fmt: skip
    return np.block([[at.block(row, column) for column in ("q", "v")] for row in ("qdot", "gv")])


def _parts(rates: Floats, n_q: int, n_v: int) -> tuple[Floats, Floats, Floats, Floats]:
    return rates[:n_q, n_q:], rates[:n_q, :n_q], rates[n_q:, n_q:], rates[n_q:, :n_q]


def _rates_program(x: Expressions) -> Any:
    """Rates of the first derivatives of T v and G v + gI, on atoms."""
    from dalembert.symbolic import array, compile, derivative, directional_derivative, jacobian

    q, v, a, t = x.inputs["q"], x.inputs["v"], x.inputs["a"], x.inputs["t"][0]
    motion_of = array([*q, *v])
    first = jacobian(array([*x.q_rate, *x.velocity_constraints]), motion_of)
    rates = directional_derivative(first, motion_of, array([*x.q_rate, *a])) + derivative(first, t)
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "a")}
    return compile({"rates": array(rates)}, inputs, name="rates")
