"""The reversible collections: S3's own example, and any order of operations against plain copies."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.reference.timeline import LATEST, SnapshotRegistry, TimelineMap, TimelineSet, TimelineValue
from tests.cases import examples


# -- S3:149-155 --------------------------------------------------------------------------------------------------------
def picture() -> tuple[SnapshotRegistry, TimelineMap[str, str]]:
    """Return the picture of S3:149-154; an element made after a snapshot at n−1 has the start epoch n.

    topicX is made at 90, the snapshot at 100 taken, topicX deleted, topicB made at 105 and topicA at 120, the snapshot
    at 130 taken, and topicA overwritten at 140.
    """
    registry = SnapshotRegistry()
    topics: TimelineMap[str, str] = TimelineMap(registry)
    registry.create(89)
    topics["topicX"] = "90"
    registry.create(100)
    del topics["topicX"]
    registry.create(104)
    topics["topicB"] = "105"
    registry.create(119)
    topics["topicA"] = "120"
    registry.create(130)
    registry.create(139)
    topics["topicA"] = "140"
    return registry, topics


def test_read_at_latest_is_served_from_the_current_tier() -> None:
    """`LATEST` reads what is there now: topicA of 140 and topicB of 105 (S3:152)."""
    _, topics = picture()
    assert topics.items_at(LATEST) == dict(topics) == {"topicA": "140", "topicB": "105"}
    assert (topics.at("topicA", LATEST), topics.at("topicX", LATEST)) == ("140", None)


def test_read_at_130_takes_what_was_overwritten_from_the_snapshot() -> None:
    """A read at 130 has topicB from the current tier and topicA of 120 from a snapshot; topicX is gone (S3:153)."""
    _, topics = picture()
    assert topics.items_at(130) == {"topicA": "120", "topicB": "105"}
    assert topics.at("topicX", 130) is None


def test_read_at_100_meets_an_element_that_is_too_new() -> None:
    """At 100 topicX is there; topicA of 120, which later snapshots keep, says that there was none (S3:147)."""
    _, topics = picture()
    assert topics.items_at(100) == {"topicX": "90"}
    assert topics.at("topicA", 100) is None
    assert topics.at("topicB", 100) is None


def test_revert_to_100_restores_what_was_deleted_later() -> None:
    """Reverting to 100 drops 130, removes what is newer and brings topicX back (S3:154-155)."""
    registry, topics = picture()
    registry.revert_to(100)
    assert dict(topics) == {"topicX": "90"}
    assert registry.epochs() == [89, 100]
    assert topics.items_at(89) == {}


def test_the_picture_as_it_is_drawn() -> None:
    """With the two snapshots of the picture only, 100 and 130, the three answers are the same (S3:149-155)."""
    registry = SnapshotRegistry()
    topics: TimelineMap[str, str] = TimelineMap(registry)
    topics["topicX"] = "90"
    registry.create(100)
    topics["topicB"] = "105"
    topics["topicA"] = "120"
    del topics["topicX"]
    registry.create(130)
    topics["topicA"] = "140"
    assert dict(topics) == {"topicA": "140", "topicB": "105"}
    assert topics.items_at(130) == {"topicA": "120", "topicB": "105"}
    registry.revert_to(100)
    assert dict(topics) == {"topicX": "90"}


def test_a_revert_puts_back_what_was_overwritten() -> None:
    """An element and a single value that were overwritten after the epoch are again what they were at it."""
    registry = SnapshotRegistry()
    topics: TimelineMap[str, str] = TimelineMap(registry)
    single = TimelineValue(registry, 0)
    topics["topicA"], single.value = "1", 1
    registry.create(100)
    topics["topicA"], single.value = "2", 2
    registry.revert_to(100)
    assert (topics["topicA"], single.value) == ("1", 1)


def test_an_element_made_exactly_at_the_target_survives() -> None:
    """A revert removes elements with start epoch > target; "≥", as S3:155 draws it, would lose one made at 100."""
    registry = SnapshotRegistry()
    topics: TimelineMap[str, str] = TimelineMap(registry)
    value: TimelineValue[int] = TimelineValue(registry, 0)
    members: TimelineSet[str] = TimelineSet(registry)
    registry.create(99)
    topics["made at 100"], value.value = "kept", 7
    members.add("made at 100")
    registry.create(100)
    topics["made at 101"] = "lost"
    registry.revert_to(100)
    assert dict(topics) == {"made at 100": "kept"}
    assert (value.value, list(members)) == (7, ["made at 100"])


def test_there_is_no_way_back_but_to_a_snapshot() -> None:
    """A revert to an epoch without a snapshot, and a snapshot older than the newest, are refused."""
    registry, _ = picture()
    with pytest.raises(ValueError, match="there is no snapshot at 101"):
        registry.revert_to(101)
    with pytest.raises(ValueError, match="older than the newest"):
        registry.create(138)


def test_a_snapshot_that_is_there_is_used() -> None:
    """A snapshot of the newest epoch is not made again: what it has saved stays in it (S3:140)."""
    registry = SnapshotRegistry()
    topics: TimelineMap[str, str] = TimelineMap(registry)
    topics["topicA"] = "1"
    registry.create(100)
    topics["topicA"] = "2"
    registry.create(100)
    assert registry.epochs() == [100]
    registry.revert_to(100)
    assert dict(topics) == {"topicA": "1"}


# -- against plain copies ----------------------------------------------------------------------------------------------
KEYS = st.sampled_from("abcd")
VALUES = st.integers(0, 3)
Copy = tuple[dict[str, int], frozenset[str], int]


class Timelines(RuleBasedStateMachine):
    """A map, a set and a value that share a registry, and for each snapshot a plain copy of all three."""

    @initialize()
    def begin(self) -> None:
        """Begin without a snapshot."""
        self.registry = SnapshotRegistry()
        self.map: TimelineMap[str, int] = TimelineMap(self.registry)
        self.set: TimelineSet[str] = TimelineSet(self.registry)
        self.value: TimelineValue[int] = TimelineValue(self.registry, -1)
        self.plain: Copy = ({}, frozenset(), -1)
        self.copies: dict[int, Copy] = {}

    @rule(key=KEYS, value=VALUES)
    def put(self, key: str, value: int) -> None:
        """Put or overwrite a key."""
        self.map[key] = value
        self.plain = ({**self.plain[0], key: value}, *self.plain[1:])

    @rule(key=KEYS)
    def delete(self, key: str) -> None:
        """Delete a key if it is there."""
        assert self.map.pop(key, None) == self.plain[0].get(key)
        self.plain = ({k: v for k, v in self.plain[0].items() if k != key}, *self.plain[1:])

    @rule(key=KEYS, into=st.booleans())
    def change_set(self, key: str, into: bool) -> None:
        """Put an element into the set, or take it out."""
        if into:
            self.set.add(key)
            members = self.plain[1] | {key}
        else:
            self.set.discard(key)
            members = self.plain[1] - {key}
        self.plain = (self.plain[0], members, self.plain[2])

    @rule(value=VALUES)
    def change_value(self, value: int) -> None:
        """Change the single value."""
        self.value.value = value
        self.plain = (self.plain[0], self.plain[1], value)

    @rule(step=st.integers(0, 2))
    def snapshot(self, step: int) -> None:
        """Begin a snapshot at the newest epoch or above; at the newest one nothing is copied again."""
        epoch = self.registry.latest_epoch + step
        if epoch >= 0:
            self.registry.create(epoch)
            self.copies.setdefault(epoch, self.plain)

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def revert(self, data: st.DataObject) -> None:
        """Go back to a snapshot: it stays, later ones are gone."""
        epoch = data.draw(st.sampled_from(sorted(self.copies)))
        self.registry.revert_to(epoch)
        self.plain = self.copies[epoch]
        self.copies = {e: copy for e, copy in self.copies.items() if e <= epoch}

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        """Forget the snapshots below an epoch."""
        epoch = data.draw(st.integers(0, max(self.copies)))
        self.registry.delete_up_to(epoch)
        self.copies = {e: copy for e, copy in self.copies.items() if e >= epoch}

    @rule()
    def reset(self) -> None:
        """Forget everything."""
        self.registry.reset()
        self.plain, self.copies = ({}, frozenset(), -1), {}

    @invariant()
    def now_is_as_the_plain_one(self) -> None:
        """What is read now is what was put in."""
        assert (dict(self.map), frozenset(self.set), self.value.value) == self.plain
        assert (len(self.map), len(self.set)) == (len(self.plain[0]), len(self.plain[1]))

    @invariant()
    def every_snapshot_reads_as_its_copy(self) -> None:
        """What is read at a snapshot's epoch is what was there when it was taken, whole and by key."""
        assert self.registry.epochs() == sorted(self.copies)
        for epoch, copy in self.copies.items():
            assert (self.map.items_at(epoch), frozenset(self.set.at(epoch)), self.value.at(epoch)) == copy
            assert {key: self.map.at(key, epoch) for key in "abcd"} == {key: copy[0].get(key) for key in "abcd"}


TestTimelines = Timelines.TestCase
TestTimelines.settings = settings(max_examples=examples(100))
