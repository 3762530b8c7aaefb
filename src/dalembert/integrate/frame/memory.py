"""The memory of a run: where everything stands in its three arrays.

``ints`` holds sizes, options and counters, then the directory of fields; ``reals`` holds the fields: vectors and
matrices, the first of them named scalars.  Both together are the whole state of a run: stored and loaded, it goes on
bit for bit.  ``table`` holds addresses and is made anew by each process.

Constants in capitals are places.  :func:`field` gives a field as an array; no copy is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.linalg.plan import N_ADDRESSES
from dalembert.native.kernel import Ints, Reals, Run, compiled, view


def _numbered(names: str, first: int = 0) -> Iterator[int]:
    return iter(range(first, first + len(names.split())))


# ---------------------------------------------------------------------------------------------------------- ints

_INTS = """
N_TABLE N_INTS N_REALS
N_Q N_V N_U N_LAM N_G N_P N_Y
UNIT_T NORMAL FRICTION C_IS_G N_KKT
STAGES N_COEF N_ERRORS FSAL_EXTRA IMPLICIT
KEEP_DENSE CAPACITY RECORDED SLICE N_BREAKS NEXT_BREAK RESTART AFTER_REJECT
N_EVENTS N_CHECKS EVENT_CAPACITY EVENTS_RECORDED STOPPED_BY
FACTORED JACOBIAN_AGE HAVE_FACTORS HAVE_OLD_STEP NEWTON_LIMIT FAILURE
STEPS REJECTED NFEV NJEV NLU NSOLVE NEWTON_ITERATIONS NEWTON_FAILURES PROJECTIONS PROJECTION_ITERATIONS
EVENT_EVALUATIONS N_POINTS CHANGED NEWTON_SOLVER NEWTON_DONE SIGNS_FROM AVOIDED TELL
OWN_CONTROL ORDER ORDER_USED MIN_ORDER MAX_ORDER DENSE_LIMIT STANDARD N_COEF_Z COEF_UNUSED MONITOR
"""
(
    N_TABLE, N_INTS, N_REALS,
    N_Q, N_V, N_U, N_LAM, N_G, N_P, N_Y,
    UNIT_T, NORMAL, FRICTION, C_IS_G, N_KKT,
    STAGES, N_COEF, N_ERRORS, FSAL_EXTRA, IMPLICIT,
    KEEP_DENSE, CAPACITY, RECORDED, SLICE, N_BREAKS, NEXT_BREAK, RESTART, AFTER_REJECT,
    N_EVENTS, N_CHECKS, EVENT_CAPACITY, EVENTS_RECORDED, STOPPED_BY,
    FACTORED, JACOBIAN_AGE, HAVE_FACTORS, HAVE_OLD_STEP, NEWTON_LIMIT, FAILURE,
    STEPS, REJECTED, NFEV, NJEV, NLU, NSOLVE, NEWTON_ITERATIONS, NEWTON_FAILURES, PROJECTIONS, PROJECTION_ITERATIONS,
    EVENT_EVALUATIONS, N_POINTS, CHANGED, NEWTON_SOLVER, NEWTON_DONE, SIGNS_FROM, AVOIDED, TELL,
    OWN_CONTROL, ORDER, ORDER_USED, MIN_ORDER, MAX_ORDER, DENSE_LIMIT, STANDARD, N_COEF_Z, COEF_UNUSED, MONITOR,
) = _numbered(_INTS)  # fmt: skip
_N_SCALAR_INTS = len(_INTS.split())

# ----------------------------------------------------------------------------------------------------- real scalars

_SCALARS = """
T_NOW T_NEW T_END T_FROM T_LIMIT T_STOP H H_MIN H_MAX H_DONE H_OLD DIRECTION RTOL
ERROR ERROR_OLD ERROR_EXPONENT BETA SAFETY SHRINK GROW
SMALLEST_H LARGEST_H WORST_G
NEWTON_TOL THETA H_FACTORED RATE EVENT_SCALE CONDITION OLD_CONDITION H_AVOIDED
"""
(
    T_NOW, T_NEW, T_END, T_FROM, T_LIMIT, T_STOP, H, H_MIN, H_MAX, H_DONE, H_OLD, DIRECTION, RTOL,
    ERROR, ERROR_OLD, ERROR_EXPONENT, BETA, SAFETY, SHRINK, GROW,
    SMALLEST_H, LARGEST_H, WORST_G,
    NEWTON_TOL, THETA, H_FACTORED, RATE, EVENT_SCALE, CONDITION, OLD_CONDITION, H_AVOIDED,
) = _numbered(_SCALARS)  # fmt: skip
_N_SCALARS = len(_SCALARS.split())

# ---------------------------------------------------------------------------------------------------------- fields

_FIELDS = """
SCALARS
P T Q V U LAM A MU
X_QDOT X_A X_LAM X_D X_G X_GV X_DQ X_DV X_QN
C_T C_M C_f C_G C_gI C_g C_gamma C_d C_F C_C C_qn C_w
I_QDOT I_RESIDUAL I_G I_GV I_D I_JACOBIAN
RATES Y0 Z0 RATE0 Y1 Z1 RATE1 ATOL_Y WEIGHT ERROR_VECTOR COEF COEF_Z
KKT KKT_C RIGHT NEWTON_REAL NEWTON_COMPLEX METHOD TABLEAU
BREAKS RECORDS PHI0 PHI1 PHI THRESHOLD EVENT_RECORDS EVENT_Y EVENT_Z
POINTS
"""
(
    SCALARS,
    P, T, Q, V, U, LAM, A, MU,
    X_QDOT, X_A, X_LAM, X_D, X_G, X_GV, X_DQ, X_DV, X_QN,
    C_T, C_M, C_f, C_G, C_gI, C_g, C_gamma, C_d, C_F, C_C, C_qn, C_w,
    I_QDOT, I_RESIDUAL, I_G, I_GV, I_D, I_JACOBIAN,
    RATES, Y0, Z0, RATE0, Y1, Z1, RATE1, ATOL_Y, WEIGHT, ERROR_VECTOR, COEF, COEF_Z,
    KKT, KKT_C, RIGHT, NEWTON_REAL, NEWTON_COMPLEX, METHOD, TABLEAU,
    BREAKS, RECORDS, PHI0, PHI1, PHI, THRESHOLD, EVENT_RECORDS, EVENT_Y, EVENT_Z,
    POINTS,
) = _numbered(_FIELDS)  # fmt: skip
_N_FIELDS = len(_FIELDS.split())

# ------------------------------------------------------------------------------------------------ fields of integers

_INT_FIELDS = """
I_ROWS_T I_COLS_T I_ROWS_M I_COLS_M I_ROWS_G I_COLS_G I_ROWS_C I_COLS_C I_ROWS_F I_COLS_F
I_SADDLE I_SADDLE_C I_MAP_J I_COLS_J I_MAP_E I_PIVOTS_REAL I_PIVOTS_COMPLEX I_SPARSE_NEWTON
I_DIRECTIONS I_STOPS I_SIGNS
"""
(
    I_ROWS_T, I_COLS_T, I_ROWS_M, I_COLS_M, I_ROWS_G, I_COLS_G, I_ROWS_C, I_COLS_C, I_ROWS_F, I_COLS_F,
    I_SADDLE, I_SADDLE_C, I_MAP_J, I_COLS_J, I_MAP_E, I_PIVOTS_REAL, I_PIVOTS_COMPLEX, I_SPARSE_NEWTON,
    I_DIRECTIONS, I_STOPS, I_SIGNS,
) = _numbered(_INT_FIELDS)  # fmt: skip
_N_INT_FIELDS = len(_INT_FIELDS.split())

_DIRECTORY = _N_SCALAR_INTS
_INT_DIRECTORY = _DIRECTORY + 2 * _N_FIELDS
_FIRST_FREE = _INT_DIRECTORY + 2 * _N_INT_FIELDS

# ------------------------------------------------------------------------------------------------------------- table

_TABLE = """
ATTEMPT INTERPOLATE RATE_KERNEL PROJECT_KERNEL START_SIGNS FIND_EVENTS RATE_ENTRY RATE_WORK EXPLICIT EXPLICIT_WORK
CONTRACT CONTRACT_WORK IMPLICIT_ENTRY IMPLICIT_WORK EVENT EVENT_WORK DGETRF DGETRS ZGETRF ZGETRS
"""
(
    ATTEMPT, INTERPOLATE, RATE_KERNEL, PROJECT_KERNEL, START_SIGNS, FIND_EVENTS, RATE_ENTRY, RATE_WORK, EXPLICIT,
    EXPLICIT_WORK, CONTRACT, CONTRACT_WORK, IMPLICIT_ENTRY, IMPLICIT_WORK, EVENT, EVENT_WORK, DGETRF, DGETRS, ZGETRF,
    ZGETRS,
) = _numbered(_TABLE)  # fmt: skip
IN = len(_TABLE.split())  # eight addresses of inputs
RATE_OUT = IN + 8
EXPLICIT_OUT = RATE_OUT + 4
CONTRACT_OUT = EXPLICIT_OUT + 9
IMPLICIT_OUT = CONTRACT_OUT + 12
EVENT_OUT = IMPLICIT_OUT + 6
SADDLE = EVENT_OUT + 1  # addresses of dalembert.linalg.saddle
TABLE_SIZE = SADDLE + N_ADDRESSES

# ----------------------------------------------------------------------------------------------------------- outcomes

#: How an attempt, a projection or an evaluation can end.
OK, NOT_FINITE, NEWTON_FAILED, PROJECTION_FAILED, SINGULAR, RAISED = range(6)
#: Reals per step for a monitor: size, order, error, attempts given up so far, evaluations so far.
MONITORED = 5
#: Why the frame returns.
FINISHED, SLICE_DONE, BUFFER_FULL, EVENT_FOUND, UNDERFLOW, STOPPED_BY_EXCEPTION = range(6)


@compiled
def field(run: Run, k: int) -> Reals:
    """Field k of the reals."""
    at = _DIRECTORY + 2 * k
    return view(run.reals, run.ints[at], run.ints[at + 1])


@compiled
def int_field(run: Run, k: int) -> Ints:
    """Field k of the ints."""
    at = _INT_DIRECTORY + 2 * k
    return view(run.ints, run.ints[at], run.ints[at + 1])


class Layout(NamedTuple):
    """Where everything stands: the ints as they are at the start of a run, starts of the fields, number of reals."""

    ints: NDArray[np.int64]
    starts: tuple[int, ...]
    n_reals: int


def lay_out(scalars: Mapping[int, int], sizes: Mapping[int, int], int_fields: Mapping[int, Any]) -> Layout:
    """Layout with the given ints, fields of the given sizes (others are empty) and integer fields."""
    ints = np.zeros(_FIRST_FREE + sum(len(values) for values in int_fields.values()), dtype=np.int64)
    for place, value in scalars.items():
        ints[place] = value
    at = 0
    starts: list[int] = []
    directory: list[int] = []
    for k in range(_N_FIELDS):
        size = _N_SCALARS if k == SCALARS else int(sizes.get(k, 0))
        directory += (at, size)
        starts.append(at)
        at += -(-size // 8) * 8  # fields start at cache lines
    n_reals = max(at, 1)
    at = _FIRST_FREE
    for k in range(_N_INT_FIELDS):
        values = int_fields.get(k, ())
        directory += (at, len(values))
        if len(values):
            ints[at : at + len(values)] = values
        at += len(values)
    ints[_DIRECTORY:_FIRST_FREE] = directory
    ints[N_TABLE], ints[N_INTS], ints[N_REALS] = TABLE_SIZE, len(ints), n_reals
    return Layout(ints, tuple(starts), n_reals)


def allocate(layout: Layout) -> tuple[Run, list[int]]:
    """Arrays of a new run, and the addresses of its fields, for the tables of inputs and outputs."""
    run = Run(np.zeros(TABLE_SIZE, dtype=np.int64), layout.ints.copy(), np.zeros(layout.n_reals))
    base = int(run.reals.ctypes.data)
    return run, [base + 8 * start for start in layout.starts]
