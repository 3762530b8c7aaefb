"""Rolling bodies and blades, beside closed forms and equations written by hand."""

import contextlib

import numpy as np
import pytest
from model.rows import last_state, value

import dalembert as da
from dalembert.errors import ModelWarning
from dalembert.model.model import Model

G = 9.81
PRECISE = {"method": "dop853", "rtol": 1e-10, "atol": 1e-12}


def test_the_chaplygin_sleigh_ends_up_going_straight():
    # Blade at a distance a behind the centre: v = c tanh τ, ω = (c/κ) sech τ with κ² = I/m + a², τ = a c t/κ².
    mass, inertia, a, spin = 2.0, 0.3, 0.4, 3.0
    kappa = np.sqrt(inertia / mass + a * a)
    c = kappa * spin
    for form in ("knife edge", "own"):
        m = Model("sleigh", plane="xy")
        sleigh = m.body("sleigh", mass=mass, inertia=inertia, com=(a, 0), position=(0, 0), angular_velocity=spin)
        if form == "knife edge":
            blade = m.knife_edge("blade", sleigh.at(0, 0))
        else:
            blade = m.velocity_constraint("blade", lambda at: -at.velocity.dot(at.y), at=sleigh.at(0, 0))
        m.sensor("side", blade.force)
        m.sensor("speed", sleigh.at(0, 0).velocity)
        equations = m.equations()
        solution = da.simulate(equations, (0, 2), equations.assemble(), **PRECISE)
        tau = a * c * solution.t / kappa**2
        assert solution.v[2] == pytest.approx(spin / np.cosh(tau), abs=1e-8)
        assert np.linalg.norm(solution["speed"], axis=0) == pytest.approx(c * np.tanh(tau), abs=1e-8)
        # I ω̇ = −a N: the blade is behind the centre.
        turning = -spin * np.sinh(tau) / np.cosh(tau) ** 2 * a * c / kappa**2
        assert solution["side"] == pytest.approx(-inertia * turning / a, abs=1e-7)


def test_a_wheel_rolls_down_a_slope():
    mass, inertia, radius, slope = 2.0, 0.03, 0.2, 0.3
    down = G * np.sin(slope) / (1.0 + inertia / (mass * radius**2))
    for offset in (None, 0.7):
        m = Model("wheel", plane="xy", gravity=(0, -G))
        wheel = m.body("wheel", mass=mass, inertia=inertia, angle=0.5, position=(0, radius / np.cos(slope)))
        line = m.ground.at(0, 0, angle=-slope)
        rolling = m.rolling_disc("rolling", wheel.at(0, 0), radius, on=line, offset=offset)
        m.sensor("angle", wheel.angle)
        for coordinates in ("relative", "absolute"):
            equations = m.equations(coordinates)
            drawn = (
                contextlib.nullcontext()
                if offset is None
                else pytest.warns(ModelWarning, match="body 'wheel' was moved by .* to meet .* 'rolling'")
            )
            with drawn:
                state = equations.assemble()
            force = value(equations, rolling.force, state)
            assert force == pytest.approx([mass * G * np.cos(slope), -inertia * down / radius**2], abs=1e-10)
            solution = da.simulate(equations, (0, 1), state, **PRECISE)
            moved = solution["angle"][-1] - solution["angle"][0]
            assert moved == pytest.approx(-0.5 * down / radius, abs=1e-9)  # a right-handed angle runs backwards
            if offset is not None:
                x = solution.q[0] * np.cos(slope) - solution.q[1] * np.sin(slope)
                assert x + radius * (solution["angle"] + slope) == pytest.approx(offset, abs=1e-12)


def disc_by_hand(m, r):
    """A thin disc in the coordinates x, y, heading ψ, lean θ, spin φ: Lagrange's equations, rolling as constraints."""
    A, C = 0.25 * m * r * r, 0.5 * m * r * r

    def M(q):
        s, c = np.sin(q[3]), np.cos(q[3])
        return np.array([
            [m, 0, 0, 0, 0], [0, m, 0, 0, 0], [0, 0, A * c * c + C * s * s, 0, C * s],
            [0, 0, 0, A + m * r * r * s * s, 0], [0, 0, C * s, 0, C],
        ])  # fmt: skip

    def f(q, v):
        s, c = np.sin(q[3]), np.cos(q[3])
        heading, lean, spin = v[2], v[3], v[4]
        kinetic = (C - A) * s * c * heading**2 + C * c * heading * spin + m * r * r * s * c * lean**2
        return np.array([
            0 * s, 0 * s, -(2 * (C - A) * s * c * lean * heading + C * c * lean * spin),
            kinetic - 2 * m * r * r * s * c * lean**2 + m * G * r * s, -C * c * lean * heading,
        ])  # fmt: skip

    def rolling(q, v):
        # The centre moves as w × r u, with u from the point of contact to the centre.
        cp, sp, c, s = np.cos(q[2]), np.sin(q[2]), np.cos(q[3]), np.sin(q[3])
        u = [s * sp, -s * cp, c]
        axle = [-c * sp, c * cp, s]
        w = [v[3] * cp + v[4] * axle[0], v[3] * sp + v[4] * axle[1], v[2] + v[4] * axle[2]]
        return np.array([v[0] - r * (w[1] * u[2] - w[2] * u[1]), v[1] - r * (w[2] * u[0] - w[0] * u[2])])

    return da.trace(M=M, f=f, nonholonomic=rolling, n_q=5, name="disc by hand")


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_tilted_disc_rolls_as_its_equations_by_hand_say(coordinates):
    mass, r = 1.5, 0.5
    heading, lean, rates = 0.3, 0.25, (0.6, -0.4, 5.0)
    hand = disc_by_hand(mass, r)
    # Frame of the disc: x along the heading, z the axle: first ψ about z, then θ about x; y of that frame is the axle.
    cp, sp, c, s = np.cos(heading), np.sin(heading), np.cos(lean), np.sin(lean)
    axle, along = np.array([-c * sp, c * cp, s]), np.array([cp, sp, 0.0])
    u = np.array([s * sp, -s * cp, c])
    w = rates[0] * np.array([0, 0, 1.0]) + rates[1] * along + rates[2] * axle
    R = np.column_stack([along, np.cross(axle, along), axle])
    v = np.cross(w, r * u)
    m = Model("disc", gravity=(0, 0, -G))
    disc = m.body(
        "disc", mass=mass, inertia=mass * r * r * np.array([0.25, 0.25, 0.5]), position=(0, 0, r * c), rotation=R,
        velocity=v, angular_velocity=R.T @ w,
    )  # fmt: skip
    rolling = m.rolling_disc("rolling", disc.at(0, 0, 0), r)
    if coordinates == "relative":
        # The coordinates of a joint instead of a pose.
        m.free("F", m.ground.at(0.1, 0.2, 0), disc.at(0, 0, 0))
    equations = m.equations(coordinates)
    state = equations.assemble()
    assert value(equations, disc.velocity, state) == pytest.approx(v, abs=1e-12)
    by_hand = da.simulate(hand, (0, 1), hand.assemble([0, 0, heading, lean, 0], [*v[:2], *rates]), **PRECISE)
    solution = da.simulate(equations, (0, 1), state, **PRECISE)
    end = last_state(solution)
    x, y, psi, theta, _ = by_hand.q[:, -1]
    assert value(equations, disc.position, end) == pytest.approx([x, y, r * np.cos(theta)], abs=1e-8)
    axle = [-np.cos(theta) * np.sin(psi), np.cos(theta) * np.cos(psi), np.sin(theta)]
    assert value(equations, disc.rotation, end)[:, 2] == pytest.approx(axle, abs=1e-8)
    # The forces of contact move the centre: m (a − g).
    normal, along, across = value(equations, rolling.force, end)
    a = value(equations, disc.com.acceleration, end)
    forward = np.array([np.cos(psi), np.sin(psi), 0.0])
    total = normal * np.array([0, 0, 1.0]) + along * forward + across * np.cross([0, 0, 1.0], forward)
    assert total == pytest.approx(mass * (a + np.array([0, 0, G])), abs=1e-9)


def test_a_ball_on_a_turntable_runs_in_circles():
    # A solid ball on a table that turns with Ω runs in a circle with 2Ω/7, whatever its start (Routh).
    radius, turning = 0.1, 3.0
    m = Model("turntable", gravity=(0, 0, -G))
    table = m.body("table", mass=10.0, inertia=(1, 1, 2))
    A = m.revolute("A", m.ground.at(0, 0, 0.5), table.at(0, 0, 0))
    m.drive("motor", A, lambda t: turning * t)
    centre = np.array([0.3, 0.2, 0.5 + radius])
    speed = np.array([0.2, -0.1, 0.0])
    # No slipping at the start: v + w × (−r n) = Ω × r of the point below.
    below = np.cross([0, 0, turning], centre)
    w = np.cross([0, 0, 1.0], speed - below) / radius
    ball = m.body(
        "ball",
        mass=0.7,
        inertia=[0.4 * 0.7 * radius**2] * 3,
        position=centre,
        velocity=speed,
        angular_velocity=[*w[:2], 1.5],
    )
    m.rolling_ball("rolling", ball.at(0, 0, 0), radius, on=table.at(0, 0, 0))
    m.sensor("centre", ball.position)
    equations = m.equations()
    period = 7 * np.pi / turning
    solution = da.simulate(equations, (0, period), equations.assemble(), **PRECISE)
    path = solution["centre"]
    assert path[:, 0] == pytest.approx(centre, abs=1e-12)
    assert path[:, -1] == pytest.approx(centre, abs=1e-7)
    # The centre of the circle from the velocity at the start: v = (2Ω/7) e_z × (r − r_c).
    rate = 2 * turning / 7
    middle = centre[:2] + np.array([-speed[1], speed[0]]) / rate
    distance = np.linalg.norm(path[:2] - middle[:, None], axis=0)
    assert distance == pytest.approx(np.linalg.norm(speed) / rate, abs=1e-7)
