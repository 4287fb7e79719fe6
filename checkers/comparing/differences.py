"""Differences between two protocols: rows, properties and the rest, by meaning and not by text."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from fencepost.checkers.document import Document
from fencepost.model.language import Always, Effect, LeadsTo, Property, Protocol, Row, State, Step, Term
from fencepost.model.language.render import (
    answer_text,
    definitions_of,
    effect_text,
    property_text,
    row_definitions,
    text,
)
from fencepost.model.language.terms import TRUE, Named, Quant
from fencepost.model.language.walk import conjuncts, nary, quantified, substitute

from .equivalence import SAME, Compared, Judge, Question, by_fairness
from .normal import Normal, kind_form
from .onto import Onto, Untranslatable, state_form

How = Literal["added", "removed", "changed", "held back otherwise", "renamed"]
_HEAD = re.compile(r"[^\s(=:]+(\([^)]*\))?")
"""The head of a definition or a procedure, with its parameters."""
LIMIT = 10.0
"""Seconds for one question to the solver."""


@dataclass(frozen=True)
class RowChange(Document):
    """A row that is another one. `guard` compares the effective guards, those of earlier rows of the table included.

    A row is held back otherwise where only earlier rows of a first-match table changed. `event`, `effects` and `answer`
    say whether these differ; `lines` are what was and what is, each with its sign. `through` are the definitions and
    procedures of the row that mean something else now.
    """

    DOCUMENT = (
        "row=id how was:or_null table event=on guard event_changed=event effects_changed=effects "
        "answer_changed=answer lines through"
    )

    id: str
    how: How
    table: str
    on: str
    guard: Compared = SAME
    event: bool = False
    effects: bool = False
    answer: bool = False
    lines: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    was: str = ""


@dataclass(frozen=True)
class PropertyChange(Document):
    """A property that is another one: what it claims compares so with what it claimed; `also` says what else changed.

    `weakened` says whether less is claimed than before, None where that is not known.
    """

    DOCUMENT = "property=id how was:or_null claim also weakened lines"

    id: str
    how: How
    claim: Compared = SAME
    also: tuple[str, ...] = ()
    weakened: bool | None = False
    lines: tuple[str, ...] = ()
    was: str = ""


@dataclass(frozen=True)
class Differences(Document):
    """Everything that one protocol has otherwise than another.

    `words` are the definitions and procedures through which rows changed. `assumptions` are those that are new, gone or
    another, and `more_assumed` says that some is new or another. Both have their signs. `others` are changes of
    variables, of the start, of tables and of bounds, a line each; `begins` says that a run may begin otherwise.
    """

    TABLES = {"rows": "row how table lines", "properties": "property how weakened lines"}
    DOCUMENT = "old new rows properties words assumptions others unchanged=counts"

    old: str
    new: str
    rows: tuple[RowChange, ...] = ()
    properties: tuple[PropertyChange, ...] = ()
    words: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    more_assumed: bool = False
    others: tuple[str, ...] = ()
    begins: bool = False
    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.rows or self.properties or self.assumptions or self.others)


def compare(old: Protocol, new: Protocol, *, ask: bool = True, limit: float = LIMIT) -> Differences:
    """Return what `new` has otherwise than `old`; without `ask` the solver is not asked how conditions compare."""
    return _Comparison(old, new, ask, limit).result()


def alike(old: Protocol, new: Protocol, id: str, given: Term[bool], limit: float) -> bool:
    """Return whether the guards of a row are known to be equivalent where a condition on its event holds."""
    was, now = (next((row for row in one.rows if row.id == id), None) for one in (old, new))
    if was is None or now is None or was.params != now.params:
        return False
    asked = Question(was.params, nary("and", (old.guard(was), given)), nary("and", (new.guard(now), given)))
    judge = _Comparison(old, new, True, limit).judge([asked.old, asked.new])
    return judge.compare(asked).relation in ("same", "equivalent")


class _Comparison:
    def __init__(self, old: Protocol, new: Protocol, ask: bool, limit: float) -> None:
        self.old, self.new, self.ask, self.limit = old, new, ask, limit
        self.normal = Normal()
        self.onto = Onto(old)
        self.words: list[str] = []

    def result(self) -> Differences:
        started = time.perf_counter()
        rows, properties = tuple(self._rows()), tuple(self._properties())
        assumptions, more = self._assumptions()
        counts = {
            "rows": len(self.new.rows) - sum(one.how != "removed" for one in rows),
            "properties": len(self.new.properties) - sum(one.how != "removed" for one in properties),
        }
        others, begins = self._others()
        seconds = time.perf_counter() - started
        return Differences(
            self.old.name,
            self.new.name,
            rows,
            properties,
            tuple(dict.fromkeys(self.words)),
            assumptions,
            more,
            others,
            begins,
            seconds,
            counts,
        )

    # -- rows ------------------------------------------------------------------------------------------------------
    @cached_property
    def _row_pairs(self) -> tuple[list[tuple[Row | None, Row | None]], dict[str, str]]:
        """Rows before and after, of one id or of one form, and the new ids of those of one form."""
        old, new = ({row.id: row for row in one.rows} for one in (self.old, self.new))
        gone = [row for id, row in old.items() if id not in new]
        come = {self.normal.row(self.new, row): row for id, row in new.items() if id not in old} if gone else {}
        renamed: dict[str, str] = {}
        for row in gone:
            other = come.pop(self.normal.row(self.old, row), None)
            if other is not None:
                renamed[other.id] = row.id
        pairs: list[tuple[Row | None, Row | None]] = []
        for row in self.new.rows:
            pairs.append((old.get(renamed.get(row.id, row.id)), row))
        pairs += [(row, None) for row in gone if row.id not in renamed.values()]
        return pairs, renamed

    def _rows(self) -> Iterator[RowChange]:
        pairs, renamed = self._row_pairs
        for old, new in pairs:
            if new is None:
                assert old is not None
                yield self._alone(self.old, old, "removed")
            elif old is None:
                yield self._alone(self.new, new, "added")
            elif new.id in renamed:
                yield RowChange(new.id, "renamed", self.new.table_of(new).name, new.event.name, was=old.id)
            elif not self._identical(old, new):
                change = self._changed(old, new)
                if change is not None:
                    yield change

    def _identical(self, old: Row, new: Row) -> bool:
        return old is new and self.old.guard(old) is self.new.guard(new)

    def _alone(self, of: Protocol, row: Row, how: How) -> RowChange:
        sign = "+" if how == "added" else "-"
        lines = (f"{sign} {line}" for line in [*_when(row), *_done(row), *_where(row)])
        return RowChange(row.id, how, of.table_of(row).name, row.event.name, lines=tuple(lines))

    def _changed(self, old: Row, new: Row) -> RowChange | None:
        before, after = self.normal.row(self.old, old), self.normal.row(self.new, new)
        if before == after:
            return None
        event, guard, effects, answer = (a != b for a, b in zip(before, after, strict=True))
        scopes = self.normal.params(old), self.normal.params(new)
        own = any(self.normal.term(a, scopes[0]) != self.normal.term(b, scopes[1]) for a, b in (
            (old.when, new.when), (old.event.given, new.event.given)
        ))  # fmt: skip
        compared = SAME if not guard else self._guards(old, new, event)
        if compared.relation == "equivalent" and not compared.given and not (event or effects or answer):
            return None
        how: How = "changed" if own or event or effects or answer else "held back otherwise"
        table = self.new.table_of(new).name
        if how == "held back otherwise":
            return RowChange(new.id, how, table, new.event.name, compared)
        lines, through = tuple(self._row_lines(old, new)), tuple(self._through(old, new))
        return RowChange(new.id, how, table, new.event.name, compared, event, effects, answer, lines, through)

    def _guards(self, old: Row, new: Row, event: bool) -> Compared:
        if event:
            return Compared("unknown", why="the event or its parameters are others")
        if not self.ask:
            return Compared("unknown", why="not asked")
        try:
            renaming = {self.onto(b): a for a, b in zip(old.params, new.params, strict=True)}
            now = substitute(self.onto(self.new.guard(new)), renaming)  # type: ignore[arg-type]
        except Untranslatable as error:
            return Compared("unknown", why=str(error))
        asked = Question(old.params, self.old.guard(old), now)
        return self.judge([asked.old, now]).compare(asked)

    def judge(self, terms: Sequence[Term[bool]]) -> Judge:
        """Return who compares some conditions where what both protocols claim of states is given."""
        return Judge(self.old, self._common, self._assumed, terms, self.limit)

    @cached_property
    def _common(self) -> tuple[Always, ...]:
        """Invariants that both protocols claim, in the words of the old one."""
        theirs = {
            self.normal.claim(self.new, one)
            for one in self.new.properties
            if isinstance(one, Always) and one.expected == "holds"
        }
        return tuple(
            one
            for one in self.old.properties
            if isinstance(one, Always) and one.expected == "holds" and self.normal.claim(self.old, one) in theirs
        )

    @cached_property
    def _assumed(self) -> frozenset[str]:
        theirs = {self.normal.term(one.term) for one in self.new.assumptions}
        return frozenset(one.id for one in self.old.assumptions if self.normal.term(one.term) in theirs)

    def _row_lines(self, old: Row, new: Row) -> Iterator[str]:
        mine, theirs = self.normal.params(old), self.normal.params(new)
        yield from _signed(
            {self.normal.term(c, mine): f"when {text(c)}" for c in _conditions(old)},
            {self.normal.term(c, theirs): f"when {text(c)}" for c in _conditions(new)},
        )
        yield from _signed(
            {self.normal.effects([e], mine): f"then {effect_text(e)}" for e in old.effects},
            {self.normal.effects([e], theirs): f"then {effect_text(e)}" for e in new.effects},
        )
        yield from _signed(
            {self.normal.answer(old): f"answers {answer_text(old) or 'nothing'}"},
            {self.normal.answer(new): f"answers {answer_text(new) or 'nothing'}"},
        )

    def _through(self, old: Row, new: Row) -> Iterator[str]:
        """Yield the names of what a row is said with that is defined otherwise, and note how."""
        was, now = ({_HEAD.match(line)[0]: line for line in row_definitions(row)} for row in (old, new))  # type: ignore[index]
        for head in dict.fromkeys((*was, *now)):
            if was.get(head) != now.get(head):
                yield head.partition("(")[0]
                self.words += [f"- {was[head]}"] if head in was else []
                self.words += [f"+ {now[head]}"] if head in now else []

    # -- properties ------------------------------------------------------------------------------------------------
    def _properties(self) -> Iterator[PropertyChange]:
        old, new = ({one.id: one for one in p.properties} for p in (self.old, self.new))
        gone = {id: one for id, one in old.items() if id not in new}
        for id, now in new.items():
            was = old.get(id)
            if was is now:
                continue
            if was is None:
                form = self.normal.claim(self.new, now)
                same = next((one for one in gone.values() if self.normal.claim(self.old, one) == form), None)
                if same is not None and self.normal.declared(same) == self.normal.declared(now):
                    del gone[same.id]
                    yield PropertyChange(id, "renamed", was=same.id)
                else:
                    yield PropertyChange(id, "added", lines=(f"+ {property_text(now)}",))
            else:
                change = self._property(was, now)
                if change is not None:
                    yield change
        for id, was in gone.items():
            yield PropertyChange(id, "removed", weakened=True, lines=(f"- {property_text(was)}",))

    def _property(self, old: Property, new: Property) -> PropertyChange | None:
        same = self.normal.claim(self.old, old) == self.normal.claim(self.new, new)
        was, now = self.normal.declared(old), self.normal.declared(new)
        also = tuple(
            f"{name}: {was.get(name) or 'nothing'} → {now.get(name) or 'nothing'}"
            for name in dict.fromkeys((*was, *now))
            if was.get(name) != now.get(name)
        )
        compared = SAME if same else self._claims(old, new)
        if not also and compared.relation in ("same", "equivalent"):
            return None
        lines = () if same else tuple(self._property_lines(old, new))
        return PropertyChange(new.id, "changed", compared, also, _weakened(compared, was, now), lines)

    def _claims(self, old: Property, new: Property) -> Compared:
        if not self.ask:
            return Compared("unknown", why="not asked")
        if isinstance(old, LeadsTo) and isinstance(new, LeadsTo) and self._alike(old, new):
            return by_fairness(old, new)
        if type(old) is not type(new) or isinstance(old, LeadsTo) or isinstance(new, LeadsTo):
            return Compared("unknown", why="conditions in the course of time are not compared")
        if isinstance(old, Step) and (old.by_name or (isinstance(new, Step) and new.by_name)):
            return Compared("unknown", why="conditions on the parameters of rows are not compared")
        try:
            asked = Question((), old.term, self.onto(new.term), isinstance(old, Step))
        except Untranslatable as error:
            return Compared("unknown", why=str(error))
        return Judge(self.old, (), (), [asked.old, asked.new], self.limit).compare(asked)

    def _alike(self, old: LeadsTo, new: LeadsTo) -> bool:
        """Return whether two claims differ in their fairness alone."""
        same = replace(new, fair=old.fair, strongly_fair=old.strongly_fair, finitely=old.finitely)
        return self.normal.claim(self.old, old) == self.normal.claim(self.new, same)

    def _property_lines(self, old: Property, new: Property) -> Iterator[str]:
        if isinstance(old, LeadsTo) or isinstance(new, LeadsTo):
            yield from (f"- {property_text(old)}", f"+ {property_text(new)}")
            return
        mine = {self.normal.term(c): f"claims {text(c)}" for c in _conjuncts(old.term)}
        theirs = {self.normal.term(c): f"claims {text(c)}" for c in _conjuncts(new.term)}
        yield from _signed(mine, theirs)

    # -- the rest --------------------------------------------------------------------------------------------------
    def _assumptions(self) -> tuple[tuple[str, ...], bool]:
        def told(protocol: Protocol) -> dict[str, str]:
            events = {event.name: event for event in protocol.events}
            found = {}
            for one in (*protocol.assumptions, *protocol.inputs):
                params = events[one.event].params if one.event in events else ()
                scope = {var: f"parameter {n}:{kind_form(var.kind)}" for n, var in enumerate(params)}
                of = f" of {one.event}" if one.event else ""
                found[f"{one.event}: {self.normal.term(one.term, scope)}"] = f"{one.id}{of}: {text(one.term)}"
            return found

        was, now = told(self.old), told(self.new)
        return tuple(_signed(was, now)), bool(now.keys() - was.keys())

    def _others(self) -> tuple[tuple[str, ...], bool]:
        lines: list[str] = []
        begins = False
        old, new = ({state.name: state for state in one.states} for one in (self.old, self.new))
        for name in dict.fromkeys((*old, *new)):
            was, now = old.get(name), new.get(name)
            if was is None or now is None:
                lines.append(f"variable {name}: {'added' if was is None else 'removed'}")
                continue
            said: list[str] = []
            if state_form(was) != state_form(now):
                said.append(f"{state_form(was)} becomes {state_form(now)}")
            first = tuple(_first(s) for s in (was, now))
            if first[0] != first[1]:
                said.append(f"begins as {first[1]}, not {first[0]}")
                begins = True
            if was.what != now.what:
                said.append(f"is {now.what} state, not {was.what}")
            if said:
                lines.append(f"variable {name}: {'; '.join(said)}")
        if self.normal.term(self.old.start) != self.normal.term(self.new.start):
            lines += [f"start: {text(self.old.start)} becomes {text(self.new.start)}"]
            begins = True
        modes = {t.name: t for t in self.old.tables}
        for table in self.new.tables:
            before = modes.get(table.name)
            if before is not None and (before.mode, before.total) != (table.mode, table.total):
                total = {True: ", total", False: ""}
                lines.append(
                    f"table {table.name}: {before.mode}{total[before.total]} becomes {table.mode}{total[table.total]}"
                )
        for name in dict.fromkeys((*self.old.bounds, *self.new.bounds)):
            a, b = self.old.bounds.get(name), self.new.bounds.get(name)
            if a is None or b is None:
                lines.append(f"bound {name}: {'added' if a is None else 'removed'}")
            elif dict(a.sizes) != dict(b.sizes) or self._bounded(a) != self._bounded(b):
                lines.append(f"bound {name}: explores something else")
        return tuple(lines), begins

    def _bounded(self, bound: Any) -> tuple[Any, ...]:
        return self.normal.term(bound.start), {event: self.normal.term(term) for event, term in bound.given.items()}


def _weakened(compared: Compared, was: Mapping[str, str], now: Mapping[str, str]) -> bool | None:
    """Return whether a changed property claims less than it did, None where that is open."""
    if now.get("declared") == "violated" and was.get("declared") == "holds":
        return True
    if compared.relation in ("weaker", "incomparable"):
        return True
    if now.get("claimed") != was.get("claimed") and was.get("claimed") == "after every record":
        return True
    blamed = [set(one.get("broken by", "").split()) for one in (was, now)]
    if was.get("declared") == "violated" == now.get("declared") and not blamed[1] <= blamed[0] and blamed[0]:
        return True
    rows = [set(one.get("of rows", "").split()) for one in (was, now)]
    if rows[0] != rows[1] and rows[1] and not (rows[0] and rows[0] <= rows[1]):
        return True
    return None if compared.relation == "unknown" else False


def _conjuncts(term: Term[bool]) -> Iterator[Term[bool]]:
    """Yield the conditions that a claim is made of, each for all that it is claimed of."""
    inside, over = term, []
    while isinstance(inside, (Named, Quant)) and not (isinstance(inside, Quant) and inside.quantifier == "some"):
        if isinstance(inside, Quant):
            over.append(inside.var)
        inside = inside.term if isinstance(inside, Named) else inside.body
    for one in conjuncts(inside) or (TRUE,):
        yield quantified("every", over, one)


def _signed(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Yield what is in one only, each with its sign; what reads the same and means something else is left out."""
    gone = [line for form, line in old.items() if form not in new]
    come = [line for form, line in new.items() if form not in old]
    yield from (f"- {line}" for line in gone if line not in come)
    yield from (f"+ {line}" for line in come if line not in gone)


def _conditions(row: Row) -> tuple[Term[bool], ...]:
    return (*conjuncts(row.event.given), *conjuncts(row.when))


def _when(row: Row) -> list[str]:
    return [f"when {text(one)}" for one in _conditions(row)]


def _done(row: Row) -> list[str]:
    effects: tuple[Effect, ...] = row.effects
    return [*(f"then {effect_text(one)}" for one in effects), *([f"answers {a}"] if (a := answer_text(row)) else [])]


def _where(row: Row) -> list[str]:
    return [f"where {line}" for line in definitions_of([row])]


__all__ = ["Differences", "PropertyChange", "RowChange", "alike", "compare"]


def _first(state: State[Any]) -> str:
    """Return how a variable begins, as text."""
    if state.by_key is not None:
        return text(state.by_key[1])
    return "any value" if state.initial is None else text(state.initial)
