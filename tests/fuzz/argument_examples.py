"""Valid calls of everything public, from which ``arguments.py`` makes bad ones.

``EXAMPLES`` has a call for each public function, class and method, by its name: ``Model.revolute`` for a method of the
objects of a class, ``symbolic.sin`` for a function of a module.  The calls of each part of the package stand in a file
of their own, ``examples_*.py``, which puts them there; what they are made of is in ``example_world.py``.
"""

from __future__ import annotations

from fuzz import (
    examples_elastic,
    examples_equations,
    examples_files,
    examples_finite_elements,
    examples_integrate,
    examples_models,
    examples_problems,
    examples_rail,
    examples_report,
    examples_smooth,
    examples_symbolic,
)
from fuzz.example_world import EXAMPLES, Call, World

__all__ = ["EXAMPLES", "Call", "World"]
#: Importing them has filled the table.
PARTS = (
    examples_elastic,
    examples_equations,
    examples_finite_elements,
    examples_files,
    examples_integrate,
    examples_models,
    examples_problems,
    examples_rail,
    examples_report,
    examples_smooth,
    examples_symbolic,
)
