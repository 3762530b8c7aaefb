"""Inputs and outputs of an exported simulation: members of two structs, with names, shapes and units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import shown
from dalembert.equations import Equations
from dalembert.equations.builders.trace import call_by_name
from dalembert.equations.contract.expressions import symbols_in
from dalembert.errors import DalembertError, EquationsError, ExportError, suggestion
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.model.quantity import Quantity
from dalembert.symbolic import AtomArray, array
from dalembert.symbolic.emit.c_text import is_taken

#: Vectors of the equations whose entries are outputs by their names.
_VECTORS = ("q", "v", "u", "lam")


@dataclass(frozen=True)
class Field:
    """A member of a struct: its name for the user and in C, its shape, where its values begin, its unit if it is
    known."""

    name: str
    identifier: str
    shape: tuple[int, ...]
    first: int
    unit: str

    @property
    def size(self) -> int:
        """Number of values."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def declaration(self) -> str:
        """As a member of a struct; matrices row by row."""
        return f"double {self.identifier};" if self.shape == () else f"double {self.identifier}[{self.size}];"

    @property
    def places(self) -> list[str]:
        """The values as expressions on the struct."""
        return [self.identifier] if self.shape == () else [f"{self.identifier}[{k}]" for k in range(self.size)]

    @property
    def meaning(self) -> str:
        """Name, shape and unit in words."""
        shape = " x ".join(map(str, self.shape))
        return ", ".join(part for part in (self.name, shape, self.unit) if part)


def member_names(names: Iterable[str], what: str) -> list[str]:
    """Identifiers of members, all different and none of them taken by C."""
    found: list[str] = []
    for name in names:
        base = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "value"
        base = f"{what}_{base}" if base[0].isdigit() or is_taken(base) else base
        candidate, count = base, 2
        while candidate in found:
            candidate, count = f"{base}_{count}", count + 1
        found.append(candidate)
    return found


def fields_of(shapes: Mapping[str, tuple[int, ...]], what: str, units: Mapping[str, str]) -> tuple[Field, ...]:
    """Members for values of these shapes, one behind the other."""
    found, first = [], 0
    for (name, shape), identifier in zip(shapes.items(), member_names(shapes, what), strict=True):
        found.append(Field(name, identifier, shape, first, units.get(name, "")))
        first += found[-1].size
    return tuple(found)


def output_atoms(equations: Equations, wanted: Any) -> dict[str, AtomArray]:
    """Outputs by name as atoms: sensors, coordinates, multipliers, quantities, functions of the motion."""
    if wanted is None:
        own = equations.how.sensors if isinstance(equations, Mechanism) else {}
        wanted = list(own) or [*equations.names["q"], *equations.names["v"]]
    if isinstance(wanted, (str, Quantity)):
        wanted = [wanted]
    if not isinstance(wanted, Mapping):
        try:
            listed = [(_name_of(item), item) for item in wanted]
        except TypeError:
            raise ExportError(f"outputs must be names, quantities, or functions by name, got {shown(wanted)}") from None
        wanted = dict(listed)
        if len(wanted) < len(listed):
            names = [name for name, _ in listed]
            twice = next(name for name in names if names.count(name) > 1)
            raise ExportError(f"'{equations.name}': the output '{twice}' is named twice")
    if not wanted:
        raise ExportError(f"'{equations.name}': outputs are empty; leave them away for all sensors, or name one")
    known = _known(equations)
    return {str(name): _atoms(equations, str(name), item, known) for name, item in wanted.items()}


def _name_of(item: Any) -> str:
    name = item if isinstance(item, str) else getattr(item, "name", None)
    if not isinstance(name, str) or not name:
        raise ExportError(f"outputs: {shown(item)} has no name; give it one: outputs={{'name': …}}")
    return name


def _known(equations: Equations) -> dict[str, Callable[[], Any]]:
    """Everything that has a name already."""
    _, inputs = equations.namespace()
    found: dict[str, Callable[[], Any]] = {}
    for key in _VECTORS:
        for name, symbol in zip(equations.names[key], inputs[key], strict=True):
            found.setdefault(name, lambda symbol=symbol: symbol)  # type: ignore[misc]
    sensors = equations.sensors
    for group in (None if sensors is None else sensors.later, sensors):
        found |= {} if group is None else dict(group.functions)
    return found


def _atoms(equations: Equations, name: str, item: Any, known: Mapping[str, Callable[[], Any]]) -> AtomArray:
    where = f"'{equations.name}': output '{name}'"
    if isinstance(item, str):
        if item not in known:
            raise ExportError(f"'{equations.name}' has no output '{item}'; {suggestion(item, known)}")
        item = known[item]
    else:
        item = equations.function_of(item)
    try:
        found = array(call_by_name(where, item, equations.namespace()[0]))
    except DalembertError as error:
        raise ExportError(f"{error}; outputs of exported C are written with atoms, without Python functions") from error
    return found


def input_shapes(equations: Equations, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Shapes of the parameters that are inputs."""
    return {name: np.shape(equations.parameters[name]) for name in names}


def with_inputs(equations: Equations, names: tuple[str, ...], t: float) -> Equations:
    """The equations with parameters for all inputs: excitations of a model become such."""
    free = [name for name in names if name not in equations.parameters]
    if not free:
        return equations
    excitations = tuple(vars(equations.scene.w)) if isinstance(equations, Mechanism) else ()
    for name in free:
        if name not in excitations:
            known = [*equations.parameters, *excitations]
            raise ExportError(
                f"'{equations.name}' has no input '{name}', neither an excitation of the model (m.input) nor a "
                f"parameter; {suggestion(name, known)}"
            )
    assert isinstance(equations, Mechanism)
    try:
        return equations.with_inputs_as_parameters(free, t)
    except EquationsError as error:
        raise ExportError(str(error)) from error


def parameter_places(parameters: Mapping[str, Any]) -> dict[str, int]:
    """Where the values of each parameter begin."""
    sizes = [int(np.size(value)) for value in parameters.values()]
    return dict(zip(parameters, np.cumsum([0, *sizes]).tolist(), strict=False))


def check_inputs_act_on_forces(equations: Equations, names: Iterable[str]) -> None:
    """Inputs are constant during a step, and jump between steps: constraints cannot follow them."""
    x = equations.innermost.expressions
    assert x is not None
    held = symbols_in(x.g) | symbols_in(x.velocity_constraints)
    places = parameter_places(equations.parameters)
    for name in names:
        own = x.inputs["p"][places[name] : places[name] + int(np.size(equations.parameters[name]))]
        if held & set(own):
            raise ExportError(
                f"'{equations.name}': input '{name}' stands in a constraint, which cannot follow an input that jumps "
                "from step to step; let it act by a force or an actuator, or leave it a function of time"
            )
