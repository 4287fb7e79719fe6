"""Rows and records of `kraft` read on one of several nodes: the same terms, over cells of that node.

A cluster of one partition is enough for that, so a lifted cell has the keys of its variable but the partition. What no row of the
whole moves is a constant there (`STANDING`); `UNREAD` is written, and read by no row of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.bounds import EVERYBODY, the
from fencepost.model.language.effects import Given, Written
from fencepost.model.language.state import Map, Map2, State
from fencepost.model.language.terms import Before, Get, Named, Quant
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import nary, rewrite, stages, substitute

Read = Callable[[State[Any], tuple[Term[Any], ...]], Term[Any]]
"""The cell of a variable on a node, by its keys but the partition."""


def state_of(one: Term[Any] | Map[Any, Any] | Map2[Any, Any, Any]) -> State[Any]:
    """Return the variable that a declaration of state made."""
    if isinstance(one, Term):
        assert isinstance(one, Get)
        return one.state
    return one.state


HARD = tuple(state_of(one) for one in (k.fenced, k.isr, k.leader, k.leader_epoch, k.partition_epoch))
"""The variables that records of the whole change."""
SOFT = tuple(state_of(one) for one in (k.contact, k.soft_fenced))
UNREAD = frozenset(state_of(one) for one in (k.reported, k.log_end, k.active_controller))
_directory, _name, _topic = the(0, k.DIRECTORY), the(0, k.NAME), the(0, k.TOPIC)
_offset = Lit(-1, k.OFFSET)
STANDING: Mapping[State[Any], Term[Any]] = {
    state_of(one): value
    for one, value in (
        (k.registered, TRUE),
        (k.epoch, _offset),
        (k.registration_offset, _offset),
        (k.shutdown_offset, _offset),
        (k.ics, FALSE),
        (k.exists_, TRUE),
        (k.topic, _topic),
        (k.index, Lit(0, k.INDEX)),
        (k.replicas, EVERYBODY),
        (k.removing, nobody(k.BROKER)),
        (k.adding, nobody(k.BROKER)),
        (k.recovery, literal(k.Recovery.RECOVERED)),
        (k.elr, nobody(k.BROKER)),
        (k.elr_disordered, FALSE),
        (k.last_known, nothing(k.BROKER)),
        (k.last_nobody, FALSE),
        (k.location, some(_directory)),
        (k.unassigned, _directory),
        (k.migrating, _directory),
        (k.lost_directory, _directory),
        (k.directories, nobody(k.DIRECTORY)),
        (k.mv, Lit(8, k.LEVEL)),
        (k.elr_level, Lit(0, k.LEVEL)),
        (k.min_insync, Lit(Threshold(1), k.SIZE)),
        (k.replication, Lit(Threshold(2), k.SIZE)),
        (k.own_min_insync, TRUE),
        (k.unclean, FALSE),
        (k.own_unclean, TRUE),
        (k.node_unclean, none_of(BOOL)),
        (k.active_controller, _name),
        (k.outdated, FALSE),
        (k.overtaken, FALSE),
    )
}
"""A cluster of two brokers and one partition, without eligible leader replicas, directories and unclean elections."""

KNOWN: Mapping[str, Term[bool]] = {
    "online": TRUE,
    "completes": FALSE,
    "enough_in_sync": TRUE,
    "allows_unclean": FALSE,
    "stranded": FALSE,
}
"""Values of definitions in such a cluster."""


def keys_of(state: State[Any]) -> tuple[Any, ...]:
    """Return the kinds of a variable's keys but the partition."""
    return tuple(kind for kind in state.keys if kind != k.PARTITION)


def lifted(term: Term[Any], read: Read, given: Mapping[Var[Any], Term[Any]] | None = None) -> Term[Any]:
    """Return the term over the cells of a node; raises `KeyError` for a variable that the whole does not know."""

    def one(node: Term[Any]) -> Term[Any] | None:
        if isinstance(node, Before):
            return rewrite(node.term, one)
        if isinstance(node, Named) and node.name in KNOWN:
            return KNOWN[node.name]
        if isinstance(node, Quant) and node.var.kind == k.PARTITION:
            return rewrite(node.body, one)
        if isinstance(node, Get):
            if node.state not in HARD + SOFT:
                return STANDING[node.state] if node.state in _OF_KRAFT else None
            keys = zip(node.keys, node.state.keys, strict=True)
            return read(node.state, tuple(rewrite(key, one) for key, kind in keys if kind != k.PARTITION))
        return None

    return rewrite(substitute(term, given or {}), one)


_OF_KRAFT = frozenset(STANDING) | frozenset(HARD) | frozenset(SOFT) | UNREAD


def after(updates: tuple[Update, ...], state: State[Any], keys: tuple[Term[Any], ...], read: Read) -> Term[Any]:
    """Return what a variable is on a node after some updates of it, each of one cell."""
    result = read(state, keys)
    for update in updates:
        if update.target.state is not state:
            continue
        assert not update.binders
        own = [key for key, kind in zip(update.target.keys, state.keys, strict=True) if kind != k.PARTITION]
        here = nary(
            "and", (lifted(update.when, read), *(a.is_(lifted(b, read)) for a, b in zip(keys, own, strict=True)))
        )
        value = lifted(update.value, read)
        result = value if here is TRUE else when(here, value, result)
    return result


def replayed(
    record: Record, given: tuple[Given, ...], state: State[Any], keys: tuple[Term[Any], ...], read: Read
) -> Term[Any]:
    """Return what a variable is on a node after a record with these fields is replayed there."""
    [stage] = stages((Write(record, given),))
    return after(stage.updates, state, keys, read)


def written_by(row: Row) -> tuple[Written, ...]:
    """Return the records of a row in their order, the variable of the one partition dropped."""
    return tuple(written for stage in row.stages for written in stage.written)


def plain(row: Row) -> tuple[Update, ...]:
    """Return the updates of soft state that a row makes beside its records."""
    return tuple(u for stage in row.stages if not stage.written for u in stage.updates if u.target.state in SOFT)
