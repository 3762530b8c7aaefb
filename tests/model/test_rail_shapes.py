"""What wheels and rails look like: on their surfaces, outside where it should be, and each rail once."""

import numpy as np

from dalembert.integrate.run.portraying import _family
from dalembert.model.rails.rail_shapes import ACROSS, AXLE, rail_surface, wheel_surface
from dalembert.model.rails.wheel_rail import WheelRail
from dalembert.problems import mechanisms
from dalembert.rail import Arc, Clothoid, Straight, Track, cone, crown, harmonic, uic60
from dalembert.rail.surface import rail


def volume(surface):
    """By Gauss: positive where faces are seen from outside."""
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0


def test_a_wheel_is_its_profile_turned_about_the_axle():
    profile = cone(0.46, 0.05)
    surface = wheel_surface(profile, 0.75)
    x, y, z = surface.vertices.T
    radius, u = np.hypot(x, z), y - 0.75
    tread = radius > 1.01 * AXLE
    np.testing.assert_allclose(radius[tread], -profile(u[tread]), rtol=1e-12)
    assert y.min() == 0.0 and np.isclose(u.max(), profile.valid[1])
    low, high = profile.valid
    exact = np.pi * np.trapezoid(profile(np.linspace(low, high, 201)) ** 2, np.linspace(low, high, 201))
    assert 0.9 * exact < volume(surface) < 1.2 * exact  # with the axle, which has no ends


def test_a_rail_has_its_profile_along_the_track():
    profile = uic60()
    track = Track([Straight(30.0), Arc(60.0, 300.0)], gauge=1.435, profile=profile)
    surface = rail_surface(track.left, profile)
    rows = surface.vertices.reshape(180, -1, 3)  # one section in half a metre
    s, u = np.linspace(0.0, track.length, 180), np.linspace(*profile.valid, ACROSS)
    for k in (0, 40, 179):
        exact = rail(track.left, profile, np.full(ACROSS, s[k]), u).point
        np.testing.assert_allclose(rows[k, :ACROSS], exact.T, atol=1e-12)
    below = rows[:, ACROSS:-1, 2].max(axis=1) < rows[:, :ACROSS, 2].max(axis=1)
    assert below.all() and volume(surface) > 0.0


def test_long_rails_are_drawn_with_their_curves_and_waves():
    """Chords pass a millimetre beside the rail at most: by its own points between those that are drawn."""
    per_section = len(rail_surface(Track([Straight(10.0)], distance=1.5).left, crown(0.3)).vertices) // 20
    long = [Straight(100.0), Clothoid(100.0), Arc(2000.0, 600.0), Clothoid(100.0), Straight(800.0)]
    for track, most in (
        (Track(long, distance=1.5), 2500),
        (Track([Straight(1000.0)], distance=1.5, irregularities=[harmonic(0.005, 10.0)]), 2000),
        (Track([Straight(3000.0)], distance=1.5), 300),
    ):
        count = len(rail_surface(track.left, crown(0.3)).vertices) // per_section
        assert 300 <= count <= most
        s = np.linspace(0.0, track.length, count)
        ends, middle = track.left.evaluate(s)[:, :3], track.left.evaluate(0.5 * (s[1:] + s[:-1]))[:, :3]
        assert np.linalg.norm(0.5 * (ends[1:] + ends[:-1]) - middle, axis=1).max() < 1.1e-3


def test_all_wheels_on_a_rail_have_one_rail():
    model = mechanisms.bogie().model
    contacts = [one for one in model.elements if isinstance(one, WheelRail)]
    assert len(contacts) == 4
    rails = [contact.surfaces()[1] for contact in contacts]
    assert len({id(thing) for _, thing, _ in rails}) == 2 and all(body.is_ground for body, _, _ in rails)
    assert {contact.surfaces()[0][0].name for contact in contacts} == {"front", "rear"}


def test_joints_of_other_kinds_are_drawn_as_constraints():
    assert _family({"family": "guided"}) == "constraint" and _family({"family": "revolute"}) == "revolute"
