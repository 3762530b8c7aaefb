"""The implicit–explicit Euler method in C (:mod:`dalembert.integrate.methods.imex`): one staged program, and
projections of dependent coordinates and auxiliary variables with factors that are kept.

Blocks of the program are called in the order in which a step needs them: those of constraints at the new coordinates,
then the rest of what accelerations and multipliers are made of.  Nothing is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.export.members import Member, integers
from dalembert.export.programs import STAGES, CPrograms, program_of
from dalembert.export.simulation import Simulation
from dalembert.integrate import Imex
from dalembert.integrate.fixed.dependent_columns import SHRUNK
from dalembert.integrate.fixed.projection import STRIDE
from dalembert.integrate.frame.contract_formalism import SETTLED
from dalembert.integrate.methods.imex import FIRST_ITERATIONS, PREDICTORS, UPDATES
from dalembert.symbolic import operations as op
from dalembert.symbolic.compiler.program import Output
from dalembert.symbolic.compiler.schedule import Block
from dalembert.symbolic.emit.c_text import constants, number

_SOLVED = ("qdot", "Ta", "a", "lam", "d")
_CONSTRAINTS = ("g", "G", "gI", "C", "T", "h", "hs")
#: Stages: the last one that never changes, the last one of positions, and that of inputs.
_STEP, _Q, _INPUT = STAGES.index("step"), STAGES.index("q"), STAGES.index("input")


class ImexStep:
    """What the method adds to an export."""

    templates: tuple[str, ...] = ("imex.c",)

    def __init__(self, simulation: Simulation, programs: CPrograms) -> None:
        assert isinstance(simulation.method, Imex)
        self.simulation, self.programs, self.method = simulation, programs, simulation.method
        self.upper, self.sizes = simulation.name.upper(), simulation.equations.sizes
        self.program = programs.add("step", program_of(simulation, "imex"), "a step of the method, constraints").program
        self.outputs: dict[str, Output] = {one.name: one for one in self.program.outputs}
        self.own_C = bool(self.outputs["C"].shape[0])
        self.unit_T = simulation.equations.unit_T
        self.iterations = int(self.method.iterations) + 1
        self.blocks = simulation.equations.auxiliary_places
        self.n_s = sum(len(block) for block in self.blocks)
        lam = self.program.input_number("lam")
        self.lags = any(node[0] == op.SYMBOL and node[1] == lam for node in self.program.nodes)

    @property
    def predicts_by_differences(self) -> bool:
        """Whether auxiliary variables are predicted by differences of their rates."""
        return bool(self.n_s) and self.method.predictor == "differences"

    @property
    def work(self) -> str:
        """The workspace of outputs: that of the step holds what the next one goes on with."""
        return "state->output_work"

    @property
    def costs(self) -> str:
        """Operations of a step, in words."""
        return f"{self.programs.operations('step')} operations per step, and those of projections"

    # ------------------------------------------------------------------------------------------------------- members

    def members(self) -> list[Member]:
        """What is kept from step to step, and scratch."""
        s, up = self.sizes, self.upper
        size = {name: one.size for name, one in self.outputs.items()}
        works = {key: self.programs.work_size(key) for key in ("step", "outputs")}
        signs = "inverse pivots of auxiliary variables at the start, for their signs"
        return [
            *(self._partition("G", s.lam, size["G"]) if s.lam else []),
            *(self._partition("C", s.g, size["C"]) if self.own_C else []),
            Member("block_signs", f"{self.n_s}", self.n_s, signs),
            Member("signs_known", "", int(self.n_s > 0), "whether these are known", "int"),
            Member(
                "rates_known", "", int(self.predicts_by_differences), "starts of steps whose rates are known", "int"
            ),
            Member("rates_time", "", int(self.predicts_by_differences), "time of the later one"),
            *(
                Member(f"rates_{name}", f"{self.n_s}", self.n_s if self.predicts_by_differences else 0, meaning)
                for name, meaning in (
                    ("before", "rates of auxiliary variables at the earlier one"),
                    ("latest", "the same at the later one"),
                )
            ),
            Member(
                "work", f"{works['step']}", works["step"], "values of formulas that hold until inputs of them change"
            ),
            *(
                Member(key, f"{size[key]}", size[key], meaning)
                for key, meaning in (
                    ("g", "position constraints"),
                    ("gI", "inhomogeneity of the velocity constraints"),
                    ("G", "constraint matrix, stored entries"),
                    ("C", "matrix of the position constraints"),
                    ("T", "kinematic matrix of q' = T v"),
                    ("h", "equations of auxiliary variables"),
                    ("hs", "L U of their derivatives, block by block, with inverse pivots"),
                )
            ),
            Member("normal", f"{up}_N_Q", size["qn"], "q with its invariants restored"),
            Member("correction", f"{up}_N_Q", s.q if s.g and not self.unit_T else 0, "of coordinates"),
            Member("moved", f"{up}_N_V", s.v if s.g else 0, "correction in terms of velocities"),
            Member("dependent", f"{up}_N_LAMBDA", s.lam, "of dependent velocities, in the order of pivots"),
            Member("velocity_residual", f"{up}_N_LAMBDA", s.lam, "G v + gI"),
            Member("partition_work", f"{up}_N_LAMBDA*{up}_N_V", s.lam * s.v, "rows while columns are chosen"),
            Member("end_second_rate", f"{up}_N_Q", 0 if self.unit_T else s.q, "T a at the end of the step"),
            Member("output_work", f"{works['outputs']}", works["outputs"], "values that pass between parts of outputs"),
        ]

    def _partition(self, key: str, m: int, entries: int) -> list[Member]:
        n_v = f"{self.upper}_N_V"
        return [
            Member(f"{key}_row_place", f"{m}", m, f"places of rows of {key} in the order of pivots", "int"),
            Member(f"{key}_column_place", n_v, self.sizes.v, "places of dependent velocities there, -1 else", "int"),
            Member(f"{key}_partition", f"{entries}", entries, f"places of entries of {key} among those", "int"),
            Member(f"{key}_factors", f"{m * m}", m * m, f"L U of the dependent columns of {key}"),
            Member(f"{key}_pivots", f"{m}", m, "sizes of pivots when these were chosen"),
        ]

    # -------------------------------------------------------------------------------------------------------- values

    def values(self) -> dict[str, Any]:
        """What fills the template."""
        s, method = self.sizes, self.method
        weight = UPDATES[method.update]
        second = "a[i]" if self.unit_T else "state->second_rate[i]"
        first = "  constraints_at must have been called at the same place." if s.lam + self.n_s else ""
        calls = self._calls()
        return {
            **calls,
            "normalizes": self.outputs["qn"].size, "constrained": s.lam + self.n_s, "auxiliary": self.n_s,
            "auxiliary_alone": self.n_s and not s.lam, "n_s": self.n_s, "n_blocks": len(self.blocks),
            "auxiliary_places": self._auxiliary_places(),
            "and_auxiliary": " and of the equations of auxiliary variables" if self.n_s else "",
            "uses_step": any("step_size" in str(text) for text in calls.values()),
            "velocity_size": constants("velocity_size", self.simulation.scale[s.q : s.q + s.v].tolist()),
            "G_places": self._places("G"), "C_places": self._places("C"), "T_places": self._places("T"),
            "n_G": self.outputs["G"].size, "n_C": self.outputs["C"].size, "n_T": self.outputs["T"].size,
            "own_C": self.own_C, "T_pattern": s.g and not self.unit_T, "C": "C" if self.own_C else "G",
            "copies_v": self.unit_T, "shrunk": number(SHRUNK), "tolerance": number(method.tolerance),
            "more_iterations": int(method.iterations), "velocities_alone": s.lam and not s.g + self.n_s,
            "stride": number(STRIDE),
            "anew": "1" if method.partition == "every step" else "state->partitioned == 0",
            "first_iterations": FIRST_ITERATIONS, "settled": number(SETTLED), "weight": number(weight),
            "update_note": "" if method.update == "average" else " with v1 in place of the mean",
            "predicted_by_differences": self.predicts_by_differences,
            "not_predicted": self.n_s and PREDICTORS[method.predictor] == 0,
            "second_rate": second, "unused_a": "" if self.unit_T else "    (void)a;\n", "after_constraints": first,
        }  # fmt: skip

    def _calls(self) -> dict[str, Any]:
        s, up = self.sizes, self.upper
        v, u = f"{up}_N_Q", f"{up}_N_Q + {up}_N_V"
        places = {
            "p": "state->p", "step": "step_size", "t": "&t", "q": "y", "v": f"y + {v}", "u": f"y + {u}",
            "input": "state->input", "lam": "state->lambda", "qdot": "state->end_rate", "Ta": "state->end_second_rate",
            "a": f"state->end_rate + {v}", "d": f"state->end_rate + {u}", "qn": "state->normal",
            **{key: f"state->{key}" for key in _CONSTRAINTS},
        }  # fmt: skip
        made = {**places, "lam": "state->end_lambda"}

        def calls(chosen: Callable[[Block], bool], outputs: tuple[str, ...], at: str = "y", also: Any = ()) -> str:
            given = {**places, "q": at}
            kept = tuple(name for name in outputs if self.outputs[name].size)
            return self.programs.calls(
                "step", given, written={**made, "q": at}, blocks=chosen, outputs=kept, unused=("state", "t", at, *also)
            )

        solved, constraints = self._bits(_SOLVED), self._bits(_CONSTRAINTS)
        constant = calls(lambda block: block.stage <= _STEP, ())
        return {
            "has_constants": any(
                block.stage <= _STEP and any(chunk.rows for chunk in block.chunks) for block in self._blocks
            ),
            "constant_calls": "\n".join(line for line in constant.splitlines() if "(void)" not in line),
            "normal_calls": calls(lambda block: _still(block) and self._for(block, self._bits(("qn",))), ("qn",), "q"),
            "residual_calls": calls(
                lambda block: _still(block) and self._for(block, self._bits(("g", "h", "hs"))), ("g", "h", "hs"), "q"
            ),
            "constraint_calls": calls(lambda block: _still(block) and self._for(block, constraints), _CONSTRAINTS, "q"),
            "solve_calls": calls(
                lambda block: (
                    block.stage > _STEP
                    and self._for(block, solved)
                    and not (s.lam + self.n_s and _still(block) and self._for(block, constraints))
                ),
                _SOLVED,
            ),
            "input_calls": calls(lambda block: block.stage >= _INPUT and self._for(block, solved), _SOLVED[1:]),
        }

    @property
    def _blocks(self) -> list[Block]:
        return self.programs.parts["step"].schedule.blocks

    def _bits(self, names: tuple[str, ...]) -> int:
        return sum(1 << self.program.output_number(name) for name in names)

    def _for(self, block: Block, bits: int) -> bool:
        return bool(block.users & bits)

    def _auxiliary_places(self) -> str:
        sizes = [len(block) for block in self.blocks]
        places = [place for block in self.blocks for place in block]
        if not places:
            return ""
        own = constants("auxiliary_size", self.simulation.scale[places].tolist())
        return integers("block_size", sizes) + integers("auxiliary_place", places) + own

    def _places(self, key: str) -> str:
        one = self.outputs[key]
        if not one.size or one.sparse_rows is None or one.sparse_indptr is None:
            return ""
        columns = np.repeat(np.arange(one.shape[1]), np.diff(one.sparse_indptr)).tolist()
        return integers(f"{key}_rows", one.sparse_rows) + integers(f"{key}_columns", columns)


def _still(block: Block) -> bool:
    """Whether it changes with time and coordinates, and with nothing else."""
    return _STEP < block.stage <= _Q
