"""Coordinates of the user's choice: any expressions q ↦ bases and points (railway paper, sections 2.1 and 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dalembert.equations.contract.pickling import check_picklable
from dalembert.errors import ModelError, suggestion
from dalembert.model.bodies.parts import Body
from dalembert.model.element import Element
from dalembert.model.frames import Frame

if TYPE_CHECKING:
    from dalembert.model.description import Description
    from dalembert.model.formulate.coordinate_layout import CoordinateLayout


class Custom:
    """Coordinates with a function that places the bodies.

    :param names: of the coordinates, which may be attributes of ``q``
    :param place: function of (world, q, p) that returns the frame of each body, ``{body: frame}`` or ``{"name":
        frame}``; frames are made from the world with ``turned(angle, axis)`` and ``moved(x, y, z)``
    :param satisfied: names of the joints that this placement meets by itself; all others become constraints
    """

    def __init__(
        self,
        names: Sequence[str],
        place: Callable[[Frame, Any, Any], Mapping[Any, Frame]],
        satisfied: Collection[Any] = (),
    ) -> None:
        self.names = [str(name) for name in names]
        self.place = place
        self.satisfied = {item.name if isinstance(item, Element) else str(item) for item in satisfied}
        if len(set(self.names)) != len(self.names) or not all(name.isidentifier() for name in self.names):
            raise ModelError(f"custom coordinates need different names that are identifiers, got {self.names}")

    def enter(self, model: Description, layout: CoordinateLayout) -> None:
        """Make these the coordinates of a layout."""
        known = [element.name for element in model.elements]
        for name in self.satisfied:
            if name not in known:
                raise ModelError(f"custom coordinates cannot meet '{name}'; {suggestion(str(name), known)}")
        layout.names["q"] += self.names
        layout.names["v"] += [f"{name}.rate" for name in self.names]
        for body in model.bodies:
            layout.add_modes(body)

        def placed(world: Frame, q: Any, p: Any) -> Mapping[str, Frame]:
            # By name: a model that was copied has bodies of its own.
            found = {key.name if isinstance(key, Body) else str(key): at for key, at in self.place(world, q, p).items()}
            missing = [body.name for body in model.bodies if body.name not in found]
            if missing:
                raise ModelError(f"custom coordinates do not place the body '{missing[0]}'")
            return found

        layout.custom = placed

    def __getstate__(self) -> Any:
        check_picklable(self.__dict__, f"custom coordinates {', '.join(self.names)}", ModelError)
        return self.__dict__

    def __deepcopy__(self, memo: Any) -> Custom:
        return self  # it never changes
