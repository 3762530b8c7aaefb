"""A hanging chain of uniform bars in absolute coordinates: 3 n coordinates, 2 n constraints, any n."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems import bars
from dalembert.problems.problem import Points, Problem, ProblemError, with_checked_options

STORY = """\
A chain of n equal bars, one metre and one kilogram in all, is hinged to the ground at the origin, held out horizontally
and released. Each bar has three absolute coordinates and hangs on the one before by two constraints, so matrices are
large, sparse and of a regular pattern. What is measured is how the cost of a step grows with n: a good method needs a
time proportional to n. For n = 1 it is the physical pendulum, and for large n it approaches a falling rope.
"""

CITATION = """\
Problem of this library, after the usual tests of the cost per body; see R. Featherstone, Rigid Body Dynamics \
Algorithms, Springer 2008.
"""


@with_checked_options
def pendulum_chain(n: int = 10, length: float = 1.0, mass: float = 1.0, g: float = 9.81, t_end: float = 1.0) -> Problem:
    """Planar chain of ``n`` uniform bars with the total ``length`` and ``mass``, released horizontally."""
    if not isinstance(n, (int, np.integer)):
        raise ProblemError(f"Problem 'pendulum_chain' needs a whole number of bars, got n={n!r}")
    if n < 1:
        raise ProblemError(f"Problem 'pendulum_chain' needs at least one bar, got n={n}")
    bar_length = length / n
    half = bar_length / 2
    masses, lengths = np.full(n, mass / n), np.full(n, bar_length)
    elements = [bars.links(masses, lengths), bars.ground_hinges([(0, -half, 0.0, 0.0)])]
    if n > 1:
        elements.append(bars.hinges([(i, half, i + 1, -half) for i in range(n - 1)]))

    def energy(t: Any, q: Any, v: Any, p: Any) -> Any:
        """Kinetic energy and potential of the weights."""
        return bars.energy(masses, lengths, q, v, p.g)

    def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
        """Each bar a line."""
        return {f"bar {i + 1}": bars.drawn(q, i, bar_length) for i in range(n)}

    q0 = np.zeros(3 * n)
    q0[0::3] = bar_length * (np.arange(n) + 0.5)
    return Problem(
        "pendulum_chain",
        title=f"Chain of {n} bars",
        story=STORY,
        citation=CITATION,
        coordinates=bars.coordinate_names(range(1, n + 1)),
        parameters={"g": g},
        elements=elements,
        span=(0.0, t_end),
        q0=q0,
        v0=np.zeros(3 * n),
        invariant=energy,
        sketch=sketch,
    )
