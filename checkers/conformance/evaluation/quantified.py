"""The entities for which a quantifier is evaluated: not those of classes for which a part of it decides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fencepost.checkers.conformance.classes.classes import ClassedTable, Classes
from fencepost.checkers.conformance.classes.frames import MISSING, Code, Env, Frame, restore
from fencepost.checkers.conformance.classes.members import Members
from fencepost.checkers.conformance.classes.siblings import is_of_cells, sibling_of
from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.terms import Implies, Named, Not, Quant
from fencepost.model.language.walk import conjuncts, free

from .indexes import Coder, Selector, seen_of, selector

FEW: Final = 64
"""The number of entities up to which each is evaluated."""


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition that depends on nothing of an entity but its own cells in some tables, by their numbers."""

    code: Code
    numbers: tuple[int, ...]

    def classes(self, frame: Frame) -> Classes | None:
        """Return the classes of which it holds as a whole or not at all; None where it may differ within one."""
        tables = [frame.tables[number] for number in self.numbers]
        if any(type(one) is not ClassedTable or one.classes.own[one.slot] is not None for one in tables):
            return None
        found: Classes = tables[0].classes
        return found


@dataclass(frozen=True, slots=True)
class _Left:
    """The entities of some classes, found one class after the other, and some beside."""

    classes: Classes
    numbers: Iterator[int]
    beside: Mapping[Any, None]


class Candidates:
    """Finds the values of a quantifier's variable for which its body is to be evaluated: an index leaves them, and the
    class of none of them refutes the condition under which the body says anything."""

    def __init__(self, coder: Coder, term: Quant) -> None:
        self.var: Var[Any] = term.var
        self.select: Selector | None = selector(coder, term.var, term.body, term.quantifier == "some")
        is_entity = isinstance(term.var.kind, EntityKind)
        self.conditions = tuple(_conditions(coder, term)) if is_entity else ()
        self.sibling = sibling_of(coder, term)

    def __call__(self, frame: Frame, env: Env) -> Iterable[Any] | None:
        """Return them in any order, which decides nothing; None where they cannot be listed."""
        if frame.sibling is not None:
            found = frame.sibling.values(self.sibling, env)
            if found is not None:
                return found
        found = self._selected(frame, env)
        left = self._left(found, frame, env)
        return seen_of(frame, self.var, found) if left is None else self._one_by_one(left)

    def narrow(self, frame: Frame, env: Env) -> Collection[Any] | None:
        """Return them as an index does: None where all are meant, and others that were never seen may be among them."""
        found = self._selected(frame, env)
        left, old = self._left(found, frame, env), env.get(self.var, MISSING)
        if left is None:
            return found
        some = Members(left.classes, left.numbers, left.beside)
        restore(env, self.var, old)
        return some

    def _selected(self, frame: Frame, env: Env) -> Collection[Any] | None:
        return None if self.select is None else self.select(frame, env)

    def _left(self, found: Collection[Any] | None, frame: Frame, env: Env) -> _Left | None:
        """Return those of classes of which no condition is false, None where that is not asked.

        While their numbers are listed the variable is bound to others.
        """
        if not self.conditions or not (found is None or (isinstance(found, Members) and len(found) > FEW)):
            return None
        ready = [(one, classes) for one in self.conditions if (classes := one.classes(frame)) is not None]
        if not ready or (found is None and len(ready[0][1].entities) <= FEW):
            return None
        conditions, classes = [one for one, _ in ready], ready[0][1]

        def numbers() -> Iterator[int]:
            for number in classes.present() if found is None else found.numbers:
                if classes.sizes[number]:
                    env[self.var] = classes.one_of(number)
                    if not any(one.code(frame, env) is False for one in conditions):
                        yield number

        return _Left(classes, numbers(), {} if found is None else found.beside)

    @staticmethod
    def _one_by_one(left: _Left) -> Iterator[Any]:
        """Yield them: where the first decides, no class is listed, and no other is evaluated."""
        for number in left.numbers:
            first = left.classes.one_of(number)
            yield first
            yield from (one for one in left.classes.members(number) if one is not first)
        yield from left.beside


def narrowing(coder: Coder, var: Var[Any], condition: Term[bool]) -> Selector:
    """Return how to find the entities for which a condition is not sure to be false, by an index and by class."""
    return Candidates(coder, Quant("some", var, condition)).narrow


def _conditions(coder: Coder, term: Quant) -> Iterator[_Condition]:
    """Yield the conditions where one of which is false the body is what does not decide."""
    for part in _antecedents(term.body) if term.quantifier == "every" else conjuncts(term.body):
        numbers = set[int]()
        if term.var in free(part) and is_of_cells(part, term.var, coder, numbers) and numbers:
            yield _Condition(coder.code(part), tuple(sorted(numbers)))


def _antecedents(body: Term[Any]) -> tuple[Term[Any], ...]:
    if isinstance(body, Named):
        return _antecedents(body.term)
    if isinstance(body, Implies):
        return tuple(conjuncts(body.left))
    return tuple(conjuncts(body.term)) if isinstance(body, Not) else ()
