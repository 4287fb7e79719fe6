"""How a row is edited here: a condition left out, an update left out, an effect added; and what a proof says of it then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.proof import prove
from fencepost.model.language import Property, Protocol, State, Term
from fencepost.model.language.walk import conjuncts, nary, without

Edit = Callable[[Protocol], Protocol]


@dataclass(frozen=True)
class Noticed:
    """An edit of one row, and the claim that it breaks; `row` breaks it where that is another row than the edited one."""

    edited: str
    claim: str
    edit: Edit
    row: str = ""

    @property
    def breaks(self) -> str:
        """The row that breaks the claim."""
        return self.row or self.edited


def unguarded(id: str, condition: Term[bool]) -> Edit:
    """Return the edit that leaves a condition out of a row's guard."""

    def edit(protocol: Protocol) -> Protocol:
        kept = tuple(one for one in conjuncts(protocol.row(id).when) if one is not condition)
        assert len(kept) < len(conjuncts(protocol.row(id).when)), (id, condition)
        return protocol.but(id, when=nary("and", kept), why="a condition is left out")

    return edit


def guarded(id: str, condition: Term[bool]) -> Edit:
    """Return the edit that gives a row another guard."""
    return lambda protocol: protocol.but(id, when=condition, why="another condition")


def silent(id: str, *states: Any) -> Edit:
    """Return the edit that leaves out what a row writes to some variables."""
    dropped = frozenset[State[Any]](one.state for one in states)

    def edit(protocol: Protocol) -> Protocol:
        kept = without(protocol.row(id).effects, dropped)
        assert kept != protocol.row(id).effects, (id, states)
        return protocol.but(id, effects=list(kept), why="an update is left out")

    return edit


def also(id: str, *effects: Any) -> Edit:
    """Return the edit that lets a row do something more."""
    return lambda protocol: protocol.but(id, effects=[*protocol.row(id).effects, *effects], why="something more")


def instead(id: str, *effects: Any) -> Edit:
    """Return the edit that lets a row do something else."""
    return lambda protocol: protocol.but(id, effects=list(effects), why="something else")


def removed(id: str) -> Edit:
    """Return the edit that removes a row."""
    return lambda protocol: protocol.without(id, why="a row is gone")


def chained(*edits: Edit) -> Edit:
    """Return several edits as one."""

    def edit(protocol: Protocol) -> Protocol:
        for one in edits:
            protocol = one(protocol)
        return protocol

    return edit


def noticed(base: Protocol, new: Iterable[Property], edits: Iterable[Noticed]) -> None:
    """Assert that each edit breaks its claim at its row, and breaks no claim there was before the new ones.

    The edits are of different rows, so that one proof asks of all of them.
    """
    edits = tuple(edits)
    variant = base
    for one in edits:
        variant = one.edit(variant)
    proof = prove(variant, rows=tuple(dict.fromkeys(one.breaks for one in edits)))
    fallen: Mapping[str, set[str]] = {one.breaks: set() for one in edits}
    for obligation in proof.failed:
        if not obligation.declared:
            fallen[obligation.row].add(obligation.property)
    ids = {one.id for one in new}
    for one in edits:
        assert one.claim in fallen[one.breaks], (one.edited, one.claim, fallen[one.breaks])
        assert one.claim in ids
        assert fallen[one.breaks] <= ids, (one.edited, fallen[one.breaks] - ids)
