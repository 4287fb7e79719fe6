"""The tables of a Spark run: their schemas, a result as rows of them, and the result again of its rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast, get_args, get_origin, get_type_hints

import pyarrow as pa

from fencepost.checkers.cause import Cause, Evidence
from fencepost.checkers.conformance.results.results import (
    Doubt,
    LogFinding,
    LogResult,
    PropertyEvidence,
    Span,
    Violation,
)
from fencepost.checkers.conformance.strict import checked_by, protocol_named, release_named
from fencepost.checkers.verdicts import Verdict

TEXTS = pa.list_(pa.string())
NUMBERS = pa.list_(pa.int64())
COUNTS = pa.map_(pa.string(), pa.int64())

_VIOLATION = {
    "rule": pa.string(),
    "offset": pa.int64(),
    "segment": pa.string(),
    "position": pa.int64(),
    "entity": pa.string(),
    "message": pa.string(),
    "possibly_uncommitted": pa.bool_(),
    "folded": NUMBERS,
    "screen": TEXTS,
    "cause": pa.string(),
    "evidence": pa.list_(pa.struct([("cause", pa.string()), ("offset", pa.int64()), ("message", pa.string())])),
}
_LOG = {"number": pa.int64(), "path": pa.string()}


def _struct(**columns: pa.DataType) -> pa.StructType:
    return pa.struct(list(columns.items()))


LOGS = _struct(
    **_LOG,
    protocol=pa.string(),
    verdict=pa.string(),
    unreadable=pa.bool_(),
    releases=TEXTS,
    spans=pa.list_(
        _struct(
            first_offset=pa.int64(), last_offset=pa.int64(), releases=TEXTS, registered=pa.bool_(), migrating=pa.bool_()
        )
    ),
    records=pa.int64(),
    batches=pa.int64(),
    control_records=pa.int64(),
    passed=COUNTS,
    ambiguous=pa.int64(),
    ambiguous_classes=pa.list_(_struct(rows=TEXTS, count=pa.int64())),
    violations=pa.int64(),
    findings=pa.int64(),
    refused=pa.list_(_struct(release=pa.string(), **_VIOLATION)),
    conforms_if=pa.map_(pa.string(), pa.string()),
    cannot=pa.string(),
    quarantined=pa.list_(
        _struct(
            segment=pa.string(),
            start=pa.int64(),
            end=pa.int64(),
            kind=pa.string(),
            reason=pa.string(),
            first_offset=pa.int64(),
            last_offset=pa.int64(),
            line=pa.int64(),
            lines=pa.int64(),
        )
    ),
    undecided=pa.list_(
        _struct(first_offset=pa.int64(), last_offset=pa.int64(), message=pa.string(), folded=NUMBERS, cause=pa.string())
    ),
    properties=pa.list_(_struct(property=pa.string(), judged=pa.int64(), with_premise=pa.int64(), unknown=pa.int64())),
    vacuous=TEXTS,
    rows_never_seen=TEXTS,
    unjudged_fields=COUNTS,
    first_offset=pa.int64(),
    began_with=pa.string(),
    skipped=pa.int64(),
    end_offset=pa.int64(),
    committed_end=pa.int64(),
    possibly_uncommitted=pa.int64(),
    snapshots_compared=pa.int64(),
    in_doubt=pa.int64(),
    notes=TEXTS,
    topics=pa.map_(pa.string(), pa.string()),
    details=pa.string(),
    bytes=pa.int64(),
    seconds=pa.float64(),
    cpu_seconds=pa.float64(),
    host=pa.string(),
    worker=pa.int64(),
    task=pa.int64(),
    parts=pa.int64(),
    carried_bytes=pa.int64(),
    hash=pa.string(),
    attempt=pa.int64(),
)
"""A row a log."""

VIOLATIONS = _struct(**_LOG, ordinal=pa.int64(), **_VIOLATION)
"""A row a violation; `ordinal` counts those of a log, in the order of the log."""

FINDINGS = _struct(
    **_LOG,
    ordinal=pa.int64(),
    finding=pa.string(),
    by=pa.string(),
    offset=pa.int64(),
    entity=pa.string(),
    message=pa.string(),
    certain=pa.bool_(),
    cause=pa.string(),
)
"""A row for each time that a log shows a known finding."""

ROWS = _struct(**_LOG, row=pa.string(), count=pa.int64(), ambiguous=pa.int64())
"""A row for each row of the tables that a log exercised: results that only it explains, and that others explain too."""

SCHEMAS: Mapping[str, pa.StructType] = {"logs": LOGS, "violations": VIOLATIONS, "findings": FINDINGS, "rows": ROWS}
"""The schema of each table."""

MISMATCH = "mismatch"
"""The kind of a row that says why a worker cannot check."""

ANSWERS = pa.schema(
    [("kind", pa.string()), *((name, schema) for name, schema in SCHEMAS.items()), (MISMATCH, pa.string())]
)
"""The schema of the tasks' answers: rows of all tables, each in the column of its `kind`; other columns are null."""

IN_JSON = pa.schema([("kind", pa.string()), ("row", pa.string()), (MISMATCH, pa.string())])
"""The same rows, each as JSON: what tasks answer where their driver makes results of them and no table is written.

A log has some 300 values in its columns, each of which Spark converts on its way.
"""

NOT_MEASURED: Mapping[str, Any] = dict.fromkeys(
    ("bytes", "seconds", "cpu_seconds", "host", "worker", "task", "parts", "carried_bytes", "hash", "attempt")
)
"""The measures of a log that no task took."""

EXPLAINED = "releases"
"""The field of a result with the protocols that explain it; the column of this name has the releases that checked it.
"""

_SAME = (
    "protocol", "cannot", "records", "batches", "control_records", "ambiguous", "first_offset", "began_with", "skipped",
    "end_offset", "committed_end", "snapshots_compared", "in_doubt",
)  # fmt: skip
"""Columns of a log that have the name and the value of a result's field."""


def ddl(kind: pa.DataType) -> str:
    """Return a type as Spark SQL writes it.

    >>> ddl(ROWS)
    'struct<number: bigint, path: string, row: string, count: bigint, ambiguous: bigint>'
    """
    if pa.types.is_struct(kind):
        return f"struct<{columns(kind, ': ')}>"
    if pa.types.is_map(kind):
        return f"map<{ddl(kind.key_type)}, {ddl(kind.item_type)}>"
    if pa.types.is_list(kind):
        return f"array<{ddl(kind.value_type)}>"
    names = {
        pa.string(): "string",
        pa.int64(): "bigint",
        pa.bool_(): "boolean",
        pa.float64(): "double",
        pa.binary(): "binary",
    }
    return names[kind]


def columns(schema: pa.StructType | pa.Schema, between: str = " ") -> str:
    """Return the columns of a schema as Spark SQL writes them."""
    return ", ".join(f"{one.name}{between}{ddl(one.type)}" for one in schema)


# -- to rows -----------------------------------------------------------------------------------------------------------
def rows_of(number: int, result: LogResult, measured: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a result as rows of `ANSWERS`; `measured` are the columns of a log that its result does not have."""
    log = {"number": number, "path": result.path}
    yield {"kind": "logs", "logs": log | _summary(result) | dict(measured)}
    for ordinal, violation in enumerate(result.violations):
        yield {"kind": "violations", "violations": {**log, "ordinal": ordinal, **violation.as_json()}}
    for ordinal, finding in enumerate(result.findings):
        yield {"kind": "findings", "findings": {**log, "ordinal": ordinal, **finding.as_json()}}
    shared = Counter[str]()
    for several, count in result.classes.items():
        shared.update(dict.fromkeys(several, count))
    for row in sorted({*result.rows, *shared}):
        counts = {"row": row, "count": result.rows.get(row, 0), "ambiguous": shared[row]}
        yield {"kind": "rows", "rows": log | counts}


def _summary(result: LogResult) -> dict[str, Any]:
    return {name: getattr(result, name) for name in _SAME} | {
        "verdict": result.verdict.value,
        "unreadable": result.verdict is Verdict.INCONCLUSIVE,
        "releases": checked_by(result),
        "spans": [one.as_json() for one in result.spans],
        "passed": list(result.passed.items()),
        "ambiguous_classes": [{"rows": list(rows), "count": count} for rows, count in result.classes.items()],
        "violations": len(result.violations),
        "findings": len(result.findings),
        "refused": [{"release": release_named(name), **one.as_json()} for name, one in result.refused.items()],
        "conforms_if": list(result.conforms_if.items()),
        "quarantined": list(result.quarantined),
        "undecided": [one.as_json() for one in result.doubts],
        "properties": [
            {"property": id, "judged": one.judged, "with_premise": one.with_premise, "unknown": one.unknown}
            for id, one in result.properties.items()
        ],
        "vacuous": list(result.vacuous),
        "rows_never_seen": list(result.rows_never_seen),
        "unjudged_fields": list(result.unjudged_fields.items()),
        "possibly_uncommitted": result.uncommitted,
        "notes": list(result.notes),
        "topics": list(result.topics.items()),
        "details": json.dumps({name: _plain(getattr(result, name)) for name in _detailed(cast(Any, type(result)))}),
    }


@cache
def _detailed(kind: Any) -> list[str]:
    """The fields of a result that have no column: those that another kind than a metadata log's has beside."""
    columns_of_logs = {one.name for one in fields(LogResult)}
    return [EXPLAINED, *(one.name for one in fields(kind) if one.name not in columns_of_logs)]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def batch_of(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Return rows of the tables as one batch of `ANSWERS`, or of `IN_JSON`."""
    if schema == IN_JSON:
        rows = [row if row["kind"] == MISMATCH else _in_json(row["kind"], row) for row in rows]
    return pa.RecordBatch.from_pylist(list(rows), schema=schema)


def _in_json(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "row": json.dumps(row[kind])}


# -- from rows ---------------------------------------------------------------------------------------------------------
def rows_in(answers: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of the tables that a table of `ANSWERS` or `IN_JSON` holds."""
    if answers.schema.names == IN_JSON.names:
        for kind, row in zip(answers["kind"].to_pylist(), answers["row"].to_pylist(), strict=True):
            yield {"kind": kind, kind: json.loads(row)}
        return
    import pyarrow.compute as pc

    for kind in SCHEMAS:
        for row in answers.filter(pc.equal(answers["kind"], kind))[kind].to_pylist():
            yield {"kind": kind, kind: row}


def results_of(rows: Iterable[Mapping[str, Any]], kind: type[LogResult]) -> dict[int, LogResult]:
    """Return the results, of a kind, that rows of the tables say, by their numbers."""
    of: dict[str, list[Mapping[str, Any]]] = {name: [] for name in SCHEMAS}
    for row in rows:
        of[row["kind"]].append(row[row["kind"]])
    found = {row["number"]: _result(row, kind) for row in of["logs"]}
    for row in sorted(of["violations"], key=_place):
        found[row["number"]].violations.append(_violation(row))
    names = [one.name for one in fields(LogFinding)]
    for row in sorted(of["findings"], key=_place):
        found[row["number"]].findings.append(LogFinding(**{name: row[name] for name in names}))
    for row in of["rows"]:
        if row["count"]:
            found[row["number"]].rows[row["row"]] = row["count"]
    return found


def _place(row: Mapping[str, Any]) -> tuple[int, int]:
    return row["number"], row["ordinal"]


def _violation(row: Mapping[str, Any]) -> Violation:
    values = {name: row[name] for name in _VIOLATION if name != "cause"}
    evidence = [Evidence.of_json(one) for one in row["evidence"]]
    return Violation(**values | {"screen": tuple(row["screen"]), "evidence": evidence})


def _result(row: Mapping[str, Any], kind: type[LogResult]) -> LogResult:
    hints = _hints(cast(Any, kind))
    details = {name: _typed(hints[name], value) for name, value in json.loads(row["details"]).items()}
    return kind(
        row["path"],
        **{name: row[name] for name in _SAME},
        verdict=Verdict(row["verdict"]),
        spans=tuple(
            Span(one["first_offset"], one["last_offset"], tuple(one["releases"]), one["registered"], one["migrating"])
            for one in row["spans"]
        ),
        passed=dict(row["passed"]),
        classes={tuple(one["rows"]): one["count"] for one in row["ambiguous_classes"]},
        refused={protocol_named(one["release"]): _violation(one) for one in row["refused"]},
        conforms_if=dict(row["conforms_if"]),
        quarantined=[_quarantined(one) for one in row["quarantined"]],
        doubts=[
            Doubt(one["first_offset"], one["last_offset"], one["message"], one["folded"], Cause(one["cause"]))
            for one in row["undecided"]
        ],
        properties={
            one["property"]: PropertyEvidence(one["judged"], one["with_premise"], one["unknown"])
            for one in row["properties"]
        },
        vacuous=tuple(row["vacuous"]),
        rows_never_seen=tuple(row["rows_never_seen"]),
        unjudged_fields=dict(row["unjudged_fields"]),
        uncommitted=row["possibly_uncommitted"],
        notes=row["notes"],
        topics=dict(row["topics"]),
        **details,
    )


@cache
def _hints(of: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, which take longer to find than a row to read."""
    return get_type_hints(of)


def _quarantined(one: Mapping[str, Any]) -> dict[str, Any]:
    """Lines of a recording have no bytes, and bytes of a log no lines."""
    if one.get("line") is None:
        return {name: value for name, value in one.items() if name not in ("line", "lines")}
    return {name: one[name] for name in ("segment", "line", "lines", "reason")}


def _typed(kind: Any, value: Any) -> Any:
    """Return a JSON value as the type that a field is declared with."""
    made: Callable[..., Any] = get_origin(kind) or kind
    if is_dataclass(made):
        hints = _hints(made)
        return made(**{name: _typed(hints[name], one) for name, one in value.items()})
    if isinstance(value, dict):
        return (Counter if made is Counter else dict)(value)
    if isinstance(value, list) and made is tuple:
        return tuple(_typed(next(iter(get_args(kind)), Any), one) for one in value)
    return value
