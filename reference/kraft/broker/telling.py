"""Steps of brokers with data, as trace values; and a fan-out to several observers of the same brokers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.traces.broker_steps import BrokerStep

from .broker import Broker, BrokerObserver
from .lifecycle import BrokerState
from .replication_messages import PartitionKey

if TYPE_CHECKING:
    from .image import Delta, MetadataImage
    from .partition import Partition


class BrokerStepWriter(BrokerObserver):
    """An observer that hands every step of the replicas of its brokers to a sink."""

    def __init__(self, sink: Callable[[BrokerStep], None]) -> None:
        self._sink = sink

    def tells(self) -> bool:
        """Steps are wanted."""
        return True

    def told(self, broker: int, key: PartitionKey, name: str, what: dict[str, Any], now_ns: int) -> None:
        """Hand a step on."""
        self._sink(BrokerStep(now_ns, broker, name, key, what))


class BrokerObservers(BrokerObserver):
    """Passes every call on to several observers, in their order."""

    def __init__(self, *observers: BrokerObserver) -> None:
        self.all = observers
        self._told = [one.told for one in observers if one.tells()]
        if len(self._told) == 1:
            self.told = self._told[0]  # type: ignore[method-assign]

    def state_changed(self, broker: Broker, state: BrokerState) -> None:
        """A broker came into another state of its life."""
        for one in self.all:
            one.state_changed(broker, state)

    def ended(self, broker: Broker, how: str, lost: dict[PartitionKey, int]) -> None:
        """A broker stopped, or lost a disk."""
        for one in self.all:
            one.ended(broker, how, lost)

    def leader_epoch_started(self, broker: int, partition: Partition) -> None:
        """A broker began to lead a partition."""
        for one in self.all:
            one.leader_epoch_started(broker, partition)

    def epochs_missed(self, broker: int, partition: Partition) -> None:
        """A broker leads on in a later epoch than the next."""
        for one in self.all:
            one.epochs_missed(broker, partition)

    def metadata_applied(self, broker: int, now_ns: int, image: MetadataImage, delta: Delta) -> None:
        """A broker is about to apply what has changed."""
        for one in self.all:
            one.metadata_applied(broker, now_ns, image, delta)

    def truncated(self, broker: int, partition: Partition, offset: int) -> None:
        """A follower's log lost what it had from an offset on."""
        for one in self.all:
            one.truncated(broker, partition, offset)

    def tells(self) -> bool:
        """Whether one of them wants steps."""
        return bool(self._told)

    def told(self, broker: int, key: PartitionKey, name: str, what: dict[str, Any], now_ns: int) -> None:
        """A replica made a step."""
        for told in self._told:
            told(broker, key, name, what, now_ns)
