"""Valid calls of everything public, from which ``arguments.py`` makes bad ones.

``EXAMPLES`` has a call for each public function, class and method, by its name: ``Model.revolute`` for a method of the
objects of a class, ``symbolic.sin`` for a function of a module.  ``follow`` is what a user does next with the
result: garbage that was taken must not show as a bare error there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dalembert as da
from dalembert import integrate, linalg, model, problems, solution, symbolic
from dalembert.model import meshes, shapes
from dalembert.problems import mechanisms
from dalembert.symbolic import mechanics


class Call(NamedTuple):
    """A callable with valid arguments, and what is done with its result."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    follow: Callable[[Any], Any]


def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Call:
    """A call whose result is only looked at."""
    return Call(function, args, kwargs, repr)


class Library:
    """A model in space with something of everything that elements are put on, new for each call."""

    def __init__(self, name: str = "library") -> None:
        m = self.m = da.Model(name, gravity=(0, 0, -9.81))
        m.parameters(k=2e4, c=300.0, mu=0.2, speed=1.0)
        self.one, self.two, self.three = (
            m.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1)) for name in ("one", "two", "three")
        )
        self.a, self.b = self.one.at(0.1, 0, 0), self.two.at(0, 0, 0.1)
        self.c = self.three.at(0, 0.3, 0.1)
        self.turn = m.revolute("turn", m.ground.at(0, 0, 0), self.a)
        self.slide = m.prismatic("slide", m.ground.at(0, 0, 0), self.b)
        self.hinge = m.revolute("hinge", self.two, self.c)
        m.input("bump", lambda t: 0.01 * np.sin(t))

    def call(self, what: str, *args: Any, **kwargs: Any) -> Call:
        """A call of a method of the model, after which equations are made."""
        return Call(getattr(self.m, what), args, kwargs, lambda result: self.m.equations())

    @property
    def pair(self) -> tuple[Any, Any]:
        """Markers on two bodies."""
        return self.a, self.b


class Plane:
    """A planar pendulum on a slider, new for each call."""

    def __init__(self) -> None:
        m = self.m = da.Model("plane", plane="xy", gravity=(0, -9.81))
        m.parameters(k=100.0)
        self.rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
        self.cart = m.body("cart", mass=2.0, inertia=0.1)
        self.slide = m.prismatic("slide", m.ground.at(0, 0), self.cart)
        self.pin = m.revolute("pin", self.cart.at(0, 0), self.rod.at(0, 0), start=0.3)

    def call(self, what: str, *args: Any, **kwargs: Any) -> Call:
        """A call of a method of the model, after which equations are made."""
        return Call(getattr(self.m, what), args, kwargs, lambda result: self.m.equations())


def _numbered(n: int) -> list[float]:
    return [0.1 * k for k in range(1, n + 1)]


class World:
    """What examples are made of; frozen things are made once."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dalembert-arguments-"))

    def renew(self) -> None:
        """Make anew what calls change."""
        for name in ("graph", "base", "turned", "point", "far"):
            self.__dict__.pop(name, None)

    @property
    def space(self) -> Library:
        """A new model in space."""
        return Library()

    @property
    def plane(self) -> Plane:
        """A new model in the plane."""
        return Plane()

    @cached_property
    def other(self) -> Library:
        """Another model, whose things belong nowhere else."""
        return Library("other")

    @cached_property
    def equations(self) -> dict[str, Any]:
        """Equations of every builder, all with a constraint, without external states."""

        def mass(p: Any) -> Any:
            return p.m * np.eye(2)

        def circle(q: Any, p: Any) -> Any:
            return np.array([q @ q - p.l**2])

        traced = da.trace(
            M=mass, f=lambda p: np.array([0.0, -p.m * 9.81]), g=circle, n_q=2, parameters={"m": 1.0, "l": 1.0},
            name="traced",
        )  # fmt: skip
        numeric = da.trace(
            M=mass, f=da.numeric(lambda q, p: np.array([0.0, -p.m * 9.81])), g=circle, n_q=2,
            parameters={"m": 1.0, "l": 1.0}, name="numeric",
        )  # fmt: skip
        chain = da.Elements("elements", coordinates=["x", "y"], parameters={"l": 1.0})
        chain.add("mass", coordinates=[[0, 1]], M=lambda p: p.m * np.eye(2), f=lambda p: np.array([0.0, -p.m]),
                  data={"m": 1.0})  # fmt: skip
        chain.add("rod", coordinates=[[0, 1]], g=lambda q, p: np.array([q @ q - p.l**2]))
        found = {"traced": traced, "numeric": numeric, "elements": chain.equations()}
        for name, options in {
            "relative": {}, "absolute": {"coordinates": "absolute"}, "recursion": {"builder": "recursion"},
            "by elements": {"coordinates": "absolute", "builder": "elements"},
        }.items():  # fmt: skip
            it = Plane()
            it.m.distance("rope", it.m.ground.at(0, 0), it.rod.at(1, 0), 1.0)
            it.m.sensor("tip", it.rod.at(1, 0).position)
            it.m.limit("stop", it.slide.displacement, lower=-5.0)
            found[name] = it.m.equations(**options)
        return found

    @cached_property
    def starts(self) -> dict[str, Any]:
        """A start for each."""
        plain = {name: eqs.assemble([1.0, 0.0]) for name, eqs in self.equations.items() if eqs.sizes.q == 2}
        models = {
            name: eqs.assemble() if name != "relative" else eqs.assemble({"pin.angle": 0.3})
            for name, eqs in self.equations.items()
            if name in ("relative", "absolute", "recursion", "by elements")
        }
        return plain | models

    def case(self, k: int) -> tuple[str, Any, Any]:
        """The equations of a builder, chosen by a number, and their start."""
        name = sorted(self.equations)[k % len(self.equations)]
        return name, self.equations[name], self.starts[name]

    @cached_property
    def driven(self) -> Any:
        """Equations whose constraints leave nothing free."""
        it = Plane()
        it.m.drive("sweep", it.pin.angle, lambda t: 0.3 + t)
        it.m.drive("push", it.slide, lambda t: 0.1 * t)
        return it.m.equations()

    @cached_property
    def run(self) -> Any:
        """A solution with everything in it."""
        return da.simulate(
            self.equations["relative"], (0, 0.2), self.starts["relative"], max_steps=2,
            events=[lambda t, q: q[0] - 10.0],
        )  # fmt: skip

    @cached_property
    def stored(self) -> Path:
        """A stored run."""
        return self.run.save(self.folder / "run")

    @cached_property
    def graph(self) -> Any:
        """A graph with symbols x, y, z and a parameter k."""
        graph = symbolic.Graph()
        graph.coordinates("x y z")
        graph.parameter("k")
        return graph

    @property
    def x(self) -> Any:
        """A coordinate."""
        return self.graph["x"]

    @property
    def xyz(self) -> Any:
        """Three coordinates."""
        return symbolic.array([self.graph[name] for name in "xyz"])

    @property
    def expression(self) -> Any:
        """A scalar of them."""
        return np.sin(self.xyz[0]) * self.xyz[1] + self.graph["k"] * self.xyz[2] ** 2

    @cached_property
    def compiled(self) -> Any:
        """A compiled function."""
        return symbolic.compile({"e": self.expression, "v": 2.0 * self.xyz}, {"x": self.xyz, "k": [self.graph["k"]]})

    @cached_property
    def staged(self) -> Any:
        """One with stages."""
        return symbolic.compile(
            {"e": self.expression}, {"k": [self.graph["k"]], "x": self.xyz}, staged=True, name="staged"
        )

    @cached_property
    def base(self) -> Any:
        """Axes of a world."""
        return mechanics.Base.root(self.graph)

    @cached_property
    def turned(self) -> Any:
        """Turned axes."""
        return self.base.rotated("turned", (0, 0, 1), self.x)

    @cached_property
    def point(self) -> Any:
        """The origin."""
        return mechanics.Point.root(self.base)

    @cached_property
    def far(self) -> Any:
        """A point that moves."""
        return self.point.moved("far", self.turned.vector(1.0, self.xyz[1], 0.0))

    @cached_property
    def tree(self) -> Any:
        """Recursions over a tree."""
        it = Library()
        return it.m.tree_dynamics()

    @cached_property
    def dense(self) -> Any:
        """Dense output."""
        return solution.DenseOutput([0.0, 1.0, 2.0], np.ones((2, 3, 2)), (1, 1, 0, 0))

    @cached_property
    def curves(self) -> Any:
        """Curves of a run."""
        return self.run.curves("pin.angle")

    @cached_property
    def mesh(self) -> Path:
        """A file with a tetrahedron."""
        path = self.folder / "tetrahedron.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        return path


VERTICES = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]

Maker = Callable[[World, int], Call]
EXAMPLES: dict[str, list[Maker]] = {}


def _add(name: str, *makers: Maker) -> None:
    EXAMPLES.setdefault(name, []).extend(makers)


# ------------------------------------------------------------------------------------------------------------ models


def _model(w: World, k: int) -> Call:
    return Call(da.Model, ("thing",), {"gravity": (0, 0, -9.81)}, lambda m: m.body("one", 1.0, (1, 1, 1)))


_add("Model", _model, lambda w, k: Call(da.Model, ("flat",), {"plane": "xy", "gravity": (0, -1)},
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
        lambda l: l.call("torsion_spring", "main", l.turn, 0.5, 0.1, angle=0.1, torque=lambda angle: angle**3),
    ],
    "gear_spring": [
        lambda l: l.call("gear_spring", "mesh", l.turn, l.hinge, -3.0, 1e4, 5.0, offset=0.1,
                         torque=lambda deflection: deflection**3),
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
    "pid": [lambda l: l.call("pid", "servo", l.slide, lambda t: 0.1 * t, kp=1e4, ki=1e3, kd=100.0, filter=0.01)],
    "limit": [
        lambda l: l.call("limit", "stops", l.turn, -1.0, 1.0, restitution=0.4, rest=0.1),
        lambda l: l.call("limit", "floor", l.b.position.z, lambda t: -1.0 + 0.1 * t),
    ],
}  # fmt: skip
for _name, _makers in _MODEL.items():
    for _make_space in _makers:
        _add(f"Model.{_name}", (lambda make: lambda w, k: make(w.space))(_make_space))

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
    _add(f"Model.{_name}", (lambda make: lambda w, k: make(w.plane))(_make))

_add("Body", lambda w, k: (lambda l: Call(model.Body, (l.m, "own"), {"shapes": [_BOX], "position": np.zeros(3)},
                                          lambda body: (l.m.add_body(body), l.m.equations())))(w.space))  # fmt: skip
_add(
    "Body.at",
    lambda w, k: (lambda l: Call(l.one.at, (0.1, 0.2, 0.3), {"axis": (0, 1, 1)},
                                 lambda marker: (l.m.sensor("s", marker.position), l.m.equations())))(w.space),
    lambda w, k: call(w.space.one.at, (0.1, 0.2, 0.3), rotation=np.eye(3)),
    lambda w, k: call(w.plane.rod.at, 0.1, 0.2, angle=0.4),
)  # fmt: skip
_add("Custom", lambda w, k: (lambda l: Call(
    da.Custom, (["x", "y"], lambda world, q, p: {l.cart: world.moved(q.x, 0), l.rod: world.moved(0, q.y)}),
    {"satisfied": ["slide", "pin"]}, lambda it: l.m.equations(it)))(w.plane))  # fmt: skip
_add("Element", lambda w, k: (lambda l: Call(
    model.Element, ("own", [l.a], [l.turn.angle]),
    {"data": {"k": 1.0}, "states": {"x": 0.0}, "variant": (), "breaks": [1.0]},
    lambda it: l.m.add(it)))(w.space))  # fmt: skip
_add("Joint", lambda w, k: (lambda l: Call(
    type(l.turn), ("own", l.one.at(0, 0, 0), l.c), {"start": {"angle": 0.1}, "cut": True},
    lambda it: (l.m.add(it), l.m.equations())))(w.space))  # fmt: skip
_add("Joint.prescribe", lambda w, k: (lambda l: Call(
    l.slide.prescribe, (lambda t: 0.1 * np.sin(t),), {"name": "push", "breaks": [0.5]}, lambda law: l.m.equations(),
))(Library()))  # fmt: skip
_add("Joint.motion", lambda w, k: call(w.space.turn.motion, "angle"))
_add("Marker", lambda w, k: (lambda l: Call(
    model.Marker, (l.one, np.zeros(3), np.eye(3)), {},
    lambda marker: (l.m.sensor("s", marker.position), l.m.equations())))(w.space))  # fmt: skip
_add("Quantity", lambda w, k: (lambda l: Call(
    model.Quantity, (lambda scene: 1.0, "one", ["x"]), {"coordinates": [l.turn.angle]},
    lambda it: (l.m.sensor("s", it), l.m.equations())))(w.space))  # fmt: skip
_add("Quantity.__getitem__", lambda w, k: (lambda l: Call(
    l.a.position.__getitem__, (1,), {}, lambda it: (l.m.sensor("s", it), l.m.equations())))(w.space))  # fmt: skip
for _operation in ("add", "sub", "mul", "truediv", "pow", "matmul", "radd", "rsub", "rmul", "rtruediv", "rmatmul"):
    _add(f"Quantity.__{_operation}__", (lambda operation: lambda w, k: (lambda l: Call(
        getattr(l.turn.angle if operation != "matmul" and operation != "rmatmul" else l.a.position,
                f"__{operation}__"),
        (2.0 if operation not in ("matmul", "rmatmul") else np.ones(3),), {},
        lambda it: (l.m.sensor("s", it), l.m.equations()) if isinstance(it, model.Quantity) else None,
    ))(w.space))(_operation))  # fmt: skip
_add("Row", lambda w, k: call(model.Row, 1.0, 2.0))
_add("MassProperties", lambda w, k: call(model.MassProperties, 1.0, (0, 0, 1), (1, 1, 1), about=(0, 0, 1), axes=0.3),
     lambda w, k: call(model.MassProperties, 1.0, (0, 1), 3.0, planar=True, body="rod"))  # fmt: skip
_PROPERTIES = model.MassProperties(1.0, (0, 0, 1), (1, 1, 1))
_add("MassProperties.check", lambda w, k: call(_PROPERTIES.check, "rod"))
_add("MassProperties.inertia_about", lambda w, k: call(_PROPERTIES.inertia_about, (1, 2, 3)))
_add("MassProperties.moved", lambda w, k: call(_PROPERTIES.moved, (1, 2, 3)))
_add("MassProperties.placed", lambda w, k: call(_PROPERTIES.placed, (1, 2, 3), np.eye(3)))
_add("MassProperties.principal", lambda w, k: call(_PROPERTIES.principal))
_add("MassProperties.rotated", lambda w, k: call(_PROPERTIES.rotated, (1, 0, 0, 0)))
_add("MassProperties.scaled", lambda w, k: call(_PROPERTIES.scaled, 2.0))


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
    _add(f"shapes.{_name}", (lambda kind, a, k: lambda w, i: Call(kind, a, dict(k), _drawn))(
        getattr(shapes, _name), _args, _kwargs))  # fmt: skip
for _name in ("Cylinder", "Capsule"):
    _add(f"shapes.{_name}.between", (lambda kind: lambda w, i: Call(
        kind.between, ((0, 0, 0), (1, 0, 0), 0.1), {}, _drawn))(getattr(shapes, _name)))  # fmt: skip
_add("shapes.Shape.mass_properties", lambda w, k: call(_BOX.mass_properties, density=1.0),
     lambda w, k: call(_BOX.mass_properties, mass=1.0))  # fmt: skip
_add("shapes.Shape.placed", lambda w, k: call(_BOX.placed, (0, 0, 1), 0.3))
_add("shapes.Shape.triangles", lambda w, k: call(shapes.Sphere(1.0).triangles, 12))
_add("shapes.Shape.outline", lambda w, k: call(shapes.Disc(1.0).outline, 12))
_add("shapes.Shape.wires", lambda w, k: call(shapes.Disc(1.0).wires, 12))
_add("meshes.Mesh", lambda w, k: Call(meshes.Mesh, (VERTICES, FACES), {"scale": 2.0, "position": (0, 0, 1)}, _drawn),
     lambda w, k: Call(meshes.Mesh, (w.mesh,), {"rotation": 0.3}, _drawn))  # fmt: skip
_add("meshes.Mesh.placed", lambda w, k: call(meshes.Mesh(VERTICES, FACES).placed, (0, 0, 1), 0.3))
_add("meshes.load_mesh", lambda w, k: call(meshes.load_mesh, w.mesh))

# --------------------------------------------------------------------------------------------------------- equations


def _question(name: str, /, *needed: str, **options: Any) -> Maker:
    """A question to equations of any builder; options are made of the equations and their start."""

    def make(w: World, k: int) -> Call:
        _, eqs, start = w.case(k)
        return call(
            getattr(eqs, name),
            *(getattr(start, key) for key in needed),
            **{key: value(eqs) if callable(value) else value for key, value in options.items()},
        )

    return make


def _first(key: str) -> Callable[[Any], Any]:
    return lambda eqs: [eqs.names[key][0]]


def _none(eqs: Any) -> dict[str, Any]:
    return {}


def _trace_example(w: World, k: int) -> Call:
    def follow(eqs: Any) -> Any:
        start = eqs.assemble(np.full(eqs.sizes.q, 0.5), v=np.zeros(eqs.sizes.v), u=np.zeros(eqs.sizes.u))
        return eqs.forward_dynamics(start.q, start.v, start.u)

    common = {
        "M": lambda p: p.m * np.eye(2), "f": lambda q, v, u: -q - v + u[0], "n_q": 2, "n_v": 2, "n_u": 1,
        "d": lambda u: -u, "parameters": {"m": 1.0, "l": 1.0},
    }  # fmt: skip
    if k % 3 == 0:
        return Call(da.trace, (), {**common, "g": lambda q, p: np.array([q @ q - p.l**2]), "breaks": [1.0],
                    "names": {"q": ["x", "y"], "lam": ["rod"]}, "name": "traced"}, follow)  # fmt: skip
    if k % 3 == 1:
        return Call(da.trace, (), {**common, "T": lambda: np.eye(2), "normalize": lambda q: q,
                    "nonholonomic": lambda v: v[:1]}, follow)  # fmt: skip
    return Call(da.trace, (), {**common, "f": da.numeric(lambda q, v: -q - v), "w": lambda t: np.array([t])}, follow)


_add("trace", _trace_example, _trace_example, _trace_example)
_add("column_groups", lambda w, k: Call(
    da.column_groups, ([0, 0, 1, 2], [0, 2, 1, 0], (3, 4)), {}, lambda groups: groups.max()))  # fmt: skip
_add("linalg.longest_row", lambda w, k: Call(linalg.longest_row, ([0, 0, 1], [0, 2, 1]), {}, int))
_add("linalg.consistent", lambda w, k: Call(linalg.consistent, ([0, 1, 1], [0, 0, 1], [0, 2, 1]), {}, bool))
_add("numeric", lambda w, k: Call(
    da.numeric, (lambda q, v: -q - v,), {"depends": {"q": np.eye(2), "v": np.eye(2)}},
    lambda f: (lambda e: e.forward_dynamics([0.1, 0.2]))(da.trace(M=lambda: np.eye(2), f=f, n_q=2))))  # fmt: skip
_add("Elements", lambda w, k: Call(
    da.Elements, ("chain",), {"coordinates": ["x", "y"], "velocities": ["a", "b"], "states": ["u"],
                              "parameters": {"g": 9.81}, "breaks": [1.0]},
    lambda e: e.add("one", coordinates=[[0, 1]], velocities=[[0, 1]], M=lambda: np.eye(2))))  # fmt: skip


def _elements(states: Any = None) -> Any:
    elements = da.Elements("chain", coordinates=["x", "y", "z"], parameters={"g": 9.81}, states=states)
    elements.add("mass", coordinates=[[0], [1], [2]], M=lambda: np.eye(1))
    return elements


def _element(w: World, k: int) -> Call:
    elements = _elements(["u"])
    return Call(
        elements.add, ("link",),
        {"coordinates": [[0, 1], [1, 2]], "f": lambda q, p: -p.k * q, "g": lambda q: q[:1] - q[1:],
         "data": {"k": [1.0, 2.0]}, "row_names": [["a"], ["b"]], "states": [[0], [0]],
         "d": lambda u: -u},
        lambda result: elements.equations(),
    )  # fmt: skip


_add("Elements.add", _element)


def _expression_element(w: World, k: int) -> Call:
    elements = da.Elements("chain", coordinates=["x", "y"])
    elements.add("mass", coordinates=[[0], [1]], M=lambda: np.eye(1))
    found = w.equations["traced"].expressions
    return Call(elements.add_expressions, ("link", found),
                {"coordinates": [[0, 1]], "data": {"m": 1.0, "l": 1.0}, "row_names": [["a"]]},
                lambda result: elements.equations())  # fmt: skip


_add("Elements.add_expressions", _expression_element)
_add("Elements.equations", lambda w, k: call(_elements().equations))
_add(
    "Equations.assemble",
    _question("assemble", "q", "v", "u", t=0.0, held=(), parameters=_none, redundant="refuse"),
    _question("assemble", "q", held=_first("q"), held_velocities=_first("v")),
    lambda w, k: call(w.equations["relative"].assemble, {"pin.angle": 0.3}, {"pin.rate": 0.0}),
)
_add("Equations.check", _question("check", "q", "v", "u", t=0.0, parameters=_none, redundant="accept"))
_add("Equations.default", _question("default", key="q"))
_add("Equations.degrees_of_freedom", _question("degrees_of_freedom", "q", t=0.0, parameters=_none))
_add(
    "Equations.equilibrium",
    _question("equilibrium", "q", held=_first("q"), stable=False, t=0.0, parameters=_none),
    lambda w, k: call(
        w.plane.m.equations().equilibrium, {"pin.angle": -1.5}, velocities={"slide.rate": 0.0, "pin.rate": 0.0}
    ),
)
_add("Equations.evaluate", lambda w, k: (lambda eqs, at: call(
    eqs.evaluate, "M", "f", t=0.0, q=at.q, v=at.v, lam=at.lam, u=at.u, parameters={}))(*w.case(k)[1:]))  # fmt: skip
_add("Equations.forward_dynamics", _question("forward_dynamics", "q", "v", "u", t=0.0, parameters=_none))
_add("Equations.index", lambda w, k: (lambda eqs: call(eqs.index, "q", eqs.names["q"][0]))(w.case(k)[1]))
_add("Equations.inverse_dynamics", _question("inverse_dynamics", "q", "v", "a", "u", actuated=_first("v"), t=0.0))
_add("Equations.kinematics", lambda w, k: call(w.driven.kinematics, [0.0, 0.1, 0.2], w.driven.default("q")))
_add("Equations.linearise", lambda w, k: (lambda eqs, at: call(
    eqs.linearise, at.q, at.v, at.u, t=0.0, independent=[eqs.names["q"][1]], inputs=[eqs.names["v"][0]],
    parameters={}))(*w.case(k)[1:]),
    _question("linearise", "q", "v"))  # fmt: skip
_add(
    "Equations.lines",
    lambda w, k: (lambda eqs, at: call(eqs.lines, np.zeros(2), np.stack([at.q, at.q], axis=1), {}))(*w.case(k)[1:]),
)
_add("Equations.parameter_vector", lambda w, k: call(w.equations["traced"].parameter_vector, {"m": 2.0}),
     lambda w, k: call(w.equations["relative"].parameter_vector, {"k": 2.0}))  # fmt: skip
_add("Equations.program", _question("program", name="contract"))
_add("Equations.restricted", _question("restricted", rows=lambda eqs: [0]))
_add("Equations.vector", lambda w, k: (lambda eqs, at: call(eqs.vector, "q", at.q))(*w.case(k)[1:]))
_add("Equations.function_of", lambda w, k: call(w.equations["relative"].function_of, w.equations["relative"].model))
EXAMPLES["Equations.function_of"] = [
    lambda w, k: (lambda l: call(l.m.equations().function_of, l.pin.angle))(w.plane),
]
_add("Mechanism.beyond", lambda w, k: (lambda eqs, at: call(eqs.beyond, 0.0, at.q, {}))(
    w.equations["relative"], w.starts["relative"]))  # fmt: skip
_add("Mechanism.evaluate_quantity", lambda w, k: (lambda l: (lambda eqs: call(
    eqs.evaluate_quantity, l.pin.angle, eqs.assemble(), {}))(l.m.equations()))(w.plane))  # fmt: skip
_add("Mechanism.start", lambda w, k: call(w.equations["relative"].start, {"pin.angle": 0.2}, {"k": 1.0}))
_add("Sizes", lambda w, k: call(type(w.equations["traced"].sizes), 1, 1, 0, 0, 0, 0))
_add("State", lambda w, k: Call(da.State, (0.0, [1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0], []), {},
                                lambda at: da.simulate(w.equations["traced"], (0, 0.01), at)))  # fmt: skip
_add("Kinematics.state", lambda w, k: call(w.driven.kinematics([0.0, 0.1]).state, 1))
for _name, _needed in {
    "forward_dynamics": 3, "inverse_dynamics": 3, "mass_matrix": 1, "inverse_dynamics_derivatives": 3, "frames": 3,
    "joint_wrenches": 3,
}.items():  # fmt: skip
    _add(f"TreeDynamics.{_name}", (lambda name, n: lambda w, k: call(
        getattr(w.tree, name), *([_numbered(3)] * n)))(_name, _needed))  # fmt: skip

# --------------------------------------------------------------------------------------------------------- integrate


def _simulate(w: World, k: int) -> Call:
    _, eqs, start = w.case(k)
    if k % 2:
        return call(da.simulate, eqs, (0.0, 0.02), start, method="dopri5", rtol=1e-4, atol=1e-6, t_eval=[0.0, 0.01],
                    events=[da.Event(lambda t, q: q[0] - 100.0)], max_steps=5, dense_output=True)  # fmt: skip
    return call(da.simulate, eqs, (0.0, 0.02), (start.q, start.v), outputs={"x": lambda q: q[0]}, first_step=1e-3,
                max_step=0.01, min_step=0.0, constraints=list(eqs.names["lam"][:1]), max_steps=5, event_checks=3,
                parameters={}, formalism="contract", solver="auto", redundant="accept",
                progress=lambda t, statistics: None, monitor=lambda record: None)  # fmt: skip


_add("simulate", _simulate, _simulate, _simulate)
_add("resume", lambda w, k: call(
    da.resume, w.run, w.equations["relative"], events=[lambda t, q: q[0] - 10.0], max_steps=2,
    outputs={"x": lambda q: q[0]}, progress=lambda t, statistics: None))  # fmt: skip


def _moved(w: World, **options: Any) -> Any:
    return da.simulate(w.equations["traced"], (0.0, 0.05), w.starts["traced"], max_steps=4, **options)


_add("Event", lambda w, k: Call(
    da.Event, (lambda t, q: q[1] + 1e-3,), {"direction": 0, "terminal": False, "threshold": 0.0, "name": "low",
                                             "action": lambda t, q, v: da.Change(v=v)},
    lambda event: _moved(w, events=[event])))  # fmt: skip
_add("Event.of", lambda w, k: call(da.Event.of, lambda t, q: q[1], 0))
_add("Change", lambda w, k: Call(
    da.Change, (), {"q": [1.0, 0.0], "v": [0.0, 0.0], "parameters": {"m": 2.0}, "constraints": [0], "terminate": False},
    lambda change: _moved(w, events=[da.Event(lambda t, q: q[1] + 1e-3, action=lambda: change)])))  # fmt: skip
_NEWMARK = {"beta": 0.25, "gamma": 0.5, "rho": 0.9, "alpha": None, "estimate": "euler", "iteration": None}
_CHART = {"chart": "tangent", "jacobian": "auto", "errors": "all", "partition_limit": 1.25, "controller": None}
_METHODS: dict[str, dict[str, Any]] = {
    "Adams": {"max_order": 8, "stabilisation": None, "controller": None},
    "Bdf": {"max_order": 4, "min_order": None, "starter": True, "jacobian": "auto", "keep": 0.5, "grow": 1.5,
            "rows": "residual", "constraints": "ggl", "velocities": True,
            "iteration": integrate.Newton(limit=8), "controller": None},
    "Dop853": {"controller": integrate.Elementary(), "stabilisation": integrate.Baumgarte(5.0)},
    "Dopri5": {"controller": integrate.ProportionalIntegral()},
    "HalfExplicit": {"controller": integrate.Elementary()},
    "Mexx": {"max_order": 8, "max_dense_order": 4, "discretization": "auto"},
    "Sdirk": {"formula": "4/15", "filtered": True, "iteration": integrate.Newton(limit=8), **_CHART},
    "Rosenbrock": {"formula": "thesis", "filtered": False, **_CHART},
    "Newmark": {**_NEWMARK, **_CHART},
    "Descriptor": {"formula": "4/16", "iteration": integrate.Newton(limit=8), **_CHART},
    "Radau": {"stages": 3, "jacobian": "auto", "iteration": integrate.Newton(limit=8), "controller": None},
}  # fmt: skip
for _name, _options in _METHODS.items():
    _add(_name, (lambda kind, options: lambda w, k: Call(
        kind, (), dict(options), lambda it: _moved(w, method=it)))(getattr(integrate, _name), _options))  # fmt: skip
_add("Baumgarte", lambda w, k: Call(
    integrate.Baumgarte, (5.0, 7.0), {}, lambda it: _moved(w, method=da.Dopri5(stabilisation=it))))  # fmt: skip
_add("Jacobian", lambda w, k: Call(
    da.Jacobian, ("differences", "estimated"), {"update": "extended", "known_columns": True, "excitations": None},
    lambda it: _moved(w, method=da.Radau(jacobian=it))))  # fmt: skip
_add("Newton", lambda w, k: Call(integrate.Newton, (7, 1e-3), {}, lambda it: _moved(w, method=da.Radau(iteration=it))))


def _controlled(kind: type) -> Any:
    return da.Radau if kind is da.Gustafsson else da.Dopri5


_CONTROLLERS = {"Elementary": {}, "Gustafsson": {}, "ProportionalIntegral": {"beta": 0.04}, "FixedStep": {"size": 1e-3}}
for _name, _more in _CONTROLLERS.items():
    _sizes = {} if _name == "FixedStep" else {"safety": 0.9, "shrink": 0.2, "grow": 5.0}
    _add(_name, (lambda kind, options: lambda w, k: Call(
        kind, (), dict(options), lambda it: _moved(w, method=_controlled(kind)(controller=it))))(
            getattr(integrate, _name), {**_sizes, **_more}))  # fmt: skip
_add("draw", lambda w, k: call(da.draw, w.run, w.equations["relative"], 10))
_add("methods", lambda w, k: call(da.methods))
_add("Method.stored", lambda w, k: call(da.Radau().stored))
_add("Method.restored", lambda w, k: Call(da.Method.restored, (da.Mexx(max_order=8).stored(),), {}, repr))

# ------------------------------------------------------------------------------------------------- solution and report


def _looked_at(run: Any) -> Any:
    return repr(run), run.t_events, run.nfev


_ROW = np.ones((1, 3))
_add("Solution", lambda w, k: Call(
    solution.Solution, (np.arange(3.0), _ROW, _ROW, _ROW, np.ones((0, 3)), np.ones((0, 3))),
    {"names": {"q": ("x",)}, "units": {"x": "m"}, "message": "done", "title": "one"}, _looked_at))  # fmt: skip
_add("Solution.__getitem__", lambda w, k: call(w.run.__getitem__, "pin.angle"))
_add("Solution.curves", lambda w, k: call(w.run.curves, "pin.angle", "slide.displacement"))
_add("Solution.save", lambda w, k: call(w.run.save, w.folder / f"saved{k % 5}"))
_add("load", lambda w, k: call(da.load, w.stored))
_add("report", lambda w, k: call(da.report, w.run, w.folder / "page.html"))
_add("DenseOutput", lambda w, k: Call(
    solution.DenseOutput, ([0.0, 1.0, 2.0], np.ones((2, 3, 2)), {"n_q": 1, "n_v": 1, "n_u": 0, "n_lam": 0}),
    {"algebraic": np.ones((2, 3, 1))}, lambda dense: dense(0.5)))  # fmt: skip
_add("DenseOutput.__call__", lambda w, k: call(w.dense, [0.1, 1.5]), lambda w, k: call(w.run.sol, 1e-4))
_add("DenseOutput.locate", lambda w, k: call(w.dense.locate, np.array([0.1, 1.5])))
_add("DenseOutput.with_algebraic", lambda w, k: call(w.run.sol.with_algebraic))
_add("Curves", lambda w, k: Call(solution.Curves, (w.dense, ["x", "v"], [0, 1]), {}, lambda curves: curves(0.5)))
_add("Curves.__call__", lambda w, k: call(w.curves, [1e-4, 2e-4]))
_add("Sketch", lambda w, k: call(solution.Sketch, [0.0, 1.0], {"rod": np.ones((2, 3, 2))}))
_add("Checkpoint", lambda w, k: call(solution.Checkpoint, {"x": np.ones(2)}, {"a": 1}))
_add("EventRecord", lambda w, k: call(solution.EventRecord, 0, "hit", 1.0, *[np.ones(1)] * 5))
_add("MotionPoint", lambda w, k: call(solution.MotionPoint, 1.0, *[np.ones(1)] * 5))
_add("Statistics", lambda w, k: Call(solution.Statistics, (1, 2), {"extra": {"a": 1}}, lambda it: it.as_dict()))
_add("Statistics.as_dict", lambda w, k: call(solution.Statistics().as_dict))

# ---------------------------------------------------------------------------------------------------------- problems

_add("problems.get", lambda w, k: call(problems.get, "pendulum", m=2.0))
_add("problems.names", lambda w, k: call(problems.names))
_PROBLEMS: dict[str, dict[str, Any]] = {
    "a01": {"t_end": 10.0}, "a02": {"n": 3, "t_end": 1.0}, "a03": {}, "cable_drum": {"mu": 0.25, "t_end": 1.0},
    "carriage": {"builder": "elements"},
    "double_pendulum": {"m1": 1.0, "m2": 1.0, "L1": 1.0, "L2": 1.0, "g": 9.81, "t_end": 1.0},
    "excited_chain": {"n": 3, "g": 9.81, "t_end": 0.1},
    "insulator_chain": {"n": 3, "joints": "constraints", "t_end": 0.1},
    "pendulum": {"m": 1.0, "L": 1.0, "g": 1.0, "q0": (1.0, 0.0), "v0": (0.0, 1.0), "t_end": 1.0},
    "pendulum_chain": {"n": 3, "length": 1.0, "mass": 1.0, "g": 9.81, "t_end": 1.0}, "seven_body": {},
    "slider_crank": {"start": "smooth", "stiffness": "linear", "damping": False, "gravity": 0.0, "crank": "constant"},
    "stiff_double_pendulum": {"start": "rest"}, "truck": {"variant": "joint", "springs": "air"},
    "truck_surrogate": {"excitation": "sine"},
}  # fmt: skip
for _name, _options in _PROBLEMS.items():
    _add(f"problems.{_name}", (lambda f, options: lambda w, k: call(f, **options))(getattr(problems, _name), _options))
_MECHANISMS: dict[str, dict[str, Any]] = {
    "a01": {"t_end": 1.0}, "a02": {"n": 2, "t_end": 1.0}, "a03": {}, "bricard": {}, "chain": {"n": 2},
    "double_wishbone": {}, "four_bar": {"driven": True}, "free_body": {}, "pendulum": {"amplitude": 2.0},
    "hmmwv14": {"stiff": True, "locked": True, "road": "envelope"},
    "axle_rig": {"amplitude": 0.02, "fastest": 4.0, "slowest": 1.0, "bar": 0.0},
    "steered_car": {"stiff": True, "steering": "prescribed", "expensive": True, "amplitude": 0.01},
    "rolling_disc": {"tilt": 1.2, "w": (0.3, 1.0, -5.0)}, "seven_body": {}, "slider_crank": {},
    "delta_robot": {"balls": False}, "spatial_slider_crank": {},
    "stewart_platform": {}, "top": {"tilt": 0.5, "spin": 120.0, "precession": 0.0},
}  # fmt: skip
for _name, _options in _MECHANISMS.items():
    _add(f"mechanisms.{_name}",
         (lambda f, options: lambda w, k: call(f, **options))(getattr(mechanisms, _name), _options))  # fmt: skip
_add("Example", lambda w, k: (lambda l: Call(
    mechanisms.Example, (l.m,), {"span": (0.0, 1.0), "start": {"pin.angle": 0.1}},
    lambda it: it.assemble(l.m.equations())))(w.plane))  # fmt: skip
_add(
    "Example.assemble", lambda w, k: (lambda it: call(it.assemble, it.model.equations(), t=0.0))(mechanisms.pendulum())
)
_add("Observation", lambda w, k: call(mechanisms.Observation, 1.0, {"x": 1.0}, digits=3, source="here"))
_add("Reference", lambda w, k: Call(problems.Reference, (1.0,), {"q": [1.0], "digits": 3, "source": "here"},
                                    lambda it: it.trusted("q")))  # fmt: skip
_add("Reference.trusted", lambda w, k: call(problems.Reference(1.0, q=[1.0], digits={"q": 3}, source="x").trusted, "q"))
_add("ElementGroup", lambda w, k: call(problems.ElementGroup, "one", [[0, 1]], M=lambda p: np.eye(2), data={"m": 1.0}))
_add("Problem", lambda w, k: Call(
    problems.Problem, ("own",),
    {"title": "a", "story": "b", "citation": "c", "coordinates": ["x"], "parameters": {"m": 1.0}, "span": (0.0, 0.01),
     "q0": [1.0], "v0": [0.0], "sketch": lambda t, q, p: {"x": [(q[0], q[0])]},
     "functions": {"M": lambda p: p.m * np.eye(1), "f": lambda q: -q}},
    lambda it: it.draw(da.simulate(it, max_steps=3), 5)))  # fmt: skip
_add("Problem.draw", lambda w, k: (lambda it: call(it.draw, da.simulate(it, (0, 0.01), max_steps=3), 10))(
    problems.pendulum()))  # fmt: skip
_add("Problem.reference", lambda w, k: call(problems.seven_body().reference, 0.03))

# ------------------------------------------------------------------------------------------------------------- linalg


def _mode(w: World, k: int) -> Call:
    from dalembert.linalg.saddle import MODES

    MODES.pop("own mode", None)
    return Call(linalg.add_mode, ("own mode", MODES["dense"]), {}, lambda result: _moved(w, solver="own mode"))


_add("linalg.add_mode", _mode)

# ----------------------------------------------------------------------------------------------------------- symbolic

_add("symbolic.Graph", lambda w, k: call(symbolic.Graph))
for _kind in ("coordinate", "input", "parameter", "variable"):
    _add(f"Graph.{_kind}", (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), kind), "a"))(_kind))
    _add(f"Graph.{_kind}s", (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), f"{kind}s"), "a", 3))(_kind),
         (lambda kind: lambda w, k: call(getattr(symbolic.Graph(), f"{kind}s"), ["a", "b"]))(_kind))  # fmt: skip
_add("Graph.__getitem__", lambda w, k: call(w.graph.__getitem__, "x"))
_add("Graph.variable", lambda w, k: call(symbolic.Graph().variable, "b", rate=1.0))
for _name in (
    "absolute", "ceil", "floor",
    "arccos", "arcsin", "arctan", "cos", "cosh", "exp", "log", "sign", "sin", "sinh", "sqrt", "tan",
    "tanh",
):  # fmt: skip
    _add(f"symbolic.{_name}", (lambda f: lambda w, k: call(f, w.x if k % 2 else w.xyz))(getattr(symbolic, _name)))
for _name in (
    "arctan2", "mod", "equal", "hypot", "less", "less_equal", "maximum", "minimum", "not_equal",
):  # fmt: skip
    _add(f"symbolic.{_name}", (lambda f: lambda w, k: call(f, w.x, 2.0))(getattr(symbolic, _name)))
_add("symbolic.logical_and", lambda w, k: call(symbolic.logical_and, w.x < 1.0, w.x > 0.0))
_add("symbolic.logical_or", lambda w, k: call(symbolic.logical_or, w.x < 1.0, w.x > 0.0))
_add("symbolic.logical_not", lambda w, k: call(symbolic.logical_not, w.x < 1.0))
_add("symbolic.where", lambda w, k: call(symbolic.where, w.x < 1.0, w.x, 2.0))
_add("symbolic.clip", lambda w, k: call(symbolic.clip, w.x, 0.0, 1.0))
_add("symbolic.array", lambda w, k: call(symbolic.array, [[w.x, 1.0], [2.0, 3.0]]))
_add("symbolic.eye", lambda w, k: call(symbolic.eye, 3))
_add("symbolic.zeros", lambda w, k: call(symbolic.zeros, (2, 3)))
_add("symbolic.derivative", lambda w, k: call(symbolic.derivative, w.expression, w.x))
_add("symbolic.gradient", lambda w, k: call(symbolic.gradient, w.expression, w.xyz))
_add("symbolic.jacobian", lambda w, k: call(symbolic.jacobian, w.xyz * 2, w.xyz, sparse=bool(k % 2), mode="auto"))
_add("symbolic.adjoint_derivative", lambda w, k: call(symbolic.adjoint_derivative, w.xyz, w.xyz, [1.0, 2.0, 3.0]))
_add("symbolic.directional_derivative", lambda w, k: call(symbolic.directional_derivative, w.expression, w.xyz,
                                                          [1.0, 2.0, 3.0]))  # fmt: skip
_add("symbolic.hessian_vector_product", lambda w, k: call(symbolic.hessian_vector_product, w.expression, w.xyz,
                                                          [1.0, 2.0, 3.0]))  # fmt: skip
_add("symbolic.linear_coefficients", lambda w, k: call(symbolic.linear_coefficients, 2.0 * w.xyz, w.xyz))
_add("symbolic.time_derivative", lambda w, k: call(symbolic.time_derivative, w.expression))
_add("symbolic.substitute", lambda w, k: call(symbolic.substitute, w.expression, {w.x: 2.0}))
_add("symbolic.symbols", lambda w, k: call(symbolic.symbols, w.expression))
_add("symbolic.evaluate", lambda w, k: call(
    symbolic.evaluate, w.expression, {"x": 1.0, "y": 2.0, "z": 3.0, "k": 4.0}, numbers="float"))  # fmt: skip
_add("symbolic.compile", lambda w, k: Call(
    symbolic.compile, ({"e": w.expression}, {"x": w.xyz, "k": [w.graph["k"]]}),
    {"name": "made", "staged": bool(k % 2), "fma": False, "cache": True}, repr))  # fmt: skip
_add("symbolic.report", lambda w, k: call(symbolic.report, {"e": w.expression}, {"x": w.xyz, "k": [w.graph["k"]]}))
_add("symbolic.to_sympy", lambda w, k: call(symbolic.to_sympy, w.expression, {"x": "xi"}))
_add("symbolic.from_sympy", lambda w, k: call(symbolic.from_sympy, symbolic.to_sympy(w.expression), w.graph, {}))
_add("symbolic.transplant", lambda w, k: (lambda g: call(
    symbolic.transplant, w.expression, g, {name: g.coordinate(name) for name in "xyzk"}))(
        symbolic.Graph()))  # fmt: skip
_add("CompiledFunction.__call__", lambda w, k: call(w.compiled, [1.0, 2.0, 3.0], [4.0]),
     lambda w, k: call(w.compiled, x=[1.0, 2.0, 3.0], k=[4.0]))  # fmt: skip
_add("CompiledFunction.map", lambda w, k: call(w.compiled.map, np.ones((5, 3)), [4.0]))
_add("CompiledFunction.export_c", lambda w, k: call(w.compiled.export_c, w.folder / "c", "thing"))
_add("CompiledFunction.workspace", lambda w, k: call(w.staged.workspace))
_add("Workspace", lambda w, k: call(symbolic.Workspace, w.staged))
_add("Workspace.set", lambda w, k: (lambda space: Call(
    space.set, (), {"k": [1.0], "x": [1.0, 2.0, 3.0]}, lambda result: space.evaluate("e")))(
        w.staged.workspace()))  # fmt: skip
_add("Workspace.evaluate", lambda w, k: (lambda space: call((space.set(k=[1.0], x=[1.0, 2.0, 3.0]), space)[1].evaluate,
                                                            "e"))(w.staged.workspace()))  # fmt: skip
_add("PiecewisePolynomial", lambda w, k: Call(
    symbolic.PiecewisePolynomial, ([0.0, 1.0, 2.0], [[1.0, 2.0], [1.0, 3.0]], "linear"), {},
    lambda it: (it.evaluate(0.5), it(w.x))))  # fmt: skip
_TABLE = symbolic.PiecewisePolynomial.spline([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])
_add("PiecewisePolynomial.linear", lambda w, k: call(symbolic.PiecewisePolynomial.linear, [0.0, 1.0], [1.0, 2.0],
                                                     "constant"))  # fmt: skip
_add("PiecewisePolynomial.spline", lambda w, k: call(
    symbolic.PiecewisePolynomial.spline, [0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 1.0, 0.0], "natural", "linear"))  # fmt: skip
_add("PiecewisePolynomial.monotone", lambda w, k: call(
    symbolic.PiecewisePolynomial.monotone, [0.0, 1.0, 2.0], [1.0, 2.0, 1.0], "constant"))  # fmt: skip
_GRID = ([0.0, 1.0, 2.0], [0.0, 1.0], [[0.0, 1.0], [1.0, 2.0], [0.0, 3.0]])
_add("symbolic.TableOfTwo", lambda w, k: Call(
    symbolic.TableOfTwo, (*_GRID, "monotone", "linear"), {}, lambda it: it(w.x, w.xyz[1])))  # fmt: skip
_add("symbolic.TableOfTwo.digest", lambda w, k: call(symbolic.TableOfTwo(*_GRID).digest))
_add("symbolic.TableOfTwo.__call__", lambda w, k: call(symbolic.TableOfTwo(*_GRID), w.x, 0.5))
_add("symbolic.table", lambda w, k: Call(symbolic.table, _GRID, {"kind": "monotone", "outside": "linear"}, repr),
     lambda w, k: Call(
         symbolic.table, ([0.0, 1.0, 2.0], [1.0, 2.0, 0.0]), {"kind": "spline"}, lambda it: it(w.x)))  # fmt: skip
_add("PiecewisePolynomial.evaluate", lambda w, k: call(_TABLE.evaluate, [0.5, 1.5], 1))
_add("PiecewisePolynomial.polynomial", lambda w, k: call(_TABLE.polynomial, 1))
_add("PiecewisePolynomial.digest", lambda w, k: call(_TABLE.digest))
_add("PiecewisePolynomial.__call__", lambda w, k: call(_TABLE, w.x))
_add("SparseMatrix", lambda w, k: Call(symbolic.SparseMatrix, ((2, 2), (0, 1), (0, 1), w.xyz[:2]), {},
                                       lambda it: it.toarray()))  # fmt: skip
_add("SparseMatrix.from_dense", lambda w, k: call(symbolic.SparseMatrix.from_dense, [[w.x, 0.0], [0.0, w.x]]))
_add("SparseMatrix.toarray", lambda w, k: call(symbolic.SparseMatrix.from_dense([[w.x]]).toarray))
_add("OperationCounts", lambda w, k: Call(symbolic.OperationCounts, (1, 1, 1, 1, 1, 1), {}, lambda it: it.as_dict()))
_add("OperationCounts.from_dict", lambda w, k: call(
    symbolic.OperationCounts.from_dict, symbolic.OperationCounts(1, 1, 1, 1, 1, 1).as_dict()))  # fmt: skip
_add("OperationCounts.as_dict", lambda w, k: call(symbolic.OperationCounts(1, 1, 1, 1, 1, 1).as_dict))
_add("Report", lambda w, k: call(symbolic.Report, {}, symbolic.OperationCounts(1, 1, 1, 1, 1, 1)))
for _operation in ("add", "sub", "mul", "truediv", "pow", "lt", "ge", "radd", "rpow"):
    _add(f"Atom.__{_operation}__", (lambda op: lambda w, k: call(getattr(w.x, f"__{op}__"), 2.0))(_operation))
_add("Atom.arctan2", lambda w, k: call(w.x.arctan2, 2.0))
_add("Atom.hypot", lambda w, k: call(w.x.hypot, 2.0))

# ---------------------------------------------------------------------------------------------------------- mechanics

_add("Base.root", lambda w, k: call(mechanics.Base.root, symbolic.Graph(), "world"))
_add("Base.rotated", lambda w, k: call(w.base.rotated, "b", (0, 0, 1), w.x, unit=True))
_add("Base.euler", lambda w, k: call(w.base.euler, "b", "zxz", w.xyz))
_add("Base.euler_parameters", lambda w, k: call(w.base.euler_parameters, "b", [w.x, 0.0, 0.0, 1.0], unit=False))
_add("Base.turned", lambda w, k: call(w.base.turned, "b", np.eye(3)))
_add("Base.tensor", lambda w, k: call(w.base.tensor, np.eye(3)))
_add("Base.vector", lambda w, k: call(w.base.vector, 1.0, w.x, 0.0))
_add("Base.common_ancestor", lambda w, k: call(w.base.common_ancestor, w.turned))
_add("Base.is_above", lambda w, k: call(w.base.is_above, w.turned))
_add("Base.same_tree", lambda w, k: call(w.base.same_tree, w.turned))
_add("Point", lambda w, k: call(mechanics.Point, "p", w.point, w.base.vector(1, 2, 3)))
_add("Point.root", lambda w, k: call(mechanics.Point.root, w.base, "O"))
_add("Point.moved", lambda w, k: call(w.point.moved, "p", w.base.vector(1, 2, 3)))
_add("Point.common_ancestor", lambda w, k: call(w.point.common_ancestor, w.far))
_add("Point.is_above", lambda w, k: call(w.point.is_above, w.far))
_add("Point.same_tree", lambda w, k: call(w.point.same_tree, w.far))
_add("Vector", lambda w, k: Call(mechanics.Vector, ({w.base: w.xyz},), {}, lambda v: v.components(w.base)))
_add("Vector.components", lambda w, k: call(w.base.vector(1, 2, 3).components, w.turned))
_add("Vector.express", lambda w, k: call(w.base.vector(1, 2, 3).express, w.turned))
_add("Vector.cross", lambda w, k: call(w.base.vector(1, 2, 3).cross, w.turned.vector(1, 0, 0)))
_add("Vector.dot", lambda w, k: call(w.base.vector(1, 2, 3).dot, w.turned.vector(1, 0, 0)))
_add("Vector.dt", lambda w, k: call(w.turned.vector(1, 2, 3).dt, w.base))
_add("Vector.norm", lambda w, k: call(w.base.vector(1, 2, 3).norm))
for _operation in ("add", "sub", "mul", "rmul", "truediv"):
    _add(f"Vector.__{_operation}__", (lambda op: lambda w, k: call(
        getattr(w.base.vector(1, 2, 3), f"__{op}__"),
        w.turned.vector(1, 0, 0) if op in ("add", "sub") else 2.0))(_operation))  # fmt: skip
_add("Tensor", lambda w, k: Call(mechanics.Tensor, (w.base, symbolic.eye(3)), {}, lambda t: t.components(w.turned)))
_add("Tensor.components", lambda w, k: call(w.base.tensor(np.eye(3)).components, w.turned))
_add("Tensor.express", lambda w, k: call(w.base.tensor(np.eye(3)).express, w.turned))
_add("mechanics.acceleration", lambda w, k: call(mechanics.acceleration, w.far, w.base, w.point,
                                                 gravity=w.base.vector(0, 0, -9.81)))  # fmt: skip
_add("mechanics.angular_acceleration", lambda w, k: call(mechanics.angular_acceleration, w.turned, w.base))
_add("mechanics.angular_velocity", lambda w, k: call(mechanics.angular_velocity, w.turned, w.base))
_add("mechanics.base_change", lambda w, k: call(mechanics.base_change, w.base, w.turned))
_add("mechanics.euler_parameter_rates", lambda w, k: call(mechanics.euler_parameter_rates, [1.0, 0, 0, 0], w.xyz))
_add("mechanics.position", lambda w, k: call(mechanics.position, w.point, w.far))
_add("mechanics.rigid_body_inertia_forces", lambda w, k: call(
    mechanics.rigid_body_inertia_forces, 1.0, w.far, w.turned.tensor(np.eye(3)), w.turned,
    gravity=w.base.vector(0, 0, -9.81)))  # fmt: skip
_add("mechanics.steiner", lambda w, k: call(mechanics.steiner, w.base.tensor(np.eye(3)), 1.0, w.base.vector(1, 0, 0)))
_add("mechanics.velocity", lambda w, k: call(mechanics.velocity, w.far, w.base, w.point))
_add("mechanics.virtual_power", lambda w, k: call(
    mechanics.virtual_power, [(w.base.vector(1, 0, 0), mechanics.velocity(w.far))],
    [symbolic.time_derivative(w.x), symbolic.time_derivative(w.xyz[1])]))  # fmt: skip
