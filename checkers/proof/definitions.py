"""Definitions: names for terms, stated once, and given to the solver only with the formulas that rely on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import z3

from fencepost.model.language import Kind

from .logic import Expr, ListValue, SetValue, Truth, Value
from .scope import Scope, Symbol

Need = int
"""The number of a definition or a fact that formulas rely on."""


@dataclass(frozen=True)
class Leave:
    """What is left out of a question: definitions deeper than `depth` names, and `optional` facts."""

    depth: int | None = None
    optional: bool = False


NOTHING = Leave()


class Definitions:
    """The definitions of the names that formulas use, and which formula relies on which."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._axioms: list[tuple[Any, frozenset[Need]]] = []
        self._symbols: dict[tuple[Any, ...], list[Symbol]] = {}
        self._defined: dict[tuple[Any, ...], frozenset[Need]] = {}
        self._stack: list[set[Need]] = [set()]

    @property
    def stated(self) -> int:
        """How many definitions and facts there are; their numbers are below it."""
        return len(self._axioms)

    @contextmanager
    def collecting(self) -> Iterator[set[Need]]:
        """Collect the definitions that what is lowered inside relies on; they also count for what is around."""
        mine: set[Need] = set()
        self._stack.append(mine)
        try:
            yield mine
        finally:
            self._stack.pop()
            self._stack[-1] |= mine

    def add_axiom(self, axiom: Truth, needs: Iterable[Need]) -> frozenset[Need]:
        """Remember a definition that holds wherever its symbol is used; return its number, or none if it is empty."""
        if axiom is True:
            return frozenset()
        self._axioms.append((axiom, frozenset(needs)))
        return frozenset((len(self._axioms) - 1,))

    def add_optional(self, facts: Callable[[], Iterable[Truth]]) -> frozenset[Need]:
        """Remember facts that a proof can often do without; they are made when they are first asked for."""
        self._axioms.append((facts, frozenset()))
        return frozenset((len(self._axioms) - 1,))

    def axioms(self, needs: Iterable[Need], known: set[Need], leave: Leave = NOTHING) -> Iterator[Truth]:
        """Yield the definitions with these numbers and all that they rely on, save those known; they are known then.

        What `leave` says is left out: then names stand for anything, and what is proved of them holds whatever they
        mean.
        """
        level = [n for n in needs if n not in known]
        depth = 0
        while level and (leave.depth is None or depth < leave.depth):
            deeper: list[Need] = []
            for need in level:
                if need in known:
                    continue
                known.add(need)
                axiom, more = self._axioms[need]
                if not callable(axiom):
                    yield axiom
                    deeper.extend(more)
                elif not leave.optional:
                    with self.collecting() as inside:
                        facts = list(axiom())
                    yield from facts
                    deeper.extend(inside)
            level, depth = deeper, depth + 1

    def choice(
        self,
        place: tuple[Any, ...],
        kinds: Sequence[Kind[Any]],
        values: Sequence[Value],
        made: Sequence[Kind[Any]],
        define: Callable[[Sequence[Value], Sequence[Value]], Iterable[Truth]],
        base: str = "choice",
        optional: bool = False,
    ) -> list[Value]:
        """Return the values of symbols over arguments, one symbol for each kind in `made`, and rely on their
        definition.

        Where the arguments are ground the definition is stated for them alone, elsewhere for all.
        """
        scope = self.scope
        if place not in self._symbols:
            sorts = [s for kind in kinds for s in scope.argument_sorts(kind)]
            self._symbols[place] = [scope.symbol(base, sorts, kind) for kind in made]
        symbols = self._symbols[place]

        def at(values: Sequence[Value]) -> list[Expr]:
            return [a for value, kind in zip(values, kinds, strict=True) for a in scope.arguments(value, kind)]

        def facts(*values: Value) -> Iterator[Truth]:
            return iter(define(values, [symbol.apply(at(values)) for symbol in symbols]))

        arguments = at(values)
        ground = all(scope.is_ground(a) for a in arguments)
        key = (*place, *(self._key(a) for a in arguments)) if ground else (*place, "all")
        if key not in self._defined and optional:
            self._defined[key] = self.add_optional(lambda: facts(*values) if ground else scope.every_one(kinds, facts))
        elif key not in self._defined:
            self._defined[key] = frozenset()  # a definition may meet its own symbol while it is made
            self._stack.append(set())  # what a definition relies on belongs to it, and is reached through it
            try:
                stated = list(facts(*values) if ground else scope.every_one(kinds, facts))
                needs = frozenset(self._stack[-1])
                self._defined[key] = frozenset(n for fact in stated for n in self.add_axiom(fact, needs))
            finally:
                self._stack.pop()
        self._stack[-1] |= self._defined[key]
        return [symbol.apply(arguments) for symbol in symbols]

    def _remembering(self, value: Value) -> Value:
        """Return a set or a list that answers each question once."""
        if isinstance(value, SetValue):
            return SetValue(self._once(value.contains))
        if isinstance(value, ListValue):
            return ListValue(self._once(value.contains), self._once(value.before))
        return value

    def _once(self, question: Callable[..., Truth]) -> Callable[..., Truth]:
        if getattr(question, "asked_once", False):
            return question
        answers: dict[tuple[Any, ...], tuple[Truth, frozenset[Need], tuple[Expr, ...]]] = {}

        def ask(*about: Expr) -> Truth:
            key = tuple(x.ast.value for x in about)
            found = answers.get(key)
            if found is None:
                with self.collecting() as needs:
                    truth = question(*about)
                found = answers[key] = truth, frozenset(needs), about
            else:
                self._stack[-1] |= found[1]
            return found[0]

        ask.asked_once = True  # type: ignore[attr-defined]
        return ask

    def _key(self, value: Value) -> Any:
        if isinstance(value, bool):
            return value
        return value.ast.value if isinstance(value, z3.ExprRef) else (id(value),)
