"""Sensors: functions of the motion, evaluated at the instants of a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.expressions import INPUTS
from dalembert.equations.provider import Floats
from dalembert.equations.trace import call_by_name
from dalembert.errors import DalembertError
from dalembert.integrate.event import named_values
from dalembert.solution import Solution
from dalembert.symbolic import array, compile


def with_outputs(
    solution: Solution,
    equations: Equations,
    outputs: Mapping[str, Callable[..., Any]] | None,
    parameters_at: Callable[[Floats], Floats],
) -> Solution:
    """The solution with the values of some functions of (t, q, v, a, lam, u, p) at its instants."""
    if not outputs or not solution.t.size:
        return solution
    n_t = solution.t.size
    point = {
        "p": parameters_at(solution.t),
        "t": solution.t[:, None],
        "mu": np.zeros((n_t, equations.sizes.g)),
    }
    point |= {key: getattr(solution, key).T for key in ("q", "v", "u", "lam", "a")}
    values, inputs = equations.namespace()
    for name, function in outputs.items():
        label = f"output '{name}'"
        try:
            traced = array(call_by_name(label, function, values))
            compiled = compile({"out": traced}, {key: inputs[key] for key in INPUTS}, name="output")
            result = compiled.map(*(point[key] for key in INPUTS))["out"]
        except DalembertError:  # it needs numbers
            rows = []
            for i in range(n_t):
                here = {key: value[i] for key, value in point.items()}
                rows.append(call_by_name(label, function, named_values(equations, here)))
            result = np.asarray(rows, dtype=float)
        columns = np.asarray(result, dtype=float).reshape(n_t, -1).T
        solution.outputs[name] = columns[0] if np.ndim(result) == 1 else columns
    return solution
