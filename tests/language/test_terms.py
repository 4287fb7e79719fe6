"""Kinds and terms: built by operators, equal when they are the same, and never true or false themselves."""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.model.language import (
    BOOL,
    FALSE,
    TRUE,
    Bound,
    TableError,
    always,
    assume,
    counter,
    definition,
    event,
    every,
    exists,
    forall,
    just,
    leads_to,
    let,
    list_of,
    maybe,
    members,
    only_if,
    protocol,
    record,
    required,
    set_of,
    sort,
    step,
    table,
    those,
    threshold,
    when,
)
from fencepost.model.language.terms import Elems, Lit, Member, Not, SetOp, Subset
from tests.cases import each

from .sample import JOB, SOURCE, WORKER, Answer, Worker, alive, holder, j, n, order, resting, team, term, v, w

PLAIN: Any = True
"""A Python bool where the types ask for a term."""


def test_equal_terms_are_one_object() -> None:
    """Two terms built alike are the same object, so `==` is structural and engines may key on identity."""
    assert (alive[w] & ~resting[w]) is (alive[w] & ~resting[w])
    assert alive[w] != alive[v]
    assert {alive[w]: 1}[alive[w]] == 1
    assert Lit(1, counter("a")) is not Lit(1, counter("b"))


def test_a_truth_value_is_no_number() -> None:
    """The literals true and 1 stay apart although Python finds `True == 1`."""
    kind: Any = counter("term")
    assert Lit(True, kind) is not Lit(1, kind)


def test_kinds_are_equal_by_what_they_are() -> None:
    """A kind is its name and parts; a sort is named by its class."""
    assert sort(Worker) == WORKER
    assert set_of(WORKER) == set_of(WORKER) != set_of(JOB)  # type: ignore[comparison-overlap]
    assert maybe(WORKER) != WORKER
    assert counter("a") != threshold("a")  # type: ignore[comparison-overlap]
    assert str(list_of(WORKER)) == "list of Worker"


@each(
    "use",
    [
        lambda: bool(alive[w]),
        lambda: alive[w] and resting[w],  # type: ignore[unreachable]
        lambda: alive[w] or resting[w],  # type: ignore[unreachable]
        lambda: not alive[w],
        lambda: TRUE if alive[w] else FALSE,
        lambda: 0 < term < 3,
    ],
)
def test_a_term_has_no_truth_value(use: Callable[[], object]) -> None:
    """Asking a term for its truth raises, and the message says what to write instead."""
    with pytest.raises(TableError, match=r"write `&`, `\|`, `~`"):
        use()


OPERATORS: dict[str, tuple[Callable[[], object], str]] = {
    "equality with a number": (lambda: (term == 1) & alive[w], "term == 1: `==` builds no term; write term.is_(1)"),  # type: ignore[comparison-overlap, operator]
    "inequality": (lambda: term != 1, "write term.is_(1), or ~ before it"),  # type: ignore[comparison-overlap]
    "a number on the left": (lambda: 1 == term, "write term.is_(1)"),  # type: ignore[comparison-overlap]  # noqa: SIM300
    "equality with a Python bool": (lambda: alive[w] == True, "write alive[w], or ~"),  # type: ignore[comparison-overlap]  # noqa: E712
    "equality with a member": (lambda: term == Answer.OK, "write term.is_(Answer.OK)"),  # type: ignore[comparison-overlap]
    "equality of two terms": (lambda: (term == n) & alive[w], "makes one; write `.is_(...)` for `==`"),  # type: ignore[operator]
    "that or another": (lambda: (term == n) | alive[w], "makes one; write `.is_(...)` for `==`"),  # type: ignore[operator]
    "a product from the left": (lambda: 2 * term, "a product begins with its term; write"),  # type: ignore[operator]
    "a quotient": (lambda: term // 2, "`/` builds no term"),  # type: ignore[operator]
    "a remainder": (lambda: term % 2, "`%` builds no term"),  # type: ignore[operator]
    "a sum from the left": (lambda: 1 + term, "write term + 1"),  # type: ignore[operator]
    "a difference from the left": (lambda: 1 - term, "move the number to the other side"),  # type: ignore[operator]
    "a sign": (lambda: -term, "a number is not negated"),  # type: ignore[operator]
    "either or": (lambda: alive[w] ^ resting[w], "write alive[w].isnt(...)"),  # type: ignore[operator]
    "membership": (lambda: w in team[j], "write w.in_(team[j])"),  # type: ignore[operator]
}


@each("use", OPERATORS)
def test_an_operator_that_builds_no_term_says_what_to_write(use: str) -> None:
    """An operator that the language has not is refused at the line that wrote it, with what to write instead."""
    with pytest.raises(TableError) as caught:
        OPERATORS[use][0]()
    [finding] = caught.value.findings
    assert finding.place.file == "language/test_terms.py"
    assert OPERATORS[use][1] in str(finding)


def test_equality_of_terms_is_identity() -> None:
    """Between terms `==` says whether they are the same, which engines rely on; a term is a key of a dictionary."""
    assert (term + 1) == (term + 1)
    assert (term + 1) != (term + 2)
    assert {term + 1: "one"}[term + 1] == "one"


def _protocol(**changed: Any) -> object:
    given = changed.pop("given", TRUE)
    happens = event("Happens", w, given=given, source=SOURCE)
    row = happens("R1", changed.pop("when", TRUE), alive[w].becomes(TRUE), say=changed.pop("say", None))
    return protocol("p", table("t", row), **changed)


PLACES: dict[str, Callable[[], object]] = {
    "guard": lambda: _protocol(when=PLAIN),
    "given": lambda: _protocol(given=PLAIN),
    "answer": lambda: _protocol(say=PLAIN),
    "start": lambda: _protocol(start=PLAIN),
    "always": lambda: _protocol(properties=[always("A", PLAIN)]),
    "step": lambda: _protocol(properties=[step("A", PLAIN)]),
    "leads to": lambda: _protocol(properties=[leads_to("A", PLAIN, TRUE, ())]),
    "assumption": lambda: _protocol(assumptions=[assume("A", PLAIN)]),
    "bound's start": lambda: _protocol(bounds={"tiny": Bound({"Worker": 1}, start=PLAIN)}),
    "bound's given": lambda: _protocol(bounds={"tiny": Bound({"Worker": 1}, given={"Happens": PLAIN})}),
    "and": lambda: alive[w] & PLAIN,
    "or": lambda: alive[w] | PLAIN,
    "implies": lambda: alive[w].implies(PLAIN),
    "is": lambda: alive[w].is_(PLAIN),
    "becomes": lambda: alive[w].becomes(PLAIN),
    "when, condition": lambda: when(PLAIN, term, term),
    "when, then": lambda: when(alive[w], PLAIN, TRUE),
    "when, otherwise": lambda: when(alive[w], TRUE, PLAIN),
    "forall": lambda: forall(w, PLAIN),
    "exists": lambda: exists(w, PLAIN),
    "those": lambda: those(w, PLAIN),
    "every": lambda: every(w, PLAIN, alive[w].becomes(TRUE)),
    "only_if": lambda: only_if(PLAIN, term.becomes(0)),
    "let": lambda: let("name", PLAIN),
    "definition": lambda: definition(lambda: PLAIN)(),
    "field": lambda: record("R", fields=(required("f", BOOL),))(f=PLAIN),
}


@each("place", PLACES)
def test_a_python_bool_is_refused(place: str) -> None:
    """A Python bool where a term belongs is refused at run time, at the line that wrote it, with what to write."""
    with pytest.raises(TableError) as caught:
        PLACES[place]()
    [finding] = caught.value.findings
    assert finding.place.file == "language/test_terms.py"
    assert "True" in finding.wrong or "bool" in finding.wrong
    assert "TRUE" in finding.write or "term" in finding.write


WRONG: dict[str, Callable[[], object]] = {
    "a value of another kind": lambda: alive[w].is_(term),  # type: ignore[arg-type]
    "a member of another enumeration": lambda: term.is_(Answer.OK),  # type: ignore[arg-type]
    "too few keys": lambda: alive.state.at(),
    "a key of another kind": lambda: alive[j],  # type: ignore[index]
    "sets of other sorts": lambda: team[j] | just(j),  # type: ignore[arg-type]
    "membership in no collection": lambda: w.in_(alive[w]),  # type: ignore[arg-type]
    "an update of no cell": lambda: (term + 1).becomes(1),
    "a quantifier over no variable": lambda: forall(alive[w], TRUE),
    "a negation of a number": lambda: ~term,  # type: ignore[misc]
}


@each("use", WRONG)
def test_wrong_kinds_are_refused(use: str) -> None:
    """What mypy would report is refused at run time too, with one sentence and the line."""
    with pytest.raises(TableError) as caught:
        WRONG[use]()
    [finding] = caught.value.findings
    assert finding.place.line > 0
    assert finding.write


def test_an_entity_stands_for_the_option_that_holds_it() -> None:
    """An option may be compared with an entity and with None; a counter with a counter of another name."""
    assert str(holder[j].is_(w)) == "holder[j] = w"
    assert str(holder[j].is_(None)) == "holder[j] = none"
    assert str(n.is_(counter("other").var("o"))) == "n = o"


def test_operators_follow_the_kind() -> None:
    """`&`, `|`, `-`, `<=`, `>=` are set algebra on sets, logic and order on the rest; a list is its members."""
    assert isinstance(team[j] & team[j], SetOp)
    assert isinstance(team[j] <= team[j], Subset)
    assert (just(w) >= team[j]) is (team[j] <= just(w))
    inside = w.in_(order[j])
    assert isinstance(inside, Member)
    assert isinstance(inside.collection, Elems)
    assert (term > 1) is Lit(1, counter("term")).__lt__(term)


def test_double_negation_is_folded_and_junctions_are_flat() -> None:
    """`~~a` is `a`; `a & b & c` is one conjunction of three."""
    assert ~~alive[w] is alive[w]
    assert isinstance(~alive[w], Not)
    a, b, c = alive[w], resting[w], alive[v]
    assert ((a & b) & c) is (a & (b & c))


def test_members_of_a_list_are_a_set_of_its_sort() -> None:
    """The kinds of derived terms follow from their parts."""
    assert members(order[j]).kind == set_of(WORKER)
    assert those(v, alive[v]).kind == set_of(WORKER)
    assert holder[j].kind == maybe(WORKER)
