"""Shared code of the adapters of recorded requests: the state before a line, its records, and the state after them.

A topic is its name, and the one that is created is called so too; a partition is its topic with its number. A topic
without a value of its own has the cluster's, and what neither has is as brokers have it by default. What a request that
only validates would write is left out here: the tables have such a request for single configuration values only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.checkers.conformance.requests.outcomes import Expected
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import State
from fencepost.model.language.interpreter import CellKey

from .judge import Answered, Question, asked
from .shared import CONTROLLER, cell, known, partition_change, same_field

Line = Mapping[str, Any]

MIN, UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"
TYPES = {"TOPIC": 2, "BROKER": 4}
EPOCHS = 100
"""The epoch of a broker less its id."""

DIRECTORIES = {"UNASSIGNED": known(k.unassigned), "MIGRATING": known(k.migrating), "LOST": known(k.lost_directory)}
"""The reserved directories by their words; every other one is its word."""

_WORDS = {directory: word for word, directory in DIRECTORIES.items()}

STATE = frozenset(["op", "mv", "E", "brokers", "topics", "configs"])
"""The columns of the state, and of the query."""

Setting = tuple[int, str, str]
"""A configuration key of a resource: the resource's type and name, the key."""


# -- values of settings ------------------------------------------------------------------------------------------------
def fits(key: str, value: str) -> bool:
    """Return whether Kafka's validator takes a value of a setting that the tables have as a variable.

    Numbers may have white space around them (D27), truth values too, in any case.
    """
    if key == MIN:
        return re.fullmatch(r"\s*[+-]?[0-9]+\s*", value) is not None and int(value) >= 1
    return key != UNCLEAN or value.strip().lower() in ("true", "false")


def minimum(value: str) -> int:
    """Return a value of min.insync.replicas; raises `Refusal` for one that Kafka does not store."""
    if not fits(MIN, value):
        raise Refusal(f"{MIN}={value} is no value that Kafka stores")
    return int(value)


def switch(value: str) -> bool:
    """Return a value of unclean.leader.election.enable; raises `Refusal` for one that Kafka does not store."""
    if not fits(UNCLEAN, value):
        raise Refusal(f"{UNCLEAN}={value} is no value that Kafka stores")
    return value.strip().lower() == "true"


# -- the state that a line begins with ---------------------------------------------------------------------------------
def stored(line: Line) -> dict[Setting, str]:
    """Return the configurations that are stored."""
    return {(TYPES[kind], name, key): value for kind, name, key, value in line.get("configs", ())}


def _brokers(line: Line) -> dict[CellKey, Any]:
    cells: dict[CellKey, Any] = {}
    for broker, (word, directories, cordoned) in enumerate(line.get("brokers", ()), 1):
        if word not in ("ACTIVE", "FENCED", "ICS", "UNREGISTERED"):
            raise ValueError(f"{word} is no state of a broker")
        if word != "UNREGISTERED":
            cells |= {
                at(k.registered, broker): True,
                at(k.epoch, broker): EPOCHS + broker,
                at(k.fenced, broker): word == "FENCED",
                at(k.ics, broker): word == "ICS",
                at(k.directories, broker): frozenset(directories),
                at(k.cordoned, broker): frozenset(cordoned),
            }
    return cells


def _topics(line: Line) -> dict[CellKey, Any]:
    cells: dict[CellKey, Any] = {}
    for topic, partitions in line.get("topics", {}).items():
        cells |= {at(k.live, topic): True, at(k.name, topic): topic} | _configured(topic, line)
        for number, one in enumerate(partitions):
            cells |= _partition((topic, number), one)
        if partitions:
            cells[at(k.replication, topic)] = len(partitions[0]["rep"])
    return cells


def _configured(topic: str, line: Line) -> dict[CellKey, Any]:
    values = stored(line)
    least, unclean = values.get((2, topic, MIN)), values.get((2, topic, UNCLEAN))
    return {
        at(k.own_min_insync, topic): least is not None,
        at(k.min_insync, topic): minimum("1" if least is None else least),
        at(k.own_unclean, topic): unclean is not None,
        at(k.unclean, topic): switch("false" if unclean is None else unclean),
    }


def _partition(of: tuple[str, int], one: Line) -> dict[CellKey, Any]:
    elr, last = one.get("elr", ()), one.get("last", ())
    cells: dict[CellKey, Any] = {
        at(k.exists_, of): True,
        at(k.topic, of): of[0],
        at(k.index, of): of[1],
        at(k.replicas, of): tuple(one["rep"]),
        at(k.isr, of): tuple(one["isr"]),
        at(k.elr, of): frozenset(elr),
        at(k.last_known, of): tuple(last),
        at(k.removing, of): frozenset(one.get("rem", ())),
        at(k.adding, of): frozenset(one.get("add", ())),
        at(k.leader, of): None if one["ld"] == -1 else one["ld"],
        at(k.recovery, of): k.Recovery(one.get("rec", 0)),
        at(k.leader_epoch, of): one.get("le", 0),
        at(k.partition_epoch, of): one.get("pe", 0),
    }
    cells |= placed_in(of, one["rep"], one["dirs"])
    return cells | {at(k.elr_index, of, member): 1 for member in elr}


def placed_in(of: tuple[str, int], replicas: Sequence[int], words: Sequence[str]) -> dict[CellKey, Any]:
    """Return the cells that say in which directory each replica is."""
    return {
        at(k.location, of, replica): DIRECTORIES.get(word, word) for replica, word in zip(replicas, words, strict=True)
    }


def starting_state(line: Line) -> dict[CellKey, Any]:
    """Return the cells of the state that a line begins with."""
    values = stored(line)
    least = values.get((4, "", MIN))
    cells = CONTROLLER | {
        cell(k.mv): METADATA_VERSION_LEVELS[line["mv"]],
        cell(k.elr_level): line["E"],
        cell(k.cluster_min_set): least is not None,
        cell(k.cluster_min_insync): minimum("1" if least is None else least),
        cell(k.cluster_unclean): switch(values.get((4, "", UNCLEAN), "false")),
    }
    for setting, value in values.items():
        if not modelled(setting):
            cells[at(k.setting, setting)] = value
        elif of_node(setting):
            cells[at(k.node_unclean, setting[1])] = switch(value)
    return cells | _brokers(line) | _topics(line)


def modelled(setting: Setting) -> bool:
    """Whether the tables have a configuration as a variable: two keys of topics and of the cluster, one of nodes."""
    kind, name, key = setting
    return key == UNCLEAN or (key == MIN and (kind == TYPES["TOPIC"] or name == ""))


def of_node(setting: Setting) -> bool:
    """Whether a configuration is that of one node which may decide elections."""
    kind, name, key = setting
    return kind == TYPES["BROKER"] and name != "" and key == UNCLEAN


def ask(
    event: str,
    line: Line,
    params: Mapping[str, Any],
    cells: Mapping[CellKey, Any],
    others: Mapping[State[Any], Any] | None = None,
    each: Sequence[Mapping[str, Any]] = (),
) -> Question:
    """Return the question whether a row answers an event with these parameters in the line's state, or with each."""
    # A task of the controller has no row where there is nothing to do.
    rests = any(one.name == event and one.environment for one in KRAFT.events)
    return asked(event, params, {**starting_state(line), **cells}, others, rests, each)


# -- what the rows write and answer ------------------------------------------------------------------------------------
def _places(record: Expected) -> dict[str, Any]:
    if "directories" not in record.value.fields:
        return {}
    return {"dirs": [_WORDS.get(one, one) for one in record.value.fields["directories"]]}


def _changed(record: Expected) -> dict[str, Any]:
    return {"p": record.value.fields["partition"][1]} | partition_change(record) | _places(record)


def _born(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    epochs = {"le": said["leader_epoch"], "pe": said["partition_epoch"]}
    recovery = said.get("recovery", k.Recovery.RECOVERED)
    return _changed(record) | epochs | {"rec": recovery.value}


def _config(record: Expected) -> dict[str, Any]:
    said, only = record.value.fields, record.value.record.only
    if "setting" in said:
        kind, resource, key = said["setting"]
    else:
        kind, key = only["resourceType"], only["name"]
        resource = said.get("resource", only.get("resourceName"))
    value = said.get("value")
    text = str(value).lower() if isinstance(value, bool) else None if value is None else str(value)
    return {"type": kind, "resource": resource, "key": key, "value": text}


def _level(record: Expected) -> dict[str, Any]:
    said = record.value.fields
    return {"feature": said.get("feature", record.value.record.only.get("name")), "level": said["level"]}


_TOLD: dict[str, tuple[str, Callable[[Expected], dict[str, Any]]]] = {
    "PARTITION_CHANGE_RECORD": ("PartitionChange", _changed),
    "PARTITION_RECORD": ("Partition", _born),
    "TOPIC_RECORD": ("Topic", lambda record: {"name": record.value.fields["name"]}),
    "REMOVE_TOPIC_RECORD": ("RemoveTopic", lambda record: {}),
    "CLEAR_ELR_RECORD": ("ClearElr", lambda record: {"name": record.value.fields.get("name", "")}),
    "CONFIG_RECORD": ("Config", _config),
    "FEATURE_LEVEL_RECORD": ("FeatureLevel", _level),
    "NO_OP_RECORD": ("NoOp", lambda record: {}),
}


def _record(record: Expected) -> dict[str, Any]:
    name, told = _TOLD[record.value.record.type]
    return {"t": name, **told(record)}


def tell(line: Line, found: Answered) -> Mapping[str, Any]:
    """Return the error, the records, and what holds after them by the recorded names; no row changes nothing."""
    if line.get("dry", False) and line["op"] != "incremental":
        parts = tuple(replace(part, records=(), soft={}) for part in found.outcome.parts)
        found = Answered(found.rows, found.controller, replace(found.outcome, parts=parts))
    error = found.part.error if found.outcome.parts else "NONE"
    told: dict[str, Any] = {"error": error, "recs": list(map(_record, found.records))}
    if "a" in line.get("topics", {}):
        told["min"] = found.value_after(k.min_insync_of(k.t), {k.t: "a"})
        told["unclean"] = found.value_after(k.allows_unclean(k.t), {k.t: "a"})
    if "feature" in line and line["feature"] != known(k.kraft_version):
        told["level"] = found.value_after(k.finalized(k.f), {k.f: line["feature"]})
    first = ("t", 0)
    if found.after.read(k.exists_.state, (first,)):
        told["le"] = found.after.read(k.leader_epoch.state, (first,))
        told["pe"] = found.after.read(k.partition_epoch.state, (first,))
    return told


# -- what counts as the same -------------------------------------------------------------------------------------------
def _runs(records: Sequence[Line]) -> list[list[Line]]:
    """Records of one type that follow one another, in an order of their own: the rows leave that one open."""
    return [sorted(run, key=repr) for _, run in groupby(map(_normal, records), key=lambda one: one["t"])]


def _normal(record: Line) -> dict[str, Any]:
    return dict(sorted(record.items()))


def _alike(kafka: Line, tables: Line) -> bool:
    return kafka.keys() == tables.keys() and all(same_field(name, kafka[name], tables[name]) for name in kafka)


def same(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of an answer: records run by run, everything else as it is."""
    if name != "recs" or not isinstance(kafka, list) or not isinstance(tables, list):
        return bool(kafka == tables)
    ours, theirs = _runs(tables), _runs(kafka)
    return [len(run) for run in ours] == [len(run) for run in theirs] and all(
        _alike(one, other)
        for left, right in zip(theirs, ours, strict=True)
        for one, other in zip(left, right, strict=True)
    )
