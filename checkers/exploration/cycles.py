"""Strongly connected components of a graph in arrays, by Tarjan's algorithm without recursion.

This file is copied into the compile cache and compiled there by numba; it runs as plain Python too, and imports nothing
but NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def components(begin: Any, to: Any, of: Any) -> Any:
    """Write the number of each node's component into `of`, and return how many components there are.

    The edges of node n lead to `to[begin[n]:begin[n + 1]]`. A component has a greater number than those it leads to.
    """
    count = len(begin) - 1
    index = np.full(count, -1, np.int64)
    low = np.zeros(count, np.int64)
    at = np.zeros(count, np.int64)
    path = np.zeros(count, np.int64)
    waiting = np.zeros(count, np.int64)
    of[:] = -1
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
