"""What an attempt reports beside proofs and refutations: abstractions, vacuity, declared violations, refusals."""

from dataclasses import replace
from itertools import combinations

import pytest
import z3

from fencepost.checkers.cli.prove import outcome
from fencepost.checkers.proof import INITIAL, Proof, prove
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language.properties import Expected
from fencepost.model.language.vocabulary import *

from .tiny import SIZE, TEAM, WORKER, failures, happening, v, w

one, two, three = (cell(name, TEAM, ANY, what="fixed") for name in ("one", "two", "three"))
done, never, free = cell("done", BOOL), cell("never", BOOL), cell("free", BOOL, ANY)
number = cell("number", counter("n"), initial=0)
on = per(WORKER, "on", BOOL)


def comparing(guard: Term[bool], term: Term[bool]) -> Protocol:
    """Return a protocol that is done under a condition on sizes, and claims another of them then."""
    go = happening("Go")
    return protocol(
        "comparing",
        table("rows", go("GO", guard, done.becomes(TRUE))),
        properties=[always("SIZES", done.implies(term))],
    )


def test_what_only_the_abstraction_breaks_is_inconclusive() -> None:
    """Sizes are families of sets in a proof, so "as many as" need not be transitive: neither proof nor example."""
    guard = at_least(one, size_of(two, SIZE)) & at_least(two, size_of(three, SIZE))
    proof = prove(comparing(guard, at_least(one, size_of(three, SIZE))))
    found = failures(proof)
    assert proof.verdict is Verdict.INCONCLUSIVE
    assert (proof.refuted, proof.unknown) == (0, 1)
    assert found["GO", "SIZES"].counterexample is None
    assert "abstraction" in found["GO", "SIZES"].message
    assert "sizes" in proof.abstractions


@pytest.mark.parametrize(
    ("guard", "term", "verdict"),
    [
        (at_least(one, size_of(two, SIZE)) & empty(one), empty(two), Verdict.PROVED),
        (at_least(one, size_of(two, SIZE)), two <= one, Verdict.VIOLATED),
    ],
    ids=["proved", "refuted"],
)
def test_the_abstraction_still_proves_and_refutes(guard: Term[bool], term: Term[bool], verdict: Verdict) -> None:
    """What follows from inclusion is proved, and what counting itself breaks is refuted."""
    assert prove(comparing(guard, term)).verdict is verdict


def switches(*, expected: bool = True) -> Protocol:
    """Return switches that go on, a row that is never enabled, and properties of several fates."""
    switch, idle = happening("Switch", w), happening("Idle")
    declared: Expected = "violated" if expected else "holds"
    return protocol(
        "switches",
        table("rows", switch("ON", ~on[w], on[w].becomes(TRUE)), idle("IDLE", never, done.becomes(TRUE))),
        properties=[
            always("NEVER", ~never),
            always("EMPTY", forall(v, (never & on[v]).implies(FALSE))),
            always("MET", forall(v, on[v].implies(on[v] | done))),
            always("OFF", forall(v, ~on[v]), expected=declared),
        ],
    )


def test_what_can_never_happen_is_named() -> None:
    """A row that no state enables and a property whose condition no state meets are vacuous, the others are not."""
    proof = prove(switches())
    assert proof.vacuous == ("EMPTY", "IDLE")
    assert proof.verdict is Verdict.VACUOUS
    assert any("vacuous: IDLE" in line for line in proof.lines())


def test_a_declared_violation_is_expected() -> None:
    """A property that is declared violated and is refuted counts as expected, not as refuted, with its example."""
    proof = prove(switches())
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 1)
    assert set(failures(proof)) == {("ON", "OFF")}
    found = failures(proof)["ON", "OFF"]
    assert found.declared
    assert found.counterexample is not None
    assert proof.undeclared == ()
    assert prove(switches(expected=False)).refuted == 1


def test_a_declared_violation_that_is_proved_is_reported() -> None:
    """A property that is declared violated and that every row keeps is named."""
    proof = prove(switches().claiming(always("KEPT", done.implies(done | never), expected="violated")))
    assert proof.undeclared == ("KEPT",)
    assert any("KEPT is declared violated and every row keeps it" in line for line in proof.lines())


def test_a_declared_violation_is_not_assumed() -> None:
    """What is declared violated helps no other property."""
    go = happening("Go")
    made = protocol(
        "not_assumed",
        table("rows", go("GO", never, done.becomes(TRUE))),
        properties=[always("NEVER", ~never, expected="violated"), always("DONE", ~done)],
    )
    assert set(failures(prove(made, properties=("DONE",)))) == {("GO", "DONE")}


def test_the_first_state_is_asked() -> None:
    """A property that the first state breaks is refuted there, by a trace without steps."""
    go = happening("Go")
    made = protocol("first", table("rows", go("GO", TRUE, done.becomes(TRUE))), properties=[always("DONE", done)])
    found = failures(prove(made))
    assert set(found) == {(INITIAL, "DONE")}
    trace = found[INITIAL, "DONE"].counterexample
    assert trace is not None
    assert trace.initial
    assert trace.steps == ()


def test_unknown_ids_are_refused() -> None:
    """An id that the protocol does not have is refused by name, and so is an attempt without seeds."""
    with pytest.raises(Refusal, match="NOWHERE"):
        prove(switches(), rows=("NOWHERE",))
    with pytest.raises(Refusal, match="NOTHING"):
        prove(switches(), properties=("NOTHING",))
    with pytest.raises(Refusal, match="seeds"):
        prove(switches(), seeds=0)


def test_progress_is_told() -> None:
    """Progress counts up to the total, whatever the order of the answers."""
    told: list[tuple[int, int]] = []
    prove(switches(), progress=lambda done, total, _: told.append((done, total)))
    assert [number for number, _ in told] == list(range(1, told[-1][1] + 1))


def begins(start: Term[bool]) -> Proof:
    """Return the proof of a protocol with a start condition, whose claim holds of every state."""
    made = protocol(
        "begins",
        table("rows", happening("Go")("GO", ~done, done.becomes(FALSE))),
        start=start,
        properties=[always("ANY", done | ~done)],
    )
    return prove(made)


def test_a_start_that_contradicts_itself_is_vacuous() -> None:
    """Where no state satisfies the start conditions nothing is proved of any run: the proof says so."""
    proof = begins(done)
    assert proof.verdict is Verdict.VACUOUS
    assert proof.vacuous == (INITIAL,)
    assert "  no state satisfies the start conditions and the assumptions" in outcome(proof, None, switches()).page
    assert not begins(~done).vacuous
    assert not begins(free).vacuous


def test_a_start_of_more_than_three_entities_is_no_contradiction() -> None:
    """That no state of up to three entities begins says nothing of more: only the question for any number decides."""
    workers = [WORKER.var(name) for name in "abcd"]
    start = all_of(*(one.isnt(other) for one, other in combinations(workers, 2)))
    for one in workers:
        start = exists(one, start)
    assert not begins(start).vacuous


@pytest.mark.parametrize(
    ("guard", "scope"),
    [(on[w], "for any number of entities"), (number > 0, "for all values of its counters"), (free, "for all states")],
    ids=["entities", "counters", "states"],
)
def test_the_scope_is_what_the_protocol_has(guard: Term[bool], scope: str) -> None:
    """A proof is about any number of entities where there are any, else about counters, or states alone."""
    params = (w,) if guard is on[w] else ()
    go = happening("Go", *params)
    made = protocol(
        "scoped", table("rows", go("GO", guard, done.becomes(TRUE))), properties=[always("ANY", done | ~done)]
    )
    proof = prove(made)
    assert proof.scope == scope
    assert proof.as_json()["scope"] == scope


def test_the_solver_is_named_with_its_version() -> None:
    """The document and the page of a proof say which version of Z3 was asked."""
    proof = prove(switches(), rows=("ON",))
    assert proof.solver == f"Z3 {z3.get_version_string()}" == proof.as_json()["solver"]
    assert proof.core_solver == ""
    page = outcome(replace(proof, by_cores=3, core_solver="Z3 4.8.0"), None, switches()).page
    assert f"  asked with {proof.solver}; 3 proved by recorded cores, recorded with Z3 4.8.0" in page
    page = outcome(replace(proof, by_cores=3, core_solver=proof.solver), None, switches()).page
    assert f"  asked with {proof.solver}; 3 proved by recorded cores" in page
