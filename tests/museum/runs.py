"""Requirements of every run of the museum: as long as declared, by the row declared, printed on at most 25 lines."""

from fencepost.checkers.cli.counterexamples import LINES, told
from fencepost.checkers.cli.terminal import WIDTH, fold
from fencepost.checkers.counterexample import Trace, change_text
from fencepost.checkers.failures import cell_text
from fencepost.checkers.relevance import Rank, relevant
from fencepost.model.language.render import value_text
from fencepost.model.museum import Expected


def check_the_run(trace: Trace | None, expected: Expected) -> None:
    """The run has as many rows as declared, the last the one declared, and is printed on one screen."""
    assert trace is not None
    lines = "\n".join(trace.lines())
    assert len(trace.steps) == expected.length, lines
    assert trace.steps[-1].row.id == expected.row, lines
    check_told_in_short(trace)


def check_told_in_short(trace: Trace) -> None:
    """The head fits, names the row at fault and the conjunct that is false, and loses nothing that the property reads.

    A change that the property reads is printed with its value, or the last line counts what is read and left out.
    """
    lines = [part for line in told(trace, ["It is violated:"], False) for part in fold(line).split("\n")]
    page = " ".join(line.strip() for line in lines)
    assert len(lines) <= LINES, "\n".join(lines)
    assert max(map(len, lines)) <= WIDTH
    if trace.failure is not None:
        assert trace.failure.lines()[0] in page
        assert "what fails: " in page
    last = trace.steps[-1]
    assert f"{len(trace.steps)}. {last.row.id} {last.row.event.name}(" in page
    claimed = [one for changes in relevant(trace).steps for one in changes if one.rank is Rank.CLAIM]
    cut = [
        one
        for one in claimed
        if f"{cell_text(one.cell)} → {value_text(one.new)}" not in page
        and change_text(one.cell, one.old, one.new) not in page
    ]
    assert not cut or "that a later row or the property reads" in page, "\n".join(lines)
