"""A broker as a simulated process: it starts from its disk, lives, and ends in one of several ways.

What one run of the broker knows is in a `BrokerRun`; a crash throws it away and leaves the disk.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fencepost.reference.kraft.levels import SUPPORTED_FEATURES
from fencepost.reference.kraft.messages import Endpoint, FeatureRange
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.storage.uuids import random_uuid
from fencepost.reference.simulator import Network, Process, Simulator

from .broker_run import BrokerRun
from .disk import BrokerDisk
from .lifecycle import BrokerState
from .loader import MetadataLoader
from .replica_manager import ReplicationObserver
from .replication_messages import PartitionKey

FEATURES = tuple(FeatureRange(name, *levels) for name, levels in sorted(SUPPORTED_FEATURES.items()))
"""Features that a broker of Kafka 4.4 supports."""


class RaftObserver(Protocol):
    """The Raft layer of a broker: follows the metadata log and hands the committed part to a loader."""

    def start(self) -> None:
        """Begin to fetch."""

    def receive(self, source: str, payload: Any) -> None:
        """Take a message of another node's Raft layer."""

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request of another node's Raft layer."""


class BrokerObserver(ReplicationObserver):
    """Receives the events of a broker; does nothing by itself."""

    def state_changed(self, broker: Broker, state: BrokerState) -> None:
        """A broker came into another state of its life."""

    def ended(self, broker: Broker, how: str, lost: dict[PartitionKey, int]) -> None:
        """A broker stopped: "clean shutdown", "killed", "power loss", "halted"; or lost a disk while it was down."""


@dataclass(frozen=True, kw_only=True)
class BrokerConfig:
    """Identity of a broker, and its peers; `name_of` gives the name of a node's process in the network.

    `recovery_ns` bounds how long its logs take after an unclean end, `retained_entries` is about how many entries of
    a partition are kept.
    """

    broker_id: int
    cluster_id: str
    controllers: tuple[int, ...]
    settings: Settings
    name_of: Callable[[int], str]
    rack: str | None = None
    listeners: tuple[Endpoint, ...] = ()
    features: tuple[FeatureRange, ...] = FEATURES
    recovery_ns: tuple[int, int] = (0, 0)
    retained_entries: int = 1000
    cordoned: Sequence[str] = ()


class Broker(Process):
    """A broker. `start()` raises NotFormattedError for a disk that is not formatted for it."""

    def __init__(
        self,
        simulator: Simulator,
        network: Network,
        config: BrokerConfig,
        disk: BrokerDisk,
        new_observer: Callable[[Broker, MetadataLoader], RaftObserver],
        observer: BrokerObserver | None = None,
    ) -> None:
        super().__init__(simulator, config.name_of(config.broker_id))
        self.network, self.config, self.disk = network, config, disk
        self.observer = observer or BrokerObserver()
        self.cordoned = tuple(config.cordoned)
        self.run: BrokerRun | None = None
        self.raft: RaftObserver | None = None
        self.starts = 0
        self._new_observer = new_observer
        self._random = simulator.random(f"broker {config.broker_id}")

    @property
    def state(self) -> BrokerState:
        """Where the broker is in its life."""
        return BrokerState.NOT_RUNNING if self.run is None else self.run.lifecycle.state

    def started(self) -> None:
        """Begin a run with what is on the disk, under a new incarnation."""
        self.starts += 1
        try:
            self.disk.checked(self.config.cluster_id, self.config.broker_id)
        except Exception:
            self.alive = False
            raise
        self.disk.reload(self.simulator.now_ns)
        self._tell_logs("starts", {})
        incarnation = random_uuid(self._random)
        self.run = run = BrokerRun(self, incarnation, self.disk.take_clean_shutdown())
        self.raft = self._new_observer(self, run.loader)
        self.raft.start()
        run.start()

    def receive(self, source: str, payload: Any) -> None:
        """Pass a message on: all of them are the Raft layer's."""
        if self.raft is not None:
            self.raft.receive(source, payload)

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a fetch or a produce request; all others are the Raft layer's."""
        if self.run is not None and not self.run.serve(request, reply) and self.raft is not None:
            self.raft.serve(source, request, reply)

    def log_recovery_ns(self, *, clean: bool) -> int:
        """Draw how long the broker needs for its logs before it wants to be unfenced; 0 after a clean shutdown."""
        least, most = self.config.recovery_ns
        return 0 if clean or most == 0 else self._random.randint(least, most)

    # -- how it ends -----------------------------------------------------------------------------------------------
    def terminate(self) -> None:
        """Ask the broker to shut down (SIGTERM): controlled where it runs, at once where it does not run yet."""
        if self.run is not None:
            self.run.terminate()

    def kill(self) -> None:
        """End the process at once (SIGKILL): what was written is still in the page cache."""
        self._end("killed", {})

    def halted(self) -> None:
        """End the process because it cannot go on."""
        self._end("halted", {})

    def shut_down(self, broker_epoch: int) -> None:
        """End the process in order: everything flushed, the file of the clean shutdown written."""
        self.disk.write_clean_shutdown(broker_epoch)
        self._end("clean shutdown", {})

    def lose_power(self, draw: random.Random) -> dict[PartitionKey, int]:
        """End the machine: some of what was not flushed is lost; returns how many entries of which partitions."""
        lost = self.disk.lose_power(self.simulator.now_ns, draw) if self.alive else {}
        self._end("power loss", lost)
        return lost

    def lose_disk(self, directory: str, new_directory: str) -> dict[PartitionKey, int]:
        """Put a fresh disk in the place of one, while the broker is down or killing it; returns what is lost."""
        self._end("killed", {})
        lost = self.disk.replace(directory, new_directory)
        self.observer.ended(self, "disk loss", lost)
        if self.observer.tells():
            for key in lost:
                self.observer.told(
                    self.config.broker_id, key, "stops", {"how": "disk loss", "end": 0}, self.simulator.now_ns
                )
        return lost

    def fail_directory(self, directory: str) -> None:
        """Let a directory fail under a running broker; with the last one the broker halts."""
        place = self.disk.directory(directory)
        if place is not None and place.online:
            place.online = False
            if self.run is not None:
                self.run.directory_failed(directory)

    def repair_directory(self, directory: str) -> None:
        """Let a directory be readable again, from the next start on: only while the broker is down."""
        place = self.disk.directory(directory)
        if place is not None and not self.alive:
            place.online = True

    def cordon(self, directories: Sequence[str]) -> None:
        """Set `cordoned.log.dirs`: the directories that get no new replicas."""
        self.cordoned = tuple(directories)
        if self.run is not None:
            self.run.lifecycle.cordoned_directories_changed()

    def _end(self, how: str, lost: dict[PartitionKey, int]) -> None:
        if self.alive:
            self.crash()
            self.observer.ended(self, how, lost)
            self._tell_logs("stops", {"how": how})

    def _tell_logs(self, name: str, what: dict[str, Any]) -> None:
        """Tell of every log, of those that cannot be read too, where it ends as the process stops or starts."""
        if self.observer.tells():
            for one in self.disk.directories:
                for key, log in one.logs.items():
                    self.observer.told(
                        self.config.broker_id, key, name, {**what, "end": log.end_offset}, self.simulator.now_ns
                    )

    def crashed(self) -> None:
        """Forget the run."""
        self.run, self.raft = None, None
