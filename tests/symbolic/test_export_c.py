"""Exported C: compiled by a C compiler without a warning, it computes what the machine code computes."""

from __future__ import annotations

import ctypes
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_compiler import STRICT, compiler, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from symbolic.programs import interpret, pendulum, random_arithmetic
from symbolic.strategies import NAMES, Tree, build, points, trees, well_conditioned

import dalembert.symbolic as ds
from dalembert.errors import SymbolicError
from dalembert.symbolic import CompiledFunction, Graph, PiecewisePolynomial, SparseMatrix, VectorTable
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.emit import c_parts

FLAGS = [*STRICT, "-O1", "-fPIC"]
LIBM = {op.c.split("(")[0] for op in c_parts.op.OPERATIONS.values() if re.match(r"\w+\(", op.c)}


class Library:
    """Exported C of a function as a shared library, called with fences around its memory."""

    def __init__(self, function: CompiledFunction, folder: Path, prefix: str = "f") -> None:
        self.program = function.program
        self.files = function.export_c(folder / "c", prefix)
        sources = [path for path in self.files if path.suffix == ".c"]
        assert all(path.exists() for path in self.files) and sources
        library = folder / f"{prefix}.so"
        run(*compiler(), *FLAGS, "-shared", "-o", library, *sources, "-lm")
        self.header = (folder / "c" / f"{prefix}.h").read_text(encoding="utf-8")
        self.work_size = int(re.search(r"_WORK_SIZE (\d+)", self.header)[1])  # type: ignore[index]
        loaded = ctypes.CDLL(str(library))
        self.entry, self.at = getattr(loaded, prefix), getattr(loaded, f"{prefix}_at")
        self.work = np.full(self.work_size + 4, -77.0)
        self.outputs = [np.full(o.size + 4, -77.0) for o in self.program.outputs]

    def __call__(self, point: list[Any], request: int = -1, changed: int = 0) -> list[Any]:
        inputs = [np.array(x, dtype=float).reshape(-1) for x in point]
        given_, wanted = ((ctypes.c_void_p * len(a))(*(x.ctypes.data for x in a)) for a in (inputs, self.outputs))
        entry = self.entry
        entry.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        assert entry(request, changed, given_, wanted, self.work.ctypes.data) == 0
        assert np.all(self.work[self.work_size :] == -77.0) and all(np.all(o[-4:] == -77.0) for o in self.outputs)
        return [o[:-4].copy() for o in self.outputs]

    def call_at(self, point: list[Any]) -> list[Any]:
        """By the function with one parameter per array."""
        arrays = [*(np.array(x, dtype=float).reshape(-1) for x in point), *self.outputs, self.work]
        self.at.argtypes = [ctypes.c_void_p] * len(arrays)
        assert self.at(*(a.ctypes.data for a in arrays)) == 0
        return [o[:-4].copy() for o in self.outputs]


Make = Callable[..., Library]


@pytest.fixture
def exported(tmp_path: Path) -> Make:
    return lambda function, prefix="f": Library(function, tmp_path, prefix)


def values(function: CompiledFunction, point: list[Any]) -> list[Any]:
    """Stored values of all outputs as the machine code computes them."""
    result = function.map(*point)
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, tuple) else [result]
    return [np.reshape(part, -1) for part in parts]


def close(left: list[Any], right: list[Any], tolerance: float = 1e-13) -> None:
    for a, b in zip(left, right, strict=True):
        assert np.linalg.norm(a - b) <= tolerance * np.linalg.norm(b)


# ------------------------------------------------------------------------- random programs


@pytest.mark.parametrize(("seed", "size", "limit"), [(0, 2500, 500), (1, 300, 7), (2, 40, 1), (3, 5, 500)])
def test_arithmetic_is_the_same_to_the_last_bit(
    exported: Make, monkeypatch: pytest.MonkeyPatch, seed: int, size: int, limit: int
) -> None:
    monkeypatch.setattr(c_parts, "FILE_LIMIT", limit)
    program, point = random_arithmetic(seed, size, groups=4)
    library = exported(CompiledFunction(program))
    assert len(library.files) >= min(size // limit, 1) + 3
    expected = interpret(settled(program), point)
    for results in (library(point), library.call_at(point)):
        for result, numbers in zip(results, expected, strict=True):
            np.testing.assert_array_equal(result, numbers)
            np.testing.assert_array_equal(np.signbit(result), np.signbit(numbers))


@given(st.lists(trees(size=14), min_size=12, max_size=30), st.lists(points(), min_size=4, max_size=4))
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_random_expressions(
    tmp_path_factory: pytest.TempPathFactory, found: list[Tree], at: list[dict[str, float]]
) -> None:
    graph = Graph()
    symbols = graph.variables(NAMES)
    function = ds.compile([build(tree, graph) for tree in found], {"q": symbols})
    library = Library(function, tmp_path_factory.mktemp("random"))
    for point in at:
        q = [point[name] for name in NAMES]
        good = [i for i, tree in enumerate(found) if well_conditioned(tree, point)]
        ours, theirs = function(q)[good], library([q])[0][good]
        assert np.all(np.abs(ours - theirs) <= 1e-12 * (1 + np.abs(ours)))


def test_every_function_at_edges(exported: Make) -> None:
    x, y = ds.Graph().variables("x y")
    one = "sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh exp log absolute sign logical_not".split()
    two = "arctan2 hypot minimum maximum less less_equal equal not_equal logical_and logical_or".split()
    # Arguments that are formulas, sums, negative: where C needs parentheses or a name.
    outputs = [getattr(ds, name)(a) for name in one for a in (x, x - y, -x, x * y, -(x + y))]
    outputs += [
        getattr(ds, name)(a, b) for name in two for a, b in ((x, y), (x - y, -x), (-(x * y), 0.5), (-2.0, x + y))
    ]
    outputs += [
        x**y,
        (x + y) ** 0.3,
        2.0**-x,
        x**-3,
        ds.where(x < y, x - y, -x),
        ds.where(x - y, 1.0, -y),
        ds.clip(x, -y, 1),
    ]
    outputs += [
        x - (y - 1),
        x / (y / 3),
        x / (y * x + 1),
        -(x / y) - y * (x - 3) * -2,
        (x + y) * (x - y) / (x + 2) / (y - 1),
    ]
    function = ds.compile(outputs, {"x": x, "y": y})
    library = exported(function)
    numbers = [0.0, -0.0, 0.5, -0.7, 1.0, -3.0, 1e300, np.inf, -np.inf, np.nan]
    for a in numbers:
        for b in numbers:
            np.testing.assert_allclose(library([a, b])[0], function(a, b), rtol=3e-15, equal_nan=True)


def test_formulas_are_not_computed_twice(tmp_path: Path) -> None:
    x, y = ds.Graph().variables("x y")
    outputs = [ds.sign(x * y + 1), ds.minimum(x / y, 2), ds.maximum(y, ds.exp(x))]
    text = "".join(path.read_text() for path in ds.compile(outputs, [x, y]).export_c(tmp_path, "f"))
    assert [text.count(part) for part in ("in_x[0]*in_y[0]", "in_x[0]/in_y[0]", "exp(in_x[0])")] == [1, 1, 1]


def test_numbers_of_all_sizes(exported: Make) -> None:
    x = ds.Graph().variable("x")
    numbers = [
        0.0,
        1.0,
        -1.0,
        0.1,
        1e22,
        123456789.0,
        5e-324,
        -2.5e-310,
        1.7976931348623157e308,
        np.inf,
        -np.inf,
        np.nan,
    ]
    function = ds.compile([*numbers, *(n * x for n in numbers[1:]), *(n - x for n in numbers[1:])], [x])
    np.testing.assert_array_equal(exported(function)([2.0])[0], function(2.0))


# ------------------------------------------------------------------------------- mechanics


@pytest.mark.parametrize("staged", [False, True])
def test_equations_of_motion(exported: Make, staged: bool) -> None:
    outputs, inputs = pendulum()
    function = ds.compile(outputs, inputs, staged=staged)
    library = exported(function, "pendulum")
    rng = np.random.default_rng(0)
    for _ in range(5):
        point = [[1.5, 0.5, 9.81], rng.normal(size=6), rng.normal(size=6)]
        expected = values(function, point)
        close(library(point), expected)
        close(library.call_at(point), expected)
    assert re.search(
        r"out_M\[36\] +shape 6 x 6\n.*out_sparse\[\d+\] +shape 6 x 6, \d+ stored", library.header, re.DOTALL
    )


def test_staged_requests(exported: Make) -> None:
    outputs, inputs = pendulum(2)
    function = ds.compile(outputs, inputs, staged=True)
    library = exported(function)
    p, q, v = [1.5, 0.5, 9.81], np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, -2.0, 0.5, 0.25])
    M, f, sparse = values(function, [p, q, v])
    results = library([p, q, v], request=0b001, changed=0)
    close(results[:1], [M])
    assert np.all(results[1] == -77.0) and np.all(results[2] == -77.0)  # nobody asked
    # What is valid is not computed again: wrong inputs do no harm as long as they are not declared new.
    close(library([p, q * 0, v * 0], request=0b101, changed=3)[2:], [sparse])
    close(library([p, q, 2 * v], request=0b010, changed=2)[1:2], [values(function, [p, q, 2 * v])[1]])
    close(library([p, 2 * q, v], request=0b111, changed=1), values(function, [p, 2 * q, v]))
    assert "changed: number of the first input that is new" in library.header
    assert np.linalg.norm(f) > 0


# ----------------------------------------------------------------------- tables and sparse


def test_tables(exported: Make) -> None:
    x, y = ds.Graph().variables("x y")
    breaks, heights = [-1.0, 0.0, 0.5, 2.0, 3.5], [1.0, -1.0, 0.25, 4.0, 3.0]
    tables = [PiecewisePolynomial.spline(breaks, heights, outside=o) for o in ("linear", "cubic", "constant")]
    even = np.linspace(-2.0, 3.0, 21)
    tables += [PiecewisePolynomial.spline(even, np.sin(even), outside=o) for o in ("linear", "cubic", "error")]
    tables += VectorTable.spline(even, np.stack([np.cos(even), even**3], axis=1)).components
    tables += [
        PiecewisePolynomial.linear(breaks, heights),
        PiecewisePolynomial([0, 1], [[2.0], [1.0]], outside="cubic"),
    ]
    outputs = [table(atom, order) for table in tables for atom in (x, x - y, -y) for order in range(table.degree + 1)]
    function = ds.compile(outputs, {"x": x, "y": y})
    library = exported(function)
    for a in (-9.0, -1.0, -0.5, 0.0, 0.2, 0.5, 1.9, 3.5, 3.6, np.nan, np.inf):
        np.testing.assert_array_equal(library([a, 0.5])[0], function(a, 0.5))


def test_sparse_patterns_are_described(exported: Make) -> None:
    x, y = ds.Graph().variables("x y")
    matrix = SparseMatrix.from_dense([[x * y, 0.0, 0.0], [0.0, 0.0, y]])
    library = exported(ds.compile({"A": matrix, "nothing": ds.zeros(0)}, [x, y]))
    assert library([2.0, 3.0])[0].tolist() == [6.0, 3.0]
    assert "out[0]  out_A[2]   shape 2 x 3, 2 stored" in library.header
    assert "row of each entry: 0, 1" in library.header and "start of columns: 0, 1, 1, 2" in library.header


# ----------------------------------------------------------------------- names and symbols


def test_strange_names(exported: Make) -> None:
    g = Graph()
    names = ["int", "a*/b", "/*", "//", "\\", "φ̇", "two\nlines", 'say "x"', "??/", "work", "%d"]
    symbols = g.variables(names)
    keys = ["int", "work", "in", "q dot", "q-dot", "", "1st", "größe", "a1", "restrict", "*/"]
    outputs = {key: 2 * symbol for key, symbol in zip(keys, symbols, strict=True)}
    library = exported(ds.compile(outputs, dict(zip(keys, symbols, strict=True))), "_x9")
    assert np.concatenate(library([[float(i)] for i in range(11)])).tolist() == [2.0 * i for i in range(11)]


@pytest.mark.parametrize("prefix", ["2a", "a b", "a-b", "int", "main", "größe", "a\n", "x;"])
def test_prefix_must_be_an_identifier(tmp_path: Path, prefix: str) -> None:
    x = Graph().variable("x")
    with pytest.raises(SymbolicError, match=f"'{prefix}' is no C identifier; choose another prefix"):
        ds.compile(x, [x]).export_c(tmp_path / "c", prefix)
    assert not (tmp_path / "c").exists()


def test_prefix_must_not_hide_the_library(tmp_path: Path) -> None:
    x = Graph().variable("x")
    function = ds.compile(ds.sin(x), [x], name="sin")
    for name in ("sin", "sinf", "j0", "fmaxl", "isnan", "INFINITY", "int64_t", "uint_fast8_t", "UINT32_MAX", "INT8_C"):
        with pytest.raises(SymbolicError, match=f"'{name}' is a name of the C library .*; choose another prefix"):
            function.export_c(tmp_path, name)


def test_functions_that_use_nothing_and_default_prefix(exported: Make, tmp_path: Path) -> None:
    g = Graph()
    x = g.variable("x")
    library = exported(ds.compile({"a": 1.5, "b": [0.0, 0.0]}, {"x": x, "none": []}), "constant")
    assert [r.tolist() for r in library([3.0, []])] == [[1.5], [0.0, 0.0]]
    files = ds.compile(x * x, [x], name="square").export_c(str(tmp_path / "new" / "folder"))
    assert {"square.c", "square.h"} <= {path.name for path in files}


@pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="needs a C++ compiler: install g++ or clang"
)
@pytest.mark.exact
def test_header_is_good_for_cpp(tmp_path: Path) -> None:
    x = Graph().variable("x")
    ds.compile(ds.exp(x), [x]).export_c(tmp_path, "f")
    (tmp_path / "user.cpp").write_text(
        '#include "f.h"\n#include "f.h"\nint (*entry)(const double *, double *, double *) = f_at;\n'
    )
    cpp = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))))
    run(cpp, "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", tmp_path / "user.cpp")


@pytest.mark.skipif(not shutil.which("nm"), reason="needs nm: install binutils")
@pytest.mark.exact
def test_only_libm_is_needed(tmp_path: Path) -> None:
    x, y = Graph().variables("x y")
    everything = [f(x) for f in (ds.sqrt, ds.sin, ds.exp, ds.sign, ds.tanh)] + [
        ds.hypot(x, y),
        x**y,
        ds.where(x < y, x, y),
    ]
    spline = PiecewisePolynomial.spline([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])
    files = ds.compile([*everything, spline(x)], [x, y]).export_c(tmp_path, "f")
    needed, defined = set(), set()
    for source in (path for path in files if path.suffix == ".c"):
        run(*compiler(), *FLAGS, "-c", source, "-o", source.with_suffix(".o"))
        for line in run("nm", source.with_suffix(".o")).splitlines():
            kind, name = line.split()[-2:]
            (needed if kind == "U" else defined).add(name.lstrip("_") if sys.platform == "darwin" else name)
    assert needed - defined - {"_GLOBAL_OFFSET_TABLE_"} <= LIBM
    assert {"sin", "exp", "tanh", "hypot", "pow"} <= needed
