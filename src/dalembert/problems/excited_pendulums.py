"""Point masses on massless rods below a suspension that is moved: absolute angles, no constraints, any number.

With angles α_i of the rods to the vertical, l the length of a rod, m each mass and k_ij = n − max(i, j) masses that
hang on both of two rods (i, j = 0, …, n − 1):

    Σ_j m l² k_ij (cos(α_i − α_j) α̈_j + sin(α_i − α_j) α̇_j²) = −m l k_ii ((g + ÿ) sin α_i + ẍ cos α_i)      (1)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems.problem import Points, Problem, recomputed, with_checked_options

STORY = """\
A chain of n mathematical pendulums, rods of one metre without mass and points of one kilogram, hangs at rest below a
suspension that begins to move on a line through (2, 0): 0.3 m to each side and 0.2 m up and down, ten periods in 200 s.
The coordinates are the angles of the rods to the vertical, so there are no constraints and all matrices are full. The
frequencies of the chain are above that of the excitation, and nothing is damped: its modes go on swinging with the
amplitudes that the start gives them. Multistep formulas of higher order are unstable on the imaginary axis, so they
take many more steps than those of order two; the Jacobian hardly changes, and few evaluations of it are enough.
"""

CITATION = """\
M. Arnold, A. Fuchs, C. Führer, Efficient corrector iteration for DAE time integration in multibody dynamics, Computer \
Methods in Applied Mechanics and Engineering 195 (2006) 6958-6973, section 4.2.1. Gravity, the number of masses (one \
per rod), the start, and 0.05 Hz as the frequency of the excitation are choices of this library.
"""

SOURCE = """\
computed for this library with Radau IIA of order 13 and, for comparison, an explicit method of order 8, tolerances \
1e-12 and 1e-13"""

PARAMETERS = {"m": 1.0, "l": 1.0, "g": 9.81, "middle": 2.0, "across": 0.3, "upward": 0.2, "frequency": 0.05}
STORED = (12, 14, 16)  # numbers of rods with a reference


def shared(n: int) -> Any:
    """k of (1)."""
    return n - np.maximum.outer(np.arange(n), np.arange(n))


def M(q: Any, p: Any) -> Any:
    return p.m * p.l**2 * shared(len(q)) * np.cos(q[:, None] - q[None, :])


def f(q: Any, v: Any, w: Any, p: Any) -> Any:
    k = shared(len(q))
    along, upward = w
    pulled = np.diag(k) * ((p.g + upward) * np.sin(q) + along * np.cos(q))
    return -p.m * p.l * (p.l * ((k * np.sin(q[:, None] - q[None, :])) @ v**2) + pulled)


def suspension(t: Any, p: Any) -> tuple[Any, Any]:
    """Where the chain is suspended."""
    swing = np.sin(2 * np.pi * p.frequency * t)
    return p.middle + p.across * swing, p.upward * swing


def excitation(t: Any, p: Any) -> Any:
    """Accelerations (ẍ, ÿ) of the suspension."""
    omega = 2 * np.pi * p.frequency
    swing = -(omega**2) * np.sin(omega * t)
    return np.array([p.across * swing, p.upward * swing])


def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
    """The rods, from the suspension to the last mass."""
    x, y = suspension(t, p)
    along, down = (p.l * np.cumsum(part(q), axis=0) for part in (np.sin, np.cos))
    return {"chain": [(x + 0 * q[0], y + 0 * q[0]), *zip(x + along, y - down, strict=True)]}


@with_checked_options
def excited_chain(n: int = 12, g: float = 9.81, t_end: float = 200.0) -> Problem:
    """Chain of ``n`` mathematical pendulums below a moving suspension, in absolute angles; any ``n``.

    References at t = 200 are there for n = 12, 14 and 16, the sizes that were published, with gravity 9.81.
    """
    stored = n in STORED and g == PARAMETERS["g"] and t_end >= 200.0
    return Problem(
        "excited_chain",
        title=f"Chain of {n} pendulums, suspension excited",
        story=STORY,
        citation=CITATION,
        coordinates=[f"alpha{i}" for i in range(1, n + 1)],
        parameters=PARAMETERS | {"g": g},
        functions={"M": M, "f": f, "w": excitation},
        span=(0.0, t_end),
        q0=np.zeros(n),
        v0=np.zeros(n),
        references=(recomputed(f"excited_chain {n}", SOURCE),) if stored else (),
        sketch=sketch,
    )
