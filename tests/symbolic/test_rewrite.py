"""Rewriting of whole programs: the same values in exact arithmetic, and never more operations."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from symbolic.programs import ARITHMETIC, interpret, operations

from dalembert.symbolic import Atom, Graph, PiecewisePolynomial, arctan2, compile, cos, exp, sin, sqrt, where
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Program, extract
from dalembert.symbolic.compiler.rewrite import settled

NAMES = "a b c d e f g h".split()
# Numbers whose sums and products are exact in doubles.
NUMBERS = [1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -0.25, 7.0, 12.0]

Step = tuple[str, int, int]


def programs(kinds: str, longest: int = 40) -> Any:
    """Random programs with much in common between their formulas: lists of steps that refer to earlier ones."""
    step = st.tuples(st.sampled_from(kinds), st.integers(0, 1000), st.integers(0, 1000))
    return st.tuples(st.lists(step, min_size=1, max_size=longest), st.integers(1, 4)).map(lambda pair: _build(*pair))


def _build(steps: list[Step], outputs: int) -> Program:
    graph = Graph()
    symbols = graph.variables(NAMES)
    items: list[Atom] = [*symbols[:5]]
    for kind, i, j in steps:
        a, b = items[-1 - i % len(items)], items[-1 - j % len(items)]
        if kind == "/" and b.value is not None:  # rounded
            kind = "*"
        match kind:
            case "+":
                items.append(a + b)
            case "-":
                items.append(a - b)
            case "*":
                items.append(a * b)
            case "/":
                items.append(a / b)
            case "c":
                items.append(NUMBERS[j % len(NUMBERS)] * a)
            case "k":
                items.append(NUMBERS[j % len(NUMBERS)] - a)
            case "p":  # sum of products
                items.append(a * b + a * items[j % 5] - b * items[i % 5])
    results = [(-1) ** k * item for k, item in enumerate(items[-outputs:])]
    return extract({"first": results[:1], "rest": results[1:]}, {"x": symbols})


POINT = [[Fraction(n) for n in (3, -5, 7, 2, -11, 13, 17, -19)]]


def negations(program: Program) -> int:
    """Atoms of which the negative is asked for by an output or a function that cannot absorb it."""
    handles = [h for output in program.outputs for h in output.entries]
    handles += [h for node in program.nodes if node[0] > op.DIV for h in op.atom_arguments(node)]
    return len({h for h in handles if h < 0 and program.nodes[-h][0] != op.CONSTANT})


def check_exactly(program: Program) -> None:
    after = settled(program)
    try:
        expected = interpret(program, POINT, number=Fraction)
    except ZeroDivisionError:
        assume(False)
    assert interpret(after, POINT, number=Fraction) == expected
    # Only settled programs have NEG; before, signs were free wherever they can be absorbed.
    assert operations(after) <= operations(program) + negations(program)
    assert all(handle >= 0 for output in after.outputs for handle in output.entries)
    assert all(a >= 0 for node in after.nodes for a in op.atom_arguments(node))


@given(programs("+-*ckpp"))
def test_polynomials_keep_their_values(program: Program) -> None:
    check_exactly(program)


@given(programs("+-*/ckp", longest=25))
def test_rational_functions_keep_their_values(program: Program) -> None:
    check_exactly(program)


@given(programs("**p+", longest=12))
def test_products_with_much_in_common_keep_their_values(program: Program) -> None:
    check_exactly(program)


@given(programs("c+-k"))
def test_linear_forms_keep_their_values(program: Program) -> None:
    check_exactly(program)


def test_outputs_that_ask_for_the_same_sign_turn_together() -> None:
    steps = "* 0 0,* 0 0,p 1 0,* 0 0,* 0 0,* 0 242,* 0 0,* 0 0,* 0 67,* 0 0,* 0 1"
    program = _build([(kind, int(i), int(j)) for kind, i, j in (step.split() for step in steps.split(","))], 3)
    check_exactly(program)
    assert sum(node[0] == op.NEG for node in settled(program).nodes) == 1  # of an even power


# ------------------------------------------------------------------------------ examples


def counts(outputs: Any, graph: Graph) -> str:
    """Operations after rewriting, such as "2 mul, 1 add"."""
    symbols = [graph[symbol.name] for symbol in graph.symbols]
    program = settled(extract({"out": outputs}, {"x": symbols}))
    found = Counter(op.OPERATIONS[node[0]].name for node in program.nodes if node[0] > op.SYMBOL)
    return ", ".join(f"{found[name]} {name}" for name in sorted(found))


@pytest.fixture
def graph() -> Graph:
    result = Graph()
    result.variables(NAMES)
    return result


@pytest.fixture
def atoms(graph: Graph) -> list[Atom]:
    return [graph[name] for name in NAMES]


def test_common_factors_are_taken_out(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, e, f, *_ = atoms
    assert counts(a * b + a * c, graph) == "1 add, 1 mul"
    assert counts(a * b - c * a, graph) == "1 mul, 1 sub"
    assert counts(a * b + c * d + a * e, graph) == "2 add, 2 mul"
    assert counts(a * b * c + a * d * b - e * a, graph) == "1 add, 2 mul, 1 sub"  # a (b (c + d) - e)
    assert counts(a * b + a * c + a * d + e * f + e * b, graph) == "4 add, 2 mul"
    assert counts(a * a * b + a * a * c, graph) == "1 add, 2 mul"
    assert counts(a * b * d * b + d * c, graph) == "1 add, 3 mul"  # d (a b b + c): the square of b is no common factor
    assert counts(a**2 * b**2 * c + b * a * d, graph) == "1 add, 3 mul"  # (a b) ((a b) c + d)
    assert counts((a * b + a * c) / d + (e * a - e * b) / f, graph) == "2 add, 2 div, 2 mul, 1 sub"


def test_products_that_others_use_are_left_alone(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, *_ = atoms
    assert counts([a * b + a * c, a * b], graph) == "1 add, 2 mul"
    assert counts([a * b + a * c, exp(a * b), exp(a * c)], graph) == "1 add, 2 exp, 2 mul"
    assert counts([2 * (3 * a + 5 * b), 3 * a + 5 * b], graph) == "1 add, 3 mul"
    assert counts([2 * (3 * a + 5 * b), exp(3 * a), exp(5 * b)], graph) == "1 add, 2 exp, 3 mul"
    assert counts([(a + 1) + (b + 2), a + 1], graph) == "3 add"


def test_numbers_come_together(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, *_ = atoms
    assert counts(2 * (3 * a + 4 * b + 5), graph) == "2 add, 2 mul"
    assert counts(2 * (3 * a - 4 * b - 5), graph) == "2 mul, 2 sub"
    assert counts((2 * a) * (3 * b), graph) == "2 mul"
    assert counts((2 * a) * (3 * (b * (4 * c))), graph) == "3 mul"
    assert counts((a + 1) + (b + 2), graph) == "2 add"
    assert counts((a - 1) - (b - 1), graph) == "1 sub"
    assert counts(4 * (0.25 * a + 2), graph) == "1 add"


def test_what_cancels_only_in_the_whole_disappears(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, *_ = atoms
    assert counts((a * b) * c - a * (b * c), graph) == ""
    assert counts((a + b) + (c - a), graph) == "1 add"


def test_like_terms_are_collected(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, *_ = atoms
    s, k = sin(a), cos(a)
    scaled_s, scaled_k = 0.3 * s, 0.3 * k  # both also used elsewhere
    assert counts([s * scaled_k - k * scaled_s, scaled_s, scaled_k], graph) == "1 cos, 2 mul, 1 sin"
    assert counts(a * (2 * b) + c + b * (3 * a), graph) == "1 add, 2 mul"
    # what is used elsewhere too is not computed in another way
    product, other = a * (2 * b), b * (3 * a)
    assert counts([product + d + other, product, other], graph) == "2 add, 3 mul"


def test_rare_inverses_become_divisions(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, *_ = atoms
    inverse = 1 / (a + b)
    assert counts([c * inverse, d * inverse], graph) == "1 add, 2 div"
    assert counts([c * inverse, d * inverse, a * inverse, b * inverse], graph) == "1 add, 1 div, 4 mul"
    assert counts([c * inverse, inverse], graph) == "1 add, 1 div, 1 mul"


def test_sums_without_gain_keep_their_order(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, *_ = atoms
    f = compile([a + (b - c), (a - b) + (c - d), (a + b) + (c + d)], [a, b, c, d], cache=False)
    at = (1.0, 1e17, 1e17, 3.0)
    assert f(*at).tolist() == [1.0 + (1e17 - 1e17), (1.0 - 1e17) + (1e17 - 3.0), (1.0 + 1e17) + (1e17 + 3.0)]


def test_signs_find_a_place(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, *_ = atoms
    assert counts(-(a - b), graph) == "1 sub"
    assert counts(-(2 * a), graph) == "1 mul"
    assert counts(-(3 / a), graph) == "1 div"
    assert counts(-(a + 1), graph) == "1 sub"
    assert counts(-((a - b) * c), graph) == "1 mul, 1 sub"
    assert counts(-((a - b) / (c - d)), graph) == "1 div, 2 sub"
    assert counts(-sin(a - b), graph) == "1 sin, 1 sub"
    assert counts(-(sin(a - b) * cos(c) + d * sin(a - b)), graph) == "1 add, 1 cos, 1 mul, 1 sin, 1 sub"
    assert counts(exp(-(a - b)), graph) == "1 exp, 1 sub"
    assert counts(sqrt(b - a) + exp(b - a) * where(c, a, d), graph) == "1 add, 1 exp, 1 mul, 1 sqrt, 1 sub, 1 where"
    assert counts([exp(a - b), (b - a) * c + d], graph) == "1 exp, 1 mul, 2 sub"
    assert counts([3 * (a - b), 5 * (b - a)], graph) == "2 mul, 1 sub"
    assert counts(-((a - b) + c), graph) == "2 sub"  # (b - a) - c
    assert counts(a * (b - c) + d * (c - b), graph) == "1 mul, 2 sub"


def test_a_negation_is_made_where_nothing_else_helps(graph: Graph, atoms: list[Atom]) -> None:
    a, b, *_ = atoms
    assert counts(-a, graph) == "1 neg"
    assert counts(-(a * b), graph) == "1 mul, 1 neg"
    assert counts(exp(-a), graph) == "1 exp, 1 neg"
    assert counts([a * b, -(a * b), exp(-(a * b))], graph) == "1 exp, 1 mul, 1 neg"
    assert counts(-cos(a - b), graph) == "1 cos, 1 neg, 1 sub"
    assert counts([-exp(a), arctan2(b, -a)], graph) == "1 atan2, 1 exp, 2 neg"


def test_numbers_of_either_sign_need_no_negation(graph: Graph, atoms: list[Atom]) -> None:
    a, b, *_ = atoms
    assert counts([-2.0 * a, 2.0 * b, -3.0, where(a, -1.0, b)], graph) == "2 mul, 1 where"


@given(st.lists(st.sampled_from(["sin", "neg", "sub", "mul", "exp", "cos", "c"]), max_size=30), st.booleans())
def test_signs_through_functions(names: list[str], negative: bool) -> None:
    graph = Graph()
    x, y = graph.variables("x y")
    atom, other = x, y
    for name in names:
        new = {"sin": sin(atom), "cos": cos(atom), "exp": exp(-(other - atom) / 4), "neg": -atom, "sub": other - atom,
               "mul": -atom * other, "c": -1.5 * atom}[name]  # fmt: skip
        atom, other = new, atom
    program = extract({"out": [-atom if negative else atom, other - atom, -other]}, {"x": [x, y]})
    functions = ARITHMETIC | {op.SIN: np.sin, op.COS: np.cos, op.EXP: np.exp}
    with np.errstate(all="ignore"):
        point = [np.array([0.3, -0.8])]
        expected, result = (interpret(p, point, functions) for p in (program, settled(program)))
    np.testing.assert_allclose(result[0], expected[0], rtol=1e-12, atol=1e-12)


# --------------------------------------------------------------------- long, deep and odd


def test_long_sums_and_products() -> None:
    graph = Graph()
    x = graph.variables("x", 5000)
    y = graph.variables("y", 5000)
    rng = np.random.default_rng(0)
    point = [rng.integers(-9, 9, 5000).astype(float), rng.integers(-9, 9, 5000).astype(float)]
    outputs = {
        "sum": x.sum(),
        "dot": x @ y,
        "scaled": 3.0 * (np.arange(2.0, 5002.0) @ x),
        "factored": (x * y[0]).sum() - (y * x[0]).sum(),
    }
    program = extract(outputs, {"x": x, "y": y})
    after = settled(program)
    assert (
        operations(after) <= operations(program) - 9990
    )  # of the 10000 products with one of two factors, hardly any is left
    results = [r[0] for r in interpret(after, point)]
    a, b = point
    assert results == [a.sum(), a @ b, 3 * np.arange(2.0, 5002.0) @ a, a.sum() * b[0] - b.sum() * a[0]]


def test_products_of_many_factors_in_another_order() -> None:
    graph = Graph()
    x = graph.variables("x", 2000)
    y, z = graph.variables("y z")
    first, second = y, z
    for item in x:
        first = first * item
    for item in x[::-1]:
        second = second * item
    program = settled(extract({"out": first + second}, {"x": x, "yz": [y, z]}))
    assert operations(program) == 2001  # x₀ x₁ … (y + z)
    (result,) = interpret(program, [[1.0] * 1999 + [2.0], [3.0, 4.0]])
    assert result == [14.0]


def test_deep_nesting() -> None:
    graph = Graph()
    x, y = graph.variables("x y")
    atom = x
    for _ in range(20000):
        atom = -(atom * y - 1) * x
    program = extract({"out": atom}, {"x": [x, y]})
    (result,), (expected,) = (interpret(p, [[1.0, 0.5]]) for p in (settled(program), program))
    assert result == pytest.approx(expected, rel=1e-12)


def test_other_leaves_and_tables_pass_through() -> None:
    graph = Graph()
    x, y = graph.variables("x y")
    table = PiecewisePolynomial.linear([0.0, 1.0, 2.0], [0.0, 3.0, 1.0])
    program = settled(extract({"out": [table(x - y), -table(y - x), 0.0, -1.0, x, -x]}, {"x": [x, y]}))
    names = Counter(op.OPERATIONS[node[0]].name for node in program.nodes)
    assert (names["piece"], names["interval"], names["neg"]) == (2, 2, 3)


def test_a_product_that_factoring_makes_may_stand_in_the_sum_already(graph: Graph, atoms: list[Atom]) -> None:
    a, b, c, d, e, *_ = atoms
    product = a * (b + c)
    total = (a * b + d) + (a * c - 3 * product) + e
    f = compile([total, product], [a, b, c, d, e], cache=False)
    assert f(2.0, 3.0, 5.0, 7.0, 11.0).tolist() == [6.0 + 7.0 + 10.0 - 48.0 + 11.0, 16.0]
    minus = compile([(a * b + d) + (a * c - product), product], [a, b, c, d], cache=False)
    assert minus(2.0, 3.0, 5.0, 7.0).tolist() == [7.0, 16.0]
