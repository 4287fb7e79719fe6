"""TLC over the records of one partition, by a specification that was written by hand, beside what the tables say."""

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Record, read_log
from tests.conformance import RECORDED

from .partition_trace import Step, busiest, projected, validated


def trace(name: str) -> list[Step]:
    """Return the trace of the partition of the most records in a recording."""
    records = [one for one in read_log(RECORDED / name).records() if isinstance(one, Record)]
    return list(projected(records, busiest(records)))


@pytest.mark.representative("delete-recreate")
@pytest.mark.tlc
@pytest.mark.slow
@pytest.mark.parametrize("name", ["kill-nine-elr", "delete-recreate"])
def test_a_recording_that_conforms_is_a_trace(name: str) -> None:
    """TLC explains every record of a partition of a log that conforms."""
    (log,) = conform([RECORDED / name], None).logs
    found = validated(trace(name))
    assert (log.verdict, found.explained) == (Verdict.CONFORMS, found.records)
    assert found.records > 10
    assert found.cpu_seconds > 0


@pytest.mark.tlc
@pytest.mark.slow
def test_a_leader_outside_the_isr_is_no_step() -> None:
    """Of a trace in which one record elects who is not in its ISR TLC explains just the records before it."""
    steps = trace("kill-nine-elr")
    at = next(n for n, one in enumerate(steps) if one["type"] == "change" and one.get("leader", -1) != -1 and n > 20)
    others = [one for one in (1, 2, 3, 4, 5) if one != steps[at]["leader"]]
    steps[at] = {**steps[at], "isr": others[:1], "replicas": [*others[:2], steps[at]["leader"]], "elr": []}
    assert validated(steps).explained == at


def test_a_projection_has_the_partition_and_the_brokers_alone() -> None:
    """Records of other partitions are left out; what a record leaves unsaid is not in its step."""
    steps = trace("kill-nine-elr")
    assert {one["type"] for one in steps} >= {"register", "create", "change", "fence", "unfence"}
    assert sum(one["type"] == "create" for one in steps) == 1
    assert any("leader" not in one for one in steps if one["type"] == "change")
