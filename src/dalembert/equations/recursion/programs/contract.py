"""Compiled programs of a tree: "contract", and "explicit" with "rate" (see dalembert.equations.contract.provider)."""

from __future__ import annotations

from dalembert.equations.recursion.passes import words as w
from dalembert.equations.recursion.passes.multiply import times_J
from dalembert.equations.recursion.passes.state import (
    BIT_C,
    BIT_D,
    BIT_F,
    BIT_F_APPLIED,
    BIT_G,
    BIT_GAMMA,
    BIT_GI,
    BIT_M,
    BIT_POSITIONS,
    BIT_QN,
    BIT_T,
    BIT_W,
    NEW_T,
    RAISED,
    accelerate_world,
    accelerations,
    ask_elements,
    element_output,
    find_pose,
    find_velocity,
    go,
    joint_forces,
    kinematic_matrix,
    normalise,
    note_changes,
    rates_of_coordinates,
    rates_of_elements,
    right_side,
)
from dalembert.equations.recursion.passes.sweep import (
    BIAS,
    COLUMNS,
    COMPOSE,
    EXTERNAL,
    GATHER,
    INERTIAL,
    JOIN,
    mass_matrix,
)
from dalembert.native.kernel import Ints, Reals, compiled, entry, ints_at, reals_at, view


@compiled
def _without_acceleration(work: Ints, inputs: Ints, gravity: float) -> None:
    """Wrenches, and accelerations, of a motion in which no velocity of a joint changes."""
    right = right_side(work)
    for k in range(right.size):
        right[k] = 0.0
    accelerate_world(work, gravity)
    go(work, inputs, INERTIAL)


@compiled
def _forces(work: Ints, inputs: Ints, out: Reals) -> None:
    """f = Jᵀ f_abs − bias of the links."""
    _without_acceleration(work, inputs, 1.0)
    if work[w.ELEMENTS]:
        go(work, inputs, EXTERNAL)
    go(work, inputs, GATHER)
    right = right_side(work)
    for k in range(right.size):
        out[k] = -right[k]
    if work[w.ELEMENTS]:
        applied = joint_forces(work)
        for k in range(right.size):
            out[k] += applied[k]


@compiled
def _gamma(work: Ints, inputs: Ints, out: Reals) -> None:
    """γ = γ_abs − G_abs J̇ v."""
    _without_acceleration(work, inputs, 0.0)
    go(work, inputs, BIAS)
    rows, columns = ints_at(work[w.G_ROWS], work[w.N_G_ENTRIES]), ints_at(work[w.G_COLUMNS], work[w.N_G_ENTRIES])
    G, bias = element_output(work, 3, rows.size), view(reals_at(work[w.VALUES], 1), work[w.BIAS_AT], 1)
    given = element_output(work, 6, work[w.N_LAM])
    for k in range(given.size):
        out[k] = given[k]
    for k in range(rows.size):
        out[rows[k]] -= G[k] * bias[columns[k]]


@compiled
def _mass_matrix(work: Ints, inputs: Ints, out: Reals) -> None:
    about, values = view(work, 0, 1), reals_at(work[w.VALUES], 1)
    accelerate_world(work, 1.0)
    go(work, inputs, COMPOSE)
    go(work, inputs, JOIN)
    lower, upper = ints_at(work[w.LOWER], work[w.N_PAIRS]), ints_at(work[w.UPPER], work[w.N_PAIRS])
    more = ints_at(work[w.MORE_M], 2 * work[w.N_MORE_M])
    for k in range(0, more.size, 2):
        out[more[k + 1]] = 0.0
    mass_matrix(about, values, lower, upper, out)
    given = element_output(work, 1, 1)
    for k in range(0, more.size, 2):
        out[more[k + 1]] += given[more[k]]


@compiled
def _from_elements(request: int, work: Ints, inputs: Ints, outputs: Ints) -> int:
    """Evaluate what elements say about the outputs; vectors that pass unchanged go to their places."""
    if work[w.ELEMENTS] == 0:
        return 0
    for k in (4, 5, 7, 11):  # gI, g, d, w
        work[w.ELEMENT_OUT + k] = outputs[k]
    asked = request & (BIT_F_APPLIED | BIT_G | BIT_GI | BIT_POSITIONS | BIT_GAMMA | BIT_D | BIT_F | BIT_C | BIT_W)
    if request & BIT_GAMMA:
        asked |= BIT_G
    if work[w.N_MORE_M]:
        asked |= request & BIT_M
    if work[w.N_THETA]:
        asked |= request & BIT_T
    return ask_elements(work, inputs, asked) if asked else 0


@entry
def contract(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """The quantities one by one."""
    note_changes(work, inputs, changed)
    find_pose(work, inputs)
    if request & (BIT_F_APPLIED | BIT_GAMMA | BIT_D):
        find_velocity(work, inputs)
    if _from_elements(request, work, inputs, outputs):
        return RAISED
    about, constants, values = view(work, 0, 1), reals_at(work[w.CONSTANTS], 1), reals_at(work[w.VALUES], 1)
    if request & (BIT_T | BIT_M | BIT_G | BIT_F | BIT_C):
        go(work, inputs, COLUMNS)
    if request & BIT_T:
        kinematic_matrix(work, inputs, reals_at(outputs[0], 1))
    if request & BIT_M:
        _mass_matrix(work, inputs, reals_at(outputs[1], 1))
    if request & BIT_F_APPLIED:
        _forces(work, inputs, reals_at(outputs[2], 1))
    if request & BIT_GAMMA and work[w.N_LAM]:
        _gamma(work, inputs, reals_at(outputs[6], work[w.N_LAM]))
    if work[w.ELEMENTS]:
        if request & BIT_G:
            times_J(work[w.PRODUCT_G], about, constants, values, element_output(work, 3, 1), reals_at(outputs[3], 1))
        if request & BIT_F:
            times_J(work[w.PRODUCT_F], about, constants, values, element_output(work, 8, 1), reals_at(outputs[8], 1))
        if request & BIT_C:
            times_J(work[w.PRODUCT_C], about, constants, values, element_output(work, 9, 1), reals_at(outputs[9], 1))
    if request & BIT_QN and work[w.N_QN]:
        return normalise(work, inputs, reals_at(outputs[10], work[w.N_QN]))
    return 0


@compiled
def _rate(work: Ints, inputs: Ints, outputs: Ints) -> int:
    """q̇, accelerations and rates of external states, in the first outputs of both programs."""
    more = (BIT_D if work[w.N_U] else 0) | (BIT_T if work[w.N_THETA] else 0)
    work[w.ELEMENT_OUT + 7] = outputs[3]
    status = accelerations(work, inputs, more)
    if status:
        return status
    found, a = right_side(work), reals_at(outputs[1], work[w.N_V])
    for k in range(a.size):
        a[k] = found[k]
    if work[w.UNIT_T] == 0:
        qdot = reals_at(outputs[0], work[w.N_Q] + work[w.N_THETA])
        rates_of_coordinates(work, inputs, reals_at(inputs[3], work[w.N_V]), qdot)
        if work[w.N_THETA]:
            rates_of_elements(work, qdot)
    return 0


@entry
def explicit(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Rates, and what projects: nothing, as there are no constraints.

    The program "rate" is the same; it makes no requests, and all its outputs are wanted at a new point.
    """
    note_changes(work, inputs, changed if request else NEW_T)
    if (request == 0 or request & 0b1111) and _rate(work, inputs, outputs):
        return RAISED
    if request & (1 << 6):
        dq = reals_at(outputs[6], work[w.N_Q] + work[w.N_THETA])
        for k in range(dq.size):
            dq[k] = 0.0
    if request & (1 << 7):
        dv = reals_at(outputs[7], work[w.N_V])
        for k in range(dv.size):
            dv[k] = 0.0
    if request & (1 << 8) and work[w.N_QN]:
        return normalise(work, inputs, reals_at(outputs[8], work[w.N_QN]))
    return 0
