"""Administrators' requests in a simulated cluster: drawn from a seed, one thing a request, at random times.

Each kind of request has a weight; a run draws its own (swarm testing), so that some runs reassign all the time and
others never. Names of topics are few, so that they are deleted and created again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.controller_channel import ControllerBelief, ControllerChannel
from fencepost.reference.kraft.broker.image import MetadataImage
from fencepost.reference.kraft.inkless import DISKLESS_ENABLE
from fencepost.reference.kraft.levels import (
    CORDONED_DIRECTORIES,
    ELR_RECORDS,
    ELR_VERSION,
    LATEST_PRODUCTION,
    METADATA_VERSION,
)
from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process, Simulator

PREFERRED, UNCLEAN = 0, 1

WEIGHTS: dict[str, float] = {
    "create_topic": 3,
    "delete_topic": 1,
    "add_partitions": 1,
    "reassign": 4,
    "cancel_reassignment": 1,
    "elect_preferred": 2,
    "elect_unclean": 0.5,
    "set_min_insync_replicas": 1,
    "set_unclean_elections": 0.5,
    "set_cluster_min_insync_replicas": 0.3,
    "upgrade": 0.5,
    "switch_elr": 0.3,
    "unregister_broker": 0.2,
    "allocate_producer_ids": 1,
    "cordon_directory": 0.2,
}
"""Default requests, with relative frequencies."""
OF_INKLESS: dict[str, float] = {"switch_to_diskless": 3}
"""Further requests where the controllers are those of Inkless."""


@dataclass(frozen=True, kw_only=True)
class WorkloadPlan:
    """How busy administrators are and with what: the mean time between requests, weights, limits.

    `highest` is the metadata.version above which they do not upgrade.
    """

    interval_ms: int = 4000
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    topics: int = 10
    partitions: int = 30
    most_partitions_of_a_topic: int = 6
    replication_factor: int = 3
    highest: int = LATEST_PRODUCTION

    @classmethod
    def drawn(cls, draw: random.Random) -> WorkloadPlan:
        """Draw a plan of a run's own: each kind of request is left out, usual, or much more frequent."""
        weights = {kind: weight * draw.choice((0, 1, 1, 1, 5)) for kind, weight in WEIGHTS.items()}
        weights["create_topic"] = max(weights["create_topic"], 1)
        return cls(interval_ms=draw.choice((1000, 3000, 8000)), weights=weights, topics=draw.choice((4, 10)))


class Administrator(Process):
    """Sends requests to the active controller, one after the other, and learns from the metadata of some broker.

    `makers` say what is asked for, by the kinds of the plan. `image` returns the metadata, or None while no broker is
    up. `stopped` says which registered brokers are down, since only such a one is taken out of the cluster.
    """

    makers: ClassVar[Mapping[str, Callable[[Any, MetadataImage], m.Request | None]]] = {}

    def __init__(
        self,
        simulator: Simulator,
        network: Network,
        plan: WorkloadPlan,
        controllers: Sequence[int],
        name_of: Callable[[int], str],
        image: Callable[[], MetadataImage | None],
        stopped: Callable[[int], bool],
        *,
        name: str = "administrator",
        cordon: Callable[[random.Random], None] = lambda draw: None,
    ) -> None:
        super().__init__(simulator, name)
        self.plan, self._network, self._image, self._stopped, self._cordon = plan, network, image, stopped, cordon
        self._controllers, self._name_of = tuple(controllers), name_of
        self._random = simulator.random(name)
        self._channel: ControllerChannel | None = None
        self.sent: dict[str, int] = {}
        self.answers: list[tuple[int, m.Request, Any]] = []

    @property
    def now_ns(self) -> int:
        """The time."""
        return self.simulator.now_ns

    def call(
        self,
        target: str,
        request: Any,
        on_answer: Callable[[Any], None],
        timeout_ns: int,
        on_timeout: Callable[[], None],
    ) -> None:
        """Ask another process."""
        self._network.call(self, target, request, on_answer, timeout_ns, on_timeout)

    def started(self) -> None:
        """Begin to ask for things."""
        belief = ControllerBelief(self._controllers, lambda: None)
        self._channel = ControllerChannel(self, belief, self._name_of, 5 * SECOND, 30 * SECOND)
        self._later()

    def _later(self) -> None:
        mean = self.plan.interval_ms * MILLISECOND
        self.after(self._random.randint(mean // 4, mean * 7 // 4), self._tick)

    def _tick(self) -> None:
        self._later()
        image = self._image()
        if image is None or not image.brokers:
            return
        kinds = [kind for kind, weight in self.plan.weights.items() if weight]
        kind = self._random.choices(kinds, [self.plan.weights[kind] for kind in kinds])[0]
        request = self.makers[kind](self, image)
        if request is not None:
            self.ask(kind, request)

    def ask(self, kind: str, request: m.Request) -> None:
        """Send a request; what becomes of it shows in the metadata."""
        assert self._channel is not None
        self.sent[kind] = self.sent.get(kind, 0) + 1
        self._channel.send(request, lambda answer: None)

    # -- what is asked for -----------------------------------------------------------------------------------------
    def _topic(self, image: MetadataImage) -> str | None:
        names = sorted(image.topic_ids)
        return self._random.choice(names) if names else None

    def _partition(self, image: MetadataImage) -> tuple[str, int, tuple[int, ...]] | None:
        """Draw a partition: the name of its topic, its number, its replicas."""
        name = self._topic(image)
        if name is None:
            return None
        numbers = sorted(image.partitions_of[image.topic_ids[name]])
        number = self._random.choice(numbers)
        return name, number, image.partitions[image.topic_ids[name], number].replicas

    def _brokers(self, image: MetadataImage, count: int) -> tuple[int, ...]:
        registered = sorted(image.brokers)
        return tuple(self._random.sample(registered, min(count, len(registered))))

    def create_topic(self, image: MetadataImage) -> m.Request | None:
        """Create a topic: by counts, or by an assignment, or with a configuration; now and then one that exists."""
        draw, plan = self._random, self.plan
        name = f"topic-{draw.randrange(plan.topics)}"
        room = plan.partitions - len(image.partitions)
        if room < 1:
            return None
        count = draw.randint(1, min(plan.most_partitions_of_a_topic, room))
        factor = draw.randint(1, plan.replication_factor) if draw.random() < 0.2 else plan.replication_factor
        factor = min(factor, len(image.brokers))
        configs: tuple[tuple[str, str | None], ...] = ()
        if draw.random() < 0.4:
            configs = (("min.insync.replicas", str(draw.randint(1, 2))),)
        if draw.random() < 0.3:
            assignments = tuple((number, self._brokers(image, factor)) for number in range(count))
            return m.CreateTopicsRequest(topics=(m.TopicRequest(name, assignments=assignments, configs=configs),))
        return m.CreateTopicsRequest(topics=(m.TopicRequest(name, count, factor, configs=configs),))

    def delete_topic(self, image: MetadataImage) -> m.Request | None:
        """Delete a topic."""
        name = self._topic(image)
        return None if name is None else m.DeleteTopicsRequest(topic_ids=(image.topic_ids[name],))

    def add_partitions(self, image: MetadataImage) -> m.Request | None:
        """Give a topic a few more partitions; now and then too few."""
        name = self._topic(image)
        if name is None or len(image.partitions) >= self.plan.partitions:
            return None
        count = len(image.partitions_of[image.topic_ids[name]]) + self._random.randint(0, 2)
        return m.CreatePartitionsRequest(topics=(m.PartitionsRequest(name, count),))

    def reassign(self, image: MetadataImage) -> m.Request | None:
        """Reassign a partition: one replica elsewhere, all of them elsewhere, one more, one less, another order."""
        found, draw = self._partition(image), self._random
        if found is None:
            return None
        name, number, replicas = found
        others = [b for b in sorted(image.brokers) if b not in replicas]
        target = list(replicas)
        match draw.randrange(5):
            case 0 if others:
                target[draw.randrange(len(target))] = draw.choice(others)
            case 1:
                target = list(self._brokers(image, len(replicas)))
            case 2 if others:
                target.append(draw.choice(others))
            case 3 if len(target) > 1:
                target.pop(draw.randrange(len(target)))
            case _:
                draw.shuffle(target)
        one = m.ReassignablePartition(name, number, tuple(target))
        allowed = draw.random() < 0.8
        return m.AlterPartitionReassignmentsRequest(partitions=(one,), allow_replication_factor_change=allowed)

    def cancel_reassignment(self, image: MetadataImage) -> m.Request | None:
        """Cancel a reassignment, where there is one; else of some partition."""
        running = sorted(key for key, one in image.partitions.items() if one.adding or one.removing)
        if running:
            topic_id, number = self._random.choice(running)
            one = m.ReassignablePartition(image.topics[topic_id], number, None)
            return m.AlterPartitionReassignmentsRequest(partitions=(one,))
        found = self._partition(image)
        if found is None or self._random.random() < 0.8:
            return None
        one = m.ReassignablePartition(found[0], found[1], None)
        return m.AlterPartitionReassignmentsRequest(partitions=(one,))

    def elect_preferred(self, image: MetadataImage) -> m.Request | None:
        """Elect preferred leaders, of one partition or of all."""
        return self._elect(image, PREFERRED)

    def elect_unclean(self, image: MetadataImage) -> m.Request | None:
        """Elect leaders uncleanly, of a partition without one, else of some partition."""
        return self._elect(image, UNCLEAN)

    def _elect(self, image: MetadataImage, kind: int) -> m.Request | None:
        if self._random.random() < 0.2:
            return m.ElectLeadersRequest(election_type=kind)
        without = sorted(key for key, one in image.partitions.items() if one.leader < 0)
        if kind == UNCLEAN and without:
            topic_id, number = self._random.choice(without)
            return m.ElectLeadersRequest(election_type=kind, partitions=((image.topics[topic_id], number),))
        found = self._partition(image)
        return None if found is None else m.ElectLeadersRequest(election_type=kind, partitions=(found[:2],))

    def _configure(self, resource: m.ConfigResource, key: str, value: str | None) -> m.Request:
        operation = m.DELETE if value is None else m.SET
        change = m.ConfigChanges(resource, ((key, operation, value),))
        return m.IncrementalAlterConfigsRequest(resources=(change,))

    def set_min_insync_replicas(self, image: MetadataImage) -> m.Request | None:
        """Set or delete min.insync.replicas of a topic."""
        name = self._topic(image)
        value = self._random.choice((None, "1", "2", "2", "3"))
        resource = m.ConfigResource(m.TOPIC_RESOURCE, name or "")
        return None if name is None else self._configure(resource, "min.insync.replicas", value)

    def switch_to_diskless(self, image: MetadataImage) -> m.Request | None:
        """Switch a topic to diskless storage, by either kind of request (Inkless); now and then one that is."""
        name = self._topic(image)
        if name is None:
            return None
        resource = m.ConfigResource(m.TOPIC_RESOURCE, name)
        if self._random.random() < 0.7:
            return self._configure(resource, DISKLESS_ENABLE, "true")
        whole = {**image.configs.get((m.TOPIC_RESOURCE, name), {}), DISKLESS_ENABLE: "true"}
        return m.LegacyAlterConfigsRequest(resources=((resource, tuple(sorted(whole.items()))),))

    def set_unclean_elections(self, image: MetadataImage) -> m.Request | None:
        """Set or delete unclean.leader.election.enable of a topic."""
        name = self._topic(image)
        value = self._random.choice((None, "false", "true"))
        resource = m.ConfigResource(m.TOPIC_RESOURCE, name or "")
        return None if name is None else self._configure(resource, "unclean.leader.election.enable", value)

    def set_cluster_min_insync_replicas(self, image: MetadataImage) -> m.Request | None:
        """Set min.insync.replicas of the whole cluster."""
        value = self._random.choice(("1", "2"))
        return self._configure(m.ConfigResource(m.BROKER_RESOURCE, ""), "min.insync.replicas", value)

    def upgrade(self, image: MetadataImage) -> m.Request | None:
        """Upgrade metadata.version by one level or a few, up to the plan's highest; now and then go back."""
        level, draw = image.metadata_version, self._random
        if level == 0:
            return None
        if draw.random() < 0.15:
            return self._feature(METADATA_VERSION, level - 1, m.SAFE_DOWNGRADE)
        if level >= self.plan.highest:
            return None
        return self._feature(METADATA_VERSION, min(level + draw.randint(1, 3), self.plan.highest), m.UPGRADE)

    def switch_elr(self, image: MetadataImage) -> m.Request | None:
        """Switch eligible leader replicas on or off."""
        if image.metadata_version < ELR_RECORDS:
            return None
        if image.elr_enabled:
            return self._feature(ELR_VERSION, 0, m.SAFE_DOWNGRADE)
        return self._feature(ELR_VERSION, 1, m.UPGRADE)

    def _feature(self, name: str, level: int, kind: int) -> m.Request:
        return m.UpdateFeaturesRequest(updates=((name, level, kind),))

    def unregister_broker(self, image: MetadataImage) -> m.Request | None:
        """Take a broker that is down out of the cluster."""
        down = [b for b in sorted(image.brokers) if image.brokers[b].fenced and self._stopped(b)]
        return m.UnregisterBrokerRequest(broker_id=self._random.choice(down)) if down else None

    def allocate_producer_ids(self, image: MetadataImage) -> m.Request | None:
        """Ask for producer ids in the name of a broker, now and then with an epoch that is too old."""
        broker = self._random.choice(sorted(image.brokers))
        epoch = image.brokers[broker].epoch - (self._random.random() < 0.1)
        return m.AllocateProducerIdsRequest(broker_id=broker, broker_epoch=epoch)

    def cordon_directory(self, image: MetadataImage) -> m.Request | None:
        """Change which directories of some broker get no new replicas: that takes no request to the controller."""
        if image.metadata_version >= CORDONED_DIRECTORIES:
            self._cordon(self._random)
        return None


Administrator.makers = {kind: getattr(Administrator, kind) for kind in (*WEIGHTS, *OF_INKLESS)}
