"""`fencepost health`: how a cluster is at a moment of its metadata log, since when, and which known defects show."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .following import following
from .log_filters import AT_HELP, ForkOption, SkipUnknown, fork_given
from .outcome import Json, Outcome
from .reports import Force, Picture, refuse_html, write_picture
from .static import ServerProperties, Static, refuse_static, settings_of
from .story import story_up_to
from .terminal import show, watching
from .zk_pages import health_of_zookeeper

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.conformance.results.results import LogResult
    from fencepost.checkers.operations.moments import When
    from fencepost.traces import LogSource
    from fencepost.traces.forks import Fork

SHOWN = 12
"""The most lines of one condition on the page; --json has all."""

PARTITIONS = 30
"""The most lines of partitions with a problem on the page; --json has all."""

DAY = 86_400
"""The seconds of a day."""

NAMED = 4
"""The most partitions that are named in a line about a broker; --json has all."""

JUDGED = 4 << 20
"""The size of a log in bytes up to which its known defects are looked for unless an option says otherwise."""

TITLES = {
    "offline": "offline",
    "under_min_isr": "under min ISR",
    "led_in_failed_directory": "led from a log directory that its broker no longer has, so that nothing can be written",
    "under_replicated": "under-replicated",
    "leader_recovering": "leader recovering from an unclean election",
    "elr_in_use": "eligible leader replicas in use",
}
"""Titles of a partition's conditions on the page, the worst first: a partition is listed under its worst one."""

BESIDE = {
    "led_in_failed_directory": "led from a failed directory",
    "leader_recovering": "recovering",
    "at_min_isr": "at min ISR",
}
"""Conditions that are named in the line of a partition beside a worse one; of others the line has what shows them."""

COUNTERS = {
    "offline": "OfflinePartitionsCount",
    "under_min_isr": "UnderMinIsr",
    "at_min_isr": "AtMinIsr",
    "under_replicated": "UnderReplicatedPartitions",
}
"""Kafka's metrics for the counts of conditions."""

REASSIGNING = "reassignments under way (addingReplicas, removingReplicas)"
NOT_PREFERRED = "not led by the preferred replica (PreferredReplicaImbalanceCount)"


def health(
    log: Annotated[str, typer.Argument(help="A metadata log: a directory, segments, snapshots, or a dump's text.")],
    at: Annotated[str, typer.Option(metavar="OFFSET|TIME|end", help=AT_HELP)] = "end",
    other: Annotated[
        str | None,
        typer.Option("--and", metavar="OFFSET|TIME|end", help="Instead: what differs between --at and this moment."),
    ] = None,
    window: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="How far back a broker's fences and registrations count.")
    ] = 3600.0,
    findings: Annotated[
        bool | None,
        typer.Option(
            "--findings/--no-findings",
            help="Check the log too, and print the known defects that it shows; by default up to 4 MiB of log.",
        ),
    ] = None,
    skip_unknown: SkipUnknown = False,
    fork: ForkOption = None,
    static: Static = None,
    server_properties: ServerProperties = None,
    html: Picture = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Say how the cluster is at a moment of its metadata log: partitions, brokers, reassignments, each since when.

    Ends with 1 where a partition is offline or under min ISR, with 3 where the log does not tell the state, else with
    0.
    """
    from fencepost.checkers.api.health import health as state_at
    from fencepost.checkers.operations.moments import when
    from fencepost.traces import find_log
    from fencepost.traces.zk_recordings import names_a_recording

    refuse_html(html, force, **{"and": other is not None})
    if names_a_recording(log):
        if html is not None:
            raise Refusal("--html draws a metadata log; leave it out for a recording of a ZooKeeper-era cluster")
        refuse_static(static, server_properties, f"{log} is a recording of a ZooKeeper-era cluster")
        if other is not None:
            raise Refusal("--and compares two moments of a metadata log; ask for one of a ZooKeeper-era recording")
        return health_of_zookeeper(log, at)
    settings = settings_of(static, server_properties)
    declared = fork_given(fork)
    source = replace(find_log(log), skip_unknown=skip_unknown, fork=declared)
    if other is not None:
        return _differing(source, when(at, source), when(other, source, "--and"), settings)
    with watching(f"reading {log}"):
        report = state_at(log, at, window=window, static=settings, fork=declared, skip_unknown=skip_unknown)
    document = report.as_json()
    page = _state(document, settings)
    whole = [*page]
    is_judged = source.size <= JUDGED if findings is None else findings
    shown: list[dict[str, Any]] = []
    if is_judged:
        if not json:
            # The state is known now; the known defects take many times as long.
            show(page)
            sys.stdout.flush()
            page = []
        result, shown = _findings(log, document["at"]["offset"], settings, skip_unknown, declared)
        undecided = [one.message for one in result.doubts]
        document["judged"] = {
            "verdict": result.verdict.value, "end_offset": result.end_offset, "undecided": undecided
        }  # fmt: skip
    code = ExitCode.VIOLATED if report.is_unhealthy else ExitCode.AS_DECLARED
    defects = _defects(document, shown)
    found = Outcome("health", report.status, code, document, page + defects, report.table_hash, shown)
    if html is not None:
        with watching(f"drawing {log}"):
            happened = story_up_to(source, document["at"]["offset"], settings)
        write_picture(html, happened.document(0.0), found.document(0.0), whole + defects)
    return found


def _differing(source: LogSource, one: When, other: When, settings: StaticSettings) -> Outcome:
    from fencepost.checkers.operations.differences import differences
    from fencepost.model.kraft.protocol import KRAFT

    with watching(f"reading {source.path}"):
        document = differences(source, one, other, settings)
    return Outcome("health", "compared", ExitCode.AS_DECLARED, document, _compared(document), KRAFT.hash)


def _compared(document: Mapping[str, Any]) -> list[str]:
    at, later = document["at"], document["and"]
    lines = [
        f"{document['path']}: what differs between offset {at['offset']} ({_time(at['timestamp'])}) and "
        f"offset {later['offset']} ({_time(later['timestamp'])})",
        *(f"  {note}" for note in document["notes"]),
    ]
    for word, topics in document["topics"].items():
        lines += _section(f"topics {word}", topics, topics[:SHOWN])
    told = [
        f"broker {one['broker']}  "
        + ", ".join(f"{name.replace('_', ' ')} {old} → {new}" for name, (old, new) in one["changed"].items())
        for one in document["brokers"]
    ]
    lines += _section("brokers", told, told[:SHOWN])
    features = [f"{one['feature']} {one['level'][0]} → {one['level'][1]}" for one in document["features"]]
    lines += _section("features", features, features[:SHOWN])
    partitions = document["partitions"]
    lines += _section("partitions", partitions, [one["words"] for one in partitions[:SHOWN]])
    return lines if len(lines) > 1 else [*lines, "  nothing"]


def _findings(
    path: str, offset: int, settings: StaticSettings, skip_unknown: bool, fork: Fork | None
) -> tuple[LogResult, list[dict[str, Any]]]:
    """The verdict on the whole log, and the findings that it shows up to an offset, each id once with its count."""
    from fencepost.checkers.conformance import PASSED_THROUGH, conform
    from fencepost.checkers.conformance.records.passed import UNKNOWN_TYPES
    from fencepost.checkers.findings_pages import title

    from .conform import findings_of

    passed = PASSED_THROUGH | ({UNKNOWN_TYPES} if skip_unknown else set())
    with following("logs", "health") as follow:
        result = conform([path], None, static=settings, passed_through=passed, fork=fork, follow=follow, stored=True)
    found: dict[str, dict[str, Any]] = {}
    for one in findings_of(result):
        if one["offset"] > offset:
            continue
        first = found.setdefault(one["finding"], {**one, "title": title(one["finding"]) or None, "times": 0})
        first["times"] += 1
        first["last_offset"] = one["offset"]
    return result.logs[0], list(found.values())


# -- the page ----------------------------------------------------------------------------------------------------------
def _state(document: Mapping[str, Any], settings: StaticSettings) -> list[str]:
    from fencepost.checkers.conformance.records.voters import quorum_in_words

    counts, partitions, brokers = document["counts"], document["partitions"], document["brokers"]
    lines = [_head(document), _size(document), *_migration(document["migration"])]
    lines += [f"  {line}" for line in quorum_in_words(document["quorum"])]
    lines += _upgrade(document["upgrade"])
    lines += [f"  {note}" for note in document["notes"]]
    if document["fork"] is not None:
        noted = document["fork"]["conditions"]
        conditions = [f"{one['words']}, {_for(one['since'])}" for one in noted[:SHOWN]]
        lines += _section(f"of {document['fork']['name']}", noted, conditions)
    states = _down(brokers)
    lines += _by_cause(partitions, states)
    moved, away = partitions["reassigning"], partitions["not_preferred"]
    lines += _section(REASSIGNING, moved, [_reassigned(one, states) for one in moved[:SHOWN]])
    offline = sum(one["leader"] is None for one in away)
    without = f", {offline} of them without a leader" if offline else ""
    lines += ["", f"{NOT_PREFERRED}: {len(away)}{without}", *_not_preferred(away, document["leaders"])] if away else []
    whole = sum(set(one["replicas"] or ()) <= set(one["isr"]) for one in partitions["at_min_isr"])
    if whole:
        lines += ["", f"  {whole} more at min ISR have every replica in the ISR: as many replicas as the minimum"]
    elections = document["unclean_elections"]
    lines += _section("unclean elections seen", elections, [_election(one) for one in elections[-SHOWN:]])
    fenced = brokers["fenced"]
    leaving = {one["broker"] for one in brokers["in_controlled_shutdown"]}
    lines += _section("fenced brokers", fenced, [_fenced(one, leaving) for one in fenced[:SHOWN]])
    down = [one for one in brokers["in_controlled_shutdown"] if one["broker"] not in {f["broker"] for f in fenced}]
    shut = [f"broker {one['broker']}  {_for(one['since'])}" for one in down[:SHOWN]]
    lines += _section("brokers in controlled shutdown", down, shut)
    for title, name, words in (
        ("brokers that are not registered and hold replicas", "gone", _gone),
        ("brokers with cordoned log directories", "cordoned", _cordoned),
        ("log directories that a broker had and has no more", "lost_directories", _lost),
    ):
        lines += _section(title, brokers[name], map(words, brokers[name][:SHOWN]))
    never = brokers["never_unfenced"]
    lines += _section("registrations that were never unfenced", never, [_registration(one) for one in never[-SHOWN:]])
    flapping = brokers["flapping"]
    lines += _section(
        f"brokers that flap, in the last {_spelled(document['window_seconds'])}",
        flapping,
        [
            f"broker {one['broker']}  {counted(one['fences'], 'fence')}, {counted(one['unfences'], 'unfence')}, "
            f"{counted(one['registrations'], 'registration')}"
            for one in flapping[:SHOWN]
        ],
    )
    if counts["partitions"] and not any(one for one in settings.as_json().values() if one["from"] == "--static"):
        lines += ["", settings.text()]
    lines += ["A refused registration and a missed heartbeat write no record: the log does not show them."]
    return lines


def _defects(document: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> list[str]:
    if document["judged"] is None:
        return ["", "known defects of the release: not looked for; --findings checks the log too"]
    undecided = document["judged"]["undecided"]
    count = len(findings) or ("not decided" if undecided else "none")
    lines = ["", f"known defects of the release that the log shows: {count}"]
    lines += [f"  undecided: {why}" for why in undecided]
    for one in findings:
        lines += _finding(one)
    if document["judged"]["verdict"] == "violates":
        lines += ["  the log does not conform, so that more may be wrong:", f"  fencepost conform {document['path']}"]
    return lines


def _head(document: Mapping[str, Any]) -> str:
    at, counts = document["at"], document["counts"]
    why = [
        f"{counts[name]} {word}"
        for name, word in (("offline", "offline"), ("under_min_isr", "under min ISR"))
        if counts[name]
    ]
    told = f": {', '.join(why)}" if why else ""
    return f"{document['path']}: {document['status']} at offset {at['offset']} ({_time(at['timestamp'])}){told}"


def _migration(migration: Mapping[str, Any] | None) -> list[str]:
    """Say how far the migration from ZooKeeper is, and for which brokers it waits."""
    if migration is None:
        return []
    since, state = migration["since"], migration["state"]
    line = f"  migration from ZooKeeper: {state}" + ("" if since is None else f" since offset {since['offset']}")
    if state == "PRE_MIGRATION":
        line += ", nothing is copied yet"
    elif state == "MIGRATION":
        line += ", the metadata is copied, and changes are written to both"
    elif state == "POST_MIGRATION":
        return [f"{line}, it is over"]
    if not migration["registered"]:
        return [f"{line}; no broker has registered with the controllers"]
    fenced = set(migration["fenced"])
    old = [f"{one} (fenced)" if one in fenced else str(one) for one in migration["in_zookeeper_mode"]]
    return [f"{line}; brokers registered in ZooKeeper mode: {', '.join(old) or 'none'}"]


def _size(document: Mapping[str, Any]) -> str:
    counts, controller = document["counts"], document["controller"]
    led = ""
    if controller is not None:
        node = "unknown" if controller["id"] is None else controller["id"]
        led = f"; controller {node} in epoch {controller['epoch']}, {_for(controller['since'])}"
    version = f"; metadata.version {document['metadata_version']}" if document["metadata_version"] else ""
    return (
        f"  {counted(counts['brokers'], 'broker')}, {counts['active_brokers']} active; "
        f"{counted(counts['topics'], 'topic')}, {counted(counts['partitions'], 'partition')}{version}{led}"
    )


def _section(title: str, found: Sequence[Any], lines: Iterable[str]) -> list[str]:
    if not found:
        return []
    more = [f"  and {len(found) - SHOWN} more; --json has them"] if len(found) > SHOWN else []
    return ["", f"{title}: {len(found)}", *(f"  {line}" for line in lines), *more]


def _not_preferred(found: Sequence[Mapping[str, Any]], leaders: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each broker that does not lead all partitions that prefer it: how many, and since when the first.

    A broker whose other partitions have no leader at all has none: they are listed already.
    """
    by_broker: dict[int, list[Mapping[str, Any]]] = {}
    for one in found:
        by_broker.setdefault(one["replicas"][0], []).append(one)
    lines = []
    for lead in leaders:
        mine = by_broker.get(lead["broker"], [])
        if all(one["leader"] is None for one in mine):
            continue
        first = min((one["since"] for one in mine if one["since"]), key=lambda at: at["offset"], default=None)
        names = ", ".join(one["partition"] for one in mine[:NAMED]) + (", ..." if len(mine) > NAMED else "")
        lines.append(
            f"  broker {lead['broker']}  leads {lead['preferred'] - len(mine)} of the {lead['preferred']} that prefer "
            f"it, and {lead['leads']} in all; {_for(first)}: {names}"
        )
    more = [f"  and {len(lines) - SHOWN} more brokers; --json has them"] if len(lines) > SHOWN else []
    return [*lines[:SHOWN], *more]


def _gone(one: Mapping[str, Any]) -> str:
    when = one["unregistered"]
    told = "never registered in this log" if when is None else f"unregistered at offset {when['offset']} ({_ago(when)})"
    return f"broker {one['broker']}  {told}; replica of {counted(one['partitions'], 'partition')}"


def _cordoned(one: Mapping[str, Any]) -> str:
    which = "all of them: it gets no replicas" if one["all"] else ", ".join(one["directories"])
    return f"broker {one['broker']}  {_for(one['since'])}: {which}"


def _lost(one: Mapping[str, Any]) -> str:
    return f"broker {one['broker']}  without {one['directory']} {_for(one['since'])}"


def _upgrade(upgrade: Mapping[str, Any]) -> list[str]:
    if upgrade["held_back_by"]:
        held, many = ", ".join(upgrade["held_back_by"]), len(upgrade["held_back_by"]) > 1
        to = upgrade["may_be_raised_to"]
        most = "is at the highest level" if to is None else f"may be raised to {to}"
        others = upgrade["others_support"]
        return [f"  metadata.version {most} that {held} support{'' if many else 's'}; others support {others}"]
    return [f"  metadata.version may be raised to {upgrade['may_be_raised_to']}"] if upgrade["may_be_raised_to"] else []


def _by_cause(partitions: Mapping[str, Sequence[Mapping[str, Any]]], down: Mapping[int, str]) -> list[str]:
    """Return partitions with a problem, a line each, by their worst condition and what it waits for, the most first."""
    entries: dict[str, dict[str, Mapping[str, Any]]] = {}
    for name in TITLES:
        for one in partitions[name]:
            entries.setdefault(one["partition"], {})[name] = one
    at_min = {one["partition"] for one in partitions["at_min_isr"] if set(one["replicas"] or ()) - set(one["isr"])}
    groups: dict[tuple[str, str], list[str]] = {}
    for name in TITLES:
        for partition, mine in entries.items():
            if next(iter(mine)) == name:
                held = {*mine, *(("at_min_isr",) if partition in at_min else ())} - {name}
                other = [words for one, words in BESIDE.items() if one in held]
                groups.setdefault((name, _cause(name, mine[name], down)), []).append(_partition(mine[name], other))
    counts = [f"{metric} {len(partitions[name])}" for name, metric in COUNTERS.items() if partitions[name]]
    title = f"partitions with a problem: {len(entries)}" + (f" ({', '.join(counts)})" if counts else "")
    lines = ["", title] if groups else []
    left = PARTITIONS
    order = list(TITLES)
    for (name, cause), found in sorted(groups.items(), key=lambda one: (order.index(one[0][0]), -len(one[1]))):
        lines += [f"  {TITLES[name]}{cause}: {len(found)}", *(f"    {one}" for one in found[:left])]
        lines += [f"    and {len(found) - left} more; --json has them"] if len(found) > left else []
        left = max(0, left - len(found))
    return lines


def _cause(condition: str, one: Mapping[str, Any], down: Mapping[int, str]) -> str:
    """Return what a condition waits for, as it goes on behind its title."""
    if condition == "offline":
        unclean = ""
        others = [broker for broker in one["active_replicas"] if broker not in one["isr"]]
        if others:
            unclean = f"; {_brokers(others)} may lead only by an unclean election"
        if one["needs_unclean"] is not None and one["needs_unclean"]["since"] is not None:
            return f", an election needs unclean{unclean}"
        return f", comes back with {_any_of(one['waits_for'])}{unclean}"
    missing = sorted(b for b in one["replicas"] or () if b not in (one["isr"] or ()))
    return f", missing {_with_state(missing, down)}" if missing else ""


def _partition(one: Mapping[str, Any], other: Sequence[str]) -> str:
    leader = "no leader" if one["leader"] is None else f"leader {one['leader']}"
    told = f"{one['partition']}  {_for(one['since'])}: {leader}, ISR {one['isr']} of {one['replicas']}"
    if one["leader"] is not None and len(one["isr"] or ()) < one["min_isr"]:
        told += f", min ISR {one['min_isr']}"
    if one["elr"]:
        told += f", ELR {one['elr']}"
    elif one["leader"] is None and one["last_known_elr"]:
        told += f", last known leader {one['last_known_elr']}"
    if one["failed_directory"] is not None:
        told += f", directory {one['failed_directory']}"
    return told + _forgotten(one["needs_unclean"]) + (f"; {', '.join(other)}" if other else "")


def _reassigned(one: Mapping[str, Any], down: Mapping[int, str]) -> str:
    told = f"{_partition(one, ())}; adds {one['adding']}, removes {one['removing']}"
    kept = [b for b in one["waits_for"] if b not in one["adding"]]
    added = [b for b in one["waits_for"] if b in one["adding"]]
    if added:
        told += f"; not in the ISR yet: {_with_state(added, down)}"
    if kept:
        told += f"; waits for {_with_state(kept, down)}: every replica that is kept must be in the ISR"
    return told + (f"; no step {_for(one['progress'])}" if one["progress"] else "")


def _down(brokers: Mapping[str, Any]) -> dict[int, str]:
    """Return why a broker is not active, by its id, of those that are not."""
    gone = {
        one["broker"]: "not registered" + (f" since offset {at['offset']}" if (at := one["unregistered"]) else "")
        for one in brokers["gone"]
    }
    leaving = {one["broker"]: "shutting down" for one in brokers["in_controlled_shutdown"]}
    return leaving | {one["broker"]: "fenced" for one in brokers["fenced"]} | gone


def _with_state(brokers: Sequence[int], down: Mapping[int, str]) -> str:
    """Return brokers by their ids, each that is not active with the reason."""
    told = [f"{one} ({down[one]})" if one in down else str(one) for one in brokers]
    return f"broker{'s' if len(told) > 1 else ''} {', '.join(told)}"


def _forgotten(one: Mapping[str, Any] | None) -> str:
    """Since which record an election needs unclean, and which candidates it took."""
    if one is None or one["since"] is None:
        return ""
    lost = [f"ELR {one['elr_before']}"] if one["elr_before"] else []
    lost += [f"last known leader {one['last_known_before']}"] if one["last_known_before"] else []
    taken = f", which took {' and '.join(lost)}" if lost else ""
    return f"; by {one['by']} @{one['since']['offset']}{taken}"


def _election(one: Mapping[str, Any]) -> str:
    recovered = "" if one["recovering"] else "; recovered since"
    before = f"ISR {one['isr_before']}" + (f", ELR {one['elr_before']}" if one["elr_before"] else "")
    told = f"{one['partition']}  at offset {one['at']['offset']} ({_ago(one['at'])})"
    return f"{told}: leader {one['leader']}, before that {before}{recovered}"


def _fenced(one: Mapping[str, Any], leaving: set[int]) -> str:
    asked = ", after a controlled shutdown" if one["broker"] in leaving else ""
    return f"broker {one['broker']}  {_for(one['since'])}{asked}"


def _registration(one: Mapping[str, Any]) -> str:
    ended = f"; registered again or gone at offset {one['ended']['offset']}" if one["ended"] else "; still fenced"
    return (
        f"broker {one['broker']}  registered at offset {one['registered']['offset']} ({_ago(one['registered'])}){ended}"
    )


def _finding(one: Mapping[str, Any]) -> list[str]:
    times = "once" if one["times"] == 1 else f"{one['times']} times, first"
    about = f", {one['name']}" if one.get("name") else ""
    return [
        f"  {one['finding']}: {one['title'] or 'a known defect'}",
        f"    {times} at offset {one['offset']}{about}; action: {one['action']}",
        f"    fencepost show {one['finding']}",
    ]


def _for(since: Mapping[str, Any] | None) -> str:
    if since is None:
        return "for an unknown time"
    least = "" if since["exact"] else "at least "
    span = "an unknown time" if since["seconds"] is None else _spelled(since["seconds"])
    return f"for {least}{span} (since {_clock(since)}@{since['offset']}{'' if since['exact'] else ' or before'})"


def _clock(at: Mapping[str, Any]) -> str:
    """Return the time of day of a moment, of one that is a day old or older with its date; empty for none."""
    if at["time"] is None:
        return ""
    is_old = at["seconds"] is None or at["seconds"] >= DAY
    return f"{at['time'][:19].replace('T', ' ') if is_old else at['time'][11:19]} "


def _ago(at: Mapping[str, Any]) -> str:
    return "at an unknown time" if at["seconds"] is None else f"{_spelled(at['seconds'])} before"


def _any_of(brokers: Sequence[int]) -> str:
    if not brokers:
        return "an unclean election only"
    return _brokers(brokers) if len(brokers) == 1 else f"any of {_brokers(brokers)}"


def _brokers(ids: Sequence[int]) -> str:
    return f"broker{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"


def _spelled(seconds: float) -> str:
    from fencepost.checkers.operations.moments import spelled

    return spelled(seconds)


def _time(timestamp: int | None) -> str:
    from fencepost.checkers.operations.moments import shown

    return shown(timestamp)
