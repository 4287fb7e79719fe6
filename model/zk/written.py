"""Properties of the ZooKeeper era about the content of a state znode after a write: leader, ISR and epochs."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .alter import from_epoch, from_leader_epoch, from_version, wanted, wants_recovering
from .partitions import how
from .state import *
from .znodes import online

ELECTIONS = ("ZP3o", "ZP3u", "ZP3r", "ZP3p", "ZP3d")
STATE_WRITERS = ("ZP2", *ELECTIONS, "ZR4", "ZC5A1", "ZC5B3k", "ZC10")
"""The rows that write a state znode."""

stays_stated = stated[p] & next_(stated[p])
changes_leader = next_(leader[p]).isnt(leader[p])
_is_in, _will_be_in = x.in_(isr[p]), x.in_(next_(isr[p]))
_in_sync = isr[p] & online(c, p)
_meant = when(
    how.is_(Strategy.REASSIGN),
    x.in_(aim[c]),
    when(how.is_(Strategy.PREFERRED), head(assigned[c, p]).is_(some(x)), x.in_(assigned[c, p])),
)
_may_be_unclean = how.is_(Strategy.UNCLEAN) | (how.is_(Strategy.OFFLINE) & unclean[topic[p]])
_could_lead = when(
    partition_state[c, p].is_(PartitionState.NEW),
    x.in_(assigned[c, p]),
    _meant & (x.in_(isr[p]) | (empty(_in_sync) & _may_be_unclean)),
)

WHO_IS_IN_SYNC = (
    result_step(
        "ZI17",
        forall(
            p,
            forall(
                x,
                (stays_stated & ~_is_in & _will_be_in).implies(
                    (next_(leader[p]).is_(leader[p]) & next_(leader_epoch[p]).is_(leader_epoch[p]))
                    | (next_(leader[p]).is_(some(x)) & next_(recovering[p]))
                ),
            ),
        ),
        "The ISR grows only under its leader, in its leader epoch, or by a marked unclean election, by the new leader alone.",
        "KIP-497, KIP-704",
    ),
    result_step(
        "ZI17a",
        next_(isr[p]).is_(wanted) & next_(recovering[p]).is_(wants_recovering),
        "An ISR change that is answered with NONE stores the ISR that the leader proposed, and no other broker.",
        "KIP-497",
        rows=("ZC10",),
    ),
    result_step(
        "ZI17c",
        from_leader_epoch.is_(leader_epoch[p]) & from_version.is_(version[p]) & from_epoch.is_(known_epoch[c, b]),
        "Only who knows the leader epoch and the version in the znode, and is the process that registered, changes an ISR.",
        "KIP-497, KAFKA-14154",
        rows=("ZC10",),
    ),
    result_step(
        "ZI17j",
        b.in_(live[c]) & (wanted <= live[c] - shutting_down[c]),
        "Who asks for an ISR is live; who is asked into it is live and not shutting down.",
        "KAFKA-14140",
        rows=("ZC10",),
    ),
    result_step(
        "ZI17n",
        next_(isr[p]).isnt(isr[p]) | next_(recovering[p]).isnt(recovering[p]) | cached_leader[c, p].isnt(b),
        "A leader that proposes the stored ISR is answered, and nothing is written.",
        "KAFKA-14144",
        rows=("ZC10",),
    ),
    result_step(
        "ZI18n",
        forall(x, _will_be_in.is_(x.in_(assigned[c, p]) & x.in_(online(c, p)))),
        "The ISR of a new partition is the replicas that are online.",
        "S4:21",
        rows=("ZP2",),
    ),
    result_step(
        "ZI18o",
        forall(x, _will_be_in.is_(x.in_(_in_sync) | (empty(_in_sync) & next_(leader[p]).is_(some(x))))),
        "After a leader was lost the ISR is those of it that are online, or the new leader alone if there are none.",
        "S4:25",
        rows=("ZP3o", "ZP3u"),
    ),
    result_step(
        "ZI18s",
        forall(x, _will_be_in.is_(_is_in)),
        "A preferred election and a reassignment keep the ISR as it is.",
        "S4:26-27,91",
        rows=("ZP3r", "ZP3p", "ZC5A1", "ZC5B3k"),
    ),
    result_step(
        "ZI18d",
        forall(x, _will_be_in.is_(_is_in & ~x.in_(shutting_down[c]))),
        "A controlled shutdown removes from the ISR the broker that shuts down, and no other.",
        "S4:28",
        rows=("ZP3d",),
    ),
    result_step(
        "ZI18r",
        forall(x, _will_be_in.is_(_is_in & (x.isnt(r) | forall(y, y.in_(isr[p]).implies(y.is_(r)))))),
        "A replica that goes Offline leaves the ISR, unless it is its last member; no other replica leaves.",
        "S4:53, KAFKA-5083",
        rows=("ZR4",),
    ),
)

WHO_LEADS = (
    result_step(
        "ZI19",
        forall(
            p,
            (next_(stated[p]) & changes_leader & next_(present(leader[p]))).implies(
                exists(c, acting[c] & next_(leader[p]).in_(online(c, p)))
            ),
        ),
        "A newly made leader is live, not shutting down, and has its log directory, as the controller knows.",
        "S4:21-28",
    ),
    result_step(
        "ZI19f",
        next_(leader[p]).is_(first(assigned[c, p], next_(isr[p]) & online(c, p))),
        "Of those who are in sync and online, the first of the replicas leads.",
        "S4:21-28",
        rows=("ZP2", "ZP3o", "ZP3d"),
    ),
    result_step(
        "ZI19p",
        next_(leader[p]).is_(head(assigned[c, p])),
        "A preferred election makes the first of the replicas the leader.",
        "S4:27",
        rows=("ZP3p",),
    ),
    result_step(
        "ZI19u",
        next_(leader[p]).in_(isr[p])
        | (empty(_in_sync) & next_(recovering[p]) & (how.is_(Strategy.UNCLEAN) | unclean[topic[p]])),
        "A leader from outside the ISR is chosen only where no in-sync replica is online, and where a topic allows it or an "
        "operator asked for it; it is marked.",
        "KIP-460, KIP-704",
        rows=ELECTIONS,
    ),
    result_step(
        "ZI19n",
        forall(x, x.in_(online(c, p)).implies(~_could_lead)),
        "An election is given up only where no online replica may lead: of the in-sync ones, or of all where it may be unclean.",
        "S4:73,80",
        rows=("ZP2n", "ZP3n"),
    ),
    result_step(
        "ZI19k",
        next_(leader[p]).is_(leader[p]) | (leader[p].is_(some(r)) & absent(next_(leader[p]))),
        "A replica that goes Offline loses the leadership, and no other gets it by that.",
        "S4:53",
        rows=("ZR4",),
    ),
)

MARKS = (
    result_step(
        "ZI1o",
        next_(written_in[p]).is_(own_epoch[c]),
        "The controller epoch in a state znode is that of the controller who writes it.",
        "KAFKA-6082",
        rows=STATE_WRITERS,
    ),
    result_step(
        "ZI20",
        forall(
            p,
            (stays_stated & ~recovering[p] & next_(recovering[p])).implies(
                present(next_(leader[p])) & ~next_(leader[p]).in_(isr[p])
            ),
        ),
        "A partition is marked as recovering only by the election of a leader from outside the ISR.",
        "KIP-704",
    ),
    result_step(
        "ZI20l",
        forall(
            p,
            (stays_stated & recovering[p] & ~next_(recovering[p])).implies(next_(leader_epoch[p]).is_(leader_epoch[p])),
        ),
        "The mark stays until the leader says that it has recovered, whichever replica is elected meanwhile.",
        "KIP-704",
    ),
    always(
        "ZI20a",
        forall(p, forall(x, forall(y, (stated[p] & recovering[p] & x.in_(isr[p]) & y.in_(isr[p])).implies(x.is_(y))))),
        "While a leader recovers it is alone in the ISR.",
        "KIP-704",
    ),
)

WRITTEN: tuple[Property, ...] = (*WHO_IS_IN_SYNC, *WHO_LEADS, *MARKS)
