"""Mechanisms for the campaign: random trees and loops, and some templates whose numbers are parameters with units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from model.agreement import is_settled
from model.random_models import PLANAR, SPATIAL, Builder, Thrown, loop, structure

from dalembert.model.model import Model

FORMULATIONS = (("relative", "symbolic"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements"))


def random_mechanism(rng: np.random.Generator, forces: bool = True, loops: bool = True) -> Builder:
    """A random tree or loop, with a start that meets its constraints."""
    choose = Thrown(rng)
    while True:
        planar, closed, damped = choose.flag(), loops and choose.flag(), choose.flag()
        kinds = PLANAR if planar else SPATIAL
        if not closed:
            return Builder(structure(choose, kinds, forces=forces) | {"damped": damped}, planar)
        tree, closing = loop(choose, kinds, 3)
        if closing is None:
            continue
        builder = Builder(tree | {"damped": damped, "forces": tree["forces"] if forces else []}, planar)
        builder.close(closing)
        if is_settled(builder):
            return builder


#: Parameters of a template: default, and powers of mass, length and time.
Units = dict[str, tuple[float, tuple[float, float, float]]]


def _double_pendulum(m: Model, p: Any) -> list[str]:
    one, two = (m.body(name, mass=mass, inertia=p.J, com=(p.l, 0.0)) for name, mass in (("one", p.m1), ("two", p.m2)))
    A = m.revolute("A", m.ground.at(0, 0), one.at(0, 0))
    B = m.revolute("B", one.at(2 * p.l, 0), two.at(0, 0))
    for name, body in (("w1", one), ("w2", two)):
        mass = p.m1 if body is one else p.m2
        m.force(name, body.com, (0.0, -1.0 * mass * p.g) if isinstance(mass, float) else law_of_weight(name))
    m.torsion_spring("spring", B, p.kt, p.ct)
    m.spring("strut", m.ground.at(p.l, -5.0 * p.l), two.at(p.l, 0), p.k, p.c, length=p.l)
    m.sensor("tip", two.at(2 * p.l, 0).position)
    return [A.angle.name, B.angle.name]


def law_of_weight(name: str) -> Callable[[Any], Any]:
    """The weight of a body whose mass is a parameter."""
    if name.endswith("1"):
        return lambda p: (0.0, -p.m1 * p.g)
    return lambda p: (0.0, -p.m2 * p.g)


def _four_bar(m: Model, p: Any) -> list[str]:
    a, b, c = (
        m.body(name, mass=mass, inertia=p.J, com=(p.l, 0.0)) for name, mass in (("a", p.m1), ("b", p.m2), ("c", p.m1))
    )
    A = m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(p.l, 0), b.at(0, 0))
    m.revolute("C", b.at(3 * p.l, 0), c.at(0, 0))
    m.revolute("D", m.ground.at(3 * p.l, 0), c.at(2 * p.l, 0))
    m.force("w1", a.com, (0.0, -1.0 * p.m1 * p.g) if isinstance(p.m1, float) else law_of_weight("w1"))
    m.torsion_spring("spring", A, p.kt, p.ct)
    m.spring("strut", m.ground.at(p.l, -3.0 * p.l), b.at(p.l, 0), p.k, p.c, length=p.l)
    m.sensor("tip", b.at(p.l, p.l).position)
    return [A.angle.name]


def _crane(m: Model, p: Any) -> list[str]:
    trolley = m.body("trolley", mass=p.m1, inertia=p.J)
    hook = m.body("hook", mass=p.m2, inertia=p.J, position=(0.0, -1.0))
    rail = m.prismatic("rail", m.ground.at(0, 0), trolley.at(0, 0))
    m.distance("rope", trolley.at(0, 0), hook.at(0, 0), p.l)
    m.joint_spring("buffer", rail, p.k, p.c)
    m.force("w2", hook.com, (0.0, -1.0 * p.m2 * p.g) if isinstance(p.m2, float) else law_of_weight("w2"))
    m.torsion_spring("swivel", (trolley, hook), p.kt, p.ct)
    m.sensor("tip", hook.com.position)
    return [rail.displacement.name]


def _gyroscope(m: Model, p: Any) -> list[str]:
    ring = m.body("ring", mass=p.m1, inertia=(p.J, p.J, p.J), com=(0.0, 0.0, 0.0))
    rotor = m.body("rotor", mass=p.m2, inertia=(p.J, p.J, 1.5 * p.J), com=(0.0, 0.0, p.l))
    U = m.universal("U", m.ground.at(0, 0, 0), ring.at(0, 0, 0))
    S = m.revolute("S", ring.at(0, 0, 0), rotor.at(0, 0, 0))
    m.bushing(
        "mount",
        m.ground.at(0, 0, p.l),
        ring.at(0, 0, p.l),
        (p.k, p.k, p.k, 0.0, 0.0, 0.0),
        (p.c, p.c, p.c, 0.0, 0.0, 0.0),
    )
    m.sensor("tip", rotor.at(p.l, 0, p.l).position)
    return [U.angle1.name, U.angle2.name, S.angle.name]


def _sledge(m: Model, p: Any) -> list[str]:
    sledge = m.body("sledge", mass=p.m1, inertia=p.J)
    load = m.body("load", mass=p.m2, inertia=p.J, com=(0.0, -1.0 * p.l))
    way = m.prismatic("way", m.ground.at(0, 0), sledge.at(0, 0))
    A = m.revolute("A", sledge.at(0, 0), load.at(0, 0))
    m.friction("rubbing", way, p.F, velocity=p.v)
    m.joint_spring("buffer", way, p.k, p.c)
    m.torsion_spring("spring", A, p.kt, p.ct)
    m.sensor("tip", load.com.position)
    return [way.displacement.name, A.angle.name]


UNITS: Units = {
    "m1": (1.0, (1, 0, 0)), "m2": (2.0, (1, 0, 0)), "J": (0.3, (1, 2, 0)), "l": (0.7, (0, 1, 0)),
    "g": (9.81, (0, 1, -2)), "k": (30.0, (1, 0, -2)), "c": (0.4, (1, 0, -1)), "kt": (8.0, (1, 2, -2)),
    "ct": (0.2, (1, 2, -1)), "F": (2.0, (1, 1, -2)), "v": (0.05, (0, 1, -1)),
}  # fmt: skip
TEMPLATES: dict[str, tuple[Callable[[Model, Any], list[str]], bool]] = {
    "double pendulum": (_double_pendulum, True), "four bars": (_four_bar, True), "crane": (_crane, True),
    "gyroscope": (_gyroscope, False), "sledge": (_sledge, True),
}  # fmt: skip


class Numbers:
    """Numbers in place of parameters."""

    def __init__(self, values: dict[str, float]) -> None:
        self.__dict__.update({name: float(value) for name, value in values.items()})


def template(name: str, numbers: dict[str, float] | None = None) -> tuple[Model, list[str]]:
    """A template with parameters, or with numbers in their place; and the coordinates that a start may give."""
    build, planar = TEMPLATES[name]
    m = Model(name, plane="xy" if planar else None)
    if numbers is None:
        m.parameters(**{key: value for key, (value, _) in UNITS.items()})
        return m, build(m, m.p)
    return m, build(m, Numbers(numbers))


def drawn_parameters(rng: np.random.Generator) -> dict[str, float]:
    """Values around the defaults."""
    return {name: float(value * 10.0 ** rng.uniform(-0.3, 0.3)) for name, (value, _) in UNITS.items()}


def scaled(values: dict[str, float], scales: tuple[float, float, float]) -> dict[str, float]:
    """Values in other units."""
    return {name: float(value * np.prod(np.power(scales, UNITS[name][1]))) for name, value in values.items()}
