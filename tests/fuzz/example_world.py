"""What valid calls are made of: models, equations, a run, graphs; and the table of calls by names of what is called.

``follow`` of a call is what a user does next with the result: garbage that was taken must not show as a bare error
there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dalembert as da
from dalembert import solution, symbolic
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


def numbered(n: int) -> list[float]:
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
    def swinging(self) -> Any:
        """Equations of a pendulum, and their linearisation where it hangs."""
        m = da.Model("swing", plane="xy", gravity=(0, -9.81))
        m.revolute("A", m.ground.at(0, 0), m.body("rod", mass=1.0, inertia=0.1, com=(0, -0.5)).at(0, 0))
        equations = m.equations()
        return equations, equations.linearise(equations.assemble({}))

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
    def without_stops(self) -> Any:
        """Equations that C can have."""
        return Plane().m.equations()

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


def add(name: str, *makers: Maker) -> None:
    EXAMPLES.setdefault(name, []).extend(makers)
