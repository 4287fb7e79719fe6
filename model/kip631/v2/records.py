"""The metadata records of the second version that the tables write, with its own field names (S2:425-497).

The record frame has version 0 (S2:23). What S2 prints of both versions is untangled in spec/kip631-v2.md: v1's fields are
`Id` and `Epoch`, v2's `BrokerId` and `BrokerEpoch`; v2 has a PartitionChange with optional fields where v1 has an IsrChange.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

_b, _epoch = required("broker", BROKER, "BrokerId"), required("epoch", OFFSET, "BrokerEpoch")
_incarnation = required("incarnation", INCARNATION, "IncarnationId")

REGISTER_BROKER = record(
    "RegisterBrokerRecord",
    _b,
    fields=(_incarnation, _epoch),
    replay=(
        registered[_b.value].becomes(TRUE),
        incarnation[_b.value].becomes(_incarnation.value),
        broker_epoch[_b.value].becomes(_epoch.value),
        fenced[_b.value].becomes(TRUE),
    ),
    ignored=("EndPoints", "Features", "Rack"),
    name="RegisterBroker",
    source="S2:425-431",
)
UNREGISTER_BROKER = record(
    "UnregisterBrokerRecord",
    _b,
    fields=(_epoch,),
    replay=(
        registered[_b.value].becomes(FALSE),
        incarnation[_b.value].becomes(0),
        broker_epoch[_b.value].becomes(-1),
        fenced[_b.value].becomes(TRUE),
    ),
    name="UnregisterBroker",
    source="S2:435",
)
FENCE_BROKER = record(
    "FenceBrokerRecord",
    _b,
    fields=(_epoch,),
    replay=(fenced[_b.value].becomes(TRUE),),
    name="FenceBroker",
    source="S2:488",
)
UNFENCE_BROKER = record(
    "UnfenceBrokerRecord",
    _b,
    fields=(_epoch,),
    replay=(fenced[_b.value].becomes(FALSE),),
    name="UnfenceBroker",
    source="S2:492",
)

_p = required("partition", PARTITION, "PartitionId")
_isr = optional("isr", set_of(BROKER), "Isr")
_leader = optional("leader", maybe(BROKER), "Leader", absent=-2, none=-1)
_replicas = optional("replicas", set_of(BROKER), "Replicas")
_removing = optional("removing", set_of(BROKER), "RemovingReplicas")
_adding = optional("adding", set_of(BROKER), "AddingReplicas")

PARTITION_CHANGE = record(
    "PartitionChangeRecord",
    _p,
    fields=(_isr, _leader, _replicas, _removing, _adding),
    replay=(
        isr[_p.value].becomes(_isr.over(isr[_p.value])),
        leader[_p.value].becomes(_leader.over(leader[_p.value])),
        leader_epoch[_p.value].becomes(when(_leader.said, leader_epoch[_p.value] + 1, leader_epoch[_p.value])),
        only_if(_leader.said, leader_in[_p.value, leader_epoch[_p.value] + 1].becomes(_leader.value)),
        replicas[_p.value].becomes(_replicas.over(replicas[_p.value])),
        removing[_p.value].becomes(_removing.over(removing[_p.value])),
        adding[_p.value].becomes(_adding.over(adding[_p.value])),
    ),
    ignored=("TopicId",),
    silent=True,
    name="PartitionChange",
    source="S2:467-475",
)

_t = required("topic", TOPIC, "TopicId")
TOPIC_RECORD = record(
    "TopicRecord",
    _t,
    replay=(created_at[_t.value].becomes(next_offset),),
    ignored=("TopicName",),
    name="Topic",
    source="S2:439-449",
)
REMOVE_TOPIC = record(
    "RemoveTopicRecord", _t, replay=(removed_at[_t.value].becomes(next_offset),), name="RemoveTopic", source="S2:497"
)
