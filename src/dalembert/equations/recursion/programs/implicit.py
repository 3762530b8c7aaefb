"""Compiled program "implicit" of a tree: residuals of the stabilised index-2 form, and their Jacobian column by column.

The derivative of −T Cᵀμ with respect to q is left away in the Jacobian: μ vanishes in the solution.
"""

from __future__ import annotations

from dalembert.equations.contract.convention import CONTRACT, CONTRACT_OUTPUT, IMPLICIT, IMPLICIT_OUTPUT, STAGE
from dalembert.equations.recursion.passes.multiply import times_J
from dalembert.equations.recursion.passes.state import (
    RAISED,
    accelerate_world,
    ask_elements,
    element_output,
    find_velocity,
    go,
    joint_forces,
    kinematic_matrix,
    kinematics_of_elements,
    note_changes,
    point_elements,
    rates_of_coordinates,
    right_side,
)
from dalembert.equations.recursion.passes.tangent import (
    add_wrench,
    carry_tangent,
    cross_to,
    linear_terms,
    start_tangent,
    variation,
)
from dalembert.equations.recursion.passes.words import (
    DIRECTION,
    PASS,
    column_job_word,
    drift_word,
    job_word,
    link_job_word,
    theta_word,
    turn_word,
    word,
)
from dalembert.equations.recursion.tree.record import FIRST_CONSTANT, constant, record
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, entry, ints_at, reals_at, view


@compiled
def _inertial(work: Ints, inputs: Ints, gravity: float) -> None:
    """Accelerations of the links, and wrenches that they take."""
    right, a = right_side(work), reals_at(inputs[STAGE.A], work[word.N_V])
    for k in range(right.size):
        right[k] = a[k]
    accelerate_world(work, gravity)
    go(work, inputs, PASS.INERTIAL)


@compiled
def _accelerate_bodies(work: Ints, inputs: Ints) -> None:
    """Extended accelerations of the bodies, for elements that have inertia."""
    _inertial(work, inputs, 0.0)
    go(work, inputs, PASS.BIAS)


@compiled
def _residual(work: Ints, inputs: Ints) -> None:
    """Newton–Euler with what elements take, left in RIGHT; wrenches of the joints stay in their records."""
    right = right_side(work)
    _inertial(work, inputs, 1.0)
    if work[word.ELEMENTS]:
        taken = element_output(work, IMPLICIT_OUTPUT.residual, 6 * work[word.N_BODIES] + work[word.N_V])
        wrench = view(reals_at(work[word.VALUES], 1), work[word.WRENCH_AT], taken.size)
        for k in range(taken.size):
            wrench[k] = -taken[k]
        go(work, inputs, PASS.EXTERNAL)
    go(work, inputs, PASS.GATHER)
    if work[word.ELEMENTS]:
        applied = joint_forces(work)
        for k in range(right.size):
            right[k] -= applied[k]


@compiled
def _find_C(work: Ints, inputs: Ints) -> int:
    """C = C_X J, and rows of T for the coordinates that elements own."""
    if work[word.N_C] == 0:
        return 0
    point_elements(work, inputs)
    request = CONTRACT.C | CONTRACT.T if work[word.N_THETA] else CONTRACT.C
    status = call_entry(
        work[word.POSITIONS], request, 0, view(work, word.ELEMENT_IN, STAGE.end),
        ints_at(work[word.POSITIONS_OUT], CONTRACT_OUTPUT.end), work[word.POSITIONS_WORK],
    )  # fmt: skip
    if status:
        return RAISED
    go(work, inputs, PASS.COLUMNS)
    times_J(
        work[word.PRODUCT_C], view(work, 0, 1), reals_at(work[word.CONSTANTS], 1), reals_at(work[word.VALUES], 1),
        reals_at(work[word.C_GIVEN], 1), reals_at(work[word.C_VALUES], work[word.N_C]),
    )  # fmt: skip
    kinematics_of_elements(work, reals_at(work[word.T_GIVEN], 1), reals_at(work[word.T_VALUES], 1))
    return 0


@compiled
def _drifting(work: Ints, inputs: Ints) -> int:
    """v − Cᵀμ."""
    v, out = reals_at(inputs[STAGE.V], work[word.N_V]), reals_at(work[word.DRIFTING], work[word.N_V])
    mu = reals_at(inputs[STAGE.MU], work[word.N_G])
    for k in range(out.size):
        out[k] = v[k]
    moved = False
    for k in range(mu.size):
        if mu[k] != 0.0:
            moved = True
    if moved:
        if _find_C(work, inputs):
            return RAISED
        rows, columns = ints_at(work[word.C_ROWS], work[word.N_C]), ints_at(work[word.C_COLUMNS], work[word.N_C])
        C = reals_at(work[word.C_VALUES], work[word.N_C])
        for k in range(C.size):
            out[columns[k]] -= C[k] * mu[rows[k]]
    work[word.DRIFTS] = int(moved)
    return 0


@compiled
def _rates_of_elements(work: Ints, inputs: Ints, out: Reals) -> None:
    """Rates of the coordinates that elements own: what these say of v, and the drift −T Cᵀμ.

    Constraints may depend on them alone, as those between angles of planar bodies do: without the drift nothing could
    meet these.
    """
    first, n_q = 7 * work[word.N_BODIES] + work[word.N_Q], work[word.N_Q]
    for k in range(work[word.N_THETA]):
        out[n_q + k] = element_output(work, IMPLICIT_OUTPUT.qdot, first + k + 1)[first + k]
    if work[word.DRIFTS]:
        entries = ints_at(work[word.DRIFT_T], theta_word.end * work[word.N_DRIFT_T])
        T, v = reals_at(work[word.T_VALUES], 1), reals_at(inputs[STAGE.V], work[word.N_V])
        drifting = reals_at(work[word.DRIFTING], work[word.N_V])
        for k in range(0, entries.size, theta_word.end):
            column = entries[k + theta_word.COLUMN]
            rate = T[entries[k + theta_word.ENTRY]] * (v[column] - drifting[column])
            out[n_q + entries[k + theta_word.ROW]] -= rate


@compiled
def _add_column(work: Ints, column: int, factor: float) -> None:
    """A column of the elements' Jacobian."""
    starts, targets = ints_at(work[word.JACOBIAN_STARTS], column + 2), ints_at(work[word.JACOBIAN_TARGETS], 1)
    given, out = element_output(work, IMPLICIT_OUTPUT.jacobian, 1), reals_at(work[word.COLUMN], 1)
    for k in range(starts[column], starts[column + 1]):
        out[targets[k]] += factor * given[k]


@compiled
def _clear(work: Ints, job: Ints) -> None:
    column, gathered = reals_at(work[word.COLUMN], 1), reals_at(work[word.GATHERED], 1)
    links = ints_at(job[job_word.LINKS], job[job_word.N_LINKS])
    for k in range(links.size):
        for i in range(6):
            gathered[6 * links[k] + i] = 0.0
    acted = ints_at(job[job_word.ACTED], 2 * job[job_word.N_ACTED])
    for k in range(0, acted.size, 2):
        for i in range(6):
            column[work[word.ROWS] + 6 * acted[k] + i] = 0.0
    rows = ints_at(job[job_word.ROWS], job[job_word.N_ROWS])
    for k in range(rows.size):
        column[rows[k]] = 0.0


@compiled
def _arm(work: Ints, link: int, out: Reals) -> None:
    """From the origin of a link to its centre of mass."""
    turn = view(reals_at(work[word.VALUES], 1), link * record.end + record.R, 9)
    c = view(reals_at(work[word.CONSTANTS], 1), FIRST_CONSTANT + (link - 1) * constant.end + constant.CENTRE, 3)
    for i in range(3):
        out[i] = turn[3 * i] * c[0] + turn[3 * i + 1] * c[1] + turn[3 * i + 2] * c[2]


@compiled
def _move_elements(work: Ints, link: int, body: int, moved: int, k: int, direction: int, scratch: Reals) -> None:
    """What elements make of the motion of a body, when velocity or coordinate ``k``, of link ``moved``, changes."""
    values, x = reals_at(work[word.VALUES], 1), view(scratch, 9, 9)
    own, base = view(values, link * record.end, record.end), view(values, moved * record.end, record.end)
    before = view(values, ints_at(work[word.PARENTS], 1 + moved)[moved] * record.end, record.end)
    column = view(values, work[word.COLUMNS_AT] + 6 * k, 6)
    z, omega = view(column, 0, 3), view(before, record.OMEGA, 3)
    arm, dr, dv = view(x, 0, 3), view(x, 3, 3), view(x, 6, 3)
    _arm(work, link, arm)
    turned = view(scratch, 0, 3)  # of the body, in world axes
    for i in range(3):
        dr[i] = column[3 + i]
        # for now: from the moved origin to the centre
        dv[i] = own[record.POSITION + i] + arm[i] - base[record.POSITION + i]
        turned[i] = z[i]
    cross_to(dr, z, dv, 1.0)
    first_V = work[word.FIRST_V] + 6 * body
    if direction == DIRECTION.Q:
        first_X = work[word.FIRST_X] + 7 * body
        for i in range(3):
            _add_column(work, first_X + i, dr[i])
        p = view(own, record.P, 4)
        _add_column(work, first_X + 3, -0.5 * (z[0] * p[1] + z[1] * p[2] + z[2] * p[3]))
        _add_column(work, first_X + 4, 0.5 * (p[0] * z[0] + z[1] * p[3] - z[2] * p[2]))
        _add_column(work, first_X + 5, 0.5 * (p[0] * z[1] + z[2] * p[1] - z[0] * p[3]))
        _add_column(work, first_X + 6, 0.5 * (p[0] * z[2] + z[0] * p[2] - z[1] * p[1]))
        # Velocity relative to the frame before the joint turns: it turns with the body.
        relative = view(scratch, 3, 3)
        for i in range(3):
            relative[i] = own[record.VELOCITY + i] - base[record.VELOCITY + i]
        cross_to(relative, view(own, record.OMEGA, 3), arm, 1.0)
        cross_to(relative, omega, dv, -1.0)
        dv[0] = dv[1] = dv[2] = 0.0
        cross_to(dv, omega, dr, 1.0)
        cross_to(dv, z, relative, 1.0)
        for i in range(3):
            dr[i] = dv[i]
        turned[0] = turned[1] = turned[2] = 0.0
        cross_to(turned, omega, z, 1.0)
    for i in range(3):
        _add_column(work, first_V + i, dr[i])
    turn = view(own, record.R, 9)
    for i in range(3):
        _add_column(work, first_V + 3 + i, turn[i] * turned[0] + turn[3 + i] * turned[1] + turn[6 + i] * turned[2])
    if direction == DIRECTION.Q:
        # Forces keep their direction in the world while the observer turns.
        force = view(element_output(work, IMPLICIT_OUTPUT.residual, 6 * body + 6), 6 * body, 3)
        cross_to(view(reals_at(work[word.COLUMN], 1), work[word.ROWS] + 6 * body, 3), z, force, -1.0)


@compiled
def _accelerate_elements(work: Ints, link: int, body: int, k: int, direction: int, scratch: Reals) -> None:
    """What elements with inertia make of the changed acceleration of a body: of its centre of mass in world axes, which
    are those of the observer but for its turning, and of its rotation in own axes."""
    first = work[word.FIRST_A] + 6 * body
    after = work[word.FIRST_A] + 6 * (body + 1)
    starts = ints_at(work[word.JACOBIAN_STARTS], after + 1)
    if starts[first] == starts[after]:
        return
    values = reals_at(work[word.VALUES], 1)
    own = view(values, link * record.end, record.end)
    here = view(reals_at(work[word.TANGENT], 1), variation.end * link, variation.end)
    by_omega, by_alpha = view(here, variation.OMEGA, 3), view(here, variation.ALPHA, 3)
    omega, alpha, a = view(own, record.OMEGA, 3), view(own, record.ALPHA, 3), view(own, record.ACCELERATION, 3)
    arm, da, x, y = view(scratch, 0, 3), view(scratch, 3, 3), view(scratch, 6, 3), view(scratch, 9, 3)
    _arm(work, link, arm)
    for i in range(3):
        da[i], x[i], y[i] = here[variation.ACCELERATION + i], 0.0, 0.0
    cross_to(da, by_alpha, arm, 1.0)
    cross_to(x, omega, arm, 1.0)
    cross_to(y, by_omega, arm, 1.0)
    cross_to(da, by_omega, x, 1.0)
    cross_to(da, omega, y, 1.0)
    if direction == DIRECTION.Q:
        for i in range(3):
            y[i] = a[i]
        cross_to(y, alpha, arm, 1.0)
        cross_to(y, omega, x, 1.0)
        cross_to(da, view(values, work[word.COLUMNS_AT] + 6 * k, 3), y, 1.0)
    turn = view(own, record.R, 9)
    for i in range(3):
        _add_column(work, first + i, da[i])
        turned = turn[i] * by_alpha[0] + turn[3 + i] * by_alpha[1] + turn[6 + i] * by_alpha[2]
        _add_column(work, first + 3 + i, turned)


@compiled
def _collect(work: Ints, job: Ints, moved: int, k: int, direction: int, scratch: Reals) -> None:
    """Wrenches go inwards, and leave in COLUMN what the joints feel; ``moved`` is 0 where no joint moves."""
    values, gathered = reals_at(work[word.VALUES], 1), reals_at(work[word.GATHERED], 1)
    column = reals_at(work[word.COLUMN], 1)
    residual = view(column, work[word.N_Q] + work[word.N_THETA], work[word.N_V])
    acted = ints_at(job[job_word.ACTED], 2 * job[job_word.N_ACTED])
    for i in range(0, acted.size, 2):
        body, link = acted[i], acted[i + 1]
        given, out = view(column, work[word.ROWS] + 6 * body, 6), view(gathered, 6 * link, 6)
        turn = view(values, link * record.end + record.R, 9)
        _arm(work, link, view(scratch, 0, 3))
        for c in range(3):
            out[c] += turn[3 * c] * given[3] + turn[3 * c + 1] * given[4] + turn[3 * c + 2] * given[5]
            out[3 + c] += given[c]
        cross_to(view(out, 0, 3), view(scratch, 0, 3), view(given, 0, 3), 1.0)
    links = ints_at(job[job_word.LINKS], job[job_word.N_LINKS])
    parents, v_of = ints_at(work[word.PARENTS], 1), ints_at(work[word.V_OF], 1)
    columns = view(values, work[word.COLUMNS_AT], 1)
    for i in range(links.size):
        link = links[i]
        own = view(gathered, 6 * link, 6)
        first, last = v_of[2 * link], v_of[2 * link + 1]
        turns_at = first
        if link == moved and direction == DIRECTION.Q:
            # A free link is first moved, then turned: its rows before the moving one feel the turned wrench.
            turns_at = first + 3 if last - first == 6 and k >= first + 3 else first
        for j in range(turns_at, last):
            s = view(columns, 6 * j, 6)
            residual[j] += (s[0] * own[0] + s[1] * own[1] + s[2] * own[2]) + (
                s[3] * own[3] + s[4] * own[4] + s[5] * own[5]
            )
        if link == moved and direction == DIRECTION.Q:
            s, total = view(columns, 6 * k, 6), view(values, link * record.end + record.MOMENT, 6)
            cross_to(view(own, 0, 3), view(s, 0, 3), view(total, 0, 3), 1.0)
            cross_to(view(own, 0, 3), view(s, 3, 3), view(total, 3, 3), 1.0)
            cross_to(view(own, 3, 3), view(s, 0, 3), view(total, 3, 3), 1.0)
            for j in range(first, turns_at):
                s = view(columns, 6 * j, 6)
                residual[j] += (s[0] * own[0] + s[1] * own[1] + s[2] * own[2]) + (
                    s[3] * own[3] + s[4] * own[4] + s[5] * own[5]
                )
        parent = parents[link]
        out = view(gathered, 6 * parent, 6)
        if parent > 0:
            for c in range(6):
                out[c] += own[c]
            cross_to(view(out, 0, 3), view(values, link * record.end + record.D, 3), view(own, 3, 3), 1.0)


@compiled
def _directional(work: Ints, job: Ints, link: int, k: int, direction: int, scratch: Reals) -> None:
    """Column of one direction, left in COLUMN."""
    _clear(work, job)
    order, size = ints_at(work[word.PREORDER], 1), ints_at(work[word.SUBTREE], 1)[link]
    first = ints_at(work[word.PREORDER_PLACE], 1)[link]
    bodies = ints_at(work[word.BODY_OF], 1)
    for i in range(first, first + size):
        here = order[i]
        if i == first:
            start_tangent(work, here, k, direction, scratch)
        else:
            carry_tangent(work, here)
        add_wrench(work, here)
        if work[word.ELEMENTS] and bodies[here] >= 0:
            if direction != DIRECTION.A:
                _move_elements(work, here, bodies[here], link, k, direction, scratch)
            if work[word.N_M_ENTRIES]:
                _accelerate_elements(work, here, bodies[here], k, direction, scratch)


@compiled
def _put(work: Ints, job: Ints, column: int, factor: float, out: Reals) -> None:
    """Add what was found to a column of the Jacobian."""
    rows, found = ints_at(job[job_word.ROWS], job[job_word.N_ROWS]), reals_at(work[word.COLUMN], 1)
    at = ints_at(work[word.COLUMN_STARTS], 1)[column]
    for k in range(rows.size):
        out[at + k] += factor * found[rows[k]]


@compiled
def _in_coordinates(work: Ints, inputs: Ints, about: Ints, out: Reals, scratch: Reals) -> None:
    """Columns of the coordinates of a link: directions by what they are in coordinates, δ = 2 L(p) dp / |p|²."""
    link, first_v, n_v = about[link_job_word.LINK], about[link_job_word.FIRST_V], about[link_job_word.N_V]
    first_q, turn = about[link_job_word.FIRST_Q], about[link_job_word.TURN]
    job = view(about, link_job_word.IN_Q, job_word.end)
    X = work[word.FIRST_X] + 7 * work[word.N_BODIES]
    L = view(scratch, 24, 12)
    plain = n_v
    if turn >= 0:
        plain = turn
        p = view(reals_at(inputs[STAGE.Q], 1), first_q + turn, 4)
        scale = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
        p0, p1, p2, p3 = scale * p[0], scale * p[1], scale * p[2], scale * p[3]
        L[0], L[1], L[2], L[3] = -p1, p0, p3, -p2
        L[4], L[5], L[6], L[7] = -p2, -p3, p0, p1
        L[8], L[9], L[10], L[11] = -p3, p2, -p1, p0
    for k in range(n_v):
        _directional(work, job, link, first_v + k, DIRECTION.Q, scratch)
        if k < plain:
            if work[word.ELEMENTS]:
                _add_column(work, X + first_q + k, 1.0)
            _collect(work, job, link, first_v + k, DIRECTION.Q, scratch)
            _put(work, job, first_q + k, 1.0, out)
        else:
            _collect(work, job, link, first_v + k, DIRECTION.Q, scratch)
            for i in range(4):
                _put(work, job, first_q + turn + i, L[4 * (k - plain) + i], out)
    if turn < 0:
        return
    v = reals_at(work[word.DRIFTING], work[word.N_V])
    x, y, z = 0.5 * v[first_v + turn], 0.5 * v[first_v + turn + 1], 0.5 * v[first_v + turn + 2]
    for i in range(4):
        _clear(work, job)
        if work[word.ELEMENTS]:
            _add_column(work, X + first_q + turn + i, 1.0)
        _collect(work, job, 0, 0, DIRECTION.Q, scratch)
        rate = view(reals_at(work[word.COLUMN], 1), first_q + turn, 4)
        if i == 0:
            rate[1], rate[2], rate[3] = x, y, z
        elif i == 1:
            rate[0], rate[2], rate[3] = -x, -z, y
        elif i == 2:
            rate[0], rate[1], rate[3] = -y, z, -x
        else:
            rate[0], rate[1], rate[2] = -z, -y, x
        _put(work, job, first_q + turn + i, 1.0, out)


@compiled
def _in_velocities(work: Ints, about: Ints, T: Reals, out: Reals, scratch: Reals) -> None:
    """Columns of the velocities and of the accelerations of a link."""
    link, first_v, n_v = about[link_job_word.LINK], about[link_job_word.FIRST_V], about[link_job_word.N_V]
    first_q, turn = about[link_job_word.FIRST_Q], about[link_job_word.TURN]
    n_q = work[word.N_Q] + work[word.N_THETA]
    plain = turn if turn >= 0 else n_v
    turns = ints_at(work[word.TURNS], turn_word.end * work[word.N_TURNS])
    at_turn = 0
    if turn >= 0:
        for k in range(work[word.N_TURNS]):
            at_turn = turn_word.end * k
            if turns[at_turn + turn_word.Q] == first_q + turn:
                break
    for direction in (DIRECTION.V, DIRECTION.A):
        job = view(about, link_job_word.IN_Q + job_word.end * direction, job_word.end)
        given = work[word.FIRST_V if direction == DIRECTION.V else word.FIRST_A] + 6 * work[word.N_BODIES]
        for k in range(n_v):
            _directional(work, job, link, first_v + k, direction, scratch)
            if work[word.ELEMENTS]:
                _add_column(work, given + first_v + k, 1.0)
            _collect(work, job, link, first_v + k, direction, scratch)
            if direction == DIRECTION.V:
                rates = reals_at(work[word.COLUMN], 1)
                if k < plain:
                    rates[first_q + k] = 1.0
                else:
                    for i in range(4):
                        rates[first_q + turn + i] = T[turns[at_turn + turn_word.X + k - plain] + i]
            _put(work, job, n_q + direction * work[word.N_V] - work[word.N_V] + first_v + k, 1.0, out)


@compiled
def _jacobian(work: Ints, inputs: Ints, out: Reals) -> int:
    """All columns; the residuals were computed at the same point."""
    scratch = view(reals_at(work[word.SCRATCH], 40), 0, 40)
    starts = ints_at(work[word.COLUMN_STARTS], 1)
    s_q, s_v = work[word.N_Q] + work[word.N_THETA], work[word.N_V]
    n_columns = s_q + 2 * s_v + work[word.N_LAM] + work[word.N_G] + work[word.N_U]
    for k in range(starts[n_columns]):
        out[k] = 0.0
    go(work, inputs, PASS.COLUMNS)
    go(work, inputs, PASS.COMPOSE)
    linear_terms(work, scratch)
    T = reals_at(work[word.T_VALUES], 1)
    kinematic_matrix(work, inputs, T)
    jobs = ints_at(work[word.LINK_JOBS], link_job_word.end * work[word.N_LINK_JOBS])
    for k in range(work[word.N_LINK_JOBS]):
        about = view(jobs, link_job_word.end * k, link_job_word.end)
        _in_coordinates(work, inputs, about, out, scratch)
        _in_velocities(work, about, T, out, scratch)
    jobs = ints_at(work[word.COLUMN_JOBS], column_job_word.end * work[word.N_COLUMN_JOBS])
    for k in range(work[word.N_COLUMN_JOBS]):
        about = view(jobs, column_job_word.end * k, column_job_word.end)
        job = view(about, column_job_word.JOB, job_word.end)
        _clear(work, job)
        _add_column(work, about[column_job_word.GIVEN], 1.0)
        _collect(work, job, 0, 0, DIRECTION.V, scratch)
        _put(work, job, about[column_job_word.COLUMN], 1.0, out)
    if work[word.N_DRIFT]:
        if _find_C(work, inputs):
            return RAISED
        products = ints_at(work[word.DRIFT], drift_word.end * work[word.N_DRIFT])
        C = reals_at(work[word.C_VALUES], 1)
        for k in range(0, products.size, drift_word.end):
            factors = C[products[k + drift_word.C]], T[products[k + drift_word.T]]
            out[products[k + drift_word.PLACE]] -= factors[0] * factors[1]
    return 0


@entry
def implicit(request: int, changed: int, inputs: Ints, outputs: Ints, work: Ints) -> int:
    """Residuals and Jacobian at a point."""
    note_changes(work, inputs, changed)
    find_velocity(work, inputs)
    if request & (IMPLICIT.qdot | IMPLICIT.jacobian) and _drifting(work, inputs):
        return RAISED
    if work[word.ELEMENTS]:
        a = reals_at(inputs[STAGE.A], work[word.N_V])
        if work[word.N_M_ENTRIES]:
            _accelerate_bodies(work, inputs)
        extended = view(reals_at(work[word.VALUES], 1), work[word.BIAS_AT] + 6 * work[word.N_BODIES], a.size)
        for k in range(a.size):
            extended[k] = a[k]
        for k in (IMPLICIT_OUTPUT.g, IMPLICIT_OUTPUT.gv, IMPLICIT_OUTPUT.d):
            work[word.ELEMENT_OUT + k] = outputs[k]
        asked = request & (IMPLICIT.g | IMPLICIT.gv | IMPLICIT.d | IMPLICIT.residual)
        if work[word.N_THETA]:
            asked |= request & IMPLICIT.qdot
        if request & IMPLICIT.jacobian:
            asked |= IMPLICIT.jacobian | IMPLICIT.residual
        if asked and ask_elements(work, inputs, asked):
            return RAISED
    if request & IMPLICIT.qdot:
        qdot = reals_at(outputs[IMPLICIT_OUTPUT.qdot], work[word.N_Q] + work[word.N_THETA])
        rates_of_coordinates(work, inputs, reals_at(work[word.DRIFTING], work[word.N_V]), qdot)
        _rates_of_elements(work, inputs, qdot)
    if request & (IMPLICIT.residual | IMPLICIT.jacobian):
        _residual(work, inputs)
    if request & IMPLICIT.residual:
        found, out = right_side(work), reals_at(outputs[IMPLICIT_OUTPUT.residual], work[word.N_V])
        for k in range(out.size):
            out[k] = found[k]
    if request & IMPLICIT.jacobian:
        return _jacobian(work, inputs, reals_at(outputs[IMPLICIT_OUTPUT.jacobian], 1))
    return 0
