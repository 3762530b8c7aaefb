"""Small linkages that several test modules use."""

import dalembert as da


def four_bar():
    m = da.Model("four-bar", plane="xy", gravity=(0, -9.81))
    crank = m.body("crank", mass=1.0, inertia=0.02, com=(0.10, 0))
    coupler = m.body("coupler", mass=2.0, inertia=0.10, com=(0.35, 0))
    rocker = m.body("rocker", mass=1.5, inertia=0.05, com=(0.25, 0))
    m.revolute("A", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("B", crank.at(0.2, 0), coupler.at(0, 0))
    m.revolute("C", coupler.at(0.7, 0), rocker.at(0.5, 0))
    m.revolute("D", m.ground.at(0.8, 0), rocker.at(0, 0), start=2.0)
    m.sensor("tip", rocker.at(0.5, 0).position)
    return m
