"""Steps and the moments inside rows: claims about them, and what the frame does not decide."""

import pytest

from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.properties import Scope
from fencepost.model.language.vocabulary import *

from .tiny import WORKER, failures, happening, v, w

done, ready = cell("done", BOOL), cell("ready", BOOL)
fixed = cell("fixed", BOOL, ANY, what="fixed")


def one_row(term: Term[bool], scope: Scope = AT_RESULT_BOUNDARIES, rows: tuple[str, ...] = ("GO",)) -> Protocol:
    """Return a protocol with one row that writes `done` under `ready`, and a step property."""
    go, other = happening("Go", w), happening("Other")
    return protocol(
        "one_row",
        table("rows", go("GO", ready, done.becomes(TRUE)), other("OTHER", TRUE, ready.becomes(TRUE))),
        properties=[step("STEP", term, scope=scope, rows=rows)],
    )


@pytest.mark.parametrize("scope", [AT_RESULT_BOUNDARIES, AFTER_EVERY_RECORD])
@pytest.mark.parametrize(
    "term", [FALSE, fixed, ~ready, exists(v, ~v.is_(w))], ids=["false", "unwritten state", "guard", "parameter"]
)
def test_a_step_of_a_row_that_reads_nothing_written_is_refuted(term: Term[bool], scope: Scope) -> None:
    """A step property of a row that reads only its guard, its parameters and unwritten state is asked."""
    proof = prove(one_row(term, scope))
    found = failures(proof)
    assert set(found) == {("GO", "STEP")}, proof.lines()
    trace = found["GO", "STEP"].counterexample
    assert trace is not None
    assert [one.row.id for one in trace.steps] == ["GO"]


@pytest.mark.parametrize("term", [ready, fixed | ~fixed], ids=["guard", "tautology"])
def test_a_step_of_a_row_that_reads_nothing_written_is_proved_where_it_holds(term: Term[bool]) -> None:
    """The guard of the row is known to such a property."""
    assert prove(one_row(term)).verdict is Verdict.PROVED


def test_a_step_of_rows_is_never_one_of_frame() -> None:
    """What is claimed of a row's steps is evidence about that row, whatever the row writes; no other row is asked."""
    proof = prove(one_row(ready))
    assert (proof.obligations, proof.frame_obligations) == (1, 0)


def test_a_step_that_forbids_standing_still_is_refuted_by_a_row_of_frame() -> None:
    """A step property of all rows that a step without changes breaks is refuted by a row that writes nothing of it."""
    proof = prove(one_row(next_(done), rows=()))
    found = failures(proof)
    assert set(found) == {("OTHER", "STEP")}
    assert found["OTHER", "STEP"].frame


_worker = required("worker", WORKER, "workerId")
holder, fit = cell("holder", maybe(WORKER), NONE), per(WORKER, "fit", BOOL)
FREED = record("FREED", _worker, replay=holder.becomes(None))
GONE = record("GONE", _worker, replay=fit[_worker.value].becomes(FALSE))


def two_records(*effects: Write) -> Protocol:
    """Return a protocol in which a worker leaves: it lets go of what it holds, and is gone."""
    leave = happening("Leave", w)
    held = forall(v, holder.is_(v).implies(fit[v]))
    return protocol(
        "two_records",
        table("rows", leave("LEAVE", holder.is_(w) & fit[w], *effects)),
        properties=[
            always("OFTEN", held, scope=AFTER_EVERY_RECORD),
            always("SELDOM", held, scope=AT_RESULT_BOUNDARIES),
        ],
    )


def test_the_order_of_records_matters_after_every_record() -> None:
    """With the records in the wrong order the invariant fails between them, and holds where the row has ended."""
    proof = prove(two_records(GONE(w), FREED(w)))
    found = failures(proof)
    assert set(found) == {("LEAVE", "OFTEN")}
    trace = found["LEAVE", "OFTEN"].counterexample
    assert trace is not None
    assert trace.middle is not None
    assert trace.middle.stage == 0
    assert trace.end != trace.steps[-1].after
    assert trace.as_json()["inside_last_row"] is True


def test_the_right_order_of_records_is_proved() -> None:
    """With the records in the right order the invariant holds after every one of them."""
    assert prove(two_records(FREED(w), GONE(w))).verdict is Verdict.PROVED


def test_the_records_of_one_stage_may_come_in_any_order() -> None:
    """A record for every worker: an invariant that only the whole of them keeps fails where some are written."""
    leave = happening("LeaveAll")
    same = forall(v, forall(w, fit[v].is_(fit[w])))
    made = protocol(
        "one_stage",
        table("rows", leave("ALL", TRUE, every(w, TRUE, GONE(w)))),
        properties=[
            always("OFTEN", same, scope=AFTER_EVERY_RECORD),
            always("SELDOM", same, scope=AT_RESULT_BOUNDARIES),
            step("MANY", exists(w, forall(v, next_(fit[v]).is_(fit[v]) | v.in_(just(w)))), scope=AT_RESULT_BOUNDARIES),
            step("ONE", exists(w, forall(v, next_(fit[v]).is_(fit[v]) | v.in_(just(w))))),
        ],
    )
    found = failures(prove(made))
    assert set(found) == {("ALL", "OFTEN"), ("ALL", "MANY")}
    trace = found["ALL", "OFTEN"].counterexample
    assert trace is not None
    assert trace.middle is not None
    assert 0 < len(trace.middle.chosen) < len(trace.world.entities["Worker"])


@pytest.mark.parametrize("rows", [(), ("JOIN",)], ids=["of all rows", "of one row"])
def test_every_record_of_a_row_is_a_step(rows: tuple[str, ...]) -> None:
    """A step property after every record is asked also of a record that writes nothing which it reads."""
    one, other = per(WORKER, "one", BOOL), per(WORKER, "other", BOOL)
    first = record("FIRST", _worker, replay=one[_worker.value].becomes(TRUE))
    second = record("SECOND", _worker, replay=other[_worker.value].becomes(TRUE))
    join = happening("Join", w)
    made = protocol(
        "two_steps",
        table("rows", join("JOIN", TRUE, first(w), second(w))),
        properties=[step("STEP", exists(v, next_(other[v])), rows=rows)],
    )
    assert set(failures(prove(made))) == {("JOIN", "STEP")}


@pytest.mark.parametrize("scope", [AT_RESULT_BOUNDARIES, AFTER_EVERY_RECORD])
def test_a_row_that_has_lost_its_effects_breaks_what_is_claimed_of_it(scope: Scope) -> None:
    """A step property of a row that changes nothing is asked: that the row changes something may be what is claimed."""
    variant = one_row(next_(done), scope).but("GO", effects=None, why="nothing is stored")
    found = failures(prove(variant))
    assert set(found) == {("GO", "STEP")}
    trace = found["GO", "STEP"].counterexample
    assert trace is not None
    assert [each.row.id for each in trace.steps] == ["GO"]
