"""Files of this machine, below all packages: written whole or not at all, opened only where they are files, JSON read.

A reader of a name that is being written gets the old content or the new, never a part: where the disk is full or the
writer is killed the older file is kept.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PART = ".part"
"""What the name of an unfinished file ends with."""
OLD = 3600.0
"""Seconds after which an unfinished file is one whose writer was killed."""
DENSEST, FREE = 200, 64 << 20
"""How many times its size a gzipped file may unpack to, once it has unpacked to more than so many bytes."""
SMALL = 64 << 20
"""The bytes of what is read at once: settings, documents, modules."""


@contextmanager
def whole(path: str | Path, *, new: bool = False, mode: int | None = None, sync: bool = True) -> Iterator[IO[bytes]]:
    """Yield a stream whose bytes are the file's content once the block has ended without an error.

    Without a `mode` the file has that of the older one, or what the umask leaves. Without `sync` a loss of power may
    leave it cut. Without a `mode` what is no file, as a terminal or a pipe, is written to. Raises `OSError` where it
    cannot be written, `FileExistsError` where it is to be `new` and something is there.
    """
    if new and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    target = Path(os.path.realpath(path))
    known = _mode(target)
    if mode is None and known is not None and not stat.S_ISREG(known):
        with target.open("wb") as stream:
            yield stream
        return
    part = target.with_name(f".{target.name[:200]}.{os.urandom(6).hex()}{PART}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(part, flags, 0o666 if mode is None else mode), "wb") as stream:
            yield stream
            stream.flush()
            if sync:
                os.fsync(stream.fileno())
        if known is not None and mode is None:
            part.chmod(stat.S_IMODE(known))
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_whole(
    path: str | Path, content: bytes | str, *, new: bool = False, mode: int | None = None, sync: bool = True
) -> None:
    """Write a file at once, a text as UTF-8 with its line ends as they are; raises `OSError` as `whole` does."""
    with whole(path, new=new, mode=mode, sync=sync) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)


def remove_unfinished(folder: Path) -> None:
    """Remove from a folder what killed writers left there, older than an hour."""
    with suppress(OSError):
        for part in folder.glob(f".*{PART}"):
            with suppress(OSError):
                if time.time() - part.stat().st_mtime > OLD:
                    part.unlink()


def open_regular(path: str | Path) -> IO[bytes]:
    """Open a file to read; raises `OSError` for what is none: a pipe that would never be written to, or a device."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if stat.S_ISDIR(known := os.fstat(number).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(known):
            raise OSError(errno.EINVAL, "it is no file but a pipe or a device", str(path))
        return os.fdopen(number, "rb")
    except BaseException:
        with suppress(OSError):
            os.close(number)
        raise


def read_small(path: str | Path) -> bytes:
    """Return the content of a file of at most 64 MiB; raises `OSError` for a larger one, and for what is no file."""
    with open_regular(path) as stream:
        content = stream.read(SMALL + 1)
    if len(content) > SMALL:
        raise OSError(errno.EFBIG, f"it has more than {SMALL >> 20} MiB, which no such file has", str(path))
    return content


def open_to_append(path: str | Path) -> IO[bytes]:
    """Open a file to write at its end, made if need be; raises `OSError` for what is none: a link, a pipe or a device.

    A folder that somebody else filled may have a link of that name to a file that is not theirs.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o666)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "it is no file but a pipe or a device", str(path))
    return os.fdopen(number, "ab")


def json_value(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises `ValueError` for what is none, is nested too deep, or has a number of too
    many digits."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except OSError:
        return None


__all__ = ["json_value", "open_regular", "open_to_append", "read_small", "remove_unfinished", "whole", "write_whole"]
