"""Records of a journal: what is written while a run goes, so that no end of a process or of a disk destroys it.

A journal only grows. All records are alike, little-endian, and start at multiples of eight bytes::

     0  4  magic, "DAJ1"                    24    n  payload
     4  4  kind: HEAD, STEP, MARK or DONE   24+n  4  CRC-32 of the bytes 0 … 24+n
     8  8  number of the record             then zeros up to a multiple of eight
    16  8  length n of the payload

A payload is the length of a JSON text in four bytes, the text, and the numbers of arrays one behind the other, whose
names, types and shapes are in the text. A reader takes records as long as all of this holds, and nothing behind the
first one for which it does not.
"""

from __future__ import annotations

import json
import math
import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.solution.solution_errors import FileFormatError

MAGIC = b"DAJ1"
HEAD, STEP, MARK, DONE = b"HEAD", b"STEP", b"MARK", b"DONE"
KINDS = (HEAD, STEP, MARK, DONE)
_FRONT = struct.Struct("<4s4sQQ")
_LENGTH = struct.Struct("<I")
_TYPES = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8")}
#: Buffers that one call of writev takes everywhere.
_PARTS = 16
#: How often, and after how many seconds each, a writer asks again for the lock.
_TRIALS, _MOMENT = 10, 0.02


@dataclass(frozen=True)
class Record:
    """A record whose check sum holds, and where it lies in its file."""

    kind: bytes
    payload: memoryview
    end: int

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The JSON object and the arrays by name, which are views."""
        (size,) = _LENGTH.unpack_from(self.payload)
        at = _LENGTH.size + size
        if at > len(self.payload):
            raise FileFormatError("the text of a record is longer than the record.")
        header = json.loads(bytes(self.payload[_LENGTH.size : at]))
        arrays: dict[str, NDArray[Any]] = {}
        for name, kind, shape in header.pop("arrays"):
            dtype = _TYPES[kind]
            if not all(isinstance(n, int) and n >= 0 for n in shape):
                raise FileFormatError(f"the shape of '{name:.40}' must be whole numbers.")
            count = math.prod(shape)
            if count * dtype.itemsize > len(self.payload) - at:
                raise FileFormatError(f"'{name:.40}' is longer than its record.")
            arrays[name] = np.frombuffer(self.payload, dtype, count, at).reshape(shape)
            at += count * dtype.itemsize
        return header, arrays


def packed(kind: bytes, number: int, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> list[Any]:
    """A record as buffers that follow each other in the file; arrays are of doubles or of 64-bit integers."""
    tight = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    listed = [[name, f"{array.dtype.kind}8", list(array.shape)] for name, array in tight.items()]
    text = json.dumps({**header, "arrays": listed}, separators=(",", ":")).encode("ascii")
    text += b" " * (-(_FRONT.size + _LENGTH.size + len(text)) % 8)  # so that arrays are aligned
    parts = [array.reshape(-1).data.cast("B") for array in tight.values() if array.size]
    size = _LENGTH.size + len(text) + sum(part.nbytes for part in parts)
    front = _FRONT.pack(MAGIC, kind, number, size) + _LENGTH.pack(len(text)) + text
    check = zlib.crc32(front)
    for part in parts:
        check = zlib.crc32(part, check)
    return [front, *parts, _LENGTH.pack(check) + bytes(-(size + _LENGTH.size) % 8)]


def scanned(data: memoryview) -> Iterator[Record]:
    """The records of a file, up to the first one that is incomplete or damaged."""
    at, number = 0, 0
    while len(data) - at >= _FRONT.size + 2 * _LENGTH.size:
        magic, kind, found, size = _FRONT.unpack_from(data, at)
        end = at + _FRONT.size + size
        whole = end + _LENGTH.size + -(size + _LENGTH.size) % 8
        fits = magic == MAGIC and kind in KINDS and found == number and size >= _LENGTH.size and whole <= len(data)
        if not fits or zlib.crc32(data[at:end]) != _LENGTH.unpack_from(data, end)[0]:
            return
        if any(data[end + _LENGTH.size : whole]):
            return
        yield Record(kind, data[at + _FRONT.size : end], whole)
        at, number = whole, number + 1


def write_whole(file: int, parts: list[Any]) -> None:
    """Write buffers behind each other, however little the system takes at a time."""
    left = [memoryview(part) for part in parts]
    while left:
        written = os.writev(file, left[:_PARTS])
        while left and written >= left[0].nbytes:
            written -= left.pop(0).nbytes
        if written:
            left[0] = left[0][written:]


def lock(file: int, shared: bool = False) -> bool:
    """Take a file for this process alone, or with others that only look, until it is closed; False if somebody has it.
    A lock dies with its process. Where a system has no such locks, nobody is kept out."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover
        return True
    for _ in range(1 if shared else _TRIALS):  # those who look have it for a moment only
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            time.sleep(0.0 if shared else _MOMENT)
        else:
            return True
    return False


def sync_directory(folder: Any) -> None:
    """Make the names in a directory outlive a power cut, where the system can."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
