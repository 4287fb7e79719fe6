"""The requirements of S0 to S3: no line is forgotten, every name is that of something, every citation is answered.

The texts are not here. What is pinned instead is which of their lines demand something.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.quorum import judge_quorum
from fencepost.checkers.conformance.quorum.results import RULES
from fencepost.checkers.requirements import RECORDED, Carriers, Source, carriers_of, faults, read, sources
from fencepost.model.registry import FAMILIES
from fencepost.traces import find_logs

ROOT = Path(__file__).resolve().parents[2]
DEMANDS = {
    "S0": "18 20 26 28 32 34 36 42 44 48 50 54 56 58 62 70-73 76-79 81 83-86 88 90 92 95 97-105 107 109-114 116 118"
    " 120 122 124 126 128 132 134 136 138 144",
    "S1": "13 19 23 25 29 31 33 37 41-42 44 48 50 52 54 58 63-68 72 76 82-83 87 89 91-92 94 97 100 105-106 108 112"
    " 116-117 123 125-126 130 132 136-137 139 141",
    "S2": "2 4 6-8 10-13 16 18 20 22-28 31 33-36 38-39 41-43 45-46 48-49 51-54 56-57 59-62 64-65 67-79 81-82"
    " 84-95 98-111 113-148 150-177 179-230 232-255 258 260 262-271 274-275 277 279-281 283 287 290-300"
    " 303-331 333-363 365-389 394 397-398 400 405-409 411-412 416-420 425 427 431-447 449-462 464-483"
    " 485-492 494-505 507-535 537-555 557-558 561-564 566-567 569-570 573-576 578-579 581-582",
    "S3": "7 11 13 17 21 23-26 28 30-31 39-43 48-64 69 71 73 75 77 79 83 87-89 91 100-112 117 119-120 122 126 130"
    " 134 138 140-143 147 149-156 160 164 168 170-171 173 177 181 184-192 194 198-203 207 209-214 216 220 224"
    " 228 232 234 238 240-241 244 248 254 258 262 266 270 273-278 280 285-294 296 301-305 307 311-317 321-323"
    " 325-327 329-331 333-335 343 347 353 357 361 365",
}
"""The lines that demand something, by source."""
LINES = {"S0": 146, "S1": 143, "S2": 582, "S3": 369}
BEGINNINGS = {"HF1"}
"""Rows that no sentence asks for: a cluster that is up, so that short runs need not begin with it."""

LONG = {"fake-chaos-elr", "upgrade-3.9-to-4.4"}
"""Recordings that take more than ten seconds."""

every_source = pytest.mark.parametrize("name", list(DEMANDS))


def spanned(text: str) -> set[int]:
    """Return the lines of `18 20-22, 26`."""
    found: set[int] = set()
    for span in re.findall(r"\d+(?:-\d+)?", text):
        first, _, last = span.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


@cache
def source(name: str) -> Source:
    """Return a source's requirements."""
    return read(sources()[name])


@cache
def known(name: str) -> dict[str, Carriers]:
    """Return what the requirements of a source may name, by version."""
    return carriers_of(source(name))


@cache
def named() -> frozenset[str]:
    """Return the names of all tests as pytest takes them, found in the text of every file."""
    return frozenset(
        f"{path.relative_to(ROOT).as_posix()}::{name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


@every_source
def test_no_sentence_is_forgotten(name: str) -> None:
    """Exactly the lines that demand something have a requirement; all others are declared without demand."""
    one = source(name)
    assert {line for each in one.requirements for line in range(each.lines[0], each.lines[1] + 1)} == spanned(
        DEMANDS[name]
    )
    assert one.last_line == LINES[name]


@every_source
def test_requirements_are_complete_and_exact(name: str) -> None:
    """Every requirement has rows, properties and tests, all of which exist, or a reason; variants break as said."""
    assert faults(source(name), known(name), named()) == []


@every_source
def test_every_sentence_has_its_own_number(name: str) -> None:
    """Numbers go up without a gap; clauses of one sentence have its number and a, b, c."""
    clauses: dict[int, list[str]] = {}
    for one in source(name).requirements:
        number, letter = re.fullmatch(rf"{name}-(\d\d\d?)([a-z]?)", one.id).groups()  # type: ignore[union-attr]
        clauses.setdefault(int(number), []).append(letter)
    assert list(clauses) == list(range(1, len(clauses) + 1))
    assert all(letters in ([""], list("abcdefghijkl"[: len(letters)])) for letters in clauses.values())


@every_source
def test_every_row_is_asked_for(name: str) -> None:
    """No row of the tables is without a sentence that names it."""
    asked = {row for one in source(name).requirements for row in one.rows}
    rows = {row.id for protocol in source(name).protocols.values() for row in FAMILIES[protocol].whole.rows}
    assert rows - asked - BEGINNINGS == set()


@every_source
def test_a_row_cites_lines_that_there_are(name: str) -> None:
    """The lines that a row or its event cites are the source's, and some of them demand something."""
    demanding = spanned(DEMANDS[name])
    wrong = []
    for carriers in known(name).values():
        for row in carriers.rows.values():
            for cited in re.findall(rf"{name}:([\d,-]+)", f"{row.source} {row.event.source}"):
                lines = spanned(cited)
                if not lines & demanding or max(lines) > LINES[name]:
                    wrong.append(f"{row.id}: {name}:{cited} demands nothing")
    assert wrong == []


CITED = sorted({name for one in sources() for each in read(sources()[one]).requirements for name in each.recordings})


def shown_of_the_loop(path: Path) -> set[str]:
    """The rows and properties of the loop that the logs of a quorum, and their lines, were asked about and keep."""
    result = judge_quorum(find_logs([str(path), str(path / "others")], keep=True))
    assert result.violations == []
    return {claim for rule, times in result.asked.items() if times for claim in RULES[rule].claims}


@pytest.mark.representative("scram-bootstrap-4.4.0", "rolling-restart", "reassignment")
@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow if one in LONG else ()) for one in CITED])
def test_a_recording_shows_what_carries_each_demand_that_names_it(name: str) -> None:
    """A row that carries the demand explains records of the recording, or the logs of its quorum keep what does.

    Where no row carries it, its tests are named.
    """
    path = RECORDED / name
    of_quorum = (path / "others").exists()
    (log,) = conform([path / f"{0:020}.log" if of_quorum else path], None).logs
    loop = shown_of_the_loop(path) if of_quorum else set()
    wrong = [
        each.id
        for one in sources()
        for each in source(one).requirements
        if name in each.recordings
        and each.rows
        and not set(each.rows) & set(log.rows)
        and not {*each.rows, *each.properties} & loop
    ]
    assert wrong == []
