"""A counterexample names the entities for which a property is false, the conjunct that fails, and its values."""

from fencepost.checkers.exploration import explore
from fencepost.checkers.failures import Failure, failure_of
from fencepost.checkers.proof import prove
from fencepost.model.language import (
    BOOL,
    NONE,
    TRUE,
    Bound,
    Entity,
    Protocol,
    Term,
    Valuation,
    World,
    always,
    cell,
    counter,
    definition,
    event,
    exists,
    forall,
    maybe,
    next_,
    per,
    protocol,
    set_of,
    some,
    sort,
    step,
    table,
)


class Node(Entity):
    """A node."""


class Part(Entity):
    """A part."""


NODE, PART, EPOCH = sort(Node), sort(Part), counter("epoch")
n, m, p = NODE.var("n"), NODE.var("m"), PART.var("p")
up, fenced = per(NODE, "up", BOOL), per(NODE, "fenced", BOOL)
leader, isr = per(PART, "leader", maybe(NODE), NONE), per(PART, "isr", set_of(NODE))
epoch = cell("epoch", EPOCH, 0)
WORLD = World({"Node": (0, 1), "Part": (0, 1)}, {"epoch": (0, 3)})


@definition
def active(x: Term[Node]) -> Term[bool]:
    """A node that may lead."""
    return up[x] & ~fenced[x]


def why(term: Term[bool]) -> Failure:
    """Return why a condition is false in a state in which node 1 leads part 1."""
    state = Valuation(
        {
            (leader.state, (1,)): 1,
            (isr.state, (1,)): frozenset({0, 1}),
            (up.state, (1,)): True,
            (fenced.state, (1,)): True,
        }
    )
    found = failure_of(always("A", term), state, WORLD)
    assert found is not None
    return found


def test_the_entities_and_the_conjunct_are_named() -> None:
    """Of "for all p, n: if n leads p then n is up and not fenced" it is said which p and n, and that fenced is true."""
    found = why(forall(p, forall(n, leader[p].is_(some(n)).implies(up[n] & ~fenced[n]))))
    assert found.entities == (("p", "1"), ("n", "1"))
    assert found.conditions == ("leader[p] = n",)
    assert found.conjunct == "not fenced[n]"
    assert found.values == (("fenced[n]", "true"),)
    assert found.lines()[0] == "A is false for p=1, n=1:"
    assert found.lines()[2] == "  what fails: not fenced[n]"


def test_a_definition_is_looked_into() -> None:
    """A conjunct under a name is named as the conjunct that it is."""
    assert why(forall(p, forall(n, leader[p].is_(some(n)).implies(active(n))))).conjunct == "not fenced[n]"


def test_a_disjunction_is_told_with_all_its_values() -> None:
    """All parts of a disjunction are false: it is printed whole, with what they read."""
    found = why(forall(p, (leader[p].is_(None)) | (isr[p] <= those_up())))
    assert found.entities == (("p", "1"),)
    assert ("leader[p]", "1") in found.values
    assert ("isr[p]", "{0, 1}") in found.values


def those_up() -> Term[frozenset[Node]]:
    """Return the nodes that are up."""
    from fencepost.model.language import those

    return those(n, up[n])


def test_what_must_not_exist_is_named() -> None:
    """Of "no n is fenced and up" it is said which n is."""
    found = why(~exists(n, fenced[n] & up[n]))
    assert found.entities == (("n", "1"),)
    assert found.conjunct == "not (fenced[n] and up[n])"


def test_what_holds_has_no_failure() -> None:
    """There is nothing to tell of a property that holds."""
    assert failure_of(always("A", TRUE), Valuation(), WORLD) is None


def test_a_step_is_told_with_both_values() -> None:
    """Of a step the values before and after are printed, and both are cells to look at."""
    rises = step("S", forall(n, up[n].implies(next_(up[n]) & (next_(epoch) >= epoch))))
    before = Valuation({(up.state, (0,)): True, (epoch.state, ()): 2})
    found = failure_of(rises, before, WORLD, before.but({(epoch.state, ()): 1}))
    assert found is not None
    assert found.entities == (("n", "0"),)
    assert dict(found.values) == {"epoch": "2", "epoch′": "1"}
    assert (epoch.state, ()) in found.cells


def fencing() -> Protocol:
    """Return nodes that lead and are fenced, against the claim that who leads is not."""
    lead, fence = event("Lead", p, n, source="a test"), event("Fence", n, source="a test")
    rows = lead("LEAD", up[n], leader[p].becomes(some(n))), fence("FENCE", TRUE, fenced[n].becomes(TRUE))
    start = event("Start", n, source="a test")
    return protocol(
        "fencing",
        table("fencing", *rows, start("START", ~up[n], up[n].becomes(TRUE))),
        properties=[
            always("P1", forall(p, forall(n, leader[p].is_(some(n)).implies(up[n] & ~fenced[n]))), source="a test")
        ],
        bounds={"two": Bound({"Node": 2, "Part": 1})},
        ends=True,
    )


def test_proof_and_exploration_tell_the_same() -> None:
    """Both name the entity and the conjunct; the page of each has it, and the JSON document too."""
    for trace in (
        next(one.counterexample for one in prove(fencing()).failed if one.row == "FENCE"),
        explore(fencing(), "two").property("P1").trace,
    ):
        assert trace is not None
        assert trace.failure is not None
        assert trace.failure.conjunct == "not fenced[n]"
        assert any("what fails: not fenced[n]" in line for line in trace.lines())
        assert trace.as_json()["failure"]["property"] == "P1"


def test_a_counterexample_to_induction_names_both_states() -> None:
    """The states before and after are printed by the cells that differ or that the property reads, and no others."""
    made = fencing()
    trace = next(one.counterexample for one in prove(made).failed if one.row == "FENCE")
    assert trace is not None
    lines = trace.lines()
    (before,) = [line for line in lines if line.startswith("before:")]
    (after,) = [line for line in lines if line.startswith("after:")]
    assert "fenced[0]=false" in before
    assert "fenced[0]=true" in after
    assert "leader[0]=0" in before
    assert "leader[0]=0" in after
