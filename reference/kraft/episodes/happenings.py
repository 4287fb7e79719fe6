"""The events of each episode; each leaves the cluster as it was, but for numbers that only grow.

An episode makes topics for itself and deletes them at its end. The partitions that stand throughout take part in what
happens to brokers: they lose leaders and members of their ISRs, and get them back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from fencepost.reference.kraft import messages as m
from fencepost.traces.scale.episodes import Episode

from .recorder import CONTROLLERS, Recorder

REPLICAS = 3
_MOST_IN_A_TOPIC = 1000
_OWN = (12, 6, 3)
"""The partitions of the topics that an episode makes for itself."""

_FILTER = m.AclBinding(
    resource_type=m.TOPIC_RESOURCE, resource_name=None, pattern_type=m.ANY, principal=None, host=None,
    operation=1, permission_type=1,
)  # fmt: skip


KINDS = (
    "silence", "restart", "crash", "failover", "lag", "configurations", "security", "reassignment"
)  # fmt: skip
"""Kinds of episodes; one of reassignments needs a broker more than replicas."""


class EpisodeError(RuntimeError):
    """An episode leaves the cluster in another state than it found."""


def recorded(
    brokers: int, partitions: int, seed: int, kinds: Collection[str] = KINDS
) -> tuple[Episode, tuple[Episode, ...]]:
    """Return the beginning of a log, with so many brokers and standing partitions, and the episodes that follow it.

    These are of some kinds only. Raises EpisodeError where an episode does not leave the cluster as it was.
    """
    recorder = Recorder(seed)
    beginning = _beginning(recorder, brokers, partitions)
    standing = beginning.ids
    before = recorder.state()
    episodes = []
    for kind, happening in _happenings(brokers):
        if kind not in kinds:
            continue
        topics = _topics(recorder)
        happening(recorder, topics)
        _delete(recorder, topics)
        after = recorder.state()
        if after != before:
            other = next(pair for pair in zip(before, after, strict=False) if pair[0] != pair[1])
            raise EpisodeError(f"{kind}: the state is another than before: {other[0]} became {other[1]}")
        episodes.append(recorder.episode(kind, standing))
    return beginning, tuple(episodes)


def _beginning(recorder: Recorder, brokers: int, partitions: int) -> Episode:
    recorder.lead(CONTROLLERS[0])
    recorder.register_controllers()
    for broker in range(1, brokers + 1):
        recorder.register(broker)
    recorder.ask(m.AllocateProducerIdsRequest(broker_id=1, broker_epoch=recorder.epochs[1]))
    for number, start in enumerate(range(0, partitions, _MOST_IN_A_TOPIC)):
        size = min(_MOST_IN_A_TOPIC, partitions - start)
        recorder.ask(m.CreateTopicsRequest(topics=(m.TopicRequest(f"standing-{number}", size, REPLICAS),)))
    return recorder.episode("beginning")


def _happenings(brokers: int) -> Iterator[tuple[str, Callable[[Recorder, list[str]], None]]]:
    last = brokers
    yield "silence", lambda recorder, _: _silence(recorder, 1)
    yield "silence", lambda recorder, _: _silence(recorder, last)
    yield "restart", lambda recorder, _: _restart(recorder, 2)
    yield "restart", lambda recorder, _: _restart(recorder, last)
    yield "crash", lambda recorder, _: _crash(recorder, 1)
    yield "failover", lambda recorder, _: _failover(recorder)
    yield "lag", _lag
    yield "configurations", _configurations
    yield "security", lambda recorder, topics: _security(recorder, topics)
    if brokers > REPLICAS:
        yield "reassignment", _reassignment


# -- topics of the episode's own ---------------------------------------------------------------------------------------
def _topics(recorder: Recorder) -> list[str]:
    names = [recorder.new_name() for _ in _OWN]
    settings = ((("min.insync.replicas", "2"),), (("retention.ms", "3600000"),), ())
    topics = tuple(
        m.TopicRequest(name, size, REPLICAS, configs=configs)
        for name, size, configs in zip(names, _OWN, settings, strict=True)
    )
    recorder.ask(m.CreateTopicsRequest(topics=topics))
    recorder.ask(m.CreatePartitionsRequest(topics=(m.PartitionsRequest(names[2], _OWN[2] + 2),)))
    return names


def _delete(recorder: Recorder, names: list[str]) -> None:
    ids = recorder.managers.replication.topic_ids
    recorder.ask(m.DeleteTopicsRequest(topic_ids=tuple(ids[name] for name in names[:1])))
    recorder.ask(m.DeleteTopicsRequest(topic_ids=tuple(ids[name] for name in names[1:])))


# -- brokers -----------------------------------------------------------------------------------------------------------
def _silence(recorder: Recorder, broker: int) -> None:
    recorder.silent(broker)
    recorder.beat(broker)
    recorder.catch_up()
    recorder.balance()


def _restart(recorder: Recorder, broker: int) -> None:
    recorder.stop(broker)
    recorder.register(broker)
    recorder.catch_up(200)
    recorder.balance()


def _crash(recorder: Recorder, broker: int) -> None:
    recorder.silent(broker)
    recorder.register(broker, clean=False)
    recorder.catch_up()
    recorder.balance()


def _failover(recorder: Recorder) -> None:
    for leader in (*CONTROLLERS[1:], CONTROLLERS[0]):
        recorder.lead(leader)
        for broker in recorder.epochs:
            recorder.beat(broker)
    recorder.ask(m.AllocateProducerIdsRequest(broker_id=1, broker_epoch=recorder.epochs[1]))


# -- partitions --------------------------------------------------------------------------------------------------------
def _lag(recorder: Recorder, _: list[str]) -> None:
    """Followers fall behind one by one, and come back: a batch for each."""
    partitions = recorder.managers.replication.partitions
    for turn in range(2):
        some = [(where, one.replicas) for where, one in partitions.items()][turn::7][:100]
        for where, replicas in some:
            recorder.alter({where: replicas[:2] if turn else (replicas[0], replicas[2])})
        for where, replicas in some:
            recorder.alter({where: replicas})


def _reassignment(recorder: Recorder, topics: list[str]) -> None:
    """Partitions move and come back into sync; one reassignment is cancelled, one takes a replica away."""
    replication = recorder.managers.replication
    brokers = sorted(recorder.epochs)
    moves = []
    for name in topics:
        topic = replication.topic_ids[name]
        for (found, number), partition in list(replication.partitions.items()):
            if found == topic:
                other = next(broker for broker in brokers if broker not in partition.replicas)
                moves.append(m.ReassignablePartition(name, number, (*partition.replicas[1:], other)))
    recorder.ask(m.AlterPartitionReassignmentsRequest(partitions=tuple(moves)))
    cancelled = m.ReassignablePartition(moves[0].topic, moves[0].partition, None)
    recorder.ask(m.AlterPartitionReassignmentsRequest(partitions=(cancelled,)))
    recorder.catch_up(5)
    recorder.balance()
    last = moves[-1]
    fewer = m.ReassignablePartition(last.topic, last.partition, (last.replicas or ())[:2])
    recorder.ask(m.AlterPartitionReassignmentsRequest(partitions=(fewer,)))
    recorder.balance()


# -- what is not about partitions --------------------------------------------------------------------------------------
def _configurations(recorder: Recorder, topics: list[str]) -> None:
    resources = [
        (m.ConfigResource(m.TOPIC_RESOURCE, topics[0]), "min.insync.replicas", "2"),
        (m.ConfigResource(m.TOPIC_RESOURCE, topics[1]), "cleanup.policy", "compact"),
        *((m.ConfigResource(m.BROKER_RESOURCE, str(one)), "log.cleaner.threads", "2") for one in recorder.epochs),
    ]
    for turn in range(4):
        for resource, key, value in resources:
            change = (key, m.SET, value) if turn % 2 == 0 else (key, m.DELETE, None)
            recorder.ask(m.IncrementalAlterConfigsRequest(resources=(m.ConfigChanges(resource, (change,)),)))
    for broker in recorder.epochs:
        recorder.ask(m.AllocateProducerIdsRequest(broker_id=broker, broker_epoch=recorder.epochs[broker]))


def _security(recorder: Recorder, topics: list[str]) -> None:
    entries = tuple(
        m.AclBinding(
            resource_type=m.TOPIC_RESOURCE, resource_name=name, pattern_type=3, principal=f"User:{user}", host="*",
            operation=3, permission_type=3,
        )
        for name in topics
        for user in ("alice", "bob")
    )  # fmt: skip
    recorder.ask(m.CreateAclsRequest(entries))
    for user in ("alice", "bob"):
        entity = (("user", user),)
        recorder.ask(m.AlterClientQuotasRequest((m.ClientQuotaAlteration(entity, (("producer_byte_rate", 1e6),)),)))
    recorder.ask(m.DeleteAclsRequest((_FILTER,)))
    for user in ("alice", "bob"):
        entity = (("user", user),)
        recorder.ask(m.AlterClientQuotasRequest((m.ClientQuotaAlteration(entity, (("producer_byte_rate", None),)),)))
