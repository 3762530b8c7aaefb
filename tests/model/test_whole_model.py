"""Code of the whole model: articulated bodies and composite inertias on atoms, beside elimination and recursions."""

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.contract import elimination
from dalembert.errors import ModelError
from dalembert.model.formulate.whole import body_pairs
from dalembert.symbolic import compile, linear_coefficients


def robot(seed, loads=True):
    """A tree with all kinds of joints, branches, and a floating body that carries others."""
    random = np.random.default_rng(seed)
    m = da.Model("robot", gravity=(0.3, -0.2, -9.81))
    m.parameters(arm=0.7, weight=1.3)

    def body(name, **options):
        B = random.normal(size=(3, 3))
        S = 0.1 * B @ B.T + 0.05 * np.eye(3)
        return m.body(
            name, m.p.weight * random.uniform(0.5, 1.5), np.trace(S) * np.eye(3) - S, random.normal(size=3), **options
        )

    def marker(one):
        return one.at(*random.uniform(-1, 1, 2), m.p.arm, rotation=random.normal(size=4))

    base = body("base")
    bodies = [m.ground, base]
    kinds = [
        "revolute",
        "prismatic",
        "cylindrical",
        "universal",
        "spherical",
        "screw",
        "fixed",
        "planar_joint",
        "revolute",
    ]
    for k, kind in enumerate(kinds):
        one = body(f"b{k}")
        on = bodies[random.integers(len(bodies))]
        more = {"pitch": 0.2} if kind == "screw" else {}
        pair = (marker(on), marker(one)) if k % 2 else (marker(one), marker(on))
        getattr(m, kind)(f"j{k}", *pair, **more)
        bodies.append(one)
    if loads:
        m.spring("spring", bodies[3].at(0, 0, 0.3), bodies[5].at(0.2, 0, 0), 50.0, 3.0, length=0.4)
    return m


def state_of(equations, seed):
    random = np.random.default_rng(seed)
    q, v = random.uniform(-1, 1, equations.sizes.q), random.normal(size=equations.sizes.v)
    q = equations.evaluate("qn", q=q)
    return q, v


@pytest.mark.parametrize("seed", [1, 2])
def test_composite_inertias_and_articulated_bodies_are_elimination(seed):
    equations = robot(seed).equations()
    x, scene = equations.inner.expressions, equations.scene
    q, v = state_of(equations, seed)
    minus_M, _ = linear_coefficients(scene.generalised(body_pairs(scene)), scene.inputs["a"])
    inputs = {key: x.inputs[key] for key in ("p", "t", "q", "v", "u", "lam", "a", "mu")}
    plain = elimination._solved(x)[0]
    made = elimination.explicit(x)["a"]
    function = compile({"M": -minus_M, "M tree": x.M, "a": np.array(plain), "a tree": made}, inputs)
    zero = np.zeros(0)
    found = function(equations.parameter_vector(), np.zeros(1), q, v, zero, zero, np.zeros(equations.sizes.v), zero)
    scale = np.abs(found["M"]).max()
    assert found["M tree"] == pytest.approx(found["M"], abs=1e-13 * scale)
    assert found["a tree"] == pytest.approx(found["a"], rel=1e-9, abs=1e-10 * np.abs(found["a"]).max())


def test_forward_dynamics_is_that_of_the_recursions():
    m = robot(3, loads=False)
    m.parameters(arm=0.6)
    f, equations = m.forward_dynamics(), m.equations("relative", builder="recursion")
    q, v = state_of(equations, 3)
    tau = np.random.default_rng(3).normal(size=len(v))
    M, force = equations.evaluate("M", "f", q=q, v=v)
    a = f(q, v, tau, equations.parameter_vector())["a"]
    assert M @ a == pytest.approx(force + tau, abs=1e-9 * np.abs(M).max())


def test_numeric_tree_of_numbers_is_the_same():
    m = da.Model("arm", gravity=(0, 0, -9.81))
    last = m.ground
    for k in range(7):
        body = m.body(f"link{k}", 1.0 + k, (0.1, 0.12, 0.14), (0.1, 0.2, 0.3))
        m.revolute(f"j{k}", last.at(0, 0.1, 0.4), body, axis=(1, k, 2))
        last = body
    q, v, tau = np.random.default_rng(0).normal(size=(3, 7))
    a = m.tree_dynamics().forward_dynamics(q, v, tau)
    assert m.forward_dynamics()(q, v, tau)["a"] == pytest.approx(a, rel=1e-11)
    assert m.tree_dynamics().inverse_dynamics(q, v, a) == pytest.approx(tau, abs=1e-11)


def test_loops_have_no_forward_dynamics_of_a_tree():
    m = da.Model("loop", plane="xy")
    a, b = m.body("a", 1.0, 0.1), m.body("b", 1.0, 0.1)
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(1, 0), b.at(0, 0))
    m.revolute("C", b.at(1, 0), m.ground.at(1, 0))
    for question in (m.forward_dynamics, m.tree_dynamics):
        with pytest.raises(ModelError, match=r"is for trees, but '.' is a constraint or has states"):
            question()
