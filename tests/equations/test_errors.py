"""What is wrong with a description of equations is said with the culprit and the remedy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import EquationsError, StateError


def make(**changes):
    given = {"M": lambda: np.eye(2), "f": lambda q: -q, "n_q": 2, "name": "toy", **changes}
    return da.trace(**{key: value for key, value in given.items() if value is not None})


def branch(q):
    return q if q[0] > 0 else -q


def fill(q):
    M = np.zeros((2, 2))
    M[0, 0] = q[0]
    return M


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"M": lambda: np.eye(3)}, [r"'toy': function M must have the shape \(2, 2\), got \(3, 3\)"]),
        ({"f": lambda q: q[:1]}, [r"function f must have the shape \(2,\), got \(1,\)"]),
        ({"f": lambda q: None}, [r"function f must (have|return)", r"\(2,\)"]),
        ({"g": lambda q: q[0]}, [r"function g must have the shape \(any,\), got \(\)"]),
        ({"G": lambda: np.ones((1, 3))}, [r"function G must have the shape \(any, 2\), got \(1, 3\)"]),
        ({"G": lambda: np.ones((1, 2)), "gI": lambda: np.ones(2)}, [r"function gI must have the shape \(1,\)"]),
        ({"T": lambda: np.eye(3)}, [r"function T must have the shape \(2, 2\)"]),
        ({"n_u": 2, "d": lambda u: u[:1]}, [r"function d must have the shape \(2,\)"]),
        ({"w": lambda t: np.eye(2)}, [r"function w must have the shape \(any,\)"]),
        ({"normalize": lambda q: q[:1]}, [r"function normalize must have the shape \(2,\)"]),
        ({"f": lambda lamda: lamda}, ["function f asks for an argument 'lamda'; did you mean 'lam'"]),
        ({"f": lambda q, velocity: q}, ["'velocity'", "Valid names are: lam, p, q, t, u, v"]),
        ({"M": lambda v: np.diag(v)}, ["function M asks for an argument 'v'", "Valid names are: p, q, t"]),
        ({"g": lambda lam: lam}, ["function g asks for an argument 'lam'"]),
        ({"w": lambda q: q}, ["function w asks for an argument 'q'", "Valid names are: p, t"]),
        ({"f": lambda w: w}, ["function f asks for an argument 'w'"]),
        ({"f": lambda *all: all[0]}, ["function f must name its arguments", r"\*all"]),
        ({"M": np.eye(2)}, ["function M must be a Python function"]),
        ({"f": branch}, ["function f cannot be traced", r"where\(", r"dalembert\.numeric\(function\)"]),
        ({"f": lambda q: [math.sin(q[0]), 0]}, ["function f cannot be traced", "np.sin", r"dalembert\.numeric"]),
        ({"M": fill}, ["function M cannot be traced", "zeros", r"dalembert\.numeric"]),
        ({"f": lambda q: np.interp(q, [0, 1], [0, 1])}, ["function f cannot be traced", r"dalembert\.numeric"]),
        ({"n_v": 1, "M": lambda: np.eye(1)}, ["n_v = 1 differs from n_q = 2, so T of q̇ = T v must be given"]),
        ({"n_u": 1}, ["n_u = 1, but d of u̇ = d is missing"]),
        ({"n_q": 0}, ["n_q must be a positive whole number, got 0"]),
        ({"n_q": 2.0}, ["n_q must be a positive whole number, got 2.0"]),
        ({"n_u": -1}, ["n_u must be"]),
        ({"nonholonomic": lambda v: [v[0] * v[1]]}, ["function nonholonomic must be linear in v"]),
        ({"nonholonomic": lambda v: [np.sin(v[0])]}, ["function nonholonomic must be linear in v"]),
        ({"nonholonomic": lambda v: [v[0]], "G": lambda: [[1, 0]]}, ["give either G, with all rows, or nonholonomic"]),
        ({"g": lambda q: q, "G": lambda: [[1, 0]]}, ["G has 1 rows, fewer than the 2 rows of g"]),
        ({"g": lambda q: [q[0]], "gI": lambda: [0]}, ["gI belongs to G"]),
        ({"parameters": {"a b": 1}}, ["parameter 'a b' must be a Python identifier"]),
        ({"parameters": {7: 1}}, ["parameter '7' must be a Python identifier"]),
        ({"parameters": {"a": "x"}}, ["parameter 'a' must be a number or an array of numbers"]),
        ({"parameters": {"a": [[1], [1, 2]]}}, ["parameter 'a' must be a number or an array of numbers"]),
        ({"parameters": {"stiffness": 1}, "f": lambda q, p: p.stifness * q}, ["function f", "mean 'stiffness'"]),
        ({"names": {"q": ["a"]}}, [r"2 different names are needed for q, got \['a'\]"]),
        ({"names": {"q": ["a", "a"]}}, ["2 different names are needed for q"]),
        ({"names": {"lam": ["a"]}}, ["0 different names are needed for lam"]),
        ({"names": {"x": ["a"]}}, ["names are given for 'x'; Valid names are: lam, q, u, v"]),
        ({"breaks": ["noon"]}, ["breaks"]),
        ({"g": lambda q, t: [q[0] - t], "G": lambda: [[1.0, 0.0]]}, ["gI"]),  # or velocities would not follow g
        ({"breaks": (np.nan,)}, ["breaks must be finite numbers"]),
        ({"breaks": (0.0, np.inf)}, ["breaks must be finite numbers"]),
        ({"names": ["x", "y"]}, ["names must be a dictionary"]),
        ({"parameters": [1.0, 2.0]}, ["parameters must be a dictionary"]),
        ({"normalize": da.numeric(lambda q: q)}, ["normalize cannot be a numeric function"]),
        ({"nonholonomic": da.numeric(lambda v: v[:1])}, ["nonholonomic cannot be a numeric function"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(changes, words):
    with pytest.raises(EquationsError) as caught:
        make(**changes)
    for word in words:
        caught.match(word)
    caught.match("toy")


def test_constraints_may_depend_on_excitations_and_time():
    made = make(w=lambda t: [np.sin(t)], g=lambda q, w, t: [q[0] - w[0] * t])
    assert made.evaluate("gI", t=0.5, q=[0, 0]) == pytest.approx([-np.sin(0.5) - 0.5 * np.cos(0.5)])


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ({"q": [1]}, "q must have 2 entries, got 1"),
        ({"q": [1, "a"]}, "q must be 2 numbers"),
        ({"q": [1, np.nan]}, r"q\[1\] \(y\) is nan"),
        ({"q": [1, 2], "v": [np.inf, 0]}, r"v\[0\] \(x\.rate\) is inf"),
        ({"q": {"x": 1, "z": 2}}, "has no q 'z'"),
        ({"q": {"x": "a"}}, "q"),
    ],
)
def test_states_that_do_not_fit_are_refused(point, words):
    with pytest.raises(StateError, match=words):
        make(names={"q": ["x", "y"]}).evaluate("M", **point)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"masss": 1}, "has no parameter 'masss'; did you mean 'mass'"),
        ({"mass": [1, 2]}, r"parameter 'mass' has the shape \(\), got \(2,\)"),
        ({"mass": np.nan}, "parameter 'mass' is not finite"),
        ({"mass": "x"}, "parameter 'mass'"),
    ],
)
def test_overrides_that_do_not_fit_are_refused(overrides, words):
    equations = make(M=lambda p: p.mass * np.eye(2), parameters={"mass": 1.0})
    with pytest.raises(EquationsError, match=words):
        equations.evaluate("M", q=[0, 0], parameters=overrides)


def test_unknown_quantities_and_programs_are_refused():
    with pytest.raises(EquationsError, match="has no quantity 'gama'; did you mean 'gamma'"):
        make().evaluate("gama", q=[0, 0])
    with pytest.raises(EquationsError, match="has no program 'explizit'"):
        make().program("explizit")


@pytest.mark.parametrize("rows", [(1, 0), (0, 0), (2,), (-1,)])
def test_rows_that_are_no_rising_numbers_of_rows_are_refused(rows):
    equations = make(g=lambda q: [q[0]], nonholonomic=lambda v: [v[1]])
    with pytest.raises(EquationsError, match="rows"):
        equations.restricted(rows)


def test_numeric_constraints_may_depend_on_excitations():
    eqs = make(w=lambda t: np.array([2 * t, t]), g=da.numeric(lambda q, w: np.array([q[0] - w[0], q[1] - w[1]])))
    assert eqs.sizes.lam == 2
    assert eqs.evaluate("g", t=1.0, q=[3.0, 1.0]) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("kind", ["traced", "elements", "numeric"])
def test_parameters_are_frozen(kind):
    stiffness = np.array([1.0, 2.0])
    if kind == "elements":
        made = da.Elements("toy", coordinates=np.int64(2), parameters={"m": 1.0})
        made.add("mass", coordinates=[[0], [1]], M=lambda p: np.array([[p.m * p.k]]), data={"k": stiffness})
        eqs, key = made.equations(), "mass.k"
    else:
        f = (lambda q, p: -p.k * q) if kind == "traced" else da.numeric(lambda q, p: -p.k * q)
        eqs, key = make(f=f, parameters={"m": 1.0, "k": stiffness}), "k"
    with pytest.raises(TypeError):
        eqs.parameters["m"] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        eqs.parameters[key][0] = 5.0
    stiffness[0] = 5.0  # the user's own array is not ours
    assert eqs.parameters[key].tolist() == [1.0, 2.0] and 5.0 not in eqs.parameter_vector()
    assert eqs.parameter_vector({"m": 5.0}).max() == 5.0


def test_checks_know_the_multipliers_that_they_were_asked_with():
    made = da.trace(
        M=lambda: np.eye(2), f=lambda lam: np.array([1.0 / lam[0], -9.81]), g=lambda q: q[1:], n_q=2, name="creep"
    )  # fmt: skip
    start = np.zeros(2), np.zeros(2), np.zeros(0)
    made.check(*start, lam=[1.0])
    with pytest.raises(EquationsError, match=r"'creep': f\[0\] .* is inf"):
        made.check(*start, lam=[0.0])


def test_columns_that_are_no_numbers_are_refused():
    made = make()
    q = np.zeros((2, 3))
    for wrong in ({1.0, 2.0}, len, {"q1": 1.0}, "fast", [[0.0, 1.0], [0.0]]):
        for ask in (lambda v: made.forward_dynamics(q, v), lambda v: made.inverse_dynamics(q, q, v)):
            with pytest.raises(StateError, match=r"'toy': [va] must be"):
                ask(wrong)
    with pytest.raises(StateError, match="'toy': t must be one instant or 3"):
        made.forward_dynamics(q, q, t=[0.0, 1.0])


def test_numbers_that_overflow_in_an_assembly_are_named():
    m = da.Model("far", plane="xy", gravity=(0, 0))
    body = m.body("speck", mass=1e-4, inertia=1e-4)
    m.coincident("pin", m.ground.at(0, 0), body.at(0, 1e304))
    with (
        np.errstate(all="ignore"),
        pytest.raises(StateError, match=r"'far': the constraints cannot be solved with numbers as large as 1e\+304"),
    ):
        m.equations("absolute").assemble()
