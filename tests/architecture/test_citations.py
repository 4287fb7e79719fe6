"""Citations: an id that a table or a page cites is that of something, and a line of a source is one that it has."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.catalogue import catalogue
from fencepost.checkers.citations import Citation, citations, explained, texts
from fencepost.checkers.citations.normalising import normal
from fencepost.checkers.citations.recording import citing
from fencepost.checkers.requirements import read, sources
from fencepost.model.findings import FINDINGS
from fencepost.model.kraft.interface_properties import PROPERTIES as INTERFACE
from fencepost.model.kraft_data.refinement import KRAFT_REFINES
from fencepost.model.language import Protocol
from fencepost.model.matrix import GUARANTEES
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import FAMILIES
from fencepost.model.releases import FORKS, RELEASES
from fencepost.reference.kraft.simulation.progress import PROMISES

ROOT = Path(__file__).resolve().parents[2]
HELD = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "spec/*.md",
    "spec/findings/*.md",
    "spec/requirements/*.toml",
)
PAGES = [path for pattern in HELD for path in sorted(ROOT.glob(pattern))]
TABLES = sorted((ROOT / "model").rglob("*.py"))
CODE = [
    path
    for room in ("model", "checkers", "reference", "traces", "tests")
    for path in sorted((ROOT / room).rglob("*.py"))
]
ID = re.compile(r"(?<![\w.\-/#=+])[A-Z]{1,3}\d{1,2}[a-z]?\b(?![\-./:=(]\w)")
"""What looks like the id of a row, a property, a finding or a defect."""
OTHERS = {
    "KIP46": "a name in Python",
    "PC1": "the row of the tables for recorded answers of the builder alone",
    "ZC5i": "the row that the variant isr_first adds",
    **dict.fromkeys(PROMISES, "what a simulated run is watched for"),
    **{f"S{number}": "a source" for number in range(5)},
    **dict.fromkeys(("U1", "U2", "U3", *(f"B{number}" for number in range(1, 9))), "a step of the page's twelve"),
}
"""Ids of other things, each with what it is; `B2` is a broker in README's story too."""


def told(path: Path) -> Iterator[str]:
    """Yield the prose of a file: a page whole, of a Python file its texts."""
    if path.suffix != ".py":
        yield path.read_text(encoding="utf-8")
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def ids(protocol: Protocol) -> set[str]:
    """Return the ids of a protocol's rows, properties and assumptions."""
    return {one.id for one in (*protocol.rows, *protocol.properties, *protocol.assumptions, *protocol.inputs)}


@cache
def known() -> frozenset[str]:
    """Return every id that there is."""
    # It makes every variant of the matrix, for a second, which no other test of a worker needs at collection.
    from fencepost.model.matrix.families import VARIANTS

    found = set(OTHERS) | {one.id for one in GUARANTEES}
    for family in (*FAMILIES.values(), *(one for found in VARIANTS.values() for one in found.values())):
        for protocol in (family.whole, *family.slices):
            found |= ids(protocol)
    found |= ids(RELEASES["3.9"].migrating)
    found |= {one.id for one in INTERFACE}
    found |= {one.id for one in (*KRAFT_REFINES.kept, *KRAFT_REFINES.lemmas, *KRAFT_REFINES.ends)}
    found |= {case.target.id for case in KRAFT_REFINES.cases}
    found |= {one.id for case in KRAFT_REFINES.cases for one in case.group.outside}
    for entry in MUSEUM:
        found |= {entry.name, *entry.also, *ids(entry.edited(FAMILIES[entry.base].whole))}
    for fork in FORKS.values():
        found |= ids(fork.whole)
    found |= {one.id for one in FINDINGS} | {one.claim.id for one in FINDINGS}
    found |= {kept.id for one in FINDINGS for kept in one.keeps}
    found |= {path.stem for path in (ROOT / "spec" / "findings").glob("[DK]*.md")}
    return frozenset(found | {one.id for one in catalogue()})


def test_every_id_that_is_cited_is_that_of_something() -> None:
    """Each row, property, finding and defect that a page or a text of the tables names is there."""
    wrong = {
        f"{path.relative_to(ROOT)}: {id}"
        for path in (*PAGES, *TABLES)
        for text in told(path)
        for id in set(ID.findall(text)) - known()
    }
    assert sorted(wrong) == []


def test_every_line_that_is_cited_is_there() -> None:
    """No page, no table, no test cites a line that its source has not, or a source that the index has not."""
    wrong, count = [], 0
    for path in [*PAGES, *CODE]:
        if path == Path(__file__):
            continue
        for one in citations(path.read_text(encoding="utf-8")):
            count += 1
            text = texts().get(one.source)
            # S9 is a source that tests make up.
            if one.source != "S9" and (text is None or not 1 <= one.first <= one.last <= text.lines):
                wrong.append(f"{path.relative_to(ROOT)}: {one.source}:{one.first}-{one.last}")
    assert wrong == []
    assert count > 1000


def test_nothing_points_to_notes_that_are_not_here() -> None:
    """No page and no file cites a text that is neither public nor in the tree."""
    word = "kafka" + "-semantics"
    assert [str(path) for path in [*PAGES, *CODE] if word in path.read_text(encoding="utf-8")] == []


def test_a_finding_that_is_declared_is_told() -> None:
    """What a row or a property is declared to show is a finding, a defect, an id, a line, or a contradiction."""
    numbers = {one.number for path in sources().values() for one in read(path).contradictions}
    wrong = []
    for family in FAMILIES.values():
        for one in (*family.whole.rows, *family.whole.properties):
            finding = getattr(one, "finding", "")
            if not finding or finding in known() or re.fullmatch(r"(KAFKA|KIP)-\d+|S-[a-i]", finding):
                continue
            if finding.startswith("#") and int(finding[1:]) in numbers:
                continue
            if not list(citations(finding)):
                wrong.append(f"{family.name}: {one.id} shows {finding}")
    assert wrong == []


def shared_ids(name: str) -> list[str]:
    """Return the ids that two things of a protocol have, each with what these are."""
    family = FAMILIES[name]
    entries = [one for one in MUSEUM if one.base == name]
    kinds: dict[str, list[str]] = {
        "row": [row.id for row in family.whole.rows],
        "property": list({one.id: None for part in (family.whole, *family.slices) for one in part.properties}),
        "assumption": [one.id for one in (*family.whole.assumptions, *family.whole.inputs)],
        "defect": [one.name for one in entries],
        "finding": [one.id for one in FINDINGS] if name == "kraft" else [],
    }
    seen: dict[str, str] = {}
    return [
        f"{name}: {id}: {seen[id]} and {kind}"
        for kind, names in kinds.items()
        for id in names
        if seen.setdefault(id, kind) != kind or names.count(id) > 1
    ]


def test_no_two_things_of_a_protocol_share_an_id() -> None:
    """Rows, properties, lemmas, assumptions, defects and findings of a protocol have an id each."""
    assert [one for name in FAMILIES for one in shared_ids(name)] == []


def test_the_index_of_the_sources() -> None:
    """A line has its section; sections ascend; the lengths are those that the requirements say."""
    for name, text in texts().items():
        starts = [first for first, _ in text.sections]
        assert starts == sorted(set(starts))
        assert max(starts) <= text.lines
        assert text.address.startswith("https://")
        assert all((text.revision, text.title))
        if name in sources():
            assert read(sources()[name]).last_line == text.lines
    assert texts()["S3"].section(244) == "The broker state machine"
    assert texts()["S3"].section(246) == "Fencing stale brokers"
    assert texts()["S4"].section(53) == "Replica transitions"
    with pytest.raises(KeyError):
        texts()["S3"].section(370)


def test_what_a_citation_is() -> None:
    """Lines and spans, several after one name, beside other words."""
    found = list(citations("S3:246-248, KAFKA-1 and S4:8,12-14 (S0:34)"))
    assert found == [Citation("S3", 246, 248), Citation("S4", 8, 8), Citation("S4", 12, 14), Citation("S0", 34, 34)]
    assert explained("S3:246-248, S3:247") == [
        "S3: The KRaft Controller, chapter 11 of Kafka Internals 4.4, “Fencing stale brokers”"
    ]


def test_every_line_that_is_cited_can_be_found() -> None:
    """Each citation and each demand has words of its lines in the index, a citation of its first and last line."""
    empty = []
    for path, one in citing():
        text = texts().get(one.source)
        if path != Path(__file__) and text is not None and not {one.first, one.last} <= text.cited.keys():
            empty.append(f"{path.relative_to(ROOT)}: {one}")
    assert empty == []
    for name, path in sources().items():
        cited = texts()[name].cited.keys()
        spans = {one.id: range(one.lines[0], one.lines[1] + 1) for one in read(path).requirements}
        assert [id for id, lines in spans.items() if cited.isdisjoint(lines)] == []


def test_few_words_are_quoted() -> None:
    """Of a line at most six words and 42 characters are in the tree, of a source fewer than three tenths of it."""
    for text in texts().values():
        words = [line.words for line in text.cited.values()]
        assert words
        assert max(len(one.split()) for one in words) <= 6
        assert max(map(len, words)) <= 42
        last = max(text.cited.values(), key=lambda line: line.offset)
        assert sum(len(normal(one)) for one in words) < 0.3 * (last.offset + last.length)
