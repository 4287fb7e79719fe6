"""A log checked in parts, cut anywhere, has the result of one that is checked in one piece."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Judge, LogResult, Options
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.reading.cursor import Cursor
from fencepost.checkers.conformance.reading.monitor import Monitor, Reading
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.spark import parts
from fencepost.checkers.conformance.spark.parts import Carried, replayed_at, right
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.conformance.state.saved_state import restored, saved
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, MetadataLog, Record, read_log

from . import RECORDED, alter
from .layers import altered, short_runs

pytestmark = pytest.mark.usefixtures("by_class")
OPTIONS = Options(PASSED_THROUGH, StaticSettings().given)
BY_TERM = TermJudge(StaticSettings(), OPTIONS)
MONITOR = Monitor(KRAFT, OPTIONS)
UNDER_ONE = Judge([KRAFT], OPTIONS)
SMALL = ("controller-failover", "delete-recreate", "rolling-restart", "reassignment", "suspects-4.4.0", "first-boot")
LARGER = ("snapshots", "upgrade-3.9-to-4.4", "zk-migration-3.9.2", "kill-nine-elr", "static-settings-elr-4.4.0")


def judged_in_parts(judge: Any, log: MetadataLog, cuts: Sequence[int]) -> LogResult:
    """Check a log in parts, each cut at the first place behind an offset where that can be done."""

    def read(
        monitor: Monitor, log: MetadataLog, *, bear: int | None = None, turns: Any = None, progress: Any = None
    ) -> LogResult:
        carried: list[Carried] = []
        replayed_at(monitor, log, turns, cuts, carried.append)
        places = zip([None, *carried], [*(one.place for one in carried), None], strict=True)
        found = [parts.judged_part(monitor, log, turns, start, end, progress) for start, end in places]
        return parts.composed(monitor, log, turns, carried, found, bear, progress)

    result: LogResult = judge.log(log, None, read)
    return result


def some_cuts(log: MetadataLog, seed: int, count: int = 4) -> list[int]:
    """Some offsets of a log."""
    lot = Random(seed)
    return sorted(lot.randrange(log.batches[-1].last_offset + 1) for _ in range(count))


def kept_of(monitor: Monitor, log: MetadataLog, turns: Any, cuts: Sequence[int]) -> list[Carried]:
    """What the replay leaves at cuts."""
    found: list[Carried] = []
    replayed_at(monitor, log, turns, cuts, found.append)
    return found


def right_of(judge: Any, log: MetadataLog, cuts: Sequence[int]) -> tuple[LogResult, list[tuple[int, int]]]:
    """What is found of a log in parts; and for each reading how many parts there were, and how many stand as found."""
    seen: list[tuple[int, int]] = []
    compose = parts.composed

    def noted(*arguments: Any) -> LogResult:
        seen.append((len(arguments[4]), right(arguments[4])))
        return compose(*arguments)

    with patch.object(parts, "composed", noted):
        found = judged_in_parts(judge, log, cuts)
    return found, seen


@pytest.mark.representative("first-boot-0")
@pytest.mark.parametrize(("name", "seed"), [(one, seed) for one in (*SMALL, *LARGER) for seed in range(3)])
def test_a_recording_in_parts_is_judged_as_in_one_piece(name: str, seed: int) -> None:
    """Wherever a recording is cut, all that is said of it is the same to the letter."""
    log = read_log(RECORDED / name)
    assert repr(judged_in_parts(BY_TERM, log, some_cuts(log, seed))) == repr(BY_TERM.log(log))


@pytest.mark.nightly("test_a_recording_in_parts_is_judged_as_in_one_piece")
def test_what_stays_broken_goes_on_in_the_next_part() -> None:
    """Of a recording whose findings stay for hundreds of records every part keeps the result that it has by itself."""
    log = read_log(RECORDED / "fake-chaos-elr")
    found, seen = right_of(BY_TERM, log, some_cuts(log, 1, 5))
    assert repr(found) == repr(BY_TERM.log(log))
    assert seen == [(6, 6)]


def test_a_finding_by_a_row_of_an_earlier_part_is_none_of_a_part_alone() -> None:
    """A broken claim is a finding where a row that is to blame came before: a part that cannot know so does not stand,
    and what is said is a finding, as in one piece."""
    claims = tuple(replace(one, by=("R1",)) if one.id == "P18" else one for one in KRAFT.properties)
    judge = Judge([replace(KRAFT, properties=claims)], OPTIONS)
    log = read_log(RECORDED / "elr-index-fault-4.4.0")
    one = judge.log(log)
    (finding,) = one.findings
    found, ((count, stand),) = right_of(judge, log, [finding.offset - 8])
    assert one.verdict is Verdict.CONFORMS
    assert (count, stand) == (2, 1)
    assert repr(found) == repr(one)


def test_what_was_broken_and_not_assumed_is_judged_again() -> None:
    """Where a part did not know that a claim was broken in front of it, it does not stand; what is said is the same."""
    log = read_log(RECORDED / "elr-directory-fault-4.4.0")
    cuts = some_cuts(log, 1)
    with patch.object(parts, "ASKED", 0):
        found, ((count, stand),) = right_of(BY_TERM, log, cuts)
    assert 0 < stand < count
    assert repr(found) == repr(BY_TERM.log(log))
    assert right_of(BY_TERM, log, cuts)[1] == [(count, count)]


@pytest.mark.nightly("test_a_hurt_log_in_parts_is_judged_as_in_one_piece")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["rolling-restart", "reassignment"])
def test_an_altered_recording_in_parts_is_judged_as_in_one_piece(name: str, seed: int) -> None:
    """What is found of one altered record is the same to the letter, wherever the log is cut: reports, what is folded,
    and what is no violation since another one is."""
    log, _ = altered(read_log(RECORDED / name), seed)
    assert repr(judged_in_parts(UNDER_ONE, log, some_cuts(log, seed))) == repr(UNDER_ONE.log(log))


@pytest.mark.nightly("test_a_hurt_log_in_parts_is_judged_as_in_one_piece")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_many_altered_recordings_in_parts_are_judged_as_in_one_piece(seed: int) -> None:
    """The same of longer recordings, by the release in force, with several records altered."""
    log = read_log(RECORDED / Random(seed).choice(["delete-recreate", "controller-failover", "suspects-4.4.0"]))
    for more in range(1 + seed % 3):
        log, _ = altered(log, 100 * seed + more)
    assert repr(judged_in_parts(BY_TERM, log, some_cuts(log, seed))) == repr(BY_TERM.log(log))


@pytest.mark.nightly("test_a_hurt_log_in_parts_is_judged_as_in_one_piece")
@pytest.mark.slow
def test_some_altered_recordings_are_judged_again_in_part() -> None:
    """Of the alterations above some violate, and leave parts in front of the violation that stand as they were found;
    behind it, all do in some, and in some not."""
    violating, behind = [], []
    stand_behind = parts._stand_behind

    def noted(*arguments: Any) -> bool:
        behind.append(stand_behind(*arguments))
        return behind[-1]

    for seed in range(8):
        log, _ = altered(read_log(RECORDED / "reassignment"), seed)
        with patch.object(parts, "_stand_behind", noted):
            found, seen = right_of(UNDER_ONE, log, some_cuts(log, seed))
        if found.verdict is Verdict.VIOLATES:
            violating += seen
        if (
            {*behind} == {True, False}
            and any(0 < stand < count for count, stand in violating)
            and any(stand < count - 1 for count, stand in violating)
        ):
            return
    pytest.fail(f"none of these alterations does: {violating}, {behind}")


def hurt(how: str, log: MetadataLog, offset: int, directory: Path) -> Path:
    """A log with a batch missing, repeated, of another epoch, unreadable, or with a record missing."""
    match how:
        case "gap":
            return alter.without_batch(log, offset, directory)
        case "repeated":
            return alter.with_batch_twice(log, offset, directory)
        case "epoch":
            return alter.with_epoch(log, offset, 0, directory)
        case "damaged":
            return alter.with_byte_flipped(log, offset, directory)
    return alter.ending_with(log, offset, lambda messages: messages[:-1], directory)


@pytest.mark.representative("first-boot-damaged")
@pytest.mark.parametrize("how", ["gap", "repeated", "epoch", "damaged", "cut"])
@pytest.mark.parametrize("name", ["first-boot", "rolling-restart", "snapshots"])
def test_a_hurt_log_in_parts_is_judged_as_in_one_piece(name: str, how: str, tmp_path: Path) -> None:
    """Gaps, repetitions, epochs that fall, damage and a lost end are reported alike, and so is all behind them."""
    whole = read_log(RECORDED / name)
    offsets = [one.base_offset for one in whole.batches if not one.is_control and len(one.records) > 1]
    log = read_log(hurt(how, whole, offsets[len(offsets) // 2], tmp_path))
    cuts = some_cuts(log, 5, 6)
    assert repr(judged_in_parts(UNDER_ONE, log, cuts)) == repr(UNDER_ONE.log(log))


def test_every_batch_may_begin_a_part() -> None:
    """A log that is cut in front of each of its batches is checked as in one piece, and every part is kept."""
    log = read_log(RECORDED / "first-boot")
    found, seen = right_of(UNDER_ONE, log, [batch.base_offset for batch in log.batches])
    assert repr(found) == repr(UNDER_ONE.log(log))
    assert seen == [(len(log.batches), len(log.batches))]


@pytest.mark.slow
def test_a_log_that_is_cut_where_snapshots_end_is_judged_as_whole() -> None:
    """A cut at a snapshot's end leaves the snapshot to be compared, once, by the check of what is in front of it."""
    whole = read_log(RECORDED / "snapshots")
    log = replace(alter.until(whole, whole.snapshots[2].end_offset + 20), snapshots=whole.snapshots[:3])
    found, ((count, stand),) = right_of(UNDER_ONE, log, [one.end_offset for one in log.snapshots])
    assert found.snapshots_compared > 1
    assert repr(found) == repr(UNDER_ONE.log(log))
    assert stand == count > 2


# -- the first pass ----------------------------------------------------------------------------------------------------
class _Kept(Reading):
    """A reading that checks, and keeps the state in front of some batches."""

    def __init__(self, monitor: Monitor, log: MetadataLog, at: set[int]) -> None:
        super().__init__(monitor, log)
        self.at, self.kept = at, dict[int, HardState]()

    def pauses(self, cursor: Cursor) -> bool:
        """Keep the state, and go on."""
        if cursor.at in self.at:
            self.kept[cursor.at] = self.state.copy()
        return False


def cells(state: HardState) -> Any:
    """All that a state says: its cells, and the entities in their order."""
    tables = {number: dict(table.items()) for number, table in enumerate(state.frame.tables)}
    return {sort: list(seen) for sort, seen in state.domains.items()}, tables


@pytest.mark.representative("first-boot-True")
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("name", ["first-boot", "reassignment", "snapshots"])
def test_the_replay_leaves_the_state_that_judging_leaves(name: str, at_once: bool) -> None:
    """At every cut the state that is carried has the cells and the entities, in order, of the state of one reading;
    also where records are replayed in runs."""
    if at_once:
        with short_runs():
            log = read_log(RECORDED / name)
            carried = kept_of(MONITOR, log, None, some_cuts(log, 2, 6))
    else:
        log = read_log(RECORDED / name)
        carried = kept_of(MONITOR, log, None, some_cuts(log, 2, 6))
    reading = _Kept(MONITOR, log, {one.at for one in carried})
    reading.result()
    assert carried
    for one in carried:
        assert cells(restored(MONITOR.layout, one.state)) == cells(reading.kept[one.at])


def test_a_state_survives_as_bytes() -> None:
    """A state that was saved and restored is saved as what says the same."""
    log = read_log(RECORDED / "delete-recreate")
    (carried,) = kept_of(MONITOR, log, None, [500])
    state = restored(MONITOR.layout, carried.state)
    assert cells(restored(MONITOR.layout, saved(state))) == cells(state)
    assert any(dict(table.items()) for table in state.frame.tables)


def test_no_cut_lies_within_a_result() -> None:
    """Behind a batch that is full a result may go on: the cut is made behind the batch that ends it."""
    log = read_log(RECORDED / "delete-recreate")
    sizes = [len(one.records) for one in log.batches]
    full = max(sizes[5:-5])
    at = sizes.index(full, 5)
    monitor = Monitor(KRAFT, replace(OPTIONS, full_batch=full))
    (carried,) = kept_of(monitor, log, None, [log.batches[at + 1].base_offset])
    assert carried.at > at + 1


def test_nothing_is_cut_behind_a_violation_that_the_replay_finds(tmp_path: Path) -> None:
    """Where batches are missing the state is lost, and all behind them is one part."""
    log = read_log(RECORDED / "rolling-restart")
    offsets = [batch.base_offset for batch in log.batches if not batch.is_control]
    hurt_log = read_log(alter.without_batch(log, offsets[len(offsets) // 2], tmp_path))
    cuts = [offsets[len(offsets) // 4], offsets[-3], offsets[-2]]
    assert [hurt_log.batches[one.at].base_offset for one in kept_of(MONITOR, hurt_log, None, cuts)] == cuts[:1]


@pytest.mark.slow
def test_records_of_a_part_are_not_judged_by_the_first_pass() -> None:
    """The first pass asks no row: a log whose every record nothing explains is cut as any other."""
    log = read_log(RECORDED / "rolling-restart")
    log = replace(log, batches=log.batches[: len(log.batches) // 6])

    def odd(batch: Batch) -> Batch:
        records = [
            replace(one, data={**one.data, "isr": []})
            if isinstance(one, Record) and one.type == "PARTITION_CHANGE_RECORD" and "isr" in one.data
            else one
            for one in batch.records
        ]
        return replace(batch, records=tuple(records))

    changed = replace(log, batches=tuple(map(odd, log.batches)))
    cuts = some_cuts(log, 3)
    whole = UNDER_ONE.log(changed)
    assert whole.verdict is Verdict.VIOLATES
    assert [one.at for one in kept_of(MONITOR, changed, None, cuts)] == [
        one.at for one in kept_of(MONITOR, log, None, cuts)
    ]
    assert repr(judged_in_parts(UNDER_ONE, changed, cuts)) == repr(whole)
