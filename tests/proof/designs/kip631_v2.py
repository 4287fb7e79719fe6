"""Edits of rows of KIP-631's second version, each with the claim beyond the first ones that alone notices it."""

from fencepost.model.kip631.v2.brokers import NO_LOGS, NOT_RUNNING, RECOVERY, STARTING, to
from fencepost.model.kip631.v2.membership import (
    NO_LEADER,
    appends,
    caught_up,
    chosen,
    may_go,
    told_that,
    want_fence,
    want_shutdown,
)
from fencepost.model.kip631.v2.partitions import NOBODY, merged, target
from fencepost.model.kip631.v2.records import FENCE_BROKER, PARTITION_CHANGE
from fencepost.model.kip631.v2.state import *
from fencepost.model.language import FALSE, every, exists, just, only_if, said

from .edits import Noticed, also, guarded, instead, removed, silent, unguarded

_others = exists(x, x.in_(isr[p]) & x.isnt(b))
_joined = (isr[p] | (replicas[p] & unfenced())) - just(b)
_leaves = leader[p].is_(b)

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "one row each": (
        Noticed("V2.1", "K14", unguarded("V2.1", ~want_fence)),
        Noticed(
            "V2.3",
            "P5",
            instead(
                "V2.3",
                every(
                    p,
                    b.in_(isr[p]) | _leaves,
                    PARTITION_CHANGE(
                        p, isr=said(_joined, if_=b.in_(isr[p]) & _others), leader=said(NO_LEADER, if_=_leaves)
                    ),
                ),
                FENCE_BROKER(b, epoch=broker_epoch[b]),
                appends(),
            ),
        ),
        Noticed(
            "BA1",
            "K16",
            also(
                "BA1",
                only_if(
                    active
                    & registered[b]
                    & own_epoch[b].is_(broker_epoch[b])
                    & recovered[b]
                    & (to >= broker_epoch[b])
                    & (now <= last_contact[b] + session),
                    fenced[b].becomes(FALSE),
                ),
            ),
        ),
        Noticed("V2.1n", "K18", instead("V2.1n", told_that(FALSE, may_go))),
        Noticed("V2.3r", "K19", silent("V2.3r", last_contact)),
        Noticed("V2.6", "K20", silent("V2.6", granted)),
        Noticed("V2.7", "K23", silent("V2.7", shutting_down)),
        Noticed("BS5", "K25", unguarded("BS5", recovered[b])),
        Noticed("BS7", "K26", silent("BS7", serving)),
        Noticed(
            "BA3",
            "K27",
            guarded("BA3", (own_offset[b] < to) & broker_state[b].isnt(STARTING) & broker_state[b].isnt(NOT_RUNNING)),
        ),
        Noticed("TR", "K28", unguarded("TR", removed_at[t].is_(-1))),
        Noticed(
            "BA2", "K29", guarded("BA2", (to <= committed) & (to >= broker_epoch[b]) & broker_state[b].is_(STARTING))
        ),
        Noticed("EL", "P9e", unguarded("EL", leader[p].isnt(chosen))),
        Noticed("V2.4", "P16", also("V2.4", every(p, _leaves, PARTITION_CHANGE(p, leader=NO_LEADER)), appends())),
        Noticed(
            "V2.8a",
            "P17",
            instead(
                "V2.8a",
                PARTITION_CHANGE(p, replicas=merged, adding=(target - replicas[p]) | (adding[p] & target)),
                appends(),
            ),
        ),
        Noticed("V2.8", "P17", instead("V2.8")),
        Noticed("AI2", "P5a", guarded("AI2", leader[p].isnt(b)), "AI5"),
    ),
    "others": (
        Noticed("V2.3", "K17", unguarded("V2.3", now > last_contact[b] + session)),
        Noticed("V2.6", "K21", silent("V2.6", shutting_down)),
        Noticed("V2.1", "K15", guarded("V2.1", fenced[b] & ~want_fence & caught_up & ~want_shutdown), "V2.1n"),
        Noticed("EL", "P15", unguarded("EL", ~shutting_down[chosen])),
    ),
    "another cluster": (
        Noticed("V2.6c", "K22", removed("V2.6c"), "V2.6"),
        Noticed("EL", "P18", instead("EL", PARTITION_CHANGE(p, leader=chosen, adding=NOBODY), appends())),
    ),
    "answers, the log, processes": (
        Noticed("AI1", "K30", removed("AI1"), "AI2"),
        Noticed("V2.7l", "K31", removed("V2.7l"), "V2.7c"),
        Noticed("BA1", "K37", silent("BA1", own_offset)),
        Noticed("V2.2", "K32", silent("V2.2", next_offset)),
        Noticed("BS3", "K33", instead("BS3", broker_state[b].becomes(RECOVERY), logs[b].becomes(NO_LOGS))),
        Noticed("BS4", "K34", unguarded("BS4", ~recovered[b])),
        Noticed("BS8", "K35", silent("BS8", told)),
        Noticed("TR", "K36", unguarded("TR", created_at[t] >= 0)),
    ),
    "a node that is not the controller": (Noticed("V2.5", "K24", removed("V2.5"), "V2.3r"),),
}
