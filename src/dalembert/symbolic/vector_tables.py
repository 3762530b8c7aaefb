"""Curves in space as tables: several piecewise cubics over one variable that share one search for the interval.

Rails are such curves: x, y, z and the angle of the profile over the arc length (railway paper eqs. 5, 7).  Applied to
an atom, all components and all their derivatives hang on one interval number, and generated code reads one row of data
(emit/table_data.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import flag, reals
from dalembert.errors import SymbolicError
from dalembert.symbolic.tables import Floats, PiecewisePolynomial


class VectorTable:
    """Piecewise cubic functions of one variable with the same breaks.

    :param breaks: the n + 1 interval ends, increasing
    :param coefficients: shape (degree + 1, n, components), highest power first (SciPy's ``PPoly.c``); degree 3 at most
    :param outside: what happens beyond the ends, as for :class:`PiecewisePolynomial`
    :param watched: whether steps of error-controlled methods look at what it contains
    """

    def __init__(
        self, breaks: npt.ArrayLike, coefficients: npt.ArrayLike, outside: str = "linear", *, watched: bool = True
    ) -> None:
        c = reals(coefficients, "table: coefficients", SymbolicError)
        if c.ndim != 3 or not c.shape[2]:
            raise SymbolicError(
                f"table: coefficients of a vector must have the shape (k, intervals, components), got {c.shape}"
            )
        flag(watched, "table: watched", SymbolicError)
        #: one table per component
        self.components: tuple[PiecewisePolynomial, ...] = tuple(
            PiecewisePolynomial(breaks, c[:, :, i], outside) for i in range(c.shape[2])
        )
        for one in self.components:
            one.watched = bool(watched)

    @classmethod
    def spline(
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        ends: str = "not-a-knot",
        outside: str = "linear",
        *,
        watched: bool = True,
    ) -> VectorTable:
        """Cubic splines through the points ``y[i]`` (shape (n, components)) at ``x[i]``, twice differentiable."""
        values = reals(y, "table: y", SymbolicError)
        if values.ndim != 2 or not values.shape[1]:
            raise SymbolicError(f"table: y of a vector must have the shape (points, components), got {values.shape}")
        parts = [PiecewisePolynomial.spline(x, column, ends, "cubic") for column in values.T]
        c = np.stack([part.coefficients for part in parts], axis=2)
        return cls(parts[0].breaks, c, outside, watched=watched)

    @property
    def breaks(self) -> Floats:
        """The ends of the intervals."""
        return self.components[0].breaks

    @property
    def outside(self) -> str:
        """What happens beyond the ends."""
        return self.components[0].outside

    def __len__(self) -> int:
        """Number of components."""
        return len(self.components)

    def __call__(self, x: Any, order: int = 0) -> Any:
        """Apply to an atom (an array of atoms, one per component) or to numbers (components along the last axis);
        ``order`` asks for a derivative."""
        from dalembert.symbolic.atom import array

        parts: Sequence[Any] = [one(x, order) for one in self.components]
        if any(_symbolic(part) for part in parts):
            return array(parts)
        return np.stack(parts, axis=-1)

    def evaluate(self, x: Any, order: int = 0) -> Floats:
        """Values, or derivatives of the given order, at numbers ``x``; components along the last axis."""
        return np.stack([one.evaluate(x, order) for one in self.components], axis=-1)


def _symbolic(value: Any) -> bool:
    from dalembert.symbolic.atom import Atom

    return isinstance(value, Atom) or (isinstance(value, np.ndarray) and value.dtype == object)
