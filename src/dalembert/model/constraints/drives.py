"""Constraints on coordinates of joints: drives by functions of time, couplings, gears."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dalembert.arguments import shown
from dalembert.errors import ModelError
from dalembert.model.constraints.constraints import Constraint, followed, in_time, knots
from dalembert.model.element import Row, Site
from dalembert.model.forces.laws import Law
from dalembert.model.joints.joints import JointCoordinate

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene


class Drive(Constraint):
    """A coordinate of a joint that follows a function of time; its multiplier is the force or moment of the drive."""

    kind = "drive"
    rows = ("value",)

    def __init__(
        self, name: str, coordinate: JointCoordinate, law: Law, breaks: Sequence[float] = (), impulse: bool = False
    ) -> None:
        self.law, self.impulse = law, impulse
        super().__init__(
            name, (), (coordinate,), data=law.data("value"), variant=law.variant, breaks=knots(law, breaks)
        )

    def in_time(self, at: Site) -> tuple[Any, Any]:
        """The coordinate and its rate."""
        return in_time(self.law, at, "value")

    def constraints(self, at: Site) -> list[Row]:
        value, rate = self.in_time(at)
        return [Row(value - at.values[0], rate - at.rates[0])]


class Prescription(Drive):
    """A coordinate of a joint that is a function of time: no coordinate of the equations where its joint is in the tree
    of relative ones and they are made on one graph, else a drive."""

    kind = "prescribed motion"

    def _multipliers(self, scene: Scene) -> Any:
        if self.coordinates[0] not in scene.layout.prescribed:
            return super()._multipliers(scene)
        scene.own(self)
        return scene.prescribing_force(self.coordinates[0])


class Coupling(Constraint):
    """Σ factor · coordinate = constant."""

    kind = "coupling"
    rows = ("sum",)

    def __init__(self, name: str, factors: Mapping[JointCoordinate, Any], constant: Any) -> None:
        data = {f"factor{i}": factor for i, factor in enumerate(factors.values())}
        super().__init__(name, coordinates=tuple(factors), data={**data, "constant": constant}, variant=len(factors))

    def constraints(self, at: Site) -> list[Row]:
        factors = [getattr(at.data, f"factor{i}") for i in range(len(at.values))]
        value = sum((f * x for f, x in zip(factors, at.values, strict=True)), 0.0) - at.data.constant
        return [Row(value, sum((f * x for f, x in zip(factors, at.rates, strict=True)), 0.0))]


class Gear(Coupling):
    """Angles of two joints in a fixed ratio."""

    kind = "gear"


class RackAndPinion(Coupling):
    """A displacement in proportion to an angle."""

    kind = "rack and pinion"


class CurvedCoupling(Constraint):
    """f(x₁, x₂, …) = 0 for coordinates of joints."""

    kind = "coupling"
    rows = ("value",)

    def __init__(self, name: str, coordinates: Sequence[JointCoordinate], function: Callable[..., Any]) -> None:
        super().__init__(name, coordinates=coordinates, variant=(function, len(coordinates)))
        self.function = function

    def constraints(self, at: Site) -> list[Row]:
        values = dict(zip(coordinate_arguments(self.function), at.values, strict=True))
        return followed(at, values, at.rates, lambda symbols: [at.call(self.function, **symbols)])


def coordinate_arguments(function: Callable[..., Any], where: str = "coupling") -> list[str]:
    """Names of a function's arguments besides those that are t, p or w."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise ModelError(f"{where} needs a function with named arguments, got {shown(function)}") from None
    return [key for key in names if key not in ("t", "p", "w")]
