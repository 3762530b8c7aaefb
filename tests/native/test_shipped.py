"""Kernels that come with the package are used where they fit, and only there."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest
from native import kernels

from dalembert.errors import MissingExtraError
from dalembert.native import kernel, shipped

LEVEL = "x86-64-v2"
RECIPE = "recipe"


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder for kernels, of a package of two sources, on a processor of the lowest level."""
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(f"# {name}")
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path)
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


def pack(code: bytes, name: str = "kernel", function: str = "f") -> Path:
    sources = ["one.py", "two.py"]
    return shipped.write(LEVEL, sources, shipped.digest_of(sources), {name: (RECIPE, function, code)})


def load(name="kernel", recipe=lambda: pytest.fail("the sources are the same: nobody asks for a recipe")):
    forget()
    return shipped.load(name, recipe)


def test_what_was_packed_is_loaded(box):
    pack(b"code" * 100)
    assert load() == ("f", b"code" * 100)
    assert load("another") is None


def test_a_kernel_runs_from_the_file_without_being_compiled(box, monkeypatch):
    made = kernel.kernel(kernels.windows.function)
    function, code = made.compile()
    pack(code, made.name, function)
    forget()
    monkeypatch.setattr(kernel.Entry, "compile", lambda self: pytest.fail("compiled again"))
    run = kernels.run([1.0, 2.0, 3.0, 4.0])
    assert made(run) == 202 and np.array_equal(run.reals, [4.0, 6.0, 3.0, 4.0])


def test_where_a_source_was_edited_recipes_decide(box):
    pack(b"code")
    (box / "two.py").write_text("# edited")
    assert load(recipe=lambda: RECIPE) == ("f", b"code")
    assert load(recipe=lambda: "another") is None
    (box / "two.py").unlink()
    assert load(recipe=lambda: RECIPE) == ("f", b"code") and load(recipe=lambda: "another") is None


def test_damaged_files_are_not_used(box):
    path = pack(bytes(range(256)) * 4)
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert load(recipe=lambda: RECIPE) is None, at
    for size in range(0, len(whole), 13):
        path.write_bytes(whole[:size])
        assert load(recipe=lambda: RECIPE) is None, size


@pytest.mark.parametrize(("level", "expected"), [(None, None), *((level, level) for level in shipped.LEVELS)])
def test_levels_follow_from_features(box, monkeypatch, level, expected):
    features = dict.fromkeys(shipped.LEVELS[level], True) if level else {"sse2": True}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    shipped.level_of_host.cache_clear()
    assert shipped.level_of_host() == expected
    monkeypatch.setattr(sys, "platform", "win32")
    shipped.level_of_host.cache_clear()
    assert shipped.level_of_host() is None


def test_without_numba_the_extra_is_named(monkeypatch):
    made = kernel.kernel(kernels.windows.function)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"compiling '.*windows' for this processor.*dalembert\[numba\]"):
        made.compile()


def test_all_kernels_are_found_and_their_sources_named():
    tool = types.ModuleType("objects")
    path = Path(__file__).parents[2] / "tools" / "objects.py"
    tool.__file__ = str(path)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), tool.__dict__)
    found = tool.kernels()
    assert len(found) > 90 and "dalembert.integrate.frame.advance.advance" in found
    for made in found.values():
        assert all(source.is_relative_to(shipped.PACKAGE) for source in kernel.sources_of(made))


def test_kernels_of_an_edited_source_are_still_there_for_whoever_asks_for_them(box):
    pack(b"code")
    (box / "two.py").write_text("# edited")
    assert shipped.unpack(LEVEL, "kernel") == ("f", b"code")
    assert shipped.unpack(LEVEL, "another") is None and shipped.unpack("x86-64-v4", "kernel") is None
