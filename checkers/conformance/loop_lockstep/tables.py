"""The tables of `kraft-loop` as Kafka has them, compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.language import Protocol
from fencepost.model.museum.kraft_loop_edits import counts_what_it_aborts, ends_when_appended, keeps_the_transaction

LISTED = frozenset({"offset"})
"""Counters of which only those numbers are there that a step is about."""

AS_KAFKA: Mapping[str, Callable[[Protocol], Protocol]] = {
    "D1": keeps_the_transaction,
    "D2": ends_when_appended,
    "D20": counts_what_it_aborts,
}
"""The edits by which the tables are Kafka's, by the defect whose repair makes the controller be as they are without."""


@lru_cache(maxsize=8)
def as_kafka(repaired: frozenset[str] = frozenset(), protocol: Protocol = KRAFT_LOOP) -> Protocol:
    """Return the tables, or an edit of them, that say what a controller does with some defects repaired."""
    for name, edit in AS_KAFKA.items():
        if name not in repaired:
            protocol = edit(protocol)
    return protocol


@lru_cache(maxsize=4)
def compiled(protocol: Protocol) -> WholeRows:
    """Return the rows of a protocol, compiled once a process; the caller runs them in a state of its own."""
    return WholeRows(protocol, listed=LISTED)
