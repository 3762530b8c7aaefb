"""The plane pendulum in Cartesian coordinates, smallest of all constrained mechanisms.

    m ẍ = −x λ,    m ÿ = −m g − y λ,    0 = ½ (x² + y² − L²)

The factor ½ makes λ the force in the rod per length, as in the equations usually printed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, Reference, polyline, with_checked_options

STORY = """\
A point mass on a massless rod swings about the origin. The coordinates are its place (x, y), and the length of the rod
is the one constraint. With unit mass, length and gravity it starts horizontally to the right, moving upwards with unit
speed; it comes to rest at a height of one half shortly after t = 1 and falls back. The equations have index 3; the
energy ½ (ẋ² + ẏ²) + y = ½ stays constant.
"""

CITATION = """\
J. R. Cash, MEBDF codes for differential-algebraic equations, test problem "pendulum"; \
E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section VII.1.
"""


def M(p: Any) -> Any:
    return np.array([[p.m, 0.0], [0.0, p.m]])


def f(p: Any) -> Any:
    return np.array([0.0, -p.m * p.g])


def g(q: Any, p: Any) -> Any:
    x, y = q
    return np.array([0.5 * (x**2 + y**2 - p.L**2)])


def energy(t: Any, q: Any, v: Any, p: Any) -> Any:
    """Kinetic energy and potential of the weight."""
    return 0.5 * p.m * (v[0] ** 2 + v[1] ** 2) + p.m * p.g * q[1]


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The rod."""
    return {"rod": polyline(q, (0.0, 0.0), (q[0], q[1]))}


# (x, y), (ẋ, ẏ), λ at t = 1
PUBLISHED = Reference(
    1.0,
    q=[0.867348640604551746, 0.497701050476373918],
    v=[-0.0337480180329866458, 0.0588130114660715686],
    lam=[-0.493103151528274442],
    digits={"q": 10, "v": 9, "lam": 9},
    source="published with the MEBDF codes; agrees with the recomputed values to 9 to 11 digits",
)
RECOMPUTED = Reference(
    1.0,
    q=[0.86734864060045, 0.49770105047965],
    v=[-0.03374801806095, 0.058813011465245],
    lam=[-0.49310315143900],
    digits=13,
    source="recomputed; Cartesian coordinates and the angle give the same 13 digits",
)


@with_checked_options
def pendulum(
    m: float = 1.0,
    L: float = 1.0,
    g: float = 1.0,
    q0: tuple[float, float] = (1.0, 0.0),
    v0: tuple[float, float] = (0.0, 1.0),
    t_end: float = 1.0,
) -> Problem:
    """Plane pendulum in Cartesian coordinates: one constraint, index 3.

    The reference at t = 1 belongs to the values given here by default.
    """
    as_published = (m, L, g, *q0, *v0) == (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0)
    return Problem(
        "pendulum",
        title="Plane pendulum",
        story=STORY,
        citation=CITATION,
        coordinates=["x", "y"],
        constraints=["rod"],
        parameters={"m": m, "L": L, "g": g},
        functions=FUNCTIONS,
        span=(0.0, t_end),
        q0=q0,
        v0=v0,
        references=(RECOMPUTED, PUBLISHED) if as_published else (),
        invariant=energy,
        sketch=sketch,
    )


FUNCTIONS = {"M": M, "f": f, "g": g}
