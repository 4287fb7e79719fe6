"""Counterexamples on a page: first, on at most 25 lines, what is false, for whom, and what of the run led to it."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from fencepost.checkers.counterexample import Trace, binding_text, cells_text, change_text
from fencepost.checkers.failures import cell_text
from fencepost.checkers.relevance import Change, Rank, Relevant, relevant
from fencepost.model.language import Execution, Term
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.render import value_text

from .terminal import fold

LINES = 25
"""Lines of a counterexample at 100 columns, before its details."""
Details = Annotated[
    bool, typer.Option("--details", help="Tell each run with every record, every changed cell and the whole start.")
]
"""The option of commands that print counterexamples."""
_MORE = 14
"""Columns for how much more there is."""


@dataclass(frozen=True)
class Cut:
    """The printed part of a run: changes of at least the weight `rank`, and `last` in the last step; the changes of the
    last `steps` steps, and of each enumeration as much as fits on `lines` lines. `together` prints steps of which no
    change is printed by their names, on one line.
    """

    rank: Rank
    last: Rank
    steps: int
    lines: int
    together: bool


@dataclass
class Left:
    """Totals that a cut leaves to the details: changes that something reads, other ones, cells of the start."""

    read: int = 0
    unread: int = 0
    start: int = 0

    def note(self, changes: Collection[Change]) -> None:
        """Count changes that are left out."""
        unread = sum(one.rank is Rank.NOTHING for one in changes)
        self.unread += unread
        self.read += len(changes) - unread


def told(
    trace: Trace,
    intro: Sequence[str],
    details: bool,
    loop: Trace | None = None,
    about: Sequence[Term[Any]] = (),
    ends: Sequence[str] = (),
) -> list[str]:
    """Return a counterexample as a page's lines: `intro`, its head indented below, and the details where asked for.

    Intro, head and `ends` (lines behind it) have at most `LINES` lines once they are folded. `loop` are steps that are
    done for ever behind the run. A run without a failure is about the variables of the terms
    given.
    """
    known = relevant(trace, about)
    around = relevant(loop, about) if loop is not None else None
    room = LINES - _height([*intro, *ends])
    for cut in _cuts(len(trace.steps)):
        head = [f"  {line}" for line in _head(trace, known, loop, around, cut, details)]
        if _height(head) <= room:
            break
    lines = [*intro, *head, *ends]
    if details:
        lines += ["  details:", *(f"    {line}" for line in trace.lines(whole=True))]
        if loop is not None and loop.steps:
            lines += ["    for ever after:", *(f"    {line}" for line in loop.lines(whole=True)[1:])]
    return lines


def _cuts(steps: int) -> Iterator[Cut]:
    """Yield how much may be printed, ever less."""
    for lines in (8, 5, 3, 2, 1):
        for last in (Rank.NOTHING, Rank.EARLIER_ROW):
            for rank in (Rank.EARLIER_ROW, Rank.LAST_ROW, Rank.CLAIM):
                for together in (False, True):
                    yield Cut(rank, last, steps, lines, together)
        for one in range(steps - 1, 0, -1):
            yield Cut(Rank.CLAIM, Rank.CLAIM, one, lines, True)


def _height(lines: Sequence[str]) -> int:
    return sum(fold(line).count("\n") + 1 for line in lines)


def _head(
    trace: Trace, known: Relevant, loop: Trace | None, around: Relevant | None, cut: Cut, details: bool
) -> Iterator[str]:
    left = Left()
    yield from _failure(trace, cut)
    yield from _start(trace, known, cut, left)
    yield from _steps(trace, known, cut, left)
    if loop is not None:
        yield "for ever after:" if loop.steps else "and nothing more need happen"
        if around is not None:
            yield from _steps(loop, around, replace(cut, steps=min(cut.steps, len(loop.steps))), left)
    yield from _left(left, [*trace.steps, *(loop.steps if loop is not None else ())], details)


def _failure(trace: Trace, cut: Cut) -> Iterator[str]:
    """Yield why the property is false: its failure, each part as far as it fits."""
    mine = trace.failure
    if mine is None:
        return
    first = mine.lines()[0]
    yield first
    if mine.conditions:
        yield _some("  although ", mine.conditions, " and ", cut.lines)
    yield _some("  what fails: ", mine.conjunct.split(" "), " ", cut.lines, "…")
    if mine.values:
        yield _some("  where ", [f"{name} = {value}" for name, value in mine.values], ", ", cut.lines)


def _start(trace: Trace, known: Relevant, cut: Cut, left: Left) -> Iterator[str]:
    """Yield the cells of the first state that matter: of a run those that a bound declares.

    Of a counterexample to induction, which starts anywhere, also those at their initial value that the property reads.
    """
    mine = [cell for cell, rank in known.start.items() if cell in trace.start and rank <= cut.rank]
    begin = "start: " if trace.initial else "before: "
    if not trace.initial:
        mine = [one for one, rank in known.start.items() if one in mine or rank is Rank.CLAIM]
    texts = [cells_text(trace.start, [cell]) for cell in mine]
    initial = not trace.initial and any(cell not in trace.start and cell not in mine for cell in known.start)
    if texts:
        yield _some(begin, texts, ", ", cut.lines) + (", and what else the row reads at its initial value" * initial)
    left.start += len({*trace.start} - {*mine[: _fitting(begin, texts, ", ", cut.lines)]})


def _steps(trace: Trace, known: Relevant, cut: Cut, left: Left) -> Iterator[str]:
    """Yield the steps: a line each with what matters of its changes, or several by their names."""
    count = len(trace.steps)
    names: list[str] = []
    for number, (step, changes) in enumerate(zip(trace.steps, known.steps, strict=True), 1):
        last = number == count
        rank = cut.last if last else cut.rank
        mine = [one for one in changes if one.rank <= rank] if number > count - cut.steps else []
        if cut.together and not mine and not last:
            names.append(f"{step.row.id}({_entities(step)})")
            left.note(changes)
            continue
        if names:
            yield _together(names, number - 1, cut)
            names = []
        begin, texts = _step(number, step, mine, last)
        if last:
            yield begin + (", in the middle of its records" if trace.middle is not None else "")
            begin = "    "
        if texts or not last:
            yield _some(begin + (" " if last else ": " if texts else ""), texts, "; ", cut.lines)
        left.note([one for one in changes if one not in mine[: _fitting(begin, texts, "; ", cut.lines)]])


def _step(number: int, step: Execution, changes: Sequence[Change], last: bool) -> tuple[str, list[str]]:
    """Return a step's row with the entities that it is about, of the last one all parameters; and changes as text."""
    begin = f"{number}. {step.row.id} {step.row.event.name}({binding_text(step.binding) if last else _entities(step)})"
    return begin, [change_text(one.cell, one.old, one.new) if last else _becomes(one) for one in changes]


def _together(names: Sequence[str], last: int, cut: Cut) -> str:
    first = last - len(names) + 1
    repeated = [(name, len([*same])) for name, same in itertools.groupby(names)]
    texts = [name if times == 1 else f"{name} {times} times" for name, times in repeated]
    return _some(f"{first}. " if first == last else f"{first}-{last}. ", texts, ", ", cut.lines)


def _entities(step: Execution) -> str:
    """Return the entities among a row's parameters as text."""
    return binding_text({var: value for var, value in step.binding.items() if isinstance(var.kind, EntityKind)})


def _becomes(one: Change) -> str:
    return f"{cell_text(one.cell)} → {value_text(one.new)}"


def _left(left: Left, steps: Sequence[Execution], details: bool) -> Iterator[str]:
    """Yield what the head leaves out, none where that is nothing."""
    records = sum(len(group) for step in steps for group in step.records)
    said = []
    if left.read:
        said.append(f"{left.read} more {_plural(left.read, 'change')} that a later row or the property reads")
    if left.unread:
        what = "more" if left.read else f"more {_plural(left.unread, 'change')}"
        said.append(f"{left.unread} {what} that nothing here reads")
    if left.start:
        said.append(f"{left.start} {_plural(left.start, 'cell')} of the start")
    if records:
        said.append(f"{records} {_plural(records, 'record')}")
    if said:
        yield f"and {', '.join(said)}: {'below' if details else '--details'}"


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _some(begin: str, texts: Sequence[str], between: str, lines: int, more: str = "") -> str:
    """Return an enumeration as far as it fits on some lines; behind it, how many more there are."""
    count = _fitting(begin, texts, between, lines)
    rest = len(texts) - count
    ends = f"{between if more else ''}{more or f' and {rest} more'}" if rest else ""
    return begin + between.join(texts[:count]) + ends


def _fitting(begin: str, texts: Sequence[str], between: str, lines: int) -> int:
    """Return how many texts fit, one at least: what is said of the others included."""

    def fits(count: int) -> bool:
        more = " " * _MORE if count < len(texts) else ""
        return _height(["    " + begin + between.join(texts[:count]) + more]) <= lines

    return next((count for count in range(len(texts), 1, -1) if fits(count)), min(len(texts), 1))


def last_row(trace: Trace) -> str:
    """Return what a headline says of a run's last row, nothing of a run without rows."""
    return f", the last by {trace.steps[-1].row.id}" if trace.steps else ""


__all__ = ["LINES", "Details", "last_row", "told"]
