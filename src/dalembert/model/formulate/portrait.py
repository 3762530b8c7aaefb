"""What a model looks like, as plain data: poses of bodies over time, shapes, joints, springs, forces, units.

Everything is in terms of names, numbers and arrays, so that whoever stores or shows a run needs no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dalembert.equations.contract.convention import INPUTS
from dalembert.equations.contract.provider import Floats
from dalembert.instant import acceleration_name
from dalembert.model.bodies.parts import Body, Marker
from dalembert.model.bodies.shapes import Triangles
from dalembert.model.constraints.constraints import Constraint, Distance
from dalembert.model.constraints.limits import Limit
from dalembert.model.element import Element
from dalembert.model.forces.actuators import Driven
from dalembert.model.forces.forces import Applied, AppliedTorque
from dalembert.model.forces.springs import Bushing, Scalar, Spring
from dalembert.model.forces.tyres import Tyre
from dalembert.model.forces.work import Work
from dalembert.model.formulate.roads import roads_of
from dalembert.model.joints.joints import Joint
from dalembert.model.quantity import Quantity
from dalembert.symbolic import CompiledFunction, absolute, array, compile, evaluate, maximum

if TYPE_CHECKING:
    from dalembert.model.flexible.flexible_body import FlexibleBody
    from dalembert.model.formulate.mechanism import Mechanism
    from dalembert.model.formulate.scene import Scene

#: Corners of circles.
PER_TURN = 48
#: Units of quantities that have names of their own, by the beginning of these.
_UNITS = {
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s²",
    "angular velocity": "rad/s",
    "angle": "rad",
    "rotation": "1",
    "kinetic energy": "J",
}


class Portrait:
    """Frames of all bodies of a mechanism, compiled, and what else a drawing shows."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.bodies: list[Body] = list(mechanism.layout.bodies)
        atoms = []
        for body in self.bodies:
            frame = mechanism.scene.frame(body.origin)
            atoms += [*frame.position, *(entry for row in range(3) for entry in frame.rotation[row])]
        inputs = mechanism.namespace()[1]
        self._frames: CompiledFunction = compile(
            {"frames": array(atoms)}, {key: inputs[key] for key in INPUTS}, name="poses"
        )
        self._roads = roads_of([one for one in mechanism.how.elements if isinstance(one, Tyre)], mechanism.scene)

    def at(self, t: Floats, q: Floats, p: Floats) -> dict[str, Any]:
        """Data of an appearance at the instants ``t``, with coordinates as columns of ``q``."""
        mechanism = self.mechanism
        known: dict[Any, float] = dict(zip(mechanism.scene.inputs["p"], p.tolist(), strict=True))
        r, R = self._poses(t, q, p)
        described = mechanism.described

        def number(value: Any) -> Floats:
            found = mechanism.scene.number(value)
            constant = isinstance(found, np.ndarray) and found.dtype == float
            return found if constant else np.asarray(evaluate(array(found), known), dtype=float)

        def place(marker: Marker) -> dict[str, Any]:
            return {"body": marker.body.name, "r": number(marker.r), "R": number(marker.R)}

        bodies = [
            {
                "name": body.name,
                "position": np.ascontiguousarray(r[:, k]),
                "rotation": euler_parameters(R[:, k]),
                "surfaces": self._surfaces[body.name],
                **_mass_properties(body, number),
            }
            for k, body in enumerate(self.bodies)
        ]
        elements = mechanism.how.elements
        closing = {element.name for element in mechanism.layout.elements}
        return {
            "bodies": bodies,
            "links": [
                {"name": one.name, "kind": one.kind, "closing": one.name in closing, **drawn}
                for one in elements
                for drawn in _drawn(one, place, number)
            ],
            "forces": [arrow for one in elements for arrow in _arrows(one, place)],
            "element tracks": [one.tracks for one in elements],
            "tracks": [
                track for k, body in enumerate(self.bodies) for track in self._deformed(body, q, r[:, k], R[:, k])
            ],
            "plane": described.plane or "",
            "gravity": number(described.gravity),
            "scenery": [*self._surfaces[described.ground.name], *self._road_surfaces(r, R, number, known)],
        }

    def _road_surfaces(self, r: Floats, R: Floats, number: Any, known: Mapping[Any, float]) -> Iterator[Triangles]:
        """Roads around the paths of their wheels."""
        places = {body.name: k for k, body in enumerate(self.bodies)}
        for road in self._roads:
            wheels = [(places[one.body.name], number(one.r)) for one in road.wheels if one.body.name in places]
            if wheels:
                with np.errstate(invalid="ignore", over="ignore"):  # of a motion that diverges
                    paths = np.concatenate([r[:, k] + R[:, k] @ place for k, place in wheels])
                yield road.surface(float(number(np.array([road.radius]))[0]), paths, known)

    def _deformed(self, body: Body, q: Floats, r: Floats, R: Floats) -> Iterator[dict[str, Any]]:
        """Points of a flexible body in the world, over time."""
        if body.is_flexible:
            i = self.mechanism.layout.modes[body.name][0]
            track = cast("FlexibleBody", body).track(q[i : i + len(body.modes)].T)
            if track is not None:
                points = r[:, None] + np.einsum("tab,tNb->tNa", R, track["points"])
                yield {**track, "name": body.name, "points": points}

    @cached_property
    def _surfaces(self) -> dict[str, list[tuple[Floats, Any]]]:
        """Triangles in the axes of each body and of the ground: their own, and what elements look like."""
        described = self.mechanism.described
        found = {body.name: _surfaces(body) for body in (*self.bodies, described.ground)}
        seen: list[Any] = []
        for element in self.mechanism.how.elements:
            for body, thing, triangles in element.surfaces():
                if not any(thing is one for one in seen):
                    seen.append(thing)
                    found[body.name].append(tuple(triangles()))
        return found

    def _poses(self, t: Floats, q: Floats, p: Floats) -> tuple[Floats, Floats]:
        """Places (n_t, n_bodies, 3) and rotation matrices (n_t, n_bodies, 3, 3)."""
        s, n = self.mechanism.sizes, len(t)
        still = {"v": s.v, "u": s.u, "lam": s.lam, "a": s.v, "mu": s.g}
        point = {"p": np.broadcast_to(p, (n, len(p))), "t": t[:, None], "q": q.T}
        point |= {key: np.zeros((n, size)) for key, size in still.items()}
        found = np.asarray(self._frames.map(*(point[key] for key in INPUTS))["frames"])
        found = found.reshape(n, len(self.bodies), 12)
        return found[..., :3], found[..., 3:].reshape(n, len(self.bodies), 3, 3)


def euler_parameters(R: Floats) -> Floats:
    """Euler parameters (n, 4) of rotation matrices (n, 3, 3), each near the one before: signs do not jump.

    Of the four formulas that divide by one parameter, that with the largest one is taken (Shepperd 1978).
    """
    trace = np.trace(R, axis1=1, axis2=2)
    squares = np.stack([trace, R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]], axis=1)
    largest = np.argmax(np.nan_to_num(squares), axis=1)
    p = np.empty((len(R), 4))
    for k in range(4):
        A = R[largest == k]
        if k == 0:
            parts = [1.0 + trace[largest == 0], *(A[:, j, i] - A[:, i, j] for i, j in ((1, 2), (2, 0), (0, 1)))]
        else:
            i = k - 1
            j, l = (i + 1) % 3, (i + 2) % 3
            parts = [np.zeros(0)] * 4
            parts[0] = A[:, l, j] - A[:, j, l]
            parts[1 + i] = 1.0 + A[:, i, i] - A[:, j, j] - A[:, l, l]
            parts[1 + j], parts[1 + l] = A[:, i, j] + A[:, j, i], A[:, i, l] + A[:, l, i]
        p[largest == k] = np.stack(parts, axis=1)
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    flips = np.einsum("ij,ij->i", p[1:], p[:-1]) < 0.0
    p[1:][np.cumsum(flips) % 2 == 1] *= -1.0
    return p


def units_of(mechanism: Mechanism) -> dict[str, str]:
    """Units of coordinates, velocities, multipliers and sensors by name, as far as they are known."""
    powers, names = mechanism.layout.powers_of_length(), mechanism.names
    angles = {one.name: one.is_angle for joint in mechanism.joints for one in joint.own_coordinates.values()}
    found = {name: "rad" if is_angle else "m" for name, is_angle in angles.items()}
    for joint in mechanism.joints:
        for one in joint.own_coordinates.values():
            found[one.rate.name] = "rad/s" if one.is_angle else "m/s"
        found |= {f"{joint.name}.force": "N", f"{joint.name}.torque": "N m"}
    for name in names["q"]:
        last = name.rpartition(".")[2]
        if name not in found and not mechanism.layout.custom:
            found[name] = {"x": "m", "y": "m", "z": "m", "angle": "rad"}.get(last, "1" if last[:1] == "e" else "")
    found |= {name: "m/s" if power else "rad/s" for name, power in powers["v"].items()}
    found |= {name: "N" if power else "N m" for name, power in powers["lam"].items()}
    for element in mechanism.how.elements:
        found |= _units_of_element(element)
        found |= {f"{element.name}.{name}": unit for name, unit in element.units().items()}
    found |= dict.fromkeys(("kinetic energy", "potential energy", "energy"), "J")
    for name, quantity in mechanism.how.sensors.items():
        found[name] = _unit_of_quantity(quantity, found)
        for label in quantity.labels:
            if unit := found.get(f"{quantity.name}.{label}"):
                found[f"{name}.{label}"] = unit
    found |= {acceleration_name(name): f"{found[name]}²" for name in names["v"] if found.get(name)}
    vectors = {
        f"{name}.{label}": found.get(name, "") for name, quantity in _vectors(mechanism) for label in quantity.labels
    }
    return {name: unit for name, unit in (vectors | found).items() if unit}


def _unit_of_quantity(quantity: Quantity, known: Mapping[str, str]) -> str:
    """By its name; of sums and differences that of their parts, where these have the same."""
    if parts := quantity.summands:
        units = {_unit_of_quantity(one, known) if isinstance(one, Quantity) else "" for one in parts}
        return units.pop() if len(units) == 1 else ""
    return known.get(quantity.name) or next((u for word, u in _UNITS.items() if quantity.name.startswith(word)), "")


def _vectors(mechanism: Mechanism) -> Iterator[tuple[str, Any]]:
    """Reactions, forces and sensors, of which those that are vectors have components."""
    yield from mechanism.how.sensors.items()
    for joint in mechanism.joints:
        yield f"{joint.name}.force", joint.force
        yield f"{joint.name}.torque", joint.torque
    for element in mechanism.how.elements:
        if isinstance(element, (Applied, Constraint)):
            yield f"{element.name}.force", element.force


def constraint_error(scene: Scene) -> Any:
    """Largest |g| of all position constraints but stops, in the units of each; zero without any."""
    rows = [
        row.value
        for element in scene.layout.elements
        if element.rows and not isinstance(element, Limit)
        for row in element.constraints(scene.site(element))
    ]
    largest: Any = 0.0
    for value in rows:
        largest = maximum(largest, absolute(value))
    return largest


def _units_of_element(element: Element) -> Iterator[tuple[str, str]]:
    if isinstance(element, Work):
        yield f"{element.name}.work", "J"
    elif isinstance(element, Scalar):
        turns = element.argument in ("angle", "turn")
        yield f"{element.name}.force", "N m" if turns else "N"
        yield f"{element.name}.{element.argument}", "rad" if turns else "m"
    elif isinstance(element, Applied):
        yield f"{element.name}.force", "N m" if isinstance(element, AppliedTorque) else "N"
    elif isinstance(element, Constraint):
        powers = {element.powers_of_length.get(row) for row in element.rows}
        if len(powers) == 1 and None not in powers:
            yield f"{element.name}.force", "N" if powers == {1.0} else "N m"


def _surfaces(body: Body) -> list[tuple[Floats, Any]]:
    return [tuple(shape.triangles(PER_TURN)) for shape in body.shapes]


def _mass_properties(body: Body, number: Any) -> dict[str, Any]:
    properties = getattr(body, "properties", None)
    if properties is None:
        return {}
    return {
        "mass": float(number(np.array([properties.mass]))[0]),
        "com": number(properties.com),
        "inertia": number(properties.inertia),
    }


def _family(element: Element) -> str:
    """How an element is drawn."""
    if isinstance(element, Spring):
        springs = not _is_zero(element.data["stiffness"]) or element.law.is_function or element.law.is_table
        return "spring" if springs else "damper"
    for kind, family in ((Driven, "actuator"), (Bushing, "bushing"), (Tyre, "tyre"), (AppliedTorque, "torque")):
        if isinstance(element, kind):
            return family
    if isinstance(element, Distance):
        return "rod"
    return "force" if isinstance(element, (Scalar, Applied)) else "constraint"


def _is_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == 0.0


def _drawn(element: Element, place: Any, number: Any) -> Iterator[dict[str, Any]]:
    """Families and places of an element; nothing for what acts along coordinates that turn."""
    if isinstance(element, Joint):
        yield {"family": type(element).__name__.lower(), "places": [place(marker) for marker in element.markers]}
        return
    markers: Sequence[Marker] = element.markers
    family = _family(element)
    if isinstance(element, Scalar):
        markers = markers[:2]
        if element.path == "coordinate":
            joint = element.coordinates[0].joint
            if element.coordinates[0].is_angle:
                family = "torque"
            markers = joint.markers
    elif isinstance(element, Applied):
        markers = markers[:1]
    if not markers:
        return
    sizes: Mapping[str, float] = {}
    if "radius" in element.data:
        sizes = {"radius": float(number(np.array([element.data["radius"]]))[0])}
    yield {"family": family, "places": [place(marker) for marker in markers], "sizes": sizes}


def _arrows(element: Element, place: Any) -> Iterator[dict[str, Any]]:
    """Forces that have a name among the quantities of a run, with the place where they act."""
    name = f"{element.name}.force"
    if isinstance(element, Joint):
        first, second = (place(marker) for marker in element.markers)
        yield {"name": element.name, "quantity": name, "at": second, "axes": first}
    elif isinstance(element, Applied) and not isinstance(element, AppliedTorque):
        yield {"name": element.name, "quantity": name, "at": place(element.markers[0])}
    elif isinstance(element, Scalar) and element.path == "distance":
        first, second = (place(marker) for marker in element.markers[:2])
        # A spring resists: its force pulls the second place towards the first; other forces grow with the distance.
        pulls = isinstance(element, Spring)
        ends = (second, first) if pulls else (first, second)
        yield {"name": element.name, "quantity": name, "at": ends[0], "toward": ends[1]}
