"""Kernels that come with the package are used where they fit, and only there."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest
from native import kernels
from scripts import load as script

from dalembert.errors import MissingExtraError
from dalembert.native import kernel, shipped

LEVEL = "x86-64-v2"
RECIPE = "recipe"
objects = script("tools/objects.py")


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder for kernels, on a processor of the lowest level that is published."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "objects")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(
        llvm, "get_host_cpu_features", lambda: llvm.FeatureMap(dict.fromkeys(shipped.LEVELS[LEVEL], True))
    )
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget():
    shipped.level_of_host.cache_clear()
    shipped._index.cache_clear()
    shipped._unit.cache_clear()


def pack(code: bytes, *names: str, function: str = "f") -> Path:
    return shipped.write(LEVEL, dict.fromkeys(names or ("kernel",), (RECIPE, function, code)))


def load(name="kernel", recipe=lambda: RECIPE):
    forget()
    return shipped.load(name, recipe)


def test_what_was_packed_is_loaded(box):
    pack(b"code" * 100)
    assert load() == ("f", b"code" * 100)
    assert load("another") is None


def test_a_kernel_runs_from_the_file_without_being_compiled(box, monkeypatch):
    made = kernel.kernel(kernels.windows.function)
    function, code = made.compile()
    shipped.write(LEVEL, {made.name: (made.recipe(), function, code)})
    forget()
    monkeypatch.setattr(kernel.Entry, "compile", lambda self: pytest.fail("compiled again"))
    run = kernels.run([1.0, 2.0, 3.0, 4.0])
    assert made(run) == 202 and np.array_equal(run.reals, [4.0, 6.0, 3.0, 4.0])


def test_kernels_of_one_unit_are_stored_once(box):
    one = pack(np.random.default_rng(1).bytes(4000)).stat().st_size
    pack(np.random.default_rng(1).bytes(4000), "kernel", "another")
    assert shipped.file_of(LEVEL).stat().st_size < one + 1000
    assert load() == load("another") and load("other") is None


def test_the_recipe_alone_decides_whether_object_code_is_used(box):
    pack(b"code")
    assert load() == ("f", b"code")
    assert load(recipe=lambda: "another") is None


def test_damaged_files_are_not_used(box):
    path = pack(bytes(range(256)) * 4)
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert load() is None, at
    for size in range(0, len(whole), 13):
        path.write_bytes(whole[:size])
        assert load() is None, size


@pytest.mark.parametrize("level", shipped.LEVELS)
def test_levels_follow_from_features(box, monkeypatch, level):
    features = {"sse2": True, **dict.fromkeys(shipped.LEVELS[level], True)}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    shipped.level_of_host.cache_clear()
    assert shipped.level_of_host() == level
    monkeypatch.setattr(sys, "platform", "win32")
    shipped.level_of_host.cache_clear()
    assert shipped.level_of_host() is None


@pytest.mark.parametrize(
    ("triple", "level"), [("aarch64-unknown-linux-gnu", "aarch64"), ("riscv64-unknown-linux-gnu", None)]
)
def test_the_family_is_that_of_the_process(box, monkeypatch, triple, level):
    monkeypatch.setattr(llvm, "get_process_triple", lambda: triple)
    shipped.level_of_host.cache_clear()
    assert shipped.level_of_host() == level


def test_without_numba_the_extra_is_named(monkeypatch):
    made = kernel.kernel(kernels.windows.function)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"compiling '.*windows' for this processor.*dalembert\[numba\]"):
        made.compile()


def test_all_kernels_are_found():
    found = objects.kernels()
    assert len(found) > 90 and "dalembert.integrate.frame.advance.advance" in found
    assert {made.function.__module__ for made in found.values()} >= objects.FIRST


def test_a_first_run_compiles_nothing_that_an_installation_has_not_made(tmp_path):
    """What is listed as the kernels of a first run is all that one needs."""
    program = f"""
        import sys

        from dalembert.native import kernel

        first = set({sorted(objects.FIRST)!r})
        load = kernel.Entry._load

        def watched(entry):
            assert entry.function.__module__ in first, entry.name
            load(entry)

        kernel.Entry._load = watched
        from dalembert.cli import main

        sys.exit(main(["run", "four-bar", "--report"]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr


def test_kernels_of_an_edited_source_are_still_there_for_whoever_asks_for_them(box):
    pack(b"code")
    assert load(recipe=lambda: "another") is None
    assert shipped.unpack(LEVEL, "kernel") == ("f", b"code")
    assert shipped.unpack(LEVEL, "another") is None and shipped.unpack("x86-64-v4", "kernel") is None
