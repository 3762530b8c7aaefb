"""The memory of a run: every slot with its name, size and meaning, and the codes that kernels return.

Methods add slots of their own by a class that extends :class:`Memory`.  Capitals are those of the equations: M, G, F,
C, T are matrices by their stored entries.
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.equations.contract.convention import CONTRACT, EXPLICIT, IMPLICIT, INPUTS, RATE, STAGE
from dalembert.linalg.plan import N_ADDRESSES
from dalembert.native.kernel import Ints, Reals, Run
from dalembert.native.legend import Legend
from dalembert.native.slots import COUNT, FLAG, address, addresses, integer, integers, part, real, reals

STATUS = Legend(
    "how a kernel ended",
    OK="as it should",
    NOT_FINITE="a value is not finite",
    NEWTON_FAILED="an iteration does not converge",
    PROJECTION_FAILED="the state cannot be brought onto the constraints",
    AUXILIARY_FAILED="auxiliary variables cannot be found from the coordinates",
    SINGULAR="a matrix cannot be factorised",
    DRIFTED="projection took away more than the error that the step claims",
    RAISED="a Python function behind an entry raised an exception",
    PATTERN_UNKNOWN="the pattern of the Jacobian is to be estimated, which is done outside of kernels",
    REJECTED="the frame's own word: to be made again with the size in h_next; methods leave an error above 1 instead",
    UNSOLVED="linear equations of an iteration are not solved by a fixed order of pivots; no step size helps",
)
REASON = Legend(
    "why the frame returns",
    FINISHED="the end of the span is reached",
    SLICE_DONE="so many steps were asked for",
    BUFFER_FULL="records must be taken away",
    EVENT_FOUND="an event acts, or ends the run",
    BREAK_REACHED="velocities may jump there",
    DEPENDENT="constraints in use come close to dependence; there may be better ones",
    PATTERN_ASKED="the pattern of the Jacobian is to be estimated at the point of evaluation",
    DIGITS_LOST="accelerations have fewer digits than the tolerance needs; a solver that exchanges pivots has more",
    UNDERFLOW="no step size leads on; failure tells why",
    STOPPED_BY_EXCEPTION="a Python function raised an exception",
    GO_ON="there is no reason",
)
VERDICT = Legend(
    "what a controller says of an attempt",
    REPEAT="the error is too large: again, with the size in h_next",
    ACCEPT="the step counts; h_next is the size of the next one",
)
ORIGIN = Legend(
    "what went before a restart, for the signs of switching functions",
    START="the start of the run",
    BREAK="a known break point",
    CHANGED="an event whose action changed the state",
    LEFT="an event whose action left the state as it was",
)
STOP = Legend(
    "what an event asks for",
    REPORT="it is reported only",
    TERMINATE="it ends the run, perhaps not at its first root",
    ACT="its action changes something",
    NOTICE="it is reported at the end of the step, without a search for its root",
)
WATCH = Legend(
    "what an argument with borders asks for, besides that no step passes over two of them",
    bits=True,
    JUMPS="steps end at its borders",
    FOLDED="its periods are the same place",
)
LANDING = Legend(
    "what an attempt has to do with a jump",
    NO="nothing",
    BEFORE="it shall end shortly before one",
    ACROSS="it leads across",
)
#: What each accepted step tells a monitor, in the order of its record.
MONITOR = Legend(
    "what a step tells a monitor",
    STEP="size, what an event has left of it",
    ORDER="order",
    ERROR="error in units of the tolerance",
    REJECTED="attempts given up so far",
    NFEV="evaluations so far",
    ITERATIONS="iterations of Newton's method in the step",
    RENEWAL="what was done with the Newton matrix, bits",
    NJEV="evaluations of the Jacobian so far",
    NLU="factorisations so far",
)


#: Counters that go on when a run changes its mode or its method.
COUNTERS = (
    "steps", "rejected", "nfev", "njev", "nlu", "nsolve", "newton_iterations", "newton_failures", "projections",
    "projection_iterations", "event_evaluations", "overruns",
)  # fmt: skip
#: Bounds of whole numbers that change: signs of switching functions, and roots that are left of them.
_SIGN, _ROOTS = ("-1", "1"), (f"-{COUNT[1]}", COUNT[1])


#: Seconds and nanoseconds of a clock.
_CLOCK = ("0", str(2**62))


class Memory(Run):
    """What every run has."""

    #: what goes on when a run changes its mode or its method
    counters: ClassVar[tuple[str, ...]] = COUNTERS

    @classmethod
    def own_counters(cls) -> tuple[str, ...]:
        """Counters that not every run has."""
        return cls.counters[len(COUNTERS) :]

    # Sizes and properties of the equations
    n_q: int = integer("coordinates")
    n_v: int = integer("velocities")
    n_u: int = integer("states of external dynamics")
    n_lam: int = integer("constraints, multipliers λ")
    n_g: int = integer("constraints on positions, multipliers μ")
    n_p: int = integer("parameters")
    n_y: int = integer("differential variables y = (q, v, u)")
    n_z: int = integer("algebraic variables z = (a, λ)")
    unit_T: int = integer("whether q̇ = v")
    normalizes: int = integer("whether coordinates have invariants to restore")
    iterates_normal: int = integer("whether these are implicit, and restored by an iteration")
    friction: int = integer("whether f depends on λ")
    C_is_G: int = integer("whether the first rows of G are C")

    # The span and where the run stands
    t_now: float = real("where the run stands")
    t_new: float = real("where the attempt leads")
    t_end: float = real("end of the span")
    t_stop: float = real("next break, or the end")
    t_from: float = real("first instant after the break at t_now: right sides see nothing earlier")
    t_limit: float = real("last instant before the next break: right sides see nothing later")
    direction: float = real("+1 or −1, of time")
    n_breaks: int = integer("known break points")
    next_break: int = integer("number of the next one", ("0", "n_breaks"))
    breaks: Reals = reals("n_breaks", "known break points in the direction of time")
    impulsive: int = integer("whether velocities may jump at breaks")
    restart: int = integer("whether the next slice begins anew: a start, a jump", FLAG)
    slice: int = integer("steps that the frame makes before it returns", COUNT)

    # Step sizes and their control
    h: float = real("size of this attempt, with its sign")
    h_next: float = real("size of the next attempt, positive; 0 if it is to be found")
    h_old: float = real("size of the last step, with its sign")
    h_min: float = real("smallest size")
    h_max: float = real("largest size")
    h_fixed: float = real("the size of all steps, or 0")
    to_stop: int = integer("whether this attempt leads to t_stop", FLAG)
    fresh: int = integer("whether no step has been accepted since the last begin", FLAG)
    after_reject: int = integer("whether the last attempt was given up", FLAG)
    after_failure: int = integer(
        "whether an attempt at this step has failed, other than by its error or iteration", FLAG
    )
    rtol: float = real("relative tolerance")
    atol: Reals = reals("n_y", "absolute tolerances")
    scale: Reals = reals("n_y", "sizes of the mechanism that q, v and u are compared with")
    time_scale: float = real("time in which the mechanism passes through its sizes")
    weight: Reals = reals("n_y", "1 / (atol + rtol |y|)")
    judged: Reals = reals("n_y", "1 where an error of (q, v, u) is judged, 0 at velocities of auxiliary variables")
    error_weight: Reals = reals("n_y", "weights in the norm of the error of a step")
    error: float = real("error of the attempt in units of the tolerance")
    error_old: float = real("that of the last step, as the controller keeps it")
    error_exponent: float = real("power of the error that changes the step size")
    beta: float = real("weight of the last step's error in that change")
    safety: float = real("factor of safety")
    shrink: float = real("smallest change of the size")
    grow: float = real("largest change of the size")
    error_vector: Reals = reals("n_y", "error of each component")
    order_used: int = integer("order of the last attempt", ("0", "order_used"))
    starts_small: int = integer("whether the first step after a begin is chosen anew")
    projects: int = integer("whether ends of steps are projected onto the constraints")
    iterates: int = integer("whether the method solves nonlinear equations by an iteration of its own")
    iterations: int = integer("iterations of Newton's method in this attempt", COUNT)
    renewal: int = integer("what was done with the Newton matrix in this step, bits", COUNT)

    # Constraints that are pulled back instead of being projected
    pulled_back: int = integer("whether they are")
    velocity_gain: float = real("what residuals of velocity constraints are multiplied by")
    position_gain: float = real("what residuals of position constraints are multiplied by")

    # Constraints that are about to lose rank
    moved: float = real("what projection has changed at the end of the attempt, in units of the tolerance")
    worst_moved: float = real("largest such change of an accepted step")
    condition: float = real("smallest pivot of the last factorisation, relative to the largest; 1 if it is not told")
    margin: float = real("how far constraints are from a loss of rank at the end of the step, from 1 down to 0")
    margin_old: float = real("that at its start")
    row_size: Reals = reals("n_lam", "sizes of the rows of G")
    row_largest: Reals = reals("n_lam", "the largest ones so far")
    least_tried: float = real("smallest multipliers of impulses along all rows so far, where pivots are not told")
    h_avoided: float = real("size that would have ended the step close to a loss of rank")
    avoided: int = integer("sizes tried instead", COUNT)

    # Digits that accelerations lose where pivots are fixed by the structure
    fixed_pivots: int = integer("whether pivots of the matrix of constrained motion are fixed, and watched")
    lost: float = real("error of v that such pivots cause in the step, in units of the tolerance")
    probe_at: int = integer("number of the next step at whose end noise is measured, on atoms", COUNT)

    # Constraints that others are left out for, which depend on them
    exchanges: int = integer("whether there are such")
    row_vectors: Reals = reals("", "their rows of G, orthogonal and of length one")
    row_remains: Reals = reals("", "what is left of each row behind those before it, of its length")
    row_best: Reals = reals("", "the most that was left since rows were chosen or looked at")

    # The step: state at its start and at its end
    y0: Reals = reals("n_y", "(q, v, u) at the start of the step")
    z0: Reals = reals("n_z", "(a, λ) there")
    rate0: Reals = reals("n_y", "ẏ there")
    y1: Reals = reals("n_y", "(q, v, u) at the end of the step")
    z1: Reals = reals("n_z", "(a, λ) there")
    rate1: Reals = reals("n_y", "ẏ there")
    bare_ends: int = integer("whether nobody asks for what happens at the ends of steps, but for the last one")
    ended: int = integer("whether the attempt has left z1 and rate1, as its iteration knows them", FLAG)

    # Dense output of the step
    keep_dense: int = integer("whether coefficients are recorded")
    n_coef: int = integer("coefficients of y in nested form")
    n_coef_z: int = integer("coefficients of z, or 0 where it is recomputed")
    dense_slopes: int = integer("whether the dense output begins with the rates of the motion")
    coef_unused: int = integer("last coefficients that are zero in this step", ("0", "max(n_coef - 1, 0)"))
    coef: Reals = reals("n_coef * n_y", "coefficients of y")
    coef_z: Reals = reals("n_coef_z * n_z", "coefficients of z")
    tableau: Reals = reals("", "coefficients of the method")

    # The point of evaluation: inputs of the programs
    p: Reals = reals("n_p", "parameters")
    t: Reals = reals("1", "time")
    y: Reals = reals("n_y", "(q, v, u)")
    q: Reals = part("y", "0", "n_q", "coordinates")
    v: Reals = part("y", "n_q", "n_v", "velocities")
    u: Reals = part("y", "n_q + n_v", "n_u", "states of external dynamics")
    lam: Reals = reals("n_lam", "multipliers λ")
    rates: Reals = reals("n_y", "ẏ")
    a: Reals = part("rates", "n_q", "n_v", "accelerations")
    mu: Reals = reals("n_g", "multipliers μ")
    changed: int = integer("first stage of inputs that is new", ("0", str(STAGE.end)))
    tell_explicit: int = integer("whether parameters are news to the program explicit", FLAG)
    tell_implicit: int = integer("whether parameters are news to the program implicit", FLAG)

    # Outputs of the programs
    qdot: Reals = part("rates", "0", "n_q", "rates of the coordinates")
    a_solved: Reals = reals("", "accelerations, solved on atoms")
    lam_solved: Reals = reals("", "multipliers, solved on atoms")
    g: Reals = reals("n_g", "position constraints")
    gv: Reals = reals("n_lam", "velocity constraints G v + gI")
    d: Reals = part("rates", "n_q + n_v", "n_u", "rates of the states of external dynamics")
    dq: Reals = reals("n_q", "correction of the coordinates towards g = 0")
    dv: Reals = reals("", "correction of the velocities towards G v + gI = 0")
    qn: Reals = reals("", "coordinates with their invariants restored")
    T: Reals = reals("", "kinematic matrix of q̇ = T v")
    M: Reals = reals("", "mass matrix")
    f: Reals = reals("", "forces")
    G: Reals = reals("", "constraint matrix")
    gI: Reals = reals("", "inhomogeneity of the velocity constraints")
    gamma: Reals = reals("", "right-hand side of G v̇ = γ")
    F: Reals = reals("", "∂f/∂λ")
    C: Reals = reals("", "(∂g/∂q) T")
    w: Reals = reals("", "external excitations")
    implicit_qdot: Reals = reals("", "T (v − Cᵀμ), by the program implicit")
    residual: Reals = reals("", "M a − f + Gᵀλ")
    implicit_g: Reals = reals("", "position constraints, by the program implicit")
    implicit_gv: Reals = reals("", "velocity constraints, by the program implicit")
    implicit_d: Reals = reals("", "rates of the states of external dynamics, by the program implicit")
    jacobian: Reals = reals("", "derivatives of the rows of the program implicit")

    # Patterns of the matrices of the contract
    T_rows: Ints = integers("", "rows of the entries of T")
    T_columns: Ints = integers("", "columns of the entries of T")
    G_rows: Ints = integers("", "rows of the entries of G")
    G_columns: Ints = integers("", "columns of the entries of G")
    F_rows: Ints = integers("", "rows of the entries of F")
    F_columns: Ints = integers("", "columns of the entries of F")

    # The matrix of constrained motion
    saddle_plan: Ints = integers("", "plan of the matrix with M, G and F")
    saddle_values: Reals = reals("", "its values and factors")
    saddle_plan_C: Ints = integers("", "plan of the matrix with C in place of G, where that differs")
    saddle_values_C: Reals = reals("", "its values and factors")
    factored: int = integer("whether the factors are those of the point of evaluation", FLAG)
    right: Reals = reals("n_z", "right-hand side, then solution (a, λ)")

    # Events
    n_events: int = integer("switching functions")
    n_checks: int = integer("check points for them in each step")
    stopped_by: int = integer("event that stopped the run at t_now, or −1", ("-1", "n_events - 1"))
    origin: int = integer("what went before a restart", ("0", str(ORIGIN.end - 1)))
    event_scale: float = real("size of the switching function that stopped the run, about its root")
    directions: Ints = integers("n_events", "−1 falling, +1 rising, 0 both")
    stops: Ints = integers("n_events", "what each event asks for")
    countdown: Ints = integers("n_events", "roots after which a terminal event ends the run", _ROOTS)
    countdown_before: Ints = integers("n_events", "that at the start of the step", _ROOTS)
    threshold: Reals = reals("n_events", "values up to this size count as zero")
    phi: Reals = reals("n_events", "switching functions as the program gives them, at the last point looked at")
    phi0: Reals = reals("n_events", "values at the left end of the piece of the step that is searched")
    phi1: Reals = reals("n_events", "values ahead of that piece; where an event has ended the step, those at its end")
    phi_right: Reals = reals("n_events", "values at the right end of the piece")
    phi_before: Reals = reals("n_events", "values at the start of the step")
    signs: Ints = integers("n_events", "signs as far as the step is searched", _SIGN)
    signs_left: Ints = integers("n_events", "signs at the left end of the piece", _SIGN)
    signs_before: Ints = integers("n_events", "signs at the start of the step", _SIGN)
    event_y: Reals = reals("n_y", "(q, v, u) at the point that is looked at")
    event_z: Reals = reals("n_z", "(a, λ) there")
    event_rate: Reals = reals("n_y", "ẏ there")

    # Borders of tables and of other choices
    n_watched: int = integer("arguments with borders that steps look at")
    watched: Reals = reals("n_watched", "arguments as the program gives them")
    watch_between: int = integer("whether something lies between borders, or jumps")
    looks_along: int = integer("whether steps look at them along their dense output")
    watch_kind: Ints = integers("n_watched", "what each asks for")
    watch_first: Ints = integers("n_watched + 1", "where the borders of each start, and the end")
    watch_borders: Reals = reals("", "borders of all arguments, rising for each")
    watch_period: Reals = reals("n_watched", "after which borders repeat, or 0")
    watch_scale: Reals = reals("n_watched", "what rounding of each is measured by, besides its value")
    watch_start: Reals = reals("n_watched", "interval of each argument at the start of the step")
    watch_low: Reals = reals("n_watched", "lowest interval that it was in")
    watch_high: Reals = reals("n_watched", "highest interval")
    unseen_first: float = real("part of a step, at its start, where the method may see its start alone")
    unseen_last: float = real("part of a step, at its end, where the method may not evaluate right sides")
    landing: int = integer("what this attempt has to do with a jump", ("0", str(LANDING.end - 1)))
    landed: int = integer("whether it has led across one", FLAG)
    h_wanted: float = real("size of the step before it was to end at a jump")
    h_across: float = real("size of the step that leads across")

    # Records
    capacity: int = integer("steps that can be recorded")
    recorded: int = integer("steps recorded since they were taken last")
    records: Reals = reals("", "rows t, y, z; if kept, h and coefficients; what a monitor is told")
    event_capacity: int = integer("events that can be recorded")
    events_recorded: int = integer("events recorded since they were taken last")
    event_records: Reals = reals("event_capacity * (2 + n_y + n_z)", "rows event, t, y, z")
    monitored: int = integer("whether records tell how steps came about")
    told_counters: Ints = integers("", "places of counters of the method's own that a monitor is told besides")
    n_points: int = integer("points to complete, or repetitions")
    points: Reals = reals("", "rows t, y, z of points to complete")

    # Pace against the clock
    pace: float = real("seconds of the motion in a second of the clock; 0 if nobody waits")
    pace_begun: int = integer("whether the clock has been read", FLAG)
    pace_ahead: int = integer("whether the end of the last step has still to come", FLAG)
    pace_t: float = real("instant of the motion at which it was")
    pace_base: Ints = integers("2", "seconds and nanoseconds of the clock there", _CLOCK)
    pace_last: Ints = integers("2", "the same from which the time of a step counts", _CLOCK)
    pace_now: Ints = integers("2", "the same now", _CLOCK)
    pace_until: Ints = integers("2", "the same when the last step is due", _CLOCK)
    overruns: int = integer("steps that were done too late", COUNT)
    late_worst: float = real("seconds by which the latest of them was too late")
    step_time_worst: float = real("seconds that the longest step has taken")
    n_step_times: int = integer("bins of a histogram of times that steps take")
    step_times: Ints = integers("n_step_times", "their counts", COUNT)

    # What was done
    failure: int = integer("how the last attempt failed", ("0", str(STATUS.end - 1)))
    steps: int = integer("accepted steps", COUNT)
    rejected: int = integer("attempts given up", COUNT)
    nfev: int = integer("evaluations of the right side", COUNT)
    njev: int = integer("evaluations of the Jacobian", COUNT)
    nlu: int = integer("factorisations", COUNT)
    nsolve: int = integer("solutions with factors", COUNT)
    newton_iterations: int = integer("iterations of Newton's method", COUNT)
    newton_failures: int = integer("iterations that did not converge", COUNT)
    projections: int = integer("projections of positions", COUNT)
    projection_iterations: int = integer("their iterations", COUNT)
    event_evaluations: int = integer("evaluations of the switching functions", COUNT)
    h_smallest: float = real("smallest accepted step")
    h_largest: float = real("largest accepted step")
    worst_g: float = real("largest residual of a position constraint after projection")

    # Addresses
    begin_kernel: int = address("method: there is no history any more; 0 if it has none")
    attempt_kernel: int = address("method: from y0 to y1 and error")
    accepted_kernel: int = address("method: the step counts; 0 if nothing is to be done then")
    confirm_kernel: int = address("method: whether the rates at the end are what the step expects, or 0")
    interpolate_kernel: int = address("method: coefficients of the dense output")
    control_kernel: int = address("controller: accept or repeat, and the next size")
    rate_kernel: int = address("formalism: ẏ, a and λ at the point")
    project_kernel: int = address("formalism: move q and v onto the constraints")
    start_signs_kernel: int = address("events: signs after a restart")
    find_events_kernel: int = address("events: roots within a step")
    look_kernel: int = address("borders: what a step may have missed")
    aim_kernel: int = address("borders: what an attempt was rejected for, or 0")
    approach_kernel: int = address("borders: how far away one is, or 0")
    inputs: Ints = addresses(len(INPUTS), "inputs of all programs")
    rate_entry: int = address("program rate")
    rate_work: int = address("its workspace")
    rate_outputs: Ints = addresses(len(RATE.meanings), "its outputs")
    explicit_entry: int = address("program explicit")
    explicit_work: int = address("its workspace")
    explicit_outputs: Ints = addresses(len(EXPLICIT.meanings), "its outputs")
    contract_entry: int = address("program contract")
    contract_work: int = address("its workspace")
    contract_outputs: Ints = addresses(len(CONTRACT.meanings), "its outputs")
    implicit_entry: int = address("program implicit")
    implicit_work: int = address("its workspace")
    implicit_outputs: Ints = addresses(len(IMPLICIT.meanings), "its outputs")
    event_entry: int = address("switching functions")
    event_work: int = address("their workspace")
    event_outputs: Ints = addresses(1, "their values")
    watch_entry: int = address("arguments with borders")
    watch_work: int = address("their workspace")
    watch_outputs: Ints = addresses(1, "their values")
    saddle: Ints = addresses(N_ADDRESSES, "solvers of the matrix of constrained motion")
    clock_gettime: int = address("system: the clock")
    clock_nanosleep: int = address("system: sleep until an instant")
    dgetrf: int = address("LAPACK: LU of real matrices")
    dgetrs: int = address("LAPACK: solution with it")
    zgetrf: int = address("LAPACK: LU of complex matrices")
    zgetrs: int = address("LAPACK: solution with it")


#: Slots that take outputs of programs, where they do not have their names: those of inputs are taken, and outputs of
#: the implicit program must not stand in place of those that another program holds for valid.
OUTPUT_SLOTS = {
    ("explicit", "a"): "a_solved", ("explicit", "lam"): "lam_solved",
    ("imex", "a"): "a_solved", ("imex", "lam"): "lam_solved", ("imex", "h"): "h_residual",
    ("implicit", "qdot"): "implicit_qdot", ("implicit", "g"): "implicit_g", ("implicit", "gv"): "implicit_gv",
    ("implicit", "d"): "implicit_d",
}  # fmt: skip
