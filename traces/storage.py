"""Where trace files lie: local paths by the standard library, URIs (`s3://`, `file://`, ...) by pyarrow's filesystems.

Every function takes a path or URI as text. Gzip and UTF-16 are recognised by the first bytes, whatever the name says.
"""

from __future__ import annotations

import codecs
import fnmatch
import glob
import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

from fencepost.files import DENSEST, FREE, open_regular

from .errors import TraceError

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_WILDCARD = re.compile(r"[*?\[]")
_GZIP_MAGIC = b"\x1f\x8b"
_OTHER_PACKINGS = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"\xfd7zX": "xz",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
    b"\xff\x06\x00\x00": "snappy",
}
"""How files begin that are packed otherwise than by gzip. No record batch does: its first bytes are an offset's."""
_UTF_16 = re.compile(rb"\xff\xfe[\x20-\x7e]\0|\xfe\xff\0[\x20-\x7e]")
"""How a text of UTF-16 begins, which is what Windows PowerShell's `>` writes."""
_BUFFER = 1 << 20
MOST_TEXT = 64 << 20
"""The bytes that a small file may have, which is read as a whole."""
MOST_LINE = 16 << 20
"""The bytes that a line may have."""
MOST_EMPTY = 1_000_000
"""The empty lines that may stand one after the other."""


class _Unpacked(gzip.GzipFile):
    """The unpacked content of a gzipped stream, which is closed with it."""

    def __init__(self, packed: io.BufferedIOBase) -> None:
        self._packed = packed
        super().__init__(fileobj=packed, mode="rb")

    def packed_position(self) -> int:
        """How many bytes of the gzipped stream were read."""
        return self._packed.tell()

    def close(self) -> None:
        super().close()
        self._packed.close()


class _AsUtf8(io.RawIOBase):
    """The text of a stream of UTF-16 as UTF-8; the stream is closed with it."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream, self._rest = stream, b""
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            packed = self._stream.read(_BUFFER)
            self._rest = self._decoder.decode(packed, final=not packed).encode()
            if not packed:
                break
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        super().close()
        self._stream.close()


class _Recoded(io.BufferedReader):
    """Text of UTF-16, read as UTF-8."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._text = _AsUtf8(stream)
        super().__init__(self._text, _BUFFER)

    def packed_position(self) -> int:
        """How many bytes of the stream of UTF-16 were read."""
        return self._text.tell()


class Listing(NamedTuple):
    """The names directly inside a directory, sorted: its files, its directories, and links to directories."""

    files: tuple[str, ...]
    directories: tuple[str, ...]
    links: tuple[str, ...] = ()


Opener: TypeAlias = Callable[[str], tuple[Any, str]]
"""Gives the filesystem of a URI, which has `get_file_info` and `open_input_file` as pyarrow's have, and the path in
it; raises `OSError` where there is none."""

_opener: ContextVar[Opener | None] = ContextVar("opener", default=None)


@contextmanager
def reading_through(opener: Opener) -> Iterator[None]:
    """Read what lies behind URIs through other filesystems than pyarrow's own, until the end of the block."""
    token = _opener.set(opener)
    try:
        yield
    finally:
        _opener.reset(token)


def is_uri(path: str) -> bool:
    """Whether the text is a URI with a scheme rather than a local path."""
    return _URI.match(path) is not None


def has_wildcard(path: str) -> bool:
    """Whether the text holds a glob character."""
    return _WILDCARD.search(path) is not None


def join(directory: str, name: str) -> str:
    """The path of a name inside a directory; options after a URI's question mark stay at its end."""
    if not is_uri(directory):
        return str(Path(directory) / name)
    address, question, options = directory.partition("?")
    return f"{address.rstrip('/')}/{name}{question}{options}"


def base_name(path: str) -> str:
    """The last part of a path or URI."""
    if is_uri(path):
        path = path.partition("?")[0]
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]


def directory_of(path: str) -> str:
    """The directory of a file that is named by a path or URI; options after a URI's question mark stay at its end."""
    if not is_uri(path):
        return str(Path(path).parent)
    address, question, options = path.partition("?")
    return f"{address.rpartition('/')[0]}{question}{options}"


def kind_of(path: str) -> str:
    """`file`, `directory` or `missing`; raises TraceError where the folder that it lies in does not let it be seen."""
    if not is_uri(path):
        local = Path(path)
        try:
            return "directory" if local.is_dir() else "file" if local.exists() else "missing"
        except OSError as error:
            raise TraceError(f"{path}: cannot be looked at ({_cause(error)}): check its permissions") from error
    filesystem, inner = _open_filesystem(path)
    try:
        kind = filesystem.get_file_info([inner])[0].type.name
    except OSError as error:
        raise TraceError(f"{path}: cannot be looked at ({_cause(error)}): check scheme and access") from error
    return {"File": "file", "Directory": "directory"}.get(kind, "missing")


def list_directory(path: str) -> Listing:
    """Return the names directly inside a directory; raises TraceError if it cannot be listed.

    A link to nowhere counts as a file, which cannot be opened.
    """
    try:
        if not is_uri(path):
            with os.scandir(path) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
            links = [Path(entry.path) for entry in found if entry.is_symlink()]
            files = {link.name for link in links if link.is_file() or leads_nowhere(str(link))}
            return Listing(
                tuple(one.name for one in found if one.name in files or one.is_file(follow_symlinks=False)),
                tuple(one.name for one in found if one.is_dir(follow_symlinks=False)),
                tuple(link.name for link in links if link.is_dir()),
            )
        filesystem, inner = _open_filesystem(path)
        infos = sorted(filesystem.get_file_info(_selector(inner, False)), key=lambda info: str(info.path))
    except OSError as error:
        raise TraceError(f"{path}: the directory cannot be listed ({_cause(error)}): check its permissions") from error
    return Listing(
        tuple(base_name(info.path) for info in infos if info.type.name == "File"),
        tuple(base_name(info.path) for info in infos if info.type.name == "Directory"),
    )


def leads_nowhere(path: str) -> bool:
    """Whether a path is a link to what is not there, as one that was made before its target was copied."""
    return not is_uri(path) and Path(path).is_symlink() and not Path(path).exists()


def open_file(path: str) -> io.BufferedIOBase:
    """A binary stream over a file, unpacked if it is gzipped, as UTF-8 if it is text of UTF-16.

    Raises TraceError if it cannot be opened.
    """
    try:
        raw: io.BufferedIOBase
        if is_uri(path):
            filesystem, inner = _open_filesystem(path)
            raw = cast(io.BufferedIOBase, io.BufferedReader(filesystem.open_input_file(inner), _BUFFER))
        else:
            raw = cast(io.BufferedIOBase, open_regular(path))
        head = raw.read(4)
        raw.seek(0)
    except OSError as error:
        raise TraceError(f"{path}: the file cannot be opened ({_cause(error)}): check path and permissions") from error
    packing = next((name for magic, name in _OTHER_PACKINGS.items() if head.startswith(magic)), None)
    if packing is not None:
        raw.close()
        raise TraceError(f"{path}: is packed with {packing}, which is not read: unpack it, or pack it with gzip")
    if _UTF_16.match(head):
        return _Recoded(raw)
    return _Unpacked(raw) if head.startswith(_GZIP_MAGIC) else raw


def is_packed(path: str) -> bool:
    """Whether a file is gzipped; raises TraceError if it cannot be opened."""
    with open_file(path) as stream:
        return isinstance(stream, _Unpacked)


def lines_of(stream: io.BufferedIOBase, path: str) -> Iterator[bytes]:
    """The lines of a stream that `open_file` returned, with their ends.

    Raises TraceError for one that is longer than any log has, and for a gzipped file that unpacks to far more than a
    log does: memory and time are bounded by the file.
    """
    number = empty = 0
    while line := stream.readline(MOST_LINE + 1):
        number += 1
        empty = 0 if len(line) > 1 else empty + 1
        if empty > MOST_EMPTY:
            raise TraceError(f"{path}: {MOST_EMPTY:,} empty lines stand before line {number}: give a text with lines")
        if len(line) > MOST_LINE:
            raise TraceError(f"{path}: line {number} has more than {MOST_LINE >> 20} MiB: give a text with lines")
        yield line
        if isinstance(stream, _Unpacked) and stream.tell() > FREE + DENSEST * stream.packed_position():
            raise TraceError(
                f"{path}: unpacks to more than {DENSEST} times its size, which no log does: unpack it first"
            )


def text_lines(stream: io.BufferedIOBase, path: str, errors: str = "strict") -> Iterator[str]:
    """The lines of a stream as text, as `lines_of` has them; raises UnicodeDecodeError where `errors` is strict."""
    for line in lines_of(stream, path):
        yield line.decode("utf-8", errors)


def read_text(path: str, errors: str = "strict") -> str:
    """The text of a small file, unpacked if it is gzipped; raises TraceError where it cannot be read or is none."""
    try:
        with open_file(path) as stream:
            found = stream.read(MOST_TEXT + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise TraceError(f"{path}: the file cannot be read ({error})") from error
    if len(found) > MOST_TEXT:
        raise TraceError(f"{path}: has more than {MOST_TEXT >> 20} MiB, which no such file has: give another file")
    try:
        return found.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise TraceError(f"{path}: this is no text: byte {error.start} is {error.object[error.start]:#04x}") from error


def size_of(path: str) -> int:
    """The bytes that a file takes where it lies, 0 for one behind a URI or one that cannot be looked at."""
    try:
        return 0 if is_uri(path) else Path(path).stat().st_size
    except OSError:
        return 0


def position_of(stream: io.BufferedIOBase) -> int:
    """How many bytes, as they lie on disk, were read of a stream that `open_file` returned."""
    return stream.packed_position() if isinstance(stream, (_Unpacked, _Recoded)) else stream.tell()


def expand_glob(pattern: str) -> tuple[str, ...]:
    """The paths that a glob names, sorted (`**` crosses directories); a name that is there is no glob."""
    if not has_wildcard(pattern) or kind_of(pattern) != "missing":
        return (pattern,)
    if not is_uri(pattern):
        return tuple(sorted(glob.glob(pattern, recursive=True)))
    scheme_end = pattern.index("://") + 3
    match = _WILDCARD.search(pattern)
    cut = pattern.rindex("/", 0, match.start() if match else None) + 1
    base = pattern[: max(cut, scheme_end)]
    filesystem, inner = _open_filesystem(base)
    wanted = inner.rstrip("/") + "/" + pattern[len(base) :]
    depth = None if "**" in wanted else wanted.count("/")
    found = [
        str(info.path)
        for info in filesystem.get_file_info(_selector(inner, True))
        if fnmatch.fnmatchcase(info.path, wanted) and depth in (None, info.path.count("/"))
    ]
    return tuple(sorted(base + path[len(inner.rstrip("/")) + 1 :] for path in found))


def _open_filesystem(uri: str) -> tuple[Any, str]:
    # Loading pyarrow takes a third of a second, which a local file need not pay.
    import pyarrow
    from pyarrow import fs

    try:
        filesystem, inner = (_opener.get() or fs.FileSystem.from_uri)(uri)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise TraceError(f"{uri}: the URI cannot be opened ({_cause(error)}): check scheme and access") from error
    return filesystem, inner


def _selector(path: str, recursive: bool) -> Any:
    from pyarrow import fs

    return fs.FileSelector(path, recursive=recursive)


def _cause(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())
