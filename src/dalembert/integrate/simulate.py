"""The runner: from equations, a span of time and a start to a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dalembert.equations import Equations, State
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.methods import Method, method_named
from dalembert.integrate.outputs import with_outputs
from dalembert.integrate.progress import Progress
from dalembert.integrate.run import Floats, Options
from dalembert.integrate.task import FIRST_METHOD, Task
from dalembert.solution import Solution

#: Runs of larger systems keep their dense output only if they are asked to.
_DENSE_LIMIT = 2000


def simulate(
    equations: Equations,
    span: Sequence[float],
    start: Any,
    *,
    method: str = "auto",
    rtol: float = 1e-6,
    atol: ArrayLike = 1e-8,
    t_eval: ArrayLike | None = None,
    events: Sequence[Any] = (),
    parameters: Mapping[str, Any] | None = None,
    dense_output: bool | None = None,
    first_step: float | None = None,
    min_step: float = 0.0,
    max_step: float = np.inf,
    max_steps: int | None = None,
    event_checks: int = 4,
    redundant: str = "refuse",
    constraints: Sequence[str | int] | None = None,
    formalism: str = "auto",
    solver: str = "auto",
    outputs: Mapping[str, Callable[..., Any]] | None = None,
    progress: Progress | bool | None = None,
) -> Solution:
    """Integrate equations of motion.

    :param equations: made by :func:`dalembert.trace`, :class:`dalembert.Elements` or a model
    :param span: first and last instant; the last may be the earlier one
    :param start: a :class:`State` as ``equations.assemble`` gives it, or ``(q, v)``, ``(q, v, u)``; it is projected
        onto the
        constraints
    :param method: "auto", or one of ``dalembert.methods()``
    :param rtol: relative tolerance of q, v and u; ``atol``: absolute, one number or one per entry of (q, v, u)
    :param t_eval: instants to report; the ends of all steps if left away
    :param events: :class:`Event` objects, or functions with SciPy's attributes ``terminal`` and ``direction``
    :param parameters: values other than the defaults of the equations
    :param dense_output: keep the motion between the steps as ``sol.sol``; by default for all but very large systems
    :param max_steps: stop after so many steps; the run can be resumed
    :param formalism: "auto", "explicit" (accelerations solved on atoms) or "contract" (matrices factorised by
        ``solver``: "auto",
        "range", "sparse" or "dense")
    :param constraints: names or numbers of the multipliers whose rows hold from the start on; all if left away
    :param redundant: "accept" constraints that say the same; multipliers are then those of the smallest norm
    :param outputs: sensors: functions of any of ``t, q, v, a, lam, u, p``, evaluated at the instants of the result,
        ``sol["name"]``
    :param progress: True for a line on the terminal, or a function of (t, statistics), called after each slice of steps

    The result has SciPy's names: ``t``, ``q``, ``v``, ``a``, ``lam`` of shape (n, n_t), ``status``, ``message``,
    ``success``, ``nfev``, ``t_events``, ``sol``.  A run that ends badly returns what was computed, and says in
    ``message`` what happened and what helps.
    """
    t0, t1 = _checked_span(span)
    if redundant not in ("refuse", "accept"):
        raise SimulationError(f"redundant must be 'refuse' or 'accept', got '{redundant}'")
    _check_numbers(first_step, min_step, max_step, max_steps, event_checks)
    if formalism not in ("auto", "explicit", "contract"):
        raise SimulationError(
            f"there is no formalism '{formalism}'; {suggestion(str(formalism), ['auto', 'explicit', 'contract'])}"
        )
    state = _start_state(equations, start, t0)
    rows = tuple(range(equations.sizes.lam))
    if constraints is not None:
        rows = tuple(sorted({equations.index("lam", item) for item in constraints}))
    found = equations.restricted(rows).check(
        state.q, state.v, state.u, t=t0, parameters=parameters, redundant=redundant
    )
    chosen = _choose(equations, method)
    n_y = equations.sizes.q + equations.sizes.v + equations.sizes.u
    dense = n_y <= _DENSE_LIMIT if dense_output is None else bool(dense_output)
    times = None if t_eval is None else _checked_times(t_eval, t0, t1)
    options = Options(
        rtol=_checked_rtol(rtol),
        atol=_checked_atol(atol, equations),
        first_step=first_step,
        min_step=min_step,
        max_step=max_step,
        dense=dense or times is not None,
        # Pivots on atoms are entries of M; where that is singular by itself they may vanish.
        formalism=formalism if found.definite or formalism != "auto" else "contract",
        solver=solver,
        checks=event_checks,
    )
    task = Task(
        equations, chosen, options, (t0, t1), dict(parameters or {}), list(events), times, dense,
        tuple(rows[i] for i in found.rows),
        automatic=method == "auto", redundant=bool(found.dependent),
    )  # fmt: skip
    task.begin(np.concatenate([state.q, state.v, state.u]))
    return with_outputs(task.run(max_steps, progress), equations, outputs, task.recorder.parameters_at)


def resume(
    solution: Solution,
    equations: Equations,
    *,
    events: Sequence[Any] = (),
    max_steps: int | None = None,
    outputs: Mapping[str, Callable[..., Any]] | None = None,
    progress: Progress | bool | None = None,
) -> Solution:
    """Go on with a run that was interrupted or stopped by ``max_steps``, exactly as if it had never stopped.

    ``equations`` and ``events`` must be those of the first part.  The result holds the whole run.
    """
    if solution.checkpoint is None:
        raise SimulationError("this solution has no checkpoint: it was finished, or it was stored without one")
    task = Task.from_checkpoint(solution, equations, list(events))
    return with_outputs(task.run(max_steps, progress), equations, outputs, task.recorder.parameters_at)


def _choose(equations: Equations, method: str) -> Method:
    return method_named(FIRST_METHOD if method == "auto" else method)


def _checked_span(span: Sequence[float]) -> tuple[float, float]:
    try:
        t0, t1 = (float(t) for t in span)
    except (TypeError, ValueError):
        raise SimulationError(f"span must be two numbers (t0, t1), got {span!r}") from None
    if not (np.isfinite(t0) and np.isfinite(t1)):
        raise SimulationError(f"span must be finite, got ({t0}, {t1})")
    return t0, t1


def _checked_times(t_eval: ArrayLike, t0: float, t1: float) -> Floats:
    times = np.asarray(t_eval, dtype=float)
    if times.ndim != 1 or not np.isfinite(times).all():
        raise SimulationError("t_eval must be a list of finite numbers")
    sign = 1.0 if t1 >= t0 else -1.0
    if times.size and (np.any(np.diff(sign * times) < 0) or sign * (times[0] - t0) < 0 or sign * (times[-1] - t1) > 0):
        raise SimulationError(f"t_eval must be sorted and lie within the span ({t0:g}, {t1:g})")
    return times


def _checked_rtol(rtol: float) -> float:
    if not isinstance(rtol, (int, float)) or not 0.0 <= rtol < 1.0:
        raise SimulationError(f"rtol must be a number between 0 and 1, got {rtol!r}")
    return max(float(rtol), 1e-15)


def _check_numbers(
    first_step: float | None, min_step: float, max_step: float, max_steps: int | None, event_checks: int
) -> None:
    for name, value, good, what in (
        ("first_step", first_step, first_step is None or 0.0 < first_step < np.inf, "positive"),
        ("min_step", min_step, 0.0 <= min_step < np.inf, "zero or positive"),
        ("max_step", max_step, max_step > 0.0, "positive"),
        ("max_steps", max_steps, max_steps is None or max_steps >= 0, "zero or positive"),
        ("event_checks", event_checks, event_checks >= 1, "at least 1"),
    ):
        if not good:
            raise SimulationError(f"{name} must be {what}, got {value!r}")


def _checked_atol(atol: ArrayLike, equations: Equations) -> Floats:
    n = equations.sizes.q + equations.sizes.v + equations.sizes.u
    values = np.asarray(atol, dtype=float)
    if values.shape == () and 0.0 <= values < np.inf:
        return np.full(n, max(float(values), 1e-300))
    if values.shape not in ((), (n,)):
        raise SimulationError(f"atol must be one number or {n} numbers, for (q, v, u); got the shape {values.shape}")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise SimulationError("atol must not be negative")
    return np.array(np.broadcast_to(np.maximum(values, 1e-300), (n,)))


def _start_state(equations: Equations, start: Any, t: float) -> State:
    q: Any
    v: Any
    u: Any
    if isinstance(start, State):
        q, v, u = start.q, start.v, start.u
    elif isinstance(start, Mapping):
        q, v, u = (start.get(key) for key in ("q", "v", "u"))
    else:
        parts = list(start) if np.iterable(start) else []
        if not 1 <= len(parts) <= 3 or (np.ndim(parts[0]) == 0 and not isinstance(parts[0], Mapping)):
            raise SimulationError("start must be a State, (q, v) or (q, v, u), each of them a list of numbers")
        q, v, u = parts + [None] * (3 - len(parts))
    s = equations.sizes
    if q is None:
        raise SimulationError("start must hold the coordinates q")
    return State(
        t,
        equations.vector("q", q),
        equations.vector("v", np.zeros(s.v) if v is None else v),
        np.zeros(s.v),
        np.zeros(s.lam),
        equations.vector("u", np.zeros(s.u) if u is None else u),
    )
