"""A number in an entity's id, evaluated for one entity of a class: nothing that outlives the evaluation holds it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fencepost.checkers.conformance.by_class import local
from fencepost.checkers.conformance.by_class.placing_by_class import ClassPlacing
from fencepost.checkers.conformance.by_class.tracer import OwnNumber, plain
from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.reading.monitor import Monitor, Reading
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.reading.units import Item
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import BOOL, TRUE, Protocol, counter, event, every, per, protocol, record, required, table
from fencepost.model.language.terms import Lit
from fencepost.traces import MetadataLog
from fencepost.traces.logs import read_log

from . import RECORDED, toy
from .test_classes import created
from .toy import NOTHING, PARTITION, SOURCE, exists_, p

pytestmark = pytest.mark.usefixtures("by_class")

NUMBER = counter("number")
k = NUMBER.var("k")
number = per(PARTITION, "number", NUMBER, 0)
taken = per(NUMBER, "taken", BOOL)
_p = required("partition", PARTITION, "topicId", "partitionId")
_number = required("number", NUMBER, "partitionId")
PLACED = record(
    "PARTITION_RECORD",
    _p,
    fields=(_number,),
    replay=(
        exists_[_p.value].becomes(TRUE),
        number[_p.value].becomes(_number.value),
        taken[_number.value].becomes(TRUE),
    ),
    ignored=(
        "replicas", "isr", "leader", "leaderEpoch", "removingReplicas", "addingReplicas", "partitionEpoch",
        "directories", "leaderRecoveryState", "eligibleLeaderReplicas", "lastKnownElr",
    ),
    name="Placed",
)  # fmt: skip
THREE = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    replay=number[_p.value].becomes(Lit(3, NUMBER)),
    ignored=(
        "replicas", "isr", "leader", "removingReplicas", "addingReplicas", "directories", "leaderRecoveryState",
        "eligibleLeaderReplicas", "lastKnownElr",
    ),
    name="Three",
)  # fmt: skip
START = record("NO_OP_RECORD", name="Start")
addition, again = event("Addition", k, source=SOURCE), event("Again", p, k, source=SOURCE)
three = event("Three", p, source=SOURCE)
NUMBERED: Protocol = protocol(
    "numbered",
    table(
        "topics that get a partition of one number",
        addition("ADD", TRUE, START(), every(p, ~exists_[p], PLACED(p, number=k))),
        again("AGAIN", exists_[p], PLACED(p, number=k)),
        three("THREE", TRUE, THREE(p)),
    ),
)
TOPICS = tuple(f"AAAAAAAAAAAAAAAAAAAA{letter}Q" for letter in "BCDEFGHIJKLMNOPQ")


def placed(*numbers: int) -> list[toy.Message]:
    """A partition of a topic each, of these numbers."""
    found = []
    for topic, one in zip(TOPICS, numbers, strict=False):
        type_, version, data = toy.partition(one, [1])
        found.append((type_, version, {**data, "topicId": topic}))
    return found


def log(*numbers: int) -> MetadataLog:
    """A log in which topics get a partition of these numbers at once, which is then written again one by one."""
    return toy.log([NOTHING, *placed(*numbers)], *[[one] for one in placed(*numbers)])


@pytest.mark.parametrize("number_", [0, 5])
def test_a_number_that_one_record_tells_is_asked_of_every_other(number_: int) -> None:
    """Of twelve topics that get partition 0, or 5, the one that gets another violates, as where each is asked."""
    right, wrong = log(*[number_] * 12), log(*[number_] * 6, 7, *[number_] * 5)
    assert Monitor(NUMBERED).judge(right).verdict is Verdict.CONFORMS
    result = Monitor(NUMBERED).judge(wrong)
    assert result.verdict is Verdict.VIOLATES
    assert repr(result) == repr(Monitor(NUMBERED, Options(by_class=False)).judge(wrong))


def test_a_number_that_is_the_ids_by_chance_is_no_other_ones() -> None:
    """A record that gives partition 3 the number 3 gives it to partition 5 too, of the same class before."""
    messages = []
    for topic, one in zip(TOPICS, (3, *[5] * 11), strict=False):
        type_, version, data = toy.changes(one)
        messages.append((type_, version, {**data, "topicId": topic}))
    reading = Reading(Monitor(NUMBERED), toy.log(messages))
    assert reading.result().verdict is Verdict.CONFORMS
    cells = reading.state.frame.tables[reading.state.layout.numbers[number.state]]
    assert [value for _, value in cells.items()] == [3] * 12


LOGS: dict[str, tuple[Protocol, Callable[[], MetadataLog]]] = {
    "numbered": (NUMBERED, lambda: log(*[5] * 12)),
    "creation": (KRAFT, lambda: created({})),
    "reassignment": (KRAFT, lambda: read_log(RECORDED / "reassignment")),
    "delete-recreate": (KRAFT, lambda: read_log(RECORDED / "delete-recreate")),
}


@pytest.mark.representative("numbered", "creation")
@pytest.mark.parametrize("name", LOGS)
def test_no_number_of_the_tracer_outlives_an_evaluation(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `OwnNumber` is in an edge's binding, in a change or its cell's keys, or in what a row is asked under."""
    monkeypatch.setattr(local, "FEW", 0)
    made, held, left = 0, list[Any](), list[Any]()
    of, judged = OwnNumber.of, ClassPlacing.fits

    def counted(*given: Any) -> OwnNumber:
        nonlocal made
        made += 1
        return of(*given)

    def judging(placing: ClassPlacing, *given: Any) -> Any:
        found = judged(placing, *given)
        by_class = placing.matcher.active()
        if by_class is not None and not by_class.tracing:
            held.extend(placing.env.values())
        return found

    def watch(_: HardState, __: Sequence[Item], parse: Parse) -> None:
        left.extend(value for block in parse.blocks for edge in block.edges for value in edge.binding.values())
        left.extend(value for some in parse.changes for one in some for value in (*one.cell[1], one.old, one.new))

    monkeypatch.setattr(OwnNumber, "of", staticmethod(counted))
    monkeypatch.setattr(ClassPlacing, "fits", judging)
    protocol_, make = LOGS[name]
    reading = Reading(Monitor(protocol_), make(), watch)
    assert reading.result().verdict is Verdict.CONFORMS
    assert made
    assert held
    assert left
    assert [one for one in (*held, *left) if plain(one) is not one] == []
    assert [key for table_ in reading.state.frame.tables for key in table_ if plain(key) is not key] == []
