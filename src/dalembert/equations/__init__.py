"""Equations of motion as one frozen, compiled object, and the builders that make it."""

from dalembert.equations.elements import Elements
from dalembert.equations.equations import Equations, Sizes, State
from dalembert.equations.numeric import numeric
from dalembert.equations.trace import trace

__all__ = ["Elements", "Equations", "Sizes", "State", "numeric", "trace"]
