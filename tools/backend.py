"""How the package is built: hatchling's ways, and object code of kernels in wheels (tools/objects.py).

``DALEMBERT_OBJECTS`` says which kernels are compiled while a wheel is built:

``first``
    Those of a first run, for this processor: what ``pip install .`` does.  Numba compiles the others when they are
    first used, so it is a dependency.
``all``
    All kernels, for this processor.
``none``
    No kernels: each is compiled when it is first used.
``published``
    All kernels, for all processors that wheels serve: ``make wheel``.  On Linux nothing needs Numba then.

An editable installation gets none here; ``make`` compiles what its targets need.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling import build as hatchling
from hatchling.metadata.plugin.interface import MetadataHookInterface

build_editable = hatchling.build_editable
build_sdist = hatchling.build_sdist
get_requires_for_build_editable = hatchling.get_requires_for_build_editable
get_requires_for_build_sdist = hatchling.get_requires_for_build_sdist
ROOT = Path(__file__).parents[1]
#: Arguments of tools/objects.py.
KERNELS = {"first": ["--kernels", "first"], "all": [], "none": None, "published": ["--levels", "published"]}
#: What of that is announced.
ANNOUNCED = {
    "first": "the kernels of a first run, which takes about half a minute",
    "all": "all kernels, which takes minutes",
    "published": "all kernels for all processors, which takes minutes",
}


class Dependencies(MetadataHookInterface):
    """Dependencies of the package: Numba where something is left to compile."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them to the metadata of the project."""
        needs_numba = self.config["numba-if-all-kernels-come-along" if _chosen() == "published" else "numba"]
        metadata["dependencies"] = [*self.config["dependencies"], needs_numba]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What kernels are compiled with, besides."""
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["metadata"]["hooks"]
    compilers = [] if KERNELS[_chosen()] is None else [*hook["custom"]["dependencies"], hook["custom"]["numba"]]
    return [*hatchling.get_requires_for_build_wheel(config_settings), *compilers]


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """A wheel with the kernels that were asked for."""
    arguments = KERNELS[_chosen()]
    if arguments is not None:
        _say(f"compiling {ANNOUNCED[_chosen()]}; DALEMBERT_OBJECTS=none would leave that to first use")
        subprocess.run([sys.executable, str(ROOT / "tools" / "objects.py"), *arguments], check=True)
    return hatchling.build_wheel(wheel_directory, config_settings, metadata_directory)


def _say(text: str) -> None:
    """A line on the terminal, if there is one: pip shows nothing of what a build prints."""
    with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:
        print(f"\ndalembert: {text}", file=terminal)


def _chosen() -> str:
    chosen = os.environ.get("DALEMBERT_OBJECTS", "first")
    if chosen not in KERNELS:
        raise SystemExit(f"DALEMBERT_OBJECTS is '{chosen}'; it can be {', '.join(KERNELS)}")
    return chosen
