"""Single alterations of the recorded quorum: each is found at its place, under its rule, with who contradicts it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance.quorum import QuorumViolation, Tail, judge_quorum
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Batch, ControlRecord, Record, build_batch, find_logs, read_log

from .altered import LAST, THIRD, Copied, at, leader_change, moved, write

NOOP: tuple[str, int, dict[str, object]] = ("NO_OP_RECORD", 0, {})


def _changed(batch: Batch) -> Batch:
    """The batch with another time in its first record, and a sound checksum."""
    first = batch.records[0]
    return replace(batch, records=(replace(first, timestamp=first.timestamp + 1), *batch.records[1:]), raw=None)


def _one(copied: Copied, name: str, rule: str, offset: int) -> QuorumViolation:
    """The one violation that there is: of a log, under a rule, at an offset, contradicted by the other final log."""
    found = copied.judged()
    assert found.verdict is Verdict.VIOLATES
    assert [(one.rule, one.log, one.offset) for one in found.violations] == [(rule, str(copied.log(name)), offset)]
    return found.violations[0]


def test_a_record_changed_in_one_log(tmp_path: Path) -> None:
    """Below what is committed the logs are the same, checksum or not: QL2d, QL5c; the other nine contradict it."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [_changed(one) if one.base_offset == 10 else one for one in b])
    found = _one(copied, LAST, "committed-prefix", 10)
    assert (found.epoch, found.segment, found.claims) == (1, "00000000000000000000.log", ("QL2d", "QL5c"))
    assert len(found.against) == 9


def test_a_record_changed_where_nothing_is_known_to_be_committed(tmp_path: Path) -> None:
    """Two logs that share an epoch behind it are the same in front of it: log matching, QR1 and QL6n."""
    copied = Copied(tmp_path, lines=False)
    copied.batches(THIRD, lambda b: [_changed(one) if one.base_offset == 814 else one for one in b])
    assert _one(copied, THIRD, "log-matching", 814).claims == ("QR1", "QL6n")


def test_an_epoch_rewritten(tmp_path: Path) -> None:
    """The batches of epoch 5 as epoch 6, which is in no checksum."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [replace(one, epoch=6) if one.epoch == 5 else one for one in b])
    assert _one(copied, LAST, "committed-prefix", 113).epoch == 6


@pytest.mark.parametrize("offset", [41, 300])
def test_a_committed_batch_dropped_and_the_log_renumbered(tmp_path: Path, offset: int) -> None:
    """What follows is moved to the front, so that the log has no gap; no consequence is reported as well."""
    copied = Copied(tmp_path)

    def drop(batches: list[Batch]) -> Sequence[Batch]:
        number = next(n for n, one in enumerate(batches) if one.base_offset >= offset)
        gone = batches.pop(number)
        by = gone.base_offset - gone.last_offset - 1
        dropped.append(gone.base_offset)
        return [*batches[:number], *(moved(one, by) for one in batches[number:])]

    dropped: list[int] = []
    copied.batches(THIRD, drop)
    _one(copied, THIRD, "committed-prefix", dropped[0])


def test_a_second_leader_change_with_another_leader(tmp_path: Path) -> None:
    """Epoch 12 is node 3002's: another leader change in it is two writers of one epoch, QL6."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [*b, leader_change(815, 12, 3000)])
    found = _one(copied, LAST, "one-leader", 815)
    assert (found.epoch, found.claims) == (12, ("QL6",))
    assert "3002 led, and it names 3000" in found.message


def test_a_second_leader_change_of_the_leader(tmp_path: Path) -> None:
    """An epoch has one leader change, whichever leader it names."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [*b, leader_change(815, 12, 3002)])
    _one(copied, LAST, "one-opening", 815)


def test_two_logs_name_different_leaders(tmp_path: Path) -> None:
    """One log has epoch 9 led by another node than all others: it contradicts those that have the epoch."""
    copied = Copied(tmp_path)

    def rename(batch: Batch) -> Batch:
        (record,) = batch.records
        assert isinstance(record, ControlRecord)
        return replace(batch, records=(replace(record, data=record.data | {"leaderId": 3001}),), raw=None)

    copied.batches(LAST, lambda b: [rename(one) if one.base_offset == 436 else one for one in b])
    found = _one(copied, LAST, "one-leader", 436)
    assert len(found.against) == 3


def test_an_epoch_begins_without_a_leader_change(tmp_path: Path) -> None:
    """The first record of every epoch is its leader change: QR1, QL6a."""
    copied = Copied(tmp_path)
    noop = build_batch([NOOP], base_offset=815, epoch=13, timestamp=1)
    copied.batches(LAST, lambda b: [*b, noop])
    _one(copied, LAST, "one-opening", 815)


def test_epochs_go_back(tmp_path: Path) -> None:
    """No log has a record of an older epoch behind one of a newer."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [*b, leader_change(815, 11, 3001)])
    _one(copied, LAST, "epoch-order", 815)


def _replaced_from_721(batches: list[Batch]) -> Sequence[Batch]:
    """The log cut where a batch begins, with the leader change of another epoch behind it."""
    assert at(batches, 721)
    return [*(one for one in batches if one.base_offset < 721), leader_change(721, 13, 3000)]


def test_a_log_with_a_gap(tmp_path: Path) -> None:
    """A batch is missing, and what follows has its offsets: QL6n."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [one for one in b if one.base_offset != 721])
    assert _one(copied, LAST, "log-order", at_next(copied)).claims == ("QL6n",)


def at_next(copied: Copied) -> int:
    """Return where the batch behind that at 721 begins, in a log that has both."""
    batches = read_log(copied.log(THIRD)).batches
    return batches[at(batches, 721) + 1].base_offset


def test_a_later_leader_lacks_what_was_committed(tmp_path: Path) -> None:
    """Epoch 13 begins at 721, and lines say that 814 was committed in epoch 12: QL5c."""
    copied = Copied(tmp_path)
    copied.batches(LAST, _replaced_from_721)
    found = _one(copied, LAST, "later-leader", 721)
    assert found.epoch == 13
    assert "controller.log.gz:" in found.against[0]


def test_a_tail_that_is_not_known_to_be_committed_may_be_replaced(tmp_path: Path) -> None:
    """The same without the lines is no violation: what the others have from 721 on is reported as tails."""
    copied = Copied(tmp_path, lines=False)
    copied.batches(LAST, _replaced_from_721)
    found = copied.judged()
    assert (found.verdict, found.violations) == (Verdict.CONFORMS, [])
    by = str(copied.log(LAST))
    assert found.tails == [
        Tail(str(copied.path), 721, 815, (12,), 13, by),
        Tail(str(copied.log(THIRD)), 721, 814, (12,), 13, by),
    ]


def test_logs_that_end_alike_may_differ_in_their_tails(tmp_path: Path) -> None:
    """Two logs with another epoch each behind what is committed: neither contradicts the other."""
    copied = Copied(tmp_path)
    copied.batches(LAST, lambda b: [*b, leader_change(815, 13, 3000)])
    copied.batches(THIRD, lambda b: [*b, leader_change(815, 14, 3001)])
    found = copied.judged()
    assert (found.verdict, found.violations) == (Verdict.CONFORMS, [])
    assert {(one.log, one.first, one.epochs) for one in found.tails} == {
        (str(copied.path), 815, (12,)),
        (str(copied.log(LAST)), 815, (13,)),
    }


def test_a_batch_is_cut_in_its_middle(tmp_path: Path) -> None:
    """A log that has only the first half of a batch that another one has whole: QL8."""
    copied = Copied(tmp_path, lines=False)
    cut: list[int] = []

    def halve(batches: list[Batch]) -> Sequence[Batch]:
        number = max(n for n, one in enumerate(batches) if len(one.records) > 3 and one.base_offset > 505)
        batch = batches[number]
        half = tuple(batch.records[: len(batch.records) // 2])
        cut.append(batch.base_offset)
        last = half[-1].offset
        return [*batches[:number], replace(batch, records=half, last_offset=last, count=len(half), raw=None)]

    copied.batches(LAST, halve)
    copied.batches(LAST, lambda b: [*b, leader_change(b[-1].last_offset + 1, 13, 3000)])
    assert _one(copied, LAST, "whole-batches", cut[0]).claims == ("QL8",)


def _quorum(place: Path, *batches: Batch) -> list[QuorumViolation]:
    """Write the same batches as the logs of two nodes, and check them."""
    for name in ("one", "other"):
        write(place / name, batches)
    return judge_quorum(find_logs([place])).violations


def _data(offset: int, epoch: int, *kinds: str) -> Batch:
    values = {"BEGIN_TRANSACTION_RECORD": {"name": "t"}, "ABORT_TRANSACTION_RECORD": {"reason": "r"}}
    return build_batch(
        [(kind, 0, values.get(kind, {})) for kind in kinds], base_offset=offset, epoch=epoch, timestamp=1
    )


BEGIN, END, ABORT = (f"{name}_TRANSACTION_RECORD" for name in ("BEGIN", "END", "ABORT"))


def _opened(*first: str) -> tuple[Batch, ...]:
    """A transaction that epoch 1 leaves open, and the first records of epoch 3; epoch 2 wrote none."""
    return (
        leader_change(0, 1, 3000), _data(1, 1, BEGIN, "NO_OP_RECORD"), leader_change(3, 2, 3001),
        leader_change(4, 3, 3002), _data(5, 3, *first),
    )  # fmt: skip


def test_a_transaction_left_open_is_aborted(tmp_path: Path) -> None:
    """Nothing but Abort may be the first record of the next leader that writes: QA3, QA4."""
    assert _quorum(tmp_path / "right", *_opened(ABORT, "NO_OP_RECORD")) == []
    for number, kinds in enumerate([("NO_OP_RECORD",), (END,), ("NO_OP_RECORD", ABORT)]):
        (found,) = _quorum(tmp_path / str(number), *_opened(*kinds))
        assert (found.rule, found.offset, found.epoch, found.claims) == ("transaction-aborted", 5, 3, ("QA3", "QA4"))


@pytest.mark.parametrize(("kinds", "offset"), [((BEGIN, BEGIN), 2), ((BEGIN, END, END), 3), ((ABORT,), 1)])
def test_transactions_do_not_nest(tmp_path: Path, kinds: tuple[str, ...], offset: int) -> None:
    """A Begin inside a transaction, an End and an Abort outside of one: QL9, QL9e."""
    (found,) = _quorum(tmp_path, leader_change(0, 1, 3000), _data(1, 1, *kinds))
    assert (found.rule, found.offset, found.claims) == ("transaction-order", offset, ("QL9", "QL9e"))


def test_two_leaders_commit_different_records(tmp_path: Path) -> None:
    """Epoch 3 wrote over what the data of epoch 2 shows to be committed."""
    start = (leader_change(0, 1, 3000), _data(1, 1, "NO_OP_RECORD", "NO_OP_RECORD"))
    write(
        tmp_path / "one", [*start, _data(3, 1, "NO_OP_RECORD"), leader_change(4, 2, 3001), _data(5, 2, "NO_OP_RECORD")]
    )
    write(tmp_path / "other", [*start, leader_change(3, 3, 3002), _data(4, 3, "NO_OP_RECORD")])
    (found,) = judge_quorum(find_logs([tmp_path])).violations
    assert (found.rule, found.log, found.offset) == ("later-leader", str(tmp_path / "other"), 3)
    assert found.against == (str(tmp_path / "one"),)


@pytest.mark.parametrize("kind", ["data", "time", "version"])
def test_any_field_of_a_record_is_compared(tmp_path: Path, kind: str) -> None:
    """What a record says, when it was written, and in which version: each makes the logs differ."""
    copied = Copied(tmp_path)

    def change(batch: Batch) -> Batch:
        first = batch.records[0]
        assert isinstance(first, Record)
        new = {
            "data": replace(first, data=first.data | {"fenced": 0}),
            "time": replace(first, timestamp=first.timestamp + 1),
            "version": replace(first, version=2),
        }[kind]
        return replace(batch, records=(new, *batch.records[1:]), raw=None)

    copied.batches(THIRD, lambda b: [change(one) if one.base_offset == 16 else one for one in b])
    _one(copied, THIRD, "committed-prefix", 16)
