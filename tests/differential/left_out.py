"""What is not drawn: protocols that are rare, or to which the language gives no meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.model.language import Kind, Protocol
from fencepost.model.language.kinds import EntityKind, EnumKind, IntKind, ListKind, OptionKind, SetKind, ThresholdKind
from fencepost.model.language.nodes import Comprehension, Each, MaxOf, Quant

LEFT_OUT = {
    "choose in an earlier row of a first match table": (
        "the plain search asks earlier rows with the parameters of the later one alone"
    ),
    "per(maybe(A)): a key that is an option": (
        "keys are drawn of sorts, counters and enumerations, over which `every` and records are drawn, too"
    ),
    "every over a sort that nothing else names, and a sort, counter or enumeration of which there are literals alone": (
        "nothing in a state distinguishes such entities, so that engines could differ only in whether there is one"
    ),
    "a protocol without effects": "it has its first states alone",
    "a counter as a key of a variable that may begin with any value": "such a key may have no value",
    "each and parallel": "lists beside lists are of records on the wire",
}
"""What is not drawn, with the reason. `tests/exploration/test_rim.py` asks the engines of the first four."""


def made_of(kind: Kind[Any]) -> Iterator[Kind[Any]]:
    """Yield a kind and those inside it."""
    yield kind
    if isinstance(kind, (OptionKind, SetKind, ListKind)):
        yield from made_of(kind.of)


def left_out(protocol: Protocol) -> bool:
    """Return whether something is bound that ranges over a sort, or a counter, that nothing else names, or no row
    changes anything: both are left out.
    """
    if not any(row.changes for row in protocol.rows):
        return True
    kinds = {one.kind for one in protocol.nodes}
    kinds |= {one.var.kind for one in protocol.nodes if isinstance(one, (Quant, Comprehension, MaxOf, Each))}
    kinds |= {var.kind for row in protocol.rows for stage in row.stages for one in stage.updates for var in one.binders}
    return any(
        isinstance(kind, (EntityKind, EnumKind, IntKind, ThresholdKind)) and kind not in protocol.kinds
        for one in kinds
        for kind in made_of(one)
    )
