"""Terms as Python functions: every term is printed as one expression over tables, and compiled when it is first asked.

What the interpreter does by walking a term this does by running what was printed of it; both give the same values and
raise where the other does, which a test holds. A named term, a quantifier and a comprehension become functions of their
own that keep what they found until the state changes, so that nothing is evaluated twice.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, assert_never, cast

from fencepost.checkers.conformance.state.replay import said_in_structs
from fencepost.model.language import Term, Var
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, Kind, OptionKind
from fencepost.model.language.nodes import (
    At,
    Before,
    Comprehension,
    Each,
    Elems,
    Get,
    Implies,
    Ite,
    Lit,
    MaxOf,
    Named,
    Nary,
    Next,
    Quant,
    Structure,
)
from fencepost.model.language.operators import CALLS, operator_of
from fencepost.model.language.state import State
from fencepost.model.language.walk import bare, children, free, nodes

from .cells import MISSING, Cells

_SMALL: Final = 7
"""A named term of more nodes is a function of its own."""

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


class Printer:
    """Terms compiled against numbered tables; `initial` has their initial values, `MISSING` where there is none.

    `listed` are the names of counters of which just the numbers matter that were met, as if they were entities.
    """

    def __init__(
        self, numbers: Mapping[State[Any], int], initial: Sequence[Any], listed: frozenset[str] = frozenset()
    ) -> None:
        self.numbers, self.initial, self.listed = numbers, initial, listed
        self.space: dict[str, Any] = {"MISSING": MISSING, "_need": _need, "_unlisted": _unlisted, **CALLS}
        self._variables: dict[Var[Any], str] = {}
        self._constants: dict[tuple[type, Any], str] = {}
        self._functions: dict[tuple[Term[Any], tuple[Var[Any], ...]], Function] = {}
        self._kept: dict[Term[Any], str] = {}
        self._total: dict[Term[Any], bool] = {}

    # -- names ------------------------------------------------------------------------------------------------------
    def variable(self, var: Var[Any]) -> str:
        """Return the Python name of a variable."""
        found = self._variables.get(var)
        if found is None:
            found = self._variables[var] = f"v{len(self._variables)}"
        return found

    def constant(self, value: Any) -> str:
        """Return a value as an expression."""
        if (
            value is None
            or isinstance(value, (bool, str))
            or (isinstance(value, int) and not isinstance(value, enum.Enum))
        ):
            return repr(value)
        key = (type(value), value)
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = f"c{len(self._constants)}"
            self.space[name] = value
        return name

    def made(self, name: str, source: str) -> Any:
        """Return the function of a name that a source defines."""
        exec(compile(source, f"<{name}>", "exec"), self.space)
        return self.space[name]

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
            text = self._text(bare(term), body)
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
        return self._text(term, body)

    def _text(self, term: Term[Any], body: Body) -> str:
        def text(one: Term[Any]) -> str:
            return self.text(one, body)

        operator = operator_of(term)
        if operator is not None:
            inside = children(term)
            values = [one.value for one in inside if isinstance(one, Lit)]
            if len(values) == len(inside):
                return self.constant(operator.apply(*values))
            *first, last = inside
            asked = self._members(last, body) if operator.searches else text(last)
            return operator.python_of(*map(text, first), asked)
        node = cast(Structure, term)
        match node:
            case Lit():
                return self.constant(node.value)
            case Var():
                return self.variable(node)
            case Get():
                return self._get(node, body)
            case Nary():
                return "(" + f" {node.operator} ".join(map(text, node.terms)) + ")"
            case Implies():
                return f"(not {text(node.left)} or {text(node.right)})"
            case Ite():
                return f"({text(node.then)} if {text(node.condition)} else {text(node.otherwise)})"
            case Quant():
                over = f"{text(node.body)} for {self.variable(node.var)} in {self.domain(node.var.kind, body)}"
                return f"{'all' if node.quantifier == 'every' else 'any'}({over})"
            case Comprehension():
                v = self.variable(node.var)
                return f"frozenset([{v} for {v} in {self.domain(node.var.kind, body)} if {text(node.body)}])"
            case MaxOf():
                return "_unlisted()"
            case Each():
                return f"tuple([{text(node.body)} for {self.variable(node.var)} in {text(node.along)}])"
            case Named() | Before():
                return text(node.term)
            case Next():
                return self._call(node.term, "S.after")
        assert_never(node)

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
        """Return the values of a kind as an expression; those of a counter raise when they are read."""
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


def _unlisted() -> Any:
    raise EvaluationError("the values of a counter cannot be listed")


@cache
def is_small(term: Named[Any]) -> bool:
    """Whether a named term is printed inline: a cache lookup for so few nodes would cost more."""
    for found, node in enumerate(nodes(term.term), 1):
        if found > _SMALL or isinstance(node, (Quant, Comprehension, Each, Next)):
            return False
    return True
