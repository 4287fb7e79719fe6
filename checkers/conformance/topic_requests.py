"""Adapters for requests about topics and configurations, as `requests.py` says of all of them.

What such a request leaves to the controller and the answer does not tell (the id of a new topic, where the placer put
its replicas, how many partitions were asked for) is read off the records at hand. The placer's only hard rule is asked
here, since the tables take a placement as given: there are enough usable brokers, and one that is not fenced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.topics import adds
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .adapting import Adapter, Upcoming, at, only_error, recorded_error, registered, topic_named, value
from .outcomes import Part, Reading
from .situation import Situation

# -- topics ------------------------------------------------------------------------------------------------------------
_MIN, _UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"


def _create(event: trace.CreateTopics, situation: Situation, upcoming: Upcoming) -> Iterator[Reading]:
    t = _new_topic(event.name, upcoming)
    for placed in _placed(event, situation, t, upcoming) if event.assignment is None else [event.assignment]:
        yield _creation(event, t, placed)


def _creation(event: trace.CreateTopics, t: str, placed: Sequence[tuple[int, ...]]) -> Reading:
    configs = dict(event.configs)
    own = {
        "manual": event.assignment is not None,
        "has_min_insync": _MIN in configs,
        "min_insync": int(configs.pop(_MIN, 1)),
        "has_unclean": _UNCLEAN in configs,
        "unclean": configs.pop(_UNCLEAN, "false") == "true",
    }
    cells: dict[CellKey, Any] = {}
    for number, replicas in enumerate(placed):
        p = (t, number)
        cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): tuple(replicas)}
    for key, text in configs.items():
        setting = (_RESOURCE_TYPES["TOPIC"], event.name, key)
        cells |= {at(k.asks, setting): True, at(k.asked, setting): text}
    return Reading((Part("CreateTopic", {"t": t, "n": event.name, **own}, cells),), others={k.asks.state: False})


def _new_topic(name: str, upcoming: Upcoming) -> str:
    """The id that the controller drew, as the next record tells it; otherwise one that no topic has."""
    first = upcoming[0] if upcoming else None
    if first is not None and first.record.name == "Topic" and first.values.get("name") == name:
        return str(first.entities[0])
    return ""


def _placed(
    event: trace.CreateTopics, situation: Situation, topic: str, upcoming: Upcoming
) -> list[tuple[tuple[int, ...], ...]]:
    """Return where the placer may have put the replicas: as the records at hand say, if they are as asked for."""
    found = _new_partitions(topic, upcoming) if topic else []
    if found:
        as_asked = len(found) == event.partitions and all(len(set(one)) == event.replication for one in found)
        return [tuple(found)] if as_asked else []
    return [(one,) * event.partitions for one in _placements(event.replication, situation)]


def _placements(replication: int, situation: Situation) -> list[tuple[int, ...]]:
    """Where the placer could put as many replicas, one placement with an active broker and one without, as far as there
    are any; nowhere where it cannot put them at all.

    It leaves out brokers in controlled shutdown by the heartbeat state alone, and puts a broker that is not fenced
    first: one that the registration has in controlled shutdown may be all that it finds.
    """
    usable = [b for b in registered(situation) if value(situation, k.shutdown_offset, b) < 0]
    unfenced = [b for b in usable if not value(situation, k.fenced, b)]
    if not unfenced or len(usable) < replication:
        return [()]
    active = [b for b in unfenced if not value(situation, k.ics, b)]
    inactive = [b for b in usable if b not in active]
    found = [] if not active else [tuple(dict.fromkeys((active[0], *usable)))[:replication]]
    leaving = [b for b in unfenced if b not in active]
    if leaving and len(inactive) >= replication:
        found.append(tuple(dict.fromkeys((leaving[0], *inactive)))[:replication])
    return found


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


def _grow(event: trace.CreatePartitions, situation: Situation, upcoming: Upcoming) -> Iterator[Reading]:
    """How many partitions are asked for is read off the records; without any it may be none, or one more."""
    t = topic_named(situation, event.name) or ""
    view = situation.view()
    own = [p for p in situation.hard.domains["Partition"] if p[0] == t and view.read(k.exists_.state, (p,))]
    sizes = {len(view.read(k.replicas.state, (p,))) for p in own}
    found = _new_partitions(t, upcoming)
    choices: list[tuple[tuple[int, ...], ...]]
    if event.assignment is not None:
        choices = [event.assignment]
    elif found:
        choices = [tuple(found)] if all(len(one) in sizes for one in found) else []
    else:
        added = [1] if event.count is None else [max(0, event.count - len(own))]
        choices = [(one,) * n for n in added for size in sorted(sizes) for one in _placements(size, situation)]
        if event.count is None:
            choices.insert(0, ())
    for placed in choices or [()]:
        cells: dict[CellKey, Any] = {}
        for number, replicas in enumerate(placed, len(own)):
            p = (t, number)
            cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): replicas, at(adds, p): True}
        yield Reading(
            (Part("CreatePartitions", {"t": t, "manual": event.assignment is not None}, cells),),
            others={adds.state: False},
        )


def _delete(event: trace.DeleteTopics, situation: Situation, upcoming: Upcoming) -> Iterator[Reading]:
    yield Reading((Part("DeleteTopic", {"t": topic_named(situation, event.name) or ""}),))


# -- configurations ----------------------------------------------------------------------------------------------------
_RESOURCE_TYPES = {"TOPIC": 2, "BROKER": 4}


def _configure(event: trace.IncrementalAlterConfigs, situation: Situation, upcoming: Upcoming) -> Iterator[Reading]:
    deletes = event.value is None
    of_topic, of_cluster = event.type == "TOPIC", event.type == "BROKER" and event.name == ""
    topic = topic_named(situation, event.name) or ""
    size, switch = int(event.value or 1) if event.key == _MIN else 1, event.value == "true"
    common = {"deletes": deletes, "valid": True, "permitted": True, "validate_only": False}
    named = {"t": topic, "n": event.name, **common}
    if of_topic and event.key == _MIN:
        part = Part("AlterTopicMinInsync", {**named, "size": size})
    elif of_topic and event.key == _UNCLEAN:
        part = Part("AlterTopicUnclean", {**named, "switch": switch})
    elif of_cluster and event.key == _MIN:
        part = Part("AlterClusterMinInsync", {"size": size, **common})
    elif of_cluster and event.key == _UNCLEAN:
        part = Part("AlterClusterUnclean", {"switch": switch, **common})
    else:
        setting = (_RESOURCE_TYPES.get(event.type, 0), event.name, event.key)
        part = Part("AlterConfig", {"s": setting, "value": event.value or "", **common})
    yield Reading((part,))


TOPICS: dict[str, Adapter] = {
    "CreateTopics": Adapter(("CreateTopic",), _create, only_error, recorded_error),
    "CreatePartitions": Adapter(("CreatePartitions",), _grow, only_error, recorded_error),
    "DeleteTopics": Adapter(("DeleteTopic",), _delete, only_error, recorded_error),
    "IncrementalAlterConfigs": Adapter(
        ("AlterTopicMinInsync", "AlterClusterMinInsync", "AlterTopicUnclean", "AlterClusterUnclean", "AlterConfig"),
        _configure,
        only_error,
        recorded_error,
    ),
}
"""The adapters by the name of the request."""
