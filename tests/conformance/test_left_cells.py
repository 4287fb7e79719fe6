"""What a record shows of cells that no log has: until a record or a failover can change them, and never otherwise."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.history import past
from fencepost.checkers.conformance.plans.left_cells import left_cells
from fencepost.checkers.conformance.records.facts import KRAFT_LOGS
from fencepost.checkers.conformance.records.wire import WireBinding
from fencepost.checkers.conformance.state.replay import HardState, Layout
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import falls, off, shut_down
from fencepost.model.kraft.state import b, shutdown_offset, soft_fenced
from fencepost.model.language import Protocol
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.traces import Record, build_batch, build_control_batch, placed, read_log
from fencepost.traces.steps import AnyStep, Step

from . import RECORDED
from .alter import batch_at, written

CELLS = {"shutdown_offset": shutdown_offset.state, "fenced": soft_fenced.state}
"""Cells that records show, by their names in the soft state of a simulated controller."""

LEAVES = {"InControlledShutdown": "log_end + 1", "Fence": "None", "RegisterBroker": "None"}
"""What records leave in the offset of a controlled shutdown: a value, or one of several."""


@cache
def monitor() -> Monitor:
    """Reads logs by today's tables."""
    return Monitor(KRAFT, Options(PASSED_THROUGH, facts=KRAFT_LOGS))


def left_by(protocol: Protocol) -> dict[str, str]:
    """What records show of the controlled shutdown of a broker, by their names."""
    left = left_cells(protocol, Layout(protocol).compiler, KRAFT_LOGS.active).get(shutdown_offset.state, {})
    return {record.name: str(value) for record, value in left.items()}


def rows_at(path: Path, offset: int) -> set[str]:
    """The rows that may have written the record at an offset of a log."""
    read = past(monitor(), read_log(path), offset)
    return {cause.row for step in read.steps if step.offset == offset for cause in step.causes}


def test_which_record_shows_it_follows_from_the_rows() -> None:
    """Only HB6 writes the record of a controlled shutdown; a row that ends one in silence takes the value away."""
    assert left_by(KRAFT) == LEAVES
    silent = KRAFT.but("HX2", effects=falls(b, off), why="a late heartbeat of an active broker ends its shutdown")
    assert left_by(silent) == {}
    why = "their records are those of HB6, too"
    alone = KRAFT.without("HD6", why=why).without("HD6n", why=why)
    other = alone.but("HB6", effects=(shut_down(b), falls(b, off)), why="a shutdown ends as it begins")
    assert left_by(other) == dict.fromkeys(LEAVES, "-1")


def test_a_fence_behind_a_controlled_shutdown_has_two_explanations() -> None:
    """Broker 1 begins its shutdown at 43: HB4, HB5 and HB7 want one that is up, which only a record restores."""
    assert rows_at(RECORDED / "rolling-restart", 53) == {"F1", "HB10"}


def test_a_broker_that_was_up_is_fenced_for_other_reasons() -> None:
    """Without a shutdown in front of the fence at 170 HB10 is excluded, and HB7 since the broker leads."""
    assert rows_at(RECORDED / "reassignment", 170) == {"F1", "HB4", "HB5"}


def test_a_failover_takes_back_what_was_shown(tmp_path: Path) -> None:
    """Another leader between the shutdown at 43 and the fence does not know of it: HB4, HB5 or HB7 may have fenced."""
    log = read_log(RECORDED / "rolling-restart")
    kept = [one for one in log.batches if one.last_offset < 53]
    first, last, fence = log.batches[0], kept[-1], batch_at(log, 53)
    leads, place = first.control_records[0].data, {"timestamp": last.base_timestamp, "segment": last.segment}
    change = build_control_batch([("LeaderChange", leads)], base_offset=53, epoch=last.epoch + 1, **place)
    messages = [(one.type, one.version, one.data) for one in fence.metadata_records]
    behind = build_batch(messages, base_offset=54, epoch=last.epoch + 1, **place)
    changed = written(replace(log, batches=tuple(placed([*kept, change, behind], last.segment))), tmp_path / "failover")
    assert rows_at(changed, 54) == {"F1", "HB10", "HB4", "HB5", "HB7"}


@pytest.mark.representative("4")
@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 4, 13])
def test_what_is_shown_is_what_a_controller_remembers(seed: int) -> None:
    """Along a simulated run with faults each cell that a record shows is as the controller has it, at each step."""
    compared: Counter[str] = Counter()
    states: dict[tuple[int, int], HardState] = {}
    wire, layout = WireBinding.of(KRAFT), monitor().layout
    numbers = {name: layout.left[state] for name, state in CELLS.items()}

    def watch(step: AnyStep) -> None:
        if not isinstance(step, Step):
            return
        state = states.setdefault((step.node, step.epoch), HardState(layout))
        for offset, one in enumerate(step.records, start=step.base_offset):
            bound = wire.bind(Record(offset, 0, one.type, one.version, dict(one.data)))
            if bound is not None:
                state.meet(bound)
                state.at_offset(offset)
                state.apply(state.changes(bound))
        for broker in step.soft or ():
            for name, number in numbers.items():
                found = state.read((number, (broker.broker,)))
                if found is not UNKNOWN:
                    compared[name] += 1
                    there = getattr(broker, name)
                    assert (found >= 0) == (there >= 0) if name == "shutdown_offset" else found == there, (step, name)

    Run(Plan(seed=seed, seconds=150, faults="swarm"), watch, None).execute()
    assert set(compared) == set(CELLS)
