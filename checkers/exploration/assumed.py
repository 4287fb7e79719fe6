"""What an exploration assumes: its start, what its bound assumes of events, and what the protocol holds impossible of
them.

Conditions that a protocol assumes of every state are not among them: no engine drops a state of an exploration for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.checkers.document import Document
from fencepost.model.language import Bound, Protocol
from fencepost.model.language.render import text
from fencepost.model.language.terms import FALSE, TRUE
from fencepost.model.language.walk import nary

from .result import PropertyVerdict


@dataclass(frozen=True)
class Assumed(Document):
    """One thing that an exploration assumes: `event` is what it speaks of, empty for the start.

    `needed_by` are the properties that it decides, whatever the guards say; None where no property says so. `never`
    says that the event does not happen at all.
    """

    DOCUMENT = "id about event needed_by"

    id: str
    about: str
    event: str
    needed_by: tuple[str, ...] | None = None
    never: bool = False


def assumed(protocol: Protocol, bound: Bound, judged: Iterable[PropertyVerdict] = ()) -> tuple[Assumed, ...]:
    """Return what an exploration of a protocol at a bound assumes: start, events in the protocol's order, inputs."""
    decided: dict[str, list[str]] = {}
    for one in judged:
        for event in one.vacuity.events if one.vacuity is not None else ():
            decided.setdefault(event, []).append(one.id)
    found = []
    start = nary("and", (protocol.start, bound.start))
    if start is not TRUE:
        found.append(Assumed("start", text(start), ""))
    for event in (one.name for one in protocol.events):
        term = bound.given.get(event, TRUE)
        if term is not TRUE:
            about = "never happens" if term is FALSE else text(term)
            needed = tuple(decided[event]) if event in decided else None
            found.append(Assumed(f"given {event}", about, event, needed, term is FALSE))
    found += [Assumed(one.id, one.about or text(one.term), one.event) for one in protocol.inputs]
    return tuple(found)


def in_short(what: Iterable[Assumed]) -> str:
    """Return what is assumed as the end of a sentence, by the names of start, events and inputs; empty for nothing."""
    everything = tuple(what)
    start = ["how it starts"] if any(one.id == "start" for one in everything) else []
    of = [one.event for one in everything if one.id.startswith("given ") and not one.never]
    never = [one.event for one in everything if one.never]
    inputs = [one.id for one in everything if one.event and not one.id.startswith("given ")]
    parts = [
        *start,
        *([f"something of {', '.join(of)}"] if of else []),
        *([f"no {', '.join(never)}"] if never else []),
        *([f"the inputs {', '.join(inputs)}"] if inputs else []),
    ]
    return "; ".join(parts)
