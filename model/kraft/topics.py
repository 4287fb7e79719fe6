"""Topics in KRaft: created, given more partitions, deleted."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .cluster_records import CONFIG, TOPIC_MIN_INSYNC, TOPIC_UNCLEAN
from .records import CLEAR_ELR, PARTITION_RECORD, REMOVE_TOPIC, TOPIC_RECORD, level_at
from .state import *

n = NAME.var("n")
smallest, has_smallest = SIZE.var("min_insync"), BOOL.var("has_min_insync")
allows, has_allows = BOOL.var("unclean"), BOOL.var("has_unclean")
manual = BOOL.var("manual")


def born(of: Term[Partition], to: Term[Topic]) -> Write:
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


placed_well = forall(x, x.in_(placed[p]).implies(registered[x] & ~closed(x))) & ~repeats(placed[p]) & ~empty(placed[p])
even = forall(
    q,
    topic[q]
    .is_(t)
    .implies(
        at_least(members(placed[p]), size_of(members(placed[q]), SIZE))
        & at_least(members(placed[q]), size_of(members(placed[p]), SIZE))
    ),
)


def preceded(of: Term[Partition], among: Term[bool]) -> Term[bool]:
    """Return whether a partition has the number 0, or the one after that of a partition `q` of which `among` holds."""
    return index[of].is_(0) | exists(q, topic[q].is_(topic[of]) & among & index[of].is_(index[q] + 1))


# An assignment is refused beforehand where it leaves a number out, and a request for no partition at all.
numbered = let(
    "numbered_from_0",
    exists(p, topic[p].is_(t) & index[p].is_(0)) & forall(p, topic[p].is_(t).implies(preceded(p, topic[q].is_(t)))),
)
name_taken = let("name_taken", exists(u, live[u] & name[u].is_(n)))
well_placed = let("well_placed", forall(p, topic[p].is_(t).implies(placed_well & even)))
create = event(
    "CreateTopic", t, n, manual, has_smallest, smallest, has_allows, allows,
    # The placer takes registered brokers, each once, and as many for every partition; a name that is taken is seen first.
    given=formatted & (manual | well_placed) & (numbered | live[t] | name_taken),
    clues={
        placed[p]: (PARTITION_RECORD.field("replicas"),),
        asked[s]: (CONFIG.field("value"),),
    },
    source="S3:198-203, S3:264-266", code="ReplicationControlManager.createTopic",
)  # fmt: skip
delete = event("DeleteTopic", t, source="S3:198-203, S3:264-266", code="ReplicationControlManager.deleteTopic")
hosted = let("hosted", forall(p, topic[p].is_(t).implies(exists(x, x.in_(placed[p]) & x.in_(active)))))
TOPICS = table(
    "topics",
    create("CT1", live[t] | name_taken, say=Error.TOPIC_ALREADY_EXISTS),
    create("CT2", ~live[t] & ~name_taken & ~manual & ~hosted, say=Error.INVALID_REPLICATION_FACTOR),
    create("CT4", ~live[t] & ~name_taken & manual & ~(hosted & well_placed), say=Error.INVALID_REPLICA_ASSIGNMENT),
    create(
        "CT3",
        ~live[t] & ~name_taken & hosted & well_placed,
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
    total=True,
    about="Topics come and go. A fenced replica is placed, but is not in sync.",
    why={"CT3": "Only active replicas are in the first ISR (museum K3)."},
)

# -- more partitions ------------------------------------------------------------------------------------
adds = per(PARTITION, "adds", BOOL, ANY, what="fixed", about="the request adds the partition")
new = adds[p] & topic[p].is_(t) & ~exists_[p]
# One partition of the topic says how many replicas a new one has. Which one depends on the order of a hash table.
like = PARTITION.var("like")
like_it = at_least(members(placed[p]), size_of(members(replicas[like]), SIZE)) & at_least(
    members(replicas[like]), size_of(members(placed[p]), SIZE)
)
_written = members(PARTITION_RECORD.field("replicas"))
_ours = exists_[q] & topic[q].is_(t)
_as_many = at_least(_written, size_of(members(replicas[q]), SIZE)) & at_least(
    members(replicas[q]), size_of(_written, SIZE)
)
badly = let("badly_placed", exists(p, new & ~(placed_well & like_it)))
numbered_on = let("numbered_on", forall(p, new.implies(preceded(p, exists_[q] | adds[q]))))
grow = event(
    "CreatePartitions", t, manual, like,
    given=(manual | ~badly) & numbered_on & live[t].implies(exists_[like] & topic[like].is_(t)),
    clues={
        placed[p]: (PARTITION_RECORD.field("replicas"),),
        # A log does not show which one: one that has as many replicas, and another only where there is none.
        like: (head(ascending(those(q, _ours & _as_many))), head(ascending(those(q, _ours)))),
    },
    source="S3:264-266", code="ReplicationControlManager.createPartitions",
)  # fmt: skip
nothing_added = let("nothing_added", ~exists(p, new))
unhosted = let("unhosted", exists(p, new & ~exists(x, x.in_(placed[p]) & x.in_(active))))
comes_before = forall(
    q,
    (adds[q] & topic[q].is_(t) & ~exists_[q] & ~exists(x, x.in_(placed[q]) & x.in_(active))).implies(
        index[p] < index[q]
    ),
)
GROWTH = table(
    "partitions added",
    grow("CP1", ~live[t],             say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    grow("CP2", nothing_added,        say=Error.INVALID_PARTITIONS),
    grow("CP3", badly,                say=Error.INVALID_REPLICA_ASSIGNMENT),
    grow("CP4", unhosted & manual,    say=Error.INVALID_REPLICA_ASSIGNMENT),
    grow("CP6", unhosted, every(p, new & comes_before, born(p, t)), say=Error.INVALID_REPLICATION_FACTOR),
    grow("CP5", TRUE, every(p, new, born(p, t)), say=Error.NONE),
    mode="first match",
    total=True,
    about="A topic gets more partitions.",
    why={
        "CP3": "A manual assignment may be empty, name a broker twice, or name one that is not registered.",
        "CP6": "Where the placer has one partition without an active replica the request is refused, and the partitions "
        "before that one are written nevertheless (D30).",
        "CP5": "As many replicas as one partition that is there has: while that one is being reassigned, too many (D17).",
    },
)  # fmt: skip
