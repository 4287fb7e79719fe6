"""A small protocol over real record types: brokers, partitions with a leader and an ISR, empty records."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fencepost.model.language import (
    AT_RESULT_BOUNDARIES,
    BOOL,
    FALSE,
    NONE,
    TRUE,
    Entity,
    Protocol,
    Term,
    absent,
    always,
    cell,
    counter,
    drop,
    event,
    every,
    first,
    forall,
    just,
    keep,
    list_of,
    maybe,
    members,
    next_,
    only,
    optional,
    per,
    present,
    procedure,
    protocol,
    record,
    required,
    said,
    some,
    sort,
    step,
    table,
    then,
    those,
)
from fencepost.model.language.terms import Lit
from fencepost.traces import (
    Batch,
    MetadataLog,
    Segment,
    build_batch,
    build_control_batch,
    placed,
    segment_name,
    write_log,
)

SOURCE = "the toy"


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A topic id and a number."""


class Topic(Entity):
    """A topic id."""


class Name(Entity):
    """A name."""


BROKER, PARTITION, TOPIC, NAME = sort(Broker), sort(Partition), sort(Topic), sort(Name)
OFFSET, EPOCH = counter("offset", lo=-1), counter("epoch")
b, x, p, t, n = BROKER.var("b"), BROKER.var("x"), PARTITION.var("p"), TOPIC.var("t"), NAME.var("n")

log_end = cell("log_end", OFFSET, -1, what="soft")
up = per(BROKER, "up", BOOL)
epoch = per(BROKER, "epoch", OFFSET, -1)
beating = per(BROKER, "beating", BOOL, what="soft")
name = per(TOPIC, "name", maybe(NAME), NONE)
exists_ = per(PARTITION, "exists", BOOL)
replicas = per(PARTITION, "replicas", list_of(BROKER))
isr = per(PARTITION, "isr", list_of(BROKER))
leader = per(PARTITION, "leader", maybe(BROKER), NONE)
leader_epoch = per(PARTITION, "leader_epoch", EPOCH, 0)
active = those(x, up[x])

_b = required("broker", BROKER, "brokerId")
_epoch = required("epoch", OFFSET, "brokerEpoch")
REGISTER = record(
    "REGISTER_BROKER_RECORD",
    _b,
    fields=(_epoch,),
    replay=(up[_b.value].becomes(FALSE), epoch[_b.value].becomes(_epoch.value)),
    ignored=(
        "isMigratingZkBroker", "incarnationId", "endPoints", "features", "rack", "fenced", "inControlledShutdown",
        "logDirs", "cordonedLogDirs",
    ),
    name="Register",
)  # fmt: skip
CHANGE = "BROKER_REGISTRATION_CHANGE_RECORD"
_REST = ("inControlledShutdown", "logDirs", "cordonedLogDirs")
FENCE = record(
    CHANGE, _b, fields=(_epoch,), only={"fenced": 1}, ignored=_REST, replay=up[_b.value].becomes(FALSE), name="Fence"
)
UNFENCE = record(
    CHANGE, _b, fields=(_epoch,), only={"fenced": -1}, ignored=_REST, replay=up[_b.value].becomes(TRUE), name="Unfence"
)
_t, _name = required("topic", TOPIC, "topicId"), required("name", NAME)
TOPIC_RECORD = record("TOPIC_RECORD", _t, fields=(_name,), replay=name[_t.value].becomes(_name.value), name="Topic")
_p = required("partition", PARTITION, "topicId", "partitionId")
_replicas, _isr = required("replicas", list_of(BROKER)), required("isr", list_of(BROKER))
_leader = required("leader", maybe(BROKER), none=-1)
_leader_epoch = required("leader_epoch", EPOCH, "leaderEpoch")
PARTITION_RECORD = record(
    "PARTITION_RECORD",
    _p,
    fields=(_replicas, _isr, _leader, _leader_epoch),
    replay=(
        exists_[_p.value].becomes(TRUE),
        replicas[_p.value].becomes(_replicas.value),
        isr[_p.value].becomes(_isr.value),
        leader[_p.value].becomes(_leader.value),
        leader_epoch[_p.value].becomes(_leader_epoch.value),
    ),
    ignored=(
        "removingReplicas", "addingReplicas", "partitionEpoch", "directories", "leaderRecoveryState",
        "eligibleLeaderReplicas", "lastKnownElr",
    ),
    name="Partition",
)  # fmt: skip
ISR = optional("isr", list_of(BROKER))
LEADER = optional("leader", maybe(BROKER), absent=-2, none=-1)
PARTITION_CHANGE = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    fields=(ISR, LEADER),
    replay=(
        isr[_p.value].becomes(ISR.over(isr[_p.value])),
        leader[_p.value].becomes(LEADER.over(leader[_p.value])),
        leader_epoch[_p.value].becomes(leader_epoch[_p.value] + 1),
    ),
    ignored=(
        "replicas", "removingReplicas", "addingReplicas", "leaderRecoveryState", "eligibleLeaderReplicas",
        "lastKnownElr", "directories",
    ),
    name="PartitionChange",
)  # fmt: skip
NO_OP = record("NO_OP_RECORD", name="NoOp")


@procedure(b)
def leave(b: Term[Any]) -> object:
    """The broker leaves every ISR, and another member leads where it led."""
    left = drop(isr[p], just(b))
    elected = first(left, active - just(b))
    return every(
        p, exists_[p] & b.in_(isr[p]), PARTITION_CHANGE(p, isr=left, leader=said(elected, if_=leader[p].is_(some(b))))
    )


heartbeat = event("Heartbeat", b, source=SOURCE)
expiry = event("Expiry", b, source=SOURCE, environment=True)
registration = event("Registration", b, source=SOURCE)
chosen = list_of(BROKER).var("chosen")
creation = event("Creation", t, n, p, chosen, source=SOURCE)
proposal = event("Proposal", p, b, source=SOURCE)
idleness = event("Idleness", source=SOURCE, environment=True)

TABLE = table(
    "the toy",
    registration("RG", TRUE, leave(b), REGISTER(b, epoch=log_end + 1)),
    heartbeat("UP", ~up[b] & (epoch[b] >= 0), UNFENCE(b, epoch=epoch[b])),
    heartbeat("AGAIN", up[b], UNFENCE(b, epoch=epoch[b]), finding="T1"),
    heartbeat("DOWN", up[b] & beating[b], leave(b), FENCE(b, epoch=epoch[b])),
    expiry("LOST", up[b] & ~beating[b], leave(b), FENCE(b, epoch=epoch[b])),
    creation(
        "MK",
        absent(name[t]),
        TOPIC_RECORD(t, name=n),
        PARTITION_RECORD(
            p, replicas=chosen, isr=keep(chosen, active), leader=first(chosen, active), leader_epoch=Lit(0, EPOCH)
        ),
    ),
    proposal(
        "GR",
        exists_[p] & present(leader[p]) & b.in_(replicas[p]) & ~b.in_(isr[p]) & up[b],
        PARTITION_CHANGE(p, isr=then(isr[p], only(b))),
    ),
    proposal(
        "SH", exists_[p] & b.in_(isr[p]) & leader[p].isnt(some(b)), PARTITION_CHANGE(p, isr=drop(isr[p], just(b)))
    ),
    idleness("NO", TRUE, NO_OP()),
)

led = exists_[p] & present(leader[p])
moved = exists_[p] & next_(leader[p]).isnt(leader[p])
TOY: Protocol = protocol(
    "toy",
    TABLE,
    properties=(
        always("T-member", forall(p, led.implies(leader[p].in_(isr[p]))), "The leader is in the ISR."),
        always("T-within", forall(p, members(isr[p]) <= members(replicas[p])), "The ISR is within the replicas."),
        always(
            "T-active",
            forall(p, forall(x, x.in_(isr[p]).implies(up[x]))),
            "Who is in an ISR is up.",
            scope=AT_RESULT_BOUNDARIES,
        ),
        step(
            "T-epoch",
            forall(p, moved.implies(leader_epoch[p] < next_(leader_epoch[p]))),
            "Another leader has a greater leader epoch.",
        ),
        step("T-rises", next_(up[b]) & ~up[b], "Who is brought up was down.", scope=AT_RESULT_BOUNDARIES, rows=("UP",)),
    ),
    log_end=log_end,
)

# -- records and logs --------------------------------------------------------------------------------------------------
Message = tuple[str, int, dict[str, Any]]
TOPIC_ID = "AAAAAAAAAAAAAAAAAAAABQ"
_UUID = "AAAAAAAAAAAAAAAAAAAACQ"


def registers(broker: int, at: int) -> Message:
    """A broker registers; `at` is the offset at which its result begins."""
    data = {
        "brokerId": broker, "incarnationId": _UUID, "brokerEpoch": at, "endPoints": [], "features": [], "rack": None,
        "fenced": True,
    }  # fmt: skip
    return ("REGISTER_BROKER_RECORD", 0, data)


def unfences(broker: int, at: int) -> Message:
    """A broker of an epoch is unfenced."""
    return (CHANGE, 0, {"brokerId": broker, "brokerEpoch": at, "fenced": -1})


def fences(broker: int, at: int) -> Message:
    """A broker of an epoch is fenced."""
    return (CHANGE, 0, {"brokerId": broker, "brokerEpoch": at, "fenced": 1})


def topic() -> Message:
    """The one topic is created."""
    return ("TOPIC_RECORD", 0, {"name": "a", "topicId": TOPIC_ID})


def partition(number: int, members_: Sequence[int], leader_: int | None = None) -> Message:
    """A partition of the topic with all its replicas in sync."""
    data = {
        "partitionId": number, "topicId": TOPIC_ID, "replicas": list(members_), "isr": list(members_),
        "removingReplicas": [], "addingReplicas": [], "leader": members_[0] if leader_ is None else leader_,
        "leaderEpoch": 0, "partitionEpoch": 0,
    }  # fmt: skip
    return ("PARTITION_RECORD", 0, data)


def changes(number: int, **data: Any) -> Message:
    """A partition of the topic changes."""
    return ("PARTITION_CHANGE_RECORD", 0, {"partitionId": number, "topicId": TOPIC_ID, **data})


NOTHING: Message = ("NO_OP_RECORD", 0, {})


def log(*batches: Sequence[Message], epoch_: int = 1) -> MetadataLog:
    """A log of one epoch: the leader change, then the batches."""
    segment = segment_name(0)
    voter = {"version": 0, "leaderId": 1, "voters": [{"voterId": 1}], "grantingVoters": [{"voterId": 1}]}
    found: list[Batch] = [
        build_control_batch([("LeaderChange", voter)], base_offset=0, epoch=epoch_, timestamp=0, segment=segment)
    ]
    end = 1
    for messages in batches:
        found.append(build_batch(messages, base_offset=end, epoch=epoch_, timestamp=0, segment=segment))
        end += len(messages)
    return MetadataLog("toy", "binary", (Segment(segment, 0),), placed(found, segment))


def written(made: MetadataLog, directory: Path) -> Path:
    """Write a log and return its directory."""
    write_log(made, directory)
    return directory


def three_brokers() -> list[list[Message]]:
    """Three brokers, registered at 1 to 3 and unfenced at 4 to 6; a topic with one partition of all at 7 and 8."""
    return [
        [registers(1, 1), registers(2, 2), registers(3, 3)],
        [unfences(1, 1), unfences(2, 2), unfences(3, 3)],
        [topic(), partition(0, [1, 2, 3])],
    ]
