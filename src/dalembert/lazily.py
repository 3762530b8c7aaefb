"""Names of a package that are imported when they are first asked for: whoever needs one part does not wait for all.

A package says where its names come from, ``__getattr__, __dir__ = lazily(__name__, {"track": "Track", …})``; the same
imports stand under ``TYPE_CHECKING``, for whatever reads types.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def imported(module: str) -> ModuleType:
    """A module of this package; garbage is not looked for meanwhile, which would take an eighth of the time."""
    looking = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        if looking:
            _settle()
            gc.enable()


def _settle() -> None:
    """Take all objects that there are for old ones: those of modules stay, and to look through them twice before they
    are taken for old takes a twelfth of a first run.  What somebody has frozen stays so."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


def lazily(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package, whose modules ``homes`` lists with the names that they have."""
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(imported(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return get, names
