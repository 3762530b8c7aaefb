"""How long a model is, and from that the sizes of its coordinates: what tolerances are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations.contract.scales import Scales, median
from dalembert.model.bodies.parts import Body
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.element import Element
from dalembert.model.formulate.coordinate_layout import CoordinateLayout, Pose
from dalembert.model.joints.motions import AnyTurning
from dalembert.model.starting.start import number_of

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: Data of elements that are lengths.
_LENGTHS = ("natural", "length", "radius", "height")


def coordinate_scales(mechanism: Mechanism, parameters: Mapping[str, Any]) -> Scales:
    """Sizes of coordinates and displacements: the characteristic length, and 1 for angles and Euler parameters."""
    layout, length = mechanism.layout, characteristic_length(mechanism, parameters)
    q, v = np.full(len(layout.names["q"]), length), np.full(len(layout.names["v"]), length)
    for i, k in _turning(layout):
        q[i], v[k] = 1.0, 1.0
    q[[*layout.angles.values(), *(i for i, _ in layout.body_angles.values())]] = 1.0
    for element in layout.with_auxiliary:
        places = layout.places[element.name]
        for number, name in enumerate(element.auxiliary):
            if not element.powers_of_length.get(name, 1.0):
                q[places.auxiliary[number]] = 1.0
                v[list(places.auxiliary_velocities[number : number + 1])] = 1.0
    gravity = float(np.linalg.norm(number_of(mechanism.described.gravity, mechanism.described, parameters)))
    return Scales(q, v, gravity / length, length)


def _turning(layout: CoordinateLayout) -> Iterator[tuple[slice, slice]]:
    """Places of rotations in q and v."""
    flat = layout.planar and not layout.lifted
    for carrier in layout.order():
        if isinstance(carrier, Pose):
            first, last = (2, 3) if flat else (3, 7)
            yield slice(carrier.q + first, carrier.q + last), slice(carrier.v + first, carrier.v + (3 if flat else 6))
            continue
        for motion, q, v in carrier.free_motions():
            if motion.is_angle or isinstance(motion, AnyTurning):
                yield slice(q, q + motion.n_q), slice(v, v + motion.n_v)
    for coordinate, (i, k) in layout.given.items():
        if coordinate.is_angle:
            yield slice(i, i + 1), slice(k, k + 1)


def characteristic_length(mechanism: Mechanism, parameters: Mapping[str, Any]) -> float:
    """The size of a body, of several the one in the middle.

    A body reaches from its reference to its markers, or as far as its radius of gyration.  Where bodies are points, the
    length is that of springs and wheels, or else the distance over which the model is spread at the start; and 1 m
    where nothing is known at all.
    """
    model, elements = mechanism.described, mechanism.how.elements

    def number(value: Any) -> Any:
        return number_of(value, model, parameters)

    reach = {body.name: _radius_of_gyration(body, number) for body in mechanism.layout.bodies}
    for marker in (marker for element in elements for marker in element.markers):
        if marker.body.name in reach:
            arm = float(np.linalg.norm(number(marker.r) - number(marker.body.reference)))
            reach[marker.body.name] = max(reach[marker.body.name], arm)
    sizes = [size for size in reach.values() if size > 0.0] or _lengths(elements, number)
    if sizes:
        return median(sizes)
    spread = _spread(mechanism, parameters)
    return spread if spread > 0.0 else 1.0


def _radius_of_gyration(body: Body, number: Any) -> float:
    if not isinstance(body, RigidBody):
        return 0.0
    mass, inertia = float(number(body.properties.mass)), float(np.max(np.diag(number(body.properties.inertia))))
    return float(np.sqrt(inertia / mass)) if mass > 0.0 and inertia > 0.0 else 0.0


def _lengths(elements: Sequence[Element], number: Any) -> list[float]:
    """Lengths among the data of elements."""
    given = [element.data[key] for element in elements for key in _LENGTHS if key in element.data]
    return [size for size in (float(np.max(np.abs(number(value)))) for value in given) if size > 0.0]


def _spread(mechanism: Mechanism, parameters: Mapping[str, Any]) -> float:
    """Diagonal of the box around all bodies and markers at the start."""
    begin = mechanism.begin(parameters, {})
    markers = [marker for element in mechanism.how.elements for marker in element.markers]
    places = [*(body.r for body in begin.bodies.values()), *(begin.marker(marker).r for marker in markers)]
    return float(np.linalg.norm(np.ptp(places, axis=0)))
