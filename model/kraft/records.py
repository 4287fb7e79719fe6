"""The metadata records that the tables write, with their names on the wire and what replaying them does."""

from __future__ import annotations

from fencepost.model.language import (
    BOOL,
    FALSE,
    TRUE,
    Term,
    every,
    literal,
    maybe,
    members,
    nobody,
    none_of,
    nothing,
    one_of,
    only_if,
    optional,
    present,
    record,
    required,
    set_of,
    size_of,
    when,
)
from fencepost.model.language.terms import Lit

from .state import (
    BROKER,
    BROKERS,
    DIRECTORY,
    FEATURE,
    INCARNATION,
    INDEX,
    LEADER_EPOCH,
    LEVEL,
    NAME,
    NODE,
    OFFSET,
    PARTITION,
    PARTITION_EPOCH,
    PRODUCER_ID,
    SETTING,
    SIZE,
    TOPIC,
    VALUE,
    Recovery,
    adding,
    cluster_min_insync,
    cluster_unclean,
    controller_incarnation,
    cordon_known,
    cordoned,
    directories,
    elr,
    elr_disordered,
    elr_level,
    epoch,
    exists_,
    fenced,
    formatted,
    ics,
    in_transaction,
    incarnation,
    index,
    isr,
    last_known,
    leader,
    leader_epoch,
    level,
    live,
    min_insync,
    mv,
    name,
    next_producer_id,
    own_min_insync,
    own_unclean,
    partition_epoch,
    q,
    recovery,
    registered,
    removing,
    replicas,
    replication,
    resource,
    s,
    setting,
    t,
    topic,
    unclean,
)

RECOVERED = literal(Recovery.RECOVERED)


def level_at(number: int) -> Term[int]:
    """Return a feature level as a term."""
    return Lit(number, LEVEL)


# -- brokers -----------------------------------------------------------------------------------------------------------
_b = required("broker", BROKER, "brokerId")
_epoch = required("epoch", OFFSET, "brokerEpoch")
_registered_as = required("incarnation", INCARNATION, "incarnationId")
_fenced = required("fenced", BOOL)
_ics = required("ics", BOOL, "inControlledShutdown")
_dirs = required("directories", set_of(DIRECTORY), "logDirs")

REGISTER_BROKER = record(
    "REGISTER_BROKER_RECORD",
    _b,
    fields=(_epoch, _registered_as, _fenced, _ics, _dirs),
    replay=(
        registered[_b.value].becomes(TRUE),
        epoch[_b.value].becomes(_epoch.value),
        incarnation[_b.value].becomes(_registered_as.value),
        fenced[_b.value].becomes(_fenced.value),
        ics[_b.value].becomes(_ics.value),
        directories[_b.value].becomes(_dirs.value),
        cordon_known[_b.value].becomes(FALSE),
        cordoned[_b.value].becomes(nobody(DIRECTORY)),
    ),
    ignored=("endPoints", "features", "rack", "isMigratingZkBroker", "cordonedLogDirs"),
    name="RegisterBroker",
    source="7.3",
)

UNREGISTER_BROKER = record(
    "UNREGISTER_BROKER_RECORD",
    _b,
    fields=(_epoch,),
    replay=(
        registered[_b.value].becomes(FALSE),
        epoch[_b.value].becomes(-1),
        incarnation[_b.value].becomes(none_of(INCARNATION)),
        fenced[_b.value].becomes(FALSE),
        ics[_b.value].becomes(FALSE),
        directories[_b.value].becomes(nobody(DIRECTORY)),
        cordon_known[_b.value].becomes(FALSE),
        cordoned[_b.value].becomes(nobody(DIRECTORY)),
    ),
    name="UnregisterBroker",
    source="7.3",
)

_CHANGE = "BROKER_REGISTRATION_CHANGE_RECORD"
FENCE = record(
    _CHANGE,
    _b,
    fields=(_epoch,),
    only={"fenced": 1, "inControlledShutdown": 0},
    ignored=("logDirs", "cordonedLogDirs"),
    replay=fenced[_b.value].becomes(TRUE),
    version=level_at(0),
    name="Fence",
    source="7.6",
)
UNFENCE = record(
    _CHANGE,
    _b,
    fields=(_epoch,),
    only={"fenced": -1, "inControlledShutdown": 0},
    ignored=("logDirs", "cordonedLogDirs"),
    replay=fenced[_b.value].becomes(FALSE),
    version=level_at(0),
    name="Unfence",
    source="7.6",
)
IN_CONTROLLED_SHUTDOWN = record(
    _CHANGE,
    _b,
    fields=(_epoch,),
    only={"fenced": 0, "inControlledShutdown": 1},
    ignored=("logDirs", "cordonedLogDirs"),
    replay=ics[_b.value].becomes(TRUE),
    version=level_at(1),
    name="InControlledShutdown",
    source="7.6",
)
_cordoned = optional("cordoned", set_of(DIRECTORY), "cordonedLogDirs")
CORDON = record(
    _CHANGE,
    _b,
    fields=(_epoch, _cordoned),
    only={"fenced": 0, "inControlledShutdown": 0},
    ignored=("logDirs",),
    replay=(
        cordoned[_b.value].becomes(_cordoned.over(cordoned[_b.value])),
        only_if(_cordoned.said, cordon_known[_b.value].becomes(TRUE)),
    ),
    version=level_at(3),
    name="Cordon",
    source="7.12",
)

# -- topics and partitions ---------------------------------------------------------------------------------------------
_t = required("topic", TOPIC, "topicId")
_name = required("name", NAME)
TOPIC_RECORD = record(
    "TOPIC_RECORD",
    _t,
    fields=(_name,),
    replay=(
        live[_t.value].becomes(TRUE),
        name[_t.value].becomes(_name.value),
        min_insync[_t.value].becomes(cluster_min_insync),
        unclean[_t.value].becomes(cluster_unclean),
    ),
    name="Topic",
    source="7.11",
)

_p = required("partition", PARTITION, "topicId", "partitionId")
_of = required("topic", TOPIC, "topicId")
_index = required("index", INDEX, "partitionId")
_replicas = required("replicas", BROKERS)
_isr = required("isr", BROKERS)
_leader = required("leader", maybe(BROKER), none=-1)
_leader_epoch = required("leader_epoch", LEADER_EPOCH, "leaderEpoch")
_partition_epoch = required("partition_epoch", PARTITION_EPOCH, "partitionEpoch")
_removing = required("removing", set_of(BROKER), "removingReplicas")
_adding = required("adding", set_of(BROKER), "addingReplicas")
PARTITION_RECORD = record(
    "PARTITION_RECORD",
    _p,
    fields=(_of, _index, _replicas, _isr, _removing, _adding, _leader, _leader_epoch, _partition_epoch),
    replay=(
        exists_[_p.value].becomes(TRUE),
        topic[_p.value].becomes(_of.value),
        index[_p.value].becomes(_index.value),
        replicas[_p.value].becomes(_replicas.value),
        isr[_p.value].becomes(_isr.value),
        removing[_p.value].becomes(_removing.value),
        adding[_p.value].becomes(_adding.value),
        leader[_p.value].becomes(_leader.value),
        leader_epoch[_p.value].becomes(_leader_epoch.value),
        partition_epoch[_p.value].becomes(_partition_epoch.value),
        recovery[_p.value].becomes(RECOVERED),
        elr[_p.value].becomes(nobody(BROKER)),
        last_known[_p.value].becomes(nothing(BROKER)),
        only_if(_index.value.is_(0), replication[_of.value].becomes(size_of(members(_replicas.value), SIZE))),
    ),
    ignored=("directories", "leaderRecoveryState", "eligibleLeaderReplicas", "lastKnownElr"),
    version=when(mv < 17, level_at(0), when(mv < 23, level_at(1), level_at(2))),
    name="Partition",
    source="7.11",
)

ISR = optional("isr", BROKERS)
LEADER = optional("leader", maybe(BROKER), absent=-2, none=-1)
REPLICAS = optional("replicas", BROKERS)
REMOVING = optional("removing", set_of(BROKER), "removingReplicas")
ADDING = optional("adding", set_of(BROKER), "addingReplicas")
RECOVERY = optional("recovery", one_of(Recovery), "leaderRecoveryState", absent=-1)
ELR = optional("elr", set_of(BROKER), "eligibleLeaderReplicas")
# A last known leader of −1 (written when a leaderless partition gives up a replica) counts as none.
LAST_KNOWN = optional("last_known", BROKERS, "lastKnownElr", none=-1)
PARTITION_CHANGE = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    fields=(ISR, LEADER, REPLICAS, REMOVING, ADDING, RECOVERY, ELR, LAST_KNOWN),
    replay=(
        isr[_p.value].becomes(ISR.over(isr[_p.value])),
        leader[_p.value].becomes(LEADER.over(leader[_p.value])),
        replicas[_p.value].becomes(REPLICAS.over(replicas[_p.value])),
        removing[_p.value].becomes(REMOVING.over(removing[_p.value])),
        adding[_p.value].becomes(ADDING.over(adding[_p.value])),
        recovery[_p.value].becomes(RECOVERY.over(recovery[_p.value])),
        elr[_p.value].becomes(ELR.over(elr[_p.value])),
        only_if(ELR.said, elr_disordered[_p.value].becomes(FALSE)),
        last_known[_p.value].becomes(LAST_KNOWN.over(last_known[_p.value])),
        leader_epoch[_p.value].becomes(when(LEADER.said, leader_epoch[_p.value] + 1, leader_epoch[_p.value])),
        partition_epoch[_p.value].becomes(partition_epoch[_p.value] + 1),
        only_if(
            REPLICAS.said & index[_p.value].is_(0),
            replication[topic[_p.value]].becomes(size_of(members(REPLICAS.over(replicas[_p.value])), SIZE)),
        ),
    ),
    ignored=("directories",),
    version=when(mv < 17, level_at(0), when(mv < 23, level_at(1), level_at(2))),
    silent=True,
    name="PartitionChange",
    source="7.7",
)

REMOVE_TOPIC = record(
    "REMOVE_TOPIC_RECORD",
    _t,
    replay=(
        live[_t.value].becomes(FALSE),
        every(s, present(resource[s]) & resource[s].is_(name[_t.value]), setting[s].becomes(none_of(VALUE))),
        name[_t.value].becomes(none_of(NAME)),
        own_min_insync[_t.value].becomes(FALSE),
        own_unclean[_t.value].becomes(FALSE),
        every(
            q,
            exists_[q] & topic[q].is_(_t.value),
            exists_[q].becomes(FALSE),
            replicas[q].becomes(nothing(BROKER)),
            isr[q].becomes(nothing(BROKER)),
            removing[q].becomes(nobody(BROKER)),
            adding[q].becomes(nobody(BROKER)),
            leader[q].becomes(none_of(BROKER)),
            recovery[q].becomes(RECOVERED),
            elr[q].becomes(nobody(BROKER)),
            last_known[q].becomes(nothing(BROKER)),
            leader_epoch[q].becomes(0),
            partition_epoch[q].becomes(0),
        ),
    ),
    name="RemoveTopic",
    source="7.11",
)

_cleared = required("name", NAME, "topicName")


def _clears(condition: Term[bool]) -> object:
    speaks = (elr[q].isnt(nobody(BROKER)) | last_known[q].isnt(nothing(BROKER))) & exists_[q]
    return every(
        q,
        speaks & condition,
        elr[q].becomes(nobody(BROKER)),
        last_known[q].becomes(nothing(BROKER)),
        partition_epoch[q].becomes(partition_epoch[q] + 1),
    )


CLEAR_ELR = record(
    "CLEAR_ELR_RECORD",
    _cleared,
    replay=_clears(name[topic[q]].is_(_cleared.value)),
    name="ClearElr",
    source="7.16",
)
CLEAR_ALL_ELR = record(
    "CLEAR_ELR_RECORD",
    only={"topicName": ""},
    replay=_clears(TRUE),
    name="ClearAllElr",
    source="7.16",
)

# -- configurations ----------------------------------------------------------------------------------------------------
_resource = required("resource", NAME, "resourceName")
_size = optional("value", SIZE, text=True)
_switch = optional("value", BOOL, text=True)
_setting = required("setting", SETTING, "resourceType", "resourceName", "name")
_value = optional("value", VALUE)
_MIN, _UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"

TOPIC_MIN_INSYNC = record(
    "CONFIG_RECORD",
    _resource,
    fields=(_size,),
    only={"resourceType": 2, "name": _MIN},
    replay=every(
        t,
        name[t].is_(_resource.value),
        min_insync[t].becomes(_size.over(cluster_min_insync)),
        own_min_insync[t].becomes(_size.said),
    ),
    name="TopicMinInsync",
    source="7.17",
)
CLUSTER_MIN_INSYNC = record(
    "CONFIG_RECORD",
    fields=(_size,),
    only={"resourceType": 4, "resourceName": "", "name": _MIN},
    replay=(
        cluster_min_insync.becomes(_size.over(Lit(1, SIZE))),
        every(t, live[t] & ~own_min_insync[t], min_insync[t].becomes(_size.over(Lit(1, SIZE)))),
    ),
    name="ClusterMinInsync",
    source="7.17",
)
TOPIC_UNCLEAN = record(
    "CONFIG_RECORD",
    _resource,
    fields=(_switch,),
    only={"resourceType": 2, "name": _UNCLEAN},
    replay=every(
        t, name[t].is_(_resource.value), unclean[t].becomes(_switch.over(cluster_unclean)), own_unclean[t].becomes(_switch.said)
    ),
    name="TopicUnclean",
    source="7.17",
)
CLUSTER_UNCLEAN = record(
    "CONFIG_RECORD",
    fields=(_switch,),
    only={"resourceType": 4, "resourceName": "", "name": _UNCLEAN},
    replay=(
        cluster_unclean.becomes(_switch.over(FALSE)),
        every(t, live[t] & ~own_unclean[t], unclean[t].becomes(_switch.over(FALSE))),
    ),
    name="ClusterUnclean",
    source="7.17",
)
CONFIG = record(
    "CONFIG_RECORD",
    _setting,
    fields=(required("resource", NAME, "resourceName"), _value),
    ignored=("resourceType", "name"),
    replay=(
        setting[_setting.value].becomes(_value.over(none_of(VALUE))),
        resource[_setting.value].becomes(_resource.value),
    ),
    name="Config",
    source="7.17",
)

# -- features, controllers, transactions -------------------------------------------------------------------------------
_level = required("level", LEVEL, "featureLevel")
METADATA_VERSION = record(
    "FEATURE_LEVEL_RECORD",
    fields=(_level,),
    only={"name": "metadata.version"},
    replay=(mv.becomes(_level.value), formatted.becomes(TRUE)),
    name="MetadataVersion",
    source="7.13",
)
ELR_VERSION = record(
    "FEATURE_LEVEL_RECORD",
    fields=(_level,),
    only={"name": "eligible.leader.replicas.version"},
    replay=elr_level.becomes(_level.value),
    name="ElrVersion",
    source="7.13",
)
_feature = required("feature", FEATURE, "name")
FEATURE_LEVEL = record(
    "FEATURE_LEVEL_RECORD",
    _feature,
    fields=(_level,),
    replay=level[_feature.value].becomes(_level.value),
    name="FeatureLevel",
    source="7.13",
)
_node = required("controller", NODE, "controllerId")
_node_incarnation = required("incarnation", INCARNATION, "incarnationId")
_migration = required("migration_ready", BOOL, "zkMigrationReady")
REGISTER_CONTROLLER = record(
    "REGISTER_CONTROLLER_RECORD",
    _node,
    fields=(_node_incarnation, _migration),
    replay=controller_incarnation[_node.value].becomes(_node_incarnation.value),
    ignored=("endPoints", "features"),
    name="RegisterController",
    source="7.18",
)
_next_id = required("next", PRODUCER_ID, "nextProducerId")
PRODUCER_IDS = record(
    "PRODUCER_IDS_RECORD",
    _b,
    fields=(_epoch, _next_id),
    replay=next_producer_id.becomes(_next_id.value),
    name="ProducerIds",
    source="7.13",
)
BEGIN = record(
    "BEGIN_TRANSACTION_RECORD", replay=in_transaction.becomes(TRUE), ignored=("name",), name="BeginTransaction", source="7.2"
)
END = record("END_TRANSACTION_RECORD", replay=in_transaction.becomes(FALSE), name="EndTransaction", source="7.2")
NO_OP = record("NO_OP_RECORD", name="NoOp", source="7.9")
