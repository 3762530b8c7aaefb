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
from dalembert.symbolic import AtomArray, array, compile

Function = Callable[..., Any]


class Sensors:
    """Functions of (t, q, v, a, lam, u, p) by name, looked at before a run and evaluated after it: those of the user,
    and those that the equations have, unless the user has taken their names."""

    def __init__(self, equations: Equations, outputs: Mapping[str, Function] | None) -> None:
        if outputs is not None and not isinstance(outputs, Mapping):
            raise SimulationError(f"outputs must be a dictionary of functions by name, got {outputs!r:.80}")
        own: Mapping[str, Function] = getattr(equations, "sensors", {})
        given = dict(outputs or {})
        self.equations = equations
        self.functions: dict[str, Function] = {key: f for key, f in own.items() if key not in given} | given
        #: names of the user's functions, which can be called with numbers too
        self._given = set(given)
        if not self.functions:
            return
        self._values, self._inputs = symbolic_values(equations)
        for name, function in given.items():
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
        traced, errors = self._traced()
        found = self._evaluated(traced, point, errors)
        for name, function in self.functions.items():
            try:
                if name not in found and name in self._given:  # it needs numbers, or is wrong for them too
                    found[name] = self._called(f"output '{name}'", function, point)
                elif name not in found:
                    raise errors[name]
            except Exception as error:  # whatever the user's function raises, the run is not lost
                solution.message += f" Output '{name}' is missing: {type(error).__name__}: {error}"
                continue
            columns = found[name].reshape(solution.t.size, -1).T
            solution.outputs[name] = columns[0] if found[name].ndim == 1 else columns
        return solution

    def _traced(self) -> tuple[dict[str, AtomArray], dict[str, Exception]]:
        """Sensors as atoms, and what the others have raised."""
        traced: dict[str, AtomArray] = {}
        errors: dict[str, Exception] = {}
        for name, function in self.functions.items():
            try:
                traced[name] = array(call_by_name(f"output '{name}'", function, self._values))
            except Exception as error:
                errors[name] = error
        return traced, errors

    def _evaluated(
        self, traced: Mapping[str, AtomArray], point: Mapping[str, Floats], errors: dict[str, Exception]
    ) -> dict[str, Floats]:
        """Values at all instants. One program for all shares what they have in common and is compiled in a fraction of
        the time; where there is something in it that cannot be compiled, halves are tried until that stands alone."""
        if not traced:
            return {}
        names = list(traced)
        try:
            flat = array([atom for name in names for atom in traced[name].reshape(-1)])
            compiled = compile({"out": flat}, {key: self._inputs[key] for key in INPUTS}, name="outputs")
            values = np.asarray(compiled.map(*(point[key] for key in INPUTS))["out"], dtype=float)
        except Exception as error:
            if len(names) == 1:
                errors[names[0]] = error
                return {}
            half = len(names) // 2
            parts = ({name: traced[name] for name in chosen} for chosen in (names[:half], names[half:]))
            return {name: value for part in parts for name, value in self._evaluated(part, point, errors).items()}
        ends = np.cumsum([traced[name].size for name in names])[:-1]
        return {
            name: part.reshape(len(point["t"]), *traced[name].shape)
            for name, part in zip(names, np.split(values, ends, axis=1), strict=True)
        }

    def _called(self, label: str, function: Function, point: Mapping[str, Floats]) -> Floats:
        rows = []
        for i in range(len(point["t"])):
            here = {key: value[i] for key, value in point.items()}
            rows.append(call_by_name(label, function, named_values(self.equations, here)))
        return np.asarray(rows, dtype=float)
