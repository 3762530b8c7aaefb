"""Numeric recursions over trees of joints: no compilation per model, time in proportion to the number of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.equations.recursion.programs.recursion import Recursion
    from dalembert.equations.recursion.programs.tree_dynamics import TreeDynamics
    from dalembert.equations.recursion.tree.extended import extended
    from dalembert.equations.recursion.tree.links import Link, Tree

__getattr__, __dir__ = lazily(
    __name__,
    {
        "programs.recursion": "Recursion",
        "programs.tree_dynamics": "TreeDynamics",
        "tree.extended": "extended",
        "tree.links": "Link Tree",
    },
)

__all__ = ["Link", "Recursion", "Tree", "TreeDynamics", "extended"]
