"""What helps a run on where it cannot go on as it did: another solver, other rows of redundant constraints, another
method."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dalembert.equations.contract.equations import Sizes
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.rank import best_rows
from dalembert.errors import EquationsError
from dalembert.integrate.events.event import constraint_names
from dalembert.integrate.frame.advance import LOST
from dalembert.integrate.frame.memory import ORIGIN, STATUS
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run import outcome as endings

if TYPE_CHECKING:
    from dalembert.integrate.run.course import Course
    from dalembert.integrate.run.live import LiveRun

#: Largest number of unknowns for which a dense factorisation takes the place of a structured one that failed.
_LARGEST_PIVOTED = 3000
#: Of that many a dense one is as fast as any other with pivoting.
_LARGEST_DENSE = 100
#: With fewer unknowns than this it does so at once.
_SMALL = 60
#: Up to that many unknowns "minimal" takes over, which loses the fewest digits: on a four-bar linkage 2e-5 from a loss
#: of rank it takes 46 steps, "dense" 130, "sparse" 332.  Its time grows with the cube of the unknowns.
_LARGEST_MINIMAL = 300
#: Noise on atoms that is that of the motion itself is measured again when there are this many times the steps.
_PATIENCE = 4
#: Other rows of dependent constraints are used where they span so much more.
_BETTER = 3.0


def pivoting(sizes: Sizes) -> str:
    """The solver with row pivoting for systems of these sizes."""
    return "dense" if sizes.v + sizes.lam <= _LARGEST_DENSE else "sparse"


def fall_back(course: Course) -> bool:
    """Where a solution without row pivoting has failed, go on with one that has it.

    It fails where M has a zero, which a parameter can bring about, where constraints lose rank, or where an entry that
    the structure takes for a pivot is nothing but rounding.
    """
    live = course.live
    if course.method.formalism == "own":
        return False
    failure = live.run.failure
    on_atoms = "explicit" in live.providers
    suspects = {STATUS.SINGULAR, STATUS.UNSOLVED}
    if on_atoms:
        suspects |= {STATUS.NOT_FINITE, STATUS.PROJECTION_FAILED}
    unknowns = live.n_z + (live.n_y + live.equations.sizes.g if course.method.implicit else 0)
    # A structured solver gives way to the sparse one, which can pivot, and that to the dense one.
    # Newton matrices have but two.
    no_other = failure == STATUS.UNSOLVED or course.options.solver == "sparse" or unknowns < _SMALL
    solver = "dense" if on_atoms or no_other else "sparse"
    if failure not in suspects or (course.options.solver == "dense" and not on_atoms):
        return False
    if solver == "dense" and unknowns > _LARGEST_PIVOTED:
        return False
    if endings.culprit(live):  # no solver helps
        return False
    course.later = (
        f" From t = {live.run.t_now:.6g} on the matrix of constrained motion was factorised with row "
        f"pivoting (solver='{solver}'); the first solver had failed there."
    )
    _change_solver(course, solver)
    course.live.run.h_next = 0.0  # that of the failed attempts would end the run at once
    return True


def regain_digits(course: Course) -> None:
    """Go on with a solver that exchanges pivots where accelerations have fewer digits than the tolerance needs."""
    live = course.live
    run = live.run
    if "explicit" in live.providers and not _misses_constraints(live):
        run.lost, run.probe_at = 0.0, _PATIENCE * run.steps  # that is the noise of the motion itself
        return
    lossy = f"solver='{live.solver}'" if live.solver else "elimination on atoms"
    solver = "minimal" if live.n_z <= _LARGEST_MINIMAL else "sparse"
    course.note += (
        f" From t = {run.t_now:.6g} on the matrix of constrained motion was factorised with exchanges of pivots "
        f"(solver='{solver}'): {lossy} had lost digits of accelerations that the tolerance needs, as where constraints "
        "come close to dependence."
    )
    _change_solver(course, solver)
    course.live.run.origin = ORIGIN.BREAK  # events go on as they are


def _misses_constraints(live: LiveRun) -> bool:
    """Whether accelerations that were solved on atoms miss G a = γ by an error that matters in a step."""
    run, s = live.run, live.equations.sizes
    y, z = np.array(run.y0), np.array(run.z0)
    q, v, u = np.split(y, [s.q, s.q + s.v])
    a, lam = z[: s.v], z[s.v :]
    try:
        point = Evaluation(live.equations, run.t_now, q, v, u, np.array(run.p), lam)
        G = point.matrix("G")
        matrix = np.block([[point.matrix("M"), G.T - point.matrix("F")], [G, np.zeros((s.lam, s.lam))]])
        missed = np.concatenate([np.zeros(s.v), point.values["gamma"] - G @ a])
        error = np.linalg.solve(matrix, missed)[: s.v]
    except (EquationsError, np.linalg.LinAlgError):  # the run will say what is wrong
        return False
    at = slice(s.q, s.q + s.v)
    weighted = abs(run.h_old) * run.judged[at] * run.weight[at] * error
    return bool(np.sqrt(np.sum(weighted**2) / live.n_y) > LOST)


def _change_solver(course: Course, solver: str) -> None:
    """Factorise with another solver from where the run is."""
    y = np.array(course.live.run.y0) if course.recorder.started else course.start
    course.options = replace(course.options, solver=solver, formalism="contract")
    course.recorder.options = course.options
    course.switch(course.rows)
    course.live.run.y0[:] = y
    course.live.run.restart = 1


def choose_rows(course: Course, failed: bool = False) -> bool:
    """Go on with others of the constraints that depend on each other, if they are more independent than those in
    use; whether it is so."""
    run, s = course.live.run, course.equations.sizes
    if not run.exchanges or not course.recorder.started:
        return False
    y, t = np.array(run.y0), run.t_now
    q, v, u = np.split(y, [s.q, s.q + s.v])
    found = best_rows(Evaluation(course.equations, t, q, v, u, run.p), course.held, course.rows)
    if found is None:  # to be looked at again in the next steps, but not for ever
        run.row_best[:] = np.maximum(run.row_remains, 0.5 * run.row_best)
        return False
    if found.better < _BETTER:
        run.row_best[:] = run.row_remains
        return False
    out, back = (
        constraint_names(course.equations, sorted(set(those) - set(others)))
        for those, others in ((course.rows, found.rows), (found.rows, course.rows))
    )
    course.exchanged.append(f"{', '.join(out)} instead of {', '.join(back)} from t = {t:.6g} on")
    course.switch(found.rows)
    new = course.live.run
    new.y0[:] = y
    new.restart, new.origin = 1, ORIGIN.BREAK  # events go on as they are
    if failed:
        new.h_next = 0.0
    return True


def change_method(course: Course, method: Method, size: float = 0.0) -> None:
    """Go on with another method from where the run is, with steps of this size; zero if it shall find one."""
    y = np.array(course.live.run.y0)
    course.method = method
    course.methods.append(method.name)
    course.switch(course.rows)
    course.live.run.h_next = size
    course.live.run.y0[:] = y
    course.live.run.restart, course.live.run.origin = 1, ORIGIN.BREAK  # events go on as they are
