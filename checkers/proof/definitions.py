"""Definitions: names for terms, stated once, and given to the solver only with the formulas that rely on them."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from fencepost.model.language import Kind, State

from .logic import Expr, ListValue, SetValue, Truth, Value
from .scope import Scope, Symbol

Need = int
"""The number of a definition that formulas rely on."""
Place = tuple[Need, int]
"""A fact: the number of its definition, and its position there."""


@dataclass(frozen=True)
class Leave:
    """What is left out of a question: definitions deeper than `depth` names, and `optional` facts.

    Where `marks` is given, every definition and fact without one of these marks is left out instead.
    """

    depth: int | None = None
    optional: bool = False
    marks: frozenset[str] | None = None


NOTHING = Leave()


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a definition states, and the definitions on which that relies."""

    stated: tuple[Truth, ...]
    needs: frozenset[Need]


@dataclass(slots=True)
class _Definition:
    """What a definition names at which moment, for which arguments, what states its facts, and how many at most.

    A proof can often do without what is `optional`. The facts are there once they were asked for. `depth` is how much
    deeper the definition is than what relies on it: 0 where it is what holds of a variable in every state.
    """

    what: str
    arguments: Sequence[Expr]
    state: Callable[[], Iterable[Truth]]
    positions: int
    optional: bool
    facts: _Facts | None = None
    depth: int = 1


class Definitions:
    """The definitions of the names that formulas use, and which formula relies on which."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._all: list[_Definition] = []
        self._made: list[_Definition] = []
        self._marks: dict[Need, tuple[str, ...]] = {}
        self._symbols: dict[tuple[Any, ...], list[Symbol]] = {}
        self._defined: dict[tuple[Any, ...], frozenset[Need]] = {}
        self._stack: list[set[Need]] = [set()]

    @property
    def count_made(self) -> int:
        """How many definitions were made."""
        return len(self._made)

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

    def marks(self, need: Need) -> tuple[str, ...]:
        """Return, for each fact of a definition, four characters that distinguish it from most others, and that no
        numbering changes: a digest of what is named, at which moment of a row, and for which arguments.

        They are known before the facts are made. All facts of an optional definition have the same.
        """
        found = self._marks.get(need)
        if found is None:
            about = self._all[need]
            outlines = " ".join(map(_outline, about.arguments))
            texts = (f"{about.what} {position} {outlines}" for position in range(about.positions))
            found = tuple(hashlib.blake2s(text.encode(), digest_size=2).hexdigest() for text in texts)
            found = self._marks[need] = found[:1] * about.positions if about.optional else found
        return found

    def make(self, needs: Iterable[Need]) -> None:
        """Make the definitions with these numbers and all that they rely on, but for what is optional."""
        for _ in self.axioms(needs, set(), Leave(None, True)):
            pass

    def names(self, need: Need) -> bool:
        """Return whether a definition names a term, in place of what holds of a variable in every state."""
        return bool(self._all[need].depth)

    def relied_on(self, need: Need) -> frozenset[Need]:
        """Return the definitions on which what a definition states relies."""
        return self._facts(need).needs

    def made_since(self, count: int) -> tuple[Truth, ...]:
        """Return what was stated after the first so many definitions that were made, but for what is optional."""
        made = (one.facts for one in self._made[count:] if not one.optional)
        return tuple(fact for facts in made if facts is not None for fact in facts.stated)

    def axioms(self, needs: Iterable[Need], known: set[Need], leave: Leave = NOTHING) -> Iterator[tuple[Place, Truth]]:
        """Yield the definitions with these numbers and all that they rely on, save those known, which they are then:
        each fact, with its place.

        What `leave` says is left out: then names stand for anything, and what is proved of them holds whatever they
        mean. A definition of which nothing is given is not made, and what it relies on is not reached through it.
        """
        level = [n for n in needs if n not in known]
        depth = 0
        while level and (leave.depth is None or depth < leave.depth):
            deeper: list[Need] = []
            for need in level:
                if need in known:
                    continue
                known.add(need)
                if leave.optional and self._all[need].optional:
                    continue
                if leave.marks is not None and leave.marks.isdisjoint(self.marks(need)):
                    continue
                made = self._facts(need)
                for position, fact in enumerate(made.stated):
                    if fact is True:
                        continue
                    if leave.marks is None or self.marks(need)[position] in leave.marks:
                        yield (need, position), fact
                for one in made.needs:
                    (deeper if self.names(one) else level).append(one)
            level, depth = deeper, depth + 1

    def range_of(self, state: State[Any], facts: tuple[Truth, ...]) -> Need:
        """Return the number of what holds of a variable in every state, for those that read it to rely on."""
        stated = _Facts(facts, frozenset())
        self._all.append(_Definition(f"range of {state.name}", (), lambda: facts, len(facts), False, stated, 0))
        return len(self._all) - 1

    def rely(self, need: Need) -> None:
        """Rely on a definition in what is being lowered."""
        self._stack[-1].add(need)

    def choice(
        self,
        place: tuple[Any, ...],
        kinds: Sequence[Kind[Any]],
        values: Sequence[Value],
        made: Sequence[Kind[Any]],
        define: Callable[[Sequence[Value], Sequence[Value]], Iterable[Truth]],
        base: str = "choice",
        label: str = "",
        stated: int = 1,
        optional: bool = False,
    ) -> list[Value]:
        """Return the values of symbols over arguments, one symbol for each kind in `made`, and rely on their
        definition.

        Where the arguments are ground the definition is stated for them alone, elsewhere for all. `label` names the
        moment in which they are read, `stated` is how many facts `define` yields at most.
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
        if key not in self._defined:
            cases = 1 if ground else math.prod(map(scope.cases, kinds))
            state = partial(facts, *values) if ground else partial(scope.every_one, kinds, facts)
            named = arguments if ground else []
            self._defined[key] = frozenset((len(self._all),))
            self._all.append(_Definition(f"{base} at {label}", named, state, cases * stated, optional))
        self._stack[-1] |= self._defined[key]
        return [symbol.apply(arguments) for symbol in symbols]

    def _facts(self, need: Need) -> _Facts:
        """Return what a definition states, made when it is first asked for."""
        one = self._all[need]
        if one.facts is None:
            # What a definition relies on belongs to it, and is reached through it.
            self._stack.append(set())
            try:
                stated = tuple(one.state())
                one.facts = _Facts(stated, frozenset(self._stack[-1]))
            finally:
                self._stack.pop()
            assert len(stated) <= one.positions, f"{one.what} states {len(stated)} facts, at most {one.positions}"
            self._made.append(one)
        return one.facts

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


def _outline(expr: Expr, depth: int = 2) -> str:
    """Return the names at the top of an expression without the numbers that make them unique."""
    if not z3.is_app(expr):
        return ""
    name = re.sub(r"!\d+", "", expr.decl().name())
    inside = (_outline(expr.arg(n), depth - 1) for n in range(expr.num_args() if depth else 0))
    return f"{name}({','.join(inside)})"
