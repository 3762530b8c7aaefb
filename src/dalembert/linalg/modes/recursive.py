"""Recursive elimination along the mechanism (mode "recursive"), by fronts: see :mod:`~dalembert.linalg.orders.fronts`.

Values: what is left of the worst pivot of each front; updates and factors of all fronts; zeros in place of F for
matrices without friction; a right-hand side, a residual and a correction; the smallest relative pivot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.orders.front_code import F_ARRAY, G_ARRAY, M_ARRAY, FrontClass
from dalembert.linalg.orders.fronts import Front, Source, find_fronts, plan_fronts
from dalembert.linalg.orders.tree_order import Steps, tree_order
from dalembert.linalg.plan import (
    ADDRESS,
    FRONT_ENTRY,
    HEAD,
    Plan,
    Structure,
    is_solution,
    own_part,
    plan_of,
    subtract_product,
    sum_of_squares,
    with_starts,
)  # fmt: skip
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, call_run, compiled, ints_at, view
from dalembert.native.legend import Legend

RECURSIVE = Legend(
    'own part of a plan of the mode "recursive"',
    KEY="key of the code",
    N_FRONTS="number of fronts",
    N_FUNCTIONS="number of functions",
    RUNS="start of: the runs of each program, and of the offsets behind them",
    OFFSETS="start of: where the functions find their numbers",
    sizes={"RUNS": 3},
)
PROGRAM = Legend(
    "programs of a class of fronts",
    FACTOR="elimination",
    FORWARD="substitution from the leaves to the root",
    BACKWARD="substitution from the root to the leaves",
)
FRONT_RUN = Legend(
    "run of fronts of one class",
    CLASS="number of the class",
    COUNT="number of fronts",
    OFFSETS="place of their offsets",
)
#: Less than this left of a pivot, and the matrix is singular.
_SINGULAR = 1e-15
#: Less than this, and solutions are held against their residuals.
_DOUBTFUL = 1e-6
#: An order that is safe for all values is taken if it stores up to a third more.
_SAFER = 0.75
#: Larger fronts would make long code; other modes serve matrices without structure.
LARGEST_FRONT = 24


class FrontPrograms:
    """Machine code of the fronts of some plans: functions, and the list of their addresses, which are good as long as
    this object lives."""

    def __init__(self, classes: Iterable[FrontClass]) -> None:
        self.functions = [function for front_class in classes for function in front_class.functions()]
        self.addresses = np.array([function.address for function in self.functions], dtype=np.int64)


#: Code of the plans of this process that are in use, by their keys; plans hold it.
_code: WeakValueDictionary[int, FrontPrograms] = WeakValueDictionary()


@compiled
def _go(values: Reals, own: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals, program: int) -> None:
    """One of the three programs, over all fronts."""
    at = ADDRESS.FRONTS
    while addresses[at + FRONT_ENTRY.KEY] != own[RECURSIVE.KEY]:
        at += FRONT_ENTRY.end
    functions = ints_at(addresses[at + FRONT_ENTRY.FUNCTIONS], own[RECURSIVE.N_FUNCTIONS])
    start = RECURSIVE.RUNS + program
    runs, offsets = view(own, own[start], own[start + 1] - own[start]), own[own[RECURSIVE.OFFSETS] :]
    for k in range(0, runs.size, FRONT_RUN.end):
        function = functions[PROGRAM.end * runs[k + FRONT_RUN.CLASS] + program]
        count, first = runs[k + FRONT_RUN.COUNT], runs[k + FRONT_RUN.OFFSETS]
        call_run(function, count, offsets[first:], M, G, F, right, values)


@compiled
def _friction(values: Reals, plan: Ints, F: Reals) -> Reals:
    """F, or zeros."""
    return (
        F
        if F.size
        else view(values, values.size - 1 - 3 * (plan[HEAD.N_V] + plan[HEAD.N_LAM]) - plan[HEAD.N_F], plan[HEAD.N_F])
    )


@factor_solver
def recursive_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Eliminate front by front, from the leaves to the root."""
    own = own_part(plan)
    _go(values, own, addresses, M, G, _friction(values, plan, F), values, PROGRAM.FACTOR)
    smallest = np.inf
    for k in range(own[RECURSIVE.N_FRONTS]):
        smallest = min(smallest, values[k])
        if not values[k] > _SINGULAR:  # NaN too
            values[values.size - 1] = 0.0
            return k + 1
    values[values.size - 1] = smallest
    return 0


@solve_solver
def recursive_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Substitute to the root and back; with small pivots the solution is checked, and refined if need be."""
    own, n = own_part(plan), right.size
    friction = _friction(values, plan, F)
    first = values.size - 1 - 3 * n
    given, residual, correction = view(values, first, n), view(values, first + n, n), view(values, first + 2 * n, n)
    doubtful = not values[values.size - 1] > _DOUBTFUL
    if doubtful:
        for i in range(n):
            given[i] = right[i]
    _go(values, own, addresses, M, G, friction, right, PROGRAM.FORWARD)
    _go(values, own, addresses, M, G, friction, right, PROGRAM.BACKWARD)
    if not doubtful:
        return 0
    squares = sum_of_squares(given)
    for refinement in range(3):
        for i in range(n):
            residual[i] = given[i]
        subtract_product(plan, M, G, F, right, residual)
        if is_solution(plan, M, G, right, squares, residual):
            return 0
        if refinement == 2:
            break
        for i in range(n):
            correction[i] = residual[i]
        _go(values, own, addresses, M, G, friction, correction, PROGRAM.FORWARD)
        _go(values, own, addresses, M, G, friction, correction, PROGRAM.BACKWARD)
        for i in range(n):
            right[i] += correction[i]
    return 1


class _Found(NamedTuple):
    """Sources of the entries of the matrix, and its fronts for each order that there is."""

    entries: dict[tuple[int, int], list[Source]]
    orders: list[list[Front]]
    safe: list[bool]  # whether an order is safe for all values


_found: dict[bytes, _Found] = {}


def _find(structure: Structure) -> _Found:
    """Entries and fronts; those of the last structure are kept, as it is asked first whether there are any."""
    n_v, n_lam, M, G, F = structure
    parts = [np.array([n_v, n_lam]), np.array(structure.bodies)]
    parts += [x for pattern in (M, G, F) for x in (pattern.rows, pattern.columns)]
    key = hashlib.sha256(b"|".join(np.asarray(part, dtype=np.int64).tobytes() for part in parts)).digest()
    if key not in _found:
        entries: dict[tuple[int, int], list[Source]] = {}
        for array, sign, pattern, down, right in (
            (M_ARRAY, 1.0, M, 0, 0), (G_ARRAY, 1.0, G, n_v, 0), (F_ARRAY, -1.0, F, 0, n_v)
        ):  # fmt: skip
            for k, (i, j) in enumerate(zip(pattern.rows.tolist(), pattern.columns.tolist(), strict=True)):
                entries.setdefault((down + i, right + j), []).append(Source(sign, array, k))
                if array == G_ARRAY:
                    entries.setdefault((j, n_v + i), []).append(Source(sign, array, k))
        coupled = [pair for pair in entries if pair[0] != pair[1]]
        multipliers = set(range(n_v, n_v + n_lam))
        found = [find_fronts(n_v + n_lam, coupled, groups, multipliers) for groups in _orders(structure, entries)]
        served = [max(len(front.local) for front in fronts) <= LARGEST_FRONT for fronts in found]
        kept = [k for k, good in enumerate(served) if good]
        _found.clear()
        _found[key] = _Found(entries, [found[k] for k in kept], [k == 0 for k in kept])
    return _found[key]


def lacks_fronts(structure: Structure) -> str:
    """Why there is no code for the fronts of a structure."""
    if not structure.n_v:
        return "there are no coordinates"
    loose = set(structure.massless) - set(structure.G.columns.tolist())
    if loose:
        return f"velocity {min(loose)} has neither mass nor constraint"
    empty = set(range(structure.n_lam)) - set(structure.G.rows.tolist())
    if empty:
        return f"constraint {min(empty)} holds nothing"
    if _find(structure).orders:
        return ""
    return f"more than {LARGEST_FRONT} unknowns would have to be eliminated together"


def is_full(structure: Structure) -> bool:
    """Whether all is eliminated together: a full matrix, for which other modes need no code of its own."""
    return len(_find(structure).orders[0]) == 1


def analyse_recursive(structure: Structure) -> Plan:
    """Fronts, their code, and where they find their numbers."""
    n, n_F = structure.n_v + structure.n_lam, len(structure.F.rows)
    entries, orders, safe = _find(structure)
    # Also a safe order is watched where coordinates have no mass, or friction is in the matrix.
    plain = not n_F and not structure.massless
    plans = [
        plan_fronts(fronts, entries, symmetric=not n_F, watched=not (good and plain))
        for fronts, good in zip(orders, safe, strict=True)
    ]
    # The less is stored, the less is computed; what is safe may cost a little more.
    sizes = [plan.value_size * (_SAFER if good else 1.0) for plan, good in zip(plans, safe, strict=True)]
    plan = plans[sizes.index(min(sizes))]
    key = int.from_bytes(hashlib.sha256(repr(plan.classes).encode()).digest()[:7], "little")
    code = _code.get(key)
    if code is None:
        code = _code[key] = FrontPrograms(plan.classes)
    own = with_starts(
        [key, plan.fronts, PROGRAM.end * len(plan.classes)], [*(runs.reshape(-1) for runs in plan.runs), plan.offsets]
    )
    return plan_of("recursive", structure, own, plan.value_size + n_F + 3 * n + 1)._replace(code=code)


def _orders(structure: Structure, entries: Iterable[tuple[int, int]]) -> list[list[Steps]]:
    """Orders of elimination: the one that is safe for every structure, and that along the tree if there is one."""
    rows, columns = zip(*entries, strict=True)
    pivots = zip(*structure.safe_order(rows, columns), strict=True)
    # A pair is two pivots off the diagonal, one the mirror image of the other.
    orders: list[list[Steps]] = [[[(i,) if i == j else (j, i)] for i, j in pivots if i == j or j < i]]
    along = tree_order(structure.bodies, set(structure.massless), structure.held(), structure.n_v)
    return orders if along is None else [*orders, along]


def front_addresses(plan: NDArray[np.int64]) -> tuple[int, int]:
    """Key and address of the list of functions of a plan of this process, good as long as its code is held."""
    key = int(own_part(plan)[RECURSIVE.KEY])
    return key, int(_code[key].addresses.ctypes.data)
