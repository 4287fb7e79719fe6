"""Properties of the ZooKeeper era about answered requests, and about state changes that are reported as done."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.model.language.vocabulary import *

from . import partitions as partition_machine
from . import replicas as replica_machine
from .operations import asked_epoch, target
from .outcomes import Outcome
from .partitions import PARTITIONS
from .properties import newest
from .reassignment import origins
from .replicas import REPLICAS
from .state import *
from .znodes import fenced


def ids(rows: Iterable[Row], *said: Outcome) -> tuple[str, ...]:
    """Return the ids of the rows that say one of these; of all rows, if nothing is asked for."""
    return tuple(row.id for row in rows if not said or any(row.say is literal(one) for one in said))


_FENCED = (Outcome.SESSION_EXPIRED, Outcome.EPOCH_MOVED)
MACHINES = (
    result_step(
        "ZI8d",
        next_(partition_state[c, p]).is_(partition_machine.to),
        "A change of a partition's state that is said to be done is done.",
        "S4:17-33",
        rows=ids(PARTITIONS.rows, Outcome.DONE),
    ),
    result_step(
        "ZI8e",
        next_(replica_state[c, p, r]).is_(replica_machine.to),
        "A change of a replica's state that is said to be done is done.",
        "S4:43-55",
        rows=ids(REPLICAS.rows, Outcome.DONE),
    ),
    result_step(
        "ZI8k",
        ~next_(due[c, p]) & (~next_(acting[c]) | next_(call[c]).is_(Call.IDLE) | next_(call[c]).is_(call[c])),
        "Every partition that a call is about is come to once, whatever becomes of it, and the call goes on.",
        "S4:57-124",
        rows=ids(PARTITIONS.rows),
    ),
    result_step(
        "ZI8l",
        ~r.in_(next_(due_replicas[c, p]))
        & forall(
            x,
            (x.in_(due_replicas[c, p]) & x.isnt(r)).implies(
                x.in_(next_(due_replicas[c, p])) | next_(call[c]).is_(Call.IDLE)
            ),
        ),
        "Every replica that a call is about is come to once, whatever becomes of it, and the others after it.",
        "S4:57-124",
        rows=ids(REPLICAS.rows),
    ),
    result_step(
        "ZI1f",
        fenced(c),
        "A write fails only where the session is gone, or another controller was elected.",
        "KAFKA-6082",
        rows=(
            *ids((*PARTITIONS.rows, *REPLICAS.rows), *_FENCED),
            *("ZC9v", "ZC9s", "ZC9m", "ZC5s", "ZC5m", "ZC5A1m", "ZC5B3m", "ZC5B6s", "ZC5B6m", "ZC10m"),
        ),
    ),
    result_step(
        "ZI1g",
        ~next_(acting[c]) | next_(call[c]).is_(Call.IDLE),
        "Who learns that another controller was elected stops what it is at.",
        "KAFKA-6082",
        rows=(
            *ids((*PARTITIONS.rows, *REPLICAS.rows), Outcome.EPOCH_MOVED),
            *("ZC9v", "ZC9m", "ZC5m", "ZC5A1m", "ZC5B3m", "ZC5B6m"),
        ),
    ),
)

_stays_listed = x.in_(replicas[p]) & ~x.in_(adding[p])
REASSIGNMENTS = (
    result_step(
        "ZI21",
        ~deleting[c, topic[p]] & ~empty(assigned[c, p]) & next_(about[c, p]) & next_(call[c]).is_(Call.ASSIGN),
        "A reassignment that is answered with NONE is begun, and is one of a partition that is there and not to be deleted.",
        "KIP-455",
        rows=("ZC5", "ZC5z", "ZC5c"),
    ),
    result_step(
        "ZI21n", next_(aim[c]).is_(target), "What is begun is what was asked for.", "S4:84", rows=("ZC5", "ZC5z")
    ),
    result_step(
        "ZI21l",
        ~empty(target)
        & forall(x, (x.in_(target) & ~x.in_(assigned[c, p])).implies(x.in_(live[c]) & ~x.in_(shutting_down[c]))),
        "A replica that a request adds is on a live broker that does not shut down.",
        "KIP-455",
        rows=("ZC5",),
    ),
    result_step(
        "ZI21c",
        next_(aim[c]).is_(origins(c, p)) & ~(empty(cached_adding[c, p]) & empty(cached_removing[c, p])),
        "A reassignment that is cancelled is under way, and goes back to the replicas from before.",
        "KIP-455",
        rows=("ZC5c",),
    ),
    result_step(
        "ZI21z",
        drop(next_(replicas[p]), next_(removing[p])).is_(target),
        "What a reassignment leads to can be read from ZooKeeper, order included.",
        "S4:85,106",
        rows=("ZC5U",),
    ),
    result_step(
        "ZI21o",
        forall(
            x,
            x.in_(next_(replicas[p])).is_(x.in_(target) | _stays_listed)
            & x.in_(next_(adding[p])).is_(x.in_(target) & ~_stays_listed)
            & x.in_(next_(removing[p])).is_(_stays_listed & ~x.in_(target)),
        ),
        "A reassignment lists its target beside the replicas from before, with who is added and who is removed.",
        "S4:85",
        rows=("ZC5U",),
    ),
)

_dies = exists_[p] & ~next_(exists_[p])
DELETIONS = (
    always(
        "ZI22",
        forall(c, forall(p, (newest(c) & deleting[c, topic[p]]).implies(queued[topic[p]]))),
        "The controller deletes only topics that are queued for it.",
        "TopicDeletionManager",
    ),
    result_step(
        "ZI22d",
        forall(p, _dies.implies(queued[topic[p]])),
        "A partition is deleted only if its topic is queued for deletion.",
        "TopicDeletionManager",
    ),
    result_step(
        "ZI22l",
        forall(q, topic[q].is_(t).implies(empty(assigned[c, q]) & ~next_(exists_[q]))) & ~next_(queued[t]),
        "The znodes of a topic go last, all of them: every replica has been deleted and forgotten.",
        "TopicDeletionManager",
        rows=("ZC9",),
    ),
    result_step(
        "ZI22q",
        forall(
            t,
            (queued[t] & ~next_(queued[t])).implies(
                forall(q, topic[q].is_(t).implies(~next_(exists_[q])))
                | exists(c, acting[c] & forall(q, topic[q].is_(t).implies(empty(assigned[c, q]))))
            ),
        ),
        "The wish to delete a topic is dropped only with the topic, or by a controller that has not heard of it.",
        "KafkaController.processTopicDeletion",
    ),
)

TERMS = (
    always(
        "ZI23",
        forall(c, elected.is_(some(c)).implies(session[c])),
        "The znode of the controller is there only while its session is.",
        "ZooKeeper",
    ),
    result_step(
        "ZI23e",
        forall(
            c,
            (~acting[c] & next_(acting[c])).implies(
                next_(elected).is_(some(c))
                & forall(d, elected.isnt(some(d)))
                & next_(controller_epoch).is_(controller_epoch + 1)
                & next_(own_epoch[c]).is_(next_(controller_epoch))
            ),
        ),
        "A node that becomes controller creates the znode, which was not there, and raises the controller epoch by one.",
        "S4:6",
    ),
    result_step(
        "ZI24",
        forall(
            c,
            forall(x, (x.in_(next_(live[c])) & ~x.in_(live[c])).implies(next_(known_epoch[c, x]).is_(broker_epoch[x]))),
        ),
        "A broker that becomes live is known by the epoch of its registration.",
        "KIP-380",
    ),
    result_step(
        "ZI10s",
        b.in_(live[c]) & (asked_epoch >= known_epoch[c, b]) & b.in_(next_(shutting_down[c])),
        "Only the process that is registered is put on its way out, and then it is: no other that asked before.",
        "KIP-380",
        rows=("ZC8a",),
    ),
)

BROKER_CLAIMS = (
    result_step(
        "ZI25",
        next_(applied[b, p]).is_(cached_leader_epoch[c, p])
        & next_(leads[b, p]).is_(cached_leader[c, p].is_(some(b)))
        & (next_(leads[b, p]) | next_(follows[b, p]).is_(cached_leader[c, p]))
        & next_(hosts[b, p]),
        "A broker that answers LeaderAndIsr with NONE has its log, and leads or follows in the leader epoch that it received.",
        "S4:22,38",
        rows=("LI4", "LI5"),
    ),
    result_step(
        "ZI25f",
        cached_leader[c, p].in_(sees[b]),
        "A broker follows only a leader that it knows to be live.",
        "KAFKA-4443",
        rows=("LI5",),
    ),
    result_step(
        "ZI25s",
        ~next_(leads[b, p]) & absent(next_(follows[b, p])),
        "A broker that answers StopReplica with NONE neither leads nor follows any more.",
        "S4:52",
        rows=("SR4", "SD4"),
    ),
    result_step(
        "ZI25d",
        ~next_(hosts[b, p]) & next_(applied[b, p]).is_(-1),
        "A broker that answers StopReplica with deletion with NONE has no log of the partition.",
        "S4:55",
        rows=("SD4",),
    ),
    result_step(
        "ZI25o",
        ~next_(leads[b, p]) & absent(next_(follows[b, p])) & next_(applied[b, p]).is_(applied[b, p]),
        "A broker whose directory is lost neither leads nor follows in what lies there, and takes no leader epoch.",
        "KIP-112",
        rows=("LI8", "SR5", "SD5"),
    ),
    result_step(
        "ZI25x",
        next_(leads[b, p]).is_(leads[b, p])
        & next_(applied[b, p]).is_(applied[b, p])
        & next_(heard[b]).is_(own_epoch[c]),
        "A broker that fails to do what LeaderAndIsr asks has heard of the controller, and goes on as it did.",
        "ReplicaManager.makeLeaders",
        rows=("LI7",),
    ),
    result_step(
        "ZI25u",
        next_(sees[b]).is_(live[c]) & ~b.in_(next_(informed[c])),
        "A broker that answers UpdateMetadata knows who is live.",
        "S4:22",
        rows=("UM3",),
    ),
)

ANSWERS: tuple[Property, ...] = (*MACHINES, *REASSIGNMENTS, *DELETIONS, *TERMS, *BROKER_CLAIMS)
