"""Claims of runs without end, proved by their rankings: each becomes claims of steps and of states.

While the goal has not come, *waiting* is the ranking's `waiting`, or the trigger, and W is waiting without the goal. In
every run that is fair and takes finitely many steps of `finitely` the goal comes, if

- *begins*, *waits*: the trigger without the goal is waiting, and what waits does until the goal comes;
- *covered*: in every state of W the condition of something that helps holds;
- *enabled*: where W and that condition hold, the event is enabled, for the given value of the parameter by which runs
  are fair to it; of one that is `reached`, a ranking of its own shows that it comes to be enabled, or the rank falls;
- *keeps*: a step from there, of no event of `finitely`, brings the goal, or lowers the rank, or raises no rank and
  keeps the condition;
- *falls*: a step of that event lowers the rank or brings the goal.

For then, after the last step of `finitely`, a run without the goal lowers the rank so many times, and then never. One
condition goes on holding, whose event is enabled always, or again and again where runs are strongly fair to it, and is
never taken. `spec/rankings.md` has the argument at length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import (
    AT_RESULT_BOUNDARIES,
    TRUE,
    Always,
    LeadsTo,
    Protocol,
    Row,
    Step,
    Term,
    Var,
    any_of,
    next_,
)
from fencepost.model.language.rankings import Helps, Ranking
from fencepost.model.language.render import fairness_text
from fencepost.model.language.walk import free, nary, quantified, substitute

from .results import ByRanking, Obligation


@dataclass(frozen=True, eq=False)
class RankingStep(Step):
    """An obligation of the ranking of a claim, whose id is `claim`. Where it fails the ranking does, not the claim.

    One `of_states` speaks of one state, and no row is asked. `firm` are rows that count as enabled in it:
    it is proved only if no range of a counter ever disables one of them.
    """

    claim: str = ""
    of_states: bool = False
    firm: tuple[str, ...] = ()


_RANKED: WeakKeyDictionary[Protocol, Protocol] = WeakKeyDictionary()


def ranked(protocol: Protocol) -> Protocol:
    """Return a protocol with the obligations of its rankings as properties, each behind the claim that it is for.

    A claim that is declared violated has none. The protocol itself, where there are none.
    """
    if protocol not in _RANKED:
        made = [of for one in protocol.properties for of in (one, *obligations_of(protocol, one))]
        _RANKED[protocol] = (
            replace(protocol, properties=tuple(made)) if len(made) > len(protocol.properties) else protocol
        )
    return _RANKED[protocol]


def by_ranking(
    protocol: Protocol, claims: Sequence[Always | Step], found: Sequence[Obligation]
) -> tuple[ByRanking, ...]:
    """Return what was found of each claim of runs without end all of whose obligations are among those asked."""
    made, asked = [], {one.id for one in claims}
    for one in protocol.properties:
        needs = {step.id for step in obligations_of(protocol, one)}
        if not isinstance(one, LeadsTo) or not needs or not needs <= asked:
            continue
        mine = [obligation for obligation in found if obligation.ranking == one.id]
        failed = [o.verdict for o in mine if o.verdict is not Verdict.PROVED]
        worst = Verdict.NOT_INDUCTIVE if Verdict.NOT_INDUCTIVE in failed else Verdict.INCONCLUSIVE
        verdict = worst if failed else Verdict.PROVED
        made.append(ByRanking(one.id, verdict, len(mine), len(mine) - len(failed), fairness_text(needed(one))))
    return tuple(made)


def needed(one: LeadsTo) -> LeadsTo:
    """Return a claim with the fairness alone that its ranking uses: strong fairness where something is reached."""
    used = list(one.ranking.each()) if one.ranking is not None else []
    strongly = {helps.event for helps in used if helps.reached is not None}
    weakly = {helps.event for helps in used} - strongly
    fair = tuple(event for event in one.fair_events if event in weakly)
    return replace(one, fair=fair, strongly_fair=tuple(event for event in one.strongly_fair if event in strongly))


def obligations_of(protocol: Protocol, one: Any) -> Iterator[RankingStep]:
    """Yield the obligations of the ranking of a claim; none of another property."""
    if not isinstance(one, LeadsTo) or one.ranking is None or one.expected != "holds":
        return
    waiting = one.trigger if one.ranking.waiting is None else one.ranking.waiting
    maker = _Maker(protocol, one)
    waits = waiting if waiting is ~one.goal else waiting & ~one.goal
    if waiting is not one.trigger:
        about = "Waiting begins with the trigger, where the goal is not there yet."
        yield maker.of_states("begins", (one.trigger & ~one.goal).implies(waiting), one.each, about)
    if waiting is not ~one.goal:
        about = "Waiting goes on until the goal comes."
        yield maker.of_steps("waits", waits.implies(next_(waiting | one.goal)), one.each, about, finitely=False)
    yield from maker.ranked(one.ranking, waits, next_(one.goal), one.each, "")


class _Maker:
    """Makes the obligations of one claim."""

    def __init__(self, protocol: Protocol, claim: LeadsTo) -> None:
        self.protocol, self.claim = protocol, claim
        self.left_out = {
            row.id: f"a run takes {row.event.name} finitely often"
            for row in protocol.rows
            if row.event.name in claim.finitely and row.changes
        }

    def ranked(
        self, how: Ranking, waits: Term[bool], ends: Term[bool], given: tuple[Var[Any], ...], under: str
    ) -> Iterator[RankingStep]:
        """Yield what a ranking claims of steps from states that wait to those where the wait ends, for given values.

        Of a parameter that an event outside has a value of, an event that helps here has another one, unless the claim
        is of each value.
        """
        mine = [(one, self._own(one, given)) for one in how.helps]
        some = any_of(*(quantified("some", own, one.when) for one, own in mine))
        if some is not TRUE and waits is not some:
            yield self.of_states(f"{under}covered", waits.implies(some), given, "Some event helps wherever it waits.")
        for number, (one, own) in enumerate(mine, 1):
            name = f"{under}{one.event}" + (f"{number}" if [o.event for o in how.helps].count(one.event) > 1 else "")
            outside = {var: Var(f"{var.name}_outside", var.kind) for var in own if var in given}
            every = (*(outside.get(var, var) for var in given), *own)
            here = substitute(waits, outside) & one.when
            falls = substitute(nary("or", (ends, how.falls())), outside)
            enabled = self.enabled(one.event)
            if one.reached is None:
                about = f"{one.event} is enabled where it helps."
                reaches = [self.of_states(f"{name}-enabled", here.implies(enabled), every, about)]
            else:
                ends_there = nary("or", (falls, next_(enabled)))
                reaches = list(self.ranked(one.reached, here & ~enabled, ends_there, every, f"{name}-by-"))
            firm = tuple(row.id for row in self._rows(one.event))
            yield from (replace(each, firm=(*each.firm, *firm)) for each in reaches)
            about = f"Where {one.event} helps, no step raises the rank, and it goes on helping until the rank falls."
            stays = nary("and", (substitute(how.stays(), outside), next_(one.when)))
            yield self.of_steps(f"{name}-keeps", here.implies(falls | stays), every, about)
            if firm:
                yield self.of_event(f"{name}-falls", one.event, here.implies(falls), every)

    def _rows(self, event: str) -> list[Row]:
        return [row for row in self.protocol.rows if row.event.name == event and row.changes]

    def _own(self, one: Helps, given: tuple[Var[Any], ...]) -> list[Var[Any]]:
        """Return the parameters by which runs are fair to an event, and what its condition speaks of first."""
        by, spoken = self._by(one.event), sorted(free(one.when), key=lambda var: var.name)
        mine = (*(var for var in by if var not in self.claim.each), *(var for var in spoken if var not in given))
        return list(dict.fromkeys(mine))

    def _by(self, event: str) -> tuple[Var[Any], ...]:
        """Return the parameters by which runs are fair to an event."""
        params = (var for row in self._rows(event) for var in row.params if var.name in self.claim.fair_params(event))
        return tuple(dict.fromkeys(params))

    def enabled(self, event: str) -> Term[bool]:
        """Return that an event can fire, with a value of the parameter by which runs are fair to it."""
        rows = [([v for v in row.params if v not in self._by(event)], row) for row in self._rows(event)]
        return any_of(*(quantified("some", others, self.protocol.assumed_guard(row)) for others, row in rows))

    # -- claims ----------------------------------------------------------------------------------------------------
    def of_states(self, name: str, term: Term[bool], given: tuple[Var[Any], ...], about: str) -> RankingStep:
        """Return a claim of every state."""
        return self._made(name, quantified("every", given, term), about, of_states=True)

    def of_steps(
        self, name: str, term: Term[bool], given: tuple[Var[Any], ...], about: str, finitely: bool = True
    ) -> RankingStep:
        """Return a claim of every step, those of `finitely` left out unless something else is said."""
        return self._made(name, quantified("every", given, term), about, left_out=self.left_out if finitely else {})

    def of_event(self, name: str, event: str, term: Term[bool], given: tuple[Var[Any], ...]) -> RankingStep:
        """Return a claim of the steps of an event, for the value of the parameter by which runs are fair to it."""
        others = tuple(var for var in given if var not in self._by(event))
        about = f"{event} lowers the rank where it helps, or brings the goal."
        return self._made(
            name, quantified("every", others, term), about, rows=tuple(row.id for row in self._rows(event))
        )

    def _made(
        self,
        name: str,
        term: Term[bool],
        about: str,
        rows: tuple[str, ...] = (),
        left_out: Mapping[str, str] = MappingProxyType({}),
        of_states: bool = False,
    ) -> RankingStep:
        claim = self.claim
        return RankingStep(
            f"{claim.id}-{name}",
            term,
            AT_RESULT_BOUNDARIES,
            rows,
            claim.source,
            about,
            "holds",
            "",
            claim.place,
            left_out=tuple(left_out.items()),
            claim=claim.id,
            of_states=of_states,
        )
