"""The matrices of benchmarks/thesis_linalg.py, and the routines of LAPACK, SuperLU and KLU that its tables name."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

import dalembert as da
from _common import best_of
from _compiled_loops import loop_over, with_sizes
from _tree_matrices import entries
from dalembert.linalg.factors.dense_lu import lapack
from dalembert.linalg.modes.composite import (
    accelerations,
    columns_of_L,
    columns_of_T,
    constraint_forces,
    constraint_rates,
    decompose_reduced,
    free_motion,
    pull,
    reduced_matrix,
)
from dalembert.linalg.modes.range_space import SCHUR, assemble_schur, schur_parts, schur_plan
from dalembert.linalg.modes.skyline import ENVELOPE, SKYLINE, analyse_skyline, envelope_factor, envelope_solve
from dalembert.linalg.plan import HEAD, Plan, Structure, own_part
from dalembert.linalg.saddle import MODES, Saddle
from dalembert.linalg.solver import factor_solver
from dalembert.native.kernel import Ints, Reals, view

Vector = NDArray[np.float64]
Loop = Callable[[int], int]


def microseconds(loops: dict[str, Loop], repeats: int) -> dict[str, float]:
    """Best times of single calls, measured by turns, each in a compiled loop of half a millisecond."""
    calls = {
        name: max(1, int(5e-4 / best_of(lambda loop=loop: loop(1), 3, at_least=1e-4)))  # type: ignore[misc]
        for name, loop in loops.items()
    }
    best = dict.fromkeys(loops, np.inf)
    for _ in range(repeats):
        for name, loop in loops.items():
            took = best_of(lambda loop=loop, name=name: loop(calls[name]), 2, at_least=2e-4)  # type: ignore[misc]
            best[name] = min(best[name], 1e6 * took / calls[name])
    return best


@dataclass(frozen=True)
class Mechanism:
    """Absolute coordinates of a planar mechanism at its start."""

    name: str
    structure: Structure
    M: Vector
    G: Vector

    @classmethod
    def of(cls, name: str, equations: Any, q: Any) -> Mechanism:
        patterns, s = equations.program("contract").patterns, equations.sizes
        structure = Structure(s.v, s.lam, patterns["M"], patterns["G"], patterns["F"])
        M, G = equations.evaluate("M", "G", q=q)
        return cls(name, structure, *(A[at.rows, at.columns] for A, at in ((M, structure.M), (G, structure.G))))

    @property
    def augmented(self) -> scipy.sparse.csc_array:
        """[[M, Gᵀ], [G, 0]] of (3.107)."""
        s = self.structure
        n = s.n_v + s.n_lam
        rows = np.concatenate([s.M.rows, s.n_v + s.G.rows, s.G.columns])
        columns = np.concatenate([s.M.columns, s.G.columns, s.n_v + s.G.rows])
        matrix = scipy.sparse.csc_array((np.concatenate([self.M, self.G, self.G]), (rows, columns)), shape=(n, n))
        matrix.sort_indices()
        return matrix

    @property
    def reduced(self) -> NDArray[np.float64]:
        """B = G M⁻¹ Gᵀ of (3.108)."""
        s = self.structure
        M = scipy.sparse.coo_array((self.M, (s.M.rows, s.M.columns)), shape=(s.n_v, s.n_v)).toarray()
        G = scipy.sparse.coo_array((self.G, (s.G.rows, s.G.columns)), shape=(s.n_lam, s.n_v)).toarray()
        return np.asarray(G @ np.linalg.solve(M, G.T))


def seven_body() -> Mechanism:
    """Andrews' squeezing mechanism from seven bodies and ten hinges: 21 coordinates, 20 constraints."""
    example = da.problems.mechanisms.seven_body()
    equations = example.model.equations("absolute")
    return Mechanism.of("seven-body mechanism", equations, equations.assemble(example.start).q)


def chain(n: int = 50) -> Mechanism:
    """A chain of bars, bent: 3 n coordinates, 2 n constraints."""
    problem = da.problems.pendulum_chain(n)
    angles = np.linspace(0.0, -1.0, n)
    tips = np.cumsum(np.stack([np.cos(angles), np.sin(angles)]), axis=1) / n
    middles = tips - 0.5 / n * np.stack([np.cos(angles), np.sin(angles)])
    return Mechanism.of(f"chain of {n}", problem.equations, np.stack([*middles, angles], axis=1).ravel())


def hmmwv14() -> Mechanism:
    """The vehicle of this library in relative coordinates, as it starts."""
    example = da.problems.mechanisms.hmmwv14()
    equations = example.model.equations("relative")
    return Mechanism.of("HMMWV14 of the library", equations, equations.assemble(example.start).q)


def planar(name: str, joints: Sequence[tuple[int, int]]) -> Mechanism:
    """Bodies with three coordinates in hinges with two constraints each, with random numbers; −1 is the ground."""
    rng = np.random.default_rng(0)
    count = 1 + max(map(max, joints))
    G = np.zeros((2 * len(joints), 3 * count))
    for k, pair in enumerate(joints):
        for body in set(pair) - {-1}:
            lever = rng.standard_normal(2)
            G[2 * k : 2 * k + 2, 3 * body : 3 * body + 3] = np.array([[1, 0, lever[0]], [0, 1, lever[1]]]) * (
                1 if body == pair[0] else -1
            )
    at = [entries(matrix) for matrix in (np.eye(3 * count), G, np.zeros(G.T.shape))]
    bodies = np.repeat(np.arange(count), 3)
    structure = Structure(3 * count, len(G), at[0]._replace(bodies=bodies), at[1], at[2])
    return Mechanism(name, structure, rng.uniform(0.5, 2.0, 3 * count), G[at[1][:2]])


def binary_tree(count: int) -> list[tuple[int, int]]:
    """Each body carries two others."""
    return [((k + 1) // 2 - 1, k) for k in range(count)]


def star(count: int) -> list[tuple[int, int]]:
    """One body carries all others."""
    return [(-1, 0), *((0, k) for k in range(1, count))]


def ladder(count: int) -> list[tuple[int, int]]:
    """Two chains of bodies with rungs between them, each rung a body in two hinges."""
    joints: list[tuple[int, int]] = []
    for k in range(count):
        left, right, rung = 3 * k, 3 * k + 1, 3 * k + 2
        joints += [(left - 3 if k else -1, left), (right - 3 if k else -1, right), (left, rung), (rung, right)]
    return joints


# --------------------------------------------------------------------------------------------------- the mode "skyline"


@factor_solver
def _reduced_solution(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """B λ = x for B as it was assembled (M) and a right-hand side (G)."""
    own = own_part(plan)
    for k in range(M.size):
        values[k] = M[k]
    failed = envelope_factor(values, own)
    _, _, _, x = schur_parts(values, schur_plan(own))
    for k in range(x.size):
        x[k] = G[k]
    envelope_solve(values, own)
    return failed


class Reduced:
    """The reduced system of a mechanism in the envelope of a given order of its joints."""

    def __init__(self, mechanism: Mechanism, joints: Sequence[int] | None = None) -> None:
        self.solver = Saddle(analyse_skyline(mechanism.structure, joints))
        own = own_part(self.solver.ints)
        assemble_schur(self.solver.values, own, mechanism.M, mechanism.G)
        plan = schur_plan(own)
        self.order = plan[plan[SCHUR.ORDER] :][: plan[SCHUR.N_LAM]]
        self.B = np.array(self.solver.values[: plan[SCHUR.N_LAM] + plan[SCHUR.BELOW]])
        self.envelope = own[own[SKYLINE.ENVELOPE] :]

    def lists(self) -> tuple[Any, Any]:
        """First rows of the pivots, first columns."""
        e = self.envelope
        pivots = e[ENVELOPE.N_PIVOTS]
        return e[e[ENVELOPE.ROWS] :][: pivots + 1], e[e[ENVELOPE.FIRSTS] :][:pivots]

    def loop(self, right: Vector) -> Loop:
        self.right = np.array(right[self.order])
        arrays = (self.solver.values, self.solver.ints, self.solver.addresses, self.B, self.right, np.zeros(0))
        return loop_over(_reduced_solution.address, with_sizes(*arrays))

    def solution(self) -> Vector:
        """Of the last call, in the order of the constraints."""
        own = own_part(self.solver.ints)
        found = np.zeros(len(self.order))
        found[self.order] = schur_parts(self.solver.values, schur_plan(own))[3]
        return found


class ModeLoop:
    """Decomposition and solution by a mode, in one loop each."""

    def __init__(self, plan: Plan, M: Vector, G: Vector, right: Vector) -> None:
        self.solver = Saddle(plan)
        if self.solver.factor(M, G):
            raise RuntimeError(f"{plan.mode}: the matrix is singular")
        _, self.x = self.solver.solve(right)
        self.right = np.array(right)
        self._kept = (self.solver.values, self.solver.ints, self.solver.addresses, M, G, np.zeros(0))
        mode = MODES[plan.mode]
        self.factor = loop_over(mode.factor.address, with_sizes(*self._kept))
        self.solve = loop_over(mode.solve.address, with_sizes(*self._kept, self.right), restored=(self.right, right))


# ------------------------------------------------------------------------------------------------------------ baselines


class Fortran:
    """A routine of LAPACK or BLAS in a compiled loop; what it overwrites is restored before each call.

    Arguments: letters, whole numbers, doubles and arrays.  ``spoilt`` are those that are overwritten, as one array.
    """

    def __init__(self, name: str, *arguments: Any, spoilt: Vector | None = None) -> None:
        self.work = None if spoilt is None else np.array(spoilt)
        self.kept = [self._passed(argument) for argument in arguments]
        addresses = [argument if isinstance(argument, int) else argument.ctypes.data for argument in self.kept]
        restored = None if spoilt is None or self.work is None else (self.work, np.array(spoilt))
        self.loop = loop_over(lapack(name), addresses, restored=restored)

    def _passed(self, argument: Any) -> Any:
        if isinstance(argument, Part):
            assert self.work is not None
            return int(self.work.ctypes.data) + 8 * argument.start
        if isinstance(argument, str):
            return np.frombuffer(argument.encode() + b"   ", dtype=np.uint8).copy()
        if isinstance(argument, int):
            return np.array([argument], dtype=np.int32)
        if isinstance(argument, float):
            return np.array([argument])
        return argument


@dataclass(frozen=True)
class Part:
    """What starts at a place of the array that is spoilt."""

    start: int


def whole(name: str, A: NDArray[np.float64], b: Vector) -> Fortran:
    """A x = b by a driver of LAPACK: dgesv, dsysv, dposv, dppsvx."""
    n = len(b)
    info, pivots = np.zeros(1, dtype=np.int32), np.zeros(n, dtype=np.int32)
    spoilt, right = np.concatenate([A.ravel(), b]), Part(n * n)
    if name == "dgesv":
        return Fortran(name, n, 1, Part(0), n, pivots, right, n, info, spoilt=spoilt)
    if name == "dsysv":
        work = np.zeros(64 * n)
        return Fortran(name, "U", n, 1, Part(0), n, pivots, right, n, work, 64 * n, info, spoilt=spoilt)
    if name == "dposv":
        return Fortran(name, "U", n, 1, Part(0), n, right, n, info, spoilt=spoilt)
    packed = np.concatenate([A[: j + 1, j] for j in range(n)])
    factors, x, scales, bounds = np.zeros_like(packed), np.zeros(n), np.zeros(n), np.zeros(3)
    work, whole_numbers = np.zeros(3 * n), np.zeros(n, dtype=np.int32)
    return Fortran(
        name, "N", "U", n, 1, packed, factors, "N", scales, np.array(b), n, x, n, bounds[:1], bounds[1:2], bounds[2:],
        work, whole_numbers, info,
    )  # fmt: skip


def superlu(matrix: Any, right: Vector) -> Loop:
    """Analysis, decomposition and solution by SuperLU, called from Python."""

    def repeat(count: int) -> int:
        for _ in range(count):
            scipy.sparse.linalg.splu(matrix).solve(right)
        return 0

    return repeat


def klu_anew(library: ctypes.CDLL, matrix: Any, right: Vector) -> Loop:
    """Analysis, decomposition and solution by KLU, all of it each time."""
    pointer, size = ctypes.c_void_p, ctypes.c_int
    starts, rows = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    values, x, common = np.array(matrix.data), np.array(right), np.zeros(1024, dtype=np.uint8)
    p, i, v, c = (pointer(array.ctypes.data) for array in (starts, rows, values, common))
    library.klu_defaults(c)
    for name in ("klu_analyze", "klu_factor"):
        getattr(library, name).restype = ctypes.c_void_p

    def repeat(count: int) -> int:
        for _ in range(count):
            x[:] = right
            symbolic = pointer(library.klu_analyze(size(len(right)), p, i, c))
            numeric = pointer(library.klu_factor(p, i, v, symbolic, c))
            library.klu_solve(symbolic, numeric, size(len(right)), size(1), pointer(x.ctypes.data), c)
            library.klu_free_numeric(ctypes.byref(numeric), c)
            library.klu_free_symbolic(ctypes.byref(symbolic), c)
            starts.size, rows.size, values.size, common.size  # noqa: B018  these are held as long as they are needed
        return 0

    return repeat


# ------------------------------------------------------------------------------------------------- steps of Algorithm 4


@factor_solver
def _step_1(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    return columns_of_L(values, plan, M, 0, plan[HEAD.N_V])


@factor_solver
def _step_2(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    free_motion(values, plan, F)
    return 0


@factor_solver
def _step_31(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    columns_of_T(values, plan, G)
    return 0


@factor_solver
def _step_32(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    n = plan[HEAD.N_V]
    constraint_rates(values, plan, view(F, 0, n), view(F, n, plan[HEAD.N_LAM]))
    return 0


@factor_solver
def _step_33(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    reduced_matrix(values, plan)
    return 0


@factor_solver
def _steps_33_and_34(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """With the decomposition of the latter."""
    reduced_matrix(values, plan)
    return decompose_reduced(values, plan)


@factor_solver
def _step_34(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    constraint_forces(values, plan, view(F, plan[HEAD.N_V], plan[HEAD.N_LAM]))
    return 0


@factor_solver
def _step_35(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    n = plan[HEAD.N_V]
    pull(values, plan, view(F, n, plan[HEAD.N_LAM]), view(F, 0, n))
    return 0


@factor_solver
def _step_4(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    n = plan[HEAD.N_V]
    accelerations(values, plan, view(values, values.size - 1 - n, n), F)
    return 0


def sparse_steps(plan: Plan, M: Vector, G: Vector, right: Vector) -> tuple[Saddle, dict[str, Loop]]:
    """Alg-S by loops, step by step; 3.4 is its substitutions, and the decomposition of S stands with 3.3."""
    solver = Saddle(plan)
    solver.factor(M, G)
    work = np.array(right)
    steps = {
        "1": _step_1, "2": _step_2, "3.1": _step_31, "3.2": _step_32, "3.3": _step_33, "3.4": _step_34, "3.5": _step_35,
        "4": _step_4, "3.3 and decomposition": _steps_33_and_34,
    }  # fmt: skip
    arguments = with_sizes(solver.values, solver.ints, solver.addresses, M, G, work)
    return solver, {
        name: loop_over(step.address, arguments, restored=(work, np.array(right))) for name, step in steps.items()
    }


def dense_steps(M: NDArray[np.float64], G: NDArray[np.float64], right: Vector) -> dict[str, Fortran]:
    """Alg-D by the routines that the thesis names, or their likes, step by step."""
    m, n = G.shape
    L = np.linalg.cholesky(M)
    T = np.linalg.solve(L, G.T)
    S = T.T @ T
    info = np.zeros(1, dtype=np.int32)
    r, s = np.array(right[:n]), np.array(right[n:])
    lower, rows = np.ascontiguousarray(L).ravel(), np.ascontiguousarray(T).ravel()
    return {
        "1": Fortran("dpotrf", "U", n, Part(0), n, info, spoilt=M.ravel()),
        "2": Fortran("dtrsv", "U", "T", "N", n, lower, n, Part(0), 1, spoilt=r),
        "3.1": Fortran("dtrsm", "R", "U", "N", "N", m, n, 1.0, lower, n, Part(0), m, spoilt=G.T.ravel()),
        "3.2": Fortran("dgemv", "N", m, n, 1.0, rows, m, r, 1, -1.0, Part(0), 1, spoilt=s),
        "3.3": Fortran("dgemm", "N", "T", m, m, n, 1.0, rows, m, rows, m, 0.0, Part(0), m, spoilt=np.zeros(m * m)),
        "3.4": Fortran("dposv", "U", m, 1, Part(0), m, Part(m * m), m, info, spoilt=np.concatenate([S.ravel(), s])),
        "3.5": Fortran("dgemv", "T", m, n, 1.0, rows, m, s, 1, 0.0, Part(0), 1, spoilt=r),
        "4": Fortran("dtrsv", "U", "N", "N", n, lower, n, Part(0), 1, spoilt=r),
    }  # fmt: skip
