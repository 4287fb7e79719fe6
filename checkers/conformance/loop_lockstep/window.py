"""The state of the tables beside a run, of which a step sees a window: what is stable everywhere is left out.

Rows go over all offsets, while a step changes nothing below the oldest in-memory snapshot of its node but where it
replaces all. So a step is asked with those offsets that lie between that snapshot and the end of what the node knows.
A step that replaces all, or whose conditions speak of records however old, is asked with the landmarks too: records
that are no mere data. Below its oldest snapshot a node's snapshots have what its state has.
"""

from __future__ import annotations

from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs, SliceState
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_loop import state as s
from fencepost.model.kraft_loop.state import Future

from .logs import Logs
from .results import LoopResult

REQUESTS = ("future", "asked", "expired", "wrote_in", "wrote_from", "parked_at")


class Window(SliceState):
    """The cells of all nodes, requests and logs; `see` chooses what of them a step is about, `fire` runs its rows."""

    def __init__(self, rows: WholeRows, out: LoopResult) -> None:
        super().__init__(rows, out)
        self.logs = Logs(rows, self.cells)
        self.snapshots: dict[Any, set[int]] = {}
        self._numbers = {state.name: number for number, state in enumerate(rows.states)}
        self._offsets: list[int] = []

    # -- cells -----------------------------------------------------------------------------------------------------
    def get(self, name: str, *keys: Any) -> Any:
        """Return what a cell holds."""
        number = self._numbers[name]
        key = keys[0] if len(keys) == 1 else keys
        return self.cells.tables[number].get(key, self.rows.initial[number])

    def table(self, name: str) -> dict[Any, Any]:
        """Return the cells of a state variable that differ from its initial value."""
        found: dict[Any, Any] = self.cells.tables[self._numbers[name]]
        return found

    def meet(self, request: int) -> None:
        """Know a request."""
        self.rows.meet(s.REQUEST, request)

    def forget(self, request: int) -> None:
        """Know a request no more that has its answer."""
        del self._domains["Request"][request]
        for name in REQUESTS:
            self.table(name).pop(request, None)
        self.cells.memo.clear()

    def live(self) -> list[int]:
        """Return the requests that are known."""
        return list(self._domains["Request"])

    # -- the window ------------------------------------------------------------------------------------------------
    def follows(self, node: Any) -> int:
        """Return the epoch whose log a node applies."""
        found: int = self.get("claim", node) or self.get("known_epoch", node)
        return found

    def floor(self, node: Any) -> int:
        """Return the end of what no revert of a node can touch."""
        return min(self.snapshots.get(node, ()), default=0)

    def see(
        self,
        *nodes: Any,
        low: int | None = None,
        high: int = 0,
        epochs: tuple[int, ...] = (),
        landmarks: bool = False,
    ) -> None:
        """Let the next rows be asked of some nodes, and of offsets and logs that are named."""
        lows, highs = [] if low is None else [low], [high]
        shown = list(epochs)
        for node in nodes:
            knows = [self.get(one, node) for one in ("applied", "committed", "stable")]
            lows += [self.floor(node), *knows]
            highs += [*knows, self.get("next_write", node)]
            if self.get("transaction", node):
                lows.append(self.get("transaction", node) - 1)
            shown.append(self.follows(node))
        first, last = max(min(lows) - 1, 0), max(highs)
        for epoch in shown:
            self.logs.show(epoch, first, last, landmarks)
        offsets: dict[Any, None] = dict.fromkeys(range(first, last + 1))
        if landmarks:
            offsets.update(dict.fromkeys(self.logs.landmarks))
            for node in nodes:
                self._show_kept(node)
        self._domains["offset"] = offsets
        self._offsets = list(offsets)
        self.cells.memo.clear()

    def _show_kept(self, node: Any) -> None:
        memory, kept, floor = self.table("effect"), self.table("kept"), self.floor(node)
        for mark in self.logs.landmarks:
            if mark < floor - 1 and (node, mark) in memory:
                for one in self.snapshots[node]:
                    kept[node, one, mark] = memory[node, mark]

    def settle(self, node: Any) -> None:
        """Forget of a node what no row will ask about any more, after rows that were about it."""
        there, memory, kept = self.table("snapshot"), self.table("effect"), self.table("kept")
        mine = self.snapshots[node] = {at for at in self._offsets if (node, at) in there}
        below = self.floor(node) - 1
        for at in self._offsets:
            if at < below:
                if at not in self.logs.landmarks:
                    memory.pop((node, at), None)
                for one in mine:
                    kept.pop((node, one, at), None)

    # -- rows ------------------------------------------------------------------------------------------------------
    def applies(self, event: str, **parameters: Any) -> bool:
        """Whether a row of an event applies."""
        return self.rows.applicable(event, parameters) is not None

    def same(self, what: str, tables: Any, told: Any) -> None:
        """Raise `Differs` where the tables and a step differ."""
        if tables != told:
            after = f" after {self.last}" if self.last else ""
            raise Differs(f"{what} is {_text(tables)} by the tables{after}, {_text(told)} by the step.", self.last)


def _text(value: Any) -> str:
    if isinstance(value, Future):
        return value.value
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(map(str, sorted(value))) + "}"
    return str(value)
