"""Files where Spark reads them: any scheme that the session's Hadoop knows, looked at from the driver."""

from __future__ import annotations

import io
import re
from contextlib import AbstractContextManager
from typing import Any

from fencepost.traces.storage import is_uri, reading_through

from .cluster import reason_of

_FILE = "file://"
_ONE_SLASH = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/(?!/)")


def as_uri(path: str) -> str:
    """Return a path, or a URI with the two slashes that Hadoop lets one leave out.

    >>> as_uri("file:/logs"), as_uri("s3a://bucket/logs"), as_uri("/logs")
    ('file:///logs', 's3a://bucket/logs', '/logs')
    """
    return _ONE_SLASH.sub(r"\1:///", path, count=1) if _ONE_SLASH.match(path) else path


class HadoopFiles:
    """The files that a session's Hadoop reads, as filesystems to `reading_through`; only the driver can ask it."""

    def __init__(self, session: Any) -> None:
        self._session = session
        try:
            self._jvm, self._conf = session._jvm, session._jsc.hadoopConfiguration()
        except Exception:
            # Of Spark Connect there is no Java process here to ask.
            self._jvm = None
        self._sizes: dict[str, int] = {}

    def at(self, uri: str) -> tuple[HadoopFiles, str]:
        """Return the filesystem of a URI and the path in it; raises `OSError` for a scheme that no filesystem has."""
        if self._jvm is None:
            raise OSError(
                "a session of Spark Connect lists no files: give session.read.format('binaryFile').load(FOLDERS), a "
                "DataFrame of the files with their content"
            )
        self._asked(lambda: self._system(self._path(uri)))
        return self, uri

    def size(self, uri: str) -> int:
        """Return the bytes of a file, 0 where they cannot be known."""
        return max(0, self._length(uri))

    def is_empty(self, uri: str) -> bool:
        """Whether a file is known to have no byte."""
        return self._length(uri) == 0

    def _length(self, uri: str) -> int:
        if uri not in self._sizes:
            try:
                self._sizes[uri] = int(self._asked(lambda: self._status(uri).getLen()))
            except OSError:
                self._sizes[uri] = -1
        return self._sizes[uri]

    def qualified(self, uri: str) -> str:
        """Return a file's path as Spark gives it."""
        path = self._path(uri)
        return str(self._asked(lambda: self._system(path).makeQualified(path).toString()))

    def get_file_info(self, wanted: Any) -> list[Any]:
        """Return what is at some paths, or inside the directory of a selector, as pyarrow's filesystems do."""
        from pyarrow import fs

        if isinstance(wanted, fs.FileSelector):
            return self._asked(lambda: list(self._inside(wanted.base_dir, wanted.recursive)))  # type: ignore[no-any-return]
        return [self._info(uri) for uri in wanted]

    def exists(self, uri: str) -> bool:
        """Whether there is something at a URI; raises `OSError` where that cannot be known."""
        if self._jvm is None:
            return self._is_readable(uri)
        return bool(self.at(uri)[0].get_file_info([uri])[0].type.name != "NotFound")

    def _is_readable(self, uri: str) -> bool:
        """Open a path by Spark's own readers: the schema of a text is known without its content, if there is one."""
        try:
            self._session.read.format("text").load(uri).schema  # noqa: B018
        except Exception as error:
            if "PATH_NOT_FOUND" in str(error):
                return False
            raise OSError(reason_of(error)) from error
        return True

    def delete(self, uri: str) -> None:
        """Delete a file, or a directory with all that is in it; Spark Connect, which cannot, leaves it."""
        if self._jvm is not None:
            path = self._path(uri)
            self._asked(lambda: self._system(path).delete(path, True))

    def open_input_file(self, uri: str) -> io.RawIOBase:
        """Return a file to read; raises `OSError` where it cannot be opened."""
        path = self._path(uri)
        return _Stream(self._asked(lambda: self._system(path).open(path)), self)

    def _info(self, uri: str) -> Any:
        from pyarrow import fs

        path = self._path(uri)
        if not self._asked(lambda: self._system(path).exists(path)):
            return fs.FileInfo(uri, fs.FileType.NotFound)
        status = self._asked(lambda: self._status(uri))
        return fs.FileInfo(uri, fs.FileType.Directory if status.isDirectory() else fs.FileType.File)

    def _inside(self, uri: str, recursive: bool) -> Any:
        from pyarrow import fs

        path = self._path(uri)
        for status in self._system(path).listStatus(path):
            found = f"{uri.rstrip('/')}/{status.getPath().getName()}"
            if status.isDirectory():
                yield fs.FileInfo(found, fs.FileType.Directory)
                if recursive:
                    yield from self._inside(found, True)
            else:
                self._sizes[found] = int(status.getLen())
                yield fs.FileInfo(found, fs.FileType.File)

    def _path(self, uri: str) -> Any:
        return self._asked(lambda: self._jvm.org.apache.hadoop.fs.Path(uri))

    def _system(self, path: Any) -> Any:
        return path.getFileSystem(self._conf)

    def _status(self, uri: str) -> Any:
        path = self._path(uri)
        return self._system(path).getFileStatus(path)

    def _asked(self, ask: Any) -> Any:
        """Call Java; raises `OSError` with its message."""
        from py4j.protocol import Py4JError

        try:
            return ask()
        except Py4JError as error:
            raise OSError(reason_of(error)) from error


class _Stream(io.RawIOBase):
    """An input stream of Hadoop's."""

    def __init__(self, stream: Any, files: HadoopFiles) -> None:
        self._stream, self._files = stream, files

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data: bytes = self._files._asked(lambda: self._stream.readNBytes(len(buffer)))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only from the beginning")
        self._files._asked(lambda: self._stream.seek(offset))
        return offset

    def tell(self) -> int:
        return int(self._files._asked(self._stream.getPos))

    def close(self) -> None:
        if not self.closed:
            self._files._asked(self._stream.close)
        super().close()


def through_spark(session: Any) -> AbstractContextManager[None]:
    """Read what lies behind URIs through a session's filesystems until the end of the block."""
    return reading_through(HadoopFiles(session).at)


def is_elsewhere(path: str) -> bool:
    """Whether Spark reads a path: a URI. Any other path is a file of this machine, for workers too."""
    return is_uri(as_uri(path))


def on_this_machine(path: str) -> str | None:
    """Return the path under which every worker opens a file, None where only Spark's filesystems have it.

    >>> on_this_machine("/logs"), on_this_machine("file:/logs"), on_this_machine("s3a://bucket/logs")
    ('/logs', '/logs', None)
    """
    uri = as_uri(path)
    if not is_uri(uri):
        return path
    return uri.removeprefix(_FILE) if uri.startswith(_FILE + "/") else None
