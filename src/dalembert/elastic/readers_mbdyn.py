"""MBDyn's file of a flexible body (FEM file of the modal joint): read and written.

A text of record groups, each after a comment "** RECORD GROUP k": 1 header, 2 labels of nodes, 3 and 4 initial modal
displacements and velocities, 5 to 7 coordinates, 8 six components for each mode and node, 9 modal mass, 10 modal
stiffness, 11 diagonal of the lumped mass matrix, 12 mass, centre of mass and inertia about it, 13 modal damping, 14 to
18 integrals of the shapes,

    I3 = ∫Φ,   I4 = ∫X̃Φ,   I8_j = −∫X̃ φ̃_j,   I5_jk = ∫φ_j × φ_k,   I9_jk = ∫φ̃_j φ̃_k.

As ãb̃ = b aᵀ − (a·b) 1, I8 and I9 have all of ∫X φ_jᵀ and ∫φ_j φ_kᵀ in them: together with I3 and group 12 they are the
Gram matrix.  Files without them have lumped masses, from which it is summed; modal mass that these do not explain, such
as of nodes that are not in the file, is added.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import file_path, instance, reads_file, text
from dalembert.elastic.finite_element_inertia import frame_mass, gram_of_points, matched, without_rounding
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reals
from dalembert.elastic.readers import fault, is_whole, lines_of, number_of
from dalembert.errors import ModelError

_WHAT = "MBDyn FEM file"


class _Records:
    """Words of record groups, with their lines."""

    def __init__(self, path: Any) -> None:
        self.file, lines = lines_of(path, _WHAT)
        self.words: dict[int, list[tuple[int, str]]] = {}
        self.begins: dict[int, int] = {}
        group = 0
        for number, line in enumerate(lines, start=1):
            if line.startswith("**"):
                upper = line.upper()
                if "RECORD GROUP" in upper:
                    after = upper.split("RECORD GROUP")[1].replace(",", " ").split()
                    if not after or not is_whole(after[0]):
                        raise fault(
                            _WHAT, self.file, number, f"expected the number of a record group, got {line[:60]!r}"
                        )
                    group = int(after[0])
                    if group in self.words:
                        raise fault(_WHAT, self.file, number, f"record group {group} is there twice")
                    self.words[group], self.begins[group] = [], number
                continue
            if group:
                self.words[group] += [(number, word) for word in line.split()]
            elif line.strip():
                raise fault(_WHAT, self.file, number, "data before the first '** RECORD GROUP'")

    def numbers(self, group: int, *shape: int) -> Reals:
        """The numbers of a group, as many as there must be."""
        if group not in self.words:
            raise ModelError(f"{_WHAT} '{self.file.name}': record group {group} is missing")
        words, size = self.words[group], int(np.prod(shape))
        found = []
        for number, word in words:
            value = number_of(word)
            if value is None:
                raise fault(_WHAT, self.file, number, f"record group {group}: expected a number, got {word[:40]!r}")
            found.append(value)
        if len(found) != size:
            at = words[-1][0] if words else self.begins[group]
            raise fault(
                _WHAT,
                self.file,
                at,
                f"record group {group} must have {size} numbers, got {len(found)}; is the file cut?",
            )
        return np.array(found).reshape(shape)

    def header(self) -> tuple[int, list[tuple[str, int]]]:
        """Number of nodes, and kinds of modes with their numbers."""
        words = [word for _, word in self.words.get(1, [])]
        counts = [int(word) if is_whole(word) else -1 for word in words[1:6]]
        if len(words) != 6 or min(counts, default=-1) < 0:
            at = self.begins.get(1, 1)
            raise fault(
                _WHAT, self.file, at, "record group 1 must be 'REV0 nodes normal attachment constraint rejected'"
            )
        kinds = list(zip(("normal", "attachment", "constraint"), counts[1:4], strict=True))
        return counts[0], kinds


@reads_file(_WHAT, ModelError)
def read_mbdyn(path: Any, *, name: str | None = None) -> Flexibility:
    """A flexible body from MBDyn's FEM file; its rejected modes are not counted, as in that program."""
    records = _Records(path)
    N, kinds = records.header()
    n = sum(count for _, count in kinds) - int(records.words[1][5][1])
    if N < 1 or n < 1:
        raise ModelError(f"{_WHAT} '{records.file.name}': {N} nodes and {n} modes; both are needed")
    labels = [word for _, word in records.words.get(2, [])]
    if len(labels) != N:
        raise ModelError(
            f"{_WHAT} '{records.file.name}': record group 2 must have {N} labels of nodes, got {len(labels)}"
        )
    X = np.column_stack([records.numbers(group, N) for group in (5, 6, 7)])
    shapes = records.numbers(8, n, N, 6).transpose(1, 2, 0)
    M, K = records.numbers(9, n, n), records.numbers(10, n, n)
    D = records.numbers(13, n, n) if 13 in records.words else np.zeros((n, n))
    S = _gram(records, X, shapes[:, :3], M)
    table = []
    for kind, count in kinds:
        table += [Mode(f"{kind}{k + 1}", kind, records.file.name) for k in range(count)]
    return Flexibility(
        gram=S, stiffness=0.5 * (K + K.T), damping=D, nodes=Nodes(tuple(labels), X, shapes[:, :3], shapes[:, 3:]),
        modes=tuple(table[:n]), name=text(records.file.stem if name is None else name, "read_mbdyn: name", ModelError),
    )  # fmt: skip


def _gram(records: _Records, X: Reals, moved: Reals, M: Reals) -> Reals:
    n = len(M)
    where = f"{_WHAT} '{records.file.name}'"
    if 12 in records.words and {14, 16, 18} <= records.words.keys():
        rigid = records.numbers(12, 13)
        mass, com, J = rigid[0], rigid[1:4], rigid[4:].reshape(3, 3)
        S = np.zeros((4 + 3 * n, 4 + 3 * n))
        S[0, 0], S[0, 1:4] = mass, mass * com
        S[1:4, 1:4] = 0.5 * np.trace(J) * np.eye(3) - 0.5 * (J + J.T) + mass * np.outer(com, com)
        S[0, 4:] = records.numbers(14, 3, n).T.ravel()
        I8, I9 = records.numbers(16, 3, n, 3), records.numbers(18, 3, n, n, 3)
        sign = -1.0 if np.einsum("ajja->", I9) > 0.0 else 1.0  # programs do not agree on it
        for j in range(n):
            block = -I8[:, j]  # X̃φ̃ = φ Xᵀ − (X·φ) 1
            S[1:4, 4 + 3 * j : 7 + 3 * j] = (block - 0.5 * np.trace(block) * np.eye(3)).T
            for k in range(n):
                block = sign * I9[:, j, k]
                S[4 + 3 * j : 7 + 3 * j, 4 + 3 * k : 7 + 3 * k] = (block - 0.5 * np.trace(block) * np.eye(3)).T
        return without_rounding(np.triu(S) + np.triu(S, 1).T, 3)  # of traces that were taken off
    if 11 not in records.words:
        raise ModelError(
            f"{where}: inertia is not known: there is neither record group 11 (lumped masses) nor 12, 14, 16 and 18 "
            "(integrals); let the FE program write lumped masses"
        )
    lumped = records.numbers(11, len(X), 6)
    S = gram_of_points(X, lumped[:, :3].mean(axis=1), moved.transpose(0, 2, 1))
    exact = frame_mass(S, 3, n)
    exact[6:, 6:] = 0.5 * (M + M.T)
    if 12 in records.words:
        rigid = records.numbers(12, 13)
        exact[:6, :6] = _rigid_mass(rigid[0], rigid[1:4], rigid[4:].reshape(3, 3))
    return matched(S, exact, 3, where)


def _rigid_mass(mass: float, com: Reals, J: Reals) -> Reals:
    """Mass matrix of a rigid body, with its inertia about the centre of mass."""
    S = np.zeros((4, 4))
    S[0, 0] = mass
    S[0, 1:] = S[1:, 0] = mass * com
    S[1:, 1:] = 0.5 * np.trace(J) * np.eye(3) - 0.5 * (J + J.T) + mass * np.outer(com, com)
    return frame_mass(S, 3, 0)


def write_mbdyn(flexibility: Flexibility, path: Any) -> None:
    """A flexible body as MBDyn's FEM file, with all integrals (groups 12 to 18)."""
    body = instance(flexibility, Flexibility, "write_mbdyn: flexibility", ModelError)
    file: Path = file_path(path, "write_mbdyn: path", ModelError)
    where = f"Flexibility '{body.name}'"
    if body.planar:
        raise ModelError(f"{where}: MBDyn's bodies are in space, and this one is in the plane")
    if body.second_order is not None or body.cubic is not None:
        raise ModelError(f"{where}: MBDyn's file has no second-order shapes; write body.without_stiffening()")
    turns = [k for k in range(len(body.nodes)) if not body.nodes.turns(k)]
    if turns or not len(body.nodes):
        missing = f"node '{body.nodes.names[turns[0]]}' has no rotation" if turns else "it has no nodes"
        raise ModelError(f"{where}: {missing}; MBDyn needs six components of each node, take interfaces for nodes")
    try:
        file.write_text("\n".join(_written(body)) + "\n", encoding="utf-8")
    except OSError as error:
        raise ModelError(f"write_mbdyn: '{file}' cannot be written: {error.strerror or error}") from None


def _written(body: Flexibility) -> list[str]:
    nodes, n, N = body.nodes, body.n, len(body.nodes)
    assert nodes.rotation is not None
    kinds = [mode.kind if mode.kind in ("attachment", "constraint") else "normal" for mode in body.modes]
    order = [j for kind in ("normal", "attachment", "constraint") for j in range(n) if kinds[j] == kind]
    counts = [kinds.count(kind) for kind in ("normal", "attachment", "constraint")]

    def row(values: Any) -> str:
        return " ".join(f"{value:.17e}" for value in np.asarray(values, dtype=float).ravel())

    lines = ["** MBDyn MODAL DATA FILE", f"** BODY {body.name}", "** RECORD GROUP 1, HEADER"]
    lines += ["**   REVISION,  NODE,  NORMAL, ATTACHMENT, CONSTRAINT, REJECTED MODES."]
    lines += [f"REV0 {N} {counts[0]} {counts[1]} {counts[2]} 0", "** RECORD GROUP 2, FINITE ELEMENT NODE LIST"]
    lines += [" ".join(name.replace(" ", "_") for name in nodes.names)]
    for a, axis in enumerate("XYZ"):
        lines += [f"** RECORD GROUP {5 + a}, NODAL {axis} COORDINATES", *(row(value) for value in nodes.X[:, a])]
    lines += ["** RECORD GROUP 8, MODE SHAPES"]
    for number, j in enumerate(order, start=1):
        lines += [f"**    MODE SHAPE # {number}"]
        lines += [row([*nodes.translation[k, :, j], *nodes.rotation[k, :, j]]) for k in range(N)]
    at = np.ix_(order, order)
    for group, title, matrix in ((9, "MASS", body.modal_mass[at]), (10, "STIFFNESS", body.stiffness[at])):
        lines += [f"** RECORD GROUP {group}, MODAL {title} MATRIX", *(row(values) for values in matrix)]
    J = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    com = body.com
    J = J - body.mass * (com @ com * np.eye(3) - np.outer(com, com))
    lines += ["** RECORD GROUP 12, RIGID BODY INERTIA MATRIX", row(body.mass), row(com), *(row(values) for values in J)]
    lines += ["** RECORD GROUP 13, MODAL DAMPING MATRIX", *(row(values) for values in body.damping[at])]
    moments, products = body.moment_integral[:, :, order], body.product_integral[:, :, order][:, :, :, order]
    eye = np.eye(3)
    alternating = np.array([np.cross(np.eye(3)[a], np.eye(3)[b]) for a in range(3) for b in range(3)]).reshape(3, 3, 3)
    I3, I4 = body.shape_integral[:, order], np.einsum("abc,abj->cj", alternating, moments)
    I8 = np.stack([np.einsum("aa", moments[:, :, j]) * eye - moments[:, :, j].T for j in range(n)], axis=1)
    I5 = np.einsum("abc,abjk->cjk", alternating, products)
    I9 = np.empty((3, n, n, 3))
    for j in range(n):
        for k in range(n):
            P = products[:, :, j, k]  # ∫φ_j φ_kᵀ
            I9[:, j, k] = P.T - np.trace(P) * eye
    for group, title, values in ((14, "3", I3), (15, "4", I4), (16, "8", I8), (17, "5", I5), (18, "9", I9)):
        lines += [f"** RECORD GROUP {group}, INVARIANT {title}", *(row(values[a]) for a in range(3))]
    return [*lines, "** END OF FILE"]
