"""The configuration manager of KRaft: what is checked, what is written, and what it makes of the eligible leader replicas."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .cluster_records import CLUSTER_MIN_INSYNC, CLUSTER_UNCLEAN, CONFIG, NODE_UNCLEAN, TOPIC_MIN_INSYNC, TOPIC_UNCLEAN
from .records import CLEAR_ALL_ELR, CLEAR_ELR
from .state import *

n = NAME.var("n")
value, switch, size = VALUE.var("value"), BOOL.var("switch"), SIZE.var("size")
deletes = BOOL.var("deletes")
valid, permitted, dry = BOOL.var("valid"), BOOL.var("permitted"), BOOL.var("validate_only")
one = SETTING.var("s")

_CODE = "ConfigurationControlManager.incrementalAlterConfigs"
alter_min = event("AlterTopicMinInsync", t, n, size, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE)
alter_unclean = event(
    "AlterTopicUnclean", t, n, switch, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE
)
alter_cluster_min = event(
    "AlterClusterMinInsync", size, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE
)
alter_cluster_unclean = event(
    "AlterClusterUnclean", switch, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE
)
alter_node_unclean = event(
    "AlterNodeUnclean", n, switch, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE
)
alter_other = event("AlterConfig", one, value, deletes, valid, permitted, dry, source="S3:260-262", code=_CODE)

named = let("named", live[t] & name[t].is_(some(n)))
of_topic, of_broker = resource_type[one].is_(2), resource_type[one].is_(4)
unknown = let("unknown_topic", of_topic & ~exists(t, live[t] & name[t].is_(some(resource[one]))))
brokers_own = let("brokers_own_minimum", of_broker & key[one].is_(min_insync_key))
new_size = let("new_size", deletes & own_min_insync[t] | ~deletes & (~own_min_insync[t] | min_insync[t].isnt(size)))
new_switch = let("new_switch", deletes & own_unclean[t] | ~deletes & (~own_unclean[t] | unclean[t].isnt(switch)))
new_value = let("new_value", deletes & present(setting[one]) | ~deletes & setting[one].isnt(some(value)))
same_minimum = let("same_minimum", cluster_min_set & ~deletes & cluster_min_insync.is_(size))
CONFIGURATIONS = table(
    "configurations",
    alter_min("CF1", ~valid,                     say=Error.INVALID_CONFIG),
    alter_min("CF2", ~named,                     say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_min("CF3", new_size & ~permitted,      say=Error.POLICY_VIOLATION),
    alter_min("CF4", dry | ~new_size,            say=Error.NONE),
    alter_min("CF5", TRUE, TOPIC_MIN_INSYNC(n, value=said(size, if_=~deletes)), only_if(elr_on, CLEAR_ELR(n)), say=Error.NONE),
    alter_unclean("CF6", ~valid,                 say=Error.INVALID_CONFIG),
    alter_unclean("CF7", ~named,                 say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_unclean("CF8", new_switch & ~permitted, say=Error.POLICY_VIOLATION),
    alter_unclean("CF9", dry | ~new_switch,      say=Error.NONE),
    alter_unclean("CF10", TRUE, TOPIC_UNCLEAN(n, value=said(switch, if_=~deletes)), say=Error.NONE),
    alter_cluster_min("CF11", ~valid | elr_on & deletes, say=Error.INVALID_CONFIG),
    alter_cluster_min("CF12", ~permitted,        say=Error.POLICY_VIOLATION),
    alter_cluster_min("CF13", dry,               say=Error.NONE),
    alter_cluster_min("CF14", same_minimum, CLUSTER_MIN_INSYNC(value=size), only_if(elr_on, CLEAR_ALL_ELR()), say=Error.NONE,
                      finding="D24"),
    alter_cluster_min("CF15", TRUE, CLUSTER_MIN_INSYNC(value=said(size, if_=~deletes)), only_if(elr_on, CLEAR_ALL_ELR()),
                      say=Error.NONE),
    alter_cluster_unclean("CF16", ~valid,        say=Error.INVALID_CONFIG),
    alter_cluster_unclean("CF17", ~permitted,    say=Error.POLICY_VIOLATION),
    alter_cluster_unclean("CF18", dry,           say=Error.NONE),
    alter_cluster_unclean("CF19", TRUE, CLUSTER_UNCLEAN(value=said(switch, if_=~deletes)), say=Error.NONE),
    alter_node_unclean("CF25", ~valid,           say=Error.INVALID_CONFIG),
    alter_node_unclean("CF26", ~permitted,       say=Error.POLICY_VIOLATION),
    alter_node_unclean("CF27", dry,              say=Error.NONE),
    alter_node_unclean("CF28", TRUE, NODE_UNCLEAN(n, value=said(switch, if_=~deletes)), say=Error.NONE),
    alter_other("CF20", ~valid | elr_on & brokers_own, say=Error.INVALID_CONFIG),
    alter_other("CF21", unknown,                 say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter_other("CF22", (new_value | of_broker) & ~permitted, say=Error.POLICY_VIOLATION),
    alter_other("CF23", dry | ~of_broker & ~new_value, say=Error.NONE),
    alter_other("CF24", TRUE, CONFIG(one, value=said(value, if_=~deletes)), say=Error.NONE),
    mode="first match",
    total=True,
    about="One key of one resource. The verdicts of the validator, the policy and the request's own check are parameters of the event.",
    why={
        "CF1": "An unknown key, a bad value, one longer than 32,767.",
        "CF3": "The policy sees only keys that get a record.",
        "CF5": "What was in sync under the other minimum no longer counts.",
        "CF11": "With the eligible leader replicas the cluster's minimum cannot be taken away, nor a broker have its own.",
        "CF14": "A value of the cluster is written again though nothing changes, and every eligible leader replica is forgotten.",
        "CF28": "The value counts while the active controller is the node of that id: for a broker's id it decides nothing.",
        "CF24": "Values of brokers and of the cluster are written even if they stay the same; those of topics, groups and "
        "client metrics are not.",
    },
)  # fmt: skip

# -- several at once ------------------------------------------------------------------------------------
min_asked = per(NAME, "min_asked", BOOL, ANY, what="fixed", about="the request names the topic's min.insync.replicas")
min_to = per(NAME, "min_to", SIZE, ANY, what="fixed", about="the value that it gives")
min_away = per(NAME, "min_away", BOOL, ANY, what="fixed", about="it deletes the value instead")
unclean_asked = per(NAME, "unclean_asked", BOOL, ANY, what="fixed", about="it names unclean.leader.election.enable")
unclean_to = per(NAME, "unclean_to", BOOL, ANY, what="fixed", about="the value that it gives")
unclean_away = per(NAME, "unclean_away", BOOL, ANY, what="fixed", about="it deletes the value instead")
node_asked = per(NAME, "node_asked", BOOL, ANY, what="fixed", about="it names that key of a node")
node_to = per(NAME, "node_to", BOOL, ANY, what="fixed", about="the value that it gives")
node_away = per(NAME, "node_away", BOOL, ANY, what="fixed", about="it deletes the value instead")
away = per(SETTING, "away", BOOL, ANY, what="fixed", about="the request deletes this setting")
sets_min, drops_min, to_size = BOOL.var("sets_min"), BOOL.var("drops_min"), SIZE.var("to_size")
sets_unclean, drops_unclean, to_switch = BOOL.var("sets_unclean"), BOOL.var("drops_unclean"), BOOL.var("to_switch")
several = event(
    "AlterConfigs", sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch,
    clues={
        min_to[n]: (TOPIC_MIN_INSYNC.field("value"),),
        unclean_to[n]: (TOPIC_UNCLEAN.field("value"),),
        node_to[n]: (NODE_UNCLEAN.field("value"),),
        asked[s]: (CONFIG.field("value"),),
    },
    source="S3:260-262", code="ConfigurationControlManager.legacyAlterConfigs",
)  # fmt: skip
is_topic = exists(t, live[t] & name[t].is_(some(n)))
has_min = exists(t, live[t] & name[t].is_(some(n)) & own_min_insync[t])
has_unclean = exists(t, live[t] & name[t].is_(some(n)) & own_unclean[t])
same_min = exists(t, live[t] & name[t].is_(some(n)) & own_min_insync[t] & min_insync[t].is_(min_to[n]))
same_unclean = exists(t, live[t] & name[t].is_(some(n)) & own_unclean[t] & unclean[t].is_(unclean_to[n]))
min_changes = min_asked[n] & is_topic & (min_away[n] & has_min | ~min_away[n] & ~same_min)
unclean_changes = unclean_asked[n] & is_topic & (unclean_away[n] & has_unclean | ~unclean_away[n] & ~same_unclean)
exists_already = resource_type[s].isnt(2) | exists(t, live[t] & name[t].is_(some(resource[s])))
changes = exists_already & (
    (away[s] & present(setting[s]))
    | (~away[s] & asks[s] & setting[s].isnt(some(asked[s])))
    | (asks[s] & resource_type[s].is_(4))
)
cluster_loses = let("cluster_loses", sets_min & drops_min)
broker_gets = let("broker_gets", exists(s, changes & resource_type[s].is_(4) & key[s].is_(min_insync_key)))
elr_forbids = let("elr_forbids", elr_on & (cluster_loses | broker_gets))
SEVERAL = table(
    "several settings",
    several(
        "CM1",
        ~elr_forbids,
        together(
            only_if(sets_min, CLUSTER_MIN_INSYNC(value=said(to_size, if_=~drops_min))),
            only_if(sets_unclean, CLUSTER_UNCLEAN(value=said(to_switch, if_=~drops_unclean))),
            every(n, min_changes, TOPIC_MIN_INSYNC(n, value=said(min_to[n], if_=~min_away[n]))),
            every(n, unclean_changes, TOPIC_UNCLEAN(n, value=said(unclean_to[n], if_=~unclean_away[n]))),
            every(n, node_asked[n], NODE_UNCLEAN(n, value=said(node_to[n], if_=~node_away[n]))),
            every(s, changes, CONFIG(s, value=said(asked[s], if_=~away[s]))),
        ),
        together(only_if(sets_min & elr_on, CLEAR_ALL_ELR()), every(n, min_changes & elr_on, CLEAR_ELR(n))),
        say=Error.NONE,
    ),
    several("CM2", elr_forbids, say=Error.INVALID_CONFIG),
    total=True,
    about="Several settings of topics, brokers and the cluster in one atomic result: values first, then what they clear. A "
    "request of the legacy kind deletes every value of a resource that it does not name; refused resources write nothing.",
    why={
        "CM1": "What is named of brokers and of the cluster is written even if it stays the same.",
        "CM2": "As CF11 and CF20. Each resource is answered by itself: CM1 is asked about what is left of the request.",
    },
)
