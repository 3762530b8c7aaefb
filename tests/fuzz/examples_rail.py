"""Valid calls of profiles, tracks, contacts, patches and creep laws, and of wheelsets in models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from fuzz.example_world import Call, World, add, call

import dalembert as da
from dalembert import rail

Maker = Callable[[World, int], Call]
_U = np.linspace(-30.0, 30.0, 61)
_POINTS = np.column_stack([_U, _U / 40.0])
_LAWS = ("linear", "vermeulen-johnson", "shen-hedrick-elkins", "polach", "fastsim")


@cache
def _wheels() -> rail.Pair:
    return rail.Pair(rail.cone(0.46, 0.05), 1.5)


@cache
def _rails() -> rail.Pair:
    return rail.Pair(rail.crown(0.3), 1.5)


@cache
def _track() -> rail.Track:
    return rail.Track([rail.Straight(40.0)], distance=1.5)


@cache
def _table() -> rail.ContactTable:
    return rail.ContactTable(_wheels(), _rails(), [-2e-3, 0.0, 2e-3])


@cache
def _touch() -> rail.WheelsetTouch:
    return rail.touching(_wheels(), _rails())


def _axes() -> rail.Axes:
    return rail.contact_axes(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))


def _file(w: World, name: str, lines: str) -> Path:
    path = w.folder / name
    path.write_text(lines)
    return path


def _of(make: Callable[..., Any], *args: Any, **kwargs: Any) -> Maker:
    """A call whose arguments need no world."""
    return lambda w, k: call(make, *args, **kwargs)


def _wheelset(w: World, k: int) -> Call:
    m = da.Model("wheelset", gravity=(0, 0, -9.81))
    return Call(
        m.wheelset, ("axle", m.ground, _track()),
        {
            "wheel": rail.cone(0.46, 0.05), "rail": rail.crown(0.3), "mass": 1000.0, "inertia": (600.0, 100.0, 600.0),
            "law": "linear", "friction": 0.3, "speed": 5.0, "start": {"x": 5.0}, "measure": False,
        },
        lambda made: m.equations(),
    )  # fmt: skip


# profiles
add("rail.profile_of_points", _of(rail.profile_of_points, _POINTS, "wheel", "own", radius=0.46, unit="mm"),
    _of(rail.profile_of_points, _POINTS, "rail", deviation=1e-5, valid=(-0.02, 0.02), mirror=True))  # fmt: skip
add("rail.profile_of_function", _of(rail.profile_of_function, lambda u: -u * u, (-0.03, 0.03), "rail", "own", 1e-3))
add(
    "rail.read_profile",
    lambda w, k: call(
        rail.read_profile, _file(w, "own.csv", "\n".join(f"{u},{z}" for u, z in _POINTS)), "rail", z_down=False
    ),
    lambda w, k: call(
        rail.read_profile,
        _file(w, "own.csv", "\n".join(f"{u};{z}" for u, z in _POINTS)),
        "wheel",
        z_down=False,
        mirror=True,
        radius=0.46,
    ),
)
add("rail.cone", _of(rail.cone, 0.46, 0.05, width=0.05))
add("rail.crown", _of(rail.crown, 0.3, width=0.03))
add("rail.s1002", _of(rail.s1002, 0.46))
add("rail.uic60", _of(rail.uic60, 1 / 40))
add("rail.uic60_of_benchmark", _of(rail.uic60_of_benchmark))
add("rail.feve_wheel", _of(rail.feve_wheel, "worn"), _of(rail.feve_wheel, shape="published"))
add("rail.feve_rail", _of(rail.feve_rail, "arcs"), _of(rail.feve_rail, shape="published"))
add("Profile.contains", lambda w, k: call(_rails().profile.contains, 0.01, margin=1e-3))
add("Profile.gauge_point", lambda w, k: call(rail.uic60().gauge_point, 0.014))
add("Profile.mirrored", lambda w, k: call(_rails().profile.mirrored))
add("Profile.plot", lambda w, k: call(_rails().profile.plot))
# track
add("Straight", _of(rail.Straight, 10.0))
add("Arc", _of(rail.Arc, 10.0, 300.0, 0.1))
add("Clothoid", _of(rail.Clothoid, 30.0))
add("Quintic", _of(rail.Quintic, 2.0, 40.0, 0.05))
add("Cosine", _of(rail.Cosine, 2.0, 40.0))
add("rail.harmonic", _of(rail.harmonic, 1e-3, 5.0, phase=0.0, direction="lateral", start=1.0, fade_in=2.0))
add("rail.measured", _of(rail.measured, np.linspace(0, 9, 10), left_vertical=np.zeros(10), fade_in=1.0))
add("rail.spectrum", _of(rail.spectrum, "low", 3, wavelengths=(3.0, 30.0), waves=20, start=1.0, fade_in=5.0))
add("rail.spectral_density", _of(rail.spectral_density, [0.1, 1.0], "low", "vertical"))
add(
    "rail.read_irregularity",
    lambda w, k: call(
        rail.read_irregularity, _file(w, "waves.csv", "s,left_vertical\n0,0\n1,1\n2,0\n3,1\n4,0\n"), unit=1e-3
    ),
)
add(
    "Track",
    _of(rail.Track, [rail.Straight(10.0), rail.Clothoid(10.0), rail.Arc(10.0, 300.0)], distance=1.5, spacing=0.5),
    _of(rail.Track, [rail.Straight(10.0)], gauge=1.435, profile=rail.uic60(), height=([0, 5, 10.0], [0, 0.1, 0.0])),
)
add("Track.curvature", lambda w, k: call(_track().curvature, [1.0, 2.0]))
add("Track.cant", lambda w, k: call(_track().cant, [1.0, 2.0]))
add("Track.rail", lambda w, k: call(_track().rail, "left"))
add("Track.nearest", lambda w, k: call(_track().nearest, 3.0, 0.5))
add("Track.plot", lambda w, k: call(_track().plot))
# contact, patch, laws
add("Pair", _of(rail.Pair, rail.crown(0.3), 1.5))
add("Pair.of_gauge", _of(rail.Pair.of_gauge, rail.uic60(), 1.435))
add("ContactTable", lambda w, k: call(rail.ContactTable, _wheels(), _rails(), [-1e-3, 1e-3], yaw=1e-3))
add("ContactTable.column", lambda w, k: call(_table().column, "left", "u_w"))
add("ContactTable.equivalent_conicity", lambda w, k: call(_table().equivalent_conicity, 1e-3))
add("ContactTable.plot", lambda w, k: call(_table().plot))
add("rail.touching", lambda w, k: call(rail.touching, _wheels(), _rails(), 1e-3, yaw=1e-3))
add("rail.gaps", lambda w, k: call(rail.gaps, _wheels(), _rails(), 1e-3, 0.46, yaw=1e-3, roll=0.0))
add("rail.lifted", lambda w, k: call(rail.lifted, _wheels(), _rails(), 1e-3, 0.47, yaw=1e-3, roll=0.0))
add(
    "rail.loaded_patch",
    lambda w, k: call(
        rail.loaded_patch, _wheels(), _rails(), _touch(), "left", 1e4, rail.Material(2.1e11, 0.28), method="hertz"
    ),
)
add(
    "rail.find_contact",
    lambda w, k: call(
        rail.find_contact, _wheels().profile, _track().left, _rails().profile, [10.0, 0.75, 0.46], np.eye(3), s=10.0
    ),
)
# surfaces and what follows from them, on numbers and on arrays
add("rail.wheel", _of(rail.wheel, rail.cone(0.46, 0.05), 0.01, 0.02),
    _of(rail.wheel, rail.cone(0.46, 0.05), np.array([0.0, 0.01]), theta=np.array([0.01, 0.0])))  # fmt: skip
add("rail.rail", lambda w, k: call(rail.rail, _track().left, _rails().profile, 10.0, u=0.01))
add("rail.contact_axes", _of(rail.contact_axes, (1.0, 0.0, 0.0), across=[0.0, 1.0, 0.1]))
add("rail.contact_conditions", lambda w, k: call(
    rail.contact_conditions, (0.0, 0.0, 1e-3), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), axes=_axes(),
))  # fmt: skip
add("rail.wheel_curvatures", _of(rail.wheel_curvatures, rail.cone(0.46, 0.05), 0.01))
add("rail.rail_curvature", _of(rail.rail_curvature, rail.crown(0.3), np.array([0.0, 0.01])))
add("rail.line_curvature", lambda w, k: call(rail.line_curvature, _track().left, 10.0, (0.0, 0.0, 1.0)))
add("rail.relative_curvatures",
    _of(rail.relative_curvatures, rail.cone(0.46, 0.05), 0.01, rail.crown(0.3), 0.0, along=1e-3))  # fmt: skip
add("rail.hertz", _of(rail.hertz, 1e4, 1.0, 2.0, rail.Material(2.1e11, 0.28), method="exact", least=0.1),
    _of(rail.hertz, np.array([1e4, 2e4]), 1.0, 2.0, method="table"))  # fmt: skip
add("rail.coefficients", _of(rail.coefficients, 5e-3, 4e-3, nu=0.3))
add("rail.kalker_matrix", _of(rail.kalker_matrix, 5e-3, 4e-3, rail.Material(2.1e11, 0.28), direction=-1.0))
add("rail.creepages", lambda w, k: call(
    rail.creepages, (0.1, 0.0, 0.0), (0.0, 20.0, 0.0), (10.0, 0.0, 0.0), (0.0, 0.0, -0.46), _axes(), least_speed=0.01,
))  # fmt: skip
add("Material", _of(rail.Material, 2.1e11, 0.28))
add("Material.of_shear", _of(rail.Material.of_shear, 8e10, 0.28))
add("rail.creep_law", *(_of(rail.creep_law, name, rail.Material(2.1e11, 0.28)) for name in _LAWS))
add("Polach", _of(rail.Polach, ratio=0.4, decay=0.6, k_A=0.8, k_S=0.3))
add("Fastsim", _of(rail.Fastsim, along=5, strips=5, marching="ends"))
add("Model.wheelset", _wheelset)
