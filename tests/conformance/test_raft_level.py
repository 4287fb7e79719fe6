"""kraft.version in logs: its level is in Raft's own record, and decides which brokers may register."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState, Shape
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.records.control_records import raft_level
from fencepost.checkers.conformance.requests.adapters import _of_raft
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, MetadataLog, find_log, read_log
from fencepost.traces.record_types import KRAFT_VERSION

from . import RECORDED
from .alter import Message, rewritten

MONITOR = Monitor(KRAFT)
UPGRADED = 208
"""Where Raft writes level 1 into the log of `metadata-upgrade`, which had none before."""


def recorded(scenario: str) -> MetadataLog:
    """Return a recorded log."""
    return read_log(find_log(RECORDED / scenario))


def levels(log: MetadataLog) -> dict[int, Any]:
    """Return the level of kraft.version that the checker knew at the end of each unit of a log, by its last offset."""
    found: dict[int, Any] = {}

    def watch(state: HardState, items: Any, parsed: Any) -> None:
        found[items[-1].record.offset] = state.value_of(k.kraft_level.state.name)  # type: ignore[attr-defined]

    MONITOR.judge(log, watch)
    return found


def test_the_level_is_carried_from_raft_s_record_on() -> None:
    """Until Raft's record says a level it is unknown, from there on it is that one."""
    found = levels(recorded("metadata-upgrade"))
    assert {level for offset, level in found.items() if offset < UPGRADED} == {UNKNOWN}
    assert {level for offset, level in found.items() if offset > UPGRADED} == {1}
    assert set(levels(recorded("first-boot")).values()) == {1}


def test_a_snapshot_tells_the_level() -> None:
    """A log that begins with a snapshot has the level that the snapshot's header says."""
    log = recorded("snapshots")
    whole = next(one for one in log.snapshots if one.end_offset > 500)
    assert raft_level(whole.batches) == 1
    after = tuple(one for one in log.batches if one.base_offset >= whole.end_offset)
    segments = tuple(one for one in log.segments if one.name in {batch.segment for batch in after})
    cut = replace(log, batches=after, segments=segments, snapshots=(whole,), trailing_zeros=())
    assert set(levels(cut).values()) == {1}


def _unable(message: Message) -> Message:
    """Brokers say that they cannot do level 1 of kraft.version."""
    type_, version, data = message
    if type_ != "REGISTER_BROKER_RECORD":
        return message
    assert any(one["name"] == "kraft.version" for one in data["features"])
    features = [one for one in data["features"] if one["name"] != "kraft.version"]
    return type_, version, {**data, "features": features}


def _unsaid(batch: Batch) -> Batch:
    """Return a batch of Raft's without the level."""
    if not batch.is_control:
        return batch
    records = [replace(one, type="KRaftVoters") if one.type == KRAFT_VERSION else one for one in batch.records]  # type: ignore[union-attr]
    return replace(batch, records=tuple(records))


def test_a_broker_that_cannot_do_the_level_is_not_registered(tmp_path: Path) -> None:
    """A registration that does not name kraft.version is no row's at level 1; where no record says it, it is one's."""
    log = replace(recorded("first-boot"), snapshots=())
    made = read_log(rewritten(log, _unable, tmp_path))
    found = MONITOR.judge(made)
    first = next(
        one for batch in made.batches for one in batch.metadata_records if one.type == "REGISTER_BROKER_RECORD"
    )
    assert (found.verdict, found.violations[0].offset) == (Verdict.VIOLATES, first.offset)
    silent = replace(made, batches=tuple(map(_unsaid, made.batches)))
    assert MONITOR.judge(silent).verdict is Verdict.CONFORMS


@pytest.mark.parametrize(
    ("told", "level", "asked"), [(None, None, [0, 1]), (None, 1, [1]), (0, 1, [0]), (1, None, [1])]
)
def test_a_request_is_asked_at_the_level_that_is_known(told: int | None, level: int | None, asked: list[int]) -> None:
    """A column of the trace has the level, else the log; where neither does both are tried."""
    shape = Shape(KRAFT, MONITOR.layout)
    controller = ControllerState(shape)
    if level is not None:
        controller.apply([(shape.numbers[k.kraft_level.state], (), level)])  # type: ignore[attr-defined]
    found = _of_raft(told, controller)
    assert [list(one.values()) for one in found] == [[one] for one in asked]
