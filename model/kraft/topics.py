"""Topics in KRaft: created, given more partitions, deleted."""

from __future__ import annotations

from fencepost.model.language import (
    BOOL,
    Term,
    each,
    event,
    every,
    exists,
    first,
    forall,
    keep,
    let,
    nobody,
    only_if,
    per,
    said,
    table,
    together,
)
from fencepost.model.language.state import ANY

from .answers import Error
from .cluster_records import CONFIG, TOPIC_MIN_INSYNC, TOPIC_UNCLEAN
from .records import CLEAR_ELR, PARTITION_RECORD, REMOVE_TOPIC, TOPIC_RECORD, level_at
from .state import (
    BROKER,
    NAME,
    PARTITION,
    SIZE,
    Partition,
    active,
    asked,
    asks,
    default_directory,
    elr_on,
    exists_,
    formatted,
    index,
    live,
    mv,
    name,
    p,
    placed,
    resource,
    resource_type,
    s,
    t,
    topic,
    u,
    x,
)

n = NAME.var("n")
smallest, has_smallest = SIZE.var("min_insync"), BOOL.var("has_min_insync")
allows, has_allows = BOOL.var("unclean"), BOOL.var("has_unclean")


def born(of: Term[Partition], to: Term[object]) -> object:
    """Return the record of a new partition: its first ISR are the active ones of its replicas, the first of them leads."""
    return PARTITION_RECORD(
        of,
        topic=to,
        index=index[of],
        replicas=placed[of],
        isr=keep(placed[of], active),
        removing=nobody(BROKER),
        adding=nobody(BROKER),
        leader=first(placed[of], active),
        leader_epoch=level_at(0),
        partition_epoch=level_at(0),
        directories=said(each(x, placed[of], default_directory(x)), if_=mv >= 17),
    )


create = event(
    "CreateTopic", t, n, has_smallest, smallest, has_allows, allows,
    given=formatted,
    clues={
        placed[p]: (PARTITION_RECORD.field("replicas"),),
        asked[s]: (CONFIG.field("value"),),
    },
    source="S3:198-203, S3:264-266", code="ReplicationControlManager.createTopic",
)  # fmt: skip
delete = event("DeleteTopic", t, source="S3:198-203, S3:264-266", code="ReplicationControlManager.deleteTopic")
name_taken = let("name_taken", exists(u, live[u] & name[u].is_(n)))
hosted = let("hosted", forall(p, topic[p].is_(t).implies(exists(x, x.in_(placed[p]) & x.in_(active)))))
TOPICS = table(
    "topics",
    create("CT1", live[t] | name_taken, say=Error.TOPIC_ALREADY_EXISTS),
    create("CT2", ~live[t] & ~name_taken & ~hosted, say=Error.INVALID_REPLICATION_FACTOR),
    create(
        "CT3",
        ~live[t] & ~name_taken & hosted,
        TOPIC_RECORD(t, name=n),
        together(
            only_if(has_smallest, TOPIC_MIN_INSYNC(n, value=smallest)),
            only_if(has_allows, TOPIC_UNCLEAN(n, value=allows)),
            every(s, asks[s] & resource_type[s].is_(2) & resource[s].is_(n), CONFIG(s, value=asked[s])),
        ),
        only_if(has_smallest & elr_on, CLEAR_ELR(n)),
        every(p, topic[p].is_(t), born(p, t)),
        say=Error.NONE,
    ),
    delete("DT1", ~live[t], say=Error.UNKNOWN_TOPIC_ID),
    delete("DT2", live[t], REMOVE_TOPIC(t), say=Error.NONE),
    about="Topics come and go. A fenced replica is placed, but is not in sync.",
    why={"CT3": "Only active replicas are in the first ISR (museum K3)."},
)

# -- more partitions ------------------------------------------------------------------------------------
adds = per(PARTITION, "adds", BOOL, ANY, what="fixed", about="the request adds the partition")
grow = event(
    "CreatePartitions", t,
    clues={placed[p]: (PARTITION_RECORD.field("replicas"),)},
    source="S3:264-266", code="ReplicationControlManager.createPartitions",
)  # fmt: skip
new = adds[p] & topic[p].is_(t) & ~exists_[p]
nothing_added = let("nothing_added", ~exists(p, new))
unhosted = let("unhosted", exists(p, new & ~exists(x, x.in_(placed[p]) & x.in_(active))))
GROWTH = table(
    "partitions added",
    grow("CP1", ~live[t], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    grow("CP2", nothing_added, say=Error.INVALID_PARTITIONS),
    grow("CP3", unhosted, say=Error.INVALID_REPLICATION_FACTOR),
    grow("CP4", live[t] & ~nothing_added & ~unhosted, every(p, new, born(p, t)), say=Error.NONE),
    mode="first match",
    about="A topic gets more partitions; they are numbered on from those that it has.",
    why={"CP4": "As many replicas as a partition that is there has: while that one is being reassigned, too many (D17)."},
)
