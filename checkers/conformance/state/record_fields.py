"""Records as printed code reads them: the fields in their order, and what replaying a record changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fencepost.checkers.conformance.classes.changes import Cell, Change
from fencepost.checkers.conformance.classes.classed import replayed
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.printing.calls import UNSAID
from fencepost.checkers.printing.certainty import ALWAYS, AT_TIMES, HIDDEN, Truth, text
from fencepost.checkers.printing.function import Function
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.checkers.printing.unknown import UNKNOWN
from fencepost.model.language import Field, Record, Term, Var
from fencepost.model.language.effects import Update
from fencepost.model.language.nodes import Get, Ite
from fencepost.model.language.walk import bare, free, nary

if TYPE_CHECKING:
    from fencepost.checkers.conformance.state.replay import Layout

FIELDS = "f"
"""The parameter of printed functions that holds a record's fields, in the order of `slots`."""

Replay = Callable[..., "tuple[Change, ...] | None"]
"""Takes the states and a record's fields, and returns what changes; None where a log does not show it."""


def slots(record: Record) -> tuple[Field[Any], ...]:
    """Return the fields of a record in the order in which printed code has them."""
    return (*record.about, *record.fields)


_names: dict[Record, tuple[str, ...]] = {}


def fields_of(record: BoundRecord) -> tuple[Any, ...]:
    """Return what a record says in its fields, in the order of `slots`, `UNSAID` where it says nothing."""
    names = _names.get(record.record)
    if names is None:
        names = _names[record.record] = tuple(field.name for field in slots(record.record))
    values = record.values
    return tuple([values.get(name, UNSAID) for name in names])


class Said:
    """A record of a log as printed code reads it: its type in the tables, its fields in order, and its wire version."""

    __slots__ = ("fields", "record", "version")

    def __init__(self, record: Record | None, fields: tuple[Any, ...], version: int | None) -> None:
        self.record, self.fields, self.version = record, fields, version


def bind_fields(function: Function, record: Record, name: str = FIELDS) -> None:
    """Bind the variables of a record's fields to what the record says."""
    for at, field in enumerate(slots(record)):
        here = f"{name}[{at}]"
        if not field.optional:
            function.bind(field.value, here)
            continue
        function.bind(field.value, f"(U if {here} is N else {here})", AT_TIMES)
        if isinstance(field.said, Var):
            function.bind(field.said, f"({here} is not N)")
            function.shown[field.said] = field.value, here


def print_replay(printer: TermPrinter, layout: Layout, record: Record) -> Replay:
    """Return the function that says what replaying a record changes."""
    printer.space.setdefault("changed", partial(changed, layout, len(layout.numbers)))
    printer.space.setdefault("unless_equal", partial(unless_equal, layout))
    return printer.fast("replay", (FIELDS,), partial(Function, "m"), partial(_print_replay, printer, layout, record))


def _print_replay(printer: TermPrinter, layout: Layout, record: Record, function: Function) -> None:
    bind_fields(function, record)
    function.line("made = {}")
    updates = [(n, one) for one in replayed(record) if (n := printer.numbers.get(one.target.state)) is not None]
    times = Counter(number for number, _ in updates)
    updates = [(number, _where_new(one) if times[number] == 1 else one) for number, one in updates]
    uses = Counter((one.binders, one.when) for _, one in updates if one.binders)
    lists: dict[Any, str] = {}
    for number, one in updates:
        what = (one.binders, one.when)
        if uses[what] > 1 and what not in lists:
            with function.scope():
                _suppose_said(function, record, one.when)
                _print_found(printer, function, one, lists)
        with function.scope():
            _suppose_said(function, record, one.when)
            _print_update(printer, function, number, one, lists.get(what))
    for state, left in layout.left_by.items():
        if record in left:
            value = left[record]
            shown = HIDDEN if value is None else printer.value(value, function)
            about = printer.value(record.about[0].value, function)
            function.line(f"made[{layout.left[state]}, ({about.text},)] = {shown.text}")
    function.line(f"return changed({function.read('m')}, made)")


def _where_new(one: Update) -> Update:
    """Return an update that gives a cell its own value under some condition without what it gives it there."""
    value = bare(one.value)
    if not isinstance(value, Ite):
        return one
    old = bare(value.otherwise)
    if not (isinstance(old, Get) and old.state is one.target.state and old.keys == one.target.keys):
        return one
    return replace(one, when=nary("and", (one.when, value.condition)), value=value.then)


def _suppose_said(function: Function, record: Record, when: Term[bool]) -> None:
    """What follows in the scope is done where a record says the fields that a condition asks for."""
    needed = set(conjuncts(when))
    places = [at for at, field in enumerate(slots(record)) if field.optional and field.said in needed]
    if not places:
        return
    function.line(f"if {' and '.join(f'{FIELDS}[{at}] is not N' for at in places)}:")
    function.body.depth += 1
    for at in places:
        field = slots(record)[at]
        function.bind(field.value, f"{FIELDS}[{at}]")
        assert isinstance(field.said, Var)
        function.bind(field.said, "True")


def _print_found(printer: TermPrinter, function: Function, one: Update, lists: dict[Any, str]) -> None:
    """Print the list of what several updates are made of, where every state decides their condition."""
    lines, depth = len(function.body.lines), function.body.depth
    found = function.fresh("found")
    function.line(f"{found} = []")
    when = _print_loops(printer, function, one)
    if not when.is_decided:
        del function.body.lines[lines:]
        function.body.depth = depth
        return
    lists[one.binders, one.when] = found
    function.line(f"{found}.append(({''.join(function.variables[var].text + ', ' for var in one.binders)}))")


def _print_loops(printer: TermPrinter, function: Function, one: Update) -> Truth:
    """Begin the loops over the variables of an update, and ask its condition, first the part that rests on none."""
    parts = [part for part in conjuncts(one.when) if one.binders and free(part).isdisjoint(one.binders)]
    for part in parts:
        truth = printer.truth(part, function)
        if truth.is_decided and truth.may is not True:
            function.line(f"if {text(truth.may)}:")
            function.body.depth += 1
            function.truths[part] = Truth(True, True)
    for var in one.binders:
        over = printer.source(var, one.when, True, function) or printer.domain(var.kind, function)
        function.loop(name := function.fresh("e"), over or "(U,)")
        function.bind(var, name, ALWAYS if over else AT_TIMES)
    when = printer.truth(one.when, function)
    if when.may is not True:
        function.line(f"if {text(when.may)}:")
        function.body.depth += 1
    return when


def _print_update(printer: TermPrinter, function: Function, number: int, one: Update, found: str | None) -> None:
    if found is None:
        when = _print_loops(printer, function, one)
    else:
        names = [function.fresh("e") for _ in one.binders]
        function.loop("".join(f"{name}, " for name in names), found)
        for var, name in zip(one.binders, names, strict=True):
            function.bind(var, name)
        when = Truth(True, True)
    keys = [printer.value(key, function) for key in one.target.keys]
    hidden = [f"{key.text} is not U" for key in keys if key.certainty is not ALWAYS]
    if hidden:
        function.line(f"if {' and '.join(hidden)}:")
        function.body.depth += 1
    cell = f"{number}, ({''.join(key.text + ', ' for key in keys)})"
    new = printer.value(one.value, function).text
    if not when.is_decided:
        new = f"{new} if {text(when.sure)} else unless_equal({function.read('m')}, ({cell}), {new})"
    function.line(f"made[{cell}] = {new}")


def read(layout: Layout, tables: Sequence[Mapping[Any, Any]], cell: Cell) -> Any:
    """Return a cell of a state as printed functions read it."""
    number, keys = cell
    place = layout.rows.places[number]
    if place is None:
        return tables[number].get(keys, layout.initial[number])
    at, here = place
    return tables[at].get(keys[0], layout.rows.first[at])[here]


def changed(
    layout: Layout, shown: int, tables: Sequence[Mapping[Any, Any]], made: Mapping[Cell, Any]
) -> tuple[Change, ...] | None:
    """Return which cells what is made of them changes; None where a cell that a log shows may be changed or not."""
    found = []
    for cell, new in made.items():
        if new is UNKNOWN and cell[0] < shown:
            return None
        old = read(layout, tables, cell)
        if old is not new and old != new:
            found.append(Change(cell, old, new))
    return tuple(found)


def unless_equal(layout: Layout, tables: Sequence[Mapping[Any, Any]], cell: Cell, new: Any) -> Any:
    """Return a cell's value where it is the new one whether it was written or not, else that it is not known."""
    return new if read(layout, tables, cell) == new else UNKNOWN
