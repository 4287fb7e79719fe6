"""Assumptions of the loop about Raft: elections, logs of leaders, commits, and when a node is notified."""

from __future__ import annotations

from fencepost.model.language import event, every, let, table, when
from fencepost.model.language.terms import Lit

from .state import *

RAFT_CLIENT = "KafkaRaftClient"

elect = event("Elect", n, d, at, environment=True, source="S3:11, KIP-595", code=RAFT_CLIENT)
hear = event("HearOfEpoch", n, e, environment=True, source="S3:168, KIP-595", code=RAFT_CLIENT)
raise_high_watermark = event("RaiseHighWatermark", at, environment=True, source="S3:77, KIP-595", code=RAFT_CLIENT)

_new = raft_epoch + 1
_committed = high_watermark[raft_epoch]
has_committed = let(
    "has_committed",
    (_committed <= at) & (_committed.is_(0) | log[d, _committed - 1].is_(log[raft_epoch, _committed - 1])),
    d,
    at,
)
"""The log that a leader begins with has the last committed record, and with it all before (QM3)."""

RAFT = table(
    "Raft",
    elect(
        "QR1",
        (d <= raft_epoch) & (at <= log_end[d]) & ends_batch(d, at) & has_committed,
        raft_epoch.becomes(_new),
        leader_of[_new].becomes(n),
        epoch_start[_new].becomes(at),
        log_end[_new].becomes(at),
        high_watermark[_new].becomes(high_watermark[raft_epoch]),
        every(
            o,
            o < at,
            log[_new, o].becomes(log[d, o]),
            log_kind[_new, o].becomes(log_kind[d, o]),
            undone_by[_new, o].becomes(when(undone_by[d, o] < at, undone_by[d, o], Lit(0, OFFSET))),
        ),
        every(s, s <= at, log_ends[_new, s].becomes(log_ends[d, s]), log_open[_new, s].becomes(log_open[d, s])),
    ),
    hear("QR2", (known_epoch[n] < e) & (e <= raft_epoch), known_epoch[n].becomes(e)),
    raise_high_watermark(
        "QR3",
        (high_watermark[raft_epoch] < at) & (at <= log_end[raft_epoch]) & ends_batch(raft_epoch, at),
        high_watermark[raft_epoch].becomes(at),
    ),
    about="A majority elects and commits; which majority is left open. Only the newest epoch commits, and batches are never cut.",
    why={
        "QR1": "The new leader's log is that of any earlier epoch, cut at the end of a batch: its uncommitted tail may be lost or kept.",
        "QR2": "A node may hear of an epoch late, or never: until then its Raft client takes what it appends.",
    },
)
