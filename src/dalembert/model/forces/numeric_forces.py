"""Black-box forces: functions of numbers, called back at every evaluation.

Positions, velocities and their dependence on the generalised velocities come from one compiled function; the equations
get f + Jᵀ F, with F from Python.  Derivatives of such equations are finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.arguments import shown
from dalembert.equations import Equations
from dalembert.equations.builders.numeric import Numeric, WithCallbacks, declared_dependence, undeclared
from dalembert.equations.builders.trace import named_arguments, named_parameters
from dalembert.equations.contract.expressions import symbols_in
from dalembert.equations.contract.provider import Floats, Ints
from dalembert.errors import DalembertError, ModelError, note_culprit, suggestion
from dalembert.model.element import Element, Inputs
from dalembert.model.forces.laws import coordinate_of, marker_of
from dalembert.model.joints.joints import Joint, JointCoordinate
from dalembert.symbolic import SparseMatrix, array, compile, jacobian, zeros

if TYPE_CHECKING:
    from dalembert.model.formulate.scene import Scene

_RESULTS = ("forces", "torques", "along")
_MARKERS = ("positions", "velocities", "rotations", "angles", "angular_velocities")
_COORDINATES = ("values", "rates")
_SEEN = (*_MARKERS, *_COORDINATES)
#: what forces, torques and forces along coordinates act on, in the order of the results
_RATES = ("velocities", "angular_velocities", "rates")


class NumericForce(Element):
    """A force that a Python function gives in numbers; see :meth:`Model.numeric_force`."""

    kind = "numeric force"

    def __init__(
        self,
        name: str,
        items: Sequence[Any],
        function: Callable[..., Any],
        depends: Mapping[str, Any] | None = None,
    ) -> None:
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
            asked = named_arguments(where, function, dict.fromkeys(known, 0.0))
        except DalembertError as error:
            raise ModelError(str(error)) from None
        #: on which markers or coordinates the force on each of them depends, as far as that is declared
        self.depends = declared_dependence(depends, [key for key in _SEEN if key in asked], where, ModelError)
        for key, matrix in self.depends.items():
            shape = len(listed), len(self.markers if key in _MARKERS else self.coordinates)
            if matrix.shape != shape:
                raise ModelError(
                    f"{where}: depends['{key}'] must have the shape {shape}, what it acts on by what {key} are of; got "
                    f"{matrix.shape}"
                )

    def forces(self, point: Mapping[str, Any], planar: bool) -> Floats:
        """Call the function; forces, torques and forces along coordinates as one array, with their sizes checked."""
        try:
            result = self.function(**named_arguments(self.label, self.function, point))
        except Exception as error:
            note_culprit(error, self.label)
            raise
        if result is None:
            raise ModelError(f"{self.label} returns nothing; let it return forces, zeros if there are none")
        if not isinstance(result, Mapping):
            result = {"forces" if self.markers else "along": result}
        for key in result:
            if key not in _RESULTS:
                raise ModelError(f"{self.label} returns '{key}'; {suggestion(str(key), _RESULTS)}")
        shapes = self._shapes(planar)
        parts = []
        for key, shape in shapes.items():
            given = result.get(key)
            try:
                if np.iscomplexobj(given):
                    raise TypeError
                values = np.zeros(shape) if given is None else np.asarray(given, dtype=float)
            except (TypeError, ValueError):
                raise ModelError(f"{self.label} must return numbers as {key}, got {shown(given)}") from None
            if values.shape != shape and not (values.size == int(np.prod(shape)) and shape[:1] == (1,)):
                raise ModelError(f"{self.label} must return {key} of the shape {shape}, got {values.shape}")
            parts.append(values.reshape(-1))
        return np.concatenate(parts)

    def _shapes(self, planar: bool) -> dict[str, tuple[int, ...]]:
        n, k = len(self.markers), len(self.coordinates)
        return {"forces": (n, 2 if planar else 3), "torques": (n,) if planar else (n, 3), "along": (k,)}

    def acted_on(self, planar: bool) -> Ints:
        """The number of the marker or coordinate that each of the results acts on."""
        first = {"forces": 0, "torques": 0, "along": len(self.markers)}
        return np.concatenate(
            [
                first[key] + np.repeat(np.arange(shape[0]), int(np.prod(shape[1:])))
                for key, shape in self._shapes(planar).items()
            ]
        )

    def misdeclared(self, point: Mapping[str, Any], planar: bool) -> DalembertError | None:
        """An error that names a force which depends on what was declared that it does not."""
        names = [
            *(f"a marker on '{marker.body.name}'" for marker in self.markers),
            *(one.name for one in self.coordinates),
        ]
        items = self.acted_on(planar)
        for key, matrix in self.depends.items():
            seen = np.asarray(point[key], dtype=float)
            of = np.repeat(np.arange(len(seen)), seen[:1].size)

            def forces(x: Floats, key: str = key, shape: tuple[int, ...] = seen.shape) -> Floats:
                return self.forces({**point, key: x.reshape(shape)}, planar)

            found = undeclared(forces, seen.reshape(-1), np.ones(seen.size), matrix[items][:, of])
            if found is not None:
                i, j = items[found[0]], of[found[1]] + (0 if key in _MARKERS else len(self.markers))
                return ModelError(
                    f"{self.label}: what acts on {names[i]} depends on the {key} of {names[j]}, which its depends does "
                    f"not say; add that entry, or leave depends['{key}'] away"
                )
        return None


def with_numeric_forces(inner: Equations, scene: Scene, elements: Sequence[NumericForce]) -> Equations:
    """Equations with the forces of these elements added."""
    return WithNumericForces(inner, _Forces(scene, elements))


class WithNumericForces(WithCallbacks):
    """Equations whose f has forces from Python in it."""

    adds = True

    def __init__(self, base: Equations, forces: _Forces) -> None:
        super().__init__(base, {"f": Numeric(lambda q, v: None)})
        self.forces = forces

    @property
    def parts(self) -> tuple[Any, Any]:
        return self.base, self.forces

    def __reduce__(self) -> Any:
        return WithNumericForces, self.parts

    def value(self, key: str, point: Mapping[str, Floats], w: Floats | None = None) -> Floats:
        return self.forces(point, named_parameters(self.parameters, point["p"]))

    def misdeclared(self, point: Mapping[str, Floats]) -> DalembertError | None:
        return self.forces.misdeclared(point, named_parameters(self.parameters, point["p"]))

    def dependence(self, key: str) -> Iterable[tuple[Sequence[int], Mapping[str, Sequence[int]]]]:
        return self.forces.dependence

    def blame(self, point: Mapping[str, Floats]) -> DalembertError | None:
        """An error that names the force that is not finite at a point."""
        for element, found in self.forces.each(point, named_parameters(self.parameters, point["p"])):
            if not np.isfinite(found).all():
                t = float(np.ravel(point["t"])[0])
                return ModelError(f"{element.label} returns forces that are not finite at t = {t:.6g}: {found}")
        return super().blame(point)


class _Forces:
    """Jᵀ F of black-box forces."""

    def __init__(self, scene: Scene, elements: Sequence[NumericForce]) -> None:
        self.elements, self.planar = tuple(elements), scene.planar
        outputs: dict[str, Any] = {}
        #: for each element the velocities that it acts on, and the entries of q and v that it sees
        self.dependence: list[tuple[Sequence[int], Mapping[str, Sequence[int]]]] = []
        for number, element in enumerate(self.elements):
            seen = _seen(scene, element)
            rates = [array(seen[key]).reshape(-1) for key in _RATES if key in seen]
            J = jacobian(array(np.concatenate(rates)), scene.inputs["v"], sparse=True)
            outputs |= {f"{key}{number}": value for key, value in {**seen, "J": J}.items()}
            self.dependence += _dependence(scene, element, seen, J)
        self.w_names = tuple(vars(scene.w))
        outputs["w"] = array(list(vars(scene.w).values())) if self.w_names else zeros((0,))
        self.seen = compile(outputs, {key: scene.inputs[key] for key in ("p", "t", "q", "v")}, name="numeric_forces")

    def __call__(self, point: Mapping[str, Floats], p: Any) -> Floats:
        found = self.seen(p=point["p"], t=point["t"], q=point["q"], v=point["v"])
        total = np.zeros(len(point["v"]))
        for number, (_, forces) in enumerate(self._called(found, point, p)):
            total += found[f"J{number}"].T @ forces
        return total

    def misdeclared(self, point: Mapping[str, Floats], p: Any) -> DalembertError | None:
        """An error that names an element which depends on what was declared that it does not."""
        if not any(element.depends for element in self.elements):
            return None
        found = self.seen(p=point["p"], t=point["t"], q=point["q"], v=point["v"])
        for element, known in self._points(found, point, p):
            if (error := element.misdeclared(known, self.planar)) is not None:
                return error
        return None

    def each(self, point: Mapping[str, Floats], p: Any) -> list[tuple[NumericForce, Floats]]:
        """All elements with their forces."""
        return self._called(self.seen(p=point["p"], t=point["t"], q=point["q"], v=point["v"]), point, p)

    def _called(
        self, found: Mapping[str, Any], point: Mapping[str, Floats], p: Any
    ) -> list[tuple[NumericForce, Floats]]:
        # No generator: a StopIteration of a function would become the RuntimeError of another one.
        return [(element, element.forces(known, self.planar)) for element, known in self._points(found, point, p)]

    def _points(
        self, found: Mapping[str, Any], point: Mapping[str, Floats], p: Any
    ) -> Iterator[tuple[NumericForce, Mapping[str, Any]]]:
        """What the function of each element may ask for."""
        known = {"t": float(point["t"][0]), "p": p, "w": Inputs(dict(zip(self.w_names, found["w"], strict=True)))}
        for number, element in enumerate(self.elements):
            seen = {key: found[f"{key}{number}"] for key in _SEEN if f"{key}{number}" in found}
            yield element, {**known, **seen}


def _dependence(
    scene: Scene, element: NumericForce, seen: Mapping[str, Any], J: SparseMatrix
) -> Iterator[tuple[Sequence[int], Mapping[str, Sequence[int]]]]:
    """Velocities that an element acts on, and the entries of q and v that it sees; one by one for markers and
    coordinates where it declares on which of them each force depends."""
    items, rows = element.acted_on(scene.planar), np.array(J.rows, dtype=np.int64)
    for group in [range(items.max() + 1)] if not element.depends else [[i] for i in range(items.max() + 1)]:
        entries = np.flatnonzero(np.isin(items[rows], group))
        atoms = [J.values[k] for k in entries]
        for key, value in seen.items():
            declared = element.depends.get(key)
            used = range(len(value)) if declared is None else np.flatnonzero(declared[list(group)].any(axis=0))
            atoms += [entry for j in used for entry in array(value[j]).flat]
        symbols = symbols_in(atoms)
        listed = {key: [i for i, x in enumerate(scene.inputs[key]) if x in symbols] for key in ("q", "v")}
        yield sorted({J.columns[k] for k in entries}), listed


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
            found["angles"] = array([frame.angle for frame in frames])
            found["angular_velocities"] = array([w[2] for w in turning])
        else:
            found["rotations"] = array([frame.rotation for frame in frames])
            found["angular_velocities"] = array(turning)
    if element.coordinates:
        found["values"] = array([scene.value(one) for one in element.coordinates])
        found["rates"] = array([scene.rate(one) for one in element.coordinates])
    return found
