"""Sections, materials, modes and data of flexible bodies in model files."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.elastic import ALUMINIUM, STEEL, Flexibility, Material, Section
from dalembert.errors import suggestion
from dalembert.io.field_values import FieldValues, shown_value, table_of
from dalembert.io.parts_of_files import inner_path
from dalembert.io.positions import Located

#: Materials by name.
MATERIALS = {"steel": STEEL, "aluminium": ALUMINIUM}
SECTION_FIELDS = {"area": "m^2", "Iz": "m^4", "Iy": "m^4", "torsion": "m^4", "height": "m", "width": "m"}
MATERIAL_FIELDS = {"E": "Pa", "density": "kg/m^3", "nu": ""}
DAMPING_FIELDS = ("alpha", "beta", "ratios", "matrix")
#: Most modes of one kind, and most stations of a beam.
MOST = 1000


class FlexibleObjects:
    """Readers of what flexible bodies need; ``folder`` is where their data stand."""

    def __init__(self, values: FieldValues, folder: Path | None) -> None:
        self.values, self.folder = values, folder

    def data(self, item: Located, what: str) -> Flexibility:
        """A file that ``Flexibility.save`` has written."""
        path = inner_path(item, self.folder, what)
        found: Flexibility = self.values.built(item, lambda: Flexibility.load(path), {})
        return found

    def section(self, item: Located, what: str) -> Any:
        """A rectangle, a circle or a tube, or moments of area."""
        known = ("rectangle", "circle", *SECTION_FIELDS)
        entries = table_of(item, known, what)
        for kind in ("rectangle", "circle"):
            if kind in entries:
                if len(entries) > 1:
                    raise item.error(f"{what}: a {kind} is all that there is to say; leave the rest away")
                return self._simple(entries[kind], kind, f"{what}: {kind}")
        given = {key: self.values.number(one, f"{what}: {key}", SECTION_FIELDS[key], exact=True)
                 for key, one in entries.items()}  # fmt: skip
        for key in ("area", "Iz"):
            if key not in given:
                raise item.error(f"{what} needs rectangle = [height, width], circle = radius, or area and Iz")
        return self.values.built(item, lambda: Section(**given), entries)

    def _simple(self, item: Located, kind: str, what: str) -> Any:
        if isinstance(item.value, list):
            sizes = [self.values.number(one, what, "m", exact=True) for one in item.value]
        else:
            sizes = [self.values.number(item, what, "m", exact=True)]
        if len(sizes) not in ((2,) if kind == "rectangle" else (1, 2)):
            wanted = "[height, width]" if kind == "rectangle" else "a radius, or [radius, inner radius]"
            raise item.error(f"{what} must be {wanted}; got {shown_value(item)}")
        make: Any = Section.rectangle if kind == "rectangle" else Section.circle
        return self.values.built(item, lambda: make(*sizes), {})

    def material(self, item: Located, what: str) -> Any:
        """A material by name, or its numbers."""
        if isinstance(item.value, str):
            if item.value not in MATERIALS:
                raise item.error(f"{what}: there is no material '{item.value}'; {suggestion(item.value, MATERIALS)}")
            return MATERIALS[item.value]
        entries = table_of(item, MATERIAL_FIELDS, what, ("E", "density"))
        given = {key: self.values.number(one, f"{what}: {key}", MATERIAL_FIELDS[key], exact=True)
                 for key, one in entries.items()}  # fmt: skip
        return self.values.built(item, lambda: Material(**given), entries)

    def modes(self, item: Located, what: str) -> Any:
        """How many modes, or how many of each kind."""
        if isinstance(item.value, dict):
            return {key: self.whole(one, f"{what}: {key}") for key, one in item.items()}
        return self.whole(item, what)

    def whole(self, item: Located, what: str) -> int:
        """A whole number."""
        if not isinstance(item.value, int) or isinstance(item.value, bool) or not 0 <= item.value <= MOST:
            raise item.error(f"{what} must be a whole number from 0 to {MOST}; got {shown_value(item)}")
        return item.value

    def damping(self, item: Located, what: str) -> Any:
        """One ratio, one for each mode, or a table of what :meth:`Flexibility.with_damping` takes."""
        if not isinstance(item.value, dict):
            return self._exact(item, what)
        return {key: self._exact(one, f"{what}: {key}") for key, one in table_of(item, DAMPING_FIELDS, what).items()}

    def _exact(self, item: Located, what: str) -> Any:
        if isinstance(item.value, list):
            return [self._exact(one, what) for one in item.value]
        return self.values.number(item, what, exact=True)


class Count(int):
    """A whole number, which is written without a point."""


def elastic_entries(value: Any) -> Any:
    """A section, a material, numbers of modes or damping as they stand in a file."""
    if isinstance(value, (Section, Material)):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        return {key: elastic_entries(one) for key, one in value.items()} if isinstance(value, dict) else value
    return Count(value)
