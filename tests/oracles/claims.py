"""What `conform` claims of a log, before it folds what follows under what it follows from; compared with the oracle."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

from fencepost.checkers.conformance import PASSED_THROUGH, Judge, LogResult, Options
from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.matching.parsing import Fault
from fencepost.checkers.conformance.reading.monitor import Reading
from fencepost.checkers.conformance.reading.units import Item, Units
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import entity_text
from fencepost.checkers.conformance.state.properties import Broken as Claimed
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.releases import RELEASES
from fencepost.traces import MetadataLog, Snapshot, Undecodable

from .judge import Broken, Judgement

_RECORD = (
    "P1", "P2", "P3", "P4", "P5", "P7r", "P8", "P9", "P10", "P11", "P12", "P13", "P13b", "P15", "P17", "P27", "P33",
    "K6", "B5",
)  # fmt: skip
SCOPES = {**dict.fromkeys(_RECORD, "record"), **dict.fromkeys(("P7", "P7s", "P8r", "P30", "C19", "L19"), "result")}
"""The properties of the tables that the oracle states again, by scope."""

ROWS = frozenset({"K1", "K3", "K5", "L10", "P17c"})
"""What the tables claim of rows, or as a guard of rows: a record that breaks it is explained by none."""

RULES = frozenset({"gap", "order", "epoch"})
"""The rules of `conform` about neighbouring batches."""

ALIASES = {"P1w": "P1", "P1v": "P1", "P3w": "P3", "P3v": "P3"}
"""Properties that are the same of what a log shows: that D26 or D34 has been at a partition it does not show."""

_P1 = frozenset({"exists", "leader", "isr"})
_OLD = frozenset({"exists", "leader", "isr", "elr", "recovery", "removing", "adding"})
_EPOCHS = frozenset({"exists", "leader_epoch", "partition_epoch"})
READS = {
    **dict.fromkeys(("P1", "P3"), _P1),
    "P2": frozenset({"exists", "isr", "replicas"}),
    "P4": frozenset({"exists", "isr", "elr"}),
    "P5": frozenset({"exists", "elr", "replicas"}),
    "P7": _P1 | {"registered", "fenced"},
    "P7r": _P1 | {"fenced"},
    "P7s": _P1 | {"in_controlled_shutdown"},
    "P8": _P1 | _EPOCHS | {"elr", "replicas", "recovery"},
    "P8r": _OLD | _EPOCHS | {"replicas", "last_known", "last_nobody", "location", "elr_disordered"},
    "P9": frozenset({"exists", "leader", "leader_epoch"}),
    **dict.fromkeys(("P10", "P11"), _OLD),
    "P12": frozenset({"exists", "isr", "recovery"}),
    **dict.fromkeys(("P13", "P13b"), frozenset({"exists", "adding", "removing", "replicas"})),
    "P15": frozenset({"exists", "replicas", "isr", "leader_epoch", "metadata_version"}),
    "P17": frozenset({"live", "name"}),
    "P27": frozenset({"exists", "replicas", "registered"}),
    "P30": frozenset({"exists", "isr", "elr"}),
    "P33": _OLD | _EPOCHS | {"replicas", "last_known", "registered", "fenced", "in_controlled_shutdown"},
    "K6": frozenset({"registered", "directories"}),
    "C19": frozenset({"live", "exists", "topic"}),
    "L19": frozenset({"metadata_version", "in_transaction"}),
    "B5": frozenset({"directories"}),
}
"""The variables that each property reads."""

OF_ROWS = frozenset({"registered", "epoch", "incarnation", "fenced", "in_controlled_shutdown", "exists"})
"""The variables that the claims of rows read, which the oracle makes of records alone."""

OF_OTHERS = {
    **dict.fromkeys(
        ("P17", "P27", "P33"), frozenset({"live", "name", "registered", "fenced", "in_controlled_shutdown"})
    ),
    "C19": READS["C19"],
}
"""Variables that properties read of entities that they do not name."""


@dataclass(slots=True)
class Claims:
    """What a monitor claims of one log, and where it stops to know cells: from an offset on, by variable and keys."""

    broken: set[Broken] = field(default_factory=set)
    doubted: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    at: int = -1


def _texts(keys: Iterable[Any]) -> tuple[str, ...]:
    return tuple(entity_text(key) for key in keys)


def named(id: str) -> str:
    """Return the id under which the oracle states a property."""
    return ALIASES.get(id, id)


@contextmanager
def watched() -> Iterator[Claims]:
    """Have every claim noted that a monitor makes, before it is folded or taken for a finding."""
    claims = Claims()
    broken, at_start = Units._broken, Units.broken_at_start
    unexplained, compare, doubt = Units._unexplained, Reading._compare, HardState.doubt

    def note(one: Claimed, offset: int) -> None:
        scope = SCOPES.get(named(one.claim.id))
        if scope is not None:
            entities = _texts(value for _, _, value in one.instance)
            claims.broken.add(Broken(one.claim.id, scope, offset, entities))

    def on_broken(self: Units, one: Claimed, item: Item) -> None:
        note(one, item.record.offset)
        broken(self, one, item)

    def on_start(self: Units, one: Claimed, snapshot: Snapshot) -> None:
        note(one, snapshot.end_offset)
        at_start(self, one, snapshot)

    def on_unexplained(self: Units, fault: Fault, items: Sequence[Item], at: int) -> None:
        claims.at = items[at].record.offset
        unexplained(self, fault, items, at)

    def on_compare(self: Reading, snapshot: Snapshot) -> None:
        claims.at = snapshot.end_offset
        compare(self, snapshot)

    def on_doubt(self: HardState, cells: Iterable[Cell]) -> None:
        told = list(cells)
        names = [(self.layout.states[number].name, _texts(keys)) for number, keys in told]
        claims.doubted += [(claims.at, name, keys) for name, keys in names]
        doubt(self, told)

    with (
        patch.object(Units, "_broken", on_broken),
        patch.object(Units, "broken_at_start", on_start),
        patch.object(Units, "_unexplained", on_unexplained),
        patch.object(Reading, "_compare", on_compare),
        patch.object(HardState, "doubt", on_doubt),
    ):
        yield claims


@cache
def _judge(release: str) -> Judge:
    return Judge([RELEASES[release].for_logs], Options(PASSED_THROUGH, StaticSettings().given))


def judged(log: MetadataLog, release: str) -> tuple[LogResult, Claims]:
    """Return what `conform` answers of a log under a release, and every claim on the way."""
    with watched() as claims:
        return _judge(release).log(log), claims


# -- compared ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Compared:
    """How many violations both claim, how many only the oracle does where `conform` does not know, and differences."""

    both: int
    unknown: int
    differences: tuple[str, ...]


def lost_from(log: MetadataLog, result: LogResult) -> float:
    """Return the offset from which the monitor does not know the state: behind what is missing or cannot be read."""
    gaps = [one.offset for one in result.violations if one.rule == "gap"]
    return min([*gaps, *(one.offset for one in log.records() if isinstance(one, Undecodable))], default=float("inf"))


def compared(log: MetadataLog, result: LogResult, claims: Claims, oracle: Judgement) -> Compared:
    """Hold the claims against the oracle's.

    Both are equal where the state is known. These differences are allowed, and nothing else:
    - behind a missing or unreadable record, and where a cell that a property reads is in doubt, as a record that is
      missing would have written it, the oracle goes on with what records say and may claim more; what `conform` claims
      of a state there is false for the oracle as well, though it may have begun to be earlier;
    - of whole results that are parts of a batch the oracle sees the batch: offsets are moved to its end; what is mended
      within a batch it does not claim, but its interval holds the offset; of a step it says nothing where a batch
      changes the partition more than once.
    """
    lost = lost_from(log, result)
    ends, found = oracle.ends, {one for one in oracle.broken if one.scope in ("record", "result")}
    differences: list[str] = []
    both = unknown = 0

    def doubtful(one: Broken) -> bool:
        if one.offset >= lost:
            return True
        others = OF_OTHERS.get(one.property, frozenset())
        return any(
            name in READS.get(one.property, OF_ROWS)
            and ends.get(at, at) <= ends.get(one.offset, one.offset)
            and (not keys or name in others or not set(keys).isdisjoint(one.entities))
            for at, name, keys in claims.doubted
        )

    claimed: set[tuple[str, Broken]] = set()
    for one in claims.broken:
        end = ends.get(one.offset, one.offset) if one.scope == "result" else one.offset
        moved = Broken(named(one.property), one.scope, end, one.entities)
        claimed.add((one.property, moved))
        if moved in found:
            both += 1
        elif oracle.leaves_open(moved):
            continue
        else:
            inside = any(
                span.property == moved.property
                and span.entities == one.entities
                and span.first <= one.offset <= span.last
                for span in oracle.spans
            )
            mended = one.scope == "result" and one.offset != end
            if not (inside and (mended or doubtful(one))):
                differences.append(f"conform only: {one}")
    for one in sorted(found, key=lambda it: (it.offset, it.property)):
        ids = [one.property, *(id for id, other in ALIASES.items() if other == one.property)]
        missing = [id for id in ids if (id, one) not in claimed]
        if missing and not oracle.leaves_open(one):
            if doubtful(one):
                unknown += 1
            else:
                differences.append(f"oracle only: {one}, as {' and '.join(missing)}")
    differences += (it for one, it in _rows(result, oracle, lost) if not doubtful(one))
    differences += _rules(result, oracle)
    differences += _folded(result, claims)
    return Compared(both, unknown, tuple(differences))


def _rows(result: LogResult, oracle: Judgement, lost: float) -> Iterator[tuple[Broken, str]]:
    """What the oracle says of rows is in a unit where `conform` explains something by no row, or is undecided."""
    told = {oracle.ends.get(at, at) for one in result.violations for at in (one.offset, *one.folded)}
    for one in oracle.broken:
        if one.property in ROWS and one.offset < lost and oracle.ends[one.offset] not in told:
            spans = [(doubt.first, doubt.last) for doubt in result.doubts if doubt.first is not None]
            if not any(first <= one.offset and (last is None or one.offset <= last) for first, last in spans):
                yield one, f"oracle only, and conform explains it: {one}"


def _rules(result: LogResult, oracle: Judgement) -> Iterator[str]:
    ours = {(one.rule, one.offset) for one in result.violations if one.rule in RULES}
    theirs = {(one.property, one.offset) for one in oracle.broken if one.property in RULES}
    yield from (f"conform only: {one}" for one in sorted(ours - theirs))
    yield from (f"oracle only: {one}" for one in sorted(theirs - ours))


def entities_of(text: str) -> tuple[str, ...]:
    """Return the entities that a violation names, which may be none."""
    return tuple(part.partition("=")[2] for part in text.split(", ") if part)


def _folded(result: LogResult, claims: Claims) -> Iterator[str]:
    """Every claim is a violation, or a finding, or folded under a violation."""
    told = {(one.rule, one.offset, one.entity) for one in result.violations}
    told |= {(one.by, one.offset, one.entity) for one in result.findings}
    folded = {at for one in result.violations for at in one.folded}
    said = {(id, at, entities_of(of)) for id, at, of in told}
    for one in claims.broken:
        if (one.property, one.offset, one.entities) not in said and one.offset not in folded:
            yield f"claimed and not reported: {one}"
