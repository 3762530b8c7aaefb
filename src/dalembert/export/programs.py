"""Programs of a simulation in C: formulas in parts, called block by block, with tables that they share.

They are the settled programs that runs in Python use, or cut out of these, so that every operation is the same there
and here.  Only the stages are ordered otherwise: parameters and the size of the step, which never change, then time,
coordinates, velocities, states, then the inputs of a control loop, then multipliers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dalembert.equations.contract import elimination
from dalembert.equations.contract.convention import INPUTS, OUTPUTS
from dalembert.export.simulation import Simulation, not_linear
from dalembert.symbolic import AtomArray, array, substitute, zeros
from dalembert.symbolic.compiler.program import Program, extract, with_alike
from dalembert.symbolic.compiler.rewrite import settled
from dalembert.symbolic.compiler.schedule import Block
from dalembert.symbolic.emit.c_parts import CPart, CParts
from dalembert.symbolic.emit.c_tables import CTables
from dalembert.symbolic.emit.c_teams import vectors
from dalembert.symbolic.statistics import count_operations

#: Inputs of programs in the order of their stages.
STAGES = ("p", "step", "t", "q", "v", "u", "input", "guess", "lam", "a", "mu")


@dataclass
class CPrograms:
    """All programs of an export."""

    simulation: Simulation
    parts: dict[str, CParts] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tables = CTables(self.simulation.name)

    def add(self, key: str, program: Program, meaning: str) -> CParts:
        """Print a settled program."""
        self.meanings[key] = meaning
        self.parts[key] = CParts(program, f"{self.simulation.name}_{key}", self.tables)
        return self.parts[key]

    def work_size(self, *keys: str) -> int:
        """Doubles of a workspace that some programs use one after the other."""
        return max(1, *(self.parts[key].work_size for key in keys))

    def operations(self, key: str) -> int:
        """Operations of a program."""
        return count_operations(self.parts[key].program).operations

    @property
    def have_teams(self) -> bool:
        """Whether statements have vectors."""
        return any(one.has_teams for one in self.parts.values())

    @property
    def largest_part(self) -> int:
        """Values in the longest function, named or not."""
        listed = [(one, chunk) for one in self.parts.values() for chunk in one.schedule.chunks]
        return max(one.part(chunk).names + len(chunk.rows) for one, chunk in listed)

    def calls(
        self,
        key: str,
        places: Mapping[str, str],
        *,
        work: str = "state->work",
        written: Mapping[str, str] | None = None,
        blocks: Callable[[Block], bool] = lambda block: True,
        outputs: Sequence[str] = (),
        unused: Sequence[str] = ("state", "t"),
        indent: int = 4,
    ) -> str:
        """Statements that evaluate some blocks of a program and copy these outputs of a staged one.

        ``places`` are expressions for inputs and outputs, ``written`` others for outputs, ``unused`` arguments that
        perhaps nothing uses, which C wants to be said.
        """
        one = self.parts[key]
        chosen = [one.part(chunk) for block in one.schedule.blocks if blocks(block) for chunk in block.chunks]
        numbers = [one.program.output_number(name) for name in outputs]
        if one.program.staged:
            chosen += [one.part(chunk) for k in numbers for chunk in one.schedule.copies[k]]
        targets = places if written is None else written
        lines = [f"{' ' * indent}{self._call(one, part, places, targets, work)}" for part in chosen if part.used]
        mentioned = set(re.findall(r"\w+", re.sub(r"->\w+", "", "\n".join(lines))))
        return "\n".join([*(f"{' ' * indent}(void){name};" for name in unused if name not in mentioned), *lines])

    def _call(self, one: CParts, part: CPart, places: Mapping[str, str], written: Mapping[str, str], work: str) -> str:
        arguments = [places[one.program.inputs[i].name] for i in part.inputs]
        arguments += [written[one.program.outputs[k].name] for k in part.outputs]
        return f"{part.name}({', '.join([*arguments, *([work] if part.works else [])])});"

    def files(self) -> dict[str, str]:
        """Contents by file name, the common header among them."""
        name = self.simulation.name
        found: dict[str, str] = {}
        prototypes = []
        if self.have_teams:
            prototypes.append(f"#include <math.h>\n\n{vectors(name)}")
        for key, one in self.parts.items():
            used = [part for part in one.parts if part.used]
            head = f'/* {name}: {self.meanings[key]}. */\n#include <math.h>\n\n#include "{name}_internal.h"\n\n'
            found |= {f"{part.name}.c": head + part.text for part in used}
            prototypes.append(f"/* {self.meanings[key]} */\n" + "\n".join(f"{part.signature};" for part in used))
        if tables := self.tables.text():
            found[f"{name}_tables.c"] = (
                f'/* {name}: tables. */\n#include <math.h>\n\n#include "{name}_internal.h"\n\n{tables}'
            )
            prototypes.append("/* tables */\n" + "\n".join(self.tables.prototypes))
        guard = f"{name.upper()}_INTERNAL_H"
        head = f"/* {name}: parts of formulas, for {name}.c alone. */\n#ifndef {guard}\n#define {guard}\n\n"
        found[f"{name}_internal.h"] = head + "\n\n".join(prototypes) + "\n\n#endif\n"
        return found


def program_of(simulation: Simulation, name: str) -> Program:
    """A program of the equations, settled, with the stages of an export."""
    if name in ("rate", "explicit") and not_linear(simulation.traced.expressions):
        return _tangential(simulation, name)
    outputs, inputs, staged = simulation.traced.program_atoms(name)
    program = extract(outputs, regrouped(simulation, inputs), name, staged)
    return settled(with_alike(program, simulation.traced.alike(name)))


def _tangential(simulation: Simulation, name: str) -> Program:
    """The same where forces are not linear in the multipliers: with their tangent at multipliers that are guessed."""
    x = simulation.traced.expressions
    lam = x.inputs["lam"]
    guess = x.graph.variables("guess", len(lam))
    f, F = (substitute(value, list(zip(lam, guess, strict=True))) for value in (x.f, x.F))
    solved = elimination.explicit(replace(x, f=array(f + F @ (lam - guess))))
    inputs = {**{key: x.inputs[key] for key in INPUTS}, "guess": guess}
    outputs = {key: solved[key] for key in OUTPUTS[name]}
    return settled(extract(outputs, regrouped(simulation, inputs), name, name != "rate"))


def outputs_program(simulation: Simulation) -> Program:
    """All outputs, one behind the other."""
    inputs = regrouped(simulation, simulation.equations.namespace()[1])
    flat = array([atom for value in simulation.output_atoms.values() for atom in value.reshape(-1)])
    return settled(extract({"values": flat}, inputs, "outputs"))


def regrouped(simulation: Simulation, inputs: Mapping[str, AtomArray]) -> dict[str, AtomArray]:
    """Inputs by stages, those of a control loop apart from parameters."""
    p, free = inputs["p"], simulation.input_places
    kept = [k for k in range(len(p)) if k not in set(free)]
    groups = dict(inputs)
    groups["p"] = array([p[k] for k in kept]) if kept else zeros((0,))
    groups["input"] = array([p[k] for k in free]) if free else zeros((0,))
    return {key: groups[key] for key in STAGES if key in groups}
