"""The result of a run: arrays with names, events, statistics, dense output."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import file_path, flag, instance, listed, named, real, reals, shown, whole
from dalembert.errors import DalembertError, suggestion
from dalembert.instant import State, acceleration_name
from dalembert.solution.curves import Curves, chosen_columns
from dalembert.solution.deferred import DeferredField
from dalembert.solution.dense_output import Array, DenseOutput
from dalembert.solution.naming import row_names
from dalembert.solution.solution_errors import SolutionError, UnknownNameError

if TYPE_CHECKING:
    from dalembert.solution.appearance import Appearance


def _counted(n: int, words: str) -> str:
    """One multiplier, two multipliers."""
    if n != 1:
        return f"{n} {words}"
    return f"1 {words[:-3]}y" if words.endswith("ies") else f"1 {words[:-1]}"


def _wrapped(text: str) -> str:
    """Lines of up to 100 characters that end at commas."""
    lines = textwrap.wrap(
        text.replace(", ", ",\0").replace(" ", "\xa0").replace("\0", " "),
        96,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join("  " + "  " * (i > 0) + line.replace("\xa0", " ") for i, line in enumerate(lines))


def _report() -> Any:
    """The layer that shows runs, by name: it stands on this one, which works without it."""
    return import_module("dalembert.report")


def _nothing() -> None:
    """The default of an attribute that may be made later: one that the class has too would hide that it is missing."""


KINDS = {"q": "coordinates", "v": "velocities", "lam": "multipliers", "u": "external states"}


@dataclass
class Statistics:
    """The work of a run, counted as publications on integration methods count it."""

    nfev: int = 0
    """evaluations of the right-hand side"""
    njev: int = 0
    """evaluations of the Jacobian"""
    nlu: int = 0
    """factorisations"""
    nsolve: int = 0
    """solutions with a factorised matrix"""
    steps: int = 0
    """accepted steps"""
    rejected: int = 0
    """steps rejected by the error estimate"""
    newton_iterations: int = 0
    newton_failures: int = 0
    projections: int = 0
    event_evaluations: int = 0
    step_min: float | None = None
    """smallest accepted step size; None if there was no step"""
    step_max: float | None = None
    extra: dict[str, int | float] = field(default_factory=dict)
    """counts that only one method has"""

    def as_dict(self) -> dict[str, int | float | None]:
        """All counts by name, those of ``extra`` at the end."""
        extra = named(self.extra, "Statistics: extra", SolutionError)
        own = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "extra"}
        return own | extra

    def __getattr__(self, name: str) -> int | float:
        """A count of ``extra``: ``statistics.projection_iterations``."""
        extra = self.__dict__.get("extra")
        if not isinstance(extra, dict) or name.startswith("__"):
            raise AttributeError(name)
        if name in extra:
            found: int | float = extra[name]
            return found
        known = [f.name for f in dataclasses.fields(self) if f.name != "extra"]
        raise AttributeError(f"the statistics of this run have no '{name}'; {suggestion(name, [*known, *extra])}")


@dataclass(frozen=True, eq=False, slots=True)
class EventRecord:
    """One event: which function had a root, when, and the motion there."""

    index: int
    name: str
    t: float
    q: Array
    v: Array
    a: Array
    lam: Array
    u: Array
    impulse: Array = field(default_factory=lambda: np.zeros(0))
    """impulses Λ of the constraints, one for each multiplier, where an impact has changed velocities; else empty.
    Joints of the tree have no multipliers in relative coordinates, so theirs are missing there."""


@dataclass(eq=False)
class Sketch:
    """A drawing of the motion: lines by name, each of shape ``(n_frames, n_points, 2 or 3)``, at the times ``t``.

    A point that is not finite is a gap.
    """

    t: Array
    lines: dict[str, Array]

    def __post_init__(self) -> None:
        self.t = reals(self.t, "Sketch: t", SolutionError)
        lines = named(self.lines, "Sketch: lines", SolutionError)
        self.lines = {name: reals(line, f"Sketch: line '{name}'", SolutionError) for name, line in lines.items()}
        if self.t.ndim != 1:
            raise SolutionError(f"Sketch: t must have shape (n_frames,); got {self.t.shape}.")
        for name, line in self.lines.items():
            if line.ndim != 3 or line.shape[0] != self.t.size or line.shape[2] not in (2, 3):
                raise SolutionError(
                    f"Sketch: line '{name}' must have shape ({self.t.size}, n_points, 2 or 3) for {self.t.size} "
                    f"frames; got {line.shape}."
                )


@dataclass(eq=False)
class Checkpoint:
    """What an integrator needs to go on where it stopped: plain arrays by name, and a header that JSON can hold."""

    arrays: dict[str, NDArray[Any]]
    header: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arrays = named(self.arrays, "Checkpoint: arrays", SolutionError)
        self.header = named(self.header, "Checkpoint: header", SolutionError)
        for name, array in self.arrays.items():
            instance(array, np.ndarray, f"Checkpoint: array '{name}'", SolutionError)


class CheckpointField(DeferredField):
    """The attribute ``checkpoint`` of a solution; that of a run which has ended is made when it is read."""

    def kind(self) -> type:
        return Checkpoint


class AppearanceField(DeferredField):
    """The attribute ``appearance`` of a solution, which few runs are asked for."""

    def kind(self) -> type:
        from dalembert.solution.appearance import Appearance

        return Appearance


@dataclass(eq=False, repr=False)
class Solution:
    """A run: the motion at the times ``t``, how it came about, and how it ended.

    Arrays have shape ``(n, n_t)``, one row per coordinate, velocity … and one column per time, as in SciPy's
    ``solve_ivp``. ``sol["beta"]`` gives a row by name: a coordinate, a velocity (``sol["beta.rate"]`` unless the
    velocities have names of their own), a multiplier, an external state or a sensor of ``outputs``.
    """

    t: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    u: Array
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """rows of "q", "v", "lam", "u"; missing ones are numbered, and velocities are called after their coordinates"""
    units: dict[str, str] = field(default_factory=dict)
    """units of rows and sensors, by name"""
    success: bool = True
    status: int = 0
    outcome: str = "finished"
    """how the run ended, in a word or two"""
    message: str = field(default_factory=str)
    """how the run ended, as a sentence, with advice where it is needed"""
    statistics: Statistics = field(default_factory=Statistics)
    method: str = ""
    rtol: float | Array = 0.0
    atol: float | Array = 0.0
    parameters: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    """name of the equations"""
    t_events: list[Array] = field(default_factory=list)
    """times of the events, one array per event function"""
    events: list[EventRecord] = field(default_factory=list)
    """all events in order of time"""
    sol: DenseOutput | None = field(default_factory=_nothing)
    """the motion at any time, ``sol.sol(t)``"""
    outputs: MutableMapping[str, Array] = field(default_factory=dict)
    """sensors at the times ``t``: shape ``(n_t,)`` or ``(k, n_t)``; some may be computed when they are asked for"""
    sketch: Sketch | None = None
    """a drawing by lines, where nobody knows the bodies"""
    checkpoint: Checkpoint | None = CheckpointField()  # type: ignore[assignment]  # noqa: RUF009
    """what :func:`dalembert.resume` goes on from; None where it cannot"""
    appearance: Appearance | None = AppearanceField()  # type: ignore[assignment]  # noqa: RUF009
    """bodies with poses, shapes, joints, forces; that of a model is made when it is first asked for"""

    def __post_init__(self) -> None:
        #: equations, events and functions of the run in the process that made it; neither stored nor pickled
        self.origin: Any = None
        self.t = reals(self.t, "Solution: t", SolutionError)
        if self.t.ndim != 1:
            raise SolutionError(f"Solution: t must have shape (n_t,); got {self.t.shape}.")
        n_t = self.t.size
        for kind in ("q", "v", "a", "lam", "u"):
            rows = reals(getattr(self, kind), f"Solution: {kind}", SolutionError)
            setattr(self, kind, rows)
            if rows.ndim != 2 or rows.shape[1] != n_t:
                raise SolutionError(f"Solution: {kind} must have shape (n, {n_t}) for {n_t} times; got {rows.shape}.")
        if self.a.shape != self.v.shape:
            raise SolutionError(f"Solution: a must have the shape of v, {self.v.shape}; got {self.a.shape}.")
        self._check_plain()
        self.names = self._all_names(named(self.names, "Solution: names", SolutionError))
        self.outputs = {
            name: reals(rows, f"Solution: output '{name}'", SolutionError)
            for name, rows in named(self.outputs, "Solution: outputs", SolutionError).items()
        }
        for name, rows in self.outputs.items():
            if rows.ndim not in (1, 2) or rows.shape[-1] != n_t:
                raise SolutionError(
                    f"Solution: output '{name}' must have shape ({n_t},) or (k, {n_t}); got {rows.shape}."
                )
        if self.sol is not None:
            self.sol.names = self.names
        self.t_events = [
            reals(times, "Solution: t_events", SolutionError, ndim=1)
            for times in listed(self.t_events, "Solution: t_events", SolutionError)
        ]

    def _check_plain(self) -> None:
        """What stands beside the arrays."""
        for key in ("outcome", "message", "method", "title"):
            if not isinstance(value := getattr(self, key), str):
                raise SolutionError(f"Solution: {key} must be a text, got {shown(value)}")
        instance(self.statistics, Statistics, "Solution: statistics", SolutionError)
        whole(self.status, "Solution: status", SolutionError)
        flag(self.success, "Solution: success", SolutionError)
        for key in ("rtol", "atol"):
            if not isinstance(value := getattr(self, key), float):
                reals(value, f"Solution: {key}", SolutionError)
        for key in ("units", "parameters"):
            named(getattr(self, key), f"Solution: {key}", SolutionError)
        self.events = list(listed(self.events, "Solution: events", SolutionError))
        for event in self.events:
            instance(event, EventRecord, "Solution: events", SolutionError)
        for key, kind in (("sol", DenseOutput), ("sketch", Sketch)):
            if (value := getattr(self, key)) is not None:
                instance(value, kind, f"Solution: {key}", SolutionError)

    def _all_names(self, given: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        if unknown := [kind for kind in given if kind not in KINDS]:
            raise SolutionError(f"Solution: names has no kind '{unknown[0]}'; {suggestion(unknown[0], KINDS)}.")
        names: dict[str, tuple[str, ...]] = {}
        for kind, words in KINDS.items():
            n = getattr(self, kind).shape[0]
            if given.get(kind) is not None:
                listing = listed(given[kind], f"Solution: names of '{kind}'", SolutionError)
                for name in listing:
                    if not isinstance(name, str):
                        raise SolutionError(f"Solution: names of '{kind}' must be texts, got {shown(name)}")
                names[kind] = listing
            elif kind == "v" and n == len(names["q"]):
                names[kind] = tuple(f"{name}.rate" for name in names["q"])
            else:
                names[kind] = tuple(f"{kind}{i}" for i in range(n))
            if len(names[kind]) != n:
                raise SolutionError(f"Solution: {n} {words} need {n} names; got {len(names[kind])}: {names[kind]}.")
            if len(set(names[kind])) < n:
                twice = next(name for name in names[kind] if names[kind].count(name) > 1)
                raise SolutionError(f"Solution: two {words} are called '{twice}'.")
        return names

    @property
    def nfev(self) -> int:
        """Evaluations of the right-hand side (SciPy's name)."""
        return self.statistics.nfev

    @property
    def njev(self) -> int:
        """Evaluations of the Jacobian (SciPy's name)."""
        return self.statistics.njev

    @property
    def nlu(self) -> int:
        """Factorisations (SciPy's name)."""
        return self.statistics.nlu

    def __getitem__(self, name: Any) -> Array:
        """A coordinate, velocity, multiplier, external state or sensor at the times ``t``, by name, or by a quantity of
        a model that is called so."""
        if not isinstance(name, str):
            named = next((one for one in row_names(name) if one in self), None)
            if named is None:
                raise UnknownNameError(
                    f"the solution is asked for rows by name, a text, as its model calls its sensors; got {shown(name)}"
                )
            name = named
        found: dict[str, Array] = {}
        for kind, names in self.names.items():
            if name in names:
                found[f".{kind}[{names.index(name)}]"] = getattr(self, kind)[names.index(name)]
        if name in self.outputs:
            found[f".outputs[{name!r}]"] = self.outputs[name]
        if not found:
            known = [known for names in self.names.values() for known in names] + list(self.outputs)
            raise UnknownNameError(
                f"the solution has nothing called '{name}'; {suggestion(name, known)}{_of_large_model(name, known)}; "
                "sensors that came later than the equations are not in their runs"
            )
        if len(found) > 1:
            raise UnknownNameError(f"'{name}' may mean {' or '.join(found)} of the solution; write which one")
        return next(iter(found.values()))

    def __contains__(self, name: object) -> bool:
        """Whether something is called so."""
        return (isinstance(name, str) and name in self.outputs) or any(name in names for names in self.names.values())

    if not TYPE_CHECKING:  # all attributes are declared

        def __getattr__(self, name: str) -> Any:
            """A part of the result of a run that is made when it is asked for, which few are."""
            later = self.__dict__.get("_later", {})
            if name not in later:
                known = [one.name for one in dataclasses.fields(Solution)]
                raise AttributeError(f"a solution has no '{name}'; {suggestion(name, known)}")
            found = self.__dict__[name] = later[name]()
            del later[name]
            return found

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: data alone, without the equations, events and functions that the run was made with."""
        for name in list(self.__dict__.get("_later", ())):
            getattr(self, name)
        return self.__dict__ | {"origin": None, "_later": {}}

    def state(self, index: int = -1, *, t: float | None = None) -> State:
        """The motion at one of the times ``t``, the last if nothing is said, or with ``t=`` between them: a start for
        another run, a state to ask questions about."""
        if t is not None:
            if self.sol is None:
                raise SolutionError("Solution: a state between the times needs the dense output; simulate with it.")
            point = self.sol(real(t, "Solution: t", SolutionError))
            return State(
                float(point.t), point.q, point.v, point.a, point.lam, point.u, partial(_of_point, point)
            )  # fmt: skip
        n = self.t.size
        k = whole(index, "Solution: index of a state", SolutionError)
        if not -n <= k < n:
            raise SolutionError(f"Solution: there is no state {k}; the run has {n} times.")
        q, v, a, lam, u = (np.array(getattr(self, kind)[:, k]) for kind in ("q", "v", "a", "lam", "u"))
        return State(float(self.t[k]), q, v, a, lam, u, partial(_of_run, self, k))

    def to_pandas(self, *names: str) -> Any:
        """A data frame over time, with a column for each of ``names``; for all of the motion and every sensor that is
        one number if none are given.  Accelerations are called ``A.acceleration`` for a rate ``A.rate``, and
        ``b.vx.rate`` for any other velocity ``b.vx``."""
        from dalembert.solution.tabular import to_pandas

        return to_pandas(self, names)

    def to_xarray(self, *names: str) -> Any:
        """A data set over time, with a variable for each of ``names`` as :meth:`to_pandas` has them, with units."""
        from dalembert.solution.tabular import to_xarray

        return to_xarray(self, names)

    def to_csv(self, path: str | Path, *names: str) -> Path:
        """Write columns as :meth:`to_pandas` has them to a text file, with names and units in its first line; numbers
        come back bit for bit."""
        from dalembert.solution.tabular import to_csv

        return to_csv(self, file_path(path, "Solution: path", SolutionError), names)

    def curves(self, *names: str) -> Curves:
        """Some components as functions of time, independent of the equations and of this solution.

        Coordinates, velocities, external states and multipliers by their names; accelerations as :meth:`to_pandas`
        names them.
        """
        if self.sol is None:
            raise SolutionError("Solution: curves need the dense output; simulate with dense_output=True.")
        accelerations = [acceleration_name(name) for name in self.names["v"]]
        known = [*self.names["q"], *self.names["v"], *self.names["u"], *accelerations, *self.names["lam"]]
        return Curves(self.sol, names, chosen_columns(names, known))

    def __repr__(self) -> str:
        """A few lines: how the run ended, its sizes, its work."""
        span = f"t = {self.t[0]:g} … {self.t[-1]:g}" if self.t.size else "no times"
        sizes = ", ".join(_counted(len(names), KINDS[kind]) for kind, names in self.names.items() if names)
        counts = {key: count for key, count in self.statistics.as_dict().items() if count}
        work = ", ".join(f"{key} {n:.4g}" if isinstance(n, float) else f"{key} {n}" for key, n in counts.items())
        kept = [
            _counted(len(self.events), "events") if self.events else "",
            "dense output" if self.sol is not None else "",
            _counted(len(self.outputs), "outputs") if self.outputs else "",
            "sketch" if self.sketch is not None else "",
            "appearance" if self.__dict__.get("_appearance") is not None else "",
            "checkpoint" if self.__dict__.get("_checkpoint") is not None else "",
        ]
        lines = [
            f"Solution of '{self.title}': {self.outcome}" if self.title else f"Solution: {self.outcome}",
            f"  {self.message}" if self.message else "",
            f"  {span}, {self.t.size} times; {sizes}",
            _wrapped(f"{self.method or 'unnamed method'}: {work or 'no work counted'}"),
            "  with " + ", ".join(filter(None, kept)) if any(kept) else "",
        ]
        return "\n".join(filter(None, lines))

    def plot(self, *names: str, **options: Any) -> Any:
        """Quantities over time with matplotlib: figure and axes (:func:`dalembert.report.plot`)."""
        return _report().plot(self, *names, **options)

    def phase(self, x: str, y: str) -> Any:
        """One quantity over another with matplotlib: figure and axes (:func:`dalembert.report.phase`)."""
        return _report().phase(self, x, y)

    def view(self, **options: Any) -> Any:
        """The report inside of a notebook (:func:`dalembert.report.view`)."""
        return _report().view(self, **options)

    def _repr_html_(self) -> str:
        """What a notebook shows of a run that stands at the end of a cell: the report, or a few lines if there is
        nothing to draw."""
        try:
            return str(self.view()._repr_html_())
        except DalembertError:
            from html import escape

            return f"<pre>{escape(repr(self))}</pre>"

    def save(self, path: str | Path) -> Path:
        """Write the run to a NetCDF file (``.nc``, added to ``path`` if it is missing) and give back its path.

        The file holds plain data, is read by ``dalembert.solution.load``, xarray and most scientific tools, and gives
        every number back bit for bit; tuples come back as lists. Of a live dense output a and λ are stored as
        polynomials too, so that the loaded run needs no equations. An existing file is replaced in one go: it is never
        left half written.
        """
        from dalembert.solution.storage import write

        self.outputs = dict(self.outputs.items())  # also those that nobody has asked for yet
        return write(self, file_path(path, "Solution: path", SolutionError))


def amend(solution: Solution, name: str, change: Callable[[Any], Any]) -> None:
    """Let a part of a result be what ``change`` makes of it: at once, or where that is made later, then."""
    later = solution.__dict__.get("_later", {})
    if name in later and name not in solution.__dict__:
        make = later[name]
        later[name] = lambda: change(make())
    else:
        setattr(solution, name, change(getattr(solution, name)))


def solution_of_run(parts: dict[str, Any], checkpoint: Any, later: dict[str, Callable[[], Any]]) -> Solution:
    """A solution of parts that an integrator has made, all that a user may give but drawings and outputs: they are
    right as they are, and checks of them took a tenth of the Python of a short run.  What is made ``later``, when
    somebody asks for it, took a third."""
    made = object.__new__(Solution)
    parts |= {"units": {}, "outputs": {}, "sketch": None, "origin": None, "_appearance": None}
    parts["_checkpoint"], parts["_later"] = checkpoint, later
    made.__dict__ = parts
    return made


def _of_large_model(name: str, known: Sequence[str]) -> str:
    """What to do where a joint is known, but not what it is asked for: large models measure what sensors ask for."""
    element, _, asked = name.partition(".")
    if not asked or not any(one.startswith(f"{element}.") for one in known):
        return ""
    return (
        f". What joints exert is there by itself in models of up to 60 elements; in larger ones a sensor asks for it, "
        f"m.sensor('…', m['{element}'].{asked.partition('.')[0]}), and where it cannot be known the message of the "
        "run says why"
    )


def _of_point(point: Any, item: Any, state: State) -> Any:
    """What a point of the dense output has under a name."""
    return point[item]


def _of_run(run: Solution, k: int, item: Any, state: State) -> Any:
    """What a run has under a name, at one of its times."""
    return run[item][..., k]
