"""Projected explicit methods in C: Runge–Kutta methods and Euler's, on the index-1 form, unrolled over their stages.

Sums are those of :func:`dalembert.integrate.methods.explicit_rk._combine`, four stages at a time, so that C and Python
round alike.  Stages that only an error estimate or a dense output needs are left away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalembert.export.members import Member
from dalembert.export.programs import CPrograms, program_of
from dalembert.export.simulation import Simulation, not_linear
from dalembert.integrate.frame.contract_formalism import FRICTION_ITERATIONS, SETTLED
from dalembert.integrate.frame.explicit_formalism import LAST_CORRECTION, PROJECTION_ITERATIONS
from dalembert.integrate.frame.formalism import RESTORATIONS, RESTORED
from dalembert.integrate.methods.explicit_rk import ExplicitRungeKutta
from dalembert.symbolic.emit.c_text import constants, number

#: A row of weights by stages.
Weights = Mapping[int, float]


class ProjectedStep:
    """What a projected explicit method adds to an export."""

    templates: tuple[str, ...] = ("projected.c", "stages.c")
    iterations = PROJECTION_ITERATIONS

    def __init__(self, simulation: Simulation, programs: CPrograms) -> None:
        self.simulation, self.programs = simulation, programs
        self.upper = simulation.name.upper()
        self.sizes, self.traced = simulation.equations.sizes, simulation.traced
        method = simulation.method
        #: rows of stages 1, 2, …, the last one being the weights of the step; nodes
        self.rows: list[Weights] = [{0: 1.0}]
        self.nodes: tuple[float, ...] = (0.0, 1.0)
        if isinstance(method, ExplicitRungeKutta):
            self.rows, self.nodes = list(method.tableau.a[: method.tableau.stages]), method.tableau.c
        self.stages = _needed(self.rows)
        rate = program_of(simulation, "rate")
        #: whether forces are not linear in the multipliers, so that these are iterated
        self.lags = not_linear(simulation.traced.expressions)
        programs.add("rates", rate.selected([one.name for one in rate.outputs if one.size]), "rates of y, multipliers")
        if not (self.sizes.lam or self.traced.normalizes):
            return
        explicit = program_of(simulation, "explicit")
        if self.traced.normalizes:
            programs.add("invariants", explicit.selected(["qn"]), "coordinates with their invariants restored")
        if self.sizes.g:
            programs.add("positions", explicit.selected(["dq"]), "correction of the coordinates towards g = 0")
        if self.sizes.lam:
            wanted = ["dv", "g"] if self.sizes.g else ["dv"]
            programs.add("velocities", explicit.selected(wanted), "correction of the velocities towards G v + gI = 0")

    @property
    def work(self) -> str:
        """The workspace of outputs: all programs use the same one after the other."""
        return "state->work"

    @property
    def costs(self) -> str:
        """Operations and evaluations of a step, in words."""
        n = len(self.stages) + bool(self.simulation.inputs)
        return f"{self.programs.operations('rates')} operations per evaluation of the rates, {n} evaluations per step"

    def members(self) -> list[Member]:
        """Scratch."""
        s, n_y, up = self.sizes, self.sizes.q + self.sizes.v + self.sizes.u, self.upper
        stages = self.stages[1:]
        return [
            Member("correction", f"{up}_N_Q", s.q if s.g else 0, "of coordinates, towards g = 0"),
            Member("residual", f"{s.g}", s.g, "of position constraints"),
            Member("velocity_correction", f"{up}_N_V", s.v if s.lam else 0, "towards G v + gI = 0"),
            Member("normal", f"{up}_N_Q", s.q if self.traced.normalizes else 0, "q with its invariants restored"),
            Member("stage", f"{up}_N_Y", n_y if stages else 0, "y at a stage"),
            Member("guess", f"{up}_N_LAMBDA", s.lam if self.lags else 0, "multipliers that forces are taken with"),
            *(Member(f"k{i}", f"{up}_N_Y", n_y, f"rates of stage {i}") for i in stages),
            Member("stage_lambda", f"{up}_N_LAMBDA", s.lam if stages else 0, "multipliers at a stage"),
            Member(
                "work",
                f"{self.programs.work_size(*self.programs.parts)}",
                self.programs.work_size(*self.programs.parts),
                "values that pass from one part of a formula to the next",
            ),
        ]

    def values(self) -> dict[str, Any]:
        """What fills the template."""
        s, up, calls = self.sizes, self.upper, self.programs.calls
        v, u, implicit = f"{up}_N_Q", f"{up}_N_Q + {up}_N_V", self.traced.iterates_normal
        point = {"p": "state->p", "input": "state->input", "t": "&t", "q": "y", "v": f"y + {v}", "u": f"y + {u}"}
        rates = {"qdot": "rates", "a": f"rates + {v}", "d": f"rates + {u}", "lam": "lambda"}
        at_q = {**point, "q": "q", "qn": "state->normal", "dq": "state->correction"}
        moving = {**point, "v": "v", "dv": "state->velocity_correction", "g": "state->residual"}
        return {
            "rate_calls": calls(
                "rates",
                {**point, "guess": "state->guess"},
                written=rates,
                unused=("state", "t", "y"),
                indent=8 if self.lags else 4,
            ),
            "iterates_multipliers": self.lags,
            "multiplier_iterations": FRICTION_ITERATIONS,
            "settled": number(SETTLED),
            "copies_v": self.traced.unit_T,
            "normal_calls": calls("invariants", at_q, indent=8 if implicit else 4) if self.traced.normalizes else "",
            "iterates_normal": implicit,
            "restorations": RESTORATIONS,
            "restored": number(RESTORED),
            "compares": s.g or implicit,
            "position_calls": calls("positions", at_q, indent=8) if s.g else "",
            "velocity_calls": calls("velocities", moving) if s.lam else "",
            "coordinate_size": constants("coordinate_size", self.simulation.scale[: s.q].tolist()),
            "last_correction": number(LAST_CORRECTION),
            "stages": self._stages(),
            "has_constants": False,
        }

    def _stages(self) -> str:
        """The statements that lead from state->y to state->end."""
        lam = ", state->stage_lambda" if self.sizes.lam else ""
        lines = []
        for i in self.stages[1:]:
            lines += self._combined(self.rows[i - 1], "stage")
            at = f"state->t + {number(self.nodes[i])}*h"
            lines.append(f"    rates_at(state, {at}, state->stage, state->k{i}{lam});")
        return "\n".join([*lines, *self._combined(self.rows[-1], "end")])

    def _combined(self, weights: Weights, target: str) -> list[str]:
        terms = [f"{number(w)}*{_rate(j)}" for j, w in sorted(weights.items()) if w]
        lines = [f"    for (i = 0; i < {self.upper}_N_Y; ++i) {{"]
        for k in range(0, len(terms), 4):
            group = _group(terms[k : k + 4])
            lines.append(f"        sum += {group};" if k else f"        double sum = {group};")
        return [*lines, f"        state->{target}[i] = state->y[i] + h*sum;", "    }"]


def _rate(stage: int) -> str:
    return "state->rate[i]" if stage == 0 else f"state->k{stage}[i]"


def _group(terms: list[str]) -> str:
    """(a + b) + (c + d), as far as there are so many."""
    pairs = [" + ".join(terms[k : k + 2]) for k in range(0, len(terms), 2)]
    return pairs[0] if len(pairs) == 1 else "\n            + ".join(f"({pair})" for pair in pairs)


def _needed(rows: list[Weights]) -> list[int]:
    """Stages that the end of the step needs, the first one always."""
    needed = {0}
    stack = [j for j, w in rows[-1].items() if w]
    while stack:
        stage = stack.pop()
        if stage not in needed:
            needed.add(stage)
            stack += [j for j, w in rows[stage - 1].items() if w]
    return sorted(needed)
