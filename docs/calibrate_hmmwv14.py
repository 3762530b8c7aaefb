"""Finds what the thesis leaves open of its vehicle: the arm of the bushings; and where the vehicle is in equilibrium.

    python docs/calibrate_hmmwv14.py

prints BUSHING_ARM and START of ``dalembert.problems.mechanisms.vehicles``, whatever stands there now.  The dominant
eigenvalue belongs to twisting of an upper arm about the line between its joints, which nothing but a bushing resists:
λ ≈ −c s²/J with the damping c, the arm s and the moment of inertia J.  So a few secant steps in s² are enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model import Model
from dalembert.problems.mechanisms import vehicles

EIGENVALUE = -2.6e5  # D. Negrut, thesis, section 5.2
DIGITS = 14


def standing(model: Model) -> tuple[Any, Any]:
    """Equations in relative coordinates, and the equilibrium; places in the plane are as at the start."""
    equations = model.equations("relative")
    first = equations.assemble({"chassis.vx": 0.0}, parameters={"speed": 0.0})
    held = ["chassis.x", "chassis.y", "chassis.p3"]  # the road is level: nothing holds the vehicle there
    return equations, equations.equilibrium(first.q, held=held)


def dominant(arm: float) -> float:
    """The eigenvalue with the smallest real part."""
    equations, rest = standing(vehicles.vehicle(True, True, "envelope", arm))
    return float(min(equations.linearise(rest).eigenvalues.real))


def calibrated() -> float:
    """The arm whose dominant eigenvalue is that of the thesis."""
    arm = vehicles.BUSHING_ARM
    for _ in range(4):
        arm *= float(np.sqrt(EIGENVALUE / dominant(arm)))
    return arm


def start(stiff: bool) -> dict[str, Any]:
    """Where the vehicle stands: the chassis, and the left wheels, which the right ones mirror."""
    model = vehicles.vehicle(stiff, True, "envelope")
    equations, rest = standing(model)
    q = dict(zip(equations.names["q"], rest.q.tolist(), strict=True))

    def rounded(*names: str) -> Any:
        values = tuple(round(q[name], DIGITS) + 0.0 for name in names)
        return values if len(values) > 1 else values[0]

    def rotation(joint: str) -> Any:
        return rounded(*(f"{joint}.p{k}" for k in range(4)))

    def wheel(corner: str) -> tuple[Any, ...]:
        hinge = f"{corner} upper hinge"
        upper = rotation(hinge) if stiff else rounded(f"{hinge}.angle")
        return rounded(f"{corner} lower hinge.angle"), upper, rotation(f"{corner} upper ball")

    height = round(float(np.asarray(equations.evaluate_quantity(model["chassis"].com.position, rest))[2]), DIGITS)
    return {
        "height": height,
        "pitch": round(float(2.0 * np.arctan2(q["chassis.p2"], q["chassis.p0"])), DIGITS),
        "front": wheel("LF"),
        "rear": wheel("LR"),
    }


def main() -> None:
    """Print all numbers."""
    arm = calibrated()
    print(f"BUSHING_ARM = {arm:.6f}; the module has {vehicles.BUSHING_ARM}: {dominant(vehicles.BUSHING_ARM):.5g} 1/s")
    print("START = {")
    for stiff in (False, True):
        print(f"    {stiff}: {{")
        for name, value in start(stiff).items():
            print(f"        {name!r}: {value},")
        print("    },")
    print("}")


if __name__ == "__main__":
    main()
