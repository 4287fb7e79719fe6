"""The ledger of a driver against brokers' logs: no acknowledged record is missing where it must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.traces.brokers import Acknowledged, Ledger

from .copies import Copy
from .history import ClusterHistory, PartitionHistory
from .results import DataResult

Copies = Mapping[tuple[str, int], Sequence[Copy]]


def judge_ledger(ledger: Ledger | None, history: ClusterHistory, copies: Copies, result: DataResult) -> None:
    """Look for every acknowledged record in the log of the last leader and of each member of ISR and ELR at the end.

    A record may be missing where an epoch after that of its acknowledgement began with an unclean election.
    """
    if ledger is None or not ledger.acknowledged:
        what = "there is no ledger" if ledger is None else "the ledger has no acknowledged record"
        result.doubts.append(f"{what}: whether an acknowledged record is missing was not checked")
        return
    result.acknowledged = len(ledger.acknowledged)
    if ledger.given_up:
        result.notes.append(f"{ledger.given_up} records that the producer gave up may be there or not")
    current = history.current()
    by_partition: dict[tuple[str, int], list[Acknowledged]] = {}
    for one in ledger.acknowledged:
        by_partition.setdefault((one.topic, one.partition), []).append(one)
    for key, records in by_partition.items():
        if key not in current:
            gone = key[0] in {history.names[topic] for topic in history.deleted}
            told = "was deleted" if gone else "is not in the metadata log"
            (result.notes if gone else result.doubts).append(
                f"{key[0]}-{key[1]}, which the ledger names, {told}: {len(records)} records were not checked"
            )
            continue
        _one_record(current[key], records, copies[key], result)
        if not copies[key]:
            result.doubts.append(f"no broker here has {current[key].name}, of which the ledger has records")
        for copy in copies[key]:
            if copy.broker in current[key].keepers:
                _Search(copy, copies[key], result).run(records)


def _one_record(
    partition: PartitionHistory, records: Sequence[Acknowledged], copies: Sequence[Copy], result: DataResult
) -> None:
    seen: dict[int, Acknowledged] = {}
    for one in records:
        result.asked["one-record"] += 1
        other = seen.setdefault(one.offset, one)
        if other is one or other.id == one.id:
            continue
        message = f"{other.id} and {one.id} were both acknowledged at {one.offset}"
        excuse = _excuse(partition, other, _epoch(other, copies))
        if excuse is None:
            result.violate("one-record", None, partition.name, one.offset, message)
        elif not excuse:
            result.doubts.append(f"{partition.name}: {message}, which an unclean election may explain")


@dataclass(slots=True)
class _Search:
    """Searches one copy for the records of the ledger; several missing records are reported once, with the first."""

    copy: Copy
    copies: Sequence[Copy]
    result: DataResult
    missing: list[Acknowledged] = field(default_factory=list)
    doubtful: list[Acknowledged] = field(default_factory=list)
    packed: int = 0

    def run(self, records: Sequence[Acknowledged]) -> None:
        """Look for the records, and add what is wrong to the result."""
        for one in records:
            self._look(one)
        name, broker = self.copy.name, self.copy.broker
        if self.missing:
            first = min(self.missing, key=lambda one: one.offset)
            self.copy.violate(
                self.result, "acknowledged", first.offset,
                f"{len(self.missing)} of {len(records)} acknowledged records are missing; the first is {first.id}, "
                f"acknowledged at {first.offset}, {self._instead(first)}",
            )  # fmt: skip
        if self.doubtful:
            self.result.doubts.append(
                f"{name} on broker {broker}: {len(self.doubtful)} acknowledged records are missing, which an unclean "
                f"election may explain: in which epoch {self.doubtful[0].id} was acknowledged is unknown"
            )
        if self.packed:
            self.result.doubts.append(
                f"{name} on broker {broker}: {self.packed} acknowledged records are in compressed batches, which are "
                "not unpacked"
            )

    def _look(self, one: Acknowledged) -> None:
        copy, result = self.copy, self.result
        if one.offset < copy.log_start or copy.is_compacted:
            return
        result.asked["acknowledged"] += 1
        if copy.value_at(one.offset) == one.id.encode():
            result.found += 1
        elif copy.is_packed(one.offset):
            self.packed += 1
        elif copy.lost_tail and one.offset >= copy.end_offset:
            result.lost += 1
        else:
            excuse = _excuse(copy.partition, one, _epoch(one, self.copies))
            if excuse:
                result.unclean += 1
            else:
                (self.missing if excuse is None else self.doubtful).append(one)

    def _instead(self, one: Acknowledged) -> str:
        if one.offset >= self.copy.end_offset:
            return f"and the log ends at {self.copy.end_offset}"
        batch, value = self.copy.batch_at(one.offset), self.copy.value_at(one.offset)
        if batch is None:
            return "where there is nothing"
        what = "another kind of record" if value is None else repr(value.decode(errors="replace"))
        return f"where epoch {batch.epoch} has {what}"


def _epoch(one: Acknowledged, copies: Sequence[Copy]) -> int | None:
    """The epoch under which some broker has the record at its offset, None where none has it."""
    for copy in copies:
        batch = copy.batch_at(one.offset)
        if batch is not None and copy.value_at(one.offset) == one.id.encode():
            return batch.epoch
    return None


def _excuse(partition: PartitionHistory, one: Acknowledged, epoch: int | None) -> bool | None:
    """Return whether an unclean election explains that a record is gone: None for no, False for perhaps, True for yes.

    The epoch of the record is that of its batch, where a broker still has it. Where none has, a record acknowledged
    before the election was acknowledged in an earlier epoch; of one acknowledged later that is not known, since a
    leader that has not heard of the election may still have acknowledged it.
    """
    if epoch is not None:
        return True if any(unclean.epoch > epoch for unclean in partition.unclean) else None
    if not partition.unclean:
        return None
    return any(one.acknowledged_ms <= unclean.timestamp for unclean in partition.unclean)
