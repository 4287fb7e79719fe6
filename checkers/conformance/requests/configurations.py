"""Adapters for requests about configurations, as `adapters.py` says of all of them.

What the validator says of a value is no column of a trace: where the answer is INVALID_CONFIG, it may be its refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.checkers.conformance.records.static_settings import MIN_INSYNC, UNCLEAN
from fencepost.model.kraft import configurations as c
from fencepost.model.kraft import state as k
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .adapting import Adapter, Asked, Beforehand, Upcoming, at, is_true, registered, topic_named
from .outcomes import Part, Reading

RESOURCE_TYPES = {"TOPIC": 2, "BROKER": 4, "CLIENT_METRICS": 16, "GROUP": 32}
"""The codes of the types of resources."""

INVALID = "INVALID_CONFIG"
_NO_NODE = "BROKER_ID_NOT_REGISTERED"


def _configure(event: trace.IncrementalAlterConfigs, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    unregistered = event.type == "BROKER" and event.error == _NO_NODE and _perhaps_unregistered(event.name, controller)
    for valid in (True, False) if event.error == INVALID else (True,):
        if valid and unregistered:
            continue
        if valid and event.key == MIN_INSYNC and event.value is not None and not event.value.isdecimal():
            continue
        yield Reading((alteration(event, controller, valid),))
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


def alteration(event: trace.IncrementalAlterConfigs, controller: Asked, valid: bool, permitted: bool = True) -> Part:
    """Return the event of the tables; it says whether the value is valid, and whether the alteration is permitted."""
    deletes = event.value is None
    of_topic, of_cluster = event.type == "TOPIC", event.type == "BROKER" and event.name == ""
    topic = topic_named(controller, event.name) or ""
    size, switch = _size(event.value, valid) if event.key == MIN_INSYNC else 1, is_true(event.value)
    common = {"deletes": deletes, "valid": valid, "permitted": permitted, "validate_only": bool(event.validate_only)}
    named = {"t": topic, "n": event.name, **common}
    if of_topic and event.key == MIN_INSYNC:
        return Part("AlterTopicMinInsync", {**named, "size": size})
    if of_topic and event.key == UNCLEAN:
        return Part("AlterTopicUnclean", {**named, "switch": switch})
    if of_cluster and event.key == MIN_INSYNC:
        return Part("AlterClusterMinInsync", {"size": size, **common})
    if of_cluster and event.key == UNCLEAN:
        return Part("AlterClusterUnclean", {"switch": switch, **common})
    if event.type == "BROKER" and event.key == UNCLEAN:
        return Part("AlterNodeUnclean", {"n": event.name, "switch": switch, **common})
    setting = (RESOURCE_TYPES.get(event.type, 0), event.name, event.key)
    return Part("AlterConfig", {"s": setting, "value": event.value or "", **common})


def _size(value: str | None, valid: bool) -> int:
    """Return the size; the validator refuses a value that is no number, so that any number may represent it."""
    if value is None or (not valid and not value.isdecimal()):
        return 1
    return int(value)


def _replace(event: trace.LegacyAlterConfigs, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """The tables do not know whether the cluster has a value of unclean.leader.election.enable that is false, so that
    both are read.
    """
    if event.type not in RESOURCE_TYPES:
        raise ValueError(f"the configuration of a {event.type}")
    if event.error == INVALID:
        raise Beforehand(INVALID)
    if event.type == "TOPIC" and topic_named(controller, event.name) is None:
        raise Beforehand("UNKNOWN_TOPIC_OR_PARTITION")
    if event.type == "BROKER" and event.error == _NO_NODE and _perhaps_unregistered(event.name, controller):
        raise Beforehand(_NO_NODE)
    yield replacement(event, controller, cluster_unclean=False)
    if (event.type, event.name) == ("BROKER", "") and UNCLEAN not in dict(event.configs):
        yield replacement(event, controller, cluster_unclean=True)


def replacement(event: trace.LegacyAlterConfigs, controller: Asked, cluster_unclean: bool) -> Reading:
    """Return the event of the tables; keys of the resource that are not named are deleted.

    `cluster_unclean` says whether the cluster has a value of unclean.leader.election.enable.
    """
    kind, wanted, cells = RESOURCE_TYPES[event.type], dict(event.configs), dict[CellKey, Any]()
    cluster: dict[str, Any] = {
        "sets_min": False, "drops_min": False, "to_size": 1,
        "sets_unclean": False, "drops_unclean": False, "to_switch": False,
    }  # fmt: skip
    if event.type == "TOPIC":
        cells = _of_topic(event.name, wanted, controller)
    elif event.type == "BROKER" and event.name == "":
        cluster |= _of_cluster(wanted, controller, cluster_unclean)
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
    return Reading((Part("AlterConfigs", cluster, cells),), only_validates=bool(event.validate_only), others=others)


def _of_topic(name: str, wanted: dict[str, str], controller: Asked) -> dict[CellKey, Any]:
    """Return the changes of the two keys of a topic that the tables read; they are removed from those wanted."""
    topic, cells = topic_named(controller, name) or "", dict[CellKey, Any]()
    size, switch = wanted.pop(MIN_INSYNC, None), wanted.pop(UNCLEAN, None)
    if size is not None:
        cells |= {at(c.min_asked, name): True, at(c.min_to, name): int(size)}
    elif controller.read(k.own_min_insync.state, (topic,)):
        cells |= {at(c.min_asked, name): True, at(c.min_away, name): True}
    if switch is not None:
        cells |= {at(c.unclean_asked, name): True, at(c.unclean_to, name): is_true(switch)}
    elif controller.read(k.own_unclean.state, (topic,)):
        cells |= {at(c.unclean_asked, name): True, at(c.unclean_away, name): True}
    return cells


def _of_node(name: str, wanted: dict[str, str], controller: Asked) -> dict[CellKey, Any]:
    """Return the change of the key of a node that the tables read; it is removed from those wanted."""
    switch = wanted.pop(UNCLEAN, None)
    if switch is not None:
        return {at(c.node_asked, name): True, at(c.node_to, name): is_true(switch)}
    if controller.read(k.node_unclean.state, (name,)) is None:
        return {}
    return {at(c.node_asked, name): True, at(c.node_away, name): True}


def _of_cluster(wanted: dict[str, str], controller: Asked, has_unclean: bool) -> dict[str, Any]:
    """Return the changes of the two keys of the cluster that the tables read; they are removed from those wanted."""
    found: dict[str, Any] = {}
    size, switch = wanted.pop(MIN_INSYNC, None), wanted.pop(UNCLEAN, None)
    if size is not None:
        found |= {"sets_min": True, "to_size": int(size)}
    elif controller.read(k.cluster_min_set.state, ()):  # type: ignore[attr-defined]
        found |= {"sets_min": True, "drops_min": True}
    if switch is not None:
        found |= {"sets_unclean": True, "to_switch": is_true(switch)}
    elif has_unclean:
        found |= {"sets_unclean": True, "drops_unclean": True}
    return found


CONFIGURATIONS: dict[str, Adapter] = {
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
        in_front=frozenset(("INVALID_REQUEST",)),
    ),
    "LegacyAlterConfigs": Adapter(("AlterConfigs",), _replace, in_front=frozenset(("INVALID_REQUEST",))),
}
"""The adapters by the name of the request."""
