"""Numeric recursions over trees of joints: no compilation per model, time in proportion to the number of links."""

from dalembert.equations.recursion.dynamics import TreeDynamics
from dalembert.equations.recursion.extended import extended
from dalembert.equations.recursion.recursion import Recursion
from dalembert.equations.recursion.tree import Link, Tree

__all__ = ["Link", "Recursion", "Tree", "TreeDynamics", "extended"]
