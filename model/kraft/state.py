"""State of the KRaft controller: hard state replayed from records, soft state that a failover loses, requests in flight."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "BROKERS", "COPIES", "DIRECTORY", "FEATURE", "INCARNATION", "INDEX", "LEADER_EPOCH", "LEVEL", "NAME",
    "NODE", "OFFSET", "PARTITION", "PARTITION_EPOCH", "PRODUCER_ID", "RANGE", "REQUEST", "SETTING", "SIZE", "TOPIC",
    "VALUE", "Broker", "Contact", "Copy", "Directory", "Feature", "Incarnation", "Name", "Node", "Partition", "Range",
    "Recovery", "Request", "Setting", "Topic", "Value", "about", "active", "active_broker", "active_controller",
    "adding", "allows_unclean", "asked", "asks", "b", "can_do", "closed", "cluster_min_insync", "cluster_min_set",
    "cluster_unclean", "contact", "controller_incarnation", "controller_ranges", "cordon_known", "cordoned", "d",
    "default_directory", "directories", "e", "electable", "elr", "elr_disordered", "elr_index", "elr_level", "elr_on",
    "elr_version", "epoch", "exists_", "f", "fenced", "finalized", "formatted", "from_", "from_epoch",
    "from_leader_epoch", "from_partition_epoch", "highest", "home", "i", "ics", "in_transaction", "incarnation",
    "index", "isr", "k", "key", "kraft_level", "kraft_version", "last_known", "last_nobody", "leader", "leader_epoch",
    "leads", "level", "listed", "live", "location", "log_end", "lost_directory", "lowest", "m", "member_epoch",
    "metadata_version", "migrating", "min_insync", "min_insync_key", "min_insync_of", "min_isr", "miscounted", "mv", "name",
    "next_producer_id", "node_unclean", "online", "outdated", "overtaken", "own_min_insync", "own_unclean", "p", "partition_epoch",
    "placed", "producer_ids_begun", "q", "r", "range_feature", "ranges", "recovery", "registered",
    "registration_offset", "removing", "replicas", "replication", "reported", "resource", "resource_type", "s", "sent",
    "setting", "shutdown_offset", "soft_fenced", "static_unclean", "t", "topic", "u", "unassigned", "unclean", "undisturbed",
    "wanted", "wanted_recovery", "x", "y",
]  # fmt: skip


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


class Range(Entity):
    """A feature with the lowest and the highest level of it that a node supports."""


class Request(Entity):
    """An AlterPartition request: its content never changes, it may be late, lost or delivered twice."""


class Recovery(enum.Enum):
    """Whether a leader has to recover from an unclean election; the numbers are those on the wire."""

    RECOVERED = 0
    RECOVERING = 1


class Copy(enum.Enum):
    """The position of an entry among those that an index has for one partition; more than four are not distinguished."""

    FIRST = 1
    SECOND = 2
    THIRD = 3
    FOURTH = 4


class Contact(enum.Enum):
    """The heartbeat tracker's entry for a broker's current epoch: nothing, a recent contact, or an expired one."""

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
REQUEST, RANGE = sort(Request), sort(Range)
OFFSET = counter("offset", lo=-1)
LEADER_EPOCH = counter("leader epoch")
PARTITION_EPOCH = counter("partition epoch")
LEVEL = counter("level")
INDEX = counter("index")
PRODUCER_ID = counter("producer id")
COPIES = counter("copies")
SIZE = threshold("size")
BROKERS = list_of(BROKER)

b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")
t, u = TOPIC.var("t"), TOPIC.var("u")
i = INCARNATION.var("i")
m = REQUEST.var("m")
s = SETTING.var("s")
f = FEATURE.var("f")
r = RANGE.var("r")
d, e = DIRECTORY.var("d"), DIRECTORY.var("e")

# -- hard state: the log and the features ------------------------------------------------------------------------------
unassigned = constant("unassigned", DIRECTORY, "AAAAAAAAAAAAAAAAAAAAAQ", about="reserved: no directory was chosen yet")
migrating = constant("migrating", DIRECTORY, "AAAAAAAAAAAAAAAAAAAAAA", about="reserved: the broker reports none yet")
lost_directory = constant("lost", DIRECTORY, "AAAAAAAAAAAAAAAAAAAAAg", about="reserved: a directory that has failed")
log_end = cell("log_end", OFFSET, -1, what="soft", about="offset of the last record appended")
mv = cell("metadata_version", LEVEL, ANY, about="level of metadata.version; 0 before the log is formatted")
elr_level = cell("elr_version", LEVEL, ANY, about="level of eligible.leader.replicas.version")
level = per(FEATURE, "feature_level", LEVEL, 0, about="finalized level; 0 is not finalized")
in_transaction = cell("in_transaction", BOOL, about="between BeginTransaction and EndTransaction")
next_producer_id = cell(
    "next_producer_id", PRODUCER_ID, 0, about="the first id of the next block; 0 before the first block"
)
kraft_level = cell(
    "kraft_version", LEVEL, ANY, what="soft", about="level of kraft.version, which is Raft's: no metadata record has it"
)
producer_ids_begun = cell("producer_ids_begun", BOOL, about="a record has said which producer id is the next")
controller_incarnation = per(NODE, "controller_incarnation", maybe(INCARNATION), NONE)

controller_ranges = per(
    NODE, "controller_ranges", set_of(RANGE), about="the features that a registered controller can do"
)
metadata_version = constant("metadata.version", FEATURE, "metadata.version")
elr_version = constant("eligible.leader.replicas.version", FEATURE, "eligible.leader.replicas.version")
kraft_version = constant("kraft.version", FEATURE, "kraft.version")
range_feature = part_of(RANGE, "range_feature", FEATURE, "name")
lowest = part_of(RANGE, "lowest", LEVEL, "minSupportedVersion")
highest = part_of(RANGE, "highest", LEVEL, "maxSupportedVersion")

# -- hard state: brokers -----------------------------------------------------------------------------------------------
registered = per(BROKER, "registered", BOOL)
epoch = per(BROKER, "epoch", OFFSET, -1, about="the broker epoch of the registration")
incarnation = per(BROKER, "incarnation", maybe(INCARNATION), NONE)
fenced = per(BROKER, "fenced", BOOL, about="as registered; a broker that is not registered is not fenced either")
ics = per(BROKER, "in_controlled_shutdown", BOOL)
directories = per(BROKER, "directories", set_of(DIRECTORY))
ranges = per(BROKER, "ranges", set_of(RANGE), about="the features that the broker can do, as registered")
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
location = per2(
    PARTITION, BROKER, "location", maybe(DIRECTORY), NONE, about="the log directory of a replica; none for no replica"
)
last_known = per(PARTITION, "last_known", BROKERS, about="lastKnownElr: the last known leader, at most one")
last_nobody = per(
    PARTITION, "last_nobody", BOOL, about="lastKnownElr holds −1: a partition without a leader gave up a replica"
)
outdated = per(
    PARTITION,
    "outdated",
    BOOL,
    what="ghost",
    about="a record was computed from the state before another record of its request had changed the partition (D26)",
)
overtaken = per(
    PARTITION,
    "overtaken",
    BOOL,
    what="ghost",
    about="a heartbeat reported that the directory of its broker's replica had failed, and unfenced the broker (D34)",
)
replication = per(TOPIC, "replication", SIZE, 1, about="the number of replicas of the topic's partition 0")

# -- hard state: configurations ----------------------------------------------------------------------------------------
min_insync = per(TOPIC, "min_insync", SIZE, 1, about="min.insync.replicas of the topic itself, where it has one")
own_min_insync = per(TOPIC, "own_min_insync", BOOL, about="the topic sets min.insync.replicas itself")
cluster_min_insync = cell("cluster_min_insync", SIZE, 1)
cluster_min_set = cell("cluster_min_set", BOOL, about="the cluster sets min.insync.replicas")
unclean = per(TOPIC, "unclean", BOOL, about="unclean.leader.election.enable of the topic itself, where it has one")
own_unclean = per(TOPIC, "own_unclean", BOOL)
cluster_unclean = cell(
    "cluster_unclean", BOOL, about="unclean.leader.election.enable of the cluster, or the static one"
)
static_unclean = cell(
    "static_unclean",
    BOOL,
    what="fixed",
    about="unclean.leader.election.enable in server.properties of the controllers: where nothing else sets it, it counts",
)
node_unclean = per(
    NAME,
    "node_unclean",
    maybe(BOOL),
    NONE,
    about="unclean.leader.election.enable of one node, by its id as a resource's name",
)
setting = per(SETTING, "setting", maybe(VALUE), NONE, about="every other configuration value")
resource_type = part_of(
    SETTING, "resource_type", LEVEL, 0, about="2 a topic, 4 a broker or, without a name, the cluster"
)
resource = part_of(SETTING, "resource", NAME, 1)
key = part_of(SETTING, "key", NAME, 2)
min_insync_key = constant("min.insync.replicas", NAME, "min.insync.replicas")

# -- soft state: lost on failover --------------------------------------------------------------------------------------
soft_fenced = per(BROKER, "soft_fenced", BOOL, what="soft", about="the fenced flag of the heartbeat state")
shutdown_offset = per(BROKER, "shutdown_offset", OFFSET, -1, what="soft", about="controlled shutdown offset; −1 none")
reported = per(BROKER, "reported", OFFSET, -1, what="soft", about="metadata offset of the last heartbeat")
contact = per(BROKER, "contact", one_of(Contact), Contact.NOTHING, what="soft")
active_controller = cell(
    "active_controller", NAME, ANY, what="soft", about="the id of the active controller, as a resource's name"
)

# -- hard state: what the controller looks up, kept beside what it is made of -----------------------------------------
elr_index = per2(
    PARTITION,
    BROKER,
    "elr_index",
    COPIES,
    0,
    about="brokersToElrs: how often the index lists a partition for a broker, as one of its eligible leader replicas",
)

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
home = per(BROKER, "home", DIRECTORY, ANY, what="fixed", about="the directory of a broker, where a bound says which")
placed = per(PARTITION, "placed", BROKERS, ANY, what="fixed", about="the replicas that creation gives a partition")


@definition
def finalized(of: Term[Feature]) -> Term[int]:
    """The finalized level of a feature; 0 is not finalized."""
    other = when(of.is_(kraft_version), kraft_level, level[of])
    return when(of.is_(metadata_version), mv, when(of.is_(elr_version), elr_level, other))


@definition
def can_do(who: Term[frozenset[Range]], of: Term[Feature], at: Term[int]) -> Term[bool]:
    """Whether ranges hold a level of a feature; one that they do not name is held at 0 only."""
    named = exists(r, r.in_(who) & range_feature[r].is_(of))
    return when(
        named, exists(r, r.in_(who) & range_feature[r].is_(of) & (lowest[r] <= at) & (at <= highest[r])), at.is_(0)
    )


elr_on = let("elr_on", elr_level >= 1)
formatted = let("formatted", (mv >= 1) & ~in_transaction)


@definition
def active_broker(who: Term[Broker]) -> Term[bool]:
    """Registered, not fenced and not in controlled shutdown."""
    return registered[who] & ~fenced[who] & ~ics[who]


@definition
def allows_unclean(of: Term[Topic]) -> Term[bool]:
    """Whether a topic may get an unclean leader: as it says itself, else the active controller's node, else the cluster."""
    by_node = present(node_unclean[active_controller])
    elsewhere = when(by_node, node_unclean[active_controller].is_(some(TRUE)), cluster_unclean)
    return when(own_unclean[of], unclean[of], elsewhere)


k = one_of(Copy).var("k")


@definition
def listed(of: Term[Partition], who: Term[Broker], which: Term[Copy]) -> Term[bool]:
    """The index has so many entries of the partition for the broker."""
    times = elr_index[of, who]
    more = when(which.is_(Copy.THIRD), times >= 3, times >= 4)
    return when(which.is_(Copy.FIRST), times >= 1, when(which.is_(Copy.SECOND), times >= 2, more))


@definition
def miscounted(of: Term[Partition]) -> Term[bool]:
    """The index does not list the partition once for each of its eligible leader replicas (D6)."""
    return exists(x, elr_index[of, x].isnt(when(x.in_(elr[of]), Lit(1, COPIES), Lit(0, COPIES))))


@definition
def undisturbed(of: Term[Partition]) -> Term[bool]:
    """No record of the partition was computed from a state that another record of its result had changed (D26, D34)."""
    return ~outdated[of] & ~overtaken[of]


@definition
def online(of: Term[Partition], who: Term[Broker]) -> Term[bool]:
    """The replica is in a directory that its broker has, or in one that is not known yet."""
    where = location[of, who]
    known = (
        present(where)
        & where.isnt(some(lost_directory))
        & (directories[who].is_(nobody(DIRECTORY)) | where.in_(directories[who]))
    )
    return where.is_(some(unassigned)) | where.is_(some(migrating)) | known


@definition
def electable(of: Term[Partition]) -> Term[frozenset[Broker]]:
    """The active brokers whose replica of the partition is in an online directory."""
    return those(x, active_broker(x) & online(of, x))


@definition
def default_directory(who: Term[Broker]) -> Term[Directory | None]:
    """Where a broker gets a new replica: in its only directory, or where it decides later."""
    of = directories[who]
    several = exists(d, exists(e, d.in_(of) & e.in_(of) & d.isnt(e)))
    undecided = when(of.is_(nobody(DIRECTORY)), some(migrating), first(ascending(of), of))
    return when(~registered[who] | several, some(unassigned), undecided)


@definition
def closed(who: Term[Broker]) -> Term[bool]:
    """Every directory of the broker is cordoned: it gets no new replica (4.3)."""
    of = directories[who]
    return of.isnt(nobody(DIRECTORY)) & (of <= cordoned[who])


active = let("active", those(x, active_broker(x)))


@definition
def leads(who: Term[Broker]) -> Term[bool]:
    """Whether the broker leads a partition."""
    return exists(q, exists_[q] & leader[q].is_(who))


@definition
def min_insync_of(of: Term[Topic]) -> Term[Threshold]:
    """The min.insync.replicas that counts for a topic: its own, else the cluster's."""
    return when(own_min_insync[of], min_insync[of], cluster_min_insync)


@definition
def min_isr(of: Term[Partition]) -> Term[int]:
    """The smaller of min.insync.replicas and the replication factor of the topic's partition 0."""
    return lesser(min_insync_of(topic[of]), replication[topic[of]])  # type: ignore[return-value]
