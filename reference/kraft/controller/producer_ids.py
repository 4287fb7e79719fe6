"""Blocks of producer ids, handed out once and never again (S3:258, ProducerIdControlManager)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.messages import AllocateProducerIdsRequest, ProducerIdsBlock
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.timeline import TimelineValue
from fencepost.traces.record_types import PRODUCER_IDS_RECORD

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .cluster import ClusterControlManager

BLOCK_SIZE = 1000
"""How many ids a block has."""

_LARGEST = 2**63 - 1


class ProducerIdControlManager:
    """The first producer id that was not given out.

    `next_id` is None until a record has said one; the first block begins at 0.
    """

    def __init__(self, registry: SnapshotRegistry, cluster: ClusterControlManager) -> None:
        self.next_id: TimelineValue[int | None] = TimelineValue(registry, None)
        self.cluster = cluster

    @property
    def first(self) -> int:
        """The first id of the next block."""
        return self.next_id.value or 0

    def allocate(self, request: AllocateProducerIdsRequest) -> ControllerResult[ProducerIdsBlock]:
        """Hand out a block; raises STALE_BROKER_EPOCH, or UNKNOWN_SERVER_ERROR once the ids are used up."""
        self.cluster.check_epoch(request.broker_id, request.broker_epoch)
        first = self.first
        if first > _LARGEST - BLOCK_SIZE:
            message = f"Exhausted all producerIds as the next block's end producerId has exceeded {_LARGEST}"
            raise ApiError(Errors.UNKNOWN_SERVER_ERROR, message)
        record = producer_ids_record(first + BLOCK_SIZE, request.broker_id, request.broker_epoch)
        return ControllerResult((record,), ProducerIdsBlock(first, BLOCK_SIZE))

    def replay(self, data: Mapping[str, Any]) -> None:
        """Apply a ProducerIds record; raises ReplayError for one that does not advance. The first is taken as it is."""
        following, current = data["nextProducerId"], self.next_id.value
        if current is not None and following <= current:
            raise ReplayError(
                f"Next Producer ID from replayed record ({following}) is not greater than current next Producer ID "
                f"({current})"
            )
        self.next_id.value = following


def producer_ids_record(next_id: int, broker: int = -1, epoch: int = -1) -> Message:
    """Return the record that says which id comes next; a snapshot names no broker."""
    return Message(PRODUCER_IDS_RECORD, 0, {"brokerId": broker, "brokerEpoch": epoch, "nextProducerId": next_id})
