"""Memory of Newton iterations: convergence, the age of the Jacobian and of the factors, and why they were renewed."""

from __future__ import annotations

from typing import ClassVar

from dalembert.integrate.frame.memory import COUNTERS, Memory
from dalembert.native.legend import Legend
from dalembert.native.slots import COUNT, FLAG, integer, real

ACTION = Legend(
    "what is done with the Newton matrix",
    KEEP="its factors serve as they are",
    RESCALE="its factors serve, corrections are scaled for another α (corrector (18))",
    REFACTOR="A(α) = α E(M) + K is factorised with the K and M that are kept (corrector (24), (25))",
    RENEW_M="M is evaluated anew, K kept; then as REFACTOR (corrector (25))",
    EXTEND="K follows excitations and what they drive, M is evaluated anew; then as REFACTOR (corrector (26))",
    RENEW="K and M are evaluated anew; then as REFACTOR",
    GROW="the pattern of K is estimated anew; then as RENEW",
    BY_STAGES="corrections are improved by the Jacobians of all stages",
    GIVE_UP="nothing helps but another step size",
)
RENEWAL = Legend(
    "why the Newton matrix was renewed in a step, bits for the monitor",
    bits=True,
    FIRST="there was no Jacobian",
    SLOW="the iteration of the last step converged slowly",
    FAILED="an iteration has failed with an old Jacobian",
    ALPHA="the factor α has changed: factorised only, unless such a change renews all",
    STAGES="the Jacobians of all stages were taken besides",
    PATTERN="the pattern was estimated anew, as a fresh Jacobian did not serve",
    EXTENDED="K has followed excitations and what they drive",
)


class NewtonMemory(Memory):
    """What every run of a method that iterates has."""

    counters: ClassVar[tuple[str, ...]] = (
        *COUNTERS, "renewed_first", "renewed_slow", "renewed_failed", "renewed_alpha", "renewed_pattern",
    )  # fmt: skip

    # Convergence
    newton_limit: int = integer("iterations at most", COUNT)
    newton_tol: float = real("correction that ends an iteration, in units of the tolerance")
    newton_done: int = integer("iterations of the last process", COUNT)
    theta: float = real("rate of convergence of the last iteration")
    keep_rate: float = real("rate of convergence up to which a Jacobian is kept")
    theta_new: float = real("rate of convergence with the last Jacobian while it was new")
    convergence: float = real("θ / (1 − θ): what is left of a correction")
    measured: int = integer("whether the last iteration has shown itself that its matrix serves", FLAG)

    # The Jacobian and the factors
    jacobian_age: int = integer(
        "attempts since the Jacobian was evaluated; −1 if there is none that may be used", ("-1", COUNT[1])
    )
    have_factors: int = integer("whether factors belong to the Jacobian and alpha_factored", FLAG)
    alpha_factored: float = real("1/h of the factors")

    # Why
    rescale_from: float = real("smallest ratio of α for which old factors are scaled; 0 for never")
    by_stages: int = integer(
        "whether Jacobians of all stages improve the corrections; −1 if a method has none", ("-1", "1")
    )
    updates_mass: int = integer("whether M is evaluated anew where K is kept for another α")
    renews_for_alpha: int = integer("whether K is evaluated anew for another α")
    extends: int = integer("whether K follows excitations and what they drive")
    extended_in: int = integer("number of the step, from 1, in which it has done so last", COUNT)
    pattern_estimated: int = integer("whether the pattern of K is an estimate: 1 if it is still to be made, 2 if made")
    pattern_grows: int = integer("whether the pattern of K is an estimate that may still grow in this attempt", FLAG)
    grown_in: int = integer("number of the step, from 1, in which the pattern was estimated last", COUNT)
    grow_from: int = integer("steps from which on slow convergence alone makes it grow", COUNT)
    grow_wait: int = integer("steps that an estimate which found nothing new is waited for", COUNT)
    renewed_first: int = integer("Jacobians because there was none", COUNT)
    renewed_slow: int = integer("Jacobians because of slow convergence", COUNT)
    renewed_failed: int = integer("Jacobians because an iteration had failed", COUNT)
    renewed_alpha: int = integer("Jacobians because of another α", COUNT)
    renewed_pattern: int = integer("Jacobians because their pattern was to be estimated anew", COUNT)
