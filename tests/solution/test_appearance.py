"""Appearances: checked when they are made, stored and loaded as they are; those of models by a second road."""

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.problems import mechanisms
from dalembert.solution import Appearance, Connection, DrawnBody, DrawnForce, Mount, PointTrack, Solution, Surface, load
from dalembert.solution.deferred import Deferred
from dalembert.solution.solution_errors import SolutionError

STILL, UPRIGHT = np.zeros((2, 3)), np.tile([1.0, 0, 0, 0], (2, 1))


def look():
    cube = Surface(np.eye(3), np.array([[0, 1, 2]]))
    bodies = (
        DrawnBody("a", STILL, UPRIGHT, 1.0, surfaces=(cube,)),
        DrawnBody("b", STILL + 1, UPRIGHT, 2.0, surfaces=(cube,)),
    )
    link = Connection(
        "J", "revolute joint", "revolute", (Mount("ground"), Mount("a", [1.0, 2, 3])), True, {"radius": 0.5}
    )
    force = DrawnForce("J", "J.force", Mount("a"), axes=Mount("ground"))
    track = PointTrack("cable", "line", np.array([[[0.0, 0, 0], [np.nan, 0, 0]]]))
    sheet = PointTrack("sheet", "surface", np.zeros((2, 3, 3)), np.array([[0, 1, 2]]))
    sensors = {"s": np.array([1.0, 2.0]), "w": np.ones((3, 2))}
    return Appearance([0.0, 1.0], bodies, (link,), (force,), (track, sheet), "", [0, 0, -9.81], (cube,), sensors)


def solution(found):
    empty = np.zeros((0, 2))
    return Solution(np.array([0.0, 1.0]), empty, empty, empty, empty, empty, appearance=found)


def test_it_is_stored_and_loaded(tmp_path):
    before = look()
    after = load(solution(before).save(tmp_path / "run.nc")).appearance
    assert [(one.name, one.mass) for one in after.bodies] == [("a", 1.0), ("b", 2.0)]
    for one, other in zip(before.bodies, after.bodies, strict=True):
        np.testing.assert_array_equal(one.position, other.position)
        np.testing.assert_array_equal(one.rotation, other.rotation)
        np.testing.assert_array_equal(one.surfaces[0].vertices, other.surfaces[0].vertices)
    (link,) = after.links
    assert (link.family, link.closing, link.sizes, link.places[1].r.tolist()) == (
        "revolute",
        True,
        {"radius": 0.5},
        [1, 2, 3],
    )
    (force,) = after.forces
    assert force.quantity == "J.force" and force.axes.body == "ground" and force.toward is None
    np.testing.assert_array_equal(after.tracks[0].points, before.tracks[0].points)
    assert after.tracks[1].faces.tolist() == [[0, 1, 2]] and len(after.scenery) == 1
    assert after.sensors["w"].shape == (3, 2) and after.gravity.tolist() == [0, 0, -9.81]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: PointTrack("x", "cloud", np.zeros((1, 1, 3))), "kind must be one of line, points, surface"),
        (lambda: PointTrack("x", "surface", np.zeros((1, 1, 3))), "needs faces"),
        (lambda: Connection("x", "k", "hinge", ()), "there is no family 'hinge'"),
        (lambda: Surface(np.eye(3), np.array([[0, 1, 3]])), "numbers of its 3 vertices"),
        (lambda: Surface(np.eye(3), np.array([[0.0, 1, 2]])), "faces, whole numbers"),
        (lambda: DrawnBody("x", STILL, UPRIGHT[:1]), "as many frames"),
        (lambda: Appearance([0.0], (DrawnBody("x", STILL, UPRIGHT),)), "has 2 poses, but there are 1 frames"),
        (lambda: Appearance([0.0], links=[Connection("x", "k", "rod", [Mount("y")])]), "stands on 'y'"),
        (lambda: Appearance([0.0], tracks=(PointTrack("x", "line", np.zeros((2, 1, 3))),)), "2 frames; there are 1"),
        (lambda: Appearance([0.0], plane="zz"), "plane must be one of"),
        (lambda: Appearance([0.0], sensors={"s": np.zeros(3)}), "must have 1 columns"),
        (lambda: solution("nothing"), "appearance must be an Appearance"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change, message):
    with pytest.raises(SolutionError, match=message):
        change()


@pytest.fixture(scope="module")
def arm():
    """A robot in space that is made of what has poses, springs, forces and sensors."""
    example = mechanisms.delta_robot()
    equations = example.model.equations()
    return example, equations, da.simulate(equations, (0, 0.1), example.assemble(equations), rtol=1e-6)


def test_poses_of_a_model_are_its_positions_and_rotations(arm):
    example, equations, s = arm
    found = s.appearance
    assert found.t.size >= 600 and np.isin(s.t, found.t).all()
    for i in (0, 300, found.t.size - 1):
        point = s.sol(found.t[i])
        state = equations.assembled(point.q, point.v, point.u, t=float(found.t[i]))
        for body in found.bodies[::3]:
            here = equations.evaluate_quantity(example.model[body.name].position, state)
            np.testing.assert_allclose(body.position[i], here, atol=1e-7)
            R = equations.evaluate_quantity(example.model[body.name].rotation, state)
            e0, e = body.rotation[i, 0], body.rotation[i, 1:]
            skew = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
            again = (e0**2 - e @ e) * np.eye(3) + 2 * np.outer(e, e) + 2 * e0 * skew
            np.testing.assert_allclose(again, R, atol=1e-7)
    assert (np.einsum("ij,ij->i", found.bodies[0].rotation[1:], found.bodies[0].rotation[:-1]) > 0).all()


def test_joints_forces_and_units_of_a_model(arm):
    _, equations, s = arm
    found = s.appearance
    assert {link.family for link in found.links} >= {"revolute", "universal", "spherical"}
    assert {one.quantity for one in found.forces} <= set(s.outputs)
    assert sum(link.closing for link in found.links) == len({name.split(".")[0] for name in equations.names["lam"]})
    assert s.units["A0.force"] == "N" and s.units["A0.torque"] == "N m" and s.units["energy"] == "J"
    assert s.units["A0.angle"] == "rad" and s.units["A0.rate"] == "rad/s" and s.units["platform position"] == "m"
    assert s.units["A0.force.x"] == "N" and s.units["A0.acceleration"] == "rad/s²"
    assert not {"A0.angle.x", "kinetic energy.y"} & set(s.units)  # what is one number has no components
    np.testing.assert_allclose(s["energy"], s["kinetic energy"] + s["potential energy"], rtol=1e-12)
    assert s["constraint error"].max() < 1e-9


def test_it_is_made_when_somebody_looks(arm):
    example, equations, _ = arm
    again = da.simulate(equations, (0, 0.01), example.assemble(equations))
    assert isinstance(again.__dict__["_appearance"], Deferred)
    assert "appearance" in repr(again)
    copy = pickle.loads(pickle.dumps(again))
    assert len(copy.appearance.bodies) == 10
    assert again.appearance is again.appearance
