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

from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.traces.scale.episodes import Episode, EpisodeRecord, Relative
from fencepost.traces.scale.logs import LogPlan, LogWriter, randomness

CHANGE = "PARTITION_CHANGE_RECORD"
REGISTRATION, REGISTRATION_CHANGE = "REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD"
REGISTRATIONS = (REGISTRATION, REGISTRATION_CHANGE)
TRIES = 200
"""Random places that are tried for each fault before there is taken to be no room."""
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
@dataclass(frozen=True, slots=True)
class Ask:
    """A fault that an episode may have; `broker` is the one that its divergence is about, None for no broker."""

    make: Callable[[], Alteration]
    broker: int | None = None


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

    return Ask(altered)


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
            broker = episode.batches[spot.batch].records[-1].data["brokerId"]
            yield Ask(partial(_leaving_out, episode, spots, spot, ends[spot.batch] - 1), broker)


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
            yield Ask(partial(_falling, episode, number, offset))
        offset += len(batch.records)


def _falling(episode: Episode, number: int, offset: int) -> Alteration:
    batch = episode.batches[number]
    altered = episode.with_batch(number, replace(batch, epoch=batch.epoch - 1))
    change = "the leader epoch of the batch is one less than that of the batch before it"
    return Alteration("epoch-falls", offset, change, ("epoch",), altered)


def _epoch_stays(episode: Episode) -> Iterator[Ask]:
    """A broker that registers keeps the epoch of its last registration."""
    for offset, (_, _, record) in enumerate(episode.positions()):
        if record.type == REGISTRATION:
            yield Ask(partial(_staying, episode, offset, record), record.data["brokerId"])


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
        (offset, batch, place, record.data["brokerId"])
        for offset, (batch, place, record) in enumerate(episode.positions())
        if record.type == "PRODUCER_IDS_RECORD"
    ]
    for offset, batch, place, broker in given[-1:]:
        yield Ask(partial(_giving_again, episode, offset, batch, place), broker)


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
    asks = [[list(kind(episode)) for episode in writer.episodes] for kind in KINDS]
    logs = [_Log(plan.number, writer.certain(plan), writer.episodes) for plan in plans]
    random = randomness(plans[0].seed, 0, 2)
    faults: list[Fault] = []
    for _ in range(TRIES * count):
        kind = asks[int(random.integers(len(asks)))]
        log = logs[int(random.integers(len(logs)))]
        if not log.episodes:
            continue
        place = int(random.integers(len(log.episodes)))
        possible = kind[log.episodes[place]]
        if not possible:
            continue
        ask = possible[int(random.integers(len(possible)))]
        if log.has_room(place, ask.broker):
            log.taken[place] = ask.broker
            faults.append(Fault(log.number, place, ask.make()))
        if len(faults) == count:
            return sorted(faults, key=lambda one: (one.log, one.place))
    raise NoRoom(f"room was found for {len(faults)} faults in these logs; write longer logs, or plant fewer faults")


class _Log:
    """The episodes of a log that are surely written, and those among them that have a fault."""

    def __init__(self, number: int, episodes: list[int], kinds: Sequence[Episode]) -> None:
        self.number, self.episodes = number, episodes
        self.taken: dict[int, int | None] = {}
        self._about = [
            {record.data["brokerId"] for _, _, record in one.positions() if record.type in REGISTRATIONS}
            for one in kinds
        ]

    def has_room(self, place: int, broker: int | None) -> bool:
        """Whether a fault there, found at a record about a broker, is taken neither for another nor for a consequence.

        What is not explained puts brokers in doubt until a record about them is explained. So an episode with such a
        record lies between a fault that is found at a record about a broker and any that is before it.
        """
        if self.taken.keys() & {place - 1, place, place + 1}:
            return False
        after = [one for one in self.taken if one > place]
        if not all(self._is_clear(one, {**self.taken, place: broker}) for one in after):
            return False
        return self._is_clear(place, {**self.taken, place: broker})

    def _is_clear(self, place: int, taken: Mapping[int, int | None]) -> bool:
        broker = taken[place]
        before = max((one for one in taken if one < place), default=None)
        if broker is None or before is None:
            return True
        return any(broker in self._about[self.episodes[one]] for one in range(before + 1, place))
