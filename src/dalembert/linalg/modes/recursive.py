"""Recursive elimination along the mechanism (mode "recursive"), by fronts: see :mod:`~dalembert.linalg.orders.fronts`.

The order that computes least may be one whose pivots can vanish though the matrix is regular: along the tree, where
constraints do not hold a branch as firmly as their structure suggests (two rods from an arm to a platform hold the arm
once, not twice). Such a plan has a second order, which is safe for all values; it takes over for good when a pivot of
the first one goes bad, and ``plan[HEAD.TROUBLES]`` counts it.

Values: for each order what is left of the worst pivot of each front, then updates and factors of all fronts; zeros in
place of F for matrices without friction; a right-hand side, a residual and a correction; the smallest relative pivot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.orders.tree_order import Steps, tree_order
from dalembert.linalg.plan import (
    DOUBTFUL,
    HEAD,
    History,
    Plan,
    Structure,
    joined,
    own_part,
    plan_of,
    solves,
    with_starts,
)
from dalembert.linalg.plan_code import code_key, functions_of, kept_code
from dalembert.linalg.solver import factor_solver, solve_solver
from dalembert.native.kernel import Ints, Reals, call_run, compiled, view
from dalembert.native.legend import Legend

if TYPE_CHECKING:
    from dalembert.linalg.orders.fronts import Front, FrontPlan, Source

RECURSIVE = Legend(
    'own part of a plan of the mode "recursive"',
    KEY="key of the code",
    N_FUNCTIONS="number of functions, of all orders",
    N_ORDERS="number of orders, the last one the safe one",
    USED="number of the order in use",
    ORDERS="starts of: the orders",
    sizes={"ORDERS": 2},
)
FRONT_ORDER = Legend(
    "order of elimination in such a plan",
    SIZE="size of its lists",
    FIRST="first of its values",
    N_FRONTS="number of fronts",
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
#: Less than this left of a pivot, and a safer order is taken if there is one.
_UNSAFE = 1e-10
#: An order that is safe for all values is taken if it stores up to a third more.
_SAFER = 0.75
#: Larger fronts would make long code; other modes serve matrices without structure.
LARGEST_FRONT = 24


@compiled
def _order(own: Ints) -> Ints:
    """The lists of the order in use."""
    start = own[RECURSIVE.ORDERS + own[RECURSIVE.USED]]
    return view(own, start, own[start + FRONT_ORDER.SIZE])


@compiled
def _go(values: Reals, own: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals, program: int) -> None:
    """One of the three programs, over all fronts."""
    functions = functions_of(addresses, own[RECURSIVE.KEY], own[RECURSIVE.N_FUNCTIONS])
    order, start = _order(own), FRONT_ORDER.RUNS + program
    runs, offsets = view(order, order[start], order[start + 1] - order[start]), order[order[FRONT_ORDER.OFFSETS] :]
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


@compiled
def _eliminate(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Eliminate in the order in use; 0, or 1 + the number of a front with a pivot that vanishes."""
    own = own_part(plan)
    _go(values, own, addresses, M, G, _friction(values, plan, F), values, PROGRAM.FACTOR)
    order = _order(own)
    left = view(values, order[FRONT_ORDER.FIRST], order[FRONT_ORDER.N_FRONTS])
    limit = _UNSAFE if own[RECURSIVE.USED] + 1 < own[RECURSIVE.N_ORDERS] else _SINGULAR
    smallest = np.inf
    for k in range(left.size):
        smallest = min(smallest, left[k])
        if not left[k] > limit:  # NaN too
            values[values.size - 1] = 0.0
            return k + 1
    values[values.size - 1] = smallest
    return 0


@compiled
def _take_next(plan: Ints) -> bool:
    """Use the next order from now on, if there is one."""
    own = own_part(plan)
    there = own[RECURSIVE.USED] + 1 < own[RECURSIVE.N_ORDERS]
    if there:
        own[RECURSIVE.USED] += 1
        plan[HEAD.TROUBLES] += 1
    return there


@factor_solver
def recursive_factor(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals) -> int:
    """Eliminate front by front, from the leaves to the root."""
    failed = _eliminate(values, plan, addresses, M, G, F)
    for _ in range(own_part(plan)[RECURSIVE.N_ORDERS]):
        if not (failed and _take_next(plan)):
            break
        failed = _eliminate(values, plan, addresses, M, G, F)
    return failed


@solve_solver
def recursive_solve(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> int:
    """Substitute to the root and back; with small pivots the solution is checked, and refined if need be."""
    n = right.size
    doubtful = not values[values.size - 1] > DOUBTFUL
    given = view(values, values.size - 1 - 3 * n, n)
    if doubtful:
        for i in range(n):
            given[i] = right[i]
    _substitute(values, plan, addresses, M, G, F, right)
    if not doubtful or _refined(values, plan, addresses, M, G, F, right):
        return 0
    for _ in range(own_part(plan)[RECURSIVE.N_ORDERS]):
        if not _take_next(plan):
            break
        if not _eliminate(values, plan, addresses, M, G, F):
            for i in range(n):
                right[i] = given[i]
            _substitute(values, plan, addresses, M, G, F, right)
            if _refined(values, plan, addresses, M, G, F, right):
                return 0
    return 1


@compiled
def _substitute(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> None:
    """Replace a right-hand side by the solution as the factors give it."""
    own, friction = own_part(plan), _friction(values, plan, F)
    _go(values, own, addresses, M, G, friction, right, PROGRAM.FORWARD)
    _go(values, own, addresses, M, G, friction, right, PROGRAM.BACKWARD)


@compiled
def _refined(values: Reals, plan: Ints, addresses: Ints, M: Reals, G: Reals, F: Reals, right: Reals) -> bool:
    """Refine a solution if need be; whether it is good."""
    n = right.size
    first = values.size - 1 - 3 * n
    given, residual, correction = view(values, first, n), view(values, first + n, n), view(values, first + 2 * n, n)
    for refinement in range(3):
        if solves(plan, M, G, F, right, given, residual):
            return True
        if refinement == 2:
            break
        for i in range(n):
            correction[i] = residual[i]
        _substitute(values, plan, addresses, M, G, F, correction)
        for i in range(n):
            right[i] += correction[i]
    return False


class _Found(NamedTuple):
    """Sources of the entries of the matrix, and its fronts for each order that there is."""

    entries: dict[tuple[int, int], list[Source]]
    orders: list[list[Front]]
    safe: list[bool]  # whether an order is safe for all values


_found: dict[bytes, _Found] = {}


def _find(structure: Structure) -> _Found:
    """Entries and fronts; those of the last structure are kept, as it is asked first whether there are any."""
    n_v, n_lam, M, G, F, _ = structure
    parts = [np.array([n_v, n_lam]), np.array(structure.bodies)]
    parts += [x for pattern in (M, G, F) for x in (pattern.rows, pattern.columns)]
    key = hashlib.sha256(b"|".join(np.asarray(part, dtype=np.int64).tobytes() for part in parts)).digest()
    if key not in _found:
        from dalembert.linalg.orders.front_code import F_ARRAY, G_ARRAY, M_ARRAY
        from dalembert.linalg.orders.fronts import Source, find_fronts

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
    if reason := structure.holds_nothing:
        return reason
    if _find(structure).orders:
        return ""
    return f"more than {LARGEST_FRONT} unknowns would have to be eliminated together"


def is_full(structure: Structure) -> bool:
    """Whether all is eliminated together: a full matrix, for which other modes need no code of its own."""
    return len(_find(structure).orders[0]) == 1


def front_multiplications(structure: Structure) -> int:
    """Multiplications of the elimination, in the order that takes fewest."""

    def of(front: Front) -> int:
        size = len(front.local)
        return sum((size - k) * (size - k + 1) // 2 for k in range(len(front.own)))

    return min(sum(map(of, fronts)) for fronts in _find(structure).orders)


def analyse_recursive(structure: Structure) -> Plan:
    """Fronts, their code, and where they find their numbers."""
    from dalembert.linalg.orders.fronts import plan_fronts

    n, n_F = structure.n_v + structure.n_lam, len(structure.F.rows)
    entries, orders, safe = _find(structure)
    # Also a safe order is watched where coordinates have no mass, or friction is in the matrix.
    plain = not n_F and not structure.massless

    def planned(k: int, start: int = 0) -> FrontPlan:
        return plan_fronts(orders[k], entries, symmetric=not n_F, watched=not (safe[k] and plain), start=start)

    plans = [planned(k) for k in range(len(orders))]
    # The less is stored, the less is computed; what is safe may cost a little more.
    sizes = [plan.value_size * (_SAFER if good else 1.0) for plan, good in zip(plans, safe, strict=True)]
    best = sizes.index(min(sizes))
    # What can fail has what cannot behind it.
    used = [
        plans[best],
        *(planned(k, plans[best].value_size) for k in range(len(orders)) if safe[k] and not safe[best]),
    ]
    classes = [front_class for plan in used for front_class in plan.classes]
    key = code_key(classes)
    code = kept_code(key, lambda: [function for front_class in classes for function in front_class.functions()])
    size = sum(plan.value_size for plan in used) + n_F + 3 * n + 1
    plan = plan_of("recursive", structure, [_own_lists(key, used)], size)
    kept = History(int(plan.ints[HEAD.OWN]) + RECURSIVE.USED, 1, 0, len(used) - 1)
    return plan._replace(code=code, history=(kept,) if len(used) > 1 else ())


def _own_lists(key: int, used: Sequence[FrontPlan]) -> NDArray[np.int64]:
    """Head and orders, each with the runs and offsets of its programs; functions are those of all orders."""
    orders: list[NDArray[np.int64]] = []
    classes = first = 0
    for plan in used:
        runs = [np.array(rows) for rows in plan.runs]
        for rows in runs:
            rows[:, FRONT_RUN.CLASS] += classes
        order = joined(with_starts([0, first, plan.fronts], [*(rows.reshape(-1) for rows in runs), plan.offsets]))
        order[FRONT_ORDER.SIZE] = len(order)
        orders.append(order)
        classes, first = classes + len(plan.classes), first + plan.value_size
    starts = [RECURSIVE.end, RECURSIVE.end + len(orders[0])]
    return joined([[key, PROGRAM.end * classes, len(used), 0, *starts], *orders])


def _orders(structure: Structure, entries: Iterable[tuple[int, int]]) -> list[list[Steps]]:
    """Orders of elimination: the one that is safe for every structure, and that along the tree if there is one."""
    rows, columns = zip(*entries, strict=True)
    pivots = zip(*structure.safe_order(rows, columns), strict=True)
    # A pair is two pivots off the diagonal, one the mirror image of the other.
    orders: list[list[Steps]] = [[[(i,) if i == j else (j, i)] for i, j in pivots if i == j or j < i]]
    along = tree_order(structure.bodies, set(structure.massless), structure.held(), structure.n_v)
    return orders if along is None else [*orders, along]
