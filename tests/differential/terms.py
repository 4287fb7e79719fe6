"""Draws terms of every kind over the variables and cells that there are, from one stream of random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .pieces import Piece

T = TypeVar("T")

SORTS = {"A": "Alpha", "B": "Beta"}
COLOURS = ("RED", "GREEN")
VARIABLES = {"A": ("a", "a2"), "B": ("b", "b2"), "N": ("i", "i2"), "C": ("c",), "bool": ("t",), "?A": ("o",)}
"""The names of variables by kind: few, so that binders hide each other."""
KIND_TEXT = {
    "bool": "BOOL", "A": "A", "B": "B", "N": "N", "C": "C", "Q": "Q", "?A": "maybe(A)", "?B": "maybe(B)",
    "?N": "maybe(N)", "?C": "maybe(C)", "{A}": "set_of(A)", "[A]": "list_of(A)",
}  # fmt: skip
"""How each kind is written."""


@dataclass(frozen=True)
class Cell:
    """A state variable that was drawn: its name, its keys, its kind, and its class."""

    name: str
    keys: tuple[str, ...]
    kind: str
    what: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """A type of record that was drawn: the kinds of the entities that it is about, and its fields."""

    name: str
    about: tuple[str, ...]
    fields: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True)
class Scope:
    """What a term may speak of: variables by kind, whether of ghosts, and whether of the state after a step."""

    variables: tuple[tuple[str, str], ...] = ()
    ghosts: bool = False
    after: bool = False
    cells: bool = True

    def names(self, kind: str) -> list[str]:
        """Return the variables of a kind; a name hides an outer variable of its own kind alone, as kinds do not share
        names.
        """
        return list(dict.fromkeys(name for name, its in self.variables if its == kind))

    def with_(self, *more: tuple[str, str]) -> Scope:
        """Return the scope with further variables."""
        return Scope((*self.variables, *more), self.ghosts, self.after, self.cells)


def leaf(kind: str, text: str) -> Piece:
    """Return a piece without parts."""
    return Piece(kind, text)


def listed(kind: str, text: str, parts: list[Piece], joint: str = ", ") -> Piece:
    """Return a piece of which any part may be left out."""
    return Piece(kind, text, tuple(parts), joint)


@dataclass
class Terms:
    """One protocol while it is drawn: what is declared so far, and terms over it.

    `low` is the start of its counter, `sorts` are the sorts, `spoken` the kinds of variables that cells name, and
    `bound` those of them that an `every` may bind.
    """

    seed: int
    attempt: int = 0
    rng: random.Random = field(init=False)
    cells: list[Cell] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    procedures: list[tuple[str, tuple[tuple[str, str], ...], frozenset[str]]] = field(default_factory=list)
    definitions: list[tuple[str, str]] = field(default_factory=list)
    declared: list[tuple[str, Piece]] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    happening: set[str] = field(default_factory=set)
    low: int = 0
    sorts: tuple[str, ...] = ("A",)
    spoken: list[str] = field(default_factory=list)
    bound: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed}/{self.attempt}")

    # -- chance ----------------------------------------------------------------------------------------------------
    def pick(self, some: Sequence[T]) -> T:
        """Return one of some values."""
        return some[self.rng.randrange(len(some))]

    def chance(self, of: float) -> bool:
        """Return whether something of a probability happens."""
        return self.rng.random() < of

    # -- terms -----------------------------------------------------------------------------------------------------
    def term(self, kind: str, scope: Scope, depth: int) -> Piece:
        """Draw a term of a kind that a scope has everything for."""
        if scope.after and scope.cells and self.chance(0.3) and kind != "Q":
            inner = self.term(kind, Scope(scope.variables, True, False), max(0, depth - 1))
            return Piece(kind, "next_(%s)", (inner,))
        if kind == "bool":
            return self.condition(scope, depth)
        simple = self._simple(kind, scope)
        if depth <= 0 and simple:
            return self.pick(simple)()
        made = [*simple, *simple, *self._composed(kind, scope, depth - 1)]
        return self.pick(made)()

    def _simple(self, kind: str, scope: Scope, literals: bool = True) -> list[Callable[[], Piece]]:
        """Return what draws a variable, a cell or a literal of a kind."""
        found: list[Callable[[], Piece]] = []
        for name in scope.names(kind):
            found += [lambda name=name: leaf(kind, name)] * 2  # type: ignore[misc]
        for one in self.cells:
            if one.kind == kind and not one.columns and self._readable(one, scope):
                found += [lambda one=one: self.read(one, scope)] * 3  # type: ignore[misc]
        return [*found, lambda: leaf(kind, self._literal(kind))] if literals or not found else found

    def _literal(self, kind: str) -> str:
        if kind == "N":
            return f"Lit({self.rng.randrange(self.low, self.sizes['n'] + 1)}, N)"
        if kind == "C":
            return f"literal(Colour.{self.pick(COLOURS)})"
        if kind in SORTS:
            return f"individual({kind}, {self.rng.randrange(self.sizes[SORTS[kind]])})"
        if kind == "Q":
            return f"Lit({self.rng.randrange(1, self.sizes['q'] + 1)}, Q)"
        if kind[0] == "?":
            return f"none_of({KIND_TEXT[kind[1:]]})"
        return {"{A}": "nobody(A)", "[A]": "nothing(A)"}[kind]

    def read(self, cell: Cell, scope: Scope) -> Piece:
        """Draw a read of a state variable."""
        if not cell.keys:
            return leaf(cell.kind, cell.name)
        keys = tuple(self.key(key, scope) for key in cell.keys)
        if cell.columns:
            said = ", ".join(f"{column}=%s" for column in cell.columns)
            if len(keys) > 1 and self.chance(0.4):
                return Piece("bool", f"{cell.name}.some({cell.columns[0]}=%s)", keys[:1])
            return Piece("bool", f"{cell.name}.has({said})", keys)
        return Piece(cell.kind, f"{cell.name}[{', '.join(['%s'] * len(keys))}]", keys)

    def key(self, kind: str, scope: Scope) -> Piece:
        """Draw a key: most often a variable."""
        names = scope.names(kind)
        if names and self.chance(0.85):
            return leaf(kind, self.pick(names))
        if kind == "bool":
            return leaf("bool", self.pick(("TRUE", "FALSE")))
        plain = [one.name for one in self.cells if one.kind == kind and not one.keys and self._readable(one, scope)]
        text = self.pick(plain) if plain and self.chance(0.4) else self._literal(kind)
        return Piece(kind, "(%s + 1)", (leaf(kind, text),)) if kind == "N" and self.chance(0.2) else leaf(kind, text)

    @staticmethod
    def _readable(cell: Cell, scope: Scope) -> bool:
        return scope.cells and (scope.ghosts or cell.what != "ghost")

    def _composed(self, kind: str, scope: Scope, depth: int) -> list[Callable[[], Piece]]:
        """Return what draws a term of a kind from others."""

        def of(text: str, *kinds: str) -> Callable[[], Piece]:
            return lambda: Piece(kind, text, tuple(self.term(one, scope, depth) for one in kinds))

        def under(text: str, variable_kind: str) -> Callable[[], Piece]:
            def make() -> Piece:
                name = self.pick(VARIABLES[variable_kind])
                return Piece(
                    kind, text.replace("VAR", name), (self.condition(scope.with_((name, variable_kind)), depth),)
                )

            return make

        found: list[Callable[[], Piece]] = []
        if kind != "Q":
            found += [of("when(%s, %s, %s)", "bool", kind, kind), of('let("named", %s)', kind)]
        if kind == "N":
            number = self.pick((1, 1, 2))
            found += [of(f"(%s + {number})", "N"), of(f"(%s - {self.pick((1, 1, 2))})", "N")] * 2
            found += [of("(%s + %s)", "N", "N"), of("(%s * 2)", "N"), of("(%s - %s)", "N", "N")]
            for word in ("max_of", "min_of") if "N" in self.spoken else ():
                name = self.pick(VARIABLES["N"])
                found.append(
                    lambda word=word, name=name: Piece(  # type: ignore[misc]
                        "N",
                        f"{word}({name}, %s, %s)",
                        (self.condition(scope.with_((name, "N")), depth), self.term("N", scope, depth)),
                    )
                )
        elif kind == "{A}":
            found += [of("just(%s)", "A"), of("just(%s, %s)", "A", "A"), of("members(%s)", "[A]"), of("just(%s)", "?A")]
            found += [of(f"(%s {sign} %s)", "{A}", "{A}") for sign in "&|-"]
            found += [under("those(VAR, %s)", "A")] * (2 if "A" in self.spoken else 0)
        elif kind == "[A]":
            found += [of("only(%s)", "A"), of("only(%s)", "?A"), of("keep(%s, %s)", "[A]", "{A}")]
            found += [of("drop(%s, %s)", "[A]", "{A}"), of("then(%s, %s)", "[A]", "[A]"), of("ascending(%s)", "{A}")]
        elif kind == "?A":
            found += [of("some(%s)", "A"), of("first(%s, %s)", "[A]", "{A}"), of("head(%s)", "[A]")]
            found += [of("else_(%s, %s)", "?A", "?A")]
        elif kind[0] == "?":
            found += [of("some(%s)", kind[1:]), of("else_(%s, %s)", kind, kind)]
        elif kind == "Q":
            found += [of("lesser(%s, %s)", "Q", "Q"), of("size_of(%s, Q)", "{A}")]
        return found

    def condition(self, scope: Scope, depth: int) -> Piece:
        """Draw a condition."""
        if scope.after and scope.cells and self.chance(0.15):
            return Piece("bool", "next_(%s)", (self.condition(Scope(scope.variables, True), depth),))
        if depth <= 0:
            return self._atom(scope)
        number = self.rng.randrange(14)
        if number < 4:
            sign = self.pick(("&", "|", "&"))
            return Piece(
                "bool", f"(%s {sign} %s)", (self.condition(scope, depth - 1), self.condition(scope, depth - 1))
            )
        if number == 4:
            return Piece("bool", "%s.implies(%s)", (self.condition(scope, depth - 1), self.condition(scope, depth - 1)))
        if number == 5:
            return Piece("bool", "~%s", (self.condition(scope, depth - 1),))
        if number < 9:
            kind = self.pick(self.spoken)
            name, word = self.pick(VARIABLES[kind]), self.pick(("forall", "exists"))
            return Piece("bool", f"{word}({name}, %s)", (self.condition(scope.with_((name, kind)), depth - 1),))
        if number == 9:
            return Piece("bool", 'let("named", %s)', (self.condition(scope, depth - 1),))
        if number == 10 and self.definitions:
            name, kind = self.pick(self.definitions)
            return Piece("bool", f"{name}(%s)", (self.term(kind, scope, 0),))
        if number == 11:
            return Piece("bool", "when(%s, %s, %s)", tuple(self.condition(scope, depth - 1) for _ in range(3)))
        return self._compared(scope, depth - 1)

    def _atom(self, scope: Scope) -> Piece:
        flags = [one for one in self.cells if one.kind == "bool" and self._readable(one, scope)]
        variables = scope.names("bool")
        if variables and self.chance(0.3):
            return leaf("bool", self.pick(variables))
        if flags and self.chance(0.5):
            read = self.read(self.pick(flags), Scope(scope.variables, scope.ghosts, False))
            return Piece("bool", "~%s", (read,)) if self.chance(0.3) else read
        if self.chance(0.05):
            return leaf("bool", self.pick(("TRUE", "FALSE")))
        return self._compared(scope, 0)

    def _compared(self, scope: Scope, depth: int) -> Piece:
        """Draw a comparison of terms of some kind."""

        def of(text: str, *kinds: str) -> Piece:
            subject = self._subject(kinds[0], scope, depth)
            others = [self.term(one, scope, depth) for one in kinds[1:]]
            if others and others[0].printed == subject.printed:
                others[0] = self.term(kinds[1], scope, depth)
            return Piece("bool", text, (subject, *others))

        mine = [one.kind for one in self.cells if one.kind != "bool"] + [kind for _, kind in scope.variables]
        kind = self.pick([*mine, *mine, *(["N"] if "N" in self.spoken else [])] or self.bound)
        same = self.pick((".is_", ".is_", ".isnt"))
        if kind == "N":
            return (
                of(f"(%s {self.pick(('<', '<=', '>', '>='))} %s)", "N", "N")
                if self.chance(0.7)
                else of(f"%s{same}(%s)", "N", "N")
            )
        if kind == "{A}":
            choices = ["empty(%s)", "at_least(%s, %s)", "(%s <= %s)", f"%s{same}(%s)", "%s.in_(%s)", "%s.in_(%s)"]
            kinds = [("{A}",), ("{A}", "Q"), ("{A}", "{A}"), ("{A}", "{A}"), ("A", "{A}"), ("?A", "{A}")]
            number = self.rng.randrange(6)
            return of(choices[number], *kinds[number])
        if kind == "[A]":
            choices = ["empty(%s)", "%s.in_(%s)", f"%s{same}(%s)", "repeats(%s)", "at_least(members(%s), %s)"]
            kinds = [("[A]",), ("A", "[A]"), ("[A]", "[A]"), ("[A]",), ("[A]", "Q")]
            number = self.rng.randrange(5)
            return of(choices[number], *kinds[number])
        if kind == "Q":
            return of("at_least(%s, %s)", "{A}", "Q")
        if kind[0] == "?" and self.chance(0.5):
            return of(f"{self.pick(('present', 'absent'))}(%s)", kind)
        if kind[0] == "?":
            return of(f"%s{same}(%s)", kind, kind[1:] if self.chance(0.5) else kind)
        if kind == "bool":
            return (
                of(f"%s{same}(%s)", "bool", "bool") if depth > 0 else self._atom(Scope(scope.variables, scope.ghosts))
            )
        return of(f"%s{same}(%s)", kind, kind)

    def _subject(self, kind: str, scope: Scope, depth: int) -> Piece:
        """Draw a term that is no literal where there is another: what a comparison speaks of."""
        if kind == "bool" or (depth > 0 and self.chance(0.4)) or scope.after:
            return self.term(kind, scope, depth)
        return self.pick(self._simple(kind, scope, literals=False))()
