"""A divergence on one screen: where it is, the state before it, what came, and what each row would have written."""

from __future__ import annotations

import json
import shlex
import textwrap
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.matching.attempts import Attempt, Unsaid
from fencepost.checkers.conformance.matching.parsing import Fault
from fencepost.checkers.conformance.records.wire import BoundRecord, entity_text
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.unexplained import head, no_row_explains
from fencepost.model.language.render import value_text
from fencepost.traces import Batch
from fencepost.traces import Record as WireRecord

from .remembered import History

LINES, COLUMNS = 24, 100
_LABEL = 9


@dataclass(frozen=True, slots=True)
class Shown:
    """A divergence as printed: in one sentence, and on at most 24 lines of at most 100 columns."""

    sentence: str
    lines: tuple[str, ...]


def divergence(
    state: HardState,
    path: str,
    record: WireRecord,
    batch: Batch,
    bound: BoundRecord | None,
    fault: Fault,
    history: History,
    past_end: bool,
    options: str = "",
) -> Shown:
    """Report a record that no row explains; with `past_end` the missing records would come after it.

    `options` are further ones of the command that asks again.
    """
    protocol = state.layout.protocol
    entity = _entity(bound)
    of = f" of {entity}" if entity else ""
    nearest = fault.attempts[0] if fault.attempts else None
    at = f"offset {record.offset}"
    what = no_row_explains(f"this {record.type}{of}")
    if past_end:
        what = f"What follows {at} is incomplete"
    why = f"no row of {protocol.name} begins so" if nearest is None else _reason(nearest)
    place = (batch.segment or "the log") + (f", byte {batch.position}" if batch.position >= 0 else "")
    said = json.dumps(record.data, separators=(", ", ": "))
    rows = [f"{a.row.id:<5} {_short(_reason(a, named=False), bound)}" for a in fault.attempts]
    lines = [
        f"{protocol.name}: records are missing after {at}" if past_end else head(protocol.name, at),
        *labelled("where", f"{place}, batch {batch.base_offset} to {batch.last_offset}, epoch {batch.epoch}", most=1),
        *labelled("entity", entity or "none", most=1),
        *labelled("before", _before(bound, state), most=3),
        *labelled("record", f"{record.type} version {record.version} {said}", most=4),
        *listed("rows", rows or ["none writes a record of this type here"], most=6),
    ]
    if nearest is not None:
        source = f"{nearest.row.id} ({nearest.row.event.name}, {nearest.row.source})"
        lines += labelled("nearest", f"{source}: {_short(_reason(nearest, named=False), bound)}", most=3)
    again = [command(path, options)]
    past = [] if bound is None else _past(bound, history)
    room = min(5, LINES - len(lines) - len(again))
    lines += listed("history", past[-room:] or ["nothing was written about it before"], most=room)
    return Shown(f"{what}: {why}.", (*(cut(line) for line in lines), *again))


def _entity(bound: BoundRecord | None) -> str:
    if bound is None:
        return ""
    return ", ".join(
        f"{str(f.kind).lower()} {entity_text(value)}"
        for f, value in zip(bound.record.about, bound.entities, strict=True)
    )


def _before(bound: BoundRecord | None, state: HardState) -> str:
    """The cells that the record sets for what it is about, as they were."""
    if bound is None or len(bound.record.about) != 1 or bound.entities[0] is UNKNOWN:
        return "the tables do not say"
    return ", ".join(
        f"{state.layout.states[number].name} {text(state.read((number, bound.entities)))}"
        for number in state.layout.cells_of(bound.record)
    )


def _reason(attempt: Attempt | None, named: bool = True) -> str:
    if attempt is None:
        return ""
    start = f"the nearest row is {attempt.row.id}, but " if named else ""
    match attempt.kind:
        case "guard":
            return f"{start}its guard asks {attempt.term}" + (f" where {attempt.detail}" if attempt.detail else "")
        case "field":
            return f"{start}it writes {attempt.field} {text(attempt.predicted)}, the log {text(attempt.observed)}"
        case "group":
            return f"{start}it would also write {attempt.detail}"
        case "other":
            return f"{start}it writes no such record " + (f"where {attempt.detail}" if attempt.detail else "here")


def _past(bound: BoundRecord, history: History) -> list[str]:
    found = []
    for field, value in zip(bound.record.about, bound.entities, strict=True):
        for offset, record in history.of(str(field.kind), value):
            said = ", ".join(
                f"{f.name} {text(record.values[f.name])}" for f in record.record.fields if f.name in record.values
            )
            found.append((offset, f"{offset} {record.record.name} {said}"))
    return [line for _, line in sorted(dict.fromkeys(found))]


def text(value: Any) -> str:
    """Return a value as text; entities with a composite id as Kafka prints them."""
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, tuple) and value and not all(isinstance(x, (int, str)) for x in value):
        return "[" + ", ".join(map(entity_text, value)) + "]"
    return str(value) if isinstance(value, (str, Unsaid)) else value_text(value)


def _short(reason: str, bound: BoundRecord | None) -> str:
    """Return a reason without the name of the entity at hand, which an earlier line has."""
    for entity in () if bound is None else bound.entities:
        reason = reason.replace(f"[{entity_text(entity)}]", "")
    return reason


def labelled(label: str, content: str, most: int) -> list[str]:
    """Return a text as at most that many lines behind a label."""
    width = COLUMNS - _LABEL
    wrapped = textwrap.wrap(content, width, max_lines=most, placeholder=" …") or [""]
    return [f"{label if n == 0 else '':<{_LABEL}}{line}" for n, line in enumerate(wrapped)]


def command(path: str, more: str = "") -> str:
    """Return the line with the command that asks again: whole, since it is there to be copied."""
    return f"{'again':<{_LABEL}}fencepost conform {shlex.quote(path)}{more}"


def listed(label: str, items: list[str], most: int) -> list[str]:
    """Return items as a line each behind a label, at most that many."""
    shown = items[:most] if len(items) <= most else [*items[: most - 1], f"and {len(items) - most + 1} more"]
    return [f"{label if n == 0 else '':<{_LABEL}}{item}" for n, item in enumerate(shown)]


def cut(line: str) -> str:
    """Return a line cut at the last column."""
    return line if len(line) <= COLUMNS else line[: COLUMNS - 1] + "…"
