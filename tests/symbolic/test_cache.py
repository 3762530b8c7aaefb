"""Compiled objects on disk: found again, not believed when anything is wrong, renewed when the compiler changes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert
from dalembert.native import cache
from dalembert.symbolic import CompiledFunction, Graph, PiecewisePolynomial, compile, sin
from dalembert.symbolic.compiler import jit
from dalembert.symbolic.compiler.program import Program, extract

PACKAGE = Path(dalembert.__file__).parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "cache"
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(path))
    return path


def make(scale: float = 2.0, name: str = "x", **options: Any) -> CompiledFunction:
    x = Graph().variable(name)
    return compile(scale * sin(x) + x, [x], **options)


def right(function: CompiledFunction, scale: float = 2.0) -> bool:
    return bool(np.isclose(function(0.7), scale * np.sin(0.7) + 0.7, rtol=1e-14))


def test_second_compilation_is_found(folder: Path) -> None:
    first, second = make(), make()
    assert not first.from_cache and second.from_cache
    assert right(first) and right(second)
    assert first(0.7) == second(0.7)
    assert second.work_size == first.work_size and second.statistics == first.statistics
    assert second.address != first.address
    assert len(list(folder.iterdir())) == 1


def test_without_cache_nothing_is_written_or_read(folder: Path) -> None:
    assert not make(cache=False).from_cache
    assert not folder.exists()
    make()
    assert not make(cache=False).from_cache


def test_names_of_symbols_do_not_matter(folder: Path) -> None:
    assert not make(name="x").from_cache
    other = make(name="angle")
    assert other.from_cache and right(other)
    g = Graph()
    g.variables("unused1 unused2")  # other rows in the graph
    _ = g["unused1"] * 3 + 1
    x = g.variable("x")
    renamed = compile({"result": 2.0 * sin(x) + x}, {"input": x}, name="renamed")
    assert renamed.from_cache
    assert renamed(input=0.7)["result"] == other(0.7)


def program(outputs: Any = None, **options: Any) -> Program:
    g = Graph()
    x, y = g.variables("x y")
    return extract(outputs(x, y) if outputs else {"a": x * y + 1.5}, options.pop("inputs", {"x": [x, y]}), **options)


def test_keys_differ_where_the_code_does() -> None:
    table = PiecewisePolynomial.linear([0, 1, 2], [0, 1, 4])
    other_table = PiecewisePolynomial.linear([0, 1, 2], [0, 1, 5])
    variants = [
        program(),
        program(lambda x, y: {"a": x * y + 1.25}),
        program(lambda x, y: {"a": x * y - 1.5}),
        program(lambda x, y: {"a": x / y + 1.5}),
        program(lambda x, y: {"a": -(x * y + 1.5)}),
        program(lambda x, y: {"a": [x * y + 1.5, 0.0]}),
        program(lambda x, y: {"a": x * y + 1.5, "b": 0.0}),
        program(lambda x, y: {"a": table(x)}),
        program(lambda x, y: {"a": other_table(x)}),
        program(lambda x, y: {"a": table(x, 1)}),
        program(staged=True),
    ]
    keys = {jit.cache_key(item, fma) for item in variants for fma in (False, True)}
    assert len(keys) == 2 * len(variants)
    assert all(len(key) == 64 for key in keys)


def test_keys_know_how_symbols_are_grouped() -> None:
    g = Graph()
    x, y = g.variables("x y")
    groups: list[dict[str, Any]] = [{"x": [x, y]}, {"x": [y, x]}, {"x": x, "y": y}, {"y": y, "x": x}]
    keys = {jit.cache_key(extract({"a": x - 2 * y}, inputs), False) for inputs in groups}
    assert len(keys) == len(groups)


def test_keys_do_not_know_names() -> None:
    plain = program()
    renamed = replace(plain, name="other", inputs=tuple(replace(i, name="q", symbols=("a", "b")) for i in plain.inputs))
    assert jit.cache_key(plain, False) == jit.cache_key(renamed, False)


def test_key_knows_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.cache_key(program(), False)
    triple, name, features = jit._processor()
    monkeypatch.setattr(jit, "_processor", lambda: (triple, name, features + ",+more"))
    assert jit.cache_key(program(), False) != before


# ------------------------------------------------------------------------ broken entries


def _truncated(length: int) -> Any:
    return lambda data: data[:length]


def _flipped(position: int) -> Any:
    return lambda data: data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


@pytest.mark.parametrize(
    "damage",
    [_truncated(0), _truncated(10), _truncated(19), _truncated(60), _truncated(-1), _truncated(-1000), _flipped(0),
     _flipped(25), _flipped(60), _flipped(-10), lambda data: data + b"\0", lambda data: b"\0" * len(data)],
)  # fmt: skip
def test_a_broken_entry_is_compiled_anew(folder: Path, damage: Any) -> None:
    make()
    (entry,) = folder.iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    function = make()
    assert not function.from_cache and right(function)
    assert entry.read_bytes() == good
    assert make().from_cache


def test_an_entry_of_another_function_is_right_for_its_key_only(folder: Path) -> None:
    first = make(2.0)
    second = make(3.0)
    assert right(first, 2.0) and right(second, 3.0)
    assert right(make(2.0), 2.0) and right(make(3.0), 3.0)


# --------------------------------------------------------------------------- directories


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
@pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
def test_a_directory_where_others_can_write_is_not_used(folder: Path, mode: int) -> None:
    make()
    folder.chmod(mode)
    with pytest.warns(UserWarning, match=r"not cached in .*cache: others can write into .*cache.*remove it \(rm -r /"):
        function = make()
    assert not function.from_cache and right(function)
    with pytest.warns(UserWarning, match="others can write into"):
        make(5.0)
    assert len(list(folder.iterdir())) == 1
    folder.chmod(0o700)
    assert make().from_cache


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
def test_a_directory_of_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.warns(UserWarning, match=r"belongs to somebody else.*set DALEMBERT_CACHE_DIR"):
        assert not make().from_cache


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
@pytest.mark.parametrize("mode, used", [(0o755, True), (0o777, False), (0o757, False), (0o1777, True)])
def test_the_way_to_the_directory_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, used: bool
) -> None:
    """Who can write into a parent can put a directory in the place of ours, unless its sticky bit is set."""
    parent = tmp_path / "parent"
    folder = parent / "below" / "cache"
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(folder))
    make()
    parent.chmod(mode)
    if used:
        assert make().from_cache
        return
    with pytest.warns(UserWarning, match=r"others can write into .*parent, .*; set DALEMBERT_CACHE_DIR") as told:
        assert not make().from_cache
    assert not any("rm -r" in str(one.message) for one in told)  # a new directory would be no safer
    with pytest.warns(UserWarning, match=r"others can write into .*parent, "):
        make(3.0)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
def test_a_link_to_the_directory_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_to_all, behind = tmp_path / "open", tmp_path / "behind"
    for path in (open_to_all, behind):
        path.mkdir()
    (tmp_path / "link").symlink_to("open/second")
    (open_to_all / "second").symlink_to(behind)
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(tmp_path / "link" / "cache"))
    make()
    assert make().from_cache and len(list((behind / "cache").iterdir())) == 1
    open_to_all.chmod(0o777)  # neither in the given path nor in the resolved one
    with pytest.warns(UserWarning, match="others can write into .*open, "):
        assert not make().from_cache


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
def test_the_group_of_a_user_alone_is_the_user_on_the_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    folder.parent.chmod(0o770)
    monkeypatch.setattr(cache, "_is_own_group", lambda number: True)
    assert make().from_cache
    monkeypatch.setattr(cache, "_is_own_group", lambda number: False)
    with pytest.warns(UserWarning, match="others can write into"):
        assert not make().from_cache


def _entry(folder: Path) -> Path:
    make()
    (entry,) = folder.iterdir()
    return entry


def _linked(entry: Path) -> None:
    elsewhere = entry.parent.parent / "planted"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)


def _with_two_names(entry: Path) -> None:
    os.link(entry, entry.parent.parent / "second")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
@pytest.mark.parametrize(
    "change, told",
    [
        (lambda entry: entry.chmod(0o666), "others can write it"),
        (lambda entry: entry.chmod(0o620), "others can write it"),
        (_linked, "it is a link"),
        (_with_two_names, "it has another name too"),
    ],
)
def test_an_entry_that_others_may_have_written_is_compiled_anew(folder: Path, change: Any, told: str) -> None:
    entry = _entry(folder)
    change(entry)
    with pytest.warns(UserWarning, match=rf"{entry.name[:16]}.*{told}; remove the directory \(rm -r "):
        function = make()
    assert not function.from_cache and right(function)
    # What was found there is replaced by an entry of our own.
    assert stat.S_ISREG(entry.lstat().st_mode) and stat.S_IMODE(entry.lstat().st_mode) == 0o600
    assert make().from_cache


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
def test_an_entry_of_somebody_else_is_compiled_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is after somebody has put it into a directory that was open and was closed then."""
    entry, fstat = _entry(folder), os.fstat

    def of_somebody_else(handle: int) -> os.stat_result:
        values = list(fstat(handle))
        values[stat.ST_UID] += 1
        return os.stat_result(values)

    with monkeypatch.context() as patch, pytest.warns(UserWarning, match=r"belongs to somebody else.*rm -r"):
        patch.setattr(os, "fstat", of_somebody_else)
        assert cache.load(entry.name) is None
    assert make().from_cache


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_nobody_waits_for_a_pipe(folder: Path) -> None:
    entry = _entry(folder)
    entry.unlink()
    os.mkfifo(entry, 0o600)
    script = "import sys; from dalembert.native import cache; print(cache.load(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, entry.name], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)}, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "None"
    with pytest.warns(UserWarning, match="it is no plain file"):
        assert right(make())
    assert make().from_cache


def test_clearing_removes_planted_entries_too(folder: Path) -> None:
    entry = _entry(folder)
    _linked(entry)
    assert cache.clear() == 1 and not entry.is_symlink()
    assert (folder.parent / "planted").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs Unix permissions")
def test_a_new_directory_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "made" / "cache"
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(folder))
    before = os.umask(0)
    try:
        make()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(next(folder.iterdir()).stat().st_mode) == 0o600


def test_a_directory_that_cannot_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a directory")
    for path in (file, file / "below"):
        monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(path))
        function = make()
        assert not function.from_cache and right(function)
        assert cache.clear() == 0
    assert file.read_text() == "not a directory"


def test_a_directory_that_cannot_be_written_to_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise PermissionError("read-only")

    make()
    with monkeypatch.context() as patch:
        patch.setattr(cache.tempfile, "mkstemp", refuse)
        assert right(make(3.0), 3.0)
        assert make().from_cache
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        assert right(make(3.0), 3.0)
    assert len(list(folder.iterdir())) == 1  # nothing half done is left


def test_an_interrupted_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        make()
    assert list(folder.iterdir()) == []


def test_where_the_directory_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("DALEMBERT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    expected = {
        "linux": tmp_path / ".cache" / "dalembert",
        "darwin": tmp_path / "Library" / "Caches" / "dalembert",
        "win32": tmp_path / "AppData" / "Local" / "dalembert" / "cache",
    }
    for platform, path in expected.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert cache.directory() == path
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache.directory() == expected["linux"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() == tmp_path / "xdg" / "dalembert"
    monkeypatch.setenv("DALEMBERT_CACHE_DIR", str(tmp_path / "mine"))
    assert cache.directory() == tmp_path / "mine"


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    for name in ("DALEMBERT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    cache.store("0" * 64, {}, b"x")
    assert cache.directory() is None and cache.load("0" * 64) is None and cache.clear() == 0


# ----------------------------------------------------------------------- size and clearing


def test_what_interrupted_writers_left_is_removed_after_a_while(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    old, new = folder / ".new-old", folder / ".new-new"
    old.touch()
    new.touch()
    os.utime(old, (1e9, 1e9))
    cache.store("1" * 64, {}, b"x")
    assert not old.exists() and new.exists()


def test_the_entries_that_were_not_used_for_longest_are_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [f"{i:064d}" for i in range(5)]
    for age, key in enumerate(keys[:4]):
        cache.store(key, {"work_size": 1}, b"x" * 1000)
        os.utime(folder / key, (1e9 + age, 1e9 + age))
    assert cache.load(keys[0]) == ({"work_size": 1}, b"x" * 1000)  # used now
    size = (folder / keys[0]).stat().st_size
    monkeypatch.setattr(cache, "SIZE_LIMIT", 3 * size)
    cache.store(keys[4], {"work_size": 1}, b"x" * 1000)
    assert sorted(path.name for path in folder.iterdir()) == [keys[0], keys[3], keys[4]]
    assert cache.load(keys[1]) is None


def test_the_directory_is_not_looked_through_for_every_entry(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full directory has thousands of entries, and a model makes hundreds; the limit is kept all the same."""
    looks, prune = [], cache._prune
    monkeypatch.setattr(cache, "_prune", lambda path: looks.append(path) or prune(path))
    monkeypatch.setattr(cache, "SIZE_LIMIT", 2**20)
    for i in range(600):
        cache.store(f"{i:064d}", {}, b"x" * 2000)
        if i % 20 == 0:
            assert sum(path.stat().st_size for path in folder.iterdir()) <= cache.SIZE_LIMIT * (1 + 1 / 64) + 2100
    assert not (folder / f"{0:064d}").exists()
    assert 2 <= len(looks) <= 100  # one in eight


def test_clear_removes_entries_only(folder: Path) -> None:
    assert cache.clear() == 0
    make(2.0)
    make(3.0)
    (folder / "notes.txt").write_text("mine")
    assert cache.clear() == 2
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert not make(2.0).from_cache


# --------------------------------------------------------------------------- other processes

SCRIPT = """
import json, sys
from dalembert.symbolic import Graph, compile, sin, cos
x = Graph().variable("x")
f = compile([sin(x), cos(x), x * x], [x])
json.dump({"from_cache": f.from_cache, "values": f(0.5).tolist()}, sys.stdout)
"""


def run(source: Path, folder: Path, script: str = SCRIPT) -> dict[str, Any]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "DALEMBERT_CACHE_DIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_other_processes_find_entries_until_a_source_changes(tmp_path: Path) -> None:
    folder, source = tmp_path / "cache", tmp_path / "source"
    shutil.copytree(PACKAGE, source / "dalembert", ignore=shutil.ignore_patterns("__pycache__"))
    first, second = run(source, folder), run(source, folder)
    assert not first["from_cache"] and second["from_cache"]
    np.testing.assert_allclose(first["values"], [np.sin(0.5), np.cos(0.5), 0.25], rtol=1e-15)
    assert second["values"] == first["values"]

    # A shared kernel changes: its old code must not be found again.
    kernels = source / "dalembert" / "symbolic" / "compiler" / "kernels.py"
    text = kernels.read_text(encoding="utf-8")
    assert text.count("-1.66666666666666324348e-01") == 1
    kernels.write_text(text.replace("-1.66666666666666324348e-01", "-1.5e-01"), encoding="utf-8")
    third, fourth = run(source, folder), run(source, folder)
    assert not third["from_cache"] and fourth["from_cache"]
    assert third["values"] == fourth["values"]
    assert third["values"][0] == pytest.approx(np.sin(0.5) + (1 / 6 - 0.15) * 0.5**3, rel=1e-9)
    assert third["values"][1:] == first["values"][1:]


def test_a_process_that_imported_other_sources_leaves_nothing_wrong_behind(tmp_path: Path) -> None:
    folder, source = tmp_path / "cache", tmp_path / "source"
    shutil.copytree(PACKAGE, source / "dalembert", ignore=shutil.ignore_patterns("__pycache__"))
    kernels = source / "dalembert" / "symbolic" / "compiler" / "kernels.py"
    edit = f"open({str(kernels)!r}, 'a').write('#')\nx = Graph()"
    old = run(source, folder, SCRIPT.replace("x = Graph()", edit))
    assert not old["from_cache"]
    assert not run(source, folder)["from_cache"]


def test_every_source_file_of_the_layer_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "symbolic"
    shutil.copytree(PACKAGE / "symbolic", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(copy / "compiler" / "jit.py"))
    digest = jit.sources_digest.__wrapped__
    seen = {digest()}
    for path in copy.rglob("*.py"):
        path.write_bytes(path.read_bytes() + b"#")
        assert digest() not in seen
        seen.add(digest())
    assert len(seen) > 20
