"""What Kafka's own classes answered, against the reference controller."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.answers.kinds import KINDS, answer
from fencepost.reference.kraft.controller.partition_change_builder import PartitionChangeBuilder
from tests.cases import each

ORACLE = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "oracle"
LINES = {
    "partition-change-builder": 4931,
    "alter-partition": 993,
    "broker-heartbeat": 170,
    "broker-registration": 862,
    "producer-ids": 22,
    "configurations": 1570,
    "features": 1866,
    "elections": 3212,
    "reassignment": 2424,
    "topics": 1683,
    "acls": 1115,
    "scram": 1111,
    "tokens": 1092,
    "quotas": 1348,
}


def recorded(kind: str) -> list[dict[str, Any]]:
    """The recorded lines of a kind: a sample, or all of them."""
    [path] = (one for one in ORACLE.glob(f"{kind}*.gz") if one.name.split(".")[0].removesuffix("-sample") == kind)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.representative("4")
@pytest.mark.parametrize("every", [4, 1])
@each("kind", LINES)
def test_the_reference_answers_as_kafka_does(kind: str, every: int) -> None:
    """On every recorded input, or every fourth, the reference writes Kafka's records and gives Kafka's answer."""
    lines = recorded(kind)
    wrong = []
    for number, line in enumerate(lines[::every]):
        out = line["out"] if isinstance(line["out"], dict) else {"out": line["out"]}
        told = answer(kind, line)
        if told != out:
            wrong.append((number, out, told))
    assert wrong == []
    assert len(lines) == LINES[kind]


def test_a_kind_that_nobody_knows_has_no_answer() -> None:
    """The reference says nothing where it cannot be asked."""
    assert answer("rolls of dice", {}) is None
    assert set(KINDS) == set(LINES)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_complete_reassignment_if_needed", lambda self: None),
        ("_populate_target_elr", lambda self: None),
        ("_bump_leader_epoch_for_reassignment", lambda self: None),
        ("_bump_leader_epoch_for_isr_shrink", lambda self: None),
        ("_update_elr", lambda self: None),
        ("_update_isr", lambda self: None),
        ("_update_last_known_leader", lambda self: None),
        ("_can_elect_last_known_leader", lambda self: False),
    ],
)
def test_every_step_of_the_builder_is_held(monkeypatch: pytest.MonkeyPatch, attribute: str, value: Any) -> None:
    """Without any one of its steps the builder gives another answer than Kafka on some recorded line."""
    monkeypatch.setattr(PartitionChangeBuilder, attribute, value)
    lines = recorded("partition-change-builder")
    assert any(
        answer("partition-change-builder", line) != (line["out"] if isinstance(line["out"], dict) else {"out": None})
        for line in lines
    )
