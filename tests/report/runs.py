"""Runs to report on."""

import numpy as np

from dalembert.solution import EventRecord, Sketch, Solution, Statistics

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
        "v": np.gradient(q, t, axis=1),
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
