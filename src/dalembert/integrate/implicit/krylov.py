"""GMRES for the Newton equations of all stages at once.

Saad, Schultz, SIAM J. Sci. Stat. Comput. 7 (1986): the space is spanned by b, A b, A² b, …, where b are the corrections
that the matrix at hand gives and A is this matrix's inverse times the exact one, which is close to the identity.
Vectors hold the increments x = (q, v, μ, λ, u) of all stages; sizes and angles are those of (q, v, u) in units of the
tolerance, in which the iteration is judged too, and the multipliers go along.

The caller supplies the images: ``begin_space``, then for k = 0, 1, … A times ``basis_vector(k)`` in the place of
``basis_vector(k + 1)`` and ``extend_space(k)``, at last ``combine``.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.linalg.vector_operations import add_scaled, clear
from dalembert.native.kernel import Reals, compiled, view
from dalembert.native.slots import integer, real, reals

#: Largest dimension of the space, unless a method asks for another one.
DIMENSION = 12


class KrylovMemory(ImplicitMemory):
    """A Krylov space of increments of all stages."""

    stages: int = integer("stages")
    dimension: int = integer("largest dimension of the space")
    contraction: float = real("worst rate of convergence that the iteration would have without the space")
    basis: Reals = reals("(dimension + 1) * stages * n_x", "orthonormal vectors")
    triangle: Reals = reals("dimension * (dimension + 1)", "columns of the triangular matrix")
    cosines: Reals = reals("dimension", "of the rotations that make it triangular")
    sines: Reals = reals("dimension", "of the rotations that make it triangular")
    rotated: Reals = reals("dimension + 1", "right-hand side in the rotated basis")


@compiled
def basis_vector(run: KrylovMemory, k: int) -> Reals:
    """Vector k of the basis."""
    n = run.stages * run.n_x
    return view(run.basis, k * n, n)


@compiled
def _product(run: KrylovMemory, x: Reals, y: Reals) -> float:
    """Mean over all stages and all entries of (q, v, u)."""
    weight, s, n_x, n, n_u = run.weight, run.stages, run.n_x, run.n_q + run.n_v, run.n_u
    total = 0.0
    for i in range(s):
        for k in range(n):
            total += x[i * n_x + k] * y[i * n_x + k] * weight[k] * weight[k]
        at = (i + 1) * n_x - n_u
        for k in range(n_u):
            total += x[at + k] * y[at + k] * weight[n + k] * weight[n + k]
    return total / (s * max(1, weight.size))


@compiled
def begin_space(run: KrylovMemory, start: Reals) -> float:
    """The first vector of the basis; gives the size of the start."""
    first = basis_vector(run, 0)
    size = np.sqrt(_product(run, start, start))
    run.rotated[0] = size
    if size > 0.0:
        for k in range(start.size):
            first[k] = start[k] / size
    return size


@compiled
def extend_space(run: KrylovMemory, k: int) -> float:
    """Take the image of basis vector k, in the place of vector k + 1, into the basis: what then remains of the start.

    From the first image follows the rate of convergence that the iteration would have without this space;
    ``contraction`` keeps the worst one.
    """
    column = view(run.triangle, k * (run.dimension + 1), run.dimension + 1)
    cosines, sines, right, image = run.cosines, run.sines, run.rotated, basis_vector(run, k + 1)
    run.inner_iterations += 1
    for j in range(k + 1):
        other = basis_vector(run, j)
        column[j] = _product(run, other, image)
        add_scaled(-column[j], other, image)
    size = np.sqrt(_product(run, image, image))
    if size > 0.0:
        for i in range(image.size):
            image[i] /= size
    if k == 0:
        run.contraction = max(run.contraction, np.hypot(column[0] - 1.0, size))
    for j in range(k):
        upper, lower = column[j], column[j + 1]
        column[j] = cosines[j] * upper + sines[j] * lower
        column[j + 1] = cosines[j] * lower - sines[j] * upper
    radius = np.hypot(column[k], size)
    cosines[k], sines[k] = (column[k] / radius, size / radius) if radius > 0.0 else (1.0, 0.0)
    column[k] = radius
    right[k + 1] = -sines[k] * right[k]
    right[k] *= cosines[k]
    return abs(right[k + 1])


@compiled
def combine(run: KrylovMemory, dimension: int, solution: Reals) -> None:
    """The vector of the space whose image is nearest to the start."""
    right = run.rotated
    clear(solution)
    for j in range(dimension - 1, -1, -1):
        column = view(run.triangle, j * (run.dimension + 1), run.dimension + 1)
        right[j] /= column[j]
        for i in range(j):
            right[i] -= right[j] * column[i]
        add_scaled(right[j], basis_vector(run, j), solution)
