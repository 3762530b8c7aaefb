"""Whether accelerations and reactions of a model at one state are the same in all formulations."""

import numpy as np
from model.motions import FORMULATIONS, assert_same, reactions, sensors

from dalembert.errors import ConstraintError


def at_start(equations):
    """Places, velocities and accelerations of bodies, then forces and torques of joints."""
    state = equations.assemble()
    bodies = equations.model.bodies
    n = 2 if equations.model.planar else 3
    quantities = [(body.velocity, body.at(*[0.3] * n).acceleration, body.angular_velocity) for body in bodies]
    found = [np.ravel(equations.evaluate_quantity(one, state)) for listed in quantities for one in listed]
    return np.concatenate([sensors(equations, state), *found]), *reactions(equations, state)


def assert_all_agree(model):
    """All formulations beside the first."""
    reference = None
    for coordinates, builder in FORMULATIONS:
        equations = model.equations(coordinates, builder=builder)
        found = at_start(equations)
        reference = found if reference is None else reference
        for what, values, expected in zip(("motion", "forces", "torques"), found, reference, strict=True):
            assert_same(values, expected, 1e-9, (what, equations))


def is_settled(builder):
    """Take a state on the constraints as the start; False if a loop leaves no motion, or if constraints are redundant
    or nearly so: reactions are not unique then."""
    equations = builder.model.equations("relative", builder="symbolic")
    try:
        state = equations.assemble()
    except ConstraintError:
        return False
    G = equations.evaluate("G", q=state.q)
    builder.settle(equations, state)
    return G.shape[0] < G.shape[1] and np.linalg.svd(G, compute_uv=False)[-1] > 0.02
