"""Frame properties of KRaft's events: the entities that an event leaves unchanged, and what is remembered of a request."""

from __future__ import annotations

from fencepost.model.language import AT_RESULT_BOUNDARIES, forall, members, next_, step

from .configurations import min_asked, unclean_asked
from .membership_properties import HEARTBEATS
from .partitions import proposal
from .state import *
from .topics import n

_untouched = next_(partition_epoch[p]).is_(partition_epoch[p])
_RETREATS = ("R2", "HB1", "HB4", "HB5", "HB6", "HB7", "HB10", "F1", "F2")

PROPERTIES = (
    step(
        "P40",
        forall(p, (exists_[p] & ~b.in_(isr[p])).implies(_untouched)),
        "A broker that is fenced, shuts down, or starts anew after a clean stop, changes only partitions in whose ISR it was.",
        "S3:236-248",
        scope=AT_RESULT_BOUNDARIES,
        rows=_RETREATS,
    ),
    step(
        "P41",
        members(next_(wanted[m])).is_(proposal)
        & forall(x, x.in_(proposal).implies(next_(member_epoch[m, x]).is_(epoch[x]))),
        "A proposal on its way names whom its leader proposed, each with the broker epoch that the leader knew.",
        "KIP-903",
        scope=AT_RESULT_BOUNDARIES,
        rows=("LP1",),
    ),
    step(
        "B20",
        next_(contact[b]).is_(Contact.RECENT),
        "Every heartbeat that is not refused renews its broker's session.",
        "S2:59-65, S3:246",
        scope=AT_RESULT_BOUNDARIES,
        rows=HEARTBEATS,
    ),
    step(
        "C21",
        forall(s, (resource_type[s].isnt(2) | resource[s].isnt(n)).implies(next_(setting[s]).is_(setting[s])))
        & forall(
            t,
            live[t].implies(
                next_(own_min_insync[t]).is_(own_min_insync[t]) & next_(own_unclean[t]).is_(own_unclean[t])
            ),
        ),
        "A new topic brings configurations of its own, and no others change.",
        "S3:198-203",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CT3",),
    ),
    step(
        "C22",
        forall(s, (resource_type[s].isnt(4) | key[s].isnt(min_insync_key)).implies(next_(setting[s]).is_(setting[s]))),
        "Switching on eligible leader replicas takes no configuration away but the brokers' min.insync.replicas.",
        "S3:252-258",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about the switch; other rows write the configuration that is asked for, or a topic's goes with it",
        rows=("FE7",),
    ),
    step(
        "C23",
        forall(
            t,
            forall(
                n,
                (live[t] & name[t].is_(n)).implies(
                    (~min_asked[n]).implies(next_(own_min_insync[t]).is_(own_min_insync[t]))
                    & (~unclean_asked[n]).implies(next_(own_unclean[t]).is_(own_unclean[t]))
                ),
            ),
        ),
        "A request with several values leaves the topics alone of which it says nothing.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about a request with several values; others name one topic, or a topic begins or ends",
        rows=("CM1",),
    ),
    step(
        "L29",
        ~next_(in_transaction),
        "A controller that completes its activation leaves no transaction open.",
        "S3:166-173",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about activations that are complete; AC4 begins the bootstrap anew in a transaction",
        rows=("AC1", "AC3"),
    ),
)
