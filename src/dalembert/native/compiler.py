"""From the Python functions of kernels to object code: Numba translates each function once, LLVM compiles each kernel
once.

Left to itself, Numba optimises a function and makes machine code of it again for each function that calls it, directly
or not; that took three quarters of the time.  Here its libraries keep the text of one function each.  A kernel links
the texts that it reaches, and only the result is optimised and becomes machine code, for any processor of the family
that is named: the same translation serves all.

Only imported while a kernel is compiled: this module needs Numba, the machine code that comes out of it does not.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import codegen, cpu
from numba.core.registry import CPUDispatcher, CPUTarget, cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.runtime.nrt import rtsys
from numba.core.typing.context import Context

from dalembert.native import recipes
from dalembert.native.kernel import ERROR_PATHS, OPTIONS, signature_of
from dalembert.native.recipes import MARK, Pointer

#: Two functions that :mod:`dalembert.native.pointers` calls, by family, on the control register of the floating-point
#: unit: subnormal results and arguments count as zero with FTZ and DAZ of MXCSR, with FZ of FPCR.
_MODES = {
    "x86_64": """
        declare void @llvm.x86.sse.stmxcsr(ptr)
        declare void @llvm.x86.sse.ldmxcsr(ptr)

        define i64 @dalembert_flush_subnormals() alwaysinline {
            %slot = alloca i32
            call void @llvm.x86.sse.stmxcsr(ptr %slot)
            %before = load i32, ptr %slot
            %flushing = or i32 %before, 32832
            store i32 %flushing, ptr %slot
            call void @llvm.x86.sse.ldmxcsr(ptr %slot)
            %mode = zext i32 %before to i64
            ret i64 %mode
        }

        define void @dalembert_restore_mode(i64 %mode) alwaysinline {
            %slot = alloca i32
            %before = trunc i64 %mode to i32
            store i32 %before, ptr %slot
            call void @llvm.x86.sse.ldmxcsr(ptr %slot)
            ret void
        }
    """,
    "aarch64": """
        declare i64 @llvm.aarch64.get.fpcr()
        declare void @llvm.aarch64.set.fpcr(i64)

        define i64 @dalembert_flush_subnormals() alwaysinline {
            %before = call i64 @llvm.aarch64.get.fpcr()
            %flushing = or i64 %before, 16777216
            call void @llvm.aarch64.set.fpcr(i64 %flushing)
            ret i64 %before
        }

        define void @dalembert_restore_mode(i64 %mode) alwaysinline {
            call void @llvm.aarch64.set.fpcr(i64 %mode)
            ret void
        }
    """,
}
#: Families that are not known here keep their mode.
_NO_MODES = """
    define i64 @dalembert_flush_subnormals() alwaysinline {
        ret i64 0
    }

    define void @dalembert_restore_mode(i64 %mode) alwaysinline {
        ret void
    }
"""


class Translation(NamedTuple):
    """A kernel in LLVM's language: its entry, and the modules of all functions that it reaches."""

    entry: str
    modules: tuple[bytes, ...]


# ---------------------------------------------------------------------------------------------- Numba as a translator


class _Library(codegen.AOTCodeLibrary):
    """The text of one function, as Numba writes it, and the libraries of the functions that it calls."""

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self._modules: list[bytes] = []

    def add_linking_library(self, library: Any) -> None:
        if library is not rtsys.library:  # of counts of references, which kernels have not
            self._linking_libraries.append(library)

    def add_llvm_module(self, module: Any) -> None:
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "weak_odr"  # whoever calls it, it is linked once
        self._modules.append(module.as_bitcode())

    def finalize(self) -> None:
        self._finalized = True  # nothing is optimised, no machine code is made

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # nobody calls it from Python

    def _get_module_for_linking(self) -> Any:
        """For code outside of kernels that meets one of Numba's own functions here."""
        return _linked(self.modules())

    def modules(self) -> tuple[bytes, ...]:
        """Of this function and of all that it reaches, each once."""
        libraries, waiting = {self: None}, [self]
        while waiting:
            for library in waiting.pop()._linking_libraries:
                if library not in libraries:
                    libraries[library] = None
                    waiting.append(library)
        return tuple(module for library in libraries for module in library._modules)


class _Codegen(codegen.AOTCPUCodegen):
    _library_class = _Library

    def set_env(self, name: str, env: Any) -> None:
        pass  # kernels use no Python objects


class _Uncounted(NRTContext):
    """Kernels allocate nothing, so nobody counts references."""

    def incref(self, builder: Any, kind: Any, value: Any) -> None:
        pass

    def decref(self, builder: Any, kind: Any, value: Any) -> None:
        pass


class _Context(cpu.CPUContext):
    def init(self) -> None:
        super().init()
        self._internal_codegen: Any = _Codegen("dalembert")

    @property
    def nrt(self) -> Any:
        return _Uncounted(self, self.enable_nrt)


class _Target(CPUTarget):
    """Numba's target, which is another one for a thread while it translates kernels: what is compiled for Python
    elsewhere keeps its own memory of functions."""

    @property
    def target_context(self) -> Any:
        return _thread.context or super().target_context

    @property
    def typing_context(self) -> Any:
        return _thread.context.typing_context if _thread.context else super().typing_context


class _Thread(threading.local):
    context: Any = None


_thread = _Thread()
_made: dict[Any, Any] = {}
_context: Any = None
cpu_target.__class__ = _Target


@contextlib.contextmanager
def _translating() -> Iterator[None]:
    global _context
    if _context is None:
        rtsys.initialize(cpu_target.target_context)  # by Numba's own target, whoever is the first to need it
        _context = _Context(Context(), "cpu")
    _thread.context = _context
    try:
        yield
    finally:
        _thread.context = None


def translated(function: Callable[..., Any], wrap: Callable[..., tuple[Callable[..., Any], Any]]) -> Translation:
    """A kernel, by the function that makes an entry of its own function and says the signature of the entry."""
    with _translating():
        start, signature = wrap(function, jitted)
        dispatcher = _dispatcher(start, {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": False})
        dispatcher.compile(signature)
        (made,) = dispatcher.overloads.values()
        return Translation(made.fndesc.llvm_cfunc_wrapper_name, made.library.modules())


def jitted(function: Any) -> Any:
    """The function translated, with everything marked that it calls; once per process."""
    if function in _made:
        return _made[function]
    names = {name for code in recipes.codes(function.__code__) for name in code.co_names}
    scope = dict(function.__globals__)
    for name in names & scope.keys():
        value = scope[name]
        if isinstance(value, FunctionType) and hasattr(value, MARK):
            scope[name] = jitted(value)
        elif isinstance(value, Pointer):
            scope[name] = value.intrinsic()
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    twin.__module__ = function.__module__
    # Called from kernels only, never from Python.
    options = {**getattr(function, MARK, OPTIONS), "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    _made[function] = dispatcher = _dispatcher(twin, options)
    if (signature := signature_of(function)) is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def _dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return CPUDispatcher(function, locals={}, targetoptions={"nopython": True, **options})


# ------------------------------------------------------------------------------------------------- LLVM as a compiler


def machine_of(triple: str, processor: str, features: str = "") -> Any:
    """What LLVM compiles for."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    reloc = "static" if triple.startswith("x86_64") else "default"
    return llvm.Target.from_triple(triple).create_target_machine(processor, features, 3, reloc, "jitdefault", jit=True)


def object_code(translations: Sequence[Translation], machine: Any) -> bytes:
    """Object code of kernels, which share the functions that they have in common; it must need nothing that only Numba
    has."""
    triple, entries = machine.triple, {translation.entry for translation in translations}
    modules = dict.fromkeys(module for translation in translations for module in translation.modules)
    whole = _linked((*modules, _modes(triple)))
    whole.triple, whole.data_layout = triple, str(machine.target_data)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration:
            value.linkage = "external" if value.name in entries else "internal"
    whole.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    missing = {value.name for value in (*whole.functions, *whole.global_variables) if value.is_declaration}
    if foreign := {name for name in missing if name.startswith(_OURS)} - set(ERROR_PATHS):
        raise RuntimeError(f"the kernel refers to {', '.join(sorted(foreign))}, which needs Numba at run time")
    return bytes(machine.emit_object(whole))


#: How names of what Numba and this module provide begin; others are those of the C library.
_OURS = ("numba_", "NRT_", "dalembert_", "_Z")


def _linked(modules: tuple[bytes, ...]) -> Any:
    whole, *others = (llvm.parse_bitcode(module) for module in modules)
    for other in others:
        whole.link_in(other)
    return whole


def _modes(triple: str) -> bytes:
    text = _MODES.get(triple.split("-")[0], _NO_MODES)
    code: bytes = llvm.parse_assembly(text).as_bitcode()
    return code
