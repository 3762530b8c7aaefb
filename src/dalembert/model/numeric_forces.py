"""Black-box forces: functions of numbers, called back at every evaluation.

Positions, velocities and their dependence on the generalised velocities come from one compiled function; the equations
get f + Jᵀ F, with F from Python.  Derivatives of such equations are finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations import Equations
from dalembert.equations.numeric import Numeric, WithCallbacks
from dalembert.equations.trace import named_arguments, named_parameters
from dalembert.errors import DalembertError, ModelError, suggestion
from dalembert.model.element import Element
from dalembert.model.joints import Joint, JointCoordinate
from dalembert.model.laws import coordinate_of, marker_of
from dalembert.symbolic import array, compile, jacobian, zeros

if TYPE_CHECKING:
    from dalembert.model.scene import Scene

_RESULTS = ("forces", "torques", "along")
_MARKERS = ("positions", "velocities", "rotations", "angles", "angular_velocities")
_COORDINATES = ("values", "rates")


class NumericForce(Element):
    """A force that a Python function gives in numbers; see :meth:`Model.numeric_force`."""

    kind = "numeric force"

    def __init__(self, name: str, items: Sequence[Any], function: Callable[..., Any]) -> None:
        where = f"{self.kind} '{name}'"
        listed = list(items) if isinstance(items, (list, tuple)) else [items]
        is_coordinate = [isinstance(item, (Joint, JointCoordinate)) for item in listed]
        if not listed or not callable(function):
            raise ModelError(f"{where} needs markers or coordinates to act on, and a function")
        super().__init__(
            name,
            [marker_of(item, where) for item, along in zip(listed, is_coordinate, strict=True) if not along],
            [coordinate_of(item, where) for item, along in zip(listed, is_coordinate, strict=True) if along],
            variant=function,
        )
        self.function = function
        known = [*(_MARKERS if self.markers else ()), *(_COORDINATES if self.coordinates else ()), "t", "p", "w"]
        try:
            named_arguments(where, function, dict.fromkeys(known, 0.0))
        except DalembertError as error:
            raise ModelError(str(error)) from None

    def forces(self, point: Mapping[str, Any], planar: bool) -> np.ndarray:
        """Call the function; forces, torques and forces along coordinates as one array, with their sizes checked."""
        result = self.function(**named_arguments(self.label, self.function, point))
        n, k, size = len(self.markers), len(self.coordinates), 2 if planar else 3
        if not isinstance(result, Mapping):
            result = {"forces" if n else "along": result}
        for key in result:
            if key not in _RESULTS:
                raise ModelError(f"{self.label} returns '{key}'; {suggestion(str(key), _RESULTS)}")
        shapes = {"forces": (n, size), "torques": (n,) if planar else (n, 3), "along": (k,)}
        parts = []
        for key, shape in shapes.items():
            given = result.get(key)
            try:
                values = np.zeros(shape) if given is None else np.asarray(given, dtype=float)
            except (TypeError, ValueError):
                raise ModelError(f"{self.label} must return numbers as {key}, got {given!r:.80}") from None
            if values.shape != shape and not (values.size == int(np.prod(shape)) and shape[:1] == (1,)):
                raise ModelError(f"{self.label} must return {key} of the shape {shape}, got {values.shape}")
            if not np.isfinite(values).all():
                raise ModelError(
                    f"{self.label} returns {key} that are not finite at t = {point['t']:.6g}: {values.tolist()!r:.80}"
                )
            parts.append(values.reshape(-1))
        return np.concatenate(parts)


def with_numeric_forces(inner: Equations, scene: Scene, elements: Sequence[NumericForce]) -> Equations:
    """Equations with the forces of these elements added."""
    return WithCallbacks(inner, {"f": Numeric(_Forces(inner, scene, elements).function())})


class _Forces:
    """f of some equations and Jᵀ F of black-box forces."""

    def __init__(self, inner: Equations, scene: Scene, elements: Sequence[NumericForce]) -> None:
        self.inner, self.elements, self.planar = inner, tuple(elements), scene.planar
        outputs: dict[str, Any] = {}
        for number, element in enumerate(self.elements):
            for key, value in _seen(scene, element).items():
                outputs[f"{key}{number}"] = value
            rates = _rates(scene, element)
            outputs[f"J{number}"] = jacobian(rates, scene.inputs["v"], sparse=True)
        outputs["w"] = array(list(vars(scene.w).values())) if vars(scene.w) else zeros((0,))
        self.w_names = tuple(vars(scene.w))
        inputs = {key: scene.inputs[key] for key in ("p", "t", "q", "v")}
        self.seen = compile(outputs, inputs, name="numeric_forces")

    def __call__(self, t: float, q: Any, v: Any, u: Any, lam: Any, p: Any) -> np.ndarray:
        flat = np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in vars(p).values()] or [np.zeros(0)])
        point = {"p": flat, "t": np.array([t]), "q": q, "v": v, "u": u, "lam": lam}
        f = np.array(self.inner.program("contract")(["f"], point)["f"])
        found = self.seen(p=flat, t=point["t"], q=q, v=v)
        w = named_parameters(dict.fromkeys(self.w_names, 0.0), found["w"])
        for number, element in enumerate(self.elements):
            size = 2 if self.planar else 3
            seen: dict[str, Any] = {"t": t, "p": p, "w": w}
            if element.markers:
                seen |= {key: found[f"{key}{number}"] for key in ("positions", "velocities", "angular_velocities")}
                seen["angles" if self.planar else "rotations"] = found[f"turned{number}"]
                seen["positions"] = seen["positions"].reshape(-1, size)
            if element.coordinates:
                seen |= {key: found[f"{key}{number}"] for key in _COORDINATES}
            f += found[f"J{number}"].T @ element.forces(seen, self.planar)
        return f

    def function(self) -> Callable[..., np.ndarray]:
        """With the multipliers as an argument where the other forces depend on them: differences are then taken."""
        empty = np.zeros(self.inner.sizes.lam)
        if len(self.inner.program("contract").patterns["F"].rows):
            return lambda t, q, v, u, lam, p: self(t, q, v, u, lam, p)
        return lambda t, q, v, u, p: self(t, q, v, u, empty, p)


def _seen(scene: Scene, element: NumericForce) -> dict[str, Any]:
    """What the function of an element is called with."""
    size = 2 if scene.planar else 3
    found: dict[str, Any] = {}
    if element.markers:
        frames = [scene.frame(marker) for marker in element.markers]
        found["positions"] = array([frame.position[:size] for frame in frames])
        found["velocities"] = array([frame.velocity.components(frame.world)[:size] for frame in frames])
        turning = [frame.angular_velocity.components(frame.world) for frame in frames]
        if scene.planar:
            found["turned"] = array([frame.angle for frame in frames])
            found["angular_velocities"] = array([w[2] for w in turning])
        else:
            found["turned"] = array([frame.rotation for frame in frames])
            found["angular_velocities"] = array(turning)
    if element.coordinates:
        found["values"] = array([scene.value(one) for one in element.coordinates])
        found["rates"] = array([scene.rate(one) for one in element.coordinates])
    return found


def _rates(scene: Scene, element: NumericForce) -> Any:
    """Velocities that the forces, torques and forces along coordinates act on, in this order."""
    seen = _seen(scene, element)
    listed = [array(seen[key]).reshape(-1) for key in ("velocities", "angular_velocities", "rates") if key in seen]
    return array(np.concatenate(listed))
