"""Lock step of data: the decisions of controllers and steps of brokers, checked by the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs
from fencepost.model.kraft_data import state as s
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.model.language import Protocol
from fencepost.traces import broker_steps as told
from fencepost.traces.broker_steps import BrokerStep
from fencepost.traces.steps import Step

from .control import Change, ControlLog, Decision, Key
from .partition import DIRECTORY, ELR_OFF, MOVED, MinimumDiffers
from .replicas import Replicas
from .results import DataDivergence, DataResult
from .tables import tables

ACCEPTS = ("AlterPartition", "AlterPartitionElects")
REGISTERS = ("RegisterUncleanly", "RegisterUncleanlyAsLeader", "RegisterUncleanlyElectsUncleanly")
DECIDES = ("Fence", "Elect", "FenceLeader", "ElectUncleanly")

DELETED_TOPIC = "the topic is deleted"
AFTER_A_DIFFERENCE = "the partition differed before"
INHERITED = "a broker took a deleted topic's configuration for the topic's (D28)"
OWN_MINIMUM = "the leader's node has a min.insync.replicas of its own"
NO_REPLICA = "who is no replica any more is still eligible (D15)"
LOWERED = "the controller counts the replicas of partition 0 for another partition's minimum (D25)"
NO_COPY = "a refused proposal that is not the present one"

KNOWING = frozenset(
    name for name, fields in told.TOLD.items() if name != told.HEARS and {"offset", "broker_epoch"}.intersection(fields)
)
"""The steps that say up to where a broker has read the log, or under which broker epoch a broker registered."""


class DataLockStep:
    """The tables of `kraft-data` beside a running cluster: `step` checks a step of a broker, or of a controller.

    `static_min` is the controllers' and brokers' own min.insync.replicas; `protocol` may be an edit of `kraft-data`.
    Decisions count once they are committed, which shows by the next step of a controller or by a broker that has read
    them.
    """

    def __init__(self, static_min: int = 1, protocol: Protocol = KRAFT_DATA) -> None:
        self.out = DataResult()
        self._tables = tables(protocol)
        self._log = ControlLog(static_min)
        self._partitions: dict[Key, Replicas] = {}
        self._broker_epochs: dict[int, list[int]] = {}
        self._down: set[int] = set()
        self._stopped_ns: dict[int, int] = {}
        self._number = 0
        self._found: list[DataDivergence] = []

    def step(self, step: Step | BrokerStep) -> list[DataDivergence]:
        """Check a step; return its differences from the tables. A partition that differs is checked no further."""
        self._number += 1
        if self._found:
            self._found = []
        if isinstance(step, BrokerStep):
            self.out.steps += 1
            self._broker(step)
        else:
            self._log.put(step)
            self._decide(self._log.committed(max(step.stable, step.base_offset if step.name == "claim" else 0)))
        return self._found

    # -- brokers ---------------------------------------------------------------------------------------------------
    def _broker(self, step: BrokerStep) -> None:
        time_ns, node, name, key, values = step
        if name in KNOWING:
            self._know(values)
        elif name == told.HEARS:
            self._know_by_answer(key, values)
        elif name == told.STOPS:
            self._stopped_ns[node] = time_ns
            if values["how"] == "clean shutdown":
                self._down.discard(node)
            else:
                self._down.add(node)
        partition = self._partitions.get(key)
        if partition is None or partition.lost:
            kept = partition is not None and partition.lost in (INHERITED, OWN_MINIMUM)
            why = DELETED_TOPIC if partition is None else partition.lost if kept else AFTER_A_DIFFERENCE
            self.out.unjudged[name, why] += 1
            return
        partition.turn()
        try:
            why = partition.step(node, name, values)
        except Differs as wrong:
            why = self._another_minimum(key, node) if isinstance(wrong, MinimumDiffers) else ""
            if why == OWN_MINIMUM:
                self.out.unjudged[name, why] += 1
            elif why == INHERITED:
                self.out.declared["D28"] += 1
            if why:
                partition.leave(why)
                partition.lost = why
                return
            self._differs(partition, time_ns, node, name, key, values, wrong)
            return
        if partition.fired:
            self.out.steps_judged += 1
        else:
            self.out.unjudged[name, why or "nothing changes"] += 1

    def _know(self, values: Mapping[str, Any]) -> None:
        """Make the decisions that a broker knows of which has read the log so far."""
        log = self._log
        for known in (values.get("offset"), values.get("broker_epoch")):
            if known is not None and known + 1 >= log.next_end:
                self._decide(log.committed(known + 1))

    def _know_by_answer(self, key: Key, values: Mapping[str, Any]) -> None:
        """Make the decisions that a leader knows of which has the answer to its proposal."""
        self._know(values)
        if values["error"] == "INELIGIBLE_REPLICA":
            self._decide(self._log.answered(key, values["leader_epoch"]))
        else:
            self._decide(self._log.until(key, values["partition_epoch"]))

    def _another_minimum(self, key: Key, node: int) -> str:
        """Return why a leader may know another min.insync.replicas than the topic's, "" where nothing says so."""
        if node in self._log.own_minimum:
            return OWN_MINIMUM
        return INHERITED if self._log.inherits(key) else ""

    def _differs(
        self, partition: Replicas, time_ns: int, node: int, name: str, key: Key, values: Any, wrong: Differs
    ) -> None:
        partition.lost = str(wrong)
        self._found.append(
            DataDivergence(
                self._number, time_ns, node, name, values, str(wrong), key, rows=tuple(partition.fired), near=wrong.near
            )
        )

    # -- controllers -----------------------------------------------------------------------------------------------
    def _decide(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            if decision.registered is not None:
                broker, epoch = decision.registered
                self._broker_epochs.setdefault(broker, []).append(epoch)
                if self._stopped_ns.get(broker, -1) < decision.step.time_ns:
                    self._down.discard(broker)
            about = {*decision.changes, *decision.minima, *(key for key, _ in decision.refused)}
            for key, one in self._partitions.items() if about or decision.registered is not None else ():
                if not one.lost and (key in about or decision.registered is not None):
                    self._one(key, one, decision)
            for key, changes in decision.changes.items():
                if key not in self._partitions:
                    self._create(key, changes, decision)
            for key in decision.deleted:
                self._partitions.pop(key, None)

    def _one(self, key: Key, partition: Replicas, decision: Decision) -> None:
        broker = None if decision.registered is None else decision.registered[0]
        mine = broker is not None
        if broker is not None:
            partition.meet_broker(broker)
        refused = [epoch for one, epoch in decision.refused if one == key]
        changes = decision.changes.get(key, [])
        partition.turn()
        try:
            if mine or changes or key in decision.minima:
                self._changes(key, partition, decision, changes, broker if mine else None)
            for epoch in refused:
                self._refuse(partition, epoch)
        except Differs as wrong:
            told_ = {"change": [f"{one.before} to {one.now}" for one in changes]}
            step = decision.step
            self._differs(partition, step.time_ns, step.node, step.name, key, told_, wrong)

    def _changes(
        self, key: Key, partition: Replicas, decision: Decision, changes: list[Change], broker: int | None
    ) -> None:
        if broker is not None and decision.unclean and not partition.read(s.crashed, broker):
            # No step reports the stop of a process that had no log of the partition yet.
            partition.fire("Stop", b=broker, n=partition.read(s.log_end, broker), noticed=True)
            partition.fired.clear()
        lost = broker is not None and partition.read(s.crashed, broker)
        clearing = bool(changes) and changes[0].clears
        if key in decision.minima or (clearing and key not in decision.minima):
            minimum = decision.minima.get(key, self._log.minimum(key, len(changes[0].now.replicas) if changes else 1))
            self.out.decisions += 1
            if not clearing and not self._log.elr_on and partition.is_anybody_eligible():
                self.out.unjudged[decision.step.name, ELR_OFF] += 1
                partition.leave(ELR_OFF)
                partition.another_minimum(minimum, decision.offset)
            else:
                partition.reconfigure(minimum, clearing)
                partition.configs.append((decision.offset, partition.read(s.config)))
                self.out.decisions_judged += 1
            changes = changes[1:] if clearing else changes
        for change in changes:
            self._change(key, partition, decision, change, broker if lost else None)
            lost = False
        if lost and broker is not None:
            self._registers(partition, broker)
        if broker is not None and decision.registered is not None:
            partition.registered(*decision.registered)
            again = broker in self._down and self._stopped_ns.get(broker, -1) > decision.step.time_ns
            if again and not partition.read(s.crashed, broker):
                # It stopped before any node could know that the registration is committed.
                partition.fire("Stop", b=broker, n=partition.read(s.log_end, broker), noticed=True)

    def _change(self, key: Key, partition: Replicas, decision: Decision, change: Change, lost: int | None) -> None:
        name = decision.step.name
        events = ACCEPTS if name == "alterPartition" else REGISTERS if lost is not None else DECIDES
        before = change.before
        assert before is not None
        outside = ""
        if not self._log.elr_on:
            outside = ELR_OFF
            partition.leave(ELR_OFF)
        elif partition.left in (NO_REPLICA, LOWERED):
            outside = partition.left
        elif before.outsiders:
            outside = NO_REPLICA
        elif self._log.lowered(key):
            outside = LOWERED
        elif change.now.replicas != before.replicas or before.moving or change.now.moving:
            outside = MOVED
        elif name in ("assignReplicasToDirs",) or self._failing(decision):
            outside = DIRECTORY
        if change.now.outsiders:
            self.out.declared["D15"] += 1
            partition.leave(NO_REPLICA)
        self.out.decisions += 1
        minimum = self._log.minimum(key, len(change.now.replicas))
        if partition.change(change, events, lost, outside):
            self.out.decisions_judged += 1
            if lost is not None and not partition.fired:
                self._registers(partition, lost)
        else:
            self.out.unjudged[name, outside] += 1
            if outside == LOWERED:
                self.out.declared["D25"] += 1
                partition.leave(LOWERED)
            if lost is not None:
                self._forget_life(partition, lost)
        if minimum != partition.read(s.min_isr_in, partition.read(s.config)):
            partition.another_minimum(minimum, decision.offset)
        partition.ask()

    def _failing(self, decision: Decision) -> bool:
        request = decision.step.request
        return bool(getattr(request, "offline", None) or getattr(request, "offline_directories", None))

    def _registers(self, partition: Replicas, broker: int) -> None:
        under = partition.read(s.epoch_at, partition.read(s.partition_epoch))
        ran = partition.rows.applicable("RegisterUncleanly", {"b": broker, "read": under})
        if ran is not None and ran.row.id == "DC7":
            partition.fire("RegisterUncleanly", b=broker, read=under)
        elif not self._log.elr_on:
            self.out.unjudged["registerBroker", ELR_OFF] += 1
            partition.leave(ELR_OFF)
            self._forget_life(partition, broker)
        else:
            near = "" if ran is None else ran.row.id
            raise Differs(
                f"Broker {broker} lost what it had, and {near or 'a row'} takes it out; the controller does not.", near
            )

    def _forget_life(self, partition: Replicas, broker: int) -> None:
        """Start another life of a broker where the controller's decision is none of the rows."""
        partition.put(s.broker_epoch, (broker,), partition.read(s.broker_epoch, broker) + 1)
        partition.put(s.crashed, (broker,), False)
        partition.put(s.truncated, (broker,), False)

    def _refuse(self, partition: Replicas, leader_epoch: int) -> None:
        self.out.decisions += 1
        if partition.rows.applicable("RefuseProposal", {"e": leader_epoch + 1, "queued": False}) is None:
            self.out.unjudged["alterPartition", NO_COPY] += 1
            return
        partition.fire("RefuseProposal", e=leader_epoch + 1, queued=False)
        self.out.decisions_judged += 1

    def _create(self, key: Key, changes: list[Change], decision: Decision) -> None:
        partition = self._partitions[key] = Replicas(self._tables, self.out)
        partition.turn()
        self.out.partitions += 1
        self.out.decisions += 1
        now = changes[0].now
        try:
            partition.create(now, self._log.minimum(key, len(now.replicas)))
            self.out.decisions_judged += 1
            for broker, epochs in self._broker_epochs.items():
                partition.meet_broker(broker)
                for epoch in epochs:
                    partition.registered(broker, epoch)
                if broker in self._down:
                    partition.fire("Stop", b=broker, n=0, noticed=True)
            if not self._log.elr_on:
                partition.leave(ELR_OFF)
            for change in changes[1:]:
                self._change(key, partition, decision, change, None)
        except Differs as wrong:
            step = decision.step
            self._differs(partition, step.time_ns, step.node, step.name, key, {"now": str(now)}, wrong)
