"""Recorded logs under two designs: which of them each accepts, and where the other first refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.conformance.designs import conform_traces
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol

Only = Literal["base", "variant", ""]


class Side(TypedDict):
    """A design's result for a log: at `offset` it refuses the log, null where it does not, because of `why`."""

    verdict: Verdict
    offset: int | None
    why: str


@dataclass(frozen=True)
class LogOfBoth(Document):
    """A log as two designs check it: their verdicts, and where each that refuses it first does, and why."""

    DOCUMENT = "path records only:or_null base variant"

    path: str
    verdicts: tuple[Verdict, Verdict]
    refusals: tuple[str, str]
    offsets: tuple[int | None, int | None]
    records: int

    @property
    def only(self) -> Only:
        """Return the one that alone accepts the log; empty where both do, neither does, or one has not decided."""
        match self.verdicts:
            case Verdict.CONFORMS, Verdict.VIOLATES:
                return "base"
            case Verdict.VIOLATES, Verdict.CONFORMS:
                return "variant"
        return ""

    @property
    def open(self) -> bool:
        """Whether one of the two has not decided."""
        return not {*self.verdicts} <= {Verdict.CONFORMS, Verdict.VIOLATES}

    @property
    def base(self) -> Side:
        """The base's result for the log."""
        return self._side(0)

    @property
    def variant(self) -> Side:
        """The variant's result for the log."""
        return self._side(1)

    def _side(self, which: int) -> Side:
        return {"verdict": self.verdicts[which], "offset": self.offsets[which], "why": self.refusals[which]}


def accepted(
    base: Protocol,
    variant: Protocol,
    logs: Sequence[str],
    traces: Sequence[str] = (),
    static: StaticSettings | None = None,
) -> tuple[LogOfBoth, ...]:
    """Check recorded logs, and event traces of the base's design, by both designs.

    Raises `TraceError` for paths without a log, `TableError` where records of a design do not fit the wire.
    """
    both = base, replace(variant, name=base.name)  # a trace names the design that wrote it
    found: list[LogOfBoth] = []
    if logs:
        sides = [conform(logs, one, static=static).logs for one in (base, variant)]
        found += _paired(sides)
    if traces:
        found += _paired([conform_traces(traces, own=one).logs for one in both])
    return tuple(found)


def _paired(sides: Sequence[Sequence[LogResult]]) -> Iterator[LogOfBoth]:
    for first, second in zip(*sides, strict=True):
        refused = [log.violations[0] if log.violations else None for log in (first, second)]
        told = [
            f"{one.rule}: {one.message}" if one is not None else _doubt(log)
            for one, log in zip(refused, (first, second), strict=True)
        ]
        at = [one.offset if one is not None else None for one in refused]
        yield LogOfBoth(first.path, (first.verdict, second.verdict), (told[0], told[1]), (at[0], at[1]), first.records)


def _doubt(log: LogResult) -> str:
    return "" if log.verdict is Verdict.CONFORMS else next((one.message for one in log.doubts), "not decided")


__all__ = ["LogOfBoth", "accepted"]
