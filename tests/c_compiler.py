"""The C compiler of this machine, for tests of what is exported."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

#: What exported C is clean under.
STRICT = [
    "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wmissing-prototypes", "-Wconversion", "-Wdouble-promotion",
    "-Wshadow", "-Wstrict-prototypes", "-Werror", "-ffp-contract=off",
]  # fmt: skip


def compiler() -> list[str]:
    """The command that compiles C."""
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return [found]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"]
    pytest.fail("no C compiler: install cc, gcc or clang, or the Python package ziglang (pip install 'dalembert[cc]')")


def run(*command: str | Path) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout
