"""Events as a user writes them, and their functions compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert.arguments import flag, known_keywords, named, shown, texts
from dalembert.equations import Equations, State
from dalembert.equations.builders.callback import Callback, PythonProvider
from dalembert.equations.builders.trace import NotTraceableError, call_by_name, named_arguments, named_parameters
from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.keeping import MAKING
from dalembert.equations.contract.provider import Floats, Provider
from dalembert.equations.contract.rank import smallest_multipliers
from dalembert.errors import SimulationError
from dalembert.integrate.events.conditions import difference_of, values_without_root
from dalembert.integrate.frame.memory import STOP
from dalembert.symbolic import Atom, array, compile, substitute, symbols, zeros


@known_keywords(SimulationError)
@dataclass(frozen=True)
class Change:
    """What an action of an event changes; what is None stays as it is.

    ``q`` and ``v`` are projected onto the constraints again, velocities in the metric of M.  ``constraints`` are the
    names of the multipliers whose rows hold from now on, or their numbers: the mode of the system.  ``also`` are names
    of other events of this instant that the action has dealt with; they are recorded like the one that was found.
    ``impulse`` are the impulses Λ of the constraints in this change, M (v⁺ − v⁻) = −Gᵀ Λ, one for each multiplier; they
    are recorded with the event, ``sol.events[k].impulse``.
    """

    q: Any = None
    v: Any = None
    u: Any = None
    parameters: Mapping[str, Any] | None = None
    constraints: Sequence[str | int] | None = None
    terminate: bool = False
    also: Sequence[str] = ()
    impulse: Any = None

    def __post_init__(self) -> None:
        flag(self.terminate, "Change: terminate", SimulationError)
        texts(self.also, "Change: also", SimulationError)
        if self.parameters is not None:
            named(self.parameters, "Change: parameters", SimulationError)


@known_keywords(SimulationError)
@dataclass(frozen=True)
class Event:
    """A switching function; its roots are events.

    :param function: function of any of ``t, q, v, a, lam, u, p`` that changes its sign; ``y`` is (q, v, u), and
        ``constraints`` are the names of the constraints that hold; or a quantity of a model, such as ``A.angle - 1.5``,
        or the name of one, such as ``"A.rate"``; or a comparison of quantities, ``A.angle > 1.5``, which is an event
        where it becomes true
    :param direction: −1 only falling, +1 only rising, 0 both; of a comparison −1: where it ceases to be true
    :param terminal: whether the run ends at the event; a number n: at the n-th of its roots
    :param action: function of any of ``t, q, v, a, lam, u, p, constraints`` that returns a :class:`Change`; the run
        goes on from there, unless the event is terminal
    :param threshold: values up to this size count as zero: a function that rests at zero is no event
    """

    function: Callable[..., Any]
    direction: int = 0
    terminal: bool | int = False
    action: Callable[..., Change | None] | None = None
    threshold: float = 0.0
    name: str = ""

    @classmethod
    def of(cls, given: Any, number: int) -> Event:
        """An event from what the user gave: an Event, or a function as for SciPy, with attributes terminal and
        direction; with a name, and checked."""
        event = given
        if not isinstance(given, Event):
            direction, terminal = getattr(given, "direction", 0), getattr(given, "terminal", False)
            if isinstance(direction, (int, float, np.number)):  # SciPy looks at its sign
                direction = np.sign(direction)
            event = cls(given, direction, False if terminal is None else terminal)
        if not callable(event.function):
            raise SimulationError(
                f"event {number}: function must be a function, or an Event with one, got {shown(event.function)}"
            )
        if not isinstance(event.name, str):
            raise SimulationError(f"event {number}: name must be a text, got {shown(event.name)}")
        own = str(getattr(event.function, "__name__", ""))
        name = event.name or (own if own != "<lambda>" else "") or f"event {number}"
        for what, value, good, words in (
            ("direction", event.direction, lambda x: x in (-1, 0, 1), "a number: -1 falling, 1 rising, 0 both"),
            ("threshold", event.threshold, lambda x: 0 <= x < np.inf, "a number, zero or positive"),
            ("terminal", event.terminal, lambda x: 0 <= x < 2**31 and x == int(x), "True, False or a whole number"),
        ):
            if not (isinstance(value, (int, float, np.number, np.bool_)) and good(value)):
                raise SimulationError(f"event '{name}': {what} must be {words}; got {shown(value)}")
        if event.action is not None and not callable(event.action):
            raise SimulationError(f"event '{name}': action must be a function, got {shown(event.action)}")
        return replace(event, name=name, direction=int(event.direction))


@dataclass(frozen=True)
class Notice(Event):
    """A condition that is lost where its function falls below zero; a run says so, and goes on."""

    direction: int = -1


def with_functions(equations: Equations, given: Sequence[Any]) -> list[Any]:
    """Events whose functions are quantities of a model, such as ``A.angle − 1``, with functions in their place;
    comparisons, such as ``A.angle > 1``, become differences that rise where they become true."""
    return [_with_function(equations, item, number) for number, item in enumerate(given)]


def _with_function(equations: Equations, item: Any, number: int) -> Any:
    event = item if isinstance(item, Event) else None
    given = item if event is None else event.function
    function = equations.function_of(given)
    if function is given:
        return item
    event = Event(function) if event is None else replace(event, function=function)
    value = function()
    if difference_of(value) is None:
        _refuse_conditions(event.name or function.__name__ or f"event {number}", value)
        return event

    def difference() -> Any:
        return difference_of(function())

    difference.__name__ = function.__name__
    return replace(event, function=difference, direction=event.direction or 1)


@dataclass
class EventFunctions:
    """All switching functions of a run behind one entry."""

    events: list[Event]
    provider: Provider
    names: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def directions(self) -> list[int]:
        return [int(np.sign(event.direction)) for event in self.events]

    @property
    def stops(self) -> list[int]:
        return [_stop(event) for event in self.events]

    @property
    def countdown(self) -> list[int]:
        """Roots after which each event ends the run, of those that do."""
        return [int(event.terminal) for event in self.events]

    @property
    def thresholds(self) -> list[float]:
        return [float(event.threshold) for event in self.events]


def _stop(event: Event) -> int:
    """What an event asks for."""
    if isinstance(event, Notice):
        return STOP.NOTICE
    return STOP.ACT if event.action is not None else STOP.TERMINATE if event.terminal else STOP.REPORT


def prepare(
    equations: Equations, given: Sequence[Any], active: Equations | None = None, held: Sequence[int] | None = None
) -> EventFunctions | None:
    """Compile the switching functions; those that cannot be traced are called back in Python.

    ``active`` are the equations with the rows of constraints that are active, ``held`` all rows that hold; without them
    all are and do.
    """
    events = [Event.of(item, number) for number, item in enumerate(given)]
    if not events:
        return None
    active = equations if active is None else active
    names = [event.name for event in events]
    modes = constraint_names(equations, held)
    shares = held is not None and len(held) > len(active.rows)
    values, inputs, dropped = _symbols_of_mode(equations, equations if shares else active)
    values["constraints"] = modes
    for event, name in zip(events, names, strict=True):
        named_arguments(f"event '{name}'", event.function, values)
        if event.action is not None:
            named_arguments(f"action of '{name}'", event.action, {**values, "w": None})  # it is called with numbers
    rows: dict[int, Any] = {}
    for number, (event, name) in enumerate(zip(events, names, strict=True)):
        try:
            row = array(call_by_name(f"event '{name}'", event.function, values))
        except (NotTraceableError, TypeError):  # of atoms, or of NumPy that does not know them
            continue
        if row.ndim > 1 or row.size != 1:
            raise SimulationError(f"event '{name}' must return one number, got the shape {row.shape}")
        _refuse_conditions(name, row.reshape(-1)[0])
        if not isinstance(row.reshape(-1)[0], (Atom, int, float, np.number)):
            raise SimulationError(f"event '{name}' must return one number, got {shown(row.reshape(-1)[0])}")
        rows[number] = array(substitute(row, dropped) if dropped else row).reshape(-1)[0]
    if shares and len(rows) == len(events) and not set(symbols(list(rows.values()))) & set(inputs["lam"]):
        # No function looks at multipliers, so none of them has to be shared among redundant constraints.
        shares, inputs = False, _symbols_of_mode(equations, active)[1]
    function = None
    if rows:
        phi = array(list(rows.values()))
        function = compile({"phi": phi}, {key: inputs[key] for key in INPUTS}, name="events", staged=True)
    if function is not None and len(rows) == len(events) and not shares:
        return EventFunctions(events, Provider.compiled("events", function), names)
    shared = (equations, tuple(held or ())) if shares else None
    return EventFunctions(events, _callback(active, events, list(rows), function, modes, shared), names)


class Switching:
    """The events of a run; their functions are compiled once for each mode."""

    def __init__(self, equations: Equations, given: Sequence[Any]) -> None:
        self.equations, self.given = equations, given
        self._prepared: dict[Any, EventFunctions | None] = {}

    def of(self, active: Equations, held: tuple[int, ...]) -> EventFunctions | None:
        """Switching functions of a mode: see :func:`prepare`."""
        key = (active.rows, held)
        if key not in self._prepared:
            with MAKING:  # functions are traced on the graph of the equations, which other runs may share
                self._prepared[key] = prepare(self.equations, self.given, active, held)
        return self._prepared[key]


def constraint_names(equations: Equations, held: Sequence[int] | None) -> tuple[str, ...]:
    """Names of the constraints that hold; all if nothing is said."""
    names = equations.names["lam"]
    return tuple(names) if held is None else tuple(names[i] for i in held)


def _symbols_of_mode(
    equations: Equations, active: Equations
) -> tuple[dict[str, Any], dict[str, Any], dict[Any, float]]:
    """Symbols of the full system, with the inputs of the system of active rows, and multipliers that are zero in it."""
    values, inputs = symbolic_values(equations)
    lam, n_g = inputs["lam"], equations.sizes.g
    place = {row: k for k, row in enumerate(equations.rows)}
    keep = [place[row] for row in active.rows]
    dropped = {lam[k]: 0.0 for k in range(len(lam)) if k not in set(keep)}
    values["lam"] = all_multipliers(active, [lam[k] for k in keep], zeros((equations.full_rows,)))
    positions = [k for k in keep if k < n_g]
    chosen = {"lam": [lam[k] for k in keep], "mu": [inputs["mu"][k] for k in positions]}
    return values, {**inputs, **{key: array(v) if v else zeros((0,)) for key, v in chosen.items()}}, dropped


def all_multipliers(equations: Equations, active: Any, full: Any) -> Any:
    """Multipliers of all rows, zero where a row is not active: functions of users are written for the full system."""
    for k, row in enumerate(equations.rows):
        full[row] = active[k]
    return full


def symbolic_values(equations: Equations) -> tuple[dict[str, Any], dict[str, Any]]:
    """What functions of the motion may ask for, as symbols: by the names of arguments, and as inputs of a program."""
    values, inputs = equations.namespace()
    return {**values, "y": np.concatenate([values[key] for key in ("q", "v", "u")])}, inputs


def named_values(equations: Equations, point: Mapping[str, Floats]) -> dict[str, Any]:
    """What functions of the motion may ask for, as numbers: copies of the vectors of a point by the names of
    arguments."""
    values: dict[str, Any] = {key: np.array(point[key]) for key in ("q", "v", "u", "a")}
    values["y"] = np.concatenate([values[key] for key in ("q", "v", "u")])
    values["lam"] = all_multipliers(equations, point["lam"], np.zeros(equations.full_rows))
    p = named_parameters(equations.parameters, np.array(point["p"]))
    return {**values, "t": float(point["t"][0]), "p": p}


def _callback(
    equations: Equations, events: list[Event], traced: Sequence[int], function: Any, modes: tuple[str, ...],
    shared: tuple[Equations, tuple[int, ...]] | None,
) -> Provider:  # fmt: skip
    """Switching functions of which only some could be traced, or that look at multipliers which ``shared`` constraints,
    given with their equations, have the load of others in."""
    called = [k for k in range(len(events)) if k not in set(traced)]

    def evaluate(request: int, point: dict[str, Floats]) -> dict[int, Floats]:
        rows = np.zeros(len(events))
        if shared is not None:
            point = _with_shared(equations, *shared, point)
        if function is not None:
            rows[list(traced)] = function(*(point[key] for key in INPUTS))["phi"]
        values = {**named_values(equations if shared is None else shared[0], point), "constraints": modes}
        for k in called:
            result = call_by_name(f"event '{events[k].name}'", events[k].function, values)
            rows[k] = _one_number(events[k].name, result)
        return {0: rows}

    return PythonProvider.of("events", Callback(equations.sizes, evaluate), [len(events)], {})


def _refuse_conditions(name: str, value: Any) -> None:
    """Refuse what is true or false, or jumps among numbers of one sign: it has no root, so no event would be found."""
    found = f"the truth value {value}" if isinstance(value, (bool, np.bool_)) else ""
    if isinstance(value, Atom) and (values := values_without_root(value)):
        found = f"nothing but {' or '.join(f'{one:g}' for one in values[:4])}, which never passes zero"
    if found:
        raise SimulationError(
            f"event '{name}' returns {found}; return the difference of what is compared, such as q[0] - 0.5 for "
            "q[0] > 0.5, and give direction=1 if only becoming true counts"
        )


def _one_number(name: str, result: Any) -> float:
    """What an event function returned, or an error that says what is wrong."""
    _refuse_conditions(name, result.flat[0] if isinstance(result, np.ndarray) and result.size == 1 else result)
    try:
        if result is None or np.iscomplexobj(result):
            raise TypeError
        values = np.asarray(result, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(f"event '{name}' must return one number, got {result!r:.80}") from None
    if values.size != 1:
        raise SimulationError(f"event '{name}' must return one number, got the shape {values.shape}")
    return float(values.reshape(()))


def _with_shared(
    active: Equations, equations: Equations, held: tuple[int, ...], point: dict[str, Floats]
) -> dict[str, Floats]:
    """A point of the active rows as one of all, with multipliers that redundant constraints share."""
    t, q, p = float(point["t"][0]), point["q"], point["p"]
    lam = all_multipliers(active, point["lam"], np.zeros(equations.sizes.lam))
    if np.isfinite(lam).all():
        lam = smallest_multipliers(equations, held, active.rows, t, q, lam, p)
    return {**point, "lam": lam, "mu": np.zeros(equations.sizes.g)}


def act(
    equations: Equations, event: Event, name: str, state: State, parameters: Floats, modes: tuple[str, ...]
) -> Change:
    """What the action of an event asks for; ``modes`` are the names of the constraints that hold."""
    if event.action is None:
        return Change()
    point = {
        "p": parameters,
        "t": np.array([state.t]),
        "q": state.q,
        "v": state.v,
        "u": state.u,
        "a": state.a,
        "lam": state.lam,
    }
    values = {**named_values(equations, point), "constraints": modes}
    change = call_by_name(f"action of '{name}'", event.action, values)
    if change is None:
        return Change()
    if not isinstance(change, Change):
        raise SimulationError(f"the action of '{name}' must return a Change or None, got {change!r:.80}")
    return change
