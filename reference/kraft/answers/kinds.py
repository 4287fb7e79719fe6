"""The reference's answer to a recorded line of any kind; here those about partitions and heartbeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.kraft.controller.partition_change_builder import Election, PartitionChangeBuilder
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.messages import (
    AlterPartitionData,
    AlterPartitionRequest,
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
)
from fencepost.reference.kraft.records import UNASSIGNED_DIRECTORY

from . import registrations, requests, security
from .situation import TOPIC, Line, Situation, change_told, registration, told


def answer(kind: str, line: Line) -> dict[str, Any] | None:
    """Return the reference's answer to a recorded question, None where it has none for this kind."""
    asked = KINDS.get(kind)
    return asked(line) if asked is not None else None


# -- partition-change-builder ------------------------------------------------------------------------------------------
def _partition_change_builder(line: Line) -> dict[str, Any]:
    acceptable = frozenset(line["acc"])
    builder = PartitionChangeBuilder(
        registration(line),
        TOPIC,
        0,
        acceptable.__contains__,
        LEVELS[line["mv"]],
        line["min"],
        line["E"] == 1,
        lambda broker: UNASSIGNED_DIRECTORY,
    )
    builder.election = Election(line["el"])
    builder.target_isr = tuple(line.get("tIsr", builder.target_isr))
    builder.target_replicas = tuple(line.get("tRep", builder.target_replicas))
    builder.target_removing = tuple(line.get("tRem", builder.target_removing))
    builder.target_adding = tuple(line.get("tAdd", builder.target_adding))
    builder.target_recovery = line.get("tRec", builder.target_recovery)
    builder.unclean_shutdown_replicas = tuple(line.get("un", ()))
    built = builder.build()
    return {"out": None} if built is None else change_told(built)


# -- alter-partition ---------------------------------------------------------------------------------------------------
def _alter_partition(line: Line) -> dict[str, Any]:
    situation = Situation(line)
    for broker, (state, epoch) in enumerate(line["brokers"], 1):
        if state != "UNREGISTERED":
            situation.broker(broker, epoch, state == "FENCED", state == "ICS")
    situation.topic(line, leader_epoch=line["le"], partition_epoch=line["pe"])
    epochs = line.get("newIsrEpochs") or [-1] * len(line["newIsr"])
    data = AlterPartitionData(
        topic_id=TOPIC if line["topicKnown"] else UNASSIGNED_DIRECTORY,
        partition=line["p"],
        leader_epoch=line["rle"],
        partition_epoch=line["rpe"],
        new_isr=tuple(zip(line["newIsr"], epochs, strict=True)),
        leader_recovery_state=line["rrec"],
    )
    request = AlterPartitionRequest(
        broker_id=line["from"], broker_epoch=line["fromEpoch"], partitions=(data,), version=line["rv"]
    )
    try:
        result = situation.replication.alter_partition(request)
    except ApiError as error:
        return {"topError": error.error.name}
    [answered] = result.response
    answers: dict[str, Any] = {"error": answered.error.name, "recs": [told(record) for record in result.records]}
    if answered.error is Errors.NONE:
        answers |= {
            "ld": answered.leader,
            "le": answered.leader_epoch,
            "isr": list(answered.isr),
            "rec": answered.leader_recovery_state,
            "pe": answered.partition_epoch,
        }
    return answers


# -- broker-heartbeat --------------------------------------------------------------------------------------------------
_EPOCH, _END_OF_RESULT = 7, 70
"""The epoch of all brokers, and the offset of the last record of every result, in the recorded heartbeats."""


def _broker_heartbeat(line: Line) -> dict[str, Any]:
    situation, others = Situation(line), line["otherMin"]
    fenced, marked = line["st"].startswith("FENCED"), line["st"] == "CS" or line["st"].endswith("_ICS")
    situation.broker(1, _EPOCH, fenced, marked, line["regOff"])
    for broker in (2, 3):
        situation.broker(broker, _EPOCH, others == -1, False)
    situation.topic(line)
    heartbeats = situation.cluster.active_heartbeats()
    if line["csOff"] != -1:
        heartbeats.begin_controlled_shutdown(1, line["csOff"])
    for broker, more in ((2, 0), (3, 5)):
        heartbeats.touch(broker, others == -1, -1 if others == -1 else others + more)
    current = heartbeats.current_state(1)
    request = BrokerHeartbeatRequest(
        broker_id=1,
        broker_epoch=_EPOCH,
        current_metadata_offset=line["off"],
        want_fence=line["wantFence"],
        want_shut_down=line["wantShutDown"],
    )
    result = situation.replication.process_heartbeat(request, line["regOff"])
    for record in result.records:
        replayer = situation.replication if record.type == "PARTITION_CHANGE_RECORD" else None
        if replayer is not None:
            replayer.replay(record)
        else:
            situation.cluster.replay(record, _END_OF_RESULT)
    reply = result.response
    if reply.in_controlled_shutdown:
        heartbeats.begin_controlled_shutdown(1, _END_OF_RESULT)
    return {
        "cur": current.value,
        "next": _next(reply),
        "caughtUp": reply.is_caught_up,
        "fenced": reply.is_fenced,
        "ics": reply.in_controlled_shutdown,
        "shutDown": reply.should_shut_down,
        "csOffAfter": heartbeats.controlled_shutdown_offset(1),
        "atomic": result.atomic,
        "recs": [told(record) for record in result.records],
    }


def _next(reply: BrokerHeartbeatResponse) -> str:
    if reply.should_shut_down:
        return "SHUTDOWN_NOW"
    if reply.in_controlled_shutdown:
        return "CONTROLLED_SHUTDOWN"
    return "FENCED" if reply.is_fenced else "UNFENCED"


KINDS: dict[str, Callable[[Line], dict[str, Any]]] = {
    "partition-change-builder": _partition_change_builder,
    "alter-partition": _alter_partition,
    "broker-heartbeat": _broker_heartbeat,
    **registrations.KINDS,
    **requests.KINDS,
    **security.KINDS,
}
"""The function that answers each kind of question."""
