"""Requests of many parts: a choice of rows for each part, however many there are."""

from fencepost.checkers.conformance.requests.outcomes import Part, PartOutcome, Reading, chains
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.protocol import KRAFT

MANY = 3000


def outcome(row: str, answer: Error = Error.NONE) -> PartOutcome:
    """Return what a row makes of a part: an answer without records."""
    return PartOutcome(KRAFT.row(row), {}, answer, (), {}, {})


def test_a_request_may_name_every_partition_of_a_large_cluster() -> None:
    """Of thousands of parts with one row each there is one choice, in the order of the parts."""
    reading = Reading(tuple(Part("ElectPreferred", {"p": ("t", number)}) for number in range(MANY)))
    (found,) = chains(reading, lambda part: [outcome("EL1")])
    assert len(found) == MANY


def test_each_choice_of_rows_is_one_outcome() -> None:
    """Two parts with two rows each have four choices; a refusal ends a chained request, an exception any."""
    parts = (Part("ElectPreferred", {"p": ("t", 0)}), Part("ElectPreferred", {"p": ("t", 1)}))
    fine, refused = outcome("EL1"), outcome("EL1", Error.UNKNOWN_TOPIC_OR_PARTITION)
    thrown = outcome("HB2t")
    every = list(chains(Reading(parts), lambda part: [fine, refused]))
    assert every == [(fine, fine), (fine, refused), (refused, fine), (refused, refused)]
    assert list(chains(Reading(parts, chained=True), lambda part: [refused, fine])) == [
        (refused,),
        (fine, refused),
        (fine, fine),
    ]
    assert list(chains(Reading(parts), lambda part: [thrown])) == [(thrown,)]
    assert list(chains(Reading(()), lambda part: [])) == [()]
