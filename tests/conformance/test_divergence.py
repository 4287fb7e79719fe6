"""The one screen on which a divergence is shown."""

import json
from dataclasses import replace
from pathlib import Path

from fencepost.checkers.conformance import Monitor
from fencepost.checkers.conformance.reading.screen import LINES
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import AnyRecord, Record, read_log
from tests.conformance.alter import with_record
from tests.widths import too_wide

from . import RECORDED, toy
from .toy import changes, fences, three_brokers


def test_a_screen_shows_the_place_the_state_the_record_and_what_each_row_would_write() -> None:
    """A wrong leader: the screen has the place, the former cells, the record, the rows' own leader, and the history."""
    result = Monitor(toy.TOY).judge(toy.log(*three_brokers(), [changes(0, isr=[2, 3], leader=3), fences(1, 1)]))
    screen = result.violations[0].screen
    assert screen[0] == "toy: no row explains offset 9"
    assert screen[1].startswith("where    00000000000000000000.log, byte 583, batch 9 to 10, epoch 1")
    assert screen[2] == f"entity   partition {toy.TOPIC_ID}-0"
    assert "isr [1, 2, 3], leader 1" in screen[3]
    shown = "\n".join(screen)
    assert "DOWN  it writes leader 2, the log 3" in shown
    assert "LOST  it writes leader 2, the log 3" in shown
    assert "nearest  DOWN" in shown
    assert "8 Partition replicas [1, 2, 3], isr [1, 2, 3], leader 1" in shown
    assert screen[-1] == "again    fencepost conform toy"


def test_a_false_guard_is_shown_with_the_values_that_made_it_false() -> None:
    """Bringing up a broker that never registered: the guard that is false, and the cell that it read."""
    result = Monitor(toy.TOY).judge(toy.log(*three_brokers(), [toy.unfences(9, 4)]))
    shown = "\n".join(result.violations[0].screen)
    assert "UP    its guard asks" in shown
    assert "where epoch = -1" in shown


ENOUGH = 8
"""More violations are of the same few kinds, and each has every row tried."""


def _with_another_isr(record: AnyRecord) -> AnyRecord:
    if not isinstance(record, Record) or record.type != "PARTITION_CHANGE_RECORD" or not record.data.get("isr"):
        return record
    return replace(record, data={**record.data, "isr": [*record.data["isr"][1:], 77]})


def test_every_screen_fits() -> None:
    """No screen of a log with every record of one type altered is longer than 24 lines or wider than 100 columns."""
    log = read_log(RECORDED / "kill-nine-elr")
    # The first part of the log has enough of them.
    first = log.batches[: len(log.batches) // 3]
    altered = [replace(batch, records=tuple(map(_with_another_isr, batch.records))) for batch in first]
    found = Monitor(KRAFT).judge(replace(log, batches=tuple(altered)), bear=ENOUGH)
    screens = [v.screen for v in found.violations if v.screen]
    assert len(screens) > 5
    assert max(len(screen) for screen in screens) <= LINES
    assert [line for screen in screens for line in too_wide("\n".join(screen))] == []


def test_a_result_is_json() -> None:
    """A log's result is JSON values with the fields of the command's document."""
    result = Monitor(toy.TOY).judge(toy.log(*three_brokers(), [fences(1, 1)]))
    found = json.loads(json.dumps(result.as_json()))
    assert {"path", "verdict", "releases", "records", "batches", "passed_through", "rows", "ambiguous"} <= set(found)
    assert found["verdict"] == "violates"
    assert {"rule", "offset", "segment", "entity", "message"} <= set(found["violations"][0])
    assert found["violations"][0]["offset"] == 9


def test_the_nearest_row_is_that_of_the_request_whose_record_it_is(tmp_path: Path) -> None:
    """metadata.version falls below a gate: FE5 is nearest, whose only record it is, and not AC1, which begins a log."""
    log, upgraded = read_log(RECORDED / "metadata-upgrade"), 196
    lowered = with_record(log, upgraded, lambda data: {**data, "featureLevel": 9}, tmp_path)
    violation = Monitor(KRAFT).judge(read_log(lowered)).violations[0]
    assert violation.offset == upgraded
    (nearest,) = [line for line in violation.screen if line.startswith("nearest")]
    assert nearest.startswith("nearest  FE5 (UpdateFeature, ")
    assert "crosses" in "\n".join(violation.screen)
