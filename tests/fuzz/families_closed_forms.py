"""Closed forms beside all methods: free flight, linear systems, pendulums, tops, free bodies, orbits, balls, shafts.

Each class says how its model is built, what is drawn for a motion, and where the motion goes by the textbook.  Masses,
lengths and times are scaled over six decades each; models have their numbers as parameters, so that few are compiled.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np
from fuzz.family import (
    CHANGE,
    WORST,
    Family,
    Groups,
    Motion,
    Outcome,
    WrongError,
    at_times,
    by_runs,
    described,
    options_of,
    run,
    scaled_steps,
)
from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipkinc

import dalembert as da
from dalembert.model.model import Model

FORMULATIONS = (("relative", "symbolic"), ("relative", "recursion"), ("absolute", "symbolic"), ("absolute", "elements"))

#: Values so many times as large as the motion have left all of its scales.
LEFT = 1e6

#: Methods that serve constraints on velocities alone.
NONHOLONOMIC = ("auto", "dopri5", "dop853", "radau", "radau9", "radau13", "mexx", "bdf", "adams", "hem5")

Numbers = dict[str, float]


class ClosedForm(Family):
    """One mechanism whose motion is known."""

    per_model: ClassVar[int] = 256
    per_motion: ClassVar[int] = 4
    #: Coordinates and builders that it can have.
    formulations: ClassVar[tuple[tuple[str, str], ...]] = FORMULATIONS
    #: Methods that serve these models; all if None.
    methods: ClassVar[tuple[str, ...] | None] = None
    #: Whether some runs go backwards.
    reversible: ClassVar[bool] = False
    #: Sensors that are compared: names of those that share a scale.
    sensors: ClassVar[tuple[tuple[str, ...], ...]] = (("place",),)

    def build(self) -> Model:
        """The model, with sensors."""
        raise NotImplementedError

    def draw(
        self, rng: np.random.Generator, scales: tuple[float, float, float]
    ) -> tuple[Numbers, np.ndarray, np.ndarray, float]:
        """Parameters, positions and velocities at the start as ``exact`` knows them, and the end of the span; for
        scales of mass, length and time."""
        raise NotImplementedError

    def exact(self, t: np.ndarray, p: Numbers, q: np.ndarray, v: np.ndarray) -> Groups:
        """Values of the sensors."""
        raise NotImplementedError

    def start(self, equations: Any, p: Numbers, q: np.ndarray, v: np.ndarray) -> Any:
        """The start, as simulate takes it."""
        raise NotImplementedError

    def model(self, rng: np.random.Generator) -> Any:
        coordinates, builder = self.formulations[rng.integers(len(self.formulations))]
        return self.build().equations(coordinates, builder=builder)

    def motion(self, rng: np.random.Generator, model: Any) -> Motion:
        scaled = rng.random() < 0.5
        scales = tuple(10.0 ** rng.uniform(-3.0, 3.0, 3)) if scaled else (1.0, 1.0, 1.0)
        p, q, v, end = self.draw(rng, scales)
        end = -end if self.reversible and rng.random() < 0.2 else end
        times = at_times(rng, (0.0, end))
        expected = self.exact(times, p, q, v)
        growth: list[Groups] = []
        sizes = (
            float(max(np.abs(q).max(initial=0.0), scales[1] * 0.1)),
            float(max(np.abs(v).max(), scales[1] / scales[2] * 0.1)),
        )
        for which, size in enumerate(sizes):
            total = [np.zeros_like(one) for one in expected]
            for k in range((q, v)[which].size):
                moved = [q.copy(), v.copy()]
                moved[which][k] += CHANGE * size
                changed = self.exact(times, p, *moved)
                for sum_of, a, b in zip(total, changed, expected, strict=True):
                    sum_of += np.abs(a - b) / CHANGE
            growth.append(total)
        start = self.start(model, p, q, v)
        return Motion((0.0, end), start, times, expected, (growth[0], growth[1]), sizes, (), p, {"_scaled": scales})

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        options = options_of(rng, self.methods)
        _, length, time = motion.options["_scaled"]
        if (length, time) != (1.0, 1.0) or rng.random() < 0.5:
            s = model.sizes
            small = 1e-2 * options["rtol"]
            options["atol"] = np.concatenate(
                [np.full(s.q, small * motion.sizes[0]), np.full(s.v, small * motion.sizes[1]), np.full(s.u, small)]
            )
        plain = Motion(**{**vars(motion), "options": {}})
        return run(model, plain, options, self.measured)

    def measured(self, found: Any) -> Groups:
        return [np.vstack([np.atleast_2d(found[name]) for name in names]) for names in self.sensors]


def linear(A: np.ndarray, z: np.ndarray, times: np.ndarray) -> np.ndarray:
    """z(t) of z' = A z, one column for each instant."""
    return np.column_stack([Phi @ z for Phi in _propagators(A.tobytes(), times.tobytes())])


@functools.lru_cache(maxsize=1)
def _propagators(A: bytes, times: bytes) -> list[np.ndarray]:
    """exp(A t) for each instant: the same for all starts."""
    values = np.frombuffer(A)
    matrix = values.reshape(int(np.sqrt(values.size)), -1)
    return [expm(matrix * t) for t in np.frombuffer(times)]


def vectors(equations: Any, p: Numbers, **values: float) -> Any:
    """A start from values by name."""
    return equations.assemble(values, parameters=p)


class Flight(ClosedForm):
    """A point in free flight with weight, a linear drag, and a magnetic force across its velocity."""

    name = "free flight, charged particles"

    def build(self) -> Model:
        m = Model("flight")
        m.parameters(m=1.0, g=9.81, c=0.0, b=0.0, J=1.0)
        ball = m.body("ball", mass=m.p.m, inertia=(m.p.J, m.p.J, m.p.J))
        m.force(
            "weight",
            ball.com,
            lambda velocity, p: (
                -p.c * velocity[0] + p.b * velocity[1],
                -p.c * velocity[1] - p.b * velocity[0],
                -p.c * velocity[2] - p.m * p.g,
            ),
        )
        m.sensor("place", ball.com.position)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {"m": mass * rng.uniform(0.5, 2), "g": length / time**2 * rng.uniform(0, 10), "J": mass * length**2}
        p |= {
            "c": mass / time * rng.choice([0.0, 10.0 ** rng.uniform(-2, 3)]),
            "b": mass / time * rng.choice([0.0, 10.0 ** rng.uniform(-1, 2)]),
        }
        return p, length * rng.uniform(-1, 1, 3), length / time * rng.uniform(-3, 3, 3), time * rng.uniform(0.5, 3)

    def exact(self, t, p, q, v):
        A = np.zeros((7, 7))
        A[:3, 3:6] = np.eye(3)
        A[3:6, 3:6] = np.array([[-p["c"], p["b"], 0], [-p["b"], -p["c"], 0], [0, 0, -p["c"]]]) / p["m"]
        A[5, 6] = -p["g"]
        return [linear(A, np.concatenate([q, v, [1.0]]), t)[:3]]

    def start(self, equations, p, q, v):
        places, speeds = np.zeros(7), np.zeros(6)
        places[:3], places[3], speeds[:3] = q, 1.0, v
        return places, speeds


class Chain(ClosedForm):
    """Masses on springs and dampers, soft and stiff, the last one pushed by a sine."""

    name = "linear chains, damped and forced"
    n: ClassVar[int] = 3
    sensors = (("x0", "x1", "x2"),)

    def build(self) -> Model:
        m = Model("chain", plane="xy")
        m.parameters(F=1.0, w=1.0, J=1.0, **{f"{key}{i}": 1.0 for i in range(self.n) for key in "mkc"})
        joints = []
        for i in range(self.n):
            body = m.body(f"b{i}", mass=getattr(m.p, f"m{i}"), inertia=m.p.J)
            joints.append(m.prismatic(f"j{i}", m.ground.at(0, 0), body.at(0, 0)))
            m.sensor(f"x{i}", joints[-1].displacement)
        m.joint_spring("s0", joints[0], stiffness=m.p.k0, damping=m.p.c0)
        for i in range(1, self.n):
            a, b = joints[i - 1], joints[i]
            between = -(
                getattr(m.p, f"k{i}") * (b.displacement - a.displacement) + getattr(m.p, f"c{i}") * (b.rate - a.rate)
            )
            m.force(f"s{i}", b, between)
            m.force(f"r{i}", a, -between)
        m.force("push", joints[-1], lambda t, p: p.F * np.sin(p.w * t))
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        spread = rng.uniform(0, 3)
        p: Numbers = {"J": mass * length**2}
        for i in range(self.n):
            p[f"m{i}"] = mass * 10.0 ** rng.uniform(-0.5, 0.5)
            p[f"k{i}"] = mass / time**2 * 10.0 ** rng.uniform(-1, 1 + spread)
            p[f"c{i}"] = (
                mass / time * rng.choice([0.0, 10.0 ** rng.uniform(-2, 0.5 * spread), 10.0 ** rng.uniform(0, 4)])
            )
        p |= {"F": mass * length / time**2 * rng.choice([0.0, rng.uniform(0, 5)]), "w": rng.uniform(0.3, 10) / time}
        return (
            p,
            length * rng.uniform(-1, 1, self.n),
            length / time * rng.uniform(-1, 1, self.n),
            time * rng.uniform(1, 10),
        )

    def exact(self, t, p, q, v):
        n = self.n
        K, C = np.zeros((n, n)), np.zeros((n, n))
        for i in range(n):
            for full, key in ((K, "k"), (C, "c")):
                full[i, i] += p[f"{key}{i}"]
                if i:
                    full[i - 1, i - 1] += p[f"{key}{i}"]
                    full[i - 1, i] -= p[f"{key}{i}"]
                    full[i, i - 1] -= p[f"{key}{i}"]
        inverse = np.diag([1 / p[f"m{i}"] for i in range(n)])
        A = np.zeros((2 * n + 2, 2 * n + 2))
        A[:n, n : 2 * n] = np.eye(n)
        A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -inverse @ K, -inverse @ C
        A[2 * n - 1, 2 * n] = p["F"] / p[f"m{n - 1}"]
        A[2 * n, 2 * n + 1], A[2 * n + 1, 2 * n] = p["w"], -p["w"]
        return [linear(A, np.concatenate([q, v, [0.0, 1.0]]), t)[:n]]

    def start(self, equations, p, q, v):
        given = {f"j{i}.displacement": x for i, x in enumerate(q)} | {f"j{i}.rate": x for i, x in enumerate(v)}
        return equations.assemble(given, parameters=p)


class Pendulum(ClosedForm):
    """A pendulum that swings or turns over, by elliptic functions."""

    name = "pendulum"
    reversible = True
    sensors = (("place",),)

    def build(self) -> Model:
        m = Model("pendulum", plane="xy")
        m.parameters(m=1.0, J=0.0, l=1.0, g=9.81)
        rod = m.body("rod", mass=m.p.m, inertia=m.p.J, com=(0.0, -m.p.l))
        m.revolute("A", m.ground.at(0, 0), rod.at(0, 0))
        m.force("weight", rod.com, lambda p: (0.0, -p.m * p.g))
        m.sensor("place", rod.com.position)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {
            "m": mass * rng.uniform(0.5, 2),
            "l": length * rng.uniform(0.5, 2),
            "g": length / time**2 * rng.uniform(1, 10),
        }
        p["J"] = p["m"] * p["l"] ** 2 * rng.uniform(0.01, 1)
        frequency = np.sqrt(self.rate2(p))
        if rng.random() < 0.3:  # near the separatrix
            angle = rng.uniform(-1, 1)
            rate = 2 * frequency * np.cos(angle / 2) * (1 + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-6, -1))
        else:
            angle, rate = rng.uniform(-3, 3), frequency * rng.normal() * rng.choice([0.3, 1, 5])
        return p, np.array([angle]), np.array([rate]), rng.uniform(1, 15) / frequency

    @staticmethod
    def rate2(p: Numbers) -> float:
        return p["m"] * p["g"] * p["l"] / (p["J"] + p["m"] * p["l"] ** 2)

    def exact(self, t, p, q, v):
        w = np.sqrt(self.rate2(p))
        x, y = q[0], v[0] / (2 * w)  # y² + sin²(x/2) = k²
        k2 = y * y + np.sin(x / 2) ** 2
        turns = 2 * np.pi * np.round(x / (2 * np.pi))
        half, sign = (x - turns) / 2, np.sign(y) if y else 1.0
        if k2 < 1:
            k = np.sqrt(k2)
            phase = np.arcsin(np.clip(np.sin(half) / k, -1, 1))
            phase = phase if y >= 0 else np.pi - phase
            sn = ellipj(w * t + ellipkinc(phase, k2), k2)[0]
            half_sine = k * sn
        else:
            k = np.sqrt(k2)
            _, _, _, ph = ellipj(sign * k * w * t + ellipkinc(half, 1 / k2), 1 / k2)
            half_sine, half_cosine = np.sin(ph), np.cos(ph)
            return [p["l"] * np.vstack([2 * half_sine * half_cosine, 2 * half_sine**2 - 1])]
        half_cosine = np.sqrt(1 - half_sine**2)
        return [p["l"] * np.vstack([2 * half_sine * half_cosine, 2 * half_sine**2 - 1])]

    def start(self, equations, p, q, v):
        return equations.assemble({"A.angle": q[0], "A.rate": v[0]}, parameters=p)


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about a unit vector."""
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


class Symmetric(ClosedForm):
    """A free symmetric body, whose axis precesses about its angular momentum."""

    name = "free symmetric bodies"
    reversible = True
    sensors = (("tip", "side"),)

    def build(self) -> Model:
        m = Model("free body")
        m.parameters(m=1.0, A=1.0, C=1.0, l=1.0)
        body = m.body("body", mass=m.p.m, inertia=(m.p.A, m.p.A, m.p.C))
        if self.held:
            m.spherical("ball", m.ground.at(0, 0, 0), body.at(0, 0, 0))
        m.sensor("tip", body.at(0, 0, m.p.l).position)
        m.sensor("side", body.at(m.p.l, 0, 0).position)
        return m

    held: ClassVar[bool] = True

    def draw(self, rng, scales):
        mass, length, time = scales
        A = mass * length**2 * rng.uniform(0.5, 2)
        p = {"m": mass, "A": A, "C": A * rng.uniform(0.05, 1.95), "l": length}
        w = rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1.5) / time
        if rng.random() < 0.3:
            w[:2] *= 10.0 ** rng.uniform(-8, 0)
        return p, np.zeros(0), w, rng.uniform(5, 60) / np.linalg.norm(w)

    def motion(self, rng, model):
        made = super().motion(rng, model)
        made.sizes = (1.0 if self.held else max(1.0, made.parameters["l"]), made.sizes[1])
        return made

    def exact(self, t, p, q, w):
        L = np.array([p["A"] * w[0], p["A"] * w[1], p["C"] * w[2]])
        size = np.linalg.norm(L)
        spin = w[2] * (1 - p["C"] / p["A"])
        tips, sides = [], []
        for instant in t:
            R = turned(L / size, size / p["A"] * instant) @ turned(np.array([0, 0, 1.0]), spin * instant)
            tips.append(p["l"] * R[:, 2])
            sides.append(p["l"] * R[:, 0])
        return [np.vstack([np.transpose(tips), np.transpose(sides)])]

    def start(self, equations, p, q, w):
        s = equations.sizes
        q0, v0 = np.zeros(s.q), np.zeros(s.v)
        q0[s.q - 4], v0[s.v - 3 :] = 1.0, w
        return q0, v0


class Asymmetric(Symmetric):
    """A free body with three different moments, near the separatrix too, by Jacobi's functions."""

    name = "free asymmetric bodies"
    reversible = True
    sensors = (("wx", "wy", "wz"), ("L",))

    def build(self) -> Model:
        m = Model("free body")
        m.parameters(m=1.0, A=1.0, B=2.0, C=2.5)
        body = m.body("body", mass=m.p.m, inertia=(m.p.A, m.p.B, m.p.C))
        m.spherical("ball", m.ground.at(0, 0, 0), body.at(0, 0, 0))
        for k, letter in enumerate("xyz"):
            m.sensor(f"w{letter}", body.angular_velocity[k])
        m.sensor("L", m.angular_momentum)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        a, b, c = np.sort(rng.uniform(0.1, 1.0, 3)) * mass * length**2
        p = {"m": mass, "A": a + b, "B": a + c, "C": b + c}  # A < B < C
        w = rng.normal(size=3)
        if rng.random() < 0.4:
            w = np.array([10.0 ** rng.uniform(-6, -1), 1.0, rng.choice([0.0, 10.0 ** rng.uniform(-6, -1)])])
        w *= 10.0 ** rng.uniform(-1, 1) / time
        return p, np.zeros(0), w, rng.uniform(5, 50) / np.linalg.norm(w)

    def motion(self, rng, model):
        return ClosedForm.motion(self, rng, model)

    def exact(self, t, p, q, w):
        from scipy.integrate import solve_ivp

        A, B, C = p["A"], p["B"], p["C"]
        rate = np.linalg.norm(w)

        # Euler's equations in units of their own, to rounding.
        def f(_, x):
            return [(B - C) / A * x[1] * x[2], (C - A) / B * x[2] * x[0], (A - B) / C * x[0] * x[1]]

        found = (
            solve_ivp(f, (0, t[-1] * rate), w / rate, t_eval=t * rate, method="DOP853", rtol=1e-13, atol=1e-16).y * rate
        )
        L = np.array([A, B, C]) * w
        return [found, np.repeat(L[:, None], t.size, axis=1)]


class Top(ClosedForm):
    """A heavy symmetric top: the height of its centre by an elliptic function."""

    name = "heavy tops"
    reversible = True
    sensors = (("height",),)

    def build(self) -> Model:
        m = Model("top")
        m.parameters(m=1.0, A=1.0, C=1.0, l=1.0, g=9.81)
        body = m.body("body", mass=m.p.m, inertia=(m.p.A, m.p.A, m.p.C), com=(0, 0, m.p.l))
        m.spherical("tip", m.ground.at(0, 0, 0), body.at(0, 0, 0))
        m.force("weight", body.com, lambda p: (0.0, 0.0, -p.m * p.g))
        m.sensor("height", body.com.position[2])
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {
            "m": mass * rng.uniform(0.5, 2),
            "l": length * rng.uniform(0.5, 2),
            "g": length / time**2 * rng.uniform(1, 10),
        }
        p["A"] = p["m"] * p["l"] ** 2 * rng.uniform(0.01, 1)
        p["C"] = p["A"] * rng.uniform(0.05, 1.95)
        w = rng.normal(size=3) / time * np.array([1, 1, 10.0 ** rng.uniform(-0.5, 2)])
        return p, np.array([rng.uniform(0.2, 2.9)]), w, time * rng.uniform(0.5, 4)

    def exact(self, t, p, q, w):
        A = p["A"] + p["m"] * p["l"] ** 2  # about the tip
        theta = q[0]
        # The body is turned about x by theta: its axis is (0, -sin, cos) in the world.
        b, a = w[1] * np.sin(theta) + p["C"] / A * w[2] * np.cos(theta), p["C"] / A * w[2]
        # u'² = (1 - u²)(alpha - beta u) - (b - a u)², u = cos(theta), Goldstein (5.62)
        beta = 2 * p["m"] * p["g"] * p["l"] / A
        u0, du0 = np.cos(theta), -np.sin(theta) * w[0]
        alpha = (w[0] ** 2 + w[1] ** 2) + beta * u0
        roots = np.roots([beta, -(alpha + a * a), 2 * a * b - beta, alpha - b * b])
        u1, u2, u3 = np.sort(roots.real)
        k2 = (u2 - u1) / (u3 - u1)
        share = np.clip((u0 - u1) / (u2 - u1), 0, 1)
        phase = np.arcsin(np.sqrt(share)) * (1 if du0 >= 0 else -1)
        rate = np.sqrt(beta * (u3 - u1)) / 2
        sn = ellipj(rate * t + ellipkinc(phase, k2), k2)[0]
        return [p["l"] * np.atleast_2d(u1 + (u2 - u1) * sn**2)]

    def start(self, equations, p, q, w):
        s = equations.sizes
        half = 0.5 * q[0]
        turn = np.array([np.cos(half), np.sin(half), 0, 0])
        R = turned(np.array([1.0, 0, 0]), q[0])
        arm = R @ [0, 0, p["l"]]
        q0, v0 = turn, w
        if s.q == 7:
            q0, v0 = np.concatenate([arm, turn]), np.concatenate([np.cross(R @ w, arm), w])
        return q0, v0


class Orbit(ClosedForm):
    """A planet on an ellipse, by Kepler's equation."""

    name = "orbits"
    reversible = True

    def build(self) -> Model:
        m = Model("orbit", plane="xy")
        m.parameters(m=1.0, J=1.0, mu=1.0)
        ball = m.body("ball", mass=m.p.m, inertia=m.p.J)
        m.force(
            "pull",
            ball.com,
            lambda position, p: -p.m * p.mu * position / np.sqrt(position[0] ** 2 + position[1] ** 2) ** 3,
        )
        m.sensor("place", ball.com.position)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {"m": mass, "J": mass * length**2, "mu": length**3 / time**2}
        e = rng.uniform(0, 0.95)
        at = length * (1 + e)  # at the far end
        return p, np.array([at, 0.0]), np.array([0.0, np.sqrt(p["mu"] * (1 - e) / at)]), time * rng.uniform(3, 14)

    def exact(self, t, p, q, v):
        mu = p["mu"]
        r0 = np.hypot(*q)
        a = 1 / (2 / r0 - v @ v / mu)
        n = np.sqrt(mu / a**3)
        ecc = (v @ v / mu - 1 / r0) * q - (q @ v) / mu * v
        e = np.linalg.norm(ecc)
        along = ecc / e
        across = np.array([-along[1], along[0]]) * np.sign(q[0] * v[1] - q[1] * v[0])
        E0 = np.arctan2(q @ v / np.sqrt(mu * a), 1 - r0 / a)
        M = E0 - e * np.sin(E0) + n * t
        E = M + e * np.sin(M)
        for _ in range(60):
            E = E - np.clip((E - e * np.sin(E) - M) / (1 - e * np.cos(E)), -0.5, 0.5)
        return [a * (np.outer(along, np.cos(E) - e) + np.outer(across, np.sqrt(1 - e * e) * np.sin(E)))]

    def start(self, equations, p, q, v):
        places, speeds = np.zeros(equations.sizes.q), np.zeros(equations.sizes.v)
        places[:2], speeds[:2] = q, v
        return places, speeds


class Turntable(ClosedForm):
    """A ball that rolls on a plate which turns steadily moves in circles."""

    name = "balls on turntables"
    methods = NONHOLONOMIC
    formulations = (("relative", "symbolic"), ("absolute", "symbolic"), ("absolute", "elements"))

    def build(self) -> Model:
        m = Model("turntable", gravity=(0, 0, -9.81))
        m.parameters(m=1.0, J=1.0, r=1.0, W=1.0)
        plate = m.body("plate", mass=1.0, inertia=(1.0, 1.0, 1.0))
        axle = m.revolute("axle", m.ground.at(0, 0, 0), plate.at(0, 0, 0))
        m.drive("motor", axle.angle, lambda t, p: p.W * t)
        ball = m.body("ball", mass=m.p.m, inertia=(m.p.J, m.p.J, m.p.J))
        m.rolling_ball("rolling", ball, m.p.r, on=plate)
        m.sensor("place", ball.com.position)
        return m

    def draw(self, rng, scales):
        p = {"m": rng.uniform(0.5, 2), "r": 10.0 ** rng.uniform(-2, 0), "W": rng.uniform(-20, 20)}
        p["J"] = p["m"] * p["r"] ** 2 * rng.uniform(0.1, 0.66)
        return p, rng.uniform(-1, 1, 2), rng.uniform(-2, 2, 2), rng.uniform(0.5, 4)

    def exact(self, t, p, q, v):
        k = p["J"] / (p["m"] * p["r"] ** 2)
        rate = k / (1 + k) * p["W"]
        A = np.zeros((4, 4))
        A[:2, 2:] = np.eye(2)
        A[2, 3], A[3, 2] = -rate, rate
        return [np.vstack([linear(A, np.concatenate([q, v]), t)[:2], np.full(t.size, p["r"])])]

    def start(self, equations, p, q, v):
        # The point of contact moves with the plate: v + w × (-r z) = W z × q.
        slip = v - p["W"] * np.array([-q[1], q[0]])
        spin = {"ball.wx": -slip[1] / p["r"], "ball.wy": slip[0] / p["r"], "ball.wz": 0.0}
        names = {"ball.x": q[0], "ball.y": q[1], "ball.z": p["r"]}
        places, speeds = np.zeros(equations.sizes.q), np.zeros(equations.sizes.v)
        for name, value in names.items():
            places[equations.index("q", name)] = value
        for name in ("ball.p0", "plate.p0"):
            if name in equations.names["q"]:
                places[equations.index("q", name)] = 1.0
        for name, value in spin.items():
            if name in equations.names["v"]:
                speeds[equations.index("v", name)] = value
        for name in ("ball.vx", "ball.vy"):
            if name in equations.names["v"]:
                speeds[equations.index("v", name)] = v["xy".index(name[-1])]
        for name in ("axle.rate", "axle.angle.rate", "plate.wz"):
            if name in equations.names["v"]:
                speeds[equations.index("v", name)] = p["W"]
        return places, speeds


class Disc(Family):
    """A disc that rolls around a circle, leaning inwards."""

    name = "rolling discs"

    def model(self, rng: np.random.Generator) -> Any:
        m = Model("disc", gravity=(0.0, 0.0, -9.81))
        m.parameters(m=1.0, A=1.0, C=1.0, r=1.0)
        disc = m.body("disc", mass=m.p.m, inertia=(m.p.A, m.p.A, m.p.C))
        m.rolling_disc("rolling", disc, m.p.r)
        m.sensor("place", disc.com.position)
        coordinates, builder = Turntable.formulations[rng.integers(3)]
        return m.equations(coordinates, builder=builder)

    def motion(self, rng: np.random.Generator, model: Any) -> Motion:
        p = {"m": rng.uniform(0.5, 2), "r": 10.0 ** rng.uniform(-1.5, 0)}
        p |= {"A": p["m"] * p["r"] ** 2 * rng.uniform(0.2, 0.3)}
        p["C"] = p["A"] * rng.uniform(1.5, 1.99)
        lean, radius = rng.uniform(0.4, 1.5), p["r"] * rng.uniform(0.5, 10)
        # The balance of moments about the centre; lean is the angle between the disc and the plane.
        resisting = p["C"] * radius / p["r"] + p["A"] * np.cos(lean) + p["m"] * p["r"] * radius
        turning = np.sqrt(p["m"] * 9.81 * p["r"] / np.tan(lean) / resisting)
        R = np.array([[0, -np.cos(lean), np.sin(lean)], [1, 0, 0], [0, np.sin(lean), np.cos(lean)]])
        x, y, z, w = Rotation.from_matrix(R).as_quat()
        q = np.array([radius, 0, p["r"] * np.sin(lean), w, x, y, z])
        v = np.array([0, turning * radius, 0, 0, turning * np.sin(lean), -turning * radius / p["r"]])
        span = (0.0, rng.uniform(0.3, 2.0) / turning)
        times = at_times(rng, span)
        start = model.assemble(q, v, parameters=p)
        made = by_runs(model, span, start, times, self.measured, p, rtol=1e-9)
        made.expected = [
            np.vstack([radius * np.cos(turning * times), radius * np.sin(turning * times), np.full(times.size, q[2])])
        ]
        made.known = ()
        return made

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        return run(model, motion, options_of(rng, NONHOLONOMIC), self.measured)

    @staticmethod
    def measured(found: Any) -> Groups:
        return [np.atleast_2d(found["place"])]


class Bouncing(ClosedForm):
    """A ball that bounces on the ground and loses speed at each impact."""

    name = "bouncing balls"
    sensors = (("height",),)
    formulations = (("relative", "symbolic"), ("absolute", "symbolic"), ("absolute", "elements"))

    def build(self) -> Model:
        m = Model("bouncing", plane="xy")
        m.parameters(m=1.0, J=1.0, g=9.81, e=0.7)
        ball = m.body("ball", mass=m.p.m, inertia=m.p.J)
        way = m.prismatic("way", m.ground.at(0, 0, angle=np.pi / 2), ball.at(0, 0, angle=np.pi / 2))
        m.force("weight", ball.com, lambda p: (0.0, -p.m * p.g))
        m.limit("floor", way, lower=0.0, restitution=m.p.e)
        m.sensor("height", way.displacement)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {"m": mass, "J": mass * length**2, "g": length / time**2 * rng.uniform(1, 10), "e": rng.uniform(0.3, 1)}
        q, v = length * rng.uniform(0.1, 2, 1), length / time * rng.uniform(-2, 2, 1)
        arcs = self.arcs(p, q, v, int(rng.integers(1, 9)))
        return p, q, v, arcs[-1][0] * 0.999

    @staticmethod
    def arcs(p: Numbers, q: np.ndarray, v: np.ndarray, count: int) -> list[tuple[float, float]]:
        """Instants of impacts and speeds after them."""
        t = (v[0] + np.sqrt(v[0] ** 2 + 2 * p["g"] * q[0])) / p["g"]
        speed = p["e"] * (p["g"] * t - v[0])
        found = [(t, speed)]
        for _ in range(count):
            t = t + 2 * speed / p["g"]
            speed = p["e"] * speed
            found.append((t, speed))
        return found

    def exact(self, t, p, q, v):
        height = q[0] + v[0] * t - 0.5 * p["g"] * t**2
        for instant, speed in self.arcs(p, q, v, 12):
            height = np.where(t > instant, speed * (t - instant) - 0.5 * p["g"] * (t - instant) ** 2, height)
        return [np.atleast_2d(height)]

    def start(self, equations, p, q, v):
        return equations.assemble({"way.displacement": q[0], "way.rate": v[0]}, parameters=p)


class Drag(ClosedForm):
    """A body thrown upwards against a drag that is quadratic in its speed."""

    name = "quadratic drag"
    sensors = (("height",),)

    def build(self) -> Model:
        m = Model("drag", plane="xy")
        m.parameters(m=1.0, J=1.0, g=9.81, k=1.0)
        ball = m.body("ball", mass=m.p.m, inertia=m.p.J)
        way = m.prismatic("way", m.ground.at(0, 0, angle=np.pi / 2), ball.at(0, 0, angle=np.pi / 2))
        m.force("weight", ball.com, lambda p: (0.0, -p.m * p.g))
        m.joint_spring("drag", way, force=lambda rate, p: p.k * rate * np.abs(rate))
        m.sensor("height", way.displacement)
        return m

    def draw(self, rng, scales):
        mass, length, time = scales
        p = {
            "m": mass,
            "J": mass * length**2,
            "g": length / time**2 * rng.uniform(1, 10),
            "k": mass / length * 10.0 ** rng.uniform(-2, 2),
        }
        return p, length * rng.uniform(-1, 1, 1), length / time * rng.uniform(-3, 10, 1), time * rng.uniform(0.5, 5)

    def exact(self, t, p, q, v):
        top = np.sqrt(p["m"] * p["g"] / p["k"])  # the final speed
        x, now, began = q[0], v[0], 0.0
        scale = top**2 / p["g"]
        if now > 0:  # up: tan; down: tanh
            phase = np.arctan(now / top)
            end = phase * top / p["g"]
            up = x + scale * np.log(
                np.maximum(np.cos(np.maximum(phase - p["g"] * np.minimum(t, end) / top, 0)), 1e-300) / np.cos(phase)
            )
            x, now, began = x + scale * np.log(1 / np.cos(phase)), 0.0, end
        else:
            up, end = np.zeros_like(t), -1.0
        phase = -now / top
        s = p["g"] * np.maximum(t - began, 0) / top
        if phase < 1:
            a = np.arctanh(phase)
            fall = np.logaddexp(s + a, -s - a) - np.logaddexp(a, -a)
        else:  # faster than the final speed: coth
            a = np.arctanh(1 / phase)
            fall = (s + a + np.log1p(-np.exp(-2 * (s + a)))) - (a + np.log1p(-np.exp(-2 * a)))
        return [np.atleast_2d(np.where(t <= end, up, x - scale * fall))]

    def start(self, equations, p, q, v):
        return equations.assemble({"way.displacement": q[0], "way.rate": v[0]}, parameters=p)


class Shafts(ClosedForm):
    """Two shafts at an angle, joined by a universal joint; the first turns steadily."""

    name = "universal shafts"
    sensors = (("out",),)
    formulations = (("relative", "symbolic"), ("absolute", "symbolic"), ("absolute", "elements"))

    def model(self, rng):
        self.bend = float(rng.uniform(0.05, 1.3))
        return super().model(rng)

    def build(self) -> Model:
        m = Model("shafts")
        m.parameters(k=1.0, J=1.0)
        one, two = (m.body(name, mass=1.0, inertia=(m.p.J, m.p.J, m.p.J)) for name in ("one", "two"))
        a = self.bend
        first = m.revolute("in", m.ground.at(0, 0, 0), one.at(0, 0, 0))
        tilted = turned(np.array([1.0, 0, 0]), a)
        m.revolute("outer", m.ground.at(0, 0, 0, rotation=tilted), two.at(0, 0, 0))
        # The cross: an axis of one across its shaft stays perpendicular to one of the other.
        m.perpendicular("cross", one.at(0, 0, 0, axis="x"), two.at(0, 0, 0, axis="y"))
        m.drive("motor", first.angle, lambda t, p: p.k * t)
        m.torque("load", two, lambda angular_velocity, p: -0.1 * p.J * angular_velocity)
        m.sensor("out", two.at(1, 0, 0).position)
        return m

    def draw(self, rng, scales):
        return {"k": rng.uniform(0.5, 5), "J": 10.0 ** rng.uniform(-2, 2)}, np.zeros(1), np.zeros(1), rng.uniform(1, 10)

    def exact(self, t, p, q, v):
        a, phi = self.bend, p["k"] * t
        # x of one is (cos, sin, 0); y of two is cos b (0, cos a, sin a) - sin b (1, 0, 0): tan b = cos a tan phi.
        b = np.arctan2(np.cos(a) * np.sin(phi), np.cos(phi))
        return [np.vstack([np.cos(b), np.cos(a) * np.sin(b), np.sin(a) * np.sin(b)])]

    def start(self, equations, p, q, v):
        return equations.assemble(parameters=p)


class Motor(ClosedForm):
    """A motor with inductance that turns a wheel against a spring: external states in a linear system."""

    name = "motors and controllers"
    sensors = (("angle",),)

    def build(self) -> Model:
        m = Model("motor", plane="xy")
        m.parameters(J=1.0, k=1.0, c=1.0, U=1.0, R=1.0, L=1.0, K=1.0, kp=1.0, ki=1.0, x=1.0)
        wheel = m.body("wheel", mass=1.0, inertia=m.p.J)
        axle = m.revolute("axle", m.ground.at(0, 0), wheel.at(0, 0))
        m.torsion_spring("spring", axle, stiffness=m.p.k, damping=m.p.c)
        m.dc_motor("motor", axle, lambda t, p: p.U, resistance=m.p.R, inductance=m.p.L, constant=m.p.K)
        m.actuator(
            "control", axle, lambda sum_, p: p.ki * sum_, states={"sum_": 0.0}, rates=lambda angle, p: p.x - angle
        )
        m.sensor("angle", axle.angle)
        return m

    def draw(self, rng, scales):
        p = {key: 10.0 ** rng.uniform(-1, 1) for key in ("J", "k", "c", "U", "R", "K", "x")}
        p |= {"L": 10.0 ** rng.uniform(-5, 0), "kp": 1.0, "ki": 10.0 ** rng.uniform(-2, 0.5)}
        return p, rng.uniform(-1, 1, 1), rng.uniform(-1, 1, 1), rng.uniform(1, 6)

    def exact(self, t, p, q, v):
        # angle, rate, current, integral, 1
        A = np.zeros((5, 5))
        A[0, 1] = 1
        A[1] = np.array([-p["k"], -p["c"], p["K"], p["ki"], 0]) / p["J"]
        A[2] = np.array([0, -p["K"], -p["R"], 0, p["U"]]) / p["L"]
        A[3] = [-1, 0, 0, 0, p["x"]]
        return [linear(A, np.array([q[0], v[0], 0, 0, 1.0]), t)[:1]]

    def start(self, equations, p, q, v):
        return equations.assemble({"axle.angle": q[0], "axle.rate": v[0]}, parameters=p)


class OneSize(Chain):
    """Steps of one size, too long ones too: a run whose values leave all scales is no success."""

    name = "steps of one size"

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        size = abs(motion.span[1]) * 10.0 ** rng.uniform(-3.5, -1.0)
        fixed = da.FixedStep(size=size)
        methods = (
            da.Imex(step=size), da.ExplicitEuler(step=size), da.LinearlyImplicitEuler(step=size),
            da.LinearlyImplicitTrapezoidal(step=size), da.Dopri5(controller=fixed), da.Dop853(controller=fixed),
        )  # fmt: skip
        method = methods[rng.integers(len(methods))]
        found = da.simulate(
            model, motion.span, motion.start, parameters=motion.parameters, t_eval=motion.times, method=method
        )
        if not found.success:
            return Outcome("ended", detail=found.message)
        # Without error control there is no tolerance: what counts is the size of the motion.
        size_of = [max(np.abs(one).max(), motion.sizes[0]) for one in motion.expected]
        pairs = zip(self.measured(found), motion.expected, size_of, strict=True)
        worst = max(float(np.abs(a - b).max() / c) for a, b, c in pairs)
        if not worst < LEFT:
            raise WrongError(
                f"success, {worst:.3g} times as large as the motion: {described(model)}, {method}, span {motion.span}, "
                f"parameters {motion.parameters}, start {described(motion.start)}; {found.message}"
            )
        return Outcome("fine", worst)


class Crossings(Pendulum):
    """Instants at which a pendulum crosses a height."""

    name = "events of pendulums"

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        p, start = motion.parameters, motion.start
        angle, rate = (
            float(model.evaluate_quantity(one, start)) for one in (model.model["A"].angle, model.model["A"].rate)
        )
        level = p["l"] * rng.uniform(-0.95, 0.95)
        direction = int(rng.integers(-1, 2))
        height = model.model["rod"].com.position.y - level
        options = scaled_steps(options_of(rng), motion.span)
        found = da.simulate(
            model, motion.span, start, parameters=p, events=[da.Event(height, name="height", direction=direction)],
            **options,
        )  # fmt: skip
        if not found.success or found.outcome == "step limit":
            return Outcome("ended", detail=f"{options}: {found.message}")

        def exact(t: np.ndarray) -> np.ndarray:
            return self.exact(t, p, np.array([angle]), np.array([rate]))[0][1] - level

        times = np.linspace(*motion.span, 4001)
        values = exact(times)
        signs = np.sign(values)
        crossed = (signs[:-1] != signs[1:]) & ((direction == 0) | (direction * np.diff(values) > 0))
        # Those that are nearly touched may be missed.
        margin = 1e-3 * p["l"] + WORST * motion.units_of(found, model, options, p["l"])
        sure = [k for k in np.flatnonzero(crossed) if np.abs(values[max(0, k - 12) : k + 13]).max() > margin]
        instants = np.array([event.t for event in found.events])
        step = times[1] - times[0]
        missed = [times[k] for k in sure if not (np.abs(instants - times[k] - 0.5 * step) < 20 * abs(step)).any()]
        off = np.abs(exact(instants)).max(initial=0.0) if instants.size else 0.0
        if missed or off > margin:
            raise WrongError(
                f"events {instants.tolist()}, missed near {missed}, off by {off:.3g}: {described(model)}, {options}, "
                f"level {level}, direction {direction}, span {motion.span}, parameters {p}, start {described(start)}"
            )
        return Outcome("fine", float(off / p["l"]))


FAMILIES = (
    Flight, Chain, Pendulum, Symmetric, Asymmetric, Top, Orbit, Turntable, Disc, Bouncing, Drag, Shafts, Motor, OneSize,
    Crossings,
)  # fmt: skip
