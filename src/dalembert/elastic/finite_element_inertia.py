"""Inertia integrals of finite elements: the Gram matrix S = ∫ s sᵀ dm of the fields 1, X and the shapes.

It needs scalar fields, ∫ φ_jx φ_ky dm, which a mass matrix of displacements has for equal components only.  They come
from, in this order,

- points with masses, the quadrature of the elements: exact, whatever the elements are;
- the mass matrix itself, where nodes have displacements only: it is m ⊗ 1 for solids, whose scalar m is averaged over
  the components;
- points around nodes that turn too (beams and shells of other programs), with the sums of the rows of the mass matrix
  as masses and moments of inertia.  These are then changed linearly, which keeps S a Gram matrix, such that all
  integrals are exact that the mass matrix does have: ∫dm, ∫X, ∫X×(X×), ∫Φ, ∫X×Φ and ∫ΦᵀΦ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.elastic.flexibility import Reals, turning_matrices
from dalembert.errors import ModelError

if TYPE_CHECKING:
    from dalembert.elastic.finite_elements import FiniteElements


def gram(fe: FiniteElements, shapes: Reals) -> Reals:
    """S of the shapes, columns of displacements of all degrees of freedom."""
    if fe.mass_points is not None:
        points = fe.mass_points
        moved = np.stack([N @ shapes for N in points.displacement], axis=2)  # (points, n, d)
        return gram_of_points(points.X, points.mass, moved)
    if (fe.places[:, list(fe.rotations)] < 0).all() and (fe.places[:, : fe.dimension] >= 0).all():
        return _scalar(fe, shapes)
    return _of_turning_nodes(fe, shapes)


def gram_of_points(X: Reals, mass: Reals, moved: Reals) -> Reals:
    """Σ m s sᵀ; ``moved`` are displacements (points, n, d)."""
    fields = np.concatenate([np.ones((len(X), 1)), X, moved.reshape(len(X), -1)], axis=1)
    S = fields.T @ (mass[:, None] * fields)
    return np.asarray(0.5 * (S + S.T))


def at_nodes(fe: FiniteElements, shapes: Reals, component: int) -> Reals:
    """One component of the shapes at all nodes, zero where it is none of theirs."""
    rows = fe.places[:, component]
    return np.where(rows[:, None] >= 0, shapes[np.maximum(rows, 0)], 0.0)


def _scalar(fe: FiniteElements, shapes: Reals) -> Reals:
    d, n = fe.dimension, shapes.shape[1]
    m: Any = sum(fe.mass[fe.places[:, a]][:, fe.places[:, a]] for a in range(d)) / d
    fields = np.empty((len(fe.X), 1 + d + n * d))
    fields[:, 0], fields[:, 1 : 1 + d] = 1.0, fe.X
    for a in range(d):
        fields[:, 1 + d + a :: d] = at_nodes(fe, shapes, a)
    S = fields.T @ (m @ fields)
    return np.asarray(0.5 * (S + S.T))


# ---------------------------------------------------------------------------------------------------- nodes that turn


def _of_turning_nodes(fe: FiniteElements, shapes: Reals) -> Reals:
    R = fe.rigid_fields()
    with_rigid = np.column_stack([R, shapes])
    exact = with_rigid.T @ (fe.mass @ with_rigid)
    return matched(_around_nodes(fe, shapes), exact, fe.dimension, f"finite elements '{fe.name}'")


def _around_nodes(fe: FiniteElements, shapes: Reals) -> Reals:
    """S of points around the nodes."""
    d, n = fe.dimension, shapes.shape[1]
    mass = np.zeros(len(fe.X))
    for a in range(d):
        mass += _row_sums(fe, a) / d
    turning = [np.maximum(_row_sums(fe, c), 0.0) for c in fe.rotations]
    if d == 2:
        spread = [0.5 * turning[0]] * 2
    else:
        spread = [np.maximum(0.5 * (sum(turning) - 2.0 * turning[a]), 0.0) for a in range(3)]
    moved = np.stack([at_nodes(fe, shapes, a) for a in range(d)], axis=2)  # (nodes, n, d)
    turned = np.stack([at_nodes(fe, shapes, c) for c in fe.rotations], axis=2)
    S = np.zeros((1 + d + n * d, 1 + d + n * d))
    carrying = mass > 0.0
    for a in range(d):
        arm = np.zeros((len(fe.X), d))
        arm[carrying, a] = np.sqrt(d * spread[a][carrying] / mass[carrying])
        swung = np.einsum("cba,Njc,Na->Njb", turning_matrices(d), turned, arm)
        for sign in (1.0, -1.0):
            X, u = fe.X + sign * arm, moved + sign * swung
            S += gram_of_points(X[carrying], mass[carrying] / (2 * d), u[carrying])
    return S


def _row_sums(fe: FiniteElements, component: int) -> Reals:
    """Sums of the rows of one component over its columns."""
    unit = ((fe.dofs[:, 0] >= 0) & (fe.dofs[:, 1] == component)).astype(float)
    rows = fe.places[:, component]
    return np.where(rows >= 0, (fe.mass @ unit)[np.maximum(rows, 0)], 0.0)


def matched(S: Reals, exact: Reals, d: int, where: str) -> Reals:
    """S, changed linearly such that rigid motions and shapes have the mass matrix ``exact``.

    X' = G (X − c) + c' has the second moments of the exact inertia; shapes are changed apart from their rigid parts,
    φ' = (φ − R W⁻¹C) L + R' W'⁻¹C', with the positive G and L that are nearest to 1.
    """
    n = (len(S) - 1 - d) // d
    r = len(exact) - n
    A = np.eye(len(S)) * np.sqrt(np.trace(exact[:d, :d]) / d / S[0, 0])
    S = A @ S @ A.T
    mass, turning = S[0, 0], turning_matrices(d)
    centre = np.einsum("cia,ic->a", turning, exact[:d, d:r]) / (d - 1) / mass
    own = S[0, 1 : 1 + d] / mass
    V = S[1 : 1 + d, 1 : 1 + d] - mass * np.outer(own, own)
    about = exact[d:r, d:r] - mass * np.einsum("cia,eib,a,b->ce", turning, turning, centre, centre)
    if d == 3:
        G = _between(V, 0.5 * np.trace(about) * np.eye(3) - about, where).T
    else:
        G = np.eye(2) * np.sqrt(about[0, 0] / np.trace(V))
    A = np.eye(len(S))
    A[1 : 1 + d, 1 : 1 + d], A[1 : 1 + d, 0] = G, centre - G @ own
    S = A @ S @ A.T
    W = frame_mass(S, d, n)
    rigid = np.linalg.pinv(W[:r, :r], hermitian=True)
    part, wanted = rigid @ W[:r, r:], rigid @ exact[:r, r:]
    L = _between(W[r:, r:] - W[r:, :r] @ part, exact[r:, r:] - exact[r:, :r] @ wanted, where)
    A = np.eye(len(S))
    A[1 + d :, 1 + d :] = np.kron(L.T, np.eye(d))
    moved = wanted - part @ L  # rigid motions that are added to the shapes
    for j in range(n):
        rows = slice(1 + d * (1 + j), 1 + d * (2 + j))
        A[rows, 0] += moved[:d, j]
        A[rows, 1 : 1 + d] += np.einsum("cba,c->ba", turning, moved[d:, j])
    S = without_rounding(A @ S @ A.T, d)
    return np.asarray(0.5 * (S + S.T))


def without_rounding(S: Reals, d: int) -> Reals:
    """The same Gram matrix, where components that a shape does not have were left with rounding errors of others."""
    own = np.diag(S)[1 + d :].reshape(-1, d)
    nothing = 1 + d + np.flatnonzero((own <= 1e-12 * own.max(axis=1, keepdims=True)).ravel())
    S = np.array(S)
    S[nothing], S[:, nothing] = 0.0, 0.0
    return S


def frame_mass(S: Reals, d: int, n: int) -> Reals:
    """Mass matrix of rigid motions and shapes that a Gram matrix has in it."""
    turning = turning_matrices(d)
    T = np.zeros((d + len(turning) + n, len(S), d))  # fields of each motion, by components
    for a in range(d):
        T[a, 0, a] = 1.0
    for c, turn in enumerate(turning):
        T[d + c, 1 : 1 + d] = turn.T
    for j in range(n):
        for a in range(d):
            T[d + len(turning) + j, 1 + d * (1 + j) + a, a] = 1.0
    return np.asarray(np.einsum("ipa,pq,jqa->ij", T, S, T))


def _between(first: Reals, second: Reals, where: str) -> Reals:
    """L nearest to 1 with Lᵀ first L = second: the geometric mean of first⁻¹ and second; 1 where both vanish."""
    size = np.sqrt(np.maximum(np.diag(first), 0.0) * np.maximum(np.diag(second), 0.0)) ** 0.5
    kept = size > 1e-9 * size.max(initial=0.0)
    L = np.eye(len(first))
    if not kept.any():
        return L
    at, scale = np.ix_(kept, kept), np.outer(size[kept], size[kept])
    A, B = 0.5 * (first + first.T)[at] / scale, 0.5 * (second + second.T)[at] / scale
    values, vectors = np.linalg.eigh(A)
    if values[0] <= 1e-9 * values[-1] or np.linalg.eigvalsh(B)[0] < -1e-9:
        raise ModelError(
            f"{where}: masses of the nodes do not explain the inertia of the shapes; are there shapes that move no "
            "node, or rotations in other units than radians?"
        )
    root, inverse = (vectors * np.sqrt(values)) @ vectors.T, (vectors / np.sqrt(values)) @ vectors.T
    middle_values, middle = np.linalg.eigh(root @ B @ root)
    mean = inverse @ ((middle * np.sqrt(np.maximum(middle_values, 0.0))) @ middle.T) @ inverse
    # In the scaled coordinates L is symmetric; D⁻¹ L D is it in the given ones.
    L[at] = mean * size[kept][None, :] / size[kept][:, None]
    return L
