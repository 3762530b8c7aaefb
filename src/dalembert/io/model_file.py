"""What a model file holds besides its model, and how it is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dalembert.equations import State
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity

#: Fields of [run]: how they are read, their unit, and what they are.
RUN_FIELDS: dict[str, tuple[str, str, str]] = {
    "begin": ("number", "s", "first instant, 0 unless given"),
    "end": ("number", "s", "last instant, 1 unless given"),
    "output": ("number", "s", "distance of stored instants; the ends of all steps unless given"),
    "method": ("text", "", "method of integration, 'auto' unless given"),
    "rtol": ("number", "", "relative tolerance"),
    "atol": ("number", "", "absolute tolerance"),
    "first_step": ("number", "s", "size of the first step"),
    "max_step": ("number", "s", "largest step"),
    "coordinates": ("text", "", "'relative' or 'absolute'"),
    "builder": ("text", "", "how equations are made: 'auto', 'symbolic', 'elements', 'recursion'"),
    "cut": ("texts", "", "joints that must close loops"),
    "tree": ("texts", "", "joints whose coordinates must be those of the tree"),
    "redundant": ("text", "", "'accept' where some constraints say the same"),
    "start": ("start", "", "values of coordinates, rates or other quantities at the start, by name"),
}
#: Those that equations are made with, and those that a run has.
OF_EQUATIONS = ("coordinates", "builder", "cut", "tree")
OF_RUN = ("method", "rtol", "atol", "first_step", "max_step", "redundant")
EVENT_FIELDS = ("when", "action", "direction")


@dataclass(frozen=True)
class ParameterNote:
    """What a file says of a parameter besides its value."""

    unit: str = ""
    about: str = ""
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class FileEvent:
    """An event of a file: a zero of a quantity, which is recorded or ends the run."""

    name: str
    quantity: Quantity
    stops: bool
    direction: int


@dataclass(eq=False)
class ModelFile:
    """A model with what its file says about running it; :func:`dalembert.simulate` takes it as it is."""

    model: Model
    text: str = ""
    path: str = ""
    run: dict[str, Any] = field(default_factory=dict)
    events: tuple[FileEvent, ...] = ()
    notes: Mapping[str, ParameterNote] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    #: Python code that it names, with hashes of the sources
    python: Mapping[str, str] = field(default_factory=dict)
    about: str = ""

    @property
    def title(self) -> str:
        """Name of the model."""
        return self.model.name

    @cached_property
    def equations(self) -> Mechanism:
        """Equations in the coordinates that the file asks for."""
        return self.model.equations(**{key: self.run[key] for key in OF_EQUATIONS if key in self.run})

    @property
    def span(self) -> tuple[float, float]:
        """First and last instant."""
        return self.run.get("begin", 0.0), self.run.get("end", 1.0)

    @property
    def start(self) -> State:
        """The consistent start."""
        return self.assembled()

    def assembled(self, parameters: Mapping[str, Any] | None = None) -> State:
        """The consistent start with other values of parameters."""
        redundant = self.run.get("redundant", "refuse")
        return self.equations.assemble(self.run.get("start", {}), parameters=parameters, redundant=redundant,
                                       t=self.span[0])  # fmt: skip

    @property
    def options(self) -> dict[str, Any]:
        """Options of the run as :func:`dalembert.simulate` takes them."""
        return {key: self.run[key] for key in OF_RUN if key in self.run}
