"""Line plots as inline SVG."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from html import escape

import numpy as np

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 64, 18, 26, 24
COLUMNS = 400  # a curve is thinned to what so many columns of pixels can show


def plot(
    name: str,
    t: np.ndarray,
    rows: np.ndarray,
    unit: str = "",
    marks: Iterable[float] = (),
    dots: tuple[np.ndarray, np.ndarray] | None = None,
) -> str:
    """Curves ``rows`` (k, n_t) over ``t`` with the title ``name``; ``marks`` are times, ``dots`` points to show."""
    rows = np.where(np.abs(rows) < 1e300, rows, np.nan)  # what has grown beyond that cannot be scaled
    x_low, x_high = _limits(t, 0.0)
    y_low, y_high = _limits(rows, 0.06)

    def x(time: np.ndarray | float) -> np.ndarray:
        return LEFT + (np.asarray(time) - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT)

    def y(value: np.ndarray | float) -> np.ndarray:
        return HEIGHT - BOTTOM - (np.asarray(value) - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)

    title = escape(f"{name} / {unit}" if unit else name)
    # The numbers let the script move the cursor: time at the left and right border.
    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title} over time" '
        f'data-from="{x_low!r}" data-to="{x_high!r}" data-left="{LEFT}" data-right="{WIDTH - RIGHT}">',
        f'<text class="name" x="{LEFT}" y="16">{title}</text>',
    ]
    for value, label in _ticks(y_low, y_high, 6):
        parts.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y(value) + 3.5:.1f}" text-anchor="end">{label}</text>')
    for value, label in _ticks(x_low, x_high, 6):
        parts.append(f'<path class="grid" d="M{x(value):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text class="tick" x="{x(value):.1f}" y="{HEIGHT - 8}" text-anchor="middle">{label}</text>')
    parts += [
        f'<path class="mark" d="M{x(time):.1f} {TOP}V{HEIGHT - BOTTOM}"/>' for time in marks if math.isfinite(time)
    ]
    for i, row in enumerate(rows):
        parts.append(f'<path class="curve s{i % 8}" d="{_path(*_thin(x(t), y(row)))}"/>')
    if dots is not None:
        places = zip(x(dots[0]), y(np.where(np.abs(dots[1]) < 1e300, dots[1], np.nan)), strict=True)
        points = "".join(f"M{x_i:.1f} {y_i:.1f}h0" for x_i, y_i in places if math.isfinite(x_i) and math.isfinite(y_i))
        parts.append(f'<path class="dots s0" d="{points}"/>')
    parts.append(f'<path class="cursor" d="M0 {TOP}V{HEIGHT - BOTTOM}" visibility="hidden"/></svg>')
    return "".join(parts)


def _limits(values: np.ndarray, margin: float) -> tuple[float, float]:
    usable = values[np.isfinite(values)]
    low, high = (float(usable.min()), float(usable.max())) if usable.size else (0.0, 1.0)
    largest = max(abs(low), abs(high))
    # Rounding noise of a constant is not worth a plot of its own.
    if high - low < max(1e-9 * largest, 1e-290):
        around = max(0.1 * largest, 1e-290) if largest else 1.0
        low, high = low - around, high + around
    return low - margin * (high - low), high + margin * (high - low)


def _ticks(low: float, high: float, about: int) -> list[tuple[float, str]]:
    """Round numbers, 1, 2 or 5 times a power of ten apart, with labels that tell them apart."""
    raw = (high - low) / about
    power = math.floor(math.log10(raw))
    step = next((factor * 10.0**power for factor in (1, 2, 5) if factor * 10.0**power >= raw), 10.0 ** (power + 1))
    first, last = math.ceil(low / step), math.floor(high / step)
    values = [i * step for i in range(first, last + 1)]
    largest = max((abs(value) for value in values), default=0.0)
    resolution = math.floor(math.log10(step))
    if 1e-4 <= largest < 1e6:
        labels = [f"{value:.{max(0, -resolution)}f}" for value in values]
    else:
        digits = max(0, math.floor(math.log10(largest)) - resolution) if largest else 0
        labels = [f"{value:.{digits}e}" if value else "0" for value in values]
    return [(value, label.replace("-", "−")) for value, label in zip(values, labels, strict=True)]


def _thin(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most four points per column: the first, the lowest, the highest, the last."""
    n = len(x)
    if n <= 4 * COLUMNS:
        return x, y
    edges = np.linspace(0, n, COLUMNS + 1).astype(int)
    keep: set[int] = {0, n - 1}
    for i, j in itertools.pairwise(edges):
        keep |= {i, j - 1}
        if np.isfinite(y[i:j]).any():
            keep |= {i + int(np.nanargmin(y[i:j])), i + int(np.nanargmax(y[i:j]))}
        if not np.isfinite(y[i:j]).all():
            keep.add(i + int(np.argmin(np.isfinite(y[i:j]))))
    chosen = np.array(sorted(keep))
    return x[chosen], y[chosen]


def _path(x: np.ndarray, y: np.ndarray) -> str:
    """Straight lines between the points; a gap where one is not finite."""
    words, pen = [], "M"
    for x_i, y_i in zip(x.tolist(), y.tolist(), strict=True):
        if math.isfinite(x_i) and math.isfinite(y_i):
            words.append(f"{pen}{x_i:.1f} {y_i:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(words)
