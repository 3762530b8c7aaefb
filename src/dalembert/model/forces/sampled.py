"""Controllers in discrete time: a function that is called with numbers once in each period, and holds its outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import function, mapping, real, shown
from dalembert.equations.builders.trace import call_by_name, named_arguments, named_parameters
from dalembert.equations.contract.provider import Floats
from dalembert.errors import DalembertError, ModelError, SimulationError, suggestion
from dalembert.instant import State
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.element import Element, Site
from dalembert.model.forces.laws import COMMON, coordinate_of, marker_of
from dalembert.model.formulate.quantity_values import QuantityValues
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.model.quantity import Quantity

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism


class SampledController(Element):
    """A function of what it sees, called at t = offset + k·period; its outputs and its memory are external states."""

    kind = "sampled controller"

    def __init__(
        self,
        name: str,
        period: Any,
        law: Any,
        sees: Mapping[str, Any],
        outputs: Mapping[str, float],
        memory: Mapping[str, float],
        offset: Any,
    ) -> None:
        where = f"{self.kind} '{name}'"
        self.period, self.offset = (
            real(period, f"{where}: period", ModelError),
            real(offset, f"{where}: offset", ModelError),
        )
        if not self.period > 0.0:
            raise ModelError(f"{where}: period must be a positive time, got {shown(period)}")
        self.law: Callable[..., Any] = function(law, f"{where}: law", ModelError)
        self.sees = _quantities(sees, where)
        held = mapping(outputs, f"{where}: outputs", ModelError), mapping(memory, f"{where}: memory", ModelError)
        self.output_names, states = tuple(held[0]), {**held[0], **held[1]}
        if not self.output_names:
            raise ModelError(f"{where}: outputs need a name and a first value, such as outputs={{'torque': 0.0}}")
        for key in states:
            if not isinstance(key, str) or not key.isidentifier() or key in COMMON or key in self.sees:
                raise ModelError(
                    f"{where}: {shown(key)} cannot be the name of an output or of its memory; choose another"
                )
        super().__init__(name, states=states, variant=(self.law, tuple(states)))
        try:
            named_arguments(f"{where}: law", self.law, dict.fromkeys((*self.sees, *states, "t", "p"), 0.0))
        except DalembertError as error:
            raise ModelError(str(error)) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        states = self.__dict__.get("states", {})
        if name in states:
            return self.measured(self._held, f"{self.name}.{name}", list(states).index(name))
        raise AttributeError(f"{self.label} has no '{name}'; it has {', '.join(states)}")

    def _held(self, at: Site) -> Any:
        return at.u

    def state_rates(self, at: Site) -> list[Any]:
        return [0.0] * len(self.states)


def _quantities(given: Mapping[str, Any], where: str) -> dict[str, Quantity]:
    """What the law may ask for, by the names of its arguments, as quantities."""
    found: dict[str, Quantity] = {}
    for name, item in mapping(given, f"{where}: sees", ModelError).items():
        if not isinstance(name, str) or not name.isidentifier() or name in COMMON:
            raise ModelError(f"{where}: '{name}' in sees cannot be the name of an argument; choose another")
        if isinstance(item, (Joint, JointCoordinate)):
            coordinate = coordinate_of(item, where)
            found |= {name: coordinate, f"{name}_rate": coordinate.rate}
        elif isinstance(item, (Body, Marker)):
            marker = marker_of(item, where)
            found |= {name: marker.position, f"{name}_velocity": marker.velocity}
        elif isinstance(item, Quantity):
            found[name] = item
        else:
            raise ModelError(
                f"{where}: sees needs joints, bodies, markers or quantities; got {shown(item)} as '{name}'"
            )
    return found


class Sampling:
    """One controller in the equations of its model."""

    def __init__(self, mechanism: Mechanism, controller: SampledController) -> None:
        self.name, self.period, self.offset = controller.name, controller.period, controller.offset
        self._mechanism, self._controller, self._values = mechanism, controller, QuantityValues(mechanism)
        self._places = dict(zip(controller.states, mechanism.layout.places[controller.name].states, strict=True))

    def sampled(self, state: State, p: Floats) -> Mapping[int, float]:
        """New values of its outputs and its memory."""
        mechanism, controller = self._mechanism, self._controller
        values: dict[str, Any] = {
            name: self._values.at(quantity, state, p) for name, quantity in controller.sees.items()
        }
        values |= {name: float(state.u[i]) for name, i in self._places.items()}
        values |= {"t": state.t, "p": named_parameters(mechanism.parameters, np.array(p))}
        found = call_by_name(f"{controller.label}: law", controller.law, values)
        if not isinstance(found, Mapping):
            if len(controller.output_names) != 1:
                raise SimulationError(
                    f"{controller.label}: its law must return a dictionary of {', '.join(self._places)}; "
                    f"got {shown(found)}"
                )
            found = {controller.output_names[0]: found}
        for name in found:
            if name not in self._places:
                raise SimulationError(
                    f"{controller.label}: its law returns '{name}'; {suggestion(str(name), self._places)}"
                )
        return {
            self._places[name]: real(value, f"{controller.label}: its law returns '{name}', which", SimulationError)
            for name, value in found.items()
        }
