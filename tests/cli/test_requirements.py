"""Requirements on the command line: by source, by sentence, and by what carries them."""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.checkers.requirements import read, sources
from fencepost.checkers.requirements_page import page
from tests.cases import each


def test_the_sources_are_listed(fencepost_says: Callable[..., Any]) -> None:
    """`show requirements` names every source with how many demands it has, and how many are carried."""
    document = fencepost_says("show", "requirements", "--json").document
    [s4] = [one for one in document["sources"] if one["source"] == "S4"]
    assert s4["demands"] == s4["carried"] + s4["out_of_scope"] == len(read(sources()["S4"]).requirements)
    lines = fencepost_says("show", "requirements").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("S")] == list(sources())


def test_a_source_is_shown_whole(fencepost_says: Callable[..., Any]) -> None:
    """`show requirements S4` has every demand once, in order, at 100 columns, tests whole; the document has all."""
    source = read(sources()["S4"])
    document = fencepost_says("show", "requirements", "S4", "--json").document
    assert (document["source"], document["protocol"]) == ("S4", "zk")
    assert [one["id"] for one in document["requirements"]] == [one.id for one in source.requirements]
    first = document["requirements"][0]
    assert (first["lines"], first["section"], first["out_of_scope"]) == ([6, 6], "The controller", "")
    assert {one["number"] for one in document["contradictions"]} == {one.number for one in source.contradictions}
    lines = fencepost_says("show", "requirements", "s4").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("S4-")] == [one.id for one in source.requirements]
    assert all(len(line) <= 100 or len(line.split()) == 1 for line in lines)


def test_a_sentence_is_shown_with_its_clauses(fencepost_says: Callable[..., Any]) -> None:
    """A sentence by its number shows all its clauses, a clause itself alone, each with what Kafka does otherwise."""
    document = fencepost_says("show", "requirements", "S4-16", "--json").document
    assert [one["id"] for one in document["requirements"]] == ["S4-16a", "S4-16b", "S4-16c"]
    said = fencepost_says("show", "requirements", "s4-16a").out
    assert said.startswith("S4-16a  ")
    assert "zk+page_reassign_selector" in said


@pytest.mark.parametrize("name", [name for name in sources() if name != "S4"])
def test_every_source_is_shown_by_its_name(fencepost_says: Callable[..., Any], name: str) -> None:
    """`show requirements S2` has every demand once, in order, at 100 columns but for names of tests."""
    source = read(sources()[name])
    lines = fencepost_says("show", "requirements", name).out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith(f"{name}-")] == [one.id for one in source.requirements]
    assert all(len(line) <= 100 or len(line.split()) == 1 for line in lines)
    assert source.otherwise.upper() in lines


def test_a_sentence_of_two_versions_says_which(fencepost_says: Callable[..., Any]) -> None:
    """A demand of KIP-631 names its version and how that is known, its variants with their protocols."""
    said = fencepost_says("show", "requirements", "S2-26b").out
    assert "    version: v2 (inserted, S2:32-46 has version 1's wording)" in said
    assert "kip631-v2+latest_committed breaks K1" in said
    document = fencepost_says("show", "requirements", "S2", "--json").document
    assert document["protocol"] == {"v1": "kip631-v1", "v2": "kip631-v2"}
    assert all(one["versions"] and one["version_from"] for one in document["requirements"])


def test_what_a_row_or_a_property_is_there_for(fencepost_says: Callable[..., Any]) -> None:
    """`--row` turns the question round: the demands that a row, or a property, carries."""
    found = fencepost_says("show", "requirements", "S4", "--row", "ZP3p", "--json").document["requirements"]
    assert found
    assert all("ZP3p" in one["rows"] for one in found)
    same = fencepost_says("show", "requirements", "--row", "ZP3p", "--json").document["requirements"]
    assert same == found
    by_property = fencepost_says("show", "requirements", "--row", "ZI16", "--json").document["requirements"]
    assert all("ZI16" in one["properties"] for one in by_property)


def test_markdown_is_the_generated_page(fencepost_says: Callable[..., Any]) -> None:
    """`--markdown` prints the page of the site."""
    path = sources()["S4"]
    assert fencepost_says("show", "requirements", "S4", "--markdown").out == page(read(path), path) + "\n"


@each(
    ("arguments", "said"),
    [
        (("S9",), "S9: no requirements of this source are written; use one of S0"),
        (("S4-99",), "S4: no requirement has the id S4-99; did you mean"),
        (("S4", "--row", "ZZ9"), "ZZ9: no requirement of S4 names a row or property of this id"),
        (("S4-16", "--row", "ZP3p"), "S4-16: --row asks for sentences of a whole source; leave one of the two out"),
        (("S4-16", "--markdown"), "S4-16: --markdown prints whole sources; leave it out"),
        (("--table", "brokers"), "requirements: --table, --english and --releases are for tables; leave them out"),
        (("--at", "3"), "requirements: --at asks something of a recorded log"),
    ],
)
def test_a_wrong_question_gets_one_sentence(
    fencepost_says: Callable[..., Any], arguments: tuple[str, ...], said: str
) -> None:
    """What cannot be answered is refused in one sentence that says what to ask instead."""
    found = fencepost_says("show", "requirements", *arguments)
    assert found.code == 2
    assert said in found.sentence


def test_only_requirements_have_a_source(fencepost_says: Callable[..., Any]) -> None:
    """A second name after a protocol is refused."""
    found = fencepost_says("show", "kraft", "S4")
    assert (found.code, found.sentence) == (
        2,
        "fencepost: S4: nothing more can be named after kraft; only after requirements, source, fork or matrix",
    )
