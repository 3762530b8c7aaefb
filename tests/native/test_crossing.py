"""Kernels for processors of another family: compiled here, they are object code of that family, complete in itself."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from dalembert.native import shipped

TOOLS, TESTS = Path(__file__).parents[2] / "tools", Path(__file__).parents[1]
PROGRAM = """
    import struct, sys

    sys.path[:0] = sys.argv[1:]
    import crossing

    crossing.begin("aarch64-unknown-linux-gnu")
    from native import kernels

    for made in (kernels.windows, kernels.total, kernels.relay, kernels.subnormals):
        name, code = made.compile()
        machine, = struct.unpack_from("<H", code, 18)
        assert code[:4] == b"\\x7fELF" and machine == 183, machine  # EM_AARCH64
        assert name.encode() in code
"""


def test_kernels_are_compiled_for_aarch64():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), str(TOOLS), str(TESTS)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("triple", "level"), [("aarch64-unknown-linux-gnu", "aarch64"), ("x86_64-pc-linux", None)])
def test_the_family_is_that_of_the_process(monkeypatch, triple, level):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shipped.llvm, "get_process_triple", lambda: triple)
    monkeypatch.setattr(shipped.llvm, "get_host_cpu_features", dict)
    shipped.level_of_host.cache_clear()
    try:
        assert shipped.level_of_host() == level
    finally:
        shipped.level_of_host.cache_clear()
