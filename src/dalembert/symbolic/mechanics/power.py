"""Forces and the principle of virtual power (railway paper, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dalembert.arguments import instance, listed, shown
from dalembert.errors import SymbolicError, SymbolicTypeError
from dalembert.symbolic.atom import Atom, AtomArray, array, objects, zeros
from dalembert.symbolic.calculus import adjoint_derivative
from dalembert.symbolic.mechanics.bases import (
    Base,
    acceleration_tensor,
    angular_acceleration,
    angular_velocity,
)
from dalembert.symbolic.mechanics.components import CYCLIC, scalar
from dalembert.symbolic.mechanics.points import Point, acceleration
from dalembert.symbolic.mechanics.vectors import Tensor, Vector, is_symmetric

#: Kinds of symbols that power does not depend on by way of velocities.
_NO_VELOCITIES = ("coordinate", "acceleration", "parameter", "time")


def virtual_power(contributions: Iterable[tuple[Any, Any]], velocities: Any) -> AtomArray:
    """Generalized forces Σ (∂v/∂q̇)ᵀ F over pairs (F, v), for all generalized ``velocities`` q̇ at once.

    Each pair is a force with the velocity of its point, a moment with the angular velocity of its body, or two scalars:
    the force along a coordinate, such as the length of a spring, with the rate of that.  One reverse
    sweep over the velocities does it: forces that act further out are summed up before they pass a joint, so this *is*
    the backward recursion of recursive formulations, at a cost proportional to the number of bodies.  Forces are
    weights in it; they may depend on the velocities without being differentiated.
    """
    contributions = listed(contributions, "virtual_power: contributions", SymbolicTypeError)
    for symbol in [velocities] if isinstance(velocities, Atom) else objects(velocities).flat:
        if not isinstance(symbol, Atom):
            raise SymbolicError(f"virtual_power: velocities must be symbols, but there is {shown(symbol)} among them")
        if symbol.graph.is_symbol(symbol.handle):
            kind = symbol.graph.symbol(symbol.handle).kind
            if kind in _NO_VELOCITIES:
                raise SymbolicError(
                    f"virtual_power: '{symbol.name}' is of kind {kind}, not a velocity; pass the generalized "
                    "velocities, q.dt of the coordinates q"
                )
    weights, powers = [], []
    for number, pair in enumerate(contributions):
        if isinstance(pair, Vector):
            raise SymbolicTypeError(
                "virtual_power takes a list of pairs: write virtual_power([(F, v)], …), also for a single one"
            )
        items = tuple(pair) if isinstance(pair, (tuple, list)) else (pair,)
        if len(items) == 2 and not any(isinstance(item, Vector) for item in items):
            weights.append(array([items[0]]))
            powers.append(array([items[1]]))
            continue
        if len(items) != 2 or not all(isinstance(item, Vector) for item in items):
            got = ", ".join(type(item).__name__ for item in items)
            raise SymbolicTypeError(
                f"virtual_power: contribution {number} must be a pair of vectors (force, velocity) or "
                f"(moment, angular velocity), or of two scalars, got ({got})"
            )
        force, v = items
        # In the base of the velocity, because the force then meets others on the same body.  If a part of the velocity
        # is at home where the force is (absolute coordinates, force in the axes of the world), it stays there.
        base = force.base if force.base in v.parts else v.base
        weights.append(force.components(base))
        powers.append(v.components(base))
    if not weights:
        return zeros(np.shape(velocities))
    result: AtomArray = adjoint_derivative(array(np.concatenate(powers)), velocities, array(np.concatenate(weights)))
    return result


def rigid_body_inertia_forces(
    mass: Any, com: Point, inertia: Tensor, base: Base | None = None, *, gravity: Vector | None = None
) -> tuple[Vector, Vector]:
    """Inertia force -m a and moment -(I α + w × I w) of a rigid body at its centre of mass ``com``.

    ``inertia`` is the tensor about the centre of mass, ``base`` is fixed in the body (default: that of the inertia).
    With ``gravity`` the weight is part of the force, m (g - a), and costs almost nothing (see :func:`acceleration`).
    """
    instance(com, Point, "rigid_body_inertia_forces: com", SymbolicTypeError)
    if base is not None:
        instance(base, Base, "rigid_body_inertia_forces: base", SymbolicTypeError)
    if gravity is not None:
        instance(gravity, Vector, "rigid_body_inertia_forces: gravity", SymbolicTypeError, "made with base.vector(…)")
    if not isinstance(inertia, Tensor):
        raise SymbolicTypeError(
            f"inertia at '{com.name}' must be a tensor, got a {type(inertia).__name__}; make one with base.tensor(3×3)"
        )
    base = inertia.base if base is None else base
    mass = scalar(base.graph, mass, f"mass at '{com.name}'")
    force = -mass * acceleration(com, gravity=gravity)
    w_vector, alpha_vector = angular_velocity(base), angular_acceleration(base)
    I = inertia.components(base)
    if not is_symmetric(I):
        return force, -(inertia @ alpha_vector + w_vector.cross(inertia @ w_vector))
    # With the entries of A, which the accelerations of the body's points need anyway, this takes 30 operations, or 9
    # for principal axes, instead of 42 or 18 (and three differences of inertias, which are constant).
    w, alpha, A = w_vector.components(base), alpha_vector.components(base), acceleration_tensor(base, base.top)
    moment = zeros(3)
    for i, j, k in CYCLIC:
        moment[i] = (
            I[i, i] * alpha[i]
            + (I[k, k] - I[j, j]) * (w[j] * w[k])
            + (I[k, i] * A[j, i] - I[i, j] * A[k, i])
            + I[j, k] * (w[j] * w[j] - w[k] * w[k])
        )
    return force, -base.vector(moment)


def steiner(inertia: Tensor, mass: Any, r: Vector) -> Tensor:
    """Inertia about a point at ``r`` from the centre of mass: I + m (r·r 1 - r rᵀ), in the base of ``inertia``."""
    if not (isinstance(inertia, Tensor) and isinstance(r, Vector)):
        raise SymbolicTypeError(
            f"steiner takes a tensor, a mass and a vector, got a {type(inertia).__name__} and a {type(r).__name__}"
        )
    mass = scalar(inertia.base.graph, mass, "steiner: mass")
    x = r.components(inertia.base)
    mx = mass * x
    shift = zeros((3, 3))
    for i, j, k in CYCLIC:
        shift[i, i] = mx[j] * x[j] + mx[k] * x[k]
        shift[i, j] = shift[j, i] = -mx[i] * x[j]
    return inertia + inertia.base.tensor(shift)
