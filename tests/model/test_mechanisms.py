"""Mechanisms built as models beside published and hand-written equations, and beside closed forms."""

import numpy as np
import pytest
from model.motions import FORMULATIONS, last_state, sensors, simulated
from scipy import special
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.problems import andrews, iftomm_four_bars, iftomm_pendulum, mechanisms
from dalembert.problems.mechanisms import linkages, rotors

G = 9.81


def value(equations, quantity, state):
    return np.asarray(equations.evaluate_quantity(quantity, state), dtype=float)


# ------------------------------------------------------------------------------------------------ seven-body mechanism


@pytest.fixture(scope="module")
def seven():
    """Relative coordinates, and where the hand-written equations have each of them."""
    example = mechanisms.seven_body()
    equations = example.model.equations("relative", builder="symbolic")
    names = [f"{name}.angle" for name in andrews.COORDINATES]
    return example, equations, [equations.index("q", name) for name in names]


def test_seven_body_equations_are_the_published_ones(seven):
    _, equations, order = seven
    published = da.problems.seven_body().equations
    rng = np.random.default_rng(0)
    assert list(equations.names["lam"]) == ["E3.x", "E3.y", "E4.x", "E4.y", "E6.x", "E6.y"]
    for _ in range(3):
        q, v = rng.uniform(-3, 3, 7), rng.uniform(-300, 300, 7)
        mine = np.empty(7), np.empty(7)
        mine[0][order], mine[1][order] = q, v
        M, f, g, G = equations.evaluate("M", "f", "g", "G", q=mine[0], v=mine[1])
        found = M[np.ix_(order, order)], f[order], g, G[:, order]
        for own, theirs in zip(found, published.evaluate("M", "f", "g", "G", q=q, v=v), strict=True):
            assert own == pytest.approx(theirs, rel=1e-12, abs=1e-14 * np.abs(theirs).max())


def test_planar_mechanisms_of_the_thesis_have_its_sizes(seven):
    # D. Negrut, thesis 1998, sections 3.4.2.3 and 3.4.2.4: seven bodies with ten hinges, and a chain of 50 pendulums.
    model = seven[0].model
    sizes = model.equations("absolute").sizes
    assert (sizes.q, sizes.v, sizes.lam, len(model.joints)) == (21, 21, 20, 10)
    chain = da.problems.pendulum_chain(50).equations.sizes
    assert (chain.q, chain.v, chain.lam) == (150, 150, 100)


def test_seven_body_start_is_the_published_one(seven):
    example, equations, order = seven
    start = example.assemble(equations)
    assert start.q[order] == pytest.approx(andrews.START.q, abs=1e-14)
    assert start.a[order] == pytest.approx(andrews.START.a, rel=1e-11, abs=1e-8)
    assert start.lam == pytest.approx(andrews.START.lam, rel=1e-11, abs=1e-10)


@pytest.mark.parametrize("coordinates, builder", [("relative", "symbolic"), ("absolute", "elements")])
def test_seven_body_from_bodies_and_joints_reaches_the_reference(seven, coordinates, builder):
    example = seven[0]
    equations = example.model.equations(coordinates, builder=builder)
    _, _, end = simulated(equations, example, rtol=1e-12)
    angles = [value(equations, example.model[name].angle, end) for name in andrews.COORDINATES]
    rates = [value(equations, example.model[name].rate, end) for name in andrews.COORDINATES]
    assert angles == pytest.approx(list(andrews.RECOMPUTED.q), rel=1e-10)
    assert rates == pytest.approx(list(andrews.RECOMPUTED.v), rel=1e-8)
    assert angles == pytest.approx(list(andrews.PUBLISHED.q), rel=1e-9)
    # The multipliers of the loops are the reactions in E, in the axes of the ground, on body K2.
    for k, name in enumerate(("E3", "E4", "E6")):
        joint = example.model[name]
        R = value(equations, joint.first.rotation, end)[:2, :2]
        force = R @ value(equations, joint.force, end)
        assert -force == pytest.approx(andrews.RECOMPUTED.lam[2 * k : 2 * k + 2], rel=1e-7)


# ------------------------------------------------------------------------------------------------- IFToMM benchmarks


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a01_is_the_pendulum_of_the_library(coordinates):
    example = mechanisms.a01()
    equations = example.model.equations(coordinates)
    _, _, end = simulated(equations, example, span=(0.0, 5.0))
    assert sensors(equations, end) == pytest.approx(iftomm_pendulum.exact(5.0)[0], abs=1e-9)
    # A hand-written pendulum has the force of the bar as its multiplier.
    problem = da.problems.a01(t_end=5.0)
    theirs = da.simulate(problem, method="dop853", rtol=1e-11, atol=1e-12)
    pull = np.linalg.norm(value(equations, example.model["A"].force, end))
    assert pull == pytest.approx(np.linalg.norm(theirs.q[:, -1]) * abs(theirs.lam[0, -1]), rel=1e-8)


def test_a02_passes_singular_positions_on_the_exact_solution():
    example = mechanisms.a02(2)
    equations = example.model.equations("relative", builder="recursion")
    _, _, end = simulated(equations, example, span=(0.0, 2.0))
    phi, rate = iftomm_four_bars.crank_angle(2, 2.0)
    c, s = np.cos(phi), np.sin(phi)
    assert sensors(equations, end) == pytest.approx([c, s, -s * rate, c * rate], abs=1e-8)
    for j in range(3):
        assert value(equations, example.model[f"A{j}"].angle, end) == pytest.approx(phi, abs=1e-8)


def test_a03_reaches_the_point_of_the_benchmark():
    example = mechanisms.a03()
    equations = example.model.equations("relative")
    _, _, end = simulated(equations, example)
    expected = example.references[-1].values["F"]
    assert sensors(equations, end) == pytest.approx(expected, abs=2e-10)


# --------------------------------------------------------------------------------------------------- closed forms


def test_pendulum_has_the_period_of_the_elliptic_integral():
    amplitude = 2.0
    example = mechanisms.pendulum(amplitude)
    equations = example.model.equations("relative")
    about_hinge = 0.3 + 2.0 * 0.4**2
    period = 4.0 * special.ellipk(np.sin(amplitude / 2) ** 2) * np.sqrt(about_hinge / (2.0 * G * 0.4))
    solution, _, end = simulated(equations, example, span=(0.0, period))
    assert end.q == pytest.approx([amplitude], abs=1e-9)
    assert solution.sol(period / 2).q == pytest.approx([-amplitude], abs=1e-8)
    assert solution.sol(period / 4).q == pytest.approx([0.0], abs=1e-8)


def test_slider_crank_keeps_its_relation_and_the_energy_gives_its_speed():
    example = mechanisms.slider_crank()
    equations = example.model.equations("absolute")
    _, _, end = simulated(equations, example)
    angle, rate = (value(equations, one, end) for one in (example.model["A"].angle, example.model["A"].rate))
    assert sensors(equations, end) == pytest.approx([linkages.slider_position(angle), 0.0], abs=1e-10)
    # ½ m(φ) φ̇² + V(φ) = E, with the energies of the three bodies written by hand from their centres of mass.
    r, ratio = linkages.CRANK, linkages.CRANK / linkages.ROD

    def energies(phi):
        psi = -np.arcsin(ratio * np.sin(phi))
        c, s, C, S = np.cos(phi), np.sin(phi), np.cos(psi), np.sin(psi)
        turning = -ratio * c / C  # dψ/dφ
        crank = 0.04 * np.array([-s, c])
        rod = r * np.array([-s, c]) + turning * np.array([-0.12 * S - 0.01 * C, 0.12 * C - 0.01 * S])
        slider = -r * s - turning * linkages.ROD * S
        inertia = 0.5 * crank @ crank + 0.8 * rod @ rod + 0.6 * slider**2 + 6e-4 + 6e-3 * turning**2
        return 0.5 * inertia, G * (0.5 * 0.04 * s + 0.8 * (r * s + 0.12 * S + 0.01 * C))

    kinetic, potential = energies(0.6)
    total = kinetic * 12.0**2 + potential
    kinetic, potential = energies(angle)
    assert rate**2 == pytest.approx((total - potential) / kinetic, rel=1e-9)


def test_spatial_slider_crank_keeps_its_relation():
    example = mechanisms.spatial_slider_crank()
    equations = example.model.equations("relative", builder="recursion")
    solution, *_ = simulated(equations, example)
    for k in range(0, solution.t.size, 20):
        state = da.State(
            *(x[..., k] for x in (solution.t, solution.q, solution.v, solution.a, solution.lam, solution.u))
        )
        pin = value(equations, example.model.sensors["crank pin"], state)
        x = value(equations, example.model.sensors["pin"], state)[0]
        assert x == pytest.approx(np.sqrt(0.3**2 - pin[1] ** 2 - pin[2] ** 2), abs=1e-11)


def test_bricard_moves_with_one_degree_of_freedom_and_says_what_is_redundant():
    example = mechanisms.bricard()
    for coordinates, velocities in (("relative", 5), ("absolute", 30)):
        equations = example.model.equations(coordinates)
        assert equations.sizes.v == equations.sizes.lam == velocities
        state = example.assemble(equations)
        mobility = equations.degrees_of_freedom(state.q)
        assert mobility.dof == 1
        assert len(mobility.redundant) == 1
        with pytest.raises(da.DalembertError, match="P5" if coordinates == "relative" else "P[0-5]"):
            equations.assemble()


def test_top_precesses_steadily():
    tilt, spin = 0.5, 150.0
    precession = rotors.steady_precession(tilt, spin)
    example = mechanisms.top(tilt, spin, precession)
    for coordinates in ("relative", "absolute"):
        equations = example.model.equations(coordinates)
        _, _, end = simulated(equations, example)
        psi = precession * 0.5
        expected = 0.4 * np.array([np.sin(psi) * np.sin(tilt), -np.cos(psi) * np.sin(tilt), np.cos(tilt)])
        assert sensors(equations, end) == pytest.approx(expected, abs=1e-9)


def test_top_keeps_the_integrals_of_lagrange_and_nutates_between_their_limits():
    example = mechanisms.top(0.5, 120.0)
    equations = example.model.equations("relative")
    solution, start, end = simulated(equations, example)
    for quantity in example.conserved.values():
        assert value(equations, quantity, end) == pytest.approx(value(equations, quantity, start), rel=1e-10)
    about = rotors.TOP["across"] + rotors.TOP["mass"] * rotors.TOP["height"] ** 2
    a, beta = rotors.TOP["axial"] * 120.0 / about, 2.0 * rotors.TOP["mass"] * G * rotors.TOP["height"] / about
    u0 = np.cos(0.5)
    # Released at rest, u = cosθ obeys u̇² = (u₀ − u) (β (1 − u²) − a² (u₀ − u)): it turns where a factor vanishes.
    roots = np.roots([-beta, a**2, beta - a**2 * u0])
    lowest = roots[np.abs(roots) < 1][0].real
    found = solution.sol(np.linspace(0, 0.5, 4001)).q
    p1, p2 = found[1], found[2]
    cosines = 1.0 - 2.0 * (p1**2 + p2**2)
    assert cosines.max() == pytest.approx(u0, abs=1e-9)
    assert cosines.min() == pytest.approx(lowest, abs=1e-5)


def test_free_body_turns_as_jacobi_says():
    example = mechanisms.free_body()
    equations = example.model.equations("absolute", builder="elements")
    solution, *_ = simulated(equations, example)
    A, B, C = rotors.FREE_INERTIA
    w1, _, w3 = 2.0, 0.0, 3.0
    T2, L2 = A * w1**2 + C * w3**2, A**2 * w1**2 + C**2 * w3**2
    assert L2 > B * T2  # turning about the axis of the largest moment (Landau and Lifshitz, section 37)
    k2 = (B - A) * (T2 * C - L2) / ((C - B) * (L2 - T2 * A))
    rate = np.sqrt((C - B) * (L2 - T2 * A) / (A * B * C))
    sn, cn, dn, _ = special.ellipj(rate * 2.0, k2)
    size = [
        np.sqrt(abs(x))
        for x in ((T2 * C - L2) / (A * (C - A)), (T2 * C - L2) / (B * (C - B)), (L2 - T2 * A) / (C * (C - A)))
    ]
    found = value(equations, example.model.sensors["spin"], last_state(solution))
    # ẇ₂ = (C − A)/B w₃ w₁ > 0 at the start.
    assert found == pytest.approx([size[0] * cn, size[1] * sn, size[2] * dn], abs=1e-9)


# ---------------------------------------------------------------------------------------------------------- rolling


def test_disc_rolls_steadily_in_a_circle():
    tilt, turn = 1.1, 1.4
    spin = rotors.steady_rolling(tilt, turn)
    example = mechanisms.rolling_disc(tilt, (0.0, turn * np.sin(tilt), spin))
    for coordinates in ("relative", "absolute"):
        equations = example.model.equations(coordinates)
        _, start, end = simulated(equations, example)
        first, last = (value(equations, example.model.sensors["centre"], state) for state in (start, end))
        speed = -rotors.DISC["radius"] * spin  # along the x axis of the world at the start
        circle = speed / turn
        expected = first + circle * np.array([np.sin(turn), 1.0 - np.cos(turn), 0.0])
        assert last == pytest.approx(expected, abs=1e-9)


def test_rolling_disc_obeys_the_equations_of_routh():
    # In axes (direction of rolling, upwards in the disc, axle): L̇ = −r e₂ × F, F = m (v̇ − g), v = r ω × e₂.
    m, r, I1, I3 = (rotors.DISC[key] for key in ("mass", "radius", "across", "axial"))

    def rates(t, y):
        theta, phi, w1, w2, w3, _, _ = y
        c, s = np.cos(theta), np.sin(theta)
        around = w2 / s * c  # of the axes about the axle
        return [
            w1, w2 / s,
            (-(I3 + m * r**2) * w2 * w3 + I1 * around * w2 - m * G * r * c) / (I1 + m * r**2),
            (I3 * w1 * w3 - I1 * around * w1) / I1,
            m * r**2 * w1 * w2 / (I3 + m * r**2),
            # v = r (−w₃ e₁ + w₁ e₃), e₁ = (cosφ, sinφ, 0), e₃ = (sinθ sinφ, −sinθ cosφ, cosθ)
            r * (-w3 * np.cos(phi) + w1 * s * np.sin(phi)), r * (-w3 * np.sin(phi) - w1 * s * np.cos(phi)),
        ]  # fmt: skip

    tilt, w = 1.2, (0.3, 1.0, -5.0)
    example = mechanisms.rolling_disc(tilt, w)
    equations = example.model.equations("absolute", builder="elements")
    _, _, end = simulated(equations, example)
    y = solve_ivp(rates, (0.0, 1.0), [tilt, 0.0, *w, 0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    centre, axle = (value(equations, example.model.sensors[name], end) for name in ("centre", "axle"))
    assert centre == pytest.approx([y[5], y[6], r * np.sin(y[0])], abs=1e-9)
    assert axle == pytest.approx([np.sin(y[0]) * np.sin(y[1]), -np.sin(y[0]) * np.cos(y[1]), np.cos(y[0])], abs=1e-9)


# ------------------------------------------------------------------------------------ equilibria and eigenfrequencies


def test_forces_balance_the_weight_in_equilibrium():
    example = mechanisms.double_wishbone()
    equations = example.model.equations("relative")
    state = equations.equilibrium(example.assemble(equations).q)
    weight = G * sum(body.properties.mass for body in example.model.bodies)
    assert value(equations, example.model["tyre"].force, state) == pytest.approx(weight, rel=1e-9)


def test_eigenfrequencies_are_those_of_the_mechanism_in_all_coordinates():
    example = mechanisms.stewart_platform()
    found = []
    for coordinates, builder in FORMULATIONS:
        equations = example.model.equations(coordinates, builder=builder)
        state = equations.equilibrium(example.assemble(equations).q)
        found.append(equations.linearise(state).eigenvalues)
    assert len(found[0]) == 12
    for other in found[1:]:
        assert other == pytest.approx(found[0], rel=1e-9)


def test_small_swings_have_the_known_frequency():
    example = mechanisms.pendulum(0.0)
    for coordinates in ("relative", "absolute"):
        equations = example.model.equations(coordinates)
        modes = equations.linearise(example.assemble(equations))
        assert modes.frequencies[0] * 2 * np.pi == pytest.approx(
            np.sqrt(2.0 * G * 0.4 / (0.3 + 2.0 * 0.4**2)), rel=1e-9
        )
