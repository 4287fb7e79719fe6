"""The texts that rows cite, a line of one, and a copy of one compared with the index, for `fencepost show source`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fencepost.checkers.citations import (
    Citation,
    Compared,
    Line,
    Place,
    Text,
    citations,
    compared,
    named,
    normalised,
    texts,
)
from fencepost.checkers.requirements import FOLDER, read
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.files import read_small

from .outcome import Outcome
from .terminal import Unfolded

WORD = "source"
"""The argument of `show`; no protocol has this name."""

COMPARE_HELP = (
    "With source: a copy of that text, saved or as HTML; says which cited lines it has, which moved, and which not."
)
_GONE = {True: "as recorded", False: "another one", None: "not to be had, as its first or last line is not found"}


def answer(of: str | None, copy: Path | None) -> Outcome:
    """Return all sources in short, one (`S3`), lines of one (`S3:244`), or how a copy of one compares.

    Raises `Refusal` for a source or a line that there is not, and for a copy that cannot be read.
    """
    if of is None:
        if copy is not None:
            raise Refusal(f"--compare {copy}: say of which source it is a copy, as in fencepost show {WORD} S3")
        every = list(texts().values())
        lines = [line for one in every for line in _about(one)]
        return _outcome("shown", ExitCode.AS_DECLARED, {"texts": [_text_json(one) for one in every]}, lines)
    name, colon, _ = of.partition(":")
    if copy is not None:
        if colon:
            raise Refusal(
                f"{of}: a copy is of a whole source; use fencepost show {WORD} {name.upper()} --compare {copy}"
            )
        return _compared(named(of), copy)
    if colon:
        return _cited(of)
    text = named(of)
    page: list[Any] = [*_about(text), "", *map(Unfolded, (_quoted(text, one) for one in text.cited.values()))]
    fields = {"texts": [_text_json(text)], "lines": [_line_json(text, one) for one in text.cited.values()]}
    return _outcome("shown", ExitCode.AS_DECLARED, fields, page)


def _cited(of: str) -> Outcome:
    found = list(citations(of.upper()))
    if not found or not re.fullmatch(r"S\d+:[\d,–-]+", of.upper()):
        raise Refusal(f"{of}: is no citation; write a source and lines of it, as in S3:244, S0:83-86 or S4:8,12-14")
    text = named(found[0].source)
    lines = [line for one in found for line in _lines(text, one)]
    page: list[Any] = _about(text)
    for line in lines:
        page += ["", Unfolded(_quoted(text, line)), f"  in “{text.section(line.number)}”"]
        demands = _demands(text, line)
        page += [f"  demands: {', '.join(demands)} (fencepost show requirements {demands[0]})"] if demands else []
    fields = {"texts": [_text_json(text)], "lines": [_line_json(text, one) for one in lines]}
    return _outcome("shown", ExitCode.AS_DECLARED, fields, page)


def _lines(text: Text, citation: Citation) -> list[Line]:
    """Return the lines of a citation that say something; raises `Refusal` where no line is recorded."""
    if not 1 <= citation.first <= citation.last <= text.lines:
        raise Refusal(f"{citation}: {text.name} has lines 1 to {text.lines}; name some of these, the first one first")
    found = [text.cited[n] for n in range(citation.first, citation.last + 1) if n in text.cited]
    if not found:
        near = min(text.cited, key=lambda number: abs(number - citation.first))
        raise Refusal(
            f"{citation}: is empty, or is cited nowhere; the nearest line that is recorded is {text.name}:{near}"
        )
    return found


def _compared(text: Text, path: Path) -> Outcome:
    try:
        page = normalised(read_small(path).decode("utf-8"))
    except OSError as error:
        raise Refusal(f"--compare {path}: cannot be read ({error.strerror}); name a file") from error
    except UnicodeDecodeError as error:
        raise Refusal(f"--compare {path}: is no UTF-8 ({error.reason}); save the page as UTF-8") from error
    found = compared(text, page)
    if not found.of("same"):
        raise Refusal(
            f"--compare {path}: has none of the lines of {text.name} that are cited; give a copy of {text.address}"
        )
    word, code = ("same", ExitCode.AS_DECLARED) if found.faithful else ("differs", ExitCode.DIFFERS_FROM_BASELINE)
    fields = {
        "texts": [_text_json(text)],
        "path": str(path),
        "compared": {
            "characters": found.characters,
            "parts": [{"lines": list(part.lines), "sha256": part.sha256, "same": same} for part, same in found.parts],
            "citations": [_place_json(text, one) for one in found.places],
        },
    }
    return _outcome(word, code, fields, [*_about(text), "", *_report(found, path)])


def _report(found: Compared, path: Path) -> list[Any]:
    name, same = found.text.name, found.of("same")
    head = f"{path}: has {len(same)} of the {len(found.places)} lines that are cited, word for word"
    lines: list[Any] = [Unfolded(head)]
    for run in found.runs():
        first, last = run[0], run[-1]
        count = f"{len(run)} line{'' if len(run) == 1 else 's'}, {name}:{first.line.number}"
        count += f" to {last.line.number}" if first is not last else ""
        lines.append(f"  {_moved(first)}: {count}, from line {first.at} of the file")
    for one in found.of("changed"):
        lines.append(Unfolded(f"  changed: {_quoted(found.text, one.line)}, at line {one.at} of the file"))
    for one in found.of("gone"):
        lines.append(Unfolded(f"  gone, or begins otherwise: {_quoted(found.text, one.line)}"))
    for part, kept in found.parts:
        lines.append(f"  the hash of {name}:{part.lines[0]}-{part.lines[1]} is {_GONE[kept]}")
    return lines


def _moved(one: Place) -> str:
    by = one.moved or 0
    return "where they were" if not by else f"{abs(by):,} characters {'later' if by > 0 else 'earlier'}"


def _about(text: Text) -> list[Any]:
    return [
        f"{text.name}: {text.title}",
        *(Unfolded(f"  {one}") for one in (text.address, *text.also)),
        f"  {text.revision}",
    ]


def _quoted(text: Text, line: Line) -> str:
    return f"{text.name}:{line.number} “{line.words} …”"


def _demands(text: Text, line: Line) -> list[str]:
    """Return the ids of the requirements that a line carries."""
    source = read(FOLDER / f"{text.name.lower()}.toml")
    return [one.id for one in source.requirements if one.lines[0] <= line.number <= one.lines[1]]


def _text_json(text: Text) -> dict[str, Any]:
    return {
        "source": text.name,
        "title": text.title,
        "address": text.address,
        "also": list(text.also),
        "revision": text.revision,
        "lines": text.lines,
        "parts": [{"lines": list(one.lines), "sha256": one.sha256} for one in text.parts],
    }


def _line_json(text: Text, line: Line) -> dict[str, Any]:
    return {
        "citation": f"{text.name}:{line.number}",
        "section": text.section(line.number),
        "begins": line.words,
        "offset": line.offset,
        "length": line.length,
        "sha256": line.digest,
        "requirements": _demands(text, line),
    }


def _place_json(text: Text, one: Place) -> dict[str, Any]:
    return {
        "citation": f"{text.name}:{one.line.number}",
        "begins": one.line.words,
        "state": one.state,
        "line": one.at,
        "moved": one.moved,
    }


def _outcome(word: str, code: ExitCode, fields: dict[str, Any], page: list[Any]) -> Outcome:
    return Outcome("show", word, code, fields, page)
