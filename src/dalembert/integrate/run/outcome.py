"""How runs end: a word, a number, and a sentence with advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dalembert.equations.contract.evaluation import NAMED_QUANTITIES
from dalembert.errors import DalembertError, NotFiniteError, raised_by
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.methods.mexx_memory import MexxMemory

if TYPE_CHECKING:
    from dalembert.equations import Equations
    from dalembert.equations.contract.guards import Guard
    from dalembert.integrate.run.live import Floats, LiveRun

#: Absolute tolerance beside the sizes of a model, or by itself where these are not known.
DEFAULT_ATOL = 1e-8
#: Components must exceed their absolute tolerance by this factor, or else that is worth a word; unless they are smaller
#: than this part of the sizes of the mechanism.
_FAR_ABOVE, _NOTHING = 10.0, 1e-9
#: External states may well be this part of what their default tolerance is made for.
_PERHAPS = 1e-5
#: Smaller relative tolerances than this are mostly lost in rounding.
_FINE_RTOL = 1e-13
#: Largest number of entries of G that singular values are asked of.
_LARGEST_RANK = 1_000_000
#: A loss of rank is looked for as far as coordinates move by this part of their sizes.
_REACH = 0.3
#: After these failures wherever it is found; after others only where it is close, within a part of that reach, or where
#: the smallest singular value σ of G, with rows of the same size, is less than a part of the largest one already: this
#: one, or that with which rounding reaches a part of the tolerance, ε/σ² ≥ 0.03 tol.
#: Measured on failures at singular positions (tol from 1e-14 to 2e-9, on two processors): at most 0.05 of the reach,
#: ε/σ² at least 0.02 tol; where forces blow up on regular mechanisms (chain, double wishbone) no loss is in reach.
_CLOSE = 0.15
_OF_RANK, _NEARLY_LOST, _ROUNDING_PART = (STATUS.SINGULAR, STATUS.PROJECTION_FAILED, STATUS.DRIFTED), 0.01, 0.03
#: Tolerances below this part of the sizes of the mechanism may be out of reach of Newton's iteration.
_FINE = 1e-12
#: Singular values of G with rows of the same size below this part of the largest one count as zero; so many corrections
#: lead there, with difference quotients over this part of the time in which one is looked for.
_LOST, _RANK_ITERATIONS, _DIFFERENCE = 1e-5, 8, 1e-4
#: Part of the largest step below which a run is stuck.
_SMALL_STEP = 1e-6
#: Constraints take part in a loss of rank with this part of the largest share; so many are named.
_TAKES_PART, _NAMED = 0.3, 6


class Ending(NamedTuple):
    """Status as in SciPy: 0 finished, 1 a terminal event, negative a failure; 2 stopped on request."""

    status: int
    outcome: str
    message: str
    resumable: bool = False
    #: whether it may go on beyond its end
    extendable: bool = False

    @property
    def success(self) -> bool:
        return self.status >= 0


def finished(t: float) -> Ending:
    return Ending(0, "finished", f"The run reached the end of its span, t = {t:.9g}.", extendable=True)


def event(name: str, t: float) -> Ending:
    return Ending(1, "event", f"Event '{name}' ended the run at t = {t:.9g}.", extendable=True)


def lost(name: str, t: float) -> Ending:
    """A guard of the equations."""
    return Ending(1, "event", f"The run ended: {name} at t = {t:.9g}.")


def step_limit(count: int | None, t: float) -> Ending:
    return Ending(
        2, "step limit", f"The run was stopped at t = {t:.9g} after {count} steps, as asked; resume() goes on.", True
    )


def interrupted(t: float) -> Ending:
    return Ending(-6, "interrupted", f"The run was interrupted at t = {t:.9g}; resume() goes on from there.", True)


def interrupted_early(t: float, where: str) -> Ending:
    """Where the run cannot go on from."""
    return Ending(-6, "interrupted", f"The run was interrupted at t = {t:.9g}, {where}; it cannot be resumed.")


def left_out(error: Exception, t: float, purpose: str) -> str:
    """That a function has no value at a point next to the motion, which was left out; for the message of a run."""
    who = raised_by(error) or "a function"
    return (
        f" {who[0].upper()}{who[1:]} raised {type(error).__name__} next to the motion near t = {t:.6g}, {purpose}: "
        f"{error}."
    )


def raised(error: BaseException | None, t: float, who: str = "") -> Ending:
    """``who`` has raised, where the exception does not tell."""
    if error is None:
        return Ending(-5, "function failed", f"A function failed near t = {t:.9g}.")
    if isinstance(error, DalembertError) and not (who or raised_by(error)):  # it says itself what is wrong
        return Ending(-5, "function failed", f"The run stopped near t = {t:.9g}: {error}")
    named = who or raised_by(error) or "A function"
    named = named[0].upper() + named[1:]
    return Ending(-5, "function failed", f"{named} raised {type(error).__name__} near t = {t:.9g}: {error}")


def incomplete(error: Exception, t: float) -> Ending:
    """An instant of t_eval cannot be projected, or completed by accelerations and multipliers."""
    outcome = "not finite" if isinstance(error, NotFiniteError) else "projection failed"
    return Ending(-3, outcome, f"The run stopped at t = {t:.9g}: {error}. Look at the functions, or leave it out.")


def chattering(names: Sequence[str], t: float) -> Ending:
    listed = ", ".join(f"'{name}'" for name in dict.fromkeys(names))
    return Ending(
        -4,
        "chattering",
        f"Event {listed} acted {len(names)} times in a row near t = {t:.9g} without getting on. Let the action end the "
        "process: switch to the mode that holds after the last impact (Change(constraints=…)), return "
        "Change(terminate=True), "
        "or give the event a threshold; a limit of a model needs rest=True, or a speed below which nothing rebounds.",
    )


def held_at_jump(t: float, size: float, name: str, where: str) -> Ending:
    """A law jumps against the motion; ``name`` is the element, if it is known."""
    return Ending(
        -4,
        "chattering",
        f"The run does not get on at t = {t:.9g}; steps of {size:.3g} lead to and fro across a jump: "
        f"{f'the law of {name}' if name else 'a law'} changes where {where}, and drives the motion back there from "
        "both sides. Let it pass through that in a small range, such as tanh(rate/eps) in place of sign(rate) "
        "(m.friction does so), give it a hysteresis, or switch it by an event; resume() goes on as it is.",
        True,
    )


def standstill(t: float, steps: int, size: float) -> Ending:
    """Very many steps have covered next to nothing."""
    return Ending(
        -7,
        "no progress",
        f"The run does not get on at t = {t:.9g}; steps of {size:.3g}, {steps} of them. Something jumps or grows "
        "beyond all bounds there, or is much faster than all else: make discontinuities events, smooth laws that jump, "
        "look at stiffnesses and masses; resume() goes on as it is.",
        True,
    )


def failed_start(live: LiveRun) -> Ending:
    """The start itself cannot be completed."""
    return Ending(-1, "bad start", f"The run could not start: {_reason(live)}")


#: So many times their sizes coordinates and velocities do not grow where a step is short enough; external states, whose
#: sizes nobody knows, that many times more.
_BLOWN_UP, _STATES_GROW = 1e9, 1e6
#: Endings that growth may be the reason of.
OF_GROWTH = (-2, -3, -7)
#: So many times the velocities, within the longest step of a run, an acceleration changes that grows beyond all bounds.
_GROWN = 1e4


#: m, N or what guards are measured in: one with less room than this has none.
_NO_ROOM = 1e-9


def guard_at_its_end(live: LiveRun, guards: Sequence[Guard]) -> str:
    """The name of a guard that has fallen to zero where the run stands, but not below: a step that ends on the border
    of a table does not show that the next one leaves it."""
    ending = {guard.name for guard in guards if guard.ends}
    if not ending or live.events is None:
        return ""
    rooms = zip(live.events.names, live.run.phi_before.tolist(), strict=True)
    return next((name for name, room in rooms if name in ending and abs(room) < _NO_ROOM), "")


def underflow(live: LiveRun, guards: Sequence[Guard] = ()) -> Ending:
    t, failure = live.run.t_now, _failure(live)
    if name := guard_at_its_end(live, guards):
        return Ending(-3, "rank lost", f"The run stopped at t = {t:.9g}: {name}, and its equations end there.")
    if (loss := rank_loss(live)) is not None:
        return Ending(-3, "rank lost", f"The run stopped at t = {t:.9g}: {loss.sentence}")
    words = {
        STATUS.NOT_FINITE: "not finite",
        STATUS.SINGULAR: "rank lost",
        STATUS.PROJECTION_FAILED: "projection failed",
        STATUS.DRIFTED: "projection failed",
        STATUS.AUXILIARY_FAILED: "auxiliary variables lost",
        STATUS.NEWTON_FAILED: "no convergence",
        STATUS.UNSOLVED: "no convergence",
    }
    outcome = words.get(failure, "step size underflow")
    return Ending(-2 if failure == STATUS.OK else -3, outcome, f"The run stopped at t = {t:.9g}: {_reason(live)}")


def below_tolerance(names: Mapping[str, Sequence[str]], size: Floats, atol: Floats, scale: Floats | float) -> str:
    """A word about components that never get far above their absolute tolerance, which then decides alone how well they
    are known; not about those that are nothing beside the sizes of the mechanism, or whose tolerance follows from
    these. Of external states nobody knows the size. ``size`` is the largest one of each of (q, v, u)."""
    small = size < _FAR_ABOVE * atol
    if not small.any():  # as almost always
        return ""
    scale = np.array(np.broadcast_to(scale, size.shape))
    scale[len(scale) - len(names["u"]) :] *= _PERHAPS
    small &= (size > _NOTHING * scale) & (atol > 1.01 * DEFAULT_ATOL * scale)
    every = (*names["q"], *names["v"], *names["u"])
    found = [name for name, here in zip(every, small.tolist(), strict=True) if here]
    if not found:
        return ""
    more = f" and {len(found) - 4} more" if len(found) > 4 else ""
    return (
        f" Not far above their absolute tolerance, and known no better than that: {', '.join(found[:4])}{more}. Give "
        "atol, one number for each of (q, v, u), well below the sizes that matter."
    )


@dataclass(frozen=True)
class GreatestGrowth:
    """A coordinate, velocity or external state that has grown beyond all sizes of its motion."""

    name: str
    size: float
    times: float
    """the same in sizes of the motion"""

    @classmethod
    def of(
        cls, names: Mapping[str, Sequence[str]], size: Floats, start: Floats, scale: Floats | float
    ) -> GreatestGrowth | None:
        """The one that has grown most, if one has; ``size`` is the largest of each of (q, v, u), ``scale`` that of the
        mechanism.  A start may be larger than that, as of a planet in metres; of external states no size is known."""
        n_q, n_v = len(names["q"]), len(names["v"])
        reference = np.array(np.broadcast_to(scale, size.shape), dtype=float)
        for part, factor in (
            (slice(0, n_q), 1.0), (slice(n_q, n_q + n_v), 1.0), (slice(n_q + n_v, None), _STATES_GROW)
        ):  # fmt: skip
            largest = np.abs(start[part]).max(initial=0.0)
            reference[part] = factor * np.maximum(reference[part], largest)
        grown = size / reference
        if not grown.max(initial=0.0) > _BLOWN_UP:
            return None
        i = int(np.argmax(grown))
        return cls((*names["q"], *names["v"], *names["u"])[i], float(size[i]), float(size[i] / reference[i]))

    @property
    def sentence(self) -> str:
        return (
            f"{self.name} has grown to {self.size:.3g}, {self.times:.1e} times the size of the mechanism or its start"
        )


def unbounded(
    ending: Ending, growth: GreatestGrowth, t: float, step: float | None, powers: Mapping[str, float]
) -> Ending:
    """The end of a run whose motion has left all sizes of its mechanism; ``step`` is that of all steps, if they have
    one, and ``powers`` are those of the forces of its elements at the end."""
    feeding, power = max(powers.items(), key=lambda item: item[1], default=("", 0.0))
    strongest = max(powers, key=lambda name: abs(powers[name]), default="")
    if step is not None:
        advice = (
            f"steps of {step:.3g} are too long for the method to be stable, or the motion itself has no bounds. "
            f"{f'The largest power is that of {strongest}. ' if strongest else ''}"
            "Take shorter steps, or a method that chooses them."
        )
    elif power > 0.0:
        advice = (
            f"{feeding} feeds the motion, with a power of {power:.3g} W at the end. Look at the sign of its law, and "
            "at how it grows with the motion."
        )
    else:
        advice = "look at the signs of forces that act along the motion, and at how they grow with it."
    what = "came to" if ending.success else "stopped at"
    message = f"The run {what} t = {t:.9g} with a motion beyond all bounds: {growth.sentence}; {advice}"
    if not ending.success:
        return ending._replace(message=message)
    return ending._replace(status=-8, outcome="unbounded", message=message)


#: So far ahead of the last point, in parts of the largest step, and after so many corrections, auxiliary variables that
#: have a solution change by less than this part of their scales.
_AHEAD, _SETTLED_AFTER, _SETTLED = 1e-6, 12, 1e-3


def _failure(live: LiveRun) -> int:
    """Why the last attempt failed; behind most other reasons may stand a value that is not finite."""
    failure = live.run.failure
    if failure in (STATUS.OK, STATUS.NEWTON_FAILED) and _auxiliary_ends(live):
        return STATUS.AUXILIARY_FAILED
    return STATUS.NOT_FINITE if failure != STATUS.OK and culprit(live) else failure


def _auxiliary_ends(live: LiveRun) -> bool:
    """Whether auxiliary variables do not settle a little further along the motion: their rates grow beyond all bounds
    before, so that a step may fail by its error as well."""
    run, equations = live.run, live.equations
    places = [i for block in equations.auxiliary_places for i in block]
    if not places:
        return False
    point = {"p": np.array(run.p), "t": np.array(run.t), "q": run.y0[: run.n_q] + np.zeros(run.n_q)}
    motion = np.array(run.rate0[: run.n_q])
    motion[places] = 0.0
    point["q"] += _AHEAD * np.copysign(run.h_largest, run.h_next) * motion
    for _ in range(_SETTLED_AFTER):
        before, point["q"] = point["q"], equations.program("contract")(["qn"], point)["qn"]
    change = np.abs(point["q"] - before)[places] / run.scale[places]
    return not np.all(change < _SETTLED)


def _reason(live: LiveRun) -> str:
    failure = _failure(live)
    size = live.run.h_next
    if failure == STATUS.NOT_FINITE:
        found = culprit(live) or "a force, a rate or an acceleration shortly after this point"
        place = "its function" if found.startswith("event") else "the force or constraint that it comes from"
        return f"{found} is not finite there. {_blamed(live) or f'Look at {place}'}."
    if failure == STATUS.SINGULAR and not live.run.n_lam:
        return (
            "the matrix of a step is singular, although there are no constraints: a coordinate has no mass, or a force "
            "changes beyond all bounds. Give mass to all coordinates, and look at forces that divide by something that "
            "vanishes there."
        )
    if failure == STATUS.SINGULAR and (names := _dependent(live)):
        return (
            f"the constraints lose rank ({names}). The position is singular, as a dead centre is: motions branch "
            "there, or none leads away. Start elsewhere, or let an event end the run before."
        )
    if failure == STATUS.SINGULAR:
        return (
            "the constraints lose rank or M is singular in the directions of motion. Remove constraints that say the "
            "same; give mass to coordinates that no constraint holds."
        )
    if failure == STATUS.UNSOLVED:
        return (
            "the linear equations of a step are too many for a factorisation with pivots, and a fixed order of these "
            "does not solve them. Constraints may come close to dependence there, or coordinates without mass are held "
            "by constraints that nearly miss them: give these mass, or take an explicit method."
        )
    if failure == STATUS.PROJECTION_FAILED:
        return (
            "the state cannot be brought back onto the position constraints. Start nearer to a configuration that "
            "satisfies "
            "them (equations.assemble says which one cannot be met), or tighten rtol and atol."
        )
    if failure == STATUS.AUXILIARY_FAILED:
        return (
            f"the auxiliary variable {_unsettled(live)} cannot be found from the coordinates: its equations have no "
            "solution near the last one, or more than one, as where a contact point jumps. Tighten rtol and atol, or "
            "end the run before by an event."
        )
    if failure == STATUS.DRIFTED:
        return (
            f"bringing the state back onto the constraints changes it by {live.run.moved:.3g} times the tolerance, "
            "however short the step is. Loosen rtol and atol, or look for constraints that nearly say the same."
        )
    if failure == STATUS.NEWTON_FAILED and live.run.friction and _is_standard(live):
        return (
            "friction that depends on reactions is too strong there for the standard discretization, whose multipliers "
            "diverge from step to step; leave it away in Mexx(discretization=…), or ask for 'modified'."
        )
    if failure == STATUS.NEWTON_FAILED:
        fine = _tolerance(live)
        digits = (
            f" Or tolerances of {fine:.2g} of the sizes of the mechanism ask for more digits than rounding leaves: "
            "loosen rtol and atol."
        )
        return (
            f"the equations of a step could not be solved with any step size down to {size:.3g}. A force may jump or "
            "have a "
            f"singularity there; make its switching an event, or smooth it.{digits if fine < _FINE else ''}"
        )
    if live.options.rtol < _FINE_RTOL:
        return (
            f"the step size fell to {size:.3g}. rtol = {live.options.rtol:g} asks for more digits than double "
            f"precision has left after some steps; {_FINE_RTOL:g} is about the smallest that can be met."
        )
    stiff = "" if live.method.implicit else "choose method='radau' for stiff systems, "
    return (
        f"the step size fell to {size:.3g}. {_growing(live)}The motion is not smooth there: make discontinuities "
        f"events, give known break points, {stiff}or loosen rtol and atol."
    )


def _growing(live: LiveRun) -> str:
    """The acceleration that has grown most beyond the sizes of the run, where one has: a mass that vanishes, or a force
    that divides by something that does."""
    run = live.run
    a, v = np.abs(run.z0[: run.n_v]), live.options.velocity_sizes(live.equations)
    if not a.size or not run.h_largest > 0.0:
        return ""
    grown = a * run.h_largest / np.maximum(v, np.abs(run.y0[run.n_q : run.n_q + run.n_v]))
    i = int(np.argmax(grown))
    if not grown[i] > _GROWN:
        return ""
    return (
        f"The acceleration of {live.equations.names['v'][i]} has grown to {a[i]:.3g}, as where its mass vanishes or a "
        "force divides by something that does. "
    )


def _unsettled(live: LiveRun) -> str:
    """The coordinate that a further restoration of invariants would change most."""
    run, equations = live.run, live.equations
    point = {"p": np.array(run.p), "t": np.array(run.t), "q": np.array(run.q)}
    change = np.abs(equations.program("contract")(["qn"], point)["qn"] - point["q"]) / run.scale[: run.n_q]
    return equations.names["q"][int(np.argmax(np.where(np.isfinite(change), change, np.inf)))]


@dataclass(frozen=True)
class RankLoss:
    """Constraints that lose rank, and when."""

    t: float
    names: tuple[str, ...]
    #: those that time moves
    driven: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        others = f" and {len(self.names) - _NAMED} others" if len(self.names) > _NAMED else ""
        lost = f"the constraints lose rank at t = {self.t:.9g}: {', '.join(self.names[:_NAMED])}{others}."
        if self.driven:
            return (
                f"{lost} This is a dead centre for {', '.join(self.driven[:_NAMED])}: what is prescribed there leads "
                "out of what the mechanism can reach, or leaves its motion undetermined, and velocities or forces grow "
                "beyond all bounds. Keep the law away from there, drive another coordinate, which has no dead centre "
                "there, or apply a force in place of the drive."
            )
        return (
            f"{lost} Motions may "
            "branch there, reactions grow beyond all bounds, and close to it rounding would decide about the motion. "
            "Keep the mechanism away from this position by a stop, a spring or another start, or step over it with "
            "looser rtol and atol, or with method='mexx'."
        )


def rank_loss(live: LiveRun) -> RankLoss | None:
    """The instant, close to where the run stands, at which constraints lose rank, and those that take part; or None
    where there is none, or where another quantity fails."""
    run, equations = live.run, live.equations
    s = equations.sizes
    rates = np.array(run.rate0[: s.q])
    if not (s.lam and run.h_largest) or s.lam * s.v > _LARGEST_RANK or not np.isfinite(rates).all() or culprit(live):
        return None
    rounding = float(np.sqrt(np.finfo(float).eps / (_ROUNDING_PART * _tolerance(live))))
    at_most = np.inf if run.failure in _OF_RANK else max(_NEARLY_LOST, rounding)
    travel = float(np.max(np.abs(rates) / run.scale[: s.q], initial=0.0))
    near = _REACH / travel if travel > 0.0 else run.h_largest
    try:
        G_at = _constraint_matrices(live, rates)
        found, left = _first_loss(G_at, run.t_now, near, equations.names["lam"])
    except Exception:  # a function of numbers that does not like a point nearby, or is not finite there
        return None
    if found is None or not (left <= at_most or abs(found.t - run.t_now) <= _CLOSE * near):
        return None
    return replace(found, driven=_moved_by_time(live, found.names))


def _moved_by_time(live: LiveRun, names: Sequence[str]) -> tuple[str, ...]:
    """Those of some constraints that change with time alone where the run stands: G v + gI = 0 with gI ≠ 0."""
    run, equations = live.run, live.equations
    s = equations.sizes
    point = {"p": np.array(run.p), "t": np.array([run.t_now]), "q": np.array(run.y0[: s.q])}
    rates = equations.program("contract")(["gI"], point)["gI"]
    return tuple(name for name in names if rates[equations.names["lam"].index(name)] != 0.0)


def _tolerance(live: LiveRun) -> float:
    """The least tolerance of coordinates and velocities, beside the sizes of the mechanism."""
    run = live.run
    n = run.n_q + run.n_v
    tolerances = (run.atol[:n] + run.rtol * np.abs(run.y0[:n])) / run.scale[:n]
    return max(float(np.min(tolerances, initial=1.0)), float(np.finfo(float).eps))


def _constraint_matrices(live: LiveRun, rates: Floats) -> Callable[[float], Floats]:
    """G after a short time, with the rates at its middle; columns in units in which all velocities have the same
    inertia."""
    run, equations = live.run, live.equations
    provider, s = equations.program("contract"), equations.sizes
    p, t, q = np.array(run.p), run.t_now, np.array(run.y0[: s.q])
    v, a = np.array(run.y0[s.q : s.q + s.v]), np.array(run.z0[: s.v])

    def moved(h: float) -> Floats:
        change = 0.5 * h * a
        if not np.abs(change).max() <= np.abs(v).max():  # accelerations that are lost in noise
            return q + h * rates
        if run.unit_T:
            return q + h * (v + change)
        T = provider(["T"], {"p": p, "t": np.array([t + 0.5 * h]), "q": q + 0.5 * h * rates})["T"]
        return q + h * (provider.patterns["T"].dense(T) @ (v + change))

    def at(h: float) -> dict[str, Floats]:
        return provider(["M", "G"], {"p": p, "t": np.array([t + h]), "q": moved(h)})

    pattern = provider.patterns["M"]
    inertia = np.zeros(s.v)
    on_diagonal = pattern.rows == pattern.columns
    inertia[pattern.rows[on_diagonal]] = at(0.0)["M"][on_diagonal]
    known = inertia[inertia > 0.0]
    scale = np.sqrt(np.where(inertia > 0.0, inertia, known.max() if known.size else 1.0))
    return lambda h: provider.patterns["G"].dense(at(h)["G"]) / scale


def _first_loss(
    G_at: Callable[[float], Floats], t: float, near: float, names: Sequence[str]
) -> tuple[RankLoss | None, float]:
    """Newton's method for the time at which the smallest singular value vanishes, from where the run stands; and what
    part of the largest one it is there."""
    # Rows count equally, each by its size in the neighbourhood: here it may vanish.
    sizes = np.fmax.reduce([np.linalg.norm(G_at(h), axis=1) for h in (0.0, -near, near)])[:, None]
    sizes[sizes == 0.0] = 1.0
    h, step = 0.0, _DIFFERENCE * near
    found: RankLoss | None = None
    start = np.inf
    for _ in range(_RANK_ITERATIONS):
        left, values, right = np.linalg.svd(G_at(h) / sizes, full_matrices=False)
        if h == 0.0:
            start = float(values[-1] / values[0])
        if values[-1] <= _LOST * values[0]:
            share = np.abs(left[:, -1])
            taking_part = np.flatnonzero(share > _TAKES_PART * share.max())
            found = RankLoss(t + h, tuple(names[i] for i in taking_part[np.argsort(-share[taking_part])]))
        change = left[:, -1] @ ((G_at(h + step) - G_at(h - step)) / sizes) @ right[-1] / (2.0 * step)
        if not abs(change) * near > values[-1]:
            break
        h -= values[-1] / change
        if abs(h) > near:
            break
    return found, start


def _is_standard(live: LiveRun) -> bool:
    """Whether MEXX takes multipliers in f from the last small step."""
    return isinstance(live.run, MexxMemory) and bool(live.run.standard)


def culprit(live: LiveRun) -> str:
    """The first quantity of the contract, or event, that is not finite where the run came to its end; or nothing."""
    for point in _last_points(live):
        if found := _not_finite(live.equations, point):
            return found
    if live.method.implicit and (found := _derivative(live)):
        return found
    if live.events is not None and not np.isfinite(live.run.phi).all():
        return f"event '{live.events.names[int(np.argmin(np.isfinite(live.run.phi)))]}'"
    return ""


def _last_points(live: LiveRun) -> Iterator[dict[str, Floats]]:
    """Where the last evaluation was, and a little way ahead of the run, where others may have been before it."""
    s = live.equations.sizes
    point = {key: np.array(getattr(live.run, key)) for key in ("p", "t", "q", "v", "u", "lam")}
    if not np.isfinite(point["lam"]).all():
        point["lam"] = np.array(live.run.z0[s.v :])
    if all(np.isfinite(values).all() for values in point.values()):
        yield point
        # Where steps have become small, others may have been tried a little way ahead.
        if not 0.0 < abs(live.run.h) <= _SMALL_STEP * live.run.h_largest:
            return
    if np.isfinite(live.run.y0).all() and np.isfinite(live.run.rate0).all():
        for h in live.run.h * np.array([1.0, 4.0, 16.0, 64.0]):
            q, v, u = np.split(live.run.y0 + h * live.run.rate0, [s.q, s.q + s.v])
            yield point | {"t": live.run.t_now + np.array([h]), "q": q, "v": v, "u": u}


def _not_finite(equations: Equations, point: dict[str, Floats]) -> str:
    try:
        return _named(equations, point)
    except Exception:  # a function of numbers that does not like this point
        return ""


def _blamed(live: LiveRun) -> str:
    """What a description says about forces that are not finite where the run came to its end, or nothing."""
    for point in _last_points(live):
        try:
            if (found := live.equations.blame(point)) is not None:
                return str(found)
        except Exception:  # a function of numbers that does not like this point
            continue
    return ""


def _derivative(live: LiveRun) -> str:
    """The first derivative that is not finite where the run stands, or nothing."""
    from dalembert.equations.contract.evaluation import Derivatives

    run, s = live.run, live.equations.sizes
    q, v, u = np.split(np.array(run.y0), [s.q, s.q + s.v])
    a, lam = np.split(np.array(run.z0), [s.v])
    try:
        Derivatives(live.equations, run.t_now, q, v, a, lam, u, np.array(run.p))
    except NotFiniteError as error:
        return error.what
    except Exception:  # a function of numbers that does not like this point
        pass
    return ""


def _named(equations: Equations, point: dict[str, Floats]) -> str:
    provider = equations.program("contract")
    for name, rows in NAMED_QUANTITIES:
        bad = np.flatnonzero(~np.isfinite(provider([name], point)[name]))
        if bad.size and rows:
            return f"{name}[{bad[0]}] ({equations.names[rows][bad[0]]})"
        if bad.size:
            pattern = provider.patterns[name]
            return f"{name}[{pattern.rows[bad[0]]}, {pattern.columns[bad[0]]}]"
    return ""


def _dependent(live: LiveRun) -> str:
    """Names of constraints that depend on others at the last point, for small systems."""
    from dalembert.equations.contract.rank import dependent_rows

    equations = live.equations
    if not equations.sizes.lam or equations.sizes.lam * equations.sizes.v > _LARGEST_RANK:
        return ""
    q = live.run.y0[: equations.sizes.q]
    G = (
        equations.program("contract")
        .patterns["G"]
        .dense(
            equations.program("contract")(["G"], {"p": np.array(live.run.p), "t": np.array([live.run.t_now]), "q": q})[
                "G"
            ]
        )
    )
    rows = dependent_rows(G * live.options.velocity_sizes(equations))
    return ", ".join(equations.names["lam"][i] for i in rows)
