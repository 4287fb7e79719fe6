"""AddRaftVoter, RemoveRaftVoter and UpdateRaftVoter, the upgrade of kraft.version, and controllers that join by themselves."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import (
    FALSE,
    TRUE,
    Term,
    event,
    every,
    exists,
    forall,
    just,
    let,
    maybe,
    none_of,
    only_if,
    present,
    some,
    table,
)

from .raft import appended, established, latest, pending
from .state import *

ADD, REMOVE, UPDATE = "AddVoterHandler", "RemoveVoterHandler", "UpdateVoterHandler"
by = maybe(CONTROLLER).var("by")

add = event("AddRaftVoter", n, c, own, seen, given=own.implies(joins[c]), source="KIP-853, KIP-1186", code=ADD)
remove = event(
    "RemoveRaftVoter",
    n,
    c,
    by,
    given=present(by).implies(exists(k, by.is_(k) & replaces[k].is_(c))),
    source="KIP-853",
    code=REMOVE,
)
update = event("UpdateRaftVoter", n, c, source="KIP-853", code=UPDATE)
upgrade = event("UpgradeKRaftVersion", n, source="KIP-853, KAFKA-16538", code="LeaderState")
join = event("JoinVoters", c, environment=True, source="KIP-853", code="KafkaRaftClient")
replace = event("ReplaceDirectory", c, k, environment=True, source="KIP-853", code="KafkaRaftClient")

_log = epoch[n]
_end = log_end[_log]
dynamic = let("dynamic", level[epoch[n], log_end[epoch[n]]], n)
"""The leader's log has kraft.version 1."""
same_node = let("same_node", exists(k, k.in_(latest) & node_id[k].is_(node_id[c])), n, c)
"""The voters have one of the same node id."""
caught_up = let("caught_up", seen & holds(c, epoch[n], log_end[epoch[n]]), n, c, seen)
"""The controller has all that the leader has, and the leader has seen it fetch from there."""
others = let("others", exists(k, k.in_(latest) & k.isnt(c)), n, c)
"""The voters have another one."""
all_know = let("all_know", forall(k, k.in_(latest).implies(told[epoch[n], k] | (k.is_(n) & supports[k]))), n)
"""The leader knows of every voter that it knows kraft.version 1."""
own_voters = voters_at(follows[c], end[c])
_own_node = exists(k, k.in_(own_voters) & node_id[k].is_(node_id[c]))
polls = let("polls", auto_join[c] & ~leads[c] & has_level(follows[c], end[c]), c)
"""A follower with auto-join whose own log has kraft.version 1."""


def writes(new: Term[frozenset[Controller]]) -> tuple[Any, ...]:
    """The leader appends the voters."""
    return (*appended(_log, _end, new, TRUE, TRUE), end[n].becomes(_end + 1))


_taken = only_if(own, joins[c].becomes(FALSE))
_removal_taken = every(k, by.is_(k), replaces[k].becomes(none_of(CONTROLLER)))

ADDED = table(
    "add a voter",
    add("VA1", ~leads[n], _taken, say=Answer.NOT_LEADER_OR_FOLLOWER),
    add("VA2", ~established, _taken, say=Answer.REQUEST_TIMED_OUT),
    add("VA3", ~dynamic, _taken, say=Answer.UNSUPPORTED_VERSION),
    add("VA4", pending, _taken, say=Answer.REQUEST_TIMED_OUT),
    add("VA5", same_node, _taken, say=Answer.DUPLICATE_VOTER),
    add("VA6", ~supports[c], _taken, say=Answer.INVALID_REQUEST),
    add("VA7", ~caught_up, _taken, say=Answer.REQUEST_TIMED_OUT),
    add("VA8", TRUE, _taken, *writes(latest | just(c)), say=Answer.NONE),
    mode="first match",
    total=True,
    about="An operator's request, and with `own` that of a controller that joins by itself.",
    why={
        "VA2": "Else a change of an earlier leader, not yet committed, could be undone after this one.",
        "VA4": "One change at a time.",
        "VA5": "A node whose directory was replaced has to be removed first, under the old directory id.",
        "VA7": "Else the high watermark would wait for it. Kafka takes any controller for caught up that was so within the last hour.",
        "VA8": "Kafka answers an operator when the record is committed, and a controller of its own when it is appended (KIP-1186). "
        "Whether the controller was a voter before is not asked.",
    },
)
REMOVED = table(
    "remove a voter",
    remove("VR1", ~leads[n], _removal_taken, say=Answer.NOT_LEADER_OR_FOLLOWER),
    remove("VR2", ~established, _removal_taken, say=Answer.REQUEST_TIMED_OUT),
    remove("VR3", ~dynamic, _removal_taken, say=Answer.UNSUPPORTED_VERSION),
    remove("VR4", pending, _removal_taken, say=Answer.REQUEST_TIMED_OUT),
    remove("VR5", ~c.in_(latest) | ~others, _removal_taken, say=Answer.VOTER_NOT_FOUND),
    remove(
        "VR6", TRUE, _removal_taken, *writes(latest - just(c)), was_voter.becomes(was_voter | just(c)), say=Answer.NONE
    ),
    mode="first match",
    total=True,
    about="An operator's request, and with `by` that of a controller whose directory was replaced.",
    why={
        "VR5": "The only voter is not removed: VoterSet.removeVoter gives nothing for it either, and the answer is the same.",
        "VR6": "The leader may be removed: it commits this without counting itself, and then resigns (VQ4).",
    },
)
UPDATED = table(
    "update a voter",
    update("VU1", ~leads[n], say=Answer.NOT_LEADER_OR_FOLLOWER),
    update("VU2", ~established, say=Answer.REQUEST_TIMED_OUT),
    update("VU3", dynamic & pending, say=Answer.REQUEST_TIMED_OUT),
    update("VU4", dynamic & ~supports[c], say=Answer.INVALID_REQUEST),
    update("VU5", ~c.in_(latest), say=Answer.VOTER_NOT_FOUND),
    update("VU6", ~dynamic, told[_log, c].becomes(supports[c]), say=Answer.NONE),
    update("VU7", TRUE, *writes(latest), say=Answer.NONE),
    mode="first match",
    total=True,
    about="A voter says at which endpoints it listens and which kraft.version it knows. Endpoints are left out: the record has the same voters.",
    why={"VU6": "With kraft.version 0 the leader remembers it, until it leads no more."},
)
UPGRADED = table(
    "upgrade kraft.version",
    upgrade("VK1", ~(leads[n] & established), say=Answer.NOT_LEADER_OR_FOLLOWER),
    upgrade("VK2", dynamic, say=Answer.NONE),
    upgrade("VK3", ~all_know, say=Answer.INVALID_UPDATE_VERSION),
    upgrade("VK4", TRUE, *writes(latest), say=Answer.NONE),
    mode="first match",
    total=True,
    about="UpdateFeatures of kraft.version 1, at the active controller; it is never lowered.",
    why={"VK4": "One batch has the version and the voters."},
)
JOINS = table(
    "join by oneself",
    join("VJ1", polls & ~_own_node, joins[c].becomes(TRUE)),
    replace("VJ2", polls & k.in_(own_voters) & node_id[k].is_(node_id[c]) & k.isnt(c), replaces[c].becomes(some(k))),
    about="What an observer with auto-join sends when controller.quorum.fetch.timeout.ms has passed since it sent such a request.",
    why={
        "VJ1": "Each time: that it was a voter before and was removed is not asked, here or at the leader (KAFKA-19850).",
        "VJ2": "Its node id votes with another directory, which it has removed first.",
    },
)
