"""Wheelsets and bogies that hunt: a wheelset with soft springs to a carriage that moves along the track, and a bogie.

    J. Klingel, Über den Lauf der Eisenbahnwagen auf gerader Bahn, Organ für die Fortschritte des Eisenbahnwesens 38
    (1883) 113–123: the wave of a free wheelset with conical wheels, 2π √(r b/γ) long.

Below a critical speed springs damp the motion of Klingel, above it creep forces feed it.  Numbers are of the size that
passenger vehicles have; they are of no vehicle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.arguments import one_of, real
from dalembert.equations import State
from dalembert.model.bodies.parts import Body
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.model import Model
from dalembert.model.rails.wheelset import Wheelset
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import ProblemError
from dalembert.rail.creep import CreepLaw
from dalembert.rail.profiles import Profile
from dalembert.rail.segments import Straight
from dalembert.rail.standard_profiles import cone, crown, s1002, uic60
from dalembert.rail.track import Track

GRAVITY = 9.81
#: kg and kg m²
MASS, INERTIA = 1200.0, (700.0, 100.0, 700.0)
CARRIAGE, FRAME, FRAME_INERTIA = 8000.0, 2600.0, (1700.0, 1500.0, 3000.0)
#: N: of the carriage on each wheelset
LOAD = 60e3
#: N/m along and across, on each side of a wheelset, m from its middle; the same of a bogie's springs
SOFT, ARM = (2.5e5, 2.5e5), 1.0
STIFF, SECONDARY = (3e6, 3e6), (1.5e5, 1.5e5)
SECONDARY_DAMPING = 2e4
#: m: half the wheelbase of the bogie
BASE = 1.25
#: m: of track behind
BEHIND = 10.0
#: m/s² or rad/s²: largest acceleration of what counts as running steadily
_STEADY = 0.1
#: of a speed, by which a body may be slower than wheelsets that it runs with
_BEHIND = 1e-3
RADIUS, CONICITY, CROWN = 0.46, 0.05, 0.3
PROFILES = ("cone", "s1002")


def profiles_of(profiles: str) -> tuple[Profile, Profile, float]:
    """Wheel, rail, and the distance of the rails' reference lines."""
    one_of(profiles, PROFILES, "wheelset: profiles", ProblemError)
    if profiles == "cone":
        return cone(RADIUS, CONICITY), crown(CROWN), 1.5
    return s1002(RADIUS), uic60(), Track([Straight(1.0)], gauge=1.435, profile=uic60()).distance


def wheelset(
    speed: float = 10.0,
    profiles: str = "cone",
    *,
    law: str | CreepLaw = "linear",
    friction: float = 0.35,
    springs: float = 1.0,
    lateral: float = 0.002,
    distance: float = 400.0,
    load: float = LOAD,
    measure: bool = False,
) -> Example:
    """A wheelset, with springs to a carriage that moves along a straight track; ``springs`` times as stiff as usual,
    none with 0.

    :param speed: m/s, negative backwards; ``lateral``: m by which it begins beside the middle of the track
    :param distance: m of track
    """
    V, springs = real(speed, "wheelset: speed", ProblemError), real(springs, "wheelset: springs", ProblemError)
    m, track, start = _beginning("wheelset", V, profiles, distance)
    made = _add_wheelset(m, "axle", track, profiles, start, V, law, friction, lateral, load, measure)
    if springs:
        for side, y in (("left", ARM), ("right", -ARM)):
            stiffness = (springs * SOFT[0], springs * SOFT[1], 0.0, 0.0, 0.0, 0.0)
            m.bushing(f"{side} spring", m["carriage"].at(0.0, y, 0.0), made.frame.at(0.0, y, 0.0), stiffness)
    return Example(m, span=(0.0, min(10.0, 0.8 * distance / max(abs(V), 1.0))))


def klingel(radius: float, half_distance: float, conicity: float) -> float:
    """Wavelength of a free wheelset with conical wheels."""
    return float(2.0 * np.pi * np.sqrt(radius * half_distance / conicity))


def bogie(
    speed: float = 30.0,
    profiles: str = "cone",
    *,
    law: str | CreepLaw = "polach",
    friction: float = 0.35,
    lateral: float = 0.002,
    distance: float = 600.0,
    measure: bool = False,
) -> Example:
    """A bogie with two wheelsets, under a carriage that moves along a straight track.

    New wheels of profile S1002 on new rails fit each other in places, where rigid contact points jump and a run ends.
    """
    V = real(speed, "bogie: speed", ProblemError)
    m, track, start = _beginning("bogie", V, profiles, distance)
    frame = m.body("frame", FRAME, FRAME_INERTIA)
    height = start["z"]
    place = {"x": start["x"], "y": lateral, "z": height, "x.rate": V}
    m.guide("suspension", m.ground, frame, slides="xyz", turns="zxy", start=place)
    for axle, x in (("front", BASE), ("rear", -BASE)):
        at = {**start, "x": start["x"] + x}
        made = _add_wheelset(
            m, axle, track, profiles, at, V, law, friction, lateral, LOAD - 0.5 * FRAME * GRAVITY, measure
        )
        for side, y in (("left", ARM), ("right", -ARM)):
            ends = made.frame.at(0.0, y, 0.0), frame.at(x, y, 0.0)
            m.bushing(f"{axle} {side} primary", *ends, (*STIFF, 1e6, 0.0, 0.0, 0.0), (0.0, 0.0, 1e4, 0.0, 0.0, 0.0))
    for side, y in (("left", ARM), ("right", -ARM)):
        damping = (SECONDARY_DAMPING, SECONDARY_DAMPING, 0.0, 0.0, 0.0, 0.0)
        ends = m["carriage"].at(0.0, y, 0.0), frame.at(0.0, y, 0.0)
        m.bushing(f"{side} secondary", *ends, (*SECONDARY, 0.0, 0.0, 0.0, 0.0), damping)
    return Example(m, span=(0.0, min(10.0, 0.8 * distance / max(abs(V), 1.0))))


def _beginning(name: str, V: float, profiles: str, distance: float) -> tuple[Model, Track, dict[str, float]]:
    """A model with a track and a carriage that slides along it; where wheelsets begin."""
    wheel, rail, between = profiles_of(profiles)
    if not real(distance, f"{name}: distance", ProblemError) > 0.0:
        raise ProblemError(f"{name}: distance, the length of the track, must be positive, got {distance:g}")
    track = Track([Straight(distance)], distance=between)
    m = Model(name, gravity=(0.0, 0.0, -GRAVITY))
    x = BEHIND if V >= 0.0 else distance - BEHIND
    z = float(rail(0.0)) - float(wheel(0.0))
    carriage: Body = m.body("carriage", CARRIAGE, (1.0, 1.0, 1.0))
    m.guide("way", m.ground.at(0.0, 0.0, z), carriage, slides="x", start={"x": x, "x.rate": V})
    return m, track, {"x": x, "z": z}


def _add_wheelset(
    m: Model, name: str, track: Track, profiles: str, start: dict[str, float], V: float,
    law: str | CreepLaw, friction: float, lateral: float, load: float, measure: bool,
) -> Wheelset:  # fmt: skip
    wheel, rail, _ = profiles_of(profiles)
    lateral, load = real(lateral, f"{name}: lateral", ProblemError), real(load, f"{name}: load", ProblemError)
    made: Wheelset = m.wheelset(
        name, m.ground, track, wheel=wheel, rail=rail, mass=MASS, inertia=INERTIA, distance=1.5, law=law,
        friction=friction, speed=V, start={**start, "y": lateral}, measure=measure,
    )  # fmt: skip
    down: Any = (0.0, 0.0, -load)
    m.force(f"{name} load", made.frame.origin, down)
    return made


def running(equations: Mechanism, start: State, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """q, and v of rolling straight ahead at a speed, of vehicles that stand in the middle of a track along x.

    Wheelsets and everything that is guided along x are known by their names; other velocities, such as that of a
    carriage which slides, are those of ``start`` at another speed.
    """
    v, own = np.zeros(equations.sizes.v), 0.0
    for k, name in enumerate(equations.names["v"]):
        if name.endswith(" guide.x.rate"):
            own = start.v[k]
    if own:
        v = start.v * (speed / own)
    for k, name in enumerate(equations.names["v"]):
        if name == "way.rate" or name.endswith(".x.rate"):
            v[k] = speed
        if name.endswith(" spin.rate"):
            left = name.replace(" spin.rate", " left")
            u = start.q[equations.index("q", f"{left}.u")]
            v[k] = -speed / float(equations.described[left].wheel(u))
    _check_together(equations, start, v, speed)
    return start.q, v


def _check_together(equations: Mechanism, start: State, v: np.ndarray, speed: float) -> None:
    """Complain about bodies that stay behind."""
    at = replace(start, v=v)
    for body in equations.layout.bodies:
        along = float(equations.evaluate_quantity(body.velocity, at)[0])
        if abs(along - speed) > _BEHIND * abs(speed):
            raise ProblemError(
                f"'{equations.name}': body '{body.name}' moves at {along:.4g} m/s, and wheelsets run at {speed:g} m/s. "
                "Give it the speed of the wheelsets in the model, and take velocities of that start: "
                "critical_speed(equations, equations.assemble(equilibrium.q, start.v), …)"
            )


def _check_steady(equations: Mechanism, q: np.ndarray, v: np.ndarray) -> None:
    """Complain about a start from which nothing can run straight ahead."""
    a = equations.forward_dynamics(q, v)[0]
    k = int(np.argmax(np.abs(a)))
    if abs(a[k]) > _STEADY:
        raise ProblemError(
            f"'{equations.name}' does not run steadily from this start: {equations.names['v'][k]} changes by "
            f"{a[k]:.3g} a second. Springs may be without their loads, or a wheelset stands beside the middle of the "
            "track; take equations.equilibrium() for the start"
        )


def growth(equations: Mechanism, start: State, speed: float, least: float = 0.3, side: str = "mean") -> complex:
    """The eigenvalue of the oscillation that grows fastest, or decays slowest, about running straight ahead; of all
    that are faster than ``least`` rad/s and in which wheelsets move across the track.  ``start`` must be steady, such
    as ``equations.equilibrium()``: loads of wheels decide on creep.  ``side`` says which slope counts at corners of
    laws, as in ``equations.linearise``."""
    q, v = running(equations, start, speed)
    _check_steady(equations, q, v)
    found = equations.linearise(q, v, side=side)
    across = [k for k, name in enumerate(equations.names["q"]) if name.endswith((" guide.y", "suspension.y"))]
    values, vectors = np.linalg.eig(found.A)
    shapes = np.abs(found.to_q @ vectors)
    sideways = shapes[across].max(axis=0) > 1e-6 * shapes.max(axis=0)
    return complex(max(values[(values.imag > least) & sideways], key=lambda value: value.real))


def critical_speed(
    equations: Mechanism, start: State, low: float, high: float, within: float = 1e-3, side: str = "mean"
) -> float:
    """The speed between two at which an oscillation stops to decay, by bisection; ``side`` as in :func:`growth`."""
    if not growth(equations, start, low, side=side).real < 0.0 < growth(equations, start, high, side=side).real:
        raise ProblemError(f"'{equations.name}': no oscillation becomes unstable between {low:g} and {high:g} m/s")
    while high - low > within * high:
        middle = 0.5 * (low + high)
        if growth(equations, start, middle, side=side).real < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
