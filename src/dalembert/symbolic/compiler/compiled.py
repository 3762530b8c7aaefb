"""Compiled functions: called from Python, mapped over many points, or reached by address.

:func:`compile` is the way from atoms to numbers::

    f = compile({"M": M, "f": f}, inputs={"p": [m, l], "q": q, "v": v})
    result = f(p=[1.0, 0.5], q=q0, v=v0)      # {"M": array, "f": array}
    f.map(p=[1.0, 0.5], q=Q, v=V)             # leading axes of Q and V are points
    f.address                                 # int (*)(int64, int64, const double *const *, double *const *, double *)

With ``staged=True`` the inputs are stages in the order given (parameters, time, positions, velocities …), and a
:class:`Workspace` computes each atom once per change of what it depends on.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import LARGEST_ARRAY, file_path, flag, instance, listed, text
from dalembert.arguments import named as named_items
from dalembert.errors import SymbolicError, UnknownSymbolError, suggestion
from dalembert.symbolic.atom import Atom, AtomArray, objects
from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.bound import BoundCall
from dalembert.symbolic.compiler.program import Input, Output, Program, extract, with_alike
from dalembert.symbolic.sparse import SparseMatrix, csc_array
from dalembert.symbolic.statistics import OperationCounts

Floats = npt.NDArray[np.float64]
Pattern = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]

_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
_MAP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 5)
#: A request is one bit per output in a signed 64-bit word.
_MOST_STAGED_OUTPUTS = 62


def compile(
    outputs: Any,
    inputs: Any,
    *,
    name: str = "function",
    staged: bool = False,
    fma: bool = False,
    cache: bool = True,
    alike: Sequence[Any] = (),
) -> CompiledFunction:
    """Compile expressions to machine code.

    Parameters
    ----------
    outputs
        What is computed: an atom, an array of atoms (also as nested lists), a :class:`SparseMatrix`, or several of them
        in a dict or tuple.  A call returns a number, an array, SciPy's ``csc_array``, or a dict or tuple of them.
    inputs
        What is given: a dict from names to symbols or arrays of symbols, or a list of them (then named after their
        first symbol), or a single one. For staged functions in the order of stages, what changes seldom first.
    name
        Name for messages and exported code.
    staged
        Compute atoms by stages and share them between outputs; see :meth:`CompiledFunction.workspace`.
    fma
        Allow fused multiply–add: a little faster, but results depend on the processor in the last digits.
    cache
        Keep the machine code on disk and look for it there.
    alike
        Symbols that play the same role in four parts of a model, such as the wheelsets of a vehicle, in groups of four,
        always in the order of the parts.  Atoms of such parts are computed four at a time, where the processor can and
        the function is staged; results differ by rounding at most.
    """
    text(name, "compile: name", SymbolicError)
    for key, value in (("staged", staged), ("fma", fma), ("cache", cache)):
        flag(value, f"function '{name}': {key}", SymbolicError)
    form, named = named_outputs(outputs)
    program = extract(named, named_inputs(inputs), name, staged)
    if staged and len(named) > _MOST_STAGED_OUTPUTS:
        raise SymbolicError(
            f"function '{name}': a staged function can have {_MOST_STAGED_OUTPUTS} outputs, got {len(named)}; "
            "join some into arrays"
        )
    return CompiledFunction(with_alike(program, alike), form, fma, cache)


def named_outputs(outputs: Any) -> tuple[str, dict[str, Any]]:
    """Form of a result ("dict", "tuple" or "single"), and the outputs by name."""
    if isinstance(outputs, Mapping):
        form, named = "dict", named_items(outputs, "outputs", SymbolicError)
    # A list of arrays is several outputs; a list of (lists of) atoms is one array, as for NumPy.
    elif isinstance(outputs, tuple) or (
        isinstance(outputs, list) and any(isinstance(item, (np.ndarray, tuple, SparseMatrix)) for item in outputs)
    ):
        form, named = "tuple", {f"out{i}": item for i, item in enumerate(outputs)}
    else:
        form, named = "single", {"out": outputs}
    for key, value in named.items():
        items: Iterable[Any] = [] if isinstance(value, (Atom, AtomArray, SparseMatrix)) else objects(value).flat
        for item in [value, *items]:
            if not isinstance(item, (Atom, Real, np.bool_, np.ndarray, list, tuple, SparseMatrix)):
                remedy = "take its components(base)" if hasattr(item, "components") else "leave it away or replace it"
                raise SymbolicError(
                    f"output '{key}' must be an atom, an array of atoms and numbers or a SparseMatrix, but there is a "
                    f"{type(item).__name__} in it; {remedy}"
                )
    return form, named


def named_inputs(inputs: Any) -> dict[str, Any]:
    """The inputs by name."""
    if isinstance(inputs, Mapping):
        return named_items(inputs, "inputs", SymbolicError)
    if isinstance(inputs, (Atom, np.ndarray)):
        inputs = [inputs]
    if not isinstance(inputs, Iterable) or isinstance(inputs, (str, bytes)):
        raise SymbolicError(
            f"inputs must be symbols, arrays of symbols, or a dict or list of them, got a {type(inputs).__name__}"
        )
    named: dict[str, Any] = {}
    for position, item in enumerate(listed(inputs, "inputs", SymbolicError)):
        flat = np.array([item], dtype=object) if isinstance(item, Atom) else objects(item).ravel()
        key = (getattr(flat[0], "name", None) if flat.size else None) or f"in{position}"
        while key in named:
            key += "_"
        named[key] = item
    return named


class CompiledFunction:
    """Machine code of some outputs; made by :func:`compile`.

    Pickles as its program and compiles (or finds itself in the cache) when loaded.
    """

    def __init__(self, program: Program, form: str = "dict", fma: bool = False, cache: bool = True) -> None:
        self.program = program
        self._form = form
        self._fma = fma
        self._cache = cache
        self._machine = jit.build(program, fma, cache)
        self._entry = _ENTRY(self._machine.entry)
        self._map = _MAP(self._machine.map)
        self._all = (1 << len(program.outputs)) - 1 if program.staged else 0
        self._names = [item.name for item in program.inputs]
        # Layout of the block of a call: pointers to inputs and outputs, inputs, workspace.
        in_sizes, out_sizes = [item.size for item in program.inputs], [item.size for item in program.outputs]
        self._first_input = len(in_sizes) + len(out_sizes)
        self._in_offsets = 8 * (self._first_input + np.cumsum([0, *in_sizes], dtype=np.int64)[:-1])
        self._out_offsets = 8 * np.cumsum([0, *out_sizes], dtype=np.int64)[:-1]
        self._block_size = self._first_input + sum(in_sizes) + self.work_size
        self._result_size = sum(out_sizes)
        self._patterns = [_pattern(output) for output in program.outputs]

    def __reduce__(self) -> Any:
        return CompiledFunction, (self.program, self._form, self._fma, self._cache)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{i.name}{list(i.shape) if i.shape else ''}" for i in self.program.inputs)
        outputs = ", ".join(f"{o.name}{list(o.shape) if o.shape else ''}" for o in self.program.outputs)
        return f"<CompiledFunction {self.name}: ({inputs}) -> ({outputs}), {self.statistics.operations} operations>"

    # -------------------------------------------------------------- description

    @property
    def name(self) -> str:
        """Name for messages and exported code."""
        return self.program.name

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Names, shapes and symbols of the inputs."""
        return self.program.inputs

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Names and shapes of the outputs."""
        return self.program.outputs

    @property
    def statistics(self) -> OperationCounts:
        """Atoms and operations of one evaluation of everything."""
        return self._machine.statistics

    @property
    def from_cache(self) -> bool:
        """Whether the machine code was found on disk."""
        return self._machine.from_cache

    @property
    def address(self) -> int:
        """Address of ``int f(int64 request, int64 changed, double *const *in, double *const *out, double *work)``.

        Good as long as this object lives.  ``work`` needs :attr:`work_size` doubles.
        """
        return self._machine.entry

    @property
    def work_size(self) -> int:
        """Number of doubles of workspace that the caller at :attr:`address` provides."""
        return self._machine.work_size

    # ------------------------------------------------------------------- calling

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Evaluate at one point; arguments by position or by name."""
        # One block for pointers, inputs and workspace, one for the results: asking NumPy for addresses is what takes
        # time here.
        block, results = np.empty(self._block_size), np.empty(self._result_size)
        start, result_start = block.ctypes.data, results.ctypes.data
        pointers = block[: self._first_input].view(np.int64)
        n_in = len(self.inputs)
        pointers[:n_in] = self._in_offsets + start
        pointers[n_in:] = self._out_offsets + result_start
        at = self._first_input
        for item, value in zip(self.inputs, self._arguments(arguments, named), strict=True):
            block[at : at + item.size] = _checked(self.name, item, value)
            at += item.size
        self._entry(self._all, 0, start, start + 8 * n_in, start + 8 * at)
        values, at = [], 0
        for output, pattern in zip(self.outputs, self._patterns, strict=True):
            values.append(_shaped(output, pattern, results[at : at + output.size]))
            at += output.size
        return self._result(values)

    def map(self, *arguments: Any, **named: Any) -> Any:
        """Evaluate at many points: inputs may have leading axes, which are broadcast; outputs have them too.

        Sparse outputs are returned as arrays of their stored values, one row per point.
        """
        given = zip(self.inputs, self._arguments(arguments, named), strict=True)
        values = [_numbers(self.name, item, value) for item, value in given]
        leading = []
        for item, value in zip(self.inputs, values, strict=True):
            depth = value.ndim - len(item.shape)
            if depth < 0 or value.shape[depth:] != item.shape:
                raise SymbolicError(f"function '{self.name}': input '{item.name}' must have the shape (…, "
                                    f"{', '.join(map(str, item.shape))}), got {value.shape}")  # fmt: skip
            leading.append(value.shape[:depth])
        try:
            points = leading[0] if len(set(leading)) == 1 else np.broadcast_shapes(*leading)
        except ValueError:
            listed = ", ".join(f"'{i.name}' {s}" for i, s in zip(self.inputs, leading, strict=True))
            raise SymbolicError(
                f"function '{self.name}': the points of the inputs do not fit together: {listed}"
            ) from None
        count = math.prod(points)
        widest = max(max(item.size for item in part) for part in (self.inputs, self.outputs) if part)
        if count * widest > LARGEST_ARRAY:
            raise SymbolicError(f"function '{self.name}': {count} points are too many for one call; divide them")
        arrays, strides, moving = [], [], len(self.inputs)
        for number, (item, value, axes) in enumerate(zip(self.inputs, values, leading, strict=True)):
            if math.prod(axes) == 1:  # the same at all points
                arrays.append(np.ascontiguousarray(value).reshape(-1))
                strides.append(0)
            else:
                spread = value if axes == points else np.broadcast_to(value, points + item.shape)
                arrays.append(np.ascontiguousarray(spread).reshape(-1))
                strides.append(item.size)
                moving = min(moving, number)
        results = [np.empty((count, o.size)) for o in self.outputs]
        work = np.empty(self.work_size)
        in_strides = np.array(strides, dtype=np.int64)
        out_strides = np.array([o.size for o in self.outputs], dtype=np.int64)
        self._map(
            count, self._all, moving, _pointers(arrays), in_strides.ctypes.data, _pointers(results),
            out_strides.ctypes.data, work.ctypes.data,
        )  # fmt: skip
        return self._result(
            [
                r.reshape(points + (o.shape if o.sparse_rows is None else (o.size,)))
                for o, r in zip(self.outputs, results, strict=True)
            ]
        )

    def bound(self) -> BoundCall:
        """The function with arrays of its own for inputs and outputs: a call costs about a microsecond; see
        :class:`BoundCall`.  Of sparse outputs these are the stored values."""
        work = np.zeros(max(1, self.work_size))
        shapes = {item.name: tuple(item.shape) for item in self.inputs}
        results = {o.name: tuple(o.shape) if o.sparse_rows is None else (o.size,) for o in self.outputs}
        return BoundCall(self.address, shapes, results, work, self._all, self)

    def workspace(self) -> Workspace:
        """Staged evaluation with memory: see :class:`Workspace`."""
        if not self.program.staged:
            raise SymbolicError(f"function '{self.name}' is not staged; compile it with staged=True to get a workspace")
        return Workspace(self)

    def export_c(self, directory: str | Path, prefix: str | None = None) -> list[Path]:
        """Write the function as C99 into ``directory``; returns the files, the header first.

        Only libm is needed to link them.
        """
        from dalembert.symbolic.emit.c import export

        folder = file_path(directory, f"function '{self.name}': directory", SymbolicError)
        chosen = self.name if prefix is None else text(prefix, f"function '{self.name}': prefix", SymbolicError)
        return export(self.program, folder, chosen)

    def _arguments(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        names = self._names
        if len(arguments) == len(names) and not named:
            return list(arguments)
        if len(arguments) > len(names):
            raise SymbolicError(
                f"function '{self.name}' takes {len(names)} inputs ({', '.join(names)}), got {len(arguments)}"
            )
        given = dict(zip(names, arguments, strict=False))
        for key, value in named.items():
            if key not in names:
                raise UnknownSymbolError(f"function '{self.name}' has no input '{key}'; {suggestion(key, names)}")
            if key in given:
                raise SymbolicError(f"function '{self.name}': input '{key}' is given twice")
            given[key] = value
        missing = [key for key in names if key not in given]
        if missing:
            raise SymbolicError(f"function '{self.name}': missing input{'s' * (len(missing) > 1)} {', '.join(missing)}")
        return [given[key] for key in names]

    def _result(self, values: list[Any]) -> Any:
        if self._form == "single":
            return values[0]
        if self._form == "tuple":
            return tuple(values)
        return {o.name: value for o, value in zip(self.outputs, values, strict=True)}


class Workspace:
    """A point at which a staged function is evaluated piece by piece.

    Inputs are set by name; outputs are asked for by name.  Each atom is computed when an output first needs it, and
    again only after an input of its stage or of an earlier one was set::

        w = f.workspace()
        w.set(p=p, t=0.0, q=q, v=v)
        M = w["M"]
        w.set(v=v_new)              # M is still valid, f is not
        f = w["f"]

    Arrays that are returned belong to the workspace and are overwritten by the next request of the same output.
    """

    def __init__(self, function: CompiledFunction) -> None:
        self.function = instance(function, CompiledFunction, "Workspace: function", SymbolicError)
        if not function.program.staged:
            raise SymbolicError(f"Workspace: function '{function.name}' is not staged; compile it with staged=True")
        self._in = [np.full(item.size, np.nan) for item in function.inputs]
        self._out = [np.empty(item.size) for item in function.outputs]
        self._work = np.zeros(function.work_size)
        self._pointers = _pointers(self._in), _pointers(self._out)
        self._changed = 0
        self._missing = {item.name for item in function.inputs}

    def set(self, **inputs: Any) -> None:
        """Give new values to some inputs."""
        program = self.function.program
        for name, value in inputs.items():
            number = program.input_number(name)
            self._in[number][:] = _checked(self.function.name, program.inputs[number], value)
            self._changed = min(self._changed, number)
            self._missing.discard(name)

    def evaluate(self, *names: str) -> tuple[Any, ...]:
        """Outputs of the given names, computed together."""
        program = self.function.program
        numbers = [program.output_number(name) for name in names]
        if self._missing:
            raise SymbolicError(
                f"function '{self.function.name}': inputs not set yet: {', '.join(sorted(self._missing))}"
            )
        request = 0
        for number in numbers:
            request |= 1 << number
        self.function._entry(request, self._changed, *self._pointers, self._work.ctypes.data)
        self._changed = len(program.inputs)
        patterns = self.function._patterns
        return tuple(_shaped(program.outputs[n], patterns[n], self._out[n]) for n in numbers)

    def __getitem__(self, name: str) -> Any:
        return self.evaluate(name)[0]


def _numbers(function: str, item: Input, value: Any) -> Floats:
    if type(value) is float or (type(value) is np.ndarray and value.dtype == np.float64):
        return np.asarray(value)
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiubO":
            raise TypeError(f"got {'complex numbers' if array.dtype.kind == 'c' else repr(value)[:60]}")
        if array.dtype == object and (wrong := [x for x in array.flat if x is None or isinstance(x, (str, bytes))]):
            raise TypeError(f"got {wrong[0]!r}")
        return array.astype(np.float64, copy=False)
    except Exception as error:  # an object of the user may raise anything when it is converted
        raise SymbolicError(f"function '{function}': input '{item.name}' must be numbers; {error}") from None


def _checked(function: str, item: Input, value: Any) -> Floats:
    array = _numbers(function, item, value)
    if array.shape != item.shape and not (item.shape == () and array.size == 1):
        raise SymbolicError(
            f"function '{function}': input '{item.name}' must have the shape {item.shape}, got {array.shape}"
        )
    return array.reshape(-1)


def _pointers(arrays: Sequence[Floats]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))


def _pattern(output: Output) -> Pattern | None:
    """Rows of the entries and starts of the columns of a sparse output."""
    if output.sparse_rows is None:
        return None
    return np.array(output.sparse_rows, dtype=np.int32), np.array(output.sparse_indptr, dtype=np.int32)


def _shaped(output: Output, pattern: Pattern | None, values: Floats) -> Any:
    if pattern is not None:
        # Copies, because SciPy changes them in place, as in eliminate_zeros().
        rows, indptr = pattern[0].copy(), pattern[1].copy()
        return csc_array(values, rows, indptr, (output.shape[0], output.shape[1]))
    return values.reshape(output.shape) if output.shape else float(values[0])
