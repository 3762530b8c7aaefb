"""What the inputs τ of a linear system push: generalised forces along velocities, or whatever a parameter changes.

An input that is a velocity, or the rate of a coordinate, is a force along it.  One that is a parameter p changes the
residual r = M a − f + Gᵀλ and the rates of external states,

    M δa + Gᵀδλ = … − ∂r/∂p δp,     δu̇ = … + ∂d/∂p δp,

and what is measured, directly.  Constraints must not depend on it: their rates would then depend on that of the input.
Derivatives are central differences of fourth order, exact up to rounding where an input acts linearly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.equations.contract.evaluation import Evaluation, rate_index, rate_name
from dalembert.equations.contract.provider import Floats
from dalembert.errors import EquationsError, StateError, suggestion

_STEP = 1e-3


@dataclass(frozen=True, eq=False)
class Forcing:
    """Inputs by name, and what one unit of each does."""

    names: tuple[str, ...]
    #: generalised forces, a column for each input
    forces: Floats
    #: rates of external states
    rates: Floats
    #: places of parameters in p, −1 for forces
    places: tuple[int, ...]


def forcing(point: Evaluation, a: Floats, lam: Floats, inputs: Sequence[object]) -> Forcing:
    """Forces along velocities, or parameters, at a point of the motion."""
    equations = point.equations
    s = equations.sizes
    names, forces, rates, places = [], [np.zeros((s.v, 0))], [np.zeros((s.u, 0))], []
    for item in inputs:
        place = _parameter(point, item)
        if place is None:
            rate = rate_index(equations, item)  # type: ignore[arg-type]
            names.append(rate_name(equations, rate))
            forces.append(point.directions([rate]).T)
            rates.append(np.zeros((s.u, 1)))
            places.append(-1)
            continue
        name, k = place
        found = by_parameter(point.p, k, lambda p, name=name: _pushed(point, p, a, lam, name))  # type: ignore[misc]
        names.append(name)
        forces.append(found[: s.v, None])
        rates.append(found[s.v :, None])
        places.append(k)
    return Forcing(tuple(names), np.concatenate(forces, axis=1), np.concatenate(rates, axis=1), tuple(places))


def by_parameter(p: Floats, k: int, function: Callable[[Floats], Floats]) -> Floats:
    """The derivative of a function of all parameters by one of them."""
    h = _STEP * (abs(float(p[k])) or 1.0)
    values = []
    for steps in (1.0, -1.0, 2.0, -2.0):
        moved = np.array(p)
        moved[k] += steps * h
        values.append(function(moved))
    once, twice = values[0] - values[1], values[2] - values[3]
    return np.asarray((8.0 * once - twice) / (12.0 * h))


def _parameter(point: Evaluation, item: object) -> tuple[str, int] | None:
    """Name and place in p of a parameter that is one number; None for what is called otherwise."""
    equations = point.equations
    name = getattr(item, "name", item)
    v, q = equations.names["v"], equations.names["q"]
    if not isinstance(name, str) or name in v or name.removesuffix(".rate") in q:
        return None
    if name not in equations.parameters:
        known = (*v, *q, *equations.parameters)
        raise StateError(
            f"'{equations.name}': an input is a velocity or coordinate that a force acts along, a parameter, or an "
            f"input of the model; '{name}' is none. {suggestion(name, known)[:1].upper()}{suggestion(name, known)[1:]}"
        )
    start = 0
    for key, value in equations.parameters.items():
        size = int(np.size(value))
        if key == name:
            if size != 1:
                raise StateError(f"'{equations.name}': an input is one number, the parameter '{name}' has {size}")
            return name, start
        start += size
    return None


def _pushed(point: Evaluation, p: Floats, a: Floats, lam: Floats, name: str) -> Floats:
    """f − M a, which an input changes, and the rates of external states."""
    equations = point.equations
    at = Evaluation(equations, point.t, point.q, point.v, point.u, p, lam)
    for key in ("g", "G", "gI", "T"):
        before, now = point.values[key], at.values[key]
        if not np.allclose(now, before, rtol=0.0, atol=1e-12 * (1.0 + float(np.max(np.abs(before), initial=0.0)))):
            raise EquationsError(
                f"'{equations.name}': constraints depend on '{name}', so that accelerations would depend on the rates "
                "of this input; drive the coordinate by a force, or take the acceleration of the drive as the input"
            )
    return np.concatenate([at.values["f"] - at.times("M", a), at.values["d"]])
