"""Bodies that were drawn where joints do not let them be: they are moved, and this is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dalembert.equations import State
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.errors import ModelWarning, warn_caller
from dalembert.model.bodies.parts import Body
from dalembert.model.starting.start import Placement, Start

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: What digits cut off in a drawing may do: distances relative to the size of the model, and angles.
_DRAWN = 1e-3
#: So many bodies are named.
_NAMED = 3


def warn_of_moves(mechanism: Mechanism, state: State | None = None) -> bool:
    """Say which bodies do not start where they were given, if there are any: joints contradict their places; or, where
    a start was assembled with nothing asked for, loops that had to be closed have moved them."""
    found = mechanism.kept("drawn otherwise", lambda: tuple(_contradicted(mechanism)))
    if not found and state is not None:
        found = tuple(_moved(mechanism, state))
    if found:
        kinds = " and ".join(dict.fromkeys(kind for kind, _ in found))
        told = "; ".join(text for _, text in found[:_NAMED])
        more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        warn_caller(
            f"'{mechanism.name}' does not start as it was drawn: {told}{more}. Give {kinds} that fit to the joints, or "
            "leave them away where joints say them",
            ModelWarning,
        )
    return bool(found)


def _given(mechanism: Mechanism) -> list[Body]:
    """Bodies that were given a place or a velocity."""
    given = [
        (one, one.start_position, one.start_velocity, one.start_angular_velocity) for one in mechanism.layout.bodies
    ]
    return [body for body, *parts in given if any(part is not None for part in parts)]


def _distance(body: Body, at: Placement, now: Placement) -> tuple[float, float]:
    """Distance and angle from the place that a body was given, if it was."""
    return at.distance(now) if body.start_position is not None else (0.0, 0.0)


def _drawing(mechanism: Mechanism) -> tuple[Start, float]:
    """The start as it was described, and the size of the model."""

    def drawn() -> tuple[Start, float]:
        start = mechanism.begin(mechanism.parameters, {})
        return start, size_of_model(start)

    return mechanism.kept("drawing", drawn)


def size_of_model(start: Start) -> float:
    """Size of the model: of the box around all bodies, and of the arms on these."""
    places = np.array([place.r for place in start.bodies.values()])
    joints = [marker for joint in start.joints for marker in joint.markers]
    arms = [float(np.linalg.norm(start.number(marker.r))) for marker in joints]
    return max([float(np.linalg.norm(np.ptp(places, axis=0))), *arms])


def _contradicted(mechanism: Mechanism) -> Iterator[tuple[str, str]]:
    """Bodies whose places do not fit to a joint."""
    given = _given(mechanism)
    if not given or mechanism.layout.custom:
        return
    start, size = _drawing(mechanism)
    placed = {body.name for body in given if body.start_position is not None} | {mechanism.described.ground.name}
    overruled: set[str] = set()
    for body in given:
        distance, angle = _distance(body, start.given(body), start.bodies[body.name])
        if distance > _DRAWN * size or angle > _DRAWN:
            overruled.add(body.name)
            label, away = start.carriers[body.name].label, _away(distance, angle, size)
            yield "places", f"body '{body.name}' stands {away} from its place, as {label} has a start"
    for joint in start.joints:
        names = {marker.body.name for marker in joint.markers}
        if names <= placed and not names & overruled:
            distance, angle = start.gap(joint)
            if distance > _DRAWN * size or angle > _DRAWN:
                body = joint.first.body if joint.second.body.is_ground else joint.second.body
                away = _away(distance, angle, size)
                yield "places", f"the place of body '{body.name}' misses {joint.label} by {away}"


def _moved(mechanism: Mechanism, state: State) -> Iterator[tuple[str, str]]:
    """Bodies that an assembly has moved."""
    given = _given(mechanism)
    if not given or mechanism.layout.custom:
        return
    start, size = _drawing(mechanism)
    there = mechanism.begin(mechanism.parameters, {}, state.t).placed_at(mechanism.layout, state.q, state.v).bodies
    length = size or 1.0  # of a model that is a point
    speed = max(_speed(start.given(body), length) for body in given)
    for body in given:
        at, now = start.given(body), there[body.name]
        distance, angle = _distance(body, at, now)
        # Angular velocities were given in the axes of the body, wherever these are.
        spin, drift = float(np.linalg.norm(now.R.T @ now.w - at.R.T @ at.w)), float(np.linalg.norm(now.v - at.v))
        if distance > _DRAWN * size or angle > _DRAWN:
            away = _away(distance, angle, size)
            yield "places", f"body '{body.name}' was moved by {away} to meet {_unmet(mechanism, state.t)}"
        elif body.start_velocity is not None and drift > _DRAWN * speed:
            yield "velocities", f"the velocity of body '{body.name}' was changed by {drift:.3g} m/s to meet constraints"
        elif body.start_angular_velocity is not None and length * spin > _DRAWN * speed:
            change = f"was changed by {spin:.3g} rad/s to meet constraints"
            yield "velocities", f"the angular velocity of body '{body.name}' {change}"


def _unmet(mechanism: Mechanism, t: float) -> str:
    """The element whose rows are furthest from being met where the bodies were drawn."""
    equations = mechanism.active
    if not equations.sizes.g:
        return "constraints"
    q, v, u = mechanism.start()
    drawn = Evaluation(equations, t, q, v, u, equations.parameter_vector(None))
    away = np.abs(drawn.values["g"]) / np.maximum(drawn.position_sizes, 1e-300)  # metres and radians
    name = equations.names["lam"][int(np.argmax(away))].split(".")[0]
    return str(mechanism.described[name].label)


def _speed(at: Placement, size: float) -> float:
    return float(np.linalg.norm(at.v) + size * np.linalg.norm(at.w))


def _away(distance: float, angle: float, size: float) -> str:
    parts = [f"{distance:.3g} m"] if distance > 0.1 * _DRAWN * size else []
    return " and ".join([*parts, f"{np.degrees(angle):.3g}°"] if angle > 0.1 * _DRAWN else parts)
