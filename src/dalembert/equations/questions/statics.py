"""Static equilibria.

An equilibrium satisfies

    g(t, q) = 0,   f(q, 0, λ, u) = Gᵀλ,   d = 0.

Newton's step (δπ, δλ, δu) with δq = T δπ solves the linearised equations with exact derivatives; positions then return
to the constraints, and the multipliers are those that leave the smallest accelerations a, which are what remains to be
balanced.  Two ways to go far:

- damped: steps are shortened until the accelerations shrink, which leads to the equilibrium next to the start;
- descent: (K + σM) δπ = M a with σ so large that forces do positive work along the step.  Large σ follows the pull of
  the forces like a heavily damped motion, small σ is Newton's step, so it ends at stable equilibria.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.contract.checks import check
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Derivatives, Evaluation, normalised
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.rank import dependent_rows
from dalembert.equations.questions.assembly import Names, close, held_coordinates
from dalembert.equations.questions.corners import derivatives_at
from dalembert.equations.questions.dynamics import motion, solution, vectors
from dalembert.equations.questions.linearisation import held_controllers, noise_of, spectrum
from dalembert.equations.questions.reduction import bend, orthonormal_null_space, rate_along, reduce, term_sizes
from dalembert.equations.questions.steady import steady_motion
from dalembert.errors import ConstraintError, EquationsError, ModelWarning, warn_caller
from dalembert.instant import State

_ITERATIONS = 100
_DESCENT = 400
#: No coordinate moves by more than this part of its size in a step.
_FARTHEST = 0.4
#: Steps that are shorter go along coordinates, and those that lead beyond all sizes.
_SHORT, _LONG = 1e-4, 10.0
#: Parts of a step along which a motion without forces is followed, by their largest displacement; and of one by which
#: T is differenced.
_CARRIED, _DIFFERENCE = 0.1, 1e-4
#: Parts of the largest stiffness, and of all forces, below which there is none.
_LOOSE = 1e-9


def equilibrium(
    equations: Equations,
    q: Any,
    v: Any,
    u: Any,
    *,
    velocities: Mapping[str, float | None] | None,
    held: Names,
    stable: bool,
    t: float,
    parameters: Mapping[str, Any] | None,
    redundant: str,
    side: str,
) -> State:
    """See :meth:`Equations.equilibrium`."""
    q, guess, u = vectors(equations, q=q, v=v, u=u)
    if velocities is None and guess.any():
        name = equations.names["v"][int(np.argmax(np.abs(guess)))]
        raise EquationsError(
            f"'{equations.name}': {name} is not zero. For an equilibrium at rest give positions alone: "
            "equilibrium(state.q, u=state.u); for a steady motion name all independent velocities: "
            "velocities={…: value, or None to be found}"
        )
    p = equations.parameter_vector(parameters)
    fixed = held_coordinates(equations, t, q, p, held)
    q, v = normalised(equations, t, q, p), np.zeros(equations.sizes.v)
    start = Evaluation(equations, t, q, v, u, p)
    if start.large:  # corrections of large systems need all their rows
        check(equations, q, v, u, t=t, parameters=parameters, redundant=redundant)
    start = close(start, fixed)
    check(equations, start.q, v, u, t=t, parameters=parameters, redundant=redundant)
    if velocities is None:
        found = _at_rest(start, fixed, stable, side)
    else:
        if stable:
            raise EquationsError(
                f"'{equations.name}': stable=True is for equilibria at rest; ask linearise(…).stable of a steady motion"
            )
        found = steady_motion(start, fixed, velocities, guess, side)
    check(equations, found.q, found.v, found.u, t=t, parameters=parameters, redundant=redundant)
    a, lam = motion(found)
    if samplers := equations.samplers:
        warn_caller(f"'{equations.name}': {held_controllers([one.name for one in samplers])}", ModelWarning)
    return State(t, found.q, found.v, a, lam, found.u)


# -------------------------------------------------------------------------------------------------------------- at rest


@dataclass(eq=False)
class _Balance:
    """A closed position at rest, and what is not balanced there: accelerations and rates of external states."""

    point: Evaluation
    a: Floats
    lam: Floats
    nu: Floats  # forces on held coordinates
    d: Floats
    side: str  # which derivatives count at corners of laws
    stiffness: Any = None  # once it is known

    @cached_property
    def derivatives(self) -> Derivatives:
        point = self.point
        still = np.zeros(point.equations.sizes.v)
        return derivatives_at(point, still, self.lam, rate_along(point, self.a), self.side)[0]

    @property
    def unrest(self) -> float:
        """Size of what is not balanced, in the metric of M."""
        return float(np.sqrt(max(float(self.a @ self.point.times("M", self.a)), 0.0) + float(self.d @ self.d)))

    @property
    def pull(self) -> float:
        """Largest acceleration beside the sizes that there are: the square of an inverse time."""
        return self.point.scales.rate(self.a)

    def balanced(self) -> bool:
        """Whether it is balanced to rounding: forces beside those that add up to it."""
        point = self.point
        root = np.sqrt(point.metric)
        reactions: Any = abs(point.sparse("G")).T @ np.abs(self.lam)
        size = (np.abs(point.forces(self.lam)["f"]) + np.asarray(reactions)) / root
        left = np.abs(point.times("M", self.a)) / root
        return bool(left.max() <= 1e-10 * max(float(size.max()), 1e-300)) and bool(
            np.max(np.abs(self.d), initial=0.0) <= 1e-10 * (1.0 + np.max(np.abs(point.u), initial=0.0))
        )


class _Rest:
    """Equations of equilibria with some coordinates held."""

    def __init__(self, fixed: Mapping[int, float], side: str) -> None:
        self.fixed, self.side = fixed, side
        self.held = [("q", i) for i in fixed]

    def _rows(self, point: Evaluation) -> Any:
        """G, and below it the rows of held coordinates; motions must keep all of these."""
        import scipy.sparse

        G = point.sparse("G")
        return scipy.sparse.vstack([G, scipy.sparse.csc_array(point.directions(self.held))]) if self.held else G

    def balance(self, point: Evaluation) -> _Balance:
        s, rows = point.equations.sizes, self._rows(point)
        lam, nu = np.array(point.lam), np.zeros(len(self.held))
        for _ in range(30):
            values = point.forces(lam)
            F = point.patterns["F"].dense(values["F"]) if values["F"].size else None
            top = np.concatenate([values["f"] - (F @ lam if F is not None else 0.0), np.zeros(rows.shape[0])])
            x = _solve(point, point.sparse("M"), rows, F, None, top)
            before, lam, nu = lam, x[s.v : s.v + s.lam], x[s.v + s.lam :]
            if F is None or np.max(np.abs(lam - before), initial=0.0) <= 1e-12 * np.max(np.abs(lam), initial=0.0):
                break
        return _Balance(point, x[: s.v], lam, nu, point.forces(lam)["d"], self.side)

    def _stiffness(self, at: _Balance) -> Any:
        """∂(Gᵀλ − f)/∂q T, with the forces on held coordinates; and what makes of it the covariant derivative, the same
        in all coordinates."""
        import scipy.sparse

        if at.stiffness is not None:
            return at.stiffness
        point, force_q = at.point, at.derivatives.sparse("residual", "q")
        if self.held and not point.equations.unit_T:
            force_q = force_q + scipy.sparse.csc_array(bend(point, list(self.fixed), at.nu))
        K = force_q @ point.sparse("T")
        at.stiffness = K if point.large else K + scipy.sparse.csc_array(_turning(at))
        return at.stiffness

    def step(self, at: _Balance, shift: float) -> tuple[Floats, Floats]:
        """Newton's δπ and δu, with σM added to the stiffness."""
        point, s, T, M = at.point, at.point.equations.sizes, at.point.sparse("T"), at.point.sparse("M")
        here, K = at.derivatives, self._stiffness(at)
        # A little inertia keeps the matrix regular where motions meet no resistance; they stay where they are.
        matrix = K + (shift + 1e-12 * (self.stiffness(at) or at.pull or 1.0)) * M
        F = point.patterns["F"].dense(point.forces(at.lam)["F"]) if len(point.patterns["F"].rows) else None
        external = None
        if s.u:
            external = tuple(here.sparse(*key) for key in (("residual", "u"), ("d", "lam"), ("d", "u")))
            external = (external[0], here.sparse("d", "q") @ T, *external[1:])
        rows = self._rows(point)
        right = np.concatenate([point.times("M", at.a), np.zeros(rows.shape[0]), -at.d])
        x = _solve(point, matrix, rows, F, external, right)
        return x[: s.v], x[s.v + rows.shape[0] :]

    def stiffness(self, at: _Balance) -> float:
        """Largest stiffness beside the largest inertia, as displacements of the sizes that there are feel them."""
        size = diagonal(at.point.scales.v)
        K, M = (abs(size @ part @ size) for part in (self._stiffness(at), at.point.sparse("M")))
        return float(K.max()) / float(M.max()) if K.nnz else 0.0

    def free_motions(self, point: Evaluation) -> Floats:
        """Motions that constraints and held coordinates allow, as columns; orthonormal in the metric."""
        root = np.sqrt(point.metric)
        return np.asarray(orthonormal_null_space(self._rows(point).toarray() / root) / root[:, None])

    def loosest(self, at: _Balance) -> int | None:
        """The velocity that is pulled most along motions which no stiffness resists, if there is such a pull."""
        point = at.point
        if point.large:
            return None
        free = self.free_motions(point)
        K, pull = free.T @ self._stiffness(at).toarray() @ free, free.T @ point.times("M", at.a)
        if not (np.isfinite(K).all() and np.isfinite(pull).all() and pull.any()):
            return None
        _, sizes, rows = np.linalg.svd(np.concatenate([K, K.T]))
        loose = rows[sizes <= _LOOSE * sizes.max()]
        along = loose @ pull
        if not np.linalg.norm(along) > _LOOSE * np.linalg.norm(pull):
            return None
        return int(np.argmax(np.abs(free @ (loose.T @ along)) * np.sqrt(point.metric)))

    def softest(self, at: _Balance) -> tuple[float, Floats | None]:
        """Smallest stiffness beside inertia among motions that are possible, and the motion; 0 for large systems."""
        point = at.point
        if point.large:
            return 0.0, None
        free = self.free_motions(point)
        if not free.shape[1]:
            return 0.0, None
        K = self._stiffness(at).toarray()
        inertia = free.T @ point.matrix("M") @ free
        values, vectors_ = np.linalg.eigh(free.T @ (K + K.T) @ free / 2)
        lowest = float(values[0]) / max(float(vectors_[:, 0] @ inertia @ vectors_[:, 0]), 1e-12)
        rounding = 1e-9 * float(np.max(np.abs(values)))
        return (lowest, free @ vectors_[:, 0]) if values[0] < -rounding else (0.0, None)

    def moved(self, at: _Balance, move: Floats, du: Floats) -> _Balance:
        """Another position, back on the constraints."""
        point, equations = at.point, at.point.equations
        q = normalised(equations, point.t, self._carried(at, move), point.p)
        return self.balance(close(point.elsewhere(q, u=point.u + du), self.fixed))

    def _carried(self, at: _Balance, move: Floats) -> Floats:
        """Where a motion without forces leads that begins with a velocity, in the unit of time: a way that is the same
        in all coordinates; along coordinates where it is short or very long, and in large systems."""
        point = at.point
        straight = point.q + point.times("T", move)
        size = 0.0 if point.large else max(_size(point, move), point.scales.rate(move))
        if not _SHORT < size < _LONG:
            return straight
        count = int(np.ceil(size / _CARRIED))
        q, v, h = point.q, move, 1.0 / count
        deficient = bool(dependent_rows(self._rows(point).toarray() * point.scales.v))
        pace = (self.stiffness(at) or at.pull or 1.0) ** 0.5  # at which inertia is not lost beside other forces

        def rates(q: Floats, v: Floats) -> tuple[Floats, Floats]:
            here = point.elsewhere(q, v=pace * v)
            return here.times("T", v), self._free_acceleration(here, deficient) / pace**2

        try:
            for _ in range(count):  # the classical method of order four
                k1 = rates(q, v)
                k2 = rates(q + 0.5 * h * k1[0], v + 0.5 * h * k1[1])
                k3 = rates(q + 0.5 * h * k2[0], v + 0.5 * h * k2[1])
                k4 = rates(q + h * k3[0], v + h * k3[1])
                q = q + h / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0])
                v = v + h / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1])
        except EquationsError:  # a law that has no value with such velocities
            return straight
        return q

    def _free_acceleration(self, point: Evaluation, deficient: bool) -> Floats:
        """Accelerations by forces that velocities of either sign make alike, those of inertia above all."""
        v, n = point.v, len(point.v)
        back, still = point.elsewhere(point.q, v=-v), point.elsewhere(point.q, v=np.zeros(n))
        f, gamma = (0.5 * (point.values[name] + back.values[name]) - still.values[name] for name in ("f", "gamma"))
        rows = np.concatenate([point.matrix("G"), point.directions(self.held)])
        matrix = np.zeros((n + len(rows), n + len(rows)))
        matrix[:n, :n], matrix[:n, n:], matrix[n:, :n] = point.matrix("M"), rows.T, rows
        return solution(matrix, np.concatenate([f, gamma, np.zeros(len(self.held))]), n, deficient)[:n]


def _turning(at: _Balance) -> Floats:
    """What the accelerations a add to the derivatives of forces −M a along motions δ, so that these do not depend on
    coordinates: ∂(M a)/∂q T δ − M ∇_δ a with the connection of M.

    Geodesics show its symmetric part, v̇ = −M⁻¹ c(v, v), and brackets of the columns of T the other one.
    """
    point, T = at.point, at.point.sparse("T")
    pull = at.pull
    if not pull:
        return np.zeros((len(at.a), len(at.a)))
    still, v = np.zeros(len(at.a)), at.a / pull**0.5
    lam, u, p, equations, t, q = at.lam, point.u, point.p, point.equations, point.t, point.q
    inert = Derivatives(equations, t, q, still, at.a, lam, u, p).sparse("residual", "q")
    turned = (inert - at.derivatives.sparse("residual", "q")) @ T
    ahead, back = (Derivatives(equations, t, q, sign * v, still, lam, u, p) for sign in (1.0, -1.0))
    bent = 0.25 * pull**0.5 * (ahead.sparse("residual", "v") - back.sparse("residual", "v"))
    found = np.asarray((turned - bent).toarray())
    if not equations.unit_T:
        step = _DIFFERENCE * point.times("T", v)
        later, earlier = (point.elsewhere(q + sign * step).matrix("T") for sign in (1.0, -1.0))
        spin = ahead.sparse("qdot", "q") @ T - (later - earlier) / (2.0 * _DIFFERENCE)
        brackets = pull**0.5 * np.linalg.lstsq(point.matrix("T"), np.asarray(spin), rcond=None)[0]
        found -= 0.5 * point.matrix("M") @ brackets
    return found


def _size(point: Evaluation, move: Floats) -> float:
    """Size of a displacement: of bodies where they are known, otherwise of coordinates."""
    largest = point.equations.largest_motion(point.t, point.q, move, point.p)
    return point.scales.largest(point.times("T", move), point.q) if largest is None else largest


def diagonal(values: Floats) -> Any:
    """A diagonal matrix, sparse."""
    import scipy.sparse

    return scipy.sparse.diags_array(values)


def _solve(point: Evaluation, K: Any, rows: Any, F: Any, external: Any, right: Floats) -> Floats:
    """[K, rowsᵀ − F, R_u; rows, 0, 0; D_q, D_λ, D_u] x = right, with the blocks of external states where there are
    any."""
    import scipy.sparse
    import scipy.sparse.linalg

    n_rows, n_lam = rows.shape[0], point.equations.sizes.lam
    across = rows.T
    if F is not None:
        across = across - scipy.sparse.hstack([F, scipy.sparse.csc_array((F.shape[0], n_rows - n_lam))])
    blocks: list[list[Any]] = [[K, across], [rows, None]] if n_rows else [[K]]
    if external is not None:
        on_v, on_q, on_lam, on_u = external
        middle = scipy.sparse.hstack([on_lam, scipy.sparse.csc_array((on_lam.shape[0], n_rows - n_lam))])
        blocks = [[K, across, on_v], [rows, None, None], [on_q, middle, on_u]] if n_rows else [[K, on_v], [on_q, on_u]]
    matrix = scipy.sparse.block_array(blocks, format="csc")
    if not point.large:
        dense = matrix.toarray()
        return solution(dense, right, K.shape[0], bool(dependent_rows(rows.toarray() * point.scales.v)))
    try:
        factors = scipy.sparse.linalg.splu(matrix)
    except RuntimeError:
        raise EquationsError(
            f"'{point.equations.name}': forces in equilibrium are not determined; hold the coordinates that nothing "
            "keeps in place"
        ) from None
    x = factors.solve(right)
    return np.asarray(x + factors.solve(right - matrix @ x))


def _at_rest(start: Evaluation, fixed: Mapping[int, float], stable: bool, side: str) -> Evaluation:
    equations = start.equations
    # An instant at which a drive turns: what is left beside accelerations, of forces and of drives, is rounding.
    wide = start.row_sizes("G", start.scales.v)
    driven = float(np.max(np.abs(start.values["gamma"]) / np.where(wide > 0, wide, np.inf), initial=0.0))
    slow = 1e-12 * max(start.pull, driven) ** 0.5
    moving = np.abs(start.values["gI"]) > slow * wide
    if moving.any():
        name = equations.names["lam"][int(np.argmax(moving))]
        raise ConstraintError(
            f"'{equations.name}' cannot be at rest at t = {start.t:.6g}: the constraint {name} moves; name the "
            "velocities of a steady motion, or take another instant"
        )
    rest = _Rest(fixed, side)
    at = rest.balance(start)
    found = None
    for search in (_descent, _damped) if stable else (_damped, _descent):
        found = search(rest, at)
        if found is not None:
            break
    if found is None:
        raise EquationsError(_unbalanced(rest, at))
    if stable and not found.point.large:
        reduced = reduce(found.point, locked=list(fixed), side=side)
        reduced.corners.warn(equations)
        terms = term_sizes(found.point, reduced.selection, found.a, reduced.A)
        modes = spectrum(reduced.A, noise_of(equations), terms)
        values = modes.values
        if (values.real > modes.doubt).any():
            raise EquationsError(
                f"'{equations.name}': the equilibrium that was found is unstable (eigenvalue "
                f"{values[int(np.argmax(values.real))]:.4g}); start nearer to a stable one"
            )
    return found.point


def _largest(at: _Balance, move: Floats, du: Floats) -> float:
    """Size of a step, beside those of the coordinates; external states beside 1 and their own."""
    return max(_size(at.point, move), float(np.max(np.abs(du) / (1.0 + np.abs(at.point.u)), initial=0.0)))


def _unbalanced(rest: _Rest, at: _Balance) -> str:
    """What is told where no equilibrium was found: what is pulled most, first among all that nothing holds."""
    equations, loose = at.point.equations, rest.loosest(at)
    i = int(np.argmax(np.abs(at.a) * np.sqrt(at.point.metric))) if loose is None else loose
    owner = equations.owner_of_velocity(i)
    pulled = f"{equations.names['v'][i]}{f' of {owner}' * bool(owner)} is pulled with an acceleration of {at.a[i]:.3g}"
    advice = (
        "Start nearer to one, hold a coordinate, or give it a spring: a motion without resistance has none"
        if loose is None
        else "No stiffness and no constraint resists it: give it a joint or a spring, or hold a coordinate"
    )
    return (
        f"'{equations.name}': no equilibrium was found; from the start, {pulled}. {advice}. Forces are those at "
        f"t = {at.point.t:.6g}; t=… asks for another instant"
    )


def _damped(rest: _Rest, at: _Balance) -> _Balance | None:
    """Newton's iteration, steps shortened until accelerations shrink."""
    for _ in range(_ITERATIONS):
        try:
            move, du = rest.step(at, 0.0)
        except EquationsError:
            return None
        size = _largest(at, move, du)
        if not np.isfinite(size):
            return None
        if size <= 1e-13:
            return at
        factor = min(1.0, _FARTHEST / size)
        while True:
            try:
                trial = rest.moved(at, factor * move, factor * du)
            except EquationsError:  # a position that cannot be closed, or not be evaluated
                trial = None
            if trial is not None and trial.unrest <= (1.0 - 0.05 * factor) * at.unrest:
                break
            factor *= 0.5
            if factor < 1e-4 or size < 1e-9:  # no better point is to be had
                return at if size < 1e-9 or at.balanced() else None
        at = trial
    return None


def _descent(rest: _Rest, at: _Balance) -> _Balance | None:
    """Along the pull of the forces: first like a heavily damped motion, at the end like Newton's iteration."""
    shift = _largest(at, at.a, at.d) / _FARTHEST  # the first step is about as large as one may be
    unit = rest.stiffness(at) or at.pull or 1.0
    for _ in range(_DESCENT):
        lowest, way = rest.softest(at)
        shift = max(shift, -1.5 * lowest)  # along a hill the step would lead up to its top
        try:
            move, du = rest.step(at, shift)
            power, size = float(move @ at.point.times("M", at.a)), _largest(at, move, du)
            if not power >= 0:
                raise EquationsError
            factor = min(1.0, _FARTHEST / max(size, 1e-300))
            kicked = way is not None and size < 1e-3
            if kicked and way is not None:  # on a top there is no pull: down on either side
                move = move + 0.05 / max(_largest(at, way, 0.0 * du), 1e-300) * way
            trial = rest.moved(at, factor * move, factor * du)
        except EquationsError:
            shift = max(10.0 * shift, 1e-12 * unit)
            continue
        after = float(move @ trial.point.times("M", trial.a))
        if after < -0.5 * power and not kicked:  # far beyond the end of the pull
            shift = max(4.0 * shift, 1e-12 * unit)
            continue
        near = size < 1e-3 and shift * size <= 1e-2 * at.unrest and not kicked  # the shift hardly matters any more
        at = trial
        shift *= 0.2 if factor == 1.0 else 2.0
        if near or (at.unrest == 0.0 and way is None):
            found = _damped(rest, at)
            if found is not None:
                return found
    return at if at.balanced() else None
