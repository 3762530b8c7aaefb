"""Entry for calls from Python: one job on the arrays of a tree."""

from __future__ import annotations

from dalembert.equations.recursion.passes.sweep import find_sines, mass_matrix, start_from, sweep
from dalembert.equations.recursion.passes.words import JOB, PASS, direct_word
from dalembert.equations.recursion.tree.record import ARRAY
from dalembert.native.kernel import Ints, entry, ints_at, reals_at, view

#: Passes that jobs need.
PASSES = frozenset({
    "pose", "velocity", "start", "inward", "outward", "inverse", "gather", "external", "columns", "compose", "join"
})  # fmt: skip


@entry
def job(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Do a job: ``inputs`` are the addresses of the five arrays, ``outputs`` that of the mass matrix."""
    about = view(work, 0, direct_word.end)
    constants, q, v = reals_at(inputs[ARRAY.CONSTANTS], 1), reals_at(inputs[ARRAY.Q], 1), reals_at(inputs[ARRAY.V], 1)
    right, values = reals_at(inputs[ARRAY.RIGHT], 1), reals_at(inputs[ARRAY.VALUES], 1)
    start_from(values, -constants[0], -constants[1], -constants[2])
    find_sines(about, q, values, view(work, direct_word.TABLES, 2))
    if request in (JOB.FORWARD, JOB.FORWARD_LOADED):
        sweep(about, PASS.START, constants, q, v, right, values)
        if request == JOB.FORWARD_LOADED:
            sweep(about, PASS.EXTERNAL, constants, q, v, right, values)
        sweep(about, PASS.INWARD, constants, q, v, right, values)
        sweep(about, PASS.OUTWARD, constants, q, v, right, values)
    elif request in (JOB.INVERSE_DYNAMICS, JOB.INVERSE_LOADED):
        sweep(about, PASS.INVERSE, constants, q, v, right, values)
        if request == JOB.INVERSE_LOADED:
            sweep(about, PASS.EXTERNAL, constants, q, v, right, values)
        sweep(about, PASS.GATHER, constants, q, v, right, values)
    else:
        sweep(about, PASS.POSE, constants, q, v, right, values)
        if request == JOB.KINEMATICS:
            sweep(about, PASS.VELOCITY, constants, q, v, right, values)
        else:
            sweep(about, PASS.COLUMNS, constants, q, v, right, values)
            sweep(about, PASS.COMPOSE, constants, q, v, right, values)
            sweep(about, PASS.JOIN, constants, q, v, right, values)
            n_pairs = work[direct_word.N_PAIRS]
            lower, upper = ints_at(work[direct_word.LOWER], n_pairs), ints_at(work[direct_word.UPPER], n_pairs)
            mass_matrix(about, values, lower, upper, reals_at(outputs[0], 1))
    return 0
