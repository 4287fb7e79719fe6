"""A real controller's requests put to this one: same answers, same records, but for what was chosen at random.

The state is the log's, record by record, so that each difference is independent of earlier ones. What the real
controller wrote by itself between two requests (periodic tasks, its activation) is replayed from the log. An id that
was drawn, and where replicas were placed, are taken from the log once it is sure that the reference would have drawn
something of that kind.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import SUPPORTED_FEATURES
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry
from fencepost.traces import ControlRecord, MetadataLog, Record
from fencepost.traces import events as e
from fencepost.traces.record_types import LEADER_CHANGE

from .answered_events import answered_event
from .recorded_differences import Difference, differences_of
from .recorded_requests import Known, request_of

MILLISECOND = 1_000_000
CLUSTER = "recorded"
TOLERANCE = 0.2
"""The part of the session timeout by which the times of a trace may be wrong: the controller did not note them."""

DRAWS = 30
"""So often the replicas of new partitions are drawn: whether the request is refused may hang on the lot too."""

_LEADER = "LeaderChange"
_CHANGE, _FENCING = "PARTITION_CHANGE_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD"
_TRANSACTION = ("BEGIN_TRANSACTION_RECORD", "END_TRANSACTION_RECORD", "ABORT_TRANSACTION_RECORD")
_NEW_TOPIC, _NEW_PARTITION, _REGISTRATION = "TOPIC_RECORD", "PARTITION_RECORD", "REGISTER_BROKER_RECORD"

_VALIDATES = (
    m.CreateTopicsRequest,
    m.CreatePartitionsRequest,
    m.IncrementalAlterConfigsRequest,
    m.LegacyAlterConfigsRequest,
    m.UpdateFeaturesRequest,
)


@dataclass(frozen=True, slots=True)
class LogRecord:
    """A record of the real controller's log; `message` is None where a leader's epoch begins, time in milliseconds."""

    offset: int
    time_ms: int
    message: Message | None


def log_records(log: MetadataLog) -> Iterator[LogRecord]:
    """Yield the records of a log as the reference reads them: metadata, and where a leader's epoch begins."""
    for batch in log.batches:
        for record in batch.records:
            if isinstance(record, Record):
                yield LogRecord(record.offset, record.timestamp, Message(record.type, record.version, record.data))
            elif isinstance(record, ControlRecord) and record.type == LEADER_CHANGE:
                yield LogRecord(record.offset, record.timestamp, None)


@dataclass(slots=True)
class Replayed:
    """The result of replaying an event.

    `requests` counts those that were put, by kind, `inactive` those that reached no active controller, `expired` those
    whose deadline passed before their turn came, `unknown` those that the reference does not know. `written` records
    are the requests', `injected` ones, by type, the log's.
    """

    requests: dict[str, int] = field(default_factory=dict)
    inactive: int = 0
    expired: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    written: int = 0
    injected: dict[str, int] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Try:
    """A request put to the managers at one place: its answer as an event, and what it would write there."""

    event: e.Event
    records: tuple[Message, ...]
    shuts_down: int | None
    differences: tuple[Difference, ...]


class RecordedController:
    """The managers of an active controller along a recorded log."""

    def __init__(self, log: Sequence[LogRecord], settings: Settings) -> None:
        self.log, self.settings = log, settings
        self.managers = Managers(SnapshotRegistry(), CLUSTER, settings, random.Random(0), ())
        self.place = 0
        self.active = True
        self.out = Replayed()
        self._operations = {request: operation for request, (_, operation) in self.managers.operations().items()}

    # -- the log ---------------------------------------------------------------------------------------------------
    @property
    def offset(self) -> int:
        """The offset of the next record; at the end of the log the one behind its last."""
        if self.place < len(self.log):
            return self.log[self.place].offset
        return self.log[-1].offset + 1 if self.log else 0

    def _result(self) -> int:
        """Return how many records here are one result that no request asked for: partitions and a fence."""
        for number, message in enumerate(self._upcoming(), 1):
            if message.type == _FENCING and message.data.get("fenced") == 1:
                return number
            if message.type != _CHANGE:
                return 1
        return 1

    def _inject(self) -> None:
        """Replay the next record, which no request wrote."""
        record = self.log[self.place]
        kind = _LEADER if record.message is None else record.message.type
        self.out.injected[kind] = self.out.injected.get(kind, 0) + 1
        if record.message is None:
            self.active = True
            self.managers.cluster.deactivate()
            self.managers.cluster.activate(record.time_ms * MILLISECOND)
        else:
            self._silent(record.message, record.time_ms * MILLISECOND)
        self._replay()

    def _silent(self, message: Message, now_ns: int) -> None:
        """A broker that the controller fences by itself has been silent, and its contact is forgotten with it."""
        cluster = self.managers.cluster
        if message.type == _FENCING and message.data.get("fenced") == 1:
            session = message.data["brokerId"], message.data["brokerEpoch"]
            if cluster.tracker is not None and session in cluster.tracker.contacts:
                del cluster.tracker.contacts[session]

    def _replay(self) -> None:
        record = self.log[self.place]
        if record.message is not None and record.message.type not in _TRANSACTION:
            self.managers.replay(record.message, record.offset)
        self.place += 1

    # -- requests --------------------------------------------------------------------------------------------------
    def put_all(self, events: Sequence[e.Event]) -> Replayed:
        """Put the requests of a trace one after the other, and return what came of it."""
        end = self.log[-1].offset + 1 if self.log else 0
        for event, following in zip(events, [*(one.log_end for one in events[1:]), end], strict=True):
            self.put(event, max(event.log_end, following))
        return self.out

    def put(self, event: e.Event, upper: int) -> None:
        """Put a request; the next one was sent when the log ended at `upper`."""
        while self.offset < event.log_end and self.place < len(self.log):
            for _ in range(self._result()):
                self._inject()
        if event.error == Errors.NOT_CONTROLLER.name and not (self.active and self._claimed(event.log_end)):
            self.out.inactive += 1
            return
        if event.error == Errors.REQUEST_TIMED_OUT.name:
            # It never ran; a heartbeat was noted when it arrived.
            self.out.expired += 1
            if isinstance(event, e.BrokerHeartbeat):
                self.managers.cluster.track(event.broker, event.broker_epoch, event.t_ms * MILLISECOND)
            return
        if request_of(event, self._known(event)) is None:
            self.out.unknown[event.request] = self.out.unknown.get(event.request, 0) + 1
            return
        self.out.requests[event.request] = self.out.requests.get(event.request, 0) + 1
        first: _Try | None = None
        while True:
            found, tried = self._here(event)
            first = _better(first, tried)
            if found is not None:
                self._take(found)
                break
            if self.offset >= upper or self.place >= len(self.log):
                assert first is not None
                self.out.differences += first.differences
                break
            for _ in range(self._result()):
                self._inject()
        if event.error == Errors.UNKNOWN_SERVER_ERROR.name:
            self.active = False

    def _claimed(self, log_end: int) -> bool:
        """Whether a record in front of an offset shows that the controller had taken over after its epoch began.

        Until then it may answer that it is not active.
        """
        shown = next((one for one in reversed(self.log[: self.place]) if one.offset < log_end), None)
        return shown is None or shown.message is not None

    def _here(self, event: e.Event) -> tuple[_Try | None, _Try]:
        """Try an event at this place; return what fits, and the first that was tried."""
        first: _Try | None = None
        for now in self._times(event):
            for request in self._requests(event):
                one = self._try(event, request, now)
                if not one.differences:
                    return one, one
                first = _better(first, one)
        assert first is not None
        return None, first

    def _times(self, event: e.Event) -> Iterator[int]:
        """The time of a request, and how far off it may be."""
        now = event.t_ms * MILLISECOND
        yield now
        if isinstance(event, e.BrokerRegistration):
            wrong = int(self.settings.broker_session_timeout_ms * TOLERANCE * MILLISECOND)
            yield now - wrong
            yield now + wrong

    def _known(self, event: e.Event) -> Known:
        topic_ids = dict(self.managers.replication.topic_ids.items())
        if isinstance(event, e.BrokerRegistration):
            for record in self.log[self.place :]:
                message = record.message
                if message is not None and message.type == _REGISTRATION and message.data["brokerId"] == event.broker:
                    return Known(CLUSTER, topic_ids, *_told(message.data))
        supported = tuple(m.FeatureRange(name, *levels) for name, levels in SUPPORTED_FEATURES.items())
        return Known(CLUSTER, topic_ids, supported)

    def _requests(self, event: e.Event) -> Iterator[m.Request]:
        """Yield requests that an event may represent: the requested number of partitions is not always recorded."""
        if isinstance(event, e.CreatePartitions) and event.count is None:
            replication = self.managers.replication
            topic_id = replication.topic_ids.get(event.name)
            topic = None if topic_id is None else replication.topics.get(topic_id)
            own = 0 if topic is None else len(topic.partitions)
            added = len(self._placed(event.name)) if event.assignment is None else len(event.assignment)
            for count in dict.fromkeys((own + added, own, own + 1)):
                asked = m.PartitionsRequest(event.name, count, event.assignment)
                yield from [m.CreatePartitionsRequest(topics=(asked,))] * (DRAWS if event.assignment is None else 1)
            return
        request = request_of(event, self._known(event))
        assert request is not None
        drawn = isinstance(event, (e.CreateTopics, e.CreatePartitions)) and event.assignment is None
        yield from [request] * (DRAWS if drawn else 1)

    def _try(self, event: e.Event, request: m.Request, now: int) -> _Try:
        """Compute what a request would do here; nothing changes."""
        cluster = self.managers.cluster
        heartbeats = copy.deepcopy(cluster.heartbeats)
        kept = cluster.heartbeats
        cluster.heartbeats = heartbeats
        try:
            answer, records, error = self._compute(request, now)
        finally:
            cluster.heartbeats = kept
        if answer is not None and event.error == Errors.NONE.name:
            answer, records = self._placed_as_recorded(request, answer, records)
        records = self._with_ids(records)
        common = {"line": event.line, "t_ms": event.t_ms, "log_end": event.log_end, "error": error.name}
        said = answered_event(_meant(request), answer, common, cluster)
        if isinstance(event, e.DeleteTopics) and event.topic_id is None and said.error == Errors.UNKNOWN_TOPIC_ID.name:
            # A name is looked up before the controller is asked.
            said = replace(said, error=Errors.UNKNOWN_TOPIC_OR_PARTITION.name)
        differences = tuple(differences_of(event, said, records, self._upcoming()))
        shuts_down = None
        if isinstance(answer, m.BrokerHeartbeatResponse) and answer.in_controlled_shutdown:
            shuts_down = event.broker if isinstance(event, e.BrokerHeartbeat) else None
        return _Try(said, records, shuts_down, differences)

    def _compute(self, request: m.Request, now: int) -> tuple[Any, tuple[Message, ...], Errors]:
        try:
            result = self._run(request, now)
        except ApiError as refusal:
            return None, (), refusal.error
        except Exception:
            return None, (), Errors.UNKNOWN_SERVER_ERROR
        return result.response, result.records, Errors.NONE

    def _run(self, request: m.Request, now: int) -> ControllerResult[Any]:
        cluster, replication = self.managers.cluster, self.managers.replication
        if isinstance(request, m.BrokerRegistrationRequest):
            return cluster.register(request, self.offset, now, replication.cleanup)
        if isinstance(request, m.BrokerHeartbeatRequest):
            cluster.track(request.broker_id, request.broker_epoch, now)
            return replication.process_heartbeat(request, cluster.registration_offsets.get(request.broker_id))
        return self._operations[type(request)](request)

    # -- what was chosen at random -------------------------------------------------------------------------------------
    def _upcoming(self) -> Iterator[Message]:
        for record in self.log[self.place :]:
            if record.message is None:
                return
            yield record.message

    def _placed(self, name: str) -> list[tuple[int, ...]]:
        """Where the next records put new partitions of a topic."""
        topic_id, found = self.managers.replication.topic_ids.get(name), list[tuple[int, ...]]()
        for message in self._upcoming():
            if message.type == _NEW_TOPIC and not found and message.data["name"] == name:
                topic_id = message.data["topicId"]
            elif message.type == _NEW_PARTITION and message.data["topicId"] == topic_id:
                found.append(tuple(message.data["replicas"]))
            elif found or message.type not in ("CONFIG_RECORD", "CLEAR_ELR_RECORD"):
                break
        return found

    def _placed_as_recorded(
        self, request: m.Request, answer: Any, records: tuple[Message, ...]
    ) -> tuple[Any, tuple[Message, ...]]:
        """Ask again with the replicas as the log has them, where the controller may place them and placed as many."""
        again: m.Request | None = None
        if isinstance(request, m.CreateTopicsRequest) and not request.topics[0].assignments:
            topic = request.topics[0]
            found = self._placed(topic.name)
            assigned = m.TopicRequest(topic.name, m.AUTO, m.AUTO, tuple(enumerate(found)), topic.configs)
            again = m.CreateTopicsRequest(topics=(assigned,))
        elif isinstance(request, m.CreatePartitionsRequest) and request.topics[0].assignments is None:
            grown = request.topics[0]
            found = self._placed(grown.name)
            again = m.CreatePartitionsRequest(topics=(m.PartitionsRequest(grown.name, grown.count, tuple(found)),))
        else:
            return answer, records
        ours = [one.data["replicas"] for one in records if one.type == _NEW_PARTITION]
        if not found or list(map(len, ours)) != list(map(len, found)):
            return answer, records
        placed, more, error = self._compute(again, 0)
        return (placed, more) if error is Errors.NONE else (answer, records)

    def _with_ids(self, records: tuple[Message, ...]) -> tuple[Message, ...]:
        """Give new topics the ids that the log has for their names here."""
        drawn: dict[str, str] = {}
        for ours, theirs in zip(records, self._upcoming(), strict=False):
            if ours.type == theirs.type == _NEW_TOPIC and ours.data["name"] == theirs.data["name"]:
                drawn[ours.data["topicId"]] = theirs.data["topicId"]
        if not drawn:
            return records
        return tuple(
            one._replace(data={**one.data, "topicId": drawn.get(one.data["topicId"], one.data["topicId"])})
            if "topicId" in one.data
            else one
            for one in records
        )

    # -- going on --------------------------------------------------------------------------------------------------
    def _take(self, found: _Try) -> None:
        """Do what a request does that fits: its records are the log's."""
        event, cluster = found.event, self.managers.cluster
        now = event.t_ms * MILLISECOND
        if isinstance(event, e.BrokerHeartbeat | e.BrokerRegistration):
            # Once more, and this time for good: it leaves its mark on soft state before its records are replayed.
            request = request_of(event, self._known(event))
            assert request is not None
            self._compute(request, now)
        for _ in found.records:
            self._replay()
        self.out.written += len(found.records)
        if found.shuts_down is not None:
            cluster.active_heartbeats().begin_controlled_shutdown(found.shuts_down, self.offset - 1)


def _meant(request: m.Request) -> m.Request:
    """A request that only validates is answered as the one that it validates."""
    if isinstance(request, _VALIDATES) and request.validate_only:
        return replace(request, validate_only=False)
    return request


def _told(data: Mapping[str, Any]) -> tuple[tuple[m.FeatureRange, ...], tuple[m.Endpoint, ...], str | None]:
    """Return a broker's data of its registration, in the order of its record."""
    features = [
        m.FeatureRange(one["name"], one["minSupportedVersion"], one["maxSupportedVersion"]) for one in data["features"]
    ]
    listeners = [
        m.Endpoint(one["name"], one["host"], one["port"], one["securityProtocol"]) for one in data["endPoints"]
    ]
    return tuple(features), tuple(listeners), data.get("rack")


def _better(one: _Try | None, other: _Try) -> _Try:
    """Return the attempt with fewer differences, the earlier of two that have as many."""
    return other if one is None or len(other.differences) < len(one.differences) else one
