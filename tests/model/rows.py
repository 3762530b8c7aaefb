"""Rows of constraints beside what the graph makes of them."""

import numpy as np

import dalembert as da
from dalembert.symbolic import array, evaluate, jacobian, symbols, time_derivative


def random_point(equations, seed=0):
    """Numbers for all symbols of a mechanism: Euler parameters of length one, everything else anything."""
    rng = np.random.default_rng(seed)
    scene, known = equations.scene, {}
    for listed in scene.inputs.values():
        for symbol in listed:
            known[symbol] = float(rng.uniform(-1.0, 1.0))
    q, names = scene.inputs["q"], list(equations.names["q"])
    for i, name in enumerate(names):
        if name.endswith(".p0"):
            p = rng.normal(size=4)
            known |= dict(zip(q[i : i + 4], p / np.linalg.norm(p), strict=True))
    numbers = equations.parameter_vector(None)
    known |= dict(zip(scene.inputs["p"], (float(x) for x in numbers), strict=True))
    return known


def check_rows(equations, seed=0):
    """Each rate is d/dt of its value, and linear in the velocities; so are constraints on velocities."""
    scene, known = equations.scene, random_point(equations, seed)
    for element in equations.layout.elements:
        site = scene.site(element)
        for name, row in zip(element.rows, element.constraints(site), strict=True):
            exact = evaluate(array([time_derivative(row.value)]), known)[0]
            found = evaluate(array([row.rate]), known)[0]
            assert abs(found - exact) < 1e-12 * (1.0 + abs(exact)), (element, name, found, exact)
            assert_linear(scene, row.rate, (element, name))
        for row in element.velocity_constraints(site):
            assert_linear(scene, row, element)


def assert_linear(scene, rate, what):
    """No velocity, acceleration or multiplier in the coefficients of the velocities."""
    coefficients = array(jacobian(array([rate]), scene.inputs["v"]))
    allowed = {*scene.inputs["q"], *scene.inputs["t"], *scene.inputs["p"]}
    left = {symbol for entry in coefficients.flat for symbol in symbols(entry)} - allowed
    assert not left, (what, left)


def value(equations, quantity, state):
    """A quantity as a number or an array of numbers."""
    found = equations.evaluate_quantity(quantity, state)
    return float(found) if np.ndim(found) == 0 else np.asarray(found, dtype=float)


def last_state(solution):
    """The state at the end of a run."""
    return da.State(*(x[..., -1] for x in (solution.t, solution.q, solution.v, solution.a, solution.lam, solution.u)))
