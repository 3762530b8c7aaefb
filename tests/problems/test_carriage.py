"""The railway carriage: structure of its Newton matrix, mechanics of its elements, and how it runs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems.plain import Plain
from scripts import load

import dalembert as da
from dalembert.problems import railway_carriage as rail

N = len(rail.COORDINATES)
BLOCKS = {"car": range(5), **{body: range(start, start + 6) for body, (start, _) in rail.PLACES.items()}}
BODIES = tuple(BLOCKS)
P = da.problems.carriage().p


@pytest.fixture(scope="module")
def problem():
    return da.problems.carriage()


@pytest.fixture(scope="module")
def structure():
    return load("benchmarks/_corrector_structure.py")


def coordinates(size=1.0):
    """Six coordinates of a body, and their rates."""
    return st.lists(st.floats(-size, size), min_size=6, max_size=6).map(np.array)


def elements_of(name):
    return [(where, own) for group, where, own in rail.instances(P) if group.name == name]


# --------------------------------------------------------------------------------------------------------- structure


def test_newton_matrix_has_the_published_structure(problem, structure):
    rows, columns = structure.newton_pattern(problem.equations)
    assert (rows.max() + 1, columns.max() + 1, len(rows)) == (98, 98, 1620)
    assert structure.longest_row(rows, columns) == 46
    groups = structure.column_groups(rows, columns, (98, 98))
    assert groups.max() + 1 == 46 and structure.consistent(groups, rows, columns)
    assert all(structure.allowed(rows, columns, group) for group in structure.PRINTED)
    # "typical": columns of different bogies never go together, as both stand in the rows of the car
    front, rear = range(6, 12), range(24, 30)
    assert not any(structure.allowed(rows, columns, pair) for pair in itertools.product(front, rear))


def test_forces_of_both_sides_cancel_in_one_program_for_all(problem, structure):
    """The sum of two springs at the ends of an axle does not depend on how the axle is turned, nor do dampers."""
    declared, found = (
        set(zip(*(part.tolist() for part in structure.newton_pattern(equations)), strict=True))
        for equations in (problem.equations, da.problems.carriage("functions").equations)
    )
    # forces on bogies by the turning of their wheelsets and of themselves the other way, moments by displacements
    assert found < declared and len(found) == 1452
    rows, columns = np.array(sorted(found)).T
    assert structure.longest_row(rows, columns) == structure.column_groups(rows, columns, (98, 98)).max() + 1 == 46


def test_bodies_that_are_connected_have_full_blocks(problem, structure):
    rows, columns = structure.newton_pattern(problem.equations)
    matrix = np.zeros((98, 98), dtype=bool)
    matrix[rows, columns] = True
    carried = {"bogie1": ("wheelset1", "wheelset2"), "bogie2": ("wheelset3", "wheelset4")}
    pairs = {("car", bogie) for bogie in carried} | {(b, w) for b, pair in carried.items() for w in pair}
    for one, other in itertools.product(BODIES, BODIES):
        connected = one == other or (one, other) in pairs or (other, one) in pairs
        for first in (0, N):  # by coordinates, by velocities
            block = matrix[np.ix_(N + np.array(BLOCKS[one]), first + np.array(BLOCKS[other]))]
            assert block.all() if connected else not block.any()


def test_both_builders_give_the_same_equations(problem):
    other = da.problems.carriage("functions")
    rng = np.random.default_rng(3)
    q, v, a = 1e-2 * rng.normal(size=N), rng.normal(size=N), rng.normal(size=N)
    lam, mu = 5e4 * (1 + 0.1 * rng.normal(size=8)), rng.normal(size=8)
    found = []
    for equations in (problem.equations, other.equations):
        values = equations.evaluate("M", "f", "g", "G", "gamma", "F", t=4.0, q=q, v=v, lam=lam)
        program = equations.program("implicit")
        p = np.concatenate([np.ravel(value) for value in equations.parameters.values()])
        point = {"p": p, "t": [4.0], "q": q, "v": v, "lam": lam, "a": a, "mu": mu}
        jacobian = program.patterns["jacobian"].dense(program(["jacobian"], point)["jacobian"])
        found.append([*values, jacobian])
    for ours, theirs in zip(*found, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-13 * np.abs(theirs).max())


def test_derivatives_are_those_of_the_functions(problem):
    """The exact Jacobian against complex steps, in the S where stops and a flange are in contact."""
    reference, plain = problem.reference(5.0), Plain(problem)
    t, q, v, lam, h = 5.0, reference.q, reference.v, reference.lam, 1e-30
    equations = problem.equations
    program = equations.program("implicit")
    p = np.concatenate([np.ravel(value) for value in equations.parameters.values()])
    point = {"p": p, "t": [t], "q": q, "v": v, "lam": lam, "a": 0 * v, "mu": 0 * lam}
    J = program.patterns["jacobian"].dense(program(["jacobian"], point)["jacobian"])[N : 2 * N]
    by_v, by_lam = (
        np.column_stack([np.imag(rail.f(t, q, v + x, lam + y, P)) / h for x, y in steps])
        for steps in (
            [(1j * h * e, 0.0) for e in np.eye(N)],
            [(0.0, 1j * h * e) for e in np.eye(8)],
        )
    )
    size = np.abs(J).max()
    assert -J[:, N : 2 * N] == pytest.approx(by_v, abs=1e-11 * size)
    assert J[:, 3 * N : 3 * N + 8] == pytest.approx(plain.G(t, q).T - by_lam, abs=1e-12)
    assert np.abs(by_lam).max() > 0.01  # forces depend on reactions
    # by coordinates: forces and Gᵀλ
    step = 1e-6
    for j in (0, 4, 6, 11, 16, 33):
        ends = [
            plain.f(t, x, v, lam) - plain.G(t, x).T @ lam for x in (q - step * np.eye(N)[j], q + step * np.eye(N)[j])
        ]
        column = (ends[1] - ends[0]) / (2 * step)
        assert -J[:, j] == pytest.approx(column, abs=1e-6 * np.abs(column).max())


def test_entries_appear_when_a_stop_is_reached(problem):
    """Symmetric suspensions do not turn a bogie when the car moves across; the stop beside the pivot does."""
    equations = problem.equations
    program = equations.program("implicit")
    p = np.concatenate([np.ravel(value) for value in equations.parameters.values()])

    def entry(car_y):
        q = np.zeros(N)
        q[0] = car_y
        point = {"p": p, "t": [0.0], "q": q, "v": 0 * q, "lam": np.full(8, 5e4), "a": 0 * q, "mu": np.zeros(8)}
        return program.patterns["jacobian"].dense(program(["jacobian"], point)["jacobian"])[N + 10, 0]

    assert abs(entry(0.0)) < 1e-6 and abs(entry(0.02)) < 1e-6
    assert entry(0.03) == pytest.approx(2 * 4e8 * 0.005 * 0.4, rel=1e-9)  # stop_k, beyond the gap, stop_at


# --------------------------------------------------------------------------------------------------------- mechanics


@given(coordinates(), coordinates())
def test_axes_of_a_body_turn_with_its_angular_velocity(q, v):
    h = 1e-30
    body, ahead = rail.pose(0.0, 0.0, q, v), rail.pose(0.0, 0.0, q + 1j * h * v, v)
    assert ahead.A.imag / h == pytest.approx(np.cross(body.omega, body.A.T).T, abs=1e-12)
    assert body.A.T @ body.A == pytest.approx(np.eye(3), abs=1e-14)


@pytest.mark.parametrize("body", ["car", "bogie", "wheelset"])
@given(q=coordinates(), v=coordinates())
def test_inertia_forces_are_those_of_the_kinetic_energy(body, q, v):
    """Lagrange's equations by complex steps and differences; a wheelset rolls besides."""
    p = P
    moments = np.array([getattr(p, f"{body}_{key}") for key in ("roll", "pitch", "yaw")])
    rolling = np.array([0.0, p.speed / p.r0 if body == "wheelset" else 0.0, 0.0])
    n = 5 if body == "car" else 6
    q, v, h = q[-n:], v[-n:], 1e-30

    def energy(q, v):
        lead = np.zeros(6 - n)
        placed = rail.pose(0.0, 0.0, np.concatenate([lead, q]), np.concatenate([lead, v]))
        omega = placed.A.T @ placed.omega + rolling
        return 0.5 * getattr(p, f"{body}_mass") * (placed.v @ placed.v) + 0.5 * (moments * omega) @ omega

    def momentum(q, v):
        return np.array([energy(q, v + 1j * h * e).imag / h for e in np.eye(n)])

    step = 1e-4
    size = moments.max() * (1.0 + rolling.max())
    M = rail.masses_of(body)(q, p)
    assert M @ v == pytest.approx(momentum(q, v) - momentum(q, 0 * v), abs=1e-11 * size)
    by_q = np.array([energy(q + 1j * h * e, v).imag / h for e in np.eye(n)])
    along = (momentum(q - 2 * step * v, v) - 8 * momentum(q - step * v, v)
             + 8 * momentum(q + step * v, v) - momentum(q + 2 * step * v, v)) / (12 * step)  # fmt: skip
    weight = np.zeros(n)
    weight[n - 4] = -getattr(p, f"{body}_mass") * p.g
    assert rail.weight_of(body)(q, v, p) == pytest.approx(by_q - along + weight, abs=1e-9 * size)


SPRINGS = {"secondary": rail.secondary, "primary": rail.primary, "pivot": rail.pivot}


@pytest.mark.parametrize("name", SPRINGS)
@given(data=st.data())
def test_suspensions_have_a_potential_and_take_energy_away(name, data):
    where, own = data.draw(st.sampled_from(elements_of(name)))
    n, force, h = len(where), SPRINGS[name], 1e-30
    numbers = st.lists(st.floats(-1.0, 1.0), min_size=n, max_size=n).map(np.array)
    q, v = 0.1 * data.draw(numbers), data.draw(numbers)
    K = np.column_stack([force(q + 1j * h * e, 0 * v, own).imag / h for e in np.eye(n)])
    assert pytest.approx(K.T, abs=1e-11 * np.abs(K).max()) == K  # so forces are the gradient of something
    C = np.column_stack([force(q, e, own) - force(q, 0 * v, own) for e in np.eye(n)])
    assert pytest.approx(C.T, abs=1e-11 * np.abs(C).max()) == C
    assert np.linalg.eigvalsh(C).max() <= 1e-11 * np.abs(C).max()
    assert force(q, v, own) - force(q, 0 * v, own) == pytest.approx(C @ v, abs=1e-9 * np.abs(C).max())


def test_suspensions_have_the_stiffness_of_the_table():
    h, p = 1e-30, P
    for name, k in (("secondary", p.secondary_k), ("primary", p.primary_k)):
        for where, own in elements_of(name):
            lower = np.eye(len(where))[-6:-3]
            still = np.zeros(len(where))
            K = [-SPRINGS[name](still + 1j * h * e, still, own)[-6:-3].imag / h for e in lower]
            assert np.array(K) == pytest.approx(np.diag(k), abs=1e-6)


def test_wheels_carry_the_weight_and_nothing_moves_at_the_start(problem):
    start, p = problem.equations.assemble(q=problem.q0, v=problem.v0), problem.p
    weight = (p.car_mass + 2 * p.bogie_mass + 4 * p.wheelset_mass) * p.g
    assert start.lam == pytest.approx(np.full(8, weight / 8), rel=1e-12)
    assert np.abs(start.a).max() < 1e-11


@given(y=st.floats(1e-6, 5e-3), side=st.sampled_from([-1.0, 1.0]))
def test_wheelset_rolls_without_slip_along_the_wave_of_klingel(y, side):
    """A cone that is y beside the middle turns with the rate −V conicity y/(e r0) of its yaw."""
    (_, own), h = elements_of("rails")[0], 1e-30
    q, v = np.array([0.0, side * y, 0.0, 0.0, 0.0, 0.0]), np.zeros(6)
    for _ in range(6):  # height and roll that put it on the rails
        by_z, by_roll = (rail.wheels(0.0, q + 1j * h * e, own).imag / h for e in np.eye(6)[[2, 3]])
        q[[2, 3]] -= np.linalg.solve(np.column_stack([by_z, by_roll]), rail.wheels(0.0, q, own))
    assert np.abs(rail.wheels(0.0, q, own)).max() < 1e-15
    assert q[3] == pytest.approx(P.conicity * q[1] / P.half_gauge, rel=0.1)
    v[5] = -P.speed * P.conicity * (q[1] + P.r0 * q[3]) / (P.half_gauge * P.r0)  # roll moves the cones on the rails
    slips = np.array([slip for *_, slip in rail.creepage(0.0, q, v, own)])
    assert np.abs(slips).max() < 0.01 * P.speed * P.conicity * y / P.r0


@pytest.mark.parametrize("slope", [0.0, 0.06, -0.4])
def test_wheelset_fits_a_track_that_runs_aslant(monkeypatch, slope):
    """Rails parallel to the middle: a wheelset in their direction sits on them as on a straight track, and rolls."""
    monkeypatch.setattr(rail, "track", lambda along, p: (0.3 + slope * along, slope))
    (_, own), p = elements_of("rails")[1], P
    t, angle = 0.7, np.arctan(slope)
    q, v = np.zeros(6), np.zeros(6)
    q[1], q[5] = 0.3 + slope * (p.speed * t + own.x), angle
    v[1], v[4] = slope * p.speed, p.speed / p.r0 * (1 / np.cos(angle) - 1)
    assert rail.wheels(t, q, own) == pytest.approx(0.0, abs=1e-14)
    body = rail.pose(own.x, p.r0, q, v)
    assert [rail.contact(t, body, side, own)[1] for side in (1.0, -1.0)] == pytest.approx([0.0, 0.0], abs=1e-14)
    slips = np.array([slip for *_, slip in rail.creepage(t, q, v, own)])
    assert slips == pytest.approx(0.0, abs=1e-12)


@given(v=coordinates(), loads=st.tuples(st.floats(1e3, 1e5), st.floats(1e3, 1e5)))
def test_creep_forces_brake_are_linear_for_small_slip_and_bounded(v, loads):
    (_, own), p = elements_of("rails")[0], P
    q, lam = np.array([0.0, 2e-3, 0.0, 1e-3, 0.2, 0.01]), np.array(loads)
    for size in (1.0, 1e-5):
        for k, (arm, ahead, across, slips) in enumerate(rail.creepage(0.0, q, size * v, own)):
            one = np.where(np.arange(2) == k, lam, 0.0)  # a wheel without load has no grip, but 1 N of friction
            force = rail.creep(0.0, q, size * v, one, own)[:3]
            along = np.array([ahead @ force, across @ force])
            assert np.linalg.norm(along) <= p.mu * (lam[k] + 1.0) * (1 + 1e-12)
            assert along @ slips <= p.mu * np.abs(slips).sum()
            linear = -np.array([p.creep_x, p.creep_y]) * slips / p.speed
            if np.linalg.norm(linear) < 0.01 * p.mu * lam[k]:
                assert along == pytest.approx(linear, abs=0.02 * np.linalg.norm(linear) + 2 * p.mu)
            assert np.isfinite(arm).all()


@pytest.mark.parametrize("at", ["clearance", "flange"])
def test_profile_and_track_have_continuous_curvature(at):
    p, h = P, 1e-6
    edge = p.clearance + (p.flange_width if at == "flange" else 0.0)
    values = [rail.radius(edge + side * h * np.array([0.0, 1.0, 2.0]), p) for side in (-1.0, 1.0)]
    slopes, curvatures = zip(
        *(
            ((-3 * a + 4 * b - c) / (2 * h) * s, (a - 2 * b + c) / h**2)
            for (a, b, c), s in zip(values, (-1, 1), strict=True)
        ),
        strict=True,
    )
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-5)
    assert np.abs(curvatures).max() < 0.01 * p.flange_slope / p.flange_width  # it vanishes at both ends
    along, h = p.s_begin + (p.s_length if at == "flange" else 0.0), 1e-3
    assert rail.track(along, p)[0] == pytest.approx(p.s_across if at == "flange" else 0.0, abs=1e-12)
    for s in (along - h, along + h, p.s_begin + 0.3 * p.s_length):
        ends = [rail.track(x, p)[0] for x in (s - h, s + h)]
        assert (ends[1] - ends[0]) / (2 * h) == pytest.approx(rail.track(s, p)[1], abs=1e-9)


# --------------------------------------------------------------------------------------------------------------- runs


@pytest.fixture(scope="module")
def run(problem):
    return da.simulate(problem, method="radau", rtol=1e-6, atol=1e-8)


def displacements(run, times):
    """Of rails seen by wheels (δ), and of the car seen by bogies beside the pivots, across; at some instants."""
    found = {"rails": [], "pivot": []}
    for t, q in zip(times, run.sol(times).q.T, strict=True):
        for where, own in elements_of("rails"):
            body = rail.pose(own.x, own.r0, q[where], np.zeros(6))
            found["rails"] += [rail.contact(t, body, side, own)[1] for side in (1.0, -1.0)]
        for where, own in elements_of("pivot"):
            car = rail.car_pose(q[where[:5]], np.zeros(5), own)
            bogie = rail.pose(own.x, own.bogie_height, q[where[5:]], np.zeros(6))
            seen = car.A.T @ (bogie.r + bogie.A @ [own.inward * own.stop_at, 0.0, 0.3] - car.r)
            found["pivot"].append(seen[1])
    return {name: np.array(values) for name, values in found.items()}


def test_carriage_changes_over_to_the_other_line(problem, run):
    assert run.success
    p, across = P, [name for name in rail.COORDINATES if name.endswith(".y")]
    ends = np.array([run[name][-1] for name in across])
    assert ends == pytest.approx(np.full(7, p.s_across), abs=5e-3)
    assert ends[1:] == pytest.approx(np.full(6, p.s_across), abs=1e-4)
    assert run["bogie1.yaw"].max() == pytest.approx(15 / 8 * p.s_across / p.s_length, rel=0.1)  # the S at its steepest
    # On the straight track before the S nothing moves; afterwards the car comes to rest.
    before = run.sol(np.linspace(0.0, (p.s_begin - 12.0) / p.speed, 9))
    assert np.abs(before.q).max() < 1e-12
    assert np.abs(run.v[:, -1]).max() < 0.02


def test_wheels_stay_on_the_rails_with_stops_and_flanges_in_contact(problem, run):
    weight = 54546.0525
    assert run.lam.min() > 0.5 * weight and run.lam.max() < 1.5 * weight
    assert run.lam.sum(axis=0) == pytest.approx(np.full(run.t.size, 8 * weight), rel=0.01)
    found = displacements(run, np.linspace(2.0, 10.0, 161))
    assert problem.p.clearance + 1e-3 < found["rails"].max() < problem.p.clearance + problem.p.flange_width
    assert np.abs(found["pivot"]).max() > problem.p.stop_gap + 2e-3


def test_two_methods_meet_the_references(problem, run):
    explicit = da.simulate(problem.equations, (0, 5), problem.start, method="dop853", rtol=1e-7, atol=1e-9)
    radau = run.sol(5.0)
    reference = problem.reference(5.0)
    for q, v, lam in (
        (explicit.q[:, -1], explicit.v[:, -1], explicit.lam[:, -1]),
        (radau.q, radau.v, radau.lam),
    ):
        assert q == pytest.approx(reference.q, abs=1e-7) and v == pytest.approx(reference.v, abs=5e-6)
        assert lam == pytest.approx(reference.lam, rel=1e-7)
    end = problem.reference(15.0)
    assert run.q[:, -1] == pytest.approx(end.q, abs=1e-7) and run.v[:, -1] == pytest.approx(end.v, abs=1e-6)


@pytest.mark.parametrize("jacobian", ["exact", "grouped"])
def test_tolerances_that_were_published(problem, jacobian):
    run = da.simulate(problem, method=da.Radau(jacobian=jacobian), rtol=1e-4, atol=1e-4)
    end = problem.reference()
    assert run.success and run.lam.min() > 0
    assert run.q[:, -1] == pytest.approx(end.q, abs=2e-3) and run.v[:, -1] == pytest.approx(end.v, abs=1e-2)
