"""An operation that throws (D6c): a reverse index that one record forgets, and the registration that trips over it.

A trial of the language: the outcome of a row is an exception, after which another controller takes over. Soft state is
lost; the index is not, for the next controller has replayed the same records; only one that loads a snapshot is free.
"""

from fencepost.model.language.vocabulary import *


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A partition of a topic that is deleted with it; a new topic has other partitions."""


BROKER, PARTITION = sort(Broker), sort(Partition)
b, x = BROKER.var("b"), BROKER.var("x")
p, q = PARTITION.var("p"), PARTITION.var("q")

created = per(PARTITION, "created", BOOL, about="there is or was such a partition")
alive = per(PARTITION, "alive", BOOL)
isr = per(PARTITION, "isr", set_of(BROKER))
elr = per(PARTITION, "elr", set_of(BROKER), about="eligible leader replicas")
elr_index = per2(PARTITION, BROKER, "elr_index", BOOL, about="brokersToElrs: kept by every replay, never written")
contact = per(BROKER, "contact", BOOL, what="soft", about="a heartbeat has come under this controller")

_p = required("partition", PARTITION, "topicId", "partitionId")
_isr, _elr = required("isr", set_of(BROKER)), required("elr", set_of(BROKER), "eligibleLeaderReplicas")


def indexed() -> object:
    """The index of a partition follows the list that the record gives."""
    return every(x, TRUE, elr_index[_p.value, x].becomes(x.in_(_elr.value)))


PARTITION_RECORD = record(
    "PARTITION_RECORD",
    _p,
    fields=(_isr,),
    replay=(created[_p.value].becomes(TRUE), alive[_p.value].becomes(TRUE), isr[_p.value].becomes(_isr.value)),
    name="Partition",
)
CHANGE = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    fields=(_isr, _elr),
    replay=(isr[_p.value].becomes(_isr.value), elr[_p.value].becomes(_elr.value), indexed()),
    name="PartitionChange",
)
CLEAR_ELR = record("CLEAR_ELR_RECORD", _p, replay=elr[_p.value].becomes(nobody(BROKER)), name="ClearElr")
REMOVE_TOPIC = record(
    "REMOVE_TOPIC_RECORD",
    _p,
    replay=(
        alive[_p.value].becomes(FALSE),
        isr[_p.value].becomes(nobody(BROKER)),
        elr[_p.value].becomes(nobody(BROKER)),
        every(x, x.in_(elr[_p.value]), elr_index[_p.value, x].becomes(FALSE)),
    ),
    name="RemoveTopic",
)

SOURCE = "9 D6c"
create = event("CreateTopic", p, source=SOURCE)
shrink = event("LeaveIsr", p, b, environment=True, source="7.7-2")
clear = event("SetMinInsync", p, source="7.16")
delete = event("DeleteTopic", p, source="7.11")
heartbeat = event("Heartbeat", b, environment=True, source="7.4")
restart = event("RegisterAfterUncleanStop", b, source="7.3 R2", code="ClusterControlManager.registerBroker")
snapshot = event("FailoverToSnapshot", environment=True, source="7.2 Q15")

dead_entry = let("dead_entry", exists(q, elr_index[q, b] & ~alive[q]))
OPERATIONS = table(
    "operations",
    create("CT1", ~created[p], PARTITION_RECORD(p, isr=those(x, TRUE))),
    shrink(
        "LI1",
        alive[p] & b.in_(isr[p]) & exists(x, x.in_(isr[p]) & x.isnt(b)),
        CHANGE(p, isr=isr[p] - just(b), elr=elr[p] | just(b)),
    ),
    clear("CE1", alive[p], CLEAR_ELR(p)),
    delete("DT1", alive[p], REMOVE_TOPIC(p)),
    heartbeat("HB1", ~contact[b], contact[b].becomes(TRUE)),
    restart("RU1", dead_entry, every(x, TRUE, contact[x].becomes(FALSE)), throws="RuntimeException"),
    restart("RU2", ~dead_entry, every(q, elr_index[q, b], CHANGE(q, isr=isr[q], elr=elr[q] - just(b)))),
    snapshot(
        "SN1",
        TRUE,
        every(q, TRUE, every(x, TRUE, elr_index[q, x].becomes(x.in_(elr[q])))),
        every(x, TRUE, contact[x].becomes(FALSE)),
    ),
    about="Topics come and go, brokers leave ISRs, and one of them restarts after an unclean stop.",
    why={
        "RU1": "The walk over the index meets a partition that is gone: no ApiException, so the controller resigns.",
        "SN1": "Only a controller that loads a snapshot builds the index anew.",
    },
)

P18 = "The index lists a partition under a broker exactly where the broker is an eligible leader replica."
P18_TERM = forall(p, forall(x, elr_index[p, x].is_(x.in_(elr[p]))))
ADMITTED = "A registration is answered, never an exception."
FAITHFUL: Protocol = protocol(
    "throwing",
    OPERATIONS,
    properties=(
        always("P18", P18_TERM, P18, "8 P18", expected="violated", finding="D6"),
        step(
            "AN1",
            FALSE,
            ADMITTED,
            "8 P18",
            rows=("RU1",),
            expected="violated",
            finding="D6c",
            scope="at result boundaries",
        ),
        sometimes("W8", exists(p, elr[p].isnt(nobody(BROKER))), "There are eligible leader replicas."),
    ),
    bounds={"tiny": Bound({"Broker": 2, "Partition": 1}, about="two brokers, one topic")},
    about="ClearElr leaves the reverse index of the eligible leader replicas as it is.",
)
REPAIRED: Protocol = FAITHFUL.replaying(
    "ClearElr",
    elr[_p.value].becomes(nobody(BROKER)),
    every(x, TRUE, elr_index[_p.value, x].becomes(FALSE)),
    why="ClearElr takes the partition out of the index",
).claiming(
    always("P18", P18_TERM, P18, "8 P18"),
    step("AN1", FALSE, ADMITTED, "8 P18", rows=("RU1",), scope="at result boundaries"),
)
"""The same with ClearElr keeping the index: P18 holds, and no registration throws."""
