"""Bodies that turn in space: the heavy top, the free body, the rolling disc."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.formulate.custom import Custom
from dalembert.model.model import Model
from dalembert.problems.mechanisms.example import Example
from dalembert.problems.problem import with_checked_options

TOP = {"mass": 1.2, "height": 0.25, "across": 0.02, "axial": 0.008}


def euler_zxz(turn: float, tilt: float) -> np.ndarray:
    """Rotation about z, then about the new x axis."""
    c, s = np.cos(turn), np.sin(turn)
    C, S = np.cos(tilt), np.sin(tilt)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ np.array([[1.0, 0, 0], [0, C, -S], [0, S, C]])


def steady_precession(tilt: float, spin: float) -> float:
    """Slow steady precession ψ̇ of the top: I₃ ω₃ ψ̇ − (I₁ + m s²) cosθ ψ̇² = m g s, with ω₃ the whole turning about the
    axis."""
    a = (TOP["across"] + TOP["mass"] * TOP["height"] ** 2) * np.cos(tilt)
    b, c = TOP["axial"] * spin, TOP["mass"] * 9.81 * TOP["height"]
    # The root that stays finite where a vanishes.
    return float(2.0 * c / (b + np.sqrt(b * b - 4.0 * a * c)))


@with_checked_options
def top(tilt: float = 0.5, spin: float = 120.0, precession: float = 0.0) -> Example:
    """Lagrange's heavy top on a ball joint: tilted by ``tilt``, turning about its axis with ``spin`` and about the
    vertical with ``precession``."""
    m = Model("top", gravity=(0, 0, -9.81))
    inertia = (TOP["across"], TOP["across"], TOP["axial"])
    body = m.body("top", mass=TOP["mass"], inertia=inertia, com=(0, 0, TOP["height"]))
    R = euler_zxz(0.0, tilt)
    half = tilt / 2
    w = R.T @ [0.0, 0.0, precession] + [0.0, 0.0, spin - precession * np.cos(tilt)]
    m.spherical(
        "O", m.ground.at(0, 0, 0), body.at(0, 0, 0),
        start={"rotation": (np.cos(half), np.sin(half), 0.0, 0.0), "angular_velocity": tuple(w)},
    )  # fmt: skip
    m.sensor("tip", body.at(0, 0, 0.4).position)
    axial = TOP["axial"] * body.angular_velocity[2]

    def by_euler_angles(world: Any, q: Any, p: Any) -> Any:
        return {body: world.turned(q.psi, "z").turned(q.theta, "x").turned(q.phi, "z")}

    return Example(
        m,
        span=(0.0, 0.5),
        custom=Custom(["psi", "theta", "phi"], by_euler_angles, satisfied="O"),
        custom_start={
            "psi": 0.0,
            "psi.rate": precession,
            "theta": tilt,
            "phi": 0.0,
            "phi.rate": spin - precession * np.cos(tilt),
        },
        conserved={"energy": m.energy, "vertical momentum": m.angular_momentum[2], "axial momentum": axial},
    )


FREE_INERTIA = (0.3, 0.5, 0.7)


def free_body() -> Example:
    """A body with three different moments of inertia, turning freely in space; Euler's equations have a solution in
    Jacobi's elliptic functions."""
    m = Model("free body")
    body = m.body("body", mass=2.0, inertia=FREE_INERTIA, angular_velocity=(2.0, 0.0, 3.0), velocity=(0.3, -0.1, 0.2))
    m.sensor("spin", body.angular_velocity)
    m.sensor("point", body.at(0.2, 0.3, 0.4).position)
    return Example(
        m,
        span=(0.0, 2.0),
        conserved={"energy": m.energy, "momentum": m.momentum, "angular momentum": m.angular_momentum},
    )


DISC = {"mass": 1.5, "radius": 0.3, "across": 0.034, "axial": 0.0675}


def steady_rolling(tilt: float, heading_rate: float) -> float:
    """Turning ω₃ about the axle with which the disc of :func:`rolling_disc` rolls in a circle.

    With θ between axle and vertical and φ̇ the rate of the heading:
    (I₃ + m r²) ω₃ φ̇ sinθ = I₁ φ̇² sinθ cosθ − m g r cosθ.
    """
    m, r, I1, I3 = DISC["mass"], DISC["radius"], DISC["across"], DISC["axial"]
    s, c = np.sin(tilt), np.cos(tilt)
    return float((I1 * heading_rate**2 * s * c - m * 9.81 * r * c) / ((I3 + m * r**2) * heading_rate * s))


@with_checked_options
def rolling_disc(tilt: float = 1.2, w: tuple[float, float, float] = (0.3, 1.0, -5.0)) -> Example:
    """A thin disc rolls on the ground, with ``tilt`` between its axle and the vertical.

    ``w`` is its angular velocity along the horizontal direction of rolling, upwards in its plane, and along the axle.
    """
    m = Model("rolling disc", gravity=(0, 0, -9.81))
    inertia = (DISC["across"], DISC["across"], DISC["axial"])
    r = DISC["radius"]
    R = euler_zxz(0.0, tilt)
    # The centre moves as if it turned about the point of contact, which is r below it in the plane of the disc.
    v = R @ np.cross(w, [0.0, r, 0.0])
    disc = m.body(
        "disc", mass=DISC["mass"], inertia=inertia, position=(0.0, 0.0, r * np.sin(tilt)), rotation=R, velocity=v,
        angular_velocity=w,
    )  # fmt: skip
    m.rolling_disc("rolling", disc, r)
    m.sensor("centre", disc.at(0, 0, 0).position)
    m.sensor("axle", disc.rotation[:, 2])
    m.sensor("point", disc.at(0.1, 0.2, 0.3).position)
    return Example(m, span=(0.0, 1.0), conserved={"energy": m.energy})
