"""Compares the state that a node reports after a step with the state that the rows have reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs
from fencepost.model.kraft_loop.state import Future
from fencepost.traces.loop_steps import LoopState, LoopStep

from .window import Window

ANSWERS = {
    "": Future.ANSWERED,
    "NOT_CONTROLLER": Future.NOT_CONTROLLER,
    "REQUEST_TIMED_OUT": Future.TIMED_OUT,
    "UNKNOWN_SERVER_ERROR": Future.UNKNOWN,
}
"""The outcome of a future, by the name of the error; any other is a refusal."""

OFFSETS = ("claim", "next_write", "committed", "stable", "transaction")
"""The variables with the positions that a node reports: all of them begin with 0."""

WAITS = (Future.QUEUED, Future.PARKED)


class Compare:
    """Compares offsets, snapshots in memory, tasks, memory and futures with the cells of a window.

    `off_by_one` has the end of the snapshot that a node has loaded and that it takes for the last offset (D4), until
    the next commit.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self.off_by_one: dict[Any, int] = {}
        self._cells = tuple(window.table(name) for name in OFFSETS)
        self._log_end, self._armed, self._effect = map(window.table, ("log_end", "armed", "effect"))

    def node(self, step: LoopStep, state: LoopState) -> None:
        """Compare what a node has; raises `Differs`."""
        window, node = self._window, step.node
        logs = window.logs
        epoch = window.follows(node)
        most = self._log_end.get(epoch, 0)
        shifted = self.off_by_one.get(node)

        def end(last: int) -> int:
            return logs.end_of(epoch, last - (last == shifted), most)

        if not self._agrees(node, state, end):
            self._offsets(node, state, end)
        self._snapshots(node, set(map(end, state.snapshots)), epoch)
        window.same("Whether periodic tasks are scheduled", self._armed.get(node, False), state.tasks)
        self._memory(node, state)
        if state.parked or window.live():
            parked = {r: window.get("parked_at", r) for r in window.live() if self._waits(r, node)}
            told = {r: end(at) for r, at in state.parked}
            window.same("Who waits in the purgatory, for which end", parked, told)

    def _agrees(self, node: Any, state: LoopState, end: Callable[[int], int]) -> bool:
        """Whether the offsets of a node are those that it says, asked all at once."""
        claims, writes, committed, stable, transaction = self._cells
        claim = claims.get(node, 0)
        mine = (
            self._window.logs.kafka[claim] if claim else -1,
            writes.get(node, 0) if claim else None,
            committed.get(node, 0),
            stable.get(node, 0),
            transaction.get(node, 0),
        )
        try:
            return mine == (
                state.claim,
                end(state.next_write - 1) if state.next_write >= 0 else None,
                end(state.committed),
                end(state.stable),
                0 if state.transaction < 0 else end(state.transaction),
            )
        except Differs:
            return False

    def _offsets(self, node: Any, state: LoopState, end: Callable[[int], int]) -> None:
        """Compare the offsets of a node one after the other."""
        window = self._window
        claim = window.get("claim", node)
        window.same("The epoch of the claim", window.logs.kafka[claim] if claim else -1, state.claim)
        window.same("The next write offset", window.get("next_write", node) if claim else None,
                    end(state.next_write - 1) if state.next_write >= 0 else None)  # fmt: skip
        window.same("The committed offset", window.get("committed", node), end(state.committed))
        window.same("The stable offset", window.get("stable", node), end(state.stable))
        opened = 0 if state.transaction < 0 else end(state.transaction)
        window.same("The open transaction", window.get("transaction", node), opened)

    def _waits(self, request: int, node: int) -> bool:
        window = self._window
        return window.get("future", request) is Future.PARKED and window.get("asked", request) == node

    def _snapshots(self, node: Any, there: set[int], epoch: int) -> None:
        """Compare the snapshots in memory, but for two kinds.

        One of the empty state is there from the beginning. The tables have one between any two records of an
        activation, Kafka none within what it gives to Raft at once.
        """
        window, mine = self._window, self._window.snapshots.get(node, set())
        if mine == there:
            return
        if not window.get("applied", node) or window.get("stable", node) == 0:
            there, mine = there - {0}, mine - {0}
        within = {at for at in mine - there if at and not window.logs.record(epoch, at - 1).ends}
        window.same("The ends of snapshots in memory", mine - within, there)

    def _memory(self, node: Any, state: LoopState) -> None:
        window, logs = self._window, self._window.logs
        first, to = state.memory_from, state.memory_to
        mine: dict[int, int] = {}
        for (who, at), written in self._effect.items():
            if who == node:
                record = logs.records[written, at]
                if record.last >= first:
                    for offset in range(max(record.base, first), min(record.last, to) + 1):
                        mine[offset] = logs.kafka[written]
        if mine != (found := dict(state.memory)):
            wrong = min(at for at in mine.keys() | found.keys() if mine.get(at) != found.get(at))
            window.same(f"The epoch of the record at {wrong} in memory", mine.get(wrong), found.get(wrong))

    def answers(self, step: LoopStep) -> None:
        """Compare what was answered; raises `Differs`."""
        window = self._window
        for request, error in step.answers:
            if request not in window.live():
                raise Differs(f"Request {request} is answered once more, with {error or 'a response'}.")
            window.same(f"The future of request {request}", window.get("future", request),
                        ANSWERS.get(error, Future.REFUSED))  # fmt: skip
            window.forget(request)
        for request in window.live():
            if window.get("asked", request) == step.node and (now := window.get("future", request)) not in WAITS:
                raise Differs(
                    f"The future of request {request} is {now.value} by the tables, and was not completed.",
                    window.fired[-1] if window.fired else "",
                )
