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
``dalembert.problems``
    Test problems with reference solutions.
"""

from dalembert import model, problems, symbolic
from dalembert.equations import Elements, Equations, LocalChart, Partition, State, numeric, trace
from dalembert.errors import DalembertError
from dalembert.export import export_c
from dalembert.integrate import (
    Adams,
    Baumgarte,
    Bdf,
    Change,
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
    "methods",
    "model",
    "numeric",
    "problems",
    "report",
    "resume",
    "simulate",
    "symbolic",
    "table",
    "trace",
]
