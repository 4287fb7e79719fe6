"""Logs of real clusters checked against the KRaft tables."""

from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.state import log_end
from fencepost.model.language import AT_RESULT_BOUNDARIES, next_, step
from fencepost.model.registry import find

from . import RECORDED

CONFORMING = {
    "first-boot": (94, 0, 35, 3),
    "rolling-restart": (268, 0, 138, 26),
    "controller-failover": (806, 0, 281, 13),
    "kill-nine-elr": (716, 0, 394, 26),
    "delete-recreate": (636, 0, 201, 13),
    "reassignment": (244, 0, 197, 15),
    "metadata-upgrade": (257, 0, 182, 14),
    "snapshots": (1675, 0, 508, 21),
    "elr-directory-fault-4.4.0": (108, 0, 55, 9),
    "elr-index-fault-4.4.0": (80, 0, 54, 4),
    "suspects-4.4.0": (310, 0, 214, 21),
    "node-config-moved-4.4.0": (608, 0, 432, 38),
    "scram-bootstrap-4.4.0": (287, 0, 179, 25),
}
"""Per recording: records, those passed through, results of one row, and results of which no log can tell the row."""


@cache
def judged(scenario: str) -> LogResult:
    """Return what is found in a recording; of one with logs of several controllers, in its own."""
    path = RECORDED / scenario
    (log,) = conform([path / "00000000000000000000.log" if (path / "others").exists() else path], KRAFT).logs
    return log


@pytest.mark.representative("first-boot", "metadata-upgrade")
@pytest.mark.parametrize("scenario", CONFORMING)
def test_a_recorded_log_is_explained_in_full(scenario: str) -> None:
    """Every record of the log is what some row writes, and no property is broken."""
    log = judged(scenario)
    assert (log.verdict, log.violations, log.doubts) == (Verdict.CONFORMS, [], [])
    assert (log.records, log.passed_through, sum(log.rows.values()), log.ambiguous) == CONFORMING[scenario]
    assert log.releases == ("kraft",)


def test_the_registry_names_the_recordings_that_conform() -> None:
    """What `fencepost check` judges are these recordings, and the one that `test_events` judges with its events."""
    family = find("kraft")
    assert set(family.recorded) == {*CONFORMING, "fake-chaos-elr"}
    assert not family.waiting


def test_rows_that_only_soft_state_tells_apart_are_one_class() -> None:
    """Why a broker was fenced is not in a log."""
    log = judged("first-boot")
    assert log.classes == {("F1", "HB10"): 3}
    assert {"R1": 3, "HB2": 3, "HB6": 3, "CT3": 5}.items() <= log.rows.items()


def test_snapshots_agree_with_the_log_that_they_sum_up() -> None:
    """All snapshots of a log of many segments hold what the log replays to at their end offset."""
    log = judged("snapshots")
    assert log.snapshots_compared == 13
    assert not [v for v in log.violations if v.rule == "snapshot"]
    assert log.committed_end == 1673


def test_a_text_dump_gives_the_verdict_of_the_binary_log() -> None:
    """The text that Kafka's dump tool prints is checked as the bytes are."""
    binary = judged("rolling-restart")
    (text,) = conform([RECORDED / "rolling-restart" / "dump.txt.gz"], KRAFT).logs
    assert (text.verdict, text.rows, text.classes) == (binary.verdict, binary.rows, binary.classes)


def test_several_logs_and_releases_have_one_result(tmp_path: Path) -> None:
    """Each log has its verdict, the worst decides; a table that does not explain a log is no release of it."""
    idle = KRAFT.without("NO1", why="no idle record is explained")
    crippled = idle.without("FE10", why="nor one beside an update of kraft.version", name="kraft@none")
    paths = [RECORDED / name / "00000000000000000000.log" for name in ("first-boot", "rolling-restart")]
    both = conform(paths, [crippled, KRAFT])
    assert [log.releases for log in both.logs] == [("kraft",), ("kraft",)]
    assert (both.verdict, both.exit_code) == (Verdict.CONFORMS, ExitCode.AS_DECLARED)
    alone = conform(paths, crippled)
    assert (alone.verdict, alone.exit_code) == (Verdict.VIOLATES, ExitCode.DOES_NOT_CONFORM)
    assert all(log.releases == () for log in alone.logs)
    assert alone.scope["protocols"] == ["kraft@none"]


def test_the_log_s_end_before_a_result_is_known_from_its_offset() -> None:
    """That a NoOp takes an offset (L22n) is decided of each NoOp and holds: the log ended one record earlier."""
    log = judged("rolling-restart")
    evidence = log.properties["L22n"]
    assert (evidence.judged, evidence.with_premise, evidence.unknown) == (log.rows["NO1"], log.rows["NO1"], 0)
    assert log.rows["NO1"] > 10


def test_a_claim_of_the_log_s_end_that_a_result_breaks_is_found() -> None:
    """A claim that a NoOp takes two offsets is broken at each NoOp."""
    two = log_end + 1 < next_(log_end)
    apart = step("APART", two, "A NoOp takes two offsets.", scope=AT_RESULT_BOUNDARIES, rows=("NO1",))
    (log,) = conform([RECORDED / "rolling-restart" / "00000000000000000000.log"], KRAFT.claiming(apart)).logs
    assert {one.rule for one in log.violations} == {"APART"}
    assert len(log.violations) == log.rows["NO1"]
