"""The notes and doubts about a whole log once all of it was read, in one piece or in parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fencepost.checkers.cause import Cause
from fencepost.checkers.conformance.records.old_forms import note
from fencepost.checkers.conformance.results.results import Doubt, LogResult, PropertyEvidence
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import Batch, MetadataLog, Quarantined
from fencepost.traces.logs import NO_BATCH_LINES
from fencepost.traces.names import is_bootstrap_name

from .options import Options


def committed_end(log: MetadataLog, options: Options) -> int:
    """Return the offset below which a log is known to be committed."""
    newest, told = log.committed_end_offset, options.high_watermark
    return newest if told is None else max(told, newest)


def ended(out: LogResult, old: Mapping[str, int], protocol: str) -> LogResult:
    """Add the final notes and doubts: `old` are the records of old types, `protocol` is the last one's name."""
    out.notes += [note(type, count) for type, count in sorted(old.items())]
    judged = sum(out.rows.values()) + out.ambiguous
    if not judged and not out.violations and not out.doubts:
        nothing = "The log holds no record that a row could explain: there is nothing to check."
        out.doubts.append(Doubt(None, None, nothing))
    if out.violations:
        out.verdict = Verdict.VIOLATES
    elif not out.doubts:
        out.verdict, out.releases = Verdict.CONFORMS, (protocol,)
    return out


def joined(parts: Sequence[LogResult], ids: Sequence[str]) -> LogResult:
    """Return the counts and findings of neighbouring parts of a log as those of all of it, which `ended` completes.

    The first part has the notes about the beginning of the check, the last one those about its end. `ids` are the rows
    of the tables by which any part was checked.
    """
    first, last = parts[0], parts[-1]
    out = LogResult(first.path, first.protocol)
    out.first_offset, out.began_with, out.skipped = first.first_offset, first.began_with, first.skipped
    out.end_offset, out.committed_end = last.end_offset, last.committed_end
    counters: dict[str, Counter[str]] = {name: Counter() for name in ("passed", "rows", "unjudged_fields")}
    classes: Counter[tuple[str, ...]] = Counter()
    # The last part has the properties of all tables so far, in the order in which one reading has them.
    out.properties = {id: PropertyEvidence() for id in last.properties}
    for one in parts:
        for name in ("records", "batches", "control_records", "uncommitted", "snapshots_compared", "in_doubt"):
            setattr(out, name, getattr(out, name) + getattr(one, name))
        for name, counter in counters.items():
            counter.update(getattr(one, name))
        classes.update(one.classes)
        for many in ("violations", "findings", "quarantined", "doubts", "notes"):
            getattr(out, many).extend(getattr(one, many))
        for id, evidence in one.properties.items():
            whole = out.properties[id]
            whole.judged += evidence.judged
            whole.with_premise += evidence.with_premise
            whole.unknown += evidence.unknown
    for name, counter in counters.items():
        setattr(out, name, dict(counter))
    out.classes, out.ambiguous = dict(classes), sum(classes.values())
    tell(out, ids)
    return out


def tell(out: LogResult, ids: Sequence[str]) -> None:
    """Note which properties nothing put to the test, and which of the rows `ids` explain nothing."""
    out.vacuous = tuple(id for id, one in out.properties.items() if not one.with_premise)
    seen = {*out.rows, *(row for rows in out.classes for row in rows)}
    out.rows_never_seen = tuple(id for id in ids if id not in seen)


def nothing_in(log: MetadataLog) -> str:
    """Return why a log without batches cannot be checked."""
    if any(is_bootstrap_name(snapshot.segment) for snapshot in log.snapshots):
        return (
            "bootstrap.checkpoint holds the records that its node was formatted with, and is no log: give the "
            "directory __cluster_metadata-0 that lies beside it."
        )
    return "The log holds no batch: there is nothing to check."


def lost(one: Quarantined) -> tuple[str, Cause]:
    """Return what is undecided where a range could not be read, and what that comes from."""
    if one.kind == "text":
        return f"{one.reason}; what these records touched is undecided.", Cause.CANNOT_TELL
    where = f"{one.segment}, bytes {one.start} to {one.end}"
    if one.kind in ("missing", "conflict"):
        where = f"Offsets {one.first_offset} to {one.last_offset}"
    return f"{where}: {one.reason}; what these records touched is undecided.", Cause.DAMAGED_LOG


def undecided_without_batch_lines(out: LogResult, log: MetadataLog, batches: Iterable[Batch]) -> None:
    """Turn the violations of a dump text without batch lines into doubts: offsets are counted, lines may be missing."""
    if out.violations and log.source == "dump" and any(batch.epoch < 0 for batch in batches):
        first = out.violations[0]
        message = f"{NO_BATCH_LINES}; give the whole dump. First open: {first.message}"
        out.doubts.append(Doubt(first.offset, None, message))
        out.violations.clear()
