"""Linearly implicit Euler and trapezoidal methods with steps of one size, on the stabilised index-2 form.

One matrix and one solution in a step, no iteration: F(t, y, ẏ, λ) = 0 is replaced by its tangent at the start, where
ẏ₀ and λ₀ are those of the motion (Hairer, Wanner, Solving ODEs II, IV.7, one stage with γ = θ):

    ((1/θΔ) E(M) + K) (y₁ − y₀, μ, (λ − λ₀)/θ) = (1/θ) E(M) ẏ₀ − F(t₁, y₀, ẏ₀, λ₀)

in the rows of differential equations; those of constraints are g and G v + gI at t₁, linear in q₁ and v₁.  What these
leave, of the size Δ², would move coordinates along Cᵀ μ and cost the second order: for θ = 1/2 one more solution with
the same factors takes it away.  θ = 1 is the linearly implicit Euler method, of order 1 and L-stable; θ = 1/2 the
trapezoidal (or midpoint) rule, of order 2 and A-stable.  K has all derivatives of forces by q and v, not only the
viscous parts that "imex" takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import Jacobian, chosen_jacobian, jacobian_of, jacobian_programs
from dalembert.integrate.implicit.layout import lay_out_implicit
from dalembert.integrate.implicit.newton_matrix import factor_real, renew_jacobian, solve_real, times_E
from dalembert.integrate.implicit.residual import (
    add_rates,
    call_implicit,
    differential,
    load_stage,
    load_start,
    multipliers_at_start,
    stage_residual,
)
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.integrate.methods.method import option
from dalembert.linalg.vector_operations import add, clear, copy, negate
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import real, reals


class LinearlyImplicitMemory(ImplicitMemory):
    """What a linearly implicit step has besides the Jacobian and its factors."""

    theta_step: float = real("θ: 1 for Euler's method, 1/2 for the trapezoidal rule")
    x_rates: Reals = reals("n_x", "(q̇, v̇, 0, 0, u̇) at the start")
    x_step: Reals = reals("n_x", "residuals, then the increments of the step")


@compiled
def _remainder(run: LinearlyImplicitMemory, x: Reals, out: Reals) -> int:
    """−g and −(G v + gI) at y0 + x, in their rows."""
    n_g, n_lam, at = run.n_g, run.n_lam, run.n_q + run.n_v
    load_stage(run, run.t_now + run.h, run.y0, x)
    if call_implicit(run, IMPLICIT.g | IMPLICIT.gv, STAGE.T):
        return STATUS.RAISED
    clear(out)
    negate(run.implicit_g, view(out, at, n_g))
    negate(run.implicit_gv, view(out, at + n_g, n_lam))
    return STATUS.OK


@kernel
def attempt(run: LinearlyImplicitMemory) -> int:
    """One step of size h from y0: leaves y1; there is no error."""
    theta, h, rates, x, right = run.theta_step, run.h, run.x_rates, run.x_step, run.x_right
    load_start(run)
    status = renew_jacobian(run)
    if status:
        return status
    status = factor_real(run, 0, 1.0 / (theta * h))
    if status:
        return status
    clear(rates)
    add_rates(run, run.rate0, rates)
    copy(rates, x)
    clear(right)
    multipliers_at_start(run, right)
    status = stage_residual(run, run.t_now + h, right, x)
    if status:
        return status
    times_E(run, rates, right)
    for k in range(x.size):
        right[k] = right[k] / theta - x[k]
    solve_real(run, 0, right)
    if theta < 1.0:
        copy(right, x)
        status = _remainder(run, x, right)
        if status:
            return status
        solve_real(run, 0, right)
        add(x, right)
    copy(run.y0, run.y1)
    differential(run, right, run.error_vector)
    add(run.error_vector, run.y1)
    run.error = 0.0
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class _LinearlyImplicit(FixedStepMethod):
    """One matrix and one solution in a step."""

    jacobian: str | Jacobian = option(
        "auto", 'Jacobian(…), or "exact", "dense", "grouped"; "auto": exact where derivatives are known, else grouped'
    )

    memory = LinearlyImplicitMemory
    attempt = attempt
    programs = ("implicit",)
    form = "stabilised index 2 (Gear, Gupta, Leimkuhler), linear in each step, projected"
    #: part of the step at whose end forces are taken
    theta = 1.0

    def check(self) -> None:
        """The size, and strategies that serve without an iteration."""
        super().check()
        wanted, name = jacobian_of(self.jacobian), type(self).__name__
        if wanted.pattern == "estimated":
            raise SimulationError(
                f"{name}: jacobian='estimated' is for methods with an iteration, which shows by its convergence that "
                "entries are missing; here these would be errors. Ask for 'grouped', 'dense' or 'exact'"
            )
        if wanted.update in ("partitioned", "extended"):
            raise SimulationError(
                f"{name}: update='{wanted.update}' keeps derivatives, which here are those of each step. Leave update "
                "away"
            )

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With θ."""
        return {**super().settings, "theta_step": self.theta}

    @property
    def dense_order(self) -> int:
        """Between steps the error is that of their ends."""
        return self.order - 1

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """With what differences need, where functions are called back."""
        provider = equations.program("implicit")
        chosen = chosen_jacobian(self._strategy(provider), provider, "none")
        return *self.programs, *(name for name in jacobian_programs(chosen) if not equations.lacks(name))

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of the Jacobian."""
        return lay_out_implicit(equations, providers, self._strategy(providers["implicit"]), solver, "none")

    def _strategy(self, provider: Provider) -> Jacobian:
        """What was asked for; left away, exact derivatives, and of functions that are called back differences with the
        pattern that is known, as nothing would show what an estimate lacks."""
        wanted = jacobian_of(self.jacobian)
        if provider.exact or wanted.evaluation == "exact" or wanted.pattern != "auto":
            return wanted
        return replace(wanted, evaluation="differences", pattern="known")

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """One real matrix."""
        return {"n_real": 1, "n_complex": 0}


@dataclass(frozen=True, kw_only=True)
class LinearlyImplicitEuler(_LinearlyImplicit):
    """Linearly implicit Euler method of order 1, L-stable, with steps of one size and exact derivatives of all forces;
    dense output of order 1; for all builders.

    Hairer, Wanner, Solving ODEs II, IV.7; VI.6.
    """

    name = "linear_euler"
    title = "linearly implicit Euler, order 1, steps of one size"
    order = 1
    theta = 1.0


@dataclass(frozen=True, kw_only=True)
class LinearlyImplicitTrapezoidal(_LinearlyImplicit):
    """Linearly implicit trapezoidal rule of order 2, A-stable, with steps of one size and exact derivatives of all
    forces; dense output of order 2; for all builders.

    Hairer, Wanner, Solving ODEs II, IV.7; VI.6.
    """

    name = "linear_trapezoidal"
    title = "linearly implicit trapezoidal rule, order 2, steps of one size"
    order = 2
    theta = 0.5
