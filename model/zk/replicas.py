"""The replica state machine (S4:35-55, with the code's seven states): who hears of it, and who leaves the ISR."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .calls import REPLICA_CALLS
from .outcomes import Outcome
from .state import *
from .znodes import abandon, cut_off, inform, lead, moved, resign, settled_replica, tell

NEW, ONLINE, OFFLINE = ReplicaState.NEW, ReplicaState.ONLINE, ReplicaState.OFFLINE
STARTED, SUCCESSFUL = ReplicaState.DELETION_STARTED, ReplicaState.DELETION_SUCCESSFUL
INELIGIBLE, NONEXISTENT = ReplicaState.DELETION_INELIGIBLE, ReplicaState.NONEXISTENT
VALID_PREVIOUS = {
    NEW: (NONEXISTENT,),
    ONLINE: (NEW, ONLINE, OFFLINE, INELIGIBLE),
    OFFLINE: (NEW, ONLINE, OFFLINE, INELIGIBLE),
    STARTED: (OFFLINE,),
    SUCCESSFUL: (STARTED,),
    INELIGIBLE: (OFFLINE, STARTED),
    NONEXISTENT: (SUCCESSFUL,),
}
"""The legal changes: S4:43-55 in Kafka's seven states."""

to = one_of(ReplicaState).var("to")


@definition
def legal(state: Term[ReplicaState], to: Term[ReplicaState]) -> Term[bool]:
    """The replica may go from the one state to the other."""
    return any_of(*(to.is_(new) & any_of(*(state.is_(old) for old in olds)) for new, olds in VALID_PREVIOUS.items()))


@definition
def called(c: Term[Controller], p: Term[Partition], r: Term[Broker], to: Term[ReplicaState]) -> Term[bool]:
    """The event thread has come to change this replica so."""
    return (
        acting[c]
        & r.in_(due_replicas[c, p])
        & any_of(*(call[c].is_(one) & to.is_(state) for one, state in REPLICA_CALLS.items()))
    )


state = replica_state[c, p, r]
others = let("others", members(assigned[c, p]) - just(r))
left = let("left", when(isr[p].is_(just(r)), isr[p], isr[p] - just(r)))
leads_on = let("leads_on", when(leader[p].is_(r), none_of(BROKER), leader[p]))
being_deleted = deleting[c, topic[p]]
done = settled_replica(c, p, r)
meant_for = stop_epoch[c, p, r].becomes(when(being_deleted, Lit(-1, LEADER_EPOCH), cached_leader_epoch[c, p]))
stop = (stopped[c, p].becomes(stopped[c, p] | just(r)), meant_for)

change = event(
    "ReplicaState", c, p, r, to,
    given=called(c, p, r, to),
    source="S4:43-55", code="ZkReplicaStateMachine.doHandleStateChanges",
)  # fmt: skip
REPLICAS = table(
    "replica state machine",
    change("ZR0",  ~legal(state, to),                        done,                                                                  say=Outcome.ILLEGAL),
    change("ZR1l", to.is_(NEW) & knows[c, p] & cached_leader[c, p].is_(r), done,                                                    say=Outcome.IS_LEADER),
    change("ZR1",  to.is_(NEW),                              only_if(knows[c, p], tell(c, p, just(r))), done, state.becomes(NEW),   say=Outcome.DONE, source="S4:45-46"),
    change("ZR2",  to.is_(ONLINE) & state.is_(NEW),
           assigned[c, p].becomes(then(assigned[c, p], only(r))), done, state.becomes(ONLINE),                                      say=Outcome.DONE, source="S4:47-48"),
    change("ZR3",  to.is_(ONLINE),                           only_if(knows[c, p], tell(c, p, just(r))), done, state.becomes(ONLINE), say=Outcome.DONE, source="S4:49-50"),
    change("ZR4k", to.is_(OFFLINE) & ~knows[c, p],           stop, inform(c), done, state.becomes(OFFLINE),                         say=Outcome.DONE),
    change("ZR4s", to.is_(OFFLINE) & cut_off(c),             stop, done,                                                            say=Outcome.SESSION_EXPIRED),
    change("ZR4x", to.is_(OFFLINE) & ~stated[p],             stop, done,                                                            say=Outcome.NO_STATE),
    change("ZR4c", to.is_(OFFLINE) & (written_in[p] > own_epoch[c]), stop, done,                                                    say=Outcome.NEWER_CONTROLLER),
    change("ZR4i", to.is_(OFFLINE) & ~r.in_(isr[p]),         stop, only_if(~being_deleted, tell(c, p, others)), done, state.becomes(OFFLINE), say=Outcome.DONE),
    change("ZR4h", to.is_(OFFLINE) & moved(c) & call[c].is_(Call.SHUTDOWN_FOLLOWERS), abandon(c),                                   say=Outcome.EPOCH_MOVED),
    change("ZR4m", to.is_(OFFLINE) & moved(c),               resign(c),                                                             say=Outcome.EPOCH_MOVED),
    change("ZR4",  to.is_(OFFLINE),
           lead(c, p, leads_on, left, leader_epoch[p] + 1, recovering[p]),
           stop, only_if(~being_deleted, tell(c, p, others)), done, state.becomes(OFFLINE),                                         say=Outcome.DONE, source="S4:51-53"),
    change("ZR5",  to.is_(STARTED),                          erased[c, p].becomes(erased[c, p] | just(r)), meant_for, done, state.becomes(STARTED), say=Outcome.DONE, source="S4:54-55"),
    change("ZR6",  to.is_(SUCCESSFUL),                       done, state.becomes(SUCCESSFUL),                                       say=Outcome.DONE, source="code"),
    change("ZR7",  to.is_(INELIGIBLE),                       done, state.becomes(INELIGIBLE),                                       say=Outcome.DONE, source="code"),
    change("ZR8",  to.is_(NONEXISTENT),
           assigned[c, p].becomes(drop(assigned[c, p], just(r))), cached_adding[c, p].becomes(cached_adding[c, p] - just(r)),
           cached_removing[c, p].becomes(cached_removing[c, p] - just(r)), done, state.becomes(NONEXISTENT),                        say=Outcome.DONE, source="S4:54-55"),
    mode="first match",
    total=True,
    about="A change that is not legal, or fails, leaves the replica in its state; the others of the same call go on.",
    why={
        "ZR1": "The new replica hears who leads, and begins to fetch.",
        "ZR2": "Nothing is sent (S4:47-48).",
        "ZR4": "The last member of the ISR stays in it (KAFKA-5083); every other replica hears of the new epoch (KAFKA-1188).",
        "ZR4h": "A controlled shutdown that fails is answered with the failure, whatever it was: no controller resigns for it.",
        "ZR4i": "Nothing is written; the log says the same as where something was.",
        "ZR4x": "The replica keeps its state; where the topic is being deleted the log does not even say so.",
        "ZR4k": "A partition that never had a leader has no ISR to leave (KAFKA-6650).",
    },
)  # fmt: skip
