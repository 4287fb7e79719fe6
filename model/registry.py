"""The protocols by the names that the command line knows: `kraft`, `kraft@4.2` for a release, `kraft+NAME` for a variant of
the museum, `kraft@4.2+NAME` for both, `kraft@3.9+migration` for a release with the migration from ZooKeeper."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any

from .language import Protocol
from .language.lives import Life
from .language.refinement import Refinement

MIGRATION = "migration"
"""Suffix of a release's name for the tables of a cluster that comes from ZooKeeper."""
OF_MATRIX = ("guarantees", "failovers", "repaired")
"""The variants that the matrix makes; it has tables of every design, which are made for these alone."""


class UnknownProtocol(LookupError):
    """No protocol has that name; the message says which ones there are."""


@dataclass(frozen=True)
class Family:
    """A protocol as the engines take it: `whole` is proved and compared with logs, `slices` have bounds and are explored.

    `tables` and `cut` make these two when they are first asked for, and `lived` the lives: to build every protocol takes
    seconds. The first bound of every slice is small enough for every run; no two slices have a bound of one name.
    `recorded` names the recordings that come with fencepost and must conform; `waiting` those for which rows are still to
    be written, each with what is missing. `answers` says that recorded answers of Kafka's classes are about it. Of one whose
    whole is not proved, `explored_only` says why, and what is proved in its place. `small` names the bound at which TLC
    counts in a check where another than the first shows more rows in fewer states.
    """

    name: str
    tables: Callable[[], Protocol]
    cut: Callable[[], Iterable[Protocol]]
    sources: str
    recorded: tuple[str, ...] = ()
    answers: bool = False
    waiting: Mapping[str, str] = field(default_factory=dict)
    lived: Callable[[], tuple[Life, ...]] = tuple
    explored_only: str = ""
    small: str = ""

    @cached_property
    def whole(self) -> Protocol:
        """All tables."""
        return self.tables()

    @cached_property
    def _being_cut(self) -> Iterator[Protocol]:
        return iter(self.cut())

    @cached_property
    def _first(self) -> tuple[Protocol, ...]:
        return tuple(islice(self._being_cut, 1))

    @cached_property
    def slices(self) -> tuple[Protocol, ...]:
        """Some tables each, at bounds that show what those do."""
        return (*self._first, *self._being_cut)

    @cached_property
    def lives(self) -> tuple[Life, ...]:
        """The life cycle of its brokers, where the state can be observed; shared by its releases and its variants."""
        return self.lived()

    @property
    def explored(self) -> Protocol:
        """The first slice, that of the rows which matter most."""
        return self._first[0]

    @property
    def bounds(self) -> dict[str, Protocol]:
        """The names of all bounds, each with the slice that has it."""
        return {bound: one for one in self.slices for bound in one.bounds}

    @property
    def counted(self) -> str:
        """The bound at which TLC counts in a check: `small` where a slice has it, as of a variant none may."""
        return self.small if self.small in self.bounds else next(iter(self.bounds), "")

    def at(self, bound: str) -> Protocol | None:
        """Return the slice that has a bound, None where there is none; slices after it need not be made."""
        return next((one for one in self._first if bound in one.bounds), None) or self.bounds.get(bound)


def _imported(module: str, name: str) -> Any:
    """Import a module of the tables and return what it calls so."""
    return getattr(importlib.import_module(f"{__package__}.{module}"), name)


def _family(name: str, package: str, whole: str, sources: str, **others: Any) -> Family:
    """Return the protocol of a package: its module `protocol` has the whole, `slices` the slices."""
    tables = partial(_imported, f"{package}.protocol", whole)
    others.setdefault("cut", partial(_imported, f"{package}.slices", "SLICES"))
    lived = partial(_imported, f"{package}.lives", "LIVES") if name not in _MACHINES else tuple
    return Family(name, tables, sources=sources, lived=lived, **others)


def _of_kraft() -> Iterator[Protocol]:
    """Yield the slices of kraft: to make those after the first takes a tenth of a short exploration."""
    yield _imported("kraft.explored", "FIRST")
    yield from _imported("kraft.slices", "SLICES")[1:]


_MACHINES = ("zk",)
"""Protocols whose state machines are tables, which tell what there is a life of."""


FAMILIES: dict[str, Family] = {
    "kraft": _family(
        "kraft",
        "kraft",
        "KRAFT",
        "S3 and Kafka 4.4",
        cut=_of_kraft,
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
            "scram-bootstrap-4.4.0",
            "node-config-moved-4.4.0",
            "fake-chaos-elr",
        ),
        answers=True,
        small="together",
    ),
    "kraft-data": Family(
        "kraft-data",
        partial(_imported, "kraft_data.protocol", "KRAFT_DATA"),
        partial(_imported, "kraft_data.slices", "SLICES"),
        "KIP-966 and Kafka 4.4",
    ),
    "kraft-loop": Family(
        "kraft-loop",
        partial(_imported, "kraft_loop.protocol", "KRAFT_LOOP"),
        partial(_imported, "kraft_loop.slices", "SLICES"),
        "S3, KIP-595, KIP-868 and Kafka 4.4",
        small="one-epoch",
    ),
    "kraft-voters": Family(
        "kraft-voters",
        partial(_imported, "kraft_voters.protocol", "KRAFT_VOTERS"),
        partial(_imported, "kraft_voters.slices", "SLICES"),
        "KIP-595, KIP-853, KIP-1186 and Kafka 4.4",
        small="knowing",
    ),
    "kraft-whole": Family(
        "kraft-whole",
        partial(_imported, "kraft_whole.protocol", "KRAFT_WHOLE"),
        partial(_imported, "kraft_whole.slices", "SLICES"),
        "S3 and Kafka 4.4",
        explored_only="its claims follow from those of kraft-loop, and of kraft where results are cut "
        "(spec/controller.md); by themselves they are not inductive",
        small="cut-alone",
    ),
    "zk": _family(
        "zk",
        "zk",
        "ZK",
        "S4 and Kafka 3.9",
        recorded=(
            "zk/first-boot",
            "zk/kill-nine",
            "zk/reassignment",
            "zk/rolling-restart",
            "zk/topic-deletion",
            "zk/leaders-write",
            "zk/log-dir-failure",
            "zk-parts/session-expiry",
        ),
        small="deletion",
    ),
    "zk-data": Family(
        "zk-data",
        partial(_imported, "zk_data.protocol", "ZK_DATA"),
        partial(_imported, "zk_data.slices", "SLICES"),
        "S4, KIP-101, KIP-279, KIP-320 and Kafka 3.9",
    ),
    "kip343": _family("kip343", "kip343", "KIP343", "S0 (KIP-343)"),
    "kip46": _family("kip46", "kip46", "KIP46", "S1 (KIP-46)"),
    "kip631-v1": _family("kip631-v1", "kip631.v1", "KIP631_V1", "S2 (KIP-631, version 1)"),
    "kip631-v2": _family("kip631-v2", "kip631.v2", "KIP631_V2", "S2 (KIP-631, version 2)"),
    "lease": Family(
        "lease",
        partial(_imported, "leases", "LEASE"),
        partial(_imported, "leases", "SLICES"),
        "the timers of S0 and S2",
    ),
}


_REFINED = {"kraft-data": ("kraft_data.refinement", "KRAFT_REFINES")}


def refinement(name: str) -> Refinement:
    """Return what a protocol must do to refine the one of a name; raises `UnknownProtocol` where nothing is known of that."""
    if name not in _REFINED:
        raise UnknownProtocol(f"{name}: no mapping to this protocol is known; use one of {', '.join(_REFINED)}")
    found: Refinement = _imported(*_REFINED[name])
    return found


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
    if variant in OF_MATRIX:
        from .matrix.families import VARIANTS

        if base in VARIANTS[variant]:
            claiming = VARIANTS[variant][base]
            return replace(family, name=name, tables=lambda: claiming.whole, cut=lambda: claiming.slices)
    if variant == MIGRATION and at and base == "kraft":
        return _migrating(family, name, release)
    if family.name == "kraft":
        from .findings import FINDINGS

        repaired = next((one for one in FINDINGS if one.id == variant), None)
        if repaired is not None:
            return replace(
                family, name=name, tables=repaired.repaired, cut=lambda: (repaired.repair(repaired.faithful()),)
            )
    from .museum import entries

    found = {name: one for one in entries(base) for name in (one.name, *one.also)}
    if variant not in found:
        close = difflib.get_close_matches(variant, list(found), 1)
        hint = f"did you mean {base}+{close[0]}?" if close else f"use one of {', '.join(sorted(found))}"
        raise UnknownProtocol(f"{name}: no variant of {base} has this name; {hint}")
    entry = found[variant]
    return replace(
        family,
        name=name,
        tables=lambda: entry.edited(family.whole),
        cut=lambda: (entry.explored(family.explored),),  # the other slices may lack what is edited
    )


def _migrating(family: Family, name: str, release: str) -> Family:
    """The protocol as a release has it whose controllers know the migration from ZooKeeper."""
    from .releases import MIGRATING_RELEASES, RELEASES

    if release not in MIGRATING_RELEASES:
        known = ", ".join(f"kraft@{one}+{MIGRATION}" for one in MIGRATING_RELEASES)
        raise UnknownProtocol(
            f"{name}: controllers of 3.4 to 3.9 know the migration from ZooKeeper; use one of {known}"
        )
    return replace(family, name=name, tables=lambda: RELEASES[release].migrating, cut=lambda: ())


def _of_release(family: Family, number: str) -> Family:
    """The protocol as a release has it; the recordings that come with fencepost are compared with the newest one only."""
    from .releases import FORKS, RELEASES

    name, releases = f"{family.name}@{number}", {**RELEASES, **FORKS} if family.name == "kraft" else {}
    if number not in releases:
        known = (
            f"use one of {', '.join(f'{family.name}@{one}' for one in releases)}" if releases else f"use {family.name}"
        )
        raise UnknownProtocol(f"{name}: there are no tables of this release; {known}")
    one = releases[number]
    if one.newer is None:
        return family
    return Family(name, lambda: one.whole, lambda: (one.explored,), f"S3 and Kafka {number}", lived=family.lived)
