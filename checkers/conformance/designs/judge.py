"""Lock step with a design: each step of a run is a row of its tables, with the same answer and the same changes.

The checker keeps the state of the tables. A trace reports every cell that its header names; the cells that only the
tables have (messages under way, what properties need) follow from the rows that were run.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import earlier
from fencepost.checkers.conformance.lockstep.firing import Diverged, Firing, Tally
from fencepost.checkers.conformance.lockstep.replies import Reply, compiled_reply
from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.model.language import Protocol, State
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.terms import Eq, Get, Lit, Named, Nary, Not, Quant, SetOf, Term, Var
from fencepost.traces.design_steps import Changed, DesignStep, Header

from .telling import CLOCK, IDLE, NO_ERROR, Actors, Answers, design_of, not_told

TICK = "TimePasses"
"""The event by which the tables let time pass, between two steps."""


@dataclass
class DesignTally(Tally):
    """The counts of a check: `cells` counts the changes compared by variable, `untold` variables and parameters that
    only the trace has.

    `idle` are steps, by name, that may find nothing to do and did: they change nothing, and no row of theirs applies.
    """

    idle: Counter[str] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)


class DesignJudge(Firing):
    """The tables of a design beside a run of it.

    Raises `Diverged` where the header reports a cell that cannot be one.
    """

    def __init__(self, protocol: Protocol, header: Header, properties: bool = True) -> None:
        super().__init__(protocol, properties, WholeRows(protocol, beginnings(protocol), _listed(protocol, header)))
        self.tally: DesignTally = DesignTally()
        self.states: dict[str, State[Any]] = {state.name: state for state in self.rows.states}
        self.told: set[str] = set()
        design = design_of(protocol)
        self.actors, self.answers = Actors(design), Answers(design)
        self._may_idle = IDLE.get(design, ())
        self._replies: dict[str, list[Reply]] = {}
        self._answering = {row.event.name for table in protocol.tables for row in table.rows if row.say is not None}
        self._begin(header)

    def _begin(self, header: Header) -> None:
        settings: Mapping[str, Any] = header.settings
        if CLOCK in self.states:
            self._put(Changed(CLOCK, (), settings.get(CLOCK, 0)))
        for name, keys, value in settings.get("initial", ()):
            self.told.add(name)
            if name in self.states:
                self._put(Changed(name, tuple(keys), value))
            else:
                self.tally.untold[name] += 1
        for name, value in settings.items():
            state = self.states.get(name)
            if state is not None and not state.keys and name not in self.told:
                self._put(Changed(name, (), value))
        silent = not_told(self.rows.protocol, self.told | set(settings))
        if silent:
            raise Diverged(f"the header does not say how {', '.join(silent)} begin")

    # -- one step --------------------------------------------------------------------------------------------------
    def _pass_time(self, to: int) -> None:
        if TICK not in self.rows.events or CLOCK not in self.states:
            return
        now = self.rows.read(self.states[CLOCK])
        if to < now:
            raise Diverged(f"the clock goes back from {now} to {to} ms")
        if to > now:
            try:
                self._fire(TICK, to=to)
            except Diverged as error:
                self.rows.put(self.states[CLOCK], (), to)
                raise Diverged(f"the clock cannot pass from {now} to {to} ms: {error}") from None
            self._ran.clear()

    def _judge(self, step: DesignStep) -> None:
        self._pass_time(step.time_ms)
        event = self.rows.events.get(step.name)
        if event is None:
            self.tally.unjudged[step.name] += 1
            self._adopt(step)
            return
        self.actors.check(step)
        self.answers.check(step)
        missing = [var.name for var in event.params if var.name not in step.parameters]
        if missing:
            raise Diverged(f"{step.name} has no parameter {missing[0]}")
        known = {var.name for var in event.params}
        self.tally.untold.update(f"{name} of {step.name}" for name in step.parameters if name not in known)
        parameters = {var.name: read(var.kind, step.parameters[var.name], self.rows.meet) for var in event.params}
        before = self._values(step)
        silent = not step.changed and not step.answer
        if silent and step.name in self._may_idle and self.rows.applicable(step.name, parameters) is None:
            self.tally.idle[step.name] += 1
            return
        ran = self._fire(step.name, **parameters)
        if step.name in self._answering:
            self._hold_answer(step, ran, parameters)
        elif step.answer:
            raise Diverged(f"it answered {step.answer!r}, and no row of {step.name} answers")
        self._compare(step, before)

    def _hold_answer(self, step: DesignStep, ran: Ran, parameters: Mapping[str, Any]) -> None:
        """Compare the words of the row with the answer's first ones, the replies of the event with the others."""
        told, said = step.answer.split(), answer_of(ran.answer).split()
        if told[: len(said)] != said:
            raise Diverged(
                f"it answered {step.answer or 'nothing'!r}, {ran.row.id} says {' '.join(said) or 'nothing'!r}"
            )
        # Only an answer without an error says more.
        replies = self._replied(step.name, ran, parameters) if said[:1] == [NO_ERROR] else []
        words, found = told[len(said) :], [_word(written(value)) for value in replies]
        if len(words) != len(found):
            raise Diverged(
                f"it answered {step.answer or 'nothing'!r}; behind {' '.join(said) or 'nothing'!r} "
                f"come {len(found)} values"
            )
        if words != found:
            raise Diverged(f"it answered {step.answer!r}, {ran.row.id} replies {' '.join(found)!r}")

    def _replied(self, event: str, ran: Ran, parameters: Mapping[str, Any]) -> list[Any]:
        """Return the values of an event's answer, from the states before and after the row."""
        if event not in self._replies:
            made = self.rows.events[event]
            self._replies[event] = [compiled_reply(self.rows.printer, one, made) for one in made.reply.values()]
        values = [parameters[var.name] for var in self.rows.events[event].params]
        before = earlier(self.rows.cells, self._changed)
        return [one.around(before, self.rows.cells, values, ran.answer) for one in self._replies[event]]

    def _values(self, step: DesignStep) -> dict[tuple[str, tuple[int, ...]], Any]:
        """Return the values before the step of the cells that it reports."""
        return {(one.variable, one.keys): self._value(one) for one in step.changed if one.variable in self.states}

    def _compare(self, step: DesignStep, before: Mapping[tuple[str, tuple[int, ...]], Any]) -> None:
        """Compare the changes of the step with those of the row, both ways."""
        told = set()
        for one in step.changed:
            told.add((one.variable, one.keys))
            if one.variable not in self.states:
                self.tally.untold[one.variable] += 1
                continue
            self.tally.cells[one.variable] += 1
            found, kept = self._value(one), before[one.variable, one.keys]
            if found != one.value:
                was = " as before" if found == kept else ""
                raise Diverged(f"{_cell(one)} is {one.value!r}, the rows make it {found!r}{was}")
            if found == kept:
                raise Diverged(f"{_cell(one)} is reported as changed, and was {kept!r} before")
        for number, key, _ in self._changed:
            state = self.rows.states[number]
            keys = () if not state.keys else (key,) if len(state.keys) == 1 else key
            if state.name in self.told and (state.name, keys) not in told:
                cell = Changed(state.name, keys, None)
                raise Diverged(f"the rows make {_cell(cell)} {self._value(cell)!r}, and the step keeps it")

    def _value(self, one: Changed) -> Any:
        return written(self.rows.read(self.states[one.variable], *self._keys(one)))

    def _keys(self, one: Changed) -> tuple[Any, ...]:
        state = self.states[one.variable]
        if len(state.keys) != len(one.keys):
            raise Diverged(f"{_cell(one)}: the tables have {len(state.keys)} keys there")
        for kind, key in zip(state.keys, one.keys, strict=True):
            if isinstance(kind, EntityKind) or (isinstance(kind, IntKind) and kind.name in self.rows.printer.listed):
                self.rows.meet(kind, key)
        return one.keys

    def _put(self, one: Changed) -> None:
        state = self.states[one.variable]
        self.rows.put(state, self._keys(one), read(state.kind, one.value, self.rows.meet))

    def _adopt(self, step: DesignStep) -> None:
        """Set the state as the step reports it."""
        for one in step.changed:
            if one.variable in self.states:
                try:
                    self._put(one)
                except Diverged:
                    self.tally.untold[one.variable] += 1


def _cell(one: Changed) -> str:
    return f"{one.variable}[{', '.join(map(str, one.keys))}]" if one.keys else one.variable


def _listed(protocol: Protocol, header: Header) -> frozenset[str]:
    """Return the counters that are keys of reported cells: a counter exists once the trace reports a cell of it."""
    told = {name for name, _, _ in header.settings.get("initial", ())}
    kinds = (kind for state in protocol.states if state.name in told for kind in state.keys)
    return frozenset(kind.name for kind in kinds if isinstance(kind, IntKind))


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_word, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def beginnings(protocol: Protocol) -> dict[State[Any], Any]:
    """Return the value that every cell of a variable begins with, for those of which the start condition says one.

    A condition is `forall x: cell[x] = literal`, a boolean cell, or its negation; any other one gives no value.
    """
    found: dict[State[Any], Any] = {}
    for cell, value in _equalities(protocol.start):
        if all(isinstance(key, Var) for key in cell.keys):
            found.setdefault(cell.state, value)
    return found


def _equalities(term: Term[Any]) -> Iterator[tuple[Get[Any], Any]]:
    match term:
        case Named():
            yield from _equalities(term.term)
        case Nary(operator="and"):
            for one in term.terms:
                yield from _equalities(one)
        case Quant(quantifier="every"):
            yield from _equalities(term.body)
        case Get():
            yield term, True
        case Not(term=Get() as cell):
            yield cell, False
        case Eq(left=Get() as cell, right=Lit(value=value)):
            yield cell, value
        case Eq(left=Get() as cell, right=SetOf(items=())):
            yield cell, frozenset()
        case _:
            return


class Unreadable(Diverged):
    """A value of a trace is none of the kind that the tables have there; the message says both."""


def read(kind: Kind[Any], value: Any, meet: Callable[[EntityKind[Any], Any], None]) -> Any:
    """Return a JSON value as one of a kind; `meet` receives every entity in it. Raises `Unreadable`."""
    match kind:
        case BoolKind() if isinstance(value, bool):
            return value
        case IntKind() | ThresholdKind() if isinstance(value, int) and not isinstance(value, bool):
            return value
        case EnumKind():
            found = next((one for one in kind.enum if one.value == value or one.name == value), None)
            if found is not None:
                return found
        case EntityKind() if isinstance(value, int) and not isinstance(value, bool):
            meet(kind, value)
            return value
        case OptionKind():
            return None if value is None else read(kind.of, value, meet)
        case SetKind() if isinstance(value, list):
            return frozenset(read(kind.of, one, meet) for one in value)
        case ListKind() if isinstance(value, list):
            return tuple(read(kind.of, one, meet) for one in value)
        case _:
            pass
    raise Unreadable(f"{value!r} is no {kind}")


def written(value: Any) -> Any:
    """Return a value of the tables as a trace writes it."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(map(written, value))
    if isinstance(value, tuple):
        return [written(one) for one in value]
    return value


def answer_of(value: Any) -> str:
    """Return what a row says as the text of an answer; empty for a row that says nothing, and for an answer of none."""
    if value is None:
        return ""
    return str(written(value))
