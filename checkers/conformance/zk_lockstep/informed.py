"""Whether brokers hear who is alive when the rows say so: before the next change, or by the end of the operation."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.lockstep.cells import MISSING
from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.model.zk import state as zk
from fencepost.traces.zk.steps import ZkStep

_NOBODY: frozenset[int] = frozenset()
CHANGES = ("PartitionState", "ReplicaState", "AlterPartition")
"""The steps whose rows send UpdateMetadata with the change itself."""

TAKEN = ("LeaderAndIsr", "StopReplica", "UpdateMetadata")
"""The steps of the brokers that take a request: whether the same process is the controller is nothing to them."""


class Informed:
    """Messages that controllers owe their brokers: an UpdateMetadata that a row sends, and no step has reported yet.

    The message of a change's row comes with the step of that change. That of a row that begins a call comes before
    the next change, and that of one that ends an operation before the end of the operation around it all. Such rows
    run when the next step asks for them: the step may have been before. More than the rows send is nothing wrong, it
    says nothing that is not so. Where a replica's change failed, or all do because there is no session, Kafka sends
    nothing in its place, and nothing is checked.
    """

    def __init__(self, rows: WholeRows) -> None:
        self.rows = rows
        self._informed, self._call = rows.numbers[zk.informed.state], rows.numbers[zk.call.state]
        self._now: dict[int, frozenset[int]] = {}
        self._later: dict[int, frozenset[int]] = {}
        self._told: dict[int, frozenset[int]] = {}
        self._depth: dict[int, int] = {}
        self._failed: set[int] = set()

    def forget(self, node: int) -> None:
        """Nothing is owed any more: the controller resigned, died, or did something else than the rows."""
        self._now.pop(node, None)
        self._later.pop(node, None)

    def check(self, step: ZkStep, ran: Sequence[Ran]) -> None:
        """Settle what a step sent, after its rows were run; raises `Diverged` where a notification is missing."""
        node, read = step.node, self.rows.read
        if step.name in TAKEN:
            return
        self._nest(step)
        if not read(zk.acting.state, node) or not read(zk.session.state, node) or (step.name == "End" and step.outcome):
            self.forget(node)
            return
        live: frozenset[int] = read(zk.live.state, node)
        sent = frozenset(one.broker for one in step.sent if one.kind == "UpdateMetadata")
        told = self._told[node] = self._told.get(node, _NOBODY) | sent
        changes = step.name in CHANGES
        now, later = ((kept.get(node, _NOBODY) & live) - sent for kept in (self._now, self._later))
        missing = now if changes or step.name == "End" else _NOBODY
        now -= missing
        for one in ran:
            if not any(number == self._informed for number, *_ in one.changes):
                continue
            if changes and one is ran[-1]:
                missing |= live - sent
            elif any(number == self._call and value in (zk.Call.IDLE, MISSING) for number, _, value in one.changes):
                later |= live - told
            else:
                now |= live - told
        if step.name == "ReplicaState" and step.outcome:
            self._failed.add(node)
        if self._depth[node] == 0 and step.name == "End":
            missing, later = missing | now | (_NOBODY if node in self._failed else later), _NOBODY
        self._now[node], self._later[node] = now, later
        if missing:
            raise Diverged(f"sends no UpdateMetadata to {sorted(missing)}, the rows do")

    def _nest(self, step: ZkStep) -> None:
        """Begin to count the notified brokers with an operation that is inside no other."""
        node, depth = step.node, self._depth.get(step.node, 0)
        if step.name in ("Elect", "Resign", "Crash", "Start"):
            depth = 0
        if depth == 0 and step.name in ("Begin", "Elect"):
            self._told[node] = _NOBODY
            self._failed.discard(node)
        self._depth[node] = max(0, depth + (step.name == "Begin") - (step.name == "End"))
