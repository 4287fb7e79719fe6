"""Terms of one protocol in the words of another that was loaded apart: variables by name, enumerations by members."""

from __future__ import annotations

import enum
from dataclasses import fields
from typing import Any

from fencepost.model.language import Protocol, State, Term, Var
from fencepost.model.language.kinds import EnumKind, Kind, ListKind, OptionKind, SetKind
from fencepost.model.language.terms import Get, Lit, Named, Nary, SetOf
from fencepost.model.language.walk import nary

from .normal import kind_form


class Untranslatable(Exception):
    """A term speaks of what the other protocol has under the same name and otherwise; the message says of what."""


def state_form(state: State[Any]) -> str:
    """Return what a variable is besides its name: what it holds for which keys."""
    return f"{','.join(map(kind_form, state.keys))} → {kind_form(state.kind)}"


class Onto:
    """Says terms of another protocol with the variables and enumerations of `base`; the rest stays as it is."""

    def __init__(self, base: Protocol) -> None:
        self._states = {state.name: state for state in base.states}
        self._enums = {kind.enum.__name__: kind.enum for kind in base.kinds if isinstance(kind, EnumKind)}
        self._memo: dict[Term[Any], Term[Any]] = {}

    def __call__(self, term: Term[Any]) -> Term[Any]:
        """Return the term; raises `Untranslatable`."""
        found = self._memo.get(term)
        if found is None:
            found = self._memo[term] = self._made(term)
        return found

    def kind(self, kind: Kind[Any]) -> Kind[Any]:
        """Return a kind with the enumerations of the base."""
        if isinstance(kind, EnumKind):
            mine = self._enums.get(kind.enum.__name__, kind.enum)
            if mine is not kind.enum and kind_form(EnumKind(mine)) != kind_form(kind):
                raise Untranslatable(f"the enumeration {mine.__name__} has other members")
            return EnumKind(mine)
        if isinstance(kind, (OptionKind, SetKind, ListKind)):
            return type(kind)(self.kind(kind.of))
        return kind

    def state(self, state: State[Any]) -> State[Any]:
        """Return the base's variable of the same name, or the variable itself where the base has none."""
        mine = self._states.get(state.name, state)
        if mine is not state and state_form(mine) != state_form(state):
            raise Untranslatable(f"the variable {state.name} holds something else")
        return mine

    def _made(self, term: Term[Any]) -> Term[Any]:
        if isinstance(term, Get):
            return Get(self.state(term.state), tuple(map(self, term.keys)))
        if isinstance(term, Var):
            return Var(term.name, self.kind(term.kind))
        if isinstance(term, Lit):
            return Lit(self._value(term.value), self.kind(term.kind))
        if isinstance(term, Named):
            return self(term.term)  # a definition may mean something else under the same name
        values: list[Any] = []
        for one in fields(term):  # type: ignore[arg-type]
            value = getattr(term, one.name)
            if isinstance(value, Term):
                values.append(self(value))
            elif isinstance(value, tuple) and value and isinstance(value[0], Term):
                values.append(tuple(map(self, value)))
            elif isinstance(value, Kind) and not isinstance(term, SetOf):
                values.append(self.kind(value))
            else:
                values.append(value)
        if isinstance(term, Nary):
            return nary(values[0], values[1])
        result: Term[Any] = type(term)(*values)
        return result

    def _value(self, value: Any) -> Any:
        if isinstance(value, enum.Enum):
            mine = self._enums.get(type(value).__name__, type(value))
            if value.name not in mine.__members__:
                raise Untranslatable(f"the enumeration {mine.__name__} has other members")
            return mine[value.name]
        if isinstance(value, tuple):
            return tuple(map(self._value, value))
        if isinstance(value, frozenset):
            return frozenset(map(self._value, value))
        return value


__all__ = ["Onto", "Untranslatable", "state_form"]
