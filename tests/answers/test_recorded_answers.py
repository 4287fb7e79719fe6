"""What Kafka's own classes answered, against the rows."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.adapters import (
    ALTER_PARTITION,
    BROKER_HEARTBEAT,
    KINDS,
    PARTITION_CHANGE_BUILDER,
)
from fencepost.checkers.conformance.answers import Kind, judge, read_lines
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import KRAFT
from fencepost.model.language import FALSE, Term

ORACLE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle"


def lines(kind: Kind, step: int = 1) -> list[Mapping[str, Any]]:
    """Every `step`-th recorded line of a kind."""
    return list(islice(read_lines(ORACLE / f"{kind.name}-sample.ndjson.gz"), 0, None, step))


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_rows_answer_as_kafka_does(kind: Kind) -> None:
    """On every recorded input the one row that applies gives Kafka's records and Kafka's answer, field by field."""
    recorded = lines(kind)
    found = judge(kind, recorded)
    assert found.lines == len(recorded) > 100
    assert not found.skipped
    assert found.differences == ()


def test_every_heartbeat_row_and_every_alter_row_answers() -> None:
    """The recordings reach every row of the heartbeat table and of AlterPartition: each is held to something."""
    heartbeats = judge(BROKER_HEARTBEAT, lines(BROKER_HEARTBEAT)).rows
    assert set(heartbeats) == {f"HB{n}" for n in range(1, 12)}
    assert set(judge(ALTER_PARTITION, lines(ALTER_PARTITION)).rows) == {f"A{n}" for n in range(1, 15)}


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
