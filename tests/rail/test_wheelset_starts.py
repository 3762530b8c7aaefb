"""Where wheelsets start and end on their tracks: headings, slopes, curves, distances of wheels, ends of tracks."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import DalembertError, ModelError, ModelWarning
from dalembert.io import parse_model
from dalembert.model.rails.wheel_rail import LONGEST_BAR
from dalembert.problems.mechanisms import wheelsets
from dalembert.rail import Arc, Clothoid, Straight, Track, cone, crown, s1002, uic60

V, LENGTH = 20.0, 50.0
STRAIGHT = (Straight(LENGTH),)


def ridden(track, **options):
    """A wheelset under a load."""
    m = da.Model("ridden", gravity=(0, 0, -9.81))
    options = {"wheel": s1002(), "rail": uic60(), "speed": V, **options}
    axle = m.wheelset("axle", m.ground, track, mass=1200.0, inertia=(700.0, 100.0, 700.0), **options)
    m.force("load", axle.frame.origin, (0.0, 0.0, -60e3))
    return m, axle


def started(track, **options):
    """Equations, state at the start, creepages of both wheels."""
    m, axle = ridden(track, **options)
    equations = m.equations()
    state = equations.assemble()
    return equations, state, np.array([equations.evaluate_quantity(one.creepages, state) for one in axle.contacts])


def standard(segments=STRAIGHT, **options):
    return Track(segments, gauge=1.435, profile=uic60(), **options)


# --------------------------------------------------------------------------------------------- distance of wheels


def test_wheels_on_standard_gauge_have_room():
    """Without a distance they are as far apart as with 1.5 m between tread circles, not as far as the rails."""
    found = [started(standard(), start={"x": 5.0}, **given)[1:] for given in ({}, {"distance": 1.5})]
    assert np.array_equal(found[0][0].q, found[1][0].q)
    assert np.abs(found[0][1][:, 2]).max() < 0.2  # spin creepage: sin(contact angle)/radius, 1.8 on flanges
    m, _ = ridden(standard(), start={"x": 5.0})
    assert parse_model(m.to_toml()).model["axle left"].markers[1].r[1] == pytest.approx(0.75)


def test_distances_that_are_not_known_are_asked_for():
    track = Track([Straight(LENGTH)], gauge=1.0, profile=uic60())
    with pytest.raises(ModelError, match="on a track with a gauge of 1 m the distance of the wheels is not known"):
        ridden(track)
    ridden(track, distance=1.065)
    with pytest.raises(ModelError, match="distance must be positive and in metres, up to 100, got 1500"):
        ridden(standard(), distance=1500.0)


@pytest.mark.parametrize("track, given", [(standard(), 1.5212), (Track([Straight(LENGTH)], distance=1.5), None)])
def test_flanges_without_room_are_warned_of(track, given):
    with pytest.warns(ModelWarning, match=r"'axle': in the middle of the track both wheels touch .* their flanges"):
        ridden(track, distance=given)


# ------------------------------------------------------------------------------------------------------ starts


@pytest.mark.parametrize("heading", [0.3, 1.0, np.pi, -2.0])
@pytest.mark.parametrize("told", [True, False])
def test_tracks_of_any_heading(heading, told):
    """Turned about the vertical the same motion begins, whether the yaw is given or that of the track is taken."""
    c, s = np.cos(heading), np.sin(heading)
    first, last = (
        started(standard(start=(3.0 * k, 4.0 * k, heading * k)), start={"x": x, "y": y, **yaw})
        for k, x, y, yaw in (
            (0.0, 10.0, 0.002, {}),
            (1.0, 3.0 + 10.0 * c - 0.002 * s, 4.0 + 10.0 * s + 0.002 * c, {"yaw": heading} if told else {}),
        )
    )
    np.testing.assert_allclose(last[2], first[2], atol=1e-7)
    np.testing.assert_allclose(last[1].lam, first[1].lam, rtol=1e-6)
    rates = [last[1].v[last[0].index("v", f"axle guide.{axis}.rate")] for axis in "xy"]
    assert rates == pytest.approx([V * c, V * s], abs=1e-9)


def test_tracks_that_climb_from_anywhere():
    """Heights are those of the place on the track, not of x."""
    equations, state, creepages = started(
        standard([Straight(200.0)], height=lambda s: 0.02 * s, start=(100.0, 5.0, 0.0)), start={"x": 150.0, "y": 5.0}
    )
    assert state.q[equations.index("q", "axle guide.z")] == pytest.approx(1.0 + 0.46, abs=2e-3)
    assert state.v[equations.index("v", "axle guide.z.rate")] == pytest.approx(0.02 * V, rel=1e-6)
    assert np.abs(creepages[:, :2]).max() < 1e-3  # V along the slope is V √(1 + 0.02²)


def test_starts_in_a_canted_curve():
    """It rolls along the curve: no lateral creepage, and the longitudinal ones of rails of different length."""
    R, cant = 600.0, 0.1
    track = standard([Straight(20.0), Clothoid(50.0), Arc(100.0, R, cant=cant), Clothoid(50.0)])
    place, along = track.centre(120.0), track.centre(120.0, 1)
    left = np.array([-along[1], along[0]])
    x, y = place[:2] - 0.46 * np.sin(place[3]) * left  # above the middle of the track, in its axes
    equations, state, creepages = started(track, start={"x": x, "y": y})
    assert state.v[equations.index("v", "axle guide.yaw.rate")] == pytest.approx(V / R, rel=1e-9)
    assert state.q[equations.index("q", "axle guide.roll")] == pytest.approx(
        -np.arcsin(cant / track.distance), abs=1e-3
    )
    assert place[3] == pytest.approx(-np.arcsin(cant / track.distance), rel=1e-6)
    assert np.abs(creepages[:, 1]).max() < 1e-4
    assert creepages[:, 0] == pytest.approx([-0.75 / R, 0.75 / R], abs=1e-4)
    with pytest.raises(ModelError, match=r"no contact point was found .* in the axes of the canted track") as told:
        ridden(track, start={"x": place[0], "y": place[1]})  # 30 mm beside it, at the edge of the rail
    assert "iteration" not in str(told.value)


def test_wheels_that_are_no_left_wheels_are_refused():
    with pytest.raises(ModelError, match=r"'axle': wheel: 'S1002 \(mirrored\)' has its flange at positive u"):
        ridden(standard(), wheel=s1002().mirrored())
    with pytest.raises(ModelError, match="'axle': wheel must be the profile of a wheel, but 'UIC60 1:40' is"):
        ridden(standard(), wheel=uic60(), rail=s1002())


def test_frictions_and_loads_are_not_negative():
    with pytest.raises(ModelError, match=r"'axle': its friction must be at least 0, got -0\.3"):
        ridden(standard(), friction=-0.3)
    with pytest.raises(ModelError, match="'axle': its load must be at least 0, got -10000"):
        ridden(standard(), load=-1e4)
    m = da.Model("parameters", gravity=(0, 0, -9.81))
    m.parameters(mu=-0.3)
    m.wheelset(
        "axle", m.ground, standard(), wheel=s1002(), rail=uic60(), mass=1200.0, inertia=(700.0, 100.0, 700.0),
        friction=m.p.mu, start={"x": 5.0},
    )  # fmt: skip
    equations = m.equations()
    with pytest.raises(DalembertError, match="wheel 'axle left': its friction is negative"):
        da.simulate(equations, (0, 0.01), equations.assemble(), method=da.Imex(step=1e-3))


# --------------------------------------------------------------------------------------------- end of the track


@pytest.mark.parametrize("speed, x", [(V, 5.0), (-V, 45.0)])
@pytest.mark.parametrize("method", ["bdf", da.Imex(step=1e-3)])
def test_the_end_of_the_track_ends_a_run(speed, x, method):
    m, _ = ridden(standard(), speed=speed, start={"x": x})
    equations = m.equations()
    run = da.simulate(equations, (0, 5), equations.assemble(), method=method)
    assert "wheel 'axle left' leaves the track (s from 0 to 50 m; make it longer) at t = 2.25" in run.message
    assert run.t[-1] == pytest.approx((LENGTH - 5.0) / V, abs=2e-3)  # it rolls with V


def test_the_end_of_the_track_is_told_where_ranges_are_not_kept():
    m, _ = ridden(standard(), start={"x": 5.0}, ranged=False)
    equations = m.equations()
    run = da.simulate(equations, (0, 3), equations.assemble(), method=da.Imex(step=1e-3))
    assert run.outcome == "finished" and "'axle left' leaves the track (s from 0 to 50 m" in run.message


def test_starts_beside_the_track_are_refused():
    with pytest.raises(
        ModelError,
        match=r"'axle': left contact: .* is 30 m beyond the end of the track at s = 0 m; start on the track",
    ):
        ridden(standard(), start={"x": -30.0})
    m, _ = ridden(standard(), start={"x": 60.0}, speed=None)
    with pytest.raises(ModelError, match=r"wheel 'axle left': .* is 10 m beyond the end of the track at s = 50 m"):
        m.equations().assemble()


# ---------------------------------------------------------------------------------------------------- measured


def test_sensors_of_wheels_have_units():
    example = wheelsets.wheelset(measure=True)
    units = example.model.equations().units
    wanted = {
        "N": "N", "Y": "N", "Q": "N", "Y/Q": "1", "patch": "m", "patch.a": "m", "wear": "N", "position.u_rail": "m",
        "creepages.xi": "1", "creepages.eta": "1", "creepages.phi": "1/m", "creep forces.x": "N",
        "creep forces.y": "N", "creep forces.moment": "N m",
    }  # fmt: skip
    for name, unit in wanted.items():
        assert [units[f"axle {side} {name}"] for side in ("left", "right")] == [unit, unit], name
    assert units["axle sum Y"] == "N"


def test_bars_of_creep_forces_have_one_scale():
    _, axle = ridden(Track([Straight(LENGTH)], distance=1.5), wheel=cone(0.46, 0.05), rail=crown(0.3))
    place = np.array([[10.0, 10.5], [0.0, 0.0], [0.0, 0.0]])
    forces = {"left": np.array([[236.0, 100.0], [0.0, 0.0], [1.0, 1.0]]),
              "right": np.array([[0.0, -300.0], [917.0, 0.0], [5e3, 0.0]])}  # fmt: skip
    measured = {f"axle {side} creep forces": forces[side] for side in forces}
    measured |= {f"axle {side} position": place for side in forces}
    for contact in axle.contacts:
        bar = contact.tracks(measured)[1]["points"]
        lengths = np.linalg.norm(bar[:, 1] - bar[:, 0], axis=1)
        assert lengths == pytest.approx(LONGEST_BAR * np.linalg.norm(forces[contact.side][:2], axis=0) / 917.0)
