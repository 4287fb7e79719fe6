"""The protocols by the names that the command line knows: `kraft`, `kraft@4.2` for a release, `kraft+NAME` for a variant of
the museum, `kraft@4.2+NAME` for both."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .kip46 import KIP46
from .kip46 import SLICES as KIP46_SLICES
from .kip343 import KIP343
from .kip343 import SLICES as KIP343_SLICES
from .kip631.v1 import KIP631_V1
from .kip631.v1 import SLICES as KIP631_V1_SLICES
from .kip631.v2 import KIP631_V2
from .kip631.v2 import SLICES as KIP631_V2_SLICES
from .kraft import KRAFT, SLICES
from .language import Protocol
from .language.lives import Life
from .leases import LEASE
from .leases import SLICES as LEASE_SLICES
from .lives import LIVES
from .zk import SLICES as ZK_SLICES
from .zk import ZK


class UnknownProtocol(LookupError):
    """No protocol has that name; the message says which ones there are."""


@dataclass(frozen=True)
class Family:
    """A protocol as the engines take it: `whole` is proved and held against logs, `slices` have bounds and are explored.

    The first bound of every slice is small enough for every run; no two slices have a bound of one name.
    `recorded` names the recordings that come with fencepost and must conform; `waiting` those for which rows are still to
    be written, each with what is missing. `answers` says that recorded answers of Kafka's classes are about it.
    """

    name: str
    whole: Protocol
    slices: tuple[Protocol, ...]
    sources: str
    recorded: tuple[str, ...] = ()
    answers: bool = False
    waiting: Mapping[str, str] = field(default_factory=dict)

    @property
    def lives(self) -> tuple[Life, ...]:
        """What its brokers go through, where that can be told; for the protocol, its releases and its variants."""
        return LIVES.get(re.split("[@+]", self.name)[0], ())

    @property
    def explored(self) -> Protocol:
        """The first slice, that of the rows which matter most."""
        return self.slices[0]

    @property
    def bounds(self) -> dict[str, Protocol]:
        """The names of all bounds, each with the slice that has it."""
        return {bound: one for one in self.slices for bound in one.bounds}


FAMILIES: dict[str, Family] = {
    "kraft": Family(
        "kraft",
        KRAFT,
        SLICES,
        "S3 and Kafka 4.4",
        recorded=(
            "first-boot",
            "rolling-restart",
            "controller-failover",
            "kill-nine-elr",
            "delete-recreate",
            "reassignment",
            "metadata-upgrade",
            "snapshots",
            "elr-directory-fault-4.4.0",
            "elr-index-fault-4.4.0",
            "suspects-4.4.0",
            "fake-chaos-elr",
        ),
        answers=True,
    ),
    "zk": Family(
        "zk",
        ZK,
        ZK_SLICES,
        "S4 and Kafka 3.9",
        recorded=("zk/first-boot", "zk/kill-nine", "zk/reassignment", "zk/rolling-restart"),
    ),
    "kip343": Family("kip343", KIP343, KIP343_SLICES, "S0 (KIP-343)"),
    "kip46": Family("kip46", KIP46, KIP46_SLICES, "S1 (KIP-46)"),
    "kip631-v1": Family("kip631-v1", KIP631_V1, KIP631_V1_SLICES, "S2 (KIP-631, version 1)"),
    "kip631-v2": Family("kip631-v2", KIP631_V2, KIP631_V2_SLICES, "S2 (KIP-631, version 2)"),
    "lease": Family("lease", LEASE, LEASE_SLICES, "the timers of S0 and S2"),
}


def find(name: str) -> Family:
    """Return the protocol of a name; raises `UnknownProtocol`, whose message says what to write instead."""
    base, _, variant = name.partition("+")
    base, at, release = base.partition("@")
    if base not in FAMILIES:
        close = difflib.get_close_matches(base, list(FAMILIES), 1)
        hint = f"did you mean {close[0]}?" if close else f"use one of {', '.join(FAMILIES)}"
        raise UnknownProtocol(f"{base}: no protocol has this name; {hint}")
    family = _of_release(FAMILIES[base], release) if at else FAMILIES[base]
    if not variant:
        return family
    from .matrix.families import CLAIMING, VARIANT
    from .museum import MUSEUM

    if variant == VARIANT and base in CLAIMING:
        return replace(family, name=name, whole=CLAIMING[base].whole, slices=CLAIMING[base].slices)
    found = {name: one for one in MUSEUM if one.base == base for name in (one.name, *one.also)}
    if variant not in found:
        close = difflib.get_close_matches(variant, list(found), 1)
        hint = f"did you mean {base}+{close[0]}?" if close else f"use one of {', '.join(sorted(found))}"
        raise UnknownProtocol(f"{name}: no variant of {base} has this name; {hint}")
    entry = found[variant]
    # The other slices may lack what is edited.
    return replace(family, name=name, whole=entry.edited(family.whole), slices=(entry.explored(family.explored),))


def _of_release(family: Family, number: str) -> Family:
    """The protocol as a release has it; the recordings that come with fencepost are held against the newest one only."""
    from .releases import RELEASES

    name, releases = f"{family.name}@{number}", RELEASES if family.name == "kraft" else {}
    if number not in releases:
        known = (
            f"use one of {', '.join(f'{family.name}@{one}' for one in releases)}" if releases else f"use {family.name}"
        )
        raise UnknownProtocol(f"{name}: there are no tables of this release; {known}")
    one = releases[number]
    if one.newer is None:
        return family
    return Family(name, one.whole, (one.explored,), f"S3 and Kafka {number}")
