"""Checks a log by the release that was in force: every leader's term by the tables of one release.

A leader that registered said which metadata.version it can do at most, and that is another one in every release: its
term is checked by that release. Where a leader reports none, the tables decide: a log is read under the release of its
neighbours or the newest one, and where that does not explain a term, the others are tried on it, from the state at its
beginning, which the records alone determine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.releases import MIGRATING_RELEASES, RELEASES, Release
from fencepost.model.releases.zookeeper import MIGRATION_ENABLED
from fencepost.traces import Batch, LogSource, MetadataLog, Record, read_log
from fencepost.traces.forks import Fork
from fencepost.traces.record_types import REGISTER_BROKER_RECORD, REGISTER_CONTROLLER_RECORD, ZK_MIGRATION_STATE_RECORD

from .explain.causes import OF_BYTES, others_explain, tell_causes
from .reading.beginning import beginning
from .reading.monitor import Monitor, Reading
from .reading.options import Options
from .reading.pending_snapshots import PendingSnapshots
from .records.control_records import leader_of, opens
from .records.facts import KRAFT_LOGS
from .records.forks import reader_of_log, tables_of, with_snapshots
from .records.software import Registration, Software
from .records.static_settings import StaticSettings
from .results.progress import Progress
from .results.results import Doubt, LogResult, Read, Span, Violation
from .results.topic_names import topics_named


@dataclass(frozen=True, slots=True)
class Term:
    """The term of one leader: the batches [start, end) of a log, from the offset `first` to `last`.

    A log that begins inside a term has no leader change for it, and `leader` is None. `registration` is what the leader
    said when it registered, before or in its term; where the leader is not known, what all registered controllers say
    alike; None where nothing does. `beyond` is a sentence where no tables are known for what wrote the term, empty
    elsewhere, and `is_older` whether that is since the software is older than the oldest tables.
    """

    start: int
    end: int
    first: int
    last: int
    leader: int | None
    registration: Registration | None
    beyond: str = ""
    is_older: bool = False

    def alone(self, log: MetadataLog) -> MetadataLog:
        """Return the part of a log that the term is, with what is unreadable in it, without snapshots."""
        kept = log.batches[self.start : self.end]
        below = _place(log.batches[self.end]) if self.end < len(log.batches) else None
        damage = tuple(
            one
            for one in log.quarantined
            if _place(kept[0]) <= (one.segment, one.start) and (below is None or (one.segment, one.start) < below)
        )
        return replace(log.part(self.start, self.end), quarantined=damage, snapshots=())


def terms(log: MetadataLog) -> list[Term]:
    """Return the terms of a log from the offset on at which the check begins; none where it cannot be checked."""
    if not log.batches:
        return []
    begins = beginning(log, PendingSnapshots(log).damaged)
    if begins.offset is None:
        return []
    said = Software()
    if begins.snapshot is not None:
        said.note(begins.snapshot)
    first = next((at for at, one in enumerate(log.batches) if one.last_offset >= begins.offset), len(log.batches))
    for batch in log.batches[:first]:
        said.note(batch)
    cuts = [at for at in range(first + 1, len(log.batches)) if opens(log.batches[at])]
    found = []
    for start, end in zip([first, *cuts], [*cuts, len(log.batches)], strict=True):
        batches = log.batches[start:end]
        said.lowest = said.level
        for batch in batches:
            said.note(batch)
        if batches:
            named = (leader_of(record) for record in batches[0].records)
            leader = next((node for node in named if node is not None), None)
            told = said.agreed() if leader is None else said.controllers.get(leader)
            older = said.older_software() if told is None else ""
            if said.is_silent and not all(batch.is_control for batch in batches):
                older = said.silence()
            found.append(
                Term(
                    start, end, batches[0].base_offset, batches[-1].last_offset, leader, told,
                    older or said.low_level(), bool(older),
                )
            )  # fmt: skip
    if found:
        found[0] = replace(found[0], first=begins.offset)
    return found


def came_from_zookeeper(log: MetadataLog) -> bool:
    """Whether a record of a log, or of a snapshot beside it, says that the cluster was migrated from ZooKeeper."""
    return any(
        (one.type == ZK_MIGRATION_STATE_RECORD and one.data.get("zkMigrationState"))
        or (one.type == REGISTER_CONTROLLER_RECORD and one.data.get("zkMigrationReady"))
        or (one.type == REGISTER_BROKER_RECORD and one.data.get("isMigratingZkBroker"))
        for one in _all(log, ZK_MIGRATION_STATE_RECORD, REGISTER_CONTROLLER_RECORD, REGISTER_BROKER_RECORD)
    )


def _all(log: MetadataLog, *types: str) -> Iterator[Record]:
    for snapshot in log.snapshots:
        yield from snapshot.records_of(types)
    for batch in log.batches:
        yield from batch.records_of(types)


def _place(batch: Batch) -> tuple[str, int]:
    return (batch.segment, batch.position)


MOST_TERMS = 3
"""The number of first violating terms for which other releases are tried than the one that the leader reports."""

MOST_TRIED = 20_000
"""Offsets of a term up to its violation: what comes later is not tried, since every release would read up to there."""


@dataclass(frozen=True)
class Candidate:
    """A release that may have been in force, with its settings in server.properties.

    `migrating` is whether its controller was switched to the migration from ZooKeeper, None where no log asks.
    """

    release: Release
    migrating: bool | None = None

    @property
    def tables(self) -> Protocol:
        """The tables that explain its logs."""
        return self.release.for_logs if self.migrating is None else self.release.migrating

    @property
    def given(self) -> Mapping[str, Any]:
        """The values of variables that no log shows."""
        return {} if self.migrating is None else {MIGRATION_ENABLED: self.migrating}

    def says(self, registration: Registration) -> bool:
        """Whether its controllers register so."""
        is_switched = self.migrating is None or self.migrating == registration.migrating
        return self.release.newest_level == registration.highest and is_switched

    @property
    def key(self) -> tuple[str, bool | None]:
        """The name of the release and the migration switch, which identify a candidate."""
        return (self.release.name, self.migrating)


@dataclass(slots=True)
class Trials:
    """The trials of candidates on terms: by the numbers of both None, or the first violation."""

    found: dict[tuple[int, int], Violation | None] = field(default_factory=dict)

    def explains(self, term: int, candidate: int) -> bool:
        """Whether a candidate is known to explain a term."""
        return self.found.get((term, candidate), True) is None


class TermJudge:
    """Checks any number of logs, each term by the release that was in force.

    `static` are the controllers' static settings; `others` are further ones, each by the setting and the value by which
    it differs, that are tried where a log violates.
    """

    def __init__(
        self, static: StaticSettings, options: Options, others: Mapping[tuple[str, str], Options] | None = None
    ) -> None:
        # Options that came from another process bring facts of states that the releases of this one do not have.
        self.static, self.options = static, replace(options, by_term=True, facts=KRAFT_LOGS)
        self.others = {setting: replace(one, by_term=True, facts=KRAFT_LOGS) for setting, one in (others or {}).items()}
        self._monitors: dict[Any, Monitor] = {}
        self._by_rows: dict[Fork, Monitor] = {}
        self._progress: Progress | None = None

    def source(self, source: LogSource, progress: Progress | None = None) -> LogResult:
        """Read a log and check it."""
        return self.log(read_log(source, None if progress is None else progress.read), progress)

    def log(self, log: MetadataLog, progress: Progress | None = None, read: Read | None = None) -> LogResult:
        """Check a log, and report by which releases; `read` is how it is read the first time.

        That of a fork that declares rows is checked against these: the releases' are left where its sign is met.
        """
        self._progress = progress
        given = self.options.fork
        if given is not None and given.rows:
            return self._by_fork(log, given)
        found = self._by_releases(log, read)
        return self._by_fork(log, found.fork) if found.fork is not None and found.fork.rows else found

    def _by_fork(self, log: MetadataLog, fork: Fork) -> LogResult:
        tables = self.options.rows or tables_of(fork)
        assert tables is not None
        if fork not in self._by_rows:
            self._by_rows[fork] = Monitor(self.static.on(tables), replace(self.options, by_term=False))
        progress = None if self._progress is None else self._progress.judging(log)
        result = self._by_rows[fork].judge(log, progress=progress)
        if result.verdict is Verdict.CONFORMS:
            result.releases = (tables.name,)
        if self.options.causes:
            result.topics = topics_named(log, result)
        return result

    def _by_releases(self, log: MetadataLog, read: Read | None) -> LogResult:
        log = with_snapshots(log, reader_of_log(log, self.options.fork))
        cut = terms(log)
        candidates = _candidates(log)
        told = [_told(term, candidates) for term in cut]
        possible = [_possible(term, one, candidates) for term, one in zip(cut, told, strict=True)]
        plan = _guessed(possible)
        trials = Trials()
        result = self._read(log, cut, [candidates[one] for one in plan], self.options, None in told, read)
        if result.fork is not None and result.fork.rows:
            return result
        if result.violations and None in told and _first_beyond(result, cut) is not result.violations[0]:
            trials = self._tried(log, cut, candidates, possible, plan)
            plan = _best(possible, trials, candidates)
            result = self._read(log, cut, [candidates[one] for one in plan], self.options)
        _undecide_beyond(result, cut)
        spans = _spans(cut, candidates, told, plan, trials)
        names = {candidates[one].release.protocol for one in plan}
        result.spans = spans
        result.releases = tuple(names) if len(names) == 1 and result.verdict is Verdict.CONFORMS else ()
        result.refused = _refused(candidates, plan, trials)
        result.notes += _notes([] if result.verdict is Verdict.UNDECIDED else cut, candidates, plan)
        if result.verdict is Verdict.VIOLATES:
            chosen = [candidates[one] for one in plan]
            result.conforms_if = next(
                (
                    dict((setting,))
                    for setting, options in self.others.items()
                    if self._read(log, cut, chosen, options, True).verdict is Verdict.CONFORMS
                ),
                {},
            )
            if self.options.causes:
                self._causes(log, cut, candidates, told, plan, result)
        if self.options.causes:
            result.topics = topics_named(log, result)
        return result

    def _causes(
        self,
        log: MetadataLog,
        cut: Sequence[Term],
        candidates: Sequence[Candidate],
        told: Sequence[int | None],
        plan: Sequence[int],
        result: LogResult,
    ) -> None:
        """Find the causes of violations: first by releases, which are tried on terms whose leader reported one."""
        odd: dict[int, list[Violation]] = {}
        for at, term in enumerate(cut):
            mine = [one for one in result.violations if term.first <= one.offset <= term.last]
            is_asked = told[at] is not None and mine and not result.conforms_if
            if is_asked and mine[0].rule not in OF_BYTES and mine[0].offset - term.first <= MOST_TRIED:
                odd[at] = mine
        trials = Trials()
        others = {at: [one for one in range(len(candidates)) if one != told[at]] for at in list(odd)[:MOST_TERMS]}
        self._try(log, cut, candidates, others, trials)
        for at, asked in others.items():
            names = list(dict.fromkeys(candidates[one].release.name for one in asked if trials.explains(at, one)))
            for violation in odd[at] if names else ():
                others_explain(violation, names, cut[at].first, cut[at].last, registered=True)
        replays = [self._monitor(candidates[one], replace(self.options, replay_only=True)) for one in plan]
        turns = {term.first: monitor for term, monitor in zip(cut, replays, strict=False)}
        first = replays[0] if replays else self._monitor(Candidate(_NEWEST), replace(self.options, replay_only=True))
        tell_causes(log, result, turns, first)

    def _read(
        self,
        log: MetadataLog,
        cut: Sequence[Term],
        chosen: Sequence[Candidate],
        options: Options,
        is_trial: bool = False,
        read: Read | None = None,
    ) -> LogResult:
        """Read a log, each term under the tables chosen for it; a trial only up to the first violation."""
        monitors = [self._monitor(one, options) for one in chosen]
        monitors = monitors or [self._monitor(Candidate(_NEWEST), options)]
        turns = {term.first: monitor for term, monitor in zip(cut, monitors, strict=False)}
        progress = None if self._progress is None else self._progress.judging(log)
        how = read or Monitor.judge
        return how(monitors[0], log, bear=0 if is_trial else None, turns=turns, progress=progress)

    def _monitor(self, candidate: Candidate, options: Options) -> Monitor:
        key = (candidate.key, options.replay_only, tuple(sorted((k, str(v)) for k, v in options.given.items())))
        if key not in self._monitors:
            given = {**options.given, **candidate.given}
            self._monitors[key] = Monitor(self.static.on(candidate.tables), replace(options, given=given))
        return self._monitors[key]

    # -- trials ----------------------------------------------------------------------------------------------------
    def _tried(
        self,
        log: MetadataLog,
        cut: Sequence[Term],
        candidates: Sequence[Candidate],
        possible: Sequence[Sequence[int]],
        guess: Sequence[int],
    ) -> Trials:
        """Try the guess on every term that several may have written, and these on those up to the last it fails on."""
        first = {at: [guess[at]] for at, several in enumerate(possible) if len(several) > 1}
        trials = Trials()
        self._try(log, cut, candidates, first, trials)
        last = max((at for at, tried in first.items() if not trials.explains(at, tried[0])), default=-1)
        rest = {at: [one for one in possible[at] if one not in tried] for at, tried in first.items() if at <= last}
        self._try(log, cut, candidates, rest, trials)
        return trials

    def _try(
        self,
        log: MetadataLog,
        cut: Sequence[Term],
        candidates: Sequence[Candidate],
        asked: Mapping[int, Sequence[int]],
        trials: Trials,
    ) -> None:
        """Replay a log, and try candidates on terms from the state at their beginnings."""
        base = self._monitor(Candidate(_NEWEST), replace(self.options, replay_only=True))

        def tries(reading: Reading, at: int) -> None:
            for one in asked.get(at, ()):
                monitor = self._monitor(candidates[one], self.options)
                trials.found[at, one] = _trial(reading, monitor, cut[at])

        if asked:
            reading = _Borders(base, log, {term.first: at for at, term in enumerate(cut)}, tries)
            reading.progress = None if self._progress is None else self._progress.judging(log)
            reading.result()


class _Borders(Reading):
    """A reading that replays, and calls `at_border` with itself and the number of each term where that begins."""

    def __init__(self, monitor: Monitor, log: MetadataLog, numbers: Mapping[int, int], at_border: Any) -> None:
        super().__init__(monitor, log)
        self.numbers, self.at_border = numbers, at_border
        self.seen: set[int] = set()

    def border(self, offset: int) -> None:
        """Call for the term that begins here, once."""
        number = self.numbers.get(offset)
        if number is not None and number not in self.seen:
            self.seen.add(number)
            self.at_border(self, number)


def _trial(before: Reading, monitor: Monitor, term: Term) -> Violation | None:
    """Return the first violation of a term under a protocol, from the state that a reading is in."""
    reading = Reading(monitor, term.alone(before.log), bear=0)
    Reading.take_over(before.state, before.read_over, before.monitor, monitor, reading.state)
    reading.lost = before.lost
    # What was broken before, and by which rows, is not asked again.
    reading.units.begins_late = True
    reading.out.committed_end = before.out.committed_end
    reading.read(term.first)
    return reading.out.violations[0] if reading.out.violations else None


_NEWEST = next(iter(RELEASES.values()))


def _candidates(log: MetadataLog) -> list[Candidate]:
    """Return the releases that may have written a log, newest first; those that know a migration with both settings."""
    if not came_from_zookeeper(log):
        return [Candidate(one) for one in RELEASES.values()]
    asked = {one.name: (False, True) if one.name in MIGRATING_RELEASES else (None,) for one in RELEASES.values()}
    return [Candidate(one, switched) for one in RELEASES.values() for switched in asked[one.name]]


def _told(term: Term, candidates: Sequence[Candidate]) -> int | None:
    """Return the candidate that a term's leader said to be, None where it said nothing that one of them would say."""
    if term.registration is None:
        return None
    return next((at for at, one in enumerate(candidates) if one.says(term.registration)), None)


def _possible(term: Term, told: int | None, candidates: Sequence[Candidate]) -> list[int]:
    """Return the candidates that may have written a term: the reported one, or the oldest for older software."""
    if told is not None:
        return [told]
    oldest = candidates[-1].release
    return [at for at, one in enumerate(candidates) if not term.is_older or one.release is oldest]


def _guessed(possible: Sequence[Sequence[int]]) -> list[int]:
    """Return a candidate for each term: the only one, else that of the term before, else the first."""
    known = next((several[0] for several in possible if len(several) == 1), 0)
    plan = []
    for several in possible:
        known = known if known in several else several[0]
        plan.append(known)
    return plan


def _best(possible: Sequence[Sequence[int]], trials: Trials, candidates: Sequence[Candidate]) -> list[int]:
    """Return the candidate for each term with the fewest terms unexplained, then the fewest returns to an older
    release, then the fewest changes; of several the one that comes furthest, then the newest."""
    ages = [list(RELEASES).index(one.release.name) for one in candidates]
    costs: list[dict[int, tuple[tuple[int, ...], int]]] = []
    for at, several in enumerate(possible):
        row: dict[int, tuple[tuple[int, ...], int]] = {}
        for one in several:
            is_bad = len(several) > 1 and not trials.explains(at, one)
            violation = trials.found.get((at, one))
            reached = -violation.offset if is_bad and violation is not None else 0
            before = costs[-1] if costs else {one: ((0, 0, 0, 0, 0), one)}
            row[one] = min(
                (
                    (
                        cost[0] + is_bad,
                        cost[1] + (ages[one] > ages[last]),
                        cost[2] + (one != last),
                        cost[3] + reached,
                        cost[4] + ages[one],
                    ),
                    last,
                )
                for last, (cost, _) in before.items()
            )
        costs.append(row)
    chosen = min(costs[-1], key=lambda one: (costs[-1][one][0], one))
    plan = []
    for row in reversed(costs):
        plan.append(chosen)
        chosen = row[chosen][1]
    return plan[::-1]


def _first_beyond(result: LogResult, cut: Sequence[Term]) -> Violation | None:
    """Return the first violation, other than of the bytes, in a term for which no tables are known."""
    return next(
        (
            one
            for one in result.violations
            if one.rule not in OF_BYTES and any(term.beyond and term.first <= one.offset <= term.last for term in cut)
        ),
        None,
    )


def _undecide_beyond(result: LogResult, cut: Sequence[Term]) -> None:
    """Add a doubt from the first violation in a term on for which no tables are known.

    What the state is behind it no tables say: neither a violation nor a finding is reported from there on.
    """
    first = _first_beyond(result, cut)
    if first is None:
        return
    why = next(term.beyond for term in cut if term.beyond and term.first <= first.offset <= term.last)
    result.violations = [one for one in result.violations if one.rule in OF_BYTES or one.offset < first.offset]
    result.findings = [one for one in result.findings if one.offset < first.offset]
    result.doubts.append(Doubt(first.offset, cut[-1].last, f"{why}, and do not explain offset {first.offset}"))
    if not result.violations:
        result.verdict = Verdict.UNDECIDED


# -- what is said ------------------------------------------------------------------------------------------------------
def _spans(
    cut: Sequence[Term],
    candidates: Sequence[Candidate],
    told: Sequence[int | None],
    plan: Sequence[int],
    trials: Trials,
) -> tuple[Span, ...]:
    """Join neighbouring terms of one candidate, each span with all that explain every term of it, too."""
    spans: list[Span] = []
    start = 0
    for end in range(1, len(cut) + 1):
        if end < len(cut) and plan[end] == plan[start]:
            continue
        chosen = candidates[plan[start]]
        alike = [
            one.release.name
            for at, one in enumerate(candidates)
            if one is chosen
            or (
                one.migrating == chosen.migrating
                and all(told[term] is None and trials.explains(term, at) for term in range(start, end))
            )
        ]
        registered = any(told[term] is not None for term in range(start, end))
        last = cut[end - 1].last
        spans.append(Span(cut[start].first, last, tuple(dict.fromkeys(alike)), registered, bool(chosen.migrating)))
        start = end
    return tuple(spans)


def _refused(candidates: Sequence[Candidate], plan: Sequence[int], trials: Trials) -> dict[str, Violation]:
    """Return for each release that was tried and explains no term where it was the first thing it does not."""
    found: dict[str, Violation] = {}
    for at, one in enumerate(candidates):
        asked = [violation for (_, tried), violation in sorted(trials.found.items(), key=str) if tried == at]
        bad = [violation for violation in asked if violation is not None]
        if at not in plan and bad and len(bad) == len(asked):
            found[one.release.protocol] = min(bad, key=lambda violation: violation.offset)
    return found


def _notes(cut: Sequence[Term], candidates: Sequence[Candidate], plan: Sequence[int]) -> list[str]:
    ages = [list(RELEASES).index(candidates[one].release.name) for one in plan[: len(cut)]]
    notes = [
        f"From offset {cut[at].first} on an older release is in force again, {candidates[plan[at]].release.name} after "
        f"{candidates[plan[at - 1]].release.name}: another controller led."
        for at in range(1, len(cut))
        if ages[at] > ages[at - 1]
    ]
    beyond = dict.fromkeys((term.beyond, candidates[one].release.name) for term, one in zip(cut, plan, strict=False))
    return [*notes, *(f"It was {why}. The tables of {name} were used." for why, name in beyond if why)]
