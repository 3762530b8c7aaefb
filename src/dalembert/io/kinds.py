"""What stands in a model file: groups, kinds and fields.

Kinds are the builders of :class:`~dalembert.model.Model`, and fields are their arguments, found from their signatures;
the tables below add what a signature does not say: how a field is read, what its formula may name, and its unit.  The
reader, the writer and the schema all go by :func:`kinds`, so that a new joint or force is in all of them, or in none
until its arguments are in the tables.
"""

from __future__ import annotations

import functools
import inspect
import re
from dataclasses import dataclass
from typing import Any

from dalembert.model.calls import builder_methods
from dalembert.model.constraints.constraint_builders import ConstraintBuilders
from dalembert.model.constraints.limit_builders import LimitBuilders
from dalembert.model.flexible.flexible_builders import FlexibleBuilders
from dalembert.model.forces.drive_builders import DriveBuilders
from dalembert.model.forces.force_builders import ForceBuilders
from dalembert.model.forces.quantity_builders import QuantityBuilders
from dalembert.model.joints.joint_builders import JointBuilders
from dalembert.model.model import Model
from dalembert.model.rails.wheelset import RailBuilders

#: Groups of a file, and whose methods their kinds are.
GROUPS: dict[str, tuple[type, ...]] = {
    "flexible": (FlexibleBuilders,),
    "joints": (JointBuilders,),
    "constraints": (ConstraintBuilders,),
    "forces": (ForceBuilders, DriveBuilders, QuantityBuilders),
    "limits": (LimitBuilders,),
    "wheelsets": (RailBuilders,),
}

#: Builders that files have sections of their own for.
WITH_SECTIONS = ("body", "sensor", "input")

#: How arguments are read, by their names; "kind.name" where one differs from the rest.
#:
#: marker, pair (two markers), coordinate, coordinates, acted (a joint, coordinate, marker or pair), number, vector,
#: matrix, law, laws (by name), flag, text, axis, start, instants, quantity, parts, seen, function, object; of wheelsets
#: track, profile, material, creep law; of flexible bodies data, section, elastic material, modes, modal damping,
#: shapes; exact (a number without parameters), whole (a whole number), element (by its name)
READING: dict[str, str] = {
    "first": "marker", "second": "marker", "line": "marker", "point": "marker", "plane": "marker", "frame": "axes",
    "blade": "marker", "wheel": "marker", "ball": "marker", "carrier": "marker", "reaction": "marker",
    "on": "acted", "driven": "acted", "gear.first": "coordinate", "gear.second": "coordinate",
    "gear_spring.first": "coordinate", "gear_spring.second": "coordinate", "pinion": "coordinate",
    "rack": "coordinate", "parameter": "coordinate", "coordinates": "coordinates",
    "knife_edge.on": "marker", "rolling_disc.on": "marker", "rolling_ball.on": "marker",
    "point_on_curve.frame": "marker", "user_force.on": "several", "numeric_force.on": "several",
    "axis": "axis", "start": "start", "point_on_curve.start": "number", "cut": "flag", "pitch": "number",
    "slides": "text", "turns": "text", "law": "law", "breaks": "instants", "impulse": "flag", "relation": "relation",
    "ratio": "number", "offset": "number", "radius": "number", "length": "law", "spring.length": "number",
    "friction.length": "number",
    "height": "law", "y": "law", "z": "law", "implicit": "flag", "point_on_curve.implicit": "implicit",
    "curve": "law", "points": "matrix", "between": "span", "up": "vector", "rows": "texts",
    "function": "function", "parts": "parts", "quantity": "quantity", "lower": "law", "upper": "law",
    "restitution": "number", "rest": "rest", "stiffness": "number", "damping": "law", "force": "law",
    "potential": "law", "natural": "number", "angle": "number", "torque": "law", "bushing.stiffness": "matrix",
    "bushing.damping": "matrix", "preload": "vector", "sees": "seen", "depends": "object",
    "user_force.potential": "function",
    "road": "law", "lifts": "flag", "damps_rise": "flag", "tyre.damping": "number", "slip_tyre.damping": "number",
    "contact.damping": "number", "lateral": "laws", "longitudinal": "laws", "slip_tyre.law": "text",
    "velocity": "number", "mu": "law", "limit": "law", "stiction": "law", "stribeck": "number",
    "thrust_radius": "number", "states": "numbers", "rates": "rates", "voltage": "law", "resistance": "number",
    "constant": "number", "inductance": "number", "current": "number", "target": "law", "kp": "number", "ki": "number",
    "kd": "number", "filter": "number",
    "track": "track", "wheelset.wheel": "profile", "rail": "profile", "material": "material",
    "wheelset.law": "creep law",
    "mass": "number", "inertia": "vector", "frame_mass": "number", "frame_inertia": "vector", "distance": "number",
    "friction": "number", "load": "number", "direction": "number", "least_speed": "number", "unilateral": "flag",
    "ranged": "flag", "speed": "number", "measure": "flag",
    "flexibility": "data", "beam.length": "exact", "section": "section", "beam.material": "elastic material",
    "modes": "modes", "ends": "text", "beam.damping": "modal damping", "stiffening": "flag", "rotary": "flag",
    "stations": "whole", "position": "vector", "rotation": "matrix", "beam.velocity": "vector",
    "flexible_body.velocity": "vector", "angular_velocity": "matrix", "magnification": "exact", "shapes": "shapes",
    "period": "exact", "sampled.law": "rates", "outputs": "numbers", "memory": "numbers", "sampled.offset": "exact",
    "work.force": "element",
    "gear_mesh.at": "marker", "radii": "coordinates", "pressure": "number", "spin": "number",
}  # fmt: skip

_SCALAR = "angle displacement length rate"
_FRAME = "position velocity rotation angular_velocity angle"
#: What formulas of laws may name besides t, parameters and inputs.
SEEN_BY: dict[str, str] = {
    "spring.force": "length rate", "spring.potential": "length", "spring.damping": "rate length",
    "joint_spring.force": "displacement angle rate", "joint_spring.potential": "displacement angle",
    "joint_spring.damping": "rate displacement angle", "torsion_spring.torque": "angle rate",
    "torsion_spring.potential": "angle", "torsion_spring.damping": "rate angle",
    "gear_spring.torque": "deflection rate", "gear_spring.damping": "rate deflection",
    "force.force": f"{_SCALAR} {_FRAME}", "torque.torque": f"{_SCALAR} {_FRAME}",
    "tyre.road": "x y", "slip_tyre.road": "x y", "slip_tyre.lateral": "load", "slip_tyre.longitudinal": "load",
    "contact.mu": "speed", "friction.mu": "speed", "friction.limit": f"speed {_SCALAR}",
    "friction.stiction": f"speed {_SCALAR}", "actuator.force": _SCALAR, "actuator.rates": _SCALAR,
    "dc_motor.voltage": "angle displacement rate current", "point_on_curve.y": "x", "point_on_curve.z": "x",
    "point_on_curve.implicit": "x y z", "point_on_curve.curve": "s",
}  # fmt: skip

#: Units of fields, where a number has one whatever else is given.
UNIT_OF: dict[str, str] = {
    "pitch": "m", "radius": "m", "length": "m", "rolling_disc.offset": "m", "spring.stiffness": "N/m",
    "torsion_spring.stiffness": "N m", "torsion_spring.angle": "rad", "height": "m", "tyre.stiffness": "N/m",
    "tyre.damping": "N s/m", "slip_tyre.stiffness": "N/m", "slip_tyre.damping": "N s/m", "contact.stiffness": "N/m",
    "contact.damping": "N s/m", "slip_tyre.velocity": "m/s", "contact.velocity": "m/s", "thrust_radius": "m",
    "resistance": "Ohm", "inductance": "H", "current": "A", "filter": "s", "mass": "kg", "frame_mass": "kg",
    "distance": "m", "speed": "m/s", "wheelset.load": "N", "spin": "rad/s",
    "gear_mesh.stiffness": "N/m", "gear_mesh.damping": "N s/m", "pressure": "rad", "period": "s", "sampled.offset": "s",
}  # fmt: skip

#: Arguments that have another name in files: two markers or coordinates are ``between``, what a force is named after
#: is its ``law``.
_RENAMED = {"force.force": "law", "torque.torque": "law", "slip_tyre.law": "slip_law", "wheelset.law": "creep_law",
            "flexible_body.flexibility": "data"}  # fmt: skip
#: Options that builders pass on under two stars.
_PASSED_ON = {"joints": ("axis", "start", "cut")}
#: Kinds with other names than their methods.
_ALIASES = {"planar_joint": "planar", "flexible_body": "modes"}


@dataclass(frozen=True)
class KindField:
    """One field of a kind."""

    #: as it stands in files; the arguments that it becomes
    name: str
    arguments: tuple[str, ...]
    reading: str
    required: bool
    default: Any = None
    #: what a formula may name
    seen: tuple[str, ...] = ()
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class ElementKind:
    """One kind of joint, force, … with its fields by name."""

    name: str
    method: str
    group: str
    fields: dict[str, KindField]
    about: str

    @property
    def sees(self) -> bool:
        """Whether laws may name quantities of other joints and bodies."""
        return any(one.reading == "seen" for one in self.fields.values())

    @property
    def free_fields(self) -> bool:
        """Whether further fields are names that the user chooses."""
        return any(one.reading == "parts" for one in self.fields.values())


@functools.cache
def kinds() -> dict[str, ElementKind]:
    """All kinds by the names of their methods."""
    methods = builder_methods(Model)
    found = {}
    for group, rooms in GROUPS.items():
        for room in rooms:
            for method in vars(room):
                if method in methods and not method.startswith("_"):
                    found[method] = _kind(method, group, methods[method])
    return found


@functools.cache
def kinds_of(group: str) -> dict[str, ElementKind]:
    """Kinds of a group by the names that they have in files."""
    return {one.name: one for one in kinds().values() if one.group == group}


def _kind(method: str, group: str, function: Any) -> ElementKind:
    about = inspect.getdoc(function) or ""
    fields: dict[str, KindField] = {}
    for argument in _arguments(method, group, function):
        if argument.name in ("self", "name"):
            continue
        key = f"{method}.{argument.name}"
        if argument.name in ("first", "second"):
            if argument.name == "first":
                reading = "pair" if _reading(key, argument.name) == "marker" else "two coordinates"
                fields["between"] = KindField(
                    "between", ("first", "second"), reading, True, about="what it acts between"
                )
            continue
        name = _RENAMED.get(key, argument.name)
        needed = argument.default is argument.empty and argument.kind is not argument.VAR_KEYWORD
        fields[name] = KindField(
            name, (argument.name,), _reading(key, argument.name), needed,
            None if needed else argument.default, tuple(SEEN_BY.get(key, "").split()),
            UNIT_OF.get(key, UNIT_OF.get(argument.name, "")), _described(about, argument.name),
        )  # fmt: skip
    return ElementKind(
        _ALIASES.get(method, method), method, group, fields, about.partition("\n\n")[0].replace("\n", " ")
    )


def _arguments(method: str, group: str, function: Any) -> list[inspect.Parameter]:
    found = list(inspect.signature(function).parameters.values())
    if found[-1].kind is inspect.Parameter.VAR_KEYWORD and found[-1].name == "options":
        options = _PASSED_ON[group]
        found[-1:] = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in options]
    return found


def _reading(key: str, argument: str) -> str:
    found = READING.get(key) or READING.get(argument)
    if found is None:
        raise LookupError(f"no table of model files knows how to read the argument {key}; add it to READING")
    return found


def _described(about: str, argument: str) -> str:
    """What the docstring says of an argument."""
    found = re.search(rf":param {argument}: (.*?)(?=\n:param|\n\n|\Z)", about, re.S)
    return re.sub(r"\s+", " ", found[1]).strip() if found else ""
