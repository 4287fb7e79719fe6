"""Topic deletion (ZC9): replicas go one by one; who is dead holds the topic back until it returns."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .operations import NOBODY, finish, pausing, ready, step_on
from .state import *
from .znodes import cut_off, inform, moved, nothing_assigned, online, resign

STARTED, SUCCESSFUL = ReplicaState.DELETION_STARTED, ReplicaState.DELETION_SUCCESSFUL


@definition
def some_replica(c: Term[Controller], t: Term[Topic], state: Term[ReplicaState]) -> Term[bool]:
    """Some replica of the topic is in the state."""
    return exists(q, exists(x, topic[q].is_(t) & x.in_(assigned[c, q]) & replica_state[c, q, x].is_(state)))


@definition
def all_deleted(c: Term[Controller], t: Term[Topic]) -> Term[bool]:
    """Every replica of the topic has been deleted."""
    return forall(
        q, forall(x, (topic[q].is_(t) & x.in_(assigned[c, q])).implies(replica_state[c, q, x].is_(SUCCESSFUL)))
    )


@definition
def deleted_on(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The brokers that have deleted their replica."""
    return those(x, replica_state[c, p, x].is_(SUCCESSFUL))


queue = event("QueueTopicDeletion", t, environment=True, source="code", code="AdminZkClient.deleteTopic")
take_up = event("TopicDeletion", c, t, environment=True, source="code", code="KafkaController.processTopicDeletion")
begin = event("ResumeDeletion", c, environment=True, source="code", code="TopicDeletionManager.resumeDeletions")
complete = event("CompleteDeletion", c, t, environment=True, source="code", code="TopicDeletionManager.resumeDeletions")
deleted = event(
    "ReplicaDeleted",
    c,
    p,
    b,
    environment=True,
    source="code",
    code="KafkaController.processTopicDeletionStopReplicaResponseReceived",
)
undeleted = event(
    "ReplicaNotDeleted", c, p, b, environment=True, source="code", code="TopicDeletionManager.failReplicaDeletion"
)
hold = event(
    "HoldDeletion", c, t, environment=True, source="code", code="TopicDeletionManager.markTopicIneligibleForDeletion"
)
release = event(
    "ReleaseDeletion", c, t, environment=True, source="code", code="TopicDeletionManager.resumeDeletionForTopics"
)
delete_znodes = event(
    "DeleteTopicZnodes",
    c,
    t,
    given=acting[c] & call[c].is_(Call.DELETE_ZNODES),
    environment=True,
    source="code",
    code="TopicDeletionManager.completeDeleteTopic",
)
retry = event(
    "RetryDeletion",
    c,
    t,
    environment=True,
    source="code",
    code="TopicDeletionManager.retryDeletionForIneligibleReplicas",
)
failed = let("failed", those(x, replica_state[c, q, x].is_(ReplicaState.DELETION_INELIGIBLE)))
able = let(
    "able", those(t, deleting[c, t] & ~ineligible[c, t] & ~all_deleted(c, t) & ~some_replica(c, t, literal(STARTED)))
)
of_topic = topic[q].is_(t)
unknown = let("unknown", forall(q, of_topic.implies(empty(assigned[c, q]))))

DELETION = table(
    "topic deletion",
    queue("TD1", ~queued[t] & exists(q, of_topic & exists_[q]), queued[t].becomes(TRUE)),
    take_up("ZC9v", ready(c) & session[c] & queued[t] & ~deleting[c, t] & unknown & moved(c), resign(c)),
    take_up("ZC9u", ready(c) & session[c] & queued[t] & ~deleting[c, t] & unknown, queued[t].becomes(FALSE)),
    take_up("ZC9a", ready(c) & session[c] & queued[t] & ~deleting[c, t], deleting[c, t].becomes(TRUE)),
    hold("ZC9h", acting[c] & deleting[c, t] & ~ineligible[c, t], ineligible[c, t].becomes(TRUE)),
    release("ZC9r", acting[c] & deleting[c, t] & ineligible[c, t], ineligible[c, t].becomes(FALSE)),
    complete("ZC9z", pausing(c) & deleting[c, t] & all_deleted(c, t),
          every(q, of_topic, about[c, q].becomes(TRUE), due_replicas[c, q].becomes(members(assigned[c, q]))), call[c].becomes(Call.DELETE_REPLICAS_GONE)),
    retry("ZC9q", pausing(c) & deleting[c, t] & ~some_replica(c, t, literal(STARTED)) & some_replica(c, t, literal(ReplicaState.DELETION_INELIGIBLE)),
          every(q, of_topic, due_replicas[c, q].becomes(members(assigned[c, q]) & failed)), call[c].becomes(Call.DELETE_RETRY)),
    step_on("ZC9p", call[c].is_(Call.DELETE_RETRY), finish(c)),
    begin("ZC9b", pausing(c) & ~empty(able),
          every(q, topic[q].in_(able) & ~empty(assigned[c, q]), about[c, q].becomes(TRUE), due[c, q].becomes(~partition_state[c, q].is_(PartitionState.NONEXISTENT))),
          call[c].becomes(Call.DELETE_OFFLINE)),
    step_on("ZC9c", call[c].is_(Call.DELETE_OFFLINE), call[c].becomes(Call.DELETE_GONE), every(q, about[c, q], due[c, q].becomes(~partition_state[c, q].is_(PartitionState.NONEXISTENT)))),
    step_on("ZC9d", call[c].is_(Call.DELETE_GONE), call[c].becomes(Call.DELETE_INELIGIBLE), inform(c),
            every(q, about[c, q], due_replicas[c, q].becomes(members(assigned[c, q]) - online(c, q)))),
    step_on("ZC9e", call[c].is_(Call.DELETE_INELIGIBLE), call[c].becomes(Call.DELETE_REPLICAS),
            every(q, about[c, q], due_replicas[c, q].becomes((members(assigned[c, q]) & online(c, q)) - deleted_on(c, q)))),
    step_on("ZC9f", call[c].is_(Call.DELETE_REPLICAS), call[c].becomes(Call.DELETE_STARTED),
            every(q, about[c, q], due_replicas[c, q].becomes((members(assigned[c, q]) & online(c, q)) - deleted_on(c, q)))),
    step_on("ZC9g", call[c].is_(Call.DELETE_STARTED), finish(c)),
    deleted("ZC9i", ready(c) & deleting[c, topic[p]], about[c, p].becomes(TRUE), due_replicas[c, p].becomes(just(b)), call[c].becomes(Call.DELETE_ANSWERED)),
    undeleted("ZC9j", ready(c) & deleting[c, topic[p]], about[c, p].becomes(TRUE), due_replicas[c, p].becomes(just(b)), call[c].becomes(Call.DELETE_FAILED)),
    step_on("ZC9k", call[c].is_(Call.DELETE_ANSWERED) | call[c].is_(Call.DELETE_FAILED), finish(c)),
    step_on("ZC9l", call[c].is_(Call.DELETE_REPLICAS_GONE), call[c].becomes(Call.DELETE_ZNODES)),
    delete_znodes("ZC9s", cut_off(c), finish(c)),
    delete_znodes("ZC9m", moved(c), resign(c)),
    delete_znodes("ZC9", exists(q, of_topic & about[c, q]),
        queued[t].becomes(FALSE), deleting[c, t].becomes(FALSE), ineligible[c, t].becomes(FALSE),
        every(q, of_topic,
              exists_[q].becomes(FALSE), gone[q].becomes(TRUE), replicas[q].becomes(nothing_assigned), stated[q].becomes(FALSE),
              assigned[c, q].becomes(nothing_assigned), knows[c, q].becomes(FALSE), cached_leader[c, q].becomes(None),
              cached_isr[c, q].becomes(NOBODY), cached_leader_epoch[c, q].becomes(-1), cached_version[c, q].becomes(-1),
              cached_adding[c, q].becomes(NOBODY), cached_removing[c, q].becomes(NOBODY),
              adding[q].becomes(NOBODY), removing[q].becomes(NOBODY)),
        finish(c)),
    mode="first match",
    about="A topic that is queued goes once all its replicas are deleted; progress is remembered by the controller only.",
    why={
        "ZC9b": "Partitions go first, so that no broker serves them; then the replicas, out of the ISR one by one.",
        "ZC9u": "The controller has not heard of the topic yet: the wish is dropped, not kept.",
        "ZC9h": "A replica is down, or a reassignment of the topic runs.",
    },
)  # fmt: skip
