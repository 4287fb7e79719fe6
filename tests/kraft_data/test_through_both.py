"""Where `kraft` breaks what `kraft-data` takes for granted: runs of both show whether a record is lost."""

from dataclasses import replace

import pytest

from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.findings.finding import entity
from fencepost.model.findings.reassignments import ASKS_FOR_TWO, HEALTHY
from fencepost.model.kraft import state as kraft
from fencepost.model.kraft.brokers import want_fence
from fencepost.model.kraft.configurations import CONFIGURATIONS, deletes, size
from fencepost.model.kraft.reassignment import target
from fencepost.model.language import Term, Threshold, ascending, just, only, some

from .through_both import Decided, Run, is_lost

pytestmark = pytest.mark.slow

ZERO, ONE = entity(0, kraft.BROKER), entity(1, kraft.BROKER)
FIRST, SECOND = entity(0, kraft.PARTITION), entity(1, kraft.PARTITION)
BOTH = ascending(just(ZERO) | just(ONE))


def _run(id: str, partition: int, repaired: bool = False) -> Run:
    [finding] = [one for one in FINDINGS if one.id == id]
    protocol = finding.repair(finding.faithful()) if repaired else finding.faithful()
    return Run(finding, protocol, {"Heartbeat": HEALTHY}, partition)


def _fences(run: Run, broker: Term[kraft.Broker]) -> Run:
    """A broker asks to be fenced, as one does that shuts down at once."""
    return run.take("HB5", kraft.b.is_(broker) & want_fence)


def _moved(run: Run) -> list[Decided]:
    """Partition 1 is reassigned to broker 0 alone and back to both, then broker 0 is fenced."""
    decisions = [run.decided(2)]
    run.take("RA3", kraft.p.is_(SECOND) & target.is_(only(some(ZERO))))
    decisions.append(run.decided(2))
    run.take("RA3", kraft.p.is_(SECOND) & target.is_(BOTH))
    decisions.append(run.decided(2))
    decisions.append(_fences(run, ZERO).decided(2))
    return decisions


def test_a_reassignment_there_and_back_loses_a_record() -> None:
    """D15: the replica that was removed and added again is elected, unmarked, without the other's records."""
    decisions = _moved(_run("D15b", 1))
    assert decisions[-1].leader == 1
    assert not decisions[-1].marked
    assert is_lost(decisions) == (Verdict.VIOLATED, ["S0", "S1", "DM1", "DL1", "DL6", "S2", "S3", "DM1"])


@pytest.mark.nightly("test_a_reassignment_there_and_back_loses_a_record")
def test_the_repair_of_reassignments_loses_none() -> None:
    """With D15 repaired the same requests leave the partition without a leader, and no run loses a record."""
    decisions = _moved(_run("D15b", 1, repaired=True))
    assert decisions[-1].leader is None
    assert is_lost(decisions) == (Verdict.CLOSED, [])


@pytest.mark.nightly("test_a_reassignment_there_and_back_loses_a_record")
def test_eligible_replicas_that_nobody_maintains_lose_a_record() -> None:
    """D21: while ELR is off a smaller minimum empties no ELR; on again, who lacks a record is elected, unmarked."""
    decisions = _switched(repaired=False)
    assert decisions[-1].leader == 0
    assert not decisions[-1].marked
    verdict, rows = is_lost(decisions)
    assert (verdict, rows[-1]) == (Verdict.VIOLATED, "DM1")


@pytest.mark.nightly("test_a_reassignment_there_and_back_loses_a_record")
def test_forgetting_them_loses_none() -> None:
    """With D21 repaired the same requests leave the partition without a leader, and no run loses a record."""
    decisions = _switched(repaired=True)
    assert decisions[-1].leader is None
    assert is_lost(decisions) == (Verdict.CLOSED, [])


def _switched(repaired: bool) -> list[Decided]:
    """Broker 0 is fenced, ELR goes off, the minimum from 2 to 1, ELR goes on, 0 is back, and 1 is fenced."""
    [own] = [one for one in FINDINGS if one.id == "D21"]
    finding = replace(
        own,
        tables=(*own.tables, CONFIGURATIONS.name),
        sizes={"Broker": 2},
        given={**own.given, "CreateTopic": ASKS_FOR_TWO},
    )
    protocol = finding.repair(finding.faithful()) if repaired else finding.faithful()
    run = Run(finding, protocol, {"Heartbeat": HEALTHY}, 0)
    decisions = [run.decided(2), _fences(run, ZERO).decided(2)]
    run.take("FE8")
    if run.decided(2) != decisions[-1]:
        decisions.append(run.decided(2))
    run.take("CF5", size.is_(Threshold(1)) & ~deletes)
    decisions.append(run.decided(1))
    run.take("FE7")
    run.take("HB2", kraft.b.is_(ZERO))
    decisions.append(_fences(run, ONE).decided(1))
    return decisions


@pytest.mark.nightly("test_a_reassignment_there_and_back_loses_a_record")
def test_a_lower_minimum_of_another_partition_loses_none() -> None:
    """D25: the controller counts with partition 0's replicas, the leader with its own: what it acknowledges is kept."""
    run = _run("D25", 1)
    decisions = [run.decided(2), _fences(run, ZERO).decided(2)]
    run.take("RA3", kraft.p.is_(FIRST) & target.is_(only(some(ONE))))
    assert run.decided(2) == decisions[-1]
    run.take("HB2", kraft.b.is_(ZERO))
    decisions.append(run.decided(2))
    decisions.append(_fences(run, ONE).decided(2))
    assert decisions[-1].leader == 0
    assert is_lost(decisions) == (Verdict.CLOSED, [])
