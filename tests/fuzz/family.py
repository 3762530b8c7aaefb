"""Families of cases for the campaign: models, motions of each model, runs of each motion, and how a run is judged.

An error counts in units: one unit is the larger of one tolerance and what one tolerance at the start grows to by the
motion itself.  Chaotic motions are thus not held to what no method can give.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.integrate.methods.registry import METHODS

#: A run that ends with success and an error of more units is bad.
WORST = 1000.0
#: Instants at which runs are compared.
INSTANTS = 20
#: A relative change of initial values from which growth is found by differences.
CHANGE = 1e-6
#: Steps after which a run is given up.
STEPS = 4000
#: Methods that control errors, with the tightest tolerance that they reach in a reasonable number of steps.
TIGHTEST = {name: 1e-5 if METHODS[name].order < 4 else 1e-8 for name in METHODS if not METHODS[name].steps_alike}
TIGHTEST |= dict.fromkeys(("dop853", "radau9", "radau13", "mexx", "hem5", "chart_dop853", "adams", "auto"), 1e-09)
TIGHTEST |= {"bdf": 1e-7, "chart_bdf": 1e-7}

#: Values that are compared: rows by instants, one array for all rows that share a scale.
Groups = list[np.ndarray]


class WrongError(AssertionError):
    """A run that ended with success and is wrong."""


class NoReferenceError(Exception):
    """Tight runs of a motion that fail, or do not agree."""


@dataclass
class Outcome:
    """What came of a case: "fine", "ended" (the run says that it failed), "refused" (an error of the package)."""

    told: str
    units: float = 0.0  # the largest error
    detail: str = ""


@dataclass
class Motion:
    """A start and what the motion from there is."""

    span: tuple[float, float]
    start: Any
    times: np.ndarray
    expected: Groups
    #: Changes of the values, divided by a relative disturbance of all positions at the start, and of all velocities.
    growth: tuple[Groups, Groups]
    #: Sizes of positions and of velocities, which absolute tolerances are compared with.
    sizes: tuple[float, float]
    #: How far the expected values are known, group by group.
    known: Sequence[float] = ()
    parameters: dict[str, float] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def units(self, found: Groups, rtol: float, atol: tuple[float, float]) -> float:
        """The largest error, in units."""
        relative = [rtol + one / size for one, size in zip(atol, self.sizes, strict=True)]
        worst = 0.0
        for k, (values, reference) in enumerate(zip(found, self.expected, strict=True)):
            size = np.abs(reference).max(initial=0.0)
            grown = sum(
                part * np.abs(group[k]).max(initial=0.0) for part, group in zip(relative, self.growth, strict=True)
            )
            unit = max(max(relative) * size, grown)
            error = np.abs(values - reference).max(initial=0.0)
            if not np.isfinite(error):
                return np.inf
            error = max(0.0, error - (self.known[k] if self.known else 0.0))
            worst = max(worst, error / max(unit, 1e-13 * size, 1e-300))
        return float(worst)

    def units_of(self, found: Any, equations: Any, options: Mapping[str, Any], size: float) -> float:
        """One unit of a run for values of this size."""
        rtol, atol = tolerances(found, equations, options)
        relative = [rtol + one / scale for one, scale in zip(atol, self.sizes, strict=True)]
        grown = sum(
            part * max(np.abs(one).max(initial=0.0) for one in group)
            for part, group in zip(relative, self.growth, strict=True)
        )
        return float(max(max(relative) * size, grown))


class Family:
    """Cases of one kind.  The number of a case decides on everything: its model, its motion, its run."""

    name: ClassVar[str]
    #: Cases that share a model, and those that share a motion of it.
    per_model: ClassVar[int] = 128
    per_motion: ClassVar[int] = 8
    #: Share of the cases of a campaign, relative to other families.
    share: ClassVar[float] = 1.0

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.compiled = 0  # models that the last case made
        # The last ones are kept: cases come one after the other.
        self._model = functools.lru_cache(maxsize=1)(self._made)
        self._motion = functools.lru_cache(maxsize=1)(
            lambda k: self.motion(self.random(1, k), self._model(k * self.per_motion // self.per_model))
        )

    def _made(self, number: int) -> Any:
        self.compiled += 1
        return self.model(self.random(0, number))

    def random(self, what: int, number: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, zlib.crc32(self.name.encode()), what, number])

    def case(self, number: int) -> Outcome:
        """Run a case; WrongError says that the result is wrong without a word, other exceptions are defects too."""
        np.seterr(all="ignore")
        self.compiled = 0
        try:
            model = self._model(number // self.per_model)
            motion = self._motion(number // self.per_motion)
            return self.run(self.random(2, number), model, motion)
        except NoReferenceError as error:
            return Outcome("no reference", detail=str(error))
        except DalembertError as error:
            return Outcome("refused", detail=f"{type(error).__name__}: {error}")

    def model(self, rng: np.random.Generator) -> Any:
        """A model, which the next cases share."""
        raise NotImplementedError

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        """A motion of a model."""
        raise NotImplementedError

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        """One run, judged."""
        raise NotImplementedError


def options_of(rng: np.random.Generator, methods: Sequence[str] | None = None) -> dict[str, Any]:
    """Method and tolerance of a run, sometimes further options that must not matter."""
    method = str(rng.choice(methods or ["auto", *sorted(TIGHTEST)]))
    if methods is None and rng.random() < 0.15:
        method = "auto"
    rtol = float(10.0 ** rng.uniform(np.log10(TIGHTEST[method]), -3.0))
    options: dict[str, Any] = {"method": method, "rtol": rtol, "max_steps": STEPS}
    chance = rng.random()
    if chance < 0.1:
        options["formalism"] = "contract"
    elif chance < 0.2 and method != "auto" and METHODS[method].implicit:
        options["method"] = replace(METHODS[method], jacobian=str(rng.choice(["grouped", "estimated", "dense"])))
    elif chance < 0.3:
        options["first_step"] = 10.0 ** rng.uniform(-6.0, -1.0)  # a part of the span
    elif chance < 0.4:
        options["max_step"] = 10.0 ** rng.uniform(-2.0, -0.5)
    return options


def scaled_steps(options: Mapping[str, Any], span: tuple[float, float]) -> dict[str, Any]:
    """Options whose sizes of steps are no longer parts of the span."""
    size = abs(span[1] - span[0])
    return {name: float(one * size) if name in ("first_step", "max_step") else one for name, one in options.items()}


def run(equations: Any, motion: Motion, options: Mapping[str, Any], measured: Callable[[Any], Groups]) -> Outcome:
    """A run of a motion; raise WrongError if it ended with success and is wrong."""
    options = scaled_steps(options, motion.span)
    found = da.simulate(
        equations, motion.span, motion.start, parameters=motion.parameters, t_eval=motion.times,
        **{**motion.options, **options},
    )  # fmt: skip
    return judged(found, equations, motion, options, measured)


def judged(
    found: Any, equations: Any, motion: Motion, options: Mapping[str, Any], measured: Callable[[Any], Groups]
) -> Outcome:
    """A run beside what its motion is."""
    if not found.success or found.outcome == "step limit":
        return Outcome("ended", detail=f"{dict(options)}: {found.message}")
    units = motion.units(measured(found), *tolerances(found, equations, options))
    if not units <= WORST:
        raise WrongError(
            f"success with an error of {units:.3g} units: {described(equations)}, {dict(options)}, span {motion.span}, "
            f"parameters {motion.parameters}, start {described(motion.start)}; {found.statistics.steps} steps by "
            f"{found.method}; {found.message}"
        )
    return Outcome("fine", units)


def tolerances(found: Any, equations: Any, options: Mapping[str, Any]) -> tuple[float, tuple[float, float]]:
    """The relative tolerance and the largest absolute ones of positions and velocities."""
    s = equations.sizes
    atol = np.broadcast_to(np.asarray(found.atol, dtype=float), s.q + s.v + s.u)
    return options["rtol"], (float(atol[: s.q].max()), float(atol[s.q :].max()))


def described(what: Any) -> str:
    if isinstance(what, da.State):
        return f"(t={what.t!r}, q={what.q.tolist()}, v={what.v.tolist()}, u={what.u.tolist()})"
    how = getattr(what, "how", None)
    return f"'{what.name}' {how.options.coordinates}/{how.builder}" if how else str(what)


def at_times(rng: np.random.Generator, span: tuple[float, float]) -> np.ndarray:
    """Instants of a span, its end among them."""
    inside = np.sort(rng.uniform(0.0, 1.0, INSTANTS - 1))
    return np.append(span[0] + (span[1] - span[0]) * inside, span[1])


def by_runs(
    equations: Any,
    span: tuple[float, float],
    start: da.State,
    times: np.ndarray,
    measured: Callable[[Any], Groups],
    parameters: Mapping[str, float] | None = None,
    methods: tuple[str, str] = ("dop853", "radau9"),
    rtol: float = 1e-10,
    **options: Any,
) -> Motion:
    """A motion whose values come from tight runs of two methods; NoReferenceError where these fail or do not agree."""
    parameters = dict(parameters or {})

    def tight(state: da.State, method: str, rtol: float) -> Any:
        made = da.simulate(
            equations, span, state, parameters=parameters, t_eval=times, method=method, rtol=rtol,
            atol=1e-3 * rtol * np.maximum(weights, 1e-6), max_steps=50 * STEPS, **options,
        )  # fmt: skip
        if not made.success:
            raise NoReferenceError(f"{described(equations)}, {method} at {rtol:g}: {made.message}")
        return made

    s = equations.sizes
    weights = np.ones(s.q + s.v + s.u)
    rough = tight(start, methods[0], 1e-6)
    sizes = [max(float(np.abs(values).max(initial=0.0)), 1e-9) for values in (rough.q, rough.v)]
    weights = np.concatenate(
        [np.full(s.q, sizes[0]), np.full(s.v, sizes[1]), np.abs(rough.u).max(axis=1, initial=1e-9)]
    )
    runs = [tight(start, method, rtol) for method in methods]
    expected, other = (measured(one) for one in runs)
    growth = []
    chance = np.random.default_rng(len(times))
    for k in range(2):
        part, size, relative = ("q", "v")[k], sizes[k], 1e-6
        vectors = {"q": start.q.copy(), "v": start.v.copy(), "u": start.u.copy()}
        vectors[part] = vectors[part] + relative * size * chance.choice([-1.0, 1.0], vectors[part].size)
        moved = tight((vectors["q"], vectors["v"], vectors["u"]), methods[0], 0.1 * relative * 1e-3)
        growth.append([(a - b) / relative for a, b in zip(measured(moved), expected, strict=True)])
    motion = Motion(span, start, times, expected, (growth[0], growth[1]), (sizes[0], sizes[1]), (), parameters, options)
    units = motion.units(other, 100.0 * rtol, (0.0, 0.0))
    if not units < 30.0:
        raise NoReferenceError(
            f"{described(equations)}: {' and '.join(methods)} at {rtol:g} differ by {units:.3g} units "
            f"of {100 * rtol:g}, "
            f"span {span}, parameters {parameters}, start {described(start)}"
        )
    motion.known = [3.0 * float(np.abs(a - b).max(initial=0.0)) for a, b in zip(expected, other, strict=True)]
    return motion
