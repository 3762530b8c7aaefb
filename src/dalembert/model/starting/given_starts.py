"""Values that joints were given by ``start=``, where loops had to be closed.

The nearest position to the description moves all coordinates, also those that somebody gave.  Where the model has at
least as many freedoms as values were given, these are held and the others follow; more values, as rough ones of all
joints of a loop, only tell where the position is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations import State
from dalembert.errors import ConstraintError, StateError
from dalembert.model.constraints.drives import Drive
from dalembert.model.joints.joints import JointCoordinate
from dalembert.model.starting.assembling import Assembly

if TYPE_CHECKING:
    from dalembert.model.formulate.mechanism import Mechanism

#: A value has come out if it is so near, beside its size.
_MET = 1e-8


def with_given_starts(mechanism: Mechanism, found: State, u: Any, options: Mapping[str, Any]) -> State:
    """A start, found with nothing asked for, with the values that joints were given."""
    t, parameters = options["t"], options["parameters"]
    # A law that drives a coordinate decides on it in every formulation, and has taken its freedom already.
    driven = {one.coordinates[0] for one in mechanism.described.elements if isinstance(one, Drive)}
    given = [one for one in mechanism.joint_coordinates if one.label in one.joint.start and one not in driven]
    drawn = any(body.start_position is not None for body in mechanism.layout.bodies)
    if drawn or not given or len(given) > len(found.v) - mechanism.sizes.lam:
        return found
    begin = mechanism.begin({**dict(mechanism.parameters), **dict(parameters or {})}, {}, t)
    values = {one: float(begin.number(one.joint.start[one.label])) for one in given}

    def met(one: JointCoordinate, value: float) -> bool:
        away = float(mechanism.evaluate_quantity(one, found, parameters)) - value
        if one.is_angle:  # whole turns are counted elsewhere
            away = float(np.angle(np.exp(1j * away)))
        return abs(away) <= _MET * (1.0 + abs(value))

    if all(met(one, value) for one, value in values.items()):
        return found
    try:
        return Assembly(mechanism, list(values.items()), (), t, parameters).state(None, u, options)
    except (ConstraintError, StateError):
        return found  # a place to look from, which loops contradict
