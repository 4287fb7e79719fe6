"""The page of a source's requirements: a table for each section, and one of what real Kafka does otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .requirements import Contradiction, Requirement, Source

NOTE = "<!-- Generated from {name} by `make site`. -->\n\n"


def page(source: Source, path: Path) -> str:
    """Return a source's requirements as Markdown; `path` is the file that they were read from."""
    lines = [
        f"# {source.name}: {source.title}",
        "",
        f"{summary(source)} Rows and properties are those of {_tables(source)}; "
        + (f"[{source.page}](../{source.page}) describes it in words; " if source.page else "")
        + "[README](README.md) says how to read this.",
        "",
    ]
    for section in source.sections:
        lines += [f"## {section.title} ({source.name}:{section.lines[0]}-{section.lines[1]})", ""]
        lines += _table(
            ("id", "line", "what it demands", "rows", "properties", "tests"),
            (_cells(one) for one in source.of_section(section)),
        )
    lines += [f"## {source.otherwise}", ""]
    lines += _table(
        ("number", "what", "variants, and what falls there", "sentences"),
        (_otherwise(source, one) for one in source.contradictions),
    )
    return NOTE.format(name=path.name) + "\n".join(lines)


def _tables(source: Source) -> str:
    """The tables that carry a source, as links, each with its version where there are several."""
    named = [*((version, name) for version, name in source.protocols.items()), *(("", name) for name in source.beside)]
    links = [f"[{name}](../tables/{name}.md)" + (f" ({version})" if version else "") for version, name in named]
    *first, last = links
    return f"{', '.join(first)} and {last}" if first else last


def summary(source: Source) -> str:
    """Return how many demands there are, and how many of them nothing carries, as one sentence.

    Where some have no row, it also says how many are carried by a property, by rows and tests, by tests alone.
    """
    out = sum(1 for one in source.requirements if one.out_of_scope)
    missing = sum(1 for one in source.requirements if one.missing)
    carried = len(source.requirements) - out - missing
    ways = []
    if any(one.untabled for one in source.requirements):
        of_property = sum(1 for one in source.requirements if one.properties)
        of_tests = sum(1 for one in source.requirements if one.untabled)
        of_rows = carried - of_property - of_tests
        ways = [f" ({of_property} by a property, {of_rows} by rows and tests, {of_tests} by tests alone)"]
    without = f"; {out} are out of scope, each with its reason" if out else ", all of them carried"
    without = (f"; {missing} nothing carries yet" if missing else "") + without
    said = f", {carried} carried{''.join(ways)}" if out or missing or ways else ""
    return f"Demands: {len(source.requirements)}{said}{without}."


def _cells(one: Requirement) -> tuple[str, ...]:
    says = one.says
    if one.versions:
        says = f"**{', '.join(one.versions)}** ({one.version_from}) {says}"
    if one.note:
        says += f" *{one.note}*"
    if one.unclaimed:
        says += f" *No property: {one.unclaimed}*"
    if one.untabled:
        says += f" *No row: {one.untabled}*"
    if one.recordings:
        says += f" *Recorded: {', '.join(one.recordings)}.*"
    if one.missing:
        says += f" **Nothing carries it yet:** {one.missing}"
    if one.out_of_scope:
        says += f" **Out of scope:** {one.out_of_scope}"
    says += "".join(f" [↯{number}](#contradiction-{number})" for number in one.contradictions)
    return one.id, one.place, says, ", ".join(one.rows), ", ".join(one.properties), _tests(one.tests)


def _tests(tests: Sequence[str]) -> str:
    """Tests as links to their files, by their own names."""
    parts = (test.partition("::") for test in tests)
    return "<br>".join(f"[{name.removeprefix('test_')}](../../{file})" for file, _, name in parts)


def _otherwise(source: Source, one: Contradiction) -> tuple[str, ...]:
    variants = "<br>".join(
        f"`{source.variant(name)}`" + (f": {', '.join(breaks)}" if breaks else "")
        for name, breaks in one.variants.items()
    )
    sentences = ", ".join(each.id for each in source.requirements if one.number in each.contradictions)
    return f'<a id="contradiction-{one.number}"></a>{one.number}', one.title, variants, sentences


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    body = [f"| {' | '.join(cell.replace('|', chr(92) + '|') or '–' for cell in row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *body, ""]
