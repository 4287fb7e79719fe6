"""Registrations and blocks of producer ids as Kafka's own classes answered them."""

import gzip
import json

import pytest

from fencepost.reference.kraft.answers.registrations import KINDS

from .replayed import RECORDED


@pytest.mark.parametrize(("kind", "count"), [("broker-registration", 862), ("producer-ids", 22)])
def test_the_reference_answers_as_kafka_did(kind: str, count: int) -> None:
    """Every recorded line has the error, epoch, atomicity and records of 4.4.0, with no difference."""
    with gzip.open(RECORDED / "oracle" / f"{kind}-sample.ndjson.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    different = [(line, told) for line in lines if (told := KINDS[kind](line)) != line["out"]]
    assert different == []
    assert len(lines) == count


@pytest.mark.parametrize(
    ("first", "second", "out"),
    [
        ("0", "0", {"first": "ok", "second": "RuntimeException", "nextBlockFirst": "0"}),
        ("0", "1", {"first": "ok", "second": "ok", "nextBlockFirst": "1"}),
        ("-5", "-1", {"first": "ok", "second": "ok", "nextBlockFirst": "-1"}),
        ("-1", "-5", {"first": "ok", "second": "RuntimeException", "nextBlockFirst": "-1"}),
    ],
)
def test_the_first_block_is_taken_whatever_it_says(first: str, second: str, out: dict[str, str]) -> None:
    """Kafka 4.4.0 asks that producer ids rise only once a record has said one: the first may be zero or less."""
    assert KINDS["producer-ids"]({"op": "replay2", "first": first, "second": second}) == out
