"""Stories of heartbeats that change what their broker is and report failed directories."""

from functools import partial
from typing import Any

from fencepost.reference.kraft import messages as m

from .watched import Watched

ONE, OTHER = "0000000000100000000001", "0000000000100000000002"
"""The directories of broker 1."""


def led() -> Watched:
    """Return a cluster whose broker 1 leads the one replica of a partition in the first of its two directories."""
    node = Watched()
    node.lead()
    for broker in (1, 2):
        node.start(broker, dirs=2 if broker == 1 else 1)
        node.heartbeat(broker)
    node.all_beat()
    node.create("a", 2, 1)
    number = next(n for n in (0, 1) if node.partition("a", n).leader == 1)
    node.assign(1, 1, "a", number)
    return node


ENDINGS: dict[str, tuple[bool, dict[str, Any]]] = {
    "HD1": (False, {"want_fence": True, "offline_log_dirs": (ONE,)}),
    "HD1n": (False, {"want_fence": True, "offline_log_dirs": (ONE, OTHER)}),
    "HD2": (True, {"offline_log_dirs": (ONE,)}),
    "HD2n": (True, {"offline_log_dirs": (ONE, OTHER)}),
    "HD6": (False, {"want_shut_down": True, "offline_log_dirs": (ONE,)}),
    "HD6n": (False, {"want_shut_down": True, "offline_log_dirs": (ONE, OTHER)}),
    "OD3": (False, {"offline_log_dirs": (ONE,)}),
}
"""Rows of one heartbeat: whether its broker is fenced before, and what the heartbeat says."""


def reported(row: str) -> Watched:
    """Return the cluster of `led` after the heartbeat of a row of `ENDINGS`."""
    fenced, said = ENDINGS[row]
    node = led()
    if fenced:
        node.heartbeat(1, want_fence=True)
    node.heartbeat(1, **said)
    return node


def ended(failed: tuple[str, ...] = (OTHER,)) -> Watched:
    """Return a cluster whose broker 1 has ended its controlled shutdown by a heartbeat that reports directories."""
    node = led()
    node.heartbeat(1, want_shut_down=True)
    node.all_beat()
    node.heartbeat(2)
    node.heartbeat(1, want_shut_down=True, offline_log_dirs=failed)
    return node


def thrown() -> Watched:
    """Return a cluster in which a heartbeat that wants the shutdown throws: its directory has a deleted topic (D5)."""
    node = led()
    node.create("b", 1, 1)
    holder = node.partition("b").leader
    node.assign(holder, 1, "b", 0)
    node.heartbeat(holder, want_fence=True)
    node.ask(m.DeleteTopicsRequest(topic_ids=(node.topic_id("b"),)))
    node.heartbeat(holder)
    node.heartbeat(holder, want_shut_down=True, offline_log_dirs=(f"{holder:011d}{1:011d}",))
    return node


TWO_PARTS = (*(partial(reported, row) for row in ENDINGS), ended, partial(ended, (ONE, OTHER)), thrown)
"""The stories, which fire every row of heartbeats with two parts."""
