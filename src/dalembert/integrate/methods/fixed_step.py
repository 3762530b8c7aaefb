"""What methods with steps of one size have in common: the size, and that nothing judges their errors."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.arguments import shown
from dalembert.errors import SimulationError
from dalembert.integrate.frame.controllers import Controller, FixedStep
from dalembert.integrate.methods.method import Method, option


@dataclass(frozen=True, kw_only=True)
class FixedStepMethod(Method):
    """A method whose steps all have the size ``step``, but for the last one before a break or the end."""

    step: float | None = option(None, "size of all steps in seconds; None: first_step of the run")

    error_order = 1

    def check(self) -> None:
        """The size, in one place only."""
        name = type(self).__name__
        if self.step is not None and not (
            isinstance(self.step, (int, float)) and not isinstance(self.step, bool) and 0.0 < self.step < 1e300
        ):
            raise SimulationError(f"{name}: step must be a positive number of seconds, got {shown(self.step)}")
        if self.controller is not None and not isinstance(self.controller, FixedStep):
            raise SimulationError(
                f"{name}: steps have one size, there is nothing to control; leave controller away and give step"
            )
        if self.controller is not None and self.step is not None:
            raise SimulationError(f"{name}: give either step or controller=FixedStep(…), not both")

    @property
    def steps_alike(self) -> bool:
        """They have one size."""
        return True

    @property
    def fixed_size(self) -> float | None:
        """The size of all steps, as far as the method says it."""
        return self.step if self.step is not None else super().fixed_size

    @property
    def own_controller(self) -> Controller:
        """None of the sizes is looked at where the run says it."""
        return FixedStep(size=self.step or 1.0)
