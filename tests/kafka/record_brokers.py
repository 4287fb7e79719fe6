"""Record a cluster of Kafka 4.4.0 under kill -9: `python -m tests.kafka.record_brokers DIRECTORY`."""

import gzip
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from .cluster import BROKER_SETTINGS, CONTROLLER, CONTROLLER_SETTINGS, Cluster

BROKERS = (1, 2, 3)
TOPICS = {"ledger": 3, "alone": 1}
NOTES = (
    "kill -9 of leaders and followers, one broker stopped by SIGSTOP until it is fenced, two tails that were not "
    "flushed cut off by hand (a killed process loses nothing; a power failure would), an election from the eligible "
    "leader replicas, an unclean one of the last known leader in topic alone (min.insync.replicas=1), whose "
    "acknowledged records were in the tail that was cut. At the end broker 3 is stopped cleanly, then 1 and 2 are "
    "killed under load."
)


def scenario(cluster: Cluster) -> None:
    """Run the cluster: what `NOTES` says, in this order."""
    cluster.format()
    for node in (CONTROLLER, *BROKERS):
        cluster.start(node)
    cluster.drive()
    cluster.until_done("create ledger 3 3 min.insync.replicas=2 segment.ms=20000")
    cluster.until_done("create alone 1 3 min.insync.replicas=1")
    cluster.until_full(TOPICS)
    cluster.say("write 30 ledger:3 alone:1")
    cluster.sleep(3)
    cluster.kill(1)
    cluster.sleep(6)
    cluster.start(1)
    cluster.until_full(TOPICS)
    cluster.pause(2)
    cluster.sleep(5)
    cluster.resume(2)
    cluster.until_full(TOPICS)
    cluster.kill(3)
    cluster.sleep(4)
    cluster.lose_tail(3, TOPICS, 0.4)
    cluster.start(3)
    cluster.until_full(TOPICS)
    cluster.say("elect ledger")
    cluster.sleep(1)
    last_of_all(cluster)
    cluster.until_full(TOPICS)
    cluster.say("elect ledger")
    cluster.say("elect alone")
    cluster.sleep(2)
    cluster.stop(3)
    cluster.sleep(1)
    cluster.kill(1)
    cluster.kill(2)
    cluster.say("stop")
    cluster.end_driver()
    cluster.sleep(5)
    cluster.stop(CONTROLLER)


def last_of_all(cluster: Cluster) -> None:
    """Kill 1, stop 2, kill 3, which leads alone by then and loses its tail; 2 comes back first, from the ELR."""
    cluster.kill(1)
    cluster.until_partitions(TOPICS, "isr [2,3]")
    cluster.stop(2)
    cluster.until_partitions({"ledger": 3}, "isr [3] elr [2]")
    cluster.sleep(2)
    cluster.kill(3)
    cluster.lose_tail(3, {"alone": 1}, 0.3)
    cluster.sleep(5)
    cluster.start(2)
    cluster.until_partitions({"ledger": 3}, "leader 2")
    cluster.start(3)
    cluster.until_partitions({"alone": 1}, "leader 3")
    cluster.start(1)


def record(target: Path) -> None:
    """Run the scenario and leave the recording in a new directory."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        ledger, began = place / "ledger.ndjson", time.time()
        with Cluster(place, BROKERS, ledger) as cluster:
            try:
                scenario(cluster)
            except BaseException:
                print(json.dumps(cluster.steps, indent=1), file=sys.stderr)
                raise
        target.mkdir(parents=True)
        for file in sorted((cluster.directory(CONTROLLER) / "__cluster_metadata-0").iterdir()):
            if file.suffix in (".log", ".checkpoint"):
                shutil.copy(file, target / file.name)
        for node in BROKERS:
            cluster.copy(node, target / "brokers" / str(node), TOPICS)
        for segment in target.glob("brokers/*/*/*.log"):
            packed(segment)
        shutil.copy(ledger, target / "ledger.ndjson")
        packed(target / "ledger.ndjson")
        meta = {
            "scenario": target.name,
            "kafka_version": "4.4.0",
            "controllers": [CONTROLLER],
            "brokers": list(BROKERS),
            "log_of_controller": CONTROLLER,
            "props": {"controller": CONTROLLER_SETTINGS, "broker": BROKER_SETTINGS},
            "topics": TOPICS,
            "notes": NOTES,
            "t0_ms": int(began * 1000),
            "seconds": round(time.time() - began),
            "timeline": cluster.steps,
        }
        (target / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")


def packed(path: Path) -> None:
    """Replace a file by its gzipped form."""
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        sys.exit("usage: python -m tests.kafka.record_brokers DIRECTORY, which is made")
    record(Path(sys.argv[1]))
