"""Counterexamples on a page: a head of at most 25 lines with what matters, and the details where they are asked for.

That every defect of the museum is printed so, as a run and as a step, is asked where its run is searched anyway
(`tests/museum/runs.py`).
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from fencepost.checkers.cli.counterexamples import LINES, told
from fencepost.checkers.cli.terminal import fold
from fencepost.checkers.counterexample import Trace
from fencepost.checkers.exploration import explore
from fencepost.checkers.relevance import Rank, relevant
from fencepost.model.language import Bound, always, cell, counter, event, protocol, table
from tests.cases import each


def _counting(values: int) -> Trace:
    """A run of a protocol that counts to `values`, shows it once, and notes each step in an unread variable."""
    number = counter("number")
    count, noted, shown = (
        cell("count", number, initial=0),
        cell("noted", number, initial=0),
        cell("shown", number, initial=0),
    )
    go, tell = event("Go", source="a test"), event("Tell", source="a test")
    made = protocol(
        "counting",
        table(
            "counting",
            go("GO", count < values, count.becomes(count + 1), noted.becomes(count)),
            tell("TELL", count >= values, shown.becomes(count)),
        ),
        properties=[always("A", shown < values, source="a test")],
        bounds={"one": Bound({"number": values + 2})},
        ends=True,
    )
    trace = explore(made, "one").property("A").trace
    assert trace is not None
    return trace


@cache
def _long() -> Trace:
    return _counting(60)


def _page(trace: Trace, details: bool = False) -> list[str]:
    lines = told(trace, ["A is violated:"], details)
    return [part for line in lines for part in fold(line).split("\n")]


def test_a_run_of_60_rows_has_25_lines_before_its_details() -> None:
    """What does not fit is counted, at the last by name: the row at fault and the false conjunct are whole."""
    page = _page(_long())
    assert len(page) <= LINES
    assert page[1:4] == ["  A is false:", "    what fails: shown < 60", "    where shown = 60"]
    assert "  1-59. GO() 59 times" in page
    assert any(line.startswith("  61. TELL Tell()") for line in page)
    assert "       shown: 0 → 60" in page
    assert "59 more changes that a later row or the property reads" in " ".join(page)


def test_details_have_every_step() -> None:
    """Behind the head is each step with its changes, whatever the head left out."""
    trace = _long()
    page = _page(trace, details=True)
    at = page.index("  details:")
    assert at <= LINES
    assert "below" in page[at - 1]
    whole = "\n".join(page[at:])
    for number in range(1, 62):
        assert f"\n    {number}. " in whole
    assert whole.count("noted: ") == 59


def test_what_matters_is_what_is_read_until_it_is_set_anew() -> None:
    """The claim reads what the last row sets; that row reads the count, and each step before it the one before."""
    found = relevant(_counting(2))
    ranks = [{change.cell[0].name: change.rank for change in step} for step in found.steps]
    assert ranks == [
        {"count": Rank.EARLIER_ROW},
        {"count": Rank.LAST_ROW, "noted": Rank.NOTHING},
        {"shown": Rank.CLAIM},
    ]


@pytest.mark.slow
def test_the_document_and_the_code_are_the_same_with_details(fencepost_says: Callable[..., Any]) -> None:
    """`--details` changes the page and nothing else."""
    asked = ("explore", "lease+late_answer", "--bound", "tiny")
    short, long = fencepost_says(*asked), fencepost_says(*asked, "--details")
    assert short.code == long.code == 1
    assert "  details:" in long.out.splitlines()
    assert "  details:" not in short.out.splitlines()
    one, other = (fencepost_says(*asked, *more, "--json").document for more in ((), ("--details",)))
    for document in (one, other):
        for name in ("seconds", "compile_seconds"):
            document.pop(name)
    assert one == other


@each("name", ["explore", "prove", "whatif", "diff", "tlc"])
def test_each_command_with_counterexamples_takes_the_option(fencepost_says: Callable[..., Any], name: str) -> None:
    """The help of each says what `--details` adds."""
    assert "--details" in fencepost_says(name, "--help").out
