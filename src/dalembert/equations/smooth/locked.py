"""The motion with fast coordinates locked, and the forces that lock them: what (17) and (27) come down to.

With fast coordinates F held at zero, or with given accelerations, and slow ones S,

    [ M_SS  G_Sᵀ ] [ a_S ]   [ f_S − M_SF a_F ]
    [ G_S   0    ] [ λ   ] = [ γ − G_F a_F    ],      ν = f_F − M_FS a_S − M_FF a_F − G_Fᵀ λ

ν are the multipliers of the rows q_F = 0 where a_F is zero.  Steps 4 and 5 of section 4 of the paper, the local
equations (25) and (26) at q = 0, say the same in other coordinates: Bᵀ(b_r − M_r a_p) = −G_Fᵀ λ.  The first matrix is
regular where condition (7) holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dalembert.equations.contract.provider import Floats
from dalembert.equations.smooth.factored import Factored
from dalembert.equations.smooth.many_points import Contract, Points
from dalembert.errors import EquationsError

_ITERATIONS = 30


@dataclass(frozen=True, eq=False)
class Locked:
    """Accelerations, multipliers and forces ν on fast coordinates at points, one row each."""

    a: Floats
    lam: Floats
    nu: Floats
    d: Floats
    matrix: Factored  # of a_S and λ


def locked_at(contract: Contract, at: Points, a_fast: Floats | None = None) -> Locked:
    """The motion at points, fast coordinates locked at zero; or anywhere, with given accelerations."""
    s, n, slow, fast = contract.equations.sizes, len(at), contract.division.slow, contract.division.fast
    still = a_fast is None
    a, lam = np.zeros((n, s.v)), np.zeros((n, s.lam))
    if a_fast is not None:
        a[:, fast] = a_fast
    for _ in range(_ITERATIONS):
        found = contract.slow_balance(at, a, lam, still)
        matrix = Factored(contract.equations.name, at.t, found["matrix"])
        x = matrix.solve(-np.concatenate([found["residual"], found["rows"]], axis=1))
        a[:, slow] += x[:, : len(slow)]
        change = x[:, len(slow) :]
        lam = lam + change
        size = float(np.max(np.abs(lam), initial=0.0))
        if not contract.reactive or float(np.max(np.abs(change), initial=0.0)) <= 1e-12 * size:
            d = contract.slow_balance(at, a, lam, still)["d"] if s.u and s.lam else found["d"]
            return Locked(a, lam, -contract.fast_balance(at, a, lam, still), d, matrix)
    raise EquationsError(
        f"'{contract.equations.name}': multipliers were not found: {contract.equations.reactive()} depends too "
        "strongly on multipliers"
    )


def force_rates(contract: Contract, at: Points, known: Locked) -> Floats:
    """ν̇ along the motion with fast coordinates at rest, exact: the equations of the motion are differentiated, and
    solved for the rates of accelerations and multipliers."""
    n_s = len(contract.division.slow)
    x = known.matrix.solve(-contract.slow_rates(at, known.a, known.lam))
    jerk = np.zeros_like(known.a)
    jerk[:, contract.division.slow] = x[:, :n_s]
    return -contract.fast_rates(at, known.a, known.lam, jerk, x[:, n_s:])


def walked(contract: Contract, at: Points, h: float, motion: Callable[[Points], Locked]) -> Points:
    """Points a small step h later, by the Runge–Kutta method of order 4 on the index-1 form: small integration steps
    from which deformations are differenced (section 4)."""

    def rate(point: Points) -> tuple[Floats, Floats, Floats]:
        found = motion(point)
        return contract.q_rate(point), found.a, found.d

    def moved(c: float, k: tuple[Floats, Floats, Floats]) -> Points:
        return Points(at.t + c * h, at.q + c * h * k[0], at.v + c * h * k[1], at.u + c * h * k[2])

    first = rate(at)
    second = rate(moved(0.5, first))
    third = rate(moved(0.5, second))
    fourth = rate(moved(1.0, third))
    mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True))
    return moved(1.0, mean)  # type: ignore[arg-type]
