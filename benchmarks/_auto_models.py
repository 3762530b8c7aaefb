"""Models for benchmarks/auto.py: stiff ones that users met, and some that only look so."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from dalembert.problems import mechanisms

Case = tuple[Any, tuple[float, float], Any, dict[str, Any]]


def bushing(stiffness: float = 1e7, damping: float = 1e5) -> Case:
    """A link in a rubber bushing at the end of a swinging arm."""
    m = da.Model("bushing", plane="xy", gravity=(0, -9.81))
    arm = m.body("arm", mass=10.0, inertia=1.0, com=(0.5, 0))
    link = m.body("link", mass=2.0, inertia=0.1, com=(0.2, 0))
    A = m.revolute("A", m.ground.at(0, 0), arm.at(0, 0))
    m.bushing(
        "bush", arm.at(1, 0), link.at(0, 0), stiffness=(stiffness, stiffness, 100.0), damping=(damping, damping, 1.0)
    )
    eqs = m.equations()
    return eqs, (0.0, 2.0), eqs.assemble({A.angle: 0.0}), {}


def governor() -> Case:
    """A centrifugal governor: two arms on a shaft that a motor holds at speed, tied to a sleeve by stiff struts."""
    m = da.Model("governor", gravity=(0, 0, -9.81))
    shaft = m.body("shaft", mass=5.0, inertia=(0.05, 0.05, 0.02))
    sleeve = m.body("sleeve", mass=2.0, inertia=(0.01, 0.01, 0.01))
    spin = m.revolute("spin", m.ground.at(0, 0, 0), shaft.at(0, 0, 0))
    slide = m.prismatic("slide", shaft.at(0, 0, 0), sleeve.at(0, 0, 0))
    hinges = []
    for k, sign in enumerate((1.0, -1.0)):
        arm = m.body(f"arm{k}", mass=1.0, inertia=(0.001, 0.01, 0.01), com=(0.25 * sign, 0, 0))
        hinges.append(
            m.revolute(f"hinge{k}", shaft.at(0.02 * sign, 0, 0.5, axis=(0, 1, 0)), arm.at(0, 0, 0, axis=(0, 1, 0)))
        )
        m.spring(
            f"strut{k}", arm.at(0.15 * sign, 0, 0), sleeve.at(0.02 * sign, 0, 0), stiffness=8e5, damping=5e3, length=0.2
        )
    m.torque("motor", spin, lambda rate: 20.0 * (14.0 - rate))
    m.joint_spring("return", slide, 200.0, 30.0, natural=0.2)
    eqs = m.equations()
    start = {spin.rate: 12.0, hinges[0].angle: 0.9, hinges[1].angle: -0.9, slide.displacement: 0.25}
    return eqs, (0.0, 4.0), eqs.assemble(start), {}


def crane(links: int = 30) -> Case:
    """A load on a chain of links with friction in its pins."""
    m = da.Model("crane", plane="xy", gravity=(0, -9.81))
    before = m.ground.at(0, 0)
    joints = []
    for k in range(links):
        body = m.body(f"link{k}", mass=0.5, inertia=0.002, com=(0.1, 0))
        joint = m.revolute(f"pin{k}", before, body.at(0, 0))
        m.joint_spring(f"friction{k}", joint, 0.0, 5.0)
        joints.append(joint)
        before = body.at(0.2, 0)
    load = m.body("load", mass=200.0, inertia=20.0, com=(0, 0))
    m.revolute("hook", before, load.at(0, 0))
    eqs = m.equations()
    return eqs, (0.0, 5.0), eqs.assemble({joints[0].angle: -1.2}), {}


def wrong_stiffness() -> Case:
    """A spring of 1e6 N/m that was given in N/mm: an undamped ringing that must be followed."""
    m = da.Model("wrong stiffness", plane="xy", gravity=(0, -9.81))
    arm = m.body("arm", mass=10.0, inertia=1.0, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), arm.at(0, 0))
    m.spring("spring", arm.at(1, 0), m.ground.at(1, 1), stiffness=1e9, length=0.999)
    eqs = m.equations()
    return eqs, (0.0, 0.2), eqs.assemble({A.angle: 0.0}), {}


def stick_slip() -> Case:
    """A block on a belt, with dry friction that is regularised sharply."""
    m = da.Model("belt", plane="xy", gravity=(0, 0))
    block = m.body("block", mass=1.0, inertia=1.0)
    slide = m.prismatic("slide", m.ground.at(0, 0), block.at(0, 0))
    m.joint_spring("spring", slide, 100.0, 0.5)
    m.force("belt", slide.displacement, lambda rate: 8.0 * np.tanh((0.5 - rate) / 1e-4))
    eqs = m.equations()
    return eqs, (0.0, 5.0), eqs.assemble({slide.displacement: 0.0}), {}


def late_stiffness() -> Case:
    """A pendulum that swings freely, until a clamp with a stiff damper closes."""
    m = da.Model("clamp", plane="xy", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=0.1, com=(0.5, 0))
    A = m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
    m.torque("clamp", A, lambda t, rate: -1e5 * np.where(t > 10.0, 1.0, 0.0) * rate)
    eqs = m.equations()
    return eqs, (0.0, 20.0), eqs.assemble({A.angle: 0.0}), {}


def bump_stop() -> Case:
    """A wheel on a strut over a bump: a stiff tyre, and a stop whose force sets in after some way."""

    def forces(t: Any, q: Any, v: Any) -> Any:
        road = 0.1 * np.exp(-(((t - 0.5) / 0.05) ** 2))
        way, rate = q[1] - q[0], v[1] - v[0]
        strut = 2e4 * way + 1.5e3 * rate + np.where(way > 0.05, 3e6 * (way - 0.05) + 2e4 * rate, 0.0)
        return np.array([strut, -strut - 2e5 * (q[1] - road) - 200.0 * v[1]])

    eqs = da.trace(M=lambda: np.diag([300.0, 30.0]), f=forces, n_q=2, name="strut")
    return eqs, (0.0, 2.0), (np.zeros(2), np.zeros(2)), {}


def joint_controllers() -> Case:
    """An arm of three joints whose controllers differentiate with filters of 0.1 ms."""
    m = da.Model("arm", plane="xy", gravity=(0, -9.81))
    before, joints = m.ground.at(0, 0), []
    for k, length in enumerate((0.4, 0.3, 0.2)):
        link = m.body(f"link{k}", mass=4.0 - k, inertia=0.05, com=(0.5 * length, 0))
        joints.append(m.revolute(f"joint{k}", before, link.at(0, 0)))
        before = link.at(length, 0)
        m.pid(
            f"servo{k}", joints[k], lambda t, k=k: 0.5 * np.sin(2.0 * t + k), kp=4e3 / 2**k, ki=1e3, kd=80.0 / 2**k,
            filter=1e-4,
        )  # fmt: skip
    eqs = m.equations()
    return eqs, (0.0, 3.0), eqs.assemble({joint.angle: 0.1 for joint in joints}), {}


def example(name: str, span: tuple[float, float] | None = None, **options: Any) -> Case:
    """A mechanism of the library."""
    found = getattr(mechanisms, name)(**options)
    eqs = found.model.equations()
    return eqs, span or found.span, found.assemble(eqs), {"redundant": found.redundant}


def problem(name: str, span: tuple[float, float] | None = None, **options: Any) -> Case:
    """A test problem of the library."""
    found = da.problems.get(name, **options)
    return found.equations, span or found.span, found.start, {}
