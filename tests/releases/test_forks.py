"""Forks as edits of the release that they were made from: what is otherwise, and which claims are not made of them."""

from __future__ import annotations

import pytest

from fencepost.checkers.cli.main import main
from fencepost.model.language.fingerprint import Digest
from fencepost.model.language.properties import Always, Step
from fencepost.model.registry import UnknownProtocol, find
from fencepost.model.releases import FORKS, RELEASES, Release

AUTOMQ, INKLESS = FORKS["automq-1.7"], FORKS["inkless"]
BASES = (("automq-1.7", "3.9"), ("inkless", "4.2"))


@pytest.mark.parametrize(("name", "base"), BASES)
def test_a_fork_is_a_protocol_by_its_name(name: str, base: str) -> None:
    """Beside the releases, with the levels of the one that it was made from; another name is refused."""
    fork = FORKS[name]
    assert find(f"kraft@{name}").whole is fork.whole
    assert (fork.whole.name, fork.newest_level) == (f"kraft@{name}", RELEASES[base].newest_level)
    with pytest.raises(UnknownProtocol, match=r"kraft@automq-1\.7, kraft@inkless"):
        find("kraft@automq-9")


def rows_of(release: Release) -> dict[str, str]:
    """Return a digest of each row of a release."""
    digest = Digest()
    return {row.id: digest.of((row.when, row.stages, row.say)) for table in release.tables for row in table.rows}


def test_rows_of_automq_that_are_others() -> None:
    """Those that move partitions, or create them; those through which a directory decides; no balance of leaders."""
    kafka, mine = rows_of(RELEASES["3.9"]), rows_of(AUTOMQ)
    moving = {"HB1", "HB2", "HB4", "HB5", "HB6", "HB7", "HB10", "F1", "UR3", "RA3", "CT3"}
    by_directories = {"A14", "AD3", "AD4", "OD3", "OD4", "RC4", "RC5", "EL3", "EU3", "UE1"}
    with_failures = {"HD1", "HD1n", "HD2", "HD2n", "HD6", "HD6n", "HD10", "HD10n"}
    refusing = {"RA2", "CT2", "CT4", "CP3", "CP5", "CP6"}
    changed = {id for id in mine if mine[id] != kafka.get(id)}
    assert moving <= changed <= moving | by_directories | with_failures | refusing
    assert (kafka.keys() - mine.keys(), mine.keys() - kafka.keys()) == ({"BA1"}, set())


def test_rows_of_inkless_that_there_are_beside_kafkas() -> None:
    """A table for the seals, a refusal of switches, one of unclean elections; no row of Kafka's is missing."""
    kafka, mine = rows_of(RELEASES["4.2"]), rows_of(INKLESS)
    seals = {*(f"IL{number}" for number in range(1, 9)), *(f"AS{number}" for number in range(1, 8))}
    assert (kafka.keys() - mine.keys(), mine.keys() - kafka.keys()) == (set(), {"CM3", "EU4", *seals})
    assert {"CM1", "CT3", "CP5", "CP6", "RA3"} <= {id for id in kafka if mine[id] != kafka[id]}


@pytest.mark.parametrize(("name", "base", "fallen", "own"), [
    ("automq-1.7", "3.9", {"P21r", "P29", "P34", "B15", "C13"}, {"AQ1", "AQ2"}),
    ("inkless", "4.2", {"P8r"}, {f"DS{number}" for number in range(1, 35) if number != 9}),
])  # fmt: skip
def test_claims_that_are_not_made_of_a_fork(name: str, base: str, fallen: set[str], own: set[str]) -> None:
    """All others are, the level's among them, and some about the fork's own rules."""
    kafka, mine = ({one.id for one in of.whole.properties} for of in (RELEASES[base], FORKS[name]))
    assert (kafka - mine, mine - kafka) == (fallen, own)


def test_claims_that_are_made_of_classic_topics_alone() -> None:
    """Where a partition is diskless they say nothing, and their words say so."""
    told = {one.id for one in INKLESS.whole.properties if "not diskless" in one.about}
    assert told == {"P6", "P7", "P7r", "P7s", "P10", "P11", "P12", "P21r", "P29", "P33", "P34"}
    digest = Digest()
    kafka, mine = (
        {one.id: digest.of(one.term) for one in of.whole.properties if isinstance(one, (Always, Step))}
        for of in (RELEASES["4.2"], INKLESS)
    )
    assert told <= {id for id in mine.keys() & kafka.keys() if mine[id] != kafka[id]}


@pytest.mark.parametrize(("name", "base", "says", "row", "does"), [
    ("automq-1.7", "3.9", "another active broker becomes the only replica", "F1", "hand_over(b)"),
    ("inkless", "4.2", "marks each partition of the topic", "IL8", "DisklessSwitch(p, seal=start"),
])  # fmt: skip
def test_what_is_otherwise_is_shown(
    name: str, base: str, says: str, row: str, does: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the differences of a release, with what the tables do not have."""
    assert main(["show", f"kraft@{name}", "--releases"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(f"HOW {name} DIFFERS FROM {base}")
    assert says in " ".join(page.split())
    assert "not distinguished by the tables:" in page
    assert main(["show", f"kraft@{name}", "--row", row, "--english"]) == 0
    assert does in capsys.readouterr().out


@pytest.mark.parametrize(("name", "base"), BASES)
def test_a_fork_has_the_bounds_of_its_release(name: str, base: str) -> None:
    """With sizes for what is the fork's own, so that it is explored, and a report names its rows."""
    mine, kafka = FORKS[name].explored.bounds, RELEASES[base].explored.bounds
    assert {id: one.sizes.items() - kafka[id].sizes.items() for id, one in mine.items()} == {
        id: ({("seal", 1)} if name == "inkless" else set()) for id in kafka
    }
