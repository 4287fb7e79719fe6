"""Recorded logs with another meaning: records and batches left out, repeated or swapped, fields altered.

Other than `mutants`, which hurts bytes, nothing here is damaged: framing, checksums and offsets of an altered log are
right, so that only what its records say can give it away. Where records are left out, a NoOp takes the offset up; where
records come in, the next NoOp goes; so that offsets further on, and broker epochs with them, stay what they were.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.traces import Batch, MetadataLog, Record, build_batch

Message = tuple[str, int, dict[str, Any]]
NO_OP: Message = ("NO_OP_RECORD", 0, {})
PARTITION = "PARTITION_RECORD"

RECORD_DROPPED, RECORD_DOUBLED, RECORDS_SWAPPED = "record dropped", "record doubled", "records swapped"
BATCH_DROPPED, BATCH_DOUBLED, BATCHES_SWAPPED = "batch dropped", "batch doubled", "batches swapped"
FIELD_ALTERED, PARTITION_LEFT_OUT = "field altered", "partition left out"
KINDS = (
    RECORD_DROPPED, RECORD_DOUBLED, RECORDS_SWAPPED, BATCH_DROPPED, BATCH_DOUBLED, BATCHES_SWAPPED,
    PARTITION_LEFT_OUT, *(FIELD_ALTERED,) * 5,
)  # fmt: skip
"""The kinds of alterations, each as often as it is drawn."""


@dataclass(frozen=True)
class Altered:
    """A log with another meaning: what was done to which type of record, to which field (empty for none), and where.

    `was` and `now` are what the record said, and says instead where a field is altered.
    """

    kind: str
    type: str
    field: str
    offset: int
    log: MetadataLog
    was: Mapping[str, Any]
    now: Mapping[str, Any]


class Alterations:
    """The altered versions of one log, each by its seed."""

    def __init__(self, log: MetadataLog) -> None:
        self.log = replace(log, snapshots=())
        self.data = [n for n, batch in enumerate(log.batches) if _whole(batch) and _messages(batch) != [NO_OP]]
        self.values: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for record in log.records():
            if isinstance(record, Record):
                for name, value in record.data.items():
                    known = self.values[record.type, name]
                    if value not in known:
                        known.append(value)

    def altered(self, seed: int) -> Altered | None:
        """Return the log altered as a seed says, None where the seed hits upon nothing that could be altered so."""
        chance = random.Random(seed)
        kind = chance.choice(KINDS)
        at = chance.choice(self.data)
        batch = self.log.batches[at]
        messages = _messages(batch)
        which = chance.randrange(len(messages))
        type_, _, was = messages[which]
        field, now = "", was
        match kind:
            case "record dropped":
                new = [messages[:which] + messages[which + 1 :], [NO_OP]]
            case "batch dropped":
                new = [[NO_OP] for _ in messages]
            case "record doubled":
                new = [messages[: which + 1] + messages[which:]]
            case "batch doubled":
                new = [messages, messages]
            case "records swapped":
                if which + 1 == len(messages) or messages[which] == messages[which + 1]:
                    return None
                messages[which : which + 2] = reversed(messages[which : which + 2])
                new = [messages]
            case "batches swapped":
                if at + 1 not in self.data or self.log.batches[at + 1].segment != batch.segment:
                    return None
                after = _messages(self.log.batches[at + 1])
                if messages == after:
                    return None
                return self._made(Altered(kind, type_, "", 0, self.log, was, now), at, 2, [after, messages])
            case "partition left out":
                if type_ != PARTITION:
                    return None
                return self._without_partition(at, which)
            case _:
                names = [name for name in sorted(was) if name != "version"]
                if not names:
                    return None
                field = chance.choice(names)
                old = was[field]
                value = _another(old, self.values[type_, field], chance)
                if value == old:
                    return None
                now = {**was, field: value}
                messages[which] = (*messages[which][:2], now)
                new = [messages]
        return self._made(Altered(kind, type_, field, 0, self.log, was, now), at, 1, new)

    def _without_partition(self, at: int, which: int) -> Altered:
        """Leave out a partition's creation and every later record about it, as if it had never been."""
        whose = _about(self.log.batches[at].metadata_records[which])
        batches: list[Batch] = []
        for batch in self.log.batches:
            kept = [one for one in batch.metadata_records if _about(one) != whose]
            lost = len(batch.metadata_records) - len(kept)
            new = [[_message(one) for one in kept], *([NO_OP] for _ in range(lost))]
            batches += _placed(batch, new) if lost else [batch]
        record = self.log.batches[at].metadata_records[which]
        log = replace(self.log, batches=tuple(batches))
        return Altered(PARTITION_LEFT_OUT, PARTITION, "", record.offset, log, record.data, record.data)

    def _made(self, altered: Altered, at: int, many: int, new: Sequence[list[Message]]) -> Altered:
        """Return what was altered with other batches in the place of some."""
        batches, first = self.log.batches, self.log.batches[at]
        more = sum(map(len, new)) - sum(len(one.records) for one in batches[at : at + many])
        placed = _placed(first, new)
        after = list(batches[at + many :])
        if more:
            after = list(_moved(after, more))
        changed = (*batches[:at], *placed, *after)
        return replace(altered, offset=first.base_offset, log=replace(self.log, batches=changed))


def _whole(batch: Batch) -> bool:
    return not batch.is_control and len(batch.metadata_records) == len(batch.records) > 0


def _about(record: Record) -> tuple[Any, Any]:
    return record.data.get("topicId"), record.data.get("partitionId")


def _message(record: Record) -> Message:
    return record.type, record.version, record.data


def _messages(batch: Batch) -> list[Message]:
    return [_message(one) for one in batch.metadata_records]


def _placed(like: Batch, groups: Sequence[list[Message]]) -> list[Batch]:
    """Return batches of these messages, one a group that has any, from the offset of a batch on."""
    made: list[Batch] = []
    offset = like.base_offset
    for messages in groups:
        if messages:
            time, name = like.base_timestamp, like.segment
            made.append(build_batch(messages, base_offset=offset, epoch=like.epoch, timestamp=time, segment=name))
            offset += len(messages)
    return made


def _moved(batches: Sequence[Batch], more: int) -> Iterator[Batch]:
    """Move batches up by a number of offsets, until so many NoOps were left out."""
    for batch in batches:
        if more and _whole(batch) and _messages(batch) == [NO_OP]:
            more -= 1
        elif more:
            records = tuple(replace(one, offset=one.offset + more) for one in batch.records)
            yield replace(
                batch,
                records=records,
                base_offset=batch.base_offset + more,
                last_offset=batch.last_offset + more,
                raw=None,
            )
        else:
            yield batch


def _another(old: Any, known: Sequence[Any], chance: random.Random) -> Any:
    """Return another value of the same form: one that the log has elsewhere, or one beside the old one."""
    match old:
        case bool():
            return not old
        case list() if old and chance.random() < 0.7:
            return _another_list(old, chance)
        case Mapping():
            return old
        case int() if chance.random() < 0.5:
            return old + chance.choice((-1, 1))
    others = [one for one in known if one != old]
    if others:
        return chance.choice(others)
    return old + 1 if isinstance(old, int) else old


def _another_list(old: list[Any], chance: random.Random) -> list[Any]:
    """Return a list with one entry less, one twice, one altered, or two swapped."""
    at = chance.randrange(len(old))
    match chance.choice(("less", "twice", "altered", "swapped")):
        case "less":
            return old[:at] + old[at + 1 :]
        case "twice":
            return [*old[: at + 1], *old[at:]]
        case "swapped" if len(old) > 1:
            return [*old[:at][::-1], *old[at:][::-1]] if at else [*old[1:], old[0]]
    if isinstance(old[at], int) and not isinstance(old[at], bool):
        return [*old[:at], old[at] + chance.choice((-1, 1)), *old[at + 1 :]]
    return old[:at] + old[at + 1 :]
