"""How flexible bodies look: nodes, or sections of beams, over time, with deformations magnified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.elastic.flexibility import Flexibility, Reals

if TYPE_CHECKING:
    from dalembert.elastic import Beam


def polylines(edges: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    """Numbers of nodes along lines: edges that follow each other are one."""
    found: list[list[int]] = []
    for a, b in edges:
        if found and found[-1][-1] == a:
            found[-1].append(b)
        else:
            found.append([a, b])
    return found


def node_track(body: Flexibility, q: Reals, magnification: float) -> dict[str, Any] | None:
    """Nodes in the body frame at many instants, as a surface or as lines with gaps; ``q`` is (n_t, n)."""
    nodes = body.nodes
    points = np.zeros((len(q), len(nodes) + 1, 3))
    moved = np.einsum("Naj,tj->tNa", nodes.translation, q)
    if nodes.second_order is not None:
        moved = moved + 0.5 * np.einsum("Najk,tj,tk->tNa", nodes.second_order, q, q)
    points[:, :-1, : body.dimension] = nodes.X + magnification * moved
    points[:, -1] = np.nan
    if body.faces:
        return {"kind": "surface", "points": points[:, :-1], "faces": np.array(body.faces)}
    lines = polylines(body.edges)
    if not lines:
        return None
    order = [k for line in lines for k in (*line, len(nodes))][:-1]
    return {"kind": "line", "points": points[:, order]}


def beam_track(beam: Beam, q: Reals, magnification: float) -> dict[str, Any]:
    """A beam as a box that bends: four corners at each station, turned with the section."""
    x = np.linspace(0.0, beam.length, beam.stations)
    h, w = beam.section.height, beam.section.width
    assert h is not None and w is not None
    corners = 0.5 * np.array([[0.0, h, w], [0.0, -h, w], [0.0, -h, -w], [0.0, h, -w]])
    axis = np.einsum("Naj,tj->tNa", beam.axis(x), q)
    if beam.second_order is not None:
        axis[..., 0] += 0.5 * magnification * np.einsum("Njk,tj,tk->tN", beam.shortening(x), q, q)
    turned = magnification * np.einsum("Naj,tj->tNa", beam.rotation(x), q)
    axis = magnification * axis
    axis[..., 0] += x
    points = axis[:, :, None] + corners + np.cross(turned[:, :, None], corners)
    faces = []
    for k in range(len(x) - 1):
        for c in range(4):
            a, b = 4 * k + c, 4 * k + (c + 1) % 4
            faces += [(a, b, b + 4), (a, b + 4, a + 4)]
    last = 4 * (len(x) - 1)
    faces += [(0, 2, 1), (0, 3, 2), (last, last + 1, last + 2), (last, last + 2, last + 3)]
    return {"kind": "surface", "points": points.reshape(len(q), -1, 3), "faces": np.array(faces)}
