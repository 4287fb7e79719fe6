"""`fencepost story`: what happened in a metadata log, in sentences with times and offsets, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .log_filters import AT_HELP, ForkOption, SkipUnknown, Type, fork_given
from .outcome import Json, Outcome
from .reports import Force, Picture, refuse_html, write_picture
from .static import ServerProperties, Static, refuse_static, settings_of
from .terminal import columns, watching
from .zk_pages import story_of_zookeeper

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.operations.about import About
    from fencepost.checkers.operations.moments import When
    from fencepost.traces import LogSource

HEAD = 14
"""The columns of an event's time; everything else is to the right of them."""

ROWS = 10
"""The most rows whose words stand below the story; --json has all."""

ROW = 280
"""The most letters of a row's words there."""

SHOWN = 20
"""The most intervals of one condition on the page; --json has all."""

TITLES = {
    "leaderless": "partitions without a leader",
    "under_min_isr": "partitions under min ISR",
    "fenced": "brokers fenced",
    "in_controlled_shutdown": "brokers in controlled shutdown",
}
"""Titles of the intervals on the page."""

LEGEND = (
    "orders-0 is partition 0 of topic orders; 2→3 its leader moves, –→3 a leader is found, 2→– none is left; [3 4] is "
    "the ISR, {2} an eligible leader outside it; @12-15 are offsets. Times are UTC, those of the records."
)


def story(
    log: Annotated[
        str,
        typer.Argument(
            help="A metadata log: a directory, segments, snapshots, or a dump's text; or a ZooKeeper-era recording."
        ),
    ],
    begin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="OFFSET|TIME|end",
            help=f"Where the story begins, at the first record if left out, with --follow at the end. {AT_HELP}",
        ),
    ] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="OFFSET|TIME|end", help="Where it ends; as --from.")] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="OFFSET|TIME|end",
            help="Instead: what happened at a moment, in the whole minute or second that a time names; what comes "
            "behind it is read for its causes.",
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with what is appended to the log, until Ctrl-C; --json prints then.")
    ] = False,
    partition: Annotated[
        str | None, typer.Option(metavar="TOPIC-NUMBER", help="Only what became of one partition: orders-0.")
    ] = None,
    broker: Annotated[
        int | None, typer.Option(metavar="ID", help="Only what became of one broker, and of partitions by it.")
    ] = None,
    topic: Annotated[str | None, typer.Option(metavar="NAME", help="Only what became of one topic.")] = None,
    type: Type = None,
    rows: Annotated[
        bool | None,
        typer.Option(
            "--rows/--no-rows",
            help="Evaluate the rows of all events; by default of large batches, and of 1,000 records in others.",
        ),
    ] = None,
    intervals: Annotated[
        bool,
        typer.Option(
            "--intervals",
            help="Instead: from when to when partitions were leaderless or under min ISR, brokers fenced or in "
            "controlled shutdown.",
        ),
    ] = False,
    lanes: Annotated[
        bool, typer.Option("--lanes/--no-lanes", help="With --json: what held over time, of which --html is made.")
    ] = True,
    skip_unknown: SkipUnknown = False,
    fork: ForkOption = None,
    static: Static = None,
    server_properties: ServerProperties = None,
    html: Picture = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Tell what happened in a metadata log between two moments: each result with time, offsets, and why.

    Ends with 0 where it is complete, with 3 where the log does not show the state from some record on. With --follow
    events are printed as they are appended to the log of a running controller, those of --from to the end first.
    """
    from fencepost.checkers.operations.about import about_of
    from fencepost.checkers.operations.moments import END, moment, require_order, when, whole
    from fencepost.checkers.operations.story import ASKED
    from fencepost.traces import find_log
    from fencepost.traces.zk_recordings import names_a_recording

    refuse_html(html, force, follow=follow, intervals=intervals, at=at is not None, **{"no-lanes": not lanes})
    for option, given in {"--from": begin is not None, "--to": to is not None, "--follow": follow}.items():
        if at is not None and given:
            raise Refusal(f"--at: is one moment, so that {option} cannot be asked; leave out either")
    declared = fork_given(fork)
    about = about_of(partition, broker, topic, type, declared)
    if follow:
        for option, given in {"--to": to is not None, "--intervals": intervals}.items():
            if given:
                raise Refusal(f"--follow: has no end, so that {option} cannot be asked; leave out either")
    begin = at or begin or (END if follow else "0")
    to = at or to or END
    if names_a_recording(log):
        if follow:
            raise Refusal("--follow reads a metadata log as it grows; leave it out for a recording")
        if intervals:
            raise Refusal("--intervals asks a metadata log; leave it out for a recording of a ZooKeeper-era cluster")
        refuse_static(static, server_properties, f"{log} is a recording of a ZooKeeper-era cluster")
        if html is not None:
            raise Refusal("--html draws a metadata log; leave it out for a recording of a ZooKeeper-era cluster")
        return story_of_zookeeper(log, begin, to, about)
    settings = settings_of(static, server_properties) if static or server_properties is not None else None
    most = ASKED if rows is None else None if rows else 0
    if follow or intervals:
        source = replace(find_log(log), skip_unknown=skip_unknown, fork=declared)
        if at is not None:
            first = last = moment(at, source)
        else:
            first, last = when(begin, source, "--from"), when(to, source, "--to")
        if follow:
            from .story_following import followed

            return _outcome(followed(source, first, about, settings, most, json), _ending)
        require_order(first, last)
        if about.types:
            raise Refusal("--type: intervals are of conditions, not of records; leave it out")
        return _intervals(source, first, last if at is None else whole(last), about, settings)
    from fencepost.checkers.api.story import story as told

    with watching(f"reading {log}"):
        answer = told(
            log,
            begin,
            to,
            at=at,
            partition=partition,
            broker=broker,
            topic=topic,
            types=type or (),
            most=most,
            static=settings,
            fork=declared,
            skip_unknown=skip_unknown,
            lanes=lanes and (json or html is not None),
            partitions=json or html is not None,
        )
    found = _outcome(answer.as_json(), _page)
    if html is not None:
        write_picture(html, found.document(0.0))
    return found


def story_up_to(source: LogSource, offset: int, settings: StaticSettings) -> Outcome:
    """Return the outcome of the whole story up to an offset."""
    from fencepost.checkers.operations.about import About
    from fencepost.checkers.operations.moments import when
    from fencepost.checkers.operations.story import ASKED
    from fencepost.checkers.operations.story import story as told

    return _outcome(told(source, when("0", source), when(str(offset), source), About(), settings, ASKED), _page)


def _outcome(document: dict[str, Any], page: Callable[[Mapping[str, Any]], Iterator[str]]) -> Outcome:
    findings = [
        {"finding": row["finding"], "by": row["id"], "offset": event["offset"], "certain": event["certain"]}
        for event in document["events"]
        for row in event["rows"]
        if row["finding"]
    ] + [
        {"finding": "D33", "by": "P35", "offset": event["offset"], "certain": True}
        for event in document["events"]
        if event["counts"].get("candidates_gone")
    ]
    code = ExitCode.AS_DECLARED if document["ends"] is None else ExitCode.INCONCLUSIVE
    from fencepost.model.kraft.protocol import KRAFT

    return Outcome("story", "told", code, document, list(page(document)), lambda: KRAFT.hash, findings)


def _intervals(source: LogSource, first: When, last: When, about: About, static: StaticSettings | None) -> Outcome:
    from fencepost.checkers.operations.intervals import intervals
    from fencepost.model.kraft.protocol import KRAFT

    with watching(f"reading {source.path}"):
        document = intervals(source, first, last, about, static)
    page = list(_table(document))
    return Outcome("story", "told", ExitCode.AS_DECLARED, document, page, lambda: KRAFT.hash)


# -- the page ----------------------------------------------------------------------------------------------------------
def _page(document: Mapping[str, Any]) -> Iterator[str]:
    from fencepost.checkers.operations.about import words_of

    counts = document["counts"]
    of = words_of(document["about"])
    yield (
        f"{document['path']}: {counted(counts['records'], 'record')} in {counted(counts['results'], 'result')}"
        f"{f'; of {of}' if of else ''}: {counted(counts['events'], 'event')}"
    )
    for note in document["notes"]:
        yield f"  {note}"
    yield from of_events(document["events"])
    if not counts["events"]:
        yield f"  nothing of that happened {'then' if document['from'] == document['to']['asked'] else 'in between'}"
    if document["ends"] is not None:
        yield from ("", f"here the story ends: {document['ends']}")
    if document["untold"]:
        left = ", ".join(f"{count:,} {type}" for type, count in document["untold"].items())
        yield from ("", f"not listed: {left}")
    if document["rows_asked_up_to"] is not None:
        yield ""
        yield (
            f"From offset {document['rows_asked_up_to']} on no rows were evaluated for small batches; --rows "
            "asks of all, --from and --to tell of less."
        )
    yield from ("", LEGEND) if counts["events"] else ()
    yield from _rows(document["rows"])


def of_events(events: Sequence[Mapping[str, Any]], day: str = "") -> Iterator[str]:
    """Yield events as lines, each day, but the last printed one, before its first event."""
    for event in events:
        here = day_of(event)
        if here != day:
            day = here
            yield from ("", day or "at an unknown time")
        yield from _event(event)


def day_of(event: Mapping[str, Any]) -> str:
    """Return the day of an event, empty where it is not known."""
    return "" if event["time"] is None else str(event["time"][:10])


def _ending(document: Mapping[str, Any]) -> Iterator[str]:
    """The page of what was followed: its size, and the words of its rows; events were printed as they came."""
    yield ""
    yield from _page({**document, "events": []})


def _event(event: Mapping[str, Any]) -> Iterator[str]:
    time = "" if event["time"] is None else event["time"][11:23]
    first, last = event["offset"], event["last_offset"]
    place = f"@{first}" if first == last else f"@{first}-{last}"
    words = event["words"]
    if event["results"] > 1:
        words = f"{event['results']:,} results: {words}"
    yield _folded(f"{time:<{HEAD}}", f"{words} {place}")
    yield from _why(event)


def _why(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the possible causes of an event, a line each, the most likely first."""
    from fencepost.checkers.operations.sentences import causes

    for number, cause in enumerate(causes(event)):
        yield _folded(" " * HEAD, f"{'or' if number else 'why'}: {cause}")


def _folded(head: str, text: str) -> str:
    return textwrap.fill(
        text, columns(), initial_indent=head, subsequent_indent=" " * (HEAD + 2),
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def _rows(rows: Mapping[str, str]) -> Iterator[str]:
    if not rows:
        return
    yield from ("", "the rows in words:")
    for told in list(rows.values())[:ROWS]:
        yield f"  {textwrap.shorten(told, ROW, placeholder=' …')}"
    if len(rows) > ROWS:
        yield f"  and {len(rows) - ROWS} more: --json has them, whole"


# -- intervals ---------------------------------------------------------------------------------------------------------
def _table(document: Mapping[str, Any]) -> Iterator[str]:
    from fencepost.checkers.operations.about import words_of
    from fencepost.checkers.operations.moments import shown

    found = document["intervals"]
    of = words_of(document["about"])
    yield f"{document['path']}: {counted(len(found), 'interval')}{f' of {of}' if of else ''}"
    yield f"  up to offset {document['to']['offset']} ({shown(document['to']['timestamp'])})"
    for note in document["notes"]:
        yield f"  {note}"
    for condition, title in TITLES.items():
        mine = [one for one in found if one["condition"] == condition]
        if mine:
            yield from ("", _title(title, document["totals"][condition]))
            width = max(len(one["name"]) for one in mine[:SHOWN])
            yield from (_interval(one, width) for one in mine[:SHOWN])
            if len(mine) > SHOWN:
                yield f"  and {len(mine) - SHOWN} more; --json has them"
    yield from ("", "Times are UTC; @ are offsets. What still held at the end has none.")


def _title(title: str, total: Mapping[str, Any]) -> str:
    from fencepost.checkers.operations.moments import spelled

    still = f", {total['under_way']} still" if total["under_way"] else ""
    longest = total["longest_seconds"]
    told = "" if longest is None else f"; the longest {spelled(longest)}"
    return f"{title}: {counted(total['intervals'], 'interval')}{still}, of {total['entities']}{told}"


def _interval(one: Mapping[str, Any], width: int) -> str:
    from fencepost.checkers.operations.moments import spelled

    span = "an unknown time" if one["seconds"] is None else spelled(one["seconds"])
    end = "still" if one["to"] is None else f"to {_place(one['to'])}"
    return f"  {one['name']:<{width}}  from {_place(one['from'])}  {end}  {span}"


def _place(at: Mapping[str, Any]) -> str:
    time = "an unknown time" if at["time"] is None else at["time"][:-1].replace("T", " ")
    return f"{'' if at['exact'] else 'at most '}{time} @{at['offset']}"
