"""The results of `conform`: per log a verdict, what was compared to reach it, and every violation with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, TypedDict

from fencepost.checkers.cause import Cause, Evidence, cause_of
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Verdict, worst
from fencepost.model.language import Protocol
from fencepost.traces import Quarantined
from fencepost.traces.forks import Fork

from .ending import code_of


@dataclass(slots=True)
class Violation(Document):
    """Something in a log that should not be there: the rule, the place, what it is about, and a sentence.

    `rule` is the id of a property, or `unexplained`, `order`, `gap`, `epoch`, `undecodable` or `snapshot`.
    `position` is the byte at which the record's batch begins in its segment. `folded` are offsets of later divergences
    that follow from this one and are not reported by themselves. `screen` shows it on one screen, empty where the
    sentence says everything. `evidence` speaks for what it comes from.
    """

    DOCUMENT = "rule offset segment position entity message possibly_uncommitted folded screen cause evidence"

    rule: str
    offset: int
    segment: str
    entity: str
    message: str
    position: int = 0
    possibly_uncommitted: bool = False
    folded: list[int] = field(default_factory=list)
    screen: tuple[str, ...] = ()
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def cause(self) -> Cause:
        """The cause of a violation, as far as the log can show."""
        return cause_of(self.evidence)

    @property
    def key(self) -> tuple[str, int, str, str]:
        """The key that distinguishes violations: rule, offset, segment, entity."""
        return (self.rule, self.offset, self.segment, self.entity)


@dataclass(frozen=True, slots=True)
class LogFinding(Document):
    """A known finding that a log shows: by a row that explains a record, or by a property that is declared violated.

    `certain` is False where other rows explain the record too.
    """

    DOCUMENT = "finding by offset entity message certain cause"

    cause: ClassVar[Cause] = Cause.KNOWN_DEFECT
    finding: str
    by: str
    offset: int
    entity: str
    message: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Doubt(Document):
    """A reason why a log, or a part of it, is undecided: offsets [first, last] where known, and a sentence.

    `folded` are offsets of later divergences that may follow from it. `cause` is what it comes from.
    """

    DOCUMENT = "first_offset=first last_offset=last message folded cause"

    first: int | None
    last: int | None
    message: str
    folded: list[int] = field(default_factory=list)
    cause: Cause = Cause.CANNOT_TELL


def quarantined_range(one: Quarantined) -> dict[str, Any]:
    """Return an unreadable range of bytes as JSON values."""
    return {
        "segment": one.segment,
        "start": one.start,
        "end": one.end,
        "kind": one.kind,
        "reason": one.reason,
        "first_offset": one.first_offset,
        "last_offset": one.last_offset,
    }


@dataclass(slots=True)
class PropertyEvidence(Document):
    """The checks of a property: instances evaluated, of these with a true premise, and instances left unknown."""

    judged: int = 0
    with_premise: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Span(Document):
    """Consecutive terms that were checked by one release: the offsets [first, last], and the releases, newest first.

    Several explain them equally; the first of these was used where none is `registered`: then the controllers that led
    said which release they run when they registered. With `migrating` they ran with the migration from ZooKeeper on.
    """

    DOCUMENT = "first_offset=first last_offset=last releases registered migrating"

    first: int
    last: int
    releases: tuple[str, ...]
    registered: bool = False
    migrating: bool = False


class CountOfRows(TypedDict):
    """The number of results that the same rows, any of which may have written them, explain."""

    rows: list[str]
    count: int


class RefusedBy(TypedDict):
    """The offset at which the tables of a release first refuse a log, and the reason."""

    release: str
    rule: str
    offset: int
    entity: str
    message: str


def counts_of_rows(classes: Mapping[tuple[str, ...], int]) -> list[CountOfRows]:
    """Return counts by rows as JSON has them, in the order of the rows."""
    return [{"rows": list(rows), "count": count} for rows, count in sorted(classes.items())]


@dataclass(slots=True)
class LogResult(Document):
    """The verdict on one log under one protocol, and what it rests on.

    Where several were tried, `releases` are the protocols that explain the log, and `refused` has the first violation
    under each that does not. `conforms_if` is the static setting, and its value, under which a log that violates would
    conform; empty for none. `cannot` says, as one of the notes, that the release that was given cannot explain the log
    while others do. `spans` are the releases by which parts of the log were checked, one after the other; none where
    one was given. `records` are metadata records checked, `passed` counts by type those of them that no table is about,
    `batches` those read, `control_records` what Raft wrote for itself. `rows` counts results that only that row
    explains, `ambiguous` all others, `classes` those by the rows that cannot be distinguished. `unjudged_fields` counts
    fields whose value no row determines. `vacuous` are properties that nothing in the log put to the test. Offsets
    below `committed_end` are known to be committed; `uncommitted` counts the records above, `in_doubt` those checked
    after a part of the log was missing, when the state was known in part only. `first_offset` is where the check began,
    with the state of the snapshot `began_with` (empty for the empty state); `skipped` counts the records in front of
    it. `notes` are sentences about the scope, `topics` the names by their ids of topics that violations, findings and
    doubts speak of. `fork` is what the log was read by, None where everything in it is Apache Kafka's.
    """

    TABLES = {"violations": "rule offset entity message cause", "findings": "finding by offset entity message"}
    DOCUMENT = (
        "path protocol verdict releases refused=refusals conforms_if spans records batches control_records "
        "passed_through passed:sorted rows:sorted ambiguous ambiguous_classes=by_classes violations findings "
        "quarantined undecided=doubts properties:sorted vacuous rows_never_seen covered unjudged_fields:sorted "
        "first_offset began_with:or_null skipped end_offset committed_end possibly_uncommitted=uncommitted tail "
        "snapshots_compared in_doubt notes topics:sorted"
    )

    path: str
    protocol: str
    verdict: Verdict = Verdict.UNDECIDED
    releases: tuple[str, ...] = ()
    refused: Mapping[str, Violation] = field(default_factory=dict)
    conforms_if: Mapping[str, str] = field(default_factory=dict)
    cannot: str = ""
    spans: tuple[Span, ...] = ()
    records: int = 0
    batches: int = 0
    control_records: int = 0
    passed: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    ambiguous: int = 0
    classes: dict[tuple[str, ...], int] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    findings: list[LogFinding] = field(default_factory=list)
    quarantined: list[dict[str, Any]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    properties: dict[str, PropertyEvidence] = field(default_factory=dict)
    vacuous: tuple[str, ...] = ()
    rows_never_seen: tuple[str, ...] = ()
    unjudged_fields: dict[str, int] = field(default_factory=dict)
    first_offset: int = 0
    end_offset: int = 0
    committed_end: int = 0
    uncommitted: int = 0
    snapshots_compared: int = 0
    in_doubt: int = 0
    began_with: str = ""
    skipped: int = 0
    notes: list[str] = field(default_factory=list)
    topics: dict[str, str] = field(default_factory=dict)
    fork: Fork | None = None

    @property
    def refusals(self) -> list[RefusedBy]:
        """The first refusal of each release that refuses the log."""
        return [
            {"release": name, "rule": one.rule, "offset": one.offset, "entity": one.entity, "message": one.message}
            for name, one in self.refused.items()
        ]

    @property
    def by_classes(self) -> list[CountOfRows]:
        """The number of results that several rows explain, by these rows."""
        return counts_of_rows(self.classes)

    @property
    def passed_through(self) -> int:
        """The number of records of types that no table is about."""
        return sum(self.passed.values())

    @property
    def covered(self) -> dict[str, int]:
        """The scope of the verdict: rows of the tables that the log shows, and properties that it put to the test.

        A row counts where other rows may have written the same, too; a property where its premise was met. Fields are
        those of records whose value no row determines.
        """
        rows = {*self.rows, *(row for several in self.classes for row in several)}
        return {
            "rows": len(rows),
            "rows_of_tables": len(rows) + len(self.rows_never_seen),
            "properties": len(self.properties) - len(self.vacuous),
            "properties_of_tables": len(self.properties),
            "instances": sum(one.with_premise for one in self.properties.values()),
            "unjudged_fields": sum(self.unjudged_fields.values()),
        }

    @property
    def tail(self) -> str:
        """The remark about the place of the violations, empty where one is among committed records.

        Only the prefix of a log that a quorum has is sure to stay: what is above may be truncated after an election.
        """
        if not self.violations or not all(violation.possibly_uncommitted for violation in self.violations):
            return ""
        if not self.committed_end:
            return (
                "nothing says which records are committed, so these may be none that a quorum has; give "
                "--high-watermark, or the snapshots beside the log"
            )
        return (
            f"only at or above offset {self.committed_end}, in the tail that may be uncommitted: no quorum is known to "
            "have these records"
        )


Read: TypeAlias = Callable[..., LogResult]
"""Reads a log under a monitor: it takes and returns what `Monitor.judge` does."""


@dataclass(frozen=True, slots=True)
class ConformResult(Document):
    """The results on all logs, in the order in which they were found, by the `tables`; `scope` says what was assumed.

    A log that could not be checked at all, since it could not be read, is inconclusive. `stopped` is whether the caller
    stopped the work: what was not finished is inconclusive then.
    """

    TABLES = {"logs": "path verdict records batches ambiguous violations findings"}
    DOCUMENT = "logs scope"

    logs: tuple[LogResult, ...]
    seconds: float
    tables: tuple[Protocol, ...]
    scope: Mapping[str, Any]
    stopped: bool = False

    def __repr__(self) -> str:
        return f"<ConformResult: {self.verdict.value}, logs={len(self.logs)}>"

    @property
    def table_hash(self) -> str:
        """The hash of the tables: of several each, joined by `+`."""
        return "+".join(one.hash for one in self.tables)

    @property
    def verdict(self) -> Verdict:
        """The verdict on all logs together: the worst of them."""
        found = {log.verdict for log in self.logs}
        for verdict in (Verdict.VIOLATES, Verdict.UNDECIDED, Verdict.INCONCLUSIVE):
            if verdict in found:
                return verdict
        return Verdict.CONFORMS if found else Verdict.UNDECIDED

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of a command: 130 where it was stopped, else 6 where a log violates, 3 where one is undecided
        or could not be read, 0 otherwise."""
        if self.stopped:
            return ExitCode.STOPPED
        return worst(code_of(log.verdict) for log in self.logs)
