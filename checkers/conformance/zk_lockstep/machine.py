"""A protocol's rows run beside a cluster, one at a time, with the properties asked and the calls in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.firing import Diverged, Firing
from fencepost.model.language import Protocol
from fencepost.model.zk import state as zk

from .compare import Comparison
from .state import Names

MOST_CALLS = 64
"""More calls than any operation has: what goes on longer is a circle in the tables."""


class TableRun(Firing):
    """The rows of the tables, run as a cluster's steps ask, with the calls of an operation in their order."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(protocol)
        self.names = Names(self.rows)
        self._comparison = Comparison(self.rows, self.names)

    # -- calls of an operation -------------------------------------------------------------------------------------
    def _call(self, node: int) -> zk.Call:
        found: zk.Call = self.rows.read(zk.call.state, node)
        return found

    def _waits(self, node: int) -> list[str]:
        """Return what the call has not come to yet."""
        table = self.rows.cells.tables
        due = table[self.rows.numbers[zk.due.state]]
        replicas = table[self.rows.numbers[zk.due_replicas.state]]
        found = [f"partition {key[1]}" for key in due if key[0] == node]
        return found + [f"replicas {sorted(value)} of {key[1]}" for key, value in replicas.items() if key[0] == node]

    def _go_on(self, node: int) -> None:
        """Run the row that ends a call which has come to everything; raises `Diverged` where there is none."""
        waits = self._waits(node)
        if waits:
            raise Diverged(f"{self._call(node).value}: still to come to {waits[0]}")
        if self.rows.applicable("NextCall", {"c": node}) is not None:
            self._fire("NextCall", c=node)
            return
        for partition in list(self.rows.domains["Partition"]):
            topic = dict(partition)["topic"]
            gives_up = self.rows.applicable("DeleteTopicZnodes", {"c": node, "t": topic})
            if gives_up is not None and gives_up.row.id == "ZC9s":
                # Its session is gone: the event ends without a word.
                self._fire("DeleteTopicZnodes", c=node, t=topic)
                return
            for event in ("ReassignmentPhase", "UpdateAssignment"):
                parameters = {"c": node, "p": partition}
                if event == "UpdateAssignment":
                    parameters["target"] = self.rows.read(zk.aim.state, node)
                    ran = self.rows.applicable(event, parameters)
                    if ran is None or ran.row.id != "ZC5k":
                        continue
                if self.rows.applicable(event, parameters) is not None:
                    self._fire(event, **parameters)
                    return
        raise Diverged(f"{self._call(node).value}: the tables do not go on by themselves here")

    def _until(self, node: int, there: Callable[[], bool], what: str) -> None:
        for _ in range(MOST_CALLS):
            if there():
                return
            if self._call(node) is zk.Call.IDLE:
                raise Diverged(f"the event thread waits for an event, {what}")
            self._go_on(node)
        raise Diverged(f"the calls of the tables go in a circle, {what}")

    def _until_idle(self, node: int) -> None:
        self._until(node, lambda: self._call(node) is zk.Call.IDLE, "")

    def _called(self, event: str, parameters: Mapping[str, Any]) -> bool:
        given = self.rows.events[event].given
        binding = {var: parameters[var.name] for var in self.rows.events[event].params}
        return bool(self.rows.value(given, binding))
