"""Words of a report: requests to the controller, its answers, records, and outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.operations.results import Group
from fencepost.checkers.operations.sentences import kinds_of, way
from fencepost.checkers.operations.why import of_broker
from fencepost.model.kraft.state import Recovery
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.partitions import RECOVERING, PartitionRegistration
from fencepost.reference.kraft.controller.registrations import BrokerRegistration
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import NAMES
from fencepost.reference.kraft.records import NO_LEADER, NO_LEADER_CHANGE, Message
from fencepost.traces.in_words import in_words

from . import words as w
from .machine import Done

Named = Callable[[str], str]
"""Gives the name of something by its id."""

_ELECTIONS = {0: "preferred", 1: "unclean"}
_FINE = (Errors.NONE, Errors.ELECTION_NOT_NEEDED, Errors.NEW_LEADER_ELECTED)

_TASKS = {
    "maybeFenceStaleBroker": "a session is over (maybeFenceStaleBroker)",
    "electPreferred": "the periodic balance of leaders (electPreferred)",
    "electUnclean": "the periodic unclean election (electUnclean)",
    "completeActivation": "the controller becomes active (completeActivation)",
    "rewrite": "a record that no controller writes",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request or a part of it: what it is about, empty for all, the error's name, and further words."""

    about: str
    error: str
    says: str = ""

    @property
    def refused(self) -> bool:
        """Whether something was refused."""
        return Errors[self.error] not in _FINE


def doing(steps: Sequence[w.Step], is_now: bool, most: int = 6) -> tuple[str, int | None]:
    """Return steps as the subject of a sentence about their effect, and the broker if they stop or kill only one.

    `is_now` says that they begin with the state of a log.
    """
    if len(steps) > 1:
        more = f", and {len(steps) - most} more steps" if len(steps) > most else ""
        return ", ".join(one.text for one in steps[:most]) + more, None
    (step,) = steps or (w.Show(),)
    now = " now" if is_now else ""
    match step:
        case w.Stop(brokers=brokers):
            return f"stopping {_brokers(brokers)}{now}", brokers[0] if len(brokers) == 1 else None
        case w.Kill(brokers=brokers):
            return f"killing {_brokers(brokers)}{now}", brokers[0] if len(brokers) == 1 else None
        case w.Start(brokers=brokers) if len(step.text.split()) == 2:
            return f"starting {_brokers(brokers)}{now}", None
        case w.Unregister(broker=broker):
            return f"unregistering broker {broker}{now}", broker
    return step.text, None


def _brokers(brokers: Sequence[int]) -> str:
    *first, last = map(str, brokers)
    return f"brokers {', '.join(first)} and {last}" if first else f"broker {last}"


def asked(done: Done, topic: Named, directory: Named) -> str:
    """Return the request to the controller, or its own action."""
    match done.request:
        case m.BrokerRegistrationRequest() as one:
            how = "after a clean shutdown" if one.previous_broker_epoch >= 0 else "without a clean shutdown"
            return f"broker {one.broker_id} registers {how}"
        case m.BrokerHeartbeatRequest() as one:
            wants = [word for word, yes in (("wants to be fenced", one.want_fence),
                                            ("wants to shut down", one.want_shut_down)) if yes]  # fmt: skip
            if one.offline_log_dirs:
                wants.append(f"failed directories {', '.join(map(directory, one.offline_log_dirs))}")
            if one.cordoned_log_dirs is not None:
                wants.append(f"cordoned {', '.join(map(directory, one.cordoned_log_dirs)) or 'none'}")
            return ", ".join([f"heartbeat of broker {one.broker_id}", *wants])
        case m.AlterPartitionRequest() as one:
            parts = [
                f"ISR [{' '.join(str(id) for id, _ in part.new_isr)}] of {topic(part.topic_id)}-{part.partition}"
                for part in one.partitions
            ]
            return f"broker {one.broker_id} proposes {', '.join(parts)}"
        case m.AssignReplicasToDirsRequest() as one:
            places = [f"{topic(id)}-{number} in {directory(place)}" for place, id, number in one.assignments]
            return f"broker {one.broker_id} reports {_several(places)}"
        case m.UnregisterBrokerRequest() as one:
            return f"broker {one.broker_id} is to be unregistered"
        case m.AllocateProducerIdsRequest() as one:
            return f"broker {one.broker_id} asks for producer ids"
    return _of_administrators(done)


def _of_administrators(done: Done) -> str:
    match done.request:
        case m.CreateTopicsRequest() as one:
            return f"create {_several([each.name for each in one.topics])}"
        case m.CreatePartitionsRequest() as one:
            return f"more partitions: {_several([f'{each.name} {each.count}' for each in one.topics])}"
        case m.DeleteTopicsRequest():
            return "delete topics"
        case m.ElectLeadersRequest() as one:
            about = "all" if one.partitions is None else _several([f"{name}-{at}" for name, at in one.partitions])
            return f"elect leaders, {_ELECTIONS[one.election_type]}: {about}"
        case m.AlterPartitionReassignmentsRequest() as one:
            return _several(
                [
                    f"cancel the reassignment of {each.topic}-{each.partition}"
                    if each.replicas is None
                    else f"reassign {each.topic}-{each.partition} to [{' '.join(map(str, each.replicas))}]"
                    for each in one.partitions
                ]
            )
        case m.IncrementalAlterConfigsRequest():
            return "alter configurations"
        case m.UpdateFeaturesRequest() as one:
            return "update " + _several([f"{name} to {_level(name, level)}" for name, level, _ in one.updates])
    return _TASKS.get(done.name, done.name)


def _level(name: str, level: int) -> str:
    return NAMES.get(level, str(level)) if name == "metadata.version" else str(level)


def _several(words: Sequence[str], most: int = 4) -> str:
    more = [f"and {len(words) - most} more"] if len(words) > most else []
    return ", ".join([*words[:most], *more])


# -- answers -----------------------------------------------------------------------------------------------------------
def answers(done: Done, topic: Named) -> tuple[Answer, ...]:
    """Return the answers to an operation, one for each part that has its own; none for a task without error."""
    if done.error is not Errors.NONE:
        return (Answer("", done.error.name, done.fault),)
    match done.response:
        case m.BrokerHeartbeatResponse() as one:
            return (Answer("", Errors.NONE.name, heartbeat_answer(one)),)
        case m.BrokerRegistrationResponse() as one:
            return (Answer("", Errors.NONE.name, f"epoch {one.broker_epoch}"),)
        case dict() as parts:
            return tuple(Answer(topic(id), error.name) for id, error in parts.items())
        case tuple() as parts:
            return tuple(_part(one, topic) for one in parts)
    if isinstance(done.request, m.UpdateFeaturesRequest) and done.response is not None:
        return (Answer("", done.response.error.name),)
    return () if done.request is None else (Answer("", Errors.NONE.name),)


def heartbeat_answer(one: m.BrokerHeartbeatResponse) -> str:
    """Return the state that a heartbeat is answered with, as Kafka's BrokerControlState has it."""
    if one.should_shut_down:
        return "SHUTDOWN_NOW"
    if one.in_controlled_shutdown:
        return "CONTROLLED_SHUTDOWN"
    return "FENCED" if one.is_fenced else "UNFENCED"


def _part(one: Any, topic: Named) -> Answer:
    match one:
        case m.AlterPartitionAnswer():
            return Answer(f"{topic(one.topic_id)}-{one.partition}", one.error.name)
        case m.DirectoryAnswer():
            return Answer(f"{topic(one.topic_id)}-{one.partition}", one.error.name)
        case m.PartitionAnswer():
            return Answer(f"{one.topic}-{one.partition}", one.error.name)
        case m.CreateTopicAnswer():
            return Answer(one.name, one.error.name)
        case m.ResourceAnswer():
            return Answer(one.resource.name or "default", one.error.name)
    return Answer("", getattr(one, "error", Errors.NONE).name)


# -- records -----------------------------------------------------------------------------------------------------------
_LEFT_OUT = frozenset(("partitionId", "topicId", "brokerId", "brokerEpoch", "features", "endPoints", "incarnationId"))
"""Fields that say what a record is about, and those of a registration that are the same in a scenario."""

_DEFAULTS: Mapping[str, Any] = {
    "isMigratingZkBroker": False, "rack": None, "inControlledShutdown": (0, False), "removingReplicas": [],
    "addingReplicas": [], "zkMigrationReady": False,
}  # fmt: skip


def of_record(message: Message, topic: Named, directory: Named) -> tuple[str, dict[str, Any]]:
    """Return what a record is about, and its fields that say a change, directories by their names."""
    data = message.data
    about = ""
    if "topicId" in data:
        about = topic(data["topicId"]) + (f"-{data['partitionId']}" if "partitionId" in data else "")
    elif "brokerId" in data:
        about = f"broker {data['brokerId']}"
    fields: dict[str, Any] = {}
    for name, value in data.items():
        if name in _LEFT_OUT or value is None or _is_default(message.type, name, value):
            continue
        is_place = name in ("directories", "logDirs", "cordonedLogDirs")
        fields[name] = [directory(one) for one in value] if is_place else value
    return about, fields


def _is_default(type: str, name: str, value: Any) -> bool:
    if type == "PARTITION_CHANGE_RECORD":
        return name == "leader" and value == NO_LEADER_CHANGE
    if type == "BROKER_REGISTRATION_CHANGE_RECORD" and name == "fenced":
        return bool(value == 0)
    default = _DEFAULTS.get(name, ...)
    return value in default if isinstance(default, tuple) else bool(value == default)


def record_line(type: str, about: str, fields: Mapping[str, Any]) -> str:
    """Return a record as a line: its type without its suffix, what it is about, the fields that say a change."""
    parts = [f"{name} {_shown(value)}" for name, value in fields.items()]
    name = "".join(word.capitalize() for word in type.removesuffix("_RECORD").split("_"))
    return f"{name}{f' {about}' if about else ''}{': ' if parts else ''}{', '.join(parts)}"


def _shown(value: Any) -> str:
    return f"[{' '.join(map(str, value))}]" if isinstance(value, (list, tuple)) else str(value)


# -- what became of it -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Change:
    old: Any
    new: Any


def of_partition(
    old: PartitionRegistration | None, new: PartitionRegistration | None, directory: Named
) -> tuple[str, bool]:
    """Return what became of a partition in the words of a story, and whether it was elected uncleanly."""
    if new is None:
        return "is deleted", False
    places = {} if old is None else {
        broker: (directory(old.directory(broker)), directory(new.directory(broker)))
        for broker in new.replicas
        if broker in old.replicas and old.directory(broker) != new.directory(broker)
    }  # fmt: skip
    group = Group([("", 0)], [0], _cells(old), _cells(new), places)
    return way(group), "unclean" in set(kinds_of(group))


def _cells(partition: PartitionRegistration | None) -> dict[str, Any]:
    one = partition
    if one is None:
        lists = {"isr": (), "elr": frozenset(), "last_known": frozenset(), "replicas": (), "adding": frozenset(),
                 "removing": frozenset()}  # fmt: skip
        return {"exists": False, "leader": None, "recovery": Recovery.RECOVERED, **lists}
    return {
        "exists": True,
        "leader": None if one.leader == NO_LEADER else one.leader,
        "isr": one.isr,
        "elr": frozenset(one.elr),
        "last_known": frozenset(one.last_known_elr),
        "replicas": one.replicas,
        "adding": frozenset(one.adding_replicas),
        "removing": frozenset(one.removing_replicas),
        "recovery": Recovery.RECOVERING if one.leader_recovery_state == RECOVERING else Recovery.RECOVERED,
    }


_OF_BROKERS = ("registered", "epoch", "incarnation", "fenced", "in_controlled_shutdown")


def of_broker_change(
    broker: int, old: BrokerRegistration | None, new: BrokerRegistration | None, directory: Named
) -> str:
    """Return what became of a broker in the words of a story; empty for nothing."""
    before, after = _broker_cells(old), _broker_cells(new)
    changes = {name: _Change(before[name], after[name]) for name in _OF_BROKERS if before[name] != after[name]}
    parts = [of_broker(changes)] if changes else []
    if old is not None and new is not None and old.epoch == new.epoch:
        if "fenced" in changes and "in_controlled_shutdown" in changes and not new.in_controlled_shutdown:
            parts = [of_broker({"fenced": changes["fenced"]})]
        if old.directories != new.directories:
            parts.append(f"is left with the log directories {', '.join(map(directory, new.directories)) or 'none'}")
        if old.cordoned_directories != new.cordoned_directories:
            names = ", ".join(map(directory, new.cordoned_directories or ())) or "none"
            parts.append(f"has the cordoned log directories {names}")
    return f"broker {broker} {' and '.join(parts)}" if parts else ""


def _broker_cells(one: BrokerRegistration | None) -> dict[str, Any]:
    if one is None:
        return dict.fromkeys(_OF_BROKERS) | {"registered": False}
    return {
        "registered": True,
        "epoch": one.epoch,
        "incarnation": one.incarnation_id,
        "fenced": one.fenced,
        "in_controlled_shutdown": one.in_controlled_shutdown,
    }


def others(records: Sequence[Message]) -> Iterator[str]:
    """Yield in words what records do that are about no partition, no broker's registration and no topic."""
    for one in records:
        if one.type in _TOLD and (text := in_words(one.type, one.data, NAMES)):
            yield text


_TOLD = frozenset(("FEATURE_LEVEL_RECORD", "CONFIG_RECORD", "PRODUCER_IDS_RECORD", "CLEAR_ELR_RECORD"))
"""The types of records that `others` puts into words."""
