"""The state of one partition, the brokers that it names and what configures it: equal for many partitions of a cluster.

Brokers are numbered by their place among the replicas, epochs are left out, a replica's log directory is called d1, one
other of its broker d2. What a controller decides about a partition depends on nothing else of a cluster, so that what
was found for one partition holds for every partition of the same state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.config_schema import MIN_INSYNC_REPLICAS, UNCLEAN_LEADER_ELECTION
from fencepost.reference.kraft.controller.configurations import config_record
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.registrations import BrokerRegistration
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES, DIRECTORIES, ELR_VERSION, METADATA_VERSION
from fencepost.reference.kraft.records import NO_LEADER, Message
from fencepost.reference.kraft.settings import Settings
from fencepost.traces.record_types import TOPIC_RECORD

from .brokers import RESERVED, directory_id
from .loading import begin
from .machine import Machine
from .running import Scenario

TOPIC, TOPIC_ID = "t", "AAAAAAAAAAwAAAAAAAAAAQ"
"""The topic of the partition."""

NAME = f"{TOPIC}-0"
KEYS = (MIN_INSYNC_REPLICAS, UNCLEAN_LEADER_ELECTION)
"""The configurations that decide about partitions."""

OWN, OTHER, FAILED = "d1", "d2", "d9"
"""The directory of a replica, another one of its broker, and one that its broker no longer has."""

_EPOCH = 10
_RESERVED_NAMES = {id: name for name, id in RESERVED.items()}


@dataclass(frozen=True, slots=True)
class Role:
    """A broker as its partition depends on it; `clean` is whether the file of a clean shutdown is on its disks."""

    registered: bool = True
    fenced: bool = False
    leaving: bool = False
    directories: tuple[str, ...] = (OWN,)
    cordoned: tuple[str, ...] | None = None
    runs: bool = True
    clean: bool = False
    behind: bool = False
    features: tuple[m.FeatureRange, ...] = ()

    def may_follow(self, place: str) -> bool:
        """Whether a replica in a directory could join an ISR."""
        is_active = self.registered and not self.fenced and not self.leaving
        return self.runs and is_active and (place in self.directories or place in RESERVED)


@dataclass(frozen=True, slots=True)
class OnePartition:
    """A partition without epochs, its brokers from 1 on, configurations (kind, resource, key, value), levels.

    `partition` is None for one that was deleted.
    """

    roles: tuple[Role, ...]
    partition: PartitionRegistration | None
    configs: tuple[tuple[int, str, str, str], ...]
    levels: tuple[tuple[str, int], ...]

    @property
    def late(self) -> tuple[int, ...]:
        """The brokers that run and could join the ISR of a partition that is led."""
        one = self.partition
        if one is None or one.leader == NO_LEADER or not self.roles[one.leader - 1].runs:
            return ()
        return tuple(
            id
            for id, place in zip(one.replicas, one.directories, strict=True)
            if id not in one.isr and self.roles[id - 1].may_follow(place)
        )


# -- of a cluster ------------------------------------------------------------------------------------------------------
def brokers_of(partition: PartitionRegistration) -> tuple[int, ...]:
    """Return the brokers that a partition names: its replicas in their order, then others that it remembers."""
    others = {*partition.isr, *partition.elr, *partition.last_known_elr} - set(partition.replicas)
    return (*partition.replicas, *sorted(others))


class Reader:
    """Reads the states of single partitions out of a scenario; what all share is read once.

    `leaves` is a log directory, by broker and id, that is d2 where it is not d1.
    """

    def __init__(self, scenario: Scenario, leaves: tuple[int, str] | None = None) -> None:
        self.leaves = leaves
        managers = scenario.machine.controller.managers
        self.registrations = dict(managers.cluster.registrations.items())
        self.processes = scenario.brokers.known
        self.levels = tuple(sorted(managers.features.finalized.items()))
        self._configs: dict[tuple[int, str], tuple[tuple[str, str], ...]] = {}
        for resource, values in managers.configurations.configs.items():
            found = tuple((key, values[key]) for key in KEYS if key in values)
            if found:
                self._configs[resource.type, resource.name] = found

    def read(
        self, topic: str, partition: PartitionRegistration | None, brokers: Sequence[int], names: Mapping[int, Any] = {}
    ) -> OnePartition:
        """Return the state of a partition, its brokers being numbered in this order.

        `names` has the names of directories by broker and id where they are not to be those of the replica and of one
        other.
        """
        numbers = {one: at for at, one in enumerate(brokers, 1)}
        places = {one: names[one] if one in names else self._names(one, partition) for one in brokers}
        roles = tuple(self._role(one, places[one]) for one in brokers)
        configs = [(m.BROKER_RESOURCE, "", *each) for each in self._configs.get((m.BROKER_RESOURCE, ""), ())]
        for one in brokers:
            each = self._configs.get((m.BROKER_RESOURCE, str(one)), ())
            configs += [(m.BROKER_RESOURCE, str(numbers[one]), *pair) for pair in each]
        configs += [(m.TOPIC_RESOURCE, TOPIC, *pair) for pair in self._configs.get((m.TOPIC_RESOURCE, topic), ())]
        return OnePartition(
            roles, None if partition is None else _renamed(partition, numbers, places), tuple(configs), self.levels
        )

    def _names(self, broker: int, partition: PartitionRegistration | None) -> dict[str, str]:
        """Return the names of a broker's directories by their ids."""
        registration = self.registrations.get(broker)
        known = () if registration is None else registration.directories
        own = partition.directory(broker) if partition is not None and broker in partition.replicas else ""
        names = {own: OWN} if own in known else {own: FAILED} if own and own not in _RESERVED_NAMES else {}
        free = [name for name in (OWN, OTHER) if name not in names.values()]
        rest = [one for one in known if one not in names]
        rest.sort(key=lambda one: (broker, one) != self.leaves)
        return names | dict(zip(rest, free, strict=False))

    def _role(self, broker: int, names: Mapping[str, str]) -> Role:
        registration, process = self.registrations.get(broker), self.processes.get(broker)
        runs, behind = (False, False) if process is None else (process.runs, process.behind)
        if registration is None:
            return Role(registered=False, fenced=True, directories=(), runs=runs)
        cordoned = registration.cordoned_directories
        return Role(
            True,
            registration.fenced,
            registration.in_controlled_shutdown,
            tuple(sorted(names[one] for one in registration.directories if one in names)),
            None if cordoned is None else tuple(sorted(names[one] for one in cordoned if one in names)),
            runs,
            process is not None and process.clean_epoch >= 0,
            behind,
            registration.features,
        )


def _renamed(
    partition: PartitionRegistration, numbers: Mapping[int, int], places: Mapping[int, Mapping[str, str]]
) -> PartitionRegistration:
    def these(brokers: Sequence[int], ordered: bool = False) -> tuple[int, ...]:
        found = tuple(numbers[one] for one in brokers if one in numbers)
        return found if ordered else tuple(sorted(found))

    return PartitionRegistration(
        replicas=these(partition.replicas, ordered=True),
        directories=tuple(
            _RESERVED_NAMES.get(place) or places[one].get(place, FAILED)
            for one, place in zip(partition.replicas, partition.directories, strict=True)
        ),
        isr=these(partition.isr),
        removing_replicas=these(partition.removing_replicas),
        adding_replicas=these(partition.adding_replicas),
        elr=these(partition.elr),
        last_known_elr=these(partition.last_known_elr),
        leader=numbers.get(partition.leader, NO_LEADER),
        leader_recovery_state=partition.leader_recovery_state,
    )


# -- as a cluster ------------------------------------------------------------------------------------------------------
def scenario_of(one: OnePartition, settings: Settings) -> Scenario:
    """Return a cluster with nothing but a partition and its brokers, whose sessions begin now."""
    machine = Machine(settings, (), 0)
    end = 100
    begin(machine, tuple(_messages(one)), end, 1)
    machine.lead()
    scenario = Scenario(machine, dead=[id for id, role in enumerate(one.roles, 1) if not role.runs])
    brokers = scenario.brokers
    for id, role in enumerate(one.roles, 1):
        for name in (OWN, OTHER, FAILED):
            brokers.directory(id, name)
        process = brokers.process(id)
        process.runs, process.behind = role.runs, role.behind
        process.clean_epoch = process.epoch if role.clean else -1
        if role.features:
            process.features = role.features
    return scenario


def state_of(scenario: Scenario, brokers: int) -> OnePartition:
    """Return the state of the partition of a cluster with so many brokers."""
    reader = Reader(scenario)
    names = {id: {directory_id(id, name): name for name in (OWN, OTHER, FAILED)} for id in range(1, brokers + 1)}
    partition = scenario.machine.controller.managers.replication.partitions.get((TOPIC_ID, 0))
    found = reader.read(TOPIC, partition, range(1, brokers + 1), names)
    roles = tuple(
        replace(role, behind=role.behind and partition is not None and id not in partition.isr)
        for id, role in enumerate(found.roles, 1)
    )
    return replace(found, roles=roles)


def _messages(one: OnePartition) -> Iterator[Message]:
    levels = dict(one.levels)
    level = levels[METADATA_VERSION]
    for name, value in one.levels:
        yield Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": value})
    for id, role in enumerate(one.roles, 1):
        if role.registered:
            yield BrokerRegistration(
                id=id,
                epoch=_EPOCH + id,
                incarnation_id=directory_id(id, "d50"),
                listeners=(m.Endpoint("PLAINTEXT", f"broker-{id}", 9092, 0),),
                features=role.features,
                rack=None,
                fenced=role.fenced,
                in_controlled_shutdown=role.leaving,
                directories=tuple(sorted(directory_id(id, name) for name in role.directories)),
                cordoned_directories=None
                if role.cordoned is None or level < CORDONED_DIRECTORIES
                else tuple(directory_id(id, name) for name in role.cordoned),
            ).to_record(level)
    yield Message(TOPIC_RECORD, 0, {"name": TOPIC, "topicId": TOPIC_ID})
    if one.partition is not None:
        places = tuple(
            RESERVED.get(name) or directory_id(id, name)
            for id, name in zip(one.partition.replicas, one.partition.directories, strict=True)
        )
        partition = replace(one.partition, directories=places if level >= DIRECTORIES else one.partition.directories)
        yield partition.to_record(TOPIC_ID, 0, level, levels.get(ELR_VERSION, 0) >= 1)
    for kind, resource, key, setting in one.configs:
        yield config_record(m.ConfigResource(kind, resource), key, setting)
