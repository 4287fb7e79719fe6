"""The metadata records that the tables write, with their names on the wire and what replaying them does."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

RECOVERED = literal(Recovery.RECOVERED)


def level_at(number: int) -> Term[int]:
    """Return a feature level as a term."""
    return Lit(number, LEVEL)


IN_SNAPSHOTS = "a snapshot says it"

# -- brokers -----------------------------------------------------------------------------------------------------------
_b = required("broker", BROKER, "brokerId")
_epoch = required("epoch", OFFSET, "brokerEpoch")
_registered_as = required("incarnation", INCARNATION, "incarnationId")
_fenced = required("fenced", BOOL)
_ics = required("ics", BOOL, "inControlledShutdown")
_dirs = required("directories", set_of(DIRECTORY), "logDirs")
# A registration that a broker sends says nothing of cordoned directories; one in a snapshot does.
_ranges = optional("ranges", set_of(RANGE), "features")
_cordoned = optional("cordoned", set_of(DIRECTORY), "cordonedLogDirs", unwritten=IN_SNAPSHOTS)

REGISTER_BROKER = record(
    "REGISTER_BROKER_RECORD",
    _b,
    fields=(_epoch, _registered_as, _fenced, _ics, _dirs, _ranges, _cordoned),
    replay=(
        registered[_b.value].becomes(TRUE),
        epoch[_b.value].becomes(_epoch.value),
        incarnation[_b.value].becomes(_registered_as.value),
        fenced[_b.value].becomes(_fenced.value),
        ics[_b.value].becomes(_ics.value),
        directories[_b.value].becomes(_dirs.value),
        ranges[_b.value].becomes(_ranges.over(nobody(RANGE))),
        cordon_known[_b.value].becomes(_cordoned.said),
        cordoned[_b.value].becomes(_cordoned.over(nobody(DIRECTORY))),
    ),
    ignored=("endPoints", "rack", "isMigratingZkBroker"),
    version=when(mv < 8, level_at(1), when(mv < 17, level_at(2), when(mv < 30, level_at(3), level_at(4)))),
    name="RegisterBroker",
    source="S3:228",
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
    source="S3:222-224",
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
    source="S3:222-224",
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
    source="S3:222-224",
)
# An empty list of directories says that nothing has changed: "none is left" cannot be written (D12).
_dirs_left = optional("directories", set_of(DIRECTORY), "logDirs", absent=())
DIRECTORIES = record(
    _CHANGE,
    _b,
    fields=(_epoch, _dirs_left, _cordoned),
    only={"fenced": 0, "inControlledShutdown": 0},
    replay=(
        directories[_b.value].becomes(_dirs_left.over(directories[_b.value])),
        cordoned[_b.value].becomes(_cordoned.over(cordoned[_b.value])),
        only_if(_cordoned.said, cordon_known[_b.value].becomes(TRUE)),
    ),
    version=when(_cordoned.said, level_at(3), level_at(2)),
    name="Directories",
    source="ReplicationControlManager.handleDirectoriesOffline",
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
        ranges[_b.value].becomes(nobody(RANGE)),
        cordon_known[_b.value].becomes(FALSE),
        cordoned[_b.value].becomes(nobody(DIRECTORY)),
    ),
    name="UnregisterBroker",
    source="S2:418",
)

_ONCE, _NEVER = Lit(1, COPIES), Lit(0, COPIES)

# -- topics and partitions ---------------------------------------------------------------------------------------------
_t = required("topic", TOPIC, "topicId")
_name = required("name", NAME)
TOPIC_RECORD = record(
    "TOPIC_RECORD",
    _t,
    fields=(_name,),
    replay=(live[_t.value].becomes(TRUE), name[_t.value].becomes(_name.value)),
    name="Topic",
    source="S3:198-203, S3:264-266",
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
_first_recovery = optional("recovery", one_of(Recovery), "leaderRecoveryState", absent=0, unwritten=IN_SNAPSHOTS)
_first_elr = optional("elr", set_of(BROKER), "eligibleLeaderReplicas", unwritten=IN_SNAPSHOTS)
_first_last_known = optional("last_known", BROKERS, "lastKnownElr", none=-1, unwritten=IN_SNAPSHOTS)
_p_replicas = replicas[_p.value]
_stored_directories = each(x, _p_replicas, location[_p.value, x])
_directories = parallel("directories", beside(BROKER, maybe(DIRECTORY)))
PARTITION_RECORD = record(
    "PARTITION_RECORD",
    _p,
    # A snapshot writes a partition as it is, so it says more than creation does.
    fields=(
        _of,
        _index,
        _replicas,
        _isr,
        _removing,
        _adding,
        _leader,
        _leader_epoch,
        _partition_epoch,
        _first_recovery,
        _first_elr,
        _first_last_known,
        _directories,
    ),
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
        recovery[_p.value].becomes(_first_recovery.over(RECOVERED)),
        elr[_p.value].becomes(_first_elr.over(nobody(BROKER))),
        last_known[_p.value].becomes(_first_last_known.over(nothing(BROKER))),
        last_nobody[_p.value].becomes(_first_last_known.said & empty(_first_last_known.over(nothing(BROKER)))),
        every(
            x,
            TRUE,
            elr_index[_p.value, x].becomes(when(x.in_(_first_elr.over(nobody(BROKER))), _ONCE, _NEVER)),
            # A record from before there were directories leaves them as migrating.
            location[_p.value, x].becomes(
                when(
                    x.in_(_replicas.value),
                    when(_directories.said, _directories.at(_replicas.value, x), some(migrating)),
                    none_of(DIRECTORY),
                )
            ),
        ),
        only_if(_index.value.is_(0), replication[_of.value].becomes(size_of(members(_replicas.value), SIZE))),
    ),
    version=when(mv < 17, level_at(0), when(mv < 23, level_at(1), level_at(2))),
    name="Partition",
    source="S3:198-203, S3:264-266",
)

ISR = optional("isr", BROKERS)
LEADER = optional("leader", maybe(BROKER), absent=-2, none=-1)
REPLICAS = optional("replicas", BROKERS)
REMOVING = optional("removing", set_of(BROKER), "removingReplicas")
ADDING = optional("adding", set_of(BROKER), "addingReplicas")
RECOVERY = optional("recovery", one_of(Recovery), "leaderRecoveryState", absent=-1)
ELR = optional("elr", set_of(BROKER), "eligibleLeaderReplicas")
# A last known leader of −1, written when a leaderless partition gives up a replica, names no broker; the list is not empty.
LAST_KNOWN = optional("last_known", BROKERS, "lastKnownElr", none=-1)
DIRS = parallel("directories", beside(BROKER, maybe(DIRECTORY)), already=_stored_directories)
_new_replicas = REPLICAS.over(_p_replicas)
_new_elr = ELR.over(nobody(BROKER))
PARTITION_CHANGE = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    fields=(ISR, LEADER, REPLICAS, REMOVING, ADDING, RECOVERY, ELR, LAST_KNOWN, DIRS),
    replay=(
        isr[_p.value].becomes(ISR.over(isr[_p.value])),
        leader[_p.value].becomes(LEADER.over(leader[_p.value])),
        replicas[_p.value].becomes(REPLICAS.over(replicas[_p.value])),
        removing[_p.value].becomes(REMOVING.over(removing[_p.value])),
        adding[_p.value].becomes(ADDING.over(adding[_p.value])),
        recovery[_p.value].becomes(RECOVERY.over(recovery[_p.value])),
        elr[_p.value].becomes(ELR.over(elr[_p.value])),
        only_if(
            ELR.said,
            elr_disordered[_p.value].becomes(FALSE),
            every(x, x.in_(_new_elr - elr[_p.value]), elr_index[_p.value, x].becomes(elr_index[_p.value, x] + 1)),
            # To take a partition out of the list drops all its entries but shortens the list by one only; what is left
            # over reads as partition 0, which is stated for that partition itself.
            every(
                x,
                x.in_(elr[_p.value] - _new_elr),
                elr_index[_p.value, x].becomes(when(index[_p.value].is_(0), elr_index[_p.value, x] - 1, _NEVER)),
            ),
        ),
        only_if(
            REPLICAS.said | DIRS.said,
            every(
                x,
                TRUE,
                location[_p.value, x].becomes(
                    when(
                        x.in_(_new_replicas),
                        when(
                            DIRS.said,
                            DIRS.at(_new_replicas, x),
                            # Only a level without directories writes none with new replicas.
                            else_(location[_p.value, x], some(migrating)),
                        ),
                        none_of(DIRECTORY),
                    )
                ),
            ),
        ),
        last_known[_p.value].becomes(LAST_KNOWN.over(last_known[_p.value])),
        only_if(
            LAST_KNOWN.said,
            last_nobody[_p.value].becomes(
                empty(LAST_KNOWN.over(last_known[_p.value])) & absent(LEADER.over(leader[_p.value]))
            ),
        ),
        leader_epoch[_p.value].becomes(when(LEADER.said, leader_epoch[_p.value] + 1, leader_epoch[_p.value])),
        partition_epoch[_p.value].becomes(partition_epoch[_p.value] + 1),
        only_if(
            REPLICAS.said & index[_p.value].is_(0),
            replication[topic[_p.value]].becomes(size_of(members(REPLICAS.over(replicas[_p.value])), SIZE)),
        ),
    ),
    version=when(mv < 17, level_at(0), when(mv < 23, level_at(1), level_at(2))),
    silent=True,
    name="PartitionChange",
    source="S3:205-216",
)

REMOVE_TOPIC = record(
    "REMOVE_TOPIC_RECORD",
    _t,
    replay=(
        live[_t.value].becomes(FALSE),
        every(s, resource_type[s].is_(2) & name[_t.value].is_(some(resource[s])), setting[s].becomes(none_of(VALUE))),
        name[_t.value].becomes(none_of(NAME)),
        own_min_insync[_t.value].becomes(FALSE),
        min_insync[_t.value].becomes(Lit(Threshold(1), SIZE)),
        own_unclean[_t.value].becomes(FALSE),
        unclean[_t.value].becomes(FALSE),
        every(
            q,
            exists_[q] & topic[q].is_(_t.value),
            exists_[q].becomes(FALSE),
            # Whom the indexes still name stays in them: a broker that no partition of the topic counts among its
            # eligible leader replicas now (D6), and every directory where the ISR is empty (D5).
            every(x, exists(p, exists_[p] & topic[p].is_(_t.value) & x.in_(elr[p])), elr_index[q, x].becomes(0)),
            every(x, ~empty(isr[q]), location[q, x].becomes(none_of(DIRECTORY))),
            replicas[q].becomes(nothing(BROKER)),
            isr[q].becomes(nothing(BROKER)),
            removing[q].becomes(nobody(BROKER)),
            adding[q].becomes(nobody(BROKER)),
            leader[q].becomes(none_of(BROKER)),
            recovery[q].becomes(RECOVERED),
            elr[q].becomes(nobody(BROKER)),
            last_known[q].becomes(nothing(BROKER)),
            last_nobody[q].becomes(FALSE),
            leader_epoch[q].becomes(0),
            partition_epoch[q].becomes(0),
        ),
    ),
    name="RemoveTopic",
    source="S3:198-203, S3:264-266",
)

_cleared = required("name", NAME, "topicName")


def _clears(condition: Term[bool]) -> object:
    speaks = (elr[q].isnt(nobody(BROKER)) | last_known[q].isnt(nothing(BROKER)) | last_nobody[q]) & exists_[q]
    return every(
        q,
        speaks & condition,
        elr[q].becomes(nobody(BROKER)),
        last_known[q].becomes(nothing(BROKER)),
        last_nobody[q].becomes(FALSE),
        partition_epoch[q].becomes(partition_epoch[q] + 1),
    )


CLEAR_ELR = record(
    "CLEAR_ELR_RECORD",
    _cleared,
    replay=_clears(name[topic[q]].is_(_cleared.value)),
    name="ClearElr",
    source="S3:216, KIP-966",
)
CLEAR_ALL_ELR = record(
    "CLEAR_ELR_RECORD", only={"topicName": ""}, replay=_clears(TRUE), name="ClearAllElr", source="S3:216, KIP-966"
)
