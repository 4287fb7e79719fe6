"""Where the replicas of a failed broker go."""

from __future__ import annotations

from collections.abc import Mapping

from .state import Set


def place(failed: int, partition: int, desired: int, replicas: Mapping[int, Set], live: Set) -> Set | None:
    """Return the replicas that a partition is to have instead of those with a failed broker, None while too few live.

    Its other live replicas stay. What lacks to the desired number goes to the live brokers that have the fewest
    replicas, the smallest id first: the same situation gives the same list, however often it is asked.

    >>> place(1, 0, 2, {0: frozenset({1, 2}), 1: frozenset({2, 3})}, frozenset({2, 3, 4}))
    frozenset({2, 4})
    """
    kept = (replicas[partition] & live) - {failed}
    load = {one: sum(one in members for members in replicas.values()) for one in live - kept - {failed}}
    added = sorted(load, key=lambda one: (load[one], one))[: max(0, desired - len(kept))]
    target = kept | {*added}
    return target if len(target) >= desired else None
