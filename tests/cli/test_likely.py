"""Which row most likely wrote a fence, by what a recorded log shows near it."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.operations.likely import Nearby
from fencepost.traces import read_log
from tests.widths import too_wide

Says = Callable[..., Any]
ROWS = {"F1": "FenceStaleBroker", "HB4": "Heartbeat", "HB5": "Heartbeat"}
AT_EPOCH = "Fencing broker 1 at epoch 16 because its session has timed out"
TIMED_OUT = "Fencing broker 1 because its session has timed out"
LEAVING = {**ROWS, "HB7": "Heartbeat", "HB10": "Heartbeat"}


def likely(log: Path, offset: int, rows: dict[str, str]) -> tuple[tuple[str, ...], str] | None:
    """The rows and the evidence of a fence."""
    read = read_log(log)
    found = Nearby.of(str(log), read.batches).likely(offset, rows)
    return None if found is None else (found.rows, found.because)


@pytest.mark.parametrize(
    ("scenario", "offset", "rows", "expected", "because"),
    [
        ("kill-nine-elr", 83, ROWS, ("F1",), "another process of it registers 2.6 s later (@92)"),
        ("kill-nine-elr", 224, ROWS, ("F1",), "the same process is unfenced 3.1 s later (@231) without registering"),
        ("rolling-restart", 53, LEAVING, ("HB10",), "it began its controlled shutdown 873 ms before (@43)"),
    ],
)
def test_what_stands_near_ranks_the_rows(
    recorded: Path, scenario: str, offset: int, rows: dict[str, str], expected: tuple[str, ...], because: str
) -> None:
    """A killed process, one that was silent and came back, and one that asked to stop, as the recording's steps say."""
    found = likely(recorded / scenario, offset, rows)
    assert found is not None
    assert found[0] == expected
    assert because in found[1]


@pytest.mark.parametrize(
    ("scenario", "offset", "rows"),
    [
        # A broker that leads nothing is fenced at once when it asks to stop: a restart says nothing of why.
        ("kill-nine-elr", 83, LEAVING),
        ("kill-nine-elr", 83, {"F1": "FenceStaleBroker"}),
        # Fenced once more: no controller became active in between.
        ("rolling-restart", 60, {"F2": "FenceStaleBroker", "HB1": "Heartbeat"}),
        # A registration is no fence.
        ("kill-nine-elr", 92, ROWS),
    ],
)
def test_without_evidence_nothing_is_most_likely(
    recorded: Path, scenario: str, offset: int, rows: dict[str, str]
) -> None:
    """Where the log shows nothing that distinguishes the rows, none is named; nor where one row alone is left."""
    assert likely(recorded / scenario, offset, rows) is None


@pytest.mark.parametrize(
    ("name", "line", "rows"),
    [
        ("controller.log", f"[2026-11-21 07:05:31,060] INFO [Q] {AT_EPOCH}. (x)", ("F2",)),
        ("controller.log.gz", f"1795244731060 3000 INFO R [Q] {TIMED_OUT}.", ("F2",)),
        ("controller.log", f"[2026-11-21 08:05:31,060] INFO [Q] {TIMED_OUT}.", None),
        ("controller.log", f"[2026-11-21 07:05:31,060] INFO [Q] {TIMED_OUT.replace('1', '2')}.", None),
        ("controller.log.gz", "not gzipped", None),
    ],
)
def test_the_controllers_log_says_which(
    recorded: Path, tmp_path: Path, name: str, line: str, rows: tuple[str, ...] | None
) -> None:
    """A line about the broker within a second of the fence decides; one of another time or broker does not."""
    shutil.copy(recorded / "rolling-restart" / "00000000000000000000.log", tmp_path)
    data = line.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") and line[0] == "1" else data)
    found = likely(tmp_path, 60, {"F2": "FenceStaleBroker", "HB1": "Heartbeat"})
    assert (None if found is None else found[0]) == rows


def test_a_registration_says_whether_its_last_process_stopped_in_good_order(
    fencepost_says: Says, recorded: Path
) -> None:
    """Behind a controlled shutdown that was granted it is R2, behind a session that most likely expired R2u; behind a
    fence that only another controller repeated nothing is most likely."""
    found = {
        (name, event["offset"]): event["likely"] and (event["likely"]["rows"], event["likely"]["because"])
        for name in ("controller-failover", "elr-directory-fault-4.4.0")
        for event in fencepost_says("story", recorded / name, "--json").document["events"]
        if [row["id"] for row in event["rows"]] == ["R2", "R2u"]
    }
    assert found["controller-failover", 183] == (["R2u"], "the session of its last process most likely expired (@182)")
    assert found["controller-failover", 371] == (
        ["R2"],
        "its last process began a controlled shutdown (@282), and was fenced (@352)",
    )
    assert found["elr-directory-fault-4.4.0", 72] is None


def test_story_and_why_say_it(fencepost_says: Says, recorded: Path) -> None:
    """Both name the row and the evidence, keep the list of the others, and stay unsure in `certain`."""
    log = recorded / "rolling-restart"
    (event,) = fencepost_says("story", log, "--from", "53", "--to", "53", "--json").document["events"]
    assert event["likely"]["rows"] == ["HB10"]
    assert not event["certain"]
    assert len(event["rows"]) > 1
    page = fencepost_says("why", log, "broker", "1", "--at", "53").out
    assert "most likely HB10, because it began its controlled shutdown" in " ".join(page.split())
    assert "the log does not tell which" in page
    assert too_wide(page) == []
