"""Sharing, rules and folding in the graph of atoms, and the declaration of symbols."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from symbolic.strategies import ATOMS, SPECIAL, Doubles, build, points, read, trees

from dalembert.errors import DalembertError, SymbolicError, UnknownSymbolError
from dalembert.symbolic import functions as a
from dalembert.symbolic import operations as op
from dalembert.symbolic.atom import Atom, array
from dalembert.symbolic.calculus import derivative, gradient, jacobian, substitute
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.graph import KINDS, Graph
from dalembert.symbolic.mechanics import Base


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def xyz(graph):
    return graph.variables("x y z")


def constant(graph, value):
    return Atom(graph, graph.constant(value))


def added(graph, make):
    """Number of atoms that ``make`` adds to the graph."""
    before = len(graph)
    make()
    return len(graph) - before


# ------------------------------------------------------------------------- sharing


@given(trees())
def test_an_expression_that_is_built_twice_exists_once(tree):
    graph = Graph()
    first = build(tree, graph)
    count = len(graph)
    assert build(tree, graph) == first
    assert len(graph) == count


@given(trees(safe=False))
def test_sharing_holds_for_special_numbers_too(tree):
    graph = Graph()
    first = build(tree, graph)
    count = len(graph)
    assert build(tree, graph) == first
    assert len(graph) == count


@given(trees())
def test_a_derivative_that_is_taken_twice_exists_once(tree):
    graph = Graph()
    q = graph.variables("x y z")
    expression = build(tree, graph)
    first = [derivative(expression, q[0]), *gradient(expression, q), *jacobian(array([expression]), q).flat]
    count = len(graph)
    second = [derivative(expression, q[0]), *gradient(expression, q), *jacobian(array([expression]), q).flat]
    assert second == first
    assert len(graph) == count


@given(trees(size=5), trees(size=5))
def test_signs_and_order_do_not_hide_common_expressions(left, right):
    graph = Graph()
    x, y = build(left, graph), build(right, graph)
    # made first, so that the other spellings are found
    x - y, x + y, x * y, x / y, a.minimum(x, y), a.maximum(x, y), a.hypot(x, y), a.equal(x, y), x < y, a.arctan2(x, y)
    less = x < y
    a.where(less, x, -y)
    count = len(graph)
    assert y - x == -(x - y)
    assert y + x == x + y == -(-x - y)
    assert y * x == x * y == (-x) * (-y) == -((-x) * y)
    if y != 0:  # a constant zero is its own negative
        assert (-x) / y == x / (-y) == -(x / y)
    assert a.minimum(y, x) == a.minimum(x, y)
    assert a.maximum(-x, -y) == -a.minimum(x, y)
    assert a.maximum(y, x) == a.maximum(x, y) == -a.minimum(-x, -y)
    assert a.hypot(y, x) == a.hypot(-x, y) == a.hypot(x, y)
    assert a.equal(y, x) == a.equal(-x, -y) == a.equal(x, y)
    assert (y > x) == (-y < -x) == (x < y)
    assert a.where(less, -x, y) == -a.where(less, x, -y)
    if x != 0:
        assert a.arctan2(-x, y) == -a.arctan2(x, y)
    assert len(graph) == count


def test_odd_and_even_functions_pass_the_sign_through(xyz):
    x = xyz[0]
    for odd in (a.sin, a.tan, a.arcsin, a.arctan, a.sinh, a.tanh, a.sign):
        assert odd(-x) == -odd(x)
    for even in (a.cos, a.cosh, a.absolute):
        assert even(-x) == even(x)
    for neither in (a.exp, a.arccos, a.sqrt, a.log):
        assert neither(-x) not in (neither(x), -neither(x))


def test_comparisons_with_zero_share_their_signs(xyz):
    x = xyz[0]
    assert (-x < 0) == (x > 0) and (-x <= 0) == (x >= 0)
    assert (0 < -x) == (x < 0) and (0 <= -x) == (x <= 0)
    assert a.equal(-x, 0) == a.equal(x, 0) == a.equal(0, -x)
    assert a.maximum(0, -x) == -a.minimum(x, 0)
    y = xyz[1]
    assert (-x < y) == (-y < x) and (-x <= y) == (x >= -y)


def test_rows_are_an_order_of_evaluation(graph, xyz):
    x, y, z = xyz
    expression = a.where(x < y * z, a.sin(x) / (y - z), a.hypot(x, z) ** y)
    rows = graph.reachable([expression.handle])
    assert rows == sorted(rows)
    for row in rows:
        assert all(abs(argument) < row for argument in op.atom_arguments(graph.nodes[row]))
    assert [graph.symbol(row).name for row in graph.symbols_of([expression.handle])] == ["x", "y", "z"]


# --------------------------------------------------------------------------- rules


@given(trees(size=6))
def test_neutral_elements_add_no_atom(tree):
    graph = Graph()
    e = build(tree, graph)
    count = len(graph)
    minus = -e
    assert e + 0 == 0 + e == e - 0 == e * 1 == 1 * e == e / 1 == +e == e**1 == -minus == e
    assert 0 - e == -1 * e == e / -1 == -e
    assert len(graph) == count


@given(trees(size=6))
def test_what_cancels_is_a_number(tree):
    graph = Graph()
    e = build(tree, graph)
    assert e - e == e + (-e) == 0 * e == e * 0 == 0
    assert e**0 == 1
    if e.value is None:
        assert 0 / e == 0


def test_what_was_just_added_or_multiplied_cancels(xyz):
    x, y, _ = xyz
    assert (x + y) - y == (y + x) - y == (x - y) + y == y + (x - y) == x
    assert x - (x + y) == (x - y) - x == -y and x - (x - y) == y
    assert (x * y) / y == (y * x) / y == (x / y) * y == y * (x / y) == x * (1 / y) * y == x
    assert x / x == (-x) / (-x) == 1 and x / (-x) == -1


def test_multiples_of_the_same_atom_are_collected(xyz):
    x, y, _ = xyz
    assert x + x == 2 * x
    assert 2 * x + x == x + 2 * x == 3 * x == 6 * x / 2
    assert 5 * x - 2 * x == 3 * x == -(2 * x - 5 * x)
    assert 2 * x - 2 * x == 0
    assert 2 * (3 * x) == 6 * x and 2 * (3 / x) == 6 / x
    assert -2 * (3 * x) == -(6 * x)
    assert x * y + x * y == 2 * (x * y)


def test_collecting_does_not_overflow_or_underflow(xyz):
    x = xyz[0]
    for scaled, at, expected in (
        (1e200 * (1e200 * x), 1e-300, 1e100),
        (1e-200 * (1e-200 * x), 1e300, 1e-100),
        (1e200 * (1e200 / x), 1e300, 1e100),
        (1e-200 * (1e-200 / x), 1e-300, 1e-100),
        (1.5e308 * x + 1.5e308 * x, 0.25, 7.5e307),
    ):
        assert evaluate(scaled, {x: at}) == pytest.approx(expected, rel=1e-15)


def test_division_by_powers_of_two_is_a_product(graph, xyz):
    x = xyz[0]
    assert x / 4 == 0.25 * x and x / 0.5 == 2 * x
    assert graph.nodes[(x / 3).handle][0] == op.DIV  # 1/3 would be rounded
    assert x / 3 != x * (1 / 3)


@pytest.mark.parametrize("n", range(-16, 17))
def test_whole_powers_are_products(graph, n):
    x = graph.variable("x")
    power = x**n
    assert all(graph.nodes[row][0] != op.POW for row in graph.reachable([power.handle]))
    # binary powers: at most 2 log2(16) products and a division
    assert len(graph.reachable([power.handle])) <= 10
    assert evaluate(power, {x: 1.25}) == pytest.approx(1.25**n, rel=1e-14)


def test_powers(graph, xyz):
    x, y, _ = xyz
    assert x**2 == x * x and x**3 == x * (x * x) and x**-2 == 1 / (x * x)
    assert x**0.5 == a.sqrt(x) and x**-0.5 == 1 / a.sqrt(x)
    assert x**y != y**x
    assert x ** Fraction(1, 2) == a.sqrt(x)
    for exponent in (17, 1.5, -2.5, 1e300, math.inf, math.nan):
        assert graph.nodes[(x**exponent).handle][0] == op.POW
    assert (2.0**x).value is None
    # An exponent that becomes a number later follows the same rules.
    assert substitute(x**y, {y: 2.0}) == x * x
    assert substitute(x**y, {y: 0.5}) == a.sqrt(x)


def test_absolute_values(xyz):
    x, y, _ = xyz
    assert abs(abs(x)) == abs(x) and abs(a.sqrt(x)) == a.sqrt(x) and abs(-a.sqrt(x)) == a.sqrt(x)
    assert a.hypot(x, 0) == a.hypot(0, -x) == abs(x)
    assert a.minimum(x, x) == a.maximum(x, x) == x
    assert a.maximum(x, -x) == -a.minimum(-x, x) == abs(x)
    assert abs(x * y) == abs(-x * y)


def test_choices(graph, xyz):
    x, y, z = xyz
    assert a.where(x, y, y) == y
    assert a.where(constant(graph, 2.0), y, z) == y and a.where(constant(graph, 0.0), y, z) == z
    assert a.where(constant(graph, math.nan), y, z) == y
    assert a.where(x, -y, -z) == -a.where(x, y, z) == -a.where(-x, y, z)
    assert a.where(1.0, y, z) == y and a.where(True, 1.0, 2.0) == 1.0
    for condition in (x == 0, x != 0, np.bool_(True)):
        with pytest.raises(SymbolicError, match=r"`==` and `!=` compare structure .* write equal\(a, b\) or not_equal"):
            a.where(condition, y, z)


def test_logic(xyz):
    x, y, _ = xyz
    less = x < y
    assert a.logical_not(a.logical_not(less)) == less
    assert a.logical_and(less, less) == less * less
    table = list(itertools.product([0.0, 1.0, -2.5], repeat=2))
    p, q = np.array(table).T
    for ours, numeric in ((a.logical_and, np.logical_and), (a.logical_or, np.logical_or)):
        assert evaluate(ours(x, y), {x: p, y: q}).tolist() == numeric(p, q).astype(float).tolist()
    assert evaluate(a.logical_not(x), {x: p}).tolist() == np.logical_not(p).astype(float).tolist()


# ------------------------------------------------------------------------- constants


@given(trees(safe=False, size=5), points(safe=False))
def test_constants_fold_to_what_numpy_gives(tree, point):
    graph = Graph()
    folded = read(tree, ATOMS, lambda leaf: constant(graph, point[leaf] if isinstance(leaf, str) else leaf)).value
    expected = Doubles()(tree, point)
    assert folded is not None
    assert (
        folded == expected
        or (math.isnan(folded) and math.isnan(expected))
        or math.isclose(folded, expected, rel_tol=1e-15)
    )


@pytest.mark.parametrize(
    "operation", ["add", "sub", "mul", "div", "pow", "min", "max", "atan2", "hypot", "lt", "le", "eq"]
)
def test_folding_of_special_pairs(graph, operation):
    from symbolic.strategies import NUMPY

    for x, y in itertools.product(SPECIAL, repeat=2):
        folded = ATOMS[operation](constant(graph, x), constant(graph, y)).value
        with np.errstate(all="ignore"):
            expected = float(NUMPY[operation](np.float64(x) + 0.0, np.float64(y) + 0.0))
        assert folded == pytest.approx(expected, rel=1e-15, abs=0.0, nan_ok=True), (x, y)


def test_a_number_exists_once(graph):
    assert added(graph, lambda: [constant(graph, v) for v in (2.5, 2.5, -2.5, Fraction(5, 2), np.float32(2.5))]) == 1
    assert added(graph, lambda: [constant(graph, v) for v in (0, 1, -1, 0.0, -0.0, True, False)]) == 0
    assert added(graph, lambda: [constant(graph, v) for v in (math.nan, float("nan"), np.float64("nan"))]) == 1
    assert added(graph, lambda: [constant(graph, v) for v in (math.inf, -math.inf)]) == 1
    assert constant(graph, -2.5).value == -2.5 and constant(graph, -math.inf).value == -math.inf


def test_a_constant_has_no_negative_zero(graph):
    # Given up, and documented: zero is its own negative.
    assert constant(graph, -0.0).handle == constant(graph, 0.0).handle == 0
    assert (1 / constant(graph, -0.0)).value == math.inf


def test_domain_errors_of_constants_are_not_exceptions(graph):
    zero, minus = constant(graph, 0.0), constant(graph, -1.0)
    assert (1 / zero).value == math.inf and (minus / zero).value == -math.inf and math.isnan((zero / zero).value)
    assert (zero**-1).value == math.inf and (zero**-0.5).value == math.inf
    assert a.log(zero).value == -math.inf
    for nan in (a.sqrt(minus), a.log(minus), a.arcsin(2 * minus), a.arccos(2 + zero), minus**0.5, a.sin(1 / zero)):
        assert math.isnan(nan.value)
    assert a.exp(1000 + zero).value == math.inf
    infinite = 1 / zero
    assert math.isnan((infinite - infinite).value) and math.isnan((0 * infinite).value)


def test_division_by_a_constant_zero_is_left_to_the_evaluation(xyz):
    x = xyz[0]
    assert evaluate(x / 0.0, {x: [1.0, -2.0]}).tolist() == [math.inf, -math.inf]
    assert math.isnan(evaluate(x / 0.0, {x: 0.0}))


# --------------------------------------------------------------------------- symbols


def test_symbols_are_found_by_name(graph):
    x = graph.variable("x")
    assert graph["x"] == x == graph.variable("x")
    assert x.name == "x" and (-x).name is None and (2 * x).name is None
    assert len(graph.symbols) == 1


def test_an_unknown_symbol_is_answered_with_a_suggestion(graph):
    graph.parameters("mass length")
    with pytest.raises(UnknownSymbolError) as caught:
        graph["lenght"]
    assert str(caught.value) == "no symbol 'lenght' in this graph; did you mean 'length'? Valid names are: length, mass"
    assert isinstance(caught.value, KeyError) and isinstance(caught.value, DalembertError)
    with pytest.raises(UnknownSymbolError, match="none are declared"):
        Graph()["x"]


@pytest.mark.parametrize("kind", ["parameter", "input", "coordinate"])
def test_a_symbol_keeps_its_kind(graph, kind):
    graph.variable("x")
    with pytest.raises(
        SymbolicError, match=f"symbol 'x' is declared as variable already, it cannot become a {kind} too"
    ):
        getattr(graph, kind)("x")


def test_the_derivatives_of_a_coordinate_are_reserved(graph):
    graph.coordinate("x")
    with pytest.raises(SymbolicError, match="symbol 'dx' is declared as velocity already"):
        graph.parameter("dx")
    with pytest.raises(SymbolicError, match="unknown kind 'coordinat'; did you mean 'coordinate'"):
        graph.declare("y", "coordinat")
    assert [symbol.kind for symbol in graph.symbols] == ["coordinate", "velocity", "acceleration"]
    assert set(KINDS) > {"coordinate", "velocity", "acceleration", "parameter", "time", "input", "variable"} - {"time"}


def test_several_symbols_at_once(graph):
    assert [s.name for s in graph.parameters("m l, g")] == ["m", "l", "g"]
    assert [s.name for s in graph.coordinates("q", 3)] == ["q0", "q1", "q2"]
    assert [s.name for s in graph.variables(["u", "v"])] == ["u", "v"]
    assert [s.name for s in graph.inputs("w", 1)] == ["w0"]
    assert graph.variables("s", 0).shape == (0,)


def test_names_that_cannot_be(graph):
    for name in (3, "", " x", "x\n", None):
        with pytest.raises(SymbolicError, match=r"name of a symbol must be a text without blanks .* for a parameter"):
            graph.parameter(name)
    with pytest.raises(SymbolicError, match="2 numbered symbols need a name of one word, got 'u v'"):
        graph.coordinates("u v", 2)
    with pytest.raises(SymbolicError, match="2 names are given for 3 symbols"):
        graph.parameters(["a", "b"], 3)
    assert len(graph.parameters(["a", "b"], 2)) == 2


def test_a_coordinate_is_declared_completely_or_not_at_all(graph):
    graph.parameter("ddx")
    with pytest.raises(SymbolicError, match="coordinate 'x': symbol 'ddx' is declared as parameter already"):
        graph.coordinate("x")
    assert list(graph) == ["ddx"]
    with pytest.raises(SymbolicError, match="the time derivative of acceleration 'ddy' is not known: coordinates have"):
        _ = graph.coordinate("y").dt.dt.dt


def test_handles_are_those_of_scalars(graph):
    world = Base.root(graph)
    assert graph.handle(np.array(2.0)) == graph.handle(2) == graph.constant(2.0)
    for wrong, message in (
        ("3", "got str"),
        (world, "got Base"),
        (world.vector(1, 0, 0), r"got Vector.*; take components\(base\)"),
        (graph.variables("u", 2), "got AtomArray.*; join arrays with np.concatenate or np.stack"),
        (world.vector(1, 0, 0).dt, r"got method.*; call the method: dt\(\)"),
        (None, "got NoneType"),
    ):
        with pytest.raises(SymbolicError, match=message):
            graph.handle(wrong)


def test_the_association_is_shown(xyz):
    x, y, z = xyz
    for expression in (x + (y - z), (x + y) - z, x * (y * z), (x * y) * z, x * (y / z), x - (y - z), (x + y) + z):
        assert eval(repr(expression), {"x": x, "y": y, "z": z}) == expression
    assert repr(x + (y + z)) != repr((x + y) + z)


def test_rates(graph):
    q, m, t, w = graph.coordinate("q"), graph.parameter("m"), graph.time, graph.input("w")
    assert q.dt.name == "dq" and q.dt.dt.name == "ddq"
    assert m.dt == 0 and t.dt == 1
    assert w.dt.name == "dw" and w.dt.dt.name == "ddw"
    u = graph.variable("u", rate=m * q)
    assert u.dt == m * q and u.dt.dt == m * q.dt
    with pytest.raises(SymbolicError, match="time derivative of acceleration 'ddq' is not known"):
        q.dt.dt.dt  # noqa: B018
    with pytest.raises(
        SymbolicError, match=r"time derivative of variable 'x' is not known; declare it with graph.variable"
    ):
        graph.variable("x").dt  # noqa: B018


def test_atoms_of_two_graphs_do_not_mix(graph, xyz):
    other = Graph().variable("x")
    x = xyz[0]
    assert x != other
    for mix in (
        lambda: x + other,
        lambda: x * other,
        lambda: other**x,
        lambda: x < other,
        lambda: a.arctan2(x, other),
        lambda: a.where(x > 0, x, other),
        lambda: array([x, 1.0]) * other,
        lambda: derivative(x, other),
        lambda: substitute(x, {x: other}),
        lambda: graph.variable("u", rate=other),
    ):
        with pytest.raises(
            SymbolicError, match="atoms of two graphs cannot be combined; build the whole expression from one"
        ):
            mix()


def test_what_is_no_number_is_refused(graph, xyz):
    x = xyz[0]
    with pytest.raises(SymbolicError, match="expected an atom or a number, got str: 'three'"):
        graph.handle("three")
    with pytest.raises(SymbolicError, match="expected an atom or a number, got complex"):
        a.maximum(x, 1j)
    with pytest.raises(SymbolicError, match="expected an atom or a number, got NoneType"):
        substitute(x, {x: None})
    for other in ("1", None, 1j, object()):
        with pytest.raises(TypeError):
            x + other


def test_repr(graph, xyz):
    x, y, z = xyz
    assert repr(x * (y + z) - x / y) == "x*(y + z) - x/y"
    assert repr(-(x - y) * 2) == "-(2*(x - y))"
    assert repr(a.sin(-x) ** 2 + x**y) == "sin(x)*sin(x) + pow(x, y)"
    assert repr(x / (y * z)) == "x/(y*z)" and repr(x - (y + z)) == "x - (y + z)"
    assert repr(constant(graph, -0.1)) == "-0.1"
    assert repr(graph).startswith("<Graph with 3 symbols and ")
    deep = x
    for _ in range(5000):
        deep = a.sin(deep) * y
    assert len(repr(deep)) < 1000 and "#" in repr(deep)  # cut, without recursion down to the leaves
