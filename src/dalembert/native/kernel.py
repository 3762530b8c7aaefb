"""Kernels: plain Python functions on the arrays of a run, compiled by Numba, kept as object code.

All kernels have one signature, ``int64 kernel(int64 *table, int64 *ints, double *reals)``; :class:`Run` gives the three
arrays names.  They allocate nothing, raise nothing (an int says how it ended) and reach models and each other through
the addresses in ``table``.  So one compilation serves all models, and its object code, found on disk, runs without
Numba being imported.

The functions that a kernel calls stay plain Python too.  When a kernel is compiled, they are compiled with it: every
global of the function that is marked by :func:`compiled` is replaced by its compiled twin.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from dalembert.errors import MissingExtraError
from dalembert.native import cache, recipes, shipped
from dalembert.native.recipes import MARK, Pointer
from dalembert.native.slots import Complexes, Ints, Reals, Run, address_of

if TYPE_CHECKING:
    from dalembert.native.compiler import Translation

__all__ = [
    "Complexes",
    "Entry",
    "Ints",
    "Kernel",
    "Pointer",
    "Reals",
    "Run",
    "as_complex",
    "call_clock",
    "call_entry",
    "call_getrf",
    "call_getrs",
    "call_kernel",
    "call_lanes",
    "call_run",
    "call_sleep",
    "compiled",
    "entry",
    "flush_subnormals",
    "ints_at",
    "kernel",
    "kind_of_run",
    "reals_at",
    "reassociated",
    "restore_mode",
    "view",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_WORD, _REAL = np.dtype(np.int64), np.dtype(np.float64)
#: Where Numba's options stand: no error model that raises, and sums in the order in which they are written.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False}
_REASSOCIATE: dict[str, Any] = {"error_model": "numpy", "fastmath": {"reassoc", "nsz"}}
#: Held by the thread that compiles or loads a kernel.
_LOADING = threading.RLock()
#: Seconds after which a compilation is announced on the terminal.
_PATIENCE = 1.0


def compiled(function: _Function) -> _Function:
    """Mark a function as part of kernels; it remains a Python function."""
    setattr(function, MARK, OPTIONS)
    return function


def reassociated(function: _Function) -> _Function:
    """Mark a function as part of kernels whose sums the compiler may reorder, for inner loops (dot products then use
    vector registers).

    The order is fixed at compilation, so that results are still the same bit for bit from run to run.
    """
    setattr(function, MARK, _REASSOCIATE)
    return function


#: Makes of a function, and of what translates functions, the entry that is called from outside, and its signature.
Wrap = Callable[[Callable[..., int], Callable[..., Any]], tuple[Callable[..., Any], Any]]


class Entry:
    """A compiled function that is called through its address; compiled, or loaded from the cache, when that is first
    asked for."""

    def __init__(self, function: Callable[..., int], wrap: Wrap) -> None:
        self.__doc__ = function.__doc__
        self.function = function
        self._wrap = wrap
        self._address = 0

    @property
    def address(self) -> int:
        """Good as long as the process lives: kernels are module-level objects."""
        if not self._address:
            with _LOADING:
                if not self._address:
                    self._load()
        return self._address

    def _load(self) -> None:
        name, code = shipped.load(self.name, self.recipe) or self._cached()
        self._address = _engine(code).get_function_address(name)

    def _cached(self) -> tuple[str, bytes]:
        """Name of the entry and object code, from the cache or compiled for it."""
        key = _key(self.recipe())
        found = cache.load(key)
        if found is not None:
            return found[0]["name"], found[1]
        name, code = _announced(self.compile)
        cache.store(key, {"name": name}, code)
        return name, code

    @property
    def name(self) -> str:
        """By which the package knows it."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def recipe(self) -> str:
        """Fingerprint of all that it is made of."""
        return recipes.recipe(self.function, self._wrap)

    def compile(self) -> tuple[str, bytes]:
        """Name of the entry and object code for this processor."""
        if importlib.util.find_spec("numba") is None:
            raise MissingExtraError(f"compiling '{self.name}' for this processor", "numba", "numba")
        from dalembert.native import compiler

        features = llvm.get_host_cpu_features().flatten()
        machine = compiler.machine_of(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)
        translation = self.translate()
        return translation.entry, compiler.object_code([translation], machine)

    def translate(self) -> Translation:
        """The kernel in LLVM's language, which serves all processors."""
        from dalembert.native import compiler

        return compiler.translated(self.function, self._wrap)


def _announced(compile: Callable[[], tuple[str, bytes]]) -> tuple[str, bytes]:
    """Compile, and say so where that takes long: whoever waits shall know why."""
    waiting = threading.Timer(_PATIENCE, _tell)
    waiting.daemon = True
    waiting.start()
    try:
        return compile()
    finally:
        waiting.cancel()


@functools.cache
def _tell() -> None:
    if sys.stderr.isatty() and not os.environ.get("DALEMBERT_QUIET"):
        print("dalembert: compiling the integrator, once per installation …", file=sys.stderr, flush=True)


class Kernel(Entry):
    """A compiled function of a run."""

    @functools.cached_property
    def kind(self) -> type[Run]:
        """The kind of run that it works on."""
        return kind_of_run(self.function)

    def __call__(self, run: Run) -> int:
        if not isinstance(run, self.kind):
            raise TypeError(f"the kernel works on {self.kind.__name__}, not on {type(run).__name__}")
        if not (len(run.table) == run.ints[0] and len(run.ints) == run.ints[1] and len(run.reals) == run.ints[2]):
            raise ValueError("the arrays of the run do not have the lengths that it states")
        for array, kind in ((run.table, _WORD), (run.ints, _WORD), (run.reals, _REAL)):
            if array.dtype != kind or not array.flags.c_contiguous:
                raise ValueError(f"an array of the run is not contiguous or not of type {kind}")
        return int(self._start(address_of(run.table), address_of(run.ints), address_of(run.reals)))

    @functools.cached_property
    def _start(self) -> Callable[[int, int, int], int]:
        """The function as Python calls it."""
        start: Callable[[int, int, int], int] = _PROTOTYPE(self.address)
        return start


def kernel(function: Callable[[Any], int]) -> Kernel:
    """Decorator for functions ``f(run) -> int`` that are called through their address."""
    return Kernel(function, _on_run)


def entry(function: Callable[[int, int, Ints, Ints, Ints], int]) -> Entry:
    """Decorator for functions with the calling convention of compiled equations: ``f(request, changed, inputs, outputs,
    work)``.

    ``inputs`` and ``outputs`` are tables of addresses; ``work`` is a table of words.  None of them knows its length.
    """
    return Entry(function, _as_equations)


# ------------------------------------------------------------------------------------------------------------ compiling


def _on_run(function: Callable[[Run], int], jitted: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    """The entry ``int64 kernel(int64 *table, int64 *ints, double *reals)`` of a function of a run."""
    from numba import types

    from dalembert.native.pointers import RunType, run_maker

    body, make = jitted(function), run_maker(RunType(kind_of_run(function)))

    def entry(table: Any, ints: Any, reals: Any) -> int:
        return body(make(table, ints, reals))

    pointers = types.CPointer(types.int64), types.CPointer(types.int64), types.CPointer(types.float64)
    return entry, types.int64(*pointers)


def _as_equations(function: Callable[..., int], jitted: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    """An entry with the calling convention of compiled equations."""
    import numba
    from numba import types

    body = jitted(function)
    carray: Any = numba.carray  # type: ignore[attr-defined]

    def start(request: int, changed: int, inputs: Any, outputs: Any, work: Any) -> int:
        # The lengths are not known, and nobody asks for them.
        return body(request, changed, carray(inputs, (64,)), carray(outputs, (64,)), carray(work, (64,)))

    words = types.CPointer(types.int64)
    return start, types.int32(types.int64, types.int64, words, words, words)


def kind_of_run(function: Any) -> type[Run]:
    """The class of the run that a kernel takes, from its annotation."""
    name = function.__annotations__[function.__code__.co_varnames[0]]
    found = _global(function, name)
    if not (isinstance(found, type) and issubclass(found, Run)):
        raise TypeError(f"kernel '{function.__name__}' takes a run, not '{name}'")
    return found


def _global(function: Any, name: Any) -> Any:
    """What an annotation, a name or the thing itself, stands for where the function is written."""
    return function.__globals__.get(name) if isinstance(name, str) else name


def _named(annotation: Any) -> Any:
    """The name of an annotation that is no name, as where annotations are evaluated at once."""
    for name, meant in (("Reals", Reals), ("Ints", Ints), ("Complexes", Complexes), ("None", None)):
        if annotation is meant:
            return name
    return annotation.__name__ if annotation in (int, float, bool) else annotation


def signature_of(function: Any) -> Any:
    """Numba's signature from the annotations; None where one of them is Any, for functions of several types.

    With it a function is compiled once; without it, once for each constant that it is called with.
    """
    from numba import types

    from dalembert.native.pointers import RunType

    def vector(kind: Any) -> Any:
        return types.Array(kind, 1, "C")

    known = {
        "Reals": vector(types.float64), "Ints": vector(types.int64), "Complexes": vector(types.complex128),
        "int": types.int64, "float": types.float64, "bool": types.boolean, "None": types.none,
    }  # fmt: skip
    names = [*function.__code__.co_varnames[: function.__code__.co_argcount], "return"]
    found = []
    for name in names:
        annotation = _named(function.__annotations__.get(name, ""))
        if annotation in known:
            found.append(known[annotation])
        elif isinstance(kind := _global(function, annotation), type) and issubclass(kind, Run):
            found.append(RunType(kind))
        else:
            return None
    return found[-1](*found[:-1])


call_entry = Pointer("call_entry")
call_kernel = Pointer("call_kernel")
call_clock = Pointer("call_clock")
call_sleep = Pointer("call_sleep")
call_getrf = Pointer("call_getrf")
call_getrs = Pointer("call_getrs")
call_lanes = Pointer("call_lanes")
call_run = Pointer("call_run")
flush_subnormals = Pointer("flush_subnormals")
restore_mode = Pointer("restore_mode")
reals_at = Pointer("reals_at")
ints_at = Pointer("ints_at")
as_complex = Pointer("as_complex", lambda array: array.view(np.complex128))
view = Pointer("view", lambda array, start, size: array[start : start + size])


# -------------------------------------------------------------------------------------------------------------- loading


def _target_machine() -> Any:
    """A new one each time: the engine that takes it owns it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True)


@functools.cache
def _engine(code: bytes) -> Any:
    """What holds the machine code of a unit, as long as the process lives; kernels of one unit share it."""
    _bind_error_paths()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


#: What the error paths of Numba's code refer to. Kernels have none that are ever taken.
ERROR_PATHS = (
    "NRT_Free", "numba_do_raise", "numba_gil_ensure", "numba_gil_release", "numba_runtime_build_excinfo_struct",
    "numba_unpickle",
)  # fmt: skip


@functools.cache
def _bind_error_paths() -> None:
    abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for name in ERROR_PATHS:
        if not llvm.address_of_symbol(name):  # Numba, if it is there, has real ones, or will put them in place of these
            llvm.add_symbol(name, abort)


def _key(recipe: str) -> str:
    """Fingerprint of a kernel's sources, LLVM, the processor, and Numba's version."""
    from importlib import metadata  # only here: it takes as long as a tenth of NumPy

    try:
        version = metadata.version("numba")
    except metadata.PackageNotFoundError:
        version = "none"
    features = llvm.get_host_cpu_features().flatten()
    parts = (recipe, version, llvmlite.__version__, llvm.get_host_cpu_name(), features, sys.byteorder)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
