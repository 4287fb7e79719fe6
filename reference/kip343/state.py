"""Everything that a step of the design may change: ZooKeeper's part, the controller's memory, the brokers' memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fencepost.reference.simulator import Journal

from .names import NOT_REGISTERED, BrokerState, Leadership, UpdateMetadataRequest


class State:
    """The cells of the design, by broker or by partition, in the groups of who keeps them.

    Only one controller is alive at a time: what is in its memory is one set of cells, which a new one fills anew.
    """

    def __init__(self, journal: Journal, brokers: Sequence[int], replicas: Mapping[int, frozenset[int]]) -> None:
        cells = journal.cells
        # ZooKeeper: registrations (the czxid of the znode is the incarnation), and the state of each partition.
        self.registered = cells.column("registered", NOT_REGISTERED, brokers)
        self.legacy = cells.column("legacy", False, brokers)
        self.replicas = cells.column("replicas", frozenset[int](), replicas)
        self.leader = cells.column("leader", _nobody(), replicas)
        self.leader_epoch = cells.column("leader_epoch", 0, replicas)
        self.isr = cells.column("isr", frozenset[int](), replicas)
        # The controller: whether there is one, and its memory.
        self.controller = cells.cell("controller", False)
        self.incarnation = cells.column("incarnation", NOT_REGISTERED, brokers)
        self.state = cells.column("state", BrokerState.INACTIVE, brokers)
        self.last_contact = cells.column("last_contact", 0, brokers)
        self.known_legacy = cells.column("known_legacy", False, brokers)
        # Each broker's process.
        self.running = cells.column("running", False, brokers)
        self.own_incarnation = cells.column("own_incarnation", NOT_REGISTERED, brokers)
        self.last_reply = cells.column("last_reply", 0, brokers)
        self.fenced = cells.column("fenced", True, brokers)
        self.shutting_down = cells.column("shutting_down", False, brokers)
        for partition, members in replicas.items():
            self.replicas[partition] = self.isr[partition] = members
        cells.changed()

    def metadata(self) -> UpdateMetadataRequest:
        """Return all metadata as it is now."""
        partitions = [one for (one,) in self.leader]
        return UpdateMetadataRequest(tuple(Leadership(self.leader[one], self.leader_epoch[one]) for one in partitions))


def _nobody() -> int | None:
    return None
