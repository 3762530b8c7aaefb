"""Traced equations against the same functions at numbers, hand derivations and finite differences."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest
from equations.systems import PARAMETERS, Rolling, call, difference, jacobian
from hypothesis import given
from hypothesis import strategies as st

import dalembert as da
from dalembert.equations import Sizes

ROLLING = Rolling.equations()
numbers = st.floats(-1.5, 1.5)


def points(*sizes):
    return st.tuples(*(st.lists(numbers, min_size=n, max_size=n).map(np.array) for n in sizes))


@given(numbers, points(4, 3, 2, 2))
def test_quantities_are_the_functions_and_their_derivatives(t, point):
    q, v, lam, u = point
    w = call(Rolling.w, PARAMETERS, t=t)

    def number(function, t=t, q=q, v=v, lam=lam):
        w = call(Rolling.w, PARAMETERS, t=t)
        return call(function, PARAMETERS, t=t, q=q, v=v, lam=lam, u=u, w=w)

    def rows(t, q, v):
        """Velocity constraints: the total time derivative of g, by differences, above the given one."""
        rate = number(Rolling.T, q=q) @ v
        along = difference(lambda s: number(Rolling.g, t=t + s, q=q + s * rate), 0.0)
        return np.concatenate([along, number(Rolling.nonholonomic, t=t, q=q, v=v)])

    names = ("T", "M", "f", "g", "d", "w", "C", "G", "gI", "gamma", "F")
    T, M, f, g, d, found_w, C, G, gI, gamma, F = ROLLING.evaluate(*names, t=t, q=q, v=v, lam=lam, u=u)
    for found, function in ((T, Rolling.T), (M, Rolling.M), (f, Rolling.f), (g, Rolling.g), (d, Rolling.d)):
        assert found == pytest.approx(number(function), rel=1e-13, abs=1e-13)
    assert found_w == pytest.approx(w, rel=1e-14)
    assert C == pytest.approx(jacobian(lambda q: number(Rolling.g, q=q), q) @ T, abs=1e-9)
    assert G == pytest.approx(jacobian(lambda v: rows(t, q, v), v), abs=1e-8)
    assert gI == pytest.approx(rows(t, q, np.zeros(3)), abs=1e-8)
    assert G @ v + gI == pytest.approx(rows(t, q, v), abs=1e-8)
    rate = T @ v
    assert gamma == pytest.approx(-difference(lambda s: rows(t + s, q + s * rate, v), 0.0, 1e-2), abs=1e-6)
    assert F == pytest.approx(jacobian(lambda lam: number(Rolling.f, lam=lam), lam), abs=1e-9)


def test_a_pendulum_by_hand():
    """x² + y² = l²: G = (2x, 2y), gI = 0, γ = −2 (ẋ² + ẏ²)."""
    pendulum = da.trace(
        M=lambda p: p.m * np.eye(2),
        f=lambda p: np.array([0.0, -p.m * 9.81]),
        g=lambda q, p: np.array([q @ q - p.l**2]),
        n_q=2,
        parameters={"m": 2.0, "l": 5.0},
        names={"q": ["x", "y"]},
    )
    assert pendulum.sizes == Sizes(q=2, v=2, lam=1, g=1, u=0, p=2)
    assert pendulum.names == {"q": ("x", "y"), "v": ("x.rate", "y.rate"), "lam": ("lam0",), "u": ()}
    M, G, C, gI, gamma, T, F, d = pendulum.evaluate("M", "G", "C", "gI", "gamma", "T", "F", "d", q=[3, 4], v=[4, -3])
    assert M.tolist() == [[2, 0], [0, 2]] and G.tolist() == C.tolist() == [[6, 8]] and T.tolist() == [[1, 0], [0, 1]]
    assert gI.tolist() == [0] and gamma.tolist() == [-50] and F.tolist() == [[0], [0]] and d.size == 0
    assert pendulum.unit_T and pendulum.C_is_G and not pendulum.normalizes
    start = pendulum.assemble({"x": 3, "y": 4}, [4, -3])
    # Along the string: 2 λ l = m v²/l − m g y/l; across: free fall.
    lam = (2 * 25 - 2 * 9.81 * 4) / (2 * 25)
    assert start.lam == pytest.approx([lam]) and start.a == pytest.approx([-3 * lam, -9.81 - 4 * lam])
    assert repr(pendulum).startswith("<Traced 'equations': 2 coordinates, 2 velocities, 1 constraints")


@given(numbers, points(2, 2))
def test_given_velocity_constraints_take_the_place_of_derived_ones(t, point):
    q, v = point
    shared = {"M": lambda: np.eye(2), "f": lambda: np.zeros(2), "n_q": 2}
    g = lambda t, q: np.array([q[0] * q[1] - np.sin(t)])  # noqa: E731
    derived = da.trace(**shared, g=g)
    scaled = da.trace(
        **shared,
        g=g,
        G=lambda q: np.array([[3.0 * q[1], 3.0 * q[0]], [1.0, q[0]]]),
        gI=lambda t: np.array([-3.0 * np.cos(t), t**2]),
    )
    assert derived.C_is_G and not scaled.C_is_G and scaled.sizes.lam == 2 and scaled.sizes.g == 1
    C, G, gI, gamma = scaled.evaluate("C", "G", "gI", "gamma", t=t, q=q, v=v)
    C1, G1, gI1, gamma1 = derived.evaluate("C", "G", "gI", "gamma", t=t, q=q, v=v)
    assert C == pytest.approx(C1) and G[:1] == pytest.approx(3 * G1) and gI[:1] == pytest.approx(3 * gI1)
    assert gamma[:1] == pytest.approx(3 * gamma1, abs=1e-13)
    assert G[1] == pytest.approx([1, q[0]]) and gamma[1] == pytest.approx(-v[0] * v[1] - 2 * t, abs=1e-13)
    same = da.trace(**shared, g=g, G=lambda q: np.array([[q[1], q[0]]]), gI=lambda t: np.array([-np.cos(t)]))
    assert same.C_is_G


def test_normalized_coordinates():
    euler = da.trace(
        M=lambda: np.eye(4), f=lambda: np.zeros(4), n_q=4, normalize=lambda q: q / np.sqrt(q @ q)
    )  # fmt: skip
    assert euler.normalizes
    assert euler.evaluate("qn", q=[3, 0, 4, 0]) == pytest.approx([0.6, 0, 0.8, 0])


def test_functions_may_return_lists_and_have_defaults_and_methods():
    class Spring:
        stiffness = 3.0

        def force(self, q, *, k=2.0):
            return [-self.stiffness * k * q[0]]

    equations = da.trace(M=lambda: [[2]], f=Spring().force, n_q=1)
    assert equations.evaluate("f", q=[0.5]).tolist() == [-3.0]


# ----------------------------------------------------------------------------------------------------------- parameters


def test_parameters_are_overridden_without_compiling_again(monkeypatch):
    equations = da.trace(
        M=lambda p: np.diag(p.m), f=lambda p, q: -p.k * q, n_q=2, parameters={"m": [1.0, 2.0], "k": 3.0}
    )  # fmt: skip
    program = equations.program("contract")
    monkeypatch.setattr(sys.modules["dalembert.equations.builders.trace"], "compile", None)
    M, f = equations.evaluate("M", "f", q=[1, 1])
    assert np.diag(M).tolist() == [1, 2] and f.tolist() == [-3, -3]
    M, f = equations.evaluate("M", "f", q=[1, 1], parameters={"m": [5, 6], "k": 0.5})
    assert np.diag(M).tolist() == [5, 6] and f.tolist() == [-0.5, -0.5]
    assert equations.program("contract") is program and equations.program("contract").address == program.address
    assert equations.parameters == {"m": (1.0, 2.0), "k": 3.0}
    assert equations.parameter_vector().tolist() == [1, 2, 3]
    equations.parameter_vector()[:] = 0.0
    assert equations.parameter_vector({"k": 4}).tolist() == [1, 2, 4]
    assert equations.parameter_vector().tolist() == [1, 2, 3]


# ------------------------------------------------------------------------------------------------- pickles, fewer rows


@pytest.mark.parametrize("compiled_before", [False, True])
def test_traced_equations_survive_pickling(compiled_before):
    equations = Rolling.equations()
    if compiled_before:
        equations.program("contract")
    again = pickle.loads(pickle.dumps(equations))
    assert again.sizes == equations.sizes and again.names == equations.names and again.name == "rolling"
    assert again.parameters == equations.parameters and again.breaks == equations.breaks
    point = {"t": 0.3, "q": [1, 2, 3, 4], "v": [1, 2, 3], "lam": [1, 2], "u": [1, 2]}
    for name in ("M", "f", "G", "gamma", "d"):
        assert np.array_equal(again.evaluate(name, **point), equations.evaluate(name, **point))
    fewer = pickle.loads(pickle.dumps(equations.restricted((1,))))
    assert fewer.rows == (1,) and fewer.full_rows == 2
    state = pickle.loads(pickle.dumps(da.problems.pendulum().equations.assemble([1.0, 0.0], [0.0, 0.0])))
    assert state.q.tolist() == [1.0, 0.0]


SLIDING = da.trace(
    M=lambda: np.eye(4),
    f=lambda q, lam: np.array([lam[0], lam[1], lam[2], 1.0]) - q,
    g=lambda q: np.array([q[0] * q[1], q[2] - q[3] ** 2]),
    nonholonomic=lambda q, v: np.array([v[0] - q[1] * v[3]]),
    d=lambda u, lam: np.array([lam[0] + 2.0 * lam[2]]) - u,
    n_q=4,
    n_u=1,
    names={"lam": ["a", "b", "c"]},
)
GIVEN = da.trace(
    M=lambda: np.eye(4),
    f=lambda q, lam: np.array([lam[0], lam[1], lam[2], 1.0]) - q,
    g=lambda q: np.array([q[0] * q[1], q[2] - q[3] ** 2]),
    G=lambda q: np.array([[q[1], q[0], 0, 0], [0, 0, 1, -2 * q[3]], [1, 0, 0, -q[1]]]),
    d=lambda u, lam: np.array([lam[0] + 2.0 * lam[2]]) - u,
    n_q=4,
    n_u=1,
    names={"lam": ["a", "b", "c"]},
)


@pytest.mark.parametrize("equations", [SLIDING, GIVEN], ids=["derived", "given"])
@pytest.mark.parametrize("rows", [(0, 1, 2), (0, 1), (0, 2), (1, 2), (0,), (1,), (2,), ()])
def test_restricted_equations_keep_some_rows(equations, rows):
    """Reactions of the others are zero, wherever forces and external states depend on them."""
    fewer = equations.restricted(rows)
    assert (fewer is equations) == (rows == (0, 1, 2))
    assert fewer.rows == rows and fewer.full_rows == 3 and fewer.names["lam"] == tuple("abc"[i] for i in rows)
    holonomic = [i for i in rows if i < 2]
    assert fewer.sizes.lam == len(rows) and fewer.sizes.g == len(holonomic)
    q, v, u = [0.5, 0.7, -0.2, 1.1], [1.0, 2.0, 3.0, 4.0], [0.3]
    lam = np.zeros(3)
    lam[list(rows)] = [0.4, 0.5, 0.6][: len(rows)]
    names = ("G", "gI", "gamma", "f", "d", "F", "g", "C")
    point = {"q": q, "v": v, "u": u}
    G, gI, gamma, f, d, F, g, C = equations.evaluate(*names, lam=lam, **point)
    G1, gI1, gamma1, f1, d1, F1, g1, C1 = fewer.evaluate(*names, lam=lam[list(rows)], **point)
    pick = list(rows)
    assert np.array_equal(G1, G[pick]) and np.array_equal(gI1, gI[pick]) and np.array_equal(gamma1, gamma[pick])
    assert np.array_equal(f1, f) and np.array_equal(d1, d) and np.array_equal(F1, F[:, pick])
    assert np.array_equal(g1, g[holonomic]) and np.array_equal(C1, C[holonomic])
    for program in ("explicit", "implicit"):
        fewer.program(program)


def test_restricted_twice_knows_the_rows_of_the_whole():
    once = SLIDING.restricted((0, 2))
    assert once.restricted((1,)).rows == (2,) and once.restricted((1,)).full_rows == 3
    assert np.array_equal(once.restricted((1,)).evaluate("G", q=np.ones(4)), [[1, 0, 0, -1]])


def test_a_mode_that_comes_back_is_the_same_object():
    made = da.trace(M=lambda: np.eye(2), f=lambda: np.zeros(2), g=lambda q: np.array([q[0], q[1]]), n_q=2, name="modes")
    assert made.restricted([1]) is made.restricted((1,)) and made.restricted([0]) is not made.restricted([1])
    assert pickle.loads(pickle.dumps(made)).restricted([1]).rows == (1,)
