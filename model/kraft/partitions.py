"""AlterPartition in KRaft: the leader of a partition proposes another ISR."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .builder import change, changed
from .records import ISR, RECOVERY
from .state import *

# -- AlterPartition --------------------------------------------------------------------------------------
proposal = set_of(BROKER).var("proposal")
recovered = let("recovered", wanted_recovery[m].is_(Recovery.RECOVERED))
ineligible = let(
    "ineligible_member",
    exists(
        x,
        x.in_(wanted[m])
        & (~registered[x] | ics[x] | fenced[x] | (member_epoch[m, x].isnt(-1) & member_epoch[m, x].isnt(epoch[x]))),
    ),
)
stale_sender = let("stale_sender", ~registered[b] | from_epoch[m].isnt(epoch[b]))
others = let("others_in_isr", exists(x, x.in_(wanted[m]) & x.isnt(b)))
answered = one_of(Error).var("answer")
outcome = changed(p, wanted[m], wanted_recovery[m])
taken_away = let("taken_away", outcome.leader_said & outcome.leader.isnt(b))

no_check = Lit(-1, OFFSET)
propose = event(
    "ProposeIsr", m, b, p, proposal, environment=True, source="Partition.scala", code="Partition.submitAlterPartition"
)
alter = event(
    "AlterPartition", m, b, p,
    given=sent[m] & from_[m].is_(b) & about[m].is_(p),
    clues={
        # A completed reassignment has taken the removed replicas out of what was proposed.
        wanted[m]: (
            ISR.over(isr[p]),
            isr[p],
            then(ISR.over(isr[p]), ascending(removing[p] & members(isr[p]))),
            then(ISR.over(isr[p]), only(leader[p])),
        ),
        wanted_recovery[m]: (RECOVERY.over(recovery[p]),),
        from_[m]: (leader[p],),
    },
    reply={
        "whole_request": answered.is_(Error.STALE_BROKER_EPOCH),
        "leader": next_(leader[p]),
        "leader_epoch": next_(leader_epoch[p]),
        "isr": next_(isr[p]),
        "recovery": next_(recovery[p]),
        "partition_epoch": next_(partition_epoch[p]),
    },
    source="S3:218-220", code="ReplicationControlManager.alterPartition",
)  # fmt: skip
ALTER_PARTITION = table(
    "AlterPartition",
    alter("A1",  stale_sender,                                              say=Error.STALE_BROKER_EPOCH),
    alter("A2",  ~live[topic[p]],                                           say=Error.UNKNOWN_TOPIC_ID),
    alter("A3",  ~exists_[p],                                               say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter("A4",  from_leader_epoch[m] > leader_epoch[p],                    say=Error.NOT_CONTROLLER),
    alter("A5",  from_partition_epoch[m] > partition_epoch[p],              say=Error.NOT_CONTROLLER),
    alter("A6",  from_leader_epoch[m] < leader_epoch[p],                    say=Error.FENCED_LEADER_EPOCH),
    alter("A7",  leader[p].isnt(b),                                         say=Error.INVALID_REQUEST),
    alter("A8",  from_partition_epoch[m] < partition_epoch[p],              say=Error.INVALID_UPDATE_VERSION),
    alter("A9",  ~(members(wanted[m]) <= members(replicas[p])) | repeats(wanted[m]), say=Error.INVALID_REQUEST),
    alter("A10", ~leader[p].in_(wanted[m]),                                 say=Error.INVALID_REQUEST),
    alter("A11", ~recovered & others,                                       say=Error.INVALID_REQUEST),
    alter("A12", ~recovered & recovery[p].is_(Recovery.RECOVERED),          say=Error.INVALID_REQUEST),
    alter("A13", ineligible,                                                say=Error.INELIGIBLE_REPLICA),
    alter("A14", TRUE, change(p, wanted[m], electable(p), target_recovery=wanted_recovery[m]),
                                                 say=when(taken_away, literal(Error.NEW_LEADER_ELECTED), literal(Error.NONE))),
    mode="first match",
    total=True,
    about="The leader of a partition proposes another ISR. A request may be late: it says under which epochs it was sent.",
    why={
        "A4": "The leader is ahead of this controller, which must have been replaced (museum Z23).",
        "A11": "Asks the request's recovery state, not the stored one.",
        "A13": "Members are named with their epochs, so that a restarted replica does not come in unseen (KIP-903).",
        "A14": "A change that takes the leadership away is written, and the sender is answered that it no longer leads (P25).",
    },
)  # fmt: skip
LEADERS = table(
    "partition leaders",
    propose(
        "LP1",
        exists_[p] & leader[p].is_(b) & b.in_(proposal) & (proposal <= members(replicas[p])),
        sent[m].becomes(TRUE),
        from_[m].becomes(b),
        from_epoch[m].becomes(epoch[b]),
        about[m].becomes(p),
        from_leader_epoch[m].becomes(leader_epoch[p]),
        from_partition_epoch[m].becomes(partition_epoch[p]),
        wanted[m].becomes(ascending(proposal)),
        every(x, TRUE, member_epoch[m, x].becomes(when(x.in_(proposal), epoch[x], no_check))),
        wanted_recovery[m].becomes(Recovery.RECOVERED),
    ),
    about="What a leader sends; a slot that is used again is a request that was lost.",
)
