"""Tables that are run by hand: events by name, in a state that is set cell by cell."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from fencepost.model.language import Protocol, Row, World
from fencepost.model.language.interpreter import Binding, CellKey, Evaluation, Valuation, run
from fencepost.model.language.kinds import IntKind

COUNTERS = 30
"""How far every counter goes."""


class Tables:
    """A state of a protocol and the rows that ran in it; cells by the names of their variables."""

    def __init__(self, protocol: Protocol, **sizes: int) -> None:
        self.protocol = protocol
        counters = {kind.name: COUNTERS for kind in protocol.kinds if isinstance(kind, IntKind)}
        self.world = World.of({**sizes, **counters}, protocol.kinds)
        self._states = {state.name: state for state in protocol.states}
        first: dict[CellKey, Any] = {}
        for state in protocol.states:
            if state.initial is None:
                for keys in product(*(self.world.values(kind) for kind in state.keys)):
                    first[state, keys] = self.world.values(state.kind)[0]
        self.state = Valuation(first)
        self.ran: list[str] = []
        self._last: tuple[Row, Binding, Valuation] | None = None

    def __getitem__(self, at: tuple[Any, ...] | str) -> Any:
        name, *keys = (at,) if isinstance(at, str) else at
        return self.state.read(self._states[name], tuple(keys))

    def __setitem__(self, at: tuple[Any, ...] | str, value: Any) -> None:
        name, *keys = (at,) if isinstance(at, str) else at
        self.state = self.state.but({(self._states[name], tuple(keys)): value})

    def cells(self) -> Mapping[CellKey, Any]:
        """Return all cells that have another value than at the beginning."""
        return dict(self.state)

    def row(self, event: str, **values: Any) -> str | None:
        """Return the id of the row that applies to an event, None if none does."""
        found = self._applies(event, values)
        return found[0].id if found else None

    def do(self, event: str, **values: Any) -> Any:
        """Let something happen and return its answer; raises `AssertionError` where no row applies."""
        found = self._applies(event, values)
        assert found is not None, f"{event}({values}) cannot happen here"
        row, binding = found
        ran = run(row, binding, self.state, self.world)
        self._last = (row, binding, self.state)
        self.state = ran.after
        self.ran.append(row.id)
        return ran.answer

    def replied(self) -> dict[str, Any]:
        """Return what the answer to the last event has beside its error, by name."""
        assert self._last is not None
        row, binding, before = self._last
        around = Evaluation(self.world, before, after=self.state)
        return {name: around.value(term, binding) for name, term in row.event.reply.items()}

    def _applies(self, event: str, values: Mapping[str, Any]) -> tuple[Row, Binding] | None:
        rows = [row for row in self.protocol.rows if row.event.name == event]
        assert rows, f"{self.protocol.name} has no event {event}"
        binding = {one: values[one.name] for one in rows[0].event.params}
        evaluation = Evaluation(self.world, self.state)
        if not evaluation.value(rows[0].event.given, binding):
            return None
        applying = [row for row in rows if evaluation.value(self.protocol.guard(row), binding)]
        assert len(applying) <= 1, f"{event}: {[row.id for row in applying]} apply at once"
        return (applying[0], binding) if applying else None
