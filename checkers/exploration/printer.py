"""The printer: terms as lines of Python over registers, one text for compiled scalars and for NumPy columns.

A term is printed once in each scope: a name, a term used twice and a term that a loop does not change get a temporary.
Where the two targets differ (`Ite`, gathers, early exits of loops) the printer asks `columns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, assert_never, cast

from fencepost.checkers.conjuncts import conjuncts
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, SetKind
from fencepost.model.language.nodes import (
    Arith,
    Ascending,
    At,
    AtLeast,
    Before,
    Compare,
    Comprehension,
    Concat,
    Each,
    Elems,
    Eq,
    First,
    Get,
    Implies,
    Ite,
    Keep,
    Lesser,
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Node,
    Not,
    Quant,
    Repeats,
    SetOf,
    SetOp,
    SizeOf,
    Subset,
    Term,
    Var,
)
from fencepost.model.language.walk import children, free, nodes

from .conditions import binding_order, solution
from .layout import Layout

LONG = 240
"""Characters from which an expression gets a temporary, so that no line outgrows the parser."""


@dataclass(frozen=True)
class Reads:
    """The names of the arrays that plain reads, `Before` and `Next` look into."""

    now: str
    before: str
    after: str = ""


@dataclass
class Scope:
    """A block of lines, what it binds, and the terms that already have a name in it."""

    header: str
    binds: set[Var[Any]] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    lazy: bool = False
    lines: list[str] = field(default_factory=list)
    memo: dict[tuple[Term[Any], Reads | None], str] = field(default_factory=dict)


class Printer:
    """Prints terms into nested scopes. `values` collects the tables of registers that the text refers to, by name."""

    def __init__(self, layout: Layout, columns: bool) -> None:
        self.layout, self.code, self.columns = layout, layout.coding, columns
        self.scopes: list[Scope] = [Scope("")]
        self.values: dict[str, tuple[int, ...]] = {}
        self.uses: Counter[Term[Any]] = Counter()
        self._reading: dict[Term[Any], bool] = {}
        self._names = 0
        self._of: dict[Var[Any], list[str]] = {}

    # -- text ------------------------------------------------------------------------------------------------------
    def count(self, terms: Iterable[Term[Any]]) -> None:
        """Count how often each term is used, so that one used twice gets a temporary."""
        found = tuple(terms)
        self.uses.update(found)
        for node in nodes(*found):
            self.uses.update(children(node))

    def fresh(self, stem: str) -> str:
        """Return a name that nothing has yet."""
        self._names += 1
        return f"{stem}{self._names}"

    def line(self, text: str) -> None:
        """Write a line into the innermost scope."""
        self.scopes[-1].lines.append(text)

    def open(
        self, header: str, *variables: tuple[Var[Any], str], lazy: bool = False, arrays: Iterable[str] = ()
    ) -> None:
        """Open a block. Out of a `lazy` one no term is lifted, since the block may not be entered."""
        self.scopes.append(Scope(header, {v for v, _ in variables}, set(arrays), lazy))
        for variable, name in variables:
            self._of.setdefault(variable, []).append(name)

    def bind(self, variable: Var[Any], name: str) -> None:
        """Bind a variable in the innermost scope, for the rest of it."""
        self.scopes[-1].binds.add(variable)
        self._of.setdefault(variable, []).append(name)

    def name_of(self, variable: Var[Any]) -> str:
        """Return the name that a variable has in the innermost scope that binds it."""
        return self._of[variable][-1]

    def barrier(self) -> None:
        """From here on, lift no term out of the innermost scope."""
        self.scopes[-1].lazy = True

    def close(self) -> None:
        """Close the innermost block."""
        scope = self.scopes.pop()
        for variable in scope.binds:
            self._of[variable].pop()
        outer = self.scopes[-1].lines
        outer.append(scope.header)
        outer.extend("    " + line for line in scope.lines or ["pass"])

    def loop(self, variable: Var[Any], index: str = "") -> None:
        """Open a loop over every value of a variable; `index` names the value's position, where it is asked for."""
        name = self.fresh("x")
        kind = variable.kind
        if self.code.contiguous(kind) and not index:
            self.open(f"for {name} in range({self.code.low(kind)}, {self.code.high(kind) + 1}):", (variable, name))
            return
        position = index or self.fresh("j")
        count = len(self.code.registers(kind))
        self.open(f"for {position} in range({count}):", (variable, name))
        self.line(f"{name} = {self.register(kind, position)}")

    def register(self, kind: Kind[Any], position: str) -> str:
        """Return the register of the value at a position among the registers of a kind."""
        if self.code.contiguous(kind):
            low = self.code.low(kind)
            return f"{position} + {low}" if low else position
        registers = self.code.registers(kind)
        name = next((n for n, v in self.values.items() if v == registers), f"VALUES_{len(self.values)}")
        self.values[name] = registers
        return f"{name}[{position}]"

    @contextmanager
    def _at(self, level: int) -> Iterator[None]:
        inner, self.scopes[level + 1 :] = self.scopes[level + 1 :], []
        yield
        self.scopes.extend(inner)

    # -- terms -----------------------------------------------------------------------------------------------------
    def reading(self, term: Term[Any]) -> bool:
        """Return whether a term reads any state."""
        found = self._reading.get(term)
        if found is None:
            found = self._reading[term] = isinstance(term, Get) or any(self.reading(c) for c in children(term))
        return found

    def _level(self, term: Term[Any], reads: Reads | None) -> int:
        """Return the outermost scope in which everything that the term speaks of is there."""
        wanted = set(free(term))
        arrays = {reads.now, reads.before, reads.after} if reads else set()
        for level in range(len(self.scopes) - 1, 0, -1):
            scope = self.scopes[level]
            if not wanted.isdisjoint(scope.binds) or not arrays.isdisjoint(scope.arrays):
                return level
        return 0

    def term(self, term: Term[Any], reads: Reads) -> str:
        """Return an expression for the term, after writing the lines that it needs."""
        if isinstance(term, Lit):
            return self._number(self.code.encode(term.kind, term.value))
        if isinstance(term, Var):
            return self._of[term][-1]
        key = (term, reads if self.reading(term) else None)
        need = self._level(*key)
        for level in range(need, len(self.scopes)):
            name = self.scopes[level].memo.get(key)
            if name is not None:
                return name
        lazy = max((i for i, scope in enumerate(self.scopes) if scope.lazy), default=0)
        level = max(need, lazy)
        looping = isinstance(term, (Quant, Comprehension, MaxOf))
        with self._at(level):
            text = self._print(cast(Node, term), reads)
        inner = level == len(self.scopes) - 1
        if not looping and inner and self.uses[term] < 2 and not isinstance(term, Named) and len(text) < LONG:
            return text
        with self._at(level):
            if not text.isidentifier():
                name = self.fresh("t")
                self.line(f"{name} = {text}")
                text = name
            self.scopes[-1].memo[key] = text
        return text

    @staticmethod
    def _number(value: int) -> str:
        return str(value) if value >= 0 else f"({value})"

    def _ite(self, condition: str, then: str, otherwise: str) -> str:
        if self.columns:
            return f"pick({condition}, {then}, {otherwise})"
        return f"({then} if {condition} else {otherwise})"

    def _shape(self, kind: Kind[Any]) -> str:
        return f"{self.code.slot(kind)}, {self.code.members(kind)}"

    def _print(self, term: Node, reads: Reads) -> str:
        def of(inner: Term[Any]) -> str:
            return self.term(inner, reads)

        match term:
            case Lit() | Var():
                return self.term(term, reads)
            case Get():
                return self._get(term, reads)
            case Not():
                return f"({of(term.term)} == 0)"
            case Nary():
                return "(" + (" & " if term.operator == "and" else " | ").join(of(t) for t in term.terms) + ")"
            case Implies():
                return f"(({of(term.left)} == 0) | {of(term.right)})"
            case Eq():
                return f"({of(term.left)} == {of(term.right)})"
            case Compare():
                return f"({of(term.left)} {term.operator} {of(term.right)})"
            case Arith():
                return f"({of(term.left)} {term.operator} {of(term.right)})"
            case Ite():
                return self._ite(of(term.condition), of(term.then), of(term.otherwise))
            case Quant():
                return self._quantifier(term, reads)
            case Comprehension():
                return self._comprehension(term, reads)
            case SetOf():
                mask = self.code.high(term.kind)
                bits = [
                    f"((1 << {of(i)})" + (f" & {mask})" if isinstance(i.kind, OptionKind) else ")") for i in term.items
                ]
                return "(" + " | ".join(bits) + ")" if bits else "0"
            case Member():
                return f"(({of(term.collection)} >> {of(term.item)}) & 1)"
            case Subset():
                return f"(({of(term.left)} & ~{of(term.right)}) == 0)"
            case SetOp():
                operator = {"&": "&", "|": "|", "-": "& ~"}[term.operator]
                return f"({of(term.left)} {operator}{of(term.right)})"
            case Elems():
                return f"elems({of(term.of)}, {self._shape(term.of.kind)})"
            case First():
                return f"first({of(term.of)}, {of(term.among)}, {self._shape(term.of.kind)})"
            case Keep():
                return f"keep({of(term.of)}, {of(term.among)}, {self._shape(term.of.kind)})"
            case Concat():
                return f"concat({of(term.left)}, {of(term.right)}, {self._shape(term.kind)})"
            case ListOf():
                item = of(term.item)
                return self._ite(f"({item} < {self.code.members(term.kind)})", f"({item} + 1)", "0")
            case Ascending():
                return f"ascending({of(term.of)}, {self._shape(term.kind)})"
            case Repeats():
                return "False"
            case AtLeast():
                return f"(count({of(term.of)}) >= {of(term.threshold)})"
            case Lesser():
                left, right = of(term.left), of(term.right)
                return self._ite(f"({left} < {right})", left, right)
            case SizeOf():
                return f"count({of(term.of)})"
            case MaxOf():
                return self._greatest(term, reads)
            case Each() | At():
                raise AssertionError("a list beside a list is spelt out where a record is replayed")
            case Named():
                return of(term.term)
            case Before():
                return self.term(term.term, Reads(reads.before, reads.before, reads.after))
            case Next():
                return self.term(term.term, Reads(reads.after, reads.after))
        assert_never(term)

    def place(self, get: Get[Any], reads: Reads) -> tuple[str, str]:
        """Return the position of a cell, and the condition under which its keys are in their ranges ("" for always)."""
        state = get.state
        parts, checks = [str(self.layout.base[state])], []
        for key, kind, stride in zip(get.keys, state.keys, self.layout.strides[state], strict=True):
            text = self.term(key, reads)
            low, high = self.code.low(kind), self.code.high(kind)
            if isinstance(kind, IntKind) and not self._inside(key, kind):
                checks.append(f"({text} >= {low}) & ({text} <= {high})")
            shifted = f"({text} - {low})" if low else text
            parts.append(shifted if stride == 1 else f"{shifted} * {stride}")
        position = _sum(parts)
        return position, " & ".join(checks)

    def _inside(self, key: Term[Any], kind: Kind[Any]) -> bool:
        while isinstance(key, (Named, Before, Next)):
            key = key.term
        if isinstance(key, Var):
            return self.code.low(kind) <= self.code.low(key.kind) and self.code.high(key.kind) <= self.code.high(kind)
        return isinstance(key, Lit) and self.code.low(kind) <= int(key.value) <= self.code.high(kind)

    def _get(self, term: Get[Any], reads: Reads) -> str:
        position, inside = self.place(term, reads)
        if not inside:
            return (
                f"fetch({reads.now}, {position})"
                if self.columns and not position.isdigit()
                else f"{reads.now}[{position}]"
            )
        initial = term.state.initial
        otherwise = (
            self.code.low(term.kind) if initial is None else self.code.encode(term.kind, cast(Lit[Any], initial).value)
        )
        if self.columns:
            return f"fetch({reads.now}, {position}, {inside}, {otherwise})"
        return f"({reads.now}[{position}] if {inside} else {self._number(otherwise)})"

    def _quantifier(self, term: Quant, reads: Reads) -> str:
        variables, inner = [term.var], term.body
        while isinstance(inner, Quant) and inner.quantifier == "some" and inner.var not in variables:
            variables.append(inner.var)
            inner = inner.body
        if term.quantifier == "some" and len(variables) > 1 and not self.columns:
            return self._some(tuple(variables), conjuncts(inner), reads)
        every = term.quantifier == "every"
        result = self.fresh("q")
        self.line(f"{result} = {every}")
        self.loop(term.var)
        body = self.term(term.body, reads)
        if self.columns:
            self.line(f"{result} = {result} {'&' if every else '|'} {body}")
        else:
            self.line(f"if {body} == 0:" if every else f"if {body} != 0:")
            self.line(f"    {result} = {not every}")
            self.line("    break")
        self.close()
        return result

    def _some(self, variables: tuple[Var[Any], ...], conditions: tuple[Term[bool], ...], reads: Reads) -> str:
        """Print whether conditions hold for some values of several variables, each asked where its variables are bound.

        A variable that must equal a term has that value and no loop.
        """
        waiting = list(conditions)
        known = frozenset(v for one in conditions for v in free(one)) - frozenset(variables)
        opened: list[bool] = []  # of each block whether it is a loop
        result = self.fresh("q")
        self.line(f"{result} = False")

        def ask() -> None:
            ready = [one for one in waiting if free(one) <= known]
            waiting[:] = [one for one in waiting if one not in ready]
            for looping in (False, True):
                some = [one for one in ready if any(isinstance(node, Quant) for node in nodes(one)) is looping]
                if some:
                    self.open(f"if ({' & '.join([self.term(one, reads) for one in some])}) != 0:", lazy=True)
                    opened.append(False)

        ask()
        for variable in binding_order(variables, conditions, self.code.world, known):
            for one in waiting if self.code.contiguous(variable.kind) else ():
                equal = solution(one, variable, known)
                if equal is not None:
                    waiting.remove(one)
                    name, kind = self.fresh("x"), variable.kind
                    self.line(f"{name} = {self.term(equal, reads)}")
                    inside = f"({name} >= {self.code.low(kind)}) & ({name} <= {self.code.high(kind)})"
                    self.open(f"if {inside}:", (variable, name), lazy=True)
                    opened.append(False)
                    break
            else:
                self.loop(variable)
                opened.append(True)
            known |= {variable}
            ask()
        self.line(f"{result} = True")
        if any(opened):
            self.line("break")
        while opened:
            was_loop = opened.pop()
            self.close()
            if was_loop and any(opened):
                self.line(f"if {result} != 0:")
                self.line("    break")
        return result

    def _comprehension(self, term: Comprehension[Any], reads: Reads) -> str:
        kind = term.kind
        assert isinstance(kind, SetKind)
        self.code.high(kind)
        result = self.fresh("s")
        self.line(f"{result} = 0")
        self.loop(term.var)
        body = self.term(term.body, reads)
        self.line(f"{result} = {result} | ({body} * (1 << {self._of[term.var][-1]}))")
        self.close()
        return result

    def _greatest(self, term: MaxOf, reads: Reads) -> str:
        result = self.fresh("m")
        self.line(f"{result} = {self.term(term.default, reads)}")
        self.loop(term.var)
        body = self.term(term.body, reads)
        self.line(f"{result} = {self._ite(f'({body} != 0)', self._of[term.var][-1], result)}")
        self.close()
        return result


def _sum(parts: list[str]) -> str:
    """Return a sum of expressions as text, its leading number left out where it is zero."""
    kept = [part for part in parts if part != "0"]
    return " + ".join(kept) or "0"
