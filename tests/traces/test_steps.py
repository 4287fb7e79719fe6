"""Steps as values and as lines: what is written is read back, and request lines are an event trace."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import TraceError
from fencepost.traces import events as trace
from fencepost.traces.event_files import read_events
from fencepost.traces.events import columns_of, event_of
from fencepost.traces.steps import (
    CLAIM,
    CONTACT,
    BrokerState,
    Step,
    WrittenRecord,
    columns_of_step,
    read_steps,
    step_line,
    write_steps,
)
from tests.cases import each

COMMON: dict[str, Any] = {"line": 1, "t_ms": 5, "log_end": 7, "error": "NONE"}
ENTRY = trace.AclEntry(
    resource_type=2, resource_name="a", pattern_type=3, principal="User:u", host="*", operation=3, permission_type=3
)
EVENTS: list[trace.Event] = [
    trace.BrokerRegistration(
        **COMMON, broker=1, incarnation="i", previous_epoch=-1, directories=("d", "e"), broker_epoch=7,
        features=(("metadata.version", 7, 33),), same_cluster=False, tells_previous_epoch=True, migrates=False,
    ),
    trace.BrokerHeartbeat(
        **COMMON, broker=1, broker_epoch=7, offset=6, want_fence=False, want_shut_down=True, offline_directories=("d",),
        cordoned_directories=(), is_caught_up=True, is_fenced=False, should_shut_down=False,
    ),
    trace.AlterPartition(
        **COMMON, broker=1, broker_epoch=7, answers=("NONE",),
        partitions=(
            trace.Proposal(
                topic="t", partition=0, leader_epoch=1, partition_epoch=2, isr=(1, 2), epochs=(7, -1), recovery=0
            ),
        ),
    ),
    trace.AlterPartitionReassignments(**COMMON, name="a", partition=1, replicas=None, answers=("NONE",)),
    trace.AlterPartitionReassignments(**COMMON, name="a", partition=1, replicas=(1, 2), answers=("NONE",)),
    trace.CreateTopics(**COMMON, name="a", partitions=1, replication=2, configs=(("k", "a, b=c"),)),
    trace.CreateTopics(**COMMON, name="a", partitions=-1, replication=-1, assignment=((1, 2), (2, 1)), configs=()),
    trace.CreatePartitions(**COMMON, name="a", count=3, assignment=((1,),)),
    trace.DeleteTopics(**COMMON, name="", topic_id="t"),
    trace.ElectLeaders(**COMMON, type="PREFERRED", partitions=(("a-b", 0), ("c", 11)), answers=("NONE", "NONE")),
    trace.ElectLeaders(**COMMON, type="UNCLEAN", partitions=None, answers=()),
    trace.IncrementalAlterConfigs(**COMMON, type="TOPIC", name="a", key="k", value=None, validate_only=True),
    trace.LegacyAlterConfigs(**COMMON, type="BROKER", name="", configs=(("k", "v"),)),
    trace.AssignReplicasToDirs(
        **COMMON, broker=1, broker_epoch=7, directories=(trace.Assigned("d", "t", 3),), answers=("NONE",)
    ),
    trace.AllocateProducerIds(**COMMON, broker=1, broker_epoch=7, start=0, length=1000),
    trace.UnregisterBroker(**COMMON, broker=1),
    trace.UpdateFeatures(**COMMON, updates=(("metadata.version", 20, 1),)),
    trace.ControllerRegistration(**COMMON, controller=3000, incarnation="i", features=(("kraft.version", 0, 1),)),
    trace.UnregisterController(**COMMON, controller=3000),
    trace.CreateAcls(**COMMON, acls=(ENTRY, replace(ENTRY, host="h")), answers=("NONE", "INVALID_REQUEST")),
    trace.DeleteAcls(
        **COMMON, filters=(replace(ENTRY, resource_name=None, principal=None, host=None),), answers=("NONE",),
        deleted=(2,),
    ),
    trace.AlterUserScramCredentials(
        **COMMON, deletions=(("u", 1),), upsertions=(("v", 2, 4096), ("w", 1, 1)),
        answers=(("u", "NONE"), ("v", "NONE")),
    ),
    trace.CreateDelegationToken(
        **COMMON, by="User:u", owner="User:v", renewers=("User:w",), token="t", expires=5, latest=9
    ),
    trace.RenewDelegationToken(**COMMON, by="User:u", token="t", expires=7),
    trace.ExpireDelegationToken(**COMMON, by="User:u", token="", expires=0, at_once=True),
    trace.AlterClientQuotas(
        **COMMON, answers=("NONE",), alterations=(
            trace.QuotaAlteration(entity=(("user", None), ("client-id", "c")), changes=(("k", "1.5"), ("l", None))),
        ),
    ),
    trace.OtherRequest(**COMMON, name="CreateTopics*", columns={"asked": "several"}),
]  # fmt: skip
SOFT = (BrokerState(1, False, -1, 6, "recent", 5), BrokerState(2, True, -1, -1, "nothing", 6))


def test_every_kind_of_request_is_tried() -> None:
    """No kind of request is left out of what follows."""
    assert {type(event) for event in EVENTS} == {*trace.KINDS.values(), trace.OtherRequest}


@each("event", EVENTS, ids=lambda event: event.request)
def test_a_request_is_read_back_from_its_columns(event: trace.Event) -> None:
    """The columns of an event are JSON, and the event of these columns is the same."""
    columns = json.loads(json.dumps(columns_of(event)))
    assert event_of(columns, 1, "here") == event


def some() -> list[Step]:
    """A claim, a contact, a task, and a request of every kind."""
    common: dict[str, Any] = {"node": 3000, "epoch": 2}
    record = WrittenRecord("NO_OP_RECORD", 0, {})
    steps = [
        Step(time_ns=1, name=CLAIM, base_offset=4, last_epoch=1, snapshot=2, soft=(), **common),
        Step(time_ns=2, name=CONTACT, base_offset=5, contact=(1, 7), soft=SOFT, **common),
        Step(time_ns=3, name="writeNoOpRecord", base_offset=5, records=(record,), soft=SOFT, stable=5, **common),
        Step(time_ns=4, name="electUnclean", base_offset=6, fault="RuntimeException: x", **common),
    ]
    steps += [
        Step(time_ns=5, name=event.request, base_offset=7, request=event, soft=SOFT, stable=6, **common)
        for event in EVENTS
    ]
    return steps


@pytest.mark.parametrize("name", ["steps.ndjson", "steps.ndjson.gz"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    """Steps come back as they were, but for the lines of their requests; twice written they are the same bytes."""
    first, second = tmp_path / name, tmp_path / f"again-{name}"
    write_steps(first, some())
    write_steps(second, some())
    assert first.read_bytes() == second.read_bytes()
    found = list(read_steps(first))
    assert list(map(columns_of_step, found)) == list(map(columns_of_step, some()))
    assert [one.request.line for one in found if one.request is not None] == list(range(5, 5 + len(EVENTS)))


def test_the_requests_among_steps_are_an_event_trace(tmp_path: Path) -> None:
    """A reader of event traces sees the requests, with their lines, and passes over everything else."""
    file = tmp_path / "steps.ndjson"
    write_steps(file, some())
    found = list(read_events(file))
    assert [(event.line, event.request) for event in found] == [(n, e.request) for n, e in enumerate(EVENTS, 5)]
    assert [columns_of(event) for event in found if not isinstance(event, trace.OtherRequest)] == [
        columns_of(event) for event in EVENTS if not isinstance(event, trace.OtherRequest)
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"v": 9}, "steps of version 9"),
        ({"base": "x"}, "is no step"),
        ({"soft": [[1, 2, 3]]}, "is no step"),
        ({"soft": [[1, False, -1, 6, "perhaps", 5]]}, "is no step"),
        ({"records": [["NO_OP_RECORD"]]}, "is no step"),
    ],
)
def test_what_is_no_step_is_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    """The refusal names file and line."""
    columns = columns_of_step(some()[2]) | change
    file = tmp_path / "steps.ndjson"
    file.write_text(step_line(some()[0]) + json.dumps(columns) + "\n", encoding="utf-8")
    with pytest.raises(TraceError, match=f"steps.ndjson:2: .*{told}"):
        list(read_steps(file))
