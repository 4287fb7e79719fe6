"""Tables: events with typed parameters, rows with one short id each, and what a row's outcome is.

```python
heartbeat = event("Heartbeat", b, be, off, want_fence, want_down, given=off <= log_end, source="S2:59")
LIFECYCLE = table("broker lifecycle",
    heartbeat("HB2", known & is_fenced & ~want_down & ~want_fence & (off >= reg_at[b]), unfence(b), say=UNFENCED),
)
```
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from fencepost.notebook import escaped, grid, headed

from .build import literal
from .effects import Effect, Effects, Stage, flat
from .errors import Place, caller, refuse
from .kinds import BOOL
from .leaves import leaves
from .terms import TRUE, Get, Term, Var
from .walk import nary, negation, quantified, stage_terms, stages

if TYPE_CHECKING:
    from .state import State

Mode = Literal["disjoint", "first match"]


@dataclass(frozen=True)
class Clue:
    """How a recorded log betrays what it does not show: an unobserved parameter or cell, and the terms it may equal.

    The candidates are over the state before the row and the fields (`Field.value`, `Field.said`) of the records that the
    row writes first.
    """

    target: Var[Any] | Get[Any]
    candidates: tuple[Term[Any], ...]


@dataclass(frozen=True, eq=False)
class Event:
    """Something that happens: its parameters (any values under `given`), and where the sources speak of it.

    `reply` are further values of the answer, by name, as terms over the parameters and the state before the row.

    An `environment` event is something that the world does: no table need say what happens in every case, a total one
    neither.
    """

    name: str
    params: tuple[Var[Any], ...]
    given: Term[bool]
    environment: bool
    clues: tuple[Clue, ...]
    reply: Mapping[str, Term[Any]]
    source: str
    code: str
    place: Place

    def __repr__(self) -> str:
        return f"<event {self.name}>"

    def __call__(
        self,
        id: str,
        when: Term[bool],
        *effects: Effects,
        say: enum.Enum | Term[Any] | None = None,
        throws: str = "",
        choose: tuple[Term[Any], ...] = (),
        source: str = "",
        why: str = "",
        finding: str = "",
    ) -> Row:
        """Return a row of this event; what is malformed in it is found when its protocol is made."""
        answer = literal(say) if isinstance(say, enum.Enum) else say
        return Row(id, self, when, effects, answer, throws, choose, source or self.source, why, finding, caller())


def event(
    name: str,
    *params: Term[Any],
    given: Term[bool] = TRUE,
    environment: bool = False,
    clues: Mapping[Any, tuple[Term[Any], ...]] | None = None,
    reply: Mapping[str, Term[Any]] | None = None,
    source: str = "",
    code: str = "",
) -> Event:
    """Declare an event by its name and parameters."""
    variables = []
    for param in params:
        if not isinstance(param, Var):
            raise refuse(name, f"{param!r} is no variable", 'give parameters as variables: `BROKER.var("b")`')
        variables.append(param)
    found = []
    for target, candidates in (clues or {}).items():
        assert isinstance(target, (Var, Get))
        found.append(Clue(target, candidates))
    return Event(name, tuple(variables), given, environment, tuple(found), dict(reply or {}), source, code, caller())


@dataclass(frozen=True, eq=False)
class Row:
    """One row: on its event, under its guard, these effects and this answer.

    `choose` are further parameters whose choice the protocol leaves open. `throws` names the exception with which the
    operation ends. `finding` names the finding that the row shows whenever it explains a record.
    """

    id: str
    event: Event
    when: Term[bool]
    effects_: Any
    say: Term[Any] | None
    throws: str
    choose: tuple[Term[Any], ...]
    source: str
    why: str
    finding: str
    place: Place = field(compare=False)

    def __repr__(self) -> str:
        return f"<row {self.id}>"

    def _repr_html_(self) -> str:
        from .render import sentence

        return f"<p>{escaped(sentence(self))}</p>" + (f"<p><i>{escaped(self.why)}</i></p>" if self.why else "")

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The effects, flattened."""
        return flat(self.effects_)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The effects as the stages in which they are applied."""
        return stages(self.effects)

    @cached_property
    def terms(self) -> tuple[Term[Any], ...]:
        """Every term of the row: what its event assumes, its guard, its answer, and those of its stages."""
        answer = () if self.say is None else (self.say,)
        return (self.event.given, self.when, *answer, *stage_terms(self.stages))

    @cached_property
    def leaves(self) -> tuple[State[Any] | Var[Any], ...]:
        """The state variables and the variables that the row speaks of, in the order in which it does."""
        return tuple(dict.fromkeys(chain.from_iterable(map(leaves, self.terms))))

    @property
    def chosen(self) -> tuple[Var[Any], ...]:
        """The row's own parameters, whose choice the protocol leaves open."""
        return tuple(var for var in self.choose if isinstance(var, Var))

    @cached_property
    def applies(self) -> Term[bool]:
        """The condition that the row applies to an input of its event: that its guard holds for some choice."""
        return quantified("some", self.chosen, self.when)

    @cached_property
    def params(self) -> tuple[Var[Any], ...]:
        """Every parameter: the event's, then the row's own choices."""
        return self.event.params + self.chosen

    def same_as(self, other: Row) -> bool:
        """Whether another row applies when this one does, does what it does and answers as it does."""
        if self is other:
            return True
        told = (self.when, self.say, self.throws, self.choose, self.event)
        return told == (other.when, other.say, other.throws, other.choose, other.event) and (
            self.effects == other.effects
        )

    @property
    def changes(self) -> bool:
        """Whether the row can change anything: a refusal does not."""
        return bool(self.effects)


@dataclass(frozen=True, eq=False)
class Table:
    """Rows under a title. `disjoint`: at most one row of an event applies. `first match`: the first that applies does.

    A `total` table claims that some row takes every input of each of its events, those of the environment left out. A
    table that does not claim it says when its events may happen.
    """

    name: str
    rows: tuple[Row, ...]
    mode: Mode
    about: str
    reasons: Mapping[str, str]
    place: Place
    total: bool = False

    def __repr__(self) -> str:
        return f"<table {self.name}>"

    def _repr_html_(self) -> str:
        from .render import answer_text, done_text, text

        lines = ((one.id, one.event.name, text(one.when), done_text(one), answer_text(one)) for one in self.rows)
        return headed(f"{self.name}: {len(self.rows)} rows", grid(("row", "event", "when", "then", "answer"), lines))

    @cached_property
    def _guards(self) -> dict[str, Term[bool]]:
        result: dict[str, Term[bool]] = {}
        earlier: dict[Event, list[Term[bool]]] = {}
        for row in self.rows:
            before = earlier.setdefault(row.event, [])
            result[row.id] = nary("and", (row.event.given, *(negation(g) for g in before), row.when))
            if self.mode == "first match":
                before.append(row.applies)
        return result

    def guard(self, row: Row) -> Term[bool]:
        """Return the effective guard of a row: its event's assumption, its own guard, and in a first-match table that no earlier
        row of the event applies."""
        return self._guards[row.id]

    def claims_totality_of(self, event: Event) -> bool:
        """Return whether the table claims that some row takes every input of an event."""
        return self.total and not event.environment

    def with_rows(self, rows: tuple[Row, ...], why: str = "") -> Table:
        """Return the table with other rows.

        The rationale of a row that does otherwise now speaks of what it was: the row has `why` in its place, or none.
        """
        old = {row.id: row for row in self.rows}
        other = {row.id for row in rows if row.id in old and not row.same_as(old[row.id])}
        if not other:
            return replace(self, rows=rows)
        told = tuple(replace(row, why=why) if row.id in other else row for row in rows)
        return replace(self, rows=told, reasons={id: one for id, one in self.reasons.items() if id not in other})


def table(
    name: str,
    *rows: Row,
    mode: Mode = "disjoint",
    total: bool = False,
    about: str = "",
    why: Mapping[str, str] | None = None,
) -> Table:
    """Declare a table; `total` claims that it leaves no input open, `why` gives the rationale of rows by their ids."""
    for row in rows:
        if not isinstance(row, Row):
            raise refuse(f"table {name}", f"{row!r} is no row", "write rows as `event(id, guard, effects...)`")
    if total and rows and all(row.event.environment for row in rows):
        raise refuse(
            f"table {name}",
            "claims to be total, and every event of it is one of the environment, which is asked for no such thing",
            "leave out `total=True`, or declare the event without `environment=True`",
        )
    return Table(name, rows, mode, about, dict(why or {}), caller(), total)


def is_condition(term: object) -> bool:
    """Return whether something is a term of kind Bool."""
    return isinstance(term, Term) and term.kind == BOOL
