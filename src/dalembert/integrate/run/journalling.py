"""A run that writes its journal while it goes.

Between two slices of steps the run hands over what came since the last record and where it stands, which takes a
fraction of a millisecond; a thread of its own packs, sums up and writes it while the run goes on. If the disk is slower
than the run, records become longer and rarer. What they hold is told in :mod:`dalembert.solution.journal`.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError, SimulationError
from dalembert.integrate.run.conclusion import statistics
from dalembert.integrate.run.continuation import event_arrays, standing, standing_arrays
from dalembert.integrate.run.course import Course
from dalembert.integrate.run.records import Extent, Growth
from dalembert.solution import EventRecord, Journal, Solution
from dalembert.solution.journal import FORMAT, JournalContent, identity, parsed
from dalembert.solution.journal_records import DONE, HEAD, MARK, STEP, RecordFile, lock, scanned, unlock, whole_content
from dalembert.solution.storage import statistics_data, write

#: Seconds after which a run is worth a journal.
WORTH = 0.5
#: Seconds between records at least, and how many times longer than handing one over that shall be.
INTERVAL, SHARE = 0.05, 500.0

#: Outcomes of runs that have come to their end; their checkpoints serve to extend them.
_ENDED = ("finished", "event")


def versions() -> dict[str, str]:
    """All that bits may depend on: the package, those that it computes with, the processor."""
    return {"numpy": np.__version__, "python": platform.python_version(), **_installed()}


@cache  # asking takes some milliseconds
def _installed() -> dict[str, str]:
    from importlib.metadata import version  # only here: runs without a journal shall not wait for it

    features = llvm.get_host_cpu_features().flatten().encode()
    processor = f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {zlib.crc32(features):08x}"
    return {"dalembert": version("dalembert"), "llvmlite": version("llvmlite"), "processor": processor}


def differences(head: dict[str, Any]) -> str:
    """What is not as it was where the journal was written, in words."""
    there, here = head.get("versions"), versions()
    if not isinstance(there, dict):
        return "it does not say with which versions it was written"
    other = [key for key, value in here.items() if there.get(key) != value]
    return ", ".join(f"{key} was {there.get(key)!s:.80}, here it is {here[key]}" for key in other)


class _Written(NamedTuple):
    """How much of a run its journal has."""

    recorder: Extent = Extent()
    events: int = 0
    stops: int = 0
    exchanged: int = 0

    @classmethod
    def of(cls, course: Course) -> _Written:
        return cls(course.recorder.extent(), len(course.records), len(course.stops), len(course.exchanged))


@dataclass(frozen=True)
class _Portion:
    """What a run hands over: what came since the last record, and where it stands. Nothing of it will change."""

    growth: Growth
    events: list[EventRecord]
    stops: list[tuple[float, int]]
    exchanged: list[str]
    tail: dict[str, Any]
    arrays: dict[str, NDArray[Any]]

    @classmethod
    def since(cls, course: Course, last: _Written, ending: Solution | None = None) -> _Portion:
        tail: dict[str, Any] = {"stood": standing(course), "statistics": statistics_data(statistics(course))}
        arrays = standing_arrays(course)
        if course.pattern is not None:
            arrays |= {"pattern_rows": course.pattern.rows, "pattern_columns": course.pattern.columns}
        if ending is not None:
            tail["ending"] = {key: getattr(ending, key) for key in ("success", "status", "outcome", "message")}
        return cls(
            course.recorder.growth(last.recorder), course.records[last.events :], course.stops[last.stops :],
            course.exchanged[last.exchanged :], tail, arrays,
        )  # fmt: skip

    def step(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Header and arrays of a STEP."""
        header = {
            "modes": self.growth.made_by(), "stops": [[t, k] for t, k in self.stops], "exchanged": self.exchanged,
            "events": [[r.index, r.name, r.t] for r in self.events],
        }  # fmt: skip
        return header, self.growth.in_parts() | event_arrays(self.events)


class JournalWriter:
    """The journal of one run."""

    def __init__(self, journal: Journal, title: str = "") -> None:
        self.journal, self.title = journal, title
        self.trouble = ""  # why there is no more journal
        self._told = False
        self._file = -1
        self._place = os.path.abspath(journal.file)  # wherever the run goes to
        self._journal: RecordFile | None = None  # which it becomes with its first record
        self._written = _Written()
        self._rest: Callable[[], None] | None = None  # what the journal lacks at the end
        self._due = self._synced = self._handed = 0.0
        self._idle = threading.Event()
        self._idle.set()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------------------------------------------ beginning

    def begin(self) -> None:
        """Before a new run: refuse to write where another run has left its journal, or has it still."""
        journal = self.journal
        if not journal.path.parent.is_dir():
            raise SimulationError(f"cannot write '{journal.file}': there is no directory '{journal.path.parent}'")
        try:
            file = os.open(journal.file, os.O_RDWR)
        except FileNotFoundError:
            return
        except OSError as error:
            raise SimulationError(f"cannot write '{journal.file}': {error.strerror}") from None
        try:
            if not lock(file):
                raise SimulationError(f"'{journal.file}' is written by another run at this time; choose another name")
            if not journal.replace and journal.pending:
                raise SimulationError(
                    f"'{journal.file}' holds a run that has not ended: da.resume('{journal.path}', equations) goes on "
                    "with it, journal=da.Journal(path, replace=True) drops it"
                )
            journal.file.unlink()
        finally:
            os.close(file)

    def take(self) -> JournalContent:
        """Before a run is resumed: take its journal, and what is in it."""
        path = self.journal.file
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise SimulationError(f"cannot go on with '{path}': {error.strerror}") from None
        if not lock(self._file):
            self.close()
            raise SimulationError(f"'{path}' is written by a run at this time; it can be resumed when that has ended")
        try:
            data = whole_content(self._file, mapped=True)
            if next(scanned(data), None) is None:  # killed before, or while, its first record was written
                raise SimulationError(
                    f"'{path}' holds no place to go on from: the run was ended too early, or the file is damaged from "
                    "its first record on; begin it anew with journal=da.Journal(path, replace=True)"
                )
            content = parsed(data, str(path))
        except BaseException:
            self.close()
            raise
        self._journal = RecordFile(self._file, content.marked_end, content.marked_records)
        return content

    def go_on(self, course: Course) -> None:
        """All that the course has now is in the journal, in which nothing behind the last sound place is kept."""
        assert self._journal is not None
        os.ftruncate(self._file, self._journal.end)
        self._written = _Written.of(course)

    # -------------------------------------------------------------------------------------------------------- writing

    def start(self) -> None:
        """The run begins now."""
        self._due = self._synced = time.perf_counter()
        if self._file < 0:
            self._due += WORTH

    def note(self, course: Course) -> None:
        """Between two slices: hand over what is new, if it is time."""
        now = time.perf_counter()
        if now < self._due or not self._idle.is_set():
            return
        if self.trouble:
            self._due = np.inf
            self._tell()
            return
        portion, head = _Portion.since(course, self._written), None if self._journal else self._head(course)
        self._written = _Written.of(course)
        self._due, self._handed = now + max(INTERVAL, SHARE * (time.perf_counter() - now)), now
        self._hand_over(lambda: self._write_portion(portion, (MARK,), head))

    def _hand_over(self, work: Callable[[], None]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
            self._thread.start()
        self._idle.clear()
        self._queue.put(work)

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            self._guarded(work)
            self._idle.set()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do something for the journal; if it fails, the run goes on, the journal ends with its last whole record."""
        if self.trouble:
            return
        try:
            work()
        except Exception as error:  # whatever it is, it is no reason to lose a run
            self.trouble = f"{type(error).__name__}: {error}"
            if self._file >= 0:
                with suppress(OSError):
                    os.ftruncate(self._file, self._journal.end if self._journal else 0)

    def _head(self, course: Course) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Header and arrays of the HEAD."""
        s = course.equations.sizes
        header = {
            "format": FORMAT, "about": self.journal.about, "title": self.title,
            "span": list(course.span), "dense": course.keep_dense,
            "sizes": [s.q, s.v, s.u, s.lam], "n_events": len(course.given_events),
            "names": {key: list(names) for key, names in course.equations.names.items()},
            "units": dict(course.equations.units),
        }  # fmt: skip
        return header, {} if course.t_eval is None else {"t_eval": course.t_eval}

    def _write_portion(self, portion: _Portion, kinds: tuple[bytes, ...], head: Any = None) -> None:
        began = time.thread_time()
        records: list[Any] = []
        if head is not None:
            self._file = os.open(self.journal.file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
            if not lock(self._file):
                raise OSError("another run has taken the journal")
            header, arrays = head
            records.append((HEAD, header | {"versions": versions(), "before": identity(self.journal.path)}, arrays))
            self._journal = RecordFile(self._file)
        assert self._journal is not None
        if not self._is_there():
            raise FileNotFoundError("it was removed or replaced during the run")
        records.append((STEP, *portion.step()))
        for kind in kinds:
            small = {name: portion.arrays[name] for name in ("atol", "last", "asked")}
            records.append((kind, portion.tail, portion.arrays if kind == MARK else small))
        self._journal.append(records)
        late = self.journal.sync is not None and time.perf_counter() - self._synced >= self.journal.sync
        if late or head is not None:
            self._sync()
        size = sum(array.nbytes for array in portion.arrays.values())
        # What a place to go on from costs is the same however long ago the last one was.
        self._due = max(self._due, self._handed + SHARE * (time.thread_time() - began) * size / self._journal.last)

    def _is_there(self) -> bool:
        """Whether the file that is written is still found by its name."""
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self._place))
        except OSError:
            return False

    def _sync(self) -> None:
        if self.journal.sync is not None:
            getattr(os, "fdatasync", os.fsync)(self._file)
        self._synced = time.perf_counter()

    # --------------------------------------------------------------------------------------------------------- ending

    def end(self, course: Course, solution: Solution) -> None:
        """The run is over, however: what is left, and how it ended, is written only if the result cannot be stored."""
        if (self._file < 0 and self._idle.is_set()) or not course.recorder.started:
            return
        portion = _Portion.since(course, self._written, solution)
        ended = solution.outcome in _ENDED or solution.checkpoint is None  # whoever resumes it ends it once more
        kinds = (DONE,) if ended else (MARK, DONE)
        self._rest = lambda: self._write_portion(portion, kinds)

    def store(self, solution: Solution) -> None:
        """Store the result, and remove the journal once that is done; if it cannot be stored, the journal stays."""
        self.journal.complete(solution)
        try:
            write(solution, self.journal.path, durable=self.journal.sync is not None)
            self.journal.stored = True
        except (OSError, DalembertError) as error:
            self._idle.wait()
            if self._journal and self._rest is not None:
                self._guarded(self._rest)
                self._guarded(self._sync)
            holds = self._journal is not None and not self.trouble and self._is_there()
            where = (
                f"'{self.journal.file}' holds it." if holds else "No file holds it: sol.save(path) stores it elsewhere."
            )
            told = f"The run could not be stored as '{self.journal.path}': {error}. {where}"
            solution.message += f" {told}"
            sys.stderr.write(f"dalembert: {told}\n")
        else:
            self._idle.wait()
            if self._file >= 0:
                with suppress(OSError):
                    self.journal.file.unlink()
        finally:
            self._tell(solution)
            self.close()

    def _tell(self, solution: Solution | None = None) -> None:
        """Say once that there is no more journal."""
        if not self.trouble:
            return
        told = f"The journal '{self.journal.file}' could not be written any further: {self.trouble}"
        if solution is not None:
            solution.message += f" {told}."
        if not self._told:
            self._told = True
            sys.stderr.write(f"dalembert: {told}; the run goes on without it\n")

    def close(self) -> None:
        """Let go of the journal, which stays where it is."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        if self._file >= 0:
            unlock(self._file)
            os.close(self._file)
            self._file = -1
