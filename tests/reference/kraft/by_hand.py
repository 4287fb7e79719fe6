"""Replicas of one partition, moved by hand: every election, fetch and crash happens when a test says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.kraft.broker.fetcher import ReplicaFetcher
from fencepost.reference.kraft.broker.image import BrokerImage, MetadataImage, PartitionImage
from fencepost.reference.kraft.broker.partition import Partition
from fencepost.reference.kraft.broker.partition_state import PendingPartitionChange
from fencepost.reference.kraft.broker.replica_log import ReplicaLog
from fencepost.reference.kraft.broker.replication_messages import FetchedPartition, FetchRequest, FetchResponse
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.messages import AlterPartitionAnswer

KEY = ("topic", 0)
SECOND = 1_000_000_000


class Replica:
    """One broker with one replica; what it sends lies in `outbox` until the test delivers it."""

    fetch_wait_ns = 0
    fetch_backoff_ns = SECOND
    replica_lag_ns = 30 * SECOND
    retained_entries = 1000

    def __init__(self, cluster: ByHand, broker_id: int) -> None:
        self.cluster, self.broker_id, self.broker_epoch = cluster, broker_id, 100 + broker_id
        self.repaired = cluster.repaired
        self.log = ReplicaLog(*KEY)
        self.outbox: list[tuple[int, FetchRequest, Callable[[FetchResponse], None]]] = []
        self.proposals: list[PendingPartitionChange] = []
        self.begin()

    def begin(self) -> None:
        """Start with what the log has."""
        self.partition = Partition(self, KEY)
        self.partition.log = self.log
        self.fetchers: dict[int, ReplicaFetcher] = {}
        self.outbox.clear()

    @property
    def now_ns(self) -> int:
        """The time."""
        return self.cluster.now_ns

    @property
    def image(self) -> MetadataImage:
        """The metadata: here the same for all."""
        return self.cluster.image

    def min_insync_replicas(self, topic_id: str) -> int:
        """Return what the test has set."""
        return self.cluster.min_isr

    def submit_alter_partition(self, partition: Partition, change: PendingPartitionChange) -> bool:
        """Keep a proposal for the test."""
        self.proposals.append(change)
        return True

    def high_watermark_moved(self, partition: Partition) -> None:
        """Do nothing."""

    def truncated(self, partition: Partition, offset: int) -> None:
        """Do nothing."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Do nothing: the test asks again by hand."""

    def send_fetch(
        self, leader: int, request: FetchRequest, on_answer: Callable[[FetchResponse], None], on_failure: Any
    ) -> None:
        """Keep a fetch for the test."""
        self.outbox.append((leader, request, on_answer))

    @property
    def values(self) -> list[int]:
        """What the log has."""
        return self.log.values


class ByHand:
    """A partition of several replicas, brokers 1 to n; leader elections are sent to the replicas that a test names."""

    def __init__(self, brokers: int = 3, min_isr: int = 1, repaired: frozenset[str] = frozenset()) -> None:
        self.now_ns, self.min_isr, self.repaired = 0, min_isr, repaired
        self.image = MetadataImage()
        for broker in range(1, brokers + 1):
            self.image.brokers[broker] = BrokerImage(broker, 100 + broker, "", False, False)
        self.replicas = {broker: Replica(self, broker) for broker in range(1, brokers + 1)}
        everyone = tuple(self.replicas)
        self.current = PartitionImage(everyone, everyone, -1, 0, 0)

    def elect(self, leader: int, isr: tuple[int, ...] | None = None, told: tuple[int, ...] | None = None) -> None:
        """Let a replica lead in the next epoch, and notify the given replicas."""
        self.current = PartitionImage(
            self.current.replicas,
            self.current.isr if isr is None else isr,
            leader,
            self.current.leader_epoch + 1,
            self.current.partition_epoch + 1,
        )
        for broker in self.replicas if told is None else told:
            self.tell(broker)

    def tell(self, broker: int) -> None:
        """Let a broker take note of the latest election."""
        replica, image = self.replicas[broker], self.current
        if image.leader == broker:
            for fetcher in replica.fetchers.values():
                fetcher.remove(KEY)
            replica.outbox.clear()
            replica.partition.make_leader(image)
        elif replica.partition.make_follower(image):
            replica.fetchers = {image.leader: ReplicaFetcher(replica, image.leader)}
            replica.outbox.clear()
            replica.fetchers[image.leader].add(replica.partition, image.leader_epoch)

    def produce(self, *values: int) -> Errors:
        """Write to the leader; returns its answer."""
        return self.replicas[self.current.leader].partition.append(values)[0]

    def fetch(self, follower: int, rounds: int = 1) -> FetchedPartition | None:
        """Deliver a follower's fetch, and its answer, as often as is said; returns the last answer."""
        found = None
        for _ in range(rounds):
            found = self.answer(follower, self.ask(follower))
        return found

    def ask(self, follower: int) -> FetchedPartition | None:
        """Deliver a follower's fetch to its leader; returns the answer, which is not delivered yet."""
        replica = self.replicas[follower]
        leader, request, _ = replica.outbox[0]
        return self.replicas[leader].partition.fetch(follower, request.broker_epoch, request.partitions[0], note=True)

    def answer(self, follower: int, found: FetchedPartition | None) -> FetchedPartition | None:
        """Deliver an answer to a follower."""
        _, _, on_answer = self.replicas[follower].outbox.pop(0)
        on_answer(FetchResponse(() if found is None else (found,)))
        return found

    def settle(self, rounds: int = 6) -> None:
        """Let everybody fetch from the leader until nothing is left to fetch."""
        for _ in range(rounds):
            for broker in self.replicas:
                if broker != self.current.leader and self.replicas[broker].outbox:
                    self.fetch(broker)

    def committed(self, broker: int, isr: tuple[int, ...]) -> None:
        """Answer the pending proposal of a leader: the ISR is as it asked."""
        change = self.replicas[broker].proposals.pop(0)
        self.current = PartitionImage(
            self.current.replicas, isr, broker, self.current.leader_epoch, self.current.partition_epoch + 1
        )
        answer = AlterPartitionAnswer(
            *KEY, Errors.NONE, broker, self.current.leader_epoch, isr, 0, self.current.partition_epoch
        )
        self.replicas[broker].partition.alter_partition_answered(change, answer)
