"""Records without their logs: what a log put together of a table says, and what the table cannot show."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.spark.blocks import blocks, joined
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import MetadataLog, TraceError, read_log
from fencepost.traces.record_tables import NUMBERS, columns_of, log_of_records, record_table

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"


@pytest.fixture(scope="module")
def log() -> MetadataLog:
    """A recorded log of several terms, without snapshots beside it."""
    return replace(read_log(RECORDED / "metadata-upgrade"), snapshots=())


@pytest.fixture(scope="module")
def judge() -> Any:
    """The checker of a log under the releases that were in force."""
    told = asked(None)
    return told.maker(*told.given_to).log


def _log(table: pa.Table) -> MetadataLog:
    return log_of_records("some", columns_of(table.take(np.random.default_rng(7).permutation(table.num_rows))))


def test_records_come_back_as_the_log_that_they_were(log: MetadataLog) -> None:
    """With all columns the log has the batches that it had, records, places, epochs and times included."""
    back = _log(record_table(log))
    kept = ("base_offset", "last_offset", "epoch", "is_control", "segment", "position", "max_timestamp", "count")
    assert [[getattr(one, name) for name in kept] for one in back.batches] == [
        [getattr(one, name) for name in kept] for one in log.batches
    ]
    assert list(back.records()) == list(log.records())
    assert not back.quarantined


def test_blocks_say_what_the_columns_said(log: MetadataLog) -> None:
    """Columns that were packed into blocks, and unpacked, are the same, nulls included; values take few bytes more."""
    table = record_table(log)
    known, unknown = table.slice(0, 99), table.slice(99).drop_columns(["epoch", "batch", "file", "timestamp"])
    table = pa.concat_tables([known, unknown], promote_options="default")
    columns = columns_of(table)
    packed = [block for _, block in blocks(columns)]
    back = joined(packed)
    for name in NUMBERS:
        assert back.numbers[name].tolist() == columns.numbers[name].tolist()
    assert [back.files[at] for at in back.file] == [columns.files[at] for at in columns.file]
    assert back.keys.equals(columns.keys)
    assert back.values.equals(columns.values)
    assert sum(map(len, packed)) - pc.sum(pc.binary_length(columns.values)).as_py() <= 24 * len(columns)


def test_a_record_that_comes_twice_is_one(log: MetadataLog, judge: Any) -> None:
    """Equal records at one offset are one; where they differ the log is undecided, and the offset is reported."""
    table = record_table(log)
    assert list(_log(pa.concat_tables([table, table])).records()) == list(log.records())
    offsets = table["offset"].to_pylist()
    at = offsets.index(40)
    other = table.slice(at, 1).set_column(9, "value", table["value"].slice(at + 1, 1))
    back = _log(pa.concat_tables([table, other]))
    assert [(one.kind, one.first_offset, one.last_offset) for one in back.quarantined] == [("conflict", 40, 40)]
    result = judge(back)
    assert result.verdict is Verdict.UNDECIDED
    assert [(one.first, one.last) for one in result.doubts] == [(40, 40)]
    assert "two or more records at an offset that differ" in result.doubts[0].message


def test_an_offset_that_is_missing_is_no_violation(log: MetadataLog, judge: Any) -> None:
    """Where a table lacks offsets the log is undecided, and the offsets are told: a gap is the table's, not the
    log's."""
    table = record_table(log)
    result = judge(_log(table.filter(pc.invert(pc.is_in(table["offset"], pa.array([40, 41]))))))
    assert result.verdict is Verdict.UNDECIDED
    assert (40, 41) in [(one.first, one.last) for one in result.doubts]
    assert not [one for one in result.violations if one.rule in ("gap", "epoch")]
    without = table.filter(pc.greater(table["offset"], 3))
    assert "begins at offset 4" in judge(_log(without)).doubts[0].message


def _consumed(log: MetadataLog) -> pa.Table:
    """What a consumer is given: no control record, and nothing of batches and files."""
    table = record_table(log)
    return table.filter(pc.invert(table["control"])).drop_columns(["control", "batch", "file", "position"])


def test_control_records_that_a_consumer_is_not_given_are_inferred(judge: Any) -> None:
    """One missing offset across which the epoch rises is a leader change; without epochs, and for two, nothing is."""
    whole = read_log(RECORDED / "controller-failover")
    opened = [one.base_offset for one in whole.batches if one.is_control][:3]
    log = replace(whole, batches=tuple(one for one in whole.batches if one.base_offset < opened[-1] + 20))
    back = _log(_consumed(log))
    assert [one.base_offset for one in back.batches if one.is_control] == opened
    assert len(opened) > 2
    assert any("are taken for the leader changes" in note for note in back.notes)
    assert judge(back).verdict is Verdict.CONFORMS
    bare = _log(_consumed(log).drop_columns(["epoch"]))
    assert not [one for one in bare.batches if one.is_control]
    assert [one.first_offset for one in bare.quarantined] == opened[1:]
    assert judge(bare).verdict is Verdict.UNDECIDED
    fewer = _consumed(log).filter(pc.not_equal(_consumed(log)["offset"], opened[1] + 1))
    assert (opened[1], opened[1] + 1) in [(one.first_offset, one.last_offset) for one in _log(fewer).quarantined]


def test_control_records_within_a_term_are_not_inferred(log: MetadataLog, judge: Any) -> None:
    """Raft's upgrade of kraft.version leaves two offsets that a consumer is not given: they may have been anything."""
    result = judge(_log(_consumed(log)))
    assert result.verdict is Verdict.UNDECIDED
    assert (208, 209) in [(one.first, one.last) for one in result.doubts]


def test_without_batches_and_epochs_the_log_says_so(log: MetadataLog, judge: Any) -> None:
    """Offset, key and value alone are checked with notes on what is not seen, and the records are the same."""
    table = record_table(log).select(["log", "offset", "key", "value"])
    back = _log(table)
    assert [one.offset for one in back.records()] == [one.offset for one in log.records()]
    assert len(back.notes) == 3
    result = judge(back)
    assert (result.verdict, result.records) == (Verdict.CONFORMS, sum(len(one.metadata_records) for one in log.batches))


def test_records_of_another_topic_are_refused() -> None:
    """Records that are no metadata are not violations of a metadata log: the sentence says what they are."""
    rows = {"log": ["a"] * 2, "offset": [0, 1], "key": [b"k"] * 2, "value": [b"v"] * 2, "control": [False] * 2}
    with pytest.raises(TraceError, match="records of another topic"):
        log_of_records("a", columns_of(pa.table(rows)))
