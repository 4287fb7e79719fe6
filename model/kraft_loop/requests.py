"""Requests: the queue and its deadlines, what an operation writes, the purgatory, and reads."""

from __future__ import annotations

from fencepost.model.language import BOOL, FALSE, TRUE, Assign, event, literal, table

from .leadership import LOOP, in_transaction
from .state import *
from .steps import begins, ends, renounces, restarts, writes

QUEUE, PURGATORY = "KafkaEventQueue", "DeferredEventQueue"
atomic = BOOL.var("atomic")

send = event("Send", r, n, environment=True, source="S3:83, S3:91", code=QUEUE)
pass_deadline = event("PassDeadline", r, environment=True, source="S3:83", code=QUEUE)
time_out = event("TimeOut", r, environment=True, source="S3:83", code=QUEUE)
write = event("Write", r, n, to, atomic, given=to > next_write[n], environment=True, source="S3:120", code=LOOP)
refuse = event("RefuseStandby", r, n, environment=True, source="S3:117", code=LOOP)
write_nothing = event("WriteNothing", r, n, environment=True, source="S3:119", code=f"{LOOP}, {PURGATORY}")
fail = event("Fail", r, n, environment=True, source="Kafka 4.4", code="EventHandlerExceptionInfo")
cannot_replay = event("FailToReplay", r, n, environment=True, source="S3:122, S3:312", code=LOOP)
refused_by_api = event("RefuseRequest", r, n, environment=True, source="Kafka 4.4", code="EventHandlerExceptionInfo")
task = event(
    "RunPeriodicTask",
    n,
    to,
    given=to > next_write[n],
    environment=True,
    source="S3:173, Kafka 4.4",
    code="PeriodicTaskControlManager",
)
begin = event("BeginTransaction", n, environment=True, source="S3:164", code="KRaftMigrationDriver (3.4 to 3.9)")
finish = event("EndTransaction", n, environment=True, source="S3:164", code="KRaftMigrationDriver (3.4 to 3.9)")
read = event("Read", n, o, environment=True, source="S3:87", code=LOOP)


def answered(what: Future) -> Assign:
    """The future of the request completes."""
    return future[r].becomes(literal(what))


queued = future[r].is_(Future.QUEUED)
_next = queued & asked[r].is_(n) & ~expired[r]
runs = _next & is_active & ~activating[n]
appends = runs & leads_yet
parked = (
    future[r].becomes(literal(Future.PARKED)),
    wrote_in[r].becomes(claim[n]),
    wrote_from[r].becomes(next_write[n]),
)
_works = leads_yet & ~activating[n]

REQUESTS = table(
    "requests",
    send("QW1", future[r].is_(Future.NONE), answered(Future.QUEUED), asked[r].becomes(n)),
    pass_deadline("QW2", queued & ~expired[r], expired[r].becomes(TRUE)),
    time_out("QW3", queued & expired[r], answered(Future.TIMED_OUT)),
    refuse("QW4", _next & ~is_active, answered(Future.NOT_CONTROLLER)),
    write("QW5", appends, writes(n, to, atomic), parked, parked_at[r].becomes(to)),
    write("QW6", _next & is_active & (known_epoch[n] > claim[n]), answered(Future.NOT_CONTROLLER), renounces(n)),
    write_nothing("QW7", runs & stable[n].is_(next_write[n]), answered(Future.ANSWERED)),
    write_nothing(
        "QW8",
        runs & stable[n].isnt(next_write[n]),
        future[r].becomes(literal(Future.PARKED)),
        parked_at[r].becomes(next_write[n]),
    ),
    refused_by_api("QW9", runs, answered(Future.REFUSED)),
    fail("QW10", runs, answered(Future.UNKNOWN), renounces(n)),
    cannot_replay("QW11", appends, restarts(n)),
    about="Which request is taken from the queue next is left open; the deadline of each is looked at first. An operation may write any records.",
    why={
        "QW3": "The operation is not run. Once it has run, the wait in the purgatory has no deadline.",
        "QW5": "Applied before Raft has it, and answered when it is stable. An atomic result is one batch; any other is split, here anywhere.",
        "QW6": "Raft takes no record of an epoch that it knows to be over (NotLeaderException): no fault, but the node renounces.",
        "QW7": "Nothing is in the purgatory: all that was appended, by tasks and the activation, too, is stable. Raft is not asked.",
        "QW8": "The answer waits for every write before it.",
        "QW9": "An ApiException, or a list that is too long (POLICY_VIOLATION): no failover.",
        "QW10": "Any other exception is a fault, such as an atomic result that is too large: the node resigns.",
        "QW11": "The first record that cannot be applied ends the process before Raft has it. The request is lost with it.",
    },
)
TASKS = table(
    "the controller's own writes",
    task("QW12", _works & armed[n], writes(n, to, FALSE)),
    begin("QW13", _works & armed[n] & transactions & ~in_transaction, begins(n)),
    finish("QW14", _works & armed[n] & in_transaction, ends(n)),
    about="Periodic tasks write once the activation is complete. Up to 3.9 the migration from ZooKeeper begins and ends a transaction.",
    why={"QW13": "Today only the activation opens transactions; other writes may fall between."},
)
READS = table(
    "reads",
    read("QW15", ~activating[n] & (kept[n, stable[n], o] > 0)),
    about="A read shows a record: the state is read as it was in the snapshot at the stable offset.",
    why={"QW15": "Any node is read; on one that becomes active the activation precedes every read in the queue."},
)
