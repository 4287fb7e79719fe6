"""What a step, a refusal and a moment are in every engine: `spec/steps.md`."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.proof import prove
from fencepost.checkers.proof.unrolled import unrolled
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import (
    AT_RESULT_BOUNDARIES,
    BOOL,
    FALSE,
    TRUE,
    Bound,
    Entity,
    Protocol,
    Row,
    Term,
    cell,
    counter,
    event,
    every,
    individual,
    next_,
    only_if,
    per,
    protocol,
    record,
    required,
    sort,
    step,
    table,
)
from tests.exploration.plain_exploration import explore_plainly


class Member(Entity):
    """Somebody of whom a record is written."""


MEMBER, N = sort(Member), counter("n")
m = MEMBER.var("m")
_who = required("who", MEMBER)
never, other, x = cell("never", BOOL), cell("other", BOOL), cell("x", N, initial=0)
seen = per(MEMBER, "seen", BOOL)
seeing = record("Seeing", _who, replay=seen[_who.value].becomes(TRUE))
noting = record("Noting")
changing = event("Change", source="test")
refusing = event("Refuse", source="test")
"""`never` is false in every state, so that nothing of what it conditions is written."""

IDLE: dict[str, tuple[Row, ...]] = {
    "an update that nothing makes": (changing("R", TRUE, only_if(never, x.becomes(1))),),
    "records that are not written": (changing("R", TRUE, every(m, never, seeing(m))),),
    "records and then an update": (changing("R", TRUE, every(m, never, seeing(m)), only_if(never, x.becomes(1))),),
    "records and then records": (
        changing("R", TRUE, every(m, never, seeing(m)), other.becomes(other), every(m, never, seeing(m))),
    ),
    "a note, and then an update": (changing("R", TRUE, noting(), x.becomes(x)),),
    "records twice": (changing("R", TRUE, every(m, never, seeing(m)), every(m, never, seeing(m))),),
    "a value that the cell has": (changing("R", TRUE, x.becomes(x)),),
}
"""Rows with effects that change nothing."""
LEAST = next_(x) > x
"""A claim that no step without changes keeps."""


def of(name: str, those: tuple[Row, ...], claim: Term[bool], *others: Any, **options: Any) -> Protocol:
    """A protocol of some rows that claims one thing of steps."""
    return protocol(
        "".join(c if c.isalnum() else "_" for c in name),
        table("rows", *those),
        properties=[step("RAISES", claim, **options), *others],
        bounds={"tiny": Bound({"n": 2, "Member": 2} if "record" in name else {"n": 2})},
        ends=True,
    )


def said(one: Protocol) -> dict[str, Verdict]:
    """What every engine of exploration says of the claim."""
    found = {engine: explore(one, "tiny", engine=engine) for engine in ("numpy", "llvm")}
    found["plain"] = explore_plainly(one, "tiny")
    return {name: result.property("RAISES").verdict for name, result in found.items()}


def idle() -> dict[str, Protocol]:
    """The protocols whose row R changes nothing, with claims of its records and of the whole row."""
    named = {f"{name}, named": of(name, rows, LEAST, rows=("R",)) for name, rows in IDLE.items()}
    whole = {
        f"{name}, whole": of(name, rows, LEAST, scope=AT_RESULT_BOUNDARIES, rows=("R",)) for name, rows in IDLE.items()
    }
    return {**named, **whole, "every step": of("every step", IDLE["an update that nothing makes"], LEAST)}


def test_a_row_with_effects_makes_a_step_where_it_changes_nothing() -> None:
    """Whatever a row's stages are, a claim that only a change keeps is violated by a firing without one."""
    differing = {
        name: found for name, one in idle().items() if set((found := said(one)).values()) != {Verdict.VIOLATED}
    }
    assert not differing


def test_a_record_that_is_replayed_as_nothing_makes_a_step() -> None:
    """It is the first step of its row, though an update after it changes what is claimed."""
    one = of("note", (changing("R", x < 1, noting(), x.becomes(x + 1)),), LEAST)
    assert set(said(one).values()) == {Verdict.VIOLATED}


RAISE = (changing("I", x < 1, x.becomes(x + 1)), refusing("R", x >= 1))
UNRELATED = step("T", next_(x).is_(x), rows=("R",))
REFUSALS: dict[str, tuple[Protocol, Verdict]] = {
    "a claim of every step": (of("a", RAISE, LEAST), Verdict.CLOSED),
    "beside a claim that names the refusal": (of("b", RAISE, LEAST, UNRELATED), Verdict.CLOSED),
    "that reads the state before alone": (of("c", RAISE, x < 1, UNRELATED), Verdict.CLOSED),
    "a claim that names the refusal": (of("d", RAISE, LEAST, rows=("I", "R")), Verdict.VIOLATED),
    "a claim that names the other row": (of("e", RAISE, LEAST, UNRELATED, rows=("I",)), Verdict.CLOSED),
}


def test_a_refusal_is_a_step_of_the_claims_that_name_it() -> None:
    """No other claim sees a refusal, and whether it is one does not depend on what other claims name."""
    differing = {
        name: found for name, (one, right) in REFUSALS.items() if set((found := said(one)).values()) != {right}
    }
    assert not differing


def test_a_proof_has_the_same_refusals() -> None:
    """What a proof says of a claim beside refusals is what exploration says."""
    for name, (one, right) in REFUSALS.items():
        assert (prove(one, properties=("RAISES",)).verdict is Verdict.PROVED) == (right is Verdict.CLOSED), name


def beyond(*effects: Any) -> Protocol:
    """A protocol of one row, at a bound whose counter ends at 1."""
    rows = table("rows", changing("R", TRUE, *effects))
    return protocol("beyond", rows, bounds={"tiny": Bound({"n": 1})}, ends=True)


at, k = per(N, "at", BOOL), N.var("k")
_value = required("value", N)
setting = record("Setting", _value, replay=x.becomes(_value.value))
BEYOND: dict[str, tuple[Protocol, int, int]] = {
    "a key, and the value that it reads": (beyond(at[x + 3].becomes(FALSE)), 0, 1),
    "a key of one of several": (beyond(every(k, TRUE, at[k + 1].becomes(FALSE))), 0, 1),
    "a key within": (beyond(at[x].becomes(FALSE)), 1, 0),
    "a value that a later record replaces": (beyond(setting(x + 3), setting(x)), 1, 0),
    "a value that stays": (beyond(setting(x), setting(x + 3)), 0, 1),
}
"""Firings beside the end of a range, each with how often its row fires and leaves."""


def test_a_firing_leaves_a_range_by_its_keys_and_by_what_it_leaves_behind() -> None:
    """A key outside counts whatever is written there, a value only where it is the last one of the row."""
    for name, (one, fires, leaves) in BEYOND.items():
        found = [
            explore(one, "tiny", engine="numpy"),
            explore(one, "tiny", engine="llvm"),
            explore_plainly(one, "tiny"),
        ]
        assert {(f.rows_fired["R"], f.out_of_range.get("R", 0)) for f in found} == {(fires, leaves)}, name
        assert bool(unrolled_runs(one)) is bool(fires), name


def unrolled_runs(one: Protocol) -> bool:
    """Whether the symbolic search finds a run of one step, by a claim that any step breaks."""
    claimed = replace(one, properties=(step("NONE", FALSE),))
    claim: Any = claimed.property("NONE")
    return unrolled(claimed, *bound_of(claimed, "tiny", None), claim, 2).verdict is Verdict.VIOLATED


def test_a_key_may_be_a_condition() -> None:
    """A cell for each truth value is written where a condition says, in every engine, in several states at once."""
    for_each = per(BOOL, "for_each", BOOL)
    rows = table(
        "rows",
        event("Change", m, source="test")("R", TRUE, for_each[m.is_(individual(MEMBER, 0)) & never].becomes(TRUE)),
        changing("S", TRUE, never.becomes(TRUE), other.becomes(for_each[~never])),
    )
    one = protocol("keyed", rows, bounds={"tiny": Bound({"Member": 2})}, ends=True)
    found = [explore(one, "tiny", engine="numpy"), explore(one, "tiny", engine="llvm"), explore_plainly(one, "tiny")]
    assert {(f.distinct, f.transitions, f.levels) for f in found} == {(8, 25, (1, 2, 2, 2, 1))}


@pytest.mark.nightly("tests/exploration/test_range_ends.py::test_tlc_says_what_exploration_says_of_the_end_of_a_range")
@pytest.mark.tlc
def test_tlc_has_the_same_ends_of_ranges() -> None:
    """TLC counts as many transitions, the first state among them."""
    for name in ("a key, and the value that it reads", "a value that a later record replaces"):
        one, fires, _ = BEYOND[name]
        assert run_tlc(one, "tiny", properties=()).transitions == fires + 1, name


@pytest.mark.tlc
def test_tlc_takes_the_same_steps() -> None:
    """TLC, whose `[][A]_vars` leaves steps without changes out, checks those as well."""
    chosen = {"records twice, whole": (idle()["records twice, whole"], Verdict.VIOLATED)}
    chosen |= {name: REFUSALS[name] for name in ("a claim that names the other row",)}
    for name, (one, right) in chosen.items():
        found = run_tlc(one, "tiny", properties=("RAISES",))
        assert found.verdict is right, name
        if right is Verdict.VIOLATED:
            assert found.trace is not None
            assert found.trace.steps[-1].row.id == "R"
            assert found.trace.steps[-1].before == found.trace.end
