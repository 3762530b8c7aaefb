"""Reference conditions: which frame the deformation of a body is measured in.

A rigid part of each shape, φ_j = φ'_j + t_j + θ_j × X, belongs to the frame.  The conditions say what it is, and moving
it there changes the fields linearly, so that S' = A S Aᵀ.  To second order r = t + exp(θ̃) r' gives

    Γ'_jk = Γ_jk − (θ_j × φ'_k + θ_k × φ'_j) − ½ (θ_j × (θ_k × X) + θ_k × (θ_j × X)).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dalembert.elastic.flexibility import Flexibility, Nodes, Reals, Reference, turning_matrices
from dalembert.errors import ModelError


def rigid_part(body: Flexibility, reference: Reference) -> tuple[Reals, Reals]:
    """t of shape (d, n) and θ of shape (1 or 3, n): what the shapes move of a frame with these conditions."""
    d, n = body.dimension, body.n
    rotations = 1 if d == 2 else 3
    if reference.kind == "free" or not n:
        return np.zeros((d, n)), np.zeros((rotations, n))
    if reference.kind == "mean axes":
        M = body.frame_mass
        r = d + rotations
        found = np.linalg.pinv(M[:r, :r], hermitian=True) @ M[:r, r:]
        return found[:d], found[d:]
    nodes, where = body.nodes, f"Flexibility '{body.name}': reference {reference}"
    numbers = [nodes.index(name) for name in reference.nodes]
    A = numbers[0]
    if reference.kind == "clamped":
        if not nodes.turns(A):
            raise ModelError(f"{where}: the node has no rotation; give its Φ_r, or take pinned nodes or mean axes")
        assert nodes.rotation is not None
        theta = nodes.rotation[A]
    else:
        theta = _chord_rotation(nodes, numbers, where)
    turned = np.einsum("cba,a,cj->bj", turning_matrices(d), nodes.X[A], theta)
    return nodes.translation[A] - turned, np.array(theta)


def _chord_rotation(nodes: Nodes, numbers: list[int], where: str) -> Reals:
    """θ of the frame whose x axis stays along a chord, shape by shape."""
    A, B = numbers[:2]
    chord = nodes.X[B] - nodes.X[A]
    length = float(np.linalg.norm(chord))
    if not length > 0.0:
        raise ModelError(f"{where}: the two nodes are at the same place")
    e = chord / length
    moved = (nodes.translation[B] - nodes.translation[A]) / length
    if len(e) == 2:
        return (e[0] * moved[1] - e[1] * moved[0])[np.newaxis]
    across = np.cross(e, moved, axisb=0).T
    if len(numbers) == 3:
        arm = nodes.X[numbers[2]] - nodes.X[A]
        normal = np.cross(e, arm)
        if not np.linalg.norm(normal) > 1e-9 * np.linalg.norm(arm):
            raise ModelError(f"{where}: the three nodes are on one line")
        left = nodes.translation[numbers[2]] - nodes.translation[A] - np.cross(across, arm, axisa=0).T
        twist = normal @ left / (normal @ normal)
    else:
        twist = e @ nodes.rotation[A] if nodes.rotation is not None and nodes.turns(A) else np.zeros(moved.shape[1])
    return np.asarray(across + np.outer(e, twist))


def referred(body: Flexibility, reference: Reference) -> Flexibility:
    """The same body in another frame."""
    d, n = body.dimension, body.n
    t, theta = rigid_part(body, reference)
    spin = np.einsum("cba,cj->baj", turning_matrices(d), theta)  # (θ_j × ·) as a matrix
    A = np.eye(len(body.gram))
    for j in range(n):
        rows = slice(1 + d * (1 + j), 1 + d * (2 + j))
        A[rows, 0] -= t[:, j]
        A[rows, 1 : 1 + d] -= spin[:, :, j]
    nodes = body.nodes
    if len(nodes):
        translation = nodes.translation - t - np.einsum("baj,Na->Nbj", spin, nodes.X)
        second = nodes.second_order
        if second is not None:
            second = second + _turned_second_order(spin, translation, nodes.X)
        rotation = None if nodes.rotation is None else nodes.rotation - theta
        nodes = replace(nodes, translation=translation, rotation=rotation, second_order=second)
    S = A @ body.gram @ A.T
    moments = body.second_order
    if moments is not None:
        shapes = S[: 1 + d, 1 + d :].reshape(1 + d, n, d).transpose(0, 2, 1)  # ∫ (1, X) φ'
        moments = moments + _turned_second_order(spin, shapes, S[: 1 + d, 1 : 1 + d])
    return replace(body, gram=S, nodes=nodes, reference=reference, second_order=moments)


def _turned_second_order(spin: Reals, shapes: Reals, X: Reals) -> Reals:
    """What Γ gains: at nodes from φ' and X there, as moments from ∫ s φ' and ∫ s X."""
    first = np.einsum("baj,Nak->Nbjk", spin, shapes)
    twice = 0.5 * np.einsum("bcj,cak,Na->Nbjk", spin, spin, X)
    gained = first + twice
    return np.asarray(-(gained + gained.transpose(0, 1, 3, 2)))
