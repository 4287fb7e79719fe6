"""Rendering: what people read is what the engines run, kept as golden text.

Run with FENCEPOST_REWRITE_GOLDENS=1 to write the golden files anew after a change that is meant.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.model.language import (
    FALSE,
    TRUE,
    absent,
    always,
    at_least,
    distance,
    drop,
    else_,
    empty,
    exists,
    first,
    forall,
    head,
    helps,
    just,
    keep,
    leads_to,
    let,
    markdown,
    max_of,
    members,
    next_,
    nobody,
    number_of,
    only,
    present,
    protocol_text,
    ranking,
    sentence,
    some,
    step,
    text,
    then,
    those,
    when,
)
from fencepost.model.language.render import definition_text, property_text, value_text
from fencepost.model.language.terms import Named
from tests.cases import each

from .sample import WORKER, Answer, alive, fit, holder, j, leave, n, order, quorum, resting, sample, team, term, v, w

GOLDEN = Path(__file__).parent / "golden"


def compare(name: str, found: str) -> None:
    """Compare a text with its golden file, or write the file where that is asked for."""
    path = GOLDEN / name
    if os.environ.get("FENCEPOST_REWRITE_GOLDENS") == "1":
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8"), f"{path} differs; FENCEPOST_REWRITE_GOLDENS=1 writes it anew"


def test_the_table_reads_as_before() -> None:
    """A table as Markdown: a line a row, first match said once, rationale by id below."""
    compare("asking.txt", markdown(sample().tables[0]))


def test_the_protocol_reads_as_before() -> None:
    """The whole protocol: events, tables, definitions, procedures, records, properties."""
    compare("sample.txt", protocol_text(sample()))


def test_every_row_has_a_sentence() -> None:
    """Each row as an English sentence, rendered from its guard and effects."""
    compare("sentences.txt", "".join(sentence(row) + "\n" for row in sample().rows))


a, b, c = alive[w], resting[w], alive[v]
TEXTS: list[tuple[Any, str]] = [
    (a & b | c, "alive[w] and resting[w] or alive[v]"),
    (a & (b | c), "alive[w] and (resting[w] or alive[v])"),
    (~(a & b), "not (alive[w] and resting[w])"),
    (a.implies(b | c), "alive[w] ⇒ resting[w] or alive[v]"),
    ((a.implies(b)) & c, "(alive[w] ⇒ resting[w]) and alive[v]"),
    (~a | b, "not alive[w] or resting[w]"),
    (w.isnt(v), "w ≠ v"),
    (~w.in_(team[j]), "w ∉ team[j]"),
    (n + 1 < term - 1, "n + 1 < term − 1"),
    (term >= n, "n ≤ term"),
    (forall(v, exists(w, w.is_(v))), "every v: (some w: w = v)"),
    (forall(v, alive[v]) & a, "(every v: alive[v]) and alive[w]"),
    (those(v, fit(v)), "{v | fit(v)}"),
    (team[j] - (just(w) | nobody(WORKER)), "team[j] ∖ ({w} ∪ ∅)"),
    (team[j] <= members(order[j]), "team[j] ⊆ order[j]"),
    (first(order[j], team[j]), "first of order[j] in team[j]"),
    (head(order[j]), "head(order[j])"),
    (drop(order[j], just(w)), "order[j] ∖ {w}"),
    (keep(order[j], team[j]), "order[j] ∩ team[j]"),
    (then(order[j], only(w)), "order[j] ++ [w]"),
    (empty(order[j]), "order[j] = []"),
    (some(w), "w"),
    (absent(holder[j]), "holder[j] = none"),
    (present(holder[j]), "holder[j] ≠ none"),
    (else_(holder[j], some(w)), "if holder[j] ≠ none then holder[j] else w"),
    (at_least(team[j], quorum), "|team[j]| ≥ quorum"),
    (when(a, n, term).is_(0), "(if alive[w] then n else term) = 0"),
    (max_of(n, n < term, 0), "(greatest n with n < term, or 0)"),
    (next_(term), "term′"),
    (let("late", n < term), "late"),
]


@each(("term_", "expected"), TEXTS)
def test_terms_read_as_people_write_them(term_: Any, expected: str) -> None:
    """Parentheses only where they are needed, names kept, an implication only where one was written."""
    assert text(term_) == expected


def test_a_name_is_told_with_its_body() -> None:
    """A definition shows its arguments and its body."""
    named = fit(v)
    assert isinstance(named, Named)
    assert definition_text(named) == "fit(v) = alive[v] and not resting[v]"


def test_only_arguments_that_differ_from_the_default_are_shown() -> None:
    """A procedure applied with its defaults is its name and first arguments."""
    from fencepost.model.language.render import effect_text

    assert effect_text(leave(w)) == "leave(w)"
    assert effect_text(leave(w, lost=nobody(WORKER))) == "leave(w, lost=∅)"


def test_values_read_as_people_write_them() -> None:
    """Values of the interpreter: none, truth, members, sets in order, lists."""
    assert [value_text(x) for x in (None, True, 3, Answer.LATE, frozenset({2, 1}), (2, 1), ())] == [
        "none", "true", "3", "LATE", "{1, 2}", "[2, 1]", "[]",
    ]  # fmt: skip


def test_what_comes_to_pass_says_under_which_fairness() -> None:
    """A leads-to property shows which events runs are fair to, weakly and strongly, or that they need not be at all."""
    claim = leads_to("A", TRUE, FALSE, ("Ask", "Join"))
    both = replace(claim, strongly_fair=("Leave",))
    assert property_text(claim) == "**A** `true` leads to `false`, under weak fairness of Ask, Join"
    assert property_text(both).endswith("weak fairness of Ask, Join and strong fairness of Leave")
    assert property_text(replace(both, fair=())).endswith("`false`, under strong fairness of Leave")
    assert property_text(replace(claim, fair=())).endswith("`false`, under no fairness")
    each = replace(both, each=(w,), fair_by=(("Join", "w"), ("Leave", "w")))
    assert property_text(each) == (
        "**A** for every w `true` leads to `false`, under weak fairness of Ask, Join for each w and strong fairness of "
        "Leave for each w"
    )


def test_a_ranking_says_what_falls_and_what_helps_where() -> None:
    """A leads-to property shows what happens finitely often, by which parameters runs are fair, and its ranking."""
    once = helps("Join", alive[w], reached=ranking(helps("Leave", TRUE), ranks=(distance(term, n),)))
    how = ranking(once, ranks=(number_of(v, alive[v]),), waiting=alive[w])
    by = {"Join": (w, v), "Leave": w}
    claim = leads_to("A", TRUE, FALSE, ("Leave",), strongly_fair=("Join",), fair_by=by, finitely=("Ask",), by=how)
    assert property_text(claim) == (
        "**A** `true` leads to `false`, under weak fairness of Leave for each w and strong fairness of Join for each "
        "w and v and finitely many steps of Ask, by a ranking (waiting: `alive[w]`; rank: how many v have `alive[v]`; "
        "Join helps where `alive[w]` (to which leads, rank: how far `term` is above `n`; Leave helps where `true`))"
    )


def test_a_declared_violation_is_said() -> None:
    """A property that is declared violated shows it, with its finding, and a step shows its rows."""
    violated = always("A", TRUE, expected="violated", finding="D1")
    told = property_text(violated)
    assert told.startswith("**A** always, after every record: ")
    assert "declared violated: D1" in told
    assert property_text(step("S", TRUE, rows=("R1", "R2"))).startswith(
        "**S** every step of R1, R2, after every record"
    )
