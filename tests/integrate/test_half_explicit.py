"""HEM5: the conditions of order for equations of index 2, one step against its formulas, and work on a mechanism."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from integrate.mexx_formulas import Formulas, mp, traced
from integrate.runs import errors, fixed_steps

import dalembert as da
from dalembert.integrate.methods import half_explicit
from dalembert.integrate.methods.half_explicit_tables import HEM5, HalfExplicitTable
from dalembert.integrate.run.live import LiveRun, Options
from dalembert.linalg.saddle import MODES

# Trees of ẏ = f(y, z), 0 = g(y), with f linear in z as multipliers are (Hairer, Wanner, Solving ODEs II, VII.5): a tree
# of y is a sorted tuple of children ("y" or "z", tree), of which one at most is of z; a tree of z has children of y
# only, two or more of them, or one that is neither empty nor a single child of z.


@cache
def trees_y(order):
    return tuple(sorted({tuple(sorted(children)) for children in forests(order - 1, order)}))


@cache
def trees_z(order):
    found = set()
    for children in forests(order + 1, order, with_z=False):
        single = children[0][1] if len(children) == 1 else None
        if single != () and not (single is not None and len(single) == 1 and single[0][0] == "z"):
            found.add(tuple(sorted(children)))
    return tuple(sorted(found))


def forests(total, limit, with_z=True):
    """Lists of trees whose orders add up to ``total``; those of z have orders below ``limit``."""
    if total == 0:
        yield ()
        return
    for order in range(1, total + 1):
        first = [("y", tree) for tree in (trees_y(order) if order < limit or with_z else last_trees(order, limit))]
        if with_z and order < limit:
            first += [("z", tree) for tree in trees_z(order)]
        for tree in first:
            for rest in forests(total - order, limit, with_z):
                if tree[0] == "y" or all(kind == "y" for kind, _ in rest):
                    yield (tree, *rest)


def last_trees(order, limit):
    """Trees of y as large as may be within a tree of z: they hold smaller trees of z only."""
    return sorted({tuple(sorted(children)) for children in forests(order - 1, limit)})


def order_of(kind, tree):
    total = sum(order_of(*child) for child in tree)
    return total + 1 if kind == "y" else total - 1


def density(kind, tree):
    """γ: the exact solution has the coefficient 1/γ."""
    product = Fraction(1)
    for child in tree:
        product *= density(*child)
    return product * order_of(kind, tree) if kind == "y" else product / (order_of(kind, tree) + 1)


class Weights:
    """Elementary weights of the stages of a table."""

    def __init__(self, table):
        s = table.stages
        self.A, self.next, self.b = np.vstack([np.zeros(s), table.A[:-1]]), table.A, table.A[-1]
        self.inverse = np.linalg.inv(table.A)
        self.known = {}

    def __call__(self, kind, tree):
        key = kind, tree
        if key not in self.known:
            found = np.ones(len(self.A))
            for child in tree:
                inner = self(*child)
                if kind == "z":  # constraints hold at the next stage
                    found = found * (self.next @ inner)
                else:
                    found = found * (inner if child[0] == "z" else self.A @ inner)
            self.known[key] = self.inverse @ found if kind == "z" else found
        return self.known[key]


def worst(weights, b, orders, ends=(0.0, 0.0), at=1.0):
    """Largest violation of the conditions of some orders, by weights of stages and of the exact rates at both ends."""
    largest = 0.0
    for order in orders:
        for tree in trees_y(order):
            exact = float(1 / density("y", tree))
            slope0, slope1 = (exact if order == 1 else 0.0), order * exact
            found = b @ weights("y", tree) + ends[0] * slope0 + ends[1] * slope1
            largest = max(largest, abs(found - at**order * exact))
    return largest


def test_number_of_conditions():
    """Those of ordinary differential equations, and many more."""
    plain = [sum(not any(kind == "z" for kind, _ in flat(tree)) for tree in trees_y(p)) for p in range(1, 6)]
    assert plain == [1, 1, 2, 4, 9]
    assert [len(trees_y(p)) for p in range(1, 6)] == [1, 3, 16, 102, 720]


def flat(tree):
    for child in tree:
        yield child
        yield from flat(child[1])


def test_conditions_of_order():
    weights = Weights(HEM5)
    assert worst(weights, HEM5.A[-1], range(1, 6)) < 1e-14
    assert worst(weights, HEM5.A[-2], range(1, 4)) < 1e-13  # its last stage, the embedded result
    assert worst(weights, HEM5.A[-2], [4]) > 1e-2
    low = np.array([HEM5.low.get(j, 0.0) for j in range(8)])
    assert worst(weights, low, range(1, 3)) < 1e-13 and worst(weights, low, [3]) > 1e-2
    middle = np.array([HEM5.middle.get(j, 0.0) for j in range(8)])
    assert worst(weights, middle, range(1, 5), HEM5.middle_ends, at=0.5) < 1e-14


def test_tables_check_themselves():
    good = {"low": {0: 1.0}, "middle": {0: 0.5}, "middle_ends": (0.0, 0.0)}
    HalfExplicitTable(rows=({0: 1.0},), **good)
    with pytest.raises(ValueError, match="row 2 of a half-explicit method must end with the stage before it"):
        HalfExplicitTable(rows=({0: 0.5}, {0: 1.0}), **good)
    with pytest.raises(ValueError, match="sum up to 1"):
        HalfExplicitTable(rows=({0: 0.9},), **good)


def formula_step(formulas, t0, y0, h):
    """One step by its formulas, in extended precision and without any cleverness; forces may depend on λ."""
    A = [[mp.mpf(float(x)) for x in row] for row in HEM5.A]
    nodes = [mp.mpf(0), *(sum(row) for row in A)]
    q, v, u = y0[:2], y0[2:4], y0[4:]
    rates, lam = [], formulas.rates(t0, q, v, u)[3]
    for i, row in enumerate(A):
        t, t_next = t0 + nodes[i] * h, t0 + nodes[i + 1] * h
        qdot = mp.matrix(formulas.T(q)) * mp.matrix(v)
        earlier = [*(r[0] for r in rates), qdot]
        q_next = [y0[k] + h * sum(row[j] * earlier[j][k] for j in range(i + 1)) for k in range(2)]
        known = [y0[2 + k] + h * sum(row[j] * rates[j][1][k] for j in range(i)) for k in range(2)]
        M, (G, _), (G_next, gI) = formulas.M(t, q), formulas.G(t, q), formulas.G(t_next, q_next)
        bottom = -(gI[0] + sum(G_next[k] * known[k] for k in range(2))) / (h * row[i])
        for _ in range(60):
            f, F = formulas.f(t, q, v, lam, u), formulas.F(t, q, v, lam, u)
            K = mp.matrix(3, 3)
            for a in range(2):
                for b in range(2):
                    K[a, b] = M[a][b]
                K[a, 2], K[2, a] = G[a] - F[a], G_next[a]
            x = mp.lu_solve(K, mp.matrix([f[0] - F[0] * lam[0], f[1] - F[1] * lam[0], bottom]))
            change, lam = abs(x[2] - lam[0]), [x[2]]
            if change < mp.mpf(10) ** (5 - mp.dps):
                break
        rates.append((qdot, [x[0], x[1]], formulas.d(t, q, v, lam, u)))
        before = [*q, *v, *u]
        q = q_next
        v = [known[k] + h * row[i] * rates[i][1][k] for k in range(2)]
        u = [y0[4] + h * sum(row[j] * rates[j][2][0] for j in range(i + 1))]
    return [*q, *v, *u], before


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_the_method_does_what_the_formulas_say(friction):
    """One step of a system with everything in it: its end on the velocity constraints, and its last stage."""
    formulas, equations = Formulas(mp.mpf(friction)), traced(friction)
    t0 = mp.mpf(1) / 10
    y0 = formulas.project(t0, [mp.mpf(x) for x in ("0.7", "0.9", "0.3", "-0.2", "0.4")])
    y1, stage = formula_step(formulas, t0, y0, mp.mpf(1) / 8)
    live = LiveRun(equations, da.HalfExplicit(), Options(rtol=0.5, atol=np.full(5, 1e9)), np.zeros(0))
    live.start(0.1, np.array([float(x) for x in y0]), 1.0)
    run = live.run
    run.h, run.t_new = 0.125, 0.225
    run.lam[:] = float(formulas.rates(t0, y0[:2], y0[2:4], y0[4:])[3][0])
    assert half_explicit.attempt(run) == 0
    assert run.y1 == pytest.approx([float(x) for x in y1], abs=1e-13)
    assert run.stage_y == pytest.approx([float(x) for x in stage], abs=1e-13)
    G, gI = equations.evaluate("G", "gI", t=0.225, q=run.y1[:2], v=run.y1[2:4])
    assert G @ run.y1[2:4] + gI == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_order_with_kinematics_friction_and_external_states(friction):
    equations = traced(friction)
    at = Formulas(mp.mpf(friction)).project(mp.mpf(1) / 10, [mp.mpf(x) for x in ("0.7", "0.9", "0.3", "-0.2", "0.4")])
    y = [float(x) for x in at]
    start, span = (y[:2], y[2:4], y[4:]), (0.1, 1.1)
    reference = da.simulate(equations, span, start, method="dop853", rtol=1e-13, atol=1e-14, formalism="contract")
    t, names = np.linspace(*span, 101)[1:-1], ("q", "v", "u", "lam")
    found = []
    for n in (24, 96):
        run = fixed_steps(equations, "hem5", start, span, n)
        found.append(np.concatenate([errors(run, reference, names), errors(run.sol(t), reference.sol(t), names)]))
    observed = np.log(found[0] / found[1]) / np.log(4)
    assert (observed[:4] > 4.5).all() and (observed > 4.2).all() and (observed < 6.5).all(), observed


@pytest.mark.parametrize("solver", MODES)
def test_every_solver(solver):
    """Modes for symmetric matrices serve accelerations and projections; stages have another one then."""
    problem = da.problems.seven_body()
    start, options = (problem.q0, problem.v0), {"method": "hem5", "rtol": 1e-6, "atol": 1e-8}
    run = da.simulate(problem.equations, (0, 0.01), start, solver=solver, **options)
    same = da.simulate(problem.equations, (0, 0.01), start, solver="dense", **options)
    assert run.success and run.statistics.steps == same.statistics.steps
    assert errors(run, same).max() < 1e-9


def test_errors_are_below_the_tolerance():
    problem = da.problems.seven_body()
    reference = da.simulate(problem, method="dop853", rtol=1e-12, atol=1e-13)
    for rtol in (1e-4, 1e-6):
        run = da.simulate(problem, method="hem5", rtol=rtol, atol=1e-2 * rtol)
        assert errors(run, reference).max() < 10 * rtol
        # Its estimate, of the embedded result of order 3, is large beside the error.
        assert run.statistics.rejected < 0.5 * run.statistics.steps
        assert run.nfev <= 9 * (run.statistics.steps + run.statistics.rejected) + 5
