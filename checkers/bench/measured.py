"""Options and results of benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode


@dataclass(frozen=True)
class Options:
    """Options of a benchmark: how many seeds, which is the first, how long a run lasts (None for its own), bugs,
    protocols (none for all), a log, bounds (none for the first), how many logs of how many records are made (None for
    its own), sizes in place of the bounds' own, the checkers beside which exploration is measured, and the document of
    an earlier measurement."""

    seeds: int | None
    first: int
    seconds: float | None
    bugs: tuple[str, ...]
    protocols: tuple[str, ...]
    progress: Callable[[str], None]
    log: Path | None = None
    bounds: tuple[str, ...] = ()
    logs: int | None = None
    records: int | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    against: Path | None = None


@dataclass(frozen=True)
class Measured:
    """The result of a benchmark: its figures for JSON, one line for people, and how the command is to end for it."""

    figures: Mapping[str, Any]
    line: str
    code: ExitCode = ExitCode.AS_DECLARED
    more: Sequence[str] = field(default_factory=tuple)
