"""Rows of `kraft-whole`: those of `kraft-loop` with what they do to the domain, and those of `kraft` as what an active controller writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fencepost.model.kraft import state as domain
from fencepost.model.kraft.brokers import be, off, want_down, want_fence
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft_loop.protocol import KRAFT_LOOP
from fencepost.model.kraft_loop.state import *
from fencepost.model.language import FALSE, TRUE, Assign, Every, Row, Table, Term, event, every, literal, table, when
from fencepost.model.language.state import State
from fencepost.model.language.terms import Lit, Var
from fencepost.model.language.walk import nary

from .lifting import HARD, SOFT, lifted, plain, replayed, written_by
from .state import (
    RECORDS,
    Slot,
    What,
    at_start,
    each_cell,
    fields,
    in_log,
    in_snapshot,
    logged,
    on_node,
    pending,
    sets,
    soft,
    soft_on,
)

Steps = tuple[Assign | Every, ...]
Source = Callable[[State[Any], tuple[Term[Any], ...]], Term[Any]]
first, second = pending
no_record = literal(What.NOTHING)
waiting = [slot.what.at(n).isnt(no_record) for slot in pending]
is_idle = ~waiting[0] & ~waiting[1]
head = tuple(when(waiting[0], a, b) for a, b in zip(first.said(n), second.said(n), strict=True))
"""The next record of the result."""


def copied(target: Source, source: Source) -> Steps:
    """Make the cells at some keys what others are."""
    return tuple(one for state in HARD for one in each_cell(state, target, source))


def initially(state: State[Any], keys: tuple[Term[Any], ...]) -> Term[Any]:
    """Return the initial value of a variable."""
    assert state.initial is not None
    return state.initial


def on_soft(state: State[Any], keys: tuple[Term[Any], ...]) -> Term[Any]:
    """Return the cell of a soft variable on the node of a row."""
    return soft_on[state].at(n, *keys)


def reset(target: Source) -> Steps:
    """Make the cells at some keys what they were in the beginning."""
    return copied(target, initially)


def cleared(slot: Slot, condition: Term[bool] = TRUE) -> Steps:
    """Empty a slot of the agenda, if a condition holds."""
    return tuple(
        sets(cell, empty if condition is TRUE else when(condition, empty, cell))
        for cell, empty in zip(slot.said(n), slot.nothing(), strict=True)
    )


def without_sessions() -> Steps:
    """A node that is not active has no heartbeats."""
    return tuple(one for state in SOFT for one in each_cell(state, on_soft, initially))


def without_agenda() -> Steps:
    """Drop the part of a result that the node has not written."""
    return (*cleared(first), *cleared(second))


def replays(record: What, said: tuple[Term[Any], ...], target: Source, source: Source) -> Steps:
    """Make the cells at some keys what others are after a record that says so."""
    given = fields(record, said)
    return copied(target, lambda state, keys: replayed(RECORDS[record], given, state, keys, source))


# -- the loop, with what its rows do to the domain ------------------------------------------------------------------------
def image(end: Term[int], epoch: Term[int]) -> Source:
    """Return how to read what a log gives up to an offset."""
    return lambda state, keys: when(end.is_(0), at_start.at()(state, keys), in_log.at(epoch, end)(state, keys))


_new = raft_epoch + 1
_log, _from = follows(n), committed[n]
elects = (
    *(every(o, o < at, *(sets(one.at(_new, o), one.at(d, o)) for one in logged.cells())),),
    *(every(s, s <= at, one) for one in copied(in_log.at(_new, s), in_log.at(d, s))),
)
reverts = (
    *copied(
        on_node.at(n),
        lambda state, keys: when(
            stable[n].is_(applied[n]), on_node.at(n)(state, keys), in_snapshot.at(n, stable[n])(state, keys)
        ),
    ),
    *(every(s, TRUE, one) for one in reset(in_snapshot.at(n, s))),
    *without_sessions(),
    *without_agenda(),
)
begins_again = (
    *copied(on_node.at(n), at_start.at()),
    *(every(s, TRUE, one) for one in reset(in_snapshot.at(n, s))),
    *without_sessions(),
    *without_agenda(),
)
_claims = KRAFT.row("FO1")
claims_domain = tuple(
    every(
        update.binders[0],
        lifted(update.when, soft(n)),
        sets(soft_on[update.target.state].at(n, update.binders[0]), lifted(update.value, soft(n))),
    )
    for update in plain(_claims)
)
EXTRA: dict[str, Steps] = {
    "QR1": elects,
    "QR2": (),
    "QR3": (),
    "QK1": claims_domain,
    "QK2": (),
    "QK3": reverts,
    "QK4": reverts,
    "QK5": begins_again,
    "QA5": (),
    "QC1": (),
}
"""Effects of each row of the loop on the domain."""
LETTERS = {What.FENCE: "f", What.UNFENCE: "u", What.CHANGE: "c"}
_base = next_write[n]


def appends(record: What) -> Steps:
    """The next record of the result goes into the log and is applied, after a snapshot of what was before."""
    own = claim[n]
    return (
        *copied(in_snapshot.at(n, _base), on_node.at(n)),
        *(sets(one.at(own, _base), said) for one, said in zip(logged.cells(), head, strict=True)),
        *replays(record, head, on_node.at(n), on_node.at(n)),
        *replays(record, head, in_log.at(own, _base + 1), image(_base, own)),
        *cleared(first),
        *cleared(second, ~waiting[0]),
    )


def _with(row: Row, id: str, guard: Term[bool], effects: Steps) -> Row:
    return replace(row, id=id, when=nary("and", (row.when, guard)), effects_=(*row.effects, *effects))


def _loop_rows(source: Table) -> tuple[Row, ...]:
    found: list[Row] = []
    for row in source.rows:
        if row.id in EXTRA:
            found.append(_with(row, row.id, TRUE, EXTRA[row.id]))
        for record, letter in LETTERS.items():
            if row.id == "QW12":
                guard = to.is_(_base + 1) & head[0].is_(record)
                found.append(_with(row, f"QW12{letter}", guard, appends(record)))
            if row.id == "QC2":
                there = logged.said(_log, _from)
                effects = replays(record, there, on_node.at(n), on_node.at(n))
                found.append(_with(row, f"QC2{letter}", there[0].is_(record), effects))
    return tuple(found)


_bare = KRAFT_LOOP.redefine("bootstrapped", lambda body: TRUE, why="the cluster was formatted long ago")
LOOP_TABLES = tuple(
    Table(one.name, rows, one.mode, one.about, {}, one.place, False)
    for one in _bare.tables
    if (rows := _loop_rows(one))
)


# -- rows of kraft, as what an active controller writes ----------------------------------------------------------------------
_offset = Lit(-1, domain.OFFSET)
SETTLED: dict[Var[Any], Term[Any]] = {be: _offset, off: _offset, want_fence: FALSE, want_down: FALSE}
"""Content of heartbeats in the whole: the newest epoch and offset, and no wish."""


def _slot(slot: Slot, row: Row, number: int) -> Steps:
    written = written_by(row)[number]
    [what] = [one for one, record in RECORDS.items() if record.name == written.record.name]
    read = soft(n)
    there = lifted(written.when, read, SETTLED)

    def given(name: str) -> tuple[Term[bool], Term[Any]]:
        [one] = [one for one in written.fields if one.field == name]
        return lifted(one.said, read, SETTLED), lifted(one.value, read, SETTLED)

    values: dict[State[Any], tuple[Term[bool], Term[Any]]] = {slot.what: (there, literal(what))}
    if what is What.CHANGE:
        for says, cell, name in ((slot.says_isr, slot.isr, "isr"), (slot.says_leader, slot.leader, "leader")):
            is_said, value = given(name)
            values[says] = (there, is_said)
            values[cell] = (nary("and", (there, is_said)), value)
    else:
        values[slot.who] = (there, given("broker")[1])
    return tuple(
        sets(one.at(n), value if is_ is TRUE else when(is_, value, initially(one, ())))
        for one, (is_, value) in values.items()
    )


def domain_row(id: str) -> Row:
    """Return a row of `kraft` as one of an active controller: its records go to the agenda, its soft state is updated."""
    row = KRAFT.row(id)
    params = tuple(var for var in row.params if var not in SETTLED and var.kind != domain.PARTITION)
    guard = armed[n] & is_idle & lifted(KRAFT.guard(row), soft(n), SETTLED)
    records = tuple(one for number in range(len(written_by(row))) for one in _slot(pending[number], row, number))
    updates = tuple(
        sets(soft_on[u.target.state].at(n, *u.target.keys), lifted(u.value, soft(n), SETTLED)) for u in plain(row)
    )
    name = row.event.name
    made = event(name, n, *params, environment=True, source=row.source, code=row.event.code)
    return made(id, guard, *records, *updates, why=row.why)


DOMAIN = table(
    "what the active controller writes",
    *(domain_row(id) for id in ("SI1", "F1", "HB2", "BA1")),
    about="Rows of kraft: what they write is appended record by record.",
)
