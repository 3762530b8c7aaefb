"""Random models in all formulations: trees and loops with springs, tables, drives, friction, drag and stops.

Accelerations and reactions at the start, and the ends of short runs with a random method, must be the same in all
coordinates and with all builders; what is conservative, springs and tables included, keeps its energy; what is refused
is refused with a sentence.

    python tests/fuzz/random_models.py --cases 500 --seed 1
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # as in the tests, where this is run by hand

from fuzz import watchdog
from model.agreement import assert_all_agree, is_settled
from model.motions import FORMULATIONS, last_state, sensors
from model.random_models import PLANAR, SPATIAL, Builder, Thrown, loop, structure

import dalembert as da
from dalembert.errors import ConstraintError
from dalembert.model.forces.friction import JointFriction
from dalembert.model.joints.joints import Planar

SPAN = (0.0, 0.3)
#: Relative difference of runs; their tolerances are a ten-thousandth of it.
SAME = 1e-5
OPTIONS = {"rtol": 1e-9, "atol": 1e-11, "max_steps": 20000}
EXTRAS = ("drive", "friction", "sliding", "table", "limit", "drag")
#: Forces of structures and further elements that have a potential, without dampers.
STORING = ("spring", "bushing", "coordinate", "table")

#: Those that serve all models, also ones with nonholonomic constraints.
METHODS = ("adams", "dop853", "dopri5", "hem5", "mexx", "radau", "radau13", "radau9")


def add_sliding(builder, number):
    """Friction in a joint in proportion to its reactions; False if there is no joint that can have it."""
    m, rng = builder.model, builder.rng
    kinds = JointFriction.KINDS.keys() - ({Planar} if builder.planar else set())
    able = [joint for joint in m.joints if type(joint) in kinds and joint.friction is None]
    if not able:
        return False
    joint = able[rng.integers(len(able))]
    needed = JointFriction.KINDS[type(joint)][0]
    m.friction(f"E{number}", joint, mu=0.1, velocity=0.2, **dict.fromkeys(needed, 0.05))
    return True


def add(builder, kind, number):
    """An element on a coordinate of a joint, as the start has it; False if there is none that is left."""
    if kind == "sliding":
        return add_sliding(builder, number)
    m, rng = builder.model, builder.rng
    listed = [one for joint in m.joints for one in joint.own_coordinates.values()]
    driven = getattr(builder, "driven", set())
    free = [one for one in listed if one.name not in driven]
    if not free:
        return False
    one = free[rng.integers(len(free))]
    value, rate = one.joint.start[one.label], one.joint.start[f"{one.label}.rate"]
    name = f"E{number}"
    if kind == "drive":
        bend = float(rng.uniform(-1, 1))
        m.drive(name, one, lambda t: value + rate * t + bend * t * t)
        builder.driven = driven | {one.name}
    elif kind == "friction":
        m.friction(name, one, 0.3, velocity=0.2)
    elif kind == "table":
        x = np.linspace(value - 3.0, value + 3.0, 7)
        m.joint_spring(name, one, force=(x, 2.0 * np.sin(x)))
    elif kind == "limit":
        m.limit(name, one, lower=value - 0.05 if rate < 0 else None, upper=value + 0.05 if rate >= 0 else None,
                restitution=0.6)  # fmt: skip
        builder.driven = driven | {one.name}
    else:
        m.joint_spring(name, one, force=lambda rate: rate * np.sqrt(1.0 + rate * rate))
    return True


def generated(choose):
    """A model with a start that meets its constraints, and what it is called; None if chance made none."""
    planar, closed, damped = choose.flag(), choose.flag(), choose.flag()
    kinds = PLANAR if planar else SPATIAL
    if closed:
        tree, closing = loop(choose, kinds, 3)
        if closing is None:
            return None
        builder = Builder(tree | {"damped": damped}, planar)
        builder.close(closing)
        if not is_settled(builder):
            return None
    else:
        builder = Builder(structure(choose, kinds) | {"damped": damped}, planar)
    acting = list(builder.structure["forces"])
    if choose.flag():
        for number in range(choose.whole(1, 2)):
            kind = choose.one(EXTRAS)
            if add(builder, kind, number):
                acting.append(kind)
        # A loop leaves few freedoms, which drives may take.
        if closed and not is_settled(builder):
            return None
    conservative = not acting or (not damped and all(kind in STORING for kind in acting))
    return builder.model, conservative, f"{'plane' if planar else 'space'}, {'loop' if closed else 'tree'}"


def case(seed, number):
    """One case; what came of it in a few words."""
    rng = np.random.default_rng([seed, number])
    choose = Thrown(rng)
    try:
        found = generated(choose)
        if found is None:
            return "no model"
        model, conservative, title = found
        rests = any(element.kind == "limit" for element in model.elements)
        if not rests:
            assert_all_agree(model)
        runs_agree(model, conservative, str(choose.one(METHODS)))
    except ConstraintError as error:  # a drive may ask for what others forbid
        assert len(str(error)) > 40
        return "refused"
    return title


def runs_agree(model, conservative, method):
    reference = None
    for coordinates, builder in FORMULATIONS:
        equations = model.equations(coordinates, builder=builder)
        start = equations.assemble()
        run = da.simulate(equations, SPAN, start, method=method, **OPTIONS)
        assert run.success, (coordinates, builder, method, run.message)
        end = last_state(run)
        found = sensors(equations, end)
        reference = found if reference is None else reference
        error = np.abs(found - reference).max(initial=0.0) / max(1.0, np.abs(reference).max(initial=0.0))
        assert error < SAME, (coordinates, builder, method, error)
        if conservative:
            before, after = (float(equations.evaluate_quantity(model.energy, state)) for state in (start, end))
            assert abs(after - before) < SAME * max(1.0, abs(before)), (coordinates, builder, method, before, after)


if __name__ == "__main__":
    watchdog.main(__file__, case, patience=300.0)
