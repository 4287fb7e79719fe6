"""Pages of `story`, `health` and `why` for a recording of a ZooKeeper-era cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome

SHOWN = 20
"""The most entries of one list on the page; --json has all."""

TITLES = {
    "offline": "offline: no leader",
    "under_replicated": "under-replicated",
    "reassigning": "reassignments under way",
}


def story_of_zookeeper(path: str, begin: str, end: str, about: Any) -> Outcome:
    """Return the story of a recording, from one moment to another, of what is asked about."""
    from fencepost.checkers.operations.zk_cluster import zk_story

    if about.types:
        raise Refusal("--type: znodes have no types of records; leave it out")
    document = zk_story(path, begin, end, about)
    return Outcome("story", "told", ExitCode.AS_DECLARED, document, list(_story(document)))


def _story(document: Mapping[str, Any]) -> Iterator[str]:
    from fencepost.checkers.operations.about import words_of

    counts, of = document["counts"], words_of(document["about"])
    changes = counted(counts["changes"], "change of znodes", "changes of znodes")
    told = f"{changes}{f'; of {of}' if of else ''}: {counted(counts['events'], 'event')}"
    yield f"{document['path']}: {told}"
    day = ""
    for event in document["events"]:
        if event["time"][:10] != day:
            day = event["time"][:10]
            yield from ("", day)
        last = event["last_offset"]
        place = f"@{event['offset']}" if last == event["offset"] else f"@{event['offset']}-{last}"
        by = "" if event["writer"] is None else f", by broker {event['writer']}"
        yield f"{event['time'][11:-1]}  {event['words']}{by} {place}"
    yield ""
    yield (
        "orders-0 is partition 0 of topic orders; 2→3 its leader moves, 2→– none is left; [3 4] is the ISR; @12-15 are "
        "zxids. Times are UTC. Why is in the brokers' state-change.log: fencepost conform."
    )


def health_of_zookeeper(path: str, at: str) -> Outcome:
    """Return how a recorded cluster is at a moment; ends with 1 where a partition is offline."""
    from fencepost.checkers.operations.zk_cluster import zk_health

    document = zk_health(path, at)
    code = ExitCode.VIOLATED if document["status"] == "unhealthy" else ExitCode.AS_DECLARED
    return Outcome("health", document["status"], code, document, list(_health(document)))


def _health(document: Mapping[str, Any]) -> Iterator[str]:
    from fencepost.checkers.operations.moments import shown

    at, counts, led = document["at"], document["counts"], document["controller"]
    yield f"{document['path']}: {document['status']} at zxid {at['offset']} ({shown(at['timestamp'])})"
    who = "no controller" if led is None else f"controller {led['id']}, {_since(led['since'])}"
    held = ", ".join(counted(counts[f"{one}s"], one) for one in ("topic", "partition"))
    yield f"  {counted(counts['brokers'], 'broker')} live; {held}; {who}"
    for note in document["notes"]:
        yield f"  {note}"
    gone = document["brokers"]["gone"]
    if gone:
        yield from ("", f"brokers gone: {len(gone)}", *(f"  broker {o['broker']}  {_since(o['since'])}" for o in gone))
    for name, title in TITLES.items():
        found = document["partitions"][name]
        if found:
            yield from ("", f"{title}: {len(found)}", *(_partition(one) for one in found[:SHOWN]))
            if len(found) > SHOWN:
                yield f"  and {len(found) - SHOWN} more; --json has them"


def _partition(one: Mapping[str, Any]) -> str:
    leader = "no leader" if one["leader"] is None else f"leader {one['leader']}"
    moves = [f"{word} {one[word]}" for word in ("adding", "removing") if one.get(word)]
    since = f"{_since(one['since'])}: " if "since" in one else ""
    state = ", ".join([leader, f"ISR {one['isr']} of {one['replicas']}", *moves])
    return f"  {one['partition']}  {since}{state}"


def _since(at: Mapping[str, Any]) -> str:
    from fencepost.checkers.operations.moments import spelled

    span = "" if at["seconds"] is None else f"for {spelled(at['seconds'])} "
    return f"{span}(since zxid {at['offset']})"
