"""What is exported: equations on atoms, a start, a method with steps of one size; everything else is refused here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.arguments import instance, real, shown, text, texts
from dalembert.equations import Equations, State
from dalembert.equations.builders.numeric import WithCallbacks
from dalembert.equations.builders.trace import Traced
from dalembert.equations.contract.expressions import Expressions, symbols_in
from dalembert.equations.contract.provider import Floats
from dalembert.errors import DalembertError, ExportError, suggestion
from dalembert.export.fields import (
    Field,
    check_inputs_act_on_forces,
    fields_of,
    input_shapes,
    output_atoms,
    parameter_places,
    with_inputs,
)
from dalembert.integrate import ExplicitEuler, Imex, LinearlyImplicitEuler, LinearlyImplicitTrapezoidal, Method
from dalembert.integrate.methods.explicit_rk import ExplicitRungeKutta
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.integrate.methods.registry import method_of
from dalembert.integrate.run.sizing import sizing
from dalembert.integrate.run.starting import start_state
from dalembert.model.formulate.mechanism import Mechanism
from dalembert.symbolic import AtomArray

#: Methods with a matrix and a solution in each step.
LINEAR = (LinearlyImplicitEuler, LinearlyImplicitTrapezoidal)
#: Methods that can be exported.
_TAKE = (
    "take Imex(step=1e-3), LinearlyImplicitEuler(step=1e-3), ExplicitEuler(step=1e-3) or an explicit Runge–Kutta "
    "method such as Dopri5(controller=FixedStep(size=1e-3))"
)
#: Builders whose equations are no atoms, and what they are for.
_REMEDY = "m.equations(builder='symbolic') writes the whole model on atoms"


@dataclass(frozen=True, eq=False)
class Simulation:
    """A run to be exported."""

    name: str
    equations: Equations
    traced: Traced
    method: Method
    step: float
    t: float
    start: Floats
    #: multipliers that forces are first evaluated with
    lam: Floats
    p: Floats
    #: sizes of coordinates and velocities, and the metric in which coordinates drift
    scale: Floats
    drift: Floats
    inputs: tuple[Field, ...]
    #: places of the values of inputs among all parameters
    input_places: tuple[int, ...]
    outputs: tuple[Field, ...]
    output_atoms: Mapping[str, AtomArray]

    @property
    def constant_parameters(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parameters that are no inputs."""
        inputs = {one.name for one in self.inputs}
        return {key: np.shape(value) for key, value in self.equations.parameters.items() if key not in inputs}

    @property
    def constants(self) -> Floats:
        """Their values."""
        return np.delete(self.p, list(self.input_places))


def simulation(
    equations: Any,
    method: Any,
    name: str,
    start: Any,
    t: float | None,
    parameters: Mapping[str, Any] | None,
    inputs: Any,
    outputs: Any,
    units: Mapping[str, str] | None,
    redundant: str = "refuse",
) -> Simulation:
    """The simulation that a user asks for; complains about what C cannot have."""
    if not isinstance(equations, Equations) and isinstance(found := getattr(equations, "equations", None), Equations):
        start, equations = getattr(equations, "start", None) if start is None else start, found
    if not isinstance(equations, Equations):
        wanted = "make them first, model.equations()" if callable(getattr(equations, "equations", None)) else "got"
        raise ExportError(
            f"export_c: equations must be those of a model or of dalembert.trace; {wanted}: {equations!r:.80}"
        )
    chosen, step = _checked_method(method)
    program = "imex" if isinstance(chosen, Imex) else "explicit"
    _check_kind(equations, program)
    instant = _instant(t, start)
    named = texts(inputs, "export_c: inputs", ExportError)
    free = with_inputs(equations, named, instant)
    check_inputs_act_on_forces(free, named)
    state = _start(free, start, instant, parameters, redundant)
    rows = _checked_rows(free, state, parameters, redundant)
    atoms = output_atoms(free, outputs)
    dropped = [name for i, name in enumerate(free.names["lam"]) if i not in rows]
    if dropped:
        _check_reactions(free, atoms, dropped)
    known = _units(free, units)
    places, shapes = parameter_places(free.parameters), {key: value.shape for key, value in atoms.items()}
    fields, results = fields_of(input_shapes(free, named), "input", known), fields_of(shapes, "output", known)
    free_places = tuple(places[one.name] + k for one in fields for k in range(one.size))
    _check_units(units or {}, [one.name for one in (*fields, *results)])
    sizes = sizing(free, rows, state, parameters, step)
    free = free.restricted(rows)
    traced = free.innermost
    assert isinstance(traced, Traced)
    return Simulation(
        name, free, traced, chosen, step, instant,
        np.concatenate([state.q, state.v, state.u]), state.lam[list(rows)], free.parameter_vector(parameters),
        sizes.scale[: free.sizes.q + free.sizes.v], sizes.drift, fields, free_places,
        results, atoms,
    )  # fmt: skip


def _checked_method(given: Any) -> tuple[Method, float]:
    """A method with steps of one size, which C can have."""
    if isinstance(given, str) and given == "auto":
        raise ExportError(
            f"export_c: 'auto' chooses among methods while it runs; exported C has one, with steps of one size: {_TAKE}"
        )
    try:
        method = method_of(given)
    except DalembertError as error:
        raise ExportError(f"export_c: {error}") from error
    label = type(method).__name__
    if not isinstance(method, (ExplicitRungeKutta, ExplicitEuler, Imex, *LINEAR)):
        raise ExportError(f"export_c: {label} is not exported; {_TAKE}")
    size = method.fixed_size
    if size is None:
        wanted = "step=1e-3" if isinstance(method, FixedStepMethod) else "controller=FixedStep(size=1e-3)"
        raise ExportError(
            f"export_c: exported C has steps of one size, which {label} does not say; give it {label}({wanted})"
        )
    if isinstance(method, ExplicitRungeKutta) and method.stabilisation is not None:
        raise ExportError(
            f"export_c: {label} is stabilised after Baumgarte; exported C projects, leave stabilisation away"
        )
    return method, float(size)


def _check_kind(equations: Equations, program: str) -> None:
    """Equations must be atoms, solved on atoms, and always the same."""
    name = equations.name
    one: Equations | None = equations
    while one is not None:
        if isinstance(one, WithCallbacks):
            listed = ", ".join(one.black)
            raise ExportError(
                f"'{name}' calls Python functions ({listed}), which C has not; write them with atoms, without "
                "dalembert.numeric"
            )
        one = one.inner
    if equations.samplers:
        raise ExportError(
            f"'{equations.samplers[0].name}' is sampled by a Python function, which cannot be exported; leave it out, "
            "and let the program that calls the exported one set its outputs as inputs"
        )
    if equations.switches:
        stop = equations.switches[0].row
        raise ExportError(
            f"'{name}': the stop '{stop}' is a constraint that comes and goes by events; take a contact force instead, "
            "m.contact, or a spring that only pushes: m.spring(name, a, b, force=lambda length: …)"
        )
    if not isinstance(equations.innermost, Traced):
        builder = equations.how.builder if isinstance(equations, Mechanism) else type(equations).__name__
        raise ExportError(f"'{name}' was made by '{builder}', whose loops over parts are not exported; {_REMEDY}")
    if equations.auxiliary_velocities:
        raise ExportError(
            f"'{name}' has auxiliary variables as coordinates without mass; export equations(auxiliary='embedded'), "
            "which have the same motion"
        )
    if reason := _why_not(equations, program):
        raise ExportError(
            f"'{name}' cannot be solved on atoms: {reason}; give each coordinate mass, or take coordinates='relative'"
        )


def _why_not(equations: Equations, program: str) -> str:
    """Why equations cannot be solved on atoms; multipliers that forces are not linear in are iterated."""
    x = equations.innermost.expressions
    assert x is not None
    if program == "explicit" and not_linear(x):
        light = any(x.M[i, i] == 0 for i in range(len(x.M)))
        return "M has a zero on its diagonal" if light else ""
    return equations.lacks(program)


def not_linear(x: Expressions) -> bool:
    """Whether forces are not linear in the multipliers."""
    return x.friction and bool(set(x.inputs["lam"]) & symbols_in(x.F))


def _instant(t: Any, start: Any) -> float:
    if t is not None:
        return real(t, "export_c: t", ExportError)
    return float(start.t) if isinstance(start, State) else 0.0


def _start(equations: Equations, start: Any, t: float, parameters: Mapping[str, Any] | None, redundant: str) -> State:
    """What a user gives; a model has one of its own."""
    try:
        if start is not None:
            return start_state(equations, start, t)
        if isinstance(equations, Mechanism):
            return equations.assemble(t=t, parameters=parameters, redundant=redundant)
    except DalembertError as error:
        raise ExportError(f"export_c: start: {error}") from error
    raise ExportError(f"'{equations.name}' needs a start (q, v) to be exported")


def _checked_rows(
    equations: Equations, state: State, parameters: Mapping[str, Any] | None, redundant: str
) -> tuple[int, ...]:
    """Rank of constraints and masses, as a run looks at them; the rows of constraints that a run keeps."""
    try:
        found = equations.check(
            state.q, state.v, state.u, t=state.t, parameters=parameters, redundant=redundant
        )  # fmt: skip
    except DalembertError as error:
        raise ExportError(f"'{equations.name}' cannot be exported from this start: {error}") from error
    if not (found.definite and found.weighty):
        raise ExportError(
            f"'{equations.name}' cannot be solved on atoms: M is singular at the start, or next to it; give each "
            "coordinate mass"
        )
    return tuple(found.rows)


def _check_reactions(equations: Equations, atoms: Mapping[str, AtomArray], dropped: Sequence[str]) -> None:
    """Outputs must not look at multipliers where some constraints say the same."""
    multipliers = set(equations.namespace()[1]["lam"])
    for name, value in atoms.items():
        if multipliers & symbols_in(value):
            raise ExportError(
                f"export_c: the output '{name}' looks at multipliers, which redundant constraints "
                f"({', '.join(dropped)}) share in Python and not in C; remove these constraints, or the output"
            )


def _units(equations: Equations, given: Mapping[str, str] | None) -> dict[str, str]:
    """Units by name: those that are given, and those that a description knows."""
    if given is not None and not isinstance(given, Mapping):
        raise ExportError(f"export_c: units must be texts by name, {{'tip.x': 'm'}}; got {shown(given)}")
    found = {name: unit.replace("²", "^2") for name, unit in equations.units.items()}
    for key, unit in (given or {}).items():
        found[text(key, "export_c: units", ExportError)] = text(unit, f"export_c: unit of '{key}'", ExportError)
    return found


def _check_units(given: Mapping[str, str], names: list[str]) -> None:
    """Complain about units of what the exported simulation has not."""
    if wrong := [key for key in given if key not in names]:
        raise ExportError(f"export_c: units: '{wrong[0]:.80}' is no input and no output; {suggestion(wrong[0], names)}")


def start_name(name: Any) -> str:
    """The name of everything that is written."""
    return text(instance(name, str, "export_c: name", ExportError), "export_c: name", ExportError)
