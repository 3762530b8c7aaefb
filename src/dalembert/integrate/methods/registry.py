"""The methods by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.methods.method import Method

#: Module, class and the options that belong to a name; others are given as in ``method=Radau(stages=5, …)``.
_MADE_BY: dict[str, tuple[str, str, dict[str, Any]]] = {
    "dopri5": ("explicit_rk", "Dopri5", {}),
    "dop853": ("explicit_rk", "Dop853", {}),
    "radau": ("radau", "Radau", {}),
    "radau9": ("radau", "Radau", {"stages": 5}),
    "radau13": ("radau", "Radau", {"stages": 7}),
    "mexx": ("mexx", "Mexx", {}),
    "bdf": ("bdf", "Bdf", {}),
    "adams": ("adams", "Adams", {}),
    "hem5": ("half_explicit", "HalfExplicit", {}),
    "sdirk4": ("sdirk", "Sdirk", {}),
    "esdirk4": ("sdirk", "Sdirk", {"formula": "esdirk"}),
    "rosenbrock4": ("rosenbrock", "Rosenbrock", {}),
    "rodasp": ("rosenbrock", "Rosenbrock", {"formula": "rodasp"}),
    "rodas5p": ("rosenbrock", "Rosenbrock", {"formula": "rodas5p"}),
    "trapezoidal": ("newmark", "Newmark", {}),
    "hht": ("newmark", "Newmark", {"alpha": -0.05}),
    "generalised_alpha": ("newmark", "Newmark", {"rho": 0.9}),
    "descriptor_sdirk4": ("descriptor", "Descriptor", {}),
    "descriptor_trapezoidal": ("descriptor", "Descriptor", {"formula": "trapezoidal"}),
    "chart_dopri5": ("chart_rk", "ChartRungeKutta", {"formula": "dopri5"}),
    "chart_dop853": ("chart_rk", "ChartRungeKutta", {}),
    "chart_bdf": ("chart_bdf", "ChartBdf", {}),
    "imex": ("imex", "Imex", {}),
    "euler": ("euler", "ExplicitEuler", {}),
    "linear_euler": ("linearly_implicit", "LinearlyImplicitEuler", {}),
    "linear_trapezoidal": ("linearly_implicit", "LinearlyImplicitTrapezoidal", {}),
}


class _Methods(Mapping[str, Method]):
    """The methods by name, each made when it is first asked for: their modules take a third of a second."""

    def __init__(self) -> None:
        self._made: dict[str, Method] = {}

    def __getitem__(self, name: str) -> Method:
        if name not in self._made:
            module, kind, options = _MADE_BY[name]
            self._made[name] = getattr(import_module(f"dalembert.integrate.methods.{module}"), kind)(**options)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MADE_BY)

    def __len__(self) -> int:
        return len(_MADE_BY)


METHODS: Mapping[str, Method] = _Methods()
#: What other codes call methods of these kinds.
_ELSEWHERE = {
    "dassl": "bdf", "ida": "bdf", "gear": "bdf", "gstiff": "bdf", "si2": "bdf", "cvode": "bdf", "lsoda": "bdf",
    "rk45": "dopri5", "dopri": "dopri5", "radau5": "radau", "radauiia": "radau", "deabm": "adams", "hht-i3": "hht",
    "daeq3": "chart_dop853", "manpak": "chart_dop853",
}  # fmt: skip


def all_methods() -> list[Method]:
    """All methods that have names, made."""
    return list(METHODS.values())


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
