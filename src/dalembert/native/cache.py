"""Compiled objects on disk.

An entry holds machine code, so the directory must belong to the user and be writable by nobody else; otherwise it is
not used.  Entries are written atomically and carry a checksum that is verified on load; a broken entry is a miss.  The
key (made in jit.py) covers the program, all sources of this package's symbolic layer, LLVM, the processor and the
flags.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

_MAGIC = b"dalembert-object-1\n"
_TEMPORARY = ".new-"
#: Seconds after which nobody is writing a file any more.
_ABANDONED = 3600.0
#: Oldest entries are dropped when the directory grows beyond this.
SIZE_LIMIT = 512 * 2**20


def directory() -> Path | None:
    """``$DALEMBERT_CACHE_DIR``, or the user's cache directory; None for a user without a home."""
    chosen = os.environ.get("DALEMBERT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dalembert" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "dalembert"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dalembert"
    except RuntimeError:
        return None


def _safe(folder: Path) -> bool:
    """Whether only this user can write into ``folder``."""
    if not hasattr(os, "getuid"):
        return True  # Windows: the profile directory is private
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        warnings.warn(
            f"compiled code is not cached in {folder}: others can write there; "
            f"run chmod go-w on it or set DALEMBERT_CACHE_DIR to a private directory",
            stacklevel=4,
        )
        return False
    return True


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Description and object code under ``key``, or None."""
    folder = directory()
    if folder is None:
        return None
    path = folder / key
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if not _safe(folder) or not data.startswith(_MAGIC):
        return None
    rest = data[len(_MAGIC) :]
    checksum, rest = rest[:32], rest[32:]
    if hashlib.sha256(rest).digest() != checksum:
        return None
    header, _, code = rest.partition(b"\n")
    description: dict[str, Any] = json.loads(header)
    with contextlib.suppress(OSError):
        os.utime(path)  # recently used
    return description, code


def store(key: str, description: dict[str, Any], code: bytes) -> None:
    """Write an entry; a directory that cannot be written to is no error."""
    folder = directory()
    if folder is None:
        return
    rest = json.dumps(description).encode() + b"\n" + code
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _safe(folder):
            return
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(rest).digest() + rest)
            os.replace(temporary, folder / key)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _prune(folder)
    except OSError:
        return


def clear() -> int:
    """Remove all entries, and what interrupted writers left; returns how many entries there were."""
    folder = directory()
    if folder is None:
        return 0
    entries = _entries(folder)
    for path in [*entries, *folder.glob(f"{_TEMPORARY}*")]:
        with contextlib.suppress(OSError):
            path.unlink()
    return len(entries)


def _entries(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if len(path.name) == 64 and path.is_file()]


def _prune(folder: Path) -> None:
    for path in folder.glob(f"{_TEMPORARY}*"):  # of writers that were interrupted
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
    entries = [(path.stat().st_mtime, path.stat().st_size, path) for path in _entries(folder)]
    excess = sum(size for _, size, _ in entries) - SIZE_LIMIT
    for _, size, path in sorted(entries, key=lambda entry: entry[0]):
        if excess <= 0:
            return
        path.unlink(missing_ok=True)
        excess -= size
