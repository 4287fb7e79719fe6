"""Finding D15 on a cluster of Kafka 4.4.0: two reassignments and two clean restarts lose acknowledged records."""

import json
from pathlib import Path

import pytest

from .cluster import CONTROLLER, Cluster

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.nightly("tests/kafka/test_answers.py::test_a_replica_that_was_removed_and_added_again_is_elected"),
]

TOPIC, MOVED = "moved", 1
"""Partition 0 keeps its two replicas, and with them the minimum by which the controller keeps who is eligible."""


def described(cluster: Cluster, words: str) -> None:
    """Wait until the partition that moves is described so."""
    cluster.until_partitions({TOPIC: 1}, f"{MOVED} {words}")


def test_a_replica_that_was_removed_leads_cleanly_without_a_record(tmp_path: Path) -> None:
    """A replica that was removed and is added again is still eligible: it is elected with an empty log."""
    ledger = tmp_path / "ledger.ndjson"
    with Cluster(tmp_path, (1, 2), ledger) as cluster:
        cluster.format()
        for node in (CONTROLLER, 1, 2):
            cluster.start(node)
        cluster.drive()
        cluster.until_done(f"create {TOPIC} 2 2 min.insync.replicas=2")
        cluster.until_partitions({TOPIC: 2}, "isr [1,2]")
        cluster.until_done(f"reassign {TOPIC} {MOVED} 1")
        described(cluster, "leader 1 isr [1] elr [2]")
        cluster.until_done(f"send {TOPIC} {MOVED} 5")
        cluster.stop(2)
        cluster.until_done(f"reassign {TOPIC} {MOVED} 1,2")
        described(cluster, "leader 1 isr [1] elr [2]")
        cluster.stop(1)
        cluster.start(2)
        described(cluster, "leader 2 isr [2] elr [1]")
        cluster.until_done(f"end {TOPIC} {MOVED}")
        cluster.start(1)
        described(cluster, "leader 2 isr [1,2]")
        cluster.until_done(f"end {TOPIC} {MOVED}")
        cluster.end_driver()
    acknowledged = [json.loads(line) for line in ledger.read_text().splitlines()]
    assert [one.get("offset") for one in acknowledged] == [0, 1, 2, 3, 4]
    ends = [step["result"] for step in cluster.steps if step["step"].startswith("end ")]
    assert ends == ["OK 0", "OK 0"]
