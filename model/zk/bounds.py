"""Parts that bounds of the ZooKeeper era share: sizes, honest brokers, alternating candidates, the making of slices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fencepost.model.language.vocabulary import *

from .alter import from_epoch, from_leader_epoch, from_version, wanted, wants_recovering
from .operations import target
from .protocol import ZK
from .sessions import czxid
from .state import *

T = TypeVar("T")
Given = Mapping[str, Term[bool]]


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, kind)  # type: ignore[arg-type]


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return the(number, BROKER)


def candidate(number: int) -> Term[Controller]:
    """Return the candidate of a bound with a number."""
    return the(number, CONTROLLER)


def list_of_brokers(*numbers: int) -> Term[tuple[Broker, ...]]:
    """Return a list of brokers by their numbers."""
    made: Term[Any] = only(some(broker(numbers[0])))
    for one in numbers[1:]:
        made = then(made, only(some(broker(one))))
    return made


# -- what bounds have in common -----------------------------------------------------------------------------------------
UNREAD = (told, stopped, erased, informed, heard, applied, leads, follows, hosts, sees, leader_in)
"""Variables that only the rows of brokers read: left out with those rows."""

SIZES = {
    "Broker": 2, "Controller": 2, "Partition": 1, "Topic": 1, "controller epoch": 2, "broker epoch": 1, "leader epoch": 3,
    "version": 3,
}  # fmt: skip

NEVER = FALSE
EVERYBODY = ascending(those(x, TRUE))
HONEST = (
    leader[p].is_(b)
    & alive[b]
    & b.in_(wanted)
    & (wanted <= members(replicas[p]))
    & wanted.isnt(isr[p])
    & from_epoch.is_(broker_epoch[b])
    & from_leader_epoch.is_(leader_epoch[p])
    & from_version.is_(version[p])
    & ~wants_recovering
)
"""Requests of a partition's leader that knows the state in ZooKeeper."""
GROWTH = HONEST & (isr[p] <= wanted) & (wanted <= those(x, alive[x]))
"""The same bound with a leader that readmits any live broker."""


# -- who comes and goes ------------------------------------------------------------------------------------------------
def turns(count: int) -> Given:
    """Return the assumption that candidates come in the order of their ids, each when there is no controller.

    The last of them stays.
    """
    turn = any_of(*(controller_epoch.is_(n) & c.is_(candidate(n)) for n in range(count)))
    return {
        "Elect": turn,
        "SessionEstablished": acting[c] | (absent(elected) & turn),
        "SessionExpired": elected.is_(some(c)) & (controller_epoch < count),
        "DeleteController": NEVER,
        "Crash": NEVER,
        "SessionTimedOut": controller_epoch < count,
    }


def registered(count: int, lives: int = 1) -> Given:
    """Return the assumption that brokers register in the order of their ids before the first election.

    The first of them may die and come back, until it has had so many lives.
    """
    first = any_of(
        *(
            b.is_(broker(n)) & all_of(*(alive[broker(m)] for m in range(n))) & broker_epoch[b].is_(0)
            for n in range(count)
        )
    )
    return {
        "RegisterBroker": czxid.is_(broker_epoch[b] + 1) & ((first & controller_epoch.is_(0)) | (broker_epoch[b] > 0)),
        "BrokerGone": broker_epoch[b] < lives if lives > 1 else NEVER,
        "Elect": forall(x, broker_epoch[x] > 0),
    }


def created(*lists: Term[tuple[Broker, ...]]) -> Given:
    """Return the assumption that topics are created under the first controller, with one of these assignments."""
    return {"CreateTopic": any_of(*(target.is_(one) for one in lists)) & controller_epoch.is_(1)}


SAFE = forall(t, ~unclean[t])


def told_bound(
    about: str, sizes: Mapping[str, int], *givens: Given, start: Term[bool] = SAFE
) -> tuple[str, Term[bool], Mapping[str, int], tuple[Given, ...]]:
    """Return a bound as `slice_of` takes it: what it is for, its start, its sizes, what it assumes of events."""
    return about, start, sizes, givens


def slice_of(
    name: str,
    *tables: str,
    live_claims: tuple[str, ...] = (),
    fair: tuple[str, ...] = (),
    broken: tuple[str, ...] = (),
    forgotten: tuple[Any, ...] = UNREAD,
    bounds: Mapping[str, tuple[str, Term[bool], Mapping[str, int], tuple[Given, ...]]],
) -> Protocol:
    """Return a slice; `live_claims` are what it claims to come to pass, under fairness of the events of `fair`.

    Of what is declared violated it claims `broken`, which each of its bounds shows. What a bound assumes of an event is
    the conjunction of its assumptions about it.
    """
    declared = {one.id for one in ZK.properties if isinstance(one, (Always, Step)) and one.expected == "violated"}
    claimed = tuple(
        one.id
        for one in ZK.properties
        if one.id in (live_claims if isinstance(one, LeadsTo) else broken if one.id in declared else (one.id,))
    )
    kept = ZK.slice(*tables, name=name, properties=claimed)
    events = {event.name for event in kept.events}

    quiet = {"RegisterAgain": NEVER}

    def finite(told: tuple[str, Term[bool], Mapping[str, int], tuple[Given, ...]]) -> Bound:
        about, start, sizes, givens = told
        assumed: dict[str, Term[bool]] = {}
        for given in (*givens, *(() if any(set(quiet) & set(one) for one in givens) else (quiet,))):
            for event, term in given.items():
                if event in events:
                    assumed[event] = all_of(assumed[event], term) if event in assumed else term
        return Bound({**SIZES, **sizes}, start=start, given=assumed, about=about)

    made = ZK.slice(
        *tables, name=name, properties=claimed, bounds={bound: finite(told) for bound, told in bounds.items()}
    )
    # So many failures and wishes as a bound allows, and then nothing more need happen.
    claims = tuple(
        replace(one, fair=fair, expected="violated" if one.id in broken else "holds")
        if isinstance(one, LeadsTo)
        else one
        for one in made.properties
    )
    return replace(made, properties=claims, ends=True).forgetting(*forgotten)
