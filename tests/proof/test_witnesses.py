"""Small protocols that are violated, and that a prover which forgets a witness, a none or a first state proves."""

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import INITIAL, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import (
    ANY,
    BOOL,
    FALSE,
    TRUE,
    Bound,
    Property,
    Protocol,
    Row,
    Term,
    absent,
    always,
    cell,
    exists,
    forall,
    maybe,
    none_of,
    per,
    per2,
    protocol,
    some,
    table,
)
from tests.cases import each

from .tiny import WORKER, failures, happening, v, w

left, right, saw = per(WORKER, "left", BOOL), per(WORKER, "right", BOOL), per2(WORKER, maybe(WORKER), "saw", BOOL)
done = cell("done", BOOL)
x = maybe(WORKER).var("x")


def made(rows: tuple[Row, ...], claims: tuple[Property, ...]) -> Protocol:
    """Return a protocol of some rows and claims, with a bound of two workers."""
    bounds = {"tiny": Bound({"Worker": 2})}
    return protocol("made", table("rows", *rows), properties=claims, bounds=bounds, ends=True)


@each(
    "claim",
    [forall(v, ~left[v]) | forall(v, ~right[v] | left[v]), ~(exists(v, left[v]) & exists(v, right[v] & ~left[v]))],
)
def test_two_quantifiers_over_one_variable_have_two_witnesses(claim: Term[bool]) -> None:
    """What only two different workers break is refuted, although the claim calls both by one variable."""
    mark, note = happening("Mark", w), happening("Note", w)
    rows = (mark("LEFT", TRUE, left[w].becomes(TRUE)), note("RIGHT", TRUE, right[w].becomes(TRUE)))
    both = made(rows, (always("CLAIM", claim),))
    assert explore(both, "tiny").verdict is Verdict.VIOLATED
    assert {one.row for one in prove(both).failed if one.refuted} == {"LEFT", "RIGHT"}


def test_a_quantifier_over_an_option_has_none_as_one_of_its_values() -> None:
    """A guard that nothing but none satisfies holds, and what its row breaks is refuted."""
    see, go = happening("See", w), happening("Go")
    rows = (
        see("SEE", TRUE, saw[w, none_of(WORKER)].becomes(TRUE)),
        go("GO", forall(w, exists(x, saw[w, x])), done.becomes(TRUE)),
    )
    nobody = made(rows, (always("NONE", forall(w, forall(v, ~saw[w, some(v)]))), always("NEVER", ~done)))
    assert explore(nobody, "tiny").verdict is Verdict.VIOLATED
    proof = prove(nobody)
    assert set(failures(proof)) == {("GO", "NEVER")}
    assert proof.verdict in (Verdict.VIOLATED, Verdict.NOT_INDUCTIVE)


def test_none_is_one_key() -> None:
    """A cell of an option that is none is the cell of none: a row that asks of two such cells to differ is dead."""
    heard, boss = per(maybe(WORKER), "heard", BOOL), cell("boss", maybe(WORKER), ANY)
    hear, go = happening("Hear"), happening("Go")
    rows = (
        hear("HEAR", TRUE, heard[boss].becomes(TRUE)),
        go("GO", absent(boss) & heard[boss] & ~heard[none_of(WORKER)], done.becomes(TRUE)),
    )
    one = made(rows, (always("NEVER", ~done),))
    assert explore(one, "tiny").verdict is Verdict.CLOSED
    proof = prove(one)
    assert not proof.failed, proof.lines()
    assert proof.vacuous == ("GO",)


def test_a_bool_that_begins_as_any_may_begin_true() -> None:
    """A claim that a Bool without an initial value is false is violated in the first state."""
    free, free_each = cell("free", BOOL, ANY), per(WORKER, "free_each", BOOL, ANY)
    go = happening("Go", w)
    rows = (go("GO", TRUE, free.becomes(FALSE), free_each[w].becomes(FALSE)),)
    begun = made(rows, (always("ONE", ~free), always("EACH", forall(v, ~free_each[v]))))
    assert explore(begun, "tiny").verdict is Verdict.VIOLATED
    found = failures(prove(begun))
    assert set(found) == {(INITIAL, "ONE"), (INITIAL, "EACH")}
    assert all(one.verdict is Verdict.VIOLATED for one in found.values())
