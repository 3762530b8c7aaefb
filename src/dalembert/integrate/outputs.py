"""Sensors: functions of the motion, evaluated at the instants of a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.expressions import INPUTS
from dalembert.equations.provider import Floats
from dalembert.equations.trace import call_by_name, named_arguments
from dalembert.errors import SimulationError
from dalembert.integrate.event import named_values, symbolic_values
from dalembert.solution import Solution
from dalembert.symbolic import array, compile


class Sensors:
    """Functions of (t, q, v, a, lam, u, p) by name, looked at before a run and evaluated after it."""

    def __init__(self, equations: Equations, outputs: Mapping[str, Callable[..., Any]] | None) -> None:
        if outputs is not None and not isinstance(outputs, Mapping):
            raise SimulationError(f"outputs must be a dictionary of functions by name, got {outputs!r:.80}")
        self.equations, self.functions = equations, dict(outputs or {})
        if not self.functions:
            return
        self._values, self._inputs = symbolic_values(equations)
        for name, function in self.functions.items():
            named_arguments(f"output '{name}'", function, self._values)

    def measure(self, solution: Solution, parameters_at: Callable[[Floats], Floats]) -> Solution:
        """The solution with the values of the sensors at its instants; one that fails is told in the message."""
        if not self.functions or not solution.t.size:
            return solution
        point = {
            "p": parameters_at(solution.t),
            "t": solution.t[:, None],
            "mu": np.zeros((solution.t.size, self.equations.sizes.g)),
        }
        point |= {key: getattr(solution, key).T for key in ("q", "v", "u", "lam", "a")}
        for name, function in self.functions.items():
            try:
                result = self._values_at(f"output '{name}'", function, point)
            except Exception as error:  # whatever the user's function raises, the run is not lost
                solution.message += f" Output '{name}' is missing: {type(error).__name__}: {error}"
                continue
            columns = result.reshape(solution.t.size, -1).T
            solution.outputs[name] = columns[0] if result.ndim == 1 else columns
        return solution

    def _values_at(self, label: str, function: Callable[..., Any], point: Mapping[str, Floats]) -> Floats:
        try:
            traced = array(call_by_name(label, function, self._values))
            compiled = compile({"out": traced}, {key: self._inputs[key] for key in INPUTS}, name="output")
            return np.asarray(compiled.map(*(point[key] for key in INPUTS))["out"], dtype=float)
        except Exception:  # it needs numbers, or is wrong for them too
            rows = []
            for i in range(len(point["t"])):
                here = {key: value[i] for key, value in point.items()}
                rows.append(call_by_name(label, function, named_values(self.equations, here)))
            return np.asarray(rows, dtype=float)
