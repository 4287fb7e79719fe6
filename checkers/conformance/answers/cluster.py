"""Lines with a whole cluster: elections, reassignments, topics, configurations and features.

What holds after a request is part of its answer. What one that only validates would write is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.tasks import everywhere
from fencepost.checkers.conformance.records.static_settings import UNCLEAN
from fencepost.checkers.conformance.requests.adapters import update
from fencepost.checkers.conformance.requests.adapting import as_range, at
from fencepost.checkers.conformance.requests.configurations import RESOURCE_TYPES, alteration, replacement
from fencepost.checkers.conformance.requests.outcomes import Reading
from fencepost.checkers.conformance.requests.topics import (
    creation,
    first_partitions,
    growth,
    is_misassigned,
    may_be_named,
)
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces.events import (
    AlterPartitionReassignments,
    CreatePartitions,
    CreateTopics,
    DeleteTopics,
    ElectLeaders,
    IncrementalAlterConfigs,
    LegacyAlterConfigs,
    UpdateFeatures,
)

from .judge import Answered, Kind, Question, put, sent
from .records import records, same_in_runs
from .state import CLUSTER, TRUTH, Line, any_in, fits, known, modelled, of_cluster, storable, stored


def _tell(line: Line, found: Answered) -> Mapping[str, Any]:
    """Return the error, the records, and what holds after them by the recorded names; no row changes nothing."""
    error = found.part.error if found.outcome.parts else "NONE"
    told: dict[str, Any] = {"error": error, "recs": records(found)}
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


def _kind(
    name: str,
    ask: Callable[[Line], Question],
    columns: dict[str, tuple[Any, ...]],
    skip: Callable[[Line], str] = lambda line: "",
) -> Kind:
    """Return a kind whose lines have these columns beside those of the cluster."""
    return Kind(name, KRAFT, ask, _tell, skip, same_in_runs, columns=CLUSTER | columns)


_PARTITION = any_in("topic", "p")

# -- elections and reassignments ---------------------------------------------------------------------------------------
_REQUESTED = {"preferred": "PREFERRED", "unclean": "UNCLEAN"}
_TASKS = {"balance": "Balance", "rescue": "Rescue"}


def _elect(line: Line) -> Question:
    """The two tasks look at every partition, whichever one the line names."""
    cells, op, asked = of_cluster(line), line["op"], ((line["topic"], line["p"]),)
    if op in _TASKS:
        return Question(lambda rows, controller: [Reading(everywhere(_TASKS[op], rows, controller))], cells)
    return put(sent(ElectLeaders, type=_REQUESTED[op], partitions=asked, answers=("",)), cells)


ELECTIONS = _kind("elections", _elect, _PARTITION | {"op": (*_REQUESTED, *_TASKS)})


def _reassign(line: Line) -> Question:
    target = {"replicas": tuple(line["target"]), "may_resize": line["allow"]} if line["target"] is not None else {}
    return put(sent(AlterPartitionReassignments, name=line["topic"], partition=line["p"], **target), of_cluster(line))


REASSIGNMENT = _kind("reassignment", _reassign, _PARTITION | any_in("target") | {"op": ("reassign",), "allow": TRUTH})


# -- topics ------------------------------------------------------------------------------------------------------------
def _topic(line: Line) -> Question:
    if line["op"] == "delete":
        return put(sent(DeleteTopics, name=line["topic"], topic_id=line["topic"]), of_cluster(line))
    return _create(line) if line["op"] == "create" else _grow(line)


def _create(line: Line) -> Question:
    """A topic whose name is taken is another one that asks for the name."""
    name, settings = line["topic"], dict(line["settings"])
    storable(settings)
    request = sent(CreateTopics, name=name, configs=tuple(settings.items()), validate_only=line.get("dry"))
    t = "another" if name in line["topics"] else name
    return Question(lambda rows, state: [creation(request, t, line["placed"], line["manual"])], of_cluster(line))


def _grow(line: Line) -> Question:
    """As many partitions are added as the count is above those that are there, each where `placed` says."""
    t, own = line["topic"], len(line["topics"].get(line["topic"], ()))
    added = max(0, line["count"] - own) if t in line["topics"] else 0
    # Partitions of a line are put into the controller once, each.
    like = (t, min(first_partitions(own, changed=False)) if own else 0)
    request = sent(CreatePartitions, name=t, count=line["count"], validate_only=line.get("dry"))
    placed = line["placed"][:added]
    return Question(lambda rows, state: [growth(request, like, own, placed, line["manual"])], of_cluster(line))


def _before_the_rows(line: Line) -> str:
    """Why the rows are not asked about a request, "" where they are: also of a name that is refused without need."""
    error = line["out"]["error"]
    if line["op"] == "create":
        if error in ("INVALID_CONFIG", "POLICY_VIOLATION"):
            return "a topic whose configuration is refused is taken out before the rows are asked"
        if error == "INVALID_TOPIC_EXCEPTION" and not may_be_named(line["topic"], line["topics"]):
            return "a topic whose name is refused is taken out before the rows are asked"
    if line["op"] == "grow" and line["manual"] and line["topic"] in line["topics"]:
        added = line["count"] - len(line["topics"][line["topic"]])
        if is_misassigned(added, line["placed"]):
            return "an assignment has as many partitions as are added"
    return ""


TOPICS = _kind(
    "topics",
    _topic,
    _PARTITION
    | any_in("placed", "settings", "count")
    | {"op": ("create", "grow", "delete"), "manual": TRUTH, "permitted": TRUTH, "dry": TRUTH},
    _before_the_rows,
)

# -- configurations ----------------------------------------------------------------------------------------------------
_REFUSED = ("bad", "long")
"""A value that the validator refuses, and a value that is longer than the maximum length."""

_TYPES = ("TOPIC", "BROKER")


def _configure(line: Line) -> Question:
    if line["op"] not in ("incremental", "legacy"):
        raise ValueError(f"op is incremental or legacy, not {line['op']}")
    kind, name = line["type"], line["name"]
    if line["op"] == "legacy":
        return _replace(line)
    key, value = line["key"], line["value"]
    of = (RESOURCE_TYPES[kind], name, key)
    valid = value not in _REFUSED and (value is None or not modelled(of) or fits(key, value))
    request = sent(IncrementalAlterConfigs, type=kind, name=name, key=key, value=value, validate_only=line.get("dry"))
    return Question(
        lambda rows, state: [Reading((alteration(request, state, valid, line["permitted"]),))], of_cluster(line)
    )


def _replace(line: Line) -> Question:
    wanted = dict(line["wanted"])
    storable(
        {key: value for key, value in wanted.items() if modelled((RESOURCE_TYPES[line["type"]], line["name"], key))}
    )
    request = sent(
        LegacyAlterConfigs,
        type=line["type"],
        name=line["name"],
        configs=tuple(wanted.items()),
        validate_only=line.get("dry"),
    )
    has_unclean = (RESOURCE_TYPES["BROKER"], "", UNCLEAN) in stored(line)
    return Question(lambda rows, state: [replacement(request, state, has_unclean)], of_cluster(line))


def _refused_whole(line: Line) -> str:
    """Why the rows are not asked about a request: they have no row for a whole resource that is refused."""
    whole = line.get("op") == "legacy"
    refused = line["out"]["error"] if whole and isinstance(line["out"], dict) else "NONE"
    elr_refuses = line.get("E") == 1 and line.get("type") == "BROKER" and refused == "INVALID_CONFIG"
    if refused == "NONE" or (elr_refuses and not any(value in _REFUSED for _, value in line["wanted"])):
        return ""
    return "a whole resource that is refused is taken out before the rows are asked"


CONFIGURATIONS = _kind(
    "configurations",
    _configure,
    any_in("name", "key", "value", "wanted") | {"type": _TYPES, "permitted": TRUTH, "dry": TRUTH},
    _refused_whole,
)


# -- features ----------------------------------------------------------------------------------------------------------
_NODES = {"localRanges": "the active controller", "controllerRanges": "another controller"}


def _update(line: Line) -> Question:
    """The active controller is a controller that has registered, at levels too at which none registers yet."""
    if line["op"] != "update":
        raise ValueError(f"op is update, not {line['op']}")
    ranges = {node: frozenset(as_range(*one) for one in line[node] or ()) for node in ("brokerRanges", *_NODES)}
    cells = of_cluster({"topics": {}, **line}) | {at(k.registered, 1): True, at(k.ranges, 1): ranges["brokerRanges"]}
    for column, node in _NODES.items():
        if line[column] is not None:
            cells |= {at(k.controller_incarnation, node): "some", at(k.controller_ranges, node): ranges[column]}
    cells |= {at(k.level, name): level for name, level in line.get("levels", ())}
    request = sent(
        UpdateFeatures,
        updates=((line["feature"], line["to"], line["way"]),),
        validate_only=line.get("dry"),
        kraft_version=line.get("kraft", 0),
    )
    return Question(lambda rows, state: update(request, state, line.get("staticMin", 1)), cells)


FEATURES = _kind(
    "features",
    _update,
    any_in("feature", "to", "way", "levels", "staticMin", "localRanges", "brokerRanges", "controllerRanges")
    | {"dry": TRUTH},
)
