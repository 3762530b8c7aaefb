"""Profiles of the locomotive FEVE 3000 and of the rails under it.

Published are splines through points (J. Ros, A. Plaza, X. Iriarte, J. M. Pintor; lib_3d_mec_ginac, example
train_complete).  Between points that are 5 mm apart they wave in the flange root (|f''| up to 465 1/m), so that they
are good for 28 mm on both sides only, where there is no flange; and in the tread the wheel is hollower than the rail is
round (3.6 against 2.0 1/m), so that contacts jump.

The points of the rail are those of arcs, of 300, 80 and 13 mm, to 0.02 mm; those of the tread lie on arcs of 330 mm to
0.02 mm.  From these arcs profiles are made that have a flange:

- the rail's head, with its curvature blended over 8 mm where radii change;
- a worn wheel.  Its tread is inclined by 1:40 in the middle.  Towards the flange it is hollow: at every inclination α
  with seven tenths of the least curvature that the rail has within 15 mrad of α, until the flange with its published
  68.5° follows.  So relative curvatures are positive wherever bodies touch that are inclined by up to 15 mrad against
  each other: there is one contact, and it moves from the tread to the flange without jumps.  A new wheel, with a root
  of 9 mm through the published point at −35 mm, would touch at two points there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from dalembert.arguments import one_of
from dalembert.errors import ModelError
from dalembert.rail.profiles import Profile, profile_of_points
from dalembert.symbolic import PiecewisePolynomial

Floats = npt.NDArray[np.float64]

# Locomotive FEVE 3000, as published by its authors: a, b, c, d of a t³ + b t² + c t + d from each break, in metres.
_FEVE_WHEEL = np.array([  # flange at positive u, from −0.04 to 0.03 in steps of 0.01
    (54.9740049574, -0.32471881454, -0.09973421235, -0.49765869),
    (5.06373812161, 1.32450133418, -0.08973638715, -0.49863353),
    (14.5610425561, 1.47641347783, -0.06172723903, -0.49939338),
    (-64.5679083462, 1.91324475451, -0.02783065671, -0.49984845),
    (-59.8094091714, -0.02379249587, -0.00893613412, -0.5),
    (0.28554503181, -1.81807477102, -0.02735480679, -0.50015155),
    (40.7972290442, -1.80950842006, -0.0636306387, -0.50060662),
])  # fmt: skip
_FEVE_RAIL = np.array([  # from −0.03 to 0.03 in steps of 0.005
    (9248.1503775, -143.8614, 0.966629240563, 0.1545111),
    (-109.471887491, -5.13914433752, 0.221626518875, 0.15690373),
    (-2.34282753476, -6.78122264989, 0.162024683938, 0.1578697),
    (188.203197631, -6.81636506291, 0.094036745374, 0.15851),
    (199.37003701, -3.99331709845, 0.039988334567, 0.1588333),
    (-66.40334567, -1.0027665433, 0.015007916358, 0.15895833),
    (66.40334567, -1.99881672835, 0.0, 0.159),
    (-199.37003701, -1.0027665433, -0.015007916358, 0.15895833),
    (-188.203197631, -3.99331709845, -0.039988334567, 0.1588333),
    (2.34282753476, -6.81636506291, -0.094036745374, 0.15851),
    (109.471887491, -6.78122264989, -0.162024683938, 0.1578697),
    (-9248.1503775, -5.13914433752, -0.221626518875, 0.15690373),
])  # fmt: skip
#: m: beyond, the published splines are no profiles any more (|f''| up to 465 1/m in the flange root)
_FEVE_VALID = 0.028


def _published(name: str, kind: str, breaks: Floats, rows: Floats) -> Profile:
    table = PiecewisePolynomial(breaks, rows.T, "linear")
    table.watched = False
    u = np.linspace(-_FEVE_VALID, _FEVE_VALID, 225)
    return Profile(name, kind, table, (-_FEVE_VALID, _FEVE_VALID), np.stack([u, table.evaluate(u)], axis=1))


def feve_wheel(shape: str = "published") -> Profile:
    """The left wheel of the locomotive FEVE 3000, radius 0.5 m.

    :param shape: "published": splines, good for 28 mm on both sides; "worn": with a flange, which one contact reaches
        without jumps
    """
    one_of(shape, ("published", "worn"), "profile 'FEVE wheel': shape", ModelError)
    return _worn_wheel() if shape == "worn" else _published_wheel()


@cache
def _published_wheel() -> Profile:
    right = _published("FEVE wheel", "wheel", np.linspace(-0.04, 0.03, 8), _FEVE_WHEEL)
    return replace(right.mirrored(), name="FEVE wheel", recipe=("feve_wheel", {}))


def feve_rail(shape: str = "published") -> Profile:
    """The rail under the locomotive FEVE 3000: its top 0.159 m above the reference line.

    :param shape: "published": splines, good for 28 mm on both sides; "arcs": those that the points lie on
    """
    one_of(shape, ("published", "arcs"), "profile 'FEVE rail': shape", ModelError)
    return _rail_of_arcs() if shape == "arcs" else _published_rail()


@cache
def _published_rail() -> Profile:
    made = _published("FEVE rail", "rail", np.linspace(-0.03, 0.03, 13), _FEVE_RAIL)
    return replace(made, recipe=("feve_rail", {}))


# ------------------------------------------------------------------------------------------------------ with a flange

#: m, and dz/du at which they end: arcs of the rail's head
_HEAD = ((0.300, 10.0 / 300.0), (0.080, 0.2216), (0.013, 4.0))
_TOP = 0.159
#: m: radius of the convex side of the tread, and where it ends in a cone
_TREAD, _CONE = 0.330, 0.030
#: rad, rad and 1: inclination in the middle, inclinations that a wheel may have against the rail, its curvature as a
#: part of the rail's
_MIDDLE, _INCLINED, _PART = 1.0 / 40.0, 0.015, 0.7
#: dz/du of the flange, and m of its length
_FLANGE, _FLANGE_LENGTH = 2.53604129972, 0.012
#: m: steps along an outline, and lengths over which curvatures change
_FINE, _BLEND = 2e-5, 8e-3


def _head_curvature(angle: Floats) -> Floats:
    """Of the rail, at inclinations."""
    ends = np.arctan([slope for _, slope in _HEAD])
    return np.array([1.0 / radius for radius, _ in _HEAD])[
        np.minimum(np.searchsorted(ends, np.abs(angle)), len(_HEAD) - 1)
    ]


def _blended(curvature: Floats) -> Floats:
    """Mean values over ``_BLEND`` along an outline, weighted by a raised cosine."""
    count = round(_BLEND / _FINE) | 1
    weights = 1.0 - np.cos(2.0 * np.pi * (np.arange(count) + 1.0) / (count + 1))
    padded = np.pad(curvature, count // 2, mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="valid")


def _outline(curvature: Floats, first: float = 0.0) -> Floats:
    """Points from (0, 0), where an outline has its first inclination, with curvatures along it."""
    angle = first + _sums(curvature)
    return np.stack([_sums(np.cos(angle)), _sums(np.sin(angle))], axis=1)


def _sums(values: Floats) -> Floats:
    """Integral from the first value, by trapezia."""
    return np.append(0.0, np.cumsum(0.5 * (values[1:] + values[:-1]) * _FINE))


def _curved(curvature: Callable[[Floats], Floats], first: float, last: float) -> Floats:
    """Curvatures along an outline that has them as a function of its inclination, from the first to the last one."""
    angle = np.linspace(first, last, 20001)
    slowness = 1.0 / curvature(angle)
    along = np.append(0.0, np.cumsum(0.5 * (slowness[1:] + slowness[:-1]) * np.diff(angle)))
    places = np.arange(0.0, along[-1], _FINE)
    return curvature(np.interp(places, along, angle))


@cache
def _rail_of_arcs() -> Profile:
    half = _curved(_head_curvature, 0.0, float(np.arctan(_HEAD[-1][1])))
    u, z = _outline(_blended(half)).T
    points = np.stack([np.append(-u[:0:-1], u), _TOP - np.append(z[:0:-1], z)], axis=1)
    made = profile_of_points(points, "rail", "FEVE rail, arcs", unit="m")
    return replace(made, recipe=("feve_rail_arcs", {}))


def _worn_curvature(angle: Floats) -> Floats:
    """A part of the least curvature of the rail within ``_INCLINED`` of an inclination."""
    near = np.abs(angle)[:, None] + np.array([-_INCLINED, 0.0, _INCLINED])
    return _PART * _head_curvature(near).min(axis=1)


@cache
def _worn_wheel() -> Profile:
    hollow = _curved(_worn_curvature, _MIDDLE, float(np.arctan(_FLANGE)))
    hollow = np.append(hollow, np.zeros(round(_FLANGE_LENGTH / _FINE)))
    convex = np.full(round(_CONE / _FINE), 1.0 / _TREAD)
    convex = np.append(convex, np.zeros(round(0.5 * _CONE / _FINE)))
    # Along the way from the field side to the flange, so that curvatures are blended in the middle too.
    bent = _blended(np.append(-convex[:0:-1], hollow))
    middle = convex.size - 1
    flange, field = _outline(bent[middle:], _MIDDLE), _outline(-bent[middle::-1], _MIDDLE)
    points = np.append(-flange[:0:-1], field, axis=0)
    made = profile_of_points(points, "wheel", "FEVE wheel, worn", unit="m", radius=0.5)
    return replace(made, recipe=("feve_wheel_worn", {}))
