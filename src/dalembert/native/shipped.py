"""Kernels as object code that comes with the package, so that a first run compiles nothing.

Kernels do not depend on models (kernel.py): their object code can be made where the package is made, by
``tools/objects.py``, for each level of a family of processors.  One file holds the kernels of one level:

    magic | length of the index (8 bytes) | SHA-256 of the index | index, JSON | object code, each kernel compressed

The index names the sources that the kernels were made of, with one digest of them all.  Where it agrees with the
sources at hand, each kernel is good as it stands; where a source was edited, those are whose own recipes still agree.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

_MAGIC = b"dalembert-kernels-2\n"
_V2 = ("cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
#: Levels of the x86-64 psABI, the highest first, by the features that LLVM reports of a processor that has them.
LEVELS: dict[str, tuple[str, ...]] = {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2}
#: All processors of 64 bits of this family do what its kernels ask for.
AARCH64 = "aarch64"
PACKAGE = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "objects"


def file_of(level: str) -> Path:
    """Where the kernels of a level stand."""
    return FOLDER / f"linux-{level}.kernels"


@functools.cache
def level_of_host() -> str | None:
    """The highest level that this processor has; None on other systems and processors."""
    if sys.platform != "linux":
        return None
    if llvm.get_process_triple().split("-")[0] == AARCH64:
        return AARCH64
    features = llvm.get_host_cpu_features()
    return next((level for level, needed in LEVELS.items() if all(features.get(name) for name in needed)), None)


def digest_of(sources: Iterable[str]) -> str:
    """Of the sources, named relative to the package."""
    digest = hashlib.sha256()
    folder = str(PACKAGE)
    for name in sorted(sources):  # two hundred files in a first run: paths as objects would take as long as the rest
        with open(f"{folder}/{name}", "rb", buffering=0) as file:
            digest.update(name.encode() + b"\0" + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def write(
    level: str,
    sources: Iterable[str],
    digest: str,
    kernels: Mapping[str, tuple[str, str, bytes]],
    compiler: Sequence[str] = (),
) -> Path:
    """Write the file of a level: of each kernel its recipe, the name of its function, and object code."""
    index: dict[str, Any] = {
        "sources": sorted(sources), "digest": digest, "compiler": list(compiler), "kernels": {},
    }  # fmt: skip
    packed, at = [], 0
    for name, (recipe, function, code) in sorted(kernels.items()):
        packed.append(zlib.compress(code, 9))
        check = hashlib.sha256(packed[-1]).hexdigest()
        index["kernels"][name] = [recipe, function, at, len(packed[-1]), check]
        at += len(packed[-1])
    text = json.dumps(index).encode()
    FOLDER.mkdir(exist_ok=True)
    new = file_of(level).with_suffix(".new")
    new.write_bytes(_MAGIC + len(text).to_bytes(8, "little") + hashlib.sha256(text).digest() + text + b"".join(packed))
    return new.replace(file_of(level))


def read_index(level: str) -> tuple[dict[str, Any], int] | None:
    """What stands in the file of a level, and where object code begins in it; None if there is none or it is broken."""
    try:
        with file_of(level).open("rb") as file:
            head = file.read(len(_MAGIC) + 40)
            size, check = int.from_bytes(head[len(_MAGIC) : -32], "little"), head[-32:]
            if not head.startswith(_MAGIC) or size > 2**24:
                return None
            text = file.read(size)
    except OSError:
        return None
    if hashlib.sha256(text).digest() != check:
        return None
    return json.loads(text), len(head) + size


@functools.cache
def _index() -> tuple[dict[str, Any], int, bool] | None:
    """The index for this processor, where object code begins, and whether the sources are the same as they were."""
    level = level_of_host()
    found = level and read_index(level)
    if not found:
        return None
    index, start = found
    try:
        same = digest_of(index["sources"]) == index["digest"]
    except OSError:
        same = False
    return index, start, same


def load(name: str, recipe: Callable[[], str]) -> tuple[str, bytes] | None:
    """Name of the function and object code of a kernel; None if it does not come with the package, or its sources are
    no longer the same."""
    found = _index()
    if found is None:
        return None
    index, start, same = found
    if name not in index["kernels"]:
        return None
    if not same and recipe() != index["kernels"][name][0]:
        return None
    return _packed(str(level_of_host()), start, index["kernels"][name])


def unpack(level: str, name: str) -> tuple[str, bytes] | None:
    """Name of the function and object code of a kernel of any level, whatever its sources are now."""
    found = read_index(level)
    return _packed(level, found[1], found[0]["kernels"][name]) if found and name in found[0]["kernels"] else None


def _packed(level: str, start: int, entry: Sequence[Any]) -> tuple[str, bytes] | None:
    _, function, at, size, check = entry
    try:
        with file_of(level).open("rb") as file:
            file.seek(start + at)
            packed = file.read(size)
    except OSError:
        return None
    return (function, zlib.decompress(packed)) if hashlib.sha256(packed).hexdigest() == check else None
