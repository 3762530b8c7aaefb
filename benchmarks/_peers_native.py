"""Machine code behind the interfaces of other packages: C functions by address, and IDA and CVODE driven through their
C interface.

Other packages want a right-hand side, a residual or a Jacobian as a C function with arguments of their own kind.  A few
lines of C, compiled with gcc, pass these arguments on to what :func:`dalembert.symbolic.compile` made, so that the
packages spend no time in Python or in slow model functions.  The shared libraries of SUNDIALS are those of the
scikit-sundae package; its Python interface calls a Python function for every residual, the C interface does not.
"""

from __future__ import annotations

import abc
import atexit
import ctypes
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import dalembert.symbolic as sym
from _baselines import gcc
from _peers_model import Functions

ATOMS = Functions(sym.sin, sym.cos, sym.sqrt)

_SHIM = r"""
#include <stdint.h>
#include <string.h>
typedef int (*Entry)(int64_t, int64_t, const double *const *, double *const *, double *);
static Entry entry;
static double *work;
static long calls;

void set_up(Entry function, double *workspace) { entry = function; work = workspace; calls = 0; }
long count(void) { return calls; }
void forget(void) { calls = 0; }

/* One, two and three inputs, as plain arrays. */
int plain_1(const double *a, double *result) {
    const double *in[] = {a};
    double *out[] = {result};
    ++calls;
    return entry(0, 0, in, out, work);
}
int plain_2(const double *a, const double *b, double *result) {
    const double *in[] = {a, b};
    double *out[] = {result};
    ++calls;
    return entry(0, 0, in, out, work);
}
int plain_3(const double *a, const double *b, const double *c, double *result) {
    const double *in[] = {a, b, c};
    double *out[] = {result};
    ++calls;
    return entry(0, 0, in, out, work);
}
/* CyRK. */
void derivative(double *dy, double t, const double *y, const char *arguments) { plain_1(y, dy); }
"""

_SUNDIALS = r"""
/* IDA: residual, and Jacobian into the one array of values of a dense or banded matrix. */
extern double *N_VGetArrayPointer(void *);
extern double *SUNDenseMatrix_Data(void *);
extern double *SUNBandMatrix_Data(void *);
int residual(double t, void *y, void *yp, void *result, void *data) {
    return plain_2(N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(result));
}
int jacobian(double t, double cj, void *y, void *yp, void *r, void *J, void *data, void *a, void *b, void *c) {
    return plain_3(&cj, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), SUNDenseMatrix_Data(J));
}
/* CVODE: right-hand side, and its Jacobian as a dense matrix. */
int rate(double t, void *y, void *dy, void *data) {
    return plain_1(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
}
int rate_jacobian(double t, void *y, void *dy, void *J, void *data, void *a, void *b, void *c) {
    return plain_1(N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
}
int band(double t, double cj, void *y, void *yp, void *r, void *J, void *data, void *a, void *b, void *c) {
    return plain_3(&cj, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), SUNBandMatrix_Data(J));
}
"""


@cache
def folder() -> Path:
    """Where libraries are made; removed at the end."""
    made = tempfile.mkdtemp(prefix="peers")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


class Native:
    """A compiled function, reached by C functions of several signatures."""

    _number = 0

    def __init__(self, function: Any, *, sundials: bool = False) -> None:
        """``function`` has ``address`` and ``work_size`` like a :class:`dalembert.symbolic.CompiledFunction`."""
        Native._number += 1  # a library of its own for each, since its variables are static
        source = folder() / f"shim{Native._number}.c"
        source.write_text(_SHIM + (_SUNDIALS if sundials else ""))
        gcc(source, source.with_suffix(".so"), "-O2")
        if sundials:
            sundials_libraries()
        self.function = function
        self._work = np.zeros(max(function.work_size, 1))
        self.library = ctypes.CDLL(str(source.with_suffix(".so")))
        self.library.count.restype = ctypes.c_long
        self.library.set_up(ctypes.c_void_p(function.address), ctypes.c_void_p(self._work.ctypes.data))

    def address(self, name: str) -> int:
        """Of one of the C functions."""
        return ctypes.cast(getattr(self.library, name), ctypes.c_void_p).value or 0

    def plain(self, inputs: int) -> Any:
        """The function of so many arrays and the result, for a call from numba."""
        function = getattr(self.library, f"plain_{inputs}")
        function.argtypes = [ctypes.c_void_p] * (inputs + 1)
        function.restype = ctypes.c_int
        return function

    @property
    def calls(self) -> int:
        """How often it was called since :meth:`forget`."""
        return int(self.library.count())

    def forget(self) -> None:
        """Count from zero."""
        self.library.forget()


def compile_derivative(right: Callable[..., list[Any]], size: int, **options: Any) -> Native:
    """ẏ = right(y, functions) in machine code."""
    y = sym.Graph().variables("y", size)
    function = sym.compile(sym.array(right(list(y), ATOMS)), {"y": y}, name="derivative")
    return Native(function, **options)


def compile_residual(residual: Callable[..., list[Any]], size: int, **options: Any) -> tuple[Native, Native]:
    """F(y, ẏ) = residual(y, ẏ, functions), and ∂F/∂y + cj ∂F/∂ẏ by columns, in machine code."""
    graph = sym.Graph()
    y, yp, cj = graph.variables("y", size), graph.variables("yp", size), graph.variable("cj")
    F = sym.array(residual(list(y), list(yp), ATOMS))
    J = sym.jacobian(F, y) + cj * sym.jacobian(F, yp)
    inputs = {"y": y, "yp": yp}
    return (
        Native(sym.compile(F, inputs, name="residual"), **options),
        Native(sym.compile(J.T, {"cj": cj, **inputs}, name="jacobian"), **options),
    )


# ------------------------------------------------------------------------------------------ SUNDIALS


@cache
def sundials_libraries() -> dict[str, ctypes.CDLL]:
    """The shared libraries of SUNDIALS inside scikit-sundae, by their short names."""
    import sksundae

    folder = Path(sksundae.__file__).parent.parent / "scikit_sundae.libs"
    found = {}
    waiting = sorted(folder.glob("*.so*"))
    while waiting:  # they need each other, so load what can be loaded
        failed = []
        for path in waiting:
            try:
                found[path.name.split("-")[0].removeprefix("lib")] = ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
            except OSError:
                failed.append(path)
        if len(failed) == len(waiting):
            raise OSError(f"cannot load {failed[0]}")
        waiting = failed
    return found


@dataclass(frozen=True)
class SundialsRun:
    """What an integrator of SUNDIALS came to."""

    y: np.ndarray
    steps: int
    evaluations: int
    jacobians: int
    flag: int
    states: np.ndarray  # y at the instants that were asked for, by rows
    seconds: float  # CPU time of the integration alone, without memory that is taken and given back


_POINTER, _REAL, _INT = ctypes.c_void_p, ctypes.c_double, ctypes.c_int
_LONG = ctypes.c_long


class _Sundials(abc.ABC):
    """An integrator of SUNDIALS with functions in machine code, and a dense or banded linear solver."""

    name = ""  # of its functions
    code: Any = None  # whatever must live as long as the solver

    def __init__(self, size: int, band: tuple[int, int] | None = None, lapack: bool = False) -> None:
        """``band`` are the diagonals above and below; ``lapack``: dense matrices are factorised by LAPACK, which is
        faster for more than some ten unknowns."""
        libraries = sundials_libraries()
        self._core, self._size, self._band = libraries["sundials_core"], size, band
        self._library = libraries[f"sundials_{self.name.lower()}"]
        self._new = _declared(libraries["sundials_nvecserial"].N_VNew_Serial, _POINTER, _INT, _POINTER)
        self._data = _declared(self._core.N_VGetArrayPointer, _POINTER, _POINTER)
        matrices, solvers = "dense", "lapackdense" if lapack else "dense"
        kind, solver, places = "Dense", "LapackDense" if lapack else "Dense", (_INT, _INT)
        if band is not None:
            matrices, solvers, kind, solver, places = "band", "band", "Band", "Band", (_INT, _INT, _INT)
        self._matrix = _declared(
            getattr(libraries[f"sundials_sunmatrix{matrices}"], f"SUN{kind}Matrix"), _POINTER, *places, _POINTER
        )
        self._solver = _declared(
            getattr(libraries[f"sundials_sunlinsol{solvers}"], f"SUNLinSol_{solver}"),
            _POINTER, _POINTER, _POINTER, _POINTER,
        )  # fmt: skip

    def _set(self, name: str, memory: Any, *arguments: tuple[Any, Any]) -> None:
        """Call a function that says by a flag whether all is well; arguments with their types."""
        function = _declared(getattr(self._library, f"{self.name}{name}"), _INT, _POINTER, *(k for k, _ in arguments))
        flag = function(memory, *(value for _, value in arguments))
        if flag < 0:
            raise RuntimeError(f"{self.name}{name} returned {flag}")

    def _view(self, vector: Any) -> np.ndarray:
        values = ctypes.cast(self._data(vector), ctypes.POINTER(_REAL))
        return np.ctypeslib.as_array(values, (self._size,))

    def _count(self, name: str, memory: Any) -> int:
        number = _LONG()
        self._set(f"GetNum{name}", memory, (_POINTER, ctypes.byref(number)))
        return number.value

    def _run(
        self,
        span: tuple[float, float],
        starts: Sequence[np.ndarray],
        create: Callable[[Any, Callable[[Any], Any], Sequence[Any]], Any],
        *,
        rtol: float,
        atol: float | np.ndarray,
        jacobian: int,
        order: int,
        max_step: float,
        instants: Sequence[float],
        watch: Callable[[np.ndarray], None] | None,
        evaluations: str,
    ) -> SundialsRun:
        """``create`` makes the memory from a context, a maker of vectors and the vectors of the start."""
        core = self._core
        context, memory = _POINTER(), _POINTER()
        if core.SUNContext_Create(_INT(0), ctypes.byref(context)) < 0:
            raise RuntimeError("SUNDIALS has no context")
        core.SUNContext_ClearErrHandlers(context)  # what goes wrong is told by the flag
        vectors: list[Any] = []

        def vector(values: Any) -> Any:
            made = self._new(self._size, context)
            vectors.append(made)
            self._view(made)[:] = values
            return made

        state = [vector(values) for values in starts]
        sizes = (self._size, self._size) if self._band is None else (self._size, *self._band)
        A = self._matrix(*sizes, context)
        linear = self._solver(state[0], A, context)
        try:
            memory = _POINTER(create(context, vector, state))
            self._set("SVtolerances", memory, (_REAL, rtol), (_POINTER, vector(atol)))
            self._set("SetLinearSolver", memory, (_POINTER, linear), (_POINTER, A))
            if jacobian:
                self._set("SetJacFn", memory, (_POINTER, jacobian))
            self._set("SetMaxOrd", memory, (_INT, order))
            self._set("SetMaxNumSteps", memory, (_LONG, 10_000_000))
            self._set("SetStopTime", memory, (_REAL, span[1]))
            if max_step < np.inf:
                self._set("SetMaxStep", memory, (_REAL, max_step))
            advance = self._advance(memory, state)
            normal, one_step = 1, 2
            reached = _REAL()
            states, flag = [], 0
            begun = time.process_time()
            if watch is None:
                for t in instants or span[1:]:
                    flag = advance(t, ctypes.byref(reached), normal)
                    if flag < 0:
                        break
                    states.append(self._view(state[0]).copy())
            else:
                while flag == 0 and reached.value < span[1]:
                    flag = advance(span[1], ctypes.byref(reached), one_step)
                    watch(self._view(state[0]))
            seconds = time.process_time() - begun
            return SundialsRun(
                y=self._view(state[0]).copy(),
                steps=self._count("Steps", memory),
                evaluations=self._count(evaluations, memory),
                jacobians=self._count("JacEvals", memory),
                flag=flag,
                states=np.array(states),
                seconds=seconds,
            )
        finally:
            getattr(self._library, f"{self.name}Free")(ctypes.byref(memory))
            core.SUNLinSolFree(_POINTER(linear))
            core.SUNMatDestroy(_POINTER(A))
            for item in vectors:
                core.N_VDestroy(_POINTER(item))
            core.SUNContext_Free(ctypes.byref(context))

    @abc.abstractmethod
    def _advance(self, memory: Any, state: Sequence[Any]) -> Callable[[float, Any, int], int]:
        """A function that goes on to an instant."""


class Ida(_Sundials):
    """IDA: BDF on F(t, y, ẏ) = 0."""

    name = "IDA"

    def __init__(
        self, residual: int, jacobian: int, size: int, band: tuple[int, int] | None = None, lapack: bool = False
    ) -> None:
        """``residual`` and ``jacobian`` are addresses."""
        super().__init__(size, band, lapack)
        self._residual, self._jacobian = residual, jacobian

    def solve(
        self,
        span: tuple[float, float],
        y: np.ndarray,
        yp: np.ndarray,
        *,
        rtol: float,
        atol: float | np.ndarray,
        order: int = 5,
        algebraic: np.ndarray | None = None,
        max_step: float = np.inf,
        instants: Sequence[float] = (),
        watch: Callable[[np.ndarray], None] | None = None,
    ) -> SundialsRun:
        """Integrate; ``algebraic`` unknowns (a mask) stay out of the error test; ``watch`` sees y after each step."""

        def create(context: Any, vector: Callable[[Any], Any], state: Sequence[Any]) -> Any:
            memory = _declared(self._library.IDACreate, _POINTER, _POINTER)(context)
            start = (_POINTER, self._residual), (_REAL, span[0]), (_POINTER, state[0]), (_POINTER, state[1])
            self._set("Init", memory, *start)
            if algebraic is not None:
                self._set("SetId", memory, (_POINTER, vector(np.where(algebraic, 0.0, 1.0))))
                self._set("SetSuppressAlg", memory, (_INT, 1))
            return memory

        return self._run(
            span, (y, yp), create, rtol=rtol, atol=atol, jacobian=self._jacobian, order=order, max_step=max_step,
            instants=instants, watch=watch, evaluations="ResEvals",
        )  # fmt: skip

    def _advance(self, memory: Any, state: Sequence[Any]) -> Callable[[float, Any, int], int]:
        solve = _declared(self._library.IDASolve, _INT, _POINTER, _REAL, _POINTER, _POINTER, _POINTER, _INT)
        return lambda t, reached, task: int(solve(memory, t, reached, state[0], state[1], task))


class Cvode(_Sundials):
    """CVODE: BDF on ẏ = f(t, y)."""

    name = "CVode"

    def __init__(self, rate: int, jacobian: int, size: int, lapack: bool = False) -> None:
        """``rate`` and ``jacobian`` are addresses; without a Jacobian (0) it takes differences."""
        super().__init__(size, lapack=lapack)
        self._rate, self._jacobian = rate, jacobian

    def solve(
        self,
        span: tuple[float, float],
        y: np.ndarray,
        *,
        rtol: float,
        atol: float | np.ndarray,
        order: int = 5,
        max_step: float = np.inf,
        instants: Sequence[float] = (),
    ) -> SundialsRun:
        """Integrate."""

        def create(context: Any, vector: Callable[[Any], Any], state: Sequence[Any]) -> Any:
            bdf = 2
            memory = _declared(self._library.CVodeCreate, _POINTER, _INT, _POINTER)(bdf, context)
            self._set("Init", memory, (_POINTER, self._rate), (_REAL, span[0]), (_POINTER, state[0]))
            return memory

        return self._run(
            span, (y,), create, rtol=rtol, atol=atol, jacobian=self._jacobian, order=order, max_step=max_step,
            instants=instants, watch=None, evaluations="RhsEvals",
        )  # fmt: skip

    def _advance(self, memory: Any, state: Sequence[Any]) -> Callable[[float, Any, int], int]:
        solve = _declared(self._library.CVode, _INT, _POINTER, _REAL, _POINTER, _POINTER, _INT)
        return lambda t, reached, task: int(solve(memory, t, state[0], reached, task))


def _declared(function: Any, result: Any, *arguments: Any) -> Any:
    function.restype = result
    function.argtypes = arguments
    return function
