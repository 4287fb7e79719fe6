"""What `conform` counts as legal though it looks wrong, checked against the text of the logs."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.check.run import RECORDED
from fencepost.checkers.conformance.zk import conform_recordings
from fencepost.checkers.conformance.zk.results import ZkResult
from fencepost.model.zk import ZK

RECORDINGS = ("first-boot", "kill-nine", "reassignment", "rolling-restart")
_REFUSED = re.compile(r"should be in the [\w,]+ states before moving to (\w+) state. Instead it is in (\w+) state")
_CHANGED = re.compile(r"Changed state of replica \d+ for partition \S+ from (\w+) to (\w+)")
_FAILED = re.compile(r"failed to change state for partition \S+ from (\w+) to (\w+)")


def _text(name: str) -> str:
    files = sorted((RECORDED / "zk" / name).glob("state-change.*"))
    return "\n".join(_read(one) for one in files)


def _read(file: Path) -> str:
    import gzip

    return gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()


@cache
def _judged(name: str) -> ZkResult:
    (found,) = conform_recordings([str(RECORDED / "zk" / name)], ZK).logs
    assert isinstance(found, ZkResult)
    return found


@pytest.mark.representative("first-boot", "reassignment")
@pytest.mark.parametrize("name", RECORDINGS)
def test_what_looks_wrong_is_counted_as_the_log_has_it(name: str) -> None:
    """Refused attempts, changes of replicas and failed changes are as many as the log's text has, by their states."""
    text, found = _text(name), _judged(name).observed
    assert found.refused == Counter(f"{now} → {to}" for to, now in _REFUSED.findall(text))
    changed = Counter(f"{old} → {new}" for old, new in _CHANGED.findall(text))
    assert {one: count for one, count in found.changes.items() if "Replica" in one} == changed
    assert changed
    failed = Counter(f"{old} → {new}" for old, new in _FAILED.findall(text))
    assert sum(found.failed.values()) == sum(failed.values())


@pytest.mark.parametrize("name", RECORDINGS)
def test_lines_that_repeat_and_silent_writes_are_those_of_their_rows(name: str) -> None:
    """A line that repeats is row ZR4i, a write without a line is a leader's; no controller's own is silent here."""
    result = _judged(name)
    assert result.observed.repeated == result.rows.get("ZR4i", 0)
    assert result.observed.unlined == Counter({"an ISR that its leader asked for": result.rows.get("ZC10", 0)})


def test_a_new_controller_takes_replicas_on_dead_brokers_for_ineligible() -> None:
    """After a failover controllers first name dead brokers' replicas as ReplicaDeletionIneligible, deletion or not."""
    result = _judged("kill-nine")
    assert result.observed.starts["ReplicaDeletionIneligible"] > 0
    assert "ZC9" not in result.rows
