"""Compiled parts that all programs share: constants, poses, velocities, elements, kinematics of the coordinates."""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, CONTRACT_OUTPUT, STAGE
from dalembert.equations.recursion.passes.multiply import times_J
from dalembert.equations.recursion.passes.sweep import find_sines, start_from, sweep
from dalembert.equations.recursion.passes.words import PASS, theta_word, turn_word, word
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, ints_at, reals_at, view

#: Status if a function behind the elements raised.
RAISED = 1


@compiled
def go(work: Ints, inputs: Ints, number: int) -> None:
    """One pass."""
    sweep(
        view(work, 0, 1), number, reals_at(work[word.CONSTANTS], 1), reals_at(inputs[STAGE.Q], 1),
        reals_at(inputs[STAGE.V], 1), reals_at(work[word.RIGHT], 1), reals_at(work[word.VALUES], 1),
    )  # fmt: skip


@compiled
def find_constants(work: Ints, inputs: Ints) -> None:
    """Constants of the links follow parameters where these are new."""
    p, known = reals_at(inputs[STAGE.P], work[word.N_P]), reals_at(work[word.P_COPY], work[word.N_P])
    same = work[word.KNOWN_P] == 1
    for k in range(p.size):
        if p[k] != known[k]:
            same = False
    if same:
        return
    for k in range(p.size):
        known[k] = p[k]
    work[word.KNOWN_P], work[word.POSE_KNOWN], work[word.VELOCITY_KNOWN], work[word.PENDING] = 1, 0, 0, 0
    if work[word.N_VARYING] == 0:
        return
    work[word.CONSTANT_IN] = inputs[STAGE.P]
    call_entry(
        work[word.CONSTANT_CODE], 1, 0, view(work, word.CONSTANT_IN, 1), view(work, word.CONSTANT_TABLE, 1),
        work[word.CONSTANT_WORK],
    )  # fmt: skip
    constants, found = reals_at(work[word.CONSTANTS], 1), reals_at(work[word.CONSTANT_OUT], work[word.N_VARYING])
    places = ints_at(work[word.CONSTANT_PLACES], found.size)
    for k in range(found.size):
        constants[places[k]] = found[k]


@compiled
def note_changes(work: Ints, inputs: Ints, changed: int) -> None:
    """What is known no longer."""
    find_constants(work, inputs)
    if changed <= STAGE.Q:
        work[word.POSE_KNOWN] = 0
    if changed <= STAGE.V:
        work[word.VELOCITY_KNOWN] = 0
    work[word.PENDING] = min(work[word.PENDING], changed)


@compiled
def place_bodies(work: Ints, inputs: Ints) -> None:
    """Extended coordinates: poses of the bodies, then all coordinates."""
    go(work, inputs, PASS.BODIES)
    q = reals_at(inputs[STAGE.Q], work[word.N_Q] + work[word.N_THETA])
    extended = view(reals_at(work[word.VALUES], 1), work[word.X_AT] + 7 * work[word.N_BODIES], q.size)
    for k in range(q.size):
        extended[k] = q[k]


@compiled
def move_bodies(work: Ints, inputs: Ints) -> None:
    """Extended velocities: twists of the bodies, then velocities of the joints."""
    go(work, inputs, PASS.TWISTS)
    v = reals_at(inputs[STAGE.V], work[word.N_V])
    extended = view(reals_at(work[word.VALUES], 1), work[word.TWIST_AT] + 6 * work[word.N_BODIES], v.size)
    for k in range(v.size):
        extended[k] = v[k]


@compiled
def _sines(work: Ints, inputs: Ints) -> None:
    """Sines and cosines of all joint angles."""
    q, values = reals_at(inputs[STAGE.Q], 1), reals_at(work[word.VALUES], 1)
    find_sines(view(work, 0, 1), q, values, view(work, word.SINE_TABLES, 2))


@compiled
def find_pose(work: Ints, inputs: Ints) -> None:
    if work[word.POSE_KNOWN]:
        return
    _sines(work, inputs)
    go(work, inputs, PASS.POSE)
    if work[word.ELEMENTS]:
        place_bodies(work, inputs)
    work[word.POSE_KNOWN], work[word.VELOCITY_KNOWN] = 1, 0


@compiled
def find_velocity(work: Ints, inputs: Ints) -> None:
    find_pose(work, inputs)
    if work[word.VELOCITY_KNOWN]:
        return
    go(work, inputs, PASS.VELOCITY)
    if work[word.ELEMENTS]:
        move_bodies(work, inputs)
    work[word.VELOCITY_KNOWN] = 1


@compiled
def point_elements(work: Ints, inputs: Ints) -> None:
    """Addresses of the extended point."""
    values_at = work[word.VALUES]
    for k in range(STAGE.end):
        work[word.ELEMENT_IN + k] = inputs[k]
    work[word.ELEMENT_IN + STAGE.Q] = values_at + 8 * work[word.X_AT]
    work[word.ELEMENT_IN + STAGE.V] = values_at + 8 * work[word.TWIST_AT]
    work[word.ELEMENT_IN + STAGE.A] = values_at + 8 * work[word.BIAS_AT]
    if work[word.ZERO_MU]:  # elements know nothing of what holds the coordinates of the tree to the constraints
        work[word.ELEMENT_IN + STAGE.MU] = work[word.ZERO_MU]


@compiled
def ask_elements(work: Ints, inputs: Ints, request: int) -> int:
    """Outputs of the elements at the extended point."""
    point_elements(work, inputs)
    status = call_entry(
        work[word.ELEMENTS], request, work[word.PENDING], view(work, word.ELEMENT_IN, STAGE.end),
        view(work, word.ELEMENT_OUT, CONTRACT_OUTPUT.end), work[word.ELEMENT_WORK],
    )  # fmt: skip
    work[word.PENDING] = STAGE.end  # nothing is new
    return RAISED if status else 0


@compiled
def element_output(work: Ints, number: int, size: int) -> Reals:
    return reals_at(work[word.ELEMENT_OUT + number], size)


@compiled
def joint_forces(work: Ints) -> Reals:
    """What elements exert on the joints' own velocities."""
    return view(reals_at(work[word.VALUES], 1), work[word.WRENCH_AT] + 6 * work[word.N_BODIES], work[word.N_V])


@compiled
def right_side(work: Ints) -> Reals:
    return reals_at(work[word.RIGHT], work[word.N_V])


@compiled
def accelerate_world(work: Ints, gravity: float) -> None:
    """Gravity, or none of it."""
    g = reals_at(work[word.CONSTANTS], 3)
    start_from(reals_at(work[word.VALUES], 1), -gravity * g[0], -gravity * g[1], -gravity * g[2])


@compiled
def kinematic_matrix(work: Ints, inputs: Ints, out: Reals) -> None:
    """T of the joints: ones, and ½ L(p)ᵀ for Euler parameters."""
    ones = ints_at(work[word.ONES_T], work[word.N_ONES_T])
    for k in range(ones.size):
        out[ones[k]] = 1.0
    turns, q = ints_at(work[word.TURNS], turn_word.end * work[word.N_TURNS]), reals_at(inputs[STAGE.Q], 1)
    for k in range(work[word.N_TURNS]):
        turn = view(turns, turn_word.end * k, turn_word.end)
        p = view(q, turn[turn_word.Q], 4)
        p0, p1, p2, p3 = 0.5 * p[0], 0.5 * p[1], 0.5 * p[2], 0.5 * p[3]
        x, y, z = view(out, turn[turn_word.X], 4), view(out, turn[turn_word.Y], 4), view(out, turn[turn_word.Z], 4)
        x[0], x[1], x[2], x[3] = -p1, p0, p3, -p2
        y[0], y[1], y[2], y[3] = -p2, -p3, p0, p1
        z[0], z[1], z[2], z[3] = -p3, p2, -p1, p0


@compiled
def kinematics_of_elements(work: Ints, given: Reals, out: Reals) -> None:
    """Rows of T for the coordinates that elements own: rows of their T, ``given``, times J."""
    if work[word.N_THETA]:
        times_J(
            work[word.PRODUCT_T], view(work, 0, 1), reals_at(work[word.CONSTANTS], 1), reals_at(work[word.VALUES], 1),
            given, out,
        )  # fmt: skip


@compiled
def rates_of_coordinates(work: Ints, inputs: Ints, v: Reals, out: Reals) -> None:
    """T v of the joints."""
    plain = ints_at(work[word.PLAIN], 2 * work[word.N_PLAIN])
    for k in range(0, plain.size, 2):
        out[plain[k]] = v[plain[k + 1]]
    turns, q = ints_at(work[word.TURNS], turn_word.end * work[word.N_TURNS]), reals_at(inputs[STAGE.Q], 1)
    for k in range(work[word.N_TURNS]):
        first_q, first_v = turns[turn_word.end * k + turn_word.Q], turns[turn_word.end * k + turn_word.V]
        p, rate = view(q, first_q, 4), view(out, first_q, 4)
        x, y, z = 0.5 * v[first_v], 0.5 * v[first_v + 1], 0.5 * v[first_v + 2]
        rate[0] = -p[1] * x - p[2] * y - p[3] * z
        rate[1] = p[0] * x - p[3] * y + p[2] * z
        rate[2] = p[3] * x + p[0] * y - p[1] * z
        rate[3] = -p[2] * x + p[1] * y + p[0] * z


@compiled
def rates_of_elements(work: Ints, out: Reals) -> None:
    """Rates of the coordinates that elements own, from rows of their T and the extended velocities."""
    entries = ints_at(work[word.THETA_T], theta_word.end * work[word.N_THETA_T])
    T = element_output(work, CONTRACT_OUTPUT.T, 1)
    twist = view(reals_at(work[word.VALUES], 1), work[word.TWIST_AT], 1)
    for k in range(work[word.N_THETA]):
        out[work[word.N_Q] + k] = 0.0
    for k in range(0, entries.size, theta_word.end):
        row, column = entries[k + theta_word.ROW], entries[k + theta_word.COLUMN]
        out[work[word.N_Q] + row] += T[entries[k + theta_word.ENTRY]] * twist[column]


@compiled
def normalise(work: Ints, inputs: Ints, out: Reals) -> int:
    """q with Euler parameters of length one, and what elements make of their coordinates."""
    n = work[word.N_Q] + work[word.N_THETA]
    q = reals_at(inputs[STAGE.Q], n)
    for k in range(n):
        out[k] = q[k]
    turns = ints_at(work[word.TURNS], turn_word.end * work[word.N_TURNS])
    for k in range(work[word.N_TURNS]):
        p = view(out, turns[turn_word.end * k + turn_word.Q], 4)
        length = np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
        for i in range(4):
            p[i] /= length
    if work[word.THETA_NORMAL]:
        find_pose(work, inputs)
        if ask_elements(work, inputs, CONTRACT.qn):
            return RAISED
        first = 7 * work[word.N_BODIES] + work[word.N_Q]
        normal = element_output(work, CONTRACT_OUTPUT.qn, first + work[word.N_THETA])
        for k in range(work[word.N_THETA]):
            out[work[word.N_Q] + k] = normal[first + k]
    return 0


@compiled
def accelerations(work: Ints, inputs: Ints, more: int) -> int:
    """Accelerations of a tree without constraints, left in RIGHT; ``more``: what else elements are asked for."""
    right = right_side(work)
    if work[word.ELEMENTS]:
        find_velocity(work, inputs)
        if ask_elements(work, inputs, CONTRACT.f | more):
            return RAISED
        applied = joint_forces(work)
        for k in range(right.size):
            right[k] = applied[k]
        accelerate_world(work, 1.0)
        go(work, inputs, PASS.ARTICULATE)
        go(work, inputs, PASS.EXTERNAL)
    else:
        for k in range(right.size):
            right[k] = 0.0
        accelerate_world(work, 1.0)
        _sines(work, inputs)
        go(work, inputs, PASS.START)
    go(work, inputs, PASS.INWARD)
    go(work, inputs, PASS.OUTWARD)
    return 0
