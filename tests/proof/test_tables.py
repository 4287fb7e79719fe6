"""Hygiene finds what is wrong with tables whatever they claim, and nothing in tables that are complete."""

import pytest

from fencepost.checkers.counterexample import holds
from fencepost.checkers.proof import Hygiene, HygieneFinding, hygiene
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import BOOL, FALSE, TRUE, Protocol, Row, TableError, always, cell, per, protocol, table
from fencepost.model.language.tables import Mode

from .tiny import WORKER, happening, w

on, known = per(WORKER, "on", BOOL), per(WORKER, "known", BOOL)
never = cell("never", BOOL)
ask = happening("Ask", w)
turn_on, turn_off = on[w].becomes(TRUE), on[w].becomes(FALSE)


def asking(*rows: Row, mode: Mode = "disjoint", total: bool = True) -> Protocol:
    """Return a protocol of one table, total unless said, with the invariant that `never` is false."""
    return protocol("asking", table("asking", *rows, mode=mode, total=total), properties=[always("NEVER", ~never)])


def only_finding(found: Hygiene) -> HygieneFinding:
    """Return the one finding that there is."""
    assert len(found.findings) == 1, [one.message for one in found.findings]
    return found.findings[0]


def applying(made: Protocol, one: HygieneFinding) -> list[str]:
    """Return the rows whose own guards hold in a finding's example, by the interpreter."""
    assert one.state is not None
    assert one.world is not None
    assert one.binding is not None
    binding = {var: one.binding[var.name] for var in ask.params}
    return [row.id for row in made.rows if holds(row.when, one.state, one.world, binding=binding)]


def test_a_complete_table_has_no_findings() -> None:
    """Rows that take every input exactly once are settled for any number of entities."""
    found = hygiene(asking(ask("A1", on[w], turn_off), ask("A2", ~on[w], turn_on)))
    assert found.findings == ()
    assert found.asked == 4
    assert found.proved == 2


def test_a_gap_comes_with_an_example() -> None:
    """An input that no row takes is shown: a state and parameters under which every guard is false."""
    made = asking(ask("A1", on[w], turn_off), ask("A2", ~on[w] & known[w], turn_on))
    one = only_finding(hygiene(made))
    assert (one.what, one.verdict, one.event) == ("gap", Verdict.VIOLATED, "Ask")
    assert applying(made, one) == []


def test_an_overlap_comes_with_an_example() -> None:
    """Two rows of a disjoint table that both apply are shown in a state in which they do."""
    made = asking(ask("A1", on[w], turn_off), ask("A2", ~on[w] | known[w], turn_on))
    one = only_finding(hygiene(made))
    assert (one.what, one.rows, one.verdict) == ("overlap", ("A1", "A2"), Verdict.VIOLATED)
    assert applying(made, one) == ["A1", "A2"]


def test_rows_of_a_first_match_table_do_not_overlap() -> None:
    """The same guards in a first-match table are complete and apart."""
    rows = (ask("A1", on[w], turn_off), ask("A2", ~on[w] | known[w], turn_on))
    assert hygiene(asking(*rows, mode="first match")).findings == ()


def test_a_dead_row_is_found() -> None:
    """A row that an invariant rules out in every state is dead."""
    one = only_finding(hygiene(asking(ask("A1", ~never, turn_on), ask("A2", never, turn_off))))
    assert (one.what, one.rows, one.verdict) == ("dead", ("A2",), Verdict.CLOSED)


def test_a_shadowed_row_is_found() -> None:
    """A row of a first-match table that an earlier one always precedes is shadowed, not dead."""
    rows = (ask("A1", TRUE, turn_on), ask("A2", known[w], turn_off))
    one = only_finding(hygiene(asking(*rows, mode="first match")))
    assert (one.what, one.rows, one.verdict) == ("shadowed", ("A2", "A1"), Verdict.CLOSED)


def test_the_world_need_not_be_complete() -> None:
    """An environment event has no gap, in a total table neither."""
    fall = happening("Fall", w, environment=True)
    assert hygiene(asking(fall("F1", on[w], turn_off), total=False)).findings == ()
    beside = ask("A1", on[w], turn_off), ask("A2", ~on[w], turn_on)
    assert hygiene(asking(fall("F1", on[w], turn_off), *beside)).findings == ()


def test_a_table_that_only_says_when_is_asked_for_no_gap() -> None:
    """Rows with enabling conditions leave inputs open, and only a table that claims to be total is asked about them."""
    rows = ask("A1", on[w], turn_off), ask("A2", ~on[w] & known[w], turn_on)
    assert hygiene(asking(*rows, total=False)).findings == ()
    assert only_finding(hygiene(asking(*rows))).what == "gap"


def test_a_table_of_the_environment_claims_nothing() -> None:
    """A table that claims to be total, and has events of the environment only, is refused."""
    fall = happening("Fall", w, environment=True)
    with pytest.raises(TableError, match="claims to be total, and every event of it is one of the environment"):
        asking(fall("F1", on[w], turn_off))


def test_an_assumption_on_parameters_closes_a_gap() -> None:
    """What the event assumes of its parameters is no gap."""
    known_only = happening("AskKnown", w, given=known[w])
    rows = (known_only("A1", on[w], turn_off), known_only("A2", ~on[w] & known[w], turn_on))
    assert hygiene(asking(*rows)).findings == ()


def test_a_row_may_be_chosen() -> None:
    """A row with a choice of its own takes an input if some choice fits, and leaves a gap where none does."""
    other = WORKER.var("other")
    off = on[other].becomes(FALSE)
    complete = asking(ask("A1", on[w] & on[other], off, choose=(other,)), ask("A2", ~on[w], turn_on))
    assert hygiene(complete).findings == ()
    open_ = asking(ask("A1", on[w] & known[other], off, choose=(other,)), ask("A2", ~on[w], turn_on))
    assert only_finding(hygiene(open_)).what == "gap"
