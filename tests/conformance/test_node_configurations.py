"""The configuration of the active controller's own node: who leads a log is read from its leader changes (D31)."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.classes.tables import anywhere
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.records.control_records import leader_of, leaders
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import ControlRecord, MetadataLog, build_control_batch, find_log, read_log

from . import RECORDED
from .alter import with_record, without_record

RECORDING = RECORDED / "node-config-moved-4.4.0"
MOVED = {0: 3001, 128: 3000, 129: 3000, 199: 3001, 200: 3001, 411: 3000, 412: 3000}
"""Who leads from which offset on."""


@cache
def recorded() -> MetadataLog:
    """The log as it was recorded."""
    return read_log(find_log(RECORDING))


def led_by(nodes: dict[int, int | None]) -> MetadataLog:
    """Return the recorded log with other leaders in its leader changes, by offset; None for one that names none."""
    batches = []
    for batch in recorded().batches:
        found = leader_of(batch.records[0])
        if found is None or batch.base_offset not in nodes:
            batches.append(batch)
            continue
        first, node = batch.records[0], nodes[batch.base_offset]
        assert isinstance(first, ControlRecord)
        data = {**first.data, "leaderId": node}
        if node is None:
            batches.append(replace(batch, records=(replace(first, data={}), *batch.records[1:])))
            continue
        others = [(one.type, one.data) for one in batch.records[1:] if isinstance(one, ControlRecord)]
        where = {"segment": batch.segment, "position": batch.position}
        messages = [(first.type, data), *others]
        made = build_control_batch(
            messages, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp, **where
        )
        batches.append(made)
    return replace(recorded(), batches=tuple(batches))


def judged(nodes: dict[int, int | None]) -> LogResult:
    """Return what is found in the recording under other leaders."""
    return Monitor(KRAFT).judge(led_by(nodes))


def test_the_leaders_are_those_that_the_log_names() -> None:
    """Each epoch's leader is the one of its leader change, and an epoch that names two has none."""
    told = {batch.base_offset: leaders([batch])[batch.epoch] for batch in recorded().batches if leaders([batch])}
    assert told == MOVED
    first = next(batch for batch in recorded().batches if batch.base_offset == 128)
    other = next(batch for batch in led_by({128: 3001}).batches if batch.base_offset == 128)
    assert leaders([first, other]) == {}


@pytest.mark.representative("after the third")
@pytest.mark.parametrize(
    ("moved", "unexplained"),
    [({0: 3000}, 86), ({199: 3000, 200: 3000}, 373), ({411: 3001, 412: 3001}, 462)],
    ids=["before the first move", "after the second", "after the third"],
)
def test_the_elections_are_those_of_this_controller_alone(moved: dict[int, int | None], unexplained: int) -> None:
    """Were another node the leader there, no row would write what the log has.

    An operator may have asked for the elections at 206; at 373 the node's own false is above the cluster's true.
    """
    log = judged(moved)
    assert log.verdict is Verdict.VIOLATES
    assert log.violations[0].offset == unexplained


def test_a_leader_that_nobody_names_leaves_it_open() -> None:
    """Where no leader change can be read, either controller may have written it: nothing is a violation."""
    log = judged(dict.fromkeys(MOVED))
    assert (log.verdict, log.violations) == (Verdict.CONFORMS, [])


def test_an_election_that_did_not_happen_is_missed(tmp_path: Path) -> None:
    """Broker 1 is unfenced under 3001, whose own value allows it: without its election the result is no row's."""
    (log,) = conform([without_record(part(127), 87, tmp_path / "a")], KRAFT).logs
    assert log.verdict is Verdict.VIOLATES


def part(last: int) -> MetadataLog:
    """Return the log up to an offset."""
    return replace(recorded(), batches=tuple(b for b in recorded().batches if b.last_offset <= last))


def test_the_value_is_the_one_of_the_active_node(tmp_path: Path) -> None:
    """The same record for another node, a broker or a controller, allows nothing under 3001."""
    for node in ("3000", "1"):
        altered = with_record(recorded(), 44, lambda data, node=node: {**data, "resourceName": node}, tmp_path / node)
        (log,) = conform([altered], KRAFT).logs
        assert log.verdict is Verdict.VIOLATES
        assert log.violations[0].offset == 86


def test_a_cell_of_an_unknown_node_is_known_where_all_are_alike() -> None:
    """Before any node has a value, who is active does not matter; afterwards it does."""
    assert anywhere({}, None) is None
    assert anywhere({("3000",): None}, None) is None
    assert anywhere({("3000",): True}, None) is UNKNOWN
    assert anywhere({("3000",): UNKNOWN}, None) is UNKNOWN
