"""dalembert: simulation of constrained mechanical systems.

Layers (see ``docs/architecture.md``):

``dalembert.symbolic``
    Graph of scalar atoms, calculus, mechanics algebra, compilation to machine code, C export.
``dalembert.equations``
    Equations of motion as one frozen, compiled object: :func:`trace`, :class:`Elements`.
``dalembert.model``
    What an engineer writes: :class:`Model`, with bodies, joints, forces and sensors.
``dalembert.integrate``
    Integration of them: :func:`simulate`, :func:`resume`, :class:`Event`.
``dalembert.solution``, ``dalembert.report``
    What a run leaves, in memory, in files, as a page to look at: :func:`load`, :func:`report`.
``dalembert.export``
    A whole simulation with fixed steps as standalone C: :func:`export_c`.
``dalembert.io``, ``dalembert.cli``
    Models as files, :func:`load_model`, :func:`save_model`; the command ``dalembert``.
``dalembert.problems``
    Test problems with reference solutions.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dalembert.lazily import imported

if TYPE_CHECKING:
    from dalembert import model, problems, symbolic
    from dalembert.equations import Elements, Equations, LocalChart, Partition, State, numeric, trace
    from dalembert.errors import DalembertError
    from dalembert.export import export_c
    from dalembert.integrate import (
        Adams,
        Baumgarte,
        Bdf,
        Change,
        ChartBdf,
        ChartRungeKutta,
        Descriptor,
        Dop853,
        Dopri5,
        Event,
        ExplicitEuler,
        FixedStep,
        Gustafsson,
        HalfExplicit,
        Imex,
        Jacobian,
        LinearlyImplicitEuler,
        LinearlyImplicitTrapezoidal,
        Method,
        Mexx,
        Newmark,
        Radau,
        Rosenbrock,
        Sdirk,
        draw,
        draw_mode,
        methods,
        resume,
        simulate,
    )
    from dalembert.io import ModelFile, load_model, save_model
    from dalembert.linalg import column_groups
    from dalembert.model import Custom, Model
    from dalembert.report import report
    from dalembert.solution import Journal, Solution, load
    from dalembert.symbolic import table

__version__ = "0.1.0"

__all__ = [
    "Adams",
    "Baumgarte",
    "Bdf",
    "Change",
    "ChartBdf",
    "ChartRungeKutta",
    "Custom",
    "DalembertError",
    "Descriptor",
    "Dop853",
    "Dopri5",
    "Elements",
    "Equations",
    "Event",
    "ExplicitEuler",
    "FixedStep",
    "Gustafsson",
    "HalfExplicit",
    "Imex",
    "Jacobian",
    "Journal",
    "LinearlyImplicitEuler",
    "LinearlyImplicitTrapezoidal",
    "LocalChart",
    "Method",
    "Mexx",
    "Model",
    "ModelFile",
    "Newmark",
    "Partition",
    "Radau",
    "Rosenbrock",
    "Sdirk",
    "Solution",
    "State",
    "__version__",
    "column_groups",
    "draw",
    "draw_mode",
    "export_c",
    "load",
    "load_model",
    "methods",
    "model",
    "numeric",
    "problems",
    "report",
    "resume",
    "save_model",
    "simulate",
    "symbolic",
    "table",
    "trace",
]

#: Where names come from; they are imported when they are first asked for, as all layers take half a second.
_HOMES = {
    "equations": "Elements Equations LocalChart Partition State numeric trace",
    "errors": "DalembertError",
    "export": "export_c",
    "integrate": (
        "Adams Baumgarte Bdf Change ChartBdf ChartRungeKutta Descriptor Dop853 Dopri5 Event ExplicitEuler FixedStep "
        "Gustafsson HalfExplicit Imex Jacobian LinearlyImplicitEuler LinearlyImplicitTrapezoidal Method Mexx Newmark "
        "Radau Rosenbrock Sdirk draw draw_mode methods resume simulate"
    ),
    "io": "ModelFile load_model save_model",
    "linalg": "column_groups",
    "model": "Custom Model",
    "report": "report",
    "solution": "Journal Solution load",
    "symbolic": "table",
}
_HOME_OF = {name: layer for layer, names in _HOMES.items() for name in names.split()}
_LAYERS = frozenset({*_HOMES, "arguments", "cli", "native", "problems", "rail"})


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        found = getattr(imported(f"dalembert.{_HOME_OF[name]}"), name)
    elif name in _LAYERS:
        return imported(f"dalembert.{name}")
    else:
        raise AttributeError(f"module 'dalembert' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """The package as a module that keeps its function ``report`` when Python wants to put the layer of that name in its
    place, as it does when a part of the layer is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
