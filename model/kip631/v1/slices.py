"""The bounds at which version 1 is explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.language import FALSE, TRUE, Bound, LeadsTo, Protocol, Term, ascending, forall, those
from fencepost.model.language.terms import Lit

from .partitions import reached
from .protocol import KIP631_V1
from .registration import process, supports
from .state import BROKER, Broker, b, committed, id_reuse, leader_epoch, longest_lease, next_lease, next_offset, now, p, replicas, started, to, x

Given = Mapping[str, Term[bool]]
NEVER = FALSE
SIZES = {
    "Broker": 1, "Partition": 1, "Exchange": 1, "time": 4, "offset": 6, "incarnation": 1, "leader epoch": 3,
}  # fmt: skip


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return Lit(number, BROKER)  # type: ignore[arg-type]


ALL_REPLICAS = forall(p, replicas[p].is_(ascending(those(x, TRUE))))


def settings(lease: int, longest: int, reuse: int) -> Term[bool]:
    """Return the assumption that these are the settings, in ticks, and every broker has a replica."""
    return next_lease.is_(lease) & longest_lease.is_(longest) & id_reuse.is_(reuse) & ALL_REPLICAS


QUIET: Given = {
    "Register": supports,
    "StartBroker": process.is_(started[b] + 1),
    "ChooseLease": NEVER,
    "ControllerFails": NEVER,
    "RecoverLogs": NEVER,
    "BeginShutdown": NEVER,
    "Commit": reached.is_(next_offset - 1),
    "ApplyMetadata": reached.is_(committed),
}


def until(last: int) -> Given:
    """Return the assumption that time passes by single ticks, up to a time."""
    return {"TimePasses": to.is_(now + 1) & (now < last)}


def led(times: int) -> Given:
    """Return the assumption that a partition has so many leader epochs, and those that it loses by fences."""
    return {"ElectLeader": leader_epoch[p] < times}


def given(*parts: Given) -> Given:
    """Return the assumptions of all the parts; a later one counts for an event."""
    return {event: term for part in parts for event, term in part.items()}


BOUNDS = {
    "tiny": Bound(
        {**SIZES, "offset": 4, "leader epoch": 2, "time": 3},
        start=settings(1, 1, 1),
        given=given(QUIET, until(2), led(1), {"StopBroker": NEVER}),
        about="one broker that registers once; its lease may end",
    ),
    "small": Bound(
        {**SIZES, "Broker": 2, "offset": 6, "leader epoch": 3, "time": 3},
        start=settings(1, 1, 1),
        given=given(QUIET, until(2), led(2), {"StopBroker": NEVER, "CatchUp": NEVER}),
        about="two brokers that register once; the lease of one may end while the other leads",
    ),
}
SLICES: tuple[Protocol, ...] = (replace(KIP631_V1, bounds=BOUNDS, ends=True),)
_ = LeadsTo
