"""A double wishbone suspension: how the wheel stands over its travel, how it vibrates, and a ride over a wavy road.

Prints camber (negative: the top leans inwards), toe (negative: out) and half track over the travel of the wheel, from
kinematics with drives; the natural frequencies about the equilibrium; and the loads of a run.  Writes
build/double-wishbone.html with an animation.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.problems import mechanisms

BUILD = Path("build")


def travel() -> None:
    """Lift the wheel with the chassis held, instant by instant."""
    model = mechanisms.double_wishbone().model
    model.drive("chassis held", model["body"], 0.5)
    model.drive("wheel held", model["bearing"], 0.0)
    model.drive("lift", model["lower arm hinge"], lambda t: 0.3 * t)
    equations = model.equations()
    times = np.linspace(0.0, 1.0, 9)
    motion = equations.kinematics(times)
    print(f"{'lift in mm':>12}{'camber in °':>14}{'toe in °':>12}{'half track in mm':>20}")
    for k in range(len(times)):
        state = motion.state(k)
        hub = equations.evaluate_quantity(model["hub"], state)
        axle = equations.evaluate_quantity(model["steer"], state)
        camber, toe = np.degrees([-np.arctan2(axle[2], axle[1]), np.arctan2(axle[0], axle[1])])
        if k == 0:
            low = hub[2]
        print(f"{1e3 * (hub[2] - low):12.1f}{camber:14.2f}{toe:12.3f}{1e3 * hub[1]:20.1f}")


def ride() -> None:
    """Equilibrium, natural frequencies, and a ride."""
    example = mechanisms.double_wishbone()
    model = example.model
    model.sensor("strut force", model["strut"].force)
    model.sensor("tyre load", model["tyre"].force)
    equations = model.equations()
    rest = equations.equilibrium()
    linear = equations.linearise(rest)
    print("\nNatural frequencies:", ", ".join(f"{f:.2f} Hz" for f in sorted(set(linear.frequencies.round(6))) if f))
    run = da.simulate(equations, (0.0, 2.0), rest)
    print(f"Load of the tyre: {run['tyre load'].min():.0f} … {run['tyre load'].max():.0f} N")
    print(f"Largest reaction of the lower ball joint: {np.linalg.norm(run['lower ball.force'], axis=0).max():.0f} N")
    BUILD.mkdir(exist_ok=True)
    page = da.report(da.draw(run, equations), BUILD / "double-wishbone.html")
    print(f"Look at it: {page.resolve().as_uri()}")


if __name__ == "__main__":
    travel()
    ride()
