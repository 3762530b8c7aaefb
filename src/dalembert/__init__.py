"""dalembert: simulation of constrained mechanical systems.

Layers (see ``docs/architecture.md``):

``dalembert.symbolic``
    Graph of scalar atoms, calculus, mechanics algebra, compilation to machine code, C export.
"""

from dalembert import symbolic
from dalembert.errors import DalembertError

__version__ = "0.1.0"

__all__ = ["DalembertError", "__version__", "symbolic"]
