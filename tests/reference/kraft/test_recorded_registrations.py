"""Registrations and blocks of producer ids as Kafka's own classes answered them."""

from __future__ import annotations

import gzip
import json

import pytest

from fencepost.checkers.cli.reference_registrations import KINDS

from .replayed import RECORDED


@pytest.mark.parametrize(("kind", "count"), [("broker-registration", 862), ("producer-ids", 15)])
def test_the_reference_answers_as_kafka_did(kind: str, count: int) -> None:
    """Every recorded line has the error, epoch, atomicity and records of 4.4.0, with no difference."""
    with gzip.open(RECORDED / "oracle" / f"{kind}-sample.ndjson.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    different = [(line, told) for line in lines if (told := KINDS[kind](line)) != line["out"]]
    assert different == []
    assert len(lines) == count
