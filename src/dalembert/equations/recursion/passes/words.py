"""Words of the workspace of a program: what compiled entries know about a tree and its elements."""

from __future__ import annotations

from dalembert.equations.recursion.passes.sweep import TREE_WORDS

(
    CONSTANTS, VALUES, RIGHT,  # arrays
    N_Q, N_V, N_THETA, N_U, N_LAM, N_G, N_P,  # joint coordinates, velocities, coordinates of elements, …
    N_BODIES, X_AT, TWIST_AT, BIAS_AT, WRENCH_AT,
    KNOWN_P, P_COPY, CONSTANT_CODE, CONSTANT_PLACES, N_VARYING, CONSTANT_OUT, CONSTANT_WORK,
    ELEMENTS, ELEMENT_WORK, PENDING, POSE_KNOWN, VELOCITY_KNOWN,
    LOWER, UPPER, N_PAIRS, MORE_M, N_MORE_M,  # mass matrix
    PRODUCT_G, PRODUCT_C, PRODUCT_F, PRODUCT_T,  # products with J
    G_ROWS, G_COLUMNS, N_G_ENTRIES,
    ONES_T, N_ONES_T, TURNS, N_TURNS,  # T: places of ones; joints with Euler parameters
    PLAIN, N_PLAIN,  # coordinates that are integrals of velocities, with these
    THETA_T, N_THETA_T,
    UNIT_T, N_QN, THETA_NORMAL,
) = range(TREE_WORDS, TREE_WORDS + 50)  # fmt: skip
SINE_TABLES = TREE_WORDS + 50  # two addresses
ELEMENT_IN = SINE_TABLES + 2  # eight addresses
ELEMENT_OUT = ELEMENT_IN + 8  # twelve addresses
CONSTANT_IN = ELEMENT_OUT + 12  # one address
CONSTANT_TABLE = CONSTANT_IN + 1  # one address
FIRST_OF_IMPLICIT = CONSTANT_TABLE + 1
(
    ROWS, PREORDER, PREORDER_PLACE, SUBTREE, BODY_OF, TANGENT, GATHERED, COLUMN, JACOBIAN_STARTS, JACOBIAN_TARGETS,
    LINK_JOBS, N_LINK_JOBS, COLUMN_JOBS, N_COLUMN_JOBS, COLUMN_STARTS, DRIFT, N_DRIFT, C_VALUES, C_ROWS, C_COLUMNS, N_C,
    T_VALUES, DRIFTING, ZERO_MU, FIRST_X, FIRST_V, FIRST_A, POSITIONS, POSITIONS_WORK, C_GIVEN, POSITIONS_OUT,
    SCRATCH, COEFFICIENTS,
) = range(FIRST_OF_IMPLICIT, FIRST_OF_IMPLICIT + 33)  # fmt: skip
N_WORDS = FIRST_OF_IMPLICIT + 33
#: Words about a joint with Euler parameters: its first parameter among the coordinates, its first angular velocity,
#: twelve places in T by columns.
TURN_WORDS = 14
