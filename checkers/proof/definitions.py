"""Definitions: names for terms, stated once, and given to the solver only with the formulas that rely on them."""

from __future__ import annotations

import hashlib
import re
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
    """What is left out of a question: definitions deeper than `depth` names, and `optional` facts.

    Where `marks` is given, every definition and fact without one of these marks is left out instead.
    """

    depth: int | None = None
    optional: bool = False
    marks: frozenset[str] | None = None


NOTHING = Leave()


class Definitions:
    """The definitions of the names that formulas use, and which formula relies on which."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._axioms: list[tuple[Any, frozenset[Need]]] = []
        self._about: list[tuple[str, int, Sequence[Expr]]] = []
        self._marks: dict[Need, str] = {}
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

    def mark(self, need: Need) -> str:
        """Return four characters that distinguish a definition from most others, and that no numbering changes: a
        digest of what it names, at which moment of a row, and for which arguments.
        """
        found = self._marks.get(need)
        if found is None:
            what, position, arguments = self._about[need]
            text = f"{what} {position} {' '.join(map(_outline, arguments))}"
            found = self._marks[need] = hashlib.blake2s(text.encode(), digest_size=2).hexdigest()
        return found

    def axioms(self, needs: Iterable[Need], known: set[Need], leave: Leave = NOTHING) -> Iterator[tuple[Need, Truth]]:
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
                wanted = leave.marks is None or self.mark(need) in leave.marks
                if not callable(axiom):
                    if wanted:
                        yield need, axiom
                    deeper.extend(more)
                elif wanted and not leave.optional:
                    with self.collecting() as inside:
                        facts = list(axiom())
                    yield from ((need, fact) for fact in facts)
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
        label: str = "",
        optional: bool = False,
    ) -> list[Value]:
        """Return the values of symbols over arguments, one symbol for each kind in `made`, and rely on their
        definition.

        Where the arguments are ground the definition is stated for them alone, elsewhere for all. `label` names the
        moment in which they are read.
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
        named, ground_arguments = f"{base} at {label}", arguments if ground else []
        if key not in self._defined and optional:
            self._defined[key] = self._add(
                lambda: facts(*values) if ground else scope.every_one(kinds, facts), (), (named, 0, ground_arguments)
            )
        elif key not in self._defined:
            self._defined[key] = frozenset()  # a definition may meet its own symbol while it is made
            self._stack.append(set())  # what a definition relies on belongs to it, and is reached through it
            try:
                stated = list(facts(*values) if ground else scope.every_one(kinds, facts))
                needs = frozenset(self._stack[-1])
                made_of = [
                    self._add(one, needs, (named, n, ground_arguments))
                    for n, one in enumerate(stated)
                    if one is not True
                ]
                self._defined[key] = frozenset[Need]().union(*made_of)
            finally:
                self._stack.pop()
        self._stack[-1] |= self._defined[key]
        return [symbol.apply(arguments) for symbol in symbols]

    def _add(self, axiom: Any, needs: Iterable[Need], about: tuple[str, int, Sequence[Expr]]) -> frozenset[Need]:
        """Remember a definition that holds wherever its symbol is used, or a function that makes facts with which a
        proof can often do without, when they are first asked for; return its number.
        """
        self._axioms.append((axiom, frozenset(needs)))
        self._about.append(about)
        return frozenset((len(self._axioms) - 1,))

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
