"""Make the object code of all kernels, so that nobody who installs the package has to compile them.

    python tools/objects.py                   for the level of this processor, as a source checkout needs it
    python tools/objects.py --levels all      for all levels and families, as a wheel carries them
    python tools/objects.py --check           only says whether what is there belongs to the sources

Runs on all cores and needs Numba; kernels whose recipes are still the same are not made again.  The files are written
to src/dalembert/native/objects, which is not part of the repository.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import multiprocessing
import os
import pkgutil
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))


def kernels() -> dict[str, Any]:
    """All kernels of the package, by name."""
    import dalembert
    from dalembert.native.kernel import Entry

    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(dalembert.__path__, "dalembert."):
        if info.name in NEED_NUMBA or info.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, Entry):
                found[value.name] = value
    return found


#: Tells processes that compile for another family of processors which one.
CROSSING = "DALEMBERT_CROSSING"
#: Modules that kernels are compiled with; they hold no kernels, and cannot be imported without Numba.
NEED_NUMBA = {
    "dalembert.native.pointers",
    "dalembert.native.thread_calls",
    "dalembert.linalg.row_sums",
    "dalembert.linalg.solver_calls",
}


def compile_module(names: list[str]) -> list[tuple[str, str, str, bytes]]:
    """Recipe, function and object code of kernels that stand in one module: what they share is compiled once."""
    if triple := os.environ.get(CROSSING):
        import crossing

        crossing.begin(triple)
    known = kernels()
    return [(name, known[name].recipe(), *known[name].compile()) for name in names]


def make(level: str, workers: int) -> None:
    """Compile all kernels for a level."""
    from dalembert.native import kernel, shipped

    known = kernels()
    files = {path.relative_to(shipped.PACKAGE).as_posix() for one in known.values() for path in kernel.sources_of(one)}
    digest = shipped.digest_of(files)  # of the sources as they are before they are read
    done = unchanged(level, known)
    modules: dict[str, list[str]] = defaultdict(list)
    for name, found in known.items():
        if name not in done:
            modules[found.function.__module__].append(name)
    # Numba reads them when it is imported, in the processes that are started now.
    if level == shipped.AARCH64:
        os.environ.update({CROSSING: f"{level}-unknown-linux-gnu"}, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    else:
        os.environ.pop(CROSSING, None)
        os.environ.update(NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")
    began, kept, total = time.monotonic(), len(done), len(known)
    largest_first = sorted(modules.values(), key=len, reverse=True)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for made in pool.imap_unordered(compile_module, largest_first):
            done.update({name: (recipe, function, code) for name, recipe, function, code in made})
            say(f"kernels for {level}: {len(done)} of {total} compiled, {time.monotonic() - began:.0f} s")
    path = shipped.write(level, files, digest, done, compiler())
    took, size = time.monotonic() - began, path.stat().st_size / 1e6
    say(f"kernels for {level}: {total - kept} of {total} compiled in {took:.0f} s, {size:.1f} MB\n")


def unchanged(level: str, known: dict[str, Any]) -> dict[str, tuple[str, str, bytes]]:
    """Recipe, function and object code of the kernels that are there, made by the same compiler of what still is."""
    from dalembert.native import shipped

    found = shipped.read_index(level)
    if found is None or found[0]["compiler"] != compiler():
        return {}
    kept = {}
    for name, (recipe, *_) in found[0]["kernels"].items():
        if name in known and known[name].recipe() == recipe and (packed := shipped.unpack(level, name)) is not None:
            kept[name] = (recipe, *packed)
    return kept


def compiler() -> list[str]:
    """What compiles kernels, by version."""
    return [f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite")]


def say(text: str) -> None:
    """A line that the next one replaces, on a terminal; elsewhere only lines that end."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text.endswith("\n"):
        print(text, end="", file=sys.stderr, flush=True)


def is_current(level: str) -> bool:
    """Whether the kernels of a level are there, made of the sources as they are."""
    from dalembert.native import shipped

    found = shipped.read_index(level)
    try:
        return found is not None and shipped.digest_of(found[0]["sources"]) == found[0]["digest"]
    except OSError:
        return False


def main() -> None:
    """Make what is asked for."""
    from dalembert.native import shipped

    parser = argparse.ArgumentParser(description="object code of all kernels")
    parser.add_argument("--levels", default="host", help="host, all, or names of levels with commas")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--check", action="store_true", help="make nothing; status 1 if something is not current")
    chosen = parser.parse_args()
    host = shipped.level_of_host()
    every = [*shipped.LEVELS, shipped.AARCH64]
    levels = {"host": [host] if host else [], "all": every}.get(chosen.levels, chosen.levels.split(","))
    if unknown := set(levels) - set(every):
        sys.exit(f"unknown levels {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    wanted = [level for level in levels if not is_current(level)]
    if chosen.check:
        sys.exit(f"not current: {', '.join(wanted)}" if wanted else 0)
    for level in wanted:
        make(level, chosen.workers)


if __name__ == "__main__":
    main()
