"""Controllers' writes to ZooKeeper, the conditions under which they succeed, and the contents of the send queues."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

nothing_assigned = nothing(BROKER)

# -- znodes ------------------------------------------------------------------------------------------------------------
_p = required("partition", PARTITION, "partition")
_leader = required("leader", maybe(BROKER), "leader", none=-1)
_leader_epoch = required("leader_epoch", LEADER_EPOCH, "leader_epoch")
_isr = required("isr", set_of(BROKER), "isr")
_controller_epoch = required("controller_epoch", EPOCH, "controller_epoch")
_recovering = required("recovering", BOOL, "leader_recovery_state")
_version = required("version", VERSION, "version")
STATE = record(
    "state",
    _p,
    fields=(_leader, _leader_epoch, _isr, _controller_epoch, _recovering, _version),
    replay=(
        stated[_p.value].becomes(TRUE),
        leader[_p.value].becomes(_leader.value),
        leader_epoch[_p.value].becomes(_leader_epoch.value),
        isr[_p.value].becomes(_isr.value),
        written_in[_p.value].becomes(_controller_epoch.value),
        recovering[_p.value].becomes(_recovering.value),
        version[_p.value].becomes(_version.value),
        leader_in[_p.value, _leader_epoch.value].becomes(_leader.value),
    ),
    source="/brokers/topics/T/partitions/p/state",
)
_replicas = required("replicas", BROKERS, "replicas")
_adding = required("adding", set_of(BROKER), "adding_replicas")
_removing = required("removing", set_of(BROKER), "removing_replicas")
ASSIGNMENT = record(
    "assignment",
    _p,
    fields=(_replicas, _adding, _removing),
    replay=(
        exists_[_p.value].becomes(TRUE),
        replicas[_p.value].becomes(_replicas.value),
        adding[_p.value].becomes(_adding.value),
        removing[_p.value].becomes(_removing.value),
    ),
    source="/brokers/topics/T",
)


# -- may a controller write? -------------------------------------------------------------------------------------------
@definition
def cut_off(c: Term[Controller]) -> Term[bool]:
    """ZooKeeper has given the session up, and the controller does not know: reads and writes fail."""
    return ~session[c]


@definition
def moved(c: Term[Controller]) -> Term[bool]:
    """Another controller was elected since: every write checks the version of /controller_epoch, and fails."""
    return own_epoch[c].isnt(controller_epoch)


@definition
def fenced(c: Term[Controller]) -> Term[bool]:
    """Nothing that the controller writes succeeds."""
    return cut_off(c) | moved(c)


# -- who is online, as the controller knows it -------------------------------------------------------------------------
@definition
def online(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The brokers that are live, not shutting down, and have the replica's directory."""
    return live[c] - shutting_down[c] - lost[c, p]


@definition
def reachable(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The same with the brokers that are shutting down, which must still be notified (KAFKA-7482)."""
    return live[c] - lost[c, p]


# -- what a controller remembers and sends -----------------------------------------------------------------------------
_c, _to = CONTROLLER.var("c"), set_of(BROKER).var("to")
_new_leader, _new_isr = maybe(BROKER).var("new_leader"), set_of(BROKER).var("new_isr")
_new_epoch, _uncleanly = LEADER_EPOCH.var("new_epoch"), BOOL.var("uncleanly")


@procedure(_c, p, _to)
def tell(c: Term[Controller], p: Term[Partition], to: Term[frozenset[Broker]]) -> Effects:
    """LeaderAndIsr with what is cached goes to these brokers, UpdateMetadata to all."""
    return told[c, p].becomes(told[c, p] | to), informed[c].becomes(informed[c] | live[c])


@procedure(_c)
def inform(c: Term[Controller]) -> Effects:
    """UpdateMetadata goes to all live brokers."""
    return informed[c].becomes(informed[c] | live[c])


@procedure(_c, p, _new_leader, _new_isr, _new_epoch, _uncleanly)
def lead(
    c: Term[Controller],
    p: Term[Partition],
    new_leader: Term[Broker | None],
    new_isr: Term[frozenset[Broker]],
    new_epoch: Term[int],
    uncleanly: Term[bool],
) -> Effects:
    """The state znode is written under its version and the controller epoch's; what was written is cached."""
    return (
        STATE(
            p,
            leader=new_leader,
            leader_epoch=new_epoch,
            isr=new_isr,
            controller_epoch=own_epoch[c],
            recovering=uncleanly,
            version=version[p] + 1,
        ),
        knows[c, p].becomes(TRUE),
        cached_leader[c, p].becomes(new_leader),
        cached_isr[c, p].becomes(new_isr),
        cached_leader_epoch[c, p].becomes(new_epoch),
        cached_version[c, p].becomes(version[p] + 1),
    )


@procedure(_c, p)
def settled(c: Term[Controller], p: Term[Partition]) -> Effects:
    """The call has come to the partition, whatever became of it."""
    return due[c, p].becomes(FALSE)


@procedure(_c)
def abandon(c: Term[Controller]) -> Effects:
    """The operation ends where it is, and the controller goes on."""
    return (
        call[c].becomes(Call.IDLE),
        subjects[c].becomes(nobody(BROKER)),
        aim[c].becomes(nothing_assigned),
        every(
            q, TRUE, about[c, q].becomes(FALSE), due[c, q].becomes(FALSE), due_replicas[c, q].becomes(nobody(BROKER))
        ),
    )


_r = BROKER.var("r")


@procedure(_c, p, _r)
def settled_replica(c: Term[Controller], p: Term[Partition], r: Term[Broker]) -> Effects:
    """The call has come to the replica, whatever became of it."""
    return due_replicas[c, p].becomes(due_replicas[c, p] - just(r))


@procedure(_c)
def resign(c: Term[Controller]) -> Effects:
    """All that a controller remembers is dropped, with what waits in its send queues."""
    none = nobody(BROKER)
    return (
        acting[c].becomes(FALSE),
        own_epoch[c].becomes(0),
        live[c].becomes(none),
        shutting_down[c].becomes(none),
        call[c].becomes(Call.IDLE),
        subjects[c].becomes(none),
        returning[c].becomes(none),
        aim[c].becomes(nothing_assigned),
        informed[c].becomes(none),
        every(x, TRUE, known_epoch[c, x].becomes(0)),
        every(t, TRUE, deleting[c, t].becomes(FALSE), ineligible[c, t].becomes(FALSE)),
        every(
            q,
            TRUE,
            partition_state[c, q].becomes(PartitionState.NONEXISTENT),
            lost[c, q].becomes(none),
            assigned[c, q].becomes(nothing_assigned),
            cached_adding[c, q].becomes(none),
            cached_removing[c, q].becomes(none),
            knows[c, q].becomes(FALSE),
            cached_leader[c, q].becomes(None),
            cached_isr[c, q].becomes(none),
            cached_leader_epoch[c, q].becomes(-1),
            cached_version[c, q].becomes(-1),
            resumed[c, q].becomes(FALSE),
            about[c, q].becomes(FALSE),
            due[c, q].becomes(FALSE),
            due_replicas[c, q].becomes(none),
            told[c, q].becomes(none),
            stopped[c, q].becomes(none),
            erased[c, q].becomes(none),
            every(y, TRUE, replica_state[c, q, y].becomes(ReplicaState.NONEXISTENT), stop_epoch[c, q, y].becomes(-1)),
        ),
    )
