"""Linear systems about equilibria and steady motions: matrices, eigenvalues, frequencies, damping, mode shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.contract.checks import check
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.evaluation import Evaluation, normalised
from dalembert.equations.contract.provider import Floats
from dalembert.equations.questions.assembly import listed
from dalembert.equations.questions.corners import Corners
from dalembert.equations.questions.dynamics import check_motion, vectors
from dalembert.equations.questions.forcing import Forcing, by_parameter, forcing
from dalembert.equations.questions.measuring import Measured, measured, measured_at, variations
from dalembert.equations.questions.reduction import (
    Reduction,
    Selection,
    locked_motion,
    rate_along,
    reduce,
    state_sizes,
    term_sizes,
)
from dalembert.errors import ConstraintError, EquationsError, ModelWarning, some, warn_caller
from dalembert.instant import State

Complex = NDArray[np.complex128]
#: The matrices of larger systems would not fit into memory.
LARGEST = 6000
#: Parts of the fastest rate, and of its square, below which velocities and accelerations count as none.
_AT_REST = 1e-6
_STEP = 1e-4
_DIFFERENCED = 1e-8
#: A direction that a matrix changes by less than this part of the most is one that it does not see.
_NO_STIFFNESS = 1e-9


@dataclass(frozen=True, eq=False)
class Linearisation:
    """ż = A z + B τ, y = C z + D τ about a state, z = (independent coordinates, independent velocities, external
    states).

    ``states`` names the entries of z.  All variations of the system follow from z: those of q are ``to_q @ z``, and so
    on.  Eigenvalues are sorted by size, conjugate pairs with the positive imaginary part first; columns of ``shapes_q``
    and ``shapes_v`` are mode shapes, with 1 as their largest entry.  Those that belong to states which nothing depends
    on, ``idle``, are zero by structure, and marked so in ``structural_zeros``; all others are as they were computed,
    each with its ``uncertainty``.
    """

    name: str
    state: State
    A: Floats
    B: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    #: numbers of independent coordinates, independent velocities, external states
    counts: tuple[int, int, int]
    to_q: Floats
    to_v: Floats
    to_lam: Floats
    #: whether the coefficients stay the same along the motion; if not, eigenvalues are those of this instant
    steady: bool
    _inertia: Floats
    _noise: float
    _terms: Floats
    #: how the outputs vary with z and with the inputs, and their names
    C: Floats
    D: Floats
    outputs: tuple[str, ...]
    #: names of sampled controllers, whose outputs are held as they are at the state
    held: tuple[str, ...] = ()
    #: laws with corners at the state, and which of their slopes count
    corners: Corners = field(default_factory=Corners)

    @cached_property
    def _modes(self) -> Spectrum:
        return spectrum(self.A, self._noise, self._terms)

    @property
    def eigenvalues(self) -> Complex:
        """All eigenvalues of A, by size, as they were computed: one that should vanish is as small as its
        ``uncertainty``, and one that passes zero does so without a plateau.  Structural zeros are exact."""
        return self._modes.values

    @property
    def structural_zeros(self) -> NDArray[np.bool_]:
        """For each eigenvalue whether it belongs to a state that nothing depends on: it is zero whatever the numbers in
        A are."""
        return self._modes.structural

    @property
    def idle(self) -> tuple[str, ...]:
        """Names of the states that nothing depends on, directly or through others; as many as structural zeros."""
        return tuple(
            name
            for name, felt in zip(self.states, felt_states(self.A, self._noise, self._terms), strict=True)
            if not felt
        )

    @property
    def uncertainty(self) -> Floats:
        """How much rounding, or differences where functions are numeric, may have changed each eigenvalue; also where
        larger terms cancel, so that a pair that meets in zero is known to about 1e-7 of the rates of these."""
        return self._modes.doubt

    @property
    def frequencies(self) -> Floats:
        """Natural frequencies ``|s|/2π`` in Hz, one for each eigenvalue s: a conjugate pair has the same twice, and
        ``print(linear)`` shows it once."""
        return np.abs(self.eigenvalues) / (2 * np.pi)

    @property
    def damping(self) -> Floats:
        """Damping ratios ``−Re s/|s|``; 0 for eigenvalues that are no larger than their uncertainty."""
        size, known = np.abs(self.eigenvalues), ~self._modes.vanishing
        return np.where(known, -self.eigenvalues.real / np.where(known, size, 1.0), 0.0)

    @cached_property
    def _shapes(self) -> tuple[Complex, Complex]:
        z = self._modes.vectors
        shapes = self.to_q @ z, self.to_v @ z
        both = np.concatenate(shapes)
        # Positions are what one looks at; velocities decide only where nothing else moves.
        for k in range(both.shape[1]):
            moves = _moves(shapes[0][:, k], shapes[1][:, k], self.eigenvalues[k])
            part = shapes[0][:, k] if moves else both[:, k]
            largest = part[int(np.argmax(np.abs(part)))] if part.size and np.abs(part).max() > 0 else 1.0
            for shape in shapes:
                shape[:, k] /= largest
        return shapes

    @property
    def shapes_q(self) -> Complex:
        """Mode shapes in all coordinates, one column per eigenvalue."""
        return self._shapes[0]

    @property
    def shapes_v(self) -> Complex:
        """Mode shapes in all velocities."""
        return self._shapes[1]

    @property
    def stable(self) -> bool | None:
        """Whether disturbances stay small: no eigenvalue has a positive real part, up to rounding, and the system is
        not ``marginal``; None where sampled controllers are ``held``, as nothing is said of the closed loop then."""
        return None if self.held else not self._grows and not self.marginal

    @property
    def marginal(self) -> bool:
        """Whether a system at rest drifts away once it is disturbed, and nothing grows faster than in proportion to
        time; not told where sampled controllers are ``held``."""
        return bool(self.drifting) and not self._grows and not self.held

    @cached_property
    def drifting(self) -> tuple[str, ...]:
        """States of a system at rest that change in proportion to time once it is disturbed: an eigenvalue 0 has a
        chain of vectors, as that of a mass which nothing holds.  Along a steady motion places move on anyway, and this
        is not asked."""
        if self.state.v.any():
            return ()
        which = drifts(self.A, self._noise, self._terms, self._modes)
        return tuple(name for name, moves in zip(self.states, which, strict=True) if moves)

    @property
    def _grows(self) -> bool:
        return not (self._modes.values.real <= self._modes.doubt).all()

    @property
    def note(self) -> str:
        """What to know about the eigenvalues where laws have corners, or the state does not stay as it is; else
        nothing."""
        return "; ".join(part for part in (self.corners.note, self._unsteady) if part)

    @property
    def _unsteady(self) -> str:
        if self.steady:
            return ""
        if self.state.v.any():
            return (
                "coefficients vary along the motion, and eigenvalues are those of this instant; those of other "
                "independent coordinates may be constant"
            )
        return (
            "no equilibrium: it is at rest, but accelerates, and eigenvalues are those of this instant; "
            "equations.equilibrium(…) finds a state that stays"
        )

    @property
    def _verdict(self) -> str:
        if self.held:
            return "stability not told"
        return "stable" if self.stable else "marginal" if self.marginal else "unstable"

    def second_order(self) -> tuple[Floats, Floats, Floats]:
        """M, D and K of M ẍ + D ẋ + K x = 0 for the independent coordinates x; not with nonholonomic constraints or
        external states."""
        n, m, n_u = self.counts
        if n != m or n_u:
            why = "external states" if n_u else "nonholonomic constraints"
            raise EquationsError(f"'{self.name}' with {why} is no system of second order in x; use A")
        # ẋ = A₁₁ x + A₁₂ y, so y and its rate follow from x and its rates.
        A11, A12, A21, A22 = self.A[:n, :n], self.A[:n, n:], self.A[n:, :n], self.A[n:, n:]
        inverse = np.linalg.inv(A12)
        D, K = -(A11 + A12 @ A22 @ inverse), -(A12 @ A21 - A12 @ A22 @ inverse @ A11)
        M = inverse.T @ self._inertia @ inverse
        return M, M @ D, M @ K

    def __repr__(self) -> str:
        n, m, n_u = self.counts
        lines = [
            f"Linearisation of '{self.name}' at t = {self.state.t:.6g}: {n} coordinates, {m} velocities, "
            f"{n_u} external states, {self._verdict}"
        ]
        if self.held:
            lines.append(held_controllers(self.held))
        if self.marginal:
            lines.append(f"once it is disturbed it drifts away in proportion to time: {some(self.drifting, 4)}")
        if self.note:
            lines.append(self.note)
        lines.append(f"  {'eigenvalue':>30}  {'frequency/Hz':>12}  {'damping':>9}  mainly")
        modes = self._modes
        z = np.abs(modes.vectors)
        # Here what is zero but for rounding is zero.
        for k, value in enumerate(np.where(modes.vanishing, 0.0, modes.values).tolist()):
            if value.imag < 0:
                continue  # said with its conjugate
            real = 0.0 if abs(value.real) <= min(modes.doubt[k], 1e-9 * abs(value)) else value.real
            text = f"{real:.6g} ± {value.imag:.6g}i" if value.imag else f"{real:.6g}"
            part = z[:n, k] if n and _moves(z[:n, k], z[n:, k], value) else z[:, k]
            first = [i for i in np.argsort(-part, kind="stable")[:2] if part[i] > 0.1 * part.max()]
            mainly = ", ".join(self.states[i] for i in first)
            damping = 0.0 - real / abs(value) if value else 0.0
            frequency = f"{abs(value) / (2 * np.pi):.6g}" if value.imag else "–"  # what decays alone does not vibrate
            lines.append(f"  {text:>30}  {frequency:>12}  {damping:9.4g}  {mainly}")
        return "\n".join(lines)


def held_controllers(names: Sequence[str]) -> str:
    """What questions about a single state do with sampled controllers."""
    told = "; ".join(f"sampled controller '{name}' is held at its value" for name in names)
    remedy = "a run tells it, or a law of the same feedback in continuous time"
    return f"{told}: stability of the closed loop is not told; {remedy}"


def _moves(positions: Complex | Floats, others: Complex | Floats, eigenvalue: complex) -> bool:
    """Whether a mode moves anything: velocities are positions times the eigenvalue."""
    along, rest = (float(np.max(np.abs(part), initial=0.0)) for part in (positions, others))
    return along * (abs(eigenvalue) or 1.0) > 1e-9 * rest


def linearise(
    equations: Equations,
    state: Any,
    v: Any,
    u: Any,
    *,
    t: float | None,
    independent: Sequence[str | int],
    inputs: Sequence[str | int],
    outputs: Any,
    parameters: Mapping[str, Any] | None,
    redundant: str,
    side: str,
) -> Linearisation:
    """See :meth:`Equations.linearise`."""
    q = state
    if isinstance(state, State):
        q, v, u = state.q, state.v if v is None else v, state.u if u is None else u
        t = state.t if t is None else t
    t = 0.0 if t is None else t
    q, v, u = vectors(equations, q=q, v=v, u=u)
    p = equations.parameter_vector(parameters)
    unknowns = equations.sizes.q + 2 * equations.sizes.v + equations.sizes.lam
    if unknowns > LARGEST:
        raise EquationsError(
            f"'{equations.name}' has {unknowns} unknowns; linearise is dense and takes up to {LARGEST}: use fewer "
            "coordinates, such as relative ones"
        )
    point = Evaluation(equations, t, normalised(equations, t, q, p), v, u, p)
    found = check(equations, point.q, v, u, t=t, parameters=parameters, redundant=redundant)
    _check_regular(point, found.dependent)
    independent = listed(independent, f"'{equations.name}': independent")
    inputs = listed(inputs, f"'{equations.name}': inputs")
    a, lam, _ = locked_motion(point, ())
    check_motion(point, v, a)
    pushed = forcing(point, a, lam, inputs)
    reduced = reduce(point, preferred=independent, forcing=pushed, side=side)
    steady = _is_steady(point, a, reduced)
    if not (steady or independent) and v.any():  # perhaps of entries that do not turn with a body
        other = reduce(point, forcing=pushed, side=side, constant=True)
        if other.selection != reduced.selection and _is_steady(point, a, other):
            reduced, steady = other, True
    reduced.corners.warn(equations)
    here = equations.named(State(t, point.q, v, a, lam, u), parameters)
    held = tuple(one.name for one in equations.samplers)
    if held:
        warn_caller(f"'{equations.name}': {held_controllers(held)}", ModelWarning)
    what = measured(equations, outputs)
    return Linearisation(
        equations.name,
        here,
        reduced.A,
        reduced.B,
        _state_names(point, reduced.selection),
        pushed.names,
        (len(reduced.selection.positions), len(reduced.selection.velocities), equations.sizes.u),
        reduced.q,
        reduced.v,
        reduced.lam,
        steady,
        reduced.M,
        noise_of(equations),
        term_sizes(point, reduced.selection, a, reduced.A),
        *_output_matrices(point, here, reduced, what, pushed),
        what.names,
        held,
        reduced.corners,
    )


def _output_matrices(
    point: Evaluation, here: State, reduced: Reduction, what: Measured, pushed: Forcing
) -> tuple[Floats, Floats]:
    """C and D: how outputs vary along the variations of the reduced system, and with the inputs."""
    n, n_in, n_u = len(reduced.A), reduced.B.shape[1], point.equations.sizes.u
    if not what.names:
        return np.zeros((0, n)), np.zeros((0, n_in))
    u = np.concatenate([np.zeros((n_u, n - n_u)), np.eye(n_u)], axis=1)
    rate = max(float(np.max(np.abs(np.linalg.eigvals(reduced.A)), initial=0.0)), rate_along(point, here.a), 1e-6)
    sizes = state_sizes(point, reduced.selection, rate)
    motion = {"q": reduced.q, "v": reduced.v, "a": reduced.a, "lam": reduced.lam, "u": u}
    forced = {"a": reduced.a_of_inputs, "lam": reduced.lam_of_inputs}
    # Accelerations and reactions are proportional to forces, so any force will do.
    largest = float(np.max(np.concatenate([np.abs(here.lam), point.metric * point.scales.v]), initial=1.0))
    D = variations(point.equations, what, here, point.p, forced, np.full(n_in, max(largest, 1e-6)))
    for column, place in enumerate(pushed.places):
        if place >= 0:  # what a parameter changes in the measurement itself
            D[:, column] += by_parameter(point.p, place, lambda p: measured_at(point.equations, what, here, p))
    return variations(point.equations, what, here, point.p, motion, sizes), D


def _check_regular(point: Evaluation, lasting: Sequence[int]) -> None:
    dependent = point.dependent
    if len(dependent) > len(lasting):
        names = ", ".join(point.equations.names["lam"][i] for i in dependent)
        raise ConstraintError(
            f"'{point.equations.name}': constraints lose rank at this configuration ({names}); motions branch here, "
            "and there is no linear system: take another configuration"
        )


def _state_names(point: Evaluation, selection: Selection) -> tuple[str, ...]:
    equations = point.equations
    pattern, values = point.patterns["T"], point.values["T"]
    alone = np.bincount(pattern.rows, minlength=equations.sizes.q)[pattern.rows] == 1
    plain = alone & (values == 1.0)
    coordinate = dict(zip(pattern.columns[plain].tolist(), pattern.rows[plain].tolist(), strict=True))

    def position(key: str, i: int) -> str:
        """A coordinate that a velocity is the rate of, or else the integral of the velocity."""
        if key == "q" or i in coordinate:
            return equations.names["q"][i if key == "q" else coordinate[i]]
        return f"∫{equations.names['v'][i]}"

    return (
        *(position(*rate) for rate in selection.positions),
        *(equations.names["v"][k] for k in selection.velocities),
        *equations.names["u"],
    )


def _is_steady(point: Evaluation, a: Floats, reduced: Reduction) -> bool:
    """Whether A is the same a little earlier and later along the motion."""
    velocity = point.times("T", point.v)
    h = _STEP / rate_along(point, a)
    nearby = []
    for sign in (1.0, -1.0):
        t = point.t + sign * h
        q = normalised(point.equations, t, point.q + sign * h * velocity, point.p)
        there = point.elsewhere(q, t=t, v=point.v + sign * h * a)
        nearby.append(reduce(there, selection=reduced.selection, side=reduced.corners.side).A)
    # Coordinates that nothing depends on, such as the place of a wheel, may have rates whose coefficients vary.
    A = reduced.A
    noise = noise_of(point.equations)
    kept = np.flatnonzero(felt_states(A, noise, term_sizes(point, reduced.selection, a, A)))
    at = np.ix_(kept, kept)
    rate = max(float(np.max(np.abs(np.linalg.eigvals(A)), initial=0.0)), rate_along(point, a))
    # Entries are compared as they act on displacements and velocities of the sizes that there are.
    size = state_sizes(point, reduced.selection, rate)
    unit = (size / size[:, None])[at]
    if _lets_go(point, a, rate):
        return False
    change = float(np.max(np.abs(nearby[0] - nearby[1])[at] * unit, initial=0.0)) / (2 * h)
    return change <= (1e-6 * rate + 100 * noise / h) * float(np.max(np.abs(A[at]) * unit, initial=0.0))


def _lets_go(point: Evaluation, a: Floats, rate: float) -> bool:
    """Whether the state is at rest without being balanced: A is then the same a little earlier and later, for the
    motion is its own mirror image, but not a while later."""
    speed, pull = point.scales.rate(point.v), point.scales.rate(a)
    return bool(speed <= _AT_REST * rate and pull > _AT_REST * rate**2)


def noise_of(equations: Equations) -> float:
    """Relative error of entries of A: rounding, or that of differences where functions are numeric."""
    return _DIFFERENCED if isinstance(equations.innermost, WithCallbacks) else float(np.finfo(float).eps)


def felt_states(A: Floats, noise: float, terms: Floats) -> NDArray[np.bool_]:
    """States that others depend on, directly or through others; entries that are rounding next to the largest of their
    row, or to the terms that they are sums of, do not count."""
    entries = np.abs(A) > 50 * noise * np.max(np.abs(A), axis=1, keepdims=True, initial=0.0)
    entries &= np.abs(A) > 200 * noise * terms
    felt = np.ones(len(A), dtype=bool)
    while True:
        now = felt & entries[felt].any(axis=0)
        if (now == felt).all():
            return felt
        felt = now


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues by size, eigenvectors as columns, how much rounding may have changed the eigenvalues, and which of
    them are zero by structure."""

    values: Complex
    vectors: Complex
    doubt: Floats
    structural: NDArray[np.bool_]

    @property
    def vanishing(self) -> NDArray[np.bool_]:
        """Eigenvalues that are zero but for rounding."""
        return np.abs(self.values) <= self.doubt


def drifts(A: Floats, noise: float, terms: Floats, modes: Spectrum) -> NDArray[np.bool_]:
    """States that grow in proportion to time: a vanishing eigenvalue has fewer eigenvectors than its multiplicity says.
    What is left of larger terms that cancel counts as zero."""
    import scipy.linalg

    found = np.zeros(len(A), dtype=bool)
    if modes.vanishing.sum() < 2:
        return found
    A = np.where(np.abs(A) <= 200 * noise * terms, 0.0, A)
    felt = felt_states(A, noise, terms)
    kept, idle = np.flatnonzero(felt), np.flatnonzero(~felt)
    inner, change = scipy.linalg.matrix_balance(A[np.ix_(kept, kept)])
    _, sizes, rows = np.linalg.svd(inner)
    none = sizes <= max(_NO_STIFFNESS, 200 * noise) * np.max(sizes, initial=0.0)
    still = np.abs(change @ rows[none].T)  # where it may stand
    if none.sum() < modes.vanishing.sum() - len(idle):
        found[kept] = (still > 0.1 * np.max(still, axis=0, initial=0.0)).any(axis=1)
    # States that nothing depends on follow from each other, or from a motion that goes on.
    into = A[np.ix_(idle, kept)]
    followed = np.abs(into @ change @ rows[none].T) > _NO_STIFFNESS * (np.abs(into) @ still)
    found[idle] = A[np.ix_(idle, idle)].any(axis=1) | followed.any(axis=1)
    return found


def farthest(values: Complex, change: float, norm: float) -> Floats:
    """How far eigenvalues move at most if a matrix of this norm changes by this part of it: two that meet by the square
    root of the change, more by other roots."""
    near = change**0.5 * norm
    pairs = np.sum(np.abs(values[:, None] - values) <= 2 * near, axis=1) == 2
    return np.where(pairs, np.minimum(near, 1e-4 * norm), 1e-4 * norm)


def spectrum(A: Floats, noise: float, terms: Floats) -> Spectrum:
    """Eigenvalues and eigenvectors; entries of A are sums of terms of these sizes.

    Coordinates that nothing depends on are taken out first.  They have vanishing eigenvalues, often of chains such as
    place and velocity, which rounding would tear apart by its square root.
    """
    import scipy.linalg

    felt = felt_states(A, noise, terms)
    kept, idle = np.flatnonzero(felt), np.flatnonzero(~felt)
    z = np.zeros((len(A), len(A)), dtype=complex)
    values, doubt = np.zeros(len(A), dtype=complex), np.zeros(len(A))
    if kept.size:
        inner, change = scipy.linalg.matrix_balance(A[np.ix_(kept, kept)])
        found, left, right = scipy.linalg.eig(inner, left=True, right=True)
        overlap = np.abs(np.sum(left.conj() * right, axis=0))
        norm = float(np.linalg.norm(inner))
        felt_terms = np.abs(np.linalg.inv(change)) @ terms[np.ix_(kept, kept)] @ np.abs(change)
        cancelled = np.einsum("ik,ij,jk->k", np.abs(left), felt_terms, np.abs(right))
        # Condition of an eigenvalue (Golub and Van Loan, Matrix Computations, 7.2.2).
        error = 200 * noise * (norm + cancelled) / np.maximum(overlap, 1e-300)
        rate = max(norm, float(np.max(np.diag(felt_terms), initial=0.0)))
        error = np.minimum(error, farthest(found, 200 * noise, rate))
        values[: len(kept)], doubt[: len(kept)] = found, error
        z[kept, : len(kept)] = change @ right
    z[idle, len(kept) + np.arange(len(idle))] = 1.0
    for k in np.flatnonzero(np.abs(values) > doubt):  # others have no share in what follows from them
        into = A[np.ix_(idle, kept)] @ z[kept, k]
        z[idle, k] = np.linalg.solve(values[k] * np.eye(len(idle)) - A[np.ix_(idle, idle)], into)
    # Members of a pair have the same size but for rounding; it must not tear them apart.
    size = np.abs(values)
    unit = max(float(size.max(initial=0.0)), 1e-300)
    digits, real, imag = (np.round(part / unit, 11) for part in (size, values.real, values.imag))
    order = np.lexsort((-values.imag, real, np.abs(imag), digits))
    structural = np.arange(len(A)) >= len(kept)
    return Spectrum(values[order], z[:, order], doubt[order], structural[order])
