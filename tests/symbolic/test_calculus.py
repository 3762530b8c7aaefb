"""Derivatives, substitution and linear coefficients against mpmath's numerical differentiation and the complex step."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from symbolic.strategies import KINKED, NAMES, SMOOTH, build, exact, points, trees, well_conditioned

from dalembert.errors import SymbolicError
from dalembert.symbolic import functions as a
from dalembert.symbolic.atom import array, zeros
from dalembert.symbolic.calculus import (
    adjoint_derivative,
    derivative,
    directional_derivative,
    gradient,
    hessian_vector_product,
    jacobian,
    linear_coefficients,
    substitute,
    symbols,
    time_derivative,
)
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.functions import absolute, hypot, log, maximum, sqrt, where
from dalembert.symbolic.graph import Graph
from dalembert.symbolic.sparse import SparseMatrix
from dalembert.symbolic.statistics import report
from dalembert.symbolic.tables import PiecewisePolynomial

DIGITS = 40


def reference(tree, point, *orders):
    """Partial derivative of a tree by differences with many digits; ``orders`` as many as there are symbols."""
    with mpmath.workdps(DIGITS):
        at = [mpmath.mpf(point[name]) for name in NAMES]
        return mpmath.diff(lambda *q: exact(tree, dict(zip(NAMES, q, strict=True))), at, orders)


def close(value, expected, accuracy=1e-8):
    return abs(value - expected) <= accuracy * (1 + abs(expected))


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def xyz(graph):
    return graph.variables("x y z")


# --------------------------------------------------------------- first derivatives


@pytest.mark.parametrize("mode", ["derivative", "gradient", "forward", "reverse", "sparse", "directional"])
@given(trees(KINKED), points())
def test_first_derivatives(mode, tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    q = graph.variables("x y z")
    expression = build(tree, graph)
    if mode == "derivative":
        found = [derivative(expression, symbol) for symbol in q]
    elif mode == "gradient":
        found = gradient(expression, q)
    elif mode == "directional":
        found = [directional_derivative(expression, q, unit) for unit in np.eye(3)]
    elif mode == "sparse":
        found = jacobian(array([expression]), q, sparse=True).toarray()[0]
    else:
        found = jacobian(expression, q, mode=mode)
    expected = [reference(tree, point, *order) for order in np.eye(3, dtype=int).tolist()]
    with mpmath.workdps(DIGITS):
        values = evaluate(found, point, "mpmath")
    assert all(close(v, e, 1e-9) for v, e in zip(values, expected, strict=True)), (values, expected)


@given(trees(SMOOTH), points())
def test_first_derivatives_in_doubles_against_the_complex_step(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    q = graph.variables("x y z")
    expression = build(tree, graph)
    values = evaluate(gradient(expression, q), point)
    for i, name in enumerate(NAMES):
        step = evaluate(expression, {**point, name: complex(point[name], 1e-30)}, "complex").imag / 1e-30
        assert close(values[i], step)


@given(trees(SMOOTH, size=6), trees(SMOOTH, size=6), points())
def test_forward_and_reverse_sweeps_are_adjoint(first, second, point):
    graph = Graph()
    q = graph.variables("x y z")
    f = array([build(first, graph), build(second, graph)])
    weights, direction = graph.variables("w", 2), graph.variables("d", 3)
    forward = weights @ array(directional_derivative(f, q, direction))
    reverse = array(adjoint_derivative(f, q, weights)) @ direction
    full = weights @ jacobian(f, q) @ direction
    values = evaluate(
        array([forward, reverse, full]), [*point.items(), (weights, [0.3, -1.7]), (direction, [1.1, 0.2, -0.9])]
    )
    assume(np.isfinite(values).all() and np.abs(values).max() < 1e6)
    assert close(values[1], values[0], 1e-7) and close(values[2], values[0], 1e-7)


# -------------------------------------------------------------- second derivatives


@given(trees(SMOOTH, size=5), points())
def test_second_derivatives(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    q = graph.variables("x y z")
    expression = build(tree, graph)
    hessian = jacobian(gradient(expression, q), q)
    direction = np.array([0.5, -2.0, 1.0])
    product = hessian_vector_product(expression, q, direction)
    with mpmath.workdps(DIGITS):
        values = evaluate(hessian, point, "mpmath")
        products = evaluate(product, point, "mpmath")
    expected = np.array([[reference(tree, point, *np.add(i, j).tolist()) for j in np.eye(3, dtype=int)]
                         for i in np.eye(3, dtype=int)])  # fmt: skip
    size = 1 + abs(expected).max()
    assert abs(values - expected).max() <= 1e-8 * size
    assert abs(products - expected @ direction).max() <= 1e-7 * size


@given(trees(SMOOTH, size=5), points())
def test_second_derivatives_commute(tree, point):
    graph = Graph()
    x, y, _ = graph.variables("x y z")
    expression = build(tree, graph)
    xy, yx = evaluate(
        array([derivative(derivative(expression, x), y), derivative(derivative(expression, y), x)]), point
    )
    assume(math.isfinite(xy) and well_conditioned(tree, point) and abs(xy) < 1e3)
    assert close(xy, yx, 1e-6)


# -------------------------------------------------------------------- closed forms


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: a.sqrt(x), lambda x: 0.5 / math.sqrt(x)),
        (lambda x: a.tan(x), lambda x: 1 / math.cos(x) ** 2),
        (lambda x: a.arcsin(x), lambda x: 1 / math.sqrt(1 - x * x)),
        (lambda x: a.arccos(x), lambda x: -1 / math.sqrt(1 - x * x)),
        (lambda x: a.arctan(x), lambda x: 1 / (1 + x * x)),
        (lambda x: a.tanh(x), lambda x: 1 / math.cosh(x) ** 2),
        (lambda x: a.log(x), lambda x: 1 / x),
        (lambda x: x**x, lambda x: x**x * (math.log(x) + 1)),
        (lambda x: x**2.5, lambda x: 2.5 * x**1.5),
        (lambda x: 3.0**x, lambda x: 3.0**x * math.log(3.0)),
        (lambda x: a.arctan2(x, 2.0), lambda x: 2 / (4 + x * x)),
        (lambda x: a.arctan2(2.0, x), lambda x: -2 / (4 + x * x)),
        (lambda x: a.hypot(x, 3.0), lambda x: x / math.hypot(x, 3.0)),
        (lambda x: abs(-x), lambda x: 1.0),
        (lambda x: a.minimum(-x, x * x), lambda x: -1.0),
        (lambda x: a.maximum(-x, x * x), lambda x: 2 * x),
        (lambda x: a.where(x < 0.5, -x, a.sin(x)), lambda x: -1.0 if x < 0.5 else math.cos(x)),
        (lambda x: a.sign(x) * x, lambda x: 1.0),
        (lambda x: a.clip(x, 0.5, 2.0), lambda x: 0.0 if x < 0.5 else 1.0),
        (lambda x: x / x, lambda x: 0.0),
        (lambda x: x - x, lambda x: 0.0),
        (lambda x: (x + 1) / (x + 2), lambda x: 1 / (x + 2) ** 2),
        (lambda x: x * x * x / (x * x), lambda x: 1.0),
        (lambda x: a.sin(x) / a.cos(x), lambda x: 1 / math.cos(x) ** 2),
    ],
)
@pytest.mark.parametrize("x0", [0.3, 0.75])
def test_closed_forms(graph, function, expected, x0):
    x = graph.variable("x")
    y = function(x)
    found = [
        derivative(y, x),
        adjoint_derivative(y, x, 1.0),
        jacobian(array([y]), array([x]), mode="forward")[0, 0],
        jacobian(array([y]), array([x]), mode="reverse")[0, 0],
        directional_derivative(y, x, 1.0),
    ]
    assert evaluate(found, {x: x0}) == pytest.approx([expected(x0)] * len(found), rel=1e-13, abs=1e-13)


def test_the_shortest_jacobian_is_that_of_the_shorter_sweep(graph):
    """A chain behind many variables is swept by rows, one behind a single variable by columns; values are the same."""
    x = graph.variables("x", 12)
    many, one = [sum(a.cos(item) for item in x)], [a.sin(x[0])]
    for chain in (many, one):
        for _ in range(9):
            chain.append(a.sin(chain[-1]))
    point = dict(zip(x, np.linspace(0.2, 0.9, 12), strict=True))
    for expression, variables, best in ((many[-2:], x, "reverse"), (one, x[:1], "forward")):
        made = {mode: jacobian(array(expression), variables, mode=mode) for mode in ("forward", "reverse", "shortest")}
        sizes = {mode: report(matrix, x).together.operations for mode, matrix in made.items()}
        assert sizes["shortest"] == sizes[best] == min(sizes.values())
        assert best == "forward" or sizes["reverse"] < 0.7 * sizes["forward"]
        values = [np.asarray(evaluate(matrix, point), dtype=float) for matrix in made.values()]
        assert values[0] == pytest.approx(values[1], rel=1e-12)
        assert values[0] == pytest.approx(values[2], rel=1e-12)


def test_what_does_not_depend_has_the_derivative_zero(graph, xyz):
    x, y, z = xyz
    for expression in (y, a.sin(y) * z, a.sign(x), x < y, a.equal(x, y), a.where(x < 0, 1.0, 2.0), x - x, x / x):
        assert derivative(expression, x) == 0
        assert gradient(expression + y, xyz)[0] == 0
    assert derivative(3.0, x) == 0
    assert derivative(array([x, 2.0, y]), x).tolist() == [1, 0, 0]


def test_derivatives_need_few_new_atoms(graph, xyz):
    x, y, _ = xyz
    e = a.exp(x * y)
    before = len(graph)
    assert derivative(e, x) == y * e
    assert derivative(a.sqrt(e), x) == 0.5 / a.sqrt(e) * (y * e)
    s, c = a.sin(x), a.cos(x)
    assert derivative(s, x) == c and derivative(c, x) == -s
    assert len(graph) == before + 7  # y e, √e, 0.5, the quotient, the product, sin x, cos x


def test_minimum_and_maximum_choose_the_derivative_too(graph, xyz):
    x, y, _ = xyz
    grads = evaluate([gradient(a.minimum(x, y), array([x, y])), gradient(a.maximum(x, y), array([x, y]))],
                     {x: [1.0, 2.0], y: [2.0, 1.0]})  # fmt: skip
    assert grads[..., 0].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert grads[..., 1].tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_where_protects_a_value_from_the_other_branch(graph, xyz):
    x = xyz[0]
    protected = a.where(x > 0, a.sqrt(a.maximum(x, 1e-12)), 0.0)
    assert evaluate(array([protected, derivative(protected, x)]), {x: -1.0}).tolist() == [0.0, 0.0]


def test_tables_are_differentiated_exactly(graph):
    x = graph.variable("x")
    table = PiecewisePolynomial.spline([0.0, 1.0, 2.0, 4.0], [1.0, -1.0, 0.5, 2.0])
    inner = a.sin(3 * x)
    chain = derivative(table(2 + inner), x)
    assert chain == table(2 + inner, 1) * derivative(inner, x)
    step = evaluate(table(2 + inner), {x: 0.4 + 1e-30j}, "complex").imag / 1e-30
    assert evaluate(chain, {x: 0.4}) == pytest.approx(step, rel=1e-14)
    assert gradient(table(x), array([x]))[0] == table(x, 1)
    fourth = table(x)
    for _ in range(4):
        fourth = derivative(fourth, x)
    assert fourth == 0


# ---------------------------------------------------------------------------- shapes


def test_shapes_of_jacobians(graph):
    q = graph.variables("q", 3)
    matrix = np.outer(q, q)
    for mode in ("auto", "forward", "reverse"):
        assert jacobian(matrix, q, mode=mode).shape == (3, 3, 3)
        assert jacobian(q[0] * q[1], q, mode=mode).shape == (3,)
        assert jacobian(q, q[0], mode=mode).shape == (3,)
        assert jacobian(q[0], q[0], mode=mode) == 1
        assert jacobian(q, q.reshape(3, 1), mode=mode).shape == (3, 3, 1)
    assert derivative(matrix, q[0]).shape == (3, 3)
    assert gradient(q @ q, q.reshape(3, 1)).shape == (3, 1)
    assert directional_derivative(matrix, q, [1.0, 0.0, 0.0]).shape == (3, 3)


def test_wrong_arguments(graph, xyz):
    x, y, _ = xyz
    with pytest.raises(
        SymbolicError, match=r"derivative takes symbols, but 'x \+ y' is an expression; introduce a variable"
    ):
        derivative(x, x + y)
    with pytest.raises(SymbolicError, match=r"derivative takes one symbol, got an array of shape \(3,\); use jacobian"):
        derivative(x, xyz)
    with pytest.raises(SymbolicError, match="jacobian takes symbols, but '-x' is an expression"):
        jacobian(x, array([-x]))
    with pytest.raises(SymbolicError, match="jacobian takes symbols, but '2' is an expression"):
        jacobian(x, array([2.0]))
    with pytest.raises(SymbolicError, match="jacobian: symbol 'x' is listed twice"):
        jacobian(x, array([x, y, x]))
    with pytest.raises(
        SymbolicError, match=r"directional_derivative: \(3,\) variables need a direction of that shape, got \(2,\)"
    ):
        directional_derivative(x, xyz, [1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"expression of shape \(2,\) needs weights of that shape, got \(\)"):
        adjoint_derivative(array([x, y]), xyz, 1.0)
    with pytest.raises(SymbolicError, match="gradient takes one scalar atom; use jacobian for arrays"):
        gradient(array([x, y]), xyz)
    with pytest.raises(SymbolicError, match="mode must be one of auto, forward, reverse, shortest; got 'backward'"):
        jacobian(x, xyz, mode="backward")
    with pytest.raises(SymbolicError, match="sparse=True needs a vector of expressions and a vector of variables"):
        jacobian(x, xyz, sparse=True)
    with pytest.raises(SymbolicError, match="there is no atom among the arguments"):
        time_derivative(2.0)


# ---------------------------------------------------------------------------- sparse


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_pattern_of_a_sparse_jacobian(graph, mode):
    q = graph.variables("q", 4)
    f = array([q[0] * q[1], a.sin(q[1]) + 3, 2 * q[2] - q[3], q[0] - q[0], q[3] * q[0] / q[0]])
    matrix = jacobian(f, q, sparse=True, mode=mode)
    places = set(zip(matrix.rows, matrix.columns, strict=True))
    assert places >= {(0, 0), (0, 1), (1, 1), (2, 2), (2, 3), (4, 3)}
    assert not places & {(3, column) for column in range(4)}  # what cancels is not stored
    assert places <= {(0, 0), (0, 1), (1, 1), (2, 2), (2, 3), (4, 3), (4, 0)}
    assert matrix.shape == (5, 4) and matrix.nnz == len(places)
    assert matrix.indptr.tolist() == [0, *np.cumsum([sum(c == j for c in matrix.columns) for j in range(4)])]
    point = [(q, [0.3, -0.7, 1.1, 2.0])]
    dense = jacobian(f, q)
    assert evaluate(matrix.toarray(), point) == pytest.approx(evaluate(dense, point))
    again = SparseMatrix.from_dense(matrix.toarray())
    assert (again.rows, again.columns) == (matrix.rows, matrix.columns)


def test_a_sparse_jacobian_may_be_empty(graph):
    q = graph.variables("q", 2)
    matrix = jacobian(array([1.0, 2.0, 3.0]), q, sparse=True)
    assert matrix.shape == (3, 2) and matrix.nnz == 0 and matrix.indptr.tolist() == [0, 0, 0]
    assert (matrix.toarray() == 0).all()


def test_sparse_matrices_check_their_entries(graph):
    x = graph.variable("x")
    with pytest.raises(SymbolicError, match="2 rows, 1 columns and 1 values do not fit"):
        SparseMatrix((2, 2), (0, 1), (0,), array([x]))
    with pytest.raises(SymbolicError, match="unique and sorted by column, then by row"):
        SparseMatrix((2, 2), (0, 0), (1, 0), array([x, x]))
    with pytest.raises(SymbolicError, match=r"outside of the shape \(2, 2\)"):
        SparseMatrix((2, 2), (2,), (0,), array([x]))
    with pytest.raises(SymbolicError, match=r"outside of the shape \(2, 2\)"):
        SparseMatrix((2, 2), (-1,), (0,), array([x]))
    with pytest.raises(SymbolicError, match="expected a matrix"):
        SparseMatrix.from_dense([x])


# -------------------------------------------------------------------- time derivative


@given(trees(SMOOTH, size=6, names=("x", "dx", "y", "t", "p")), points(("x", "dx", "y", "t", "p", "ddx", "dy")))
def test_total_time_derivative(tree, point):
    """Against the derivative along x(t), y(t), which are polynomials with the given values."""
    graph = Graph()
    x, y = graph.coordinates("x y")
    p, t = graph.parameter("p"), graph.time
    expression = build(tree, graph)
    assume(well_conditioned(tree, point))
    with mpmath.workdps(DIGITS):
        v = {name: mpmath.mpf(value) for name, value in point.items()}

        def along(time):
            s = time - v["t"]
            return exact(tree, {"x": v["x"] + v["dx"] * s + v["ddx"] * s * s / 2, "dx": v["dx"] + v["ddx"] * s,
                                "y": v["y"] + v["dy"] * s, "t": time, "p": v["p"]})  # fmt: skip

        expected = mpmath.diff(along, v["t"])
        assert close(evaluate(time_derivative(expression), point, "mpmath"), expected, 1e-9)
    chain = (
        derivative(expression, x) * x.dt
        + derivative(expression, x.dt) * x.dt.dt
        + derivative(expression, y) * y.dt
        + derivative(expression, t)
    )
    assert close(evaluate(chain, point), float(expected))
    assert time_derivative(p) == 0


def test_time_derivatives_of_inputs_states_and_tables(graph):
    w, t = graph.input("w"), graph.time
    x = graph.coordinate("x")
    u = graph.variable("u", rate=-2 * graph["x"])
    assert time_derivative(w * t) == w.dt * t + w
    assert (u * u).dt.dt == time_derivative(2 * (u * (-2 * x)))
    table = PiecewisePolynomial.linear([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    assert table(x).dt == table(x, 1) * x.dt
    vector = array([x, 2.0, w])
    assert vector.dt.tolist() == [x.dt, 0, w.dt]
    assert zeros((2, 3)).dt.tolist() == [[0.0] * 3] * 2  # numbers do not change


# ----------------------------------------------------------------------- substitution


@given(trees(), trees(size=3), points())
def test_substitution_is_evaluation_at_another_point(tree, inner, point):
    graph = Graph()
    x, _, _ = graph.variables("x y z")
    expression, replacement = build(tree, graph), build(inner, graph)
    value = evaluate(replacement, point)
    moved = {**point, "x": float(value)}
    assume(well_conditioned(tree, moved) and well_conditioned(inner, point))
    assert close(evaluate(substitute(expression, {x: replacement}), point), evaluate(expression, moved))


@given(trees(), points())
def test_replacements_happen_at_once(tree, point):
    assume(well_conditioned(tree, point))
    graph = Graph()
    x, y, _ = graph.variables("x y z")
    expression = build(tree, graph)
    swapped = substitute(expression, {x: y, y: x})
    assert close(evaluate(swapped, {**point, "x": point["y"], "y": point["x"]}), evaluate(expression, point))
    count = len(graph)
    assert substitute(expression, {x: x, y: y}) == expression
    assert substitute(expression, {x: y, y: x}) == swapped
    assert len(graph) == count


def test_substitution_of_arrays_expressions_and_signs(graph, xyz):
    x, y, z = xyz
    q = graph.variables("q", 2)
    assert substitute(q[0] * q[1], [(q, [x, y])]) == x * y
    assert substitute(q, [(q, 0.0)]).tolist() == [0, 0]
    assert substitute(a.sin(x + y) * z, {x + y: z}) == a.sin(z) * z
    assert substitute(x * y, {-x: z}) == -z * y
    assert substitute(x, {}) == x
    assert substitute(np.outer(q, q), [(q, [1.0, 2.0])]).tolist() == [[1, 2], [2, 4]]
    table = PiecewisePolynomial.linear([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    assert substitute(table(x) + table(x, 1), {x: y}) == table(y) + table(y, 1)
    assert substitute(table(x), {x: 1.5}).value == 2.5


def test_substitution_refuses_what_does_not_fit(graph, xyz):
    x, y, z = xyz
    with pytest.raises(SymbolicError, match=r"cannot replace atoms of shape \(3,\) by shape \(2,\)"):
        substitute(x, [(xyz, [1.0, 2.0])])
    with pytest.raises(SymbolicError, match="the number 2 cannot be replaced, only atoms"):
        substitute(x, [(array([x, 2.0]), [y, z])])


# ---------------------------------------------------------------- linear coefficients


@given(trees(size=5, names=("y", "z")), trees(size=5, names=("y", "z")), points())
def test_linear_coefficients(slope, offset, point):
    graph = Graph()
    x, _, _ = graph.variables("x y z")
    A, b = linear_coefficients(array([build(slope, graph) * x + build(offset, graph), 2 * x]), array([x]))
    values = evaluate(A, point), evaluate(b, point)
    expected = evaluate(build(slope, graph), point), evaluate(build(offset, graph), point)
    assert values[0].ravel() == pytest.approx([expected[0], 2.0], nan_ok=True)
    assert values[1] == pytest.approx([expected[1], 0.0], nan_ok=True)


def test_equations_of_motion_give_mass_matrix_and_forces(graph):
    q = graph.coordinates("x phi")
    m, g = graph.parameters("m g")
    r = array([q[0] + a.sin(q[1]), -a.cos(q[1])])
    kinetic = m / 2 * (r.dt @ r.dt)
    residual = time_derivative(gradient(kinetic, q.dt)) - gradient(kinetic, q) + array([0.0, m * g * a.sin(q[1])])
    M, b = linear_coefficients(residual, q.dt.dt)
    point = {"x": 0.1, "phi": 0.7, "dx": 0.2, "dphi": -1.3, "m": 2.0, "g": 9.81}
    s, c = math.sin(0.7), math.cos(0.7)
    assert evaluate(M, point) == pytest.approx(2.0 * np.array([[1.0, c], [c, 1.0]]))
    assert evaluate(b, point) == pytest.approx(2.0 * np.array([-s * 1.3**2, 9.81 * s]))


@pytest.mark.parametrize(
    "expression",
    [
        lambda x, y: x * x,
        lambda x, y: a.sin(x),
        lambda x, y: y / x,
        lambda x, y: abs(x),
        lambda x, y: a.sign(x),
        lambda x, y: a.where(x > 0, 1.0, 2.0),
        lambda x, y: a.where(x < y, x, -x),
        lambda x, y: a.maximum(x, y),
        lambda x, y: (x <= y) * y,
        lambda x, y: PiecewisePolynomial([0.0, 1.0, 2.0], [[1.0, 3.0]], outside="constant")(x),
    ],
)
def test_what_is_not_linear_is_refused(graph, expression):
    x, y = graph.variables("x y")
    with pytest.raises(SymbolicError, match="linear_coefficients: the expression is not linear in 'x'"):
        linear_coefficients(array([expression(x, y) + 2 * x]), array([x]))
    linear_coefficients(array([expression(y, y) + 2 * x]), array([x]))


def test_a_product_of_two_variables_is_refused(graph):
    x, y = graph.variables("x y")
    with pytest.raises(SymbolicError, match="not linear in 'x', 'y'"):
        linear_coefficients(array([x * y]), array([x, y]))


def test_symbols_are_listed_in_the_order_of_declaration(graph):
    x, y, z = graph.variables("x y z")
    assert symbols(z * a.sin(x)) == [x, z]
    assert symbols(array([y, x * 0])) == [y]


def test_a_singular_branch_that_is_not_taken_does_not_spoil_the_gradient() -> None:
    graph = Graph()
    x, y, k = graph.variables("x y k")
    d = x - y * y
    contact = where(d > 0, k * d**1.5, 0.0)  # Hertz
    regular = where(hypot(x, y) > 1e-9, x / hypot(x, y), 0.0)
    nested = where(x > 0, where(y > 0, sqrt(x) * log(y), 0.0), 0.0) + maximum(0.5, sqrt(absolute(x)))
    for expression in (contact, regular, nested, contact * regular + nested, sqrt(x) * (contact + regular)):
        reverse = gradient(expression, [x, y])
        forward = jacobian(array([expression, x]), [x, y], mode="forward")[0]
        for point in [(-1.0, 0.5, 3.0), (0.0, 0.0, 3.0), (2.0, 0.5, 3.0), (0.5, -2.0, 1.0)]:
            values = dict(zip((x, y, k), point, strict=True))
            np.testing.assert_allclose(evaluate(reverse, values), evaluate(forward, values), rtol=1e-13)


def test_a_condition_on_a_bare_symbol_is_not_linear() -> None:
    graph = Graph()
    x, y = graph.variables("x y")
    with pytest.raises(SymbolicError, match="not linear in 'x'"):
        linear_coefficients(array([where(x, 1.0, 2.0) + y]), [x, y])
