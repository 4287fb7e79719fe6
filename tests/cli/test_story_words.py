"""Each change of a cell that `story` reads has words, whatever changes with it."""

from collections.abc import Callable
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.operations import story as telling
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.moments import when
from fencepost.checkers.operations.results import CELLS, Group, Head
from fencepost.checkers.operations.sentences import COUNTED, UNCHANGED, kinds_of, of_broker_record, way
from fencepost.model.kraft.state import Recovery
from fencepost.traces import find_log
from tests.conformance import RECORDED

ALONE = "(epochs alone)"

VALUES: dict[str, tuple[Any, ...]] = {
    "exists": (True, False),
    "leader": (None, 1, 2),
    "isr": ((), (1, 2), (2, 1), (1,), (3,)),
    "elr": (frozenset(), frozenset({2})),
    "last_known": ((), (1,)),
    "replicas": ((1, 2), (2, 1), (1, 3)),
    "adding": (frozenset(), frozenset({2}), frozenset({3})),
    "removing": (frozenset(), frozenset({1})),
    "recovery": (Recovery.RECOVERED, Recovery.RECOVERING),
}
"""Some values of each cell of a partition, the first of which may be any other one's change."""

BEFORE = {"exists": True, "leader": 1, "isr": (1, 2), "elr": frozenset(), "last_known": (), "replicas": (1, 2),
          "adding": frozenset(), "removing": frozenset(), "recovery": Recovery.RECOVERED}  # fmt: skip

LONG = {"fake-chaos-elr", "upgrade-3.9-to-4.4", "snapshots"}
"""Recordings that take more than a second."""

RECORDINGS = [
    *(one.name for one in sorted(RECORDED.iterdir()) if (one / "meta.json").is_file()),
    "quorum/voters-join-4.4.0/3001",
    "quorum/trimmed-4.4.0/3002",
    "quorum/voters-leave-4.4.0",
]


@pytest.mark.parametrize("cell", CELLS)
def test_a_change_of_a_cell_of_a_partition_has_words(cell: str) -> None:
    """From each value to each other one, alone and while a reassignment is on, a partition's change is described."""
    for old, new, adding in product(VALUES[cell], VALUES[cell], VALUES["adding"]):
        group = Group(
            (("t", 0),), (5,), {**BEFORE, "adding": adding, cell: old}, {**BEFORE, "adding": adding, cell: new}
        )
        kinds = list(kinds_of(group))
        assert kinds
        assert set(kinds) <= COUNTED.keys()
        assert (way(group) == ALONE) is (old == new) is (kinds == ["epochs_alone"]), (old, new, way(group))


def test_an_elr_that_empties_is_described(fencepost_says: Callable[..., Any]) -> None:
    """The registration at 183 takes s-0's last eligible leader replica: why the election at 187 is unclean."""
    document = fencepost_says("story", RECORDED / "reassignment", "--from", "182", "--to", "187", "--json").document
    told = {one["offset"]: one["words"] for event in document["events"] for one in event["partitions"]}
    assert told[182] == "s-0 {1}→{} (1 registers after an unclean shutdown)"
    assert told[187].startswith("s-0 –→1 [1] unclean")


def test_a_cluster_that_never_saw_zookeeper_has_no_migration(fencepost_says: Callable[..., Any]) -> None:
    """3.9 begins every log with state 0, which is NONE: no event, and counted among unlisted records."""
    document = fencepost_says("story", RECORDED / "upgrade-3.9-to-4.4", "--no-rows", "--json").document
    assert [one["words"] for one in document["events"] if "migration" in one["words"]] == []
    assert document["untold"]["ZK_MIGRATION_STATE_RECORD"] == 1


def test_the_order_of_replicas_and_an_immediate_end_are_described() -> None:
    """A preferred leader that changes is in the words, and so is a reassignment that is over as it begins."""

    def words(**after: Any) -> str:
        return way(Group((("t", 0),), (5,), {**BEFORE, "replicas": (2, 0, 1)}, {**BEFORE, **after}))

    assert words(replicas=(2, 1, 0)) == "replicas [2 0 1] → [2 1 0]"
    assert words(replicas=(2, 0)) == "(reassignment over: replicas [2 0])"


@pytest.mark.representative(
    "first-boot", "elr-directory-fault-4.4.0", "quorum/trimmed-4.4.0/3002", "quorum/voters-leave-4.4.0", "reassignment",
    "min-isr-while-isr-empty-4.4.0", "levels-down-and-up-4.4.0", "zk-migration-3.9.2",
)  # fmt: skip
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow if one in LONG else ()) for one in RECORDINGS]
)
def test_no_event_of_a_recording_is_without_words(name: str) -> None:
    """Every event has words; a partition or broker of which a cell changed is not said to change nothing."""
    silent: list[Head] = []

    def heard(head: Head) -> str:
        words = of_broker_record(head)
        if words.endswith(UNCHANGED) and head.changes:
            silent.append(head)
        return words

    source = find_log(RECORDED / name)
    with patch.object(telling, "of_broker_record", heard):
        document = telling.story(source, when("0", source), when("end", source), About(), most=0)
    assert document["events"]
    assert [event["offset"] for event in document["events"] if not event["words"]] == []
    partitions = [one for event in document["events"] for one in event["partitions"]]
    assert [one for one in partitions if one["words"].endswith(ALONE) and (one["changed"] or one["directories"])] == []
    assert silent == []
