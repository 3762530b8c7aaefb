"""A checkpoint as it is read: from a file of anybody, so that every part of it is checked before it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.contract.provider import Pattern
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import Memory
from dalembert.integrate.run.choosing import MethodChoice
from dalembert.integrate.run.live import Floats
from dalembert.linalg.saddle import MODES
from dalembert.native.slots import kinds
from dalembert.solution import Checkpoint, EventRecord
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.solution_errors import FileFormatError

_LARGEST_COUNT = 2**53


@dataclass(frozen=True)
class StoredRun:
    """What a checkpoint says of a run besides its memory and its records."""

    method: Mapping[str, Any]
    options: Mapping[str, Any]
    modes: list[tuple[Mapping[str, Any], str, str]]
    atol: Floats
    scale: Floats
    drift: Floats
    span: tuple[float, float]
    rows: tuple[int, ...]
    held: tuple[int, ...]
    overrides: dict[str, Any]
    t_eval: Floats | None
    dense: bool
    automatic: bool
    choice: MethodChoice
    redundant: str
    methods: list[str]
    note: str
    later: str
    memory: str
    stops: list[tuple[float, int]]
    exchanged: list[str]
    carried: dict[str, int]
    records: list[EventRecord]
    pattern: ForeignData
    arrays: ForeignData


def read_checkpoint(point: Checkpoint, equations: Equations, n_events: int) -> StoredRun:
    """The parts of a checkpoint, each as it must be for these equations and so many events."""
    header, arrays = ForeignData(point.header, "header"), ForeignData(point.arrays, "arrays")
    if (name := header["equations"].text()) != equations.name:
        raise SimulationError(
            f"the run belongs to the equations '{name}', it cannot be resumed with '{equations.name}'"
        )
    if "memory" not in header.entries():
        raise SimulationError("the run was stored by an earlier version, which cannot be resumed; run it again")
    if (had := header["n_events"].whole(0)) != n_events:
        raise SimulationError(
            f"the run had {had} events, {n_events} are given; resume() needs the events of the first part"
        )
    shapes = {key: list(np.shape(value)) for key, value in equations.parameters.items()}
    stored = {key: [n.whole(0) for n in item.items()] for key, item in header["parameters"].entries().items()}
    if stored != shapes:
        raise SimulationError(
            f"the run had the parameters {', '.join(stored) or 'none'}, '{equations.name}' has "
            f"{', '.join(shapes) or 'none'}; resume() needs the equations of the first part"
        )
    s = equations.sizes
    rows, held = (_rising(header[key], s.lam) for key in ("rows", "held"))
    if not set(rows) <= set(held):
        raise FileFormatError("header.rows must be among header.held.")
    if (redundant := header["redundant"].text()) not in ("refuse", "accept"):
        raise FileFormatError(f"header.redundant must be 'refuse' or 'accept'; got '{redundant:.40}'.")
    span = [item.number(finite=True) for item in header["span"].items()]
    if len(span) != 2:
        raise FileFormatError("header.span must be two numbers.")
    stops = [item.items() for item in header["stops"].items()]
    return StoredRun(
        method={key: item.value for key, item in header["method"].entries().items()},
        options={key: item.value for key, item in header["options"].entries().items()},
        modes=[_way(item) for item in header["modes"].items()],
        atol=arrays["atol"].array(s.q + s.v + s.u, finite=True),
        scale=_positive(arrays["scale"], s.q + s.v + s.u),
        drift=_positive(arrays["drift"], s.q),
        span=(span[0], span[1]),
        rows=rows,
        held=held,
        overrides={key: item.value for key, item in header["overrides"].entries().items()},
        t_eval=arrays["t_eval"].array(None, finite=True) if "t_eval" in arrays.entries() else None,
        dense=header["dense"].flag(),
        automatic=header["automatic"].flag(),
        choice=MethodChoice.restored(header["choice"]) if "choice" in header.entries() else MethodChoice(),
        redundant=redundant,
        methods=[item.text() for item in header["methods"].items()],
        note=header["note"].text(),
        later=header["later"].text(),
        memory=header["memory"].text(),
        stops=[(_at(stop, 0).number(finite=True), _at(stop, 1).whole(0, n_events - 1)) for stop in stops],
        exchanged=[item.text() for item in header["exchanged"].items()],
        carried=_counts(header["carried"]),
        records=_records(header["events"], arrays, equations, n_events),
        pattern=header["pattern"],
        arrays=arrays,
    )


def stored_pattern(given: ForeignData, shape: tuple[int, int]) -> Pattern | None:
    """Rows and columns of an estimated Jacobian, column by column; nothing if there is none."""
    if given.value is None:
        return None
    parts, n = given.items(), shape[0]
    rows, columns = (
        np.array([item.whole(0, most - 1) for item in _at(parts, k).items()], dtype=np.int64)
        for k, most in enumerate(shape)
    )
    if rows.size != columns.size or not (np.diff(columns * n + rows) > 0).all():
        raise FileFormatError(f"{given.where} must be rows and columns of entries, column by column.")
    return Pattern(shape, rows, columns)


def _positive(given: ForeignData, n: int) -> Floats:
    """Sizes."""
    found = given.array(n, finite=True)
    if not (found > 0.0).all():
        raise FileFormatError(f"{given.where} must be positive numbers.")
    return found


def _way(given: ForeignData) -> tuple[Mapping[str, Any], str, str]:
    """Method, formalism and solver of a mode."""
    items = given.items()
    method = {key: item.value for key, item in _at(items, 0).entries().items()}
    formalism, solver = _at(items, 1).text(), _at(items, 2).text()
    if formalism not in ("auto", "explicit", "contract") or solver not in ("auto", *MODES):
        raise FileFormatError(f"{given.where} must name a formalism and a solver that there are.")
    return method, formalism, solver


def _at(items: list[ForeignData], k: int) -> ForeignData:
    if k >= len(items):
        raise FileFormatError("an entry of the header is too short.")
    return items[k]


def _rising(numbers: ForeignData, n: int) -> tuple[int, ...]:
    """Rising numbers of constraints."""
    found = tuple(item.whole(0, n - 1) for item in numbers.items())
    if list(found) != sorted(set(found)):
        raise FileFormatError(f"{numbers.where} must be rising numbers.")
    return found


def _counts(given: ForeignData) -> dict[str, int]:
    known = {name for kind in kinds() if issubclass(kind, Memory) for name in kind.counters}
    counts = {key: item.whole(0, _LARGEST_COUNT) for key, item in given.entries().items()}
    if unknown := [key for key in counts if key not in known]:
        raise FileFormatError(f"{given.where} has a counter '{unknown[0]:.40}', which no method has.")
    return counts


def _records(given: ForeignData, arrays: ForeignData, equations: Equations, n_events: int) -> list[EventRecord]:
    s, listed = equations.sizes, [item.items() for item in given.items()]
    sizes = [s.q, s.v, s.u, s.v, s.lam]
    states: Any = arrays["event_states"].array(len(listed), sum(sizes)) if listed else ()
    impulses: Any = [np.zeros(0)] * len(listed)
    if listed and s.lam and "event_impulses" in arrays.entries():
        impulses = arrays["event_impulses"].array(len(listed), s.lam)
    found = []
    for one, state, impulse in zip(listed, states, impulses, strict=True):
        q, v, u, a, lam = np.split(state, np.cumsum(sizes[:-1]))
        index, name, t = _at(one, 0).whole(0, n_events - 1), _at(one, 1).text(), _at(one, 2).number()
        found.append(EventRecord(index, name, t, q, v, a, lam, u, impulse if impulse.any() else np.zeros(0)))
    return found
