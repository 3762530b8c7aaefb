"""Memory of BDF methods on independent coordinates."""

from __future__ import annotations

from dalembert.integrate.methods.bdf_slots import BdfSlots
from dalembert.integrate.methods.rosenbrock import RosenbrockMemory
from dalembert.native.kernel import Reals
from dalembert.native.slots import integer, reals


class ChartBdfMemory(RosenbrockMemory, BdfSlots):
    """History and iterates; rows of differences hold (q, v, u) and, where that is not v, q̇ at the ends of the last
    steps, as the iteration has left them. Stages are those of the Rosenbrock step that makes the first history."""

    starter_order: int = integer("order of the Rosenbrock step")
    nodes: Reals = reals("3", "parts of it at which there are points, the last one its end")
    end: Reals = reals("n_h", "(q, v, u, q̇) at the end of the step, before anybody projects it")
    x_predicted: Reals = reals("n_s", "(z, ż, u) that is predicted")
    x_predicted_rate: Reals = reals("n_s", "rates of the same polynomial")
    motion_rate: Reals = reals("n_q", "a change of q̇")
