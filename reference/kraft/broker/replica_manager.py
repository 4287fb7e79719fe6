"""The replicas of a broker: which partitions it leads, follows or gives up, as the metadata say.

After Kafka's `ReplicaManager.applyDelta`: first what is gone, then what this broker leads, then what it follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.kraft.levels import DIRECTORIES
from fencepost.reference.kraft.records import NO_LEADER, UNASSIGNED_DIRECTORY
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND

from .alter_partition import AlterPartitionManager
from .disk import BrokerDisk
from .fetch_server import FetchServer, ProduceServer
from .fetcher import ReplicaFetcher
from .image import Delta, MetadataImage, PartitionImage
from .partition import Partition, Tell
from .partition_state import PendingPartitionChange
from .replication_messages import FetchRequest, FetchResponse, PartitionKey


class ReplicaHost(Protocol):
    """The part of a broker that its replicas need."""

    broker_id: int
    settings: Settings
    disk: BrokerDisk
    retained_entries: int

    @property
    def now_ns(self) -> int:
        """The time."""

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration, −1 before there is one."""

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""

    @property
    def in_controlled_shutdown(self) -> bool:
        """Whether the broker has asked for its shutdown."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Run something later, unless the broker is gone by then."""

    def send_fetch(
        self,
        leader: int,
        request: FetchRequest,
        on_answer: Callable[[FetchResponse], None],
        on_failure: Callable[[], None],
    ) -> None:
        """Send a fetch to a broker."""

    def assign_directory(self, key: PartitionKey, directory: str) -> None:
        """Tell the controller in which directory a replica is."""


class ReplicationObserver:
    """Receives the events of data; does nothing by itself."""

    def leader_epoch_started(self, broker: int, partition: Partition) -> None:
        """A broker began to lead a partition in a new epoch, with the log that it has."""

    def epochs_missed(self, broker: int, partition: Partition) -> None:
        """A broker leads on in a later epoch than the next, and keeps what it knew of its followers all the same."""

    def metadata_applied(self, broker: int, now_ns: int, image: MetadataImage, delta: Delta) -> None:
        """A broker is about to apply what has changed."""

    def truncated(self, broker: int, partition: Partition, offset: int) -> None:
        """A follower's log lost what it had from an offset on."""

    def tells(self) -> bool:
        """Whether `told` is to be called: steps without a reader are not built."""
        return False

    def told(self, broker: int, key: PartitionKey, name: str, what: dict[str, Any], now_ns: int) -> None:
        """A replica made a step of a name, with what there is to say of it (`traces.broker_steps`)."""


class ReplicaManager:
    """All replicas of one run of a broker; what survives it is on the disk."""

    partition_class: type[Partition] = Partition
    fetcher_class: type[ReplicaFetcher] = ReplicaFetcher

    def __init__(
        self, host: ReplicaHost, alter_partitions: AlterPartitionManager, observer: ReplicationObserver
    ) -> None:
        settings = host.settings
        self.host, self._alter_partitions, self._observer = host, alter_partitions, observer
        self.broker_id = host.broker_id
        self.replica_lag_ns = settings.replica_lag_time_max_ms * MILLISECOND
        self.fetch_wait_ns = settings.replica_fetch_wait_max_ms * MILLISECOND
        self.fetch_backoff_ns = settings.replica_fetch_backoff_ms * MILLISECOND
        self.retained_entries, self.repaired = host.retained_entries, settings.repaired
        self.partitions: dict[PartitionKey, Partition] = {}
        self.fetchers: dict[int, ReplicaFetcher] = {}
        self.fetches = FetchServer(self)
        self.produces = ProduceServer(self, self.fetches)
        self._minimum: dict[str, int] = {}
        self._followed: dict[PartitionKey, int] = {}
        self._offline: dict[PartitionKey, None] = {}
        self._published = False
        self._tells = observer.tells()

    # -- what partitions, fetchers and servers need ----------------------------------------------------------------
    @property
    def now_ns(self) -> int:
        """The time."""
        return self.host.now_ns

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration."""
        return self.host.broker_epoch

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""
        return self.host.image

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Run something later, unless the broker is gone by then."""
        return self.host.after(delay_ns, callback)

    def send_fetch(
        self,
        leader: int,
        request: FetchRequest,
        on_answer: Callable[[FetchResponse], None],
        on_failure: Callable[[], None],
    ) -> None:
        """Send a fetch to a broker."""
        self.host.send_fetch(leader, request, on_answer, on_failure)

    def min_insync_replicas(self, topic_id: str) -> int:
        """Return `min.insync.replicas` of a topic as this broker knows it."""
        known = self._minimum.get(topic_id)
        if known is None:
            value = self.host.image.config(topic_id, self.broker_id, "min.insync.replicas")
            known = self.host.settings.min_insync_replicas if value is None else int(value)
            self._minimum[topic_id] = known
        return known

    def submit_alter_partition(self, partition: Partition, change: PendingPartitionChange) -> bool:
        """Propose an ISR to the controller."""
        return self._alter_partitions.submit(partition, change)

    def high_watermark_moved(self, partition: Partition) -> None:
        """Answer the produce requests that waited for it, and mark followers to be notified with their next answer."""
        self.fetches.touched(partition.key)
        self.produces.changed(partition.key)

    def truncated(self, partition: Partition, offset: int) -> None:
        """Pass on that a follower's log was truncated."""
        self._observer.truncated(self.broker_id, partition, offset)

    # -- metadata --------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Look every half of `replica.lag.time.max.ms` for followers that lag."""
        self.after(self.replica_lag_ns // 2, self._shrink_isrs)

    def apply(self, delta: Delta) -> None:
        """Lead, follow and give up what the metadata say; the first time stray logs are deleted."""
        image, me = self.host.image, self.broker_id
        if delta.configs or delta.deleted_topics:
            self._minimum.clear()
        self._observer.metadata_applied(me, self.now_ns, image, delta)
        if not self._published:
            self._published = True
            self._delete_strays()
        led: list[tuple[PartitionKey, PartitionImage]] = []
        followed: list[tuple[PartitionKey, PartitionImage]] = []
        for key in delta.before:
            now = image.partitions.get(key)
            if now is None or me not in now.replicas:
                self._give_up(key)
            elif key in self._offline:
                # Its log may be whole where it cannot be read: it is not begun anew before the next start.
                continue
            elif now.leader == me:
                led.append((key, now))
            else:
                followed.append((key, now))
        for key, now in led:
            self._lead(key, now)
        for key, now in followed:
            self._follow(key, now)
        if self._tells and delta.configs:
            self._tell_minima()

    def _tell_minima(self) -> None:
        """Report another min.insync.replicas for each led partition that has no other step."""
        for partition in self.partitions.values():
            if partition.is_leader and partition.tell is not None:
                minimum = {"minimum": partition.effective_min_isr(), "offset": self.host.image.offset}
                partition.tell("configured", {"leader_epoch": partition.leader_epoch, **minimum})

    def _teller(self, key: PartitionKey) -> Tell | None:
        """Return the receiver of a partition's steps, None if there is none."""
        if not self._tells:
            return None
        me, host, told = self.broker_id, self.host, self._observer.told
        return lambda name, what: told(me, key, name, what, host.now_ns)

    def _delete_strays(self) -> None:
        image, me = self.host.image, self.broker_id
        for directory in self.host.disk.online():
            for key in list(directory.logs):
                known = image.partitions.get(key)
                if known is None or me not in known.replicas:
                    del directory.logs[key]
                    if self._tells:
                        self._observer.told(me, key, "deletes", {"offset": image.offset}, self.host.now_ns)

    def _give_up(self, key: PartitionKey) -> None:
        self._stop_fetching(key)
        self._offline.pop(key, None)
        partition = self.partitions.pop(key, None)
        if partition is not None:
            partition.mark_offline()
            self._wake(key)
        tell = self._teller(key)
        if tell is not None and self.host.disk.find(key) is not None:
            tell("deletes", {"offset": self.host.image.offset})
        self.host.disk.delete(key)

    def _lead(self, key: PartitionKey, image: PartitionImage) -> None:
        self._stop_fetching(key)
        partition = self._partition(key, image)
        missed = partition.is_leader and image.leader_epoch > partition.leader_epoch + 1
        if missed and "D29" not in self.repaired:
            self._observer.epochs_missed(self.broker_id, partition)
        began = partition.make_leader(image)
        if began:
            self._observer.leader_epoch_started(self.broker_id, partition)
        self._wake(key)

    def _follow(self, key: PartitionKey, image: PartitionImage) -> None:
        partition = self._partition(key, image)
        began = partition.make_follower(image)
        self._wake(key)
        if self.host.in_controlled_shutdown and (image.leader == NO_LEADER or self.broker_id not in image.isr):
            self._stop_fetching(key)
        elif began:
            self._stop_fetching(key)
            self._start_fetching(partition, image)

    def _start_fetching(self, partition: Partition, image: PartitionImage) -> None:
        if partition.log is None or image.leader == NO_LEADER or image.leader not in self.host.image.brokers:
            return
        self._followed[partition.key] = image.leader
        fetcher = self.fetchers.get(image.leader)
        if fetcher is None:
            fetcher = self.fetchers[image.leader] = self.fetcher_class(self, image.leader)
        fetcher.add(partition, image.leader_epoch)

    def _stop_fetching(self, key: PartitionKey) -> None:
        leader = self._followed.pop(key, None)
        if leader is not None:
            self.fetchers[leader].remove(key)

    def _wake(self, key: PartitionKey) -> None:
        self.fetches.changed(key)
        self.produces.changed(key)

    def _shrink_isrs(self) -> None:
        for partition in list(self.partitions.values()):
            if partition.is_leader:
                partition.maybe_shrink_isr()
        self.after(self.replica_lag_ns // 2, self._shrink_isrs)

    # -- logs and directories --------------------------------------------------------------------------------------
    def _partition(self, key: PartitionKey, image: PartitionImage) -> Partition:
        partition = self.partitions.get(key)
        if partition is None:
            partition = self.partitions[key] = self.partition_class(self, key)
            partition.tell = self._teller(key)
        if partition.log is None:
            self._open_log(partition, image.directory_of(self.broker_id))
        assigned = image.directory_of(self.broker_id)
        known = self.host.image.metadata_version >= DIRECTORIES
        if known and partition.log is not None and assigned != partition.directory:
            self.host.assign_directory(key, partition.directory)
        return partition

    def _open_log(self, partition: Partition, assigned: str) -> None:
        """Find the log of a partition or create it; not where it may lie in a directory that failed."""
        disk = self.host.disk
        found = disk.find(partition.key)
        if found is None:
            online = {one.id: None for one in disk.online()}
            any_offline = len(online) < len(disk.directories)
            if not online or (any_offline and assigned not in online and assigned != UNASSIGNED_DIRECTORY):
                return
            found = disk.create(partition.key, assigned)
        partition.directory, partition.log = found[0].id, found[1]

    def directory_failed(self, directory: str) -> None:
        """Give up the partitions in a directory that can no longer be read."""
        for key, partition in list(self.partitions.items()):
            if partition.log is not None and partition.directory == directory:
                self._stop_fetching(key)
                self._offline[key] = None
                if partition.tell is not None:
                    partition.tell("offline", {})
                partition.mark_offline()
                self._wake(key)
