"""Exchange with SymPy: values, round trips, symbols of mechanics, deep expressions, errors."""

import math
import sys

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from symbolic.strategies import KINKED, SMOOTH, build, exact, points, read, sympy_table, trees, well_conditioned
from sympy.physics.mechanics import dynamicsymbols

from dalembert.errors import MissingExtraError, SymbolicError, UnknownSymbolError
from dalembert.symbolic import functions as a
from dalembert.symbolic.atom import array
from dalembert.symbolic.calculus import gradient
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.sympy_bridge import from_sympy, to_sympy
from dalembert.symbolic.tables import PiecewisePolynomial

TABLE = sympy_table()
x, y, z, t = sp.symbols("x y z t")


@pytest.fixture
def graph():
    result = Graph()
    result.variables("x y z")
    return result


def sympy_leaf(leaf):
    return sp.Symbol(leaf) if isinstance(leaf, str) else sp.Float(leaf)


def value_of(expression, point):
    """Number of a SymPy expression, by its translation to Python."""
    with np.errstate(all="ignore"):
        return float(sp.lambdify([x, y, z], expression, "math")(point["x"], point["y"], point["z"]))


# --------------------------------------------------------------------- random trees


@settings(max_examples=60)
@given(trees(KINKED, size=6), points())
def test_to_sympy_keeps_the_value(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    graph.variables("x y z")
    expression = to_sympy(build(tree, graph))
    assert value_of(expression, point) == pytest.approx(float(exact(tree, point)), rel=1e-8, abs=1e-8)


@settings(max_examples=60)
@given(trees(KINKED, size=4), points())
def test_from_sympy_keeps_the_value(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    graph.variables("x y z")
    expression = from_sympy(read(tree, TABLE, sympy_leaf), graph)
    assert evaluate(expression, point) == pytest.approx(float(exact(tree, point)), rel=1e-8, abs=1e-8)


@settings(max_examples=60)
@given(trees(KINKED, size=6), points())
def test_round_trip(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    graph.variables("x y z")
    expression = build(tree, graph)
    again = from_sympy(to_sympy(expression), graph)
    assert evaluate(again, point) == pytest.approx(evaluate(expression, point), rel=1e-8, abs=1e-8)


@settings(max_examples=30)
@given(trees(SMOOTH, size=4), points())
def test_derivatives_are_those_of_sympy(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    q = graph.variables("x y z")
    ours = evaluate(gradient(build(tree, graph), q), point)
    real = dict(zip("xyz", sp.symbols("x y z", real=True), strict=True))
    expression = read(tree, TABLE, lambda leaf: real[leaf] if isinstance(leaf, str) else sp.Float(leaf))
    theirs = [from_sympy(sp.diff(expression, symbol), graph) for symbol in real.values()]
    assert ours == pytest.approx(evaluate(theirs, point), rel=1e-7, abs=1e-7)


# -------------------------------------------------------------------------- to SymPy


def test_formulas(graph):
    ax, ay, az = graph["x"], graph["y"], graph["z"]
    for ours, theirs in [
        (a.sin(ax) / ay - 2 * az, sp.sin(x) / y - 2 * z),
        (ax**2.5 + a.sqrt(ay), x ** sp.Float(2.5) + sp.sqrt(y)),
        (a.arctan2(ay, ax) + a.hypot(ax, ay), sp.atan2(y, x) + sp.sqrt(x**2 + y**2)),
        (abs(ax) * a.sign(ay), sp.Abs(x) * sp.sign(y)),
        (abs(a.exp(ax)), sp.Abs(sp.exp(x), evaluate=False)),
        (a.sign(a.arctan(abs(ax))), sp.sign(sp.atan(sp.Abs(x)), evaluate=False)),
        (a.maximum(ax, ay) + a.minimum(ax, 1), sp.Max(x, y) + sp.Min(x, 1)),
        (a.where(ax < ay, ax, ay), sp.Piecewise((x, x < y), (y, True))),
        (a.where(ax >= ay, ax, ay), sp.Piecewise((x, sp.Le(y, x)), (y, True), evaluate=False)),
        (a.where(a.equal(ax, ay), 1.0, az), sp.Piecewise((1, sp.Eq(x, y)), (z, True))),
        (a.where(ax * ay, 1.0, az), sp.Piecewise((1, sp.Ne(x * y, 0)), (z, True))),
        (a.where(a.not_equal(ax, ay), 1.0, az), sp.Piecewise((1, sp.Ne(x, y)), (z, True))),
        (a.where(a.logical_and(ax < 1, ay < 1), ax, ay), sp.Piecewise((x, (x < 1) & (y < 1)), (y, True))),
        (a.where(a.logical_or(ax < 1, ay < 1), ax, ay), sp.Piecewise((x, (x < 1) | (y < 1)), (y, True))),
        ((ax < ay) + 1, sp.Piecewise((1, x < y), (0, True)) + 1),
    ]:
        assert to_sympy(ours) == theirs


def test_shapes(graph):
    ax, ay = graph["x"], graph["y"]
    assert to_sympy(array([ax, ay, 1.0])) == sp.Matrix([x, y, 1])
    assert to_sympy(array([[ax, 0.0], [ay, 1.0]])) == sp.Matrix([[x, 0], [y, 1]])
    assert to_sympy(array([[[ax, ay]]])).shape == (1, 1, 2)
    for theirs in (
        sp.Matrix([[x, 0], [y, 1]]),
        sp.ImmutableMatrix([[x, 0], [y, 1]]),
        sp.SparseMatrix([[x, 0], [y, 1]]),
    ):
        assert from_sympy(theirs, graph).tolist() == [[ax, 0], [ay, 1]]
    assert from_sympy(sp.Matrix([x, y]), graph).shape == (2, 1)
    assert from_sympy(sp.Array([[[x, y]]]), graph).tolist() == [[[ax, ay]]]
    assert from_sympy(sp.zeros(0, 3), graph).shape == (0, 3)


def test_names(graph):
    phi = graph.coordinate("phi")
    angle = dynamicsymbols("phi")
    assert to_sympy(phi * graph["x"], names={"phi": angle, "x": "chi"}) == angle * sp.Symbol("chi")
    assert to_sympy(phi.dt) == sp.Symbol("dphi")
    assert to_sympy(graph["x"], names={"x": sp.Symbol("x", positive=True)}).is_positive
    with pytest.raises(UnknownSymbolError, match="no symbol 'psi' in this graph"):
        to_sympy(phi, names={"psi": angle})


@given(st.floats(allow_nan=False))
def test_numbers_come_back_exactly(number):
    graph = Graph()
    ours = graph.variable("x") * 0 + number
    assert from_sympy(to_sympy(ours), graph).value == number
    assert from_sympy(sp.Float(number), graph).value == number


def test_numbers(graph):
    assert to_sympy(graph["x"] * 0 + 3.0) is sp.Integer(3)
    for theirs, ours in [
        (sp.Rational(1, 3), 1 / 3),
        (sp.Rational(-22, 7), -22 / 7),
        (sp.pi, math.pi),
        (sp.E, math.e),
        (sp.GoldenRatio, (1 + math.sqrt(5)) / 2),
        (sp.oo, math.inf),
        (-sp.oo, -math.inf),
        (sp.Integer(10) ** 400, math.inf),
        (sp.Rational(10**400, 10**399), 10.0),
        (sp.Rational(1, 10**400), 0.0),
        (sp.Float("0.1", 50), 0.1),
        (sp.sqrt(2), math.sqrt(2)),
        (sp.cos(sp.Rational(1, 2)), math.cos(0.5)),
        (sp.true, 1.0),
        (3, 3.0),
        (2.5, 2.5),
    ]:
        assert from_sympy(theirs, graph).value == pytest.approx(ours, rel=1e-15)
    assert math.isnan(from_sympy(sp.nan, graph).value)
    assert to_sympy(graph["x"] * 0 + math.nan) is sp.nan
    assert to_sympy(a.maximum(graph["x"], math.nan)).has(sp.nan)


def test_tables_have_no_sympy_form(graph):
    table = PiecewisePolynomial.linear([0.0, 1.0], [0.0, 2.0])
    with pytest.raises(SymbolicError, match="tables and splines have no SymPy form; put a variable in their place"):
        to_sympy(2 * table(graph["x"]))


# ------------------------------------------------------------------------ from SymPy


def test_all_functions(graph):
    ax, ay, az = graph["x"], graph["y"], graph["z"]
    for name, function in [("sin", a.sin), ("cos", a.cos), ("tan", a.tan), ("asin", a.arcsin), ("acos", a.arccos),
                           ("atan", a.arctan), ("sinh", a.sinh), ("cosh", a.cosh), ("tanh", a.tanh), ("exp", a.exp),
                           ("log", a.log), ("Abs", abs), ("sign", a.sign), ("sqrt", a.sqrt)]:  # fmt: skip
        assert from_sympy(getattr(sp, name)(x), graph) == function(ax)
    for theirs, ours in [
        (x**2 - y, ax * ax - ay),
        (x / y, ax / ay),
        (x / y**2, ax / (ay * ay)),
        (x / sp.sqrt(y), ax / a.sqrt(ay)),
        (1 / x, 1 / ax),
        (x ** sp.Rational(3, 2), ax**1.5),
        (x**y, ax**ay),
        (sp.atan2(y, x), a.arctan2(ay, ax)),
        (sp.log(x, 10), a.log(ax) / math.log(10)),
        (sp.Max(x, y), a.maximum(ax, ay)),
        (sp.Min(x, y), a.minimum(ax, ay)),
        (x < y, ax < ay),
        (x >= y, ax >= ay),
        (sp.Ne(x, y), a.not_equal(ax, ay)),
        (sp.Piecewise((x, x < y), (y, x < 1), (z, True)), a.where(ax < ay, ax, a.where(ax < 1, ay, az))),
        (sp.Piecewise((x, (x < y) & (y < 1)), (z, True)), a.where(a.logical_and(ax < ay, ay < 1), ax, az)),
        (sp.re(x) + sp.conjugate(y) + sp.im(z), ax + ay),
    ]:
        assert from_sympy(theirs, graph) == ours
    many = from_sympy(sp.Max(x, y, z, 1) + sp.Min(x, y, z), graph)
    assert evaluate(many, {"x": 3.0, "y": 2.0, "z": -1.0}) == 2.0
    assert math.isnan(evaluate(from_sympy(sp.Piecewise((x, x < 0)), graph), {"x": 1.0, "y": 0.0, "z": 0.0}))


def test_symbols_of_mechanics(graph):
    phi, s = graph.coordinate("phi"), graph.coordinate("s")
    angle, way = dynamicsymbols("phi s")
    time = dynamicsymbols._t
    assert from_sympy(angle, graph) == phi
    assert from_sympy(angle.diff(time), graph) == phi.dt
    assert from_sympy(angle.diff(time, 2), graph) == phi.dt.dt
    assert from_sympy(dynamicsymbols("phi", 1) * sp.sin(way), graph) == phi.dt * a.sin(s)
    assert from_sympy(sp.Function("phi")(t), graph) == phi
    # A derivative that SymPy has not carried out is carried out here.
    unevaluated = sp.Derivative(angle * sp.cos(way), time)
    assert from_sympy(unevaluated, graph) == (phi * a.cos(s)).dt
    assert from_sympy(time * angle, Graph(), {"t": 2.0, "phi": 3.0}).value == 6.0
    assert from_sympy(t * angle, graph, {t: graph.time}) == graph.time * phi
    w = graph.input("w")
    assert from_sympy(sp.Function("w")(t).diff(t), graph) == w.dt


def test_lagrange_equations_of_sympy():
    """A pendulum on a cart, derived by SymPy from its Lagrangian."""
    graph = Graph()
    graph.coordinates("s phi")
    graph.parameters("m M l g")
    s, phi = dynamicsymbols("s phi")
    m, M, l, g = sp.symbols("m M l g")
    time = dynamicsymbols._t
    r = sp.Matrix([s + l * sp.sin(phi), -l * sp.cos(phi)])
    lagrangian = (M * s.diff(time) ** 2 + m * r.diff(time).dot(r.diff(time))) / 2 - m * g * r[1]
    equations = sp.Matrix([lagrangian.diff(q.diff(time)).diff(time) - lagrangian.diff(q) for q in (s, phi)])
    point = {
        "s": 0.3,
        "phi": 0.7,
        "ds": -0.4,
        "dphi": 1.3,
        "dds": 2.0,
        "ddphi": -3.0,
        "m": 2.0,
        "M": 5.0,
        "l": 0.8,
        "g": 9.81,
    }
    sin, cos = math.sin(0.7), math.cos(0.7)
    expected = [
        7.0 * 2.0 + 2.0 * 0.8 * (cos * -3.0 - sin * 1.3**2),
        2.0 * 0.8 * cos * 2.0 + 2.0 * 0.64 * -3.0 + 2.0 * 9.81 * 0.8 * sin,
    ]
    assert evaluate(from_sympy(equations, graph), point).ravel() == pytest.approx(expected, rel=1e-13)


def test_symbols_may_be_given(graph):
    ax, ay = graph["x"], graph["y"]
    chi = sp.Symbol("chi")
    assert from_sympy(chi + y, graph, {chi: ax}) == ax + ay
    assert from_sympy(chi + y, graph, {"chi": 2 * ax, "y": 1.0}) == 2 * ax + 1
    f, u = sp.Function("f"), sp.Symbol("u")
    assert from_sympy(f(u), graph, {f(u): ax}) == ax and from_sympy(f(u), graph, {"f": ax}) == ax
    assert from_sympy(f(u).diff(u), graph, {f(u).diff(u): ay}) == ay
    with pytest.raises(SymbolicError, match="atoms of two graphs"):
        from_sympy(chi, graph, {chi: Graph().variable("chi")})


def test_sharing_survives(graph):
    shared = sp.sin(x) * y
    expression = from_sympy(sp.exp(shared) + sp.cos(shared), graph)
    count = len(graph)
    assert a.exp(a.sin(graph["x"]) * graph["y"]) + a.cos(a.sin(graph["x"]) * graph["y"]) == expression
    assert len(graph) == count


# ----------------------------------------------------------------------------- depth


@pytest.mark.parametrize(
    "step",
    [
        lambda e, x, y: a.sin(e) + y,
        lambda e, x, y: 1 / (e + y),
        lambda e, x, y: (e * x + y) * e,  # as a tree, of exponential size
        lambda e, x, y: a.maximum(a.cos(e), y * e),
        lambda e, x, y: a.where(a.logical_and(e < y, x < e), a.exp(-abs(e)), a.arctan2(e, x)),
        lambda e, x, y: a.logical_not(e) - a.hypot(e, y) / 2,
    ],
)
def test_deep_expressions(graph, step):
    ax, ay = graph["x"], graph["y"]
    deep = ax
    for _ in range(2 * sys.getrecursionlimit()):
        deep = step(deep, ax, ay)
    again = from_sympy(to_sympy(deep), graph)
    point = {"x": 0.3, "y": 0.2, "z": 0.0}
    assert evaluate(again, point) == pytest.approx(evaluate(deep, point), rel=1e-9, nan_ok=True)


def test_long_sums_become_one_sum(graph):
    terms = graph.variables("q", 300)
    assert to_sympy(np.sum(terms)) == sp.Add(*sp.symbols("q:300"))


# ---------------------------------------------------------------------------- errors


def test_an_unknown_symbol_is_named(graph):
    with pytest.raises(UnknownSymbolError, match="no symbol 'xx' in the graph; did you mean 'x'"):
        from_sympy(sp.sin(sp.Symbol("xx")) + y, graph)
    with pytest.raises(UnknownSymbolError, match="no symbol 'psi' in the graph"):
        from_sympy(dynamicsymbols("psi").diff(dynamicsymbols._t), graph)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (sp.gamma(x), "'gamma' has no counterpart among the atoms"),
        (x + sp.besselj(0, x), "'besselj' has no counterpart"),
        (sp.Integral(sp.sin(x), (x, 0, 1)), "'Integral' has no counterpart"),
        (sp.I * x, "'I' is neither a real number nor a symbol"),
        (sp.zoo, "'zoo' is neither a real number nor a symbol"),
        (sp.Function("f")(x), "'f\\(x\\)' is no function of time t"),
        (sp.Derivative(sp.Function("f")(t), x, evaluate=False), "is no function|with respect to 'x', not to time"),
        (sp.Derivative(sp.sin(x), x), "with respect to 'x', not to time, is left; call .doit\\(\\) first"),
        ("x + y", "expected a SymPy expression or matrix, got str"),
        (object(), "expected a SymPy expression or matrix, got object"),
    ],
)
def test_what_has_no_atom_is_named(graph, expression, message):
    graph.coordinate("f")
    with pytest.raises(SymbolicError, match=message):
        from_sympy(expression, graph)


def test_sympy_may_be_missing(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    for use in (lambda: to_sympy(graph["x"]), lambda: from_sympy(x, graph)):
        with pytest.raises(
            MissingExtraError, match=r"needs the package 'sympy'; install it with: pip install 'dalembert\[sympy\]'"
        ):
            use()
