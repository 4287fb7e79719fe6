"""Checks what brokers did with the requests of controllers, by their own lines: epochs first, then leader epochs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.zk.outcomes import Error
from fencepost.traces.zk import Entry, TopicPartition
from fencepost.traces.zk.broker_lines import (
    FollowerStarted,
    LeaderAndIsrFinished,
    LeaderAndIsrHandling,
    LeaderAndIsrIgnored,
    LeaderAndIsrReceived,
    LeaderCached,
    LeaderStarted,
    MetadataUpdated,
    PartitionForgotten,
    StaleLeaderAndIsr,
    StaleStopReplica,
    StaleUpdateMetadata,
    StopReplicaHandling,
    StopReplicaIgnored,
    StopReplicaReceived,
    TransitionStarted,
)
from fencepost.traces.zk.broker_problems import (
    BecomeFollowerFailed,
    BecomeLeaderFailed,
    LeaderUnavailable,
    MakeFollowerSkipped,
    MakeLeaderSkipped,
    StorageFailed,
)
from fencepost.traces.zk.values import OfflineDirectory, OlderLeaderEpoch, SameLeaderEpoch, StopReplicaPartitionState

from .checker import RecordingChecker
from .known import CellValue, Term
from .leaderships import Leadership, Leaderships
from .lines import place_of
from .observations import Observation
from .requests import DELETING, disagree, not_newer
from .term_lines import TermLines

_STORAGE = frozenset({Error.KAFKA_STORAGE_ERROR})
_FAILED = frozenset({Error.UNKNOWN_SERVER_ERROR})


@dataclass(slots=True)
class BrokerRequest:
    """A request while its lines are read: its sender, its content for each partition, and the outcome of that.

    `count` is how many partitions its first line says, None where that is not logged. `begun` are the partitions that a
    line says became led or followed, `failed` those that an exception is said to have kept from being led, `broke` the
    last line that reports an exception, `offline` the partitions in a lost directory, `skipped` those that were left
    out for an exception.
    """

    kind: str
    entry: Entry
    last: Entry
    controller: int
    correlation_id: int
    count: int | None = None
    epoch: int | None = None
    received: dict[TopicPartition, tuple[Entry, Any]] = field(default_factory=dict)
    answers: dict[TopicPartition, tuple[Entry, frozenset[Error] | None, list[CellValue]]] = field(default_factory=dict)
    unavailable: set[TopicPartition] = field(default_factory=set)
    begun: set[TopicPartition] = field(default_factory=set)
    failed: set[TopicPartition] = field(default_factory=set)
    broke: Entry | None = None
    offline: set[TopicPartition] = field(default_factory=set)
    skipped: set[TopicPartition] = field(default_factory=set)
    stale: Entry | None = None
    lines: int = 0


_OFFLINE = {"LeaderAndIsr": "LeaderAndIsrOffline", "StopReplica": "StopReplicaOffline"}
"""The events of a partition whose directory is lost, by the request that asks for it."""


def unable_to(
    request: BrokerRequest, p: TopicPartition, answers: frozenset[Error] | None
) -> tuple[str, frozenset[Error] | None] | None:
    """Return the event of a partition for which a broker could not do what was asked, and its answer."""
    if p in request.offline:
        return _OFFLINE[request.kind], _STORAGE
    if p in request.begun or request.kind != "LeaderAndIsr":
        return None
    if p in request.skipped:
        # Kafka does not pass the exception on: the answer is NONE, and nothing was done.
        return "LeaderAndIsrFails", None
    if request.broke is not None and answers != frozenset({Error.STALE_CONTROLLER_EPOCH}):
        return "LeaderAndIsrFails", _FAILED
    return None


_NONE = frozenset({Error.NONE})
_NOT_SAID = -1
_STALE = frozenset({Error.STALE_CONTROLLER_EPOCH})


class BrokerJudge:
    """Checks what each broker logged, in the order of its file: its requests are handled one after the other."""

    def __init__(
        self,
        checker: RecordingChecker,
        leaderships: Leaderships,
        sent: set[tuple[Any, ...]],
        terms: Mapping[Term, TermLines],
    ) -> None:
        self.checker, self.leaderships, self.sent = checker, leaderships, sent
        self.traced = {lines.term: lines for lines in terms.values() if lines.traced}
        self.controllers = {term.epoch: term.controller for term in terms}
        self.logs_parts = self.finished = False
        self.caught_up: set[tuple[Term, int]] = set()
        self.shortened: set[tuple[Any, ...]] | None = None
        self.connections: dict[int, tuple[int, int | None, int]] = {}
        self.generation: dict[int, int] = {}
        self.applied_in: dict[tuple[int, TopicPartition], int] = {}

    def run(self, brokers: Mapping[int, Sequence[Entry]]) -> None:
        """Check the lines of every broker."""
        if not self.leaderships.closed:
            self.leaderships.recreated |= _deleted(brokers)
        for broker, entries in brokers.items():
            self.checker.tell([("heard", (broker,), 0)])
            request: BrokerRequest | None = None
            self.logs_parts, self.finished = any(entry.level == "TRACE" for entry in entries), False
            for entry in entries:
                request = self._line(broker, entry, request)
            if request is not None:
                self._finish(broker, request, cut=True)

    # -- lines -----------------------------------------------------------------------------------------------------
    def _line(self, b: int, entry: Entry, request: BrokerRequest | None) -> BrokerRequest | None:
        message: Any = entry.message
        kind = _KINDS.get(type(message))
        if kind is None:
            if isinstance(message, (LeaderStarted, FollowerStarted)):
                self._role(b, entry, message, request)
            elif isinstance(message, (MakeLeaderSkipped, MakeFollowerSkipped)) and request is not None:
                request.skipped.add(message.partition)
            return request
        stale = isinstance(message, (StaleLeaderAndIsr, StaleStopReplica, StaleUpdateMetadata))
        correlation = message.correlation_id
        if request is not None and (request.kind, request.controller, request.correlation_id) != (
            kind,
            message.controller,
            correlation,
        ):
            self._finish(b, request)
            request = None
        if request is not None and isinstance(message, (LeaderAndIsrHandling, StopReplicaHandling)):
            self._finish(b, request)
            request = None
        if request is None:
            request = BrokerRequest(kind, entry, entry, message.controller, correlation)
            self._connection(b, request)
        request.last = entry
        epoch = getattr(message, "controller_epoch", None)
        if epoch is not None:
            self._epoch(b, entry, request, epoch)
        if isinstance(message, (LeaderAndIsrHandling, StopReplicaHandling)):
            request.count = message.partitions
        elif stale:
            request.stale = entry
            self._refused(b, request, entry)
        else:
            self._part(b, entry, request)
        if isinstance(message, (MetadataUpdated, LeaderAndIsrFinished, StaleUpdateMetadata)):
            self._finish(b, request)
            return None
        return request

    def _connection(self, b: int, request: BrokerRequest) -> None:
        """Note a new connection, on which a controller numbers its requests from 0: the broker may be a new process."""
        last = self.connections.get(b)
        now = (request.controller, request.epoch, request.correlation_id)
        # Between two numbers that do not follow are requests that left no line: there may have been a new beginning.
        if last is None or last[0] != now[0] or now[2] != last[2] + 1:
            self.generation[b] = self.generation.get(b, 0) + 1
        self.connections[b] = now

    def _epoch(self, b: int, entry: Entry, request: BrokerRequest, epoch: int) -> None:
        """Check that all lines of a request have one epoch, and the controller of that epoch."""
        if request.epoch is None:
            request.epoch = epoch
            ours = self.controllers.get(epoch)
            if ours is not None and ours != request.controller:
                self.checker.report(
                    "epoch",
                    place_of(entry),
                    f"broker {b}",
                    f"Epoch {epoch} is that of controller {ours}, not {request.controller}.",
                )
        elif epoch != request.epoch:
            self.checker.report(
                "epoch",
                place_of(entry),
                f"broker {b}",
                f"The line says epoch {epoch}, and the request that it belongs to is of epoch {request.epoch}.",
            )

    def _part(self, b: int, entry: Entry, request: BrokerRequest) -> None:
        """A line about one partition of a request."""
        message = entry.message
        match message:
            case LeaderAndIsrReceived():
                state = message.state
                p = TopicPartition(state.topic, state.partition)
                request.lines += 1
                request.received[p] = (entry, state)
                self._was_sent(b, entry, request, p, ("lisr", state))
                self._agrees(entry, p, Leadership.of(state))
                not_newer(self.checker, entry, p, state.controller_epoch, message.controller_epoch)
            case TransitionStarted():
                leads: list[CellValue] = [("leads", (b, message.partition), message.role == "leader")]
                request.answers[message.partition] = (entry, _NONE, leads)
            case LeaderUnavailable():
                request.unavailable.add(message.partition)
            case BecomeLeaderFailed():
                request.failed.add(message.partition)
                request.broke = entry
            case BecomeFollowerFailed() if message.step is None:
                request.broke = entry
            case StorageFailed():
                request.offline.add(message.partition)
            case LeaderAndIsrIgnored():
                known = isinstance(message.reason, (SameLeaderEpoch, OlderLeaderEpoch))
                at: list[CellValue] = []
                if isinstance(message.reason, SameLeaderEpoch):
                    at = [("applied", (b, message.partition), message.reason.requested)]
                request.answers[message.partition] = (entry, _STALE if known else None, at)
                if isinstance(message.reason, OfflineDirectory):
                    request.offline.add(message.partition)
            case StopReplicaReceived():
                p = message.partition
                request.lines += 1
                request.received[p] = (entry, message.state)
                self._was_sent(b, entry, request, p, ("stop", message.state))
            case StopReplicaIgnored():
                known = isinstance(message.reason, (SameLeaderEpoch, OlderLeaderEpoch))
                answer = frozenset({Error.FENCED_LEADER_EPOCH}) if known else None
                request.answers[message.partition] = (entry, answer, [])
                if isinstance(message.reason, OfflineDirectory):
                    request.offline.add(message.partition)
            case LeaderCached():
                request.lines += 1
                cached = message.state
                if cached.leader != DELETING:
                    self._agrees(entry, message.partition, Leadership.of(cached))
                    not_newer(self.checker, entry, message.partition, cached.controller_epoch, message.controller_epoch)
            case PartitionForgotten():
                request.lines += 1
            case MetadataUpdated():
                request.count = message.added + message.deleted
            case _:
                pass

    def _was_sent(self, b: int, entry: Entry, request: BrokerRequest, p: TopicPartition, what: tuple[str, Any]) -> None:
        if request.epoch is None:
            return
        c = Term(request.controller, request.epoch)
        key = (what[0], c, b, what[1]) if what[0] == "lisr" else (what[0], c, b, p, what[1])
        if c not in self.traced or key in self.sent or self._sent_in_full(key):
            self.caught_up.add((c, b))
            return
        # Requests of a controller arrive in order, however late: one that its log says ends what may be in front of it.
        behind = self.traced[c].cut and (c, b) not in self.caught_up
        if behind or self.traced[c].is_outside(entry.time_ms):
            self.checker.inferred["requests sent where no log reaches"] += 1
        else:
            self.checker.report(
                "gap",
                place_of(entry),
                f"partition {p}",
                f"No line of controller {c} says that this was sent to broker {b}: a line is missing or altered.",
            )

    def _sent_in_full(self, key: tuple[Any, ...]) -> bool:
        """Whether a request was sent that says what this one does, and more than an older version of it can carry."""
        state = key[-1]
        if self.shortened is None:
            self.shortened = {(*others, _shortened(whole)) for *others, whole in self.sent}
        return state == _shortened(state) and key in self.shortened

    def _agrees(self, entry: Entry, p: TopicPartition, told: Leadership) -> None:
        other = self.leaderships.agrees(p, told)
        if other is not None:
            disagree(self.checker, entry, p, told, other)

    def _role(
        self, b: int, entry: Entry, message: LeaderStarted | FollowerStarted, request: BrokerRequest | None
    ) -> None:
        """A broker begins to lead or follow: in a leader epoch, from a partition epoch."""
        p = message.partition
        if isinstance(message, LeaderStarted):
            told = Leadership(b, message.isr, message.leader_epoch, message.partition_epoch)
            self._agrees(entry, p, told)
        received = None if request is None else request.received.get(p)
        if request is not None:
            request.begun.add(p)
        if received is not None:
            state = received[1]
            says = (message.leader_epoch, message.partition_epoch)
            if says != (state.leader_epoch, state.partition_epoch):
                self.checker.report(
                    UNEXPLAINED,
                    place_of(entry),
                    f"partition {p}",
                    f"The request says leader epoch {state.leader_epoch} and version {state.partition_epoch}, the line "
                    f"{says[0]} and {says[1]}.",
                )
        elif request is not None and request.epoch is not None and not request.received:
            leads: list[CellValue] = [("leads", (b, p), isinstance(message, LeaderStarted))]
            request.answers[p] = (entry, _NONE, leads)
            request.received[p] = (entry, message)

    # -- events ----------------------------------------------------------------------------------------------------
    def _finish(self, b: int, request: BrokerRequest, cut: bool = False) -> None:
        """Check a request whose last line was read."""
        found = request.lines
        whole = request.count is None or found == request.count or cut or request.stale is not None
        if not whole and request.kind == "UpdateMetadata" and not self.finished:
            # Lines in front of the end of the first request may be gone with an older file.
            whole = found < (request.count or 0)
        self.finished = True
        if not whole and self.logs_parts:
            self.checker.report(
                "gap",
                place_of(request.last),
                f"broker {b}",
                f"The request is said to be about {request.count} partitions, and {found} lines report one: a line is "
                "missing, or there is one too many.",
            )
        if request.epoch is None or request.stale is not None:
            return
        c = Term(request.controller, request.epoch)
        if request.failed:
            self._failed_together(request, cut)
        if request.kind == "UpdateMetadata":
            if request.count is not None:
                self._event(b, request.entry, "UpdateMetadata", {"c": c, "b": b}, f"broker {b}", _NONE, c)
            return
        for p, (entry, state) in request.received.items():
            self._judge_part(b, request, c, p, entry, state, cut)

    def _failed_together(self, request: BrokerRequest, cut: bool) -> None:
        """An exception while partitions are to be led ends that for all of them: each has a line."""
        began = {p for p, (one, _, _) in request.answers.items() if isinstance(one.message, TransitionStarted)}
        led = {p for p in began if getattr(request.answers[p][0].message, "role", "") == "leader"}
        whole = request.count is not None and not cut and self.logs_parts
        if whole and led != request.failed and request.broke is not None:
            self.checker.report(
                "gap",
                place_of(request.broke),
                f"controller {request.controller}",
                f"{len(led)} partitions were to be led, and {len(request.failed)} lines say that this failed: a line "
                "is missing, or there is one too many.",
            )

    def _judge_part(
        self, b: int, request: BrokerRequest, c: Term, p: TopicPartition, entry: Entry, state: Any, cut: bool
    ) -> None:
        told, answers, after = request.answers.get(p, (entry, None, []))
        unable = unable_to(request, p, answers)
        if unable is not None:
            event, said = unable
            if event.startswith("StopReplica") and state.delete:
                event = "StopReplicaDeleteOffline"
            at: list[CellValue] = [
                ("cached_leader_epoch", (c, p), state.leader_epoch if state.leader_epoch >= 0 else UNKNOWN)
            ]
            # What fails to begin at the first leader epoch was at none.
            none: list[CellValue] = (
                [("applied", (b, p), -1)] if (event, state.leader_epoch) == ("LeaderAndIsrFails", 0) else []
            )
            self._event(b, told, event, {"c": c, "b": b, "p": p}, f"partition {p}", said, c, none, at)
            self.applied_in[b, p] = self.generation.get(b, 0)
            return
        epoch = state.leader_epoch
        brought: list[CellValue] = [("cached_leader_epoch", (c, p), epoch if epoch >= 0 else UNKNOWN)]
        params = {"c": c, "b": b, "p": p}
        if request.kind == "LeaderAndIsr":
            if answers is None and p in request.answers:
                # A failed directory, or a replica that is none: the tables know of neither.
                return
            leader = getattr(state, "leader", b)
            brought.append(("cached_leader", (c, p), None if leader < 0 else leader))
            if answers == _NONE and cut and leader < 0 and p not in request.unavailable:
                # That the leader is not available is said by a line that may be behind the end of the log.
                after = []
            elif answers == _NONE and p not in request.unavailable:
                after = [*after, ("applied", (b, p), epoch)]
                brought.append(("sees", (b,), frozenset({leader})))
            elif answers == _NONE:
                after = []
                brought.append(("sees", (b,), frozenset()))
            self._event(b, told, "LeaderAndIsr", params, f"partition {p}", answers, c, after, brought)
        else:
            if p in request.answers and answers is None:
                return
            brought = [("stop_epoch", (c, p, b), epoch)]
            event = "StopReplicaDelete" if state.delete else "StopReplica"
            self._event(b, told, event, params, f"partition {p}", _NONE if answers is None else answers, c, [], brought)
        self.applied_in[b, p] = self.generation.get(b, 0)

    def _event(
        self,
        b: int,
        entry: Entry,
        event: str,
        params: dict[str, Any],
        entity: str,
        answers: frozenset[Error] | None,
        c: Term,
        after: Sequence[CellValue] = (),
        brought: Sequence[CellValue] = (),
    ) -> None:
        worlds = None
        p = params.get("p")
        if p is not None and self.applied_in.get((b, p), 0) < self.generation.get(b, 0):
            # The controller has connected anew: the broker may be a new process, which has applied nothing.
            fresh: list[list[CellValue]] = [[("applied", (b, p), -1)], [("applied", (b, p), UNKNOWN)]]
            worlds = lambda: fresh  # noqa: E731
        self.checker.explain(
            Observation(
                event,
                params,
                place_of(entry),
                entity if entity.startswith("broker") else f"{entity} on broker {b}",
                answers,
                after=[*after, ("heard", (b,), c.epoch)],
                brought=[("own_epoch", (c,), c.epoch), *brought],
                worlds=worlds,
                about=((b, p),) if p else (),
            )
        )

    def _refused(self, b: int, request: BrokerRequest, entry: Entry) -> None:
        """A request of an old controller: what the broker says to know must be what it heard."""
        message: Any = entry.message
        c = Term(message.controller, message.controller_epoch)
        params: dict[str, Any] = {"c": c, "b": b}
        if request.kind != "UpdateMetadata":
            p = next(iter(request.received), None)
            if p is not None:
                params["p"] = p
        event = "StopReplica" if request.kind == "StopReplica" else request.kind
        known: CellValue = ("heard", (b,), message.known_epoch)
        heard = self.checker.state.value("heard", b)
        if heard is not UNKNOWN and heard < message.known_epoch:
            # A request without partitions is not logged.
            self.checker.tell([known])
            self.checker.inferred["heard"] += 1
        self.checker.explain(
            Observation(
                event,
                params,
                place_of(entry),
                f"broker {b}",
                _STALE,
                before=[known],
                after=[known],
                brought=[("own_epoch", (c,), c.epoch)],
            )
        )


def _shortened(state: Any) -> Any:
    """Return what brokers below 2.6 and 2.4 say of a partition in a StopReplica and a LeaderAndIsr."""
    if isinstance(state, StopReplicaPartitionState):
        return replace(state, leader_epoch=_NOT_SAID)
    return replace(state, adding=(), removing=())


def _deleted(brokers: Mapping[int, Sequence[Entry]]) -> set[TopicPartition]:
    """Return the partitions whose topic was deleted, as brokers report: a topic of the name may have come after it."""
    found = set[TopicPartition]()
    ids: dict[TopicPartition, str | None] = {}
    for message in (entry.message for entries in brokers.values() for entry in entries):
        match message:
            case PartitionForgotten():
                found.add(message.partition)
            case StopReplicaReceived() if message.state.leader_epoch == DELETING:
                found.add(message.partition)
            case LeaderStarted() if ids.setdefault(message.partition, message.topic_id) != message.topic_id:
                found.add(message.partition)
            case _:
                pass
    return found


_KINDS: dict[type, str] = {
    LeaderAndIsrHandling: "LeaderAndIsr",
    LeaderAndIsrReceived: "LeaderAndIsr",
    LeaderAndIsrIgnored: "LeaderAndIsr",
    LeaderAndIsrFinished: "LeaderAndIsr",
    TransitionStarted: "LeaderAndIsr",
    LeaderUnavailable: "LeaderAndIsr",
    BecomeLeaderFailed: "LeaderAndIsr",
    BecomeFollowerFailed: "LeaderAndIsr",
    StorageFailed: "LeaderAndIsr",
    StaleLeaderAndIsr: "LeaderAndIsr",
    StopReplicaHandling: "StopReplica",
    StopReplicaReceived: "StopReplica",
    StopReplicaIgnored: "StopReplica",
    StaleStopReplica: "StopReplica",
    LeaderCached: "UpdateMetadata",
    PartitionForgotten: "UpdateMetadata",
    MetadataUpdated: "UpdateMetadata",
    StaleUpdateMetadata: "UpdateMetadata",
}
"""The request that a line belongs to."""
