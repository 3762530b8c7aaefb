"""Lines that show the motion of a model: outlines or edges of shapes, and bars between the points where bodies meet
others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dalembert.equations.contract.convention import INPUTS
from dalembert.model.bodies.parts import Body, Marker
from dalembert.symbolic import CompiledFunction, array, compile

if TYPE_CHECKING:
    from dalembert.model.flexible.flexible_body import FlexibleBody
    from dalembert.model.formulate.mechanism import Mechanism


def points_of(body: Body, markers: Sequence[Marker], planar: bool) -> list[list[Marker]]:
    """Polylines of a body by markers: in the plane the outlines of its shapes, or else a line through all markers."""
    if planar and body.shapes:
        outlines = [np.asarray(shape.outline(), dtype=float) for shape in body.shapes]
        return [[body.at(*point) for point in np.vstack([line, line[:1]])] for line in outlines]
    if body.is_flexible:
        flexible = cast("FlexibleBody", body)
        if flexible.flexibility.edges:
            return flexible.lines()
    found: list[Marker] = []
    for marker in markers:
        if not any(np.array_equal(np.asarray(marker.r, object), np.asarray(one.r, object)) for one in found):
            found.append(marker)
    if len(found) < 2:
        found.append(Marker(body, body.reference, np.eye(3)))
    if len(found) > 2:
        found.append(found[0])
    return [found] if len(found) > 1 else []


def wires_of(body: Body) -> np.ndarray:
    """Edges of all shapes of a body as one line (n, 3) in its axes, with gaps: rows that are NaN."""
    gap = np.full((1, 3), np.nan)
    lines = [part for shape in body.shapes for line in shape.wires() for part in (line, gap)]
    return np.concatenate(lines[:-1])


class BodyLines:
    """Points of all bodies of a mechanism, compiled; of bodies with shapes in space their frames."""

    def __init__(self, mechanism: Mechanism) -> None:
        scene, model, self.sizes = mechanism.scene, mechanism.described, mechanism.sizes
        on: dict[str, list[Marker]] = {}
        for element in mechanism.how.elements:
            for marker in element.markers:
                on.setdefault(marker.body.name, []).append(marker)
        #: names of the lines, and how many points each has
        self.lines: dict[str, int] = {}
        #: lines that are carried by the frames of bodies: four points stand for one
        self.carried: dict[str, np.ndarray] = {}
        atoms: list[Any] = []
        for body in mechanism.layout.bodies:
            if body.shapes and not model.planar:
                self.carried[body.name], self.lines[body.name] = wires_of(body), 4
                frame = scene.frame(body.origin)
                atoms += [frame.position, *(frame.rotation[:, k] for k in range(3))]
                continue
            for k, line in enumerate(points_of(body, on.get(body.name, ()), model.planar)):
                self.lines[body.name if k == 0 else f"{body.name} {k + 1}"] = len(line)
                atoms += [model.in_plane(scene.frame(marker).position) for marker in line]
        inputs = mechanism.namespace()[1]
        self._points: CompiledFunction | None = None
        if atoms:
            self._points = compile({"points": array(atoms)}, {key: inputs[key] for key in INPUTS}, name="drawing")

    def at(self, t: Any, q: Any, p: Any) -> dict[str, Any]:
        """Lines at many instants: (n_t, n_points, 2 or 3) by the names of the bodies."""
        if self._points is None:
            return {}
        s, n = self.sizes, len(t)
        still = {"v": s.v, "u": s.u, "lam": s.lam, "a": s.v, "mu": s.g}
        point = {"p": np.broadcast_to(p, (n, len(p))), "t": np.asarray(t)[:, None], "q": np.asarray(q).T}
        point |= {key: np.zeros((n, size)) for key, size in still.items()}
        found = np.asarray(self._points.map(*(point[key] for key in INPUTS))["points"])
        ends = np.cumsum(list(self.lines.values()))
        lines = {name: found[:, end - size : end] for (name, size), end in zip(self.lines.items(), ends, strict=True)}
        for name, line in self.carried.items():
            lines[name] = lines[name][:, :1] + line @ lines[name][:, 1:]  # rows are place and axes of the frame
        return lines
