"""Counts of atoms and operations, by hand on small examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from symbolic.programs import random_arithmetic

from dalembert.symbolic import (
    Graph,
    OperationCounts,
    PiecewisePolynomial,
    Report,
    compile,
    cos,
    exp,
    report,
    sin,
    sqrt,
    where,
)
from dalembert.symbolic.compiler.program import extract
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.emit.c import export
from dalembert.symbolic.statistics import count_operations

pytestmark = pytest.mark.exact

G = Graph()
X, Y, Z = G.variables("x y z")
TABLE = PiecewisePolynomial.spline([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 2.0])

# Outputs, and (atoms, + -, *, /, functions).
EXAMPLES: list[tuple[Any, tuple[int, ...]]] = [
    (X, (0, 0, 0, 0, 0)),
    ([X, 2.0, 0.0, -3.0], (0, 0, 0, 0, 0)),
    (X + Y, (0, 1, 0, 0, 0)),
    ((X + Y) * (X + Y), (1, 1, 1, 0, 0)),  # the sum is used twice
    ((X + Y) * (X - Y) / Z, (0, 2, 1, 1, 0)),
    ([X * Y, X * Y], (1, 0, 1, 0, 0)),  # two results are two uses
    ([X * Y, X * Y + 1], (1, 1, 1, 0, 0)),
    (sin(X) + cos(X), (0, 1, 0, 0, 2)),
    (sqrt(X * X + Y * Y), (0, 1, 2, 0, 1)),
    (where(X < Y, X, exp(Y)), (0, 0, 0, 0, 3)),  # comparison, choice, exponential
    (X**4, (1, 0, 2, 0, 0)),
    (1 / X + 1 / X**2, (0, 1, 1, 2, 0)),
    (-X, (0, 1, 0, 0, 0)),  # a negation
    (-2 * X, (0, 0, 1, 0, 0)),  # none
    (-(X - Y), (0, 1, 0, 0, 0)),
    ([X * Y, -(X * Y)], (1, 1, 1, 0, 0)),
    (exp(-X) * exp(-X), (1, 1, 1, 0, 1)),
    (X * Y + X * Z, (0, 1, 1, 0, 0)),  # after rewriting
    (TABLE(X), (0, 0, 0, 0, 2)),  # interval and polynomial
    ([TABLE(X), TABLE(X, 1)], (1, 0, 0, 0, 3)),  # the same interval
]


@pytest.mark.parametrize(("outputs", "expected"), EXAMPLES, ids=[str(i) for i in range(len(EXAMPLES))])
def test_counts(outputs: Any, expected: tuple[int, ...]) -> None:
    counts = compile(outputs, {"q": [X, Y, Z]}).statistics
    atoms, *kinds = expected
    assert counts == OperationCounts(atoms, sum(kinds), *kinds)
    assert OperationCounts.from_dict(counts.as_dict()) == counts


def test_report_counts_functions_by_themselves_and_together() -> None:
    s = sin(X) * Y
    table = report({"a": s + 1, "b": [s * Z, s]}, {"q": [X, Y, Z]})
    assert isinstance(table, Report)
    assert table.functions == {"a": OperationCounts(0, 3, 1, 1, 0, 1), "b": OperationCounts(1, 3, 0, 2, 0, 1)}
    assert table.together == OperationCounts(1, 4, 1, 2, 0, 1)
    assert str(table).splitlines() == [
        "function    atoms  operations  + -  *  /  functions",
        "a               0           3    1  1  0          1",
        "b               1           3    0  2  0          1",
        "all in one      1           4    1  2  0          1",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_atoms_are_the_names_in_exported_c(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, _ = random_arithmetic(seed, 200)
    monkeypatch.setattr("dalembert.symbolic.emit.c_parts.LONGEST", 10**9)
    names = sum(path.read_text().count("const double a") for path in export(program, tmp_path, "f"))
    assert names == count_operations(settled(program)).atoms


def test_all_operations_are_counted_once() -> None:
    program, _ = random_arithmetic(1, 500)
    counts = count_operations(settled(program))
    parts = (counts.additions, counts.multiplications, counts.divisions, counts.functions)
    assert counts.operations == sum(parts) and all(parts)
    one_by_one = extract({"all": [X + Y, X * Y, X / Y, exp(X)]}, {"q": [X, Y]})
    assert count_operations(settled(one_by_one)) == OperationCounts(0, 4, 1, 1, 1, 1)


def test_report_takes_what_compile_takes() -> None:
    x, y = Graph().variables("x y")
    assert list(report(x * y, [x, y]).functions) == ["out"]
    assert list(report((x * y, x + y), [[x, y]]).functions) == ["out0", "out1"]
    assert report({"f": x * x}, x).together.operations == 1
