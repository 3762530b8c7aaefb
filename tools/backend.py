"""How the package is built: hatchling's ways, and in wheels the object code of all kernels (tools/objects.py).

``DALEMBERT_OBJECTS`` says for which levels of processors: ``host`` (what ``pip install .`` needs), ``all`` (what is
published, ``make wheel``), or ``none``.  An editable installation gets none here; ``make`` makes them once, in its
set-up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling import build as hatchling

build_editable = hatchling.build_editable
build_sdist = hatchling.build_sdist
get_requires_for_build_editable = hatchling.get_requires_for_build_editable
get_requires_for_build_sdist = hatchling.get_requires_for_build_sdist
ROOT = Path(__file__).parents[1]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What kernels are compiled with, besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    compilers = [] if _levels() == "none" else [*project["dependencies"], *project["optional-dependencies"]["numba"]]
    return [*hatchling.get_requires_for_build_wheel(config_settings), *compilers]


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """A wheel with the kernels that were asked for."""
    if _levels() != "none":
        subprocess.run([sys.executable, str(ROOT / "tools" / "objects.py"), "--levels", _levels()], check=True)
    return hatchling.build_wheel(wheel_directory, config_settings, metadata_directory)


def _levels() -> str:
    return os.environ.get("DALEMBERT_OBJECTS", "host")
