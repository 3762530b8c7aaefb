"""The Newmark family on independent coordinates (thesis 3.2, 4.1: SspTrap is its member β = ¼, γ = ½), with the filters
of Hilber, Hughes and Taylor and of Chung and Hulbert.

    z1 = z0 + h ż0 + h² ((½ − β) α0 + β α1),   ż1 = ż0 + h ((1 − γ) α0 + γ α1)
    (1 − α_m) α1 + α_m α0 = (1 − α_f) z̈1 + α_f z̈0

Without filters (α_m = α_f = 0) the accelerations α of the formula are those of the motion.  Arnold, Brüls, Convergence
of the generalized-α scheme (2007).  The unknowns of the iteration are z̈1, as in (3.30), and its matrix is
E + γ'h E1 + β'h² E2 (3.43), with β' = β (1 − α_f)/(1 − α_m) and γ' likewise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.chart.chart import along, chart_norm, positions_seen, seen
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.iteration_matrix import solve_iteration
from dalembert.integrate.chart.recovery import carry_slope, count_drives, motion_at
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.newton import JUDGEMENT, begin_iteration, judge
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.renewal import KEEP_JACOBIAN, MOST_ACTIONS, before_attempt
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.state_space import (
    NEVER,
    IteratedStateSpace,
    after_stages,
    checked_filter,
    end_corrected,
    forget_chart,
    grow_older,
    hermite,
    linearise_here,
    prepare,
    return_to_start,
    take_error,
)
from dalembert.linalg.vector_operations import add, clear, copy
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.legend import Legend
from dalembert.native.slots import FLAG, integer, real, reals

NEWMARK = Legend(
    "numbers of a member of the Newmark family",
    BETA="β",
    GAMMA="γ",
    MASS="α_m",
    FORCE="α_f",
)
ESTIMATES = ("euler", "difference")


class NewmarkMemory(ChartMemory):
    """History of a member of the Newmark family."""

    by_difference: int = integer("whether the error is estimated from three accelerations")
    filters: int = integer("whether the error is filtered by the matrix of the iteration")
    off_center: float = real("γ − ½ of a member without filters of its own")
    have_past: int = integer("whether there is a step before this one", FLAG)
    x_rate1: Reals = reals("n_s", "ẋ at the end of the step: unknowns of the iteration are z̈ and u̇")
    formula0: Reals = reals("n_f", "accelerations α of the formula at the start of the step")
    formula1: Reals = reals("n_f", "those at its end")
    lag: Reals = reals("n_v", "what accelerations of the formula have more than the motion, along all velocities")
    past: Reals = reals("n_q", "T a + Ṫ v at the start of the last step")
    past_rates: Reals = reals("n_u", "u̇ there")


@compiled
def _set_start(run: NewmarkMemory) -> None:
    """Accelerations of the formula at the start, and an estimate of those at the end: they stay."""
    f = run.n_f
    seen(run.chart_V, run.lag, run.formula0)
    if run.have_past:  # what they have more is in proportion to the step
        for j in range(f):
            run.formula0[j] *= run.h / run.h_old
    add(view(run.x_rate0, f, f), run.formula0)
    copy(run.x_rate0, run.x_rate1)


@compiled
def _integrate(run: NewmarkMemory) -> None:
    """x at the end of the step from z̈1 and u̇1."""
    f, h, numbers = run.n_f, run.h, run.tableau
    beta, gamma = numbers[NEWMARK.BETA], numbers[NEWMARK.GAMMA]
    mass, force = numbers[NEWMARK.MASS], numbers[NEWMARK.FORCE]
    x0, x, first, last = run.x0, run.x_stage, run.formula0, run.formula1
    for j in range(f):
        filtered = (1.0 - force) * run.x_rate1[f + j] + force * run.x_rate0[f + j]
        last[j] = (filtered - mass * first[j]) / (1.0 - mass)
        x[j] = x0[j] + h * x0[f + j] + h * h * ((0.5 - beta) * first[j] + beta * last[j])
        x[f + j] = x0[f + j] + h * ((1.0 - gamma) * first[j] + gamma * last[j])
    for k in range(2 * f, run.n_s):
        x[k] = x0[k] + h * ((1.0 - gamma) * run.x_rate0[k] + gamma * run.x_rate1[k])


@compiled
def _solve(run: NewmarkMemory, c: float, c_second: float, anew: bool) -> int:
    """Iterate for z̈1 and u̇1; anew, with derivatives of the estimated end."""
    f, n, right = run.n_f, run.n_s, run.x_right
    _set_start(run)
    return_to_start(run)
    begin_iteration(run)
    before = 0.0
    for iteration in range(run.newton_limit):
        _integrate(run)
        status = motion_at(run, run.t_new, run.x_stage, run.x_rate)
        if status == STATUS.OK and anew and iteration == 0:
            status = linearise_here(run, c, c_second)
        if status:
            return status
        clear(view(right, 0, f))
        for k in range(f, n):
            right[k] = run.x_rate[k] - run.x_rate1[k]
        solve_iteration(run, right, 0.0)
        for k in range(f, n):
            run.x_rate1[k] += right[k]
        # The correction of the state that belongs to that of the accelerations.
        for j in range(f):
            right[j] = c_second * right[f + j]
        for k in range(f, n):
            right[k] *= c
        size = chart_norm(run, right)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED:
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _iterate(run: NewmarkMemory) -> int:
    """The end of the step, with a chart and a matrix as fresh as it needs them."""
    h, numbers = run.h, run.tableau
    share = (1.0 - numbers[NEWMARK.FORCE]) / (1.0 - numbers[NEWMARK.MASS])
    c, c_second = numbers[NEWMARK.GAMMA] * share * h, numbers[NEWMARK.BETA] * share * h * h
    action = before_attempt(run, 1.0 / c)
    status = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        status = prepare(run, action, c, c_second)
        if status:
            return status
        status = _solve(run, c, c_second, False)
        if status == STATUS.NEWTON_FAILED:
            status = _solve(run, c, c_second, True)
        action = after_stages(run, status, 1.0 / c)
        if action == ACTION.GIVE_UP:
            break
    return status


@compiled
def _estimate(run: NewmarkMemory) -> None:
    """The difference to backward Euler with the same accelerations, or what a third difference of velocities says."""
    f, h, n, error = run.n_f, run.h, run.n_s, run.x_right
    a0, a1 = run.x_rate0, run.x_rate1
    if not run.by_difference:
        for j in range(f):
            error[j] = run.x_stage[j] - (run.x0[j] + h * run.x0[f + j] + h * h * a1[f + j])
        for k in range(f, n):
            error[k] = run.x_stage[k] - (run.x0[k] + h * a1[k])
        _take(run, error)
        return
    past = run.x_trial
    clear(past)
    if run.have_past:
        positions_seen(run, run.past, view(past, f, f))
        copy(run.past_rates, view(past, 2 * f, run.n_u))
    for k in range(f, n):
        slope = (a1[k] - a0[k]) / h
        bend = 2.0 * (slope - (a0[k] - past[k]) / run.h_old) / (h + run.h_old) if run.have_past else slope / h
        # Of the trapezoidal rule, and what the formula is off it; α-methods make up for that by their filters.
        error[k] = h * h * h / 12.0 * bend + run.off_center * h * (a1[k] - a0[k])
    beta = run.tableau[NEWMARK.BETA]
    for j in range(f):
        error[j] = (beta - 1.0 / 6.0) * h * h * (a1[f + j] - a0[f + j])
    _take(run, error)


@compiled
def _take(run: NewmarkMemory, error: Reals) -> None:
    """The error of the step, filtered if wanted."""
    if run.filters:
        solve_iteration(run, error, 0.0)
    take_error(run, error)


@kernel
def forget(run: NewmarkMemory) -> int:
    """No history: neither accelerations of the formula nor those of an earlier step."""
    clear(run.lag)
    run.have_past = 0
    forget_chart(run)
    return STATUS.OK


@kernel
def attempt(run: NewmarkMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    status = _iterate(run)
    if status:
        return status
    status = end_corrected(run)
    if status:
        return status
    copy(run.x_rate1, run.x_slope)
    _integrate(run)
    _estimate(run)
    return count_drives(run)


@kernel
def accepted(run: NewmarkMemory) -> int:
    """What the formula's accelerations have more than the motion's goes on; as a motion along the constraints."""
    f, more = run.n_f, run.along_f
    for j in range(f):
        more[j] = run.formula1[j] - run.x_rate1[f + j]
    clear(run.lag)
    along(run, more, run.lag)
    copy(run.bend, run.past)
    copy(view(run.x_rate0, 2 * f, run.n_u), run.past_rates)
    run.have_past = 1
    grow_older(run)
    return carry_slope(run)


@dataclass(frozen=True, kw_only=True)
class Newmark(IteratedStateSpace):
    """A member of the Newmark family on independent coordinates: the trapezoidal rule unless numbers are given, order 2
    for γ = ½ + α_f − α_m.

    ``rho`` asks for the generalised-α method with this spectral radius at infinity, ``alpha`` for HHT-α; else ``beta``
    and ``gamma`` count.

    Negrut, thesis, 3.2, 4.1 (SspTrap); Newmark 1959; Hilber, Hughes, Taylor 1977; Chung, Hulbert 1993.
    """

    beta: float = option(0.25, "β")
    gamma: float = option(0.5, "γ; other values than ½ make the method one of order 1, with damping above ½")
    alpha: float | None = option(None, "α of the HHT method, between −1/3 and 0")
    rho: float | None = option(None, "spectral radius at infinity of the generalised-α method, between 0 and 1")
    estimate: str = option(
        "euler", 'the error: difference to backward "euler", or a "difference" of three accelerations'
    )
    filtered: bool = option(False, "whether the error is filtered by the matrix of the iteration")

    memory = NewmarkMemory
    begin = forget
    attempt = attempt
    accepted = accepted
    interpolate = hermite

    def check(self) -> None:
        """Numbers, estimate, filter."""
        super().check()
        checked_filter(self)
        if self.alpha is not None and self.rho is not None:
            raise SimulationError("Newmark: give alpha (HHT) or rho (generalised-α), not both")
        bounds = {"beta": (0.0, 1.0), "gamma": (0.0, 2.0), "alpha": (-1 / 3, 0.0), "rho": (0.0, 1.0)}
        for name, (least, largest) in bounds.items():
            value = getattr(self, name)
            if value is None and name in ("alpha", "rho"):
                continue
            if not (isinstance(value, (int, float, np.number)) and least <= value <= largest):
                raise SimulationError(
                    f"Newmark: {name} must be a number between {least:.3g} and {largest:.3g}, got {value!r:.40}"
                )
        if self.beta <= 0.0 or self.gamma <= 0.0:
            raise SimulationError("Newmark: beta and gamma must be positive; explicit members are no implicit methods")
        if not isinstance(self.estimate, str) or self.estimate not in ESTIMATES:
            raise SimulationError(
                f"Newmark: there is no estimate '{self.estimate!s:.40}'; {suggestion(str(self.estimate), ESTIMATES)}"
            )

    @cached_property
    def numbers(self) -> tuple[float, float, float, float]:
        """β, γ, α_m, α_f."""
        if self.rho is not None:
            mass, force = (2 * self.rho - 1) / (self.rho + 1), self.rho / (self.rho + 1)
        elif self.alpha is not None:
            mass, force = 0.0, -float(self.alpha)
        else:
            return float(self.beta), float(self.gamma), 0.0, 0.0
        gamma = 0.5 + force - mass
        return 0.25 * (gamma + 0.5) ** 2, gamma, mass, force

    @property
    def name(self) -> str:  # type: ignore[override]
        """By what was given."""
        if self.rho is not None:
            return "generalised_alpha"
        if self.alpha is not None:
            return "hht"
        return "trapezoidal" if (self.beta, self.gamma) == (0.25, 0.5) else "newmark"

    @property
    def title(self) -> str:
        """With its numbers."""
        kind = {
            "generalised_alpha": f"generalised-α, ρ = {self.rho}", "hht": f"HHT-α, α = {self.alpha}",
            "trapezoidal": "trapezoidal rule",
        }.get(self.name, f"Newmark, β = {self.beta}, γ = {self.gamma}")  # fmt: skip
        return f"{kind}, order {self.order}, on independent coordinates"

    @property
    def order(self) -> int:
        """Two, where γ lets it."""
        _, gamma, mass, force = self.numbers
        return 2 if abs(gamma - (0.5 + force - mass)) < 1e-12 else 1

    @property
    def error_order(self) -> int:
        """That of backward Euler, or one less than what three accelerations tell."""
        return 1 if self.estimate == "euler" else self.order

    @property
    def keep_rate(self) -> float:
        """Steps are many and short: iterations shall leave little."""
        return KEEP_JACOBIAN if self.keeps else NEVER

    @property
    def dense_order(self) -> int:
        """The polynomial is better than the ends of steps, whose error it has."""
        return self.order - 1

    @property
    def coefficients(self) -> int:
        """Those of a quintic polynomial."""
        return 6

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """With its estimate."""
        if equations.sizes.u and (self.alpha is not None or self.rho is not None):
            raise SimulationError(
                f"'{self.name}' has no filter for external states, which '{equations.name}' has; take 'trapezoidal' or "
                "'sdirk4'"
            )
        made = super().lay_out(equations, providers, solver)
        own = {"by_difference": int(self.estimate == "difference"), "filters": int(self.filtered)}
        return made._replace(values={**made.values, **own})

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With what velocities have of first order."""
        _, gamma, mass, force = self.numbers
        return {**super().settings, "off_center": gamma - 0.5 - force + mass}

    def table(self) -> NDArray[np.float64]:
        """Its numbers."""
        return np.array(self.numbers)
