"""The switch to diskless storage in the reference: what Inkless's controller writes and refuses, its log, a loss."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Options
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Verdict
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.inkless import INKLESS, NEWEST, split
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.kraft.simulation.written import write_controllers
from fencepost.traces import Batch, encode_value, read_log
from fencepost.traces.codec import unknown_tags

from .bench import Bench

KEY = "diskless.enable"


def started(*repaired: str) -> tuple[Bench, str]:
    """Three brokers, and a topic on the first two."""
    bench = Bench(level=NEWEST, repaired=repaired, fork=INKLESS)
    bench.start(1, 2, 3)
    return bench, bench.create("t", [1, 2], min_isr="1")


def sealed(bench: Bench, topic: str, offset: int, **other: int) -> Errors:
    """Let the leader of the partition propose a seal, and return the answer."""
    now = bench.partition(topic)
    broker = other.get("broker", now.leader)
    seal = m.DisklessSeal(topic, 0, other.get("epoch", now.leader_epoch), offset, ((7, 0, 3, 4, offset - 1, 0),))
    epoch = bench.cluster.registrations[broker].epoch
    request = m.InitDisklessLogRequest(broker_id=broker, broker_epoch=epoch, seals=(seal,))
    [answer] = bench.apply(bench.replication.init_diskless_log(request))
    return answer.error


def test_a_switch_is_the_setting_and_a_mark_of_each_partition() -> None:
    """In one batch: the setting first, then a change of version 0 with the leader that there is, and tag 100."""
    bench, topic = started()
    before = bench.partition(topic)
    assert bench.configure("t", KEY, "true").error is Errors.NONE
    assert [one.type for one in bench.records] == ["CONFIG_RECORD", "PARTITION_CHANGE_RECORD"]
    plain, tags = split(bench.records[1].data)
    assert (bench.records[1].version, plain) == (0, {"partitionId": 0, "topicId": topic, "leader": 1})
    assert tags == [(100, (-2).to_bytes(8, signed=True))]
    after = bench.partition(topic)
    assert (after.leader, after.leader_epoch - before.leader_epoch) == (1, 1)


def test_a_seal_is_committed_for_the_leader_of_the_newest_epoch_once() -> None:
    """No Kafka field, tags 100 to 102; an older epoch, another broker, and a second seal are refused."""
    bench, topic = started()
    assert sealed(bench, topic, 5) is Errors.INVALID_REQUEST
    bench.configure("t", KEY, "true")
    assert sealed(bench, topic, 5, epoch=0) is Errors.FENCED_LEADER_EPOCH
    assert sealed(bench, topic, 5, epoch=9) is Errors.NOT_CONTROLLER
    assert sealed(bench, topic, 5, broker=2) is Errors.INVALID_REQUEST
    assert sealed(bench, topic, 5) is Errors.NONE
    plain, tags = split(bench.records[0].data)
    assert plain == {"partitionId": 0, "topicId": topic}
    assert [(tag, len(value)) for tag, value in tags] == [(100, 8), (101, 4 + 34), (102, 4)]
    assert sealed(bench, topic, 4) is Errors.INVALID_REQUEST


@pytest.mark.parametrize("legacy", [False, True])
def test_a_partition_that_is_not_whole_is_not_switched(legacy: bool) -> None:
    """By either kind of request: a replica that is out of sync, and an offline partition; nothing is written."""
    bench, topic = started()
    resource = m.ConfigResource(m.TOPIC_RESOURCE, "t")

    def switched() -> Errors:
        if not legacy:
            return bench.configure("t", KEY, "true").error
        request = m.LegacyAlterConfigsRequest(resources=((resource, (("min.insync.replicas", "1"), (KEY, "true"))),))
        [answer] = bench.apply(bench.configurations.legacy_alter(request))
        error: Errors = answer.error
        return error

    bench.fence(2)
    assert (switched(), bench.records) == (Errors.INVALID_CONFIG, ())
    bench.fence(1)
    assert (switched(), bench.records) == (Errors.INVALID_CONFIG, ())
    bench.heartbeat(1)
    bench.heartbeat(2)
    bench.apply(bench.replication.alter_partition_reassignments(_to("t", 1)))
    assert switched() is Errors.NONE
    assert bench.configure("t", KEY, "false").error is Errors.INVALID_CONFIG
    assert bench.partition(topic).switch


def _to(topic: str, *replicas: int) -> m.AlterPartitionReassignmentsRequest:
    return m.AlterPartitionReassignmentsRequest(partitions=(m.ReassignablePartition(topic, 0, replicas),))


@pytest.mark.parametrize("repaired", ["", "I8"])
def test_a_switched_partition_is_reassigned_at_once(repaired: str) -> None:
    """Inkless puts the new replica into the ISR at once, which has no classic record; repaired, it is being added."""
    bench, topic = started(repaired)
    bench.configure("t", KEY, "true")
    bench.apply(bench.replication.alter_partition_reassignments(_to("t", 3, 1)))
    found = bench.partition(topic)
    expected = ((3, 1, 2), (1, 2), (3,)) if repaired else ((3, 1), (3, 1), ())
    assert (found.replicas, found.isr, found.adding_replicas) == expected


def test_kafkas_controller_does_not_know_the_setting() -> None:
    """Without the fork the key is unknown."""
    bench = Bench()
    bench.start(1)
    bench.create("t", [1])
    assert bench.configure("t", KEY, "true").error is Errors.INVALID_CONFIG


@cache
def ran(seed: int, *repaired: str) -> tuple[Run, list[str]]:
    """Run the fork's reference, without faults; return what of it broke a promise, too."""
    settings = Settings(fork=INKLESS, repaired=frozenset(repaired))
    run = Run(Plan(seed=seed, seconds=300, faults="none", settings=settings))
    return run, [one.rule for one in run.execute().violations]


def test_a_log_of_the_reference_conforms_to_the_tables_of_inkless(tmp_path: Path) -> None:
    """With marks, seals and producers' states on the disk; with a mark that leaves the leader out it does not."""
    run, _ = ran(7)
    log = read_log(write_controllers(run.cluster, tmp_path)[3000])
    log = replace(log, batches=tuple(one for one in log.batches if one.last_offset < 200), snapshots=())
    tagged = [one for batch in log.batches for one in batch.metadata_records if one.raw is not None]
    found = {tuple(tag.tag for tag in unknown_tags(one.raw)) for one in tagged if one.raw is not None}
    assert {(100,), (100, 101, 102)} <= found
    judge = TermJudge(StaticSettings(), Options(PASSED_THROUGH, StaticSettings().given))
    result = judge.log(log)
    assert result.verdict is Verdict.CONFORMS
    assert result.rows["CM1"] > 0

    first = next(one.offset for one in tagged)
    altered = replace(log, batches=tuple(_without_leader(batch, first) for batch in log.batches))
    [doubt] = judge.log(altered).doubts[:1]
    assert f"no rule of the tables explains offset {first}" in doubt.message


def _without_leader(batch: Batch, offset: int) -> Batch:
    """Return a batch whose mark at an offset says no leader."""
    if not batch.base_offset <= offset <= batch.last_offset:
        return batch
    records = []
    for record in batch.metadata_records:
        if record.raw is not None and record.offset == offset:
            data = {name: value for name, value in record.data.items() if name != "leader"}
            tags = [(one.tag, (-2).to_bytes(8, signed=True)) for one in unknown_tags(record.raw)]
            record = replace(record, data=data, raw=encode_value(record.type, record.version, data, tags))
        records.append(record)
    return replace(batch, records=tuple(records))


def test_what_inkless_loses_by_a_reassignment_is_not_lost_with_the_repair() -> None:
    """I8: clients lose acknowledged records in the simulated cluster; staged reassignments lose none."""
    assert set(ran(7)[1]) == {"data loss"}
    assert ran(7, "I8")[1] == []


def test_a_plan_of_a_fork_is_repeated_by_its_command() -> None:
    """The command names the fork."""
    assert replace(ran(7)[0].plan).command().endswith("--faults none --fork inkless")
