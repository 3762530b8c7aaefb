"""Spatial systems for the tests: Euler parameters with angular velocities in the axes of the body, rolling."""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert.symbolic import array, directional_derivative

GRAVITY = 9.81


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotation(p):
    """R of Euler parameters p, scalar first."""
    w, x, y, z = p
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def parameter_rates(p):
    """ṗ = E ω, ω in the axes of the body."""
    w, x, y, z = p
    return 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])


def unit(p):
    return p / np.sqrt(p @ p)


TOP = {"m": 0.5, "l": 0.1, "I1": 0.008, "I3": 0.002}


def top():
    """Heavy symmetric top about its fixed tip: q = Euler parameters, v = ω in its own axes."""

    def f(q, v, p):
        spin = np.array([p.I1 * v[0], p.I1 * v[1], p.I3 * v[2]])
        weight = rotation(q).T @ np.array([0.0, 0.0, -p.m * GRAVITY])
        return cross(np.array([0.0, 0.0, p.l]), weight) - cross(v, spin)

    return da.trace(
        M=lambda p: np.diag([p.I1, p.I1, p.I3]), f=f, T=lambda q: parameter_rates(q), normalize=lambda q: unit(q),
        n_q=4, n_v=3, parameters=TOP, names={"q": ["p0", "p1", "p2", "p3"], "v": ["wx", "wy", "wz"]}, name="top",
    )  # fmt: skip


def bodies(n, g, rows, name, box=(0.02, 0.3, 0.31), forces=None):
    """n rigid bodies of mass 1 under gravity along −y: q = (r, p), v = (ṙ, ω), constraints g."""

    def T(q):
        matrix = np.zeros((7 * n, 6 * n), dtype=object)
        for k in range(n):
            matrix[7 * k : 7 * k + 3, 6 * k : 6 * k + 3] = np.eye(3)
            matrix[7 * k + 3 : 7 * k + 7, 6 * k + 3 : 6 * k + 6] = parameter_rates(q[7 * k + 3 : 7 * k + 7])
        return matrix

    def f(q, v):
        parts = []
        for k in range(n):
            w = v[6 * k + 3 : 6 * k + 6]
            parts += [0.0, -GRAVITY, 0.0, *(-cross(w, np.array(box) * w))]
        return np.array(parts) + (0.0 if forces is None else forces(q, v))

    def normalize(q):
        return np.concatenate([
            part for k in range(n) for part in (q[7 * k : 7 * k + 3], unit(q[7 * k + 3 : 7 * k + 7]))
        ])  # fmt: skip

    coordinates = [f"{b}.{x}" for b in range(n) for x in ("x", "y", "z", "p0", "p1", "p2", "p3")]
    velocities = [f"{b}.{x}" for b in range(n) for x in ("x.rate", "y.rate", "z.rate", "wx", "wy", "wz")]
    return da.trace(
        M=lambda: np.diag([1.0, 1.0, 1.0, *box] * n), f=f, T=T, g=g, normalize=normalize, n_q=7 * n, n_v=6 * n,
        names={"q": coordinates, "v": velocities, "lam": rows}, name=name,
    )  # fmt: skip


def pose(q, k):
    return q[7 * k : 7 * k + 3], rotation(q[7 * k + 3 : 7 * k + 7])


def revolute(q, first, at_first, second, at_second):
    """Five rows of a hinge whose axis is z of both bodies; −1 is the ground."""
    r1, R1 = (np.zeros(3), np.eye(3)) if first < 0 else pose(q, first)
    r2, R2 = (np.zeros(3), np.eye(3)) if second < 0 else pose(q, second)
    gap = r2 + R2 @ np.array(at_second) - r1 - R1 @ np.array(at_first)
    return [*gap, R1[:, 0] @ R2[:, 2], R1[:, 1] @ R2[:, 2]]


def spatial_four_bar(lengths=(1.0, 2.0, 1.5, 2.2)):
    """Four hinges with parallel axes in space: twenty rows, three of which say what others say."""
    a, b, c, d = lengths

    def g(q):
        return np.array([
            *revolute(q, -1, (0, 0, 0), 0, (-a / 2, 0, 0)), *revolute(q, 0, (a / 2, 0, 0), 1, (-b / 2, 0, 0)),
            *revolute(q, 1, (b / 2, 0, 0), 2, (c / 2, 0, 0)), *revolute(q, 2, (-c / 2, 0, 0), -1, (d, 0, 0)),
        ])  # fmt: skip

    rows = [f"{hinge}.{x}" for hinge in "ABCD" for x in ("x", "y", "z", "tilt x", "tilt y")]
    return bodies(3, g, rows, "spatial four-bar", box=(0.01, a**2 / 12, a**2 / 12))


def planar_pose(x, y, phi):
    return [x, y, 0.0, np.cos(phi / 2), 0.0, 0.0, np.sin(phi / 2)]


def four_bar_angles(crank, lengths=(1.0, 2.0, 1.5, 2.2)):
    """Angles of coupler and rocker by the law of cosines, open branch."""
    a, b, c, d = lengths
    B, D = a * np.exp(1j * crank), d
    reach = abs(D - B)
    inner = np.arccos((b**2 + reach**2 - c**2) / (2 * b * reach))
    coupler = np.angle(D - B) + inner
    C = B + b * np.exp(1j * coupler)
    return coupler, np.angle(C - D)


class Disc:
    """Thin disc that rolls without slip: x, y of its centre, heading ψ, lean θ, spin φ."""

    m, r = 1.0, 0.5
    A, C = 0.25 * m * r**2, 0.5 * m * r**2
    names = ("x", "y", "psi", "theta", "phi")

    @classmethod
    def M(cls, q):
        s, c = np.sin(q[3]), np.cos(q[3])
        m, A, C = cls.m, cls.A, cls.C
        return np.array([
            [m, 0, 0, 0, 0], [0, m, 0, 0, 0], [0, 0, A * c * c + C * s * s, 0, C * s],
            [0, 0, 0, A + m * cls.r**2 * s * s, 0], [0, 0, C * s, 0, C],
        ])  # fmt: skip

    @classmethod
    def f(cls, q, v):
        """∂L/∂q − Ṁ v."""
        s, c = np.sin(q[3]), np.cos(q[3])
        _, _, heading, lean, spin = v
        m, r, A, C = cls.m, cls.r, cls.A, cls.C
        gradient = (C - A) * s * c * heading**2 + C * c * heading * spin + m * r**2 * s * c * lean**2
        return np.array([
            0.0, 0.0, -2 * (C - A) * s * c * lean * heading - C * c * lean * spin,
            gradient - 2 * m * r**2 * s * c * lean**2 + m * GRAVITY * r * s, -C * c * lean * heading,
        ])  # fmt: skip

    @classmethod
    def centre_rate(cls, q, rates):
        """ω × (contact → centre), for the rates of heading, lean and spin."""
        s, c = np.sin(q[3]), np.cos(q[3])
        along, aside = np.array([np.cos(q[2]), np.sin(q[2]), 0]), np.array([-np.sin(q[2]), np.cos(q[2]), 0])
        up = np.array([0, 0, 1.0])
        omega = rates[0] * up + rates[1] * along + rates[2] * (c * aside + s * up)
        return cross(omega, cls.r * (c * up - s * aside))[:2]

    @classmethod
    def equations(cls):
        return da.trace(
            M=cls.M, f=cls.f, nonholonomic=lambda q, v: v[:2] - cls.centre_rate(q, v[2:]), n_q=5,
            names={"q": cls.names, "lam": ["roll x", "roll y"]}, name="disc",
        )  # fmt: skip

    @classmethod
    def kane(cls):
        """The same with three velocities that satisfy the rolling conditions by themselves: q̇ = T v."""

        def T(q):
            columns = [cls.centre_rate(q, e) for e in np.eye(3)]
            return np.concatenate([np.array(columns).T, np.eye(3)])

        def f(q, v):
            rate = array(T(q) @ v)
            bent = directional_derivative(rate, q, rate)
            return array(T(q).T @ (cls.f(q, rate) - cls.M(q) @ bent))

        return da.trace(
            M=lambda q: T(q).T @ cls.M(q) @ T(q), f=f, T=T, n_q=5, n_v=3,
            names={"q": cls.names, "v": [f"{x}.rate" for x in cls.names[2:]]}, name="disc of Kane",
        )  # fmt: skip
