"""Records of a journal: what is written while a run goes, so that no end of a process or of a disk destroys it.

A journal only grows. All records are alike, little-endian, and multiples of eight bytes long::

     0  4  magic, "DAJ2"                    24    n  payload
     4  4  kind: HEAD, STEP, MARK or DONE   24+n  8  check sum of the bytes 0 … 24+n
     8  8  number of the record
    16  8  length n of the payload

A payload is the length of a JSON text in four bytes, the text, and the numbers of arrays one behind the other, whose
names, types and shapes are in the text. A reader takes records as long as all of this holds, and nothing behind the
first one for which it does not.

The check sum is one of words w of eight bytes, modulo 2⁶⁴: blocks of 8192 words are summed up with fixed odd weights,
Σ wᵢ cᵢ, and after each block the sum of all so far is multiplied by an odd number. A word that is not as it was changes
it for sure; anything else with a probability of 1 − 2⁻⁶⁴. Vector operations do it at 0.1 ns a byte, a fifth of what
CRC-32 takes.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.solution.solution_errors import FileFormatError

MAGIC = b"DAJ2"
HEAD, STEP, MARK, DONE = b"HEAD", b"STEP", b"MARK", b"DONE"
KINDS = (HEAD, STEP, MARK, DONE)
_FRONT = struct.Struct("<4s4sQQ")
_LENGTH = struct.Struct("<I")
_CHECK = struct.Struct("<Q")
_TYPES = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8")}
#: Words in a block of the check sum, the factor after each, and 2⁶⁴ − 1.
_WORDS, _FACTOR, _MASK = 8192, 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
#: Bytes in a block of a disk, and those that are gathered before they are written.
BLOCK, _STAGE = 4096, 4 << 20
#: Bytes that are read at a time.
_PORTION = 1 << 26
#: How often, and after how many seconds each, a writer asks again for the lock.
_TRIALS, _MOMENT = 10, 0.02
#: An array, or parts of it one behind the other.
Parts = NDArray[Any] | Sequence[NDArray[Any]]


@cache
def _weights() -> NDArray[np.uint64]:
    """Odd numbers without order: those of the generator splitmix64."""
    z = np.arange(1, _WORDS + 1, dtype=np.uint64) * np.uint64(_FACTOR)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)


class CheckSum:
    """The check sum of words that come in portions."""

    def __init__(self) -> None:
        self.value = self._at = 0

    def add(self, words: NDArray[np.uint64]) -> None:
        """Further words."""
        weights = _weights()
        while words.size:
            if self._at == 0 and words.size >= _WORDS:
                whole = words.size // _WORDS
                for one in np.dot(words[: whole * _WORDS].reshape(whole, _WORDS), weights).tolist():
                    self.value = (self.value + one) * _FACTOR & _MASK
                words = words[whole * _WORDS :]
                continue
            n = min(_WORDS - self._at, words.size)
            self.value = (self.value + int(np.dot(words[:n], weights[self._at : self._at + n]))) & _MASK
            self._at, words = self._at + n, words[n:]
            if self._at == _WORDS:
                self.value, self._at = self.value * _FACTOR & _MASK, 0


def _words(data: Any, start: int, end: int) -> NDArray[np.uint64]:
    return np.frombuffer(data, "<u8", (end - start) // 8, start)


class Content(NamedTuple):
    """What a record says."""

    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Record:
    """A record whose check sum holds, and where it lies in its file."""

    kind: bytes
    payload: memoryview
    end: int

    def content(self) -> Content:
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
        return Content(header, arrays)


class _Outline:
    """A record that is to be written: its front and text, and the parts of its arrays."""

    def __init__(self, kind: bytes, number: int, header: Mapping[str, Any], arrays: Mapping[str, Parts]) -> None:
        self.kind, self.number, self.parts = kind, number, []
        listed = []
        for name, given in arrays.items():
            parts = [given] if isinstance(given, np.ndarray) else list(given)
            shape = [sum(map(len, parts)), *parts[0].shape[1:]] if parts[0].ndim else []
            listed.append([name, f"{parts[0].dtype.kind}8", shape])
            self.parts += [part for part in parts if part.size]
        self.text = json.dumps({**header, "arrays": listed}, separators=(",", ":")).encode("ascii")
        self.lengthen(-(_FRONT.size + _LENGTH.size + len(self.text)) % 8)  # so that arrays are aligned

    def lengthen(self, size: int) -> None:
        """Blanks behind the text."""
        self.text += b" " * size

    @property
    def payload(self) -> int:
        return _LENGTH.size + len(self.text) + sum(part.nbytes for part in self.parts)

    @property
    def length(self) -> int:
        """Bytes of the whole record."""
        return _FRONT.size + self.payload + _CHECK.size

    @property
    def front(self) -> bytes:
        start = _FRONT.pack(MAGIC, self.kind, self.number, self.payload)
        return start + _LENGTH.pack(len(self.text)) + self.text


def packed(kind: bytes, number: int, header: Mapping[str, Any], arrays: Mapping[str, Parts]) -> bytes:
    """A record; arrays are of doubles or of 64-bit integers."""
    outline, check = _Outline(kind, number, header, arrays), CheckSum()
    found = outline.front + b"".join(np.ascontiguousarray(part).tobytes() for part in outline.parts)
    check.add(_words(found, 0, len(found)))
    return found + _CHECK.pack(check.value)


def scanned(data: memoryview) -> Iterator[Record]:
    """The records of a file, up to the first one that is incomplete or damaged."""
    at, number = 0, 0
    while len(data) - at >= _FRONT.size + 2 * _CHECK.size:
        magic, kind, found, size = _FRONT.unpack_from(data, at)
        end = at + _FRONT.size + size
        fits = magic == MAGIC and kind in KINDS and found == number and size >= _CHECK.size and size % 8 == 0
        if not fits or end + _CHECK.size > len(data):
            return
        check = CheckSum()
        check.add(_words(data, at, end))
        if check.value != _CHECK.unpack_from(data, end)[0]:
            return
        yield Record(kind, data[at + _FRONT.size : end], end + _CHECK.size)
        at, number = end + _CHECK.size, number + 1


class RecordFile:
    """Records that are appended to a file.

    They are gathered in whole blocks of the disk, which are written past the cache of the system where it can do that:
    pages for a cache cost a run more than all the rest, up to 4 ns a byte where memory is that of a virtual machine,
    against 0.1 ns.
    """

    def __init__(self, file: int, end: int = 0, records: int = 0) -> None:
        self.file, self.end, self.records = file, end, records
        #: bytes that were appended at last
        self.last = 0
        self._stage = mmap.mmap(-1, _STAGE)  # begins with a page
        self._filled = 0
        self._direct = _pass_cache(file, True)

    def append(self, contents: Sequence[tuple[bytes, Mapping[str, Any], Mapping[str, Parts]]]) -> None:
        """Write records, each of them its kind, header and arrays; the last one is lengthened to the end of a block."""
        outlines = [_Outline(kind, self.records + k, *rest) for k, (kind, *rest) in enumerate(contents)]
        outlines[-1].lengthen(-(self.end + sum(one.length for one in outlines)) % BLOCK)
        self._filled = 0
        for one in outlines:
            check = CheckSum()
            self._put_bytes(one.front, check)
            for part in one.parts:
                self._put(part, check)
            self._put_bytes(_CHECK.pack(check.value), check)
        self._write(self._filled)
        self.last = sum(one.length for one in outlines)
        self.end += self.last
        self.records += len(outlines)

    def _put_bytes(self, data: bytes, check: CheckSum) -> None:
        self._put(np.frombuffer(data, "<u8"), check)

    def _put(self, part: NDArray[Any], check: CheckSum) -> None:
        """Copy the rows of an array into the stage, however they lie in memory, and write that when it is full."""
        row = part.nbytes // len(part) if part.ndim else part.nbytes
        if row > _STAGE - BLOCK:  # one row is more than there is room for
            part, row = np.ascontiguousarray(part).reshape(-1), 8
        part = part.reshape(1) if part.ndim == 0 else part
        while len(part):
            n = min((_STAGE - self._filled) // row, len(part))
            if n == 0:
                self._write(self._filled // BLOCK * BLOCK)
                continue
            there = np.frombuffer(self._stage, part.dtype, n * row // 8, self._filled)
            np.copyto(there.reshape(n, *part.shape[1:]), part[:n])
            check.add(there.view(np.uint64))
            self._filled, part = self._filled + n * row, part[n:]

    def _write(self, size: int) -> None:
        """Write so many bytes of the stage, and move the rest to its beginning."""
        at = 0
        while at < size:
            try:
                at += os.write(self.file, memoryview(self._stage)[at:size])
            except OSError:
                if not self._direct:
                    raise
                self._direct = _pass_cache(self.file, False)  # this disk, or this place, asks for something else
        rest = self._filled - size
        self._stage[:rest] = self._stage[size : self._filled]
        self._filled = rest


def _pass_cache(file: int, whether: bool) -> bool:
    """Let writes of whole blocks go past the cache of the system, or not; whether they do."""
    try:
        import fcntl

        flags = fcntl.fcntl(file, fcntl.F_GETFL)
        fcntl.fcntl(file, fcntl.F_SETFL, flags | os.O_DIRECT if whether else flags & ~os.O_DIRECT)
    except (ImportError, AttributeError, OSError):
        return False
    return whether


def whole_content(file: int, mapped: bool) -> memoryview:
    """All that a file holds; ``mapped``: a view of the file itself, for those who keep others from shortening it."""
    size = os.fstat(file).st_size
    if mapped and size:
        return memoryview(mmap.mmap(file, size, access=mmap.ACCESS_READ))
    data, at = bytearray(size), 0
    while at < size and (part := os.pread(file, min(size - at, _PORTION), at)):
        data[at : at + len(part)] = part
        at += len(part)
    return memoryview(data)[:at]


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


def unlock(file: int) -> None:
    """Let a file go, also where something is left that is a view of it."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)


def sync_directory(folder: Any) -> None:
    """Make the names in a directory outlive a power cut, where the system can."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
