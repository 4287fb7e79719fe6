"""State of the ZooKeeper-era protocol: what ZooKeeper holds, what each controller has in memory, what brokers have applied."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "BROKERS", "CONTROLLER", "CZXID", "EPOCH", "LEADER_EPOCH", "PARTITION", "TOPIC", "VERSION", "Broker",
    "Call", "Controller", "Partition", "PartitionState", "ReplicaState", "Strategy", "Topic", "about", "acting",
    "adding", "aim", "alive", "applied", "assigned", "b", "broker_epoch", "c", "cached_adding", "cached_isr",
    "cached_leader", "cached_leader_epoch", "cached_removing", "cached_version", "call", "controller_epoch", "d",
    "deleting", "due", "due_replicas", "elected", "erased", "exists_", "follows", "gone", "heard", "hosts",
    "ineligible", "informed", "isr", "known_epoch", "knows", "leader", "leader_epoch", "leader_in", "leads", "live",
    "lost", "own_epoch", "p", "partition_state", "q", "queued", "r", "recovering", "removing", "replica_state",
    "replicas", "request", "requested", "resumed", "returning", "sees", "session", "shutting_down", "stated",
    "stop_epoch", "stopped", "subjects", "t", "told", "topic", "unclean", "version", "written_in", "x", "y",
]  # fmt: skip


class Broker(Entity):
    """A broker id."""


class Controller(Entity):
    """A broker as a candidate for the controllership, with a ZooKeeper session."""


class Partition(Entity):
    """A partition of one topic id: what is created again under a name is another one."""


class Topic(Entity):
    """A topic id."""


class PartitionState(enum.Enum):
    """The states of a partition, with Kafka's numbers (S4:8-15)."""

    NEW = 0
    ONLINE = 1
    OFFLINE = 2
    NONEXISTENT = 3


class ReplicaState(enum.Enum):
    """The states of a replica, with Kafka's numbers; S4:35-41 has the first three and the last."""

    NEW = 1
    ONLINE = 2
    OFFLINE = 3
    DELETION_STARTED = 4
    DELETION_SUCCESSFUL = 5
    DELETION_INELIGIBLE = 6
    NONEXISTENT = 7


class Strategy(enum.Enum):
    """How a leader is elected (S4:24-28); NONE where no leader is."""

    NONE = "none"
    OFFLINE = "offline"
    UNCLEAN = "unclean"
    REASSIGN = "reassign"
    PREFERRED = "preferred"
    SHUTDOWN = "controlled shutdown"


class Call(enum.Enum):
    """The current step of the controller's event thread: one call of a state machine inside an operation."""

    IDLE = "waits for an event"
    CREATE_PARTITIONS = "creation: partitions to New"
    CREATE_REPLICAS = "creation: replicas to New"
    CREATE_LEADERS = "creation: partitions to Online"
    CREATE_ONLINE = "creation: replicas to Online"
    FAIL_OFFLINE = "broker failure: partitions to Offline"
    FAIL_ELECT = "broker failure: partitions to Online"
    FAIL_REPLICAS = "broker failure: replicas to Offline"
    FAIL_DELETION = "broker failure: replicas of queued topics to Ineligible"
    START_REPLICAS = "broker startup: replicas to Online"
    START_ELECT = "broker startup: partitions to Online"
    LISTED = "log directory event: replicas of the broker to Online"
    OVER_ONLINE = "failover: live replicas to Online"
    OVER_OFFLINE = "failover: other replicas to Offline"
    OVER_ELECT = "failover: partitions to Online"
    ELECT = "preferred election: partitions to Online"
    ELECT_UNCLEAN = "unclean election: partitions to Online"
    SHUTDOWN_LEADERS = "controlled shutdown: partitions it leads to Online"
    SHUTDOWN_FOLLOWERS = "controlled shutdown: replicas it follows with to Offline"
    ASSIGN = "reassignment: U1, U2"
    UNNEEDED_OFFLINE = "reassignment: U3 unneeded replicas to Offline"
    UNNEEDED_STARTED = "reassignment: U3 unneeded replicas to DeletionStarted"
    UNNEEDED_SUCCESSFUL = "reassignment: U3 unneeded replicas to DeletionSuccessful"
    UNNEEDED_GONE = "reassignment: U3 unneeded replicas to NonExistent"
    DECIDE = "reassignment: is the target in sync?"
    BUMP = "reassignment: A1"
    ADD_NEW = "reassignment: A2 adding replicas to New"
    ADD_ONLINE = "reassignment: B1 adding replicas to Online"
    LEAD = "reassignment: B3"
    MOVE_LEADER = "reassignment: B3 partition to Online"
    REMOVE_OFFLINE = "reassignment: B4 removing replicas to Offline"
    REMOVE_STARTED = "reassignment: B5 removing replicas to DeletionStarted"
    REMOVE_SUCCESSFUL = "reassignment: B5 removing replicas to DeletionSuccessful"
    REMOVE_GONE = "reassignment: B5 removing replicas to NonExistent"
    STORE = "reassignment: B6"
    FINISH = "reassignment: B7, B8"
    INFORM = "reassignment: step 12 of the page"
    DELETE_RETRY = "deletion: ineligible replicas to Offline"
    DELETE_OFFLINE = "deletion: partitions to Offline"
    DELETE_GONE = "deletion: partitions to NonExistent"
    DELETE_INELIGIBLE = "deletion: replicas on dead brokers to Ineligible"
    DELETE_REPLICAS = "deletion: live replicas to Offline"
    DELETE_STARTED = "deletion: live replicas to DeletionStarted"
    DELETE_ANSWERED = "deletion: a replica is deleted"
    DELETE_FAILED = "deletion: a replica could not be deleted"
    DELETE_REPLICAS_GONE = "deletion: replicas to NonExistent"
    DELETE_ZNODES = "deletion: znodes"


BROKER, CONTROLLER, PARTITION, TOPIC = sort(Broker), sort(Controller), sort(Partition), sort(Topic)
BROKERS = list_of(BROKER)
EPOCH = counter("controller epoch")
CZXID = counter("broker epoch")
LEADER_EPOCH = counter("leader epoch", lo=-1)
VERSION = counter("version", lo=-1)

c, d = CONTROLLER.var("c"), CONTROLLER.var("d")
b, r, x, y = BROKER.var("b"), BROKER.var("r"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")
t = TOPIC.var("t")

# -- ZooKeeper ---------------------------------------------------------------------------------------------------------
elected = cell("elected", maybe(CONTROLLER), initial=NONE, about="/controller, ephemeral")
controller_epoch = cell("controller_epoch", EPOCH, initial=0, about="/controller_epoch, value and version alike")
session = per(CONTROLLER, "session", BOOL, about="ZooKeeper holds the candidate's session")
alive = per(BROKER, "alive", BOOL, about="/brokers/ids/b exists, ephemeral")
broker_epoch = per(BROKER, "broker_epoch", CZXID, initial=0, about="czxid of its last /brokers/ids/b")
topic = part_of(PARTITION, "topic", TOPIC, "topic", about="the topic of a partition")
unclean = per(TOPIC, "unclean", BOOL, initial=ANY, what="fixed", about="unclean.leader.election.enable")
exists_ = per(PARTITION, "exists", BOOL, about="/brokers/topics/T lists the partition")
gone = per(PARTITION, "gone", BOOL, about="it was deleted")
replicas = per(PARTITION, "replicas", BROKERS, about="assigned replicas in /brokers/topics/T")
adding = per(PARTITION, "adding", set_of(BROKER))
removing = per(PARTITION, "removing", set_of(BROKER))
stated = per(PARTITION, "stated", BOOL, about="/brokers/topics/T/partitions/p/state exists")
leader = per(PARTITION, "leader", maybe(BROKER), initial=NONE)
isr = per(PARTITION, "isr", set_of(BROKER))
leader_epoch = per(PARTITION, "leader_epoch", LEADER_EPOCH, initial=-1)
written_in = per(PARTITION, "written_in", EPOCH, initial=0, about="controller_epoch in the state znode")
version = per(PARTITION, "version", VERSION, initial=-1, about="version of the state znode, Kafka's partition epoch")
recovering = per(PARTITION, "recovering", BOOL, about="leader_recovery_state is RECOVERING")
queued = per(TOPIC, "queued", BOOL, about="/admin/delete_topics/T exists")
requested = per(PARTITION, "requested", BOOL, about="/admin/reassign_partitions names the partition")
request = per(PARTITION, "request", BROKERS, about="the replicas that it is to have")

# -- the memory of a controller ----------------------------------------------------------------------------------------
acting = per(CONTROLLER, "acting", BOOL, what="soft", about="it takes itself for the controller")
own_epoch = per(CONTROLLER, "own_epoch", EPOCH, initial=0, what="soft")
live = per(CONTROLLER, "live", set_of(BROKER), what="soft", about="live brokers, as far as it knows")
known_epoch = per2(CONTROLLER, BROKER, "known_epoch", CZXID, initial=0, what="soft")
shutting_down = per(CONTROLLER, "shutting_down", set_of(BROKER), what="soft")
lost = per2(CONTROLLER, PARTITION, "lost", set_of(BROKER), what="soft", about="replicas in offline directories")
partition_state = per2(
    CONTROLLER, PARTITION, "partition_state", one_of(PartitionState), initial=PartitionState.NONEXISTENT, what="soft"
)
replica_state = per3(
    CONTROLLER, PARTITION, BROKER, "replica_state", one_of(ReplicaState), initial=ReplicaState.NONEXISTENT, what="soft"
)
assigned = per2(CONTROLLER, PARTITION, "assigned", BROKERS, what="soft", about="assigned replicas, as cached")
cached_adding = per2(CONTROLLER, PARTITION, "cached_adding", set_of(BROKER), what="soft")
cached_removing = per2(CONTROLLER, PARTITION, "cached_removing", set_of(BROKER), what="soft")
knows = per2(CONTROLLER, PARTITION, "knows", BOOL, what="soft", about="leadership is cached")
cached_leader = per2(CONTROLLER, PARTITION, "cached_leader", maybe(BROKER), initial=NONE, what="soft")
cached_isr = per2(CONTROLLER, PARTITION, "cached_isr", set_of(BROKER), what="soft")
cached_leader_epoch = per2(CONTROLLER, PARTITION, "cached_leader_epoch", LEADER_EPOCH, initial=-1, what="soft")
cached_version = per2(CONTROLLER, PARTITION, "cached_version", VERSION, initial=-1, what="soft")
deleting = per2(CONTROLLER, TOPIC, "deleting", BOOL, what="soft", about="queued for deletion in memory")
ineligible = per2(CONTROLLER, TOPIC, "ineligible", BOOL, what="soft", about="marked as not to be deleted for now")
resumed = per2(
    CONTROLLER, PARTITION, "resumed", BOOL, what="soft", about="its reassignment has been started in this term"
)

# -- what the event thread is at ---------------------------------------------------------------------------------------
call = per(CONTROLLER, "call", one_of(Call), initial=Call.IDLE, what="soft")
about = per2(CONTROLLER, PARTITION, "about", BOOL, what="soft", about="partitions that the operation is about")
subjects = per(CONTROLLER, "subjects", set_of(BROKER), what="soft", about="brokers that the operation is about")
returning = per(CONTROLLER, "returning", set_of(BROKER), what="soft", about="bounced brokers, to be started up again")
due = per2(CONTROLLER, PARTITION, "due", BOOL, what="soft", about="partitions that the call has not come to yet")
due_replicas = per2(CONTROLLER, PARTITION, "due_replicas", set_of(BROKER), what="soft", about="replicas, likewise")
aim = per(CONTROLLER, "aim", BROKERS, what="soft", about="the target of the reassignment that is being started")

# -- requests to brokers -----------------------------------------------------------------------------------------------
told = per2(CONTROLLER, PARTITION, "told", set_of(BROKER), what="message", about="LeaderAndIsr on its way to them")
stopped = per2(CONTROLLER, PARTITION, "stopped", set_of(BROKER), what="message", about="StopReplica on its way to them")
erased = per2(CONTROLLER, PARTITION, "erased", set_of(BROKER), what="message", about="StopReplica with deletion")
stop_epoch = per3(
    CONTROLLER, PARTITION, BROKER, "stop_epoch", LEADER_EPOCH, initial=-1, what="message",
    about="leader epoch in the last StopReplica to the broker, -1 for one that is always obeyed",
)  # fmt: skip
informed = per(CONTROLLER, "informed", set_of(BROKER), what="message", about="UpdateMetadata on its way to them")

# -- brokers -----------------------------------------------------------------------------------------------------------
heard = per(BROKER, "heard", EPOCH, initial=0, about="newest controller epoch that the broker has seen")
applied = per2(BROKER, PARTITION, "applied", LEADER_EPOCH, initial=-1, about="leader epoch that the broker is at")
leads = per2(BROKER, PARTITION, "leads", BOOL, about="the broker acts as leader")
follows = per2(BROKER, PARTITION, "follows", maybe(BROKER), initial=NONE, about="whom the broker fetches from")
hosts = per2(BROKER, PARTITION, "hosts", BOOL, about="the broker has a log of the partition")
sees = per(BROKER, "sees", set_of(BROKER), about="live brokers in the broker's metadata cache")
leader_in = per2(
    PARTITION,
    LEADER_EPOCH,
    "leader_in",
    maybe(BROKER),
    initial=NONE,
    what="ghost",
    about="who was made leader in an epoch",
)
