"""Linear systems about equilibria and steady motions, beside closed forms and other formulations."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from equations.spatial import GRAVITY, TOP, Disc, bodies, four_bar_angles, pose, top
from equations.systems import Rolling, difference, four_bar, jacobian

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, ModelWarning, StateError


def double_pendulum():
    """Two equal bobs on equal strings, lengths and masses one, absolute angles."""
    c = lambda q: np.cos(q[0] - q[1])  # noqa: E731
    s = lambda q: np.sin(q[0] - q[1])  # noqa: E731
    return da.trace(
        M=lambda q: np.array([[2.0, c(q)], [c(q), 1.0]]),
        f=lambda q, v, p: np.array([
            -2 * p.g * np.sin(q[0]) - s(q) * v[1] ** 2 - p.c * v[0],
            -p.g * np.sin(q[1]) + s(q) * v[0] ** 2,
        ]),
        n_q=2, names={"q": ["a", "b"]}, parameters={"g": GRAVITY, "c": 0.0}, name="double pendulum",
    )  # fmt: skip


def cartesian_pendulum():
    """The same in x and y of both bobs."""
    return da.trace(
        M=lambda: np.eye(4),
        f=lambda p: np.array([0, -p.g, 0, -p.g]),
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - 1]),
        n_q=4, names={"q": ["x1", "y1", "x2", "y2"]}, parameters={"g": GRAVITY}, name="cartesian",
    )  # fmt: skip


@pytest.mark.parametrize("g", [GRAVITY, 1.62])
@pytest.mark.parametrize("made", ["angles", "cartesian"])
def test_small_oscillations_of_a_double_pendulum(made, g):
    """ω² = (2 ∓ √2) g/l, shapes (1, ±√2) (Landau and Lifshitz, Mechanics, §23)."""
    equations = double_pendulum() if made == "angles" else cartesian_pendulum()
    found = equations.linearise([0, 0] if made == "angles" else [0, -1, 0, -2], parameters={"g": g})
    assert found.stable and found.steady and found.counts == (2, 2, 0)
    omega = np.sqrt((2 + np.array([-1, -1, 1, 1]) * np.sqrt(2)) * g)
    assert found.eigenvalues == pytest.approx(1j * np.array([1, -1, 1, -1]) * omega, abs=1e-12)
    assert found.frequencies == pytest.approx(omega / 2 / np.pi) and found.damping == pytest.approx(0, abs=1e-14)
    shape = found.shapes_q.real
    if made == "angles":
        assert shape[:, 0] == pytest.approx([1 / np.sqrt(2), 1]) and shape[:, 2] == pytest.approx([-1 / np.sqrt(2), 1])
        M, D, K = found.second_order()
        assert pytest.approx(np.array([[2, 1], [1, 1]])) == M and pytest.approx(0.0, abs=1e-14) == D
        assert pytest.approx(np.diag([2 * g, g])) == K
    else:
        assert shape[[0, 2], 0] == pytest.approx([1 / (1 + np.sqrt(2)), 1]) and shape[[1, 3], 0] == pytest.approx(0)


def test_the_repr_is_a_table_of_modes():
    text = repr(double_pendulum().linearise([0, 0]))
    assert "2 coordinates, 2 velocities, 0 external states, stable" in text and "0.381526" in text
    assert len(text.splitlines()) == 4  # one line for each pair
    text = repr(double_pendulum().linearise([np.pi, 0]))
    assert ", unstable" in text


def test_damping_ratios():
    """One body: ẍ + 2ζω ẋ + ω² x."""
    for zeta, omega in ((0.1, 3.0), (0.7, 20.0)):
        one = da.trace(M=lambda: [[2.0]], f=lambda q, v, z=zeta, w=omega: -2 * (w**2 * q + 2 * z * w * v), n_q=1)
        found = one.linearise([0])
        assert found.damping == pytest.approx(zeta) and found.frequencies == pytest.approx(omega / 2 / np.pi)
    assert double_pendulum().linearise([0, 0], parameters={"c": 0.5}).damping.min() > 0


def test_small_eigenvalues_are_as_they_are():
    """ẍ + c ẋ + (k − p) x: one eigenvalue passes zero at p = k, and a search for it meets no plateau."""
    c, k = 1e4, 3.0
    made = da.trace(M=lambda: [[1.0]], f=lambda q, v, p: -c * v - (k - p.load) * q, n_q=1, parameters={"load": 0.0})

    def slow(load):
        return made.linearise([0.0], parameters={"load": load}).eigenvalues[0].real

    away = 1e-6
    for sign in (-1.0, 1.0):
        assert slow(k + sign * away) == pytest.approx(sign * away / c, rel=1e-2, abs=0.0)
    assert scipy.optimize.brentq(slow, 2.0, 4.0, xtol=1e-13) == pytest.approx(k, rel=0.0, abs=2e-7)
    found = made.linearise([0.0], parameters={"load": k - 1e-6})
    assert not found.structural_zeros.any() and found.idle == () and found.stable
    assert found.uncertainty[0] > 0.0 and found.damping[0] == 0.0  # its sign is not sure


def test_stiffness_that_cancels_is_known_no_better_than_its_terms():
    """A balanced rotor of two bodies that gravity pulls both ways has a double zero, whatever the coordinates are."""
    for sign in (1.0, -1.0):
        m = da.Model("rotor", plane="xy", gravity=(0, -9.81))
        a = m.body("a", mass=1.0, inertia=1.0, com=(0, sign * 0.3))
        b = m.body("b", mass=3.0, inertia=1.0, com=(0, -sign * 0.1))
        m.revolute("J", m.ground.at(0, 0), a.at(0, 0))
        m.fixed("F", a.at(0, 0), b.at(0, 0))
        for coordinates in ("relative", "absolute"):
            equations = m.equations(coordinates)
            found = equations.linearise(equations.equilibrium(stable=True))
            assert found.stable is False and found.marginal and np.abs(found.eigenvalues).max() < 1e-7
            assert found.uncertainty.max() < 1e-4 and (found.damping == 0.0).all()
            assert "0 ±" not in repr(found) and ", marginal" in repr(found) and "it drifts away" in repr(found)


def test_what_drifts_is_not_stable():
    """A double zero with one eigenvector: a disturbed velocity stays, and the place goes on."""
    stiffness = 1e6 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    cases = {
        "mass": (lambda q: [0.0 * q[0]], 1, "marginal", ("q0",)),
        "two masses on a spring": (lambda q: -stiffness @ q, 2, "marginal", ("q0", "q1")),
        "mass in oil": (lambda v: [-3.0 * v[0]], 1, "stable", ()),
        "mass beside a spring": (lambda q: [0.0, -1e10 * q[1]], 2, "marginal", ("q0",)),
        "mass in oil beside a spring": (lambda q, v: [-v[0], -1e10 * q[1]], 2, "stable", ()),
        "two masses in oil": (lambda q, v: -stiffness @ q - 5.0 * v, 2, "stable", ()),
        "inverted": (lambda q: [q[0], 0.0], 2, "unstable", ("q1",)),
    }
    for name, (f, n, word, drifting) in cases.items():
        made = da.trace(
            M=lambda n=n: np.eye(n), f=f, n_q=n, name=name, names={"q": [f"q{i}" for i in range(n)]}
        )  # fmt: skip
        found = made.linearise(np.zeros(n))
        assert (found.stable, found.marginal, found.drifting) == (word == "stable", word == "marginal", drifting), name
        assert repr(found).splitlines()[0].endswith(f", {word}"), name


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_held_controllers_are_told(coordinates):
    m = da.Model("loop", plane="xy")
    block = m.body("block", mass=1.0, inertia=1.0)
    rail = m.prismatic("rail", m.ground.at(0, 0), block.at(0, 0))
    m.joint_spring("k", rail, stiffness=1.0, damping=0.1)
    c = m.sampled("c", 0.1, lambda x: {"F": 400.0 * x}, sees={"x": rail}, outputs={"F": 0.0})
    m.force("push", rail, c.F)
    equations = m.equations(coordinates)
    told = r"'loop': sampled controller 'c' is held at its value: stability of the closed loop is not told"
    with pytest.warns(ModelWarning, match=told):
        rest = equations.equilibrium()
    with pytest.warns(ModelWarning, match=told):
        found = equations.linearise(rest)
    assert found.stable is None and not found.marginal and found.held == ("c",)
    assert "stability not told" in repr(found) and "sampled controller 'c' is held at its value" in repr(found)
    with pytest.warns(ModelWarning, match="'c'"):
        rest = equations.equilibrium(u={"c.F": 0.5})
    assert equations.evaluate_quantity(rail.displacement, rest) == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(("away", "stable"), [(-1e-4, True), (0.0, True), (1e-4, False)])
def test_at_a_critical_speed_the_sign_is_not_sure(away, stable):
    """A pendulum on a turning hoop leaves its lowest place at ω² = g/l."""
    m = da.Model("hoop", gravity=(0, 0, -9.81))
    hoop, bob = m.body("hoop", mass=1.0, inertia=(1, 1, 1)), m.body("bob", mass=1.0, com=(0, 0, -1.0))
    A = m.revolute("A", m.ground.at(0, 0, 0), hoop.at(0, 0, 0))
    B = m.revolute("B", hoop.at(0, 0, 0, axis="y"), bob.at(0, 0, 0, axis="y"))
    m.drive("d", A, lambda t: np.sqrt(9.81) * (1.0 + away) * t)
    equations = m.equations()
    found = equations.linearise(equations.assemble({B.angle: 0.0}), independent=["B.angle"])
    assert found.stable == stable and found.uncertainty.max() < 1e-5
    assert np.abs(found.eigenvalues) == pytest.approx(np.sqrt(9.81 * 2 * abs(away)), rel=1e-3, abs=1e-6)


def test_structural_zeros_are_marked_and_named():
    """A free mass beside an oscillator: nothing depends on its place, and then on its velocity."""
    made = da.trace(M=lambda: np.eye(2), f=lambda q: np.array([0.0, -4.0 * q[1]]), n_q=2, names={"q": ["free", "held"]})
    found = made.linearise([0.0, 0.0])
    assert found.structural_zeros.tolist() == [True, True, False, False]
    assert found.idle == ("free", "free.rate") and np.array_equal(found.eigenvalues[:2], [0, 0])
    assert np.array_equal(found.uncertainty[:2], [0, 0]) and np.abs(found.eigenvalues[2:]) == pytest.approx(2.0)


def test_four_bar_frequency_is_the_second_derivative_of_the_energy():
    """One degree of freedom: ω² = V″/m̂ in the angle of the crank, with the law of cosines."""
    equations = four_bar()
    start = equations.equilibrium([0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9], stable=True)
    lengths = np.array([1.0, 2.0, 1.5])

    def positions(crank):
        coupler, rocker = four_bar_angles(crank)
        angles = (crank, coupler, rocker)
        along = [np.exp(1j * phi) for phi in angles]
        centres = [0.5 * along[0], along[0] + along[1], 2.2 + 0.75 * along[2]]
        return np.array([x for z, phi in zip(centres, angles, strict=True) for x in (z.real, z.imag, phi)])

    def mirrored(crank):
        return np.array([1, -1, -1] * 3) * positions(-crank)

    # The loop can be closed in two ways; the equilibrium tells which.
    crank = start.q[2]
    branch = min((positions, mirrored), key=lambda made: abs(np.exp(1j * made(crank)[8]) - np.exp(1j * start.q[8])))
    assert np.exp(1j * branch(crank)[2::3]) == pytest.approx(np.exp(1j * start.q[2::3]), abs=1e-10)

    def height(x):
        return GRAVITY * lengths @ branch(x)[1::3]

    rate = difference(branch, crank)
    masses = np.array([x for length in lengths for x in (length, length, length**3 / 12)])
    inertia = rate @ (masses * rate)
    assert difference(height, crank) == pytest.approx(0, abs=1e-9)
    stiffness = difference(lambda x: difference(height, x), crank)
    omega = np.sqrt(stiffness / inertia)
    found = equations.linearise(start, independent=["phi_crank"])
    assert found.states == ("phi_crank", "phi_crank.rate")
    assert found.eigenvalues[0] == pytest.approx(1j * omega, rel=1e-8)
    M, _, K = found.second_order()
    assert M[0, 0] == pytest.approx(inertia) and K[0, 0] == pytest.approx(stiffness, rel=1e-8)
    assert found.to_q[:, 0] == pytest.approx(rate, abs=1e-9)


# --------------------------------------------------------------------------------------------------- gyroscopic systems


@pytest.mark.parametrize("yaw", [0.0, 1.1])
@pytest.mark.parametrize("part", [0.9, 0.999, 1.001, 1.5, 3.0])
def test_sleeping_top(part, yaw):
    """Upright spin is stable for ω² I3² > 4 m g l I1; in the axes of the body, frequencies are those of nutation and
    precession, the roots of I1 Ω² − I3 ω Ω + m g l, less ω."""
    m, l, I1, I3 = (TOP[key] for key in ("m", "l", "I1", "I3"))
    spin = part * 2 * np.sqrt(m * GRAVITY * l * I1) / I3
    q = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    found = top().linearise(q, [0, 0, spin])
    assert found.steady and found.stable == (part > 1)
    roots = 1j * (np.roots([I1, -I3 * spin, m * GRAVITY * l]) - spin)
    expected = np.concatenate([[0, 0], roots, roots.conj()])
    tolerance = 1e-6 * spin if abs(part - 1) < 0.01 else 1e-12 * spin  # two roots that nearly meet
    for value in expected:
        assert np.min(np.abs(found.eigenvalues - value)) < tolerance
    assert found.states == ("∫wx", "∫wy", "∫wz", "wx", "wy", "wz")


def test_a_fast_top_precesses_and_nutates():
    """Ω ≈ m g l/(I3 ω) and I3 ω/I1."""
    m, l, I1, I3 = (TOP[key] for key in ("m", "l", "I1", "I3"))
    spin = 5000.0
    slow, fast = np.sort(np.abs(spin - np.abs(top().linearise([1, 0, 0, 0], [0, 0, spin]).eigenvalues[2::2].imag)))
    assert slow == pytest.approx(m * GRAVITY * l / (I3 * spin), rel=1e-3)
    assert fast == pytest.approx(I3 * spin / I1, rel=1e-3)


@pytest.mark.parametrize("heading", [0.0, 0.3])
@pytest.mark.parametrize("part", [0.5, 0.999, 1.001, 2.0])
@pytest.mark.parametrize("made", [Disc.equations, Disc.kane])
def test_upright_rolling_disc(made, part, heading):
    """A thin disc stays upright for ω² > g/3r: s² = 4g/5r − 12ω²/5."""
    spin = part * np.sqrt(GRAVITY / (3 * Disc.r))
    equations = made()
    start = equations.assemble(
        {"psi": heading}, {"phi.rate": spin}, held_velocities=["psi.rate", "theta.rate", "phi.rate"]
    )
    found = equations.linearise(start)
    assert found.counts == (5, 3, 0) and found.steady and found.stable == (part > 1)
    expected = np.sqrt(complex(0.8 * GRAVITY / Disc.r - 2.4 * spin**2))
    assert np.sum(np.abs(found.eigenvalues) < 1e-4 * spin) == 6  # place, heading, spin and its angle; kept
    for value in (expected, -expected):
        assert np.min(np.abs(found.eigenvalues - value)) < 1e-9 * spin


def test_a_disc_that_rolls_in_a_circle():
    """Constraints as rows and constraints in T, whose variations are described differently."""
    rows, kane = Disc.equations(), Disc.kane()
    steady = {"theta.rate": 0.0, "phi.rate": 8.0, "psi.rate": None}
    start = rows.equilibrium({"theta": 0.2, "psi": 0.4}, held=["theta"], velocities=steady)
    named = ["theta", "psi", "phi"]
    first = rows.linearise(start, independent=named)
    second = kane.linearise(start.q, start.v[2:], independent=named)
    assert first.steady and second.steady and first.stable
    assert np.abs(first.eigenvalues[-1]) > 10
    assert first.eigenvalues[-2:] == pytest.approx(second.eigenvalues[-2:], rel=1e-10)
    assert np.max(np.abs(first.eigenvalues[:-2])) < 1e-6
    # The motion itself: a small lean comes and goes with this frequency.
    q = np.array(start.q)
    q[3] += 1e-5
    near = rows.assemble(q, start.v, held=["theta"], held_velocities=["psi.rate", "theta.rate", "phi.rate"])
    period = 2 * np.pi / abs(first.eigenvalues[-1])
    run = da.simulate(rows, (0, period), near, rtol=1e-12, atol=1e-14)
    assert run.q[3, -1] - 0.2 == pytest.approx(1e-5, rel=1e-3)


def test_coefficients_that_vary_are_said_to():
    """A pendulum in full swing has no constant coefficients."""
    found = double_pendulum().linearise([0.3, 0.2], [1.0, 0.5])
    assert not found.steady and "coefficients vary along the motion" in repr(found)


# ---------------------------------------------------------------------------------------------------- exact derivatives


def test_the_matrix_is_the_derivative_of_the_reduced_motion():
    """A system with everything, far from any equilibrium: A by differences of the accelerations on the constraints."""
    equations = Rolling.equations()
    t, u = 0.7, np.array([0.3, -0.2])
    start = equations.assemble([0.8, 0.5, 0.3, 0.2], [1, 2, 3], u, t=t)
    found = equations.linearise(start)
    assert found.counts == (3, 1, 2) and not found.steady  # T is no derivative: all of q can be reached
    independent = [equations.names["q"].index(name) for name in found.states[:3]]
    (other,) = set(range(4)) - set(independent)
    index = equations.names["v"].index(found.states[3])
    others = [k for k in range(3) if k != index]

    def moved(z):
        """(q, v, u) with independent entries changed by z and the others from the constraints."""
        q, v = start.q.copy(), start.v.copy()
        q[independent] += z[:3]
        v[index] += z[3]
        for _ in range(20):
            q[other] -= (
                equations.evaluate("g", t=t, q=q)[0]
                / jacobian(
                    lambda x, q=q: equations.evaluate("g", t=t, q=np.where(np.arange(4) == other, x[0], q)), [q[other]]
                )[0, 0]
            )
        G, gI = equations.evaluate("G", "gI", t=t, q=q)
        v[others] = np.linalg.solve(G[:, others], -gI - G[:, index] * v[index])
        return q, v, u + z[4:]

    def rates(z):
        q, v, u = moved(z)
        a, lam = equations.forward_dynamics(q, v, u, t=t)
        q_rate = equations.evaluate("T", t=t, q=q) @ v
        return np.concatenate([
            q_rate[independent], [a[index]], equations.evaluate("d", t=t, q=q, v=v, u=u, lam=lam)
        ])  # fmt: skip

    by_differences = jacobian(rates, np.zeros(6), h=1e-3)
    assert pytest.approx(by_differences, rel=1e-8, abs=1e-8) == found.A


def test_external_states_and_inputs():
    """A spring whose force follows its command with a lag: m ẍ = −u + τ, u̇ = (c x − u)/T."""
    lag = da.trace(
        M=lambda: [[2.0]], f=lambda u: -u, d=lambda q, u: (50.0 * q - u) / 0.1, n_q=1, n_u=1,
        names={"q": ["x"], "u": ["servo"]},
    )  # fmt: skip
    found = lag.linearise([0], inputs=["x"])
    assert found.states == ("x", "x.rate", "servo") and found.inputs == ("x.rate",)
    assert pytest.approx(np.array([[0, 1, 0], [0, 0, -0.5], [500, 0, -10]])) == found.A
    assert pytest.approx(np.array([[0], [0.5], [0]])) == found.B
    assert not found.stable  # a servo that lags behind feeds the oscillation
    with pytest.raises(EquationsError, match="with external states is no system of second order"):
        found.second_order()


def test_equations_of_numbers_are_differenced():
    """The rolling disc in a circle with a force that is called back: rates along the motion are differenced too."""
    disc = Disc.equations()
    start = disc.equilibrium(
        {"theta": 0.2}, held=["theta"], velocities={"theta.rate": 0.0, "phi.rate": 8.0, "psi.rate": None}
    )
    called = da.trace(
        M=Disc.M, f=da.numeric(Disc.f), nonholonomic=lambda q, v: v[:2] - Disc.centre_rate(q, v[2:]), n_q=5,
        names={"q": Disc.names, "lam": ["roll x", "roll y"]},
    )  # fmt: skip
    named = ["theta", "psi", "phi"]
    exact, found = (made.linearise(start, independent=named) for made in (disc, called))
    assert pytest.approx(exact.A, rel=1e-6, abs=1e-6) == found.A
    assert found.steady


def test_elements_and_redundant_constraints():
    """A pendulum hinged twice at the same point, in the plane; and one made of elements."""
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda: [0.0, -GRAVITY], n_q=2,
        g=lambda q: np.array([q[0] ** 2 + q[1] ** 2 - 1, 2 * (q[0] ** 2 + q[1] ** 2) - 2]),
    )  # fmt: skip
    with pytest.raises(ConstraintError, match="depend on the others"):
        equations.linearise([0, -1])
    found = equations.linearise([0, -1], redundant="accept")
    assert found.eigenvalues == pytest.approx([1j * np.sqrt(GRAVITY), -1j * np.sqrt(GRAVITY)])
    chain = da.Elements("chain", coordinates=["x", "y"])
    chain.add("bob", coordinates=[[0, 1]], M=lambda: np.eye(2), f=lambda: np.array([0.0, -GRAVITY]))
    chain.add("rod", coordinates=[[0, 1]], g=lambda q: np.array([q @ q - 1.0]))
    made = chain.equations().linearise([0, -1])
    assert made.eigenvalues == pytest.approx(found.eigenvalues) and made.steady
    circling = 3.0  # on a turntable without weight: the pendulum itself moves
    turning = chain.equations().linearise([1, 0], [0, circling])
    assert not turning.steady


def test_frequencies_of_a_spinning_body_in_axes_of_the_world_and_of_the_body():
    """A symmetric body hangs from a ball joint: a top upside down, I1 Ω² − I3 ω Ω − m g l = 0 in the world, less ω in
    its own axes; which of them depends on the independent coordinates that are asked for."""
    l, spin = 0.8, 6.0

    def g(q):
        r, R = pose(q, 0)
        return r + R @ np.array([0.0, l, 0.0])

    body = bodies(1, g, ["x", "y", "z"], "rod", box=(0.05, 0.02, 0.05))
    start = body.assemble([0, -l, 0, 1, 0, 0, 0], {"0.wy": spin}, held_velocities=["0.wy"])
    roots = np.roots([0.05 + l**2, -0.02 * spin, -GRAVITY * l])
    for names, shift in ((["0.x", "0.z"], 0.0), (["0.wx", "0.wz"], spin)):
        found = body.linearise(start, independent=names)
        assert found.steady and found.stable
        for root in roots - shift:
            assert np.min(np.abs(found.eigenvalues - 1j * root)) < 1e-10
        assert np.max(np.abs(found.shapes_q)) == pytest.approx(1)


# --------------------------------------------------------------------------------------------------------------- errors


def test_what_cannot_be_linearised_is_said():
    flat = four_bar((), "flat", (1.0, 2.0, 1.0, 2.0))
    with pytest.raises(ConstraintError, match="'flat': constraints lose rank at this configuration"):
        flat.linearise([0.5, 0, 0, 2.0, 0, 0, 2.5, 0, 0])
    pendulum = cartesian_pendulum()
    with pytest.raises(ConstraintError, match="these positions violate the constraint lam1"):
        pendulum.linearise([0, -1, 0, -2.5])
    with pytest.raises(ConstraintError, match="these velocities violate the constraint lam0"):
        pendulum.linearise([0, -1, 0, -2], [0, 1, 0, 1])
    with pytest.raises(StateError, match=r"y1\.rate is not independent here; choose another"):
        pendulum.linearise([0, -1, 0, -2], independent=["y1"])
    with pytest.raises(StateError, match=r"has no velocity 'x1\.rat'; did you mean 'x1\.rate'"):
        pendulum.linearise([0, -1, 0, -2], independent=["x1.rat"])
    with pytest.raises(EquationsError, match="with nonholonomic constraints is no system of second order"):
        Disc.equations().linearise([0, 0, 0, 0, 0]).second_order()


def cart_and_pole():
    m = da.Model("cart", plane="xy", gravity=(0, -9.81))
    m.parameters(drag=0.3, bias=0.0, rail_height=0.0)
    cart, pole = m.body("cart", mass=2.0, inertia=1.0), m.body("pole", mass=0.5, inertia=0.02)
    rail = m.prismatic("rail", m.ground.at(0, 0), cart.at(0, 0))
    m.revolute("hinge", cart.at(0, 0), pole.at(0, 0.5))
    m.input("push", lambda t: 0.0 * t)
    m.force("motor", rail, lambda w, rate, p: 3.0 * w.push - p.drag * rate + p.bias)
    m.sensor("motor force", m["motor"].force)
    return m, rail


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_inputs_of_a_model_and_parameters_are_inputs_of_the_linear_system(coordinates):
    m, _ = cart_and_pole()
    eqs = m.equations(coordinates)
    rest = eqs.assemble()
    along = eqs.linearise(rest, inputs=["rail.rate" if coordinates == "relative" else "cart.vx"])
    found = eqs.linearise(rest, inputs=["push", "bias"], outputs=["motor force"])
    assert found.inputs == ("push", "bias")
    assert found.B == pytest.approx(np.column_stack([3.0 * along.B, along.B]), abs=1e-12)
    assert found.D == pytest.approx(np.array([[3.0, 1.0]]), abs=1e-10)


def test_a_joint_with_one_coordinate_is_an_input():
    m, rail = cart_and_pole()
    eqs = m.equations()
    rest = eqs.assemble()
    assert np.array_equal(eqs.linearise(rest, inputs=[rail]).B, eqs.linearise(rest, inputs=["rail.displacement"]).B)


def test_external_states_are_pushed_by_parameters():
    lag = da.trace(
        M=lambda: np.eye(1), f=lambda u: u, d=lambda u, p: [p.gain * p.x - u[0]], n_q=1, n_u=1,
        parameters={"gain": 2.0, "x": 0.0},
    )  # fmt: skip
    assert lag.linearise([0.0], inputs=["x"]).B[:, 0] == pytest.approx([0.0, 0.0, 2.0], abs=1e-12)


def test_inputs_that_are_none_are_named():
    m, _ = cart_and_pole()
    eqs = m.equations()
    with pytest.raises(StateError, match="an input is a velocity or coordinate that a force acts along, a param"):
        eqs.linearise(eqs.assemble(), inputs=["pusch"])
    rod = da.trace(
        M=lambda: np.eye(2), f=lambda: np.array([0.0, -9.81]), g=lambda q, p: [q @ q - p.l**2], n_q=2,
        parameters={"l": 1.0},
    )  # fmt: skip
    with pytest.raises(EquationsError, match="constraints depend on 'l'"):
        rod.linearise(rod.equilibrium([0.0, -1.0]), inputs=["l"])


def test_a_state_that_is_let_go_is_no_equilibrium():
    m = da.Model("pendulum", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    eqs = m.equations()
    held = eqs.linearise(eqs.assemble({A.angle: 1.0}))
    assert not held.steady and "no equilibrium" in repr(held)
    assert eqs.linearise(eqs.equilibrium({A.angle: -1.5}, stable=True)).steady
