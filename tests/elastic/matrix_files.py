"""Matrices and nodes as FE programs write them."""

import numpy as np


def write_nodes(path, fe):
    lines = ["node, x, y, z"]
    lines += [f"{name}, {x}, {y}, {z}" for name, (x, y, z) in zip(fe.names, fe.X, strict=True)]
    path.write_text("\n".join(lines))
    return path


def write_market(path, matrix, symmetry="symmetric"):
    full = matrix.toarray()
    rows, columns = np.nonzero(np.tril(full) if symmetry == "symmetric" else full)
    lines = [f"%%MatrixMarket matrix coordinate real {symmetry}", "% a comment"]
    lines += [f"{len(full)} {len(full)} {len(rows)}"]
    lines += [f"{i + 1} {j + 1} {full[i, j]:.17g}" for i, j in zip(rows, columns, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_abaqus(path, matrix, half=True):
    full = matrix.toarray()
    lines = ["** written for a test", "*MATRIX INPUT"]
    for i, j in zip(*np.nonzero(np.triu(full) if half else full), strict=True):
        lines.append(f"{i // 6 + 1},{i % 6 + 1}, {j // 6 + 1},{j % 6 + 1}, {full[i, j]:.17e}")
    path.write_text("\n".join(lines) + "\n")
    return path


def write_punch(path, matrices):
    lines = ["$ punch file"]
    for name, matrix in matrices.items():
        full = matrix.toarray()
        lines.append(f"DMIG    {name:<8}{0:>8}{6:>8}{2:>8}{0:>8}")
        for j in range(len(full)):
            rows = [i for i in range(j, len(full)) if full[i, j]]
            if not rows:
                continue
            lines.append(f"DMIG*   {name:<16}{j // 6 + 1:>16}{j % 6 + 1:>16}")
            for i in rows:
                value = f"{full[i, j]:.9E}".replace("E", "D")
                lines.append(f"*       {i // 6 + 1:>16}{i % 6 + 1:>16}{value:>16}")
    path.write_text("\n".join(lines) + "\n")
    return path
