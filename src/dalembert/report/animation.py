"""The sketch as data for the page: a fixed view, and the lines of each frame as small integers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from dalembert.solution import Sketch

COLOURS = 8  # the palette in page.css; lines beyond it begin anew, dashed
UNIT = 1_000_000  # the longer side of the view, in the integers of the page
MOST_NUMBERS = 2_000_000  # about 14 MB of text

# Lines in space are seen from the front right, a little from above, with z upwards.
_AZIMUTH, _ELEVATION = np.radians(-60.0), np.radians(25.0)
VIEW = np.array(
    [
        [-np.sin(_AZIMUTH), np.cos(_AZIMUTH), 0.0],
        [-np.sin(_ELEVATION) * np.cos(_AZIMUTH), -np.sin(_ELEVATION) * np.sin(_AZIMUTH), np.cos(_ELEVATION)],
    ]
)


class Drawing(NamedTuple):
    """A sketch made ready: ``data`` goes into the page, ``names`` into the legend, ``notes`` below it."""

    names: list[str]
    data: dict[str, Any]
    notes: list[str]


def prepare(sketch: Sketch) -> Drawing | None:
    """Frames in the plane as integers from 0 to 1e6 along the longer side of the view; None without a finite point."""
    lines = {name: line for name, line in sketch.lines.items() if line.size}
    notes = []
    if any(line.shape[2] == 3 for line in lines.values()):
        lines = {name: _flat(line) for name, line in lines.items()}
        notes.append("Seen from the front right and above; z points upwards.")

    frames = _frames(sketch.t.size, sum(line[0].size for line in lines.values()) if lines else 0)
    if frames.size < sketch.t.size:
        notes.append(f"{frames.size} of {sketch.t.size} frames are shown.")
    frames = frames[np.isfinite(sketch.t[frames])]
    # What has grown beyond that cannot be scaled.
    lines = {name: np.where(np.abs(line[frames]) < 1e300, line[frames], np.nan) for name, line in lines.items()}
    every = [line.reshape(-1, 2) for line in lines.values()]
    points = np.concatenate(every) if every else np.empty((0, 2))
    points = points[np.isfinite(points).all(axis=1)]
    if not points.size:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(max(high - low)) or 1.0
    data = {
        "t": _times(sketch.t[frames]),
        "size": size,
        "box": [round(float(side) / size * UNIT) for side in high - low],
        "lines": [{"name": name, "frames": _integers(line, low, size)} for name, line in lines.items()],
    }
    return Drawing(list(lines), data, notes)


def embed(data: Any) -> str:
    """JSON that can stand inside a script element: no character in it can end the element or open another."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _flat(line: np.ndarray) -> np.ndarray:
    if line.shape[2] == 2:
        line = np.concatenate([line, np.zeros((*line.shape[:2], 1))], axis=2)
    return line @ VIEW.T


def _frames(n: int, numbers: int) -> np.ndarray:
    """Evenly chosen frames, first and last among them, so that the page stays light."""
    most = max(2, MOST_NUMBERS // max(numbers, 1))
    return np.arange(n) if n <= most else np.unique(np.linspace(0, n - 1, most).round().astype(int))


def _times(t: np.ndarray) -> list[float]:
    return [float(f"{time:.9g}") for time in t]


def _integers(line: np.ndarray, low: np.ndarray, size: float) -> list[list[int | None]]:
    """Per frame x, y, x, y, …; null where a point is not finite. What never moves has one frame."""
    finite = np.isfinite(line).all(axis=2)
    numbers = np.round((np.where(finite[..., None], line, low) - low) / size * UNIT).astype(int).astype(object)
    numbers[~finite] = None
    if np.all(numbers == numbers[:1]):
        numbers = numbers[:1]
    rows: list[list[int | None]] = numbers.reshape(len(numbers), -1).tolist()
    return rows
