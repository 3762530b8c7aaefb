"""Whether the constraints in use stay independent, where others that depend on them are left out.

Which of some dependent constraints may be left out changes with the motion: a row that followed from the others may
come to be needed, while two of these become the same.  At the end of each step it is measured what is left of each row
behind those before it (Gram–Schmidt); where that has become much less than it was, the frame returns, and rows are
chosen anew in Python (:func:`~dalembert.equations.contract.rank.best_rows`).
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.integrate.frame.contract_formalism import call_contract
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.vector_operations import clear
from dalembert.native.kernel import Reals, compiled, view

#: Rows of which less is left than this part of what there was are looked at.
_LESS = 0.1


@compiled
def measure_rows(run: Memory) -> int:
    """What is left of each row of G at the point of evaluation behind those before it, of its own length."""
    n, n_v = run.n_lam, run.n_v
    if call_contract(run, CONTRACT.G, STAGE.P):
        return STATUS.RAISED
    G, places, columns, matrix, remains = run.G, run.G_rows, run.G_columns, run.row_vectors, run.row_remains
    clear(matrix)
    for k in range(G.size):
        matrix[places[k] * n_v + columns[k]] = G[k]
    for i in range(n):
        _to_length_one(view(matrix, i * n_v, n_v))
    for i in range(n):
        row = view(matrix, i * n_v, n_v)
        remains[i] = _to_length_one(row)
        for j in range(i + 1, n):
            other = view(matrix, j * n_v, n_v)
            product = 0.0
            for k in range(n_v):
                product += row[k] * other[k]
            if product != 0.0:
                for k in range(n_v):
                    other[k] -= product * row[k]
    return STATUS.OK


@compiled
def _to_length_one(row: Reals) -> float:
    """Give a row the length one, unless it is empty; the length that it had."""
    square = 0.0
    for k in range(row.size):
        square += row[k] * row[k]
    size = np.sqrt(square)
    if size > 0.0:
        for k in range(row.size):
            row[k] /= size
    return size


@compiled
def look_at_rows(run: Memory) -> bool:
    """Whether much less is left of a row than there was since it was looked at last."""
    remains, best = run.row_remains, run.row_best
    less = False
    for i in range(best.size):
        best[i] = max(best[i], remains[i])
        if remains[i] < _LESS * best[i]:
            less = True
    return less
