"""HMMWV14: the vehicle of fourteen bodies of D. Negrut's thesis, without and with stiff bushings.

    D. Negrut, On the implicit integration of differential-algebraic equations of multibody dynamics, PhD thesis, The
    University of Iowa, 1998: section 3.4.3.5 (Table 5, Figures 9 and 10), sections 5.2 and 5.3 (Figures 14 to 25,
    Tables 24 to 30).

The thesis gives the topology, the counts, the tyres, the bushings' stiffness and damping, the ride and some results.
Geometry, masses, springs and dampers stand in a report that is not public (R. Serban, D. Negrut, E. J. Haug, HMMWV
multibody models, Technical Report R-211, 1998).  Substitutes for numbers that were never published:

- Geometry, masses, springs and dampers are those of the HMMWV in Project Chrono, a public model of the same vehicle.
  The moments of inertia of its arms, (0.03, 0.03, 0.06276) and (0.4, 0.4, 0.8938), are of no body; those here are of
  flat ones with the same moment about z.  Upright, spindle, rim and tyre are one body, and wheels do not spin.
- Free lengths of the springs: such that the vehicle stands level with the centre of its chassis at 0.71 m, the height
  at which that of the thesis settles; Chrono's, 0.339344 and 0.381762 m, would give 0.762 m.
- Tie rods: the front ones reach the rack, the rear ones the chassis, which gives the counts of the thesis.
- The stiff joint: in the middle between the two points of the hinge that it replaces.  Its two bushings act on one
  point of the hinge axis, at the distance BUSHING_ARM, in the two directions across the axis: that of the ball at the
  wheel, and upwards.  BUSHING_ARM is such that the dominant eigenvalue is that of the thesis, −2.6e5 1/s.  They are
  BUSHING_LENGTH long, and without force in the design position.
- Gravity 9.81 m/s², an unloaded radius of the tyres of 0.4699 m, and the start 2.2 m before the bump.

``docs/calibrate_hmmwv14.py`` has found BUSHING_ARM and the start.

x points forward, y to the left, z upwards; all bodies have the frame of the chassis in the design position, so that a
hard point has the same coordinates on every body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.arguments import flag
from dalembert.model.bodies.inertia import MassProperties, compound
from dalembert.model.bodies.parts import Body
from dalembert.model.bodies.shapes import Cylinder, Prism, Rod
from dalembert.model.joints.joints import Joint
from dalembert.model.model import Model
from dalembert.model.quantity import Quantity
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import Observation, ProblemError, check_option, with_checked_options
from dalembert.symbolic import maximum, sqrt

#: Points of one wheel by name, in the frame of the chassis.
HardPoints = dict[str, np.ndarray]

# ---------------------------------------------------------------------------------------------------------------- data

#: Places of the axles, to which the points below are relative; those of the right side have −y.
AXLES = {"front": np.array([1.688965, 0.0, 0.0]), "rear": np.array([-1.688965, 0.0, 0.0])}
POINTS = {
    "front": {
        "wheel": (-0.040386, 0.909701, -0.026289),
        "upright": (-0.040386, 0.751014, -0.026289),
        "upper front": (-0.047915, 0.445960, 0.244622),
        "upper back": (-0.268214, 0.477736, 0.195560),
        "upper ball": (-0.053035, 0.715518, 0.215494),
        "upper centre": (-0.105537, 0.588670, 0.217805),
        "lower front": (0.223266, 0.307086, 0.0),
        "lower back": (-0.223266, 0.307086, 0.0),
        "lower ball": (-0.035560, 0.786511, -0.118110),
        "lower centre": (0.0, 0.546811, -0.059055),
        "spring top": (0.104013, 0.509778, 0.197485),
        "spring foot": (0.097206, 0.543179, -0.046609),
        "damper top": (0.104013, 0.497789, 0.323139),
        "damper foot": (0.097206, 0.543179, -0.046609),
        "rod inside": (-0.250317, 0.448437, 0.054229),
        "rod outside": (-0.175819, 0.821106, -0.016332),
    },
    "rear": {
        "wheel": (0.035560, 0.909701, -0.026289),
        "upright": (0.035560, 0.751014, -0.026289),
        "upper front": (0.349110, 0.462257, 0.227594),
        "upper back": (0.077102, 0.462049, 0.223764),
        "upper ball": (0.035560, 0.715518, 0.215900),
        "upper centre": (0.124333, 0.588848, 0.220777),
        "lower front": (0.223266, 0.307086, 0.0),
        "lower back": (-0.223266, 0.307086, 0.0),
        "lower ball": (0.035560, 0.786511, -0.118110),
        "lower centre": (0.0, 0.546786, -0.059055),
        "spring top": (-0.104013, 0.501574, 0.256489),
        "spring foot": (-0.097206, 0.543179, -0.046609),
        "damper top": (-0.104013, 0.497789, 0.323139),
        "damper foot": (-0.097206, 0.543941, -0.038379),
        "rod inside": (0.223266, 0.416052, 0.058674),
        "rod outside": (0.170282, 0.821106, -0.009271),
    },
}
#: Mass, and principal moments of inertia about the centre of mass, along the axes of the vehicle.
BODIES = {
    "chassis": (2086.52, (1078.52, 2955.66, 3570.20)),
    "upper arm": (5.813, (0.03138, 0.03138, 0.06276)),
    "lower arm": (23.965, (0.4469, 0.4469, 0.8938)),
    "upright": (19.45, (0.1656, 0.1934, 0.04367)),
    "spindle": (14.705, (0.04117, 0.07352, 0.04117)),
    "rim": (18.8, (0.4634, 0.6243, 0.4634)),
    "tyre": (37.6, (3.84, 6.69, 3.84)),
    "rack": (9.072, (1.0, 1.0, 1.0)),
}
CHASSIS_CENTRE, RACK = (0.056, 0.0, 0.213), (1.24498, 0.0, 0.101322)
SPRINGS = {"front": 167070.939, "rear": 369167.231}
DAMPERS = {"front": 22460.008, "rear": 35025.354}
#: Free lengths of the springs; see above.
FREE_LENGTHS = {"front": 0.328815, "rear": 0.346756}
WHEEL_RADIUS, WHEEL_WIDTH, BUMP_RADIUS, AHEAD = 0.4699, 0.3175, 0.05, 2.2
#: Half of the way on which a rigid wheel touches the bump.
REACH = float(np.sqrt((WHEEL_RADIUS + BUMP_RADIUS) ** 2 - WHEEL_RADIUS**2))
BUSHING_ARM, BUSHING_LENGTH = 0.0658, 0.1
#: 10 miles per hour.
SPEED = 4.4704
#: In the order of the thesis, Table 5: right and left, front and rear.
CORNERS = ("RF", "LF", "RR", "LR")
ROADS = ("envelope", "point")
#: Hull of the chassis as it is seen from the side, (x, z); drawn only.
SIDE = (
    (-2.2, 0.0), (2.2, 0.0), (2.2, 0.5), (0.95, 0.6), (0.6, 1.15), (-0.75, 1.15), (-0.75, 0.6), (-2.2, 0.6),
)  # fmt: skip

#: Equilibria on level ground: height of the centre of the chassis and its pitch; for the left wheels the angle of the
#: lower arm, the angle (or Euler parameters) of the upper one, and the Euler parameters of the upper ball.
START: dict[bool, dict[str, Any]] = {
    False: {
        "height": 0.70999965727815,
        "pitch": 3.4628082e-07,
        "front": (
            -0.04577530209382,
            -0.08125223214733,
            (0.99935643971598, 0.03500530534826, 0.0009424722387, 0.00777475026922),
        ),
        "rear": (
            -0.04186902178804,
            -0.07558726404708,
            (0.99949801967091, 0.03166912070617, 0.00036708780105, 0.00080044623649),
        ),
    },
    True: {
        "height": 0.70981385770834,
        "pitch": -3.962715368e-05,
        "front": (
            -0.04583873991538,
            (0.99915064867135, -0.03948386947262, 0.00551409393121, -0.01042113617623),
            (0.99931622782467, 0.03578606867834, 0.00249689287616, 0.00895542409809),
        ),
        "rear": (
            -0.04193387443983,
            (0.99926456223943, -0.03831173860475, 0.00011616218954, 0.00159117688131),
            (0.99944226070263, 0.03335181950385, -0.00166450328577, -0.00023040443384),
        ),
    },
}


# ---------------------------------------------------------------------------------------------------------------- roads


def envelope(x: Any, p: Any) -> Any:
    """Height at which a rigid wheel rolls over a half cylinder, √((R + r)² − ξ²) − R at the distance ξ of its axis.

    Written in ξ/REACH, which the bump lies between −1 and 1 of: numbers that steps see, so that they do not miss it.
    """
    inside = maximum(1.0 - ((x - p.bump_at) / REACH) ** 2, 0.0)
    return p.bump * (sqrt(WHEEL_RADIUS**2 + REACH**2 * inside) - WHEEL_RADIUS)


def half_cylinder(x: Any, p: Any) -> Any:
    """Height of the half cylinder itself, with vertical walls."""
    inside = maximum(1.0 - ((x - p.bump_at) / BUMP_RADIUS) ** 2, 1e-200)  # a root of zero would have no derivative
    return p.bump * BUMP_RADIUS * sqrt(inside)


# -------------------------------------------------------------------------------------------------------------- vehicle


@with_checked_options
def hmmwv14(stiff: bool = False, locked: bool | None = None, road: str = "envelope") -> Example:
    """The HMMWV of D. Negrut's thesis: chassis, four double wishbone suspensions, steering rack; over a bump.

    It rolls straight ahead at 10 miles per hour, in equilibrium, until its front wheels meet a half cylinder of 0.1 m
    diameter across the road after half a second, and the rear wheels another 0.74 s later.  Forces of the road are
    vertical, so nothing brakes it.

    :param stiff: spherical joints instead of revolute ones at the upper arms, each with two bushings of k = 2e7 N/m and
        c = 2e6 N s/m: eigenvalues down to −2.6e5 1/s
    :param locked: whether the rack is held; as in the thesis, where it is stiff, unless given
    :param road: what wheels feel of the bump: "envelope", the height at which a rigid wheel rolls over it; or "point",
        the height below the centre of the wheel, with dampers of tyres on the velocity of the wheel alone

    Parameters are ``speed`` (of the start), ``bump`` (a factor of its height; 0 removes it), ``bump_at`` (its place),
    ``tyre_stiffness``, ``tyre_damping``, ``front_length``, ``rear_length`` (free lengths of the springs) and, where it
    is stiff, ``bushing_stiffness`` and ``bushing_damping``.

    In absolute coordinates it has 98 coordinates, 84 velocities and 73 constraints, which leave 11 degrees of freedom;
    stiff and locked 66, which leave 18.  In relative coordinates, by the spanning tree of the thesis (Table 5), there
    are 27 velocities and 16 constraints, or 35 and 17.

    The numbers of the thesis's own model were never published; the module says what stands for them.
    """
    check_option("hmmwv14", "road", road, ROADS)
    held = stiff if locked is None else flag(locked, "Problem 'hmmwv14': locked", ProblemError)
    model = vehicle(stiff, held, road)
    settled = Observation(5.0, {"ride.z": 0.71}, digits=2, source="thesis, section 5.2: approximately, after 4 s")
    return Example(model, span=(0.0, 5.0), conserved={"momentum ahead": model.momentum[0]}, references=(settled,))


def vehicle(stiff: bool, locked: bool, road: str, arm: float = BUSHING_ARM) -> Model:
    """The model, with its bushings at the distance ``arm`` from their joint."""
    smooth = road == "envelope"

    def held(m: Model, guide: Joint) -> None:
        if locked:
            m.drive("rack lock", guide, 0.0)

    def tyre(m: Model, corner: str, at: HardPoints) -> None:
        m.tyre(
            f"{corner} tyre", m[f"{corner} wheel"].at(at["wheel"]), WHEEL_RADIUS, m.p.tyre_stiffness, m.p.tyre_damping,
            road=envelope if smooth else half_cylinder, damps_rise=smooth,
        )  # fmt: skip

    bump_at = float(AXLES["front"][0] + POINTS["front"]["wheel"][0] + AHEAD)
    m = built("HMMWV14", {"speed": SPEED, "bump": 1.0, "bump_at": bump_at}, stiff, held, tyre, arm)
    for corner in CORNERS:
        m.sensor(f"{corner} travel", travel(m, corner))
    return m


def travel(m: Model, corner: str) -> Quantity:
    """Rise of a hub relative to the chassis from the design position; positive where the spring is shorter."""
    hub = hard_points(corner)["wheel"]
    return m[f"{corner} wheel"].at(hub).position.z - m["chassis"].at(hub).position.z


def built(
    name: str,
    parameters: Mapping[str, float],
    stiff: bool,
    steer: Callable[[Model, Joint], None],
    add_tyre: Callable[[Model, str, HardPoints], None],
    arm: float = BUSHING_ARM,
) -> Model:
    """A vehicle whose rack and tyres are left to the functions ``steer`` (of the model and the guide of the rack) and
    ``add_tyre`` (of the model, a corner and its hard points)."""
    m = Model(name, gravity=(0, 0, -9.81))
    m.parameters(
        **parameters,
        tyre_stiffness=296325.0,
        tyre_damping=3502.0,
        front_length=FREE_LENGTHS["front"],
        rear_length=FREE_LENGTHS["rear"],
    )
    if stiff:
        m.parameters(bushing_stiffness=2e7, bushing_damping=2e6)
    places = {corner: hard_points(corner) for corner in CORNERS}
    _add_bodies(m, places, START[stiff])
    guide = m.prismatic("rack guide", m["chassis"].at(RACK), m["rack"].at(RACK), axis="y")
    steer(m, guide)
    for corner, at in places.items():
        add_arms(m, corner, at, stiff, arm)
        add_springs(m, corner, at)
        add_tyre(m, corner, at)
    m.sensor("ride", m["chassis"].com.position)
    for corner, at in places.items():
        m.sensor(f"{corner} hub", m[f"{corner} wheel"].at(at["wheel"]).position)
    return m


def axle_of(corner: str) -> str:
    """Front or rear."""
    return "front" if corner.endswith("F") else "rear"


def hard_points(corner: str) -> HardPoints:
    """Points of one wheel, in the frame of the chassis."""
    axle, side = axle_of(corner), np.array([1.0, 1.0 if corner.startswith("L") else -1.0, 1.0])
    return {name: (AXLES[axle] + point) * side for name, point in POINTS[axle].items()}


def _add_bodies(m: Model, places: Mapping[str, HardPoints], start: dict[str, Any]) -> None:
    """In the order of Table 5."""
    c, s = np.cos(start["pitch"]), np.sin(start["pitch"])
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    position = np.array([0.0, 0.0, start["height"]]) - R @ CHASSIS_CENTRE
    position[0] = 0.0
    hull = Prism(SIDE, 1.4, rotation=np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]))
    _body(
        m, "chassis", "chassis", CHASSIS_CENTRE, [hull], position=position, rotation=R, velocity=(m.p.speed, 0.0, 0.0)
    )
    for corner, at in places.items():
        add_upper_arm_and_wheel(m, corner, at)
    right, left = (places[corner]["rod inside"] for corner in CORNERS[:2])
    _body(m, "rack", "rack", RACK, [Rod(right, left)])
    for corner, at in places.items():
        add_lower_arm(m, corner, at)


def add_upper_arm_and_wheel(m: Model, corner: str, at: HardPoints) -> None:
    """Upper arm; and upright, spindle, rim and tyre of one wheel as one body."""
    ends = [Rod(at[f"upper {end}"], at["upper ball"]) for end in ("front", "back")]
    _body(m, f"{corner} upper arm", "upper arm", at["upper centre"], ends)
    parts = [MassProperties(*_mass("upright", at["upright"]))]
    parts += [MassProperties(*_mass(part, at["wheel"])) for part in ("spindle", "rim", "tyre")]
    whole, half = compound(parts), np.array([0.0, 0.5 * WHEEL_WIDTH, 0.0])
    tyre = Cylinder.between(at["wheel"] - half, at["wheel"] + half, WHEEL_RADIUS)
    links = [Rod(at["upper ball"], at["lower ball"]), Rod(at["upright"], at["rod outside"])]
    m.body(f"{corner} wheel", whole.mass, whole.inertia, whole.com, shapes=[tyre, *links])


def add_lower_arm(m: Model, corner: str, at: HardPoints) -> None:
    """Lower arm of one wheel."""
    ends = [Rod(at[f"lower {end}"], at["lower ball"]) for end in ("front", "back")]
    _body(m, f"{corner} lower arm", "lower arm", at["lower centre"], ends)


def _mass(kind: str, centre: Any) -> tuple[float, Any, Any]:
    mass, inertia = BODIES[kind]
    return mass, centre, inertia


def _body(m: Model, name: str, kind: str, centre: Any, shapes: list[Any], **start: Any) -> None:
    mass, com, inertia = _mass(kind, centre)
    m.body(name, mass, inertia, com, shapes=shapes, **start)


def mirrored(value: Any, corner: str) -> Any:
    """Angles about the x axis, or Euler parameters, of a left wheel as those of this one."""
    sign = 1.0 if corner.startswith("L") else -1.0
    return sign * value if np.ndim(value) == 0 else np.array([1.0, sign, 1.0, sign]) * value


def add_arms(m: Model, corner: str, at: HardPoints, stiff: bool, arm: float) -> None:
    """Joints of one wheel: a tree by way of its upper arm, which its lower arm closes."""
    chassis, wheel = m["chassis"], m[f"{corner} wheel"]
    upper, lower = m[f"{corner} upper arm"], m[f"{corner} lower arm"]
    low, high, ball = (mirrored(value, corner) for value in START[stiff][axle_of(corner)])
    middle, axis = 0.5 * (at["upper front"] + at["upper back"]), at["upper front"] - at["upper back"]
    if stiff:
        m.spherical(f"{corner} upper hinge", chassis.at(middle), upper.at(middle), start={"rotation": high})
        _add_bushings(m, corner, middle, axis / np.linalg.norm(axis), at["upper ball"], arm)
    else:
        m.revolute(f"{corner} upper hinge", chassis.at(middle), upper.at(middle), axis=axis, start=high)
    m.spherical(
        f"{corner} upper ball", upper.at(at["upper ball"]), wheel.at(at["upper ball"]), start={"rotation": ball}
    )
    hinge = 0.5 * (at["lower front"] + at["lower back"])
    m.revolute(f"{corner} lower hinge", chassis.at(hinge), lower.at(hinge), axis="x", start=low)
    m.spherical(f"{corner} lower ball", lower.at(at["lower ball"]), wheel.at(at["lower ball"]), cut=True)
    add_tie_rod(m, corner, at, m["rack"] if axle_of(corner) == "front" else chassis)


def add_tie_rod(m: Model, corner: str, at: HardPoints, carrier: Body) -> None:
    """The rod that holds the direction of a wheel."""
    inside, outside = at["rod inside"], at["rod outside"]
    length = float(np.linalg.norm(outside - inside))
    m.distance(f"{corner} tie rod", carrier.at(inside), m[f"{corner} wheel"].at(outside), length)


def _add_bushings(m: Model, corner: str, joint: Any, axis: Any, ball: Any, arm: float) -> None:
    """Two springs and dampers from a point on the axis to the chassis: across the plane of the arm, and in it."""
    outwards = ball - joint - ((ball - joint) @ axis) * axis
    outwards /= np.linalg.norm(outwards)
    upwards = np.cross(axis, outwards) * np.sign(ball[1])  # axes point forward on both sides
    point = joint + arm * axis
    for name, direction in (("vertical", upwards), ("lateral", outwards)):
        foot = m["chassis"].at(point - BUSHING_LENGTH * direction)
        head = m[f"{corner} upper arm"].at(point)
        rates = m.p.bushing_stiffness, m.p.bushing_damping
        m.spring(f"{corner} {name} bushing", foot, head, *rates, length=BUSHING_LENGTH, implicit=True)


def add_springs(m: Model, corner: str, at: HardPoints, chassis: Body | None = None) -> None:
    """Spring and damper of one wheel, on the chassis unless another body is given."""
    chassis = m["chassis"] if chassis is None else chassis
    lower, axle = m[f"{corner} lower arm"], axle_of(corner)
    length = m.p.front_length if axle == "front" else m.p.rear_length
    ends = chassis.at(at["spring top"]), lower.at(at["spring foot"])
    m.spring(f"{corner} spring", *ends, SPRINGS[axle], length=length)
    m.spring(f"{corner} damper", chassis.at(at["damper top"]), lower.at(at["damper foot"]), damping=DAMPERS[axle])
