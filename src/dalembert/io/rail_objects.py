"""Tracks with their irregularities, profiles, materials and laws of creep forces in model files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.errors import ModelError, suggestion
from dalembert.io.field_values import FieldValues, plain_flag, plain_text, shown_value, table_of
from dalembert.io.flexible_objects import Count
from dalembert.io.parts_of_files import inner_path
from dalembert.io.positions import Located
from dalembert.rail import feve_profiles, irregularities, segments, standard_profiles
from dalembert.rail.creep import CreepLaw
from dalembert.rail.creep_laws import LAWS, creep_law
from dalembert.rail.irregularities import Irregularity
from dalembert.rail.material import STEEL, Material
from dalembert.rail.profile_files import read_profile
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
TRACK_FIELDS = ("segments", "distance", "spacing", "start", "height", "irregularities")
PROFILE_FIELDS = ("table", "kind", "valid", "name")
#: Options of profiles in files of points.
POINTS_FIELDS = ("file", "kind", "unit", "radius", "z_down", "mirror", "deviation", "smoothing", "spacing", "valid",
                 "name")  # fmt: skip
#: Kinds of irregularities, and how their arguments are read.
IRREGULARITIES: dict[str, tuple[Callable[..., Irregularity], dict[str, str]]] = {
    "harmonic": (irregularities.harmonic, {"amplitude": "m", "wavelength": "m", "phase": "rad", "direction": "text",
                                           "start": "m", "fade_in": "m"}),
    "measured": (irregularities.measured, {"s": "list", "left_lateral": "list", "left_vertical": "list",
                                           "right_lateral": "list", "right_vertical": "list", "fade_in": "m"}),
    "spectrum": (irregularities.spectrum, {"level": "text", "seed": "whole", "wavelengths": "list", "waves": "whole",
                                           "start": "m", "fade_in": "m", "quantities": "texts"}),
}  # fmt: skip


class RailObjects:
    """Readers of what wheelsets need; ``folder`` is where points of profiles stand."""

    def __init__(self, values: FieldValues, folder: Path | None) -> None:
        self.values, self.folder = values, folder

    def track(self, item: Located, what: str) -> Any:
        """A track of the file by its name, or its segments one after the other; ``{ python }`` is one of Python."""
        if isinstance(item.value, dict) and "python" in item.value:
            return self.values.function(item, what)
        if isinstance(item.value, str):
            return _named(self.values.names.tracks, self.values.names.prefixed(item.value, item), item, "track")
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
        if "height" in entries:
            given["height"] = self._height(entries["height"], what)
        if "irregularities" in entries:
            given["irregularities"] = self._irregularities(entries["irregularities"], what)
        return self.values.built(item, lambda: Track(parts, **given), entries)

    def _height(self, item: Located, what: str) -> tuple[Any, Any]:
        entries = table_of(item, ("s", "z"), f"{what}: height", ("s", "z"))
        s, z = (self.values.vector(entries[key], f"{what}: height: {key}", "m") for key in ("s", "z"))
        if len(s) != len(z):
            raise item.error(f"{what}: height has {len(s)} places and {len(z)} heights; they must be as many")
        return s, z

    def _irregularities(self, item: Located, what: str) -> list[Irregularity]:
        if not isinstance(item.value, list):
            raise item.error(f"{what}: irregularities must be a list of tables; got {shown_value(item)}")
        found = []
        for one in item.value:
            kind = _kind_of(one, IRREGULARITIES, "irregularity", what)
            make, known = IRREGULARITIES[kind]
            entries = table_of(one, ("kind", *known), f"irregularity '{kind}'")
            given = {key: self._argument(entry, f"irregularity '{kind}': {key}", known[key])
                     for key, entry in entries.items() if key != "kind"}  # fmt: skip
            if needed := [key for key in _needed(make) if key not in given]:
                raise one.error(f"irregularity '{kind}' lacks {', '.join(needed)}")
            found.append(self.values.built(one, partial(make, **given), entries))
        return found

    def _argument(self, item: Located, what: str, reading: str) -> Any:
        if reading == "text":
            return plain_text(item, what)
        if reading == "texts":
            if not isinstance(item.value, list):
                raise item.error(f"{what} must be a list of words; got {shown_value(item)}")
            return [plain_text(one, what) for one in item.value]
        if reading == "list":
            return self.values.vector(item, what, "m")
        if reading == "whole":
            if not isinstance(item.value, int) or isinstance(item.value, bool):
                raise item.error(f"{what} must be a whole number; got {shown_value(item)}")
            return item.value
        return self.values.number(item, what, reading, exact=True)

    def _segment(self, item: Located, what: str) -> Any:
        kind = _kind_of(item, SEGMENTS, "segment", what)
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
        """The name of a standard profile, such a one with its numbers, a file of points, or a table."""
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
        if isinstance(item.value, dict) and "file" in item.value:
            return self._of_points(item, what)
        entries = table_of(item, PROFILE_FIELDS, what, ("table", "kind", "valid"))
        kind = plain_text(entries["kind"], "kind")
        if kind not in ("wheel", "rail"):
            raise entries["kind"].error(f"{what}: kind must be 'wheel' or 'rail', got '{kind}'")
        word = entries["table"]
        name = self.values.names.prefixed(plain_text(word, what), item)
        heights = _named(self.values.names.tables, name, word, "table")
        low, high = self.values.vector(entries["valid"], f"{what}: valid", "m", (2,))
        title = plain_text(entries["name"], "name") if "name" in entries else name
        return Profile(title, kind, heights, (low, high))

    def _of_points(self, item: Located, what: str) -> Any:
        entries = table_of(item, POINTS_FIELDS, what)
        path, given = inner_path(entries.pop("file"), self.folder, what), dict[str, Any]()
        for key, one in entries.items():
            if key in ("kind", "unit", "name"):
                given[key] = plain_text(one, key)
            elif key in ("z_down", "mirror"):
                given[key] = plain_flag(one, key)
            elif key == "valid":
                given[key] = tuple(self.values.vector(one, f"{what}: valid", "m", (2,)))
            else:
                unit = "" if key == "smoothing" else "m"
                given[key] = self.values.number(one, f"{what}: {key}", unit, exact=True)
        return self.values.built(item, lambda: read_profile(path, **given), entries)

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


def _named(known: dict[str, Any], name: str, item: Located, kind: str) -> Any:
    """Something of the file by its name."""
    if name not in known:
        raise item.error(f"there is no {kind} '{name}'; {suggestion(name, known)}")
    return known[name]


def _kind_of(item: Located, known: Mapping[str, Any], word: str, what: str) -> str:
    """The kind that a table says."""
    if not isinstance(item.value, dict) or "kind" not in item.value:
        article = "an" if word[0] in "aeiou" else "a"
        raise item.error(f"{what}: {article} {word} is a table with a kind; got {shown_value(item)}")
    kind = plain_text(item.value["kind"], "kind")
    if kind not in known:
        raise item.value["kind"].error(f"there is no {word} '{kind}'; {suggestion(kind, known)}")
    return kind


def _needed(make: Callable[..., Any]) -> list[str]:
    """Arguments that a function cannot do without."""
    return [one.name for one in inspect.signature(make).parameters.values() if one.default is one.empty]


# ------------------------------------------------------------------------------------------------------------- writing


def rail_entries(value: Any, table_name: Callable[[Any], str]) -> Any:
    """A profile, material or law as it stands in a file, or None for anything else."""
    if isinstance(value, Profile):
        if value.recipe is not None and _is_standard(value, *value.recipe):
            name, numbers = value.recipe
            return {"standard": name, **numbers} if numbers else name
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


def _is_standard(profile: Profile, name: str, numbers: dict[str, float]) -> bool:
    """Whether a profile still is the standard one that it was made of."""
    made = STANDARD[name][0](**numbers)
    told = [(one.kind, one.name, one.valid, one.table.digest(), one.table.watched) for one in (made, profile)]
    return told[0] == told[1]


def track_entries(track: Track, where: str) -> dict[str, Any]:
    """A track as it stands in a file."""
    found: dict[str, Any] = {"segments": [], "distance": track.distance}
    options: dict[str, Any] = {}
    for one in track.segments:
        kind = next(key for key, segment in SEGMENTS.items() if type(one) is segment)
        given = {key.name: getattr(one, key.name) for key in fields(one)}
        found["segments"].append({"kind": kind, **{key: list(value) if isinstance(value, tuple) else value
                                                   for key, value in given.items()}})  # fmt: skip
    if track.spacing is not None:
        found["spacing"] = options["spacing"] = track.spacing
    if any(track.start):
        found["start"] = options["start"] = track.start
    if track.height is not None:
        if callable(track.height):
            raise ModelError(
                f"{where}: the height of the track is a function, which cannot be written in a file; give it as a pair "
                "of arrays (s, z)"
            )
        s, z = options["height"] = track.height
        found["height"] = {"s": s, "z": z}
    if track.irregularities:
        options["irregularities"] = track.irregularities
        found["irregularities"] = [_irregularity_entries(one, where) for one in track.irregularities]
    if not _same(Track(track.segments, distance=track.distance, **options), track):
        raise ModelError(f"{where}: the rails of the track were changed after it was made; a file cannot say that")
    return found


def _irregularity_entries(one: Irregularity, where: str) -> dict[str, Any]:
    if one.recipe is None:
        raise ModelError(
            f"{where}: '{one.name}' is an irregularity of Python functions, which cannot be written in a file; give "
            "deviations at places, dalembert.rail.measured"
        )
    kind, given = one.recipe
    return {"kind": kind} | {key: Count(value) if isinstance(value, int) else value for key, value in given.items()}


def _same(a: Track, b: Track) -> bool:
    """Whether the rails of two tracks are the same numbers."""
    pairs = [(one.rail(side).breaks, one.rail(side).evaluate(one.rail(side).breaks)) for one in (a, b)
             for side in ("left", "right")]  # fmt: skip
    first, second = pairs[:2], pairs[2:]
    return all(
        np.array_equal(x, y) for one, two in zip(first, second, strict=True) for x, y in zip(one, two, strict=True)
    )
