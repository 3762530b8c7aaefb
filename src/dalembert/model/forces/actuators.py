"""Motors and controllers: forces with states of their own, u̇ = d(t, q, v, u, w)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.arguments import shown
from dalembert.errors import ModelError, suggestion
from dalembert.model.element import Site
from dalembert.model.forces.laws import Law, Path, Sees, called
from dalembert.model.forces.springs import Scalar
from dalembert.model.quantity import Quantity
from dalembert.symbolic import Atom, derivative


class Driven(Scalar):
    """A force along a scalar, in the direction in which that grows, with states."""

    def state(self, name: str) -> Quantity:
        """One of its states, for sensors and laws of other elements."""
        if name not in self.states:
            raise ModelError(f"{self.label} has no state '{name}'; {suggestion(name, self.states)}")
        return self.measured(operator.attrgetter("u"), f"{self.name}.{name}", list(self.states).index(name))

    def powers(self, at: Site) -> list[tuple[Any, Any]]:
        return [(self.force_at(at), self.along(at)[1])]


class Actuator(Driven):
    """A force of any law, with states whose rates are given by another."""

    kind = "actuator"

    def __init__(
        self,
        name: str,
        path: Path,
        force: Law,
        states: Mapping[str, float],
        rates: Callable[..., Any] | None,
        sees: Sees,
    ) -> None:
        self.law, self.rates, self.sees = force, rates, sees
        super().__init__(
            name, path, markers=(*path.markers, *sees.markers.values()),
            coordinates=(*path.coordinates, *sees.coordinates.values()), data=force.data("force"), states=states,
            variant=(path.kind, force.variant, rates, sees.variant, tuple(states)),
        )  # fmt: skip

    def _values(self, at: Site) -> dict[str, Any]:
        x, rate = self.along(at)
        states = dict(zip(self.states, at.u, strict=True))
        return {self.argument: x, "rate": rate, **self.sees.values(at), **states}

    def force_at(self, at: Site) -> Any:
        return self.law.value(at, "force", self._values(at))

    def state_rates(self, at: Site) -> list[Any]:
        if self.rates is None:
            return []
        what = f"{self.label}: rates"
        found = called(at, what, self.rates, self._values(at))
        if isinstance(found, Mapping):
            if set(found) != set(self.states):
                raise ModelError(
                    f"{what} must name all states, {', '.join(self.states)}; got {', '.join(map(str, found))}"
                )
            found = [found[name] for name in self.states]
        items = list(np.asarray(found, dtype=object).reshape(-1))
        if len(items) != len(self.states):
            raise ModelError(f"{what} must have one entry for each of {', '.join(self.states)}; got {len(items)}")
        for item in items:
            if not isinstance(item, (Atom, int, float, np.number)) or (
                not isinstance(item, Atom) and not np.isfinite(item)
            ):
                raise ModelError(f"{what} must be finite numbers or expressions, got {shown(item)}")
        return items


class DCMotor(Driven):
    """A motor with brushes: torque i K n, where L di/dt = U − R i − K n ω; n is the ratio of its gear."""

    kind = "DC motor"

    def __init__(self, name: str, path: Path, data: dict[str, Any], voltage: Law, current: float | None) -> None:
        self.voltage = voltage
        #: without inductance the current follows at once
        self.inductive = current is not None
        super().__init__(
            name, path, markers=path.markers, coordinates=path.coordinates, data={**data, **voltage.data("voltage")},
            states={"current": current} if current is not None else {},
            variant=(path.kind, voltage.variant, self.inductive),
        )  # fmt: skip

    def _voltage(self, at: Site) -> Any:
        x, rate = self.along(at)
        states = {"current": at.u[0]} if self.inductive else {}
        applied = self.voltage.value(at, "voltage", {self.argument: x, "rate": rate, **states})
        return applied - at.data.constant * at.data.ratio * rate

    def current_at(self, at: Site) -> Any:
        """The current."""
        return at.u[0] if self.inductive else self._voltage(at) / at.data.resistance

    @property
    def current(self) -> Quantity:
        """The current, for sensors."""
        return self.measured(self.current_at, f"current of {self.name}")

    def force_at(self, at: Site) -> Any:
        return at.data.constant * at.data.ratio * self.current_at(at)

    def state_rates(self, at: Site) -> list[Any]:
        if not self.inductive:
            return []
        return [(self._voltage(at) - at.data.resistance * at.u[0]) / at.data.inductance]


class PID(Driven):
    """k_P e + k_I ∫e dt + k_D ė with the error e = target − x; the derivative may be filtered: τ ḋ = ė − d."""

    kind = "controller"

    def __init__(self, name: str, path: Path, target: Law, data: dict[str, Any], filtered: bool) -> None:
        self.target, self.filtered = target, filtered
        states = {"integral": 0.0, **({"derivative": 0.0} if filtered else {})}
        super().__init__(
            name, path, markers=path.markers, coordinates=path.coordinates, data={**data, **target.data("target")},
            states=states, variant=(path.kind, target.variant, filtered),
        )  # fmt: skip

    def _error(self, at: Site) -> tuple[Any, Any]:
        """e and ė."""
        x, rate = self.along(at)
        target = self.target.value(at, "target", {})
        moving = derivative(target, at.t) if isinstance(target, Atom) else 0.0
        return target - x, moving - rate

    def force_at(self, at: Site) -> Any:
        error, rate = self._error(at)
        slope = at.u[1] if self.filtered else rate
        return at.data.kp * error + at.data.ki * at.u[0] + at.data.kd * slope

    def state_rates(self, at: Site) -> list[Any]:
        error, rate = self._error(at)
        return [error, *([(rate - at.u[1]) / at.data.filter] if self.filtered else [])]
