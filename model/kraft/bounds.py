"""Parts that the bounds of KRaft share: entities by number, sizes, starts, and the making of slices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fencepost.model.language.terms import Get
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import nodes

from .brokers import dirs, migrates, previous, same_cluster, tells_epoch, told
from .cluster import gives_credential, gives_iterations
from .protocol import KRAFT
from .security import SECURITY
from .security_properties import PROPERTIES as SECURED
from .security_records import credential
from .state import *
from .topics import has_allows, has_smallest, manual, smallest

T = TypeVar("T")
EVERYBODY = ascending(those(x, TRUE))
NEWEST = 33


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number, or a number itself."""
    return Lit(number, kind)  # type: ignore[arg-type]


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return the(number, BROKER)


def brokers_in_order(*numbers: int) -> Term[tuple[Broker, ...]]:
    """Return a list of brokers of a bound by their numbers."""
    made: Term[Any] = only(some(broker(numbers[0])))
    for one in numbers[1:]:
        made = then(made, only(some(broker(one))))
    return made


def directory(number: int) -> Term[Directory]:
    """Return the directory of a bound with a number."""
    return the(number, DIRECTORY)


# -- what bounds have in common -----------------------------------------------------------------------------------------
SIZES = {
    "Directory": 3, "Feature": 1, "Incarnation": 1, "Name": 1, "Node": 1, "Partition": 1, "Range": 1, "Request": 1,
    "Setting": 1, "Topic": 1, "Value": 1, "copies": 1, "index": 0, "level": NEWEST, "size": 2, "Credential": 1,
    "iterations": 0,
}  # fmt: skip
NEW = mv.is_(NEWEST) & elr_level.is_(1)
# The reserved directories need not be distinguished where none of them is ever assigned, nor the features where one can be
# held at every level.
ONE_OF_EACH = (
    unassigned.is_(directory(0)),
    migrating.is_(directory(0)),
    lost_directory.is_(directory(0)),
    metadata_version.is_(the(0, FEATURE)),
    elr_version.is_(the(0, FEATURE)),
    kraft_version.is_(the(0, FEATURE)),
    kraft_level.is_(0),
    range_feature[the(0, RANGE)].is_(the(0, FEATURE)),
    lowest[the(0, RANGE)].is_(0),
    highest[the(0, RANGE)].is_(NEWEST),
    forall(p, index[p].is_(0)),
    forall(p, placed[p].is_(EVERYBODY)),
    forall(s, ~asks[s]),
    forall(s, resource_type[s].is_(2)),
    forall(credential, ~gives_credential[credential] & gives_iterations[credential].is_(0)),
)


def at_home(brokers: int) -> Term[bool]:
    """Return that each of so many brokers has the directory after its own number as its home."""
    return all_of(*(home[broker(n)].is_(directory(n + 1)) for n in range(brokers)))


WELL_TOLD = told.is_(those(r, TRUE)) & tells_epoch
STRAIGHT = WELL_TOLD & previous.is_(epoch[b]) & same_cluster & ~migrates
ONCE, AGAIN = the(0, INCARNATION), the(1, INCARNATION)
HOME = dirs.is_(only(some(home[b])))


def in_order(brokers: int) -> Term[bool]:
    """Return the assumption that brokers register in the order of their ids."""
    return all_of(*(b.is_(broker(n)).implies(registered[broker(n - 1)]) for n in range(1, brokers)))


def once(brokers: int) -> Term[bool]:
    """Return the assumption that brokers register once, in the order of their ids."""
    return ~registered[b] & in_order(brokers)


def slice_of(
    name: str,
    *tables: str,
    unclaimed: tuple[str, ...] = (),
    of: Protocol = KRAFT,
    ends: bool = False,
    bounds: Mapping[str, tuple[str, Term[bool], Mapping[str, Term[bool]], Mapping[str, int]]],
) -> Protocol:
    """Return a slice: `unclaimed` are the properties that it does not ask, since none of its bounds could break or show them.

    So are those of access control, credentials, tokens and quotas where no table of these is among them.
    A bound is given by its purpose, its start, its assumptions about events, and the sizes that differ from the common ones.
    """
    if not any(one.name in tables for one in SECURITY):
        unclaimed += tuple(one.id for one in SECURED if one.id not in unclaimed)
    claimed = tuple(one.id for one in of.properties if one.id not in unclaimed)
    made = of.slice(*tables, name=name, properties=claimed)
    events = {event.name for event in made.events}
    speaks = set(made.states) | {
        node.state for _, start, *_ in bounds.values() for node in nodes(start) if isinstance(node, Get)
    }

    def spoken(term: Term[bool]) -> bool:
        return all(node.state in speaks for node in nodes(term) if isinstance(node, Get))

    def said(start: Term[bool]) -> Term[bool]:
        own = {node.state for node in nodes(start) if isinstance(node, Get)}
        common = (
            one
            for one in ONE_OF_EACH
            if spoken(one) and not any(node.state in own for node in nodes(one) if isinstance(node, Get))
        )
        return all_of(start, *common)

    def finite(told: tuple[str, Term[bool], Mapping[str, Term[bool]], Mapping[str, int]]) -> Bound:
        about, start, given, sizes = told
        named = {name.replace("_", " "): size for name, size in sizes.items()}
        assumed = {event: term for event, term in given.items() if event in events}
        common = {kind: size for kind, size in SIZES.items() if kind in made.sized_kinds()}
        elsewhere = dict.fromkeys(unclaimed, "no table of the slice has rows that could break or show it")
        return Bound({**common, **named}, start=said(start), given=assumed, about=about, not_for=elsewhere)

    return replace(made, bounds={name: finite(bound) for name, bound in bounds.items()}, ends=ends)


CREATE = ~manual & has_smallest & smallest.is_(Threshold(2)) & ~has_allows
LIFE = {"RegisterBroker": HOME & STRAIGHT, "CreateTopic": CREATE}
NEVER_HERE = ("K7", "K7c", "L9", "L10", "L11")


def ranging(number: int, low: int, high: int) -> Term[bool]:
    """Return that a range of levels is that of the feature with its number, and where it begins and ends."""
    one = the(number, RANGE)
    return range_feature[one].is_(the(number, FEATURE)) & lowest[one].is_(low) & highest[one].is_(high)
