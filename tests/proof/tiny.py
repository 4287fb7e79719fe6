"""The kinds and the few words that the tests of proof share."""

from __future__ import annotations

from functools import partial

from fencepost.checkers.proof import Obligation, Proof
from fencepost.model.language import Entity, event, set_of, sort, threshold


class Worker(Entity):
    """Somebody who works."""


WORKER, SIZE = sort(Worker), threshold("size")
TEAM = set_of(WORKER)
v, w = WORKER.var("v"), WORKER.var("w")

happening = partial(event, source="made up for the test")


def failures(proof: Proof) -> dict[tuple[str, str], Obligation]:
    """Return the obligations that are not proved, by row and property."""
    return {(one.row, one.property): one for one in proof.failed}
