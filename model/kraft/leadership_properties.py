"""Further properties of ISR membership, elections, eligibility, and the creation of partitions."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .directories import BOTH_PARTS, dirs
from .more_properties import FORGETTING, STOPPED_UNCLEANLY, ended, recovers
from .more_properties import stays as there
from .outdated import UNFENCING
from .state import *

stays = there & next_(undisturbed(p))
"""A partition before and after, of which no record was computed from an outdated state (D26, D34)."""
_stays = there & ~next_(outdated[p])
"""The same, where it does not count what a heartbeat does that reports failed directories (D34)."""
_joins = let("joins_isr", stays & next_(x.in_(isr[p])) & ~x.in_(isr[p]))
_proposed = let(
    "proposed",
    exists(
        m,
        sent[m]
        & about[m].is_(p)
        & from_[m].is_(leader[p])
        & from_leader_epoch[m].is_(leader_epoch[p])
        & from_partition_epoch[m].is_(partition_epoch[p])
        & x.in_(wanted[m]),
    ),
)
_leads_alone = next_(isr[p]).is_(only(some(x))) & next_(leader[p]).is_(x)
_taken_back = let(
    "taken_back_uncleanly",
    ended & (members(isr[p]) <= adding[p]) & allows_unclean(topic[p]) & next_(isr[p]).is_(only(some(x))),
)
_newly = let("newly_led", _stays & next_(leader[p]).is_(x) & leader[p].isnt(some(x)))
_may_lead = let("may_lead", active_broker(x) & online(p, x))
_waits = let(
    "waits",
    exists_[p] & absent(leader[p]) & active_broker(x) & online(p, x) & (x.in_(isr[p]) | empty(isr[p]) & x.in_(elr[p])),
)
_begins = ~exists_[p] & next_(exists_[p])
_safe = x.in_(isr[p]) | x.in_(elr[p])
"""The broker may lead without loss of records."""

IN_SYNC = (
    step(
        "P29",
        forall(p, forall(x, _joins.implies(_proposed | _leads_alone & (x.in_(elr[p]) | recovers) | _taken_back))),
        "A broker joins an ISR only if its leader has proposed it under the current epochs, or as its only member: a leader "
        "that was eligible or recovers, or the one with whom a reassignment is taken back where unclean leaders are allowed.",
        "S3:347, KIP-966, KIP-704",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "P30",
        forall(p, forall(x, (stays & next_(x.in_(elr[p])) & ~x.in_(elr[p])).implies(x.in_(isr[p])))),
        "Only members of the ISR become eligible leader replicas.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "P31",
        forall(p, (stays & elr_on).implies(~next_(b.in_(isr[p])) & ~next_(b.in_(elr[p])))),
        "A broker that comes back after an unclean stop is in no ISR and no eligible leader replica.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R1", "R2u"),
    ),
)
_new_minimum: Term[Any] = lesser(next_(min_insync_of(topic[p])), replication[topic[p]])
_old_minimum: Term[Any] = min_isr(p)
_eligible_still = (stays & elr_on & _safe & next_(x.in_(replicas[p])) & ~recovers).implies(
    next_(_safe) | at_least(next_(members(isr[p])), _old_minimum) | at_least(next_(members(isr[p])), _new_minimum)
)
ELECTIONS = (
    step(
        "P32",
        forall(
            p,
            forall(x, _newly.implies(next_(registered[x] & ~fenced[x] & online(p, x)) & (next_(~ics[x]) | fenced[x]))),
        ),
        "A newly elected leader is active and online in its directory; only a broker that is unfenced just now may be in a "
        "controlled shutdown (D11).",
        "PartitionChangeBuilder.isValidNewLeader, KIP-858",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D34",
        by=UNFENCING,
    ),
    step(
        "P34",
        forall(
            p,
            forall(
                x,
                (
                    stays
                    & next_(_waits)
                    & next_(directories[x]).is_(directories[x])
                    & next_(location[p, x]).is_(location[p, x])
                ).implies(_waits),
            ),
        ),
        "Nothing leaves a partition without a leader while one could be elected cleanly, unless that one's directories change.",
        "ReplicationControlManager.handleBrokerUnfenced",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D12",
        by=("OD4",),
    ),
    step(
        "P35",
        forall(p, forall(x, _eligible_still)),
        "Who leaves an ISR that is then below min.insync.replicas stays eligible, and so does who was eligible, until enough are in sync.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D33",
        by=FORGETTING,
        except_rows=STOPPED_UNCLEANLY,
    ),
    step(
        "P35u",
        forall(p, forall(x, x.isnt(b).implies(_eligible_still))),
        "A broker that comes back after an unclean stop makes no other broker ineligible.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
        rows=tuple(STOPPED_UNCLEANLY),
    ),
    step(
        "P36",
        forall(
            p,
            (_stays & location[p, b].in_(directories[b] & dirs) & next_(present(leader[p]))).implies(
                ~next_(b.in_(isr[p]))
            )
            & (
                _stays
                & present(leader[p])
                & b.in_(isr[p])
                & ~location[p, b].in_(directories[b] & dirs)
                & next_(active_broker(b))
            ).implies(next_(b.in_(isr[p]))),
        ),
        "A broker whose directory has failed leaves the ISR of every partition there, unless it is leaderless, and of no other "
        "that has a leader, as long as it is active.",
        "7.6, KIP-858",
        scope=AT_RESULT_BOUNDARIES,
        rows=("OD3", "OD4", *BOTH_PARTS),
        expected="violated",
        finding="D34",
        by=UNFENCING,
    ),
    step(
        "P38",
        next_(present(leader[p])) | forall(x, next_(x.in_(replicas[p])).implies(~_may_lead)),
        "An unclean election that is due, or asked for, gives a leader wherever a replica could lead.",
        "S3:268-276",
        scope=AT_RESULT_BOUNDARIES,
        rows=("UE1", "EU3"),
    ),
    step(
        "P39",
        forall(x, (next_(head(replicas[p])).is_(x) & x.in_(isr[p]) & _may_lead).implies(next_(leader[p]).is_(x))),
        "The preferred replica leads after a preferred election, if it is in sync and could lead.",
        "S3:211",
        scope=AT_RESULT_BOUNDARIES,
        rows=("EL3", "BA1"),
    ),
)

_where = next_(location[p, x])
BEGINNINGS = (
    step(
        "P33",
        forall(
            p,
            _begins.implies(
                next_(
                    leader_epoch[p].is_(0)
                    & partition_epoch[p].is_(0)
                    & present(leader[p])
                    & leader[p].is_(first(replicas[p], active))
                    & isr[p].is_(keep(replicas[p], active))
                    & recovery[p].is_(Recovery.RECOVERED)
                    & (removing[p] | adding[p] | elr[p]).is_(nobody(BROKER))
                    & empty(last_known[p])
                )
            ),
        ),
        "A partition begins at leader epoch 0 and partition epoch 0: its active replicas are in sync, and the first of them leads.",
        "S3:266, ReplicationControlManager.buildPartitionRegistration",
    ),
    step(
        "P37",
        forall(
            p,
            forall(
                x,
                (next_(exists_[p] & x.in_(replicas[p])) & ~(exists_[p] & x.in_(replicas[p]))).implies(
                    _where.is_(when(mv >= 17, default_directory(x), some(migrating)))
                ),
            ),
        ),
        "A new replica is in the only directory of its broker, UNASSIGNED where that has several, and counts as migrating "
        "where the broker reports none.",
        "KIP-858, 7.12",
        scope=AT_RESULT_BOUNDARIES,
    ),
)
PROPERTIES = (*IN_SYNC, *ELECTIONS, *BEGINNINGS)
