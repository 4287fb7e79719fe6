"""How much the monitor sees: fields altered one at a time, and the rows that a log shows left out in turn."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import Monitor, Options
from fencepost.checkers.conformance.explain.sensitivity import (
    Alteration,
    Removal,
    Sensitivity,
    Survival,
    WithoutRows,
    alterations,
    without_rows,
)
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.traces import MetadataLog, find_log, read_log

from . import RECORDED, alter, toy
from .toy import NOTHING, changes, fences, registers, three_brokers, topic, unfences

COLUMNS = 100

WANTED = "with another wanted, which a log does not show"
"""The ISR that a request wants is not in a log: another one is what another request would have written."""

PROPOSED = "another row writes the altered record"
"""What changed with a reassignment, a directory or a broker is, with another ISR, what a request would have written."""

DIRECTORIES = "as the result of another RegisterBroker (dirs), which a log does not show"
"""Which directories a broker has is its own affair, as long as no other broker has registered them."""

CORDONED = "as the result of another CordonedDirectories (dirs), which a log does not show"
"""Which directories are cordoned is a setting of the broker."""

RANGES = "as the result of another RegisterBroker (ranges), which a log does not show"
"""A broker need not know a feature that is not finalized; the finalized ones it cannot leave out."""

CONTROLLER_RANGES = "as the result of another RegisterController (ranges), which a log does not show"
"""Of a controller nothing is asked (K7)."""

TARGET = "as the result of another Reassign (target), which a log does not show"
"""Where an operator moves a partition is free, and so is who leaves; the replicas and who is added follow from it."""

SCENARIOS = {
    "first-boot": (400, 0.06),
    "rolling-restart": (1300, 0.10),
    "reassignment": (1100, 0.10),
    "elr-directory-fault-4.4.0": (300, 0.13),
    "suspects-4.4.0": (1000, 0.13),
}
"""The recordings whose fields are altered here: the others show the same classes and take longer.

Each with how many fields it has at least, and with less than which share of them a row still explains.
"""
EACH = pytest.mark.parametrize("scenario", SCENARIOS)
SOME = pytest.mark.representative("first-boot")

REASONS = {
    ("Directories.cordoned", "one added", "HC1"): {CORDONED},
    ("PartitionChange.isr", "first two swapped", "A14"): {WANTED, PROPOSED},
    ("PartitionChange.isr", "one added", "A14"): {WANTED},
    ("PartitionChange.isr", "one dropped", "A14"): {WANTED, PROPOSED},
    ("PartitionChange.removing", "one added", "RA3"): {TARGET, PROPOSED},
    ("PartitionChange.removing", "one dropped", "RA3"): {TARGET},
    ("PartitionChange.replicas", "first two swapped", "RA3"): {TARGET},
    ("RegisterBroker.directories", "one dropped", "R1"): {DIRECTORIES},
    ("RegisterBroker.directories", "one dropped", "R2 or R2u"): {DIRECTORIES},
    ("RegisterBroker.directories", "one dropped", "R2u"): {DIRECTORIES},
    ("RegisterBroker.ranges", "one dropped", "R1"): {RANGES},
    ("RegisterBroker.ranges", "one dropped", "R2"): {RANGES},
    ("RegisterBroker.ranges", "one dropped", "R2 or R2u"): {RANGES},
    ("RegisterBroker.ranges", "one dropped", "R2u"): {RANGES},
    ("RegisterController.ranges", "one dropped", "CR1"): {CONTROLLER_RANGES},
}
"""Why a row still explains a record that was altered, by field, alteration and row: what no log can show."""

FENCES = ("F1", "HB10")
"""The rows that fence a broker behind its controlled shutdown: which of them did, a log does not show."""

FENCES_AGAIN = ("F2", "HB1")
"""The rows that fence a broker that is down."""

FIRST_BOOT_OFFSETS = {"AC1": 5, "CR1": 13, "HC1": 17, "HB2": 18, "CT3": 27, "HB6": 71}
ROLLING_OFFSETS = {
    "AC1": 3, "CR1": 10, "HB2": 14, "HC1": 14, "CT3": 25, "HB6": 50, "R2": 61, "A14": 65,
}  # fmt: skip
"""Where a log stops conforming without a row that nothing replaces."""


@cache
def recorded(scenario: str) -> MetadataLog:
    """Return a recorded log."""
    return read_log(RECORDED / scenario / "00000000000000000000.log")


@cache
def altered(scenario: str) -> Sensitivity:
    """Return the measure of a recorded log with its fields altered."""
    return alterations(recorded(scenario), KRAFT)


@cache
def crippled(scenario: str) -> WithoutRows:
    """Return the measure of a recorded log with its rows left out."""
    return without_rows(recorded(scenario), KRAFT)


# -- fields altered ----------------------------------------------------------------------------------------------------
@SOME
@EACH
def test_nearly_every_altered_field_is_found(scenario: str) -> None:
    """Of the fields altered one at a time, rows still explain less than one in seven; none is undecided."""
    least, most = SCENARIOS[scenario]
    found = altered(scenario)
    assert found.total >= least
    assert (found.undecided, found.left_out) == (0, 0)
    assert found.share < most, "\n".join(found.text())


def reasons(scenario: str) -> set[tuple[tuple[str, str, str], str]]:
    """Return the classes of altered records that rows explain in a recording, each with a reason."""
    return {
        ((one.alteration.field, one.alteration.change, " or ".join(one.rows)), one.reason)
        for one in altered(scenario).survivals
    }


@SOME
@EACH
def test_what_is_still_explained_has_a_reason(scenario: str) -> None:
    """Every class of altered records that rows explain is in the table of reasons."""
    assert reasons(scenario) - {(key, reason) for key, all_ in REASONS.items() for reason in all_} == set()


@pytest.mark.nightly("test_what_is_still_explained_has_a_reason")
def test_each_reason_occurs() -> None:
    """Each class of the table of reasons, and each of its reasons, occurs in some recording."""
    given = {(key, reason) for key, all_ in REASONS.items() for reason in all_}
    assert set().union(*map(reasons, SCENARIOS)) == given


@pytest.mark.nightly("test_what_is_still_explained_has_a_reason")
def test_nothing_else_passes_where_the_controller_decides() -> None:
    """What the controller decides is seen in full: leaders, ELR, who is added, the ISR of what is new."""
    seen = {"PartitionChange.leader", "PartitionChange.elr", "PartitionChange.last_known", "PartitionChange.adding"}
    seen |= {"Partition.leader", "Partition.replicas", "Partition.isr", "Partition.adding", "Partition.removing"}
    asked = {one.field for scenario in SCENARIOS for one in altered(scenario).asked}
    assert seen <= asked
    assert not seen & {field for field, _, _ in REASONS}


@SOME
@EACH
def test_no_directory_of_another_broker_is_registered(scenario: str) -> None:
    """A registration that also names another broker's directory is found, whatever is in front of it (RG4)."""
    added = Alteration("RegisterBroker.directories", "one added")
    assert altered(scenario).asked[added] > 0
    assert not [one for one in altered(scenario).survivals if one.alteration == added]


def _partly_up() -> MetadataLog:
    kind, version, data = toy.partition(0, [1, 2, 3])
    created = (kind, version, {**data, "isr": [1, 2]})
    brokers = [[registers(n, n) for n in (1, 2, 3)], [unfences(1, 1), unfences(2, 2)]]
    return toy.log(*brokers, [topic(), created])


def test_every_alteration_is_counted_by_what_was_done() -> None:
    """One created partition has eleven: only that without the replica that is down is what another creation writes."""
    found = alterations(_partly_up(), toy.TOY, Options())
    asked = {
        Alteration("Partition.replicas", "one dropped"): 3,
        Alteration("Partition.replicas", "first two swapped"): 1,
        Alteration("Partition.isr", "one dropped"): 2,
        Alteration("Partition.isr", "one added"): 1,
        Alteration("Partition.isr", "first two swapped"): 1,
        Alteration("Partition.leader", "none"): 1,
        Alteration("Partition.leader", "another"): 2,
    }
    assert found.asked == asked
    reason = "as the result of another Creation (chosen), which a log does not show"
    assert found.survivals == {Survival(Alteration("Partition.replicas", "one dropped"), ("MK",), reason): 1}
    assert (found.total, found.still_explained, round(found.share, 3)) == (11, 1, 0.091)


def test_reading_is_not_disturbed() -> None:
    """The verdict, the rows and the evidence of a log are the same whether its fields are altered on the way or not."""
    monitor = Monitor(toy.TOY)
    made = toy.log(*three_brokers(), [changes(0, isr=[2, 3], leader=2), fences(1, 1)], [NOTHING])
    plain = monitor.judge(made).as_json()
    calls: list[int] = []
    watched = monitor.judge(made, lambda state, items, found: calls.append(items[0].record.offset)).as_json()
    assert watched == plain
    assert calls == [1, 4, 7, 9, 11]
    assert alterations(made, toy.TOY).left_out == 0
    assert monitor.judge(made).as_json() == plain


def test_what_is_not_explained_as_it_is_is_not_altered(tmp_path: Path) -> None:
    """A unit with a fault, and units behind damage, is left out of the measure and counted."""
    total = alterations(toy.log(*three_brokers()), toy.TOY).total
    found = alterations(toy.log(*three_brokers(), [NOTHING, changes(0, isr=[7])]), toy.TOY)
    assert (found.left_out, found.total) == (2, total)
    assert "records not altered (unexplained, in a long unit, or the state is unknown): 2" in "\n".join(found.text())
    made = toy.log(*three_brokers(), [NOTHING], [NOTHING], [changes(0, isr=[1, 3])])
    damaged = read_log(find_log(alter.with_byte_flipped(made, 9, tmp_path)))
    found = alterations(damaged, toy.TOY)
    assert (found.left_out, found.total) == (2, total)


def test_a_long_unit_is_not_altered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit of more records than the limit is left out of the measure and counted."""
    monkeypatch.setattr("fencepost.checkers.conformance.explain.sensitivity.LONGEST", 2)
    made = _partly_up()
    whole = alterations(made, toy.TOY)
    assert (whole.left_out, whole.total) == (3, 11)
    monkeypatch.setattr("fencepost.checkers.conformance.explain.sensitivity.LONGEST", 1)
    assert (alterations(made, toy.TOY).left_out, alterations(made, toy.TOY).total) == (7, 0)


# -- rows left out -----------------------------------------------------------------------------------------------------
def _told(found: WithoutRows) -> tuple[dict[str, int], dict[str, dict[tuple[str, ...], int]]]:
    offsets = {one.row: one.offset for one in found.removals if one.offset is not None}
    return offsets, {one.row: dict(one.instead) for one in found.removals if one.offset is None}


def _without(rows: tuple[str, ...], row: str) -> tuple[str, ...]:
    return tuple(one for one in rows if one != row)


def test_first_boot_needs_the_rows_that_it_shows() -> None:
    """Six of the fourteen rows are missed at a stated offset, the others give way to rows that write the same."""
    offsets, instead = _told(crippled("first-boot"))
    assert offsets == FIRST_BOOT_OFFSETS
    assert instead == {
        **{row: {_without(FENCES, row): 3} for row in FENCES},
        # Without the row of a first registration, those of a later one have its case too.
        "R1": {("R2", "R2u"): 3},
        # A NoOp says nothing; an upgrade of kraft.version to the level that it has writes one too.
        "NO1": {("FE10",): 14},
    }


@pytest.mark.nightly("test_first_boot_needs_the_rows_that_it_shows")
def test_a_rolling_restart_needs_the_rows_that_it_shows() -> None:
    """Eight rows are missed at a stated offset, the others give way to rows that write the same."""
    offsets, instead = _told(crippled("rolling-restart"))
    assert offsets == ROLLING_OFFSETS
    assert instead == {
        **{row: {_without(FENCES, row): 10} for row in FENCES},
        **{row: {_without(FENCES_AGAIN, row): 5} for row in FENCES_AGAIN},
        "BA1": {("EL3",): 11},
        "EL3": {("BA1",): 11},
        "R1": {("R2", "R2u"): 4},
        "NO1": {("FE10",): 55},
    }


def _judged_without(log: MetadataLog, protocol: Protocol, row: str) -> int | None:
    result = Monitor(protocol.without(row, why="to see whether a log needs the row")).judge(log)
    assert (result.verdict is Verdict.CONFORMS) is (not result.violations)
    return next((v.offset for v in result.violations), None)


@pytest.mark.representative("NO1")
@pytest.mark.parametrize("row", ["NO1", "HB6", "F1", "R1"])
def test_leaving_a_row_out_while_reading_is_judging_without_it(row: str) -> None:
    """The offset is that of the first violation where the whole log is checked without the row."""
    found = {one.row: one.offset for one in crippled("first-boot").removals}
    assert _judged_without(recorded("first-boot"), KRAFT, row) == found[row]


def test_each_row_of_the_toy_left_out() -> None:
    """Every row that a small log shows is missed where it is first needed, or gives way to the one like it."""
    made = toy.log(*three_brokers(), [NOTHING, changes(0, isr=[2, 3], leader=2), fences(1, 1)], [NOTHING])
    found = without_rows(made, toy.TOY)
    assert found.removals == (
        Removal("RG", 3, 1, {}),
        Removal("UP", 3, 4, {}),
        Removal("DOWN", 1, None, {("LOST",): 1}),
        Removal("LOST", 1, None, {("DOWN",): 1}),
        Removal("MK", 1, 7, {}),
        Removal("NO", 2, 9, {}),
    )
    assert found.missed == 4
    for one in found.removals:
        assert _judged_without(made, toy.TOY, one.row) == one.offset


# -- told --------------------------------------------------------------------------------------------------------------
def test_both_measures_are_text_and_json() -> None:
    """Their text fits in 100 columns and has every kind, class and row; their JSON is values."""
    found, without = altered("first-boot"), crippled("rolling-restart")
    lines = [*found.text(), *without.text()]
    assert max(map(len, lines)) <= COLUMNS
    text = "\n".join(lines)
    assert all(f"{one.field}, {one.change}" in text for one in found.asked)
    assert "R2  6 results, unexplained at offset 61" in text
    assert "EL3  11 results, conforms: BA1 (11) instead" in text
    document = json.loads(
        json.dumps({"alterations": found.as_json(), "without_rows": [one.as_json() for one in without.removals]})
    )
    assert document["alterations"]["asked"] == sum(one["asked"] for one in document["alterations"]["alterations"])
    assert {"row": "EL3", "results": 11, "offset": None, "instead": [{"rows": ["BA1"], "count": 11}]} in document[
        "without_rows"
    ]


def test_the_command_measures_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--sensitivity` adds both measures to the document and the page, and leaves the verdict as it is."""
    path = alter.ending_with(recorded("rolling-restart"), 12, lambda messages: messages, tmp_path)
    capsys.readouterr()
    assert main(["conform", str(path), "--sensitivity", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (log,) = document["logs"]
    assert log["verdict"] == "conforms"
    measured = log["sensitivity"]
    assert measured["alterations"]["asked"] == 9
    assert [one["row"] for one in measured["without_rows"]] == ["R1", "AC1", "CR1", "NO1"]
    assert main(["conform", str(path)]) == 0
    page = capsys.readouterr().out
    assert main(["conform", str(path), "--sensitivity"]) == 0
    more = capsys.readouterr().out
    assert more.startswith(page.rstrip("\n"))
    assert "fields altered one at a time: 9, of these 6 (66.7%) still explained by a row" in more
    assert max(map(len, more.splitlines())) <= COLUMNS


def test_the_measures_are_not_made_on_spark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--sensitivity` with `--spark` is refused in a sentence that says what to leave out."""
    assert main(["conform", str(tmp_path), "--sensitivity", "--spark"]) == 2
    assert "leave out --spark" in capsys.readouterr().err
