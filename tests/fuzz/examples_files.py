"""Valid calls of what is about model files."""

from __future__ import annotations

from fuzz.example_world import add, call

import dalembert as da
from dalembert import io


def _file(w: object) -> io.ModelFile:
    return io.parse_model(io.example("pendulum"))


add("load_model", lambda w, k: call(da.load_model, da.save_model(_file(w), w.folder / "m.toml"), allow_python=False))
add("save_model", lambda w, k: call(da.save_model, _file(w), w.folder / "model.toml", run={"end": 2.0}))
add("parse_model", lambda w, k: call(io.parse_model, io.example("pendulum"), name="pendulum"))
add("model_text", lambda w, k: call(io.model_text, _file(w), run={"end": 2.0}))
add("example", lambda w, k: call(io.example, "pendulum"))
add("load_example", lambda w, k: call(io.load_example, "pendulum"))
add("example_names", lambda w, k: call(io.example_names))
add("model_schema", lambda w, k: call(io.model_schema))
add("fingerprint", lambda w, k: call(io.fingerprint, _file(w).model))
add("Model.to_toml", lambda w, k: call(_file(w).model.to_toml, run={"end": 2.0}))
add("ModelFile.assembled", lambda w, k: call(_file(w).assembled, {}))
add("ModelFile", lambda w, k: call(io.ModelFile, _file(w).model))
add("FileEvent", lambda w, k: call(io.FileEvent, "e", _file(w).model.energy, True, 0))
add("ParameterNote", lambda w, k: call(io.ParameterNote, "m", "length", (0.0, 1.0)))
