"""The migration from ZooKeeper, which controllers of 3.4 to 3.9 knew: what their tables have beside those of a release.

A cluster that comes from ZooKeeper has its metadata copied into the log in one transaction; until its last controller
runs without the migration, the brokers may be in ZooKeeper mode, and every shrink of an ISR raises the leader epoch.
Whether the migration is switched on is a static setting of each controller, which it says when it registers.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import Any

from fencepost.model.kraft.brokers import migrates
from fencepost.model.kraft.cluster import activate, asked_level, controller, gives_level, mv_level, told
from fencepost.model.kraft.cluster_records import (
    ABORT,
    BEGIN,
    CLUSTER_MIN_INSYNC,
    CLUSTER_UNCLEAN,
    CONFIG,
    END,
    FEATURE_LEVEL,
    METADATA_VERSION,
    PRODUCER_IDS,
    REGISTER_CONTROLLER,
    TOPIC_MIN_INSYNC,
    TOPIC_UNCLEAN,
)
from fencepost.model.kraft.records import PARTITION_RECORD, REGISTER_BROKER, TOPIC_RECORD, level_at
from fencepost.model.kraft.state import *
from fencepost.model.language.effects import flat
from fencepost.model.language.errors import refuse
from fencepost.model.language.terms import Named, Quant
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import nary, rewrite

from .edits import AsWell, Before, Edit, Other, Redefine, With, Writing, writing


class Migration(enum.Enum):
    """How far a cluster has come from ZooKeeper; the numbers are those on the wire."""

    NONE = 0
    COPIED = 1
    WAITING = 2
    FINISHED = 3


migration = cell("migration", one_of(Migration), Migration.NONE, about="how far the cluster has come from ZooKeeper")
MIGRATION_ENABLED = "migration_enabled"
"""The variable that says whether the migration is switched on."""

copying = cell("copying", BOOL, about="the transaction that is open copies what ZooKeeper had")
of_zookeeper = per(BROKER, "of_zookeeper", BOOL, about="the broker registered in ZooKeeper mode")
migration_enabled = cell(
    MIGRATION_ENABLED,
    BOOL,
    what="fixed",
    about="zookeeper.metadata.migration.enable in server.properties of the active controller",
)

# -- records -----------------------------------------------------------------------------------------------------------
_state = required("state", one_of(Migration), "zkMigrationState")
MIGRATION_STATE = record(
    "ZK_MIGRATION_STATE_RECORD",
    fields=(_state,),
    replay=migration.becomes(_state.value),
    version=level_at(0),
    name="ZkMigrationState",
    source="ZkMigrationState, FeatureControlManager.replay",
)
_b = REGISTER_BROKER.about[0]
_KRAFT_BROKER = replace(REGISTER_BROKER, replay=(*REGISTER_BROKER.replay, of_zookeeper[_b.value].becomes(FALSE)))
_ZK_BROKER = replace(
    REGISTER_BROKER,
    name="RegisterZkBroker",
    only={"isMigratingZkBroker": True},
    ignored=tuple(one for one in REGISTER_BROKER.ignored if one != "isMigratingZkBroker"),
    replay=(*REGISTER_BROKER.replay, of_zookeeper[_b.value].becomes(TRUE)),
)
_BEGIN = replace(BEGIN, replay=(*BEGIN.replay, copying.becomes(migration.is_(Migration.WAITING))))
_END = replace(END, replay=(*END.replay, copying.becomes(FALSE)))
# What the copy took over is taken back with it; before it, the log has registrations alone.
_ABORT = replace(
    ABORT,
    replay=flat(
        (
            only_if(~copying, *ABORT.replay, migration.becomes(Migration.NONE)),
            only_if(
                copying,
                in_transaction.becomes(FALSE),
                next_producer_id.becomes(0),
                cluster_min_insync.becomes(Lit(Threshold(1), SIZE)),
                cluster_min_set.becomes(FALSE),
                cluster_unclean.becomes(static_unclean),
                every(s, TRUE, setting[s].becomes(none_of(VALUE))),
                every(
                    t,
                    live[t],
                    live[t].becomes(FALSE),
                    name[t].becomes(none_of(NAME)),
                    own_min_insync[t].becomes(FALSE),
                    min_insync[t].becomes(Lit(Threshold(1), SIZE)),
                    own_unclean[t].becomes(FALSE),
                    unclean[t].becomes(FALSE),
                ),
                every(
                    q,
                    exists_[q],
                    exists_[q].becomes(FALSE),
                    every(x, TRUE, location[q, x].becomes(none_of(DIRECTORY))),
                    replicas[q].becomes(nothing(BROKER)),
                    isr[q].becomes(nothing(BROKER)),
                    removing[q].becomes(nobody(BROKER)),
                    adding[q].becomes(nobody(BROKER)),
                    leader[q].becomes(none_of(BROKER)),
                    recovery[q].becomes(literal(Recovery.RECOVERED)),
                    leader_epoch[q].becomes(0),
                    partition_epoch[q].becomes(0),
                ),
            ),
            copying.becomes(FALSE),
        )
    ),
)
_version = PARTITION_RECORD.version
assert _version is not None
_COPIED_PARTITION = replace(PARTITION_RECORD, version=when(copying, level_at(0), _version))

# -- rows --------------------------------------------------------------------------------------------------------------
_DRIVER = "KRaftMigrationDriver"
_n, _size, _switch, _one, _value = (
    NAME.var("n"),
    SIZE.var("size"),
    BOOL.var("switch"),
    SETTING.var("s"),
    VALUE.var("value"),
)
_asking, _epoch, _next = BROKER.var("b"), OFFSET.var("broker_epoch"), PRODUCER_ID.var("next")
_at = INDEX.var("at")
_replicas, _isr, _leader = BROKERS.var("copied_replicas"), BROKERS.var("copied_isr"), maybe(BROKER).var("copied_leader")
_adding, _removing = set_of(BROKER).var("copied_adding"), set_of(BROKER).var("copied_removing")
_lepoch, _pepoch = LEADER_EPOCH.var("copied_leader_epoch"), PARTITION_EPOCH.var("copied_partition_epoch")
_recovery = one_of(Recovery).var("copied_recovery")


def _copy(what: str, *params: Any) -> Any:
    return event(
        f"Copy{what}",
        *params,
        given=copying,
        environment=True,
        source="KIP-866",
        code=f"{_DRIVER}.MigrateMetadataEvent",
    )


_name_taken = exists(u, live[u] & name[u].is_(_n))
_sound = (
    ~empty(_replicas)
    & ~repeats(_replicas)
    & (members(_isr) <= members(_replicas))
    & (absent(_leader) | _leader.in_(_isr))
    & (_adding <= members(_replicas))
    & (_removing <= members(_replicas))
)
_begin_copy = event("BeginCopy", environment=True, source="KIP-866, KIP-868", code=f"{_DRIVER}.beginMigration")
_end_copy = event("CompleteCopy", environment=True, source="KIP-866, KIP-868", code=f"{_DRIVER}.completeMigration")
COPY = table(
    "copy from ZooKeeper",
    _begin_copy("ZM1", formatted & migration_enabled & migration.is_(Migration.WAITING), _BEGIN()),
    _copy("Topic", t, _n)("ZM2", ~live[t] & ~_name_taken, TOPIC_RECORD(t, name=_n)),
    _copy("Partition", p, _replicas, _isr, _leader, _adding, _removing, _lepoch, _pepoch, _recovery)(
        "ZM3",
        live[topic[p]] & ~exists_[p] & _sound,
        _COPIED_PARTITION(
            p,
            topic=topic[p],
            index=index[p],
            replicas=_replicas,
            isr=_isr,
            removing=_removing,
            adding=_adding,
            leader=_leader,
            leader_epoch=_lepoch,
            partition_epoch=_pepoch,
            recovery=said(_recovery, if_=_recovery.isnt(Recovery.RECOVERED)),
        ),
    ),
    _copy("TopicMinInsync", _n, _size)("ZM4", _name_taken, TOPIC_MIN_INSYNC(_n, value=_size)),
    _copy("TopicUnclean", _n, _switch)("ZM5", _name_taken, TOPIC_UNCLEAN(_n, value=_switch)),
    _copy("ClusterMinInsync", _size)("ZM6", TRUE, CLUSTER_MIN_INSYNC(value=_size)),
    _copy("ClusterUnclean", _switch)("ZM7", TRUE, CLUSTER_UNCLEAN(value=_switch)),
    _copy("Config", _one, _value)("ZM8", TRUE, CONFIG(_one, value=_value)),
    _copy("ProducerIds", _asking, _epoch, _next)(
        "ZM9", next_producer_id <= _next, PRODUCER_IDS(_asking, epoch=_epoch, next=_next)
    ),
    _end_copy("ZM10", copying & migration_enabled, MIGRATION_STATE(state=literal(Migration.COPIED)), _END()),
    about="The active controller copies what ZooKeeper has into the log, in one transaction over several batches.",
    why={
        "ZM1": "From 3.6-IV1 on. Nothing else is written before, but registrations and what the log says of itself.",
        "ZM3": "As its znode has it, epochs included; in the form without directories, whatever the metadata.version.",
        "ZM9": "The block that ZooKeeper's controller gave out last.",
    },
)  # fmt: skip

_ready = BOOL.var("migration_ready")


def _registers_controller(row: Row) -> Row:
    """A controller says whether the migration is switched on."""
    made = replace(row, event=replace(row.event, params=(*row.event.params, _ready)))
    if not row.effects:
        return made
    return replace(
        made, effects_=(REGISTER_CONTROLLER(controller, incarnation=i, migration_ready=_ready, ranges=told),)
    )


def _activates(row: Row) -> Row:
    """A new cluster begins with no migration, or with one that waits for its brokers."""
    begins_as = when(migration_enabled, literal(Migration.WAITING), literal(Migration.NONE))
    effects = (
        only_if(mv_level >= 13, _BEGIN()),
        METADATA_VERSION(level=mv_level),
        every(f, gives_level[f], FEATURE_LEVEL(f, level=asked_level[f])),
        only_if(mv_level >= 8, MIGRATION_STATE(state=begins_as)),
        only_if(mv_level >= 13, _END()),
    )
    return replace(row, effects_=effects)


_finishes = let(
    "finishes_migration",
    formatted & migration.is_(Migration.COPIED) & ~migration_enabled & ~exists(x, registered[x] & of_zookeeper[x]),
)
_AFTERWARDS: tuple[Row, ...] = (activate("AC5", _finishes, MIGRATION_STATE(state=literal(Migration.FINISHED))),)


def _also_while_copying(row: Row) -> Row:
    """Return the row with brokers' requests also accepted while the copy's transaction is open."""

    def other(node: Term[Any]) -> Term[Any] | None:
        if isinstance(node, Named) and node.name == "formatted":
            return Named(node.name, node.shown, nary("or", (node.term, copying)))
        return None

    return replace(row, event=replace(row.event, given=rewrite(row.event.given, other)))


def _of_zookeeper(row: Row) -> Row:
    """The row for a broker in ZooKeeper mode."""
    made = writing(row, _KRAFT_BROKER, _ZK_BROKER)
    return replace(made, id=f"{row.id}z", when=migrates & made.when)


def _whatever_the_level(body: Term[Any]) -> Term[Any]:
    """A shrink raises the leader epoch at every level while the active controller has the migration switched on."""

    def other(node: Term[Any]) -> Term[Any] | None:
        return nary("or", (node, migration_enabled & (mv >= 8))) if node == (mv < 12) else None

    found = rewrite(body, other)
    if found == body:
        raise refuse("the builder of a migration", f"shrinks is now {body}", "write its edit anew")
    return found


_REGISTERS = ("R1", "R2", "R2u", "R3")
_BROKERS = ("RG1", "RG2", "RG3", "RG4", "RG5", "RG6", *_REGISTERS)
MIGRATING: tuple[Edit, ...] = (
    Writing(BEGIN, _BEGIN),
    Writing(END, _END),
    Writing(ABORT, _ABORT),
    Writing(REGISTER_BROKER, _KRAFT_BROKER),
    Writing(PARTITION_RECORD, _COPIED_PARTITION),
    Other("AC1", _activates),
    Other("AC2", lambda row: replace(row, when=row.when & ~_finishes)),
    Before("AC3", _AFTERWARDS),
    Other("CR0", _registers_controller),
    Other("CR1", _registers_controller),
    Other("RG3", lambda row: replace(row, when=when(migrates, ~migration_enabled, migration.is_(Migration.WAITING)))),
    *(Other(id, _also_while_copying) for id in _BROKERS),
    *(AsWell(id, _of_zookeeper) for id in _REGISTERS),
    Redefine("shrinks", _whatever_the_level),
    With(COPY),
)
"""Edits that add the rows of a migration: apply them to the tables of 3.7, 3.8 or 3.9."""

_NOT_OF_THE_COPY = ("P33", "P37", "L9", "C10", "C19")

_NOT_CLAIMED = ("P7", "P7r")
"""Violated up to 3.9 anyway (J32): what is copied may have a broker in sync that has not registered yet."""


def claimed(claims: tuple[Property, ...]) -> tuple[Property, ...]:
    """Return what is claimed with the migration: some properties say nothing of what the copy writes."""
    return tuple(_outside_the_copy(one) for one in claims if one.id not in _NOT_CLAIMED)


def _outside_the_copy(claim: Property) -> Property:
    if claim.id == "L11k" and isinstance(claim, Step):
        return replace(
            claim, left_out=(("ZM1", "the copy is a transaction of its own, and no level counts inside one"),)
        )
    if claim.id not in _NOT_OF_THE_COPY or not isinstance(claim, (Always, Step)):
        return claim

    def outside(term: Term[bool]) -> Term[bool]:
        if isinstance(term, Quant) and term.quantifier == "every":
            return Quant(term.quantifier, term.var, outside(term.body))
        return (~copying).implies(term)

    return replace(claim, term=outside(claim.term))
