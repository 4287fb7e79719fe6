"""Whether rows keep to what the event loop assumes of them, by the syntax of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Protocol, Row, Term
from fencepost.model.language.footprint import meetings, read_by
from fencepost.model.language.state import State
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes

DURABLE = ("hard", "fixed")
"""The classes of state that a replay may read."""


@dataclass(frozen=True, order=True)
class Departure:
    """A row that departs from a rule of the interface, in a state variable."""

    rule: str
    row: str
    state: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What a reason is given for."""
        return self.rule, self.row, self.state


def departures(protocol: Protocol, claim: str) -> frozenset[Departure]:
    """Return every departure from what the loop assumes; `claim` is the row with which a controller begins."""
    rows = (one for row in protocol.rows for one in _of_row(row))
    return frozenset((*rows, *_of_claim(protocol, claim)))


def _of_row(row: Row) -> Iterator[Departure]:
    for stage in row.stages:
        for update in stage.updates:
            target = update.target.state
            if not stage.written:
                if target.what == "hard":
                    yield Departure("records", row.id, target.name)
                continue
            if target.what != "hard":
                yield Departure("replay", row.id, target.name)
            for cell in read_by(update):
                if cell.state.what not in DURABLE:
                    yield Departure("replay", row.id, cell.state.name)
        for meeting in meetings(stage):
            yield Departure("alone", row.id, meeting.written.state.name)


def _of_claim(protocol: Protocol, claim: str) -> Iterator[Departure]:
    """Soft state that some row reads and a new controller does not make, or makes of what it does not have."""
    begins = protocol.row(claim)
    made = {update.target.state for stage in begins.stages for update in stage.updates}
    for update in (one for stage in begins.stages for one in stage.updates):
        for node in nodes(update.value):
            if isinstance(node, Get) and node.state.what not in DURABLE:
                yield Departure("claim", claim, node.state.name)
    for state in _soft_reads(protocol):
        if state not in made:
            yield Departure("claim", claim, state.name)


def _soft_reads(protocol: Protocol) -> Iterator[State[Any]]:
    for row in protocol.rows:
        terms: list[Term[Any]] = [protocol.guard(row)]
        for stage in row.stages:
            terms += [given.value for written in stage.written for given in written.fields]
            terms += [term for update in stage.updates for term in (update.when, update.value)]
        for node in nodes(*terms):
            if isinstance(node, Get) and node.state.what == "soft":
                yield node.state
