"""The rows of a protocol as Python functions over numbered tables: guards, records, answers and changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any

from fencepost.checkers.printing.function import Function as Printed
from fencepost.model.language import Event, Protocol, Record, Row, Term, Var
from fencepost.model.language.effects import Update, Written
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Ite
from fencepost.model.language.walk import bare, free

from .cells import BEFORE, MISSING
from .instances import where
from .printing import Function, Printer


class CompiledRow:
    """A row's functions, each printed when it is first run: for most rows of an event that never happens."""

    def __init__(self, row: Row, rows: Rows) -> None:
        self.row, self._rows = row, rows

    @cached_property
    def say(self) -> Function | None:
        """The answer, None where the row has none."""
        row = self.row
        return None if row.say is None else self._rows.printer.function(row.say, row.event.params)

    @cached_property
    def written(self) -> tuple[tuple[tuple[Record, Function], ...], ...]:
        """The records of each stage, with the function that lists their fields."""
        params = self.row.event.params
        return tuple(
            tuple((one.record, self._rows.written(one, params)) for one in stage.written) for stage in self.row.stages
        )

    @cached_property
    def soft(self) -> Function:
        """The changes of soft cells."""
        return self._rows.soft(self.row, self.row.event.params)


class Run:
    """The rows of one event in one table, asked where the table's assumption holds."""

    def __init__(self, printer: Printer, event: Event, is_first_match: bool, rows: tuple[CompiledRow, ...]) -> None:
        self.rows, self._printer, self._event, self._is_first_match = rows, printer, event, is_first_match

    @cached_property
    def applying(self) -> Function:
        """Lists the places of the rows that apply: of a table of the first match one counts."""
        params, given = self._event.params, self._event.given
        guards = [one.row.when for one in self.rows]
        function = self._printer.begin(params, [given, *guards])
        if given is not TRUE:
            function.line(f"if not {self._printer.text(given, function)}: return ()")
        if not self._is_first_match:
            function.line("found = []")
        for at, guard in enumerate(guards):
            does = f"return ({at},)" if self._is_first_match else f"found.append({at})"
            function.line(f"if {self._printer.text(guard, function)}: {does}")
        function.line("return ()" if self._is_first_match else "return found")
        return self._printer.end(params, function)


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
        self.names = {event.name: tuple(var.name for var in event.params) for event in protocol.events}
        self._runs: dict[str, tuple[Run, ...]] = {}

    def runs(self, event: str) -> tuple[Run, ...]:
        """Return the rows of an event, table by table."""
        found = self._runs.get(event)
        if found is None:
            one = self.events[event]
            by_table = [(table, [row for row in table.rows if row.event is one]) for table in self.protocol.tables]
            found = self._runs[event] = tuple(
                Run(self.printer, one, table.mode == "first match", tuple(CompiledRow(row, self) for row in rows))
                for table, rows in by_table
                if rows
            )
        return found

    def soft(self, row: Row, params: Sequence[Var[Any]]) -> Function:
        """Return the function that lists what a row does to soft cells."""
        stages = [stage for stage in row.stages if not stage.written]
        updates = [one for stage in stages for one in stage.updates if self.numbers[one.target.state] not in self.hard]
        return self.changes(updates, params)

    def first_of(self, event: Event, is_given: bool) -> Function:
        """Return the function of an event's parameters that lists what the first row that applies makes of a state: the
        row, its answer, its changes stage by stage; nothing where none applies.

        Without `is_given` the assumption on the parameters is not asked.
        """
        printer = self.printer

        def then(row: Row, updates: Sequence[Update], function: Printed) -> None:
            function.count([*_terms(updates), *([] if row.say is None else [row.say])])
            answer = "None" if row.say is None else printer.text(row.say, function)
            function.line(f"return {printer.constant(row)}, {answer}, {self._listed(updates, function)}")

        return self._by_row(event, is_given, "()", then)

    def making(self, event: Event) -> Function:
        """Return the function of an event's parameters that makes the changes of the first row that applies, and
        returns the row; None where none applies.
        """

        def then(row: Row, updates: Sequence[Update], function: Printed) -> None:
            function.count(_terms(updates))
            self._made(updates, function)
            function.line(f"return {self.printer.constant(row)}")

        return self._by_row(event, True, "None", then)

    def _by_row(
        self, event: Event, is_given: bool, nothing: str, then: Callable[[Row, Sequence[Update], Printed], None]
    ) -> Function:
        """Return the function of an event's parameters that does what `then` prints of the first row that applies, with
        its updates, and returns `nothing` where none applies."""
        printer, rows = self.printer, [row for row in self.protocol.rows if row.event is event]
        given = [event.given] if is_given and event.given is not TRUE else []
        function = printer.begin(event.params, [*given, *(row.when for row in rows)])
        for one in given:
            function.line(f"if not {printer.text(one, function)}: return {nothing}")
        for row in rows:
            with function.block(f"if {printer.text(row.when, function)}:"):
                own = function.uses
                then(row, [one for stage in row.stages for one in stage.updates], function)
                function.uses = own
        function.line(f"return {nothing}")
        return printer.end(event.params, function)

    def _made(self, updates: Sequence[Update], function: Printed) -> None:
        """Make updates: all of them are evaluated before the first is made."""
        counts = Counter(one.target.state for one in updates)
        made: list[tuple[Update, str, str]] = []
        for one in updates:
            if one.binders or one.when is not TRUE:
                function.line(f"{(found := function.fresh('c'))} = []")
                self._each_noted(one, one.binders, one.value, found, function, counts[one.target.state] == 1)
                made.append((one, found, ""))
            else:
                key = function.named(self.printer.key(one.target.keys, function))
                made.append((one, key, self.printer.text(one.value, function)))
        # The value of an update may be read from a table that an update before it changes.
        read = [(one, key, value and function.named(value)) for one, key, value in made]
        for one, key, value in read:
            table = function.read(f"{BEFORE}{self.numbers[one.target.state]}")
            if value:
                self._put(one, table, key, value, function)
                continue
            with function.scope():
                function.loop("key, value", key)
                self._put(one, table, "key", "value", function)

    def _each_noted(
        self, one: Update, binders: Sequence[Var[Any]], value: Term[Any], found: str, function: Printed, is_alone: bool
    ) -> None:
        """Note what an update makes of each cell; a choice that all cells of a loop share is made before it."""
        plain = bare(value)
        if plain is one.target and is_alone and not self.printer.may_raise(plain):
            return
        if binders and isinstance(plain, Ite) and free(plain.condition) <= function.variables.keys():
            with function.block(f"if {self.printer.text(plain.condition, function)}:"):
                self._each_noted(one, binders, plain.then, found, function, is_alone)
            with function.block("else:"):
                self._each_noted(one, binders, plain.otherwise, found, function, is_alone)
            return
        with function.scope():
            if binders:
                self._loops(binders[:1], function, [one.when, *one.target.keys, value])
                self._each_noted(one, binders[1:], value, found, function, is_alone)
            else:
                if one.when is not TRUE:
                    where(self.printer, function, one.when)
                self._noted(one, value, found, function, is_alone)

    def _noted(self, one: Update, term: Term[Any], found: str, function: Printed, is_alone: bool) -> None:
        """Note what an update makes of a cell; not where the cell has that value and no other update is about it."""
        printer, number = self.printer, self.numbers[one.target.state]
        key, value = printer.key(one.target.keys, function), printer.text(term, function)
        if not is_alone or printer.initial[number] is MISSING:
            function.line(f"{found}.append(({key}, {value}))")
            return
        value, known = function.named(value), function.values.get(one.target)
        if known is None:
            key = function.named(key)
            table, initial = function.read(f"{BEFORE}{number}"), printer.constant(printer.initial[number])
            old = f"{table}.get({key}, {initial})"
        else:
            old = known.text
        function.line(f"if {value} != {old}: {found}.append(({key}, {value}))")

    def _put(self, one: Update, table: str, key: str, value: str, function: Printed) -> None:
        """Give a cell a value: one that has its initial value is in no table."""
        initial = self.printer.initial[self.numbers[one.target.state]]
        if initial is not MISSING:
            with function.block(f"if {value} == {self.printer.constant(initial)}:"):
                function.line(f"{table}.pop({key}, None)")
            function.line(f"else: {table}[{key}] = {value}")
        else:
            function.line(f"{table}[{key}] = {value}")

    def changes(self, updates: Sequence[Update], params: Sequence[Var[Any]]) -> Function:
        """Return the function that lists what updates make of cells: number of the table, key, value."""
        function = self.printer.begin(params, _terms(updates))
        function.line(f"return {self._listed(updates, function)}")
        return self.printer.end(params, function)

    def _listed(self, updates: Sequence[Update], function: Printed) -> str:
        """Return the list of what updates make of cells as an expression, all that it needs being evaluated here."""
        at = 0
        while at < len(updates) and not updates[at].binders and updates[at].when is TRUE:
            at += 1
        listed = f"[{', '.join(self._change(one, function) for one in updates[:at])}]"
        if at == len(updates):
            return listed
        function.line(f"found = {listed}")
        for one in updates[at:]:
            with function.scope():
                self._loops(one.binders, function, [one.when, *one.target.keys, one.value])
                if one.when is not TRUE:
                    where(self.printer, function, one.when)
                function.line(f"found.append({self._change(one, function)})")
        return "found"

    def _change(self, one: Update, function: Printed) -> str:
        key = self.printer.key(one.target.keys, function)
        return f"({self.numbers[one.target.state]}, {key}, {self.printer.text(one.value, function)})"

    def written(self, one: Written, params: Sequence[Var[Any]]) -> Function:
        """Return the function that lists the fields of a record for every binding under its condition."""
        terms = [one.when, *(term for given in one.fields for term in (given.said, given.value))]
        printer, function = self.printer, self.printer.begin(params, terms)
        function.line("found = []")
        with function.scope():
            self._loops(one.binders, function, terms)
            where(self.printer, function, one.when)
            function.line("fields = {}")
            for given in one.fields:
                said = "" if given.said is TRUE else printer.text(given.said, function)
                with function.block(f"if {said}:") if said else nullcontext():
                    function.line(f"fields[{given.field!r}] = {printer.text(given.value, function)}")
            function.line("found.append(fields)")
        function.line("return found")
        return printer.end(params, function)

    def _loops(self, binders: Sequence[Var[Any]], function: Printed, terms: Sequence[Term[Any]]) -> None:
        """Begin a loop for each variable of some terms; what rests on none of them is evaluated before it."""
        for var in binders:
            self.printer.ahead(terms, function)
            function.loop(name := self.printer.variable(var), self.printer.domain(var.kind, function))
            function.bind(var, name)


def _terms(updates: Sequence[Update]) -> list[Term[Any]]:
    return [term for one in updates for term in (one.when, *one.target.keys, one.value)]
