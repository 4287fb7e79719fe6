"""The controller quorum as story, show, health and why tell it, of a recorded quorum whose voters join and leave."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.widths import too_wide

Says = Callable[..., Any]
LEAVE = Path("quorum") / "voters-leave-4.4.0"
CHANGES = {
    2: "the voters of the controller quorum are 3000",
    63: "controller 3001 becomes a voter: 3000 3001",
    89: "controller 3002 becomes a voter: 3000 3001 3002",
    118: "controller 3003 becomes a voter: 3000 3001 3002 3003",
    135: "controller 3000 is no voter any more: 3001 3002 3003",
    203: "controller 3002 is no voter any more: 3001 3003",
    205: "controller 3002 becomes a voter again, 0.195 s after it was removed: 3001 3002 3003",
    229: "controller 3002 is no voter any more: 3001 3003",
    244: "controller 3002 becomes a voter again, 6.267 s after it was removed: 3001 3002 3003",
}
"""The nine KRaftVoters records of the log by their offsets, as its dump has them."""


def test_a_story_tells_who_becomes_a_voter_and_who_is_none_any_more(fencepost_says: Says, recorded: Path) -> None:
    """Every change of the voters is an event, and so is the level of kraft.version; control records are counted."""
    document = fencepost_says("story", recorded / LEAVE, "--json").document
    events = {one["offset"]: one["words"] for one in document["events"]}
    assert {at: events[at] for at in CHANGES} == CHANGES
    assert events[1] == "kraft.version is 1"
    assert (document["counts"]["records"], document["untold"]) == (296, {"NO_OP_RECORD": 249})


@pytest.mark.parametrize("name", ["KRaftVoters", "kraftvoters", "KRAFT_VOTERS"])
def test_records_of_raft_are_asked_for_by_type(fencepost_says: Says, recorded: Path, name: str) -> None:
    """`story` and `show` take the types of Raft's records as they take those of metadata."""
    story = fencepost_says("story", recorded / LEAVE, "--type", name, "--json").document
    assert [one["offset"] for one in story["events"]] == list(CHANGES)
    shown = fencepost_says("show", recorded / LEAVE, "--type", name, "--json").document
    assert [one["offset"] for one in shown["records"]] == list(CHANGES)
    leads = fencepost_says("show", recorded / LEAVE, "--type", "LeaderChange", "--json").document["records"]
    assert [(one["offset"], one["data"]["leaderId"]) for one in leads] == [(0, 3000), (136, 3001)]


def test_the_state_at_an_offset_names_the_voters(fencepost_says: Says, recorded: Path) -> None:
    """The voters, the level of kraft.version and the observers after a record, as a page, as JSON and in the tree."""
    said = fencepost_says("show", recorded / LEAVE, "--at", "204", "--json").document["quorum"]
    assert (said["kraft_version"], said["voters"], said["since"]) == (1, [3001, 3003], 203)
    assert said["observers"] == [3000, 3002]
    page = fencepost_says("show", recorded / LEAVE, "--at", "64").out
    assert "voters (kraft.version 1, since @63): 3000, 3001; a majority needs both: none may be lost" in page
    voters = fencepost_says("show", recorded / LEAVE, "--at", "204", "--tree", "/metadataQuorum/voters").out
    level = fencepost_says("show", recorded / LEAVE, "--at", "204", "--tree", "/metadataQuorum/kraftVersion").out
    assert (voters.strip(), level.strip()) == ("[3001, 3003]", "1")


def test_a_trimmed_log_has_the_voters_of_its_snapshot(fencepost_says: Says, recorded: Path) -> None:
    """Of a log without KRaftVoters they are those of the snapshot that its state begins with."""
    log = recorded / "quorum" / "trimmed-4.4.0" / "3000"
    said = fencepost_says("show", log, "--at", "430", "--json").document["quorum"]
    assert (said["voters"], said["since"], said["kraft_version"]) == ([3001, 3002], None, 1)
    health = fencepost_says("health", log, "--no-findings", "--json").document["quorum"]
    assert (health["voters"], health["observers"]) == ([3001, 3002], [3000])


@pytest.mark.parametrize(
    ("at", "lost", "words"),
    [
        (10, 0, "voters (kraft.version 1, since @2): 3000; it is alone: none may be lost"),
        (80, 0, "voters (kraft.version 1, since @63): 3000, 3001; a majority needs both: none may be lost"),
        (100, 1, "voters (kraft.version 1, since @89): 3000, 3001, 3002; a majority needs 2 of 3: one may be lost"),
        (120, 1, "a majority needs 3 of 4: one may be lost"),
        (295, 1, "controllers that are no voters (observers): 3000 3002 became a voter 3 times and was removed twice"),
    ],
)
def test_health_says_how_many_voters_may_be_lost(
    fencepost_says: Says, recorded: Path, at: int, lost: int, words: str
) -> None:
    """A majority of the newest voters is what the quorum needs."""
    said = fencepost_says("health", recorded / LEAVE, "--at", at, "--no-findings")
    assert words in " ".join(said.out.split())
    assert not too_wide(said.out)
    found = fencepost_says("health", recorded / LEAVE, "--at", at, "--no-findings", "--json").document
    assert found["quorum"]["may_be_lost"] == lost


def test_two_voters_of_two_are_worth_attention(fencepost_says: Says, recorded: Path) -> None:
    """While both voters are needed the status is attention; a quorum of one was formatted so on purpose."""
    asked = {at: fencepost_says("health", recorded / LEAVE, "--at", at, "--no-findings", "--json") for at in (62, 80)}
    assert {at: said.document["status"] for at, said in asked.items()} == {62: "healthy", 80: "attention"}


def test_a_static_quorum_s_voters_are_not_in_the_log(fencepost_says: Says, recorded: Path) -> None:
    """With kraft.version 0 the page says so, and with whom the leader counts by its LeaderChange."""
    said = fencepost_says("health", recorded / "upgrade-3.9-to-4.4", "--at", "100", "--no-findings")
    told = "voters: those of controller.quorum.voters, which no log shows; the leader counts with 3000, 3001, 3002; a"
    assert told in " ".join(said.out.split())


def test_why_a_controller_is_what_it_is(fencepost_says: Says, recorded: Path) -> None:
    """Each record about a controller, how long it was no voter, and what the log does not tell."""
    document = fencepost_says("why", recorded / LEAVE, "controller", "3002", "--json").document
    told = {one["offset"]: one["words"].removeprefix("controller 3002 ") for one in document["chain"]}
    assert {at: words for at, words in told.items() if "voter" in words} == {
        89: "becomes a voter: 3000 3001 3002",
        203: "is no voter any more: 3001 3003",
        205: "becomes a voter again, 0.195 s after it was removed: 3001 3002 3003",
        229: "is no voter any more: 3001 3003",
        244: "becomes a voter again, 6.267 s after it was removed: 3001 3002 3003",
    }
    assert document["state"]["voter"] is True
    assert "the log does not tell which" in document["began"][-1]["may_come_from"][0]
    assert not too_wide(fencepost_says("why", recorded / LEAVE, "controller", "3000").out)


def test_why_refuses_a_controller_that_the_log_does_not_name(fencepost_says: Says, recorded: Path) -> None:
    """One sentence names those that it has."""
    said = fencepost_says("why", recorded / LEAVE, "controller", "7")
    assert said.code == 2
    assert "nothing is said of controller 7; the controllers are 3000, 3001, 3002, 3003" in said.err
