"""Forks as edits of the release that they were made from: what is otherwise, and which claims are not made of them."""

from __future__ import annotations

import pytest

from fencepost.checkers.cli.main import main
from fencepost.model.language.fingerprint import Digest
from fencepost.model.registry import UnknownProtocol, find
from fencepost.model.releases import FORKS, RELEASES

AUTOMQ = FORKS["automq-1.7"]
FENCING = {"HB1", "HB4", "HB5", "HB7", "HB10", "F1"}
"""The rows that fence a broker, of which no log directory has failed."""


def test_a_fork_is_a_protocol_by_its_name() -> None:
    """Beside the releases; another name is refused with those that there are."""
    assert find("kraft@automq-1.7").whole is AUTOMQ.whole
    assert (AUTOMQ.whole.name, AUTOMQ.newest_level) == ("kraft@automq-1.7", RELEASES["3.9"].newest_level)
    with pytest.raises(UnknownProtocol, match=r"kraft@automq-1\.7"):
        find("kraft@automq-9")


def test_only_the_rows_that_fence_are_others() -> None:
    """They do otherwise, under the same guards; each event of theirs chooses the brokers that get the partitions."""
    digest = Digest()
    rows = [
        {row.id: digest.of((row.when, row.stages, row.say)) for table in tables for row in table.rows}
        for tables in (RELEASES["3.9"].tables, AUTOMQ.tables)
    ]
    assert {id for id in rows[0] if rows[0][id] != rows[1].get(id)} == FENCING
    assert rows[0].keys() == rows[1].keys()
    events = {row.event.name: row.event for table in AUTOMQ.tables for row in table.rows if row.id in FENCING}
    mine = [row for table in AUTOMQ.tables for row in table.rows if row.event.name in events]
    assert all(row.event is events[row.event.name] for row in mine)


def test_nine_claims_of_kafka_are_not_made_of_automq() -> None:
    """All others are, the level's among them."""
    kafka, mine = ({one.id for one in RELEASES[name].whole.properties} if name in RELEASES else
                   {one.id for one in FORKS[name].whole.properties} for name in ("3.9", "automq-1.7"))  # fmt: skip
    assert kafka - mine == {"P4", "P5", "P6", "P13", "P15", "P29", "P34", "P40", "N7"}
    assert mine <= kafka


def test_what_is_otherwise_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """As the differences of a release, with what the tables do not have."""
    assert main(["show", "kraft@automq-1.7", "--releases"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("HOW automq-1.7 DIFFERS FROM 3.9")
    assert "another active broker becomes the only replica" in " ".join(page.split())
    assert "not distinguished by the tables:" in page
    assert main(["show", "kraft@automq-1.7", "--row", "F1", "--english"]) == 0
    assert "hand_over(b)" in capsys.readouterr().out
