"""What steps do: high words become what brokers send, every operation is evaluated by the tables."""

from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.lockstep import LockStep
from fencepost.checkers.scenarios import machine
from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.results import Report
from fencepost.checkers.scenarios.running import run
from fencepost.checkers.scenarios.writing import write
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft.storage.errors import StorageError

START = "brokers 1,2,3\ntopic t 1,2,3 min.insync.replicas=2\n"


def asked(text: str, **settings: str) -> Report:
    """Return the report of a scenario."""
    return run(checked(steps_of(text, "s")), "s", {name.replace("_", "."): value for name, value in settings.items()})


def kept(text: str) -> Report:
    """Return the report of a scenario whose steps are all explained and whose expectations hold."""
    report = asked(text)
    assert [(step.place, step.message) for step in report.steps if step.kept is False] == []
    assert report.code is ExitCode.AS_DECLARED
    return report


def kinds(report: Report, number: int) -> list[str]:
    """Return the operations of the step of a number, from 1, by Kafka's names."""
    return [one.kind for one in report.steps[number - 1].operations]


def test_a_stop_is_a_controlled_shutdown() -> None:
    """A stop is two heartbeats: the first moves the leaders away, the second comes when the others have read that."""
    report = kept(START + "stop 1\nexpect answer SHUTDOWN_NOW\nexpect t-0 leader 2 isr 2,3\nexpect broker 1 fenced")
    assert kinds(report, 3) == ["processBrokerHeartbeat"] * 2
    assert [one.rows for one in report.steps[2].operations] == [("HB6",), ("HB10",)]


def test_a_killed_broker_is_fenced_when_its_session_is_over() -> None:
    """A kill sends nothing: the periodic task fences the broker after the session, which takes 9 to 10.2 s."""
    report = kept(START + "kill 1\nexpect t-0 leader 2 isr 2,3\nexpect broker 1 fenced")
    (one,) = report.steps[2].operations
    assert one.kind == "maybeFenceStaleBroker"
    assert 9 < one.seconds <= 10.2
    report = asked(START + "kill 1", broker_session_timeout_ms="3000")
    assert 3 < report.steps[2].operations[0].seconds < 4


def test_brokers_that_die_together_are_fenced_one_by_one() -> None:
    """With two brokers killed at once the third leads, and both are eligible leader replicas no longer than allowed."""
    kept(START + "kill 1,2\nexpect t-0 leader 3 isr 3 elr 2\nexpect broker 1 fenced\nexpect broker 2 fenced")


def test_a_short_silence_changes_nothing() -> None:
    """A silence below the session timeout writes no record; a longer one fences, and the broker comes back."""
    kept(START + "silence 1 5s\nexpect records none\nexpect t-0 leader 1")
    kept(START + "silence 1 12s\nexpect broker 1 unfenced\nexpect t-0 leader 2 isr 2,3,1")


def test_a_started_broker_joins_the_isr_again() -> None:
    """After a start the replica is in the ISR, with `behind` it is not, and `catch-up` lets it join."""
    kept(START + "stop 1\nstart 1\nexpect t-0 leader 2 isr 2,3,1")
    kept(START + "stop 1\nstart 1 behind\nexpect t-0 isr 2,3\ncatch-up t-0\nexpect t-0 isr 2,3,1")


def test_a_stop_leaves_the_file_of_a_clean_shutdown() -> None:
    """After a stop the registration names the former epoch, after a kill and with an empty disk it does not."""
    for steps, words in {
        "stop 1\nstart 1": "after a clean shutdown",
        "stop 1\nstart 1 unclean": "without a clean shutdown",
        "stop 1\nstart 1 empty disk": "without a clean shutdown",
        "stop 1\nstart 1 new directory": "without a clean shutdown",
        "kill 1\nstart 1": "without a clean shutdown",
    }.items():
        report = kept(START + steps)
        registered = next(one for one in report.steps[3].operations if one.kind == "registerBroker")
        assert registered.asked.endswith(words), steps


def test_a_restart_waits_for_the_session_of_the_former_process() -> None:
    """A broker that starts right after its stop is refused as a duplicate for a session, as Kafka 4.4 has it."""
    report = kept(START + "stop 1\nstart 1")
    (note,) = report.steps[3].notes
    assert note.startswith("broker 1 is refused for 10 s: DUPLICATE_BROKER_REGISTRATION until the session")
    assert kept(START + "stop 1\nwait 10s\nstart 1").steps[4].notes == ()


def test_a_broker_of_several_directories_reports_its_replicas() -> None:
    """A topic on a broker with two directories is followed by its report, and a failed directory takes leaders away."""
    report = kept(
        "brokers 1 directories d1,d2\nbrokers 2\ntopic t 1,2/1,2\nexpect t-0 directories d1,d1\n"
        "expect t-1 directories d2,d1\nfail-directory 1 d2\nexpect t-0 leader 1\nexpect t-1 leader 2 isr 2\n"
        "expect broker 1 directories d1"
    )
    assert kinds(report, 3) == ["createTopics", "assignReplicasToDirs"]


def test_a_broker_halts_with_its_last_directory() -> None:
    """The failure of the only log directory ends the broker, which is fenced when its session is over."""
    kept(START + "fail-directory 1 d1\nexpect broker 1 fenced\nexpect t-0 leader 2")


def test_a_failover_forgets_what_no_record_says() -> None:
    """Another controller knows the shutdown of a broker, and not since when: the broker asks again and is let go."""
    report = kept(START + "heartbeat 1 want-shutdown\nexpect answer CONTROLLED_SHUTDOWN\ncontroller-failover\nstop 1")
    assert report.machine is not None
    assert report.machine.raft.epoch == 2


def test_time_brings_the_periodic_tasks() -> None:
    """After five minutes leaders are given back to preferred replicas, and not before."""
    steps = START + "stop 1\nstart 1\nwait 200s\nexpect t-0 leader 2\nwait 2m\nexpect t-0 leader 1"
    assert "electPreferred" in kinds(kept(steps), 7)
    kept(START + "stop 1\nstart 1\ntask balance\nexpect t-0 leader 1")


def test_reassignments_wait_for_what_is_copied() -> None:
    """A reassignment adds replicas, and is over when those have caught up."""
    kept(
        "brokers 1,2,3,4\ntopic t 1,2\nreassign t-0 3,4\nexpect t-0 adding 3,4 removing 1,2\ncatch-up t-0\n"
        "expect t-0 replicas 3,4 isr 3,4 adding none removing none leader 3"
    )


def test_answers_of_administrators_are_expected_by_name() -> None:
    """Errors are those of Kafka: a topic twice, an unknown topic, a broker that is not there, a cancel of nothing."""
    kept(
        START + "topic t 1\nexpect error TOPIC_ALREADY_EXISTS\nconfig topic u min.insync.replicas=2\n"
        "expect error UNKNOWN_TOPIC_OR_PARTITION\nunregister 9\nexpect error BROKER_ID_NOT_REGISTERED\ncancel t-0\n"
        "expect error NO_REASSIGNMENT_IN_PROGRESS\nelect preferred t-0\nexpect error ELECTION_NOT_NEEDED\n"
        "delete-topic t\nexpect ok\nexpect t-0 missing\nproducer-ids 1\nexpect ok\nadd-partitions t 1\n"
        "expect error UNKNOWN_TOPIC_OR_PARTITION"
    )


def test_levels_are_those_of_the_cluster() -> None:
    """A cluster of 3.9 has no eligible leader replicas, and features are expected by their levels."""
    kept("cluster metadata.version 3.9-IV0\nbrokers 1\nexpect feature eligible.leader.replicas.version 0")
    kept(
        "cluster metadata.version 4.0-IV1\nbrokers 1\nfeature metadata.version 4.4-IV2 upgrade\n"
        "expect feature metadata.version 4.4-IV2\nfeature eligible.leader.replicas.version 1 upgrade\nexpect ok"
    )


def test_a_step_that_no_row_explains_ends_with_7() -> None:
    """Several features at once are a request that the tables do not have: 7, unless the scenario expects it."""
    steps = (
        "cluster metadata.version 4.0-IV1\nbrokers 1\nfeature metadata.version 4.3-IV0 upgrade group.version 1 upgrade"
    )
    assert asked(steps).code is ExitCode.DIFFERS_FROM_BASELINE
    kept(steps + "\nexpect row none")
    assert asked(START + "stop 1\nexpect row none").code is ExitCode.VIOLATED


def test_tables_that_say_something_else_end_with_5(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a repaired row in the tables the reference does what they do not: the step is named, the code is 5."""
    repaired = next(one for one in FINDINGS if one.id == "D23").repair(KRAFT)
    monkeypatch.setattr(machine, "LockStep", lambda protocol, **more: LockStep(repaired, **more))
    report = asked(START + "stop 1\nwait 15s\nexpect t-0 leader 2")
    assert report.code is ExitCode.DISAGREEMENT
    (operation,) = [one for _, one in report.operations if one.differs]
    assert (operation.kind, report.steps[3].operations[0]) == ("maybeFenceStaleBroker", operation)
    assert "maybeFenceStaleBroker" in operation.differs


def test_findings_that_show_are_named() -> None:
    """The known defect of a row that was done is in the report, with the step that showed it first."""
    report = kept(START + "stop 1\nwait 15s\nexpect finding D23\nexpect row F2")
    assert [(one["finding"], one["place"], one["times"]) for one in report.findings()] == [("D23", "s:4", 1)]


def test_the_effect_compares_the_end_with_the_beginning() -> None:
    """What is offline or below the minimum at the end is named apart from what was so on the way."""
    report = kept(START + "topic one 1\nstop 1\nstop 2\nstart 1")
    effect = report.effect
    assert (effect.offline, effect.below_min_isr, effect.offline_on_the_way) == ((), (), ("one-0",))
    assert effect.below_min_isr_on_the_way == ("t-0",)
    report = kept(START + "topic one 1\nstop 1\nstop 2")
    assert (report.effect.offline, report.effect.below_min_isr) == (("one-0",), ("t-0",))
    assert report.answer == (
        "stop 1, stop 2 takes 1 partition offline: one-0 until broker 1 returns; "
        "leaves 1 partition (t-0) below min.insync.replicas: writes with acks=all fail"
    )


def test_the_table_says_who_would_help() -> None:
    """A partition without candidates waits for an unclean election alone, one with an ELR for its members."""
    one, two = kept(START + "topic u 1,2\nkill 2,3\nkill 1\nconfig topic t min.insync.replicas=3").partitions
    assert (one.partition, one.why, one.helps) == (
        "t-0", "no leader", "only an unclean election, which may lose records: a replica returns first",
    )  # fmt: skip
    assert (two.why, two.helps) == ("no leader", "broker 1 returns")


def test_the_log_of_a_scenario_conforms(tmp_path: Path) -> None:
    """What is written is a log directory of a controller, and `conform` accepts it; a second one is refused."""
    text = START + (
        "topic u 1,2 unclean.leader.election.enable=true\nstop 1\nkill 2\nstart 1,2\nreassign t-0 2,3\ncatch-up all\n"
        "elect preferred all\ncontroller-failover\nconfig brokers min.insync.replicas=1\ncordon 3 d1\nunregister 1\n"
        "add-partitions u 2,3\ndelete-topic t\nfeature metadata.version 4.3-IV0 safe-downgrade\nwait 6m"
    )
    report = kept(text)
    assert report.machine is not None
    path = write(report.machine, tmp_path / "log")
    (log,) = conform([str(path)], None).logs
    assert log.verdict is Verdict.CONFORMS, log
    with pytest.raises(StorageError, match="a log lies here already"):
        write(report.machine, tmp_path / "log")


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ("stop 4", "s:3: stop: there is no broker 4; the brokers are 1, 2, 3"),
        ("stop 1\nstop 1", "s:4: stop: broker 1 does not run; start 1 first"),
        ("start 1", "s:3: start: broker 1 runs; stop 1 or kill 1 first"),
        ("brokers 3", "s:3: brokers: broker 3 is there already; start 3 starts it again"),
        ("catch-up t-1", "s:3: catch-up: there is no partition t-1"),
        ("fail-directory 1 d2", "s:3: fail-directory: broker 1 has no log directory d2; it has d1"),
        ("cordon 1 d2", "s:3: cordon: broker 1 has no log directory d2; it has d1"),
        ("kill 1,2,3\nisr t-0 1", "s:4: isr: t-0 has no leader that could propose it; say from whom"),
        ("expect feature speed 1", "s:3: expect: there is no feature speed; there are "),
    ],
)
def test_steps_that_cannot_be_done_are_refused(steps: str, sentence: str) -> None:
    """A step about what is not there is one sentence with its line, and nothing is run behind it."""
    with pytest.raises(Refusal) as refused:
        asked(START + steps)
    assert str(refused.value).startswith(sentence)
    assert refused.value.code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("minimum", "stopped", "helps"),
    [
        (2, "1,2", "broker 1 or 2 in the ISR again"),
        (3, "1,2", "broker 1 and 2 in the ISR again"),
        (3, "1", "broker 1 in the ISR again"),
        (3, "1,2,4", "2 of broker 1, 2 and 4 in the ISR again"),
    ],
)
def test_so_many_replicas_help_as_are_missing(minimum: int, stopped: str, helps: str) -> None:
    """Below min.insync.replicas any of the replicas outside the ISR help, as many as the minimum lacks."""
    brokers = "1,2,3,4" if "4" in stopped else "1,2,3"
    report = asked(f"brokers {brokers}\ntopic t {brokers} min.insync.replicas={minimum}\nstop {stopped}")
    [partition] = report.partitions
    assert partition.helps == helps


def test_what_a_finding_has_touched_shows_that_finding() -> None:
    """A replica is put into the directory LOST, and leads, in one result (D26): the claims that leave such partitions
    out are broken by it, and are findings of the row that did it, no differences of reference and tables."""
    report = kept("brokers 1,3\ntopic t 3/1\nheartbeat 3 failed d1\nassign 3 LOST t-0")
    shown = {(one["finding"], one["by"]) for one in report.findings()}
    assert {("D26", "AD3"), ("D26", "P28"), ("D26", "P32")} <= shown
    assert not {finding for finding, _ in shown} - {"D12", "D26"}
