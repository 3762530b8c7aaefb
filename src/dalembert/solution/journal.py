"""The journal of a run, read: from its records to a solution so far, and to a checkpoint to go on from.

One HEAD says whose run it is. Each STEP holds what came since the one before: points, dense output, events, modes; each
MARK where the run stood then: its memory, its step control, its work. A DONE says how the run ended; it is written
only where the result could not be stored.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import file_path, flag, named, real
from dalembert.solution.dense_output import DenseOutput, joined, joined_algebraic
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.journal_records import HEAD, MARK, STEP, Content, lock, scanned, unlock, whole_content
from dalembert.solution.solution import Checkpoint, EventRecord, Solution
from dalembert.solution.solution_errors import FileFormatError, SolutionError
from dalembert.solution.storage import load, read_statistics, with_suffix

FORMAT = 1
SUFFIX = ".journal"
#: How a run ended that nobody has ended.
_INTERRUPTED = {"success": False, "status": -6, "outcome": "interrupted"}
_SAMPLE = 1 << 20


class Journal:
    """How a run is written to disk while it goes: ``simulate(…, journal=Journal("run.nc"))``.

    After half a second the run writes ``run.nc.journal``, from which :func:`dalembert.resume` goes on whatever has
    ended it; at its end the result is stored as ``run.nc`` and the journal removed.

    :param path: file of the result; the journal has the same name with ".journal" behind it
    :param about: plain data for whoever resumes the run: the text of a model file, a command
    :param sync: seconds after which records are forced to the disk, against power cuts; 0: each one, None: never
    :param replace: whether the journal of another run that has not ended may be thrown away
    """

    def __init__(
        self,
        path: str | Path,
        about: Mapping[str, Any] | None = None,
        sync: float | None = 5.0,
        replace: bool = False,
    ) -> None:
        self.path = result_path(file_path(path, "Journal: path", SolutionError))
        self.about = {} if about is None else named(about, "Journal: about", SolutionError)
        self.replace = flag(replace, "Journal: replace", SolutionError)
        self.sync = None if sync is None else real(sync, "Journal: sync", SolutionError)
        if self.sync is not None and self.sync < 0.0:
            raise SolutionError(f"Journal: sync must be None, zero or positive seconds, got {self.sync:g}")
        try:
            json.dumps(self.about)
        except (TypeError, ValueError, RecursionError) as error:
            raise SolutionError(f"Journal: about must be what JSON can hold: {error}") from None
        #: whether the result of a run lies in ``path``
        self.stored = False

    def complete(self, solution: Solution) -> None:
        """What a result gets before it is stored: nothing, unless a class that extends this one adds to it."""

    @property
    def file(self) -> Path:
        """The journal itself."""
        return self.path.with_name(self.path.name + SUFFIX)

    @property
    def head(self) -> dict[str, Any]:
        """What the journal on disk says of its run: ``about``, ``versions``, ``title``, ``span`` …"""
        return read_journal(self.file).head.header

    @property
    def pending(self) -> bool:
        """Whether there is a journal of a run that has neither ended nor been stored."""
        try:
            return not superseded(read_journal(self.file), self.path)
        except (FileNotFoundError, FileFormatError):
            return False


def result_path(path: Path) -> Path:
    """The file of the result, by its own name or by that of its journal."""
    if path.name.endswith(SUFFIX):
        path = path.with_name(path.name[: -len(SUFFIX)])
    return with_suffix(path)


def identity(path: Path) -> list[int] | None:
    """What tells a stored run from one that has replaced it; None if there is none."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            check = zlib.crc32(file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            return [size, zlib.crc32(file.read(_SAMPLE), check)]
    except OSError:
        return None


@dataclass(frozen=True)
class JournalContent:
    """The sound part of a journal."""

    head: Content
    steps: list[Content]  # up to the last MARK, or to DONE
    mark: Content | None  # the last one
    done: Content | None
    marked_steps: int  # how many of the steps lie before it
    marked_end: int  # where it ends in the file
    marked_records: int  # how many records there are up to there

    def has_ended(self) -> bool:
        """Whether all of the run is here."""
        return self.done is not None


def read_journal(path: Path) -> JournalContent:
    """What a journal holds, up to the first byte that is not sound."""
    with _held(path) as (data, _):
        return parsed(data, str(path))


@contextmanager
def _held(path: Path) -> Iterator[tuple[memoryview, bool]]:
    """What a file holds, and whether a run is writing it; if not, nobody begins to in the meantime."""
    with open(path, "rb") as file:
        going = not lock(file.fileno(), shared=True)
        try:
            yield whole_content(file.fileno(), mapped=not going), going
        finally:
            unlock(file.fileno())


def parsed(data: memoryview, name: str) -> JournalContent:
    """The content of a journal that is in memory."""
    try:
        return _content(data)
    except FileFormatError as error:
        raise FileFormatError(f"cannot read the journal '{name}': {error}") from None
    except Exception as error:  # whoever made a check sum right may have written anything
        raise FileFormatError(f"cannot read the journal '{name}': it is damaged ({error}).") from error


def _content(data: memoryview) -> JournalContent:
    head: Content | None = None
    steps: list[Content] = []
    mark = done = None
    marked_steps = marked_end = marked_records = 0
    for number, record in enumerate(scanned(data)):
        if (number == 0) != (record.kind == HEAD) or done is not None:
            raise FileFormatError("its records are in a wrong order.")
        if record.kind == HEAD:
            head = record.content()
            if head.header.get("format") != FORMAT:
                raise FileFormatError(f"it has format {head.header.get('format')!r:.20}, this version reads {FORMAT}.")
        elif record.kind == STEP:
            steps.append(record.content())
        elif record.kind == MARK:
            mark, marked_steps = record.content(), len(steps)
        else:
            done = record.content()
        if record.kind in (HEAD, MARK):
            marked_end, marked_records = record.end, number + 1
    if head is None:
        raise FileFormatError("it does not begin with a sound record.")
    return JournalContent(
        head, steps if done is not None else steps[:marked_steps], mark, done, marked_steps, marked_end, marked_records
    )


def superseded(content: JournalContent, path: Path) -> bool:
    """Whether the result of the run was stored after all, so that only the removal of its journal is missing: another
    file lies there than at the beginning of the run, and it is sound."""
    if (found := identity(path)) is None or found == content.head.header.get("before"):
        return False
    try:
        load(path)
    except (OSError, FileFormatError):
        return False
    return True


def checkpoint_in(content: JournalContent) -> Checkpoint:
    """Where the run goes on: all of its last MARK, and the steps before it."""
    if content.mark is None:
        raise FileFormatError("the journal holds no place to go on from: the run was ended too early.")
    header, arrays = content.mark
    steps = content.steps[: content.marked_steps]
    stood = dict(ForeignData(header, "MARK")["stood"].value)
    for key in ("modes", "stops", "exchanged", "events"):
        stood[key] = [item for one, _ in steps for item in ForeignData(one, "STEP")[key].items()]
        stood[key] = [item.value for item in stood[key]]
    pattern = [arrays.get(key) for key in ("pattern_rows", "pattern_columns")]
    stood["pattern"] = None if pattern[0] is None else [None if one is None else one.tolist() for one in pattern]
    kept = {name: np.array(array) for name, array in arrays.items() if not name.startswith("pattern_")}
    kept |= _grown(content, steps)
    if "t_eval" in content.head.arrays:
        kept["t_eval"] = np.array(content.head.arrays["t_eval"])
    return Checkpoint(kept, stood)


def _grown(content: JournalContent, steps: Sequence[Content]) -> dict[str, NDArray[Any]]:
    """Arrays of all steps, each in one piece."""
    n_q, n_v, n_u, n_lam = _sizes(content)
    parts = [ForeignData(arrays, "STEP") for _, arrays in steps]
    n_y, n_z = n_q + n_v + n_u, n_v + n_lam
    shapes: dict[str, tuple[int | None, ...]] = {
        "points": (None, 1 + n_y + n_z), "times": (None,),
        "modes_from": (None,), "modes_parameters": (None, None), "modes_rows": (None, n_lam),
    }  # fmt: skip
    found = {
        key: np.concatenate([part[key].array(*shape, whole=key in ("modes_from", "modes_rows")) for part in parts])
        for key, shape in shapes.items()
    }
    coefficients = [part["coefficients"].array(None, None, n_y) for part in parts]
    # The file may be gone before these are: none of them stays a view of it.
    found["coefficients"] = np.require(joined(coefficients, max(one.shape[1] for one in coefficients), n_y), None, "O")
    algebraic = joined_algebraic([part["algebraic"].array(None, None, n_z) for part in parts], n_z)
    found["algebraic"] = np.require(algebraic, None, "O")
    with_events = [part for part in parts if "event_states" in part.entries()]
    if with_events:
        states = [part["event_states"].array(None, n_y + n_z) for part in with_events]
        found["event_states"] = np.concatenate(states)
        found["event_impulses"] = np.concatenate(
            [
                part["event_impulses"].array(len(rows), n_lam)
                if n_lam and "event_impulses" in part.entries()
                else np.zeros((len(rows), n_lam))
                for part, rows in zip(with_events, states, strict=True)
            ]
        )
    return found


def _sizes(content: JournalContent) -> tuple[int, int, int, int]:
    sizes = [size.whole(0, 2**40) for size in ForeignData(content.head.header, "HEAD")["sizes"].items()]
    if len(sizes) != 4:
        raise FileFormatError("HEAD.sizes must be four numbers.")
    return sizes[0], sizes[1], sizes[2], sizes[3]


def load_journal(path: Path) -> Solution:
    """The run in a journal as far as it has come."""
    with _held(path) as (data, going):
        content = parsed(data, str(path))
        try:
            return _solution(content, going)
        except FileFormatError as error:
            raise FileFormatError(f"cannot load '{path}': {error}") from None
        except Exception as error:
            raise FileFormatError(f"cannot load '{path}': it is damaged ({error}).") from error


def _solution(content: JournalContent, going: bool) -> Solution:
    last = content.done or content.mark
    if last is None:
        raise FileFormatError("it holds no steps yet.")
    head, tail = ForeignData(content.head.header, "HEAD"), ForeignData(last[0], "MARK")
    grown = _grown(content, content.steps)
    n_q, n_v, n_u, n_lam = _sizes(content)
    points = np.concatenate([grown["points"], *_pending(content, last[1])])
    t, q, v, u, a, lam = np.split(points.T, np.cumsum([1, n_q, n_v, n_u, n_v]))
    names = {kind: tuple(name.text() for name in listed.items()) for kind, listed in head["names"].entries().items()}
    dense = None
    if head["dense"].flag() and grown["times"].size:
        algebraic = grown["algebraic"] if grown["algebraic"].shape[1] else None
        dense = DenseOutput(grown["times"], grown["coefficients"], (n_q, n_v, n_u, n_lam), None, algebraic)
    events = _events(content, grown)
    ending = tail["ending"].value if content.done is not None else _INTERRUPTED | {"message": _so_far(t[0], going)}
    said = ForeignData(ending, "DONE.ending")
    stood, atol = tail["stood"], ForeignData(last[1], "MARK")["atol"].array(n_q + n_v + n_u)
    return Solution(
        t=t[0], q=q, v=v, a=a, lam=lam, u=u, names=names,
        units={name: unit.text() for name, unit in head["units"].entries().items()},
        success=said["success"].flag(), status=said["status"].whole(), outcome=said["outcome"].text(),
        message=said["message"].text(),
        statistics=read_statistics(tail["statistics"]),
        method=", then ".join(name.text() for name in stood["methods"].items()),
        rtol=stood["options"]["rtol"].number(), atol=float(atol[0]) if (atol == atol[0]).all() else np.array(atol),
        parameters=_parameters(stood["overrides"]), title=head["title"].text(),
        t_events=[np.array([e.t for e in events if e.index == k]) for k in range(head["n_events"].whole(0, 2**20))],
        events=events, sol=dense,
        checkpoint=checkpoint_in(content) if content.mark is not None and not said["success"].value else None,
    )  # fmt: skip


def _so_far(t: NDArray[np.float64], going: bool) -> str:
    reached = f"t = {t[-1]:.9g}" if t.size else "its start"
    if going:
        return f"The run is still going; it had reached {reached}."
    return f"The run was ended from outside at {reached}; resume() goes on from there."


def _parameters(given: ForeignData) -> dict[str, Any]:
    values = {key: item.value for key, item in given.entries().items()}
    return {key: np.array(value) if isinstance(value, list) else value for key, value in values.items()}


def _pending(content: JournalContent, arrays: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
    """Instants of t_eval at which the run stands."""
    if "t_eval" not in content.head.arrays:
        return []
    given = ForeignData(arrays, "MARK")
    last, asked = given["last"].array(None), given["asked"].array(1, whole=True)
    t_eval = ForeignData(content.head.arrays, "HEAD")["t_eval"].array(None)
    left = t_eval[max(int(asked[0]), 0) :]
    return [last[None]] * int(np.sum(left == last[0])) if last.size else []


def _events(content: JournalContent, grown: Mapping[str, NDArray[Any]]) -> list[EventRecord]:
    n_q, n_v, n_u, _ = _sizes(content)
    listed = [item.items() for one, _ in content.steps for item in ForeignData(one, "STEP")["events"].items()]
    states: Any = grown["event_states"] if listed else ()
    impulses: Any = grown["event_impulses"] if listed else ()
    found = []
    for (index, name, t), state, impulse in zip(listed, states, impulses, strict=True):
        q, v, u, a, lam = np.split(state, np.cumsum([n_q, n_v, n_u, n_v]))
        struck = impulse if impulse.any() else np.zeros(0)
        found.append(EventRecord(index.whole(0), name.text(), t.number(), q, v, a, lam, u, struck))
    return found
