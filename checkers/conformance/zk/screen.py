"""A divergence of a ZooKeeper-era recording on one screen: place, state before, event, and the guard of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.reading.screen import command, cut, labelled, listed, text
from fencepost.checkers.unexplained import head

if TYPE_CHECKING:
    from .checker import RecordingChecker
    from .observations import Observation

_ROWS = 9


@dataclass(frozen=True, slots=True)
class Divergence:
    """The lines of the screen, and for a sentence what the row that comes nearest asks, empty where there is none."""

    lines: tuple[str, ...]
    nearest: tuple[str, ...]


def divergence(checker: RecordingChecker, one: Observation) -> Divergence:
    """Report an event that no row explains, in the state in front of it."""
    event = checker.rows.events[one.event]
    reasons = checker.rows.why_not(one, checker.state)
    near = _nearest(reasons)
    rows = [near, *(line for line in reasons if line is not near)] if near else ["no row is of this event"]
    told = [f"{name} {said(value)}" for name, _, value in (*one.after, *one.seen)]
    before = [f"{name} {said(checker.state.value(name, *keys))}" for name, keys, _ in (*one.before, *one.after)]
    lines = [
        head(checker.tables.protocol.name, f"{one.place.segment}:{one.place.line or one.place.offset}"),
        *labelled("entity", one.entity, most=2),
        *labelled("event", f"{event.name} {_params(one)}", most=2),
        *labelled("before", ", ".join(dict.fromkeys(before)) or "nothing is reported", most=3),
        *labelled("reported", ", ".join(told) or "nothing", most=3),
        *labelled("answer", ", ".join(sorted(said(a) for a in one.answers)) if one.answers else "any", most=1),
        *listed("rows", rows, most=_ROWS),
    ]
    nearest = (f": the nearest row, {near.replace('  ', ' ', 1).strip()}",) if near else ()
    return Divergence((*(cut(line) for line in lines), command(str(checker.result.path))), nearest)


def _nearest(reasons: Sequence[str]) -> str:
    """Return the nearest reason: a row that applies with another state is nearer than one whose guard is false."""
    for mark in (" makes ", " answers ", " asks "):
        for line in reasons:
            if mark in line:
                return line
    return reasons[0] if reasons else ""


def _params(one: Observation) -> str:
    return ", ".join(f"{name} {said(value)}" for name, value in one.params.items())


def said(value: Any) -> str:
    """Return a value as people read it."""
    if value is UNKNOWN:
        return "unknown"
    name = getattr(value, "name", None)
    return str(name) if name is not None else text(value)
