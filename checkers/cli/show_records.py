"""`fencepost show LOG --type|--topic|--partition|--broker|--from|--to`: the selected records."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode

from .outcome import Outcome
from .terminal import Unfolded, columns, watching

if TYPE_CHECKING:
    from fencepost.traces.forks import Fork

SHOWN = 1000
"""The most records on the page; --json has all."""


def show_records(
    path: str,
    begin: str | None,
    end: str | None,
    partition: str | None,
    broker: int | None,
    topic: str | None,
    types: Sequence[str],
    fork: Fork | None = None,
) -> Outcome:
    """Return the records of a log between two moments that are about what is asked; None asks for all."""
    from fencepost.checkers.operations.about import about_of
    from fencepost.checkers.operations.moments import END, require_order, when
    from fencepost.checkers.operations.records import records
    from fencepost.traces import find_log

    about = about_of(partition, broker, topic, types, fork)
    source = replace(find_log(path), fork=fork)
    first, last = when(begin or "0", source, "--from"), when(end or END, source, "--to")
    require_order(first, last)
    with watching(f"reading {path}"):
        document = records(source, first, last, about)
    return Outcome("show", "shown", ExitCode.AS_DECLARED, document, [Unfolded(one) for one in _page(document)])


def _page(document: Mapping[str, Any]) -> Iterator[str]:
    from fencepost.checkers.operations.about import words_of

    counts, found, of = document["counts"], document["records"], words_of(document["about"])
    yield (
        f"{document['path']}: {counts['shown']:,} of {counted(counts['records'], 'record')}{f'; of {of}' if of else ''}"
    )
    if document["fork"]:
        yield f"  {document['fork']}"
    if counts["unreadable_ranges"]:
        yield f"  {counts['unreadable_ranges']} ranges of bytes cannot be read; fencepost show LOG says which"
    if counts["unread"]:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in counts["unread"].items())
        total = sum(counts["unread"].values())
        yield from textwrap.wrap(
            f"{total:,} {'record was' if total == 1 else 'records were'} not read, and may be about anything: {kinds}",
            columns(),
            initial_indent="  ",
            subsequent_indent="    ",
        )
    width = max((len(str(one["offset"])) for one in found[:SHOWN]), default=0)
    for one in found[:SHOWN]:
        yield from _record(one, width)
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN:,} more; ask for fewer, or take --json, which has all"


def _record(one: Mapping[str, Any], width: int) -> list[str]:
    time = one["time"][:-1].replace("T", " ")
    whom = one["partition"] or one["topic"]
    data = {name: value for name, value in one["data"].items() if not _is_told(name, one)}
    said = json.dumps(data, ensure_ascii=False)
    if "unread" in one:
        size = one["unread"]["bytes"]
        said = f"not read{'' if size is None else f', {size} bytes'}: {one['unread']['reason']}"
    for name, value in one.get("tags", {}).items():
        said += f"  tag {name} {json.dumps(value, ensure_ascii=False)}"
    for tag in one.get("unread_tags", ()):
        said += f"  tag {tag['tag']}, not read ({tag['bytes']} bytes)"
    version = "" if one["version"] is None else f" v{one['version']}"
    text = f"{one['offset']:>{width}}  {time}  {one['type']}{version}{f'  {whom}' if whom else ''}  {said}"
    return textwrap.wrap(text, columns(), subsequent_indent=" " * (width + 2), break_on_hyphens=False)


def _is_told(name: str, one: Mapping[str, Any]) -> bool:
    """Whether a field says what the partition's name says."""
    return one["partition"] is not None and name in ("topicId", "partitionId")
