"""Sums of stages, the inner loop of explicit Runge–Kutta methods: the same for few entries and for many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from native import kernels

from dalembert.linalg.vector_operations import sum_of_rows
from dalembert.native.kernel import Run, kernel, view


@kernel
def summed(run: Run) -> int:
    """Weights, stages, start and sums behind each other; their sizes in the ints behind the header."""
    n, count = run.ints[3], run.ints[4]
    at = count * (n + 1)
    sum_of_rows(
        view(run.reals, 0, count), view(run.reals, count, count * n), view(run.reals, at, n), 0.25, n,
        view(run.reals, at + n, n),
    )  # fmt: skip
    return 0


@given(st.integers(1, 100), st.integers(1, 16), st.integers(0, 2**32 - 1))
def test_sums_are_those_of_numpy(n, count, seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=count) * (rng.uniform(size=count) < 0.6)
    stages, start = rng.normal(size=(count, n)), rng.normal(size=n)
    stages[weights == 0.0] = np.nan  # what has no weight is not looked at
    used = weights != 0.0
    expected = start + 0.25 * (weights[used] @ stages[used])
    bound = 1e-14 * (np.abs(start) + np.abs(weights[used]) @ np.abs(stages[used])).max() + 1e-300
    memory = np.concatenate([weights, stages.ravel(), start, np.full(n, np.nan)])
    for made in (summed, summed.function):
        run = kernels.run(memory, [n, count])
        assert made(run) == 0
        assert run.reals[-n:] == pytest.approx(expected, rel=0, abs=bound)
        assert np.array_equal(run.reals[-2 * n : -n], start)
