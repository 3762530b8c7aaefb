"""Drawn roads: their heights are those that tyres feel, around the paths of the wheels."""

import numpy as np
import pytest

import dalembert as da
from dalembert.io import example, parse_model
from dalembert.problems import mechanisms

RADIUS = 0.3
BOUND = 2e-3 * RADIUS  # chords of the drawn surface below and above curved roads


def roller(road, planar=False, wheels=1, **parameters):
    """Wheels side by side that slide along x and z, each on a tyre; their roads are functions made by ``road()``."""
    m = da.Model("roller", plane="xy" if planar else None, gravity=(0, -9.81) if planar else (0, 0, -9.81))
    m.parameters(**parameters)
    inertia, up = (0.1, "y") if planar else ((0.1, 0.1, 0.1), "z")
    sled = m.body("sled", 1.0, inertia)
    m.prismatic("slide", m.ground.at(*[0.0] * (2 if planar else 3)), sled, axis="x")
    for k in range(wheels):
        wheel = m.body(f"wheel {k}", 10.0, inertia)
        m.prismatic(f"lift {k}", sled.at(0.0, 0.0) if planar else sled.at(0.0, 1.0 * k, 0.0), wheel, axis=up)
        m.tyre(f"tyre {k}", wheel, RADIUS, 2e4, 300.0, road=road())
    return m


def scenery(m, far=2.0, parameters=None):
    """Surfaces that a motion of the wheels from x = 0 to ``far`` shows on the ground, and the equations."""
    equations = m.equations("relative")
    q = np.zeros((equations.sizes.q, 3))
    q[equations.index("q", "slide.displacement")] = [0.0, 0.4 * far, far]
    return equations.portrait(np.arange(3.0), q, parameters)["scenery"], equations


def height_below(surface, x):
    """Height of a drawn surface at places along x, by its vertices."""
    vertices = surface[0]
    order = np.argsort(vertices[:, 0], kind="stable")
    return np.interp(x, vertices[order, 0], vertices[order, 2])


def height_felt(m, equations, x, parameters=None):
    """Height of the road by the compression of the tyre, whose wheel stands at z = 0."""
    start = equations.assemble({m["slide"].displacement: x, m["lift 0"].displacement: 0.0}, parameters=parameters)
    return float(equations.evaluate_quantity(m["tyre 0"].compression, start, parameters)) - RADIUS


def bump():
    return lambda x, p: p.size * np.maximum(1.0 - ((x - p.at) / 0.2) ** 2, 0.0)


LAWS = {
    "function": (bump, {"size": 0.05, "at": 1.1}),
    "waves": (lambda: lambda x: 0.04 * np.sin(7.0 * x), {}),
    "table": (lambda: (np.array([-9.0, 0.5, 1.0, 1.5, 9.0]), np.array([0.0, 0.0, 0.06, 0.02, 0.02])), {}),
}


@pytest.mark.parametrize("law", LAWS)
def test_drawn_heights_are_those_that_the_tyre_feels(law):
    road, parameters = LAWS[law]
    m = roller(road, **parameters)
    (surface,), equations = scenery(m)
    for x in np.random.default_rng(3).uniform(-1.0, 3.0, 25):
        assert height_below(surface, x) == pytest.approx(height_felt(m, equations, x), abs=BOUND)
    assert np.ptp(surface[0][:, 2]) > 0.03
    # The surface faces upwards, begins before the wheels and goes on beyond them, and is wider than their track.
    a, b, c = np.moveaxis(surface[0][surface[1]], 1, 0)
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()
    low, high = surface[0].min(axis=0), surface[0].max(axis=0)
    assert low[0] < -5 * RADIUS and high[0] > 2.0 + 5 * RADIUS and low[1] < -0.5 * RADIUS and high[1] > 0.5 * RADIUS


def test_parameters_of_the_run_move_the_drawn_bump():
    m = roller(bump, size=0.05, at=1.1)
    given = {"size": 0.02, "at": 0.7}
    (surface,), equations = scenery(m, parameters=given)
    assert surface[0][:, 2].max() == pytest.approx(0.02, rel=1e-3)
    assert surface[0][np.argmax(surface[0][:, 2]), 0] == pytest.approx(0.7, abs=0.05 * RADIUS)
    assert height_below(surface, 0.65) == pytest.approx(height_felt(m, equations, 0.65, given), abs=BOUND)


def test_straight_parts_take_few_points():
    (surface,), _ = scenery(roller(bump, size=0.05, at=1.1), far=1000.0)
    assert len(surface[0]) < 500


def test_tyres_with_the_same_road_share_a_surface():
    def own(k):
        return lambda x: (0.02 + 0.01 * k) * np.cos(3.0 * x)

    found, _ = scenery(roller(bump, wheels=3, size=0.05, at=1.1))
    assert len(found) == 1 and np.ptp(found[0][0][:, 1]) == pytest.approx(2.0 + 2 * RADIUS)
    numbers = iter(range(3))
    assert len(scenery(roller(lambda: own(next(numbers)), wheels=3))[0]) == 3


def test_roads_over_both_axes():
    (surface,), _ = scenery(roller(lambda: lambda x, y: 0.05 * np.sin(x) * np.cos(2.0 * y)))
    x, y, z = surface[0].T
    np.testing.assert_allclose(z, 0.05 * np.sin(x) * np.cos(2.0 * y), atol=1e-12)
    assert len(np.unique(x)) > 50 < len(np.unique(y)) and len(x) <= 40_000


def test_roads_that_are_level_or_move_have_no_surface():
    for road in (0.1, lambda t: 0.02 * np.sin(t), lambda x, t: 0.02 * np.sin(x - t)):
        assert scenery(roller(lambda road=road: road))[0] == []


def test_a_road_ends_with_its_table():
    table = da.table([0.0, 0.5, 1.0], [0.0, 0.05, 0.0], outside="error")
    (surface,), _ = scenery(roller(lambda: table))
    drawn = surface[0][np.unique(surface[1])]
    assert (
        np.isfinite(surface[0]).all() and -0.1 * RADIUS < drawn[:, 0].min() and drawn[:, 0].max() < 1.0 + 0.1 * RADIUS
    )


def test_a_road_in_the_plane_is_a_band_below_its_line():
    (surface,), equations = scenery(roller(bump, planar=True, size=0.05, at=1.1))
    vertices = surface[0].reshape(-1, 2, 3)
    line = vertices[:, 1]
    np.testing.assert_allclose(line[:, 1], bump()(line[:, 0], type("P", (), dict(equations.parameters))), atol=1e-12)
    assert (vertices[:, 0, 1] < line[:, 1]).all() and (surface[0][:, 2] == 0.0).all()


def test_a_motion_that_diverges_can_be_drawn():
    equations = roller(bump, size=0.05, at=1.1).equations("relative")
    for last in (1e300, np.inf, np.nan):
        q = np.zeros((equations.sizes.q, 2))
        q[:, 1] = last
        (surface,) = equations.portrait(np.arange(2.0), q)["scenery"]
        assert np.isfinite(surface[0]).all()


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_the_vehicle_and_its_file_show_the_bump(coordinates):
    example_ = mechanisms.hmmwv14()
    for model, start in (
        (example_.model, lambda eqs: example_.assemble(eqs)),
        (parse_model(example("hmmwv14")).model, lambda eqs: eqs.assemble({})),
    ):
        equations = model.equations(coordinates)
        (surface,) = equations.portrait([0.0], start(equations).q[:, None])["scenery"]
        top = surface[0][np.argmax(surface[0][:, 2])]
        assert top[2] == pytest.approx(0.05, abs=1e-4) and top[0] == pytest.approx(
            equations.parameters["bump_at"], abs=0.02
        )
        assert surface[0][:, 2].min() == 0.0 and np.ptp(surface[0][:, 1]) > 2.0
