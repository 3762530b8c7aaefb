"""Piecewise polynomials against SciPy's, alone and as atoms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

from dalembert.errors import SymbolicError
from dalembert.symbolic import functions as a
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import AtomArray, array
from dalembert.symbolic.calculus import derivative, substitute
from dalembert.symbolic.compiler.compiled import compile
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.tables import PiecewisePolynomial, table

X = np.array([-1.0, 0.0, 0.5, 2.0, 3.5])
Y = np.array([0.25, -1.0, 2.0, 0.5, 1.5])
INSIDE = np.linspace(-1.0, 3.5, 41)[:-1]  # on the last break the outside begins


@st.composite
def points(draw, least):
    steps = draw(st.lists(st.floats(0.1, 3.0), min_size=least - 1, max_size=8))
    x = np.concatenate([[draw(st.floats(-5.0, 5.0))], steps]).cumsum()
    return x, np.array(draw(st.lists(st.floats(-10.0, 10.0), min_size=len(x), max_size=len(x))))


# ------------------------------------------------------------------------- splines


@pytest.mark.parametrize("ends", ["not-a-knot", "natural", "clamped"])
@given(points(2))
def test_splines_are_those_of_scipy(ends, data):
    x, y = data
    ours = PiecewisePolynomial.spline(x, y, ends=ends, outside="cubic")
    theirs = CubicSpline(x, y, bc_type=ends)
    at = np.concatenate([x, np.linspace(x[0] - 1.0, x[-1] + 1.0, 31)])
    size = np.abs(theirs.c).max() + 1.0
    for order in range(3):
        assert ours.evaluate(at, order) == pytest.approx(theirs(at, order), rel=1e-9, abs=1e-9 * size)


@given(points(2))
def test_straight_lines(data):
    x, y = data
    ours = PiecewisePolynomial.linear(x, y, outside="constant")
    at = np.linspace(x[0] - 1.0, x[-1] + 1.0, 57)
    assert ours.evaluate(at) == pytest.approx(np.interp(at, x, y), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_coefficients_are_those_of_ppoly(degree):
    c = np.random.default_rng(degree).normal(size=(degree + 1, len(X) - 1))
    ours, theirs = PiecewisePolynomial(X, c, outside="cubic"), PPoly(c, X)
    at = np.linspace(-3.0, 5.0, 101)
    assert ours.degree == degree
    for order in range(5):
        assert ours.evaluate(at, order) == pytest.approx(theirs(at, order), rel=1e-12, abs=1e-12)


def test_on_a_break_the_right_polynomial_counts():
    stairs = PiecewisePolynomial([0.0, 1.0, 2.0], [[10.0, 20.0]], outside="cubic")
    assert stairs.evaluate([0.0, 0.5, 1.0, 1.5, 2.0]).tolist() == [10.0, 10.0, 20.0, 20.0, 20.0]
    below = np.nextafter(1.0, 0.0)
    assert stairs.evaluate(below) == 10.0


# ------------------------------------------------------------------------- outside


@pytest.mark.parametrize("make", [PiecewisePolynomial.linear, PiecewisePolynomial.spline])
def test_outside(make):
    inner = make(X, Y, outside="cubic")
    for end, far in ((X[0], -4.0), (X[-1], 9.0)):
        value, slope = inner.evaluate(end), inner.evaluate(end, 1)
        linear, constant = make(X, Y, outside="linear"), make(X, Y, outside="constant")
        assert linear.evaluate(far) == pytest.approx(value + slope * (far - end))
        assert linear.evaluate(far, 1) == pytest.approx(slope) and linear.evaluate(far, 2) == 0.0
        assert constant.evaluate(far) == pytest.approx(value) and constant.evaluate(far, 1) == 0.0
        assert linear.evaluate(INSIDE) == pytest.approx(inner.evaluate(INSIDE), rel=1e-14, abs=1e-14)
        assert constant.evaluate(INSIDE, 1)[1:] == pytest.approx(inner.evaluate(INSIDE, 1)[1:])


def test_infinite_and_missing_arguments():
    table = PiecewisePolynomial.spline(X, Y)
    for order in range(4):
        assert math.isnan(table.evaluate(math.nan, order))
    assert table.evaluate(math.nan, 4) == 0.0
    slope = table.evaluate(100.0, 1)
    assert not math.isfinite(table.evaluate(math.copysign(math.inf, slope)))  # ∞ or, as 0·∞ in C, NaN
    assert math.isnan(table.evaluate([0.0, math.nan])[1])


# ---------------------------------------------------------------------------- atoms


def test_a_table_of_an_atom_shares_its_interval_with_its_derivatives():
    graph = Graph()
    x = graph.variable("x")
    table = PiecewisePolynomial.spline(X, Y)
    count = len(graph)
    value, slope, bend = table(x), table(x, 1), derivative(derivative(table(x), x), x)
    assert len(graph) == count + 4  # interval, value, two derivatives
    assert bend == table(x, 2) and slope == derivative(value, x)
    kinds = [graph.nodes[row][0] for row in graph.reachable([value.handle, slope.handle, bend.handle])]
    assert kinds.count(op.INTERVAL) == 1 and kinds.count(op.PIECE) == 3
    assert table(x, 4) == 0 and table(x, 7) == 0


def test_equal_tables_are_the_same_table():
    graph = Graph()
    x = graph.variable("x")
    first, second = PiecewisePolynomial.spline(X, Y), PiecewisePolynomial.spline(X.tolist(), Y.tolist())
    other = PiecewisePolynomial.spline(X, 2 * Y)
    assert first(x) == second(x) != other(x)
    assert len(graph.tables) == 2
    assert PiecewisePolynomial.spline(X, Y, outside="constant")(x) != first(x)


def test_tables_of_numbers_arrays_and_constants():
    graph = Graph()
    x, y = graph.variables("x y")
    table = PiecewisePolynomial.spline(X, Y)
    assert table(0.3) == pytest.approx(CubicSpline(X, Y)(0.3))
    assert table([0.3, 1.0]).shape == (2,) and isinstance(table(0.3), float)
    both = table(array([x, 2 * y]))
    assert type(both) is AtomArray and both.tolist() == [table(x), table(2 * y)]
    assert table(x * 0 + 0.3).value == table(0.3)
    assert math.isnan(table(x * 0 + math.nan).value)
    assert not math.isfinite(table(x * 0 + math.inf).value)
    assert substitute(table(a.sin(x)), {x: 0.4}).value == pytest.approx(table(math.sin(0.4)), rel=1e-15)
    assert evaluate(table(-x), {x: 0.5}) == table(-0.5)


def test_the_degree_is_that_of_the_data():
    graph = Graph()
    x = graph.variable("x")
    line = PiecewisePolynomial.linear([0.0, 1.0, 2.0], [0.0, 1.0, 3.0])
    assert line.degree == 1 and line(x, 2) == 0 and line(x, 1) != 0
    assert PiecewisePolynomial.linear([0.0, 1.0], [2.0, 2.0]).degree == 0
    assert PiecewisePolynomial.linear([0.0, 1.0], [0.0, 0.0]).degree == 0
    assert PiecewisePolynomial.spline([0.0, 1.0, 3.0], [0.0, 1.0, 9.0]).evaluate(2.0) == pytest.approx(
        4.0
    )  # a parabola


def test_a_table_appears_by_its_number():
    graph = Graph()
    x = graph.variable("x")
    table = PiecewisePolynomial.spline(X, Y)
    assert repr(table(x) + table(x, 2)) == "table0(x) + table0''(x)"


# --------------------------------------------------------------------------- errors


def test_wrong_data():
    with pytest.raises(SymbolicError, match="at least two finite, strictly increasing numbers"):
        PiecewisePolynomial([0.0, 1.0, 1.0], np.zeros((2, 2)))
    with pytest.raises(SymbolicError, match="at least two finite, strictly increasing numbers"):
        PiecewisePolynomial([0.0, math.inf], np.zeros((2, 1)))
    with pytest.raises(SymbolicError, match=r"3 breaks need coefficients of shape \(k, 2\) with k <= 4, got \(5, 2\)"):
        PiecewisePolynomial([0.0, 1.0, 2.0], np.zeros((5, 2)))
    with pytest.raises(SymbolicError, match=r"got \(2, 3\)"):
        PiecewisePolynomial([0.0, 1.0, 2.0], np.zeros((2, 3)))
    with pytest.raises(SymbolicError, match="all coefficients must be finite"):
        PiecewisePolynomial([0.0, 1.0], [[math.nan]])
    with pytest.raises(
        SymbolicError, match="outside must be one of cubic, linear, constant, error, periodic; got 'zero'"
    ):
        PiecewisePolynomial.linear(X, Y, outside="zero")
    with pytest.raises(SymbolicError, match="ends must be one of not-a-knot, natural, clamped; got 'free'"):
        PiecewisePolynomial.spline(X, Y, ends="free")
    with pytest.raises(SymbolicError, match=r"lists of equal length >= 2, got \(5,\) and \(4,\)"):
        PiecewisePolynomial.linear(X, Y[:-1])
    with pytest.raises(SymbolicError, match="x must be strictly increasing"):
        PiecewisePolynomial.spline(X[::-1], Y)


def test_nan_passes_through_constant_pieces_too() -> None:
    graph = Graph()
    x = graph.variable("x")
    table = PiecewisePolynomial.spline([0.0, 1.0, 3.0, 4.0], [0.0, 2.0, -1.0, 5.0])
    third = compile(table(x, 3), [x])
    assert np.isnan(third(np.nan)) and np.isnan(table.evaluate(np.nan, 3))
    assert third(0.5) == table.evaluate(0.5, 3)


def test_orders_are_whole_numbers() -> None:
    table, x = PiecewisePolynomial.linear([0.0, 1.0], [0.0, 2.0]), Graph().variable("x")
    for order in (-1, 0.5, "1", None):
        for argument in (x, 0.5, array([x])):
            with pytest.raises(SymbolicError, match="table: the derivative order must be a whole number"):
                table(argument, order)
    assert table(0.5, np.int64(1)) == 2.0


@pytest.mark.parametrize("order", range(4))
def test_cubic_continuation_to_infinity_is_that_of_compiled_code(order: int) -> None:
    x = Graph().variable("x")
    at = np.array([-math.inf, math.inf, math.nan, 0.5])
    for c in ([[1.0, 2.0], [0.0, 1.0], [0.0, -1.0], [0.0, 1.0]], [[0.0, -2.0], [1.0, 1.0]]):
        table = PiecewisePolynomial([0.0, 1.0, 2.0], c, outside="cubic")
        assert np.array_equal(table(at, order), compile(table(x, order), [x]).map(at), equal_nan=True)


# ------------------------------------------------------------------------------------------- tables without overshoot


@given(points(2))
def test_monotone_tables_stay_between_their_points(data):
    x, y = data
    curve = table(x, y)
    noise = 1e-12 * (1.0 + np.abs(y).max())
    for k in range(len(x) - 1):
        values = curve(np.linspace(x[k], x[k + 1], 41)[:-1])
        low, high = sorted((y[k], y[k + 1]))
        assert values.min() >= low - noise and values.max() <= high + noise
        assert np.all(np.sign(y[k + 1] - y[k]) * np.diff(values) >= -noise)  # monotone
        if low == high:
            assert np.all(values == low)  # flat, to the last bit


@given(points(3))
def test_monotone_tables_are_those_of_scipy(data):
    x, y = data
    inside = np.linspace(x[0], x[-1], 37)[:-1]
    wanted = PchipInterpolator(x, y)
    assert np.allclose(table(x, y)(inside), wanted(inside), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["monotone", "linear", "spline"])
def test_periodic_tables(kind):
    x, y = np.array([0.5, 1.0, 2.0, 2.75, 3.5]), np.array([1.0, -1.0, 0.5, 2.0, 1.0])
    curve = table(x, y, kind=kind, outside="periodic")
    at = np.linspace(0.5, 3.5, 31)[:-1]
    if kind == "spline":
        assert np.allclose(curve(at), CubicSpline(x, y, bc_type="periodic")(at), rtol=1e-12, atol=1e-12)
    for turns in (-2, 1, 7):
        assert np.allclose(curve(at + 3.0 * turns), curve(at), rtol=1e-10, atol=1e-10)
    graph = Graph()
    u = graph.variable("u")
    function = compile({"f": array([curve(u), derivative(curve(u), u)])}, {"u": array([u])})
    for value in (-7.3, 0.1, 5.55):
        found = function(np.array([value]))["f"]
        assert found == pytest.approx([curve(value), curve(value, 1)], rel=1e-11, abs=1e-11)
    with pytest.raises(SymbolicError, match=r"needs the same value at both ends, got 0\.25 and 1\.5"):
        table(X, Y, kind=kind, outside="periodic")


def test_beyond_the_ends():
    assert table(X, Y, outside="constant")(10.0) == Y[-1]
    assert math.isnan(table(X, Y, outside="error")(10.0)) and math.isnan(table(X, Y, outside="error")(-2.0))
    assert table(X, Y, outside="error")(0.2) == table(X, Y)(0.2)
    with pytest.raises(SymbolicError, match="kind must be one of monotone, linear, spline; got 'cubic'"):
        table(X, Y, kind="cubic")


@pytest.mark.parametrize("kind", ["monotone", "linear", "spline"])
def test_tables_of_two_are_tables_of_one_along_the_grid(kind):
    rng = np.random.default_rng(4)
    y, z = np.array([-1.0, 0.5, 1.0, 3.0]), rng.normal(size=(5, 4))
    surface = table(X, y, z, kind=kind)
    for j, place in enumerate(y):
        assert np.allclose([surface(x, place) for x in INSIDE], table(X, z[:, j], kind=kind)(INSIDE), atol=1e-10)
    for i, place in enumerate(X):
        at = np.linspace(-1.0, 3.0, 21)[:-1]
        assert np.allclose([surface(place, u) for u in at], table(y, z[i], kind=kind)(at), atol=1e-10)


@pytest.mark.parametrize("outside", ["linear", "constant"])
def test_tables_of_two_have_derivatives(outside):
    rng = np.random.default_rng(5)
    surface = table(X, Y.cumsum() * 0.0 + np.arange(5.0), rng.normal(size=(5, 5)), outside=outside)
    graph = Graph()
    u, v = graph.variable("u"), graph.variable("v")
    f = surface(u, v)
    function = compile({"f": array([f, derivative(f, u), derivative(f, v)])}, {"x": array([u, v])})
    h = 1e-6
    for x, y in ((0.3, 1.2), (1.7, 3.3), (-2.0, 0.7), (4.4, 5.1), (2.9, -1.0)):
        value, along_x, along_y = function(np.array([x, y]))["f"]
        assert value == pytest.approx(surface(x, y), rel=1e-12, abs=1e-12)
        assert along_x == pytest.approx((surface(x + h, y) - surface(x - h, y)) / (2 * h), abs=1e-7)
        assert along_y == pytest.approx((surface(x, y + h) - surface(x, y - h)) / (2 * h), abs=1e-7)


def test_tables_of_two_check_what_they_get():
    with pytest.raises(SymbolicError, match=r"need values of shape \(5, 2\).*got \(2, 5\)"):
        table(X, [0.0, 1.0], np.zeros((2, 5)))
    with pytest.raises(SymbolicError, match="outside must be one of linear, constant, error; got 'periodic'"):
        table(X, [0.0, 1.0], np.zeros((5, 2)), outside="periodic")
    assert math.isnan(table(X, [0.0, 1.0], np.zeros((5, 2)), outside="error")(9.0, 0.5))


def test_landmarks_are_where_something_is():
    x = np.linspace(0.0, 100.0, 1001)
    bump = np.where(np.abs(x - 50.0) < 0.05, 0.05, 0.0)
    assert np.allclose(table(x, bump).landmarks, [0.0, 49.9, 50.0, 50.1, 100.0])
    assert table(x, np.full(1001, 3.0)).landmarks.size == 0
    assert len(table(x, 2.0 * x + 1.0).landmarks) == 2
    assert 30 < len(table(x, np.sin(x)).landmarks) < 400
