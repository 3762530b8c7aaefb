"""Numeric recursions over trees of joints: no compilation per model, time in proportion to the number of links."""

from dalembert.equations.recursion.programs.recursion import Recursion
from dalembert.equations.recursion.programs.tree_dynamics import TreeDynamics
from dalembert.equations.recursion.tree.extended import extended
from dalembert.equations.recursion.tree.links import Link, Tree

__all__ = ["Link", "Recursion", "Tree", "TreeDynamics", "extended"]
