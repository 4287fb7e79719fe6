"""Procedures that rows of the loop share: to write records and apply them, to keep in-memory snapshots, to abort, to renounce."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.model.language import BOOL, FALSE, TRUE, Assign, Every, Term, every, let, literal, procedure, when
from fencepost.model.language.terms import Lit

from .state import *

Steps = tuple[Assign | Every, ...]
State = Callable[[Term[int]], Term[int]]
"""A state of a node: what is in effect at an offset."""
NOTHING = Lit(0, OFFSET)
x = REQUEST.var("x")


def snapshots(n: Term[Controller], there: Term[bool], state: Term[int]) -> Every:
    """Leave the node those in-memory snapshots (of what ends at `s`) with that state (at `o`), and no others."""
    return every(
        s, TRUE, snapshot[n, s].becomes(there), every(o, TRUE, kept[n, s, o].becomes(when(there, state, NONE_YET)))
    )


def record(n: Term[Controller], o: Term[int], kind: RecordKind, opened: Term[int]) -> Steps:
    """The active controller appends one record, in a batch of its own, after which that transaction is open."""
    e = claim[n]
    return (
        log[e, o].becomes(e),
        log_kind[e, o].becomes(literal(kind)),
        log_ends[e, o + 1].becomes(TRUE),
        log_open[e, o + 1].becomes(opened),
    )


def extends(n: Term[Controller], to: Term[int]) -> Steps:
    """The log of the active controller, and what it has applied, ends there."""
    return log_end[claim[n]].becomes(to), next_write[n].becomes(to), applied[n].becomes(to)


_whole = BOOL.var("atomic")


@procedure(n, to, _whole)
def writes(n: Term[Controller], to: Term[int], whole: Term[bool]) -> object:
    """The active controller appends data records up to an offset and applies them: one batch if atomic, else one batch each.

    A snapshot is taken at the end of every batch.
    """
    e, base = claim[n], next_write[n]
    new = (base <= o) & (o < to)
    ends = (base < s) & (s <= to) & (~whole | s.is_(to))
    return (
        every(o, new, log[e, o].becomes(e), log_kind[e, o].becomes(literal(RecordKind.DATA)), effect[n, o].becomes(e)),
        every(
            s,
            (base < s) & (s <= to),
            log_ends[e, s].becomes(~whole | s.is_(to)),
            log_open[e, s].becomes(transaction[n]),
        ),
        *extends(n, to),
        snapshots(n, snapshot[n, s] | ends, when(snapshot[n, s], kept[n, s, o], when(new & (o < s), e, effect[n, o]))),
    )


@procedure(n)
def begins(n: Term[Controller]) -> object:
    """The active controller appends Begin and applies it: a snapshot of what was before, and one after."""
    base = next_write[n]
    ends = s.is_(base) | s.is_(base + 1)
    return (
        *record(n, base, RecordKind.BEGIN, base + 1),
        *extends(n, base + 1),
        transaction[n].becomes(base + 1),
        snapshots(n, snapshot[n, s] | ends, when(snapshot[n, s], kept[n, s, o], effect[n, o])),
    )


@procedure(n)
def ends(n: Term[Controller]) -> object:
    """The active controller appends End and applies it: no transaction is open any more."""
    base = next_write[n]
    return (
        *record(n, base, RecordKind.END, NOTHING),
        *extends(n, base + 1),
        transaction[n].becomes(NOTHING),
        snapshots(n, snapshot[n, s] | s.is_(base + 1), when(snapshot[n, s], kept[n, s, o], effect[n, o])),
    )


def restored(n: Term[Controller], o: Term[int], s: Term[int]) -> Term[int]:
    """The record in effect at an offset after the state was reverted to an in-memory snapshot."""
    return let("reverted", kept[n, s, o], n, s, o)


def _aborted(n: Term[Controller]) -> tuple[Assign | Every, ...]:
    base, begin = next_write[n], transaction[n] - 1
    return (
        *record(n, base, RecordKind.ABORT, NOTHING),
        every(o, (begin <= o) & (o < base), undone_by[claim[n], o].becomes(base)),
        transaction[n].becomes(NOTHING),
    )


@procedure(n)
def aborts(n: Term[Controller]) -> object:
    """The active controller appends Abort and applies it: the state is again as it was before Begin; later snapshots are gone."""
    base, begin = next_write[n], transaction[n] - 1
    return (
        *_aborted(n),
        *extends(n, base + 1),
        every(o, TRUE, effect[n, o].becomes(restored(n, o, begin))),
        snapshots(
            n, (snapshot[n, s] & (s <= begin)) | s.is_(base + 1), when(s <= begin, kept[n, s, o], restored(n, o, begin))
        ),
    )


def _bootstraps(n: Term[Controller], base: Term[int], state: State) -> Steps:
    """Begin, the metadata.version and End, on a state that has no metadata.version."""
    return (
        *record(n, base, RecordKind.BEGIN, base + 1),
        *record(n, base + 1, RecordKind.VERSION, base + 1),
        *record(n, base + 2, RecordKind.END, NOTHING),
        *extends(n, base + 3),
        every(o, TRUE, effect[n, o].becomes(when(o.is_(base + 1), claim[n], state(o)))),
    )


def _of_bootstrap(n: Term[Controller], base: Term[int], state: State) -> Term[int]:
    """The state of a snapshot that is taken while the bootstrap records are applied."""
    return when(o.is_(base + 1) & (s > base + 1), claim[n], state(o))


@procedure(n)
def bootstraps(n: Term[Controller]) -> object:
    """The active controller appends Begin, the bootstrap records and End, and applies them."""
    base = next_write[n]
    taken = (base <= s) & (s <= base + 3)
    return (
        *_bootstraps(n, base, lambda o: effect[n, o]),
        snapshots(
            n,
            snapshot[n, s] | taken,
            when(snapshot[n, s], kept[n, s, o], _of_bootstrap(n, base, lambda o: effect[n, o])),
        ),
    )


@procedure(n)
def bootstraps_at_once(n: Term[Controller]) -> object:
    """The active controller appends the bootstrap records as one batch without a transaction, and applies them."""
    base = next_write[n]
    return (
        *record(n, base, RecordKind.VERSION, NOTHING),
        *extends(n, base + 1),
        effect[n, base].becomes(claim[n]),
        snapshots(
            n,
            snapshot[n, s] | s.is_(base + 1),
            when(snapshot[n, s], kept[n, s, o], when(o.is_(base), claim[n], effect[n, o])),
        ),
    )


@procedure(n)
def aborts_and_bootstraps(n: Term[Controller]) -> object:
    """The active controller appends Abort, then Begin, the bootstrap records and End, and applies them."""
    base, begin = next_write[n], transaction[n] - 1

    def state(o: Term[int]) -> Term[int]:
        return restored(n, o, begin)

    return (
        *_aborted(n),
        *_bootstraps(n, base + 1, state),
        snapshots(
            n,
            (snapshot[n, s] & (s <= begin)) | ((base + 1 <= s) & (s <= base + 4)),
            when(s <= begin, kept[n, s, o], _of_bootstrap(n, base + 1, state)),
        ),
    )


@procedure(n)
def renounces(n: Term[Controller]) -> object:
    """The node is a standby again: the state is that of the snapshot at the stable offset, and the purgatory is answered.

    Transaction start and committed offset fall back with the state, and a new listener has what is committed delivered from there on.
    """
    return (
        claim[n].becomes(NONE_YET),
        next_write[n].becomes(NOTHING),
        activating[n].becomes(FALSE),
        armed[n].becomes(FALSE),
        every(o, TRUE, effect[n, o].becomes(restored(n, o, stable[n]))),
        applied[n].becomes(stable[n]),
        committed[n].becomes(stable[n]),
        transaction[n].becomes(NOTHING),
        snapshots(n, snapshot[n, s] & (s <= stable[n]), kept[n, s, o]),
        every(x, waits(x, n), future[x].becomes(literal(Future.NOT_CONTROLLER))),
    )


@procedure(n)
def restarts(n: Term[Controller]) -> object:
    """The process ends and starts again with an empty state; who waited for it gets no answer, and it leads no epoch any more."""
    left = asked[x].is_(n) & (future[x].is_(Future.QUEUED) | future[x].is_(Future.PARKED))
    return (
        claim[n].becomes(NONE_YET),
        left_epoch[n].becomes(known_epoch[n]),
        *(one[n].becomes(NOTHING) for one in (next_write, applied, committed, stable, transaction)),
        activating[n].becomes(FALSE),
        armed[n].becomes(FALSE),
        every(o, TRUE, effect[n, o].becomes(NONE_YET)),
        snapshots(n, FALSE, NONE_YET),
        every(x, left, future[x].becomes(literal(Future.LOST))),
    )
