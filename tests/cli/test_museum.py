"""`fencepost museum`: the list of defects, and one explained by its run."""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.checkers.catalogue import catalogue, entry_of
from fencepost.checkers.counting import counted
from fencepost.model.registry import find
from tests.widths import too_wide

Says = Callable[..., Any]


def test_a_variant_that_claims_nothing_is_told(fencepost_says: Says) -> None:
    """Any controller that keeps to the interface has the bounds of Kafka's, without the events that it has not."""
    said = fencepost_says("museum", "kraft-data+any-controller")
    assert (said.code, "nothing is claimed to fall" in said.out) == (0, True)
    (variant,), (base, *_) = find("kraft-data+any-controller").slices, find("kraft-data").slices
    assert variant.bounds.keys() == base.bounds.keys()
    assert {name for one in variant.bounds.values() for name in one.given} == {"MarkLeader"}


@pytest.mark.slow
def test_the_command_lists_all_and_tells_one(fencepost_says: Says) -> None:
    """Without an id all are listed, with one it is explained; K3 is J3; without a variant it says what is missing."""
    listed = fencepost_says("museum", "--json").document
    assert len(listed["defects"]) == len(catalogue())
    assert "kraft+fence-order" in listed["further_variants"]
    page = " ".join(fencepost_says("museum").out.split())
    for variant in (one for defect in catalogue() for one in defect.variants):
        fallen = [f"{one.property} after {counted(one.length, 'row')}" for one in entry_of(variant).expected]
        assert f" {variant} breaks {' and '.join(fallen)}" in page if fallen else f" {variant} " in page
    old = fencepost_says("museum", "K3")
    assert (old.code, old.out.splitlines()[0]) == (0, "J3, KAFKA-13083")
    assert "The shortest run has 4 rows, each replayed by the interpreter:" in old.out
    missing = fencepost_says("museum", "J4").out
    assert "no variant; missing: snapshots in memory" in missing
    unknown = fencepost_says("museum", "J99")
    assert (unknown.code, "the museum has no such defect" in unknown.sentence) == (2, True)
    assert too_wide(old.out) == []
