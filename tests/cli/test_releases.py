"""Releases on the command line: logs checked against one or all of them, and what differs, shown rule by rule."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.model.kraft import KRAFT
from fencepost.model.releases import NEWEST, RELEASES
from fencepost.traces import read_log
from tests.conformance.alter import until, with_record, written

REASSIGNMENT = "reassignment"
UPGRADED = "3.9 to offset 185, 4.1 to 789, 4.4 since"
REPEATED = pytest.mark.nightly("test_damage_is_not_blamed_on_the_release")


@pytest.fixture
def upgraded(recorded: Path, tmp_path: Path) -> Path:
    """Return a log that three releases wrote, the last of them its first records only."""
    return written(until(read_log(recorded / "upgrade-3.9-to-4.4"), 830), tmp_path)


def test_a_log_under_one_release(page_and_document: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """`--release 4.2` refuses what 4.2 would not have written, on the page with its screen and in the document."""
    log = written(until(read_log(recorded / REASSIGNMENT), 110), tmp_path)
    shown, said = page_and_document("conform", log, "--release", "4.2")
    [found] = said.document["logs"]
    assert (said.document["exit_code"], found["verdict"]) == (6, "violates")
    assert (found["releases"], found["refused"]) == (["4.2"], [])
    assert [one["offset"] for one in found["violations"] if one["rule"] == "unexplained"] == [102, 103]
    assert said.document["scope"]["protocols"] == ["kraft@4.2"]
    page = shown.out
    assert "kraft@4.2: no row explains offset 102" in page
    assert "--release 4.2" in page


@pytest.mark.parametrize(
    ("recording", "release", "offset", "others"),
    [
        # Above the highest level of 3.9 hundreds of records differ: minutes.
        pytest.param("upgrade-3.9-to-4.4", "3.9", "372", UPGRADED, marks=pytest.mark.exhaustive),
        pytest.param("upgrade-3.9-to-4.4", "4.4", "58", UPGRADED, marks=REPEATED),
        pytest.param(
            "zk-migration-3.9.2", "3.9", "4", "3.9 in migration from ZooKeeper to offset 447, 3.9 since", marks=REPEATED
        ),
    ],
)
def test_a_release_that_cannot_be_is_said_in_one_line(
    fencepost_says: Callable[..., Any], recorded: Path, recording: str, release: str, offset: str, others: str
) -> None:
    """A release that cannot have written a log is said with the offset and those that can have, for all its violations.

    The JSON document has the violations as ever, and the sentence among its notes.
    """
    sentence = f"Kafka {release} cannot explain this log from offset {offset} on; --release auto explains it: {others}."
    said = fencepost_says("conform", recorded / recording, "--release", release)
    assert said.code == 6
    assert " ".join(said.out.split()).count(sentence) == 1
    assert "more violations" not in said.out
    [log] = fencepost_says("conform", recorded / recording, "--release", release, "--json").document["logs"]
    assert (log["verdict"], log["violations"][0]["offset"], log["spans"]) == ("violates", int(offset), [])
    assert sentence in log["notes"]


def test_the_reason_is_on_the_page_where_no_row_is_in_question(fencepost_says: Callable[..., Any]) -> None:
    """A log begun at a level that 4.1 does not know is refused with that sentence, not with the offset alone."""
    log = Path(__file__).parent / "fixtures" / "lowered-level"
    page = " ".join(fencepost_says("conform", log, "--release", "4.1").out.split())
    assert "Kafka 4.1 cannot explain this log from offset 2 on" in page
    assert "Kafka 4.1 knows metadata.version up to 27 (4.1-IV1)." in page


def test_damage_is_not_blamed_on_the_release(
    fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path
) -> None:
    """A log that no release explains further than the one given is said to violate, without a word of releases.

    One that others explain further, but not to its end, says up to where they do.
    """
    log = until(read_log(recorded / "reassignment"), 70)
    damaged = with_record(log, 60, lambda data: {**data, "leader": 9}, tmp_path)
    page = " ".join(fencepost_says("conform", damaged, "--release", "4.3").out.split())
    assert "at offset 60" in page
    assert "cannot explain this log" not in page
    page = " ".join(fencepost_says("conform", damaged, "--release", "4.2").out.split())
    assert "Kafka 4.2 cannot explain this log from offset 4 on; --release auto explains it up to offset 60: 4.3" in page


def test_a_log_is_judged_by_the_release_in_force(page_and_document: Callable[..., Any], recorded: Path) -> None:
    """`--release auto` names the release that led, as its controllers registered, on page and in document."""
    said, documented = page_and_document("conform", recorded / REASSIGNMENT, "--release", "auto")
    [log] = documented.document["logs"]
    assert (log["verdict"], log["releases"], log["refused"]) == ("conforms", ["4.3"], [])
    whole = {"first_offset": 0, "last_offset": 243, "releases": ["4.3"], "registered": True, "migrating": False}
    assert log["spans"] == [{**whole, "last_offset": log["end_offset"] - 1}]
    assert "conforms (tables of 4.3): " in " ".join(said.out.split())


def test_an_upgrade_says_which_release_from_where(fencepost_says: Callable[..., Any], upgraded: Path) -> None:
    """A log that three releases wrote names all three in its line, with the last offset of each but the last."""
    said = fencepost_says("conform", upgraded)
    assert said.code == 0
    assert "conforms (tables of 3.9 to offset 185, 4.1 to 789, 4.4 since): " in " ".join(said.out.split())


@pytest.mark.nightly("tests/conformance/test_by_term.py::test_a_migration_from_zookeeper_conforms")
def test_a_migration_says_how_far_it_goes(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """A log that begins in ZooKeeper says up to where the controllers ran with the migration on."""
    said = " ".join(fencepost_says("conform", recorded / "zk-migration-3.9.2").out.split())
    assert "conforms (tables of 3.9 in migration from ZooKeeper to offset 447, 3.9 since): " in said


def test_without_the_option_the_release_in_force_is_found(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """The default is what `--release auto` says."""
    named = fencepost_says("conform", recorded / "first-boot", "--release", "auto", "--json").document
    plain = fencepost_says("conform", recorded / "first-boot", "--json").document
    assert named["logs"] == plain["logs"]
    assert plain["scope"]["protocols"] == ["kraft@4.3"]


def test_what_asks_one_release_refuses_a_log_of_several(fencepost_says: Callable[..., Any], upgraded: Path) -> None:
    """`--sensitivity` alters fields under one release's tables: of an upgrade it asks which, in one sentence."""
    said = fencepost_says("conform", upgraded, "--sensitivity")
    assert said.code == 2
    assert "was written by several: 3.9 to offset 185, 4.1 to 789, 4.4 since; say which with --release" in " ".join(
        said.err.split()
    )


def test_the_newest_release_is_that_of_the_tables(
    fencepost_says: Callable[..., Any], recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which release the tables called kraft are of is said once, where releases are."""
    assert (NEWEST, RELEASES[NEWEST].newer, RELEASES[NEWEST].whole) == (next(iter(RELEASES)), None, KRAFT)
    monkeypatch.setattr("fencepost.model.releases.RELEASES", {"9.9": RELEASES[NEWEST]})
    monkeypatch.setattr("fencepost.model.releases.NEWEST", "9.9")
    assert "conforms (tables of 9.9)" in fencepost_says("conform", recorded / "first-boot", "--release", "9.9").out


def test_the_tables_of_a_release_come_with_what_differs(page_and_document: Callable[..., Any]) -> None:
    """`show kraft@4.2` prints its tables, and before them how it differs from 4.3; the document has both."""
    said, documented = page_and_document("show", "kraft@4.2")
    page = " ".join(said.out.split())
    assert page.startswith("HOW 4.2 DIFFERS FROM 4.3")
    assert "REGISTRATION A broker registers." in page
    document = documented.document
    assert (document["protocol"], document["release"]["newer"]) == ("kraft@4.2", "4.3")
    [completes] = [one for one in document["release"]["differences"] if one["name"] == "completion-waits-for-target"]
    assert "A14" in completes["rows_changed"]
    assert all(line.startswith("completes = ") for line in completes["before"] + completes["after"])
    assert not any("≥" in line for line in completes["after"])


def test_every_difference_is_listed(fencepost_says: Callable[..., Any]) -> None:
    """`show kraft --releases` lists the differences release by release, newest first."""
    document = fencepost_says("show", "kraft", "--releases", "--json").document
    assert [one["release"] for one in document["releases"]] == ["4.3", "4.2", "4.1", "4.0", "3.9", "3.8", "3.7"]
    for release in document["releases"]:
        assert release["differences"]
        for one in release["differences"]:
            assert one["rows_gone"] or one["rows_changed"] or one["rows_beyond"]
            assert one["source"]
    page = fencepost_says("show", "kraft@3.8", "--releases").out
    assert "without rows RG7" in page
    assert "3.9-IV0" not in page


def test_a_protocol_without_releases(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """A table of your own has no releases, and the command says so in one sentence."""
    said = fencepost_says("show", two_phase, "--releases")
    assert said.code == 2
    assert "this protocol has no releases; use kraft" in said.err
