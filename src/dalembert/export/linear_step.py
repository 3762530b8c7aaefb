"""Linearly implicit Euler and trapezoidal methods in C (:mod:`dalembert.integrate.methods.linearly_implicit`).

A matrix is filled from exact derivatives and factorised in every step, with rows exchanged; ends of steps are projected
as those of explicit methods are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.export.members import Member, integers
from dalembert.export.programs import CPrograms, program_of
from dalembert.export.projected_step import ProjectedStep
from dalembert.export.simulation import LINEAR, Simulation
from dalembert.integrate.implicit.drift import drifting
from dalembert.integrate.implicit.layout import lay_out_implicit
from dalembert.symbolic.emit.c_text import constants, number

#: Rows of the program "implicit", in the order of the unknowns (q, v, μ, λ, u).
_ROWS = ("qdot", "residual", "g", "gv", "d")


class LinearStep(ProjectedStep):
    """What a linearly implicit method adds to an export."""

    templates = ("projected.c", "linear.c")

    def __init__(self, simulation: Simulation, programs: CPrograms) -> None:
        super().__init__(simulation, programs)
        assert isinstance(simulation.method, LINEAR)
        self.theta = simulation.method.theta
        implicit = program_of(simulation, "implicit")
        size = {one.name: one.size for one in implicit.outputs}
        programs.add("residuals", implicit.selected([key for key in _ROWS if size[key]]), "residuals of a step")
        programs.add("derivatives", implicit.selected(["jacobian"]), "their derivatives")
        self.remains = [key for key in ("g", "gv") if size[key]] if self.theta < 1.0 else []
        if self.remains:
            programs.add("remainder", implicit.selected(self.remains), "residuals of constraints")
        equations, s = simulation.equations, self.sizes
        laid = lay_out_implicit(equations, {"implicit": equations.program("implicit")}, "exact", "dense", "none")
        self.places = {key: np.asarray(value) for key, value in laid.contents.items()}
        self.signs = np.array(laid.vectors["K_sign"], dtype=float)
        rows, columns = self.places["K_rows"], self.places["K_columns"]
        here = drifting(s, rows, columns)
        self.signs[here] *= simulation.drift[rows[here]]
        self.n_x, self.entries = int(laid.values["n_x"]), size["jacobian"]

    @property
    def costs(self) -> str:
        """Operations and evaluations of a step, in words."""
        operations = self.programs.operations
        return (
            f"{super().costs}; {operations('derivatives')} operations for the derivatives, "
            f"{operations('residuals')} for the residuals; factors of a dense matrix of {self.n_x} unknowns"
        )

    def members(self) -> list[Member]:
        """Scratch."""
        n, s = self.n_x, self.sizes
        return [
            *super().members(),
            Member("derivative", f"{self.entries}", self.entries, "derivatives of the residuals, stored entries"),
            Member("matrix", f"{n * n}", n * n, "matrix of a step, then its L U"),
            Member("row_factor", f"{n}", n, "by which entries of its rows are about 1"),
            Member("exchanged", f"{n}", n, "rows that pivots were taken from", "int"),
            Member("rows", f"{n}", n, "residuals"),
            Member("increment", f"{n}", n, "of q, v, mu, lambda, u"),
            Member("remainder", f"{n}", n if self.remains else 0, "what constraints leave of the step, then its part"),
            Member("mu", f"{s.g}", s.g, "multipliers of g, zero at the start of a step"),
        ]

    def values(self) -> dict[str, Any]:
        """What fills the templates."""
        s, up, places, calls = self.sizes, self.upper, self.places, self.programs.calls
        first = np.cumsum([0, s.q, s.v, s.g, s.lam]).tolist()
        written = {key: f"state->rows + {at}" for key, at in zip(_ROWS, first, strict=True)}
        here = {
            "p": "state->p", "input": "state->input", "t": "&t", "q": "y", "v": f"y + {up}_N_Q",
            "u": f"y + {up}_N_Q + {up}_N_V", "a": f"state->rate + {up}_N_Q", "lam": "state->lambda", "mu": "state->mu",
            "jacobian": "state->derivative", **written,
        }  # fmt: skip
        unused = ("t", "y")
        scale = [*self.simulation.scale, *np.ones(s.g + s.lam + s.u)]
        return {
            **super().values(),
            "n_x": self.n_x, "n_entries": self.entries, "n_K": len(places["K_rows"]),
            "n_mass": len(places["mass_rows"]), "n_u": s.u, "at_u": self.n_x - s.u, "at_g": s.q + s.v,
            "K_places": "".join(integers(key, places[key].tolist()) for key in ("K_source", "K_rows", "K_columns")),
            "mass_places": "".join(
                integers(key, places[key].tolist()) for key in ("mass_source", "mass_rows", "mass_columns")
            ),
            "K_factors": constants("K_factors", self.signs.tolist()),
            "unknown_size": constants("unknown_size", scale),
            "theta": number(self.theta), "alpha": number(1.0 / (self.theta * self.simulation.step)),
            "residual_calls": calls("residuals", here, unused=unused),
            "derivative_calls": calls("derivatives", here, unused=unused),
            "remains": self.remains,
            "remainder_calls": calls("remainder", here, unused=unused) if self.remains else "",
        }  # fmt: skip
