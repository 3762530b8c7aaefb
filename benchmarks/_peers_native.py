"""Machine code behind the interfaces of other packages: C functions by address, and IDA driven through its C interface.

Other packages want a right-hand side, a residual or a Jacobian as a C function with arguments of their own kind.  A few
lines of C, compiled with gcc, pass these arguments on to what :func:`dalembert.symbolic.compile` made, so that the
packages spend no time in Python or in slow model functions.  The shared libraries of SUNDIALS are those of the
scikit-sundae package; its Python interface calls a Python function for every residual, the C interface does not.
"""

from __future__ import annotations

import atexit
import ctypes
import shutil
import tempfile
from collections.abc import Callable
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
int band(double t, double cj, void *y, void *yp, void *r, void *J, void *data, void *a, void *b, void *c) {
    return plain_3(&cj, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), SUNBandMatrix_Data(J));
}
"""


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="peers")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


class Native:
    """A compiled function, reached by C functions of several signatures."""

    _number = 0

    def __init__(self, function: Any, *, sundials: bool = False) -> None:
        """``function`` has ``address`` and ``work_size`` like a :class:`dalembert.symbolic.CompiledFunction`."""
        Native._number += 1  # a library of its own for each, since its variables are static
        source = _folder() / f"shim{Native._number}.c"
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
class IdaRun:
    """What IDA came to."""

    y: np.ndarray
    steps: int
    evaluations: int
    jacobians: int
    flag: int


_POINTER, _REAL, _INT = ctypes.c_void_p, ctypes.c_double, ctypes.c_int
_LONG = ctypes.c_long


class Ida:
    """IDA with functions in machine code and the dense or banded solver of SUNDIALS."""

    def __init__(self, residual: int, jacobian: int, size: int, band: tuple[int, int] | None = None) -> None:
        """``residual`` and ``jacobian`` are addresses; ``band`` are the diagonals above and below."""
        libraries = sundials_libraries()
        self._ida, self._core = libraries["sundials_ida"], libraries["sundials_core"]
        self._residual, self._jacobian, self._size, self._band = residual, jacobian, size, band
        vectors = libraries["sundials_nvecserial"]
        self._new = _declared(vectors.N_VNew_Serial, _POINTER, _INT, _POINTER)
        self._data = _declared(self._core.N_VGetArrayPointer, _POINTER, _POINTER)
        if band is None:
            self._matrix = _declared(
                libraries["sundials_sunmatrixdense"].SUNDenseMatrix, _POINTER, _INT, _INT, _POINTER
            )
            self._solver = _declared(
                libraries["sundials_sunlinsoldense"].SUNLinSol_Dense, _POINTER, _POINTER, _POINTER, _POINTER
            )
        else:
            self._matrix = _declared(
                libraries["sundials_sunmatrixband"].SUNBandMatrix, _POINTER, _INT, _INT, _INT, _POINTER
            )
            self._solver = _declared(
                libraries["sundials_sunlinsolband"].SUNLinSol_Band, _POINTER, _POINTER, _POINTER, _POINTER
            )

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
        watch: Callable[[np.ndarray], None] | None = None,
    ) -> IdaRun:
        """Integrate; ``algebraic`` unknowns (a mask) stay out of the error test; ``watch`` sees y after each step."""
        ida, core = self._ida, self._core
        context, memory = _POINTER(), _POINTER()
        _checked(core.SUNContext_Create(_INT(0), ctypes.byref(context)))
        core.SUNContext_ClearErrHandlers(context)  # what goes wrong is told by the flag
        vectors = []

        def vector(values: Any) -> Any:
            made = self._new(self._size, context)
            vectors.append(made)
            self._view(made)[:] = values
            return made

        yy, ydot = vector(y), vector(yp)
        sizes = (self._size, self._size) if self._band is None else (self._size, *self._band)
        A = self._matrix(*sizes, context)
        linear = self._solver(yy, A, context)
        memory = _POINTER(_declared(ida.IDACreate, _POINTER, _POINTER)(context))
        try:
            _checked(
                _declared(ida.IDAInit, _INT, _POINTER, _POINTER, _REAL, _POINTER, _POINTER)(
                    memory, self._residual, span[0], yy, ydot
                )
            )
            _checked(_declared(ida.IDASVtolerances, _INT, _POINTER, _REAL, _POINTER)(memory, rtol, vector(atol)))
            _checked(_declared(ida.IDASetLinearSolver, _INT, _POINTER, _POINTER, _POINTER)(memory, linear, A))
            _checked(_declared(ida.IDASetJacFn, _INT, _POINTER, _POINTER)(memory, self._jacobian))
            _checked(_declared(ida.IDASetMaxOrd, _INT, _POINTER, _INT)(memory, order))
            _checked(_declared(ida.IDASetMaxNumSteps, _INT, _POINTER, _LONG)(memory, 10_000_000))
            _checked(_declared(ida.IDASetStopTime, _INT, _POINTER, _REAL)(memory, span[1]))
            if algebraic is not None:
                _checked(
                    _declared(ida.IDASetId, _INT, _POINTER, _POINTER)(memory, vector(np.where(algebraic, 0.0, 1.0)))
                )
                _checked(_declared(ida.IDASetSuppressAlg, _INT, _POINTER, _INT)(memory, 1))
            advance = _declared(ida.IDASolve, _INT, _POINTER, _REAL, _POINTER, _POINTER, _POINTER, _INT)
            reached = _REAL()
            normal, one_step = 1, 2
            while True:
                flag = advance(memory, span[1], ctypes.byref(reached), yy, ydot, normal if watch is None else one_step)
                if watch is not None:
                    watch(self._view(yy))
                if watch is None or flag != 0 or reached.value >= span[1]:
                    break
            return IdaRun(
                y=self._view(yy).copy(),
                steps=self._count("IDAGetNumSteps", memory),
                evaluations=self._count("IDAGetNumResEvals", memory),
                jacobians=self._count("IDAGetNumJacEvals", memory),
                flag=flag,
            )
        finally:
            ida.IDAFree(ctypes.byref(memory))
            core.SUNLinSolFree(_POINTER(linear))
            core.SUNMatDestroy(_POINTER(A))
            for item in vectors:
                core.N_VDestroy(_POINTER(item))
            core.SUNContext_Free(ctypes.byref(context))

    def _view(self, vector: Any) -> np.ndarray:
        values = ctypes.cast(self._data(vector), ctypes.POINTER(_REAL))
        return np.ctypeslib.as_array(values, (self._size,))

    def _count(self, name: str, memory: Any) -> int:
        number = _LONG()
        _declared(getattr(self._ida, name), _INT, _POINTER, _POINTER)(memory, ctypes.byref(number))
        return number.value


def _declared(function: Any, result: Any, *arguments: Any) -> Any:
    function.restype = result
    function.argtypes = arguments
    return function


def _checked(flag: int) -> None:
    if flag < 0:
        raise RuntimeError(f"IDA could not be set up: {flag}")
