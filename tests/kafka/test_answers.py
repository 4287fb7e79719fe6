"""Kafka's own classes, asked again: the recorded answers are what the published jars answer, line by line."""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.answers.adapters import KINDS
from fencepost.checkers.conformance.answers.judge import judge

from .questions import KINDS as ABOUT_PARTITIONS
from .questions import Line, questions
from .security_questions import KINDS as ABOUT_SECURITY

pytestmark = pytest.mark.kafka

ROOT = Path(__file__).resolve().parents[2]
ORACLE = ROOT / "traces" / "recorded" / "oracle"
RECORDED: tuple[Callable[[], Iterator[Line]], ...] = (*ABOUT_PARTITIONS, *ABOUT_SECURITY)
Asks = Callable[[Sequence[str]], list[str]]


@pytest.fixture(scope="module")
def ask(asked: Callable[[str, Sequence[str]], list[str]]) -> Asks:
    """Return a function that puts questions to the managers of Kafka 4.4.0 and returns its answers."""
    return partial(asked, "org.apache.kafka.controller.Answers")


@pytest.mark.representative("acls")
@pytest.mark.parametrize("kind", RECORDED, ids=[one.__name__ for one in RECORDED])
def test_the_recorded_answers_are_those_of_the_published_classes(kind: Callable[[], Iterator[Line]], ask: Asks) -> None:
    """The questions of a kind, put to Kafka 4.4.0 again, are answered as recorded, to the letter."""
    with gzip.open(ORACLE / f"{kind.__name__}.ndjson.gz", "rt", encoding="utf-8") as file:
        recorded = file.read().splitlines()
    assert ask(questions(kind)) == recorded


def test_a_question_that_is_not_recorded(ask: Asks) -> None:
    """Kafka can be asked unrecorded questions: five brokers, and the rows answer as it does."""
    brokers: list[Any] = [["ICS" if b == 2 else "ACTIVE", [f"d{b}"], []] for b in range(1, 6)]
    partition = {"rep": [2, 5, 4, 3, 1], "isr": [2, 3, 4], "ld": 3, "dirs": ["d2", "d5", "d4", "d3", "d1"]}
    line = {
        "op": "preferred", "mv": "4.4-IV2", "E": 0, "brokers": brokers, "topics": {"t": [partition]}, "configs": [],
        "topic": "t", "p": 0,
    }  # fmt: skip
    (answer,) = ask([json.dumps(line)])
    found = judge(KINDS["elections"], [json.loads(answer)])
    assert json.loads(answer)["out"]["error"] == "PREFERRED_LEADER_NOT_AVAILABLE"
    assert found.differences == ()


def test_a_replica_that_was_removed_and_added_again_is_elected(ask: Asks) -> None:
    """D15: removed, broker 2 is eligible; added again, it still is; and it leads, unmarked, once broker 1 is fenced."""
    both = {"rep": [1, 2], "dirs": ["d1", "d2"], "ld": 1}
    stays, removed = {**both, "isr": [1, 2]}, {"rep": [1], "dirs": ["d1"], "isr": [1], "ld": 1, "elr": [2]}
    added = {**both, "isr": [1], "elr": [2], "add": [2]}

    def line(op: str, partition: dict[str, Any], **more: Any) -> str:
        about = {
            "mv": "4.4-IV2", "E": 1, "brokers": [["ACTIVE", [f"d{b}"], []] for b in (1, 2)], "topic": "t", "p": 1,
            "topics": {"t": [stays, partition]}, "configs": [["TOPIC", "t", "min.insync.replicas", "2"]],
        }  # fmt: skip
        return json.dumps({"op": op, **about, **more})

    lines = [
        line("reassign", stays, target=[1]), line("reassign", removed, target=[1, 2]), line("fence", added, broker=1),
    ]  # fmt: skip
    change, again, fenced = (json.loads(one)["out"]["recs"] for one in ask(lines))
    assert [(one["isr"], one["elr"]) for one in change] == [([1], [2])]
    assert [(one["add"], "elr" in one) for one in again] == [([2], False)]
    [last] = [one for one in fenced if one["p"] == 1]
    assert (last["ld"], last["isr"], last["elr"], "rec" in last) == (2, [2], [1], False)
