"""Dump texts as people paste them: what the text lost or hides is undecided, and never a violation."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Says = Callable[..., Any]

END = 40
"""The texts hold the records below this offset: the recording `reassignment` has a batch boundary there."""


def below(end: int, text: str) -> list[str]:
    """The lines of a dump in front of the batch at an offset."""
    lines = text.splitlines()
    return lines[: next(at for at, line in enumerate(lines) if line.startswith(f"baseOffset: {end} "))]


@pytest.fixture
def lines(recorded: Path) -> list[str]:
    """The first 40 offsets of `reassignment`, as kafka-dump-log prints them."""
    with gzip.open(recorded / "reassignment" / "dump.txt.gz", "rt", encoding="utf-8") as stream:
        return below(END, stream.read())


def without_metadata(line: str) -> str:
    """A line as --skip-record-metadata prints it: a control record becomes an empty one."""
    if not line.startswith("|"):
        return line
    return "| " + line[line.index("payload: ") :] if "payload: " in line else ""


def cut(line: str) -> str:
    """A line of at most 240 characters."""
    return line if len(line) <= 240 else line[:239] + "…"


def payload(line: str) -> str:
    """What `grep -o 'payload:.*'` prints of a line."""
    return "".join(re.findall("payload:.*", line))


def without_a_batch(lines: list[str]) -> list[str]:
    """The lines without one batch in the middle, its line and its records."""
    starts = [at for at, line in enumerate(lines) if line.startswith("baseOffset: ")]
    first, last = starts[len(starts) // 2 : len(starts) // 2 + 2]
    return lines[:first] + lines[last:]


def with_a_batch_twice(lines: list[str]) -> list[str]:
    """The lines with the last batch once more behind them."""
    return lines + lines[max(at for at, line in enumerate(lines) if line.startswith("baseOffset: ")) :]


PASTES: dict[str, tuple[Callable[[list[str]], list[str]], int, str]] = {
    "whole": (lambda lines: lines, 0, "conforms"),
    "without metadata": (lambda lines: [*map(without_metadata, lines)], 0, "without --skip-record-metadata"),
    "last line missing": (lambda lines: lines[:-1], 3, "the text holds 5 of the 6 records of the batch at 34"),
    "a line left out": (lambda lines: lines[:20] + lines[21:], 3, "the text holds"),
    "fence behind it": (lambda lines: [*lines, "```"], 0, "conforms"),
    "fence behind a lost line": (lambda lines: [*lines[:-1], "```"], 3, "the text holds 5 of the 6 records"),
    "lines cut": (lambda lines: [*map(cut, lines)], 3, ": the record is not the JSON of a metadata record"),
    "payloads": (lambda lines: [*filter(None, map(payload, lines))], 3, "the text has no batch lines"),
    "a batch twice": (with_a_batch_twice, 3, "come a second time: offset 40 was due. Give the whole dump of one log"),
    "a batch left out": (without_a_batch, 3, "are missing. Give the whole dump of one log"),
    "quoted": (lambda lines: ["> " + line for line in lines], 0, "conforms"),
    "compose": (lambda lines: ["kafka-0  | " + line for line in lines], 0, "conforms"),
    "coloured": (
        lambda lines: [line.replace("payload", "\x1b[01;31m\x1b[Kpayload\x1b[m\x1b[K") for line in lines],
        0,
        "conforms",
    ),
    "of a page": (lambda lines: [line.replace('"', "&quot;") for line in lines], 0, "conforms"),
}


@pytest.mark.parametrize("paste", PASTES)
def test_a_paste_is_no_violation(fencepost_says: Says, lines: list[str], tmp_path: Path, paste: str) -> None:
    """What a paste lost is undecided (3) in a sentence that says which line; what it added counts for nothing."""
    change, code, sentence = PASTES[paste]
    path = tmp_path / "dump.txt"
    path.write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    said = fencepost_says("conform", path)
    assert said.code == code, said.out
    assert sentence in " ".join(said.out.split())


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_a_text_of_utf_16_conforms(fencepost_says: Says, lines: list[str], tmp_path: Path, order: str) -> None:
    """What Windows PowerShell writes behind `>` is UTF-16 with a byte order mark and carriage returns."""
    path = tmp_path / "dump.txt"
    path.write_bytes(("\ufeff" + "\r\n".join(lines) + "\r\n").encode(order))
    said = fencepost_says("conform", path, "--json")
    (log,) = said.document["logs"]
    assert (said.code, log["verdict"], log["records"]) == (0, "conforms", 37)


@pytest.mark.parametrize("paste", ["last line missing", "without metadata"])
def test_what_the_paste_shows_is_described(fencepost_says: Says, lines: list[str], tmp_path: Path, paste: str) -> None:
    """`story`, `health` and `why` go on up to what is missing, and say what that is."""
    path = tmp_path / "dump.txt"
    path.write_text("\n".join(PASTES[paste][0](lines)) + "\n", encoding="utf-8")
    events = fencepost_says("story", path, "--no-rows", "--json")
    assert (events.code, events.document["verdict"]) == (0, "told")
    assert any("broker 3 registers" in one["words"] for one in events.document["events"])
    (note,) = events.document["notes"]
    assert ("5 of the 6 records" in note) or ("--skip-record-metadata" in note)
    assert fencepost_says("health", path, "--no-findings").code == 0
    assert fencepost_says("why", path, "broker", "3").code == 0


@pytest.mark.parametrize("name", ["metadata-upgrade", pytest.param("scram-bootstrap-4.4.0", marks=pytest.mark.slow)])
def test_a_dump_without_record_metadata_conforms(
    fencepost_says: Says, recorded: Path, tmp_path: Path, name: str
) -> None:
    """A whole log with its snapshots conforms though its control records are hidden: leader, level and voters."""
    with gzip.open(recorded / name / "dump.txt.gz", "rt", encoding="utf-8") as stream:
        text = stream.read()
    path = tmp_path / "dump.txt"
    path.write_text("\n".join(map(without_metadata, text.splitlines())) + "\n", encoding="utf-8")
    said = fencepost_says("conform", path, "--json")
    (log,) = said.document["logs"]
    assert (said.code, log["violations"], log["undecided"]) == (0, [], [])
