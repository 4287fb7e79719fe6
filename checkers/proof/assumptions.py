"""Assumptions: which properties fall when one that a protocol relies on is dropped, found by asking without it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Assumption, Protocol


@dataclass(frozen=True)
class Reliance(Document):
    """An assumption that a proof was allowed, and the properties that are not proved without it.

    `needed_by` is in the protocol's order of properties, and empty where everything that was asked is proved without
    the assumption too. What rests on a property that needs it, as on a hypothesis, is not among them (`falling`).
    `undecided` are pairs of a row and a property among these that the solver neither proves nor refutes without it.
    """

    DOCUMENT = "id=assumption.id about=assumption.about event=assumption.event needed_by not_decided"

    assumption: Assumption
    needed_by: tuple[str, ...]
    undecided: tuple[tuple[str, str], ...] = ()

    @property
    def not_decided(self) -> tuple[str, ...]:
        """The properties of `needed_by` of which it is open whether they hold without the assumption."""
        unsure = {id for _, id in self.undecided}
        return tuple(id for id in self.needed_by if id in unsure)

    def line(self) -> str:
        """Return an assumption that is needed as a line: what is assumed, and for what."""
        where = f" (of {self.assumption.event})" if self.assumption.event else ""
        rest = "it" if len(self.needed_by) == 1 else "them"
        needed = f"Needed by {', '.join(self.needed_by)}, and by what rests on {rest}."
        left = f" Not decided without it: {', '.join(self.not_decided)}." if self.undecided else ""
        return f"{self.assumption.id}{where}: {self.assumption.about} {needed}{left}"


def without(protocol: Protocol, ids: Iterable[str]) -> Protocol:
    """Return the protocol without some of its assumptions; raises `Refusal` for one that it does not make."""
    dropped, known = set(ids), {one.id for one in (*protocol.assumptions, *protocol.inputs)}
    if not dropped:
        return protocol
    if dropped - known:
        has = f"it assumes {', '.join(sorted(known))}" if known else "it makes no assumption"
        raise Refusal(f"prove {protocol.name}: no assumption {', '.join(sorted(dropped - known))}; {has}")
    return replace(
        protocol,
        assumptions=tuple(one for one in protocol.assumptions if one.id not in dropped),
        inputs=tuple(one for one in protocol.inputs if one.id not in dropped),
    )


def lines(reliances: Iterable[Reliance]) -> list[str]:
    """Return assumptions as lines: each that is needed with what needs it, the others in one."""
    found = list(reliances)
    needed = [f"assuming {one.line()}" for one in found if one.needed_by]
    idle = [one.assumption.id for one in found if not one.needed_by]
    return [*needed, f"allowed, and not needed by what was asked: {', '.join(idle)}"] if idle else needed
