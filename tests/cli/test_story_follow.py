"""`fencepost story --follow`: appended records are printed as they come, and as the story of the whole log has them."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli import story_following
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.moments import When, when
from fencepost.checkers.operations.story import follow, story
from fencepost.traces import Batch, find_log, iterate_log

Says = Callable[..., Any]
LOG = "00000000000000000000.log"


@pytest.fixture
def written(recorded: Path) -> bytes:
    """The bytes of a recorded segment."""
    return (recorded / "reassignment" / LOG).read_bytes()


@pytest.fixture
def cuts(recorded: Path) -> list[int]:
    """Where it may end while it is followed: between batches, and within one."""
    batches = [one for one in iterate_log(recorded / "reassignment") if isinstance(one, Batch)]
    return [batches[40].position, batches[55].position + 30, batches[70].position]


def followed(folder: Path, begin: When, written: bytes, cuts: list[int], keep: bool) -> tuple[list[Any], Any]:
    """Follow a log that grows from cut to cut, and return the events each time that its end was reached."""
    log = folder / LOG
    log.write_bytes(written[: cuts[0]])
    left, told = [*cuts[1:], len(written)], list[Any]()

    def shown(events: list[dict[str, Any]]) -> bool:
        told.append(events)
        if not left:
            return False
        log.write_bytes(written[: left.pop(0)])
        return True

    document = follow(find_log(folder), begin, About(), shown=shown, keep=keep)
    return told, document


def test_what_is_followed_from_the_start_is_the_story_of_the_whole(
    recorded: Path, tmp_path: Path, written: bytes, cuts: list[int]
) -> None:
    """The records of all events, their words and rows are those of the log when it is whole, in the same order."""
    told, document = followed(tmp_path, When("0", offset=0), written, cuts, True)
    source = find_log(recorded / "reassignment")
    whole = story(source, when("0", source), when("end", source), About(), most=None)
    events = [event for part in told for event in part]
    assert document["events"] == events
    assert document["counts"]["records"] == whole["counts"]["records"]
    # Results that follow within a second are one event unless the end of the log was told between them.
    ends = {event["last_offset"] for event in events}
    assert {event["last_offset"] for event in whole["events"]} <= ends
    assert {event["words"] for event in whole["events"]} - {event["words"] for event in events} == set()
    assert document["rows"] == whole["rows"]


def test_from_the_end_only_what_is_appended_is_told(tmp_path: Path, written: bytes, cuts: list[int]) -> None:
    """What was there before is read and not printed; what was shown is dropped where it need not be kept."""
    told, document = followed(tmp_path, When("end"), written, cuts, False)
    assert told[0] == []
    first = min(event["offset"] for part in told for event in part)
    folder = tmp_path / "before"
    folder.mkdir()
    (folder / LOG).write_bytes(written[: cuts[0]])
    before = [one for one in iterate_log(folder) if isinstance(one, Batch)]
    assert first > before[-1].last_offset
    assert document["events"] == []
    assert document["counts"]["events"] == sum(map(len, told)) > 0
    assert document["rows"]


def test_until_somebody_presses_ctrl_c(
    fencepost_says: Says, tmp_path: Path, written: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while it waits ends the command with what it printed, and with 0."""

    def pressed(seconds: float) -> None:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        asleep(seconds)  # threads of other libraries in this process sleep, too

    asleep = time.sleep
    monkeypatch.setattr(story_following.time, "sleep", pressed)
    (tmp_path / LOG).write_bytes(written)
    said = fencepost_says("story", tmp_path, "--follow", "--from", 186, "--partition", "s-0")
    assert said.code == 0
    assert f"{tmp_path}: followed until Ctrl-C" in said.out
    assert "s-0 –→1 [1] unclean @" in said.out
    assert fencepost_says("story", tmp_path, "--follow", "--json").document["counts"]["events"] == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--to", "end"), "--follow: has no end, so that --to cannot be asked; leave out either"),
        (("--intervals",), "--follow: has no end, so that --intervals cannot be asked; leave out either"),
    ],
)
def test_what_has_no_end_has_no_last_moment(
    fencepost_says: Says, recorded: Path, options: tuple[str, ...], why: str
) -> None:
    """--to and --intervals ask for an end; a dump is never appended to."""
    said = fencepost_says("story", recorded / "reassignment", "--follow", *options)
    assert (said.code, why in said.err) == (2, True)
    said = fencepost_says("story", recorded / "reassignment" / "dump.txt.gz", "--follow")
    assert (said.code, "nothing is appended to a dump" in said.err) == (2, True)
