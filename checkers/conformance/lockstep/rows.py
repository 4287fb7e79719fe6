"""The rows of a protocol as Python functions over numbered tables: guards, records, answers and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from fencepost.model.language import Event, Protocol, Record, Row, Var
from fencepost.model.language.effects import Update, Written
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE

from .printing import Body, Function, Printer


class CompiledRow:
    """A row's functions, each printed when it is first run: for most rows of an event that never happens."""

    def __init__(self, row: Row, rows: Rows) -> None:
        self.row, self._rows = row, rows

    @cached_property
    def guard(self) -> Function:
        """Whether the row applies where its table's assumption on the event's parameters holds."""
        return self._rows.printer.function(self.row.when, self.row.event.params)

    @cached_property
    def say(self) -> Function | None:
        """The answer, None where the row has none."""
        row = self.row
        return None if row.say is None else self._rows.printer.function(row.say, row.event.params)

    @cached_property
    def changes(self) -> tuple[Function, ...]:
        """The cells that the row writes, by stage."""
        params = self.row.event.params
        return tuple(self._rows.changes(stage.updates, params) for stage in self.row.stages)

    @cached_property
    def written(self) -> tuple[tuple[tuple[Record, Function], ...], ...]:
        """The records of each stage, with the function that lists their fields."""
        params = self.row.event.params
        return tuple(
            tuple((one.record, self._rows.written(one, params)) for one in stage.written) for stage in self.row.stages
        )

    @cached_property
    def soft(self) -> tuple[Function, ...]:
        """The changes of soft cells."""
        return self._rows.soft(self.row, self.row.event.params)


class Run(NamedTuple):
    """The rows of one event in one table, asked where `given` holds; of a table of the first match one row counts."""

    given: Function
    is_first_match: bool
    rows: tuple[CompiledRow, ...]


class Rows:
    """The rows of a protocol over tables with these numbers; `hard` are the tables that only records change."""

    def __init__(
        self,
        protocol: Protocol,
        numbers: Mapping[State[Any], int],
        printer: Printer,
        hard: frozenset[int] = frozenset(),
    ) -> None:
        self.protocol, self.numbers, self.printer, self.hard = protocol, numbers, printer, hard
        self.events: dict[str, Event] = {event.name: event for event in protocol.events}
        self._runs: dict[str, tuple[Run, ...]] = {}

    def runs(self, event: str) -> tuple[Run, ...]:
        """Return the rows of an event, table by table."""
        found = self._runs.get(event)
        if found is None:
            one = self.events[event]
            given = self.printer.function(one.given, one.params)
            by_table = [(table, [row for row in table.rows if row.event is one]) for table in self.protocol.tables]
            found = self._runs[event] = tuple(
                Run(given, table.mode == "first match", tuple(CompiledRow(row, self) for row in rows))
                for table, rows in by_table
                if rows
            )
        return found

    def soft(self, row: Row, params: Sequence[Var[Any]]) -> tuple[Function, ...]:
        """Return the functions that list what a row does to soft cells."""
        return tuple(
            self.changes(updates, params)
            for stage in row.stages
            if not stage.written
            and (updates := [one for one in stage.updates if self.numbers[one.target.state] not in self.hard])
        )

    def changes(self, updates: Sequence[Update], params: Sequence[Var[Any]]) -> Function:
        """Return the function that lists what updates make of cells: number of the table, key, value."""
        body, lines = Body(), ["found = []"]
        for update in updates:
            opened, pad = self._loops(update.binders, body)
            lines += opened
            if update.when is not TRUE:
                lines.append(f"{pad}if {self.printer.text(update.when, body)}:")
                pad += "    "
            keys = [self.printer.text(key, body) for key in update.target.keys]
            key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
            value = self.printer.text(update.value, body)
            lines.append(f"{pad}found.append(({self.numbers[update.target.state]}, {key}, {value}))")
        return self.printer.define(params, [*lines, "return found"], body)

    def written(self, one: Written, params: Sequence[Var[Any]]) -> Function:
        """Return the function that lists the fields of a record for every binding under its condition."""
        body = Body()
        opened, pad = self._loops(one.binders, body)
        lines = ["found = []", *opened]
        lines.append(f"{pad}if {self.printer.text(one.when, body)}:")
        lines.append(f"{pad}    fields = {{}}")
        for given in one.fields:
            value = f"fields[{given.field!r}] = {self.printer.text(given.value, body)}"
            said = "" if given.said is TRUE else f"if {self.printer.text(given.said, body)}: "
            lines.append(f"{pad}    {said}{value}")
        lines += [f"{pad}    found.append(fields)", "return found"]
        return self.printer.define(params, lines, body)

    def _loops(self, binders: Sequence[Var[Any]], body: Body) -> tuple[list[str], str]:
        """Return the lines that open a loop for each variable, and the indentation inside."""
        lines, pad = [], ""
        for var in binders:
            lines.append(f"{pad}for {self.printer.variable(var)} in {self.printer.domain(var.kind, body)}:")
            pad += "    "
        return lines, pad
