"""Units of many records of which one is wrong: found as record by record, not at the cost of all pairs of records."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.placing_by_class import ClassPlacing
from fencepost.checkers.conformance.by_class.taken import Taken
from fencepost.checkers.conformance.matching import matching
from fencepost.checkers.conformance.matching.matching import Matcher
from fencepost.checkers.conformance.plans.plans import StagePlan
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, read_log, write_log
from fencepost.traces.batches import build_batch
from tests.oracles.faults import altered, piece

from . import RECORDED
from .alter import Message
from .layers import both

pytestmark = pytest.mark.usefixtures("by_class")

Alteration = Callable[[list[Message]], None]
REPLICAS = ([2, 3, 1], [3, 1, 2], [2, 1, 3])


def changed(messages: list[Message], at: int, **data: Any) -> None:
    """Let one message say something else."""
    kind, version, said = messages[at]
    messages[at] = kind, version, {**said, **data}


def faulted(count: int, fence: bool, alter: Alteration) -> MetadataLog:
    """A recorded log up to a topic of many partitions, all of which broker 1 then leaves, in one altered batch.

    With `fence` it is fenced; else the leaders say so, and take it back in one more batch.
    """
    log = read_log(RECORDED / "rolling-restart")
    at = next(n for n, b in enumerate(log.batches) if any(r.type == "TOPIC_RECORD" for r in b.metadata_records))
    batches, old = list(log.batches[:at]), log.batches[at]
    topic, first = old.metadata_records[:2]
    known = dict(zip(first.data["replicas"], first.data["directories"], strict=True))

    def add(messages: list[Message]) -> None:
        start = batches[-1].last_offset + 1
        batches.append(
            build_batch(messages, base_offset=start, epoch=old.epoch, timestamp=old.base_timestamp, segment=old.segment)
        )

    def change(number: int, isr: list[int]) -> Message:
        data = {"partitionId": number, "topicId": topic.data["topicId"], "isr": isr}
        return "PARTITION_CHANGE_RECORD", 2, data

    created: list[Message] = [(topic.type, topic.version, topic.data)]
    leaves: list[Message] = []
    for number in range(count):
        replicas = REPLICAS[number % 3]
        says = {"replicas": replicas, "isr": replicas, "leader": replicas[0], "partitionId": number}
        directories = [known[one] for one in replicas]
        created.append((first.type, first.version, {**first.data, **says, "directories": directories}))
        rest = [one for one in replicas if one != 1]
        leaves.append(change(number, rest if fence else sorted(rest)))
    if fence:
        leaves.append(("BROKER_REGISTRATION_CHANGE_RECORD", 0, {"brokerId": 1, "brokerEpoch": 16, "fenced": 1}))
    alter(leaves)
    add(created)
    add(leaves)
    if not fence:
        add([change(number, [1, 2, 3]) for number in range(count)])
    return replace(log, batches=tuple(batches), snapshots=())


ALTERATIONS: dict[str, Alteration] = {
    "no replica": lambda some: changed(some, 5, isr=[2, 4]),
    "two": lambda some: (changed(some, 2, leader=3), changed(some, 6, isr=[4]))[0],
    "another leads": lambda some: changed(some, 2, leader=3),
    "missing": lambda some: some.__delitem__(4),
    "twice": lambda some: some.__setitem__(4, some[3]),
    "last first": lambda some: some.insert(3, some.pop()),
}


@pytest.mark.representative("another leads-fence", "missing-alter")
@pytest.mark.slow
@pytest.mark.parametrize("fence", [True, False], ids=["fence", "alter"])
@pytest.mark.parametrize("name", ALTERATIONS)
def test_a_faulted_unit_is_judged_as_record_by_record(name: str, fence: bool, tmp_path: Path) -> None:
    """What is found of an altered batch of many changes is what `--plain` finds, reports included, to the letter."""
    write_log(faulted(9, fence, ALTERATIONS[name]), tmp_path)
    mine, plain, _ = both(tmp_path)
    assert repr(mine) == repr(plain)


@pytest.mark.slow
def test_a_group_that_may_be_shorter_is_read_on_to_where_it_can_end(tmp_path: Path) -> None:
    """Where a record is missing that a group is sure to have, places at which it cannot end are passed over at once,
    and what is found is what `--plain` finds."""
    passed, first_end = list[int](), ClassPlacing._first_end

    def noted(self: ClassPlacing, stage: StagePlan, done: Taken, at: int, local: Local) -> int:
        found = first_end(self, stage, done, at, local)
        passed.append(found - at)
        return found

    write_log(faulted(16, True, ALTERATIONS["two"]), tmp_path)
    with patch.object(ClassPlacing, "_first_end", noted):
        mine, plain, _ = both(tmp_path)
    assert max(passed) > 10
    assert repr(mine) == repr(plain)


def asked(count: int) -> int:
    """How often rows were asked of a place, in the unit of so many records with one fault in its middle."""
    wrong: Alteration = lambda some: changed(some, count // 2, isr=[2, 4])  # noqa: E731
    times, edges = [0], Matcher.edges

    def counting(self: Matcher, *given: Any) -> Any:
        times[0] += 1
        return edges(self, *given)

    with patch.object(Matcher, "edges", counting):
        result = Monitor(KRAFT, Options()).judge(faulted(count, True, wrong))
    assert result.verdict is Verdict.VIOLATES
    return times[0]


@pytest.mark.slow
def test_rows_are_asked_as_often_as_there_are_records() -> None:
    """Twice as many records in the unit with the fault make rows be asked at most twice as often."""
    assert asked(32) <= 2 * asked(16)


def unparsed(name: str, by_class: bool = True, most: int = 50) -> LogResult:
    """What is found of an altered fence of nine partitions where less work is to be done than it takes to parse it."""
    with patch.object(matching, "MOST_WORK", most):
        return Monitor(KRAFT, Options(by_class=by_class)).judge(faulted(9, True, ALTERATIONS[name]))


def test_a_unit_that_takes_too_much_work_is_undecided() -> None:
    """Where to parse a unit takes too much work its offsets are said, nothing is violated, and the log is undecided."""
    result = unparsed("another leads")
    assert result.verdict is Verdict.UNDECIDED
    assert not result.violations
    [doubt] = result.doubts
    assert doubt.first is not None
    assert doubt.last == doubt.first + 9
    assert "too much work" in doubt.message


def test_a_unit_that_takes_too_much_work_says_where_its_longest_readings_stop() -> None:
    """Where shorter readings take too much work the record is named that the longest ones do not come past."""
    [doubt] = unparsed("another leads", most=200).doubts
    assert doubt.first is not None
    assert f"The longest readings stop at offset {doubt.first + 2}, partition" in doubt.message


def test_a_unit_that_takes_too_much_work_is_still_asked_what_it_breaks() -> None:
    """A record that makes a broker without a replica a member of an ISR is found at its offset though rows are not."""
    result = unparsed("no replica")
    assert result.verdict is Verdict.VIOLATES
    [doubt] = result.doubts
    assert doubt.first is not None
    assert {one.offset for one in result.violations} == {doubt.first + 5}


def test_what_is_asked_one_by_one_has_no_limit() -> None:
    """`--plain`, and event traces like it, parse a unit however much work it takes: the oracle leaves nothing open."""
    result = unparsed("another leads", by_class=False)
    assert result.verdict is Verdict.VIOLATES
    assert not result.doubts


def test_behind_a_gap_a_faulted_unit_leaves_open_what_its_changes_hid() -> None:
    """A log that begins without its first batches, with a recovery state altered: counted is what is known.

    A fault is looked for with the unit's changes taken back. Where a cell was not known, it is not known again.
    """
    random_ = random.Random(14)
    log = read_log(RECORDED / "rolling-restart")
    first = random_.randrange(len(log.batches) // 2)
    faulty = altered("rolling-restart", piece(log, first, 200), random_, pair=False)
    assert (first, faulty.altered) == (6, (("recovery", "batch"),))
    found = Monitor(KRAFT, Options()).judge(faulty.log).properties
    counted = {id: (found[id].judged, found[id].with_premise, found[id].unknown) for id in ("P8", "P9", "P15")}
    assert counted == {"P8": (69, 69, 32), "P9": (30, 30, 22), "P15": (62, 21, 38)}
