"""Short memory: which errors say so, how much was asked for, and what to do; imports nothing that needs much of it."""

from __future__ import annotations

import errno
import mmap
import re
import sys
from collections.abc import Sequence
from types import ModuleType

MORE_MEMORY = "give it more, ask for less (a smaller bound, fewer --jobs), or use conform --spark for large logs"
"""The advice where memory is short."""
NO_MEMORY = "it needs more memory than there is"
"""Why a part of the work has no result that asked for more memory than the system gives."""
_OF_LIBRARIES = ("cannot allocate memory", "failed to map segment", "can't start new thread", "out of memory")
"""Texts of errors of other classes by which libraries, threads and solvers report that memory is short."""
_OF_DIGESTS = "[digital envelope routines] initialization error"
"""The text of OpenSSL's `ValueError` where it has no room for a digest that every build has."""
_OF_WORKERS = ("Z3Exception", "_RemoteTraceback")
"""Names of such classes, that are not imported: the latter has as a text what an error of a worker came from."""
ROOMS = {"numpy": 96 << 20, "z3": 96 << 20, "llvmlite": 224 << 20}
"""The bytes of address space that a library needs to begin with: without them numpy's ends the process with 1, z3
crashes, and llvmlite says that it is not found."""


def short_of_memory(error: BaseException) -> bool:
    """Return whether an error, or one that it came from, is that memory is short."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or (isinstance(seen, OSError) and seen.errno == errno.ENOMEM):
            return True
        of_library = isinstance(seen, (ImportError, OSError, RuntimeError)) or type(seen).__name__ in _OF_WORKERS
        if of_library and any(words in str(seen).lower() for words in (*_OF_LIBRARIES, "memoryerror")):
            return True
        if isinstance(seen, ValueError) and str(seen) == _OF_DIGESTS:
            return True
        seen = seen.__cause__ or seen.__context__
    return False


class _Rooms:
    """A finder of `sys.meta_path` that finds nothing, and looks whether there is room for what is to be imported."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Raise `MemoryError` for a library that has no room."""
        if fullname in ROOMS:
            require(ROOMS[fullname])


def guard_imports() -> None:
    """Have imports of large libraries raise `MemoryError` where they have no room, before they end this process."""
    sys.meta_path.insert(0, _Rooms())


def require(size: int) -> None:
    """Raise `MemoryError` where the system does not give so many bytes of address space at once."""
    try:
        mmap.mmap(-1, size).close()
    except OSError as error:
        raise MemoryError from error


def asked_at_once(error: BaseException) -> str:
    """Return how much memory an error says was asked for at once, as `3.20 GiB`; nothing where it does not say."""
    found = re.search(r"[0-9.]+ [KMGTP]iB", str(error))
    return found[0] if found else ""


def reason(error: BaseException) -> str:
    """Return why a part of the work has no result, in one sentence: that memory is short, or the error."""
    if short_of_memory(error):
        asked = asked_at_once(error)
        return f"{NO_MEMORY}{f' ({asked} at once)' if asked else ''}"
    return f"{type(error).__name__}: {error}"


__all__ = ["MORE_MEMORY", "NO_MEMORY", "asked_at_once", "guard_imports", "reason", "require", "short_of_memory"]
