"""The nested form of dense output (see dalembert.solution.dense_output) from powers of θ."""

from __future__ import annotations

from dalembert.native.kernel import Reals, compiled


@compiled
def to_nested(powers: Reals, degree: int, out: Reals) -> None:
    """Coefficients of the nested form (see dalembert.solution.dense_output) from those of powers, which are lost."""
    for c in range(degree + 1):
        left = degree - c
        if c % 2 == 0:  # p = p(0) + θ r
            out[c] = powers[0]
            for j in range(left):
                powers[j] = powers[j + 1]
        else:  # p = p(1) + (1 − θ) r
            total = 0.0
            for j in range(left + 1):
                total += powers[j]
            out[c] = total
            powers[0] -= total
            for j in range(1, left):
                powers[j] += powers[j - 1]
