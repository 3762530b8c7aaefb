"""The methods by name: what each needs of a run's memory, and its kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.frame import memory as m
from dalembert.integrate.methods import explicit_rk, mexx, mexx_dense, radau, radau_tables
from dalembert.integrate.methods.tableaux import DOP853, DOPRI5, Tableau
from dalembert.native.kernel import Kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dalembert.equations import Sizes
    from dalembert.integrate.run.live import Options


@dataclass(frozen=True)
class Method:
    """A method family member: kernels, coefficients, options of step control.

    ``order`` is that of q, v and u at the ends of steps, ``dense_order`` that between them; ``exponent`` is the power
    of the error that changes the step size.  ``algebraic_coefficients`` are those of accelerations and multipliers in
    the dense output, where a method has its own; with ``own_control`` it chooses order and size of its steps itself.
    ``formalism`` is taken unless the user asks for another one, ``programs`` are needed besides it.  ``adapt`` gives
    the method for the options of a run.
    """

    name: str
    title: str
    order: int
    dense_order: int
    implicit: bool
    attempt: Kernel
    interpolate: Kernel
    coefficients: int
    exponent: float
    safety: float
    shrink: float
    grow: float
    beta: float
    work: Callable[[Sizes], int]
    ints: Mapping[int, int] = field(default_factory=dict)
    table: Callable[[], NDArray[np.float64]] | None = None
    algebraic_coefficients: int = 0
    own_control: bool = False
    formalism: str = "explicit"
    programs: tuple[str, ...] = ()
    adapt: Callable[[Options], Method] | None = None


def _explicit(tableau: Tableau, title: str) -> Method:
    width = tableau.stages + tableau.extra + 1
    return Method(
        name=tableau.name,
        title=title,
        order=tableau.order,
        dense_order=tableau.dense_order,
        implicit=False,
        attempt=explicit_rk.attempt,
        interpolate=explicit_rk.interpolate,
        coefficients=tableau.coefficients,
        exponent=1.0 / (tableau.error_order + 1) - 0.75 * tableau.beta,
        safety=0.9,
        shrink=tableau.shrink,
        grow=tableau.grow,
        beta=tableau.beta,
        work=lambda sizes: width * (sizes.q + sizes.v + sizes.u),
        ints={m.STAGES: tableau.stages, m.FSAL_EXTRA: tableau.extra, m.N_ERRORS: len(tableau.errors)},
        table=tableau.flat,
    )


def _radau(stages: int, name: str) -> Method:
    return Method(
        name=name,
        title=f"Radau IIA, {stages} stages, order {2 * stages - 1}, on the stabilised index-2 form",
        order=2 * stages - 1,
        dense_order=stages,
        implicit=True,
        attempt=radau.attempt,
        interpolate=radau.interpolate,
        coefficients=max(4, stages + 1),
        exponent=1.0 / (stages + 1),
        safety=0.9,
        shrink=0.2,
        grow=8.0,
        beta=0.0,
        work=lambda sizes: (4 * stages + 2) * (sizes.q + sizes.v + sizes.u + sizes.lam + sizes.g),
        ints={m.STAGES: stages, m.NEWTON_LIMIT: 7 + 5 * (stages - 3) // 2},
        table=lambda: radau_tables.coefficients(stages),
        programs=("implicit",),
    )


def _mexx(options: Options | None = None) -> Method:
    highest, lowest, limit = mexx.LARGEST_ORDER, 2, mexx.LARGEST_ORDER
    if options is not None:
        highest = options.max_order or highest
        lowest = options.min_order or 2
        limit = min(options.dense_order or highest, highest)
    return Method(
        name="mexx",
        title="MEXX: extrapolated half-explicit Euler, order 2 … 13, projected",
        order=highest,
        dense_order=limit - 1,
        implicit=False,
        attempt=mexx.attempt,
        interpolate=mexx_dense.interpolate,
        coefficients=mexx_dense.differences(limit) + 4,
        exponent=0.25,  # of the first step only
        safety=0.9,
        shrink=0.2,
        grow=4.0,
        beta=0.0,
        work=lambda sizes: mexx_dense.work_size(sizes.q + sizes.v + sizes.u, sizes.v, sizes.lam, highest),
        ints={
            m.MIN_ORDER: lowest,
            m.MAX_ORDER: highest,
            m.DENSE_LIMIT: limit,
            m.STANDARD: options is not None and options.discretization == "standard",
        },
        table=mexx.sequence,
        algebraic_coefficients=mexx_dense.differences(limit) + 2,
        own_control=True,
        formalism="contract",
        programs=("contract",),
        adapt=_mexx,
    )


METHODS: dict[str, Method] = {
    "dopri5": _explicit(DOPRI5, "projected Dormand–Prince, order 5(4)"),
    "dop853": _explicit(DOP853, "projected Dormand–Prince, order 8(5,3)"),
    "radau": _radau(3, "radau"),
    "radau9": _radau(5, "radau9"),
    "radau13": _radau(7, "radau13"),
    "mexx": _mexx(),
}


def method_named(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        raise SimulationError(f"there is no method '{name}'; {suggestion(name, ['auto', *METHODS])}")
    return METHODS[name]


def methods() -> dict[str, str]:
    """Names of all methods, with what they are."""
    return {name: method.title for name, method in METHODS.items()}
