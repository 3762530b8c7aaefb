"""One model in several formulations: what is measured in each, and how it is compared."""

import numpy as np

import dalembert as da

FORMULATIONS = (
    ("relative", "symbolic"),
    ("relative", "recursion"),
    ("absolute", "symbolic"),
    ("absolute", "elements"),
)


def last_state(solution):
    """The end of a run."""
    return da.State(*(x[..., -1] for x in (solution.t, solution.q, solution.v, solution.a, solution.lam, solution.u)))


def simulated(equations, example, start=None, span=None, rtol=1e-11):
    """A run with tight tolerances, and its first and last states."""
    state = example.assemble(equations) if start is None else start
    solution = da.simulate(
        equations, example.span if span is None else span, state, method="dop853", rtol=rtol, atol=rtol / 10,
        redundant=example.redundant,
    )  # fmt: skip
    return solution, state, last_state(solution)


def sensors(equations, state):
    """Values of all sensors of the model, one after the other."""
    found = [np.ravel(equations.evaluate_quantity(one, state)) for one in equations.model.sensors.values()]
    return np.concatenate(found)


def reactions(equations, state):
    """Forces and torques of all joints: two arrays."""
    joints = equations.model.joints
    forces = [np.ravel(equations.evaluate_quantity(joint.force, state)) for joint in joints]
    torques = [np.ravel(equations.evaluate_quantity(joint.torque, state)) for joint in joints]
    return np.concatenate([np.zeros(0), *forces]), np.concatenate([np.zeros(0), *torques])


def forces_of_constraints(equations, state):
    """What constraints that are no joints exert."""
    found = [
        one for one in equations.model.elements if one.rows + one.moving_rows and one not in equations.model.joints
    ]
    return np.concatenate([np.zeros(0), *(np.ravel(equations.evaluate_quantity(one.force, state)) for one in found)])


def assert_same(found, reference, tolerance, what):
    """Equal within a tolerance relative to the largest of the reference values, or to one."""
    if reference.size:
        size = max(1.0, float(np.abs(reference).max()))
        assert np.abs(found - reference).max() <= tolerance * size, (what, found, reference)
