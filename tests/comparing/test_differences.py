"""What `compare` finds: by meaning, with the solver's word where texts differ, and nothing of its own making."""

import pytest

from fencepost.checkers.comparing import compare, forbidden
from fencepost.checkers.mutation import Population
from fencepost.model.language import (
    BOOL,
    TRUE,
    Entity,
    Protocol,
    Row,
    Term,
    always,
    cell,
    counter,
    event,
    every,
    exists,
    forall,
    leads_to,
    let,
    per,
    protocol,
    sort,
    step,
    table,
)
from fencepost.model.language.build import all_of
from fencepost.model.language.properties import Property
from fencepost.model.registry import find


class Door(Entity):
    """Something that opens and shuts."""


DOOR = sort(Door)
d, e, x, y = (DOOR.var(name) for name in "dexy")
N = counter("N")
n = N.var("n")
is_open = per(DOOR, "is_open", BOOL)
locked = per(DOOR, "locked", BOOL)
count = cell("count", N, initial=0)
CLAIM = forall(x, is_open[x].implies(~locked[x]))


def doors(
    when: Term[bool] = ~is_open[d] & ~locked[d],
    who: Term[Door] = d,
    effects: object = None,
    claims: tuple[Property, ...] = (always("A1", CLAIM, source="doors"),),
    id: str = "O1",
    more: tuple[Row, ...] = (),
    start: Term[bool] = TRUE,
) -> Protocol:
    """Return a protocol of doors with one row as it is given."""
    opens = event("Open", who, source="doors")
    shuts = event("Shut", d, n, source="doors")
    done = effects if effects is not None else is_open[who].becomes(TRUE)
    first = opens(id, when, done)  # type: ignore[arg-type]
    last = shuts("S1", is_open[d] & (n > count), is_open[d].becomes(~TRUE), count.becomes(n))
    return protocol("doors", table("doors", first, *more, last, mode="first match"), properties=claims, start=start)


def opens_in_the_end(fair: tuple[str, ...], strongly_fair: tuple[str, ...] = ()) -> Property:
    """Return the claim that some door opens, under some fairness."""
    return leads_to("L1", TRUE, exists(x, is_open[x]), fair, source="doors", strongly_fair=strongly_fair)


def test_names_and_order_are_no_difference() -> None:
    """Another parameter, another bound variable, another order, De Morgan, and a definition's name change nothing."""
    shut = let("shut", ~is_open[e])
    other = doors(
        ~(is_open[e] | locked[e]), e, claims=(always("A1", forall(y, locked[y].implies(~is_open[y])), source="doors"),)
    )
    assert not compare(doors(), other)
    assert not compare(doors(), doors(~locked[e] & shut, e))


def test_another_id_is_a_renaming() -> None:
    """A row or a property that means what one of another id did is reported as renamed, and not forbidden."""
    claim = always("A2", forall(x, is_open[x].implies(~locked[x])), source="doors")
    found = compare(doors(), doors(id="O2", claims=(claim,)))
    assert [(one.id, one.how, one.was) for one in found.rows] == [("O2", "renamed", "O1")]
    assert [(one.id, one.how, one.was) for one in found.properties] == [("A2", "renamed", "A1")]
    assert not forbidden(found, ("behaviour-added", "behaviour-removed", "property-weakened"))


@pytest.mark.parametrize(
    ("when", "relation"),
    [
        (~is_open[d], "weaker"),
        (~is_open[d] & ~locked[d] & (count > 3), "stronger"),
        (~is_open[d] & (count > 3), "incomparable"),
        (~is_open[d] & ~locked[d] & ((count > 3) | (count < 5)), "equivalent"),
        (exists(x, x.is_(d) & ~is_open[x] & ~locked[x]), "equivalent"),
    ],
)
def test_a_guard_is_compared_by_what_it_means(when: Term[bool], relation: str) -> None:
    """A guard is weaker, stronger or neither, with a state that shows it; an equivalent one is no change of the row."""
    found = compare(doors(), doors(when))
    mine = [one for one in found.rows if one.id == "O1"]
    if relation == "equivalent":
        assert not mine
        return
    (one,) = mine
    assert (one.how, one.guard.relation, one.effects) == ("changed", relation, False)
    assert bool(one.guard.more) is (relation != "stronger")
    assert bool(one.guard.less) is (relation != "weaker")


def test_what_both_claim_may_make_guards_equivalent() -> None:
    """A conjunct that follows from what both claim of states restricts nothing there, and is reported so."""
    (one,) = compare(doors(is_open[d]), doors(is_open[d] & ~locked[d])).rows
    assert (one.guard.relation, one.guard.given) == ("equivalent", True)
    (one,) = compare(doors(is_open[d], claims=()), doors(is_open[d] & ~locked[d], claims=())).rows
    assert one.guard.relation == "stronger"


def test_a_row_that_earlier_rows_hold_back_otherwise() -> None:
    """In a table in which the first row applies, a later one applies where an earlier one does no more."""
    row = doors().row("O1")
    second = row.event("O2", TRUE, locked[d].becomes(TRUE))
    old = protocol("doors", table("doors", row, second, mode="first match"))
    new = old.but("O1", when=~is_open[d], why="a test")
    found = {one.id: one for one in compare(old, new).rows}
    assert (found["O1"].how, found["O1"].guard.relation) == ("changed", "weaker")
    assert (found["O2"].how, found["O2"].guard.relation) == ("held back otherwise", "stronger")


def test_effects_in_another_order_are_the_same() -> None:
    """Updates of one stage have no order; another value of one is a change of the effects."""
    one = (is_open[d].becomes(TRUE), locked[d].becomes(TRUE))
    assert not compare(doors(effects=one), doors(effects=one[::-1]))
    every_door = every(x, is_open[x], locked[x].becomes(TRUE))
    assert not compare(doors(effects=every_door), doors(effects=every(y, is_open[y], locked[y].becomes(TRUE))))
    (row,) = compare(doors(effects=every_door), doors(effects=every(y, TRUE, locked[y].becomes(TRUE)))).rows
    assert (row.effects, row.guard.relation) == (True, "same")


@pytest.mark.parametrize(
    ("claim", "relation", "weakened"),
    [
        (always("A1", forall(x, ~is_open[x]), source="doors"), "stronger", False),
        (always("A1", forall(x, (is_open[x] & (count > 0)).implies(~locked[x])), source="doors"), "weaker", True),
        (always("A1", forall(x, is_open[x]), source="doors"), "incomparable", True),
        (always("A1", CLAIM, source="doors", expected="violated", finding="F"), "same", True),
        (step("A1", count <= count, source="doors"), "unknown", None),
    ],
)  # fmt: skip
def test_a_claim_is_compared_by_what_it_means(claim: Property, relation: str, weakened: bool | None) -> None:
    """A weaker claim, one of other states, and one that is declared violated are weakened; a stronger one is not."""
    (one,) = compare(doors(), doors(claims=(claim,))).properties
    assert (one.how, one.claim.relation, one.weakened) == ("changed", relation, weakened)


def test_steps_are_compared_too() -> None:
    """A condition on steps that forbids less is weaker, though it speaks of two states."""
    from fencepost.model.language import next_

    strict, lax = (step("A1", term, source="doors") for term in (next_(count) > count, next_(count) >= count))
    (one,) = compare(doors(claims=(strict,)), doors(claims=(lax,))).properties
    assert (one.claim.relation, one.weakened) == ("weaker", True)


@pytest.mark.parametrize(
    ("now", "relation", "weakened"),
    [
        (opens_in_the_end((), ("Open",)), "weaker", True),
        (opens_in_the_end(("Open", "Shut")), "weaker", True),
        (opens_in_the_end(("Shut",), ("Open",)), "weaker", True),
        (opens_in_the_end(()), "stronger", False),
        (opens_in_the_end(("Shut",)), "unknown", None),
        (opens_in_the_end((), ("Shut",)), "unknown", None),
    ],
)
def test_what_comes_to_pass_is_compared_by_its_fairness(now: Property, relation: str, weakened: bool | None) -> None:
    """The more runs must be fair to, and the stronger, the less is claimed; both texts are printed."""
    (one,) = compare(doors(claims=(opens_in_the_end(("Open",)),)), doors(claims=(now,))).properties
    assert (one.claim.relation, one.weakened) == (relation, weakened)
    assert len(set(one.lines)) == 2
    assert "under weak fairness of Open" in one.lines[0]
    (back,) = compare(doors(claims=(now,)), doors(claims=(opens_in_the_end(("Open",)),))).properties
    assert {relation, back.claim.relation} in ({"weaker", "stronger"}, {"unknown"})


def test_what_is_forbidden() -> None:
    """A weaker guard adds behaviour for certain; other effects cannot be excluded to; a weaker claim weakens."""
    everything = ("behaviour-added", "behaviour-removed", "property-weakened")
    weaker = forbidden(compare(doors(), doors(~is_open[d])), everything)
    assert [(one.what, one.id, one.certain) for one in weaker] == [("behaviour-added", "O1", True)]
    other = forbidden(compare(doors(), doors(effects=locked[d].becomes(TRUE))), everything)
    assert [(one.what, one.certain) for one in other] == [("behaviour-added", False), ("behaviour-removed", False)]
    gone = forbidden(compare(doors(), doors(claims=())), everything)
    assert [(one.what, one.id, one.certain) for one in gone] == [("property-weakened", "A1", True)]
    begins = forbidden(compare(doors(), doors(start=all_of(forall(x, ~is_open[x]), count.is_(1)))), everything)
    assert {one.what for one in begins} == {"behaviour-added", "behaviour-removed"}


@pytest.mark.representative("-1", "lease-2")
@pytest.mark.parametrize(("name", "every_"), [("", 1), ("lease", 2), ("kip343", 12)])
def test_no_mutant_is_taken_for_its_base(name: str, every_: int) -> None:
    """Every alteration of a row that makes other tables is a difference: normal forms forget nothing that matters."""
    of = find(name).whole if name else doors()
    population = Population(of)
    rows = [row.id for row in of.rows][::every_]
    mutants = [one for one in population.all(rows) if not population.fresh(one)]
    assert len(mutants) >= 10
    assert [one.id for one in mutants if not compare(of, one.of(of), ask=False)] == []
