"""Effective guards: what a row's guard is once its event, its table and its bound have had their say."""

from fencepost.model.language import TRUE, Bound, Evaluation, Valuation, event, protocol, satisfying, table
from fencepost.model.language.terms import Nary

from .sample import SOURCE, alive, n, resting, sample, term, w
from .strategies import WORLD


def test_a_first_match_row_applies_where_no_earlier_row_of_its_event_does() -> None:
    """The effective guard negates the earlier rows; the guard that is shown stays short."""
    one = sample()
    assert str(one.row("AS3").when) == "resting[w]"
    assert str(one.guard(one.row("AS3"))) == "not unknown and not n < term and resting[w]"
    assert str(one.guard(one.row("AS4"))) == "not unknown and not n < term and not resting[w]"


def test_exactly_one_row_of_a_total_first_match_table_applies() -> None:
    """Whatever the state and the parameters, one row of AS1 to AS4 applies."""
    one = sample()
    rows = [row for row in one.rows if row.event.name == "Ask"]
    for resting_ in (False, True):
        for alive_ in (False, True):
            for now in (0, 1, 2):
                state = Valuation({(alive.state, (0,)): alive_, (resting.state, (0,)): resting_, (term.state, ()): now})  # type: ignore[attr-defined]
                evaluation = Evaluation(WORLD, state)
                for asked in (0, 1, 2):
                    held = [r.id for r in rows if evaluation.value(one.guard(r), {w: 0, n: asked})]
                    assert len(held) == 1


def test_a_disjoint_table_negates_nothing() -> None:
    """In a disjoint table a guard is the event's assumption and the row's own."""
    one = sample()
    assert str(one.guard(one.row("TA2"))) == "holder[j] = none and not |team[j]| ≥ quorum"
    assert str(one.guard(one.row("JO1"))) == "not alive[w]"


def test_rows_of_other_events_are_no_earlier_rows() -> None:
    """First match is asked among the rows of one event."""
    first_, second = event("One", w, source=SOURCE), event("Two", w, source=SOURCE)
    mixed = table(
        "mixed",
        first_("O1", alive[w], resting[w].becomes(TRUE)),
        second("T1", TRUE, alive[w].becomes(TRUE)),
        mode="first match",
    )
    one = protocol("p", mixed)
    assert one.guard(one.row("T1")) is TRUE


def test_a_bound_adds_its_assumption() -> None:
    """A bound's `given` is part of the guard at that bound only."""
    one = sample()
    row = one.row("JO1")
    bound = Bound({}, given={"Join": resting[w]})
    guard = one.bounded_guard(row, bound)
    assert isinstance(guard, Nary)
    assert guard.terms == (one.guard(row), resting[w])
    assert one.bounded_guard(one.row("TA1"), bound) is one.guard(one.row("TA1"))


def test_satisfying_yields_every_binding_of_the_guard_and_no_other() -> None:
    """The pruned search for parameters finds what a plain one over all combinations finds."""
    one = sample()
    row = one.row("AS4")
    state = Valuation(
        {(alive.state, (1,)): True, (alive.state, (2,)): True, (resting.state, (2,)): True, (term.state, ()): 2}  # type: ignore[attr-defined]
    )
    found = [{x.name: value for x, value in b.items()} for b in satisfying(one.guard(row), row.params, state, WORLD)]
    assert found == [{"w": 1, "n": 2}, {"w": 1, "n": 3}]


def test_a_row_without_effects_changes_nothing() -> None:
    """A refusal is distinguished from a row with effects."""
    one = sample()
    assert [row.id for row in one.rows if not row.changes] == ["AS1", "AS2"]
