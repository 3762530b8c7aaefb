"""IFToMM benchmark A02: a row of N four-bar mechanisms, in absolute coordinates.

N + 1 cranks stand on the ground at x = 0, 1, …, N, and N couplers join their tops; all links are uniform, 1 m and 1 kg.
Bars are numbered along the row: crank 0, coupler 0, crank 1, …, crank N. As long as all four-bars stay parallelograms,
the cranks share one angle φ from the x axis, and

    ((N+1)/3 + N) φ̈ = −((N+1)/2 + N) g cosφ.                                                     (1)

With ψ = φ + π/2, from the lowest position, this is the pendulum ψ̈ = −c sinψ. It starts upright, ψ = π, with ψ̇ = −1,
and turns over for ever: ψ̇² = (1 + 4c) (1 − m sin²(ψ/2)), m = 4c/(1 + 4c), so that ψ = 2 am(K(m) − ½ √(1+4c) t).  (2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems import bars
from dalembert.problems.problem import (
    Floats,
    Points,
    Problem,
    ProblemError,
    Reference,
    scipy_module,
    with_checked_options,
)

STORY = """\
A row of N parallelograms of equal bars stands upright and is pushed sideways with 1 m/s; under gravity it falls over,
swings through, and goes round and round for 20 s. Twice per turn all bars lie on one line. There the constraints lose
rank, the degrees of freedom jump from one to N + 1, and a solver that cannot cope stops or continues on another branch
of motion, such as antiparallelograms. On the branch of the parallelograms the motion is that of a single pendulum, and
the exact solution is known. The benchmark observes the top B0 of the first crank.
"""

CITATION = """\
M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS simulation software: problem \
standardization and performance measurement, Multibody System Dynamics 16 (2006) 179-190; IFToMM library of \
computational benchmark problems, A02.
"""

GRAVITY = 9.81

# B0 = (x, y), its velocity, and the crank angle φ rounded to three digits, which counts the turns
TABLE: dict[int, dict[float, tuple[float, float, float, float, float]]] = {
    2: {
        1.0: (-0.1950203019, -0.9807992057, -6.6766780369, 1.3275783252, -1.767),
        5.0: (-0.8113104610, -0.5846155454, -3.5691173972, 4.9531051713, -15.084),
        10.0: (0.3284581115, 0.9445185382, 1.4230514702, -0.4948688455, -30.18),
        20.0: (0.8397465743, 0.5429785364, 1.8382226443, -2.8429137890, -62.258),
    },
    40: {
        1.0: (-0.1153568806, -0.9933241113, -6.6699875239, 0.7746000987, -1.686),
        5.0: (-0.5401900507, -0.8415430525, -5.4363691126, 3.4896283652, -14.708),
        10.0: (0.1805122267, 0.9835727406, 1.1484412775, -0.2107700668, -30.027),
        20.0: (0.4109011537, 0.9116799010, 1.5667853719, -0.7061622355, -61.684),
    },
}


def posture(n: int, phi: Any, rate: Any) -> tuple[Floats, Floats]:
    """Coordinates and velocities of all bars when the cranks have the angle ``phi`` and turn with ``rate``."""
    c, s = np.cos(phi), np.sin(phi)
    zero = np.zeros_like(c)
    q, v = [], []
    for j in range(n + 1):
        q += [j + 0.5 * c, 0.5 * s, phi + zero]  # crank j
        v += [-0.5 * s * rate, 0.5 * c * rate, rate + zero]
        if j < n:
            q += [j + 0.5 + c, s, zero]  # coupler j
            v += [-s * rate, c * rate, zero]
    return np.stack(q), np.stack(v)


def crank_angle(n: int, t: Any, gravity: float = GRAVITY) -> tuple[Any, Any]:
    """Angle and angular velocity of the cranks at the instants ``t``, from (2)."""
    special = scipy_module("special")
    c = ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * gravity  # (1)
    fastest = np.sqrt(1 + 4 * c)
    m = 4 * c / (1 + 4 * c)
    K = special.ellipk(m)
    argument = K - 0.5 * fastest * np.asarray(t, dtype=float)
    half_turns = np.round(argument / (2 * K))  # am(u + 2K) = am(u) + π
    _, _, dn, am = special.ellipj(argument - 2 * K * half_turns, m)
    return 2 * (am + np.pi * half_turns) - np.pi / 2, -fastest * dn


@with_checked_options
def a02(n: int = 40, t_end: float = 20.0) -> Problem:
    """IFToMM A02, a row of ``n`` four-bar mechanisms that passes through singular positions; exact solution known."""
    if n < 1:
        raise ProblemError(f"Problem 'a02' needs at least one four-bar mechanism, got n={n}")
    count = 2 * n + 1
    masses, lengths = np.ones(count), np.ones(count)
    crank, coupler = (lambda j: 2 * j), (lambda j: 2 * j + 1)
    joints = []
    for j in range(n):
        joints += [(crank(j), 0.5, coupler(j), -0.5), (coupler(j), 0.5, crank(j + 1), 0.5)]
    elements = [
        bars.links(masses, lengths),
        bars.ground_hinges([(crank(j), -0.5, float(j), 0.0) for j in range(n + 1)]),
        bars.hinges(joints),
    ]

    def exact(t: Any) -> tuple[Floats, Floats]:
        """Coordinates and velocities of all bars at the instants ``t``."""
        return posture(n, *crank_angle(n, t))

    def energy(t: Any, q: Any, v: Any, p: Any) -> Any:
        """Kinetic energy and potential of the weights."""
        return bars.energy(masses, lengths, q, v, p.g)

    def sketch(t: Any, q: Any, p: Any) -> dict[str, Points]:
        """Each bar a line."""
        return {label.strip("_"): bars.drawn(q, i, 1.0) for i, label in enumerate(labels)}

    labels = [f"_crank{i // 2}" if i % 2 == 0 else f"_coupler{i // 2}" for i in range(count)]
    references = []
    for t, (x, y, vx, vy, near) in TABLE.get(n, {}).items():
        phi = np.arctan2(y, x)
        phi += 2 * np.pi * np.round((near - phi) / (2 * np.pi))
        q, v = posture(n, phi, x * vy - y * vx)
        if t <= t_end:
            references.append(Reference(t, q=q, v=v, digits=10, source="one-degree-of-freedom reduction (1)"))
    q0, v0 = posture(n, np.pi / 2, -1.0)
    return Problem(
        "a02",
        title=f"IFToMM A02: {n} four-bar mechanisms",
        story=STORY,
        citation=CITATION,
        coordinates=bars.coordinate_names(labels),
        parameters={"g": GRAVITY},
        elements=elements,
        span=(0.0, t_end),
        q0=q0,
        v0=v0,
        references=tuple(references),
        invariant=energy,
        exact=exact,
        sketch=sketch,
    )
