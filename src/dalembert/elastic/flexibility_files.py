"""Flexible bodies in files of NumPy arrays; texts are arrays of characters, so that nothing is unpickled."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from typing import Any

import numpy as np

from dalembert.arguments import file_path
from dalembert.elastic.flexibility import Flexibility, Mode, Nodes, Reference
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
    try:
        with np.load(place, allow_pickle=False) as file:
            found = {key: file[key] for key in file.files}
        words = json.loads(str(found.pop("words")))
        if words["format"] != _FORMAT:
            raise ValueError(f"format {words['format']!r}")
        nodes = Nodes(
            tuple(words["nodes"]), found["X"], found["translation"], found.get("rotation"),
            found.get("node_second_order"),
        )  # fmt: skip
        outputs = dict(zip(words["outputs"], found["outputs"], strict=True))
        return Flexibility(
            found["gram"], found["stiffness"], found["damping"], nodes, tuple(Mode(**one) for one in words["modes"]),
            Reference(words["reference"][0], tuple(words["reference"][1:])), found.get("second_order"),
            found.get("cubic"), outputs, tuple(map(tuple, found["edges"])), tuple(map(tuple, found["faces"])),
            words["name"],
        )  # fmt: skip
    except FileNotFoundError:
        raise ModelError(f"Flexibility.load: there is no file '{place}'") from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, zipfile.BadZipFile) as error:
        raise ModelError(f"Flexibility.load: '{place}' is no file of a flexible body ({error})") from None
