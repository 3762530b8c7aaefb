"""Strategies for Jacobians: derivatives of the rows of the program "implicit" by q, v, a, λ, μ, u, at the point.

Inputs from the stage ``changed`` on are new there.

All of them leave their values in the slot ``jacobian``, entry by entry of one pattern; K = ∂F/∂x and M are taken out
of it (:mod:`~dalembert.integrate.implicit.newton_matrix`).  Differences are those of
:mod:`~dalembert.integrate.implicit.differences`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.differences import take_differences
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.residual import call_implicit
from dalembert.linalg.grouping import longest_row
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Kernel, kernel, view
from dalembert.native.legend import Legend

#: Rows of black boxes with so many entries are worth an estimate of those that they have in truth.
_WORTH_ESTIMATING = 20
#: Columns and rows of patterns that are estimated: differences of all rows by all columns are kept.
LARGEST_ESTIMATE = 4000

KIND = Legend(
    "what a Jacobian strategy does",
    EXACT="derivatives of the equations",
    FULL="differences of single columns",
    GROUPED="differences of groups of columns",
)


@kernel
def exact(run: ImplicitMemory) -> int:
    """Derivatives that the equations have."""
    return STATUS.RAISED if call_implicit(run, IMPLICIT.jacobian, run.changed) else STATUS.OK


@kernel
def implicit_rows(run: ImplicitMemory) -> int:
    """All rows of the program at the point, one after the other; as they were evaluated last where nothing is new."""
    n_q, n_v, n_g, n_lam, n_u, out = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u, run.rows_after
    request = IMPLICIT.qdot | IMPLICIT.residual | IMPLICIT.g | IMPLICIT.gv | IMPLICIT.d
    if run.changed <= STAGE.T and call_implicit(run, request, STAGE.T):
        return STATUS.RAISED
    copy(run.implicit_qdot, view(out, 0, n_q))
    copy(run.residual, view(out, n_q, n_v))
    copy(run.implicit_g, view(out, n_q + n_v, n_g))
    copy(run.implicit_gv, view(out, n_q + n_v + n_g, n_lam))
    copy(run.implicit_d, view(out, n_q + n_v + n_g + n_lam, n_u))
    return STATUS.OK


@kernel
def differences(run: ImplicitMemory) -> int:
    """Forward differences of the rows, group by group of columns (corrector (16), (17), (20))."""
    return take_differences(run)


# ----------------------------------------------------------------------------------------------------------- options

#: Values of the fields of the option, and what short names stand for.
_CHOICES = {
    "evaluation": ("auto", "exact", "differences"),
    "pattern": ("auto", "full", "known", "estimated"),
    "update": ("auto", "none", "partitioned", "extended"),
}


@dataclass(frozen=True)
class Jacobian:
    """How an implicit method on the stabilised index-2 form finds its Jacobian, and what it does to keep it.

    Short names stand for the most usual ones: "auto" for ``Jacobian()``; "exact"; "dense", "grouped" and "estimated"
    for differences with the full pattern, the known one and an estimated one.

    :param evaluation: "exact" derivatives of the equations, or "differences" of their rows; "auto": exact where all
        functions are traced
    :param pattern: of differences: "full", one evaluation for each column; "known", columns without a common row
        together, as the equations tell which entries there are; "estimated", the same from differences at the start,
        and anew where convergence is slow; "auto" is "known", and "estimated" where functions that are called back in
        Python fill long rows, as nobody knows what they depend on
    :param update: what is done for another step size: "none", the Jacobian is evaluated anew; "partitioned", only the
        mass matrix is; "extended", besides that it follows excitations and what these drive, by derivatives that are
        found once; "auto": as the method does by itself
    :param known_columns: whether derivatives by accelerations and by the multipliers μ come from M, T and C; else they
        are differenced too
    :param excitations: names of excitations, driven coordinates and constraints that "extended" follows; all if left
        away
    """

    evaluation: str = "auto"
    pattern: str = "auto"
    update: str = "auto"
    known_columns: bool = True
    excitations: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in known:
                raise SimulationError(f"Jacobian: there is no {name} '{value!s:.80}'; {suggestion(value, known)}")
        if not isinstance(self.known_columns, bool):
            raise SimulationError(f"Jacobian: known_columns must be True or False, got {self.known_columns!r:.80}")
        if self.evaluation == "exact" and self.pattern != "auto":
            raise SimulationError(
                f"Jacobian: pattern='{self.pattern}' is for evaluation='differences'; exact derivatives have their own"
            )
        if self.excitations is None:
            return
        if self.update != "extended":
            raise SimulationError("Jacobian: excitations are for update='extended'; leave them away")
        if (
            isinstance(self.excitations, str)
            or not isinstance(self.excitations, Sequence)
            or not all(isinstance(name, str) for name in self.excitations)
        ):
            raise SimulationError(f"Jacobian: excitations must be a list of names, got {self.excitations!r:.80}")
        object.__setattr__(self, "excitations", tuple(self.excitations))


#: By their short names.
SHORT_NAMES = {
    "auto": Jacobian(),
    "exact": Jacobian("exact"),
    "dense": Jacobian("differences", "full"),
    "grouped": Jacobian("differences", "known"),
    "estimated": Jacobian("differences", "estimated"),
}


def jacobian_of(given: str | Jacobian) -> Jacobian:
    """The option that a short name stands for, or the option itself."""
    if isinstance(given, Jacobian):
        return given
    if not isinstance(given, str) or given not in SHORT_NAMES:
        raise SimulationError(
            f"there is no Jacobian strategy '{given!s:.80}'; {suggestion(given, SHORT_NAMES)}, or a Jacobian(…)"
        )
    return SHORT_NAMES[given]


def chosen_jacobian(given: str | Jacobian, provider: Provider, update: str) -> Jacobian:
    """With everything chosen that was left to be: exact where the program "implicit" has derivatives, the update that a
    method has by itself."""
    wanted = jacobian_of(given)
    evaluation = wanted.evaluation
    if evaluation == "auto":
        evaluation = "exact" if provider.exact and wanted.pattern == "auto" else "differences"
    if evaluation == "exact" and not provider.exact:
        raise SimulationError(
            "jacobian='exact' needs derivatives of all functions; some are called back in Python. Ask for 'grouped', "
            "'estimated' or 'dense' differences"
        )
    pattern = wanted.pattern
    if pattern == "auto" and evaluation == "differences":
        known = provider.patterns["jacobian"]
        unclear = not provider.exact and longest_row(known.rows, known.columns) >= _WORTH_ESTIMATING
        pattern = "estimated" if unclear and known.shape[0] <= LARGEST_ESTIMATE else "known"
    return replace(
        wanted, evaluation=evaluation, pattern=pattern, update=update if wanted.update == "auto" else wanted.update
    )


def jacobian_kernel(chosen: Jacobian) -> Kernel:
    """What evaluates it."""
    return exact if chosen.evaluation == "exact" else differences


def jacobian_kind(chosen: Jacobian) -> int:
    """The same in a word."""
    if chosen.evaluation == "exact":
        return KIND.EXACT
    return KIND.FULL if chosen.pattern == "full" else KIND.GROUPED


def jacobian_programs(chosen: Jacobian) -> tuple[str, ...]:
    """What it needs of the equations besides the program "implicit", as far as they have it."""
    if chosen.update == "extended":
        return "contract", "excited"
    return () if chosen.evaluation == "exact" and chosen.update != "partitioned" else ("contract",)
