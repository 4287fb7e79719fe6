"""Plans: what exploring classes of equal partitions finds is what whole clusters do, in every order."""

import random
from itertools import permutations
from pathlib import Path

import pytest

from fencepost.checkers.operations.moments import When
from fencepost.checkers.scenarios.loading import load
from fencepost.checkers.scenarios.one_partition import Reader, brokers_of, scenario_of, state_of
from fencepost.checkers.scenarios.parsing import steps_of
from fencepost.checkers.scenarios.planning import explore
from fencepost.checkers.scenarios.plans import plan_of
from fencepost.checkers.scenarios.results import Planned
from fencepost.checkers.scenarios.running import Scenario
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.traces import find_log
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"

ONE_DOWN = "brokers 1,2,3\ntopic t 1,2,3/2,3,1 min.insync.replicas=2\nstop 3"
FOUR = "brokers 1,2,3,4\ntopic a 1,2,3/2,3,4/3,4,1 min.insync.replicas=2\ntopic b 1,2\ntopic solo 3"


def cluster(text: str) -> Scenario:
    """Return a cluster to which some steps were done."""
    scenario = Scenario()
    scenario.run(steps_of(text, "s"), "s", {})
    return scenario


def planned(text: str, plan: str, order: str | None = None) -> Planned:
    """Return what a plan does behind some steps."""
    scenario = cluster(text)
    found = explore(scenario, plan_of(plan, order, scenario), "s")
    assert (found.differs, found.unexplained, found.reached) == ((), (), "")
    return found


# -- rolling restarts --------------------------------------------------------------------------------------------------
def test_the_broker_that_is_down_starts_first() -> None:
    """With one of three replicas down only the orders that begin with it do no harm; the first sequence is another."""
    found = planned(ONE_DOWN, "rolling-restart")
    assert (found.order, found.code) == (("3", "1", "2"), ExitCode.AS_DECLARED)
    assert found.first is not None
    assert (found.first.steps, found.first.kinds) == (("stop 1", "start 1"), ("below_min_isr",))
    assert found.without_waiting.below_min_isr == ("t-0", "t-1")


@pytest.mark.representative("2,1,3", "3,1,2")
@pytest.mark.parametrize("order", [",".join(one) for one in permutations("123")])
def test_an_order_does_what_the_whole_cluster_does(order: str) -> None:
    """Harm of a given order is what the same steps do to the whole cluster."""
    found = planned(ONE_DOWN, "rolling-restart", order)
    scenario = cluster(ONE_DOWN)
    texts = [f"stop {one}\nstart {one}" if one != "3" else "start 3" for one in order.split(",")]
    effect = scenario.run(steps_of("\n".join(texts), "s"), "s", {}).effect
    assert set(found.harm.offline) == {*effect.offline, *effect.offline_on_the_way}
    assert set(found.harm.below_min_isr) == {*effect.below_min_isr, *effect.below_min_isr_on_the_way}
    assert (found.code is ExitCode.AS_DECLARED) == (order[0] == "3")


def test_brokers_that_an_order_leaves_out_are_named() -> None:
    """An order of some brokers says which are not restarted, one of all of them nothing."""
    said = "brokers that the order leaves out are not restarted: 2, 3"
    assert said in planned(ONE_DOWN, "rolling-restart", "1").notes
    assert not any("leaves out" in one for one in planned(ONE_DOWN, "rolling-restart", "3,1,2").notes)


def test_what_every_order_does_is_said_apart() -> None:
    """A partition of one replica goes offline whatever the order is; no other partition has to."""
    found = planned(FOUR, "rolling-restart")
    assert found.harm.offline == found.always.offline == ("solo-0",)
    assert found.code is ExitCode.VIOLATED
    assert found.answer.endswith("whatever the order is; no other partition in the order 1, 2, 3, 4")


@pytest.mark.representative("0", "1", "2")
@pytest.mark.parametrize("seed", range(12))
def test_no_order_of_a_drawn_cluster_does_more_than_is_said(seed: int) -> None:
    """In clusters that are drawn an order does no more to the whole than is found class by class."""
    draw = random.Random(seed)
    topics = [
        f"topic t{at} {'/'.join(','.join(map(str, draw.sample(range(1, 5), draw.randint(1, 3)))) for _ in range(3))} "
        f"min.insync.replicas={draw.randint(1, 2)} unclean.leader.election.enable={draw.choice(('true', 'false'))}"
        for at in range(2)
    ]
    elr = draw.choice(("on", "off"))
    before = [f"{draw.choice(('stop', 'kill'))} {one}" for one in draw.sample(range(1, 5), draw.randint(0, 2))]
    text = "\n".join([f"cluster elr {elr}", "brokers 1,2,3,4", *topics, *before])
    order = draw.sample(range(1, 5), 4)
    found = planned(text, "rolling-restart", ",".join(map(str, order)))
    scenario = cluster(text)
    up = {one.id for one in scenario.brokers.known.values() if one.runs}
    steps = "\n".join(f"stop {one}\nstart {one}" if one in up else f"start {one}" for one in order)
    effect = scenario.run(steps_of(steps, "s"), "s", {}).effect
    assert {*effect.offline, *effect.offline_on_the_way} <= set(found.harm.offline)
    assert {*effect.below_min_isr, *effect.below_min_isr_on_the_way} <= {*found.harm.below_min_isr, *found.harm.offline}
    assert set(effect.unclean) <= set(found.harm.unclean)


def test_equal_partitions_are_one_class() -> None:
    """Partitions that differ in the ids of their brokers alone are one class, whatever their number is."""
    replicas = "/".join(",".join(map(str, random.Random(at).sample(range(1, 6), 3))) for at in range(50))
    found = planned(f"brokers 1,2,3,4,5\ntopic t {replicas} min.insync.replicas=2", "rolling-restart")
    assert (found.classes, found.partitions, found.code) == (1, 50, ExitCode.AS_DECLARED)


def test_a_plan_begins_with_the_state_of_a_log() -> None:
    """In the recording broker 1 is down: its partitions are led by one replica, which has to be restarted behind it."""
    log = find_log(str(RECORDED / "rolling-restart"))
    scenario = load(log, When("60", offset=60), {}, dead=(4,))
    found = explore(scenario, plan_of("rolling-restart", None, scenario), "s")
    assert found.order[:2] == ("1", "4")
    assert any("sessions of brokers that do not run end (4)" in one for one in found.notes)
    assert found.always.offline == found.harm.offline


# -- the other plans ---------------------------------------------------------------------------------------------------
def test_a_minimum_is_raised_behind_the_return_of_a_broker() -> None:
    """Raised now it stops writes, raised behind the start of the broker that is down it does not."""
    found = planned(ONE_DOWN, "raise-min-isr t 3")
    assert (found.now.below_min_isr, found.code) == (("t-0", "t-1"), ExitCode.AS_DECLARED)
    assert found.order == ("start 3", "config topic t min.insync.replicas=3")


def test_a_minimum_that_is_changed_while_offline_leaves_an_unclean_election() -> None:
    """Changed while all replicas are down it forgets who may lead; changed behind their start it does not."""
    found = planned("brokers 1,2\ntopic t 1,2 min.insync.replicas=2\nstop 2\nstop 1", "raise-min-isr t 1")
    assert (found.now.stuck, found.code) == (("t-0",), ExitCode.AS_DECLARED)
    assert found.first is not None
    assert found.first.kinds == ("stuck",)


def test_a_broker_that_is_removed_has_to_be_empty_first() -> None:
    """Where replicas have another broker to go to nothing is lost, unless the plan does not wait for them."""
    found = planned(FOUR, "remove-broker 3")
    assert (found.code, found.without_waiting.offline) == (ExitCode.AS_DECLARED, ("solo-0",))
    assert found.first is not None
    assert found.first.steps == ("reassign solo-0 4", "stop 3")
    assert planned(ONE_DOWN, "remove-broker 1").harm.below_min_isr == ("t-0", "t-1")


def test_a_directory_is_left() -> None:
    """A broker that restarts without one of two directories takes a partition of one replica offline, no other."""
    text = "brokers 1,2,3 directories d1,d2\ntopic t 1,2,3/2,3,1 min.insync.replicas=2\ntopic solo 1"
    found = planned(text, "move-off-directory 1:d1")
    assert (found.harm.offline, found.harm.below_min_isr) == (("solo-0",), ())


def test_features_are_switched_on_or_refused() -> None:
    """Eligible leader replicas are switched on without harm; a level that is below the present one is refused."""
    assert planned(f"cluster elr off\n{ONE_DOWN}", "elr-on").code is ExitCode.AS_DECLARED
    found = planned(ONE_DOWN, "upgrade-metadata 7")
    assert (found.refused, found.code) == ("INVALID_UPDATE_VERSION", ExitCode.VIOLATED)


def test_a_bound_that_is_reached_is_no_answer() -> None:
    """With too few transitions the plan is not known, and ends with 3."""
    scenario = cluster(ONE_DOWN)
    found = explore(scenario, plan_of("rolling-restart", None, scenario), "s", most=5)
    assert (found.reached, found.code) == ("5 transitions", ExitCode.INCONCLUSIVE)
    assert "not known" in found.answer


# -- refusals ----------------------------------------------------------------------------------------------------------
BAD = {
    ("rolling", None): "'rolling' is no plan; did you mean rolling-restart?",
    ("", None): "'' is no plan; plans are rolling-restart, remove-broker N",
    ("xyzzy 1", None): "'xyzzy' is no plan; plans are",
    ("rolling-restart 1", None): "--plan: rolling-restart: '1' is one word too many; write --plan 'rolling-restart'",
    ("rolling-restart", "1,9"): "--order 1,9: there is no broker 9; the brokers are 1, 2, 3",
    ("rolling-restart", "1,1"): "1,1 names a broker twice",
    ("rolling-restart", "one"): "'one' is no list of order ids",
    ("elr-on", "any"): "--order any: only rolling-restart has an order to choose",
    ("remove-broker", None): "remove-broker: broker id is missing; write --plan 'remove-broker N'",
    ("remove-broker 9", None): "there is no broker 9; the brokers are 1, 2, 3",
    ("raise-min-isr u 2", None): "there is no topic u; name one that exists",
    ("raise-min-isr t 0", None): "'0' is no min.insync.replicas: use a whole number from 1",
    ("raise-min-isr t", None): "min.insync.replicas is missing",
    ("upgrade-metadata 9.9", None): "'9.9' is no level of metadata.version",
    ("move-off-directory d7", None): "no broker has that log directory",
    ("move-off-directory d1", None): "brokers 1, 2, 3 have one of that name; write 1:d1",
    ("move-off-directory 1:d1", None): "broker 1 has no other log directory",
}


@each(("asked", "sentence"), BAD.items(), ids=lambda one: repr(one[0]))
def test_a_bad_plan_is_one_sentence(asked: tuple[str, str | None], sentence: str) -> None:
    """What is no plan, or cannot be done to the cluster, is refused with what to write."""
    with pytest.raises(Refusal) as refused:
        plan_of(*asked, cluster(ONE_DOWN))
    assert sentence in str(refused.value).replace("list of broker ids", "list of order ids"), str(refused.value)


# -- one partition -----------------------------------------------------------------------------------------------------
def test_a_partition_alone_is_in_the_state_that_it_was_read_in() -> None:
    """Read, made a cluster of its own and read again, a partition is in the same state."""
    scenario = cluster(f"{FOUR}\nstop 4\nkill 3\nfail-directory 2 d1")
    reader, replication = Reader(scenario), scenario.machine.controller.managers.replication
    seen = set()
    for (id, _), partition in replication.partitions.items():
        state = reader.read(replication.topics[id].name, partition, brokers_of(partition))
        alone = scenario_of(state, scenario.machine.settings)
        assert state_of(alone, len(state.roles)) == state
        seen.add(state)
    assert len(seen) > 3
