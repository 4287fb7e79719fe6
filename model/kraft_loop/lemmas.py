"""Lemmas for the proof of `kraft-loop`: logs that share a record share all before it, how transactions lie in them, what nodes know."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language import Always, Term, absent, forall, lemma
from fencepost.model.language.terms import Lit

from .state import *

_in = o < log_end[e]
_active = claim[n] > 0
_log = follows(n)


def shares(d: Term[int], e: Term[int], o: Term[int]) -> Term[bool]:
    """Two logs have the same record at an offset."""
    return (o < log_end[d]) & (o < log_end[e]) & log[d, o].is_(log[e, o])


def committed_in(d: Term[int], e: Term[int]) -> Term[bool]:
    """There have been both epochs."""
    return (d <= raft_epoch) & (e <= raft_epoch)


def in_a_batch(e: Term[int], s: Term[int], p: Term[int]) -> Term[bool]:
    """No batch of a log ends between two offsets."""
    return forall(at, ((s < at) & (at < p)).implies(~ends_batch(e, at)))


LOGS: tuple[Always, ...] = (
    lemma("QM1", for_all(e, ((e > raft_epoch) | e.is_(0)).implies(
        log_end[e].is_(0) & epoch_start[e].is_(0) & absent(leader_of[e]) & high_watermark[e].is_(0))), "For QM3: nothing is there of epochs to come."),
    lemma("QM2", for_all(e, o, _in.implies((log[e, o] >= 1) & (log[e, o] <= e) & (o < log_end[log[e, o]]))),
          "For QM3: a record is in the log of the epoch in which it was written."),
    lemma("QM3", for_all(d, e, o, p, (shares(d, e, o) & (p <= o)).implies(log[d, p].is_(log[e, p]) & log_kind[d, p].is_(log_kind[e, p]))),
          "For QM6: logs that share a record share all before it."),
    lemma("QM3s", for_all(d, e, o, s, (shares(d, e, o) & (s <= o + 1)).implies(
        log_open[d, s].is_(log_open[e, s]) & (log_ends[d, s].implies(log_ends[e, s])))),
          "For QM6s: and batches and transactions up to it."),
    lemma("QM4", for_all(d, e, p, ((undone_by[d, p] > 0) & shares(d, e, undone_by[d, p])).implies(undone_by[e, p].is_(undone_by[d, p]))),
          "For QM6: and what an Abort undid that they share."),
    lemma("QM5", for_all(e, (high_watermark[e] <= log_end[e]) & (epoch_start[e] <= log_end[e])), "For QL7: what is committed is in the log."),
    lemma("QM5d", for_all(d, e, ((d <= e) & (e <= raft_epoch)).implies(
        (high_watermark[d] <= high_watermark[e]) & ((d < e).implies(high_watermark[d] <= epoch_start[e])))),
          "For QL7: also in that of every later epoch, when it begins."),
    lemma("QM6", for_all(d, e, o, (committed_in(d, e) & (o < high_watermark[d]) & (o < high_watermark[e])).implies(
        log[e, o].is_(log[d, o]) & log_kind[e, o].is_(log_kind[d, o]))),
          "For QL7: two logs have the same committed records."),
    lemma("QM6u", for_all(d, e, o, (committed_in(d, e) & (undone_by[d, o] > 0) & (undone_by[d, o] < high_watermark[d]) & (undone_by[d, o] < high_watermark[e])).implies(
        undone_by[e, o].is_(undone_by[d, o]))),
          "For QL7: in both the same Abort undoes them."),
    lemma("QM6s", for_all(d, e, s, (committed_in(d, e) & (s <= high_watermark[d]) & (s <= high_watermark[e])).implies(
        log_open[e, s].is_(log_open[d, s]) & (log_ends[e, s].implies(log_ends[d, s])))),
          "For QN5: so are the ends of batches and transactions."),
    lemma("QM7", for_all(e, o, (_in & ~is_data(e, o)).implies(ends_batch(e, o) & log_ends[e, o + 1])),
          "For QL4: a record of a transaction is in a batch of its own."),
    lemma("QM9s", for_all(e, (epoch_start[e] > 0).implies(log_ends[e, epoch_start[e]])), "For QK1: what a leader begins with ends with a batch."),
)  # fmt: skip
TRANSACTIONS: tuple[Always, ...] = (
    lemma("QT0", for_all(e, log_open[e, Lit(0, OFFSET)].is_(0)), "For QT1: no transaction is open at the start."),
    lemma("QT1", for_all(e, o, _in.implies(
        (is_kind(e, o, RecordKind.BEGIN).implies(log_open[e, o].is_(0) & log_open[e, o + 1].is_(o + 1)))
        & (is_data(e, o).implies(log_open[e, o + 1].is_(log_open[e, o])))
        & (closes(e, o).implies((log_open[e, o] > 0) & log_open[e, o + 1].is_(0))))),
          "For QT2: Begin opens a transaction where none is open, End and Abort close one."),
    lemma("QT2", for_all(e, s, p, ((s <= log_end[e]) & (log_open[e, s] > 0) & (log_open[e, s] <= p) & (p <= s)).implies(
        log_open[e, p].is_(log_open[e, s]))),
          "For QT3: a transaction that is open has been so since its Begin."),
    lemma("QT2b", for_all(e, s, ((s <= log_end[e]) & (log_open[e, s] > 0)).implies(
        (log_open[e, s] <= s) & log_open[e, log_open[e, s] - 1].is_(0) & ends_batch(e, log_open[e, s] - 1))),
          "For QN9: none was open before it."),
    lemma("QT2c", for_all(e, s, p, ((s < p) & (p <= log_end[e]) & is_data(e, s) & in_a_batch(e, s, p)).implies(
        log_open[e, p].is_(log_open[e, s]))),
          "For QN6: a batch of data records opens and closes none."),
    lemma("QT2d", for_all(e, s, p, o, ((s <= o) & (o < p) & (p <= log_end[e]) & ends_batch(e, p) & is_data(e, s) & in_a_batch(e, s, p)).implies(is_data(e, o))),
          "For QL4: and has data records only."),
    lemma("QT3", for_all(e, o, p, (_in & is_kind(e, o, RecordKind.ABORT) & (log_open[e, o] <= p + 1) & (p < o)).implies(undone_by[e, p].is_(o))),
          "For QL4: an Abort undoes all from its Begin on."),
    lemma("QT4", for_all(e, p, (undone_by[e, p] > 0).implies(
        (undone_by[e, p] < log_end[e]) & (p < undone_by[e, p]) & is_kind(e, undone_by[e, p], RecordKind.ABORT)
        & (log_open[e, undone_by[e, p]] <= p + 1))),
          "For QL4: and nothing else is undone."),
    lemma("QT6", for_all(e, s, o, ((s <= log_end[e]) & log_open[e, s].is_(0) & (o < s) & (undone_by[e, o] > 0)).implies(undone_by[e, o] < s)),
          "For QL7: what is outside of transactions is not undone later."),
    lemma("QT5", for_all(e, o, p, ((o < p) & (p < log_end[e]) & is_kind(e, o, RecordKind.VERSION) & is_kind(e, p, RecordKind.VERSION)).implies(
        (undone_by[e, o] > 0) & (undone_by[e, o] < p))),
          "For QL11: a log has a second bootstrap only where the first was undone before."),
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
    lemma("QN5", for_all(n, ends_batch(_log, committed[n]) & ends_batch(_log, applied[n])), "For QC2: a node's offsets are boundaries of batches."),
    lemma("QN6", for_all(n, transaction[n].is_(log_open[_log, applied[n]])), "For QL12: a node knows which transaction is open."),
    lemma("QN7", for_all(n,
        (log_open[_log, committed[n]].is_(0).implies(stable[n].is_(committed[n])))
        & ((log_open[_log, committed[n]] > 0).implies(log_open[_log, committed[n]].is_(stable[n] + 1)))),
          "For QL7: stable is what is committed, up to the Begin of a transaction that is open there."),
    lemma("QN7s", for_all(n, log_open[_log, stable[n]].is_(0)), "For QL7: no transaction is open at the stable offset."),
    lemma("QN8", for_all(n, e, (leader_of[e].is_(n) & (left_epoch[n] < e)).implies(log_end[e].is_(epoch_start[e]))),
          "For QK1: nothing is written in an epoch before it is claimed."),
    lemma("QN9", for_all(n, s, (_active & (stable[n] <= s) & (s <= applied[n]) & ends_batch(_log, s) & log_open[_log, s].is_(0)).implies(snapshot[n, s])),
          "For QL3: an active controller has a snapshot wherever the stable offset may come to stand."),
    lemma("QN10", for_all(n, (transaction[n] > 0).implies(snapshot[n, transaction[n] - 1])), "For QL12: and every node one from before Begin."),
    lemma("QN11", for_all(n, s, o, (~snapshot[n, s]).implies(kept[n, s, o].is_(0))), "For QL7: nothing is kept of snapshots that are gone."),
    lemma("QN12", for_all(n, (claim[n].is_(0) & (stable[n] < applied[n])).implies(snapshot[n, stable[n]])), "For QK1: a standby has one where it matters."),
    lemma("QN13", for_all(n, claim[n].is_(0).implies(
        (transaction[n].is_(0) & stable[n].is_(applied[n])) | (transaction[n].is_(stable[n] + 1) & snapshot[n, stable[n]]))),
          "For QL3k: what a standby has applied is stable, up to the Begin of the transaction that is open."),
)  # fmt: skip
FUTURES: tuple[Always, ...] = (
    lemma("QF1", for_all(r, n, (future[r].is_(Future.PARKED) & asked[r].is_(n)).implies(
        _active & (parked_at[r] <= next_write[n]) & (wrote_in[r] <= claim[n]) & (parked_at[r] > 0))),
          "For QL2d: only an active controller has a purgatory."),
    lemma("QF2", for_all(r, n, o, (future[r].is_(Future.PARKED) & asked[r].is_(n) & (wrote_in[r] > 0) & (wrote_from[r] <= o) & (o < parked_at[r])).implies(
        log[claim[n], o].is_(wrote_in[r]))),
          "For QL2d: the records of what is parked are in the log of its epoch."),
    lemma("QF3", for_all(r, (future[r].is_(Future.NONE) | future[r].is_(Future.QUEUED)).implies(wrote_in[r].is_(0) & parked_at[r].is_(0))), "For QL15: what is queued has not run."),
    lemma("QF4", for_all(r, future[r].is_(Future.PARKED).implies(~absent(asked[r]))), "For QF1: a node has it."),
)  # fmt: skip
LEMMAS: tuple[Always, ...] = (*LOGS, *TRANSACTIONS, *NODES, *FUTURES)
