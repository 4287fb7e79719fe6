"""Assumptions of `zk-data` about a controller, as claims on the tables of the designs between ZooKeeper and KRaft.

Each line is one claim, asked alike of `kip343`, `kip631-v1` and `kip631-v2`, and proved there or broken by a shortest run. Those tables have
no logs: what they keep of these lines is what they say about records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fencepost.model.kip343 import KIP343
from fencepost.model.kip343 import state as kip343
from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1 import state as v1
from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.kip631.v2 import state as v2
from fencepost.model.kraft_data.state import b, broker_epoch, epoch, isr, leader, x
from fencepost.model.language import AT_RESULT_BOUNDARIES, TRUE, Protocol, Step, Term, Var, absent, forall, next_, step
from fencepost.model.zk import ZK
from fencepost.model.zk import state as zk

from .protocol import ZK_DATA


@dataclass(frozen=True)
class Broken:
    """Where a claim falls: the bound and the rows of a shortest run there, and why."""

    bound: str
    length: int
    why: str


@dataclass(frozen=True)
class Design:
    """One design: its tables, what a partition of it is, the rows by which a leader changes the ISR, and what it does not keep.

    `besides` are rows that the lines are not about, such as the creation of partitions, `where` says of which partitions they are.
    `partition` is None where the tables have one partition only. `process` numbers the processes of a broker, from 1.
    """

    protocol: Protocol
    partition: Var[Any] | None
    leader: Term[Any]
    epoch: Term[int]
    isr: Term[frozenset[Any]]
    process: Term[int]
    brokers: tuple[Var[Any], Var[Any]]
    asking: tuple[str, ...]
    source: str
    broken: dict[str, Broken] = field(default_factory=dict)
    besides: tuple[str, ...] = ()
    where: Term[bool] = TRUE


LINES: dict[str, str] = {
    "DG1": "A leader epoch stays, or rises by one.",
    "DG2": "Another leader, or none, has another leader epoch.",
    "DG3": "The leader is in the ISR.",
    "DG4": "A new leader was in the ISR before.",
    "DG5": "An ISR grows only while its leader stays, in its leader epoch.",
    "DG6": "An ISR grows only by what its leader asks for.",
    "DG7": "In one leader epoch only the leader changes the ISR.",
    "DG8": "A broker that comes back as another process is in no ISR in which others are.",
}


def claims(design: Design, within: Protocol | None = None) -> tuple[Step, ...]:
    """Return the lines as claims on a design's tables, or on a slice of them."""
    leader, epoch, isr = design.leader, design.epoch, design.isr
    x, y = design.brokers
    changing = tuple(row.id for row in (within or design.protocol).rows if row.id not in design.besides)
    others = tuple(id for id in changing if id not in design.asking)
    same_leader, same_epoch = next_(leader).is_(leader), next_(epoch).is_(epoch)
    comes = ~x.in_(isr) & next_(x.in_(isr))
    returns = (design.process > 0) & (next_(design.process) > design.process)
    alone = forall(y, next_(y.in_(isr)).implies(y.is_(x)))
    terms = {
        "DG1": same_epoch | next_(epoch).is_(epoch + 1),
        "DG2": same_leader | next_(epoch).isnt(epoch),
        "DG3": absent(next_(leader)) | next_(leader.in_(isr)),
        "DG4": same_leader | absent(next_(leader)) | next_(leader).in_(isr),
        "DG5": forall(x, comes.implies(same_leader & same_epoch)),
        "DG6": next_(isr) <= isr,
        "DG7": same_epoch.implies(next_(isr).is_(isr)),
        "DG8": forall(x, (returns & next_(x.in_(isr))).implies(alone)),
    }
    return tuple(
        step(
            id,
            terms[id] if design.partition is None else forall(design.partition, design.where.implies(terms[id])),
            about,
            design.source,
            rows=others if id in ("DG6", "DG7") else changing if design.besides else (),
            scope=AT_RESULT_BOUNDARIES,
            expected="violated" if id in design.broken else "holds",
            finding=design.source if id in design.broken else "",
        )
        for id, about in LINES.items()
    )


def _design(protocol: Protocol, state: Any, asking: tuple[str, ...], source: str, broken: dict[str, Broken]) -> Design:
    """Return a design whose state has the names that those of KIP-343 and KIP-631 have in common."""
    s = state
    return Design(
        protocol,
        s.p,
        s.leader[s.p],
        s.leader_epoch[s.p],
        s.isr[s.p],
        s.incarnation[s.x],
        (s.x, s.y),
        asking,
        source,
        broken,
    )


OWN = Design(
    ZK_DATA, None, leader, epoch, isr, broker_epoch[b], (b, x), ("ZDL1", "ZDL2"), "S4:12-28", besides=("ZDC1",)
)
"""`zk-data` itself."""
ERA = Design(
    ZK,
    zk.p,
    zk.leader[zk.p],
    zk.leader_epoch[zk.p],
    zk.isr[zk.p],
    zk.broker_epoch[zk.x],
    (zk.x, zk.y),
    ("ZC10",),
    "S4:12-28",
    besides=("ZP2", "ZP3u"),
    where=zk.stated[zk.p] & next_(zk.stated[zk.p]),
)
"""The controller of the ZooKeeper era as `zk` has it, but for unclean elections. A new process (DG8) is one by ZooKeeper there, and heard of
later: what the controller does then is ZI10."""
_DESIGNS: Iterable[Design] = (
    _design(
        KIP343,
        kip343,
        ("H11", "H9w"),
        "S0:110-126",
        {"DG8": Broken("roll", 5, "S0 moves the leaders of who is Inactive; of ISRs it says nothing.")},
    ),
    _design(
        KIP631_V1,
        v1,
        (),
        "S2:488",
        {
            "DG6": Broken("small", 16, "There is a record for it, and no request: who asks is left open."),
            "DG7": Broken("small", 6, "Fencing takes a broker out of the ISRs of leaders that go on."),
        },
    ),
    _design(
        KIP631_V2,
        v2,
        ("AI5", "V2.8c", "V2.8d"),
        "S2:89-95",
        {
            "DG5": Broken(
                "reassignment", 3, "The change that brings in the last of those who are added may take the leader out."
            ),
            "DG7": Broken("leaders", 3, "Fencing takes a broker out of the ISRs of leaders that go on."),
        },
    ),
)
DESIGNS: dict[str, Design] = {one.protocol.name: one for one in _DESIGNS}
