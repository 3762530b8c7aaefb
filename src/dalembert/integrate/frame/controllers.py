"""Controllers: whether a step is accepted, and the size of the next one.

Hairer, Nørsett, Wanner, Solving ODEs I, II.4; Hairer, Wanner, Solving ODEs II, IV.2, IV.8.  A controller is a kernel
with constants; methods have one each, and take another one that a user gives them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from dalembert.arguments import shown
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import VERDICT, Memory
from dalembert.integrate.implicit.newton_memory import NewtonMemory
from dalembert.native.kernel import Kernel, compiled, kernel

#: Whole numbers may be larger than any real one.
_LARGEST = 1e300
#: Errors below this say no more than it does.
_SMALLEST_ERROR = 1e-14
#: Errors of earlier steps count as no smaller than this: proportional and integral, predictive.
_OLD_PI, _OLD_PREDICTIVE = 1e-4, 1e-2
#: A step that is made again is divided by this at least.
_LEAST = 1.02
#: Steps that would grow by less than this keep the factors of their matrices instead.
_SAME_SIZE = 1.2


@compiled
def _repeat(run: Memory, divisor: float) -> int:
    """Again with a smaller step, whatever the constants are."""
    run.h_next = abs(run.h) / max(_LEAST, min(1.0 / run.shrink, divisor))
    return VERDICT.REPEAT


@compiled
def _limited(run: Memory, divisor: float) -> float:
    """What the size is divided by, within its limits; after an attempt that was given up it does not grow."""
    divisor = max(1.0 / run.grow, min(1.0 / run.shrink, divisor))
    return max(divisor, 1.0) if run.after_reject else divisor


@kernel
def proportional_integral(run: Memory) -> int:
    """h_next = h · safety · err^−(exponent) · err_old^β: II.4, IV.2; without β the elementary controller."""
    scaled = max(run.error, _SMALLEST_ERROR) ** run.error_exponent
    if not run.error <= 1.0:
        return _repeat(run, scaled / run.safety)
    divisor = scaled / max(run.error_old, _OLD_PI) ** run.beta / run.safety
    run.error_old = max(run.error, _OLD_PI)
    run.h_next = abs(run.h) / _limited(run, divisor)
    return VERDICT.ACCEPT


@kernel
def predictive(run: NewtonMemory) -> int:
    """Predictive control by Gustafsson, for implicit methods: IV.8 (8.25)."""
    scaled = max(run.error, _SMALLEST_ERROR) ** run.error_exponent
    # Many iterations are a sign of a step that is nearly too large.
    limit = run.newton_limit
    safety = min(run.safety, run.safety * (1.0 + 2.0 * limit) / (run.newton_done + 2.0 * limit))
    if not run.error <= 1.0:
        return _repeat(run, scaled / safety)
    divisor = scaled / safety
    if not (run.fresh or run.after_failure):
        trend = abs(run.h_old / run.h) * (run.error * run.error / run.error_old) ** run.error_exponent
        divisor = max(divisor, trend / run.safety)
    run.error_old = max(run.error, _OLD_PREDICTIVE)
    divisor = _limited(run, divisor)
    if 1.0 / _SAME_SIZE <= divisor <= 1.0 and run.theta <= run.keep_rate:
        divisor = 1.0  # the factors of the matrices serve once more
    run.h_next = abs(run.h) / divisor
    return VERDICT.ACCEPT


@kernel
def by_method(run: Memory) -> int:
    """The method has chosen h_next itself, for success and for failure."""
    return VERDICT.ACCEPT if run.error <= 1.0 else VERDICT.REPEAT


@kernel
def fixed(run: Memory) -> int:
    """Every step is accepted; all have the same size."""
    run.h_next = run.h_fixed
    return VERDICT.ACCEPT


@dataclass(frozen=True)
class Controller:
    """What chooses step sizes: :class:`Elementary`, :class:`ProportionalIntegral`, :class:`Gustafsson`,
    :class:`FixedStep`.

    :param safety: factor by which the best size is reduced; ``shrink`` and ``grow``: limits of its change in one step.
        Where they are None, the method's own values are taken.
    """

    safety: float | None = None
    shrink: float | None = None
    grow: float | None = None

    kernel: ClassVar[Kernel] = proportional_integral
    #: whether it needs the iterations of an implicit method
    for_implicit: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not (isinstance(value, (int, float, np.number)) and 0.0 < value < _LARGEST):
                raise SimulationError(
                    f"{type(self).__name__}: {item.name} must be a positive number, got {shown(value)}"
                )
        if (self.safety or 0.5) > 1.0 or (self.shrink or 0.5) >= 1.0 or (self.grow or 2.0) <= 1.0:
            raise SimulationError(f"{type(self).__name__}: safety ≤ 1, shrink < 1 and grow > 1 are needed; got {self}")

    def settings(self, error_order: int) -> dict[str, Any]:
        """Real slots of a run with this controller, for an error of this order."""
        own = {"safety": self.safety, "shrink": self.shrink, "grow": self.grow}
        return {"error_exponent": 1.0 / (error_order + 1)} | {key: value for key, value in own.items() if value}


@dataclass(frozen=True)
class Elementary(Controller):
    """The next size follows from the error of this step alone."""


@dataclass(frozen=True)
class ProportionalIntegral(Controller):
    """Proportional and integral control: the error of the last step counts too, with the power ``beta``."""

    beta: float = 0.04

    def settings(self, error_order: int) -> dict[str, Any]:
        """The exponent is reduced with β."""
        exponent = 1.0 / (error_order + 1) - 0.75 * self.beta
        if not exponent > 0.0:
            largest = 4.0 / (3.0 * (error_order + 1))
            raise SimulationError(
                f"ProportionalIntegral: beta must be smaller than {largest:.3g} for an error of order {error_order}, "
                f"got {self.beta:g}"
            )
        return super().settings(error_order) | {"error_exponent": exponent, "beta": self.beta}


@dataclass(frozen=True)
class Gustafsson(Controller):
    """Predictive control for implicit methods: the trend of the error goes on, and many iterations are a warning."""

    kernel: ClassVar[Kernel] = predictive
    for_implicit: ClassVar[bool] = True


@dataclass(frozen=True)
class ByMethod(Controller):
    """The method chooses order and size of its steps itself."""

    kernel: ClassVar[Kernel] = by_method


@dataclass(frozen=True)
class FixedStep(Controller):
    """All steps have the size ``size``, but for the last one before a break or the end; errors are not looked at."""

    size: float = 1e-3

    kernel: ClassVar[Kernel] = fixed

    def __post_init__(self) -> None:
        super().__post_init__()
        if set_too := [name for name in ("safety", "shrink", "grow") if getattr(self, name) is not None]:
            raise SimulationError(f"FixedStep: steps do not change, there is no {set_too[0]}")

    def settings(self, error_order: int) -> dict[str, Any]:
        """The size, also of the first step."""
        return super().settings(error_order) | {"h_fixed": self.size, "h_next": self.size}
