"""The controller's channels: a queue of requests for each broker, in each one under way, repeated until answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process
from fencepost.reference.zk.log_lines import BrokerLog, listed
from fencepost.reference.zk.messages import (
    ERROR_CODES,
    ControlRequest,
    ControlResponse,
    LeaderAndIsrRequest,
    UpdateMetadataRequest,
)
from fencepost.reference.zk.paths import broker_port

TIMEOUT_NS = 2 * SECOND
RETRY_NS = 100 * MILLISECOND

Answered = Callable[[int, ControlRequest, ControlResponse], None]


class Channel:
    """The queue for one broker; of a channel that was closed nothing is heard again."""

    def __init__(self, owner: BrokerChannels, broker: int) -> None:
        self.owner, self.broker = owner, broker
        self.queue: deque[ControlRequest] = deque()
        self.correlation = 0
        self.open = True
        self._busy = False

    def put(self, make: Callable[[int], ControlRequest]) -> None:
        """Queue a request with the next correlation id."""
        self.queue.append(make(self.correlation))
        self.correlation += 1
        self.send()

    def send(self) -> None:
        """Send the first request, if none is under way."""
        if self.open and self.queue and not self._busy:
            self._busy = True
            owner, request = self.owner, self.queue[0]
            owner.network.call(
                owner.process, owner.name_of(self.broker), request, self._answered, TIMEOUT_NS, self._timed_out
            )

    def _answered(self, response: ControlResponse) -> None:
        if not self.open:
            return
        request = self.queue.popleft()
        self._busy = False
        self.owner.log_response(self.broker, request, response)
        self.owner.answered(self.broker, request, response)
        self.send()

    def _timed_out(self) -> None:
        self._busy = False
        if self.open:
            self.owner.process.after(RETRY_NS, self.send)


class BrokerChannels:
    """All channels of one controller; each begins with its first request and is closed when the broker is gone."""

    def __init__(
        self, process: Process, network: Network, log: BrokerLog, name_of: Callable[[int], str], answered: Answered
    ) -> None:
        self.process, self.network, self.log, self.name_of, self.answered = process, network, log, name_of, answered
        self._channels: dict[int, Channel] = {}

    def send(self, broker: int, make: Callable[[int], ControlRequest]) -> None:
        """Queue a request for a broker."""
        channel = self._channels.get(broker)
        if channel is None:
            channel = self._channels[broker] = Channel(self, broker)
        channel.put(make)

    def remove(self, broker: int) -> None:
        """Drop what is queued for a broker; what is under way may still arrive."""
        channel = self._channels.pop(broker, None)
        if channel is not None:
            channel.open = False

    def close(self) -> None:
        """Drop everything."""
        for broker in list(self._channels):
            self.remove(broker)

    def log_response(self, broker: int, request: ControlRequest, response: ControlResponse) -> None:
        """Write down an answer, as the controller that asked."""
        self.log.state_change(
            "TRACE",
            f"[Controller id={request.controller} epoch={request.controller_epoch}] Received response "
            f"{_described(request, response)} for request {request.name} with correlation id {request.correlation} "
            f"sent to broker 127.0.0.1:{broker_port(broker)} (id: {broker} rack: null)",
        )


def _described(request: ControlRequest, response: ControlResponse) -> str:
    code = ERROR_CODES[response.error]
    errors = response.partitions or {}
    if isinstance(request, UpdateMetadataRequest):
        return f"UpdateMetadataResponseData(errorCode={code})"
    if isinstance(request, LeaderAndIsrRequest):
        topics: dict[str, list[str]] = {}
        for one, error in errors.items():
            topics.setdefault(one.topic, []).append(
                f"LeaderAndIsrPartitionError(topicName='', partitionIndex={one.partition}, "
                f"errorCode={ERROR_CODES[error]})"
            )
        named = listed(
            f"LeaderAndIsrTopicError(topicId={request.topic_ids[topic]}, partitionErrors=[{listed(found)}])"
            for topic, found in topics.items()
        )
        return f"LeaderAndIsrResponseData(errorCode={code}, partitionErrors=[], topics=[{named}])"
    named = listed(
        f"StopReplicaPartitionError(topicName='{one.topic}', partitionIndex={one.partition}, "
        f"errorCode={ERROR_CODES[error]})"
        for one, error in errors.items()
    )
    return f"StopReplicaResponseData(errorCode={code}, partitionErrors=[{named}])"
