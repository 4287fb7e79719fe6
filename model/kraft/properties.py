"""Properties of the KRaft tables, each with its scope; lemmas that only induction needs are in `lemmas`."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import off, want_fence
from .directories import BOTH_PARTS
from .more_properties import MORE_PROPERTIES, ended, stays
from .outdated import spared
from .state import *

COMPLETING = (
    "R1", "R2", "R2u", "UR3", "HB2", "HB4", "HB5", "HB6", "HB7", "HB10", "F1", "OD3", "OD4", "AD3", "AD4", "A14",
    "RA3", "RC4", "RC5", "EL3", "EU3", "BA1", "UE1", *BOTH_PARTS,
)  # fmt: skip
"""The rows that go through the builder, each of which completes a reassignment that is due."""
CHANGING = (
    "HB1", "HB2", "HB4", "HB5", "HB6", "HB7", "HB10", "F1", "F2", "HC1", "OD3", "OD4", "UR3", "AD3", "AD4", *BOTH_PARTS,
)  # fmt: skip
"""The rows that change a registration, or where a broker's replicas are."""
_old = members(isr[p]) | elr[p]
_elected = let("elected_now", stays & next_(leader[p]).isnt(leader[p]) & next_(present(leader[p])))

_begins_anew = next_(registered[y]) & (~registered[y] | next_(incarnation[y]).isnt(incarnation[y]))

MEMBERSHIP = (
    step(
        "K1",
        forall(y, _begins_anew.implies(forall(x, registered[x].implies(epoch[x] < next_(epoch[y]))))),
        "The epochs of registrations with a new incarnation increase, over all brokers.",
        "S2:34, S2:52",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K2",
        forall(y, (registered[y] & _begins_anew).implies(contact[y].isnt(Contact.RECENT))),
        "Another incarnation is admitted only if the former one has no session.",
        "S2:38, S2:56",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K3",
        next_(epoch[b]).is_(epoch[b]) & (fenced[b].is_(next_(fenced[b]))) & (ics[b].is_(next_(ics[b]))),
        "Registering again as the same incarnation keeps epoch, fencing and controlled shutdown.",
        "S2:35, KAFKA-16757",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R3",),
    ),
    step(
        "K4",
        off >= registration_offset[b],
        "A heartbeat unfences its broker only if the offset that it reports is not below that of its newest registration.",
        "S2:60, S3:244",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB2", "HD2", "HD2n"),
    ),
    step(
        "K5",
        registered[b],
        "Fencing, unfencing and controlled shutdown name a registered broker, with its current epoch.",
        "ClusterControlManager.replayRegistrationChange",
        scope=AT_RESULT_BOUNDARIES,
        rows=CHANGING,
    ),
    always(
        "K6",
        forall(
            x,
            forall(
                y,
                (registered[x] & registered[y] & x.isnt(y)).implies(
                    forall(d, ~(d.in_(directories[x]) & d.in_(directories[y])))
                ),
            ),
        ),
        "Each directory belongs to at most one broker.",
        "ClusterControlManager.registerBroker",
    ),
)

PARTITIONS = (
    always(
        "P1",
        forall(p, exists_[p].implies(absent(leader[p]) | leader[p].in_(isr[p]))),
        "The leader is in the ISR.",
        "ReplicationControlManager.validateAlterPartitionData",
    ),
    always(
        "P2",
        forall(p, exists_[p].implies((members(isr[p]) <= members(replicas[p])) & ~empty(replicas[p]))),
        "The ISR is within the replicas, and there are replicas.",
        "Replicas.java",
    ),
    always(
        "P3",
        forall(p, (exists_[p] & empty(isr[p])).implies(absent(leader[p]))),
        "A partition whose ISR is empty has no leader.",
        "PartitionChangeBuilder",
    ),
    always(
        "P4",
        forall(p, forall(x, ~(exists_[p] & x.in_(isr[p]) & x.in_(elr[p])))),
        "No broker is both in the ISR and an eligible leader replica.",
        "ReplicationControlManager.updatePartitionInfo",
    ),
    always(
        "P5",
        forall(p, exists_[p].implies(elr[p] <= members(replicas[p]))),
        "Eligible leader replicas are replicas.",
        "KIP-966",
        expected="violated",
        finding="D15",
        by=COMPLETING,
    ),
    step(
        "P6",
        forall(
            p,
            (stays & partition_epoch[p].isnt(next_(partition_epoch[p])) & next_(elr[p]).isnt(nobody(BROKER))).implies(
                ~at_least(next_(members(isr[p])), min_isr(p))  # type: ignore[arg-type]
                | (next_(leader[p]).isnt(leader[p]) & next_(isr[p]).is_(only(next_(leader[p]))))
            ),
        ),
        "After a change there are eligible leader replicas only below min.insync.replicas, or beside a leader just chosen from them.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "P7",
        forall(
            p,
            forall(
                x,
                (exists_[p] & x.in_(isr[p])).implies(
                    registered[x] & ~fenced[x] | (absent(leader[p]) & isr[p].is_(only(some(x))))
                ),
            ),
        ),
        "No fenced or unregistered broker is in an ISR, except as last member of a leaderless partition (which without ELR, or "
        "from the time before it, stays there).",
        "KIP-841, KAFKA-13916",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "P7s",
        forall(
            p,
            forall(x, (exists_[p] & x.in_(isr[p])).implies(~ics[x] | (absent(leader[p]) & isr[p].is_(only(some(x)))))),
        ),
        "No broker in controlled shutdown is in an ISR, except as last member of a leaderless partition.",
        "KIP-841, KAFKA-13916",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D11",
        by=("HB2", "HB6", "RC4", "HD2", "HD2n", "HD6", "HD6n"),
    ),
    step(
        "P8",
        forall(
            p,
            stays.implies(
                (
                    next_(partition_epoch[p]).is_(partition_epoch[p])
                    & next_(leader_epoch[p]).is_(leader_epoch[p])
                    & next_(isr[p]).is_(isr[p])
                    & next_(leader[p]).is_(leader[p])
                    & next_(elr[p]).is_(elr[p])
                    & next_(replicas[p]).is_(replicas[p])
                    & next_(recovery[p]).is_(recovery[p])
                )
                | next_(partition_epoch[p]).is_(partition_epoch[p] + 1)
                & (next_(leader_epoch[p]).is_(leader_epoch[p]) | next_(leader_epoch[p]).is_(leader_epoch[p] + 1))
            ),
        ),
        "A change raises the partition epoch by one, and the leader epoch by one or not at all.",
        "PartitionRegistration.merge",
    ),
    step(
        "P9",
        forall(p, (stays & next_(leader[p]).isnt(leader[p])).implies(next_(leader_epoch[p]).isnt(leader_epoch[p]))),
        "Another leader has another leader epoch.",
        "PartitionRegistration.merge",
    ),
    step(
        "P10",
        forall(
            p,
            (_elected & next_(recovery[p]).is_(Recovery.RECOVERED)).implies(
                next_(leader[p]).in_(_old) | (ended | present(leader[p])) & next_(leader[p].in_(isr[p]))
            ),
        ),
        "A leader that was elected cleanly was in the ISR or an eligible leader replica, or the leader before it has proposed it; or "
        "the reassignment that ends has put it into the ISR.",
        "PartitionChangeBuilder.isValidNewLeader",
    ),
    step(
        "P11",
        forall(
            p,
            (_elected & ~next_(leader[p]).in_(_old) & ~ended & absent(leader[p])).implies(
                next_(isr[p]).is_(only(next_(leader[p]))) & next_(recovery[p]).is_(Recovery.RECOVERING)
            ),
        ),
        "A leader from outside the ISR that was not proposed is its only member and recovers.",
        "PartitionChangeBuilder.tryElection",
    ),
    always(
        "P12",
        forall(
            p,
            forall(
                x,
                forall(
                    y,
                    (exists_[p] & recovery[p].is_(Recovery.RECOVERING) & x.in_(isr[p]) & y.in_(isr[p])).implies(
                        x.is_(y)
                    ),
                ),
            ),
        ),
        "While a leader recovers it is alone in the ISR.",
        "KIP-704",
    ),
    step(
        "P10p",
        next_(leader[p]).is_(leader[p])
        | next_(absent(leader[p]))
        | next_(leader[p]).in_(members(wanted[m]) | _old)
        | next_(isr[p]).is_(only(next_(leader[p]))),
        "A proposal that moves the leader moves it to a replica that was proposed or might lead before, or, uncleanly, to a single one.",
        "PartitionChangeBuilder.isValidNewLeader",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
    step(
        "P16",
        leader[p].is_(some(b))
        & from_epoch[m].is_(epoch[b])
        & from_leader_epoch[m].is_(leader_epoch[p])
        & from_partition_epoch[m].is_(partition_epoch[p])
        & (members(wanted[m]) <= members(replicas[p]))
        & forall(
            x, x.in_(wanted[m]).implies(x.in_(active) & (member_epoch[m, x].is_(-1) | member_epoch[m, x].is_(epoch[x])))
        ),
        "An ISR proposal counts only from the current leader, under the current epochs, with eligible members.",
        "KIP-903",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
)

DIRECTORIES = (
    step(
        "P28",
        forall(
            b,
            forall(
                p,
                (
                    stays
                    & next_(location[p, b]).isnt(location[p, b])
                    & b.in_(next_(isr[p]))
                    & next_(present(leader[p]))
                ).implies(next_(online(p, b))),
            ),
        ),
        "A broker of which a replica is put into a directory that it does not have leaves the ISR, unless the partition is leaderless.",
        "ReplicationControlManager.handleAssignReplicasToDirs",
        scope=AT_RESULT_BOUNDARIES,
    ),
)

_SAME = (
    next_(isr[p]).is_(isr[p])
    & next_(leader[p]).is_(leader[p])
    & next_(elr[p]).is_(elr[p])
    & next_(last_known[p]).is_(last_known[p])
    & next_(last_nobody[p]).is_(last_nobody[p])
    & next_(replicas[p]).is_(replicas[p])
    & forall(x, next_(location[p, x]).is_(location[p, x]))
    & next_(removing[p]).is_(removing[p])
    & next_(adding[p]).is_(adding[p])
    & next_(recovery[p]).is_(recovery[p])
)
WRITES = (
    always(
        "P7r",
        forall(
            p,
            forall(
                x, (exists_[p] & x.in_(isr[p])).implies(~fenced[x] | (absent(leader[p]) & isr[p].is_(only(some(x)))))
            ),
        ),
        "No fenced broker is in an ISR, not even between the records of one result: their order ensures it.",
        "KIP-841, S3:222-224",
    ),
    step(
        "P8r",
        forall(p, (stays & ~elr_disordered[p] & next_(partition_epoch[p]).isnt(partition_epoch[p])).implies(~_SAME)),
        "A change changes something: no epoch rises by itself.",
        "KAFKA-16624",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K11",
        want_fence | (off < registration_offset[b]),
        "A broker that has read its registration and does not want to be fenced is not kept fenced.",
        "S2:59, KAFKA-13959",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB3",),
    ),
    step(
        "K12",
        forall(
            x,
            shutdown_offset[x].is_(-1)
            | next_(shutdown_offset[x]).is_(-1)
            | next_(shutdown_offset[x]).is_(shutdown_offset[x]),
        ),
        "A controlled shutdown offset is set once: it moves from and to none only, or the shutdown would never end on a busy log.",
        "S3:244, KAFKA-14292",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "C1",
        forall(s, next_(setting[s]).is_(setting[s])),
        "A creation that is refused writes no configuration.",
        "ReplicationControlManager.createTopics",
        scope=AT_RESULT_BOUNDARIES,
        named_for="it is about creations that are refused; other rows write what is asked for",
        rows=("CT1", "CT2"),
    ),
)

WITNESSES = (
    sometimes(
        "W0",
        exists(p, exists_[p] & present(leader[p])),
        "A partition is led.",
        "ReplicationControlManager.validateAlterPartitionData",
    ),
    sometimes(
        "W1",
        exists(p, exists(x, exists_[p] & x.in_(replicas[p]) & fenced[x])),
        "A fenced broker is a replica.",
        "S2:49",
    ),
    sometimes(
        "W4", exists(p, exists_[p] & elr[p].isnt(nobody(BROKER))), "There are eligible leader replicas.", "KIP-966"
    ),
    sometimes(
        "W2",
        exists(p, exists(x, exists_[p] & x.in_(adding[p]) & fenced[x])),
        "A reassignment is under way to a broker that is fenced.",
        "S2:49",
    ),
    sometimes("W5", exists(p, exists_[p] & absent(leader[p])), "A partition has no leader.", "PartitionChangeBuilder"),
)
STRICT = (*MEMBERSHIP, *PARTITIONS, *DIRECTORIES, *WRITES, *MORE_PROPERTIES, *WITNESSES)
"""Properties that hold once D26 and D34 are repaired."""
PROPERTIES = tuple(spared(STRICT))
