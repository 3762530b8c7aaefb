"""The earlier part of a run that is resumed: a solution, a stored file or a journal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dalembert.arguments import instance
from dalembert.errors import SimulationError
from dalembert.integrate.run.task import Task
from dalembert.solution import Checkpoint, Journal, Solution, load
from dalembert.solution.journal import checkpoint_in, superseded
from dalembert.solution.solution_errors import SolutionError

if TYPE_CHECKING:
    from dalembert.integrate.run.journalling import JournalWriter

_NOTHING = (
    "this solution has no checkpoint to go on from: its run failed, or it was stored without one; start another one: "
    "da.simulate(equations, (t0, t1), solution.state(-1))"
)


@dataclass
class EarlierPart:
    """What there is of a run: a checkpoint to go on from, or its result if it had ended."""

    checkpoint: Checkpoint
    title: str
    outputs: tuple[str, ...] = ()
    writer: JournalWriter | None = None
    in_journal: bool = False  # whether its journal holds it
    note: str = ""
    result: Solution | None = None

    def hand_over(self, task: Task) -> None:
        """The task goes on with the journal of this part."""
        task.journal = self.writer
        if self.writer is not None and self.in_journal:
            self.writer.go_on(task)

    def close(self) -> None:
        """Let go of the journal."""
        if self.writer is not None:
            self.writer.close()


def journal_of(given: Any) -> Journal:
    """A journal, by itself or by the name of its file."""
    return given if isinstance(given, Journal) else Journal(given)


def new_writer(given: Any, title: str) -> JournalWriter:
    """The journal of a run that begins."""
    from dalembert.integrate.run.journalling import JournalWriter

    try:
        writer = JournalWriter(journal_of(given), title)
    except SolutionError as error:
        raise SimulationError(f"journal: {error}") from None
    writer.begin()
    return writer


def earlier_part(given: Any, journal: Any, force: bool, extends: bool = False) -> EarlierPart:
    """The part of a run that a user has given; ``journal`` is where a run in memory is written from now on.  One that
    has ended is its result, unless it ``extends``."""
    if isinstance(given, (str, Path)):
        where = Journal(given) if journal is None else journal_of(journal)
        if where.path != Journal(given).path:
            raise SimulationError(f"'{given}' goes on in its own journal; '{where.path}' is another file")
        return _on_disk(where, force, extends)
    instance(given, Solution, "resume: solution", SimulationError, "as simulate and load return it, or a path")
    if given.checkpoint is None:
        raise SimulationError(_NOTHING)
    writer = None if journal is None else new_writer(journal, given.title)
    return EarlierPart(given.checkpoint, given.title, tuple(given.outputs), writer)


def _on_disk(journal: Journal, force: bool, extends: bool) -> EarlierPart:
    """The newest that there is of a run: its journal, unless its result was stored later."""
    if journal.file.exists():
        from dalembert.integrate.run.journalling import JournalWriter, differences

        writer = JournalWriter(journal)
        content = writer.take()
        try:
            if not superseded(content, journal.path):
                if content.mark is None:
                    raise SimulationError(
                        f"'{journal.file}' holds no place to go on from: the run was ended too early, begin it anew "
                        "with journal=da.Journal(path, replace=True)"
                    )
                other = differences(content.head.header)
                if other and not force:
                    raise SimulationError(
                        f"'{journal.file}' was written elsewhere ({other}): the result would not be the same to the "
                        "last bit; resume(…, force=True) goes on all the same"
                    )
                writer.title = str(content.head.header.get("title", ""))
                note = f" It was resumed elsewhere by force ({other})." if other else ""
                return EarlierPart(checkpoint_in(content), writer.title, writer=writer, in_journal=True, note=note)
            journal.file.unlink()
        except BaseException:
            writer.close()
            raise
        writer.close()
    if not journal.path.exists():
        raise SimulationError(f"there is neither '{journal.file}' nor '{journal.path}', so there is nothing to resume")
    stored = load(journal.path)
    if stored.checkpoint is not None and (extends or not stored.checkpoint.header.get("ended")):
        return EarlierPart(stored.checkpoint, stored.title, tuple(stored.outputs), new_writer(journal, stored.title))
    if not stored.success:
        raise SimulationError(f"'{journal.path}': {_NOTHING}")
    journal.stored = True
    return EarlierPart(Checkpoint({}), stored.title, result=stored)
