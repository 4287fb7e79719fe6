"""Tables of brokers that handle requests of controllers: epochs first, then the leader epoch of each partition.

A request carries what its sender has cached when it arrives: requests of one controller arrive in order, and an older one
that is overtaken by a newer one changes nothing.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .outcomes import Error
from .state import *

old_controller = let("old_controller", own_epoch[c] < heard[b])
old_process = let("old_process", known_epoch[c, b] < broker_epoch[b])
drops_told = told[c, p].becomes(told[c, p] - just(b))
drops_stopped = stopped[c, p].becomes(stopped[c, p] - just(b))
drops_erased = erased[c, p].becomes(erased[c, p] - just(b))
hears = heard[b].becomes(own_epoch[c])
stops = (leads[b, p].becomes(FALSE), follows[b, p].becomes(None))

become = event(
    "LeaderAndIsr", c, b, p, given=b.in_(told[c, p]), source="KIP-380", code="ReplicaManager.becomeLeaderOrFollower"
)
stop = event("StopReplica", c, b, p, given=b.in_(stopped[c, p]), source="KIP-570", code="ReplicaManager.stopReplicas")
erase = event(
    "StopReplicaDelete", c, b, p, given=b.in_(erased[c, p]), source="KIP-570", code="ReplicaManager.stopReplicas"
)
update = event(
    "UpdateMetadata", c, b, given=b.in_(informed[c]), source="KIP-380", code="ReplicaManager.maybeUpdateMetadataCache"
)
older = let("older", (stop_epoch[c, p, b] >= 0) & (stop_epoch[c, p, b] < applied[b, p]))
accepts = ~old_process & ~old_controller
become_fails = event(
    "LeaderAndIsrFails", c, b, p,
    given=b.in_(told[c, p]) & accepts & (cached_leader_epoch[c, p] > applied[b, p]), environment=True,
    source="ZooKeeper", code="ReplicaManager.makeLeaders",
)  # fmt: skip
become_offline = event(
    "LeaderAndIsrOffline", c, b, p, given=b.in_(told[c, p]) & accepts, environment=True,
    source="KIP-112", code="ReplicaManager.becomeLeaderOrFollower",
)  # fmt: skip
stop_offline = event(
    "StopReplicaOffline", c, b, p, given=b.in_(stopped[c, p]) & accepts, environment=True,
    source="KIP-112", code="ReplicaManager.stopReplicas",
)  # fmt: skip
erase_offline = event(
    "StopReplicaDeleteOffline", c, b, p, given=b.in_(erased[c, p]) & accepts, environment=True,
    source="KIP-112", code="ReplicaManager.stopReplicas",
)  # fmt: skip
REQUESTS = table(
    "requests to brokers",
    become("LI2", old_process,                                       drops_told, say=Error.STALE_BROKER_EPOCH),
    become("LI1", old_controller,                                    drops_told, say=Error.STALE_CONTROLLER_EPOCH),
    become("LI3", cached_leader_epoch[c, p] <= applied[b, p],        drops_told, hears, say=Error.STALE_CONTROLLER_EPOCH),
    become("LI4", cached_leader[c, p].is_(b),                        drops_told, hears, applied[b, p].becomes(cached_leader_epoch[c, p]),
           leads[b, p].becomes(TRUE), follows[b, p].becomes(None), hosts[b, p].becomes(TRUE), say=Error.NONE, source="S4:22"),
    become("LI6", ~cached_leader[c, p].in_(sees[b]),                 drops_told, hears, hosts[b, p].becomes(TRUE), say=Error.NONE, source="KAFKA-4443"),
    become("LI5", TRUE,                                              drops_told, hears, applied[b, p].becomes(cached_leader_epoch[c, p]),
           leads[b, p].becomes(FALSE), follows[b, p].becomes(cached_leader[c, p]), hosts[b, p].becomes(TRUE), say=Error.NONE, source="S4:38"),
    stop("SR2", old_process,                                         drops_stopped, say=Error.STALE_BROKER_EPOCH),
    stop("SR1", old_controller,                                      drops_stopped, say=Error.STALE_CONTROLLER_EPOCH),
    stop("SR3", older,                                               drops_stopped, hears, say=Error.FENCED_LEADER_EPOCH),
    stop("SR4", TRUE,                                                drops_stopped, hears, stops, say=Error.NONE, source="S4:52"),
    erase("SD2", old_process,                                        drops_erased, say=Error.STALE_BROKER_EPOCH),
    erase("SD1", old_controller,                                     drops_erased, say=Error.STALE_CONTROLLER_EPOCH),
    erase("SD3", older,                                              drops_erased, hears, say=Error.FENCED_LEADER_EPOCH),
    erase("SD4", TRUE,                                               drops_erased, hears, stops, applied[b, p].becomes(-1), hosts[b, p].becomes(FALSE), say=Error.NONE, source="S4:55"),
    update("UM2", old_process,                                       informed[c].becomes(informed[c] - just(b)), say=Error.STALE_BROKER_EPOCH),
    update("UM1", old_controller,                                    informed[c].becomes(informed[c] - just(b)), say=Error.STALE_CONTROLLER_EPOCH),
    update("UM3", TRUE,                                              informed[c].becomes(informed[c] - just(b)), hears, sees[b].becomes(live[c]), say=Error.NONE, source="S4:22"),
    become_fails("LI7", TRUE,                                        drops_told, hears, say=Error.UNKNOWN_SERVER_ERROR),
    become_offline("LI8", TRUE,                                      drops_told, hears, stops, say=Error.KAFKA_STORAGE_ERROR),
    stop_offline("SR5", TRUE,                                        drops_stopped, hears, stops, say=Error.KAFKA_STORAGE_ERROR),
    erase_offline("SD5", TRUE,                                       drops_erased, hears, stops, say=Error.KAFKA_STORAGE_ERROR),
    mode="first match",
    total=True,
    about="A broker obeys the newest controller that it has heard of, and of a partition only the newest leader epoch.",
    why={
        "LI2": "The broker asks first whether it is meant: its own epoch, then the controller's.",
        "LI3": "Of this partition the broker has heard something as new already.",
        "LI6": "A broker that does not know the leader as live does not follow, and keeps its leader epoch; nor where there is none.",
        "LI7": "A broker whose session is gone cannot read the topic's configuration, and so not create the log: the exception "
        "ends the request, for all partitions that were still to come.",
        "LI8": "A broker does not say whether a directory is lost, but to who asks: so the controller finds out which replicas are.",
        "SD5": "What is in a lost directory cannot be deleted, and the deletion of the topic has to wait.",
        "SR3": "KIP-570: a StopReplica from before the replica was added again.",
    },
)  # fmt: skip
