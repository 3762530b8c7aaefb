"""The locomotive FEVE 3000, of metre gauge, with two bogies of which the rear one has motors.

    J. Ros, A. Plaza, X. Iriarte, J. M. Pintor, Symbolic multibody methods for real-time simulation of railway vehicles,
    section 3 (Figures 4 and 5); data of the authors' published model (lib_3d_mec_ginac, example train_complete).

x forward, y to the left, z up; gravity 9.8 m/s² as in the published data. Thirty velocities: body 6 (x, y, z, yaw,
roll, pitch), two sliders (yaw), two bogie frames (z, pitch, roll), four wheelsets (z, roll, spin), two motor housings
and two rotors (pitch). Axle boxes are part of the frames of the wheelsets that do not spin, suspenders of the bogie
frames.

Sets of data: "published" has the centre of mass of the body 3.5 m above the sliders and the bogies' inertia about the
origin of their frames, as the published code does; "plausible" has it 1.5 m above them, and inertias about centres of
mass, as a vehicle would be.  The body's inertias are invented by the authors of the model; they, and those of the
housings, are of no body (the largest exceeds the sum of the others), and are kept as they are published.

Other than in the published model, motor housings turn about the y axis of their bogie, not of the wheelset, which rolls
by milliradians against it; vector springs act by the power of their displacement, seen from the frame that the data
name (the same forces; moments of their dampers differ by products of small displacements).

The curve of the paper is not given, and its scenario as it is described overturns with the published centre of mass.
Scenarios:

S0  straight, 23.7 m/s, irregularities of the paper (10 mm, 10 m, a quarter wave between the rails)
S1  as in the paper: a quintic of 50 m over 270 m (R 261 m), flat, linear creep law, published profiles; ends where a
    wheel lifts off
S2  50 m over 540 m (R 1.02 km), 60 mm of cant at the peak, saturated creep forces
S3  the curve of 270 m at 11.87 m/s, 60 mm of cant, irregularities of 5 mm
S4  S2 with irregularities of a spectrum

All but S1 have worn wheels with a flange.  Bogies hold their axles parallel and need one in every curve: a wheelset of
the conicity γ would have to shift by y = r (b + a² c₂₂/(b c₁₁))/(γ R) outwards for longitudinal creep forces to turn
the bogie, 29 mm in S2 (half wheelbase a, half gauge b), where the published tread ends at 28 mm.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from dalembert.arguments import one_of, real
from dalembert.errors import ModelWarning
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.model import Model
from dalembert.model.rails.wheelset import Wheelset
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import ProblemError
from dalembert.rail.feve_profiles import feve_rail, feve_wheel
from dalembert.rail.irregularities import Irregularity, harmonic, spectrum
from dalembert.rail.material import Material
from dalembert.rail.segments import Quintic, Straight
from dalembert.rail.track import Track

GRAVITY = 9.8
#: m: distance of the rails' and wheels' reference lines, of the pivots, of the axles, of the springs
DISTANCE, PIVOTS, AXLE, ACROSS = 1.07, 9.5, 1.0925, 0.815
#: mass, inertia, of the parts
BODY, SLIDER, BOGIE = (
    (22608.0, (7800.0, 53079.0, 17000.0)),
    (461.0, (216.4, 25.9, 232.1)),
    (1507.86, (716.9, 1738.3, 2347.3)),
)
WHEELSET, GEAR_WHEEL, BOX = (1222.0, (376.6, 79.6, 376.6)), 6.136481, (67.72, (0.96, 4.57, 4.29))
HOUSING, ROTOR = (568.8, (49.3, 139.1, 6.69)), (568.8, (17.7, 1.7, 17.7))
#: height of the body's centre of mass above the sliders, by set of data
HEIGHTS = {"published": 3.5, "plausible": 1.5}
#: N/m and N s/m
PRIMARY, SECONDARY = (261954.0, 5000.0), (277046.0, 5000.0)
BUSHING, GEAR = (5e5, 5e3), (1e6, 1e4)
#: m: base radii of rotor and gear wheel; pressure angle; places of the housings on the bogie, of the rotors on them
ROTOR_RADIUS, GEAR_RADIUS, PRESSURE = 0.344 * 16 / 84, 0.344 * 68 / 84, 0.34907
HOUSING_PLACE, ROTOR_PLACE = 0.3525, 0.396
#: shapes of wheels and rails, m: radius at which wheels roll in the middle of the track
PROFILES = {"worn": ("worn", "arcs", 0.50054), "published": ("published", "published", 0.50021)}
#: published start: height and pitch of the body, then of bogies (z, pitch) and wheelsets (z of front and rear)
BODY_START = {"z": 0.73962, "pitch": -0.002}
BOGIE_START = {"rear": (-0.124118, 0.002), "front": (-0.1301, 0.002)}
AXLE_START = {"rear": {"front": 0.0534323, "rear": 0.0535459}, "front": {"front": 0.03959, "rear": 0.039711}}
HOUSING_START = {"front": 0.004414, "rear": -0.0044414}
#: m of straight track behind the vehicle
BEHIND = 40.0


@dataclass(frozen=True)
class Scenario:
    """A run of the locomotive: speed, length and cant of the curve, irregularity, creep law, profiles."""

    speed: float
    curve: float | None = None
    cant: float = 0.0
    amplitude: float = 0.01
    law: str = "polach"
    profiles: str = "worn"
    span: float = 20.0
    level: str | None = None


SCENARIOS = {
    "S0": Scenario(23.7),
    "S1": Scenario(23.7, 270.0, law="linear", profiles="published"),
    "S2": Scenario(23.7, 540.0, 0.06, span=30.0),
    "S3": Scenario(11.87, 270.0, 0.06, 0.005, span=35.0),
    "S4": Scenario(23.7, 540.0, 0.06, span=30.0, level="low"),
}
#: m: x at which curves begin, their lateral offset
CURVE_START, OFFSET = 55.0, 50.0


def locomotive(
    scenario: str = "S2",
    data: str = "published",
    *,
    profiles: str | None = None,
    speed: float | None = None,
    law: str | None = None,
    friction: float = 0.35,
    torque: float = 200.0,
    lateral: float = 0.005,
    irregular: bool = True,
    unilateral: bool = True,
    ranged: bool = True,
    load: float | None = None,
    measure: bool = False,
    span: float | None = None,
) -> Example:
    """The locomotive FEVE 3000 in one of its scenarios.

    :param scenario: "S0" … "S4"; ``speed`` and ``law`` replace those of the scenario
    :param torque: of each motor; ``lateral``: offset of the body at the start; ``irregular``: whether rails are
    :param profiles: "worn": wheels with a flange, on rails made of arcs; "published": splines that are good for 28 mm
        on both sides, without a flange, which bogies leave in all curves (see dalembert.rail.feve_profiles); by default
        those of the scenario
    :param unilateral: whether runs end where a wheel lifts off; ``ranged``: where it leaves the range of its profiles;
        without it these go on along their tangents
    :param load: a static load of each wheel for creep forces; without it they follow from the motion
    :param span: seconds that the track shall last at the speed of the scenario, if not those of the scenario
    """
    one_of(scenario, tuple(SCENARIOS), "locomotive: scenario", ProblemError)
    one_of(data, tuple(HEIGHTS), "locomotive: data", ProblemError)
    chosen = SCENARIOS[scenario]
    shapes = chosen.profiles if profiles is None else profiles
    one_of(shapes, tuple(PROFILES), "locomotive: profiles", ProblemError)
    V = chosen.speed if speed is None else real(speed, "locomotive: speed", ProblemError)
    track = locomotive_track(scenario, irregular, span, V)
    m = Model("locomotive", gravity=(0.0, 0.0, -GRAVITY))
    m.parameters(motor_torque=real(torque, "locomotive: torque", ProblemError), friction=friction)
    body = _published_body(m, "body", BODY, (-0.1372, 0.0, HEIGHTS[data]))
    start = {"x.rate": V, "y": lateral, **BODY_START}
    m.guide("vehicle", m.ground.at(BEHIND, 0.0, 0.0), body, slides="xyz", turns="zxy", start=start)
    options = {
        "track": track, "law": chosen.law if law is None else law, "friction": m.p.friction, "load": load,
        "unilateral": unilateral, "ranged": ranged, "measure": measure,
        "wheel": feve_wheel(PROFILES[shapes][0]), "rail": feve_rail(PROFILES[shapes][1]),
        "spin": V / PROFILES[shapes][2],
    }  # fmt: skip
    for end, sign in (("rear", -1.0), ("front", 1.0)):
        _add_bogie(m, end, sign, data, options)
    return Example(m, span=(0.0, chosen.span))


def locomotive_track(scenario: str, irregular: bool = True, span: float | None = None, speed: float = 0.0) -> Track:
    """The track of a scenario, which lasts for ``span`` s at its speed, or at a higher one; the vehicle begins
    ``BEHIND`` m after its start."""
    chosen = SCENARIOS[scenario]
    waves: list[Irregularity] = []
    if irregular and chosen.level is not None:
        waves = [spectrum(chosen.level, start=BEHIND + 10.0)]
    elif irregular:
        waves = [harmonic(chosen.amplitude, 10.0, start=BEHIND + 8.0, fade_in=20.0)]
    lasts = chosen.span if span is None else real(span, "locomotive: span", ProblemError)
    if not lasts > 0.0:
        raise ProblemError(f"locomotive: span must be a positive number of seconds, got {lasts:g}")
    ahead = max(chosen.speed, speed) * lasts + 60.0
    if chosen.curve is None:
        return Track([Straight(BEHIND + ahead)], distance=DISTANCE, irregularities=waves)
    curve = Quintic(OFFSET, chosen.curve, chosen.cant)
    before = BEHIND + CURVE_START
    after = max(BEHIND + ahead - before - curve.length, 50.0)
    return Track([Straight(before), curve, Straight(after)], distance=DISTANCE, irregularities=waves)


def _add_bogie(m: Model, end: str, sign: float, data: str, options: dict[str, Any]) -> None:
    """Slider, bogie frame with its springs, two wheelsets, and the motors of the rear one."""
    slider = m.body(f"{end} slider", *SLIDER)
    m.revolute(f"{end} pivot", m["body"].at(0.5 * sign * PIVOTS, 0.0, 0.0), slider)
    about = (0.0, 0.0, 0.0) if data == "published" else None
    bogie = _published_body(m, f"{end} bogie", BOGIE, (0.0, 0.0, 0.281), about)
    z, pitch = BOGIE_START[end]
    m.guide(f"{end} suspension", slider, bogie, slides="z", turns="yx", start={"z": z, "pitch": pitch})
    for x in (0.17, -0.17):
        for y in (ACROSS, -ACROSS):
            name = f"{end} secondary {'front' if x > 0 else 'rear'} {'left' if y > 0 else 'right'}"
            _vector_spring(m, name, bogie.at(x, y, 0.122182 - 0.269 + 0.378), slider.at(x, y, 0.0), SECONDARY)
    for axle, ahead in (("front", 1.0), ("rear", -1.0)):
        made = _add_wheelset(m, end, axle, ahead, options)
        if end == "rear":
            _add_motor(m, axle, ahead, made, options["spin"])


def _add_wheelset(m: Model, end: str, axle: str, ahead: float, options: dict[str, Any]) -> Wheelset:
    bogie, name = m[f"{end} bogie"], f"{end} bogie {axle}"
    mass, (Ix, Iy, Iz) = WHEELSET
    box, (bx, by, bz) = BOX
    more = box * ACROSS**2
    made = m.wheelset(
        name, bogie.at(ahead * AXLE, 0.0, 0.0), options["track"], wheel=options["wheel"], rail=options["rail"],
        mass=mass, inertia=(Ix, Iy + (GEAR_WHEEL if end == "rear" else 0.0), Iz), frame_mass=2.0 * box,
        frame_inertia=(2.0 * (bx + more), 2.0 * by, 2.0 * (bz + more)), slides="z", turns="x",
        law=options["law"], friction=options["friction"], material=Material(2.1e11, 0.27), load=options["load"],
        unilateral=options["unilateral"], ranged=options["ranged"], measure=options["measure"], direction=1.0,
        spin=options["spin"], start={"z": AXLE_START[end][axle]},
    )  # fmt: skip
    for x in (0.2575, -0.2575):
        for side, y in (("left", ACROSS), ("right", -ACROSS)):
            spring = f"{name} primary {'front' if x > 0 else 'rear'} {side}"
            on_bogie = bogie.at(ahead * AXLE + x, y, 0.197182)
            _vector_spring(m, spring, made.frame.at(x, y, 0.310 - 0.092), on_bogie, PRIMARY)
    return made


def _published_body(
    m: Model, name: str, data: tuple[float, tuple[float, ...]], com: Any = None, about: Any = None
) -> Body:
    """A body with inertias that no body has, as they are published: the module says so, no warning needs to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return m.body(name, *data, com, about=about, unphysical="warn")


def _vector_spring(m: Model, name: str, first: Marker, second: Marker, rates: tuple[float, float]) -> None:
    """Force K r + C ṙ in all directions, seen from the first frame; none where the points coincide."""
    m.bushing(name, first, second, *((rate, rate, rate, 0.0, 0.0, 0.0) for rate in rates))


def _add_motor(m: Model, axle: str, ahead: float, wheelset: Wheelset, spin: float) -> None:
    """Housing on the bogie, rotor in it, gear to the wheelset, torque."""
    bogie = m["rear bogie"]
    housing, rotor = _published_body(m, f"{axle} housing", HOUSING), m.body(f"{axle} rotor", *ROTOR)
    tilt = m.revolute(
        f"{axle} nose", bogie.at(ahead * HOUSING_PLACE, 0.0, 0.0), housing, axis="y", start=HOUSING_START[axle]
    )
    place = ahead * ROTOR_PLACE
    turn = m.revolute(
        f"{axle} motor", housing.at(place, 0.0, 0.0), rotor, axis="y",
        start={"angle": -HOUSING_START[axle], "angle.rate": -spin * GEAR_RADIUS / ROTOR_RADIUS},
    )  # fmt: skip
    m.torsion_spring(f"{axle} motor bushing", tilt, *BUSHING)
    pitch_point = housing.at(place + ahead * ROTOR_RADIUS, 0.0, 0.0)
    radii = {tilt: ahead * ROTOR_RADIUS, turn: ahead * ROTOR_RADIUS, wheelset.spin: ahead * GEAR_RADIUS}
    m.gear_mesh(f"{axle} gear", rotor, wheelset.body, pitch_point, radii, *GEAR, pressure=PRESSURE)
    m.torque(f"{axle} drive", turn, lambda p: -p.motor_torque)
