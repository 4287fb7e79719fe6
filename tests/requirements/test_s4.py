"""The requirements of S4: no line of the page is forgotten, and every name is that of something.

The page is not here. What is pinned instead is which of its lines demand nothing.
"""

import re
from functools import cache
from pathlib import Path

from fencepost.checkers.requirements import Carriers, Source, carriers_of, faults, read, sources

from .test_sources import named

ROOT = Path(__file__).resolve().parents[2]
LINES = 125
NAVIGATION = {1, 2, 3, 4, 125}
BLANK = {5, 7, 9, 13, 16, 34, 36, 42, 44, 56, 58, 61, 62, 63, 69, 70, 75, 76, 82, 83, 105, 116, 117, 120}
HEADINGS = {
    8: "PartitionStateChange",
    35: "ReplicaStateChange",
    57: "KafkaController Operations",
    59: "onNewTopicCreation",
    64: "onNewPartitionCreation",
    71: "onBrokerFailure",
    77: "onBrokerStartup",
    98: "AR, leader/isr: the columns of the example",
    107: "onControllerFailover",
    118: "onPreferredReplicaElection",
    121: "shutdownBroker",
}
NORMATIVE = set(range(1, LINES + 1)) - NAVIGATION - BLANK - set(HEADINGS)
CONTRADICTIONS = {1, 2, 3, 4, 5, 27, 39, 43, 44, 45, 49}


@cache
def s4() -> Source:
    """Return the requirements of S4."""
    return read(sources()["S4"])


@cache
def known() -> Carriers:
    """Return what the requirements of S4 may name."""
    return carriers_of(s4())[""]


def test_no_sentence_of_the_page_is_forgotten() -> None:
    """Every line that is no heading, blank or navigation has a requirement, and no other line has one."""
    assert len(NORMATIVE) == 85
    assert {line for one in s4().requirements for line in range(one.lines[0], one.lines[1] + 1)} == NORMATIVE
    assert s4().last_line == LINES


def test_every_sentence_has_its_own_number() -> None:
    """The 85 sentences are numbered along the page without a gap; clauses of one have its number and a, b, c."""
    clauses: dict[int, list[str]] = {}
    for one in s4().requirements:
        number, letter = re.fullmatch(r"S4-(\d\d)([a-z]?)", one.id).groups()  # type: ignore[union-attr]
        clauses.setdefault(int(number), []).append(letter)
    assert list(clauses) == list(range(1, len(NORMATIVE) + 1))
    assert all(letters in ([""], list("abcdefgh"[: len(letters)])) for letters in clauses.values())


def test_requirements_are_complete_and_exact() -> None:
    """Every requirement has rows, properties and tests, all of which exist, or a reason; variants break as said."""
    found = faults(s4(), {"": known()}, named())
    assert found == []


def test_every_contradiction_is_told() -> None:
    """All contradictions between the page and Kafka are listed, and each has a section of the page for readers."""
    assert {one.number for one in s4().contradictions} == CONTRADICTIONS
    text = (ROOT / "spec" / s4().page).read_text(encoding="utf-8")
    assert {int(number) for number in re.findall(r"^### (\d+)\. ", text, re.MULTILINE)} == CONTRADICTIONS
    missing = [name for one in s4().contradictions for name in one.variants if f"`{name}`" not in text]
    assert missing == []


def cited(source: str) -> set[int]:
    """Return the lines of the page that the source of a row names, as in `S4:25, S4:81,114`; none of another text."""
    found: set[int] = set()
    for part in re.findall(r"S4:([\d,-]+)", source):
        for span in part.strip(",").split(","):
            first, _, last = span.partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    return found


def carried(line: int) -> set[str]:
    """Return the rows that the requirements of a line name."""
    return {row for one in s4().requirements if one.lines[0] <= line <= one.lines[1] for row in one.rows}


def test_a_row_that_cites_the_page_carries_what_it_cites() -> None:
    """Every line that a row itself cites, headings apart, has a requirement that names this row."""
    wrong = [
        f"{row.id}: S4:{line} demands nothing of it"
        for row in known().rows.values()
        if row.source != row.event.source
        for line in sorted(cited(row.source) - set(HEADINGS))
        if row.id not in carried(line)
    ]
    assert wrong == []


def test_an_event_that_cites_the_page_is_about_what_it_cites() -> None:
    """The lines that an event cites begin and end with a heading or a demand, and some demand names one of its rows."""
    wrong = []
    for event in dict.fromkeys(row.event for row in known().rows.values()):
        lines = cited(event.source)
        ends = {line for line in lines if not {line - 1, line + 1} <= lines}
        if ends - NORMATIVE - set(HEADINGS):
            wrong.append(f"{event.name}: {event.source} begins or ends beside what it is about")
        rows = {row.id for row in known().rows.values() if row.event is event}
        if lines and not any(rows & carried(line) for line in lines):
            wrong.append(f"{event.name}: no requirement of {event.source} names one of its rows")
    assert wrong == []


def test_lines_are_read_from_a_citation() -> None:
    """Single lines, spans and lists are read; the line of another text is not."""
    assert cited("S4:25") == {25}
    assert cited("S4:81,114") == {81, 114}
    assert cited("S4:17-19 and KAFKA-6082, S4:33") == {17, 18, 19, 33}
    assert cited("S3:81, KIP-380") == set()
