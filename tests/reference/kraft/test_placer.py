"""Where replicas go, for all clusters that hypothesis thinks of."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kraft.controller.placer import UsableBroker, place_replicas
from fencepost.reference.kraft.errors import ApiError, Errors
from tests.cases import examples

RACKS = st.sampled_from([None, "a", "b", "c", "d"])


@st.composite
def clusters(draw: st.DrawFn) -> list[UsableBroker]:
    """Up to nine brokers, in racks or not, fenced or not, one of them at least unfenced."""
    count = draw(st.integers(1, 9))
    fenced = draw(st.lists(st.booleans(), min_size=count, max_size=count).filter(lambda all_: not all(all_)))
    ids = draw(st.lists(st.integers(0, 5000), min_size=count, max_size=count, unique=True))
    return [(broker, draw(RACKS), is_fenced) for broker, is_fenced in zip(ids, fenced, strict=True)]


@given(clusters(), st.data())
@settings(max_examples=examples(300), deadline=None)
def test_what_must_hold_of_every_placement(cluster: list[UsableBroker], data: st.DataObject) -> None:
    """At most one replica a broker, an unfenced one first, and as many racks as there are, or as there are replicas."""
    replicas = data.draw(st.integers(1, len(cluster)))
    partitions = data.draw(st.integers(1, 40))
    racks = {broker: rack for broker, rack, _ in cluster}
    fenced = {broker for broker, _, is_fenced in cluster if is_fenced}
    placed = place_replicas(cluster, partitions, replicas, random.Random(data.draw(st.integers(0, 99))))
    assert len(placed) == partitions
    for one in placed:
        assert len(set(one)) == len(one) == replicas
        assert one[0] not in fenced
        assert len({racks[broker] for broker in one}) == min(replicas, len(set(racks.values())))


@given(st.integers(1, 9), st.integers(0, 4), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_leaders_are_spread_evenly(unfenced: int, fenced: int, rounds: int, seed: int) -> None:
    """In one rack every unfenced broker leads as many partitions as any other, whichever brokers are fenced."""
    cluster: list[UsableBroker] = [(broker, None, broker >= unfenced) for broker in range(unfenced + fenced)]
    placed = place_replicas(cluster, unfenced * rounds, min(3, len(cluster)), random.Random(seed))
    assert Counter(one[0] for one in placed) == dict.fromkeys(range(unfenced), rounds)


@given(st.integers(2, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_racks_lead_evenly(racks: int, brokers: int, rounds: int, seed: int) -> None:
    """Racks of the same size lead as many partitions each."""
    cluster: list[UsableBroker] = [
        (10 * rack + one, str(rack), False) for rack in range(racks) for one in range(brokers)
    ]
    placed = place_replicas(cluster, racks * brokers * rounds, racks, random.Random(seed))
    assert Counter(one[0] // 10 for one in placed) == dict.fromkeys(range(racks), brokers * rounds)


def test_the_stripes_of_three_racks() -> None:
    """With three brokers in each of three racks the next partition begins one rack and one broker further."""

    class Zero(random.Random):
        def randrange(self, *args: int) -> int:  # type: ignore[override]
            return 0

    cluster: list[UsableBroker] = [(10 * rack + one, "abc"[rack], False) for rack in range(3) for one in range(3)]
    assert place_replicas(cluster, 3, 3, Zero()) == [(0, 10, 20), (11, 21, 1), (22, 2, 12)]


def test_fenced_brokers_are_taken_when_nobody_else_is_left() -> None:
    """A fenced broker gets a replica only where there are more replicas than unfenced brokers."""
    cluster: list[UsableBroker] = [(1, None, False), (2, None, True), (3, None, False)]
    assert {2} & {b for one in place_replicas(cluster, 50, 2, random.Random(1)) for b in one} == set()
    assert all(one[-1] == 2 for one in place_replicas(cluster, 50, 3, random.Random(1)))


@pytest.mark.parametrize(
    ("cluster", "replicas"),
    [([], 1), ([(1, None, True)], 1), ([(1, None, False)], 2), ([(1, None, False)], 0)],
    ids=["nobody", "all fenced", "too few", "none asked for"],
)
def test_what_cannot_be_placed_is_refused(cluster: list[UsableBroker], replicas: int) -> None:
    """No broker, none unfenced, or fewer than replicas: INVALID_REPLICATION_FACTOR."""
    with pytest.raises(ApiError) as refused:
        place_replicas(cluster, 1, replicas, random.Random(0))
    assert refused.value.error is Errors.INVALID_REPLICATION_FACTOR
