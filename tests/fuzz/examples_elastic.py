"""Valid calls of data of flexible bodies, and of flexible bodies in models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from fuzz.example_world import Call, World, add, call

import dalembert as da
from dalembert import elastic

Maker = Callable[[World, int], Call]
_SECTION = elastic.Section.rectangle(0.01, 0.02)


@cache
def _beam(planar: bool = True) -> elastic.Beam:
    return elastic.Beam(0.5, _SECTION, elastic.STEEL, 2, "clamped", planar)


def _nodes() -> tuple[Any, ...]:
    nodes = _beam().flexibility.nodes
    return nodes.names, nodes.X, nodes.translation, nodes.rotation


def _flexibility(w: World, k: int) -> Call:
    body = _beam().flexibility
    return Call(
        elastic.Flexibility, (body.gram, body.stiffness),
        {"damping": np.zeros((2, 2)), "nodes": body.nodes, "modes": ("a", "b"), "reference": body.reference,
         "second_order": body.second_order, "cubic": np.zeros((2, 2, 2)), "outputs": {"moment": [1.0, 2.0]},
         "edges": [(0, 1)], "faces": [(0, 1, 2)], "name": "body"},
        str,
    )  # fmt: skip


def _saved(w: World, k: int) -> Call:
    path = w.folder / "body.npz"
    _beam().flexibility.save(path)
    return call(elastic.Flexibility.load, path)


add("Flexibility", _flexibility)
add("Flexibility.load", _saved)
add("Flexibility.save", lambda w, k: call(_beam().flexibility.save, w.folder / "other.npz"))
add("Flexibility.referred", lambda w, k: call(_beam().flexibility.referred, elastic.Reference("mean axes")))
add("Flexibility.with_damping", lambda w, k: call(
    _beam().flexibility.with_damping, alpha=0.1, beta=1e-4, ratios=[0.01, 0.02], matrix=np.eye(2)))  # fmt: skip
add("Flexibility.without_stiffening", lambda w, k: call(_beam().flexibility.without_stiffening))
add("Nodes", lambda w, k: call(elastic.Nodes, *_nodes()))
add("Nodes.index", lambda w, k: call(_beam().flexibility.nodes.index, "left"))
add("Nodes.turns", lambda w, k: call(_beam().flexibility.nodes.turns, 0))
add("Mode", lambda w, k: call(elastic.Mode, "a", "bending", "beam", 12.0))
add("Beam", lambda w, k: Call(
    elastic.Beam, (0.5, _SECTION, elastic.STEEL),
    {"modes": {"bending": 2, "longitudinal": 1}, "ends": "free", "planar": True, "stiffening": True, "rotary": False,
     "stations": 5, "name": "beam"}, lambda it: it.flexibility))  # fmt: skip
for _name in ("axis", "rotation", "shortening"):
    add(f"Beam.{_name}", (lambda name: lambda w, k: call(getattr(_beam(), name), np.array([0.1, 0.2])))(_name))
add("Beam.beyond", lambda w, k: call(_beam().beyond, 0.1))
add("Beam.inside", lambda w, k: call(_beam().inside, 0.1))
add("Beam.nodes", lambda w, k: call(_beam().nodes, [0.1, 0.2], ("a", "b")))
add("Beam.section_force", lambda w, k: call(_beam().section_force, "moment z", 0.1))
add("Section", lambda w, k: call(elastic.Section, 1e-4, 1e-9, 2e-9, 2e-9, 0.01, 0.01))
add("Section.rectangle", lambda w, k: call(elastic.Section.rectangle, 0.01, 0.02))
add("Section.circle", lambda w, k: call(elastic.Section.circle, 0.01, 0.005))
add("Model.flexible_body", lambda w, k: (lambda m: Call(
    m.flexible_body, ("body", _beam().flexibility),
    {"position": (0.0, 0.0), "angle": 0.1, "velocity": (0.0, 1.0), "angular_velocity": 0.2},
    lambda it: m.equations()))(da.Model("flexible", plane="xy")))  # fmt: skip
add("Model.beam", lambda w, k: (lambda m: Call(
    m.beam, ("beam", 0.5, _SECTION, elastic.STEEL, 1),
    {"ends": "clamped", "damping": 0.01, "stiffening": True, "rotary": True, "stations": 5, "position": (0.0, 0.0)},
    lambda it: m.equations()))(da.Model("flexible", plane="xy")))  # fmt: skip
