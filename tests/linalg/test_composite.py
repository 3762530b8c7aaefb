"""The composite inertia matrix along a tree: Lemmas 1 to 4, Corollaries 1 to 3 and Proposition 2 of Negrut 1998,
section 3.4.3, on random trees; operation counts of Tables 6 to 8; the modes "composite" and "composite-dense"."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_triangular
from scripts import load

import dalembert as da
from dalembert.errors import EquationsError
from dalembert.linalg.modes.composite import (
    CODED,
    COMPOSITE,
    analyse_composite,
    composite_multiplications,
    factor_families,
)
from dalembert.linalg.modes.recursive import front_multiplications
from dalembert.linalg.orders.family_order import (
    Operations,
    dense_operations,
    family_tree,
    gauss_operations,
    operation_counts,
    tree_in_order,
)
from dalembert.linalg.plan import Entries, Structure, own_part
from dalembert.linalg.saddle import COMPOSITE_SHARE, Saddle, analyse_saddle, choose_mode, smallest_pivot, why_not
from dalembert.problems import mechanisms

trees = load("benchmarks/_tree_matrices.py")
EPS = np.finfo(float).eps


def drawn(count, seed, cuts=0):
    rng = np.random.default_rng(seed)
    return trees.composite(trees.random_tree(rng, count, cuts=cuts), rng)


random_trees = given(st.integers(1, 9), st.integers(0, 2**31))


# ------------------------------------------------------------------------------------------------ lemmas on the tree


@random_trees
def test_lemma_1_and_corollary_1(count, seed):
    """Σ_{s ∈ F(r)} Σ_{w ∈ F[s]} x_w y_s = Σ_{w ∈ F(r)} Σ_{s ∈ d(r, w]} x_w y_s, and from the base on."""
    rng = np.random.default_rng(seed)
    tree = trees.random_tree(rng, count)
    x, y = rng.integers(-9, 9, count), rng.integers(-9, 9, count)

    def behind(r):
        return set(range(count)) if r < 0 else set(tree.family(r)) - {r}

    for r in range(-1, count):  # −1: what carries the base
        left = sum(x[w] * y[s] for s in behind(r) for w in tree.family(s))
        carrying = set(tree.subchain(r)) if r >= 0 else set()
        right = sum(x[w] * y[s] for w in behind(r) for s in set(tree.subchain(w)) - carrying)
        assert left == right


@settings(deadline=None)
@random_trees
def test_proposition_2_and_corollary_2(count, seed):
    """M̄ is positive definite; its energy is the sum of those of the bodies, with velocities by (3.132)."""
    made = drawn(count, seed)
    tree, rates = made.tree, np.random.default_rng(seed).standard_normal(made.tree.n)
    assert np.linalg.eigvalsh(made.M)[0] > 0
    energy = 0.0
    for body in range(count):
        velocity = sum(made.motions[other] @ rates[tree.coordinates(other)] for other in tree.subchain(body))
        energy += 0.5 * velocity @ made.inertias[body] @ velocity
    assert 0.5 * rates @ made.M @ rates == pytest.approx(energy, rel=1e-10)


@settings(max_examples=100, deadline=None)
@random_trees
def test_lemma_2_no_fill(count, seed):
    """Columns of L have the entries of M and no others, also in numbers."""
    made = drawn(count, seed)
    found = family_tree(made.structure())
    assert sorted(found.order) == list(range(made.tree.n))
    assert 2 * sum(found.depths) + made.tree.n == np.count_nonzero(made.M)
    M = made.M[np.ix_(found.order, found.order)]
    L = np.linalg.cholesky(M)
    assert np.all(L[M == 0] == 0)
    for place in range(made.tree.n):
        assert np.flatnonzero(M[place + 1 :, place]).tolist() == [k - place - 1 for k in sorted(found.way(place))]


@settings(max_examples=60, deadline=None)
@random_trees
def test_lemma_2_whoever_is_behind_comes_first(count, seed):
    """Bodies come before those that they hang on, unless nothing tells the two apart: all branches behind the one are
    behind the other."""
    made = drawn(count, seed)
    tree, found = made.tree, family_tree(made.structure())
    place = {coordinate: k for k, coordinate in enumerate(found.order)}
    for body in range(count):
        for behind in set(tree.family(body)) - {body}:
            alike = len(tree.family(body)) - len(tree.family(behind)) == len(tree.subchain(behind)) - len(
                tree.subchain(body)
            )
            assert alike or max(place[i] for i in tree.coordinates(behind)) < min(
                place[i] for i in tree.coordinates(body)
            )


def allowed_by_lemma_3(tree):
    """For each constraint the coordinates of the subchains of its two bodies."""
    return [
        {i for body in {*tree.subchain(first), *tree.subchain(second)} for i in tree.coordinates(body)}
        for first, second, size in tree.cut
        for _ in range(size)
    ]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**31), st.integers(1, 3))
def test_lemma_3_zeros_of_T(count, seed, cuts):
    """With bodies as Lemma 2 numbers them T is zero outside of the subchains; as we number them it has hardly
    more entries than these; in numbers it is zero where nothing is reached."""
    made = drawn(count, seed, cuts)
    tree, structure = made.tree, made.structure()
    outward = sorted(range(count), key=lambda body: -len(tree.subchain(body)))
    as_told = tree_in_order(structure, [i for body in outward for i in tree.coordinates(body)])
    ours = family_tree(structure)
    allowed = allowed_by_lemma_3(tree)
    for places, coordinates in zip(as_told.reached(), allowed, strict=True):
        assert {as_told.order[place] for place in places} <= coordinates
    assert sum(map(len, ours.reached())) <= 1.5 * sum(map(len, allowed))
    for found in (as_told, ours):
        M, G = made.M[np.ix_(found.order, found.order)], made.G[:, found.order]
        T = solve_triangular(np.linalg.cholesky(M), G.T, lower=True)
        for k, reached in enumerate(found.reached()):
            assert np.all(T[np.setdiff1d(np.arange(tree.n), reached), k] == 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(0, 2**31), st.integers(1, 5))
def test_families_do_not_meet(count, seed, parts):
    """Corollary 3: families that are decomposed at the same time have no column in common, nor one that the other
    needs; what is left comes after them."""
    made = drawn(count, seed)
    found = family_tree(made.structure())
    families, trunk = found.subtrees(parts)
    places = [place for family in families for place in family] + trunk
    assert sorted(places) == list(range(made.tree.n))
    assert len(families) >= parts or all(len(family) == 1 for family in families)
    for family in families:
        assert all(found.father[place] in family or found.father[place] in (-1, *trunk) for place in family)
    for place in trunk:
        assert all(behind in trunk or any(behind in family for family in families) for behind in found.family(place))


# ----------------------------------------------------------------------------------------------------------- the modes


def error(made, x, right):
    expected = np.linalg.solve(made.augmented, right)
    return np.max(np.abs(x - expected)) / (EPS * np.max(np.abs(expected)) * np.linalg.cond(made.augmented))


def values(made, structure):
    return made.M[structure.M[:2]], made.G[structure.G[:2]]


def regular(made):
    return np.linalg.matrix_rank(made.G, tol=1e-2) == len(made.G) and np.linalg.cond(made.augmented) < 1e7


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(0, 2**31), st.integers(0, 3))
def test_loops_and_dense_operations_solve(count, seed, cuts):
    made = drawn(count, seed, cuts)
    assume(regular(made))
    structure = made.structure()
    M, G = values(made, structure)
    right = np.random.default_rng(seed).standard_normal(sum(made.G.shape))
    pivots = []
    for plan in (analyse_composite(structure, coded=0), analyse_saddle("composite-dense", *structure)):
        solver = Saddle(plan)
        assert solver.factor(M, G) == 0
        status, x = solver.solve(right)
        assert status == 0 and error(made, x, right) < 50
        pivots.append(smallest_pivot(solver.values))
    assert 0 < min(pivots) <= max(pivots) <= 1


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**31), st.integers(0, 2))
def test_code_without_loops_solves(count, seed, cuts):
    made = drawn(count, seed, cuts)
    assume(regular(made))
    structure = made.structure()
    M, G = values(made, structure)
    right = np.random.default_rng(seed).standard_normal(sum(made.G.shape))
    code, loops = Saddle(analyse_composite(structure)), Saddle(analyse_composite(structure, coded=0))
    assert own_part(code.ints)[COMPOSITE.KEY] and not own_part(loops.ints)[COMPOSITE.KEY]
    for solver in (code, loops):
        assert solver.factor(M, G) == 0
        status, x = solver.solve(right)
        assert status == 0 and error(made, x, right) < 50
    assert smallest_pivot(code.values) == pytest.approx(smallest_pivot(loops.values), rel=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**31), st.integers(0, 3), st.integers(1, 4))
def test_families_at_a_time_give_the_same_bits(count, seed, cuts, parts):
    """Lemma 4 and Corollary 3: whatever the order of the families, and in threads."""
    made = drawn(count, seed, cuts)
    assume(regular(made))
    structure = made.structure()
    M, G = values(made, structure)
    whole = Saddle(analyse_composite(structure, coded=0))
    assert whole.factor(M, G) == 0
    families, _ = family_tree(structure).subtrees(parts)
    with ThreadPoolExecutor(3) as pool:
        for listed, each in ((families, map), (families[::-1], map), (families, pool.map)):
            found = np.zeros(whole.plan.value_size)
            assert factor_families(found, whole.plan, listed, M, G, each) == 0
            assert np.array_equal(found, whole.values)


def test_families_that_fail_say_so():
    made = drawn(5, 3)
    structure = made.structure()
    M, G = values(made, structure)
    plan = analyse_composite(structure, coded=0)
    families, _ = family_tree(structure).subtrees(2)
    assert factor_families(np.zeros(plan.value_size), plan, families, -M, G) > 0
    with pytest.raises(ValueError, match="coded=0"):
        factor_families(np.zeros(1), analyse_composite(structure), families, M, G)


@pytest.mark.parametrize("coded", [0, CODED])
def test_solutions_with_small_pivots_are_refined(coded):
    """Two rows of G that are nearly one: what a decomposition leaves is mended, or refused if it cannot be."""
    made = drawn(6, 11, 3)
    structure = made.structure()
    M, _ = values(made, structure)
    right = np.random.default_rng(1).standard_normal(sum(made.G.shape))
    apart, found = made.G[1].copy(), []
    for distance in (1.0, 1e-2, 1e-5, 1e-7):
        G = np.array(made.G)
        G[1] = G[0] + distance * apart
        close = Structure(structure.n_v, structure.n_lam, structure.M, structure_of(G), structure.F)
        solver = Saddle(analyse_composite(close, coded=coded))
        if solver.factor(M, G[close.G[:2]]):
            found.append("singular")
            continue
        status, x = solver.solve(right)
        whole = np.block([[made.M, G.T], [G, np.zeros((len(G), len(G)))]])
        residual = np.max(np.abs(whole @ x - right)) / (np.max(np.abs(whole)) * np.max(np.abs(x)))
        assert status or residual < 1e-11, (distance, residual)
        found.append("refused" if status else "solved")
        assert 1e-3 * distance**2 < smallest_pivot(solver.values) < 1e3 * distance**2 or distance == 1.0
    assert found[:3] == ["solved"] * 3


def structure_of(matrix):
    """Entries of a full matrix that are not zero, column by column."""
    columns, rows = np.nonzero(matrix.T)
    return Entries(rows, columns)


def test_the_choice_for_trees_in_joint_coordinates():
    """Code along the tree where it multiplies little, or where nothing else has code; bodies share that of fronts; full
    matrices need none."""
    rng = np.random.default_rng(4)
    few = trees.composite(trees.random_tree(rng, 20, cuts=1), rng).structure()
    assert composite_multiplications(few) <= COMPOSITE_SHARE * front_multiplications(few)
    assert choose_mode("auto", few, "tree") == "composite"
    thesis = trees.composite(trees.vehicle(), rng).structure()
    assert composite_multiplications(thesis) > COMPOSITE_SHARE * front_multiplications(thesis)
    assert choose_mode("auto", thesis, "vehicle") == "recursive"
    chain = trees.composite(trees.Tree(tuple(range(-1, 29)), (1,) * 30), rng).structure()
    assert choose_mode("auto", chain, "chain") not in ("composite", "recursive")
    model = mechanisms.hmmwv14().model
    for coordinates, expected in (("relative", "composite"), ("absolute", "range")):
        equations = model.equations(coordinates)
        patterns, s = equations.program("contract").patterns, equations.sizes
        structure = Structure(s.v, s.lam, *(patterns[key] for key in ("M", "G", "F")))
        assert choose_mode("auto", structure, "HMMWV14") == expected


def tree_of_carts(count=14, held=False):
    """A trunk of joints, each of which also carries a mass on a joint of its own; the last of them may be held."""
    names, n = [f"m{k}" for k in range(count)], 2 * count
    reach = np.zeros((n, n))
    for k in range(count):
        reach[k, : k + 1] = reach[count + k, : k + 1] = reach[count + k, count + k] = 1.0

    def masses(p):
        weights = [1.0] * count + [getattr(p, name) for name in names]
        return sum(weights[i] * np.outer(reach[i], reach[i]) for i in range(n))

    constraint = {"g": lambda q: np.array([q[n - 1] - 0.5 * q[0]])} if held else {}
    return da.trace(
        M=masses, f=lambda q: -q, n_q=n, parameters=dict.fromkeys(names, 1.0), name="tree of carts", **constraint
    )


def test_a_mass_that_vanishes_is_named_whatever_the_solver():
    equations = tree_of_carts()
    options = {"formalism": "contract", "method": "dopri5", "rtol": 1e-8, "atol": 1e-10}
    start = np.linspace(0.1, 0.2, 28), np.zeros(28)
    good = da.simulate(equations, (0, 0.1), start, **options)
    assert good.outcome == "finished" and "solver" not in good.message
    for solver in ("auto", "sparse"):
        with pytest.raises(EquationsError, match="mainly v27 has no inertia"):
            da.simulate(equations, (0, 0.1), start, parameters={"m13": 0.0}, solver=solver, **options)


def test_a_mass_that_vanishes_where_a_constraint_holds_it():
    """M is singular, the motion is not: the run goes on with a mode that can pivot, and says so."""
    equations = tree_of_carts(held=True)
    options = {"formalism": "contract", "method": "dopri5", "rtol": 1e-8, "atol": 1e-10, "parameters": {"m13": 0.0}}
    start = np.append(np.linspace(0.1, 0.2, 27), 0.05), np.zeros(28)
    runs = [da.simulate(equations, (0, 0.1), start, solver=solver, **options) for solver in ("auto", "dense")]
    assert all(run.outcome == "finished" for run in runs)
    assert "the first solver had failed" in runs[0].message
    assert np.max(np.abs(runs[0].q[:, -1] - runs[1].q[:, -1])) < 1e-8


def test_constraints_that_hold_nothing_are_refused():
    made = drawn(3, 5)
    structure = made.structure()._replace(n_lam=1)
    assert why_not("composite", structure) == "constraint 0 holds nothing"


def test_large_trees_have_loops():
    chain = trees.Tree(tuple(range(-1, 14)), (3,) * 15, ((14, -1, 2),))
    structure = trees.composite(chain, np.random.default_rng(0)).structure()
    operations = family_tree(structure).operations()
    assert sum(step.multiplications for step in operations.values()) > CODED
    assert not own_part(analyse_composite(structure).ints)[COMPOSITE.KEY]


@pytest.mark.parametrize("solver", ["composite", "composite-dense", "skyline"])
def test_a_mechanism_moves_as_with_other_modes(solver):
    """The seven-body mechanism in relative coordinates, three of its joints cut; in absolute ones for "skyline"."""
    example = mechanisms.seven_body()
    equations = example.model.equations("absolute" if solver == "skyline" else "relative")
    start = equations.assemble(example.start)
    options = {"formalism": "contract", "method": "dop853", "rtol": 1e-9, "atol": 1e-9}
    runs = [da.simulate(equations, (0, 0.01), start, solver=name, **options) for name in (solver, "dense")]
    assert runs[0].outcome == "finished"
    assert np.max(np.abs(runs[0].q[:, -1] - runs[1].q[:, -1])) < 1e-6


# ----------------------------------------------------------------------------------------------------------- operations


def counted(matrix, right):
    """Multiplications of steps 1, 3.1 and 3.3, by doing them on ones and zeros."""
    n, m = len(matrix), len(right)
    L, T = (matrix != 0).astype(int), (right != 0).astype(int)
    first = second = 0
    for j in range(n):
        below = [i for i in range(j + 1, n) if L[i, j]]
        first += sum(1 for a, i in enumerate(below) for _ in below[: a + 1])
        for i in below:
            L[i, below] = 1
    for r in range(m):
        for v in range(n):
            if T[r, v]:
                below = [i for i in range(v + 1, n) if L[i, v]]
                second += len(below)
                T[r, below] = 1
    third = sum(int(T[a] @ T[b]) for a in range(m) for b in range(a + 1))
    return first, second, third, int(T.sum())


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(0, 2**31), st.integers(0, 3))
def test_operations_are_those_that_are_done(count, seed, cuts):
    made = drawn(count, seed, cuts)
    found = family_tree(made.structure())
    operations = found.operations()
    first, second, third, entries = counted(made.M[np.ix_(found.order, found.order)], made.G[:, found.order])
    assert operations["1"].multiplications == first and operations["1"].divisions == sum(found.depths)
    assert operations["3.1"].multiplications == second and operations["3.1"].divisions == entries
    assert operations["3.3"].multiplications == third
    assert operations["3.2"].multiplications == operations["3.5"].multiplications == entries


def test_tables_6_to_8():
    """The vehicle with 27 coordinates and 16 constraints."""
    tree = trees.vehicle()
    made = trees.composite(tree, np.random.default_rng(0))
    assert made.G.shape == (16, 27)
    gauss = Operations().plus(*gauss_operations(43).values())
    assert tuple(gauss) == (27391, 27391, 946, 0)
    dense = dense_operations(27, 16)
    assert [dense[step].multiplications for step in ("1", "2", "3.1", "3.2", "3.3", "3.5", "4")] == [
        3276, 351, 5616, 432, 3672, 432, 351,
    ]  # fmt: skip
    assert tuple(Operations().plus(*dense.values())) == (14914, 15050, 989, 43)
    sparse = family_tree(made.structure()).operations()
    assert tuple(sparse["2"]) == (165, 165, 27, 0)
    assert tuple(sparse["3.1"]) == (708, 804, 174, 0)
    assert tuple(sparse["4"]) == (192, 165, 27, 0)
    assert tuple(Operations().plus(*sparse.values())) == (3833, 4065, 545, 43)


def test_the_vehicle_of_the_library():
    """Its matrices have the tree of the thesis, and a few zeros more."""
    equations = mechanisms.hmmwv14().model.equations("relative")
    patterns = equations.program("contract").patterns
    structure = Structure(27, 16, patterns["M"], patterns["G"], patterns["F"])
    tree = family_tree(structure)
    total = Operations().plus(*tree.operations().values())
    assert total.multiplications <= 4065 and total.divisions <= 545
    assert sum(map(len, tree.reached())) == 174
    assert 2 * sum(tree.depths) + 27 <= len(patterns["M"].rows) + 8  # hardly any fill inside of blocks


def test_operations_without_constraints():
    assert operation_counts([1, 0], [0, 0], [], [])["3.4"] == Operations()
