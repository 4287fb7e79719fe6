"""The state of the tables beside a run, of which a step sees a window: what is stable everywhere is left out.

Rows go over all offsets, while a step changes nothing below the oldest in-memory snapshot of its node but where it
replaces all. So a step is evaluated with those offsets that lie between that snapshot and the end of what the node
knows. A step that replaces all, or whose conditions speak of records however old, is evaluated with the landmarks too:
records that are no mere data. Below its oldest snapshot a node's snapshots have what its state has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs, SliceState
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_loop import state as s
from fencepost.model.kraft_loop.state import Future

from .logs import Logs
from .results import LoopResult

KNOWS = ("applied", "committed", "stable", "next_write", "transaction")
"""The variables with the positions of a node: all of them begin with 0."""

REQUESTS = ("future", "asked", "expired", "wrote_in", "wrote_from", "parked_at")


class Window(SliceState):
    """The cells of all nodes, requests and logs; `see` chooses what of them a step is about, `fire` runs its rows."""

    def __init__(self, rows: WholeRows, out: LoopResult) -> None:
        super().__init__(rows, out)
        self.logs = Logs(rows, self.cells)
        self.snapshots: dict[Any, set[int]] = {}
        tables, initial = self.cells.tables, rows.initial
        self._cells = {state.name: (tables[number], initial[number]) for number, state in enumerate(rows.states)}
        self._knows = tuple(self.table(name) for name in KNOWS)
        self._claim, self._known_epoch, self._snapshot = map(self.table, ("claim", "known_epoch", "snapshot"))
        self._effect, self._kept = self.table("effect"), self.table("kept")
        self._offsets: dict[int, None] = {}

    # -- cells -----------------------------------------------------------------------------------------------------
    def get(self, name: str, *keys: Any) -> Any:
        """Return what a cell holds."""
        table, first = self._cells[name]
        return table.get(keys[0] if len(keys) == 1 else keys, first)

    def table(self, name: str) -> dict[Any, Any]:
        """Return the cells of a state variable that differ from its initial value."""
        found: dict[Any, Any] = self._cells[name][0]
        return found

    def meet(self, request: int) -> None:
        """Know a request."""
        self.rows.meet(s.REQUEST, request)

    def forget(self, request: int) -> None:
        """Know a request no more that has its answer."""
        del self._domains["Request"][request]
        for name in REQUESTS:
            self.table(name).pop(request, None)

    def live(self) -> Mapping[int, None]:
        """Return the requests that are known."""
        return self._domains["Request"]

    # -- the window ------------------------------------------------------------------------------------------------
    def follows(self, node: Any) -> int:
        """Return the epoch whose log a node applies."""
        found: int = self._claim.get(node, 0) or self._known_epoch.get(node, 0)
        return found

    def floor(self, node: Any) -> int:
        """Return the end of what no revert of a node can touch."""
        mine = self.snapshots.get(node)
        return min(mine) if mine else 0

    def see(
        self, *nodes: Any, low: int | None = None, high: int = 0, epochs: tuple[int, ...] = (), landmarks: bool = False
    ) -> None:
        """Evaluate the next rows for some nodes, and for offsets and logs that are named."""
        least, last = low, high
        applied, committed, stable, next_write, transaction = self._knows
        for node in nodes:
            knows = applied.get(node, 0), committed.get(node, 0), stable.get(node, 0)
            floor = min(self.floor(node), *knows)
            last = max(last, *knows, next_write.get(node, 0))
            if opened := transaction.get(node, 0):
                floor = min(floor, opened - 1)
            if least is None or floor < least:
                least = floor
        begin = least - 1 if least else 0
        for epoch in epochs:
            self.logs.show(epoch, begin, last, landmarks)
        for node in nodes:
            self.logs.show(self.follows(node), begin, last, landmarks)
        offsets: dict[int, None] = dict.fromkeys(range(begin, last + 1))
        if landmarks:
            offsets.update(dict.fromkeys(self.logs.landmarks))
            for node in nodes:
                self._show_kept(node)
        self.cells.set_domain("offset", offsets)
        self._offsets = offsets

    def _show_kept(self, node: Any) -> None:
        memory, kept, floor = self._effect, self._kept, self.floor(node)
        for mark in self.logs.landmarks:
            if mark < floor - 1 and (node, mark) in memory:
                for one in self.snapshots[node]:
                    kept[node, one, mark] = memory[node, mark]

    def settle(self, node: Any) -> None:
        """Forget of a node what no row will ask about any more, after rows that were about it."""
        there, memory, kept, landmarks = self._snapshot, self._effect, self._kept, self.logs.landmarks
        mine = self.snapshots[node] = {at for at in self._offsets if (node, at) in there}
        below = min(mine) - 1 if mine else -1
        for at in self._offsets:
            if at < below:
                if at not in landmarks:
                    memory.pop((node, at), None)
                for one in mine:
                    kept.pop((node, one, at), None)

    # -- rows ------------------------------------------------------------------------------------------------------
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
