"""One reference controller whose every step is noted, and a story and random moves that it can be put through."""

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.checkers.conformance.lockstep import Divergence, Given, LockStep
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.observer import Operation
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.steps import StepWriter
from fencepost.traces.steps import Step
from tests.reference.kraft.single_node import SECOND, SingleNode

from .plain import of_the_interpreter

FORMATTED = Given({levels.METADATA_VERSION: levels.LATEST_PRODUCTION, levels.ELR_VERSION: 1})
FEATURES = tuple(m.FeatureRange(name, lowest, highest) for name, (lowest, highest) in levels.SUPPORTED_FEATURES.items())


class Watched(SingleNode):
    """A quorum of one; `steps` are what its controller did."""

    def __init__(self, at_once: bool = True, records: Sequence[Message] | None = None, **settings: Any) -> None:
        self.steps: list[Step] = []
        self.writer = StepWriter(self.steps.append)
        self.brokers: dict[int, tuple[int, int]] = {}
        super().__init__(Settings(**settings), records, at_once=at_once)

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Note an operation."""
        super().operation(operation, controller)
        self.writer.operation(operation, controller)

    def claimed(self, controller: QuorumController) -> None:
        """Note a claim."""
        self.writer.claimed(controller)

    def renounced(self, controller: QuorumController) -> None:
        """Note that the leadership is gone."""
        self.writer.renounced(controller)

    def contact(self, controller: QuorumController, broker_id: int, broker_epoch: int, now_ns: int) -> None:
        """Note a contact."""
        self.writer.contact(controller, broker_id, broker_epoch, now_ns)

    def timed_out(self, controller: QuorumController, request: m.Request, now_ns: int) -> None:
        """Note a request that came too late."""
        self.writer.timed_out(controller, request, now_ns)

    # -- what is asked ---------------------------------------------------------------------------------------------
    def start(self, broker: int, process: int = 1, dirs: int = 1, clean: bool = False) -> Any:
        """Let a process of a broker register, and note its epoch."""
        former = self.brokers.get(broker, (-1, 0))
        names = tuple(f"{broker:011d}{number:011d}" for number in range(1, dirs + 1))
        answer = self.ask(
            m.BrokerRegistrationRequest(
                broker_id=broker, cluster_id="cluster", incarnation_id=f"{broker}-{process}", features=FEATURES,
                log_dirs=names, previous_broker_epoch=former[0] if clean else -1,
            )
        )  # fmt: skip
        if isinstance(answer, m.BrokerRegistrationResponse):
            self.brokers[broker] = answer.broker_epoch, dirs
        return answer

    def heartbeat(self, broker: int, behind: int = 0, **flags: Any) -> Any:
        """Let a broker beat under its newest epoch."""
        epoch = self.brokers.get(broker, (-1, 0))[0]
        return self.beat(broker, epoch, max(-1, self.log_end_offset() - 1 - behind), **flags)

    def all_beat(self) -> None:
        """Let every broker beat."""
        for broker in self.brokers:
            self.heartbeat(broker)

    def create(self, name: str, partitions: int = 2, factor: int = 2, **configs: str) -> Any:
        """Create a topic; `min` and `unclean` are configurations."""
        keys = {"min": "min.insync.replicas", "unclean": "unclean.leader.election.enable"}
        pairs = tuple((keys[key], value) for key, value in configs.items())
        return self.ask(m.CreateTopicsRequest(topics=(m.TopicRequest(name, partitions, factor, configs=pairs),)))

    def topic_id(self, name: str) -> str:
        """Return a topic's id, a text that is none for no topic."""
        return str(self.controller.managers.replication.topic_ids.get(name, "no such topic"))

    def propose(self, name: str, number: int, isr: Sequence[int], stale: int = 0, told: bool = True) -> Any:
        """Let the leader of a partition propose an ISR, `stale` partition epochs late."""
        now = self.partition(name, number)
        epoch = self.brokers.get(now.leader, (-1, 0))[0]
        members = tuple((broker, self.brokers.get(broker, (-1, 0))[0] if told else -1) for broker in isr)
        data = m.AlterPartitionData(
            topic_id=self.topic_id(name), partition=number, leader_epoch=now.leader_epoch,
            partition_epoch=max(0, now.partition_epoch - stale), new_isr=members,
        )  # fmt: skip
        return self.ask(m.AlterPartitionRequest(broker_id=now.leader, broker_epoch=epoch, partitions=(data,)))

    def late_heartbeat(self, broker: int, stale: int = 0) -> Any:
        """Let a broker beat under its newest epoch, or an older one, so that the heartbeat waits past its deadline."""
        request = m.BrokerHeartbeatRequest(
            broker_id=broker, broker_epoch=self.brokers[broker][0] - stale,
            current_metadata_offset=self.log_end_offset() - 1, want_fence=True,
        )  # fmt: skip
        answers: list[Any] = []
        self.controller.submit(request, answers.append, self.clock.now_ns - 1)
        self.clock.run()
        return answers[0] if answers else None

    def reassign(self, name: str, number: int, replicas: Sequence[int] | None, resizes: bool = True) -> Any:
        """Give a partition other replicas, None to cancel; unless it `resizes` they must be as many as before."""
        one = m.ReassignablePartition(name, number, None if replicas is None else tuple(replicas))
        return self.ask(
            m.AlterPartitionReassignmentsRequest(partitions=(one,), allow_replication_factor_change=resizes)
        )

    def configure(self, kind: int, name: str, key: str, value: str | None) -> Any:
        """Set one value, None to delete it."""
        changes = m.ConfigChanges(m.ConfigResource(kind, name), ((key, m.DELETE if value is None else m.SET, value),))
        return self.ask(m.IncrementalAlterConfigsRequest(resources=(changes,)))

    def assign(self, broker: int, directory: int, name: str, number: int) -> Any:
        """Let a broker say where a replica is."""
        where = f"{broker:011d}{directory:011d}"
        return self.ask(
            m.AssignReplicasToDirsRequest(
                broker_id=broker, broker_epoch=self.brokers.get(broker, (-1, 0))[0],
                assignments=((where, self.topic_id(name), number),),
            )
        )  # fmt: skip


def story() -> Watched:
    """Put a cluster of three through most of what can happen to it."""
    node = Watched()
    node.lead()
    for broker in (1, 2, 3):
        node.start(broker, dirs=2 if broker == 3 else 1)
        if broker == 3:
            node.late_heartbeat(broker)
        node.heartbeat(broker)
    node.all_beat()
    node.create("a", 3, 3, min="2")
    node.create("b", 1, 1, unclean="true")
    node.create("a")
    node.create("c", 1, 9)
    node.all_beat()
    node.assign(3, 1, "a", 0)
    node.propose("a", 0, node.partition("a").isr[:2])
    node.propose("a", 0, (1, 2, 3), stale=1)
    node.reassign("a", 1, (1, 2))
    node.reassign("a", 1, None)
    node.reassign("a", 1, None)
    for replicas in ((1, 2), (1, 2, 3)):
        node.reassign("a", 1, replicas, resizes=False)
    for broker, stale in ((1, 0), (2, 0), (3, 1)):
        node.late_heartbeat(broker, stale)
    node.heartbeat(1, want_shut_down=True)
    node.all_beat()
    node.heartbeat(1, want_shut_down=True)
    node.clock.run(12 * SECOND)
    node.start(1, process=2, clean=True)
    node.heartbeat(1)
    for election in (0, 1):
        node.ask(m.ElectLeadersRequest(election_type=election))
        node.ask(m.ElectLeadersRequest(election_type=election, partitions=(("a", 0), ("none", 0))))
    node.heartbeat(3, offline_log_dirs=("0000000000300000000001",))
    for value in ("1", "three", None):
        node.configure(m.TOPIC_RESOURCE, "a", "min.insync.replicas", value)
    node.configure(m.BROKER_RESOURCE, "", "unclean.leader.election.enable", "true")
    topic = m.ConfigResource(m.TOPIC_RESOURCE, "a")
    node.ask(m.LegacyAlterConfigsRequest(resources=((topic, (("retention.ms", "1000"),)),)))
    for level, way in ((0, 2), (1, 1), (9, 1)):
        node.ask(m.UpdateFeaturesRequest(updates=((levels.ELR_VERSION, level, way),)))
    for level, way in ((1, 1), (1, 1), (1, 2), (0, 2)):
        node.ask(m.UpdateFeaturesRequest(updates=((levels.KRAFT_VERSION, level, way),)))
    for controller in (3000, 3001):
        node.ask(m.ControllerRegistrationRequest(controller_id=controller, incarnation_id="x", features=FEATURES))
    for controller in (3000, 3001, 3001):
        node.ask(m.UnregisterControllerRequest(controller_id=controller))
    node.start(2, process=2)
    node.clock.run(5 * SECOND)
    node.heartbeat(1)
    node.ask(m.AllocateProducerIdsRequest(broker_id=1, broker_epoch=node.brokers[1][0]))
    node.ask(m.AllocateProducerIdsRequest(broker_id=1, broker_epoch=1))
    node.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest("a", 4),)))
    topic_id = node.topic_id("b")
    node.ask(m.DeleteTopicsRequest(topic_ids=(topic_id,)))
    node.ask(m.DeleteTopicsRequest(topic_ids=(topic_id,)))
    node.ask(m.UnregisterBrokerRequest(broker_id=9))
    node.lose()
    node.lead()
    node.clock.run(6 * SECOND)
    node.heartbeat(1)
    node.clock.run(6 * SECOND)
    return node


def judged(steps: Sequence[Step], plain: bool = False, **options: Any) -> tuple[LockStep, list[Divergence]]:
    """Check steps, with `plain` by the interpreter; return the checker and the divergences in order."""
    judge = LockStep(KRAFT, **{"given": FORMATTED, **options})
    if plain:
        of_the_interpreter(judge)
    return judge, [found for step in steps if (found := judge.step(step)) is not None]


# -- random moves ------------------------------------------------------------------------------------------------------
NAMES = ("a", "b", "c")
Move = Callable[[Watched, int, int, int], Any]


def _subset(of: Sequence[int], bits: int) -> list[int]:
    return [one for number, one in enumerate(of) if bits >> number & 1]


def _existing(node: Watched, name: str, number: int) -> int | None:
    replication = node.controller.managers.replication
    topic = replication.topics.get(node.topic_id(name))
    return None if topic is None else topic.partitions[number % len(topic.partitions)]


def _propose(node: Watched, x: int, y: int, z: int) -> Any:
    name = NAMES[x % 3]
    number = _existing(node, name, y)
    if number is None or node.partition(name, number).leader < 0:
        return None
    return node.propose(name, number, _subset((1, 2, 3, 4), z), stale=int(z > 13), told=y % 3 > 0)


def _reassign(node: Watched, x: int, y: int, z: int) -> Any:
    number = _existing(node, NAMES[x % 3], y) or 0
    return node.reassign(NAMES[x % 3], number, _subset((4, 2, 1, 3), z) if z else None)


def _configure(node: Watched, x: int, y: int, z: int) -> Any:
    key = ("min.insync.replicas", "unclean.leader.election.enable", "retention.ms")[y % 3]
    values = {0: ("1", "2", "3", None), 1: ("true", "false", None), 2: ("1000", "2000", None)}[y % 3]
    name = (*NAMES, "")[x % 4]
    return node.configure(m.TOPIC_RESOURCE if name else m.BROKER_RESOURCE, name, key, values[z % len(values)])


def _replace(node: Watched, x: int, y: int, z: int) -> Any:
    pairs = (("min.insync.replicas", "2"), ("unclean.leader.election.enable", "true"), ("retention.ms", str(1000 + z)))
    topic = m.ConfigResource(m.TOPIC_RESOURCE, NAMES[x % 3])
    return node.ask(m.LegacyAlterConfigsRequest(resources=((topic, tuple(pairs[n] for n in range(3) if y >> n & 1)),)))


def _fail(node: Watched, x: int, y: int, z: int) -> None:
    node.lose()
    node.lead()


MOVES: dict[str, Move] = {
    "start": lambda n, x, y, z: n.start(1 + x % 4, process=y % 3, dirs=1 + z % 2, clean=z > 7),
    "beat": lambda n, x, y, z: n.heartbeat(1 + x % 4, behind=y % 3 if z > 11 else 0),
    "shut down": lambda n, x, y, z: n.heartbeat(1 + x % 4, want_shut_down=True, want_fence=z > 12),
    "fence": lambda n, x, y, z: n.heartbeat(1 + x % 4, want_fence=True),
    "all beat": lambda n, x, y, z: n.all_beat(),
    "offline": lambda n, x, y, z: n.heartbeat(1 + x % 4, offline_log_dirs=(f"{1 + x % 4:011d}{1 + y % 2:011d}",)),
    "cordon": lambda n, x, y, z: n.heartbeat(
        1 + x % 4, cordoned_log_dirs=(f"{1 + x % 4:011d}{1 + y % 2:011d}",) if z % 2 else ()
    ),
    "wait": lambda n, x, y, z: n.clock.run((1 + z) * SECOND),
    "create": lambda n, x, y, z: n.create(NAMES[x % 3], 1 + y % 3, 1 + z % 3, **({"min": "2"} if z > 7 else {})),
    "grow": lambda n, x, y, z: n.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest(NAMES[x % 3], 1 + y % 6),))),
    "delete": lambda n, x, y, z: n.ask(m.DeleteTopicsRequest(topic_ids=(n.topic_id(NAMES[x % 3]),))),
    "propose": _propose,
    "reassign": _reassign,
    "elect": lambda n, x, y, z: n.ask(
        m.ElectLeadersRequest(election_type=z % 2, partitions=None if x > 7 else ((NAMES[x % 3], y % 3),))
    ),
    "configure": _configure,
    "replace": _replace,
    "assign": lambda n, x, y, z: n.assign(1 + x % 4, 1 + z % 3, NAMES[y % 3], z % 3),
    "unregister": lambda n, x, y, z: n.ask(m.UnregisterBrokerRequest(broker_id=1 + x % 4)),
    "feature": lambda n, x, y, z: n.ask(m.UpdateFeaturesRequest(updates=((levels.ELR_VERSION, y % 2, 1 + z % 3),))),
    "fail over": _fail,
}
"""What can be done to a cluster of up to four brokers and three topics; three numbers up to 15 say to whom and how."""


def played(moves: Sequence[tuple[str, int, int, int]]) -> Watched:
    """Put a cluster of three brokers with a topic through moves; it ends where a record cannot be replayed."""
    node = Watched()
    node.lead()
    for broker in (1, 2, 3):
        node.start(broker)
        node.heartbeat(broker)
    node.create("a", 2, 3)
    for name, x, y, z in moves:
        if node.fatal is not None:
            break
        if not node.controller.active:
            node.lead()
        MOVES[name](node, x, y, z)
    return node


__all__ = ["FORMATTED", "MOVES", "SECOND", "Watched", "judged", "played", "story"]
