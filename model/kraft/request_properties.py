"""Properties of operators' requests: a refused request or a dry run changes nothing, one answered NONE is done."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .answers import Error
from .brokers import FENCING, HEARTBEAT, REGISTRATION, UNREGISTRATION
from .cluster import (
    ACTIVATION,
    CONTROLLERS,
    FEATURES,
    IDLE,
    METADATA_CHANGED,
    PRODUCERS,
    Direction,
    broker_minimum,
    controller,
    itself,
    now,
    to,
    told,
    way,
)
from .configurations import (
    CONFIGURATIONS,
    SEVERAL,
    away,
    deletes,
    drops_min,
    drops_unclean,
    dry,
    exists_already,
    min_asked,
    min_away,
    min_to,
    node_asked,
    node_away,
    node_to,
    one,
    permitted,
    sets_min,
    sets_unclean,
    size,
    switch,
    to_size,
    to_switch,
    unclean_asked,
    unclean_away,
    unclean_to,
    valid,
    value,
)
from .directories import ASSIGNMENT, CORDONING, OFFLINE
from .elections import ELECTIONS
from .partitions import ALTER_PARTITION, LEADERS
from .reassignment import REASSIGNMENT, kept_members, may_resize, running, target, target_members
from .state import *
from .topics import GROWTH, TOPICS, adds, allows, has_allows, has_smallest, n, preceded, smallest

g = FEATURE.var("g")
o = NAME.var("o")
_TABLES = (
    REGISTRATION, UNREGISTRATION, HEARTBEAT, OFFLINE, CORDONING, ASSIGNMENT, FENCING, LEADERS, ALTER_PARTITION, REASSIGNMENT,
    ELECTIONS, TOPICS, GROWTH, ACTIVATION, FEATURES, CONFIGURATIONS, SEVERAL, CONTROLLERS, PRODUCERS, IDLE,
)  # fmt: skip
_REFUSALS = tuple(
    row.id
    for table in _TABLES
    for row in table.rows
    if isinstance(row.say, Lit) and isinstance(row.say.value, Error) and row.say.value is not Error.NONE
)
"""The rows that always refuse."""
_values_stay = let(
    "values_stay",
    forall(s, next_(setting[s]).is_(setting[s]))
    & forall(n, next_(node_unclean[n]).is_(node_unclean[n]))
    & forall(
        t,
        next_(min_insync[t]).is_(min_insync[t])
        & next_(own_min_insync[t]).is_(own_min_insync[t])
        & next_(unclean[t]).is_(unclean[t])
        & next_(own_unclean[t]).is_(own_unclean[t]),
    )
    & next_(cluster_min_insync).is_(cluster_min_insync)
    & next_(cluster_min_set).is_(cluster_min_set)
    & next_(cluster_unclean).is_(cluster_unclean),
)
_nothing_changes = (
    forall(
        p,
        next_(exists_[p]).is_(exists_[p])
        & next_(partition_epoch[p]).is_(partition_epoch[p])
        & next_(leader[p]).is_(leader[p])
        & next_(isr[p]).is_(isr[p]),
    )
    & forall(
        x, next_(registered[x]).is_(registered[x]) & next_(epoch[x]).is_(epoch[x]) & next_(fenced[x]).is_(fenced[x])
    )
    & forall(t, next_(live[t]).is_(live[t]))
    & next_(mv).is_(mv)
    & _values_stay
)
_same_minimum = next_(min_insync_of(topic[p])).is_(min_insync_of(topic[p]))
_new_minimum: Term[Any] = lesser(next_(min_insync_of(topic[p])), replication[topic[p]])

REFUSALS = (
    step(
        "C2",
        _nothing_changes,
        "A request that is refused changes nothing.",
        "7.8-7.18",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about requests that are refused; other rows do what is asked for",
        rows=_REFUSALS,
        expected="violated",
        finding="D30",
        by=("CP6",),
    ),
    step(
        "C3",
        (~valid | ~permitted | dry).implies(_values_stay & forall(p, next_(elr[p]).is_(elr[p]))),
        "A configuration that is not valid, that the policy forbids, or that is only asked about changes nothing.",
        "S3:260-262, CF4, CF8",
        scope=AT_RESULT_BOUNDARIES,
        rows=tuple(row.id for row in CONFIGURATIONS.rows),
    ),
)
VALUES = (
    step(
        "C4",
        (~deletes).implies(next_(own_min_insync[t] & min_insync[t].is_(size)))
        & deletes.implies(next_(~own_min_insync[t])),
        "A topic's min.insync.replicas that is answered NONE is stored, or gives way to the cluster's.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF5",),
    ),
    step(
        "C5",
        (~deletes).implies(next_(own_unclean[t] & unclean[t].is_(switch))) & deletes.implies(next_(~own_unclean[t])),
        "A topic's unclean.leader.election.enable that is answered NONE is stored, or gives way to the cluster's.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF10",),
    ),
    step(
        "C6",
        (~deletes).implies(next_(cluster_min_set & cluster_min_insync.is_(size)))
        & deletes.implies(~next_(cluster_min_set)),
        "The cluster's min.insync.replicas that is answered NONE is stored, or taken away.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF14", "CF15"),
    ),
    step(
        "C7",
        next_(cluster_unclean).is_(when(deletes, static_unclean, switch)),
        "The cluster's unclean.leader.election.enable that is answered NONE is stored, or gives way to the static one.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF19",),
    ),
    step(
        "C18",
        (~deletes).implies(next_(node_unclean[n]).is_(some(switch)))
        & deletes.implies(next_(absent(node_unclean[n])))
        & forall(o, o.isnt(n).implies(next_(node_unclean[o]).is_(node_unclean[o]))),
        "A node's unclean.leader.election.enable that is answered NONE is stored, or taken away, and no other node's.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF28",),
    ),
    step(
        "C8",
        (~deletes).implies(next_(setting[one]).is_(some(value)))
        & deletes.implies(next_(absent(setting[one])))
        & forall(s, s.isnt(one).implies(next_(setting[s]).is_(setting[s])))
        & resource_type[one].is_(2).implies(exists(t, live[t] & name[t].is_(some(resource[one])))),
        "Any other value that is answered NONE is stored, or taken away, alone; that of a topic only where there is the topic.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CF24",),
    ),
    step(
        "C9",
        sets_min.implies(
            next_(cluster_min_set).is_(~drops_min) & (~drops_min).implies(next_(cluster_min_insync).is_(to_size))
        )
        & sets_unclean.implies(next_(cluster_unclean).is_(when(drops_unclean, static_unclean, to_switch)))
        & forall(
            n,
            next_(node_unclean[n]).is_(
                when(node_asked[n], when(node_away[n], none_of(BOOL), some(node_to[n])), node_unclean[n])
            ),
        )
        & forall(
            s,
            (exists_already & away[s]).implies(next_(absent(setting[s])))
            & (exists_already & asks[s] & ~away[s]).implies(next_(setting[s]).is_(some(asked[s])))
            & (~exists_already | ~asks[s] & ~away[s]).implies(next_(setting[s]).is_(setting[s])),
        )
        & forall(
            t,
            forall(
                n,
                (live[t] & name[t].is_(some(n)) & min_asked[n]).implies(
                    next_(own_min_insync[t]).is_(~min_away[n])
                    & (~min_away[n]).implies(next_(min_insync[t]).is_(min_to[n]))
                )
                & (live[t] & name[t].is_(some(n)) & unclean_asked[n]).implies(
                    next_(own_unclean[t]).is_(~unclean_away[n])
                    & (~unclean_away[n]).implies(next_(unclean[t]).is_(unclean_to[n]))
                ),
            ),
        ),
        "Every value of a request with several is stored, or taken away; those of a topic only where there is the topic.",
        "7.17",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CM1",),
    ),
    always(
        "C10",
        forall(
            t,
            live[t].implies(formatted)
            & (own_min_insync[t] | min_insync[t].is_(Lit(Threshold(1), SIZE)))
            & (own_unclean[t] | ~unclean[t]),
        ),
        "Nothing is left of a value that a topic had and has not; there are topics only once the log is formatted.",
        "S3:260-262",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "C11",
        forall(
            p,
            next_(elr[p])
            .isnt(elr[p])
            .implies(~_same_minimum | next_(own_min_insync[topic[p]]).isnt(own_min_insync[topic[p]])),
        ),
        "Setting a topic's min.insync.replicas forgets the eligible leader replicas of no other topic, and only where it changes.",
        "7.16",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about a topic's min.insync.replicas; P35 and P26 say of every row who stays eligible",
        rows=("CF5",),
    ),
    step(
        "C12",
        forall(
            p,
            (
                exists_[p]
                & next_(exists_[p])
                & elr_on
                & cluster_min_set
                & ~_same_minimum
                & at_least(members(isr[p]), _new_minimum)
            ).implies(next_(elr[p]).is_(nobody(BROKER))),
        ),
        "Where min.insync.replicas changes and as many are in sync as the new one asks for, those that the other minimum made "
        "eligible are forgotten: they need not have what is acknowledged from now on.",
        "7.16",
        scope=AT_RESULT_BOUNDARIES,
    ),
)
TOPICS_AND_REASSIGNMENTS = (
    step(
        "C13",
        next_(live[t] & name[t].is_(some(n)))
        & forall(p, topic[p].is_(t).implies(next_(exists_[p])))
        & has_smallest.implies(next_(own_min_insync[t] & min_insync[t].is_(smallest)))
        & has_allows.implies(next_(own_unclean[t] & unclean[t].is_(allows)))
        & forall(
            s, (asks[s] & resource_type[s].is_(2) & resource[s].is_(n)).implies(next_(setting[s]).is_(some(asked[s])))
        ),
        "A topic that is answered NONE is there under its name, with every partition and every value that was asked for.",
        "7.11",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CT3",),
    ),
    always(
        "C19",
        forall(t, live[t].implies(exists(p, exists_[p] & topic[p].is_(t) & index[p].is_(0))))
        & forall(p, exists_[p].implies(preceded(p, exists_[q]))),
        "The partitions of a topic are numbered from 0 on, none is left out, and there is one at least.",
        "ReplicationControlManager.createTopic, createPartitions",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "C14",
        ~next_(live[t])
        & forall(u, u.isnt(t).implies(next_(live[u]).is_(live[u])))
        & forall(p, next_(exists_[p]).is_(exists_[p] & topic[p].isnt(t)))
        & forall(s, (resource_type[s].is_(2) & name[t].is_(some(resource[s]))).implies(next_(absent(setting[s])))),
        "A topic that is deleted is gone with its partitions and its configuration, and no other is.",
        "7.11",
        scope=AT_RESULT_BOUNDARIES,
        rows=("DT2",),
    ),
    step(
        "C15",
        exists(p, ~exists_[p] & next_(exists_[p])) & forall(p, (adds[p] & topic[p].is_(t)).implies(next_(exists_[p]))),
        "More partitions that are answered NONE are there, one at least.",
        "7.11",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CP5",),
    ),
    step(
        "C16",
        (~running).implies(
            (next_(members(replicas[p])).is_(members(target) | next_(removing[p])))
            & next_(head(replicas[p])).is_(head(target))
            & (
                next_(adding[p]).is_(members(target) - members(replicas[p]))
                | next_((adding[p] | removing[p]).is_(nobody(BROKER)))
            )
        ),
        "A reassignment of a partition that has none under way leads to its target, whose preferred replica counts at once.",
        "7.10",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RA3",),
    ),
    step(
        "C20",
        may_resize
        | at_least(target_members, size_of(kept_members, SIZE)) & at_least(kept_members, size_of(target_members, SIZE)),
        "A reassignment that may not change the number of replicas has a target of as many.",
        "KIP-860",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RA3",),
    ),
    step(
        "C17",
        next_(members(replicas[p])).is_(members(replicas[p]) - adding[p])
        & next_((adding[p] | removing[p]).is_(nobody(BROKER))),
        "A reassignment that is taken back leaves the replicas as they were, and none under way.",
        "7.10",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RC4", "RC5"),
    ),
)
_UPDATES = ("FE5", "FE7", "FE8", "FE9", "FE10", "FE12")
_elr_is_backed = (elr_level < 1) | (mv >= 23)
_one_minimum = (elr_level < 1) | (cluster_min_set & ~exists(s, broker_minimum))
CLUSTER = (
    step(
        "L17",
        next_(finalized(f)).is_(to) & forall(g, g.isnt(f).implies(next_(finalized(g)).is_(finalized(g)))),
        "A feature level that is answered NONE is finalized, and no other has changed.",
        "7.13",
        scope=AT_RESULT_BOUNDARIES,
        rows=_UPDATES,
    ),
    step(
        "L18",
        way.isnt(Direction.UNKNOWN)
        & way.is_(Direction.UPGRADE).implies(now <= to)
        & (way.is_(Direction.UPGRADE) | (to <= now)),
        "An upgrade lowers no level, and a downgrade raises none.",
        "7.13",
        scope=AT_RESULT_BOUNDARIES,
        rows=_UPDATES,
    ),
    step(
        "L19",
        (formatted & (next_(mv) < mv)).implies(
            ~any_of(*((next_(mv) < gate) & (mv >= gate) for gate in METADATA_CHANGED))
        ),
        "metadata.version never goes back across a level at which metadata changed its form.",
        "7.14",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "L20",
        (formatted & _elr_is_backed).implies(next_(_elr_is_backed)),
        "Eligible leader replicas are switched on only at 4.0-IV1 or above, and metadata.version never falls below it while they are.",
        "7.14",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "L21",
        (formatted & _one_minimum).implies(next_(_one_minimum)),
        "With eligible leader replicas the cluster has a min.insync.replicas, and no broker one of its own.",
        "7.16",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step("L22", log_end <= next_(log_end), "The log never becomes shorter.", "S3:17, L1", scope=AT_RESULT_BOUNDARIES),
    step(
        "L22n",
        (mv >= 5) & (log_end < next_(log_end)),
        "A NoOp is a record, which metadata.version 3.3-IV1 brought: it takes an offset of the log.",
        "S3:268-276",
        scope=AT_RESULT_BOUNDARIES,
        named_for="a NoOp is nothing but its offset; of others the offset is kept where a later row reads it (B1, B15)",
        rows=("NO1",),
    ),
    step(
        "L24",
        next_(controller_incarnation[controller]).is_(some(i)) & next_(controller_ranges[controller]).is_(told),
        "A controller's registration says who it is and what it can do.",
        "7.18",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CR1",),
    ),
    step(
        "L25",
        present(controller_incarnation[controller]) & next_(absent(controller_incarnation[controller])),
        "An operator takes away the registration of a controller that has one.",
        "7.16",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CU3",),
    ),
    step(
        "L26",
        ~itself,
        "An operator never takes away the registration of the active controller.",
        "QuorumController.unregisterController",
        scope=AT_RESULT_BOUNDARIES,
        rows=("CU3",),
    ),
)
PROPERTIES = (*REFUSALS, *VALUES, *TOPICS_AND_REASSIGNMENTS, *CLUSTER)
