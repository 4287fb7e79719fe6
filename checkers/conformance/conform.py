"""Recorded logs checked against the tables: every log below the paths, under one release or several."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.model.releases import RELEASES
from fencepost.traces import LogSource, MetadataLog, find_logs, read_log
from fencepost.traces.forks import Fork
from fencepost.traces.zk_recordings import recordings_below

from .by_term import TermJudge
from .explain.causes import explained_by, tell_causes
from .many import Follow, Job, Judged, judged
from .printed_rows.stored import save, use
from .reading.monitor import Monitor
from .reading.options import Options
from .records.forks import tables_of
from .records.passed import PASSED_THROUGH
from .records.static_settings import UNCLEAN, StaticSettings, applies
from .results.progress import Progress
from .results.results import ConformResult, LogResult, Read
from .results.topic_names import topics_named
from .strict import cannot

if TYPE_CHECKING:
    from .spark.cluster import Cluster


def conform(
    paths: Iterable[str | os.PathLike[str]],
    protocol: Protocol | Sequence[Protocol] | None,
    *,
    high_watermark: int | None = None,
    spark: bool | Cluster = False,
    given: Mapping[str, Any] | None = None,
    static: StaticSettings | None = None,
    passed_through: frozenset[str] = PASSED_THROUGH,
    ask_others: bool = False,
    by_class: bool = True,
    causes: bool = True,
    fork: Fork | None = None,
    jobs: int = 1,
    follow: Follow | None = None,
    stored: bool = False,
) -> ConformResult:
    """Check every log below the paths.

    With several protocols (releases, the newest first) a log conforms if one of them explains it, `releases` names all
    that do, and what is reported is the first that does, or the one with the fewest violations; `refused` has the first
    violation under each of the others. Without any, each leader's term is checked by the release of KRaft that was in
    force, and `spans` say which from where. `static` are the controllers' static settings, which no log shows, with
    Kafka's defaults where they are left out; where a log would conform under another, `conforms_if` says which. `given`
    are values of further variables that no log shows, by name; `high_watermark` is the offset below which the logs are
    known to be committed. With `ask_others` a log that one release of KRaft does not explain is checked by those in
    force too, and `cannot` says whether they do. With `spark` the logs are spread over the tasks of a
    Spark job. Where every path is
    a ZooKeeper-era recording, those are checked, under the first protocol.
    Without `by_class` every entity is evaluated singly, which gives the same result and takes longer; without `causes`
    violations are not distinguished, for which a log is replayed, and tried under other releases. `fork` is the
    declaration by which records are read that no release has, None for a shipped one whose sign is in the log.
    Up to `jobs` of several logs are checked at a time, each in a process of its own; `follow` takes each
    result as it comes. A log that cannot be read is inconclusive where there are others. With `stored` code that is
    printed of a release's tables is read from the user's cache folder, and written there, in this process from now on.
    Raises `TraceError` for paths without a log, and for one log alone that cannot be read, `TableError` where a
    protocol's records do not fit the wire, `Refusal` where Spark is asked for and cannot run, `Stopped` on Ctrl-C with
    the results until then.
    """
    started = time.monotonic()
    if stored:
        use()
    told = asked(
        protocol,
        high_watermark=high_watermark,
        given=given,
        static=static,
        passed_through=passed_through,
        ask_others=ask_others,
        causes=causes,
        by_class=by_class,
        fork=fork,
    )
    listed = [os.fspath(path) for path in paths]
    recordings = [recordings_below(path) for path in listed]
    if recordings and all(recordings):
        from .zk import conform_recordings

        return conform_recordings(
            [one for found in recordings for one in found], told.protocols[0], spark=spark, jobs=jobs, follow=follow
        )
    if spark:
        from .spark.cluster import Cluster
        from .spark.job import judged_logs

        cluster = Cluster() if isinstance(spark, bool) else spark
        found = Judged(judged_logs(cluster, listed, told.maker, told.given_to, told.blank))
    else:
        sources = find_logs(listed, keep=True)
        judge = told.maker(*told.given_to)
        works = [Job(source.path, source, source.size) for source in sources]
        found = judged(works, judge.source, told.blank, processes=jobs, follow=follow)
    save()
    protocols = told.protocols
    if protocol is None:
        used = {release for log in found.logs for span in log.spans for release in span.releases[:1]}
        protocols = tuple(one.for_logs for name, one in RELEASES.items() if name in used) or protocols
    scope: dict[str, Any] = {
        "protocols": [one.name for one in protocols],
        "given": {name: str(value) for name, value in told.options.given.items()},
        "static": told.static,
        "high_watermark": high_watermark,
        "passed_through": sorted(passed_through),
    }
    return found.result(started, protocols[:1], scope)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query about logs: the protocols, and the checker, which `maker` makes of `given_to`, here or in a worker.

    `blank` makes an empty result for a path; `static` are the static settings as JSON values, where they decide.
    """

    protocols: tuple[Protocol, ...]
    options: Options
    maker: Callable[..., Any]
    given_to: tuple[Any, ...]
    blank: Callable[[str], LogResult]
    static: Mapping[str, Any]


def asked(
    protocol: Protocol | Sequence[Protocol] | None,
    *,
    high_watermark: int | None = None,
    given: Mapping[str, Any] | None = None,
    static: StaticSettings | None = None,
    passed_through: frozenset[str] = PASSED_THROUGH,
    ask_others: bool = False,
    by_class: bool = True,
    causes: bool = True,
    fork: Fork | None = None,
) -> Asked:
    """Return the query about logs, from the arguments of `conform`."""
    protocols = (KRAFT,) if protocol is None else (protocol,) if isinstance(protocol, Protocol) else tuple(protocol)
    static = static or StaticSettings()
    options = Options(
        passed_through,
        {**static.given, **(given or {})},
        high_watermark,
        again=static.arguments(),
        by_class=by_class,
        causes=causes,
        fork=fork,
        rows=tables_of(fork),
    )
    decides = applies(protocols[0])
    others = _others(static, options, given or {}) if decides else {}
    blank = partial(LogResult, protocol=protocols[0].name)
    shown = static.as_json() if decides else {}
    if protocol is None:
        return Asked(protocols, options, TermJudge, (static, options, others), blank, shown)
    told = tuple(static.on(one) for one in protocols) if decides else protocols
    judged_by = (told, options, others, static if ask_others and decides else None)
    return Asked(protocols, options, Judge, judged_by, blank, shown)


def _others(static: StaticSettings, options: Options, given: Mapping[str, Any]) -> dict[tuple[str, str], Options]:
    """Return the options under every other value of a static setting that may be the reason of a violation."""
    other = static.otherwise
    return {(UNCLEAN, other.values()[UNCLEAN]): replace(options, given={**other.given, **given})}


class Judge:
    """Checks any number of logs by one or more protocols, prepared once.

    `others` are further options, each by the static setting, and its value, by which they differ: they are tried where
    a log violates. With the controllers' `static` settings a log that violates is checked by the releases in force too.
    """

    def __init__(
        self,
        protocols: Sequence[Protocol],
        options: Options,
        others: Mapping[tuple[str, str], Options] | None = None,
        static: StaticSettings | None = None,
    ) -> None:
        self.monitors = [Monitor(one, options) for one in protocols]
        self.others = others or {}
        self._by_term = None if static is None else TermJudge(static, options)
        self._under: dict[tuple[str, str], list[Monitor]] = {}

    def source(self, source: LogSource, progress: Progress | None = None) -> LogResult:
        """Read a log and check it."""
        return self.log(read_log(source, None if progress is None else progress.read), progress)

    def log(self, log: MetadataLog, progress: Progress | None = None, read: Read | None = None) -> LogResult:
        """Check a log under every protocol, and return the result under the one that fits best.

        `read` is how it is read under the first.
        """
        order = (Verdict.CONFORMS, Verdict.UNDECIDED, Verdict.VIOLATES)
        results: list[LogResult] = []
        best: LogResult | None = None
        for monitor in self.monitors:
            # What has more violations than the best so far is not reported, so the rest of it need not be known.
            bear = None if best is None else len(best.violations)
            how = Monitor.judge if read is None or best is not None else read
            noted = None if progress is None else progress.judging(log)
            result = how(monitor, log, bear=bear, turns=None, progress=noted)
            results.append(result)
            best = min((best or result, result), key=lambda one: (order.index(one.verdict), len(one.violations)))
        assert best is not None
        fitting = tuple(result.protocol for result in results if result.verdict is Verdict.CONFORMS)
        refused = {result.protocol: result.violations[0] for result in results if result.violations}
        refused = refused if len(results) > 1 else {}
        why, conforms_if = "", dict[str, str]()
        by_term: LogResult | None = None
        if best.verdict is Verdict.VIOLATES:
            by_term = None if self._by_term is None else self._by_term.log(log, progress)
            why = "" if by_term is None else cannot(best, by_term)
            conforms_if = {} if why else self._conforms_if(log)
        notes = [*best.notes, why] if why else best.notes
        found = replace(best, releases=fitting, refused=refused, conforms_if=conforms_if, cannot=why, notes=notes)
        if found.verdict is Verdict.VIOLATES:
            self._causes(log, found, by_term if why else None)
        if self.monitors[0].options.causes:
            found.topics = topics_named(log, found)
        return found

    def _causes(self, log: MetadataLog, result: LogResult, by_term: LogResult | None) -> None:
        """Find the causes of violations; `by_term` is the check by the releases in force, where these explain more."""
        monitor = next(one for one in self.monitors if one.protocol.name == result.protocol)
        if not monitor.options.causes:
            return
        if by_term is not None:
            explained_by(result, by_term)
        replays = Monitor(monitor.protocol, replace(monitor.options, replay_only=True))
        tell_causes(log, result, {}, replays)

    def _conforms_if(self, log: MetadataLog) -> dict[str, str]:
        """Return the static setting, with the value, under which a log that violates would conform; none is empty."""
        for setting, options in self.others.items():
            if setting not in self._under:
                self._under[setting] = [Monitor(one.protocol, options) for one in self.monitors]
            # The first violation is one too many.
            if any(one.judge(log, bear=0).verdict is Verdict.CONFORMS for one in self._under[setting]):
                return dict((setting,))
        return {}
