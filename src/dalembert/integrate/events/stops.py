"""The stops of a mechanism as events: impacts and releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dalembert.equations import Equations, State
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.switching import Beyond, Contacts, Stop, beyond_stops
from dalembert.errors import SimulationError
from dalembert.integrate.events.event import Change, Event, Notice


def stop_events(
    equations: Equations, span: Sequence[float], start: State | None = None, parameters: Mapping[str, Any] | None = None
) -> list[Event]:
    """Two events for each stop of the equations: impact and release.

    Beyond a stop that is not touched a start is refused; one that is on it counts as touching.
    """
    stops = equations.switches
    if not stops:
        return []
    if span[1] < span[0]:
        raise SimulationError(
            f"'{equations.name}' has stops, and cannot be run backwards: what is left after an impact does not tell "
            "what was before it"
        )
    contacts = Contacts(equations, stops, abs(float(span[1]) - float(span[0])))
    # What goes on from a checkpoint finds its thresholds there.
    beyond = {} if start is None else beyond_stops(equations, start.t, start.q, equations.parameter_vector(parameters))
    events = []
    for k, stop in enumerate(stops):
        depth = beyond.get(stop.row, Beyond(0.0, 1.0))
        if depth.counts:
            raise SimulationError(
                f"the start is beyond the stop '{stop.name}' by {depth.by:.6g}; start on the other side of it"
            )
        events.append(
            Event(_outside(stop), 1, action=_impact(contacts, k), threshold=depth.contact, name=stop.name),
        )
        events.append(
            Event(_pull(contacts, k), 1, action=_release(contacts, k), name=f"{stop.name}.release"),
        )
    return events


# Functions that a mode does not need are −1 in it, so that they have no roots.


def guard_events(equations: Equations) -> list[Event]:
    """One event for each guard of the equations, which ends the run or is noticed."""
    return [
        Event(guard.room, -1, terminal=True, name=guard.name) if guard.ends else Notice(guard.room, name=guard.name)
        for guard in equations.guards
    ]


def _outside(stop: Stop) -> Callable[..., Any]:
    def penetration(constraints: Any) -> Any:
        return -1.0 if stop.row in constraints else stop.penetration()

    return penetration


def _pull(contacts: Contacts, k: int) -> Callable[..., Any]:
    row, name = contacts.equations.rows[contacts.rows[k]], contacts.stops[k].row  # multipliers are those of all rows

    def pull(lam: Any, constraints: Any) -> Any:
        return -lam[row] if name in constraints else -1.0

    return pull


def _impact(contacts: Contacts, k: int) -> Callable[..., Change]:
    equations = contacts.equations

    def impact(t: float, q: Floats, v: Floats, u: Floats, p: Any, constraints: Sequence[str]) -> Change:
        held = [equations.index("lam", name) for name in constraints]
        v, rows, others, impulse = contacts.impact(k, t, q, v, u, equations.parameter_vector(vars(p)), held)
        return Change(v=v, constraints=rows, also=[contacts.stops[j].name for j in others], impulse=impulse)

    return impact


def _release(contacts: Contacts, k: int) -> Callable[..., Change]:
    equations = contacts.equations

    def release(t: float, q: Floats, v: Floats, u: Floats, p: Any, constraints: Sequence[str]) -> Change:
        held = [equations.index("lam", name) for name in constraints]
        return Change(constraints=contacts.release(k, t, q, v, u, equations.parameter_vector(vars(p)), held))

    return release
