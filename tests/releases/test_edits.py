"""Releases as edits of the tables: each changes what it says, and nothing without a name."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from fencepost.checkers.conformance.answers.judge import judge, read_lines
from fencepost.checkers.conformance.answers.partitions import PARTITION_CHANGE_BUILDER
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.explored import EXPLORED
from fencepost.model.kraft.state import mv
from fencepost.model.language import FALSE, TRUE, Protocol, TableError
from fencepost.model.language.fingerprint import Digest
from fencepost.model.language.properties import LeadsTo, Sometimes
from fencepost.model.language.terms import Compare, Eq, Get, Lit
from fencepost.model.language.walk import nodes
from fencepost.model.registry import FAMILIES, UnknownProtocol, find
from fencepost.model.releases import NEWEST, RELEASES, Difference, Release
from fencepost.model.releases.edits import Other, Redefine, Tables, Without, edited

ORACLE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle"
OLDER = [release for release in RELEASES.values() if release.newer is not None]
DIFFERENCES = [(release, one) for release in OLDER for one in release.differences]


def named(case: object) -> str:
    """Return how a test is called after a release or a difference."""
    return case.name if isinstance(case, (Release, Difference)) else ""


def digests(tables: Tables, ids: set[str]) -> dict[str, str]:
    """Return a digest of what each of some rows asks, does and answers, as the hash of a protocol is made."""
    digest = Digest()
    rows = ((table, row) for table in tables for row in table.rows if row.id in ids)
    return {row.id: digest.of((table.guard(row), row.stages, row.say)) for table, row in rows}


def test_the_releases_are_in_order_and_the_newest_is_the_tables() -> None:
    """Newest first, each made from the one in front of it; the newest is `kraft` itself."""
    releases = list(RELEASES.values())
    assert list(RELEASES) == ["4.4", "4.3", "4.2", "4.1", "4.0", "3.9", "3.8", "3.7"]
    assert [one.newer for one in releases] == [None, *releases[:-1]]
    assert (releases[0].whole, releases[0].explored) == (KRAFT, EXPLORED)
    assert [one.newest_level for one in releases] == [33, 30, 29, 27, 25, 21, 20, 19]


@pytest.mark.parametrize(("release", "difference"), DIFFERENCES, ids=named)
def test_each_difference_changes_the_tables_or_needs_a_higher_level(release: Release, difference: Difference) -> None:
    """An edit gives other tables, where it says; rows beyond a release ask for a level that it has not."""
    before, after = next((a, b) for one, a, b in release.steps() if one is difference)
    assert bool(difference.edits) != bool(difference.beyond)
    old, new = ({row.id: row for table in tables for row in table.rows} for tables in (before, after))
    changed = {id for id in new if old[id] is not new[id]}
    assert bool(changed or set(old) - set(new)) is bool(difference.edits)
    was, became = digests(before, changed), digests(after, changed)
    assert not [id for id in changed if was[id] == became[id]]
    for edit in difference.edits:
        if isinstance(edit, Without):
            assert set(edit.ids) <= set(old) - set(new)
        if isinstance(edit, Other):
            assert old[edit.id] is not new[edit.id]
    for id in difference.beyond:
        asked = [n.right for n in nodes(new[id].when) if isinstance(n, Compare) and isinstance(n.right, Lit)]
        asked += [n.left for n in nodes(new[id].when) if isinstance(n, Compare) and isinstance(n.left, Lit)]
        assert any(isinstance(one, Lit) and one.value > release.newest_level for one in asked)


@pytest.mark.parametrize("release", OLDER, ids=named)
def test_rows_that_no_difference_is_about_are_the_newer_releases(release: Release) -> None:
    """Outside its differences a release shares the very rows of the next newer one, and has no rows of its own."""
    assert release.newer is not None
    newer = {row.id: row for table in release.newer.tables for row in table.rows}
    own = {row.id: row for table in release.tables for row in table.rows}
    assert set(own) <= set(newer)
    assert any(own[id] is newer[id] for id in own)
    if not any(one.edits for one in release.differences):
        assert release.tables == release.newer.tables


@pytest.mark.parametrize("release", OLDER, ids=named)
def test_what_a_release_breaks_is_declared(release: Release) -> None:
    """Properties that fall with an old rule are declared violated with its finding, in older releases too."""
    declared = {id for one in release.differences for id, _ in one.breaks}
    assert declared <= set(release.broken)
    for one in release.whole.properties:
        if not isinstance(one, (LeadsTo, Sometimes)) and one.id in release.broken:
            assert (one.expected, one.finding) == ("violated", release.broken[one.id])
    assert not {row.id for row in release.whole.rows} & set(release.beyond)
    assert {row.id for row in release.for_logs.rows} >= set(release.beyond)
    claim = release.whole.property("MV")
    assert str(release.newest_level) in str(claim)
    assert "MV" not in {one.id for one in KRAFT.properties}


@pytest.mark.parametrize("release", OLDER, ids=named)
def test_the_explored_slice_starts_at_a_level_of_the_release(release: Release) -> None:
    """A bound of an older release begins at its highest metadata.version, which its own claim allows."""
    for bound in release.explored.bounds.values():
        levels = [
            n.right.value for n in nodes(bound.start) if isinstance(n, Eq) and n.left is mv and isinstance(n.right, Lit)
        ]
        assert levels == [release.newest_level]
    assert {row.id for row in release.explored.rows} <= {row.id for row in EXPLORED.rows}


def test_the_slice_takes_the_edits_that_it_has_rows_for() -> None:
    """Of 4.2 the slice has the completion; of 4.0 activation; what is edited outside it leaves its rows."""
    newer, older = (RELEASES[name].explored for name in ("4.1", "4.0"))
    assert newer.row("FO1") is not older.row("FO1")
    assert RELEASES["4.3"].explored.row("A14") is not RELEASES["4.2"].explored.row("A14")
    assert RELEASES["4.3"].explored.row("FO1") is RELEASES["4.2"].explored.row("FO1")


def test_an_edit_of_what_is_not_there_is_refused() -> None:
    """Rows and terms that the tables do not have raise, and say what is missing; a slice goes on without."""
    for edit, words in (
        (Without(("CU1", "XX9")), "CU1, XX9"),
        (Other("XX9", lambda row: row), "row XX9"),
        (Redefine("nonsense", lambda body: TRUE), "the term nonsense"),
        (Redefine("elr_on", lambda body: FALSE, inside="nowhere", rows=("IDLE",)), "elr_on inside nowhere"),
    ):
        with pytest.raises(TableError, match=words):
            edited(KRAFT.tables, (edit,))
        assert edited(KRAFT.tables, (edit,), slice_=True) is KRAFT.tables


# -- names -----------------------------------------------------------------------------------------------------------
def test_a_release_is_found_by_its_name() -> None:
    """`kraft@4.2` is the release's tables, whole and explored; the newest release's are `kraft`."""
    family = find("kraft@4.2")
    assert (family.name, family.whole, family.explored) == (
        "kraft@4.2",
        RELEASES["4.2"].whole,
        RELEASES["4.2"].explored,
    )
    assert find(f"kraft@{NEWEST}") is FAMILIES["kraft"]
    for name in ("kraft@9.9", "kraft@", "kraft@4"):
        with pytest.raises(UnknownProtocol, match=rf"no tables of this release; use one of kraft@{NEWEST}, "):
            find(name)


# -- what Kafka's own builder answered -------------------------------------------------------------------------------
def builder_of(release: Release) -> Protocol:
    """Return the partition change builder of a release, by itself."""
    tables = PARTITION_CHANGE_BUILDER.protocol.tables
    for one in RELEASES.values():
        if one.newest_level < release.newest_level:
            break
        tables = edited(tables, tuple(edit for d in one.differences for edit in d.edits), slice_=True)
    return replace(PARTITION_CHANGE_BUILDER.protocol, tables=tables)


def test_an_older_builder_is_refused_by_the_newest_ones_answers() -> None:
    """Kafka 4.4's recorded answers are those of its builder; an older builder differs from the same answers as the next
    newer one where their tables are the same, and from others where they are not."""
    lines = list(islice(read_lines(ORACLE / "partition-change-builder-sample.ndjson.gz"), 0, None, 7))
    assert len(lines) > 700
    newer, refused = builder_of(RELEASES[NEWEST]).hash, set[int]()
    for number, release in RELEASES.items():
        builder = builder_of(release)
        found = judge(replace(PARTITION_CHANGE_BUILDER, protocol=builder), lines, limit=len(lines) * 20)
        differing = {one.line for one in found.differences}
        assert found.lines == len(lines)
        assert (differing != refused) == (builder.hash != newer), number
        newer, refused = builder.hash, differing
    assert refused


@pytest.mark.parametrize("release", [one for one in OLDER if one.newest_level < 33], ids=named)
def test_no_release_before_44_can_unregister_a_controller(release: Release) -> None:
    """No release before 4.4 has the request, whichever broker it names: none of its rows is there."""
    rows = {row.id for row in KRAFT.rows if row.event.name == "UnregisterController"}
    assert rows == {"CU0", "CU1", "CU2", "CU3"}
    assert not rows & {row.id for row in release.whole.rows}
    assert not [row.id for row in release.for_logs.rows if row.id == "CU0"]


def test_kraft_version_was_a_feature_like_any_other() -> None:
    """Up to 4.0 an update of kraft.version writes a FeatureLevel (FE9) and compares with the last, not with Raft's."""
    new, old = RELEASES["4.1"].whole, RELEASES["4.0"].whole
    gone = {row.id for row in new.rows} - {row.id for row in old.rows}
    assert {"FE10", "FE11", "FE12", "RA4"} <= gone
    asked = {
        id: any(isinstance(n, Get) and n.state.name == "kraft_version" for n in nodes(old.row(id).when))
        for id in ("FE2", "FE3", "RG5", "RG7")
    }
    assert asked == {"FE2": False, "FE3": False, "RG5": True, "RG7": True}


@pytest.mark.parametrize("number", ["3.9", "3.8", "3.7"])
def test_the_tables_of_a_migration_have_a_name(number: str) -> None:
    """`kraft@3.9+migration` has the rows with which logs from ZooKeeper are checked; no later release has them."""
    assert find(f"kraft@{number}+migration").whole is RELEASES[number].migrating
    assert {"ZM1", "ZM10", "AC5"} <= {row.id for row in find(f"kraft@{number}+migration").whole.rows}
    with pytest.raises(UnknownProtocol, match=r"use one of kraft@3\.9\+migration"):
        find("kraft@4.0+migration")


def test_what_release_3_9_leaves_out_is_so() -> None:
    """What is said of clusters from ZooKeeper names tables that there are, and rows that they have."""
    [sentence] = [one for one in RELEASES["3.9"].unexpressed if "ZooKeeper" in one]
    assert "kraft@3.9+migration" in sentence
    assert find("kraft@3.9+migration").whole.name == "kraft@3.9-migrating"
