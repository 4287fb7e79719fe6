"""Faulty logs: pieces of recordings with one or two alterations, at any place or at a border, by a seed."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencepost.traces import MetadataLog, Record, Snapshot
from fencepost.traces.records import Batch

Said = dict[str, Any]
Change = Callable[[random.Random, "Draft"], None]

ANYWHERE, BATCH, RESULT, SEGMENT, SNAPSHOT = "anywhere", "batch", "result", "segment", "snapshot"
WHERE = (ANYWHERE, BATCH, RESULT, SEGMENT, SNAPSHOT)
"""Where an alteration is made: at any record of the type, or at one at a border.

A batch border is a batch's first or last record, a result border the last record of one in front of another batch, a
segment border the neighbourhood of a segment's beginning, a snapshot border that of the offset at which one ends.
"""

_NEAR = 4
"""How many batches at either side of the beginning of a segment, or of a snapshot's end, are its neighbourhood."""


@dataclass(slots=True)
class Draft:
    """The batches of a log to be altered, what it knows to choose from, and the batches that are chosen from."""

    batches: list[Batch]
    snapshots: tuple[Snapshot, ...]
    brokers: list[int]
    where: str = ANYWHERE

    def near(self) -> list[int]:
        """Return the numbers of the batches with metadata records that are at the border, all where there is none."""
        usable = [n for n, batch in enumerate(self.batches) if batch.metadata_records]
        if self.where == SEGMENT:
            starts = [n for n in range(1, len(self.batches)) if self._segment(n) != self._segment(n - 1)]
        elif self.where == SNAPSHOT:
            ends = {one.end_offset for one in self.snapshots}
            starts = [n for n, batch in enumerate(self.batches) if batch.base_offset in ends]
        else:
            return usable
        return [n for n in usable if any(-_NEAR <= n - start < _NEAR for start in starts)] or usable

    def _segment(self, number: int) -> str:
        return self.batches[number].segment

    def records(self, *types: str) -> list[tuple[int, int]]:
        """Return where records of some types are: the number of the batch, and the place in it."""
        found = [
            (n, at)
            for n in self.near()
            for at, one in enumerate(self.batches[n].records)
            if isinstance(one, Record) and (not types or one.type in types)
        ]
        if self.where == BATCH:
            return [(n, at) for n, at in found if at in (0, len(self.batches[n].records) - 1)] or found
        if self.where == RESULT:
            return [(n, at) for n, at in found if at == len(self.batches[n].records) - 1] or found
        return found

    def record(self, at: tuple[int, int]) -> Record:
        """Return the record at a place."""
        found = self.batches[at[0]].records[at[1]]
        assert isinstance(found, Record)
        return found

    def put(self, at: tuple[int, int], *records: Record) -> None:
        """Put records in place of one."""
        number, place = at
        old = tuple(self.batches[number].records)
        self.batches[number] = replace(self.batches[number], records=(*old[:place], *records, *old[place + 1 :]))

    def says(self, at: tuple[int, int], **said: Any) -> None:
        """Have a record say something else."""
        record = self.record(at)
        self.put(at, replace(record, data={**record.data, **said}, raw=None))


# -- alterations -------------------------------------------------------------------------------------------------------
PARTITION, CHANGE = "PARTITION_RECORD", "PARTITION_CHANGE_RECORD"
BROKER, BROKER_CHANGE = "REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD"


def _members(rng: random.Random, draft: Draft, of: list[int]) -> list[int]:
    """Return a list of brokers with one dropped, one added, or two that have changed places."""
    how, found = rng.randrange(4), list(of)
    if how == 0 and found:
        found.remove(rng.choice(found))
    elif how == 1 and len(found) > 1:
        found[0], found[-1] = found[-1], found[0]
    elif how == 2:
        found = []
    else:
        found = list(dict.fromkeys([*found, rng.choice(draft.brokers)]))
    return found


def _listed(name: str, *types: str) -> Change:
    def change(rng: random.Random, draft: Draft) -> None:
        at = rng.choice(draft.records(*types))
        draft.says(at, **{name: _members(rng, draft, draft.record(at).data.get(name) or [])})

    return change


def _valued(name: str, values: Callable[[random.Random, Draft, Said], Any], *types: str) -> Change:
    def change(rng: random.Random, draft: Draft) -> None:
        at = rng.choice(draft.records(*types))
        draft.says(at, **{name: values(rng, draft, draft.record(at).data)})

    return change


def _replicas(rng: random.Random, draft: Draft) -> None:
    """Other replicas, with a directory for each where the record says directories."""
    at = rng.choice(draft.records(PARTITION))
    data = draft.record(at).data
    found = _members(rng, draft, data["replicas"])
    said = dict(zip(data["replicas"], data.get("directories") or (), strict=False))
    told = (
        {"directories": [said.get(one, "AAAAAAAAAAAAAAAAAAAAAQ") for one in found]} if data.get("directories") else {}
    )
    draft.says(at, replicas=found, **told)


def _moved(rng: random.Random, draft: Draft) -> None:
    """A change that moves the replicas of a partition to others at once."""
    at = rng.choice(draft.records(CHANGE))
    found = rng.sample(draft.brokers, min(len(draft.brokers), rng.randrange(1, 4)))
    draft.says(at, replicas=found, directories=["AAAAAAAAAAAAAAAAAAAAAQ"] * len(found))


def _dropped(rng: random.Random, draft: Draft) -> None:
    record = draft.record(at := rng.choice(draft.records()))
    draft.put(at, replace(record, type="NO_OP_RECORD", version=0, data={}, raw=None))


def _left_out(rng: random.Random, draft: Draft) -> None:
    found = [at for at in draft.records() if len(draft.batches[at[0]].records) > 1]
    if found:
        draft.put(rng.choice(found))


def _again(rng: random.Random, draft: Draft) -> None:
    record = draft.record(at := rng.choice(draft.records()))
    draft.put(at, record, record)


def _later(rng: random.Random, draft: Draft) -> None:
    """A record comes once more, in front of a later one."""
    at, other = sorted([rng.choice(draft.records()), rng.choice(draft.records())])
    draft.put(other, draft.record(at), draft.record(other))


def _swapped(rng: random.Random, draft: Draft) -> None:
    at, other = rng.choice(draft.records()), rng.choice(draft.records())
    one, two = draft.record(at), draft.record(other)
    draft.put(at, two)
    draft.put(other, one)


def _neighbours(rng: random.Random, draft: Draft) -> None:
    found = [at for at in draft.records() if at[1] + 1 < len(draft.batches[at[0]].records)]
    if found:
        number, place = rng.choice(found)
        one, two = draft.record((number, place)), draft.record((number, place + 1))
        draft.put((number, place), two)
        draft.put((number, place + 1), one)


def _split(rng: random.Random, draft: Draft) -> None:
    """A batch becomes two."""
    found = [at for at in draft.records() if at[1] > 0]
    if found:
        number, place = rng.choice(found)
        batch = draft.batches[number]
        parts = (batch.records[:place], batch.records[place:])
        draft.batches[number : number + 1] = [replace(batch, records=tuple(part)) for part in parts]


def _joined(rng: random.Random, draft: Draft) -> None:
    """Two batches become one."""
    batches = draft.batches
    usable = set(draft.near())
    found = [n for n in sorted(usable) if n + 1 in usable and batches[n].epoch == batches[n + 1].epoch]
    if found:
        n = rng.choice(found)
        batches[n : n + 2] = [replace(batches[n], records=(*batches[n].records, *batches[n + 1].records))]


def _fences(rng: random.Random, draft: Draft) -> None:
    """A broker is fenced, unfenced, shut down or unregistered behind some record."""
    record = draft.record(at := rng.choice(draft.records()))
    registered = [draft.record(one).data for one in Draft(draft.batches, (), []).records(BROKER)]
    known = rng.choice(registered) if registered else {"brokerId": rng.choice(draft.brokers), "brokerEpoch": 1}
    about = {"brokerId": known["brokerId"], "brokerEpoch": known["brokerEpoch"]}
    type_, version, more = rng.choice(
        [
            (BROKER_CHANGE, 0, {"fenced": 1}),
            (BROKER_CHANGE, 0, {"fenced": -1}),
            (BROKER_CHANGE, 1, {"inControlledShutdown": 1}),
            ("UNREGISTER_BROKER_RECORD", 0, {}),
        ]
    )
    draft.put(at, record, replace(record, type=type_, version=version, data={**about, **more}, raw=None))


def _removes(rng: random.Random, draft: Draft) -> None:
    """A topic is removed, or its partitions' eligible leader replicas are forgotten, behind some record."""
    record = draft.record(at := rng.choice(draft.records()))
    topics = [draft.record(one).data for one in Draft(draft.batches, (), []).records("TOPIC_RECORD")]
    if topics:
        topic = rng.choice(topics)
        type_, data = rng.choice(
            [
                ("REMOVE_TOPIC_RECORD", {"topicId": topic["topicId"]}),
                ("CLEAR_ELR_RECORD", {"topicName": topic["name"]}),
                ("CLEAR_ELR_RECORD", {"topicName": ""}),
            ]
        )
        draft.put(at, record, replace(record, type=type_, version=0, data=data, raw=None))


def _both(rng: random.Random, draft: Draft) -> None:
    """One replica is to be added and removed at once."""
    at = rng.choice(draft.records(PARTITION, CHANGE))
    one = rng.choice(draft.record(at).data.get("replicas") or draft.brokers)
    draft.says(at, addingReplicas=[one], removingReplicas=[one])


def _levels(rng: random.Random, draft: Draft) -> None:
    """A feature level of metadata.version is inserted behind some record."""
    record = draft.record(at := rng.choice(draft.records()))
    data = {"name": "metadata.version", "featureLevel": rng.randrange(7, 34)}
    draft.put(at, record, replace(record, type="FEATURE_LEVEL_RECORD", version=0, data=data, raw=None))


def _another(name: str, *types: str) -> Change:
    """A record says what another of its type says in one field."""

    def change(rng: random.Random, draft: Draft) -> None:
        at = rng.choice(draft.records(*types))
        other = rng.choice(Draft(draft.batches, (), []).records(draft.record(at).type))
        if name in draft.record(other).data:
            draft.says(at, **{name: draft.record(other).data[name]})

    return change


def _epoch(rng: random.Random, draft: Draft) -> None:
    number = rng.choice(draft.near())
    batch = draft.batches[number]
    draft.batches[number] = replace(batch, epoch=max(0, batch.epoch + rng.choice([-1, 1, 2])))


def _batch_again(rng: random.Random, draft: Draft) -> None:
    number = rng.choice(draft.near())
    draft.batches.insert(number, replace(draft.batches[number], count=AGAIN))


def _batch_gone(rng: random.Random, draft: Draft) -> None:
    number = rng.choice(draft.near())
    draft.batches[number] = replace(draft.batches[number], count=GONE)


def _some_broker(rng: random.Random, draft: Draft, data: Said) -> Any:
    return rng.choice([*draft.brokers, -1])


AGAIN, GONE = -2, -3
"""Marks of batches that come once more, and that are left out with their offsets."""

ALTERATIONS: Mapping[str, Change] = {
    "leader of a change": _valued("leader", _some_broker, CHANGE),
    "leader of a partition": _valued("leader", _some_broker, PARTITION),
    "ISR of a change": _listed("isr", CHANGE),
    "ISR of a partition": _listed("isr", PARTITION),
    "replicas of a partition": _replicas,
    "replicas of a change": _moved,
    "removing": _listed("removingReplicas", CHANGE, PARTITION),
    "adding": _listed("addingReplicas", CHANGE, PARTITION),
    "eligible": _listed("eligibleLeaderReplicas", CHANGE),
    "last known": _valued("lastKnownElr", lambda r, d, _: [r.choice([*d.brokers, -1])], CHANGE),
    "recovery": _valued("leaderRecoveryState", lambda r, d, _: r.randrange(2), CHANGE, PARTITION),
    "leader epoch": _valued("leaderEpoch", lambda r, d, _: r.randrange(1, 9), PARTITION),
    "partition epoch": _valued("partitionEpoch", lambda r, d, _: r.randrange(1, 9), PARTITION),
    "partition": _another("partitionId", CHANGE, PARTITION),
    "topic": _another("topicId", CHANGE, PARTITION, "TOPIC_RECORD", "REMOVE_TOPIC_RECORD"),
    "name": _another("name", "TOPIC_RECORD"),
    "broker": _another("brokerId", BROKER, BROKER_CHANGE),
    "broker epoch": _valued(
        "brokerEpoch", lambda r, d, s: s["brokerEpoch"] + r.choice([-1, 1, 20]), BROKER, BROKER_CHANGE
    ),
    "incarnation": _another("incarnationId", BROKER),
    "directories of a broker": _another("logDirs", BROKER),
    "a reserved directory": _valued("logDirs", lambda r, d, s: ["AAAAAAAAAAAAAAAAAAAAAQ"], BROKER),
    "fenced": _valued("fenced", lambda r, d, s: not s["fenced"], BROKER),
    "producer ids": _valued("nextProducerId", lambda r, d, s: r.randrange(3000), "PRODUCER_IDS_RECORD"),
    "level": _valued("featureLevel", lambda r, d, s: r.randrange(1, 34), "FEATURE_LEVEL_RECORD"),
    "record says nothing": _dropped,
    "record left out": _left_out,
    "record twice": _again,
    "record again later": _later,
    "records swapped": _swapped,
    "neighbours swapped": _neighbours,
    "batch split": _split,
    "batches joined": _joined,
    "broker record put in": _fences,
    "topic record put in": _removes,
    "level put in": _levels,
    "added and removed": _both,
    "epoch": _epoch,
    "batch twice": _batch_again,
    "batch missing": _batch_gone,
}


@dataclass(frozen=True, slots=True)
class Faulty:
    """A log with faults: the recording of which it is a piece, what was altered and where."""

    recording: str
    altered: tuple[tuple[str, str], ...]
    log: MetadataLog


def altered(recording: str, log: MetadataLog, rng: random.Random, pair: bool) -> Faulty:
    """Return a log with one alteration, or with two."""
    brokers = sorted({b for r in log.records() if isinstance(r, Record) for b in r.data.get("replicas") or ()}) or [0]
    draft = Draft(list(log.batches), log.snapshots, [*brokers, max(brokers) + 1])
    done: list[tuple[str, str]] = []
    while len(done) < 1 + pair:
        name, draft.where = rng.choice(sorted(ALTERATIONS)), rng.choice(WHERE)
        # There may be no record of the types that it is about.
        try:
            ALTERATIONS[name](rng, draft)
        except IndexError:
            continue
        done.append((name, draft.where))
    return Faulty(recording, tuple(done), replace(log, batches=tuple(_placed(draft.batches))))


def _placed(batches: list[Batch]) -> Iterator[Batch]:
    """Yield batches with offsets one after the other: one that comes twice has them twice, one that is gone none."""
    offset = batches[0].base_offset
    for batch in batches:
        if not batch.records:
            continue
        last = offset + len(batch.records) - 1
        records = tuple(replace(one, offset=offset + n) for n, one in enumerate(batch.records))
        if batch.count != GONE:
            yield replace(batch, base_offset=offset, last_offset=last, records=records, count=len(records))
        offset = offset if batch.count == AGAIN else last + 1


def piece(log: MetadataLog, first: int, most: int) -> MetadataLog:
    """Return the batches of a log from an offset on, up to some number of records, with the snapshots beside them."""
    batches: list[Batch] = []
    for batch in log.batches:
        if batch.base_offset >= first and sum(len(one.records) for one in batches) < most:
            batches.append(batch)
    end = batches[-1].last_offset + 1
    names = {batch.segment for batch in batches}
    return replace(
        log,
        batches=tuple(batches),
        segments=tuple(one for one in log.segments if one.name in names),
        snapshots=tuple(one for one in log.snapshots if first <= one.end_offset <= end),
        trailing_zeros=(),
    )
