"""The znodes that were found at the end, checked against the history that should have led to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.traces.zk import Znode, ZnodeTree

from .history import History


def left_open(history: History, tree: ZnodeTree, final: Mapping[str, Znode]) -> Iterator[tuple[str, int, str]]:
    """Yield the znodes that the history does not lead to: path, zxid, and a sentence.

    `tree` is as the history left it. The znodes may have been read before the history ends, so each is compared with
    the write of its own zxid. What was there before the history begins is not asked.
    """
    happened = [one for one in history.transactions if one.happened]
    if not happened:
        return
    first, last = history.transactions[0].zxid, history.transactions[-1].zxid
    written: dict[tuple[str, int], tuple[int, Any]] = {}
    for transaction in happened:
        for one in transaction.operations:
            if one.op in ("create", "set") and one.path is not None:
                written[one.path, transaction.zxid] = one.version or 0, one.data
    read = 0
    for path, node in final.items():
        if node.mzxid < first:
            continue
        read = max(read, node.mzxid)
        found = written.get((path, node.mzxid))
        if node.mzxid > last:
            yield path, node.mzxid, f"{path} was written with zxid {node.mzxid}, and the history ends with zxid {last}."
        elif found is None:
            yield (
                path,
                node.mzxid,
                f"{path} was last written with zxid {node.mzxid}, and the history has no such write.",
            )
        elif found[0] != node.version:
            yield path, node.mzxid, f"{path} has version {node.version}, and the history wrote version {found[0]}."
        elif (found[1] or None) != (node.data or None):
            yield path, node.mzxid, f"{path} has other data than what the history wrote with zxid {node.mzxid}."
    for path, node in tree.nodes.items():
        if path not in final and first <= node.mzxid <= read:
            yield path, node.mzxid, f"{path} is not there at the end, and the history does not delete it."
