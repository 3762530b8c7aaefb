"""A drawing of the motion of a model, for the report."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.arguments import instance, shown, whole
from dalembert.equations import Equations
from dalembert.errors import SimulationError
from dalembert.integrate.run.portraying import appearance_at
from dalembert.solution import Sketch, Solution

MOST_FRAMES = 1_000_000


def draw(solution: Solution, equations: Any, frames: int = 300) -> Solution:
    """The solution with a drawing of the motion in it, for :func:`dalembert.report`; evenly spaced in time.

    ``equations`` are those of the model that was simulated.
    """
    instance(solution, Solution, "draw: solution", SimulationError, "as simulate returns it")
    whole(frames, "draw: frames", SimulationError, least=1, most=MOST_FRAMES)
    t, q = solution.t, solution.q
    if solution.sol is not None and t.size > 1:
        t = np.linspace(t[0], t[-1], frames)
        q = solution.sol(t).q
    lines = equations.lines(t, q, solution.parameters) if isinstance(equations, Equations) else None
    if lines is None:
        raise SimulationError(f"only equations that a model has made can be drawn, got {shown(equations)}")
    solution.sketch = Sketch(t, lines)
    solution.appearance = appearance_at(solution, equations, t, q)
    return solution
