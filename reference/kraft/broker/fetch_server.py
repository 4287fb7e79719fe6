"""A leader's end of replication and producing: requests that wait for entries, and for the high watermark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import Errors

from .partition import Partition
from .replication_messages import (
    FetchedPartition,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    PartitionKey,
    ProduceAnswer,
    ProduceRequest,
    ProduceResponse,
)

Reply = Callable[[Any], None]
NOTHING = FetchResponse(())


class ServerHost(Protocol):
    """The part of a broker that serving needs."""

    partitions: dict[PartitionKey, Partition]

    @property
    def now_ns(self) -> int:
        """The time."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Run something later, unless the broker is gone by then; what is returned can be cancelled."""


class _WaitingFetch:
    """A fetch that waits, and the partitions that have something for it: the rest need not be looked at again."""

    __slots__ = ("asked", "reply", "request", "timer", "touched")

    def __init__(self, request: FetchRequest, reply: Reply) -> None:
        self.request, self.reply = request, reply
        self.asked = {one.key for one in request.partitions}
        self.touched: dict[PartitionKey, None] = {}
        self.timer: Any = None


class _WaitingProduce:
    __slots__ = ("answers", "open", "reply", "required")

    def __init__(
        self, required: dict[PartitionKey, tuple[int, int]], answers: list[ProduceAnswer], reply: Reply
    ) -> None:
        self.required, self.answers, self.reply, self.open = required, answers, reply, True


class FetchServer:
    """Answers fetches, or lets them wait until a partition has something new or the time is over (long polls).

    One fetch of a follower waits at a time: what it asked before is void when it asks again.
    """

    def __init__(self, host: ServerHost) -> None:
        self.host = host
        self._waiting: dict[int, _WaitingFetch] = {}
        self._sessions: dict[int, tuple[int, int]] = {}

    def fetch(self, request: FetchRequest, reply: Reply) -> None:
        """Take a fetch; where the followers stand is noted now, whenever it is answered."""
        if request.session <= self._sessions.get(request.replica_id, (-1, -1)):
            return
        self._sessions[request.replica_id] = request.session
        old = self._waiting.get(request.replica_id)
        if old is not None:
            self._forget(old)
        found = self._read(request, request.partitions, note=True)
        if any(one.values or one.diverging or one.error is not Errors.NONE for one in found):
            reply(FetchResponse(tuple(found)))
            return
        waiting = self._waiting[request.replica_id] = _WaitingFetch(request, reply)
        partitions = self.host.partitions
        for one in request.partitions:
            # This very fetch may have moved a high watermark.
            log = partitions[one.key].log
            if log is not None and log.high_watermark != one.high_watermark:
                waiting.touched[one.key] = None
        waiting.timer = self.host.after(request.max_wait_ns, lambda: self._answer(waiting))

    def touched(self, key: PartitionKey) -> None:
        """Note that a partition has something new, which the fetches that wait get when they are answered."""
        for waiting in self._waiting.values():
            if key in waiting.asked:
                waiting.touched[key] = None

    def changed(self, key: PartitionKey) -> None:
        """Answer the fetches that wait for a partition: it has new entries, or is led otherwise."""
        self.touched(key)
        for waiting in [one for one in self._waiting.values() if key in one.asked]:
            self._answer(waiting)

    def _answer(self, waiting: _WaitingFetch) -> None:
        self._forget(waiting)
        touched = waiting.touched
        partitions = [one for one in waiting.request.partitions if one.key in touched] if touched else ()
        found = self._read(waiting.request, partitions, note=False)
        waiting.reply(FetchResponse(tuple(found)) if found else NOTHING)

    def _forget(self, waiting: _WaitingFetch) -> None:
        replica_id = waiting.request.replica_id
        if self._waiting.get(replica_id) is waiting:
            del self._waiting[replica_id]
        waiting.timer.cancel()

    def _read(
        self, request: FetchRequest, asked_for: Iterable[FetchPartition], *, note: bool
    ) -> list[FetchedPartition]:
        found = []
        partitions, replica_id, epoch = self.host.partitions, request.replica_id, request.broker_epoch
        for asked in asked_for:
            partition = partitions.get(asked.key)
            if partition is None:
                found.append(FetchedPartition(asked.key, Errors.UNKNOWN_TOPIC_ID))
                continue
            one = partition.fetch(replica_id, epoch, asked, note=note)
            if one is not None:
                found.append(one)
        return found


class ProduceServer:
    """Writes what producers send and answers when the high watermark has passed it, or the time is over."""

    def __init__(self, host: ServerHost, fetches: FetchServer) -> None:
        self.host, self._fetches = host, fetches
        self._waiting: dict[PartitionKey, list[_WaitingProduce]] = {}
        self._sequences: dict[str, int] = {}

    def produce(self, request: ProduceRequest, reply: Reply) -> None:
        """Take a produce request; all its partitions are answered together."""
        if request.sequence <= self._sequences.get(request.producer, -1):
            return
        self._sequences[request.producer] = request.sequence
        answers: list[ProduceAnswer] = []
        required: dict[PartitionKey, tuple[int, int]] = {}
        for key, values in request.entries:
            partition = self.host.partitions.get(key)
            error, base = (Errors.NOT_LEADER_OR_FOLLOWER, -1) if partition is None else partition.append(values)
            if error is Errors.NONE:
                self._fetches.touched(key)
                required[key] = base, base + len(values)
            else:
                answers.append(ProduceAnswer(key, error))
        waiting = _WaitingProduce(required, answers, reply)
        self._complete(waiting, list(required))
        if waiting.open:
            for key in waiting.required:
                self._waiting.setdefault(key, []).append(waiting)
            self.host.after(request.timeout_ns, lambda: self._expire(waiting))
        for key in dict(request.entries):
            self._fetches.changed(key)

    def changed(self, key: PartitionKey) -> None:
        """Look at the requests that wait for a partition: its high watermark moved, or it is led otherwise."""
        waiting = self._waiting.get(key)
        if waiting:
            for one in list(waiting):
                self._complete(one, [key])
            left = [one for one in waiting if one.open and key in one.required]
            if left:
                self._waiting[key] = left
            else:
                del self._waiting[key]

    def _complete(self, waiting: _WaitingProduce, keys: list[PartitionKey]) -> None:
        for key in keys:
            if key not in waiting.required:
                continue
            base, end = waiting.required[key]
            partition = self.host.partitions.get(key)
            answer = Errors.NOT_LEADER_OR_FOLLOWER if partition is None else partition.acknowledgement(end)
            if answer is not None:
                del waiting.required[key]
                minimum = partition.effective_min_isr() if partition is not None else 0
                waiting.answers.append(ProduceAnswer(key, answer, base, minimum))
        if not waiting.required and waiting.open:
            waiting.open = False
            waiting.reply(ProduceResponse(tuple(waiting.answers)))

    def _expire(self, waiting: _WaitingProduce) -> None:
        if waiting.open:
            waiting.open = False
            for key in waiting.required:
                waiting.answers.append(ProduceAnswer(key, Errors.REQUEST_TIMED_OUT))
            waiting.reply(ProduceResponse(tuple(waiting.answers)))
