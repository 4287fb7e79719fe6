"""Demands of a source and what carries them, for `fencepost show requirements`."""

from __future__ import annotations

import difflib
import re
from typing import Any

from fencepost.checkers.requirements import Contradiction, Requirement, Source, read, sources
from fencepost.checkers.requirements_page import page, summary
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome
from .terminal import Unfolded

WORD = "requirements"
"""The argument of `show`; no protocol has this name."""


def answer(of: str | None, row: str | None, markdown: bool) -> Outcome:
    """Return all sources' requirements in short, those of one source (`S4`), one sentence (`S4-11`), or those of a row.

    Raises `Refusal` for a source, a requirement or a row that nothing is known of.
    """
    files = sources()
    every = {name: read(path) for name, path in files.items()}
    name, dash, _ = (of or "").upper().partition("-")
    if of is not None and name not in every:
        raise Refusal(f"{of}: no requirements of this source are written; use one of {', '.join(every)}")
    among = [every[name]] if of is not None else list(every.values())
    if dash:
        found = _sentence(every[name], of or "")
        if row is not None:
            raise Refusal(f"{of}: --row asks for sentences of a whole source; leave one of the two out")
    elif row is not None:
        found = _carried(among, row)
    elif markdown:
        text = [Unfolded(page(each, files[each.name])) for each in among]
        return Outcome("show", "shown", ExitCode.AS_DECLARED, {"sources": [_source_json(one) for one in among]}, text)
    elif of is not None:
        return _whole(every[name])
    else:
        lines = [f"{source.name}  {source.title}: {summary(source)}" for source in among]
        return Outcome("show", "shown", ExitCode.AS_DECLARED, {"sources": [_source_json(one) for one in among]}, lines)
    if markdown:
        raise Refusal(f"{of or row}: --markdown prints whole sources; leave it out")
    return _shown(found)


def _sentence(source: Source, id: str) -> list[tuple[Source, Requirement]]:
    """The requirement with an id, or all clauses of a sentence that is named without a letter."""
    found = [(source, one) for one in source.requirements if re.fullmatch(rf"{re.escape(id)}[a-z]?", one.id, re.I)]
    if not found:
        close = difflib.get_close_matches(id.upper(), [one.id for one in source.requirements], 1)
        hint = f"did you mean {close[0]}?" if close else f"see fencepost show {WORD} {source.name}"
        raise Refusal(f"{source.name}: no requirement has the id {id}; {hint}")
    return found


def _carried(every: list[Source], row: str) -> list[tuple[Source, Requirement]]:
    found = [(source, one) for source in every for one in source.carried_by(row)]
    if not found:
        among = ", ".join(source.name for source in every)
        raise Refusal(f"{row}: no requirement of {among} names a row or property of this id; see fencepost show {WORD}")
    return found


def _shown(found: list[tuple[Source, Requirement]]) -> Outcome:
    lines = []
    for source, one in found:
        lines += [*_lines(source, one), *_otherwise_lines(source, one.contradictions)]
    fields = {"requirements": [_requirement_json(source, one) for source, one in found]}
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, lines)


def _whole(source: Source) -> Outcome:
    lines = [f"{source.name}: {source.title}", summary(source), ""]
    for section in source.sections:
        lines += [f"{section.title.upper()} ({source.name}:{section.lines[0]}-{section.lines[1]})", ""]
        lines += [line for one in source.of_section(section) for line in _lines(source, one)]
        lines.append("")
    lines.append(source.otherwise.upper())
    lines += _otherwise_lines(source, [one.number for one in source.contradictions])
    fields = {
        **_source_json(source),
        "requirements": [_requirement_json(source, one) for one in source.requirements],
        "contradictions": [_contradiction_json(one) for one in source.contradictions],
    }
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, lines)


def _lines(source: Source, one: Requirement) -> list[str]:
    """A requirement as text: what it demands, then what carries it, deeper."""
    named = {
        "version": f"{', '.join(one.versions)} ({one.version_from})" if one.versions else "",
        "rows": ", ".join(one.rows),
        "properties": ", ".join(one.properties),
        "otherwise": ", ".join(map(str, one.contradictions)),
        "note": one.note,
        "recorded": ", ".join(one.recordings),
        "no property": one.unclaimed,
        "no row": one.untabled,
        "nothing carries it yet": one.missing,
        "out of scope": one.out_of_scope,
    }
    lines = [f"{one.id}  {one.says} ({source.name}:{one.place})"]
    lines += [f"    {name}: {value}" for name, value in named.items() if value]
    lines += [f"    mutant: {mutant}: {mutant.falls} falls" for mutant in one.mutants]
    return lines + [f"    test: {test}" for test in one.tests]


def _otherwise_lines(source: Source, numbers: tuple[int, ...] | list[int]) -> list[str]:
    lines = []
    for one in (each for each in source.contradictions if each.number in numbers):
        variants = [
            source.variant(name) + (f" breaks {', '.join(breaks)}" if breaks else "")
            for name, breaks in one.variants.items()
        ]
        lines.append(f"  {one.number}  {one.title}" + (f": {'; '.join(variants)}" if variants else ""))
    return lines


def _source_json(source: Source) -> dict[str, Any]:
    out = sum(1 for one in source.requirements if one.out_of_scope)
    missing = sum(1 for one in source.requirements if one.missing)
    return {
        "source": source.name,
        "title": source.title,
        "protocol": source.protocols[""] if "" in source.protocols else dict(source.protocols),
        "demands": len(source.requirements),
        "carried": len(source.requirements) - out - missing,
        "missing": missing,
        "out_of_scope": out,
    } | ({"beside": list(source.beside)} if source.beside else {})


def _requirement_json(source: Source, one: Requirement) -> dict[str, Any]:
    return {
        "id": one.id,
        "lines": list(one.lines),
        "section": next(section.title for section in source.sections if one in source.of_section(section)),
        "says": one.says,
        "rows": list(one.rows),
        "properties": list(one.properties),
        "tests": list(one.tests),
        "mutants": [{"edit": str(mutant), "falls": mutant.falls} for mutant in one.mutants],
        "contradictions": list(one.contradictions),
        "note": one.note,
        "recordings": list(one.recordings),
        "unclaimed": one.unclaimed,
        "untabled": one.untabled,
        "missing": one.missing,
        "out_of_scope": one.out_of_scope,
    } | ({"versions": list(one.versions), "version_from": one.version_from} if one.versions else {})


def _contradiction_json(one: Contradiction) -> dict[str, Any]:
    variants = {name: list(breaks) for name, breaks in one.variants.items()}
    return {"number": one.number, "title": one.title, "variants": variants}
