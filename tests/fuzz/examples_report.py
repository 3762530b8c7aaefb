"""Valid calls of what a run looks like, of its page and of figures."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from fuzz.example_world import add, call

import dalembert as da
from dalembert import solution

figures = import_module("dalembert.report")  # the name dalembert.report is that of its function

add("draw_mode", lambda w, k: call(da.draw_mode, *w.swinging, 0, amplitude=0.1))
add(
    "Equations.portrait",
    lambda w, k: (lambda eqs, at: call(eqs.portrait, np.zeros(2), np.stack([at.q, at.q], axis=1), {}))(*w.case(k)[1:]),
)
add("Mechanism.portrait", lambda w, k: call(w.equations["relative"].portrait, w.run.t, w.run.q))
add("view", lambda w, k: call(figures.view, w.run, height=400))
add("plot", lambda w, k: call(figures.plot, w.run, "pin.angle", steps=True))
add("phase", lambda w, k: call(figures.phase, w.run, "pin.angle", "pin.rate"))
add("topology", lambda w, k: call(figures.topology, w.run))
add("sparsity", lambda w, k: call(figures.sparsity, np.eye(3), names=["a", "b", "c"]))
add("modes", lambda w, k: call(figures.modes, np.array([-1.0 + 2.0j, -1.0 - 2.0j])))
add("work_precision", lambda w, k: call(figures.work_precision, {"dop853": [(1e-4, 1e-3, 100.0)]}, work="steps"))
add("Solution.plot", lambda w, k: call(w.run.plot, "pin.angle"))
add("Solution.phase", lambda w, k: call(w.run.phase, "pin.angle", "pin.rate"))
add("Solution.view", lambda w, k: call(w.run.view, height=400))
add("Surface", lambda w, k: call(solution.Surface, np.eye(3), np.array([[0, 1, 2]])))
add("Mount", lambda w, k: call(solution.Mount, "rod", [0.0, 0.0, 0.0], np.eye(3)))
add("DrawnBody", lambda w, k: call(solution.DrawnBody, "rod", np.zeros((2, 3)), np.ones((2, 4)), 1.0))
add(
    "Connection",
    lambda w, k: call(
        solution.Connection, "A", "revolute joint", "revolute", [solution.Mount("ground")], sizes={"radius": 0.1}
    ),
)
add("DrawnForce", lambda w, k: call(solution.DrawnForce, "A", "A.force", solution.Mount("ground")))
add("PointTrack", lambda w, k: call(solution.PointTrack, "cable", "line", np.zeros((2, 4, 3))))
add(
    "Appearance",
    lambda w, k: call(
        solution.Appearance, [0.0, 1.0], tracks=[solution.PointTrack("cable", "line", np.zeros((2, 4, 3)))], plane="xy"
    ),
)
