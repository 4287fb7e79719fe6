"""The replication manager under whatever hypothesis does to it: indexes, ISRs, epochs, and going back."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.indexes import Indexes, PartitionsByBroker
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.replication import ReplicationControlManager
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY
from tests.cases import examples

from .bench import Bench, directory

BROKERS = range(1, 6)
brokers = st.sampled_from(BROKERS)
replica_lists = st.lists(brokers, min_size=1, max_size=4, unique=True)
REPAIRS = ("D5", "D6", "D7", "D8", "D9", "D12", "D14", "D15", "D16", "D17", "D23")
FAILURES = ("existed in isrMembers, but not in the topics map", "is not assigned to this partition")
"""What an operation may fail with while nothing is repaired: D5 and D6c, D9."""


def entries(index: PartitionsByBroker) -> dict[int, list[Any]]:
    """An index by broker, sorted."""
    return {broker: sorted(index.of(broker)) for broker in index.brokers()}


def recomputed(partitions: dict[Any, PartitionRegistration], members: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """What an index must be, from the partitions: by member, sorted."""
    found = defaultdict(list)
    for where, partition in partitions.items():
        for member in members(partition):
            found[member].append(where)
    return {member: sorted(set(found[member])) for member in sorted(found)}


def in_directories(partition: PartitionRegistration) -> list[str]:
    """The directories of a partition that are any."""
    reserved = (MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY, LOST_DIRECTORY)
    return [one for one in partition.directories if one not in reserved]


def everything(manager: ReplicationControlManager) -> list[Any]:
    """All that the manager holds, to be compared."""
    indexes = manager.indexes
    directories = {name: sorted(parts) for name, parts in indexes.directories.items() if len(parts)}
    return [
        dict(manager.topics), dict(manager.topic_ids), dict(manager.partitions), entries(indexes.isrs),
        entries(indexes.leaderships), entries(indexes.elrs), directories, dict(indexes.reassigning),
        sorted(indexes.imbalanced),
    ]  # fmt: skip


class AsKafkaIs(RuleBasedStateMachine):
    """Operations in any order; what an operation writes is replayed, what it refuses changes nothing."""

    repaired: tuple[str, ...] = ()

    @initialize(elr=st.booleans())
    def begin(self, elr: bool) -> None:
        """Three brokers and a topic."""
        self.bench = Bench(elr=elr, repaired=self.repaired)
        self.elr = elr
        self.names = 0
        self.epochs: dict[Any, tuple[int, int]] = {}
        self.snapshots: list[tuple[int, list[Any]]] = []
        self.bench.start(1, 2, 3)
        self.bench.create("t0", [1, 2, 3], [2, 3, 1], min_isr="2")

    @property
    def manager(self) -> ReplicationControlManager:
        """The manager under test."""
        return self.bench.replication

    @property
    def indexes(self) -> Indexes:
        """Its indexes."""
        return self.manager.indexes

    def attempt(self, operation: Callable[[], Any]) -> Any:
        """Do something that may fail as Kafka's known defects make it fail."""
        try:
            return operation()
        except (RuntimeError, ValueError) as failure:
            if self.repaired or not any(known in str(failure) for known in FAILURES):
                raise
            return None

    # -- brokers ---------------------------------------------------------------------------------------------------
    @rule(broker=brokers, clean=st.booleans())
    def restarts(self, broker: int, clean: bool) -> None:
        """A process ends, cleanly or not, and another registers."""
        self.attempt(lambda: self.bench.register(broker, clean=clean))

    @rule(broker=brokers, want_fence=st.booleans(), want_shut_down=st.booleans(), failed=st.booleans())
    def beats(self, broker: int, want_fence: bool, want_shut_down: bool, failed: bool) -> None:
        """A registered broker says what it wants."""
        said: dict[str, Any] = {"want_fence": want_fence, "want_shut_down": want_shut_down}
        if failed:
            said["offline_log_dirs"] = (directory(broker),)
        if broker in self.bench.cluster.registrations:
            self.attempt(lambda: self.bench.heartbeat(broker, **said))

    @rule(broker=brokers)
    def beats_well(self, broker: int) -> None:
        """A registered broker wants to serve."""
        if broker in self.bench.cluster.registrations:
            self.attempt(lambda: self.bench.heartbeat(broker))

    @rule(broker=brokers)
    def is_unregistered(self, broker: int) -> None:
        """A registered broker is taken out."""
        request = m.UnregisterBrokerRequest(broker_id=broker)
        if broker in self.bench.cluster.registrations:
            self.attempt(lambda: self.bench.apply(self.manager.unregister_broker(request)))

    @rule()
    def falls_silent(self) -> None:
        """A session is over."""
        self.bench.now_ns += 10_000_000_000
        self.attempt(lambda: self.bench.apply(self.manager.maybe_fence_stale_broker(self.bench.now_ns)))

    # -- topics ----------------------------------------------------------------------------------------------------
    @rule(first=replica_lists, second=replica_lists, smallest=st.sampled_from(["1", "2", "3"]), unclean=st.booleans())
    def creates(self, first: list[int], second: list[int], smallest: str, unclean: bool) -> None:
        """A topic is asked for."""
        self.names += 1
        configs = (("min.insync.replicas", smallest), ("unclean.leader.election.enable", str(unclean).lower()))
        assigned = ((0, tuple(first)), (1, (*second, *(b for b in BROKERS if b not in second))[: len(first)]))
        topic = m.TopicRequest(f"t{self.names}", assignments=assigned, configs=configs)
        self.bench.apply(self.manager.create_topics(m.CreateTopicsRequest(topics=(topic,))))

    @precondition(lambda self: bool(self.manager.topics))
    @rule(data=st.data())
    def deletes(self, data: st.DataObject) -> None:
        """A topic is deleted."""
        self.bench.delete(data.draw(st.sampled_from(sorted(self.manager.topics))))

    @precondition(lambda self: bool(self.manager.topics))
    @rule(data=st.data(), smallest=st.sampled_from(["1", "2", "3"]))
    def configures(self, data: st.DataObject, smallest: str) -> None:
        """The least number of replicas in sync is changed."""
        self.bench.configure(
            data.draw(st.sampled_from(sorted(self.manager.topic_ids))), "min.insync.replicas", smallest
        )

    # -- partitions ------------------------------------------------------------------------------------------------
    @precondition(lambda self: bool(self.manager.partitions))
    @rule(data=st.data(), isr=st.sets(brokers), recovery=st.sampled_from([0, 0, 1]))
    def proposes(self, data: st.DataObject, isr: set[int], recovery: int) -> None:
        """A leader proposes an ISR of itself and others."""
        topic, number = data.draw(st.sampled_from(sorted(self.manager.partitions)))
        leader = self.bench.partition(topic, number).leader
        if leader in self.bench.cluster.registrations:
            self.attempt(lambda: self.bench.propose(topic, number, sorted(isr | {leader}), recovery))

    @precondition(lambda self: bool(self.manager.partitions))
    @rule(data=st.data(), wanted=st.none() | replica_lists)
    def reassigns(self, data: st.DataObject, wanted: list[int] | None) -> None:
        """A reassignment is asked for, or cancelled."""
        topic, number = data.draw(st.sampled_from(sorted(self.manager.partitions)))
        error = self.bench.reassign(self.manager.topics[topic].name, wanted, number)
        assert error != "UNKNOWN_SERVER_ERROR" or not self.repaired

    @rule(kind=st.sampled_from([0, 1]))
    def elects(self, kind: int) -> None:
        """All leaders are elected."""
        self.attempt(lambda: self.bench.apply(self.manager.elect_leaders(m.ElectLeadersRequest(election_type=kind))))

    @rule()
    def balances(self) -> None:
        """The periodic tasks run."""
        self.attempt(lambda: self.bench.apply(self.manager.maybe_balance_partition_leaders()))
        self.attempt(lambda: self.bench.apply(self.manager.maybe_elect_unclean_leaders()))

    # -- snapshots -------------------------------------------------------------------------------------------------
    @rule()
    def takes_a_snapshot(self) -> None:
        """The state as of now can be returned to."""
        self.bench.registry.create(self.bench.offset)
        self.snapshots.append((self.bench.offset, everything(self.manager)))

    @precondition(lambda self: bool(self.snapshots))
    @rule(data=st.data())
    def goes_back(self, data: st.DataObject) -> None:
        """Everything is as it was."""
        index = data.draw(st.integers(0, len(self.snapshots) - 1))
        offset, was = self.snapshots[index]
        del self.snapshots[index + 1 :]
        self.bench.registry.revert_to(offset)
        self.bench.offset = offset
        self.epochs = {}
        assert everything(self.manager) == was
        # Heartbeats are no part of it: the controller becomes active anew.
        self.bench.cluster.activate(self.bench.now_ns)

    # -- what holds always -----------------------------------------------------------------------------------------
    @invariant()
    def partitions_are_sound(self) -> None:
        """The ISR is among the replicas, the leader in the ISR, no broker is twice anywhere, and epochs only grow."""
        for where, one in self.manager.partitions.items():
            assert one.replicas
            assert len(set(one.replicas)) == len(one.replicas) == len(one.directories)
            assert set(one.isr) <= set(one.replicas)
            assert len(set(one.isr)) == len(one.isr)
            assert one.leader == -1 or one.leader in one.isr
            assert not set(one.isr) & set(one.elr)
            assert one.isr or self.elr
            assert one.leader_recovery_state == 0 or len(one.isr) <= 1
            assert {*one.adding_replicas, *one.removing_replicas} <= set(one.replicas)
            if self.repaired:
                assert set(one.elr) <= set(one.replicas) & set(self.bench.cluster.registrations)
                assert not set(one.adding_replicas) & set(one.removing_replicas)
            before = self.epochs.get(where, (0, 0))
            assert one.leader_epoch >= before[0]
            assert one.partition_epoch >= before[1]
            self.epochs[where] = (one.leader_epoch, one.partition_epoch)

    @invariant()
    def indexes_are_exact(self) -> None:
        """Every index is what the partitions make it, but for the entries that known defects leave."""
        partitions = dict(self.manager.partitions)
        assert entries(self.indexes.isrs) == recomputed(partitions, lambda one: one.isr)
        assert entries(self.indexes.leaderships) == recomputed(partitions, lambda one: [one.leader])
        reassigning = {topic: sorted(numbers) for topic, numbers in self.indexes.reassigning.items()}
        moving = [where for where, one in sorted(partitions.items()) if one.is_reassigning]
        assert reassigning == {topic: [n for t, n in moving if t == topic] for topic, _ in moving}
        imbalanced = [where for where, one in sorted(partitions.items()) if one.leader != one.replicas[0]]
        assert sorted(self.indexes.imbalanced) == imbalanced
        directories = {name: sorted(parts) for name, parts in self.indexes.directories.items() if len(parts)}
        self.directories_are_exact(directories, recomputed(partitions, in_directories))
        self.elrs_are_exact(entries(self.indexes.elrs), recomputed(partitions, lambda one: one.elr))

    def directories_are_exact(self, found: dict[str, Any], exact: dict[str, Any]) -> None:
        """Beyond what is exact there are only deleted topics (D5)."""
        left = {
            name: [where for where in parts if where in self.manager.partitions or where[0] in self.manager.topics]
            for name, parts in found.items()
        }
        assert {name: parts for name, parts in left.items() if parts} == exact

    def elrs_are_exact(self, found: dict[int, Any], exact: dict[int, Any]) -> None:
        """Every eligible replica is in the index, some of them more than once, and some that are not any more (D6)."""
        for broker, parts in exact.items():
            assert set(parts) <= set(found[broker])


class Repaired(AsKafkaIs):
    """The same with everything repaired: no entry is left, and no operation fails."""

    repaired = REPAIRS

    def directories_are_exact(self, found: dict[str, Any], exact: dict[str, Any]) -> None:
        """Nothing is left."""
        assert found == exact

    def elrs_are_exact(self, found: dict[int, Any], exact: dict[int, Any]) -> None:
        """Nothing is left, and nothing is there twice."""
        assert found == exact


TestAsKafkaIs = AsKafkaIs.TestCase
TestRepaired = Repaired.TestCase
TestAsKafkaIs.settings = TestRepaired.settings = settings(
    max_examples=examples(60), stateful_step_count=40, deadline=None
)
