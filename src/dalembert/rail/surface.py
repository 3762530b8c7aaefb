"""Surfaces of wheels and rails, their tangents, contact axes and curvatures; on numbers and on atoms.

J. Ros, A. Plaza, X. Iriarte, J. M. Pintor, Symbolic Multibody Methods for Real-Time Simulation of Railway Vehicles
("the paper"), eqs. (6), (7), (10), (11), (22), with the corrections of docs/rail_contact.md.

A wheel profile is a function f(u, order) with f(u) < 0, minus the radius at the distance u from the reference point on
the axle, to the left; a rail profile a function f(u, order) of the height over the rail's reference line.  A rail is a
function (s, order) of four components: x, y, z of that line and the angle θ of the profile (see dalembert.rail.track).
Vectors have their components along the first axis; parameters may be arrays of numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dalembert.arguments import instance
from dalembert.errors import ModelError
from dalembert.rail.values import components, evaluated, quantities, quantity, vectors
from dalembert.symbolic import Atom, array

Profile = Callable[..., Any]
Curve = Callable[..., Any]


def vector(*components: Any) -> Any:
    """Components as one array, of atoms if one is an atom."""
    if any(isinstance(c, Atom) or (isinstance(c, np.ndarray) and c.dtype == object) for c in components):
        return array(list(components))
    return np.stack(np.broadcast_arrays(*components))


def dot(a: Any, b: Any) -> Any:
    """a · b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Any, b: Any) -> Any:
    """a × b"""
    return vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Any) -> Any:
    """|a|"""
    return np.sqrt(dot(a, a))


def unit(a: Any) -> Any:
    """a/|a|"""
    return a * (1.0 / length(a))


class Axes(NamedTuple):
    """Orthonormal axes of a contact, right-handed: t_x along the rail, t_y to the left, n out of the rail."""

    t_x: Any
    t_y: Any
    n: Any


class Wheel(NamedTuple):
    """A point of a wheel in the axes that do not spin, relative to the wheel's reference point, and its tangents."""

    point: Any
    along: Any  # ∂r/∂θ, forward at the lowest point
    across: Any  # ∂r/∂u, to the left


def wheel(profile: Profile, u: Any, theta: Any) -> Wheel:
    """The point (−f sin θ, u, f cos θ), eq. (6) in the form in which θ is small, and its tangents.

    ∂r/∂θ × ∂r/∂u points into the wheel.
    """
    u, theta = quantities("wheel", u=u, theta=theta)
    f, slope = evaluated(profile, "wheel: profile", u, 0, 1)
    s, c = np.sin(theta), np.cos(theta)
    zero = 0.0 * c if isinstance(c, np.ndarray) else 0.0
    return Wheel(
        vector(-f * s, u, f * c),  # (6)
        vector(-f * c, zero, -f * s),
        vector(-slope * s, 1.0 + zero, slope * c),
    )


class Rail(NamedTuple):
    """A point of a rail and its tangents, on the ground."""

    point: Any
    along: Any  # ∂r/∂s
    across: Any  # ∂r/∂u


def rail(curve: Curve, profile: Profile, s: Any, u: Any) -> Rail:
    """The point of eq. (7) and its tangents.

    t̂ is the direction of the reference line, ĉ₀ = (−y', x', 0)/√(x'² + y'²) horizontal and to the left, û₀ = t̂ × ĉ₀;
    ĉ = cos θ ĉ₀ + sin θ û₀ and n̂ = t̂ × ĉ: a positive θ lifts the left side.
    """
    s, u = quantities("rail", s=s, u=u)
    if isinstance(u, np.ndarray) and not isinstance(s, Atom):
        s, u = np.broadcast_arrays(s, u)  # so that vectors, with components first, fit both
    c0, c1, c2 = components(curve, "rail: curve", s, 0, 1, 2)
    f, slope = evaluated(profile, "rail: profile", u, 0, 1)
    first, second = c1[:3], c2[:3]
    rate = 1.0 / length(first)
    t = first * rate
    t_s = (second - t * dot(t, second)) * rate
    # ĉ₀ turns about the vertical as the horizontal projection of the line does.
    flat = 1.0 / np.sqrt(first[0] * first[0] + first[1] * first[1])
    east, north = first[0] * flat, first[1] * flat
    turn = (east * second[1] - north * second[0]) * flat
    zero = 0.0 * east if isinstance(east, np.ndarray) else 0.0
    left, left_s = vector(-north, east, zero), vector(-turn * east, -turn * north, zero)
    up, up_s = cross(t, left), cross(t_s, left) + cross(t, left_s)
    cosine, sine = np.cos(c0[3]), np.sin(c0[3])
    c_hat, n_hat = cosine * left + sine * up, cosine * up - sine * left
    c_s = c1[3] * n_hat + cosine * left_s + sine * up_s
    n_s = cosine * up_s - sine * left_s - c1[3] * c_hat
    return Rail(c0[:3] + u * c_hat + f * n_hat, first + u * c_s + f * n_s, c_hat + slope * n_hat)  # (7)


def contact_axes(along: Any, across: Any) -> Axes:
    """t_x, t_y, n from the tangents of the rail, eqs. (10), (11).

    The tangents are not orthogonal where cant or irregularities change along the rail; t_y is made so.
    """
    along, across = vectors("contact axes", along=along, across=across)
    t_x = unit(along)
    n = unit(cross(t_x, across))
    return Axes(t_x, cross(n, t_x), n)


def contact_conditions(on_wheel: Any, wheel_along: Any, wheel_across: Any, on_rail: Any, axes: Axes) -> tuple[Any, Any]:
    """φⁿ = n·r and φᵈ = (t_x·r, t_y·r, t_xʷ·n, t_yʷ·n) with r from the rail's to the wheel's point, eqs. (8), (9).

    All vectors in the axes of the ground; tangents of the wheel need not be unit vectors (they become such here).
    """
    instance(axes, Axes, "contact conditions: axes", ModelError, "as contact_axes gives them")
    on_wheel, wheel_along, wheel_across, on_rail, _ = vectors(
        "contact conditions", on_wheel=on_wheel, wheel_along=wheel_along, wheel_across=wheel_across, on_rail=on_rail,
        axes=axes.n,
    )  # fmt: skip
    r = on_wheel - on_rail
    tangency = (dot(unit(wheel_along), axes.n), dot(unit(wheel_across), axes.n))
    return dot(axes.n, r), vector(dot(axes.t_x, r), dot(axes.t_y, r), *tangency)


def wheel_curvatures(profile: Profile, u: Any) -> tuple[Any, Any]:
    """1/R_xʷ = √(1 − (n·e_y)²)/ρ and 1/R_yʷ = f''/(1 + f'²)^{3/2}, eq. (22), positive where the wheel is convex."""
    f, slope, bend = evaluated(profile, "wheel curvatures: profile", quantity(u, "wheel curvatures: u"), 0, 1, 2)
    root = np.sqrt(1.0 + slope * slope)
    return -1.0 / (f * root), bend / (root * root * root)


def rail_curvature(profile: Profile, u: Any) -> Any:
    """1/R_yʳ = −f''/(1 + f'²)^{3/2}, eq. (22), positive where the rail's head is convex."""
    slope, bend = evaluated(profile, "rail curvature: profile", quantity(u, "rail curvature: u"), 1, 2)
    root = np.sqrt(1.0 + slope * slope)
    return -bend / (root * root * root)


def line_curvature(curve: Curve, s: Any, n: Any) -> Any:
    """1/R_xʳ: curvature of the rail's line about the normal n, positive on a crest."""
    found = components(curve, "line curvature: curve", quantity(s, "line curvature: s"), 1, 2)
    n, first, second = vectors("line curvature", n=n, first=found[0][:3], second=found[1][:3])
    return -dot(n, second) / dot(first, first)


def relative_curvatures(
    wheel_profile: Profile, u_w: Any, rail_profile: Profile, u_r: Any, along: Any = 0.0
) -> tuple[Any, Any]:
    """A = ½(1/R_xʷ + 1/R_xʳ) and B = ½(1/R_yʷ + 1/R_yʳ), eq. (21), with signs; ``along`` is 1/R_xʳ."""
    u_w, u_r, along = quantities("relative curvatures", u_w=u_w, u_r=u_r, along=along)
    k_x, k_y = wheel_curvatures(wheel_profile, u_w)
    return 0.5 * (k_x + along), 0.5 * (k_y + rail_curvature(rail_profile, u_r))
