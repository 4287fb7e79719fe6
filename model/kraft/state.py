"""What the KRaft controller remembers: hard state replayed from records, soft state that a failover loses, requests in flight."""

from __future__ import annotations

import enum

from fencepost.model.language import (
    ANY,
    BOOL,
    NONE,
    Entity,
    Term,
    cell,
    counter,
    definition,
    lesser,
    let,
    list_of,
    maybe,
    one_of,
    per,
    per2,
    set_of,
    sort,
    those,
    threshold,
)


class Broker(Entity):
    """A broker id."""


class Incarnation(Entity):
    """The random id that a broker process draws when it starts."""


class Partition(Entity):
    """A partition: a topic id and a number."""


class Topic(Entity):
    """A topic id; a topic that is created again under its old name has another."""


class Name(Entity):
    """A name: of a topic, or of the resource of a configuration."""


class Setting(Entity):
    """A configuration key of one resource: resource type, resource name, key."""


class Value(Entity):
    """The text of a configuration value."""


class Directory(Entity):
    """The id of a log directory."""


class Node(Entity):
    """A controller id."""


class Feature(Entity):
    """The name of a feature other than metadata.version and eligible.leader.replicas.version."""


class Request(Entity):
    """An AlterPartition request: its content never changes, it may be late, lost or delivered twice."""


class Recovery(enum.Enum):
    """Whether a leader has to recover from an unclean election; the numbers are those on the wire."""

    RECOVERED = 0
    RECOVERING = 1


class Contact(enum.Enum):
    """What the heartbeat tracker holds for a broker's current epoch: nothing, a recent contact, or an expired one."""

    NOTHING = "nothing"
    RECENT = "recent"
    EXPIRED = "expired"


BROKER, INCARNATION, PARTITION, TOPIC = sort(Broker), sort(Incarnation), sort(Partition), sort(Topic)
NAME, SETTING, VALUE, DIRECTORY, NODE, FEATURE = (
    sort(Name),
    sort(Setting),
    sort(Value),
    sort(Directory),
    sort(Node),
    sort(Feature),
)
REQUEST = sort(Request)
OFFSET = counter("offset", lo=-1)
LEADER_EPOCH = counter("leader epoch")
PARTITION_EPOCH = counter("partition epoch")
LEVEL = counter("level")
INDEX = counter("index")
PRODUCER_ID = counter("producer id")
SIZE = threshold("size")
BROKERS = list_of(BROKER)

b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")
t, u = TOPIC.var("t"), TOPIC.var("u")
i = INCARNATION.var("i")
m = REQUEST.var("m")
s = SETTING.var("s")

# -- hard state: the log and the features ------------------------------------------------------------------------------
log_end = cell("log_end", OFFSET, -1, what="soft", about="offset of the last record appended")
mv = cell("metadata_version", LEVEL, ANY, about="level of metadata.version; 0 before the log is formatted")
elr_level = cell("elr_version", LEVEL, ANY, about="level of eligible.leader.replicas.version")
level = per(FEATURE, "feature_level", LEVEL, 0, about="finalized level; 0 is not finalized")
in_transaction = cell("in_transaction", BOOL, about="between BeginTransaction and EndTransaction")
next_producer_id = cell(
    "next_producer_id", PRODUCER_ID, 0, about="the first id of the next block; 0 before the first block"
)
controller_incarnation = per(NODE, "controller_incarnation", maybe(INCARNATION), NONE)

# -- hard state: brokers -----------------------------------------------------------------------------------------------
registered = per(BROKER, "registered", BOOL)
epoch = per(BROKER, "epoch", OFFSET, -1, about="the broker epoch of the registration")
incarnation = per(BROKER, "incarnation", maybe(INCARNATION), NONE)
fenced = per(BROKER, "fenced", BOOL, about="as registered; a broker that is not registered is not fenced either")
ics = per(BROKER, "in_controlled_shutdown", BOOL)
directories = per(BROKER, "directories", set_of(DIRECTORY))
cordoned = per(BROKER, "cordoned", set_of(DIRECTORY))
cordon_known = per(BROKER, "cordon_known", BOOL, about="the registration says which directories are cordoned")
registration_offset = per(
    BROKER, "registration_offset", OFFSET, -1, what="soft", about="offset of the broker's newest registration record"
)

# -- hard state: topics and partitions ---------------------------------------------------------------------------------
live = per(TOPIC, "live", BOOL)
name = per(TOPIC, "name", maybe(NAME), NONE)
exists_ = per(PARTITION, "exists", BOOL)
topic = per(PARTITION, "topic", TOPIC, ANY, about="the topic that a partition belongs to, from the start")
index = per(PARTITION, "index", INDEX, ANY, about="a partition's number in its topic, from the start")
replicas = per(PARTITION, "replicas", BROKERS)
isr = per(PARTITION, "isr", BROKERS)
removing = per(PARTITION, "removing", set_of(BROKER))
adding = per(PARTITION, "adding", set_of(BROKER))
leader = per(PARTITION, "leader", maybe(BROKER), NONE)
leader_epoch = per(PARTITION, "leader_epoch", LEADER_EPOCH, 0)
partition_epoch = per(PARTITION, "partition_epoch", PARTITION_EPOCH, 0)
recovery = per(PARTITION, "recovery", one_of(Recovery), Recovery.RECOVERED)
elr = per(PARTITION, "elr", set_of(BROKER), about="eligible leader replicas")
elr_disordered = per(
    PARTITION,
    "elr_disordered",
    BOOL,
    about="the stored list of them is in an order in which Kafka would not have written it",
)
last_known = per(PARTITION, "last_known", BROKERS, about="lastKnownElr: the last known leader, at most one")
replication = per(TOPIC, "replication", SIZE, 1, about="the number of replicas of the topic's partition 0")

# -- hard state: configurations ----------------------------------------------------------------------------------------
min_insync = per(TOPIC, "min_insync", SIZE, 1, about="min.insync.replicas of the topic, or the cluster's")
own_min_insync = per(TOPIC, "own_min_insync", BOOL, about="the topic sets min.insync.replicas itself")
cluster_min_insync = cell("cluster_min_insync", SIZE, 1)
cluster_min_set = cell("cluster_min_set", BOOL, about="the cluster sets min.insync.replicas")
unclean = per(TOPIC, "unclean", BOOL, about="unclean.leader.election.enable of the topic, or the cluster's")
own_unclean = per(TOPIC, "own_unclean", BOOL)
cluster_unclean = cell("cluster_unclean", BOOL)
setting = per(SETTING, "setting", maybe(VALUE), NONE, about="every other configuration value")
resource = per(SETTING, "resource", maybe(NAME), NONE, about="the resource of a setting that has been seen")

# -- soft state: lost on failover --------------------------------------------------------------------------------------
soft_fenced = per(BROKER, "soft_fenced", BOOL, what="soft", about="the fenced flag of the heartbeat state")
shutdown_offset = per(BROKER, "shutdown_offset", OFFSET, -1, what="soft", about="controlled shutdown offset; −1 none")
reported = per(BROKER, "reported", OFFSET, -1, what="soft", about="metadata offset of the last heartbeat")
contact = per(BROKER, "contact", one_of(Contact), Contact.NOTHING, what="soft")
elr_index = per2(PARTITION, BROKER, "elr_index", BOOL, what="soft", about="brokersToElrs")

# -- requests in flight ------------------------------------------------------------------------------------------------
sent = per(REQUEST, "sent", BOOL, what="message")
from_ = per(REQUEST, "from", maybe(BROKER), NONE, what="message")
from_epoch = per(REQUEST, "from_epoch", OFFSET, -1, what="message")
about = per(REQUEST, "about", maybe(PARTITION), NONE, what="message")
from_leader_epoch = per(REQUEST, "from_leader_epoch", LEADER_EPOCH, 0, what="message")
from_partition_epoch = per(REQUEST, "from_partition_epoch", PARTITION_EPOCH, 0, what="message")
wanted = per(REQUEST, "wanted", BROKERS, what="message")
member_epoch = per2(REQUEST, BROKER, "member_epoch", OFFSET, -1, what="message", about="−1 asks for no check")
wanted_recovery = per(REQUEST, "wanted_recovery", one_of(Recovery), Recovery.RECOVERED, what="message")

# -- chosen outside the controller -------------------------------------------------------------------------------------
asks = per(SETTING, "asks", BOOL, ANY, what="fixed", about="creation gives the topic this setting")
asked = per(SETTING, "asked", VALUE, ANY, what="fixed", about="the value that it gives")
placed = per(PARTITION, "placed", BROKERS, ANY, what="fixed", about="the replicas that creation gives a partition")

elr_on = let("elr_on", elr_level >= 1)
formatted = let("formatted", mv >= 1)


@definition
def active_broker(who: Term[Broker]) -> Term[bool]:
    """Registered, not fenced and not in controlled shutdown."""
    return registered[who] & ~fenced[who] & ~ics[who]


active = let("active", those(x, active_broker(x)))


@definition
def leads(who: Term[Broker]) -> Term[bool]:
    """Whether the broker leads a partition."""
    from fencepost.model.language import exists

    return exists(q, exists_[q] & leader[q].is_(who))


@definition
def min_isr(of: Term[Partition]) -> Term[int]:
    """The smaller of min.insync.replicas and the replication factor of the topic's partition 0."""
    return lesser(min_insync[topic[of]], replication[topic[of]])  # type: ignore[return-value]
