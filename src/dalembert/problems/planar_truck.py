"""Planar truck of Eich-Soellner & Führer, and the force elements that its larger relative shares.

x points forward, z up. Bodies: 1 rear axle, 2 chassis, 3 front axle, 4 driver cabin, 5 loading area. A force element
between a point P of one body and a point Q of another has ρ = Q − P, ℓ = |ρ| and the force f = k ℓ + d ℓ̇ + fN; +f ρ/ℓ
acts on the first body and −f ρ/ℓ on the second, so f < 0 is compression. Moments follow by virtual work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dalembert.problems.problem import Points, Problem, Reference, check_option, polyline, recomputed

STORY = """\
A truck drives with 15 m/s over a smooth hump, first with the front wheel at t = 2/15 s, then with the rear wheel. Axles
move up and down only, chassis and cabin also pitch, and the loading area moves freely in the plane. In the variant
"joint" it is hinged to the chassis by two constraints, in the variant "unconstrained" two more springs hold it. Air
springs can replace the linear front suspension ("air") or both suspensions ("both"; the rear one is an inference from
the tabulated rates, which are those of the linearised air spring). It starts in equilibrium.
"""

CITATION = """\
E. Eich-Soellner, C. Führer, Numerical Methods in Multibody Dynamics, Teubner 1998, planar truck; data as in the \
program distributed with the book, moments of the suspension forces by virtual work.
"""

COORDINATES = ["z1", "z2", "phi2", "z3", "z4", "phi4", "x5", "z5", "phi5"]

PARAMETERS = {
    "m1": 1450.0, "m2": 3335.0, "m3": 600.0, "m4": 1100.0, "m5": 11515.0, "I2": 14313.0, "I4": 948.0, "I5": 33000.0,
    "g": 9.81,
    "a12": -2.06, "a23": 2.44, "a24": 1.94, "a42": 3.64, "a25": 0.98, "a52": -3.07, "b24": -0.8, "b42": 0.9,
    "c25": 2.44, "c1d": -1.91, "c2d": -1.31, "h1": -1.34, "h2": 0.0, "h3": 0.0,
    "k10": 44e5, "k30": 22e5, "k12": 8.247e5, "k23": 2.711e5, "k24": 1.357e5, "k42": 1.357e5, "k25": 9.0e5,
    "d10": 600.0, "d30": 300.0, "d12": 21593.0, "d23": 38537.0, "d24": 12218.0, "d42": 12218.0, "d25": 38500.0,
    "f10": -2.329145162e6, "f30": -1.147434838e6, "f12": -0.246872662e6, "f23": -0.084924838e6,
    "f24": -0.12784288235294e6, "f42": -0.12720811764706e6, "f25": -0.85490594111111e6,
    "speed": 15.0, "hump": 0.001, "edge": 2.0,
}  # fmt: skip
JOINT = {"ac1": -3.07, "ac2": 0.15, "cc1": -1.61, "cc2": -0.75}
SPRINGS_OF_LOAD = {
    "k1d": 7.70e5, "k2d": 7.70e5, "d1d": 33013.0, "d2d": 33013.0, "f1d": -0.76635491099974e6, "f2d": -0.76635491099974e6
}  # fmt: skip
AIR = {"kappa": 1.4, "l_nom": 0.16, "p_a": 1e5, "area": 0.0562, "s": 39.13228}
AIR_FRONT, AIR_REAR = {"F23": -41548.838}, {"F12": -114920.662}  # nominal forces k ℓ_N + fN

EQUILIBRIUM = [0.5, 2.0, 0.0, 0.5, 2.9, 0.0, -1.46, 2.9, 0.0]


class BodyMotion(NamedTuple):
    """Place and motion of a body."""

    x: Any
    z: Any
    phi: Any = 0.0
    dx: Any = 0.0
    dz: Any = 0.0
    dphi: Any = 0.0


class Force(NamedTuple):
    """A force element: from a point of one body to a point of another, and its law f(ℓ, ℓ̇)."""

    first: int
    P: tuple[Any, Any]
    second: int
    Q: tuple[Any, Any]
    law: Callable[[Any, Any], Any]


def arm(body: BodyMotion, point: tuple[Any, Any]) -> tuple[Any, Any]:
    """R(φ) r: a point fixed in a body, seen from the body's centre in the axes of the world."""
    c, s = np.cos(body.phi), np.sin(body.phi)
    return c * point[0] - s * point[1], s * point[0] + c * point[1]


def resultants(bodies: dict[int, BodyMotion], elements: Sequence[Force]) -> dict[int, list[Any]]:
    """Force (x, z) and moment on each body."""
    total: dict[int, list[Any]] = {name: [0.0, 0.0, 0.0] for name in bodies}
    for first, P, second, Q, law in elements:
        A, B = bodies[first], bodies[second]
        (px, pz), (qx, qz) = arm(A, P), arm(B, Q)
        rx, rz = B.x + qx - A.x - px, B.z + qz - A.z - pz
        drx, drz = B.dx - B.dphi * qz - A.dx + A.dphi * pz, B.dz + B.dphi * qx - A.dz - A.dphi * px
        length = np.sqrt(rx**2 + rz**2)
        force = law(length, (rx * drx + rz * drz) / length) / length
        Fx, Fz = force * rx, force * rz
        for name, sign, ax, az in ((first, 1.0, px, pz), (second, -1.0, qx, qz)):
            total[name][0] = total[name][0] + sign * Fx
            total[name][1] = total[name][1] + sign * Fz
            total[name][2] = total[name][2] + sign * (ax * Fz - az * Fx)
    return total


def linear(k: Any, d: Any, fN: Any) -> Callable[[Any, Any], Any]:
    """Spring and damper with an offset of the force."""
    return lambda length, rate: k * length + d * rate + fN


def air_spring(F_nom: Any, d: Any, p: Any) -> Callable[[Any, Any], Any]:
    """Adiabatic air spring with the nominal force ``F_nom`` at the nominal length, and a damper."""

    def law(length: Any, rate: Any) -> Any:
        compression = (1 + p.s * p.l_nom) / (1 + p.s * length)
        return (F_nom + p.p_a * p.area) * compression**p.kappa - p.p_a * p.area + d * rate

    return law


def M(p: Any) -> Any:
    return np.diag([p.m1, p.m2, p.I2, p.m3, p.m4, p.I4, p.m5, p.m5, p.I5])


def road(t: Any, p: Any) -> Any:
    """Height of the road under the rear and the front wheel, and its rate."""
    rows = []
    for at in (p.a12, p.a23):
        s = np.maximum(t - (p.edge + p.a23 - at) / p.speed, 0.0)
        rows.append((p.hump * s**6 * np.exp(-s), p.hump * (6 * s**5 - s**6) * np.exp(-s)))
    (rear, rear_rate), (front, front_rate) = rows
    return np.array([rear, front, rear_rate, front_rate])


def frames(q: Any, v: Any, w: Any, p: Any) -> dict[int, BodyMotion]:
    """Bodies by number; 10 and 30 are the road under the rear and the front wheel."""
    z1, z2, phi2, z3, z4, phi4, x5, z5, phi5 = q
    dz1, dz2, dphi2, dz3, dz4, dphi4, dx5, dz5, dphi5 = v
    rear, front, rear_rate, front_rate = w
    return {
        10: BodyMotion(p.a12, rear, dz=rear_rate),
        30: BodyMotion(p.a23, front, dz=front_rate),
        1: BodyMotion(p.a12, z1, dz=dz1),
        2: BodyMotion(0.0, z2, phi2, dz=dz2, dphi=dphi2),
        3: BodyMotion(p.a23, z3, dz=dz3),
        4: BodyMotion(p.a24 - p.b24, z4, phi4, dz=dz4, dphi=dphi4),
        5: BodyMotion(x5, z5, phi5, dx5, dz5, dphi5),
    }


def forces(variant: str, springs: str) -> Callable[..., Any]:
    """The function f of a variant of the truck."""

    def f(q: Any, v: Any, w: Any, p: Any) -> Any:
        centre = (0.0, 0.0)
        law12 = air_spring(p.F12, p.d12, p) if springs == "both" else linear(p.k12, p.d12, p.f12)
        law23 = linear(p.k23, p.d23, p.f23) if springs == "linear" else air_spring(p.F23, p.d23, p)
        elements = [
            Force(10, centre, 1, centre, linear(p.k10, p.d10, p.f10)),  # rear tyre
            Force(30, centre, 3, centre, linear(p.k30, p.d30, p.f30)),  # front tyre
            Force(1, centre, 2, (p.a12, p.h1), law12),  # rear suspension
            Force(3, centre, 2, (p.a23, p.h1), law23),  # front suspension
            Force(2, (p.a24, p.h2), 4, (p.b24, p.h3), linear(p.k24, p.d24, p.f24)),  # cabin
            Force(2, (p.a42, p.h2), 4, (p.b42, p.h3), linear(p.k42, p.d42, p.f42)),
            Force(2, (p.a25, p.h2), 5, (p.c25, p.h3), linear(p.k25, p.d25, p.f25)),  # loading area
        ]
        if variant == "unconstrained":
            elements += [
                Force(2, (p.a52, p.h2), 5, (p.c1d, p.h3), linear(p.k1d, p.d1d, p.f1d)),
                Force(2, (p.a52, p.h2), 5, (p.c2d, p.h3), linear(p.k2d, p.d2d, p.f2d)),
            ]
        F = resultants(frames(q, v, w, p), elements)
        return np.array([
            F[1][1] - p.m1 * p.g,
            F[2][1] - p.m2 * p.g, F[2][2],
            F[3][1] - p.m3 * p.g,
            F[4][1] - p.m4 * p.g, F[4][2],
            F[5][0], F[5][1] - p.m5 * p.g, F[5][2],
        ])  # fmt: skip

    return f


def joint(q: Any, p: Any) -> Any:
    """The loading area is hinged to the chassis."""
    _, z2, phi2, _, _, _, x5, z5, phi5 = q
    ax, az = arm(BodyMotion(0.0, z2, phi2), (p.ac1, p.ac2))
    cx, cz = arm(BodyMotion(x5, z5, phi5), (p.cc1, p.cc2))
    return np.array([x5 + cx - ax, z5 + cz - z2 - az])


def outline(q: Any, body: BodyMotion, *points: tuple[Any, Any]) -> Points:
    """Points fixed in a body, as a polyline."""
    return polyline(q, *((body.x + x, body.z + z) for x, z in (arm(body, point) for point in points)))


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """Chassis, cabin, loading area, axles with their suspensions."""
    body = frames(q, q * 0.0, road(t, p), p)
    chassis = [(p.a52, 0.0), (p.a42, 0.0)]
    parts = {
        "chassis": outline(q, body[2], *chassis),
        "cabin": outline(q, body[4], (p.b24, 0.0), (p.b42, 0.0), (p.b42, 1.5), (p.b24, 1.5), (p.b24, 0.0)),
        "loading area": outline(q, body[5], (-2.6, 0.0), (3.2, 0.0), (3.2, 0.8), (-2.6, 0.8), (-2.6, 0.0)),
    }
    for wheel, axle, x, name in ((10, 1, p.a12, "rear"), (30, 3, p.a23, "front")):
        top = arm(body[2], (x, p.h1))
        ends = (body[wheel].x, body[wheel].z), (body[axle].x, body[axle].z), (body[2].x + top[0], body[2].z + top[1])
        parts[f"{name} axle"] = polyline(q, *ends)
    return parts


SOURCE = """\
computed for this library with an explicit method of order 8, tolerances 1e-11 and 1e-12 compared; an independent run \
of Radau IIA agrees to all its 9 decimals. Nothing is published"""


def truck(variant: str = "joint", springs: str = "air") -> Problem:
    """Planar truck driving over a hump, 10 s: 9 coordinates, and 2 constraints in the variant "joint".

    ``variant`` is "joint" or "unconstrained"; ``springs`` are "linear", "air" (air spring in front) or "both" (in front
    and at the rear).
    """
    check_option("truck", "variant", variant, ["joint", "unconstrained"])
    check_option("truck", "springs", springs, ["linear", "air", "both"])
    parameters = PARAMETERS | (JOINT if variant == "joint" else SPRINGS_OF_LOAD)
    if springs != "linear":
        parameters = parameters | AIR | AIR_FRONT | (AIR_REAR if springs == "both" else {})
    front = PARAMETERS["edge"] / PARAMETERS["speed"]
    rear = front + (PARAMETERS["a23"] - PARAMETERS["a12"]) / PARAMETERS["speed"]
    functions: dict[str, Any] = {"M": M, "f": forces(variant, springs), "w": road, "breaks": (front, rear)}
    if variant == "joint":
        functions["g"] = joint
    rest = Reference(
        0.0,
        q=EQUILIBRIUM,
        v=np.zeros(9),
        a=np.zeros(9),
        lam=[0.0, -68056.2088888888] if variant == "joint" else None,  # the joint carries the load
        digits=12,
        source="equilibrium on the flat road; accelerations below 3e-12",
    )
    return Problem(
        "truck",
        title="Planar truck",
        story=STORY,
        citation=CITATION,
        coordinates=COORDINATES,
        constraints=["joint.x", "joint.z"] if variant == "joint" else [],
        parameters=parameters,
        functions=functions,
        span=(0.0, 10.0),
        q0=EQUILIBRIUM,
        v0=np.zeros(9),
        references=(
            rest,
            *(recomputed(f"truck {variant} {springs} {t}", SOURCE) for t in (5, 10)),
        ),
        sketch=sketch,
    )
