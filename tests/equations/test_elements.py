"""Elements put together against the same system traced as a whole, and what is refused."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest
from equations.systems import implicit_rows, jacobian

import dalembert as da
from dalembert.errors import ConstraintError, EquationsError, StateError
from dalembert.problems import bars, pendulum_chain

N = 3


def traced_chain(n=N, gravity=9.81):
    """The chain of the library, written as one system: rows in the order in which its elements are added."""
    half, m = 0.5 / n, 1.0 / n
    J = m / n**2 / 12

    def g(q):
        rows = [*bars.place(q[:3], -half)]
        for i in range(n - 1):
            rows += [*(bars.place(q[3 * i + 3 : 3 * i + 6], -half) - bars.place(q[3 * i : 3 * i + 3], half))]
        return np.array(rows)

    return da.trace(
        M=lambda: np.diag([m, m, J] * n),
        f=lambda p: np.array([0.0, -m, 0.0] * n) * p.g,
        g=g,
        n_q=3 * n,
        parameters={"g": gravity},
        name="traced chain",
    )


CHAIN, TRACED = pendulum_chain(N).equations, traced_chain()


@pytest.mark.parametrize("seed", range(5))
def test_elements_make_the_same_quantities_as_one_traced_system(seed):
    rng = np.random.default_rng(seed)
    q, v = rng.standard_normal((2, 3 * N))
    names = ("T", "M", "f", "G", "gI", "g", "gamma", "F", "C", "d", "qn", "w")
    for name, found, expected in zip(
        names, CHAIN.evaluate(*names, q=q, v=v), TRACED.evaluate(*names, q=q, v=v), strict=True
    ):
        assert found.shape == expected.shape, name
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-14), name


@pytest.mark.parametrize("seed", range(3))
def test_elements_make_the_same_residuals_and_jacobian(seed):
    x = np.random.default_rng(seed).standard_normal(9 * N + 4 * N)
    (rows, found), (expected_rows, expected) = (implicit_rows(made, x, 0.0) for made in (CHAIN, TRACED))
    assert rows == pytest.approx(expected_rows, abs=1e-13) and found == pytest.approx(expected, abs=1e-13)
    assert found == pytest.approx(jacobian(lambda x: implicit_rows(CHAIN, x, 0.0)[0], x), abs=1e-9)


def test_constraints_that_no_other_element_shares_coordinates_with():
    """q̇ = v − Cᵀμ also where only one element adds to v."""
    one, traced = pendulum_chain(1).equations, traced_chain(1)
    x = np.random.default_rng(0).standard_normal(13)
    for found, expected in zip(implicit_rows(one, x, 0.0), implicit_rows(traced, x, 0.0), strict=True):
        assert found == pytest.approx(expected, abs=1e-14)
    swings = [
        da.simulate(made, (0.0, 1.0), (pendulum_chain(1).q0, np.zeros(3)), method="radau", rtol=1e-9, atol=1e-9)
        for made in (one, traced)
    ]
    assert swings[0].q[:, -1] == pytest.approx(swings[1].q[:, -1], abs=1e-8)


def test_sizes_names_and_start_are_the_same():
    assert CHAIN.sizes.q == TRACED.sizes.q and CHAIN.sizes.lam == CHAIN.sizes.g == TRACED.sizes.lam
    assert CHAIN.names["q"][:3] == ("x1", "y1", "phi1") and CHAIN.names["v"][0] == "x1.rate"
    assert CHAIN.names["lam"][0] == "ground hinge[0].0" and CHAIN.names["lam"][-1] == "hinge[1].1"
    assert CHAIN.lacks("explicit") and not CHAIN.lacks("implicit")
    q0 = pendulum_chain(N).q0 + 0.01
    start, expected = CHAIN.assemble(q0, held=["phi1"]), TRACED.assemble(q0, held=["q2"])
    for name in ("q", "v", "a", "lam"):
        assert getattr(start, name) == pytest.approx(getattr(expected, name), abs=1e-10)


def spring_chain(friction=0.0):
    """Masses on a line with springs that overlap, time-dependent support, and friction from reactions."""
    b = da.Elements("springs", coordinates=3, parameters={"g": 9.81, "k": 2.0})
    b.add(
        "mass", coordinates=[[0], [1], [2]], M=lambda p: [[p.m]], f=lambda p: [-p.m * p.g], data={"m": [1.0, 2.0, 3.0]}
    )
    b.add("spring", coordinates=[[0, 1], [2, 1], [0, 2]], data={"c": [0.1, 0.2, 0.3], "l": 0.5},
          M=lambda p: np.array([[p.c, p.c / 2], [p.c / 2, p.c]]),
          f=lambda t, q, v, p: (
              (p.k * (q[1] - q[0] - p.l) + p.c * v[0] * v[1] + np.sin(t)) * np.array([1.0, -1.0])
          ))  # fmt: skip
    b.add("support", coordinates=[[1]], g=lambda t, q, p: [q[0] - p.h * np.sin(t)], data={"h": 0.3},
          f=lambda v, lam: [-friction * lam[0] * np.tanh(v[0])])  # fmt: skip
    return b.equations()


def test_what_elements_say_about_the_same_coordinates_is_added():
    t, q, v, lam = 0.7, np.array([0.1, 0.5, -0.4]), np.array([1.0, 2.0, 3.0]), np.array([0.6])
    M, f, G, gI, g, gamma, F = spring_chain(0.2).evaluate(
        "M", "f", "G", "gI", "g", "gamma", "F", t=t, q=q, v=v, lam=lam
    )
    expected, force = np.diag([1.0, 2.0, 3.0]), -9.81 * np.array([1.0, 2.0, 3.0])
    for (i, j), c in (((0, 1), 0.1), ((2, 1), 0.2), ((0, 2), 0.3)):
        expected[np.ix_([i, j], [i, j])] += c * np.array([[1, 0.5], [0.5, 1]])
        s = 2.0 * (q[j] - q[i] - 0.5) + c * v[i] * v[j] + np.sin(t)
        force[i] += s
        force[j] -= s
    force[1] -= 0.2 * 0.6 * np.tanh(2.0)
    assert M == pytest.approx(expected) and f == pytest.approx(force)
    assert G.tolist() == [[0, 1, 0]] and g == pytest.approx([0.5 - 0.3 * np.sin(t)])
    assert gI == pytest.approx([-0.3 * np.cos(t)]) and gamma == pytest.approx([-0.3 * np.sin(t)])
    assert F == pytest.approx(np.array([[0.0], [-0.2 * np.tanh(2.0)], [0.0]]))


def test_parameters_of_elements_are_overridden_without_compiling():
    equations = spring_chain()
    program = equations.program("contract")
    M, f = equations.evaluate("M", "f", q=np.zeros(3), parameters={"mass.m": [4, 5, 6], "g": 1.0, "spring.l": 0.0})
    assert np.diag(M) == pytest.approx([4.4, 5.3, 6.5]) and f == pytest.approx([-4, -5, -6])
    assert equations.program("contract") is program
    with pytest.raises(EquationsError, match=r"has no parameter 'mass'; did you mean 'mass.m'"):
        equations.evaluate("M", q=np.zeros(3), parameters={"mass": 1})
    with pytest.raises(EquationsError, match=r"parameter 'mass\.m' has the shape \(3,\), got \(\)"):
        equations.evaluate("M", q=np.zeros(3), parameters={"mass.m": 1.0})


def test_further_functions_can_be_traced_with_the_symbols_of_elements():
    """As events are."""
    values, inputs = spring_chain().namespace()
    assert len(values["q"]) == 3 and len(inputs["p"]) == spring_chain().sizes.p
    values["p"].g + values["p"].k  # the common parameters by their names


def test_assembled_equations_survive_pickling():
    again = pickle.loads(pickle.dumps(CHAIN))
    assert again.names == CHAIN.names and again.sizes == CHAIN.sizes
    q = np.random.default_rng(3).standard_normal(3 * N)
    for name in ("M", "f", "G", "gamma"):
        assert np.array_equal(again.evaluate(name, q=q), CHAIN.evaluate(name, q=q))


def test_rows_are_switched_off_one_by_one():
    assert CHAIN.restricted(range(2 * N)) is CHAIN
    q, v = np.random.default_rng(4).standard_normal((2, 3 * N))
    found, expected = CHAIN.restricted((0, 3, 4)), TRACED.restricted((0, 3, 4))
    assert found.rows == (0, 3, 4) and found.full_rows == 2 * N and CHAIN.restricted((0, 3, 4)) is found
    for name in ("M", "f", "G", "gI", "g", "gamma", "F", "C"):
        assert found.evaluate(name, q=q, v=v) == pytest.approx(expected.evaluate(name, q=q, v=v), abs=1e-14)


# ----------------------------------------------------------------------------------------------------------- large ones


def test_a_chain_of_thousands_compiles_as_much_as_a_chain_of_two(monkeypatch):
    module = sys.modules["dalembert.equations.builders.element_types"]
    compiled, counts = module.LanesFunction, []

    def counting(outputs, inputs, name):
        function = compiled(outputs, inputs, name)
        counts[-1].append((name, function.work_size(1)))
        return function

    monkeypatch.setattr(module, "LanesFunction", counting)
    providers = []
    for n in (2, 4096):
        counts.append([])
        problem = pendulum_chain(n)
        providers.append(problem.equations.program("contract"))
    assert counts[0] == counts[1] and len(counts[0]) == 3
    small, large = (sum(p.out_sizes) + p.work_size for p in providers)
    assert large < 2048 * small  # memory in proportion to n

    # One evaluation, bent so that every link has another angle.
    n, equations = 4096, problem.equations
    rng = np.random.default_rng(0)
    phi, rate = rng.uniform(-3, 3, n), rng.standard_normal(n)
    half = 0.5 / n
    q, v = np.zeros(3 * n), np.zeros(3 * n)
    ends = np.cumsum(2 * half * np.exp(1j * phi))
    speeds = np.cumsum(2 * half * 1j * rate * np.exp(1j * phi))
    centre, speed = ends - half * np.exp(1j * phi), speeds - half * 1j * rate * np.exp(1j * phi)
    q[0::3], q[1::3], q[2::3] = centre.real, centre.imag, phi
    v[0::3], v[1::3], v[2::3] = speed.real, speed.imag, rate
    inputs = {"p": equations.parameter_vector(), "t": np.zeros(1), "q": q, "v": v, "lam": np.zeros(2 * n)}
    out = providers[1](["M", "f", "G", "gI", "g", "gamma"], inputs)
    pattern = providers[1].patterns["G"]
    velocity = np.bincount(pattern.rows, out["G"] * v[pattern.columns], 2 * n)
    assert np.max(np.abs(out["g"])) < 1e-13 and np.max(np.abs(velocity)) < 1e-12 and not out["gI"].any()
    assert out["f"][1::3] == pytest.approx(np.full(n, -9.81 / n)) and not out["f"][0::3].any()
    assert len(out["M"]) == 3 * n and out["M"][2::3] == pytest.approx(np.full(n, 1 / n**3 / 12))
    # Centripetal parts: of the hinge between links i and i+1.
    along = half * rate**2 * np.exp(1j * phi)
    expected = np.concatenate([[-along[0]], along[1:] * -1 - along[:-1]])
    gamma = out["gamma"][0::2] + 1j * out["gamma"][1::2]
    assert np.max(np.abs(np.abs(gamma) - np.abs(expected))) < 1e-15


@pytest.mark.parametrize("n", [100, 200])
def test_starts_of_chains_on_both_sides_of_dense_algebra(n):
    """Forces balance, constraints hold, and the far end of the chain does not know yet that the other one is hinged."""
    problem = pendulum_chain(n)
    start = problem.equations.assemble(problem.q0)
    M, f, G, gamma = problem.equations.evaluate("M", "f", "G", "gamma", q=start.q, v=start.v)
    scale = np.max(np.abs(f))
    assert np.max(np.abs(M @ start.a - f + G.T @ start.lam)) < 1e-11 * scale
    assert np.max(np.abs(G @ start.a - gamma)) < 1e-9
    assert start.a[-2] == pytest.approx(-9.81, rel=1e-12)


def large_with(**extra):
    """Masses on a line whose neighbours keep their distance: more unknowns than are treated by dense algebra."""
    n = 450
    b = da.Elements("line", coordinates=n)
    pull = np.sin(np.arange(n))
    b.add("mass", coordinates=np.arange(n)[:, None], M=lambda: [[1.0]], f=lambda p: [p.pull], data={"pull": pull})
    neighbours = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)
    b.add("rod", coordinates=neighbours, g=lambda q: [q[1] - q[0] - 1.0], **extra)
    return b, n


def test_starts_of_large_systems_know_friction_from_reactions():
    b, n = large_with(f=lambda lam: np.array([0.5 * lam[0], 0.0]))
    equations = b.equations()
    start = equations.assemble(np.arange(n))
    f, F, G = equations.evaluate("f", "F", "G", q=start.q, lam=start.lam)
    assert F.any() and np.max(np.abs(start.lam)) > 0.1
    assert np.max(np.abs(start.a - f + G.T @ start.lam)) < 1e-9


def test_redundant_constraints_of_large_systems_are_refused_and_named():
    b, n = large_with()
    b.add("twin", coordinates=[[7, 8]], g=lambda q: [q[1] - q[0] - 1.0])
    with pytest.raises(ConstraintError, match=r"1 of 450 constraints depend on the others: (twin\[0\]|rod\[7\])"):
        b.equations().assemble(np.arange(n))


# --------------------------------------------------------------------------------------------------------------- errors


def builder():
    return da.Elements("toy", coordinates=["x", "y", "z"], parameters={"g": 9.81})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"coordinates": [[0], [3]]}, r"element 'mass': instance 1 refers to coordinate 3, but there are 3"),
        ({"coordinates": [[-1]]}, r"instance 0 refers to coordinate -1"),
        ({"coordinates": [[0, 1], [2, 2]]}, r"instance 1 names coordinate 2 twice"),
        ({"coordinates": [0, 1]}, r"must be whole numbers of shape \(instances, k\)"),
        ({"coordinates": [[0.5]]}, r"must be whole numbers"),
        ({"coordinates": [[0], [1, 2]]}, r"must be whole numbers"),
        ({"coordinates": [["x"]]}, r"must be whole numbers"),
        ({"coordinates": np.zeros((0, 1), dtype=int)}, r"must be whole numbers"),
        ({"data": {"m": [1.0, 2.0]}}, r"data 'm' must be one number, or 3 for its 3 instances; got the shape \(2,\)"),
        ({"data": {"m": np.ones((3, 1))}}, r"got the shape \(3, 1\)"),
        ({"data": {"m": "heavy"}}, r"data 'm'"),
        ({"data": {"g": 1.0}}, r"data 'g' must be an identifier that is no common parameter"),
        ({"data": {"a b": 1.0}}, r"data 'a b' must be an identifier"),
        ({"M": lambda: np.eye(2)}, r"'toy', element 'mass': function M must have the shape \(1, 1\), got \(2, 2\)"),
        ({"f": lambda: np.ones(2)}, r"function f must have the shape \(1,\), got \(2,\)"),
        ({"g": lambda q: q[0]}, r"function g must have the shape \(any,\)"),
        ({"f": lambda q, u: q}, r"function f asks for an argument 'u'; .*lam, p, q, t, v"),
        ({"f": lambda p: [p.mass]}, r"function f: there is no parameter 'mass'"),
        ({"f": lambda q: [float(q[0])]}, r"function f cannot be traced"),
    ],
)
def test_elements_that_do_not_fit_are_refused(arguments, words):
    given = {"coordinates": [[0], [1], [2]], "M": lambda: [[1.0]], **arguments}
    with pytest.raises(EquationsError, match=words) as caught:
        builder().add("mass", **given)
    caught.match("toy")


def test_an_element_that_was_refused_leaves_nothing_behind():
    b = builder()
    with pytest.raises(EquationsError):
        b.add("mass", coordinates=[[0]], M=lambda: np.eye(2), data={"m": 1.0})
    b.add("mass", coordinates=[[0], [1], [2]], M=lambda p: [[p.m]], data={"m": 2.0})
    assert b.equations().parameters == {"g": 9.81, "mass.m": 2.0}


def test_systems_of_elements_that_do_not_fit_are_refused():
    with pytest.raises(EquationsError, match="'toy' has no elements yet"):
        builder().equations()
    b = builder()
    b.add("mass", coordinates=[[0], [2]], M=lambda: [[1.0]])
    with pytest.raises(EquationsError, match="'toy': no element refers to the coordinate y"):
        b.equations()
    with pytest.raises(EquationsError, match="element 'mass' is there already"):
        b.add("mass", coordinates=[[1]], M=lambda: [[1.0]])
    for bad in (["x", "x"], [], 0):
        with pytest.raises(EquationsError, match="coordinates need different names, at least one"):
            da.Elements("toy", coordinates=bad)
    with pytest.raises(EquationsError, match=r"parameter 'g' must be a number"):
        da.Elements("toy", coordinates=1, parameters={"g": "heavy"}).add("m", coordinates=[[0]], M=lambda: [[1.0]])
    with pytest.raises(EquationsError, match="parameter 'a b'"):
        da.Elements("toy", coordinates=1, parameters={"a b": 1.0}).add("mass", coordinates=[[0]], M=lambda: [[1.0]])


def test_common_parameters_may_be_arrays():
    b = da.Elements("toy", coordinates=2, parameters={"m": 3.0, "k": [[1.0, 2.0], [4.0, 8.0]]})
    b.add(
        "mass",
        coordinates=[[0], [1]],
        M=lambda p: [[p.m]],
        f=lambda q, p: [-p.k[1, 0] * q[0] + p.c],
        data={"c": [5, 6]},
    )
    f = b.equations().evaluate("f", q=[1.0, 2.0])
    np.testing.assert_array_equal(f, [-4.0 + 5.0, -8.0 + 6.0])
    f = b.equations().evaluate("f", q=[1.0, 2.0], parameters={"k": np.full((2, 2), 7.0)})
    np.testing.assert_array_equal(f, [-7.0 + 5.0, -14.0 + 6.0])


def test_a_coordinate_without_mass_is_refused_at_the_start():
    b = builder()
    b.add("mass", coordinates=[[0], [2]], M=lambda: [[1.0]])
    b.add("spring", coordinates=[[0, 1]], f=lambda q: (q[1] - q[0]) * np.array([1.0, -1.0]))
    with pytest.raises(EquationsError, match=r"mainly y.rate has no inertia; give it mass, or a constraint"):
        b.equations().assemble([0, 0, 0])
    with pytest.raises(StateError, match="q must have 3 entries"):
        b.equations().assemble([0, 0])
