"""Scenarios that begin with a log: what is predicted is what the recording then shows."""

import os
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.lockstep import LockStep
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.lockstep.leader_logs import after_replay
from fencepost.checkers.operations.moments import When
from fencepost.checkers.scenarios.loading import load
from fencepost.checkers.scenarios.outlook import outlooks
from fencepost.checkers.scenarios.parsing import steps_of
from fencepost.checkers.scenarios.running import Scenario, run
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import find_log, read_log
from tests.conformance.alter import without_batch

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
BESIDE = Path(os.environ.get("FENCEPOST_RECORDED") or RECORDED.parents[2] / "shared" / "recorded") / "kraft"
"""Where further recordings are."""

PREDICTED = {
    # The session of its brokers took 3 s.
    "rolling-restart": (
        42,
        (
            ("stop 1", 53), ("start 1", 70), ("stop 2", 82), ("start 2", 102), ("elect preferred all", 105),
            ("stop 3", 116), ("start 3", 134), ("stop 4", 145), ("start 4", 162),
        ),
    ),
    "min-isr-while-isr-empty-4.4.0": (
        64,
        (
            ("stop 0", 70), ("stop 1", 82), ("config topic x min.insync.replicas=2", 98),
            ("config topic one min.insync.replicas=1000", 101), ("start 0", 134), ("start 1", 159), ("kill 0", 197),
            ("stop 1", 209), ("config brokers min.insync.replicas=2", 222),
        ),
    ),
    "jbod-disk-swap": (
        111,
        (
            ("stop 1", 129),
            ("start 1 directories GkWbiz1L2jEYjSwmEHkMbA,v1lFeC21qFrG6DV6ZYfZng,hIvbGUmoEvkcgvyDAS39gA", 195),
            ("kill 2", 229),
        ),
    ),
}  # fmt: skip
"""Recordings, each with the offset to begin at, and steps with the offset up to which the recording shows them."""

SETTINGS = {"broker.session.timeout.ms": "3000"}


def state(scenario: Scenario) -> dict[str, Any]:
    """Return what a cluster has of each partition: the order of an ISR is that in which followers were fastest."""
    return {
        one.partition: (one.leader, *(tuple(sorted(each)) for each in (one.isr, one.elr, one.last_known_elr,
                        one.replicas, one.adding, one.removing)), one.recovery)
        for one in outlooks(scenario.machine.controller.managers)
    }  # fmt: skip


def at(path: Path, offset: int) -> Scenario:
    """Return a scenario that begins at an offset of a log."""
    return load(find_log(str(path)), When(str(offset), offset=offset), SETTINGS)


@pytest.mark.parametrize("name", PREDICTED)
def test_a_prediction_is_what_the_recording_then_shows(name: str) -> None:
    """After each step the partitions are those of the recording at its offset, and the tables explain all of it."""
    path = next((folder / name for folder in (RECORDED, BESIDE) if (folder / name).is_dir()), None)
    if path is None:
        pytest.skip(f"{name} is not there: FENCEPOST_RECORDED names the folder of further recordings")
    begin, steps = PREDICTED[name]
    scenario = at(path, begin)
    for text, offset in steps:
        for step in steps_of(text, name):
            done = scenario.do(step)
            assert [one.differs or one.unexplained for one in done.operations] == [""] * len(done.operations), text
        assert state(scenario) == state(at(path, offset)), text
    assert scenario.machine.differs == []


def test_another_step_is_another_state() -> None:
    """A stop of another broker than the recorded one does not lead to the state that is recorded."""
    path = RECORDED / "rolling-restart"
    scenario = at(path, 42)
    for step in steps_of("stop 2", "s"):
        scenario.do(step)
    assert state(scenario) != state(at(path, 53))


@pytest.mark.representative("suspects-4.4.0", "upgrade-3.9-to-4.4")
@pytest.mark.parametrize("name", ["snapshots", "fake-chaos-elr", "upgrade-3.9-to-4.4", "suspects-4.4.0"])
def test_the_state_of_a_log_is_the_same_for_reference_and_tables(name: str) -> None:
    """From the end of a log brokers start, stop and are killed, and reference and tables agree in each operation."""
    scenario = load(find_log(str(RECORDED / name)), When("end"), {})
    brokers = scenario.brokers.known.values()
    down = ",".join(str(one.id) for one in brokers if not one.runs)
    one = next(iter(scenario.brokers.known))
    steps = steps_of(f"start {down}\nstop {one}\nstart {one}\nkill {one}\nelect preferred all\nwait 1m", name)
    report = run(steps, name, None, scenario)
    assert report.code is ExitCode.AS_DECLARED, [each.differs or each.unexplained for _, each in report.operations]
    assert report.begins is not None
    assert report.counts["records"] > 0


@pytest.mark.parametrize("name", ["delete-recreate", "fake-chaos-elr"])
def test_a_deletion_is_replayed_among_the_partitions_of_its_topic(name: str) -> None:
    """The tables that are loaded from a log with deletions are those of replaying each record among all partitions."""
    records = [one for batch in read_log(RECORDED / name).batches for one in batch.metadata_records]
    assert any(one.type == "REMOVE_TOPIC_RECORD" for one in records)
    loaded = LockStep(KRAFT)
    loaded.load(3000, 1, records)
    plain = ControllerState(loaded.shape)
    for one in records:
        bound = loaded.wire.bind(one)
        if bound is not None:
            plain.at_offset(one.offset)
            after_replay(plain, one.offset, bound, loaded.rows.replay(bound, plain))
    assert loaded.logs[1].controller.cells.tables == plain.cells.tables
    assert loaded.logs[1].controller.domains == plain.domains


def test_what_no_log_shows_is_said() -> None:
    """The report names the brokers that are assumed to run, and those that are not."""
    report = run(steps_of("stop 2", "s"), "s", None, at(RECORDED / "rolling-restart", 60))
    assert report.assumed[0].startswith("unfenced brokers (2, 3, 4) run")
    assert "fenced ones (1) do not run" in report.assumed[0]
    assert report.begins is not None
    assert report.begins["offset"] == 60


def test_a_state_that_is_not_known_is_refused(tmp_path: Path) -> None:
    """A log with a gap ends with 3, an offset behind its end with 2."""
    gap = without_batch(read_log(RECORDED / "first-boot"), 40, tmp_path)
    with pytest.raises(Refusal, match="the state is not known: the records at offsets") as refused:
        load(find_log(str(gap)), When("end"), {})
    assert refused.value.code is ExitCode.INCONCLUSIVE
    with pytest.raises(Refusal, match="offset 100000 is behind the log's end"):
        at(RECORDED / "first-boot", 100_000)


def test_the_cluster_of_a_log_is_not_formatted_again() -> None:
    """A step that formats a cluster is refused where a log says what it is."""
    with pytest.raises(Refusal, match="the cluster is that of the log"):
        run(steps_of("cluster elr on", "s"), "s", None, at(RECORDED / "rolling-restart", 60))


def test_a_log_that_was_copied_while_it_was_written_is_used(tmp_path: Path) -> None:
    """What is in front of a batch that the file ends in counts, and the report says so; what is lost before is not."""
    name = "00000000000000000000.log"
    data = (RECORDED / "first-boot" / name).read_bytes()
    (tmp_path / name).write_bytes(data[:-10])
    scenario = load(find_log(str(tmp_path)), When("end"), {})
    whole = load(find_log(str(RECORDED / "first-boot")), When("end"), {})
    assert scenario.begins is not None
    assert whole.begins is not None
    assert 0 < scenario.begins["offset"] < whole.begins["offset"]
    assert "ends inside a batch: what is in front of it counts" in scenario.assumed[0]
    middle = len(data) // 2
    (tmp_path / name).write_bytes(data[:middle] + bytes((data[middle] ^ 1,)) + data[middle + 1 :])
    with pytest.raises(Refusal, match="cannot be read") as refused:
        load(find_log(str(tmp_path)), When("end"), {})
    assert refused.value.code is ExitCode.INCONCLUSIVE
    assert at(tmp_path, 20).begins == {**(at(RECORDED / "first-boot", 20).begins or {}), "path": str(tmp_path)}


def test_a_snapshot_alone_is_a_beginning(tmp_path: Path) -> None:
    """Of a folder with nothing but snapshots the newest one is the state."""
    for number in ("00000000000000000086-0000000001", "00000000000000001673-0000000002"):
        name = f"{number}.checkpoint"
        (tmp_path / name).write_bytes((RECORDED / "snapshots" / name).read_bytes())
    scenario = load(find_log(str(tmp_path)), When("end"), {})
    assert scenario.begins is not None
    assert scenario.begins["offset"] == 1672
    assert scenario.begins["partitions"] == 262
    assert "the state is that of the snapshot" in scenario.assumed[0]
