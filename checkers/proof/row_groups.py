"""Rows that do the same to hard state: asked about once, under what all their guards have in common.

Seven rows fence a broker, each for its own reason. What holds after the shared effects under the weaker guard holds
after each of the rows, as long as the property reads nothing that a row writes besides. Where the weaker guard does not
suffice, the rows are asked one by one as always.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from fencepost.model.language import TRUE, Always, Effect, Protocol, Row, State, Step, Table
from fencepost.model.language.footprint import variables
from fencepost.model.language.walk import conjuncts, nary, stages

_TABLE = "rows that do the same"


@dataclass(frozen=True)
class RowGroup:
    """Rows with one and the same effects on hard state; `row` has these and the guard that all have in common.

    `beside` are the variables that some of them write in effects of their own.
    """

    row: Row
    members: tuple[Row, ...]
    beside: frozenset[State[Any]]

    def speak_for(self, claim: Always | Step) -> bool:
        """Return whether what holds after `row` holds after every member."""
        expected = claim.expected == "holds" or (bool(claim.by) and not any(row.id in claim.by for row in self.members))
        ours = not (isinstance(claim, Step) and claim.by_name) and expected
        return ours and self.beside.isdisjoint(variables(claim.term))


def row_groups(protocol: Protocol, rows: Iterable[Row]) -> tuple[RowGroup, ...]:
    """Return the groups of two or more of the rows that do the same to hard state."""
    groups: dict[tuple[Effect, ...], list[Row]] = {}
    for row in rows:
        shared = _hard(row)
        if shared:
            groups.setdefault(shared, []).append(row)
    return tuple(
        _group(protocol, f"KIN{number}", effects, members)
        for number, (effects, members) in enumerate(groups.items())
        if len(members) > 1
    )


def with_groups(protocol: Protocol, groups: tuple[RowGroup, ...]) -> Protocol:
    """Return the protocol with a further table of the shared rows, so that they can be asked about like any other."""
    if not groups:
        return protocol
    table = Table(_TABLE, tuple(one.row for one in groups), "disjoint", "", {}, protocol.place)
    return replace(protocol, tables=(*protocol.tables, table))


def _hard(row: Row) -> tuple[Effect, ...]:
    """The effects of a row without those at its end that write no hard state; all of them if none writes any."""
    effects = list(row.effects)
    while effects and not any(state.what == "hard" for state in _written(effects[-1:])):
        effects.pop()
    return tuple(effects) or row.effects


def _written(effects: Iterable[Effect]) -> frozenset[State[Any]]:
    return frozenset(update.target.state for stage in stages(effects) for update in stage.updates)


def _group(protocol: Protocol, name: str, effects: tuple[Effect, ...], members: list[Row]) -> RowGroup:
    first = members[0]
    asked = [conjuncts(protocol.assumed_guard(row)) for row in members]
    common = [part for part in asked[0] if all(part in other for other in asked[1:])]
    event = replace(first.event, name=f"{name} {first.event.name}", given=TRUE)
    row = replace(first, id=name, event=event, when=nary("and", common), effects_=effects, say=None)
    beside = frozenset[State[Any]]().union(*(_written(one.effects[len(effects) :]) for one in members))
    return RowGroup(row, tuple(members), beside)
