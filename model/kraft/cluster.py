"""The small rows: activation, features, producer ids, controllers, and the record that says nothing."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

from .answers import Error
from .cluster_records import (
    ABORT,
    BEGIN,
    CLUSTER_MIN_INSYNC,
    CONFIG,
    ELR_VERSION,
    END,
    FEATURE_LEVEL,
    METADATA_VERSION,
    NO_OP,
    PRODUCER_IDS,
    REGISTER_CONTROLLER,
    UNREGISTER_CONTROLLER,
)
from .security_records import CREDENTIAL, ITERATIONS, USER_SCRAM_CREDENTIAL, credential
from .state import *

c = NODE.var("c")
METADATA_CHANGED = (8, 11, 13, 14, 15, 17, 23, 30, 32, 33)
LAST_BLOCK = 2**63 - 1 - 1000
to = LEVEL.var("to")
static_min = SIZE.var("static_min")
asked_level = per(FEATURE, "asked_level", LEVEL, ANY, what="fixed", about="the level at which a feature is formatted")
gives_level = per(FEATURE, "gives_level", BOOL, ANY, what="fixed", about="the feature is formatted at all")
gives_credential = per(CREDENTIAL, "gives_credential", BOOL, ANY, what="fixed", about="formatted with --add-scram")
gives_iterations = per(
    CREDENTIAL, "gives_iterations", ITERATIONS, ANY, what="fixed", about="and with so many iterations"
)

# -- activation ------------------------------------------------------------------------------------------
mv_level, elr_target, has_elr = LEVEL.var("metadata_version"), LEVEL.var("elr_version"), BOOL.var("has_elr")
activate = event(
    "Activate", mv_level, elr_target, has_elr, static_min,
    given=mv_level >= 7,
    clues={
        asked_level[f]: (FEATURE_LEVEL.field("level"),),
        gives_iterations[credential]: (USER_SCRAM_CREDENTIAL.field("iterations"),),
    },
    source="S3:166-173", code="ActivationRecordsGenerator",
)  # fmt: skip
begins = event(
    "LoseActivation",
    mv_level,
    given=mv_level >= 13,
    environment=True,
    source="S3:171-173",
    code="QuorumController.renounce",
)
ACTIVATION = table(
    "activation",
    activate(
        "AC1",
        mv < 1,
        only_if(in_transaction, ABORT()),
        only_if(mv_level >= 13, BEGIN()),
        METADATA_VERSION(level=mv_level),
        together(
            only_if(has_elr, ELR_VERSION(level=elr_target)),
            every(f, gives_level[f], FEATURE_LEVEL(f, level=asked_level[f])),
        ),
        every(
            credential,
            gives_credential[credential] & (mv_level >= 11),
            USER_SCRAM_CREDENTIAL(credential, iterations=gives_iterations[credential]),
        ),
        only_if(has_elr & (elr_target >= 1), CLUSTER_MIN_INSYNC(value=static_min)),
        only_if(mv_level >= 13, END()),
    ),
    activate("AC2", formatted),
    activate("AC3", (mv >= 1) & in_transaction, ABORT(), finding="D20"),
    begins("AC4", (mv < 1) & ~in_transaction, BEGIN(), METADATA_VERSION(level=mv_level)),
    total=True,
    about="A new active controller finds an empty log, and writes the features that the cluster was formatted with; or it does not.",
    why={
        "AC1": "From 3.6-IV1 on inside a transaction, so that half of it never counts.",
        "AC4": "A controller is replaced when no more of its bootstrap than this was committed.",
        "AC3": "A transaction that the last controller left open is aborted, never finished; if it was the bootstrap, so be it (D20).",
    },
)


# -- features -------------------------------------------------------------------------------------------
class Direction(enum.Enum):
    """The upgrade type of a feature update; the numbers are those on the wire."""

    UNKNOWN = 0
    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


way = one_of(Direction).var("way")
update = event(
    "UpdateFeature",
    f,
    to,
    way,
    static_min,
    given=formatted,
    source="S3:252-258",
    code="FeatureControlManager.updateFeature",
)
supported = let(
    "supported",
    forall(x, registered[x].implies(can_do(ranges[x], f, to)))
    & forall(c, present(controller_incarnation[c]).implies(can_do(controller_ranges[c], f, to))),
)
is_mv, is_elr, is_kraft = f.is_(metadata_version), f.is_(elr_version), f.is_(kraft_version)
known_to = exists(r, r.in_(controller_ranges[c]) & range_feature[r].is_(f))
unheard_of = let(
    "unheard_of",
    ~is_mv
    & ~is_elr
    & ~is_kraft
    & exists(c, present(controller_incarnation[c]))
    & ~exists(c, present(controller_incarnation[c]) & known_to),
)
now = finalized(f)
# Levels at which metadata changed its form: the way back across one of them is closed.
crosses = let("crosses", any_of(*((to < gate) & (mv >= gate) for gate in METADATA_CHANGED)))
minimum_set = only_if(~cluster_min_set, CLUSTER_MIN_INSYNC(value=static_min))
broker_minimum = resource_type[s].is_(4) & key[s].is_(min_insync_key) & present(setting[s])
FEATURES = table(
    "features",
    update("FE1", way.is_(Direction.UNKNOWN) | ~supported | unheard_of | is_mv & (to < 7), say=Error.INVALID_UPDATE_VERSION),
    update("FE2", way.is_(Direction.UPGRADE) & (to < now),               say=Error.INVALID_UPDATE_VERSION),
    update("FE3", way.isnt(Direction.UPGRADE) & (to > now),              say=Error.INVALID_UPDATE_VERSION),
    update("FE4", is_mv & crosses,                                       say=Error.INVALID_UPDATE_VERSION),
    update("FE5", is_mv,                          METADATA_VERSION(level=to), say=Error.NONE),
    update("FE6", is_elr & (to >= 1) & (mv < 23),                        say=Error.INVALID_UPDATE_VERSION),
    update("FE7", is_elr & (to >= 1), minimum_set, every(s, broker_minimum, CONFIG(s)), ELR_VERSION(level=to), say=Error.NONE),
    update("FE8", is_elr,                         ELR_VERSION(level=to), say=Error.NONE),
    update("FE10", is_kraft & way.is_(Direction.UPGRADE), NO_OP(), kraft_level.becomes(to), say=Error.NONE),
    update("FE11", is_kraft & (to < now),                                say=Error.INVALID_UPDATE_VERSION),
    update("FE12", is_kraft,                                             say=Error.NONE),
    update("FE9", TRUE,                           FEATURE_LEVEL(f, level=to), say=Error.NONE),
    mode="first match",
    total=True,
    about="Finalized feature levels. The current level again is accepted and written.",
    why={
        "FE1": "A registered broker or controller cannot do the level; one that does not name the feature is held at 0 (K7). "
        "A feature that no controller names is not even at 0.",
        "FE4": "A log written on the upper side of the gate could not be read on the lower one.",
        "FE7": "With the eligible leader replicas the cluster sets min.insync.replicas, and no broker may differ.",
        "FE10": "The Raft layer writes the level; the NoOp is what the answer waits for, also where the level is the one that it has.",
        "FE12": "A downgrade to the level that it has: nothing is written.",
        "FE8": "What partitions remember of eligible leader replicas stays until their next change (D21).",
    },
)  # fmt: skip

# -- producer ids ---------------------------------------------------------------------------------------
asking, asking_epoch = BROKER.var("b"), OFFSET.var("broker_epoch")
allocate = event(
    "AllocateProducerIds",
    asking,
    asking_epoch,
    reply={"first": next_producer_id, "size": next_(next_producer_id) - next_producer_id, "atomic": FALSE},
    source="S3:252-258",
    code="ProducerIdControlManager.generateNextProducerId",
)
known_broker = let("known", registered[asking] & asking_epoch.is_(epoch[asking]))
spent = let("spent", next_producer_id > LAST_BLOCK)
PRODUCERS = table(
    "producer ids",
    allocate("PI1", ~known_broker, say=Error.STALE_BROKER_EPOCH),
    allocate("PI2", known_broker & spent, say=Error.UNKNOWN_SERVER_ERROR),
    allocate(
        "PI3",
        known_broker & ~spent,
        PRODUCER_IDS(asking, epoch=asking_epoch, next=next_producer_id + 1000),
        say=Error.NONE,
    ),
    total=True,
    about="A broker gets the next thousand producer ids.",
)

# -- controllers, and nothing ----------------------------------------------------------------------
controller, told = NODE.var("c"), set_of(RANGE).var("ranges")
register_controller = event(
    "RegisterController", controller, i, told, source="S3:228, S3:254", code="ClusterControlManager.registerController"
)
itself = BOOL.var("itself")
retire = event(
    "UnregisterController", controller, itself, source="Kafka 4.4", code="QuorumController.unregisterController"
)
idle = event("Idle", OFFSET.var("later"), environment=True, source="S3:268-276", code="QuorumController.maybeWriteNoOp")
later = idle.params[0]
CONTROLLERS = table(
    "controllers",
    register_controller("CR0", mv < 15, say=Error.UNSUPPORTED_VERSION),
    register_controller(
        "CR1",
        mv >= 15,
        REGISTER_CONTROLLER(controller, incarnation=i, migration_ready=FALSE, ranges=told),
        say=Error.NONE,
    ),
    retire("CU0", itself, say=Error.INVALID_REQUEST),
    retire("CU1", ~itself & (mv < 33), say=Error.UNSUPPORTED_VERSION),
    retire("CU2", ~itself & (mv >= 33) & absent(controller_incarnation[controller]), say=Error.CONTROLLER_ID_NOT_REGISTERED),
    retire("CU3", ~itself & (mv >= 33) & present(controller_incarnation[controller]), UNREGISTER_CONTROLLER(controller), say=Error.NONE),
    total=True,
    about="A controller makes itself known; nothing else is asked (K7).",
    why={"CU0": "The active controller is named itself; that is asked before the metadata.version."},
)  # fmt: skip
IDLE = table(
    "idle log",
    idle("NO1", (mv >= 5) & (log_end < later), NO_OP(), log_end.becomes(later)),
    about="The log grows by itself, so that every node's offset can be seen to be recent.",
)
