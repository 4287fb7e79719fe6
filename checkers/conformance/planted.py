"""Faults planted into a generated log: an episode altered at one record, and what must be said of it at least.

A fault concerns what the episode makes for itself, or ends with it: after the episode the cluster is in the state in
which it would be anyway, so that one fault is one violation. Records about partitions are altered where no later one
of the episode is about the same partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.traces.scale.episodes import Episode, EpisodeRecord, Relative
from fencepost.traces.scale.logs import LogPlan, LogWriter, randomness

CHANGE, REGISTRATION_CHANGE = "PARTITION_CHANGE_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD"
FENCED = 1
PRODUCER_IDS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Alteration:
    """An episode with a fault: where it is found, at which offset of the episode, and what was done there.

    `expected` are the rules of which one must be reported at that offset.
    """

    kind: str
    offset: int
    change: str
    expected: tuple[str, ...]
    episode: Episode


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault to plant: the log's number, the place of its episode in the log, and the alteration."""

    log: int
    place: int
    alteration: Alteration


class NoRoom(ValueError):
    """There are fewer episodes that are surely written than faults to plant."""


@dataclass(frozen=True, slots=True)
class _Partition:
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int

    def after(self, data: Mapping[str, Any]) -> _Partition:
        return _Partition(
            tuple(data.get("replicas") or self.replicas),
            tuple(data["isr"]) if data.get("isr") is not None else self.isr,
            data.get("leader", self.leader),
        )


@dataclass(frozen=True, slots=True)
class _Spot:
    """A change of a partition of the episode's own: its offset, batch and place, and the partition in front of it."""

    offset: int
    batch: int
    place: int
    record: EpisodeRecord
    before: _Partition
    is_last: bool

    @property
    def where(self) -> tuple[str, int]:
        return _where(self.record)


def _where(record: EpisodeRecord) -> tuple[str, int]:
    return record.data["topicId"], record.data["partitionId"]


def _spots(episode: Episode) -> list[_Spot]:
    """Return the changes of the episode's own partitions, in their order."""
    partitions: dict[tuple[str, int], _Partition] = {}
    found: list[_Spot] = []
    for offset, (batch, place, record) in enumerate(episode.positions()):
        data = record.data
        if record.type == "PARTITION_RECORD":
            partitions[_where(record)] = _Partition(tuple(data["replicas"]), tuple(data["isr"]), data["leader"])
        elif record.type == CHANGE and _where(record) in partitions:
            before = partitions[_where(record)]
            found.append(_Spot(offset, batch, place, record, before, False))
            partitions[_where(record)] = before.after(data)
    last = {spot.where: spot.offset for spot in found}
    return [replace(spot, is_last=last[spot.where] == spot.offset) for spot in found]


def _brokers(episode: Episode) -> list[int]:
    """Return the brokers that a record of the episode names as replicas."""
    named = (record.data.get("replicas") or () for _, _, record in episode.positions())
    return sorted({broker for replicas in named for broker in replicas})


def _changed(episode: Episode, batch: int, place: int, **data: Any) -> Episode:
    one = episode.batches[batch]
    record = replace(one.records[place], data={**one.records[place].data, **data})
    return episode.with_batch(batch, replace(one, records=(*one.records[:place], record, *one.records[place + 1 :])))


# -- the kinds ---------------------------------------------------------------------------------------------------------
Ask = Callable[[], Alteration]


def _unassigned(episode: Episode) -> Iterator[Ask]:
    """An ISR gains a broker that is no replica."""
    brokers = _brokers(episode)
    for spot in _spots(episode):
        after = spot.before.after(spot.record.data)
        others = [broker for broker in brokers if broker not in after.replicas]
        if spot.is_last and spot.record.data.get("isr") and others:
            isr = [*after.isr, others[0]]
            change = f"the ISR {list(after.isr)} became {isr}; the replicas are {list(after.replicas)}"
            yield _altering(episode, spot, "isr-unassigned", change, "P2", isr=isr)


def _outside(episode: Episode) -> Iterator[Ask]:
    """An ISR loses the leader."""
    for spot in _spots(episode):
        after = spot.before.after(spot.record.data)
        if spot.is_last and spot.record.data.get("isr") and len(after.isr) > 1 and after.leader in after.isr:
            isr = [broker for broker in after.isr if broker != after.leader]
            change = f"the ISR {list(after.isr)} became {isr}; the leader is {after.leader}"
            yield _altering(episode, spot, "leader-outside-isr", change, "P1", isr=isr)


def _elected(episode: Episode) -> Iterator[Ask]:
    """A broker is elected that is no replica."""
    brokers = _brokers(episode)
    for spot in _spots(episode):
        data, others = spot.record.data, [one for one in brokers if one not in spot.before.replicas]
        if spot.is_last and "leader" in data and data.get("isr") is None and others:
            change = f"the leader {data['leader']} became {others[0]}; the ISR is {list(spot.before.isr)}"
            yield _altering(episode, spot, "leader-unassigned", change, "P1", leader=others[0])


def _altering(episode: Episode, spot: _Spot, kind: str, change: str, rule: str, **data: Any) -> Ask:
    def altered() -> Alteration:
        other = _changed(episode, spot.batch, spot.place, **data)
        return Alteration(kind, spot.offset, change, (rule, UNEXPLAINED), other)

    return altered


def _left_out(episode: Episode) -> Iterator[Ask]:
    """A partition is left out when its broker is fenced, and so it is not changed later either."""
    spots = _spots(episode)
    ends = {
        number: sum(len(one.records) for one in episode.batches[: number + 1]) - 1
        for number, batch in enumerate(episode.batches)
        if batch.records[-1].type == REGISTRATION_CHANGE and batch.records[-1].data.get("fenced") == FENCED
    }
    for spot in spots:
        if spot.batch in ends:
            yield partial(_leaving_out, episode, spots, spot, ends[spot.batch] - 1)


def _leaving_out(episode: Episode, spots: Sequence[_Spot], spot: _Spot, found: int) -> Alteration:
    offsets = frozenset(one.offset for one in spots if one.where == spot.where and one.offset >= spot.offset)
    change = f"the change of partition {spot.where[1]} was left out when its broker was fenced, and later ones too"
    return Alteration("left-out", found, change, ("P7", "P7r", UNEXPLAINED), episode.without(offsets))


def _epoch_falls(episode: Episode) -> Iterator[Ask]:
    """A batch has the Raft epoch before that of the batch in front of it; the next one begins another epoch."""
    offset = 0
    for number, batch in enumerate(episode.batches):
        around = episode.batches[max(number - 1, 0) : number + 2]
        if len(around) == 3 and around[0].epoch == batch.epoch and around[2].is_control and not batch.is_control:
            yield partial(_falling, episode, number, offset)
        offset += len(batch.records)


def _falling(episode: Episode, number: int, offset: int) -> Alteration:
    batch = episode.batches[number]
    altered = episode.with_batch(number, replace(batch, epoch=batch.epoch - 1))
    change = "the leader epoch of the batch is one less than that of the batch before it"
    return Alteration("epoch-falls", offset, change, ("epoch",), altered)


def _epoch_stays(episode: Episode) -> Iterator[Ask]:
    """A broker that registers keeps the epoch of its last registration."""
    for offset, (_, _, record) in enumerate(episode.positions()):
        if record.type == "REGISTER_BROKER_RECORD":
            yield partial(_staying, episode, offset, record)


def _staying(episode: Episode, offset: int, record: EpisodeRecord) -> Alteration:
    broker, epoch = record.data["brokerId"], record.data["brokerEpoch"]
    change = f"broker {broker} is registered again with the epoch that it had"
    before = Relative(f"broker {broker}", 0)
    return Alteration("broker-epoch-stays", offset, change, (UNEXPLAINED,), _with_number(episode, epoch, before))


def _with_number(episode: Episode, old: Relative, new: Relative) -> Episode:
    def other(data: Mapping[str, Any]) -> dict[str, Any]:
        return {name: new if one == old else one for name, one in data.items()}

    batches = tuple(
        replace(batch, records=tuple(replace(record, data=other(record.data)) for record in batch.records))
        for batch in episode.batches
    )
    return replace(episode, batches=batches, ends=other(episode.ends))


def _ids_again(episode: Episode) -> Iterator[Ask]:
    """A broker gets the producer ids that were given last."""
    given = [
        (offset, batch, place)
        for offset, (batch, place, record) in enumerate(episode.positions())
        if record.type == "PRODUCER_IDS_RECORD"
    ]
    if given:
        yield partial(_giving_again, episode, *given[-1])


def _giving_again(episode: Episode, offset: int, batch: int, place: int) -> Alteration:
    number: Relative = episode.batches[batch].records[place].data["nextProducerId"]
    before = replace(number, value=number.value - PRODUCER_IDS_AT_ONCE)
    ends = {name: before if one == number else one for name, one in episode.ends.items()}
    altered = replace(_changed(episode, batch, place, nextProducerId=before), ends=ends)
    return Alteration(
        "producer-ids-again", offset, "the next producer id is what it was before", (UNEXPLAINED,), altered
    )


KINDS: Sequence[Callable[[Episode], Iterator[Ask]]] = (
    _unassigned,
    _outside,
    _elected,
    _left_out,
    _epoch_falls,
    _epoch_stays,
    _ids_again,
)


# -- where -------------------------------------------------------------------------------------------------------------
def plant(writer: LogWriter, plans: Sequence[LogPlan], count: int) -> list[Fault]:
    """Return faults at random places of some logs by their seed, in the order of logs and places.

    No two are in one episode or in neighbouring ones. Raises NoRoom where the logs have not enough episodes.
    """
    if not count:
        return []
    certain = {plan.number: writer.certain(plan) for plan in plans}
    free = {number: set(range(len(found))) for number, found in certain.items()}
    asks = [[list(kind(episode)) for episode in writer.episodes] for kind in KINDS]
    random = randomness(plans[0].seed, 0, 2)
    faults: list[Fault] = []
    for number in range(count):
        kind = _kind(random, asks, certain, free, number)
        log, place = _somewhere(random, [
            (log, place)
            for log, places in free.items()
            for place in sorted(places)
            if kind[certain[log][place]]
        ])  # fmt: skip
        free[log] -= {place - 1, place, place + 1}
        possible = kind[certain[log][place]]
        faults.append(Fault(log, place, possible[int(random.integers(len(possible)))]()))
    return sorted(faults, key=lambda one: (one.log, one.place))


def _kind(
    random: np.random.Generator,
    asks: list[list[list[Ask]]],
    certain: Mapping[int, Sequence[int]],
    free: Mapping[int, set[int]],
    planted: int,
) -> list[list[Ask]]:
    """Return a kind of which there is room for one more, by episode."""
    episodes = {certain[log][place] for log, places in free.items() for place in places}
    possible = [kind for kind in asks if any(kind[episode] for episode in episodes)]
    if not possible:
        raise NoRoom(f"there is room for {planted} faults in these logs; write longer logs, or plant fewer faults")
    return possible[int(random.integers(len(possible)))]


def _somewhere(random: np.random.Generator, places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return places[int(random.integers(len(places)))]
