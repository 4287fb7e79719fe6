"""What is evaluated for one of a class stands for others as far as what their ids name is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fencepost.checkers.conformance.groups import grouped, settled
from fencepost.checkers.conformance.local import Local
from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.questions import Question
from fencepost.checkers.conformance.replay import HardState
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Term

pytestmark = pytest.mark.usefixtures("by_class")

MONITOR = Monitor(KRAFT)
TOPICS = [letter * 21 + "A" for letter in "ABC"]
PARTITIONS = [(topic, number) for number in range(2) for topic in TOPICS]
WHO = np.arange(len(PARTITIONS))


def local() -> Local:
    """What is kept by class of partitions of three topics, each of which says its topic."""
    state = HardState(MONITOR.layout)
    for topic in TOPICS:
        state.see("Topic", topic)
    for one in PARTITIONS:
        state.see("Partition", one)
        table(state, k.topic)[one,] = one[0]
    return Local(state)


def table(state: HardState, of: Any) -> Any:
    """The cells of a variable."""
    return state.frame.tables[MONITOR.layout.numbers[of.state]]


def asked(mine: Local, term: Term[Any]) -> tuple[list[tuple[Any, list[int]]], int]:
    """What a term of a partition comes to for those of each group, and how often it was evaluated."""
    code, state, evaluated = MONITOR.layout.compiler.code(term), mine.state, mine.evaluated
    found: list[tuple[Any, list[int]]] = []
    for group in grouped(mine.classes, WHO):
        key = Question(("asked",), group.number)

        def evaluate(at: int, key: Question = key) -> None:
            with mine.tracer.tracing(PARTITIONS[at]):
                result = code(state.frame, {k.p: PARTITIONS[at]})
            mine.keep(key, result)

        some = settled(mine, key, WHO, group.places, state.frame, state.version, evaluate)
        assert some is not None
        found += [(result, places.tolist()) for result, places in some]
    return found, mine.evaluated - evaluated


def test_partitions_of_several_topics_are_one_group() -> None:
    """Partitions that are alike are asked once, whatever their topics."""
    mine = local()
    assert asked(mine, k.unclean[k.topic[k.p]]) == ([(False, [0, 1, 2, 3, 4, 5])], 1)
    assert asked(mine, k.unclean[k.topic[k.p]]) == ([(False, [0, 1, 2, 3, 4, 5])], 0)


def test_a_topic_that_is_another_is_asked_about_for_itself() -> None:
    """What is evaluated of one topic's partitions is not taken for that of a topic whose cells are others."""
    mine = local()
    table(mine.state, k.unclean)[TOPICS[1],] = True
    mine.state.version += 1
    assert asked(mine, k.unclean[k.topic[k.p]]) == ([(False, [0, 2, 3, 5]), (True, [1, 4])], 2)


def test_a_topic_that_changes_is_asked_about_again() -> None:
    """What was known of a topic's partitions is forgotten with the state that it was known in."""
    mine = local()
    asked(mine, k.unclean[k.topic[k.p]])
    table(mine.state, k.unclean)[TOPICS[2],] = True
    mine.state.version += 1
    assert asked(mine, k.unclean[k.topic[k.p]]) == ([(False, [0, 1, 3, 4]), (True, [2, 5])], 1)


def test_those_whose_ids_name_others_are_told_apart_where_a_parameter_does() -> None:
    """Where what is asked names a topic each topic's partitions are a group."""
    mine = local()
    groups = grouped(mine.classes, WHO, apart=True)
    assert [group.places.tolist() for group in groups] == [[0, 3], [1, 4], [2, 5]]
