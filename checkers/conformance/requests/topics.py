"""Adapters for requests about topics and configurations, as `adapters.py` says of all of them.

What such a request leaves to the controller and the answer does not have (the id of a new topic, where the placer put
its replicas, how many partitions were asked for) is read off the records at hand. The placer's only hard rule is
checked here, since the tables take a placement as given: there are enough usable brokers, and one that is not fenced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fencepost.model.kraft import configurations as c
from fencepost.model.kraft import state as k
from fencepost.model.kraft.topics import adds
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .adapting import (
    Adapter,
    Asked,
    Beforehand,
    Upcoming,
    at,
    only_error,
    recorded_error,
    registered,
    topic_named,
    value,
)
from .hash_order import first_partitions
from .outcomes import Part, Reading

# -- topics ------------------------------------------------------------------------------------------------------------
_INVALID = "INVALID_CONFIG"
_MIN, _UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"


_NAME = re.compile(r"(?!\.{1,2}$)[a-zA-Z0-9._-]{1,249}")
"""Matches a legal name of a topic in Kafka."""

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
    if event.error == _INVALID and event.configs:
        raise Beforehand(_INVALID)
    event = replace(
        event,
        partitions=1 if event.partitions == _DEFAULT else event.partitions,
        replication=1 if event.replication == _DEFAULT else event.replication,
    )
    t = _new_topic(event.name, upcoming)
    if event.assignment is None and not t and not _placements(event.replication, controller):
        if topic_named(controller, event.name) is None:
            raise Beforehand("INVALID_REPLICATION_FACTOR")
        yield _creation(event, t, ())
        return
    for placed in _placed(event, controller, t, upcoming) if event.assignment is None else [event.assignment]:
        yield _creation(event, t, placed)


def _may_be_named(name: str, controller: Asked) -> bool:
    others = (
        controller.read(k.name.state, (t,)) for t in controller.domains["Topic"] if controller.read(k.live.state, (t,))
    )
    return may_be_named(name, others)


def may_be_named(name: str, others: Iterable[str]) -> bool:
    """Return whether Kafka takes a name: where metrics show a dot as an underscore, no other topic looks the same."""
    shown = name.replace(".", "_")
    return bool(_NAME.fullmatch(name)) and all(one.replace(".", "_") != shown for one in others)


def _creation(event: trace.CreateTopics, t: str, placed: Sequence[tuple[int, ...]]) -> Reading:
    configs = dict(event.configs)
    own = {
        "manual": event.assignment is not None,
        "has_min_insync": _MIN in configs,
        "min_insync": int(configs.pop(_MIN, 1)),
        "has_unclean": _UNCLEAN in configs,
        "unclean": _is_true(configs.pop(_UNCLEAN, "false")),
    }
    cells: dict[CellKey, Any] = {}
    for number, replicas in enumerate(placed):
        p = (t, number)
        cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): tuple(replicas)}
    for key, text in configs.items():
        setting = (_RESOURCE_TYPES["TOPIC"], event.name, key)
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
    if event.assignment is not None and event.count is not None and own:
        added = event.count - len(own)
        if 0 < added != len(event.assignment):
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
                yield _growth(event, like, len(own), placed)
    if nowhere:
        raise Beforehand("INVALID_REPLICATION_FACTOR")


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


def _growth(
    event: trace.CreatePartitions, like: tuple[str, int], own: int, placed: Sequence[tuple[int, ...]]
) -> Reading:
    t, cells = like[0], dict[CellKey, Any]()
    for number, replicas in enumerate(placed, own):
        p = (t, number)
        cells |= {at(k.topic, p): t, at(k.index, p): number, at(k.placed, p): replicas, at(adds, p): True}
    return Reading(
        (Part("CreatePartitions", {"t": t, "manual": event.assignment is not None, "like": like}, cells),),
        only_validates=bool(event.validate_only),
        others={adds.state: False},
    )


def _delete(event: trace.DeleteTopics, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Return the names; Kafka looks up a name before the controller gets the request."""
    t = event.topic_id or topic_named(controller, event.name)
    if t is None:
        raise Beforehand("UNKNOWN_TOPIC_OR_PARTITION")
    yield Reading((Part("DeleteTopic", {"t": t}),))


# -- configurations ----------------------------------------------------------------------------------------------------
_RESOURCE_TYPES = {"TOPIC": 2, "BROKER": 4, "CLIENT_METRICS": 16, "GROUP": 32}
_NO_NODE = "BROKER_ID_NOT_REGISTERED"


def _configure(event: trace.IncrementalAlterConfigs, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Read the request; the validator's verdict is no column: INVALID_CONFIG may be its refusal."""
    unregistered = event.type == "BROKER" and event.error == _NO_NODE and _perhaps_unregistered(event.name, controller)
    for valid in (True, False) if event.error == _INVALID else (True,):
        if valid and unregistered:
            continue
        if valid and event.key == _MIN and event.value is not None and not event.value.isdecimal():
            continue
        yield Reading((_alteration(event, controller, valid),))
    if unregistered:
        raise Beforehand(_NO_NODE)


def _perhaps_unregistered(name: str, controller: Asked) -> bool:
    """Whether it may be that no node has the name: neither a broker nor a controller is registered by it.

    The empty one is the cluster's. Which voters the quorum has, registered or not, is not known here, but that the
    active controller is one.
    """
    active = controller.read(k.active_controller.state, ())  # type: ignore[attr-defined]
    return name not in ("", active, *map(str, (*registered(controller), *_controllers(controller))))


def _controllers(controller: Asked) -> list[int]:
    nodes = controller.domains["Node"]
    return [node for node in nodes if controller.read(k.controller_incarnation.state, (node,)) is not None]


def _alteration(event: trace.IncrementalAlterConfigs, controller: Asked, valid: bool) -> Part:
    deletes = event.value is None
    of_topic, of_cluster = event.type == "TOPIC", event.type == "BROKER" and event.name == ""
    topic = topic_named(controller, event.name) or ""
    size, switch = _size(event.value, valid) if event.key == _MIN else 1, _is_true(event.value)
    common = {"deletes": deletes, "valid": valid, "permitted": True, "validate_only": bool(event.validate_only)}
    named = {"t": topic, "n": event.name, **common}
    if of_topic and event.key == _MIN:
        return Part("AlterTopicMinInsync", {**named, "size": size})
    if of_topic and event.key == _UNCLEAN:
        return Part("AlterTopicUnclean", {**named, "switch": switch})
    if of_cluster and event.key == _MIN:
        return Part("AlterClusterMinInsync", {"size": size, **common})
    if of_cluster and event.key == _UNCLEAN:
        return Part("AlterClusterUnclean", {"switch": switch, **common})
    if event.type == "BROKER" and event.key == _UNCLEAN:
        return Part("AlterNodeUnclean", {"n": event.name, "switch": switch, **common})
    setting = (_RESOURCE_TYPES.get(event.type, 0), event.name, event.key)
    return Part("AlterConfig", {"s": setting, "value": event.value or "", **common})


def _is_true(value: str | None) -> bool:
    """Parse a text as a truth value as Kafka does: anything that is not true is false."""
    return value is not None and value.lower() == "true"


def _size(value: str | None, valid: bool) -> int:
    """Return the size; the validator refuses a value that is no number, so that any number may represent it."""
    if value is None or (not valid and not value.isdecimal()):
        return 1
    return int(value)


def _replace(event: trace.LegacyAlterConfigs, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Keys of the resource that are not named are deleted. What the validator says is no column, as above.

    The tables do not know whether the cluster has a value of unclean.leader.election.enable that is false, so that both
    are read.
    """
    kind = _RESOURCE_TYPES.get(event.type)
    if kind is None:
        raise ValueError(f"the configuration of a {event.type}")
    if event.error == _INVALID:
        raise Beforehand(_INVALID)
    if event.type == "TOPIC" and topic_named(controller, event.name) is None:
        raise Beforehand("UNKNOWN_TOPIC_OR_PARTITION")
    if event.type == "BROKER" and event.error == _NO_NODE and _perhaps_unregistered(event.name, controller):
        raise Beforehand(_NO_NODE)
    wanted, cells = dict(event.configs), dict[CellKey, Any]()
    choices = [_CLUSTER_KEPT]
    if event.type == "TOPIC":
        cells = _of_topic(event.name, wanted, controller)
    elif event.type == "BROKER" and event.name == "":
        choices = _of_cluster(wanted, controller)
    elif event.type == "BROKER":
        cells = _of_node(event.name, wanted, controller)
    for key, text in wanted.items():
        setting = (kind, event.name, key)
        cells |= {at(k.asks, setting): True, at(k.asked, setting): text}
    for setting in controller.domains["Setting"]:
        if setting[:2] == (kind, event.name) and setting[2] not in wanted:
            cells[at(c.away, setting)] = True
    flags = (
        c.node_asked,
        c.node_to,
        c.node_away,
        c.min_asked,
        c.min_away,
        c.unclean_asked,
        c.unclean_away,
        c.unclean_to,
        c.away,
        k.asks,
    )
    others: dict[Any, Any] = {flag.state: False for flag in flags} | {c.min_to.state: 1, k.asked.state: ""}
    for cluster in choices:
        part = Part("AlterConfigs", cluster, cells)
        yield Reading((part,), only_validates=bool(event.validate_only), others=others)


def _of_topic(name: str, wanted: dict[str, str], controller: Asked) -> dict[CellKey, Any]:
    """Return the changes of the two keys of a topic that the tables read; they are removed from those wanted."""
    topic, cells = topic_named(controller, name) or "", dict[CellKey, Any]()
    size, switch = wanted.pop(_MIN, None), wanted.pop(_UNCLEAN, None)
    if size is not None:
        cells |= {at(c.min_asked, name): True, at(c.min_to, name): int(size)}
    elif controller.read(k.own_min_insync.state, (topic,)):
        cells |= {at(c.min_asked, name): True, at(c.min_away, name): True}
    if switch is not None:
        cells |= {at(c.unclean_asked, name): True, at(c.unclean_to, name): _is_true(switch)}
    elif controller.read(k.own_unclean.state, (topic,)):
        cells |= {at(c.unclean_asked, name): True, at(c.unclean_away, name): True}
    return cells


def _of_node(name: str, wanted: dict[str, str], controller: Asked) -> dict[CellKey, Any]:
    """Return the change of the key of a node that the tables read; it is removed from those wanted."""
    switch = wanted.pop(_UNCLEAN, None)
    if switch is not None:
        return {at(c.node_asked, name): True, at(c.node_to, name): _is_true(switch)}
    if controller.read(k.node_unclean.state, (name,)) is None:
        return {}
    return {at(c.node_asked, name): True, at(c.node_away, name): True}


_CLUSTER_KEPT: dict[str, Any] = {
    "sets_min": False, "drops_min": False, "to_size": 1,
    "sets_unclean": False, "drops_unclean": False, "to_switch": False,
}  # fmt: skip
"""A request that says nothing of the two keys of the cluster that the tables read."""


def _of_cluster(wanted: dict[str, str], controller: Asked) -> list[dict[str, Any]]:
    """Return the possible changes of the two keys of the cluster that the tables read, removed from those wanted."""
    found = dict(_CLUSTER_KEPT)
    size, switch = wanted.pop(_MIN, None), wanted.pop(_UNCLEAN, None)
    if size is not None:
        found |= {"sets_min": True, "to_size": int(size)}
    elif controller.read(k.cluster_min_set.state, ()):  # type: ignore[attr-defined]
        found |= {"sets_min": True, "drops_min": True}
    if switch is not None:
        return [found | {"sets_unclean": True, "to_switch": _is_true(switch)}]
    return [found, found | {"sets_unclean": True, "drops_unclean": True}]


TOPICS: dict[str, Adapter] = {
    "CreateTopics": Adapter(("CreateTopic",), _create, only_error, recorded_error),
    "CreatePartitions": Adapter(("CreatePartitions",), _grow, only_error, recorded_error),
    "DeleteTopics": Adapter(("DeleteTopic",), _delete, only_error, recorded_error),
    "IncrementalAlterConfigs": Adapter(
        (
            "AlterTopicMinInsync",
            "AlterClusterMinInsync",
            "AlterTopicUnclean",
            "AlterClusterUnclean",
            "AlterNodeUnclean",
            "AlterConfig",
        ),
        _configure,
        only_error,
        recorded_error,
    ),
    "LegacyAlterConfigs": Adapter(("AlterConfigs",), _replace, only_error, recorded_error),
}
"""The adapters by the name of the request."""
