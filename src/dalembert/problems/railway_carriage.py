"""A railway carriage on a track that changes over to another line: 41 coordinates, 8 wheels that stay on the rails.

All coordinates are displacements from the places that bodies have in a frame which travels along x at constant speed V:
y, z, roll, pitch and yaw of the car body, which takes the speed from there, and x, y, z, roll, pitch and yaw of two
bogies and four wheelsets; z points upwards.  A body is turned by A = R_z(yaw) R_y(pitch) R_x(roll).  The pitch of a
wheelset is what it turns besides its rolling with Ω = V/r_0 about the axle a = A e_y; in this order of rotations it
moves the axle where there is roll, so that all forces and constraints of a wheelset know all its six coordinates.

A rail is a curve at P = (c_x, y_r + s e √(1 + y_r'²), 0) below the centre c of a wheel, s = ±1 for the left and the
right one, e half of the gauge and y_r(V t + c_x) the middle of the track.  It is seen at −s δ = a·(P − c) along the
axle and at the distance ρ = √(|P − c|² − δ²) from it, where the wheel has the radius r(δ):

    0 = r(δ) − ρ,    r(δ) = r_0 + conicity δ + flange(δ)                                                         (1)

Multipliers of these constraints are the loads of the wheels.  Rail and wheel slip on each other with ν, by the speed V,
ahead and across, and creep forces −(C_x ν_x, C_y ν_y) are saturated with T their size:

    F = −(C_x ν_x, C_y ν_y) · tanh(T/(μ λ)) / (T/(μ λ))                                                          (2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from dalembert.problems.problem import ElementGroup, Points, Problem, check_option, polyline, recomputed

STORY = """\
A coach with two bogies and four wheelsets runs at 20 m/s along a straight track, changes over to a line 4 m beside it
on an S of 120 m, and goes on straight. It has 41 coordinates and one constraint for each of its eight wheels, whose
multipliers are the loads; creep forces between wheels and rails depend on these loads and on what the wheels slip.
Springs and dampers of the suspensions act in all directions, in axes of the upper body, so that in the Jacobian bodies
that they connect have full blocks. In the S the secondary suspension runs into its lateral stops, and wheels come
close to their flanges. The start is the equilibrium. Eigenvalues of creepage are as large as -1400 1/s beside motions
of a second.
"""

CITATION = """\
M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration for DAE time integration in multibody dynamics, Computer \
Methods in Applied Mechanics and Engineering 195 (2006) 6958-6973, section 4.1, has its dimensions, order of \
coordinates, track and time, and no data. Substitutes: masses, geometry and vertical suspension of the Manchester \
benchmark vehicle 1 (S. Iwnicki, Vehicle System Dynamics 30, 1998), other stiffnesses and dampers of the coach of \
N. K. Cooperrider (1972). Assumed: dampers along and across of the primary suspension, those along of the secondary \
one and the height of its springs, Kalker's coefficients, profile of the flange, lateral stops, shape and length of \
the S.
"""

SOURCE = """\
computed for this library with Radau IIA of order 9 and, for comparison, of order 13 and an explicit method of order \
8, tolerances 1e-11"""

AXES = ("x", "y", "z", "roll", "pitch", "yaw")
#: Bodies in the order of their coordinates; distances along the track from the middle of the car.
BODIES = ("car", "bogie1", "wheelset1", "wheelset2", "bogie2", "wheelset3", "wheelset4")
PLACES = {"bogie1": (5, 9.5), "wheelset1": (11, 10.78), "wheelset2": (17, 8.22),
          "bogie2": (23, -9.5), "wheelset3": (29, -8.22), "wheelset4": (35, -10.78)}  # fmt: skip
COORDINATES = [f"{body}.{axis}" for body in BODIES for axis in (AXES[1:] if body == "car" else AXES)]
WHEELS = [f"wheelset{i}.{side}" for i in (1, 2, 3, 4) for side in ("left", "right")]
CAR = range(5)

PARAMETERS = {
    "g": 9.81, "speed": 20.0,
    # masses and moments of inertia (Manchester)
    "car_mass": 32000.0, "car_roll": 5.68e4, "car_pitch": 1.97e6, "car_yaw": 1.97e6,
    "bogie_mass": 2615.0, "bogie_roll": 1722.0, "bogie_pitch": 1476.0, "bogie_yaw": 3067.0,
    "wheelset_mass": 1813.0, "wheelset_roll": 1120.0, "wheelset_pitch": 112.0, "wheelset_yaw": 1120.0,
    # heights of centres and of secondary springs, half distances of springs and rails, radius of wheels
    "car_height": 1.8, "bogie_height": 0.6, "secondary_height": 0.9, "primary_side": 1.0, "secondary_side": 1.0,
    "half_gauge": 0.75, "r0": 0.46,
    # suspension of each side: vertically Manchester, else Cooperrider; assumed: c_x, c_y of the primary one, c_x of the
    # secondary one
    "primary_k": np.array([3.646e6, 1.823e6, 1.2e6]), "primary_c": np.array([1e3, 1e3, 4e3]),
    "secondary_k": np.array([1.823e5, 1.823e5, 4.3e5]), "secondary_c": np.array([1e3, 2.92e4, 2e4]),
    "yaw_k": 9.03e5, "yaw_c": 1.667e5,
    # lateral stops (assumed): so far from the pivot towards the middle, force stop_k (displacement − gap)²
    "stop_at": 0.4, "stop_gap": 0.025, "stop_k": 4e8,
    # creep (assumed) and friction
    "creep_x": 7.4e6, "creep_y": 6.8e6, "mu": 0.3,
    # profile (assumed): the flange begins beyond the clearance and has its slope after a width
    "conicity": 0.1, "clearance": 6e-3, "flange_width": 8e-3, "flange_slope": 2.0,
    # the S: where it begins and how long it is (assumed), how far the other line is
    "s_begin": 50.0, "s_length": 120.0, "s_across": 4.0,
}  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- bodies


class PlacedBody(NamedTuple):
    """Place of a body in the travelling frame, its axes, those about which its angles turn (columns), velocities."""

    r: Any
    A: Any
    turns: Any
    v: Any
    omega: Any


def cross(a: Any, b: Any) -> Any:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def pose(x: Any, height: Any, q: Any, v: Any) -> PlacedBody:
    """Pose of a body with its six coordinates; at rest with zeros for the velocities."""
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(angle), np.sin(angle)) for angle in q[3:6])
    A = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    turns = np.array([[cy * cp, -sy, 0.0], [sy * cp, cy, 0.0], [-sp, 0.0, 1.0]])
    return PlacedBody(np.array([x + q[0], q[1], height + q[2]]), A, turns, v[:3], turns @ v[3:6])


def car_pose(q: Any, v: Any, p: Any) -> PlacedBody:
    """Pose of the car body, which has no x."""
    return pose(0.0, p.car_height, np.array([0.0, *q]), np.array([0.0, *v]))


def resultant(body: PlacedBody, arm: Any, force: Any) -> Any:
    """What a force at a point, ``arm`` from the centre, does to the six coordinates."""
    return np.array([*force, *(body.turns.T @ cross(arm, force))])


def inertia(body: str, q: Any, p: Any) -> tuple[Any, Any, Any]:
    """Mass, moments of inertia, and angular velocity in axes of the body by the rates of roll, pitch, yaw."""
    (cr, sr), (cp, sp) = ((np.cos(angle), np.sin(angle)) for angle in q[-3:-1])
    turns = np.array([[1.0, 0.0, -sp], [0.0, cr, sr * cp], [0.0, -sr, cr * cp]])
    mass, *moments = (getattr(p, f"{body}_{key}") for key in ("mass", "roll", "pitch", "yaw"))
    return mass, moments, turns


def masses_of(body: str) -> Callable[..., Any]:
    """Mass matrix of a car, bogie or wheelset."""

    def M(q: Any, p: Any) -> Any:
        n = len(q)
        mass, moments, turns = inertia(body, q, p)
        block: list[list[Any]] = [[0.0] * n for _ in range(n)]
        for i in range(n - 3):
            block[i][i] = mass
        for i in range(3):
            for j in range(3):
                block[n - 3 + i][n - 3 + j] = sum(turns[k, i] * turns[k, j] * moments[k] for k in range(3))
        return np.array(block)

    return M


def weight_of(body: str) -> Callable[..., Any]:
    """Weight and gyroscopic moments of a car, bogie or wheelset; a wheelset rolls besides."""

    def f(q: Any, v: Any, p: Any) -> Any:
        mass, moments, turns = inertia(body, q, p)
        (cr, sr), (cp, sp) = ((np.cos(angle), np.sin(angle)) for angle in q[-3:-1])
        roll, pitch, yaw = v[-3:]
        omega = turns @ v[-3:]
        changing = np.array(  # d(turns)/dt times the rates
            [
                -pitch * yaw * cp,
                -roll * pitch * sr + yaw * (roll * cr * cp - pitch * sr * sp),
                -roll * pitch * cr - yaw * (roll * sr * cp + pitch * cr * sp),
            ]
        )
        rolling = np.array([0.0, p.speed / p.r0 if body == "wheelset" else 0.0, 0.0])
        moment = np.array(moments) * changing + cross(omega, np.array(moments) * (omega + rolling))
        across = [0.0] * (len(q) - 4)
        return np.array([*across, -mass * p.g, *(-(turns.T @ moment))])

    return f


# ------------------------------------------------------------------------------------------------------- suspension


def between(
    upper: PlacedBody, lower: PlacedBody, on_upper: Any, on_lower: Any, law: Callable[[Any, Any], Any]
) -> tuple[Any, Any]:
    """Forces on the coordinates of two bodies by an element in axes of the upper one: ``law`` of displacement and
    velocity of a point of the lower body gives the force on that point."""
    arm = lower.A @ on_lower
    reach = lower.r + arm - upper.r
    rate = lower.v + cross(lower.omega, arm) - upper.v - cross(upper.omega, reach)
    force = upper.A @ law(upper.A.T @ reach - on_upper, upper.A.T @ rate)
    return -resultant(upper, reach, force), resultant(lower, arm, force)


def spring(k: Any, c: Any, load: Any) -> Callable[[Any, Any], Any]:
    """Springs and dampers along three axes, compressed by a load."""
    down = np.array([0.0, 0.0, -load])
    return lambda displacement, rate: down - np.array(k) * displacement - np.array(c) * rate


def secondary(q: Any, v: Any, p: Any) -> Any:
    """Spring and dampers of one side between car and bogie."""
    car, bogie = car_pose(q[:5], v[:5], p), pose(p.x, p.bogie_height, q[5:], v[5:])
    y = p.side * p.secondary_side
    on_car = np.array([p.x, y, p.secondary_height - p.car_height])
    on_bogie = np.array([0.0, y, p.secondary_height - p.bogie_height])
    law = spring(p.secondary_k, p.secondary_c, p.car_mass * p.g / 4)
    above, below = between(car, bogie, on_car, on_bogie, law)
    return np.array([*above[1:], *below])


def pivot(q: Any, v: Any, p: Any) -> Any:
    """Stiffness and damping of yaw between car and bogie, and a lateral stop on either side."""
    car, bogie = car_pose(q[:5], v[:5], p), pose(p.x, p.bogie_height, q[5:], v[5:])
    on_car = np.array([p.x + p.inward * p.stop_at, 0.0, p.secondary_height - p.car_height])
    on_bogie = np.array([p.inward * p.stop_at, 0.0, p.secondary_height - p.bogie_height])

    def stop(displacement: Any, rate: Any) -> Any:
        left, right = (np.maximum(s * displacement[1] - p.stop_gap, 0.0) ** 2 for s in (1.0, -1.0))
        return np.array([0.0, p.stop_k * (right - left), 0.0])

    above, below = between(car, bogie, on_car, on_bogie, stop)
    moment = p.yaw_k * (q[10] - q[4]) + p.yaw_c * (v[10] - v[4])
    return np.array([*above[1:5], above[5] + moment, *below[:5], below[5] - moment])


def primary(q: Any, v: Any, p: Any) -> Any:
    """Spring and dampers of one axle box between bogie and wheelset."""
    bogie = pose(p.x, p.bogie_height, q[:6], v[:6])
    wheelset = pose(p.x + p.ahead, p.r0, q[6:], v[6:])
    y = p.side * p.primary_side
    on_bogie, on_wheelset = np.array([p.ahead, y, p.r0 - p.bogie_height]), np.array([0.0, y, 0.0])
    law = spring(p.primary_k, p.primary_c, (p.car_mass / 8 + p.bogie_mass / 4) * p.g)
    return np.concatenate(between(bogie, wheelset, on_bogie, on_wheelset, law))


# ---------------------------------------------------------------------------------------------------- wheel and rail


def track(along: Any, p: Any) -> tuple[Any, Any]:
    """Middle of the track, and its slope; curvature is continuous."""
    u = np.minimum(np.maximum((along - p.s_begin) / p.s_length, 0.0), 1.0)
    across = p.s_across * u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return across, p.s_across / p.s_length * 30.0 * (u * (1.0 - u)) ** 2


def radius(delta: Any, p: Any) -> Any:
    """r(δ) of (1): a cone, and a flange whose slope rises by 4 u³ − 3 u⁴, so that curvature is continuous."""
    u = (delta - p.clearance) / p.flange_width
    rising = np.minimum(np.maximum(u, 0.0), 1.0)
    flange = rising**4 * (1.0 - 0.6 * rising) + np.maximum(u - 1.0, 0.0)
    return p.r0 + p.conicity * delta + p.flange_width * p.flange_slope * flange


def contact(t: Any, body: PlacedBody, side: float, p: Any) -> tuple[Any, Any, Any]:
    """P − r of a wheel, and δ and ρ of (1)."""
    axle = body.A[:, 1]
    to_wheel = side * p.half_gauge * axle
    across, slope = track(p.speed * t + body.r[0] + to_wheel[0], p)
    y = across + side * p.half_gauge * np.sqrt(1.0 + slope**2) - body.r[1] - to_wheel[1]
    z = -body.r[2] - to_wheel[2]
    beside = axle[1] * y + axle[2] * z
    return np.array([to_wheel[0], to_wheel[1] + y, to_wheel[2] + z]), -side * beside, np.sqrt(y**2 + z**2 - beside**2)


def wheels(t: Any, q: Any, p: Any) -> Any:
    """(1) for the left and the right wheel."""
    body = pose(p.x, p.r0, q, np.zeros(6))
    both = (contact(t, body, side, p)[1:] for side in (1.0, -1.0))
    return np.array([radius(delta, p) - rho for delta, rho in both])


def creepage(t: Any, q: Any, v: Any, p: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """For each wheel of a wheelset P − r, the directions ahead and across, and how fast it slips in these."""
    body = pose(p.x, p.r0, q, v)
    axle = body.A[:, 1]
    level = np.sqrt(axle[0] ** 2 + axle[1] ** 2)
    ahead = np.array([axle[1] / level, -axle[0] / level, 0.0])
    across = np.array([axle[0] / level, axle[1] / level, 0.0])
    travel = np.array([p.speed, 0.0, 0.0])
    for side in (1.0, -1.0):
        arm = contact(t, body, side, p)[0]
        slips = travel + body.v + cross(body.omega + p.speed / p.r0 * axle, arm)
        yield arm, ahead, across, np.array([ahead @ slips, across @ slips])


def creep(t: Any, q: Any, v: Any, lam: Any, p: Any) -> Any:
    """(2) of both wheels; a wheel without load, less than 1 N, has no grip."""
    body = pose(p.x, p.r0, q, v)
    total: Any = 0.0
    for (arm, ahead, across, slips), load in zip(creepage(t, q, v, p), lam, strict=True):
        pulls = np.array([p.creep_x, p.creep_y]) * slips / p.speed
        size, most = np.sqrt(pulls @ pulls + 1.0), p.mu * np.maximum(load, 1.0)
        force = -(ahead * pulls[0] + across * pulls[1]) * (most / size * np.tanh(size / most))
        total = total + resultant(body, arm, force)
    return total


# ----------------------------------------------------------------------------------------------------------- together


def elements() -> list[ElementGroup]:
    """Bodies, suspensions and wheelsets on rails."""
    six = {body: list(range(start, start + 6)) for body, (start, _) in PLACES.items()}
    at = {body: place for body, (_, place) in PLACES.items()}
    bogies = ("bogie1", "bogie2")
    wheelsets = tuple(f"wheelset{i}" for i in (1, 2, 3, 4))
    carried = dict(zip(wheelsets, ("bogie1", "bogie1", "bogie2", "bogie2"), strict=True))
    boxes = [(wheelset, side) for wheelset in wheelsets for side in (1.0, -1.0)]
    springs = [(bogie, side) for bogie in bogies for side in (1.0, -1.0)]
    return [
        ElementGroup("car", [list(CAR)], M=masses_of("car"), f=weight_of("car")),
        ElementGroup("bogie", [six[name] for name in bogies], M=masses_of("bogie"), f=weight_of("bogie")),
        ElementGroup("wheelset", [six[name] for name in wheelsets], M=masses_of("wheelset"), f=weight_of("wheelset")),
        ElementGroup(
            "secondary",
            [[*CAR, *six[bogie]] for bogie, _ in springs],
            f=secondary,
            data={"x": [at[bogie] for bogie, _ in springs], "side": [side for _, side in springs]},
        ),
        ElementGroup(
            "pivot",
            [[*CAR, *six[bogie]] for bogie in bogies],
            f=pivot,
            data={"x": [at[bogie] for bogie in bogies], "inward": [-1.0, 1.0]},
        ),
        ElementGroup(
            "primary",
            [[*six[carried[wheelset]], *six[wheelset]] for wheelset, _ in boxes],
            f=primary,
            data={
                "x": [at[carried[wheelset]] for wheelset, _ in boxes],
                "ahead": [at[wheelset] - at[carried[wheelset]] for wheelset, _ in boxes],
                "side": [side for _, side in boxes],
            },
        ),
        ElementGroup(
            "rails",
            [six[name] for name in wheelsets],
            f=creep,
            g=wheels,
            data={"x": [at[name] for name in wheelsets]},
        ),
    ]


class _OwnData:
    """Parameters of one instance of an element: its data, and the common ones."""

    def __init__(self, common: Any, data: Mapping[str, Any]) -> None:
        self._common, self._data = common, data

    def __getattr__(self, name: str) -> Any:
        return self._data[name] if name in self._data else getattr(self._common, name)


def instances(p: Any) -> Iterator[tuple[ElementGroup, list[int], Any]]:
    """All instances of elements with their coordinates and parameters."""
    for group in elements():
        for i, where in enumerate(group.coordinates):
            yield group, list(where), _OwnData(p, {key: values[i] for key, values in group.data.items()})


def M(q: Any, p: Any) -> Any:
    """Mass matrix of all bodies."""
    total: list[list[Any]] = [[0.0] * len(COORDINATES) for _ in COORDINATES]
    for group, where, own in instances(p):
        if group.M:
            block = group.M(q[where], own)
            for k, i in enumerate(where):
                for j, value in zip(where, block[k], strict=True):
                    total[i][j] = value
    return np.array(total)


def f(t: Any, q: Any, v: Any, lam: Any, p: Any) -> Any:
    """Forces of all elements."""
    total: list[Any] = [0.0] * len(COORDINATES)
    wheel = 0
    for group, where, own in instances(p):
        if group.f is creep:
            local = creep(t, q[where], v[where], lam[wheel : wheel + 2], own)
            wheel += 2
        elif group.f:
            local = group.f(q[where], v[where], own)
        for i, value in zip(where, local, strict=True):
            total[i] = total[i] + value
    return np.array(total)


def g(t: Any, q: Any, p: Any) -> Any:
    """All wheels stay on the rails."""
    return np.concatenate([group.g(t, q[where], own) for group, where, own in instances(p) if group.g])


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The carriage from above, in the travelling frame, and the rails below it."""

    def outline(start: int, x: Any, *corners: tuple[float, float]) -> Points:
        ahead = 0.0 if start == 0 else q[start]
        across, yaw = (q[0], q[4]) if start == 0 else (q[start + 1], q[start + 5])
        turned = ((x + ahead + a - yaw * b, across + yaw * a + b) for a, b in corners)
        return polyline(q, *turned)

    half = p.half_gauge
    box = ((-12.0, -half), (12.0, -half), (12.0, half), (-12.0, half), (-12.0, -half))
    parts = {"car": outline(0, 0.0, *box)}
    for body, (start, place) in PLACES.items():
        ends = (0.0, 1.2 * half)
        shape = ((-1.6, 0.0), (1.6, 0.0)) if body.startswith("bogie") else ((0.0, -ends[1]), (0.0, ends[1]))
        parts[body] = outline(start, place, *shape)
    for side, name in ((1.0, "left rail"), (-1.0, "right rail")):
        points = [(x, track(p.speed * t + x, p)[0] + side * half) for x in np.linspace(-16.0, 16.0, 33)]
        parts[name] = polyline(q, *points)
    return parts


def carriage(builder: str = "elements") -> Problem:
    """Railway carriage that changes over to another line: 41 coordinates, 8 constraints, full blocks of its bodies.

    ``builder`` is "elements", where each type of body, suspension and wheel is compiled once and declares full blocks,
    or "functions", one program for all, which finds that some entries of the left and the right side cancel.  Both give
    the same equations.
    """
    check_option("carriage", "builder", builder, ("elements", "functions"))
    form: dict[str, Any] = {"elements": elements()}
    if builder == "functions":
        form = {"functions": {"M": M, "f": f, "g": g}, "constraints": WHEELS}
    return Problem(
        "carriage",
        title="Railway carriage on an S-shaped track",
        story=STORY,
        citation=CITATION,
        coordinates=COORDINATES,
        parameters=PARAMETERS,
        **form,
        span=(0.0, 15.0),
        q0=np.zeros(len(COORDINATES)),
        v0=np.zeros(len(COORDINATES)),
        references=(recomputed("carriage 5", SOURCE), recomputed("carriage 15", SOURCE)),
        sketch=sketch,
    )
