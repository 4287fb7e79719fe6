"""KIP-320 log replication, as hachikuji's kafka-specification states it (module Kip320): fetches fenced by epoch.

One partition. A controller chooses leaders and sends each choice as a request under a new leader epoch; replicas take
requests in any order, ignoring older epochs; a follower truncates to where its log matches the leader's before it
fetches. Restated in our words from the modules Kip320, Kip279, KafkaReplication, FiniteReplicatedLog and IdSequence.
Where a disjunction of the original has overlapping parts (shrinking the ISR), there is a row for each, so that
transitions count alike. That a request is identified by its leader epoch makes the set of requests two maps.
"""

from fencepost.model.language import (
    ANY,
    NONE,
    TRUE,
    Bound,
    Entity,
    Term,
    always,
    any_of,
    cell,
    counter,
    definition,
    event,
    every,
    forall,
    just,
    max_of,
    maybe,
    none_of,
    per,
    per2,
    protocol,
    set_of,
    some,
    sort,
    table,
    those,
    when,
)
from fencepost.model.language.effects import Effects


class Replica(Entity):
    """A replica of the partition."""


REPLICA = sort(Replica)
OFFSET = counter("Offset")  # an end of a log or a high watermark: 0 to the log's size
SLOT = counter("Slot")  # a place in a log: 0 to the log's size - 1
RECORD_ID = counter("RecordId", lo=-1)  # -1 for no record
NEXT_RECORD = counter("NextRecord")
EPOCH = counter("Epoch", lo=-1)  # -1 before the first
NEXT_EPOCH = counter("NextEpoch")
REQUEST = counter("Request")  # a request is identified by its leader epoch

r, l, f, x = REPLICA.var("r"), REPLICA.var("l"), REPLICA.var("f"), REPLICA.var("x")
m, o, n = REQUEST.var("m"), SLOT.var("o"), OFFSET.var("n")

end = per(REPLICA, "end", OFFSET, initial=0)
log_id = per2(REPLICA, SLOT, "log_id", RECORD_ID, initial=-1)
log_epoch = per2(REPLICA, SLOT, "log_epoch", EPOCH, initial=-1)

hw = per(REPLICA, "hw", OFFSET, initial=0, about="the high watermark")
epoch = per(REPLICA, "epoch", EPOCH, initial=-1)
leader = per(REPLICA, "leader", maybe(REPLICA), initial=NONE, about="whom the replica takes for the leader")
isr = per(REPLICA, "isr", set_of(REPLICA))

quorum_epoch = cell("quorum_epoch", EPOCH, initial=-1)
quorum_leader = cell("quorum_leader", maybe(REPLICA), initial=NONE)
quorum_isr = cell("quorum_isr", set_of(REPLICA), initial=ANY)

request_leader = per(REQUEST, "request_leader", maybe(REPLICA), initial=NONE, what="message")
request_isr = per(REQUEST, "request_isr", set_of(REPLICA), what="message")

next_record = cell("next_record", NEXT_RECORD, initial=0)
next_epoch = cell("next_epoch", NEXT_EPOCH, initial=0)


@definition
def presumes(l: Term[Replica]) -> Term[bool]:
    """The replica takes itself for the leader."""
    return leader[l].is_(l)


@definition
def follows(l: Term[Replica], f: Term[Replica]) -> Term[bool]:
    """One replica follows another, which takes itself for the leader, in the same epoch."""
    return presumes(l) & leader[f].is_(l) & epoch[f].is_(epoch[l])


@definition
def true_leader(l: Term[Replica]) -> Term[bool]:
    """The replica takes itself for the leader, and the quorum does."""
    return quorum_leader.is_(l) & presumes(l) & epoch[l].is_(quorum_epoch)


@definition
def same_record(l: Term[Replica], f: Term[Replica], o: Term[int]) -> Term[bool]:
    """Both logs have the same record at a place."""
    return (o < end[l]) & (o < end[f]) & log_id[l, o].is_(log_id[f, o]) & log_epoch[l, o].is_(log_epoch[f, o])


@definition
def matching_end(l: Term[Replica], f: Term[Replica]) -> Term[int]:
    """The end that the follower's log gets: after the last record that the leader's log has in the same place."""
    return max_of(n, (n > 0) & same_record(l, f, n - 1), 0)


@definition
def leader_reached_its_epoch(l: Term[Replica]) -> Term[bool]:
    """The leader's high watermark has come to the records of its own epoch, or to the end of its log."""
    return hw[l].is_(end[l]) | ((hw[l] < end[l]) & log_epoch[l, hw[l]].is_(epoch[l]))


def lesser_of(a: Term[int], b: Term[int]) -> Term[int]:
    """The smaller of two offsets."""
    return when(a < b, a, b)


def send(to_leader: Term[Replica | None], new_isr: Term[frozenset[Replica]]) -> Effects:
    """The controller's choice under a new epoch: kept by the quorum, and sent."""
    return (
        next_epoch.becomes(next_epoch + 1),
        quorum_epoch.becomes(next_epoch),
        quorum_leader.becomes(to_leader),
        quorum_isr.becomes(new_isr),
        request_leader[next_epoch].becomes(to_leader),
        request_isr[next_epoch].becomes(new_isr),
    )


def set_isr(l: Term[Replica], new_isr: Term[frozenset[Replica]]) -> Effects:
    """The true leader changes the ISR, its own and the quorum's at once."""
    return quorum_isr.becomes(new_isr), isr[l].becomes(new_isr)


def adopt(r: Term[Replica], l: Term[Replica]) -> Effects:
    """A replica takes over what request m says."""
    return epoch[r].becomes(m), leader[r].becomes(l), isr[r].becomes(request_isr[m])


KIP = "Kip320.tla"
BASE = "KafkaReplication.tla"
elect = event("ControllerElectLeader", r, source=BASE)
fail = event("ControllerShrinkIsr", r, source=BASE)
become_leader = event("BecomeLeader", m, l, given=request_leader[m].is_(l), source=BASE)
become_follower = event("BecomeFollower", m, l, r, given=request_leader[m].is_(l), source=KIP)
expand = event("LeaderExpandIsr", l, f, source=KIP)
shrink = event("LeaderShrinkIsr", l, f, source=KIP)
write = event("LeaderWrite", l, source=BASE)
raise_hw = event("LeaderIncHighWatermark", l, source=KIP)
fetch = event("FollowerFetch", l, f, source=KIP)

nobody = none_of(REPLICA)
end_at = matching_end(l, r)

CONTROLLER = table(
    "controller",
    elect("C1", r.in_(quorum_isr) & quorum_leader.isnt(r), send(some(r), quorum_isr)),
    fail("C2", quorum_leader.is_(r) & quorum_isr.is_(just(r)), send(nobody, quorum_isr)),
    fail("C3", quorum_leader.is_(r) & quorum_isr.isnt(just(r)), send(nobody, quorum_isr - just(r))),
    fail("C4", quorum_leader.isnt(r) & r.in_(quorum_isr), send(quorum_leader, quorum_isr - just(r))),
)

REPLICAS = table(
    "replicas",
    become_leader("B1", m > epoch[l], adopt(l, l)),
    become_follower(
        "B2",
        l.isnt(r) & (m > epoch[r]) & presumes(l) & epoch[l].is_(m),
        adopt(r, l),
        end[r].becomes(end_at),
        hw[r].becomes(lesser_of(end_at, hw[r])),
        every(o, o >= end_at, log_id[r, o].becomes(-1), log_epoch[r, o].becomes(-1)),
    ),
    write(
        "W1",
        presumes(l),
        log_id[l, end[l]].becomes(next_record),
        log_epoch[l, end[l]].becomes(epoch[l]),
        end[l].becomes(end[l] + 1),
        next_record.becomes(next_record + 1),
    ),
    fetch(
        "F1",
        follows(l, f) & (end[f] < end[l]),
        log_id[f, end[f]].becomes(log_id[l, end[f]]),
        log_epoch[f, end[f]].becomes(log_epoch[l, end[f]]),
        end[f].becomes(end[f] + 1),
        hw[f].becomes(lesser_of(hw[l], end[f] + 1)),
    ),
    raise_hw(
        "H1",
        (hw[l] < end[l]) & forall(x, x.in_(isr[l]).implies(follows(l, x) & (hw[l] < end[x]))),
        hw[l].becomes(hw[l] + 1),
    ),
    expand(
        "I1",
        true_leader(l) & ~f.in_(isr[l]) & follows(l, f) & (hw[l] <= end[f]) & leader_reached_its_epoch(l),
        set_isr(l, isr[l] | just(f)),
    ),
    shrink("I2", true_leader(l) & f.in_(isr[l]) & f.isnt(l) & ~follows(l, f), set_isr(l, isr[l] - just(f))),
    shrink("I3", true_leader(l) & f.in_(isr[l]) & f.isnt(l) & (end[f] < end[l]), set_isr(l, isr[l] - just(f))),
    about="I2 and I3 are the two reasons to shrink the ISR; both may apply, and then both count.",
)


def committed(l: Term[Replica], members: Term[frozenset[Replica]]) -> Term[bool]:
    """Every member has what lies below the high watermark of a replica that takes itself for the leader."""
    kept = forall(x, x.in_(members).implies(forall(o, (o < hw[l]).implies(same_record(l, x, o)))))
    return any_of(~presumes(l), kept)


STRONG = always(
    "StrongIsr",
    forall(r, committed(r, quorum_isr)),
    about="what a presumed leader has committed is on every member of the true ISR",
    source=BASE,
)
WEAK = always(
    "WeakIsr",
    forall(r, committed(r, isr[r])),
    about="what a presumed leader has committed is on every member of the ISR it presumes",
    source=BASE,
)


def bound(replicas: int, log_size: int, max_records: int, max_epoch: int) -> Bound:
    """Return the bound that the module's constants Replicas, LogSize, MaxRecords and MaxLeaderEpoch make."""
    sizes = {
        "Replica": replicas,
        "Offset": log_size,
        "Slot": log_size - 1,
        "RecordId": max_records - 1,
        "NextRecord": max_records,
        "Epoch": max_epoch,
        "NextEpoch": max_epoch + 1,
        "Request": max_epoch,
    }
    about = f"Replicas {replicas}, LogSize {log_size}, MaxRecords {max_records}, MaxLeaderEpoch {max_epoch}"
    return Bound(sizes, about=about)


KIP320 = protocol(
    "kip320",
    CONTROLLER,
    REPLICAS,
    properties=[STRONG, WEAK],
    bounds={"2111": bound(2, 1, 1, 1), "2222": bound(2, 2, 2, 2), "3112": bound(3, 1, 1, 2), "3222": bound(3, 2, 2, 2)},
    start=quorum_isr.is_(those(x, TRUE)),
    ends=True,
    about="Replication of one partition; fetches, truncation and high watermark are fenced by leader epoch (KIP-320).",
)
