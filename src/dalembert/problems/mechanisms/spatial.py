"""Loops in space: spatial slider crank, Bricard's overconstrained linkage, Stewart platform, delta robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.model import Model
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import with_checked_options


def frame_of(x: Any, z: Any) -> Any:
    """Rotation matrix with a given x axis and a z axis as near as possible to another direction."""
    x = np.asarray(x, dtype=float) / np.linalg.norm(x)
    y = np.cross(z, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def spatial_slider_crank() -> Example:
    """The spatial slider crank of the IFToMM library: crank AB, rod BC, slider on the x axis.

    Data: crank 0.08 m and 0.12 kg about the x axis through (0, 0.1, 0.12), rod 0.3 m and 0.5 kg, slider 2 kg; the crank
    starts upright with 6 rad/s.  The cross at C has its first axis in the slider, along y, and its second across the
    rod.
    """
    m = Model("spatial slider crank", gravity=(0, 0, -9.81))
    crank = m.body("crank", mass=0.12, inertia=(1e-4, 1e-4, 1e-5), com=(0, 0, 0.04))
    B, C = np.array([0.0, 0.1, 0.2]), np.array([0.2, 0.0, 0.0])
    # The second axis of the cross is y of the rod: across the rod, and across y of the world, which is the first.
    along = (C - B) / 0.3
    y = np.cross(along, [0.0, 1.0, 0.0])
    y /= np.linalg.norm(y)
    turn = np.column_stack([along, y, np.cross(along, y)])
    rod = m.body("rod", mass=0.5, inertia=(4e-4, 4e-3, 4e-3), com=(0.15, 0, 0), position=B, rotation=turn)
    slider = m.body("slider", mass=2.0, inertia=(1e-4, 1e-4, 1e-4), position=C)
    A = m.revolute("A", m.ground.at(0, 0.1, 0.12), crank.at(0, 0, 0), axis="x")
    m.spherical("B", crank.at(0, 0, 0.08), rod.at(0, 0, 0))
    y_first = np.column_stack([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    m.universal("C", slider.at(0, 0, 0, rotation=y_first), rod.at(0.3, 0, 0))
    m.prismatic("D", m.ground.at(0, 0, 0), slider.at(0, 0, 0), axis="x", start=0.2)
    m.sensor("pin", slider.at(0, 0, 0).position)
    m.sensor("crank pin", crank.at(0, 0, 0.08).position)
    return Example(m, span=(0.0, 0.5), start={A.angle: 0.0, A.rate: -6.0}, conserved={"energy": m.energy})


#: Corners of a cube that the links of :func:`bricard` connect, and the axes of the hinges there.
CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1))
AXES = "yzxyzx"


def bricard() -> Example:
    """Bricard's linkage as in IFToMM A04: five rods and the ground along six edges of a cube, hinged at six corners.

    Each hinge is perpendicular to both its rods.  Grübler's formula counts no degree of freedom, 5·6 − 6·5 = 0, but the
    linkage moves with one: one of its constraints says what others say already.
    """
    m = Model("Bricard", gravity=(0, -9.81, 0))
    # The ground is the last edge, from the last corner to the first. Body frames are parallel to the world at start.
    across, length = 0.1, 1.0
    thick, thin = (length**2 + across**2) / 12.0, across**2 / 6.0
    last = m.ground.at(*CORNERS[0])
    for i in range(5):
        a, b = np.array(CORNERS[i], dtype=float), np.array(CORNERS[i + 1], dtype=float)
        edge = b - a
        inertia = np.where(np.abs(edge) > 0.5, thin, thick)
        rod = m.body(f"rod{i + 1}", mass=1.0, inertia=inertia, com=edge / 2, position=a)
        m.revolute(f"P{i}", last, rod.at(0, 0, 0), axis=AXES[i])
        last = rod.at(*edge)
    m.revolute("P5", last, m.ground.at(*CORNERS[5]), axis=AXES[5], cut=True)
    m.sensor("P3 position", m["rod3"].at(*(np.array(CORNERS[3]) - CORNERS[2])).position)
    return Example(m, span=(0.0, 1.0), redundant="accept", conserved={"energy": m.energy})


def stewart_platform() -> Example:
    """A platform on six legs, each a cylinder on a cross, a piston, and a ball joint under the platform.

    Springs and dampers in the legs carry the platform; it starts at rest beside its equilibrium.
    """
    m = Model("Stewart platform", gravity=(0, 0, -9.81))
    place = np.array([0.02, -0.01, 0.8])
    platform = m.body("platform", mass=12.0, inertia=(0.5, 0.6, 0.9), com=(0.0, 0.0, 0.02), position=place)
    for i in range(6):
        pair = (i + 1) // 2
        low = 2 * np.pi / 3 * pair + (-1) ** i * 0.15
        high = 2 * np.pi / 3 * (i // 2) + np.pi / 3 + (1 if i % 2 else -1) * 0.2
        foot = np.array([0.7 * np.cos(low), 0.7 * np.sin(low), 0.0])
        head = np.array([0.4 * np.cos(high), 0.4 * np.sin(high), 0.0])
        leg = head + place - foot
        # x of the cross is horizontal; its y is across both x and the leg.
        z = leg / np.linalg.norm(leg)
        x = np.cross([0.0, 0.0, 1.0], z)
        turn = frame_of(x, z)
        base = frame_of(x, (0.0, 0.0, 1.0))
        inertia = (6e-3, 6e-3, 4e-4)
        cylinder = m.body(f"cylinder{i}", mass=0.9, inertia=inertia, com=(0, 0, 0.15), position=foot, rotation=turn)
        piston = m.body(
            f"piston{i}", mass=0.5, inertia=inertia, com=(0, 0, -0.15), position=foot + leg, rotation=turn
        )  # fmt: skip
        m.universal(f"U{i}", m.ground.at(*foot, rotation=base), cylinder.at(0, 0, 0))
        slide = m.prismatic(f"P{i}", cylinder.at(0, 0, 0), piston.at(0, 0, 0))
        m.spherical(f"S{i}", piston.at(0, 0, 0), platform.at(*head))
        m.joint_spring(f"actuator{i}", slide, 9000.0, 40.0, natural=float(np.linalg.norm(leg)) + 0.004 * (i - 2))
    m.sensor("platform position", platform.at(0, 0, 0).position)
    m.sensor("corner", platform.at(0.4, 0.0, 0.1).position)
    return Example(m, span=(0.0, 0.1))


@with_checked_options
def delta_robot(balls: bool = False) -> Example:
    """Clavel's delta robot without motors and springs, let go: a platform on three arms, each with a pair of parallel
    rods.

    Arms 0.2 m long turn about horizontal axes, 0.16 m from the middle; rods of 0.4 m, 0.08 m apart, lead to a platform
    whose joints are 0.05 m from its middle.  Rods have a cross at the arm and a ball joint at the platform; with
    ``balls`` they have ball joints at both ends, and spin freely.

    The platform starts beside the middle, falls, and keeps its orientation, since the pairs of rods cannot turn.  When
    the directions across the three parallelograms come to lie in one plane, first at t = 0.4320026 s and again at
    t = 0.537808 s, this rests on infinite forces: constraints lose rank, and the platform could begin to turn.  Only
    the motion without turning goes on smoothly.  The span ends well before.

    R. Clavel, DELTA, a fast robot with parallel geometry, 18th Int. Symp. on Industrial Robots, Lausanne (1988).
    """
    m = Model("delta robot", gravity=(0, 0, -9.81))
    place, up = np.array([0.03, -0.02, -0.35]), np.array([0.0, 0.0, 1.0])
    base, inner, arm_length, rod_length, half = 0.16, 0.05, 0.2, 0.4, 0.04
    platform = m.body("platform", mass=0.5, inertia=(5e-4, 5e-4, 9e-4), position=place)
    for i in range(3):
        angle = 2 * np.pi / 3 * i
        outward, across = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
        hip, wrist = base * outward, place + inner * outward
        elbow = hip + _outer_elbow(wrist - hip, outward, up, arm_length, rod_length)
        turn = np.column_stack([elbow - hip, np.cross(across, elbow - hip), arm_length * across]) / arm_length
        arm = m.body(
            f"arm{i}", mass=0.3, inertia=(1e-4, 1e-3, 1e-3), com=(arm_length / 2, 0, 0), position=hip, rotation=turn
        )  # fmt: skip
        m.revolute(
            f"A{i}", m.ground.at(*hip, rotation=np.column_stack([outward, np.cross(across, outward), across])),
            arm.at(0, 0, 0),
        )  # fmt: skip
        # z of a rod is along it; the first axis of its cross is that of the arm's hinge.
        along = (wrist - elbow) / rod_length
        side = np.cross(along, across) / np.linalg.norm(np.cross(along, across))
        rod_turn, cross = np.column_stack([np.cross(side, along), side, along]), frame_of(across, along)
        for sign, name in ((1, "a"), (-1, "b")):
            rod = m.body(
                f"rod{i}{name}", mass=0.06, inertia=(8e-4, 8e-4, 1e-5), com=(0, 0, rod_length / 2),
                position=elbow + sign * half * across, rotation=rod_turn,
            )  # fmt: skip
            elbow_frame = arm.at(arm_length, 0, sign * half, rotation=turn.T @ cross)
            (m.spherical if balls else m.universal)(
                f"E{i}{name}", elbow_frame, rod.at(0, 0, 0, rotation=rod_turn.T @ cross)
            )
            m.spherical(f"W{i}{name}", rod.at(0, 0, rod_length), platform.at(*(inner * outward + sign * half * across)))
    m.sensor("platform position", platform.at(0, 0, 0).position)
    return Example(m, span=(0.0, 0.3), conserved={"energy": m.energy})


def _outer_elbow(wrist: Any, outward: Any, up: Any, arm: float, rod: float) -> Any:
    """The elbow of an arm that moves in a plane, seen from the hip: of the two possible ones the outer one."""
    x, z = wrist @ outward, wrist @ up
    distance = np.hypot(x, z)
    rest = rod**2 - (wrist @ wrist - distance**2)  # what the plane sees of the rod
    along = (arm**2 - rest + distance**2) / (2 * distance)
    beside = np.sqrt(arm**2 - along**2)
    both = [(along * x + s * beside * z, along * z - s * beside * x) for s in (1.0, -1.0)]
    outer = max(both)
    return (outer[0] * outward + outer[1] * up) / distance
