"""Compiled functions as their user meets them: forms of inputs and outputs, messages, many points, addresses."""

from __future__ import annotations

import ctypes
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import dalembert.symbolic as ds
from dalembert.errors import SymbolicError, UnknownSymbolError
from dalembert.symbolic import CompiledFunction, Graph, PiecewisePolynomial, SparseMatrix, compile, cos, exp, sin


@pytest.fixture
def g() -> Graph:
    return Graph()


# ------------------------------------------------------------------------ forms of outputs


def test_a_single_output_comes_back_as_itself(g: Graph) -> None:
    x, y = q = g.variables("x y")
    scalar = compile(x * y + 1, [x, y])(2.0, 3.0)
    assert scalar == 7.0 and type(scalar) is float
    vector = compile(q * 2, [q])([1.0, 2.0])
    assert vector.tolist() == [2.0, 4.0] and vector.dtype == np.float64
    matrix = compile(np.outer(q, q) + ds.eye(2), [q])([2.0, 3.0])
    assert matrix.tolist() == [[5.0, 6.0], [6.0, 10.0]]
    assert compile([x, y, x * y], [q])([2.0, 3.0]).tolist() == [2.0, 3.0, 6.0]
    assert compile(q.reshape(1, 1, 2), [q])([2.0, 3.0]).shape == (1, 1, 2)


def test_dicts_and_tuples_keep_their_form(g: Graph) -> None:
    x, y = q = g.variables("x y")
    result = compile({"sum": x + y, "twice": 2 * q}, [q])([1.0, 2.0])
    assert list(result) == ["sum", "twice"]
    assert result["sum"] == 3.0 and result["twice"].tolist() == [2.0, 4.0]
    scalar, vector = compile((x + y, 2 * q), [q])([1.0, 2.0])
    assert scalar == 3.0 and vector.tolist() == [2.0, 4.0]
    first, second = compile([q, [x * y]], [q])([3.0, 2.0])
    assert first.tolist() == [3.0, 2.0] and second.tolist() == [6.0]
    sparse = SparseMatrix.from_dense([[x, 0.0], [0.0, y]])
    for item in compile([sparse, sparse], [q])([3.0, 2.0]):
        assert item.toarray().tolist() == [[3.0, 0.0], [0.0, 2.0]]


def test_sparse_results_do_not_share_their_pattern(g: Graph) -> None:
    x, y = g.variables("x y")
    function = compile(SparseMatrix.from_dense([[x, 0.0], [y, y]]), [x, y])
    first = function(0.0, 2.0)
    assert first.indices.dtype == first.indptr.dtype == np.int32
    first.eliminate_zeros()
    assert function(1.0, 2.0).toarray().tolist() == [[1.0, 0.0], [2.0, 2.0]]


def test_sparse_outputs(g: Graph) -> None:
    x, y = q = g.variables("x y")
    dense = ds.array([[x * y, 0.0, 1.0], [0.0, 0.0, -y]])
    function = compile({"A": SparseMatrix.from_dense(dense), "dense": dense}, [q])
    result = function([2.0, 3.0])
    assert type(result["A"]).__name__ == "csc_array" and result["A"].shape == (2, 3) and result["A"].nnz == 3
    np.testing.assert_array_equal(result["A"].toarray(), [[6.0, 0.0, 1.0], [0.0, 0.0, -3.0]])
    np.testing.assert_array_equal(result["A"].toarray(), result["dense"])
    stored = function.map([[2.0, 3.0], [1.0, 1.0]])["A"]
    assert stored.tolist() == [[6.0, 1.0, -3.0], [1.0, 1.0, -1.0]]
    empty = compile(SparseMatrix.from_dense(ds.zeros((2, 3))), [q])([1.0, 1.0])
    assert empty.nnz == 0 and empty.shape == (2, 3)


def test_outputs_without_operations(g: Graph) -> None:
    x, y = q = g.variables("x y")
    outputs = {
        "number": 2.5,
        "input": y,
        "minus": -x,
        "numbers": np.arange(3.0),
        "mixed": [0.0, x, 0, 0, 0, 0, 0, -1, y],
    }
    for staged in (False, True):
        result = compile(outputs, [q], staged=staged)([3.0, 4.0])
        assert result["number"] == 2.5 and result["input"] == 4.0 and result["minus"] == -3.0
        assert result["numbers"].tolist() == [0.0, 1.0, 2.0]
        assert result["mixed"].tolist() == [0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 4.0]
    nothing = compile({"empty": ds.zeros((0, 3)), "x": x}, [q])
    assert nothing([1.0, 2.0])["empty"].shape == (0, 3) and nothing.map([[1.0, 2.0]])["empty"].shape == (1, 0, 3)
    assert np.isnan(compile(x * 0 + float("nan"), [x])(1.0))
    zeros = compile(SparseMatrix.from_dense(ds.eye(40) * x).toarray(), [x])(2.0)
    np.testing.assert_array_equal(zeros, 2.0 * np.eye(40))


def test_results_are_new_arrays(g: Graph) -> None:
    q = g.variables("q", 3)
    function = compile(2 * q, [q])
    first = function([1.0, 2.0, 3.0])
    function([4.0, 5.0, 6.0])
    assert first.tolist() == [2.0, 4.0, 6.0]


# ------------------------------------------------------------------------ forms of inputs


def test_arguments_by_position_and_by_name(g: Graph) -> None:
    x, y, z = g.variables("x y z")
    function = compile(x - 2 * y + 4 * z, {"a": x, "bc": [[y], [z]]})
    expected = 1.0 - 4.0 + 12.0
    assert function(1.0, [[2.0], [3.0]]) == function(1.0, bc=[[2.0], [3.0]]) == expected
    assert function(bc=np.array([[2], [3]]), a=np.float32(1)) == function(a=[1.0], bc=((2,), (3,))) == expected
    every_second = np.array([[2.0, 9.0], [3.0, 9.0]])[:, :1]
    assert function(np.array(1), every_second) == expected


def test_inputs_in_a_list_are_named_after_their_first_symbol(g: Graph) -> None:
    x, y, z = g.variables("x y in1")
    function = compile(x * y - z, [[x, y], z, [], np.array([])])
    assert [item.name for item in function.inputs] == ["x", "in1", "in2", "in3"]
    assert function(x=[2.0, 3.0], in1=1.0, in2=[], in3=[]) == 5.0
    assert [item.name for item in compile(x - z, [z, [], x]).inputs] == ["in1", "in1_", "x"]
    assert compile(x * y, ds.array([x, y]))([2.0, 3.0]) == 6.0  # one array is one input
    assert compile(x * x, x)(3.0) == 9.0
    with pytest.raises(SymbolicError, match="inputs must be symbols, arrays of symbols, or a dict or list of them"):
        compile(x, "x")


def test_outputs_that_cannot_be_computed_are_named(g: Graph) -> None:
    x = g.variable("x")
    vector = ds.Base.root(g).vector(x, 0, 0)
    with pytest.raises(SymbolicError, match=r"output 'F' must be an atom.* there is a Vector in it; take its comp"):
        compile({"M": x, "F": vector}, [x])
    for outputs in ({"F": None}, {"F": "x"}, {"F": [x, None]}, {"F": ds.Base.root(g)}):
        with pytest.raises(
            SymbolicError, match=r"output 'F' must be an atom.* there is a (NoneType|str|Base) in it; leave"
        ):
            compile(outputs, [x])
        with pytest.raises(SymbolicError, match="output 'F' must be an atom"):
            ds.report(outputs, [x])
    with pytest.raises(SymbolicError, match="output 'out1' must be an atom"):
        compile((x, None), [x])


@pytest.mark.parametrize("call", ["__call__", "map"])
def test_wrong_arguments_are_named(g: Graph, call: str) -> None:
    x, y, z = g.variables("x y z")
    f = getattr(compile(x * y * z, {"mass": x, "axes": [y, z]}, name="fall"), call)
    with pytest.raises(SymbolicError, match=r"function 'fall': missing input axes$"):
        f(1.0)
    with pytest.raises(SymbolicError, match=r"function 'fall': missing inputs mass, axes$"):
        f()
    with pytest.raises(SymbolicError, match=r"function 'fall' takes 2 inputs \(mass, axes\), got 3"):
        f(1.0, [2.0, 3.0], 4.0)
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'mass' is given twice"):
        f(1.0, mass=2.0, axes=[1.0, 2.0])
    with pytest.raises(UnknownSymbolError, match=r"function 'fall' has no input 'axis'; did you mean 'axes'\?"):
        f(1.0, axis=[1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'axes' must have the shape \(.*2,?\), got \(3,\)"):
        f(1.0, [1.0, 2.0, 3.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'mass' must be numbers; got 'heavy'"):
        f("heavy", [1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'mass' must be numbers; got '1.5'"):
        f("1.5", [1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'mass' must be numbers; got None"):
        f(None, [1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'axes' must be numbers; got complex numbers"):
        f(1.0, np.array([1.0, 2.0j]))
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'mass' must be numbers; 'x' is an expression"):
        f(x, [1.0, 2.0])
    with pytest.raises(SymbolicError, match=r"function 'fall': input 'axes' must be numbers; .*inhomogeneous"):
        f(1.0, [1.0, [2.0]])


def test_wrong_shapes_of_one_point(g: Graph) -> None:
    x, y = q = g.variables("x y")
    f = compile(x * y, {"q": q})
    for value, shape in (([[1.0, 2.0]], r"\(1, 2\)"), (3.0, r"\(\)"), ([[1.0], [2.0]], r"\(2, 1\)")):
        with pytest.raises(SymbolicError, match=rf"input 'q' must have the shape \(2,\), got {shape}"):
            f(value)
    with pytest.raises(SymbolicError, match=r"input 'x' must have the shape \(\), got \(2,\)"):
        compile(x, {"x": x})([1.0, 2.0])


def test_wrong_declarations(g: Graph) -> None:
    x, y = g.variables("x y")
    m, t = g.parameter("m"), g.time
    phi = g.coordinate("phi")
    with pytest.raises(UnknownSymbolError, match=r"'fall': output 'f' depends on the parameter 'm', which is not among "
                                                 r"the inputs \(x, y\); add it to an input or substitute"):  # fmt: skip
        compile({"a": x, "f": m * x, "b": m}, [x, y], name="fall")
    for atom, kind, name in ((phi.dt, "velocity", "dphi"), (phi, "coordinate", "phi"), (t, "time", "t")):
        with pytest.raises(UnknownSymbolError, match=rf"output 'out' depends on the {kind} '{name}'.*inputs \(x\)"):
            compile(x * atom, [x])
    with pytest.raises(UnknownSymbolError, match=r"inputs \(none\)"):
        compile(x, {})
    with pytest.raises(SymbolicError, match=r"'function': symbol 'x' stands twice in the inputs, in 'a' and in 'b'"):
        compile(x, {"a": [x, y], "b": x})
    with pytest.raises(
        SymbolicError, match=r"input 'a' must consist of symbols, but entry 1 is the expression 'x \+ y'"
    ):
        compile(x, {"a": [x, x + y]})
    with pytest.raises(SymbolicError, match=r"entry 0 is the expression '-x'"):
        compile(x, {"a": -x})
    with pytest.raises(SymbolicError, match=r"entry 0 is the expression '2'"):
        compile(x, {"x": x, "a": 2.0})
    for nothing in ({}, ()):
        with pytest.raises(SymbolicError, match=r"function 'fall' has no outputs"):
            compile(nothing, [x], name="fall")
    with pytest.raises(SymbolicError, match="atoms of two graphs"):
        compile([x, Graph().variable("x")], [x])
    with pytest.raises(SymbolicError, match="only numbers"):
        compile(3.0, [])
    with pytest.raises(SymbolicError, match=r"'fall': a staged function can have 62 outputs, got 63"):
        compile({f"o{i}": x for i in range(63)}, [x], staged=True, name="fall")


# ---------------------------------------------------------------------------- many points


def test_map_broadcasts_leading_axes(g: Graph) -> None:
    m, (x, y) = g.parameter("m"), g.variables("x y")
    outputs = {"s": exp(m) * x + sin(y), "v": [x * y, m], "M": [[x, 0.0], [0.0, y * m]]}
    rng = np.random.default_rng(0)
    M, Q = rng.normal(size=(4, 1)), rng.normal(size=(3, 2))
    for staged in (False, True):
        function = compile(outputs, {"m": m, "q": [x, y]}, staged=staged)
        for masses, points in (
            (M, Q),
            (M[0, 0], Q),
            (M[:, 0], Q[0]),
            (M, Q[:1]),
            (M[0, 0], Q[0]),
            (M[:3, 0], Q[:, None]),
        ):
            results = function.map(masses, points)
            shape = np.broadcast_shapes(np.shape(masses), points.shape[:-1])
            assert {k: r.shape for k, r in results.items()} == {"s": shape, "v": (*shape, 2), "M": (*shape, 2, 2)}
            for index in np.ndindex(shape):
                mass = np.broadcast_to(masses, shape)[index]
                expected = function(mass, np.broadcast_to(points, (*shape, 2))[index])
                for key, result in results.items():
                    np.testing.assert_array_equal(result[index], expected[key])


def test_map_over_no_points_and_odd_memory(g: Graph) -> None:
    x, y = q = g.variables("x y")
    function = compile({"s": x * y, "v": q}, {"q": q})
    empty = function.map(np.empty((0, 2)))
    assert empty["s"].shape == (0,) and empty["v"].shape == (0, 2)
    assert function.map(np.empty((3, 0, 2)))["v"].shape == (3, 0, 2)
    grid = np.arange(24.0).reshape(2, 6, 2).transpose(1, 0, 2)[::-2]
    np.testing.assert_array_equal(function.map(grid)["s"], grid[..., 0] * grid[..., 1])
    np.testing.assert_array_equal(function.map(np.asfortranarray(grid))["v"], grid)
    assert compile(3.0, {"x": x}).map([1.0, 2.0]).tolist() == [3.0, 3.0]


def test_map_names_points_that_do_not_fit(g: Graph) -> None:
    x, y = g.variables("x y")
    function = compile(x * y, {"x": x, "y": y}, name="fall")
    with pytest.raises(
        SymbolicError, match=r"'fall': the points of the inputs do not fit together: 'x' \(2,\), 'y' \(3,\)"
    ):
        function.map([1.0, 2.0], [1.0, 2.0, 3.0])


# ------------------------------------------------------------------------------ the rest


@pytest.mark.parametrize("options", [{}, {"fma": True}, {"cache": False}, {"staged": True}], ids=str)
def test_pickle(g: Graph, options: dict[str, bool]) -> None:
    x, y = q = g.variables("x y")
    table = PiecewisePolynomial.spline([0.0, 1.0, 2.0, 4.0], [1.0, 3.0, 2.0, 0.0])
    sparse = SparseMatrix.from_dense([[x * y, 0.0]])
    for form, outputs in {"single": x * y, "dict": {"a": table(x), "s": sparse}, "tuple": (q, exp(x))}.items():
        function = compile(outputs, {"q": q}, name="fall", **options)
        again = pickle.loads(pickle.dumps(function))
        assert isinstance(again, CompiledFunction)
        assert again.program.digest() == function.program.digest() and repr(again) == repr(function)
        assert again.from_cache == options.get("cache", True)
        results = [f.map([[0.5, 2.0], [3.0, 7.0]]) for f in (function, again)]
        assert type(results[0]) is type(results[1]) is {"single": np.ndarray, "dict": dict, "tuple": tuple}[form]
        pairs = zip(*(list(r.values()) if form == "dict" else r for r in results), strict=True)
        assert all(np.array_equal(*pair) for pair in pairs)


Entry = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 3)


def pointers(arrays: list[Any]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))


def test_address_is_a_c_function(g: Graph) -> None:
    q, m = g.variables("x y"), g.parameter("m")
    function = compile({"s": m * sin(q[0]), "v": q * m}, {"m": m, "q": q})
    m_value, q_value, s, v = np.array([2.0]), np.array([0.5, 3.0]), np.zeros(1), np.zeros(2)
    work = np.empty(function.work_size)
    entry = Entry(function.address)
    assert entry(0, 0, pointers([m_value, q_value]), pointers([s, v]), work.ctypes.data) == 0
    assert s[0] == function(2.0, [0.5, 3.0])["s"] == pytest.approx(2 * np.sin(0.5)) and v.tolist() == [1.0, 6.0]


def test_address_of_a_staged_function_takes_requests(g: Graph) -> None:
    p, q = g.variables("p q")
    function = compile({"a": exp(p), "b": exp(p) * q, "c": q + 1}, {"p": p, "q": q}, staged=True)
    entry, work = Entry(function.address), np.full(function.work_size, np.nan)
    inputs, outputs = [np.array([0.5]), np.array([3.0])], [np.full(1, -1.0) for _ in range(3)]

    def call(request: int, changed: int) -> list[float]:
        assert entry(request, changed, pointers(inputs), pointers(outputs), work.ctypes.data) == 0
        return [float(out[0]) for out in outputs]

    e = np.exp(0.5)
    assert call(0b010, 0) == [-1.0, 3 * e, -1.0]
    inputs[0][:] = inputs[1][:] = 7.0
    assert call(0b011, 2) == [e, 3 * e, -1.0]  # nothing is new: both are kept
    assert call(0b110, 1) == [e, 7 * e, 8.0]  # q is new
    assert call(0b001, 0) == [np.exp(7.0), 7 * e, 8.0]
    assert call(0b010, 2)[1] == 7 * np.exp(7.0)  # stale since then


def test_calls_from_several_threads(g: Graph) -> None:
    q = g.variables("q", 6)
    matrix = np.outer(sin(q), exp(q)) @ np.outer(cos(q), q)
    function = compile(matrix, [q])
    points = np.random.default_rng(0).normal(size=(400, 6))
    expected = function.map(points)
    with ThreadPoolExecutor(8) as pool:
        for result, alone in zip(pool.map(function, points, chunksize=5), expected, strict=True):
            np.testing.assert_array_equal(result, alone)


def test_compiling_in_several_threads() -> None:
    def work(k: int) -> float:
        x = Graph().variable("x")
        result: float = compile(sin(x) * k + exp(x), [x])(0.5)
        return result

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, [k % 10 for k in range(60)]))
    np.testing.assert_allclose(results, [np.sin(0.5) * (k % 10) + np.exp(0.5) for k in range(60)], rtol=1e-15)


def test_fma_agrees(g: Graph) -> None:
    q = g.variables("q", 5)
    outputs = {"a": np.outer(sin(q), q) @ np.outer(q, cos(q)) + q * exp(q), "b": q @ q - 1}
    plain, fused = (compile(outputs, [q], fma=fma) for fma in (False, True))
    points = np.random.default_rng(1).normal(size=(50, 5))
    for name in outputs:
        np.testing.assert_allclose(fused.map(points)[name], plain.map(points)[name], rtol=1e-12, atol=1e-12)


def test_description(g: Graph) -> None:
    x, y, z = g.variables("x y z")
    function = compile({"s": x * y + 1, "M": [[x, y]]}, {"x": x, "yz": [y, z]}, name="fall")
    assert repr(function) == "<CompiledFunction fall: (x, yz[2]) -> (s, M[1, 2]), 2 operations>"
    assert function.name == "fall"
    assert [(i.name, i.shape, i.symbols) for i in function.inputs] == [("x", (), ("x",)), ("yz", (2,), ("y", "z"))]
    assert [(o.name, o.shape, o.size) for o in function.outputs] == [("s", (), 1), ("M", (1, 2), 2)]


def test_machine_code_outlives_the_graph() -> None:
    def make() -> CompiledFunction:
        q = Graph().variables("q", 3)
        return compile(sin(q) * q[0], [q])

    functions = [make() for _ in range(3)]
    gc.collect()
    for function in functions:
        np.testing.assert_allclose(function([1.0, 2.0, 3.0]), np.sin([1.0, 2.0, 3.0]), rtol=1e-15)


def test_a_function_with_buffers_of_its_own():
    g = Graph()
    x, y = g.parameters("x y")
    f = compile({"sum": x + y, "both": ds.array([x * y, x - y])}, inputs={"x": x, "y": y})
    call = f.bound()
    for a, b in ((2.0, 3.0), (-1.0, 0.5)):
        call.inputs["x"][...], call.inputs["y"][...] = a, b
        assert call() == 0
        expected = f(a, b)
        assert call.outputs["sum"] == expected["sum"] and np.array_equal(call.outputs["both"], expected["both"])
