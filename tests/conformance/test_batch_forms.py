"""What no controller writes into a batch, beside a record, or into a leader change; and what no log can show."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance import conform
from fencepost.checkers.conformance.records.batch_forms import never_written, wrong_elections
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.traces import Batch, ControlRecord, MetadataLog, Record, find_logs, read_log
from fencepost.traces.batches import decode_batch, encode_batch
from fencepost.traces.records import Header

from . import RECORDED, alter

Alter = Callable[[Batch], Batch]
REGISTERS = "REGISTER_BROKER_RECORD"


@pytest.fixture(scope="module")
def first_boot() -> MetadataLog:
    """A recorded log that conforms."""
    return read_log(RECORDED / "first-boot")


def one(log: MetadataLog, is_control: bool) -> Batch:
    """The first control batch, or the first other one of several records."""
    return next(b for b in log.batches if b.is_control == is_control and (is_control or len(b.records) > 1))


def altered(log: MetadataLog, change: Alter, directory: Path, is_control: bool = False) -> tuple[Path, Batch]:
    """Write a log with one batch changed; return where, and the batch as it was."""
    old = one(log, is_control)
    batches = tuple(change(batch) if batch is old else batch for batch in log.batches)
    return alter.written(replace(log, batches=batches), directory), old


def with_header(batch: Batch) -> Batch:
    """The batch with a header beside its first record."""
    record = batch.records[0]
    assert isinstance(record, Record)
    return replace(batch, records=(replace(record, headers=(Header("a", b"b"),)), *batch.records[1:]))


def with_voters(voters: tuple[int, ...], granting: tuple[int, ...]) -> Alter:
    """A leader change with other voters and votes."""

    def change(batch: Batch) -> Batch:
        record = batch.records[0]
        assert isinstance(record, ControlRecord)
        lists = {"voters": voters, "grantingVoters": granting}
        like = record.data["voters"][0]
        data = {**record.data, **{name: [{**like, "voterId": id} for id in ids] for name, ids in lists.items()}}
        return replace(batch, records=(replace(record, data=data, raw=None), *batch.records[1:]))

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda b: replace(b, attributes=b.attributes | 0x10), "is marked as a producer's transaction"),
        (lambda b: replace(b, attributes=b.attributes | 0x40), "has a delete horizon"),
        (lambda b: replace(b, attributes=b.attributes | 0x08), "has times that are marked as the broker's"),
        (lambda b: replace(b, attributes=b.attributes | 0x0100), "has the reserved attribute bits 0x0100"),
        (lambda b: replace(b, producer_id=7, producer_epoch=0), "has the producer id 7 and the producer epoch 0"),
        (lambda b: replace(b, base_sequence=3), "has the base sequence 3 of a producer"),
        (lambda b: replace(b, max_timestamp=b.max_timestamp + 5), "says that its newest record is of time"),
        (with_header, "has a record with headers"),
        (lambda b: replace(b, records=()), "holds no record"),
    ],
)
def test_a_batch_of_another_form_is_damage(
    first_boot: MetadataLog, tmp_path: Path, change: Alter, sentence: str
) -> None:
    """One sentence names the offset and what no controller writes; recorded logs have none of it."""
    old = one(first_boot, False)
    assert never_written(old, True) == ""
    again = decode_batch(encode_batch(change(old)), old.segment, old.position)
    assert sentence in never_written(again, True)


@pytest.mark.parametrize(
    ("change", "rule", "is_control"),
    [
        (lambda b: replace(b, attributes=b.attributes | 0x10), "batch", False),
        (lambda b: replace(b, is_control=True), "undecodable", False),
        (with_voters((3000, 3001, 3002), (3000,)), "election", True),
        (with_voters((3000, 3000, 3001), (3000, 3001)), "election", True),
    ],
)
def test_such_a_log_violates(
    first_boot: MetadataLog, tmp_path: Path, change: Alter, rule: str, is_control: bool
) -> None:
    """The log ends with 6, and its first violation is about the batch that was altered."""
    path, old = altered(first_boot, change, tmp_path, is_control)
    result = conform([path], None, causes=False)
    (log,) = result.logs
    assert (log.verdict, result.exit_code) == (Verdict.VIOLATES, ExitCode.DOES_NOT_CONFORM)
    first = next(each for each in log.violations if each.rule == rule)
    assert old.base_offset <= first.offset <= old.last_offset


def test_no_recorded_log_has_such_a_batch() -> None:
    """Batches of every recorded log and snapshot are of the one form, and every leader had a majority."""
    found, batches = [], 0
    for source in find_logs([str(RECORDED)], keep=True):
        log = read_log(source)
        for batch in (*log.batches, *(each for snapshot in log.snapshots for each in snapshot.batches)):
            batches += 1
            odd = never_written(batch, log.source == "binary"), *wrong_elections(batch, log.source == "binary")
            found += [(log.path, batch.base_offset, odd)] if odd != ("",) else []
    assert found == []
    assert batches > 5_000


def test_what_no_log_can_show(first_boot: MetadataLog, tmp_path: Path) -> None:
    """A clock may be set back, and a broker may send its registration again: both are as a controller writes them."""
    year = 365 * 24 * 3600 * 1000
    back = [
        batch
        if number < len(first_boot.batches) // 2
        else replace(
            batch,
            base_timestamp=batch.base_timestamp - year,
            max_timestamp=batch.max_timestamp - year,
            records=tuple(replace(each, timestamp=each.timestamp - year) for each in batch.records),
        )
        for number, batch in enumerate(first_boot.batches)
    ]
    path = alter.written(replace(first_boot, batches=tuple(back)), tmp_path / "back")
    assert conform([path], None).logs[0].verdict is Verdict.CONFORMS
    registration = next(r.offset for r in first_boot.records() if getattr(r, "type", "") == REGISTERS)
    place = registration - alter.batch_at(first_boot, registration).base_offset
    twice = alter.ending_with(
        first_boot, registration, lambda said: [*said[: place + 1], said[place]], tmp_path / "twice"
    )
    assert [getattr(r, "type", "") for r in read_log(twice).records()][-2:] == [REGISTERS, REGISTERS]
    assert conform([twice], None).logs[0].verdict is Verdict.CONFORMS


@pytest.mark.representative("202-None", "263-None")
@pytest.mark.parametrize(("offset", "first"), [(60, 60), (185, 198), (193, 198), (202, None), (263, None)])
def test_a_batch_left_out_with_offsets_renumbered(offset: int, first: int | None, tmp_path: Path) -> None:
    """Of a log without one batch, which holds a change of a registration alone, the later registrations contradict the
    offsets: a broker's epoch is the offset of its registration, here 60 to 198. Behind the last one what is left is the
    log of a broker that did not change."""
    log = read_log(RECORDED / "rolling-restart")
    gone = alter.batch_at(log, offset)
    assert {one.type for one in gone.metadata_records} == {"BROKER_REGISTRATION_CHANGE_RECORD"}
    rest = [batch for batch in log.batches if batch is not gone]
    found = conform([alter.renumbered(log, rest, tmp_path)], None, causes=False).logs[0]
    assert (found.verdict, [v.offset for v in found.violations][:1]) == (
        (Verdict.CONFORMS, []) if first is None else (Verdict.VIOLATES, [first])
    )


@pytest.mark.representative("17-19", "25-None")
@pytest.mark.parametrize(
    ("offset", "first"), [(17, 19), (25, None), (62, 62), (92, 92), (103, 104), (124, 124), (156, None), (208, None)]
)
def test_two_batches_exchanged_with_offsets_renumbered(offset: int, first: int | None, tmp_path: Path) -> None:
    """Two neighbouring batches of which neither needs the other may have been written in the other order; where a row
    needs what the first one wrote, the log violates at the first of them or behind it."""
    log = read_log(RECORDED / "rolling-restart")
    at = log.batches.index(alter.batch_at(log, offset))
    batches = [*log.batches[:at], log.batches[at + 1], log.batches[at], *log.batches[at + 2 :]]
    found = conform([alter.renumbered(log, batches, tmp_path)], None, causes=False).logs[0]
    assert (found.verdict, [v.offset for v in found.violations][:1]) == (
        (Verdict.CONFORMS, []) if first is None else (Verdict.VIOLATES, [first])
    )
