"""What the symbolic engine is compared with: CasADi, SymEngine and SymPy, each on its best way to machine code.

A library derives in a process of its own, because some of them take for ever, or all of the memory, where others take a
second: it is stopped at the time limit.  What comes back is a C file with one function ``f`` in the form of CasADi's
generated code, for which gcc and one timing loop do the rest.

*CasADi*: scalar SX expressions, ``cse``, ``Function``, its own C code.
*SymEngine*, *SymPy*: expressions, ``cse``, and C code printed here, a constant per common subexpression, with products
for integer powers and quotients for negative ones; what they print by themselves calls ``pow``.

An operation is a sum, difference, product, quotient, change of sign or call of a function.  In CasADi these are the
instructions that are no input, output or number.  In expression trees a sum or product of n terms is n-1 operations,
signs are free, x**2 is one product, and 1/x in a product is the quotient that replaces a product.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.metadata
import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

#: Seconds that a library has for one derivation, and gcc for one file.
TIME_LIMIT = 120.0


@dataclass(frozen=True)
class Task:
    """What is derived: ``function(sin, cos, *arguments)`` gives a flat list of results."""

    function: Callable[..., list[Any]]  # goes to another process, so it is known by name
    arguments: dict[str, int]  # names and lengths of lists of scalars


@dataclass(frozen=True)
class Derived:
    """A C file, and what it took to get there."""

    derivation: float  # s, common subexpressions included
    generation: float  # s, from expressions to the C file
    operations: int
    work: int  # doubles of workspace that the function needs


class Failed(Exception):  # noqa: N818
    """A library or gcc gave no result; the message says why."""


def best_and_result(function: Callable[[], Any], repeats: int, budget: float) -> tuple[float, Any]:
    """Shortest time of up to ``repeats`` calls that start within ``budget`` seconds, and the last result.

    Other than ``timeit`` this leaves the garbage collector at work, as it is when a model is built.
    """
    times: list[float] = []
    result = None
    while len(times) < repeats and sum(times) < budget:
        result = None
        gc.collect()
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


# ------------------------------------------------------------- in the other process


def _casadi(task: Task, file: Path) -> Derived:
    import casadi as ca

    def derive() -> tuple[list[Any], Any]:
        arguments = [ca.SX.sym(name, size) for name, size in task.arguments.items()]
        results = task.function(ca.sin, ca.cos, *(ca.vertsplit(x) for x in arguments))
        return arguments, ca.cse(ca.vertcat(*results))

    def generate() -> Any:
        f = ca.Function("f", arguments, [results])
        code = ca.CodeGenerator(file.name)
        code.add(f)
        code.generate(f"{file.parent}{os.sep}")
        return f

    derivation, (arguments, results) = best_and_result(derive, 5, 2.0)
    generation, f = best_and_result(generate, 5, 1.0)
    no_operation = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
    operations = sum(f.instruction_id(k) not in no_operation for k in range(f.n_instructions()))
    return Derived(derivation, generation, operations, f.sz_w())


def _trees(library: Any, task: Task, file: Path, forget: Callable[[], object] = lambda: None) -> Derived:
    """SymEngine and SymPy"""

    def derive() -> tuple[list[tuple[Any, Any]], list[Any]]:
        forget()
        # The names of the symbols are what they are in C.
        arguments = [[library.Symbol(f"{name}[{i}]") for i in range(n)] for name, n in task.arguments.items()]
        results = task.function(library.sin, library.cos, *arguments)
        shared, reduced = library.cse([library.sympify(x) for x in results])
        return shared, reduced

    def generate() -> None:
        file.write_text(_c_file(list(task.arguments), shared, reduced))

    derivation, (shared, reduced) = best_and_result(derive, 5, 2.0)
    generation, _ = best_and_result(generate, 5, 1.0)
    operations = sum(count(x) for _, x in shared) + sum(count(x) for x in reduced)
    return Derived(derivation, generation, operations, 0)


def _symengine(task: Task, file: Path) -> Derived:
    import symengine

    return _trees(symengine, task, file)


def _sympy(task: Task, file: Path) -> Derived:
    import sympy
    from sympy.core.cache import clear_cache

    return _trees(sympy, task, file, forget=clear_cache)  # or it would only look up the first derivation


_DERIVE = {"casadi": _casadi, "symengine": _symengine, "sympy": _sympy}


def _serve(library: str, connection: Connection) -> None:
    importlib.import_module(library)
    connection.send("ready")
    while True:
        task, file = connection.recv()
        try:
            answer: Derived | Failed = _DERIVE[library](task, file)
        except Exception as error:
            answer = Failed(f"{type(error).__name__}: {error}")
        connection.send(answer)


class Library:
    """A library in a process that lives until it exceeds the time limit; ``with`` ends it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = f"{name} {importlib.metadata.version(name)}"
        self._process: Any = None
        self._connection: Any = None

    def derive(self, task: Task, file: Path, limit: float = TIME_LIMIT) -> Derived:
        """Run ``task`` and write it as C into ``file``."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(self.name, other), daemon=True)
            self._process.start()
            other.close()
            self._connection.recv()
        self._connection.send((task, file))
        try:
            answer = self._connection.recv() if self._connection.poll(limit) else Failed(f"stopped after {limit:g} s")
        except EOFError:
            answer = Failed("the process broke down")
        if isinstance(answer, Failed):
            self.stop()
            raise answer
        return answer

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


# ------------------------------------------------------------------ trees as C code


def _factors(x: Any) -> tuple[bool, float, list[tuple[Any, int]], list[tuple[Any, int]]]:
    """Sign, coefficient, numerator and denominator of a term; each factor is a base and a positive exponent."""
    negative, coefficient = False, 1.0
    above: list[tuple[Any, int]] = []
    below: list[tuple[Any, int]] = []
    for factor in x.args if x.is_Mul else (x,):
        if factor.is_Number:
            coefficient *= float(factor)
        elif factor.is_Pow and factor.args[1].is_Integer:
            exponent = int(factor.args[1])
            (above if exponent > 0 else below).append((factor.args[0], abs(exponent)))
        else:
            above.append((factor, 1))
    if coefficient < 0.0:
        negative, coefficient = True, -coefficient
    return negative, coefficient, above, below


def count(x: Any) -> int:
    """Operations of an expression tree, signs free."""
    if x.is_Symbol or x.is_Number:
        return 0
    if x.is_Add:
        return sum(count(term) for term in x.args) + len(x.args) - 1
    if x.is_Mul or (x.is_Pow and x.args[1].is_Integer):
        _, coefficient, above, below = _factors(x)
        inside = sum(count(base) + _multiplications(k) for base, k in above + below)
        numerators = len(above) + (coefficient != 1.0)
        return inside + max(numerators, 1) - 1 + len(below)
    return 1 + sum(count(argument) for argument in x.args)


def _multiplications(exponent: int) -> int:
    return exponent.bit_length() - 1 + exponent.bit_count() - 1


def _c_file(names: list[str], shared: Iterable[tuple[Any, Any]], results: Iterable[Any]) -> str:
    powers: set[int] = set()
    body = [f"  const double* {name} = arg[{i}];" for i, name in enumerate(names)]
    body += [f"  const double {name} = {_c(x, powers)};" for name, x in shared]
    body += [f"  r[{i}] = {_c(x, powers)};" for i, x in enumerate(results)]
    head = ["#include <math.h>"]
    needed = {k >> shift for k in powers for shift in range(k.bit_length())} - {0, 1}
    for k in sorted(needed):  # by squares
        half = f"p{k // 2}(x)" if k > 3 else "x"
        head.append(f"static inline double p{k}(double x) {{ return {half} * {half}{' * x' if k % 2 else ''}; }}")
    form = "int f(const double** arg, double** res, long long* iw, double* w, int mem) {"
    return "\n".join([*head, form, "  double* r = res[0];", *body, "  return 0;", "}", ""])


def _c(x: Any, powers: set[int]) -> str:
    """An expression in C."""
    if x.is_Add:
        # A positive term first: it needs no change of sign.
        terms = sorted((_term(term, powers) for term in x.args), key=lambda term: term[0])
        text = "".join(f" {'-' if negative else '+'} {term}" for negative, term in terms)
        return text[3:] if text.startswith(" + ") else text[1:]
    negative, text = _term(x, powers)
    return f"-{text}" if negative else text


def _term(x: Any, powers: set[int]) -> tuple[bool, str]:
    """Sign and absolute value of a term of a sum."""
    negative, coefficient, above, below = _factors(x)
    numerators = [repr(coefficient)] if coefficient != 1.0 else []
    numerators += [_power(base, k, powers) for base, k in above]
    quotients = [f" / {_power(base, k, powers)}" for base, k in below]
    return negative, " * ".join(numerators or ["1.0"]) + "".join(quotients)


def _power(base: Any, exponent: int, powers: set[int]) -> str:
    if exponent > 1:
        powers.add(exponent)
        return f"p{exponent}({_c(base, powers)})"
    if base.is_Symbol:
        return str(base)
    if base.is_Add or base.is_Mul:
        return f"({_c(base, powers)})"
    if base.is_Pow:
        return f"pow({_c(base.args[0], powers)}, {_c(base.args[1], powers)})"
    arguments = ", ".join(_c(argument, powers) for argument in base.args)
    return f"{type(base).__name__.lower()}({arguments})"


# -------------------------------------------------------------------------- machine code

_LOOPS = """
#include <stdint.h>
#include <time.h>

typedef int (*ours)(int64_t, int64_t, const double *const *, double *const *, double *);
typedef int (*theirs)(const double **, double **, long long *, double *, int);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

double time_ours(ours f, const double **in, double **out, double *work, int calls) {
  double start = now();
  for (int i = 0; i < calls; i++) f(-1, 0, in, out, work);
  return (now() - start) / calls;
}

double time_theirs(theirs f, const double **in, double **out, double *work, int calls) {
  double start = now();
  for (int i = 0; i < calls; i++) f(in, out, 0, work, 0);
  return (now() - start) / calls;
}
"""


def gcc(source: Path, library: Path, *flags: str) -> float:
    """Make a shared library of a C file; give the seconds it took."""
    command = ["gcc", *flags, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
    start = time.perf_counter()
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failed(f"gcc stopped after {TIME_LIMIT:g} s") from None
    except subprocess.CalledProcessError as error:
        raise Failed(f"{' '.join(command)}: {error.stderr[:2000]}") from None
    return time.perf_counter() - start


class Evaluation:
    """A compiled function at one point: what it gives, and how long a call takes, in a loop written in C."""

    def __init__(
        self, loops: Any, kind: str, code: Any, address: int, inputs: Sequence[Any], results: int, work: int
    ) -> None:
        """``kind``, "ours" or "theirs", is the form of the function at ``address``, which lives as long as ``code``."""

        def pointers(arrays: Sequence[Any]) -> Any:
            return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))

        self._code = code
        self._inputs = [np.array(x, dtype=float) for x in inputs]
        self._work = np.zeros(work + 1)
        self.results = np.full(results, np.nan)
        self._loop = getattr(loops, f"time_{kind}")
        self._loop.restype = ctypes.c_double
        self._arguments = (
            ctypes.c_void_p(address),
            pointers(self._inputs),
            pointers([self.results]),
            ctypes.c_void_p(self._work.ctypes.data),
        )
        self.best = float("inf")
        self.run(1)
        self.best = float("inf")

    def run(self, calls: int) -> float:
        """Seconds per call in a loop; the shortest so far is kept in ``best``."""
        seconds: float = self._loop(*self._arguments, ctypes.c_int(calls))
        self.best = min(self.best, seconds)
        return seconds


def timing_loops(folder: Path) -> Any:
    """The loops of :class:`Evaluation`, compiled."""
    (folder / "loops.c").write_text(_LOOPS)
    gcc(folder / "loops.c", folder / "loops.so", "-O2")
    return ctypes.CDLL(str(folder / "loops.so"))
