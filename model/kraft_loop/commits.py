"""Tables of Raft's deliveries to a controller: committed batches in order, and snapshots of the log."""

from __future__ import annotations

from fencepost.model.language import TRUE, Assign, Every, Term, event, every, forall, let, literal, table, when

from .leadership import OFFSETS
from .state import *
from .steps import NOTHING, restarts, restored, snapshots, x

LISTENER = "QuorumMetaLogListener"
_log = follows(n)
_from = committed[n]
commit = event("HandleCommit", n, to, environment=True, source="S3:108-111, S3:122", code=f"{LISTENER}, {OFFSETS}")
load = event("HandleLoadSnapshot", n, m, environment=True, source="S3:314", code=f"{LISTENER}, {OFFSETS}")
commit_replaced = event("HandleCommitOfReplacedListener", n, to, environment=True, source="S3:307", code=LISTENER)

delivered = let(
    "delivered",
    (to <= high_watermark[_log])
    & (_from < to)
    & ends_batch(_log, to)
    & forall(s, ((_from < s) & (s < to)).implies(~ends_batch(_log, s))),
    n,
    to,
)
"""The next committed batch ends there."""


def stable_end(n: Term[Controller], to: Term[int], opened: Term[int]) -> Term[int]:
    """The end of what is stable when all is committed up to an offset and a transaction is open or, 0, none is."""
    upto = when(opened.is_(0), to, opened - 1)
    return let("stable_end", when(upto > stable[n], upto, stable[n]), n, to)


def commits(n: Term[Controller], to: Term[int], end: Term[int]) -> tuple[Assign, ...]:
    """The node knows that all is committed up to an offset, and that what ends at another is stable."""
    return committed[n].becomes(to), stable[n].becomes(end)


def replays(n: Term[Controller], to: Term[int], opened: Term[int], state: Term[int]) -> tuple[Assign | Every, ...]:
    """A standby applies a batch: the state (at `o`), the transaction that is open after it; one snapshot, of what is stable."""
    end = stable_end(n, to, opened)
    there = (snapshot[n, s] & (s >= end)) | s.is_(end)
    return (
        *commits(n, to, end),
        applied[n].becomes(to),
        transaction[n].becomes(opened),
        every(o, TRUE, effect[n, o].becomes(state)),
        snapshots(n, there, when(snapshot[n, s], kept[n, s, o], state)),
    )


open_when_committed = let("open_when_committed", log_open[_log, to], n, to)
"""The transaction that is open where the committed part of the log ends; the end of one counts when it is committed."""
_active_end = stable_end(n, to, open_when_committed)
_begin = transaction[n] - 1
_standby = ~is_active & delivered


def _first_is(kind: RecordKind) -> Term[bool]:
    """The batch is one record of that kind: those of a transaction are in batches of their own."""
    return is_kind(_log, _from, kind) & to.is_(_from + 1)


def _parked_below(end: Term[int]) -> Term[bool]:
    return parked_at[x] <= end


COMMITS = table(
    "commits",
    commit(
        "QC1",
        is_active & delivered,
        commits(n, to, _active_end),
        snapshots(n, snapshot[n, s] & (s >= _active_end), kept[n, s, o]),
        every(x, waits(x, n) & _parked_below(_active_end), future[x].becomes(literal(Future.ANSWERED))),
    ),
    commit(
        "QC2",
        _standby & is_data(_log, _from),
        replays(n, to, transaction[n], when((_from <= o) & (o < to), log[_log, o], effect[n, o])),
    ),
    commit("QC3", _standby & _first_is(RecordKind.BEGIN), replays(n, to, to, effect[n, o])),
    commit("QC4", _standby & _first_is(RecordKind.END), replays(n, to, NOTHING, effect[n, o])),
    commit("QC5", _standby & _first_is(RecordKind.ABORT), replays(n, to, NOTHING, restored(n, o, _begin))),
    commit_replaced("QC6", to <= high_watermark[known_epoch[n]]),
    about="Batches come in the order of the log, however late. A batch has data records only, or one record of a transaction.",
    why={
        "QC1": "The active controller has applied its records: offsets move, and requests that wait for a now stable offset are answered.",
        "QC2": "A standby applies what is committed, inside a transaction, too; reads do not show it before the end of that.",
        "QC5": "The state is again that of the snapshot from before Begin.",
        "QC6": "A callback of a listener that is no longer the registered one is dropped.",
    },
)
LOADS = table(
    "snapshots of the log",
    load(
        "QS1",
        ~is_active & snapshot[m, stable[m]] & (stable[m] > applied[n]) & (stable[m] <= high_watermark[known_epoch[n]]),
        committed[n].becomes(stable[m]),
        stable[n].becomes(stable[m]),
        applied[n].becomes(stable[m]),
        transaction[n].becomes(NOTHING),
        every(o, TRUE, effect[n, o].becomes(kept[m, stable[m], o])),
        snapshots(n, s.is_(stable[m]), kept[m, stable[m], o]),
    ),
    load("QS2", is_active & (stable[m] > next_write[n]) & (stable[m] <= high_watermark[known_epoch[n]]), restarts(n)),
    about="A node that is behind gets the state of another as it was at a stable offset, in place of the records.",
    why={
        "QS1": "All of the state is replaced. The offset of a snapshot is exclusive: the record at it is not in the snapshot (Kafka: D4).",
        "QS2": "It is a fatal fault to load a snapshot while active.",
    },
)
