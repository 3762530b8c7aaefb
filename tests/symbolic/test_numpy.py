"""Atoms under Python operators, NumPy functions and what they refuse."""

import copy
import math
import operator
import pickle

import numpy as np
import pytest

from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic import functions as a
from dalembert.symbolic.atom import Atom, AtomArray, array, eye, zeros
from dalembert.symbolic.evaluate import evaluate
from dalembert.symbolic.graph import Graph

POINT = {"x": 0.3, "y": -0.7, "z": 1.9, "u0": 0.1, "u1": 1.2, "u2": -0.4, "w0": 0.8, "w1": -1.1, "w2": 0.6}
X, Y, Z = (POINT[name] for name in "xyz")
U = np.array([POINT[f"u{i}"] for i in range(3)])
W = np.array([POINT[f"w{i}"] for i in range(3)])
M = np.array([[X, Y], [Z, 1.0]])
N = np.array([[X, Y, 2.0], [Z, 1.0, Y], [0.0, X, Z]])


class Symbols:
    """The same names as atoms."""

    def __init__(self):
        g = self.graph = Graph()
        self.x, self.y, self.z = g.variables("x y z")
        self.u, self.w = g.variables("u", 3), g.variables("w", 3)
        self.M = array([[self.x, self.y], [self.z, 1.0]])
        self.N = array([[self.x, self.y, 2.0], [self.z, 1.0, self.y], [0.0, self.x, self.z]])

    def values(self, expression):
        return evaluate(expression, {name: POINT[name] for name in self.graph.symbol_rows})


@pytest.fixture
def s():
    return Symbols()


NUMBERS = type("Numbers", (), {"x": X, "y": Y, "z": Z, "u": U, "w": W, "M": M, "N": N})


# ---------------------------------------------- the same line for numbers and for atoms


@pytest.mark.parametrize(
    "line",
    [
        lambda s: np.sin(s.x),
        lambda s: np.float64(2.0) * s.x + s.y / np.int64(3) - np.float32(0.5),
        lambda s: s.x * np.ones(3) + np.arange(3.0) * s.y,
        lambda s: np.array(2.0) + s.x,
        lambda s: np.sin(s.u) * np.cos(s.w) + np.tan(s.u) - np.arctan(s.w),
        lambda s: np.exp(s.u) + np.sinh(s.u) * np.cosh(s.w) - np.tanh(s.u),
        lambda s: np.sqrt(np.abs(s.u)) + np.log(s.u**2),
        lambda s: np.arcsin(s.u / 2) - np.arccos(s.w / 2) + np.arctan2(s.u, s.w) + np.hypot(s.u, s.w),
        lambda s: np.sign(s.u) + np.absolute(s.w) + np.fabs(s.u) + np.square(s.w) + np.reciprocal(s.u),
        lambda s: np.deg2rad(s.u) + np.rad2deg(s.w) + np.radians(s.u) + np.degrees(s.w),
        lambda s: np.exp2(s.u) + np.log10(abs(s.u)) + np.log2(abs(s.w)) + np.cbrt(s.u) + np.positive(s.u),
        lambda s: np.power(s.u, 3) + s.u**-2 + 2.0**s.w + np.float_power(abs(s.u), 1.5) + abs(s.u) ** s.w,
        lambda s: -s.u + (+s.w),
        lambda s: 1 / s.u - s.w / 2 + s.u / s.w,
        lambda s: s.M @ s.M @ np.array([1.0, -2.0]),
        lambda s: np.eye(3) @ s.u + s.N @ s.w + s.u @ s.N,
        lambda s: np.array([[1.0, 2.0], [3.0, 4.0]]) @ s.M,
        lambda s: s.u @ s.w,
        lambda s: np.dot(s.u, s.w) + np.vdot(s.u, s.w) + np.inner(s.u, s.w),
        lambda s: np.dot(s.M, s.M) + np.matmul(s.M, s.M),
        lambda s: np.cross(s.u, s.w),
        lambda s: np.cross(s.u, [1.0, 0.0, -2.0]),
        lambda s: np.outer(s.u, s.w),
        lambda s: np.kron(s.M, np.eye(2)),
        lambda s: np.trace(s.M) + np.trace(s.N),
        lambda s: np.einsum("ij,j->i", s.N, s.u),
        lambda s: np.einsum("i,i", s.u, s.w),
        lambda s: np.einsum("ij,jk->ik", s.M, s.M),
        lambda s: np.tensordot(s.M, s.M, axes=1),
        lambda s: np.linalg.norm(s.u),
        lambda s: np.linalg.norm(s.N),
        lambda s: np.linalg.norm(s.N, axis=0),
        lambda s: np.linalg.norm(s.N, axis=1, keepdims=True),
        lambda s: np.linalg.det(s.M) + np.linalg.det(s.N),
        lambda s: np.linalg.inv(s.M),
        lambda s: np.linalg.inv(s.N),
        lambda s: np.linalg.solve(s.N, s.u),
        lambda s: np.linalg.solve(s.M, [1.0, 2.0]),
        lambda s: np.linalg.matrix_power(s.M, 3),
        lambda s: np.linalg.matrix_power(s.M, -2),
        lambda s: np.linalg.multi_dot([s.M, s.M, s.M]),
        lambda s: np.sum(s.N) + np.sum(s.u),
        lambda s: np.sum(s.N, axis=0) - s.N.sum(axis=1),
        lambda s: np.prod(s.u) + s.u.prod(),
        lambda s: np.mean(s.N, axis=0) + s.u.mean(),
        lambda s: np.cumsum(s.u) + np.cumprod(s.w),
        lambda s: np.diff(s.u),
        lambda s: np.concatenate([s.u, s.w, [1.0]]),
        lambda s: np.stack([s.u, s.w]),
        lambda s: np.stack([s.x, s.y]),
        lambda s: np.hstack([s.u, s.w]) + np.hstack([s.w, s.u]),
        lambda s: np.vstack([s.u, s.w]),
        lambda s: np.column_stack([s.u, s.w]),
        lambda s: np.block([[s.M, np.zeros((2, 3))], [np.zeros((3, 2)), s.N]]),
        lambda s: np.append(s.u, s.x),
        lambda s: np.diag(s.u) + np.triu(s.N) - np.tril(s.N),
        lambda s: np.diag(s.N),
        lambda s: np.roll(s.u, 1) + np.flip(s.w) + np.tile(s.u, 2)[:3] + np.repeat(s.w, 2)[:3],
        lambda s: np.transpose(s.N) + s.N.T + np.reshape(s.N, (3, 3)),
        lambda s: np.atleast_2d(s.u) + np.expand_dims(s.w, 0),
        lambda s: np.broadcast_to(s.u, (2, 3)) + np.squeeze(s.N[:1]),
        lambda s: np.where(s.u > 0, s.u, s.w),
        lambda s: np.where(s.u < s.w, 1.0, s.x),
        lambda s: np.where(s.x >= s.y, s.u, 0.0),
        lambda s: np.where([1.0, 0.0, 1.0], s.u, s.w),
        lambda s: np.maximum(s.u, s.w) - np.minimum(s.u, 0.5) + np.maximum(s.x, 0.0),
        lambda s: np.max(s.N) + np.min(s.N) + s.N.max() - s.N.min() + s.u.max(),
        lambda s: np.max(s.N, axis=0) + np.min(s.N, axis=1) + s.N.max(axis=1) + np.amax(s.N, axis=0),
        lambda s: np.max(s.N, axis=(0, 1)) + np.min(s.N, axis=1, keepdims=True) + np.max(s.N, initial=3.0),
        lambda s: np.maximum.accumulate(s.u) + np.maximum.reduce(s.N),
        lambda s: np.clip(s.u, -0.2, 0.5) + s.u.clip(-0.3, s.x) + np.clip(s.w, None, 0.0),
        lambda s: np.logical_and(s.u > 0, s.w < 0) + 2.0 * np.logical_or(s.u > 0, s.w > 0) - np.logical_not(s.u > 0),
        lambda s: np.any(s.u > 1) + 10.0 * np.all(s.u < 2),
        lambda s: np.greater(s.u, s.w) + 1.0 * np.less_equal(s.u, s.w) + 3.0 * np.greater_equal(s.w, s.u),
        lambda s: np.add.outer(s.u, s.w) + np.multiply.outer(s.w, s.u),
        lambda s: np.polyval([1.0, -2.0, 3.0], s.x) + np.trapezoid(s.u) + np.linspace(s.x, s.y, 4),
        lambda s: sum(s.u) + sum([s.x, s.y]),
        lambda s: s.u[1] * s.N[2, 2] + s.N[:, 0] @ s.u[::-1],
        lambda s: np.zeros_like(s.u) + np.ones_like(s.w) + np.full_like(s.u, s.x),
        lambda s: np.conj(s.u) + s.u.conj(),
    ],
)
def test_atoms_go_where_numbers_go(s, line):
    expected = np.asarray(line(NUMBERS), dtype=float)
    result = line(s)
    assert isinstance(result, AtomArray if expected.ndim else Atom)
    assert np.shape(result) == expected.shape
    assert s.values(result) == pytest.approx(expected, rel=1e-13, abs=1e-14)


def test_plain_arrays_of_objects_work_as_far_as_numpy_lets_them(s):
    plain = np.array([s.x, s.y])
    assert s.values(np.sin(plain)) == pytest.approx(np.sin([X, Y]))
    assert s.values(np.arctan2(plain, 2.0)) == pytest.approx(np.arctan2([X, Y], 2.0))
    assert s.values(np.hypot(plain, plain)) == pytest.approx(np.hypot([X, Y], [X, Y]))
    assert s.values(abs(plain) + plain @ plain) == pytest.approx(np.abs([X, Y]) + X * X + Y * Y)
    with pytest.raises(SymbolicTypeError, match=r"or array\(\[…\]\) around the operands of np.where, np.maximum"):
        np.maximum(plain, 0.0)
    assert type(array(plain)) is AtomArray


def test_functions_take_numbers_lists_and_arrays(s):
    assert a.sin(0.5) == math.sin(0.5) and type(a.sin(0.5)) is float
    assert a.sin([0.5, 1.0]) == pytest.approx(np.sin([0.5, 1.0]))
    assert a.sin(np.array([0.5, 1.0])).dtype == float
    assert type(a.sin([s.x, 1.0])) is AtomArray and a.sin([s.x, 1.0])[0] == a.sin(s.x)
    assert a.maximum([s.x, 1.0], s.y).tolist() == [a.maximum(s.x, s.y), a.maximum(1.0, s.y)]
    assert a.where([s.x > 0, 1.0], s.y, [1.0, 2.0])[1] == s.y
    assert a.maximum(1, 2) == 2.0 and math.isnan(a.sqrt(-1.0)) and a.log(0.0) == -math.inf
    assert a.where(0.0, s.x, s.y) == s.y
    assert a.clip(s.x, 0, 1) == a.minimum(a.maximum(s.x, 0), 1)


def test_arrays_that_atoms_can_be_written_into(s):
    matrix = zeros((2, 2))
    matrix[0, 1] = s.x
    matrix += s.y
    assert matrix[0, 1] == s.x + s.y and matrix[1, 1] == s.y
    identity = eye(3)
    identity[0] *= s.x
    assert identity[0].tolist() == [s.x, 0, 0] and identity[1].tolist() == [0.0, 1.0, 0.0]
    assert matrix.graph is s.graph and zeros(2).graph is None
    out = zeros(3)
    assert np.add(s.u, s.w, out=out) is not None and out[0] == s.u[0] + s.w[0]


def test_numbers_among_atoms_do_as_c_does(s):
    """Python would raise ZeroDivisionError, or give a complex number."""
    mixed = array([s.x, 0.0, -8.0])
    assert (1.0 / mixed)[1] == math.inf and (mixed / 0.0)[2] == -math.inf and math.isnan((mixed / 0.0)[1])
    assert (mixed**-1)[1] == math.inf and math.isnan((mixed ** (1 / 3))[2])
    assert np.reciprocal(mixed)[1] == math.inf and np.sqrt(mixed)[1] == 0.0 and math.isnan(np.sqrt(mixed)[2])
    assert (mixed / 2)[0] == s.x / 2


# ------------------------------------------------------------------- equality and hash


def test_equality_is_that_of_structure(s):
    x, y = s.x, s.y
    assert x + y == y + x and not x + y == x - y and x != y
    assert (x == y) is False and (x != y) is True
    assert x * 0 + 2 == 2 and 2 == x * 0 + 2 and x != 2 and x != "x" and x is not None
    assert (s.u == s.u).tolist() == [True] * 3 and (s.u != s.w).tolist() == [True] * 3
    assert (s.u == s.u).dtype == bool and (s.x == s.u).tolist() == [False] * 3
    assert np.array_equal(s.u, array(list(s.u))) and np.array_equal(np.outer(s.u, s.w), np.outer(s.w, s.u).T)
    assert np.float64(2.0) == x * 0 + 2


def test_equal_atoms_have_equal_hashes(s):
    x, y = s.x, s.y
    assert hash(x + y) == hash(y + x) and len({x, y, x * 1, 0 - (0 - y)}) == 2
    assert {x + y: 1}[y + x] == 1
    assert hash(x * 0 + 2) == hash(2) and {2: "two"}[x * 0 + 2] == "two"
    nan = Atom(s.graph, s.graph.constant(math.nan))
    assert hash(nan) == hash(nan) and hash(-nan) == hash(-nan)
    assert {x: 1}.get(Graph().variable("x")) is None


def test_values_of_constants(s):
    two = s.x * 0 + 2
    assert (two.value, s.x.value) == (2.0, None)
    assert float(two) == 2.0 and int(two) == 2 and bool(two) and not bool(two - 2) and math.sin(two) == math.sin(2.0)
    numbers = np.zeros(2)
    numbers[0] = two
    assert numbers.tolist() == [2.0, 0.0]
    if two > 1:  # known at once
        assert max(two, 1) == 2


# ---------------------------------------------------------- what is refused, and the advice


@pytest.mark.parametrize(
    "use",
    [
        lambda x, y: 1 if x else 0,
        lambda x, y: x and y,
        lambda x, y: not x,
        lambda x, y: 1 if x > 0 else 0,
        lambda x, y: x < y < 1,
        lambda x, y: min(x, y),
        lambda x, y: max(x, y),
        lambda x, y: sorted([x, y]),
        lambda x, y: np.sort(array([x, y])),
        lambda x, y: any([x > 0, y > 0]),
        lambda x, y: bool(array([x])),
    ],
)
def test_the_truth_of_an_atom_is_not_known(s, use):
    with pytest.raises(SymbolicTypeError) as caught:
        use(s.x, s.y)
    message = str(caught.value)
    assert "is not known before it is evaluated" in message
    for advice in ("where(condition, a, b)", "minimum(a, b)", "maximum(a, b)", "logical_and(a, b)", "logical_not(a)"):
        assert advice in message


def set_element(x):
    np.zeros(2)[0] = x


def add_to_element(x):
    numbers = np.zeros(2)
    numbers[0] += x


@pytest.mark.parametrize(
    "use",
    [float, int, complex, math.sin, math.sqrt, math.floor, np.float64, set_element, add_to_element,
     lambda x: np.array([x, 1.0], dtype=float), lambda x: array([x]).astype(float)],
)  # fmt: skip
def test_an_atom_is_no_number(s, use):
    with pytest.raises(SymbolicTypeError) as caught:
        use(s.x)
    message = str(caught.value)
    assert message.startswith("'x' is an expression, not a number")
    for advice in ("zeros(shape)", "array([…])", "np.sin", "instead of math.sin", "compile(…) or evaluate(…)"):
        assert advice in message
    assert isinstance(caught.value, TypeError)


def test_atoms_are_not_added_into_arrays_of_numbers(s):
    numbers = np.zeros(3)
    for use in (operator.iadd, operator.imul, operator.isub, operator.itruediv):
        for other in (s.x, s.u):
            with pytest.raises(
                SymbolicTypeError, match=r"write atoms into an array of numbers .* make that array with .*zeros"
            ):
                use(numbers, other)
    assert numbers.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("function", [np.isnan, np.isfinite, np.heaviside, np.log1p, np.expm1, np.bitwise_xor, np.gcd])
def test_functions_that_atoms_do_not_have_are_named_with_those_they_have(s, function):
    for x in (s.x, s.u):
        with pytest.raises(SymbolicTypeError) as caught:
            function(*[x] * function.nin)
        assert str(caught.value).startswith(
            f"np.{function.__name__} is not available for atoms; available are: absolute, add,"
        )
        assert all(name in str(caught.value) for name in ("arctan2", "divide", "maximum", "sqrt"))


def test_an_atom_is_no_sequence(s):
    for use in (list, tuple, lambda x: [*x], lambda x: next(iter(x))):
        with pytest.raises(SymbolicTypeError, match="'x' is a scalar; it cannot be unpacked or iterated over"):
            use(s.x)
    with pytest.raises(SymbolicTypeError):
        _first, _second = s.x
    with pytest.raises(TypeError):
        s.x[0]
    x, y, z = s.graph.variables("x y z")  # arrays can
    assert [x, y, z] == [s.x, s.y, s.z]


def test_operators_without_a_meaning(s):
    for use in (operator.xor, operator.lshift):
        with pytest.raises(TypeError):
            use(s.x, s.y)


@pytest.mark.parametrize(
    "use",
    [
        operator.floordiv, operator.mod, divmod, lambda x, y: round(x), lambda x, y: 7.1 % y, lambda x, y: x // 0.3,
        lambda x, y: np.floor(x), lambda x, y: np.ceil(x), lambda x, y: np.trunc(x), lambda x, y: np.rint(x),
        np.remainder, np.mod, np.fmod, np.floor_divide, np.divmod, lambda x, y: np.round(x, 1),
    ],
)  # fmt: skip
def test_whole_numbers_and_remainders(s, use):
    for x, y in ((2.7, 0.4), (-2.7, 0.4), (-2.5, -0.7), (3.5, 2.0), (-4.0, 2.0), (0.0, 1.0)):
        found = evaluate(array(use(s.x, s.y)), {s.x: x, s.y: y})
        np.testing.assert_allclose(found, np.asarray(use(x, y), dtype=float), rtol=1e-14, atol=1e-14)


def test_whole_numbers_of_arrays(s):
    at = {f"u{i}": u for i, u in enumerate([2.7, -2.7, 3.5])}
    for use in (np.floor, np.rint, np.round, lambda x: x % 0.4, lambda x: x // 0.4, lambda x: np.divmod(x, 0.4)):
        np.testing.assert_allclose(
            evaluate(array(use(s.u)), at), use(np.array([2.7, -2.7, 3.5])), rtol=1e-13, atol=1e-13
        )


def test_logic_by_operators(s):
    p, q = s.x > 0, s.y > 0
    assert p & q == a.logical_and(p, q) and p | q == a.logical_or(p, q) and ~p == a.logical_not(p)
    assert True & p == p and p | 0.0 == p
    u, w = s.u > 0, s.w > 0
    assert np.array_equal((u & w) | ~u, np.logical_or(np.logical_and(u, w), np.logical_not(u)))
    assert np.array_equal(p & u, np.logical_and(p, u)) and np.array_equal(u | p, np.logical_or(u, p))


def test_conditions_that_compare_structure(s):
    for use in (lambda: np.where(s.u == 0, s.u, 1.0), lambda: np.where(s.x != s.y, s.u, s.w)):
        with pytest.raises(SymbolicError, match=r"write equal\(a, b\) or not_equal\(a, b\)"):
            use()
    assert np.where(s.u == s.u, 1.0, 2.0).tolist() == [1.0] * 3


@pytest.mark.parametrize("name", ["eigvals", "cholesky", "lstsq", "svd"])
def test_numpy_functions_that_cannot_take_atoms(s, name):
    arguments = (s.N, s.u) if name == "lstsq" else (s.N,)
    with pytest.raises(
        SymbolicTypeError, match=rf"^np.linalg.{name} does not work on these arguments with atoms .*compile"
    ):
        getattr(np.linalg, name)(*arguments)


def test_interpolation_has_a_table(s):
    for x in (s.x, s.u):
        with pytest.raises(SymbolicTypeError, match=r"np.interp cannot take atoms; .*PiecewisePolynomial.linear"):
            np.interp(x, [0.0, 1.0], [0.0, 2.0])


def test_python_functions_made_universal(s):
    double = np.frompyfunc(lambda x: 2 * x, 1, 1)
    both = np.frompyfunc(lambda x: (x, -x), 1, 2)
    assert double(s.u).tolist() == list(2 * s.u) and double(s.x) == 2 * s.x
    assert [type(part) for part in both(s.u)] == [AtomArray] * 2
    assert np.vectorize(lambda x, y: x * y)(s.u, s.w).tolist() == list(s.u * s.w)


def test_matrices_of_numbers_are_left_to_numpy(s):
    matrix = np.diag([1.0, 2.0, 3.0, 4.0, 5.0]) + 0.1
    atoms = array(matrix) + s.x * 0
    assert np.linalg.det(atoms) == pytest.approx(np.linalg.det(matrix))
    assert np.linalg.inv(atoms).astype(float) == pytest.approx(np.linalg.inv(matrix))
    assert np.linalg.solve(atoms, np.ones(5)).astype(float) == pytest.approx(np.linalg.solve(matrix, np.ones(5)))
    assert s.values(np.linalg.solve(N, s.u)) == pytest.approx(np.linalg.solve(N, U))
    for use in (lambda m: np.linalg.inv(m), lambda m: np.linalg.solve(m, s.u)):
        with pytest.raises(np.linalg.LinAlgError):
            use(zeros((3, 3)))


def test_arrays_are_no_elements(s):
    for use in (lambda: array([s.u, 1.0]), lambda: array([s.u, s.M]), lambda: array([[1.0, s.x], [s.y]])):
        with pytest.raises(SymbolicError, match=r"join arrays with np.concatenate\(.*\) or np.stack"):
            use()
    with pytest.raises(SymbolicError, match=r"join arrays with np.concatenate or np.stack"):
        evaluate([s.u, 1.0], POINT)


def test_norms_and_determinants_that_are_not_there(s):
    with pytest.raises(SymbolicError, match="knows the Euclidean norm only, not ord=1"):
        np.linalg.norm(s.u, ord=1)
    with pytest.raises(SymbolicError, match="cannot give the spectral norm of a matrix; leave 'ord' away"):
        np.linalg.norm(s.M, 2)
    with pytest.raises(SymbolicError, match=r"det needs a square matrix, got shape \(2, 3\)"):
        np.linalg.det(s.N[:2])
    with pytest.raises(
        SymbolicError, match="of 5×5 atoms would grow too large; solve such systems numerically after compiling"
    ):
        np.linalg.inv(np.eye(5) * s.x)


def test_shapes_that_do_not_fit(s):
    for use in (
        lambda: s.u @ s.M,
        lambda: s.u + s.M,
        lambda: np.concatenate([s.u, s.M]),
        lambda: np.where(s.u > 0, s.M, 0),
    ):
        with pytest.raises(ValueError):
            use()


def test_atoms_of_two_graphs_do_not_meet_in_arrays(s):
    other = Graph().variables("x y z")
    for use in (
        lambda: s.u + other,
        lambda: s.u @ other,
        lambda: np.cross(s.u, other),
        lambda: np.maximum(s.u, other),
        lambda: np.where(s.u > 0, other, s.u),
        lambda: evaluate(np.concatenate([s.u, other]), POINT),
    ):
        with pytest.raises(SymbolicError, match="atoms of two graphs cannot be combined"):
            use()


def test_atoms_are_copied_and_pickled_with_their_graph(s):
    matrix = np.outer(np.sin(s.u), s.w) / s.x
    for again in (pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)):
        assert type(again) is AtomArray and again.graph is not s.graph
        assert evaluate(again, {n: POINT[n] for n in s.graph.symbol_rows}).tolist() == s.values(matrix).tolist()
        count = len(again.graph)
        assert np.sin(again.graph["u0"]) * again.graph["w1"] / again.graph["x"] == again[0, 1]
        assert len(again.graph) == count
    assert (copy.copy(s.u) == s.u).all() and copy.copy(s.x) == s.x


def test_arrays_are_shown_by_their_formulas(s):
    assert str(s.u * 2) == "[2*u0 2*u1 2*u2]"
    assert repr(array([s.x, 1.0])) == "AtomArray([x, 1.0], dtype=object)"
