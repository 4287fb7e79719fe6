"""Rankings: what makes a claim of runs without end one of steps, for any number of entities.

A rank is a value of a well-founded order that is never computed. It is declared by what its fall is, as a condition on the
state before and after a step, so that a number of entities falls where one leaves the set and none joins it (implicit
rankings: Lotan and Shoham, TACAS 2025; with infinite runs in view: Lotan, Elad, Padon and Shoham, TACAS 2026). Several
ranks are compared in their order. `spec/rankings.md` has the obligations that the proof makes of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .build import all_of, any_of, let, next_
from .terms import FALSE, TRUE, Term, Var
from .walk import quantified


@dataclass(frozen=True, eq=False)
class Phases:
    """The place of the first condition that holds, the number of conditions where none does.

    With `over`, variables of finite kinds, the sum of it over their values.
    """

    conditions: tuple[Term[bool], ...]
    over: tuple[Var[Any], ...] = ()

    @property
    def terms(self) -> tuple[Term[Any], ...]:
        """The terms over the state that it is made of."""
        return self.conditions

    def lower(self) -> Term[bool]:
        """Return that a step lowers it, for values of `over`."""
        every = range(len(self.conditions))
        return any_of(*(next_(self.conditions[n]) & ~any_of(*self.conditions[: n + 1]) for n in every))

    def no_higher(self) -> Term[bool]:
        """Return that a step does not raise it, for values of `over`."""
        every = range(len(self.conditions))
        return all_of(*(self.conditions[n].implies(next_(any_of(*self.conditions[: n + 1]))) for n in every))


@dataclass(frozen=True, eq=False)
class Distance:
    """How far a number is above another, 0 where it is not; with `over` the sum of it over their values."""

    high: Term[int]
    low: Term[int]
    over: tuple[Var[Any], ...] = ()

    @property
    def terms(self) -> tuple[Term[Any], ...]:
        """The terms over the state that it is made of."""
        return self.high, self.low

    def lower(self) -> Term[bool]:
        """Return that a step lowers it, for values of `over`."""
        return (self.high > self.low) & (next_(self.high) + self.low < self.high + next_(self.low))

    def no_higher(self) -> Term[bool]:
        """Return that a step does not raise it, for values of `over`."""
        return (next_(self.high) <= next_(self.low)) | (next_(self.high) + self.low <= self.high + next_(self.low))


Rank = Phases | Distance


@dataclass(frozen=True, eq=False)
class Helps:
    """An event whose firing lowers the rank wherever a condition holds, in which it is enabled until it fires.

    The condition may speak of the parameter by which runs are fair to the event. Of an event to which they are
    strongly fair `reached` says how it comes to be enabled, again and again.
    """

    event: str
    when: Term[bool]
    reached: Ranking | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """What lowers a rank until the goal comes. `waiting` holds from the trigger to the goal; the trigger itself without."""

    helps: tuple[Helps, ...]
    ranks: tuple[Rank, ...] = ()
    waiting: Term[bool] | None = None

    @property
    def terms(self) -> Iterator[Term[Any]]:
        """The terms over the state that it is made of."""
        if self.waiting is not None:
            yield self.waiting
        for rank in self.ranks:
            yield from rank.terms
        for one in self.helps:
            yield one.when
            yield from one.reached.terms if one.reached is not None else ()

    def each(self) -> Iterator[Helps]:
        """Yield what helps, that by which it is reached after it."""
        for one in self.helps:
            yield one
            yield from one.reached.each() if one.reached is not None else ()

    def falls(self) -> Term[bool]:
        """Return that a step lowers the rank: one of the ranks falls, and none before it rises."""
        if not self.ranks:
            return FALSE
        pairs = [(self.ranks[: n + 1], rank) for n, rank in enumerate(self.ranks)]
        return let("rank_falls", any_of(*(all_of(*map(_no_higher, upto)) & _falls(rank) for upto, rank in pairs)))

    def stays(self) -> Term[bool]:
        """Return that a step raises none of the ranks."""
        return let("rank_stays", all_of(*map(_no_higher, self.ranks))) if self.ranks else TRUE


def _no_higher(rank: Rank) -> Term[bool]:
    """Return that a step raises a rank for none of the values that it is summed over."""
    return quantified("every", rank.over, rank.no_higher())


def _falls(rank: Rank) -> Term[bool]:
    """Return that a step lowers a rank for one of the values that it is summed over."""
    return quantified("some", rank.over, rank.lower())


def ranking(*helps: Helps, ranks: tuple[Rank, ...] = (), waiting: Term[bool] | None = None) -> Ranking:
    """Say why a goal comes: some event always helps, and lowers the rank or brings the goal, and no other step raises it.

    In every state that waits the condition of one of `helps` holds. Until the rank falls or the goal comes it goes on
    holding, and no step raises the rank. `ranks` are compared in their order; without any, each event that helps brings
    the goal. `waiting` is for a claim whose trigger need not hold up to the goal.
    """
    return Ranking(helps, ranks, waiting)


def helps(event: str, when: Term[bool], reached: Ranking | None = None) -> Helps:
    """Say where an event is enabled, and its firing lowers the rank or brings the goal.

    `reached` is for an event to which runs are strongly fair: why it comes to be enabled where it is not.
    """
    return Helps(event, when, reached)


def number_of(var: Var[Any], condition: Term[bool]) -> Rank:
    """Rank by how many values of a variable of a finite kind have a condition."""
    return Phases((~condition,), (var,))


def phases(*conditions: Term[bool], each: tuple[Var[Any], ...] = ()) -> Rank:
    """Rank by the first of some conditions that holds, the first being the lowest; summed over the values of `each`."""
    return Phases(conditions, each)


def distance(high: Term[int], low: Term[int], each: tuple[Var[Any], ...] = ()) -> Rank:
    """Rank by how far a number is above another, 0 where it is not; summed over the values of `each`."""
    return Distance(high, low, each)


__all__ = ["Distance", "Helps", "Phases", "Rank", "Ranking", "distance", "helps", "number_of", "phases", "ranking"]
