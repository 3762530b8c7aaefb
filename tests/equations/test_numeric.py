"""Equations with black-box functions: what is known of their Jacobians, and how often the functions are called."""

import functools
import pickle
from collections import Counter

import numpy as np
import pytest
from equations.systems import PARAMETERS, Rolling

import dalembert as da
from dalembert.equations.contract.convention import OUTPUTS
from dalembert.equations.contract.provider import Provider

UNKNOWNS = ("q", "v", "a", "lam", "mu", "u")
ROWS = ("qdot", "residual", "g", "gv", "d")
TRACED = Rolling.equations()
FUNCTIONS = ("T", "M", "f", "g", "nonholonomic", "d", "w")
BLACK = [("f",), ("d",), ("f", "d"), ("M",), ("T",), ("g",), ("T", "M", "f", "g", "d")]


class Counted:
    """The functions of Rolling, some of them black boxes that count their calls."""

    def __init__(self, *black):
        self.calls = Counter()
        functions = {key: getattr(Rolling, key) for key in FUNCTIONS}
        for key in black:
            functions[key] = da.numeric(self.counting(key, functions[key]))
        self.equations = da.trace(**functions, n_q=4, n_v=3, n_u=2, parameters=PARAMETERS, name="rolling")

    def counting(self, key, function):
        @functools.wraps(function)
        def counted(*args, **kwargs):
            self.calls[key] += 1
            return function(*args, **kwargs)

        return counted

    def during(self, action):
        """Result of an action, and how often it called functions."""
        self.calls.clear()
        return action(), dict(self.calls)


def point(mu=1.0):
    rng = np.random.default_rng(4)
    sizes = {"q": 4, "v": 3, "u": 2, "lam": 2, "a": 3, "mu": 1}
    found = {key: rng.uniform(0.2, 1.0, n) for key, n in sizes.items()}
    return {**found, "mu": mu * found["mu"], "t": np.array([0.7]), "p": TRACED.parameter_vector()}


def jacobian(equations):
    provider = equations.program("implicit")
    return provider.patterns["jacobian"].dense(provider(["jacobian"], point(mu=0.0))["jacobian"])


def by_blocks(matrix):
    """A Jacobian, or its pattern, by rows and columns."""
    s = TRACED.sizes
    rows = np.split(matrix, np.cumsum([s.q, s.v, s.g, s.lam])[:4])
    return {
        (row, column): block
        for row, part in zip(ROWS, rows, strict=True)
        for column, block in zip(UNKNOWNS, np.split(part, np.cumsum([s.q, s.v, s.v, s.lam, s.g]), axis=1), strict=True)
    }


@pytest.mark.parametrize("black", BLACK, ids="+".join)
def test_quantities_and_rows_are_those_of_the_traced_equations(black):
    equations = Counted(*black).equations
    for program in ("contract", "implicit"):
        names = [name for name in OUTPUTS[program] if name != "jacobian"]
        ours, theirs = equations.program(program), TRACED.program(program)
        found, expected = ours(names, point()), theirs(names, point())
        for name in names:
            values = found[name], expected[name]
            if name in ours.patterns:
                values = ours.patterns[name].dense(found[name]), theirs.patterns[name].dense(expected[name])
            np.testing.assert_allclose(*values, rtol=1e-5 if name == "gamma" else 1e-8, atol=1e-6)


@pytest.mark.parametrize("black", BLACK, ids="+".join)
def test_the_jacobian_is_that_of_the_traced_equations_and_says_that_it_is_not_exact(black):
    equations = Counted(*black).equations
    np.testing.assert_allclose(jacobian(equations), jacobian(TRACED), rtol=2e-5, atol=2e-5)
    assert not equations.program("implicit").exact and equations.program("contract").exact
    assert TRACED.program("implicit").exact


@pytest.mark.parametrize("black", BLACK, ids="+".join)
def test_the_pattern_has_all_entries_of_the_traced_equations(black):
    ours, theirs = (x.program("implicit").patterns["jacobian"] for x in (Counted(*black).equations, TRACED))
    listed = {*zip(ours.columns.tolist(), ours.rows.tolist(), strict=True)}
    assert listed >= {*zip(theirs.columns.tolist(), theirs.rows.tolist(), strict=True)}
    assert list(zip(ours.columns.tolist(), ours.rows.tolist(), strict=True)) == sorted(listed)


def known(equations):
    pattern = equations.program("implicit").patterns["jacobian"]
    return by_blocks(pattern.dense(np.ones(len(pattern.rows))) != 0)


def test_blocks_are_dense_only_where_black_boxes_enter():
    traced, black = known(TRACED), known(Counted("d").equations)
    for key, block in black.items():
        if key[0] == "d" and key[1] in ("v", "lam", "u"):  # the arguments of d
            assert block.all()
        else:
            np.testing.assert_array_equal(block, traced[key])
    still = da.trace(
        M=lambda: np.eye(3), f=da.numeric(lambda q, v: -q - v), g=lambda q: q[:1] - q[1:2], d=lambda u: -u, n_q=3, n_u=2
    )  # fmt: skip
    s = still.sizes
    pattern = still.program("implicit").patterns["jacobian"]
    entries = pattern.dense(np.ones(len(pattern.rows)))
    residual = entries[s.q : s.q + s.v]
    assert residual[:, : s.q + s.v].all()
    np.testing.assert_array_equal(residual[:, s.q + s.v : s.q + 2 * s.v], np.eye(3))  # M
    np.testing.assert_array_equal(residual[:, s.q + 2 * s.v :], [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])  # Gᵀ
    assert entries[: s.q].sum() == 3 + 2  # q̇ = v − Cᵀμ
    assert entries[s.q + s.v :].sum() == 2 + 2 + 2  # g, G v, d


def test_mass_matrices_and_constraints_fill_what_is_made_of_them():
    traced = known(TRACED)
    mass = known(Counted("M").equations)
    assert mass["residual", "a"].all() and mass["residual", "q"].all()
    others = [key for key in traced if key not in (("residual", "a"), ("residual", "q"))]
    assert all((mass[key] == traced[key]).all() for key in others)
    loops = known(Counted("g").equations)
    assert loops["g", "q"].all() and loops["qdot", "mu"].all() and loops["gv", "v"][:1].all()
    assert loops["residual", "lam"][:, :1].all() and loops["residual", "q"].all()
    np.testing.assert_array_equal(loops["gv", "v"][1:], traced["gv", "v"][1:])
    np.testing.assert_array_equal(loops["residual", "a"], traced["residual", "a"])


def test_one_evaluation_of_the_rows_calls_each_function_once(monkeypatch):
    base = None
    asked = []
    original = Provider.__call__

    def called(self, names, inputs):
        asked.append(self.program if self is base else "")
        return original(self, names, inputs)

    for black in (("f",), ("f", "d"), ("M", "f", "d")):
        counted = Counted(*black)
        provider = counted.equations.program("implicit")
        base = counted.equations.base.program("contract")
        asked.clear()
        with monkeypatch.context() as patched:
            patched.setattr(Provider, "__call__", called)
            _, calls = counted.during(lambda provider=provider: provider(ROWS, point()))
        assert calls == dict.fromkeys(black, 1)
        assert asked.count("contract") == 1


def test_constraints_are_differentiated_once_for_all_that_is_made_of_them():
    counted = Counted("g")
    provider = counted.equations.program("implicit")
    _, calls = counted.during(lambda: provider(ROWS, point()))
    n_q = TRACED.sizes.q
    assert calls["g"] == 1 + 2 * n_q + 2  # itself, ∂g/∂q, ∂g/∂t


def test_a_jacobian_calls_functions_for_their_own_arguments_only():
    counted = Counted("f", "d")
    s = TRACED.sizes
    _, calls = counted.during(lambda: counted.equations.program("implicit")(["jacobian"], point()))
    assert calls == {"f": 2 * (s.q + s.v + s.u + s.lam), "d": 2 * (s.v + s.lam + s.u)}


def force(q, v):
    return -q - 0.1 * v


def test_they_pickle_with_their_functions():
    equations = da.trace(M=lambda: np.eye(2), f=da.numeric(force), n_q=2)
    copy = pickle.loads(pickle.dumps(equations))
    np.testing.assert_array_equal(copy.evaluate("f", q=[1.0, 2.0]), [-1.0, -2.0])
    assert not copy.program("implicit").exact


def pulled_chain(builder, calls):
    """A chain of five bodies in space with a black-box force on the tip of the second."""
    m = da.Model("chain", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    bodies = []
    for k in range(5):
        body = m.body(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.01), com=(0, 0, -0.5))
        m.revolute(f"J{k}", last, body.at(0, 0, 0), axis="y", start=0.1 * k)
        bodies.append(body)
        last = body.at(0, 0, -1)

    def pull(positions, velocities):
        calls["pull"] += 1
        return -3.0 * (positions - np.array([1.0, 0.0, -1.0])) - 0.2 * velocities

    m.numeric_force("pull", bodies[1].at(0, 0, -1), pull)
    options = {"coordinates": "absolute"} if builder == "elements" else {}
    return m.equations(**options, builder=builder)


@pytest.mark.parametrize("builder", ["symbolic", "recursion", "elements"])
def test_black_box_forces_of_models_fill_only_what_they_see_and_move(builder):
    calls = Counter()
    equations = pulled_chain(builder, calls)
    provider, s = equations.program("implicit"), equations.sizes
    assert not provider.exact
    state = equations.assemble()
    inputs = {"p": equations.parameter_vector(), "t": np.zeros(1), "mu": np.zeros(s.g)}
    inputs |= {key: getattr(state, key) for key in ("q", "v", "u", "lam", "a")}
    calls.clear()
    rows = provider(ROWS, inputs)
    assert calls["pull"] == 1
    np.testing.assert_allclose(rows["residual"], 0.0, atol=1e-8)
    calls.clear()
    found = provider.patterns["jacobian"].dense(provider(["jacobian"], inputs)["jacobian"])
    seen = 7 + 6 if builder == "elements" else 2 + 2  # pose and twist of one body; two joints
    assert calls["pull"] == 2 * seen
    base = equations.inner.base.program("implicit").patterns["jacobian"]
    more, moving = provider.patterns["jacobian"], s.q + s.v  # columns of q and v
    new = np.sum(more.columns < moving) - np.sum(base.columns < moving)
    acted = 6 if builder == "elements" else 2
    assert 0 <= new <= acted * seen
    # Second road: differences of the rows.
    h, j = 1e-6, 0
    for key in UNKNOWNS:
        for unit in np.eye(len(inputs[key])):
            ahead, behind = (provider(ROWS, {**inputs, key: inputs[key] + sign * h * unit}) for sign in (1, -1))
            column = np.concatenate([ahead[row] - behind[row] for row in ROWS]) / (2 * h)
            np.testing.assert_allclose(found[:, j], column, rtol=1e-6, atol=2e-6)
            j += 1


def test_an_implicit_method_runs_with_the_known_pattern():
    functions = {"M": lambda: np.eye(8), "g": lambda q: q[:2] - q[2:4] ** 2}
    start = np.array([0.25, 0.25, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]), np.zeros(8)
    traced, black = (
        da.simulate(da.trace(f=f, n_q=8, **functions), (0.0, 2.0), start, method="radau", rtol=1e-7, atol=1e-9)
        for f in (force, da.numeric(force))
    )
    assert black.success
    np.testing.assert_allclose(black.q[:, -1], traced.q[:, -1], rtol=1e-6, atol=1e-8)
