"""Rows are made ready for a log when a record comes that may be the first of them, as if all had been at the start."""

import pytest

from fencepost.checkers.conformance.plans.plans import Plans, RowPlan, Writer
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Record
from fencepost.model.releases import RELEASES
from fencepost.traces.logs import read_log

from . import RECORDED


def records_first(plan: RowPlan) -> frozenset[Record]:
    """The records that can come first in a row, by what its plan says of each write."""
    found: set[Record] = set()
    for stage in plan.stages:
        found |= stage.records
        if any(write.certain for write in stage.writes):
            break
    return frozenset(found)


def is_made(one: Writer) -> bool:
    """Whether a row's plan was made."""
    return "plan" in vars(one)


@pytest.mark.parametrize("release", ["4.4", "4.0", "3.7"])
def test_the_records_that_come_first_are_known_without_a_plan(release: str) -> None:
    """What can come first in a row, and which of its stages may be the last, is what the plan of the row says."""
    protocol = RELEASES[release].for_logs
    plans = Plans(protocol, Layout(protocol, {}).compiler)
    assert len(plans.rows) > 50
    for one in plans.rows:
        assert one.first == records_first(one.plan), one.row
        for at, stage in enumerate(one.plan.stages):
            certain = any(write.certain for later in one.plan.stages[at + 1 :] for write in later.writes)
            assert stage.may_end is not certain, one.row
    for record in protocol.records:
        expected = tuple(one.plan for one in plans.rows if record in one.first)
        assert plans.by_first.get(record, ()) == expected


def test_a_log_makes_ready_what_its_records_may_be_of() -> None:
    """After a log those rows have a plan whose first record may be of a type that was in it, and no others."""
    monitor = Monitor(KRAFT)
    plans = Plans(KRAFT, monitor.layout.compiler, monitor.options.facts.chained)
    log = read_log(RECORDED / "first-boot")

    bound = {monitor.wire.bind(record) for batch in log.batches for record in batch.metadata_records}
    for one in bound:
        if one is not None:
            plans.by_first.get(one.record, ())
    made = {one.row.id for one in plans.rows if is_made(one)}
    records = {one.record for one in bound if one is not None}
    assert made == {one.row.id for one in plans.rows if one.first & records}
    assert 0 < len(made) < len(plans.rows)
