"""The bounds at which KIP-46 is explored: who may fail, how often, and whom it is put right by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from fencepost.model.language.vocabulary import *

from .discovery import to
from .mitigation import goal, partitions
from .not_for import NOT_FOR
from .protocol import KIP46
from .state import *

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


ORDERED = {"PlaceReplicas": some(p).is_(head(ascending(listed[b])))}
"""The partitions of a failed broker are placed in the order of their numbers."""
SIZES = {"Broker": 3, "Partition": 1, "time": 3, "chunk": 4, "controller epoch": 2, "size": 3}
ONE = assigned((0, 1)) & settings(1, 1)


def slice_of(name: str, broken: tuple[str, ...], bounds: Mapping[str, Bound], *holding: str) -> Protocol:
    """Return the tables at bounds; of what is declared violated `broken` shows at each, and `holding` holds at each.

    The rest of it is not claimed there.
    """
    claims: list[Property] = []
    for one in KIP46.properties:
        if isinstance(one, (Always, Step, LeadsTo)) and one.expected == "violated":
            if one.id in holding:
                claims.append(replace(one, expected="holds", finding=""))
            elif one.id in broken:
                claims.append(one)
        else:
            claims.append(one)
    return replace(KIP46, name=name, properties=tuple(claims), bounds=dict(bounds), ends=True)


EXPLORED = slice_of(
    "kip46",
    ("SI1", "M6", "SI7"),
    {
        "tiny": Bound(
            SIZES,
            assigned((0, 1)) & settings(1, -1, 1),
            fails(0),
            "three brokers, one partition on two of them; the first may fail and come back at the start, the controller once",
        ),
        "small": Bound(
            {**SIZES, "Partition": 2, "chunk": 6},
            assigned((0, 1), (2, 0)) & settings(1, 1),
            fails(0),
            "three brokers, two partitions in chunks of one; the first broker may fail and come back, the controller once",
        ),
        "queue": Bound(
            {**SIZES, "Partition": 3, "chunk": 8, "size": 4},
            assigned((0, 1), (2, 0), (0, 1)) & settings(1, 1),
            {**fails(0), **ORDERED},
            "as `small` with three partitions: three tasks in sequence, written twice where the controller fails meanwhile",
        ),
        "submitted": Bound(
            {**SIZES, "Partition": 2, "chunk": 7},
            assigned((0, 1), (2, 0)) & settings(1, 1),
            {**fails(0), "SubmitReassignment": (next_chunk < 1) & goal.is_(brokers(1, 2))},
            "as `small`, with a task of an operator in front of those of the failed broker",
        ),
    },
    "M5",
)
"""A broker and the controller fail."""

CHUNKS = slice_of(
    "kip46_chunks",
    ("SI7",),
    {
        "chunks": Bound(
            {**SIZES, "Partition": 3, "chunk": 6, "size": 4},
            assigned((0, 1), (2, 0), (0, 1)) & settings(2, 1),
            {
                **fails(0),
                **ORDERED,
                "BrokerReturns": NEVER,
                "PersistChunk": at_least(partitions, the(2, SIZE)) | partitions.is_(placed[b]),
            },
            "three brokers, three partitions in chunks of two and one; the first broker may fail for good, the controller once",
        ),
        "chunks-of-four": Bound(
            {**SIZES, "Partition": 4, "chunk": 8, "size": 4},
            assigned((0, 1), (2, 0), (0, 1), (0, 2)) & settings(2, 1),
            {**fails(0), "BrokerReturns": NEVER},
            "four partitions, placed in any order, in chunks of one or two; the first broker may fail for good, the controller "
            "once",
        ),
        "two-gone": Bound(
            {**SIZES, "Broker": 4, "Partition": 2, "chunk": 6},
            assigned((0, 2), (1, 2)) & settings(1, 1),
            {**fails(0, 1), "BrokerReturns": NEVER},
            "four brokers, two partitions in chunks of one; the first two brokers may fail for good, the controller once",
        ),
    },
    "SI1", "M5", "M6",
)  # fmt: skip
"""Brokers are gone for good, and the controller fails."""

STEADY = slice_of(
    "kip46_steady",
    ("M6",),
    {
        "steady": Bound(
            {**SIZES, "Partition": 2, "chunk": 4},
            assigned((0, 1), (2, 0)) & settings(1, 1),
            fails(0, epochs=0),
            "the same two partitions under a controller that stays: what is dead is healed",
        ),
    },
    "SI1", "M5", "SI7",
)  # fmt: skip
"""A broker fails under a controller that stays."""

_task_runs = exists(k, running[k])
TARGETS = slice_of(
    "kip46_targets",
    ("M6", "SI7"),
    {
        "targets": Bound(
            {**SIZES, "Broker": 4, "time": 4},
            ONE,
            {
                **fails(0, epochs=0),
                "BrokerFails": (b.is_(the(0, BROKER)) & (now <= 0)) | (b.is_(the(2, BROKER)) & _task_runs),
                "BrokerReturns": b.is_(the(0, BROKER)),
                "PlaceReplicas": ~at_least(goal, the(3, SIZE)),
            },
            "two spare brokers, one of which may fail for good while a task runs: the target of the task is gone",
        ),
        "manual": Bound(
            {**SIZES, "chunk": 3},
            ONE,
            {
                **fails(0, epochs=0),
                "SubmitReassignment": (next_chunk < 2) & any_of(goal.is_(brokers(1, 2)), goal.is_(brokers(0, 2))),
            },
            "one partition that an operator moves up to twice, also onto the first broker, which may fail and come back",
        ),
    },
    "SI1", "M5",
)  # fmt: skip
"""A broker is gone that a task waits for."""

FAILURES = slice_of(
    "kip46_failures",
    ("M6", "SI7"),
    {
        "two-failures": Bound(
            {**SIZES, "Broker": 4, "Partition": 2, "chunk": 6},
            assigned((0, 2), (1, 2)) & settings(1, 1),
            {**fails(0, 1, epochs=0), "BrokerReturns": now > 0},
            "four brokers, two partitions in chunks of one; the first two brokers may fail and come back later",
        ),
    },
    "SI1", "M5",
)  # fmt: skip
"""Two brokers fail at one time under a controller that stays."""

LOSING = slice_of(
    "kip46_losing",
    ("M6", "SI7", "M5"),
    {
        "losing": Bound(
            {**SIZES, "time": 4},
            ONE,
            {
                **fails(0, epochs=0),
                "BrokerFails": (b.is_(the(0, BROKER)) & (now <= 0))
                | (b.isnt(the(0, BROKER)) & _task_runs & (now <= 1)),
                "BrokerReturns": b.is_(the(0, BROKER)),
            },
            "one partition, the others fail for good while a task runs: who was in the ISR once is gone when it ends",
        )
    },
    "SI1",
)
"""All brokers fail, one comes back."""

SLICES: tuple[Protocol, ...] = declaring((EXPLORED, CHUNKS, STEADY, TARGETS, FAILURES, LOSING), *NOT_FOR)
"""The slices, the one of failing controllers first. The first bound of each is small enough for every run."""
