"""Units of model files: a number, a blank and a unit, ``"36 km/h"``, become SI.

Units are products of names with powers: ``N m``, ``kg m^2``, ``m/s^2``.  A slash divides by the name after it alone.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

#: exponents of kg, m, s, A, K, mol, cd
Dimension = tuple[int, int, int, int, int, int, int]

NOTHING: Dimension = (0, 0, 0, 0, 0, 0, 0)


class Unit(NamedTuple):
    """A factor to SI, and exponents of base units."""

    factor: float
    dimension: Dimension


def _unit(factor: float, kg: int = 0, m: int = 0, s: int = 0, A: int = 0, K: int = 0, mol: int = 0) -> Unit:
    return Unit(factor, (kg, m, s, A, K, mol, 0))


UNITS: dict[str, Unit] = {
    "1": _unit(1.0), "rad": _unit(1.0), "mrad": _unit(1e-3), "deg": _unit(math.pi / 180.0), "°": _unit(math.pi / 180.0),
    "turn": _unit(2.0 * math.pi), "rev": _unit(2.0 * math.pi), "%": _unit(0.01),
    "m": _unit(1.0, m=1), "km": _unit(1e3, m=1), "dm": _unit(0.1, m=1), "cm": _unit(0.01, m=1), "mm": _unit(1e-3, m=1),
    "um": _unit(1e-6, m=1), "µm": _unit(1e-6, m=1), "in": _unit(0.0254, m=1), "ft": _unit(0.3048, m=1),
    "mi": _unit(1609.344, m=1),
    "s": _unit(1.0, s=1), "ms": _unit(1e-3, s=1), "us": _unit(1e-6, s=1), "min": _unit(60.0, s=1),
    "h": _unit(3600.0, s=1), "Hz": _unit(1.0, s=-1), "kHz": _unit(1e3, s=-1), "rpm": _unit(math.pi / 30.0, s=-1),
    "mph": _unit(0.44704, m=1, s=-1), "kn": _unit(1852.0 / 3600.0, m=1, s=-1),
    "kg": _unit(1.0, kg=1), "g": _unit(1e-3, kg=1), "t": _unit(1e3, kg=1), "lb": _unit(0.45359237, kg=1),
    "N": _unit(1.0, 1, 1, -2), "mN": _unit(1e-3, 1, 1, -2), "kN": _unit(1e3, 1, 1, -2), "MN": _unit(1e6, 1, 1, -2),
    "lbf": _unit(4.4482216152605, 1, 1, -2), "Nm": _unit(1.0, 1, 2, -2), "kNm": _unit(1e3, 1, 2, -2),
    "Pa": _unit(1.0, 1, -1, -2), "kPa": _unit(1e3, 1, -1, -2), "MPa": _unit(1e6, 1, -1, -2),
    "GPa": _unit(1e9, 1, -1, -2), "bar": _unit(1e5, 1, -1, -2), "psi": _unit(6894.757293168361, 1, -1, -2),
    "J": _unit(1.0, 1, 2, -2), "kJ": _unit(1e3, 1, 2, -2), "MJ": _unit(1e6, 1, 2, -2), "Wh": _unit(3600.0, 1, 2, -2),
    "W": _unit(1.0, 1, 2, -3), "kW": _unit(1e3, 1, 2, -3), "MW": _unit(1e6, 1, 2, -3), "PS": _unit(735.49875, 1, 2, -3),
    "A": _unit(1.0, A=1), "mA": _unit(1e-3, A=1), "V": _unit(1.0, 1, 2, -3, -1), "mV": _unit(1e-3, 1, 2, -3, -1),
    "kV": _unit(1e3, 1, 2, -3, -1), "Ohm": _unit(1.0, 1, 2, -3, -2), "Ω": _unit(1.0, 1, 2, -3, -2),
    "H": _unit(1.0, 1, 2, -2, -2), "mH": _unit(1e-3, 1, 2, -2, -2), "F": _unit(1.0, -1, -2, 4, 2),
    "C": _unit(1.0, s=1, A=1), "T": _unit(1.0, 1, 0, -2, -1), "Wb": _unit(1.0, 1, 2, -2, -1),
    "K": _unit(1.0, K=1), "mol": _unit(1.0, mol=1), "l": _unit(1e-3, m=3),
    "g0": _unit(9.80665, m=1, s=-2),
}  # fmt: skip

_BASE = ("kg", "m", "s", "A", "K", "mol", "cd")
#: a number, a blank, a unit
QUANTITY = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s+((?:1\s*/\s*)?[A-Za-zµΩ°%].*?)\s*")
_JOINED = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-zµΩ°%].*?)\s*")
_PART = re.compile(r"\s*([/*·]?)\s*([A-Za-zµΩ°%][A-Za-z0]*|1)(?:(?:\^|\*\*)(-?\d{1,2})|([²³]))?")


class UnitError(ValueError):
    """A unit that nobody knows, or of another dimension; ``start`` and ``end`` of it in the text."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


def unit_of(text: str, offset: int = 0) -> Unit:
    """A unit from its text; ``offset`` is where it stands in a longer one."""
    factor, exponents, at = 1.0, [0] * 7, 0
    if not text.strip() or len(text) > 100:
        raise UnitError("a unit is needed, such as N m or m/s^2", offset, offset + len(text))
    while text[at:].strip():
        found = _PART.match(text, at)
        if found is None or (at == 0 and found[1]):
            raise UnitError(
                "a unit is a product of names with powers, such as N m or m/s^2", offset + at, offset + len(text)
            )
        sign, name = -1 if found[1] == "/" else 1, found[2]
        if name not in UNITS:
            start = offset + found.start(2)
            raise UnitError(f"unknown unit '{name}'; {_meant(name)}", start, start + len(name))
        power = sign * (int(found[3]) if found[3] else {"²": 2, "³": 3}.get(found[4] or "", 1))
        factor *= UNITS[name].factor ** power
        exponents = [have + power * one for have, one in zip(exponents, UNITS[name].dimension, strict=True)]
        at = found.end()
    kg, m, s, A, K, mol, cd = exponents
    return Unit(factor, (kg, m, s, A, K, mol, cd))


_PREFIXES = {"milli": "m", "micro": "u", "centi": "c", "deci": "d", "kilo": "k", "mega": "M", "giga": "G"}
_WORDS = {
    "metre": "m", "meter": "m", "gram": "g", "second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h",
    "tonne": "t", "ton": "t", "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "volt": "V", "ampere": "A",
    "amp": "A", "ohm": "Ohm", "henry": "H", "farad": "F", "kelvin": "K", "hertz": "Hz", "radian": "rad",
    "degree": "deg", "revolution": "rev", "inch": "in", "inche": "in", "foot": "ft", "feet": "ft", "mile": "mi",
    "knot": "kn", "litre": "l", "liter": "l", "percent": "%", "pound": "lb", "kph": "km/h", "kmh": "km/h",
    "newtonmetre": "N m", "newtonmeter": "N m", "rads": "rad/s",
}  # fmt: skip


def _symbol(name: str) -> str:
    """The symbol of a unit that is written as a word, or in letters of another size; nothing if it is none."""
    word = name.lower()
    word = word if word in _WORDS else word.removesuffix("s")
    prefix = next((prefix for prefix in _PREFIXES if word.startswith(prefix) and word[len(prefix) :] in _WORDS), "")
    if found := _WORDS.get(word[len(prefix) :]):
        return _PREFIXES.get(prefix, "") + found
    return next((one for one in UNITS if one.lower() == name.lower()), "")


def _meant(name: str) -> str:
    """Half a sentence that helps after an unknown unit."""
    import difflib

    near = [_symbol(name)] if _symbol(name) else difflib.get_close_matches(name, UNITS, n=1)
    return (
        f"did you mean '{near[0]}'?" if near else "units are symbols such as m, mm, s, kg, N, N m, Pa, rad, deg, km/h"
    )


def joined_unit(text: str) -> tuple[str, str] | None:
    """A number and the unit that follows it without a blank, as in ``"80mm"``; None for anything else."""
    found = _JOINED.fullmatch(text)
    if found is None:
        return None
    try:
        unit_of(found[2])
    except UnitError:
        return (found[1], _symbol(found[2])) if _symbol(found[2]) else None
    return found[1], found[2]


#: names that say how much one turn is, and such that count something in a time without it
_ANGLES = {"rad", "mrad", "deg", "°", "turn", "rev", "rpm"}
_COUNTS = {"Hz", "kHz", "min", "h"}


def factor_between(text: str, wanted: str, what: str, offset: int = 0) -> float:
    """The factor to SI of a unit that stands for another one, if one is ``wanted``."""
    found = unit_of(text, offset)
    if not wanted:
        return found.factor
    if found.dimension != unit_of(wanted).dimension:
        message = f"{what} is measured in {wanted}, and '{text}' is {dimension_text(found.dimension)}"
        raise UnitError(message, offset, offset + len(text))
    names = _names_in(text)
    if _names_in(wanted) & _ANGLES and names & _COUNTS and not names & _ANGLES:
        message = f"{what} is measured in {wanted}, and '{text}' does not say whether turns or radians are counted"
        raise UnitError(f"{message}; write rpm, rev/s or rad/s", offset, offset + len(text))
    return found.factor


def counts_in_time(text: str) -> bool:
    """Whether a unit counts something per time, such as Hz, and does not say whether turns or radians."""
    names = _names_in(text)
    return bool(names & _COUNTS) and not names & _ANGLES and unit_of(text).dimension == UNITS["Hz"].dimension


def _names_in(text: str) -> set[str]:
    return {found[2] for found in _PART.finditer(text)}


def dimension_text(dimension: Dimension) -> str:
    """Exponents as a product of base units."""
    found = [name + (f"^{power}" if power != 1 else "") for name, power in zip(_BASE, dimension, strict=True) if power]
    return " ".join(found) or "no unit"
