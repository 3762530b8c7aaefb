"""Piecewise polynomials: splines and tabulated functions with exact derivatives.

A table is data, not a formula: breaks x₀ < x₁ < … and, per interval, the coefficients of

    f(u) = ((a (u - x_k) + b)(u - x_k) + c)(u - x_k) + d            (railway paper eq. 5)

Applied to an atom it gives two atoms, the interval number and the polynomial on that interval; a derivative shares the
first with the function.  On a break the right-hand polynomial counts.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import one_of, reals, shown, whole
from dalembert.errors import SymbolicError

if TYPE_CHECKING:
    from dalembert.symbolic.atom import Atom

Floats = npt.NDArray[np.float64]

_OUTSIDE = ("cubic", "linear", "constant")


class PiecewisePolynomial:
    """Piecewise cubic function of one variable.

    Parameters
    ----------
    breaks
        The n+1 interval ends, increasing.
    coefficients
        Shape (degree+1, n), highest power first, in powers of the distance to the left interval end
        (SciPy's ``PPoly.c``); degree 3 at most.
    outside
        What happens beyond the ends: "cubic" continues the end polynomials, "linear" their tangents,
        "constant" their values.
    """

    def __init__(self, breaks: npt.ArrayLike, coefficients: npt.ArrayLike, outside: str = "linear") -> None:
        x = reals(breaks, "table: breaks", SymbolicError).copy()
        c = reals(coefficients, "table: coefficients", SymbolicError).copy()
        if x.ndim != 1 or x.size < 2 or not np.all(np.isfinite(x)) or not np.all(np.diff(x) > 0):
            raise SymbolicError("table: breaks must be a list of at least two finite, strictly increasing numbers")
        if c.ndim != 2 or c.shape[1] != x.size - 1 or not 1 <= c.shape[0] <= 4:
            raise SymbolicError(
                f"table: {x.size} breaks need coefficients of shape (k, {x.size - 1}) with k <= 4, got {c.shape}"
            )
        if not np.all(np.isfinite(c)):
            raise SymbolicError("table: all coefficients must be finite")
        one_of(outside, _OUTSIDE, "table: outside", SymbolicError)
        c = np.vstack([np.zeros((4 - c.shape[0], c.shape[1])), c])
        if outside != "cubic":
            # One interval more at either end: -inf … x₀ about x₀, x_n … inf about x_n.
            last = c[:, -1]
            h = x[-1] - x[-2]
            slope = (3 * last[0] * h + 2 * last[1]) * h + last[2]
            right = np.array([0.0, 0.0, slope, ((last[0] * h + last[1]) * h + last[2]) * h + last[3]])
            left = np.array([0.0, 0.0, c[2, 0], c[3, 0]])
            if outside == "constant":
                left[2] = right[2] = 0.0
            c = np.column_stack([left, c, right])
            # Interval k starts at base[k]; interval 0 reaches to -inf and is measured from x₀ as well.
            self.base: Floats = np.concatenate([x[:1], x])
        else:
            self.base = x[:-1].copy()
        #: interior borders: interval number = count of borders <= u
        self.borders: Floats = x.copy() if outside != "cubic" else x[1:-1].copy()
        self.coefficients: Floats = np.ascontiguousarray(c)
        self.breaks: Floats = x
        self.outside = outside
        self.degree = 3 - int(np.argmax(np.any(c != 0.0, axis=1))) if np.any(c) else 0

    @classmethod
    def linear(cls, x: npt.ArrayLike, y: npt.ArrayLike, outside: str = "linear") -> PiecewisePolynomial:
        """Tabulated function: straight lines through the points."""
        xs, ys = _points(x, y, 2)
        return cls(xs, np.vstack([np.diff(ys) / np.diff(xs), ys[:-1]]), outside)

    @classmethod
    def spline(
        cls, x: npt.ArrayLike, y: npt.ArrayLike, ends: str = "not-a-knot", outside: str = "linear"
    ) -> PiecewisePolynomial:
        """Cubic spline through the points; ``ends`` is "not-a-knot", "natural" or "clamped" (zero slope)."""
        xs, ys = _points(x, y, 2)
        if not isinstance(ends, str) or ends not in ("not-a-knot", "natural", "clamped"):
            raise SymbolicError(f"spline: ends must be 'not-a-knot', 'natural' or 'clamped', got {shown(ends)}")
        if ends == "not-a-knot" and xs.size == 2:
            return cls.linear(xs, ys, outside)
        if ends == "not-a-knot" and xs.size == 3:  # one parabola
            a = np.polyfit(xs - xs[0], ys, 2)
            slope = 2 * a[0] * (xs - xs[0]) + a[1]
        else:
            slope = _spline_slopes(xs, ys, ends)
        h, secant = np.diff(xs), np.diff(ys) / np.diff(xs)
        s0, s1 = slope[:-1], slope[1:]
        c = np.vstack([(s0 + s1 - 2 * secant) / h**2, (3 * secant - 2 * s0 - s1) / h, s0, ys[:-1]])
        return cls(xs, c, outside)

    def digest(self) -> bytes:
        """Fingerprint of the data."""
        parts = (self.base, self.borders, self.coefficients)
        return hashlib.sha256(b"|".join(p.tobytes() for p in parts)).digest()

    def polynomial(self, order: int) -> Floats:
        """Coefficients of the derivative of that order, highest power first.

        There are two at least, those of u and 1, such that even a constant piece passes NaN on.
        """
        c = self.coefficients
        for _ in range(min(_order(order), 4)):
            c = c[:-1] * np.arange(c.shape[0] - 1, 0, -1)[:, None]
        return np.vstack([np.zeros((max(2 - c.shape[0], 0), c.shape[1])), c])

    def evaluate(self, x: Any, order: int = 0) -> Any:
        """Value, or derivative of the given order, at numbers ``x``."""
        order = _order(order)
        at = reals(x, "table: x", SymbolicError)
        k = np.searchsorted(self.borders, at, side="right")
        k = np.where(np.isnan(at), 0, k)
        u = at - self.base[k]
        if order > self.degree:  # zero by structure, as for atoms
            return 0.0 if at.ndim == 0 else np.zeros_like(u)
        with np.errstate(all="ignore"):
            first, *others = self.polynomial(order)
            result = first[k]
            for row in others:
                result = result * u + row[k]
        return float(result) if at.ndim == 0 else result

    def __call__(self, x: Any, order: int = 0) -> Any:
        """Apply to an atom, to an array of atoms or to numbers; ``order`` asks for a derivative."""
        from dalembert.symbolic.atom import Atom, AtomArray, elementwise

        order = _order(order)
        if isinstance(x, Atom):
            return self._apply(x, order)
        if isinstance(x, AtomArray) or (isinstance(x, np.ndarray) and x.dtype == object):
            return elementwise(lambda item: self(item, order), x)
        return self.evaluate(x, order)

    def _apply(self, x: Atom, order: int) -> Atom:
        graph = x.graph
        return type(x)(graph, graph.piece(x.handle, graph.add_table(self), order))


def _order(order: Any) -> int:
    return whole(order, "table: the derivative order", SymbolicError, least=0)


def _points(x: npt.ArrayLike, y: npt.ArrayLike, least: int) -> tuple[Floats, Floats]:
    xs, ys = reals(x, "table: x", SymbolicError).copy(), reals(y, "table: y", SymbolicError).copy()
    if xs.ndim != 1 or xs.shape != ys.shape or xs.size < least:
        raise SymbolicError(f"table: x and y must be lists of equal length >= {least}, got {xs.shape} and {ys.shape}")
    if not np.all(np.diff(xs) > 0):
        raise SymbolicError("table: x must be strictly increasing")
    return xs, ys


def _spline_slopes(x: Floats, y: Floats, ends: str) -> Floats:
    """Slopes of the C² spline: a tridiagonal system, solved by elimination without pivoting."""
    n = x.size
    h = np.diff(x)
    secant = np.diff(y) / h
    lower, diagonal, upper, right = np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n)
    lower[1:-1], upper[1:-1] = h[1:], h[:-1]
    diagonal[1:-1] = 2 * (h[:-1] + h[1:])
    right[1:-1] = 3 * (h[1:] * secant[:-1] + h[:-1] * secant[1:])
    if ends == "natural":  # f'' = 0
        diagonal[0], upper[0], right[0] = 2.0, 1.0, 3 * secant[0]
        diagonal[-1], lower[-1], right[-1] = 2.0, 1.0, 3 * secant[-1]
    elif ends == "not-a-knot":  # f''' continuous at the second and the last but one point
        d = x[2] - x[0]
        diagonal[0], upper[0] = h[1], d
        right[0] = ((h[0] + 2 * d) * h[1] * secant[0] + h[0] ** 2 * secant[1]) / d
        d = x[-1] - x[-3]
        diagonal[-1], lower[-1] = h[-2], d
        right[-1] = (h[-1] ** 2 * secant[-2] + (2 * d + h[-1]) * h[-2] * secant[-1]) / d
    for i in range(1, n):
        factor = lower[i] / diagonal[i - 1]
        diagonal[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    slope = right / diagonal
    for i in range(n - 2, -1, -1):
        slope[i] = (right[i] - upper[i] * slope[i + 1]) / diagonal[i]
    return slope
