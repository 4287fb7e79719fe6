"""Stages: in which order a row's effects are applied, and what is read where."""

from typing import Any

import pytest

from fencepost.model.language import (
    TRUE,
    EvaluationError,
    Row,
    Valuation,
    Var,
    event,
    every,
    first,
    only_if,
    part,
    record,
    required,
    run,
    said,
    together,
)
from fencepost.model.language.terms import Before
from fencepost.model.language.walk import nodes

from .sample import (
    JOINED,
    LEFT,
    MOVED,
    SOURCE,
    TERM,
    WORKER,
    alive,
    holder,
    j,
    leave,
    order,
    ready,
    resting,
    sample,
    team,
    term,
    v,
    w,
)
from .strategies import WORLD

happens = event("Happens", w, j, source=SOURCE)
assert isinstance(w, Var)
assert isinstance(j, Var)
HERE: dict[Var[Any], int] = {w: 0, j: 0}


def _row(*effects: object) -> Row:
    return happens("R", TRUE, *effects)  # type: ignore[arg-type]


def test_each_write_is_a_stage_and_so_is_each_run_of_plain_updates() -> None:
    """update, update, record, update, record: four stages, the first of two updates."""
    row = _row(term.becomes(1), resting[w].becomes(TRUE), JOINED(w), alive[w].becomes(TRUE), every(v, TRUE, LEFT(v)))
    assert [(len(s.written), len(s.updates)) for s in row.stages] == [(0, 2), (1, 1), (0, 1), (1, 1)]


def test_records_for_every_element_are_one_stage() -> None:
    """A record under `every` is one stage whose bindings come in any order."""
    [stage] = _row(every(v, alive[v], LEFT(v))).stages
    [written] = stage.written
    assert [x.name for x in written.binders] == ["v"]
    assert str(written.when) == "alive[v]"


def test_together_joins_records_into_one_stage() -> None:
    """`together` makes the order of its records free."""
    from fencepost.model.language import together

    assert len(_row(JOINED(w), MOVED(j, team=ready)).stages) == 2
    [stage] = _row(together(JOINED(w), MOVED(j, team=ready))).stages
    assert len(stage.written) == 2


def test_only_keeps_stages_apart() -> None:
    """`only_if` conditions each of its stages and joins none."""
    row = _row(only_if(resting[w], JOINED(w), LEFT(w)))
    assert len(row.stages) == 2
    assert all(str(s.written[0].when) == "resting[w]" for s in row.stages)


def test_a_procedure_is_its_effects() -> None:
    """A procedure applied in a row has the stages of its body with the arguments in place."""
    assert len(_row(leave(w)).stages) == 2
    [first_, second] = _row(leave(v)).stages
    assert str(second.written[0].fields[0].value) == "v"
    assert "= v" in str(first_.written[0].when)


def test_values_are_read_before_the_row() -> None:
    """A later stage of the row still reads the state before it: two increments of the same cell make one."""
    state = Valuation()
    row = _row(term.becomes(term + 1), JOINED(w), term.becomes(term + 1))
    execution = run(row, HERE, state, WORLD)
    assert [s.read(term.state, ()) for s in execution.states] == [1, 1, 1]  # type: ignore[attr-defined]


def test_a_replay_reads_what_it_is_replayed_on() -> None:
    """A replay reads the state that earlier records made; the values of its fields were read before the row."""
    _add = required("add", TERM)
    add = record("ADD", fields=(_add,), replay=term.becomes(term + _add.value))
    execution = run(_row(add(add=term + 1), add(add=term + 1)), HERE, Valuation(), WORLD)
    assert [s.read(term.state, ()) for s in execution.states] == [1, 2]  # type: ignore[attr-defined]
    assert [r.fields["add"] for group in execution.records for r in group] == [1, 1]
    [update] = _row(add(add=term + 1)).stages[0].updates
    assert sum(isinstance(node, Before) for node in nodes(update.value)) == 1


def test_updates_of_a_stage_are_simultaneous() -> None:
    """Two plain updates side by side swap: neither sees the other."""
    state = Valuation({(alive.state, (0,)): True})
    after = run(_row(alive[w].becomes(resting[w]), resting[w].becomes(alive[w])), HERE, state, WORLD).after
    assert not after.read(alive.state, (0,))
    assert after.read(resting.state, (0,))


def test_a_cell_written_twice_with_two_values_is_an_error() -> None:
    """Two bindings of an `every` that give one cell different values have no meaning."""
    row = _row(every(v, TRUE, holder[j].becomes(v)))
    with pytest.raises(EvaluationError, match=r"holder\[0\] is written twice in one stage"):
        run(row, HERE, Valuation(), WORLD)


def test_an_optional_field_is_said_under_its_condition() -> None:
    """A field that is not said keeps the old value and is not in the record."""
    row = _row(MOVED(j, holder=said(first(order[j], ready), if_=resting[w]), team=ready))
    state = Valuation({(alive.state, (1,)): True, (order.state, (0,)): (1, 0), (holder.state, (0,)): 2})
    [[silent]] = run(row, HERE, state, WORLD).records
    assert set(silent.fields) == {"job", "team"}
    spoken = state.but({(resting.state, (0,)): True})
    execution = run(row, HERE, spoken, WORLD)
    assert execution.records[0][0].fields["holder"] == 1
    assert execution.after.read(holder.state, (0,)) == 1
    assert run(row, HERE, state, WORLD).after.read(holder.state, (0,)) == 2


def test_a_silent_record_that_says_nothing_is_not_written() -> None:
    """A silent record of which no field is said is not written and has no effect."""
    row = _row(MOVED(j, team=said(ready, if_=resting[w])))
    execution = run(row, HERE, Valuation(), WORLD)
    assert execution.records == ((),)
    assert execution.after == Valuation()


def test_part_applies_the_chosen_bindings_only() -> None:
    """In the middle of a row: the stages before are done, and of the stage at hand the chosen bindings."""
    protocol = sample()
    row = protocol.row("AS3")
    state = Valuation(
        {(alive.state, (x,)): True for x in (0, 1)}
        | {(resting.state, (0,)): True}
        | {(holder.state, (x,)): 0 for x in (0, 1)}
        | {(order.state, (x,)): (0, 1) for x in (0, 1)}
    )
    binding = dict.fromkeys(row.params, 0)
    none = part(row, binding, state, WORLD, 0, frozenset())
    assert none == state
    one = part(row, binding, state, WORLD, 0, frozenset({(1,)}))
    assert (one.read(holder.state, (0,)), one.read(holder.state, (1,))) == (0, 1)
    both = part(row, binding, state, WORLD, 0, frozenset({(0,), (1,)}))
    assert both == run(row, binding, state, WORLD).states[0]
    assert both.read(alive.state, (0,))
    assert not run(row, binding, state, WORLD).after.read(alive.state, (0,))


def test_a_record_without_a_field_it_needs_is_refused() -> None:
    """Missing, unknown and misnumbered fields are refused where the record is written."""
    from fencepost.model.language import TableError

    for wrong, words in (
        (lambda: JOINED(), "0 terms for"),
        (lambda: MOVED(j, wages=ready), "has no field"),
        (lambda: record("N", fields=(required("of", WORKER),))(), "field of is missing"),
    ):
        with pytest.raises(TableError, match=words):
            wrong()  # type: ignore[no-untyped-call]


def test_a_team_member_leaves_only_its_own_jobs() -> None:
    """What a worker holds goes to the first ready worker of the order, and its team membership ends."""
    row = sample().row("AS3")
    state = Valuation(
        {
            (alive.state, (0,)): True,
            (alive.state, (1,)): True,
            (resting.state, (0,)): True,
            (holder.state, (0,)): 0,
            (order.state, (0,)): (2, 1),
            (team.state, (0,)): frozenset({0, 1}),
        }
    )
    execution = run(row, dict.fromkeys(row.params, 0), state, WORLD)
    assert [str(r) for group in execution.records for r in group] == [
        "MOVED(job=0, holder=1, team={1})",
        "LEFT(worker=0)",
    ]
    assert together(LEFT(w)).body == (LEFT(w),)
