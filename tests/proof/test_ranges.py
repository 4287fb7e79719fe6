"""The lower end of the range of a counter in proofs: a row that would leave it is disabled, as in exploration."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *

from .tiny import failures, happening

NUMBER = counter("n")
x, y = cell("x", NUMBER, initial=0), cell("y", NUMBER, initial=0)
shown = cell("shown", BOOL)
go, see = happening("Go"), happening("See")


def counting_down(claim: Term[bool], then: Term[bool] = x < 0) -> Protocol:
    """Return a protocol that takes one away from a counter that begins at its start."""
    return protocol(
        "down",
        table("rows", go("DOWN", TRUE, x.becomes(x - 1)), see("SEE", TRUE, only_if(then, shown.becomes(TRUE)))),
        properties=[always("CLAIM", claim)],
        bounds={"tiny": Bound({"n": 2})},
        ends=True,
    )


@pytest.mark.parametrize("claim", [~shown, x >= 0, ~shown & (x >= 0)], ids=["seen", "counted", "both"])
def test_a_row_is_disabled_where_a_counter_would_fall_below_its_start(claim: Term[bool]) -> None:
    """No state has a counter below its start, whatever is claimed; the proof names the row, as explore does."""
    made = counting_down(claim)
    proof, explored = prove(made), explore(made, "tiny")
    assert (proof.verdict, explored.verdict) == (Verdict.PROVED, Verdict.CLOSED)
    assert proof.out_of_range == tuple(explored.out_of_range) == ("DOWN",)
    assert "DOWN is disabled where a counter would fall below its start, or a threshold below 1" in proof.lines()


def test_a_row_that_only_a_range_disables_is_vacuous() -> None:
    """A row that would leave the range wherever its guard holds applies nowhere."""
    made = protocol("low", table("rows", go("DOWN", x.is_(0), x.becomes(x - 1))), properties=[always("ZERO", x.is_(0))])
    proof = prove(made)
    assert proof.vacuous == ("DOWN",)


def test_a_row_that_keeps_its_counters_in_range_is_not_named() -> None:
    """A guard that keeps a counter in its range, by itself or with an invariant, leaves nothing for the range to do."""
    down, both = happening("Down"), happening("Both")
    made = protocol(
        "kept",
        table(
            "rows",
            down("DOWN", x > y, x.becomes(x - 1)),
            both("BOTH", TRUE, x.becomes(x + 1), y.becomes(y + 1)),
            see("LESS", TRUE, only_if(y > 0, y.becomes(y - 1))),
        ),
        properties=[always("ORDER", y <= x)],
    )
    proof = prove(made)
    assert not proof.failed
    assert proof.out_of_range == ()


def test_a_counter_may_fall_to_its_start() -> None:
    """A counter that may fall to its start, and not below it, is violated where that is denied."""
    made = protocol(
        "falls",
        table("rows", go("UP", TRUE, x.becomes(x + 1)), see("DOWN", TRUE, x.becomes(x - 1), shown.becomes(TRUE))),
        properties=[always("ABOVE", shown.implies(x > 0))],
    )
    found = failures(prove(made))
    assert set(found) == {("DOWN", "ABOVE")}
    counterexample = found["DOWN", "ABOVE"].counterexample
    assert counterexample is not None
    assert "after:  shown=true, x=0" in counterexample.lines()


def test_a_value_that_a_later_record_replaces_disables_nothing() -> None:
    """Only what a row leaves behind may be below the start: what exploration finds by such a row is not proved."""
    value = required("value", NUMBER)
    setting = record("Setting", value, replay=x.becomes(value.value))
    made = protocol(
        "between",
        table("rows", go("BACK", TRUE, setting(x - 1), setting(x), shown.becomes(TRUE))),
        properties=[always("CLAIM", ~shown, scope=AT_RESULT_BOUNDARIES)],
        bounds={"tiny": Bound({"n": 2})},
        ends=True,
    )
    assert (prove(made).verdict, explore(made, "tiny").verdict) == (Verdict.VIOLATED, Verdict.VIOLATED)
    below = replace(made, tables=(table("rows", go("BACK", TRUE, setting(x), setting(x - 1), shown.becomes(TRUE))),))
    assert prove(below).out_of_range == ("BACK",)
    assert explore(below, "tiny").rows_fired == {"BACK": 0}
