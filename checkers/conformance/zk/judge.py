"""A ZooKeeper-era recording checked against the tables: every line and every write explained, every property asked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from fencepost.checkers.conformance.many import Follow, Job, judged_by
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import ConformResult, Doubt
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.traces.storage import base_name
from fencepost.traces.zk import (
    Entry,
    EpochLines,
    Gathered,
    Record,
    TopicPartition,
    Transaction,
    ZkRecording,
    Znode,
    gather,
    read_recording,
    recording_size,
)
from fencepost.traces.zk.entries import is_head

from .brokers import BrokerJudge
from .checker import RecordingChecker, Tables
from .facts import is_told
from .history import History
from .known import Term
from .leaderships import Leaderships
from .lines import is_of_event_thread, place_of, units_of
from .observations import Place
from .observed import observed
from .reach import begins, covered, ends_of, reached_by
from .results import ZkResult
from .term_lines import TermLines, anchored
from .terms import TermJudge
from .znodes import HistoryJudge

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.cluster import Cluster


def _topic(partition: TopicPartition) -> str:
    return partition.topic


GIVEN: Mapping[str, Any] = {"topic": _topic}
"""Variables that the names of entities determine."""


class ZkJudge:
    """A protocol prepared to check any number of recordings."""

    def __init__(self, protocol: Protocol) -> None:
        self.tables = Tables(protocol, dict(GIVEN))

    def source(self, path: str, progress: Progress | None = None) -> ZkResult:
        """Read a recording and check it, without reports to `progress`; raises `TraceError` for one that cannot be
        read."""
        return self.recording(read_recording(path))

    def recording(self, recording: ZkRecording) -> ZkResult:
        """Check a recording."""
        transactions = None if recording.history is None else recording.transactions()
        final = recording.final_znodes()
        return self.told(recording.path, recording.records(), transactions, recording.missing, final)

    def told(
        self,
        path: str,
        records: Iterable[Record],
        transactions: Iterable[Transaction] | None,
        missing: tuple[str, ...] = (),
        final: Mapping[str, Znode] | None = None,
    ) -> ZkResult:
        """Check the records of state-change.log, the transactions where there is a history, the znodes at its end."""
        result = ZkResult(path, self.tables.protocol.name)
        result.missing = missing
        _Reading(self.tables, result).run(gather(iter(records)), transactions, final)
        return result


class _Reading:
    def __init__(self, tables: Tables, result: ZkResult) -> None:
        self.result = result
        self.checker = RecordingChecker(tables, result)

    def run(
        self, gathered: Gathered, transactions: Iterable[Transaction] | None, final: Mapping[str, Znode] | None
    ) -> None:
        """Check the history with the controllers' lines, then what the brokers logged."""
        result, checker = self.result, self.checker
        result.kinds, result.records = gathered.kinds, gathered.records
        history = None
        if transactions is not None:
            history = History.of(transactions)
            whole, history, gathered = history, *covered(history, gathered, result.notes)
            result.transactions = len(whole.transactions)
            result.records += sum(len(one.operations) for one in whole.transactions)
        for unparsed in gathered.unparsed:
            if unparsed.line == 1 and not is_head(unparsed.lines[0]):
                # A log whose older files were taken away may begin with the end of a stack trace.
                result.notes.append(f"{base_name(unparsed.file)} begins in the middle of a record, which is left out.")
                continue
            place = Place(base_name(unparsed.file), unparsed.line, unparsed.line)
            result.quarantined.append(
                {
                    "segment": place.segment,
                    "line": unparsed.line,
                    "lines": len(unparsed.lines),
                    "reason": unparsed.reason,
                }
            )
            result.doubts.append(
                Doubt(
                    None,
                    None,
                    f"{place.segment}, line {unparsed.line}: a release that is not known here may have written it "
                    f"({unparsed.reason}); what it said is undecided.",
                )
            )
        leaderships = Leaderships(closed=False) if history is None else history.leaderships
        judge = TermJudge(checker, leaderships, history)
        terms = {}
        begun: set[str] = set()
        reached = reached_by(gathered, history)
        ends = ends_of(gathered)
        known = None if history is None else {term for found in history.terms.values() for _, term in found}
        self._epochs(gathered, known)
        for epoch in gathered.epochs:
            lines = self._term(epoch)
            self._cut(lines, epoch, begun, judge, reached)
            lines.ends = ends.get(epoch.files[0])
            terms[lines.term] = lines
            if history is not None:
                anchored(lines, history)
        for c in sorted((known or set()) - set(terms)):
            terms[c] = TermLines(c, (), False)
        for lines in terms.values():
            judge.in_time(lines)
        if history is not None:
            HistoryJudge(checker, history, terms, judge).run(final)
        else:
            self._alone(judge, terms)
        BrokerJudge(checker, leaderships, judge.requests.sent, terms).run(gathered.brokers)
        result.observed = observed(gathered.epochs, terms, history)
        self._conclude()

    def _epochs(self, gathered: Gathered, known: set[Term] | None) -> None:
        """Report lines of an epoch without an election, and of an older epoch behind those of a newer one."""
        lines = [entry for epoch in gathered.epochs for entry in epoch.entries if entry.sender.epoch is not None]
        newest: dict[str, int] = {}
        for entry in sorted(filter(is_of_event_thread, lines), key=lambda one: (one.file, one.line)):
            c = Term(entry.sender.id, entry.sender.epoch or 0)
            if (known is not None and c not in known) or c.epoch < newest.get(entry.file, 0):
                why = "follows lines of a newer one" if known is None or c in known else "was never that controller's"
                self.checker.report("epoch", place_of(entry), f"controller {c}", f"Epoch {c.epoch} {why}.")
            newest[entry.file] = max(c.epoch, newest.get(entry.file, 0))

    def _cut(
        self, lines: TermLines, epoch: EpochLines, begun: set[str], judge: TermJudge, reached: Mapping[int, int]
    ) -> None:
        """Note whether a log begins in the middle of a term, as one does whose older files were taken away."""
        first = lines.units[0].entry if lines.units else None
        if epoch.files[0] not in begun and first is not None:
            # Such a line is also written in the middle of a term: then something of the term is there before it.
            earlier = reached.get(epoch.epoch, first.time_ms) < first.time_ms
            lines.cut = not begins(first) or earlier or (judge.history is None and judge.is_in_the_middle(lines))
        begun |= set(epoch.files)
        if lines.cut and first is not None:
            where = f"{base_name(first.file)} begins in the middle of epoch {epoch.epoch}"
            self.result.notes.append(f"{where}: what came before is not known.")

    def _alone(self, judge: TermJudge, terms: Mapping[Term, TermLines]) -> None:
        """Check the terms one after the other by their lines; the writes of an epoch without lines are not known."""
        last: int | None = None
        for c, lines in terms.items():
            self.checker.tell([("acting", (c,), True), ("own_epoch", (c,), c.epoch)])
            passed = 0 if last is None else c.epoch - last - 1
            self.checker.inferred["epochs without lines"] += passed
            if passed or lines.cut:
                judge.forget()
            judge.rest(lines)
            last = c.epoch

    def _term(self, epoch: EpochLines) -> TermLines:
        traced = any(entry.level == "TRACE" and is_of_event_thread(entry) for entry in epoch.entries)
        term = Term(epoch.controllers[0], epoch.epoch)
        ours: list[Entry] = []
        for entry in epoch.entries:
            if entry.sender.id == term.controller:
                ours.append(entry)
                continue
            self.checker.report(
                "epoch",
                Place(base_name(entry.file), entry.line, entry.line),
                f"controller {entry.sender.id}",
                f"Epoch {epoch.epoch} is that of controller {term.controller}.",
            )
        lines = EpochLines(epoch.epoch, (term.controller,), epoch.files, tuple(ours))
        units = tuple(units_of(lines, term, traced))
        return TermLines(term, units, traced)

    def _conclude(self) -> None:
        result, checker = self.result, self.checker
        protocol = checker.tables.protocol
        result.rows = dict(checker.counted)
        result.classes = dict(checker.classes)
        result.inferred = {name: count for name, count in checker.inferred.items() if count}
        exercised = {*result.rows, *(row for rows in result.classes for row in rows)}
        never = tuple(row for row in protocol.rows if row.id not in exercised)
        result.rows_never_seen = tuple(row.id for row in never)
        result.rows_untold = tuple(row.id for row in never if not is_told(row))
        result.properties = checker.properties.evidence
        result.vacuous = tuple(id for id, one in result.properties.items() if not one.with_premise)
        if not result.rows and not result.ambiguous and not result.violations:
            result.doubts.append(Doubt(None, None, "The recording holds nothing that a row could explain."))
        if result.violations:
            result.verdict = Verdict.VIOLATES
        elif not result.doubts:
            result.verdict, result.releases = Verdict.CONFORMS, (protocol.name,)
        result.notes += [f"{sentence}." for sentence in result.missing]


def conform_recordings(
    paths: Iterable[str],
    protocol: Protocol,
    *,
    spark: bool | Cluster = False,
    jobs: int = 1,
    follow: Follow | None = None,
) -> ConformResult:
    """Check recordings, each a directory or a state-change.log; with `spark` they are tasks of a Spark job.

    `jobs` and `follow` are those of `conform`. Raises `TraceError` for a path alone that cannot be read, which is
    inconclusive among others, `Refusal` where Spark is asked for and cannot run, `Stopped` on Ctrl-C.
    """
    started = time.monotonic()
    listed = list(paths)
    blank = partial(ZkResult, protocol=protocol.name)
    works = [Job(path, path, recording_size(path)) for path in listed]
    found = judged_by(works, ZkJudge, (protocol,), blank, spark=spark, processes=jobs, follow=follow)
    return found.result(started, (protocol,), {"protocols": [protocol.name]})
