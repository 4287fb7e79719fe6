"""What the adapters of recorded answers share: cells by recorded names, and records as the recordings write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.language import Execution, Map, Map2, Protocol, RecordValue, Term, World
from fencepost.model.language.interpreter import CellKey, Evaluation
from fencepost.model.language.tables import Event
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import free

PARTITION, TOPIC, REQUEST = "p", "t", "m"
"""The one partition, the one topic and the one request that a recorded line is about."""


def at(variable: Map[Any, Any], key: Any) -> CellKey:
    """Return the cell of a variable with one key."""
    return variable.state, (key,)


def at2(variable: Map2[Any, Any, Any], one: Any, two: Any) -> CellKey:
    """Return the cell of a variable with two keys."""
    return variable.state, (one, two)


def cell(variable: Term[Any]) -> CellKey:
    """Return the cell of a variable without keys."""
    assert isinstance(variable, Get)
    return variable.state, ()


def known(constant: Term[Any]) -> Any:
    """Return a constant's value on the wire."""
    assert isinstance(constant, Get)
    return constant.state.known


_CONSTANTS = (
    k.unassigned,
    k.migrating,
    k.lost_directory,
    k.metadata_version,
    k.elr_version,
    k.kraft_version,
    k.min_insync_key,
)
COLUMNS = frozenset(["mv", "E", "min", "rep", "isr", "elr", "last", "rem", "add", "ld", "rec"])
"""The columns of the one partition, and of what the cluster has finalized."""

TRUTH = (False, True)
"""The values of a column that is true or false."""

ASKED_CONTROLLER = "3000"
"""The node id of the controller that Kafka's classes are asked as."""

CONSTANTS: dict[CellKey, Any] = {
    **{cell(one): known(one) for one in _CONSTANTS},
    cell(k.active_controller): ASKED_CONTROLLER,
    cell(k.kraft_level): 0,
}
"""The constants of the tables, each with its value on the wire, the controller that is asked, and Raft's level of
kraft.version unless told."""

RESERVED = (known(k.unassigned), known(k.migrating), known(k.lost_directory))
FEATURES = (known(k.metadata_version), known(k.elr_version))


def world(brokers: Iterable[int], **more: tuple[Any, ...]) -> World:
    """Return the entities that a line speaks of: these brokers, one partition, and `more` of other sorts."""
    entities: dict[str, tuple[Any, ...]] = {
        "Broker": tuple(sorted({b for b in brokers if b >= 0})),
        "Partition": (PARTITION,),
        "Topic": (TOPIC,),
        "Request": (REQUEST,),
        "Directory": RESERVED,
        "Feature": FEATURES,
        "Setting": (),
        "Name": (),
        "Range": (),
        "Node": (),
        "Incarnation": (),
    }
    return World(entities | more, {})


def event_named(protocol: Protocol, name: str) -> Event:
    """Return the event of a protocol that has this name; raises `StopIteration` where there is none."""
    return next(event for event in protocol.events if event.name == name)


def partition(line: Mapping[str, Any]) -> dict[CellKey, Any]:
    """Return the cells of the one partition and of what the cluster has finalized."""
    leader, elr = line["ld"], line.get("elr", [])
    cells = CONSTANTS | {
        cell(k.mv): METADATA_VERSION_LEVELS[line["mv"]],
        cell(k.elr_level): line["E"],
        at(k.live, TOPIC): True,
        at(k.exists_, PARTITION): True,
        at(k.topic, PARTITION): TOPIC,
        at(k.index, PARTITION): 0,
        at(k.min_insync, TOPIC): line["min"],
        at(k.replication, TOPIC): line["min"],
        at(k.replicas, PARTITION): tuple(line["rep"]),
        at(k.isr, PARTITION): tuple(line["isr"]),
        at(k.elr, PARTITION): frozenset(elr),
        at(k.elr_disordered, PARTITION): elr != sorted(elr),
        at(k.last_known, PARTITION): tuple(line.get("last", ())),
        at(k.removing, PARTITION): frozenset(line.get("rem", ())),
        at(k.adding, PARTITION): frozenset(line.get("add", ())),
        at(k.leader, PARTITION): None if leader == -1 else leader,
        at(k.recovery, PARTITION): k.Recovery(line.get("rec", 0)),
    }
    cells |= {at2(k.location, PARTITION, replica): known(k.unassigned) for replica in line["rep"]}
    return cells | {at2(k.elr_index, PARTITION, member): 1 for member in elr}


# -- what the rows write and answer, as the recordings say it ----------------------------------------------------------
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


def version(record: RecordValue, evaluation: Evaluation) -> int:
    """Return the version in which a record is written."""
    assert record.record.version is not None
    return int(evaluation.value(record.record.version, {}))


def partition_change(record: RecordValue, evaluation: Evaluation) -> dict[str, Any]:
    """Return a change of a partition by the recorded names."""
    told: dict[str, Any] = {"v": version(record, evaluation)}
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


def _registration(record: RecordValue, evaluation: Evaluation) -> dict[str, Any]:
    said = record.fields
    return {
        "t": "RegisterBroker",
        "v": version(record, evaluation),
        "epoch": said["epoch"],
        "fenced": said["fenced"],
        "ics": said["ics"],
        "dirs": len(said["directories"]),
    }


def _registration_change(record: RecordValue, evaluation: Evaluation) -> dict[str, Any]:
    only = record.record.only
    return {
        "t": "BrokerRegistrationChange",
        "v": version(record, evaluation),
        "fenced": only["fenced"],
        "ics": only["inControlledShutdown"],
        "dirs": len(record.fields.get("directories", ())),
    }


def _producer_ids(record: RecordValue, evaluation: Evaluation) -> dict[str, Any]:
    said = record.fields
    return {
        "t": "ProducerIds",
        "v": version(record, evaluation),
        "broker": said["broker"],
        "epoch": said["epoch"],
        "next": str(said["next"]),
    }


_TOLD = {
    "PARTITION_CHANGE_RECORD": lambda record, evaluation: {
        "t": "PartitionChange",
        "p": 0,
        **partition_change(record, evaluation),
    },
    "REGISTER_BROKER_RECORD": _registration,
    "BROKER_REGISTRATION_CHANGE_RECORD": _registration_change,
    "PRODUCER_IDS_RECORD": _producer_ids,
}


def records(execution: Execution, evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the records of a row in their order, by the recorded names."""
    return [_TOLD[one.record.type](one, evaluation) for group in execution.records for one in group]


def replies(execution: Execution, evaluation: Evaluation) -> dict[str, Any]:
    """Return what the event's declaration says of the answer, evaluated before and after the row."""
    around = Evaluation(evaluation.world, execution.before, after=execution.after)
    found = {}
    for name, term in execution.row.event.reply.items():
        answer = {var: execution.answer for var in free(term) if var.name == "answer"}
        found[name] = around.value(term, {**execution.binding, **answer})
    return found


# -- what counts as the same -------------------------------------------------------------------------------------------
def same_field(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of a change: sets as sets; a last known leader of −1 is none, as in `model/kraft/records.py`."""
    if kafka is None or tables is None:
        return kafka is tables
    if name in ("elr", "rem", "add"):
        return sorted(kafka) == sorted(tables)
    if name == "last":
        return bool([x for x in kafka if x != -1] == tables)
    return bool(kafka == tables)


def _same_record(kafka: Any, tables: Any) -> bool:
    if not isinstance(kafka, dict) or not isinstance(tables, dict) or set(kafka) != set(tables):
        return False
    return all(same_field(name, kafka[name], tables[name]) for name in kafka)


def same(name: str, kafka: Any, tables: Any) -> bool:
    """Compare a field of an answer: `recs` record by record in their order, everything else as it is."""
    if name != "recs":
        return bool(kafka == tables)
    if not isinstance(kafka, list) or not isinstance(tables, list):
        return bool(kafka == tables)
    return len(kafka) == len(tables) and all(map(_same_record, kafka, tables))
