"""Backward differentiation formulas of variable order and step size, with fixed leading coefficient, on the stabilised
index-2 form (Gear, Gupta, Leimkuhler), as in DASSL and IDA.

The history are modified divided differences φ_1, φ_2, … of (q, v, u) and of (a, λ) at the ends of the last steps, all
of them projected onto the constraints.  With order k they predict y⁽⁰⁾ and ẏ⁽⁰⁾, and the corrector equation is
(corrector (13), with DASSL's coefficients)

    F(y, ẏ⁽⁰⁾ + α (y − y⁽⁰⁾)) = 0,   α = (1 + 1/2 + … + 1/k) / h

α is the same in all steps of one size and order, and the Newton matrix α E(M) + K of
:mod:`~dalembert.integrate.implicit.newton_matrix` serves for many of them; with another α close by, corrections are
scaled (corrector (18)).  Only (q, v, u) count in norms, not the multipliers.

K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic
Equations, SIAM 1996, 5.2 ("BCP").  Different from there: the end of a step is projected before it becomes history, and
a step of a Radau IIA method makes history at a start, after an event and after a break: three or five stages are points
enough for order 3 or 5.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.controllers import ByMethod, Controller
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.jacobian import KIND, Jacobian, jacobian_of
from dalembert.integrate.implicit.krylov import DIMENSION
from dalembert.integrate.implicit.newton import Newton
from dalembert.integrate.implicit.residual import differential
from dalembert.integrate.methods import radau_tables
from dalembert.integrate.methods.bdf_control import (
    SHRINK_MOST,
    doubling,
    error_above,
    estimate,
    plan_after_start,
    plan_again,
    plan_next,
)
from dalembert.integrate.methods.bdf_corrector import LIMIT, RESCALE_FROM, correct, note_projection
from dalembert.integrate.methods.bdf_equations import CONSTRAINTS, ROWS, note_drift, without_constraints
from dalembert.integrate.methods.bdf_formulas import predict, set_coefficients
from dalembert.integrate.methods.bdf_history import (
    polynomial_of_start,
    polynomial_of_step,
    renew_history,
    set_first_rate,
    stages_as_history,
)
from dalembert.integrate.methods.bdf_matrix import with_reduced_matrix
from dalembert.integrate.methods.bdf_memory import LEVEL, BdfMemory
from dalembert.integrate.methods.method import JACOBIAN_OPTION, NEWTON_OPTION, option
from dalembert.integrate.methods.multistep import MultistepMethod, difference, forget, settle, wait_on
from dalembert.integrate.methods.radau import radau_step, stage_iterations
from dalembert.linalg.vector_operations import clear, copy
from dalembert.native.kernel import compiled, kernel, view

LARGEST_ORDER, USUAL_ORDER = 6, 5
#: κ of the numerical differentiation formulas of orders 1 … 4; that of order 5 is BDF. L. F. Shampine, M. W. Reichelt,
#: The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997), Table 1.
NDF = (-0.1850, -1.0 / 9.0, -0.0823, -0.0415)
#: Stages of the method that makes the first history, which are points enough for an order as high as that: more of them
#: where the highest order is beyond the first number.
_STAGES, _MORE_STAGES = 3, 5
#: Exact derivatives cost less than the iterations that they save, differences more.
_KEEP_EXACT, _KEEP_DIFFERENCES = 0.1, 0.9


@kernel
def begin(run: BdfMemory) -> int:
    """There is no history but the start itself, and no Jacobian that may be used."""
    run.have_factors, run.jacobian_age, run.by_stages = 0, -1, -1
    first = difference(run, 1)
    copy(run.y0, view(first, 0, run.n_y))
    copy(run.z0, view(first, run.n_y, run.n_z))
    forget(run)
    run.steady = run.last_order = 0
    run.kick = 0.0
    run.life = 0
    run.next_order = run.min_order
    run.raising = 0 if run.starter else 1
    return STATUS.OK


@compiled
def _start(run: BdfMemory) -> int:
    """A Radau step, where there is no history to go on with."""
    run.starting, run.by_stages, run.order_used = 1, 0, 2 * run.stages - 1
    run.have_factors = 0
    rescaled, run.rescale_from = run.rescale_from, 0.0
    status = radau_step(run)
    run.rescale_from, run.by_stages = rescaled, -1
    run.have_factors = 0  # those are of other matrices
    if status:
        return status
    # What the history predicts, where all steps have one order.
    k = run.known - 1
    set_coefficients(run, k)
    predict(run, k)
    factor = 0.9 * max(run.error, 1e-10) ** (-1.0 / (run.stages + 1))
    run.h_next = abs(run.h) * max(0.1, min(1.0, factor))
    return STATUS.OK


@compiled
def _set_error_weights(run: BdfMemory) -> None:
    """What counts in the error of a step."""
    if not run.velocities:
        clear(view(run.error_weight, run.n_q, run.n_v))


@kernel
def attempt(run: BdfMemory) -> int:
    """One step of size h from y0: leaves y1, error, and after failure h_next and next_order for the next attempt."""
    if not run.after_reject:
        run.failures = 0
    else:
        run.raising = 0
    if run.keep_rate == 0.0:
        run.keep_rate = _KEEP_EXACT if run.jacobian_kind == KIND.EXACT else _KEEP_DIFFERENCES
    k = run.next_order
    run.order_used, run.starting = k, 0
    fixed = run.min_order == run.max_order
    if run.starter and (run.known <= k if fixed else run.known == 1):
        return _start(run)
    if run.known == 1:
        set_first_rate(run)
    factor = set_coefficients(run, k)
    predict(run, k)
    _set_error_weights(run)
    status = correct(run)
    if status:
        return status
    differential(run, run.iterate, run.y1)
    y0, y1, change, predicted = run.y0, run.y1, run.departure, run.predicted
    for c in range(y1.size):
        change[c] = y1[c] - predicted[c]
        y1[c] += y0[c]
    estimate(run, k, factor)
    run.jacobian_age += 1
    if run.error <= 1.0:
        run.h_next = abs(run.h)
    else:
        plan_again(run, k)
    return STATUS.OK


@kernel
def accepted(run: BdfMemory) -> int:
    """The step counts: renew the differences, choose order and size of the next one."""
    k = run.order_used
    note_projection(run)
    if run.level != LEVEL.GGL and run.level != LEVEL.PROJECTED:
        status = note_drift(run)
        if status:
            return status
    if run.starting:
        copy(run.Z, run.Z_old)
        if run.min_order < run.max_order:
            stages_as_history(run)
            _set_error_weights(run)
            plan_after_start(run, view(run.tableau, 0, run.stages))
            return STATUS.OK
    wait_on(run, doubling(run))
    same = run.h == run.past_sizes[0] and k == run.last_order
    run.steady = run.steady + 1 if same else 1
    run.known = renew_history(run)
    above = error_above(run, k)
    settle(run, run.known)
    if not run.starting:
        run.last_order = k
        plan_next(run, k, above)
    return STATUS.OK


@kernel
def interpolate(run: BdfMemory) -> int:
    """Coefficients of (q, v, u) and (a, λ) in nested form."""
    if run.starting:
        polynomial_of_start(run)
    else:
        polynomial_of_step(run)
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class Bdf(MultistepMethod):
    """Backward differentiation formulas of order 1 … 5, chosen in each step with its size, on the stabilised index-2
    form; dense output of the same order; for stiff systems, large ones above all, at moderate accuracy.

    Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs, code DASSL; Arnold, Fuchs, Führer,
    Efficient corrector iteration for DAE time integration in multibody dynamics.
    """

    max_order: int | None = option(None, f"highest order, 1 … {USUAL_ORDER}; {LARGEST_ORDER} with a warning")
    starter: bool = option(True, "whether a Radau step makes the first history; if not, order 1 does, as in DASSL")
    jacobian: str | Jacobian = option("auto", JACOBIAN_OPTION)
    iteration: Newton | None = option(None, NEWTON_OPTION)
    keep: float | None = option(
        None,
        "rate of convergence up to which derivatives are kept; None for 0.1 where they are exact, 0.9 for differences",
    )
    grow: float = option(1.4, "factor from which on sizes grow; 2 is DASSL's: they are doubled or kept")
    rows: str = option("residual", '"residual" M v̇ − f + Gᵀλ, or "accelerations" v̇ − M⁻¹ (f − Gᵀλ)')
    constraints: str = option(
        "ggl",
        '"ggl", on positions and velocities; "projected", on positions, velocities by projection, for large systems; '
        'for comparison, without projection, "index3" on positions, "index2" on velocities, "index1" on accelerations',
    )
    ndf: bool = option(False, "whether formulas are the numerical differentiation formulas of Shampine and Reichelt")
    velocities: bool = option(
        True, "whether velocities count in the error of a step; if not, fast vibrations are damped, not resolved"
    )

    name = "bdf"
    title = "BDF, order 1 … 5, fixed leading coefficient, on the stabilised index-2 form"
    memory = BdfMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    interpolate = interpolate
    programs = ("implicit",)
    dense_slopes = False
    largest_order, usual_order = LARGEST_ORDER, USUAL_ORDER

    def check(self) -> None:
        """Orders, strategy, iteration."""
        super().check()
        for name, known in (("rows", ROWS), ("constraints", CONSTRAINTS)):
            value = getattr(self, name)
            if value not in known:
                raise SimulationError(f"Bdf: there is no {name}='{value!s:.80}'; {suggestion(value, known)}")
        if self.keep is not None and not (isinstance(self.keep, (int, float, np.number)) and 0.0 < self.keep < 1.0):
            raise SimulationError(f"Bdf: keep must be a number between 0 and 1, got {self.keep!r:.80}")
        if not (isinstance(self.grow, (int, float, np.number)) and 1.0 < self.grow <= 2.0):
            raise SimulationError(f"Bdf: grow must be a number above 1, at most 2; got {self.grow!r:.80}")
        for name in ("ndf", "starter", "velocities"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise SimulationError(f"Bdf: {name} must be True or False, got {getattr(self, name)!r}")
        if self.constraints == "index3" and self.velocities:
            raise SimulationError(
                "Bdf: constraints='index3' needs velocities=False: errors of velocities do not get smaller with "
                "the step in this form"
            )
        if self.fixed and not self._starts:
            raise SimulationError("Bdf: steps of one order need the starter, and constraints='ggl' or 'projected'")
        if self.iteration is not None and not isinstance(self.iteration, Newton):
            raise SimulationError(f"Bdf: iteration must be a Newton(…), got {self.iteration!r}")
        jacobian_of(self.jacobian)
        if self.max_order == LARGEST_ORDER:
            warnings.warn(
                "BDF of order 6 is hardly stable: what oscillates may grow; max_order=5 is the usual choice",
                stacklevel=4,
            )

    @property
    def _starts(self) -> bool:
        """Whether a Radau step begins: it is one on the stabilised form."""
        return self.starter and self.projects

    @property
    def _stages(self) -> int:
        """Of the Radau step that begins."""
        return _STAGES if self.order <= _STAGES else _MORE_STAGES

    @property
    def form(self) -> str:  # type: ignore[override]
        """With the constraints that were asked for."""
        return CONSTRAINTS[self.constraints]

    @property
    def projects(self) -> bool:  # type: ignore[override]
        """Not where forms are compared, whose drift would be hidden."""
        return self.constraints in ("ggl", "projected")

    @property
    def error_order(self) -> int:
        """That of the first step."""
        return self._stages if self._starts else 1

    @property
    def starts_small(self) -> bool:  # type: ignore[override]
        """With order 1, unless a Radau step begins."""
        return not self._starts

    @property
    def coefficients(self) -> int:
        """Those of the highest order, and of the starter."""
        return max(self._stages, self.order) + 1

    @property
    def algebraic_coefficients(self) -> int:
        """As many."""
        return self.coefficients

    @property
    def newton(self) -> Newton:
        """Of the starter."""
        given = self.iteration or Newton()
        return Newton(given.limit or stage_iterations(self._stages), given.tolerance)

    @property
    def strategy(self) -> str | Jacobian:
        """The one that was asked for."""
        return self.jacobian

    @property
    def keep_rate(self) -> float:
        """The one that was asked for, or 0."""
        return float(self.keep or 0.0)

    @property
    def own_controller(self) -> Controller:
        """It chooses order and size itself."""
        return ByMethod(safety=0.9, shrink=SHRINK_MOST, grow=2.0)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the constants of the corrector iteration."""
        given = (self.iteration or Newton()).tolerance
        return {**super().settings, "corrector_tol": given or 0.0, "rescale_from": RESCALE_FROM, "worth": self.grow}

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Orders, and the stages of the starter."""
        lowest, highest = self.orders
        limit = (self.iteration or Newton()).limit
        return {
            "stages": self._stages, "n_real": 1, "n_complex": (self._stages - 1) // 2, "dimension": DIMENSION,
            "by_stages": -1, "n_h": sizes.q + 2 * sizes.v + sizes.u + sizes.lam,
            "depth": max(highest + 2, self._stages + 1), "min_order": lowest, "max_order": highest,
            "order_used": max(highest, 2 * self._stages - 1), "next_order": lowest, "known": 1,
            "starter": int(self._starts), "velocities": int(self.velocities),
            "corrector_limit": limit or LIMIT, "n_rows": sizes.v if self.rows == "accelerations" else 0,
            "level": list(CONSTRAINTS).index(self.constraints),
        }  # fmt: skip

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract has M, G and γ apart."""
        programs = super().programs_of(equations)
        needed = self.rows == "accelerations" or self.constraints == "index1"
        return (*programs, "contract") if needed and "contract" not in programs else programs

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """Without the entries of constraints that are left away; what is left is for comparison, and dense."""
        layout = super().lay_out(equations, providers, solver if self.projects else "dense")
        layout = layout._replace(vectors={**layout.vectors, "lessened": self._lessened})
        if self.constraints == "projected":
            if len(equations.program("contract").patterns["F"].rows):
                raise SimulationError(
                    f"Bdf: forces of '{equations.name}' depend on multipliers, as friction does, which "
                    "constraints='projected' replaces by others within a step; take constraints='ggl'"
                )
            return with_reduced_matrix(layout, equations.sizes)
        return layout if self.projects else without_constraints(layout, equations.sizes, self.constraints)

    @property
    def _lessened(self) -> NDArray[np.float64]:
        """Parts of the errors of BDF that formulas have, by orders: 1 + (k + 1) κ γ_k with γ_k = 1 + 1/2 + … + 1/k."""
        parts = np.ones(self.orders[1] + 3)
        if self.ndf:
            for k in range(1, min(len(NDF), len(parts) - 1) + 1):
                parts[k] += (k + 1) * NDF[k - 1] * sum(1.0 / j for j in range(1, k + 1))
        return parts

    def table(self) -> NDArray[np.float64]:
        """Those of the starter."""
        return radau_tables.coefficients(self._stages)
