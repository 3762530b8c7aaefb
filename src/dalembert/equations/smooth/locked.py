"""Motions whose fast coordinates are locked, or moved as they are told, and the forces that this takes.

With slow velocities S and fast ones F, of given accelerations a_F (zero where they are locked),

    [ M_SS   G_Sᵀ ] [ a_S ]   [ f_S − M_SF a_F ]
    [ G_S     0   ] [  λ  ] = [  γ  − G_F a_F  ],      ν = f_F − M_FS a_S − M_FF a_F − G_Fᵀ λ.

This is what steps 1 to 5 of Rheinboldt and Simeon's algorithm, (24)–(26), come to: with Dφ = [A B; 0 1] and
ζ = D²φ(v, v) one has G ζ = γ and ζ_q = 0, so that a_p = A u̇ + ζ_p is the solution above, and
Bᵀ (b_r − M_r A u̇) = −G_Fᵀ λ.  Its matrix is regular where condition (7) holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.provider import Floats
from dalembert.equations.smooth.many_points import Contract, Points
from dalembert.errors import EquationsError

Ints = NDArray[np.int64]
_ITERATIONS = 30


@dataclass(frozen=True, eq=False)
class Division:
    """Numbers of slow and of fast velocities."""

    slow: Ints
    fast: Ints


@dataclass(frozen=True, eq=False)
class Locked:
    """Accelerations, multipliers and forces ν on fast coordinates at points, one row each."""

    a: Floats
    lam: Floats
    nu: Floats
    d: Floats
    matrix: Floats  # of a_S and λ
    below: Floats  # ∂(M a − f + Gᵀλ)_F / ∂(a_S, λ)


def locked_at(contract: Contract, division: Division, at: Points, a_fast: Floats | None = None) -> Locked:
    """The motion at points, fast coordinates locked or with given accelerations."""
    s, n, slow, fast = contract.equations.sizes, len(at), division.slow, division.fast
    a, lam = np.zeros((n, s.v)), np.zeros((n, s.lam))
    if a_fast is not None:
        a[:, fast] = a_fast
    for _ in range(_ITERATIONS):
        found = contract.at(at, lam)
        G, F = found["G"], found["F"]
        across = np.swapaxes(G, 1, 2) - F
        matrix = np.zeros((n, len(slow) + s.lam, len(slow) + s.lam))
        matrix[:, : len(slow), : len(slow)] = found["M"][:, slow[:, None], slow]
        matrix[:, : len(slow), len(slow) :] = across[:, slow]
        matrix[:, len(slow) :, : len(slow)] = G[:, :, slow]
        force = found["f"] - times(F, lam) - times(found["M"][:, :, fast], a[:, fast])
        right = [force[:, slow], found["gamma"] - times(G[:, :, fast], a[:, fast])]
        x = solve(contract, at, matrix, np.concatenate(right, axis=1))
        a[:, slow], before, lam = x[:, : len(slow)], lam, x[:, len(slow) :]
        size = float(np.max(np.abs(lam), initial=0.0))
        if not contract.reactive or float(np.max(np.abs(lam - before), initial=0.0)) <= 1e-12 * size:
            below = np.concatenate([found["M"][:, fast[:, None], slow], across[:, fast]], axis=2)
            nu = force[:, fast] - times(below, x)
            d = contract.at(at, lam)["d"] if s.u and s.lam else found["d"]
            return Locked(a, lam, nu, d, matrix, below)
    raise EquationsError(
        f"'{contract.equations.name}': multipliers were not found: {contract.equations.reactive()} depends too "
        "strongly on multipliers"
    )


def force_rates(contract: Contract, division: Division, at: Points, known: Locked) -> Floats:
    """ν̇ along the motion with fast coordinates at rest, exact: the equations of the motion are differentiated, and
    solved for the rates of accelerations and multipliers."""
    residual, rows = contract.rates(at, known.a, known.lam)
    x = solve(contract, at, known.matrix, -np.concatenate([residual[:, division.slow], rows], axis=1))
    return -(residual[:, division.fast] + times(known.below, x))


def walked(contract: Contract, at: Points, h: float, motion: Callable[[Points], Locked]) -> Points:
    """Points a small step h later, by the Runge–Kutta method of order 4 on the index-1 form: small integration steps
    from which deformations are differenced (section 4)."""

    def rate(point: Points) -> tuple[Floats, Floats, Floats]:
        found = motion(point)
        qdot = point.v if contract.equations.unit_T else times(contract.at(point)["T"], point.v)
        return qdot, found.a, found.d

    def moved(c: float, k: tuple[Floats, Floats, Floats]) -> Points:
        return Points(at.t + c * h, at.q + c * h * k[0], at.v + c * h * k[1], at.u + c * h * k[2])

    first = rate(at)
    second = rate(moved(0.5, first))
    third = rate(moved(0.5, second))
    fourth = rate(moved(1.0, third))
    mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True))
    return moved(1.0, mean)  # type: ignore[arg-type]


def times(matrices: Floats, vectors: Floats) -> Floats:
    """Matrix times vector at each point."""
    return np.einsum("kij,kj->ki", matrices, vectors)


def solve(contract: Contract, at: Points, matrix: Floats, right: Floats) -> Floats:
    """Solutions at all points, rows and columns brought to the same size as they have different units."""
    if not matrix.shape[1]:
        return np.zeros_like(right)
    rows, columns = np.ones(matrix.shape[:2]), np.ones(matrix.shape[:2])
    scaled = matrix
    for _ in range(3):
        for axis, factors in ((2, rows), (1, columns)):
            size = np.sqrt(np.max(np.abs(scaled), axis=axis))
            factors /= np.where(size > 0, size, 1.0)
        scaled = matrix * rows[:, :, None] * columns[:, None, :]
    try:
        x = columns * np.linalg.solve(scaled, (rows * right)[..., None])[..., 0]
        left = right - times(matrix, x)
        return x + columns * np.linalg.solve(scaled, (rows * left)[..., None])[..., 0]
    except np.linalg.LinAlgError:
        k = int(np.argmin([np.linalg.cond(one) < 1e15 for one in scaled]))
        raise EquationsError(
            f"'{contract.equations.name}': the motion with fast coordinates locked is not determined at "
            f"t = {at.t[k]:.6g}; is there a slow coordinate without mass, or a constraint on fast ones only?"
        ) from None
