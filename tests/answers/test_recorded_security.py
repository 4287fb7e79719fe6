"""What Kafka's own classes answered about access control, credentials, tokens and quotas, against the rows."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.answers.adapters import KINDS
from fencepost.checkers.conformance.answers.judge import Difference, judge, read_lines
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.security import ACCESS_CONTROL, QUOTAS, SCRAM, TOKENS
from fencepost.model.language import FALSE, Protocol, only_if

ORACLE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle"
WHY = "an edit that the answers must notice"

TABLES = {"acls": ACCESS_CONTROL, "scram": SCRAM, "tokens": TOKENS, "quotas": QUOTAS}
"""The table that answers each kind."""

LINES = {"acls": 1115, "scram": 1111, "tokens": 1092, "quotas": 1348}
"""How many lines of each kind are recorded."""

NOT_ASKED = {
    "acls": {},
    "scram": {},
    "tokens": {"no row says how many tokens are swept at once": 5},
    "quotas": {"an entity without a key is asked of no row": 1},
}
"""What no row is asked about, with the reason."""

ROWS = [(kind, row.id) for kind, table in TABLES.items() for row in table.rows]
WRITING = [(kind, row.id) for kind, table in TABLES.items() for row in table.rows if row.effects]


@cache
def lines(kind: str) -> tuple[Mapping[str, Any], ...]:
    """The recorded lines of a kind."""
    return tuple(read_lines(ORACLE / f"{kind}.ndjson.gz"))


@cache
def answered(kind: str) -> Mapping[str, list[Mapping[str, Any]]]:
    """The recorded lines of a kind, by the rows that answer them."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines(kind):
        for row in judge(KINDS[kind], [line]).rows:
            found.setdefault(row, []).append(line)
    return found


def differences(kind: str, row: str, protocol: Protocol) -> tuple[Difference, ...]:
    """Where tables with another row answer otherwise than Kafka."""
    return judge(replace(KINDS[kind], protocol=protocol), answered(kind)[row]).differences


@pytest.mark.representative("scram", "tokens")
@pytest.mark.parametrize("kind", TABLES)
def test_the_rows_answer_as_kafka_does(kind: str) -> None:
    """On every recorded request, of one part or several, the rows give Kafka's answers and records; every row does."""
    found = judge(KINDS[kind], lines(kind))
    assert found.differences == ()
    assert found.skipped == NOT_ASKED[kind]
    assert found.lines + sum(found.skipped.values()) == LINES[kind]
    assert set(found.rows) == {row.id for row in TABLES[kind].rows}


@pytest.mark.parametrize("kind", TABLES)
def test_no_input_is_recorded_twice(kind: str) -> None:
    """The lines of a kind are different questions."""
    asked = [repr(sorted((name, repr(value)) for name, value in line.items() if name != "out")) for line in lines(kind)]
    assert len(set(asked)) == len(asked)


@pytest.mark.representative("scram-SC2", "tokens-TK2")
@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_row_left_out_is_noticed(kind: str, row: str) -> None:
    """Without a row, the next one in the order of checks or none at all answers, otherwise than Kafka on some line."""
    assert differences(kind, row, KRAFT.without(row, why=WHY))


@pytest.mark.representative("scram-SC6", "tokens-TK10")
@pytest.mark.parametrize(("kind", "row"), WRITING)
def test_a_row_that_writes_nothing_is_noticed(kind: str, row: str) -> None:
    """The records of a row that writes are Kafka's: without them they are missing."""
    edited = KRAFT.but(row, effects=(only_if(FALSE, *KRAFT.row(row).effects),), why=WHY)
    assert "recs" in {one.field for one in differences(kind, row, edited)}
