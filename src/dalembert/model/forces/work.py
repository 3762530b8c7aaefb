"""Work of forces, as states; forces that a motion needs, as quantities of a model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from dalembert.arguments import mapping, shown
from dalembert.errors import ModelError
from dalembert.model.element import Element, Site
from dalembert.model.forces.laws import coordinate_of, seen_quantity
from dalembert.model.joints.joints import JointCoordinate
from dalembert.model.quantity import Quantity, value_of
from dalembert.symbolic import array, substitute

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene


class Work(Element):
    """The work that another element has put into the motion since the start."""

    kind = "work"

    def __init__(self, name: str, force: Element) -> None:
        if not isinstance(force, Element):
            raise ModelError(f"work '{name}' is that of a force, as m.torque(…) returns it; got {shown(force)}")
        self._rate = force.power  # complains about constraints
        self.force = force
        super().__init__(name, states={"work": 0.0}, variant=(self._rate,))

    def state_rates(self, at: Site) -> list[Any]:
        return [seen_quantity(at, self._rate)]


def needed_force(on: Any, accelerations: Mapping[Any, Any] | None, moving: bool, where: str) -> Quantity:
    """The force along a coordinate of a joint that a motion needs: M q̈ − f of the bodies alone, with their weights.

    With the velocities as they are, or at rest: then it is what holds the weight.
    """
    coordinate = coordinate_of(on, where)
    given = {} if accelerations is None else mapping(accelerations, f"{where}: accelerations", ModelError)
    wanted = tuple((coordinate_of(key, where), value) for key, value in given.items())
    word = "inverse dynamics" if moving else "gravity compensation"
    return Quantity(partial(_needed, coordinate, wanted, moving), f"{word} of {coordinate.name}")


def _needed(
    coordinate: JointCoordinate, accelerations: tuple[tuple[JointCoordinate, Any], ...], moving: bool, scene: Scene
) -> Any:
    from dalembert.model.formulate.whole import body_pairs

    def place(one: JointCoordinate) -> int:
        k = scene.layout.index("v", one)
        if k is None:
            raise ModelError(
                f"the force that {one.name} needs is known where it is a coordinate of the equations: a joint of the "
                "tree, in relative coordinates. Formulate with m.equations('relative'), and where the joint closes a "
                "loop cut another one (cut=True), or leave the quantity away"
            )
        return int(k)

    def all_forces() -> tuple[Any, Any]:
        """Of all coordinates: one walk along the tree, and one from its ends back; and what they belong to."""
        v, a = scene.inputs["v"], scene.inputs["a"]
        values: dict[Any, Any] = dict.fromkeys(a, 0.0) | {
            a[place(one)]: value_of(value, scene) for one, value in accelerations
        }
        if not moving:
            values |= dict.fromkeys(v, 0.0)
        forces = scene.made_once("forces of bodies", lambda: -scene.generalised(body_pairs(scene)))
        return array(substitute(forces, values)), accelerations

    k = place(coordinate)
    # Forces of all joints in the same motion are found together; a walk for each would take the square of the time.
    # Accelerations may be quantities, which have no order: those that are the same object are equal.
    motion = (moving, tuple((one, id(value)) for one, value in accelerations))
    return scene.made_once(("needed forces", motion), all_forces)[0][k]
