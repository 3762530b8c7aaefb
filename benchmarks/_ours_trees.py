"""Ours in the comparison of models: the one place that calls dalembert's models."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import dalembert as da
from _trees import GRAVITY, Tree

#: Largest number of links for which code of the whole model is made.
WHOLE_MODEL = 200
#: Runs of which the fastest counts, as for the others.
REPEATS = 3


def model(tree: Tree) -> da.Model:
    """The mechanism as bodies and joints."""
    m = da.Model(tree.name, gravity=(0.0, 0.0, -GRAVITY))
    bodies: list[Any] = []
    for i, link in enumerate(tree.links):
        body = m.body(f"link{i}", link.mass, link.inertia, link.com)
        parent = m.ground if link.parent < 0 else bodies[link.parent]
        on_parent = parent.at(link.offset, rotation=np.array(link.rotation, dtype=float))
        m.revolute(f"joint{i}", on_parent, body.at(0.0, 0.0, 0.0), start=tree.start[i])
        bodies.append(body)
    return m


def forward_dynamics_code(tree: Tree) -> tuple[Any, float]:
    """Machine code of the whole model, and the seconds from the description to it."""
    begin = time.perf_counter()
    function = model(tree).forward_dynamics()
    function.address  # noqa: B018
    return function, time.perf_counter() - begin


def recursion(tree: Tree) -> Any:
    """Numeric recursions, called from Python."""
    return model(tree).tree_dynamics()


def simulate(tree: Tree, coordinates: str, tolerance: float, span: Sequence[float]) -> tuple[float, np.ndarray]:
    """CPU seconds of one run, and q at the end."""
    builder = "elements" if coordinates == "absolute" else "recursion"
    equations = model(tree).equations(coordinates, builder=builder)
    start = equations.start()

    def run(end: float) -> Any:
        return da.simulate(
            equations, (span[0], end), start, method="dop853", rtol=tolerance, atol=1e-2 * tolerance,
            dense_output=False, t_eval=(span[0], end),
        )  # fmt: skip

    run(span[0] + 1e-6 * (span[1] - span[0]))  # what is compiled or loaded on first use
    seconds = np.inf
    for _ in range(REPEATS if tree.size <= 200 else 1):
        begin = time.process_time()
        solution = run(span[1])
        seconds = min(seconds, time.process_time() - begin)
    if not solution.success:
        raise ArithmeticError(solution.message)
    q = solution.q[:, -1]
    return seconds, q.reshape(-1, 7) if coordinates == "absolute" else q
