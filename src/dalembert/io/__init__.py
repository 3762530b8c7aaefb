"""Model files: models as TOML text, with formulas, units, tables, patterns and errors that say where.

::

    file = da.load_model("four_bar.toml")         # file.model, file.equations, file.span, file.start
    solution = da.simulate(file, **file.options)
    da.save_model(model, "model.toml")            # also model.to_toml()
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from dalembert.arguments import file_path, flag, instance, named, shown, text
from dalembert.elastic import Flexibility
from dalembert.errors import ModelError, suggestion
from dalembert.io.fingerprint import fingerprint
from dalembert.io.model_file import RUN_FIELDS, FileEvent, ModelFile, ParameterNote
from dalembert.io.model_reader import read_text
from dalembert.io.model_writer import ModelWriter
from dalembert.io.positions import LARGEST_TEXT, ModelFileError
from dalembert.io.schema import model_schema
from dalembert.model.model import Model

__all__ = [
    "FileEvent",
    "ModelFile",
    "ModelFileError",
    "ParameterNote",
    "example",
    "example_names",
    "fingerprint",
    "load_example",
    "load_model",
    "model_schema",
    "model_text",
    "parse_model",
    "save_model",
]


def load_model(path: str | Path, *, allow_python: bool = False) -> ModelFile:
    """A model file; an error says where something is wrong, and what may have been meant.

    :param allow_python: whether code may run that the file names as ``{ python = "module:function" }``
    """
    flag(allow_python, "load_model: allow_python", ModelError)
    found = file_path(path, "load_model: path", ModelError)
    try:
        if found.stat().st_size > 4 * LARGEST_TEXT:
            raise ModelFileError(str(found), 1, 1, f"the file has more than {4 * LARGEST_TEXT} bytes")
        data = found.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"the model file '{found}' cannot be read: {reason}") from None
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        run = data.startswith((b"CDF", b"DAJ")) or found.suffix == ".nc"
        what = "this is a stored run; da.load reads these" if run else "the file is no UTF-8 text"
        raise ModelFileError(str(found), line, column, what) from None
    return read_text(content, str(found), found.parent, allow_python)


def parse_model(content: str, *, name: str = "model", allow_python: bool = False) -> ModelFile:
    """A model file from its text, which cannot name other files."""
    flag(allow_python, "parse_model: allow_python", ModelError)
    if not isinstance(content, str):
        raise ModelError(f"parse_model: the text of a model file is needed, got {shown(content)}")
    return read_text(content, text(name, "parse_model: name", ModelError), None, allow_python)


def model_text(model: Model | ModelFile, *, run: Mapping[str, Any] | None = None, allow_python: bool = False) -> str:
    """The text of a model file, in its canonical form; laws that are Python functions become formulas.

    :param run: entries of [run], such as ``{"end": 5.0, "start": {A.angle: 1.0}}``
    :param allow_python: whether functions that no formula can say may be named as ``{ python = "module:function" }``
    """
    return _written(model, run, allow_python)[0]


def _written(model: Any, run: Mapping[str, Any] | None, allow_python: bool) -> tuple[str, dict[str, Flexibility]]:
    """The text of a model file, and data of flexible bodies by the names of their files."""
    file = model if isinstance(model, ModelFile) else ModelFile(instance(model, Model, "model_text: model", ModelError))
    flag(allow_python, "model_text: allow_python", ModelError)
    entries = {**file.run, **named(run, "model_text: run", ModelError)}
    for key in entries:
        if key not in RUN_FIELDS:
            raise ModelError(f"model_text: [run] has no entry '{key}'; {suggestion(key, RUN_FIELDS)}")
    writer = ModelWriter(file.model, allow_python)
    return writer.text(entries, file.events, file.notes, file.units, file.about), writer.data_files


def save_model(
    model: Model | ModelFile, path: str | Path, *, run: Mapping[str, Any] | None = None, allow_python: bool = False
) -> Path:
    """Write a model file, see :func:`model_text`, and give back its path; data of flexible bodies are written beside
    it, one file for each, ``BODY.npz``."""
    found = file_path(path, "save_model: path", ModelError)
    content, data = _written(model, run, allow_python)
    try:
        for name, one in data.items():
            one.save(found.with_name(name))
        found.write_text(content, encoding="utf-8")
    except OSError as error:
        raise ModelError(f"save_model: '{found}' cannot be written: {error.strerror}") from None
    return found


def example_names() -> list[str]:
    """Names of the model files that come with the package."""
    folder = _examples()
    return sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))


def example(name: str) -> str:
    """The text of a model file that comes with the package."""
    known = example_names()
    if not isinstance(name, str) or name not in known:
        raise ModelError(f"there is no example '{name!s:.60}'; {suggestion(name, known)}")
    return (_examples() / f"{name}.toml").read_text(encoding="utf-8")


def load_example(name: str) -> ModelFile:
    """A model file that comes with the package, with the data that stand beside it."""
    content = example(name)
    with resources.as_file(_examples()) as folder:
        return read_text(content, f"{name}.toml", folder, allow_python=False)


def example_data(name: str) -> dict[str, bytes]:
    """Files with data that an example names, by their names."""
    content = example(name)
    return {one.name: one.read_bytes() for one in _examples().iterdir()
            if one.name.endswith(".npz") and f'"{one.name}"' in content}  # fmt: skip


def _examples() -> Traversable:
    return resources.files("dalembert.io") / "examples"
