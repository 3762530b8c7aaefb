"""Tables from noisy points: smoothing splines.

The cubic spline f that minimises Σ wᵢ (yᵢ − f(xᵢ))² + λ ∫ f''² du, with λ given or found by generalised
cross-validation (G. Wahba, Spline Models for Observational Data, SIAM 1990; SciPy's ``make_smoothing_spline``); or the
smoothest spline with few knots whose points deviate by a given root mean square (P. Dierckx, Curve and Surface Fitting
with Splines, Oxford 1993; FITPACK, SciPy's ``splrep``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import one_of, real, reals
from dalembert.errors import SymbolicError
from dalembert.symbolic.tables import _OUTSIDE, PiecewisePolynomial, _points

_LEAST = 5


def smooth_table(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    smoothing: float | None = None,
    deviation: float | None = None,
    weights: npt.ArrayLike | None = None,
    outside: str = "linear",
) -> PiecewisePolynomial:
    """A twice differentiable table near noisy points.

    :param smoothing: λ ≥ 0, the weight of ∫ f''² du; 0 passes through the points; None finds it by cross-validation
    :param deviation: instead of λ, the root mean square by which points may deviate, in units of y
    :param weights: of the points, 1 by default
    :param outside: what happens beyond the ends, as for :class:`PiecewisePolynomial`
    """
    from scipy.interpolate import PPoly, make_smoothing_spline, splrep

    xs, ys = _points(x, y, _LEAST)
    one_of(outside, _OUTSIDE, "table: outside", SymbolicError)
    w = np.ones_like(xs) if weights is None else reals(weights, "table: weights", SymbolicError, ndim=1, finite=True)
    if w.shape != xs.shape or not np.all(w > 0.0):
        raise SymbolicError("table: weights must be positive, one for each point")
    if smoothing is not None and deviation is not None:
        raise SymbolicError("table: give 'smoothing' or 'deviation', not both")
    # On a unit interval the balance of both sums does not depend on the unit of x.
    length = float(xs[-1] - xs[0])
    at = (xs - xs[0]) / length
    spline: Any
    if deviation is not None:
        size = _positive(deviation, "table: deviation")
        spline = splrep(at, ys, w=w, s=float(np.sum(w**2)) * size**2)
    else:
        lam = None if smoothing is None else _positive(smoothing, "table: smoothing") / length**3
        spline = make_smoothing_spline(at, ys, w=w, lam=lam)
    pieces = PPoly.from_spline(spline, extrapolate=True)
    kept = np.flatnonzero(np.diff(pieces.x) > 0.0)  # repeated knots at the ends
    breaks = np.append(pieces.x[kept], pieces.x[kept[-1] + 1])
    powers = np.arange(pieces.c.shape[0] - 1, -1, -1)[:, None]
    return PiecewisePolynomial(xs[0] + length * breaks, pieces.c[:, kept] / length**powers, outside)


def _positive(value: Any, what: str) -> float:
    found = real(value, what, SymbolicError)
    if found < 0.0:
        raise SymbolicError(f"{what} must not be negative, got {found:g}")
    return found
