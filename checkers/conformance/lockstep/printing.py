"""Terms as Python functions: every term is printed as one expression over tables, and compiled when it is first asked.

What the interpreter does by walking a term this does by running what was printed of it; both give the same values and
raise where the other does, which a test holds. A named term, a quantifier and a comprehension become functions of their
own that keep what they found until the state changes, so that nothing is evaluated twice.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never, cast

from fencepost.checkers.conformance.replay import said_in_structs
from fencepost.checkers.conformance.source import Source, is_small
from fencepost.model.language import Node, Term, Var
from fencepost.model.language.interpreter import EvaluationError
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, Kind, OptionKind
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
    Not,
    Quant,
    Repeats,
    SetOf,
    SetOp,
    SizeOf,
    Subset,
)
from fencepost.model.language.state import State
from fencepost.model.language.walk import bare, free, nodes

from .cells import MISSING, Cells

Function = Callable[..., Any]
"""A compiled term: takes the cells, then the values of its variables."""


class Body:
    """A function that is being printed: the tables and sorts that it looks at, which it names first."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def table(self, number: int) -> str:
        """Return the name of a table."""
        return self._named(f"t{number}", f"S.tables[{number}]")

    def domain(self, sort: str) -> str:
        """Return the name of the entities of a sort."""
        return self._named(f"d_{sort.replace(' ', '_')}", f"S.domains[{sort!r}]")

    def _named(self, name: str, what: str) -> str:
        self.names[name] = what
        return name

    def opening(self, indent: str) -> str:
        """Return the lines that give the names."""
        return "".join(f"{indent}{name} = {what}\n" for name, what in sorted(self.names.items()))


class Printer(Source):
    """Terms compiled against numbered tables; `initial` has their initial values, `MISSING` where there is none.

    `listed` are the names of counters of which just the numbers matter that were met, as if they were entities.
    """

    def __init__(
        self, numbers: Mapping[State[Any], int], initial: Sequence[Any], listed: frozenset[str] = frozenset()
    ) -> None:
        self.numbers, self.initial, self.listed = numbers, initial, listed
        super().__init__(
            {
                "MISSING": MISSING,
                "_need": _need,
                "_first": _first,
                "_keep": _keep,
                "_concat": _concat,
                "_at": _at,
                "_unlisted": _unlisted,
            }
        )
        self._functions: dict[tuple[Term[Any], tuple[Var[Any], ...]], Function] = {}
        self._kept: dict[Term[Any], str] = {}
        self._total: dict[Term[Any], bool] = {}

    # -- functions -------------------------------------------------------------------------------------------------
    def function(self, term: Term[Any], params: tuple[Var[Any], ...]) -> Function:
        """Return the function that evaluates a term under values of variables, all of its free ones among them."""
        found = self._functions.get((term, params))
        if found is None:
            body = Body()
            found = self._functions[term, params] = self.define(params, [f"return {self.text(term, body)}"], body)
        return found

    def define(self, params: Sequence[Var[Any]], lines: Sequence[str], body: Body) -> Function:
        """Return the function of these parameters with these lines."""
        name, names = f"f{len(self.space)}", ", ".join(("S", *map(self.variable, params)))
        inner = "".join(f"    {line}\n" for line in lines)
        return cast(Function, self.made(name, f"def {name}({names}):\n{body.opening('    ')}{inner}"))

    def _call(self, term: Term[Any], state: str) -> str:
        """Return the call of the function that evaluates a term once a state."""
        variables = tuple(sorted(free(term), key=lambda v: v.name))
        name = self._kept.get(term)
        names = [self.variable(var) for var in variables]
        if name is None:
            name = self._kept[term] = f"k{len(self._kept)}"
            body = Body()
            text = self._text(cast(Node, bare(term)), body)
            key = f"({name!r}, {', '.join(names)})" if names else f"{name!r}"
            self.made(
                name,
                f"def {name}({', '.join(('S', *names))}):\n"
                f"    memo = S.memo\n    key = {key}\n    found = memo.get(key, MISSING)\n"
                f"    if found is MISSING:\n{body.opening('        ')}        found = memo[key] = {text}\n"
                f"    return found\n",
            )
        return f"{name}({', '.join((state, *names))})"

    def is_total(self, term: Term[Any]) -> bool:
        """Whether a term has a value in any state."""
        found = self._total.get(term)
        if found is None:
            found = self._total[term] = not any(self._may_lack(node) for node in nodes(term))
        return found

    def _may_lack(self, node: Term[Any]) -> bool:
        if isinstance(node, Get):
            return node.state.known is not None or self.initial[self.numbers[node.state]] is MISSING
        if isinstance(node, (Quant, Comprehension)):
            return "_unlisted" in self.domain(node.var.kind, Body())
        return isinstance(node, (At, MaxOf))

    # -- expressions -----------------------------------------------------------------------------------------------
    def text(self, term: Term[Any], body: Body) -> str:
        """Return a term as a Python expression."""
        if isinstance(term, Before):
            return self.text(term.term, body)
        if isinstance(term, Named) and is_small(term):
            return self.text(term.term, body)
        if isinstance(term, (Named, Quant, Comprehension)):
            return self._call(term, "S")
        return self._text(cast(Node, term), body)

    def _text(self, term: Node, body: Body) -> str:
        def text(one: Term[Any]) -> str:
            return self.text(one, body)

        match term:
            case Lit():
                return self.constant(term.value)
            case Var():
                return self.variable(term)
            case Get():
                return self._get(term, body)
            case Not():
                return f"(not {text(term.term)})"
            case Nary():
                return "(" + f" {term.operator} ".join(map(text, term.terms)) + ")"
            case Implies():
                return f"(not {text(term.left)} or {text(term.right)})"
            case Eq():
                return f"({text(term.left)} == {text(term.right)})"
            case Compare() | Arith():
                return f"({text(term.left)} {term.operator} {text(term.right)})"
            case Ite():
                return f"({text(term.then)} if {text(term.condition)} else {text(term.otherwise)})"
            case Quant():
                over = f"{text(term.body)} for {self.variable(term.var)} in {self.domain(term.var.kind, body)}"
                return f"{'all' if term.quantifier == 'every' else 'any'}({over})"
            case Comprehension():
                v = self.variable(term.var)
                return f"frozenset([{v} for {v} in {self.domain(term.var.kind, body)} if {text(term.body)}])"
            case SetOf():
                if not term.items:
                    return self.constant(frozenset())
                return f"frozenset([x for x in ({', '.join(map(text, term.items))},) if x is not None])"
            case Member():
                return f"({text(term.item)} in {self._members(term.collection, body)})"
            case Subset():
                return f"({text(term.left)} <= {text(term.right)})"
            case SetOp():
                return f"({text(term.left)} {term.operator} {text(term.right)})"
            case Elems():
                return f"frozenset({text(term.of)})"
            case First():
                return f"_first({text(term.of)}, {self._members(term.among, body)})"
            case Keep():
                return f"_keep({text(term.of)}, {self._members(term.among, body)})"
            case Concat():
                return f"_concat({text(term.left)}, {text(term.right)})"
            case ListOf():
                if isinstance(term.item, Lit):
                    return self.constant(() if term.item.value is None else (term.item.value,))
                return f"tuple([x for x in ({text(term.item)},) if x is not None])"
            case Ascending():
                return f"tuple(sorted({text(term.of)}))"
            case Repeats():
                of = text(term.of)
                return f"(len(set({of})) < len({of}))"
            case AtLeast():
                return f"(len({text(term.of)}) >= {text(term.threshold)})"
            case Lesser():
                return f"min({text(term.left)}, {text(term.right)})"
            case SizeOf():
                return f"len({text(term.of)})"
            case MaxOf():
                return "_unlisted()"
            case Each():
                return f"tuple([{text(term.body)} for {self.variable(term.var)} in {text(term.along)}])"
            case At():
                return f"_at({text(term.values)}, {text(term.along)}, {text(term.entry)})"
            case Named() | Before():
                return text(term.term)
            case Next():
                return self._call(term.term, "S.after")
        assert_never(term)

    def _members(self, collection: Term[Any], body: Body) -> str:
        """Return what `in` asks: of the members of a list the list itself."""
        return self.text(collection.of if isinstance(collection, Elems) else collection, body)

    def _get(self, term: Get[Any], body: Body) -> str:
        keys = [self.text(key, body) for key in term.keys]
        state = term.state
        if state.known is not None:
            if not keys:
                return self.constant(state.known)
            if isinstance(state.known, tuple):
                number, name = state.known
                return f"{self.constant(said_in_structs)}({keys[0]}[{number}], {name!r})"
            return f"{keys[0]}[{state.known}]" if isinstance(state.known, int) else f"dict({keys[0]})[{state.known!r}]"
        number = self.numbers[state]
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        if self.initial[number] is MISSING:
            return f"_need(S, {number}, {key})"
        return f"{body.table(number)}.get({key}, {self.constant(self.initial[number])})"

    def domain(self, kind: Kind[Any], body: Body) -> str:
        """Return the values of a kind as an expression; those of a counter raise when they are asked for."""
        match kind:
            case BoolKind():
                return "(False, True)"
            case EnumKind():
                members: type[enum.Enum] = kind.enum
                return self.constant(tuple(members))
            case EntityKind():
                return body.domain(kind.name)
            case IntKind() if kind.name in self.listed:
                return body.domain(kind.name)
            case OptionKind():
                return f"(None, *{self.domain(kind.of, body)})"
        return "_unlisted()"


def _need(cells: Cells, number: int, key: Any) -> Any:
    found = cells.tables[number].get(key, MISSING)
    if found is MISSING:
        found = cells.others.get(number, MISSING)
        if found is MISSING:
            raise EvaluationError(f"the cell {key!r} of table {number} has no value")
    return found


def _first(of: Sequence[Any], among: Any) -> Any:
    for one in of:
        if one in among:
            return one
    return None


def _keep(of: Sequence[Any], among: Any) -> tuple[Any, ...]:
    return tuple([one for one in of if one in among])


def _concat(left: tuple[Any, ...], right: Sequence[Any]) -> tuple[Any, ...]:
    return left + tuple([one for one in right if one not in left])


def _at(values: Sequence[Any], along: Sequence[Any], entry: Any) -> Any:
    try:
        return values[list(along).index(entry)]
    except (ValueError, IndexError):
        raise EvaluationError(f"nothing stands beside {entry!r}") from None


def _unlisted() -> Any:
    raise EvaluationError("the values of a counter cannot be listed")
