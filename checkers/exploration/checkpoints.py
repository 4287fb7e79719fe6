"""Checkpoints: an exploration in a file, from which it goes on after the process has ended, however that did.

A file is an archive of NumPy: the states with what was stored of them, what was counted and found, as JSON, and a
digest of all that. It is written whole or not at all. What is found by going on is worth what its file is worth: the
digest shows damage, and not who wrote it.
"""

from __future__ import annotations

import hashlib
import json
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fencepost.checkers.keeping import code
from fencepost.checkers.verdicts import Refusal
from fencepost.files import json_value, open_regular, whole

from .traces import Found

FORMAT = 3

EVERY = 60.0
"""Seconds from one checkpoint to the next."""

SHARE = 20
"""How many times as long as writing a checkpoint took the search goes on before the next."""


@dataclass(frozen=True)
class Saved:
    """A search between two chunks: what was counted and found, what its store saved, and which chunk is next.

    States `start` to `stop` are the level in work, those below `low` are expanded.
    """

    identity: Mapping[str, Any]
    start: int
    low: int
    stop: int
    levels: tuple[int, ...]
    transitions: int
    fired: Mapping[str, int]
    applied: Mapping[str, int]
    out_of_range: Mapping[str, int]
    found: Mapping[str, Found]
    arrays: Mapping[str, Any]
    kept: Mapping[str, Any]


TOLD, SEAL = "told", "seal"
"""The names under which an archive has everything but arrays, and the digest of all of it."""


class Checkpoint:
    """A file that is written again and again while a search runs."""

    def __init__(self, path: Path, every: float = EVERY) -> None:
        self.path, self.every = path, every
        self._next = time.monotonic() + every

    @property
    def due(self) -> bool:
        """Whether it is time to write."""
        return time.monotonic() >= self._next

    def write(self, saved: Saved) -> None:
        """Write a search; raises `Refusal` where the file cannot be written."""
        began = time.monotonic()
        told = {name: value for name, value in vars(saved).items() if name != "arrays"}
        told["found"] = {id: asdict(one) for id, one in saved.found.items()}
        header = json.dumps({"format": FORMAT, "code": _code(), **told})
        columns: dict[str, Any] = {TOLD: np.frombuffer(header.encode(), np.uint8), **saved.arrays}
        columns[SEAL] = np.frombuffer(_seal(columns), np.uint8)
        try:
            with whole(self.path) as file:
                np.savez(file, **columns)
        except OSError as error:
            raise Refusal(f"{self.path}: cannot write the checkpoint: {error.strerror or error}") from error
        now = time.monotonic()
        self._next = now + max(self.every, SHARE * (now - began) if self.every else 0.0)


def read(path: Path, identity: Mapping[str, Any]) -> Saved:
    """Return a search from a file; raises `Refusal` for a file that is none, or one of another exploration."""
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        seal = arrays.pop(SEAL).tobytes()
        told = json_value(arrays[TOLD].tobytes())
        if told.pop("format") != FORMAT or told.pop("code") != _code():
            raise Refusal(f"{path}: is a checkpoint of another version of fencepost; begin again without it")
        if seal != _seal(arrays):
            raise ValueError("altered")
        del arrays[TOLD]
        found = Saved(**{**told, "found": {id: Found(**one) for id, one in told["found"].items()}}, arrays=arrays)
        if not 0 <= found.start <= found.low <= found.stop:
            raise ValueError("chunks out of order")
    except OSError as error:
        raise Refusal(f"{path}: cannot read the checkpoint: {error.strerror or error}") from error
    except MemoryError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise Refusal(
            f"{path}: is no checkpoint of an exploration, or a damaged one; begin again without it"
        ) from error
    for name, value in identity.items():
        saved = found.identity.get(name)
        if saved != value:
            raise Refusal(
                f"{path}: is a checkpoint of another exploration: its {name} is {saved}, and here it is {value}; "
                "name the protocol, the bound and the options that it was begun with"
            )
    return replace(found, levels=tuple(found.levels))


def _seal(columns: Mapping[str, Any]) -> bytes:
    """Return a digest of the arrays of an archive, with their names, kinds and shapes."""
    made = hashlib.sha256()
    for name in sorted(columns):
        array = np.ascontiguousarray(columns[name])
        made.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        made.update(array.data)
    return made.digest()


def _code() -> str:
    """Return a digest of the code that writes and reads states: a search goes on by the code that began it."""
    return code(("checkers/exploration", "model/language"))
