"""A property is asked again of all that a change concerns: what begins to be false is what asking everything finds."""

import random
from typing import Any

import pytest

from fencepost.checkers.conformance import Monitor
from fencepost.checkers.conformance.by_class.claims_by_class import ByClass
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.state.properties import NOTHING_KNOWN, Properties
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.conformance.state.touched import Touched
from fencepost.model.kraft import state as model
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Var, always, exists, forall, next_, step

from . import toy
from .toy import changes, isr, p, partition, replicas, three_brokers

pytestmark = pytest.mark.usefixtures("by_class")

TOPICS = ("t", "u")
PARTITIONS = tuple((topic, number) for topic in TOPICS for number in range(4))


def _false(monitor: Monitor, state: HardState) -> set[str]:
    """Return the entities of which C19 is false, asked of everything."""
    return {one.entity for one in Properties(monitor.claims, state).begin() if one.claim.id == "C19"}


def _drawn(random_: random.Random, name: str) -> Any:
    return {"exists": random_.random() < 0.7, "topic": random_.choice(TOPICS), "index": random_.randrange(4)}.get(
        name, random_.random() < 0.7
    )


@pytest.mark.representative("0", "1")
@pytest.mark.parametrize("seed", range(20))
def test_what_begins_to_be_false_is_found_through_inner_quantifiers(seed: int) -> None:
    """The numbers of a topic's partitions (C19): of any changes, what is reported is what was not false before."""
    random_, monitor = random.Random(seed), Monitor(KRAFT)
    state = HardState(monitor.layout)
    for sort, entities in (("Topic", TOPICS), ("Partition", PARTITIONS)):
        for entity in entities:
            state.see(sort, entity)
    numbers = {one.name: number for number, one in enumerate(monitor.layout.states)}
    cells = [("live", one) for one in TOPICS] + [(n, one) for n in ("exists", "topic", "index") for one in PARTITIONS]
    properties, told = Properties(monitor.claims, state), 0
    for chosen in (cells, *(random_.sample(cells, random_.randrange(1, 4)) for _ in range(40))):
        false = _false(monitor, state)
        made = tuple(
            Change(cell, state.read(cell), _drawn(random_, name))
            for name, entity in chosen
            for cell in [(numbers[name], (entity,))]
        )
        touched = Touched()
        state.apply(made)
        touched.add(made)
        found = properties.after_result(touched, state.before(made))
        new = {one.entity for one in found if one.claim.id == "C19"}
        assert new == _false(monitor, state) - false
        told += len(new)
    assert told > 5


@pytest.mark.parametrize("seed", range(3))
def test_a_claim_broken_of_one_entity_begins_and_ends_to_be_false_by_class(seed: int) -> None:
    """Of any changes of equal entities, what is reported by class is what was not false before, and what holds again is
    no longer noted as broken; the rest of a class is counted as if each was evaluated singly."""
    random_, one = random.Random(seed), Var("one", model.PARTITION)
    monitor = Monitor(KRAFT.claiming(always("T-small", forall(one, model.leader_epoch[one] < 3), "Epochs are small.")))
    epoch, counts, told = monitor.layout.numbers[model.leader_epoch.state], list[Any](), 0
    drawn = [{at: random_.randrange(5) for at in random_.sample(PARTITIONS, 4)} for _ in range(60)]
    for is_by_class in (True, False):
        state = HardState(monitor.layout)
        for sort, entities in (("Topic", TOPICS), ("Partition", PARTITIONS)):
            for entity in entities:
                state.see(sort, entity)
        state.classify()
        properties = Properties(monitor.claims, state)
        properties.known = ByClass(properties, Local(state)) if is_by_class else NOTHING_KNOWN
        state.apply(tuple(Change((epoch, (at,)), state.read((epoch, (at,))), 0) for at in PARTITIONS))
        for values in drawn:
            false = {at for at in PARTITIONS if state.read((epoch, (at,))) >= 3}
            made = tuple(
                Change((epoch, (at,)), old, new) for at, new in values.items()
                if (old := state.read((epoch, (at,)))) != new
            )  # fmt: skip
            touched = Touched(state)
            touched.add(made)
            state.apply(made)
            found = {
                two.entity for two in properties.after_record(touched, state.before(made)) if two.claim.id == "T-small"
            }
            now = {at for at in PARTITIONS if state.read((epoch, (at,))) >= 3}
            assert found == {f"one={name}-{number}" for name, number in now - false}
            assert properties.broken["T-small", 0] == {(at,) for at in now}
            told += len(found)
        counts.append(properties.counts()["T-small"])
    assert counts[0] == counts[1]
    assert told > 20


def _of_partition(partition: Any, changed: bool = False) -> Any:
    """Return what a partition's topic sets, in the state before a step or after it."""
    mine = model.min_insync[model.topic[partition]]
    return next_(mine) if changed else mine


@pytest.mark.parametrize("seed", range(3))
def test_a_topics_setting_concerns_its_partitions_alone(seed: int) -> None:
    """Claims about the topic of each partition: of any changes, those partitions are found that asking every one finds,
    and where one topic's setting alone changes, no other topic's partitions are asked."""
    random_ = random.Random(seed)
    one = Var("one", model.PARTITION)
    same = step("T-same", forall(one, _of_partition(one, True).is_(_of_partition(one))), "Settings stay.")
    few = always("T-few", forall(one, _of_partition(one) < 3), "Settings are small.")
    monitor = Monitor(KRAFT.claiming(same).claiming(few))
    state = HardState(monitor.layout)
    for sort, entities in (("Topic", TOPICS), ("Partition", PARTITIONS)):
        for entity in entities:
            state.see(sort, entity)
    setting, topic = (monitor.layout.numbers[one.state] for one in (model.min_insync, model.topic))
    cells = [(topic, (one,)) for one in PARTITIONS] + [(setting, (one,)) for one in TOPICS]
    properties, found, asked = Properties(monitor.claims, state), 0, 0
    for chosen in (cells, *(random_.sample(cells, random_.randrange(1, 4)) for _ in range(60))):
        values = {cell: random_.choice(TOPICS) if cell[0] == topic else random_.randrange(1, 4) for cell in chosen}
        made = tuple(Change(cell, state.read(cell), new) for cell, new in values.items() if state.read(cell) != new)
        was = {one: state.read((setting, (state.read((topic, (one,))),))) for one in PARTITIONS}
        touched = Touched()
        state.apply(made)
        touched.add(made)
        counted = properties.counts()["T-same"][0]
        broken = list(properties.after_record(touched, state.before(made)))
        now = {one: state.read((setting, (state.read((topic, (one,))),))) for one in PARTITIONS}
        if chosen is not cells:
            changed = {f"one={name}-{number}" for name, number in PARTITIONS if was[name, number] != now[name, number]}
            assert {one.entity for one in broken if one.claim.id == "T-same"} == changed
            found += len(changed)
        assert properties.broken["T-few", 0] == {(one,) for one, value in now.items() if value >= 3}
        if {one.cell[0] for one in made} == {setting}:
            mine = {topic for (_, (topic,)), _, _ in made}
            here = [one for one in PARTITIONS if state.read((topic, (one,))) in mine]
            assert properties.counts()["T-same"][0] - counted == len(here)
            asked += len(here) < len(PARTITIONS)
    assert found > 20
    assert asked > 2


def test_a_variable_that_is_bound_again_is_the_inner_one() -> None:
    """What one partition's change makes false of every partition is reported for each."""
    claim = always(
        "T-full",
        forall(p, exists(p, isr[p].is_(replicas[p]))),
        "Some partition is in full sync.",
        expected="violated",
        finding="T2",
    )
    one, other = [changes(0, isr=[2, 3], leader=2)], [changes(1, isr=[2])]
    log = toy.log(*three_brokers(), [partition(1, [2, 3], leader_=2)], one, other)
    found = [(finding.offset, finding.entity) for finding in Monitor(toy.TOY.claiming(claim)).judge(log).findings]
    assert found == [(11, f"p={toy.TOPIC_ID}-0"), (11, f"p={toy.TOPIC_ID}-1")]
