"""Equations of motion as one frozen, compiled object, and the builders that make it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.instant import State
from dalembert.lazily import lazily

if TYPE_CHECKING:
    from dalembert.equations.builders.elements import Elements
    from dalembert.equations.builders.numeric import numeric
    from dalembert.equations.builders.trace import trace
    from dalembert.equations.contract.equations import Equations, Sizes
    from dalembert.equations.smooth.manifold import LocalChart
    from dalembert.equations.smooth.partition import Partition

__getattr__, __dir__ = lazily(
    __name__,
    {
        "builders.elements": "Elements",
        "builders.numeric": "numeric",
        "builders.trace": "trace",
        "contract.equations": "Equations Sizes",
        "smooth.manifold": "LocalChart",
        "smooth.partition": "Partition",
    },
)

__all__ = ["Elements", "Equations", "LocalChart", "Partition", "Sizes", "State", "numeric", "trace"]
