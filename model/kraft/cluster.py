"""The small rows: activation, features, configurations, controllers, and the record that says nothing."""

from __future__ import annotations

from fencepost.model.language import (
    BOOL,
    FALSE,
    TRUE,
    event,
    every,
    exists,
    let,
    only_if,
    per,
    present,
    said,
    some,
    table,
    together,
)
from fencepost.model.language.state import ANY

from .answers import Error
from .cluster_records import (
    BEGIN,
    CLUSTER_MIN_INSYNC,
    CLUSTER_UNCLEAN,
    CONFIG,
    ELR_VERSION,
    END,
    FEATURE_LEVEL,
    METADATA_VERSION,
    NO_OP,
    PRODUCER_IDS,
    REGISTER_CONTROLLER,
    TOPIC_MIN_INSYNC,
    TOPIC_UNCLEAN,
)
from .records import CLEAR_ALL_ELR, CLEAR_ELR
from .state import (
    BROKER,
    FEATURE,
    LEVEL,
    NAME,
    NODE,
    OFFSET,
    SETTING,
    SIZE,
    VALUE,
    cluster_min_insync,
    cluster_min_set,
    elr_on,
    epoch,
    formatted,
    i,
    in_transaction,
    live,
    log_end,
    min_insync,
    mv,
    name,
    next_producer_id,
    own_min_insync,
    own_unclean,
    registered,
    setting,
    t,
    unclean,
)

f, n = FEATURE.var("f"), NAME.var("n")
to = LEVEL.var("to")
static_min = SIZE.var("static_min")
value, switch, size = VALUE.var("value"), BOOL.var("switch"), SIZE.var("size")
kept, deletes = BOOL.var("kept"), BOOL.var("deletes")
asked_level = per(FEATURE, "asked_level", LEVEL, ANY, what="fixed", about="the level at which a feature is formatted")
gives_level = per(FEATURE, "gives_level", BOOL, ANY, what="fixed", about="the feature is formatted at all")

# -- activation ------------------------------------------------------------------------------------------
mv_level, elr_target, has_elr = LEVEL.var("metadata_version"), LEVEL.var("elr_version"), BOOL.var("has_elr")
activate = event(
    "Activate", mv_level, elr_target, has_elr, static_min,
    given=~in_transaction & (mv_level >= 7),
    clues={asked_level[f]: (FEATURE_LEVEL.field("level"),)},
    source="S3:166-173", code="ActivationRecordsGenerator",
)  # fmt: skip
ACTIVATION = table(
    "activation",
    activate(
        "AC1",
        ~formatted,
        only_if(mv_level >= 13, BEGIN()),
        METADATA_VERSION(level=mv_level),
        together(
            only_if(has_elr, ELR_VERSION(level=elr_target)),
            every(f, gives_level[f], FEATURE_LEVEL(f, level=asked_level[f])),
        ),
        only_if(has_elr & (elr_target >= 1), CLUSTER_MIN_INSYNC(value=static_min)),
        only_if(mv_level >= 13, END()),
    ),
    activate("AC2", formatted),
    about="A new active controller finds an empty log, and writes the features that the cluster was formatted with; or it does not.",
    why={"AC1": "From 3.6-IV1 on inside a transaction, so that half of it never counts."},
)

# -- features -------------------------------------------------------------------------------------------
update = event("UpdateFeature", f, to, source="S3:252-258", code="FeatureControlManager.updateFeatures")
upgrade = event("UpgradeMetadataVersion", to, source="S3:252-258", code="FeatureControlManager.updateMetadataVersion")
switch_elr = event("EnableElr", to, static_min, source="S3:216, KIP-966", code="FeatureControlManager.updateFeatures")
enabled = let("elr_enabled", (mv >= 23) & (to >= 1))
minimum_set = only_if(~cluster_min_set, CLUSTER_MIN_INSYNC(value=static_min))
FEATURES = table(
    "features",
    update("FE1",     TRUE,     FEATURE_LEVEL(f, level=to),                   say=Error.NONE),
    upgrade("FE2",    to >= mv, METADATA_VERSION(level=to),                   say=Error.NONE),
    upgrade("FE3",    to < mv,                                                say=Error.INVALID_UPDATE_VERSION),
    switch_elr("FE4", enabled,  minimum_set, ELR_VERSION(level=to),           say=Error.NONE),
    switch_elr("FE5", ~enabled,                                               say=Error.INVALID_UPDATE_VERSION),
    about="Finalized feature levels. The current level again is accepted and written.",
    why={"FE4": "With the eligible leader replicas the cluster-wide min.insync.replicas must be set; brokers may not disagree."},
)  # fmt: skip

# -- configurations -------------------------------------------------------------------------------------
alter_min = event("AlterTopicMinInsync", t, n, size, deletes, source="S3:260-262", code="ConfigurationControlManager")
alter_cluster_min = event("AlterClusterMinInsync", size, source="S3:260-262", code="ConfigurationControlManager")
alter_unclean = event(
    "AlterTopicUnclean", t, n, switch, deletes, source="S3:260-262", code="ConfigurationControlManager"
)
alter_cluster_unclean = event(
    "AlterClusterUnclean", switch, deletes, source="S3:260-262", code="ConfigurationControlManager"
)
setting_key = SETTING.var("s")
alter_other = event(
    "AlterConfig", setting_key, n, value, deletes, kept, source="S3:260-262", code="ConfigurationControlManager"
)
named = let("named", live[t] & name[t].is_(some(n)))
topic_named = let("topic_named", exists(t, live[t] & name[t].is_(some(n))))
new_size = let("new_size", deletes & own_min_insync[t] | ~deletes & (~own_min_insync[t] | min_insync[t].isnt(size)))
new_switch = let("new_switch", deletes & own_unclean[t] | ~deletes & (~own_unclean[t] | unclean[t].isnt(switch)))
new_value = let(
    "new_value", deletes & present(setting[setting_key]) | ~deletes & setting[setting_key].isnt(some(value))
)
CONFIGURATIONS = table(
    "configurations",
    alter_min("CF1", named & new_size, TOPIC_MIN_INSYNC(n, value=said(size, if_=~deletes)), only_if(elr_on, CLEAR_ELR(n)),
              say=Error.NONE),
    alter_min("CF2", named & ~new_size, say=Error.NONE),
    alter_min("CF3", ~named, say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_cluster_min("CF4", cluster_min_insync.isnt(size), CLUSTER_MIN_INSYNC(value=size), only_if(elr_on, CLEAR_ALL_ELR()),
                      say=Error.NONE),
    alter_cluster_min("CF5", cluster_min_insync.is_(size), CLUSTER_MIN_INSYNC(value=size), only_if(elr_on, CLEAR_ALL_ELR()),
                      say=Error.NONE, finding="D24"),
    alter_unclean("CF6", named & new_switch, TOPIC_UNCLEAN(n, value=said(switch, if_=~deletes)), say=Error.NONE),
    alter_unclean("CF7", named & ~new_switch, say=Error.NONE),
    alter_unclean("CF8", ~named, say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_cluster_unclean("CF9", TRUE, CLUSTER_UNCLEAN(value=said(switch, if_=~deletes)), say=Error.NONE),
    alter_other("CF10", kept & topic_named & new_value, CONFIG(setting_key, resource=n, value=said(value, if_=~deletes)),
                say=Error.NONE),
    alter_other("CF11", kept & topic_named & ~new_value, say=Error.NONE),
    alter_other("CF12", kept & ~topic_named, say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_other("CF13", ~kept, CONFIG(setting_key, resource=n, value=said(value, if_=~deletes)), say=Error.NONE),
    about="One key of one resource at a time; `kept` says that the resource is a topic, whose unchanged values are not written.",
    why={
        "CF1": "Nobody counts any more what was in sync under the other minimum.",
        "CF5": "A value of the cluster is written again though nothing changes, and every eligible leader replica is forgotten.",
        "CF13": "Values of brokers and of the cluster are written even if they stay the same.",
    },
)  # fmt: skip

# -- producer ids ---------------------------------------------------------------------------------------
asking, asking_epoch = BROKER.var("b"), OFFSET.var("broker_epoch")
allocate = event(
    "AllocateProducerIds",
    asking,
    asking_epoch,
    source="S3:252-258",
    code="ProducerIdControlManager.generateNextProducerId",
)
known_broker = let("known", registered[asking] & asking_epoch.is_(epoch[asking]))
PRODUCERS = table(
    "producer ids",
    allocate("PI1", ~known_broker, say=Error.STALE_BROKER_EPOCH),
    allocate(
        "PI2", known_broker, PRODUCER_IDS(asking, epoch=asking_epoch, next=next_producer_id + 1000), say=Error.NONE
    ),
    about="A broker gets the next thousand producer ids.",
)

# -- controllers, and nothing ----------------------------------------------------------------------
controller = NODE.var("c")
register_controller = event(
    "RegisterController", controller, i, source="S3:228, S3:254", code="ClusterControlManager.registerController"
)
idle = event("Idle", OFFSET.var("later"), environment=True, source="S3:268-276", code="QuorumController.maybeWriteNoOp")
later = idle.params[0]
CONTROLLERS = table(
    "controllers",
    register_controller("CR0", mv < 15, say=Error.UNSUPPORTED_VERSION),
    register_controller(
        "CR1",
        mv >= 15,
        REGISTER_CONTROLLER(controller, incarnation=i, migration_ready=FALSE),
        say=Error.NONE,
    ),
    about="A controller makes itself known; nothing else is asked (K7).",
)
IDLE = table(
    "idle log",
    idle("NO1", (mv >= 5) & (log_end < later), NO_OP(), log_end.becomes(later)),
    about="The log grows by itself, so that everybody's offset can be told to be recent.",
)
