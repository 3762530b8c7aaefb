"""Code for points in groups and for recursions, against code for single points: bit for bit."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic.strategies import NAMES, Tree, build, points, trees

import dalembert.symbolic as ds
from dalembert.errors import SymbolicError
from dalembert.symbolic.compiler.lanes import LANES, LanesFunction, grouped, groups
from dalembert.symbolic.compiler.runs import RunFunction
from dalembert.symbolic.tables import PiecewisePolynomial


def call(function: LanesFunction, inputs: list[Any], request: int, changed: int, work: Any, outputs: list[Any]) -> None:
    """``inputs`` and ``outputs``: rows of points; outputs that are asked for are filled in."""
    count = len(inputs[0])
    ins = [grouped(np.asarray(rows, dtype=float)) for rows in inputs]
    outs = [np.full(groups(count) * LANES * rows.shape[1], np.nan) for rows in outputs]
    tables = [(ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays)) for arrays in (ins, outs)]
    kinds = [ctypes.c_int64] * 3 + [ctypes.c_void_p] * 3
    code = ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(function.address)
    assert code(groups(count), request, changed, *(ctypes.addressof(t) for t in tables), work.ctypes.data) == 0
    for k, (rows, out) in enumerate(zip(outputs, outs, strict=True)):
        if request >> k & 1:
            filled = out.reshape(groups(count), rows.shape[1], LANES).transpose(0, 2, 1)
            rows[:] = filled.reshape(-1, rows.shape[1])[:count]


@given(trees(), st.lists(points(), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)  # each is compiled twice
def test_lanes_are_points(tree: Tree, at: list[dict[str, float]]) -> None:
    graph = ds.Graph()
    atom = build(tree, graph)
    symbols = ds.array([graph.variable(name) for name in NAMES])
    single = ds.compile({"y": ds.array([atom])}, {"x": symbols}, cache=False)
    many = LanesFunction({"y": ds.array([atom])}, {"x": symbols}, "lanes")
    x = np.array([[point[name] for name in NAMES] for point in at])
    found = np.zeros((len(x), 1))
    call(many, [x], 1, 0, np.zeros(many.work_size(len(x))), [found])
    expected = single.map(x=x)["y"]
    assert np.array_equal(found, expected, equal_nan=True)


def test_functions_of_the_library_and_tables_in_lanes() -> None:
    graph = ds.Graph()
    x, y = graph.variable("x"), graph.variable("y")
    spline = PiecewisePolynomial.spline([0.0, 1.0, 2.5, 4.0], [0.0, 2.0, -1.0, 3.0])
    wanted = ds.array(
        [
            ds.tan(x), ds.exp(y), ds.log(x), ds.arctan2(x, y), ds.hypot(x, y), ds.sin(x) * ds.cos(x + y), ds.sign(y),
            ds.where(x > y, x, -y), ds.minimum(x, y), ds.maximum(x, y), abs(y), ds.sqrt(x), spline(x), ds.tanh(y),
        ]
    )  # fmt: skip
    rng = np.random.default_rng(0)
    points_ = np.stack([rng.uniform(0.1, 5.0, 11), rng.normal(size=11)], axis=1)
    single = ds.compile({"z": wanted}, {"x": ds.array([x, y])})
    many = LanesFunction({"z": wanted}, {"x": ds.array([x, y])}, "library")
    found = np.zeros((11, len(wanted)))
    call(many, [points_], 1, 0, np.zeros(many.work_size(11)), [found])
    assert np.array_equal(found, single.map(x=points_)["z"])


def test_stages_are_kept_until_their_inputs_change() -> None:
    graph = ds.Graph()
    p, q = graph.variable("p"), graph.variable("q")
    many = LanesFunction(
        {"a": ds.array([ds.sin(p)]), "b": ds.array([ds.sin(p) * q])}, {"p": ds.array([p]), "q": ds.array([q])}, "stages"
    )
    count = 6
    work = np.zeros(many.work_size(count))
    first, second = np.linspace(0, 1, count)[:, None], np.linspace(1, 2, count)[:, None]
    a, b = np.zeros((count, 1)), np.zeros((count, 1))
    call(many, [first, second], 3, 0, work, [a, b])
    assert np.array_equal(b, np.sin(first) * second)
    # Only q is told to be new: the sine of the old p stays.
    call(many, [first + 1, 2 * second], 3, 1, work, [a, b])
    assert np.array_equal(a, np.sin(first)) and np.array_equal(b, np.sin(first) * (2 * second))


@pytest.mark.parametrize("count", [0, 1, 50])
def test_a_recursion_reads_what_it_wrote(count: int) -> None:
    """x_{k+1} = x_k y_k + 1, along places that do not follow each other."""
    graph = ds.Graph()
    x, y = graph.variable("x"), graph.variable("y")
    step = RunFunction({"next": ds.array([x * y + 1.0])}, {"x": ds.array([x]), "y": ds.array([y])},
                       {"x": 0, "y": 1, "next": 0}, "step")  # fmt: skip
    rng = np.random.default_rng(count)
    places = rng.permutation(count + 1)
    values, factors = np.zeros(count + 1), rng.uniform(-1, 1, max(count, 1))
    values[places[0]] = 3.0
    offsets = np.array([[places[k], k, places[k + 1]] for k in range(count)], dtype=np.int64)
    code = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 3)(step.address)
    assert code(count, offsets.ctypes.data, values.ctypes.data, factors.ctypes.data) == 0
    expected = 3.0
    for k in range(count):
        expected = expected * factors[k] + 1.0
    assert values[places[-1]] == expected
    assert step.operations == 2


def test_results_take_the_place_of_inputs() -> None:
    graph = ds.Graph()
    x, y = graph.variable("x"), graph.variable("y")
    rotate = RunFunction({"turned": ds.array([2.0 * y, 3.0 * x])}, {"pair": ds.array([x, y])},
                         {"pair": 0, "turned": 0}, "rotate")  # fmt: skip
    values = np.array([1.0, 10.0])
    code = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 2)(rotate.address)
    assert code(2, np.zeros(4, dtype=np.int64).ctypes.data, values.ctypes.data) == 0
    assert values.tolist() == [6.0, 60.0]


def test_results_apart_from_inputs_are_the_same() -> None:
    graph = ds.Graph()
    x = graph.variables("x", 5)
    total = ds.array([x[0] * x[k] + x[4] / x[3] for k in range(5)])
    found = []
    for apart in (False, True):
        made = RunFunction({"out": total}, {"x": x}, {"x": 0, "out": 0}, "spread", apart=apart)
        values = np.concatenate([np.arange(1.0, 11.0), np.zeros(10)])
        code = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 2)(made.address)
        assert code(2, np.array([0, 10, 5, 15], dtype=np.int64).ctypes.data, values.ctypes.data) == 0
        found.append(values)
    assert np.array_equal(*found) and np.all(found[0][10:] > 0)


def test_a_bare_exchange_in_place() -> None:
    graph = ds.Graph()
    x, y = graph.variable("x"), graph.variable("y")
    swap = RunFunction({"out": ds.array([y, x])}, {"pair": ds.array([x, y])}, {"pair": 0, "out": 0}, "swap")
    values = np.array([1.0, 10.0])
    code = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 2)(swap.address)
    assert code(1, np.zeros(2, dtype=np.int64).ctypes.data, values.ctypes.data) == 0
    assert values.tolist() == [10.0, 1.0]
    with pytest.raises(SymbolicError, match="'turn': a recursion has no workspace for sines"):
        RunFunction({"out": ds.array([ds.sin(x)])}, {"x": ds.array([x])}, {"x": 0, "out": 0}, "turn")
