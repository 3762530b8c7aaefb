"""The methods by name."""

from __future__ import annotations

from typing import Any

from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.methods.adams import Adams
from dalembert.integrate.methods.bdf import Bdf
from dalembert.integrate.methods.chart_rk import ChartRungeKutta
from dalembert.integrate.methods.descriptor import Descriptor
from dalembert.integrate.methods.euler import ExplicitEuler
from dalembert.integrate.methods.explicit_rk import Dop853, Dopri5
from dalembert.integrate.methods.half_explicit import HalfExplicit
from dalembert.integrate.methods.imex import Imex
from dalembert.integrate.methods.linearly_implicit import LinearlyImplicitEuler, LinearlyImplicitTrapezoidal
from dalembert.integrate.methods.method import Method
from dalembert.integrate.methods.mexx import Mexx
from dalembert.integrate.methods.newmark import Newmark
from dalembert.integrate.methods.radau import Radau
from dalembert.integrate.methods.rosenbrock import Rosenbrock
from dalembert.integrate.methods.sdirk import Sdirk

#: With the options that belong to their names; others are given as in ``method=Radau(stages=5, …)``.
_METHODS: tuple[Method, ...] = (
    Dopri5(), Dop853(), Radau(), Radau(stages=5), Radau(stages=7), Mexx(), Bdf(), Adams(), HalfExplicit(),
    Sdirk(), Sdirk(formula="esdirk"), Rosenbrock(), Rosenbrock(formula="rodasp"), Rosenbrock(formula="rodas5p"),
    Newmark(), Newmark(alpha=-0.05), Newmark(rho=0.9),
    Descriptor(), Descriptor(formula="trapezoidal"), ChartRungeKutta(formula="dopri5"), ChartRungeKutta(),
    Imex(), ExplicitEuler(), LinearlyImplicitEuler(), LinearlyImplicitTrapezoidal(),
)  # fmt: skip
METHODS: dict[str, Method] = {method.name: method for method in _METHODS}
#: What other codes call methods of these kinds.
_ELSEWHERE = {
    "dassl": "bdf", "ida": "bdf", "gear": "bdf", "gstiff": "bdf", "si2": "bdf", "cvode": "bdf", "lsoda": "bdf",
    "rk45": "dopri5", "dopri": "dopri5", "radau5": "radau", "radauiia": "radau", "deabm": "adams", "hht-i3": "hht",
    "daeq3": "chart_dop853", "manpak": "chart_dop853",
}  # fmt: skip


def method_named(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        known = _ELSEWHERE.get(name.lower(), name.lower())
        raise SimulationError(f"there is no method '{name}'; {suggestion(known, ['auto', *METHODS])}")
    return METHODS[name]


def method_of(given: Any) -> Method:
    """A method by its name, or the object itself."""
    if isinstance(given, Method):
        return given
    if isinstance(given, type) and issubclass(given, Method):
        raise SimulationError(f"method must be an object: {given.__name__}(), not {given.__name__}")
    if not isinstance(given, str):
        raise SimulationError(f"method must be a name or a method such as Radau(stages=5), got {given!r:.80}")
    return method_named(given)


def methods() -> dict[str, str]:
    """Names of all methods, with what they are."""
    return {name: method.title for name, method in METHODS.items()}
