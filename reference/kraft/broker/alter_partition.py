"""Sends the proposals of a broker's leaders to the controller: one request at a time, one proposal a partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.messages import AlterPartitionAnswer, AlterPartitionData, AlterPartitionRequest

from .partition_state import PendingPartitionChange
from .replication_messages import PartitionKey

RETRY_NS = 50_000_000
"""How long to wait after an error of the whole request."""


class ControllerChannel(Protocol):
    """A way to ask the active controller."""

    def send(self, request: Any, on_answer: Callable[[Any], None]) -> None:
        """Send a request until it is answered, with a response or an `ApiError`."""


class Proposer(Protocol):
    """A partition that proposes ISRs."""

    key: PartitionKey

    def alter_partition_answered(self, change: PendingPartitionChange, answer: AlterPartitionAnswer) -> None:
        """Take the answer."""


class AlterPartitionManager:
    """Collects proposals while a request is under way, and keeps each until its partition has an answer."""

    def __init__(
        self,
        broker_id: int,
        broker_epoch: Callable[[], int],
        channel: ControllerChannel,
        after: Callable[[int, Callable[[], None]], object],
    ) -> None:
        self._broker_id, self._broker_epoch, self._channel, self._after = broker_id, broker_epoch, channel, after
        self._unsent: dict[PartitionKey, tuple[Proposer, PendingPartitionChange]] = {}
        self._in_flight = False

    def submit(self, partition: Proposer, change: PendingPartitionChange) -> bool:
        """Queue a proposal; False where one for the partition is not answered yet."""
        if partition.key in self._unsent:
            return False
        self._unsent[partition.key] = partition, change
        self._propagate()
        return True

    def _propagate(self) -> None:
        if self._in_flight or not self._unsent:
            return
        self._in_flight = True
        # A request lists its partitions topic by topic.
        topics = list(dict.fromkeys(topic_id for topic_id, _ in self._unsent))
        sent = dict(sorted(self._unsent.items(), key=lambda item: topics.index(item[0][0])))
        request = AlterPartitionRequest(
            broker_id=self._broker_id,
            broker_epoch=self._broker_epoch(),
            partitions=tuple(_data(key, change) for key, (_, change) in sent.items()),
        )
        self._channel.send(request, lambda answer: self._answered(sent, answer))

    def _answered(self, sent: dict[PartitionKey, tuple[Proposer, PendingPartitionChange]], answer: Any) -> None:
        if isinstance(answer, ApiError):
            self._in_flight = False
            self._after(RETRY_NS, self._propagate)
            return
        for one in answer:
            found = sent.pop((one.topic_id, one.partition), None)
            if found is not None:
                # It goes before the partition hears of it, so that it may propose something else at once.
                del self._unsent[one.topic_id, one.partition]
                found[0].alter_partition_answered(found[1], one)
        self._in_flight = False
        self._propagate()


def _data(key: PartitionKey, change: PendingPartitionChange) -> AlterPartitionData:
    return AlterPartitionData(
        topic_id=key[0],
        partition=key[1],
        leader_epoch=change.leader_epoch,
        partition_epoch=change.partition_epoch,
        new_isr=change.sent_isr,
        leader_recovery_state=change.last_committed.recovery_state,
    )
