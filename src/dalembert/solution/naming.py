"""Names of rows, also by the objects that are called so."""

from __future__ import annotations

import re
from typing import Any

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def spelled(unit: str) -> str:
    """A unit with its powers raised: m/s² for m/s^2 and for m/s**2."""
    return re.sub(r"(?:\^|\*\*)(-?\d+)", lambda power: power[1].translate(_RAISED), unit)


def row_names(asked: Any) -> tuple[str, ...]:
    """What rows may be called that are asked for by a text, or by an object of a model: a coordinate of a joint, or a
    quantity, such as ``A.force``, which is the "force of A"."""
    name = asked if isinstance(asked, str) else getattr(asked, "name", None)
    if not isinstance(name, str):
        return ()
    what, of, owner = name.partition(" of ")
    if isinstance(asked, str) or not of:
        return (name,)
    joint, dot, component = owner.rpartition(".")
    return name, f"{owner}.{what}", *((f"{joint}.{what}.{component}",) if dot else ())
