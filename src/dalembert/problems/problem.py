"""What a test problem consists of.

A :class:`Problem` is data: functions that read like the publication, numbers, and what is known of the solution. The
equations are made from it on first use, so that listing problems compiles nothing. All functions are plain NumPy and
take numbers as well as atoms; an independent program can integrate the same functions.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache, cached_property, wraps
from importlib import resources
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from dalembert.arguments import (
    flag,
    function,
    instance,
    listed,
    mapping,
    named,
    real,
    reals,
    shown,
    text,
    texts,
    whole,
)
from dalembert.errors import DalembertError, suggestion

if TYPE_CHECKING:
    from dalembert.equations import Equations
    from dalembert.solution import Solution

Floats = npt.NDArray[np.float64]
Points = list[tuple[Any, Any]]


#: Bodies that one problem may have, and pictures that one drawing may.
MOST_PARTS, MOST_FRAMES = 1_000_000, 1_000_000


class ProblemError(DalembertError, ValueError):
    """A problem was asked for that does not exist, or with an option that it does not have."""


@dataclass(frozen=True, eq=False)
class Reference:
    """Values of the solution at one instant, and how far they can be trusted; what is not known is None."""

    t: float
    _: KW_ONLY
    q: Floats | Sequence[float] | None = None
    v: Floats | Sequence[float] | None = None
    a: Floats | Sequence[float] | None = None
    lam: Floats | Sequence[float] | None = None
    #: Significant digits of the largest components of each quantity: one number for all, or by name ("q", "v", …).
    digits: float | Mapping[str, float]
    source: str

    def __post_init__(self) -> None:
        for name in ("q", "v", "a", "lam"):
            values = getattr(self, name)
            if values is not None:
                array = reals(values, f"Reference: {name}", ProblemError).copy()
                array.setflags(write=False)
                object.__setattr__(self, name, array)
        object.__setattr__(self, "t", real(self.t, "Reference: t", ProblemError))
        given = self.digits.items() if isinstance(self.digits, Mapping) else [("all", self.digits)]
        object.__setattr__(self, "_digits", {key: real(n, "Reference: digits", ProblemError) for key, n in given})

    def trusted(self, name: str) -> float:
        """Digits of one quantity, such as ``"q"``."""
        digits: dict[str, float] = self.__dict__["_digits"]
        return digits.get(text(name, "Reference: name", ProblemError), digits.get("all", 0.0))


@dataclass(frozen=True, eq=False)
class Observation:
    """Values of sensors, coordinates or their rates at one instant, by name."""

    t: float
    values: Mapping[str, Any]
    _: KW_ONLY
    #: significant digits of the largest values
    digits: float
    source: str
    #: how far off the instant may be, where it was printed with few digits
    within: float = 0.0


@dataclass(frozen=True, eq=False)
class ElementGroup:
    """One type of element with its instances: the arguments of ``Elements.add``."""

    name: str
    coordinates: Sequence[Sequence[int]]
    _: KW_ONLY
    M: Callable[..., Any] | None = None
    f: Callable[..., Any] | None = None
    g: Callable[..., Any] | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Problem:
    """A mechanism, its start, and what is known of its motion.

    The equations are given in one of two forms: ``functions`` are the keyword arguments of ``trace`` (M, f, g, …), or
    ``elements`` are the parts that ``Elements`` puts together.
    """

    name: str
    _: KW_ONLY
    title: str
    story: str
    citation: str
    coordinates: Sequence[str]
    parameters: Mapping[str, Any]
    span: tuple[float, float]
    q0: Floats | Sequence[float]
    v0: Floats | Sequence[float]
    #: ``sketch(t, q, p)``: name of a part → points of a polyline in the plane, for one instant or for many
    sketch: Callable[..., dict[str, Points]] = field(repr=False)
    functions: Mapping[str, Any] = field(default_factory=dict, repr=False)
    elements: Sequence[ElementGroup] = field(default=(), repr=False)
    #: names of the rows of g; those of elements have names of their own
    constraints: Sequence[str] = field(default=(), repr=False)
    references: tuple[Reference, ...] = field(default=(), repr=False)
    #: single values that are known, where references have all of them
    observations: tuple[Observation, ...] = field(default=(), repr=False)
    #: ``invariant(t, q, v, p)``: a number that the motion keeps, mostly the energy
    invariant: Callable[..., Any] | None = field(default=None, repr=False)
    #: ``exact(t)``: (q, v) at the instants t, each with one column per instant
    exact: Callable[[Any], tuple[Floats, Floats]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        text(self.name, "Problem: name", ProblemError)
        for name in ("coordinates", "constraints"):
            texts(getattr(self, name), f"Problem '{self.name}': {name}", ProblemError)
        for name in ("parameters", "functions"):
            named(getattr(self, name), f"Problem '{self.name}': {name}", ProblemError)
        span = reals(self.span, f"Problem '{self.name}': span", ProblemError, finite=True)
        if span.shape != (2,):
            raise ProblemError(f"Problem '{self.name}': span must be two instants, got {shown(self.span)}")
        for group in listed(self.elements, f"Problem '{self.name}': elements", ProblemError):
            instance(group, ElementGroup, f"Problem '{self.name}': elements", ProblemError)
        for reference in listed(self.references, f"Problem '{self.name}': references", ProblemError):
            instance(reference, Reference, f"Problem '{self.name}': references", ProblemError)
        for one in listed(self.observations, f"Problem '{self.name}': observations", ProblemError):
            instance(one, Observation, f"Problem '{self.name}': observations", ProblemError)
        function(self.sketch, f"Problem '{self.name}': sketch", ProblemError)
        try:
            inspect.signature(self.sketch).bind("t", "q", "p")
        except (TypeError, ValueError):
            raise ProblemError(f"Problem '{self.name}': sketch must be a function of (t, q, p)") from None
        for name in ("q0", "v0"):
            array = reals(getattr(self, name), f"Problem '{self.name}': {name}", ProblemError, ndim=1).copy()
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def p(self) -> SimpleNamespace:
        """Parameters as attributes, as the functions of the problem expect them."""
        return SimpleNamespace(**self.parameters)

    @property
    def start(self) -> tuple[Floats, Floats]:
        """The start (q, v), as ``simulate`` takes it."""
        return np.asarray(self.q0), np.asarray(self.v0)

    @cached_property
    def equations(self) -> Equations:
        """The equations of motion, made on first use."""
        if not self.elements:
            from dalembert.equations import trace

            names = {"q": list(self.coordinates)} | ({"lam": list(self.constraints)} if self.constraints else {})
            return trace(
                **self.functions,
                n_q=len(self.coordinates),
                parameters=dict(self.parameters),
                names=names,
                name=self.name,
            )
        from dalembert.equations import Elements

        builder = Elements(self.name, coordinates=list(self.coordinates), parameters=dict(self.parameters))
        for element in self.elements:
            parts = {key: getattr(element, key) for key in ("M", "f", "g") if getattr(element, key) is not None}
            builder.add(element.name, coordinates=element.coordinates, data=dict(element.data), **parts)
        return builder.equations()

    def draw(self, solution: Solution, frames: int = 300) -> Solution:
        """The solution with a drawing of the motion in it, for ``dalembert.report``; evenly spaced in time."""
        from dalembert.solution import Sketch, Solution

        instance(solution, Solution, f"Problem '{self.name}': solution", ProblemError)
        whole(frames, f"Problem '{self.name}': frames", ProblemError, least=1, most=MOST_FRAMES)
        t, q = solution.t, solution.q
        if solution.sol is not None and t.size > 1:
            t = np.linspace(t[0], t[-1], frames)
            q = solution.sol(t).q
        drawn = mapping(self.sketch(t, q, self.p), f"Problem '{self.name}': what sketch returns", ProblemError)
        lines = {
            name: np.stack([np.stack(np.broadcast_arrays(x, y, t)[:2], axis=-1) for x, y in points], axis=1)
            for name, points in drawn.items()
        }
        solution.sketch, solution.title = Sketch(t, lines), self.title
        return solution

    def reference(self, t: float | None = None) -> Reference:
        """The reference to compare with at the time ``t``, which is the end of the span unless given.

        Where there are several, such as a published and a recomputed one, it is the one that stands first.
        """
        wanted = self.span[1] if t is None else real(t, f"Problem '{self.name}': t", ProblemError)
        found = [one for one in self.references if one.t == wanted]
        if not found:
            times = ", ".join(f"{time:g}" for time in sorted({one.t for one in self.references})) or "no time"
            raise ProblemError(f"Problem '{self.name}' has no reference at t = {wanted:g}; it has some at: {times}")
        return found[0]


@cache
def _stored_values() -> dict[str, dict[str, Any]]:
    text = resources.files("dalembert.problems").joinpath("recomputed.json").read_text(encoding="utf-8")
    values: dict[str, dict[str, Any]] = json.loads(text)
    return values


def recomputed(key: str, source: str) -> Reference:
    """A reference that was computed for this library, by its key in ``recomputed.json``."""
    return Reference(**_stored_values()[key], source=source)


def observed(key: str, source: str) -> Observation:
    """Values of sensors that were computed for this library, by their key in ``recomputed.json``."""
    return Observation(**_stored_values()[key], source=source)


def check_option(problem: str, option: str, value: str, valid: Sequence[str]) -> None:
    """Complain about a value that the option of a problem does not have."""
    if not isinstance(value, str) or value not in valid:
        raise ProblemError(f"Problem '{problem}' has no {option}={value!r}; {suggestion(str(value), valid)}")


P = TypeVar("P")


def with_checked_options(make: Callable[..., P]) -> Callable[..., P]:
    """A function that makes a problem, with options that are checked by their annotations: numbers, counts, choices."""
    parameters = inspect.signature(make).parameters

    def checked(kind: str, value: Any, what: str) -> Any:
        if kind == "float":
            return real(value, what, ProblemError)
        if kind == "int":
            return whole(value, what, ProblemError, least=1, most=MOST_PARTS)
        if kind == "bool":
            return flag(value, what, ProblemError)
        if kind.startswith("tuple"):
            items = reals(value, what, ProblemError, finite=True)
            if items.shape != (kind.count("float"),):
                raise ProblemError(f"{what} must be {kind.count('float')} numbers, got {shown(value)}")
            return tuple(items.tolist())
        return value

    @wraps(make)
    def made(*args: Any, **options: Any) -> P:
        given = inspect.signature(make).bind(*args, **options)
        for name, value in given.arguments.items():
            what = f"Problem '{make.__name__}': {name}"
            given.arguments[name] = checked(str(parameters[name].annotation), value, what)
        return make(*given.args, **given.kwargs)

    return made


def polyline(q: Any, *points: tuple[Any, Any]) -> Points:
    """Points whose constant coordinates are repeated for all instants of ``q`` (shape (n_q,) or (n_q, n_t))."""
    shape = np.shape(q)[1:]
    return [(np.broadcast_to(x, shape)[()], np.broadcast_to(y, shape)[()]) for x, y in points]


def scipy_module(name: str) -> Any:
    """A module of SciPy, imported when it is needed."""
    from importlib import import_module

    return import_module(f"scipy.{name}")
