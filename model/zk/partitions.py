"""The partition state machine (S4:8-33): which changes are legal, how a leader is elected, what is written."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .calls import PARTITION_CALLS
from .outcomes import Outcome
from .state import *
from .znodes import abandon, cut_off, lead, moved, online, reachable, resign, settled, tell

NEW, ONLINE, OFFLINE, NONEXISTENT = (
    PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE, PartitionState.NONEXISTENT,
)  # fmt: skip
VALID_PREVIOUS = {
    NEW: (NONEXISTENT,),
    ONLINE: (NEW, ONLINE, OFFLINE),
    OFFLINE: (NEW, ONLINE, OFFLINE),
    NONEXISTENT: (OFFLINE,),
}
"""The legal changes (S4:17-33; Offline to Offline is Kafka's own)."""

to, how = one_of(PartitionState).var("to"), one_of(Strategy).var("how")


@definition
def legal(state: Term[PartitionState], to: Term[PartitionState]) -> Term[bool]:
    """The partition may go from the one state to the other."""
    return any_of(*(to.is_(new) & any_of(*(state.is_(old) for old in olds)) for new, olds in VALID_PREVIOUS.items()))


@definition
def called(c: Term[Controller], p: Term[Partition], to: Term[PartitionState], how: Term[Strategy]) -> Term[bool]:
    """The event thread has come to change this partition so."""
    return (
        acting[c]
        & due[c, p]
        & any_of(*(call[c].is_(one) & to.is_(state) & how.is_(by) for one, (state, by) in PARTITION_CALLS.items()))
    )


# -- who becomes leader ------------------------------------------------------------------------------------------------
@definition
def in_sync(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The members of the ISR that are online."""
    return isr[p] & online(c, p)


@definition
def staying(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The members of the ISR that are not shutting down."""
    return isr[p] - shutting_down[c]


replica_list = assigned[c, p]
clean = let("clean", first(replica_list, in_sync(c, p)))
anyone = let("anyone", first(replica_list, online(c, p)))
moving_to = let("moving_to", first(aim[c], in_sync(c, p)))
preferred = let("preferred", first(replica_list, members(replica_list)))
takes_over = let("takes_over", first(replica_list, staying(c, p) & reachable(c, p)))
may_be_unclean = let("may_be_unclean", empty(in_sync(c, p)) & (how.is_(Strategy.UNCLEAN) | unclean[topic[p]]))
offline_election = let("offline_election", how.is_(Strategy.OFFLINE) | how.is_(Strategy.UNCLEAN))
nobody_leads = let(
    "nobody_leads",
    any_of(
        offline_election & absent(clean) & (~may_be_unclean | absent(anyone)),
        how.is_(Strategy.REASSIGN) & absent(moving_to),
        how.is_(Strategy.PREFERRED) & ~preferred.in_(in_sync(c, p)),
        how.is_(Strategy.SHUTDOWN) & absent(takes_over),
    ),
)
state = partition_state[c, p]
first_replicas = let("first_replicas", members(replica_list) & online(c, p))
next_epoch = leader_epoch[p] + 1

change = event(
    "PartitionState", c, p, to, how,
    given=called(c, p, to, how),
    source="S4:17-33", code="ZkPartitionStateMachine.doHandleStateChanges",
)  # fmt: skip
PARTITIONS = table(
    "partition state machine",
    change("ZP0",  ~legal(state, to),                            settled(c, p),                                      say=Outcome.ILLEGAL),
    change("ZP1",  to.is_(NEW),                                  settled(c, p), state.becomes(NEW),                  say=Outcome.DONE, source="S4:18-19"),
    change("ZP4",  to.is_(OFFLINE),                              settled(c, p), state.becomes(OFFLINE),              say=Outcome.DONE, source="S4:30-31"),
    change("ZP5",  to.is_(NONEXISTENT),                          settled(c, p), state.becomes(NONEXISTENT),          say=Outcome.DONE, source="S4:32-33"),
    change("ZP2n", state.is_(NEW) & empty(first_replicas),       settled(c, p),                                      say=Outcome.NO_LEADER),
    change("ZP2s", state.is_(NEW) & cut_off(c),                  settled(c, p),                                      say=Outcome.SESSION_EXPIRED),
    change("ZP2m", state.is_(NEW) & moved(c),                    resign(c),                                          say=Outcome.EPOCH_MOVED),
    change("ZP2",  state.is_(NEW),
           lead(c, p, first(replica_list, online(c, p)), first_replicas, leader_epoch[p] + 1, FALSE),
           tell(c, p, first_replicas), settled(c, p), state.becomes(ONLINE),                                         say=Outcome.DONE, source="S4:20-22"),
    change("ZP3s", cut_off(c),                                   settled(c, p),                                      say=Outcome.SESSION_EXPIRED),
    change("ZP3x", ~stated[p],                                   settled(c, p),                                      say=Outcome.NO_STATE),
    change("ZP3c", written_in[p] > own_epoch[c],                 settled(c, p),                                      say=Outcome.NEWER_CONTROLLER),
    change("ZP3n", nobody_leads,                                 settled(c, p),                                      say=Outcome.NO_LEADER),
    change("ZP3h", moved(c) & how.is_(Strategy.SHUTDOWN),        abandon(c),                                         say=Outcome.EPOCH_MOVED),
    change("ZP3m", moved(c),                                     resign(c),                                          say=Outcome.EPOCH_MOVED),
    change("ZP3o", offline_election & present(clean),
           lead(c, p, clean, in_sync(c, p), next_epoch, recovering[p]),
           tell(c, p, members(replica_list) & online(c, p)), settled(c, p), state.becomes(ONLINE),                   say=Outcome.DONE, source="S4:25"),
    change("ZP3u", offline_election,
           lead(c, p, anyone, just(anyone), next_epoch, TRUE),
           tell(c, p, members(replica_list) & online(c, p)), settled(c, p), state.becomes(ONLINE),                   say=Outcome.DONE, source="S4:25"),
    change("ZP3r", how.is_(Strategy.REASSIGN),
           lead(c, p, moving_to, isr[p], next_epoch, recovering[p]),
           tell(c, p, members(aim[c])), settled(c, p), state.becomes(ONLINE),                                        say=Outcome.DONE, source="S4:26"),
    change("ZP3p", how.is_(Strategy.PREFERRED),
           lead(c, p, preferred, isr[p], next_epoch, recovering[p]),
           tell(c, p, members(replica_list)), settled(c, p), state.becomes(ONLINE),                                  say=Outcome.DONE, source="S4:27"),
    change("ZP3d", how.is_(Strategy.SHUTDOWN),
           lead(c, p, takes_over, staying(c, p), next_epoch, recovering[p]),
           tell(c, p, members(replica_list) & reachable(c, p)), settled(c, p), state.becomes(ONLINE),                say=Outcome.DONE, source="S4:28"),
    mode="first match",
    total=True,
    about="A change that is not legal, or fails, leaves the partition in its state; the others of the same call go on.",
    why={
        "ZP2": "Every online replica is in sync: nothing has been written yet.",
        "ZP2m": "The write checks the version of /controller_epoch before anything else (KAFKA-6082): a fenced controller resigns.",
        "ZP2s": "A zombie: its session is gone, and it does not know yet.",
        "ZP3o": "The page has no leaders outside the ISR without an unclean election here; it prefers them only.",
        "ZP3n": "Where a member of the ISR is online no other leader is looked for, not even by an unclean election.",
        "ZP3h": "A controlled shutdown that fails is answered with the failure, whatever it was: no controller resigns for it.",
        "ZP3u": "Data may be lost: the leader's log is taken for the truth.",
        "ZP3d": "Brokers that shut down are notified too: the old leader must know that it no longer leads (KAFKA-7482).",
    },
)  # fmt: skip
