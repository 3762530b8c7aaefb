"""Both printers of machine code against an interpreter and each other; kernels and functions at their edges."""

from __future__ import annotations

import ctypes
import math
from typing import Any
from unittest import mock

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic.programs import interpret, random_arithmetic
from symbolic.strategies import NAMES, Doubles, Tree, build, points, trees, well_conditioned

import dalembert.symbolic as ds
from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.program import Program, extract
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.compiler.schedule import CHUNK, PLAIN_CHUNK, SHORT_RUN, schedule
from dalembert.symbolic.emit import llvm as emit_llvm
from dalembert.symbolic.emit import x86 as emit_x86

TRIPLE, _, FEATURES = jit._processor()
#: Registers for the x86 printer; 0 where there is none
X86 = emit_x86.registers(TRIPLE, FEATURES, fma=False)
X86_FMA = emit_x86.registers(TRIPLE, FEATURES, fma=True)
#: Without the printer for x86-64 and with as many registers as this machine has.
PRINTERS = sorted({0, min(X86, 16), X86})

GUARD = -1234.5


class Code:
    """Machine code made as jit.build makes it, with all choices open and fences around its memory."""

    def __init__(
        self,
        program: Program,
        x86: int,
        fma: bool = False,
        chunk: int = CHUNK,
        plain: int = PLAIN_CHUNK,
        short: int = SHORT_RUN,
    ) -> None:
        with mock.patch.multiple("dalembert.symbolic.compiler.schedule", PLAIN_CHUNK=plain, SHORT_RUN=short):
            plan = schedule(settled(program), emit_x86.PLAIN if x86 else frozenset(), chunk)
        self.program = plan.program
        self.chunks = sum(len(block.chunks) for block in plan.blocks)
        self.text, self.work_size = emit_llvm.emit(plan, fma, x86)
        self.spills = self.work_size - plan.work_size
        machine = jit._target_machine()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), jit._target_machine())
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(machine.emit_object(llvm.parse_assembly(self.text))))
        self.engine.finalize_object()
        integer, pointer = ctypes.c_int64, ctypes.c_void_p
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, integer, integer, pointer, pointer, pointer)
        self.entry = prototype(self.engine.get_function_address("entry"))

    def __call__(self, point: list[Any]) -> list[Any]:
        inputs = [np.array(x, dtype=float) for x in point]
        outputs = [np.full(o.size + 4, GUARD) for o in self.program.outputs]
        work = np.full(self.work_size + 4, np.nan)
        work[self.work_size :] = GUARD
        arrays = [(ctypes.c_void_p * len(items))(*(a.ctypes.data for a in items)) for items in (inputs, outputs)]
        assert self.entry(-1, 0, *arrays, work.ctypes.data) == 0
        for before, after in zip(point, inputs, strict=True):
            np.testing.assert_array_equal(before, after)
        assert np.all(work[self.work_size :] == GUARD)
        assert all(np.all(out[-4:] == GUARD) for out in outputs)
        return [out[:-4] for out in outputs]


def same_bits(left: list[Any], right: list[Any]) -> None:
    """Equal numbers with equal signs; any NaN equals any other."""
    for a, b in zip(left, right, strict=True):
        np.testing.assert_array_equal(a, b)
        present = ~np.isnan(a)
        np.testing.assert_array_equal(np.signbit(a)[present], np.signbit(b)[present])


# ------------------------------------------------------------------------ plain arithmetic


@given(st.integers(0, 2**32), st.integers(0, 80), st.integers(1, 10))
@settings(max_examples=50)  # each is compiled by every printer
def test_small_arithmetic_programs(seed: int, size: int, groups: int) -> None:
    program, point = random_arithmetic(seed, size, groups)
    expected = interpret(settled(program), point)
    for x86 in PRINTERS:
        same_bits(Code(program, x86)(point), expected)


@pytest.mark.parametrize(("seed", "size", "groups"), [(1, 4000, 3), (2, 1200, 12)])
def test_large_programs_with_more_values_than_registers(seed: int, size: int, groups: int) -> None:
    program, point = random_arithmetic(seed, size, groups)
    expected = interpret(settled(program), point)
    assert np.isfinite(np.concatenate(expected)).all()
    code = Code(program, min(X86, 16))
    same_bits(code(point), expected)
    if X86:
        assert code.spills > 100
        # Four registers hold addresses of inputs and outputs; with more arrays some are loaded again and again.
        assert code.text.count("movq") > 2 * (groups + len(program.outputs))
    same_bits(Code(program, x86=0, chunk=400)(point), expected)


@pytest.mark.parametrize(("chunk", "plain", "short"), [(1, 1, 1), (7, 7, 1), (7, 7, 30), (3, 50, 5), (50, 7, 30)])
@pytest.mark.parametrize("x86", PRINTERS)
def test_values_cross_the_borders_of_short_chunks(x86: int, chunk: int, plain: int, short: int) -> None:
    program, point = random_arithmetic(3, 250, groups=5)
    code = Code(program, x86, chunk=chunk, plain=plain, short=short)
    assert code.chunks > 5
    same_bits(code(point), interpret(settled(program), point))


@pytest.mark.parametrize("seed", range(4))
def test_fused_multiply_add_changes_the_last_digits_only(seed: int) -> None:
    program, point = random_arithmetic(seed, 1500, groups=2 + 3 * seed)
    expected = interpret(settled(program), point)
    for x86 in sorted({0, min(X86_FMA, 16), X86_FMA}):
        code = Code(program, x86, fma=True, chunk=300)
        if x86:
            assert all(name in code.text for name in ("vfmadd", "vfnmadd", "vfmsub"))
        for result, values in zip(code(point), expected, strict=True):
            np.testing.assert_allclose(result, values, rtol=1e-12, atol=1e-12)


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 8))
@settings(max_examples=40)
def test_small_programs_with_fused_multiply_add(seed: int, size: int, groups: int) -> None:
    program, point = random_arithmetic(seed, size, groups)
    expected = interpret(settled(program), point)
    for result, values in zip(Code(program, X86_FMA, fma=True)(point), expected, strict=True):
        np.testing.assert_allclose(result, values, rtol=1e-12, atol=1e-12)


def test_x86_printer_is_for_linux_on_x86_64_with_the_instructions_it_uses() -> None:
    linux = "x86_64-unknown-linux-gnu"
    assert emit_x86.registers(linux, "+sse2,+avx,+fma", fma=True) == 16
    assert emit_x86.registers(linux, "+sse2,+avx,-fma", fma=False) == 16
    assert emit_x86.registers(linux, "+avx,+fma,+avx512f,+avx512vl,+avx512dq", fma=True) == 32
    assert emit_x86.registers(linux, "+avx,+fma,+avx512f,-avx512vl,+avx512dq", fma=True) == 16
    assert emit_x86.registers(linux, "+sse2,+avx,-fma", fma=True) == 0
    assert emit_x86.registers(linux, "+sse2,-avx,+avx2", fma=False) == 0
    assert emit_x86.registers("x86_64-apple-darwin", "+avx,+fma", fma=False) == 0
    assert emit_x86.registers("aarch64-unknown-linux-gnu", "+neon", fma=False) == 0


def test_long_arithmetic_and_copies_are_left_to_the_x86_printer() -> None:
    q = ds.Graph().variables("q", 60)
    angle = (q[1:] * q[:-1]).sum()
    plan = schedule(settled(extract({"sine": ds.sin(angle)}, {"q": q})), emit_x86.PLAIN)
    (with_angles,) = [chunk for block in plan.blocks for chunk in block.chunks if chunk.angles]
    assert len(with_angles.rows) == 1
    plan = schedule(settled(extract({"a": q * angle, "b": [*q, 0.0]}, {"q": q}, staged=True)), emit_x86.PLAIN)
    text, _ = emit_llvm.emit(plan, x86_registers=16)
    assert "define internal" not in text and "declare void @chunk0" in text


# ---------------------------------------------------------------------- mixed with calls


def program_of(found: list[Tree]) -> Program:
    graph = ds.Graph()
    symbols = graph.variables(NAMES)
    return extract({"all": [build(tree, graph) for tree in found]}, {"x": symbols[:1], "yz": symbols[1:]})


@given(st.lists(trees(size=20), min_size=1, max_size=6), points(), st.sampled_from([1, 4, 1500]))
@settings(max_examples=50)  # each is compiled by every printer
def test_arithmetic_between_calls(found: list[Tree], at: dict[str, float], chunk: int) -> None:
    program = program_of(found)
    point = [[at["x"]], [at["y"], at["z"]]]
    results = [Code(program, x86, chunk=chunk, plain=4 * chunk, short=2)(point) for x86 in PRINTERS]
    same_bits(results[0], results[-1])
    for tree, value in zip(found, results[0][0], strict=True):
        if well_conditioned(tree, at):
            expected = Doubles()(tree, at)
            assert abs(value - expected) <= 1e-9 * (1.0 + abs(expected))


@given(st.lists(trees(safe=False), min_size=1, max_size=6), points(safe=False))
@settings(max_examples=50)  # each is compiled by every printer
def test_any_numbers_do_no_harm(found: list[Tree], at: dict[str, float]) -> None:
    program = program_of(found)
    point = [np.array([at["x"]]), np.array([at["y"], at["z"]])]
    results = [Code(program, x86, chunk=5, plain=5, short=1)(point) for x86 in PRINTERS]
    same_bits(results[0], results[-1])


def test_sines_of_sines_between_long_arithmetic() -> None:
    graph = ds.Graph()
    q = graph.variables("q", 9)
    rng = np.random.default_rng(0)
    at = rng.uniform(-3, 3, 9)
    atoms, numbers = list(q), list(at)
    for _ in range(4):  # levels of angles, a hundred operations between them
        for _ in range(100):
            i, j = rng.integers(0, len(atoms), 2)
            atoms.append(0.5 * (atoms[i] + atoms[j] * atoms[i]))
            numbers.append(0.5 * (numbers[i] + numbers[j] * numbers[i]))
        new = rng.integers(0, len(atoms), 7)
        atoms += [f(atoms[i]) for i in new for f in (ds.sin, ds.cos)]
        numbers += [f(numbers[i]) for i in new for f in (np.sin, np.cos)]
    program = extract({"all": atoms}, {"q": q})
    for x86 in PRINTERS:
        for chunk in (6, 40, 1500):
            (result,) = Code(program, x86, chunk=chunk, plain=2 * chunk, short=4)([at])
            np.testing.assert_allclose(result, numbers, rtol=1e-11, atol=1e-11)


# ------------------------------------------------------------------------ sines and cosines


@pytest.fixture(scope="module", params=[False, True], ids=["", "fma"])
def sincos(request: pytest.FixtureRequest) -> Any:
    x = ds.Graph().variable("x")
    function = ds.compile((ds.sin(x), ds.cos(x)), [x], fma=request.param)
    return function.map


def worst_error(sincos: Any, x: Any) -> float:
    """Largest error in units in the last place."""
    worst = 0.0
    with mpmath.workprec(200):
        for exact, values in zip((mpmath.sin, mpmath.cos), sincos(x), strict=True):
            for at, value in zip(x, values, strict=True):
                truth = exact(mpmath.mpf(float(at)))
                worst = max(worst, float(abs(mpmath.mpf(float(value)) - truth)) / np.spacing(abs(float(truth))))
    return worst


def test_sincos_at_random_angles(sincos: Any) -> None:
    rng = np.random.default_rng(0)
    small, wide = rng.uniform(-7, 7, 7000), rng.uniform(-8e5, 8e5, 6000)
    scaled = np.exp(rng.uniform(-40, 13, 7000)) * rng.choice([-1, 1], 7000)
    assert worst_error(sincos, np.concatenate([small, wide, scaled])) <= 1.0


def test_sincos_near_multiples_of_a_right_angle(sincos: Any) -> None:
    rng = np.random.default_rng(1)
    k = np.concatenate([np.arange(-20, 21), rng.integers(0, 2**19, 1000)])
    x = k * (np.pi / 2)
    steps = [x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf), x + 1e-9, x - 1e-9]
    # The doubles next to multiples of π/2, relative to the size of the multiple.
    nearest = [45.553093477052, 321307.9594422229, 642615.9188844458, 413441.44719405076, 229174.47169039503]
    assert worst_error(sincos, np.concatenate([*steps, nearest])) <= 1.0


def test_sincos_of_huge_angles(sincos: Any) -> None:
    x = np.array([823549.0, 823550.0, 1e6, -1e6, 1e9, 1e22, -1e22, 2.0**120, 1e300, 1.7976931348623157e308])
    assert worst_error(sincos, x) <= 1.0
    # One of them beside small ones, at every place of the vector.
    for i in range(5):
        angles = np.full(5, 0.3)
        angles[i] = 1e22
        symbols = ds.Graph().variables("x", 5)
        function = ds.compile((ds.sin(symbols), ds.cos(symbols)), [symbols])
        for result, expected in zip(function(angles), (np.sin(angles), np.cos(angles)), strict=True):
            np.testing.assert_allclose(result, expected, rtol=1e-15)


def test_sincos_at_zero_infinity_and_nan(sincos: Any) -> None:
    sine, cosine = sincos(np.array([0.0, -0.0, 5e-324, -1e-310, np.inf, -np.inf, np.nan]))
    same_bits([sine], [np.array([0.0, -0.0, 5e-324, -1e-310, np.nan, np.nan, np.nan])])
    same_bits([cosine], [np.array([1.0] * 4 + [np.nan] * 3)])


# --------------------------------------------------------------------------------- edges

NUMBERS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 1e-320, 1e308, -1e308, 710.0, np.inf, -np.inf, np.nan]
UNARY = "sqrt sin cos tan arcsin arccos arctan sinh cosh tanh exp log absolute negative".split()
BINARY = "add subtract multiply divide power arctan2 hypot minimum maximum less less_equal equal".split()


def compare(function: ds.CompiledFunction, numpy_function: Any, *arguments: Any) -> None:
    with np.errstate(all="ignore"):
        expected = np.asarray(numpy_function(*arguments), dtype=float)
    result = function.map(*arguments)
    np.testing.assert_allclose(result, expected, rtol=1e-15)
    present = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[present]), np.signbit(expected[present]))


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_argument_at_their_edges(name: str) -> None:
    x = ds.Graph().variable("x")
    atom = -x if name == "negative" else getattr(ds, name)(x)
    compare(ds.compile(atom, [x]), getattr(np, name), np.array(NUMBERS))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arguments_at_their_edges(name: str) -> None:
    x, y = ds.Graph().variables("x y")
    operators = {"add": x + y, "subtract": x - y, "multiply": x * y, "divide": x / y, "power": x**y}
    atom = operators[name] if name in operators else getattr(ds, name)(x, y)
    a, b = (item.ravel() for item in np.meshgrid(NUMBERS, NUMBERS))
    if name in ("minimum", "maximum"):  # of zeros with different signs either may be taken
        a, b = a[(a != 0) | (b != 0)], b[(a != 0) | (b != 0)]
    compare(ds.compile(atom, [x, y]), getattr(np, name), a, b)


def test_known_values_at_edges() -> None:
    x, y = ds.Graph().variables("x y")
    function = ds.compile(
        {"log": ds.log(x), "root": ds.sqrt(x), "inverse": 1 / x, "sign": ds.sign(x), "angle": ds.arctan2(x, y),
         "where": ds.where(x, 1.0, 2.0), "not": ds.logical_not(x)},
        [x, y],
    )  # fmt: skip
    at = {value: function(value, -1.0) for value in (0.0, -1.0, math.inf)}
    assert list(at[0.0].values()) == [-math.inf, 0.0, math.inf, 0.0, math.pi, 2.0, 1.0]
    assert math.isnan(at[-1.0]["log"]) and math.isnan(at[-1.0]["root"])
    assert at[math.inf]["log"] == at[math.inf]["root"] == math.inf and at[math.inf]["inverse"] == 0.0
    negative = function(-0.0, -1.0)
    assert negative["inverse"] == -math.inf and negative["angle"] == -math.pi and negative["where"] == 2.0
    assert math.copysign(1.0, negative["sign"]) == math.copysign(1.0, negative["root"]) == -1.0
    nothing = function(math.nan, 0.0)
    assert nothing["where"] == 1.0 and nothing["not"] == 0.0 and math.isnan(nothing["sign"])
