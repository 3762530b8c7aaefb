"""What is measured of a motion, by name or as a function, and how it varies with the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import listed, shown
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Floats
from dalembert.equations.contract.sensors import Sensors
from dalembert.errors import EquationsError, suggestion
from dalembert.instant import State

#: Part of the sizes of a state over which differences are taken.
_STEP = 1e-5


@dataclass(frozen=True)
class Measured:
    """Quantities by name: functions of a point, arrays by the names of inputs with one row for each instant."""

    names: tuple[str, ...]
    functions: tuple[Callable[[Mapping[str, Floats]], Floats], ...]

    def at(self, point: Mapping[str, Floats]) -> Floats:
        """All of them as columns, one row for each instant."""
        return np.concatenate([function(point).reshape(len(point["t"]), -1) for function in self.functions], axis=1)


def measured(equations: Equations, wanted: Any) -> Measured:
    """Coordinates, velocities, multipliers, states and sensors by name, quantities, functions of the motion."""
    single = isinstance(wanted, str) or callable(wanted)
    items = (wanted,) if single else listed(wanted, f"'{equations.name}': outputs", EquationsError)
    names: list[str] = []
    functions = []
    for k, item in enumerate(items):
        made = _named(equations, item) if isinstance(item, str) else _traced(equations, item, k)
        size = len(made[1](_nothing(equations)).reshape(-1))
        names += [made[0]] if size == 1 else [f"{made[0]}[{i}]" for i in range(size)]
        functions.append(made[1])
    return Measured(tuple(names), tuple(functions))


def _nothing(equations: Equations) -> dict[str, Floats]:
    """Some point, to see how many components there are."""
    s = equations.sizes
    sizes = {"p": s.p, "t": 1, "q": s.q, "v": s.v, "u": s.u, "lam": s.lam, "a": s.v, "mu": s.g}
    return {key: np.zeros((1, size)) for key, size in sizes.items()}


def _named(equations: Equations, name: str) -> tuple[str, Callable[[Mapping[str, Floats]], Floats]]:
    for key in ("q", "v", "u", "lam"):
        if name in equations.names[key]:
            k = equations.names[key].index(name)
            return name, lambda point, key=key, k=k: point[key][:, k]
    groups = [one for one in (equations.sensors, getattr(equations.sensors, "later", None)) if one is not None]
    for group in groups:
        if name in group.functions:
            return name, lambda point, group=group: group.at(point)[name]
    known = [one for key in ("q", "v", "u", "lam") for one in equations.names[key]]
    known += [one for group in groups for one in group.functions]
    raise EquationsError(f"'{equations.name}' has no output '{name}'; {suggestion(name, known)}")


def _traced(equations: Equations, item: Any, k: int) -> tuple[str, Callable[[Mapping[str, Floats]], Floats]]:
    function = equations.function_of(item)
    if not callable(function):
        raise EquationsError(
            f"'{equations.name}': outputs are names, quantities or functions of the motion; got {shown(item)}"
        )
    name = str(getattr(function, "__name__", "")) or f"output {k}"
    name = f"output {k}" if name == "<lambda>" else name
    values, inputs = equations.namespace()
    sensor = Sensors({name: function}, values, inputs)

    def value(point: Mapping[str, Floats]) -> Floats:
        found = sensor.at(point)
        if name not in found:
            raise EquationsError(f"'{equations.name}': output '{name}' cannot be traced: {sensor.errors[name]}")
        return found[name]

    return name, value


def variations(
    equations: Equations, what: Measured, state: State, p: Floats, parts: Mapping[str, Floats], sizes: Floats
) -> Floats:
    """∂y/∂z by central differences, for variations of q, v, a, lam, u that are columns of ``parts``; ``sizes`` are
    those of z."""
    n = len(sizes)
    centre = {key: np.atleast_1d(np.asarray(getattr(state, key), dtype=float)) for key in ("q", "v", "a", "lam", "u")}
    step = _STEP * sizes
    points: dict[str, Floats] = {}
    for key, value in centre.items():
        moved = (parts[key] * step).T if key in parts else np.zeros((n, value.size))
        points[key] = np.concatenate([value + moved, value - moved])
    points |= {"p": np.tile(p, (2 * n, 1)), "t": np.full((2 * n, 1), state.t)}
    points["mu"] = np.zeros((2 * n, equations.sizes.g))
    if not n:
        return np.zeros((len(what.names), 0))
    y = what.at(points)
    return ((y[:n] - y[n:]) / (2.0 * step[:, None])).T


def measured_at(equations: Equations, what: Measured, state: State, p: Floats) -> Floats:
    """All of them at one instant of the motion."""
    point = {
        key: np.reshape(np.asarray(getattr(state, key), dtype=float), (1, -1)) for key in ("q", "v", "a", "lam", "u")
    }
    point |= {"p": p[None, :], "t": np.full((1, 1), state.t), "mu": np.zeros((1, equations.sizes.g))}
    return what.at(point)[0]
