"""`fencepost story --intervals`: the intervals of recorded logs, checked against dumps and against `health`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.widths import too_wide

Says = Callable[..., Any]


def found(document: dict[str, Any]) -> list[tuple[str, str, int, int | None]]:
    """The intervals: condition, name, first offset, and that at which it was over."""
    return [
        (one["condition"], one["name"], one["from"]["offset"], None if one["to"] is None else one["to"]["offset"])
        for one in document["intervals"]
    ]


def test_leaderless_and_fenced_from_when_to_when(fencepost_says: Says, recorded: Path) -> None:
    """Broker 1 was fenced from 170 to 186 and took s-0's leader away from 169 to 187, for 5.382 s."""
    said = fencepost_says("story", recorded / "reassignment", "--intervals", "--from", 170, "--to", 200, "--json")
    document = said.document
    assert (said.code, document["verdict"]) == (0, "told")
    assert found(document) == [
        ("fenced", "3", 151, None),
        ("leaderless", "s-0", 169, 187),
        ("under_min_isr", "s-0", 169, 187),
        ("fenced", "1", 170, 186),
    ]
    # 1795245188075 - 1795245182693 ms
    assert document["intervals"][1]["seconds"] == 5.382
    assert document["totals"]["fenced"] == {
        "intervals": 2,
        "entities": 2,
        "under_way": 1,
        "seconds": round(sum(one["seconds"] for one in document["intervals"] if one["condition"] == "fenced"), 3),
        "longest_seconds": max(one["seconds"] for one in document["intervals"] if one["condition"] == "fenced"),
    }


@pytest.mark.parametrize("at", [84, 100, 170, 345, 500])
def test_what_still_holds_is_what_health_says(fencepost_says: Says, recorded: Path, at: int) -> None:
    """At a moment the intervals under way are those that `health` lists there, since the same offsets."""
    log = recorded / "kill-nine-elr"
    document = fencepost_says("story", log, "--intervals", "--to", at, "--json").document
    health = fencepost_says("health", log, "--at", at, "--no-findings", "--json").document
    lists = {
        "leaderless": ("partition", health["partitions"]["offline"]),
        "under_min_isr": ("partition", health["partitions"]["under_min_isr"]),
        "fenced": ("broker", health["brokers"]["fenced"]),
        "in_controlled_shutdown": ("broker", health["brokers"]["in_controlled_shutdown"]),
    }
    told = {(name, str(one[key]), one["since"]["offset"]) for name, (key, some) in lists.items() for one in some}
    assert {one[:3] for one in found(document) if one[3] is None} == told
    assert at == 100 or told


@pytest.mark.parametrize(
    ("about", "expected"),
    [(("--partition", "s-0"), {"s-0"}), (("--topic", "r"), {"r-0"}), (("--broker", "1"), {"s-0", "1"})],
)
def test_a_filter_leaves_out_what_does_not_concern_it(
    fencepost_says: Says, recorded: Path, about: tuple[str, ...], expected: set[str]
) -> None:
    """A partition, a topic's partitions, or a broker with the partitions that had a replica on it."""
    document = fencepost_says("story", recorded / "reassignment", "--intervals", *about, "--json").document
    assert {one["name"] for one in document["intervals"]} == expected


def test_what_a_snapshot_begins_with_is_not_exact(fencepost_says: Says, recorded: Path) -> None:
    """What holds in the snapshot with which a log begins has held since then or longer, and still does at its end."""
    file = recorded / "snapshots" / "00000000000000001301-0000000002.checkpoint"
    document = fencepost_says("story", file, "--intervals", "--json").document
    assert [one["from"]["exact"] for one in document["intervals"]] == [False]
    assert [one["to"] for one in document["intervals"]] == [None]


def test_the_page_says_what_the_document_says(fencepost_says: Says, recorded: Path) -> None:
    """The page fits the terminal and has a line for each interval that is shown."""
    page = fencepost_says("story", recorded / "reassignment", "--intervals").out
    assert too_wide(page) == []
    assert "  s-0  from 2026-11-21 07:13:02.693 @169  to 2026-11-21 07:13:08.075 @187  5.4 s" in page
    assert "brokers fenced: 13 intervals, 5 still, of 5; the longest 17.0 s" in page


def test_a_filter_that_names_nothing_is_refused(fencepost_says: Says, recorded: Path) -> None:
    """What no record is about is one sentence and exit code 2."""
    said = fencepost_says("story", recorded / "reassignment", "--intervals", "--topic", "nope")
    assert (said.code, "there is no topic nope; the topics are r, s" in said.sentence) == (2, True)
