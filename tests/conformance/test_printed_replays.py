"""Printed functions that say what a record changes, against the terms of its replay evaluated one by one."""

from collections.abc import Iterator

import pytest

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.records.facts import KRAFT_LOGS
from fencepost.checkers.conformance.records.old_forms import is_read_over
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding
from fencepost.checkers.conformance.state.replay import HardState, Layout
from fencepost.model.kraft import KRAFT
from fencepost.traces import ControlRecord, read_log

from . import RECORDED
from .test_printed_rows import RECORDINGS


def batches(name: str) -> Iterator[list[BoundRecord]]:
    """Yield the records of each batch of a recording as the tables see them."""
    wire = WireBinding.of(KRAFT)
    for batch in read_log(RECORDED / name).batches:
        records = (one for one in batch.records if not isinstance(one, ControlRecord) and not is_read_over(one))
        yield [bound for one in records if (bound := wire.bind(one)) is not None]


@pytest.mark.representative("delete-recreate", "elr-index-fault-4.4.0", "snapshots")
@pytest.mark.parametrize("name", RECORDINGS)
def test_printed_replays_change_what_their_terms_change(name: str) -> None:
    """Each record of a recording changes the same cells to the same values, in the same order, also in a state in which
    its batch was replayed and taken back; after a cell was forgotten the terms are evaluated."""
    layout = Layout(KRAFT, None, KRAFT_LOGS.active, KRAFT_LOGS.raft_level, KRAFT_LOGS.left_over)
    printed, evaluated = HardState(layout, plain=True), HardState(layout, plain=True)
    evaluated.is_evaluated = True
    number = 0
    last: tuple[Change, ...] = ()
    for records in batches(name):
        for is_last in (False, True):
            made: list[tuple[Change, ...]] = []
            for record in records:
                number += 1
                for state in (printed, evaluated):
                    state.meet(record)
                    state.at_offset(record.wire.offset)
                made.append(printed.changes(record))
                assert printed._by_printed(record) is not None
                assert made[-1] == evaluated.changes(record), record
                for state in (printed, evaluated):
                    state.apply(made[-1])
                last = made[-1] or last
            if not is_last:
                for state in (printed, evaluated):
                    for changes in reversed(made):
                        state.undo(changes)
    assert number > 20
    printed.doubt([last[0].cell])
    assert printed._by_printed(record) is None
