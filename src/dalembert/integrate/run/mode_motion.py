"""A mode shape as a motion that can be looked at: q = q₀ + Re(s φ exp(i ω t)) over one period."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import instance, real, whole
from dalembert.equations import Equations
from dalembert.errors import SimulationError
from dalembert.integrate.run.portraying import appearance_at
from dalembert.solution import Solution

FRAMES = 121


def draw_mode(equations: Any, linear: Any, number: int = 0, *, amplitude: float = 0.1) -> Solution:
    """One period of a mode of ``linear``, which ``equations.linearise`` has given, as a solution to report on.

    :param number: of the modes that swing, from the slowest on
    :param amplitude: of the coordinate that moves most; damping is left away
    """
    instance(equations, Equations, "draw_mode: equations", SimulationError, "those that were linearised")
    if not hasattr(linear, "eigenvalues") or not hasattr(linear, "shapes_q"):
        raise SimulationError("draw_mode: linear must be a linearisation, as equations.linearise gives it")
    swinging = [k for k, value in enumerate(linear.eigenvalues) if value.imag > 0.0]
    if not swinging:
        raise SimulationError(f"'{equations.name}' has no mode that swings, all eigenvalues are real")
    k = swinging[whole(number, "draw_mode: number", SimulationError, least=0, most=len(swinging) - 1)]
    size = real(amplitude, "draw_mode: amplitude", SimulationError)
    omega, shape = float(linear.eigenvalues[k].imag), np.asarray(linear.shapes_q)[:, k]
    t = np.linspace(0.0, 2.0 * np.pi / omega, FRAMES)
    turning = np.exp(1j * omega * t)
    q = np.asarray(linear.state.q)[:, None] + size * np.real(shape[:, None] * turning)
    v = size * np.real(np.asarray(linear.shapes_v)[:, k][:, None] * turning)
    solution = Solution(
        t, q, v, np.zeros_like(v), np.zeros((0, t.size)), np.zeros((0, t.size)),
        names={key: tuple(equations.names[key]) for key in ("q", "v")}, units=dict(equations.units),
        outcome=f"mode {number + 1}: {omega / (2.0 * np.pi):.4g} Hz", title=equations.name,
        message="A mode shape of small amplitude, without damping; it meets constraints to first order.",
    )  # fmt: skip
    solution.appearance = appearance_at(solution, equations, t, q)
    return solution
