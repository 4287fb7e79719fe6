"""`fencepost health --at T1 --and T2`: what differs between two moments of recorded logs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.widths import too_wide

Says = Callable[..., Any]


def test_what_a_fence_has_changed(fencepost_says: Says, recorded: Path) -> None:
    """Between 166 and 170 broker 1 was fenced, which moved two leaders and left s-0 without one; that is all."""
    log = recorded / "reassignment"
    said = fencepost_says("health", log, "--at", 166, "--and", 170, "--json")
    document = said.document
    assert (said.code, document["verdict"]) == (0, "compared")
    assert document["brokers"] == [{"broker": 1, "changed": {"fenced": [False, True]}}]
    assert [one["words"] for one in document["partitions"]] == ["r-3 1→0 [0 2]", "s-0 1→– []{1}", "s-1 1→2 [2]"]
    assert document["counts"] == {
        "partitions": 3,
        "leader_moved": 2,
        "leaderless": 1,
        "isr_shrank": 3,
        "elr_changed": 1,
    }
    assert document["topics"] == {"created": [], "deleted": []}
    page = fencepost_says("health", log, "--at", 166, "--and", 170).out
    assert too_wide(page) == []
    assert "broker 1  fenced False → True" in page


def test_the_other_way_round_is_the_other_way_round(fencepost_says: Says, recorded: Path) -> None:
    """Topics that one direction calls created the other calls deleted; a moment and itself do not differ."""
    log = recorded / "reassignment"
    forth = fencepost_says("health", log, "--at", 20, "--and", 100, "--json").document
    back = fencepost_says("health", log, "--at", 100, "--and", 20, "--json").document
    assert forth["topics"] == {"created": ["r", "s"], "deleted": []}
    assert back["topics"] == {"created": [], "deleted": ["r", "s"]}
    assert forth["counts"]["created"] == back["counts"]["deleted"] > 3
    assert "  nothing" in fencepost_says("health", log, "--at", 100, "--and", 100).out


def test_a_moment_that_is_none_is_refused(fencepost_says: Says, recorded: Path) -> None:
    """Another text is one sentence that names the option, with exit code 2."""
    said = fencepost_says("health", recorded / "reassignment", "--at", 20, "--and", "x")
    assert (said.code, "--and x: give an offset" in said.sentence) == (2, True)
