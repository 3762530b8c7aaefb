"""Modules of the benchmarks that tests look at: loaded by their files, since their folder is no package."""

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "benchmarks"


def load(name):
    """The module ``benchmarks/NAME.py``."""
    known = f"benchmarks_{name.strip('_')}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, FOLDER / f"{name}.py")
        sys.modules[known] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]
