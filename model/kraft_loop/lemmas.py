"""What the proof of `kraft-loop` needs: logs that share a record share all before it, how transactions lie in them, what nodes know."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language import Always, absent, lemma

from .state import (
    Future,
    RecordKind,
    activating,
    applied,
    armed,
    asked,
    batch_end,
    claim,
    closes,
    committed,
    d,
    e,
    ends_batch,
    epoch_start,
    follows,
    future,
    high_watermark,
    is_data,
    is_kind,
    kept,
    known_epoch,
    leader_of,
    left_epoch,
    log,
    log_end,
    n,
    next_write,
    o,
    open_at,
    p,
    parked_at,
    r,
    raft_epoch,
    record_transaction,
    s,
    snapshot,
    stable,
    transaction,
    undone_at,
    wrote_from,
    wrote_in,
)

_written = log[e, o]
_in = o < log_end[e]
_within = record_transaction[_written, o]
_active = claim[n] > 0
_log = follows(n)

LOGS: tuple[Always, ...] = (
    lemma("QM1", for_all(e, ((e > raft_epoch) | e.is_(0)).implies(
        log_end[e].is_(0) & absent(leader_of[e]) & high_watermark[e].is_(0))), "For QM3: nothing is there of epochs to come."),
    lemma("QM2", for_all(e, o, _in.implies((_written >= 1) & (_written <= e) & (o < log_end[_written]))),
          "For QM3: a record is in the log of the epoch in which it was written."),
    lemma("QM3", for_all(e, o, p, (_in & (p <= o)).implies(log[_written, p].is_(log[e, p]))),
          "For QM5: and so is all before it."),
    lemma("QM4", for_all(e, o, p, (_in & (p <= o)).implies(
        ((undone_at[e, p] > 0) & (undone_at[e, p] <= o + 1)).implies(undone_at[_written, p].is_(undone_at[e, p]))
        & ((undone_at[_written, p] > 0) & (undone_at[_written, p] <= o + 1)).implies(undone_at[e, p].is_(undone_at[_written, p])))),
          "For QL4: logs that share a record share what was undone before it."),
    lemma("QM5", for_all(d, e, ((d <= e) & (e <= raft_epoch)).implies(
        (high_watermark[d] <= high_watermark[e]) & (high_watermark[e] <= log_end[e]) & (epoch_start[e] <= log_end[e])
        & ((d < e).implies(high_watermark[d] <= epoch_start[e])))),
          "For QL7: what is committed is in the log of every later epoch when it begins."),
    lemma("QM6", for_all(d, e, o, ((d <= e) & (e <= raft_epoch) & (o < high_watermark[d])).implies(log[e, o].is_(log[d, o]))),
          "For QL7: at its offset."),
    lemma("QM7", for_all(e, o, p, (_in & (o <= p) & (p < batch_end[_written, o])).implies(
        (p < log_end[e]) & log[e, p].is_(_written) & batch_end[_written, p].is_(batch_end[_written, o])
        & (is_data(e, p) | batch_end[_written, o].is_(o + 1))
        & record_transaction[_written, p].is_(_within))),
          "For QL8: a batch is in a log whole, in one transaction, and a record of a transaction in one of its own."),
    lemma("QM8", for_all(e, o, _in.implies(batch_end[_written, o] > o)), "For QM7: a batch has a record."),
    lemma("QM9", for_all(e, ends_batch(e, log_end[e]) & ends_batch(e, high_watermark[e])), "For QL8: logs and commits end with a batch."),
    lemma("QM9s", for_all(e, ends_batch(e, epoch_start[e])), "For QK1: so does what a leader begins with."),
)  # fmt: skip
TRANSACTIONS: tuple[Always, ...] = (
    lemma("QT1", for_all(e, o, _in.implies(
        (is_kind(e, o, RecordKind.BEGIN).implies(_within.is_(o + 1) & open_at(e, o).is_(0)))
        & ((~is_kind(e, o, RecordKind.BEGIN)).implies(_within.is_(open_at(e, o))))
        & (closes(e, o).implies(_within > 0)))),
          "For QT2: a record is written in the transaction that is open there; End and Abort in some."),
    lemma("QT2", for_all(e, o, p, (_in & (_within > 0) & (_within <= p + 1) & (p <= o)).implies(
        (_within <= o + 1)
        & record_transaction[log[e, p], p].is_(_within)
        & ((p < o).implies(~closes(e, p)))
        & ((_within <= p).implies(~is_kind(e, p, RecordKind.BEGIN))))),
          "For QT3: from its Begin on, all records before are in the same transaction."),
    lemma("QT2b", for_all(e, o, (_in & (_within > 0)).implies((_within <= o + 1) & is_kind(e, _within - 1, RecordKind.BEGIN) & (open_at(e, _within - 1).is_(0)))),
          "For QL12: it has a Begin."),
    lemma("QT3", for_all(e, o, p, (_in & is_kind(e, o, RecordKind.ABORT) & (_within <= p + 1) & (p < o)).implies(undone_at[e, p].is_(o + 1))),
          "For QL4: an Abort undoes all from its Begin on."),
    lemma("QT4", for_all(e, p, (undone_at[e, p] > 0).implies(
        (undone_at[e, p] <= log_end[e]) & (p + 1 < undone_at[e, p])
        & is_kind(e, undone_at[e, p] - 1, RecordKind.ABORT)
        & (record_transaction[log[e, undone_at[e, p] - 1], undone_at[e, p] - 1] <= p + 1))),
          "For QL4: and nothing else is undone."),
)  # fmt: skip
NODES: tuple[Always, ...] = (
    lemma("QN1", for_all(n, (known_epoch[n] <= raft_epoch) & (claim[n] <= left_epoch[n]) & (left_epoch[n] <= known_epoch[n])),
          "For QL6: a node knows of epochs that there were, and claims none twice."),
    lemma("QN2", for_all(n, _active.implies(
        log_end[claim[n]].is_(next_write[n]) & applied[n].is_(next_write[n]))),
          "For QL4: an active controller writes where the log of its epoch ends."),
    lemma("QN3", for_all(n, claim[n].is_(0).implies(applied[n].is_(committed[n]) & next_write[n].is_(0) & ~activating[n] & ~armed[n])),
          "For QL16: a standby has applied what is committed."),
    lemma("QN4", for_all(n, (committed[n] <= high_watermark[_log]) & (applied[n] <= log_end[_log])), "For QL7: no node is ahead of Raft."),
    lemma("QN5", for_all(n, ends_batch(_log, committed[n]) & ends_batch(_log, applied[n])), "For QC2: a node stands between two batches."),
    lemma("QN6", for_all(n, transaction[n].is_(open_at(_log, applied[n]))), "For QL12: a node knows which transaction is open."),
    lemma("QN7", for_all(n,
        (open_at(_log, committed[n]).is_(0).implies(stable[n].is_(committed[n])))
        & ((open_at(_log, committed[n]) > 0).implies(open_at(_log, committed[n]).is_(stable[n] + 1)))),
          "For QL7: stable is what is committed, up to the Begin of a transaction that is open there."),
    lemma("QN8", for_all(n, e, (leader_of[e].is_(n) & (left_epoch[n] < e)).implies(log_end[e].is_(epoch_start[e]))),
          "For QK1: nothing is written in an epoch before it is claimed."),
    lemma("QN9", for_all(n, s, (_active & (stable[n] <= s) & (s <= applied[n]) & ends_batch(_log, s) & open_at(_log, s).is_(0)).implies(snapshot[n, s])),
          "For QL3: an active controller has a snapshot wherever the stable offset may come to stand."),
    lemma("QN10", for_all(n, (transaction[n] > 0).implies(snapshot[n, transaction[n] - 1])), "For QL12: and every node one from before Begin."),
    lemma("QN11", for_all(n, s, o, (~snapshot[n, s]).implies(kept[n, s, o].is_(0))), "For QL7: nothing is kept of snapshots that are gone."),
    lemma("QN12", for_all(n, (claim[n].is_(0) & (stable[n] < applied[n])).implies(snapshot[n, stable[n]])), "For QK1: a standby has one where it matters."),
)  # fmt: skip
FUTURES: tuple[Always, ...] = (
    lemma("QF1", for_all(r, n, (future[r].is_(Future.PARKED) & asked[r].is_(n)).implies(
        _active & (parked_at[r] <= next_write[n]) & (wrote_in[r] <= claim[n]) & (parked_at[r] > 0))),
          "For QL2d: only an active controller has a purgatory."),
    lemma("QF2", for_all(r, n, o, (future[r].is_(Future.PARKED) & asked[r].is_(n) & (wrote_in[r] > 0) & (wrote_from[r] <= o) & (o < parked_at[r])).implies(
        log[claim[n], o].is_(wrote_in[r]))),
          "For QL2d: the records of what is parked are in the log of its epoch."),
    lemma("QF3", for_all(r, (future[r].is_(Future.NONE) | future[r].is_(Future.QUEUED)).implies(wrote_in[r].is_(0) & parked_at[r].is_(0))), "For QL15: what is queued has not run."),
    lemma("QF4", for_all(r, future[r].is_(Future.PARKED).implies(~absent(asked[r]))), "For QF1: somebody has it."),
)  # fmt: skip
LEMMAS: tuple[Always, ...] = (*LOGS, *TRANSACTIONS, *NODES, *FUTURES)
