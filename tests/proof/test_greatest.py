"""Greatest and least values of counters in proofs, also of sets without an end."""

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *

from .tiny import WORKER, happening, v, w

NUMBER = counter("n")
n, m = NUMBER.var("n"), NUMBER.var("m")
x, y = cell("x", NUMBER, initial=0), cell("y", NUMBER, initial=0)
seen = per(WORKER, "seen", NUMBER, 0)
shown, unlimited = cell("shown", BOOL), cell("unlimited", BOOL, ANY)
go = happening("Go")


def shows(condition: Term[bool], start: Term[bool] = TRUE) -> Protocol:
    """Return a protocol that shows whether a condition ever holds, and claims that it does not."""
    return protocol(
        "shows",
        table("rows", go("GO", condition, shown.becomes(TRUE))),
        start=start,
        properties=[always("NEVER", ~shown)],
        bounds={"tiny": Bound({"n": 4})},
        ends=True,
    )


def both(made: Protocol) -> tuple[Verdict, Verdict]:
    """Return what proof and exploration say of a protocol."""
    return prove(made).verdict, explore(made, "tiny").verdict


@pytest.mark.representative("least")
@pytest.mark.parametrize(
    ("condition", "start"),
    [
        (max_of(n, n >= x, 0) >= x, TRUE),
        (unlimited & (max_of(n, (n < 3) | unlimited, 0) >= x), unlimited),
        (max_of(n, exists(m, n <= m), 0) >= x, TRUE),
        (min_of(n, n >= x, 0) >= x, TRUE),
    ],
    ids=["no end", "no end at times", "an end that has none", "least"],
)
def test_the_greatest_of_an_endless_set_proves_nothing_false(condition: Term[bool], start: Term[bool]) -> None:
    """A row whose guard asks for the greatest of values without an end is enabled, in a proof as in exploration."""
    assert both(shows(condition, start)) == (Verdict.VIOLATED, Verdict.VIOLATED)


@pytest.mark.parametrize(
    "condition",
    [
        max_of(n, n < x, 0) > x,
        max_of(n, n.is_(x) | (n <= y), 0) < x,
        exists(v, max_of(n, exists(w, seen[w].is_(n)), 0) < seen[v]),
        min_of(n, n >= x, 0) > x,
        min_of(n, n >= x, 0) < x,
    ],
    ids=["below", "either", "one of a few", "least", "not below"],
)
def test_the_greatest_of_what_has_an_end_is_above_all(condition: Term[bool]) -> None:
    """What the form of a condition bounds has a greatest value, and what is false of it is proved never to hold."""
    learn = happening("Learn", v, n)
    rows = table("rows", go("GO", condition, shown.becomes(TRUE)), learn("LEARN", TRUE, seen[v].becomes(n)))
    proof = prove(protocol("never", rows, properties=[always("NEVER", ~shown)]))
    assert not proof.failed, proof.lines()


def test_an_end_that_only_an_invariant_gives_is_not_missed() -> None:
    """A set that an invariant bounds has a greatest value, which is above every member."""
    used = per(NUMBER, "used", BOOL)
    take = happening("Take")
    greatest = max_of(n, used[n], 0)
    made = protocol(
        "slots",
        table("rows", take("TAKE", ~shown, used[x].becomes(TRUE), x.becomes(x + 1))),
        properties=[always("ABOVE", greatest <= x), always("BOUNDED", forall(n, used[n].implies(n < x)))],
    )
    proof = prove(made)
    assert not proof.failed, proof.lines()
