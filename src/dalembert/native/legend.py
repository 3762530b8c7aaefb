"""Legends: names for places, bits and codes that kernels share, each declared once, with what it means.

``word = Legend("words of a tree", N_LINKS="number of links", …)`` numbers the names in their order; kernels write
``work[word.N_LINKS]``.  A legend is a module to Python and to Numba, so its names are constants of compiled code; it
must be a global of the module that uses it.  :func:`legends` lists all of them, for the page of the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

_legends: dict[str, Legend] = {}


class Legend(ModuleType):
    """Numbered names with their meanings.

    The k-th name stands for ``first + k``, or with ``bits`` for ``1 << k``.  ``sizes`` says of which names more than
    one place belongs to them.
    """

    def __init__(
        self,
        title: str,
        /,
        meanings: Mapping[str, str] | None = None,
        *,
        first: int = 0,
        bits: bool = False,
        sizes: Mapping[str, int] | None = None,
        **named: str,
    ) -> None:
        super().__init__(title.replace(" ", "_"), title)
        self.title = title
        self.meanings: Mapping[str, str] = {**(meanings or {}), **named}
        self.values: dict[str, int] = {}
        place = first
        for k, name in enumerate(self.meanings):
            if name in ("title", "meanings", "values", "end"):
                raise ValueError(f"legend '{title}': the name '{name}' is taken")
            self.values[name] = 1 << k if bits else place
            setattr(self, name, self.values[name])
            place += (sizes or {}).get(name, 1)
        self.end = place
        if title in _legends:
            raise ValueError(f"there are two legends '{title}'")
        _legends[title] = self


def legends() -> Mapping[str, Legend]:
    """All legends of the modules that were imported so far, by title."""
    return dict(_legends)
