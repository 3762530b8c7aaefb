"""Scripts of the repository that tests check, loaded by their files, since their folders are no packages."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def load(path):
    """The module of a script such as ``benchmarks/_chains.py``, loaded once."""
    name = "script_" + path.removesuffix(".py").replace("/", "_")
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / path)
        sys.modules[name] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
