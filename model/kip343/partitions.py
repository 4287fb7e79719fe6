"""Leaders and ISRs: the controller elects, leaders ask it for another ISR (H10, H11), legacy leaders write it themselves (H9)."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import handles_traffic
from .controller import iid
from .state import *

NOT_LEADER: Term[int] = Lit(-1, LEADER_EPOCH)
elected = maybe(BROKER).var("leader")
asked_epoch, new_isr = LEADER_EPOCH.var("leader_epoch"), set_of(BROKER).var("isr")
to_controller = BOOL.var("to_controller")


@definition
def served() -> Term[frozenset[Broker]]:
    """The brokers in the metadata that brokers and clients get: the Active and the Stopping ones (S0:34-36)."""
    return those(x, handles_traffic(x))


@definition
def candidates(p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The members of the ISR that may become leader: the Active ones."""
    return those(x, x.in_(isr[p]) & state[x].is_(ACTIVE))


@definition
def must_move(p: Term[Partition]) -> Term[bool]:
    """The partition has no leader, or one that is not Active: absent, timed out, or on its way out."""
    return absent(leader[p]) | ~leader[p].in_(those(x, state[x].is_(ACTIVE)))


@definition
def lost_leader(p: Term[Partition]) -> Term[bool]:
    """The leader is Inactive, and no broker in the ISR can take over."""
    return present(leader[p]) & ~leader[p].in_(served()) & empty(candidates(p))


@definition
def serves(b: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker acts as the leader: it takes itself for it, and takes requests."""
    return running[b] & ~fenced[b] & (believes[b, p] >= 0)


@definition
def hears_metadata(b: Term[Broker]) -> Term[bool]:
    """The controller sends metadata to this process: it is the incarnation that it knows."""
    return controller & running[b] & (own_incarnation[b] > 0) & incarnation[b].is_(own_incarnation[b])


elect = event("ElectLeader", p, elected, given=controller, environment=True, source="S0:34-36,48")
update = event("UpdateMetadata", b, given=hears_metadata(b), source="S0:26,34-36")
LEADERS = table(
    "leaders and metadata",
    elect("HE1", must_move(p) & elected.in_(candidates(p)),
          leader[p].becomes(elected), leader_epoch[p].becomes(leader_epoch[p] + 1), isr[p].becomes(isr[p] & served()),
          leader_in[p, leader_epoch[p] + 1].becomes(elected)),
    elect("HE2", lost_leader(p) & absent(elected),
          leader[p].becomes(None), leader_epoch[p].becomes(leader_epoch[p] + 1), leader_in[p, leader_epoch[p] + 1].becomes(None)),
    update("HE3", TRUE, metadata[b].becomes(served()),
           every(p, TRUE, believes[b, p].becomes(when(leader[p].is_(b), leader_epoch[p], NOT_LEADER)))),
    total=True,
    about="An Inactive broker is treated as an absent one: its partitions get other leaders, out of their ISRs.",
    why={
        "HE1": "From Inactive, and from Stopping: the leaders are moved one by one (S0:36).",
        "HE2": "The ISR stays: who was in it may come back.",
        "HE3": "What the controller sends, and sends again to every new incarnation (S0:26).",
    },
)  # fmt: skip

change = event("IsrChange", b, iid, p, asked_epoch, new_isr, to_controller, source="S0:62,110-126")
write = event(
    "WriteIsr",
    b,
    p,
    new_isr,
    given=running[b] & legacy[b] & registered[b].is_(own_incarnation[b]),
    environment=True,
    source="S0:134",
)
not_leader = let("not_leader", leader[p].isnt(b) | asked_epoch.isnt(leader_epoch[p]))
malformed = let("malformed", empty(new_isr) | ~(new_isr <= replicas[p]) | ~b.in_(new_isr))
ISR_CHANGES = table(
    "ISR changes",
    change("H10a", ~(controller & to_controller),              say=Error.NOT_CONTROLLER, source="S0:116"),
    change("H10",  iid.isnt(incarnation[b]), say=Error.INVALID_INCARNATION_ID, source="S0:118"),
    change("H11a", not_leader,               say=Error.NOT_LEADER_FOR_PARTITION, source="S0:122"),
    change("H11b", malformed,                say=Error.INVALID_REQUEST, source="S0:124"),
    change("H11",  TRUE, isr[p].becomes(new_isr), say=Error.NONE, source="S0:126"),
    write("H9a", (leader[p].isnt(b) | believes[b, p].isnt(leader_epoch[p])), say=Error.BAD_VERSION),
    write("H9w", TRUE, isr[p].becomes(new_isr), say=Error.NONE),
    mode="first match",
    total=True,
    about="The leader of a partition asks the controller for another ISR; a legacy leader writes the state znode itself.",
    why={
        "H10a": "The node that is asked is not the controller (any more).",
        "H11b": "An ISR that is empty, has a broker that is no replica, or lacks the leader itself.",
        "H10": "Any other id is wrong, a higher one too: nothing is taken over here as H3a does (contradiction 35).",
        "H11a": "A stale leader epoch has no error of its own in the text.",
        "H9a": "ZooKeeper's conditional write: the znode was written since the leader heard of it.",
    },
)  # fmt: skip
