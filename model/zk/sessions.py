"""ZooKeeper sessions, the election of a controller, and brokers that register and vanish."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *
from .znodes import resign

_NEW, _ONLINE, _OFFLINE = (literal(one) for one in (PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE))
_REPLICA_ONLINE, _INELIGIBLE = literal(ReplicaState.ONLINE), literal(ReplicaState.DELETION_INELIGIBLE)

# -- sessions and the controllership -------------------------------------------------------------------------------------
living = those(x, alive[x])
expire = event("SessionExpired", c, environment=True, source="ZooKeeper")
establish = event("SessionEstablished", c, environment=True, source="ZooKeeper", code="KafkaController.Expire")
give_up = event("SessionTimedOut", c, environment=True, source="ZooKeeper")
crash = event("Crash", c, environment=True, source="S4:106")
notice = event("ControllerChange", c, environment=True, source="KAFKA-4447", code="KafkaController.maybeResign")
delete_controller = event("DeleteController", environment=True, source="operators")
elect = event("Elect", c, environment=True, source="S4:6,108-109,112", code="KafkaController.elect")
SESSIONS = table(
    "sessions and controllers",
    expire("SE1", session[c], session[c].becomes(FALSE), only_if(elected.is_(some(c)), elected.becomes(none_of(CONTROLLER)))),
    establish("SE2", ~session[c], session[c].becomes(TRUE), resign(c)),
    crash("SE3", acting[c], resign(c)),
    delete_controller("SE4", present(elected), elected.becomes(none_of(CONTROLLER))),
    give_up("SE5", elected.is_(some(c)) & ~acting[c], session[c].becomes(FALSE), elected.becomes(none_of(CONTROLLER))),
    notice("ZC0r", acting[c] & session[c] & elected.isnt(some(c)), resign(c)),
    elect(
        "ZC0",
        session[c] & ~acting[c] & absent(elected),
        elected.becomes(some(c)),
        controller_epoch.becomes(controller_epoch + 1),
        acting[c].becomes(TRUE),
        own_epoch[c].becomes(controller_epoch + 1),
        live[c].becomes(living),
        every(x, alive[x], known_epoch[c, x].becomes(broker_epoch[x])),
        every(t, queued[t], deleting[c, t].becomes(TRUE)),
        every(
            q,
            exists_[q],
            assigned[c, q].becomes(replicas[q]),
            cached_adding[c, q].becomes(adding[q]),
            cached_removing[c, q].becomes(removing[q]),
            knows[c, q].becomes(stated[q]),
            cached_leader[c, q].becomes(leader[q]),
            cached_isr[c, q].becomes(isr[q]),
            cached_leader_epoch[c, q].becomes(leader_epoch[q]),
            cached_version[c, q].becomes(version[q]),
            partition_state[c, q].becomes(
                when(
                    ~stated[q],
                    _NEW,
                    when(leader[q].in_(living), _ONLINE, _OFFLINE),
                )
            ),
            every(
                y,
                y.in_(replicas[q]),
                replica_state[c, q, y].becomes(when(alive[y], _REPLICA_ONLINE, _INELIGIBLE)),
            ),
            due_replicas[c, q].becomes(members(replicas[q]) & living),
        ),
        call[c].becomes(Call.OVER_ONLINE),
        informed[c].becomes(living),
    ),
    about="A candidate whose session is gone continues as a zombie until it has a new one, or is refused.",
    why={
        "ZC0": "One multi: /controller is created and /controller_epoch raised; from then on every write checks that version. "
        "Replicas of dead brokers begin as DeletionIneligible, deletion or not.",
        "SE1": "ZooKeeper drops /controller with the session; who holds it does not know.",
        "SE4": "How an operator moves the controller: the old one has its session and does not know.",
        "SE5": "Nothing keeps the session of a crashed process alive: unlike SE1 this must come to pass.",
        "SE3": "The process is gone; its session lasts until ZooKeeper gives it up.",
    },
)  # fmt: skip

# -- brokers -----------------------------------------------------------------------------------------------------------
czxid = CZXID.var("czxid")
register = event("RegisterBroker", b, czxid, given=czxid > broker_epoch[b], environment=True, source="KIP-380")
again = event("RegisterAgain", b, czxid, given=czxid > broker_epoch[b], environment=True, source="KIP-380")
vanish = event("BrokerGone", b, environment=True, source="S4:40")
BROKERS_TABLE = table(
    "brokers",
    register(
        "BR1", ~alive[b],
        alive[b].becomes(TRUE), broker_epoch[b].becomes(czxid), heard[b].becomes(0), sees[b].becomes(just(b)),
        every(p, TRUE, applied[b, p].becomes(-1), leads[b, p].becomes(FALSE), follows[b, p].becomes(None)),
    ),
    again("BR2", ~alive[b], alive[b].becomes(TRUE), broker_epoch[b].becomes(czxid)),
    vanish("BR3", alive[b], alive[b].becomes(FALSE)),
    about="A broker is what its ephemeral znode says; the znode's czxid distinguishes its incarnations.",
    why={"BR1": "A new process has applied nothing yet.", "BR2": "The same process, after its session expired."},
)  # fmt: skip
