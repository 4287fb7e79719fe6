"""Properties of the whole: every node has the state of its log, and the claims of `kraft` hold of committed and stable state."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft.bounds import broker
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.kraft_loop.answers import RENOUNCES
from fencepost.model.kraft_loop.state import *
from fencepost.model.language.vocabulary import *

from .lifting import HARD, keys_of, lifted
from .rows import Source, image, is_idle
from .state import What, in_snapshot, logged, on_node, soft


def same(one: Source, other: Source) -> Term[bool]:
    """Two readings of the domain agree in every cell."""
    found = []
    for state in HARD:
        var = tuple(Var("x", kind) for kind in keys_of(state))
        equal = one(state, var).is_(other(state, var))
        found.append(forall(var[0], equal) if var else equal)
    return all_of(*found)


def _next(source: Source) -> Source:
    return lambda state, keys: next_(source(state, keys))


def snapshot_of(n_: Term[Any]) -> Source:
    """Return how to read what a node shows to reads: its state as it was at its stable offset."""
    return lambda state, keys: when(
        stable[n_].is_(applied[n_]), on_node.at(n_)(state, keys), in_snapshot.at(n_, stable[n_])(state, keys)
    )


def _active_snapshot() -> Term[bool]:
    return for_all(
        n,
        s,
        ((claim[n] > 0) & snapshot[n, s] & (stable[n] <= s) & (s < applied[n])).implies(
            same(in_snapshot.at(n, s), image(s, claim[n]))
        ),
    )


STATES: tuple[Property, ...] = (
    always(
        "DW1",
        for_all(n, same(on_node.at(n), image(applied[n], follows(n)))),
        "The state of a node is what one gets by replaying its log up to what it has applied, active or not.",
        "S3:323",
    ),
    always("DW2", _active_snapshot(), "An in-memory snapshot is the state of its offset.", "S3:160"),
    step(
        "DW3",
        same(_next(on_node.at(n)), image(stable[n], claim[n])),
        "Who renounces has the state of what is stable: nothing of what is thrown away is left.",
        "S3:160, S3:171",
        AT_RESULT_BOUNDARIES,
        rows=RENOUNCES[:2],
    ),
    always(
        "DW4",
        for_all(n, m, (applied[n].is_(applied[m]) & claim[n].is_(0) & claim[m].is_(0)).implies(same(on_node.at(n), on_node.at(m)))),
        "Two standbys that have applied as much have the same state.",
        "S3:323",
    ),
    always(
        "DW5",
        for_all(n, (stable[n] <= high_watermark[raft_epoch]).implies(same(snapshot_of(n), image(stable[n], raft_epoch)))),
        "What a node shows to reads is what the newest leader's log says up to there.",
        "S3:327",
    ),
)  # fmt: skip


def _committed(id: str) -> Always:
    """A claim of `kraft` about state, of what every committed prefix of the log gives."""
    source = KRAFT.property(id)
    assert isinstance(source, Always)
    term = lifted(source.term, image(o, raft_epoch))
    return always(
        f"{id}c", for_all(o, (o <= high_watermark[raft_epoch]).implies(term)), source.about, source.source, COMMITTED
    )


def _on_nodes(id: str) -> Always:
    """A claim of `kraft` about state after every record, on every node at any time."""
    source = KRAFT.property(id)
    assert isinstance(source, Always)
    return always(f"{id}n", for_all(n, lifted(source.term, on_node.at(n))), source.about, source.source)


def _at_work(id: str) -> Always:
    """A claim of `kraft` about soft state, of a controller between two results."""
    source = KRAFT.property(id)
    assert isinstance(source, Always)
    term = lifted(source.term, soft(n))
    return always(
        f"{id}a", for_all(n, (armed[n] & is_idle).implies(term)), source.about, source.source, AT_RESULT_BOUNDARIES
    )


EVERY_RECORD = ("P1v", "P2", "P7r")
BOUNDARIES = ("P7",)
_one = broker(0)


def _of(source: Source, state: Any, *keys: Term[Any]) -> Term[Any]:
    found: Term[Any] = source(state, keys)
    return found


_shown = image(high_watermark[raft_epoch], raft_epoch)
_fenced, _isr, _leader = HARD[0], HARD[1], HARD[2]
_is_fenced, _led_by = _of(_shown, _fenced, _one), _of(_shown, _leader)
_waits = _led_by.is_(None) & _one.in_(_of(_shown, _isr)) & ~_is_fenced
_says = logged.what


def _written(at: int, record: What, epoch: int) -> Term[bool]:
    """The committed record at an offset is of a kind, written in an epoch of the two."""
    there = Lit(at, s.kind)
    return (
        (there < high_watermark[raft_epoch])
        & _says.at(raft_epoch, there).is_(record)
        & log[raft_epoch, there].is_(epoch)
    )


SEEN: tuple[Property, ...] = (
    sometimes(
        "DX1",
        _written(0, What.CHANGE, 1) & ~_is_fenced & (raft_epoch > 1) & high_watermark[raft_epoch].is_(1),
        "Half a fence is committed, and another controller elected: the partition has moved, the broker is not fenced.",
        "S3:122",
    ),
    sometimes(
        "DX2",
        _written(0, What.CHANGE, 1) & _written(1, What.FENCE, 2),
        "The next controller fences the broker: the half that is left of the result is made whole.",
        "S3:171",
    ),
    sometimes(
        "DX3",
        _written(0, What.UNFENCE, 1) & _waits & (raft_epoch > 1) & exists(n, armed[n] & claim[n].is_(raft_epoch)),
        "Half an unfence is committed: the broker is back, the partition that it could lead is not led, under a new controller.",
        "S3:122",
    ),
    sometimes(
        "DX4",
        _written(0, What.UNFENCE, 1) & _written(1, What.CHANGE, 2) & ~_waits,
        "The balance of leaders elects the broker after all.",
        "S3:268-276",
    ),
    sometimes(
        "DX5",
        exists(n, (claim[n] > 0) & (stable[n] < applied[n]) & soft(n)(_fenced, (_one,))),
        "A broker is fenced in the state of a controller, and not yet in what reads show.",
        "S3:77",
    ),
)
PROPERTIES: tuple[Property, ...] = (
    *STATES,
    *(_on_nodes(id) for id in EVERY_RECORD),
    *(_at_work(id) for id in ("B11", "B14")),
    *(_committed(id) for id in (*EVERY_RECORD, *BOUNDARIES)),
    *SEEN,
)
