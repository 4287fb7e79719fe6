"""Rare and wrong requests to a controller: refused ones, validations, and one-time requests.

The usual administrators send valid requests. Beside them this process sends the rest, so that every check is applied
in some run: registrations with wrong directories or features, ISRs proposed under epochs of the future, values that are
none, unsupported levels. Most requests are refused and change nothing; the others an administrator may send.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.image import MetadataImage, PartitionImage
from fencepost.reference.kraft.levels import (
    CONTROLLER_REGISTRATION,
    DIRECTORIES,
    ELR_VERSION,
    METADATA_VERSION,
    SUPPORTED_FEATURES,
    UNREGISTER_CONTROLLER,
)
from fencepost.reference.kraft.records import LOST_DIRECTORY

from .workload import Administrator, WorkloadPlan

NOBODY, NO_CONTROLLER = 99, 3999
"""A broker and a controller that there are not."""

_MIN, _UNCLEAN, _RETENTION = "min.insync.replicas", "unclean.leader.election.enable", "retention.ms"
_LONG = "x" * 32768
_FEATURES = tuple(m.FeatureRange(name, *levels) for name, levels in SUPPORTED_FEATURES.items())
_WRONG = "wrong"
_OWN, _NO_DIRECTORY = "oddDirectoryAAAAAAAAAA", "oddDirectoryAAAAAAAAAg"


class OddAdministrator(Administrator):
    """Sends rare requests, in the role of any sender."""

    cluster_id = ""

    # -- in a broker's name ----------------------------------------------------------------------------------------
    def register(self, image: MetadataImage) -> m.Request | None:
        """A broker of another cluster, of ZooKeeper's time, with wrong directories or without a feature."""
        draw = self._random
        taken = [one for broker in image.brokers.values() for one in broker.directories]
        directories = draw.choice(((), (_OWN, _OWN), (LOST_DIRECTORY,), tuple(taken[:1])))
        fault = draw.randrange(6)
        features: tuple[m.FeatureRange, ...] = _FEATURES
        if fault == 3:
            features = (m.FeatureRange(METADATA_VERSION, 1, 2), *_FEATURES[1:])
        elif fault == 4:
            features = tuple(one for one in _FEATURES if one.name != METADATA_VERSION)
        elif fault == 5:
            if not image.elr_enabled:
                return None
            features = tuple(one for one in _FEATURES if one.name != ELR_VERSION)
        elif fault == 2 and image.metadata_version < DIRECTORIES:
            return None
        return m.BrokerRegistrationRequest(
            broker_id=NOBODY, cluster_id="another" if fault == 0 else self.cluster_id, incarnation_id=_OWN,
            features=features, is_migrating_zk_broker=fault == 1, log_dirs=directories if fault == 2 else (_OWN,),
        )  # fmt: skip

    def unregister(self, image: MetadataImage) -> m.Request | None:
        """A broker that is not registered is taken out of the cluster."""
        return m.UnregisterBrokerRequest(broker_id=NOBODY)

    def heartbeat(self, image: MetadataImage) -> m.Request | None:
        """A broker that is up wants to be fenced, though it goes on; or all its directories have failed.

        Now and then it says so under an epoch that is over.
        """
        up = [one for one in image.brokers.values() if not one.fenced and not one.in_controlled_shutdown]
        if not up:
            return None
        broker, draw = self._random.choice(up), self._random
        fenced, former = draw.random() < 0.7, draw.random() < 0.3
        return m.BrokerHeartbeatRequest(
            broker_id=broker.id, broker_epoch=broker.epoch - former, current_metadata_offset=image.offset,
            want_fence=fenced, want_shut_down=fenced and draw.random() < 0.5,
            offline_log_dirs=() if fenced else broker.directories,
        )  # fmt: skip

    def propose(self, image: MetadataImage) -> m.Request | None:
        """An ISR that the controller must refuse: under other epochs, with others in it, by another broker."""
        led = [
            (topic, number, one)
            for (topic, number), one in sorted(image.partitions.items())
            if one.leader in image.brokers
        ]
        if not led:
            return None
        topic, number, one = self._random.choice(led)
        return self._proposed(image, topic, number, one)

    def _proposed(self, image: MetadataImage, topic: str, number: int, one: PartitionImage) -> m.Request | None:
        leader, isr = one.leader, one.isr
        others = tuple(broker for broker in one.replicas if broker != leader)
        outside = tuple(broker for broker in sorted(image.brokers) if broker not in one.replicas)
        later_leader = later_partition = recovery = wrong_epoch = former = 0
        sender, index = leader, number
        match self._random.randrange(10):
            case 0:
                index = number + 1000
            case 1:
                later_leader = 1
            case 2:
                later_partition = 1
            case 3 if others and others[0] in image.brokers:
                sender = others[0]
            case 4:
                isr = (leader, leader, *outside[:1])
            case 5 if others:
                isr = others
            case 6 if others:
                isr, recovery = (leader, others[0]), 1
            case 7:
                isr, recovery = (leader,), 1
            case 9:
                former = 1
            case 8:
                isr, wrong_epoch = one.replicas, 1
            case _:
                return None
        epochs = tuple(image.brokers[broker].epoch - wrong_epoch if broker in image.brokers else -1 for broker in isr)
        data = m.AlterPartitionData(
            topic_id=topic, partition=index, leader_epoch=one.leader_epoch + later_leader,
            partition_epoch=one.partition_epoch + later_partition, new_isr=tuple(zip(isr, epochs, strict=True)),
            leader_recovery_state=recovery,
        )  # fmt: skip
        return m.AlterPartitionRequest(
            broker_id=sender, broker_epoch=image.brokers[sender].epoch - former, partitions=(data,)
        )

    def assign(self, image: MetadataImage) -> m.Request | None:
        """A replica is in a directory that its broker does not have, or is said to be so under a former epoch."""
        held = [(key, b) for key, one in sorted(image.partitions.items()) for b in one.replicas if b in image.brokers]
        if not held:
            return None
        (topic, number), broker = self._random.choice(held)
        former = self._random.random() < 0.5
        assignments = ((_NO_DIRECTORY, topic, number),)
        return m.AssignReplicasToDirsRequest(
            broker_id=broker, broker_epoch=image.brokers[broker].epoch - former, assignments=assignments
        )

    # -- configurations --------------------------------------------------------------------------------------------
    def _resource(self, image: MetadataImage) -> m.ConfigResource:
        """A topic, one that there is not, the cluster, or a broker."""
        draw, name = self._random, self._topic(image)
        resources = [m.ConfigResource(m.BROKER_RESOURCE, ""), m.ConfigResource(m.TOPIC_RESOURCE, "gone")]
        resources.append(m.ConfigResource(m.BROKER_RESOURCE, str(draw.choice(sorted(image.brokers)))))
        if name is not None:
            resources += [m.ConfigResource(m.TOPIC_RESOURCE, name)] * 2
        return draw.choice(resources)

    def _value(self, resource: m.ConfigResource, key: str) -> str | None:
        """A value of a key, now and then none, or one that is refused."""
        good = {_MIN: ("1", "2"), _UNCLEAN: ("false", "false"), _RETENTION: ("100000", "200000")}[key]
        refused = _WRONG if resource.type == m.TOPIC_RESOURCE else _LONG
        return self._random.choice((*good, None, refused))

    def alter(self, image: MetadataImage) -> m.Request | None:
        """One key of one resource, now and then only to validate."""
        resource, key = self._resource(image), self._random.choice((_MIN, _UNCLEAN, _RETENTION))
        value = self._value(resource, key)
        change = m.ConfigChanges(resource, ((key, m.DELETE if value is None else m.SET, value),))
        return m.IncrementalAlterConfigsRequest(resources=(change,), validate_only=self._random.random() < 0.3)

    def replace(self, image: MetadataImage) -> m.Request | None:
        """A whole resource: what is not named is deleted."""
        resource, draw = self._resource(image), self._random
        keys = draw.sample((_MIN, _UNCLEAN, _RETENTION), draw.randint(0, 2))
        named = tuple((key, value) for key in keys if (value := self._value(resource, key)) is not None)
        return m.LegacyAlterConfigsRequest(resources=((resource, named),), validate_only=draw.random() < 0.2)

    # -- features and controllers ----------------------------------------------------------------------------------
    def update(self, image: MetadataImage) -> m.Request | None:
        """An unsupported level, an upgrade that goes down, a downgrade that goes up, another feature."""
        draw, level = self._random, image.metadata_version
        if level == 0:
            return None
        elr = int(image.elr_enabled)
        name, to, way = draw.choice((
            (METADATA_VERSION, 40, m.UPGRADE),
            (METADATA_VERSION, level - 1, m.UPGRADE),
            (METADATA_VERSION, level + 1, m.SAFE_DOWNGRADE),
            (METADATA_VERSION, max(7, level - 2), m.UNSAFE_DOWNGRADE),
            (ELR_VERSION, 1, m.UPGRADE),
            (ELR_VERSION, elr - 1, m.UPGRADE),
            ("transaction.version", draw.randint(0, 2), draw.choice((m.UPGRADE, m.SAFE_DOWNGRADE))),
        ))  # fmt: skip
        return m.UpdateFeaturesRequest(updates=((name, to, way),), validate_only=draw.random() < 0.2)

    def controller(self, image: MetadataImage) -> m.Request | None:
        """A controller that there is not registers where none can yet; one is retired that there is, or is not."""
        level = image.metadata_version
        if 0 < level < CONTROLLER_REGISTRATION:
            return m.ControllerRegistrationRequest(
                controller_id=NO_CONTROLLER, incarnation_id=f"{NO_CONTROLLER:022d}", features=_FEATURES
            )
        known = self._random.random() < 0.3 and level >= UNREGISTER_CONTROLLER
        return m.UnregisterControllerRequest(controller_id=self._controllers[-1] if known else NO_CONTROLLER)

    # -- topics ----------------------------------------------------------------------------------------------------
    def create(self, image: MetadataImage) -> m.Request | None:
        """A topic without replicas, with replicas on brokers that are down, or with the fewest possible."""
        draw = self._random
        if len(image.partitions) >= self.plan.partitions:
            return None
        name = f"topic-{draw.randrange(self.plan.topics)}"
        if draw.random() < 0.5:
            return m.CreateTopicsRequest(topics=(m.TopicRequest(name, 1, 1),), validate_only=draw.random() < 0.2)
        return m.CreateTopicsRequest(topics=(m.TopicRequest(name, assignments=((0, self._placed(image)),)),))

    def grow(self, image: MetadataImage) -> m.Request | None:
        """A partition more, with an assignment: empty, one broker twice, one that is down."""
        name, draw = self._topic(image), self._random
        if name is None or len(image.partitions) >= self.plan.partitions:
            return None
        topic = image.topic_ids[name]
        count = len(image.partitions_of[topic])
        if draw.random() < 0.4:
            return m.CreatePartitionsRequest(topics=(m.PartitionsRequest(name, count + 1),))
        size = len(image.partitions[topic, 0].replicas) if (topic, 0) in image.partitions else 1
        placed = (*self._placed(image), *sorted(image.brokers))[:size]
        return m.CreatePartitionsRequest(topics=(m.PartitionsRequest(name, count + 1, (placed,)),))

    def _placed(self, image: MetadataImage) -> tuple[int, ...]:
        """Brokers that are down, if there are any; else one that there is not, or one twice."""
        down = tuple(sorted(one.id for one in image.brokers.values() if one.fenced or one.in_controlled_shutdown))
        some = self._random.choice(sorted(image.brokers))
        return self._random.choice(((NOBODY,), (some, some), *([down] * 4 if down else [])))

    def unknown(self, image: MetadataImage) -> m.Request | None:
        """An election or a reassignment of a partition that there is not, or more partitions of such a topic."""
        partition = m.ReassignablePartition("gone", 0, self._random.choice((None, tuple(sorted(image.brokers)))))
        return self._random.choice((
            m.ElectLeadersRequest(election_type=0, partitions=(("gone", 0),)),
            m.ElectLeadersRequest(election_type=1, partitions=(("gone", 0),)),
            m.AlterPartitionReassignmentsRequest(partitions=(partition,)),
            m.CreatePartitionsRequest(topics=(m.PartitionsRequest("gone", 3),)),
            m.DeleteTopicsRequest(topic_ids=("gone",)),
        ))  # fmt: skip

    def allow_unclean(self, image: MetadataImage) -> m.Request | None:
        """Where a partition has no leader its topic may have unclean ones from now on."""
        without = sorted(topic for (topic, _), one in image.partitions.items() if one.leader < 0)
        if not without:
            return None
        resource = m.ConfigResource(m.TOPIC_RESOURCE, image.topics[self._random.choice(without)])
        return self._configure(resource, _UNCLEAN, "true")


_MAKERS: Mapping[str, Callable[[Any, MetadataImage], m.Request | None]] = {
    "register": OddAdministrator.register,
    "unregister": OddAdministrator.unregister,
    "heartbeat": OddAdministrator.heartbeat,
    "propose": OddAdministrator.propose,
    "assign": OddAdministrator.assign,
    "alter": OddAdministrator.alter,
    "replace": OddAdministrator.replace,
    "update": OddAdministrator.update,
    "controller": OddAdministrator.controller,
    "create": OddAdministrator.create,
    "grow": OddAdministrator.grow,
    "unknown": OddAdministrator.unknown,
    "allow_unclean": OddAdministrator.allow_unclean,
}
_WEIGHTS = {
    "register": 3.0, "propose": 6.0, "alter": 8.0, "replace": 4.0, "update": 4.0, "create": 2.0, "grow": 3.0,
    "heartbeat": 0.5,
}  # fmt: skip

ODD_WORK = WorkloadPlan(interval_ms=1000, weights={kind: _WEIGHTS.get(kind, 1.0) for kind in _MAKERS})
"""Once a second something odd."""

OddAdministrator.makers = _MAKERS
