"""Profiles from files: plain points, SIMPACK's .prr and .prw, MiniProf's .ban, .whl and .mpt.

Files are data: they are read line by line as texts and numbers, and what is not understood is refused with its line.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import file_path, flag, one_of, reads_file, refuse_unknown, shown, text
from dalembert.errors import ModelError
from dalembert.rail.profiles import UNITS, Profile, checked_points, flange_of, profile_of_points

Floats = npt.NDArray[np.float64]

_LARGEST = 1 << 24
#: what profile_of_points may be told besides, through read_profile
_OPTIONS = tuple(inspect.signature(profile_of_points).parameters)[2:]
_SIMPACK = {".prr": "rail", ".prw": "wheel"}
_MINIPROF = {".ban": "rail", ".whl": "wheel", ".mpt": ""}


@reads_file("profile", ModelError)
def read_profile(
    path: str | Path, kind: str = "", *, z_down: bool | None = None, mirror: bool | None = None, **options: Any
) -> Profile:
    """The profile in a file.

    The format follows from the ending; ``kind`` ("wheel" or "rail") is needed where the ending does not tell it.
    Plain files have two columns, u and z, separated by blanks, tabs, ";" or ","; commas may be decimal where they do
    not separate.

    :param z_down: heights are measured downwards; by default this is told by the head of a rail, which is on top, and
        by the flange of a wheel, which is below; it must be given for wheels without a flange
    :param mirror: points are those of the right side; by default this is told by the flange of a wheel, and False for
        rails; it must be given for wheels without a flange
    :param options: of :func:`profile_of_points`
    """
    file = file_path(path, "profile: path", ModelError)
    where = f"profile '{file.name}'"
    refuse_unknown(options, _OPTIONS, "read_profile", ModelError)
    if not (isinstance(kind, str) and kind == ""):
        one_of(kind, ("wheel", "rail"), f"{where}: kind", ModelError)
    for given, name in ((z_down, "z_down"), (mirror, "mirror")):
        if given is not None:
            flag(given, f"{where}: {name}", ModelError)
    suffix = file.suffix.lower()
    lines = _lines(file)
    kind = kind or _SIMPACK.get(suffix) or _MINIPROF.get(suffix) or ""
    if not kind:
        raise ModelError(f"{where}: say kind='wheel' or kind='rail'; the ending {suffix!r} does not tell it")
    if suffix in _SIMPACK:
        points, per_metre = _simpack(lines, file.name)
        unit = _simpack_unit(per_metre, options, file.name)
        if per_metre is not None:
            points = points / (per_metre * UNITS[unit])
    elif suffix in _MINIPROF:
        points, unit = _miniprof(lines, file.name), "mm"
    else:
        points, unit = _plain(lines, file.name), "mm"
    options = {"unit": unit, "name": file.stem, **options}
    what = f"profile '{text(options['name'], 'profile: name', ModelError)}'"
    one_of(options["unit"], UNITS, f"{what}: unit", ModelError)
    points = checked_points(points, what, options["unit"])
    if kind == "rail":
        down = _head_is_down(points, where) if z_down is None else z_down
        return profile_of_points(points, kind, z_down=down, mirror=bool(mirror), **options)
    if z_down is None or mirror is None:
        side, direction = _flange(points, where, z_down, mirror)
        z_down = direction > 0.0 if z_down is None else z_down
        mirror = side > 0.0 if mirror is None else mirror
    return profile_of_points(points, kind, z_down=z_down, mirror=mirror, **options)


def _head_is_down(points: Floats, where: str) -> bool:
    """Whether heights of a rail are measured downwards: its head ends below its middle."""
    z = points[:, 1]
    sag = float(np.median(z) - 0.5 * (z[0] + z[-1]))
    if abs(sag) < 1e-3 * float(np.ptp(points[:, 0])):
        raise ModelError(
            f"{where}: the points are too flat to tell whether heights go up or down; give z_down=False or True"
        )
    return sag < 0.0


def _flange(points: Floats, where: str, z_down: bool | None, mirror: bool | None) -> tuple[float, float]:
    """Side of u and direction of z in which a wheel has its flange."""
    found = flange_of(points * [1.0, -1.0 if z_down else 1.0])
    if found is None:
        missing = (["z_down=False (heights go up) or z_down=True"] if z_down is None else []) + (
            ["mirror=False (a left wheel) or mirror=True"] if mirror is None else []
        )
        raise ModelError(
            f"{where}: the points have no flange that tells how they are meant; give {', and '.join(missing)}"
        )
    return found


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > _LARGEST:
            raise ModelError(f"profile '{file.name}': the file is larger than {_LARGEST >> 20} MB")
        return file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError as error:
        raise ModelError(f"profile '{file}': cannot be read: {error.strerror or error}") from None


def number_of(word: str, decimal: bool) -> float | None:
    """The number that a word is, with a decimal comma where commas may be decimal."""
    if decimal and word.count(",") == 1 and "." not in word:
        word = word.replace(",", ".")
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None


class _ColumnReader:
    """Reads lines of numbers; commas mean the same in all lines, they are decimal or separate numbers."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.commas: dict[bool, int] = {}  # decimal: line where it was seen first

    def numbers(self, line: str, number: int, least: int = 2, most: int | None = 2) -> list[float]:
        """Numbers of a line, as many as are expected."""
        words, decimal = _words(line)
        given = [number_of(word, decimal is True) for word in words]
        found = [one for one in given if one is not None]
        what = f"profile '{self.file}': line {number}"
        if len(found) < max(least, len(words)):
            raise ModelError(f"{what}: expected {least} numbers, got {line.strip()[:60]!r}")
        if decimal is not None:
            self.commas.setdefault(decimal, number)
        if len(self.commas) > 1:
            raise ModelError(
                f"profile '{self.file}': commas are decimal in line {self.commas[True]} and separate numbers in line "
                f"{self.commas[False]}; write decimal points, or separate numbers by ';'"
            )
        if decimal is False and most is None:
            most = least
        if most is not None and len(found) > most:
            hint = (
                "if commas are decimal, separate numbers by ';'" if decimal is False else "keep those of u and z only"
            )
            raise ModelError(
                f"{what}: {len(found)} numbers where {most} are expected, got {line.strip()[:60]!r}; {hint}"
            )
        return found


def _words(line: str) -> tuple[list[str], bool | None]:
    """Words of a line, and whether its commas are decimal (True), separators (False), or not there (None)."""
    line = line.strip()
    if ";" in line:
        words = [word.strip() for word in line.removesuffix(";").split(";")]
        return words, True if "," in line else None
    words = line.split()
    if "," not in line:
        return words, None
    inner = [number_of(word, True) is not None for word in words]
    if len(words) > 1 and all(inner):
        return words, True  # -55,00 -27,3
    return [word.strip() for word in line.split(",")], False


def _matrix(rows: list[list[float]], file: str) -> Floats:
    if not rows:
        raise ModelError(f"profile '{file}': no points were found; check that the ending fits the format")
    return np.array([row[:2] for row in rows])


def _plain(lines: list[str], file: str) -> Floats:
    """Two columns, u and z; comments begin with #, ! or %; a line of words may come first."""
    rows: list[list[float]] = []
    reader, first = _ColumnReader(file), True
    for number, line in enumerate(lines, start=1):
        for mark in "#!%":
            line = line.split(mark)[0]
        if not line.strip():
            continue
        if not (first and _is_header(line, file, number)):
            rows.append(reader.numbers(line, number))
        first = False
    return _matrix(rows, file)


def _is_header(line: str, file: str, number: int) -> bool:
    """Whether a line names columns; heights must not come first."""
    words = line.replace(";", " ").replace(",", " ").split()
    names = [word.strip("\"'[]()").lower() for word in words]
    if not all(name[:1].isalpha() and number_of(name, True) is None for name in names):
        return False
    if names[0] in ("z", "h", "height", "heights") or names[:2] == ["y", "x"]:
        raise ModelError(
            f"profile '{file}': line {number}: columns must be u and z in this order, got {shown(line.strip())}"
        )
    return True


def _simpack(lines: list[str], file: str) -> tuple[Floats, float | None]:
    """Points of the sections header, spline and point, and ``units.len.f``, which is 1000 for mm."""
    reader = _ColumnReader(file)
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
            rows.append(reader.numbers(line, number, most=3))  # the third is a weight
    points = _matrix(rows, file)

    def option(key: str, default: float = 0.0, *, positive: bool = False) -> float:
        if key not in options:
            return default
        found = number_of(options[key], False)
        if found is None or not np.isfinite(found) or (positive and found <= 0.0):
            kind = "a positive number" if positive else "a number"
            raise ModelError(f"profile '{file}': {key} must be {kind}, got {options[key]!r}")
        return found

    points = points + np.array([option("shift.y"), option("shift.z")])
    angle = option("rotate") / option("units.ang.f", 1.0, positive=True)
    points = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    low, high = option("bound.y.min"), option("bound.y.max")
    if low < high:
        points = points[(points[:, 0] >= low) & (points[:, 0] <= high)]
    points = points * [-1.0 if option("mirror.y") else 1.0, -1.0 if option("mirror.z") else 1.0]
    return points, option("units.len.f", positive=True) if "units.len.f" in options else None


def _simpack_unit(per_metre: float | None, options: dict[str, Any], file: str) -> str:
    """The unit of points: that which is given, where the file has none or the same one."""
    given = options.get("unit")
    if per_metre is None:
        if given is None:
            raise ModelError(
                f"profile '{file}': it has no units.len.f, so that its unit is open; give unit='mm' or unit='m'"
            )
        return str(given)
    if given is None:
        return "m"
    one_of(given, UNITS, f"profile '{file}': unit", ModelError)
    if abs(per_metre * UNITS[given] - 1.0) > 1e-3:
        raise ModelError(
            f"profile '{file}': its units.len.f is {per_metre:g} per metre, which is not unit='{given}'; leave out unit"
        )
    return str(given)


def _miniprof(lines: list[str], file: str) -> Floats:
    """Lines ``key=value``, then columns as ``ColumnDef`` names them (X lateral, Y vertical), in mm."""
    columns = ""
    rows: list[list[float]] = []
    reader = _ColumnReader(file)
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or line.startswith(("[", "!", "%", '"')) or "MINIPROF" in line:
            continue
        if "=" in line:
            key, value = (part.strip() for part in line.split("=", 1))
            columns = value if key.lower() == "columndef" else columns
            continue
        count = None if not columns or "*" in columns else len(columns.split(","))
        rows.append(reader.numbers(line, number, 2, count))
    columns = columns or "X,Y"
    names = [name.strip().upper() for name in columns.split(",")]
    if "X" not in names or "Y" not in names:
        raise ModelError(f"profile '{file}': ColumnDef={columns!r} names no X and Y")
    x, y = names.index("X"), names.index("Y")
    short = [k for k, row in enumerate(rows) if len(row) <= max(x, y)]
    if short:
        raise ModelError(f"profile '{file}': data row {short[0]} has fewer columns than ColumnDef={columns!r} says")
    return _matrix([[row[x], row[y]] for row in rows], file)
