"""The elementary operations an atom can stand for.

An atom is a node ``(operation, argument, …)``.  This module names the operations and says how each is counted and
written in C; what they mean for derivatives is in :mod:`~dalembert.symbolic.calculus`, which simplifications hold
is in :mod:`~dalembert.symbolic.graph`.
"""

from __future__ import annotations

from dataclasses import dataclass

# Leaves.
CONSTANT, SYMBOL = range(2)
# Arithmetic.  Signs live in the handles (see graph.py), so there is no negation.
ADD, SUB, MUL, DIV = range(2, 6)
# Functions of one argument.
SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, ABS, SIGN = range(6, 20)
# Functions of two arguments.
POW, ATAN2, HYPOT, MIN, MAX = range(20, 25)
# Comparisons give 1.0 or 0.0; WHERE(c, x, y) takes x where c is not zero.
LT, LE, EQ, WHERE = range(25, 29)
# Piecewise polynomials: the interval number, then the polynomial on it (see tables.py).
INTERVAL, PIECE = range(29, 31)
# Negation: only in programs whose signs are settled (see rewrite.py).
NEG = 31
# The largest whole number that is not larger.
FLOOR = 32
# The cube root, also of negative numbers (a general power costs three times as much and has no such).
CBRT = 33


@dataclass(frozen=True, slots=True)
class Operation:
    """Name, number of atom arguments and C spelling of one operation (``{0}``, ``{1}`` are the arguments)."""

    name: str
    arity: int
    c: str = ""
    kind: str = "function"


OPERATIONS: dict[int, Operation] = {
    CONSTANT: Operation("constant", 0, kind="leaf"),
    SYMBOL: Operation("symbol", 0, kind="leaf"),
    ADD: Operation("add", 2, "{0} + {1}", "add"),
    SUB: Operation("sub", 2, "{0} - {1}", "add"),
    MUL: Operation("mul", 2, "{0}*{1}", "mul"),
    DIV: Operation("div", 2, "{0}/{1}", "div"),
    SQRT: Operation("sqrt", 1, "sqrt({0})"),
    SIN: Operation("sin", 1, "sin({0})"),
    COS: Operation("cos", 1, "cos({0})"),
    TAN: Operation("tan", 1, "tan({0})"),
    ASIN: Operation("asin", 1, "asin({0})"),
    ACOS: Operation("acos", 1, "acos({0})"),
    ATAN: Operation("atan", 1, "atan({0})"),
    SINH: Operation("sinh", 1, "sinh({0})"),
    COSH: Operation("cosh", 1, "cosh({0})"),
    TANH: Operation("tanh", 1, "tanh({0})"),
    EXP: Operation("exp", 1, "exp({0})"),
    LOG: Operation("log", 1, "log({0})"),
    ABS: Operation("abs", 1, "fabs({0})"),
    # NaN and the sign of zero pass through; minima and maxima pass NaN on, as NumPy's do.
    SIGN: Operation("sign", 1, "({0} > 0.0 ? 1.0 : {0} < 0.0 ? -1.0 : {0})"),
    POW: Operation("pow", 2, "pow({0}, {1})"),
    ATAN2: Operation("atan2", 2, "atan2({0}, {1})"),
    HYPOT: Operation("hypot", 2, "hypot({0}, {1})"),
    MIN: Operation("min", 2, "({0} < {1} || {0} != {0} ? {0} : {1})"),
    MAX: Operation("max", 2, "({0} > {1} || {0} != {0} ? {0} : {1})"),
    LT: Operation("lt", 2, "({0} < {1} ? 1.0 : 0.0)"),
    LE: Operation("le", 2, "({0} <= {1} ? 1.0 : 0.0)"),
    EQ: Operation("eq", 2, "({0} == {1} ? 1.0 : 0.0)"),
    WHERE: Operation("where", 3, "({0} != 0.0 ? {1} : {2})"),
    INTERVAL: Operation("interval", 1),
    PIECE: Operation("piece", 2),
    NEG: Operation("neg", 1, "-{0}", "add"),
    FLOOR: Operation("floor", 1, "floor({0})"),
    CBRT: Operation("cbrt", 1, "cbrt({0})"),
}

#: f(-x) = -f(x); f(-x) = f(x)
ODD = frozenset({SIN, TAN, ASIN, ATAN, SINH, TANH, SIGN, CBRT})
EVEN = frozenset({COS, COSH, ABS})


def atom_arguments(node: tuple) -> tuple[int, ...]:
    """The handles among the entries of ``node`` (the rest are table numbers, derivative orders, values)."""
    return node[1 : 1 + OPERATIONS[node[0]].arity]
