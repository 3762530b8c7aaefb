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
``dalembert.problems``
    Test problems with reference solutions.
"""

from dalembert import model, problems, symbolic
from dalembert.equations import Elements, Equations, State, numeric, trace
from dalembert.errors import DalembertError
from dalembert.integrate import (
    Adams,
    Baumgarte,
    Bdf,
    Change,
    Descriptor,
    Dop853,
    Dopri5,
    Event,
    FixedStep,
    Gustafsson,
    HalfExplicit,
    Jacobian,
    Method,
    Mexx,
    Newmark,
    Radau,
    Rosenbrock,
    Sdirk,
    draw,
    methods,
    resume,
    simulate,
)
from dalembert.linalg import column_groups
from dalembert.model import Custom, Model
from dalembert.report import report
from dalembert.solution import Solution, load
from dalembert.symbolic import table

__version__ = "0.1.0"

__all__ = [
    "Adams",
    "Baumgarte",
    "Bdf",
    "Change",
    "Custom",
    "DalembertError",
    "Descriptor",
    "Dop853",
    "Dopri5",
    "Elements",
    "Equations",
    "Event",
    "FixedStep",
    "Gustafsson",
    "HalfExplicit",
    "Jacobian",
    "Method",
    "Mexx",
    "Model",
    "Newmark",
    "Radau",
    "Rosenbrock",
    "Sdirk",
    "Solution",
    "State",
    "__version__",
    "column_groups",
    "draw",
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
