"""Equilibria and steady motions, beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from equations.spatial import GRAVITY, TOP, Disc, bodies, planar_pose, pose, rotation, spatial_four_bar, top
from equations.systems import four_bar
from scipy.optimize import brentq

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, StateError

ROUGH = [0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9]


def pendulum(**more):
    """Three angles of a chain of equal massless rods with unit bobs, absolute; gravity 9.81."""
    weights = np.array([3.0, 2.0, 1.0])

    def M(q):
        return np.array([[weights[max(i, j)] * np.cos(q[i] - q[j]) for j in range(3)] for i in range(3)])

    def f(q, v, p):
        gyro = [
            -sum(weights[max(i, j)] * np.sin(q[i] - q[j]) * v[j] ** 2 for j in range(3) if j != i) for i in range(3)
        ]
        return np.array(gyro) - p.g * weights * np.sin(q) + np.array([0, 0, p.torque])

    return da.trace(
        M=M, f=f, n_q=3, parameters={"g": GRAVITY, "torque": 0.0}, names={"q": ["a", "b", "c"]}, name="chain", **more
    )


@pytest.mark.parametrize("start", [[0.1, -0.2, 0.3], [1.5, -1.5, 2.8], [3.0, 3.1, -3.0], [2.0, 2.0, 2.0]])
def test_stable_equilibria_are_found_from_afar(start):
    found = pendulum().equilibrium(start, stable=True)
    assert np.cos(found.q) == pytest.approx(1) and found.v.tolist() == [0, 0, 0]
    assert np.max(np.abs(found.a)) < 1e-10


def test_the_next_equilibrium_may_be_unstable():
    chain = pendulum()
    found = chain.equilibrium([3.0, 0.1, -3.0])
    assert found.q == pytest.approx([np.pi, 0, -np.pi], abs=1e-12)
    assert not chain.linearise(found).stable
    assert np.cos(chain.equilibrium(found.q, stable=True).q) == pytest.approx(1)  # down from the top, on either side


def test_equilibria_that_flutter_are_not_stable():
    """A follower force: the stiffness is not symmetric, and no energy tells."""
    flutter = da.trace(M=lambda: np.eye(2), f=lambda q: -np.array([[1.0, 0.5], [-0.5, 1.0]]) @ q, n_q=2, name="flutter")
    assert flutter.equilibrium([1, 1]).q == pytest.approx([0, 0], abs=1e-12)
    with pytest.raises(EquationsError, match="'flutter': the equilibrium that was found is unstable"):
        flutter.equilibrium([1, 1], stable=True)


def test_forces_and_parameters():
    """The last link under a torque: m g sin c = τ."""
    found = pendulum().equilibrium([0, 0, 0.5], parameters={"torque": 4.0})
    assert found.q == pytest.approx([0, 0, np.arcsin(4 / GRAVITY)], abs=1e-12)
    with pytest.raises(EquationsError, match=r"'chain': no equilibrium was found; from the start, c\.rate is pulled"):
        pendulum().equilibrium([0, 0, 0.5], parameters={"torque": 12.0})


def test_held_coordinates_are_locked():
    found = pendulum().equilibrium({"a": 0.7, "b": 0.3}, held=["a"])
    assert found.q == pytest.approx([0.7, 0, 0], abs=1e-12) and found.q[0] == 0.7
    assert found.a[0] < -1  # nothing holds it from now on


def test_closed_loops_hang_in_the_lowest_position():
    """The stable equilibrium of the four-bar is the lowest position of its centre of mass among all cranks."""
    equations = four_bar()
    found = equations.equilibrium(ROUGH, stable=True)
    lengths = np.array([1.0, 2.0, 1.5])

    def height(q):
        return lengths @ q[1::3]

    for step in (-1e-3, 1e-3):
        q = np.array(found.q)
        q[2] += step
        assert height(equations.assemble(q, held=["phi_crank"]).q) > height(found.q)
    assert np.max(np.abs(found.a)) < 1e-11
    near = equations.equilibrium(ROUGH, held=["phi_crank"])
    assert near.q[2] == ROUGH[2]


def test_redundant_constraints_and_euler_parameters():
    """The spatial four-bar hangs as the planar one does."""
    spatial = spatial_four_bar()
    planar = four_bar()
    rough = planar.assemble(ROUGH).q
    guess = np.concatenate([planar_pose(*rough[3 * k : 3 * k + 3]) for k in range(3)])
    with pytest.raises(ConstraintError, match="depend on the others"):
        spatial.equilibrium(guess)
    # Bars of mass one each, whatever their lengths: a planar system of the same masses.
    same = da.trace(
        M=lambda: np.diag([1.0, 1.0, 1.0 / 12] * 3),
        f=lambda: -GRAVITY * np.array([0, 1.0, 0] * 3),
        g=_loop,
        n_q=9,
    )  # fmt: skip
    found = spatial.equilibrium(guess, stable=True, redundant="accept")
    flat = same.equilibrium(rough, stable=True)
    assert found.q[[0, 1, 7, 8, 14, 15]] == pytest.approx(flat.q[[0, 1, 3, 4, 6, 7]], abs=1e-9)
    assert found.q[[2, 9, 16]] == pytest.approx(0, abs=1e-12)
    for k in range(3):
        assert np.linalg.norm(found.q[7 * k + 3 : 7 * k + 7]) == pytest.approx(1, abs=1e-13)


def _loop(q):
    a, b, c, d = 1.0, 2.0, 1.5, 2.2
    end = lambda k, s: np.array([q[3 * k] + s * np.cos(q[3 * k + 2]), q[3 * k + 1] + s * np.sin(q[3 * k + 2])])  # noqa: E731
    return np.array([
        *end(0, -a / 2), *(end(1, -b / 2) - end(0, a / 2)), *(end(2, c / 2) - end(1, b / 2)),
        *(end(2, -c / 2) - np.array([d, 0])),
    ])  # fmt: skip


def test_held_euler_parameters_keep_their_balance_out():
    """A body on a ball joint with one Euler parameter held: the others are in equilibrium."""

    def g(q):
        r, R = pose(q, 0)
        return r + R @ np.array([0.2, 0.9, 0.1])

    body = bodies(1, g, ["x", "y", "z"], "body", box=(0.3, 0.5, 0.4))
    guess = np.array([0, -0.9, 0, 0.9, 0.2, 0.1, 0.3])
    found = body.equilibrium(guess, held=["0.p3"])
    p = guess[3:] / np.linalg.norm(guess[3:])
    assert found.q[6] == p[3] and np.linalg.norm(found.q[3:]) == pytest.approx(1, abs=1e-14)

    def height(turn):
        """Turned about axes of the body such that p3 stays, to first order."""
        e = found.q[3:]
        return (rotation(e / np.linalg.norm(e) + turn) @ np.array([0.2, 0.9, 0.1]))[1]

    e = found.q[3:]
    tangent = np.linalg.svd(np.array([e, [0, 0, 0, 1.0]]))[2][2:]
    for direction in tangent:
        rise = (height(1e-5 * direction) - height(-1e-5 * direction)) / 2e-5
        assert rise == pytest.approx(0, abs=1e-9)
    free = body.equilibrium(guess, stable=True)
    down = rotation(free.q[3:]) @ np.array([0.2, 0.9, 0.1])
    assert down == pytest.approx([0, np.linalg.norm([0.2, 0.9, 0.1]), 0], abs=1e-10)


def test_external_states_come_to_rest():
    """A weight on a servo spring: u = c x and u = −m g."""
    lag = da.trace(
        M=lambda: [[2.0]], f=lambda u: -u - 2.0 * GRAVITY, d=lambda q, u: (50.0 * q - u) / 0.1, n_q=1, n_u=1,
        names={"q": ["x"], "u": ["servo"]},
    )  # fmt: skip
    found = lag.equilibrium()
    assert found.u == pytest.approx([-2 * GRAVITY]) and found.q == pytest.approx([-2 * GRAVITY / 50])


def test_what_cannot_be_at_rest_is_said():
    driven = da.trace(
        M=lambda: np.eye(2), f=lambda q: -q, g=lambda t, q: [q[0] - 2 * t], n_q=2,
        names={"q": ["x", "y"], "lam": ["drive"]},
    )  # fmt: skip
    with pytest.raises(ConstraintError, match="cannot be at rest at t = 0: the constraint drive moves"):
        driven.equilibrium([0, 0])
    falling = da.trace(M=lambda: np.eye(1), f=lambda: [-GRAVITY], n_q=1, names={"q": ["z"]}, name="stone")
    with pytest.raises(EquationsError, match=r"no equilibrium was found; from the start, z\.rate is pulled .* -9\.81"):
        falling.equilibrium([1.0])
    neutral = da.trace(M=lambda: np.eye(2), f=lambda q: np.array([-4 * q[0] + 2, 0]), n_q=2)
    assert neutral.equilibrium([3, 5]).q == pytest.approx([0.5, 5])  # stays where nothing pulls


# ------------------------------------------------------------------------------------------------------- steady motions


def test_steady_precession_of_a_top():
    """(I3 n Ω − m g l) = (I1) Ω² cos θ with n the spin about the axis: in Euler angles, θ held and Ω found."""
    m, l, I1, I3 = (TOP[key] for key in ("m", "l", "I1", "I3"))

    def M(q):
        s, c = np.sin(q[1]), np.cos(q[1])
        return np.array([[I1 * s**2 + I3 * c**2, 0, I3 * c], [0, I1, 0], [I3 * c, 0, I3]])

    def f(q, v):
        s, c = np.sin(q[1]), np.cos(q[1])
        wz = v[2] + v[0] * c
        along = -2 * (I1 - I3) * s * c * v[0] * v[1] + I3 * s * v[1] * v[2]
        return np.array(
            [along, I1 * s * c * v[0] ** 2 - I3 * wz * s * v[0] + m * GRAVITY * l * s, I3 * s * v[0] * v[1]]
        )

    angles = da.trace(M=M, f=f, n_q=3, names={"q": ["psi", "theta", "phi"]}, name="angles")
    theta, spin = 0.6, 400.0
    found = angles.equilibrium(
        {"theta": theta}, held=["theta"], velocities={"psi.rate": None, "theta.rate": 0.0, "phi.rate": spin}
    )
    precession = found.v[0]
    n = spin + precession * np.cos(theta)
    assert I1 * np.cos(theta) * precession**2 - I3 * n * precession + m * GRAVITY * l == pytest.approx(0, abs=1e-10)
    assert precession == pytest.approx(m * GRAVITY * l / (I3 * spin), rel=0.1)  # the slow one, next to the start
    assert np.max(np.abs(found.a)) < 1e-9 and found.q[1] == theta
    assert angles.linearise(found).steady and angles.linearise(found).stable
    # The other way round: the angle is found.
    again = angles.equilibrium(
        {"theta": theta + 0.2}, velocities={"psi.rate": precession, "theta.rate": 0.0, "phi.rate": spin}
    )
    assert again.q[1] == pytest.approx(theta, abs=1e-8)
    asleep = top().equilibrium([1, 0, 0, 0], velocities={"wx": 0, "wy": 0, "wz": 100.0})
    assert asleep.v.tolist() == [0, 0, 100.0] and asleep.q.tolist() == [1, 0, 0, 0]


def test_a_disc_in_a_turn():
    """Balance of moments about the contact: a closed form for small lean, and the accelerations for any."""
    disc = Disc.equations()
    theta, spin = 0.01, 8.0
    steady = {"theta.rate": 0.0, "phi.rate": spin, "psi.rate": None}
    found = disc.equilibrium({"theta": theta, "psi": 0.4}, held=["theta"], velocities=steady)
    # (C + m r²) ω ψ̇ cos θ + m g r sin θ = 0 to first order.
    expected = -Disc.m * GRAVITY * Disc.r * theta / ((Disc.C + Disc.m * Disc.r**2) * spin)
    assert found.v[2] == pytest.approx(expected, rel=1e-3)
    assert found.a[2:] == pytest.approx(0, abs=1e-10)
    # The centre runs in a circle: its acceleration is ψ̇ times its speed, across.
    assert found.a[:2] == pytest.approx(found.v[2] * np.array([-found.v[1], found.v[0]]), abs=1e-9)


@pytest.mark.parametrize(
    ("velocities", "words"),
    [
        ({"phi.rate": 8.0, "theta.rate": 0.0}, "3 velocities are independent, but 2 are named; name also"),
        ({"phi.rat": 8.0}, "has no velocity 'phi.rat'; did you mean 'phi.rate'"),
    ],
)
def test_steady_motions_need_all_independent_velocities(velocities, words):
    with pytest.raises(StateError, match=words):
        Disc.equations().equilibrium({"theta": 0.1}, velocities=velocities)


def test_steady_motions_that_do_not_exist():
    disc = Disc.equations()
    with pytest.raises(EquationsError, match=r"no steady motion was found; theta\.rate keeps an acceleration"):
        disc.equilibrium({"theta": 0.3}, held=["theta"], velocities={"theta.rate": 0, "phi.rate": 0, "psi.rate": 0})
    with pytest.raises(EquationsError, match="stable=True is for equilibria at rest"):
        disc.equilibrium({}, velocities={"theta.rate": 0, "phi.rate": 0, "psi.rate": 0}, stable=True)


# -------------------------------------------------------------------------------------------------------- large systems


def test_a_long_chain_hangs_in_its_catenary():
    """Equal rods with equal masses at the joints: the polygon's slopes rise evenly, tan φ_{k+1} − tan φ_k constant."""
    n, span = 300, 0.7
    chain = da.Elements("rope", coordinates=2 * n, parameters={"g": GRAVITY})
    length = 1.0 / (n + 1)
    chain.add(
        "bob", coordinates=[[2 * k, 2 * k + 1] for k in range(n)], M=lambda: np.eye(2), f=lambda p: np.array([0, -p.g])
    )
    chain.add(
        "rod", coordinates=[[2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3] for k in range(n - 1)],
        g=lambda q: np.array([((q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2) / length**2 - 1]),
    )  # fmt: skip
    chain.add("left", coordinates=[[0, 1]], g=lambda q: np.array([(q[0] ** 2 + q[1] ** 2) / length**2 - 1]))
    chain.add(
        "right", coordinates=[[2 * n - 2, 2 * n - 1]],
        g=lambda q: np.array([((q[0] - span) ** 2 + q[1] ** 2) / length**2 - 1]),
    )  # fmt: skip
    rope = chain.equations()
    assert rope.sizes.v + rope.sizes.lam > 800
    radius = brentq(lambda r: 2 * r * np.sin(0.5 / r) - span, 0.2, 10.0)  # an arc of length one
    angle = (np.linspace(0, 1, n + 2)[1:-1] - 0.5) / radius
    middle = np.array([span / 2, radius * np.cos(0.5 / radius)])
    guess = (middle + radius * np.stack([np.sin(angle), -np.cos(angle)], axis=1)).reshape(-1)
    found = rope.equilibrium(guess, stable=True)
    points = np.concatenate([[[0, 0]], found.q.reshape(n, 2), [[span, 0]]])
    steps = np.diff(points, axis=0)
    slopes = np.diff(steps[:, 1] / steps[:, 0])
    assert slopes == pytest.approx(slopes[0], rel=1e-6) and slopes[0] > 0
    assert np.linalg.norm(steps, axis=1) == pytest.approx(length, rel=1e-9)
