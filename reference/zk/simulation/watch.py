"""Promises that every run is held to while it goes on, whatever the tables say."""

from __future__ import annotations

from collections import Counter

from fencepost.reference.zk import paths
from fencepost.reference.zk.names import Leadership
from fencepost.traces.zk.steps import ZkStep, ZnodeWrite

UNTOLD = "a removed replica got in sync: its removal was in ZooKeeper, the controller died, the leader was not notified"
"""A defect that Kafka has as well: a reassignment is changed or cancelled, and only its first phase is done.

The next controller finds nothing to resume, so no leader epoch is raised and no assignment sent; the leader goes on
with replicas that are assigned no longer, and AlterPartition does not look whether they are.
"""


class Watch:
    """Looks at every step; `violations` are the broken promises, a sentence each, `findings` what Kafka breaks too."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.findings: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self.epoch = 0
        self._leadership: dict[str, Leadership] = {}
        self._replicas: dict[str, list[int]] = {}
        self._untold: dict[str, int] = {}
        self._claims: set[int] = set()
        self._leaders: dict[tuple[str, int, int], int] = {}
        self._applied: dict[tuple[int, str], tuple[int, int]] = {}
        self._incarnations: Counter[int] = Counter()
        # A topic that was deleted may come again, and begins with leader epoch 0.
        self._births: Counter[str] = Counter()

    def step(self, step: ZkStep) -> None:
        """Take a step."""
        self.steps[step.name] += 1
        for write in step.writes:
            self._write(step, write)
        if step.name == "LeaderAndIsr":
            self._applies(step)
        elif step.name == "Elect" and not step.outcome:
            self._claims.add(step.node)
        elif step.name in ("Resign", "Crash"):
            self._claims.discard(step.node)
        elif step.name == "Begin" and step.node not in self._claims:
            self._violated(step, f"{step.parameters['operation']} without having been elected")
        elif step.name in ("RegisterBroker", "Start") and step.parameters.get("restarted", True):
            self._incarnations[step.node] += 1

    def _violated(self, step: ZkStep, what: str) -> None:
        self.violations.append(f"{step.time_ms} {step.name} of {step.node}: {what}")

    def _write(self, step: ZkStep, write: ZnodeWrite) -> None:
        path = write.path
        if path == paths.CONTROLLER_EPOCH:
            self.epoch = max(self.epoch, int(write.data))
        elif path.startswith(f"{paths.TOPICS}/") and path.count("/") == 3:
            self._topic(step, path, write)
        elif path.endswith("/state"):
            partition = path.removeprefix(f"{paths.TOPICS}/").removesuffix("/state")
            if write.op == "delete":
                self._leadership.pop(partition, None)
            else:
                self._births[partition] += write.op == "create"
                self._state(step, partition, paths.leadership_of(write.data, write.version))

    def _topic(self, step: ZkStep, path: str, write: ZnodeWrite) -> None:
        topic = path.rsplit("/", 1)[1]
        prefix = f"{topic}/partitions/"
        if write.op == "delete":
            for partition in [one for one in self._replicas if one.startswith(prefix)]:
                del self._replicas[partition]
        else:
            replicas = write.data["partitions"]
            now = {f"{prefix}{number}": list(found) for number, found in replicas.items()}
            if step.parameters.get("phase") == "U1":
                for partition, found in now.items():
                    if set(self._replicas.get(partition, ())) - set(found):
                        self._untold[partition] = step.epoch
            self._replicas.update(now)

    def _state(self, step: ZkStep, partition: str, now: Leadership) -> None:
        before = self._leadership.get(partition)
        self._leadership[partition] = now
        if step.epoch < self.epoch:
            self._violated(step, f"{partition} is written by epoch {step.epoch}, and {self.epoch} is elected")
        if not now.isr:
            self._violated(step, f"{partition} has no replica in sync")
        if now.leader >= 0 and now.leader not in now.isr:
            self._violated(step, f"{partition} is led by {now.leader}, which is not in sync")
        # A reassignment that is changed leaves replicas in sync for a moment that are assigned no longer; the last one
        # in sync even stays. But none may come that is not assigned.
        known = self._replicas.get(partition, [])
        outside = [one for one in now.isr if one not in known and (before is None or one not in before.isr)]
        if outside and step.epoch > self._untold.get(partition, step.epoch):
            self.findings[UNTOLD] += 1
        elif outside:
            self._violated(step, f"{partition} gets {outside} in sync, which are no replicas of it")
        if before is not None and step.name != "AlterPartition" and now.leader_epoch <= before.leader_epoch:
            self._violated(step, f"{partition} keeps leader epoch {now.leader_epoch} in a controller's change")
        if before is not None and step.name == "AlterPartition" and now.leader_epoch != before.leader_epoch:
            self._violated(step, f"{partition} gets leader epoch {now.leader_epoch} by a leader's wish")

    def _applies(self, step: ZkStep) -> None:
        if step.outcome not in ("leader", "follower"):
            return
        told = step.parameters
        partition, broker = str(told["partition"]), int(told["broker"])
        epochs = (int(told["controller_epoch"]), int(told["leader_epoch"]))
        life = (broker, f"{partition}/{self._incarnations[broker]}")
        before = self._applied.get(life, (-1, -1))
        if epochs[0] < before[0]:
            self._violated(step, f"broker {broker} obeys controller epoch {epochs[0]} after {before[0]}")
        self._applied[life] = epochs
        if step.outcome == "leader":
            topic = partition.rsplit("-", 1)[0]
            path = f"{topic}/partitions/{partition.rsplit('-', 1)[1]}"
            if path in self._leadership:
                key = (partition, epochs[1], self._births[path])
                if self._leaders.setdefault(key, broker) != broker:
                    self._violated(step, f"{partition} has two leaders in leader epoch {epochs[1]}")
