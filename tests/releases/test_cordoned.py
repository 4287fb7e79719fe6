"""An assignment that a request gives to a broker whose directories are all cordoned: 4.3.0 and 4.3.1 take it."""

from pathlib import Path

import pytest

from fencepost.checkers.conformance.conform import conform
from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.running import run
from fencepost.checkers.scenarios.writing import write
from fencepost.model.registry import find
from fencepost.traces import read_log
from tests.conformance import alter

STEPS = """\
cluster metadata.version 4.3-IV0
brokers 1,2
brokers 3 directories d1,d2
topic t 1,2
cordon 3 d1
reassign t-0 1,3
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log in which a replica is moved to broker 3 after both of its directories were cordoned."""
    folder = tmp_path_factory.mktemp("cordoned")
    report = run(checked(steps_of(STEPS, "cordoned")), "cordoned")
    assert report.machine is not None
    written = read_log(write(report.machine, folder / "kafka"))
    records = [one for batch in written.batches for one in batch.metadata_records]
    registered = next(one for one in records if one.data.get("logDirs") and one.data.get("brokerId") == 3)
    cordons = [one for one in records if one.data.get("cordonedLogDirs")][-1]
    both = list(registered.data["logDirs"])
    return alter.with_record(
        written, cordons.offset, lambda data: {**data, "cordonedLogDirs": both}, folder / "altered"
    )


@pytest.mark.parametrize(("protocol", "conforms"), [("kraft@4.3", True), ("kraft", False)])
def test_a_reassignment_onto_cordoned_directories(log: Path, protocol: str, conforms: bool) -> None:
    """The log is one of 4.3 and none of 4.4 (`validateManualPartitionAssignment` of 4.3.1 and 4.4.0)."""
    found = conform([log], find(protocol).whole)
    [one] = found.logs
    assert (not one.violations) is conforms
    assert conforms or [violation.offset for violation in one.violations] == [18]


def test_the_release_is_found_by_itself(log: Path) -> None:
    """Where no release is named the log conforms, to 4.3."""
    [one] = conform([log], None).logs
    assert not one.violations
    assert {release for span in one.spans for release in span.releases} == {"4.3"}
