"""The page's reassignment (S4:84-106): twelve steps, a row or two each, so that the controller may fail after every one.

It is driven by /admin/reassign_partitions, and takes the place of KIP-455's phases (`reassignment.py`).
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .operations import NOBODY, called_all, finish, ready, target
from .phases import OPERATIONS, about_replicas, in_order
from .phases import TWELVE_STEPS as PAGE
from .reassignment import REASSIGNMENT, stays_leader
from .state import *
from .znodes import ASSIGNMENT, cut_off, inform, lead, moved, nothing_assigned, resign, tell

before = per(PARTITION, "before", BROKERS, what="ghost", about="OAR: its replicas when the reassignment was asked for")

OAR_AND_RAR = let("OAR + RAR", then(assigned[c, p], request[p]))
joined = let("RAR in isr", members(request[p]) <= isr[p])
outlasts = members(assigned[c, p])

ask = event("RequestReassignment", p, target, environment=True, source="S4:84", code="ReassignPartitionsCommand")
begin = event(
    "OnPartitionReassignment", c, p,
    given=ready(c) & requested[p] & ~resumed[c, p] & ~empty(assigned[c, p]) & ~deleting[c, topic[p]],
    source="S4:85", code="KafkaController.onPartitionReassignment",
)  # fmt: skip
go_on = event(
    "ReassignedReplicasInSync", c, p, environment=True, source="S4:88", code="KafkaController.onPartitionReassignment"
)
next_step = event("ReassignmentStep", c, p, given=called_all(c) & about[c, p], environment=True, source="S4:84-96")
write = event("ReassignmentWrite", c, p, given=acting[c] & about[c, p], environment=True, source="S4:84-96")
at = call[c]

TWELVE_STEPS = table(
    "the page's reassignment",
    ask("T0", exists_[p] & ~requested[p] & ~empty(target) & target.isnt(replicas[p]),
        requested[p].becomes(TRUE), request[p].becomes(target), before[p].becomes(replicas[p])),
    # 1: AR in ZooKeeper and in memory
    begin("T1s", cut_off(c)),
    begin("T1m", moved(c), resign(c)),
    begin("T1",  TRUE, ASSIGNMENT(p, replicas=OAR_AND_RAR, adding=NOBODY, removing=NOBODY),
          subjects[c].becomes(members(request[p]) - outlasts), assigned[c, p].becomes(OAR_AND_RAR),
          aim[c].becomes(request[p]), about[c, p].becomes(TRUE), resumed[c, p].becomes(TRUE), call[c].becomes(Call.BUMP),                  source="S4:85"),
    # 2, 3: everyone hears of it, who is added begins to fetch
    write("T2s", at.is_(Call.BUMP) & (cut_off(c) | ~stated[p]), finish(c)),
    write("T2m", at.is_(Call.BUMP) & moved(c), resign(c)),
    write("T2",  at.is_(Call.BUMP), lead(c, p, leader[p], isr[p], leader_epoch[p] + 1, recovering[p]), tell(c, p, outlasts),
          call[c].becomes(Call.ADD_NEW), due_replicas[c, p].becomes(subjects[c]),                                                           source="S4:86-87"),
    next_step("T3", at.is_(Call.ADD_NEW), finish(c),                                                                                        source="S4:87-88"),
    # 4, 5: wait for the ISR
    go_on("T4", ready(c) & requested[p] & resumed[c, p] & joined & ~deleting[c, topic[p]],
          aim[c].becomes(request[p]), about[c, p].becomes(TRUE), call[c].becomes(Call.ADD_ONLINE), due_replicas[c, p].becomes(members(request[p])), source="S4:88-89"),
    # 6, 7: who is removed is no replica any more, the leader hears so
    next_step("T6", at.is_(Call.ADD_ONLINE), subjects[c].becomes(outlasts - members(aim[c])), assigned[c, p].becomes(aim[c]), call[c].becomes(Call.LEAD), source="S4:90"),
    next_step("T7", at.is_(Call.LEAD) & ~stays_leader, call[c].becomes(Call.MOVE_LEADER), due[c, p].becomes(TRUE),                          source="S4:91"),
    write("T7s", at.is_(Call.LEAD) & stays_leader & (cut_off(c) | ~stated[p]), call[c].becomes(Call.REMOVE_OFFLINE), due_replicas[c, p].becomes(subjects[c])),
    write("T7m", at.is_(Call.LEAD) & stays_leader & moved(c), resign(c)),
    write("T7k", at.is_(Call.LEAD) & stays_leader, lead(c, p, leader[p], isr[p], leader_epoch[p] + 1, recovering[p]), tell(c, p, outlasts),
          call[c].becomes(Call.REMOVE_OFFLINE), due_replicas[c, p].becomes(subjects[c]),                                                    source="S4:91"),
    # 8, 9: they leave the ISR, then go
    next_step("T8",  at.is_(Call.MOVE_LEADER), call[c].becomes(Call.REMOVE_OFFLINE), due_replicas[c, p].becomes(subjects[c]),               source="S4:92"),
    next_step("T9a", at.is_(Call.REMOVE_OFFLINE), call[c].becomes(Call.REMOVE_STARTED), due_replicas[c, p].becomes(subjects[c]),            source="S4:93"),
    next_step("T9b", at.is_(Call.REMOVE_STARTED), call[c].becomes(Call.REMOVE_SUCCESSFUL), due_replicas[c, p].becomes(subjects[c]),         source="S4:93"),
    next_step("T9c", at.is_(Call.REMOVE_SUCCESSFUL), call[c].becomes(Call.REMOVE_GONE), due_replicas[c, p].becomes(subjects[c]),            source="S4:93"),
    next_step("T9",  at.is_(Call.REMOVE_GONE), call[c].becomes(Call.STORE),                                                                 source="S4:93"),
    # 10, 11, 12: ZooKeeper forgets who was there before, then what was asked for
    write("T10s", at.is_(Call.STORE) & cut_off(c), finish(c)),
    write("T10m", at.is_(Call.STORE) & moved(c), resign(c)),
    write("T10",  at.is_(Call.STORE), ASSIGNMENT(p, replicas=assigned[c, p], adding=NOBODY, removing=NOBODY), call[c].becomes(Call.FINISH), source="S4:94"),
    write("T11s", at.is_(Call.FINISH) & cut_off(c), finish(c)),
    write("T11m", at.is_(Call.FINISH) & moved(c), resign(c)),
    write("T11",  at.is_(Call.FINISH), requested[p].becomes(FALSE), request[p].becomes(nothing_assigned), resumed[c, p].becomes(FALSE),
          call[c].becomes(Call.INFORM),                                                                                                     source="S4:95"),
    next_step("T12", at.is_(Call.INFORM), finish(c), inform(c),                                                                             source="S4:96"),
    mode="first match",
    total=True,
    about="OAR: the replicas from before, RAR: those asked for, AR: those assigned, in ZooKeeper and as cached.",
    why={
        "T1": "A successor computes RAR - OAR from OAR + RAR: it adds no replica, its start has already notified them all.",
        "T2": "The page names no new leader epoch; without one no replica obeys (ZI5).",
        "T4": "The page waits for RAR only; whether all of AR is in sync does not matter.",
        "T6": "In memory only: a crash from here on finds OAR + RAR in ZooKeeper.",
        "T10": "Last, since it is the only place that lists the replicas still to be removed (S4:106).",
        "T11": "Until here every successor begins again at step 1.",
    },
)  # fmt: skip

_removed = members(before[p]) - members(request[p])
CLAIMS: tuple[Property, ...] = (
    always(
        "ZI6",
        forall(
            p,
            (requested[p] & exists_[p]).implies(
                replicas[p].is_(before[p]) | replicas[p].is_(then(before[p], request[p])) | replicas[p].is_(request[p])
            ),
        ),
        "While a reassignment is asked for, AR in ZooKeeper is OAR, OAR + RAR, or RAR.",
        "S4:99-106",
    ),
    step(
        "ZI6b",
        forall(
            y,
            y.in_(members(replicas[p]) - members(next_(replicas[p]))).implies(
                replica_state[c, p, y].is_(ReplicaState.NONEXISTENT)
            ),
        ),
        "AR becomes RAR only once every replica that is left out has been sent a StopReplica that deletes its log.",
        "S4:92-94",
        rows=("T10",),
    ),
    step(
        "ZI6c",
        forall(p, (requested[p] & ~next_(requested[p])).implies(next_(replicas[p]).is_(request[p]))),
        "What was asked for is forgotten only once AR in ZooKeeper is RAR: a crash before leaves it to the successor.",
        "S4:95,106",
    ),
    in_order(*OPERATIONS, *PAGE),
    about_replicas(
        "ZI27l",
        (Call.ADD_NEW, Call.ADD_ONLINE),
        next_(about[c, p]) & when(next_(call[c]).is_(Call.ADD_NEW), x.in_(next_(subjects[c])), x.in_(next_(aim[c]))),
        "A reassignment sends who is added New, and its target Online once it is in sync.",
        "S4:87,89",
    ),
)
"""Properties of the page's reassignment that KIP-455's does not share."""


def twelve_steps(base: Protocol) -> Protocol:
    """Return the variant whose reassignment is the page's; claims that speak of KIP-455's phases alone are left out."""
    others = tuple(one for one in base.tables if one.name != REASSIGNMENT.name)
    ids = {row.id for one in (*others, TWELVE_STEPS) for row in one.rows}
    mine = {one.id for one in CLAIMS}
    kept: list[Property] = []
    for one in base.properties:
        if isinstance(one, Step) and one.rows:
            rows = tuple(row for row in one.rows if row in ids)
            if not rows:
                continue
            one = replace(one, rows=rows)
        if one.id not in mine:
            kept.append(one)
    events = {row.event.name for one in (*others, TWELVE_STEPS) for row in one.rows}
    bounds = {
        name: replace(bound, given={event: term for event, term in bound.given.items() if event in events})
        for name, bound in base.bounds.items()
    }
    return replace(
        base,
        bounds=bounds,
        name=f"{base.name}+twelve_steps",
        tables=(*others, TWELVE_STEPS),
        properties=(*kept, *CLAIMS),
        base=base.base or base,
        why="reassignment as the page has it",
    )
