"""What explicit methods on the index-1 form have in common: that ends of steps are projected, or, for comparison, that
constraints are pulled back (:mod:`~dalembert.integrate.frame.baumgarte`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError
from dalembert.integrate.frame.baumgarte import Baumgarte
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.methods.method import Method, option


@dataclass(frozen=True, kw_only=True)
class StabilisedMethod(Method):
    """A method on the index-1 form, projected, or stabilised after Baumgarte."""

    stabilisation: Baumgarte | None = option(
        None, "``Baumgarte(alpha, beta)``: constraints are pulled back, not projected; None: projected"
    )

    def check(self) -> None:
        """The stabilisation."""
        if self.stabilisation is not None and not isinstance(self.stabilisation, Baumgarte):
            raise SimulationError(
                f"{type(self).__name__}: stabilisation must be a Baumgarte(alpha, beta), got {self.stabilisation!r:.80}"
            )

    def lacks(self, formalism: str) -> str:
        """Accelerations that are solved on atoms know γ alone."""
        if formalism == "explicit" and self.stabilisation is not None:
            return "Baumgarte's stabilisation needs the residuals of the constraints, which formalism='contract' has"
        return super().lacks(formalism)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the gains."""
        velocity, position = (0.0, 0.0) if self.stabilisation is None else self.stabilisation.gains
        return {**super().settings, "velocity_gain": velocity, "position_gain": position}

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """Only where rows of G belong to entries of g."""
        if self.stabilisation is not None and not equations.C_is_G:
            raise SimulationError(
                f"Baumgarte's stabilisation cannot serve '{equations.name}': its velocity constraints are not the "
                "derivatives of its position constraints, row by row; leave stabilisation away"
            )
        return super().lay_out(equations, providers, solver)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Whether constraints are pulled back."""
        return {"pulled_back": int(self.stabilisation is not None)}
