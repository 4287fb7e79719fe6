"""Controllers' writes to the znode: new partitions, replicas that go Offline, elections; and the start of a new process."""

from __future__ import annotations

from fencepost.model.kraft_data.state import *
from fencepost.model.language import FALSE, Applied, Assign, Term, assume, event, every, just, some, table, when

from .state import elected_in, write

PARTITIONS, REPLICAS = "PartitionStateMachine.scala", "ReplicaStateMachine.scala"
members_, read = BROKERS.var("members"), EPOCH.var("read")
_decided = read <= epoch


def elects(g: Term[Broker], new_isr: Term[frozenset[Broker]]) -> tuple[Applied, Assign]:
    """A broker leads, under the next leader epoch."""
    return write(some(g), epoch + 1, new_isr), elected_in[g].becomes(epoch + 1)


create = event("Create", g, members_, environment=True, source="S4:21", code=PARTITIONS)
offline = event("ReplicaOffline", b, environment=True, source="S4:53, KAFKA-5083", code=REPLICAS)
elect = event("Elect", g, members_, environment=True, source="S4:24-28", code=PARTITIONS)
restart = event("Restart", b, read, given=_decided, environment=True, source="KIP-380", code="KafkaController.scala")

ASSUMED = (
    assume(
        "ZDA1",
        ~isr.is_(just(b)),
        "A broker that has lost records is not alone in the ISR when it is back.",
        "KAFKA-5083, KIP-966",
        event="Restart",
    ),
    assume(
        "ZDA2",
        leader.isnt(b) & (~b.in_(isr) | isr.is_(just(b))),
        "Before a controller sends a new process anything, the broker has lost the lead and, where others are in the ISR, its place there.",
        "KIP-380",
        event="Restart",
    ),
    assume(
        "ZDA3",
        read.is_(epoch),
        "A new process acts on no LeaderAndIsr that was meant for the one before.",
        "KIP-380",
        event="Restart",
    ),
)

CONTROLLER = table(
    "controller",
    create("ZDC1", partition_epoch.is_(0) & g.in_(members_), elects(g, members_)),
    offline(
        "ZDC2",
        b.in_(isr),
        write(when(leader.is_(b), NO_ONE, leader), epoch + 1, when(isr.is_(just(b)), isr, isr - just(b))),
        every(x, leader.is_(x) & x.isnt(b), elected_in[x].becomes(epoch + 1)),
    ),
    elect("ZDC3", g.in_(members_) & (members_ <= isr), elects(g, members_)),
    restart(
        "ZDC4",
        crashed[b],
        broker_epoch[b].becomes(broker_epoch[b] + 1),
        crashed[b].becomes(FALSE),
        known_epoch[b].becomes(read),
        truncated[b].becomes(FALSE),
    ),
    about="Whom a controller takes for dead, whom it elects of the ISR, and when, is left open. A controller that was replaced writes nothing "
    "that another could not write (KAFKA-6082), and what it still sends is the znode of some version.",
    why={
        "ZDC2": "ZR4 of `zk`: the last member stays in the ISR; the leader epoch rises, whichever broker leads.",
        "ZDC3": "ZP3o, ZP3r, ZP3p, ZP3d and ZC5A1 of `zk`: after a leader was lost the ISR is those of it that are online, in other elections it stays. The leader "
        "may be elected again, as when a reassignment begins.",
        "ZDC4": "A broker that stopped, and may have lost records, is there again, under a new broker epoch: the czxid of its znode.",
    },
)
