"""Beyond q̇ = v and M v̇ = f − Gᵀλ with G = ∂g/∂q: Euler parameters, rolling, scaled rows, friction, external states."""

import numpy as np
import pytest
from integrate.runs import GENERAL, errors, finer, fixed_steps, on_constraints

import dalembert as da
from dalembert.errors import SimulationError
from dalembert.integrate.methods.registry import METHODS
from dalembert.symbolic import absolute

TIGHT = {"rtol": 1e-10, "atol": 1e-12, "max_steps": 20000}


def euler_T(e):
    """ė = T ω for angular velocities in body axes."""
    e0, e1, e2, e3 = e
    return 0.5 * np.array([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])


def rotation(e):
    e0, e1, e2, e3 = e
    return np.array([
        [e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
        [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
        [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2],
    ])  # fmt: skip


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def gyroscopic(v, p):
    inertia = np.array([p.A * v[0], p.B * v[1], p.C * v[2]])
    return -cross(v, inertia)


def normalized(q):
    e = q[-4:]
    return np.array([*q[:-4], *(e / np.sqrt(e @ e))])


@pytest.fixture(scope="module")
def free_body():
    return da.trace(
        M=lambda p: np.diag([p.A, p.B, p.C]),
        f=gyroscopic,
        T=lambda q: euler_T(q),
        n_q=4,
        n_v=3,
        normalize=normalized,
        parameters={"A": 1.0, "B": 2.0, "C": 3.0},
        name="free body",
    )


@pytest.mark.parametrize("method", GENERAL)
@pytest.mark.parametrize("formalism", ["explicit", "contract"])
def test_free_rigid_body(free_body, method, formalism):
    """Angular momentum in space, energy and the norm of the Euler parameters stay; tumbling about the middle axis."""
    start = [1.0, 0.0, 0.0, 0.0], [0.01, 2.0, 0.01]
    run = da.simulate(free_body, (0, 10), start, method=method, formalism=formalism, **TIGHT)
    assert run.success and np.ptp(run.v[1]) > 3.9  # it has turned over
    inertia = np.diag([1.0, 2.0, 3.0])
    momenta = np.array([rotation(e) @ inertia @ w for e, w in zip(run.q.T, run.v.T, strict=True)])
    assert momenta == pytest.approx(np.broadcast_to(inertia @ start[1], momenta.shape), abs=2e-7)
    assert np.einsum("ik,ij,jk->k", run.v, inertia, run.v) == pytest.approx(8.0 + 4e-4, abs=1e-7)
    assert np.sum(run.q**2, axis=0) == pytest.approx(1.0, abs=1e-14)
    between = run.sol(np.linspace(0, 10, 33))
    assert np.sum(between.q**2, axis=0) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("method,steps", [("dopri5", 40), ("dop853", 4), ("radau", 20), ("radau9", 3)])
def test_order_with_euler_parameters(free_body, method, steps):
    start = [1.0, 0.0, 0.0, 0.0], [0.5, 2.0, 0.3]
    reference = da.simulate(free_body, (0, 2), start, rtol=1e-14, atol=1e-15)
    found = [
        errors(fixed_steps(free_body, method, start, (0, 2), n), reference, ("q", "v")) for n in (steps, 2 * steps)
    ]
    assert (np.log2(found[0] / found[1]) > METHODS[method].order - 0.5).all(), found


@pytest.mark.parametrize("method", GENERAL)
def test_heavy_top_with_constraints(method):
    """Top with fixed point, free in 6 velocities, 3 constraints: as the top in 3 velocities; steady precession."""
    m, l, A, C, g = 15.0, 1.0, 0.234375, 0.46875, 9.81
    arm = np.array([0.0, 0.0, l])
    parameters = {"A": A, "B": A, "C": C, "m": m, "l": l, "g": g}

    def held(q, p):
        return q[:3] - rotation(q[3:]) @ np.array([0.0, 0.0, p.l])

    def T(q):
        spatial = np.concatenate([np.eye(3), np.zeros((3, 3))], axis=1)
        return np.concatenate([spatial, np.concatenate([np.zeros((4, 3)), euler_T(q[3:])], axis=1)])

    absolute_top = da.trace(
        M=lambda p: np.diag([p.m, p.m, p.m, p.A, p.B, p.C]),
        f=lambda v, p: np.array([0.0, 0.0, -p.m * p.g, *gyroscopic(v[3:], p)]),
        g=held, T=T, n_q=7, n_v=6, normalize=normalized, parameters=parameters, name="heavy top",
    )  # fmt: skip
    A0 = A + m * l**2
    fixed_point = da.trace(
        M=lambda p: np.diag([p.A, p.B, p.C]),
        f=lambda q, v, p: gyroscopic(v, p) + cross(arm, rotation(q).T @ np.array([0.0, 0.0, -p.m * p.g])),
        T=lambda q: euler_T(q), n_q=4, n_v=3, normalize=normalized,
        parameters={"A": A0, "B": A0, "C": C, "m": m, "g": g}, name="top",
    )  # fmt: skip
    e, w = np.array([np.cos(0.3), np.sin(0.3), 0.0, 0.0]), np.array([0.0, 4.6, 150.0])
    start = np.concatenate([rotation(e) @ arm, e]), np.concatenate([rotation(e) @ np.cross(w, arm), w])
    run = da.simulate(absolute_top, (0, 0.5), start, method=method, **TIGHT)
    other = da.simulate(fixed_point, (0, 0.5), (e, w), **TIGHT)
    assert run.success and on_constraints(absolute_top, run)
    assert run.q[3:, -1] == pytest.approx(other.q[:, -1], abs=1e-7) and run.v[3:, -1] == pytest.approx(
        other.v[:, -1], abs=1e-5
    )
    # The reaction carries the weight and accelerates the centre: m r̈ = m g − λ with G = [1, …].
    expected = m * (np.array([0, 0, -g]) - run.a[:3, -1])
    assert run.lam[:, -1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
@pytest.mark.parametrize("method", GENERAL)
def test_skate_on_an_inclined_plane(method, formalism):
    """The classical nonholonomic example, a spinning knife edge: ẋ sinφ − ẏ cosφ = 0. Neimark, Fufaev."""
    eqs = da.trace(
        M=lambda: np.eye(3),
        f=lambda p: np.array([p.g * np.sin(p.slope), 0.0, 0.0]),
        nonholonomic=lambda q, v: np.array([v[0] * np.sin(q[2]) - v[1] * np.cos(q[2])]),
        n_q=3,
        parameters={"g": 9.81, "slope": 0.5},
        name="skate",
    )
    w, force = 2.0, 9.81 * np.sin(0.5)
    tight = {**TIGHT, "rtol": finer(method, TIGHT["rtol"])}
    run = da.simulate(eqs, (0, 5), ([0.0] * 3, [0.0, 0.0, w]), method=method, formalism=formalism, **tight)
    t = run.t
    assert run.q[0] == pytest.approx(force / (2 * w**2) * np.sin(w * t) ** 2, abs=1e-8)
    assert run.q[1] == pytest.approx(force / (2 * w**2) * (w * t - 0.5 * np.sin(2 * w * t)), abs=1e-8)
    assert run.lam[0] == pytest.approx(2 * force * np.sin(w * t), abs=1e-7)
    assert on_constraints(eqs, run)


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
@pytest.mark.parametrize("method", GENERAL)
def test_holonomic_and_nonholonomic_constraints_together(method, formalism):
    """A disk rolling upright in a circle at constant height: radius, forces and speed are known."""
    eqs = da.trace(
        M=lambda p: np.diag([p.m, p.m, p.m, 0.25 * p.m, 0.5 * p.m]),
        f=lambda p: np.array([0.0, 0.0, -9.81 * p.m, 0.0, 0.0]),
        g=lambda q: np.array([q[2] - 1.0]),
        nonholonomic=lambda q, v: np.array([v[0] - v[4] * np.cos(q[3]), v[1] - v[4] * np.sin(q[3])]),
        n_q=5, parameters={"m": 2.0}, names={"q": ["x", "y", "z", "heading", "roll"]}, name="disk",
    )  # fmt: skip
    turn, roll = 0.7, 3.0
    run = da.simulate(
        eqs, (0, 4), ([0, 0, 1, 0, 0], [roll, 0, 0, turn, roll]), method=method, formalism=formalism, **TIGHT
    )
    assert run.q[0] == pytest.approx(roll / turn * np.sin(turn * run.t), abs=1e-8)
    assert run.q[1] == pytest.approx(roll / turn * (1 - np.cos(turn * run.t)), abs=1e-8)
    assert run.lam[0] == pytest.approx(-9.81 * 2.0) and on_constraints(eqs, run)
    assert run.lam[1] == pytest.approx(2 * roll * turn * np.sin(turn * run.t), abs=1e-6)


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
@pytest.mark.parametrize("method", GENERAL)
def test_constraint_matrix_of_the_users_own(method, formalism):
    """Rows of G scaled against ∂g/∂q: the motion stays, multipliers change by the inverse."""
    factor = 5.0
    common = {
        "M": lambda: np.eye(2),
        "f": lambda: np.array([0.0, -1.0]),
        "g": lambda q: np.array([0.5 * (q @ q - 1.0)]),
        "n_q": 2,
    }
    plain = da.trace(**common, name="plain")
    scaled = da.trace(
        **common, G=lambda q: factor * np.array([[q[0], q[1]]]), gI=lambda: np.array([0.0]), name="scaled"
    )
    assert plain.C_is_G and not scaled.C_is_G
    start = [1.0, 0.0], [0.0, 1.0]
    one, other = (
        da.simulate(eqs, (0, 3), start, method=method, formalism=formalism, **TIGHT) for eqs in (plain, scaled)
    )
    assert other.q[:, -1] == pytest.approx(one.q[:, -1], abs=1e-8)
    assert factor * other.lam[:, -1] == pytest.approx(one.lam[:, -1], abs=1e-7)
    assert on_constraints(scaled, other)


def cable_drum(force="linear"):
    """Cable drum with dry friction: q = (y1, x2, y2, α2), from the MEXX report."""

    def f(v, lam, p):
        normal = -absolute(lam[1]) if force == "absolute" else lam[1]
        return np.array([-p.m1 * p.g - p.c * v[0], -p.mu * normal, -p.m2 * p.g, -p.mu * p.r2 * normal])

    return da.trace(
        M=lambda p: np.diag([p.m1, p.m2, p.m2, p.I2]),
        f=f,
        g=lambda q, p: np.array([q[1], q[2] - p.r2, q[0] - q[2] - q[3] * p.r1]),
        n_q=4,
        parameters={"m1": 10.0, "m2": 1.0, "I2": 1.0, "r1": 1.0, "r2": 1.0, "g": 1.0, "c": 1.0, "mu": 0.25},
        names={"q": ["y1", "x2", "y2", "alpha2"]},
        name=f"cable drum, {force}",
    )


@pytest.mark.parametrize("force,formalism", [("linear", "explicit"), ("linear", "contract"), ("absolute", "contract")])
@pytest.mark.parametrize("method", GENERAL)
def test_friction(method, force, formalism):
    eqs = cable_drum(force)
    start = [0.0, 0.0, 1.0, -1.0], np.zeros(4)
    run = da.simulate(eqs, (0, 4), start, method=method, formalism=formalism, **TIGHT)
    t = run.t
    assert run.v[0] == pytest.approx(-29 / 3 * (1 - np.exp(-3 * t / 34)), abs=1e-9)
    assert run.q[0] == pytest.approx(-29 / 3 * t + 29 / 3 * 34 / 3 * (1 - np.exp(-3 * t / 34)), abs=1e-9)
    lam3 = (-10 - run.v[0] - 10 * 0.25) / (1 + 10 - 2.5)
    assert run.lam[2] == pytest.approx(lam3, abs=1e-9) and run.lam[1] == pytest.approx(lam3 - 1, abs=1e-9)
    assert run.lam[0] == pytest.approx(-0.25 * run.lam[1], abs=1e-9)
    assert run.sol(2.2).lam[2] == pytest.approx(np.interp(2.2, t, lam3), abs=1e-2)


def test_forces_nonlinear_in_multipliers_have_no_explicit_form():
    eqs = cable_drum("absolute")
    with pytest.raises(SimulationError, match="not linear in the multipliers"):
        da.simulate(eqs, (0, 1), ([0.0, 0.0, 1.0, -1.0], np.zeros(4)), formalism="explicit")


@pytest.mark.parametrize("formalism", ["explicit", "contract"])
@pytest.mark.parametrize("method", GENERAL)
def test_external_states(method, formalism):
    """A motor current drives a pendulum's angle: u̇ = (−u + sin t)/τ, and a measured reaction is low-pass filtered."""
    eqs = da.trace(
        M=lambda: np.eye(2),
        f=lambda u: np.array([u[0], -1.0]),
        g=lambda q: np.array([q[1] - 0.2 * q[0]]),
        d=lambda t, u, lam, p: np.array([(np.sin(t) - u[0]) / p.tau, (lam[0] - u[1]) / p.tau]),
        n_q=2, n_u=2, parameters={"tau": 0.1}, names={"u": ["current", "filtered"]}, name="driven",
    )  # fmt: skip
    run = da.simulate(eqs, (0, 3), ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0]), method=method, formalism=formalism, **TIGHT)
    # On the slope: (1 + s²) ẍ = u − s, λ = −1 − s ẍ, s = 0.2; the current is a first-order lag of the sine.
    tau, t = 0.1, run.t
    current = (np.sin(t) - tau * np.cos(t) + tau * np.exp(-t / tau)) / (1 + tau**2)
    assert run.u[0] == pytest.approx(current, abs=1e-8) and run["current"] is not None
    a = (current - 0.2) / 1.04
    assert run.a[0] == pytest.approx(a, abs=1e-7) and run.lam[0] == pytest.approx(-1 - 0.2 * a, abs=1e-7)
    assert abs(run.u[1, -1] - run.lam[0, -1]) < 0.05


@pytest.mark.parametrize("method", GENERAL)
def test_massless_coordinate(method):
    """M is singular where a constraint holds: a massless point between a spring and a mass on a rod."""
    eqs = da.trace(
        M=lambda: np.diag([1.0, 0.0]),
        f=lambda q: np.array([0.0, -4.0 * q[1]]),
        g=lambda q: np.array([q[0] - q[1] - 1.0]),
        n_q=2,
        name="massless",
    )
    run = da.simulate(eqs, (0, 3), ([1.5, 0.5], [0.0, 0.0]), method=method, **TIGHT)
    assert run.q[1] == pytest.approx(0.5 * np.cos(2 * run.t), abs=1e-8)
    assert run.lam[0] == pytest.approx(2.0 * np.cos(2 * run.t), abs=1e-7)
