"""A truck of the dimensions of the 1994 benchmark: 11 coordinates, 1 constraint, assumed data.

The book's truck (:mod:`dalembert.problems.planar_truck`) with an engine (6) and a driver's seat (7); the loading area
moves vertically and pitches, and its joint with the chassis holds vertically only.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from dalembert.problems.planar_truck import AIR, JOINT, BodyMotion, Force, air_spring, arm, linear, outline, resultants
from dalembert.problems.planar_truck import PARAMETERS as BOOK
from dalembert.problems.problem import Points, Problem, Reference, check_option, polyline, recomputed

STORY = """\
The truck of Simeon, Grupp, Führer and Rentrop has 7 bodies, 11 coordinates and 1 constraint, but its data were never
printed in full. This surrogate has the same dimensions and assumed values: the truck of the book by Eich-Soellner and
Führer with an engine on two mounts, a driver's seat, air springs on both axles, and a loading area that is joined to
the chassis vertically. The road fades in over half a second, and the rear wheel follows the front one 0.3 s later. It
is a sine of 2 cm and 2 Hz, or takes the place of the measured driveway of the benchmark: a Fourier series as rough as a
road of class C, which vanishes towards the end, when stiff springs hold up an explicit method though nothing moves any
more. Results are results of the surrogate and comparable with none published.
"""

CITATION = """\
Dimensions: B. Simeon, F. Grupp, C. Führer, P. Rentrop, A nonlinear truck model and its treatment as a multibody \
system, Journal of Computational and Applied Mathematics 50 (1994) 523-532. Data: assumed, after E. Eich-Soellner, \
C. Führer, Numerical Methods in Multibody Dynamics, Teubner 1998; roughness of roads: ISO 8608.
"""

COORDINATES = ["z1", "z2", "phi2", "z3", "z4", "phi4", "z5", "phi5", "z6", "phi6", "z7"]

EQUILIBRIUM = np.array([0.5, 2.0, 0.0, 0.5, 2.9, 0.0, 2.9, 0.0, 2.3, 0.0, 3.4])

DROPPED = ("speed", "hump", "edge", "c1d", "c2d", *(key for key in BOOK if key[0] == "f"))
KEPT = {key: value for key, value in BOOK.items() if key not in DROPPED} | JOINT | AIR
ASSUMED = {
    "m2": 2335.0, "m6": 1000.0, "I6": 150.0, "m7": 100.0,
    "x5": -1.46, "x6": 2.2, "mount": 0.3, "seat": 0.2,  # places; mounts at x6 ± mount, seat within the cabin
    "k6": 1.2e6, "d6": 1.5e4, "k7": 2.0e4, "d7": 1.2e3,
    "fade": 0.5, "delay": (BOOK["a23"] - BOOK["a12"]) / BOOK["speed"],
}  # fmt: skip
SINE = {"height": 0.02, "frequency": 2.0}
# The Fourier series has the density roughness (n/n0)⁻² at the wave number n, n0 = 0.1 1/m, and HARMONICS of the longest
# wave; it begins to vanish at the time "leave" and is gone at "calm".
MEASURED = {"roughness": 256e-6, "longest": 30.0, "speed": BOOK["speed"], "leave": 5.0, "calm": 8.0}
HARMONICS = 20

# Force elements; each has a nominal force Fij and length lij, at which it balances the weights in the equilibrium
FORCES = ("10", "30", "12", "23", "24", "42", "25", "26", "62", "47")


def M(p: Any) -> Any:
    return np.diag([p.m1, p.m2, p.I2, p.m3, p.m4, p.I4, p.m5, p.I5, p.m6, p.I6, p.m7])


def step(x: Any) -> tuple[Any, Any]:
    """Smooth step from 0 to 1 as x goes from 0 to 1, and its derivative."""
    x = np.minimum(np.maximum(x, 0.0), 1.0)
    return x**2 * (3 - 2 * x), 6 * x * (1 - x)


def product(a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
    """Values and rates of a product."""
    return a[0] * b[0], a[1] * b[0] + a[0] * b[1]


def sine(t: Any, p: Any) -> tuple[Any, Any]:
    """Height and rate of the sinusoidal road."""
    omega = 2 * np.pi * p.frequency
    return p.height * np.sin(omega * t), p.height * omega * np.cos(omega * t)


def measured(t: Any, p: Any) -> tuple[Any, Any]:
    """Height and rate of the Fourier series that stands for a measured road."""
    # Amplitudes √(2 G(n) Δn) with Δn = 1/longest; quadratic phases spread what would else add up to one bump.
    first, omega = 0.1 * np.sqrt(2 * p.roughness * p.longest), 2 * np.pi * p.speed / p.longest
    height: Any = 0.0
    rate: Any = 0.0
    for k in range(1, HARMONICS + 1):
        phase = k * omega * t + np.pi * k**2 / HARMONICS
        height, rate = height + first / k * np.sin(phase), rate + first * omega * np.cos(phase)
    gone, gone_rate = step((t - p.leave) / (p.calm - p.leave))
    return product((height, rate), (1 - gone, -gone_rate / (p.calm - p.leave)))


def road(profile: Any) -> Any:
    """Function of (t, p): heights of the road under the rear and the front wheel, and their rates."""

    def w(t: Any, p: Any) -> Any:
        rows = []
        for delay in (p.delay, 0.0):
            since = np.maximum(t - delay, 0.0)
            fade, fade_rate = step(since / p.fade)
            rows.append(product((fade, fade_rate / p.fade), profile(since, p)))
        (rear, rear_rate), (front, front_rate) = rows
        return np.array([rear, front, rear_rate, front_rate])

    return w


def frames(q: Any, v: Any, w: Any, p: Any) -> dict[int, BodyMotion]:
    """Bodies by number; 10 and 30 are the road under the rear and the front wheel."""
    z1, z2, phi2, z3, z4, phi4, z5, phi5, z6, phi6, z7 = q
    dz1, dz2, dphi2, dz3, dz4, dphi4, dz5, dphi5, dz6, dphi6, dz7 = v
    rear, front, rear_rate, front_rate = w
    cabin = p.a24 - p.b24
    return {
        10: BodyMotion(p.a12, rear, dz=rear_rate),
        30: BodyMotion(p.a23, front, dz=front_rate),
        1: BodyMotion(p.a12, z1, dz=dz1),
        2: BodyMotion(0.0, z2, phi2, dz=dz2, dphi=dphi2),
        3: BodyMotion(p.a23, z3, dz=dz3),
        4: BodyMotion(cabin, z4, phi4, dz=dz4, dphi=dphi4),
        5: BodyMotion(p.x5, z5, phi5, dz=dz5, dphi=dphi5),
        6: BodyMotion(p.x6, z6, phi6, dz=dz6, dphi=dphi6),
        7: BodyMotion(cabin + p.seat, z7, dz=dz7),
    }


def elements(p: Any) -> Sequence[Force]:
    """All force elements, in the order of FORCES; each has the force F at the length l."""
    o, h2 = (0.0, 0.0), p.h2

    def around(name: str, k: Any, d: Any) -> Any:
        return linear(k, d, getattr(p, f"F{name}") - k * getattr(p, f"l{name}"))

    return [
        Force(10, o, 1, o, around("10", p.k10, p.d10)),
        Force(30, o, 3, o, around("30", p.k30, p.d30)),
        Force(1, o, 2, (p.a12, p.h1), air_spring(p.F12, p.d12, p)),
        Force(3, o, 2, (p.a23, p.h1), air_spring(p.F23, p.d23, p)),
        Force(2, (p.a24, h2), 4, (p.b24, p.h3), around("24", p.k24, p.d24)),
        Force(2, (p.a42, h2), 4, (p.b42, p.h3), around("42", p.k42, p.d42)),
        Force(2, (p.a25, h2), 5, (p.c25, p.h3), around("25", p.k25, p.d25)),
        Force(2, (p.x6 - p.mount, h2), 6, (-p.mount, 0.0), around("26", p.k6, p.d6)),
        Force(2, (p.x6 + p.mount, h2), 6, (p.mount, 0.0), around("62", p.k6, p.d6)),
        Force(4, (p.seat, 0.0), 7, o, around("47", p.k7, p.d7)),
    ]


def generalized(F: dict[int, list[Any]]) -> Any:
    """Resultants on the bodies → forces on the coordinates."""
    (z, m) = (1, 2)
    return np.array([F[1][z], F[2][z], F[2][m], F[3][z], F[4][z], F[4][m], F[5][z], F[5][m], F[6][z], F[6][m], F[7][z]])


def weights(p: Any) -> Any:
    return p.g * np.array([p.m1, p.m2, 0.0, p.m3, p.m4, 0.0, p.m5, 0.0, p.m6, 0.0, p.m7])


def f(q: Any, v: Any, w: Any, p: Any) -> Any:
    return generalized(resultants(frames(q, v, w, p), elements(p))) - weights(p)


def joint(q: Any, p: Any) -> Any:
    """The loading area is carried by the chassis at one point."""
    body = frames(q, q, (0.0, 0.0, 0.0, 0.0), p)
    _, az = arm(body[2], (p.ac1, p.ac2))
    _, cz = arm(body[5], (p.cc1, p.cc2))
    return np.array([body[5].z + cz - body[2].z - az])


def nominal_values(p: Any) -> tuple[dict[str, float], float]:
    """Forces and lengths of all elements in the equilibrium, and the multiplier of the joint, by statics."""
    unit: dict[str, float] = {f"{kind}{name}": 1.0 for name in FORCES for kind in "Fl"}
    bodies = frames(EQUILIBRIUM, 0 * EQUILIBRIUM, np.zeros(4), p)
    columns, lengths = [], {}
    for name, element in zip(FORCES, elements(SimpleNamespace(**vars(p), **unit)), strict=True):
        # The force does not matter for the direction: each element pulls with 1 N in turn.
        columns.append(generalized(resultants(bodies, [element._replace(law=lambda length, rate: 1.0)])))
        P, Q = (arm(bodies[i], point) for i, point in ((element.first, element.P), (element.second, element.Q)))
        first, second = bodies[element.first], bodies[element.second]
        lengths[f"l{name}"] = float(np.hypot(second.x + Q[0] - first.x - P[0], second.z + Q[1] - first.z - P[1]))
    G = np.zeros(11)  # row of the joint where all bodies are level
    G[COORDINATES.index("z2")], G[COORDINATES.index("phi2")] = -1.0, -p.ac1
    G[COORDINATES.index("z5")], G[COORDINATES.index("phi5")] = 1.0, p.cc1
    *forces, lam = np.linalg.solve(np.column_stack([*columns, -G]), weights(p))
    return {f"F{name}": float(force) for name, force in zip(FORCES, forces, strict=True)} | lengths, float(lam)


def sketch(w: Any, q: Any, p: Any) -> dict[str, Points]:
    """Chassis, cabin, loading area, engine, seat, and axles with their suspensions."""
    body = frames(q, q * 0.0, w, p)
    parts = {
        "chassis": outline(q, body[2], (p.a52, 0.0), (p.a42, 0.0)),
        "cabin": outline(q, body[4], (p.b24, 0.0), (p.b42, 0.0), (p.b42, 1.5), (p.b24, 1.5), (p.b24, 0.0)),
        "loading area": outline(q, body[5], (-2.6, 0.0), (3.2, 0.0), (3.2, 0.8), (-2.6, 0.8), (-2.6, 0.0)),
        "engine": outline(q, body[6], (-0.4, 0.0), (0.4, 0.0), (0.4, 0.3), (-0.4, 0.3), (-0.4, 0.0)),
        "seat": outline(q, body[7], (-0.2, 0.5), (-0.2, 0.0), (0.2, 0.0)),
    }
    for wheel, axle, x, name in ((10, 1, p.a12, "rear"), (30, 3, p.a23, "front")):
        top = arm(body[2], (x, p.h1))
        ends = (body[wheel].x, body[wheel].z), (body[axle].x, body[axle].z), (body[2].x + top[0], body[2].z + top[1])
        parts[f"{name} axle"] = polyline(q, *ends)
    return parts


SOURCE = """\
computed for this surrogate with an explicit method of order 8, two tolerances compared: 1e-11 and 1e-12 for the sine, \
1e-12 and 1e-13 for the measured road, there with Radau IIA of order 13 too"""


def truck_surrogate(excitation: str = "sine") -> Problem:
    """Truck with engine and seat on a wavy road: 11 coordinates, 1 constraint; a surrogate with assumed data.

    ``excitation`` is "sine", 5 s, or "measured", 10 s: a Fourier series in the place of the measured road.
    """
    check_option("truck_surrogate", "excitation", excitation, ("sine", "measured"))
    profile, assumed, times, title = {
        "sine": (sine, SINE, ("5",), "sinusoidal road"),
        "measured": (measured, MEASURED, ("5", "10"), "a Fourier series for the measured road"),
    }[excitation]
    parameters = KEPT | ASSUMED | assumed
    nominal, lam = nominal_values(SimpleNamespace(**parameters))
    parameters = parameters | nominal
    changes = [parameters[key] for key in ("fade", "leave", "calm") if key in parameters]
    rest = Reference(
        0.0, q=EQUILIBRIUM, v=np.zeros(11), a=np.zeros(11), lam=[lam], digits=12, source="equilibrium, by statics"
    )
    w = road(profile)
    return Problem(
        "truck_surrogate",
        title=f"Planar truck, surrogate of the 1994 benchmark, {title}",
        story=STORY,
        citation=CITATION,
        coordinates=COORDINATES,
        constraints=["joint.z"],
        parameters=parameters,
        functions={
            "M": M,
            "f": f,
            "g": joint,
            "w": w,
            "breaks": tuple(sorted([ASSUMED["delay"], *changes, *(ASSUMED["delay"] + change for change in changes)])),
        },
        span=(0.0, float(times[-1])),
        q0=EQUILIBRIUM,
        v0=np.zeros(11),
        references=(rest, *(recomputed(f"truck_surrogate {excitation} {time}", SOURCE) for time in times)),
        sketch=lambda t, q, p: sketch(w(t, p), q, p),
    )
