"""Coordinates of the user's choice: any expressions q ↦ bases and points (railway paper, sections 2.1 and 3.1)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from dalembert.arguments import function, instance, listed, mapping, shown, text, texts
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
        self.names = list(texts(names, "custom coordinates: names", ModelError))
        self.place = function(place, "custom coordinates: place", ModelError)
        met = (satisfied,) if isinstance(satisfied, (str, Element)) else satisfied
        self.satisfied = {
            item.name if isinstance(item, Element) else text(item, "custom coordinates: satisfied", ModelError)
            for item in listed(met, "custom coordinates: satisfied", ModelError)
        }
        fit = self.names and len(set(self.names)) == len(self.names) and all(name.isidentifier() for name in self.names)
        if not fit:
            raise ModelError(
                f"custom coordinates: names must be one or more different identifiers, got {shown(self.names)}"
            )

    def _called(self, world: Frame, q: Any, p: Any) -> Any:
        try:
            inspect.signature(self.place).bind(world, q, p)
        except (TypeError, ValueError):
            raise ModelError(
                f"custom coordinates: place must be a function of (world, q, p), got {shown(self.place)}"
            ) from None
        try:
            return self.place(world, q, p)
        except AttributeError as error:  # of a coordinate or a parameter that is not there
            raise ModelError(f"custom coordinates: place failed: {error}") from error

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

        layout.custom = partial(self._placed, tuple(body.name for body in model.bodies))

    def _placed(self, bodies: Sequence[str], world: Frame, q: Any, p: Any) -> Mapping[str, Frame]:
        # By name: a model that was copied has bodies of its own.
        given = mapping(self._called(world, q, p), "custom coordinates: the result of place", ModelError)
        found = {key.name if isinstance(key, Body) else str(key): at for key, at in given.items()}
        for name, frame in found.items():
            instance(frame, Frame, f"custom coordinates: the place of '{name}'", ModelError)
        missing = [body for body in bodies if body not in found]
        if missing:
            raise ModelError(f"custom coordinates do not place the body '{missing[0]}'")
        return found

    def __getstate__(self) -> Any:
        check_picklable(self.__dict__, f"custom coordinates {', '.join(self.names)}", ModelError)
        return self.__dict__

    def __deepcopy__(self, memo: Any) -> Custom:
        return self  # it never changes
