"""What wheels and rails look like: wheels are their profiles turned about the axle, rails theirs along the track."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.bodies.shapes import Triangles, grid
from dalembert.rail.surface import rail

#: Points across a profile, around a wheel, and along a track as far as it is straight; m between the latter at least.
ACROSS, AROUND, ALONG, APART = 15, 40, 300, 0.5
#: Points along a track at most, and m by which chords may pass beside its curves and waves.
MOST_ALONG, BESIDE = 5000, 1e-3
#: m: radius of an axle as it is drawn.
AXLE = 0.08
#: Lower part of a rail: m from the middle of its head to the left, and down from its sides.
_FOOT = ((-0.010, 0.045), (-0.010, 0.145), (-0.075, 0.160), (-0.075, 0.172))


def wheel_surface(profile: Any, place: float) -> Triangles:
    """A wheel at ``place`` on its axle, y, with its half of the axle."""
    u = _across(profile)
    radius = -np.asarray(profile(u), dtype=float)
    hub = min(AXLE, 0.5 * float(radius.min()))
    y = np.concatenate([[place + u[0]] * 2, place + u, [place + u[-1]] * 2])
    r = np.concatenate([[0.0, hub], radius, [hub, 0.0]])
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    disc = grid(np.stack([np.outer(np.sin(turn), r), np.tile(y, (AROUND + 1, 1)), np.outer(np.cos(turn), r)], axis=2))
    ends = np.sort([0.0, place])
    tube = grid(hub * np.stack([np.sin(turn), 0.0 * turn, np.cos(turn)], 1)[:, None] + ends[None, :, None] * [0, 1, 0])
    return _together(disc, tube)


def rail_surface(curve: Any, profile: Any) -> Triangles:
    """A rail from the beginning of its track to the end."""
    begin, end = float(curve.breaks[0]), float(curve.breaks[-1])
    s = np.linspace(begin, end, _along(curve, end - begin))
    u = _across(profile)
    on = rail(curve, profile, s[:, None], u)
    head = np.moveaxis(on.point, 0, 2)
    # The foot hangs below the ends of the head, perpendicular to the line through them.
    across = head[:, -1] - head[:, 0]
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    along = np.gradient(head[:, ACROSS // 2], axis=0)
    down = np.cross(across, along / np.linalg.norm(along, axis=1, keepdims=True))
    middle = 0.5 * (head[:, 0] + head[:, -1])
    side = [(float(u[0] - u.mean()), 0.03), *_FOOT]
    left = [middle + x * across + z * down for x, z in side]
    right = [middle - x * across + z * down for x, z in reversed(side)]
    return grid(np.concatenate([head, np.stack([*right, *left, head[:, 0]], axis=1)], axis=1))


def _along(curve: Any, length: float) -> int:
    """Points along a rail: chords h pass h² κ/8 beside it."""
    bend = float(np.linalg.norm(curve.evaluate(curve.breaks, 2)[:, :3], axis=1).max())
    chords = min(float(MOST_ALONG), length * np.sqrt(bend / (8.0 * BESIDE)))
    return max(2, min(max(ALONG, int(np.ceil(chords)) + 1), MOST_ALONG, int(length / APART)))


def _across(profile: Any) -> np.ndarray:
    """Places on a profile, from one end to the other."""
    first, last = profile.valid
    return np.linspace(float(first), float(last), ACROSS)


def _together(*parts: Triangles) -> Triangles:
    starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    faces = [part.faces + start for part, start in zip(parts, starts, strict=True)]
    return Triangles(np.concatenate([part.vertices for part in parts]), np.concatenate(faces))
