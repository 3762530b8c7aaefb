"""All modes of linear algebra on the same matrices of constrained motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linalg.systems import KINDS, System, joint_coordinates, pattern, random_system

from dalembert.errors import SimulationError
from dalembert.linalg.modes.gradients import GRADIENTS
from dalembert.linalg.plan import HEAD, Structure
from dalembert.linalg.saddle import (
    MODES,
    Saddle,
    analyse_saddle,
    capability_table,
    choose_mode,
    smallest_pivot,
    why_not,
)

EPS = np.finfo(float).eps
#: Modes with code of their own for each structure take seconds for each example: they have fewer.
CODED = ("recursive", "composite")
GENERAL = [mode for mode in MODES if mode not in CODED]


def error(system, x):
    """In units of what rounding must be expected to do."""
    expected = np.linalg.solve(system.matrix, system.right)
    size = np.max(np.abs(expected)) * np.linalg.cond(system.matrix)
    return np.max(np.abs(x - expected)) / (EPS * size)


def agrees(system, mode):
    made = system.solver(mode)
    for again in range(2):  # the second time with what the first left behind
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0), (mode, again)
        assert error(system, x) < 50, (mode, again)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 7), st.integers(0, 2**31))
def test_modes_agree(kind, count, seed):
    system = random_system(np.random.default_rng(seed), kind, count)
    assume(system.is_regular())
    served = [mode for mode in GENERAL if not why_not(mode, system.structure)]
    assert {"dense", "sparse", "minimal"} <= set(served)
    for mode in served:
        agrees(system, mode)


@pytest.mark.parametrize("mode", CODED)
@settings(max_examples=15, deadline=None)
@given(st.sampled_from([kind for kind in KINDS if kind != "full"]), st.integers(1, 4), st.integers(0, 2**31))
def test_modes_with_code_agree(mode, kind, count, seed):
    system = random_system(np.random.default_rng(seed), kind, count)
    assume(system.is_regular() and not why_not(mode, system.structure))
    agrees(system, mode)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**31))
def test_friction_comes_and_goes(count, seed):
    """A plan that knows of friction also serves matrices without it: projections."""
    system = random_system(np.random.default_rng(seed), "friction", count)
    without = system.with_values(F=np.zeros_like(system.F))
    assume(system.is_regular() and without.is_regular())
    M, G, F = system.entries()
    for mode in GENERAL:
        if why_not(mode, system.structure):
            continue
        made = system.solver(mode)
        for values, which in ((F, system), (None, without), (F, system)):
            assert made.factor(M, G, values) == 0
            status, x = made.solve(system.right)
            assert status == 0 and error(which, x) < 300, mode


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**31))
def test_redundant_constraints_that_agree(count, seed):
    """The motion is that without them; the forces are not unique, but they do what they must."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, "tree", count)
    assume(system.is_regular(1e4))
    weights = rng.uniform(0.5, 2.0, len(system.G))
    G = np.vstack([system.G, weights @ system.G])
    expected = np.linalg.solve(system.matrix, system.right)
    right = np.append(system.right, weights @ system.right[len(system.M) :])
    doubled = System.of(system.M, G, right=right)
    for mode in [mode for mode in MODES if MODES[mode].redundant]:
        status, solved, x = doubled.solve(doubled.solver(mode))
        assert (status, solved) == (0, 0), mode
        a, lam = x[: len(system.M)], x[len(system.M) :]
        size = np.max(np.abs(expected))
        assert a == pytest.approx(expected[: len(system.M)], rel=1e-8, abs=1e-8 * size)
        assert system.M @ a + G.T @ lam == pytest.approx(right[: len(a)], rel=1e-8, abs=1e-7 * size)
        right_before = doubled.right.copy()
        contradiction = doubled.with_values(right=np.append(right_before[:-1], right_before[-1] + 1.0))
        assert contradiction.solve(contradiction.solver(mode))[1] > 0, mode


@pytest.mark.parametrize("mode", MODES)
def test_constraints_that_contradict_are_reported_or_serve(mode):
    """Equal rows: those that cannot serve them say so, at the latest when the solution is asked for."""
    M, G = np.diag([1.0, 2.0, 3.0]), np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    system = System.of(M, G, right=np.array([1.0, 2.0, 3.0, 0.5, -0.5]))
    status, solved, x = system.solve(system.solver(mode))
    assert status or solved or not np.all(np.abs(x) < 1e12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("mode", MODES)
def test_entries_that_are_not_finite_are_reported(mode, bad):
    system = random_system(np.random.default_rng(3), "tree", 3)
    for which in ("M", "G") if bad != np.inf else ("G",):  # what is infinitely heavy does not move
        values = getattr(system, which).copy()
        values[tuple(np.argwhere(values)[0])] = bad
        broken = system.with_values(**{which: values})
        status, solved, _ = broken.solve(broken.solver(mode))
        assert status or solved, which


@pytest.mark.parametrize("mode", [mode for mode in MODES if not MODES[mode].singular_mass])
def test_masses_that_vanish_are_reported(mode):
    """The structure does not show them."""
    system = random_system(np.random.default_rng(1), "tree", 3)
    M = np.diag(np.diag(system.M))
    M[4, 4] = 0.0
    broken = System.of(np.where(M == 0, 0, M) + np.diag(np.full(9, 0.0)), system.G)
    structure = Structure(
        9, len(system.G), pattern(np.eye(9)), pattern(system.G), pattern(np.zeros((9, len(system.G))))
    )
    made = Saddle(analyse_saddle(mode, *structure))
    assert made.factor(np.diag(broken.M), broken.G[structure.G]) > 0


# --------------------------------------------------------------------------------------------------- pivots gone bad


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.booleans(), st.sampled_from([0.0, 1e-14, 1e-9, 1e-4]))
def test_a_sparse_pivot_that_goes_bad_is_replaced(seed, friction, small):
    """A coordinate without mass is eliminated with a constraint whose entry for it vanishes; another one holds it."""
    rng = np.random.default_rng(seed)
    n_v, n_lam = int(rng.integers(4, 12)), 3
    M = np.diag(rng.uniform(1.0, 2.0, n_v))
    M[0, 0] = 0.0
    full = np.where(rng.random((n_lam, n_v)) < 0.6, rng.standard_normal((n_lam, n_v)), 0.0)
    full[:, 0] = 1.0
    F = np.where(rng.random((n_v, n_lam)) < 0.3, 0.1 * rng.standard_normal((n_v, n_lam)), 0.0) * friction
    good = System.of(M, full, F, seed=seed)
    G = full.copy()
    held = int(rng.integers(n_lam))
    G[[k for k in range(n_lam) if k != held], 0] = small
    bad = good.with_values(G=G)
    assume(good.is_regular(1e5) and bad.is_regular(1e5))
    made = good.solver("sparse")
    for system in (good, bad, good):
        before = made.ints[HEAD.TROUBLES]
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0) and error(system, x) < 300
        assert system is bad or made.ints[HEAD.TROUBLES] == before


def test_a_sparse_pivot_that_vanishes_is_counted():
    M = np.diag([0.0, 1.0, 1.0, 2.0])
    full = np.array([[1.0, 0.5, 0.0, 0.0], [1.0, 0.0, 0.4, 0.3]])
    good = System.of(M, full)
    made = good.solver("sparse")
    troubles = []
    for vanishing in ((), (0,), (1,)):
        G = full.copy()
        G[list(vanishing), 0] = 0.0
        system = good.with_values(G=G)
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0) and error(system, x) < 300
        troubles.append(int(made.ints[HEAD.TROUBLES]))
    assert troubles[0] == 0 and troubles[-1] == 1  # one of the two is the pivot


def test_a_matrix_that_is_singular_is_singular_with_row_pivoting_too():
    M, G = np.diag([0.0, 1.0, 1.0]), np.array([[1.0, 0.5, 0.0]])
    system = System.of(M, np.array([[0.0, 0.5, 0.0]]), full_G=G)
    assert system.solve(system.solver("sparse"))[0] > 0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.0, 2 * np.pi))
def test_minimal_coordinates_are_chosen_anew(seed, angle):
    """A pendulum turns: first x is given by y, then y by x; with a choice for good the matrix would become singular."""
    rng = np.random.default_rng(seed)
    first = System.of(np.diag([2.0, 3.0, 1.0]), np.array([[1.0, 1e-3, 0.1]]), seed=seed)
    made = first.solver("minimal")
    assert first.solve(made)[:2] == (0, 0) and made.ints[HEAD.TROUBLES] == 0
    for turned in np.linspace(0.0, angle, 30):
        G = np.array([[np.cos(turned), np.sin(turned), 0.1 * rng.standard_normal()]])
        system = first.with_values(G=G)
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0) and error(system, x) < 1000
    if angle > np.pi:
        assert made.ints[HEAD.TROUBLES] > 0


def test_minimal_coordinates_are_kept_while_they_serve():
    first = System.of(np.eye(2), np.array([[1.0, 0.5]]))
    made = first.solver("minimal")
    for x in (1.0, 0.5, 0.1, -0.3):
        first.with_values(G=np.array([[x, 0.5]])).solve(made)
    assert made.ints[HEAD.TROUBLES] == 0
    first.with_values(G=np.array([[1e-4, 0.5]])).solve(made)
    assert made.ints[HEAD.TROUBLES] == 1


@pytest.mark.parametrize("mode", ["range", "cholesky-qr", "skyline", "composite", "composite-dense"])
def test_the_smallest_pivot_tells_of_a_loss_of_rank(mode):
    M = np.eye(4)
    told = []
    for distance in (1.0, 1e-2, 1e-4):
        G = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 1.0 + distance, 0.0, 0.0]])
        system = System.of(M, G)
        made = system.solver(mode)
        assert system.solve(made)[0] == 0
        told.append(smallest_pivot(made.values))
    assert told[1] == pytest.approx(1e-4 * 0.25, rel=0.1) and told[2] == pytest.approx(1e-8 * 0.25, rel=0.1)


# ------------------------------------------------------------------------------------------------ conjugate gradients


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**31), st.sampled_from([0.0, 1e-6, 1e-3, 1e-1]))
def test_gradients_with_an_older_decomposition(count, seed, change):
    rng = np.random.default_rng(seed)
    old = random_system(rng, "tree", count)
    new = old.with_values(G=old.G * (1.0 + change * rng.standard_normal(old.G.shape)))
    assume(old.is_regular(1e4) and new.is_regular(1e4))
    made = old.solver("conjugate-gradients")
    assert old.solve(made)[:2] == (0, 0)
    status, solved, x = new.solve(made)
    assert (status, solved) == (0, 0) and error(new, x) < 1000
    iterations = made.ints[made.ints[HEAD.OWN] + GRADIENTS.ITERATIONS]
    assert change > 0 or iterations <= 2
    made.ints[HEAD.KEEP] = 0
    status, solved, x = new.solve(made)
    assert (status, solved) == (0, 0) and error(new, x) < 1000
    assert made.ints[made.ints[HEAD.OWN] + GRADIENTS.ITERATIONS] <= iterations + 2


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 7), st.integers(0, 2**31), st.sampled_from([0.0, 1e-4, 1e-2]))
def test_gradients_for_joint_coordinates(count, seed, change):
    """mexx (3.20)."""
    rng = np.random.default_rng(seed)
    fathers, angles = [int(rng.integers(-1, k)) for k in range(count)], rng.uniform(0, 2 * np.pi, count)
    old = joint_coordinates(np.random.default_rng(seed), fathers, angles)
    new = joint_coordinates(np.random.default_rng(seed), fathers, angles + change * rng.standard_normal(count))
    made = old.solver("conjugate-gradients")
    for system in (old, new):
        status, solved, x = system.solve(made)
        assert (status, solved) == (0, 0) and error(system, x) < 1000
    iterations = made.ints[made.ints[HEAD.OWN] + GRADIENTS.ITERATIONS]
    assert (iterations > 0) == (change > 0) and made.ints[HEAD.TROUBLES] == 0


def test_gradients_that_do_not_converge_ask_for_a_new_decomposition():
    """Links that have turned by right angles have little to do with what they were."""
    rng = np.random.default_rng(0)
    count = 40
    M, G = np.eye(2 * count), np.zeros((count, 2 * count))

    def links(angles):
        made = G.copy()
        for k, angle in enumerate(angles):
            here = np.array([np.cos(angle), np.sin(angle)])
            made[k, 2 * k : 2 * k + 2] = here
            if k:
                made[k, 2 * k - 2 : 2 * k] = -here
        return made

    full = (links(np.full(count, 0.5)) != 0).astype(float)
    old = System.of(M, links(np.zeros(count)), full_G=full)
    new = old.with_values(G=links(rng.uniform(0, 2 * np.pi, count)))
    made = old.solver("conjugate-gradients")
    assert old.solve(made)[:2] == (0, 0) and made.ints[HEAD.TROUBLES] == 0
    status, solved, x = new.solve(made)
    assert (status, solved) == (0, 0) and error(new, x) < 1000
    assert made.ints[HEAD.TROUBLES] == 1


# ------------------------------------------------------------------------------------------------- what modes serve


def test_the_documentation_says_what_modes_serve():
    page = Path(__file__).parents[2] / "docs" / "linear_algebra.md"
    assert capability_table() in page.read_text(encoding="utf-8")


def test_what_a_mode_cannot_serve_it_says():
    friction = random_system(np.random.default_rng(0), "friction", 3).structure
    massless = random_system(np.random.default_rng(0), "massless", 3).structure
    full = random_system(np.random.default_rng(0), "full", 5).structure
    free = System.of(np.eye(3), np.zeros((0, 3))).structure
    for mode, made in MODES.items():
        iterates = mode == "conjugate-gradients"  # which needs joint coordinates where M is singular
        assert bool(why_not(mode, friction)) == (not made.friction)
        assert bool(why_not(mode, massless)) == (not made.singular_mass or iterates)
        assert bool(why_not(mode, full)) == (bool(made.largest_block) or iterates)
        assert bool(why_not(mode, free)) == (bool(made.largest_block) or iterates)
    with pytest.raises(
        SimulationError,
        match=r"^solver='range' cannot serve 'crane': friction depends on reactions .*these can: dense, ",
    ):
        choose_mode("range", friction, "crane")
    with pytest.raises(SimulationError, match="cannot serve 'crane': M is singular: velocity 9 has no mass; these can"):
        choose_mode("cholesky-qr", massless, "crane")
    with pytest.raises(SimulationError, match="M is not block-diagonal with blocks up to 12"):
        choose_mode("conjugate-gradients", full, "crane")
    with pytest.raises(SimulationError, match="there is no solver='spares': did you mean 'sparse'"):
        choose_mode("spares", full, "crane")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 40), st.integers(0, 2**31))
def test_the_choice_serves(kind, count, seed):
    count = min(count, 8) if kind == "full" else count
    structure = random_system(np.random.default_rng(seed), kind, count).structure
    assert not why_not(choose_mode("auto", structure, "any"), structure)


def test_no_unknowns_but_coordinates():
    system = System.of(np.diag([2.0, 4.0]), np.zeros((0, 2)), right=np.array([1.0, 1.0]))
    for mode in MODES:
        if not why_not(mode, system.structure):
            assert system.solve(system.solver(mode))[2] == pytest.approx([0.5, 0.25])


def test_sizes_are_checked():
    system = random_system(np.random.default_rng(0), "tree", 2)
    made = system.solver("dense")
    with pytest.raises(ValueError, match="the pattern has"):
        made.factor(np.ones(1), np.ones(1))
    made.factor(*system.entries())
    with pytest.raises(ValueError, match="rows, the right side"):
        made.solve(np.ones(3))
