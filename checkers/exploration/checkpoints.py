"""Checkpoints: an exploration in a file, from which it goes on after the process has ended, however that did.

A file is an archive of NumPy: the states with what was stored of them, and what was counted and found, as JSON. It is
written beside and renamed, so that there is always one whole.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fencepost.checkers.verdicts import Refusal

from .traces import Found

FORMAT = 2

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


TOLD = "told"
"""The name under which an archive has everything but arrays."""


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
        header = json.dumps({"format": FORMAT, **told})
        columns: dict[str, Any] = {TOLD: np.frombuffer(header.encode(), np.uint8), **saved.arrays}
        try:
            number, draft = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".draft")
            try:
                with os.fdopen(number, "wb") as file:
                    np.savez(file, **columns)
                    file.flush()
                    os.fsync(file.fileno())
                Path(draft).replace(self.path)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise Refusal(f"{self.path}: cannot write the checkpoint: {error.strerror or error}") from error
        now = time.monotonic()
        self._next = now + max(self.every, SHARE * (now - began) if self.every else 0.0)


def read(path: Path, identity: Mapping[str, Any]) -> Saved:
    """Return a search from a file; raises `Refusal` for a file that is none, or one of another exploration."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            told = json.loads(archive[TOLD].tobytes())
            arrays = {name: archive[name] for name in archive.files if name != TOLD}
    except OSError as error:
        raise Refusal(f"{path}: cannot read the checkpoint: {error.strerror or error}") from error
    except (ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise Refusal(
            f"{path}: is no checkpoint of an exploration, or a damaged one; begin again without it"
        ) from error
    if told.pop("format", None) != FORMAT:
        raise Refusal(f"{path}: is a checkpoint of another version of fencepost; begin again without it")
    for name, value in identity.items():
        saved = told["identity"].get(name)
        if saved != value:
            raise Refusal(
                f"{path}: is a checkpoint of another exploration: its {name} is {saved}, and here it is {value}; "
                "name the protocol, the bound and the options that it was begun with"
            )
    told["found"] = {id: Found(**one) for id, one in told["found"].items()}
    told["levels"] = tuple(told["levels"])
    return Saved(**told, arrays=arrays)
