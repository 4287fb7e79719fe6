"""What is evaluated for one of a class stands for others as far as what their ids name is the same."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.checkers.conformance.by_class.asking import Asking, asking_bound, packed
from fencepost.checkers.conformance.by_class.local import MOST_VARIANTS, Local
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.groups import alike
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.state.replay import HardState
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
    numbers = mine.classes.of_number[WHO]
    asking = Asking(mine, "asked", numbers, WHO, state.frame, state.version)

    def evaluate(key: Question, at: int) -> None:
        with mine.tracer.tracing(PARTITIONS[at]):
            result = code(state.frame, {k.p: PARTITIONS[at]})
        mine.keep(key, result)

    assert asking.all(lambda at: Question(("asked",), numbers.item(at)), evaluate)
    parts = [places.tolist() for places in alike(asking.which)]
    return [(asking.results[asking.which.item(one[0])], one) for one in parts], mine.evaluated - evaluated


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
    """Where what is asked names a topic each topic's partitions are asked about by themselves."""
    mine = local()
    t = k.topic[k.p].kind.var("named")
    asking = asking_bound(mine, "named", {t: TOPICS[0]}, mine.classes.of_number[WHO], WHO, mine.state)
    assert asking.rest() == [0, 1, 2]
    asking = asking_bound(mine, "unnamed", {k.b: 1}, mine.classes.of_number[WHO], WHO, mine.state)
    assert asking.rest() == [0]


def test_what_is_not_known_by_class_is_said_so() -> None:
    """Where an evaluation reads what is another's its answer is kept for nobody, and asking says so."""
    mine = local()
    asking = Asking(mine, "others", mine.classes.of_number[WHO], WHO, mine.state.frame, mine.state.version)

    def evaluate(key: Question, at: int) -> None:
        with mine.tracer.tracing(PARTITIONS[at]):
            result = mine.state.frame.tables[MONITOR.layout.numbers[k.topic.state]].get((PARTITIONS[-1],))
        mine.keep(key, result)

    assert not asking.all(lambda at: Question(("others",), 0), evaluate)
    assert asking.rest() == [0]


class Said:
    """Evaluates to the number that is said, and notes of whom it was asked."""

    def __init__(self, mine: Local, said: list[int]) -> None:
        self.mine, self.said, self.asked = mine, said, list[int]()

    def __call__(self, key: Question, at: int) -> None:
        """Evaluate for the entity at a place."""
        self.asked.append(at)
        with self.mine.tracer.tracing(PARTITIONS[at]):
            pass
        self.mine.keep(key, ("said", self.said[at]))


@given(st.lists(st.integers(0, 2), min_size=len(WHO), max_size=len(WHO)), st.booleans())
def test_each_is_told_what_is_said_of_it_and_all_alike_are_asked_once(said: list[int], by_labels: bool) -> None:
    """Whatever is said of whom, everybody has the answer for that; it is evaluated for the first of each, and once."""
    mine = local()
    keys = packed(mine.classes.of_number[WHO], np.array(said))
    labels = np.array(said, np.uint16) if by_labels else None
    evaluate = Said(mine, said)

    def ask() -> Asking:
        return Asking(mine, "said", keys, WHO, mine.state.frame, mine.state.version, labels=labels)

    asking = ask()
    assert asking.rest() == sorted(said.index(one) for one in set(said))
    assert asking.all(lambda at: Question(("said", said[at]), 0), evaluate)
    assert [asking.results[number] for number in asking.which] == [("said", one) for one in said]
    assert sorted(asking.counted()) == [(("said", one), said.count(one)) for one in sorted(set(said))]
    assert evaluate.asked == sorted(said.index(one) for one in set(said))
    again = ask()
    assert again.rest() == []
    assert [again.results[number] for number in again.which] == [("said", one) for one in said]


@given(st.integers(0, len(WHO) - 1))
def test_of_those_alike_only_those_from_a_place_on_are_settled(start: int) -> None:
    """What is known of a place is not said of those in front of it: they may have changed."""
    mine = local()
    asking = Asking(mine, None, mine.classes.of_number[WHO], WHO, mine.state.frame, mine.state.version)
    assert asking.settle(start, Question(("said",), 0), Said(mine, [0] * len(WHO)), start)
    assert asking.which.tolist() == [-1] * start + [0] * (len(WHO) - start)


def test_an_answer_that_was_of_use_last_is_kept_when_there_are_many() -> None:
    """Of a question whose answer changes with the state the answer of a state that comes back is found again, however
    many states there were in between, as long as kept answers are of use."""
    mine = local()
    code, number = MONITOR.layout.compiler.code(k.unclean[k.topic[k.p]]), MONITOR.layout.numbers[k.mv.state]
    values = table(mine.state, k.mv)

    def ask(level: int) -> None:
        values[()] = level
        mine.state.version += 1
        with mine.tracer.tracing(PARTITIONS[0]):
            mine.tracer.cell(False, number, (), level)
            code(mine.state.frame, {k.p: PARTITIONS[0]})
        mine.keep(KEY, level)

    def known(level: int) -> Any:
        values[()] = level
        mine.state.version += 1
        return mine.known(KEY, PARTITIONS[0], mine.state.frame, mine.state.version)

    mine.keeps = True
    for level in range(MOST_VARIANTS):
        assert known(level) is MISSING
        ask(level)
    assert known(0) == 0
    assert known(MOST_VARIANTS) is MISSING
    ask(MOST_VARIANTS)
    assert known(0) == 0
    assert known(MOST_VARIANTS) == MOST_VARIANTS


KEY = Question(("level",), 0)
