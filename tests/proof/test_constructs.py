"""Every construct of the language has a property that is proved and one that is refuted, for any number and for few
alike.
"""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.checkers.proof import prove
from fencepost.checkers.proof.prover import Prover
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *


class Broker(Entity):
    """A broker."""


class Part(Entity):
    """A partition."""


BROKER, PART, EPOCH, OFFSET, SIZE = sort(Broker), sort(Part), counter("epoch"), counter("offset"), threshold("size")
b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PART.var("p"), PART.var("q")
o, e = OFFSET.var("o"), EPOCH.var("e")
up = per(BROKER, "up", BOOL)
leader = per(PART, "leader", maybe(BROKER), NONE)
isr = per(PART, "isr", set_of(BROKER))
replicas = per(PART, "replicas", list_of(BROKER))
other = per(PART, "other", list_of(BROKER))
epoch = per(PART, "epoch", EPOCH, 0)
least = cell("least", SIZE, 1)
enough = per(PART, "enough", SIZE, 1)
full = per(PART, "full", BOOL)
log = per2(PART, OFFSET, "log", EPOCH, 0)
end = per(PART, "end", OFFSET, 0)
newest = per(PART, "newest", EPOCH, 0)
target = list_of(BROKER).var("target")
chosen = set_of(BROKER).var("chosen")


def one_row(when_: Term[bool], *effects: Any, params: tuple[Term[Any], ...], claims: dict[str, Term[bool]]) -> Protocol:
    """Return a protocol of one row, with a good claim and one that is declared violated."""
    happens = event("Happens", *params, source="a test")
    return protocol(
        "one_row",
        table("rows", happens("ROW", when_, *effects)),
        properties=[
            always(id, term, scope="at result boundaries", expected="violated" if id == "BAD" else "holds")
            for id, term in claims.items()
        ],
    )


def _leads() -> Protocol:
    return one_row(
        TRUE,
        isr[p].becomes(chosen),
        leader[p].becomes(first(replicas[p], chosen)),
        params=(p, chosen),
        claims={
            "GOOD": forall(q, absent(leader[q]) | leader[q].in_(isr[q])),
            "BAD": forall(q, present(leader[q]) | empty(isr[q])),
        },
    )


def _first_is_first() -> Protocol:
    return one_row(
        TRUE,
        replicas[p].becomes(target),
        leader[p].becomes(first(target, members(target))),
        params=(p, target),
        claims={"GOOD": forall(q, leader[q].is_(head(replicas[q]))), "BAD": forall(q, present(leader[q]))},
    )


def _lists() -> Protocol:
    return one_row(
        TRUE,
        replicas[p].becomes(then(keep(target, chosen), drop(target, chosen))),
        other[p].becomes(then(only(some(b)), ascending(chosen))),
        params=(p, target, chosen, b),
        claims={
            "GOOD": forall(q, other[q].is_(then(only(head(other[q])), ascending(members(other[q]))))),
            "BAD": forall(q, head(replicas[q]).is_(head(other[q])) | empty(replicas[q])),
        },
    )


def _order() -> Protocol:
    return one_row(
        TRUE,
        replicas[p].becomes(target),
        other[p].becomes(keep(target, members(target) - just(b))),
        params=(p, target, b),
        claims={
            "GOOD": forall(q, other[q].is_(keep(replicas[q], members(other[q])))),
            "BAD": forall(q, replicas[q].is_(keep(replicas[q], members(other[q])))),
        },
    )


def _sets() -> Protocol:
    moved = let("moved", (isr[p] | chosen) - just(b))
    return one_row(
        b.in_(chosen),
        isr[p].becomes(moved),
        every(x, x.in_(moved), up[x].becomes(TRUE)),
        params=(p, chosen, b),
        claims={"GOOD": forall(q, isr[q] <= those(x, up[x])), "BAD": forall(q, those(x, up[x]) <= isr[q])},
    )


def _thresholds() -> Protocol:
    return one_row(
        at_least(chosen, enough[p]),
        isr[p].becomes(isr[p] | chosen),
        full[p].becomes(TRUE),
        params=(p, chosen),
        claims={
            "GOOD": forall(q, full[q].implies(at_least(isr[q], enough[q]))),
            "BAD": forall(q, full[q].implies(at_least(isr[q], least))),
        },
    )


def _lesser_and_size() -> Protocol:
    small = lesser(least, size_of(members(replicas[p]), SIZE))
    return one_row(
        at_least(chosen, small) & (chosen <= members(replicas[p])),
        isr[p].becomes(chosen),
        full[p].becomes(when(at_least(members(replicas[p]), least), TRUE, full[p])),
        params=(p, chosen),
        claims={
            "GOOD": forall(q, at_least(isr[q], lesser(least, size_of(members(replicas[q]), SIZE))) | empty(isr[q])),
            "BAD": forall(q, full[q].implies(isr[q].is_(members(replicas[q])))),
        },
    )


def _counters() -> Protocol:
    return one_row(
        e > newest[p],
        log[p, end[p]].becomes(e),
        end[p].becomes(end[p] + 1),
        newest[p].becomes(e),
        params=(p, e),
        claims={
            "GOOD": forall(q, forall(o, log[q, o] <= newest[q])),
            "BAD": forall(q, forall(o, (o < end[q]).implies(log[q, o].is_(newest[q])))),
        },
    )


def _greatest() -> Protocol:
    return one_row(
        TRUE,
        end[p].becomes(max_of(o, o <= end[p], 0) + 1),
        epoch[p].becomes(epoch[p] + 1),
        params=(p,),
        claims={"GOOD": forall(q, epoch[q].is_(end[q])), "BAD": forall(q, epoch[q] < 2)},
    )


def _witness() -> Protocol:
    """Cells written under a binder that their key does not tell, with a value that depends on it."""
    home = per(PART, "home", BROKER, ANY)
    last = per(BROKER, "last", maybe(PART), NONE)
    return one_row(
        TRUE,
        every(p, home[p].is_(b) & forall(q, home[q].is_(b).implies(q.is_(p))), last[home[p]].becomes(some(p))),
        params=(b,),
        claims={
            "GOOD": forall(x, forall(p, last[x].is_(some(p)).implies(home[p].is_(x)))),
            "BAD": forall(x, forall(p, home[p].is_(x).implies(absent(last[x])))),
        },
    )


CONSTRUCTS: dict[str, Callable[[], Protocol]] = {
    "options": _leads,
    "first": _first_is_first,
    "lists": _lists,
    "order": _order,
    "sets": _sets,
    "thresholds": _thresholds,
    "lesser and size": _lesser_and_size,
    "counters": _counters,
    "greatest": _greatest,
    "witness": _witness,
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_one_is_proved_and_one_is_refuted(name: str) -> None:
    """The good property is proved for any number of entities; the bad one is refuted, and the interpreter agrees."""
    proof = prove(CONSTRUCTS[name]())
    assert proof.verdict is Verdict.PROVED, proof.lines()
    assert {one.property for one in proof.failed} == {"BAD"}, proof.lines()
    assert proof.expected == len(proof.failed) > 0
    assert all(one.counterexample is not None for one in proof.failed)


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_few_entities_agree(name: str) -> None:
    """What is proved for any number has no counterexample among one, two or three of each sort."""
    made = CONSTRUCTS[name]()
    claim: Any = made.property("GOOD")
    prover = Prover(made, (claim,))
    assert prover.ask(made.row("ROW"), claim, 1).answer == "proved"
    assert prover._refute(made.row("ROW"), claim, 0, (1, 2, 3)) is None
