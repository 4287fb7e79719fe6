"""Logs spread over tasks by their size: several small ones a task, a large one alone."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

LEAST = 1 << 20
"""The bytes that a log counts for at least: the smallest takes some time, too."""

FULL = 64 << 20
"""The bytes of logs up to which a task takes another log."""

WAVES = 4
"""So many tasks each core has, where there are enough logs: those that end early take more of them."""


def spread(sizes: Sequence[int], cores: int) -> list[list[int]]:
    """Return the numbers of logs as groups, a task each, the largest group first.

    >>> spread([5 << 20, 1, 1, 90 << 20], 1)
    [[3], [0], [1], [2]]
    >>> [len(group) for group in spread([1] * 100, 2)]
    [13, 13, 13, 13, 12, 12, 12, 12]
    """
    if not sizes:
        return []
    weights = [max(LEAST, size) for size in sizes]
    count = min(len(sizes), max(WAVES * cores, -(-sum(weights) // FULL)))
    # The largest log goes to the group that has least so far: no group exceeds another by more than one log.
    heap = [(0, number) for number in range(count)]
    groups: list[list[int]] = [[] for _ in range(count)]
    for log in sorted(range(len(sizes)), key=lambda one: -weights[one]):
        weight, number = heapq.heappop(heap)
        groups[number].append(log)
        heapq.heappush(heap, (weight + weights[log], number))
    return sorted((sorted(group) for group in groups), key=lambda group: -sum(weights[one] for one in group))
