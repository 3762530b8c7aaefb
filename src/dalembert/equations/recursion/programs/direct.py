"""Entry for calls from Python: one job on the arrays of a tree."""

from __future__ import annotations

from dalembert.equations.recursion.passes.sweep import (
    COLUMNS,
    COMPOSE,
    EXTERNAL,
    GATHER,
    INVERSE,
    INWARD,
    JOIN,
    OUTWARD,
    POSE,
    START,
    TREE_WORDS,
    VELOCITY,
    find_sines,
    mass_matrix,
    start_from,
    sweep,
)
from dalembert.native.kernel import Ints, entry, ints_at, reals_at, view

#: Jobs.
FORWARD, INVERSE_DYNAMICS, MASS_MATRIX, KINEMATICS, FORWARD_LOADED, INVERSE_LOADED = range(6)
N_JOBS = 6
PASSES = frozenset({
    "pose", "velocity", "start", "inward", "outward", "inverse", "gather", "external", "columns", "compose", "join"
})  # fmt: skip
#: Words of the workspace, after those of the tree: tables of the function of sines, places of entries of M and their
#: number.
TABLES, LOWER, UPPER, N_PAIRS = TREE_WORDS, TREE_WORDS + 2, TREE_WORDS + 3, TREE_WORDS + 4
WORDS = TREE_WORDS + 5


@entry
def job(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Do a job: ``inputs`` are the addresses of the five arrays, ``outputs`` that of the mass matrix."""
    about = view(work, 0, WORDS)
    constants, q, v = reals_at(inputs[0], 1), reals_at(inputs[1], 1), reals_at(inputs[2], 1)
    right, values = reals_at(inputs[3], 1), reals_at(inputs[4], 1)
    start_from(values, -constants[0], -constants[1], -constants[2])
    find_sines(about, q, values, view(work, TABLES, 2))
    if request in (FORWARD, FORWARD_LOADED):
        sweep(about, START, constants, q, v, right, values)
        if request == FORWARD_LOADED:
            sweep(about, EXTERNAL, constants, q, v, right, values)
        sweep(about, INWARD, constants, q, v, right, values)
        sweep(about, OUTWARD, constants, q, v, right, values)
    elif request in (INVERSE_DYNAMICS, INVERSE_LOADED):
        sweep(about, INVERSE, constants, q, v, right, values)
        if request == INVERSE_LOADED:
            sweep(about, EXTERNAL, constants, q, v, right, values)
        sweep(about, GATHER, constants, q, v, right, values)
    else:
        sweep(about, POSE, constants, q, v, right, values)
        if request == KINEMATICS:
            sweep(about, VELOCITY, constants, q, v, right, values)
        else:
            sweep(about, COLUMNS, constants, q, v, right, values)
            sweep(about, COMPOSE, constants, q, v, right, values)
            sweep(about, JOIN, constants, q, v, right, values)
            lower, upper = ints_at(work[LOWER], work[N_PAIRS]), ints_at(work[UPPER], work[N_PAIRS])
            mass_matrix(about, values, lower, upper, reals_at(outputs[0], 1))
    return 0
