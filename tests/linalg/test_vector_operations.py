"""Operations on numbers that are not finite."""

import itertools

import numpy as np
import pytest

from dalembert.integrate.frame.formalism import _largest_change
from dalembert.linalg.vector_operations import larger


@pytest.mark.parametrize("place", range(3))
def test_nan_comes_through_wherever_it_stands(place):
    sizes = [2.0, 0.5, 1e-20]
    assert all(larger(x, y) == max(x, y) for x, y in itertools.product([0.0, *sizes, np.inf], repeat=2))
    sizes[place] = np.nan
    largest = 0.0
    for size in sizes:
        largest = larger(largest, size)
    assert np.isnan(largest)
    assert np.isnan(_largest_change(np.array(sizes), np.zeros(3), np.full(3, 1e6), np.ones(3)))
