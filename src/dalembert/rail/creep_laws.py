"""Laws of creep forces by name."""

from __future__ import annotations

from typing import Any

from dalembert.arguments import known_name
from dalembert.errors import ModelError
from dalembert.rail.creep import CreepLaw, Linear, Polach, ShenHedrickElkins, VermeulenJohnson
from dalembert.rail.fastsim import Fastsim
from dalembert.rail.material import STEEL, Material

LAWS: dict[str, type[CreepLaw]] = {
    "linear": Linear,
    "vermeulen-johnson": VermeulenJohnson,
    "shen-hedrick-elkins": ShenHedrickElkins,
    "polach": Polach,
    "fastsim": Fastsim,
}


def creep_law(name: str | CreepLaw, material: Material = STEEL, **options: Any) -> CreepLaw:
    """The law of that name (or itself, if it is a law already), for a material; options are those of its class."""
    if isinstance(name, CreepLaw):
        return name
    kind = LAWS[known_name(name, LAWS, "creep law", ModelError)]
    try:
        return kind(material, **options)
    except TypeError:
        known = ", ".join(field for field in kind.__dataclass_fields__ if field != "material") or "none"
        raise ModelError(f"creep law '{name}': options are {known}; got {', '.join(options)}") from None
