"""Data from anywhere: each value is asked for as what it must be, and refused with its place if it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dalembert.solution.solution_errors import FileFormatError

_LARGEST = int(np.finfo(float).max)


class ForeignData:
    """A value as JSON has it, or an array; ``where`` leads to it, for messages."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def _wrong(self, wanted: str) -> FileFormatError:
        found = f"an array of shape {self.value.shape}" if isinstance(self.value, np.ndarray) else f"{self.value!r:.60}"
        return FileFormatError(f"{self.where} must be {wanted}; got {found}.")

    def entries(self) -> dict[str, ForeignData]:
        """Those of a mapping, by name."""
        if not isinstance(self.value, Mapping) or not all(isinstance(key, str) for key in self.value):
            raise self._wrong("a mapping with names as keys")
        return {key: ForeignData(item, f"{self.where}.{key}") for key, item in self.value.items()}

    def __getitem__(self, key: str) -> ForeignData:
        """What a mapping has under a name."""
        if not isinstance(self.value, Mapping):
            raise self._wrong("a mapping")
        if key not in self.value:
            raise FileFormatError(f"{self.where} lacks '{key}'.")
        return ForeignData(self.value[key], f"{self.where}.{key}")

    def items(self) -> list[ForeignData]:
        """Those of a list."""
        if not isinstance(self.value, (list, tuple)):
            raise self._wrong("a list")
        return [ForeignData(item, f"{self.where}[{i}]") for i, item in enumerate(self.value)]

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self._wrong("a text")
        return self.value

    def flag(self) -> bool:
        """Yes or no."""
        if not isinstance(self.value, (bool, np.bool_)):
            raise self._wrong("true or false")
        return bool(self.value)

    def whole(self, least: int | None = None, most: int | None = None) -> int:
        """A whole number between bounds."""
        good = isinstance(self.value, (int, np.integer)) and not isinstance(self.value, bool)
        if not good or (least is not None and self.value < least) or (most is not None and self.value > most):
            limits = " ".join(f"{word} {n}" for word, n in (("from", least), ("to", most)) if n is not None)
            raise self._wrong(f"a whole number {limits}".rstrip())
        return int(self.value)

    def number(self, finite: bool = False) -> float:
        """A real number."""
        good = isinstance(self.value, (int, float, np.integer, np.floating)) and not isinstance(self.value, bool)
        if good and isinstance(self.value, int):
            good = abs(self.value) <= _LARGEST
        if not good or (finite and not np.isfinite(self.value)):
            raise self._wrong("a finite number" if finite else "a number")
        return float(self.value)

    def count(self) -> int | float:
        """A number that stays whole if it is."""
        return self.whole() if isinstance(self.value, (int, np.integer)) else self.number()

    def reals(self, n: int) -> NDArray[np.float64]:
        """One row of reals, or several rows, of length ``n``."""
        several = isinstance(self.value, np.ndarray) and self.value.ndim == 2
        return self.array(None, n) if several else self.array(n)

    def array(self, *shape: int | None, whole: bool = False, finite: bool = False) -> NDArray[Any]:
        """An array of reals, or of whole numbers, of a shape in which None stands for any length."""
        kind = np.int64 if whole else np.float64
        fits = (
            isinstance(self.value, np.ndarray)
            and self.value.dtype == kind
            and self.value.ndim == len(shape)
            and all(n is None or n == m for n, m in zip(shape, self.value.shape, strict=True))
        )
        if not fits:
            lengths = ", ".join("n" if n is None else str(n) for n in shape)
            raise self._wrong(f"an array of {'whole' if whole else 'real'} numbers of shape ({lengths})")
        if finite and not np.isfinite(self.value).all():
            raise FileFormatError(f"{self.where} must be finite numbers.")
        return cast("NDArray[Any]", self.value)
