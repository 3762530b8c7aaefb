"""Implicit–explicit Euler method with steps of one size (Ros, Plaza, Iriarte, Pintor, Symbolic multibody methods for
real-time simulation of railway vehicles: "railway").

Stiff viscous forces −C v are taken at the end of a step, all others at its start:

    [ M + Δ C   Gᵀ ] [ v₁  ]   [ Δ f_rest + M v₀ ]
    [ G          0 ] [ Δ λ ] = [ Δ γ + G v₀      ]                                                            (37)

    q₁ = q₀ + Δ T (v₀ + v₁)/2   (38),   or the symplectic   q₁ = q₀ + Δ T v₁

and then dependent coordinates and velocities are moved onto the constraints
(:mod:`~dalembert.integrate.fixed.projection`).  (38) lets an undamped mode ω grow by the factor exp(Δ ω²/4) in a
second, the symplectic update does not.

(37) is solved on atoms, for a = (v₁ − v₀)/Δ (:mod:`~dalembert.equations.contract.implicit_explicit`), at the end of the
step before: a step evaluates its equations once, and what is recorded at an instant are the accelerations and
multipliers with which the motion goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dalembert.arguments import shown, whole
from dalembert.equations.contract.convention import IMEX, OUTPUTS, STAGE
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.fixed.imex_memory import ImexMemory
from dalembert.integrate.fixed.projection import call_imex, largest, project
from dalembert.integrate.frame.contract_formalism import SETTLED
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.integrate.methods.method import option
from dalembert.linalg.vector_operations import add_scaled, copy
from dalembert.native.kernel import compiled, kernel, view

#: Where coordinates go, by the part of Δ² T a that they get.
UPDATES = {"average": 0.5, "symplectic": 1.0}
_PARTITIONS = ("kept", "every step")
#: What auxiliary variables are predicted by.
PREDICTORS = {"none": 0, "rates": 1, "differences": 2}
#: Multipliers that forces depend on are iterated so often at a start.
FIRST_ITERATIONS = 25
#: Steps that differ by less, relatively, differ by rounding of time: they are not solved again, with other multipliers.
_ALIKE = 1e-6


@compiled
def _solve(run: ImexMemory, step: float, changed: int) -> int:
    """a, λ, rates of q and u for a step of this size from the point, with the multipliers that stand there."""
    run.step[0] = step if step > 0.0 else 0.0  # backwards in time dampers would be springs
    request = IMEX.a | IMEX.lam | IMEX.d | (0 if run.unit_T else IMEX.qdot | IMEX.Ta)
    return STATUS.RAISED if call_imex(run, request, changed) else STATUS.OK


@kernel
def rate(run: ImexMemory) -> int:
    """ẏ = (T v, a, d) at the point, with the accelerations of the step that goes on from there."""
    run.points_since += 1
    status = _solve(run, run.direction * run.h_fixed, run.changed)
    if run.unit_T:
        copy(run.v, view(run.rates, 0, run.n_q))
    copy(run.a_solved, run.a)
    copy(run.lam_solved, run.lam)
    return status


@kernel
def begin(run: ImexMemory) -> int:
    """Accelerations at y0, where multipliers that forces depend on have settled, as far as they do; not where they
    drift apart."""
    n_q, n_v, n_lam = run.n_q, run.n_v, run.n_lam
    load(run, run.t_now, run.y0)
    copy(view(run.z0, n_v, n_lam), run.lam)
    changed, first, change = STAGE.T, 0.0, 0.0
    for iteration in range(FIRST_ITERATIONS):
        if _solve(run, run.direction * run.h_fixed, changed):
            return STATUS.RAISED
        changed = STAGE.LAM
        size = largest(run.lam_solved)
        for i in range(n_lam):
            run.lam[i] -= run.lam_solved[i]
        change = largest(run.lam)
        copy(run.lam_solved, run.lam)
        if iteration == 1:
            first = change
        if not change > SETTLED * size:
            break
    if not (change <= 0.5 * first or change <= SETTLED * largest(run.lam)):
        return STATUS.NEWTON_FAILED  # there may be no motion at all, as in Painlevé's cone
    copy(run.a_solved, view(run.z0, 0, n_v))
    copy(run.lam_solved, view(run.z0, n_v, n_lam))
    copy(run.a_solved, view(run.rate0, n_q, n_v))
    copy(run.d, view(run.rate0, n_q + n_v, run.n_u))
    copy(run.Ta, run.Ta0)
    run.rates_known = 0
    return STATUS.OK


@compiled
def _predict(run: ImexMemory, h: float) -> None:
    """Auxiliary variables at the end of the step, for (39) to start from: s itself, s + Δ ṡ as coordinates have it, or
    s + Δ ṡ + ½ Δ² s̈ with s̈ from the difference of ṡ over the step before."""
    places, before, latest, rates, y0, y1 = (
        run.auxiliary_places, run.rates_before, run.rates_latest, run.rate0, run.y0, run.y1,
    )  # fmt: skip
    if run.predictor == 0:
        for i in range(places.size):
            y1[places[i]] = y0[places[i]]
        return
    if run.rates_known == 0 or run.t_now != run.rates_time:  # a step that is tried again has the same start
        span = run.t_now - run.rates_time
        copy(latest, before)
        for i in range(places.size):
            latest[i] = rates[places[i]]
        run.rates_time = run.t_now
        run.rates_span = span
        run.rates_known = min(run.rates_known + 1, 2)
    if run.rates_known == 2:
        weight = 0.5 * h * h / run.rates_span
        for i in range(places.size):
            y1[places[i]] = y0[places[i]] + h * latest[i] + weight * (latest[i] - before[i])


@kernel
def attempt(run: ImexMemory) -> int:
    """One step of size h from y0: leaves y1; there is no error."""
    n_q, n_v, n_u, h = run.n_q, run.n_v, run.n_u, run.h
    y0, y1, rate0, a, Ta = run.y0, run.y1, run.rate0, run.z0, run.Ta0
    copy(view(run.z0, n_v, run.n_lam), run.lam)
    run.points_since = 0
    d = view(rate0, n_q + n_v, n_u)
    if abs(abs(h) - run.h_fixed) > _ALIKE * run.h_fixed:  # the last step before a break, or one after a failure
        load(run, run.t_now, y0)
        if _solve(run, h, STAGE.T):
            return STATUS.RAISED
        a, Ta, d = run.a_solved, run.Ta, run.d
    weight = run.position_weight * h * h
    copy(y0, y1)
    add_scaled(h, view(rate0, 0, n_q), y1)  # T v₀ is the same for all sizes
    add_scaled(weight, view(a, 0, n_q) if run.unit_T else Ta, y1)
    add_scaled(h, view(a, 0, n_v), view(y1, n_q, n_v))
    add_scaled(h, d, view(y1, n_q + n_v, n_u))
    if run.predictor != 1:
        _predict(run, h)
    run.error = 0.0
    return STATUS.OK


@kernel
def accepted(run: ImexMemory) -> int:
    """Keep T a of the end, which was evaluated last unless an event was looked for within the step.

    (Solved again in every step of a run with events, it took 8 of the 19 µs of a locomotive.)
    """
    if run.unit_T:
        return STATUS.OK
    if run.points_since != 1:
        load(run, run.t_new, run.y1)
        copy(view(run.z0, run.n_v, run.n_lam), run.lam)
        if _solve(run, run.direction * run.h_fixed, STAGE.T):
            return STATUS.RAISED
    copy(run.Ta, run.Ta0)
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class Imex(FixedStepMethod):
    """Implicit–explicit Euler method of order 1 for real time: viscous parts that are declared stiff
    (``implicit=True``) at the end of a step, all else at its start; dense output of order 1.

    Ros, Plaza, Iriarte, Pintor, Symbolic multibody methods for real-time simulation of railway vehicles, (35)–(40).
    """

    update: str = option("average", '"average", (38), or "symplectic": how velocities move coordinates')
    tolerance: float = option(1e-6, "residual of position constraints that a projection may leave")
    iterations: int = option(20, "corrections of positions in a step at most")
    partition: str = option("kept", '"kept" or "every step": when dependent coordinates are chosen')
    predictor: str = option(
        "differences", 'of auxiliary variables: "differences" of their rates, their "rates", or "none"'
    )

    name = "imex"
    title = "implicit–explicit Euler, order 1, steps of one size"
    memory = ImexMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    programs = ("imex",)
    formalism = "own"
    form = "velocities of a step by (37), dependent coordinates projected"
    order = 1
    dense_order = 0

    def check(self) -> None:
        """Updates, partitions, limits."""
        super().check()
        for what, value, known in (
            ("update", self.update, tuple(UPDATES)), ("partition", self.partition, _PARTITIONS),
            ("predictor", self.predictor, tuple(PREDICTORS)),
        ):  # fmt: skip
            if value not in known:
                raise SimulationError(f"Imex: there is no {what} '{value!s:.80}'; {suggestion(str(value), known)}")
        if not (isinstance(self.tolerance, (int, float, np.number)) and 0.0 < self.tolerance < 1e300):
            raise SimulationError(f"Imex: tolerance must be a positive number, got {shown(self.tolerance)}")
        whole(self.iterations, "Imex: iterations", SimulationError, least=1, most=100)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the update and the end of projections."""
        return {
            **super().settings, "position_weight": UPDATES[self.update], "g_tolerance": float(self.tolerance)
        }  # fmt: skip

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The program of its step."""
        if why_not := equations.lacks("imex"):
            raise SimulationError(
                f"'imex' solves its steps on atoms, which '{equations.name}' does not allow: {why_not}. Take "
                "'linear_euler', or formulate the model on one graph"
            )
        return self.programs

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """Patterns of the constraints, and kernels for rates and projections."""
        s, patterns = equations.sizes, providers["imex"].patterns
        G, C, T = (patterns[key] for key in ("G", "C", "T"))
        own = C.shape[0]
        blocks = equations.auxiliary_places
        places = [place for block in blocks for place in block]
        restored = providers["imex"].out_sizes[OUTPUTS["imex"].index("qn")]
        values = {
            "every_step": int(self.partition == "every step"), "one_partition": int(not own), "n_G": len(G.rows),
            "n_C": len(C.rows), "n_own": own, "n_own_columns": s.v if own else 0,
            "g_iterations": int(self.iterations), "n_s": len(places), "restores": int(restored > 0),
            "predictor": PREDICTORS[self.predictor] if places else 1,
        }  # fmt: skip
        contents = {
            "G_rows": G.rows, "G_columns": G.columns, "T_rows": T.rows, "T_columns": T.columns,
            "C_rows": C.rows, "C_columns": C.columns,
            "block_sizes": [len(block) for block in blocks], "auxiliary_places": places,
        }  # fmt: skip
        kernels = {"rate_kernel": rate, "project_kernel": project}
        return MethodLayout(values=values, contents=contents, kernels=kernels)
