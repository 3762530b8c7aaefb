"""Values of a description that can hardly be meant, and starts of joints that laws overrule: warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import ModelWarning, warn_caller
from dalembert.model.bodies.rigid import RigidBody
from dalembert.model.starting.start import number_of

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: A centre of mass this many times further from the origin of its body than the model is large has another unit.
_FAR = 100.0
#: Angles at the start beyond two turns are taken for degrees.
_MOST_TURNED = 4.0 * np.pi * (1.0 + 1e-9)
#: Angles, and parts of the size of the model, that starts of joints may differ by from laws.
_SAME = 1e-3


def warn_of_doubtful(mechanism: Mechanism) -> None:
    """Say which values of a description can hardly be meant: degrees for radians, millimetres for metres."""
    for told in (*_turned(mechanism), *_remote(mechanism)):
        warn_caller(f"'{mechanism.name}': {told}", ModelWarning)


def _turned(mechanism: Mechanism) -> Iterator[str]:
    """Angles at the start that are more than two turns."""
    angles = [(one.name, one.joint.start.get(one.label)) for one in mechanism.joint_coordinates if one.is_angle]
    angles += [(f"body '{body.name}'", body.start_angle) for body in mechanism.described.bodies]
    for name, angle in angles:
        if angle is not None:
            value = float(number_of(angle, mechanism.described, mechanism.parameters))
            if abs(value) > _MOST_TURNED:
                yield (
                    f"{name} starts at {value:.6g} rad, more than two turns; for {value:.6g}° write "
                    f'np.radians({value:.6g}), or "{value:.6g} deg" in a model file'
                )


def _remote(mechanism: Mechanism) -> Iterator[str]:
    """Centres of mass far beyond the model."""
    model, parameters = mechanism.described, mechanism.parameters
    rigid = [body for body in model.bodies if isinstance(body, RigidBody)]
    places = {id(body): number_of(body.reference, model, parameters) for body in rigid}
    arms = [np.zeros(3)]
    for marker in (marker for element in mechanism.how.elements for marker in element.markers):
        place = number_of(marker.r, model, parameters)
        reference = places.get(id(marker.body))
        if reference is None or not np.array_equal(place, reference):  # forces at centres of mass tell nothing
            arms.append(place)
    started = [body.start_position for body in model.bodies if body.start_position is not None]
    arms += [number_of(position, model, parameters) for position in started]
    size = max(float(np.linalg.norm(arm)) for arm in arms)
    for body in rigid:
        distance = float(np.linalg.norm(places[id(body)]))
        if size > 0.0 and distance > _FAR * size:
            yield (
                f"the centre of mass of body '{body.name}' is {distance:.6g} m from its origin, while all joints and "
                f"markers are within {size:.3g} m; lengths are in metres: write {1e-3 * distance:.6g} for "
                f"{distance:.6g} mm"
            )


def warn_of_overruled(mechanism: Mechanism, t: float, parameters: Mapping[str, Any] | None) -> None:
    """Say which starts of joints contradict the laws that drive them, which decide.  A start that fits to its law at
    t = 0 is right, at whatever instant a motion begins."""
    started = [one for one in mechanism.joint_coordinates if one.joint.start]
    if not started:
        return
    p = mechanism.parameter_vector(parameters)
    driven, first = ({**mechanism.driven_at(at, p), **mechanism.prescribed_at(at, p)} for at in (t, 0.0))
    scales = mechanism.known_scales(p) if driven else None
    size = 1.0 if scales is None else float(scales.q.max(initial=0.0))
    for one in started:
        for quantity, label in ((one, one.label), (one.rate, f"{one.label}.rate")):
            law = driven.get(quantity.name)
            if law is None or label not in one.joint.start:
                continue
            value = float(number_of(one.joint.start[label], mechanism.described, mechanism.parameters))
            least = _SAME * (1.0 if one.is_angle else size) if quantity is one else _SAME * max(abs(value), abs(law))
            turns = one.is_angle and quantity is one  # whole turns are counted elsewhere
            if min(_apart(value, law, turns), _apart(value, first.get(quantity.name, law), turns)) > least:
                unit = ("rad" if one.is_angle else "m") + ("" if quantity is one else "/s")
                warn_caller(
                    f"'{mechanism.name}': {quantity.name} starts at {law:.6g} {unit}, as it is driven; the start of "
                    f"{one.joint.label}, {value:.6g} {unit}, is ignored. Omit it, or let the law begin there",
                    ModelWarning,
                )


def _apart(value: float, other: float, turns: bool) -> float:
    away = value - other
    return abs(float(np.angle(np.exp(1j * away)))) if turns else abs(away)
