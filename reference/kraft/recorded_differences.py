"""Differences between a recorded answer and the reference's: columns of the event, and records of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import Message
from fencepost.traces import events as e

from .recorded_requests import of_all

_FAN_OUT = (e.BrokerRegistration, e.BrokerHeartbeat, e.UnregisterBroker, e.ElectLeaders)
"""Requests that change many partitions, in the order of a hash table."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of the trace on which the reference says or writes something else; `field` is a column, or `records`."""

    line: int
    request: str
    field: str
    kafka: Any
    reference: Any


def differences_of(
    event: e.Event, said: e.Event, records: Sequence[Message], upcoming: Iterable[Message]
) -> Iterator[Difference]:
    """Yield what the reference said or would write otherwise; `upcoming` are the log's next records."""
    kafka, ours = _columns(event), _columns(said)
    for name, value in kafka.items():
        if name in ours and ours[name] != value:
            yield Difference(event.line, event.request, name, value, ours[name])
    there = [one for one, _ in zip(upcoming, records, strict=False)]
    if not same_records(records, there, ordered=not isinstance(event, _FAN_OUT)):
        yield Difference(event.line, event.request, "records", _shown(there), _shown(records))


def _columns(event: e.Event) -> Mapping[str, Any]:
    """The answer of an event, by its columns; where all partitions were meant the order is open."""
    found: dict[str, Any] = {"error": event.error}
    if isinstance(event, e.BrokerRegistration):
        found["brokerEpoch"] = event.broker_epoch
    elif isinstance(event, e.BrokerHeartbeat) and event.error == Errors.NONE.name:
        found["isCaughtUp"], found["isFenced"] = event.is_caught_up, event.is_fenced
        found["shouldShutDown"] = event.should_shut_down
    elif isinstance(event, e.AllocateProducerIds):
        found["start"], found["len"] = event.start, event.length
    elif isinstance(event, e.ElectLeaders) and of_all(event):
        found["answers"] = tuple(sorted(event.answers))
    elif hasattr(event, "answers"):
        found["answers"] = event.answers
    return found


def same_records(ours: Sequence[Message], theirs: Sequence[Message], ordered: bool) -> bool:
    """Whether records are the same; not `ordered`, different partitions may change in any order."""
    if ordered:
        return _plain(ours) == _plain(theirs)
    return _runs(ours) == _runs(theirs)


def _plain(records: Sequence[Message]) -> list[Any]:
    return [(one.type, one.version, dict(one.data)) for one in records]


def _runs(records: Sequence[Message]) -> list[Any]:
    """Records with those of a run of partition changes by their partition, in order for each."""
    found: list[Any] = []
    for one in records:
        if one.type != "PARTITION_CHANGE_RECORD":
            found.append((one.type, one.version, dict(one.data)))
            continue
        if not found or not isinstance(found[-1], dict):
            found.append({})
        key = one.data["topicId"], one.data["partitionId"]
        found[-1].setdefault(key, []).append((one.version, dict(one.data)))
    return found


def _shown(records: Sequence[Message]) -> list[str]:
    return [f"{one.type} v{one.version} {dict(one.data)}" for one in records[:8]]
