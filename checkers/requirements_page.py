"""The page of a source's requirements: a table for each section, and one of what real Kafka does otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .requirements import Contradiction, Requirement, Source

NOTE = "<!-- Generated from {name} by `make generate`: do not edit. -->\n\n"


def page(source: Source, path: Path) -> str:
    """Return a source's requirements as Markdown; `path` is the file that they were read from."""
    lines = [
        f"# {source.name}: {source.title}",
        "",
        f"{summary(source)} Rows and properties are those of {_tables(source)}; "
        + (f"[{source.page}](../{source.page}) tells it in words; " if source.page else "")
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
    links = {version: f"[{name}](../tables/{name}.md)" for version, name in source.protocols.items()}
    return " and ".join(f"{link} ({version})" if version else link for version, link in links.items())


def summary(source: Source) -> str:
    """Return how many demands there are, and how many of them nothing carries, as one sentence."""
    out = sum(1 for one in source.requirements if one.out_of_scope)
    carried = len(source.requirements) - out
    without = f"; {out} are out of scope, each with its reason" if out else ", all of them carried"
    return f"Demands: {len(source.requirements)}" + (f", {carried} carried" if out else "") + f"{without}."


def _cells(one: Requirement) -> tuple[str, ...]:
    says = one.says
    if one.versions:
        says = f"**{', '.join(one.versions)}** ({one.version_from}) {says}"
    if one.note:
        says += f" *{one.note}*"
    if one.unclaimed:
        says += f" *No property: {one.unclaimed}*"
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
