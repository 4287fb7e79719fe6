"""Partitions in KRaft: the leader's AlterPartition requests, elections, creation and deletion of topics."""

from __future__ import annotations

from fencepost.model.language import (
    BOOL,
    TRUE,
    ascending,
    event,
    every,
    exists,
    first,
    forall,
    head,
    keep,
    let,
    literal,
    members,
    next_,
    nobody,
    one_of,
    only_if,
    present,
    repeats,
    set_of,
    table,
    together,
    when,
)
from fencepost.model.language.terms import Lit

from .answers import Error
from .builder import Election, change, changed
from .cluster_records import CONFIG, TOPIC_MIN_INSYNC, TOPIC_UNCLEAN
from .records import (
    CLEAR_ELR,
    ISR,
    PARTITION_RECORD,
    RECOVERY,
    REMOVE_TOPIC,
    TOPIC_RECORD,
    level_at,
)
from .state import (
    BROKER,
    NAME,
    OFFSET,
    SIZE,
    Recovery,
    about,
    active,
    asked,
    asks,
    b,
    elr_on,
    epoch,
    exists_,
    fenced,
    formatted,
    from_,
    from_epoch,
    from_leader_epoch,
    from_partition_epoch,
    ics,
    index,
    isr,
    leader,
    leader_epoch,
    live,
    m,
    member_epoch,
    name,
    p,
    partition_epoch,
    placed,
    recovery,
    registered,
    replicas,
    s,
    sent,
    t,
    topic,
    u,
    wanted,
    wanted_recovery,
    x,
)

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
        wanted[m]: (ISR.over(isr[p]), isr[p]),
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
    alter("A14", TRUE, change(p, wanted[m], active, target_recovery=wanted_recovery[m]),
                                                 say=when(taken_away, literal(Error.NEW_LEADER_ELECTED), literal(Error.NONE))),
    mode="first match",
    about="The leader of a partition proposes another ISR. A request may be late: it says under which epochs it was sent.",
    why={
        "A4": "The leader is ahead of this controller, which must have been replaced (museum Z23).",
        "A11": "Asks the request's recovery state, not the stored one.",
        "A13": "Members are named with their epochs, so that a restarted replica does not come in unseen (KIP-903).",
        "A14": "A change that takes the leadership away is written, and the sender is told that it leads no more (P25).",
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

# -- elections -------------------------------------------------------------------------------------------
elect = event("ElectPreferred", p, source="S3:268-276", code="ReplicationControlManager.electLeaders")
balance = event(
    "Balance", p, environment=True, source="S3:268-276", code="ReplicationControlManager.maybeBalancePartitionLeaders"
)
led_by_first = let("led_by_preferred", present(leader[p]) & head(replicas[p]).is_(leader[p]))
prefer = change(p, isr[p], active, election=literal(Election.PREFERRED))
ELECTIONS = table(
    "elections",
    elect("EL1", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    elect("EL2", exists_[p] & led_by_first, say=Error.ELECTION_NOT_NEEDED),
    elect("EL3", exists_[p] & ~led_by_first, prefer, say=Error.NONE),
    balance("BA1", exists_[p] & ~led_by_first, prefer),
    about="Somebody asks for the preferred leader, or the controller balances by itself.",
    why={"EL3": "A leaderless partition may get another leader than the preferred one (D18)."},
)

# -- topics ---------------------------------------------------------------------------------------------
n = NAME.var("n")
smallest, has_smallest = SIZE.var("min_insync"), BOOL.var("has_min_insync")
allows, has_allows = BOOL.var("unclean"), BOOL.var("has_unclean")
create = event(
    "CreateTopic", t, n, has_smallest, smallest, has_allows, allows,
    given=formatted,
    clues={
        placed[p]: (PARTITION_RECORD.field("replicas"),),
        asked[s]: (CONFIG.field("value"),),
    },
    source="S3:198-203, S3:264-266", code="ReplicationControlManager.createTopic",
)  # fmt: skip
delete = event("DeleteTopic", t, source="S3:198-203, S3:264-266", code="ReplicationControlManager.deleteTopic")
name_taken = let("name_taken", exists(u, live[u] & name[u].is_(n)))
hosted = let("hosted", forall(p, topic[p].is_(t).implies(exists(x, x.in_(placed[p]) & x.in_(active)))))
TOPICS = table(
    "topics",
    create("CT1", live[t] | name_taken, say=Error.TOPIC_ALREADY_EXISTS),
    create("CT2", ~live[t] & ~name_taken & ~hosted, say=Error.INVALID_REPLICATION_FACTOR),
    create(
        "CT3",
        ~live[t] & ~name_taken & hosted,
        TOPIC_RECORD(t, name=n),
        together(
            only_if(has_smallest, TOPIC_MIN_INSYNC(n, value=smallest)),
            only_if(has_allows, TOPIC_UNCLEAN(n, value=allows)),
            every(s, asks[s], CONFIG(s, resource=n, value=asked[s])),
        ),
        only_if(has_smallest & elr_on, CLEAR_ELR(n)),
        every(
            p,
            topic[p].is_(t),
            PARTITION_RECORD(
                p,
                topic=t,
                index=index[p],
                replicas=placed[p],
                isr=keep(placed[p], active),
                removing=nobody(BROKER),
                adding=nobody(BROKER),
                leader=first(placed[p], active),
                leader_epoch=level_at(0),
                partition_epoch=level_at(0),
            ),
        ),
        say=Error.NONE,
    ),
    delete("DT1", ~live[t], say=Error.UNKNOWN_TOPIC_ID),
    delete("DT2", live[t], REMOVE_TOPIC(t), say=Error.NONE),
    about="Topics come and go. A fenced replica is placed, but is not in sync.",
    why={"CT3": "Only active replicas are in the first ISR (museum K3)."},
)
