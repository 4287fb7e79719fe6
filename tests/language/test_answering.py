"""Claims about rows by what they answer: which rows they are of, in a protocol and in a variant of it."""

from dataclasses import replace

import pytest

from fencepost.checkers.comparing import compare
from fencepost.model.language import TRUE, Protocol, Step, TableError, answering, step
from fencepost.model.language.render import property_text

from .sample import SOURCE, Answer, alive, ask, join, sample, term, w

BASE = sample()
KNOWN = step(
    "known", alive[w], "Only a worker that is known gets another answer.", SOURCE, rows=~answering(ask, Answer.UNKNOWN)
)
OTHERS = step("others", ~alive[w], "UNKNOWN: the worker is not known.", SOURCE, rows=answering(ask, Answer.UNKNOWN))


def rows_of(of: Protocol, id: str) -> tuple[str, ...]:
    """Return the rows of a step property."""
    claim = of.property(id)
    assert isinstance(claim, Step)
    return claim.rows


@pytest.mark.parametrize(("answers", "named", "others"), [
    ((Answer.UNKNOWN,), ("AS1",), ("AS2", "AS3", "AS4")),
    ((Answer.LATE,), ("AS2",), ("AS1", "AS3")),  # what AS4 answers depends on the state
    ((Answer.LATE, Answer.OK), ("AS2", "AS3", "AS4"), ("AS1",)),
])  # fmt: skip
def test_a_claim_is_of_the_rows_that_answer_so(
    answers: tuple[Answer, ...], named: tuple[str, ...], others: tuple[str, ...]
) -> None:
    """A row is one of them where each answer that it may give is among them, and one of the others where none is."""
    of = answering(ask, *answers)
    made = BASE.claiming(step("so", term >= 0, rows=of), step("otherwise", term >= 0, rows=~of))
    assert (rows_of(made, "so"), rows_of(made, "otherwise")) == (named, others)


def test_a_row_that_answers_nothing_or_throws_answers_none_of_them() -> None:
    """It is of a claim about what is answered otherwise, and of no other."""
    of = answering((ask, join), Answer.UNKNOWN)
    assert rows_of(BASE.claiming(step("otherwise", term >= 0, rows=~of)), "otherwise") == ("AS2", "AS3", "AS4", "JO1")
    throws = BASE.but("AS1", throws="RuntimeException", why="w")
    assert "AS1" in rows_of(throws.claiming(step("otherwise", term >= 0, rows=~of)), "otherwise")


def test_an_edited_answer_makes_its_row_one_of_other_claims() -> None:
    """A variant has the claims that its rows answer to; one that none of its rows does any more is not made of it."""
    made = BASE.claiming(KNOWN, OTHERS)
    other = made.but("AS1", say=Answer.LATE, why="w")
    assert rows_of(made, "known") == ("AS2", "AS3", "AS4")
    assert rows_of(other, "known") == ("AS1", "AS2", "AS3", "AS4")
    assert "others" not in {one.id for one in other.properties}
    assert (made.hash != BASE.hash, other.hash != made.hash) == (True, True)
    assert {one.id: one.how for one in compare(made, other).properties}["others"] == "removed"


def test_a_claim_says_which_answers_it_is_about() -> None:
    """The text of a claim has the event, the answers and the rows."""
    made = BASE.claiming(KNOWN, OTHERS)
    told = [property_text(made.property(id)) for id in ("known", "others")]  # type: ignore[arg-type]
    assert "every step of Ask that is not answered UNKNOWN (AS2, AS3, AS4)" in told[0]
    assert "every step of Ask that is answered UNKNOWN (AS1)" in told[1]


def test_an_answer_that_no_row_gives_is_refused() -> None:
    """Such a claim would be about nothing; and a claim about answers names at least one."""
    wrong = step("never", TRUE, rows=answering(join, Answer.OK))
    with pytest.raises(TableError, match="is about Join that is answered OK, and no row gives such an answer"):
        replace(BASE, properties=(*BASE.properties, wrong))
    with pytest.raises(TableError, match="names no answer"):
        answering(ask)
