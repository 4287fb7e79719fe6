"""Defects of the past in replication, each seen by hand or by torture with a known seed; today's rules stand both."""

from contextlib import nullcontext

import pytest

from fencepost.reference.kraft.broker.lifecycle import BrokerState
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.injected.replication import REPLICATION
from fencepost.reference.kraft.messages import AlterPartitionAnswer

from .broker_cluster import BrokerCluster
from .by_hand import KEY, ByHand
from .torture import Torture

SECOND = 1_000_000_000
REPAIRED = frozenset({"D29"})


@pytest.mark.representative("1-False")
@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_todays_rules_stand_torture(seed: int, lossy: bool) -> None:
    """In a minute of faults nothing that was acknowledged is lost without an excuse, and without losses none at all."""
    ledger = Torture(seed, lossy=lossy, repaired=REPAIRED).run(60)
    assert ledger.acknowledged_entries > 500
    assert ledger.violations == []
    assert lossy or ledger.losses == []


@pytest.mark.representative("truncate-to-high-watermark-1-False")
@pytest.mark.parametrize(
    ("name", "seed", "lossy"),
    [
        ("truncate-to-high-watermark", 1, False),
        ("one-round-of-epochs", 7, False),
        ("zombie-fetches", 7, False),
        ("shrink-at-once", 4, False),
        ("offsets-of-an-earlier-term", 6, True),
    ],
)
def test_a_defect_is_found_by_torture(name: str, seed: int, lossy: bool) -> None:
    """A minute of faults with this seed, the first that does, shows a loss that nothing excuses."""
    with REPLICATION[name].injected():
        found = Torture(seed, lossy=lossy, repaired=REPAIRED).run(60).violations
    assert found
    assert Torture(seed, lossy=lossy, repaired=REPAIRED).run(60).violations == []


@pytest.mark.parametrize("injected", [False, True])
def test_a_shrink_waits_for_the_controller(injected: bool) -> None:
    """While a shrink is proposed the high watermark waits for who is to leave, for the controller may elect it."""
    with REPLICATION["shrink-at-once"].injected() if injected else nullcontext():
        cluster = ByHand()
        cluster.elect(1)
        cluster.produce(10)
        cluster.fetch(2, rounds=2)
        cluster.now_ns = 31 * SECOND
        cluster.fetch(2)
        leader = cluster.replicas[1].partition
        leader.maybe_shrink_isr()
        leader._maybe_advance_high_watermark()
        assert leader.state.isr == (1, 2, 3)
        assert cluster.replicas[1].log.high_watermark == int(injected)


@pytest.mark.parametrize("injected", [False, True])
def test_an_answer_that_came_too_late_is_ignored(injected: bool) -> None:
    """The answer to a shrink that arrives in a later term does not take a member out of the ISR of that term."""
    with REPLICATION["late-answers"].injected() if injected else nullcontext():
        cluster = ByHand()
        cluster.elect(1)
        cluster.produce(10)
        cluster.fetch(2, rounds=2)
        cluster.now_ns = 31 * SECOND
        cluster.fetch(2)
        leader = cluster.replicas[1].partition
        leader.maybe_shrink_isr()
        change = cluster.replicas[1].proposals.pop()
        answer = AlterPartitionAnswer(*KEY, Errors.NONE, 1, 1, (1, 2), 0, cluster.current.partition_epoch + 1)
        cluster.elect(3)
        cluster.elect(1, isr=(1, 2, 3))
        leader.alter_partition_answered(change, answer)
        assert (3 in leader.state.maximal_isr) is not injected


@pytest.mark.parametrize("injected", [False, True])
def test_a_broker_that_shuts_down_hears_that_it_leads_no_longer(injected: bool) -> None:
    """While it waits for the other brokers to learn of the new leader it refuses to act as the old one."""
    with REPLICATION["deaf-in-shutdown"].injected() if injected else nullcontext():
        cluster = BrokerCluster().start()
        topic = cluster.create("t", (1, 2, 3))
        cluster.feeds[3].paused = True
        cluster.brokers[1].terminate()
        cluster.run(1)
        assert cluster.brokers[1].state is BrokerState.PENDING_CONTROLLED_SHUTDOWN
        assert cluster.registration(topic).leader == 2
        assert cluster.replica(2, topic).is_leader
        assert cluster.replica(1, topic).is_leader is injected
        cluster.feeds[3].paused = False
        cluster.feeds[3].noticed()
        cluster.run(5)
        assert cluster.brokers[1].state is BrokerState.NOT_RUNNING


def test_every_defect_is_shown_somewhere() -> None:
    """No injected defect of replication is without a test of its own, in this file or beside it."""
    from pathlib import Path

    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in REPLICATION if f'"{name}"' not in texts] == []
