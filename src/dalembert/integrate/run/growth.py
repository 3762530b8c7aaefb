"""Estimates of the pattern of the Jacobian, from differences of all rows by all columns (corrector, 3.1).

An entry counts where a row changes by more than rounding.  The first estimate is made at three points, the start and
two beside it, as at rest all that depends on velocities seems to be missing; later ones, where a Jacobian did not serve
though it was new, at the point that the method asks for.  A pattern only grows; what it lacks makes iterations slow,
and nothing else, as these are judged by the equations themselves.

Columns are then grouped anew and the Newton matrix gets another plan: a new memory is laid out, into which the run goes
on as it stands, in the same attempt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.provider import Pattern
from dalembert.errors import lacks_value
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.implicit.differences import all_differences
from dalembert.integrate.implicit.differences_memory import DifferencesMemory
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.run.course import Course
from dalembert.integrate.run.live import Floats, LiveRun
from dalembert.integrate.run.outcome import left_out

_EPS = float(np.finfo(float).eps)
#: Changes below so many roundings of a row are none.
_NOISE = 1e3 * _EPS
#: Points beside the start are so far away, and increments there so large: rounding shows less than beside small ones.
_ASIDE = _EPS**0.25
#: Irrational numbers, multiples of which put the points where no symmetry of a mechanism is.
_DIRECTIONS = (0.6180339887498949, 0.7548776662466927)
#: An estimate that has found nothing is not repeated for twice as many steps as the last one of this kind, at most.
_LONGEST_WAIT = 1024
#: What functions were called for at points that no step has asked for.
_NEARBY = "where the pattern of the Jacobian was estimated"


def estimate_pattern(course: Course) -> bool:
    """Let the pattern grow by what differences at the point of evaluation tell, and take the Jacobian from them; False
    if a function of the user has raised an exception."""
    live, run = course.live, course.live.run
    first = run.pattern_estimated == 1
    status, seen = _differences(live)
    if status == STATUS.RAISED:
        return False
    differenced = run.column_group >= 0
    changes = live.work("all_differences").reshape(run.n_columns, run.n_equations)
    values = changes / np.where(differenced, run.column_increment, 1.0)[:, None]
    if first:
        point = _point(live)
        for direction in _DIRECTIONS:
            _set_point(live, point + _offsets(live, direction))
            run.coarser = _ASIDE / _EPS**0.5 - 1.0
            status, more = _differences(live)
            run.coarser = 0.0
            if status == STATUS.RAISED:  # a function may have no value beside the start: what is seen there will do
                try:
                    live.raise_pending()
                except Exception as error:
                    if not lacks_value(error):
                        raise
                    if _NEARBY not in course.note:
                        course.note += left_out(error, live.run.t_now, _NEARBY)
            else:
                seen |= more
        _set_point(live, point)
    known = np.zeros_like(seen)
    known[run.entry_column, run.entry_row] = True
    found = (seen | known) & differenced[:, None]
    new = bool((found & ~known).any())
    if new or first:
        columns, rows = np.nonzero(found)
        course.regrow(Pattern((run.n_equations, run.n_columns), rows, columns))
        if isinstance(run, ImplicitMemory):
            course.live.run.driven_in = 0  # derivatives of K were those of other entries
    run = course.live.run
    if not first:
        _wait(run, new)
    taken = run.column_group[run.entry_column] >= 0
    run.jacobian[taken] = values[run.entry_column, run.entry_row][taken]
    return bool(course.method.adopt(run) != STATUS.RAISED)


def _wait(run: DifferencesMemory, new: bool) -> None:
    """An estimate that has found nothing is a reason to wait with the next one."""
    run.pattern_growths += int(new)
    run.grow_wait = 0 if new else min(max(2 * run.grow_wait, 1), _LONGEST_WAIT)
    run.grow_from = run.steps + 1 + run.grow_wait


def _differences(live: LiveRun) -> tuple[int, NDArray[np.bool_]]:
    """Which rows change with which columns at the point of evaluation; what is not finite counts."""
    run = live.run
    status = all_differences(run)
    found = np.abs(live.work("all_differences").reshape(run.n_columns, run.n_equations))
    found[run.column_group < 0] = 0.0
    parts = np.abs(run.column_value) / np.where(run.column_increment > 0.0, run.column_increment, 1.0)
    size = np.max(found * parts[:, None], axis=0, initial=0.0)
    return status, ~(found <= _NOISE * (np.abs(run.rows_before) + size))


def _parts(live: LiveRun) -> tuple[Floats, ...]:
    run = live.run
    parts = run.q, run.v, run.a, run.lam, run.mu, run.u
    return parts if sum(part.size for part in parts) == run.n_columns else (*parts, run.t)


def _point(live: LiveRun) -> Floats:
    return np.concatenate(_parts(live))


def _set_point(live: LiveRun, x: Floats) -> None:
    at = 0
    for part in _parts(live):
        part[:] = x[at : at + part.size]
        at += part.size
    live.run.changed = STAGE.T


def _offsets(live: LiveRun, direction: float) -> Floats:
    """Moves by parts of the sizes of q, v and u, at least of their tolerances, and of the largest acceleration and
    reaction; μ is zero in the solution, and stays so, as time does."""
    run = live.run
    sizes = np.maximum(1.0 / run.weight, _ASIDE * (np.abs(run.y0) + run.scale))
    of_q, of_v, of_u = np.split(sizes, [run.n_q, run.n_q + run.n_v])
    largest = (np.full(part.size, _ASIDE * (np.abs(part).max(initial=0.0) or 1.0)) for part in (run.a, run.lam))
    each = np.concatenate([of_q, of_v, *largest, np.zeros(run.n_g), of_u])
    each = np.append(each, np.zeros(run.n_columns - each.size))
    return each * (2.0 * (direction * np.arange(1, each.size + 1) % 1.0) - 1.0)
