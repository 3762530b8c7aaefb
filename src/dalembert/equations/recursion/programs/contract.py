"""Compiled programs of a tree: "contract", and "explicit" with "rate" (see dalembert.equations.contract.provider)."""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, CONTRACT_OUTPUT, EXPLICIT, EXPLICIT_OUTPUT, STAGE
from dalembert.equations.recursion.passes.multiply import times_J
from dalembert.equations.recursion.passes.state import (
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
    kinematics_of_elements,
    normalise,
    note_changes,
    rates_of_coordinates,
    rates_of_elements,
    right_side,
)
from dalembert.equations.recursion.passes.sweep import mass_matrix
from dalembert.equations.recursion.passes.words import PASS, word
from dalembert.native.kernel import Ints, Reals, compiled, entry, ints_at, reals_at, view

#: Outputs that elements are asked for as they stand.
_ASKED = (
    CONTRACT.f | CONTRACT.G | CONTRACT.gI | CONTRACT.g | CONTRACT.gamma | CONTRACT.d | CONTRACT.F | CONTRACT.C
    | CONTRACT.w
)  # fmt: skip
#: What the program "rate" gives.
_RATES = EXPLICIT.qdot | EXPLICIT.a | EXPLICIT.lam | EXPLICIT.d


@compiled
def _without_acceleration(work: Ints, inputs: Ints, gravity: float) -> None:
    """Wrenches, and accelerations, of a motion in which no velocity of a joint changes."""
    right = right_side(work)
    for k in range(right.size):
        right[k] = 0.0
    accelerate_world(work, gravity)
    go(work, inputs, PASS.INERTIAL)


@compiled
def _take_inertia(work: Ints, inputs: Ints) -> None:
    """f_X − M_X J̇ v, in the place of f_X."""
    _without_acceleration(work, inputs, 0.0)
    go(work, inputs, PASS.BIAS)
    n, values = work[word.N_M_ENTRIES], reals_at(work[word.VALUES], 1)
    rows, columns = ints_at(work[word.M_ROWS], n), ints_at(work[word.M_COLUMNS], n)
    entries, M = ints_at(work[word.M_ENTRIES], n), element_output(work, CONTRACT_OUTPUT.M, 1)
    bias, wrench = view(values, work[word.BIAS_AT], 1), view(values, work[word.WRENCH_AT], 1)
    for k in range(n):
        wrench[rows[k]] -= M[entries[k]] * bias[columns[k]]


@compiled
def _forces(work: Ints, inputs: Ints, out: Reals) -> None:
    """f = Jᵀ (f_X − M_X J̇ v) − bias of the links."""
    if work[word.N_M_ENTRIES]:
        _take_inertia(work, inputs)
    _without_acceleration(work, inputs, 1.0)
    if work[word.ELEMENTS]:
        go(work, inputs, PASS.EXTERNAL)
    go(work, inputs, PASS.GATHER)
    right = right_side(work)
    for k in range(right.size):
        out[k] = -right[k]
    if work[word.ELEMENTS]:
        applied = joint_forces(work)
        for k in range(right.size):
            out[k] += applied[k]


@compiled
def _gamma(work: Ints, inputs: Ints, out: Reals) -> None:
    """γ = γ_abs − G_abs J̇ v."""
    _without_acceleration(work, inputs, 0.0)
    go(work, inputs, PASS.BIAS)
    n, values = work[word.N_G_ENTRIES], reals_at(work[word.VALUES], 1)
    rows, columns = ints_at(work[word.G_ROWS], n), ints_at(work[word.G_COLUMNS], n)
    G, bias = element_output(work, CONTRACT_OUTPUT.G, n), view(values, work[word.BIAS_AT], 1)
    given = element_output(work, CONTRACT_OUTPUT.gamma, work[word.N_LAM])
    for k in range(given.size):
        out[k] = given[k]
    for k in range(rows.size):
        out[rows[k]] -= G[k] * bias[columns[k]]


@compiled
def _mass_matrix(work: Ints, inputs: Ints, out: Reals) -> None:
    about, values = view(work, 0, 1), reals_at(work[word.VALUES], 1)
    accelerate_world(work, 1.0)
    go(work, inputs, PASS.COMPOSE)
    go(work, inputs, PASS.JOIN)
    lower, upper = ints_at(work[word.LOWER], work[word.N_PAIRS]), ints_at(work[word.UPPER], work[word.N_PAIRS])
    more = ints_at(work[word.MORE_M], 2 * work[word.N_MORE_M])
    for k in range(0, more.size, 2):
        out[more[k + 1]] = 0.0
    mass_matrix(about, values, lower, upper, out)
    if more.size:
        constants, half = reals_at(work[word.CONSTANTS], 1), reals_at(work[word.M_TIMES_J], 1)
        given = reals_at(work[word.J_M_J], 1)
        times_J(work[word.PRODUCT_M], about, constants, values, element_output(work, CONTRACT_OUTPUT.M, 1), half)
        times_J(work[word.PRODUCT_J_M], about, constants, values, half, given)
        for k in range(0, more.size, 2):
            out[more[k + 1]] += given[more[k]]


@compiled
def _from_elements(request: int, work: Ints, inputs: Ints, outputs: Ints) -> int:
    """Evaluate what elements say about the outputs; vectors that pass unchanged go to their places."""
    if work[word.ELEMENTS] == 0:
        return 0
    for k in (CONTRACT_OUTPUT.gI, CONTRACT_OUTPUT.g, CONTRACT_OUTPUT.d, CONTRACT_OUTPUT.w):
        work[word.ELEMENT_OUT + k] = outputs[k]
    asked = request & _ASKED
    if request & CONTRACT.gamma:
        asked |= CONTRACT.G
    if work[word.N_MORE_M]:
        asked |= request & CONTRACT.M
    if work[word.N_M_ENTRIES] and request & CONTRACT.f:
        asked |= CONTRACT.M
    if work[word.N_THETA]:
        asked |= request & CONTRACT.T
    return ask_elements(work, inputs, asked) if asked else 0


@compiled
def _times_J(work: Ints, product_at: int, number: int, outputs: Ints) -> None:
    """An output of the elements, or its transpose, times J."""
    times_J(
        product_at, view(work, 0, 1), reals_at(work[word.CONSTANTS], 1), reals_at(work[word.VALUES], 1),
        element_output(work, number, 1), reals_at(outputs[number], 1),
    )  # fmt: skip


@entry
def contract(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """The quantities one by one."""
    note_changes(work, inputs, changed)
    find_pose(work, inputs)
    if request & (CONTRACT.f | CONTRACT.gamma | CONTRACT.d):
        find_velocity(work, inputs)
    if _from_elements(request, work, inputs, outputs):
        return RAISED
    if request & (CONTRACT.T | CONTRACT.M | CONTRACT.G | CONTRACT.F | CONTRACT.C):
        go(work, inputs, PASS.COLUMNS)
    if request & CONTRACT.T:
        T = reals_at(outputs[CONTRACT_OUTPUT.T], 1)
        kinematic_matrix(work, inputs, T)
        kinematics_of_elements(work, element_output(work, CONTRACT_OUTPUT.T, 1), T)
    if request & CONTRACT.M:
        _mass_matrix(work, inputs, reals_at(outputs[CONTRACT_OUTPUT.M], 1))
    if request & CONTRACT.f:
        _forces(work, inputs, reals_at(outputs[CONTRACT_OUTPUT.f], 1))
    if request & CONTRACT.gamma and work[word.N_LAM]:
        _gamma(work, inputs, reals_at(outputs[CONTRACT_OUTPUT.gamma], work[word.N_LAM]))
    if work[word.ELEMENTS]:
        if request & CONTRACT.G:
            _times_J(work, work[word.PRODUCT_G], CONTRACT_OUTPUT.G, outputs)
        if request & CONTRACT.F:
            _times_J(work, work[word.PRODUCT_F], CONTRACT_OUTPUT.F, outputs)
        if request & CONTRACT.C:
            _times_J(work, work[word.PRODUCT_C], CONTRACT_OUTPUT.C, outputs)
    if request & CONTRACT.qn and work[word.N_QN]:
        return normalise(work, inputs, reals_at(outputs[CONTRACT_OUTPUT.qn], work[word.N_QN]))
    return 0


@compiled
def _rate(work: Ints, inputs: Ints, outputs: Ints) -> int:
    """q̇, accelerations and rates of external states, in the first outputs of both programs."""
    more = (CONTRACT.d if work[word.N_U] else 0) | (CONTRACT.T if work[word.N_THETA] else 0)
    work[word.ELEMENT_OUT + CONTRACT_OUTPUT.d] = outputs[EXPLICIT_OUTPUT.d]
    status = accelerations(work, inputs, more)
    if status:
        return status
    found, a = right_side(work), reals_at(outputs[EXPLICIT_OUTPUT.a], work[word.N_V])
    for k in range(a.size):
        a[k] = found[k]
    if work[word.UNIT_T] == 0:
        qdot = reals_at(outputs[EXPLICIT_OUTPUT.qdot], work[word.N_Q] + work[word.N_THETA])
        rates_of_coordinates(work, inputs, reals_at(inputs[STAGE.V], work[word.N_V]), qdot)
        if work[word.N_THETA]:
            rates_of_elements(work, qdot)
    return 0


@entry
def explicit(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Rates, and what projects: nothing, as there are no constraints.

    The program "rate" is the same; it makes no requests, and all its outputs are wanted at a new point.
    """
    note_changes(work, inputs, changed if request else STAGE.T)
    if (request == 0 or request & _RATES) and _rate(work, inputs, outputs):
        return RAISED
    if request & EXPLICIT.dq:
        dq = reals_at(outputs[EXPLICIT_OUTPUT.dq], work[word.N_Q] + work[word.N_THETA])
        for k in range(dq.size):
            dq[k] = 0.0
    if request & EXPLICIT.dv:
        dv = reals_at(outputs[EXPLICIT_OUTPUT.dv], work[word.N_V])
        for k in range(dv.size):
            dv[k] = 0.0
    if request & EXPLICIT.qn and work[word.N_QN]:
        return normalise(work, inputs, reals_at(outputs[EXPLICIT_OUTPUT.qn], work[word.N_QN]))
    return 0
