"""All mechanisms with constraints that independent coordinates can serve, in all of their coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import dalembert as da
from dalembert.errors import DalembertError
from dalembert.integrate import Rosenbrock
from dalembert.problems import mechanisms


@dataclass(frozen=True)
class Constrained:
    """Equations with a start, and a time in which something happens."""

    name: str
    equations: Any
    start: Any
    span: tuple[float, float]

    def part(self, share: float) -> tuple[float, float]:
        """The first part of the span, of half a second at most."""
        first, last = self.span
        return first, first + min(share * (last - first), 0.5)

    def run(self, span: tuple[float, float], **options: Any) -> da.Solution:
        """With constraints that say the same, where there are some."""
        return da.simulate(self.equations, span, self.start, redundant="accept", **options)

    def later(self, share: float) -> Constrained:
        """Where the motion is after a part of its span; at a start at rest much vanishes."""
        span = self.part(share)
        run = self.run(span, method="radau", rtol=1e-8, atol=1e-8)
        if not run.success:
            raise ArithmeticError(f"{self.name}: {run.message}")
        start = (run.q[:, -1], run.v[:, -1], run.u[:, -1]) if run.u.size else (run.q[:, -1], run.v[:, -1])
        return Constrained(self.name, self.equations, start, (span[1], max(self.span[1], span[1] + 1.0)))


#: Smaller ones of the problems that have a size; and of the vehicle the stiff one.
_SMALLER: dict[str, Callable[[], Any]] = {
    "a02": lambda: da.problems.a02(4), "insulator_chain": lambda: da.problems.insulator_chain(8),
    "elastic_truck": lambda: da.problems.elastic_truck(modes=10),
}  # fmt: skip
_SMALLER_MODELS: dict[str, Callable[[], Any]] = {
    "a02": lambda: mechanisms.a02(4), "hmmwv14": lambda: mechanisms.hmmwv14(stiff=True),
}  # fmt: skip


def constrained_problems(quick: bool = False) -> Iterator[Constrained | str]:
    """One after the other; a sentence in place of those that are refused. For a first look a few."""
    found = _traced() if quick else (*_traced(), *_modelled())
    for one in found[:6] if quick else found:
        why = _refused(one)
        yield f"{one.name}: {why}" if why else one


def _traced() -> tuple[Constrained, ...]:
    problems = [_SMALLER.get(name, lambda name=name: da.problems.get(name))() for name in da.problems.names()]
    return tuple(
        Constrained(problem.title, problem.equations, problem.start, problem.span)
        for problem in problems
        if problem.equations.sizes.lam
    )


def _modelled() -> tuple[Constrained, ...]:
    found = []
    for name in mechanisms.__all__:
        if not name.islower() or name == "rolling_disc":  # its rolling is nonholonomic
            continue
        example = _SMALLER_MODELS.get(name, getattr(mechanisms, name))()
        for coordinates in ("relative", "absolute"):
            equations = example.model.equations(coordinates)
            if equations.sizes.lam:
                title = f"{name} as a model, {coordinates}"
                found.append(Constrained(title, equations, example.assemble(equations), example.span))
    return tuple(found)


def _refused(problem: Constrained) -> str:
    """What the methods say, if they cannot serve it."""
    try:
        problem.run(problem.part(1e-6), method=Rosenbrock(), max_steps=1)
    except DalembertError as error:
        return str(error)
    return ""
