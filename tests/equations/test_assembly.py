"""Starts of motions: loops are closed, what is held stays, and what is wrong is named."""

from __future__ import annotations

import numpy as np
import pytest
from equations.systems import Rolling, four_bar, kkt, parallelogram, parallelogram_start
from hypothesis import given, settings
from hypothesis import strategies as st

import dalembert as da
from dalembert.equations.contract.rank import dependent_rows
from dalembert.errors import ConstraintError, EquationsError, StateError
from dalembert.symbolic import arctan2

FOUR_BAR, PARALLELOGRAM = four_bar(), parallelogram()
#: Near enough to tell how the loop is to be closed, no more.
ROUGH = [0.3, 0.4, 0.9, 1.5, 1.2, 0.2, 2.3, 0.7, 1.9]


def consistent(equations, state, t=0.0, parameters=None):
    names = ("g", "G", "gI", "gamma", "M", "f")
    values = {"t": t, "q": state.q, "v": state.v, "u": state.u, "lam": state.lam, "parameters": parameters}
    g, G, gI, gamma, M, f = equations.evaluate(*names, **values)
    assert np.max(np.abs(g), initial=0.0) < 1e-12 and np.max(np.abs(G @ state.v + gI), initial=0.0) < 1e-12
    size = max(1.0, np.max(np.abs(f)))
    assert np.max(np.abs(M @ state.a - f + G.T @ state.lam)) < 1e-11 * size
    assert np.max(np.abs(G @ state.a - gamma), initial=0.0) < 1e-11 * max(1.0, np.max(np.abs(gamma), initial=0.0))


@settings(max_examples=30)
@given(st.floats(0.2, 1.4), st.floats(-5, 5))
def test_loops_are_closed_from_a_rough_guess(phi, rate):
    start = FOUR_BAR.assemble([*ROUGH[:2], phi, *ROUGH[3:]], [0, 0, rate, *[0] * 6], held=["phi_crank"])
    assert start.q[2] == phi and start.v[2] == rate  # to the bit
    consistent(FOUR_BAR, start)
    # By the law of cosines: the distance from B to the ground hinge D, then both triangles.
    B = np.array([np.cos(phi), np.sin(phi)])
    C = start.q[6:8] + 0.75 * np.array([np.cos(start.q[8]), np.sin(start.q[8])])
    assert np.linalg.norm(C - B) == pytest.approx(2.0, abs=1e-12)
    assert np.linalg.norm(C - [2.2, 0]) == pytest.approx(1.5, abs=1e-12)


def test_without_held_coordinates_they_move_as_little_as_needed():
    """Measured by M: the correction is of the form M⁻¹ Gᵀ μ to first order."""
    start = FOUR_BAR.assemble(ROUGH, held=["phi_crank"])
    near = start.q + 1e-5 * np.sin(np.arange(9))
    again = FOUR_BAR.assemble(near)
    M, G = FOUR_BAR.evaluate("M", "G", q=start.q)
    expected, _ = kkt(M, G, np.zeros(9), -G @ (near - start.q))
    assert again.q - near == pytest.approx(expected, abs=1e-9)
    v = np.arange(9.0)
    expected, _ = kkt(M, G, np.zeros(9), -G @ v)
    assert FOUR_BAR.assemble(start.q, v).v - v == pytest.approx(expected, abs=1e-11)


def test_held_coordinates_may_be_numbers_and_a_good_start_stays():
    start = FOUR_BAR.assemble(ROUGH, held=[2])
    again = FOUR_BAR.assemble(start.q, start.v, held=["phi_crank"])
    assert again.q == pytest.approx(start.q, abs=1e-15) and np.array_equal(again.v, start.v)
    assert again.t == 0.0 and again.u.size == 0


@pytest.mark.parametrize(
    ("q", "held", "words"),
    [
        (ROUGH, ["phi_krank"], "has no q 'phi_krank'; did you mean 'phi_crank'"),
        (ROUGH, [9], r"there is no q\[9\]; there are 9"),
        (ROUGH[:8], [], "q must have 9 entries, got 8"),
    ],
)
def test_starts_that_do_not_fit_are_refused(q, held, words):
    with pytest.raises(StateError, match=words):
        FOUR_BAR.assemble(q, held=held)


def test_a_single_name_is_no_list_of_names():
    """A string is a sequence of letters; here it is one name."""
    start = FOUR_BAR.assemble(ROUGH, held="phi_crank")
    assert start.q[2] == ROUGH[2]


def test_an_unknown_way_to_treat_redundant_constraints_is_refused():
    with pytest.raises(EquationsError, match="redundant must be 'refuse' or 'accept', got 'acept'"):
        FOUR_BAR.assemble(ROUGH, held=[2], redundant="acept")


# ---------------------------------------------------------------------------------------- velocities that are no rates


@pytest.mark.parametrize("held", ["q0", "q2", "q3"])
def test_coordinates_are_held_where_velocities_are_not_their_rates(held):
    equations = Rolling.equations()
    q, v, u = [0.8, 0.5, 0.3, 0.2], [1.0, 2.0, 3.0], [0.3, -0.2]
    start = equations.assemble(q, v, u, held=[held])
    i = int(held[1])
    assert start.q[i] == q[i]  # to the bit
    consistent(equations, start)
    rate = equations.evaluate("T", q=start.q)[i]
    assert rate @ start.v == pytest.approx(rate @ np.array(v), abs=1e-12)
    free = equations.assemble(q, v, u)
    assert free.q[i] != q[i]
    # One velocity and no rate: the position as before.
    other = equations.assemble(q, v, u, held=[held], held_velocities=["v2"])
    assert other.v[2] == 3.0 and other.q == pytest.approx(start.q)
    consistent(equations, other)


def hinge():
    """A body that turns about z, with Euler parameters and an angle that is read off from them and counts turns."""

    def T(q):
        w, x, y, z = q[:4]
        rates = 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
        return np.concatenate([rates, [[0.0, 0.0, 1.0]]])

    def normalize(q):
        w, x, y, z = p = q[:4] / np.sqrt(q[:4] @ q[:4])
        ahead = arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)) - q[4]
        return np.array([*p, q[4] + arctan2(np.sin(ahead), np.cos(ahead))])

    return da.trace(
        M=lambda: np.diag([1.0, 2.0, 3.0]), f=lambda q: np.array([0, 0, -np.sin(q[4])]), T=T, normalize=normalize,
        g=lambda q: np.array([q[1] * q[3] - q[0] * q[2], q[2] * q[3] + q[0] * q[1]]), n_q=5, n_v=3,
        names={"q": ["p0", "p1", "p2", "p3", "angle"], "v": ["wx", "wy", "wz"], "lam": ["tilt x", "tilt y"]},
        name="hinge",
    )  # fmt: skip


@pytest.mark.parametrize("angle", [0.7, -2.5, 2 * np.pi + 0.7, -20.0])
def test_angles_that_are_read_off_can_be_held_and_count_turns(angle):
    equations = hinge()
    start = equations.assemble({"p0": 2.0, "p1": 0.2, "angle": angle}, {"angle.rate": 3.0}, held=["angle"])
    assert start.q[4] == angle and start.v == pytest.approx([0, 0, 3], abs=1e-12)
    turn = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    assert abs(start.q[:4] @ turn) == pytest.approx(1, abs=1e-12)
    # In the same way without a velocity of that name.
    start = equations.assemble(start.q, {"wz": 3.0}, held=["angle"], held_velocities=["angle.rate"])
    assert start.v[2] == pytest.approx(3.0)


def test_invariants_are_restored():
    equations = hinge()
    start = equations.assemble({"p0": 3.0, "p3": 0.6})
    assert start.q[:4] @ start.q[:4] == pytest.approx(1, abs=1e-15)
    assert start.q[4] == pytest.approx(2 * np.arctan2(0.6, 3.0))
    held = equations.assemble({"p0": 3.0, "p3": 0.6, "p1": 0.1}, held=["p3"])  # keeps its normalised value
    assert held.q[3] == pytest.approx(0.6 / np.sqrt(9.37), abs=1e-15)
    with pytest.raises(StateError, match="'hinge': p0, p1, p2, p3 cannot be normalised at the start; give values"):
        equations.assemble({"angle": 1.0})


def test_what_cannot_be_held_is_named():
    equations = hinge()
    with pytest.raises(ConstraintError, match=r"hold fewer coordinates"):
        equations.assemble({"p0": 1.0, "p1": 0.3}, held=["p1"])
    with pytest.raises(ConstraintError, match=r"hold fewer coordinates"):
        equations.assemble({"p0": 1.0}, {"wx": 1.0}, held_velocities=["wx"])
    with pytest.raises(StateError, match=r"has no velocity 'angel.rate'; did you mean"):
        equations.assemble({"p0": 1.0}, {"angel.rate": 1.0})


def test_velocities_are_held_apart_from_coordinates():
    start = FOUR_BAR.assemble(ROUGH, {"phi_rocker.rate": 2.0}, held=["phi_crank"], held_velocities=["phi_rocker.rate"])
    assert start.q[2] == ROUGH[2] and start.v[8] == 2.0 and start.v[2] != 0
    consistent(FOUR_BAR, start)
    with pytest.raises(ConstraintError, match=r"the velocity constraint .*; hold fewer"):
        FOUR_BAR.assemble(
            ROUGH, {"phi_rocker.rate": 2.0}, held=["phi_crank"], held_velocities=["phi_rocker.rate", "phi_crank.rate"]
        )


def test_large_systems_go_the_same_way(monkeypatch):
    """Sparse and dense corrections agree, with coordinates held of either kind."""
    made = [
        (FOUR_BAR, ROUGH, {"phi_crank.rate": 2.0}, ["phi_crank"]),
        (hinge(), {"p0": 2.0, "p1": 0.2, "angle": 0.7}, {"angle.rate": 3.0}, ["angle"]),
        (Rolling.equations(), [0.8, 0.5, 0.3, 0.2], [1, 2, 3], ["q3"]),
    ]
    dense = [equations.assemble(q, v, held=held) for equations, q, v, held in made]
    monkeypatch.setattr("dalembert.equations.contract.evaluation.LARGEST_DENSE", 0)
    monkeypatch.setattr("dalembert.equations.contract.checks.LARGEST_DENSE", 0)
    for (equations, q, v, held), expected in zip(made, dense, strict=True):
        start = equations.assemble(q, v, held=held)
        assert start.q == pytest.approx(expected.q, abs=1e-11) and start.v == pytest.approx(expected.v, abs=1e-10)
        assert start.a == pytest.approx(expected.a, rel=1e-7, abs=1e-8)
        rest = equations.equilibrium(q, held=held) if equations.name != "rolling" else None
        monkeypatch.setattr("dalembert.equations.contract.evaluation.LARGEST_DENSE", 800)
        if rest is not None:
            assert rest.q == pytest.approx(equations.equilibrium(q, held=held).q, abs=1e-9)
        monkeypatch.setattr("dalembert.equations.contract.evaluation.LARGEST_DENSE", 0)


@pytest.mark.parametrize("t", [0.0, 0.7])
def test_starts_with_kinematics_friction_time_and_external_states(t):
    equations = Rolling.equations()
    u = [0.3, -0.2]
    start = equations.assemble([0.8, 0.5, 0.3, 0.2], [1, 2, 3], u, t=t)
    consistent(equations, start, t)
    assert start.u.tolist() == u and start.t == t
    heavier = {"m": 5.0, "g": 1.6}
    consistent(equations, equations.assemble(start.q, start.v, u, t=t, parameters=heavier), t, heavier)


def test_forces_that_are_not_linear_in_multipliers():
    equations = da.trace(
        M=lambda: np.eye(2),
        f=lambda q, v, lam: np.array([-0.3 * np.sqrt(lam[0] ** 2 + 1e-2), -9.81]),
        g=lambda q: [q[1]],
        n_q=2,
    )  # fmt: skip
    start = equations.assemble([0, 0], [1, 0])
    assert start.lam == pytest.approx([-9.81]) and start.a == pytest.approx([-0.3 * np.hypot(9.81, 0.1), 0.0])


# ------------------------------------------------------------------------------------------------------ impossibilities


def test_a_loop_that_cannot_be_closed_names_a_constraint_of_it():
    short = four_bar(name="short", lengths=(1.0, 0.5, 0.5, 3.0))
    with pytest.raises(
        ConstraintError, match=r"'short' cannot be assembled: the position constraint (ground|hinge) \w\.[xy] keeps"
    ):
        short.assemble(ROUGH)


def test_too_many_held_coordinates_are_said_to_be_the_reason():
    with pytest.raises(
        ConstraintError, match=r"the position constraint .* keeps a residual of .*; hold fewer coordinates"
    ):
        FOUR_BAR.assemble(ROUGH, held=["phi_crank", "phi_rocker"])
    start = FOUR_BAR.assemble(ROUGH, held=["phi_crank"])
    with pytest.raises(
        ConstraintError, match=r"the velocity constraint .* keeps a residual of .*; hold fewer coordinates"
    ):
        FOUR_BAR.assemble(start.q, [0, 0, 1, *[0] * 6], held=["phi_crank", "phi_rocker"])


def test_steps_that_leave_the_domain_of_a_function_are_shortened():
    """log(q) = 0 from q = 8: a full step would lead to a negative q."""
    equations = da.trace(M=lambda: np.eye(1), f=lambda q: -q, g=lambda q: [np.log(q[0])], n_q=1)
    assert equations.assemble([8.0]).q == pytest.approx([1.0])


def test_contradicting_constraints_are_named():
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda q: -q, g=lambda q: [q[0] - 1.0, q[0] - 2.0], n_q=2,
        names={"lam": ["left", "right"]},
    )  # fmt: skip
    with pytest.raises(ConstraintError, match=r"the position constraint (left|right) keeps a residual of -?0.5"):
        equations.assemble([0, 0])


# ----------------------------------------------------------------------------------------------------------- redundancy


def test_an_extra_bar_of_a_parallelogram_is_named():
    with pytest.raises(
        ConstraintError, match=r"1 of 9 constraints depend on the others: .*redundant='accept'"
    ) as caught:
        PARALLELOGRAM.assemble(parallelogram_start(0.7))
    assert "'parallelogram'" in str(caught.value)


def test_a_duplicated_row_is_named():
    equations = da.trace(
        M=lambda: np.eye(2), f=lambda: np.array([0, -1.0]), n_q=2, names={"lam": ["length", "far", "again"]},
        g=lambda q: [q @ q - 1.0, q[1] + 0.6, 3.0 * (q @ q - 1.0)],
    )  # fmt: skip
    with pytest.raises(ConstraintError, match=r"1 of 3 constraints depend on the others: (length|again)"):
        equations.check([0.8, -0.6])
    found = equations.check([0.8, -0.6], redundant="accept")
    assert found.dependent in ((0,), (2,)) and found.rows == tuple(i for i in range(3) if i not in found.dependent)


def test_accepted_redundancy_gives_multipliers_of_the_smallest_norm():
    q = parallelogram_start(0.7)
    c, s = np.cos(0.7), np.sin(0.7)
    v = np.array([-0.5 * s, 0.5 * c, 1, -s, c, 0, -0.5 * s, 0.5 * c, 1])
    start = PARALLELOGRAM.assemble(q, v, redundant="accept")
    assert start.q == pytest.approx(q, abs=1e-13) and start.v == pytest.approx(v, abs=1e-12)
    without = PARALLELOGRAM.restricted(range(8)).assemble(q, v)
    assert start.a == pytest.approx(without.a, abs=1e-10)
    M, f, G = PARALLELOGRAM.evaluate("M", "f", "G", q=start.q, v=start.v)
    smallest = np.linalg.lstsq(G.T, f - M @ without.a, rcond=1e-10)[0]
    assert start.lam == pytest.approx(smallest, abs=1e-9)
    assert np.linalg.norm(start.lam) <= (1 + 1e-12) * np.linalg.norm(without.lam)


def test_the_smallest_norm_does_not_depend_on_the_scale_of_masses():
    def pulled(m):
        made = da.trace(
            M=lambda: m * np.eye(2), f=lambda: m * np.array([1.0, 2.0]), g=lambda q: [q[0], 2.0 * q[0]], n_q=2
        )  # fmt: skip
        return made.assemble([0, 0], redundant="accept")

    for m in (1e-12, 1.0, 1e9):
        start = pulled(m)
        assert start.lam / m == pytest.approx([0.2, 0.4]) and start.a == pytest.approx([0.0, 2.0], abs=1e-12)


def test_rank_that_is_missing_at_one_instant_only_is_no_redundancy():
    """A parallelogram at full stretch: rows depend on each other there and nowhere else."""
    flat = four_bar((), "flat", (1.0, 2.0, 1.0, 2.0))
    found = flat.check(parallelogram_start(0.0))
    assert found.rows == tuple(range(8)) and found.dependent == ()


@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 2**31))
def test_dependent_rows_are_found(independent, extra, seed):
    rng = np.random.default_rng(seed)
    n = independent + int(rng.integers(0, 4))
    G = rng.standard_normal((independent, n)) + 3.0 * np.eye(independent, n)
    rows = np.concatenate([G, rng.standard_normal((extra, independent)) @ G])
    rows = rows[rng.permutation(len(rows))] * 10.0 ** rng.uniform(-6, 6, (len(rows), 1))
    dependent = dependent_rows(rows)
    assert len(dependent) == extra
    kept = np.delete(rows, dependent, axis=0)
    assert np.linalg.matrix_rank(kept / np.linalg.norm(kept, axis=1)[:, None]) == independent


def test_rows_of_zeros_are_dependent():
    assert dependent_rows(np.zeros((2, 3))) == [0, 1] and dependent_rows(np.zeros((0, 3))) == []


# ---------------------------------------------------------------------------------------------------------- mass matrix


@pytest.mark.parametrize(
    ("M", "words"),
    [
        ([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], r"M\[0, 1\] = 0.5, M\[1, 0\] = 0 \(x.rate, y.rate\)"),
        ([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]], r"M\[0, 1\] = 0, M\[1, 0\] = 0.5 \(x.rate, y.rate\)"),
        ([[1, 0.5, 0], [0.6, 1, 0], [0, 0, 1]], r"M\[0, 1\] = 0.5, M\[1, 0\] = 0.6"),
        ([[1e4, 0, 0], [0, 1e-8, 2e-9], [0, 3e-9, 1e-8]], r"M\[1, 2\] = 2e-09, M\[2, 1\] = 3e-09"),
    ],
)
def test_a_mass_matrix_that_is_not_symmetric_names_its_entries(M, words):
    equations = da.trace(M=lambda: M, f=lambda q: -q, n_q=3, names={"q": ["x", "y", "z"]})
    with pytest.raises(EquationsError, match="M is not symmetric: " + words):
        equations.assemble([0, 0, 0])


def test_rounding_does_not_make_a_mass_matrix_asymmetric():
    equations = da.trace(
        M=lambda q: [[1.0, np.sin(q[0]) * 0.3 + 0.1], [0.1 + 0.3 * np.cos(q[0] - np.pi / 2), 1.0]],
        f=lambda q: -q, n_q=2,
    )  # fmt: skip
    beside = 0.1 + 0.3 * np.sin(0.3)
    assert equations.assemble([0.3, 0]).a == pytest.approx(np.array([-1.0, beside]) * 0.3 / (1 - beside**2), rel=1e-14)


def massless(g, name="y"):
    return da.trace(M=lambda: np.diag([1.0, 0.0, 2.0]), f=lambda q: -q, g=g, n_q=3, names={"q": ["x", "y", "z"]})


def test_coordinates_without_mass_are_allowed_where_constraints_hold_them():
    start = massless(lambda q: [q[1] - 2.0 * q[0]]).assemble([1, 0, 0])
    assert start.q[1] == pytest.approx(2 * start.q[0]) and start.a[1] == pytest.approx(2 * start.a[0])


@pytest.mark.parametrize("redundant", [False, True])
def test_coordinates_without_mass_are_refused_where_they_are_free(redundant):
    rows = (lambda q: [q[0] - q[2], 2 * (q[0] - q[2])]) if redundant else (lambda q: [q[0] - q[2]])
    with pytest.raises(EquationsError, match=r"mainly y\.rate has no inertia; give it mass, or a constraint"):
        massless(rows).assemble([1, 0, 1], redundant="accept" if redundant else "refuse")


def test_negative_masses_are_refused_where_they_are_free():
    equations = da.trace(M=lambda p: np.diag([1.0, p.m]), f=lambda q: -q, n_q=2, parameters={"m": -1.0})
    with pytest.raises(EquationsError, match=r"mainly v1 has negative inertia"):
        equations.assemble([0, 0])
    equations.assemble([0, 0], parameters={"m": 1.0})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"f": lambda q: [np.sqrt(q[0]), 0]}, r"f\[0\] \(x\.rate\) is nan"),
        ({"f": lambda q: [0, 1 / (q[0] + 1)]}, r"f\[1\] \(y\.rate\) is inf"),
        ({"M": lambda q: np.diag([1.0, np.log(q[0])])}, r"M\[1, 1\] is nan"),
        ({"g": lambda q: [np.arcsin(3 * q[0])]}, r"g\[0\] \(lam0\) is nan"),
        ({"T": lambda q: np.diag([1.0, np.sqrt(q[0])])}, r"T\[1, 1\] is nan"),
        ({"n_u": 1, "d": lambda q: [np.sqrt(q[0])]}, r"d\[0\] \(u0\) is nan"),
    ],
)
def test_values_that_are_not_finite_are_named(changes, words):
    given = {"M": lambda: np.eye(2), "f": lambda q: -q, "n_q": 2, "names": {"q": ["x", "y"]}, **changes}
    with pytest.raises(EquationsError, match=words):
        da.trace(**given).assemble([-1.0, 0.0])


# ------------------------------------------------------------------------------------------------------------- accuracy


def test_accelerations_of_the_seven_body_mechanism_are_the_published_ones():
    problem = da.problems.seven_body()
    published = problem.references[0]
    start = problem.equations.assemble(problem.q0, problem.v0)
    assert np.max(np.abs(start.a - published.a)) < 1e-14 * np.max(np.abs(published.a))
    assert np.max(np.abs(start.lam - published.lam)) < 1e-14 * np.max(np.abs(published.lam))


@pytest.mark.parametrize("scale", [1e-15, 1e-6, 1.0, 1e6])
def test_small_masses_accelerate_as_large_ones(scale):
    """Nothing is cut off because something else is heavier, or because lengths and masses differ much."""
    two = da.trace(M=lambda: np.diag([1.0, scale]), f=lambda: np.array([1.0, scale]), n_q=2)
    assert two.assemble([0, 0]).a == pytest.approx([1.0, 1.0], rel=1e-12)
    swing = da.trace(
        M=lambda p: np.diag([p.m, p.m, p.m * p.l**2]),
        f=lambda p: np.array([0.0, -9.81 * p.m, 0.0]),
        g=lambda q, p: [q[0] - p.l * np.cos(q[2]), q[1] - p.l * np.sin(q[2])],
        n_q=3,
        parameters={"m": scale, "l": 1e-3},
    )  # fmt: skip
    start = swing.assemble([1e-3, 0, 0])
    assert start.a[1:] == pytest.approx([-9.81 / 2, -9.81 / 2e-3], rel=1e-10)
    assert start.lam[1] == pytest.approx(-9.81 / 2 * scale, rel=1e-10)


@settings(max_examples=20)
@given(st.integers(0, 2**31))
def test_velocities_of_any_size_are_made_consistent(seed):
    rng = np.random.default_rng(seed)
    v = rng.standard_normal(9) * 10.0 ** rng.uniform(-8, 8)
    start = FOUR_BAR.assemble(ROUGH, v, held=["phi_crank"])
    G = FOUR_BAR.evaluate("G", q=start.q)
    assert np.max(np.abs(G @ start.v)) <= 1e-14 * np.max(np.abs(v)) and start.v[2] == v[2]
