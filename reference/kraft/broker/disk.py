"""A broker's state that survives a crash: its log directories with their logs, and the file of a clean shutdown."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fencepost.reference.kraft.controller.directory_ids import in_order

from .replica_log import ReplicaLog
from .replication_messages import PartitionKey


class NotFormattedError(Exception):
    """The broker was refused its start: its directories are not formatted, or for another broker or cluster."""


class LogDirectory:
    """A log directory: what `meta.properties` says, the logs in it, and the broker epoch of a clean shutdown."""

    def __init__(self, directory_id: str, cluster_id: str, node_id: int) -> None:
        self.id, self.cluster_id, self.node_id = directory_id, cluster_id, node_id
        self.online = True
        self.logs: dict[PartitionKey, ReplicaLog] = {}
        self.clean_shutdown_epoch: int | None = None


class BrokerDisk:
    """The log directories of one broker.

    >>> disk = BrokerDisk.formatted("cluster", 1, ["d1"])
    >>> disk.checked("cluster", 2)
    Traceback (most recent call last):
    ...
    fencepost.reference.kraft.broker.disk.NotFormattedError: d1 is formatted for node 1, not for 2
    """

    def __init__(self, directories: Sequence[LogDirectory] = ()) -> None:
        self.directories = list(directories)

    @classmethod
    def formatted(cls, cluster_id: str, node_id: int, directory_ids: Sequence[str]) -> BrokerDisk:
        """Return directories as kafka-storage formats them."""
        return cls([LogDirectory(directory, cluster_id, node_id) for directory in directory_ids])

    def checked(self, cluster_id: str, node_id: int) -> None:
        """Refuse directories with which a broker does not start; raises `NotFormattedError`."""
        online = self.online()
        if not online:
            raise NotFormattedError("no log directory is formatted and readable; format one first")
        for one in online:
            if one.cluster_id != cluster_id:
                raise NotFormattedError(f"{one.id} is formatted for cluster {one.cluster_id}, not for {cluster_id}")
            if one.node_id != node_id:
                raise NotFormattedError(f"{one.id} is formatted for node {one.node_id}, not for {node_id}")

    def online(self) -> list[LogDirectory]:
        """Return the directories that can be read and written."""
        return [one for one in self.directories if one.online]

    def ids(self) -> tuple[str, ...]:
        """Return the ids of the directories that are online, in the order in which a registration has them."""
        return in_order(one.id for one in self.online())

    def directory(self, directory_id: str) -> LogDirectory | None:
        """Return a directory by its id, online or not."""
        return next((one for one in self.directories if one.id == directory_id), None)

    def find(self, key: PartitionKey) -> tuple[LogDirectory, ReplicaLog] | None:
        """Return the log of a partition and where it is, among the directories that are online."""
        for one in self.online():
            log = one.logs.get(key)
            if log is not None:
                return one, log
        return None

    def create(self, key: PartitionKey, directory_id: str | None) -> tuple[LogDirectory, ReplicaLog]:
        """Create a log in a directory, without one in that with the fewest logs."""
        online = self.online()
        place = next((one for one in online if one.id == directory_id), None)
        place = place or min(online, key=lambda one: len(one.logs))
        log = place.logs[key] = ReplicaLog(*key)
        return place, log

    def delete(self, key: PartitionKey) -> None:
        """Delete the log of a partition wherever it can be reached."""
        for one in self.online():
            one.logs.pop(key, None)

    # -- clean shutdowns -------------------------------------------------------------------------------------------
    def write_clean_shutdown(self, broker_epoch: int) -> None:
        """Flush all logs and leave the file that says with which broker epoch the broker shut down."""
        for one in self.online():
            for log in one.logs.values():
                log.flush()
            one.clean_shutdown_epoch = broker_epoch

    def take_clean_shutdown(self) -> int:
        """Return the broker epoch of the last clean shutdown and delete the files; −1 where they do not all agree."""
        found = {one.clean_shutdown_epoch for one in self.online()}
        for one in self.online():
            one.clean_shutdown_epoch = None
        epoch = found.pop() if len(found) == 1 else None
        return -1 if epoch is None else epoch

    # -- faults ----------------------------------------------------------------------------------------------------
    def reload(self, now_ns: int) -> None:
        """Read all logs again after the process ended."""
        for one in self.online():
            for log in one.logs.values():
                log.reload(now_ns)

    def lose_power(self, now_ns: int, draw: random.Random) -> dict[PartitionKey, int]:
        """Lose some of what was not flushed; returns how many entries of which partitions are gone."""
        lost = {key: log.lose_power(now_ns, draw) for one in self.online() for key, log in one.logs.items()}
        return {key: count for key, count in lost.items() if count}

    def replace(self, directory_id: str, new_id: str) -> dict[PartitionKey, int]:
        """Put a new, formatted disk in the place of one; returns how many entries of which partitions are gone."""
        index = next(i for i, one in enumerate(self.directories) if one.id == directory_id)
        old = self.directories[index]
        self.directories[index] = LogDirectory(new_id, old.cluster_id, old.node_id)
        return {key: len(log.values) for key, log in old.logs.items()}
