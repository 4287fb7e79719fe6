"""Properties of the ZooKeeper era about refusals, unchanged state, and the send queues."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .alter import from_epoch, wanted, wants_recovering
from .answers import ids
from .outcomes import Outcome
from .partitions import PARTITIONS
from .reassignment import unchanged
from .replicas import REPLICAS
from .state import *
from .written import ELECTIONS

_MACHINES = (*PARTITIONS.rows, *REPLICAS.rows)
_TAKEN_UP = (
    "ZC1a", "ZC4n", "ZC4b", "ZC4d", "ZC2l", "ZC2o", "ZC7a", "ZC7u", "ZC8a", "ZC5a", "ZC5b", "ZC5", "ZC5y", "ZC5z",
    "ZC5d", "ZC5e", "ZC5c", "ZC5r", "ZC9v", "ZC9u", "ZC9a", "ZC9i", "ZC9j", "ZC10b", "ZC10c", "ZC10d", "ZC10e", "ZC10f",
    "ZC10g", "ZC10h", "ZC10i", "ZC10j", "ZC10s", "ZC10m", "ZC10",
)  # fmt: skip
"""The rows that take up an event, with success or not."""
_replica = replica_state[c, q, x]
_its_replica = topic[q].is_(t) & x.in_(assigned[c, q])

REFUSALS: tuple[Property, ...] = (
    result_step(
        "ZI40",
        stated[p] & (written_in[p] > own_epoch[c]),
        "Who says that a newer controller wrote a state has read so in its znode.",
        "S4:24",
        rows=ids(_MACHINES, Outcome.NEWER_CONTROLLER),
    ),
    result_step(
        "ZI40w",
        stated[p] & (written_in[p] <= own_epoch[c]),
        "Where a newer controller wrote the state an older one does not try to write it.",
        "KAFKA-6082",
        rows=(
            "ZP3n", "ZP3h", "ZP3m", *ELECTIONS, "ZR4h", "ZR4m", "ZR4", "ZC5A1m", "ZC5A1", "ZC5B3m", "ZC5B3k",
        ),
    ),
    result_step(
        "ZI40s",
        session[c] & (own_epoch[c] < controller_epoch),
        "That another controller was elected is learnt from ZooKeeper, in a session.",
        "KAFKA-6082",
        rows=(
            *ids(_MACHINES, Outcome.EPOCH_MOVED),
            *("ZC9v", "ZC9m", "ZC5m", "ZC5A1m", "ZC5B3m", "ZC5B6m", "ZC10m"),
        ),
    ),
    result_step(
        "ZI41",
        acting[c] & call[c].is_(Call.IDLE) & empty(returning[c]),
        "The controller takes an event up, or refuses it, once it is done with the one before and with brokers that bounced.",
        "ControllerEventManager",
        rows=_TAKEN_UP,
    ),
    result_step(
        "ZI43",
        ~(empty(cached_adding[c, p]) & empty(cached_removing[c, p])),
        "Nothing else is said of a reassignment that is to be cancelled where there is none.",
        "KIP-455",
        rows=("ZC5e", "ZC5c"),
    ),
    result_step(
        "ZI43k",
        ~unchanged,
        "An assignment that is already stored is not written again.",
        "KIP-455",
        rows=("ZC5s", "ZC5m", "ZC5U"),
    ),
    result_step(
        "ZI44",
        wants_recovering & (~recovering[p] | exists(x, exists(y, x.in_(wanted) & y.in_(wanted) & x.isnt(y)))),
        "Only a leader that has recovered, or that takes others in, is forbidden to say that it recovers.",
        "KIP-704",
        rows=("ZC10h", "ZC10i"),
    ),
    result_step(
        "ZI44l",
        cached_leader[c, p].isnt(b),
        "A broker that receives a LeaderAndIsr naming it leader leads, whichever brokers it knows to be live.",
        "S4:22",
        rows=("LI6", "LI5"),
    ),
    result_step(
        "ZI44b",
        b.in_(live[c]) & from_epoch.is_(known_epoch[c, b]),
        "An AlterPartition from a broker that the controller does not know under that epoch is answered with that, whatever it asks.",
        "KIP-497",
        rows=("ZC10c", "ZC10d", "ZC10e", "ZC10f", "ZC10g", "ZC10h", "ZC10i", "ZC10j", "ZC10s", "ZC10m", "ZC10"),
    ),
    result_step(
        "ZI45",
        exists(q, topic[q].is_(t) & ~empty(assigned[c, q])),
        "The controller takes up the deletion of a topic that it knows.",
        "KafkaController.processTopicDeletion",
        rows=("ZC9a",),
    ),
    result_step(
        "ZI45b",
        forall(
            t,
            exists(q, topic[q].is_(t) & ~about[c, q] & next_(about[c, q])).implies(
                exists(q, exists(x, _its_replica & _replica.isnt(ReplicaState.DELETION_SUCCESSFUL)))
                & forall(q, forall(x, _its_replica.implies(_replica.isnt(ReplicaState.DELETION_STARTED))))
            ),
        ),
        "A deletion that is under way, or done, is not begun again.",
        "TopicDeletionManager",
        rows=("ZC9b",),
    ),
)  # fmt: skip

STAYS: tuple[Property, ...] = (
    always(
        "ZI42",
        forall(c, acting[c] | (empty(live[c]) & empty(shutting_down[c]) & empty(returning[c]))),
        "Who is not the controller knows of no brokers.",
        "KafkaController.onControllerResignation",
    ),
    always(
        "ZI42q",
        forall(
            c,
            acting[c]
            | (empty(informed[c]) & forall(p, empty(told[c, p]) & empty(stopped[c, p]) & empty(erased[c, p]))),
        ),
        "Who is not the controller has nothing to send.",
        "KafkaController.onControllerResignation",
    ),
    result_step(
        "ZI46",
        forall(d, (elected.is_(some(d)) & next_(elected).isnt(some(d))).implies(~next_(session[d]))),
        "A controller loses its znode with its session, or because an operator deletes it.",
        "ZooKeeper",
        except_rows={"SE4": "an operator deletes the znode"},
    ),
    result_step(
        "ZI47",
        next_(heard[b]).is_(0)
        & next_(sees[b]).is_(just(b))
        & forall(p, next_(applied[b, p]).is_(-1) & ~next_(leads[b, p]) & absent(next_(follows[b, p]))),
        "A process that starts has heard of no controller, and leads and follows nothing.",
        "S4:78",
        rows=("BR1",),
    ),
    result_step(
        "ZI47h",
        next_(heard[b]).is_(own_epoch[c]),
        "A broker remembers the controller epoch of what it obeyed.",
        "ReplicaManager.becomeLeaderOrFollower",
        rows=("LI3", "LI4", "LI5", "LI6", "SR3", "SR4", "SD3", "SD4", "UM3"),
    ),
    result_step(
        "ZI48",
        forall(
            c,
            forall(
                x,
                (next_(acting[c]) & x.in_(live[c]) & x.in_(next_(live[c]))).implies(
                    next_(known_epoch[c, x]).is_(known_epoch[c, x])
                ),
            ),
        ),
        "A broker that is live is known by one epoch until it is failed, so that a bounce is noticed.",
        "KIP-380",
    ),
    lemma(
        "ZL60",
        forall(c, forall(x, ~(x.in_(returning[c]) & x.in_(live[c])))),
        "For ZI48: who bounced is not live until it is started up.",
    ),
    always(
        "ZI48l",
        forall(c, forall(p, lost[c, p] <= live[c])),
        "Replicas in failed directories are known of live brokers only: a broker that comes back has all of them.",
        "KIP-112",
    ),
    result_step(
        "ZI49",
        forall(
            q,
            (
                next_(resumed[c, q]).is_(resumed[c, q])
                | exists(x, x.in_(subjects[c]) & (x.in_(cached_adding[c, q]) | x.in_(assigned[c, q])))
            ),
        ),
        "No reassignment is taken up again but those with a replica on brokers that started.",
        "S4:81",
        rows=("ZC3c",),
    ),
)

QUEUES: tuple[Property, ...] = (
    result_step(
        "ZI50",
        forall(x, x.in_(next_(told[c, p])).is_(x.in_(told[c, p]) & x.isnt(b))),
        "LeaderAndIsr is answered once, and waits for the others.",
        "ControllerChannelManager",
        rows=("LI1", "LI2", "LI3", "LI4", "LI5", "LI6"),
    ),
    result_step(
        "ZI50s",
        forall(x, x.in_(next_(stopped[c, p])).is_(x.in_(stopped[c, p]) & x.isnt(b))),
        "StopReplica is answered once, and waits for the others.",
        "ControllerChannelManager",
        rows=("SR1", "SR2", "SR3", "SR4"),
    ),
    result_step(
        "ZI50e",
        forall(x, x.in_(next_(erased[c, p])).is_(x.in_(erased[c, p]) & x.isnt(b))),
        "StopReplica with deletion is answered once, and waits for the others.",
        "ControllerChannelManager",
        rows=("SD1", "SD2", "SD3", "SD4"),
    ),
    result_step(
        "ZI50u",
        forall(x, x.in_(next_(informed[c])).is_(x.in_(informed[c]) & x.isnt(b))),
        "UpdateMetadata is answered once, and waits for the others.",
        "ControllerChannelManager",
        rows=("UM1", "UM2", "UM3"),
    ),
    result_step(
        "ZI51",
        (informed[c] <= next_(informed[c]))
        & forall(
            q,
            (told[c, q] <= next_(told[c, q]))
            & (stopped[c, q] <= next_(stopped[c, q]))
            & (erased[c, q] <= next_(erased[c, q])),
        ),
        "What waits in the send queues waits on when more is put there.",
        "ControllerChannelManager",
        rows=(
            "ZP2", *ELECTIONS, "ZR1", "ZR3", "ZR4k", "ZR4s", "ZR4x", "ZR4c", "ZR4i", "ZR4", "ZR5", "ZC2e", "ZC5A1", "ZC5B3k",
            "ZC5B8", "ZC9d", "ZC10",
        ),
    ),
)  # fmt: skip

KEPT: tuple[Property, ...] = (*REFUSALS, *STAYS, *QUEUES)
