"""The record of a finding: where the faithful tables violate a claim, and the repaired rows that keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import dirs, off, tells_epoch, told
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import has_allows
from fencepost.model.language.vocabulary import *

NEWEST = 33
"""The metadata version of Kafka 4.4."""
SIZES = {
    "Broker": 1, "Directory": 5, "Feature": 2, "Incarnation": 1, "Name": 1, "Node": 1, "Partition": 1, "Range": 2,
    "Request": 1, "Setting": 1, "Topic": 1, "Value": 1, "copies": 1, "index": 0, "level": NEWEST, "offset": 1,
    "leader epoch": 2, "partition epoch": 3, "size": 2, "Credential": 1, "iterations": 0,
}  # fmt: skip
"""Sizes that every search of a finding has at least; a finding overrides those that must be larger."""

T = TypeVar("T")


def entity(number: int, of: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, of)  # type: ignore[arg-type]


UNASSIGNED, MIGRATING, LOST = (entity(number, DIRECTORY) for number in range(3))
VERSION, ELR_VERSION = entity(0, FEATURE), entity(1, FEATURE)
VERSION_RANGE, ELR_RANGE = entity(0, RANGE), entity(1, RANGE)
NOBODY = nobody(BROKER)


def homes(brokers: int) -> Term[bool]:
    """Return the directories of a registration: each broker has one directory, of its own."""
    own: Term[Directory] = entity(3, DIRECTORY)
    for one in range(1, brokers):
        own = when(b.is_(entity(one, BROKER)), entity(3 + one, DIRECTORY), own)
    return dirs.is_(only(some(own)))


def at_newest(elr: int = 1, several: bool = False) -> Term[bool]:
    """Return the start of a search: Kafka 4.4's metadata version, eligible leader replicas on or off.

    A partition has the number 0, or with `several` the first one 0 and the others 1.
    """
    features = metadata_version.is_(VERSION) & elr_version.is_(ELR_VERSION)
    raft = kraft_version.is_(VERSION) & kraft_level.is_(0)
    ranges = range_feature[VERSION_RANGE].is_(VERSION) & range_feature[ELR_RANGE].is_(ELR_VERSION)
    levels = forall(r, lowest[r].is_(0) & highest[r].is_(when(r.is_(ELR_RANGE), Lit(1, LEVEL), Lit(NEWEST, LEVEL))))
    reserved = unassigned.is_(UNASSIGNED) & migrating.is_(MIGRATING) & lost_directory.is_(LOST)
    first = p.is_(entity(0, PARTITION))
    numbers = forall(p, index[p].is_(when(first, Lit(0, INDEX), Lit(1, INDEX)) if several else 0))
    return mv.is_(NEWEST) & elr_level.is_(elr) & features & raft & ranges & levels & reserved & numbers


def placed_on_all() -> Term[bool]:
    """Return that creation places every partition on all brokers, in the order of their ids."""
    return forall(p, placed[p].is_(ascending(those(x, TRUE))))


def placed_on_first() -> Term[bool]:
    """Return that creation places every partition on broker 0 alone."""
    return forall(p, placed[p].is_(only(some(entity(0, BROKER)))))


def usual(brokers: int) -> dict[str, Term[bool]]:
    """Return what a search assumes of events: directories as `homes` says, brokers that have read everything."""
    return {
        "RegisterBroker": homes(brokers) & told.is_(those(r, TRUE)) & tells_epoch,
        "Heartbeat": off.is_(log_end) & (reported[b] <= off),
        "CreateTopic": ~has_allows,
    }


def writes(row: Row, record: str) -> bool:
    """Return whether a row writes records of a type."""
    return any(written.record.name == record for stage in row.stages for written in stage.written)


@dataclass(frozen=True)
class Finding:
    """A defect of today's Kafka that the tables show.

    `claim` is what should hold. It is broken in a search of the named `tables` alone, with these `sizes`, from `start`,
    with what is `given` of events, after the rows of `trace` and no sooner. `repair` edits the rows; it keeps the claim in
    the same search, and by proof at every row of `proved` of the whole protocol, for any number of brokers and partitions.
    `keeps` are claims of the repaired tables, in place of weaker ones of the same ids.
    """

    id: str
    title: str
    claim: Always | Step
    tables: tuple[str, ...]
    trace: tuple[str, ...]
    repair: Callable[[Protocol], Protocol]
    proved: tuple[str, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)
    start: Term[bool] | None = None
    given: Mapping[str, Term[bool]] = field(default_factory=dict)
    keeps: tuple[Property, ...] = ()

    def repaired(self) -> Protocol:
        """Return the protocol of all tables with the rows repaired, and what the finding takes away claimed to hold."""
        rows = self.repair(KRAFT)
        declared = [p for p in rows.properties if isinstance(p, (Always, Step)) and p.finding == self.id]
        held = (replace(one, expected="holds", finding="", by=()) for one in declared)
        return rows.claiming(*held, *self.keeps, name=f"{KRAFT.name}+{self.id}")

    def whole(self) -> Protocol:
        """Return the protocol of all tables, with the claim made strictly."""
        return KRAFT.claiming(self.claim, name=f"kraft with {self.id}")

    def faithful(self, advised: Mapping[str, Term[bool]] | None = None) -> Protocol:
        """Return the slice that is searched, with the claim as its only property and the bound `smallest`.

        `advised` are further conditions on events: what an operator does about the finding.
        """
        part = KRAFT.slice(*self.tables, name=f"kraft with {self.id}", properties=())
        sized, events = set(part.sized_kinds()), {event.name for event in part.events}
        sizes = {**SIZES, **self.sizes}
        given = {**usual(sizes["Broker"]), **self.given}
        for event, condition in (advised or {}).items():
            given[event] = given.get(event, TRUE) & condition
        start = at_newest() if self.start is None else self.start
        bound = Bound(
            {name: size for name, size in sizes.items() if name in sized},
            start=start,
            given={name: term for name, term in given.items() if name in events},
            about=f"as little as {self.id} needs",
        )
        return replace(part, properties=(self.claim,), bounds={"smallest": bound}, start=TRUE)
