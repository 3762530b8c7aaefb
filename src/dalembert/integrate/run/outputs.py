"""Outputs of a run: sensors of the user and of the equations, evaluated at the instants of a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import ref

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.builders.trace import call_by_name, named_arguments
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.sensors import Sensors
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.events.event import named_values, symbolic_values
from dalembert.solution import DenseOutput, MotionPoint, Solution
from dalembert.solution.deferred import DeferredOutputs
from dalembert.solution.solution import amend
from dalembert.solution.solution_errors import UnknownNameError

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
        """The solution with the values of the sensors at its instants; one that fails is told in the message.  What the
        equations measure besides is computed when it is asked for, from the motion as it stands then."""
        own = {} if self._own is None else self._own.functions
        later = None if self._own is None else self._own.later
        if not (own or later or self.given) or not solution.t.size:
            return solution
        amend(solution, "sol", partial(_measuring, partial(self.at, ref(solution), parameters_at)))
        point = self._inputs(solution, parameters_at)
        outputs = self._measured(solution, point)
        if later is None:
            solution.outputs = outputs
            return solution
        names = [name for name in later.functions if name not in outputs]
        told = ref(solution)  # which owns the function, and shall not wait for the collector of circles
        solution.outputs = DeferredOutputs(outputs, names, lambda: _values(self.equations, later, names, told(), point))
        return solution

    def _inputs(self, motion: Solution | MotionPoint, parameters_at: Callable[[Floats], Floats]) -> dict[str, Floats]:
        """What functions see of a motion at several instants, one row for each."""
        point = {
            "p": parameters_at(motion.t),
            "t": motion.t[:, None],
            "mu": np.zeros((motion.t.size, self.equations.sizes.g)),
        }
        return point | {key: getattr(motion, key).T for key in ("q", "v", "u", "lam", "a")}

    def at(
        self,
        solution: Callable[[], Solution | None],
        parameters_at: Callable[[Floats], Floats],
        name: str,
        motion: MotionPoint,
    ) -> Floats:
        """One sensor at the instants of a motion; at a single one its value there.  Angles have the turns that the
        solution has counted."""
        several = motion if motion.t.ndim else MotionPoint(*(np.asarray(part)[..., None] for part in motion))
        point = self._inputs(several, parameters_at)
        sensors = {"": self._users} if self.given else {}
        own = [] if self._own is None else [self._own, *([self._own.later] if self._own.later else [])]
        for group in (*sensors.values(), *own):
            if name not in group.functions:
                continue
            found = group.at(point)
            if name in found:
                values = _columns(found[name])
            elif group is sensors.get(""):
                values = _columns(self._called(f"output '{name}'", self.given[name], point))
            else:
                raise SimulationError(f"output '{name}' is missing: {group.errors[name]}")
            known = solution()
            if name in group.turning and known is not None and known.t.size > 1:
                order = np.argsort(known.t, kind="stable")
                near = np.interp(several.t, known.t[order], known[name][order])
                values = values + 2.0 * np.pi * np.round((near - values) / (2.0 * np.pi))
            return values if motion.t.ndim else values[..., 0]
        names = [one for names in self.equations.names.values() for one in names]
        names += [one for group in (*sensors.values(), *own) for one in group.functions]
        raise UnknownNameError(f"the motion has nothing called '{name}'; {suggestion(name, names)}")

    def _measured(self, solution: Solution, point: Mapping[str, Floats]) -> dict[str, Floats]:
        """Sensors that belong to every result: those of the user, of the equations or of this run."""
        wanted = [] if self._own is None else [name for name in self._own.functions if name not in self.given]
        outputs = {} if self._own is None else _values(self.equations, self._own, wanted, solution, point)
        if not self.given:
            return outputs
        found = self._users.at(point)
        for name, function in self.given.items():
            try:
                if name not in found:  # it needs numbers, or is wrong for them too
                    found[name] = self._called(f"output '{name}'", function, point)
            except (Exception, KeyboardInterrupt) as error:  # whatever is raised, the run is not lost
                solution.message += _missing(name, error)
                continue
            outputs[name] = _columns(found[name])
        return outputs

    def _called(self, label: str, function: Function, point: Mapping[str, Floats]) -> Floats:
        rows = []
        for i in range(len(point["t"])):
            here = {key: value[i] for key, value in point.items()}
            found = call_by_name(label, function, named_values(self.equations, here))
            if found is None or np.iscomplexobj(found):
                raise TypeError(f"it must return numbers, got {found!r:.80}")
            rows.append(found)
        return np.asarray(rows, dtype=float)


def _measuring(measure: Any, motion: DenseOutput | None) -> DenseOutput | None:
    """A motion with what measures it at any instant."""
    if motion is not None:
        motion.measure = measure
    return motion


def _values(
    equations: Equations,
    sensors: Sensors,
    names: Sequence[str],
    solution: Solution | None,
    point: Mapping[str, Floats],
) -> dict[str, Floats]:
    """Some sensors of the equations; those that fail, or are not finite, are told in the message of the solution."""
    found = sensors.at(point)
    if solution is None:
        return {name: _columns(found[name]) for name in names if name in found}
    lost: dict[str, int] = {}
    for name in names:
        if name not in found:
            solution.message += _missing(name, sensors.errors[name])
        elif not np.isfinite(found[name]).all() and np.isfinite(solution.a).all():
            bad = ~np.isfinite(found[name]).reshape(solution.t.size, -1).all(axis=1)
            lost[name] = int(np.argmax(bad))
    if lost:
        first = min(lost.values())
        blamed = equations.blame({key: point[key][first] for key in ("p", "t", "q", "v", "u", "lam")})
        why = "" if blamed is None else f" ({blamed})"
        listed = ", ".join(f"'{name}'" for name in lost)
        solution.message += (
            f" {listed} {'is' if len(lost) == 1 else 'are'} not finite, first at t = {solution.t[first]:.9g}{why}."
        )
    return {name: _columns(found[name]) for name in names if name in found}


def _missing(name: str, error: BaseException) -> str:
    return f" Output '{name}' is missing: {type(error).__name__}: {error}"


def _columns(values: Floats) -> Floats:
    """One column for each instant; of one number only a row."""
    return values if values.ndim == 1 else values.reshape(len(values), -1).T
