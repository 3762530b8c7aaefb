"""Compiled objects on disk.

An entry holds machine code: whoever can write one decides what this process does.  So an entry is used only if it is a
plain file of this user that nobody else can write, in a directory of which the same holds, on a path that nobody else
can bend.  What is judged is what is read: an entry is opened once, and judged and read through its descriptor.  Entries
are written atomically and carry a checksum that is verified on load; a broken entry is a miss.  The key (made in
jit.py and kernel.py) covers the program or the kernel, the sources of the compiler, LLVM, the processor and the flags.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shlex
import stat
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
#: What systems say of a link that shall not be followed, and links on a path that one process follows.
_LINK_MET = (errno.ELOOP, errno.EMLINK)
_MOST_LINKS = 40
#: Oldest entries are dropped when the directory grows beyond this.
SIZE_LIMIT = 512 * 2**20
#: A process looks through the directory at its first entry, then each time that it has written this part of the limit:
#: thousands of entries take longer to look through than one to compile.
_LOOK_AFTER = 1 / 64
#: Bytes that this process has written into directories since it looked through them.
_unseen: dict[Path, float] = {}


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


def _distrust(folder: Path) -> tuple[str, bool]:
    """Why others may have a hand in what stands in ``folder``, and whether it is the directory itself that they own or
    write; nothing if they cannot.

    The directory must belong to this user.  On the way to it stand directories and links of this user or of root; where
    others can write into one of them, its sticky bit must keep them from putting something else in place of the next.
    """
    if not hasattr(os, "getuid"):
        return "", False  # Windows: the profile directory is private
    here, ahead, links = Path("/"), list(folder.absolute().parts[1:]), 0
    while True:
        status = here.lstat()
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, "too many links", str(folder))
            if status.st_uid not in (0, os.getuid()):
                return f"the link {here} belongs to somebody else", False
            target = Path(os.readlink(here))
            ahead = [*target.parts[target.is_absolute() :], *ahead]
            here = Path("/") if target.is_absolute() else here.parent
            continue
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(here)
        if status.st_uid not in ((0, os.getuid()) if ahead else (os.getuid(),)):
            return f"{here} belongs to somebody else", not ahead
        if _others_write(status, on_the_way=bool(ahead)):
            return f"others can write into {here}", not ahead
        if not ahead:
            return "", False
        part = ahead.pop(0)
        here = here.parent if part == ".." else here / part


def _others_write(status: os.stat_result, on_the_way: bool = False) -> bool:
    """Whether others than the owner can write there; of a directory ``on_the_way``, whether they can take away what is
    there, for which the user's own group counts as the user: homes are made so on many systems."""
    if on_the_way and (status.st_mode & stat.S_ISVTX or _is_own_group(status.st_gid)):
        return bool(status.st_mode & stat.S_IWOTH) and not status.st_mode & stat.S_ISVTX
    return bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _is_own_group(number: int) -> bool:
    """Whether a group is the one that many systems give each user, with nobody else in it."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def _safe(folder: Path) -> bool:
    """Whether only this user decides what stands in ``folder``; a warning if not."""
    reason, itself = _distrust(folder)
    if reason:
        # Where another directory is to blame, a new one would be no safer, and what is removed may be anything.
        remove = f"remove it (rm -r {shlex.quote(str(folder))}), or " if itself else ""
        warnings.warn(
            f"compiled code is not cached in {folder}: {reason}, and what stands there may be theirs; {remove}set "
            "DALEMBERT_CACHE_DIR to a private directory",
            stacklevel=4,
        )
    return not reason


def _content(path: Path) -> bytes | None:
    """What stands in a file that nobody but this user can have written; None, with a warning, if others can."""
    # Neither a link nor, for those that would wait for a writer, a pipe is followed.
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if error.errno in _LINK_MET:
            _tell_foreign(path, "it is a link")
        return None
    with open(handle, "rb") as file:
        status = os.fstat(file.fileno())
        if reason := _foreign(status):
            _tell_foreign(path, reason)
            return None
        if status.st_size > SIZE_LIMIT:
            return None
        data = file.read()
        if os.utime in os.supports_fd:
            with contextlib.suppress(OSError):
                os.utime(file.fileno())  # recently used
    return data


def _foreign(status: os.stat_result) -> str:
    """Why others may have written an open file; nothing if they cannot."""
    if not stat.S_ISREG(status.st_mode):
        return "it is no plain file"
    if not hasattr(os, "getuid"):
        return ""
    if status.st_uid != os.getuid():
        return "it belongs to somebody else"
    if status.st_nlink > 1:
        return "it has another name too"
    return "others can write it" if _others_write(status) else ""


def _tell_foreign(path: Path, reason: str) -> None:
    warnings.warn(
        f"compiled code in {path.parent} is not used: {path.name[:16]}… may come from others, as {reason}; remove the "
        f"directory (rm -r {shlex.quote(str(path.parent))})",
        stacklevel=5,
    )


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Description and object code under ``key``, or None."""
    folder = directory()
    try:
        if folder is None or not folder.is_dir() or not _safe(folder):
            return None
        data = _content(folder / key)
    except OSError:
        return None
    if data is None or not data.startswith(_MAGIC):
        return None
    rest = data[len(_MAGIC) :]
    checksum, rest = rest[:32], rest[32:]
    if hashlib.sha256(rest).digest() != checksum:
        return None
    header, _, code = rest.partition(b"\n")
    description: dict[str, Any] = json.loads(header)
    return description, code


def store(key: str, description: dict[str, Any], code: bytes) -> None:
    """Write an entry; a directory that cannot be written to is no error."""
    folder = directory()
    if folder is None:
        return
    rest = json.dumps(description).encode() + b"\n" + code
    try:
        for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        if not _safe(folder):
            return
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=_TEMPORARY)  # new, of mode 600, through no link
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(rest).digest() + rest)
            os.replace(temporary, folder / key)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _unseen[folder] = _unseen.get(folder, SIZE_LIMIT) + len(rest)
        if _unseen[folder] > _LOOK_AFTER * SIZE_LIMIT:
            _unseen[folder] = 0.0
            _prune(folder)
    except OSError:
        return


def clear() -> int:
    """Remove all entries, and what interrupted writers left; returns how many entries there were."""
    folder = directory()
    if folder is None:
        return 0
    entries, abandoned = _listed(folder)
    for entry in [*entries, *abandoned]:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)
    return len(entries)


def _listed(folder: Path) -> tuple[list[os.DirEntry[str]], list[os.DirEntry[str]]]:
    """Entries of a directory, and files that are being written, or were when their writers were interrupted."""
    if not folder.is_dir():
        return [], []
    with os.scandir(folder) as found:
        files = [entry for entry in found if not entry.is_dir(follow_symlinks=False)]
    return (
        [entry for entry in files if len(entry.name) == 64],
        [entry for entry in files if entry.name.startswith(_TEMPORARY)],
    )


def _prune(folder: Path) -> None:
    """Remove what interrupted writers left, and the entries that were not used for longest as long as there is too
    much."""
    entries, written = _listed(folder)
    for entry in written:
        with contextlib.suppress(OSError):
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED:
                os.unlink(entry.path)
    sizes: list[tuple[float, int, str]] = []
    for entry in entries:
        with contextlib.suppress(OSError):  # another process may have removed it
            status = entry.stat(follow_symlinks=False)
            sizes.append((status.st_mtime, status.st_size, entry.path))
    excess = sum(size for _, size, _ in sizes) - SIZE_LIMIT
    for _, size, path in sorted(sizes):
        if excess <= 0:
            return
        Path(path).unlink(missing_ok=True)
        excess -= size
