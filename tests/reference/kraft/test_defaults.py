"""Defaults of topics and tasks: Kafka's, and a run uses them."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.settings import Settings

from .bench import Bench
from .single_node import SingleNode

SECOND = 1_000_000_000
PUBLISHED = {
    "num.partitions": 1,
    "default.replication.factor": 1,
    "auto.leader.rebalance.enable": True,
    "leader.imbalance.check.interval.seconds": 300,
    "unclean.leader.election.interval.ms": 300_000,
    "delegation.token.expiry.check.interval.ms": 3_600_000,
    "metadata.max.idle.interval.ms": 500,
}
"""The defaults of Kafka 4.4's server configuration."""

PERIODS = {"electPreferred": 300, "electUnclean": 300, "expireDelegationTokens": 3600, "writeNoOpRecord": 0.5}
"""The seconds between two runs of each task, where no setting says otherwise."""


def test_defaults_are_kafkas() -> None:
    """Each default is that of Kafka 4.4."""
    found = Settings().by_kafka_name()
    assert {name: found[name] for name in PUBLISHED} == PUBLISHED


def made(settings: Settings) -> list[int]:
    """Return how many replicas each partition of a topic has whose request names no numbers."""
    bench = Bench()
    bench.settings = bench.replication.state.settings = settings
    bench.start(*range(1, 10))
    request = m.CreateTopicsRequest(topics=(m.TopicRequest("t"),))
    [answer] = bench.apply(bench.replication.create_topics(request))
    assert answer.error.name == "NONE"
    [topic] = bench.replication.state.topics.values()
    return [len(bench.partition(str(answer.topic_id), number).replicas) for number in topic.partitions]


def test_a_topic_that_names_no_numbers_has_one_partition_with_one_replica() -> None:
    """Without numbers of its own a topic gets the settings' ones: one partition, one replica."""
    assert made(Settings()) == [1]
    assert made(Settings(num_partitions=3, default_replication_factor=2)) == [2, 2, 2]


def periods(settings: Settings) -> dict[str, float]:
    """Return the seconds between two runs of each task of an active controller."""
    node = SingleNode(settings)
    node.lead()
    tasks = node.controller.periodic.tasks.values()
    assert node.controller.periodic.active
    return {one.name: one.period_ns / SECOND for one in tasks if one.name in PERIODS}


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("electPreferred", {"leader_imbalance_check_interval_seconds": 900}, 900),
        ("electPreferred", {"auto_leader_rebalance_enable": False}, None),
        ("electUnclean", {"unclean_leader_election_interval_ms": 900_000}, 900),
        ("expireDelegationTokens", {"delegation_token_expiry_check_interval_ms": 300_000}, 300),
        ("writeNoOpRecord", {"metadata_max_idle_interval_ms": 0}, None),
    ],
)
def test_tasks_run_as_often_as_the_settings_say(name: str, changed: dict[str, Any], expected: float | None) -> None:
    """By default as in PERIODS; a setting that differs changes the task's period alone, or switches it off."""
    assert periods(Settings()) == PERIODS
    other = {key: value for key, value in {**PERIODS, name: expected}.items() if value is not None}
    assert periods(replace(Settings(), **changed)) == other
