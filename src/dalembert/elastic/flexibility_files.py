"""Flexible bodies in files of NumPy arrays; texts are arrays of characters, so that nothing is unpickled."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import file_path, reads_file
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reference
from dalembert.elastic.readers import LARGEST
from dalembert.errors import ModelError

_FORMAT = "dalembert flexibility 1"


def save(body: Flexibility, path: Any) -> None:
    """Write a body to a file."""
    place = file_path(path, "Flexibility.save: path", ModelError)
    nodes = body.nodes
    words = {
        "format": _FORMAT,
        "name": body.name,
        "modes": [asdict(mode) for mode in body.modes],
        "reference": [body.reference.kind, *body.reference.nodes],
        "nodes": list(nodes.names),
        "outputs": list(body.outputs),
    }
    arrays: dict[str, Any] = {
        "words": np.array(json.dumps(words)),
        "gram": body.gram,
        "stiffness": body.stiffness,
        "damping": body.damping,
        "second_order": body.second_order,
        "cubic": body.cubic,
        "X": nodes.X,
        "translation": nodes.translation,
        "rotation": nodes.rotation,
        "node_second_order": nodes.second_order,
        "outputs": np.array(list(body.outputs.values())).reshape(len(body.outputs), body.n),
        "edges": np.array(body.edges, dtype=int).reshape(-1, 2),
        "faces": np.array(body.faces, dtype=int).reshape(-1, 3),
    }
    with open(place, "wb") as file:  # a name without .npz stays as it was given
        np.savez_compressed(file, **{key: value for key, value in arrays.items() if value is not None})


def load(path: Any) -> Flexibility:
    """Read a body from a file."""
    place = file_path(path, "Flexibility.load: path", ModelError)
    if not place.exists():
        raise ModelError(f"Flexibility.load: there is no file '{place}'")
    return _read(place)


@reads_file("Flexibility.load:", ModelError)
def _read(place: Path) -> Flexibility:
    found: dict[str, Any] = {}
    with open(place, "rb") as stream, np.load(stream, allow_pickle=False) as file:
        if sum(one.file_size for one in file.zip.infolist()) > LARGEST:
            raise ModelError(f"Flexibility.load: '{place}': its arrays take more than {LARGEST >> 20} MB")
        for key in file.files:
            found[key] = file[key]
    words = json.loads(str(found.pop("words")))
    if words["format"] != _FORMAT:
        raise ModelError(f"Flexibility.load: '{place}' has the format {words['format']!r:.60}, not {_FORMAT!r}")
    nodes = Nodes(
        tuple(words["nodes"]), found["X"], found["translation"], found.get("rotation"), found.get("node_second_order")
    )
    outputs = dict(zip(words["outputs"], found["outputs"], strict=True))
    return Flexibility(
        found["gram"], found["stiffness"], found["damping"], nodes, tuple(Mode(**one) for one in words["modes"]),
        Reference(words["reference"][0], tuple(words["reference"][1:])), found.get("second_order"),
        found.get("cubic"), outputs, tuple(map(tuple, found["edges"])), tuple(map(tuple, found["faces"])),
        words["name"],
    )  # fmt: skip
