"""`fencepost conform`: metadata logs checked against the tables, the first divergence explained on one screen."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.cause import Cause, told_apart
from fencepost.checkers.counting import counted, noun
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, worst

from .conform_brokers import broker_lines, judged_brokers
from .conform_designs import conform_designs, design_traces
from .conform_events import CODES, event_lines, judged_events, traces_of
from .conform_many import SHOWN, Jobs, begun, by_verdict, findings_in, followed, not_shown, summary, unread
from .conform_quorum import Quorum, judged_quorums, quorum_lines, with_logs
from .conform_spark import Conf, Master, Resume, Run, Split, To, cluster_of, reading, refuse_beside, tables_among
from .conform_zk import conform_zk
from .following import MANY
from .log_filters import ForkOption, SkipUnknown, fork_given
from .outcome import Json, Outcome
from .reports import Force, Html, refuse_html, with_page
from .static import ServerProperties, Static, refuse_static, settings_of
from .terminal import watching

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fencepost.checkers.conformance import ConformResult, Doubt, LogResult
    from fencepost.checkers.conformance.brokers.results import DataResult
    from fencepost.checkers.conformance.explain.sensitivity import Sensitivity, WithoutRows
    from fencepost.checkers.conformance.quorum.results import QuorumResult
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.conformance.refinement import RefinedLog, Refining
    from fencepost.checkers.conformance.spark.cluster import Cluster
    from fencepost.model.language import Protocol
    from fencepost.model.language.refinement import Refinement
    from fencepost.traces.forks import Fork

    from .following import Following

IN_FORCE = "auto"
"""The default of `--release`, beside a release's number: each leader's term is checked with the
release that was in force."""


def conform(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Segments, log directories, dumps, globs or URIs.")
    ],
    release: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|auto",
            help="The release whose tables must explain the whole log, as 4.2; auto checks each leader's term with "
            "the release that was in force, and says which from where.",
        ),
    ] = IN_FORCE,
    high_watermark: Annotated[
        int | None, typer.Option(min=0, help="Offsets below it are known to be committed.")
    ] = None,
    spark: Annotated[bool, typer.Option("--spark", help="Run on Spark, small logs together; needs Java.")] = False,
    master: Master = None,
    conf: Conf = None,
    to: To = None,
    run: Run = None,
    resume: Resume = None,
    split_bytes: Split = None,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="Also measure how much is seen of each log: how many fields, altered one at a time, a row still "
            "explains and why, and what explains it without each of its rows. Takes seconds to a minute a log.",
        ),
    ] = False,
    refines: Annotated[
        str | None,
        typer.Option(
            "--refines",
            metavar="PROTOCOL",
            help="Also say which steps of each log are rows of this protocol, as its theorem asks, and which end it: "
            "kraft-data. Reads each log once more.",
        ),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            help="An event trace (NDJSON or Parquet) of the controller that wrote the log: every request and its "
            "answer is checked too. For several logs the name that the trace has in the folder of each."
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Ask of every partition by itself instead of once for all that are alike: the slow way, which must "
            "say the same.",
        ),
    ] = False,
    skip_unknown: SkipUnknown = False,
    fork: ForkOption = None,
    static: Static = None,
    server_properties: ServerProperties = None,
    quorum: Quorum = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.py:NAME",
            help="Check event traces with a protocol of yours; the first line of each has its name as the design.",
        ),
    ] = None,
    jobs: Jobs = 1,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Check recorded metadata logs against the tables, those of ZooKeeper-era clusters against the zk tables.

    Each of several logs gets a line when it is done, and one that cannot be read is inconclusive, which makes the
    exit code 3 at least; where it is the only one, the command ends with 2. A path that there is not, or that holds no
    log, ends it with 2 before anything is checked. Ctrl-C prints what is done, and ends it with 130.

    Where a folder `brokers` lies beside a metadata log, with a log directory of each broker, these are checked against
    it and against the acknowledged records of ledger.ndjson. Logs of one quorum's controllers are checked together:
    committed prefix, leaders, snapshots, and the lines of a controller.log beside a log.
    With --spark a path may be a table of records as Parquet, with the columns log, offset, key and value at least.
    A recording of a ZooKeeper-era cluster is a directory with state-change*.log, znode-history.ndjson or both, or such
    a file; an event trace of a design (KIP-343, KIP-46, KIP-631) is an NDJSON file whose first line names the design,
    or a directory with such files. With --protocol it is one of a protocol of yours.
    --release, --high-watermark, --events, --plain, --quorum, --static and --server-properties are of metadata logs.
    """
    from fencepost.checkers.conformance.records.passed import PASSED_THROUGH, UNKNOWN_TYPES

    started = time.monotonic()
    refuse_html(html, force)
    if spark and jobs > 1:
        raise Refusal("--jobs: Spark has processes of its own, as many as its master says; leave out --jobs or --spark")
    with reading(cluster_of(spark, master, conf, to, run, split_bytes, resume), paths) as cluster:
        if not isinstance(cluster, bool):
            from fencepost.checkers.conformance.spark.hadoop import as_uri

            paths = [as_uri(path) for path in paths]
        tables = [] if isinstance(cluster, bool) else tables_among(paths)
        if tables:
            refuse_beside(
                tables[0], {"--sensitivity": sensitivity, "--refines": refines, "--events": events, "--quorum": quorum}
            )
            quorum = False
        found = _judged(
            paths,
            release,
            high_watermark,
            cluster,
            sensitivity,
            refines,
            events,
            plain,
            static,
            server_properties,
            quorum,
            jobs,
            not tables,
            protocol,
            PASSED_THROUGH | ({UNKNOWN_TYPES} if skip_unknown else set()),
            fork_given(fork),
        )
        if not isinstance(cluster, bool) and cluster.to is not None:
            written = {"written": {"to": cluster.to, "run": cluster.run}}
            line = f"written to {cluster.to} as run {cluster.run}"
            found = replace(found, fields={**found.fields, **written}, page=[*found.page, line])
        if html is None:
            return found
        from fencepost.checkers.conformance.records.forks import family_of

        from .protocols import family

        names = sorted({log["protocol"] for log in found.fields["logs"] if log["protocol"]})
        rows = family_of(fork_given(fork))
        own = {} if rows is None else {rows.whole.name: rows}
        # The newest release first.
        families = [own.get(name) or family(name) for name in ([protocol] if protocol else reversed(names))]
        return with_page(found, html, ", ".join(names) or "logs", families, time.monotonic() - started)


def _judged(
    paths: list[str],
    release: str,
    high_watermark: int | None,
    spark: Cluster | bool,
    sensitivity: bool,
    refines: str | None,
    events: Path | None,
    plain: bool,
    static: list[str] | None,
    server_properties: Path | None,
    quorum: bool | None,
    jobs: int,
    are_paths: bool,
    own: str | None,
    passed_through: frozenset[str],
    fork: Fork | None,
) -> Outcome:
    from fencepost.traces.zk_recordings import recordings_below

    zookeeper = [path for path in paths if recordings_below(path)]
    designs = design_traces(paths) if not zookeeper else {}
    if own is not None and not designs:
        raise Refusal(f"--protocol: {paths[0]} is no event trace of a design (NDJSON); leave the option out")
    if refines is not None and (zookeeper or designs):
        raise Refusal(f"--refines: {[*zookeeper, *designs][0]} is no metadata log; leave the option out")
    if zookeeper:
        refuse_static(static, server_properties, f"{zookeeper[0]} is a recording of a ZooKeeper-era cluster")
        return conform_zk([path for path in paths if path not in zookeeper], zookeeper, spark, sensitivity, jobs)
    if designs:
        refuse_static(static, server_properties, f"{next(iter(designs))} holds event traces of a design")
        traces = [one for found in designs.values() for one in found]
        from .protocols import family

        mine = None if own is None else family(own).whole
        return conform_designs([path for path in paths if path not in designs], traces, spark, sensitivity, jobs, mine)
    for option, is_given in (("--sensitivity", sensitivity), ("--refines", refines is not None)):
        if is_given and spark:
            raise Refusal(f"{option} reads one log after the other in this process; leave out --spark")
    refinement: Refinement | None = None
    if refines is not None:
        from fencepost.model.registry import refinement as refinement_of

        refinement = refinement_of(refines)
    paths, empty = with_logs(paths, quorum)
    requests = () if events is None else traces_of(paths, events)
    settings = settings_of(static, server_properties)
    protocol = _tables(release)
    from fencepost.checkers.conformance import conform as held
    from fencepost.model.releases import RELEASES

    def judge(follow: Following | None) -> ConformResult:
        return held(
            paths,
            protocol,
            high_watermark=high_watermark,
            spark=spark,
            static=settings,
            passed_through=passed_through,
            ask_others=True,
            by_class=not plain,
            fork=fork,
            jobs=jobs,
            follow=follow,
            stored=True,
        )

    result = followed(judge, "logs", bool(spark))
    document, shown = _document(result), [*page(result), "", settings.text()]
    if result.stopped:
        return _outcome(result, result.verdict, result.exit_code, document, shown)
    verdict, code = result.verdict, result.exit_code
    try:
        if sensitivity:
            read = [log for log in result.logs if log.verdict is not Verdict.INCONCLUSIVE]
            tables = {log.path: protocol or RELEASES[_only(log, "--sensitivity")].for_logs for log in read}
            with watching("altering fields and leaving out rows"):
                measured = _measured(paths, tables, settings)
            for log in document["logs"]:
                if log["path"] in measured:
                    altered, without = measured[log["path"]]
                    log["sensitivity"] = {"alterations": altered.as_json(), "without_rows": without.removals}
                    log["covered"] |= altered.found()
                    shown += ["", f"how much is seen of {log['path']}", *altered.text(), *without.text()]
        steps: dict[str, RefinedLog] = {}
        if refinement is not None:
            from fencepost.checkers.conformance.conform import asked
            from fencepost.checkers.conformance.refinement import Refining

            with watching(f"asking which steps are rows of {refines}"):
                options = asked(
                    protocol,
                    high_watermark=high_watermark,
                    static=settings,
                    passed_through=passed_through,
                    by_class=not plain,
                    fork=fork,
                ).options
                steps = _steps(result, paths, Refining(refinement, protocol, settings, options))
            for log in document["logs"]:
                if log["path"] in steps:
                    log["refinement"] = steps[log["path"]].as_json()
        with watching("reading brokers' log directories"):
            brokers = judged_brokers(result.logs if are_paths else ())
        if brokers:
            document["brokers"] = [one.as_json() for one in brokers]
        with watching("comparing the logs of a quorum"):
            quorums = judged_quorums(paths, quorum, empty, protocol, settings, high_watermark)
        if quorums:
            document["quorums"] = [one.as_json() for one in quorums]
        beside: list[tuple[RefinedLog | DataResult | QuorumResult, list[str]]] = [
            *((one, [f"{path}, as rows of {refines}", *one.text()]) for path, one in steps.items()),
            *((one, broker_lines(one)) for one in brokers),
            *((one, quorum_lines(one)) for one in quorums),
        ]
        for one, lines in beside:
            shown += ["", *lines]
            code = worst((code, one.exit_code))
            verdict = one.verdict if one.exit_code == code != ExitCode.AS_DECLARED else verdict
        if requests:
            results = {log.path: log for log in result.logs}
            with watching(f"asking the tables every request of {events}"):
                judged = judged_events(
                    requests,
                    lambda log: _only(results[log.path], "--events") if release == IN_FORCE else release,
                    settings,
                    spark,
                )
            document |= {"events": judged[0]} if len(judged) == 1 else {"event_traces": judged}
            for trace in judged:
                shown += ["", *event_lines(trace)]
                code = worst((code, CODES.get(trace["verdict"], ExitCode.AS_DECLARED)))
                verdict = Verdict(trace["verdict"]) if CODES.get(trace["verdict"]) == code else verdict
    except KeyboardInterrupt:
        # The logs are checked: further requests are not, as far as they are not printed here.
        shown += ["", "stopped: requests beside the logs are not checked to their end"]
        verdict, code = result.verdict, ExitCode.STOPPED
    return _outcome(result, verdict, code, document, shown)


def _outcome(
    result: ConformResult, verdict: Verdict, code: ExitCode, document: dict[str, Any], shown: list[str]
) -> Outcome:
    # A page does not show the hash, which costs as much as the check of a small log.
    return Outcome("conform", verdict.value, code, document, shown, lambda: result.table_hash, findings_of(result))


def _tables(release: str) -> Protocol | None:
    """The tables to check logs against, None for those of the release that was in force."""
    from fencepost.model.releases import RELEASES

    if release == IN_FORCE:
        return None
    if release not in RELEASES:
        known = ", ".join((IN_FORCE, *RELEASES))
        raise Refusal(f"--release {release}: there are no tables of this release; use one of {known}")
    return RELEASES[release].for_logs


def _only(log: LogResult, option: str) -> str:
    """The one release with whose tables a log was checked, the newest one where there was nothing to check."""
    from fencepost.checkers.conformance.strict import in_force
    from fencepost.model.releases import NEWEST

    if len(log.spans) > 1:
        raise Refusal(
            f"{option} asks the tables of one release, and {log.path} was written by several: {in_force(log.spans)}; "
            "say which with --release"
        )
    return log.spans[0].releases[0] if log.spans else NEWEST


def _measured(
    paths: list[str], protocols: Mapping[str, Protocol], settings: StaticSettings
) -> dict[str, tuple[Sensitivity, WithoutRows]]:
    """Measure the logs below the paths for which there are tables, by their paths."""
    from fencepost.checkers.conformance import PASSED_THROUGH, Options
    from fencepost.checkers.conformance.explain.sensitivity import alterations, without_rows
    from fencepost.traces import find_logs, read_log

    options = Options(PASSED_THROUGH, settings.given)
    measured = {}
    for source in find_logs(paths, keep=True):
        if source.path in protocols:
            log, tables = read_log(source), settings.on(protocols[source.path])
            measured[source.path] = (alterations(log, tables, options), without_rows(log, tables, options))
    return measured


def _steps(result: ConformResult, paths: list[str], refining: Refining) -> dict[str, RefinedLog]:
    """Return the steps of each log that was checked as rows of the other protocol, by the log's path."""
    from fencepost.traces import find_logs, read_log

    checked = {log.path for log in result.logs if log.verdict is not Verdict.INCONCLUSIVE}
    return {one.path: refining.log(read_log(one)) for one in find_logs(paths, keep=True) if one.path in checked}


def _document(result: ConformResult) -> dict[str, Any]:
    from fencepost.checkers.conformance.strict import checked_by, release_named

    document = result.as_json()
    for log, found in zip(document["logs"], result.logs, strict=True):
        log["releases"] = checked_by(found)
        log["refused"] = [{**one, "release": release_named(one["release"])} for one in log["refused"]]
    return document


def findings_of(result: ConformResult) -> list[dict[str, Any]]:
    """Return the known findings that the logs show, each with the log that shows it and what to do about it."""
    from fencepost.checkers.conformance.results.topic_names import by_name, spelled
    from fencepost.checkers.findings_pages import action

    return [
        {
            "path": log.path,
            **one.as_json(),
            "name": spelled(by_name(one.entity, log.topics)),
            "action": action(one.finding),
        }
        for log in result.logs
        for one in log.findings
    ]


def page(result: ConformResult) -> list[str]:
    """Return the result as text: a line a log, what the logs show, and the screen of the first violation.

    Of many logs those that do not conform come first, as far as a screen has room, and the others are counted.
    """
    from fencepost.checkers.conformance.results.topic_names import by_name

    first = next(((log, v) for log in result.logs for v in log.violations if v.screen), None)
    screen = [] if first is None else ["", *(by_name(line, first[0].topics) for line in first[1].screen)]
    if len(result.logs) > MANY:
        return [*summary(result, _log, len(screen)), *findings_in(result), *by_verdict(result, "logs"), *screen]
    lines = []
    for log in begun(result):
        lines += unread(log) or [by_name(line, log.topics) for line in _log(log)]
    return [*lines, *by_verdict(result, "logs"), *screen]


def _log(log: LogResult) -> list[str]:
    from fencepost.checkers.conformance.strict import in_force, release_named

    tables = in_force(log.spans) or ", ".join(map(release_named, log.releases))
    releases = f" (tables of {tables})" if tables else ""
    passed = f", {log.passed_through} passed through" if log.passed_through else ""
    lines = [
        f"{log.path}: {log.verdict.value}{releases}: {log.records} {noun(log.records, 'record')} in "
        f"{log.batches} {noun(log.batches, 'batch', 'batches')}{passed}; "
        f"{(results := sum(log.rows.values()))} {noun(results, 'result')} of {counted(len(log.rows), 'row')}, "
        f"{log.ambiguous} ambiguous"
    ]
    # What may be no fault of the log at all comes first.
    lines += [f"  conforms if {name} was {value} in server.properties" for name, value in log.conforms_if.items()]
    lines += covered_lines(log)
    if log.cannot:
        # What this release alone does not explain is no fault of the log: the first has its screen below.
        lines += [f"  {log.cannot}", f"    cause: {Cause.OTHER_RELEASE.words}"]
        if not any(v.screen for v in log.violations):
            lines += [f"  {v.rule} at offset {v.offset}: {v.message}" for v in log.violations[:1]]
        return [*lines, *(f"  {note}" for note in log.notes if note != log.cannot)]
    if log.tail:
        lines.append(f"  {log.tail}")
    for v in log.violations[:SHOWN]:
        lines += [
            f"  {v.rule} at offset {v.offset} ({v.segment}){f', {v.entity}' if v.entity else ''}: {v.message}",
            f"    {told_apart(v.evidence)}",
        ]
    lines += not_shown(len(log.violations), SHOWN, "violations")
    lines += _refusals(log)
    for doubt in log.doubts[:3]:
        lines.append(f"  undecided{_because(doubt)}: {doubt.message}")
    lines += [f"  {note}" for note in log.notes]
    lines += _findings(log)
    if log.quarantined:
        lines.append(f"  {len(log.quarantined)} unreadable ranges are quarantined; --json names them")
    return lines


def covered_lines(log: LogResult) -> list[str]:
    """Return the line that says what a verdict covers; none for a log of which no row was asked."""
    covered = log.covered
    if not covered["rows_of_tables"]:
        return []
    return [
        f"  covered: {covered['rows']} of {covered['rows_of_tables']} rows of the tables; {covered['properties']} of "
        f"{covered['properties_of_tables']} properties put to the test, {counted(covered['instances'], 'time')}"
    ]


def _because(doubt: Doubt) -> str:
    return "" if doubt.cause is Cause.CANNOT_TELL else f" ({doubt.cause.words})"


def _findings(log: LogResult) -> list[str]:
    """Return each finding that a log shows, once: how often, where first, what it is, and what to do about it."""
    from fencepost.checkers.conformance.results.topic_names import spelled
    from fencepost.checkers.findings_pages import action, title

    lines = []
    for name in dict.fromkeys(one.finding for one in log.findings):
        mine = [one for one in log.findings if one.finding == name]
        times = "once" if len(mine) == 1 else f"{len(mine)} times, first"
        about = f", {spelled(mine[0].entity)}" if mine[0].entity else ""
        what = title(name)
        lines.append(f"  finding {name}{f': {what}' if what else ''}")
        lines.append(f"    {times} at offset {mine[0].offset}{about}")
        lines.append(f"    action: {action(name)}")
    return lines + (["  the page of a finding: fencepost show ID"] if lines else [])


def _refusals(log: LogResult) -> list[str]:
    """Why other releases do not explain a log: a line for each, those with the same first violation in one."""
    from fencepost.checkers.conformance.strict import release_named

    together: dict[tuple[int, str], list[str]] = {}
    for name, one in log.refused.items():
        if name != log.protocol:
            together.setdefault((one.offset, one.message), []).append(release_named(name))
    return [f"  not {', '.join(names)}: offset {offset}: {message}" for (offset, message), names in together.items()]
