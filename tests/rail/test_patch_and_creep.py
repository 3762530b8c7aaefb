"""Hertz, Kalker and creep laws against closed forms, elliptic integrals and published results of CONTACT."""

import numpy as np
import pytest
from scipy.integrate import quad

from dalembert.errors import ModelError
from dalembert.rail import (
    Fastsim,
    Linear,
    Material,
    Polach,
    ShenHedrickElkins,
    VermeulenJohnson,
    coefficients,
    contact_axes,
    creep_law,
    creepages,
    hertz,
    kalker_matrix,
)
from dalembert.rail.creep_laws import LAWS
from dalembert.rail.material import STEEL
from dalembert.rail.patch import HERTZ_TABLE, exact_axes, largest_pressure, spline_of_axes, tabulated_axes
from dalembert.symbolic import Graph, array, compile, jacobian

#: CONTACT, example `tractcurv`: ξ, −F_x of CONTACT and of its FASTSIM; a = 6.304, b = 12.61 mm, N = 106.7 kN, μ = 0.33
CREEP = np.array([0.0004, 0.0012, 0.0020, 0.0028, 0.0040, 0.01])
CONTACT = np.array([9112.0, 22820.0, 31040.0, 34620.0, 35180.0, 35210.0])
CONTACT_FASTSIM = np.array([9075.0, 22110.0, 29690.0, 33470.0, 35130.0, 35210.0])
MATERIAL = Material.of_shear(82e9, 0.28)


# --------------------------------------------------------------------------- Hertz


def test_a_sphere_on_a_plane():
    R, N = 0.31, 1000.0
    ellipse = hertz(N, 0.5 / R, 0.5 / R)
    exact = np.cbrt(1.5 * N * R * (1.0 - STEEL.nu**2) / STEEL.E)
    assert [ellipse.a, ellipse.b] == pytest.approx([exact, exact], rel=1e-12)


@pytest.mark.parametrize("ratio", [0.02, 0.3, 0.9, 1.0, 1.7, 20.0])
def test_the_pressure_deforms_the_surfaces_to_their_shape(ratio):
    # The potential of the pressure (Johnson, Contact Mechanics, eq. 4.22), by quadrature.
    N, A = 5e4, 1.1
    B = ratio * A
    a, b, conformal = hertz(N, A, B, least=0.001)
    assert not conformal

    def potential(power_a, power_b):
        def integrand(t):  # w = a² b² t/(1 − t)…, on a finite interval
            w = a * b * t / (1.0 - t)
            return a * b / (1.0 - t) ** 2 / ((a * a + w) ** power_a * (b * b + w) ** power_b * np.sqrt(w))

        return quad(integrand, 0.0, 1.0, epsabs=0.0, epsrel=1e-12, limit=200)[0]

    modulus = STEEL.E / (2.0 * (1.0 - STEEL.nu**2))
    scale = largest_pressure(a, b, N) * a * b / (2.0 * modulus)
    assert scale * potential(1.5, 0.5) == pytest.approx(A, rel=1e-9)
    assert scale * potential(0.5, 1.5) == pytest.approx(B, rel=1e-9)


def test_splines_for_atoms_are_the_integrals():
    x = np.linspace(-13.9, 13.9, 1001)
    assert np.abs(spline_of_axes()(x) / np.stack(exact_axes(x), axis=1) - 1.0).max() < 3e-9
    N, A, B = Graph().variables("N A B")
    function = compile({"ellipse": array(list(hertz(N, A, B)))}, {"N": N, "A": A, "B": B})
    for point in [(1e5, 1.0, 0.3), (4e4, 0.9, 4.0), (2e3, 1.0, 1.0), (1e5, 1.0, -0.3)]:
        assert function(*point)["ellipse"] == pytest.approx([float(v) for v in hertz(*point)], rel=1e-8)


def test_the_classical_table_is_near_the_integrals():
    theta = np.radians(np.linspace(10.0, 170.0, 641))
    cosine = np.cos(theta)
    ours, exact = tabulated_axes(cosine), exact_axes(np.log((1.0 + cosine) / (1.0 - cosine)))
    assert np.abs(np.array(ours) / np.array(exact) - 1.0).max() < 0.01
    # θ and 180° − θ exchange the axes.
    assert np.array(tabulated_axes(-cosine)) == pytest.approx(np.array(ours)[::-1], rel=1e-12)
    at = np.cos(np.radians(HERTZ_TABLE[:, 0]))
    assert np.array(tabulated_axes(at)).T == pytest.approx(HERTZ_TABLE[:, 1:], rel=1e-9)


def test_conformal_contacts_are_marked():
    assert hertz(1e4, 1.0, 0.2).conformal == 0.0
    assert hertz(1e4, 1.0, -0.2).conformal == 1.0
    assert hertz(1e4, 1.0, -0.2).b == pytest.approx(hertz(1e4, 1.0, 0.05).b)
    wide, long = hertz(1e4, 2.0, 1.0), hertz(1e4, 1.0, 2.0)
    assert wide.a < wide.b
    assert (long.a, long.b) == pytest.approx((wide.b, wide.a))


# -------------------------------------------------------------------------- Kalker


def test_coefficients_of_the_table():
    assert coefficients(1.0, 1.0, 0.25) == pytest.approx((4.12, 3.67, 1.47, 1.19), rel=1e-12)
    assert coefficients(0.3, 1.0, 0.5) == pytest.approx((4.80, 2.81, 0.889, 3.72), rel=1e-12)
    assert coefficients(10.0, 1.0, 0.0) == pytest.approx((10.7, 10.7, 12.2, 0.795), rel=1e-12)
    # Without a ratio of Poisson both directions are alike, at all ratios.
    for ratio in np.geomspace(0.002, 500.0, 40):
        c = coefficients(ratio, 1.0, 0.0)
        assert c.c11 == pytest.approx(c.c22, rel=1e-3)


@pytest.mark.parametrize("nu", [0.0, 0.25, 0.28, 0.5])
def test_limits_of_slender_ellipses_continue_the_table(nu):
    # The limits have errors of a few per cent where the table ends: nothing jumps.
    ratios = np.geomspace(0.02, 50.0, 400)
    values = np.array([coefficients(r, 1.0, nu) for r in ratios])
    steps = np.abs(np.diff(np.log(values), axis=0))
    assert steps.max() < 2.2 * np.log(ratios[1] / ratios[0])


def test_slope_of_contact():
    # CONTACT: −247.0 N at ξ = 1e-5.
    force = Linear(MATERIAL).force(6.304e-3, 12.61e-3, 106.7e3, np.array([1e-5, 0.0, 0.0]), 0.33)
    assert force[0] == pytest.approx(-247.0, rel=0.025)
    assert force[0] == pytest.approx(-243.4, rel=1e-3)


def test_the_matrix_dissipates_and_turns_with_the_direction():
    C, back = kalker_matrix(8e-3, 4e-3), kalker_matrix(8e-3, 4e-3, direction=-1.0)
    turn = np.diag([-1.0, -1.0, 1.0])  # by 180° about the normal
    assert back == pytest.approx(turn @ C @ turn, rel=1e-14)
    assert np.linalg.eigvalsh(C + C.T).min() > 0.0
    assert C[1, 2] == -C[2, 1] > 0.0


# ---------------------------------------------------------------------- creep laws


@pytest.mark.parametrize(
    ("law", "limit"),
    [
        (Fastsim(MATERIAL), 0.06),
        (VermeulenJohnson(MATERIAL), 0.1),
        (ShenHedrickElkins(MATERIAL), 0.1),
        (Polach(MATERIAL), 0.1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_creep_curve_of_contact(law, limit):
    ours = [-law.force(6.304e-3, 12.61e-3, 106.7e3, np.array([xi, 0.0, 0.0]), 0.33)[0] for xi in CREEP]
    assert np.abs(ours / CONTACT - 1.0).max() < limit


def test_fastsim_is_that_of_contact_on_its_grid():
    # 48 × 44 cells over 1.1 times the axes: 44 × 40 inside; and the default grid.
    for law in (Fastsim(MATERIAL, along=44, strips=40), Fastsim(MATERIAL)):
        ours = [-law.force(6.304e-3, 12.61e-3, 106.7e3, np.array([xi, 0.0, 0.0]), 0.33)[0] for xi in CREEP]
        assert np.abs(ours / CONTACT_FASTSIM - 1.0).max() < 0.015


def test_spin_and_lateral_creepage_of_contact():
    # CONTACT: F_y = −14 940 N, M_z = −48.21 N m; its FASTSIM on 40 × 40 cells −15 050 N, −39.0 N m.
    nu = np.array([0.0, -6.25e-4, 0.625])
    for fastsim in (Fastsim(MATERIAL, along=40, strips=40), Fastsim(MATERIAL)):
        force = fastsim.force(8e-3, 4e-3, 82e3, nu, 0.3)
        assert force[1] == pytest.approx(-14940.0, rel=0.03)
        assert force[1] == pytest.approx(-15050.0, rel=0.03)
        assert force[2] == pytest.approx(-39.0, rel=0.03)
    for law in (ShenHedrickElkins(MATERIAL), Polach(MATERIAL), Linear(MATERIAL)):
        assert law.force(8e-3, 4e-3, 82e3, nu, 0.3)[1] < 0.0


def test_fastsim_is_linear_where_nothing_slides():
    fine = Fastsim(MATERIAL, along=100, strips=100, marching="middles")
    nu = np.array([1e-4, -2e-4, 0.02])
    linear = Linear(MATERIAL).force(5e-3, 4e-3, 8e4, nu, 0.3)
    assert fine.force(5e-3, 4e-3, 8e4, nu, 1e6)[:2] == pytest.approx(linear[:2], rel=2e-3)
    # Both ways of marching have the same limit.
    coarse, finer = (Fastsim(MATERIAL, along=n, strips=60).force(5e-3, 4e-3, 8e4, nu, 0.3) for n in (50, 100))
    limit = Fastsim(MATERIAL, along=100, strips=60, marching="middles").force(5e-3, 4e-3, 8e4, nu, 0.3)
    assert 2.0 * finer[:2] - coarse[:2] == pytest.approx(limit[:2], rel=2e-3)


@pytest.mark.parametrize("name", LAWS)
def test_secants_are_the_same_on_atoms(name):
    options = (
        {"along": 6, "strips": 5} if name == "fastsim" else {"ratio": 0.4, "decay": 0.6} if name == "polach" else {}
    )
    law = creep_law(name, MATERIAL, **options)
    function = law.compiled()
    for nu in ([0.0, 0.0, 0.0], [1e-3, -2e-3, 0.3], [1e-2, 0.0, -0.5], [0.0, 0.0, 0.4]):
        S = law(6e-3, 4e-3, 7e4, np.array(nu), 0.35)
        result = function(6e-3, 4e-3, 7e4, nu, 0.35)
        assert result["S"] == pytest.approx(S, rel=1e-10, abs=1e-6 * np.abs(S).max())
        assert result["force"] == pytest.approx(law.force(6e-3, 4e-3, 7e4, np.array(nu), 0.35), rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("name", LAWS)
def test_laws_know_the_linear_limit_and_the_bound(name):
    options = {"along": 20, "strips": 20, "marching": "middles"} if name == "fastsim" else {}
    law = creep_law(name, MATERIAL, **options)
    a, b, N, mu = 6e-3, 4e-3, 7e4, 0.3
    tiny, huge = np.array([2e-8, -1e-8, 0.0]), np.array([0.2, -0.1, 0.0])
    linear = Linear(MATERIAL).force(a, b, N, tiny, mu)[:2]  # moments differ
    assert law.force(a, b, N, tiny, mu)[:2] == pytest.approx(linear, rel=4e-3)
    if name != "linear":
        assert np.hypot(*law.force(a, b, N, huge, mu)[:2]) == pytest.approx(mu * N, rel=5e-3)
    # Backwards everything is mirrored.
    nu = np.array([1e-3, 2e-3, 0.4])
    ahead = law.force(a, b, N, nu, mu)
    back = law.force(a, b, N, nu * [-1.0, -1.0, 1.0], mu, direction=-1.0)
    assert back == pytest.approx(ahead * [-1.0, -1.0, 1.0], rel=1e-12)


@pytest.mark.parametrize("name", [name for name in LAWS if name != "fastsim"])
def test_laws_have_derivatives_at_rest(name):
    graph = Graph()
    nu = graph.variables("nu", 3)
    law = creep_law(name, MATERIAL)
    force = law.force(6e-3, 4e-3, 7e4, nu, 0.3)
    slope = compile({"slope": jacobian(force, nu)}, {"nu": nu})([0.0, 0.0, 0.0])["slope"]
    expected = kalker_matrix(6e-3, 4e-3, MATERIAL)
    rows = slice(0, 2) if name in ("vermeulen-johnson", "polach") else slice(0, 3)
    columns = slice(0, 2) if name == "vermeulen-johnson" else slice(0, 3)
    # The lateral force of spin is Polach's own formula.
    relative = np.where(np.arange(3) == 2, 0.08, 1e-6)[columns] if name == "polach" else 1e-6
    assert (np.abs(slope + expected)[rows, columns] <= relative * np.abs(expected[rows, columns]) + 1e-3).all()


@pytest.mark.parametrize("name", [name for name in LAWS if name != "fastsim"])
def test_rounding_of_creepages_does_not_change_derivatives(name):
    """Wheels that run straight ahead have a spin, and creepages that are zero but for rounding."""
    graph = Graph()
    nu = graph.variables("nu", 3)
    force = creep_law(name, MATERIAL).force(6e-3, 4e-3, 7e4, nu, 0.3)
    slope = compile({"slope": jacobian(force, nu)}, {"nu": nu})
    still = slope([0.0, 0.0, 0.1])["slope"]
    for rounding in ([1e-16, 0.0, 0.1], [-3e-15, 2e-16, 0.1], [1e-12, -1e-12, 0.1]):
        assert slope(rounding)["slope"] == pytest.approx(still, rel=1e-6, abs=1e-6 * np.abs(still).max())


def test_falling_friction():
    law = Polach(MATERIAL, ratio=0.4, decay=0.6)
    nu = np.array([0.1, 0.0, 0.0])
    standing, fast = law.force(6e-3, 4e-3, 7e4, nu, 0.3), law.force(6e-3, 4e-3, 7e4, nu, 0.3, V=20.0)
    assert fast[0] / standing[0] == pytest.approx(0.6 * np.exp(-0.6 * 2.0) + 0.4, rel=0.01)
    with pytest.raises(ModelError, match=r"k_S must be from 0 to 0\.5, got 0\.7"):
        Polach(k_A=0.5, k_S=0.7)


def test_laws_by_name():
    assert creep_law("polach", decay=0.1) == Polach(decay=0.1)
    with pytest.raises(ModelError, match="creep law 'polac' does not exist"):
        creep_law("polac")
    with pytest.raises(ModelError, match="creep law 'linear': options are none; got along"):
        creep_law("linear", along=3)
    with pytest.raises(ModelError, match=r"nu must be from 0 to 0\.5"):
        Material(nu=0.7)


# ----------------------------------------------------------------------- creepages


def test_creepages_of_a_rolling_wheel():
    axes = contact_axes(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    r, V, slip = 0.46, 20.0, 0.003
    r_OP, v_O, omega = np.array([0.0, 0.0, -r]), np.array([V, 0.1, 0.0]), np.array([0.0, V / r * (1 - slip), 0.05])
    found = creepages(v_O + np.cross(omega, r_OP), omega, v_O, r_OP, axes)
    mean = 0.5 * (np.hypot(V, 0.1) + V * (1 - slip))
    assert found.nu == pytest.approx([slip * V / mean, 0.1 / mean, 0.05 / mean], rel=1e-12)
    assert found.direction == 1.0
    standing = creepages(np.array([1e-3, 0.0, 0.0]), 0.0 * omega, 0.0 * v_O, r_OP, axes)
    assert standing.V == 0.005
    assert standing.nu[0] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: hertz("much", 1.0, 2.0), "Hertz: N must be a number, an array of numbers, or atoms, got 'much'"),
        (lambda: hertz(1e4, 1.0, 2.0, least=0.0), "Hertz: the least curvature must be positive, got 0"),
        (lambda: hertz(1e4, 1.0, 2.0, 2.1e11), "Hertz: material must be of the class Material"),
        (lambda: coefficients(0.0, 1e-3), "Kalker: the semi-axis a must be positive, got 0.0"),
        (lambda: coefficients(1e-3, 1e-3, 0.7), "Kalker: nu must be from 0 to 0.5, got 0.7"),
        (lambda: kalker_matrix(np.ones(2), np.ones(3)), "Kalker: arrays of these shapes do not fit together"),
    ],
)
def test_what_is_no_patch_is_refused_by_name(wrong, message):
    with pytest.raises(ModelError, match=message):
        wrong()
