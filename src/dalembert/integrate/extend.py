"""What methods that are written outside of this package are made with; the page "Extending dalembert" shows one.

Kernels: :func:`kernel` for what the frame calls, :func:`compiled` for parts of it; annotations ``int``, ``float``,
``Reals``, ``Ints`` and a class of slots.  Slots: :func:`integer`, :func:`real`, :func:`reals`, :func:`integers` in a
class that extends ``Memory``, or ``ImplicitMemory`` for methods that solve nonlinear equations, whose tools follow
:func:`before_attempt`.  Whole numbers that change during a run have bounds: ``FLAG``, ``COUNT``, or two expressions.
"""

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.control import error_norm, set_weights, update_weights, weighted_norm
from dalembert.integrate.frame.controllers import (
    ByMethod,
    Controller,
    Elementary,
    FixedStep,
    Gustafsson,
    ProportionalIntegral,
)
from dalembert.integrate.frame.cubic import cubic, set_cubic
from dalembert.integrate.frame.formalism import complete, load, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import Jacobian, jacobian_of
from dalembert.integrate.implicit.newton import JUDGEMENT, Newton, begin_iteration, judge
from dalembert.integrate.implicit.newton_matrix import (
    factor_complex,
    factor_real,
    failed_iteration,
    renew_jacobian,
    solve_complex,
    solve_real,
    times_E,
)
from dalembert.integrate.implicit.newton_memory import ACTION, NewtonMemory
from dalembert.integrate.implicit.renewal import after_failure, before_attempt
from dalembert.integrate.implicit.residual import (
    add_rates,
    differential,
    load_stage,
    load_start,
    multipliers_at_start,
    stage_residual,
)
from dalembert.integrate.implicit.updates import carry_out, needs_point
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import add, add_scaled, clear, copy, negate, subtract
from dalembert.native.kernel import Complexes, Ints, Reals, call_kernel, compiled, kernel, view
from dalembert.native.slots import COUNT, FLAG, complexes, integer, integers, real, reals

__all__ = [
    "ACTION",
    "COUNT",
    "FLAG",
    "JUDGEMENT",
    "STAGE",
    "STATUS",
    "ByMethod",
    "Complexes",
    "Controller",
    "Elementary",
    "FixedStep",
    "Gustafsson",
    "ImplicitMemory",
    "Ints",
    "Jacobian",
    "Memory",
    "Method",
    "Newton",
    "NewtonMemory",
    "ProportionalIntegral",
    "Reals",
    "add",
    "add_rates",
    "add_scaled",
    "after_failure",
    "before_attempt",
    "begin_iteration",
    "call_kernel",
    "carry_out",
    "clear",
    "compiled",
    "complete",
    "complexes",
    "copy",
    "cubic",
    "differential",
    "error_norm",
    "factor_complex",
    "factor_real",
    "failed_iteration",
    "integer",
    "integers",
    "jacobian_of",
    "judge",
    "kernel",
    "load",
    "load_stage",
    "load_start",
    "multipliers_at_start",
    "needs_point",
    "negate",
    "option",
    "rate",
    "real",
    "reals",
    "renew_jacobian",
    "set_cubic",
    "set_weights",
    "solve_complex",
    "solve_real",
    "stage_residual",
    "subtract",
    "times_E",
    "update_weights",
    "view",
    "weighted_norm",
]
