"""Well-formedness: everything that is wrong with a protocol is found at once, each with its line and what to write."""

import enum
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fencepost.model.language import (
    ANY,
    BOOL,
    NONE,
    TRUE,
    Bound,
    Entity,
    TableError,
    absent,
    always,
    at_least,
    cell,
    counter,
    distance,
    event,
    every,
    helps,
    just,
    leads_to,
    let,
    list_of,
    maybe,
    next_,
    none_of,
    number_of,
    one_of,
    only,
    per,
    present,
    procedure,
    protocol,
    ranking,
    record,
    required,
    set_of,
    some,
    sort,
    step,
    table,
    threshold,
)
from fencepost.model.language.rankings import Ranking
from tests.cases import each

from .sample import SOURCE, TERM, WORKER, Answer, alive, n, resting, sample, term, v, w

happens = event("Happens", w, source=SOURCE)
fine = happens("R1", alive[w], alive[w].becomes(TRUE))


def of(*rows: Any, **others: Any) -> Callable[[], object]:
    """Return the making of a protocol with these rows beside a fine one."""
    return lambda: protocol("p", table("t", fine, *rows), **others)


def ranked_by(how: Ranking, **others: Any) -> Callable[[], object]:
    """Return the making of a protocol with a claim of runs without end and a ranking of it."""
    claim = {"fair": ("Happens",), "by": how, **others}
    return of(properties=[leads_to("A", TRUE, TRUE, **claim)])


seen = per(WORKER, "seen", BOOL, what="ghost")
constant = per(WORKER, "constant", BOOL, ANY, what="fixed")
twin = per(WORKER, "alive", BOOL)
first, low = cell("first", counter("number"), 0), cell("low", counter("number"), -1)
later, far = cell("later", counter("number", 3), 3), cell("far", counter("far", -(2**40)), 0)
none_needed, some_ = cell("needed", threshold("size"), 0), cell("some", set_of(WORKER))


class Unnamed(Entity):
    """Something that nothing but an effect names."""


class Number(Entity):
    """A sort with the name of a counter."""


Number.__name__ = "number"
other, namesake = sort(Unnamed).var("other"), sort(Number).var("namesake")


class Nothing(enum.Enum):
    """An enumeration without members."""


FINDINGS: dict[str, tuple[Callable[[], object], str, str]] = {
    "an id twice": (
        of(happens("R1", TRUE, alive[w].becomes(TRUE))),
        "R1",
        "the id is taken at language/test_wellformed.py",
    ),
    "a property with a row's id": (of(properties=[always("R1", TRUE)]), "R1", "the id is taken"),
    "an id with a space": (of(happens("R 2", TRUE)), "'R 2'", "is no id"),
    "an id that begins with a digit": (of(happens("2R", TRUE)), "'2R'", "is no id"),
    "a guard of another kind": (of(happens("R2", term)), "row R2", "the guard is of kind term"),  # type: ignore[arg-type]
    "a guard that is no term": (of(happens("R2", "alive")), "row R2", "the guard is a Python str"),  # type: ignore[arg-type]
    "a choice of no variable": (of(happens("R2", TRUE, choose=(term,))), "row R2", "which is no variable"),
    "no source": (of(event("Other", w)("R2", TRUE)), "row R2", "cites no source"),
    "an effect that is none": (of(happens("R2", TRUE, alive[w])), "row R2", "is no effect"),  # type: ignore[arg-type]
    "an unbound variable in a guard": (
        of(happens("R2", alive[v])),
        "row R2",
        "speaks of v, which its event does not bind",
    ),
    "an unbound variable in an effect": (of(happens("R2", TRUE, alive[v].becomes(TRUE))), "row R2", "speaks of v"),
    "an unbound variable in an answer": (of(happens("R2", TRUE, say=alive[v])), "row R2", "speaks of v"),
    "an unbound variable in a record": (
        of(happens("R2", TRUE, record("LOST", required("who", WORKER))(v))),
        "row R2",
        "speaks of v",
    ),
    "an answer that is no term": (of(happens("R2", TRUE, say="OK")), "row R2", "answers 'OK', which is no term"),  # type: ignore[arg-type]
    "a guard that reads a ghost": (of(happens("R2", seen[w])), "row R2", "the guard reads the ghost seen"),
    "a guard that reads the next state": (
        of(happens("R2", next_(alive[w]))),
        "row R2",
        "the guard reads the next state",
    ),
    "a write of a constant": (
        of(happens("R2", TRUE, constant[w].becomes(TRUE))),
        "row R2",
        "writes constant, which is fixed",
    ),
    "a cell written twice": (
        of(happens("R2", TRUE, alive[w].becomes(TRUE), alive[w].becomes(resting[w]))),
        "row R2",
        "writes alive[w] twice at once",
    ),
    "a reason for a row of another table": (
        lambda: protocol("p", table("t", fine, why={"R9": "because"})),
        "table t",
        "gives a reason for R9, which it has not",
    ),
    "a property of another kind": (of(properties=[always("A", term)]), "property A", "is no condition"),  # type: ignore[arg-type]
    "a property with a free variable": (
        of(properties=[always("A", alive[w])]),
        "property A",
        "speaks of w, which nothing binds",
    ),
    "an always that reads the next state": (
        of(properties=[always("A", next_(term) >= term)]),
        "property A",
        "reads the next state",
    ),
    "a step of a row that there is not": (
        of(properties=[step("A", TRUE, rows=("R7",))]),
        "property A",
        "speaks of row R7, which there is not",
    ),
    "fairness to no event": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Hapens",))]),
        "property A",
        "is fair to Hapens, which is no event",
    ),
    "strong fairness to no event": (
        of(properties=[leads_to("A", TRUE, TRUE, (), strongly_fair=("Hapens",))]),
        "property A",
        "is fair to Hapens, which is no event",
    ),
    "fairness to a text": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens"))]),  # type: ignore[arg-type]
        "property A",
        "has the text 'Happens' as fair",
    ),
    "strong fairness to a text": (
        of(properties=[leads_to("A", TRUE, TRUE, (), strongly_fair=("Happens"))]),  # type: ignore[arg-type]
        "property A",
        "has the text 'Happens' as strongly_fair",
    ),
    "fairness of both kinds to one event": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens",), strongly_fair=("Happens",))]),
        "property A",
        "is fair to Happens twice",
    ),
    "fairness to one event twice": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens", "Happens"))]),
        "property A",
        "is fair to Happens twice",
    ),
    "fairness by parameter of an event that runs need not be fair to": (
        of(properties=[leads_to("A", TRUE, TRUE, (), fair_by={"Happens": w})]),
        "property A",
        "distinguishes Happens by w, and runs need not be fair to it",
    ),
    "fairness by no parameter": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens",), fair_by={"Happens": v})]),
        "property A",
        "distinguishes Happens by v, which row R1 does not have",
    ),
    "a claim for each of another variable": (
        of(properties=[leads_to("A", alive[w], TRUE, ("Happens",), each=(v,))]),
        "property A",
        "speaks of w, which nothing binds",
    ),
    "an event that happens finitely often, and is none": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens",), finitely=("Hapens",))]),
        "property A",
        "has Hapens finitely often, which is no event",
    ),
    "an event that runs are fair to and take finitely often": (
        of(properties=[leads_to("A", TRUE, TRUE, ("Happens",), finitely=("Happens",))]),
        "property A",
        "is fair to Happens, and has it finitely often",
    ),
    "a ranking of a claim that is declared violated": (
        ranked_by(ranking(helps("Happens", TRUE)), expected="violated"),
        "property A",
        "has a ranking, and is declared violated",
    ),
    "a ranking without an event": (ranked_by(ranking()), "property A", "has a ranking in which no event helps"),
    "a ranking by an event that runs need not be fair to": (
        ranked_by(ranking(helps("Happens", TRUE)), fair=()),
        "property A",
        "has Happens help, and runs need not be fair to it",
    ),
    "a ranking that reaches an event of weak fairness": (
        ranked_by(ranking(helps("Happens", TRUE, reached=ranking(helps("Happens", TRUE))))),
        "property A",
        "says how Happens is reached, and runs are not strongly fair to it",
    ),
    "a ranking that speaks of nothing": (
        ranked_by(ranking(helps("Happens", alive[v]))),
        "property A",
        "where Happens helps speaks of v, which nothing binds",
    ),
    "a ranking that reads the next state": (
        ranked_by(ranking(helps("Happens", TRUE), waiting=next_(alive[w])), each=(w,)),
        "property A",
        "waiting reads the next state",
    ),
    "a rank that is a sum over a counter": (
        ranked_by(ranking(helps("Happens", TRUE), ranks=(number_of(n, TRUE),))),
        "property A",
        "of which there are infinitely many",
    ),
    "a rank that is no number": (
        ranked_by(ranking(helps("Happens", TRUE), ranks=(distance(alive[w], alive[w]),))),  # type: ignore[arg-type]
        "property A",
        "is no number",
    ),
    "a property broken by a row that there is not": (
        of(properties=[always("A", TRUE, expected="violated", by=("R7",))]),
        "property A",
        "is said to be broken by row R7, which there is not",
    ),
    "a further step of a row that there is not": (
        lambda: sample().claiming(step("A", TRUE, rows=("AS9",))),
        "property A",
        "speaks of row AS9, which there is not",
    ),
    "a further property broken by a row that there is not": (
        lambda: sample().claiming(always("A", TRUE, expected="violated", by=("AS9",))),
        "property A",
        "is said to be broken by row AS9, which there is not",
    ),
    "a further step broken by a row that there is not": (
        lambda: sample().claiming(step("A", TRUE, expected="violated", by=("AS9",))),
        "property A",
        "is said to be broken by row AS9, which there is not",
    ),
    "further fairness to no event": (
        lambda: sample().claiming(leads_to("A", TRUE, TRUE, ("Asked",))),
        "property A",
        "is fair to Asked, which is no event",
    ),
    "a property put in place of others with a row that there is not": (
        lambda: replace(sample(), properties=(step("A", TRUE, rows=("AS9",)),)),
        "property A",
        "speaks of row AS9, which there is not",
    ),
    "a step of a row that a slice has not": (
        lambda: sample().slice("asking", name="s", bounds={}).claiming(step("A", TRUE, rows=("TA1",))),
        "property A",
        "speaks of row TA1, which there is not",
    ),
    "a definition changed in a row that there is not": (
        lambda: sample().redefine("free", lambda old: old, why="w", rows=("AS9",)),
        "variant of sample",
        "no row AS9",
    ),
    "an event's assumption with a free variable": (
        of(event("Other", w, given=alive[v], source=SOURCE)("R2", TRUE)),
        "event Other",
        "speaks of v, which nothing binds",
    ),
    "a start with a free variable": (of(start=alive[w]), "the start of p", "speaks of w, which nothing binds"),
    "two variables of one name": (of(happens("R2", twin[w])), "state alive", "is declared at language/sample.py"),
    "a bound without a size": (of(bounds={"tiny": Bound({})}), "bound tiny", "has no size for Worker"),
    "a bound with a size for nothing": (
        of(bounds={"tiny": Bound({"Worker": 1, "Workers": 1})}),
        "bound tiny",
        "gives a size to Workers, which nothing uses",
    ),
    "two counters of one name with different starts": (
        of(happens("R2", first >= 0, later.becomes(later + 1))),
        "kind number",
        "is the name of a counter from 0 and a counter from 3",
    ),
    "a sort and a counter of one name": (
        of(event("Other", namesake, source=SOURCE)("R2", first >= 0)),
        "kind number",
        "is the name of a counter from 0 and a sort",
    ),
    "a counter that begins below its start": (of(happens("R2", low >= 0)), "state low", "begins at -1"),
    "a threshold that begins at 0": (of(happens("R2", at_least(some_, none_needed))), "state needed", "begins at 0"),
    "a number that no word holds": (of(happens("R2", first < 2**63)), "row R2", f"has the number {2**63}"),
    "a sum that no word holds": (
        of(properties=[always("A", first + 2**40 > first)]),
        "property A",
        f"calculates first + {2**40}",
    ),
    "a counter that begins far away": (of(happens("R2", far >= 0)), "kind far", f"begins at {-(2**40)}"),
    "a parameter twice": (
        of(event("Other", w, w, source=SOURCE)("R2", alive[w])),
        "row R2",
        "has the parameter w twice",
    ),
    "a bound without entities": (of(bounds={"tiny": Bound({"Worker": 0})}), "bound tiny", "has the size 0 for Worker"),
    "a bound below the start of a counter": (
        of(happens("R2", later >= 3), bounds={"tiny": Bound({"Worker": 1, "number": 2})}),
        "bound tiny",
        "has the size 2 for number",
    ),
    "a bound that no word holds": (
        of(happens("R2", first >= 0), bounds={"tiny": Bound({"Worker": 1, "number": 2**63})}),
        "bound tiny",
        f"has the size {2**63} for number",
    ),
    "a bound without a size for what effects range over": (
        of(happens("R2", TRUE, every(other, TRUE, alive[w].becomes(TRUE))), bounds={"tiny": Bound({"Worker": 1})}),
        "bound tiny",
        "has no size for Unnamed",
    ),
    "a bound with an unknown event": (
        of(bounds={"tiny": Bound({"Worker": 1}, given={"Other": TRUE})}),
        "bound tiny",
        "speaks of the event Other",
    ),
}


@each("case", FINDINGS)
def test_each_finding(case: str) -> None:
    """What is malformed is found, alone, with its subject, what is wrong, the line that wrote it, and what to write."""
    make, subject, wrong = FINDINGS[case]
    with pytest.raises(TableError) as caught:
        make()
    [finding] = caught.value.findings
    assert finding.subject == subject
    assert wrong in finding.wrong
    assert finding.write
    assert finding.place.file.startswith("language/")
    assert finding.place.line > 0


def test_a_claim_survives_its_rows() -> None:
    """Slices and variants keep the claims of what they were made from, though rows and events of these are gone."""
    whole = sample().claiming(
        step("A", TRUE, rows=("AS1", "TA1")),
        always("B", TRUE, expected="violated", by=("AS1",)),
        leads_to("C", TRUE, TRUE, ("Ask",)),
    )
    for made in (
        whole.without("AS1", why="w"),
        whole.without("AS1", why="w").claiming(step("A", TRUE, rows=("AS1", "TA2"))),
        whole.slice("work", name="s", bounds={}),
        whole.slice("work", name="s", bounds={}).without("TA1", why="w"),
        replace(whole, properties=()).claiming(always("D", TRUE)),
    ):
        assert made.known.rows >= {"AS1", "TA1"}
        assert made.known.events >= {"Ask"}


def test_a_finding_names_a_dozen_at_most() -> None:
    """Where nothing is near, a finding lists some names and counts all."""
    rows = [event(f"E{number}", source=SOURCE)(f"R{number}", TRUE) for number in range(10, 30)]
    with pytest.raises(TableError, match=r"use one of (\w+, ){11}\w+ or another of the 21$"):
        of(*rows, properties=[step("A", TRUE, rows=("xyz",))])()


def test_several_findings_arrive_together() -> None:
    """One exception has every defect, a line each, with the row's own line."""
    with pytest.raises(TableError) as caught:
        protocol(
            "p",
            table("t", fine, happens("R2", term), happens("R3", alive[v])),
            table("u", event("O", w)("R 4", TRUE)),  # type: ignore[arg-type]
        )
    assert [finding.subject for finding in caught.value.findings] == ["'R 4'", "row R2", "row R3", "row R 4"]
    assert len(str(caught.value).splitlines()) == 4
    assert len({finding.place.line for finding in caught.value.findings}) == 2
    assert "test_wellformed.py:" in str(caught.value).splitlines()[0]


def test_a_finding_is_told_once() -> None:
    """A variable that a row leaves unbound in several places is one finding."""
    with pytest.raises(TableError) as caught:
        protocol("p", table("t", happens("R2", alive[v], alive[v].becomes(resting[v]))))
    assert len(caught.value.findings) == 1


def test_a_near_miss_is_named() -> None:
    """A name that is nearly right is answered with the right one."""
    with pytest.raises(TableError, match=r"did you mean Happens\?"):
        of(properties=[leads_to("A", TRUE, TRUE, ("Hapens",))])()


def test_the_sample_is_well_formed() -> None:
    """A well-formed protocol raises nothing, and knows its parts."""
    one = sample()
    assert [row.id for row in one.rows] == ["AS1", "AS2", "AS3", "AS4", "JO1", "TA1", "TA2"]
    assert {state.name for state in one.states} == {"alive", "resting", "term", "order", "team", "holder", "quorum"}
    assert set(one.sized_kinds()) == {"Worker", "Job", "term", "size"}
    assert [record_.name for record_ in one.records] == ["MOVED", "LEFT", "JOINED"]


def test_declarations_are_refused_where_they_stand() -> None:
    """What no protocol is needed to refuse is refused at once."""
    broken: list[tuple[Callable[[], object], str]] = [
        (lambda: event("E", term), "is no variable"),
        (lambda: table("t", alive[w]), "is no row"),  # type: ignore[arg-type]
        (lambda: cell("c", counter("c")), "no initial value for kind c"),
        (lambda: cell("c", maybe(WORKER), Answer.OK), "is no value of kind maybe Worker"),
        (lambda: cell("c", maybe(WORKER), NONE).becomes(NONE), "NONE is how an option begins and no term"),
        (lambda: every(alive[w], TRUE), "is no variable"),
        (lambda: procedure(w)(lambda w: alive[w].becomes(TRUE))(), "called with 0 arguments"),
        (lambda: let("x", 1), "is no term"),  # type: ignore[arg-type]
        *((lambda word=word: word(Answer.OK), "is no term") for word in (some, just, only, present, absent)),
        (lambda: just(), "it is given no entity"),
        (lambda: maybe(maybe(WORKER)), "an option of an option has two values for none"),
        (lambda: some(none_of(WORKER)), "an option of an option has two values for none"),
        (lambda: none_of(maybe(WORKER)), "an option of an option has two values for none"),
        (lambda: set_of(BOOL), "a set is of entities"),  # type: ignore[arg-type]
        (lambda: set_of(set_of(WORKER)), "a set is of entities"),  # type: ignore[arg-type]
        (lambda: list_of(maybe(WORKER)), "a list is of entities"),  # type: ignore[arg-type]
        (lambda: one_of(Nothing), "is an enumeration without members"),
    ]
    for make, words in broken:
        with pytest.raises(TableError, match=words):
            make()


def test_initial_values_that_need_no_saying() -> None:
    """Bool, sets and lists start false and empty; an option says NONE, ANY leaves the start open."""
    assert str(per(WORKER, "l", list_of(WORKER)).state.initial) == "[]"
    assert str(per(WORKER, "o", maybe(WORKER), NONE).state.initial) == "none"
    assert per(WORKER, "a", TERM, ANY).state.initial is None
    assert n.kind == TERM
