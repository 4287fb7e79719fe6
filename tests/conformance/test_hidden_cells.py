"""Rows of several stages that rest on cells no log shows: the records of one stage show the value of an earlier one."""

import pytest

from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log

from . import RECORDED
from .alter import Message
from .test_faulted_units import Alteration, faulted

pytestmark = pytest.mark.usefixtures("by_class")

LOST = "AAAAAAAAAAAAAAAAAAAAAQ"


def elects(some: list[Message]) -> None:
    """Write nothing but that broker 2 left the ISR of the first partition, which it led."""
    kind, version, said = some[0]
    some[:] = [(kind, version, {**said, "isr": [3, 1], "leader": 3})]


def is_lost(some: list[Message]) -> None:
    """Write in front of that that the directory is lost in which broker 2 had its replica."""
    elects(some)
    kind, version, said = some[0]
    log = read_log(RECORDED / "rolling-restart")
    known = next(r.data for b in log.batches for r in b.metadata_records if r.type == "PARTITION_RECORD")
    where = dict(zip(known["replicas"], known["directories"], strict=True))
    told = {"partitionId": said["partitionId"], "topicId": said["topicId"], "directories": [LOST, where[3], where[1]]}
    some.insert(0, (kind, version, told))


def judged(alter: Alteration, by_class: bool) -> LogResult:
    """What is found of a recorded log with such a last batch."""
    return Monitor(KRAFT, Options(by_class=by_class)).judge(faulted(9, True, alter))


@pytest.mark.parametrize("by_class", [True, False])
def test_a_replica_does_not_leave_unless_its_directory_is_told(by_class: bool) -> None:
    """A leader that leaves the ISR by itself is not what AD4 writes: the directory would be recorded in front of it."""
    result = judged(elects, by_class)
    assert result.verdict is Verdict.VIOLATES
    assert not result.doubts
    assert "AD4" not in result.rows


@pytest.mark.parametrize("by_class", [True, False])
def test_a_replica_whose_directory_is_told_to_be_lost_leaves(by_class: bool) -> None:
    """The same behind the record that says that its directory is lost is AD4's, and the log conforms."""
    result = judged(is_lost, by_class)
    assert (result.verdict, result.violations) == (Verdict.CONFORMS, [])
    assert result.rows["AD4"] == 1
