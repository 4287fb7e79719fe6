"""A log that always grows, for K11: what else the controller appends, and how offsets are counted while it goes on.

A bound has finitely many offsets, so that nothing in it appends for ever. But no guard compares an offset with a number, only
with others: a batch that is older than what all brokers have read, and newer than their registrations, can be left out of the
count, and the tables go on as before. With such a row a bound has runs in which the log grows for ever. Both are tested
(`tests/museum/test_kip631_v2_busy.py`): that the row changes nothing else, and that a run which is found is one of the tables
themselves, where another topic is created wherever something is appended here.
"""

from __future__ import annotations

from fencepost.model.language import TRUE, LeadsTo, event, every, forall, leads_to, table

from .membership import appends
from .properties import ALIVE, LIVENESS
from .state import active, broker_epoch, committed, next_offset, own_offset, registered, x

append = event("AppendOther", environment=True, source="S2:22")
count = event("CountFromLater", environment=True, source="S2:22")
read_by_all = forall(x, registered[x] & (own_offset[x] > broker_epoch[x]))

BUSY = table(
    "a busy log",
    append("BL1", active, appends()),
    count(
        "BL2",
        read_by_all,
        next_offset.becomes(next_offset - 1),
        committed.becomes(committed - 1),
        every(x, TRUE, own_offset[x].becomes(own_offset[x] - 1)),
    ),
    about="What is appended for others than the broker that waits: topics, configurations, other brokers.",
    why={
        "BL1": "One more batch, which concerns no broker here.",
        "BL2": "A batch between the registrations and what all have read is left out of the count: no guard asks for it.",
    },
)

_asked = next(one for one in LIVENESS if one.id == "K11")
GROWING: LeadsTo = leads_to(
    "K11",
    _asked.trigger,
    _asked.goal,
    (*ALIVE, append.name, count.name),
    "A broker that heartbeats and wants to be fenced no more is unfenced, also while the log grows for ever.",
    "S2:59-60",
)
"""K11 of the runs in which the log goes on growing: fewer than those of which K11 itself speaks."""
