"""Staged functions: every atom once per change of what it depends on, whatever is asked for and in whatever order."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic.programs import interpret, random_arithmetic

from dalembert.errors import SymbolicError, UnknownSymbolError
from dalembert.symbolic import CompiledFunction, Graph, SparseMatrix, compile, cos, exp, sin, sqrt
from dalembert.symbolic.compiler.compiled import _pointers
from dalembert.symbolic.compiler.rewrite import settled


def pendulum(order: str = "ptqv", staged: bool = True) -> CompiledFunction:
    g = Graph()
    p, q, v, t = g.parameters("p", 2), g.variables("q", 2), g.variables("v", 2), g.time
    a, b = sin(q[0]) * p[0], exp(q[1] * p[1])
    outputs = {
        "M": [[a * b, cos(q[0] - q[1])], [a, p[0] ** 2]],
        "f": [a * v[0] + b * v[1] * v[1], sqrt(1 + v[0] ** 2) * cos(t), b],
        "energy": a + b + sin(v[0] + a),
        "leaves": [p[0], t, v[1], 1.0, -q[0]],
    }
    inputs = {"p": p, "t": t, "q": q, "v": v}
    return compile(outputs, {name: inputs[name] for name in order}, staged=staged)


NAMES = ["M", "f", "energy", "leaves"]
sets = st.tuples(
    st.just("set"), st.lists(st.sampled_from("ptqv"), min_size=1, max_size=2, unique=True), st.integers(0, 99)
)
gets = st.tuples(st.just("get"), st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True), st.just(0))


@given(st.sampled_from(list(itertools.permutations("ptqv"))), st.lists(sets | gets, max_size=20))
def test_requests_in_any_order_agree_with_the_plain_function(order: tuple[str, ...], actions: list[Any]) -> None:
    plain, staged = pendulum(staged=False), pendulum("".join(order))
    values = {"p": [1.0, 0.5], "t": 0.25, "q": [0.3, -0.4], "v": [1.0, 2.0]}
    w = staged.workspace()
    w.set(**values)
    for action, names, seed in [*actions, ("get", NAMES, 0)]:
        if action == "set":
            rng = np.random.default_rng(seed)
            new = {name: rng.normal(size=np.shape(values[name])) for name in names}
            values |= new
            w.set(**new)
        else:
            expected = plain(**values)
            for name, result in zip(names, w.evaluate(*names), strict=True):
                np.testing.assert_array_equal(result, expected[name])
    np.testing.assert_array_equal(staged(**values)["M"], plain(**values)["M"])


@given(st.integers(0, 2**32), st.integers(1, 200), st.integers(1, 6))
@settings(max_examples=50)
def test_random_programs_in_stages(seed: int, size: int, groups: int) -> None:
    program, point = random_arithmetic(seed, size, groups)
    rng = np.random.default_rng(seed)
    w = CompiledFunction(replace(program, staged=True)).workspace()
    for step in range(8):
        chosen = [i for i in range(groups) if step == 0 or rng.random() < 0.3]
        point = [rng.uniform(0.5, 2.0, x.size) if i in chosen and step else x for i, x in enumerate(point)]
        w.set(**{f"x{i}": point[i] for i in chosen})
        wanted = [int(k) for k in rng.permutation(3)[: rng.integers(0, 4)]]
        results = w.evaluate(*(program.outputs[k].name for k in wanted))
        with np.errstate(all="ignore"):
            expected = interpret(settled(program), point)
        for k, result in zip(wanted, results, strict=True):
            np.testing.assert_array_equal(result, expected[k])


def test_valid_atoms_are_not_computed_again() -> None:
    p, q, v = Graph().variables("p q v")
    f = compile(
        {"M": exp(p) * sin(q), "f": exp(p) * sin(q) + cos(v), "K": sqrt(q)}, {"p": p, "q": q, "v": v}, staged=True
    )
    w = f.workspace()
    w.set(p=0.5, q=2.0, v=1.0)
    M = w["M"]
    # Inputs change behind the back of the workspace: what was computed already does not notice.
    w._in[0][:] = w._in[1][:] = w._in[2][:] = 4.0
    assert w["M"] == M == pytest.approx(np.exp(0.5) * np.sin(2.0))
    assert w["f"] == pytest.approx(M + np.cos(4.0))  # shared with M, the rest is new
    assert w["K"] == 2.0  # nobody asked before
    w._in[2][:] = 9.0
    assert w["f"] == pytest.approx(M + np.cos(4.0))
    # A new v leaves the stages before it alone, a new q only p, a new p nothing.
    w.set(v=0.0)
    assert w["f"] == pytest.approx(M + 1.0) and w["M"] == M and w["K"] == 2.0
    w.set(q=1.0)
    w._in[0][:] = w._in[2][:] = np.nan
    assert w["M"] == pytest.approx(np.exp(0.5) * np.sin(1.0)) and w["K"] == 1.0 and np.isnan(w["f"])
    w.set(p=0.0, v=0.0)
    assert w["M"] == pytest.approx(np.sin(1.0)) and w["f"] == pytest.approx(np.sin(1.0) + 1.0)


def test_a_change_is_not_forgotten_by_requests_that_do_not_need_it() -> None:
    p, q = Graph().variables("p q")
    w = compile({"a": exp(p) + 1, "b": sin(q) + 1}, {"p": p, "q": q}, staged=True).workspace()
    w.set(p=0.0, q=0.0)
    assert w.evaluate("a", "b") == (2.0, 1.0)
    w.set(q=np.pi / 2, p=1.0)
    assert w["a"] == 1.0 + np.exp(1.0)
    assert w["a"] == 1.0 + np.exp(1.0)
    assert w["b"] == 2.0


def test_workspaces_own_their_arrays() -> None:
    f = pendulum()
    first, second = f.workspace(), f.workspace()
    values = {"p": [1.0, 0.5], "t": 0.25, "q": [0.3, -0.4], "v": [1.0, 2.0]}
    first.set(**values)
    M = first["M"]
    assert np.shares_memory(M, first["M"])
    second.set(**(values | {"q": [0.0, 0.0]}))
    kept = M.copy()
    assert not np.array_equal(second["M"], kept)
    np.testing.assert_array_equal(M, kept)
    first.set(q=[0.0, 0.0])
    np.testing.assert_array_equal(M, kept)
    assert first["M"] is not M and np.array_equal(M, second["M"])


def test_messages_of_workspaces() -> None:
    w = pendulum().workspace()
    w.set(t=1.0, q=[1.0, 2.0])
    with pytest.raises(SymbolicError, match="function 'function': inputs not set yet: p, v"):
        w["M"]
    with pytest.raises(UnknownSymbolError, match="has no output 'm'; Valid names are: M, energy, f, leaves"):
        w["m"]
    with pytest.raises(UnknownSymbolError, match="has no input 'x'; Valid names are: p, q, t, v"):
        w.set(x=1.0)
    with pytest.raises(SymbolicError, match=r"input 'q' must have the shape \(2,\), got \(3,\)"):
        w.set(q=[1.0, 2.0, 3.0])
    with pytest.raises(SymbolicError, match="is not staged; compile it with staged=True"):
        pendulum(staged=False).workspace()


def test_sparse_and_scalar_outputs_of_workspaces() -> None:
    p, q = Graph().variables("p q")
    outputs = {"A": SparseMatrix.from_dense([[p * q, 0.0], [0.0, exp(p)]]), "s": exp(p) + q}
    w = compile(outputs, {"p": p, "q": q}, staged=True).workspace()
    w.set(p=0.0, q=3.0)
    A, s = w.evaluate("A", "s")
    assert A.toarray().tolist() == [[0.0, 0.0], [0.0, 1.0]] and A.nnz == 2
    assert s == 4.0 and type(s) is float
    assert w.evaluate() == ()


def test_many_outputs() -> None:
    x, y = Graph().variables("x y")
    outputs = {f"o{i}": exp(x) * i + y for i in range(62)}
    function = compile(outputs, {"x": x, "y": y}, staged=True)
    w = function.workspace()
    w.set(x=0.0, y=1.0)
    assert [w[f"o{i}"] for i in (61, 0, 60)] == [62.0, 1.0, 61.0]
    assert list(function(0.0, 2.0).values()) == [i + 2.0 for i in range(62)]


def test_map_keeps_the_stages_of_what_does_not_move() -> None:
    p, q = Graph().variables("p q")
    function = compile({"s": exp(p) * q}, {"p": p, "q": q}, staged=True)
    # The loop in machine code is told that p stays, and gets a p that moves: the first counts for all points.
    p_values, q_values, result, work = (
        np.array([0.5, 7.0, 9.0]),
        np.array([1.0, 2.0, 3.0]),
        np.empty(3),
        np.empty(function.work_size),
    )
    strides, ones = np.array([1, 1]), np.array([1])
    addresses = _pointers([p_values, q_values]), strides.ctypes.data, _pointers([result]), ones.ctypes.data
    function._map(3, 1, 1, *addresses, work.ctypes.data)
    np.testing.assert_array_equal(result, np.exp(0.5) * q_values)
    function._map(3, 1, 0, *addresses, work.ctypes.data)
    np.testing.assert_allclose(result, np.exp(p_values) * q_values, rtol=1e-15)
