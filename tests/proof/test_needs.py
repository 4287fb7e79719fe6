"""What a lemma is for: the obligations that are not proved without it."""

import pytest

from fencepost.checkers.proof import needs, prove
from fencepost.checkers.verdicts import Refusal
from fencepost.model.registry import find

LEASE = find("lease").whole


def test_a_lemma_is_needed_where_the_proof_fails_without_it() -> None:
    """Without the lemma on the end of leases one row does not keep LE2, as a state of few entities shows."""
    found = needs(LEASE, "LLs")
    assert (found.refuted, found.unknown) == ((("LX1", "LE2"),), ())
    assert found.by_property == {"LE2": ("LX1",)}
    assert prove(LEASE, properties=["LE2"], rows=["LX1"]).failed == ()


def test_a_lemma_that_nothing_rests_on_is_not_needed() -> None:
    """What is proved as well without a lemma does not count for it."""
    found = needs(LEASE, "LLg")
    assert (found.refuted, found.unknown) == ((), ())
    assert found.asked > 50


def test_only_a_hypothesis_can_be_asked_about() -> None:
    """An id that is no property on states that is declared to hold is refused, with those that are."""
    with pytest.raises(Refusal, match="LE9 is no hypothesis of the proof; there are LE1"):
        needs(LEASE, "LE9")


def test_progress_is_told() -> None:
    """Each finished obligation is reported, with the total."""
    told: list[tuple[int, int]] = []
    found = needs(LEASE, "LLg", progress=lambda done, total, last: told.append((done, total)))
    assert told == [(number, found.asked) for number in range(1, found.asked + 1)]
