"""A small ZooKeeper: a tree of versioned znodes, sessions that expire, conditional writes, and one-shot watches."""

from .client import ZooKeeperClient
from .operations import (
    ANY_VERSION,
    BadVersion,
    Check,
    Create,
    Delete,
    NodeExists,
    NoNode,
    Operation,
    SessionExpired,
    SetData,
    ZooKeeperError,
)
from .server import History, Session, Watch, WatchEvent, ZooKeeper

__all__ = [
    "ANY_VERSION",
    "BadVersion",
    "Check",
    "Create",
    "Delete",
    "History",
    "NoNode",
    "NodeExists",
    "Operation",
    "Session",
    "SessionExpired",
    "SetData",
    "Watch",
    "WatchEvent",
    "ZooKeeper",
    "ZooKeeperClient",
    "ZooKeeperError",
]
