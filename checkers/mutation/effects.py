"""Mutants of effects: each effect dropped, each record's field left unsaid, and the terms that stand in effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fencepost.model.language import FALSE, Effect, Term
from fencepost.model.language.effects import Applied, Assign, Every, Given, Only, Together, Write
from fencepost.model.language.kinds import BOOL
from fencepost.model.language.render import effect_text
from fencepost.model.language.terms import Lit

from .terms import Role, quoted

Put = Callable[[tuple[Effect, ...]], tuple[Effect, ...]]
"""Puts other effects in place of one of a row's effects, and returns the row's effects."""


@dataclass(frozen=True)
class Dropped:
    """An effect, or what a record says of a field, left out: kind, path, words, and the row's effects without it."""

    kind: str
    path: str
    about: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Spot:
    """A term in an effect: path, where that is in words, its role, and how to put another in its place.

    `scope` says that it is the condition of an `every`.
    """

    path: str
    where: str
    term: Term[Any]
    role: Role
    put: Callable[[Term[Any]], tuple[Effect, ...]]
    scope: bool = False


def dropped(effects: tuple[Effect, ...]) -> Iterator[Dropped]:
    """Yield everything that can be left out of effects."""
    for path, one, put in _sites(effects):
        is_record = isinstance(one, Write)
        kind = "record dropped" if is_record else "effect dropped"
        yield Dropped(kind, path, f"without {quoted(effect_text(one))}", put(()))
        if isinstance(one, Write):
            for i, given in enumerate(one.fields):
                if given.said is FALSE or given.field not in {f.name for f in one.record.fields if f.optional}:
                    continue
                rest = (*one.fields[:i], *one.fields[i + 1 :])
                about = f"{one.record.name} without the field `{given.field}`"
                yield Dropped("field dropped", f"{path}.{given.field}", about, put((Write(one.record, rest),)))


def spots(effects: tuple[Effect, ...]) -> Iterator[Spot]:
    """Yield every term of effects that a mutant may alter."""
    for path, one, put in _sites(effects):
        yield from _spots(path, one, put)


def _spots(path: str, one: Effect, put: Put) -> Iterator[Spot]:
    if isinstance(one, Assign):
        where = f"`{one.target}` becomes"
        yield Spot(f"{path}.value", where, one.value, "value", lambda t: put((Assign(one.target, t),)))
    elif isinstance(one, Every):
        where = f"the {one.var.name} of `every`"
        yield Spot(f"{path}.when", where, one.when, "condition", lambda t: put((Every(one.var, t, one.body),)), True)
    elif isinstance(one, Only):
        yield Spot(
            f"{path}.when", "the condition of an effect", one.when, "condition", lambda t: put((Only(t, one.body),))
        )
    elif isinstance(one, Write):
        for i, given in enumerate(one.fields):
            yield from _field(path, one, i, given, put)
    elif isinstance(one, Applied):
        for i, argument in enumerate(one.arguments):
            name = one.procedure.formals[i].name
            where = f"`{name}` of {one.procedure.name}"
            yield Spot(f"{path}.{name}", where, argument, _role(argument), _arguing(one, i, put))


def _field(path: str, one: Write, i: int, given: Given, put: Put) -> Iterator[Spot]:
    def other(said: Term[bool], value: Term[Any]) -> tuple[Effect, ...]:
        changed = Given(given.field, said, value)
        return put((Write(one.record, (*one.fields[:i], changed, *one.fields[i + 1 :])),))

    name = f"{one.record.name}.{given.field}"
    if not isinstance(given.said, Lit):
        yield Spot(
            f"{path}.{given.field}.said",
            f"when {name} is said",
            given.said,
            "condition",
            lambda t: other(t, given.value),
        )
    if given.said is not FALSE:
        yield Spot(f"{path}.{given.field}", name, given.value, "value", lambda t: other(given.said, t))


def _arguing(one: Applied, i: int, put: Put) -> Callable[[Term[Any]], tuple[Effect, ...]]:
    return lambda term: put((_with_argument(one, i, term),))


def _role(argument: Term[Any]) -> Role:
    return "condition" if argument.kind == BOOL and not isinstance(argument, Lit) else "value"


def _with_argument(one: Applied, i: int, term: Term[Any]) -> Applied:
    arguments = (*one.arguments[:i], term, *one.arguments[i + 1 :])
    name = one.procedure.formals[i].name
    shown = tuple((n, term if n == name else t) for n, t in one.shown)
    return replace(one, arguments=arguments, shown=shown)


def _inside(one: Every | Only | Together, put: Put) -> Put:
    return lambda new: put((replace(one, body=new),) if new else ())


def _applying(one: Applied, put: Put) -> Put:
    return lambda new: put((replace(one, procedure=replace(one.procedure, body=new)),))


def _sites(effects: tuple[Effect, ...]) -> Iterator[tuple[str, Effect, Put]]:
    """Yield every effect, those inside others too, with its path and how to put others in its place."""

    def visit(body: tuple[Effect, ...], prefix: str, up: Put) -> Iterator[tuple[str, Effect, Put]]:
        for i, one in enumerate(body):

            def put(new: tuple[Effect, ...], i: int = i) -> tuple[Effect, ...]:
                return up((*body[:i], *new, *body[i + 1 :]))

            path = f"{prefix}{i}"
            yield path, one, put
            if isinstance(one, (Every, Only, Together)):
                yield from visit(one.body, f"{path}.", _inside(one, put))
            elif isinstance(one, Applied):
                yield from visit(one.procedure.body, f"{path}.{one.procedure.name}.", _applying(one, put))

    return visit(effects, "", lambda new: new)


__all__ = ["Dropped", "Spot", "dropped", "spots"]
