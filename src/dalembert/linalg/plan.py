"""What every mode of :mod:`~dalembert.linalg.saddle` knows about its matrix: sizes and patterns, in front of its own
lists.

A plan is one array of whole numbers.  It starts with a head (:data:`HEAD`) and the rows and columns of the entries of
M, G and F; what a mode adds stands from ``plan[HEAD.OWN]`` on.  Lists that a mode changes on the way (pivots, a choice
of coordinates) are there too, so that the plan and the values are the whole state of a factorisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.orders.order import saddle_order, symmetric_neighbours
from dalembert.native.kernel import Ints, Reals, compiled, reassociated, view
from dalembert.native.legend import Legend

HEAD = Legend(
    "head of a plan of linear algebra",
    MODE="number of the mode",
    INNER="number of the mode that it uses inside, or 0",
    KEEP="whether a decomposition that is there shall be kept (conjugate gradients only)",
    TROUBLES="how often a decomposition went bad and was replaced",
    N_V="number of velocities",
    N_LAM="number of multipliers",
    N_M="entries of M",
    N_G="entries of G",
    N_F="entries of F",
    OWN="start of the lists of the mode",
)
MODE_NUMBER = Legend(
    "modes of linear algebra",
    first=1,
    DENSE="full matrix, LU with row pivoting",
    SPARSE="sparse, with a fixed order of pivots",
    RANGE="by the constraint forces",
    SYMMETRIC="full matrix, Bunch and Kaufman",
    CHOLESKY_QR="Cholesky of M, QR of the constraints",
    MINIMAL="block elimination to minimal form",
    CONJUGATE_GRADIENTS="iteration, preconditioned by an older decomposition",
    RECURSIVE="elimination front by front",
    SKYLINE="by the constraint forces, in the envelope that joints leave",
    COMPOSITE="composite inertia matrix along the tree",
    COMPOSITE_DENSE="composite inertia matrix as a full one",
)
DENSE, SPARSE = MODE_NUMBER.DENSE, MODE_NUMBER.SPARSE
#: A run has three plans at most, for accelerations, for positions and of a method's own, each with another mode inside
#: at most.
_PLANS = 3
SOLVER_ENTRY = Legend(
    "entry of a mode in the table of addresses",
    MODE="its number",
    FACTOR="address of its factorisation",
    SOLVE="address of its solution",
)
FRONT_ENTRY = Legend(
    "entry of a plan with code of its own in the table of addresses",
    KEY="key of its code",
    FUNCTIONS="address of the list of its functions",
)
ADDRESS = Legend(
    "table of addresses of linear algebra",
    DGETRF="LAPACK: LU",
    DGETRS="LAPACK: solution with it",
    DSYTRF="LAPACK: symmetric decomposition",
    DSYTRS="LAPACK: solution with it",
    DPOTRF="LAPACK: Cholesky's decomposition",
    DTRSM="BLAS: triangular systems with many right-hand sides",
    DGEMM="BLAS: product of two matrices",
    SOLVERS="entries of the modes that the plans use",
    FRONTS="entries of the plans with code of their own",
    sizes={"SOLVERS": 2 * _PLANS * SOLVER_ENTRY.end, "FRONTS": _PLANS * FRONT_ENTRY.end},
)
N_ADDRESSES = ADDRESS.end
#: Routines of LAPACK and BLAS that stand in the table.
LAPACK = ("dgetrf", "dgetrs", "dsytrf", "dsytrs", "dpotrf", "dtrsm", "dgemm")
#: Relative residual that a solution without row pivoting may have, in the mean.
RESIDUAL = 1e-12
#: Less than this left of a pivot, and solutions are held against their residuals.
DOUBTFUL = 1e-6


class EntryPlaces(Protocol):
    """Places of the entries of a sparse matrix, column by column."""

    @property
    def rows(self) -> NDArray[np.int64]: ...

    @property
    def columns(self) -> NDArray[np.int64]: ...

    @property
    def bodies(self) -> NDArray[np.int64] | None:
        """Of a mass matrix, where it is known: for each coordinate the number of its body."""


class Entries(NamedTuple):
    """A pattern of its own."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    bodies: NDArray[np.int64] | None = None


class Structure(NamedTuple):
    """Sizes and patterns of [[M, Gᵀ − F], [G, 0]]."""

    n_v: int
    n_lam: int
    M: EntryPlaces
    G: EntryPlaces
    F: EntryPlaces
    #: velocities without mass and the constraints that say what they are, by their numbers: safe pivots in this order
    chains: tuple[tuple[tuple[int, int], ...], ...] = ()

    @property
    def massless(self) -> list[int]:
        """Coordinates without an entry on the diagonal of M."""
        return sorted(set(range(self.n_v)) - set(self.M.rows[self.M.rows == self.M.columns].tolist()))

    @property
    def holds_nothing(self) -> str:
        """Which constraint takes hold of no coordinate, as a reason; nothing if all do."""
        empty = set(range(self.n_lam)) - set(self.G.rows.tolist())
        return f"constraint {min(empty)} holds nothing" if empty else ""

    @property
    def bodies(self) -> list[int]:
        """For each coordinate the number of its body: as M says, or what M connects."""
        if self.M.bodies is not None:
            return [int(body) for body in self.M.bodies]
        labels = [0] * self.n_v
        for number, block in enumerate(self.blocks()):
            for i in block:
                labels[i] = number
        return labels

    def held(self) -> dict[int, set[int]]:
        """For each multiplier, numbered behind the coordinates, those that its constraint takes hold of."""
        found: dict[int, set[int]] = {self.n_v + k: set() for k in range(self.n_lam)}
        for k, j in zip(self.G.rows.tolist(), self.G.columns.tolist(), strict=True):
            found[self.n_v + k].add(j)
        return found

    def safe_order(self, rows: Iterable[int], columns: Iterable[int]) -> tuple[list[int], list[int]]:
        """Pivots that are safe for all values, for a matrix with entries at these places."""
        neighbours, diagonal = symmetric_neighbours(self.n_v + self.n_lam, rows, columns)
        chains = [[(i, self.n_v + k) for i, k in chain] for chain in self.chains]
        return saddle_order(neighbours, diagonal, self.held(), chains)

    def blocks(self) -> list[list[int]]:
        """Coordinates that M connects, each list in ascending order."""
        leader = list(range(self.n_v))

        def find(i: int) -> int:
            while leader[i] != i:
                leader[i] = leader[leader[i]]
                i = leader[i]
            return i

        for i, j in zip(self.M.rows.tolist(), self.M.columns.tolist(), strict=True):
            first, second = sorted((find(i), find(j)))
            leader[second] = first
        found: dict[int, list[int]] = {}
        for i in range(self.n_v):
            found.setdefault(find(i), []).append(i)
        return list(found.values())


class History(NamedTuple):
    """Whole numbers of a plan, ``size`` of them from ``start`` on, that one factorisation leaves for the next, and the
    bounds between which they lie."""

    start: int
    size: int
    least: int
    largest: int


class Plan(NamedTuple):
    """How one matrix is factorised: name of the mode, whole numbers, number of reals for factors and work; machine code
    made for it, which lives as long as somebody holds it; what of the whole numbers a run that is resumed needs again,
    where a mode keeps something from one factorisation to the next."""

    mode: str
    ints: NDArray[np.int64]
    value_size: int
    code: object = None
    history: tuple[History, ...] = ()


def mode_number(name: str) -> int:
    """What stands for a mode in plans: for modes from outside a fingerprint of the name, which is the same in every
    process, so that stored runs find them again."""
    known = MODE_NUMBER.values.get(name.upper().replace("-", "_"))
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "little") if known is None else known


def plan_of(mode: str, structure: Structure, own: Sequence[Any], value_size: int, inner: str = "") -> Plan:
    """Plan of a mode with its own lists, whose starts must be known to the mode, and with room for so many values, the
    last one of which is for :func:`~dalembert.linalg.saddle.smallest_pivot`; ``inner`` is a mode that it uses."""
    n_v, n_lam, M, G, F, _ = structure
    patterns = [part for pattern in (M, G, F) for part in (pattern.rows, pattern.columns)]
    head = np.zeros(HEAD.end, dtype=np.int64)
    head[HEAD.MODE], head[HEAD.INNER] = mode_number(mode), mode_number(inner) if inner else 0
    head[HEAD.N_V], head[HEAD.N_LAM] = n_v, n_lam
    head[HEAD.N_M], head[HEAD.N_G], head[HEAD.N_F] = len(M.rows), len(G.rows), len(F.rows)
    head[HEAD.OWN] = HEAD.end + sum(len(part) for part in patterns)
    return Plan(mode, joined([head, *patterns, *own]), value_size)


def with_starts(head: Sequence[int], lists: Sequence[Any]) -> list[Any]:
    """Own lists behind a list of ``head``, then their starts, counted from the own part on."""
    at = len(head) + len(lists)
    starts = []
    for part in lists:
        starts.append(at)
        at += len(part)
    return [[*head, *starts], *lists]


def joined(parts: Sequence[Any]) -> NDArray[np.int64]:
    """Lists of whole numbers, one behind the other."""
    return np.concatenate([np.asarray(part, dtype=np.int64) for part in parts])


@compiled
def solver_entry(addresses: Ints, mode: int) -> Ints:
    """The entry of a mode in a table of addresses that was made for its plan."""
    at = ADDRESS.SOLVERS
    for _ in range(at, addresses.size, SOLVER_ENTRY.end):
        if addresses[at + SOLVER_ENTRY.MODE] == mode:
            break
        at += SOLVER_ENTRY.end
    return view(addresses, at, SOLVER_ENTRY.end)


@compiled
def own_part(plan: Ints) -> Ints:
    """The lists of the mode."""
    return view(plan, plan[HEAD.OWN], plan.size - plan[HEAD.OWN])


@compiled
def pattern_of_M(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    count = plan[HEAD.N_M]
    return view(plan, HEAD.end, count), view(plan, HEAD.end + count, count)


@compiled
def pattern_of_G(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    start, count = HEAD.end + 2 * plan[HEAD.N_M], plan[HEAD.N_G]
    return view(plan, start, count), view(plan, start + count, count)


@compiled
def pattern_of_F(plan: Ints) -> tuple[Ints, Ints]:
    """Rows and columns."""
    start, count = HEAD.end + 2 * (plan[HEAD.N_M] + plan[HEAD.N_G]), plan[HEAD.N_F]
    return view(plan, start, count), view(plan, start + count, count)


@compiled
def subtract_product(plan: Ints, M: Reals, G: Reals, F: Reals, x: Reals, residual: Reals) -> None:
    """residual −= [[M, Gᵀ − F], [G, 0]] x."""
    a, lam = view(x, 0, plan[HEAD.N_V]), view(x, plan[HEAD.N_V], plan[HEAD.N_LAM])
    upper, lower = view(residual, 0, plan[HEAD.N_V]), view(residual, plan[HEAD.N_V], plan[HEAD.N_LAM])
    rows, columns = pattern_of_M(plan)
    for k in range(M.size):
        upper[rows[k]] -= M[k] * a[columns[k]]
    rows, columns = pattern_of_G(plan)
    for k in range(G.size):
        i, j, value = rows[k], columns[k], G[k]
        upper[j] -= value * lam[i]
        lower[i] -= value * a[j]
    rows, columns = pattern_of_F(plan)
    for k in range(F.size):
        upper[rows[k]] += F[k] * lam[columns[k]]


@reassociated
def sum_of_squares(x: Reals) -> float:
    total = 0.0
    for k in range(x.size):
        total += x[k] * x[k]
    return total


@compiled
def is_solution(plan: Ints, M: Reals, G: Reals, x: Reals, right_squares: float, residual: Reals) -> bool:
    """Whether a residual is small beside the products and the right-hand side; not for NaN."""
    return is_within(RESIDUAL, plan, M, G, x, right_squares, residual)


@compiled
def solves(plan: Ints, M: Reals, G: Reals, F: Reals, x: Reals, given: Reals, residual: Reals) -> bool:
    """Whether x is the solution for a right-hand side that was given; leaves the residual."""
    for i in range(given.size):
        residual[i] = given[i]
    subtract_product(plan, M, G, F, x, residual)
    return is_solution(plan, M, G, x, sum_of_squares(given), residual)


@compiled
def is_within(
    tolerance: float, plan: Ints, M: Reals, G: Reals, x: Reals, right_squares: float, residual: Reals
) -> bool:
    """Whether a residual is within a tolerance of the products and the right-hand side, all of them in the mean."""
    n_v, n_lam = plan[HEAD.N_V], plan[HEAD.N_LAM]
    a = sum_of_squares(view(x, 0, n_v)) / max(n_v, 1)
    lam = sum_of_squares(view(x, n_v, n_lam)) / max(n_lam, 1)
    size = max(right_squares / (n_v + n_lam), sum_of_squares(M) / max(M.size, 1) * a)
    size = max(size, sum_of_squares(G) / max(G.size, 1) * (a + lam))
    return sum_of_squares(residual) / (n_v + n_lam) <= tolerance * tolerance * size
