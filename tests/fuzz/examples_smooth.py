"""Valid calls of partitions into slow and fast coordinates, and of local coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fuzz.example_world import Call, World, add, call

import dalembert as da
from dalembert import problems

Maker = Callable[[World, int], Call]
_FAST = ["q1", "q2", "q3", "q4"]


def _in_chart(name: str, *arguments: str) -> Maker:
    """A call of a chart of the pendulum, with q, v, or one local coordinate."""

    def made(w: World, k: int) -> Call:
        at = w.starts["traced"]
        values = {"q": at.q, "v": at.v, "x": [0.01]}
        return call(getattr(da.LocalChart(w.equations["traced"], at.q), name), *(values[key] for key in arguments))

    return made


def _in_partition(name: str, *arguments: Any, **options: Any) -> Maker:
    """A call of the partition of the slider crank, with its start as a state, or what else is given."""

    def made(w: World, k: int) -> Call:
        problem = problems.slider_crank(start="rigid")
        equations = problem.equations
        state = equations.assemble(*problem.start)
        rigid = da.Partition(equations, _FAST).rigid.kinematics([0.0, 1e-4], problem.q0[:3])
        known = {"state": state, "run": rigid, "equations": equations, "q": problem.q0, "v": problem.v0}
        values = [known.get(item, item) if isinstance(item, str) else item for item in arguments]
        return call(getattr(da.Partition(equations, _FAST), name), *values, **options)

    return made


add("LocalChart", lambda w, k: call(da.LocalChart, w.equations["traced"], w.starts["traced"].q, t=0.0, metric="mass"))
for _name, _args in {
    "point": "x", "local": "q", "tangent": "q", "rates": "qv", "velocity": "qx", "bend": "qv", "acceleration": "qv",
}.items():  # fmt: skip
    add(f"LocalChart.{_name}", _in_chart(_name, *_args))
add("Partition", lambda w, k: call(da.Partition, problems.slider_crank().equations, _FAST, parameters={"pi": 3.1}))
add("Partition.chart", _in_partition("chart", "q", t=0.0, metric="mass"))
add("Partition.check", _in_partition("check", "q", 0.0))
add("Partition.elastodynamics", _in_partition("elastodynamics", "run", None, [0.0] * 4, [0.0] * 4))
add("Partition.frequencies", _in_partition("frequencies", "q", t=0.0))
add("Partition.motion", _in_partition("motion", "run", rates="exact", refined=False))
add("Partition.pace", _in_partition("pace", "state"))
add("Partition.proposed", _in_partition("proposed", "equations", "state", _FAST, ratio=20.0, pace=150.0))
add("Partition.start", _in_partition("start", "q", "v", t=0.0, rates="central", refined=False))
