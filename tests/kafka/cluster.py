"""A cluster of Kafka 4.4.0 on this machine: one controller, brokers as processes that can be killed, a driver."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
import uuid
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

from .published import HERE, compiled, jars, java
from .servers import free_port

CONTROLLER = 3000
PATIENCE = 90.0
HEAP = "-Xmx256m"
"""Enough for a node; the machine may be a small one."""

CONTROLLER_SETTINGS = {"broker.session.timeout.ms": "3000", "num.network.threads": "1", "num.io.threads": "1"}
BROKER_SETTINGS = {
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "replica.lag.time.max.ms": "2000",
    "replica.high.watermark.checkpoint.interval.ms": "1000",
    "log.cleaner.dedupe.buffer.size": "4194304",
    "log.segment.bytes": "1048576",
    "num.network.threads": "1",
    "num.io.threads": "2",
    "auto.create.topics.enable": "false",
}


class Cluster:
    """Nodes below a directory, started and stopped by name; every step is noted with its time.

    `steps` are the JSON objects of meta.json's timeline: when, what, and the answer where there was one.
    """

    def __init__(self, place: Path, brokers: tuple[int, ...], ledger: Path, settings: dict[str, str] | None = None):
        self.place, self.brokers, self.ledger = place, brokers, ledger
        self.settings = settings or {}
        self.jars = jars("server.pom.xml")
        self.id = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        self.ports = {node: free_port() for node in (CONTROLLER, *brokers)}
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.steps: list[dict[str, Any]] = []
        self._driver: subprocess.Popen[str] | None = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
        if self._driver is not None and self._driver.poll() is None:
            self._driver.kill()

    def note(self, step: str, result: str | None = None) -> None:
        """Add a step to the timeline."""
        found = {"t_ms": int(time.time() * 1000), "step": step}
        self.steps.append(found if result is None else {**found, "result": result})

    def directory(self, node: int) -> Path:
        """Return the log directory of a node."""
        return self.place / str(node)

    def format(self) -> None:
        """Write the configuration of every node and format its directory, with eligible leader replicas on."""
        for node in (CONTROLLER, *self.brokers):
            self._configure(node)
            options = ["--standalone", "--feature", "eligible.leader.replicas.version=1"]
            said = subprocess.run(
                java(self.jars, "kafka.tools.StorageTool", "format", "-t", self.id, "-c", self._config(node))
                + (options if node == CONTROLLER else []),
                capture_output=True, text=True, timeout=PATIENCE, check=False,
            )  # fmt: skip
            assert said.returncode == 0, said.stdout + said.stderr
        self.note(f"formatted {1 + len(self.brokers)} nodes, cluster id {self.id}")

    def _config(self, node: int) -> Path:
        return self.place / f"{node}.properties"

    def _configure(self, node: int) -> None:
        is_controller = node == CONTROLLER
        name = "CONTROLLER" if is_controller else "PLAINTEXT"
        lines = {
            "process.roles": "controller" if is_controller else "broker",
            "node.id": str(node),
            "listeners": f"{name}://127.0.0.1:{self.ports[node]}",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.bootstrap.servers": f"127.0.0.1:{self.ports[CONTROLLER]}",
            "log.dirs": str(self.directory(node)),
            **(CONTROLLER_SETTINGS if is_controller else BROKER_SETTINGS | self.settings),
        }
        self._config(node).write_text("".join(f"{key}={value}\n" for key, value in lines.items()))

    def start(self, node: int) -> None:
        """Start a node, and not wait for it."""
        command = [
            HEAP if word.startswith("-Xmx") else word for word in java(self.jars, "kafka.Kafka", self._config(node))
        ]
        with (self.place / f"{node}.txt").open("ab") as output:
            self.processes[node] = subprocess.Popen(["nice", *command], stdout=output, stderr=output)
        self.note(f"start {node}")

    def kill(self, node: int) -> None:
        """End a node as kill -9 does."""
        self.note(f"kill -9 {node}")
        self.processes[node].kill()
        self.processes[node].wait()

    def stop(self, node: int) -> None:
        """Let a node shut down by itself (SIGTERM), and wait until it has."""
        self.note(f"stop {node}")
        self.processes[node].terminate()
        self.processes[node].wait(PATIENCE)
        self.note(f"stopped {node}")

    def pause(self, node: int) -> None:
        """Stop a node's process without ending it (SIGSTOP)."""
        self.note(f"pause {node}")
        os.kill(self.processes[node].pid, signal.SIGSTOP)

    def resume(self, node: int) -> None:
        """Let a paused process go on (SIGCONT)."""
        self.note(f"resume {node}")
        os.kill(self.processes[node].pid, signal.SIGCONT)

    def sleep(self, seconds: float) -> None:
        """Let the cluster work for a while."""
        time.sleep(seconds)

    def drive(self) -> None:
        """Compile and start the driver; its commands are `say`'s."""
        classes = compiled(self.jars, [HERE / "driver" / "Driver.java"], self.place / "classes")
        servers = ",".join(f"127.0.0.1:{self.ports[node]}" for node in self.brokers)
        command = java(self.jars, "Driver", servers, self.ledger, classes=classes)
        with (self.place / "driver.txt").open("wb") as errors:
            self._driver = subprocess.Popen(
                ["nice", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )

    def say(self, command: str, noted: bool = True) -> str:
        """Give the driver a command and return its answer."""
        driver = self._driver
        assert driver is not None
        assert driver.stdin is not None
        assert driver.stdout is not None
        driver.stdin.write(command + "\n")
        driver.stdin.flush()
        answer = driver.stdout.readline().strip()
        if noted:
            self.note(command, answer)
        return answer

    def until_done(self, command: str) -> None:
        """Give a command again and again until it succeeds; the last answer is noted."""
        deadline = time.monotonic() + PATIENCE
        answer = self.say(command, noted=False)
        while not answer.startswith("OK"):
            assert time.monotonic() < deadline, f"{command}: {answer}"
            time.sleep(0.3)
            answer = self.say(command, noted=False)
        self.note(command, answer)

    def until_partitions(self, topics: dict[str, int], words: str) -> None:
        """Wait until every partition of the topics, given with their numbers of partitions, is described so."""
        deadline = time.monotonic() + PATIENCE
        for topic, partitions in topics.items():
            answer = ""
            while answer.count(words) < partitions:
                assert time.monotonic() < deadline, f"{topic}: not every partition has {words}: {answer}"
                time.sleep(0.3)
                answer = self.say(f"describe {topic}", noted=False)
            self.note(f"describe {topic}", answer)

    def until_full(self, topics: dict[str, int]) -> None:
        """Wait until every broker is in every ISR of the topics."""
        self.until_partitions(topics, "isr [" + ",".join(map(str, sorted(self.brokers))) + "]")

    def end_driver(self) -> None:
        """Let the driver finish what it has sent, and end it."""
        assert self._driver is not None
        assert self._driver.stdin is not None
        self._driver.stdin.close()
        self._driver.wait(PATIENCE)

    def lose_tail(self, node: int, topics: dict[str, int], share: float) -> None:
        """Cut a share of what a killed broker has not flushed off its logs, as a power failure would.

        kill -9 leaves everything in the page cache, so nothing is lost by itself; what lies beyond the broker's
        recovery point was never flushed. The cut is at any byte, mostly inside a batch.
        """
        recovered = _checkpoint(self.directory(node) / "recovery-point-offset-checkpoint")
        for topic, partitions in topics.items():
            for partition in range(partitions):
                log = max((self.directory(node) / f"{topic}-{partition}").glob("*.log"))
                keep = _position(log.read_bytes(), recovered.get(f"{topic} {partition}", 0))
                size = log.stat().st_size
                cut = int((size - keep) * share)
                os.truncate(log, size - cut)
                self.note(f"cut {node} {topic}-{partition}", f"{log.name} from {size} to {size - cut} bytes")

    def copy(self, node: int, place: Path, topics: dict[str, int]) -> None:
        """Copy what says something of the data from a node's log directory."""
        place.mkdir(parents=True)
        source = self.directory(node)
        for name in KEPT:
            if (source / name).exists():
                shutil.copy(source / name, place / name)
        for folder in sorted(source.iterdir()):
            if folder.is_dir() and folder.name.rpartition("-")[0] in topics:
                (place / folder.name).mkdir()
                for file in sorted(folder.iterdir()):
                    if file.suffix == ".log" or file.name in ("leader-epoch-checkpoint", "partition.metadata"):
                        shutil.copy(file, place / folder.name / file.name)


KEPT = (
    ".kafka_cleanshutdown", "meta.properties", "replication-offset-checkpoint", "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
)  # fmt: skip


def _checkpoint(path: Path) -> dict[str, int]:
    lines = path.read_text().splitlines()[2:] if path.exists() else []
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in lines}


def _position(data: bytes, offset: int) -> int:
    """Return the byte at which the first batch from an offset on begins."""
    at = 0
    while at + 12 <= len(data) and int.from_bytes(data[at : at + 8], "big") < offset:
        at += 12 + int.from_bytes(data[at + 8 : at + 12], "big")
    return min(at, len(data))
