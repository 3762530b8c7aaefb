"""What methods that are written outside of this package are made with; the page "Extending dalembert" shows one.

Kernels: :func:`kernel` for what the frame calls, :func:`compiled` for parts of it; annotations ``int``, ``float``,
``Reals``, ``Ints`` and a class of slots.  Slots: :func:`integer`, :func:`real`, :func:`reals`, :func:`integers` in a
class that extends ``Memory``, or ``ImplicitMemory`` for methods that solve nonlinear equations.
"""

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.control import set_weights, update_weights, weighted_norm
from dalembert.integrate.frame.cubic import cubic, set_cubic
from dalembert.integrate.frame.formalism import complete, load, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import add, add_scaled, clear, copy, negate, subtract
from dalembert.native.kernel import Ints, Reals, compiled, kernel, view
from dalembert.native.slots import integer, integers, real, reals

__all__ = [
    "STAGE",
    "STATUS",
    "ImplicitMemory",
    "Ints",
    "Memory",
    "Method",
    "Reals",
    "add",
    "add_scaled",
    "clear",
    "compiled",
    "complete",
    "copy",
    "cubic",
    "integer",
    "integers",
    "kernel",
    "load",
    "negate",
    "option",
    "rate",
    "real",
    "reals",
    "set_cubic",
    "set_weights",
    "subtract",
    "update_weights",
    "view",
    "weighted_norm",
]
