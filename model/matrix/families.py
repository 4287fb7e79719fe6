"""The protocols with the matrix's own claims, as the command line knows them: `zk+guarantees`, `kip631-v1+failovers`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fencepost.model.findings import FINDINGS
from fencepost.model.kip343.slices import SLICES as KIP343_SLICES
from fencepost.model.kip631.v1 import failovers as kip631_v1
from fencepost.model.kip631.v1.slices import SLICES as KIP631_V1_SLICES
from fencepost.model.kip631.v2 import failovers as kip631_v2
from fencepost.model.kip631.v2.slices import SLICES as KIP631_V2_SLICES
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import FENCING, off, want_down
from fencepost.model.kraft.slices import SLICES as KRAFT_SLICES
from fencepost.model.kraft.state import BROKER as KRAFT_BROKER
from fencepost.model.kraft.state import b as kraft_b
from fencepost.model.kraft.state import log_end
from fencepost.model.language import FALSE, TRUE, Bound, Property, Protocol, exists, some
from fencepost.model.museum.zk_bounds import HEARD, SIZES, entity, settled
from fencepost.model.zk import ZK
from fencepost.model.zk.sessions import czxid
from fencepost.model.zk.state import PARTITION, PartitionState, b, broker_epoch, c, leader, partition_state
from fencepost.model.zk_data.interface import DESIGNS as INTERFACED
from fencepost.model.zk_data.interface import claims

from .kraft_claims import KRAFT_BELIEFS, KRAFT_CLAIMS, with_belief
from .repaired import VARIANT as WITHOUT_DEFECTS
from .repaired import repaired
from .zk_claims import ZK_CLAIMS

VARIANT = "guarantees"
"""The name of the variant: the protocol as it is, with claims that only the matrix makes."""


@dataclass(frozen=True)
class Claiming:
    """A protocol with the matrix's claims: the whole for proofs, and the slices that are explored."""

    whole: Protocol
    slices: tuple[Protocol, ...]


_FIRST = entity(0, PARTITION)
_created = exists(c, partition_state[c, _FIRST].isnt(PartitionState.NONEXISTENT))
_BELIEFS = Bound(
    {**SIZES, "broker epoch": 2, "leader epoch": 4, "version": 4},
    HEARD.bounds["smallest"].start,
    {
        **HEARD.bounds["smallest"].given,
        "BrokerGone": settled & leader[_FIRST].is_(some(b)) & (broker_epoch[b] < 2),
        "RegisterAgain": czxid.is_(2) & _created,
        "LeaderAndIsr": TRUE,
    },
    "two brokers, one of which loses its session while it leads, and comes back",
)


_TINY = KRAFT_SLICES[0].bounds["tiny"]
_ALONE = replace(
    _TINY,
    given={
        **_TINY.given,
        "RegisterBroker": _TINY.given["RegisterBroker"] & kraft_b.is_(entity(0, KRAFT_BROKER)) & (log_end < 1),
    },
    about="one broker, as an engine's fairness is that of an event and not of each broker's; it registers until offset 1",
)


def _claiming(protocol: Protocol, claims: tuple[Property, ...]) -> Protocol:
    """Return the protocol with the matrix's claims and no others, under the variant's name."""
    mine = replace(protocol, properties=()).claiming(*claims, name=protocol.name)
    return replace(mine, ends=True)


def _assignment() -> Protocol:
    """Return the slice in which D26 leaves a fenced broker a leader: directories, features and heartbeats together."""
    [d26] = (one for one in FINDINGS if one.id == "D26")
    part = d26.faithful()
    [bound] = part.bounds.values()
    wishes = {**bound.given, "Heartbeat": off.is_(log_end) & ~want_down}
    about = "one broker, whose directory fails, is assigned and is switched to eligible leader replicas"
    return replace(part, name="kraft_assignment", bounds={"assignment": replace(bound, given=wishes, about=about)})


def _bounced() -> Protocol:
    """Return the slice in which D26 leaves a new process the leader: the same with sessions that end, and a second process."""
    [d26] = (one for one in FINDINGS if one.id == "D26")
    tables, sizes = (*d26.tables, FENCING.name), {**d26.sizes, "Incarnation": 2, "leader epoch": 2}
    part = replace(d26, tables=tables, sizes=sizes).faithful()
    [bound] = part.bounds.values()
    events = {**bound.given, "Failover": FALSE, "DeleteTopic": FALSE}
    about = "as assignment, and the broker's process ends: its session is over, and another process registers"
    given = {name: term for name, term in events.items() if name in {event.name for event in part.events}}
    return replace(part, name="kraft_bounced", bounds={"bounced": replace(bound, given=given, about=about)})


def _interfaced(name: str, slices: tuple[Protocol, ...]) -> Claiming:
    """Return a design with the lines of the interface that `zk-data` rests on, and the slices at whose bounds some of them fall."""
    design = INTERFACED[name]
    parts: dict[str, list[str]] = {}
    for id, broken in design.broken.items():
        parts.setdefault(broken.bound, []).append(id)
    return Claiming(
        _whole(design.protocol, claims(design)),
        tuple(
            _claiming(
                replace(one, bounds={bound: one.bounds[bound]}),
                tuple(line for line in claims(design, one) if line.id in ids),
            )
            for bound, ids in parts.items()
            for one in slices
            if bound in one.bounds
        ),
    )


def _whole(protocol: Protocol, claims: tuple[Property, ...]) -> Protocol:
    return replace(protocol.claiming(*claims), name=f"{protocol.name}+{VARIANT}", base=protocol)


CLAIMING: Mapping[str, Claiming] = {
    "zk": Claiming(_whole(ZK, ZK_CLAIMS[:1]), (_claiming(replace(HEARD, bounds={"beliefs": _BELIEFS}), ZK_CLAIMS),)),
    "kraft": Claiming(
        _whole(KRAFT, KRAFT_CLAIMS),
        (
            _claiming(
                replace(with_belief(KRAFT_SLICES[0]), bounds={"beliefs": _TINY, "alone": _ALONE}),
                (*KRAFT_BELIEFS, *with_belief(KRAFT_SLICES[0]).properties),
            ),
            _claiming(_assignment(), tuple(one for one in KRAFT_CLAIMS if one.id in ("M1", "M1w"))),
            _claiming(_bounced(), tuple(one for one in KRAFT_CLAIMS if one.id in ("M6", "M6w"))),
        ),
    ),
    "kip343": _interfaced("kip343", KIP343_SLICES),
    "kip631-v1": _interfaced("kip631-v1", KIP631_V1_SLICES),
    "kip631-v2": _interfaced("kip631-v2", KIP631_V2_SLICES),
}
"""The protocols that have the variant, by name."""

FAILOVERS: Mapping[str, Claiming] = {
    "kip631-v1": Claiming(kip631_v1.WHOLE, kip631_v1.SLICES),
    "kip631-v2": Claiming(kip631_v2.WHOLE, kip631_v2.SLICES),
}
"""The protocols with a controller that does not know that it was replaced, and failovers that lose what is not committed."""

REPAIRED: Mapping[str, Claiming] = {"kraft": Claiming(repaired(), ())}
"""The protocols of today without the defects that break guarantees."""

VARIANTS: Mapping[str, Mapping[str, Claiming]] = {VARIANT: CLAIMING, "failovers": FAILOVERS, WITHOUT_DEFECTS: REPAIRED}
"""All of them, by the name of the variant."""
