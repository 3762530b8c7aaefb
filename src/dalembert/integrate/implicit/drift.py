"""The metric W in which coordinates drift along Cᵀμ (:mod:`~dalembert.integrate.implicit.residual`), in derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.equations import Sizes


def drifting(s: Sizes, K_rows: Any, K_columns: Any) -> NDArray[np.bool_]:
    """Which entries of K are derivatives of W T Cᵀμ by q and μ, and have the factor W of their row."""
    rows, columns = np.asarray(K_rows), np.asarray(K_columns)
    by_mu = (columns >= s.q + s.v) & (columns < s.q + s.v + s.g)
    return (rows < s.q) & ((columns < s.q) | by_mu)
