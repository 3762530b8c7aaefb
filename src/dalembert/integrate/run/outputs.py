"""Outputs of a run: sensors of the user and of the equations, evaluated at the instants of a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.builders.trace import call_by_name, named_arguments
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.sensors import Sensors
from dalembert.errors import SimulationError
from dalembert.integrate.events.event import named_values, symbolic_values
from dalembert.solution import Solution

Function = Callable[..., Any]


class Outputs:
    """Functions of (t, q, v, a, lam, u, p) by name, looked at before a run and evaluated after it: those of the user,
    and those that the equations have, unless the user has taken their names."""

    def __init__(self, equations: Equations, outputs: Mapping[str, Function] | None) -> None:
        if outputs is not None and not isinstance(outputs, Mapping):
            raise SimulationError(f"outputs must be a dictionary of functions by name, got {outputs!r:.80}")
        self.equations, self.given = equations, dict(outputs or {})
        #: compiled once for all runs of the same equations
        self._own: Sensors | None = getattr(equations, "sensors", None)
        if not self.given:
            return
        values, inputs = symbolic_values(equations)
        for name, function in self.given.items():
            named_arguments(f"output '{name}'", function, values)
        self._users = Sensors(self.given, values, inputs)

    def measure(self, solution: Solution, parameters_at: Callable[[Floats], Floats]) -> Solution:
        """The solution with the values of the sensors at its instants; one that fails is told in the message."""
        own = {} if self._own is None else self._own.functions
        if not (own or self.given) or not solution.t.size:
            return solution
        point = {
            "p": parameters_at(solution.t),
            "t": solution.t[:, None],
            "mu": np.zeros((solution.t.size, self.equations.sizes.g)),
        }
        point |= {key: getattr(solution, key).T for key in ("q", "v", "u", "lam", "a")}
        found = {} if self._own is None else self._own.at(point)
        errors = {} if self._own is None else dict(self._own.errors)
        if self.given:
            found |= self._users.at(point)
            errors |= self._users.errors
        for name in {**own, **self.given}:
            try:
                if name in self.given and name in errors:  # it needs numbers, or is wrong for them too
                    found[name] = self._called(f"output '{name}'", self.given[name], point)
                elif name not in found:
                    raise errors[name]
            except Exception as error:  # whatever the user's function raises, the run is not lost
                solution.message += f" Output '{name}' is missing: {type(error).__name__}: {error}"
                continue
            columns = found[name].reshape(solution.t.size, -1).T
            solution.outputs[name] = columns[0] if found[name].ndim == 1 else columns
        return solution

    def _called(self, label: str, function: Function, point: Mapping[str, Floats]) -> Floats:
        rows = []
        for i in range(len(point["t"])):
            here = {key: value[i] for key, value in point.items()}
            rows.append(call_by_name(label, function, named_values(self.equations, here)))
        return np.asarray(rows, dtype=float)
