"""The sensitivity of checks of a recording: lines and writes altered one at a time, with the number found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fencepost.checkers.document import Document
from fencepost.model.language import Protocol
from fencepost.traces.zk import ZkRecording, read_recording

from .alter import Altered, altered
from .judge import ZkJudge

AROUND = 25
"""The number of lines to the end of a request or a batch, which says how many lines there should be, at most."""


@dataclass(slots=True)
class Class(Document):
    """One class of alterations: the numbers made, found at all, and found in place."""

    made: int = 0
    found: int = 0
    in_place: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ZkSensitivity(Document):
    """The classes of alterations by name; `unaltered` are the violations without any."""

    DOCUMENT = "unaltered classes"

    classes: dict[str, Class]
    unaltered: int

    def text(self) -> list[str]:
        """Return the measure as lines of text."""
        width = max(map(len, self.classes), default=0)
        return [
            f"  {name:<{width}}  {one.found} of {one.made} found, {one.in_place} in place"
            for name, one in self.classes.items()
        ]


def measured(source: str | ZkRecording, protocol: Protocol, each: int = 10) -> ZkSensitivity:
    """Alter a recording in every class, up to `each` times, and check the results.

    Found in place is a violation at the altered line or zxid, or at the next one of the same file.
    """
    recording = source if isinstance(source, ZkRecording) else read_recording(source)
    records = list(recording.records())
    transactions = None if recording.history is None else list(recording.transactions())
    judge = ZkJudge(protocol)
    found: dict[str, Class] = {}
    for one in altered(records, transactions, each):
        result = judge.told(recording.path, one.records, one.transactions)
        counted = found.setdefault(one.kind, Class())
        counted.made += 1
        counted.found += bool(result.violations)
        counted.in_place += in_place(one, [(v.segment, v.offset) for v in result.violations])
        if not result.violations:
            counted.missed.append(f"{one.segment}:{one.offset}")
    whole = judge.told(recording.path, records, transactions)
    return ZkSensitivity(found, len(whole.violations))


def in_place(one: Altered, places: Sequence[tuple[str, int]]) -> bool:
    """Whether a violation is reported where a recording was altered; of a line that is gone, among those around it."""
    first, last = (one.offset - 1, one.offset + AROUND) if "dropped" in one.kind else (one.offset, one.offset + 1)
    return any(segment == one.segment and first <= offset <= last for segment, offset in places)
