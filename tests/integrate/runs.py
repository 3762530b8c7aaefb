"""Runs for the tests of integration: steps of one size, the checks that every run must pass."""

from dataclasses import replace

import numpy as np

import dalembert as da
from dalembert.integrate.methods.registry import METHODS
from dalembert.integrate.methods.state_space import StateSpace
from dalembert.integrate.run.live import Options
from dalembert.integrate.run.simulate import Task

#: Methods that serve all equations to tight tolerances, and these with one of each family on independent coordinates.
GENERAL = [name for name, method in METHODS.items() if not (isinstance(method, StateSpace) or method.steps_alike)]
EACH_FAMILY = [*GENERAL, "sdirk4", "rosenbrock4", "rodasp", "descriptor_sdirk4"]
#: Order of methods that choose theirs, where a run shall have steps of one kind.
FIXED_ORDER = 6


def step_of(method, size):
    """The size of steps, as an option of a run, where a method has steps of one size."""
    return {"first_step": size} if METHODS[method].steps_alike else {}


def fixed_steps(equations, name, start, span, steps, formalism="auto", order=FIXED_ORDER, **options):
    """A run whose steps all have the same size and order: tolerances never reject, and Newton iterations go down to
    rounding."""
    s = equations.sizes
    y = np.concatenate([start[0], start[1], start[2] if len(start) > 2 else np.zeros(s.u)])
    h, loose = abs(span[1] - span[0]) / steps, 1e4
    method = METHODS[name]
    if method.orders[0] < method.orders[1]:
        order = min(order, method.orders[1])
        options |= {"min_order": order, "max_order": order}
    if method.implicit:
        options |= {"iteration": da.integrate.Newton(limit=60, tolerance=1e-14 / loose)}
    if isinstance(method, (da.Rosenbrock, da.ChartRungeKutta)):
        options |= {"recovered": 1e-14 / loose}
    method = replace(method, **options)
    settings = Options(rtol=0.5, atol=np.full(y.size, loose), first_step=h, max_step=h, formalism=formalism)
    task = Task(equations, method, settings, span, {}, [], None, True, tuple(range(s.lam)))
    task.begin(y)
    solution = task.run(10 * steps, None)
    assert solution.outcome == "finished", solution.message
    assert solution.statistics.steps == steps and solution.statistics.rejected == 0
    return solution


def finer(method, rtol):
    """A relative tolerance with which a method is as exact as others are with this one: errors of BDF add up."""
    return 0.01 * rtol if method in ("bdf", "chart_bdf") else rtol


def exact_for_parabolas(method):
    """A method all of whose steps are exact where accelerations are constant: those of BDF may have order 1."""
    return replace(METHODS[method], min_order=2, max_order=2) if method in ("bdf", "chart_bdf") else method


def errors(found, reference, names=("q", "v", "lam")):
    """Largest error of each quantity at the last instant of two solutions, or at all instants of two points."""
    result = []
    for name in names:
        a, b = getattr(found, name), getattr(reference, name)
        if hasattr(found, "statistics"):
            a, b = a[:, -1], b[:, -1]
        result.append(np.abs(a - b).max() / np.abs(b).max())
    return np.array(result)


def residuals(equations, solution, t, q, v):
    """Largest |g| and |G v + gI| over the columns of q and v."""
    worst_g, worst_v = 0.0, 0.0
    for k in range(len(t)):
        G, gI, g = equations.evaluate("G", "gI", "g", t=t[k], q=q[:, k], v=v[:, k], parameters=solution.parameters)
        worst_g = max(worst_g, np.abs(g).max(initial=0.0))
        worst_v = max(worst_v, np.abs(G @ v[:, k] + gI).max(initial=0.0))
    return worst_g, worst_v


def on_constraints(equations, solution, tolerance=1e-10):
    """Whether recorded states and dense output satisfy the constraints, the second kind relative to the speed."""
    between = np.linspace(solution.t[0], solution.t[-1], 41)
    point = solution.sol(between)
    scale = 1.0 + np.abs(solution.v).max()
    for t, q, v in ((solution.t, solution.q, solution.v), (between, point.q, point.v)):
        g, gv = residuals(equations, solution, t, q, v)
        assert g < tolerance and gv < tolerance * scale, (g, gv)
    return True
