"""Strongly connected components of a graph in arrays, by Tarjan's algorithm without recursion.

The engine compiles `search`; it runs as plain Python too, and has no arrays but those that it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def components(begin: Any, to: Any, of: Any, compiled: Callable[..., Any] | None = None) -> int:
    """Write the number of each node's component into `of`, and return how many components there are.

    The edges of node n lead to `to[begin[n]:begin[n + 1]]`. A component has a greater number than those it leads to.
    """
    of[:] = -1
    index = np.full(len(begin) - 1, -1, np.int64)
    room = [np.zeros(len(begin) - 1, np.int64) for _ in range(4)]
    return int((compiled or search)(begin, to, of, index, *room))


def search(begin: Any, to: Any, of: Any, index: Any, low: Any, at: Any, path: Any, waiting: Any) -> Any:
    """Write the numbers of the components; `of` and `index` are -1 everywhere, the others are room for as many."""
    count = len(begin) - 1
    seen = 0
    waits = 0
    found = 0
    for root in range(count):
        if index[root] >= 0:
            continue
        depth = 0
        path[0] = root
        index[root] = low[root] = seen
        at[root] = begin[root]
        seen += 1
        waiting[waits] = root
        waits += 1
        while depth >= 0:
            node = path[depth]
            if at[node] < begin[node + 1]:
                other = to[at[node]]
                at[node] += 1
                if index[other] < 0:
                    index[other] = low[other] = seen
                    at[other] = begin[other]
                    seen += 1
                    waiting[waits] = other
                    waits += 1
                    depth += 1
                    path[depth] = other
                elif of[other] < 0 and index[other] < low[node]:
                    low[node] = index[other]
                continue
            if low[node] == index[node]:
                while True:
                    waits -= 1
                    member = waiting[waits]
                    of[member] = found
                    if member == node:
                        break
                found += 1
            depth -= 1
            if depth >= 0 and low[node] < low[path[depth]]:
                low[path[depth]] = low[node]
    return found
