"""A firing that writes none of its records is a step to the state itself, and a claim of the row is checked for it."""

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.vocabulary import *


class Member(Entity):
    """An element for which a record is written."""


MEMBER = sort(Member)
m = MEMBER.var("m")
_who = required("who", MEMBER)
allowed, done = cell("allowed", BOOL), cell("done", BOOL)
FINISH = record("Finish", _who, replay=done.becomes(TRUE))
finishing = event("Finishing", source="test")


def finishes(condition: Term[bool], *more: Effects, guard: Term[bool] = TRUE) -> Protocol:
    """Return a protocol whose row writes a record for each member under a condition, with a claim of it."""
    return protocol(
        "finishes",
        table("rows", finishing("I1", guard, every(m, condition, FINISH(m)), *more)),
        properties=[step("FINISHES", next_(done), "The row finishes.", "test", scope=AFTER_EVERY_RECORD, rows=("I1",))],
        bounds={"one": Bound({"Member": 2})},
        ends=True,
    )


@pytest.mark.parametrize(
    ("tables", "proved"),
    [
        (finishes(allowed), Verdict.VIOLATED),
        (finishes(allowed, guard=allowed), Verdict.PROVED),
        (finishes(TRUE), Verdict.PROVED),
        (finishes(allowed, every(m, ~allowed, FINISH(m))), Verdict.PROVED),
    ],
    ids=["nothing may be written", "the guard sees to it", "always written", "one of two stages is written"],
)
def test_a_claim_of_a_row_is_asked_where_it_writes_nothing(tables: Protocol, proved: Verdict) -> None:
    """Proof says violated exactly where exploration does: where the row can fire without any record."""
    found = prove(tables)
    assert found.verdict is proved, found.lines()
    assert (explore(tables, "one").verdict is Verdict.VIOLATED) == (proved is Verdict.VIOLATED)
