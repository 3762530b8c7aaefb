"""Compiled parts that all programs share: constants, poses, velocities, elements, kinematics of the coordinates."""

from __future__ import annotations

import numpy as np

from dalembert.equations.recursion.passes import words as w
from dalembert.equations.recursion.passes.multiply import times_J
from dalembert.equations.recursion.passes.sweep import (
    ARTICULATE,
    BODIES,
    EXTERNAL,
    INWARD,
    OUTWARD,
    POSE,
    START,
    TWISTS,
    VELOCITY,
    find_sines,
    start_from,
    sweep,
)
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, ints_at, reals_at, view

#: Request bits of the program "contract" of the elements.
BIT_T, BIT_M, BIT_F_APPLIED, BIT_G, BIT_GI, BIT_POSITIONS, BIT_GAMMA, BIT_D, BIT_F, BIT_C, BIT_QN, BIT_W = (
    1 << k for k in range(12)
)
#: Numbers of inputs.
NEW_T, NEW_Q, NEW_V, NOTHING_NEW = 1, 2, 3, 8
#: Status if a function behind the elements raised.
RAISED = 1


@compiled
def go(work: Ints, inputs: Ints, number: int) -> None:
    """One pass."""
    sweep(
        view(work, 0, 1), number, reals_at(work[w.CONSTANTS], 1), reals_at(inputs[2], 1), reals_at(inputs[3], 1),
        reals_at(work[w.RIGHT], 1), reals_at(work[w.VALUES], 1),
    )  # fmt: skip


@compiled
def find_constants(work: Ints, inputs: Ints) -> None:
    """Constants of the links follow parameters where these are new."""
    p, known = reals_at(inputs[0], work[w.N_P]), reals_at(work[w.P_COPY], work[w.N_P])
    same = work[w.KNOWN_P] == 1
    for k in range(p.size):
        if p[k] != known[k]:
            same = False
    if same:
        return
    for k in range(p.size):
        known[k] = p[k]
    work[w.KNOWN_P], work[w.POSE_KNOWN], work[w.VELOCITY_KNOWN], work[w.PENDING] = 1, 0, 0, 0
    if work[w.N_VARYING] == 0:
        return
    work[w.CONSTANT_IN] = inputs[0]
    call_entry(
        work[w.CONSTANT_CODE], 1, 0, view(work, w.CONSTANT_IN, 1), view(work, w.CONSTANT_TABLE, 1),
        work[w.CONSTANT_WORK],
    )  # fmt: skip
    constants, found = reals_at(work[w.CONSTANTS], 1), reals_at(work[w.CONSTANT_OUT], work[w.N_VARYING])
    places = ints_at(work[w.CONSTANT_PLACES], found.size)
    for k in range(found.size):
        constants[places[k]] = found[k]


@compiled
def note_changes(work: Ints, inputs: Ints, changed: int) -> None:
    """What is known no longer."""
    find_constants(work, inputs)
    if changed <= NEW_Q:
        work[w.POSE_KNOWN] = 0
    if changed <= NEW_V:
        work[w.VELOCITY_KNOWN] = 0
    work[w.PENDING] = min(work[w.PENDING], changed)


@compiled
def place_bodies(work: Ints, inputs: Ints) -> None:
    """Extended coordinates: poses of the bodies, then all coordinates."""
    go(work, inputs, BODIES)
    q = reals_at(inputs[2], work[w.N_Q] + work[w.N_THETA])
    extended = view(reals_at(work[w.VALUES], 1), work[w.X_AT] + 7 * work[w.N_BODIES], q.size)
    for k in range(q.size):
        extended[k] = q[k]


@compiled
def move_bodies(work: Ints, inputs: Ints) -> None:
    """Extended velocities: twists of the bodies, then velocities of the joints."""
    go(work, inputs, TWISTS)
    v = reals_at(inputs[3], work[w.N_V])
    extended = view(reals_at(work[w.VALUES], 1), work[w.TWIST_AT] + 6 * work[w.N_BODIES], v.size)
    for k in range(v.size):
        extended[k] = v[k]


@compiled
def find_pose(work: Ints, inputs: Ints) -> None:
    if work[w.POSE_KNOWN]:
        return
    find_sines(
        view(work, 0, 1), reals_at(inputs[2], 1), reals_at(work[w.VALUES], 1), view(work, w.SINE_TABLES, 2)
    )  # fmt: skip
    go(work, inputs, POSE)
    if work[w.ELEMENTS]:
        place_bodies(work, inputs)
    work[w.POSE_KNOWN], work[w.VELOCITY_KNOWN] = 1, 0


@compiled
def find_velocity(work: Ints, inputs: Ints) -> None:
    find_pose(work, inputs)
    if work[w.VELOCITY_KNOWN]:
        return
    go(work, inputs, VELOCITY)
    if work[w.ELEMENTS]:
        move_bodies(work, inputs)
    work[w.VELOCITY_KNOWN] = 1


@compiled
def point_elements(work: Ints, inputs: Ints) -> None:
    """Addresses of the extended point."""
    values_at = work[w.VALUES]
    for k in range(8):
        work[w.ELEMENT_IN + k] = inputs[k]
    work[w.ELEMENT_IN + 2] = values_at + 8 * work[w.X_AT]
    work[w.ELEMENT_IN + 3] = values_at + 8 * work[w.TWIST_AT]
    work[w.ELEMENT_IN + 6] = values_at + 8 * work[w.BIAS_AT]
    if work[w.ZERO_MU]:  # elements know nothing of what holds the coordinates of the tree to the constraints
        work[w.ELEMENT_IN + 7] = work[w.ZERO_MU]


@compiled
def ask_elements(work: Ints, inputs: Ints, request: int) -> int:
    """Outputs of the elements at the extended point."""
    point_elements(work, inputs)
    status = call_entry(
        work[w.ELEMENTS], request, work[w.PENDING], view(work, w.ELEMENT_IN, 8), view(work, w.ELEMENT_OUT, 12),
        work[w.ELEMENT_WORK],
    )  # fmt: skip
    work[w.PENDING] = NOTHING_NEW
    return RAISED if status else 0


@compiled
def element_output(work: Ints, number: int, size: int) -> Reals:
    return reals_at(work[w.ELEMENT_OUT + number], size)


@compiled
def joint_forces(work: Ints) -> Reals:
    """What elements exert on the joints' own velocities."""
    return view(reals_at(work[w.VALUES], 1), work[w.WRENCH_AT] + 6 * work[w.N_BODIES], work[w.N_V])


@compiled
def right_side(work: Ints) -> Reals:
    return reals_at(work[w.RIGHT], work[w.N_V])


@compiled
def accelerate_world(work: Ints, gravity: float) -> None:
    """Gravity, or none of it."""
    g = reals_at(work[w.CONSTANTS], 3)
    start_from(reals_at(work[w.VALUES], 1), -gravity * g[0], -gravity * g[1], -gravity * g[2])


@compiled
def kinematic_matrix(work: Ints, inputs: Ints, out: Reals) -> None:
    """T: ones, ½ L(p)ᵀ for Euler parameters, and rows of elements."""
    ones = ints_at(work[w.ONES_T], work[w.N_ONES_T])
    for k in range(ones.size):
        out[ones[k]] = 1.0
    turns, q = ints_at(work[w.TURNS], w.TURN_WORDS * work[w.N_TURNS]), reals_at(inputs[2], 1)
    for k in range(work[w.N_TURNS]):
        turn = view(turns, w.TURN_WORDS * k, w.TURN_WORDS)
        p = view(q, turn[0], 4)
        p0, p1, p2, p3 = 0.5 * p[0], 0.5 * p[1], 0.5 * p[2], 0.5 * p[3]
        at = view(turn, 2, 12)
        out[at[0]], out[at[1]], out[at[2]], out[at[3]] = -p1, p0, p3, -p2
        out[at[4]], out[at[5]], out[at[6]], out[at[7]] = -p2, -p3, p0, p1
        out[at[8]], out[at[9]], out[at[10]], out[at[11]] = -p3, p2, -p1, p0
    if work[w.N_THETA]:
        times_J(
            work[w.PRODUCT_T], view(work, 0, 1), reals_at(work[w.CONSTANTS], 1), reals_at(work[w.VALUES], 1),
            element_output(work, 0, 1), out,
        )  # fmt: skip


@compiled
def rates_of_coordinates(work: Ints, inputs: Ints, v: Reals, out: Reals) -> None:
    """T v of the joints."""
    plain = ints_at(work[w.PLAIN], 2 * work[w.N_PLAIN])
    for k in range(0, plain.size, 2):
        out[plain[k]] = v[plain[k + 1]]
    turns, q = ints_at(work[w.TURNS], w.TURN_WORDS * work[w.N_TURNS]), reals_at(inputs[2], 1)
    for k in range(work[w.N_TURNS]):
        turn = view(turns, w.TURN_WORDS * k, 2)
        p, rate = view(q, turn[0], 4), view(out, turn[0], 4)
        x, y, z = 0.5 * v[turn[1]], 0.5 * v[turn[1] + 1], 0.5 * v[turn[1] + 2]
        rate[0] = -p[1] * x - p[2] * y - p[3] * z
        rate[1] = p[0] * x - p[3] * y + p[2] * z
        rate[2] = p[3] * x + p[0] * y - p[1] * z
        rate[3] = -p[2] * x + p[1] * y + p[0] * z


@compiled
def rates_of_elements(work: Ints, out: Reals) -> None:
    """Rates of the coordinates that elements own, from rows of their T and the extended velocities."""
    entries, T = ints_at(work[w.THETA_T], 3 * work[w.N_THETA_T]), element_output(work, 0, 1)
    twist = view(reals_at(work[w.VALUES], 1), work[w.TWIST_AT], 1)
    for k in range(work[w.N_THETA]):
        out[work[w.N_Q] + k] = 0.0
    for k in range(0, entries.size, 3):
        out[work[w.N_Q] + entries[k]] += T[entries[k + 2]] * twist[entries[k + 1]]


@compiled
def normalise(work: Ints, inputs: Ints, out: Reals) -> int:
    """q with Euler parameters of length one, and what elements make of their coordinates."""
    n = work[w.N_Q] + work[w.N_THETA]
    q = reals_at(inputs[2], n)
    for k in range(n):
        out[k] = q[k]
    turns = ints_at(work[w.TURNS], w.TURN_WORDS * work[w.N_TURNS])
    for k in range(work[w.N_TURNS]):
        p = view(out, turns[w.TURN_WORDS * k], 4)
        length = np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
        for i in range(4):
            p[i] /= length
    if work[w.THETA_NORMAL]:
        find_pose(work, inputs)
        if ask_elements(work, inputs, BIT_QN):
            return RAISED
        first = 7 * work[w.N_BODIES] + work[w.N_Q]
        normal = element_output(work, 10, first + work[w.N_THETA])
        for k in range(work[w.N_THETA]):
            out[work[w.N_Q] + k] = normal[first + k]
    return 0


@compiled
def accelerations(work: Ints, inputs: Ints, more: int) -> int:
    """Accelerations of a tree without constraints, left in RIGHT; ``more``: what else elements are asked for."""
    right = right_side(work)
    if work[w.ELEMENTS]:
        find_velocity(work, inputs)
        if ask_elements(work, inputs, BIT_F_APPLIED | more):
            return RAISED
        applied = joint_forces(work)
        for k in range(right.size):
            right[k] = applied[k]
        accelerate_world(work, 1.0)
        go(work, inputs, ARTICULATE)
        go(work, inputs, EXTERNAL)
    else:
        for k in range(right.size):
            right[k] = 0.0
        accelerate_world(work, 1.0)
        find_sines(
            view(work, 0, 1), reals_at(inputs[2], 1), reals_at(work[w.VALUES], 1), view(work, w.SINE_TABLES, 2)
        )  # fmt: skip
        go(work, inputs, START)
    go(work, inputs, INWARD)
    go(work, inputs, OUTWARD)
    return 0
