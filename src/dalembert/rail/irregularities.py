"""Irregularities of a track: how far each rail is from where it should be, over the arc length.

Harmonic ones, measured ones from arrays and files, and random ones with the spectra of ERRI B176 (low and high level):

    S(Ω) = A Ω_c²/((Ω² + Ω_r²)(Ω² + Ω_c²))           vertical and lateral, m²/(rad/m), one-sided
    S_c(Ω) = A_v/b² Ω_c² Ω²/((Ω² + Ω_r²)(Ω² + Ω_c²)(Ω² + Ω_s²))     cross level as an angle, b = 0.75 m

as sums of cosines with random phases (M. Shinozuka, C.-M. Jan, J. Sound Vib. 25 (1972) 111–128).  The constants are
quoted from secondary sources, which agree with each other; the report ORE B176 itself was not at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.arguments import file_path, listed, one_of, reads_file, real, reals, whole
from dalembert.errors import ModelError
from dalembert.symbolic import PiecewisePolynomial

Floats = npt.NDArray[np.float64]
Shape = Callable[[Floats], Floats]

#: rad/m, and m rad: (vertical, lateral) of each level
OMEGA_C, OMEGA_R, OMEGA_S, HALF_BASE = 0.8246, 0.0206, 0.4380, 0.75
ERRI = {"low": (4.032e-7, 2.119e-7), "high": (1.080e-6, 6.125e-7)}
_LARGEST_FILE = 1 << 26
#: m: deviations of a track are less; 1: and harmonic ones are not steeper
_LARGEST, _STEEPEST = 0.2, 1.0


def fade(s: Floats, start: float, length: float) -> Floats:
    """From 0 to 1 between ``start`` and ``start + length``, twice differentiable."""
    if length <= 0.0:
        return np.where(s >= start, 1.0, 0.0)
    xi = np.clip((s - start) / length, 0.0, 1.0)
    return np.asarray(xi**3 * (10.0 + xi * (-15.0 + 6.0 * xi)))


_COLUMNS = ("s", "left_lateral", "left_vertical", "right_lateral", "right_vertical")


@dataclass(frozen=True)
class Irregularity:
    """Deviations of both rails in metres: to the left and upwards, as functions of the arc length."""

    left: tuple[Shape, Shape]  # lateral, vertical
    right: tuple[Shape, Shape]
    #: m: the shortest wave that knots must follow
    shortest: float
    name: str = "irregularity"
    #: kind, and arguments of the function that has made it, for model files; None for one of a user's own functions
    recipe: tuple[str, dict[str, Any]] | None = field(repr=False, compare=False, default=None)


def _fade_in(value: Any, what: str) -> float:
    """m, over which deviations grow from zero."""
    found = real(value, f"{what}: fade_in", ModelError)
    if found < 0.0:
        raise ModelError(f"{what}: fade_in must be a length in m, or 0 for none; got {found:g}")
    return found


def _none(s: Floats) -> Floats:
    return np.zeros_like(s)


def harmonic(
    amplitude: float,
    wavelength: float,
    *,
    phase: float = np.pi / 2.0,
    direction: str = "vertical",
    start: float = 0.0,
    fade_in: float = 0.0,
) -> Irregularity:
    """amplitude · sin(2π (s − start)/wavelength) on the left rail; on the right one with the phase added.

    :param phase: rad, by which the right rail is ahead (the railway paper: π/2)
    :param direction: "vertical" or "lateral"
    :param fade_in: m, over which the irregularity grows from zero at ``start``
    """
    one_of(direction, ("vertical", "lateral"), "irregularity: direction", ModelError)
    size, first = (
        real(v, f"irregularity: {name}", ModelError) for v, name in ((amplitude, "amplitude"), (start, "start"))
    )
    grown = _fade_in(fade_in, "irregularity")
    L, ahead = real(wavelength, "irregularity: wavelength", ModelError), real(phase, "irregularity: phase", ModelError)
    if not L > 0.0:
        raise ModelError(f"irregularity: wavelength must be positive, got {L:g}")
    if 2.0 * np.pi * abs(size) > _STEEPEST * L:
        raise ModelError(
            f"irregularity: waves of {L:g} m with an amplitude of {size:g} m are steeper than 45 degrees; "
            "give both in metres"
        )

    def wave(offset: float) -> Shape:
        return lambda s: size * fade(s, first, grown) * np.sin(2.0 * np.pi / L * (s - first) + offset)

    sides = [(_none, wave(offset)) if direction == "vertical" else (wave(offset), _none) for offset in (0.0, ahead)]
    given = {"amplitude": size, "wavelength": L, "phase": ahead, "direction": direction, "start": first,
             "fade_in": grown}  # fmt: skip
    return Irregularity(sides[0], sides[1], L, f"harmonic, {L:g} m", ("harmonic", given))


def measured(
    s: npt.ArrayLike,
    *,
    left_lateral: npt.ArrayLike | None = None,
    left_vertical: npt.ArrayLike | None = None,
    right_lateral: npt.ArrayLike | None = None,
    right_vertical: npt.ArrayLike | None = None,
    fade_in: float = 0.0,
) -> Irregularity:
    """Deviations in metres at arc lengths, joined by splines and zero beyond; at least one of the four."""
    at = reals(s, "irregularity: s", ModelError, ndim=1, finite=True)
    if at.size < 4 or not np.all(np.diff(at) > 0.0):
        raise ModelError("irregularity: s must be at least four increasing numbers")
    grown = _fade_in(fade_in, "irregularity")
    if all(one is None for one in (left_lateral, left_vertical, right_lateral, right_vertical)):
        raise ModelError(f"irregularity: there are no deviations; give at least one of {', '.join(_COLUMNS[1:])}")
    given: dict[str, Any] = {"s": at, "fade_in": grown}

    def shape(values: npt.ArrayLike | None, what: str) -> Shape:
        if values is None:
            return _none
        y = reals(values, f"irregularity: {what}", ModelError, ndim=1, finite=True)
        if y.shape != at.shape:
            raise ModelError(f"irregularity: {what} has {y.size} values, s has {at.size}")
        if (largest := float(np.abs(y).max())) > _LARGEST:
            raise ModelError(
                f"irregularity: {what} reaches {largest:g} m, where {_LARGEST:g} m are the most; deviations are "
                "in metres (those of a file in mm are read with unit=1e-3)"
            )
        given[what] = y
        table = PiecewisePolynomial.spline(at, y, outside="constant")

        def deviation(x: Floats) -> Floats:
            inside = fade(x, float(at[0]), grown) * fade(-x, -float(at[-1]), grown)
            return np.asarray(inside * table.evaluate(x))

        return deviation

    return Irregularity(
        (shape(left_lateral, "left_lateral"), shape(left_vertical, "left_vertical")),
        (shape(right_lateral, "right_lateral"), shape(right_vertical, "right_vertical")),
        float(4.0 * np.min(np.diff(at))),
        "measured",
        ("measured", given),
    )


@reads_file("irregularity", ModelError)
def read_irregularity(path: str | Path, *, unit: float = 1.0, fade_in: float = 0.0) -> Irregularity:
    """From a text file with a line of names (s, left_lateral, left_vertical, right_lateral, right_vertical, as many as
    there are) and columns separated by commas, or by ";" with decimal points or commas; ``unit`` is that of the
    deviations in metres (1e-3 for mm)."""
    file = file_path(path, "irregularity: path", ModelError)
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise ModelError(f"irregularity '{file.name}': the file is larger than {_LARGEST_FILE >> 20} MB")
        lines = [line for line in file.read_text(encoding="utf-8-sig").splitlines() if line.strip() and line[0] != "#"]
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"irregularity '{file}': cannot be read: {error}") from None
    scale = real(unit, "irregularity: unit", ModelError)
    if not scale > 0.0:
        raise ModelError(f"irregularity: unit must be positive, the size of the unit in m (1e-3 for mm); got {scale:g}")
    mark = ";" if lines and ";" in lines[0] else ","
    names = [word.strip() for word in lines[0].split(mark)] if lines else []
    unknown = [name for name in names if name not in _COLUMNS]
    if "s" not in names or unknown:
        raise ModelError(
            f"irregularity '{file.name}': the first line must name the columns, of {', '.join(_COLUMNS)}; got "
            f"{', '.join(names) or 'nothing'}"
        )
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice or len(names) == 1:
        found = f"{twice[0]} is named twice" if twice else "there are no deviations beside s"
        raise ModelError(f"irregularity '{file.name}': {found}; give each column once, of {', '.join(_COLUMNS)}")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            row = [float(word.replace(",", ".")) for word in line.split(mark)]
        except ValueError:
            row = []
        if len(row) != len(names):
            raise ModelError(
                f"irregularity '{file.name}': data line {number}: expected {len(names)} numbers, got {line[:60]!r}"
            )
        rows.append(row)
    columns = dict(zip(names, np.array(rows).reshape(len(rows), len(names)).T, strict=True))
    values: dict[str, Any] = {name: scale * column for name, column in columns.items() if name != "s"}
    return measured(columns["s"], fade_in=fade_in, **values)


def spectral_density(omega: npt.ArrayLike, level: str, quantity: str) -> Floats:
    """One-sided density of ERRI B176 over Ω in rad/m: "vertical", "lateral" (m²/(rad/m)) or "cross" (rad²/(rad/m))."""
    one_of(level, ERRI, "spectrum: level", ModelError)
    one_of(quantity, ("vertical", "lateral", "cross"), "spectrum: quantity", ModelError)
    w2 = np.asarray(omega, dtype=float) ** 2
    A = ERRI[level][1 if quantity == "lateral" else 0]
    S = A * OMEGA_C**2 / ((w2 + OMEGA_R**2) * (w2 + OMEGA_C**2))
    return np.asarray(S * w2 / (HALF_BASE**2 * (w2 + OMEGA_S**2)) if quantity == "cross" else S)


def spectrum(
    level: str = "low",
    seed: int = 1,
    *,
    wavelengths: tuple[float, float] = (3.0, 70.0),
    waves: int = 400,
    start: float = 0.0,
    fade_in: float = 20.0,
    quantities: Sequence[str] = ("vertical", "lateral", "cross"),
) -> Irregularity:
    """A random track of ERRI's level "low" or "high"; the same seed gives the same track.

    :param wavelengths: m, shortest and longest wave
    :param waves: number of cosines of each quantity, evenly spaced in Ω, each at a random place of its band
    """
    one_of(level, ERRI, "spectrum: level", ModelError)
    whole(seed, "spectrum: seed", ModelError, least=0)
    whole(waves, "spectrum: waves", ModelError, least=1, most=100_000)
    first, grown = real(start, "spectrum: start", ModelError), _fade_in(fade_in, "spectrum")
    ends = reals(wavelengths, "spectrum: wavelengths", ModelError, ndim=1, finite=True)
    if ends.size != 2:
        raise ModelError(f"spectrum: wavelengths must be two lengths, the shortest and the longest; got {ends.size}")
    for one in (chosen := listed(quantities, "spectrum: quantities", ModelError)):
        one_of(one, ("vertical", "lateral", "cross"), "spectrum: quantities", ModelError)
    short, long = ends.tolist()
    if not 0.0 < short < long:
        raise ModelError(f"spectrum: wavelengths must be positive and increasing, got {wavelengths}")
    edges = np.linspace(2.0 * np.pi / long, 2.0 * np.pi / short, waves + 1)
    shapes: dict[str, Shape] = {}
    for number, quantity in enumerate(("vertical", "lateral", "cross")):
        random = np.random.default_rng([seed, number])
        omega = edges[:-1] + random.uniform(size=waves) * np.diff(edges)
        phases = random.uniform(0.0, 2.0 * np.pi, waves)
        sizes = np.sqrt(2.0 * spectral_density(omega, level, quantity) * np.diff(edges))
        wanted = quantity in chosen

        def sum_of_waves(s: Floats, o: Floats = omega, p: Floats = phases, a: Floats = sizes * wanted) -> Floats:
            total = np.zeros(np.shape(s))
            for one, phase, size in zip(o, p, a, strict=True):
                total += size * np.cos(one * s + phase)
            return fade(s, first, grown) * total

        shapes[quantity] = sum_of_waves

    def level_of(side: float) -> Shape:
        return lambda s: shapes["vertical"](s) + side * HALF_BASE * shapes["cross"](s)

    lateral = shapes["lateral"]
    given = {"level": level, "seed": seed, "wavelengths": (short, long), "waves": waves, "start": first,
             "fade_in": grown, "quantities": [one for one in shapes if one in chosen]}  # fmt: skip
    name = f"ERRI {level}, seed {seed}"
    return Irregularity((lateral, level_of(1.0)), (lateral, level_of(-1.0)), short, name, ("spectrum", given))
