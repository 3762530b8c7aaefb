"""Runs to report on."""

import functools

import numpy as np

import dalembert as da
from dalembert.problems import mechanisms
from dalembert.solution import (
    Appearance,
    Connection,
    DrawnBody,
    EventRecord,
    Mount,
    PointTrack,
    Sketch,
    Solution,
    Statistics,
)

EVIL = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>&amp;\"$title"


def run(sketch=True, n=21, **changes):
    """A unit square that turns about its centre, with a fixed line below; every text tries to break out."""
    t = np.linspace(0, 0.2, n)
    turn = 2 * np.pi * t
    corners = np.pi / 4 + np.pi / 2 * np.arange(5)
    square = np.stack([np.cos(turn[:, None] + corners), np.sin(turn[:, None] + corners)], axis=2) / np.sqrt(2)
    ground = np.tile([[-1.0, -1.0], [1.0, -1.0]], (n, 1, 1))
    q = np.array([turn, np.cos(turn)])
    values = {
        "t": t,
        "q": q,
        "v": np.gradient(q, t, axis=1) if n > 1 else 0 * q,
        "a": np.zeros((2, n)),
        "lam": np.zeros((0, n)),
        "u": np.zeros((0, n)),
        "names": {"q": ("turn", EVIL)},
        "units": {"turn": "rad", EVIL: EVIL},
        "outcome": EVIL,
        "message": EVIL,
        "title": EVIL,
        "method": EVIL,
        "parameters": {EVIL: EVIL, "m": 2.0},
        "statistics": Statistics(nfev=4711, steps=20, extra={EVIL: 3}),
        "events": [EventRecord(0, EVIL, 0.1, *(np.zeros(k) for k in (2, 2, 2, 0, 0)))],
        "outputs": {"both": q},
        "sketch": Sketch(t, {EVIL: square, "ground": ground}) if sketch else None,
    }
    return Solution(**(values | changes))


@functools.cache
def four_bar():
    """A planar loop with a motor."""
    example = mechanisms.four_bar()
    equations = example.model.equations()
    return da.simulate(equations, (0, 1), example.assemble(equations), rtol=1e-6)


def turning(angle, axis=(0.0, 0.0, 1.0)):
    """Euler parameters of turns about an axis."""
    angle = np.asarray(angle, dtype=float)
    return np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * np.asarray(axis)], axis=1)


def travelling(length=1000.0, n=400):
    """A car of two bodies that drives far: a hull, and a small wheel that turns on it."""
    t = np.linspace(0.0, 40.0, n)
    x = length * t / 40.0
    hull = np.stack([x, 0.02 * np.sin(3 * t), 0.6 + 0.01 * np.cos(5 * t)], axis=1)
    wheel = hull + np.array([0.3, 0.0, -0.3])
    bodies = (
        DrawnBody("hull", hull, turning(0.01 * np.sin(t)), 400.0, np.zeros(3), np.diag([10.0, 40.0, 45.0])),
        DrawnBody("wheel", wheel, turning(x / 0.3, (0.0, 1.0, 0.0)), 10.0, np.zeros(3), np.diag([0.2, 0.4, 0.2])),
    )
    axle = Connection("axle", "revolute joint", "revolute", (Mount("hull", [0.3, 0.0, -0.3]), Mount("wheel")))
    look = Appearance(t, bodies, (axle,), gravity=np.array([0.0, 0.0, -9.81]))
    return _with(look, "car")


def deforming(n=30):
    """Tracks alone: a line with a gap, points, and a surface that bends."""
    t = np.linspace(0.0, 1.0, n)
    x = np.linspace(0.0, 1.0, 9)
    line = np.stack([np.broadcast_to(x, (n, 9)), 0.1 * np.sin(t[:, None] + 3 * x), np.zeros((n, 9))], axis=2)
    line[:, 4] = np.nan
    grid = np.array([[i, j, 0.0] for i in range(3) for j in range(3)], dtype=float) / 4.0
    sheet = grid + np.stack([np.zeros((n, 9)), np.zeros((n, 9)), 0.1 * np.sin(6 * t)[:, None] * grid[:, 0]], axis=2)
    faces = np.array([[3 * i + j, 3 * i + j + 3, 3 * i + j + 1] for i in range(2) for j in range(2)])
    tracks = (
        PointTrack("cable", "line", line),
        PointTrack("contacts", "points", line[:1] + 0.2),
        PointTrack("sheet", "surface", sheet, faces),
    )
    return _with(Appearance(t, tracks=tracks), "sheet and cable")


def _with(look, title):
    n = look.t.size
    empty = np.zeros((0, n))
    q = np.sin(look.t)[None]
    return Solution(look.t, q, 0 * q, 0 * q, empty, empty, title=title, appearance=look)
