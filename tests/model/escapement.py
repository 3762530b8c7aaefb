"""A clock: a pendulum and an escape wheel with wavy teeth that works on two pallets of the pendulum.

The rim of the wheel is a wave with one crest per tooth.  The pallets stand on either side of it, half a tooth apart, so
that the wheel leaves the pendulum the play

    −c ≤ φ − A cos(N ψ) ≤ c,      A > c

for its angle φ at the angle ψ of the wheel.  A weight drives the wheel; it can pass a crest only when the pendulum has
swung beyond A − c to one side, and then falls onto the other pallet: a tick.  On its way along the flank of a tooth it
pushes the pendulum, which makes up for the damping; when the pendulum swings on, the flank pushes the wheel back, as in
any recoil escapement.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.model.model import Model

TEETH, WAVE, PLAY = 15, 0.1, 0.07


@dataclass
class Clock:
    model: Model
    pendulum: Any
    wheel: Any

    def equations(self, *given: Any, **options: Any) -> Any:
        return self.model.equations(*given, **options)

    def start(self, equations: Any, amplitude: float = 0.08) -> Any:
        """The pendulum let go at one side; the wheel where it leaves it free."""
        return equations.assemble({self.pendulum.angle: amplitude, self.wheel.angle: 0.0})


def clock(torque: float = 2e-3, damping: float = 1.5e-3, restitution: float = 0.1) -> Clock:
    m = Model("clock", plane="xy", gravity=(0, -9.81))
    m.parameters(torque=torque, damping=damping, e=restitution)
    rod = m.body("rod", mass=0.5, inertia=1e-3, com=(0, -0.24))
    disc = m.body("disc", mass=0.02, inertia=1e-5)
    pendulum = m.revolute("pendulum", m.ground.at(0, 0.1), rod.at(0, 0))
    wheel = m.revolute("wheel", m.ground.at(0, 0), disc.at(0, 0))
    m.torque("weight", wheel, lambda p: p.torque)
    m.torque("air", pendulum, lambda rate, p: -p.damping * rate)
    play = pendulum.angle - WAVE * np.cos(TEETH * wheel.angle)
    m.limit("pallets", play, lower=-PLAY, upper=PLAY, restitution=m.p.e)
    m.sensor("play", play)
    return Clock(m, pendulum, wheel)
