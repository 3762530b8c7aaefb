"""What an example consists of: a model, its start, and what is known of its motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from dalembert.arguments import instance, reals, shown
from dalembert.equations import State
from dalembert.model.formulate.custom import Custom
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity
from dalembert.problems.problem import Observation, ProblemError


@dataclass(frozen=True, eq=False)
class Example:
    """A model with a start.

    ``start`` holds coordinates of joints and their rates, as ``Mechanism.assemble`` takes them; everything else starts
    from the model.  ``span`` is a time in which something happens.
    """

    model: Model
    _: KW_ONLY
    span: tuple[float, float]
    start: Mapping[Any, float] = field(default_factory=dict)
    #: "accept" where some constraints say the same
    redundant: str = "refuse"
    #: quantities that stay constant
    conserved: Mapping[str, Quantity] = field(default_factory=dict)
    references: tuple[Observation, ...] = ()
    #: coordinates besides relative and absolute ones, with their start
    custom: Custom | None = None
    custom_start: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        instance(self.model, Model, "Example: model", ProblemError)
        span = reals(self.span, f"Example '{self.model.name}': span", ProblemError, finite=True)
        if span.shape != (2,):
            raise ProblemError(f"Example '{self.model.name}': span must be two instants, got {shown(self.span)}")

    def assemble(self, equations: Mechanism, **options: Any) -> State:
        """The consistent start in the coordinates of ``equations``, which are those of the model."""
        instance(
            equations, Mechanism, f"Example '{self.model.name}': equations", ProblemError, "as its model makes them"
        )
        given = self.custom_start if equations.layout.custom else self.start
        return equations.assemble(given, redundant=self.redundant, **options)
