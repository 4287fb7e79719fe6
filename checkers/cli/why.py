"""`fencepost why`: the records behind the state of a broker, a partition or a controller, back to the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import typer

from fencepost.checkers.verdicts import ExitCode

from .log_filters import AT_HELP, ForkOption, fork_given
from .outcome import Json, Outcome
from .static import ServerProperties, Static, settings_of
from .terminal import watching

SHOWN = 8
"""The most records of one result on the page; --json has all."""


def why(
    log: Annotated[str, typer.Argument(help="A metadata log: a directory, segments, snapshots, or a dump's text.")],
    what: Annotated[Literal["broker", "partition", "controller"], typer.Argument(help="What is asked about.")],
    name: Annotated[str, typer.Argument(help="An id, or a partition as Kafka prints it: orders-0.")],
    at: Annotated[str, typer.Option(metavar="OFFSET|TIME|end", help=AT_HELP)] = "end",
    fork: ForkOption = None,
    static: Static = None,
    server_properties: ServerProperties = None,
    json: Json = False,
) -> Outcome:
    """Tell why a broker or a partition is as it is at a moment of its log: each record, its time, and the rows.

    The chain goes back to where it was whole; its cause is printed as far as a log shows it. Of a controller every
    record is printed: since when it is a voter of the quorum, an observer, or registered.
    """
    from fencepost.checkers.api.causes import why as found

    settings = settings_of(static, server_properties) if static or server_properties is not None else None
    with watching(f"reading {log}"):
        document = found(log, what, name, at, static=settings, fork=fork_given(fork))
    findings = [
        {"finding": row["finding"], "by": row["id"], "offset": link["offset"], "certain": len(link["rows"]) == 1}
        for link in document["chain"]
        for row in link["rows"]
        if row["finding"]
    ] + [
        {"finding": one, "by": "P35", "offset": link["offset"], "certain": True}
        for link in document["chain"]
        for one in link["findings"]
    ]
    return Outcome(
        "why", "shown", ExitCode.AS_DECLARED, document.as_json(), _page(document), document.table_hash, findings
    )


def _page(document: Mapping[str, Any]) -> list[str]:
    from fencepost.checkers.operations.moments import shown

    entity, chain = document["entity"], document["chain"]
    about = f"why {entity['sort']} {entity['name']} is as it is after offset {document['at']['offset']}"
    lines = [f"{document['path']}: {about}"]
    lines += [f"  {note}" for note in document["notes"]]
    if not chain:
        return [*lines, "  no record that the log still has changed it"]
    before: int | None = None
    for link in chain:
        later = "" if None in (before, link["timestamp"]) else f", {_later(link['timestamp'] - (before or 0))}"
        before = link["timestamp"]
        lines += ["", f"offset {link['offset']}, {shown(link['timestamp'])}{later}", f"  {link['words']}"]
        beside = link["same_result"]
        if beside:
            lines.append(f"  in the same result, {len(beside)} partition{'s' if len(beside) > 1 else ''}:")
            lines += [f"    offset {one['offset']}: {one['words']}" for one in beside[:SHOWN]]
            lines += [f"    and {len(beside) - SHOWN} more; --json has them"] if len(beside) > SHOWN else []
        if entity["sort"] != "controller" and (link["sort"] != "fork" or link["rows"]):
            lines.append(f"  by {_rows(link)}")
            if link["likely"] is not None:
                rows, because = link["likely"]["rows"], link["likely"]["because"]
                lines.append(f"  most likely {' or '.join(rows)}, because {because}")
    if entity["sort"] == "controller":
        lines += ["", _status(entity["name"], document["state"])]
    if document["began"]:
        lines += ["", "what began it, as far as the log can tell:"]
    for one in document["began"]:
        lines.append(f"  offset {one['offset']}, {one['name']}: {', or '.join(one['may_come_from'])}")
    if document["rows"]:
        lines += ["", "the rows in words:", *(f"  {each}" for each in document["rows"].values())]
    return lines


def _status(controller: str, state: Mapping[str, Any]) -> str:
    """Return a controller's final status."""
    told = ["a voter" if state["voter"] else "no voter", "registered" if state["registered"] else "not registered"]
    told += ["the leader"] if state["leads"] else []
    voters = " ".join(map(str, state["voters"])) or "unknown"
    return f"controller {controller} is {', '.join(told)}; the voters are {voters}"


def _rows(link: Mapping[str, Any]) -> str:
    if not link["rows"]:
        return "no row that explains it"
    events: dict[str, list[str]] = {}
    for row in link["rows"]:
        known = f" (finding {row['finding']})" if row["finding"] else ""
        events.setdefault(row["event"], []).append(row["id"] + known)
    told = ", or ".join(f"{event} {' or '.join(rows)}" for event, rows in events.items())
    return told if len(link["rows"]) == 1 else f"{told}; the log does not tell which"


def _later(milliseconds: int) -> str:
    from fencepost.checkers.operations.moments import spelled

    return "at the same time" if milliseconds == 0 else f"{spelled(abs(milliseconds) / 1000)} later"
