"""The first version: the handshake of two heartbeats, leases on both sides, every error answer."""

from dataclasses import replace

import pytest

from fencepost.reference.kip631.v1.injected import BUGS
from fencepost.reference.kip631.v1.messages import (
    ACTIVE,
    FENCED,
    SHUTDOWN,
    HeartbeatAnswer,
    HeartbeatRequest,
    RegisterRequest,
)
from fencepost.reference.kip631.v1.simulation import DESIGN
from fencepost.reference.simulator import MILLISECOND, Link

from .scripted import SETTINGS, Bench, line_of

SLOW = Link(min_delay_ns=800 * MILLISECOND, max_delay_ns=900 * MILLISECOND)

HANDSHAKE = """\
broker-1 StartBroker incarnation=1 | broker_state STARTING, own_incarnation 1
broker-1 ApplyMetadata to=0 | own_offset 0
broker-1 BeginRegistration | broker_state REGISTERING
controller-1 Register incarnation=1 supports=True -> NONE 0 3000 | \
broker_epoch 0, incarnation 1, isr [2, 3], next_offset 2, registered True
controller-1 Commit to=1 | committed 1
broker-1 RegisterReply error=NONE epoch=0 lease=3000 | broker_state FENCED, own_epoch 0
controller-1 Heartbeat epoch=0 current=FENCED target=ACTIVE offset=0 -> NONE ACTIVE 3000 | \
granted True, lease_end 3375, reported_offset 0
broker-1 HeartbeatReply error=NONE next=ACTIVE lease=3000 | broker_state RUNNING, own_lease_end 3374, serving True
controller-1 Heartbeat epoch=0 current=ACTIVE target=ACTIVE offset=0 -> NONE ACTIVE 3000 | \
fenced False, granted False, lease_end 3376, next_offset 3
controller-1 Commit to=2 | committed 2
broker-1 HeartbeatReply error=NONE next=ACTIVE lease=3000 | own_lease_end 3375
"""


def beat(epoch: int, current: str = ACTIVE, target: str = ACTIVE, offset: int = 0, broker: int = 1) -> HeartbeatRequest:
    """Return a heartbeat."""
    return HeartbeatRequest(broker, epoch, current, target, offset)


def registered(bench: Bench, broker: int = 1, incarnation: int = 1) -> int:
    """Register a broker by hand; returns its epoch."""
    answer = bench.ask(RegisterRequest(broker, incarnation, supports=True)).split()
    assert answer[0] == "NONE"
    return int(answer[1])


def test_a_broker_becomes_active_by_two_heartbeats() -> None:
    """S2:440-444: fenced, active; active, active at once after the answer; then the controller unfences."""
    steps = Bench(DESIGN).start(1)
    assert "".join(line_of(step) + "\n" for step in steps[: HANDSHAKE.count("\n")]) == HANDSHAKE
    second = next(step for step in steps if step.name == "Heartbeat" and step.parameters["current"] == ACTIVE)
    told = next(step for step in steps if step.name == "HeartbeatReply")
    assert second.time_ms - told.time_ms <= 1 < SETTINGS.heartbeat


def test_a_broker_cut_off_fences_itself_before_the_controller_fences_it() -> None:
    """Without answers the broker stops serving when its lease is over, and not later than the controller's is."""
    bench = Bench(DESIGN)
    bench.start(1)
    nodes = [node.name for node in bench.cluster.quorum.nodes]
    bench.cluster.network.faults.cut(["broker-1"], nodes)
    own, held = bench.cell("own_lease_end", 1), bench.cell("lease_end", 1)
    assert own <= held
    steps = bench.run(5)
    ends = [(step.name, step.time_ms) for step in steps if "LeaseExpires" in step.name]
    assert ends == [("OwnLeaseExpires", own), ("LeaseExpires", held + 1)]
    assert (bench.cell("broker_state", 1), bench.cell("serving", 1), bench.cell("fenced", 1)) == ("FENCED", False, True)


def test_a_broker_that_fenced_itself_comes_back_by_the_handshake() -> None:
    """When it is heard again it asks as fenced, is answered active, says so, and is unfenced."""
    bench = Bench(DESIGN)
    bench.start(1)
    cut = bench.cluster.network.faults.cut(["broker-1"], [node.name for node in bench.cluster.quorum.nodes])
    bench.run(6)
    bench.cluster.network.faults.heal(cut)
    beats = [step for step in bench.run(2) if step.name == "Heartbeat"]
    assert [step.parameters["current"] for step in beats[:2]] == [FENCED, ACTIVE]
    assert [bool(step.changed) and "fenced" in {one.variable for one in step.changed} for step in beats[:2]] == [
        False,
        True,
    ]
    assert bench.cell("serving", 1)


def test_an_answer_that_comes_after_its_lease_gives_none() -> None:
    """The lease counts from the heartbeat: one that is over when the answer comes does not make the broker active."""
    bench = Bench(DESIGN)
    broker = bench.brokers[1]
    bench.start(1)
    bench.cluster.network.faults.cut(["broker-1"], [node.name for node in bench.cluster.quorum.nodes])
    bench.run(5)
    assert not bench.cell("serving", 1)
    broker.obey(HeartbeatAnswer(ACTIVE, 3_000), broker.now - 3_001)
    assert broker.state == "FENCED"
    broker.obey(HeartbeatAnswer(ACTIVE, 3_000), broker.now - 3_000)
    assert broker.state == "RUNNING"


def test_an_answer_that_was_overtaken_does_not_shorten_a_lease() -> None:
    """Of two answers the one to the later heartbeat counts, in whichever order they come."""
    bench = Bench(DESIGN)
    bench.start(1)
    broker = bench.brokers[1]
    end = broker.own.lease_end[1]
    broker.obey(HeartbeatAnswer(ACTIVE, 3_000), broker.now - 2_500)
    assert broker.own.lease_end[1] == end


def test_each_answer_says_how_long_its_lease_is() -> None:
    """S2:43: leases are of different lengths, and the controller keeps the longest that it gave."""
    bench = Bench(DESIGN, replace(SETTINGS, shortest_lease=1_800))
    bench.start(1)
    steps = bench.run(60)
    answers = [step for step in steps if step.name == "Heartbeat"]
    lengths = [int(step.answer.split()[2]) for step in answers]
    assert len(set(lengths)) > 3
    assert all(1_800 <= one <= SETTINGS.session for one in lengths)
    end = kept = 0
    for step, length in zip(answers, lengths, strict=True):
        kept += step.time_ms + length < end
        end = max(end, step.time_ms + length)
        told = [one.value for one in step.changed if one.variable == "lease_end"]
        assert told in ([end], [])
    assert kept > 0
    assert bench.cell("lease_end", 1) == end


def test_the_same_process_gets_the_same_answer() -> None:
    """S2:35: a registration that is sent again, its answer lost, has the same epoch and changes nothing but contact."""
    bench = Bench(DESIGN)
    first = bench.ask(RegisterRequest(1, 7, supports=True))
    bench.run(1)
    assert bench.ask(RegisterRequest(1, 7, supports=True)) == first
    assert {one.variable for one in bench.steps[-1].changed} == {"last_contact"}


def test_an_id_in_use_is_refused_until_there_was_no_contact_for_long() -> None:
    """S2:38-39: registrations and heartbeats are contact, also of a fenced broker; a refused process is none."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    other = RegisterRequest(1, 2, supports=True)
    bench.run(4)
    assert bench.ask(beat(epoch, FENCED)) == "NONE ACTIVE 3000"
    bench.run(SETTINGS.id_reuse / 1000)
    assert bench.ask(other) == "DUPLICATE_BROKER_REGISTRATION"
    bench.run(0.001)
    assert bench.ask(other).startswith("NONE ")
    assert (bench.cell("incarnation", 1), bench.cell("fenced", 1)) == (2, True)


def test_software_without_the_features_is_refused() -> None:
    """S2:36: a broker that does not support the features in use is not registered."""
    bench = Bench(DESIGN)
    assert bench.ask(RegisterRequest(1, 1, supports=False)) == "UNSUPPORTED_VERSION"
    assert not bench.cell("registered", 1)
    bench.brokers[1].misconfigured = "features"
    steps = bench.start(1)
    assert [step.name for step in steps if step.node == "broker-1"][-1] == "StopBroker"


def test_nobody_answers_for_the_controller() -> None:
    """S2:446: without an active controller registrations and heartbeats are answered NOT_CONTROLLER."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    assert bench.refused(RegisterRequest(2, 1, supports=True)) == "NOT_CONTROLLER"
    assert bench.refused(beat(epoch)) == "NOT_CONTROLLER"


def test_a_heartbeat_of_another_process_is_stale() -> None:
    """A heartbeat counts only with the epoch of the registration; of who is not registered none counts."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    assert bench.ask(beat(epoch + 1)) == "STALE_BROKER_EPOCH"
    assert bench.ask(beat(-1, broker=2)) == "STALE_BROKER_EPOCH"


def test_a_heartbeat_that_was_overtaken_is_ignored() -> None:
    """S2:447: with a lower offset than the last one it changes nothing, and no broker is answered."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    bench.ask(beat(epoch, FENCED, offset=5))
    bench.run(1)
    heard = len(bench.answers)
    assert bench.ask(beat(epoch, offset=4)) == "IGNORED"
    bench.run(1)
    assert (len(bench.answers), bench.steps[-1].changed) == (heard, ())
    assert bench.ask(beat(epoch, offset=5)) == "NONE ACTIVE 3000"


def test_who_says_to_be_active_without_a_grant_is_fenced() -> None:
    """A broker that is fenced and was told nothing starts the handshake anew."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    assert bench.ask(beat(epoch)) == "NONE FENCED 0"
    bench.start(2)
    bench.brokers[2].obey(HeartbeatAnswer(FENCED, 0), 0)
    assert bench.brokers[2].state == "FENCED"


def test_a_grant_is_forgotten_with_the_controller() -> None:
    """The second heartbeat, when another controller gets it, does not unfence."""
    bench = Bench(DESIGN)
    epoch = registered(bench)
    bench.ask(beat(epoch, FENCED))
    bench.cluster.quorum.lose()
    bench.run(3)
    assert bench.ask(beat(epoch)) == "NONE FENCED 0"
    assert bench.ask(beat(epoch, FENCED)) == "NONE ACTIVE 3000"


def test_a_broker_is_let_go_when_it_leads_nothing() -> None:
    """S2:44-46: asked for SHUTDOWN, the controller says what the broker is until its leaderships are moved."""
    bench = Bench(DESIGN)
    bench.start(2, 3)
    leaders = {bench.cell("leader", one) for one in (0, 1)}
    broker = bench.brokers[leaders.pop()]
    assert broker.id in (2, 3)
    broker.terminate()
    steps = bench.run(4)
    asked = [step.answer for step in steps if step.name == "Heartbeat" and step.parameters.get("target") == SHUTDOWN]
    assert asked[0] == "NONE ACTIVE 3000"
    assert asked[-1] == "NONE SHUTDOWN 0"
    states = [one.value for step in steps for one in step.changed if one.variable == "broker_state"]
    assert states == ["PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN", "NOT_RUNNING"]
    assert broker.id not in {bench.cell("leader", one) for one in (0, 1)}


def test_a_fenced_leader_that_wants_to_go_stays_fenced() -> None:
    """What next=current means for a broker that has lost its lease and leads still: no lease."""
    bench = Bench(DESIGN)
    bench.start(2, 3)
    leader = bench.cell("leader", 1)
    epoch = bench.cell("broker_epoch", leader)
    assert bench.ask(beat(epoch, FENCED, SHUTDOWN, offset=99, broker=leader)) == "NONE FENCED 0"


def test_two_registrations_at_one_committed_offset_have_one_epoch() -> None:
    """S2:34 as written: the epoch is the latest committed offset, and is not higher when nothing was committed."""
    bench = Bench(DESIGN, replace(SETTINGS, commit=60_000, id_reuse=100))
    first = registered(bench)
    bench.run(1)
    assert registered(bench, incarnation=2) == first


def test_a_fenced_broker_leads_nothing_and_the_last_in_sync_stays() -> None:
    """The lease over, the broker is out of what it led; as last in-sync replica it stays in sync."""
    bench = Bench(DESIGN)
    bench.start(2, 3)
    bench.run(3)
    bench.brokers[2].crash()
    bench.brokers[3].crash()
    epoch = bench.cell("leader_epoch", 1)
    bench.run(6)
    assert bench.cell("leader", 1) is None
    assert len(bench.cell("isr", 1)) == 1
    assert bench.cell("leader_epoch", 1) > epoch


@pytest.mark.parametrize("name", ["S-f-lease", "unasked-lease"])
def test_a_lease_that_counts_otherwise_outlives_the_controllers(name: str) -> None:
    """Counted from the answer or from no answer at all, a lease goes on after the controller has ended its own."""
    bench = Bench(DESIGN)
    with BUGS[name].injected():
        bench.start(1)
        nodes = [node.name for node in bench.cluster.quorum.nodes]
        if name == "unasked-lease":
            bench.cluster.network.faults.cut(["broker-1"], nodes)
        else:
            # The answers are under way for long.
            bench.cluster.network.faults.change(nodes, ["broker-1"], SLOW, both_ways=False)
            bench.run(3)
            bench.cluster.network.faults.cut(["broker-1"], nodes, both_ways=False)
        steps = bench.run(4)
    serving = True
    for step in steps:
        serving = next((one.value for one in step.changed if one.variable == "serving"), serving)
        if step.name == "LeaseExpires":
            break
    else:
        raise AssertionError("the controller's lease goes on")
    assert serving


def test_one_heartbeat_is_not_enough() -> None:
    """With the museum's flaw the first heartbeat unfences, whether its answer arrives or not; without it does not."""
    fair = Bench(DESIGN)
    fair.ask(beat(registered(fair), FENCED))
    assert fair.cell("fenced", 1)
    with BUGS["S-f"].injected():
        flawed = Bench(DESIGN)
        flawed.ask(beat(registered(flawed), FENCED))
        assert not flawed.cell("fenced", 1)
