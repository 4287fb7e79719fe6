"""A property is asked again of all that a change concerns: what begins to be false is what asking everything finds."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fencepost.checkers.conformance import Monitor
from fencepost.checkers.conformance.properties import Properties
from fencepost.checkers.conformance.replay import Change, HardState
from fencepost.checkers.conformance.touched import Touched
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import always, exists, forall

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
    """The numbers of a topic's partitions (C19): of any changes, what is told is what was not false before."""
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


def test_a_variable_that_is_bound_again_is_the_inner_one() -> None:
    """What one partition's change makes false of every partition is told of each."""
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
