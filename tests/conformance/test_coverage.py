"""The rows that a log exercised, counted."""

from collections import Counter
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.explain.coverage import Coverage, Seen, coverage
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import find_log, read_log

from . import RECORDED, alter

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))


@pytest.fixture(scope="module")
def rolling() -> Coverage:
    """The coverage of a recorded log that conforms."""
    return coverage(MONITOR, read_log(RECORDED / "rolling-restart"))


@pytest.mark.representative("first-boot")
@pytest.mark.parametrize("scenario", ["first-boot", "rolling-restart", "delete-recreate"])
def test_every_record_is_counted_once(scenario: str) -> None:
    """Records of one row, of several, unexplained and passed through add up to the records of the log."""
    found = coverage(MONITOR, read_log(find_log(RECORDED / scenario)))
    parts = (found.certain, found.ambiguous, found.unexplained, found.passed_through)
    assert min(parts) >= 0
    assert sum(parts) == found.judged.records
    assert found.results == sum(row.certain for row in found.rows) + found.ambiguous_results
    conforms = not found.judged.violations
    assert (found.unexplained == 0) is conforms


def test_the_rows_are_those_of_the_verdict(rolling: Coverage) -> None:
    """The counts are the monitor's, and every row of the tables is counted once, in one of four kinds."""
    result = rolling.judged
    assert {row.row: row.certain for row in rolling.rows if row.certain} == result.rows
    several = Counter[str]()
    for rows, count in result.classes.items():
        several.update(dict.fromkeys(rows, count))
    assert {row.row: row.ambiguous for row in rolling.rows if row.ambiguous} == dict(several)
    assert [row.row for row in rolling.rows] == [row.id for table in KRAFT.tables for row in table.rows]
    assert tuple(sorted(row.row for row in rolling.rows if row.seen == "never")) == tuple(
        sorted(result.rows_never_seen)
    )
    kinds: tuple[Seen, ...] = ("certain", "ambiguous", "never", "silent")
    counts = [rolling.count(kind) for kind in kinds]
    assert sum(counts) == len(KRAFT.rows)
    assert 0 not in counts


def test_a_fault_is_counted_as_unexplained(tmp_path: Path) -> None:
    """One altered record leaves its result out of the rows, and the records still add up."""
    log = read_log(RECORDED / "rolling-restart")
    directory = alter.with_record(log, 136, lambda data: {**data, "isr": [4]}, tmp_path)
    found = coverage(MONITOR, read_log(find_log(directory)))
    whole = coverage(MONITOR, log)
    assert found.unexplained > 0
    assert found.certain + found.ambiguous + found.unexplained == found.judged.records == whole.judged.records
    assert found.results < whole.results
