"""`fencepost answers` with the reference controller beside the rows."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.answers import kinds


@pytest.fixture
def two_lines(recorded: Path, tmp_path: Path) -> Path:
    """The first two recorded heartbeats."""
    with gzip.open(recorded / "oracle" / "broker-heartbeat-sample.ndjson.gz", "rt", encoding="utf-8") as lines:
        text = next(lines) + next(lines)
    path = tmp_path / "broker-heartbeat.ndjson"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_reference_is_asked_too(fencepost_says: Callable[..., Any], two_lines: Path) -> None:
    """The page says how many lines the reference answered."""
    assert "the reference controller answered 2 of them" in fencepost_says("answers", two_lines).out


def test_a_difference_of_the_reference_alone_is_one(
    fencepost_says: Callable[..., Any], two_lines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only the reference says something else the command ends with 6, and the rows are given as Kafka."""
    right = kinds.KINDS["broker-heartbeat"]

    def wrong(line: Any) -> dict[str, Any]:
        return {**right(line), "next": "NOWHERE"}

    monkeypatch.setitem(kinds.KINDS, "broker-heartbeat", wrong)
    document = fencepost_says("answers", two_lines, "--json").document
    assert (document["verdict"], document["exit_code"], document["reference"]) == ("violates", 6, 2)
    assert [(one["line"], one["field"], one["reference"]) for one in document["differences"]] == [
        (1, "next", "NOWHERE"),
        (2, "next", "NOWHERE"),
    ]
    assert all(one["kafka"] == one["tables"] for one in document["differences"])
    assert 'reference "NOWHERE"' in fencepost_says("answers", two_lines).out


def test_a_reference_that_fails_is_a_difference(
    fencepost_says: Callable[..., Any], two_lines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that the reference cannot bear is reported with its line, and does not end the command."""

    def fails(line: Any) -> dict[str, Any]:
        raise RuntimeError("no such partition")

    monkeypatch.setitem(kinds.KINDS, "broker-heartbeat", fails)
    document = fencepost_says("answers", two_lines, "--json").document
    faults = [one for one in document["differences"] if one["field"] == "fault"]
    assert [(one["line"], one["reference"]) for one in faults] == [
        (1, "RuntimeError: no such partition"),
        (2, "RuntimeError: no such partition"),
    ]


def test_without_a_reference_the_rows_answer_alone(
    fencepost_says: Callable[..., Any], two_lines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kind that the reference cannot be asked is checked by the rows; the reference is null in its differences."""
    monkeypatch.delitem(kinds.KINDS, "broker-heartbeat")
    first, second = (json.loads(line) for line in two_lines.read_text(encoding="utf-8").splitlines())
    second["out"]["next"] = "NOWHERE"
    two_lines.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n", encoding="utf-8")
    document = fencepost_says("answers", two_lines, "--json").document
    assert document["reference"] == 0
    [one] = document["differences"]
    assert one["reference"] is None
