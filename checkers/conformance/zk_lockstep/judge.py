"""Lock step: each step of a ZooKeeper-era cluster is run by the rows, and what it did is checked against what they say.

The tables keep a state of their own: ZooKeeper, the memory of every controller, what brokers have applied. A step
names an event and its parameters; between steps the rows that end one call of an operation and begin the next are run,
so that the order of calls is checked too. After a divergence the state is set as the step reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.checkers.conformance.lockstep.whole import Ran
from fencepost.checkers.conformance.zk.names import PARTITION_STATES, REPLICA_STATES
from fencepost.model.language import Protocol
from fencepost.model.zk import ZK
from fencepost.model.zk import state as zk
from fencepost.traces.zk.steps import ZkStep

from .compare import Informed
from .operations import Operations
from .state import STRATEGIES, Partition

_ELECTED: Any = getattr(zk.elected, "state")  # noqa: B009
_OF_CONTROLLERS = frozenset(
    [
        "Begin",
        "End",
        "PartitionState",
        "ReplicaState",
        "Reassignment",
        "AlterPartition",
        "EnqueueTopicDeletion",
        "DeleteTopic",
    ]
)
"""Steps of a controller that name topics; a replaced one may mean topics that were deleted and made again since."""


class ZkLockStep(Operations):
    """The tables beside a running cluster."""

    def __init__(self, protocol: Protocol = ZK) -> None:
        super().__init__(protocol)
        self._informed = Informed(self.rows)
        self._handlers: dict[str, Callable[[ZkStep], None]] = {
            "Start": self._start,
            "SessionExpired": self._session_expired,
            "SessionEstablished": self._start,
            "Crash": self._crash,
            "DeleteController": self._removed,
            "Elect": self._elect,
            "Resign": self._resign,
            "RegisterBroker": self._register,
            "BrokerGone": self._gone,
            "CreateTopic": self._create_topic,
            "CreatePartitions": self._create_partitions,
            "QueueTopicDeletion": self._queue_deletion,
            "Begin": self._begin,
            "End": self._end,
            "PartitionState": self._partition_state,
            "ReplicaState": self._replica_state,
            "Reassignment": self._reassignment,
            "AlterPartition": self._alter_partition,
            "EnqueueTopicDeletion": self._enqueue,
            "DeleteTopic": self._delete_topic,
            "LeaderAndIsr": self._leader_and_isr,
            "StopReplica": self._stop_replica,
            "UpdateMetadata": self._update_metadata,
        }

    # -- one step --------------------------------------------------------------------------------------------------
    def _judge(self, step: ZkStep) -> None:
        self.names.as_they_are()
        self._comparison.forget_requests()
        handler = self._handlers.get(step.name)
        if handler is None:
            self.tally.unjudged[step.name] += 1
            self.tally.adopted.update(self._comparison.drop_unknown_partitions(step))
            self._comparison.adopt(step)
            self._informed.check(step, self._ran)
            return
        if step.name in _OF_CONTROLLERS and self.rows.read(_ELECTED) != step.node:
            self.names.as_known_by(step.node)
        self.tally.adopted.update(self._comparison.drop_unknown_partitions(step))
        handler(step)
        self._comparison.check(step)
        self._informed.check(step, self._ran)

    def _adopt(self, step: ZkStep) -> None:
        self._comparison.adopt(step)
        self._informed.forget(step.node)

    # -- ZooKeeper and processes -----------------------------------------------------------------------------------
    def _start(self, step: ZkStep) -> None:
        node = self.names.broker(step.parameters.get("node", step.node))
        if not self.rows.read(zk.session.state, node):
            self._fire("SessionEstablished", c=node)

    def _session_expired(self, step: ZkStep) -> None:
        node, own = self.names.broker(step.parameters["node"]), step.parameters.get("own", True)
        if not own and self.rows.read(zk.acting.state, node):
            # It was the session of a process that died, and the one that came after it was elected by its own.
            return
        if self.rows.read(zk.session.state, node):
            self._fire("SessionExpired", c=node)
        if not own:
            self._fire("SessionEstablished", c=node)

    def _crash(self, step: ZkStep) -> None:
        node = self.names.broker(step.parameters["node"])
        if self.rows.read(zk.acting.state, node):
            self._fire("Crash", c=node)

    def _elect(self, step: ZkStep) -> None:
        node = self.names.broker(step.parameters["node"])
        if step.outcome:
            if self.rows.read(_ELECTED) is None and step.outcome == "NODEEXISTS":
                raise Diverged("no controller is elected, and the election failed")
            return
        self._fire("Elect", c=node)

    def _removed(self, step: ZkStep) -> None:
        if self.rows.read(_ELECTED) is not None:
            self._fire("DeleteController")

    def _resign(self, step: ZkStep) -> None:
        node = self.names.broker(step.parameters["node"])
        if not self.rows.read(zk.acting.state, node):
            return
        if self.rows.read(zk.session.state, node):
            self._fire("ControllerChange", c=node)
        else:
            # It has heard that its session is gone, and has no new one yet.
            self._fire("Crash", c=node)

    def _register(self, step: ZkStep) -> None:
        broker = self.names.broker(step.parameters["broker"])
        event = "RegisterBroker" if step.parameters.get("restarted", True) else "RegisterAgain"
        if self.rows.read(zk.alive.state, broker):
            self._fire("BrokerGone", b=broker)
        self._fire(event, b=broker, czxid=step.parameters["broker_epoch"])

    def _gone(self, step: ZkStep) -> None:
        broker = self.names.broker(step.parameters["broker"])
        if self.rows.read(zk.alive.state, broker):
            self._fire("BrokerGone", b=broker)

    def _create_topic(self, step: ZkStep) -> None:
        ids = [write.data["topic_id"] for write in step.writes if write.path.startswith("/brokers/topics/")]
        self.names.create(step.parameters["topic"], *ids)
        self.rows.put(
            zk.unclean.state,
            (self.names.topic(step.parameters["topic"]),),
            any(_unclean(write.data) for write in step.writes if write.path.startswith("/config/topics/")),
        )
        self._create_partitions(step)

    def _inherit_lost_replicas(self, partition: Partition) -> None:
        """Give a new partition its namesakes' replicas in failed directories: controllers remember them by name."""
        for node in list(self.rows.domains["Controller"]):
            for other in self.names.other_lives(partition):
                lost = self.rows.read(zk.lost.state, node, other)
                if lost:
                    self.rows.put(zk.lost.state, (node, other), frozenset())
                    self.rows.put(zk.lost.state, (node, partition), lost)
                    self.tally.adopted["replicas in failed directories, remembered of a deleted topic by its name"] += 1

    def _create_partitions(self, step: ZkStep) -> None:
        for number, target in step.parameters["assignment"].items():
            partition = self.names.partition(f"{step.parameters['topic']}-{number}")
            if not self.rows.read(zk.exists_.state, partition):
                self._inherit_lost_replicas(partition)
                self._fire("CreateTopic", p=partition, target=tuple(map(self.names.broker, target)))

    def _queue_deletion(self, step: ZkStep) -> None:
        topic = self.names.topic(step.parameters["topic"])
        if not self.rows.read(zk.queued.state, topic):
            self._fire("QueueTopicDeletion", t=topic)

    # -- state changes ---------------------------------------------------------------------------------------------
    def _partition_state(self, step: ZkStep) -> None:
        node, told = step.node, step.parameters
        partition, to = self.names.partition(told["partition"]), PARTITION_STATES[told["to"]]
        how = STRATEGIES[told["strategy"]]
        parameters: dict[str, Any] = {"c": node, "p": partition, "to": to, "how": how}
        # Of a partition that is New the step does not report the strategy: it gets its first leader.
        possible = tuple(zk.Strategy) if to is zk.PartitionState.ONLINE and how is zk.Strategy.NONE else (how,)

        def there() -> bool:
            for one in possible:
                if self._called("PartitionState", {**parameters, "how": one}):
                    parameters["how"] = one
                    return True
            return False

        self._until(node, there, f"not for {told['partition']} to {told['to']}")
        ran = self._fire("PartitionState", **parameters)
        self._answers(ran, step.outcome, {"no znode": "no state"})

    def _replica_state(self, step: ZkStep) -> None:
        node, told = step.node, step.parameters
        partition, to = self.names.partition(told["partition"]), REPLICA_STATES[told["to"]]
        broker = self.names.broker(told["replica"])
        parameters: dict[str, Any] = {"c": node, "p": partition, "r": broker, "to": to}
        what = f"not for replica {broker} of {told['partition']} to {told['to']}"

        def there() -> bool:
            if self._called("ReplicaState", parameters):
                return True
            if self._call(node) is zk.Call.IDLE:
                self._imply(node, partition, broker, to)
                return self._called("ReplicaState", parameters)
            return False

        self._until(node, there, what)
        self._answers(self._fire("ReplicaState", **parameters), step.outcome, {"no znode": "no state"})

    def _reassignment(self, step: ZkStep) -> None:
        node, told = step.node, step.parameters
        partition, phase = self.names.partition(told["partition"]), told["phase"]
        if phase == "U1":
            target = self.rows.read(zk.aim.state, node)
            self._until(node, lambda: self._call(node) is zk.Call.ASSIGN, "not to store an assignment")
            self._answered_phase(self._fire("UpdateAssignment", c=node, p=partition, target=target), step)
        elif phase in ("A1", "B3", "B6"):
            call = {"A1": zk.Call.BUMP, "B3": zk.Call.LEAD, "B6": zk.Call.STORE}[phase]
            self._until(node, lambda: self._call(node) is call, f"not {call.value}")
            self._answered_phase(self._fire("UpdateLeaderEpoch", c=node, p=partition), step)
        elif phase == "B2":
            self._until(node, lambda: self._call(node) is zk.Call.LEAD, "not to take the target over")

    def _answered_phase(self, ran: Ran, step: ZkStep) -> None:
        """A phase that failed must have been refused by the tables, and the other way round."""
        wrote = any(
            self.rows.states[number] in (zk.version.state, zk.replicas.state, zk.exists_.state)
            for number, *_ in ran.changes
        )
        if wrote == bool(step.outcome):
            raise Diverged(
                f"the phase {'failed: ' + step.outcome if step.outcome else 'was done'}, {ran.row.id} says otherwise"
            )

    # -- requests of brokers ---------------------------------------------------------------------------------------
    def _alter_partition(self, step: ZkStep) -> None:
        node, told = step.node, step.parameters
        parameters = {
            "c": node,
            "b": self.names.broker(told["broker"]),
            "p": self.names.partition(told["partition"]),
            "from_epoch": told["broker_epoch"],
            "from_leader_epoch": told["leader_epoch"],
            "from_version": told["partition_epoch"],
            "wanted": frozenset(map(self.names.broker, told["isr"])),
            "wants_recovering": bool(told["recovery"]),
        }
        if self.rows.read(zk.acting.state, node):
            self._until_idle(node)
        ran = self._fire("AlterPartition", **parameters)
        self._answers(ran, step.outcome)

    # -- topic deletion --------------------------------------------------------------------------------------------
    def _enqueue(self, step: ZkStep) -> None:
        self._until_idle(step.node)
        for name in step.parameters["topics"]:
            topic = self.names.topic(name)
            if not self.rows.read(zk.deleting.state, step.node, topic):
                self._fire("TopicDeletion", c=step.node, t=topic)

    def _delete_topic(self, step: ZkStep) -> None:
        node, topic = step.node, self.names.topic(step.parameters["topic"])
        if self._call(node) is zk.Call.IDLE:
            self._fire("CompleteDeletion", c=node, t=topic)
        self._until(node, lambda: self._call(node) is zk.Call.DELETE_ZNODES, "not to delete znodes")
        self._fire("DeleteTopicZnodes", c=node, t=topic)

    # -- what brokers apply ----------------------------------------------------------------------------------------
    def _leader_and_isr(self, step: ZkStep) -> None:
        told = step.parameters
        leader = None if told["leader"] < 0 else told["leader"]
        over = {zk.cached_leader.state: leader, zk.cached_leader_epoch.state: told["leader_epoch"]}
        partition = self.names.partition(told["partition"], told.get("topic_id", ""))
        unable = {"KAFKA_STORAGE_ERROR": "LeaderAndIsrOffline", "UNKNOWN_SERVER_ERROR": "LeaderAndIsrFails"}
        if step.outcome in unable:
            self._is_up_to_date(step)
            applied_at = self.rows.read(zk.applied.state, self.names.broker(told["broker"]), partition)
            if unable[step.outcome] == "LeaderAndIsrFails" and told["leader_epoch"] <= applied_at:
                raise Diverged(f"the broker answers {step.outcome!r}, the tables say LI3")
            self._delivered(step, unable[step.outcome], over, partition)
            return
        if self._is_of_another_topic(step, partition):
            return
        ran = self._delivered(step, "LeaderAndIsr", over, partition)
        applied = ran.row.id in ("LI4", "LI5")
        says = {
            "leader": "LI4",
            "follower": "LI5",
            "leader unknown": "LI6",
            "STALE_CONTROLLER_EPOCH": "LI1",
            "STALE_BROKER_EPOCH": "LI2",
            "ignored": "LI3",
        }
        if says.get(step.outcome) != ran.row.id:
            raise Diverged(
                f"the broker answers {step.outcome!r}, the tables say {ran.row.id}{' and apply it' if applied else ''}"
            )

    def _is_of_another_topic(self, step: ZkStep, partition: Any) -> bool:
        """Whether the broker rightly takes nothing: its log was made for another topic of the name.

        No row knows of ids: the tables have a partition for each topic. A process that has not been notified of its log
        yet, after a restart, has not looked at the log's id either.
        """
        told, read = step.parameters, self.rows.read
        broker, controller_epoch = self.names.broker(told["broker"]), told["controller_epoch"]
        if step.outcome in ("STALE_CONTROLLER_EPOCH", "STALE_BROKER_EPOCH"):
            return False
        others = [one for one in self.names.other_lives(partition) if read(zk.hosts.state, broker, one)]
        if step.outcome != "INCONSISTENT_TOPIC_ID":
            if any(read(zk.applied.state, broker, one) >= 0 for one in others):
                raise Diverged(f"the broker answers {step.outcome!r}, but its log is of another topic of the name")
            return False
        if not others:
            raise Diverged("the broker answers 'INCONSISTENT_TOPIC_ID', and has no log of another topic of the name")
        self._is_up_to_date(step)
        self.rows.put(zk.heard.state, (broker,), controller_epoch)
        self.tally.unjudged["LeaderAndIsr to a broker with the log of another topic of the name"] += 1
        return True

    def _is_up_to_date(self, step: ZkStep) -> None:
        """Check that a request was meant for this process, and that its controller has no successor known to it."""
        told, read = step.parameters, self.rows.read
        broker = self.names.broker(told["broker"])
        kind = "LI" if step.name == "LeaderAndIsr" else "SD" if told["delete"] else "SR"
        if told["broker_epoch"] < read(zk.broker_epoch.state, broker):
            raise Diverged(f"the broker answers {step.outcome!r}, the tables say {kind}2")
        if told["controller_epoch"] < read(zk.heard.state, broker):
            raise Diverged(f"the broker answers {step.outcome!r}, the tables say {kind}1")

    def _hosted_life(self, broker: int, name: str) -> Any:
        """Return the partition of a name that the broker has applied something of; StopReplica has no topic id."""
        newest = self.names.partition(name)
        lives = (newest, *self.names.other_lives(newest))
        return next((one for one in lives if self.rows.read(zk.applied.state, broker, one) >= 0), newest)

    def _stop_replica(self, step: ZkStep) -> None:
        event = "StopReplicaDelete" if step.parameters["delete"] else "StopReplica"
        if step.outcome == "KAFKA_STORAGE_ERROR":
            self._is_up_to_date(step)
            event += "Offline"
        epoch = step.parameters["leader_epoch"]
        partition = self._hosted_life(self.names.broker(step.parameters["broker"]), step.parameters["partition"])
        ran = self._delivered(step, event, {zk.stop_epoch.state: max(epoch, -1)}, partition)
        self._answers(ran, step.outcome)

    def _update_metadata(self, step: ZkStep) -> None:
        ran = self._delivered(step, "UpdateMetadata", {}, None)
        self._answers(ran, step.outcome)

    def _delivered(self, step: ZkStep, event: str, over: Mapping[Any, Any], partition: Any) -> Ran:
        """Run a broker's row as if its sender's memory still were what the request carries."""
        told = step.parameters
        broker, sender = self.names.broker(told["broker"]), self.names.broker(told["controller"])
        parameters: dict[str, Any] = {"c": sender, "b": broker}
        kept: list[tuple[Any, tuple[Any, ...], Any]] = []

        def set_(state: Any, keys: tuple[Any, ...], value: Any) -> None:
            kept.append((state, keys, self.rows.read(state, *keys)))
            self.rows.put(state, keys, value)

        set_(zk.own_epoch.state, (sender,), told["controller_epoch"])
        set_(zk.known_epoch.state, (sender, broker), told["broker_epoch"])
        if "live" in told:
            set_(zk.live.state, (sender,), frozenset(told["live"]))
        if event != "UpdateMetadata":
            parameters["p"] = partition
            for state, value in over.items():
                of_broker = (broker,) if len(state.keys) == 3 else ()
                set_(state, (sender, partition, *of_broker), value)
        try:
            return self._fire(event, given=False, **parameters)
        finally:
            for state, keys, value in reversed(kept):
                self.rows.put(state, keys, value)


def _unclean(data: Any) -> bool:
    return str((data or {}).get("config", {}).get("unclean.leader.election.enable", "")) == "true"
