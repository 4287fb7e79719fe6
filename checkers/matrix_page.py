"""The matrix of guarantees as a page for people, and as text of the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from fencepost.model.matrix import DESIGNS, GUARANTEES, Cell, Finding, cell

MARKS = {Finding.PROVED: "✓", Finding.CLOSED: "✓ at a bound", Finding.VIOLATED: "✗", Finding.SILENT: "–"}
"""How a cell is shown where there is little room."""

_INTRODUCTION = """# What each design guarantees

Generated from `model/matrix` by `make generate`: do not edit.

Nine guarantees, asked of every design that the five sources describe. ✓ says that it was proved for any number of
brokers, ✓ at a bound that every reachable state at a named size was seen and none breaks it, ✗ that a shortest trace
breaks it, – that the design has nothing to ask. Under the table each cell is told in words, with the command that shows
it again; `tests/matrix` runs them all.

"""


def page() -> str:
    """Return the page as Markdown."""
    return _INTRODUCTION + "\n".join([*_table(), "", *_sections()]).rstrip() + "\n"


def _table() -> Iterator[str]:
    yield f"| | {' | '.join(DESIGNS.values())} |"
    yield "| --- |" + " --- |" * len(DESIGNS)
    for one in GUARANTEES:
        found = " | ".join(MARKS[cell(one.id, design).finding] for design in DESIGNS)
        yield f"| **{one.id}** {one.name} | {found} |"


def _sections() -> Iterator[str]:
    for one in GUARANTEES:
        yield f"## {one.id}: {one.name}"
        yield ""
        yield one.meaning
        yield ""
        yield "| design | | in words | shown by |"
        yield "| --- | --- | --- | --- |"
        for design, name in DESIGNS.items():
            found = cell(one.id, design)
            shown = f"{found.scope}: `{found.command}`" if found.command else ""
            yield f"| {name} | {MARKS[found.finding]} | {found.says} | {shown} |"
        yield ""


def text(guarantee: str = "") -> Iterator[str]:
    """Yield lines of at most 100 columns: the matrix, then the cells of one guarantee if it is named."""
    yield f"{'':39}" + "".join(f"{design:>10}" for design in DESIGNS)
    for one in GUARANTEES:
        marks = (MARKS[cell(one.id, design).finding] for design in DESIGNS)
        short = ("✓ b" if mark == MARKS[Finding.CLOSED] else mark for mark in marks)
        yield f"{one.id} {one.name:<36}" + "".join(f"{mark:>10}" for mark in short)
    yield "✓ proved for any number of brokers; ✓ b every state at a bound seen; ✗ a trace breaks it; – not said"
    for one in GUARANTEES:
        if one.id != guarantee:
            continue
        yield ""
        yield from textwrap.wrap(f"{one.id}: {one.name}. {one.meaning}", 100)
        for design in DESIGNS:
            yield from _told(design, cell(one.id, design))


def _told(design: str, found: Cell) -> Iterator[str]:
    yield from textwrap.wrap(
        f"{design}: {found.finding.value}. {found.says}", 100, initial_indent="  ", subsequent_indent="    "
    )
    if found.command:
        yield f"    {found.scope}: {found.command}"
