"""Matrices from OUTPUT4 files of Nastran (.op4), as text and binary, full and sparse.

A matrix has a header: number of columns and rows, form, type, name and, as text, the format of its numbers; then a
record for each column that is not zero, (column, first row, number of words) and its numbers from that row on.  With
the first row 0 it is sparse: strings of numbers, each after (words + 1, row), where the header has a negative number of
rows, or else after row + 65536 (words + 1).  A record of a column that does not exist ends the matrix.  A number of
double precision has two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import file_path, reads_file
from dalembert.elastic.flexibility import Reals
from dalembert.elastic.readers import LARGEST, fault, number_of
from dalembert.errors import ModelError

#: Real types, and how many words a number has.
WORDS = {1: 1, 2: 2}
_WHOLE = re.compile(r"-?[0-9]{1,18}")
#: Rows of strings are below it, their lengths above.
SHIFT = 65536
#: Larger matrices are refused: they would be stored in full.
MOST_ROWS = 20000


@dataclass
class _Header:
    """What stands before the columns of a matrix."""

    name: str
    columns: int
    rows: int
    kind: int
    #: whether strings have their rows and lengths in two numbers
    two: bool

    @property
    def words(self) -> int:
        return WORDS[self.kind]


@reads_file("OP4", ModelError)
def read_op4(path: Any, names: Sequence[str]) -> list[Any]:
    """Matrices of a file by name, sparse."""
    file = file_path(path, "OP4: path", ModelError)
    try:
        if file.stat().st_size > LARGEST:
            raise ModelError(f"OP4 '{file.name}': the file is larger than {LARGEST >> 20} MB")
        content = file.read_bytes()
    except OSError as error:
        raise ModelError(f"OP4 '{file}': cannot be read: {error.strerror or error}") from None
    found = dict(_binary(file, content) if b"\0" in content[:8] else _text(file, content))
    missing = [name for name in names if name not in found]
    if missing:
        listed = ", ".join(sorted(found)) or "none"
        raise ModelError(f"OP4 '{file.name}': there is no matrix {missing[0]}; there are: {listed}")
    return [found[name] for name in names]


def _checked(header: _Header, where: str) -> None:
    if header.kind not in WORDS:
        raise ModelError(f"{where}: {header.name} is complex or of unknown type {header.kind}; real matrices are read")
    if not (0 < header.columns == header.rows <= MOST_ROWS):
        raise ModelError(
            f"{where}: {header.name} has {header.rows} rows and {header.columns} columns; square matrices of at most "
            f"{MOST_ROWS} rows are read"
        )


class _MatrixEntries:
    """Entries of a matrix, column by column."""

    def __init__(self, header: _Header, where: str) -> None:
        self.header, self.where = header, where
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._values: list[Reals] = []

    def add(self, column: int, row: int, values: Reals) -> None:
        """Numbers from a row on, counted from 1."""
        n = self.header.rows
        if not (1 <= column <= n and 1 <= row and row + len(values) - 1 <= n):
            raise ModelError(
                f"{self.where}: {self.header.name} has {n} rows, and {len(values)} numbers from row {row} on in column "
                f"{column}"
            )
        if not np.isfinite(values).all():
            raise ModelError(f"{self.where}: {self.header.name}, column {column}: numbers must be finite")
        self._rows.append(np.arange(row - 1, row - 1 + len(values)))
        self._columns.append(np.full(len(values), column - 1))
        self._values.append(values)

    @property
    def matrix(self) -> Any:
        from scipy import sparse

        n = self.header.rows
        if not self._values:
            return sparse.csr_array((n, n))
        parts = tuple(np.concatenate(one) for one in (self._values, self._rows, self._columns))
        found = sparse.coo_array((parts[0], parts[1:]), shape=(n, n)).tocsr()
        found.eliminate_zeros()
        return found


# ---------------------------------------------------------------------------------------------------------------- text


def _text(file: Path, content: bytes) -> Iterator[tuple[str, Any]]:
    lines = content.decode("utf-8", errors="replace").splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        line, after = lines[at], 0
        if line.rstrip().endswith("|I16"):  # two longer numbers
            line, after = line.rstrip()[:-4], 8
        starts = [0, 8 + after, 16 + 2 * after, 24 + 2 * after, 32 + 2 * after]
        sizes = [_whole(line[a:b]) for a, b in pairwise(starts)]
        line = line[starts[-1] :]
        width = _width(line[8:])
        if any(size is None for size in sizes) or width is None:
            raise fault(
                "OP4",
                file,
                at + 1,
                f"expected four numbers, a name and a format such as 1P,3E23.16; got {lines[at][:60]!r}",
            )
        columns, rows, _, kind = (int(size) for size in sizes if size is not None)
        header = _Header(line[:8].strip().upper(), columns, abs(rows), kind, rows < 0)
        where = f"OP4 '{file.name}', line {at + 1}"
        _checked(header, where)
        matrix = _MatrixEntries(header, where)
        at = _text_columns(file, lines, at + 1, matrix, width)
        yield header.name, matrix.matrix


def _text_columns(file: Path, lines: list[str], at: int, matrix: _MatrixEntries, width: int) -> int:
    """Read columns up to the one behind the last; the line after it."""
    header = matrix.header
    while True:
        column, row, words = _heads(file, lines, at, 3)
        at += 1
        if column > header.columns:
            return _text_numbers(file, lines, at, 1, width)[1]
        if row > 0:
            values, at = _text_numbers(file, lines, at, words, width)
            matrix.add(column, row, values)
            continue
        while words > 0:
            if header.two:
                length, row = _heads(file, lines, at, 2)
                length -= 1
                words -= length + 2
            else:
                (both,) = _heads(file, lines, at, 1)
                length, row = both // SHIFT - 1, both % SHIFT
                words -= length + 1
            if length <= 0 or length % header.words:
                raise fault("OP4", file, at + 1, f"{header.name}: a string of {length} words")
            values, at = _text_numbers(file, lines, at + 1, length // header.words, width)
            matrix.add(column, row, values)


def _heads(file: Path, lines: list[str], at: int, count: int) -> tuple[int, ...]:
    if at >= len(lines):
        raise fault("OP4", file, len(lines), "the file ends within a matrix; is it cut?")
    found = [_whole(word) for word in lines[at].split()]
    if len(found) != count or any(one is None for one in found):
        raise fault("OP4", file, at + 1, f"expected {count} whole numbers, got {lines[at][:60]!r}")
    return tuple(one for one in found if one is not None)


def _text_numbers(file: Path, lines: list[str], at: int, count: int, width: int) -> tuple[Reals, int]:
    """As many numbers, and the line after them."""
    values: list[float] = []
    while len(values) < count:
        if at >= len(lines):
            raise fault("OP4", file, len(lines), "the file ends within a matrix; is it cut?")
        line = lines[at].rstrip()
        for k in range(0, len(line), width):
            value = number_of(line[k : k + width])
            if value is None:
                raise fault("OP4", file, at + 1, f"expected numbers of {width} characters, got {line[:60]!r}")
            values.append(value)
        at += 1
    if len(values) != count:
        raise fault("OP4", file, at, f"{count} numbers were announced, {len(values)} were found")
    return np.array(values), at


def _whole(word: str) -> int | None:
    """A whole number as files have it, or None."""
    word = word.strip()
    return int(word) if _WHOLE.fullmatch(word) else None


def _width(text: str) -> int | None:
    """Characters of a number, of a format such as 1P,3E23.16 or 5E16.9."""
    _, letter, after = text.strip().upper().replace("D", "E").rpartition("E")
    digits = after.partition(".")[0]
    return int(digits) if letter and re.fullmatch("[0-9]{1,2}", digits) and 8 <= int(digits) <= 40 else None


# -------------------------------------------------------------------------------------------------------------- binary


def _binary(file: Path, content: bytes) -> Iterator[tuple[str, Any]]:
    where = f"OP4 '{file.name}'"
    if len(content) < 4:
        raise ModelError(f"{where}: the file has only {len(content)} bytes; is it cut?")
    order = next((one for one in "<>" if np.frombuffer(content[:4], f"{one}i4")[0] == 24), None)
    if order is None:
        raise ModelError(
            f"{where}: its first record has not 24 bytes; binary files with numbers of 8 bytes (ILP-64) are not read: "
            "write it FORMATTED, as text"
        )
    records = list(_records(where, content, order))
    at = 0
    while at < len(records):
        head = records[at]
        if len(head) != 24:
            raise ModelError(f"{where}: expected the header of a matrix, got a record of {len(head)} bytes")
        columns, rows, _, kind = np.frombuffer(head[:16], f"{order}i4").tolist()
        name = head[16:].decode("ascii", errors="replace").strip().upper()
        header = _Header(name, columns, abs(rows), kind, rows < 0)
        _checked(header, where)
        matrix = _MatrixEntries(header, where)
        at += 1
        while True:
            if at >= len(records) or len(records[at]) < 12:
                raise ModelError(f"{where}: the file ends within {name}; is it cut?")
            record = records[at]
            column, row, words = np.frombuffer(record[:12], f"{order}i4").tolist()
            at += 1
            if column > header.columns:
                break
            if len(record) != 12 + 4 * words:
                raise ModelError(f"{where}: {name}, column {column}: {words} words were announced")
            _binary_column(matrix, column, row, record[12:], order)
        yield name, matrix.matrix


def _records(where: str, content: bytes, order: str) -> Iterator[bytes]:
    """Records of Fortran, each between two lengths."""
    at = 0
    while at < len(content):
        size = int(np.frombuffer(content[at : at + 4].ljust(4, b"\0"), f"{order}i4")[0])
        end = at + 4 + size
        if size < 0 or content[end : end + 4] != content[at : at + 4]:
            raise ModelError(f"{where}: a record at byte {at} does not end where it says; is the file cut?")
        yield content[at + 4 : end]
        at = end + 4


def _binary_column(matrix: _MatrixEntries, column: int, row: int, data: bytes, order: str) -> None:
    header = matrix.header
    size, kind = 4 * header.words, f"{order}f{4 * header.words}"

    def add(first: int, numbers: bytes) -> None:
        if len(numbers) % size:
            raise ModelError(f"{matrix.where}: {header.name}, column {column}: {len(numbers)} bytes of numbers")
        matrix.add(column, first, np.frombuffer(numbers, kind).astype(float))

    if row > 0:
        add(row, data)
        return
    at, head = 0, 8 if header.two else 4
    while at < len(data):
        found = np.frombuffer(data[at : at + head].ljust(head, b"\0"), f"{order}i4").tolist()
        length, first = (found[0] - 1, found[1]) if header.two else (found[0] // SHIFT - 1, found[0] % SHIFT)
        end = at + head + 4 * length
        if length <= 0 or end > len(data):
            raise ModelError(f"{matrix.where}: {header.name}, column {column}: a string of {length} words")
        add(first, data[at + head : end])
        at = end
