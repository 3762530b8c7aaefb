"""Equations of motion as one frozen, compiled object, and the builders that make it."""

from dalembert.equations.builders.elements import Elements
from dalembert.equations.builders.numeric import numeric
from dalembert.equations.builders.trace import trace
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.smooth.manifold import LocalChart
from dalembert.equations.smooth.partition import Partition
from dalembert.instant import State

__all__ = ["Elements", "Equations", "LocalChart", "Partition", "Sizes", "State", "numeric", "trace"]
