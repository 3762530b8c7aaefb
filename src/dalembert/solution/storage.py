"""A solution as a file: NetCDF-3 with 64-bit offsets, which nearly every scientific tool can read.

What has a meaning for other tools are variables with speaking dimensions: ``t(t)``, ``q(coordinate, t)``, … and, as
``coordinate``, ``velocity``, … the names of the rows. Everything else hangs on one global attribute, ``header``: a JSON
object that refers to further variables by name.

NetCDF-3 knows neither 64-bit integers nor dimensions of length zero. An array is therefore stored as itself if it is of
doubles and not empty, and as its bytes otherwise, with type and shape in the header. A check sum over header and
variables tells a damaged file from a sound one.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import secrets
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from dalembert.arguments import existing_file, file_path
from dalembert.solution.appearance_data import appearance_data, read_appearance
from dalembert.solution.dense_output import DenseOutput
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.journal_records import MAGIC, sync_directory
from dalembert.solution.solution import Checkpoint, EventRecord, Sketch, Solution, Statistics
from dalembert.solution.solution_errors import FileFormatError, SolutionError

FORMAT = "dalembert solution"
#: Version 2 has appearances; files of version 1 are read as well.
VERSION = 2
READABLE = (1, 2)

# Dimension of the rows of each array of the motion.
ROWS = {"q": "coordinate", "v": "velocity", "a": "velocity", "lam": "multiplier", "u": "external_state"}
MEANING = {"q": "coordinates", "v": "velocities", "a": "accelerations", "lam": "multipliers", "u": "external states"}
#: Names that promise another format; whatever else stands behind a dot belongs to the name.
OTHER_FORMATS = {".csv", ".h5", ".hdf5", ".html", ".json", ".mat", ".npy", ".npz", ".pickle", ".pkl", ".txt"}
#: Types of arrays: numbers and texts, of a length that fits into a file.
_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|c(8|16)|[SU][1-9]\d{0,8})")
PLAIN = ("success", "status", "outcome", "message", "method", "title", "units", "rtol", "atol", "parameters")


def write(solution: Solution, path: Path, durable: bool = False) -> Path:
    """Store ``solution`` in the file ``path``; ``Solution.save`` tells more. What is ``durable`` outlives a power cut
    once this function has returned."""
    from scipy.io import netcdf_file  # heavy, and needed for files alone

    if path.suffix.lower() in OTHER_FORMATS:
        raise SolutionError(f"cannot store a run as '{path}': its file is NetCDF and must be called *.nc.")
    path = with_suffix(path)
    if not path.parent.is_dir():
        raise SolutionError(f"cannot store a run as '{path}': there is no directory '{path.parent}'.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with netcdf_file(temporary, "w", mmap=False, version=2) as file:
            _FileWriter(file).solution(solution)
        if durable:
            with open(temporary, "rb") as written:
                os.fsync(written.fileno())
        os.replace(temporary, path)
        if durable:
            sync_directory(path.parent)
    except OSError as error:
        raise SolutionError(f"cannot store a run as '{path}': {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    return path


def load(path: str | Path) -> Solution:
    """The run stored in the file ``path`` by ``Solution.save``; or, from its journal, one that has not ended, as far as
    it has come.

    Files may come from anywhere: they are data, of which nothing is executed, and what they say about themselves is
    checked. No more memory is taken than a few times their size.
    """
    from scipy.io import netcdf_file  # heavy, and needed for files alone

    path = file_path(path, "load: path", SolutionError)
    if not path.exists():
        path = existing_file(with_suffix(path), "load", SolutionError)
    try:
        opened = open(path, "rb")
    except OSError as error:
        raise FileFormatError(f"cannot load '{path}': {error.strerror or error}.") from None
    with opened as stream:
        if stream.read(len(MAGIC)) == MAGIC:
            from dalembert.solution.journal import load_journal  # which knows this module

            return load_journal(path)
        stream.seek(0)
        try:
            with netcdf_file(_BoundedStream(stream), "r", mmap=False) as file:
                return _FileReader(file).solution()
        except FileFormatError as error:
            raise FileFormatError(f"cannot load '{path}': {error}") from None
        except Exception as error:  # damaged bytes can make SciPy and us stumble anywhere
            if path.suffix == ".toml":
                raise FileFormatError(f"cannot load '{path}': it is a model file; da.load_model reads these.") from None
            raise FileFormatError(
                f"cannot load '{path}': it is damaged, or not a run stored by Solution.save ({error})."
            ) from error


class _BoundedStream(io.RawIOBase):
    """A file of which each byte is read once at most: sizes that a header declares make nobody allocate more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = os.fstat(stream.fileno()).st_size

    def read(self, size: int = -1, /) -> bytes:
        if not 0 <= size <= self._left:
            raise EOFError("its header promises more than the file holds")
        self._left -= size
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


def with_suffix(path: Path) -> Path:
    """The name of the file of a run."""
    if not path.name:
        raise SolutionError(f"path '{path}' has no name of a file")
    return path if path.suffix == ".nc" else path.with_name(path.name + ".nc")


def statistics_data(statistics: Statistics) -> dict[str, Any]:
    """The work of a run as plain data."""
    return {f.name: getattr(statistics, f.name) for f in fields(Statistics)}


def read_statistics(given: ForeignData) -> Statistics:
    """The work of a run from such data."""
    found: dict[str, Any] = {}
    for key, item in given.entries().items():
        if key == "extra":
            found[key] = {name: one.count() for name, one in item.entries().items()}
        elif key in ("step_min", "step_max"):
            found[key] = None if item.value is None else item.number()
        else:
            found[key] = item.count()
    return Statistics(**found)


def _check_sum(file: Any) -> np.int32:
    check = zlib.crc32(file.header)
    for name, variable in sorted(file.variables.items()):  # SciPy reorders variables when it writes them
        check = zlib.crc32(variable.data.tobytes(), zlib.crc32(name.encode(), check))
    return np.int32(check - 2**31)


class _FileWriter:
    def __init__(self, file: Any) -> None:
        self.file = file

    def solution(self, s: Solution) -> None:
        self.variable("t", s.t, ("t",), long_name="time", units="s")
        for kind, rows in ROWS.items():
            self.variable(kind, getattr(s, kind), (rows, "t"), long_name=MEANING[kind])
            if s.names.get(kind):
                self.labels(rows, s.names[kind])
        header: dict[str, Any] = {key: getattr(s, key) for key in PLAIN}
        header["names"] = {kind: list(names) for kind, names in s.names.items()}
        header["shapes"] = {kind: list(getattr(s, kind).shape) for kind in ROWS}
        header["statistics"] = statistics_data(s.statistics)
        header["t_events"] = list(s.t_events)
        header["events"] = self.events(s)
        header["outputs"] = s.outputs
        header["sketch"] = None if s.sketch is None else {"t": s.sketch.t, "lines": s.sketch.lines}
        header["appearance"] = None if s.appearance is None else appearance_data(s.appearance)
        header["dense"] = None
        if s.sol is not None:
            dense = s.sol.with_algebraic()
            header["dense"] = {
                "t": dense.t,
                "coefficients": dense.coefficients,
                "sizes": list(dense.sizes),
                "algebraic": dense.algebraic,
            }
        if s.checkpoint is not None:
            header["checkpoint"] = {"arrays": s.checkpoint.arrays, "header": s.checkpoint.header}

        text = json.dumps(self.plain(header, ""), separators=(",", ":")).encode("ascii")
        self.file.format = FORMAT.encode()
        self.file.format_version = np.int32(VERSION)
        if s.title:
            self.file.title = s.title.encode(errors="replace")
        self.file.header = text
        self.file.check_sum = _check_sum(self.file)

    def events(self, s: Solution) -> dict[str, Any]:
        # One array per quantity for all events together, not a handful of tiny ones per event.
        table: dict[str, Any] = {
            "index": [int(event.index) for event in s.events],
            "name": [event.name for event in s.events],
            "t": np.array([event.t for event in s.events], dtype=float),
        }
        for kind in ROWS:
            n = getattr(s, kind).shape[0]
            rows = np.empty((len(s.events), n))
            for i, event in enumerate(s.events):
                if np.shape(getattr(event, kind)) != (n,):
                    shape = np.shape(getattr(event, kind))
                    raise SolutionError(
                        f"event '{event.name}' at t = {event.t:g}: {kind} must have shape ({n},); got {shape}."
                    )
                rows[i] = getattr(event, kind)
            table[kind] = rows
        # Zeros where there was no impact, and nothing at all if there was none in the run.
        if any(event.impulse.size for event in s.events):
            table["impulse"] = np.array(
                [event.impulse if event.impulse.size else np.zeros(len(s.lam)) for event in s.events]
            )
        return table

    def plain(self, value: Any, where: str) -> Any:
        """``value`` as JSON can hold it; arrays become variables. ``where`` leads to it, for messages."""
        match value:
            case None | bool() | str():
                return value
            case np.generic() if value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
                return self.plain(value.item(), where)
            case int():
                return int(value)
            case float():
                # JSON has neither NaN nor infinity; the bits keep sign and payload of a NaN.
                return float(value) if math.isfinite(value) else {"$float": struct.pack(">d", value).hex()}
            case np.ndarray():
                return {"$array": self.array(value, where)}
            case Mapping():
                if wrong := [key for key in value if not isinstance(key, str)]:
                    raise SolutionError(f"cannot store {where}: its key {wrong[0]!r} is no string.")
                # A "$" of the user's own is doubled, so that it is not taken for one of ours.
                return {
                    "$" + key if key.startswith("$") else key: self.plain(item, f"{where}.{key}" if where else key)
                    for key, item in value.items()
                }
            case list() | tuple():
                return [self.plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
        raise SolutionError(
            f"cannot store {where}: it is a {type(value).__name__}; numbers, strings, arrays, lists and "
            "dictionaries with strings as keys can be stored."
        )

    def array(self, array: NDArray[Any], where: str) -> dict[str, Any]:
        if array.dtype.kind not in "biufcSU":
            raise SolutionError(f"cannot store {where}: its elements are of type {array.dtype}; numbers are needed.")
        name = base = re.sub(r"\W+", "_", where, flags=re.ASCII)[:60]
        while name in self.file.variables:
            name = f"{base}_{len(self.file.variables)}"
        rows = [f"{name}_{i}" for i in range(array.ndim)]
        if where.startswith("outputs."):
            rows[-1] = "t"
        if array.dtype == np.float64 and array.size and array.ndim:
            self.variable(name, array, rows, long_name=where)
            return {"variable": name}
        array = array.astype(array.dtype.newbyteorder("<"))
        entry = {"dtype": array.dtype.str, "shape": list(array.shape), "variable": None}
        if array.nbytes:
            entry["variable"] = name
            data = np.frombuffer(array.tobytes(), dtype=np.int8)
            self.variable(name, data, [f"{name}_bytes"], long_name=where)
        return entry

    def labels(self, dimension: str, names: Sequence[str]) -> None:
        """Names of rows as a coordinate variable, for tools that select by label; ours are in the header."""
        encoded = np.array([name.encode(errors="replace") or b" " for name in names])
        characters = encoded.view("S1").reshape(len(names), -1)
        self.dimensions(dims := (dimension, f"{dimension}_length"), characters.shape)
        variable = self.file.createVariable(dimension, "c", dims)
        variable[:] = characters
        variable._Encoding = b"utf-8"

    def variable(self, name: str, array: NDArray[Any], dims: Sequence[str], **attributes: str) -> None:
        if not array.size:
            return
        self.dimensions(dims, array.shape)
        variable = self.file.createVariable(name, array.dtype.newbyteorder(">"), tuple(dims))
        variable[:] = array
        for key, text in attributes.items():
            if text:
                setattr(variable, key, text.encode(errors="replace"))

    def dimensions(self, dims: Sequence[str], shape: Sequence[int]) -> None:
        for dimension, n in zip(dims, shape, strict=True):
            if dimension not in self.file.dimensions:
                self.file.createDimension(dimension, n)


class _FileReader:
    def __init__(self, file: Any) -> None:
        self.file, self._left = file, dict(file.variables)

    def solution(self) -> Solution:
        if getattr(self.file, "format", None) != FORMAT.encode():
            raise FileFormatError("it is a NetCDF file, but not a run stored by Solution.save.")
        version = int(self.file.format_version)
        if version not in READABLE:
            raise FileFormatError(
                f"it has format {version} and this version of dalembert reads formats up to {VERSION}; "
                "a newer one may be able to load it."
            )
        if _check_sum(self.file) != self.file.check_sum:
            raise FileFormatError("it is damaged: its check sum is wrong.")
        h = ForeignData(self.value(json.loads(self.file.header)), "header")
        names = {kind: tuple(name.text() for name in listed.items()) for kind, listed in h["names"].entries().items()}
        n_t = h["shapes"]["q"].items()[-1].whole(0)
        motion: dict[str, Any] = {kind: self.motion(kind, h["shapes"][kind], names, n_t) for kind in ROWS}
        sketch, dense, checkpoint = (h.value.get(key) for key in ("sketch", "dense", "checkpoint"))
        appearance = h.value.get("appearance")
        rows = {kind: len(motion[kind]) for kind in ROWS}
        return Solution(
            t=self.data("t") if n_t else np.empty(0),
            **motion,
            names=names,
            statistics=read_statistics(h["statistics"]),
            t_events=[times.array(None) for times in h["t_events"].items()],
            events=self.events(h["events"], rows),
            outputs={name: output.reals(n_t) for name, output in h["outputs"].entries().items()},
            sketch=None if sketch is None else self.sketch(h["sketch"]),
            appearance=None if appearance is None else read_appearance(h["appearance"]),
            sol=None if dense is None else self.dense(h["dense"], rows),
            checkpoint=None if checkpoint is None else self.checkpoint(h["checkpoint"]),
            success=h["success"].flag(),
            status=h["status"].whole(),
            outcome=h["outcome"].text(),
            message=h["message"].text(),
            method=h["method"].text(),
            title=h["title"].text(),
            units={name: unit.text() for name, unit in h["units"].entries().items()},
            rtol=self.tolerance(h["rtol"]),
            atol=self.tolerance(h["atol"]),
            parameters={name: value.value for name, value in h["parameters"].entries().items()},
        )

    def motion(self, kind: str, shape: ForeignData, names: Mapping[str, Sequence[str]], n_t: int) -> NDArray[Any]:
        """Rows of q, v, a, lam or u: as many as have names, so that none are promised that the file does not hold."""
        n = len(names.get("v" if kind == "a" else kind, ()))
        if [length.whole(0) for length in shape.items()] != [n, n_t]:
            raise FileFormatError(
                f"{shape.where} must be [{n}, {n_t}], one row for each name; got {shape.value!r:.60}."
            )
        return ForeignData(self.data(kind).reshape(n, n_t), kind).array(n, n_t) if n * n_t else np.empty((n, n_t))

    def events(self, table: ForeignData, rows: Mapping[str, int]) -> list[EventRecord]:
        index = [one.whole() for one in table["index"].items()]
        names = [one.text() for one in table["name"].items()]
        times = [float(t) for t in table["t"].array(len(index))]
        states = [table[kind].array(len(index), n) for kind, n in rows.items()]
        found = [EventRecord(*row) for row in zip(index, names, times, *states, strict=True)]
        if "impulse" not in table.entries():
            return found
        impulses = table["impulse"].array(len(index), rows["lam"])
        return [replace(one, impulse=impulse) for one, impulse in zip(found, impulses, strict=True)]

    def sketch(self, given: ForeignData) -> Sketch:
        lines = {name: line.array(None, None, None) for name, line in given["lines"].entries().items()}
        return Sketch(given["t"].array(None), lines)

    def dense(self, given: ForeignData, rows: Mapping[str, int]) -> DenseOutput:
        sizes = [rows[kind] for kind in ("q", "v", "u", "lam")]
        if [size.whole() for size in given["sizes"].items()] != sizes:
            raise FileFormatError(f"{given['sizes'].where} must be {sizes}; got {given['sizes'].value!r:.60}.")
        algebraic = None if given["algebraic"].value is None else given["algebraic"].array(None, None, None)
        times, coefficients = given["t"].array(None, finite=True), given["coefficients"].array(None, None, None)
        return DenseOutput(times, coefficients, sizes, None, algebraic)

    def checkpoint(self, given: ForeignData) -> Checkpoint:
        """As it is: whoever resumes it checks it against the equations."""
        arrays = {name: item.value for name, item in given["arrays"].entries().items()}
        return Checkpoint(arrays, {name: item.value for name, item in given["header"].entries().items()})

    def tolerance(self, given: ForeignData) -> float | NDArray[Any]:
        return given.array(None) if isinstance(given.value, np.ndarray) else given.number()

    def value(self, value: Any) -> Any:
        """Inverse of ``_FileWriter.plain``."""
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"$float"}:
            return struct.unpack(">d", bytes.fromhex(value["$float"]))[0]
        if value.keys() == {"$array"}:
            return self.array(ForeignData(value["$array"], "an array of the header"))
        return {key[1:] if key.startswith("$") else key: self.value(item) for key, item in value.items()}

    def array(self, entry: ForeignData) -> NDArray[Any]:
        if "dtype" not in entry.entries():
            return self.data(entry["variable"].text())
        if not _DTYPE.fullmatch(entry["dtype"].text()):
            raise FileFormatError(
                f"{entry['dtype'].where} must be a type of numbers or texts; got {entry.value!r:.80}."
            )
        dtype, shape = np.dtype(entry["dtype"].text()), [length.whole(0, 2**48) for length in entry["shape"].items()]
        data = b"" if entry["variable"].value is None else self.data(entry["variable"].text(), np.int8).tobytes()
        if math.prod(shape) * dtype.itemsize != len(data):
            raise FileFormatError(f"{entry.where} has the shape {shape} and {len(data)} bytes, which do not fit.")
        array = np.frombuffer(data, dtype).reshape(shape) if data else np.zeros(shape, dtype)
        return array.astype(dtype.newbyteorder("="))

    def data(self, name: str, dtype: type = np.float64) -> NDArray[Any]:
        """A variable in the byte order of this machine; each once, as one that stands for many could be long."""
        variable = self._left.pop(name, None)
        if variable is None:
            raise FileFormatError(f"there is no variable '{name:.60}', or it stands for two arrays.")
        if variable.data.dtype.newbyteorder("=") != dtype:
            raise FileFormatError(f"variable '{name:.60}' holds {variable.data.dtype}, not {np.dtype(dtype)}.")
        return variable.data.astype(dtype)
