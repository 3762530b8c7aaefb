"""Models that are exported in the tests."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.rail import cone, crown
from dalembert.rail.segments import Straight
from dalembert.rail.track import Track

G = 9.81


def quarter_car() -> da.Model:
    """Driven over a bump, a table."""
    x = np.linspace(0, 60, 121)
    bump = np.where((x > 15) & (x < 20), 0.03 * (1 - np.cos(2 * np.pi * (x - 15) / 5)), 0.0)
    m = da.Model("quarter car", plane="xz", gravity=(0, -G))
    m.parameters(speed=15.0, c=1500.0)
    trolley = m.body("trolley", mass=1.0, inertia=0.1)
    chassis = m.body("chassis", mass=300.0, inertia=1.0)
    wheel = m.body("wheel", mass=40.0, inertia=1.0)
    run = m.prismatic("run", m.ground.at(0, 0), trolley.at(0, 0), axis=(1, 0))
    m.prismatic("lift", trolley.at(0, 0), chassis.at(0, 0), axis=(0, 1), start=0.75)
    m.prismatic("stroke", chassis.at(0, 0), wheel.at(0, 0), axis=(0, 1), start=-0.45)
    m.drive("cruise", run, lambda t, p: p.speed * t)
    m.spring("spring", chassis.at(0, 0), wheel.at(0, 0), stiffness=20e3, length=0.6)
    m.spring("damper", chassis.at(0, 0), wheel.at(0, 0), force=lambda rate, p: p.c * rate)
    m.tyre("tyre", wheel.at(0, 0), radius=0.3, stiffness=180e3, damping=50.0, road=(x, bump))
    m.sensor("ride", chassis.at(0, 0).position.z)
    m.sensor("acceleration", chassis.at(0, 0).acceleration.z)
    m.sensor("load", m["tyre"].force)
    return m


def double_pendulum() -> da.Model:
    m = da.Model("double pendulum", plane="xy", gravity=(0, -G))
    a, b = (m.body(name, mass=1.0, inertia=0.1, com=(0.5, 0)) for name in "ab")
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0), start=0.5)
    m.revolute("B", a.at(1, 0), b.at(0, 0), start=0.3)
    m.sensor("tip", b.at(1, 0).position)
    return m


def three_cranks() -> da.Model:
    """A beam that swings on three parallel cranks, of which two would do."""
    m = da.Model("three cranks", plane="xy", gravity=(0, -G))
    beam = m.body("beam", mass=2.0, inertia=0.5, com=(1.0, 0))
    for place, name in enumerate(("first", "second", "third")):
        crank = m.body(f"{name} crank", mass=1.0, inertia=0.1, com=(0.3, 0))
        m.revolute(name, m.ground.at(float(place), 0), crank.at(0, 0), start=-0.8)
        m.revolute(f"{name} top", crank.at(0.6, 0), beam.at(float(place), 0), start=0.8)
    m.sensor("middle", beam.at(1, 0).position)
    return m


def four_bar() -> da.Model:
    """A linkage with a motor."""
    m = da.Model("four-bar", plane="xy", gravity=(0, -G))
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.10, 0))
    coupler = m.body("coupler", mass=2.0, inertia=0.10, com=(0.35, 0))
    rocker = m.body("rocker", mass=1.5, inertia=0.05, com=(0.25, 0))
    A = m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start=1.0)
    m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
    m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0), start=1.716)
    m.parameters(stall=8.0, slope=0.4)
    m.torque("motor", A, lambda rate, p: p.stall - p.slope * rate)
    m.sensor("tip", rocker.at(0.5, 0).position)
    m.sensor("bearing", m["A"].force)
    return m


def arm() -> da.Model:
    """Two links with a torque on each joint, which a control loop sets, and a load of unknown mass."""
    m = da.Model("arm", plane="xy", gravity=(0, -G))
    m.parameters(load=0.5)
    m.input("shoulder_torque", lambda t: 0.0 * t)
    m.input("elbow_torque", lambda t: 0.0 * t)
    upper = m.body("upper arm", mass=2.0, inertia=0.05, com=(0.2, 0))
    lower = m.body("lower arm", mass=1.0 + m.p.load, inertia=0.03, com=(0.25, 0))
    shoulder = m.revolute("shoulder", m.ground.at(0, 0), upper.at(0, 0), start=-1.0)
    elbow = m.revolute("elbow", upper.at(0.4, 0), lower.at(0, 0), start=0.8)
    m.torque("first motor", shoulder, lambda w: w.shoulder_torque)
    m.torque("second motor", elbow, lambda w: w.elbow_torque)
    m.sensor("hand", lower.at(0.4, 0).position)
    return m


def spatial() -> da.Model:
    """A spherical pendulum with Euler parameters, and below it a universal joint."""
    m = da.Model("spatial", gravity=(0, 0, -G))
    a = m.body("a", mass=1.0, inertia=(0.02, 0.05, 0.05), com=(0.3, 0, 0), angular_velocity=(1.0, 2.0, -1.0))
    b = m.body("b", mass=0.5, inertia=(0.01, 0.02, 0.02), com=(0.2, 0, 0))
    m.spherical("A", m.ground.at(0, 0, 0), a.at(0, 0, 0))
    m.revolute("B", a.at(0.6, 0, 0), b.at(0, 0, 0), axis=(0, 1, 0), start=0.4)
    return m


def skate() -> da.Model:
    """A sledge on a blade, in a plane that is inclined: constraints on velocities alone."""
    m = da.Model("skate", plane="xy", gravity=(-2.0, 0.0))
    body = m.body("body", mass=2.0, inertia=0.3, com=(0.1, 0.0), velocity=(1.0, 0.0), angular_velocity=0.7)
    m.knife_edge("blade", body.at(0, 0))
    return m


def motor_with_lag() -> da.Model:
    """A flywheel with a dc motor, whose current is a state."""
    m = da.Model("drive", plane="xy")
    wheel = m.body("wheel", mass=1.0, inertia=0.01)
    A = m.revolute("A", m.ground.at(0, 0), wheel.at(0, 0))
    m.dc_motor("motor", A, voltage=lambda t: 12.0 + 0.0 * t, resistance=1.0, inductance=0.01, constant=0.1)
    return m


def bead() -> da.Model:
    """A bead on a helix: an auxiliary variable."""
    m = da.Model("bead", gravity=(0, 0, -G))
    body = m.body("bead", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.point_on_curve(
        "wire", m.ground, body.at(0, 0, 0), curve=lambda s: (np.cos(s), np.sin(s), 0.3 * s), between=(-3, 3)
    )  # fmt: skip
    return m


def wheelset() -> da.Model:
    """Coned wheels on rails, released beside the middle of the track: contacts have auxiliary variables, creep forces
    depend on multipliers and are stiff."""
    track = Track([Straight(200.0)], distance=1.5)
    m = da.Model("wheelset", gravity=(0, 0, -G))
    m.wheelset(
        "axle", m.ground, track, wheel=cone(0.5, 0.05), rail=crown(0.3), mass=1000.0, inertia=(600.0, 100.0, 600.0),
        law="polach", speed=2.0, start={"x": 10.0, "y": 0.003}, measure=True,
    )  # fmt: skip
    return m


def rubbing_slider() -> da.Model:
    """A slider-crank whose slider rubs by its reactions: forces depend on multipliers."""
    m = da.Model("rubbing slider", plane="xy", gravity=(0, -G))
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.1, 0))
    rod = m.body("rod", mass=0.5, inertia=0.02, com=(0.25, 0))
    slider = m.body("slider", mass=0.8, inertia=0.01)
    m.revolute("A", m.ground.at(0, 0), crank.at(0, 0), start=0.7)
    m.revolute("B", crank.at(0.2, 0), rod.at(0, 0))
    m.revolute("C", rod.at(0.5, 0), slider.at(0, 0))
    guide = m.prismatic("guide", m.ground.at(0, 0), slider.at(0, 0), axis=(1, 0))
    m.friction("rubbing", guide, mu=0.2, velocity=0.05)
    return m
