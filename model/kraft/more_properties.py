"""Properties of reassignments, answers, topics, features and the indexes of the KRaft tables."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .partitions import taken_away
from .state import *

c = NODE.var("c")
NOBODY = nobody(BROKER)
stays = exists_[p] & next_(exists_[p])
ended = let(
    "reassignment_ended",
    (removing[p].isnt(NOBODY) | adding[p].isnt(NOBODY)) & next_(removing[p]).is_(NOBODY) & next_(adding[p]).is_(NOBODY),
)
_changed = stays & next_(partition_epoch[p]).isnt(partition_epoch[p])
# A leader that loses its leadership with the very proposal that ends its recovery leaves no mark on who is elected instead.
recovers = next_(recovery[p]).is_(Recovery.RECOVERING) | (
    recovery[p].is_(Recovery.RECOVERING) & present(leader[p]) & allows_unclean(topic[p])
)
STOPPED_UNCLEANLY = dict.fromkeys(("R1", "R2u"), "a broker that comes back after an unclean stop may have lost its log")
"""The rows that rightly take a broker from those that may lead, with the reason."""
FORGETTING = ("CF5", "CF14", "CF15", "CM1")
"""The rows that write ClearElr (D33)."""
_shrinks = ~at_least(adding[p], size_of(removing[p], SIZE))
_safe = (members(isr[p]) | elr[p]) & members(replicas[p])
_minimum, _new_minimum = min_insync_of(topic[p]), next_(min_insync_of(topic[p]))
_smaller_minimum: Term[Any] = lesser(lesser(_minimum, _new_minimum), replication[topic[p]])

REASSIGNMENTS = (
    always(
        "P13",
        forall(p, exists_[p].implies((adding[p] | removing[p]) <= members(replicas[p]))),
        "Who is being added or removed is a replica.",
        "PartitionReassignmentReplicas",
    ),
    always(
        "P13b",
        forall(p, exists_[p].implies((adding[p] & removing[p]).is_(NOBODY))),
        "No replica is being added and removed at once.",
        "PartitionReassignmentReplicas",
        expected="violated",
        finding="D14",
        by=("RA3",),
    ),
    step(
        "P14",
        (stays & ended).implies(
            next_(replicas[p]).is_(drop(replicas[p], removing[p]))
            & (adding[p] <= members(wanted[m]))
            & (_shrinks.implies(next_(members(replicas[p])) <= members(wanted[m])))
        ),
        "A reassignment that a proposal ends has the target as replicas, and every added replica is proposed; of a smaller "
        "target, every replica.",
        "KAFKA-15665, KAFKA-19975",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
    step(
        "P15",
        forall(
            p,
            (
                stays
                & (
                    ~(members(replicas[p]) <= next_(members(replicas[p])))
                    | (mv < 12) & ~(members(isr[p]) <= next_(members(isr[p])))
                )
            ).implies(next_(leader_epoch[p]).is_(leader_epoch[p] + 1)),
        ),
        "When a replica leaves, the leader epoch rises; before 3.6-IV0 also when one leaves the ISR.",
        "PartitionChangeBuilder",
    ),
    step(
        "P21",
        next_(members(isr[p])) <= members(wanted[m]) | just(next_(leader[p])),
        "A proposal adds no broker to the ISR that the leader did not propose.",
        "S2:94",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
    step(
        "P21r",
        next_(members(isr[p])) <= members(isr[p]) | just(next_(leader[p])),
        "A reassignment adds to the ISR only a leader that it elects.",
        "S2:94",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RA3", "RC5"),
    ),
    step(
        "P25",
        taken_away | next_(leader[p]).is_(b),
        "A proposal that is answered NONE leaves its sender the leader.",
        "S3:220, S3:333",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
    step(
        "P26",
        forall(
            p,
            (_changed & elr_on & next_(replicas[p]).is_(replicas[p]) & ~recovers).implies(
                at_least(
                    next_(_safe),
                    lesser(size_of(_safe, SIZE), lesser(_smaller_minimum, size_of(members(replicas[p]), SIZE))),
                )
            ),
        ),
        "No change but an unclean election leaves fewer replicas that may lead than there were, or than min.insync.replicas asks for.",
        "S3:216, S3:347",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D33",
        by=FORGETTING,
        except_rows=STOPPED_UNCLEANLY,
    ),
)
TOPICS_AND_INDEXES = (
    step(
        "P27",
        forall(
            p, (~exists_[p] & next_(exists_[p])).implies(forall(x, x.in_(next_(replicas[p])).implies(registered[x])))
        ),
        "A partition is created on registered brokers.",
        "ReplicationControlManager.createTopics",
    ),
    always(
        "P17",
        forall(
            t,
            present(name[t]).is_(live[t])
            & live[t].implies(forall(u, (live[u] & name[u].is_(name[t])).implies(u.is_(t)))),
        ),
        "A topic has a name from its creation to its deletion, and no two have the same.",
        "ReplicationControlManager.replay",
    ),
    always(
        "P18",
        forall(p, ~miscounted(p)),
        "The index of eligible leader replicas lists a partition once for each of them, and for no other broker.",
        "ReplicationControlManager.generateLeaderAndIsrUpdates",
        expected="violated",
        finding="D6",
        by=("CF5", "CF14", "CF15", "CM1"),
    ),
    always(
        "P18d",
        forall(p, forall(x, present(location[p, x]).implies(exists_[p]))),
        "The index of directories names no partition that is gone.",
        "ReplicationControlManager.replay",
        expected="violated",
        finding="D5",
        by=("DT2",),
    ),
)
CLUSTER = (
    always(
        "K7",
        forall(x, forall(f, (registered[x] & (finalized(f) >= 1)).implies(can_do(ranges[x], f, finalized(f))))),
        "Every registered broker can do every finalized feature level.",
        "S2:36, S3:254",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "K7c",
        forall(
            c,
            forall(
                f,
                (present(controller_incarnation[c]) & (finalized(f) >= 1)).implies(
                    can_do(controller_ranges[c], f, finalized(f))
                ),
            ),
        ),
        "Every registered controller can do every finalized feature level.",
        "S3:254",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="K7",
        by=("CR1", "AC1", "AC4"),
    ),
    step(
        "K8",
        ~leads(b)
        & forall(
            x, (registered[x] & ~soft_fenced[x] & (shutdown_offset[x] < 0)).implies(shutdown_offset[b] <= reported[x])
        ),
        "A broker that may go from its controlled shutdown leads nothing, and every active broker has read that.",
        "S3:244",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB10", "HD10", "HD10n"),
    ),
    always(
        "L9",
        in_transaction.implies(forall(p, ~exists_[p]) & forall(x, ~registered[x])),
        "There is only the bootstrap transaction: while one is open there is nothing yet that it could be about.",
        "S3:171-173",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "L10",
        next_(producer_ids_begun) & (~producer_ids_begun | (next_producer_id < next_(next_producer_id))),
        "Each block of producer ids begins above the one before, so that no two overlap; the first may begin at 0.",
        "ProducerIdControlManager",
        scope=AT_RESULT_BOUNDARIES,
        rows=("PI3",),
    ),
    step(
        "L11",
        ~formatted & next_(formatted),
        "The bootstrap records are written only where none have taken effect, and take effect.",
        "ActivationRecordsGenerator",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about the bootstrap; AC3 and AC4 end one that was cut, FE5 changes a level later",
        rows=("AC1",),
    ),
    step(
        "L11k",
        formatted.implies(next_(formatted)),
        "The bootstrap records take effect once: what they wrote is never taken back.",
        "ActivationRecordsGenerator",
        scope=AT_RESULT_BOUNDARIES,
    ),
)
MORE_PROPERTIES = (*REASSIGNMENTS, *TOPICS_AND_INDEXES, *CLUSTER)
