"""The state that a recorded line begins with: cells of the tables, by the names that recordings have for them.

A topic is its name, and the one that is created is called so too; a partition is its topic with its number. A topic
without a value of its own has the cluster's, and what neither has is as brokers have it by default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.checkers.conformance.records.static_settings import MIN_INSYNC, UNCLEAN
from fencepost.checkers.conformance.requests.adapting import at, is_true
from fencepost.checkers.conformance.requests.configurations import RESOURCE_TYPES
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.language import Term
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.terms import Get

Line = Mapping[str, Any]

TOPIC = "t"
PARTITION = (TOPIC, 0)
"""The one partition of a line that names none."""

EPOCHS = 100
"""The epoch of a broker less its id, where a line has no epochs."""


def cell(variable: Term[Any]) -> CellKey:
    """Return the cell of a variable without keys."""
    assert isinstance(variable, Get)
    return variable.state, ()


def known(constant: Term[Any]) -> Any:
    """Return a constant's value on the wire."""
    assert isinstance(constant, Get)
    return constant.state.known


DIRECTORIES = {"UNASSIGNED": known(k.unassigned), "MIGRATING": known(k.migrating), "LOST": known(k.lost_directory)}
"""The reserved directories by their words; every other one is its word."""

# -- columns -----------------------------------------------------------------------------------------------------------
ANY: tuple[Any, ...] = ()
"""A column with any value."""

TRUTH = (False, True)
"""The values of a column that is true or false."""


def any_in(*columns: str) -> dict[str, tuple[Any, ...]]:
    """Return columns with any value."""
    return dict.fromkeys(columns, ANY)


LEVELS = {"mv": ANY, "E": (0, 1)}
"""The columns of what the cluster has finalized."""

ONE_PARTITION = LEVELS | any_in("min", "rep", "isr", "elr", "last", "rem", "add", "ld", "rec")
"""The columns of the one partition, and of what the cluster has finalized."""

CLUSTER = LEVELS | any_in("op", "brokers", "topics", "configs")
"""The columns of the state of a whole cluster, and of the query."""

# -- settings ----------------------------------------------------------------------------------------------------------
Setting = tuple[int, str, str]
"""A configuration key of a resource: the resource's type and name, the key."""


def fits(key: str, value: str) -> bool:
    """Return whether Kafka's validator takes a value of a setting that the tables have as a variable.

    Numbers may have white space around them (D27), truth values too, in any case.
    """
    if key == MIN_INSYNC:
        return re.fullmatch(r"\s*[+-]?[0-9]+\s*", value) is not None and int(value) >= 1
    return key != UNCLEAN or value.strip().lower() in ("true", "false")


def storable(settings: Mapping[Any, str]) -> None:
    """Raise `Refusal` for a value that Kafka does not store, of settings by their keys or by resource and key."""
    for key, value in settings.items():
        name = key if isinstance(key, str) else key[2]
        if not fits(name, value):
            raise Refusal(f"{name}={value} is no value that Kafka stores")


def stored(line: Line) -> dict[Setting, str]:
    """Return the configurations that are stored."""
    return {(RESOURCE_TYPES[kind], name, key): value for kind, name, key, value in line.get("configs", ())}


def _configured(line: Line) -> dict[CellKey, Any]:
    """Return the cells of the cluster's configurations, and of those that are a setting of their own."""
    values = stored(line)
    least, brokers = values.get((4, "", MIN_INSYNC)), RESOURCE_TYPES["BROKER"]
    cells: dict[CellKey, Any] = {
        cell(k.cluster_min_set): least is not None,
        cell(k.cluster_min_insync): int(least or 1),
        cell(k.cluster_unclean): is_true(values.get((brokers, "", UNCLEAN))),
    }
    for (kind, name, key), value in values.items():
        if kind == brokers and name and key == UNCLEAN:
            cells[at(k.node_unclean, name)] = is_true(value)
        elif not modelled((kind, name, key)):
            cells[at(k.setting, (kind, name, key))] = value
    return cells


def modelled(setting: Setting) -> bool:
    """Whether the tables have a configuration as a variable: two keys of topics and of the cluster, one of nodes."""
    kind, name, key = setting
    return key == UNCLEAN or (key == MIN_INSYNC and (kind == RESOURCE_TYPES["TOPIC"] or name == ""))


# -- brokers and partitions --------------------------------------------------------------------------------------------
ASKED_CONTROLLER = "3000"
"""The node id of the controller whose Kafka classes answer."""

CONTROLLER: dict[CellKey, Any] = {cell(k.active_controller): ASKED_CONTROLLER, cell(k.kraft_level): 0}
"""The controller that receives the request, and Raft's level of kraft.version where the recording gives none."""


def finalized(line: Line) -> dict[CellKey, Any]:
    """Return the cells of the controller, and of what the cluster has finalized."""
    return CONTROLLER | {cell(k.mv): METADATA_VERSION_LEVELS[line["mv"]], cell(k.elr_level): line["E"]}


def registered(
    broker: int, word: str, epoch: int, directories: Sequence[str] = (), cordoned: Sequence[str] = ()
) -> dict[CellKey, Any]:
    """Return the cells of a broker in the state of a word."""
    if word not in ("ACTIVE", "FENCED", "ICS", "UNREGISTERED"):
        raise ValueError(f"{word} is no state of a broker")
    if word == "UNREGISTERED":
        return {}
    return {
        at(k.registered, broker): True,
        at(k.epoch, broker): epoch,
        at(k.fenced, broker): word == "FENCED",
        at(k.ics, broker): word == "ICS",
        at(k.directories, broker): frozenset(directories),
        at(k.cordoned, broker): frozenset(cordoned),
    }


def partition(of: tuple[str, int], one: Line) -> dict[CellKey, Any]:
    """Return the cells of a partition; without directories every replica is in the unassigned one."""
    elr, leader, replicas = one.get("elr", []), one["ld"], one["rep"]
    cells: dict[CellKey, Any] = {
        at(k.exists_, of): True,
        at(k.topic, of): of[0],
        at(k.index, of): of[1],
        at(k.replicas, of): tuple(replicas),
        at(k.isr, of): tuple(one["isr"]),
        at(k.elr, of): frozenset(elr),
        at(k.elr_disordered, of): elr != sorted(elr),
        at(k.last_known, of): tuple(one.get("last", ())),
        at(k.removing, of): frozenset(one.get("rem", ())),
        at(k.adding, of): frozenset(one.get("add", ())),
        at(k.leader, of): None if leader == -1 else leader,
        at(k.recovery, of): k.Recovery(one.get("rec", 0)),
        at(k.leader_epoch, of): one.get("le", 0),
        at(k.partition_epoch, of): one.get("pe", 0),
    }
    for replica, word in zip(replicas, one.get("dirs", ["UNASSIGNED"] * len(replicas)), strict=True):
        cells[at(k.location, of, replica)] = DIRECTORIES.get(word, word)
    return cells | {at(k.elr_index, of, member): 1 for member in elr}


def with_one_partition(line: Line) -> dict[CellKey, Any]:
    """Return the cells of the one partition, and of what the cluster has finalized."""
    return (
        finalized(line)
        | partition(PARTITION, line)
        | {
            at(k.live, TOPIC): True,
            at(k.own_min_insync, TOPIC): True,
            at(k.min_insync, TOPIC): line["min"],
            at(k.replication, TOPIC): line["min"],
        }
    )


def of_cluster(line: Line) -> dict[CellKey, Any]:
    """Return the cells of the cluster that a line begins with."""
    values = stored(line)
    storable({of: value for of, value in values.items() if modelled(of)})
    cells = finalized(line) | _configured(line)
    for broker, (word, directories, cordoned) in enumerate(line.get("brokers", ()), 1):
        cells |= registered(broker, word, EPOCHS + broker, directories, cordoned)
    for topic, partitions in line["topics"].items():
        least, unclean = (values.get((RESOURCE_TYPES["TOPIC"], topic, key)) for key in (MIN_INSYNC, UNCLEAN))
        cells |= {
            at(k.live, topic): True,
            at(k.name, topic): topic,
            at(k.own_min_insync, topic): least is not None,
            at(k.min_insync, topic): int(least or 1),
            at(k.own_unclean, topic): unclean is not None,
            at(k.unclean, topic): is_true(unclean),
        }
        for number, one in enumerate(partitions):
            cells |= partition((topic, number), one)
        if partitions:
            cells[at(k.replication, topic)] = len(partitions[0]["rep"])
    return cells
