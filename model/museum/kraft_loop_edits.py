"""Defects of the event loop, as edits of `kraft-loop`."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft_loop.answers import RENOUNCES
from fencepost.model.kraft_loop.state import *
from fencepost.model.language import BOOL, FALSE, TRUE, Protocol, Term, exists, per, when
from fencepost.model.language.terms import Get, Lit
from fencepost.model.language.walk import without

_seen = per(CONTROLLER, "seen", BOOL, about="the node has applied a record: the plain field of LogReplayTracker")


def _kept(body: Term[Any]) -> tuple[Term[Any], Term[Any]]:
    """Return the offset that is asked for and that of the snapshot, of the state after a revert."""
    assert isinstance(body, Get)
    return body.keys[2], body.keys[1]


def reverts_too_little(base: Protocol) -> Protocol:
    """The first record that is to be reverted stays."""

    def change(body: Term[Any]) -> Term[Any]:
        at, end = _kept(body)
        return when(at.is_(end), effect[n, at], body)

    return base.redefine("reverted", change, why="one record too few is reverted", rows=RENOUNCES)


def reverts_too_much(base: Protocol) -> Protocol:
    """The last record that is to be kept goes."""

    def change(body: Term[Any]) -> Term[Any]:
        at, end = _kept(body)
        return when((at + 1).is_(end), Lit(0, body.kind), body)

    return base.redefine("reverted", change, why="a revert removes what the snapshot itself has", rows=RENOUNCES)


def abort_forgets_a_map(base: Protocol) -> Protocol:
    """Abort reverts everything but the finalized features."""

    def change(body: Term[Any]) -> Term[Any]:
        at, _ = _kept(body)
        return when(log_kind[follows(n), at].is_(RecordKind.VERSION), effect[n, at], body)

    return base.redefine("reverted", change, why="Abort does not revert one of the maps", rows=("QC5", "QA3", "QA4"))


def keeps_the_transaction(base: Protocol) -> Protocol:
    """Return the variant in which a node that renounces keeps its transaction start and committed offset, which are no timeline fields."""
    plain = frozenset(one.state for one in (transaction, committed, applied))
    for id in RENOUNCES:
        kept = without(base.row(id).effects, plain)
        base = base.but(
            id,
            effects=(kept, applied[n].becomes(committed[n])),
            why="transaction start and committed offset are plain fields",
        )
    return base


def ends_when_appended(base: Protocol) -> Protocol:
    """The stable offset is bounded by the transaction that is open after the last append, not by that of the last commit."""
    return base.redefine("open_when_committed", lambda _: transaction[n], why="End counts when it is appended")


def loads_one_too_many(base: Protocol) -> Protocol:
    """The exclusive end of a snapshot is taken for the offset of its last record."""
    old = without(base.row("QS1").effects, frozenset(one.state for one in (committed, stable)))
    later = (committed[n].becomes(stable[m] + 1), stable[n].becomes(stable[m] + 1))
    return base.but("QS1", effects=(old, later), why="the end of a snapshot is taken for its last offset")


def counts_what_it_aborts(base: Protocol) -> Protocol:
    """The metadata.version of an open transaction counts, although the activation aborts it."""
    there = exists(o, (effect[n, o] > 0) & log_kind[follows(n), o].is_(RecordKind.VERSION))
    return base.redefine("bootstrapped", lambda _: there, why="the state is looked at before the Abort")


def remembers_what_was_cut(base: Protocol) -> Protocol:
    """Return the variant in which a revert keeps that a record was ever applied."""
    why = "a plain field says that the log is not empty"
    edited = base.redefine("bootstrapped", lambda _: _seen[n], why=why)
    for ids, value in (
        (("QA1", "QA2", "QA3", "QC2", "QC3", "QC4", "QC5", "QS1"), TRUE),
        (("QK5", "QW11", "QS2"), FALSE),
    ):
        for id in ids:
            edited = edited.but(id, effects=(edited.row(id).effects, _seen[n].becomes(value)), why=why)
    return edited
