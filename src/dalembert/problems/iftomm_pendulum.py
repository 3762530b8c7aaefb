"""IFToMM benchmark A01: the simple pendulum over 2000 seconds.

With θ measured from the downward vertical, θ̈ = −(g/L) sinθ. From rest at θ = π/2 the motion is
sin(θ/2) = k sn(K − ωt), k² = ½, ω² = g/L, where K = K(k) is a quarter of the period in ωt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.problems.plane_pendulum import FUNCTIONS, energy, sketch
from dalembert.problems.problem import Floats, Problem, Reference, scipy_module, with_checked_options

STORY = """\
A point mass of 1 kg on a massless bar of 1 m is released at rest from the horizontal position and swings for 2000 s,
more than 800 periods. Nothing about the mechanism is difficult; what the problem measures is how errors of phase and of
energy add up over a long time. The exact solution is known in elliptic functions.
"""

CITATION = """\
M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS simulation software: problem \
standardization and performance measurement, Multibody System Dynamics 16 (2006) 179-190; IFToMM library of \
computational benchmark problems, A01.
"""

PARAMETERS = {"m": 1.0, "L": 1.0, "g": 9.81}
MODULUS = 0.5  # k² = sin²(θ₀/2) at θ₀ = π/2


def exact(t: Any) -> tuple[Floats, Floats]:
    """Place (x, y) and velocity at the instants ``t``, by Jacobi's elliptic functions."""
    special = scipy_module("special")
    omega = np.sqrt(PARAMETERS["g"] / PARAMETERS["L"])
    k = np.sqrt(MODULUS)
    quarter = special.ellipk(MODULUS)
    # Whole periods are taken off first: the elliptic functions lose digits far from the origin.
    phase = np.remainder(omega * np.asarray(t, dtype=float), 4 * quarter)
    sn, cn, dn, _ = special.ellipj(quarter - phase, MODULUS)
    # sin(θ/2) = k sn, cos(θ/2) = dn, and θ̇ = −2ωk cn
    x, y = 2 * k * sn * dn, 2 * k**2 * sn**2 - 1
    rate = -2 * omega * k * cn
    return np.stack([x, y]), np.stack([-rate * y, rate * x])


@with_checked_options
def a01(t_end: float = 2000.0) -> Problem:
    """IFToMM A01, simple pendulum: released at rest from the horizontal, 2000 s; exact solution known."""
    source = "closed form in elliptic functions, printed with the problem; `exact` gives any other instant"
    table = {
        1.0: (-0.9862917511, -0.1650108531, 10),
        5.0: (0.9423054350, -0.3347543384, 10),
        10.0: (0.2750874626, -0.9614192051, 10),
        2000.0: (-0.81460307, -0.58001883, 8),
    }
    return Problem(
        "a01",
        title="IFToMM A01: simple pendulum",
        story=STORY,
        citation=CITATION,
        coordinates=["x", "y"],
        constraints=["bar"],
        parameters=PARAMETERS,
        functions=FUNCTIONS,
        span=(0.0, t_end),
        q0=[1.0, 0.0],
        v0=[0.0, 0.0],
        references=tuple(
            Reference(t, q=[x, y], digits=digits, source=source) for t, (x, y, digits) in table.items() if t <= t_end
        ),
        invariant=energy,
        exact=exact,
        sketch=sketch,
    )
