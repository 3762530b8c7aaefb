"""Tyres that slip: formulas, linear range, friction, combined slip, steady cornering, relaxation."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import dalembert as da
from dalembert.equations.contract.evaluation import Derivatives
from dalembert.errors import ModelError

RADIUS, STIFFNESS, DAMPING, SLOW = 0.3, 2e5, 100.0, 0.05
TANH = {"stiffness": 6e4, "mu": 0.8}
TMEASY = {"stiffness": 9e4, "mu": 0.9, "peak_slip": 0.12, "sliding_mu": 0.7, "sliding_slip": 0.5}


def wheel(lateral=TANH, longitudinal=None, law="tanh", **options):
    """A free body with a tyre, whose axle is its y axis."""
    m = da.Model("wheel", gravity=(0, 0, -9.81))
    body = m.body("body", 20.0, (0.5, 0.8, 0.5))
    tyre = m.slip_tyre(
        "tyre", body.at(0, 0, 0, axis="y"), RADIUS, STIFFNESS, DAMPING, lateral=lateral, longitudinal=longitudinal,
        law=law, velocity=SLOW, **options,
    )  # fmt: skip
    return m, tyre


@functools.cache
def made(law, spins):
    curve = TANH if law == "tanh" else TMEASY
    m, _ = wheel(curve, curve if spins else None, law)
    return m.equations()


def upright(height=0.28):
    return np.array([0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0])


def forces(law, spins, vx, vy, spin, height=0.28):
    """Forces of the road on an upright wheel: along, across, load."""
    f = made(law, spins).evaluate("f", q=upright(height), v=[vx, vy, 0.0, 0.0, spin, 0.0])
    return f[0], f[1], f[2] + 20.0 * 9.81


# ------------------------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize("builder", ["symbolic", "elements", "recursion"])
def test_forces_of_a_tilted_steered_spinning_wheel(builder):
    longitudinal = {"stiffness": 8e4, "mu": 1.0}
    m, tyre = wheel(TANH, longitudinal, road=lambda x, y: 0.02 * x - 0.01 * y)
    equations = m.equations("absolute" if builder == "elements" else "relative", builder=builder)
    p = np.array([0.97, 0.05, -0.1, 0.2])
    p /= np.linalg.norm(p)
    q, v = np.array([0.3, -0.2, 0.27, *p]), np.array([12.0, 1.5, 0.1, 0.4, 44.0, -0.3])
    e, E = p[1:], np.cross(np.eye(3), p[1:])
    R = (p[0] ** 2 - e @ e) * np.eye(3) + 2.0 * np.outer(e, e) + 2.0 * p[0] * E
    axle, up, w = R[:, 1], np.array([0.0, 0.0, 1.0]), R @ v[3:]
    depth = 0.02 * q[0] - 0.01 * q[1] + RADIUS - q[2]
    load = STIFFNESS * depth + DAMPING * (0.02 * v[0] - 0.01 * v[1] - v[2])
    ahead = np.cross(axle, up) / np.linalg.norm(np.cross(axle, up))
    left, arm = np.cross(up, ahead), -(RADIUS - depth) * up
    lowest = v[:3] + np.cross(w, arm)
    spin = np.dot(w, axle) * axle
    V = np.hypot((v[:3] + np.cross(w - spin, arm)) @ ahead, SLOW)
    sx, sy = -lowest @ ahead / V, lowest @ left / V
    sigma = np.array([8e4 * sx / load, -6e4 * np.arctan(sy) / (0.8 * load)])
    Fx, Fy = np.array([1.0, 0.8]) * load * np.tanh(np.linalg.norm(sigma)) * sigma / np.linalg.norm(sigma)
    F = Fx * ahead + Fy * left
    expected = [*(F + (load - 20.0 * 9.81) * up), *(R.T @ np.cross(arm, F) - np.cross(v[3:], [0.5, 0.8, 0.5] * v[3:]))]
    assert_allclose(equations.evaluate("f", q=q, v=v), expected, rtol=1e-9, atol=1e-6)
    state = equations.assemble(q, v)
    measured = [tyre.force, tyre.longitudinal_force, tyre.lateral_force, tyre.slip, tyre.slip_angle]
    found = [equations.evaluate_quantity(one, state) for one in measured]
    assert_allclose(found, [load, Fx, Fy, sx, np.arctan(sy)], rtol=1e-9)


def test_wheels_without_a_joint_to_spin_in_roll_freely():
    equations = made("tanh", False)
    f = [equations.evaluate("f", q=upright(), v=[20.0, 0.4, 0.0, 0.0, spin, 0.0]) for spin in (0.0, 5.0, 70.0)]
    assert_allclose(f[1:], f[:1] * 2, rtol=1e-12)
    assert f[0][0] == 0.0
    assert f[0][1] == pytest.approx(-0.8 * 4e3 * np.tanh(6e4 * np.arctan(0.02) / 3.2e3), rel=1e-4)


@pytest.mark.parametrize("law", ["tanh", "tmeasy"])
@pytest.mark.parametrize("spins", [False, True])
def test_small_slips_have_the_stiffness_that_was_given(law, spins):
    stiffness = (TANH if law == "tanh" else TMEASY)["stiffness"]
    for slip in (1e-3, -1e-3):
        _, across, load = forces(law, spins, 100.0, 100.0 * slip, 100.0 / 0.28)
        bend = stiffness * abs(slip) / (0.8 * load)
        assert across == pytest.approx(-stiffness * slip, rel=3.0 * bend)
    if spins:
        along, across, _ = forces(law, True, 100.0, 0.0, 100.1 / 0.28)
        assert along == pytest.approx(stiffness * 1e-3, rel=0.1)
        assert across == 0.0


@pytest.mark.parametrize("law", ["tanh", "tmeasy"])
@pytest.mark.parametrize("spins", [False, True])
def test_tyres_that_slide_reach_friction_and_no_more(law, spins):
    mu = 0.8 if law == "tanh" else 0.7
    _, across, load = forces(law, spins, 10.0, 40.0, 10.0 / 0.28)
    assert across == pytest.approx(-mu * load, rel=1e-6)
    if spins:
        along, across, load = forces(law, True, 10.0, 0.0, 0.0)  # locked
        assert (along, across) == (pytest.approx(-mu * load, rel=1e-6), 0.0)


def tmeasy(slip, slope, peak, highest, end, lowest):
    """Force over slip as Rill's program has it: "TMeasy: the handling tire model for all driving situations", 2013."""
    if slip >= end:
        return lowest
    if slip < peak:
        sigma = slip / peak
        return slope * slip / (1.0 + sigma * (sigma + slope * peak / highest - 2.0))
    a = (highest / peak) ** 2 / (slope * peak)
    turn = peak + (highest - lowest) / (a * (end - peak))
    if turn <= end:
        b = a * (turn - peak) / (end - turn)
        return highest - a * (slip - peak) ** 2 if slip <= turn else lowest + b * (end - slip) ** 2
    sigma = (slip - peak) / (end - peak)
    return highest - (highest - lowest) * sigma**2 * (3.0 - 2.0 * sigma)


@pytest.mark.parametrize("sliding_slip", [0.5, 0.13], ids=["two parabolas", "a cubic"])
def test_curve_of_tmeasy(sliding_slip):
    m, _ = wheel({**TMEASY, "sliding_slip": sliding_slip}, None, "tmeasy")
    equations = m.equations()
    for slip in (0.03, 0.06, 0.1199, 0.12, 0.1225, 0.128, 0.14, 0.2, 0.31, 0.5, 2.0):
        f = equations.evaluate("f", q=upright(), v=[1000.0, 1000.0 * slip, 0.0, 0.0, 0.0, 0.0])
        assert -f[1] == pytest.approx(tmeasy(slip, 9e4, 0.12, 3.6e3, sliding_slip, 2.8e3), rel=1e-6), slip


def test_combined_slips_of_tmeasy():
    """Two curves, combined as in Rill's program: slips are normalised, the parameters of the curve between are means
    by the direction of the normalised slip, which the force has."""
    x = {"stiffness": 1.2e5, "mu": 1.0, "peak_slip": 0.1, "sliding_mu": 0.8, "sliding_slip": 0.8}
    y = {"stiffness": 8e4, "mu": 0.9, "peak_slip": 0.18, "sliding_mu": 0.75, "sliding_slip": 0.6}
    m, tyre = wheel(y, x, "tmeasy")
    equations = m.equations()
    load, radius, spin = STIFFNESS * 0.02, 0.28, 4000.0
    table = {side: (one["stiffness"], one["peak_slip"], one["mu"] * load, one["sliding_slip"], one["sliding_mu"] * load)
             for side, one in (("x", x), ("y", y))}  # fmt: skip
    (dx, sxm, fxm, sxs, fxs), (dy, sym, fym, sys, fys) = table["x"], table["y"]
    scale_x = sxm / (sxm + sym) + (fxm / dx) / (fxm / dx + fym / dy)
    scale_y = sym / (sxm + sym) + (fym / dy) / (fxm / dx + fym / dy)
    for sx, sy in ((0.02, 0.03), (-0.1, 0.05), (0.3, -0.2), (0.05, 0.5), (1.5, 1.0)):
        normal = np.array([sx / scale_x, sy / scale_y])
        size = np.linalg.norm(normal)
        c, s = normal / size
        force = tmeasy(
            size, np.hypot(dx * scale_x * c, dy * scale_y * s), np.hypot(sxm * c / scale_x, sym * s / scale_y),
            np.hypot(fxm * c, fym * s), np.hypot(sxs * c / scale_x, sys * s / scale_y), np.hypot(fxs * c, fys * s),
        )  # fmt: skip
        v = [radius * spin * (1.0 - sx), -radius * spin * sy, 0.0, 0.0, spin, 0.0]
        f = equations.evaluate("f", q=upright(), v=v)
        assert_allclose(f[:2], [force * c, force * s], rtol=1e-6)
        assert equations.evaluate_quantity(tyre.slip, equations.assemble(upright(), v)) == pytest.approx(sx, rel=1e-6)


speeds = st.floats(-50.0, 50.0)


@settings(max_examples=60, deadline=None)
@given(law=st.sampled_from(["tanh", "tmeasy"]), vx=speeds, vy=speeds, spin=st.floats(-150.0, 150.0),
       height=st.floats(0.25, 0.31))  # fmt: skip
def test_combined_slip_stays_within_the_circle_of_friction_and_dissipates(law, vx, vy, spin, height):
    along, across, load = forces(law, True, vx, vy, spin, height)
    mu = TANH["mu"] if law == "tanh" else TMEASY["mu"]
    assert load >= -1e-9
    assert np.hypot(along, across) <= mu * load * (1.0 + 1e-9) + 1e-9
    radius = min(height, RADIUS)
    assert along * (vx - radius * spin) + across * vy <= 1e-6


@pytest.mark.parametrize("law", ["tanh", "tmeasy"])
def test_standstill_is_smooth_and_damps(law):
    equations = made(law, True)
    stiffness = (TANH if law == "tanh" else TMEASY)["stiffness"]
    assert_allclose(forces(law, True, 0.0, 0.0, 0.0)[:2], 0.0, atol=1e-12)
    h = 1e-7
    damping = (forces(law, True, 0.0, h, 0.0)[1] - forces(law, True, 0.0, -h, 0.0)[1]) / (2.0 * h)
    assert damping == pytest.approx(-stiffness / SLOW, rel=1e-3)
    nothing = np.zeros(6)
    for height in (0.28, 0.3, 0.31):
        point = (0.0, upright(height), nothing, nothing, np.zeros(0), np.zeros(0), equations.parameter_vector())
        exact = Derivatives(equations, *point).block("residual", "v")
        assert np.isfinite(exact).all()
        assert exact[1, 1] == pytest.approx(stiffness / SLOW if height < 0.3 else 0.0, rel=1e-3)


def test_parameters_may_depend_on_the_load_and_on_parameters_of_the_model():
    m = da.Model("wheel", gravity=(0, 0, -9.81))
    m.parameters(mu=0.5)
    body = m.body("body", 20.0, (0.5, 0.8, 0.5))
    soft = {"stiffness": lambda load: 20.0 * load, "mu": m.p.mu}
    m.slip_tyre("a", body.at(0, 0, 0, axis="y"), RADIUS, STIFFNESS, lateral=soft, velocity=SLOW)
    equations = m.equations()
    for height, mu in ((0.28, 0.5), (0.26, 0.3)):
        load = STIFFNESS * (RADIUS - height)
        f = equations.evaluate("f", q=upright(height), v=[50.0, 1.0, 0, 0, 0, 0], parameters={"mu": mu})
        assert f[1] == pytest.approx(-mu * load * np.tanh(20.0 * np.arctan(0.02) / mu), rel=1e-5)


# -------------------------------------------------------------------------------------------------------------- motions

MASS, YAW, FRONT, REAR, SPEED, STEER = 1500.0, 2500.0, 1.2, 1.6, 25.0, 1e-4
AXLE = {"front": 9e4, "rear": 1.1e5}


def test_steady_cornering_has_the_understeer_gradient_of_the_bicycle():
    """L + (m/L)(b/C_f − a/C_r) V² is the radius per angle of steer."""
    m = da.Model("bicycle", gravity=(0, 0, -9.81))
    car = m.body("car", MASS, (400.0, YAW, YAW))
    table = m.planar_joint("table", m.ground.at(0, 0, 0.28), car.at(0, 0, 0), start={"x.rate": SPEED})
    for name, x, angle in (("front", FRONT, STEER), ("rear", -REAR, 0.0)):
        axle = (-np.sin(angle), np.cos(angle), 0.0)
        m.slip_tyre(name, car.at(x, 0, 0, axis=axle), 0.3, 4e5, lateral={"stiffness": AXLE[name], "mu": 1.0},
                    velocity=1e-3)  # fmt: skip
    m.force("engine", car.at(0, 0, 0), lambda velocity, rotation: [1e5 * (SPEED - velocity @ rotation[:, 0]), 0, 0],
            frame="body")  # fmt: skip
    m.sensor("forward", car.velocity)
    equations = m.equations()
    sol = da.simulate(equations, (0, 6), equations.assemble({}), rtol=1e-9, atol=1e-12)
    length = FRONT + REAR
    gradient = MASS / length * (REAR / AXLE["front"] - FRONT / AXLE["rear"])
    speed = np.linalg.norm(sol["forward"][:, -1])
    yaw = sol[table.angle.rate.name][-1]
    assert speed == pytest.approx(SPEED, rel=1e-6)
    assert speed / yaw * STEER == pytest.approx(length + gradient * SPEED**2, rel=1e-4)


@pytest.mark.parametrize("builder", ["symbolic", "recursion"])
def test_slip_follows_with_its_relaxation_length(builder):
    """At constant speed the step response is 1 − exp(−V t/ℓ)."""
    m = da.Model("sledge", gravity=(0, 0, -9.81))
    heavy = m.body("heavy", 1e12, (1e12, 1e12, 1e12))
    m.planar_joint("table", m.ground.at(0, 0, 0.28), heavy.at(0, 0, 0), start={"x.rate": 20.0})
    tyre = m.slip_tyre("tyre", heavy.at(0, 0, 0, axis=(np.sin(0.02), np.cos(0.02), 0.0)), 0.3, 2e5,
                       lateral={**TANH, "relaxation": 0.6}, velocity=1e-6)  # fmt: skip
    m.sensor("angle", tyre.slip_angle)
    m.sensor("lateral", tyre.lateral_force)
    equations = m.equations(builder=builder)
    assert equations.names["u"] == ("tyre.lateral_slip",)
    sol = da.simulate(equations, (0, 0.1), equations.assemble({}), rtol=1e-10, atol=1e-12, t_eval=[0.03, 0.1])
    expected = np.tan(0.02) * (1.0 - np.exp(-20.0 * np.cos(0.02) * sol.t / 0.6))
    assert_allclose(sol.u[0], expected, rtol=1e-7)
    assert_allclose(sol["angle"], 0.02, rtol=1e-8)
    assert_allclose(sol["lateral"], -3.2e3 * np.tanh(6e4 * np.arctan(expected) / 3.2e3), rtol=1e-7)


def test_a_wheel_that_is_driven_accelerates_its_car_by_the_force_of_slip():
    m = da.Model("unicycle", gravity=(0, 0, -9.81))
    car = m.body("car", 400.0, (50.0, 50.0, 50.0))
    m.prismatic("road", m.ground.at(0, 0, 0.28), car.at(0, 0, 0), axis="x", start={"displacement.rate": 5.0})
    rim = m.body("rim", 10.0, (0.3, 0.5, 0.3))
    axle = m.revolute("axle", car.at(0, 0, 0), rim.at(0, 0, 0), axis="y", start={"angle.rate": 5.0 / 0.28})
    tyre = m.slip_tyre("tyre", rim.at(0, 0, 0, axis="y"), 0.3, 2e5, lateral=TMEASY,
                       longitudinal={**TMEASY, "relaxation": 0.2}, law="tmeasy", velocity=0.1)  # fmt: skip
    m.torque("engine", axle, 300.0)
    m.sensor("along", tyre.longitudinal_force)
    equations = m.equations()
    sol = da.simulate(equations, (0, 3), equations.assemble({}), rtol=1e-9, atol=1e-9)
    a, spin = (410.0, 0.5 / 0.28**2)  # rolling without slip, in the end
    assert sol["along"][-1] == pytest.approx(300.0 / 0.28 * a / (a + spin), rel=1e-2)
    assert equations.evaluate_quantity(tyre.state("longitudinal"), equations.assemble({})) == 0.0


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lateral": {"stiffness": 1.0}}, "slip tyre 't': lateral needs mu; the law 'tanh' has stiffness, mu and"),
        ({"lateral": {**TANH, "mue": 1.0}}, "has no 'mue' in lateral; did you mean 'mu'"),
        ({"lateral": 5.0}, "lateral must name stiffness, mu"),
        ({"lateral": None}, "lateral needs stiffness"),
        ({"law": "magic"}, "slip tyre 't': law must be"),
        ({"lateral": {**TANH, "mu": -0.1}}, "lateral mu must be positive, got -0.1"),
        ({"lateral": {**TANH, "mu": lambda speed: 1.0}}, "asks for an argument 'speed'"),
        ({"lateral": {**TANH, "relaxation": 0.0}}, "lateral relaxation must be positive"),
        ({"law": "tmeasy", "lateral": {**TMEASY, "sliding_slip": 0.1}}, "peak_slip must be at most sliding_slip"),
        ({"law": "tmeasy", "lateral": {**TMEASY, "sliding_slip": 0.12}}, "sliding_slip must be greater than peak_slip"),
        ({"law": "tmeasy", "lateral": {**TMEASY, "sliding_mu": 1.0}}, "sliding_mu must be at most mu, got 1 and 0.9"),
        ({"law": "tmeasy", "lateral": TMEASY, "longitudinal": TANH}, "longitudinal needs peak_slip"),
        ({"velocity": None}, "slip tyre 't': give velocity="),
        ({"radius": 0.0}, "radius must be positive"),
    ],
)
def test_what_is_wrong_is_said(options, message):
    m = da.Model("wheel", gravity=(0, 0, -9.81))
    body = m.body("body", 20.0, (0.5, 0.8, 0.5))
    options = {"radius": 0.3, "stiffness": 2e5, "lateral": TANH, "velocity": 0.1, **options}
    with pytest.raises(ModelError) as error:
        m.slip_tyre("t", body.at(0, 0, 0, axis="y"), **options)
    assert message in str(error.value)


@pytest.mark.parametrize("axis", ["z", (1e-9, 0.0, 1.0)])
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_wheels_that_lie_are_refused_at_the_start(axis, coordinates):
    m = da.Model("lying", gravity=(0, 0, -9.81))
    body = m.body("body", 20.0, (0.5, 0.8, 0.5), position=(0, 0, 0.28))
    m.slip_tyre("tyre", body.at(0, 0, 0, axis=axis), RADIUS, STIFFNESS, lateral=TANH, velocity=SLOW)
    with pytest.raises(
        ModelError, match=r"slip tyre 'tyre': its axle is vertical.*the z axis of its marker is the axle"
    ):
        m.equations(coordinates).assemble()


def test_states_and_planes_that_are_not_there_are_told():
    _, tyre = wheel()
    with pytest.raises(ModelError, match="no relaxation length is given"):
        tyre.state("lateral")
    m = da.Model("plane", plane="xz", gravity=(0, -9.81))
    with pytest.raises(ModelError, match="slip tyre 't' needs space"):
        m.slip_tyre("t", m.body("b", 1.0, 1.0), 0.3, 2e5, lateral=TANH, velocity=0.1)
