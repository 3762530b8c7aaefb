"""Strategies for Jacobians: derivatives of the rows of the program "implicit" by q, v, a, λ, μ, u, at the point.

Inputs from the stage ``changed`` on are new there.

All of them leave their values in the slot ``jacobian``, entry by entry of one pattern; K = ∂F/∂x and M are taken out
of it (:mod:`~dalembert.integrate.implicit.newton_matrix`).  Columns that have no row in common are differenced together
(:mod:`~dalembert.linalg.grouping`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dalembert.equations.contract.convention import IMPLICIT, STAGE
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.residual import call_implicit
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Kernel, Reals, compiled, kernel, view

if TYPE_CHECKING:
    from dalembert.equations.contract.provider import Pattern, Provider

_ROOT_EPS = 1.4901161193847656e-08


@kernel
def exact(run: ImplicitMemory) -> int:
    """Derivatives that the equations have."""
    return STATUS.RAISED if call_implicit(run, IMPLICIT.jacobian, run.changed) else STATUS.OK


@compiled
def _gather(run: ImplicitMemory, x: Reals) -> None:
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
    n_q, n_v, n_g, n_lam, n_u = run.n_q, run.n_v, run.n_g, run.n_lam, run.n_u
    run.nfev_jacobian += 1
    if call_implicit(run, IMPLICIT.qdot | IMPLICIT.residual | IMPLICIT.g | IMPLICIT.gv | IMPLICIT.d, STAGE.T):
        return STATUS.RAISED
    copy(run.implicit_qdot, view(out, 0, n_q))
    copy(run.residual, view(out, n_q, n_v))
    copy(run.implicit_g, view(out, n_q + n_v, n_g))
    copy(run.implicit_gv, view(out, n_q + n_v + n_g, n_lam))
    copy(run.implicit_d, view(out, n_q + n_v + n_g + n_lam, n_u))
    return STATUS.OK


@compiled
def _set_increments(run: ImplicitMemory) -> None:
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
    for k in range(x.size):
        if k < n_q + n_v:
            size = max(abs(x[k]) + min(atol[k] / rtol, scale[k]), abs(run.h * run.rate0[k])) * _ROOT_EPS
        elif k >= at_u:
            i = n_q + n_v + k - at_u
            size = max(abs(x[k]) + min(atol[i] / rtol, scale[i]), abs(run.h * run.rate0[i])) * _ROOT_EPS
        elif k < n_q + 2 * n_v or k >= n_q + 2 * n_v + run.n_lam:
            size = max(1.0, abs(x[k]))
        else:
            size = max(reaction, abs(x[k])) * _ROOT_EPS
        increment[k] = (x[k] + size) - x[k]  # what is really added


@kernel
def differences(run: ImplicitMemory) -> int:
    """Forward differences of the rows, group by group of columns (corrector (16), (17), (20))."""
    x, before, after = run.column_value, run.rows_before, run.rows_after
    _gather(run, x)
    _set_increments(run)
    status = _rows(run, before)
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
    _move(run, -1)
    return STATUS.OK


@dataclass(frozen=True)
class Strategy:
    """How derivatives are found: the kernel, and which entries it fills."""

    kernel: Kernel
    exact: bool = False  # needs derivatives of the equations, and no groups of columns
    dense: bool = False  # fills all entries, not only those that are known

    def pattern(self, known: Pattern) -> Pattern:
        """The entries that it fills, column by column."""
        if not self.dense:
            return known
        rows, columns = known.shape
        j, i = np.divmod(np.arange(rows * columns), rows)
        return type(known)(known.shape, i, j)


#: By name; "auto" is "exact" where the equations have derivatives, "grouped" where not.
STRATEGIES = {
    "exact": Strategy(exact, exact=True),
    "dense": Strategy(differences, dense=True),
    "grouped": Strategy(differences),
}


def checked_strategy(name: str) -> str:
    """The name of a strategy, or an error that lists them."""
    known = ("auto", *STRATEGIES)
    if name not in known:
        raise SimulationError(f"there is no Jacobian strategy '{name}'; {suggestion(str(name), known)}")
    return name


def chosen_strategy(name: str, provider: Provider) -> Strategy:
    """The strategy for a program: "auto" takes the derivatives of the equations where they have them."""
    chosen = STRATEGIES[("exact" if provider.exact else "grouped") if name == "auto" else name]
    if chosen.exact and not provider.exact:
        raise SimulationError(
            "jacobian='exact' needs derivatives of all functions; some are called back in Python. Ask for 'grouped', "
            "or for 'dense' differences"
        )
    return chosen
