"""What Kafka's own classes answered, against the rows."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest

from fencepost.checkers.conformance.answers.adapters import KINDS
from fencepost.checkers.conformance.answers.brokers import BROKER_HEARTBEAT, BROKER_REGISTRATION, PRODUCER_IDS
from fencepost.checkers.conformance.answers.judge import Kind, Question, answered, judge, read_lines
from fencepost.checkers.conformance.answers.partitions import ALTER_PARTITION, PARTITION_CHANGE_BUILDER
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import KRAFT
from fencepost.model.language import FALSE, TRUE, Step, Term
from tests.cases import each
from tests.conformance.interpreted import ran

ORACLE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle"

LEAST = {
    "partition-change-builder": 4000,
    "broker-heartbeat": 150,
    "broker-registration": 800,
    "alter-partition": 900,
    "producer-ids": 22,
}
"""At least so many lines of each kind are recorded."""


def lines(kind: Kind, step: int = 1) -> list[Mapping[str, Any]]:
    """Every `step`-th recorded line of a kind."""
    return list(islice(read_lines(ORACLE / f"{kind.name}-sample.ndjson.gz"), 0, None, step))


@pytest.mark.representative("broker-heartbeat", "broker-registration", "producer-ids")
@pytest.mark.parametrize("kind", [KINDS[name] for name in LEAST], ids=list(LEAST))
def test_the_rows_answer_as_kafka_does(kind: Kind) -> None:
    """On every recorded input the one row that applies gives Kafka's records and Kafka's answer, field by field."""
    recorded = lines(kind)
    found = judge(kind, recorded)
    assert found.lines == len(recorded) >= LEAST[kind.name]
    assert not found.skipped
    assert found.differences == ()


@each("name", KINDS)
def test_compiled_rows_answer_as_the_interpreter_does(name: str) -> None:
    """On recorded inputs a compiled row has the answer, the records and the state after it that the interpreter has."""
    kind, count = KINDS[name], 0
    (file,) = ORACLE.glob(f"{name}*.ndjson.gz")
    for line in islice(read_lines(file), 0, None, 53):
        # Of a request that only validates nothing is done.
        question = None if kind.skip(line) or line.get("dry") else kind.ask(line)
        found = answered(kind.protocol, question) if isinstance(question, Question) else None
        if found is None or len(found.outcome.parts) != 1:
            continue
        count += 1
        execution, changed = ran(found.part.row, found.part.binding, found.controller)
        numbers = found.controller.shape.numbers
        alike = found.controller.copy()
        alike.apply([(numbers[of], keys[0] if len(keys) == 1 else keys, x) for (of, keys), x in changed.items()])
        assert found.after.cells.tables == alike.cells.tables
        assert found.part.answer == execution.answer
        written = [one for group in execution.records for one in group]
        assert [one.value.record for one in found.records] == [one.record for one in written]
        for one, other in zip(found.records, written, strict=True):
            # A list that is written only where it is another one than is stored may be left out.
            left_out = {field.name for field in other.record.fields if field.already is not None}
            assert one.value.fields == {n: x for n, x in other.fields.items() if n in one.value.fields}
            assert other.fields.keys() - one.value.fields.keys() <= left_out
    assert count >= 1


def test_every_heartbeat_row_and_every_alter_row_answers() -> None:
    """The recordings reach every row of the heartbeat table and of AlterPartition: each is held to something."""
    heartbeats = judge(BROKER_HEARTBEAT, lines(BROKER_HEARTBEAT)).rows
    assert set(heartbeats) == {f"HB{n}" for n in range(1, 12)}
    assert set(judge(ALTER_PARTITION, lines(ALTER_PARTITION)).rows) == {f"A{n}" for n in range(1, 15)}


@pytest.mark.representative("completes", "shrinks")
@pytest.mark.parametrize(
    "name",
    [
        "completes",
        "enough_in_sync",
        "candidates",
        "valid",
        "recalled",
        "moves",
        "gives_up",
        "isr_said",
        "shrinks",
        "remembers",
    ],
)
def test_an_edited_step_of_the_builder_changes_the_answers(name: str) -> None:
    """Each step of the builder is held by recorded answers: another one in its place gives other answers."""

    def other(body: Term[Any]) -> Term[Any]:
        from fencepost.model.kraft.state import BROKER
        from fencepost.model.language import nobody, none_of

        if body.kind == FALSE.kind:
            return FALSE if name not in ("enough_in_sync",) else ~body
        return nobody(BROKER) if name in ("candidates", "valid") else none_of(BROKER)

    edited = PARTITION_CHANGE_BUILDER.protocol.redefine(name, other, why="a step left out")
    kind = replace(PARTITION_CHANGE_BUILDER, protocol=edited)
    found = judge(kind, lines(kind, step=1 if name == "recalled" else 7), limit=1)
    assert found.differences


def test_an_edited_row_changes_the_answers() -> None:
    """A guard of AlterPartition left out is seen by the recorded answers: the adapters compute nothing."""
    kind = replace(ALTER_PARTITION, protocol=KRAFT.without("A13", why="ineligible members let in"))
    found = judge(kind, lines(kind), limit=1000)
    assert {difference.rows for difference in found.differences} == {("A14",)}


@pytest.mark.representative("RG3", "R1")
@pytest.mark.parametrize(
    ("left_out", "answers_instead"),
    [
        ("RG1", {"RG2", "RG3", "RG4", "RG5", "RG6", "RG7", "R1", "R2", "R2u", "R3"}),
        ("RG2", {"RG3", "RG4", "RG5", "RG6", "RG7", "R2", "R2u"}),
        ("RG3", {"RG4", "RG5", "RG6", "RG7", "R1", "R2", "R2u", "R3"}),
        ("RG4", {"RG5", "RG6", "RG7", "R1", "R2", "R2u", "R3"}),
        ("RG5", {"RG7", "R1", "R2", "R2u", "R3"}),
        ("RG6", {"RG7", "R1", "R2", "R2u", "R3"}),
        ("R1", {"R2", "R2u"}),
        ("R2", {"R2u"}),
    ],
    ids=["RG1", "RG2", "RG3", "RG4", "RG5", "RG6", "R1", "R2"],
)
def test_each_refusal_of_a_registration_is_recorded(left_out: str, answers_instead: set[str]) -> None:
    """Without a row the next ones in the order of checks answer, and say something else than Kafka on some line."""
    kind = replace(BROKER_REGISTRATION, protocol=KRAFT.without(left_out, why="a check left out"))
    found = judge(kind, lines(kind))
    instead = {row for difference in found.differences for row in difference.rows}
    assert instead <= answers_instead
    # A first registration and a later one write the same where no partition is concerned.
    assert instead or left_out in ("R1", "R2")


def _registration(**said: Any) -> dict[str, Any]:
    asked = {
        "mv": "4.4-IV2", "E": 1, "existing": "FENCED", "storedEpoch": 5, "sameIncarnation": False, "session": False,
        "previousEpoch": 5, "detect": True, "zk": False, "dirs": "ok", "features": "ok", "cluster": True, "next": 9,
    }  # fmt: skip
    return {**asked, **said, "out": {}}


@each(
    ("said", "answer"),
    [
        ({"features": "noElr"}, {"error": "UNSUPPORTED_VERSION"}),
        ({"features": "noElr", "E": 0, "existing": "NONE"}, {"error": "NONE", "epoch": 9, "dirs": 2}),
        ({"features": "noMv"}, {"error": "INVALID_REGISTRATION"}),
        ({"features": "elrMaxZero"}, {"error": "UNSUPPORTED_VERSION"}),
        ({"features": "mvMaxTooLow"}, {"error": "UNSUPPORTED_VERSION"}),
        ({"features": "mvMinTooHigh"}, {"error": "UNSUPPORTED_VERSION"}),
        ({"dirs": "duplicate", "features": "noElr"}, {"error": "INVALID_REGISTRATION"}),
        ({"session": True, "zk": True}, {"error": "DUPLICATE_BROKER_REGISTRATION"}),
        ({"session": True, "sameIncarnation": True}, {"error": "NONE", "epoch": 5, "dirs": 2}),
        ({"detect": False}, {"error": "NONE", "epoch": 9, "dirs": 2, "change": {"elr": []}}),
        ({}, {"error": "NONE", "epoch": 9, "dirs": 2}),
        (
            {"existing": "UNFENCED"},
            {"error": "NONE", "epoch": 9, "dirs": 2, "change": {"isr": [2], "ld": 2, "elr": [1]}},
        ),
        (
            {"existing": "UNFENCED", "previousEpoch": 4},
            {"error": "NONE", "epoch": 9, "dirs": 2, "change": {"isr": [2], "ld": 2}},
        ),
    ],
)
def test_registrations_beyond_the_sample(said: dict[str, Any], answer: dict[str, Any]) -> None:
    """Where the sample has no line, the checks come in Kafka's order, and an unclean restart costs the ELR (7.3)."""
    told = {one.field: one.tables for one in judge(BROKER_REGISTRATION, [_registration(**said)]).differences}
    assert told["error"] == answer["error"]
    if answer["error"] == "NONE":
        *changes, registration = told["recs"]
        assert (told["epoch"], registration["dirs"]) == (answer["epoch"], answer["dirs"])
        expected = [{"t": "PartitionChange", "v": 2, "p": 0, **answer["change"]}] if "change" in answer else []
        assert changes == expected


def test_a_guard_of_producer_ids_left_out_changes_the_answers() -> None:
    """Without the check of the epoch, or of the last block, somebody gets a block whom Kafka refuses."""
    for row in ("PI1", "PI2"):
        kind = replace(PRODUCER_IDS, protocol=KRAFT.without(row, why="a check left out"))
        assert {one.field for one in judge(kind, lines(kind)).differences} == {"row"}


def test_a_block_of_producer_ids_replayed_is_judged_by_its_claim() -> None:
    """A record that does not raise the next id is refused because the claim says so: without it none is."""
    weak = cast("Step", KRAFT.property("L10"))
    kind = replace(PRODUCER_IDS, protocol=KRAFT.claiming(replace(weak, term=TRUE), why="nothing claimed"))
    recorded = lines(kind)
    found = judge(kind, recorded).differences
    refused = [n for n, line in enumerate(recorded, 1) if line["out"].get("second") == "RuntimeException"]
    assert refused
    assert sorted({one.line for one in found}) == refused
    assert {one.field for one in found} == {"second", "nextBlockFirst"}


@pytest.mark.parametrize(
    ("first", "second", "out"),
    [
        ("5", "5", {"first": "ok", "second": "RuntimeException", "nextBlockFirst": "5"}),
        ("0", "1", {"first": "ok", "second": "ok", "nextBlockFirst": "1"}),
        ("0", "0", {"first": "ok", "second": "RuntimeException", "nextBlockFirst": "0"}),
        (
            "9223372036854775806",
            "9223372036854775807",
            {"first": "ok", "second": "ok", "nextBlockFirst": "9223372036854775807"},
        ),
    ],
)
def test_the_next_producer_id_rises_strictly(first: str, second: str, out: dict[str, str]) -> None:
    """The same id again is refused, but the first record may say 0; the largest numbers of 64 bits differ."""
    line = {"op": "replay2", "first": first, "second": second, "out": out}
    assert judge(PRODUCER_IDS, [line]).differences == ()


@each(
    ("kind", "hurt"),
    [
        (BROKER_REGISTRATION, {"dirs": "some"}),
        (BROKER_REGISTRATION, {"next": "soon"}),
        (BROKER_REGISTRATION, {"mv": "9.9-IV9"}),
        (PRODUCER_IDS, {"op": "guess"}),
        (PRODUCER_IDS, {"next": "many"}),
        (ALTER_PARTITION, {"newIsr": [1, 2, 3, 4, 5, 6]}),
        (ALTER_PARTITION, {"le": None}),
        (BROKER_HEARTBEAT, {"off": "far"}),
        (PARTITION_CHANGE_BUILDER, {"el": "Q"}),
        (PARTITION_CHANGE_BUILDER, {"rep": None}),
        (PARTITION_CHANGE_BUILDER, {"tIrs": [1]}),
        (BROKER_HEARTBEAT, {"color": "red"}),
        (BROKER_HEARTBEAT, {"st": "NAPPING"}),
        (BROKER_HEARTBEAT, {"wantFence": "no"}),
        (ALTER_PARTITION, {"brokers": [["ASLEEP", 1]]}),
        (BROKER_REGISTRATION, {"session": 1}),
    ],
)
def test_a_line_with_a_wrong_value_is_refused_in_one_sentence(kind: Kind, hurt: dict[str, Any]) -> None:
    """A column that nothing reads and a value that is none of its column's are refused with their line's number."""
    recorded = [dict(line) for line in lines(kind)[:3]]
    recorded[2] |= hurt
    with pytest.raises(Refusal, match=r"line 3: not an input of kind [a-z-]+ \(.+\); check --kind") as refused:
        judge(kind, recorded)
    assert "\n" not in str(refused.value)


def test_an_altered_answer_is_a_difference_with_its_line_and_field() -> None:
    """Where Kafka's answer is another, the difference names the line, the field, both values and the row."""
    recorded = [dict(line) for line in lines(BROKER_HEARTBEAT)[:5]]
    recorded[3]["out"] = {**recorded[3]["out"], "shutDown": not recorded[3]["out"]["shutDown"]}
    (difference,) = judge(BROKER_HEARTBEAT, recorded).differences
    assert (difference.line, difference.field) == (4, "shutDown")
    assert difference.kafka is not difference.tables
    assert len(difference.rows) == 1


def test_the_order_of_records_counts() -> None:
    """Two records in the other order are a difference: the fan-out's order is Kafka's."""
    line = next(dict(one) for one in lines(BROKER_HEARTBEAT) if len(one["out"]["recs"]) == 2)
    line["out"] = {**line["out"], "recs": list(reversed(line["out"]["recs"]))}
    assert [d.field for d in judge(BROKER_HEARTBEAT, [line]).differences] == ["recs"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "nothing was compared"),
        ("not json\n", "no JSON object"),
        ('{"a": 1}\n', "no field `out`"),
        (json.dumps({"out": {}}) + "\n", "check --kind"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_sentence(tmp_path: Path, content: str, says: str) -> None:
    """An empty file, text, other objects, and another kind's lines are refused, never counted as agreement."""
    path = tmp_path / "answers.ndjson"
    path.write_text(content)
    with pytest.raises(Refusal, match=says):
        judge(BROKER_HEARTBEAT, read_lines(path))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A torn gzip file is refused with its name."""
    path = tmp_path / "torn.ndjson.gz"
    path.write_bytes(gzip.compress(b'{"out": 1}\n' * 50)[:-12])
    with pytest.raises(Refusal, match=r"torn\.ndjson\.gz"):
        list(read_lines(path))
