"""Kernels as object code that comes with the package, so that a first run compiles nothing.

Kernels do not depend on models (kernel.py): their object code can be made where the package is made, by
``tools/objects.py``, for each level of a family of processors.  One file holds the kernels of one level:

    magic | length of the index (8 bytes) | SHA-256 of the index | index, JSON | object code, each unit compressed

A unit is the object code of one or several kernels that share functions.  The index has the recipe of each kernel
(recipes.py): where it is that of the sources at hand, the object code is used.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

_MAGIC = b"dalembert-kernels-3\n"
_V2 = ("cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
#: Levels of the x86-64 psABI, the highest first, by the features that LLVM reports of a processor that has them.
LEVELS: dict[str, tuple[str, ...]] = {"x86-64-v4": _V4, "x86-64-v3": _V3, "x86-64-v2": _V2, "x86-64": ()}
#: All processors of 64 bits of this family do what its kernels ask for.
AARCH64 = "aarch64"
#: What published wheels carry: processors without the features of x86-64-v2 have not been sold for a decade.
PUBLISHED = ("x86-64-v4", "x86-64-v3", "x86-64-v2", AARCH64)
FOLDER = Path(__file__).parent / "objects"


def file_of(level: str) -> Path:
    """Where the kernels of a level stand."""
    return FOLDER / f"linux-{level}.kernels"


@functools.cache
def level_of_host() -> str | None:
    """The highest level that this processor has; None on other systems and processors."""
    if sys.platform != "linux":
        return None
    family = llvm.get_process_triple().split("-")[0]
    if family != "x86_64":
        return family if family == AARCH64 else None
    features = llvm.get_host_cpu_features()
    return next(level for level, needed in LEVELS.items() if all(features.get(name) for name in needed))


def write(level: str, kernels: Mapping[str, tuple[str, str, bytes]], compiler: Sequence[str] = ()) -> Path:
    """Write the file of a level: of each kernel its recipe, the name of its function, and the unit that it is in."""
    index: dict[str, Any] = {"compiler": list(compiler), "kernels": {}}
    packed: list[bytes] = []
    places: dict[bytes, tuple[int, int, str]] = {}
    at = 0
    for name, (recipe, function, code) in sorted(kernels.items()):
        if code not in places:
            packed.append(zlib.compress(code, 9))
            places[code] = at, len(packed[-1]), hashlib.sha256(packed[-1]).hexdigest()
            at += len(packed[-1])
        index["kernels"][name] = [recipe, function, *places[code]]
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
def _index() -> tuple[dict[str, Any], int] | None:
    """The index for this processor, and where object code begins."""
    level = level_of_host()
    return read_index(level) if level else None


def load(name: str, recipe: Callable[[], str]) -> tuple[str, bytes] | None:
    """Name of the function and object code of a kernel; None if it does not come with the package, or is made of other
    sources than those at hand."""
    found = _index()
    if found is None or name not in found[0]["kernels"] or recipe() != found[0]["kernels"][name][0]:
        return None
    return _function(str(level_of_host()), found[1], found[0]["kernels"][name])


def unpack(level: str, name: str) -> tuple[str, bytes] | None:
    """Name of the function and object code of a kernel of any level, whatever its sources are now."""
    found = read_index(level)
    return _function(level, found[1], found[0]["kernels"][name]) if found and name in found[0]["kernels"] else None


def _function(level: str, start: int, entry: Sequence[Any]) -> tuple[str, bytes] | None:
    _, function, at, size, check = entry
    code = _unit(level, start + at, size, check)
    return None if code is None else (function, code)


@functools.cache
def _unit(level: str, at: int, size: int, check: str) -> bytes | None:
    """Object code, once for all kernels in it."""
    try:
        with file_of(level).open("rb") as file:
            file.seek(at)
            packed = file.read(size)
    except OSError:
        return None
    return zlib.decompress(packed) if hashlib.sha256(packed).hexdigest() == check else None
