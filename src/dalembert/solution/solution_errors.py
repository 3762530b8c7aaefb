"""Exceptions of stored and computed runs.

SolutionError            arrays, names or times of a solution do not fit together (also a ``ValueError``)
├── UnknownNameError     a name that the run does not have (also a ``KeyError``)
└── FileFormatError      a file that is no stored run, or a damaged one
"""

from __future__ import annotations

from dalembert.errors import DalembertError


class SolutionError(DalembertError, ValueError):
    """Arrays, names or times of a solution do not fit together."""


class UnknownNameError(SolutionError, KeyError):
    """A solution was asked for a name that it does not have."""

    def __str__(self) -> str:  # KeyError would print the message with quotes around it
        return str(self.args[0]) if self.args else ""


class FileFormatError(SolutionError):
    """A file is not a stored run, or a damaged one."""
