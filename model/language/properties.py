"""Properties: what a protocol claims, at which moments, on whose word, and with which verdict it is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .answering import Answering
from .errors import Place, caller, refuse
from .terms import TRUE, Term, Var

if TYPE_CHECKING:
    from .rankings import Ranking
    from .tables import Row

Scope = Literal["after every record", "at result boundaries", "for committed state"]
AFTER_EVERY_RECORD: Scope = "after every record"
AT_RESULT_BOUNDARIES: Scope = "at result boundaries"
COMMITTED: Scope = "for committed state"
"""When a condition is claimed. After every record: also in the middle of what a row writes. At result boundaries: before and after whole
rows. For committed state: of the state that the committed part of a log gives, whichever controller wrote it. That may be half of a row's result, if the result is
no single batch and its author was replaced: `cuts.with_cuts` makes such halves rows, at whose end the claim is asked. Where a protocol has
no rows of this kind, committed state is that at result boundaries."""

Expected = Literal["holds", "violated"]


@dataclass(frozen=True, eq=False)
class Always:
    """A condition on every state of the scope. A `lemma` is there for induction and claims nothing about Kafka.

    `by` are the rows that break one that is declared violated; every other row keeps it. Without, any row may break it.
    """

    id: str
    term: Term[bool]
    scope: Scope
    source: str
    about: str
    expected: Expected
    finding: str
    lemma: bool
    place: Place
    by: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Step:
    """A condition on every step: the state before (plain reads) and after (`next_`), one record or one whole row long.

    A row with effects makes a step whenever it fires, also where it changes nothing. With `rows`, the step is one of those rows, the
    condition may speak of their parameters, and no other row is asked; a refusal is a step of claims that name it alone. `left_out`
    are the rows that a condition on every step does not concern, each with the reason: the protocol sets `rows` to all its others
    that have effects. `answering` are rows by what they answer; the protocol sets `rows` to them, so that a row whose answer is
    edited is one of other claims. `by` is as for a condition on states. `spec/steps.md` has the definition that all engines share.
    """

    id: str
    term: Term[bool]
    scope: Scope
    rows: tuple[str, ...]
    source: str
    about: str
    expected: Expected
    finding: str
    place: Place
    by: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    named_for: str = ""
    answering: Answering | None = None

    @property
    def by_name(self) -> bool:
        """Whether the claim is about the rows that it names, and may speak of their parameters."""
        return bool(self.rows) and not self.left_out

    def is_of(self, row: Row) -> bool:
        """Return whether a firing of a row is a step of this claim."""
        return row.id in self.rows if self.rows else row.changes and all(row.id != id for id, _ in self.left_out)


@dataclass(frozen=True, eq=False)
class Sometimes:
    """A condition that some reachable state must show: without it a proof may be vacuous."""

    id: str
    term: Term[bool]
    source: str
    about: str
    place: Place


@dataclass(frozen=True, eq=False)
class LeadsTo:
    """Whenever one condition holds another holds later, in every run that is fair to the named events.

    Of an event of `fair` (weak fairness) a run takes a step again and again, unless again and again the event can change
    nothing. Of one of `strongly_fair` (strong fairness) it takes a step again and again if again and again the event can
    change something. An event is all its rows for all their parameters; where `fair_by` names parameters of it, a run
    is fair to its firings with each values of these. With `each`, it is claimed for every value of these variables. The
    events of `finitely` change something finitely often in a run: after the last of them the goal has to come. `ranking`
    is why it comes, whatever the number of entities; without one, bounds alone decide the claim.
    """

    id: str
    trigger: Term[bool]
    goal: Term[bool]
    fair: tuple[str, ...]
    source: str
    about: str
    place: Place
    expected: Expected = "holds"
    finding: str = ""
    strongly_fair: tuple[str, ...] = ()
    each: tuple[Var[Any], ...] = ()
    fair_by: tuple[tuple[str, str], ...] = ()
    finitely: tuple[str, ...] = ()
    ranking: Ranking | None = None

    @property
    def terms(self) -> tuple[Term[Any], ...]:
        """The terms over the state that it speaks of, those of its ranking behind the trigger and the goal."""
        return (self.trigger, self.goal, *(self.ranking.terms if self.ranking is not None else ()))

    def fair_params(self, event: str) -> tuple[str, ...]:
        """The parameters of an event for each of whose values runs are fair to it."""
        return tuple(param for name, param in self.fair_by if name == event)

    @property
    def fair_events(self) -> tuple[str, ...]:
        """The events that a run must be fair to: the weakly fair ones, then the strongly fair ones."""
        return (*self.fair, *self.strongly_fair)


@dataclass(frozen=True, eq=False)
class Assumption:
    """A condition that the tables rely on and do not establish; a proof says which ones it used.

    With `event`, it is one on the parameters of that event: inputs that are held impossible. Proofs and explorations do not
    ask about them; logs and recorded answers are checked without it.
    """

    id: str
    term: Term[bool]
    event: str
    source: str
    about: str
    place: Place


Property: TypeAlias = Always | Step | Sometimes | LeadsTo


def always(
    id: str,
    term: Term[bool],
    about: str = "",
    source: str = "",
    scope: Scope = AFTER_EVERY_RECORD,
    expected: Expected = "holds",
    finding: str = "",
    by: tuple[str, ...] = (),
) -> Always:
    """Claim that a condition holds in every state of the scope."""
    return Always(id, term, scope, source, about, expected, finding, False, caller(), by)


def lemma(id: str, term: Term[bool], about: str = "", scope: Scope = AT_RESULT_BOUNDARIES) -> Always:
    """Claim a condition for the sake of induction."""
    return Always(id, term, scope, "", about, "holds", "", True, caller())


def step(
    id: str,
    term: Term[bool],
    about: str = "",
    source: str = "",
    scope: Scope = AFTER_EVERY_RECORD,
    rows: tuple[str, ...] | Answering = (),
    expected: Expected = "holds",
    finding: str = "",
    by: tuple[str, ...] = (),
    except_rows: Mapping[str, str] = MappingProxyType({}),
    named_for: str = "",
) -> Step:
    """Claim that a condition holds of every step.

    `rows` are for a claim that is about these rows by its own words, or speaks of their parameters: their ids, or those
    `answering` in some way. `named_for` is the reason why it is not one about other rows that write what it reads. `except_rows` leaves rows out of a claim about every step,
    each with the reason. Every verdict prints the reasons. Raises `TableError` for `rows` and `except_rows` at once.
    """
    if rows and except_rows:
        raise refuse(f"property {id}", "names its rows and leaves rows out", "give rows= or except_rows=")
    left_out = tuple(except_rows.items())
    ids, said = ((), rows) if isinstance(rows, Answering) else (rows, None)
    return Step(id, term, scope, ids, source, about, expected, finding, caller(), by, left_out, named_for, said)


result_step = partial(step, scope=AT_RESULT_BOUNDARIES)
"""Claims that a condition holds of every step from one result to the next, as `step` at result boundaries."""


def sometimes(id: str, term: Term[bool], about: str = "", source: str = "") -> Sometimes:
    """Claim that some reachable state shows a condition."""
    return Sometimes(id, term, source, about, caller())


def leads_to(
    id: str,
    trigger: Term[bool],
    goal: Term[bool],
    fair: tuple[str, ...],
    about: str = "",
    source: str = "",
    expected: Expected = "holds",
    finding: str = "",
    strongly_fair: tuple[str, ...] = (),
    each: tuple[Var[Any], ...] = (),
    fair_by: Mapping[str, Var[Any] | tuple[Var[Any], ...]] = MappingProxyType({}),
    finitely: tuple[str, ...] = (),
    by: Ranking | None = None,
) -> LeadsTo:
    """Claim that one condition leads to another, under weak fairness of `fair` and strong fairness of `strongly_fair`.

    `each` are variables of both conditions: it is claimed for every value of them, as for each client. `fair_by` has, by
    event, the parameter, or parameters, for each of whose values a run is fair: where two clients take turns, each then
    has its own.
    `finitely` are events that change something finitely often, such as failures; a claim that needs it says so. `by` is a
    ranking that proves the claim for any number of entities.

    Weak fairness is enough for an event that stays enabled until it is taken. One that others disable again and again,
    as a delivery is by the loss of the message, needs strong fairness. That assumes more: prefer the weak one where it
    is enough.
    """
    listed = ((event, by if isinstance(by, tuple) else (by,)) for event, by in fair_by.items())
    values = tuple((event, param.name) for event, params in listed for param in params)
    return LeadsTo(
        id, trigger, goal, fair, source, about, caller(), expected, finding, strongly_fair, each, values, finitely, by
    )


def assume(id: str, term: Term[bool] = TRUE, about: str = "", source: str = "", event: str = "") -> Assumption:
    """Assume a condition by name, on every state or on the parameters of an event."""
    return Assumption(id, term, event, source, about, caller())
