"""What Raft nodes do while their voters change, told as trace values: for lock step with `kraft-voters`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.traces import voter_steps as told
from fencepost.traces.record_types import KRAFT_VOTERS
from fencepost.traces.voter_steps import ControlBatch, VoterStep

if TYPE_CHECKING:
    from .raft import RaftNode


class VoterWriter:
    """Hands every step of the nodes that it watches to a sink; its methods are what nodes take as `on_...`."""

    def __init__(self, sink: Callable[[VoterStep], None]) -> None:
        self.sink = sink
        self._leading: set[int] = set()

    def role_changed(self, node: RaftNode) -> None:
        """Tell that a node leads, with the log that it was elected with, or leads no more."""
        if node.is_leader:
            self._leading.add(node.id)
            self._tell(node, told.ELECTED, epoch=node.epoch, granting=node.granting)
        elif node.id in self._leading:
            self._leading.discard(node.id)
            self._tell(node, told.LEFT)

    def high_watermark(self, node: RaftNode) -> None:
        """Tell what a leader has committed."""
        batches = node.disk.log.batches
        self._tell(
            node, told.COMMITTED, end=sum(bool(one.control) for one in batches if one.last_offset < node.high_watermark)
        )

    def log_changed(self, node: RaftNode) -> None:
        """Tell that a follower's log changed."""
        self._tell(node, told.FETCHED, epoch=node.epoch)

    def change(self, node: RaftNode, what: str, controller: int, own: bool, answer: str) -> None:
        """Tell how a request to change the voters was answered; one of a controller's own was on its way before."""
        if own:
            self.sink(VoterStep(controller, told.ASKED, {}, ()))
        seen = answer == "NONE" or node.has_seen(controller)
        self._tell(node, told.CHANGED, what=what, controller=controller, own=own, seen=seen, answer=answer)

    def _tell(self, node: RaftNode, name: str, **values: Any) -> None:
        log = tuple(
            ControlBatch(batch.epoch, next((_ids(data) for type_, data in batch.control if type_ == KRAFT_VOTERS), ()))
            for batch in node.disk.log.batches
            if batch.control
        )
        self.sink(VoterStep(node.id, name, values, log))


def _ids(data: Any) -> tuple[int, ...]:
    return tuple(sorted(voter["voterId"] for voter in data["voters"]))
