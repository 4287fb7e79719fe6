"""Reassignment in KIP-455's phases (ZC5'): every phase is a row, so that the controller may fail after each."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .operations import NOBODY, called_all, finish, ready, target
from .outcomes import Error
from .state import *
from .znodes import ASSIGNMENT, cut_off, inform, lead, moved, online, resign, tell


@definition
def targets(c: Term[Controller], p: Term[Partition]) -> Term[tuple[Broker, ...]]:
    """The replicas that the partition is to have, as cached."""
    return drop(assigned[c, p], cached_removing[c, p])


@definition
def origins(c: Term[Controller], p: Term[Partition]) -> Term[tuple[Broker, ...]]:
    """The replicas that the partition had before, as cached."""
    return drop(assigned[c, p], cached_adding[c, p])


being_reassigned = let("being_reassigned", ~empty(cached_adding[c, p]) | ~empty(cached_removing[c, p]))
origin = origins(c, p)
entering = let("entering", members(target) - members(origin))
leaving = let("leaving", members(origin) - members(target))
merged = let("merged", then(target, origin))
strangers = let(
    "strangers", empty(target) | ~((members(target) - members(assigned[c, p])) <= (live[c] - shutting_down[c]))
)
free = ready(c) & ~empty(assigned[c, p])

reassign = event(
    "AlterReassignment",
    c,
    p,
    target,
    environment=True,
    source="S4:84",
    code="KafkaController.processApiPartitionReassignment",
)
wish = event(
    "ZkReassignment", c, p, target, given=~empty(target), environment=True, source="S4:95", code="KafkaController.processZkPartitionReassignment"
)  # fmt: skip
cancel = event(
    "CancelReassignment",
    c,
    p,
    environment=True,
    source="KIP-455",
    code="KafkaController.processApiPartitionReassignment",
)
resume = event(
    "ResumeReassignment", c, p, environment=True, source="S4:81,114", code="KafkaController.maybeResumeReassignments"
)
assign = event(
    "UpdateAssignment",
    c,
    p,
    target,
    given=acting[c] & call[c].is_(Call.ASSIGN) & about[c, p] & target.is_(aim[c]),
    source="S4:85",
)
bump = event(
    "UpdateLeaderEpoch",
    c,
    p,
    given=acting[c] & about[c, p],
    environment=True,
    source="S4:86,91",
    code="KafkaController.updateLeaderEpochAndSendRequest",
)
phase = event(
    "ReassignmentPhase", c, p, given=called_all(c) & about[c, p] & ~empty(aim[c]), environment=True, source="KIP-455"
)

in_sync_all = let("in_sync_all", ~being_reassigned | (stated[p] & (members(targets(c, p)) <= isr[p])))
unchanged = let(
    "unchanged", merged.is_(assigned[c, p]) & entering.is_(cached_adding[c, p]) & leaving.is_(cached_removing[c, p])
)
unwritable = let("unwritable", cut_off(c) | ~stated[p] | (written_in[p] > own_epoch[c]))
unneeded = let("unneeded", members(assigned[c, p]) - members(merged))
stays_leader = let("stays_leader", cached_leader[c, p].in_(targets(c, p)) & cached_leader[c, p].in_(online(c, p)))
REASSIGNMENT = table(
    "reassignment",
    # the operator asks, or what is under way goes on
    reassign("ZC5a", free & strangers,                                       say=Error.INVALID_REPLICA_ASSIGNMENT),
    reassign("ZC5b", free & deleting[c, topic[p]],                           say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    reassign("ZC5",  free, aim[c].becomes(target), about[c, p].becomes(TRUE), call[c].becomes(Call.ASSIGN), say=Error.NONE),
    wish("ZC5y",     free & deleting[c, topic[p]],                           say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    wish("ZC5z",     free, aim[c].becomes(target), about[c, p].becomes(TRUE), call[c].becomes(Call.ASSIGN), say=Error.NONE),
    cancel("ZC5d",   free & ~being_reassigned,                               say=Error.NO_REASSIGNMENT_IN_PROGRESS),
    cancel("ZC5e",   free & deleting[c, topic[p]],                           say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    cancel("ZC5c",   free, aim[c].becomes(origin), about[c, p].becomes(TRUE), call[c].becomes(Call.ASSIGN), say=Error.NONE),
    resume("ZC5r",   free & being_reassigned & (in_sync_all | ~resumed[c, p]),
           aim[c].becomes(targets(c, p)), about[c, p].becomes(TRUE), call[c].becomes(Call.DECIDE)),
    # U1, U2: the assignment is stored, then cached
    assign("ZC5k", unchanged, call[c].becomes(Call.DECIDE)),
    assign("ZC5s", cut_off(c), finish(c)),
    assign("ZC5m", moved(c), resign(c)),
    assign("ZC5U", TRUE,
           ASSIGNMENT(p, replicas=merged, adding=entering, removing=leaving),
           assigned[c, p].becomes(merged), cached_adding[c, p].becomes(entering), cached_removing[c, p].becomes(leaving),
           subjects[c].becomes(unneeded), due_replicas[c, p].becomes(unneeded), call[c].becomes(Call.UNNEEDED_OFFLINE)),
    # U3: replicas that are in the way of the new target go
    phase("ZC5U3a", call[c].is_(Call.UNNEEDED_OFFLINE), call[c].becomes(Call.UNNEEDED_STARTED), due_replicas[c, p].becomes(subjects[c])),
    phase("ZC5U3b", call[c].is_(Call.UNNEEDED_STARTED), call[c].becomes(Call.UNNEEDED_SUCCESSFUL), due_replicas[c, p].becomes(subjects[c])),
    phase("ZC5U3c", call[c].is_(Call.UNNEEDED_SUCCESSFUL), call[c].becomes(Call.UNNEEDED_GONE), due_replicas[c, p].becomes(subjects[c])),
    phase("ZC5U3d", call[c].is_(Call.UNNEEDED_GONE), subjects[c].becomes(NOBODY), call[c].becomes(Call.DECIDE)),
    # A: not all in sync yet
    phase("ZC5A",   call[c].is_(Call.DECIDE) & ~in_sync_all, resumed[c, p].becomes(TRUE), call[c].becomes(Call.BUMP)),
    bump("ZC5A1s", call[c].is_(Call.BUMP) & unwritable, finish(c)),
    bump("ZC5A1m", call[c].is_(Call.BUMP) & moved(c), resign(c)),
    bump("ZC5A1",  call[c].is_(Call.BUMP), lead(c, p, leader[p], isr[p], leader_epoch[p] + 1, recovering[p]), tell(c, p, members(assigned[c, p])),
         call[c].becomes(Call.ADD_NEW), due_replicas[c, p].becomes(cached_adding[c, p])),
    phase("ZC5A2", call[c].is_(Call.ADD_NEW), finish(c), source="S4:87"),
    # B: all in sync
    phase("ZC5B",  call[c].is_(Call.DECIDE), call[c].becomes(Call.ADD_ONLINE), due_replicas[c, p].becomes(cached_adding[c, p]), source="S4:88-89"),
    phase("ZC5B2", call[c].is_(Call.ADD_ONLINE), subjects[c].becomes(cached_removing[c, p]), call[c].becomes(Call.LEAD),
          assigned[c, p].becomes(targets(c, p)), cached_adding[c, p].becomes(NOBODY), cached_removing[c, p].becomes(NOBODY), source="S4:90"),
    phase("ZC5B3", call[c].is_(Call.LEAD) & ~stays_leader, call[c].becomes(Call.MOVE_LEADER), due[c, p].becomes(TRUE), source="S4:91"),
    bump("ZC5B3s", call[c].is_(Call.LEAD) & stays_leader & unwritable, finish(c)),
    bump("ZC5B3m", call[c].is_(Call.LEAD) & stays_leader & moved(c), resign(c)),
    bump("ZC5B3k", call[c].is_(Call.LEAD) & stays_leader, lead(c, p, leader[p], isr[p], leader_epoch[p] + 1, recovering[p]), tell(c, p, members(assigned[c, p])),
         call[c].becomes(Call.REMOVE_OFFLINE), due_replicas[c, p].becomes(subjects[c]), source="S4:91"),
    phase("ZC5B4", call[c].is_(Call.MOVE_LEADER), call[c].becomes(Call.REMOVE_OFFLINE), due_replicas[c, p].becomes(subjects[c]), source="S4:92"),
    phase("ZC5B5a", call[c].is_(Call.REMOVE_OFFLINE), call[c].becomes(Call.REMOVE_STARTED), due_replicas[c, p].becomes(subjects[c]), source="S4:93"),
    phase("ZC5B5b", call[c].is_(Call.REMOVE_STARTED), call[c].becomes(Call.REMOVE_SUCCESSFUL), due_replicas[c, p].becomes(subjects[c]), source="S4:93"),
    phase("ZC5B5c", call[c].is_(Call.REMOVE_SUCCESSFUL), call[c].becomes(Call.REMOVE_GONE), due_replicas[c, p].becomes(subjects[c]), source="S4:93"),
    phase("ZC5B5d", call[c].is_(Call.REMOVE_GONE), call[c].becomes(Call.STORE), source="S4:93"),
    bump("ZC5B6s", call[c].is_(Call.STORE) & cut_off(c), finish(c)),
    bump("ZC5B6m", call[c].is_(Call.STORE) & moved(c), resign(c)),
    bump("ZC5B6", call[c].is_(Call.STORE),
         ASSIGNMENT(p, replicas=assigned[c, p], adding=NOBODY, removing=NOBODY), call[c].becomes(Call.FINISH), source="S4:94"),
    phase("ZC5B8", call[c].is_(Call.FINISH), finish(c), inform(c), source="S4:95-96"),
    mode="first match",
    total=True,
    about="The target and the replicas from before stand in the topic's znode until the end, so that every successor goes on towards the target.",
    why={
        "ZC5U": "Target first, then the others: the preferred replica moves at once.",
        "ZC5A1": "The leader hears of the added replicas under a new epoch, then they begin to fetch.",
        "ZC5B3k": "The leader stays: it must hear that the removed replicas are none any more, or it takes them back into the ISR (KAFKA-1097).",
        "ZC5z": "By /admin/reassign_partitions: whether the added replicas are live is not checked.",
        "ZC5k": "Nothing to store: what is asked for is under way, or done.",
        "ZC5B6": "Last, since it is the only place that lists the replicas still to be removed.",
    },
)  # fmt: skip
