"""Strategies for Jacobians: derivatives of the rows of the program "implicit" by q, v, a, λ, μ, u, at the point.

Inputs from the stage ``changed`` on are new there.

All of them leave their values in the slot ``jacobian``, entry by entry of one pattern; K = ∂F/∂x and M are taken out
of it (:mod:`~dalembert.integrate.implicit.newton_matrix`).  Columns that have no row in common are differenced together
(:mod:`~dalembert.linalg.grouping`), after Arnold, Fuchs, Führer, *Efficient corrector iteration for DAE time
integration in multibody dynamics* (corrector).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dalembert.equations.contract.convention import CONTRACT, IMPLICIT, STAGE
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.residual import call_implicit
from dalembert.linalg.grouping import longest_row
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Kernel, Reals, compiled, kernel, reals_at, view
from dalembert.native.legend import Legend

_ROOT_EPS = 1.4901161193847656e-08
#: Rows of black boxes with so many entries are worth an estimate of those that they have in truth.
_WORTH_ESTIMATING = 20
#: Columns and rows of patterns that are estimated: differences of all rows by all columns are kept.
LARGEST_ESTIMATE = 4000
#: No column is in this group; known ones are in none either, −1.
_NO_GROUP = -2

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


@compiled
def gather_columns(run: ImplicitMemory, x: Reals) -> None:
    """The columns q, v, a, λ, μ, u at the point of evaluation."""
    n_q, n_v, n_lam, n_g, n_u = run.n_q, run.n_v, run.n_lam, run.n_g, run.n_u
    copy(run.q, view(x, 0, n_q))
    copy(run.v, view(x, n_q, n_v))
    copy(run.a, view(x, n_q + n_v, n_v))
    copy(run.lam, view(x, n_q + 2 * n_v, n_lam))
    copy(run.mu, view(x, n_q + 2 * n_v + n_lam, n_g))
    copy(run.u, view(x, n_q + 2 * n_v + n_lam + n_g, n_u))


@compiled
def _move_part(run: ImplicitMemory, group: int, at: int, target: Reals) -> None:
    x, increment, groups = run.column_value, run.increment, run.column_group
    for k in range(target.size):
        target[k] = x[at + k] + (increment[at + k] if groups[at + k] == group else 0.0)


@compiled
def _move(run: ImplicitMemory, group: int) -> None:
    """Move the columns of a group by their increments, all others back."""
    n_q, n_v, n_lam, n_g = run.n_q, run.n_v, run.n_lam, run.n_g
    _move_part(run, group, 0, run.q)
    _move_part(run, group, n_q, run.v)
    _move_part(run, group, n_q + n_v, run.a)
    _move_part(run, group, n_q + 2 * n_v, run.lam)
    _move_part(run, group, n_q + 2 * n_v + n_lam, run.mu)
    _move_part(run, group, n_q + 2 * n_v + n_lam + n_g, run.u)


@compiled
def _rows(run: ImplicitMemory, out: Reals) -> int:
    """All rows of the program at the point, one after the other."""
    run.nfev_jacobian += 1
    if call_implicit(run, IMPLICIT.qdot | IMPLICIT.residual | IMPLICIT.g | IMPLICIT.gv | IMPLICIT.d, STAGE.T):
        return STATUS.RAISED
    _take_rows(run, out)
    return STATUS.OK


@compiled
def _take_rows(run: ImplicitMemory, out: Reals) -> None:
    """All rows of the program as they were evaluated last."""
    n_q, n_v, n_g, n_lam, n_u = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u
    copy(run.implicit_qdot, view(out, 0, n_q))
    copy(run.residual, view(out, n_q, n_v))
    copy(run.implicit_g, view(out, n_q + n_v, n_g))
    copy(run.implicit_gv, view(out, n_q + n_v + n_g, n_lam))
    copy(run.implicit_d, view(out, n_q + n_v + n_g + n_lam, n_u))


@compiled
def set_increments(run: ImplicitMemory) -> None:
    """By how much each column is moved: √ε of its size, which below atol/rtol, but at most the size that the mechanism
    gives to it, counts as that.

    Rows are linear in a and μ: these move by their whole size, which leaves no error but rounding.
    """
    x, increment, atol, rtol, scale = run.column_value, run.increment, run.atol, run.rtol, run.scale
    reaction = 0.0
    for k in range(run.n_lam):
        reaction = max(reaction, abs(run.lam[k]))
    if reaction == 0.0:
        reaction = 1.0
    n_q, n_v, n_u = run.n_q, run.n_v, run.n_u
    at_u = x.size - n_u
    part = _ROOT_EPS * (1.0 + run.coarser)
    for k in range(x.size):
        if k < n_q + n_v:
            size = max(abs(x[k]) + min(atol[k] / rtol, scale[k]), abs(run.h * run.rate0[k])) * part
        elif k >= at_u:
            i = n_q + n_v + k - at_u
            size = max(abs(x[k]) + min(atol[i] / rtol, scale[i]), abs(run.h * run.rate0[i])) * part
        elif k < n_q + 2 * n_v or k >= n_q + 2 * n_v + run.n_lam:
            size = max(1.0, abs(x[k]))
        else:
            size = max(reaction, abs(x[k])) * part
        increment[k] = (x[k] + size) - x[k]  # what is really added


@compiled
def _begin_differences(run: ImplicitMemory) -> int:
    """The point, increments, and the rows there, which are known where a residual was the last thing evaluated."""
    gather_columns(run, run.column_value)
    set_increments(run)
    if run.changed > STAGE.T:
        _take_rows(run, run.rows_before)
        return STATUS.OK
    return _rows(run, run.rows_before)


@compiled
def _end_differences(run: ImplicitMemory) -> None:
    """Back to the point; the program has seen others."""
    _move(run, _NO_GROUP)
    run.changed = STAGE.T


@compiled
def fill_known(run: ImplicitMemory) -> int:
    """Derivatives by a, and by μ, are M and −T Cᵀ of the contract: no differences are needed for them."""
    if call_contract(run, CONTRACT.M | CONTRACT.T | CONTRACT.C, STAGE.P):
        return STATUS.RAISED
    run.factored = 0
    out, M, place = run.jacobian, run.M, run.known_mass
    for k in range(place.size):
        out[place[k]] = M[k]
    T, C, place, in_T, in_C = run.T, run.C, run.known_drift, run.known_T, run.known_C
    for k in range(place.size):
        out[place[k]] = 0.0
    for k in range(place.size):
        out[place[k]] -= T[in_T[k]] * C[in_C[k]]
    return STATUS.OK


@kernel
def differences(run: ImplicitMemory) -> int:
    """Forward differences of the rows, group by group of columns (corrector (16), (17), (20))."""
    before, after = run.rows_before, run.rows_after
    status = _begin_differences(run)
    if status:
        return status
    entries, start, rows, columns = run.entry_group, run.group_start, run.entry_row, run.entry_column
    increment, out = run.increment, run.jacobian
    for group in range(run.n_groups):
        _move(run, group)
        status = _rows(run, after)
        if status:
            return status
        for at in range(start[group], start[group + 1]):
            k = entries[at]
            out[k] = (after[rows[k]] - before[rows[k]]) / increment[columns[k]]
    _end_differences(run)
    return fill_known(run) if run.knows_columns else STATUS.OK


@compiled
def set_column(run: ImplicitMemory, k: int, value: float) -> None:
    """Move one column, all others stay."""
    n_q, n_v, n_lam, n_g = run.n_q, run.n_v, run.n_lam, run.n_g
    if k < n_q:
        run.q[k] = value
    elif k < n_q + n_v:
        run.v[k - n_q] = value
    elif k < n_q + 2 * n_v:
        run.a[k - n_q - n_v] = value
    elif k < n_q + 2 * n_v + n_lam:
        run.lam[k - n_q - 2 * n_v] = value
    elif k < n_q + 2 * n_v + n_lam + n_g:
        run.mu[k - n_q - 2 * n_v - n_lam] = value
    else:
        run.u[k - n_q - 2 * n_v - n_lam - n_g] = value


@kernel
def all_differences(run: ImplicitMemory) -> int:
    """What all rows change by where each column that is not known is moved by its increment, column by column, in the
    workspace of the run; an estimate of the pattern (corrector, 3.1)."""
    status = _begin_differences(run)
    if status:
        return status
    n, x, before, after, increment = run.n_x, run.column_value, run.rows_before, run.rows_after, run.increment
    found = reals_at(run.all_differences_work, n * run.n_columns)
    for k in range(run.n_columns):
        if run.column_group[k] < 0:
            continue
        set_column(run, k, x[k] + increment[k])
        status = _rows(run, after)
        if status:
            return status
        set_column(run, k, x[k])
        for i in range(n):
            found[k * n + i] = after[i] - before[i]
    _end_differences(run)
    return STATUS.OK


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
