"""The bounds at which KIP-46 is explored: who may fail, how often, and whom it is put right by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fencepost.model.language import (
    FALSE,
    BOOL,
    Bound,
    Protocol,
    Term,
    all_of,
    any_of,
    exists,
    just,
)
from fencepost.model.language.kinds import Kind
from fencepost.model.language.terms import Lit

from .discovery import to
from .mitigation import goal, number
from .protocol import KIP46
from .state import (
    BROKER,
    PARTITION,
    SIZE,
    Broker,
    Partition,
    b,
    chunk_limit,
    controller_epoch,
    desired,
    interval,
    isr,
    next_chunk,
    now,
    p,
    replicas,
    timer,
    x,
)

T = TypeVar("T")
Given = Mapping[str, Term[bool]]
NEVER = FALSE


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number, or a size."""
    return Lit(number, kind)  # type: ignore[arg-type]


def brokers(*numbers: int) -> Term[frozenset[Broker]]:
    """Return a set of brokers of a bound."""
    return just(*(the(one, BROKER) for one in numbers))


def partition(number: int) -> Term[Partition]:
    """Return the partition of a bound with a number."""
    return the(number, PARTITION)


def assigned(*lists: tuple[int, ...]) -> Term[bool]:
    """Return that each partition is on these brokers, all of them in sync, and is to have as many."""
    return all_of(
        *(
            replicas[partition(n)].is_(brokers(*one))
            & isr[partition(n)].is_(brokers(*one))
            & desired[partition(n)].is_(the(len(one), SIZE))
            for n, one in enumerate(lists)
        )
    )


def settings(chunk_size: int, *intervals: int) -> Term[bool]:
    """Return that a chunk has at most so many partitions, and the interval is one of these."""
    return chunk_limit.is_(the(chunk_size + 1, SIZE)) & any_of(*(interval.is_(one) for one in intervals))


def fails(*numbers: int, until: int = 0, epochs: int = 1) -> dict[str, Term[bool]]:
    """Return that only these brokers fail, not after a time, and the controller so often; time passes while a timer runs."""
    return {
        "BrokerFails": any_of(*(b.is_(the(one, BROKER)) for one in numbers)) & (now <= until),
        "ControllerFails": controller_epoch < epochs,
        "TimePasses": to.is_(now + 1) & exists(x, timer[x] > now),
        "SubmitReassignment": NEVER,
    }


SIZES = {"Broker": 3, "Partition": 1, "time": 3, "chunk": 4, "controller epoch": 2, "size": 3}
BOUNDS: dict[str, Bound] = {
    "tiny": Bound(
        SIZES,
        assigned((0, 1)) & settings(1, -1, 1),
        fails(0),
        "three brokers, one partition on two of them; the first may fail and come back at the start, the controller once",
    ),
}

EXPLORED: Protocol = replace(KIP46, bounds=BOUNDS, ends=True)
SLICES: tuple[Protocol, ...] = (EXPLORED,)
_: Any = (BOOL, goal, number, next_chunk, p)
