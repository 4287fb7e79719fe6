"""Logs of real clusters held against the KRaft tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.kraft.protocol import KRAFT

from . import RECORDED


@pytest.mark.parametrize(
    ("scenario", "records", "results"),
    [("first-boot", 94, 38), ("rolling-restart", 268, 164), ("controller-failover", 806, 294)],
)
def test_a_recorded_log_is_explained_in_full(scenario: str, records: int, results: int) -> None:
    """Every record of the log is what some row writes, and no property is broken."""
    (log,) = conform([RECORDED / scenario / "00000000000000000000.log"], KRAFT).logs
    assert (log.verdict, log.violations, log.doubts) == (Verdict.CONFORMS, [], [])
    assert (log.records, log.passed_through) == (records, 0)
    assert sum(log.rows.values()) + log.ambiguous == results
    assert log.releases == ("kraft",)


def test_rows_that_only_soft_state_tells_apart_are_one_class() -> None:
    """Why a broker was fenced is not in a log: the rows that fence are one class, those that a log shows are not."""
    (log,) = conform([RECORDED / "first-boot" / "00000000000000000000.log"], KRAFT).logs
    assert log.classes == {("F1", "HB1", "HB10", "HB4", "HB5", "HB7"): 3}
    assert {"R1": 3, "HB2": 3, "HB6": 3, "CT3": 5}.items() <= log.rows.items()


def test_snapshots_agree_with_the_log_that_they_sum_up() -> None:
    """All snapshots of a log of many segments hold what the log replays to at their end offset."""
    (log,) = conform([RECORDED / "snapshots"], KRAFT).logs
    assert log.snapshots_compared == 13
    assert not [v for v in log.violations if v.rule == "snapshot"]
    assert log.committed_end == 1673


def test_a_text_dump_gives_the_verdict_of_the_binary_log() -> None:
    """The text that Kafka's dump tool prints is judged as the bytes are."""
    (binary,) = conform([RECORDED / "rolling-restart" / "00000000000000000000.log"], KRAFT).logs
    (text,) = conform([RECORDED / "rolling-restart" / "dump.txt.gz"], KRAFT).logs
    assert (text.verdict, text.rows, text.classes) == (binary.verdict, binary.rows, binary.classes)


def test_several_logs_and_releases_have_one_result(tmp_path: Path) -> None:
    """Each log has its verdict, the worst decides; a table that does not explain a log is no release of it."""
    crippled = KRAFT.without("NO1", why="no idle record is explained", name="kraft@none")
    paths = [RECORDED / name / "00000000000000000000.log" for name in ("first-boot", "rolling-restart")]
    both = conform(paths, [crippled, KRAFT])
    assert [log.releases for log in both.logs] == [("kraft",), ("kraft",)]
    assert (both.verdict, both.exit_code) == (Verdict.CONFORMS, ExitCode.AS_DECLARED)
    alone = conform(paths, crippled)
    assert (alone.verdict, alone.exit_code) == (Verdict.VIOLATES, ExitCode.DOES_NOT_CONFORM)
    assert all(log.releases == () for log in alone.logs)
    assert alone.scope["protocols"] == ["kraft@none"]
