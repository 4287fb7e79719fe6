"""The znodes of a cluster as a history leaves them: a plain replay, which says where a step does not follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fencepost.files import json_value
from fencepost.traces.errors import TraceError
from fencepost.traces.storage import read_text

from .znodes import OPERATIONS, Operation, Transaction

_ANY_VERSION = -1


@dataclass(frozen=True, slots=True)
class Znode:
    """A znode: version of its data, the zxids of its creation and last change, times, owner if it is ephemeral."""

    version: int
    data: Any
    czxid: int
    mzxid: int
    ctime: int
    mtime: int
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An operation that cannot have happened on the znodes as they were: its place, its znode, and why."""

    place: str
    zxid: int
    path: str
    reason: str


ROOT = Znode(0, "", 0, 0, 0, 0)
"""The root, which ZooKeeper makes itself."""


class ZnodeTree:
    """Znodes by path, changed by transactions one after the other; what did not happen changes nothing.

    An operation that does not follow is done all the same, as the history says it was.
    """

    def __init__(self, nodes: dict[str, Znode] | None = None) -> None:
        self.nodes = dict({"/": ROOT} if nodes is None else nodes)

    def apply(self, transaction: Transaction) -> list[Mismatch]:
        """Do a transaction, and return what in it does not follow."""
        if not transaction.happened:
            return []
        found: list[tuple[Operation, str, str]] = []
        # Where a history has the ephemerals' deletions as operations, the session is closed after them.
        for one in sorted(transaction.operations, key=lambda each: each.op == "closeSession"):
            found += [(one, path, reason) for path, reason in self._do(transaction, one)]
        return [
            Mismatch(f"{transaction.file}:{one.line}", transaction.zxid, path, reason) for one, path, reason in found
        ]

    def apply_all(self, transactions: Iterable[Transaction]) -> list[Mismatch]:
        """Do transactions in order, and return what does not follow; a zxid has to be larger than the one before."""
        found: list[Mismatch] = []
        last = -1
        for transaction in transactions:
            if transaction.zxid <= last:
                reason = f"zxid {transaction.zxid} comes after {last}"
                found.append(Mismatch(transaction.place, transaction.zxid, "", reason))
            if not transaction.is_whole:
                found.append(Mismatch(transaction.place, transaction.zxid, "", "operations of the multi are missing"))
            last = transaction.zxid
            found += self.apply(transaction)
        return found

    def owned(self, session: str) -> tuple[str, ...]:
        """Return the paths of the ephemeral znodes of a session."""
        return tuple(path for path, node in self.nodes.items() if node.owner == session)

    def _do(self, transaction: Transaction, one: Operation) -> list[tuple[str, str]]:
        if one.op == "closeSession":
            return self._close(transaction.session, one.paths)
        path = one.path or ""
        node = self.nodes.get(path)
        reason = "" if one.op in OPERATIONS else f"the operation {one.op} is not known, and was not replayed"
        if one.op == "create":
            reason = self._create(transaction, one, path)
        elif one.op == "set":
            reason = self._set(transaction, one, path)
        elif one.op == "delete":
            if node is None:
                reason = "a znode is deleted that does not exist"
            elif any(other.startswith(f"{path}/") for other in self.nodes):
                reason = "a znode is deleted that has children"
            self.nodes.pop(path, None)
        elif one.op == "check":
            if node is None:
                reason = "a version is checked of a znode that does not exist"
            elif one.expected_version not in (_ANY_VERSION, node.version):
                reason = f"version {one.expected_version} was checked, and {node.version} is the znode's"
        return [(path, reason)] if reason else []

    def _create(self, transaction: Transaction, one: Operation, path: str) -> str:
        parent = path.rpartition("/")[0]
        reason = ""
        if path in self.nodes:
            reason = "a znode is created that exists"
        elif parent and parent not in self.nodes:
            reason = "a znode is created whose parent does not exist"
        elif one.version != 0:
            reason = f"a znode is created with version {one.version}, not 0"
        zxid, time = transaction.zxid, transaction.time_ms
        owner = transaction.session if one.ephemeral else None
        self.nodes[path] = Znode(one.version or 0, one.data, zxid, zxid, time, time, owner)
        return reason

    def _set(self, transaction: Transaction, one: Operation, path: str) -> str:
        node = self.nodes.get(path)
        zxid, time, version = transaction.zxid, transaction.time_ms, one.version or 0
        if node is None:
            self.nodes[path] = Znode(version, one.data, zxid, zxid, time, time)
            return "a znode is written that does not exist"
        self.nodes[path] = replace(node, version=version, data=one.data, mzxid=zxid, mtime=time)
        if version != node.version + 1:
            return f"version {version} follows version {node.version}"
        return ""

    def _close(self, session: str, paths: tuple[str, ...] | None) -> list[tuple[str, str]]:
        owned = self.owned(session)
        if paths is None:
            for path in owned:
                del self.nodes[path]
            return []
        for path in paths:
            self.nodes.pop(path, None)
        return [
            *((path, "a closed session takes a znode that is none of its own") for path in paths if path not in owned),
            *((path, "a closed session leaves an ephemeral znode behind") for path in owned if path not in paths),
        ]


def read_znodes(path: str | Path) -> dict[str, Znode]:
    """Return the znodes of a final-znodes.json by path; raises `TraceError` for a file that is none."""
    file = Path(path)
    try:
        columns = json_value(read_text(str(file)))
        return {
            name: Znode(
                one["version"],
                one["data"],
                one["czxid"],
                one["mzxid"],
                one["ctime"],
                one["mtime"],
                one.get("ephemeral_owner"),
            )
            for name, one in columns.items()
        }
    except OSError as error:
        raise TraceError(f"{file}: cannot be read ({error.strerror}); give a final-znodes.json") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TraceError(f"{file}: is no JSON object of znodes by path ({error}); give a final-znodes.json") from error
