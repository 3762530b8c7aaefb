"""The reference interpreter against mpmath, against NumPy, and at the edges."""

import itertools
import math
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from symbolic.strategies import SPECIAL, Doubles, build, exact, points, trees, well_conditioned

from dalembert.errors import MissingExtraError, SymbolicError, UnknownSymbolError
from dalembert.symbolic import functions as a
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, array, zeros
from dalembert.symbolic.calculus import substitute
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.tables import PiecewisePolynomial


def given_to(graph, point):
    """The part of a point that a graph has symbols for."""
    return {name: value for name, value in point.items() if name in graph.symbol_rows}


# --------------------------------------------------------------------------- values


@given(trees(), points())
def test_values_are_those_of_mpmath(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    expression = build(tree, graph)
    values = given_to(graph, point)
    with mpmath.workdps(30):
        reference = exact(tree, point)
        size = 1 + abs(reference)
        assert abs(evaluate(expression, values) - reference) <= 1e-9 * size
        # Only the constants that were folded carry rounding errors.
        assert abs(evaluate(expression, values, "mpmath") - reference) <= 1e-11 * size
        continued = evaluate(expression, values, "complex")
    assert abs(continued - float(reference)) <= 1e-9 * float(size)


@given(trees(safe=False), points(safe=False))
def test_nothing_raises_and_ordinary_values_are_those_of_numpy(tree, point):
    graph = Graph()
    expression = build(tree, graph)
    value = evaluate(expression, given_to(graph, point))  # warnings are errors in these tests
    evaluate(expression, given_to(graph, point), "complex")
    doubles = Doubles()
    reference = doubles(tree, point)
    if 0.0 not in doubles.met and well_conditioned(tree, point):  # no rule of the graph meets 0·∞ or the sign of a zero
        assert abs(value - reference) <= 1e-9 * (1 + abs(reference))
        assert abs(evaluate(expression, given_to(graph, point), "mpmath") - reference) <= 1e-9 * (1 + abs(reference))


@given(trees(), points())
def test_substituted_numbers_fold_to_the_evaluated_number(tree, point):
    doubles = Doubles()
    doubles(tree, point)
    assume(0.0 not in doubles.met)  # a folded zero has no sign
    graph = Graph()
    expression = build(tree, graph)
    values = given_to(graph, point)
    folded = substitute(expression, {graph[name]: value for name, value in values.items()})
    assert folded.value == pytest.approx(evaluate(expression, values), rel=1e-14, nan_ok=True)


@pytest.mark.parametrize("numbers", ["float", "complex", "mpmath"])
@given(trees(size=6), points(), points())
def test_many_points_at_once_are_the_points_one_by_one(numbers, tree, first, second):
    graph = Graph()
    graph.variables("x y z")
    expression = array([build(tree, graph), graph["x"]])
    both = evaluate(expression, {name: [first[name], second[name]] for name in first}, numbers)
    assert both.shape == (2, 2)
    for column, point in zip(both.T, (first, second), strict=True):
        single = evaluate(expression, point, numbers)
        # NumPy's vectorised functions may differ from the scalar ones in the last digit.
        assert all(
            abs(p - q) <= 1e-12 * (1 + abs(q)) or (p != p and q != q) for p, q in zip(column, single, strict=True)
        )


def test_shape_is_that_of_the_expression_then_that_of_the_points():
    graph = Graph()
    q, m = graph.variables("q", 3), graph.parameter("m")
    matrix = np.outer(q, q) * m
    assert evaluate(m, {m: 2.0}).shape == ()
    assert evaluate(matrix, [(q, [1, 2, 3]), (m, 2)]).tolist() == (2.0 * np.outer([1, 2, 3], [1, 2, 3])).tolist()
    assert evaluate(matrix, [(q, np.ones((3, 5))), ("m", np.ones((4, 1)))]).shape == (3, 3, 4, 5)
    assert evaluate(matrix, [(q, 1.0), ("m", np.ones((2, 7)))]).shape == (3, 3, 2, 7)
    # Also constants have a value at each of the points.
    assert evaluate(m * 0 + 4.0, {m: [1.0, 2.0, 3.0]}).tolist() == [4.0, 4.0, 4.0]


def test_expressions_of_numbers_alone_and_empty_ones():
    graph = Graph()
    x = graph.variable("x")
    assert evaluate(2.5, {}) == 2.5
    assert evaluate(zeros((2, 2)), {x: 1.0}).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert evaluate(array([]), {}).shape == (0,)
    assert evaluate([x, 1.0], {x: 3.0}).tolist() == [3.0, 1.0]
    assert evaluate(2.5, {"x": [1.0, 2.0]}).tolist() == [2.5, 2.5]


def test_each_atom_is_computed_once():
    # As a tree this sum has 2**200 leaves.
    graph = Graph()
    x = total = graph.variable("x")
    for _ in range(200):
        total = (total + a.sin(total)) / 2
    assert 0.0 < evaluate(total, {x: 1.0}) < 1.0


def test_deep_expressions_do_not_recurse():
    graph = Graph()
    x = deep = graph.variable("x")
    for _ in range(5 * sys.getrecursionlimit()):
        deep = a.sin(deep)
    assert 0.0 < evaluate(deep, {x: 1.0}) < 0.1


# ------------------------------------------------------------------- complex numbers


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (a.sin, math.cos),
        (a.arctan, lambda x: 1 / (1 + x * x)),
        (a.absolute, lambda x: math.copysign(1.0, x)),
        (lambda x: a.hypot(x, 2.0), lambda x: x / math.hypot(x, 2.0)),
        (lambda x: a.arctan2(x, -2.0), lambda x: -2.0 / (x * x + 4.0)),
        (lambda x: a.arctan2(1.0, x), lambda x: -1.0 / (x * x + 1.0)),
        (lambda x: a.maximum(x, 0.25) * a.minimum(x, 2.0), lambda x: 2 * x if x > 0.25 else 0.25),
        (lambda x: a.where(x < 0, x * x, x), lambda x: 2 * x if x < 0 else 1.0),
        (a.sign, lambda x: 0.0),
        (lambda x: x**3, lambda x: 3 * x * x),
        (lambda x: 2.0**x, lambda x: math.log(2.0) * 2.0**x),
    ],
)
@pytest.mark.parametrize("x0", [0.5, -0.7, 1.25])
def test_complex_step(function, derivative, x0):
    graph = Graph()
    x = graph.variable("x")
    stepped = evaluate(function(x), {x: complex(x0, 1e-30)}, "complex")
    assert stepped.imag / 1e-30 == pytest.approx(derivative(x0), rel=1e-14)
    assert stepped.real == pytest.approx(evaluate(function(x), {x: x0}), rel=1e-15)


def test_complex_atan2_keeps_the_real_values_at_the_origin_and_at_infinity():
    graph = Graph()
    y, x = graph.variables("y x")
    for pair in itertools.product([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf], repeat=2):
        value = evaluate(a.arctan2(y, x), dict(zip((y, x), pair, strict=True)), "complex")
        assert (value.real, value.imag) == (math.atan2(*pair), 0.0)


# ------------------------------------------------------------------ the edges of C


UNARY = [op.SQRT, op.SIN, op.COS, op.TAN, op.ASIN, op.ACOS, op.ATAN, op.SINH, op.COSH, op.TANH, op.EXP, op.LOG, op.ABS]
C_UNARY = {op.ABS: "fabs"} | {code: op.OPERATIONS[code].name for code in UNARY if code != op.ABS}


def c_value(name, *arguments):
    """C's value by Python's math module, which raises where C gives NaN or infinity."""
    try:
        return getattr(math, name)(*arguments)
    except ValueError:
        if name == "log" and arguments[0] == 0.0:
            return -math.inf
        if name == "pow" and arguments[0] == 0.0:
            odd = arguments[1].is_integer() and arguments[1] % 2 == 1
            return math.copysign(math.inf, arguments[0]) if odd else math.inf
        return math.nan
    except OverflowError:
        odd = name == "pow" and arguments[1].is_integer() and arguments[1] % 2 == 1
        return -math.inf if arguments[0] < 0.0 and (odd or name == "sinh") else math.inf


def same(x, y):
    return x == pytest.approx(y, rel=1e-14, abs=1e-300, nan_ok=True)


@pytest.mark.parametrize("code", UNARY, ids=lambda code: op.OPERATIONS[code].name)
def test_functions_at_the_edges(code):
    graph = Graph()
    x = graph.variable("x")
    expression = Atom(graph, graph.apply(code, x.handle))
    for value in SPECIAL:
        expected = c_value(C_UNARY[code], value)
        assert same(evaluate(expression, {x: value}), expected), value
        if abs(value) < 1e100 or not math.isfinite(value):  # mpmath has no overflow
            assert same(float(evaluate(expression, {x: value}, "mpmath")), expected), value
        # Folding gives the same number; a constant zero has no sign.
        assert same(Atom(graph, graph.apply(code, graph.constant(value))).value, expected), value


@pytest.mark.parametrize(("code", "name"), [(op.POW, "pow"), (op.ATAN2, "atan2"), (op.HYPOT, "hypot")])
def test_functions_of_two_arguments_at_the_edges(code, name):
    graph = Graph()
    x, y = graph.variables("x y")
    expression = Atom(graph, graph.apply(code, x.handle, y.handle))
    for pair in itertools.product(SPECIAL, repeat=2):
        expected = c_value(name, *pair)
        assert same(evaluate(expression, dict(zip((x, y), pair, strict=True))), expected), pair
        if all(
            v != 0.0 or math.copysign(1.0, v) > 0 for v in pair
        ):  # neither mpmath nor a constant has a negative zero
            if all(abs(v) < 1e100 or not math.isfinite(v) for v in pair):
                value = evaluate(expression, dict(zip((x, y), pair, strict=True)), "mpmath")
                assert same(float(value), expected), pair
            assert same(Atom(graph, graph.apply(code, *map(graph.constant, pair))).value, expected), pair


@pytest.mark.parametrize("numbers", ["float", "mpmath"])
def test_division_by_zero(numbers):
    graph = Graph()
    x, y = graph.variables("x y")
    for pair, expected in {(1.0, 0.0): math.inf, (-2.0, 0.0): -math.inf, (math.inf, 0.0): math.inf}.items():
        assert float(evaluate(x / y, dict(zip((x, y), pair, strict=True)), numbers)) == expected
    for value in (0.0, math.nan):
        assert math.isnan(evaluate(x / y, {x: value, y: 0.0}, numbers))
    assert evaluate(x / y, {x: 1.0, y: -0.0}) == -math.inf


@pytest.mark.parametrize("numbers", ["float", "complex", "mpmath"])
def test_minimum_and_maximum_pass_nan_on(numbers):
    graph = Graph()
    x, y = graph.variables("x y")
    both = array([a.minimum(x, y), a.maximum(x, y)])
    assert [float(v.real) for v in evaluate(both, {x: 1.0, y: -2.0}, numbers)] == [-2.0, 1.0]
    for point in ({x: math.nan, y: 1.0}, {x: 1.0, y: math.nan}):
        assert all(v != v for v in evaluate(both, point, numbers))


def test_sign_passes_nan_and_the_sign_of_zero_on():
    graph = Graph()
    x = graph.variable("x")
    values = evaluate(a.sign(x), {x: [3.0, -0.5, 0.0, -0.0, math.inf, -math.inf, math.nan]})
    assert values[:6].tolist() == [1.0, -1.0, 0.0, 0.0, 1.0, -1.0] and math.isnan(values[6])
    assert np.signbit(values[:6]).tolist() == [False, True, False, True, False, True]
    assert mpmath.isnan(evaluate(a.sign(x), {x: math.nan}, "mpmath"))


@pytest.mark.parametrize("numbers", ["float", "complex", "mpmath"])
def test_where_takes_the_first_unless_the_condition_is_zero(numbers):
    graph = Graph()
    c, x, y = graph.variables("c x y")
    chosen = evaluate(a.where(c, x, y), {c: [1.0, -3.0, math.nan, 0.0, -0.0, 1e-300], x: 1.0, y: 2.0}, numbers)
    assert [float(v.real) for v in chosen] == [1.0, 1.0, 1.0, 2.0, 2.0, 1.0]


@pytest.mark.parametrize("numbers", ["float", "complex", "mpmath"])
def test_comparisons_with_nan_are_false(numbers):
    graph = Graph()
    x, y = graph.variables("x y")
    compared = evaluate(array([x < y, x <= y, a.equal(x, y), a.not_equal(x, y)]), {x: [1.0, math.nan], y: 1.0}, numbers)
    assert [[float(v.real) for v in row] for row in compared] == [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]


# -------------------------------------------------------------------------- tables


@pytest.mark.parametrize("outside", ["cubic", "linear", "constant"])
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_tables(outside, order):
    table = PiecewisePolynomial.spline([0.0, 1.0, 1.5, 3.0, 4.0], [0.0, 2.0, -1.0, 0.5, 0.25], outside=outside)
    graph = Graph()
    x = graph.variable("x")
    at = np.array([-2.0, 0.0, 0.3, 1.0, 1.25, 3.5, 4.0, 7.0])
    expected = table.evaluate(at, order)
    expression = table(x, order)
    assert evaluate(expression, {x: at}).tolist() == expected.tolist()
    assert evaluate(expression, {x: at}, "complex").tolist() == expected.tolist()
    assert evaluate(expression, {x: at}, "mpmath").astype(float) == pytest.approx(expected, rel=1e-13, abs=1e-13)
    if order < table.degree:
        step = evaluate(expression, {x: at + 1e-30j}, "complex").imag / 1e-30
        assert step == pytest.approx(table.evaluate(at, order + 1), rel=1e-14)
    for numbers in ("float", "complex", "mpmath"):
        value = evaluate(expression, {x: math.nan}, numbers)
        assert value != value or expression.value == 0.0


def test_tables_are_exact_in_mpmath():
    table = PiecewisePolynomial([0.0, 1.0, 2.0], [[0.1, 0.3], [-0.7, 0.2], [0.4, 0.9], [1.1, 1.3]], outside="cubic")
    graph = Graph()
    x = graph.variable("x")
    with mpmath.workdps(50):
        at = mpmath.mpf(4) / 3
        u = at - 1
        c = [mpmath.mpf(v) for v in (0.3, 0.2, 0.9, 1.3)]
        assert evaluate(table(x), {x: at}, "mpmath") == ((c[0] * u + c[1]) * u + c[2]) * u + c[3]
        assert abs(evaluate(table(x, 2), {x: at}, "mpmath") - (6 * c[0] * u + 2 * c[1])) < mpmath.mpf(10) ** -48


# -------------------------------------------------------------------------- errors


def test_all_missing_symbols_are_named_with_their_kinds():
    graph = Graph()
    q, m, w, t = graph.coordinate("q"), graph.parameter("m"), graph.input("w"), graph.time
    with pytest.raises(UnknownSymbolError) as caught:
        evaluate(m * q.dt + w * t, {t: 0.0})
    assert str(caught.value) == "evaluate: no value is given for velocity 'dq', parameter 'm', input 'w'"
    assert evaluate(m * q, {m: 2.0, q: 3.0, w: 1.0}) == 6.0  # what is not needed does no harm


def test_an_unknown_name_is_answered_with_the_valid_ones():
    graph = Graph()
    graph.parameters("mass length")
    with pytest.raises(UnknownSymbolError, match="no symbol 'mas' in this graph; did you mean 'mass'"):
        evaluate(graph["mass"], {"mas": 1.0})


def test_values_that_do_not_fit():
    graph = Graph()
    q = graph.variables("q", 2)
    x, y = q
    with pytest.raises(SymbolicError, match=r"symbols of shape \(2,\) need values of that shape .* got shape \(3,\)"):
        evaluate(q, [(q, [1.0, 2.0, 3.0])])
    with pytest.raises(SymbolicError, match=r"do not broadcast: \(2,\), \(3,\)"):
        evaluate(q, {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]})
    with pytest.raises(SymbolicError, match="values are given to symbols, but 'q0 \\+ q1' is an expression"):
        evaluate(q, {x + y: 1.0})
    with pytest.raises(SymbolicError, match="values are given to symbols, but '-q0' is an expression"):
        evaluate(q, {-x: 1.0})
    with pytest.raises(SymbolicError, match="symbol 'q0' is given twice"):
        evaluate(q, {x: 1.0, "q0": 2.0, y: 1.0})
    with pytest.raises(SymbolicError, match="the value of q1 cannot be used: 'q0' is an expression, not a number"):
        evaluate(q, {x: 1.0, y: x})
    with pytest.raises(SymbolicError, match="the value of q1 cannot be used"):
        evaluate(q, {x: 1.0, y: 1j})
    with pytest.raises(SymbolicError, match="atoms of two graphs"):
        evaluate(q, {Graph().variable("q0"): 1.0, y: 1.0})
    with pytest.raises(SymbolicError, match="the kind of numbers 'floats' does not exist; did you mean 'float'"):
        evaluate(q, {x: 1.0, y: 1.0}, "floats")


def test_mpmath_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpmath", None)
    with pytest.raises(MissingExtraError, match="needs the package 'mpmath'; install it with"):
        evaluate(Graph().variable("x"), {"x": 1.0}, "mpmath")
