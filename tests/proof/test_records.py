"""A claim after every record is checked for every part of a stage, one at result boundaries only for the whole row."""

from typing import Any

from fencepost.checkers.counterexample import Middle
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *


class Broker(Entity):
    """A broker."""


class Part(Entity):
    """A partition."""


BROKER, PART = sort(Broker), sort(Part)
b, x = BROKER.var("b"), BROKER.var("x")
p, q = PART.var("p"), PART.var("q")
up = per(BROKER, "up", BOOL)
leader = per(PART, "leader", maybe(BROKER), NONE)
moved = per(PART, "moved", BOOL)

_b, _p, _to = required("broker", BROKER), required("part", PART), required("to", maybe(BROKER))
DOWN = record("DOWN", _b, replay=up[_b.value].becomes(~TRUE), source="a test")
MOVE = record(
    "MOVE",
    _p,
    fields=(_to,),
    replay=(leader[_p.value].becomes(_to.value), moved[_p.value].becomes(TRUE)),
    source="a test",
)
fails = event("Fails", b, source="a test")
leads = event("Leads", b, p, source="a test")


def made(*effects: Any, **claims: Any) -> Protocol:
    """Return a protocol in which a broker that leads partitions goes down in two stages."""
    return protocol(
        "records",
        table(
            "rows",
            fails("FAIL", up[b], *effects),
            leads("LEAD", up[b], MOVE(p, to=b)),
            event("Starts", b, source="a test")("START", TRUE, up[b].becomes(TRUE)),
        ),
        properties=list(claims.values()),
    )


MOVES = every(p, leader[p].is_(b), MOVE(p, to=none_of(BROKER)))
LED = forall(q, present(leader[q]).implies(forall(x, leader[q].is_(x).implies(up[x]))))


def test_the_order_of_records_decides() -> None:
    """Partitions first, then the broker: every leader is up after every record.

    The other order is refuted in the middle.
    """
    claim = always("LED", LED, scope=AFTER_EVERY_RECORD)
    assert prove(made(MOVES, DOWN(b), c=claim)).verdict is Verdict.PROVED
    proof = prove(made(DOWN(b), MOVES, c=claim))
    assert [(one.row, one.property) for one in proof.failed] == [("FAIL", "LED")]
    trace = proof.failed[0].counterexample
    assert trace is not None
    assert isinstance(trace.middle, Middle)
    assert "in the middle of FAIL" in proof.failed[0].message


def test_at_result_boundaries_the_order_is_all_one() -> None:
    """The same property at result boundaries is proved for both orders."""
    claim = always("LED", LED, scope=AT_RESULT_BOUNDARIES)
    for effects in ((MOVES, DOWN(b)), (DOWN(b), MOVES)):
        assert prove(made(*effects, c=claim)).verdict is Verdict.PROVED


def test_any_part_of_a_stage_may_be_done() -> None:
    """That all partitions have moved or none fails when only one of them has: two partitions are needed to show it."""
    together = always("TOGETHER", forall(p, forall(q, moved[p].is_(moved[q]))), scope=AFTER_EVERY_RECORD)
    proof = prove(made(MOVES, DOWN(b), c=together), rows=["FAIL"])
    trace = proof.failed[0].counterexample
    assert trace is not None
    assert trace.middle is not None
    parts = trace.world.entities["Part"]
    assert {trace.end.read(moved.state, (one,)) for one in parts} == {False, True}
    assert len(parts) == 2


def test_a_step_is_one_record_long() -> None:
    """After every record at most one leader changes, though the whole row changes many."""
    one = forall(p, forall(q, (next_(leader[p]).isnt(leader[p]) & next_(leader[q]).isnt(leader[q])).implies(p.is_(q))))
    short = step("ONE", one, scope=AFTER_EVERY_RECORD)
    whole = step("ROW_ONE", one, scope=AT_RESULT_BOUNDARIES)
    proof = prove(made(MOVES, DOWN(b), short=short, whole=whole))
    assert [(one.row, one.property) for one in proof.failed] == [("FAIL", "ROW_ONE")]


def test_a_step_of_named_rows_reads_their_parameters() -> None:
    """A step property of one row speaks of the row's own parameters, and no other row is asked."""
    good = step("GOOD", next_(leader[p]).is_(b), rows=("LEAD",), scope=AT_RESULT_BOUNDARIES)
    bad = step("WRONG", absent(leader[p]), rows=("LEAD",), scope=AT_RESULT_BOUNDARIES)
    proof = prove(made(MOVES, DOWN(b), good=good, bad=bad))
    assert proof.obligations == 2
    assert [(one.row, one.property) for one in proof.failed] == [("LEAD", "WRONG")]
