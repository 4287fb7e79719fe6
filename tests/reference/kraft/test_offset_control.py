"""Offsets, transactions and snapshots, with the defects that Kafka has and without."""

from __future__ import annotations

import pytest

from fencepost.reference.kraft.controller.offset_control import NONE, OffsetControlManager
from fencepost.reference.kraft.errors import ReplayError
from fencepost.reference.timeline import SnapshotRegistry, TimelineMap


def offsets(*repaired: str) -> tuple[OffsetControlManager, TimelineMap[str, int]]:
    """Return offsets and a map that goes back with them."""
    registry = SnapshotRegistry()
    return OffsetControlManager(registry, frozenset(repaired)), TimelineMap(registry)


def test_the_stable_offset_follows_the_committed_one() -> None:
    """Without a transaction the stable offset is the committed one, and a standby keeps one snapshot, at it."""
    control, _ = offsets()
    control.handle_commit_batch(5, 1)
    control.handle_commit_batch(9, 1)
    assert (control.last_committed_offset, control.last_stable_offset) == (9, 9)
    assert control.registry.epochs() == [9]


def test_an_open_transaction_holds_the_stable_offset() -> None:
    """While a transaction is open the stable offset stays below its first record (S3:164)."""
    control, _ = offsets()
    control.handle_commit_batch(5, 1)
    control.replay_begin(6)
    control.handle_commit_batch(8, 1)
    assert (control.last_committed_offset, control.last_stable_offset) == (8, 5)
    control.replay_end(9)
    control.handle_commit_batch(9, 1)
    assert control.last_stable_offset == 9


def test_renouncing_takes_back_what_is_not_committed() -> None:
    """Becoming inactive takes state back to the stable offset, and no further (S3:171)."""
    control, state = offsets()
    control.activate(0)
    state["committed"] = 1
    control.handle_schedule_append(0)
    state["appended"] = 2
    control.handle_schedule_append(3)
    control.handle_commit_batch(0, 1)
    control.deactivate()
    assert dict(state) == {"committed": 1}
    assert not control.active


def test_an_abort_takes_back_the_transaction() -> None:
    """An abort restores what was there before the transaction began (OffsetControlManager)."""
    control, state = offsets()
    control.activate(0)
    state["before"] = 1
    control.handle_schedule_append(0)
    control.replay_begin(1)
    state["within"] = 2
    del state["before"]
    control.replay_abort(3)
    assert dict(state) == {"before": 1}
    assert control.transaction_start_offset == NONE


@pytest.mark.parametrize("repaired", [(), ("D1",)])
def test_the_start_of_a_transaction_survives_its_records(repaired: tuple[str, ...]) -> None:
    """D1: renouncing with an uncommitted Begin keeps its offset and the next Begin is refused; repaired, it goes."""
    control, _ = offsets(*repaired)
    control.activate(0)
    control.replay_begin(0)
    control.handle_schedule_append(1)
    control.deactivate()
    if repaired:
        control.replay_begin(0)
        assert control.transaction_start_offset == 0
    else:
        with pytest.raises(ReplayError, match="never closed"):
            control.replay_begin(0)


@pytest.mark.parametrize("repaired", [(), ("D2",)])
def test_an_end_that_is_only_appended_frees_the_stable_offset(repaired: tuple[str, ...]) -> None:
    """D2: with End appended the commit of an earlier batch moves the stable offset into the transaction."""
    control, _ = offsets(*repaired)
    control.activate(0)
    control.replay_begin(0)
    control.handle_schedule_append(4)
    control.replay_end(5)
    control.handle_schedule_append(5)
    control.handle_commit_batch(4, 1)
    assert control.last_stable_offset == (NONE if repaired else 4)
    control.handle_commit_batch(5, 1)
    assert control.last_stable_offset == 5


@pytest.mark.parametrize(("repaired", "stable"), [((), 10), (("D4",), 9)])
def test_a_loaded_snapshot_stands_at_its_end(repaired: tuple[str, ...], stable: int) -> None:
    """D4: a snapshot whose records end below 10 leaves Kafka at offset 10, one too far; repaired, at 9."""
    control, _ = offsets(*repaired)
    control.begin_load_snapshot(10)
    control.end_load_snapshot(2)
    assert (control.last_committed_offset, control.last_stable_offset) == (stable, stable)


def test_a_transaction_record_out_of_place_is_refused() -> None:
    """Begin inside a transaction, End and Abort outside one, and any of them in a snapshot raise."""
    control, _ = offsets()
    with pytest.raises(ReplayError):
        control.replay_end(0)
    with pytest.raises(ReplayError):
        control.replay_abort(0)
    control.replay_begin(0)
    with pytest.raises(ReplayError):
        control.replay_begin(1)
    control.begin_load_snapshot(5)
    with pytest.raises(ReplayError):
        control.replay_begin(1)
