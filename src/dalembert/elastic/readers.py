"""Finite elements from files: what all formats share.

Files are data: they are read line by line as texts and numbers, and what is not understood is refused with its line and
a remedy.  Nothing in them is executed.

=========================  ===========================================================================
``read_matrix_market``     two Matrix Market files and a table of nodes: every program can write them
``read_abaqus``            ``*MATRIX GENERATE`` of Abaqus, mass and stiffness with labels of nodes
``read_nastran``           Nastran: DMIG of a punch file, or OP4, text or binary
``read_mbdyn``             MBDyn's FEM file: a body that is reduced already
=========================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.arguments import file_path, reads_file
from dalembert.elastic.flexibility import Reals
from dalembert.errors import ModelError

#: Files larger than this are refused.
LARGEST = 1 << 30


def lines_of(path: Any, what: str) -> tuple[Path, list[str]]:
    """The lines of a text file."""
    file = file_path(path, f"{what}: path", ModelError)
    try:
        if file.stat().st_size > LARGEST:
            raise ModelError(f"{what} '{file.name}': the file is larger than {LARGEST >> 20} MB")
        return file, file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ModelError(f"{what} '{file}': cannot be read: {error.strerror or error}") from None


def fault(what: str, file: Path, number: int, reason: str) -> ModelError:
    """An error that names file and line, counted from 1."""
    return ModelError(f"{what} '{file.name}', line {number}: {reason}")


def number_of(word: str) -> float | None:
    """A number as Fortran or C writes it, or None."""
    try:
        found = float(word.strip().replace("D", "E").replace("d", "e"))
    except ValueError:
        return None
    return found if np.isfinite(found) else None


def is_whole(word: str) -> bool:
    """Whether a word is a whole number without sign, of a size that files may have."""
    return word.isascii() and word.isdigit() and len(word) <= 18


def rows_of_numbers(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and words of lines that are neither empty nor comments."""
    for number, line in enumerate(lines, start=1):
        line = line.split("#")[0].strip()
        if line and not line.startswith(("%", "!", "**")):
            yield number, line.replace(",", " ").replace(";", " ").split()


@reads_file("nodes", ModelError)
def read_nodes(path: Any) -> tuple[tuple[str, ...], Reals]:
    """Names and places of nodes from a table: a line for each, name and 2 or 3 numbers, separated by commas or spaces.

    A first line without numbers is a heading; comments begin with # or %.
    """
    what = "nodes"
    file, lines = lines_of(path, what)
    names: list[str] = []
    places: list[list[float]] = []
    for number, words in rows_of_numbers(lines):
        values = [number_of(word) for word in words[1:]]
        if not places and not names and all(value is None for value in values):
            continue  # the heading
        if any(value is None for value in values) or len(values) not in (2, 3):
            raise fault(what, file, number, f"expected a name and 2 or 3 numbers, got {' '.join(words)[:60]!r}")
        if places and len(values) != len(places[0]):
            raise fault(what, file, number, f"{len(values)} coordinates, where lines before have {len(places[0])}")
        names.append(words[0])
        places.append([value for value in values if value is not None])
    if not places:
        raise ModelError(f"{what} '{file.name}': no nodes were found; write a line 'name, x, y, z' for each")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelError(f"{what} '{file.name}': the node '{twice}' is listed twice")
    return tuple(names), np.array(places)
