"""The matrix of guarantees as a page for people, and as text of the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from fencepost.model.matrix import CELLS, DESIGNS, GUARANTEES, Cell, Finding, cell

MARKS = {Finding.PROVED: "✓", Finding.CLOSED: "✓ at a bound", Finding.VIOLATED: "✗", Finding.SILENT: "–"}
"""How a cell is shown where there is little room."""


def mark(of: Cell) -> str:
    """Return the sign of a cell: of the rows as they are, and where defects break it, of the rows without these too."""
    repaired = f"; {MARKS[Finding.PROVED]} repaired: {', '.join(of.defects)}" if of.defects else ""
    return MARKS[of.finding] + repaired


_INTRODUCTION = """# What each design guarantees

Generated from `model/matrix` by `make generate`: do not edit.

Nine guarantees, asked of every design that the five sources describe. `fencepost show matrix M4` explains the cells of
one in words, with the command that shows each again; `tests/matrix` runs them all.

| sign | says |
| --- | --- |
| ✓ | It holds with any number of entities: Z3 proved that every row keeps it, if what is named as assumed is so. |
| ✓ at a bound | It holds in a small cluster (a *bound*: sizes, and what it assumes), of which every state was seen. |
| ✗ | It does not hold: a run breaks it, and the command prints the shortest one, step by step (a *trace*). |
| ✗; ✓ repaired: D26 | It fails by the [findings](findings/README.md) named; of the rows without these it holds. |
| – | Nothing to compare: the text leaves it to others, or the tables hold nothing that could fail. |

A row asks one question of every design, of its rows as they are: of KRaft's those of Kafka 4.4. Where a design could
only answer an easier one, its cell is –.

"""

_WHY = """## Why Kafka ended where it did

Each design repairs something that was open, and pays for it elsewhere; the signs are those of its column.

- **ZooKeeper era.** Who is alive is what ZooKeeper's sessions say, and every write asks for a version. So no leader
  epoch is given twice (M2 ✓), and a controller that was replaced writes nothing (M7 ✓). But a broker that reaches
  ZooKeeper and not its controller serves its last request for ever (M4 ✗).
- **KIP-343** puts a heartbeat between broker and controller, with a timer at either end: who is cut off stops by
  itself (M4 ✓). The price is a second opinion of who is alive, kept in the controller's memory: for a moment an
  Inactive broker leads (M1 ✗), and since the broker's timer is to be the longer one, a broker that is cut off outlives
  its replacement (M3 ✗). No answer says which controller it is from, so one that was replaced is still believed (M7 ✗).
- **KIP-46** takes a failure for granted and moves the replicas elsewhere. What it writes to ZooKeeper survives its
  controller (M8 ✓); what was not written, because the broker died while there was no controller, is never found again
  (M9 ✗).
- **KIP-631 v1** makes being fenced a record in the log, written after the partitions have moved (M1 ✓), and gives
  brokers leases: who is cut off stops when its lease is over (M4 ✓). Two believers there are all the same (M3 ✗): a
  leader that lives is moved, and serves until it hears of it. No lease helps against that, and this one needs clocks
  that agree ([leases](leases.md)). And a lease is given without a record, so that a controller that was replaced gives
  leases of which the active one knows nothing (M7 ✗).
- **KIP-631 v2** drops the lease. Cut off, a broker serves on (M4 ✗); all else stays. For what must never go wrong
  hangs on no clock: leader epochs tell the old leader from the new one (M2 ✓). Whether records are lost is not its
  subject (M5 –): it elects from the ISR, and leaves to KIP-497 how the ISR grows.
- **KRaft** is that design as built: the same signs (M2 ✓, M3 ✗, M4 ✗), and the question who is controller is Raft's
  (M7 ✓). What was added since has defects, each of which can be repaired: directories of replicas leave a fenced broker
  a leader (M1 ✗, D26, D34), and its next process too (M6 ✗); eligible leader replicas lose acknowledged records where a
  replica is reassigned and added again, or they are switched off and on (M5 ✗, D15, D15b, D21). Whom a controlled
  shutdown waits for is not in the log, and a failover forgets it (M8 ✗, D10).

"""


def page(cells: bool = True) -> str:
    """Return the page as Markdown, with a section for each guarantee that has its cells in words, or without these."""
    sections = _sections() if cells else ()
    return _INTRODUCTION + "\n".join([*_table(), "", _WHY + "\n".join(sections)]).rstrip() + "\n"


def _table() -> Iterator[str]:
    yield f"| guarantee | {' | '.join(DESIGNS.values())} |"
    yield "| --- |" + " --- |" * len(DESIGNS)
    for one in GUARANTEES:
        found = " | ".join(mark(cell(one.id, design)) for design in DESIGNS)
        yield f"| **{one.id}** {one.name} | {found} |"


def _sections() -> Iterator[str]:
    for one in GUARANTEES:
        yield f"## {one.id}: {one.name}"
        yield ""
        yield one.meaning
        yield ""
        yield "| design | verdict | in words | shown by |"
        yield "| --- | --- | --- | --- |"
        for design, name in DESIGNS.items():
            found = cell(one.id, design)
            shown = f"{found.scope}: {'; '.join(f'`{one}`' for one in found.commands)}" if found.command else ""
            yield f"| {name} | {mark(found)} | {found.says} | {shown} |"
        yield ""


def text(guarantee: str = "") -> Iterator[str]:
    """Yield lines of at most 100 columns: the matrix, then the cells of one guarantee if it is named."""
    yield f"{'':39}" + "".join(f"{design:>10}" for design in DESIGNS)
    for one in GUARANTEES:
        short = (_short(cell(one.id, design)) for design in DESIGNS)
        yield f"{one.id} {one.name:<36}" + "".join(f"{mark:>10}" for mark in short)
    yield "✓ proved for any number of entities; ✓ b all states at a bound seen; ✗ a trace breaks it; – not said"
    yield "✗ (✓) a trace of the rows as they are breaks it; without the defects that are named it is proved:"
    yield from (
        f"  {one.guarantee} of {one.design}: {mark(one)}"
        for one in CELLS
        if one.defects and guarantee in ("", one.guarantee)
    )
    if not guarantee:
        yield "a guarantee in words, with the command behind each cell: fencepost show matrix M4"
    for one in GUARANTEES:
        if one.id != guarantee:
            continue
        yield ""
        yield from textwrap.wrap(f"{one.id}: {one.name}. {one.meaning}", 100)
        for design in DESIGNS:
            yield from _told(design, cell(one.id, design))


def _short(of: Cell) -> str:
    if of.finding is Finding.CLOSED:
        return "✓ b"
    return MARKS[of.finding] + (" (✓)" if of.defects else "")


def _told(design: str, found: Cell) -> Iterator[str]:
    yield from textwrap.wrap(
        f"{design}: {found.finding.value}. {found.says}", 100, initial_indent="  ", subsequent_indent="    "
    )
    if found.command:
        whole = f"    {found.scope}: {found.command}"
        yield from [whole] if len(whole) <= 100 else (f"    {found.scope}:", f"      {found.command}")
        yield from (f"    repaired: {one}" for one in found.commands[1:])
