"""A Python function while it is printed: its lines, and what variables and terms are called in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fencepost.model.language import Term, Var
from fencepost.model.language.walk import children, free

from .certainty import ALWAYS, Certainty, Truth, Value

STATES = "S"
"""The parameter of printed functions that holds the tables of states, their indexes and the entities seen, by name."""


class Lines:
    """The lines of a function, how deep the next one is indented, and which tables have a name there."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.names = 0
        self.reads: set[str] = set()
        self.texts: dict[str, str] = {}  # what expressions that have been evaluated are called
        self.slow = ""
        self.outermost: tuple[int, int] | None = None  # the line of the outermost loop that is open, and how deep it is

    def source(self, name: str, params: Iterable[str]) -> str:
        """Return the function's source."""
        return "\n".join([f"def {name}({', '.join((STATES, *params))}):", *self.lines, ""])


def _in_place_of(known: str, name: str, text: str) -> str:
    """Return a text with a name in place of an expression, wherever it is not a part of another one."""
    return re.sub(rf"(?<![\w.\])]){re.escape(known)}(?!\w)", name, text)


class Function:
    """A function that is printed, as it reads one state; `after` is the prefix of the state that `Next` reads.

    A prefix names a state: its tables are called by the prefix and their number. `variables` are what variables are
    called. A term that several others use is evaluated once, where the first of them is: `values` and `truths` are
    what such terms are called from there on. `members` says of a name which list it is an entry of, `shown` of a
    condition which variable is known where it holds, and what it is called there. Of the variables that are `awaited`
    each will have a value: nothing is said of cells of entities that it may be, as long as it has none.
    """

    def __init__(
        self,
        prefix: str,
        variables: Mapping[Var[Any], Value] | None = None,
        after: str = "",
        lines: Lines | None = None,
    ) -> None:
        self.prefix, self.after = prefix, after
        self.variables = dict(variables or {})
        self.body = Lines() if lines is None else lines
        self.values: dict[Term[Any], Value] = {}
        self.truths: dict[Term[Any], Truth] = {}
        self.uses: dict[Term[Any], int] | None = None
        self.members: dict[str, Term[Any]] = {}
        self.shown: dict[Term[Any], tuple[Var[Any], str]] = {}
        self.awaited: frozenset[Term[Any]] = frozenset()
        self.local: set[Var[Any]] = set()
        self.inside = 0
        self._next: Function | None = None

    # -- lines -------------------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        """Add a line; an expression in it that has a name is not evaluated again."""
        for known, name in self.body.texts.items():
            if known in text:
                text = _in_place_of(known, name, text)
        self.body.lines.append("    " * self.body.depth + text)

    def named(self, text: str) -> str:
        """Return a name for the value of an expression, which is evaluated here, unless it has been."""
        if text.isidentifier():
            return text
        name = self.body.texts.get(text)
        if name is None:
            self.body.names += 1
            name = f"t{self.body.names}"
            self.line(f"{name} = {text}")
            self.body.texts[text] = name
        return name

    def fresh(self, stem: str) -> str:
        """Return a name that nothing else in the function has."""
        self.body.names += 1
        return f"{stem}{self.body.names}"

    def read(self, name: str) -> str:
        """Return the name of a table, an index or a domain; the function gets it from its states here."""
        body = self.body
        if name not in body.reads:
            body.reads.add(name)
            read = f"{name} = {STATES}[{name!r}]"
            if body.outermost is None:
                self.line(read)
            else:
                at, depth = body.outermost
                body.lines.insert(at, "    " * depth + read)
                body.outermost = at + 1, depth
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """What is printed meanwhile is under a head; names that terms get there are forgotten behind it."""
        self.line(head)
        before = self._state()
        self.body.depth += 1
        start = len(self.body.lines)
        yield
        if len(self.body.lines) == start:
            self.line("pass")
        self.body.depth -= 1
        self._return(before)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Loops that are opened meanwhile are closed behind it."""
        before, depth = self._state(), self.body.depth
        yield
        self.body.depth = depth
        self._return(before)

    def loop(self, name: str, over: str) -> None:
        """Begin a loop, which ends with the function or the scope; tables that are read in it are found before it."""
        if self.body.outermost is None:
            self.body.outermost = len(self.body.lines), self.body.depth
        self.line(f"for {name} in {over}:")
        self.body.depth += 1

    def _state(self) -> tuple[Any, ...]:
        inner = None if self._next is None else self._next._state()
        body = self.body
        return (
            dict(self.variables),
            dict(self.values),
            dict(self.truths),
            self._next,
            inner,
            set(body.reads),
            dict(body.texts),
            body.outermost,
        )

    def _return(self, before: tuple[Any, ...]) -> None:
        self.variables, self.values, self.truths, self._next, inner, reads, texts, outermost = before
        self.body.reads, self.body.texts = reads, texts
        if outermost is None:
            self.body.outermost = None
        if self._next is not None:
            self._next._return(inner)

    # -- names -------------------------------------------------------------------------------------------------------
    def bind(self, var: Var[Any], name: str, certainty: Certainty = ALWAYS) -> None:
        """Give a variable a value from here on: what was evaluated without it is forgotten."""
        self.variables[var] = Value(name, certainty)
        for known in (self.values, self.truths):
            for term in [one for one in known if var in free(one)]:
                del known[term]
        for text in [one for one in self.body.texts if name in one]:
            del self.body.texts[text]
        if self._next is not None:
            self._next.bind(var, name, certainty)

    @contextmanager
    def within(self, var: Var[Any], name: str, certainty: Certainty = ALWAYS) -> Iterator[None]:
        """A variable is bound inside an expression meanwhile."""
        old, was_local = self.variables.get(var), var in self.local
        self.variables[var] = Value(name, certainty)
        self.local.add(var)
        self.inside += 1
        yield
        self.inside -= 1
        if not was_local:
            self.local.discard(var)
        if old is None:
            del self.variables[var]
        else:
            self.variables[var] = old

    @contextmanager
    def outside(self) -> Iterator[None]:
        """What is printed meanwhile depends on no variable that is bound inside the expression at hand."""
        inside, self.inside, local, self.local = self.inside, 0, self.local, set()
        yield
        self.inside, self.local = inside, local

    def count(self, terms: Iterable[Term[Any]]) -> None:
        """Count how many others use each term: one that is used once is evaluated in place, or never."""
        uses = self.uses = {}
        waiting = list(dict.fromkeys(terms))
        roots = set(waiting)
        while waiting:
            for child in children(waiting.pop()):
                known = uses.get(child, 0)
                uses[child] = known + 1
                if not known and child not in roots:
                    waiting.append(child)

    def is_used_once(self, term: Term[Any]) -> bool:
        """Whether a term is evaluated in place."""
        if self.uses is None or self.uses.get(term, 0) > 1:
            return False
        return not self.inside and self.local.isdisjoint(free(term))

    def next(self) -> Function:
        """Return the function as it reads the state after."""
        if self._next is None:
            self._next = Function(self.after, None, "", self.body)
        inner = self._next
        inner.variables, inner.local, inner.inside = self.variables, self.local, self.inside
        inner.members, inner.uses, inner.shown = self.members, self.uses, self.shown
        return inner
