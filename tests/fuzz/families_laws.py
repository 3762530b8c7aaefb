"""Laws with corners, each written in several ways, beside exact solutions; and smooth laws that are steep.

A mass on a spring, pushed by a sine, feels a law of its rate or its displacement: friction, a damper with two rates, a
gap, a stop, a spring that saturates.  Between its corners the law is linear, so the motion is known piece by piece.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from fuzz.family import CHANGE, Family, Groups, Motion, Outcome, WrongError, at_times, by_runs, options_of, run
from scipy.optimize import brentq

import dalembert as da
from dalembert.model.model import Model

#: What a law depends on, and its slopes below, between and above its corners, in units of ``steep``.
KINDS = {
    "friction": ("rate", (0.0, 1.0, 0.0)),
    "two rates": ("rate", (0.3, 0.3, 1.0)),
    "gap": ("displacement", (1.0, 0.0, 1.0)),
    "stop": ("displacement", (0.0, 0.0, 1.0)),
    "saturation": ("displacement", (0.0, 1.0, 0.0)),
}
FORMS = ("where", "maxmin", "clip", "abs", "table", "black box")
#: Forms whose numbers are in the model; others have them as parameters.
FIXED = ("table", "black box")
NAMES = ("b1", "b2", "y1", "a0", "a1", "a2")


@dataclass(frozen=True)
class Law:
    """A continuous law with two corners."""

    b1: float
    b2: float
    y1: float
    a0: float
    a1: float
    a2: float

    def line(self, piece: int) -> tuple[float, float]:
        """Value at zero and slope of a piece."""
        if piece == 0:
            return self.y1 - self.a0 * self.b1, self.a0
        if piece == 1:
            return self.y1 - self.a1 * self.b1, self.a1
        return self.y1 + self.a1 * (self.b2 - self.b1) - self.a2 * self.b2, self.a2

    def value(self, s: Any) -> Any:
        below, inside, above = np.minimum(s - self.b1, 0.0), np.clip(s, self.b1, self.b2), np.maximum(s - self.b2, 0.0)
        return self.y1 + self.a0 * below + self.a1 * (inside - self.b1) + self.a2 * above


def drawn_law(rng: np.random.Generator, kind: str) -> Law:
    """A law of a kind; corners between a millionth and a tenth of what moves."""
    share = KINDS[kind][1]
    if kind in ("friction", "saturation"):
        width, size = 10.0 ** rng.uniform(-6, -1), rng.uniform(0.5, 5.0)
        slopes = tuple(one * size / width for one in share)
        return Law(-width, width, -size, *slopes)
    if kind == "two rates":
        size = 10.0 ** rng.uniform(-1, 4)
        return Law(-1.0, 0.0, -0.3 * size, *(one * size for one in share))
    size, gap = 10.0 ** rng.uniform(1, 7), rng.uniform(0.0, 0.5)
    return Law(-gap, gap, 0.0, *(one * size for one in share))


def written(form: str, law: Law | None) -> Callable[[Any, Any], Any]:
    """A law of (s, p) in a form; numbers of ``law``, or parameters."""

    def where(s: Any, p: Any) -> Any:
        y2 = p.y1 + p.a1 * (p.b2 - p.b1)
        return np.where(
            s < p.b1, p.y1 + p.a0 * (s - p.b1), np.where(s < p.b2, p.y1 + p.a1 * (s - p.b1), y2 + p.a2 * (s - p.b2))
        )

    def maxmin(s: Any, p: Any) -> Any:
        return (
            p.y1
            + p.a0 * np.minimum(s - p.b1, 0.0)
            + p.a1 * (np.minimum(np.maximum(s, p.b1), p.b2) - p.b1)
            + p.a2 * np.maximum(s - p.b2, 0.0)
        )

    def clip(s: Any, p: Any) -> Any:
        return (
            p.y1
            + p.a0 * np.minimum(s - p.b1, 0.0)
            + p.a1 * (np.clip(s, p.b1, p.b2) - p.b1)
            + p.a2 * np.maximum(s - p.b2, 0.0)
        )

    def absolute(s: Any, p: Any) -> Any:
        x, y = s - p.b1, s - p.b2
        return p.y1 + 0.5 * (p.a0 * (x - np.abs(x)) + p.a1 * (x + np.abs(x) - y - np.abs(y)) + p.a2 * (y + np.abs(y)))

    def table(s: Any, p: Any) -> Any:
        assert law is not None
        x = np.unique([law.b1 - 1.0, law.b1, law.b2, law.b2 + 1.0])
        return da.table(x, law.value(x), kind="linear")(s)

    return {"where": where, "maxmin": maxmin, "clip": clip, "abs": absolute, "table": table}[form]


class Cornered(Family):
    """Laws with corners in all forms."""

    name = "laws with corners"
    per_model = 96
    share = 3.0

    def model(self, rng: np.random.Generator) -> Any:
        kind, form = str(rng.choice(list(KINDS))), str(rng.choice(FORMS))
        law = drawn_law(rng, kind) if form in FIXED else None
        way = str(rng.choice(["relative", "absolute", "elements", "traced"]))
        make = traced if way == "traced" else modelled
        return kind, form, law, way, make(kind, form, law, way)

    def motion(self, rng: np.random.Generator, model: Any) -> Any:
        kind, form, law, way, equations = model
        law = law or drawn_law(rng, kind)
        p = {
            "m": 1.0,
            "k": 10.0 ** rng.uniform(-0.5, 1.5),
            "c": rng.choice([0.0, rng.uniform(0, 0.3)]),
            "F": rng.uniform(0, 10),
            "w": rng.uniform(0.5, 5),
        }
        if kind == "friction" and rng.random() < 0.5:
            p["F"] = 10.0 ** rng.uniform(0, 1)
        q, v, end = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(2, 8)
        times = at_times(rng, (0.0, end))
        by = KINDS[kind][0]
        expected = exact(times, p, law, by, q, v)
        growth = [
            [(exact(times, p, law, by, q + dq, v + dv) - expected) / CHANGE]
            for dq, dv in ((CHANGE, 0.0), (0.0, CHANGE))
        ]
        values = p if form in FIXED else p | {name: getattr(law, name) for name in NAMES}
        if way == "traced":
            start: Any = ([q], [v])
        else:
            start = equations.assemble({"j.displacement": q, "j.rate": v}, parameters=values)
        return Motion((0.0, end), start, times, [expected], (growth[0], growth[1]), (1.0, 1.0), (), values), law

    def run(self, rng: np.random.Generator, model: Any, motion: Any) -> Outcome:
        kind, form, law, way, equations = model
        motion, law = motion
        where = "q" if way == "traced" else "x"
        try:
            return run(
                equations,
                motion,
                options_of(rng),
                lambda found: [np.atleast_2d(found.q[0] if where == "q" else found["x"])],
            )
        except WrongError as error:
            raise WrongError(f"{kind} as {form}, {way}, {law}: {error}") from None


def exact(times: np.ndarray, p: dict[str, float], law: Law, by: str, x: float, v: float) -> np.ndarray:
    """Displacements at these instants."""
    m, w = p["m"], p["w"]
    t, found, k = 0.0, np.zeros(times.size), 0
    s, corners = (v if by == "rate" else x), np.array([-np.inf, law.b1, law.b2, np.inf])
    piece = int(np.searchsorted(corners[1:3], s, side="right"))
    for _ in range(20_000):
        constant, slope = law.line(piece)
        K, C = p["k"] + (slope if by == "displacement" else 0.0), p["c"] + (slope if by == "rate" else 0.0)
        root = np.sqrt(complex(C * C - 4 * m * K))
        fast = -(C + (root if (np.conj(complex(C)) * root).real >= 0 else -root)) / (2 * m)
        slow = K / (m * fast)
        forced = p["F"] / (K - m * w * w + 1j * w * C)

        def state(tau: Any, t=t, x=x, v=v, fast=fast, slow=slow, forced=forced, rest=-constant / K) -> Any:
            e = forced * np.exp(1j * w * (t + tau))
            e0 = forced * np.exp(1j * w * t)
            dx, dv = x - rest - e0.imag, v - (1j * w * e0).imag
            b = (dv - slow * dx) / (fast - slow)
            a = dx - b
            A, B = a * np.exp(slow * tau), b * np.exp(fast * tau)
            return rest + e.imag + (A + B).real, (1j * w * e).imag + (slow * A + fast * B).real

        index = 1 if by == "rate" else 0
        step = min(2 * np.pi / w, 2 * np.pi / max(abs(fast.imag), abs(slow.imag), 1e-3)) / 40
        first = min(1e-3 / max(abs(fast), abs(slow)), 1e-2 * step)
        grid = np.concatenate(
            [
                [0.0],
                np.geomspace(first, step, 60)[:-1],
                np.arange(step, min(times[-1] - t + 2 * step, 300 * step), step),
            ]
        )
        values = state(grid)[index]
        out = np.flatnonzero((values < corners[piece]) | (values > corners[piece + 1]))
        out = out[out > 0]
        if out.size:
            at = out[0]
            up = values[at] > corners[piece + 1]
            corner = corners[piece + 1] if up else corners[piece]
            f = lambda tau, corner=corner, state=state, index=index: float(state(tau)[index] - corner)  # noqa: E731
            lower = grid[at - 1]
            tau = brentq(f, lower, grid[at], xtol=1e-300, rtol=1e-15) if f(lower) * f(grid[at]) < 0 else lower
            tau = tau if tau > 0 else grid[at] * 1e-3
        else:
            tau = grid[-1]
        here = times[k:] <= t + tau
        count = int(here.sum())
        found[k : k + count] = state(times[k : k + count] - t)[0]
        k += count
        if k == times.size:
            return found
        x, v = (float(one) for one in state(tau))
        t += tau
        if out.size:
            x, v = (x, float(corner)) if by == "rate" else (float(corner), v)
            piece += 1 if up else -1
    raise RuntimeError("too many corners")


def modelled(kind: str, form: str, law: Law | None, way: str) -> Any:
    """The equations of a model."""
    by = KINDS[kind][0]
    m = Model("block", plane="xy")
    names = dict.fromkeys(("m", "k", "c", "F", "w"), 1.0) | ({} if law else dict.fromkeys(NAMES, 1.0))
    m.parameters(**names)
    body = m.body("b", mass=m.p.m, inertia=1.0)
    j = m.prismatic("j", m.ground.at(0, 0), body.at(0, 0))
    m.joint_spring("spring", j, stiffness=m.p.k, damping=m.p.c)
    m.force("push", j, lambda t, p: p.F * np.sin(p.w * t))
    if form == "black box":
        assert law is not None
        index = int(by == "rate")
        m.numeric_force("law", j, lambda values, rates: -law.value(np.asarray((values, rates)[index])))
    else:
        m.joint_spring("law", j, force=named(written(form, law), by))
    m.sensor("x", j.displacement)
    if way == "elements":
        return m.equations("absolute", builder="elements")
    return m.equations(way)


def named(law: Callable[[Any, Any], Any], by: str) -> Callable[..., Any]:
    """A law of (s, p) as one whose first argument has the name of what it depends on."""
    if by == "rate":
        return lambda rate, p: law(rate, p)
    return lambda displacement, p: law(displacement, p)


def traced(kind: str, form: str, law: Law | None, way: str) -> Any:
    """The same as bare equations."""
    by = KINDS[kind][0]
    names = dict.fromkeys(("m", "k", "c", "F", "w"), 1.0) | ({} if law else dict.fromkeys(NAMES, 1.0))

    def f(t, q, v, p):
        s = v[0] if by == "rate" else q[0]
        resisting = law.value(s) if form == "black box" else written(form, law)(s, p)
        return np.array([p.F * np.sin(p.w * t) - p.k * q[0] - p.c * v[0] - resisting])

    assert inspect.signature(f)
    return da.trace(
        M=lambda p: np.array([[p.m]]),
        f=da.numeric(f) if form == "black box" else f,
        n_q=1,
        parameters=names,
        name="block",
    )


class Jumping(Family):
    """A force that jumps where a coordinate passes zero, told by a comparison or not."""

    name = "forces that jump"
    per_model = 256
    SIGNS: ClassVar[dict[str, Callable[[Any], Any]]] = {
        "quotient": lambda x: x / np.sqrt(x * x),
        "sign": np.sign,
        "where": lambda x: np.where(x > 0.0, 1.0, -1.0),
        "black box": lambda x: 1.0 if x > 0.0 else -1.0,
    }

    def model(self, rng: np.random.Generator) -> Any:
        form = str(rng.choice(list(self.SIGNS)))

        def f(q, p):
            return np.array([-p.g - p.c * self.SIGNS[form](q[0])])

        traced = da.numeric(f) if form == "black box" else f
        return form, da.trace(M=lambda: np.eye(1), f=traced, n_q=1, parameters={"g": 1.0, "c": 0.5}, name="jump")

    def motion(self, rng: np.random.Generator, model: Any) -> Motion:
        p = {"g": rng.uniform(1, 3), "c": rng.uniform(-0.9, 0.9)}
        q, v, end = rng.uniform(0.1, 1), rng.uniform(-1, 1), rng.uniform(1, 4)
        times = at_times(rng, (0.0, end))

        def exact(q: float, v: float) -> np.ndarray:
            before, after = -p["g"] - p["c"], -p["g"] + p["c"]
            t = (v + np.sqrt(v * v - 2 * before * q)) / -before
            first = q + v * times + 0.5 * before * times**2
            return np.where(times < t, first, (v + before * t) * (times - t) + 0.5 * after * (times - t) ** 2)

        expected = exact(q, v)
        growth = [[np.atleast_2d((exact(q + dq, v + dv) - expected) / CHANGE)] for dq, dv in ((CHANGE, 0), (0, CHANGE))]
        start = ([q], [v])
        return Motion((0.0, end), start, times, [np.atleast_2d(expected)], (growth[0], growth[1]), (1.0, 1.0), (), p)

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        try:
            return run(model[1], motion, options_of(rng), lambda found: [found.q])
        except WrongError as error:
            raise WrongError(f"{model[0]}: {error}") from None


class Steep(Family):
    """Smooth laws, steep as they may be: friction of one or two blocks on a belt."""

    name = "steep smooth laws"
    per_model = 192
    share = 2.0
    SHAPES: ClassVar[dict[str, Callable[[Any], Any]]] = {
        "tanh": np.tanh,
        "root": lambda x: x / np.sqrt(1.0 + x * x),
        "arctan": lambda x: np.arctan(x) * (2 / np.pi),
        "stribeck": lambda x: np.tanh(x) * (1.0 + 0.5 * np.exp(-((0.01 * x) ** 2))),
    }

    def model(self, rng: np.random.Generator) -> Any:
        shape, two = str(rng.choice(["friction", *self.SHAPES])), bool(rng.random() < 0.5)
        m = Model("blocks", plane="xy")
        m.parameters(mu=3.0, width=1e-3, F=8.0, w=3.0, belt=0.0)
        joints = []
        for i in range(1 + two):
            body = m.body(f"b{i}", mass=1.0, inertia=1.0)
            j = m.prismatic(f"j{i}", m.ground.at(0, 0), body.at(0, 0))
            m.joint_spring(f"s{i}", j, stiffness=3.0 + i)
            if shape == "friction":
                m.friction(f"f{i}", j, m.p.mu, velocity=m.p.width)
            else:
                law = self.SHAPES[shape]
                m.joint_spring(f"f{i}", j, force=lambda rate, p, law=law: p.mu * law((rate - p.belt) / p.width))
            joints.append(j)
            m.sensor(f"x{i}", j.displacement)
        if two:
            apart = joints[1].displacement - joints[0].displacement
            m.force("pull", joints[0], 2.0 * apart)
            m.force("back", joints[1], -2.0 * apart)
        m.force("push", joints[-1], lambda t, p: p.F * np.sin(p.w * t))
        return shape, m.equations(str(rng.choice(["relative", "absolute"]))), 1 + two

    def motion(self, rng: np.random.Generator, model: Any) -> Motion:
        _, equations, n = model
        p = {
            "mu": rng.uniform(0.5, 5),
            "width": 10.0 ** rng.uniform(-6, -1),
            "F": rng.uniform(0, 12),
            "w": rng.uniform(1, 5),
            "belt": rng.choice([0.0, rng.uniform(0, 1)]),
        }
        values = {f"j{i}.displacement": rng.uniform(-1, 1) for i in range(n)} | {
            f"j{i}.rate": rng.uniform(-1, 1) for i in range(n)
        }
        start = equations.assemble(values, parameters=p)
        span = (0.0, float(rng.uniform(2, 6)))
        return by_runs(
            equations, span, start, at_times(rng, span), lambda found: places(found, n), p, ("rodas5p", "rodasp"), 1e-9
        )

    def run(self, rng: np.random.Generator, model: Any, motion: Motion) -> Outcome:
        shape, equations, n = model
        try:
            return run(equations, motion, options_of(rng), lambda found: places(found, n))
        except WrongError as error:
            raise WrongError(f"{shape}, {n} blocks: {error}") from None


def places(found: Any, n: int) -> Groups:
    return [np.vstack([found[f"x{i}"] for i in range(n)])]


FAMILIES = (Cornered, Jumping, Steep)
