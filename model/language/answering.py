"""Rows by what they answer: what a claim about requests is about that are refused, or accepted, in one way."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .errors import refuse
from .terms import Ite, Lit, Named, Term

if TYPE_CHECKING:
    from .tables import Event, Row


@dataclass(frozen=True)
class Answering:
    """The rows of some events that answer one of some values or, with `otherwise`, those that answer none of them.

    A row whose answer depends on the state is among them where each answer that it may give is so. One that answers
    nothing, or throws, answers none of them.
    """

    events: tuple[str, ...]
    answers: tuple[enum.Enum, ...]
    otherwise: bool = False

    def __invert__(self) -> Answering:
        return replace(self, otherwise=not self.otherwise)

    def __str__(self) -> str:
        names = " or ".join(one.name for one in self.answers)
        return f"{' or '.join(self.events)} that is{' not' * self.otherwise} answered {names}"

    def has(self, row: Row) -> bool:
        """Return whether a row is one of them."""
        if row.event.name not in self.events:
            return False
        if row.say is None or row.throws:
            return self.otherwise
        return all((one in self.answers) is not self.otherwise for one in _values(row.say))


def answering(events: Event | tuple[Event, ...], *answers: enum.Enum) -> Answering:
    """Return the rows of an event, or of several, that answer one of some values; `~` those that answer none of them.

    Raises `TableError` where no answer is given.
    """
    if not answers:
        raise refuse("answering", "names no answer", "give at least one answer of the event's rows")
    named = events if isinstance(events, tuple) else (events,)
    return Answering(tuple(one.name for one in named), answers)


def _values(say: Term[Any]) -> tuple[object, ...]:
    """Return the values that an answer may have; what is no choice between literals is a value that no claim names."""
    match say:
        case Lit():
            return (say.value,)
        case Ite():
            return _values(say.then) + _values(say.otherwise)
        case Named():
            return _values(say.term)
    return (say,)
