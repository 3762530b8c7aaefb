"""Each problem against what is known of it: closed forms, other coordinates, static loads, published frequencies."""

from types import SimpleNamespace

import numpy as np
import pytest
from problems.plain import Plain
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import dalembert
from dalembert import problems
from dalembert.problems import (
    andrews,
    cap_insulators,
    excited_pendulums,
    flexible_slider_crank,
    friction_drum,
    iftomm_four_bars,
    planar_truck,
    surrogate_truck,
)


def integrate(problem, t, rtol=1e-11, atol=1e-13):
    plain = Plain(problem)
    y0 = np.concatenate([problem.q0, problem.v0])
    done = solve_ivp(plain.rhs, (0.0, t), y0, method="DOP853", rtol=rtol, atol=atol)
    return np.split(done.y[:, -1], 2)


def in_angles(M, f, angles, rates, t, rtol=1e-12):
    """Integrate M(φ) φ̈ = f(φ, φ̇)."""
    n = len(angles)
    y0 = np.concatenate([angles, rates])
    rhs = lambda t, y: np.concatenate([y[n:], np.linalg.solve(M(y[:n]), f(y[:n], y[n:]))])  # noqa: E731
    return np.split(solve_ivp(rhs, (0.0, t), y0, method="DOP853", rtol=rtol, atol=1e-13).y[:, -1], 2)


def chain_in_angles(masses, lengths, centres, inertias, gravity):
    """M(φ), f(φ, φ̇) of a plane chain of bars, angles from the x axis; ``centres``: distances from the upper end."""
    m, n = np.asarray(masses), len(masses)
    # place of centre i = Σ_j reach[i, j] (cosφ_j, sinφ_j)
    reach = np.array([[lengths[j] if j < i else centres[j] if j == i else 0.0 for j in range(n)] for i in range(n)])
    coupling = reach.T @ np.diag(m) @ reach

    def M(phi):
        return coupling * np.cos(phi[:, None] - phi[None, :]) + np.diag(inertias)

    def f(phi, rate):
        centrifugal = coupling * np.sin(phi[:, None] - phi[None, :]) @ rate**2
        return -centrifugal - gravity * (m @ reach) * np.cos(phi)

    return M, f


# ----------------------------------------------------------------------- pendulums


def test_pendulum_against_the_published_values():
    q, v = integrate(problems.pendulum(), 1.0)
    best, published = problems.pendulum().references
    assert q == pytest.approx(best.q, rel=1e-11) and v == pytest.approx(best.v, rel=1e-10)
    assert published.q == pytest.approx(best.q, rel=1e-11) and published.lam == pytest.approx(best.lam, rel=1e-9)


def test_double_pendulum_moves_as_in_angles():
    M, f = chain_in_angles([1, 1], [1, 1], [1, 1], [0, 0], 9.81)
    (a, b), (da, db) = in_angles(M, f, np.zeros(2), np.zeros(2), 3.0)
    end = problems.double_pendulum().reference()
    assert end.q == pytest.approx([np.cos(a), np.sin(a), np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], abs=1e-10)
    assert end.v[:2] == pytest.approx([-np.sin(a) * da, np.cos(a) * da], abs=1e-9)
    assert end.v[2] == pytest.approx(-np.sin(a) * da - np.sin(b) * db, abs=1e-9)


def test_stiff_double_pendulum_starts_as_in_the_thesis():
    problem = problems.stiff_double_pendulum()
    assert problem.q0 == pytest.approx([1, 0, 2 * np.pi, 3.4488887, -0.388228, 23 * np.pi / 12], abs=1e-6)
    plain = Plain(problem)
    n, size = plain.n, 1e-6
    # eigenvalues of the motion that the constraints allow, from differences
    q, v = problem.q0, problem.v0
    J = np.column_stack(
        [(plain.motion(0, q, v + size * e)[0] - plain.motion(0, q, v - size * e)[0]) for e in np.eye(n)]
    )
    assert np.linalg.eigvals(J / (2 * size)).real.min() == pytest.approx(-1e5, rel=0.01)


def test_values_that_the_thesis_implies_are_those_of_its_tables():
    # 100 Δ / RelErr of the first and the last line, by hand.
    observed = problems.stiff_double_pendulum("rest").observations
    assert observed[0].t == 0.413557 and observed[0].values["theta1"] == pytest.approx(3.69652665, abs=5e-9)
    assert observed[-1].t == 0.186183 and observed[-1].values["theta1.rate"] == pytest.approx(-9.49732503, abs=5e-9)
    # The printed start is another motion, which the values do not belong to.
    printed, rest = (problems.stiff_double_pendulum(start) for start in ("printed", "rest"))
    assert printed.observations == () and abs(printed.reference(1.0).q[2] - rest.reference(1.0).q[2]) > 0.1


@pytest.mark.parametrize("start, rate", [("printed", 10.0), ("rest", 0.0)])
def test_stiff_double_pendulum_moves_as_in_angles(start, rate):
    problem = problems.stiff_double_pendulum(start)
    p = problem.p
    M, weight = chain_in_angles(
        [p.m1, p.m2], [2 * p.L1, 2 * p.L2], [p.L1, p.L2], [p.m1 * p.L1**2 / 3, p.m2 * p.L2**2 / 3], p.g
    )

    def rhs(t, y):
        (a, b), (da, db) = y[:2], y[2:]
        first, second = -p.k1 * (a - p.alpha1) - p.c1 * da, -p.k2 * (b - a - p.alpha2) - p.c2 * (db - da)
        return np.concatenate(
            [y[2:], np.linalg.solve(M(y[:2]), weight(y[:2], y[2:]) + np.array([first - second, second]))]
        )

    y0 = [2 * np.pi, 23 * np.pi / 12, 0.0, rate]
    done = solve_ivp(rhs, (0.0, 2.0), y0, method="Radau", rtol=1e-8, atol=1e-9)
    assert done.y[:2, -1] == pytest.approx(problem.reference().q[[2, 5]], abs=1e-8)
    assert done.y[2:, -1] == pytest.approx(problem.reference().v[[2, 5]], abs=1e-7)
    # the range of motion that the thesis reports: about 4 to 6 rad, −10 to 7 rad/s
    assert 3.5 < done.y[0].min() < 4.0 and 6.0 < done.y[0].max() < 6.5
    assert -10 < done.y[2].min() < -9 and 6 < done.y[2].max() < 7


@pytest.mark.parametrize("n", [1, 3])
def test_chain_moves_as_in_angles(n):
    problem = problems.pendulum_chain(n, t_end=0.5)
    length, mass = 1 / n, 1 / n
    M, f = chain_in_angles([mass] * n, [length] * n, [length / 2] * n, [mass * length**2 / 12] * n, 9.81)
    angles, rates = in_angles(M, f, np.zeros(n), np.zeros(n), 0.5)
    q, v = integrate(problem, 0.5, rtol=1e-9)
    assert q[2::3] == pytest.approx(angles, abs=1e-7) and v[2::3] == pytest.approx(rates, abs=1e-6)
    assert problem.invariant(0.5, q, v, problem.p) == pytest.approx(0.0, abs=1e-7)


def cartesian_chain(n, p):
    """Accelerations of the angles from Newton's law for each mass, r = (x, y)(t) + Σ l (sin α, −cos α)."""
    sums = p.l * np.tril(np.ones((n, n)))

    def acceleration(t, alpha, rate):
        swing = -((2 * np.pi * p.frequency) ** 2) * np.sin(2 * np.pi * p.frequency * t)
        J = np.vstack([sums * np.cos(alpha), sums * np.sin(alpha)])
        centripetal = np.concatenate([-sums @ (np.sin(alpha) * rate**2), sums @ (np.cos(alpha) * rate**2)])
        moved = np.repeat([p.across * swing, p.upward * swing + p.g], n)
        return np.linalg.solve(J.T @ J, -J.T @ (centripetal + moved))

    return acceleration


@pytest.mark.parametrize("n", [1, 2, 5])
def test_excited_chain_moves_as_its_masses_do(n):
    problem = problems.excited_chain(n)
    strong = {"frequency": 0.7, "across": 0.5}
    acceleration = cartesian_chain(n, SimpleNamespace(**problem.parameters | strong))
    start = np.linspace(1.0, -0.5, n), np.linspace(-1.0, 2.0, n)
    rhs = lambda t, y: np.concatenate([y[n:], acceleration(t, y[:n], y[n:])])  # noqa: E731
    expected = solve_ivp(rhs, (0.0, 2.0), np.concatenate(start), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    run = dalembert.simulate(problem.equations, (0, 2), start, parameters=strong, rtol=1e-11, atol=1e-12)
    assert np.concatenate([run.q[:, -1], run.v[:, -1]]) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("n", [1, 3, 12])
def test_frequencies_of_the_hanging_chain_are_roots_of_a_laguerre_polynomial(n):
    problem = problems.excited_chain(n)
    plain, still, h = Plain(problem), np.zeros(n), 1e-30
    K = -np.column_stack([plain.f(0.0, still + 1j * h * e, still).imag / h for e in np.eye(n)])
    squares = np.linalg.eigvals(np.linalg.solve(plain.M(0.0, still), K))
    assert np.sort(squares) == pytest.approx(9.81 * np.polynomial.laguerre.lagroots([0.0] * n + [1.0]), rel=1e-9)


@pytest.mark.parametrize("n", [12, 14, 16])
def test_excited_chain_to_the_end(n):
    problem = problems.excited_chain(n)
    run = dalembert.simulate(problem, method="dop853", rtol=1e-12, atol=1e-16, dense_output=False)
    end = problem.reference()
    assert run.q[:, -1] == pytest.approx(end.q, abs=1e-8 * np.abs(end.q).max())
    assert run.v[:, -1] == pytest.approx(end.v, abs=1e-7 * np.abs(end.v).max())
    assert run.a[:, -1] == pytest.approx(end.a, abs=1e-6 * np.abs(end.a).max())


def test_excitation_of_the_chain_is_the_acceleration_of_its_suspension():
    problem = problems.excited_chain(1)
    h = 1e-2
    for t in (1.0, 4.0, 13.0):
        before, here, after = (np.array(excited_pendulums.suspension(s, problem.p)) for s in (t - h, t, t + h))
        w = problem.equations.evaluate("w", t=t, q=[0.0], v=[0.0])
        assert w == pytest.approx((before - 2 * here + after) / h**2, abs=1e-6)
    assert excited_pendulums.suspension(5.0, problem.p) == pytest.approx((2.3, 0.2))


def test_a01_closed_form():
    problem = problems.a01()
    t = np.linspace(0.0, 3.0, 61)
    (x, y), (vx, vy) = q, v = problem.exact(t)
    assert x**2 + y**2 == pytest.approx(1.0, abs=1e-14) and x * vx + y * vy == pytest.approx(0.0, abs=1e-14)
    assert problem.invariant(t, q, v, problem.p) == pytest.approx(0.0, abs=1e-13)
    for reference in problem.references:
        assert problem.exact(reference.t)[0] == pytest.approx(reference.q, abs=10 ** -(reference.trusted("q") - 0.5))
    period = 4 * ellipk(0.5) / np.sqrt(9.81)
    assert period == pytest.approx(2.3678419475762, rel=1e-13)
    assert problem.exact(800 * period)[0] == pytest.approx(problem.q0, abs=1e-11)
    done = solve_ivp(Plain(problem).rhs, (0.0, 3.0), [1.0, 0.0, 0.0, 0.0], method="DOP853", rtol=1e-10, atol=1e-12)
    assert done.y[:, -1] == pytest.approx([x[-1], y[-1], vx[-1], vy[-1]], abs=1e-8)


@pytest.mark.parametrize("n", [2, 40])
def test_a02_closed_form(n):
    problem = problems.a02(n)
    c = ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * 9.81
    t = np.array([1.0, 5.0, 10.0, 20.0])
    done = solve_ivp(
        lambda t, y: [y[1], -c * np.cos(y[0])], (0.0, 20.0), [np.pi / 2, -1.0], "DOP853", t, rtol=1e-13, atol=1e-13
    )
    phi, rate = iftomm_four_bars.crank_angle(n, t)
    assert phi == pytest.approx(done.y[0], abs=1e-9) and rate == pytest.approx(done.y[1], abs=1e-9)
    q, v = problem.exact(t)
    for i, reference in enumerate(problem.references):  # the table of the benchmark
        assert reference.q == pytest.approx(q[:, i], abs=3e-9) and reference.v == pytest.approx(v[:, i], abs=3e-9)
    energy = [problem.invariant(0.0, q[:, i], v[:, i], problem.p) for i in range(4)]
    assert energy == pytest.approx([0.5 * ((n + 1) / 3 + n) + ((n + 1) / 2 + n) * 9.81] * 4, rel=1e-12)


def test_a02_equations_give_the_motion_of_the_reduction():
    problem = problems.a02(2)
    plain = Plain(problem)
    h = 1e-4
    for t in (0.2, 0.8):
        (q, v), (_, before), (_, after) = (problem.exact(s) for s in (t, t - h, t + h))
        assert plain.motion(t, q, v)[0] == pytest.approx((after - before) / (2 * h), abs=1e-5)


def test_a02_constraints_lose_rank_when_all_bars_lie_on_one_line():
    problem = problems.a02(3)
    plain = Plain(problem)
    flat, _ = iftomm_four_bars.posture(3, np.pi, 0.0)
    assert plain.n - np.linalg.matrix_rank(plain.G(0.0, problem.q0)) == 1
    assert plain.n - np.linalg.matrix_rank(plain.G(0.0, flat), tol=1e-9) == 4


# ----------------------------------------------------------------------- mechanisms


def test_seven_body_mechanism_to_the_end():
    problem = problems.seven_body()
    q, v = integrate(problem, 0.03, rtol=1e-9, atol=1e-11)
    best, published = problem.references[1:]
    assert q == pytest.approx(best.q, rel=1e-7) and v == pytest.approx(best.v, rel=1e-6)
    assert published.q == pytest.approx(best.q, rel=4e-10) and published.a == pytest.approx(best.a, rel=2e-6)


def test_seven_body_energy_of_the_references():
    problem = problems.seven_body()
    begin, best, published = (problem.invariant(r.t, r.q, r.v, problem.p) for r in problem.references)
    assert best - begin == pytest.approx(0.0, abs=1e-12)  # of velocities printed with 13 digits
    assert published - begin == pytest.approx(-2.2e-10, rel=0.05)  # what the published values miss


def test_seven_bodies_meet_at_their_hinges():
    problem = problems.seven_body()
    for reference in problem.references:
        parts = problem.sketch(reference.t, reference.q, problem.p)
        E = parts["K2"][-1]
        assert parts["K3"][2] == pytest.approx(E, abs=1e-9)
        assert parts["K4"][-1] == pytest.approx(E, abs=1e-9) and parts["K6"][-1] == pytest.approx(E, abs=1e-9)
        # E seen from the other bodies: B + ss s(γ), G + e s(φ+δ), H + zf c(Ω+ε)
        _, _, gamma, phi, delta, Omega, epsilon = reference.q
        p, G, H = problem.p, parts["K5"][-1], parts["K7"][-1]
        assert (p.xb + p.ss * np.sin(gamma), p.yb - p.ss * np.cos(gamma)) == pytest.approx(E, abs=1e-9)
        assert (G[0] + p.e * np.sin(phi + delta), G[1] - p.e * np.cos(phi + delta)) == pytest.approx(E, abs=1e-9)
        assert (H[0] + p.zf * np.cos(Omega + epsilon), H[1] + p.zf * np.sin(Omega + epsilon)) == pytest.approx(
            E, abs=1e-9
        )


def test_a03_observes_the_end_of_the_crank():
    problem = problems.a03()
    end = problem.reference()
    assert andrews.point_F(end.q, problem.p) == pytest.approx((-0.0052085047, 0.0046766953), abs=1e-10)
    independent = [33.8258678, -33.5834315, 0.1133951, -0.4078529, 0.5260604, 0.4078529, 1.0569024]
    assert end.q == pytest.approx(independent, abs=6e-8)
    begin = problem.references[0]
    drift = problem.invariant(0.05, end.q, end.v, problem.p) - problem.invariant(0.0, begin.q, begin.v, problem.p)
    assert drift == pytest.approx(0.0, abs=1e-12)


def test_slider_crank_frequencies_are_the_published_ones():
    Mq, Kq, *_ = flexible_slider_crank.rod(problems.slider_crank().p)
    squares = np.linalg.eigvals(np.linalg.solve(Mq, Kq))
    assert np.sort(np.sqrt(squares)) == pytest.approx([1276.69, 5106.75, 6840.82, 24612.66], abs=0.006)


def test_slider_crank_constraint_matrix_is_the_published_one():
    problem = problems.slider_crank()
    q = problem.reference().q
    assert Plain(problem).G(0.1, q) == pytest.approx(flexible_slider_crank.G(q, problem.p), abs=1e-15)


def test_slider_crank_smooth_start():
    problem = problems.slider_crank()
    printed = flexible_slider_crank.SMOOTH_START
    assert np.array_equal(problem.q0, printed.q)
    assert problem.v0 == pytest.approx(printed.v, abs=4e-8)
    plain = Plain(problem)
    assert np.abs(plain.rate(0.0, printed.q, printed.v)).max() == pytest.approx(1.2e-8, rel=0.1)
    assert np.abs(plain.g(0.0, printed.q)).max() == pytest.approx(2.03e-10, rel=0.01)


def test_slider_crank_recomputed_end_is_the_published_one():
    projected, ours, _, published = problems.slider_crank().references
    assert ours.q == pytest.approx(published.q, rel=5e-11) and ours.lam == pytest.approx(published.lam, rel=1e-10)
    assert ours.v == pytest.approx(published.v, rel=2e-8) and ours.a[:4] == pytest.approx(published.a[:4], rel=1e-9)
    assert projected.q == pytest.approx(ours.q, abs=2e-10) and projected.v == pytest.approx(ours.v, abs=6e-7)


# An independent program, explicit of order 8 with tolerance 1e-13: q at t = 0.1 without the crank angle.
@pytest.mark.parametrize(
    ("start", "stiffness", "digits", "independent"),
    [
        ("rigid", "linear", 2e-8,
         "-.33117900604 .16973225167 -1.4172368e-4 2.16252968e-5 -7.9347120e-6 -1.31681873e-5"),
        ("smooth", "nonlinear", 3e-7,
         "-.33117388 .16973697 -1.180767e-4 2.365146e-5 -5.475026e-6 -8.702537e-6"),
        ("rigid", "nonlinear", 4e-9,
         "-.33118405198 .16972759642 1.01988277e-4 1.50538698e-5 -1.13160771e-5 -1.75704644e-5"),
    ],
)  # fmt: skip
def test_slider_crank_other_cases_against_an_independent_run(start, stiffness, digits, independent):
    problem = problems.slider_crank(start=start, stiffness=stiffness)
    (end,) = [r for r in problem.references if r.t == 0.1 and "projected" not in r.source]
    assert end.q[1:] == pytest.approx([float(number) for number in independent.split()], rel=digits)


def test_slider_crank_without_deformation_is_a_rigid_one():
    problem = problems.slider_crank(start="rigid", crank="variable")
    assert problem.v0[:2] == pytest.approx([180.0, -90.0]) and not problem.references


# ---------------------------------------------------- friction and massless coordinates


@pytest.mark.parametrize("mu", [0.0, 0.125, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5])
def test_drum_moves_as_its_closed_form_says(mu):
    problem = problems.cable_drum(mu)
    plain, p, h = Plain(problem), problem.p, 1e-4
    for t in (0.0, 0.3, 4.0):
        (q, v), (_, before), (_, after) = (problem.exact(s) for s in (t, t - h, t + h))
        a, lam = plain.motion(t, q, v)
        assert a == pytest.approx((after - before) / (2 * h), abs=1e-8)
        assert lam[0] == pytest.approx(-mu * lam[1]) and lam[1] == pytest.approx(lam[2] - p.m2 * p.g)
        assert friction_drum.motion(v[0], p) == (pytest.approx(a[0]), pytest.approx(lam))
    end = problem.reference()
    assert np.array_equal(end.q, problem.exact(4.0)[0]) and end.q == pytest.approx(integrate(problem, 4.0)[0], rel=1e-9)


def test_drum_with_the_published_friction():
    t = np.linspace(0.0, 4.0, 9)
    q, v = problems.cable_drum().exact(t)
    decay = 1 - np.exp(-3 * t / 34)
    assert v[0] == pytest.approx(-29 / 3 * decay, abs=1e-14)
    assert q[0] == pytest.approx(-29 / 3 * t + 29 / 3 * 34 / 3 * decay, abs=1e-13)


def test_drum_exact_solution_near_the_friction_that_balances_the_damper():
    # With μ = r1/r2 the damper has no effect: a pure parabola. Formulas that divide by the decay lose digits around it.
    below, at, above = (problems.cable_drum(1.0 + shift).exact(4.0)[0][0] for shift in (-1e-9, 0.0, 1e-9))
    assert at == pytest.approx(8.0, rel=1e-15)
    assert below + above == pytest.approx(2 * at, rel=1e-14) and above - at == pytest.approx(at - below, rel=1e-5)


def insulators_in_angles(n):
    """φ̈ of all bodies from φ and φ̇ by Lagrange's equations, with places z = L exp(iφ)."""
    m, inertia = cap_insulators.masses(n)
    L = np.column_stack([cap_insulators.points(n, unit) for unit in np.eye(n + 1, dtype=complex)])
    p = problems.insulator_chain(n).p

    def rhs(t, y):
        phi, rate = np.split(y, 2)
        turn = np.exp(1j * phi)
        directions = 1j * L * turn  # ∂z/∂φ
        inner = directions[1:].conj().T @ (m[:, None] * directions[1:])
        corner = directions[0] @ rate
        F = cap_insulators.pull([corner.real, corner.imag], p)
        right = (directions[0].conj() * (F[0] + 1j * F[1])).real - (1j * inner).real @ rate**2
        return np.concatenate([rate, np.linalg.solve(inner.real + np.diag(inertia), right)])

    return rhs


@pytest.mark.parametrize("n", [16, 32])
def test_insulator_chain_against_a_run_in_angles(n):
    done = solve_ivp(insulators_in_angles(n), (0.0, 0.1), np.zeros(2 * n + 2), method="DOP853", rtol=1e-11, atol=1e-13)
    phi, rate = np.split(done.y[:, -1], 2)
    reference = problems.insulator_chain(n).reference()
    assert reference.q[4::3] == pytest.approx(phi, abs=1e-11) and reference.v[4::3] == pytest.approx(rate, abs=1e-8)
    assert reference.a[4::3] == pytest.approx(insulators_in_angles(n)(0.1, done.y[:, -1])[n + 1 :], abs=1e-5)


def test_insulator_chain_has_the_values_known_from_elsewhere():
    reference = problems.insulator_chain(32).reference()
    assert reference.q[2:5] == pytest.approx([-0.22050958, -6.73627889, 0.53481611], abs=5e-9)
    assert reference.q[-1] == pytest.approx(-0.0104249714, abs=5e-11)


@pytest.mark.parametrize("joints", ["constraints", "coordinates"])
@pytest.mark.parametrize("n", [16, 32, 64])
def test_insulator_chain_moves_alike_in_both_formulations(n, joints):
    problem = problems.insulator_chain(n, joints)
    run = dalembert.simulate(problem.equations, problem.span, (problem.q0, problem.v0), rtol=1e-10, atol=1e-11)
    end = problem.reference()
    for name, limit in (("q", 1e-10), ("v", 1e-9), ("a", 1e-9), ("lam", 1e-9)):
        ours, theirs = getattr(run, name)[:, -1], getattr(end, name)
        assert np.abs(ours - theirs).max() < limit * np.abs(theirs).max(), name


@pytest.mark.parametrize("joints", ["constraints", "coordinates"])
def test_top_insulator_turns_for_the_first_time_at_the_published_instant(joints):
    problem = problems.insulator_chain(32, joints, t_end=0.2)
    top = problem.coordinates.index("phi33")
    # For a while the wave has not arrived, and the velocity is zero up to the tolerance.
    turns = dalembert.Event(lambda v: v[top], terminal=True, threshold=1e-3)
    options = {"events": [turns], "rtol": 1e-9, "atol": 1e-10}
    run = dalembert.simulate(problem.equations, problem.span, (problem.q0, problem.v0), **options)
    assert run.outcome == "event" and run.t[-1] == pytest.approx(0.12829577, abs=5e-9)


def test_insulator_chain_hangs_together_in_its_sketch():
    problem = problems.insulator_chain(16)
    parts = problem.sketch(0.1, problem.reference().q, problem.p)
    chain, triangle = np.array(parts["insulators"]), np.array(parts["triangle"])
    assert chain[-1] == pytest.approx(0.0, abs=1e-14) and chain[0] == pytest.approx(triangle[1], abs=1e-14)
    assert np.linalg.norm(np.diff(chain, axis=0), axis=1) == pytest.approx([0.2] * 15 + [0.24], rel=1e-12)
    assert np.linalg.norm(np.diff(triangle, axis=0), axis=1) == pytest.approx(0.37 * np.sqrt(3.0), rel=1e-12)


# ------------------------------------------------------------------------- vehicles


@pytest.mark.parametrize("variant", ["joint", "unconstrained"])
@pytest.mark.parametrize("springs", ["linear", "air", "both"])
def test_truck_stands_still(variant, springs):
    problem = problems.truck(variant, springs)
    a, lam = Plain(problem).motion(0.0, problem.q0, problem.v0)
    assert np.abs(a).max() < 3e-11
    if variant == "joint":
        assert lam == pytest.approx([0.0, -68056.2088888888], abs=1e-7)
    assert sum(problem.parameters[f"m{i}"] for i in range(1, 6)) == 18000.0


# An independent program, Radau IIA with tolerance 1e-8: q at t = 5.
@pytest.mark.parametrize(
    ("variant", "springs", "independent"),
    [
        ("joint", "linear",
         ".593824763 2.100696842 .004617984 .603309302 3.013449614 .00461985 -1.464181834 2.994032458 .004672417"),
        ("joint", "air",
         ".593777111 2.101250236 .005060475 .603406041 3.015224141 .005064389 -1.464579976 2.993944216 .005118854"),
        ("joint", "both",
         ".593782025 2.10124352 .005014474 .60339588 3.015090724 .005018252 -1.464538614 2.994004244 .005072463"),
        ("unconstrained", "linear",
         ".593234661 2.103040045 .007810556 .604476016 3.024577382 .007823481 -1.504599497 2.990711298 .008374789"),
        ("unconstrained", "air",
         ".592967803 2.105349691 .009980343 .60500977 3.032849739 .009997796 -1.511377514 2.989516147 .010611614"),
        ("unconstrained", "both",
         ".593018683 2.105305353 .009599406 .604911572 3.031760729 .009615976 -1.51012741 2.99009604 .010218317"),
    ],
)  # fmt: skip
def test_truck_against_an_independent_run(variant, springs, independent):
    numbers = [float(number) for number in independent.split()]
    assert problems.truck(variant, springs).reference(5.0).q == pytest.approx(numbers, abs=6e-10)


@pytest.mark.parametrize(("F_nom", "d", "k"), [("F23", "d23", "k23"), ("F12", "d12", "k12")])
def test_linear_suspension_is_the_tangent_of_the_air_spring(F_nom, d, k):
    p = problems.truck(springs="both").p
    law = planar_truck.air_spring(getattr(p, F_nom), getattr(p, d), p)
    h = 1e-5
    assert law(p.l_nom, 0.0) == pytest.approx(getattr(p, F_nom))
    assert (law(p.l_nom + h, 0.0) - law(p.l_nom - h, 0.0)) / (2 * h) == pytest.approx(getattr(p, k), rel=1e-4)
    assert law(p.l_nom, 1.0) - law(p.l_nom, 0.0) == pytest.approx(getattr(p, d))


@pytest.mark.parametrize("excitation", ["sine", "measured"])
def test_surrogate_truck_to_the_end(excitation):
    problem = problems.truck_surrogate(excitation)
    assert "surrogate" in problem.title and (len(problem.coordinates), problem.equations.sizes.lam) == (11, 1)
    start = (problem.q0, problem.v0)
    for reference in problem.references[1:]:
        run = dalembert.simulate(problem.equations, (0.0, reference.t), start, rtol=1e-10, atol=1e-11)
        assert run.q[:, -1] == pytest.approx(reference.q, abs=1e-10)
        assert run.v[:, -1] == pytest.approx(reference.v, abs=1e-8)
        assert run.lam[:, -1] == pytest.approx(reference.lam, rel=1e-9)


def test_measured_road_is_as_rough_as_its_class_and_vanishes():
    problem = problems.truck_surrogate("measured")
    p, t = problem.p, np.linspace(1.0, 5.0, 800, endpoint=False)  # two periods of the longest wave, without fading
    front = problem.functions["w"](t, p)[1]
    spectrum = np.abs(np.fft.rfft(front)) / len(t) * 2
    k = np.arange(1, surrogate_truck.HARMONICS + 1)
    density = p.roughness * (k / p.longest / 0.1) ** -2.0  # ISO 8608
    assert spectrum[2 * k] == pytest.approx(np.sqrt(2 * density / p.longest), rel=1e-9)
    assert front.std() == pytest.approx(np.linalg.norm(spectrum) / np.sqrt(2), rel=1e-9) and 0.01 < front.std() < 0.012
    assert not problem.functions["w"](np.array([8.0 + p.delay, 9.0]), p).any()


@pytest.mark.parametrize(
    ("name", "options"), [("truck", {}), ("truck_surrogate", {}), ("truck_surrogate", {"excitation": "measured"})]
)
def test_rates_of_the_road_are_derivatives_of_its_heights(name, options):
    problem = problems.get(name, **options)
    road, p = problem.functions["w"], problem.p
    h = 1e-6  # short, since roads may begin with a jump of their curvature
    for t in (0.0, 0.1, 0.2, 0.35, 0.6, 1.0, 3.0, 6.5):
        rates = (road(t + h, p)[:2] - road(t - h, p)[:2]) / (2 * h)
        assert road(t, p)[2:] == pytest.approx(rates, abs=1e-7)
    first, *_, last = sorted(problem.functions["breaks"])
    assert problem.name != "truck" or (first, last) == pytest.approx((2 / 15, 2 / 15 + 4.5 / 15))


def test_hump_is_as_high_as_published():
    p = problems.truck().p
    assert planar_truck.road(6.0 + 2 / 15, p)[1] == pytest.approx(0.116, abs=0.001)
    assert planar_truck.road(2 / 15, p) == pytest.approx(0.0, abs=1e-30)


@pytest.mark.parametrize("variant", ["joint", "unconstrained"])
def test_truck_forces_do_the_work_that_their_energy_says(variant):
    # Virtual work: without dampers and road, the power of the forces is the rate of the energy of springs and weights.
    problem = problems.truck(variant, "linear")
    p = problem.p
    for name in list(vars(p)):
        if name[0] == "d":
            setattr(p, name, 0.0)
    pairs = [("10", 10, 1), ("30", 30, 3), ("12", 1, 2), ("23", 3, 2), ("24", 2, 4), ("42", 2, 4), ("25", 2, 5)]
    points = {
        "10": ((0, 0), (0, 0)), "30": ((0, 0), (0, 0)), "12": ((0, 0), (p.a12, p.h1)), "23": ((0, 0), (p.a23, p.h1)),
        "24": ((p.a24, 0), (p.b24, 0)), "42": ((p.a42, 0), (p.b42, 0)), "25": ((p.a25, 0), (p.c25, 0)),
    }  # fmt: skip
    if variant == "unconstrained":
        pairs += [("1d", 2, 5), ("2d", 2, 5)]
        points |= {"1d": ((p.a52, 0), (p.c1d, 0)), "2d": ((p.a52, 0), (p.c2d, 0))}

    def potential(q):
        bodies = planar_truck.frames(q, np.zeros(9), np.zeros(4), p)
        z = np.array([p.m1, p.m2, 0, p.m3, p.m4, 0, 0, p.m5, 0])
        total = p.g * z @ q
        for name, i, j in pairs:
            P, Q = (
                np.array([bodies[k].x, bodies[k].z]) + planar_truck.arm(bodies[k], r)
                for k, r in zip((i, j), points[name], strict=True)
            )
            length = np.linalg.norm(Q - P)
            total += 0.5 * getattr(p, f"k{name}") * length**2 + getattr(p, f"f{name}") * length
        return total

    rng = np.random.default_rng(3)
    q, v = problem.q0 + 0.05 * rng.normal(size=9), rng.normal(size=9)
    f = problem.functions["f"](q=q, v=v, w=np.zeros(4), p=p)
    h = 1e-5
    assert v @ f == pytest.approx(-(potential(q + h * v) - potential(q - h * v)) / (2 * h), rel=1e-7)
