"""Random mechanisms: accelerations and reactions at one state are the same in all formulations."""

import numpy as np
from hypothesis import assume, given, settings
from model.motions import FORMULATIONS, assert_same, reactions, sensors
from model.random_models import PLANAR, SPATIAL, Builder, loops, structures

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


@settings(max_examples=8)
@given(structures(SPATIAL))
def test_random_trees_in_space(structure):
    assert_all_agree(Builder(structure, planar=False).model)


@settings(max_examples=8)
@given(structures(PLANAR))
def test_random_trees_in_the_plane(structure):
    assert_all_agree(Builder(structure, planar=True).model)


@settings(max_examples=5)  # each is compiled five times; fuzz/random_models.py draws as many as one likes
@given(loops(SPATIAL, 3))
def test_random_loops_in_space(loop):
    check_loop(*loop, planar=False)


@settings(max_examples=5)
@given(loops(PLANAR, 3))
def test_random_loops_in_the_plane(loop):
    check_loop(*loop, planar=True)


def check_loop(structure, closing, planar):
    assume(closing is not None)
    builder = Builder(structure, planar)
    builder.close(closing)
    assume(is_settled(builder))
    assert_all_agree(builder.model)
