"""Make the object code of kernels, so that runs need not compile them.

    python tools/objects.py                        all kernels for this processor, as the tests need them
    python tools/objects.py --kernels first        those of a first run, as an installation from source needs them
    python tools/objects.py --levels published     for all processors that wheels serve

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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

#: Modules that kernels are compiled with; they hold no kernels, and cannot be imported without Numba.
NEED_NUMBA = {
    "dalembert.native.compiler",
    "dalembert.native.pointers",
    "dalembert.native.thread_calls",
    "dalembert.linalg.row_sums",
    "dalembert.linalg.solver_calls",
}
#: Modules with the kernels that first runs of models take by themselves: explicit steps and events, in all coordinates.
FIRST = {
    "dalembert.equations.builders.loop",
    "dalembert.integrate.events.search",
    "dalembert.integrate.frame.advance",
    "dalembert.integrate.frame.contract_formalism",
    "dalembert.integrate.frame.controllers",
    "dalembert.integrate.frame.explicit_formalism",
    "dalembert.integrate.frame.fastest",
    "dalembert.integrate.frame.watch",
    "dalembert.integrate.methods.explicit_rk",
    "dalembert.linalg.modes.full",
    "dalembert.linalg.modes.recursive",
}
#: A kernel as it is stored: recipe, name of its function, object code.
Stored = tuple[str, str, bytes]


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


def compile_unit(names: Sequence[str], levels: Sequence[str]) -> dict[str, dict[str, Stored]]:
    """Kernels of one package, which share functions, for each level: translated once, compiled for each."""
    from dalembert.native import compiler, shipped

    known = kernels()
    translations = {name: known[name].translate() for name in names}
    made: dict[str, dict[str, Stored]] = {}
    for level in levels:
        family, processor = (level, "generic") if level == shipped.AARCH64 else ("x86_64", level)
        machine = compiler.machine_of(f"{family}-unknown-linux-gnu", processor)
        code = compiler.object_code(list(translations.values()), machine)
        made[level] = {name: (known[name].recipe(), translations[name].entry, code) for name in names}
    return made


def make(levels: Sequence[str], wanted: set[str], workers: int) -> None:
    """Compile kernels for levels, and write them with those that are there already."""
    from dalembert.native import shipped

    known = kernels()
    done = {level: unchanged(level, known) for level in levels}
    units: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sorted(wanted):
        if missing := tuple(level for level in levels if name not in done[level]):
            package = ".".join(name.split(".")[:3])
            units[package, *missing].append(name)
    total, finished, began = sum(map(len, units.values())), 0, time.monotonic()
    if not total:
        return
    jobs = sorted(((names, missing) for (_, *missing), names in units.items()), key=lambda job: -len(job[0]))
    with multiprocessing.get_context("spawn").Pool(min(workers, len(jobs))) as pool:
        for made in pool.imap_unordered(_compile_job, jobs):
            for level, stored in made.items():
                done[level].update(stored)
            finished += len(stored)
            say(f"kernels: {finished} of {total} compiled, {time.monotonic() - began:.0f} s")
    size = sum(shipped.write(level, stored, compiler_versions()).stat().st_size for level, stored in done.items())
    say(f"kernels: {total} compiled for {', '.join(levels)} in {time.monotonic() - began:.0f} s, {size / 1e6:.1f} MB\n")


def _compile_job(job: tuple[list[str], list[str]]) -> dict[str, dict[str, Stored]]:
    return compile_unit(*job)


def unchanged(level: str, known: dict[str, Any]) -> dict[str, Stored]:
    """The kernels that are there, made by the same compiler of what still is."""
    from dalembert.native import shipped

    found = shipped.read_index(level)
    if found is None or found[0]["compiler"] != compiler_versions():
        return {}
    kept = {}
    for name, (recipe, *_) in found[0]["kernels"].items():
        if name in known and known[name].recipe() == recipe and (packed := shipped.unpack(level, name)) is not None:
            kept[name] = (recipe, *packed)
    return kept


def compiler_versions() -> list[str]:
    """What compiles kernels, by version."""
    return [f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite")]


def say(text: str) -> None:
    """A line that the next one replaces, on a terminal; elsewhere only lines that end."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text.endswith("\n"):
        print(text, end="", file=sys.stderr, flush=True)


def main() -> None:
    """Make what is asked for."""
    from dalembert.native import shipped

    parser = argparse.ArgumentParser(description="object code of kernels")
    parser.add_argument("--kernels", choices=("first", "all"), default="all", help="which of them")
    parser.add_argument("--levels", default="host", help="host, published, names of levels, with commas")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    host, every = shipped.level_of_host(), [*shipped.LEVELS, shipped.AARCH64]
    groups = {"host": [host] if host else [], "published": list(shipped.PUBLISHED)}
    levels = [level for name in chosen.levels.split(",") for level in groups.get(name, [name])]
    if unknown := set(levels) - set(every):
        sys.exit(f"unknown levels {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    known = kernels()
    first = {name for name, entry in known.items() if entry.function.__module__ in FIRST}
    make(levels, first if chosen.kernels == "first" else set(known), chosen.workers)


if __name__ == "__main__":
    main()
