"""Claims of runs without end, proved by their rankings; bounded searches are the oracle, of true claims and mutants."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove, search
from fencepost.checkers.proof.rankings import ranked
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip343 import KIP343
from fencepost.model.kip343.state import b, known_legacy
from fencepost.model.kip631.v1 import failovers as v1_failovers
from fencepost.model.kip631.v1 import messages
from fencepost.model.kip631.v1 import state as v1_state
from fencepost.model.kip631.v2 import KIP631_V2, failovers
from fencepost.model.kip631.v2.membership import told_that
from fencepost.model.kip631.v2.state import last_contact, shutting_down
from fencepost.model.kip631.v2.state import now as v2_now
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_loop.state import activating, armed, claim, is_active, known_epoch, n
from fencepost.model.language import (
    ANY,
    BOOL,
    FALSE,
    TRUE,
    Bound,
    LeadsTo,
    Protocol,
    any_of,
    cell,
    counter,
    distance,
    event,
    every,
    exists,
    helps,
    leads_to,
    lemma,
    number_of,
    per,
    phases,
    protocol,
    ranking,
    table,
)
from fencepost.model.language.terms import Lit
from tests import edited_rows
from tests.cases import examples
from tests.proof.tiny import WORKER, happening, v, w

# -- a queue: how many wait, how long the first one is served, whether a message arrives ------------------------------
TIME = counter("time")
u = WORKER.var("u")
waits = per(WORKER, "waits", BOOL)
sent = per(WORKER, "sent", BOOL)
open_ = cell("open", BOOL, TRUE)
now, due = cell("now", TIME, 0), cell("due", TIME, ANY, "fixed")
ASK, SERVE, SEND, LOSE, ARRIVE, TICK, CLOSE, OPEN = (
    happening("Ask", w),
    happening("Serve", w),
    happening("Send", w),
    happening("Lose", w),
    happening("Arrive", w),
    happening("Tick"),
    happening("Close"),
    happening("Open"),
)
QUEUE_ROWS = {
    "A": ASK("A", ~waits[w], waits[w].becomes(TRUE)),
    "S": SERVE("S", waits[w] & open_, waits[w].becomes(FALSE)),
    "C": CLOSE("C", open_, open_.becomes(FALSE)),
    "O": OPEN("O", ~open_, open_.becomes(TRUE)),
    "T": TICK("T", now < due, now.becomes(now + 1)),
    "M": SEND("M", waits[w] & ~sent[w], sent[w].becomes(TRUE)),
    "L": LOSE("L", sent[w], sent[w].becomes(FALSE)),
    "R": ARRIVE("R", sent[w], sent[w].becomes(FALSE), waits[w].becomes(FALSE)),
}

ALL_SERVED = leads_to(
    "all",
    exists(v, waits[v]),
    ~exists(v, waits[v]),
    ("Serve", "Open"),
    fair_by={"Serve": w},
    finitely=("Ask", "Close"),
    by=ranking(helps("Serve", waits[w] & open_), helps("Open", ~open_), ranks=(number_of(v, waits[v]), phases(open_))),
)
"""The number of those that wait falls: any number of them, of whom no more come from some time on."""
EACH_SERVED = leads_to(
    "each",
    waits[v],
    ~waits[v],
    ("Serve", "Open"),
    each=(v,),
    fair_by={"Serve": w},
    finitely=("Close",),
    by=ranking(helps("Serve", w.is_(v) & open_), helps("Open", ~open_), ranks=(phases(open_),)),
)
"""Each is served, however many come besides."""
TIME_COMES = leads_to(
    "time", now < due, ~(now < due), ("Tick",), by=ranking(helps("Tick", now < due), ranks=(distance(due, now),))
)
"""A time that is set comes."""
ARRIVES = leads_to(
    "arrives",
    waits[w],
    ~waits[w],
    ("Send",),
    strongly_fair=("Arrive",),
    each=(w,),
    fair_by={"Send": w, "Arrive": w},
    by=ranking(helps("Arrive", TRUE, reached=ranking(helps("Send", ~sent[w])))),
)
"""A message that is sent again and again arrives, though any may be lost."""


SHARED = leads_to(
    "shared",
    waits[v],
    ~waits[v],
    (),
    strongly_fair=("Arrive", "Send"),
    each=(v,),
    fair_by={"Send": w, "Arrive": w},
    by=ranking(
        helps(
            "Arrive",
            w.is_(v),
            reached=ranking(
                helps("Send", w.is_(v), reached=ranking(helps("Arrive", sent[w]), ranks=(number_of(u, sent[u]),)))
            ),
        )
    ),
)
"""Through a channel that carries one message at a time: another one has to arrive, or be lost, before one is sent."""


def queue(one: LeadsTo, rows: str, edits: dict[str, Any]) -> Protocol:
    """A protocol of some of the rows, some edited, and one claim."""
    mine = [replace(QUEUE_ROWS[id], **edits[id]) if id in edits else QUEUE_ROWS[id] for id in rows]
    sizes = {"Worker": 2} if set(rows) - set("T") else {}
    start = (due <= 2) if "T" in rows else TRUE
    return protocol(
        "queue",
        table("queue", *mine),
        properties=[one],
        bounds={"two": Bound({**sizes, **({"time": 3} if "T" in rows else {})}, start)},
        ends=True,
    )


CLOSES_AGAIN = replace(EACH_SERVED, finitely=())
BY_TURNS = replace(
    ARRIVES,
    fair=("Send", "Arrive"),
    strongly_fair=(),
    ranking=ranking(helps("Arrive", sent[w]), helps("Send", ~sent[w])),
)
ONE_AT_A_TIME = {"M": {"when": waits[w] & ~exists(u, sent[u])}}
STAYS_THERE = {"R": {"effects_": (waits[w].becomes(FALSE),)}}
KEEPS = {"S": {"effects_": (open_.becomes(TRUE),)}}
CHANGES_PLACES = {"S": {"effects_": (every(v, v.isnt(w), waits[v].becomes(TRUE)), waits[w].becomes(FALSE))}}

CASES: dict[str, tuple[LeadsTo, str, dict[str, Any], bool]] = {
    "all are served": (ALL_SERVED, "ASCO", {}, True),
    "each is served": (EACH_SERVED, "ASCO", {}, True),
    "a message arrives": (ARRIVES, "AMLR", {}, True),
    "a time comes": (TIME_COMES, "T", {}, True),
    "a message arrives through a shared channel": (SHARED, "AMLR", ONE_AT_A_TIME, True),
    "a message that arrived stays in the channel": (SHARED, "AMLR", {**ONE_AT_A_TIME, **STAYS_THERE}, False),
    "who is served goes on waiting": (ALL_SERVED, "ASCO", KEEPS, False),
    "none is served": (EACH_SERVED, "ASCO", KEEPS, False),
    "who is served has all others wait": (ALL_SERVED, "ASCO", CHANGES_PLACES, False),
    "it does not open again": (EACH_SERVED, "ASCO", {"O": {"when": ~open_ & ~exists(v, waits[v])}}, False),
    "more and more come": (replace(ALL_SERVED, finitely=("Close",)), "ASCO", {}, False),
    "it is closed again and again": (CLOSES_AGAIN, "ASCO", {}, False),
    "messages are lost by turns": (BY_TURNS, "AMLR", {}, False),
    "time stops": (TIME_COMES, "T", {"T": {"when": now + 1 < due}}, False),
}
"""Each with its rows, the edits of these, and whether the claim holds."""


@pytest.mark.parametrize(("one", "rows", "edits", "holds"), CASES.values(), ids=list(CASES))
def test_ranking_and_lasso_search_agree(one: LeadsTo, rows: str, edits: dict[str, Any], holds: bool) -> None:
    """What a ranking proves is closed at a bound; where the ranking of a mutant fails, the bound has a fair lasso."""
    made = queue(one, rows, edits)
    proof = prove(made, assumptions=False)
    found = explore(made, "two", engine="numpy").property(one.id)
    assert proof.verdict is (Verdict.PROVED if holds else Verdict.NOT_INDUCTIVE), proof.lines()
    assert found.verdict is (Verdict.CLOSED if holds else Verdict.VIOLATED)
    assert (found.loop is None) is holds
    [shown] = proof.rankings
    assert shown.property == one.id
    assert (shown.proved == shown.obligations) is holds
    failed = [o for o in proof.failed if o.ranking]
    assert all(o.counterexample is not None and o.counterexample.failure is not None for o in failed)


def test_a_verdict_names_the_fairness_that_its_ranking_uses_and_no_other() -> None:
    """An event that helps nowhere is no hypothesis; strong fairness is one only where an event is reached."""
    more = replace(EACH_SERVED, fair=("Serve",), strongly_fair=("Ask", "Open"), finitely=("Close",))
    [shown] = prove(queue(more, "ASCO", {}), assumptions=False).rankings
    assert shown.verdict is Verdict.PROVED
    assert shown.fairness == "weak fairness of Serve for each w, Open and finitely many steps of Close"
    [shown] = prove(queue(ARRIVES, "AMLR", {}), assumptions=False).rankings
    assert shown.fairness == "weak fairness of Send for each w and strong fairness of Arrive for each w"


def test_a_part_of_the_obligations_shows_no_claim() -> None:
    """Where rows or obligations are chosen, those are proved, and nothing is said of the claim."""
    made = queue(EACH_SERVED, "ASCO", {})
    for part in (prove(made, rows=["S"], assumptions=False), prove(made, properties=["each-covered"])):
        assert part.verdict is Verdict.PROVED
        assert part.rankings == ()


def test_a_ranking_that_is_too_weak_breaks_no_claim() -> None:
    """Without a rank the claim is not shown; the counterexample is a step, and no run to it is searched."""
    weak = replace(EACH_SERVED, ranking=ranking(helps("Serve", w.is_(v) & open_), helps("Open", ~open_)))
    made = queue(weak, "ASCO", {})
    proof = search(made, [made], prove(made, assumptions=False))
    assert proof.verdict is Verdict.NOT_INDUCTIVE
    assert {(one.row, one.property) for one in proof.failed} == {("O", "each-Open-falls"), ("O", "each-Open-keeps")}
    for one in proof.failed:
        assert (one.ranking, one.searched) == ("each", None)
        assert one.counterexample is not None
        assert [step.row.id for step in one.counterexample.steps] == ["O"]
    assert explore(made, "two", engine="numpy").property("each").verdict is Verdict.CLOSED


def test_a_row_that_a_range_may_disable_is_not_enabled() -> None:
    """Of a row that would count below zero it is not shown that it is enabled, whatever its guard says."""
    down = happening("Down")
    made = protocol(
        "down",
        table("down", down("D", TRUE, now.becomes(now - 1))),
        properties=[
            leads_to(
                "L", now >= 0, FALSE, ("Down",), by=ranking(helps("Down", TRUE), ranks=(distance(now, Lit(0, TIME)),))
            )
        ],
        bounds={"two": Bound({"time": 3})},
        ends=True,
    )
    proof = prove(made, assumptions=False)
    assert proof.verdict is not Verdict.PROVED
    assert "L-Down-enabled" in {one.property for one in proof.failed}


PLACES = 4
at = cell("at", counter("place"), 0)
EVENTS = ("A", "B", "C")


def among(some: set[int]) -> Any:
    """That the run is at one of some places."""
    return any_of(*(at.is_(place) for place in sorted(some)))


@st.composite
def _walks(draw: st.DrawFn) -> Protocol:
    """A walk over places in some order: most steps go to an earlier place, and the first ones are the goal."""
    order = draw(st.permutations(range(PLACES + 1)))
    kinds = draw(st.tuples(*(st.sampled_from(("weak", "weak", "strong", "finitely", "no")) for _ in EVENTS)))
    fair = {kind: tuple(name for name, its in zip(EVENTS, kinds, strict=True) if its == kind) for kind in kinds}
    named = [*fair.get("strong", ()), *fair.get("weak", ())]
    assume(named)
    first = draw(st.integers(1, 2))
    steps = [(n, draw(st.integers(0, n - 1)), draw(st.sampled_from(named))) for n in range(first, PLACES + 1)]
    further = st.tuples(st.integers(first, PLACES), st.integers(0, PLACES), st.sampled_from(EVENTS))
    steps += [
        (a, b, name)
        for a, b, name in draw(st.lists(further, max_size=4))
        if b < a or name in fair.get("finitely", ()) or draw(st.booleans())
    ]
    rows = [
        event(name, source="test")(f"R{i}", at.is_(order[a]), at.becomes(order[b]))
        for i, (a, b, name) in enumerate(steps, 1)
    ]
    rows += [event(name, source="test")(f"N{name}", FALSE, at.becomes(0)) for name in EVENTS]
    able = {name: {order[a] for a, _, of in steps if of == name} for name in EVENTS}
    by = [helps(name, among(able[name])) for name in named]
    if fair.get("strong") and len(named) > 1 and draw(st.booleans()):
        away = {place for place in order if place not in able[named[0]]}
        reached = ranking(helps(named[1], among(able[named[1]] & away)), ranks=(phases(among(able[named[0]])),))
        by = [helps(named[0], ~among(set(order[:first])), reached)]
    return protocol(
        "walk",
        table("walk", *rows),
        properties=[
            leads_to(
                "L",
                TRUE,
                among(set(order[:first])),
                fair.get("weak", ()),
                strongly_fair=fair.get("strong", ()),
                finitely=fair.get("finitely", ()),
                by=ranking(*by, ranks=(phases(*(at.is_(place) for place in order)),)),
            ),
            lemma("PL", at <= PLACES),
        ],
        bounds={"all": Bound({"place": PLACES})},
        ends=True,
    )


@settings(max_examples=examples(24), deadline=None)
@given(_walks())
def test_what_a_ranking_proves_no_bounded_search_refutes(one: Protocol) -> None:
    """Of walks and rankings drawn at random: where every obligation is proved, every fair run comes to the goal."""
    found = explore(one, "all", engine="numpy").property("L").verdict
    if found not in (Verdict.CLOSED, Verdict.VACUOUS):
        assert not edited_rows.proved(ranked(one))


def _row(whole: Protocol, id: str, **changes: Any) -> Protocol:
    return whole.but(id, why="edited", **changes)


MUTANTS: dict[str, tuple[Callable[[], Protocol], str, str]] = {
    "an activation is completed, and goes on": (
        lambda: _row(KRAFT_LOOP, "QA5", effects=(armed[n].becomes(TRUE),)),
        "QA5",
        "QV3-CompleteActivation-falls",
    ),
    "no controller renounces during the activation": (
        lambda: _row(KRAFT_LOOP, "QK3", when=is_active & (known_epoch[n] > claim[n]) & ~activating[n]),
        "nothing",
        "QV3-HandleLeaderChange-enabled",
    ),
    "leaders are elected again and again": (
        lambda: KRAFT_LOOP.claiming(replace(_claim(KRAFT_LOOP, "QV3"), finitely=())),
        "QR1",
        "QV3-CompleteActivation-keeps",
    ),
    "a broker that is seen to be gone stays Active": (
        lambda: _row(KIP343, "H-gone", effects=(known_legacy[b].becomes(FALSE),)),
        "H-gone",
        "M9-SeeDeregistration-falls",
    ),
    "a session that is over is noted, and its broker is not fenced": (
        lambda: _row(KIP631_V2, "V2.3", effects=(shutting_down[b].becomes(TRUE),)),
        "V2.3",
        "M9-SessionExpires-falls",
    ),
    "a process that is refused keeps its id from becoming free": (
        lambda: _row(failovers.WHOLE, "V2.6d", effects=(last_contact[failovers.b].becomes(v2_now),)),
        "V2.6d",
        "M8-TimePasses-keeps",
    ),
    "a broker that was unfenced is answered that it is not": (
        lambda: _row(
            failovers.WHOLE,
            "V2.3r",
            effects=(told_that(TRUE, FALSE), failovers.told_at[failovers.b].becomes(failovers.next_offset - 1)),
        ),
        "V2.3r",
        "M8-HeartbeatReply-by-Heartbeat-falls",
    ),
    "a process that is refused keeps the id of the one before": (
        lambda: _row(v1_failovers.WHOLE, "V1.3", effects=(v1_state.last_contact[v1_state.b].becomes(v1_state.now),)),
        "V1.3",
        "M8-TimePasses-keeps",
    ),
    "a lease that is asked for is not given": (
        lambda: _row(v1_failovers.WHOLE, "V1.5", effects=(messages.drop(),)),
        "V1.5",
        "M8-HeartbeatReply12-by-Heartbeat-falls",
    ),
    "controllers are replaced again and again": (
        lambda: failovers.WHOLE.claiming(replace(_claim(failovers.WHOLE, "M8"), finitely=("ControllerFails",))),
        "CR",
        "M8-Register-keeps",
    ),
}
"""Edits of tables, each with the row and the obligation of a ranking that fail, the row "nothing" for states."""


def _claim(whole: Protocol, id: str) -> LeadsTo:
    one = whole.property(id)
    assert isinstance(one, LeadsTo)
    return one


@pytest.mark.parametrize(("make", "row", "id"), MUTANTS.values(), ids=list(MUTANTS))
def test_a_mutant_of_a_table_breaks_its_ranking(make: Callable[[], Protocol], row: str, id: str) -> None:
    """Rows that do nothing for the goal, and failures without an end, break an obligation, with a counterexample."""
    found = edited_rows.of_ranking(make(), row, id)
    assert found.verdict is Verdict.NOT_INDUCTIVE
    assert found.ranking == id.partition("-")[0]
    assert found.counterexample is not None
    assert found.counterexample.failure is not None
    assert [step.row.id for step in found.counterexample.steps] == ([] if row == "nothing" else [row])


@pytest.mark.parametrize(
    ("whole", "ids"), [(KIP343, ["M8", "M9", "HI42"]), (KIP631_V2, ["M9"])], ids=["kip343", "kip631-v2"]
)
def test_claims_of_the_designs_are_proved_by_their_rankings(whole: Protocol, ids: list[str]) -> None:
    """Every obligation is proved for any number of entities, and no assumption of the tables is needed."""
    proof = prove(whole, properties=ids)
    assert proof.verdict is Verdict.PROVED
    assert {one.property for one in proof.rankings} == set(ids)
    assert all(one.verdict is Verdict.PROVED for one in proof.rankings)
    assert not any(used.needed_by for used in proof.assumptions)


@pytest.mark.nightly("fencepost check kraft-loop")
def test_an_activation_ends_by_its_ranking() -> None:
    """QV3 of the loop is proved for any number of controllers, epochs and records, where elections end."""
    proof = prove(KRAFT_LOOP, properties=["QV3"], assumptions=False)
    assert proof.verdict is Verdict.PROVED, proof.lines()
    [shown] = proof.rankings
    assert shown.fairness.endswith("HandleLeaderChange for each n and finitely many steps of Elect")
