"""The observations of a recording: an event of the tables, its parameters, and the reported states around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .known import CellValue


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an observation: the file, and the line or (of a znode history) the zxid; the time as written."""

    segment: str
    offset: int
    line: int = 0
    what: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """An event as a recording reports it.

    `params` are reported parameters; those that are not, and have few values, are tried, of those in `choices`
    only some. `answers` are the results
    that it may have had, None for any. `before` and `after` are cells around it, `seen` cells after it of a state that
    was read and may be an old one; `brought` are cells that hold for this event only. `worlds` are further values of
    cells that change without a line, tried one after the other where nothing explains the event without them; `adopts`
    says that they are facts from then on. `keeps` are the variables that the event is sure to leave as its row says,
    None for all. `about` are the entities whose cells are in doubt where nothing explains it.
    """

    event: str
    params: Mapping[str, Any]
    place: Place
    entity: str
    answers: frozenset[Any] | None = None
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    before: Sequence[CellValue] = ()
    after: Sequence[CellValue] = ()
    seen: Sequence[CellValue] = ()
    brought: Sequence[CellValue] = ()
    worlds: Callable[[], Iterable[Sequence[CellValue]]] | None = None
    adopts: bool = True
    keeps: frozenset[str] | None = None
    about: tuple[Any, ...] = ()
