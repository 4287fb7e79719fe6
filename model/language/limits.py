"""Kinds, numbers and sizes that no engine has one meaning for: found when a protocol is made, and refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from .errors import Finding
from .kinds import EntityKind, EnumKind, IntKind, Kind, OptionKind, ThresholdKind
from .state import State
from .terms import Arith, Before, Ite, Lit, Named, Next, Term
from .walk import children

if TYPE_CHECKING:
    from .protocol import Protocol

MOST = 2**40
"""Sizes, and numbers that are added, subtracted or multiplied, are smaller: engines calculate in words of 64 bits."""
WORD = 2**63
"""Numbers that are only compared are smaller than this."""


def of_kinds(protocol: Protocol) -> Iterator[Finding]:
    """Yield a finding for kinds of one name that differ, and variables that begin outside of their range."""
    seen: dict[str, Kind[Any]] = {}
    for kind in protocol.kinds:
        if not isinstance(kind, (EntityKind, EnumKind, IntKind, ThresholdKind)):
            continue
        other = seen.setdefault(str(kind), kind)
        if other != kind:
            both = f"{_text(other)} and {_text(kind)}"
            yield Finding(protocol.place, f"kind {kind}", f"is the name of {both}", "give each kind a name of its own")
        if isinstance(kind, IntKind) and abs(kind.lo) >= MOST:
            yield Finding(protocol.place, f"kind {kind}", f"begins at {kind.lo}", f"begin nearer to 0 than {MOST}")
    for state in protocol.states:
        yield from _first(state)


def of_numbers(*terms: Term[Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with numbers in terms, each with what to write."""
    yield from dict.fromkeys(found for term in terms for found in _inside(term))


@cache
def _inside(node: Term[Any]) -> tuple[tuple[str, str], ...]:
    """Return the faults of numbers in a term. Rows share most subterms, so each is checked once."""
    found = tuple(chain.from_iterable(map(_inside, children(node))))
    if isinstance(node, Lit) and _number(node) >= WORD:
        return (*found, (f"has the number {node}", f"stay below {WORD}"))
    if isinstance(node, Arith) and max(_number(node.left), _number(node.right)) >= MOST:
        return (*found, (f"calculates {node}", f"calculate with numbers below {MOST}"))
    return found


def _number(term: Term[Any]) -> int:
    """Return how large a number in the tables is, 0 for a term that is none."""
    return abs(term.value) if isinstance(term, Lit) and isinstance(term.value, int) else 0


def _text(kind: Kind[Any]) -> str:
    if isinstance(kind, IntKind):
        return f"a counter from {kind.lo}"
    what = {EntityKind: "a sort", EnumKind: "an enumeration", ThresholdKind: "a threshold"}
    return what[type(kind)]


def _first(state: State[Any]) -> Iterator[Finding]:
    """Yield a finding where a variable begins outside of the range of its kind."""
    kind = state.kind.of if isinstance(state.kind, OptionKind) else state.kind
    value = state.initial.value if isinstance(state.initial, Lit) else None
    low = None if isinstance(kind, EntityKind) else lowest(kind)
    if low is not None and isinstance(value, int) and value < low:
        yield Finding(
            state.place, f"state {state.name}", f"begins at {value}, and {kind} at {low}", "begin within its kind"
        )


def lowest(kind: Kind[Any]) -> int | None:
    """Return the smallest size that a bound may give a kind: for a counter its start, 1 for others, None for no size."""
    if isinstance(kind, IntKind):
        return kind.lo
    return 1 if isinstance(kind, (EntityKind, ThresholdKind)) else None


def size_refused(protocol: Protocol, sizes: Mapping[str, int]) -> tuple[str, str] | None:
    """Return what is wrong with a size of a bound and what to write, None where all may be."""
    for kind in protocol.kinds:
        low = lowest(kind)
        if low is None or str(kind) not in sizes:
            continue
        size = sizes[str(kind)]
        if not low <= size < MOST:
            why = "proofs are about sorts that have some entity" if isinstance(kind, EntityKind) else "its range"
            return f"has the size {size} for {kind}", f"give a number from {low} to {MOST - 1} ({why})"
    return None


def overflow(protocol: Protocol, sizes: Mapping[str, int]) -> str:
    """Return a product that may not fit a word of 64 bits at some sizes, as text; empty where each does."""
    for node in protocol.nodes:
        if isinstance(node, Arith) and node.operator == "*" and _most(node, sizes) >= WORD:
            return str(node)
    return ""


def _most(term: Term[Any], sizes: Mapping[str, int]) -> int:
    """Return a number that the magnitude of a counter never exceeds at some sizes."""
    if isinstance(term, Lit):
        return _number(term)
    if isinstance(term, Arith):
        left, right = _most(term.left, sizes), _most(term.right, sizes)
        return left * right if term.operator == "*" else left + right
    if isinstance(term, Ite):
        return max(_most(term.then, sizes), _most(term.otherwise, sizes))
    if isinstance(term, (Named, Before, Next)):
        return _most(term.term, sizes)
    kind = term.kind
    return max(abs(kind.lo), sizes.get(kind.name, 0)) if isinstance(kind, IntKind) else 0


__all__ = ["MOST", "lowest", "of_kinds", "of_numbers", "overflow", "size_refused"]
