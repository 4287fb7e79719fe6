"""How a row is edited: a condition or an update left out, an effect added; and what a proof says of it then."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.proof.prover import Prover, hypotheses, obligations
from fencepost.model.language import Always, Property, Protocol, State, Step, Term
from fencepost.model.language.walk import conjuncts, nary, without

Edit = Callable[[Protocol], Protocol]


@dataclass(frozen=True)
class Noticed:
    """An edit of one row, and the claim that it breaks; `row` breaks it where that is not the edited one."""

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
    """Assert that each edit breaks its claim at its row, and breaks no claim that there was before the new ones.

    What is known of a state before a row is that of the tables without an edit, so that it is said to the solver once.
    """
    ids = {one.id for one in new}
    claims = [one for one in base.properties if isinstance(one, (Always, Step))]
    for one, fallen in _fallen(base, edits, lambda _: claims):
        assert one.claim in fallen, (one.edited, one.claim, fallen)
        assert fallen <= ids, (one.edited, fallen - ids)


def broken(base: Protocol, new: Iterable[Property], edits: Iterable[Noticed]) -> None:
    """Assert that each edit breaks its claim at its row, a new one, and ask nothing else of it."""
    ids = {one.id for one in new}

    def alone(edit: Noticed) -> list[Always | Step]:
        return [one for one in base.properties if one.id == edit.claim and isinstance(one, (Always, Step))]

    for one, fallen in _fallen(base, edits, alone):
        assert one.claim in fallen, (one.edited, one.claim)
        assert one.claim in ids


def _fallen(
    base: Protocol, edits: Iterable[Noticed], claims: Callable[[Noticed], list[Always | Step]]
) -> Iterator[tuple[Noticed, set[str]]]:
    """Yield each edit with those of the claims that its row is not proved to keep."""
    prover = Prover(base, hypotheses(base))
    prover.session(0)
    for one in edits:
        variant = one.edit(base)
        _instead(prover, variant)
        row = variant.row(one.breaks)
        asked = [c for _, c, frame in obligations(variant, [row], claims(one)) if not frame and c.expected == "holds"]
        fallen = {claim.id for claim in asked if claim.id == one.claim and prover.broken(row, claim, 1) is not None}
        yield one, fallen | {c.id for c in asked if c.id not in fallen and prover.ask(row, c, 1).answer != "proved"}


def _instead(prover: Prover, variant: Protocol) -> None:
    """Let a prover ask of the rows of a variant, which claims the same."""
    prover.protocol = variant
    for session in prover._sessions.values():
        session.protocol = variant
    prover._rows.clear()
    prover._weak.clear()
    prover._last, prover._stands, prover._spoken = {}, None, None
