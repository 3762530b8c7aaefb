"""Valid calls of models, their elements, shapes and meshes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from fuzz.example_world import FACES, VERTICES, Call, Library, Plane, World, add, call

import dalembert as da
from dalembert import model
from dalembert.model import meshes, shapes


def _model(w: World, k: int) -> Call:
    return Call(da.Model, ("thing",), {"gravity": (0, 0, -9.81)}, lambda m: m.body("one", 1.0, (1, 1, 1)))


add("Model", _model, lambda w, k: Call(da.Model, ("flat",), {"plane": "xy", "gravity": (0, -1)},
                                         lambda m: m.body("one", 1.0, 1.0)))  # fmt: skip
_BOX = shapes.Box(1.0, 2.0, 3.0)
_MODEL: dict[str, list[Callable[[Library], Call]]] = {
    "body": [
        lambda l: l.call("body", "more", 1.0, (0.1, 0.1, 0.1), (0, 0, 0.1), about=(0, 0, 0.1), position=(0, 0, 1.0),
                         rotation=(1, 0, 0, 0), velocity=(0, 0, 1), angular_velocity=(1, 0, 0)),
        lambda l: l.call("body", "more", shapes=[_BOX], density=10.0, angle=0.3),
    ],
    "parameters": [lambda l: l.call("parameters", more=1.0, row=[1.0, 2.0], k=3.0)],
    "input": [lambda l: l.call("input", "wave", lambda t, p: p.k * np.sin(t))],
    "sensor": [
        lambda l: l.call("sensor", "place", l.a.position),
        lambda l: l.call("sensor", "list", [l.a.position.x, l.turn.angle, 1.0]),
        lambda l: l.call("sensor", "made", 2.0 * l.a.position @ l.b.position),
    ],
    "equations": [
        lambda l: call(l.m.equations, "relative", builder="auto", cut=["turn"], tree=["slide"], angles=[l.turn.angle]),
        lambda l: call(l.m.equations, "absolute", builder="elements"),
    ],
    "forward_dynamics": [lambda l: call(l.m.forward_dynamics)],
    "tree_dynamics": [lambda l: call(l.m.tree_dynamics)],
    "add": [lambda l: l.call("add", model.Element("own", [l.a]))],
    "add_body": [lambda l: l.call("add_body", model.Body(l.m, "own", position=(0, 0, 0)))],
    "claim": [lambda l: call(l.m.claim, "name", "something")],
    "vector": [lambda l: call(l.m.vector, (1.0, 2.0, 3.0), "place")],
    "in_plane": [],
    "__getitem__": [lambda l: call(l.m.__getitem__, "one")],
    # joints
    "revolute": [lambda l: l.call("revolute", "more", l.one, l.c, axis=(0, 0, 1), start=0.1, cut=True)],
    "prismatic": [lambda l: l.call("prismatic", "more", l.one, l.c, axis="z", start={"displacement": 0.1})],
    "cylindrical": [lambda l: l.call("cylindrical", "more", l.a, l.c, start={"angle": 0.1})],
    "screw": [lambda l: l.call("screw", "more", l.a, l.c, 0.005, start=0.2)],
    "spherical": [lambda l: l.call("spherical", "more", l.a, l.c, start={"rotation": (1, 0, 0, 0)})],
    "universal": [lambda l: l.call("universal", "more", l.a, l.c, start={"angle1": 0.1})],
    "planar_joint": [lambda l: l.call("planar_joint", "more", l.a, l.c, start={"x": 0.1})],
    "fixed": [lambda l: l.call("fixed", "more", l.a, l.c)],
    "guide": [lambda l: l.call("guide", "more", l.a, l.c, slides="xz", turns="zx", start={"x": 0.1, "yaw": 0.1})],
    "free": [lambda l: l.call("free", "more", l.a, l.c, start={"z": 1.0})],
    # constraints
    "drive": [
        lambda l: l.call("drive", "sweep", l.turn.angle, lambda t, p: p.speed * t, breaks=[1.0]),
        lambda l: l.call("drive", "sweep", l.turn.angle, ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])),
    ],
    "coupling": [
        lambda l: l.call("coupling", "linkage", [l.turn.angle, l.slide], lambda phi, s: s - 0.1 * np.sin(phi)),
        lambda l: l.call("coupling", "sum", {l.turn.angle: 1.0, l.hinge.angle: 2.0}, 0.5),
    ],
    "gear": [lambda l: l.call("gear", "train", l.turn, l.hinge, -3.0, 0.1)],
    "rack_and_pinion": [lambda l: l.call("rack_and_pinion", "steering", l.turn, l.slide, 0.02, 0.1)],
    "distance": [lambda l: l.call("distance", "rod", *l.pair, 0.5, breaks=[1.0])],
    "coincident": [lambda l: l.call("coincident", "pivot", *l.pair)],
    "perpendicular": [lambda l: l.call("perpendicular", "square", l.a, l.two.at(0, 0, 0, axis="x"))],
    "parallel": [lambda l: l.call("parallel", "aligned", *l.pair)],
    "orientation": [lambda l: l.call("orientation", "lock", *l.pair)],
    "point_on_line": [lambda l: l.call("point_on_line", "wire", *l.pair)],
    "point_on_plane": [lambda l: l.call("point_on_plane", "glass", *l.pair, 0.1)],
    "point_on_curve": [
        lambda l: l.call("point_on_curve", "cam", *l.pair, implicit=lambda x, y, z: x**2 + y**2 + 4 * z**2 - 1),
        lambda l: l.call("point_on_curve", "graph", *l.pair, y=lambda x: x**2, z=lambda x: 2 * x),
        lambda l: l.call("point_on_curve", "spline", *l.pair, points=[[0, 0, 0], [1, 2, 1], [2, 1, 0], [3, 0, 0]]),
        lambda l: l.call("point_on_curve", "track", *l.pair, curve=lambda s: (s, s**2, 0.0), parameter=l.slide),
        lambda l: l.call("point_on_curve", "loop", *l.pair, points=[[0, 0, 0], [1, 2, 1], [0, 3, 0], [1, 5, 0]],
                         parameter=l.slide),
    ],
    "knife_edge": [lambda l: l.call("knife_edge", "skate", l.b, l.one)],
    "rolling_disc": [lambda l: l.call("rolling_disc", "wheel", l.two.at(0, 0, 0.1, axis="y"), 0.3, l.one)],
    "rolling_ball": [lambda l: l.call("rolling_ball", "marble", l.b, 0.01, l.one)],
    "constraint": [
        lambda l: l.call("constraint", "slot", lambda pin, plate: plate.to(pin).dot(plate.y), ("value",), pin=l.b,
                         plate=l.a),
    ],
    "velocity_constraint": [
        lambda l: l.call("velocity_constraint", "blade", lambda skate: skate.velocity.dot(skate.y), ["y"], skate=l.b),
    ],
    # forces
    "spring": [
        lambda l: l.call("spring", "strut", *l.pair, l.m.p.k, 3.0, length=0.4,
                         force=lambda length, rate: length - rate, potential=lambda length: length**2),
        lambda l: l.call("spring", "table", *l.pair, force=([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 3.0, 7.0])),
    ],
    "joint_spring": [lambda l: l.call("joint_spring", "return", l.slide, 500.0, 1.0, natural=0.1, force=1.0)],
    "torsion_spring": [
        lambda l: l.call("torsion_spring", "main", l.turn, 0.5, 0.1, natural=0.1, torque=lambda angle: angle**3),
    ],
    "gear_spring": [
        lambda l: l.call("gear_spring", "mesh", l.turn, l.hinge, -3.0, 1e4, 5.0, offset=0.1,
                         torque=lambda deflection: deflection**3),
    ],
    "gear_mesh": [
        lambda l: l.call("gear_mesh", "teeth", l.one, l.two, l.a, {l.turn: 0.1, l.hinge: -0.2}, 1e4, 5.0, pressure=0.3),
    ],
    "bushing": [
        lambda l: l.call("bushing", "mount", *l.pair, (1e5, 1e5, 2e5, 50.0, 50.0, 20.0), np.eye(6), preload=(1.0,) * 6),
    ],
    "force": [
        lambda l: l.call("force", "wind", l.b, lambda velocity, p: -p.c * velocity, frame="world", reaction=l.one),
        lambda l: l.call("force", "pull", l.b, (1.0, 2.0, 3.0), frame=l.a),
        lambda l: l.call("force", "push", l.slide, lambda displacement, rate, turn: turn - rate, sees={"turn": l.turn}),
    ],
    "torque": [
        lambda l: l.call("torque", "motor", l.turn, lambda angle, rate, p: p.c - 0.1 * rate),
        lambda l: l.call("torque", "twist", (l.one, l.two), (1.0, 2.0, 3.0), frame="body", sees={"place": l.c}),
    ],
    "user_force": [
        lambda l: l.call("user_force", "magnet", [l.a, l.b], lambda A, B, p: [(A.to(B), A.velocity)],
                         potential=lambda A, B: A.to(B).dot(A.to(B))),
    ],
    "numeric_force": [
        lambda l: l.call("numeric_force", "lookup", [l.b], lambda positions, velocities: -10.0 * velocities,
                         depends={"velocities": [[1]]}),
    ],
    "tyre": [
        lambda l: l.call("tyre", "tyre", l.b, 0.3, 2e5, 100.0, road=lambda x, w: 0.02 * np.sin(x) + w.bump, lifts=True,
                         damps_rise=True,
                         up=(0, 0, 1)),
    ],
    "prescribe": [
        lambda l: l.call("prescribe", "turntable", l.slide, lambda t, p: p.c * np.sin(t), breaks=[0.5]),
    ],
    "slip_tyre": [
        lambda l: l.call("slip_tyre", "slipping", l.b, 0.3, 2e5, 100.0, lateral={"stiffness": 6e4, "mu": 0.8},
                         longitudinal={"stiffness": 6e4, "mu": 0.8, "relaxation": 0.5}, law="tanh", velocity=0.1,
                         road=lambda x, w: 0.02 * np.sin(x) + w.bump, damps_rise=True, up=(0, 0, 1)),
    ],
    "contact": [
        lambda l: l.call("contact", "floor", l.b, l.m.ground.at(0, 0, -1), 1e5, 10.0, radius=0.1, mu=l.m.p.mu,
                         velocity=1e-3),
    ],
    "friction": [
        lambda l: l.call("friction", "rubbing", l.slide, 5.0, velocity=1e-3, stiction=6.0, stribeck=1e-2),
        lambda l: l.call("friction", "bearing", l.turn, velocity=1e-3, mu=0.1, radius=0.01),
    ],
    "actuator": [
        lambda l: l.call("actuator", "cylinder", (l.a, l.b), lambda pressure: 1e-3 * pressure,
                         states={"pressure": 2e5}, rates=lambda pressure, rate: -1e8 * rate, sees={"turn": l.turn}),
    ],
    "dc_motor": [
        lambda l: l.call("dc_motor", "motor", l.turn, lambda t: 24.0, resistance=0.5, inductance=1e-3, constant=0.05,
                         ratio=20.0, current=1.0),
    ],
    "sampled": [
        lambda l: l.call("sampled", "clocked", 0.1, lambda x, x_rate, t, n: {"y": -x - x_rate, "n": n + 1}, offset=0.05,
                         sees={"x": l.turn, "place": l.b.position}, outputs={"y": 0.0}, memory={"n": 0.0}),
    ],
    "work": [lambda l: l.call("work", "done", l.m.force("to work", l.slide, 1.0))],
    "gravity_compensation": [lambda l: call(l.m.gravity_compensation, l.turn)],
    "inverse_dynamics": [lambda l: call(l.m.inverse_dynamics, l.turn, {l.turn: 1.0, l.slide: l.turn.angle})],
    "pid": [lambda l: l.call("pid", "servo", l.slide, lambda t: 0.1 * t, kp=1e4, ki=1e3, kd=100.0, filter=0.01)],
    "limit": [
        lambda l: l.call("limit", "stops", l.turn, -1.0, 1.0, restitution=0.4, rest=0.1),
        lambda l: l.call("limit", "floor", l.b.position.z, lambda t: -1.0 + 0.1 * t),
    ],
}  # fmt: skip
for _name, _makers in _MODEL.items():
    for _make_space in _makers:
        add(f"Model.{_name}", (lambda make: lambda w, k: make(w.space))(_make_space))

_PLANE: dict[str, Callable[[Plane], Call]] = {
    "body": lambda l: l.call("body", "more", 1.0, 0.5, (0.5, 0.0), about=(0, 0), position=(0, 1.0), angle=0.3,
                             velocity=(0, 1), angular_velocity=1.0),
    "revolute": lambda l: l.call("revolute", "more", l.m.ground.at(0, 0), l.rod.at(1, 0), axis="x", start=0.1),
    "rolling_disc": lambda l: l.call("rolling_disc", "wheel", l.rod, 0.3, offset=0.1),
    "torsion_spring": lambda l: l.call("torsion_spring", "main", (l.cart, l.rod), 0.5, 0.1),
    "bushing": lambda l: l.call("bushing", "mount", l.cart, l.rod, (1e5, 1e5, 2e5)),
    "plane_angle": lambda l: call(l.m.plane_angle, (1.0, 0.5), "axis"),
    "in_plane": lambda l: call(l.m.in_plane, (1.0, 0.5, 0.0)),
    "fixed": lambda l: l.call("fixed", "more", l.rod, l.m.ground.at(0, 0), cut=True),
    "force": lambda l: l.call("force", "pull", l.rod.at(1, 0), (1.0, 2.0), frame="body", reaction=l.cart),
    "point_on_curve": lambda l: l.call("point_on_curve", "cam", l.cart, l.rod, y=lambda x: x**2),
}  # fmt: skip
for _name, _make in _PLANE.items():
    add(f"Model.{_name}", (lambda make: lambda w, k: make(w.plane))(_make))

add("Body", lambda w, k: (lambda l: Call(model.Body, (l.m, "own"), {"shapes": [_BOX], "position": np.zeros(3)},
                                          lambda body: (l.m.add_body(body), l.m.equations())))(w.space))  # fmt: skip
add(
    "Body.at",
    lambda w, k: (lambda l: Call(l.one.at, (0.1, 0.2, 0.3), {"axis": (0, 1, 1)},
                                 lambda marker: (l.m.sensor("s", marker.position), l.m.equations())))(w.space),
    lambda w, k: call(w.space.one.at, (0.1, 0.2, 0.3), rotation=np.eye(3)),
    lambda w, k: call(w.plane.rod.at, 0.1, 0.2, angle=0.4),
)  # fmt: skip
add("Custom", lambda w, k: (lambda l: Call(
    da.Custom, (["x", "y"], lambda world, q, p: {l.cart: world.moved(q.x, 0), l.rod: world.moved(0, q.y)}),
    {"satisfied": ["slide", "pin"]}, lambda it: l.m.equations(it)))(w.plane))  # fmt: skip
add("Element", lambda w, k: (lambda l: Call(
    model.Element, ("own", [l.a], [l.turn.angle]),
    {"data": {"k": 1.0}, "states": {"x": 0.0}, "variant": (), "breaks": [1.0]},
    lambda it: l.m.add(it)))(w.space))  # fmt: skip
add("Joint", lambda w, k: (lambda l: Call(
    type(l.turn), ("own", l.one.at(0, 0, 0), l.c), {"start": {"angle": 0.1}, "cut": True},
    lambda it: (l.m.add(it), l.m.equations())))(w.space))  # fmt: skip
add("Joint.prescribe", lambda w, k: (lambda l: Call(
    l.slide.prescribe, (lambda t: 0.1 * np.sin(t),), {"name": "push", "breaks": [0.5]}, lambda law: l.m.equations(),
))(Library()))  # fmt: skip
add("Joint.motion", lambda w, k: call(w.space.turn.motion, "angle"))
add("Marker", lambda w, k: (lambda l: Call(
    model.Marker, (l.one, np.zeros(3), np.eye(3)), {},
    lambda marker: (l.m.sensor("s", marker.position), l.m.equations())))(w.space))  # fmt: skip
add("Quantity", lambda w, k: (lambda l: Call(
    model.Quantity, (lambda scene: 1.0, "one", ["x"]), {"coordinates": [l.turn.angle]},
    lambda it: (l.m.sensor("s", it), l.m.equations())))(w.space))  # fmt: skip
add("Quantity.in_", lambda w, k: call(w.space.a.velocity.in_, w.space.two))
add("Quantity.__getitem__", lambda w, k: (lambda l: Call(
    l.a.position.__getitem__, (1,), {}, lambda it: (l.m.sensor("s", it), l.m.equations())))(w.space))  # fmt: skip
for _operation in ("add", "sub", "mul", "truediv", "pow", "matmul", "radd", "rsub", "rmul", "rtruediv", "rmatmul"):
    add(f"Quantity.__{_operation}__", (lambda operation: lambda w, k: (lambda l: Call(
        getattr(l.turn.angle if operation != "matmul" and operation != "rmatmul" else l.a.position,
                f"__{operation}__"),
        (2.0 if operation not in ("matmul", "rmatmul") else np.ones(3),), {},
        lambda it: (l.m.sensor("s", it), l.m.equations()) if isinstance(it, model.Quantity) else None,
    ))(w.space))(_operation))  # fmt: skip
add("Row", lambda w, k: call(model.Row, 1.0, 2.0))
add("MassProperties", lambda w, k: call(model.MassProperties, 1.0, (0, 0, 1), (1, 1, 1), about=(0, 0, 1), axes=0.3),
     lambda w, k: call(model.MassProperties, 1.0, (0, 1), 3.0, planar=True, body="rod"))  # fmt: skip
_PROPERTIES = model.MassProperties(1.0, (0, 0, 1), (1, 1, 1))
add("MassProperties.check", lambda w, k: call(_PROPERTIES.check, "rod"))
add("MassProperties.inertia_about", lambda w, k: call(_PROPERTIES.inertia_about, (1, 2, 3)))
add("MassProperties.moved", lambda w, k: call(_PROPERTIES.moved, (1, 2, 3)))
add("MassProperties.placed", lambda w, k: call(_PROPERTIES.placed, (1, 2, 3), np.eye(3)))
add("MassProperties.principal", lambda w, k: call(_PROPERTIES.principal))
add("MassProperties.rotated", lambda w, k: call(_PROPERTIES.rotated, (1, 0, 0, 0)))
add("MassProperties.scaled", lambda w, k: call(_PROPERTIES.scaled, 2.0))


def _drawn(shape: Any) -> Any:
    return shape.mass_properties(density=1.0), shape.triangles(), shape.outline(), shape.wires()


_SHAPES: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "Sphere": ((1.0,), {"position": (0, 0, 1)}),
    "Ellipsoid": ((1.0, 2.0, 3.0), {"rotation": np.eye(3)}),
    "Box": ((1.0, 2.0, 3.0), {}),
    "Cylinder": ((1.0, 2.0), {}),
    "Tube": ((2.0, 1.0, 3.0), {}),
    "Capsule": ((1.0, 2.0), {}),
    "Cone": ((1.0, 2.0), {"top": 0.5}),
    "Rod": (((0, 0, 0), (1, 0, 0)), {}),
    "Disc": ((1.0,), {}),
    "Prism": (([[0, 0], [1, 0], [0, 1]], 0.5), {}),
}
for _name, (_args, _kwargs) in _SHAPES.items():
    add(f"shapes.{_name}", (lambda kind, a, k: lambda w, i: Call(kind, a, dict(k), _drawn))(
        getattr(shapes, _name), _args, _kwargs))  # fmt: skip
for _name in ("Cylinder", "Capsule"):
    add(f"shapes.{_name}.between", (lambda kind: lambda w, i: Call(
        kind.between, ((0, 0, 0), (1, 0, 0), 0.1), {}, _drawn))(getattr(shapes, _name)))  # fmt: skip
add("shapes.Shape.mass_properties", lambda w, k: call(_BOX.mass_properties, density=1.0),
     lambda w, k: call(_BOX.mass_properties, mass=1.0))  # fmt: skip
add("shapes.Shape.placed", lambda w, k: call(_BOX.placed, (0, 0, 1), 0.3))
add("shapes.Shape.triangles", lambda w, k: call(shapes.Sphere(1.0).triangles, 12))
add("shapes.Shape.outline", lambda w, k: call(shapes.Disc(1.0).outline, 12))
add("shapes.Shape.wires", lambda w, k: call(shapes.Disc(1.0).wires, 12))
add("meshes.Mesh", lambda w, k: Call(meshes.Mesh, (VERTICES, FACES), {"scale": 2.0, "position": (0, 0, 1)}, _drawn),
     lambda w, k: Call(meshes.Mesh, (w.mesh,), {"rotation": 0.3}, _drawn))  # fmt: skip
add("meshes.Mesh.placed", lambda w, k: call(meshes.Mesh(VERTICES, FACES).placed, (0, 0, 1), 0.3))
add("meshes.load_mesh", lambda w, k: call(meshes.load_mesh, w.mesh))
