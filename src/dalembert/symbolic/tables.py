"""Piecewise polynomials: splines and tabulated functions with exact derivatives.

A table is data, not a formula: breaks x₀ < x₁ < … and, per interval, the coefficients of

    f(u) = ((a (u - x_k) + b)(u - x_k) + c)(u - x_k) + d            (railway paper eq. 5)

Applied to an atom it gives two atoms, the interval number and the polynomial on that interval; a derivative shares the
first with the function.  On a break the right-hand polynomial counts.

Tables of users are joined monotonically (PCHIP: Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5, 1984, 300-304, with
the ends of Moler, Numerical Computing with MATLAB, 2004, section 3.4): between two points the function never leaves the
interval of their values, so it is flat where they are equal and monotone where they are.  Akima's curves, also the
modified ones, are smoother and do overshoot on monotone data; splines overshoot most, and are there for those who ask.
"""

from __future__ import annotations

import hashlib
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import known_keywords, one_of, reals, shown, whole
from dalembert.errors import SymbolicError

if TYPE_CHECKING:
    from dalembert.symbolic.atom import Atom

Floats = npt.NDArray[np.float64]

_OUTSIDE = ("cubic", "linear", "constant", "error", "periodic")
_KINDS = ("monotone", "linear", "spline")
#: Part of the range of values up to which one cubic may stand for a table where steps look for its structure.
_SIGNIFICANT = 1e-4
#: Part of the range of values, and of that over the length, up to which values and slopes on both sides of a break are
#: the same.
_SAME = 1e-9


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
        "constant" their values; "error" gives NaN, at which runs stop; "periodic" begins anew.
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
        self.period = float(x[-1] - x[0]) if outside == "periodic" else 0.0
        if outside not in ("cubic", "periodic"):
            # One interval more at either end: -inf … x₀ about x₀, x_n … inf about x_n.
            last = c[:, -1]
            h = x[-1] - x[-2]
            slope = (3 * last[0] * h + 2 * last[1]) * h + last[2]
            right = np.array([0.0, 0.0, slope, ((last[0] * h + last[1]) * h + last[2]) * h + last[3]])
            left = np.array([0.0, 0.0, c[2, 0], c[3, 0]])
            if outside == "constant":
                left[2] = right[2] = 0.0
            elif outside == "error":
                left[:] = right[:] = [0.0, 0.0, 0.0, np.nan]
            c = np.column_stack([left, c, right])
            # Interval k starts at base[k]; interval 0 reaches to -inf and is measured from x₀ as well.
            self.base: Floats = np.concatenate([x[:1], x])
            borders = x
        else:
            self.base = x[:-1].copy()
            borders = x[1:-1]
        #: interior borders: interval number = count of borders <= u
        self.borders: Floats = borders.copy()
        if outside == "error":  # its last point belongs to it
            after = float(np.nextafter(x[-1], np.inf))
            # Machine code may take subnormal numbers for zero.
            self.borders[-1] = np.finfo(float).tiny if 0.0 <= after < np.finfo(float).tiny else after
        self.coefficients: Floats = np.ascontiguousarray(c)
        self.breaks: Floats = x
        self.outside = outside
        #: length after which the borders repeat, of tables that are several side by side; see TableOfTwo
        self.folded = 0.0
        #: whether steps look at what it contains
        self.watched = True
        self.degree = 3 - int(np.argmax(np.any(c != 0.0, axis=1))) if np.any(c) else 0
        #: distance of the interior borders where it is the same up to a quarter, 0 elsewhere: generated code then finds
        #: intervals by one product instead of a search
        self.spacing = _spacing(self.borders)

    @classmethod
    def linear(cls, x: npt.ArrayLike, y: npt.ArrayLike, outside: str = "linear") -> PiecewisePolynomial:
        """Tabulated function: straight lines through the points."""
        xs, ys = _points(x, y, 2)
        one_of(outside, _OUTSIDE, "table: outside", SymbolicError)
        if outside == "periodic":
            _closed(ys)
        return cls(xs, np.vstack([np.diff(ys) / np.diff(xs), ys[:-1]]), outside)

    @classmethod
    def monotone(cls, x: npt.ArrayLike, y: npt.ArrayLike, outside: str = "linear") -> PiecewisePolynomial:
        """Cubics with one tangent at each point that never leave the values of the two points between which they are:
        flat where these are equal, monotone where they are (PCHIP)."""
        xs, ys = _points(x, y, 2)
        one_of(outside, _OUTSIDE, "table: outside", SymbolicError)
        if outside == "periodic":
            _closed(ys)
        return cls(xs, _hermite(xs, ys, monotone_slopes(xs, ys, outside == "periodic")), outside)

    @classmethod
    def spline(
        cls, x: npt.ArrayLike, y: npt.ArrayLike, ends: str = "not-a-knot", outside: str = "linear"
    ) -> PiecewisePolynomial:
        """Cubic spline through the points; ``ends`` is "not-a-knot", "natural" or "clamped" (zero slope)."""
        xs, ys = _points(x, y, 2)
        one_of(outside, _OUTSIDE, "table: outside", SymbolicError)
        if outside == "periodic":
            _closed(ys)
            return cls(xs, _hermite(xs, ys, _closed_slopes(xs, ys)), outside)
        one_of(ends, ("not-a-knot", "natural", "clamped"), "spline: ends", SymbolicError)
        if ends == "not-a-knot" and xs.size == 2:
            return cls.linear(xs, ys, outside)
        if ends == "not-a-knot" and xs.size == 3:  # one parabola
            a = np.polyfit(xs - xs[0], ys, 2)
            slope = 2 * a[0] * (xs - xs[0]) + a[1]
        else:
            slope = _spline_slopes(xs, ys, ends)
        return cls(xs, _hermite(xs, ys, slope), outside)

    def digest(self) -> bytes:
        """Fingerprint of the data."""
        parts = (self.base, self.borders, self.coefficients, np.array([self.period, self.folded, self.watched]))
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
        if self.period:
            with np.errstate(all="ignore"):
                at = at - self.period * np.floor((at - self.breaks[0]) / self.period)
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
        """Apply to an atom, to an array of atoms, to numbers or to a quantity of a model; ``order`` asks for a
        derivative."""
        from dalembert.symbolic.atom import Atom, AtomArray, elementwise

        order = _order(order)
        if (later := getattr(x, "_argument_of", None)) is not None:
            return later(partial(self, order=order), x)
        if isinstance(x, Atom):
            return self._apply(x, order)
        if isinstance(x, AtomArray) or (isinstance(x, np.ndarray) and x.dtype == object):
            return elementwise(lambda item: self(item, order), x)
        return self.evaluate(x, order)

    def _apply(self, x: Atom, order: int) -> Atom:
        graph = x.graph
        if self.period:
            from dalembert.symbolic.functions import floor

            x = x - self.period * floor((x - float(self.breaks[0])) / self.period)
        return type(x)(graph, graph.piece(x.handle, graph.add_table(self), order))

    # -------------------------------------------------------------------------------------- what steps must not miss

    @cached_property
    def landmarks(self) -> Floats:
        """Breaks between which the table is monotone and close to one cubic; a step that passes over two of them at
        once may have missed what is there.  None if the table is constant."""
        x, size = self.breaks, self._range
        if size == 0.0:
            return np.zeros(0)
        inner = x[:-1, None] + np.diff(x)[:, None] * np.array([0.0, 0.25, 0.5, 0.75])
        places = np.append(inner.ravel(), x[-1])
        values = self._within(places)
        found, i, n = [0], 0, x.size - 1

        def fits(j: int) -> bool:
            part = slice(4 * i, 4 * j + 1)
            return j <= n and _is_plain(places[part], values[part], _SIGNIFICANT * size)

        while i < n:
            step = 1
            while fits(i + 2 * step):
                step *= 2
            low, high = i + step, min(i + 2 * step, n + 1)  # the first fits, or is a single piece; the other does not
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if fits(middle) else (low, middle)
            i = low
            found.append(i)
        return x[found]

    @cached_property
    def kinks(self) -> tuple[Floats, Floats]:
        """Breaks at which the value jumps, and those at which the slope does; the first one of a periodic table is
        also its last."""
        x, size = self.borders, self._range
        if self.period:
            x = np.append(self.breaks[0], x)
        values, slopes = ((self._with_seam if self.period else self._sides)(order) for order in (0, 1))
        length = float(self.breaks[-1] - self.breaks[0])
        with np.errstate(invalid="ignore"):
            jumps = ~(np.abs(values[1] - values[0]) <= _SAME * size)
            bends = ~(np.abs(slopes[1] - slopes[0]) * length <= _SAME * max(size, 1e-300) * max(1, x.size))
        return x[jumps], x[bends & ~jumps]

    @property
    def _range(self) -> float:
        """Difference of the largest and the smallest value between the ends."""
        x = self.breaks
        values = self._within(np.concatenate([x, 0.5 * (x[:-1] + x[1:])]))
        return float(np.max(values) - np.min(values))

    def _within(self, places: Floats) -> Floats:
        """Values between the ends, there too where the next piece is another one."""
        k = np.clip(np.searchsorted(self.breaks, places, side="right") - 1, 0, self.breaks.size - 2)
        first = int(np.searchsorted(self.borders, self.breaks[0], side="right"))
        c, u = self.coefficients[:, k + first], places - self.breaks[k]
        return np.asarray(((c[0] * u + c[1]) * u + c[2]) * u + c[3])

    def _with_seam(self, order: int) -> tuple[Floats, Floats]:
        """The same, first where a periodic table begins anew."""
        c, (left, right) = self.polynomial(order), self._sides(order)
        last = _horner(c[:, -1:], self.breaks[-1:] - self.base[-1:])
        return np.append(last, left), np.append(c[-1, :1], right)

    def _sides(self, order: int) -> tuple[Floats, Floats]:
        """Values of a derivative on the left and on the right of each border."""
        c, x = self.polynomial(order), self.borders
        k = np.arange(x.size)
        return _horner(c[:, k], x - self.base[k]), _horner(c[:, k + 1], x - self.base[k + 1])


def _spacing(borders: Floats) -> float:
    """Mean distance of borders none of which is farther than a quarter of it from its even place; 0 if one is."""
    if borders.size < 4:  # a search needs no more comparisons
        return 0.0
    h = float(borders[-1] - borders[0]) / (borders.size - 1)
    even = np.abs(borders - (borders[0] + h * np.arange(borders.size))).max() <= 0.25 * h
    return h if even and np.isfinite(1.0 / h) else 0.0


def _horner(c: Floats, u: Floats) -> Floats:
    result = c[0]
    for row in c[1:]:
        result = result * u + row
    return np.asarray(result)


def _is_plain(x: Floats, y: Floats, small: float) -> bool:
    """Whether values are monotone and those of one cubic, up to something small."""
    turns = min(np.max(np.maximum.accumulate(y) - y), np.max(y - np.minimum.accumulate(y)))
    if turns > small:
        return False
    u = (x - x[0]) / (x[-1] - x[0])
    at = [0, x.size // 3, 2 * x.size // 3, x.size - 1]
    coefficients = np.linalg.solve(np.vander(u[at], 4), y[at])
    return bool(np.max(np.abs(np.polyval(coefficients, u) - y)) <= small)


class TableOfTwo:
    """Tabulated function of two variables, cubic along both, with one tangent plane at each point.

    On the lines of the grid it is the table of one variable through the points of that line: with ``kind`` "monotone"
    it never leaves their values there.  Beyond the grid it is continued by tangents ("linear"), by its values at the
    edge ("constant"), or is NaN ("error").

    With the values F and slopes ∂F/∂y of the rows as tables in x, and Hermite's polynomials in y,

        f(x, y) = h₀₀(y) F_m(x) + h₀₁(y) F_{m+1}(x) + h₁₀(y) F'_m(x) + h₁₁(y) F'_{m+1}(x)

    where m is the interval of y.  The rows stand side by side in one table of x + m L, so that the number of atoms does
    not depend on the size of the table.
    """

    def __init__(
        self, x: npt.ArrayLike, y: npt.ArrayLike, z: npt.ArrayLike, kind: str = "monotone", outside: str = "linear"
    ) -> None:
        xs, ys, values = (
            reals(one, f"table: {name}", SymbolicError) for name, one in zip("xyz", (x, y, z), strict=True)
        )
        if values.ndim != 2 or values.shape != (xs.size, ys.size) or xs.ndim != 1 or ys.ndim != 1:
            raise SymbolicError(
                f"table: {xs.size} numbers x and {ys.size} numbers y need values of shape ({xs.size}, {ys.size}), "
                f"z[i, j] = f(x[i], y[j]); got {values.shape}"
            )
        if not np.isfinite(values).all():
            raise SymbolicError("table: z: all numbers must be finite")
        _points(xs, values[:, 0], 2)
        _points(ys, values[0], 2)
        one_of(kind, _KINDS, "table: kind", SymbolicError)
        one_of(outside, ("linear", "constant", "error"), "table of two variables: outside", SymbolicError)
        self.x, self.y, self.z, self.kind, self.outside = xs, ys, values, kind, outside
        along_x = np.column_stack([_slopes(xs, column, kind) for column in values.T])
        along_y = np.vstack([_slopes(ys, row, kind) for row in values])
        twist = np.column_stack([_slopes(xs, column, kind) for column in along_y.T])
        if kind == "linear":  # straight lines along the grid, and bilinear between them
            self._rows = [self._side_by_side(values[:, part], None) for part in (slice(0, -1), slice(1, None))]
            shapes: list[Any] = [[[-1.0], [1.0]], [[1.0], [0.0]]]
        else:
            self._rows = [
                self._side_by_side(table[:, part], slopes[:, part])
                for table, slopes in ((values, along_x), (along_y, twist))
                for part in (slice(0, -1), slice(1, None))
            ]
            shapes = [
                [[2.0], [-3.0], [0.0], [1.0]],
                [[-2.0], [3.0], [0.0], [0.0]],
                [[1.0], [-2.0], [1.0], [0.0]],
                [[1.0], [-1.0], [0.0], [0.0]],
            ]
        h = np.diff(ys)
        self._weights = []
        for k, shape in enumerate(shapes):
            powers = np.arange(len(shape) - 1, -1, -1)[:, None]
            c = np.array(shape) / h**powers * (h if k > 1 else 1.0)
            self._weights.append(PiecewisePolynomial(ys, c, "constant" if outside == "error" else outside))
        steps = self._stride * np.arange(ys.size - 1.0)
        self._step = PiecewisePolynomial(ys, steps[None], "constant")
        self._step.watched = False
        #: zero between the ends of x and of y
        self._guards = [PiecewisePolynomial(one[[0, -1]], [[0.0]], "error") for one in (xs, ys)]

    @property
    def _stride(self) -> float:
        return 1.5 * float(self.x[-1] - self.x[0])

    def _side_by_side(self, values: Floats, slopes: Floats | None) -> PiecewisePolynomial:
        """Rows of values and slopes along x as one table, each continued by its tangents a quarter of its length to
        either side."""
        x, L = self.x, self._stride
        margin = 0.25 * (x[-1] - x[0])
        starts, parts = [], []
        for m, column in enumerate(values.T):
            c = _hermite(x, column, slopes[:, m]) if slopes is not None else _lines(x, column)
            h = x[-1] - x[-2]
            end = float(_horner(np.vstack([3 * c[:1], 2 * c[1:2], c[2:3]]), np.array([h] * c.shape[1]))[-1])
            before = np.array([0.0, 0.0, c[2, 0], c[3, 0] - margin * c[2, 0]])
            parts.append(np.column_stack([before, c, [0.0, 0.0, end, column[-1]]]))
            starts.append(np.concatenate([[x[0] - margin], x]) + m * L)
        last = starts[-1][-1] + margin
        table = PiecewisePolynomial(np.append(np.concatenate(starts), last), np.hstack(parts), "cubic")
        table.folded = L
        return table

    def digest(self) -> bytes:
        """Fingerprint of the data."""
        parts = [part.tobytes() for part in (self.x, self.y, self.z)]
        return hashlib.sha256(b"|".join([*parts, self.kind.encode(), self.outside.encode()])).digest()

    def __call__(self, x: Any, y: Any) -> Any:
        """Apply to atoms, to arrays of them, to numbers or to quantities of a model."""
        from dalembert.symbolic.atom import Atom, AtomArray, entries
        from dalembert.symbolic.functions import clip

        for given in (x, y):
            if (later := getattr(given, "_argument_of", None)) is not None:
                return later(self, x, y)
        for name, given in (("x", x), ("y", y)):
            if not isinstance(given, (Atom, AtomArray)):
                entries(given, f"table of two variables: {name}")
        try:
            np.broadcast_shapes(np.shape(x), np.shape(y))
        except (TypeError, ValueError):  # also of objects that have a shape of their own making
            raise SymbolicError(
                f"table of two variables: x and y must have the same shape, got {shown(x)} and {shown(y)}"
            ) from None
        inside = clip(x, float(self.x[0]), float(self.x[-1]))
        at = inside + self._step(y)
        away = x - inside
        result: Any = 0.0
        for row, weight in zip(self._rows, self._weights, strict=True):
            value = row(at) + away * row(at, 1) if self.outside == "linear" else row(at)
            result = result + weight(y) * value
        if self.outside != "error":
            return result
        return result + self._guards[0](x) + self._guards[1](y)


@known_keywords(SymbolicError)
def table(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    z: npt.ArrayLike | None = None,
    *,
    kind: str = "monotone",
    outside: str = "linear",
) -> Any:
    """A tabulated function: of one variable through the points (x, y), or of two with z[i, j] = f(x[i], y[j]).

    :param kind: "monotone": cubics that never leave the values of the two points between which they are (PCHIP);
        "linear": straight lines; "spline": a cubic spline, smoothest, which overshoots
    :param outside: what it is beyond its ends: "linear": continued by the tangents; "constant": the value at the end;
        "error": not a number, at which a run stops; "cubic": continued by the last piece; "periodic": the table begins
        anew, its first and last value being the same
    """
    one_of(kind, _KINDS, "table: kind", SymbolicError)
    if z is not None:
        return TableOfTwo(x, y, z, kind, outside)
    return getattr(PiecewisePolynomial, kind)(x, y, outside=outside)


def _slopes(x: Floats, y: Floats, kind: str) -> Floats:
    """Slopes of one line of the grid; those of straight lines are not needed."""
    if kind == "linear":
        return np.zeros_like(y)
    if kind == "monotone":
        return monotone_slopes(x, y)
    c = PiecewisePolynomial.spline(x, y, outside="cubic")
    return np.asarray(c.evaluate(x, 1))


def _lines(x: Floats, y: Floats) -> Floats:
    zero = np.zeros(x.size - 1)
    return np.vstack([zero, zero, np.diff(y) / np.diff(x), y[:-1]])


def _hermite(x: Floats, y: Floats, slope: Floats) -> Floats:
    """Coefficients of the cubics with these values and slopes."""
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    s0, s1 = slope[:-1], slope[1:]
    return np.vstack([(s0 + s1 - 2 * secant) / h**2, (3 * secant - 2 * s0 - s1) / h, s0, y[:-1]])


def monotone_slopes(x: Floats, y: Floats, closed: bool = False) -> Floats:
    """Slopes at the points with which cubics are monotone where the points are; ``closed``: the last point is the
    first."""
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    if closed:
        h, secant = np.append(h[-1], h), np.append(secant[-1], secant)
        h, secant = np.append(h, h[1]), np.append(secant, secant[1])
    elif x.size == 2:
        return np.append(secant, secant)
    h0, h1, d0, d1 = h[:-1], h[1:], secant[:-1], secant[1:]
    with np.errstate(all="ignore"):
        # Weighted harmonic mean of the slopes on both sides; zero where they have different signs.
        mean = (3.0 * (h0 + h1)) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1)
    inner = np.where(np.sign(d0) * np.sign(d1) > 0.0, mean, 0.0)
    if closed:
        return inner
    return np.concatenate([[_end_slope(h[0], h[1], secant[0], secant[1])], inner,
                           [_end_slope(h[-1], h[-2], secant[-1], secant[-2])]])  # fmt: skip


def _end_slope(h0: float, h1: float, d0: float, d1: float) -> float:
    """Slope of the parabola through the last three points, as far as that keeps the last piece monotone."""
    slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if np.sign(slope) != np.sign(d0):
        return 0.0
    return float(3.0 * d0 if np.sign(d0) != np.sign(d1) and abs(slope) > 3.0 * abs(d0) else slope)


def _closed(y: Floats) -> None:
    if not y[0] == y[-1]:
        raise SymbolicError(
            f"table: a periodic one needs the same value at both ends, got {y[0]:g} and {y[-1]:g}; repeat the first "
            "point at the end of the period"
        )


def _closed_slopes(x: Floats, y: Floats) -> Floats:
    """Slopes of the C² spline whose last point is its first."""
    n = x.size - 1
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    if n == 1:
        return np.zeros(2)
    A, right = np.zeros((n, n)), np.zeros(n)
    for i in range(n):
        A[i, i - 1] += h[i]
        A[i, i] += 2.0 * (h[i - 1] + h[i])
        A[i, (i + 1) % n] += h[i - 1]
        right[i] = 3.0 * (h[i] * secant[i - 1] + h[i - 1] * secant[i])
    slope = np.linalg.solve(A, right)
    return np.append(slope, slope[0])


def _order(order: Any) -> int:
    return whole(order, "table: the derivative order", SymbolicError, least=0)


def _points(x: npt.ArrayLike, y: npt.ArrayLike, least: int) -> tuple[Floats, Floats]:
    xs, ys = reals(x, "table: x", SymbolicError).copy(), reals(y, "table: y", SymbolicError).copy()
    if xs.ndim != 1 or xs.shape != ys.shape or xs.size < least:
        raise SymbolicError(f"table: x and y must be lists of equal length >= {least}, got {xs.shape} and {ys.shape}")
    if not np.isfinite(xs).all():
        raise SymbolicError("table: x must be finite")
    if not np.all(np.diff(xs) > 0):
        raise SymbolicError("table: x must be strictly increasing")
    if not np.isfinite(ys).all():
        raise SymbolicError("table: y must be finite, as all coefficients must be finite")
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
