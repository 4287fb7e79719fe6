"""The reader and the checker of requirements: every kind of mistake is reported with its place."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.requirements import Carriers, Contradiction, Requirement, Section, Source, faults, read, sources
from fencepost.checkers.requirements_page import page
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import KRAFT
from tests.cases import each

KNOWN = Carriers({"A1": KRAFT.rows[0], "A2": KRAFT.rows[1]}, frozenset({"P1"}), {"toy+broken": frozenset({"P1"})})
TESTS = ["tests/test_it.py::test_it"]


def requirement(id: str, line: int) -> Requirement:
    """Return a requirement that everything carries."""
    return Requirement(id, (line, line), "It does.", ("A1",), ("P1",), tuple(TESTS), (), "", "", "")


SOURCE = Source(
    name="S9",
    title="a page",
    protocols={"": "toy"},
    page="toy.md",
    last_line=4,
    other_lines={"heading": (1,), "blank": (3,)},
    sections=(Section("All", (1, 4)),),
    contradictions=(Contradiction(7, "Not so", {"broken": ("P1",)}),),
    requirements=(replace(requirement("S9-01", 2), contradictions=(7,)), requirement("S9-02", 4)),
)
FIRST, SECOND = SOURCE.requirements
UNCARRIED = replace(SECOND, rows=(), properties=(), tests=())


def but(*requirements: Requirement) -> Source:
    """Return the source with other requirements."""
    return replace(SOURCE, requirements=requirements)


BOTH = replace(
    SOURCE,
    protocols={"v1": "toy", "v2": "boat"},
    contradictions=(Contradiction(7, "Not so", {"toy+broken": ("P1",)}),),
    requirements=(
        replace(FIRST, versions=("v1",), version_from="deleted"),
        replace(SECOND, rows=("A1", "B1"), properties=("P1", "P2"), versions=("v1", "v2"), version_from="kept"),
    ),
)
ONE, OTHER = BOTH.requirements
KNOWN_OF_BOTH = {"v1": KNOWN, "v2": Carriers({"B1": KRAFT.rows[0]}, frozenset({"P2"}), {})}


@each(
    ("requirements", "said"),
    [
        ((ONE, OTHER), None),
        ((ONE, replace(OTHER, versions=())), "S9-02: does not say of which version it is, or not how that is known"),
        (
            (ONE, replace(OTHER, version_from="")),
            "S9-02: does not say of which version it is, or not how that is known",
        ),
        ((ONE, replace(OTHER, versions=("v1", "v3"))), "S9-02: S9 has no version v3"),
        ((ONE, replace(OTHER, rows=("A1",))), "S9-02: names no row of v2"),
        ((ONE, replace(OTHER, properties=("P2",))), "S9-02: names no property of v1"),
        ((replace(ONE, rows=("A1", "B1")), OTHER), "S9-01: there is no row B1"),
        ((replace(ONE, properties=("P1", "P2")), OTHER), "S9-01: there is no property P2"),
    ],
)
def test_a_source_with_two_versions(requirements: tuple[Requirement, ...], said: str | None) -> None:
    """Each demand says of which it is, and names what the tables of that version have; of both, something of each."""
    found = faults(replace(BOTH, requirements=requirements), KNOWN_OF_BOTH, TESTS)
    assert found == [] if said is None else said in found


def test_a_source_with_one_version_names_none() -> None:
    """A version where there is but one is a mistake, and so is a variant of tables that are not the source's."""
    assert faults(but(FIRST, replace(SECOND, versions=("v1",))), {"": KNOWN}, TESTS) == [
        "S9-02: names a version, and S9 has but one"
    ]
    other = replace(BOTH, contradictions=(Contradiction(7, "Not so", {"kraft+broken": ("P1",)}),))
    assert "contradiction 7: there is no variant kraft+broken" in faults(other, KNOWN_OF_BOTH, TESTS)


def test_nothing_is_wrong_with_what_is_complete() -> None:
    """A source whose every line and name is right has no fault; nor has one with reasons where carriers lack."""
    assert faults(SOURCE, {"": KNOWN}, TESTS) == []
    assert faults(but(FIRST, replace(UNCARRIED, out_of_scope="It cannot be known.")), {"": KNOWN}, TESTS) == []
    assert faults(but(FIRST, replace(SECOND, properties=(), unclaimed="No state shows it.")), {"": KNOWN}, TESTS) == []
    by_test = replace(SECOND, rows=(), properties=(), untabled="No table has a disk.", recordings=("first-boot",))
    assert faults(but(FIRST, by_test), {"": KNOWN}, TESTS) == []
    assert faults(but(FIRST, replace(UNCARRIED, missing="Not yet.")), {"": KNOWN}, TESTS) == []


@each(
    ("source", "said"),
    [
        (but(FIRST), "line 4: no requirement speaks of it"),
        (but(FIRST, replace(SECOND, id="S9-01")), "S9-01: 2 requirements have this id"),
        (but(FIRST, replace(SECOND, id="S8-02")), "S8-02: an id of S9 is S9-NN, with a letter for a clause"),
        (but(FIRST, replace(SECOND, id="S9-2")), "S9-2: an id of S9 is S9-NN, with a letter for a clause"),
        (but(SECOND, FIRST), "S9-01: comes after S9-02 and should not"),
        (but(FIRST, replace(SECOND, lines=(4, 5))), "line 5: the source has no such line"),
        (but(FIRST, replace(SECOND, lines=(3, 4))), "line 3: has a requirement and is declared without demand"),
        (replace(SOURCE, sections=()), "S9-01: its first line lies in no section, or in several"),
        (
            replace(SOURCE, other_lines={"heading": (1, 3), "blank": (3,)}),
            "line 3: declared without demand more than once",
        ),
        (but(FIRST, UNCARRIED), "S9-02: names no row and no property and no test, and no reason why"),
        (but(FIRST, replace(SECOND, tests=())), "S9-02: names no test, and no reason why"),
        (but(FIRST, replace(SECOND, properties=())), "S9-02: names no property, and no reason why"),
        (
            but(FIRST, replace(SECOND, unclaimed="Why not.")),
            "S9-02: has properties, and a reason why no property speaks of it",
        ),
        (
            but(FIRST, replace(SECOND, out_of_scope="Why not.")),
            "S9-02: is carried by something, and has a reason why nothing carries it",
        ),
        (
            but(FIRST, replace(SECOND, untabled="No table has it.")),
            "S9-02: has a reason why no row speaks of it, and something else beside its tests",
        ),
        (but(FIRST, replace(UNCARRIED, untabled="No table has it.")), "S9-02: names no test, and no reason why"),
        (
            but(FIRST, replace(UNCARRIED, missing="Not yet.", out_of_scope="Never.")),
            "S9-02: is carried by something, and has a reason why nothing carries it",
        ),
        (but(FIRST, replace(SECOND, recordings=("first-boat",))), "S9-02: there is no recording first-boat"),
        (but(FIRST, replace(SECOND, rows=("A9",))), "S9-02: there is no row A9"),
        (but(FIRST, replace(SECOND, properties=("P9",))), "S9-02: there is no property P9"),
        (but(FIRST, replace(SECOND, tests=("tests/no.py::no",))), "S9-02: there is no test tests/no.py::no"),
        (but(FIRST, replace(SECOND, contradictions=(8,))), "S9-02: there is no contradiction 8"),
        (but(replace(FIRST, contradictions=()), SECOND), "contradiction 7: no requirement names it"),
        (replace(SOURCE, contradictions=SOURCE.contradictions * 2), "contradiction 7: is there 2 times"),
        (
            replace(SOURCE, contradictions=(Contradiction(7, "Not so", {"absent": ()}),)),
            "contradiction 7: there is no variant toy+absent",
        ),
        (
            replace(SOURCE, contradictions=(Contradiction(7, "Not so", {"broken": ()}),)),
            "contradiction 7: broken breaks P1, not nothing",
        ),
    ],
)
def test_every_mistake_is_told(source: Source, said: str) -> None:
    """A source with one mistake has that fault, reported in one sentence that begins with its place."""
    assert said in faults(source, {"": KNOWN}, TESTS)


GOOD = """
source = "S9"
title = "a page"
protocol = "toy"
page = "toy.md"
last_line = 3

[other_lines]
heading = [1]

[[contradiction]]
number = 7
title = "Not so"
variants = { broken = ["P1"] }

[[section]]
title = "All"
lines = [1, 3]

[[requirement]]
id = "S9-01"
lines = [2, 3]
says = "It does | or not."
rows = ["A1"]
properties = ["P1"]
tests = ["tests/test_it.py::test_it"]
contradictions = [7]
"""


def written(folder: Path, text: str) -> Path:
    """Write a file of requirements and return its path."""
    path = folder / "s9.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_and_becomes_a_page(tmp_path: Path) -> None:
    """A file is found by its source's name, read as it says, and its page names every carrier once."""
    source = read(written(tmp_path, GOOD))
    assert sources(tmp_path) == {"S9": tmp_path / "s9.toml"}
    [one] = source.requirements
    assert (one.id, one.lines, one.place, one.rows, one.contradictions) == ("S9-01", (2, 3), "2-3", ("A1",), (7,))
    assert (one.note, one.out_of_scope) == ("", "")
    assert source.carried_by("A1") == source.carried_by("P1") == (one,)
    assert source.carried_by("A2") == ()
    assert source.requirement("S9-01") is one
    text = page(source, tmp_path / "s9.toml")
    assert (
        "| S9-01 | 2-3 | It does \\| or not. [↯7](#contradiction-7) | A1 | P1 | [it](../../tests/test_it.py) |" in text
    )
    assert '| <a id="contradiction-7"></a>7 | Not so | `toy+broken`: P1 | S9-01 |' in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("last_line = 3", "last_line = true", "s9.toml: last_line has to be a number; correct it"),
        ('title = "a page"\n', "", "s9.toml: title has to be a text; correct it"),
        ("lines = [2, 3]", "lines = [3, 2]", "requirement S9-01: lines has to be a first and a last line; correct it"),
        ('rows = ["A1"]', 'rows = ["A1", 2]', "requirement S9-01: rows has to be a list of texts; correct it"),
        ('rows = ["A1"]', 'row = ["A1"]', "requirement S9-01: nothing is called row; use one of"),
        ("heading = [1]", 'heading = ["1"]', "other_lines: heading has to be a list of numbers; correct it"),
        ('variants = { broken = ["P1"] }', "variants = 3", "contradiction 1: variants has to be a table; correct it"),
        ("source =", "source", "is no TOML"),
    ],
)
def test_a_misshapen_file_is_refused_in_one_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    """What has another shape is refused, and the sentence says the file, the block and what to do."""
    assert old in GOOD
    with pytest.raises(Refusal) as refused:
        read(written(tmp_path, GOOD.replace(old, new, 1)))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_of_two_versions_is_read_and_becomes_a_page(tmp_path: Path) -> None:
    """Protocols by version, each demand with its own, variants by their whole names, and a heading of its own."""
    text = GOOD.replace('protocol = "toy"\npage = "toy.md"', 'otherwise = "What differs"', 1)
    text = text.replace("[other_lines]", '[protocols]\nv1 = "toy"\nv2 = "boat"\n\n[other_lines]', 1)
    text = text.replace("{ broken =", '{ "boat+broken" =', 1)
    text += 'versions = ["v2"]\nversion_from = "inserted"\n'
    source = read(written(tmp_path, text))
    assert source.protocols == {"v1": "toy", "v2": "boat"}
    [one] = source.requirements
    assert (source.versions_of(one), one.version_from) == (("v2",), "inserted")
    said = page(source, tmp_path / "s9.toml")
    assert "those of [toy](../tables/toy.md) (v1) and [boat](../tables/boat.md) (v2); [README]" in said
    assert "| **v2** (inserted) It does \\| or not. " in said
    assert "## What differs" in said
    assert "`boat+broken`: P1" in said


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there is refused by its name."""
    with pytest.raises(Refusal, match=r"s8\.toml: there is no such file"):
        read(tmp_path / "s8.toml")


def test_a_file_of_several_tables_is_read_and_counted(tmp_path: Path) -> None:
    """Tables beside the first one are named, and the page counts what properties, rows, tests and nothing carry."""
    text = GOOD.replace('protocol = "toy"\n', 'protocol = "toy"\nbeside = ["boat", "ship"]\n', 1)
    text = text.replace("last_line = 3", "last_line = 6", 1).replace("lines = [1, 3]", "lines = [1, 6]", 1)
    for line, of in (
        (4, 'tests = ["tests/test_it.py::test_it"]\nuntabled = "No table has a disk."\nrecordings = ["first-boot"]'),
        (5, 'missing = "Not yet."'),
        (6, 'out_of_scope = "Never."'),
    ):
        text += f'\n[[requirement]]\nid = "S9-0{line - 2}"\nlines = [{line}, {line}]\nsays = "More."\n{of}\n'
    source = read(written(tmp_path, text))
    assert source.tables_of("") == ("toy", "boat", "ship")
    assert source.requirements[1].recordings == ("first-boot",)
    said = page(source, tmp_path / "s9.toml")
    assert "those of [toy](../tables/toy.md), [boat](../tables/boat.md) and [ship](../tables/ship.md); " in said
    assert (
        "Demands: 4, 2 carried (1 by a property, 0 by rows and tests, 1 by tests alone); 1 nothing carries yet; "
        "1 are out of scope, each with its reason." in said
    )
    for words in ("*No row: No table has a disk.* *Recorded: first-boot.*", "**Nothing carries it yet:** Not yet."):
        assert words in said
