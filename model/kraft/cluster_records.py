"""The metadata records of configurations, features, controllers and transactions, with their names on the wire."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .security_records import credential, has_credential
from .state import *

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
        min_insync[t].becomes(_size.over(Lit(1, SIZE))),
        own_min_insync[t].becomes(_size.said),
    ),
    name="TopicMinInsync",
    source="S3:260-262",
)
CLUSTER_MIN_INSYNC = record(
    "CONFIG_RECORD",
    fields=(_size,),
    only={"resourceType": 4, "resourceName": "", "name": _MIN},
    replay=(cluster_min_insync.becomes(_size.over(Lit(1, SIZE))), cluster_min_set.becomes(_size.said)),
    name="ClusterMinInsync",
    source="S3:260-262",
)
TOPIC_UNCLEAN = record(
    "CONFIG_RECORD",
    _resource,
    fields=(_switch,),
    only={"resourceType": 2, "name": _UNCLEAN},
    replay=every(
        t, name[t].is_(_resource.value), unclean[t].becomes(_switch.over(FALSE)), own_unclean[t].becomes(_switch.said)
    ),
    name="TopicUnclean",
    source="S3:260-262",
)
CLUSTER_UNCLEAN = record(
    "CONFIG_RECORD",
    fields=(_switch,),
    only={"resourceType": 4, "resourceName": "", "name": _UNCLEAN},
    replay=cluster_unclean.becomes(_switch.over(static_unclean)),
    name="ClusterUnclean",
    source="S3:260-262",
)
NODE_UNCLEAN = record(
    "CONFIG_RECORD",
    _resource,
    fields=(_switch,),
    only={"resourceType": 4, "name": _UNCLEAN},
    replay=node_unclean[_resource.value].becomes(when(_switch.said, some(_switch.over(FALSE)), none_of(BOOL))),
    name="NodeUnclean",
    source="ConfigurationControlManager.currentControllerConfig",
)
CONFIG = record(
    "CONFIG_RECORD",
    _setting,
    fields=(_value,),
    replay=setting[_setting.value].becomes(_value.over(none_of(VALUE))),
    name="Config",
    source="S3:260-262",
)

# -- features, controllers, transactions -------------------------------------------------------------------------------
_level = required("level", LEVEL, "featureLevel")
METADATA_VERSION = record(
    "FEATURE_LEVEL_RECORD",
    fields=(_level,),
    only={"name": "metadata.version"},
    replay=mv.becomes(_level.value),
    name="MetadataVersion",
    source="S3:252-258",
)
ELR_VERSION = record(
    "FEATURE_LEVEL_RECORD",
    fields=(_level,),
    only={"name": "eligible.leader.replicas.version"},
    replay=elr_level.becomes(_level.value),
    name="ElrVersion",
    source="S3:252-258",
)
_feature = required("feature", FEATURE, "name")
FEATURE_LEVEL = record(
    "FEATURE_LEVEL_RECORD",
    _feature,
    fields=(_level,),
    replay=level[_feature.value].becomes(_level.value),
    name="FeatureLevel",
    source="S3:252-258",
)
_node = required("controller", NODE, "controllerId")
_node_incarnation = required("incarnation", INCARNATION, "incarnationId")
_ranges = optional("ranges", set_of(RANGE), "features")
_migration = required("migration_ready", BOOL, "zkMigrationReady")
REGISTER_CONTROLLER = record(
    "REGISTER_CONTROLLER_RECORD",
    _node,
    fields=(_node_incarnation, _migration, _ranges),
    replay=(
        controller_incarnation[_node.value].becomes(_node_incarnation.value),
        controller_ranges[_node.value].becomes(_ranges.over(nobody(RANGE))),
    ),
    ignored=("endPoints",),
    name="RegisterController",
    source="S3:228, S3:254",
)
UNREGISTER_CONTROLLER = record(
    "UNREGISTER_CONTROLLER_RECORD",
    _node,
    replay=(
        controller_incarnation[_node.value].becomes(none_of(INCARNATION)),
        controller_ranges[_node.value].becomes(nobody(RANGE)),
    ),
    name="UnregisterController",
    source="Kafka 4.4",
)
_b = required("broker", BROKER, "brokerId")
_epoch = required("epoch", OFFSET, "brokerEpoch")
_next_id = required("next", PRODUCER_ID, "nextProducerId")
PRODUCER_IDS = record(
    "PRODUCER_IDS_RECORD",
    _b,
    fields=(_epoch, _next_id),
    replay=(next_producer_id.becomes(_next_id.value), producer_ids_begun.becomes(TRUE)),
    version=Lit(0, LEVEL),
    name="ProducerIds",
    source="S3:252-258",
)
BEGIN = record(
    "BEGIN_TRANSACTION_RECORD",
    replay=in_transaction.becomes(TRUE),
    ignored=("name",),
    name="BeginTransaction",
    source="S3:166-173",
)
# The only transaction of a controller is its bootstrap, at the beginning of the log: what it takes back is everything.
ABORT = record(
    "ABORT_TRANSACTION_RECORD",
    replay=(
        in_transaction.becomes(FALSE),
        mv.becomes(0),
        elr_level.becomes(0),
        cluster_min_insync.becomes(Lit(Threshold(1), SIZE)),
        cluster_min_set.becomes(FALSE),
        every(f, TRUE, level[f].becomes(0)),
        every(credential, TRUE, has_credential[credential].becomes(FALSE)),
    ),
    ignored=("reason",),
    name="AbortTransaction",
    source="S3:171-173",
)
END = record("END_TRANSACTION_RECORD", replay=in_transaction.becomes(FALSE), name="EndTransaction", source="S3:166-173")
NO_OP = record("NO_OP_RECORD", name="NoOp", source="S3:268-276")
