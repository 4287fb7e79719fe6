"""Adapters for requests about topics, as `adapters.py` says of all of them.

What such a request leaves to the controller and the answer does not have (the id of a new topic, where the placer put
its replicas, how many partitions were asked for) is read off the records at hand. The placer's only hard rule is
checked here, since the tables take a placement as given: there are enough usable brokers, and one that is not fenced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from fencepost.checkers.conformance.records.legality import unfit_topic
from fencepost.checkers.conformance.records.static_settings import MIN_INSYNC, UNCLEAN
from fencepost.model.kraft import state as k
from fencepost.model.kraft.topics import adds
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .adapting import Adapter, Asked, Beforehand, Upcoming, at, is_true, registered, topic_named, value
from .configurations import INVALID, RESOURCE_TYPES
from .outcomes import Part, Reading

_DEFAULT = -1
"""Requests the controller's num.partitions and default.replication.factor, which are 1 without settings."""


def _create(event: trace.CreateTopics, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Read the request; the tables read no names: whether a topic may have one is checked here.

    What the validator says of its values is no column: it may have refused them where the answer is INVALID_CONFIG.
    """
    if topic_named(controller, event.name) is None and not _may_be_named(event.name, controller):
        raise Beforehand("INVALID_TOPIC_EXCEPTION")
    if event.assignment is None and (event.partitions == 0 or event.partitions < _DEFAULT):
        raise Beforehand("INVALID_PARTITIONS")
    if event.error == INVALID and event.configs:
        raise Beforehand(INVALID)
    event = replace(
        event,
        partitions=1 if event.partitions == _DEFAULT else event.partitions,
        replication=1 if event.replication == _DEFAULT else event.replication,
    )
    t = _new_topic(event.name, upcoming)
    if event.assignment is None and not t and not _placements(event.replication, controller):
        if topic_named(controller, event.name) is None:
            raise Beforehand("INVALID_REPLICATION_FACTOR")
        yield creation(event, t, (), manual=False)
        return
    for placed in _placed(event, controller, t, upcoming) if event.assignment is None else [event.assignment]:
        yield creation(event, t, placed, manual=event.assignment is not None)


def _may_be_named(name: str, controller: Asked) -> bool:
    others = (
        controller.read(k.name.state, (t,)) for t in controller.domains["Topic"] if controller.read(k.live.state, (t,))
    )
    return may_be_named(name, others)


def may_be_named(name: str, others: Iterable[str]) -> bool:
    """Return whether Kafka takes a name: where metrics show a dot as an underscore, no other topic looks the same."""
    shown = name.replace(".", "_")
    return not unfit_topic(name) and all(one.replace(".", "_") != shown for one in others)


def creation(event: trace.CreateTopics, t: str, placed: Sequence[Sequence[int]], manual: bool) -> Reading:
    """Return the event of the tables by which topic `t` has its replicas placed so, `manual` if by the request."""
    configs = dict(event.configs)
    own = {
        "manual": manual,
        "has_min_insync": MIN_INSYNC in configs,
        "min_insync": int(configs.pop(MIN_INSYNC, 1)),
        "has_unclean": UNCLEAN in configs,
        "unclean": is_true(configs.pop(UNCLEAN, "false")),
    }
    cells: dict[CellKey, Any] = {}
    for number, replicas in enumerate(placed):
        p = (t, number)
        cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): tuple(replicas)}
    for key, text in configs.items():
        setting = (RESOURCE_TYPES["TOPIC"], event.name, key)
        cells |= {at(k.asks, setting): True, at(k.asked, setting): text}
    return Reading(
        (Part("CreateTopic", {"t": t, "n": event.name, **own}, cells),),
        only_validates=bool(event.validate_only),
        others={k.asks.state: False},
    )


def _new_topic(name: str, upcoming: Upcoming) -> str:
    """Return the id that the controller drew, from the next record; otherwise one that no topic has."""
    first = upcoming[0] if upcoming else None
    if first is not None and first.record.name == "Topic" and first.values.get("name") == name:
        return str(first.entities[0])
    return ""


def _placed(
    event: trace.CreateTopics, controller: Asked, topic: str, upcoming: Upcoming
) -> list[tuple[tuple[int, ...], ...]]:
    """Return where the placer may have put the replicas: as the records at hand say, if they are as asked for."""
    found = _new_partitions(topic, upcoming) if topic else []
    if found:
        as_asked = len(found) == event.partitions and all(len(set(one)) == event.replication for one in found)
        return [tuple(found)] if as_asked else []
    return [(one,) * event.partitions for one in _placements(event.replication, controller)]


def _placements(replication: int, controller: Asked) -> list[tuple[int, ...]]:
    """Return placements for as many replicas, one with an active broker and one without, as far as there
    are any; none where it cannot put them at all.

    It leaves out brokers whose directories are all cordoned, and those in controlled shutdown by the heartbeat state
    alone, and puts a broker that is not fenced
    first: one that the registration has in controlled shutdown may be all that it finds.
    """
    usable = [
        b for b in registered(controller) if value(controller, k.shutdown_offset, b) < 0 and not _closed(controller, b)
    ]
    unfenced = [b for b in usable if not value(controller, k.fenced, b)]
    if not unfenced or len(usable) < replication:
        return []
    active = [b for b in unfenced if not value(controller, k.ics, b)]
    inactive = [b for b in usable if b not in active]
    found = [] if not active else [tuple(dict.fromkeys((active[0], *usable)))[:replication]]
    leaving = [b for b in unfenced if b not in active]
    if leaving and len(inactive) >= replication:
        found.append(tuple(dict.fromkeys((leaving[0], *inactive)))[:replication])
    return found


def _closed(controller: Asked, broker: int) -> bool:
    directories = value(controller, k.directories, broker)
    return bool(directories) and directories <= value(controller, k.cordoned, broker)


def _new_partitions(topic: str, upcoming: Upcoming) -> list[tuple[int, ...]]:
    found = []
    for record in upcoming:
        if record is None or record.wire.type not in (
            "TOPIC_RECORD",
            "CONFIG_RECORD",
            "CLEAR_ELR_RECORD",
            "PARTITION_RECORD",
        ):
            break
        if record.record.name == "Partition":
            if record.entities[0][0] != topic:
                break
            found.append(record.values["replicas"])
        elif found:
            break
    return found


def _grow(event: trace.CreatePartitions, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Read the number of new partitions off the records where it is not recorded; without records, none or one more.

    Records at hand that are not as many as requested are a later request's.
    """
    t = topic_named(controller, event.name) or ""
    own = [p for p in controller.domains["Partition"] if p[0] == t and controller.read(k.exists_.state, (p,))]
    added = 0 if event.count is None or not own else event.count - len(own)
    if event.assignment is not None and is_misassigned(added, event.assignment):
        raise Beforehand("INVALID_REPLICA_ASSIGNMENT")
    changed = any(controller.read(k.partition_epoch.state, (p,)) > 0 for p in own)
    nowhere = False
    for number in sorted(first_partitions(len(own), changed)) if own else (0,):
        like = (t, number)
        size = len(controller.read(k.replicas.state, (like,))) if own else 0
        for placed in _additions(event, len(own), size, _new_partitions(t, upcoming), controller):
            if placed is None:
                nowhere = True
            else:
                yield growth(event, like, len(own), placed, event.assignment is not None)
    if nowhere:
        raise Beforehand("INVALID_REPLICATION_FACTOR")


def is_misassigned(added: int, assignment: Sequence[Sequence[int]]) -> bool:
    """Return whether an assignment is refused, as it has not as many partitions as are added."""
    return 0 < added != len(assignment)


def _additions(
    event: trace.CreatePartitions, own: int, size: int, found: list[tuple[int, ...]], controller: Asked
) -> list[tuple[tuple[int, ...], ...] | None]:
    """Return the replicas that the added partitions may have, None where so many can be put nowhere.

    `own` is how many partitions there are, `size` how many replicas each of the others gets, and `found` are the
    replicas in the records at hand.
    """
    if event.assignment is not None:
        # Where there are as many already, Kafka does not look at the assignment.
        return [() if event.count is not None and event.count <= own else event.assignment]
    missing = 0 if event.count is None else event.count - own - len(found)
    as_asked = all(len(one) == size for one in found)
    if found and not missing:
        return [tuple(found)] if as_asked else []
    added = 1 if event.count is None else max(0, event.count - own)
    if not (own and added):
        return [()]
    placements = _placements(size, controller)
    choices: list[tuple[tuple[int, ...], ...] | None] = [(one,) * added for one in placements]
    if found and missing > 0 and as_asked:
        # A refused request may have written the first of its partitions (CP6).
        choices = [*((*found, *(one,) * missing) for one in placements), *choices]
    return [*([()] if event.count is None else []), *(choices or [None])]


def growth(
    event: trace.CreatePartitions, like: tuple[str, int], own: int, placed: Sequence[Sequence[int]], manual: bool
) -> Reading:
    """Return the event of the tables by which a topic of `own` partitions gets more, placed so, that are `like` one."""
    t, cells = like[0], dict[CellKey, Any]()
    for number, replicas in enumerate(placed, own):
        p = (t, number)
        cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): tuple(replicas), at(adds, p): True}
    return Reading(
        (Part("CreatePartitions", {"t": t, "manual": manual, "like": like}, cells),),
        only_validates=bool(event.validate_only),
        others={adds.state: False},
    )


def _delete(event: trace.DeleteTopics, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Return the names; Kafka looks up a name before the controller gets the request."""
    t = event.topic_id or topic_named(controller, event.name)
    if t is None:
        raise Beforehand("UNKNOWN_TOPIC_OR_PARTITION")
    yield Reading((Part("DeleteTopic", {"t": t}),))


TOPICS: dict[str, Adapter] = {
    "CreateTopics": Adapter(("CreateTopic",), _create, in_front=frozenset(("INVALID_REQUEST", "POLICY_VIOLATION"))),
    "CreatePartitions": Adapter(("CreatePartitions",), _grow, in_front=frozenset(("POLICY_VIOLATION",))),
    "DeleteTopics": Adapter(("DeleteTopic",), _delete),
}
"""The adapters by the name of the request."""


_CONSTANT = 0x9E3779B97F4A7C15
_WORD = 64


@cache
def first_partitions(count: int, changed: bool) -> frozenset[int]:
    """Return the numbers of the partitions that Kafka may name first, of a topic with `count` of them.

    Its replica count is the one that further partitions get.

    There is one where none was `changed` since its creation. Of a changed one the state does not show whether that was
    before the last one was added, and a table that was read from a snapshot does not have the change; where an entry
    put again makes the table larger, there may be two.

    >>> [sorted(first_partitions(count, False)) for count in (1, 2, 3, 5, 6)], sorted(first_partitions(5, True))
    ([[0], [0], [2], [2], [5]], [0, 2])
    """
    return frozenset(_first(count, put) for put in ((count, count + 1) if changed else (count,)))


def _first(count: int, put: int) -> int:
    """Return the first of `count` numbers in a table into which `put` entries were put; the last ones put again.

    A topic's partitions are in a timeline table of Kafka (`BaseHashTable`): two slots at first, and twice as many when
    an entry is put, or put again, and three quarters of one entry more would be more than the slots. A number's slot is
    in the upper bits of its product with a constant; of the entries of a slot the last one comes first.
    """
    slots: list[list[int]] = [[], []]
    for number in range(put):
        if (number + 1) * 3 > len(slots) * 4:
            entries = [entry for slot in slots for entry in slot]
            slots = [[] for _ in range(2 * len(slots))]
            for entry in entries:
                slots[_slot(entry, slots)].append(entry)
        if number < count:
            slots[_slot(number, slots)].append(number)
    return next(slot[-1] for slot in slots if slot)


def _slot(number: int, slots: list[list[int]]) -> int:
    return (number * _CONSTANT & (1 << _WORD) - 1) >> _WORD - (len(slots).bit_length() - 1)
