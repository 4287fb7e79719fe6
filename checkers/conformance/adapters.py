"""Adapters for the recorded answers of Kafka's own classes: which cell, parameter or field each recorded name is.

They rename, and compute nothing but this: a metadata.version's name becomes its level; an absent field gets the default
that the recording's description states; the effective min.insync.replicas is put into both things it is the smaller of;
an elr list that is not ascending is marked as being out of the order in which Kafka writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.builder import BUILDER, Election, change
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Execution, Map, Map2, RecordValue, Term, Var, World
from fencepost.model.language.interpreter import CellKey, Evaluation
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import free

from .answers import Kind, Question

_PARTITION, _TOPIC, _REQUEST = "p", "t", "m"


def _at(variable: Map[Any, Any], key: Any) -> CellKey:
    return variable.state, (key,)


def _at2(variable: Map2[Any, Any, Any], one: Any, two: Any) -> CellKey:
    return variable.state, (one, two)


def _cell(variable: Term[Any]) -> CellKey:
    assert isinstance(variable, Get)
    return variable.state, ()


def _world(brokers: set[int], line: Mapping[str, Any]) -> World:
    entities = {
        "Broker": tuple(sorted(b for b in brokers if b >= 0)),
        "Partition": (_PARTITION,),
        "Topic": (_TOPIC,),
        "Request": (_REQUEST,),
        "Setting": (),
        "Name": (),
    }
    return World(entities, {})


def _partition(line: Mapping[str, Any]) -> dict[CellKey, Any]:
    leader = line["ld"]
    return {
        _cell(k.mv): METADATA_VERSION_LEVELS[line["mv"]],
        _cell(k.elr_level): line["E"],
        _at(k.live, _TOPIC): True,
        _at(k.exists_, _PARTITION): True,
        _at(k.topic, _PARTITION): _TOPIC,
        _at(k.index, _PARTITION): 0,
        _at(k.min_insync, _TOPIC): line["min"],
        _at(k.replication, _TOPIC): line["min"],
        _at(k.replicas, _PARTITION): tuple(line["rep"]),
        _at(k.isr, _PARTITION): tuple(line["isr"]),
        _at(k.elr, _PARTITION): frozenset(line.get("elr", ())),
        _at(k.elr_disordered, _PARTITION): line.get("elr", []) != sorted(line.get("elr", [])),
        _at(k.last_known, _PARTITION): tuple(line.get("last", ())),
        _at(k.removing, _PARTITION): frozenset(line.get("rem", ())),
        _at(k.adding, _PARTITION): frozenset(line.get("add", ())),
        _at(k.leader, _PARTITION): None if leader == -1 else leader,
        _at(k.recovery, _PARTITION): k.Recovery(line.get("rec", 0)),
    }


_SHORT = {
    "isr": "isr",
    "ld": "leader",
    "rep": "replicas",
    "rem": "removing",
    "add": "adding",
    "rec": "recovery",
    "elr": "elr",
    "last": "last_known",
}


def _partition_change(record: RecordValue, evaluation: Evaluation) -> dict[str, Any]:
    assert record.record.version is not None
    told: dict[str, Any] = {"v": evaluation.value(record.record.version, {})}
    for short, name in _SHORT.items():
        if name in record.fields:
            value = record.fields[name]
            if short == "ld":
                value = -1 if value is None else value
            elif short == "rec":
                value = value.value
            elif isinstance(value, frozenset):
                value = sorted(value)
            elif isinstance(value, tuple):
                value = list(value)
            told[short] = value
    return told


def _same_change(kafka: Any, tables: Any) -> bool:
    """Sets are compared as sets, and a last known leader of −1 is none, as `model/kraft/records.py` says."""
    if not isinstance(kafka, dict) or not isinstance(tables, dict):
        return bool(kafka == tables)
    if set(kafka) != set(tables):
        return False
    return all(_same_field(name, kafka[name], tables[name]) for name in kafka)


def _same_field(name: str, kafka: Any, tables: Any) -> bool:
    if name in ("elr", "rem", "add"):
        return bool(sorted(kafka) == sorted(tables))
    if name == "last":
        return bool([x for x in kafka if x != -1] == tables)
    return bool(kafka == tables)


# -- partition-change-builder ------------------------------------------------------------------------------------------
_FORMAL: dict[str, Var[Any]] = {formal.name: formal for formal in change.procedure.formals}  # type: ignore[attr-defined]


def _ask_builder(line: Mapping[str, Any]) -> Question:
    cells = _partition(line)
    target = tuple(line.get("tRep", line["rep"]))
    brokers = {*line["rep"], *target, *line["isr"], *line.get("elr", ()), *line.get("last", ()), *line.get("acc", ())}
    binding: dict[Var[Any], Any] = {
        _FORMAL["p"]: _PARTITION,
        _FORMAL["target_isr"]: tuple(line.get("tIsr", line["isr"])),
        _FORMAL["acceptable"]: frozenset(line["acc"]),
        _FORMAL["lost"]: frozenset(line.get("un", ())),
        _FORMAL["election"]: Election(line["el"]),
        _FORMAL["target"]: target,
        _FORMAL["target_removing"]: frozenset(line.get("tRem", line.get("rem", ()))),
        _FORMAL["target_adding"]: frozenset(line.get("tAdd", line.get("add", ()))),
        _FORMAL["target_recovery"]: k.Recovery(line.get("tRec", line.get("rec", 0))),
    }
    return Question("Build", binding, cells, _world(brokers, line))


def _tell_builder(line: Mapping[str, Any], execution: Execution, evaluation: Evaluation) -> Mapping[str, Any]:
    records = [record for group in execution.records for record in group]
    told = _partition_change(records[0], evaluation) if records else None
    return told if told is not None else {"out": None}


PARTITION_CHANGE_BUILDER = Kind(
    "partition-change-builder",
    BUILDER,
    _ask_builder,
    _tell_builder,
    same=lambda name, kafka, tables: (
        bool(kafka == tables) if kafka is None or tables is None else _same_field(name, kafka, tables)
    ),
)


# -- broker-heartbeat --------------------------------------------------------------------------------------------------
_HEARTBEAT = next(event for event in KRAFT.events if event.name == "Heartbeat")
_PARAM = {var.name: var for var in _HEARTBEAT.params}
_EPOCH = 7


def _replies(execution: Execution, evaluation: Evaluation, world: World) -> dict[str, Any]:
    """What the event's declaration says of the answer, evaluated before and after the row."""
    event = execution.row.event
    around = Evaluation(world, execution.before, after=execution.after)
    found = {}
    for name, term in event.reply.items():
        answer = {var: execution.answer for var in free(term) if var.name == "answer"}
        found[name] = around.value(term, {**execution.binding, **answer})
    return found


def _records(execution: Execution, evaluation: Evaluation) -> list[dict[str, Any]]:
    told = []
    for record in (record for group in execution.records for record in group):
        if record.record.name == "PartitionChange":
            told.append({"t": "PartitionChange", "p": 0, **_partition_change(record, evaluation)})
        else:
            assert record.record.version is not None
            version = evaluation.value(record.record.version, {})
            only = record.record.only
            told.append(
                {
                    "t": "BrokerRegistrationChange",
                    "v": version,
                    "fenced": only["fenced"],
                    "ics": only["inControlledShutdown"],
                    "dirs": 0,
                }
            )
    return told


def _ask_heartbeat(line: Mapping[str, Any]) -> Question:
    fenced, others_fenced = line["st"].startswith("FENCED"), line["otherMin"] == -1
    cells = _partition({"E": 0, "min": 1, **line})
    for broker in (1, 2, 3):
        cells[_at(k.registered, broker)] = True
        cells[_at(k.epoch, broker)] = _EPOCH
    cells |= {
        _cell(k.log_end): 69,
        _at(k.fenced, 1): fenced,
        _at(k.soft_fenced, 1): fenced,
        _at(k.ics, 1): line["st"] == "CS" or line["st"].endswith("_ICS"),
        _at(k.shutdown_offset, 1): line["csOff"],
        _at(k.registration_offset, 1): line["regOff"],
    }
    for broker, more in ((2, 0), (3, 5)):
        cells[_at(k.fenced, broker)] = cells[_at(k.soft_fenced, broker)] = others_fenced
        cells[_at(k.reported, broker)] = -1 if others_fenced else line["otherMin"] + more
    binding = {
        _PARAM["b"]: 1,
        _PARAM["broker_epoch"]: _EPOCH,
        _PARAM["off"]: line["off"],
        _PARAM["want_fence"]: line["wantFence"],
        _PARAM["want_down"]: line["wantShutDown"],
    }
    return Question("Heartbeat", binding, cells, _world({1, 2, 3}, line))


def _tell_heartbeat(line: Mapping[str, Any], execution: Execution, evaluation: Evaluation) -> Mapping[str, Any]:
    reply = _replies(execution, evaluation, evaluation.world)
    return {
        "cur": reply["current"].value,
        "next": execution.answer.value,
        "caughtUp": reply["caught_up"],
        "fenced": reply["fenced"],
        "ics": reply["in_controlled_shutdown"],
        "shutDown": reply["shut_down"],
        "csOffAfter": reply["shutdown_offset"],
        "atomic": reply["atomic"],
        "recs": _records(execution, evaluation),
    }


BROKER_HEARTBEAT = Kind(
    "broker-heartbeat",
    KRAFT,
    _ask_heartbeat,
    _tell_heartbeat,
    same=lambda name, kafka, tables: _same_records(kafka, tables) if name == "recs" else bool(kafka == tables),
)


def _same_records(kafka: Any, tables: Any) -> bool:
    return len(kafka) == len(tables) and all(map(_same_change, kafka, tables))


# -- alter-partition ---------------------------------------------------------------------------------------------------
_ALTER = next(event for event in KRAFT.events if event.name == "AlterPartition")
_REQUESTED = {var.name: var for var in _ALTER.params}
_OTHER_PARTITION, _OTHER_TOPIC = "other p", "other t"


def _ask_alter(line: Mapping[str, Any]) -> Question:
    cells = _partition(line)
    for broker, (state, epoch) in enumerate(line["brokers"], 1):
        if state != "UNREGISTERED":
            cells[_at(k.registered, broker)] = True
            cells[_at(k.epoch, broker)] = epoch
            cells[_at(k.fenced, broker)] = state == "FENCED"
            cells[_at(k.ics, broker)] = state == "ICS"
    known = line["topicKnown"] and line["p"] == 0
    about = _PARTITION if known else _OTHER_PARTITION
    cells |= {
        _at(k.unclean, _TOPIC): line["unclean"],
        _at(k.leader_epoch, _PARTITION): line["le"],
        _at(k.partition_epoch, _PARTITION): line["pe"],
        _at(k.topic, _OTHER_PARTITION): _TOPIC if line["topicKnown"] else _OTHER_TOPIC,
        _at(k.sent, _REQUEST): True,
        _at(k.from_, _REQUEST): line["from"],
        _at(k.from_epoch, _REQUEST): line["fromEpoch"],
        _at(k.about, _REQUEST): about,
        _at(k.from_leader_epoch, _REQUEST): line["rle"],
        _at(k.from_partition_epoch, _REQUEST): line["rpe"],
        _at(k.wanted, _REQUEST): tuple(line["newIsr"]),
        _at(k.wanted_recovery, _REQUEST): k.Recovery(line["rrec"]),
    }
    for member, epoch in zip(line["newIsr"], line["newIsrEpochs"], strict=True):
        cells[_at2(k.member_epoch, _REQUEST, member)] = epoch
    binding = {_REQUESTED["m"]: _REQUEST, _REQUESTED["b"]: line["from"], _REQUESTED["p"]: about}
    brokers = {*range(1, len(line["brokers"]) + 1), *line["rep"], *line["newIsr"], line["from"]}
    world = _world(brokers, line)
    return Question(
        "AlterPartition",
        binding,
        cells,
        World({**world.entities, "Partition": (_PARTITION, _OTHER_PARTITION), "Topic": (_TOPIC, _OTHER_TOPIC)}, {}),
    )


def _tell_alter(line: Mapping[str, Any], execution: Execution, evaluation: Evaluation) -> Mapping[str, Any]:
    reply = _replies(execution, evaluation, evaluation.world)
    if reply["whole_request"]:
        return {"topError": execution.answer.name}
    told: dict[str, Any] = {"error": execution.answer.name, "recs": _records(execution, evaluation)}
    if told["error"] == "NONE":
        leader = reply["leader"]
        told |= {
            "ld": -1 if leader is None else leader,
            "le": reply["leader_epoch"],
            "isr": list(reply["isr"]),
            "rec": reply["recovery"].value,
            "pe": reply["partition_epoch"],
        }
    return told


ALTER_PARTITION = Kind(
    "alter-partition",
    KRAFT,
    _ask_alter,
    _tell_alter,
    same=lambda name, kafka, tables: _same_records(kafka, tables) if name == "recs" else bool(kafka == tables),
)
KINDS: dict[str, Kind] = {one.name: one for one in (PARTITION_CHANGE_BUILDER, BROKER_HEARTBEAT, ALTER_PARTITION)}
