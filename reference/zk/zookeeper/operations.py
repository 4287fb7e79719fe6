"""Writes that a client may request of ZooKeeper, and the errors with which it refuses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

ANY_VERSION = -1
"""The expected version of a write that goes through whatever version the znode has."""


@dataclass(frozen=True, slots=True)
class Create:
    """Make a znode; a `sequential` one gets a number of ten digits behind its path."""

    path: str
    data: Any = None
    ephemeral: bool = False
    sequential: bool = False


@dataclass(frozen=True, slots=True)
class SetData:
    """Replace what a znode holds, if it has the expected version."""

    path: str
    data: Any
    version: int = ANY_VERSION


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a znode that has no children, if it has the expected version."""

    path: str
    version: int = ANY_VERSION


@dataclass(frozen=True, slots=True)
class Check:
    """Write nothing, but refuse the whole multi where a znode has not the expected version."""

    path: str
    version: int


Operation = Create | SetData | Delete | Check


class ZooKeeperError(Exception):
    """ZooKeeper refused something; `index` is the place of what it refused within a multi."""

    code: ClassVar[int] = -1
    name: ClassVar[str] = "SYSTEMERROR"

    def __init__(self, path: str = "", index: int = 0) -> None:
        super().__init__(f"KeeperErrorCode = {self.name}" + (f" for {path}" if path else ""))
        self.path, self.index = path, index


class NoNode(ZooKeeperError):
    """There is no such znode, or no parent to create one under."""

    code, name = -101, "NONODE"


class BadVersion(ZooKeeperError):
    """The znode has another version than expected."""

    code, name = -103, "BADVERSION"


class NoChildrenForEphemerals(ZooKeeperError):
    """An ephemeral znode can have no children."""

    code, name = -108, "NOCHILDRENFOREPHEMERALS"


class NodeExists(ZooKeeperError):
    """There is such a znode already."""

    code, name = -110, "NODEEXISTS"


class NotEmpty(ZooKeeperError):
    """A znode with children cannot be deleted."""

    code, name = -111, "NOTEMPTY"


class SessionExpired(ZooKeeperError):
    """The session is over; its ephemeral znodes are gone."""

    code, name = -112, "SESSIONEXPIRED"
