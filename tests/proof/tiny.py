"""The kinds and the few words that the tests of proof share."""

from functools import partial

from fencepost.checkers.proof import Obligation, Proof
from fencepost.model.language import Entity, Protocol, event, set_of, sort, threshold
from tests import edited_rows


class Worker(Entity):
    """Somebody who works."""


WORKER, SIZE = sort(Worker), threshold("size")
TEAM = set_of(WORKER)
v, w = WORKER.var("v"), WORKER.var("w")

happening = partial(event, source="made up for the test")


def failures(proof: Proof) -> dict[tuple[str, str], Obligation]:
    """Return the obligations that are not proved, by row and property."""
    return {(one.row, one.property): one for one in proof.failed}


def complete(proof: Proof) -> None:
    """Assert that everything asked is proved but the declared violations."""
    assert (proof.refuted, proof.unknown) == (0, 0), proof.lines()
    assert proof.proved + proof.expected == proof.obligations + proof.frame_obligations
    assert not proof.vacuous


def missed(variant: Protocol, row: str, property_: str, most: int | None = 3) -> None:
    """Assert that in a variant without a guard the row breaks the property.

    The counterexample is that one row, with at most so many entities of a sort; None for any number.
    """
    [one] = edited_rows.failed(variant, row, [property_], property_)
    assert (one.row, one.property) == (row, property_)
    assert one.refuted
    assert one.counterexample is not None
    assert [step.row.id for step in one.counterexample.steps] == [row]
    if most is not None:
        assert max(len(entities) for entities in one.counterexample.world.entities.values()) <= most
