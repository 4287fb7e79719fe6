"""The releases of Kafka whose controllers the KRaft tables describe, newest first, each as edits of the next newer one.

A release is chosen apart from metadata.version: a controller of 4.4 that runs at an old level still follows the rules of
4.4. Rows that only a level above its highest reaches are none of a release's. Logs are checked with tables that have them
all the same, and that claim that no such level is ever finalized: a log at one is refused once, for that, and checked by
every other rule as usual.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import names_no_mv, takes_over
from fencepost.model.kraft.cluster import activate, asked_level, gives_level, mv_level
from fencepost.model.kraft.cluster_records import BEGIN, END, FEATURE_LEVEL, METADATA_VERSION
from fencepost.model.kraft.state import *
from fencepost.model.kraft.state import b as broker
from fencepost.model.kraft.topics import manual
from fencepost.model.language import FALSE, Row, Term, every, literal, only_if, record
from fencepost.model.language.terms import Ite
from fencepost.model.language.walk import rewrite

from .builder import added_in_sync, anyone_last_known, remembered_by_isr, target_in_sync
from .edits import Other, Redefine, Without, without_steps
from .release import Difference, Release

KAFKA_44 = Release("4.4", KRAFT)


# -- 4.3 ---------------------------------------------------------------------------------------------------------------
KAFKA_43 = Release(
    "4.3",
    KRAFT,
    KAFKA_44,
    (
        Difference(
            "no-unregister-controller",
            "A controller cannot be unregistered.",
            "UnregisterController takes its registration away.",
            "QuorumController of both releases",
            "a record UNREGISTER_CONTROLLER_RECORD",
            beyond=("CU1", "CU2", "CU3"),
        ),
        Difference(
            "no-request-to-unregister-controllers",
            "No request asks to unregister a controller, so that none names the active one.",
            "UnregisterController that names the active controller is refused.",
            "ApiKeys of both releases",
            "nothing: refusals are in no log",
            (Without(("CU0",)),),
        ),
        Difference(
            "given-assignments-take-cordoned-brokers",
            "An assignment that a request gives, and a reassignment, may name a broker all of whose directories are cordoned.",
            "Both are refused.",
            "ReplicationControlManager.validateManualPartitionAssignment of 4.3.0, 4.3.1 and 4.4.0; 4.3.2 refuses, too",
            "a new partition, or a reassignment, with a replica on a broker all of whose directories are cordoned",
            (
                Redefine("all_cordoned", lambda body: FALSE),
                Redefine("closed", lambda body: body & ~manual, ("CT2", "CT3", "CT4", "CP3", "CP5", "CP6")),
            ),
        ),
    ),
    (
        "CreatePartitions of 4.3.0 and 4.3.1 is not limited to 10,000 partitions a request; the tables count no request's partitions.",
    ),
)

# -- 4.2 ---------------------------------------------------------------------------------------------------------------
_ASSIGNING = ("AD3", "AD4")
KAFKA_42 = Release(
    "4.2",
    KRAFT,
    KAFKA_43,
    (
        Difference(
            "completion-waits-for-target",
            "A reassignment is complete once every replica of the target is in sync (KAFKA-15665).",
            "Those that are added are enough, unless the target is smaller (KAFKA-19975).",
            "PartitionChangeBuilder of both releases",
            "a change that ends a reassignment while a replica that stays is out of sync; or one that does not",
            (Redefine("completes", target_in_sync),),
        ),
        Difference(
            "no-cordoned-directories",
            "Directories cannot be cordoned.",
            "A heartbeat names the cordoned ones, and a broker that has no other gets no replica.",
            "ReplicationControlManager.handleDirectoriesOffline of both releases",
            "a registration change of version 3, a registration of version 4",
            beyond=("HC1", "HC2"),
        ),
        Difference(
            "directory-assignment-forgets-elr",
            "Telling a replica's directory empties the partition's eligible leader replicas (PR 20716).",
            "They are kept.",
            "ReplicationControlManager.handleDirectoriesOffline of both releases",
            "a change of directories that also empties the eligible leader replicas",
            (Redefine("elr_on", lambda body: FALSE, _ASSIGNING, inside="relocate"),),
        ),
    ),
    ("A configuration key that the server does not know stops the replay; the tables replay every key.",),
)


# -- 4.1 ---------------------------------------------------------------------------------------------------------------
KAFKA_41 = Release(
    "4.1",
    KRAFT,
    KAFKA_42,
    (
        Difference(
            "remembers-by-isr",
            "The last leader is remembered when a change empties the ISR.",
            "It is remembered when a change takes the leader away.",
            "PartitionChangeBuilder of both releases",
            "a change that leaves eligible leader replicas, or none, without a leader: lastKnownElr is said or not",
            (Redefine("remembers", remembered_by_isr),),
        ),
    ),
)


# -- 4.0 ---------------------------------------------------------------------------------------------------------------
def _as_any_other(body: Term[Any]) -> Term[Any]:
    """The level of kraft.version is the one that a record finalized, as of every other feature."""
    return rewrite(body, lambda node: level[f] if isinstance(node, Ite) and node.then is kraft_level else None)


def _seeds_everybody(row: Row) -> Row:
    every_broker = every(
        x,
        registered[x],
        soft_fenced[x].becomes(fenced[x]),
        shutdown_offset[x].becomes(-1),
        reported[x].becomes(-1),
        contact[x].becomes(literal(Contact.RECENT)),
    )
    return replace(row, effects_=(takes_over, every_broker))


_empty_log = (
    Other("AC1", lambda row: replace(row, when=row.when & ~in_transaction, effects_=row.effects[1:])),
    Other("AC3", lambda row: replace(row, when=in_transaction)),
)
KAFKA_40 = Release(
    "4.0",
    KRAFT,
    KAFKA_41,
    (
        Difference(
            "last-known-leader-not-asked",
            "The last known leader is elected though it may be fenced, shutting down or without its directory (KAFKA-19522).",
            "It has to be acceptable.",
            "PartitionChangeBuilder of both releases",
            "an unclean election of the last known leader while it is fenced",
            (Redefine("recalled", anyone_last_known),),
            breaks=(("P7", "E7"), ("P7r", "E7"), ("P31", "E7"), ("P32", "E7")),
        ),
        Difference(
            "activation-seeds-everybody",
            "A new active controller expects heartbeats of every registered broker (KAFKA-19130).",
            "It expects those of the unfenced ones.",
            "ReplicationControlManager.maybeFenceStaleBroker of both releases",
            "nothing: that a fenced broker is fenced once more also follows a heartbeat of it",
            (Other("FO1", _seeds_everybody),),
        ),
        Difference(
            "any-record-counts-as-bootstrap",
            "A bootstrap that was cut is aborted and not begun again: its first record counts (fixed in 4.1.0).",
            "It is begun again until a metadata.version is there (D20).",
            "ActivationRecordsGenerator of both releases",
            "nothing: a bootstrap that is cut after its first record alone is written by no row",
            _empty_log,
        ),
        Difference(
            "kraft-version-is-finalized-in-a-record",
            "An update of kraft.version writes a FeatureLevel, as that of any other feature; Raft's level stays as it is.",
            "Raft writes the level, and the controller a NoOp.",
            "FeatureControlManager.updateFeature of both releases",
            "a FEATURE_LEVEL_RECORD of kraft.version",
            (Without(("FE10", "FE11", "FE12")), Redefine("finalized", _as_any_other, ("FE2", "FE3"))),
        ),
        Difference(
            "replication-factor-may-change",
            "A reassignment may always change the number of replicas.",
            "A request may forbid it (KIP-860).",
            "ReplicationControlManager.alterPartitionReassignments of both releases",
            "nothing: refusals are in no log",
            (Without(("RA4",)),),
        ),
    ),
    (
        "New clusters get eligible leader replicas only where they are asked for; which features a cluster is formatted "
        "with is a parameter of the event.",
        "Configuration values may be of any length (4.0.0); whether a value is valid is a parameter of the event.",
        "After an aborted bootstrap nothing is bootstrapped again; the tables do not remember that a log was begun.",
    ),
)

# -- 3.9 ---------------------------------------------------------------------------------------------------------------
ZK_MIGRATION_STATE = record(
    "ZK_MIGRATION_STATE_RECORD",
    only={"zkMigrationState": 0},
    name="ZkMigrationState",
    source="ActivationRecordsGenerator",
)
"""Says that the cluster does not come from ZooKeeper: each new one began with it up to 3.9."""


def _activates(row: Row) -> Row:
    effects = (
        only_if(mv_level >= 13, BEGIN()),
        METADATA_VERSION(level=mv_level),
        every(f, gives_level[f], FEATURE_LEVEL(f, level=asked_level[f])),
        only_if(mv_level >= 8, ZK_MIGRATION_STATE()),
        only_if(mv_level >= 13, END()),
    )
    assert row.event is activate
    return replace(row, effects_=effects)


_NO_CLEANUP = tuple(Other(id, lambda row: without_steps(row, "retreat", "forget")) for id in ("R1", "R2", "R2u"))
KAFKA_39 = Release(
    "3.9",
    KRAFT,
    KAFKA_40,
    (
        Difference(
            "no-eligible-leader-replicas",
            "There are no eligible leader replicas: no metadata.version of a production cluster has them.",
            "A feature switches them on (KIP-966).",
            "MetadataVersion, ConfigurationControlManager of both releases",
            "a feature record of eligible.leader.replicas.version, a record CLEAR_ELR_RECORD, a change that says any",
            (Redefine("elr_on", lambda body: FALSE), Without(("FE6", "FE7", "FE8"))),
        ),
        Difference(
            "bootstrap-tells-migration",
            "A new cluster begins with the state of its migration from ZooKeeper; it has no minimum of replicas in sync.",
            "Nothing is said of ZooKeeper.",
            "ActivationRecordsGenerator of both releases",
            "a record ZK_MIGRATION_STATE_RECORD in the bootstrap, or none",
            (Other("AC1", _activates),),
        ),
        Difference(
            "restart-cleans-nothing",
            "A broker that registers as a new process leaves its partitions as they are (KAFKA-18106).",
            "It leaves the ISR of each.",
            "ClusterControlManager.registerBroker of both releases",
            "a registration of a broker that is in an ISR without changes of partitions before it",
            _NO_CLEANUP,
            breaks=(("P7", "J32"), ("P7r", "J32")),
        ),
        Difference(
            "session-of-the-unfenced",
            "Only a broker that is not fenced has a session, which keeps another process from registering.",
            "A broker that has sent a heartbeat lately has one.",
            "ClusterControlManager.registerBroker of both releases",
            "nothing: refusals are in no log",
            (Other("RG2", lambda row: replace(row, when=row.when & ~soft_fenced[broker])),),
        ),
        Difference(
            "silent-on-metadata-version",
            "A broker that does not say which metadata.version it can do can do level 1.",
            "Its registration is invalid.",
            "ClusterControlManager.registerBroker of both releases",
            "a registration whose features leave out metadata.version, at level 1",
            (
                Other(
                    "RG6", lambda row: replace(row, when=names_no_mv & (mv > 1), say=literal(Error.UNSUPPORTED_VERSION))
                ),
            ),
        ),
        Difference(
            "fenced-once",
            "A broker that is fenced has no session that could run out.",
            "It has, and is fenced again (D23).",
            "ReplicationControlManager.maybeFenceStaleBroker of both releases",
            "nothing: a second fence also follows a heartbeat that wants to shut down",
            (Without(("F2",)),),
        ),
    ),
    (
        "Levels below 3.3-IV3, with their own records of fencing, are not in the tables.",
        "The rows of a cluster that comes from ZooKeeper are tables of their own, kraft@3.9+migration (3.8 and 3.7 alike); what "
        "its controllers write into ZooKeeper, and send to brokers that still run in ZooKeeper mode, is in neither.",
        "The switch that turned on eligible leader replicas at unreleased levels, and how a restart was classified there.",
        "AlterPartition of version 0 and 1 answers with other errors; a log shows none.",
        "After a failover no broker is fenced until some broker is heard of (D19).",
    ),
)


# -- 3.8 and 3.7 -------------------------------------------------------------------------------------------------------
KAFKA_38 = Release(
    "3.8",
    KRAFT,
    KAFKA_39,
    (
        Difference(
            "unnamed-features-accepted",
            "A broker may leave out a finalized feature.",
            "Then it cannot do it.",
            "ClusterControlManager.registerBroker of both releases",
            "a registration whose features leave out one that is finalized",
            (Without(("RG7",)),),
            breaks=(("K7", "J29"),),
        ),
        Difference(
            "no-unclean-rescue",
            "Leaderless partitions that allow unclean leaders are not revisited.",
            "Every five minutes they get one.",
            "ReplicationControlManager.electLeaders of both releases",
            "nothing certain: a request for unclean elections writes the same",
            (Without(("UE1",)),),
        ),
    ),
)
KAFKA_37 = Release(
    "3.7",
    KRAFT,
    KAFKA_38,
    (
        Difference(
            "completion-waits-for-added",
            "A reassignment is complete once every added replica is in sync, whatever became of those that stay.",
            "Every replica of the target has to be (KAFKA-15665).",
            "PartitionChangeBuilder of both releases",
            "a change that ends a reassignment to a smaller target while a replica that stays is out of sync",
            (Redefine("completes", added_in_sync),),
            breaks=(("P14", "KAFKA-15665"),),
        ),
    ),
    ("Unregistering does not ask the eligible leader replicas, of which there are none at its levels.",),
)

RELEASES: Mapping[str, Release] = {one.name: one for one in KAFKA_37.and_newer}
"""Every release that has tables, by its number, newest first."""
