"""Tracks, profiles, materials and laws of creep forces in model files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np

from dalembert.errors import ModelError, suggestion
from dalembert.io.field_values import FieldValues, plain_text, shown_value, table_of
from dalembert.io.positions import Located
from dalembert.rail import feve_profiles, segments, standard_profiles
from dalembert.rail.creep import CreepLaw
from dalembert.rail.creep_laws import LAWS, creep_law
from dalembert.rail.material import STEEL, Material
from dalembert.rail.profiles import Profile
from dalembert.rail.track import Track

SEGMENTS: dict[str, type] = {
    "straight": segments.Straight, "arc": segments.Arc, "clothoid": segments.Clothoid, "quintic": segments.Quintic,
    "cosine": segments.Cosine,
}  # fmt: skip
#: Profiles by name, with the numbers that they may be made with.
STANDARD: dict[str, tuple[Callable[..., Profile], tuple[str, ...]]] = {
    "s1002": (standard_profiles.s1002, ("radius",)), "uic60": (standard_profiles.uic60, ("inclination",)),
    "uic60_of_benchmark": (standard_profiles.uic60_of_benchmark, ()),
    "feve_wheel": (feve_profiles.feve_wheel, ()), "feve_wheel_worn": (partial(feve_profiles.feve_wheel, "worn"), ()),
    "feve_rail": (feve_profiles.feve_rail, ()), "feve_rail_arcs": (partial(feve_profiles.feve_rail, "arcs"), ()),
    "cone": (standard_profiles.cone, ("radius", "conicity", "width")),
    "crown": (standard_profiles.crown, ("radius", "width")),
}  # fmt: skip
TRACK_FIELDS = ("segments", "distance", "spacing", "start")
PROFILE_FIELDS = ("table", "kind", "valid", "name")


class RailObjects:
    """Readers of what wheelsets need."""

    def __init__(self, values: FieldValues) -> None:
        self.values = values

    def track(self, item: Located, what: str) -> Any:
        """Segments one after the other; a string or ``{ python }`` names one of Python."""
        if isinstance(item.value, dict) and "python" in item.value:
            return self.values.function(item, what)
        entries = table_of(item, TRACK_FIELDS, what, ("segments", "distance"))
        listed = entries["segments"]
        if not isinstance(listed.value, list):
            raise listed.error(f"{what}: segments must be a list of tables; got {shown_value(listed)}")
        parts = [self._segment(one, what) for one in listed.value]
        given: dict[str, Any] = {}
        for key in ("distance", "spacing"):
            if key in entries:
                given[key] = self.values.number(entries[key], f"{what}: {key}", "m", exact=True)
        if "start" in entries:
            given["start"] = tuple(self.values.vector(entries["start"], f"{what}: start", "", (3,)))
        return self.values.built(item, lambda: Track(parts, **given), entries)

    def _segment(self, item: Located, what: str) -> Any:
        if not isinstance(item.value, dict) or "kind" not in item.value:
            raise item.error(f"{what}: a segment is a table with a kind; got {shown_value(item)}")
        word = item.value["kind"]
        kind = plain_text(word, "kind")
        if kind not in SEGMENTS:
            raise word.error(f"there is no segment '{kind}'; {suggestion(kind, SEGMENTS)}")
        known = [one.name for one in fields(SEGMENTS[kind])]
        entries = table_of(item, ("kind", *known), f"segment '{kind}'")
        given: dict[str, Any] = {}
        for key in known:
            if key in entries and key in ("start", "end"):
                ends = self.values.vector(entries[key], f"segment '{kind}': {key}", "", (2,))
                given[key] = segments.SegmentEnd(*ends)
            elif key in entries:
                given[key] = self.values.number(entries[key], f"segment '{kind}': {key}", "m", exact=True)
        return self.values.built(item, lambda: SEGMENTS[kind](**given), entries)

    def profile(self, item: Located, what: str) -> Any:
        """The name of a standard profile, such a one with its numbers, or a table."""
        if isinstance(item.value, str):
            return self._standard(item, item.value, {}, what)
        if isinstance(item.value, dict) and "python" in item.value:
            return self.values.function(item, what)
        if isinstance(item.value, dict) and "standard" in item.value:
            name = plain_text(item.value["standard"], what)
            known = STANDARD.get(name, (None, ()))[1]
            entries = table_of(item, ("standard", *known), what)
            numbers = {key: self.values.number(entries[key], f"{what}: {key}", exact=True)
                       for key in known if key in entries}  # fmt: skip
            return self._standard(item, name, numbers, what)
        entries = table_of(item, PROFILE_FIELDS, what, ("table", "kind", "valid"))
        kind = plain_text(entries["kind"], "kind")
        if kind not in ("wheel", "rail"):
            raise entries["kind"].error(f"{what}: kind must be 'wheel' or 'rail', got '{kind}'")
        word = entries["table"]
        name = self.values.names.prefixed(plain_text(word, what), item)
        if name not in self.values.names.tables:
            raise word.error(f"there is no table '{name}'; {suggestion(name, self.values.names.tables)}")
        low, high = self.values.vector(entries["valid"], f"{what}: valid", "m", (2,))
        title = plain_text(entries["name"], "name") if "name" in entries else name
        return Profile(title, kind, self.values.names.tables[name], (low, high))

    def _standard(self, item: Located, name: str, numbers: dict[str, float], what: str) -> Any:
        if name not in STANDARD:
            raise item.error(f"{what}: there is no profile '{name}'; {suggestion(name, STANDARD)}")
        return self.values.built(item, lambda: STANDARD[name][0](**numbers), {})

    def material(self, item: Located, what: str) -> Any:
        """Young's modulus and Poisson's ratio."""
        entries = table_of(item, ("E", "nu"), what)
        given = {key: self.values.number(one, f"{what}: {key}", exact=True) for key, one in entries.items()}
        return self.values.built(item, lambda: Material(**given), entries)

    def creep_law(self, item: Located, what: str) -> Any:
        """The name of a law, or a table with its kind and options."""
        if isinstance(item.value, dict) and "python" in item.value:
            return self.values.function(item, what)
        if isinstance(item.value, str):
            if item.value not in LAWS:
                raise item.error(f"{what}: there is no law '{item.value}'; {suggestion(item.value, LAWS)}")
            return item.value
        if not isinstance(item.value, dict) or "kind" not in item.value:
            raise item.error(f"{what}: a law is a name, or a table with a kind; got {shown_value(item)}")
        kind = plain_text(item.value["kind"], "kind")
        if kind not in LAWS:
            raise item.value["kind"].error(f"{what}: there is no law '{kind}'; {suggestion(kind, LAWS)}")
        listed: Any = fields(LAWS[kind])
        known = [one.name for one in listed if one.name != "material"]
        entries = table_of(item, ("kind", *known), what)
        options = {key: self.values.number(one, f"{what}: {key}", exact=True) for key, one in entries.items()
                   if key != "kind"}  # fmt: skip
        return self.values.built(item, lambda: creep_law(kind, **options), entries)


# ------------------------------------------------------------------------------------------------------------- writing


def rail_entries(value: Any, table_name: Callable[[Any], str], where: str) -> Any:
    """A track, profile, material or law as it stands in a file, or None for anything else."""
    if isinstance(value, Track):
        return _track_entries(value, where)
    if isinstance(value, Profile):
        return {"table": table_name(value.table), "kind": value.kind, "valid": list(value.valid), "name": value.name}
    if isinstance(value, Material):
        return {"E": value.E, "nu": value.nu}
    if isinstance(value, str):
        return value
    kind = next((key for key, one in LAWS.items() if type(value) is one), None)
    if kind is None or not isinstance(value, CreepLaw) or value.material != STEEL:
        return None
    listed: Any = fields(value)
    return {"kind": kind} | {one.name: getattr(value, one.name) for one in listed if one.name != "material"}


def _track_entries(track: Track, where: str) -> dict[str, Any]:
    found: dict[str, Any] = {"segments": [], "distance": track.distance}
    for one in track.segments:
        kind = next(key for key, segment in SEGMENTS.items() if type(one) is segment)
        given = {key.name: getattr(one, key.name) for key in fields(one)}
        found["segments"].append({"kind": kind, **{key: list(value) if isinstance(value, tuple) else value
                                                   for key, value in given.items()}})  # fmt: skip
    centre = track.centre.evaluate(np.zeros(1))[0]
    slope = track.centre.evaluate(np.zeros(1), 1)[0]
    start = [float(centre[0]), float(centre[1]), float(np.arctan2(slope[1], slope[0]))]
    options: dict[str, Any] = {"start": tuple(start)} if any(start) else {}
    if not _same(Track(track.segments, distance=track.distance, **options), track):
        options["spacing"] = track.length / (len(track.centre.breaks) - 1)
        if not _same(Track(track.segments, distance=track.distance, **options), track):
            raise ModelError(f"{where}: a track with heights or irregularities cannot be written in a file")
    return found | options


def _same(a: Track, b: Track) -> bool:
    """Whether the rails of two tracks are the same numbers."""
    pairs = [(one.rail(side).breaks, one.rail(side).evaluate(one.rail(side).breaks)) for one in (a, b)
             for side in ("left", "right")]  # fmt: skip
    first, second = pairs[:2], pairs[2:]
    return all(
        np.array_equal(x, y) for one, two in zip(first, second, strict=True) for x, y in zip(one, two, strict=True)
    )
