"""Profiles from files: plain points, SIMPACK's .prr and .prw, MiniProf's .ban, .whl and .mpt.

Files are data: they are read line by line as texts and numbers, and what is not understood is refused with its line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import file_path
from dalembert.errors import ModelError
from dalembert.rail.profiles import Profile, profile_of_points

Floats = npt.NDArray[np.float64]

_LARGEST = 1 << 24
_SIMPACK = {".prr": "rail", ".prw": "wheel"}
_MINIPROF = {".ban": "rail", ".whl": "wheel", ".mpt": ""}


def read_profile(path: str | Path, kind: str = "", **options: Any) -> Profile:
    """The profile in a file.

    The format follows from the ending; ``kind`` ("wheel" or "rail") is needed where the ending does not tell it.
    Heights are turned such that the head of a rail is on top and the flange of a wheel below, and a wheel such that its
    flange is at negative u.  Options are those of :func:`profile_of_points`; a rail of the right side needs
    ``mirror=True``.
    """
    file = file_path(path, "profile: path", ModelError)
    suffix = file.suffix.lower()
    lines = _lines(file)
    kind = kind or _SIMPACK.get(suffix) or _MINIPROF.get(suffix) or ""
    if not kind:
        raise ModelError(
            f"profile '{file.name}': say kind='wheel' or kind='rail'; the ending {suffix!r} does not tell it"
        )
    if suffix in _SIMPACK:
        points, unit = _simpack(lines, file.name), "m"
    elif suffix in _MINIPROF:
        points, unit = _miniprof(lines, file.name), "mm"
    else:
        points, unit = _plain(lines, file.name), "mm"
    options = {"unit": unit, "name": file.stem, **options}
    if "z_down" not in options:
        points = points * [1.0, _upright(points, kind)]
    if kind == "wheel" and "mirror" not in options and points[np.argmin(points[:, 1]), 0] > 0.0:
        points = points * [-1.0, 1.0]
    return profile_of_points(points, kind, **options)


def _upright(points: Floats, kind: str) -> float:
    """−1 if heights are measured downwards: heads of rails end below their middle, flanges below treads."""
    z = points[:, 1]
    if kind == "rail":
        return 1.0 if np.median(z) > 0.5 * (z[0] + z[-1]) else -1.0
    middle = float(np.median(z))
    return 1.0 if middle - z.min() > z.max() - middle else -1.0


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > _LARGEST:
            raise ModelError(f"profile '{file.name}': the file is larger than {_LARGEST >> 20} MB")
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ModelError(f"profile '{file}': cannot be read: {error.strerror or error}") from None


def _numbers(line: str, file: str, number: int, least: int = 2) -> list[float]:
    try:
        found = [float(word) for word in line.replace(",", " ").replace(";", " ").split()]
    except ValueError:
        found = []
    if len(found) < least:
        raise ModelError(f"profile '{file}': line {number}: expected {least} numbers, got {line.strip()[:60]!r}")
    return found


def _matrix(rows: list[list[float]], file: str) -> Floats:
    if not rows:
        raise ModelError(f"profile '{file}': no points were found; check that the ending fits the format")
    return np.array([row[:2] for row in rows])


def _plain(lines: list[str], file: str) -> Floats:
    """Two columns, u and z; comments begin with #, ! or %."""
    rows = []
    for number, line in enumerate(lines, start=1):
        for mark in "#!%":
            line = line.split(mark)[0]
        if line.strip():
            rows.append(_numbers(line, file, number))
    return _matrix(rows, file)


def _simpack(lines: list[str], file: str) -> Floats:
    """Sections header, spline and point; lengths are divided by ``units.len.f``, which is 1000 for mm."""
    sections: list[str] = []
    rows: list[list[float]] = []
    options: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        line = line.split("!")[0].strip()
        if line.endswith(".begin"):
            sections.append(line.removesuffix(".begin").strip())
        elif line.endswith(".end"):
            if not sections or sections.pop() != line.removesuffix(".end").strip():
                raise ModelError(f"profile '{file}': line {number}: {line!r} ends a section that was not begun")
        elif "=" in line and sections:
            key, value = (part.strip() for part in line.split("=", 1))
            options[key] = value
        elif line and sections and sections[-1] == "point":
            rows.append(_numbers(line, file, number))
    points = _matrix(rows, file)

    def option(key: str, default: float = 0.0) -> float:
        try:
            return float(options.get(key, default))
        except ValueError:
            raise ModelError(f"profile '{file}': {key} must be a number, got {options[key]!r}") from None

    points = points + np.array([option("shift.y"), option("shift.z")])
    angle = option("rotate") / option("units.ang.f", 1.0)
    points = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    low, high = option("bound.y.min"), option("bound.y.max")
    if low < high:
        points = points[(points[:, 0] >= low) & (points[:, 0] <= high)]
    points = points * [-1.0 if option("mirror.y") else 1.0, -1.0 if option("mirror.z") else 1.0]
    return points / (option("units.len.f", 1.0) or 1.0)


def _miniprof(lines: list[str], file: str) -> Floats:
    """Lines ``key=value``, then columns as ``ColumnDef`` names them (X lateral, Y vertical), in mm."""
    columns = "X,Y"
    rows: list[list[float]] = []
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or line.startswith(("[", "!", "%", '"')) or "MINIPROF" in line:
            continue
        if "=" in line:
            key, value = (part.strip() for part in line.split("=", 1))
            columns = value if key.lower() == "columndef" else columns
            continue
        rows.append(_numbers(line, file, number))
    names = [name.strip().upper() for name in columns.split(",")]
    if "X" not in names or "Y" not in names:
        raise ModelError(f"profile '{file}': ColumnDef={columns!r} names no X and Y")
    x, y = names.index("X"), names.index("Y")
    short = [k for k, row in enumerate(rows) if len(row) <= max(x, y)]
    if short:
        raise ModelError(f"profile '{file}': data row {short[0]} has fewer columns than ColumnDef={columns!r} says")
    return _matrix([[row[x], row[y]] for row in rows], file)
